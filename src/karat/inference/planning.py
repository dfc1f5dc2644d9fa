"""What a test set can show: power, the smallest difference it would detect, how many sentences it takes; equivalence.

All from the standard error of a difference between whole clusters, so that the design effect is in it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from karat.inference.distributions import t_quantile, t_tail
from karat.inference.runs import Spread


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Whether two systems differ by less than a margin: p of two one-sided tests, and whether it holds at the level."""

    margin: float
    p: float
    holds: bool


@dataclass(frozen=True, slots=True)
class Planning:
    """What this test set can show of these two systems, and how many sentences like its own it would take.

    `minimum_detectable` is the smallest true difference that is found with `wanted_power`. With an `effect`: `power` to
    find it here and the number of sentences, clusters and units that finds it with `wanted_power`; None where no number
    does, because runs scatter too much.
    """

    wanted_power: float
    minimum_detectable: float
    effect: float | None = None
    power: float | None = None
    sentences_needed: int | None = None
    clusters_needed: int | None = None
    units_needed: int | None = None


def planned(
    found: Spread,
    level: float,
    wanted_power: float,
    effect: float | None,
    sentences: int | None,
    clusters: int | None,
    units: float,
) -> Planning | None:
    """What a test set of so many sentences, clusters and units can show; None where nothing varies."""
    if not found.error:
        return None
    plan = Planning(wanted_power, minimum_detectable(found.error, found.df, level, wanted_power))
    if effect is None:
        return plan
    plan = replace(plan, effect=effect, power=power(effect, found.error, found.df, level))
    # more sentences do not lessen the scatter of runs
    room = effect**2 - minimum_detectable(found.run_error, found.df, level, wanted_power) ** 2
    if room <= 0:
        return plan
    factor = needed_factor(math.sqrt(room), found.cluster_error, found.df, level, wanted_power)
    needed = [None if now is None else math.ceil(factor * now) for now in (sentences, clusters, units)]
    return replace(plan, sentences_needed=needed[0], clusters_needed=needed[1], units_needed=needed[2])


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


def equivalence(difference: float, found: Spread, margin: float | None, level: float) -> Equivalence | None:
    """Whether a difference is within ±margin; None without one, and where nothing varies: nothing is known then."""
    if margin is None or not found.error:
        return None
    p = equivalence_p(difference, found.error, found.df, margin)
    return Equivalence(margin, p, p < 1 - level)


def equivalence_p(difference: float, error: float, df: float, margin: float) -> float:
    """The p of two one-sided tests that a true difference is outside ±margin [Schuirmann 1987]: small if it is not.

    1 without variance: of how much a difference might vary nothing is known then.
    """
    if not error:
        return 1.0
    return max(t_tail((difference + margin) / error, df), t_tail((margin - difference) / error, df))
