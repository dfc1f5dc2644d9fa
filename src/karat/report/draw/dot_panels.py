"""Several values for each of some names, with a line to compare them with, a panel for each group.

As Figure 3 of Wisniewski & Yvon 2019, with marks in place of bars: their shapes tell as much as their colours.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from karat.report.draw.svg import Frame, drawing, label, line, mark, mark_legend, text_width, titled

_HEIGHT, _LEFT, _RIGHT, _ABOVE = 190, 70, 95, 46
_LEAN = 35  # degrees, of names below
_OF_MARK = 11  # between the marks of a name
_ACROSS = 2  # panels beside each other


@dataclass(frozen=True, slots=True)
class Panel:
    """Values of each series by name [names × series], and the line; values are in the unit of the axis."""

    title: str
    values: Mapping[str, Sequence[float]]
    line: float | None


def dot_panels(panels: Sequence[Panel], series: Sequence[str], *, title: str, y_name: str, line_name: str) -> str:
    """The panels, two beside each other, each with its own scale from 0; what the marks mean is said below."""
    names = [name for panel in panels for name in panel.values]
    lean = math.radians(_LEAN)
    below = 24 + math.sin(lean) * max(map(text_width, names))
    most = max(len(panel.values) for panel in panels)
    width = max(most * (_OF_MARK * len(series) + 26), 240, *(text_width(panel.title) - _RIGHT for panel in panels))
    wide, high = _LEFT + width + _RIGHT, _ABOVE + _HEIGHT + below
    parts: list[str] = []
    for number, panel in enumerate(panels):
        top, left = number // _ACROSS * high, number % _ACROSS * wide
        highest = max([*(value for of_name in panel.values.values() for value in of_name), panel.line or 0.0, 1e-9])
        frame = Frame(0.0, len(panel.values), 0.0, 1.08 * highest, left + _LEFT, top + _ABOVE, width, _HEIGHT)
        parts += _panel(frame, panel, series, y_name, line_name)
    bottom = math.ceil(len(panels) / _ACROSS) * high + 10
    parts += mark_legend(_LEFT, bottom, series)
    end = bottom + 20 * len(series)
    parts += [line([(_LEFT, end + 6), (_LEFT + 18, end + 6)], "#c00", width=2, dashed=True)]
    parts.append(label(_LEFT + 26, end + 11, line_name))
    return drawing(min(len(panels), _ACROSS) * wide, end + 34, title, parts)


def _panel(frame: Frame, panel: Panel, series: Sequence[str], y_name: str, line_name: str) -> list[str]:
    bottom, right = frame.top + frame.height, frame.left + frame.width
    parts = [*frame.axes("", y_name, x_ticks=False), label(frame.left, frame.top - 16, panel.title)]
    for place, (name, values) in enumerate(panel.values.items()):
        middle = frame.x(place + 0.5)
        parts.append(_leaning(middle, bottom + 16, name))
        for number, value in enumerate(values):
            x = middle + _OF_MARK * (number - (len(values) - 1) / 2)
            stem = line([(x, bottom), (x, frame.y(value))], "#bbb")
            words = f"{panel.title}, {name}: {series[number]} {value:.2f}"
            parts.append(titled(words, stem, mark(number, x, frame.y(value))))
    if panel.line is not None:
        y = frame.y(panel.line)
        drawn = line([(frame.left, y), (right, y)], "#c00", width=2, dashed=True)
        parts.append(titled(f"{panel.title}: {line_name} {panel.line:.2f}", drawn))
        parts.append(label(right + 5, y + 4, f"own: {panel.line:.2f}"))
    return parts


def _leaning(x: float, y: float, name: str) -> str:
    return f'<g transform="rotate(-{_LEAN} {x:.1f} {y:.1f})">{label(x, y, name, anchor="end")}</g>'
