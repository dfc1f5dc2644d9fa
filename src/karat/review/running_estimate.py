"""What an estimate beside a list says, and the rows that it may use.

The order of a list is random where an estimate needs it to be. Filters, jumps and searches break that order, so what
counts are the rows up to the first one that is not decided. Somebody looks after every verdict and stops when the
page says so; hence intervals hold however often people look, while rows are left. At the end of a list of tokens the
interval is the plain one of `noise estimate`, for those who look once (docs/review-coverage.md has what that costs).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from karat.corpus.worklist import WorklistRow
from karat.review.session import Review


@dataclass(frozen=True, slots=True)
class Enough:
    """Whether enough rows are judged, in `words` and as numbers.

    `of` is what the `value` is, with the ends of its interval or its bounds; None where there is none (yet).
    `rows_used` are the rows that it rests on, `rows_to_go` about how many more are needed: 0 if it is enough, None if
    no number of rows would do.
    """

    words: str
    is_enough: bool
    rows_used: int
    rows_to_go: int | None
    value: float | None
    lower: float | None
    upper: float | None
    kind: str
    of: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The estimate as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True, eq=False)
class JudgesRows:
    """The rows of a list, what a judge has said of each, and how many there are before the first undecided one.

    A row of which the judge was not sure is decided, and its verdict is empty.
    """

    rows: Sequence[WorklistRow]
    verdicts: Sequence[str]
    is_decided: Sequence[bool]

    @property
    def n_reached(self) -> int:
        return next((n for n, decided in enumerate(self.is_decided) if not decided), len(self.is_decided))

    def left_out(self) -> str:
        """In words, which rows are judged but behind one that is not; nothing if there are none."""
        n, n_behind = self.n_reached, sum(self.is_decided[self.n_reached :])
        after = f"{counted(n_behind)} judged after it"
        return f" Row {n + 1:,} is undecided: {after} will count once it is judged." if n_behind else ""

    def reached(self) -> list[str]:
        """The verdicts up to the first undecided row; the others are empty."""
        n = self.n_reached
        return [*self.verdicts[:n], *[""] * (len(self.verdicts) - n)]


def judges_rows(review: Review, judge: str) -> JudgesRows:
    """What a judge of a review has said so far."""
    said = review.store.judgements(judge)
    found = [said.get(item) for item in review.worklist.column("id")]
    verdicts = ["" if one is None else one.verdict for one in found]
    return JudgesRows(review.worklist.rows, verdicts, [one is not None and one.is_decided for one in found])


def counted(n: int, what: str = "row") -> str:
    """A number of things in words.

    >>> counted(1), counted(1200)
    ('1 row', '1,200 rows')
    """
    return f"{n:,} {what}" if n == 1 else f"{n:,} {what}s"
