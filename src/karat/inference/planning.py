"""What a test set can show: power, the smallest difference it would detect, how many sentences it takes; equivalence.

All from the standard error of a difference between whole clusters, so that the design effect is in it.
"""

from __future__ import annotations

from karat.inference.distributions import t_quantile, t_tail

__all__ = ["equivalence_p", "minimum_detectable", "needed_factor", "power"]


def power(effect: float, error: float, df: float, level: float) -> float:
    """The chance that a true difference `effect` is found at this level with this standard error."""
    critical = t_quantile((1 + level) / 2, df)
    shift = abs(effect) / error
    return t_tail(critical - shift, df) + t_tail(critical + shift, df)


def minimum_detectable(error: float, df: float, level: float, wanted_power: float) -> float:
    """The smallest true difference that is found with the wanted power.

    >>> round(minimum_detectable(1.0, 1e9, 0.95, 0.8), 3)
    2.802
    """
    return max(0.0, error * (t_quantile((1 + level) / 2, df) + t_quantile(wanted_power, df)))


def needed_factor(effect: float, error: float, df: float, level: float, wanted_power: float) -> float:
    """How many times as many clusters it takes to find a true difference `effect` with the wanted power.

    By the smallest difference that is detectable now, which shrinks as the square root of their number: 1 for that one.
    With few clusters it asks for a few too many, as if degrees of freedom did not grow.
    """
    return (minimum_detectable(error, df, level, wanted_power) / effect) ** 2


def equivalence_p(difference: float, error: float, df: float, margin: float) -> float:
    """The p of two one-sided tests that a true difference is outside ±margin [Schuirmann 1987]: small if it is not.

    1 without variance: of how much a difference might vary nothing is known then.
    """
    if not error:
        return 1.0
    return max(t_tail((difference + margin) / error, df), t_tail((margin - difference) / error, df))
