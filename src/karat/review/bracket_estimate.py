"""What verdicts on brackets say so far: the bounds of a soft measure, whatever is said of the rest.

Rows are in the order of the text, so those judged first are no random sample, and nothing is inferred from them. What
is not decided may be accepted or rejected, all of it; the value lies between, whenever one looks.
"""

from __future__ import annotations

from collections.abc import Sequence

from karat.corpus.formats import Readable
from karat.corpus.open_verdicts import estimated
from karat.corpus.worklist import Worklist
from karat.evaluation.task import Asked, Systems, each_system, named_systems
from karat.evaluation.trees import tree_task
from karat.measures.brackets.bracket_measures import BRACKET_MEASURES
from karat.measures.brackets.human_check import VERDICTS, BracketCheck, Verdicts
from karat.measures.brackets.options import BracketOptions
from karat.review.running_estimate import Enough, counted

KIND = "bracket"
MEASURE = BRACKET_MEASURES["Precision-soft"]


class BracketEstimate:
    """The estimate of a list of brackets beside the gold and the systems that it was made from."""

    def __init__(self, gold: Readable, systems: Systems, *, brackets: BracketOptions | None = None) -> None:
        every = list(named_systems(systems).items())
        task = tree_task(Asked(brackets=brackets), [])
        _, self._checks = each_system(task, gold, every, lambda pair, name: BracketCheck(name, pair))

    def now(self, worklist: Worklist, verdicts: Sequence[str]) -> Enough:
        """What these verdicts of the rows say; rows may be judged in any order."""
        known = [estimated(verdict) if verdict in VERDICTS[KIND] else "" for verdict in verdicts]
        names = [check.name for check in self._checks]
        held = Verdicts(worklist.with_verdicts(known), names)
        bounds = [self._bounds(check, held) for check in self._checks]
        held.refuse_misfits()
        n_open = known.count("")
        is_sample = any(weight != 1 for weight in worklist.column("weight"))
        better = None if is_sample else _best(names, bounds)
        return _in_words(names, bounds, better, len(known) - n_open, n_open, is_sample)

    def _bounds(self, check: BracketCheck, held: Verdicts) -> tuple[float, float]:
        """The least and the most that the measure of a system can be, in percent of 1."""
        comparison, judged = check.comparison, held.of(check)
        kept = ~comparison.pair.gold.bad
        values = []
        for corner in judged.corners:
            counts = MEASURE.counts({**comparison.items, **corner})[kept].sum(axis=0)
            values.append(float(MEASURE.value(counts)))
        return min(values), max(values)


def _best(names: Sequence[str], bounds: Sequence[tuple[float, float]]) -> str | None:
    """The system that is better than all others whatever is said of the rest."""
    for name, (least, _) in zip(names, bounds, strict=True):
        others = [most for other, (_, most) in zip(names, bounds, strict=True) if other != name]
        if others and least > max(others):
            return name
    return None


def _in_words(
    names: Sequence[str],
    bounds: Sequence[tuple[float, float]],
    better: str | None,
    n_used: int,
    n_open: int,
    is_sample: bool,
) -> Enough:
    of = MEASURE.name if len(names) == 1 else f"{MEASURE.name} of {names[1]} − {names[0]}"
    shown = "; ".join(f"{name} {_span(ends)}" for name, ends in zip(names, bounds, strict=True))
    if better is not None:
        words = f"Enough judged: {better} is better on these trees, whatever the rest is ({MEASURE.name}: {shown})."
    elif n_open:
        words = f"{MEASURE.name}: {shown}, depending on {counted(n_open, 'open row')}."
    else:
        words = f"All rows are judged. {MEASURE.name}: {shown}."
    words += " The rows are a sample: karat score has the intervals." if is_sample else ""
    lower, upper = bounds[0]
    if len(names) > 1:
        lower, upper = bounds[1][0] - bounds[0][1], bounds[1][1] - bounds[0][0]
    is_enough = better is not None or not n_open
    value = None if n_open else lower
    to_go = 0 if is_enough else n_open
    if is_sample:  # which has a sampling error that bounds do not know
        return Enough(words, is_enough, n_used, to_go, value, None, None, KIND, of)
    return Enough(words, is_enough, n_used, to_go, value, lower, upper, KIND, of)


def _span(ends: tuple[float, float]) -> str:
    least, most = (f"{100 * end:.1f}" for end in ends)
    return f"{least} %" if least == most else f"{least} to {most} %"
