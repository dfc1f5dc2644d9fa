"""Tables of numbers as coloured squares, as in Figure 1 of Wisniewski & Yvon 2019."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from karat.gold.divergence.divergence_results import Divergences
from karat.report.divergence import SHOWN_FEATURES
from karat.report.draw.svg import (
    COLOURS,
    GRID,
    Drawing,
    drawing,
    fitted,
    label,
    rectangle,
    safe_stem,
    text_width,
    titled,
    turned,
)
from karat.result import Cell, Table

_WIDTH, _HEIGHT = 62, 34
_LONGEST = 28
_WIDEST_NAME = 230
_LEAN = 40  # degrees, of columns' names
_FILL, _LIGHT, _STRONG = COLOURS[5], 0.06, 0.9  # a colour and its opacities: figures can be read on both
_ABOVE_MATRIX = 34


Shares = Sequence[Sequence[float | None]]  # a table of them; None is an empty square


@dataclass(frozen=True, slots=True)
class ColourScale:
    """What the faintest and the strongest colour stand for, as shares and in words."""

    low: float
    high: float
    low_words: str
    high_words: str

    def opacity(self, value: float) -> float:
        width = self.high - self.low
        share = min(max((value - self.low) / width, 0.0), 1.0) if width else 0.0
        return round(_LIGHT + share * (_STRONG - _LIGHT), 2)


FROM_CHANCE = ColourScale(0.5, 1.0, "50 %, chance", "100 %")


def divergence_figure(result: Divergences) -> Drawing:
    """How well corpora are told apart, a table for each set of features."""
    panels = {}
    for name in result.features:
        found = [[result.cell(train, test, name) for test in result.columns] for train in result.rows]
        values = [[None if one is None else one.accuracy for one in row] for row in found]
        panels[f"told apart by {SHOWN_FEATURES[name]}"] = values
    names = ("", "") if result.is_symmetric else ("train", "test")
    title = "How well corpora are told apart"
    return heat_map(panels, result.rows, result.columns, title=title, axes=names, name="divergence")


def heat_map(
    panels: Mapping[str, Shares],
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    title: str,
    axes: tuple[str, str],
    scale: ColourScale = FROM_CHANCE,
    words: Mapping[str, Sequence[Sequence[str]]] | None = None,
    name: str = "heat-map",
) -> Drawing:
    """Tables by title, below one another, in % and in one scale of colours: by default from chance to certainty.

    `words` say of each square what it is, by the same titles.
    """
    shown_rows, shown_columns = [_cut(one) for one in rows], [_cut(one) for one in columns]
    left = 30 + max(text_width(one) for one in (*shown_rows, _corner(axes)))
    lean = math.radians(_LEAN)
    longest = max(map(text_width, shown_columns))
    above = _ABOVE_MATRIX + 20 + math.sin(lean) * longest
    height = above + _HEIGHT * len(rows) + 20
    wide = round(max(left + _WIDTH * len(columns) + longest * math.cos(lean), 330) + 20)  # the last name leans out
    parts: list[str] = []
    for number, (panel, table) in enumerate(panels.items()):
        top = 10 + number * height
        parts.append(label(15, top + 18, panel, room=wide - 30))
        parts += _names(shown_rows, shown_columns, left, top + above, axes)
        for row, values in enumerate(table):
            for column, value in enumerate(values):
                shown = "not known" if value is None else f"{100 * value:.1f} %"
                said = words[panel][row][column] if words else f"{panel}: {rows[row]}, {columns[column]}: {shown}"
                parts.append(_square(left + _WIDTH * column, top + above + _HEIGHT * row, value, scale, said))
    bottom = 10 + len(panels) * height
    svg = drawing(wide, round(bottom + 60), title, [*parts, *_scale(15, bottom, scale)])
    return Drawing(safe_stem(name), title, svg, _table(panels, rows, columns, title, axes))


def _table(
    panels: Mapping[str, Shares], rows: Sequence[str], columns: Sequence[str], title: str, axes: tuple[str, str]
) -> Table:
    """A row for each row of each panel, in %."""
    cells: list[list[Cell]] = [
        [panel, name, *(None if value is None else 100 * value for value in values)]
        for panel, table in panels.items()
        for name, values in zip(rows, table, strict=True)
    ]
    return Table(["in %", axes[0] or "corpus", *columns], cells, title, n_keys=2)


def _names(rows: Sequence[str], columns: Sequence[str], left: float, top: float, axes: tuple[str, str]) -> list[str]:
    parts = [label(left - 10, top + _HEIGHT * (row + 0.5) + 5, name, anchor="end") for row, name in enumerate(rows)]
    for column, name in enumerate(columns):
        parts.append(turned(left + _WIDTH * (column + 0.5), top - 8, name, -_LEAN, anchor="start"))
    return [*parts, label(left - 10, top - 8, _corner(axes), anchor="end")] if any(axes) else parts


def _corner(axes: tuple[str, str]) -> str:
    """What rows and columns are, if they are named."""
    return f"{axes[0]} ↓  {axes[1]} →" if any(axes) else ""


def _square(x: float, y: float, value: float | None, scale: ColourScale, words: str) -> str:
    fill, opacity, text = (GRID, 1.0, "–") if value is None else (_FILL, scale.opacity(value), f"{100 * value:.1f}")
    square = rectangle(x, y, _WIDTH - 2, _HEIGHT - 2, fill, opacity=opacity)
    return titled(words, square, label(x + _WIDTH / 2 - 1, y + _HEIGHT / 2 + 4, text, anchor="middle"))


def _scale(x: float, y: float, scale: ColourScale) -> list[str]:
    steps = [scale.low + (scale.high - scale.low) * step / 10 for step in range(11)]
    parts = [
        rectangle(x + 24 * place, y, 24, 12, _FILL, opacity=scale.opacity(value)) for place, value in enumerate(steps)
    ]
    parts.append(label(x, y + 30, scale.low_words))
    parts.append(label(x + 24 * 11, y + 30, scale.high_words, anchor="end"))
    return [f'<g class="key">{"".join(parts)}</g>']


def _cut(name: str) -> str:
    """A name that leaves room for the table; of a long one the end tells more than the beginning."""
    name = "".join(one for one in name if one.isprintable())
    return fitted(name if len(name) <= _LONGEST else "…" + name[1 - _LONGEST :], _WIDEST_NAME)
