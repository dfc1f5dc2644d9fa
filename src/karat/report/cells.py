"""What the cells of a table look like, whatever it is written as."""

from __future__ import annotations

import re
from dataclasses import replace

from karat.errors import visible
from karat.result import Best, Cell, Code, Table

_NUMBER = re.compile(r"(< )?[+−-]?\d[\d.,e+−\-–… %±†‡*]*")


def shown_table(table: Table) -> Table:
    """The table with every cell as text, without control characters."""
    return replace(
        table,
        columns=[visible(name) for name in table.columns],
        rows=[[shown_cell(cell) for cell in row] for row in table.rows],
        title=visible(table.title),
        notes=[visible(note) for note in table.notes],
        optional=[visible(name) for name in table.optional],
    )


def shown_cell(cell: Cell) -> str:
    """A cell as text, without control characters."""
    if cell is None:
        return "–"
    if isinstance(cell, (Best, Code)):
        return type(cell)(visible(cell))
    if isinstance(cell, float):
        return f"{cell:.2f}".replace("-", "−")
    return f"{cell:,}" if isinstance(cell, int) else visible(cell)


def is_number(cell: str) -> bool:
    """Whether a cell is set to the right: a number, an interval, or nothing."""
    return cell == "–" or _NUMBER.fullmatch(cell) is not None


def numeric_columns(table: Table) -> list[bool]:
    """Which columns of a table with cells as text have numbers only."""
    return [all(is_number(str(row[place])) for row in table.rows) for place in range(len(table.columns))]
