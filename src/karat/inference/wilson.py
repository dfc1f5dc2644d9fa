"""Wilson's interval of a probability."""

from __future__ import annotations

import math

from karat.inference.distributions import normal_quantile


def wilson(share: float, n: float, level: float = 0.95) -> tuple[float, float]:
    """Wilson's interval for a probability of which n draws have shown this share [Wilson 1927].

    >>> lower, upper = wilson(22 / 28, 28)
    >>> print(f"{lower:.4f} {upper:.4f}")
    0.6046 0.8979
    """
    z = normal_quantile((1 + level) / 2)
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    lower, upper = middle - half, middle + half
    return 0.0 if share == 0 else max(lower, 0.0), 1.0 if share == 1 else min(upper, 1.0)
