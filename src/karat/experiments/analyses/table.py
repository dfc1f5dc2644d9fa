"""What every analysis of a grid returns: a table of plain numbers, what it says in words, and its headline numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from karat.result import Cell, Result, Table

SCHEMA = "karat/grid-table/1"


@dataclass(frozen=True, eq=False, repr=False)
class GridTable(Result):
    """A table about a grid.

    `verdict` says in sentences what was found, `rows` hold it as plain numbers (shares are between 0 and 1), `summary`
    its headline numbers by name. `level` is that of the intervals.
    """

    name: str
    title: str
    verdict: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    summary: Mapping[str, Cell] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    signature: str = ""
    level: float = 0.95

    def to_dict(self) -> dict[str, Any]:
        """The table as plain data, in the schema karat/grid-table/1."""
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "table": self.name,
            "title": self.title,
            "verdict": list(self.verdict),
            "level": self.level,
            "summary": dict(self.summary),
            "rows": [dict(zip(self.columns, row, strict=True)) for row in self.rows],
            "notes": list(self.notes),
        }

    def records(self) -> Table:
        """The rows."""
        return Table(self.columns, self.rows, self.title, self.notes)

    def column(self, name: str) -> list[Any]:
        """All cells of a column."""
        place = self.columns.index(name)
        return [row[place] for row in self.rows]

    def dicts(self) -> list[dict[str, Any]]:
        """The rows by the names of their columns."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def tidy(columns: Sequence[str], rows: Iterable[Mapping[str, Cell]]) -> tuple[tuple[Cell, ...], ...]:
    """Rows by the names of their columns, as a table has them; what a row does not have is None."""
    return tuple(tuple(row.get(name) for name in columns) for row in rows)
