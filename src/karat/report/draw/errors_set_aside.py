"""The share of suspicious repeats that hold an error, over their length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from karat.gold.errors_set_aside import ErrorsSetAside, LengthShare
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
    """The share of suspicious repeats that hold an error, over their length [Wisniewski & Yvon 2019, Figure 2]."""
    return errors_by_length({one.name: one.by_length for one in result.systems}, heuristic=result.heuristic)


def errors_by_length(systems: Mapping[str, Sequence[LengthShare]], *, heuristic: str) -> Drawing:
    """The same from plain numbers: shares by the names of systems, which have the same repeats.

    Above the frame is how many repeats have a length, as far as there is room.
    """
    every = next(iter(systems.values()), ())
    frame = Frame(0.0, float(max([7, *(one.length for one in every)])), 0.0, 100.0)
    parts = frame.axes("words of the repeat", "% with an error")
    for number, (name, by_length) in enumerate(systems.items()):
        points = [(frame.x(one.length), frame.y(100 * one.share)) for one in by_length]
        drawn = line(points, colour(number), width=2, dashed=number % 2 == 1)
        parts.append(titled(f"{name}: {len(points)} lengths", drawn))
        for (x, y), one in zip(points, by_length, strict=True):
            said = f"{name}: {one.length} words, {one.with_error:,} of {one.repeats:,} repeats with an error"
            parts.append(titled(said, mark(number, x, y)))
    parts += _counts(frame, [(one.length, one.repeats) for one in every])
    keys: list[Key] = [(partial(line_and_mark, number), name) for number, name in enumerate(systems)]
    title = f"Suspicious repeats with an error, by length ({heuristic})"
    svg = frame.drawing_with_keys(title, parts, keys)
    return Drawing(safe_stem(f"errors-set-aside-{heuristic}"), title, svg, _table(systems, title))


def _counts(frame: Frame, repeats: list[tuple[int, int]]) -> list[str]:
    """How many repeats have a length; numbers that would touch the one before are left out."""
    parts, end = [label(frame.left, frame.top - 16, "repeats:", anchor="end")], frame.left
    for length, count in repeats:
        x, half = frame.x(length), text_width(f"{count:,}") / 2
        if x - half > end + 6 and x + half < frame.right + 30:
            parts.append(label(x, frame.top - 16, f"{count:,}", anchor="middle"))
            end = x + half
    return parts


def _table(systems: Mapping[str, Sequence[LengthShare]], title: str) -> Table:
    rows: list[list[Cell]] = [
        [name, one.length, one.repeats, one.with_error, 100 * one.share]
        for name, by_length in systems.items()
        for one in by_length
    ]
    return Table(["system", "words", "repeats", "with an error", "%"], rows, title, n_keys=2)
