"""What verdicts on tokens say so far of one system or two: as `karat noise estimate`, after every verdict.

Corpora and tags are read once. A look costs what a fraction of the draws of `noise estimate` cost; when these say that
it is enough, all of its draws are made, so that both say the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from karat._arrays import Ids, Indices
from karat.corpus.formats import Readable
from karat.corpus.worklist import Worklist
from karat.evaluation.task import Systems
from karat.inference.distributions import normal_quantile
from karat.inference.options import InferenceOptions
from karat.noise.complete_lists import missing_parts
from karat.noise.estimates_from_verdicts import JudgedEstimate, OneEstimate, PairEstimate
from karat.noise.human_check import (
    CheckedSides,
    checked_sides,
    column_of_list,
    estimate_of_codes,
    judged_tokens,
    together,
)
from karat.noise.intervals_from_verdicts import CheckedEstimate, IfJudgesErr
from karat.noise.looking_early import rows_until_valid
from karat.noise.token_sampling import NOT_REACHED
from karat.noise.token_worklist import TOKEN_VERDICTS
from karat.review.running_estimate import Enough, JudgesRows, counted

KIND = "token"
QUICK_DRAWS = 4_000
_FIRST_LOOK = 10  # rows before which nothing is estimated


class TokenEstimate:
    """The estimate of lists of tokens, one or those of several judges, beside the gold and one system or two."""

    def __init__(
        self,
        lists: Sequence[Worklist],
        gold: Readable,
        systems: Systems,
        *,
        inference: InferenceOptions | None = None,
        n_draws: int | None = None,
    ) -> None:
        self._inference = inference or InferenceOptions()
        self._column, self._n_draws = column_of_list(lists[0]), n_draws
        self.sides: CheckedSides = checked_sides(gold, systems, self._column)
        self._n_missing = missing_parts(lists).n_tokens

    def now(self, judged: Sequence[tuple[Worklist, JudgesRows]]) -> Enough:
        """What these verdicts say, each list with those of one judge; several are several judges."""
        lists = [self._codes(worklist, rows) for worklist, rows in judged]
        tokens, codes = together(lists)
        n_used = int((codes > NOT_REACHED).any(axis=0).sum())
        n_left = len(tokens) - n_used + (self._n_missing or 0)
        if n_used < min(_FIRST_LOOK, len(tokens)):
            words = f"A first estimate needs {counted(_FIRST_LOOK - n_used, 'more row')}."
            return Enough(words, False, n_used, n_left, None, None, None, KIND)
        made = self._made(tokens, codes, self._n_draws or QUICK_DRAWS)
        if isinstance(made, PairEstimate):
            if made.verdict != "open" and self._n_draws is None:
                made = self._made(tokens, codes, None)
            assert isinstance(made, PairEstimate)
            return _of_pair(self.sides.names, made, n_used, n_left)
        assert isinstance(made, OneEstimate)
        return _of_one(self.sides.names[0], made, n_used, n_left)

    def _made(self, tokens: Indices, codes: Ids, n_draws: int | None) -> OneEstimate | PairEstimate:
        return estimate_of_codes(
            self.sides, tokens, codes, n_missing=self._n_missing, inference=self._inference, n_draws=n_draws
        )

    def _codes(self, worklist: Worklist, rows: JudgesRows) -> tuple[Indices, Ids]:
        known = TOKEN_VERDICTS[KIND]
        verdicts = [verdict if verdict in known else "" for verdict in rows.reached()]  # an unclear one is none
        tokens, right = judged_tokens(worklist.with_verdicts(verdicts), self.sides, self._column)
        right[rows.n_reached :] = NOT_REACHED
        return tokens, right


# ---- in words --------------------------------------------------------------------------------------------------------


def _ends(cases: Sequence[CheckedEstimate]) -> tuple[float | None, float | None]:
    """The outermost ends, worst case for blanks, of all cases."""
    least = [one.least for one in cases if one.least is not None]
    most = [one.most for one in cases if one.most is not None]
    return (min(least), max(most)) if len(least) == len(most) == len(cases) else (None, None)


def _decisive(made: JudgedEstimate, found: CheckedEstimate | None) -> Sequence[CheckedEstimate]:
    """What verdicts are by: each supposed rate of judges' errors, or one estimate with these in it."""
    if made.decisive or found is None:
        return made.decisive
    if made.is_finished or made.always_valid is None:
        return [found]
    valid = made.always_valid
    return [replace(found, lower=valid.lower, upper=valid.upper, least=valid.least, most=valid.most)]


def _of_pair(names: Sequence[str], made: PairEstimate, n_used: int, n_left: int) -> Enough:
    a, b = names
    value = made.difference.value
    lower, upper = _ends(_decisive(made, made.difference))
    to_go = 0 if made.verdict != "open" else _rows_to_go(made, n_used, n_left)
    if made.verdict != "open":
        first = b if made.verdict == "B" else a
        words = f"Enough judged: {first} is better{_interval(names, lower, upper, made)}."
    elif value is None:
        words = f"No clear winner between {a} and {b} yet: some strata have no judged row."
    else:
        words = (
            f"No clear winner between {a} and {b}{_interval(names, lower, upper, made)}{_what_it_takes(to_go, n_left)}"
        )
    is_enough = made.verdict != "open"
    return Enough(words, is_enough, n_used, to_go, value, lower, upper, KIND, f"accuracy of {b} − {a}")


def _interval(names: Sequence[str], lower: float | None, upper: float | None, made: PairEstimate) -> str:
    if lower is None or upper is None:
        return ""
    by = f"{names[1]} − {names[0]}"
    return f" ({by}: {100 * made.level:.10g} % CI {100 * lower:+.2f} to {100 * upper:+.2f} points)"


def _what_it_takes(to_go: int | None, n_left: int) -> str:
    if to_go is None:
        return ". More rows are unlikely to settle it."
    beyond = f", {to_go - n_left:,} more than the list has" if to_go > n_left else ""
    return f": about {counted(to_go, 'more row')}{beyond}."


def _rows_to_go(made: PairEstimate, n_used: int, n_left: int) -> int | None:
    """About how many more rows settle it: those of the list while these do, else as `noise estimate` says."""
    z = normal_quantile((1 + made.level) / 2)
    cases: Sequence[CheckedEstimate | IfJudgesErr] = made.sensitivity or (made.difference,)
    needed = []
    for one in cases:
        if one.value is None or one.least is None or one.most is None:
            return n_left or None
        error = (one.most - one.least) / (2 * z)
        needed.append(rows_until_valid(one.value, error, n_used, n_used + n_left, made.level) if n_left else None)
    if all(n is not None for n in needed):
        return max(max(n for n in needed if n is not None), 1)
    to_settle = made.rows_to_settle
    return to_settle if to_settle is not None and to_settle > n_left else None


def _of_one(name: str, made: OneEstimate, n_used: int, n_left: int) -> Enough:
    found = made.accuracy
    of = f"real accuracy of {name}"
    if found is None or found.value is None:
        why = (
            "some strata have no judged row"
            if found is not None
            else "words on which it agrees with the gold are missing"
        )
        words = f"The real accuracy of {name} cannot be estimated yet: {why}."
        return Enough(words, not n_left, n_used, n_left, None, None, None, KIND, of)
    lower, upper = _ends(_decisive(made, found))
    ends = ""
    if lower is not None and upper is not None:
        ends = f" ({100 * made.level:.10g} % CI {100 * lower:.1f} to {100 * upper:.1f})"
    words = f"The real accuracy of {name} is {100 * found.value:.1f} %{ends}"
    words += f"; {counted(n_left)} left." if n_left else ": all rows are judged."
    return Enough(words, not n_left, n_used, n_left, found.value, lower, upper, KIND, of)
