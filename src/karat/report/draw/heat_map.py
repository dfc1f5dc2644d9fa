"""Tables of numbers as coloured squares, as in Figure 1 of Wisniewski & Yvon 2019."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from karat.gold.divergence.divergence_results import Divergences
from karat.report.divergence import SHOWN_FEATURES
from karat.report.draw.svg import drawing, label, rectangle, text_width, titled

_WIDTH, _HEIGHT = 62, 34
_LONGEST = 28
_LIGHT, _STRONG = (246, 250, 253), (86, 180, 233)  # black figures can be read on both
_ABOVE_MATRIX = 34


Shares = Sequence[Sequence[float | None]]  # a table of them; None is an empty square


@dataclass(frozen=True, slots=True)
class ColourScale:
    """What the lightest and the strongest colour stand for, as shares and in words."""

    low: float
    high: float
    low_words: str
    high_words: str

    def colour(self, value: float) -> str:
        width = self.high - self.low
        share = min(max((value - self.low) / width, 0.0), 1.0) if width else 0.0
        return "#" + "".join(f"{round(a + share * (b - a)):02x}" for a, b in zip(_LIGHT, _STRONG, strict=True))


FROM_CHANCE = ColourScale(0.5, 1.0, "50 %, chance", "100 %")


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
    panels: Mapping[str, Shares],
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    title: str,
    axes: tuple[str, str],
    scale: ColourScale = FROM_CHANCE,
    words: Mapping[str, Sequence[Sequence[str]]] | None = None,
) -> str:
    """Tables by title, below one another, in % and in one scale of colours: by default from chance to certainty.

    `words` say of each square what it is, by the same titles.
    """
    shown_rows, shown_columns = [_cut(name) for name in rows], [_cut(name) for name in columns]
    left = 30 + max(text_width(name) for name in (*shown_rows, _corner(axes)))
    slope = math.sin(math.radians(40))
    longest = max(map(text_width, shown_columns))
    above = _ABOVE_MATRIX + 20 + slope * longest
    height = above + _HEIGHT * len(rows) + 20
    parts: list[str] = []
    for number, (name, table) in enumerate(panels.items()):
        top = 10 + number * height
        parts.append(label(15, top + 18, name))
        parts += _names(shown_rows, shown_columns, left, top + above, axes)
        for row, values in enumerate(table):
            for column, value in enumerate(values):
                said = words[name][row][column] if words else ""
                parts.append(_square(left + _WIDTH * column, top + above + _HEIGHT * row, value, scale, said))
    bottom = 10 + len(panels) * height
    parts += _scale(15, bottom, scale)
    # the last column's name leans out to the right
    wide = max(left + _WIDTH * len(columns) + longest * math.cos(math.radians(40)), 330)
    return drawing(round(wide + 20), round(bottom + 60), title, parts)


def _names(rows: Sequence[str], columns: Sequence[str], left: float, top: float, axes: tuple[str, str]) -> list[str]:
    parts = [label(left - 10, top + _HEIGHT * (row + 0.5) + 5, name, anchor="end") for row, name in enumerate(rows)]
    for column, name in enumerate(columns):
        x, y = left + _WIDTH * (column + 0.5), top - 8
        parts.append(f'<g transform="rotate(-40 {x:.1f} {y:.1f})">{label(x, y, name)}</g>')
    return [*parts, label(left - 10, top - 8, _corner(axes), anchor="end")] if any(axes) else parts


def _corner(axes: tuple[str, str]) -> str:
    """What rows and columns are, if they are named."""
    return f"{axes[0]} ↓  {axes[1]} →" if any(axes) else ""


def _square(x: float, y: float, value: float | None, scale: ColourScale, words: str) -> str:
    fill, text = ("#eee", "–") if value is None else (scale.colour(value), f"{100 * value:.1f}")
    square = rectangle(x, y, _WIDTH - 2, _HEIGHT - 2, fill)
    number = label(x + _WIDTH / 2 - 1, y + _HEIGHT / 2 + 4, text, anchor="middle")
    return titled(words, square, number) if words else square + number


def _scale(x: float, y: float, scale: ColourScale) -> list[str]:
    steps = [scale.low + (scale.high - scale.low) * step / 10 for step in range(11)]
    parts = [rectangle(x + 24 * place, y, 24, 12, scale.colour(value)) for place, value in enumerate(steps)]
    parts.append(label(x, y + 30, scale.low_words))
    parts.append(label(x + 24 * 11, y + 30, scale.high_words, anchor="end"))
    return parts


def _cut(name: str) -> str:
    """A name that leaves room for the table; of a long one the end tells more than the beginning."""
    name = "".join(one for one in name if one.isprintable())
    return name if len(name) <= _LONGEST else "…" + name[1 - _LONGEST :]
