"""The share of suspicious repeats that hold an error, over their length."""

from __future__ import annotations

from functools import partial

from karat.gold.errors_set_aside import ErrorsSetAside
from karat.report.draw.svg import (
    Drawing,
    Frame,
    Key,
    colour,
    label,
    line,
    line_and_mark,
    mark,
    safe_stem,
    text_width,
    titled,
)
from karat.result import Cell, Table


def errors_set_aside_figure(result: ErrorsSetAside) -> Drawing:
    """The share of suspicious repeats that hold an error, over their length [Wisniewski & Yvon 2019, Figure 2].

    Above the frame is how many repeats have a length, as far as there is room.
    """
    by_length = result.systems[0].by_length
    frame = Frame(0.0, float(max([7, *(one.length for one in by_length)])), 0.0, 100.0)
    parts = frame.axes("words of the repeat", "% with an error")
    for number, system in enumerate(result.systems):
        points = [(frame.x(one.length), frame.y(100 * one.share)) for one in system.by_length]
        words = f"{system.name}: {len(points)} lengths"
        parts.append(titled(words, line(points, colour(number), width=2, dashed=number % 2 == 1)))
        for (x, y), one in zip(points, system.by_length, strict=True):
            said = f"{system.name}: {one.length} words, {one.with_error:,} of {one.repeats:,} repeats with an error"
            parts.append(titled(said, mark(number, x, y)))
    parts += _counts(frame, [(one.length, one.repeats) for one in by_length])
    keys: list[Key] = [(partial(line_and_mark, number), one.name) for number, one in enumerate(result.systems)]
    title = f"Suspicious repeats with an error, by length ({result.heuristic})"
    svg = frame.drawing_with_keys(title, parts, keys)
    return Drawing(safe_stem(f"errors-set-aside-{result.heuristic}"), title, svg, _table(result, title))


def _counts(frame: Frame, repeats: list[tuple[int, int]]) -> list[str]:
    """How many repeats have a length; numbers that would touch the one before are left out."""
    parts, end = [label(frame.left, frame.top - 16, "repeats:", anchor="end")], frame.left
    for length, count in repeats:
        x, half = frame.x(length), text_width(f"{count:,}") / 2
        if x - half > end + 6 and x + half < frame.right + 30:
            parts.append(label(x, frame.top - 16, f"{count:,}", anchor="middle"))
            end = x + half
    return parts


def _table(result: ErrorsSetAside, title: str) -> Table:
    rows: list[list[Cell]] = [
        [system.name, one.length, one.repeats, one.with_error, 100 * one.share]
        for system in result.systems
        for one in system.by_length
    ]
    return Table(["system", "words", "repeats", "with an error", "%"], rows, title, n_keys=2)
