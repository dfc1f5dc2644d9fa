"""Intervals of the real accuracy over p, as in Figure 1 of Padró & Màrquez 1998, or for the p given."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from karat._arrays import Floats
from karat.errors import UsageError
from karat.noise.bounds import least_p, reasonable_bounds
from karat.noise.results import AtP, Ends, NoiseResult, NoisySystem
from karat.report.draw.svg import Entry, Frame, colour, label, line, polygon

_STEPS = 201
_MOST_NUMBERS = 8  # bars in a figure that has room for the numbers at their ends
_LEAST_HEIGHT = 36  # of a bar that has room for two numbers
_X = "p: how often the system makes the gold's own error where both are wrong"
_Y = "real accuracy x on ambiguous words"
_OVERLAP: Entry = ("both: the intervals overlap", "#333", 0.5)


def noise_figure(result: NoiseResult) -> str:
    """The reasonable interval of each system: bands over all p, or bars for each p that was given."""
    frame, parts, entries = _bars(result) if result.p else _bands(result)
    entries += [(f"{one.name}: its numbers cannot all be true", "#fff", 0.0) for one in result.systems if one.why]
    return frame.drawing("Reasonable intervals of the real accuracy", parts, entries)


def _frame(low_x: float, high_x: float, values: Floats) -> Frame:
    if not len(values):
        raise UsageError("nothing to draw: these numbers cannot all be true")
    margin = max(0.05 * float(values.max() - values.min()), 0.002)
    return Frame(low_x, high_x, float(values.min() - margin), float(values.max() + margin))


def _observed(frame: Frame, one: NoisySystem, number: int) -> str:
    ends = frame.along((frame.low_x, frame.high_x), (one.observed, one.observed))
    return line(ends, colour(number), dashed=True)


def _entries(systems: Sequence[NoisySystem]) -> list[Entry]:
    return [(f"{one.name}, observed {one.observed:g} (dashed)", colour(n), 0.4) for n, one in enumerate(systems)]


# ---- over all p ------------------------------------------------------------------------------------------------------


def _bands(result: NoiseResult) -> tuple[Frame, list[str], list[Entry]]:
    """The interval of each system over p, and what the first two share, shaded."""
    systems = [one for one in result.systems if one.envelope is not None]
    first = min((float(least_p(one.ambiguity)) for one in systems), default=0.0)
    p = np.linspace(min(first, 0.99), 1, _STEPS)
    bands = [reasonable_bounds(one.observed, one.corpus_error, one.ambiguity, p) for one in systems]
    ends = np.array([end for band in bands for one in (band.lower, band.upper) for end in one[~np.isnan(one)]])
    frame = _frame(float(p[0]), 1.0, np.append(ends, [one.observed for one in systems]))
    parts, entries = frame.axes(_X, _Y), _entries(systems)
    for number, (system, band) in enumerate(zip(systems, bands, strict=True)):
        parts.append(polygon(_around(frame, p, band.lower, band.upper), colour(number), opacity=0.25))
        parts += [line(frame.along(p, end), colour(number), width=2) for end in (band.lower, band.upper)]
        parts.append(_observed(frame, system, number))
    if len(bands) == 2:
        low, high = np.fmax(bands[0].lower, bands[1].lower), np.fmin(bands[0].upper, bands[1].upper)
        shared = np.where(low <= high, low, np.nan)
        parts.append(polygon(_around(frame, p, shared, np.where(low <= high, high, np.nan)), "#333", opacity=0.35))
        entries.append(_OVERLAP)
    return frame, parts, entries


def _around(frame: Frame, p: Floats, lower: Floats, upper: Floats) -> list[tuple[float, float]]:
    return frame.along(p, lower) + frame.along(p, upper)[::-1]


# ---- for the p given -------------------------------------------------------------------------------------------------


def _bars(result: NoiseResult) -> tuple[Frame, list[str], list[Entry]]:
    """For each p a bar for each system, whiskers for what holds with nothing assumed, and what two bars share."""
    systems = result.systems
    every = [one for system in systems for one in system.intervals]
    drawn = [ends for one in every if one.ends for ends in (one.ends, one.free) if ends]
    values = np.array([end for ends in drawn for end in (ends.lower, ends.upper)])
    frame = _frame(0, len(result.p), np.append(values, [one.observed for one in systems]) if drawn else values)
    parts, entries = frame.axes(_X, _Y, x_ticks=False), _entries(systems)
    parts += [_observed(frame, system, number) for number, system in enumerate(systems)]
    width = 0.7 / len(systems)
    for place, p in enumerate(result.p):
        at = [system.intervals[place] for system in systems]
        lefts = [place + 0.15 + number * width for number in range(len(systems))]
        for number, (left, one) in enumerate(zip(lefts, at, strict=True)):
            with_numbers = len(every) <= _MOST_NUMBERS
            parts += _bar(frame, left, left + 0.85 * width, one, colour(number), with_numbers=with_numbers)
        if shared := _shared([one.ends for one in at]):
            corners = frame.box(lefts[0], lefts[-1] + 0.85 * width, shared.lower, shared.upper)
            parts.append(polygon(corners, "#333", opacity=0.25))
            entries += [] if _OVERLAP in entries else [_OVERLAP]
        parts.append(label(frame.x(place + 0.5), frame.top + frame.height + 20, f"p = {p:.3g}", anchor="middle"))
    entries.append(("whiskers: without assumptions", "#fff", 0.0))
    return frame, parts, entries


def _bar(frame: Frame, left: float, right: float, one: AtP, fill: str, *, with_numbers: bool) -> list[str]:
    if one.ends is None:
        return []
    low, high, middle = frame.y(one.ends.lower), frame.y(one.ends.upper), frame.x((left + right) / 2)
    parts = []
    if one.free is not None:
        bottom, top = frame.y(one.free.lower), frame.y(one.free.upper)
        parts.append(line([(middle, bottom), (middle, top)], fill))
        parts += [line([(middle - 6, y), (middle + 6, y)], fill) for y in (bottom, top)]
    corners = frame.box(left, right, one.ends.lower, one.ends.upper)
    parts += [polygon(corners, "#fff"), polygon(corners, fill, opacity=0.4)]
    parts.append(line([*corners, corners[0]], fill, width=2))
    if with_numbers and low - high >= _LEAST_HEIGHT:
        for y, value in ((low - 5, one.ends.lower), (high + 15, one.ends.upper)):
            parts.append(label(middle, y, f"{100 * value:.2f} %", anchor="middle"))
    return parts


def _shared(both: Sequence[Ends | None]) -> Ends | None:
    """What the intervals of two systems share."""
    if len(both) != 2 or both[0] is None or both[1] is None or not both[0].touches(both[1]):
        return None
    return Ends(max(both[0].lower, both[1].lower), min(both[0].upper, both[1].upper))
