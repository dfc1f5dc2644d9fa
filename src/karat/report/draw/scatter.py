"""Points by two numbers, in groups that differ in shape and colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from karat.report.draw.svg import (
    MUTED,
    Drawing,
    Frame,
    Key,
    label,
    line,
    mark,
    safe_stem,
    titled,
)
from karat.result import Cell, Table


@dataclass(frozen=True, slots=True)
class Dot:
    """A point, its group, and what it says."""

    x: float
    y: float
    group: str
    words: str


def scatter(
    dots: Sequence[Dot],
    *,
    title: str,
    axes: tuple[str, str],
    above: str = "",
    has_diagonal: bool = False,
    name: str = "scatter",
) -> Drawing:
    """The points in a frame from 0, `above` it a line of words; the diagonal is where both numbers are the same."""
    groups = list(dict.fromkeys(one.group for one in dots))
    x, y = (1.06 * max([*values, 0.0]) or 1.0 for values in ([one.x for one in dots], [one.y for one in dots]))
    x, y = (max(x, y), max(x, y)) if has_diagonal else (x, y)
    frame = Frame(0.0, x, 0.0, y)
    parts = frame.axes(*axes)
    if above:
        parts.append(label(frame.left, frame.top - 14, above, room=frame.width))
    if has_diagonal:
        parts.append(line(frame.along((0.0, x), (0.0, y)), MUTED, dashed=True))
    parts += [titled(one.words, mark(groups.index(one.group), frame.x(one.x), frame.y(one.y))) for one in dots]
    keys: list[Key] = [(partial(mark, number), group) for number, group in enumerate(groups)]
    svg = frame.drawing_with_keys(title, parts, keys)
    rows: list[list[Cell]] = [[one.group, one.x, one.y, one.words] for one in dots]
    return Drawing(safe_stem(name), title, svg, Table(["group", *axes, "point"], rows, title))
