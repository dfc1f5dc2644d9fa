"""What verdicts on tokens say so far of one system or two: the values of `karat noise estimate`, after every verdict.

Whoever sees the estimate all the time is wrong more often with the plain intervals of `noise estimate`: those here are
wider (`watched_stretch`), to the end of the list, and hold for people who watch and stop when it is enough. Corpora and
tags are read once. A look costs what a fraction of the draws of `noise estimate` cost; when these say that it is
enough, all of its draws are made, and must say the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from karat._arrays import Ids, Indices
from karat.corpus.formats import Readable
from karat.corpus.worklist import Worklist
from karat.evaluation.task import Systems
from karat.inference.distributions import normal_quantile
from karat.inference.options import InferenceOptions
from karat.noise.complete_lists import missing_parts
from karat.noise.estimates_from_verdicts import JudgedEstimate, OneEstimate, PairEstimate, common_verdict
from karat.noise.human_check import (
    CheckedSides,
    checked_sides,
    column_of_list,
    estimate_of_codes,
    judged_tokens,
    together,
)
from karat.noise.intervals_from_verdicts import Better, CheckedEstimate, better
from karat.noise.looking_early import rows_until_enough, watched_stretch
from karat.noise.token_sampling import NOT_REACHED
from karat.noise.token_worklist import TOKEN_VERDICTS
from karat.review.running_estimate import Enough, JudgesRows, counted

KIND = "token"
QUICK_DRAWS = 1_000
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
        found = self._now(judged)
        return found if len(judged) > 1 else replace(found, words=found.words + judged[0][1].left_out())

    def _now(self, judged: Sequence[tuple[Worklist, JudgesRows]]) -> Enough:
        lists = [self._codes(worklist, rows) for worklist, rows in judged]
        tokens, codes = together(lists)
        n_rows = sum(len(of_list) for of_list, _ in lists)  # one that two judges have is two rows to judge
        n_used = int((codes > NOT_REACHED).sum())
        n_left = n_rows - n_used + (self._n_missing or 0)
        if n_used < min(_FIRST_LOOK, n_rows):
            words = f"A first estimate needs {counted(_FIRST_LOOK - n_used, 'more row')}."
            return Enough(words, False, n_used, n_left, None, None, None, KIND)
        found = _watched(self._made(tokens, codes, self._n_draws or QUICK_DRAWS), n_used, n_left)
        if found.verdict != "open" and self._n_draws is None:
            found = _watched(self._made(tokens, codes, None), n_used, n_left)
        return _of_pair(self.sides.names, found) if self.sides.is_pair else _of_one(self.sides.names[0], found)

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


# ---- for those who watch ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Watched:
    """An estimate as of `n_used` rows, `n_left` to go, for people who watch.

    `ends` are those of the interval if judges err in each of the supposed shares of the rows, or of the only one, worst
    case for blanks; none where nothing can be estimated yet. `errors` are the standard errors, by the plain intervals.
    """

    value: float | None
    ends: Sequence[tuple[float, float]]
    errors: Sequence[float]
    values: Sequence[float]
    level: float
    is_of_pair: bool
    is_asked: bool
    n_used: int
    n_left: int
    n_all: int

    @property
    def lower(self) -> float | None:
        return min((low for low, _ in self.ends), default=None)

    @property
    def upper(self) -> float | None:
        return max((high for _, high in self.ends), default=None)

    @property
    def verdict(self) -> Better:
        """Who of two systems is better, in all cases."""
        return common_verdict([better(*ends) for ends in self.ends]) if self.ends and self.is_of_pair else "open"

    def rows_to_go(self) -> int | None:
        """About how many more rows settle it in all cases; None if no number does, or nothing is estimated yet."""
        if self.verdict != "open":
            return 0
        needed = [
            rows_until_enough(value, error, self.n_used, self.n_used + self.n_left, self.n_all, self.level)
            for value, error in zip(self.values, self.errors, strict=True)
        ]
        known = [n for n in needed if n is not None]
        return max(*known, 1) if known and len(known) == len(needed) else None


def _watched(made: OneEstimate | PairEstimate, n_used: int, n_left: int) -> _Watched:
    found = made.difference if isinstance(made, PairEstimate) else made.accuracy
    cases = _cases(made, found)
    n_all = sum(one.size for one in made.strata)
    stretch = watched_stretch(n_used, n_used + n_left, n_all, made.level)
    z = normal_quantile((1 + made.level) / 2)
    least = -1.0 if isinstance(made, PairEstimate) else 0.0
    return _Watched(
        None if found is None else found.value,
        [(max(v - stretch * (v - low), least), min(v + stretch * (high - v), 1.0)) for v, low, high in cases],
        [(high - low) / (2 * z) for _, low, high in cases],
        [v for v, _, _ in cases],
        made.level,
        isinstance(made, PairEstimate),
        found is not None,
        n_used,
        n_left,
        n_all,
    )


def _cases(made: JudgedEstimate, found: CheckedEstimate | None) -> list[tuple[float, float, float]]:
    """Value and plain ends, worst case for blanks, for each supposed rate of judges' errors, or with these in it."""
    cases: Sequence[CheckedEstimate] = made.sensitivity or ([] if found is None else [found])
    known = [
        (one.value, one.least, one.most)
        for one in cases
        if one.value is not None and one.least is not None and one.most is not None
    ]
    return known if len(known) == len(cases) else []


# ---- in words --------------------------------------------------------------------------------------------------------


def _of_pair(names: Sequence[str], found: _Watched) -> Enough:
    a, b = names
    to_go = found.rows_to_go()
    interval = _interval(f"{b} − {a}: ", found, signed=True)
    if found.verdict != "open":
        words = f"Enough judged: {b if found.verdict == 'B' else a} is better{interval}."
    elif found.value is None:
        words = f"No clear winner between {a} and {b} yet: some strata have no judged row."
        to_go = found.n_left or None
    else:
        words = f"No clear winner between {a} and {b}{interval}{_what_it_takes(to_go, found.n_used, found.n_left)}"
    return _enough(words, found.verdict != "open", to_go, found, f"accuracy of {b} − {a}")


def _of_one(name: str, found: _Watched) -> Enough:
    is_done = not found.n_left
    if found.value is None:
        why = (
            "some strata have no judged row" if found.is_asked else "words on which it agrees with the gold are missing"
        )
        words = f"The real accuracy of {name} cannot be estimated yet: {why}."
    else:
        words = f"The real accuracy of {name} is {100 * found.value:.1f} %{_interval('', found)}"
        words += ": all rows are judged." if is_done else f"; {counted(found.n_left)} left."
    return _enough(words, is_done, found.n_left, found, f"real accuracy of {name}")


def _enough(words: str, is_enough: bool, to_go: int | None, found: _Watched, of: str) -> Enough:
    return Enough(words, is_enough, found.n_used, to_go, found.value, found.lower, found.upper, KIND, of)


def _interval(what: str, found: _Watched, *, signed: bool = False) -> str:
    if found.lower is None or found.upper is None:
        return ""
    ends = (f"{100 * end:{'+.2f' if signed else '.1f'}}".replace("-", "−") for end in (found.lower, found.upper))
    return f" ({what}{100 * found.level:.10g} % CI {' to '.join(ends)}{' points' if signed else ''})"


def _what_it_takes(to_go: int | None, n_used: int, n_left: int) -> str:
    if not n_left:
        more = "" if to_go is None else f" About {counted(to_go, 'more row')} would settle it: plan another list."
        return f": all rows are judged.{more}"
    if to_go is None:
        return ". More rows are unlikely to settle it." if n_left < n_used else f"; {counted(n_left)} left."
    beyond = f", {to_go - n_left:,} more than the list has" if to_go > n_left else ""
    return f": about {counted(to_go, 'more row')}{beyond}."
