"""The rows of a worklist, and what its file's reader and writer share."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, overload

SCHEMA = "karat/worklist/1"
COLUMNS = tuple("id kind corpus sent_id start end text shown weight verdict label judge note".split())
FURTHER = ("word", "label_here", "label_there", "score")  # behind these, in lists whose rows have them


@dataclass(frozen=True, slots=True)
class WorklistRow:
    """One thing to check: the words `start` to `end` (from 1, inclusive) of a sentence, and what the judge said of it.

    `shown` is what is judged, `weight` how many such things the row stands for; `verdict` is empty while nobody has
    decided. The FURTHER ones are for people to sort and filter by: the word that is judged, its label in `text` and
    elsewhere, and how likely an error is. `line` is the line of the file it was read from, 0 for a row that was made;
    it does not count in `==`.
    """

    id: str
    kind: str
    corpus: str
    sent_id: str
    start: int
    end: int
    text: str
    shown: str
    weight: float = 1.0
    verdict: str = ""
    label: str = ""
    judge: str = ""
    note: str = ""
    word: str = ""
    label_here: str = ""
    label_there: str = ""
    score: str = ""
    line: int = field(default=0, compare=False)

    def __post_init__(self) -> None:
        if not 1 <= self.start <= self.end:
            raise ValueError(f"the words {self.start} to {self.end} are not a span of a sentence")
        if not (math.isfinite(self.weight) and self.weight > 0):
            raise ValueError(f"a weight must be finite and above 0, not {self.weight}")


class RowsRead(Sequence[WorklistRow]):
    """The rows of a file as the columns they were read from; a row is made when it is asked for.

    Whoever reads a hundred thousand verdicts wants columns, and a row costs more than all its cells.
    """

    def __init__(self, columns: Mapping[str, Sequence[Any]]) -> None:
        self.columns = columns

    def __len__(self) -> int:
        return len(self.columns["id"])

    @overload
    def __getitem__(self, place: int) -> WorklistRow: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[WorklistRow, ...]: ...
    def __getitem__(self, place: int | slice) -> WorklistRow | tuple[WorklistRow, ...]:
        if isinstance(place, slice):
            return tuple(self)[place]
        return WorklistRow(**{name: column[place] for name, column in self.columns.items()})

    def __iter__(self) -> Iterator[WorklistRow]:
        names = WorklistRow.__dataclass_fields__
        return map(WorklistRow, *(self.columns[name] for name in names))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))


@dataclass(frozen=True, slots=True)
class Worklist:
    """Rows to check, and in `head` the lines that tell the judge what to decide.

    `path` is the file it was read from, "" for one that was made; it does not count in `==`.
    """

    rows: Sequence[WorklistRow]
    head: tuple[str, ...] = ()
    path: str = field(default="", compare=False)

    def column(self, name: str) -> Sequence[Any]:
        """What all rows have in a column."""
        if isinstance(self.rows, RowsRead):
            return self.rows.columns[name]
        return [getattr(row, name) for row in self.rows]

    def with_verdicts(self, verdicts: Sequence[str]) -> Worklist:
        """The same list with another verdict in each row."""
        if isinstance(self.rows, RowsRead):
            return replace(self, rows=RowsRead({**self.rows.columns, "verdict": verdicts}))
        rows = (replace(row, verdict=verdict) for row, verdict in zip(self.rows, verdicts, strict=True))
        return replace(self, rows=tuple(rows))
