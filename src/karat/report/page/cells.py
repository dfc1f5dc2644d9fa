"""Tables of a page: cells with what is shown, the number behind it, and the sentences that it leads to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from karat.evaluation.plain_words import shown_p
from karat.report.cells import shown_cell
from karat.result import Best, Cell, Table


@dataclass(frozen=True, slots=True)
class PageCell:
    """What is shown; `value` is the number as JSON has it, `list` the sentences it leads to, `words` what it says."""

    text: str
    value: float | None = None
    list: str = ""
    words: str = ""
    is_best: bool = False

    @property
    def is_number(self) -> bool:
        return self.value is not None


@dataclass(frozen=True, slots=True)
class PageTable:
    """Rows of cells under columns; `size_column` is the place of n, by which tables of groups can be filtered."""

    id: str
    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[PageCell]]
    notes: Sequence[str] = ()
    size_column: int | None = None
    is_open: bool = True  # else it is shown on demand
    kind = "table"

    @property
    def heads(self) -> list[tuple[str, bool]]:
        """The columns' names, each with whether there are numbers below it."""
        return [(name, any(row[place].is_number for row in self.rows)) for place, name in enumerate(self.columns)]

    @property
    def is_long(self) -> bool:
        """Whether it is worth fields to filter it by."""
        return len(self.rows) > 8


def text_cell(text: object, words: str = "", *, to: str = "") -> PageCell:
    """A cell of words; what is missing is a dash."""
    return PageCell("–" if text is None or text == "" else str(text), None, to, words)


def number_cell(
    value: float | None, factor: float = 100, places: int = 2, *, to: str = "", best: bool = False
) -> PageCell:
    """A number, in percent unless another factor is given."""
    if value is None:
        return PageCell("–")
    return PageCell(f"{factor * value:.{places}f}".replace("-", "−"), value, to, is_best=best)


def count_cell(value: float | None, *, to: str = "") -> PageCell:
    """How many."""
    if value is None:
        return PageCell("–")
    return PageCell(f"{value:,.0f}" if float(value).is_integer() else f"{value:,.2f}", value, to)


def difference_cell(value: float | None, factor: float = 100, *, to: str = "") -> PageCell:
    """A difference, with its sign."""
    if value is None:
        return PageCell("–")
    return PageCell(f"{factor * value:+.2f}".replace("-", "−"), value, to)


def interval_cell(
    lower: float | None,
    upper: float | None,
    factor: float = 100,
    places: int = 2,
    *,
    signed: bool = False,
    is_one_sided: bool = False,
) -> PageCell:
    """An interval; it sorts by its lower end. Of one that is one-sided, as where all is right, the one end."""
    if lower is None or upper is None:
        return PageCell("–")
    if is_one_sided:
        sign, end = ("≥", lower) if upper == 1 else ("≤", upper)
        words = "one-sided: nothing varies, so clusters count as units"
        return PageCell(f"{sign} {factor * end:.{places}f}", lower, words=words)
    how = f"{'+' * signed}.{places}f"
    between = " … " if signed else "–"
    ends = (f"{factor * end:{how}}".replace("-", "−") for end in (lower, upper))
    return PageCell(between.join(ends), lower)


def p_cell(p: float | None) -> PageCell:
    """A p value."""
    return PageCell("–") if p is None else PageCell(shown_p(p).removeprefix("p = ").removeprefix("p "), p)


def plain_table(id: str, table: Table, *, is_open: bool = True) -> PageTable:
    """A table for people as a table of a page; numbers keep their value, so that they sort."""
    rows = [[_plain(cell) for cell in row] for row in table.rows]
    return PageTable(id, table.title, table.columns, rows, [one for one in table.notes if one], is_open=is_open)


def _plain(cell: Cell) -> PageCell:
    shown = shown_cell(cell)
    value = float(cell) if isinstance(cell, int | float) and not isinstance(cell, bool) else _number(shown)
    return PageCell(shown, value, is_best=isinstance(cell, Best))


def _number(text: str) -> float | None:
    """The number that a text is, as `1,234`, `−0.35`, `12 %` or `0.6*`."""
    bare = text.replace(",", "").replace("−", "-").rstrip(" %*†").strip()
    try:
        return float(bare)
    except ValueError:
        return None
