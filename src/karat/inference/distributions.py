"""The few distributions that tests and intervals need.

scipy has them all, but loading it takes longer than all of `karat score` on a test set; tests hold these to scipy's.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

SMALLEST_P = 1e-12  # what rounding leaves certain of an exact p

_MOST_STEPS = 10_000


def normal_cdf(z: float) -> float:
    """P(Z ≤ z) of the standard normal."""
    return 0.5 * math.erfc(-z / math.sqrt(2))


def two_sided_normal(z: float) -> float:
    """P(|Z| ≥ |z|)."""
    return math.erfc(abs(z) / math.sqrt(2))


def normal_quantile(p: float) -> float:
    """The z below which a share p of the standard normal lies."""
    from statistics import NormalDist

    return NormalDist().inv_cdf(p)


def t_tail(t: float, df: float) -> float:
    """P(T > t) of Student's t.

    >>> round(t_tail(2.0, 10), 6)
    0.036694
    """
    if math.isinf(t):
        return 0.0 if t > 0 else 1.0
    square = t * t
    tail = 0.5 * _incomplete_beta(df / 2, 0.5, df / (df + square), square / (df + square))
    return tail if t >= 0 else 1 - tail


@lru_cache(maxsize=256)
def t_quantile(p: float, df: float) -> float:
    """The t below which a share p of Student's t lies.

    >>> round(t_quantile(0.975, 19), 6)
    2.093024
    """
    if p < 0.5:
        return -t_quantile(1 - p, df)
    high = 1.0
    while t_tail(high, df) > 1 - p:
        high *= 2
    return _root(lambda t: 1 - p - t_tail(t, df), 0.0, high)


def beta_quantile(p: float, a: float, b: float) -> float:
    """The x below which a share p of the beta distribution lies."""
    return _root(lambda x: incomplete_beta(a, b, x) - p, 0.0, 1.0)


def binomial_half_cdf(k: int, n: int) -> float:
    """P(X ≤ k) for n throws of a fair coin."""
    if k < 0:
        return 0.0
    return 1.0 if k >= n else incomplete_beta(n - k, k + 1, 0.5)


def binomial_half_pmf(k: int, n: int) -> float:
    """P(X = k) for n throws of a fair coin."""
    return 4 / (n + 1) * _power_term(k + 1, n - k + 1, 0.5, 0.5)


def binomial_mid_p_end(k: int, n: int, tail: float) -> float:
    """The p of which P(X > k) + ½ P(X = k) is `tail`, of n independent units that are right with p; 0 < k < n."""
    return _root(lambda p: (incomplete_beta(k, n - k + 1, p) + incomplete_beta(k + 1, n - k, p)) / 2 - tail, 0.0, 1.0)


def _root(rising: Callable[[float], float], low: float, high: float) -> float:
    """Where a rising function crosses 0, by halving."""
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if rising(middle) < 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function I_x(a, b), by its continued fraction [Abramowitz & Stegun 26.5.8].

    >>> round(incomplete_beta(2, 3, 0.5), 12)
    0.6875
    """
    return _incomplete_beta(a, b, x, 1 - x)


def _incomplete_beta(a: float, b: float, x: float, y: float) -> float:
    """The same with y = 1 − x given, which may be too small to tell from x."""
    if x <= 0:
        return 0.0
    if y <= 0:
        return 1.0
    if x > (a + 1) / (a + b + 2):  # the fraction converges fast on the other side
        return 1 - _incomplete_beta(b, a, y, x)
    return _power_term(a, b, x, y) / a / _fraction(a, b, x)


def _power_term(a: float, b: float, x: float, y: float) -> float:
    """xᵃ yᵇ / B(a, b) for x + y = 1.

    For large a and b by Stirling's formula around x = a/(a + b) [Loader 2000]: lgamma is so large there that
    differences would lose half the digits.
    """
    if min(a, b) < 10:
        log_x, log_y = (math.log(x), math.log1p(-x)) if x < y else (math.log1p(-y), math.log(y))
        return math.exp(a * log_x + b * log_y - log_beta(a, b))
    n = a + b
    off = b * x - a * y  # n times what x is above a/n
    log_x = math.log1p(off / a) if abs(off) < a / 2 else math.log(x * n / a)
    log_y = math.log1p(-off / b) if abs(off) < b / 2 else math.log(y * n / b)
    rest = _stirling_rest(n) - _stirling_rest(a) - _stirling_rest(b)
    return math.exp(a * log_x + b * log_y + rest) * math.sqrt(a * b / (2 * math.pi * n))


def log_beta(a: float, b: float) -> float:
    """The logarithm of the beta function, where a or b is below 10."""
    small, large = min(a, b), max(a, b)
    if large < 10:
        return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
    rest = _stirling_rest(large) - _stirling_rest(small + large)
    tail = small - small * math.log(small + large) + (large - 0.5) * math.log1p(-small / (small + large))
    return math.lgamma(small) + rest + tail


def _stirling_rest(x: float) -> float:
    """lgamma(x) minus (x − ½) log x − x + ½ log 2π, for x ≥ 10 [Abramowitz & Stegun 6.1.41]."""
    terms = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400)
    square, power, total = x * x, x, 0.0
    for term in terms:
        total += term / power
        power *= square
    return total


def _fraction(a: float, b: float, x: float) -> float:
    """1 + d₁/(1 + d₂/(1 + …)) by Lentz's method."""
    tiny = 1e-300
    value, above, below = 1.0, 1.0, 0.0
    for step in range(1, _MOST_STEPS):
        m = step // 2
        if step % 2:
            term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        below = 1 / ((1 + term * below) or tiny)
        above = (1 + term / above) or tiny
        change = above * below
        value *= change
        if abs(change - 1) < 1e-16:
            break
    return value
