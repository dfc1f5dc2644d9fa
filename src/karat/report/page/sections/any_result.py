"""Any other result: its numbers in a table, its lists of rows in tables of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from karat.report.page.cells import PageCell, PageTable, text_cell
from karat.report.page.error_lists import anchor
from karat.report.page.parts import Block
from karat.report.page.sentence_sets import SentenceSet

_SAID = ("schema", "signature", "command", "headline", "warnings")
_MOST_ROWS = 500


def any_blocks(id: str, result: Mapping[str, Any], _: Sequence[SentenceSet | None] = ()) -> list[Block]:
    """Plain values in one table; each list of rows in its own."""
    plain = {name: value for name, value in result.items() if name not in _SAID and _is_plain(value)}
    rows = [[text_cell(name.replace("_", " ")), value_cell(value)] for name, value in plain.items()]
    blocks: list[Block] = [PageTable(f"{id}-values", "Summary", ["", "value"], rows)] if rows else []
    for name, value in result.items():
        if isinstance(value, list) and value and all(isinstance(one, Mapping) for one in value):
            blocks.append(rows_table(f"{id}-{anchor(name)}", name.replace("_", " "), value))
    return blocks


def rows_table(id: str, title: str, rows: Sequence[Mapping[str, Any]]) -> PageTable:
    """Rows of plain values; what is nested in them is left to JSON."""
    columns = [name for name in dict.fromkeys(name for row in rows for name in row) if _has_plain(name, rows)]
    cells = [[value_cell(row.get(name)) for name in columns] for row in rows[:_MOST_ROWS]]
    notes = [f"The first {_MOST_ROWS} of {len(rows):,}."] if len(rows) > _MOST_ROWS else []
    return PageTable(id, title.capitalize(), [name.replace("_", " ") for name in columns], cells, notes)


def _has_plain(name: str, rows: Sequence[Mapping[str, Any]]) -> bool:
    return all(_is_plain(row.get(name)) for row in rows) and any(row.get(name) is not None for row in rows)


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, str | int | float)


def value_cell(value: Any) -> PageCell:
    """A plain value as it is."""
    if isinstance(value, bool):
        return PageCell("yes" if value else "no")
    if isinstance(value, int):
        return PageCell(f"{value:,}", value)
    if isinstance(value, float):
        return PageCell(f"{value:.4g}".replace("-", "−"), value)
    return text_cell(value)
