"""Several values for each of some names, with a line to compare them with, a panel for each group.

As Figure 3 of Wisniewski & Yvon 2019, with marks in place of bars: their shapes tell as much as their colours.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from karat.report.draw.svg import (
    GRID,
    INK,
    ROW,
    Drawing,
    Frame,
    drawing,
    fitted,
    key_legend,
    label,
    legend_room,
    line,
    mark,
    mark_legend,
    path,
    safe_stem,
    text_width,
    titled,
    turned,
)
from karat.result import Cell, Table

_HEIGHT, _LEFT, _RIGHT, _ABOVE = 190, 70, 95, 46
_LEAN = 35  # degrees, of names below
_WIDEST_NAME = 170
_OF_MARK = 11  # between the marks of a name
_ACROSS = 2  # panels beside each other


@dataclass(frozen=True, slots=True)
class Panel:
    """Values of each series by name [names × series], and the line; values are in the unit of the axis."""

    title: str
    values: Mapping[str, Sequence[float]]
    line: float | None


def dot_panels(
    panels: Sequence[Panel],
    series: Sequence[str],
    *,
    title: str,
    y_name: str,
    line_name: str,
    name: str = "panels",
) -> Drawing:
    """The panels, two beside each other, each with its own scale from 0; what the marks mean is said below."""
    lean = math.radians(_LEAN)
    longest = max(text_width(fitted(one, _WIDEST_NAME)) for panel in panels for one in panel.values)
    below = 24 + math.sin(lean) * longest
    most, slot = max(len(panel.values) for panel in panels), _OF_MARK * len(series) + 26
    width = max(most * slot, 240, *(min(text_width(panel.title), 420) - _RIGHT for panel in panels))
    left_of = max(_LEFT, math.cos(lean) * longest - slot / 2 + 20)  # the first name leans out to the left
    wide, high = left_of + width + _RIGHT, _ABOVE + _HEIGHT + below
    parts: list[str] = []
    for number, panel in enumerate(panels):
        top, left = number // _ACROSS * high, number % _ACROSS * wide
        highest = max([*(value for of_name in panel.values.values() for value in of_name), panel.line or 0.0, 1e-9])
        frame = Frame(0.0, len(panel.values), 0.0, 1.08 * highest, left + left_of, top + _ABOVE, width, _HEIGHT)
        parts += _panel(frame, panel, series, y_name, line_name)
    bottom = math.ceil(len(panels) / _ACROSS) * high + 10
    whole = min(len(panels), _ACROSS) * wide
    room = legend_room([*series, line_name], whole - _LEFT - 10)
    parts += mark_legend(_LEFT, bottom, series, room=room)
    end = bottom + ROW * len(series)
    parts += key_legend(_LEFT, end, [(_dashes, line_name)], room=room)
    svg = drawing(max(whole, _LEFT + room + 10), end + 34, title, parts)
    return Drawing(safe_stem(name), title, svg, _table(panels, series, title, line_name))


def _dashes(x: float, y: float) -> str:
    return line([(x - 9, y), (x + 9, y)], INK, width=2, dashed=True)


def _panel(frame: Frame, panel: Panel, series: Sequence[str], y_name: str, line_name: str) -> list[str]:
    parts = frame.axes("", y_name, x_ticks=False)
    parts.append(label(frame.left, frame.top - 16, panel.title, room=frame.width + _RIGHT))
    for place, (name, values) in enumerate(panel.values.items()):
        middle = frame.x(place + 0.5)
        parts.append(turned(middle, frame.bottom + 16, name, -_LEAN, anchor="end", room=_WIDEST_NAME))
        for number, value in enumerate(values):
            x = middle + _OF_MARK * (number - (len(values) - 1) / 2)
            stem = path([[(x, frame.bottom), (x, frame.y(value))]], GRID)
            words = f"{panel.title}, {name}: {series[number]} {value:.2f}"
            parts.append(titled(words, stem, mark(number, x, frame.y(value))))
    if panel.line is not None:
        y = frame.y(panel.line)
        drawn = line([(frame.left, y), (frame.right, y)], INK, width=2, dashed=True)
        parts.append(titled(f"{panel.title}: {line_name} {panel.line:.2f}", drawn))
        parts.append(label(frame.right + 5, y + 4, f"own: {panel.line:.2f}"))
    return parts


def _table(panels: Sequence[Panel], series: Sequence[str], title: str, line_name: str) -> Table:
    rows: list[list[Cell]] = [
        [panel.title, name, *values, panel.line] for panel in panels for name, values in panel.values.items()
    ]
    return Table(["panel", "name", *series, line_name], rows, title, n_keys=2)
