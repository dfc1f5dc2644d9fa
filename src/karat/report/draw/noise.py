"""Intervals of the real accuracy over p, as in Figure 1 of Padró & Màrquez 1998."""

from __future__ import annotations

import numpy as np

from karat._arrays import Floats
from karat.errors import UsageError
from karat.noise.bounds import least_p, reasonable_bounds
from karat.noise.results import NoiseResult
from karat.report.draw.svg import COLOURS, Frame, drawing, legend, line, polygon

__all__ = ["noise_figure"]

_STEPS = 201


def noise_figure(result: NoiseResult) -> str:
    """The reasonable interval of each system over p, and what the first two share, shaded."""
    systems = [one for one in result.systems if one.envelope is not None]
    if not systems:
        raise UsageError("there is nothing to draw: these numbers cannot all be true")
    first = min(float(least_p(one.ambiguity)) for one in systems)
    p = np.linspace(min(first, 0.99), 1, _STEPS)
    bands = [reasonable_bounds(one.observed, one.corpus_error, one.ambiguity, p) for one in systems]
    ends = np.concatenate([end[~np.isnan(end)] for band in bands for end in (band.lower, band.upper)])
    ends = np.append(ends, [one.observed for one in systems])
    margin = max(0.05 * (ends.max() - ends.min()), 0.002)
    frame = Frame(float(p[0]), 1.0, float(ends.min() - margin), float(ends.max() + margin))
    parts = frame.axes("p: how often the tagger makes the gold's own error where both are wrong", "real accuracy x")
    entries = []
    for number, (system, band) in enumerate(zip(systems, bands, strict=True)):
        colour = COLOURS[number % len(COLOURS)]
        parts.append(polygon(_around(frame, p, band.lower, band.upper), colour, opacity=0.25))
        for end in (band.lower, band.upper):
            parts.append(line(_along(frame, p, end), colour, width=2))
        parts.append(line([(frame.x(p[0]), frame.y(system.observed)), (frame.x(1), frame.y(system.observed))], colour,
                          dashed=True))  # fmt: skip
        entries.append((f"{system.name}, observed {system.observed:g} (dashed)", colour, 0.4))
    entries += [(f"{one.name}: its numbers cannot all be true", "#fff", 0.0) for one in result.systems if one.why]
    if len(bands) == 2:
        low, high = np.fmax(bands[0].lower, bands[1].lower), np.fmin(bands[0].upper, bands[1].upper)
        shared = np.where(low <= high, low, np.nan)
        parts.append(polygon(_around(frame, p, shared, np.where(low <= high, high, np.nan)), "#333", opacity=0.35))
        entries.append(("both: the intervals overlap", "#333", 0.5))
    parts += legend(frame.left, frame.top + frame.height + 60, entries)
    height = frame.top + frame.height + 70 + 20 * len(entries)
    return drawing(frame.left + frame.width + 30, height, "Reasonable intervals of the real accuracy", parts)


def _along(frame: Frame, p: Floats, end: Floats) -> list[tuple[float, float]]:
    return [(frame.x(a), frame.y(b)) for a, b in zip(p.tolist(), end.tolist(), strict=True) if b == b]


def _around(frame: Frame, p: Floats, lower: Floats, upper: Floats) -> list[tuple[float, float]]:
    return _along(frame, p, lower) + _along(frame, p, upper)[::-1]
