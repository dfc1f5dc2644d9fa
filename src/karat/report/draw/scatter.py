"""Points by two numbers, in groups that differ in shape and colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from karat.report.draw.svg import Frame, drawing, label, line, mark, mark_legend, titled


@dataclass(frozen=True, slots=True)
class Dot:
    """A point, its group, and what it says."""

    x: float
    y: float
    group: str
    words: str


def scatter(
    dots: Sequence[Dot], *, title: str, axes: tuple[str, str], above: str = "", has_diagonal: bool = False
) -> str:
    """The points in a frame from 0, `above` it a line of words; the diagonal is where both numbers are the same."""
    groups = list(dict.fromkeys(one.group for one in dots))
    x, y = (1.06 * max([*values, 0.0]) or 1.0 for values in ([one.x for one in dots], [one.y for one in dots]))
    x, y = (max(x, y), max(x, y)) if has_diagonal else (x, y)
    frame = Frame(0.0, x, 0.0, y)
    parts = frame.axes(*axes)
    if above:
        parts.append(label(frame.left, frame.top - 14, above))
    if has_diagonal:
        parts.append(line(frame.along((0.0, x), (0.0, y)), "#777", dashed=True))
    parts += [titled(one.words, mark(groups.index(one.group), frame.x(one.x), frame.y(one.y))) for one in dots]
    bottom = frame.top + frame.height + 60
    legend = mark_legend(frame.left, bottom, groups)
    return drawing(frame.left + frame.width + 30, bottom + 20 * len(groups) + 15, title, [*parts, *legend])
