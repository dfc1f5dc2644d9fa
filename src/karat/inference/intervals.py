"""How sure we are of a value: confidence intervals from whole clusters, for any measure.

With many clusters the percentile interval of the bootstrap is used. With fewer than MANY_CLUSTERS it covers too little;
there the interval is Student's t with the jackknife's standard error, for scores on the logit scale, which holds its
level down to some 20 clusters (docs/inference.md has the figures).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from karat._arrays import Floats
from karat.inference.distributions import normal_cdf, normal_quantile, t_quantile
from karat.inference.options import InferenceOptions
from karat.inference.resampling import bootstrap_sums, leave_one_out, standard_error
from karat.measures import Measure

__all__ = [
    "NO_DIFFERENCE",
    "ONE_CLUSTER",
    "Interval",
    "Scale",
    "difference_interval",
    "measure_interval",
    "no_interval",
    "score_interval",
    "t_interval",
]

Value = Callable[[Floats], Floats]
Scale = Literal["t", "t-logit", "t-log"]  # of Student's interval

_ROUNDING = 1e-15
NO_DIFFERENCE = "the clusters do not differ"
ONE_CLUSTER = "a single cluster says nothing of how clusters differ"


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval and how it was made; where there can be none, `note` says why and the ends are None.

    `method` is percentile, bca, t, t-logit or t-log; `n_resamples` is 0 for the last three.
    """

    lower: float | None
    upper: float | None
    level: float
    method: str
    n_clusters: int
    n_resamples: int
    note: str = ""

    @property
    def includes_zero(self) -> bool | None:
        """Whether 0 lies inside; None where there is no interval."""
        return None if self.lower is None or self.upper is None else self.lower <= 0 <= self.upper


def score_interval(
    counts: Floats, value: Value, options: InferenceOptions, resampled: Floats | None = None, *, is_share: bool = True
) -> Interval:
    """The interval of a score from the clusters' counts [clusters × …].

    `resampled` has the bootstrap's values where the method needs them. A score lies between 0 and 1 if it `is_share`.
    """
    total = counts.sum(axis=0)
    found = float(value(total))
    if not counts.any():
        return no_interval(len(counts), options, "nothing to measure")
    if len(counts) > 1 and (not found or (found == 1 and is_share)):
        return no_interval(len(counts), options, f"every cluster scores {found:.0f}")
    return _interval(found, counts, value, options, resampled, "t-logit" if is_share else "t-log")


def measure_interval(measure: Measure, counts: Floats, options: InferenceOptions) -> Interval:
    """The interval of a measure's value from the clusters' counts [clusters × FIELDS], resampled where it needs be."""
    resampled = None
    if options.resamples_with(len(counts)):
        sums = bootstrap_sums([counts], n_resamples=options.n_resamples, seed=options.seed, jobs=options.jobs)
        resampled = measure.value(sums[0])
    return score_interval(counts, measure.value, options, resampled, is_share=measure.is_share)


def difference_interval(
    counts: Floats, value: Value, options: InferenceOptions, resampled: Floats | None = None
) -> Interval:
    """The interval of a difference, or of anything else that has no bounds of its own, likewise."""
    return _interval(float(value(counts.sum(axis=0))), counts, value, options, resampled, "t")


def no_interval(n_clusters: int, options: InferenceOptions, note: str) -> Interval:
    """What stands where there can be no interval."""
    return Interval(None, None, options.level, "none", n_clusters, 0, note)


def _interval(
    found: float, counts: Floats, value: Value, options: InferenceOptions, resampled: Floats | None, scale: Scale
) -> Interval:
    n_clusters = len(counts)
    if n_clusters < 2:
        return no_interval(n_clusters, options, ONE_CLUSTER)
    if np.count_nonzero(counts.reshape(n_clusters, -1).any(axis=1)) == 1:
        return no_interval(n_clusters, options, "all units are in one cluster")
    method = options.method_for(n_clusters)
    without = np.empty(0) if method == "percentile" else value(leave_one_out(counts))
    if not np.isfinite(without).all() or not math.isfinite(found):
        return no_interval(n_clusters, options, "it is not defined without some cluster")
    if method != "percentile" and standard_error(without) <= _ROUNDING:
        return no_interval(n_clusters, options, NO_DIFFERENCE)
    if method == "t":
        ends = t_interval(found, standard_error(without), n_clusters - 1, options.level, scale)
        return Interval(*ends, options.level, scale, n_clusters, 0)
    if resampled is None:
        raise ValueError(f"a {method} interval needs resampled values")
    drawn = np.sort(resampled)
    if drawn[-1] - drawn[0] <= _ROUNDING:
        return no_interval(n_clusters, options, NO_DIFFERENCE)
    tails = ((1 - options.level) / 2, (1 + options.level) / 2)
    if method == "bca":
        tails = _bca_tails(found, without, resampled, tails)
    ends = _quantile(drawn, tails[0]), _quantile(drawn, tails[1])
    return Interval(*ends, options.level, method, n_clusters, len(drawn))


def _quantile(drawn: Floats, share: float) -> float:
    """The value below which a share of the sorted values lies, between two of them on a line.

    As numpy's, which loads a good part of numpy for it.
    """
    place = share * (len(drawn) - 1)
    below = math.floor(place)
    above = min(below + 1, len(drawn) - 1)
    low, high = float(drawn[below]), float(drawn[above])
    return low + (high - low) * (place - below)


def t_interval(found: float, error: float, df: float, level: float, scale: Scale = "t") -> tuple[float, float]:
    """Student's interval; of a share on the scale of its logit, of a positive number on that of its logarithm.

    The error on these scales is that of the delta method.
    """
    reach = t_quantile((1 + level) / 2, df) * error
    if scale == "t":
        return found - reach, found + reach
    if scale == "t-log":
        return found * math.exp(-reach / found), found * math.exp(reach / found)
    logit, reach = math.log(found / (1 - found)), reach / (found * (1 - found))
    return _logistic(logit - reach), _logistic(logit + reach)


def _logistic(x: float) -> float:
    if x >= 0:
        return 1 / (1 + math.exp(-x))
    return math.exp(x) / (1 + math.exp(x))


def _bca_tails(found: float, without: Floats, resampled: Floats, tails: tuple[float, float]) -> tuple[float, float]:
    """The shares at which BCa cuts the resampled values [Efron 1987]: corrected for bias and acceleration."""
    n = len(resampled)
    n_below = float((resampled < found).sum() + (resampled == found).sum() / 2)
    bias = normal_quantile(min(max(n_below / n, 0.5 / n), 1 - 0.5 / n))
    spread = math.fsum(without) / len(without) - without
    acceleration = math.fsum(spread**3) / (6 * math.fsum(spread**2) ** 1.5)

    def corrected(tail: float) -> float:
        z = bias + normal_quantile(tail)
        return normal_cdf(bias + z / (1 - acceleration * z))

    return corrected(tails[0]), corrected(tails[1])
