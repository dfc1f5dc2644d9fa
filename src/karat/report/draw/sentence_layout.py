"""Where the parts of a drawn sentence go: words along a row, arcs and brackets in levels above it, the part shown."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Interval = tuple[float, float]

_CLEARANCE = 4  # between a line and a label beside it


@dataclass(frozen=True, slots=True)
class Apart:
    """That one place of a row must be at least so far behind another."""

    first: int
    second: int
    distance: float


def spread(n: int, needs: Iterable[Apart]) -> list[float]:
    """The places 0 … n − 1 along a row, the first at 0, as close together as all needs allow."""
    ending: list[list[Apart]] = [[] for _ in range(n)]
    for one in needs:
        ending[one.second].append(one)
    places: list[float] = []
    for number in range(n):
        least = places[-1] if places else 0.0
        places.append(max([least, *(places[one.first] + one.distance for one in ending[number])]))
    return places


def levels(intervals: Sequence[Interval], lengths: Sequence[float] | None = None) -> list[int]:
    """The level, from 1, of each interval: none shares one with another that it overlaps, and the longer is above.

    Those that only touch may share a level. `lengths` may say otherwise which is the longer.

    >>> levels([(0, 10), (0, 4), (4, 9), (12, 14)])
    [2, 1, 1, 1]
    """
    lengths = [high - low for low, high in intervals] if lengths is None else lengths
    found = [0] * len(intervals)
    placed: list[int] = []
    for this in sorted(range(len(intervals)), key=lambda one: (lengths[one], -one)):
        low, high = intervals[this]
        under = (found[other] for other in placed if intervals[other][0] < high and low < intervals[other][1])
        found[this] = 1 + max(under, default=0)
        placed.append(this)
    return found


def free_place(low: float, high: float, taken: Iterable[float], width: float) -> float:
    """Where the middle of something of this width goes: between two ends, near the middle, and not on what is taken.

    If no gap is wide enough, as much as can be in the widest.

    >>> free_place(0, 100, [45], 20), free_place(0, 100, [30, 60], 50)
    (59.0, 75.0)
    """
    inside = sorted(one for one in taken if low < one < high)
    begins, ends = [low, *(one + _CLEARANCE for one in inside)], [*(one - _CLEARANCE for one in inside), high]
    gaps = list(zip(begins, ends, strict=True))
    middle = (low + high) / 2
    wide = [gap for gap in gaps if gap[1] - gap[0] >= width]
    if not wide:
        left, right = max(gaps, key=lambda gap: gap[1] - gap[0])
        return _between((left + right) / 2, low + width / 2, high - width / 2)
    nearest = (_between(middle, left + width / 2, right - width / 2) for left, right in wide)
    return min(nearest, key=lambda place: abs(place - middle))


def _between(value: float, least: float, most: float) -> float:
    return min(max(value, least), most)


def window(n_words: int, around: tuple[int, int] | None, width: int) -> range:
    """The words shown, from 0: all of them, or so many that hold those `around` (first and last, from 1).

    >>> window(80, (40, 42), 7), window(80, None, 7), window(5, (2, 2), 7)
    (range(37, 44), range(0, 7), range(0, 5))
    """
    if n_words <= width:
        return range(n_words)
    first, last = around or (1, 1)
    first, last = min(max(first, 1), n_words), min(max(last, first, 1), n_words)
    more = max(width - (last - first + 1), 0)
    start = min(max(first - 1 - more // 2, 0), max(n_words - max(width, last - first + 1), 0))
    return range(start, start + max(width, last - first + 1))


def is_right_to_left(words: Iterable[str]) -> bool:
    """Whether most words are written from right to left, by the first character of each that has a direction."""
    found = [direction for word in words if (direction := _direction(word))]
    return 2 * sum(one != "L" for one in found) > len(found)


def _direction(word: str) -> str:
    directions = (unicodedata.bidirectional(one) for one in word[:100])
    return next((one for one in directions if one in ("L", "R", "AL")), "")
