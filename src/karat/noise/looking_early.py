"""What may be said before all rows are judged, and how many more would settle it.

Whoever looks after every few rows and stops at the first interval without 0 is wrong more often than 5 %: with eight
looks in some 11 %. An asymptotic confidence sequence [Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas 2024, Theorem 2.2]
holds at all times at once: its half-width after t rows is σ̂ √((tρ² + 1)/(t²ρ²) · log((tρ² + 1)/α²)), that of the plain
interval z σ̂/√t. So the plain interval is stretched by the quotient of the two; ρ is such that the sequence is narrowest
once all planned rows are judged, where the quotient is 1.55 at 95 %.

Whoever watches the estimate of a list until its end, as on the review page, is better served by a boundary that ends
with the list (`watched_stretch`): 1.14 times the plain interval there.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from functools import lru_cache

import numpy as np

from karat.inference.distributions import normal_quantile
from karat.inference.planning import minimum_detectable

POWER = 0.8
_MOST_TIMES = 1e6
_N_STEPS = 2000


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


def watched_stretch(n_judged: int, n_planned: int, n_all: int, level: float) -> float:
    """How many times as wide as the plain interval one is for people who watch it until all planned rows are judged.

    A sequence that holds for ever pays for looks that nobody takes: of a plan the last one is known. With t the share
    of it that is judged, the half-width is c/√t standard errors, so narrow at the end that little is lost by watching
    [O'Brien & Fleming 1979; as intervals Jennison & Turnbull 1989]. c is such that all looks together miss in 1 − level
    of the cases; it grows with the share of all tokens (`n_all`) that the plan has, since what is drawn without being
    put back tells more and more.

    >>> round(watched_stretch(200, 200, 10**6, 0.95), 3), round(watched_stretch(50, 200, 10**6, 0.95), 3)
    (1.144, 2.287)
    """
    share = max(n_judged, 1) / max(n_planned, n_judged, 1)
    return _critical(n_planned, max(n_all, n_planned), level) / math.sqrt(share) / normal_quantile((1 + level) / 2)


@lru_cache(maxsize=64)
def _critical(n_planned: int, n_all: int, level: float) -> float:
    """The c of `watched_stretch`, by bisection."""
    low, high = normal_quantile((1 + level) / 2), 10.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if _crossing(middle, n_planned, n_all) > 1 - level else (low, middle)
    return high


def _crossing(critical: float, n_planned: int, n_all: int) -> float:
    """How likely an estimate is ever c/√x standard errors from the truth, x = n/n_planned up to 1.

    In the time τ = log(x/(1 − fx)), f = n_planned/n_all, the standardised error of a sample that is drawn without being
    put back is an Ornstein–Uhlenbeck process. The tangent approximation [Ferebee 1982] of the passage through a
    boundary b on either side is ∫ (b − 2b′) φ(b) dτ, with b = c/√x hence ∫ b (2 − fx) φ(b) dτ. For f = 0 it comes to
    4 (1 − Φ(c)), as the reflection principle says. Once all tokens are judged, nothing is left to chance.
    """
    f = n_planned / n_all
    last = min(1.0, (n_all - 1) / n_planned) if n_all > 1 else 0.5
    tau = np.linspace(math.log(1e-3), math.log(last / (1 - f * last)), _N_STEPS)
    x = np.exp(tau) / (1 + f * np.exp(tau))
    b = critical / np.sqrt(x)
    density = b * (2 - f * x) * np.exp(-b * b / 2) / math.sqrt(2 * math.pi)
    return float(np.trapezoid(density, tau))


def rows_until_enough(
    value: float, error: float, n_judged: int, n_planned: int, n_all: int, level: float
) -> int | None:
    """How many more rows lead to an interval without 0 for people who watch, with a power of POWER.

    `error` is the standard error after `n_judged` rows, and falls as 1/√n. Where the planned rows do not suffice, it is
    as many as a plan would have to have; None if there are not so many. It is about so many: the difference is taken to
    be as estimated.

    >>> [rows_until_enough(value, 0.01, 50, 400, 10**6, 0.95) for value in (0.03, 0.02, 0.005, 0.0)]
    [79, 151, 1852, None]
    """
    z, more = normal_quantile((1 + level) / 2), normal_quantile(POWER)

    def suffices(n: int) -> bool:
        stretch = watched_stretch(n, n_planned, n_all, level)
        return abs(value) > (z * stretch + more) * error * math.sqrt(n_judged / n)

    first = bisect_left(range(n_judged, n_planned + 1), True, key=suffices)  # intervals only get narrower
    if n_judged + first <= n_planned:
        return first
    needed = (z * watched_stretch(n_planned, n_planned, n_all, level) + more) * error
    n = n_judged * (needed / value) ** 2 if abs(value) * _MOST_TIMES > needed else math.inf
    return math.ceil(n) - n_judged if n <= n_all else None
