"""How sure we are of a value: confidence intervals from whole clusters, for any measure.

With many clusters the percentile interval of the bootstrap is used. With fewer than MANY_CLUSTERS it covers too little;
there the interval is Student's t with the jackknife's standard error, for scores on the logit scale, which holds its
level down to some 20 clusters (docs/inference.md has the figures).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

import numpy as np

from karat._arrays import Floats
from karat.inference.distributions import normal_cdf, normal_quantile, t_quantile
from karat.inference.options import InferenceOptions
from karat.inference.resampling import Progress, bootstrap_sums, leave_one_out, standard_error
from karat.measures.measure import Bounds

__all__ = ["NO_DIFFERENCE", "ONE_CLUSTER", "Interval", "Scale", "Valued", "difference_interval"]
__all__ += ["interval_dict", "intervals", "no_interval", "scale_of", "t_interval", "value_interval"]

Value = Callable[[Floats], Floats]
Scale = Literal["t", "t-logit", "t-log"]  # of Student's interval

_MOST_UNDEFINED = 0.05  # of the resamples: with more, those where a value is defined are no fair picture
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


class Valued(Protocol):
    """What intervals are made of: a value from summed counts [… × fields], and where it can lie."""

    @property
    def value(self) -> Value: ...
    @property
    def bounds(self) -> Bounds: ...


def interval_dict(interval: Interval | None) -> dict[str, Any]:
    """An interval as plain data; all null where none was made, only the ends where there can be none."""
    if interval is None:
        return dict.fromkeys(("lower", "upper", "method", "clusters", "resamples", "level", "note"))
    return {
        "lower": interval.lower,
        "upper": interval.upper,
        "method": interval.method if not interval.note else None,
        "clusters": interval.n_clusters,
        "resamples": interval.n_resamples,
        "level": interval.level,
        "note": interval.note or None,
    }


def intervals(
    wanted: Sequence[tuple[Floats, Valued]], options: InferenceOptions, progress: Progress | None = None
) -> list[Interval]:
    """The interval of each value from its clusters' counts [clusters × …]; all are resampled in one pass.

    All have the same number of clusters. What comes back for one does not depend on what else is wanted.
    """
    sums: Sequence[Floats | None] = [None] * len(wanted)
    if wanted and options.resamples_with(len(wanted[0][0])):
        blocks = [counts for counts, _ in wanted]
        sums = bootstrap_sums(
            blocks, n_resamples=options.n_resamples, seed=options.seed, jobs=options.jobs, progress=progress
        )
    return [
        value_interval(counts, valued, options, None if drawn is None else valued.value(drawn))
        for (counts, valued), drawn in zip(wanted, sums, strict=True)
    ]


def value_interval(
    counts: Floats, valued: Valued, options: InferenceOptions, resampled: Floats | None = None
) -> Interval:
    """The interval of a value from the clusters' counts [clusters × …]; `resampled` has the bootstrap's values."""
    found = float(valued.value(counts.sum(axis=0)))
    if not counts.any():
        return no_interval(len(counts), options, "nothing to measure")
    is_least = not found and valued.bounds != "at most 1"
    if len(counts) > 1 and (is_least or (found == 1 and valued.bounds != "positive")):
        return no_interval(len(counts), options, f"every cluster scores {found:.0f}")
    if resampled is not None and not (is_defined := np.isfinite(resampled)).all():
        if (~is_defined).mean() > _MOST_UNDEFINED:
            return no_interval(len(counts), options, f"it is undefined in {(~is_defined).mean():.0%} of the resamples")
        resampled = resampled[is_defined]
    if valued.bounds != "at most 1":
        return _interval(found, counts, valued.value, options, resampled, scale_of(valued.bounds))
    # what it is short of 1 is positive
    drawn = None if resampled is None else 1 - resampled
    short = _interval(1 - found, counts, lambda some: 1 - valued.value(some), options, drawn, "t-log")
    if short.lower is None or short.upper is None:
        return short
    return replace(short, lower=1 - short.upper, upper=1 - short.lower)


def scale_of(bounds: Bounds) -> Scale:
    """The scale on which a value with these bounds has Student's interval."""
    return "t-logit" if bounds == "share" else "t-log"


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
