"""Tables from their columns: what each is called, and what it shows of an item."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from karat.result import Cell, Table

Item = TypeVar("Item")
Column = tuple[str, Callable[[Item], Cell]]


def table_of(
    items: Iterable[Item],
    columns: Sequence[Column[Item]],
    title: str = "",
    notes: Sequence[str] = (),
    *,
    optional: Sequence[str] = (),
    if_known: Collection[str] = (),
    n_keys: int = 1,
) -> Table:
    """A row for each item; the columns named in `if_known` only if some item has a cell there."""
    rows = [[cell(one) for _, cell in columns] for one in items]
    return without_unknown(Table([name for name, _ in columns], rows, title, notes, optional, n_keys=n_keys), if_known)


def without_unknown(table: Table, names: Collection[str]) -> Table:
    """The table without those of the columns named whose cells are all None."""
    return chosen(
        table,
        [
            place
            for place, name in enumerate(table.columns)
            if name not in names or any(row[place] is not None for row in table.rows)
        ],
    )


def chosen(table: Table, places: Sequence[int]) -> Table:
    """The table with the columns at these places only."""
    columns = [table.columns[place] for place in places]
    return replace(table, columns=columns, rows=[[row[place] for place in places] for row in table.rows])
