"""How differences are distributed if two systems are equally good, and the one that was observed."""

from __future__ import annotations

from collections.abc import Sequence

from karat.report.draw.svg import (
    COLOURS,
    INK,
    ROW,
    Drawing,
    Frame,
    Key,
    drawing,
    hatching,
    key_legend,
    label,
    line,
    outline,
    paragraph,
    rectangle,
    safe_stem,
    signed,
    text_width,
    titled,
    widened,
)
from karat.result import Cell, Table

_BAR, _TAIL = COLOURS[5], COLOURS[1]


def permutation_distribution(
    edges: Sequence[float],
    probabilities: Sequence[float],
    observed: float,
    *,
    p: float,
    measure: str,
    names: tuple[str, str],
    percent: bool = True,
) -> Drawing:
    """A histogram of the differences A − B if labels A and B mean nothing, with both tails hatched and p in words.

    `edges` are those of the bins, one more than there are `probabilities`. Tails are the differences at least as
    large as the observed one, in either direction; a bin that the observed one falls into is in them in part.
    """
    factor = 100.0 if percent else 1.0
    scaled, seen = [factor * edge for edge in edges], factor * observed
    a, b = names
    title = f"Differences in {measure} to expect if {a} and {b} were equally good, and the observed one"
    low, high = widened(min(*scaled, -abs(seen)), max(*scaled, abs(seen)), 1e-9, 0.04)
    frame = Frame(low, high, 0.0, 1.1 * max([*probabilities, 1e-9]), top=78, height=240)
    unit = "percentage points" if percent else "the measure's unit"
    x_name = f"difference in {measure}, A − B, in {unit}"
    parts, _ = paragraph(frame.left, 20, _in_words(p, seen), frame.width + 30)
    parts += frame.axes(x_name, "probability")
    for first, last, probability in zip(scaled[:-1], scaled[1:], probabilities, strict=True):
        parts.append(_bar(frame, first, last, probability, abs(seen)))
    parts += _observed(frame, seen)
    names_below = [f"A: {a}", f"B: {b}"]
    at = frame.bottom + 64
    parts += [label(frame.left, at + ROW * row, text, room=frame.width) for row, text in enumerate(names_below)]
    at += ROW * len(names_below) - 6
    keys: list[Key] = [(_bar_key, "differences to expect"), (_tail_key, "at least as large as observed")]
    parts += key_legend(frame.left, at, keys)
    svg = drawing(frame.right + 40, at + ROW * len(keys) + 10, title, parts)
    return Drawing(
        safe_stem(f"permutations-{measure}-{a}-{b}"), title, svg, _table(scaled, probabilities, seen, p, title)
    )


def _in_words(p: float, seen: float) -> str:
    if p < 0.0001:
        shown, times = "p < 0.0001", "less than once in 10,000 times"
    else:
        shown, times = f"p = {p:.2g}", f"{100 * p:.2g} % of the time" if p < 0.995 else "always"
    return (
        f"{shown}: if both systems were equally good, a difference of {signed(seen).lstrip('+−')} or more, in either "
        f"direction, would come up {times}."
    )


def _bar(frame: Frame, first: float, last: float, probability: float, seen: float) -> str:
    """A bin, hatched where it is in a tail."""
    left, right, top = frame.x(first), frame.x(last), frame.y(probability)
    shapes = [rectangle(left, top, right - left, frame.bottom - top, _BAR, opacity=0.5)]
    for low, high in ((first, min(last, -seen)), (max(first, seen), last)):
        if low < high:
            x, width = frame.x(low), frame.x(high) - frame.x(low)
            shapes.append(hatching(x, top, width, frame.bottom - top, _TAIL))
    return titled(f"{signed(first)} to {signed(last)}: probability {probability:.3g}", *shapes)


def _observed(frame: Frame, seen: float) -> list[str]:
    """The observed difference as a line with its number, and where the other tail begins."""
    x, text = frame.x(seen), f"observed {signed(seen)}"
    anchor = "start" if x + text_width(text) < frame.right + 30 else "end"
    parts = [titled(text, line([(x, frame.top - 14), (x, frame.bottom)], INK, width=2))]
    if seen:
        other = line([(frame.x(-seen), frame.top), (frame.x(-seen), frame.bottom)], INK, dashed=True)
        parts.append(titled(f"as far from 0 in the other direction: {signed(-seen)}", other))
    return [*parts, label(x + (6 if anchor == "start" else -6), frame.top - 4, text, anchor=anchor)]


def _bar_key(x: float, y: float) -> str:
    return rectangle(x - 9, y - 6, 18, 12, _BAR, opacity=0.5)


def _tail_key(x: float, y: float) -> str:
    return hatching(x - 9, y - 6, 18, 12, _TAIL) + outline(x - 9, y - 6, 18, 12, _TAIL)


def _table(edges: Sequence[float], probabilities: Sequence[float], seen: float, p: float, title: str) -> Table:
    rows: list[list[Cell]] = [
        [low, high, probability] for low, high, probability in zip(edges[:-1], edges[1:], probabilities, strict=True)
    ]
    return Table(
        ["from", "to", "probability"], rows, title, [f"Observed difference {signed(seen)}, p = {p:.4g}."], n_keys=2
    )
