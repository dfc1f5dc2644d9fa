"""Tables of numbers as coloured squares, as in Figure 1 of Wisniewski & Yvon 2019."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping, Sequence

from karat.gold.divergence.divergence_results import Divergences
from karat.report.divergence import SHOWN_FEATURES
from karat.report.draw.svg import drawing, label, rectangle

_WIDTH, _HEIGHT = 62, 34
_LONGEST = 28
_OF_CHARACTER = 7.6  # the width of a common character of the font's size, generously
_LIGHT, _STRONG = (246, 250, 253), (86, 180, 233)  # black figures can be read on both
_ABOVE_MATRIX = 34


Shares = Sequence[Sequence[float | None]]  # a table of them; None is an empty square


def divergence_figure(result: Divergences) -> str:
    """How well corpora are told apart, a table for each set of features."""
    panels = {}
    for name in result.features:
        found = [[result.cell(train, test, name) for test in result.columns] for train in result.rows]
        values = [[None if one is None else one.accuracy for one in row] for row in found]
        panels[f"told apart by {SHOWN_FEATURES[name]}"] = values
    names = ("", "") if result.is_symmetric else ("train", "test")
    return heat_map(panels, result.rows, result.columns, title="How well corpora are told apart", axes=names)


def heat_map(
    panels: Mapping[str, Shares], rows: Sequence[str], columns: Sequence[str], *, title: str, axes: tuple[str, str]
) -> str:
    """Tables by title, below one another, in % and in one scale of colours, from chance (50) to certainty (100)."""
    shown_rows, shown_columns = [_cut(name) for name in rows], [_cut(name) for name in columns]
    left = 30 + max(_width(name) for name in (*shown_rows, axes[0]))
    slope = math.sin(math.radians(40))
    longest = max(map(_width, shown_columns))
    above = _ABOVE_MATRIX + 20 + slope * longest
    height = above + _HEIGHT * len(rows) + 20
    parts: list[str] = []
    for number, (name, table) in enumerate(panels.items()):
        top = 10 + number * height
        parts.append(label(15, top + 18, name))
        parts += _names(shown_rows, shown_columns, left, top + above, axes)
        for row, values in enumerate(table):
            for column, value in enumerate(values):
                parts += _square(left + _WIDTH * column, top + above + _HEIGHT * row, value)
    bottom = 10 + len(panels) * height
    parts += _scale(15, bottom)
    # the last column's name leans out to the right
    wide = max(left + _WIDTH * len(columns) + longest * math.cos(math.radians(40)), 330)
    return drawing(round(wide + 20), round(bottom + 60), title, parts)


def _names(rows: Sequence[str], columns: Sequence[str], left: float, top: float, axes: tuple[str, str]) -> list[str]:
    parts = [label(left - 10, top + _HEIGHT * (row + 0.5) + 5, name, anchor="end") for row, name in enumerate(rows)]
    for column, name in enumerate(columns):
        x, y = left + _WIDTH * (column + 0.5), top - 8
        parts.append(f'<g transform="rotate(-40 {x:.1f} {y:.1f})">{label(x, y, name)}</g>')
    if any(axes):
        parts.append(label(left - 10, top - 8, f"{axes[0]} ↓  {axes[1]} →", anchor="end"))
    return parts


def _square(x: float, y: float, value: float | None) -> list[str]:
    fill, text = ("#eee", "–") if value is None else (_colour(value), f"{100 * value:.1f}")
    return [
        rectangle(x, y, _WIDTH - 2, _HEIGHT - 2, fill),
        label(x + _WIDTH / 2 - 1, y + _HEIGHT / 2 + 4, text, anchor="middle"),
    ]


def _colour(value: float) -> str:
    share = min(max(2 * value - 1, 0.0), 1.0)
    return "#" + "".join(f"{round(a + share * (b - a)):02x}" for a, b in zip(_LIGHT, _STRONG, strict=True))


def _scale(x: float, y: float) -> list[str]:
    parts = [rectangle(x + 24 * step, y, 24, 12, _colour(0.5 + step / 20)) for step in range(11)]
    parts.append(label(x, y + 30, "50 %, chance"))
    parts.append(label(x + 24 * 11, y + 30, "100 %", anchor="end"))
    return parts


def _cut(name: str) -> str:
    """A name that leaves room for the table; of a long one the end tells more than the beginning."""
    name = "".join(one for one in name if one.isprintable())
    return name if len(name) <= _LONGEST else "…" + name[1 - _LONGEST :]


def _width(text: str) -> float:
    n_wide = sum(unicodedata.east_asian_width(one) in "WF" for one in text)
    return _OF_CHARACTER * (len(text) + 0.8 * n_wide)
