"""Intervals of the real accuracy over p, as in Figure 1 of Padró & Màrquez 1998, or for the p given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from karat._arrays import Floats
from karat.errors import UsageError
from karat.noise.bounds import least_p, reasonable_bounds
from karat.noise.results import AtP, Ends, NoiseResult
from karat.report.draw.svg import (
    INK,
    PAPER,
    Drawing,
    Frame,
    Key,
    colour,
    fitted_name,
    label,
    line,
    mark,
    polygon,
    rectangle,
    safe_stem,
    swatch_and_mark,
    text_width,
    titled,
    whisker,
)
from karat.result import Cell, Table

_STEPS = 101
_TABLE_STEPS = 10  # from one p of the table to the next
_MOST_NUMBERS = 8  # bars in a figure that has room for the numbers at their ends
_LEAST_HEIGHT = 36  # of a bar that has room for two numbers
_WIDEST_NAME = 300  # of a system in the legend
_X = "p: how often the system makes the gold's own error where both are wrong"
_Y = "real accuracy x on ambiguous words"
_OVERLAP: Key = (lambda x, y: rectangle(x - 9, y - 6, 18, 12, INK, opacity=0.5), "both: the intervals overlap")
_TITLE = "Reasonable intervals of the real accuracy"


@dataclass(frozen=True, slots=True)
class NoisyAccuracy:
    """What is drawn of a system: its observed accuracy and the two numbers of the gold, and its bounds for each p.

    `is_possible` is not so where these numbers cannot all be true, for any p.
    """

    name: str
    observed: float
    corpus_error: float
    ambiguity: float
    intervals: Sequence[AtP] = ()
    is_possible: bool = True


def noise_figure(result: NoiseResult) -> Drawing:
    """The reasonable interval of each system: bands over all p, or bars for each p that was given."""
    systems = [
        NoisyAccuracy(one.name, one.observed, one.corpus_error, one.ambiguity, one.intervals, one.envelope is not None)
        for one in result.systems
    ]
    return noise_intervals(systems, result.p, impossible=[one.name for one in result.systems if one.why])


def noise_intervals(
    systems: Sequence[NoisyAccuracy], p: Sequence[float] = (), *, impossible: Sequence[str] = ()
) -> Drawing:
    """The same from plain numbers: bands, or bars if there are `p`, in whose order the systems' `intervals` are.

    `impossible` names systems whose numbers cannot all be true.
    """
    frame, parts, keys, rows = _bars(systems, p) if p else _bands(systems)
    keys += [(None, f"{fitted_name(name, _WIDEST_NAME)}: its numbers cannot all be true") for name in impossible]
    table = Table(["system", "observed", "p", "lower", "upper"], rows, _TITLE, n_keys=3)
    return Drawing(safe_stem("noise-intervals"), _TITLE, frame.drawing_with_keys(_TITLE, parts, keys), table)


def _frame(low_x: float, high_x: float, values: Floats) -> Frame:
    if not len(values):
        raise UsageError("nothing to draw: these numbers cannot all be true")
    margin = max(0.05 * float(values.max() - values.min()), 0.002)
    return Frame(low_x, high_x, float(values.min() - margin), float(values.max() + margin))


def _observed(frame: Frame, one: NoisyAccuracy, number: int) -> str:
    ends = frame.along((frame.low_x, frame.high_x), (one.observed, one.observed))
    return titled(f"{one.name}: observed {one.observed:g}", line(ends, colour(number), dashed=True))


def _keys(systems: Sequence[NoisyAccuracy]) -> list[Key]:
    return [
        (partial(swatch_and_mark, number), f"{fitted_name(one.name, _WIDEST_NAME)}, observed {one.observed:g} (dashed)")
        for number, one in enumerate(systems)
    ]


_Drawn = tuple[Frame, list[str], list[Key], list[list[Cell]]]

# ---- over all p ------------------------------------------------------------------------------------------------------


def _bands(every: Sequence[NoisyAccuracy]) -> _Drawn:
    """The interval of each system over p, and what the first two share, shaded."""
    systems = [one for one in every if one.is_possible]
    first = min((float(least_p(one.ambiguity)) for one in systems), default=0.0)
    p = np.linspace(min(first, 0.99), 1, _STEPS)
    bands = [reasonable_bounds(one.observed, one.corpus_error, one.ambiguity, p) for one in systems]
    ends = np.array([end for band in bands for one in (band.lower, band.upper) for end in one[~np.isnan(one)]])
    frame = _frame(float(p[0]), 1.0, np.append(ends, [one.observed for one in systems]))
    parts, keys = frame.axes(_X, _Y), _keys(systems)
    rows: list[list[Cell]] = []
    for number, (system, band) in enumerate(zip(systems, bands, strict=True)):
        drawn = [polygon(_around(frame, p, band.lower, band.upper), colour(number), opacity=0.25)]
        drawn += [line(frame.along(p, end), colour(number), width=2) for end in (band.lower, band.upper)]
        at_marks = range(3 + 2 * number % 10, _STEPS, 20)  # those of others stand beside them
        for end in (band.lower, band.upper):
            drawn += [mark(number, x, y) for x, y in frame.along(p[at_marks], end[at_marks])]
        low, high = float(np.nanmin(band.lower)), float(np.nanmax(band.upper))
        parts.append(titled(f"{system.name}: {100 * low:.2f} to {100 * high:.2f} % over all p", *drawn))
        parts.append(_observed(frame, system, number))
        for at in range(0, _STEPS, _TABLE_STEPS):
            ends_at = (float(end[at]) for end in (band.lower, band.upper))
            cells: list[Cell] = [None if end != end else end for end in ends_at]
            rows.append([system.name, system.observed, float(p[at]), *cells])
    if len(bands) == 2:
        low_both, high_both = np.fmax(bands[0].lower, bands[1].lower), np.fmin(bands[0].upper, bands[1].upper)
        ends_both = (np.where(low_both <= high_both, end, np.nan) for end in (low_both, high_both))
        parts.append(titled("the intervals overlap", polygon(_around(frame, p, *ends_both), INK, opacity=0.35)))
        keys.append(_OVERLAP)
    return frame, parts, keys, rows


def _around(frame: Frame, p: Floats, lower: Floats, upper: Floats) -> list[tuple[float, float]]:
    return frame.along(p, lower) + frame.along(p, upper)[::-1]


# ---- for the p given -------------------------------------------------------------------------------------------------


def _bars(systems: Sequence[NoisyAccuracy], every_p: Sequence[float]) -> _Drawn:
    """For each p a bar for each system, whiskers for what holds with nothing assumed, and what two bars share."""
    every = [one for system in systems for one in system.intervals]
    drawn = [ends for one in every if one.ends for ends in (one.ends, one.free) if ends]
    values = np.array([end for ends in drawn for end in (ends.lower, ends.upper)])
    frame = _frame(0, len(every_p), np.append(values, [one.observed for one in systems]) if drawn else values)
    x_labels = [(place + 0.5, f"p = {p:.3g}") for place, p in enumerate(every_p)]
    parts, keys = frame.axes(_X, _Y, x_labels=x_labels), _keys(systems)
    parts += [_observed(frame, system, number) for number, system in enumerate(systems)]
    width = 0.7 / len(systems)
    rows: list[list[Cell]] = []
    for place, p in enumerate(every_p):
        lefts = [place + 0.15 + number * width for number in range(len(systems))]
        for number, (left, system) in enumerate(zip(lefts, systems, strict=True)):
            one, right = system.intervals[place], left + 0.85 * width
            with_numbers = len(every) <= _MOST_NUMBERS
            parts += _bar(frame, left, right, one, system.name, number, with_numbers=with_numbers)
            ends: list[Cell] = [one.ends.lower, one.ends.upper] if one.ends else [None, None]
            rows.append([system.name, system.observed, p, *ends])
        if shared := _shared([system.intervals[place].ends for system in systems]):
            corners = frame.box(lefts[0], lefts[-1] + 0.85 * width, shared.lower, shared.upper)
            words = f"p = {p:.3g}: both {100 * shared.lower:.2f} to {100 * shared.upper:.2f} %"
            parts.append(titled(words, polygon(corners, INK, opacity=0.25)))
            keys += [] if _OVERLAP in keys else [_OVERLAP]
    keys.append((_whisker_key, "whiskers: without assumptions"))
    return frame, parts, keys, rows


def _bar(frame: Frame, left: float, right: float, one: AtP, name: str, number: int, *, with_numbers: bool) -> list[str]:
    if one.ends is None:
        return []
    fill = colour(number)
    low, high, middle = frame.y(one.ends.lower), frame.y(one.ends.upper), frame.x((left + right) / 2)
    parts, words = [], f"{name}, p = {one.p:.3g}: {100 * one.ends.lower:.2f} to {100 * one.ends.upper:.2f} %"
    if one.free is not None:
        parts.append(whisker(frame.y(one.free.lower), frame.y(one.free.upper), middle, fill, upright=True))
        words += f"; without assumptions {100 * one.free.lower:.2f} to {100 * one.free.upper:.2f} %"
    corners = frame.box(left, right, one.ends.lower, one.ends.upper)
    parts += [polygon(corners, PAPER), polygon(corners, fill, opacity=0.4)]
    parts += [line([*corners, corners[0]], fill, width=2), mark(number, middle, (low + high) / 2)]
    parts = [titled(words, *parts)]
    shown = [f"{100 * value:.2f} %" for value in (one.ends.lower, one.ends.upper)]
    is_wide = frame.x(right) - frame.x(left) >= max(map(text_width, shown))
    if with_numbers and is_wide and low - high >= _LEAST_HEIGHT:
        for y, text in zip((low - 5, high + 15), shown, strict=True):
            parts.append(label(middle, y, text, anchor="middle"))
    return parts


def _whisker_key(x: float, y: float) -> str:
    return whisker(x - 9, x + 9, y, INK)


def _shared(both: Sequence[Ends | None]) -> Ends | None:
    """What the intervals of two systems share."""
    if len(both) != 2 or both[0] is None or both[1] is None or not both[0].touches(both[1]):
        return None
    return Ends(max(both[0].lower, both[1].lower), min(both[0].upper, both[1].upper))
