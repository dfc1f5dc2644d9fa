"""Differences of all pairs of systems in a square, row − column, with what is known about each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from karat.report.draw.svg import (
    COLOURS,
    GRID,
    MUTED,
    ROW,
    Drawing,
    Key,
    drawing,
    fitted_names,
    hatching,
    key_legend,
    label,
    legend_room,
    linked,
    outline,
    paragraph,
    rectangle,
    safe_stem,
    signed,
    text_width,
    titled,
)
from karat.result import Cell, Table

PairVerdict = Literal["better", "worse", "unclear", "equivalent"]

_WIDEST_NAME, _HEIGHT, _TOP = 230, 30, 58
_MOST_WITH_NUMBERS = 16  # systems: with more the symbols alone are shown
_SYMBOL = {"better": "▲", "worse": "▼", "unclear": "·", "equivalent": "≈"}
_WORDS = {
    "better": "the row's system is better",
    "worse": "the row's system is worse",
    "unclear": "no clear winner",
    "equivalent": "equivalent: the difference is too small to matter",
}
_OTHER_WAY: dict[PairVerdict, PairVerdict] = {"better": "worse", "worse": "better"}


@dataclass(frozen=True, slots=True)
class PairDifference:
    """The difference of two systems, row − column, its p, the ends of its interval, and which is better."""

    row: str
    column: str
    difference: float | None
    verdict: PairVerdict
    p: float | None = None
    lower: float | None = None
    upper: float | None = None

    def other_way(self) -> PairDifference:
        """The same pair, column − row."""
        ends = [None if end is None else -end for end in (self.difference, self.upper, self.lower)]
        verdict = _OTHER_WAY.get(self.verdict, self.verdict)
        swapped = replace(self, row=self.column, column=self.row, verdict=verdict)
        return replace(swapped, difference=ends[0], lower=ends[1], upper=ends[2])


def pairwise_matrix(
    systems: Sequence[str],
    pairs: Sequence[PairDifference],
    *,
    measure: str,
    percent: bool = True,
    level: float = 0.95,
    links: Mapping[tuple[str, str], str] | None = None,
) -> Drawing:
    """A cell for each pair, in the order of `systems`; a pair that is given one way is shown both ways.

    Columns are numbered as the rows are, so that names need no room above. With many systems cells have symbols alone:
    the numbers are their titles and in the table. `links` lead from (row, column) to places in the page.
    """
    factor = 100.0 if percent else 1.0
    found = {(one.column, one.row): one.other_way() for one in pairs} | {(one.row, one.column): one for one in pairs}
    title = f"Differences in {measure} between {len(systems)} systems, row − column"
    with_numbers = len(systems) <= _MOST_WITH_NUMBERS
    texts = [_text(one, factor, with_numbers=with_numbers) for one in found.values()]
    width = max([30, *(text_width(text) + 10 for text in texts)])
    names = [f"{number}  {name}" for number, name in enumerate(fitted_names(systems, _WIDEST_NAME), 1)]
    left = 15 + max(map(text_width, names), default=0) + 12
    unit = "percentage points" if percent else "the measure's unit"
    right = left + width * len(systems)
    whole = max(right + 15, 460)
    parts = [label(15, 22, f"{measure}, row − column, in {unit}", room=whole - 30)]
    for row, (name, shown) in enumerate(zip(systems, names, strict=True)):
        y = _TOP + _HEIGHT * row
        of_name = label(left - 10, y + 20, shown, anchor="end")
        parts += [titled(name, of_name), label(left + width * (row + 0.5), _TOP - 8, str(row + 1), anchor="middle")]
        for column, other in enumerate(systems):
            x, one = left + width * column, found.get((name, other))
            drawn = _cell(x, y, width, one, _said(name, other, one, factor, level), factor, with_numbers=with_numbers)
            parts.append(linked((links or {}).get((name, other)), drawn))
    keys = _keys([one.verdict for one in found.values()])
    bottom: float = _TOP + _HEIGHT * len(systems) + 14
    room = legend_room([words for _, words in keys], whole - 30)
    parts += key_legend(15, bottom, keys, room=room)
    bottom += ROW * len(keys)
    if not with_numbers:
        words = "Point at a cell to see its difference and p; the table has all of them."
        lines, bottom = paragraph(15, bottom + 14, words, room)
        parts += lines
    svg = drawing(max(whole, room + 30), bottom + 8, title, parts)
    return Drawing(safe_stem(f"pairs-{measure}"), title, svg, _table(pairs, factor, title))


def _text(one: PairDifference | None, factor: float, *, with_numbers: bool) -> str:
    if one is None:
        return ""
    if not with_numbers:
        return _SYMBOL[one.verdict]
    return f"{_SYMBOL[one.verdict]} {'–' if one.difference is None else signed(factor * one.difference)}"


def _cell(
    x: float, y: float, width: float, one: PairDifference | None, words: str, factor: float, *, with_numbers: bool
) -> str:
    text = _text(one, factor, with_numbers=with_numbers)
    number = label(x + width / 2, y + 20, text, anchor="middle") if text else ""
    verdict = None if one is None else one.verdict
    ground = _ground(x + 1, y + 1, width - 2, _HEIGHT - 2, verdict, hatched=with_numbers)
    return titled(words, ground, number)


def _ground(
    x: float, y: float, width: float, height: float, verdict: PairVerdict | None, *, hatched: bool = True
) -> str:
    """What is behind a symbol; cells of many systems are not `hatched`, or pages would be large."""
    if verdict is None:
        return rectangle(x, y, width, height, GRID, opacity=0.6)
    if verdict == "unclear":
        return outline(x, y, width, height, GRID)
    if verdict == "equivalent":
        return (hatching(x, y, width, height, GRID) if hatched else "") + outline(x, y, width, height, MUTED)
    return rectangle(x, y, width, height, COLOURS[0 if verdict == "better" else 1], opacity=0.3)


def _said(row: str, column: str, one: PairDifference | None, factor: float, level: float) -> str:
    if one is None:
        return row if row == column else f"{row} − {column}: not compared"
    parts = [f"{row} − {column}: " + ("not known" if one.difference is None else signed(factor * one.difference))]
    if one.lower is not None and one.upper is not None:
        parts.append(f"{100 * level:g} % CI {signed(factor * one.lower)} to {signed(factor * one.upper)}")
    parts += [] if one.p is None else [f"p {_p(one.p)}"]
    return ", ".join([*parts, _WORDS[one.verdict]])


def _p(p: float) -> str:
    return "< 0.0001" if p < 0.0001 else f"= {p:.2g}"


def _keys(verdicts: Sequence[PairVerdict]) -> list[Key]:
    """What the symbols that occur mean."""

    def key(verdict: PairVerdict) -> Key:
        def drawn(x: float, y: float) -> str:
            symbol = label(x, y + 5, _SYMBOL[verdict], anchor="middle")
            return _ground(x - 9, y - 8, 18, 16, verdict) + symbol

        return drawn, _WORDS[verdict]

    order: tuple[PairVerdict, ...] = ("better", "worse", "unclear", "equivalent")
    return [key(one) for one in order if one in verdicts]


def _table(pairs: Sequence[PairDifference], factor: float, title: str) -> Table:
    rows: list[list[Cell]] = []
    for one in pairs:
        ends = [None if end is None else factor * end for end in (one.difference, one.lower, one.upper)]
        rows.append([one.row, one.column, *ends, one.p, one.verdict])
    return Table(["row", "column", "row − column", "lower", "upper", "p", "row is"], rows, title, n_keys=2)
