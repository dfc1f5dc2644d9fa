"""What may be said before all rows are judged, and how many more would settle it.

Whoever looks after every few rows and stops at the first interval without 0 is wrong more often than 5 %: with eight
looks in some 11 %. An asymptotic confidence sequence [Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas 2024, Theorem 2.2]
holds at all times at once: its half-width after t rows is σ̂ √((tρ² + 1)/(t²ρ²) · log((tρ² + 1)/α²)), that of the plain
interval z σ̂/√t. So the plain interval is stretched by the quotient of the two; ρ is such that the sequence is narrowest
once all planned rows are judged, where the quotient is 1.55 at 95 %.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from functools import lru_cache

from karat.inference.distributions import normal_quantile
from karat.inference.planning import minimum_detectable

POWER = 0.8
_MOST_TIMES = 1e6


def always_valid_stretch(n_judged: int, n_planned: int, level: float) -> float:
    """How many times as wide as the plain interval one is that holds however often people look.

    x = tρ² is best where x = log((x + 1)/α²): there the derivative of (1 + 1/x) log((x + 1)/α²) is 0.

    >>> round(always_valid_stretch(200, 200, 0.95), 3), round(always_valid_stretch(25, 200, 0.95), 3)
    (1.549, 1.855)
    """
    squared = (1 - level) ** 2
    x = max(n_judged, 1) * _best(level) / max(n_planned, n_judged, 1)
    return math.sqrt((1 + 1 / x) * math.log((x + 1) / squared)) / normal_quantile((1 + level) / 2)


@lru_cache(maxsize=16)
def _best(level: float) -> float:
    squared = (1 - level) ** 2
    best = 1.0
    for _ in range(100):
        best = math.log((best + 1) / squared)
    return best


def more_rows(value: float, error: float, n_judged: int, n_all: int | None, level: float) -> int | None:
    """How many more rows settle a difference with a power of POWER, if it is as estimated; None if no number does.

    `error` is the standard error after `n_judged` rows. That of n rows goes with 1/n − 1/N, N the rows that there are
    (`n_all`, None if judging them all would leave as much open). 0 if the interval excludes 0 already.
    """
    if abs(value) > normal_quantile((1 + level) / 2) * error:
        return 0
    left = 0.0 if n_all is None else min(n_judged / max(n_all, 1), 1.0)
    detectable = minimum_detectable(error, max(n_judged - 1, 1), level, POWER)
    share = (value / detectable) ** 2 if error else 0.0  # of the variance that may be left
    inverse = left + share * (1 - left)
    if inverse * _MOST_TIMES < 1 or left == 1:  # nothing tells them apart, or all rows are judged
        return None
    return math.ceil(n_judged / inverse) - n_judged


def rows_until_valid(value: float, error: float, n_judged: int, n_planned: int, level: float) -> int | None:
    """How many more rows of the plan lead to an always valid interval without 0, with a power of POWER.

    None if all of the plan do not. `error` is the standard error after `n_judged` rows, and falls as 1/√n; at the end
    of the plan the plain interval decides. It is about so many: the difference is taken to be as estimated.

    >>> rows_until_valid(0.02, 0.01, 50, 400, 0.95), rows_until_valid(0.005, 0.01, 50, 400, 0.95)
    (143, None)
    """
    z, more = normal_quantile((1 + level) / 2), normal_quantile(POWER)

    def suffice(n: int) -> bool:
        stretch = always_valid_stretch(n, n_planned, level) if n < n_planned else 1.0
        return abs(value) > (z * stretch + more) * error * math.sqrt(n_judged / n)

    first = bisect_left(range(n_judged, n_planned + 1), True, key=suffice)  # intervals only get narrower
    return first if n_judged + first <= n_planned else None
