"""Curves of several series over a number: marks, lines and whiskers, each mark with its own words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from karat.report.draw.svg import Frame, colour, drawing, label, line, mark, mark_legend, titled


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
) -> str:
    """All series in one frame, words above and a legend below; `ends` are those of the y axis, found if not given."""
    xs = [point.x for one in every for point in one.points]
    ys = [y for one in every for point in one.points for y in (point.y, point.lower, point.upper) if y is not None]
    low, high = ends or (min(ys) - _margin(ys), max(ys) + _margin(ys))
    frame = Frame(0.0, 1.04 * max(xs), low, high)
    parts = frame.axes(*axes)
    if above:
        parts.append(label(frame.left, frame.top - 14, above))
    for number, one in enumerate(every):
        points = [(frame.x(point.x), frame.y(point.y)) for point in one.points]
        parts.append(line(points, colour(number), width=2, dashed=number % 2 == 1))
        for point in one.points:
            parts.append(
                titled(f"{one.name}: {point.words}", *_whisker(frame, point, number), _mark(frame, point, number))
            )
    bottom = frame.top + frame.height + 60
    legend = mark_legend(frame.left, bottom, [one.name for one in every])
    return drawing(frame.left + frame.width + 30, bottom + 20 * len(every) + 15, title, [*parts, *legend])


def _margin(values: Sequence[float]) -> float:
    return max(0.05 * (max(values) - min(values)), 0.5)


def _mark(frame: Frame, point: Point, number: int) -> str:
    return mark(number, frame.x(point.x), frame.y(point.y))


def _whisker(frame: Frame, point: Point, number: int) -> list[str]:
    """The interval as a line with two ends, a little beside those of other series."""
    if point.lower is None or point.upper is None:
        return []
    x = frame.x(point.x) + (number % 4 - 1.5) * 1.5
    low, high = frame.y(max(point.lower, frame.low_y)), frame.y(min(point.upper, frame.high_y))
    stroke = colour(number)
    return [line([(x, low), (x, high)], stroke), *(line([(x - 3, y), (x + 3, y)], stroke) for y in (low, high))]
