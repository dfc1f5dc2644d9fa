"""Curves of several series over a number: marks, lines, and intervals as whiskers or bands, each mark with its words.

Scores over the length of sentences, learning curves, shares over the length of repeats.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from karat.report.draw.svg import (
    Drawing,
    Frame,
    Key,
    colour,
    label,
    line,
    line_and_mark,
    mark,
    polygon,
    safe_stem,
    titled,
    whisker,
    widened,
)
from karat.result import Cell, Table


@dataclass(frozen=True, slots=True)
class Point:
    """A value at x, with the ends of its interval, if it has one, and what it says."""

    x: float
    y: float
    lower: float | None
    upper: float | None
    words: str


@dataclass(frozen=True, slots=True)
class Series:
    """Points that belong together."""

    name: str
    points: Sequence[Point]


def curves(
    every: Sequence[Series],
    *,
    title: str,
    axes: tuple[str, str],
    ends: tuple[float, float] | None = None,
    above: str = "",
    x_labels: Sequence[tuple[float, str]] | None = None,
    with_bands: bool = False,
    name: str = "curves",
) -> Drawing:
    """All series in one frame, words above and a legend below; `ends` are those of the y axis, found if not given.

    `x_labels` are written at their places below, for ranges such as 1–10 words; numbers are if they are not given.
    Intervals are whiskers, or bands, which are clearer where points are many and series few.
    """
    xs = [point.x for one in every for point in one.points]
    ys = [y for one in every for point in one.points for y in (point.y, point.lower, point.upper) if y is not None]
    low, high = ends or widened(min(ys), max(ys), 0.5)
    frame = Frame(0.0, 1.04 * max(xs) or 1.0, low, high)
    parts = frame.axes(*axes, x_labels=x_labels)
    if above:
        parts.append(label(frame.left, frame.top - 14, above, room=frame.width))
    for number, one in enumerate(every):
        parts += _band(frame, one, number) if with_bands else []
        points = [(frame.x(point.x), frame.y(point.y)) for point in one.points]
        words = f"{one.name}: {len(points)} points"
        parts.append(titled(words, line(points, colour(number), width=2, dashed=number % 2 == 1)))
        for point in one.points:
            interval = "" if with_bands else _whisker(frame, point, number)
            parts.append(titled(f"{one.name}: {point.words}", interval, _mark(frame, point, number)))
    keys: list[Key] = [(partial(line_and_mark, number), one.name) for number, one in enumerate(every)]
    svg = frame.drawing_with_keys(title, parts, keys)
    return Drawing(safe_stem(name), title, svg, _table(every, title, axes))


def _mark(frame: Frame, point: Point, number: int) -> str:
    return mark(number, frame.x(point.x), frame.y(point.y))


def _whisker(frame: Frame, point: Point, number: int) -> str:
    """The interval as a line with two ends, a little beside those of other series."""
    if point.lower is None or point.upper is None:
        return ""
    x = frame.x(point.x) + (number % 4 - 1.5) * 1.5
    low, high = frame.y(max(point.lower, frame.low_y)), frame.y(min(point.upper, frame.high_y))
    return whisker(low, high, x, colour(number), upright=True)


def _band(frame: Frame, one: Series, number: int) -> list[str]:
    """The intervals of a series as one shape, if all points have one."""
    ends = [
        (point.x, max(point.lower, frame.low_y), min(point.upper, frame.high_y))
        for point in one.points
        if point.lower is not None and point.upper is not None
    ]
    if len(ends) < len(one.points):
        return []
    around = [(frame.x(x), frame.y(low)) for x, low, _ in ends]
    around += [(frame.x(x), frame.y(high)) for x, _, high in reversed(ends)]
    return [titled(f"{one.name}: intervals", polygon(around, colour(number), opacity=0.15))]


def _table(every: Sequence[Series], title: str, axes: tuple[str, str]) -> Table:
    has_ends = any(point.lower is not None for one in every for point in one.points)
    rows: list[list[Cell]] = [
        [one.name, point.x, point.y, *([point.lower, point.upper] if has_ends else [])]
        for one in every
        for point in one.points
    ]
    return Table(["series", *axes, *(["lower", "upper"] if has_ends else [])], rows, title, n_keys=2)
