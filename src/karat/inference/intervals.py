"""How sure we are of a value: confidence intervals from whole clusters, for any measure.

Student's t with the delete-one-cluster jackknife's standard error, on the scale of the logit for shares, with degrees
of freedom from the effective number of clusters (many small clusters beside a large one are worth few) and from how
heavy the tails are of what they change. It holds its level from three clusters on (docs/calibration.md). The percentile
interval of the bootstrap and BCa, which cover too little with few clusters, can be asked for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

import numpy as np

from karat._arrays import Floats, Indices
from karat.inference.clusters import Clusters, effective_number
from karat.inference.distributions import binomial_mid_p_end, normal_cdf, normal_quantile, t_quantile
from karat.inference.options import InferenceOptions
from karat.inference.resampling import Progress, bootstrap_sums, leave_one_out, standard_error
from karat.measures.measure import Bounds

Value = Callable[[Floats], Floats]
Scale = Literal["t", "t-logit", "t-log"]  # of Student's interval

_MOST_UNDEFINED = 0.05  # of the resamples: with more, those where a value is defined are no fair picture
_ROUNDING = 1e-15
NO_DIFFERENCE = "the clusters do not differ"
ONE_SIDED = "korn-graubard"
OF_UNITS = "mid-p"


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval and how it was made; where there can be none, `note` says why and the ends are None.

    `method` is t, t-logit or t-log, percentile or bca, of which `n_resamples` were made, korn-graubard, which is
    one-sided, or mid-p, where clusters are single units. `effective_clusters` is how many clusters of the same size the
    clusters are worth.
    """

    lower: float | None
    upper: float | None
    level: float
    method: str
    n_clusters: int
    n_resamples: int
    note: str = ""
    effective_clusters: float | None = None

    @property
    def ends(self) -> tuple[float, float] | None:
        """Both ends; None where there is no interval."""
        return None if self.lower is None or self.upper is None else (self.lower, self.upper)

    @property
    def includes_zero(self) -> bool | None:
        """Whether 0 lies inside; None where there is no interval."""
        return self.ends and self.ends[0] <= 0 <= self.ends[1]

    def within(self, least: float, most: float) -> Interval:
        """The interval cut to the range that a value can have."""
        if self.ends is None:
            return self
        return replace(self, lower=max(self.ends[0], least), upper=min(self.ends[1], most))

    def around(self, lower: float, upper: float) -> Interval:
        """The interval, made wide enough to hold another one."""
        if self.ends is None:
            return self
        return replace(self, lower=min(self.ends[0], lower), upper=max(self.ends[1], upper))


class Valued(Protocol):
    """What intervals are made of: a value from summed counts [… × fields], where it can lie, and clusters' sizes."""

    @property
    def value(self) -> Value: ...
    @property
    def bounds(self) -> Bounds: ...
    def sizes(self, counts: Floats) -> Floats: ...


_OF_INTERVAL = ("lower", "upper", "method", "clusters", "resamples", "level", "note", "effective_clusters")


def interval_dict(interval: Interval | None, *names: str) -> dict[str, Any]:
    """An interval, or what is named of it, as plain data; all null if none was made, the ends if there can be none."""
    if interval is None:
        return dict.fromkeys(names or _OF_INTERVAL)
    data = {
        "lower": interval.lower,
        "upper": interval.upper,
        "method": interval.method if not interval.note else None,
        "clusters": interval.n_clusters,
        "resamples": interval.n_resamples,
        "level": interval.level,
        "note": interval.note or None,
        "effective_clusters": interval.effective_clusters,
    }
    return {name: data[name] for name in names or _OF_INTERVAL}


def intervals(
    wanted: Sequence[tuple[Floats, Valued]],
    clusters: Clusters,
    options: InferenceOptions,
    progress: Progress | None = None,
) -> list[Interval]:
    """The interval of each value from every sentence's counts [sentences × …]; all are resampled in one pass.

    Where there are clusters of several sentences but few of them, it is the wider of theirs and the sentences'. What
    comes back for one value does not depend on what else is wanted.
    """
    summed = [(clusters.summed(counts), valued) for counts, valued in wanted]
    found = _over(summed, options, progress)
    if not clusters.are_few:
        return found
    return [wider(one, other) for one, other in zip(found, _over(wanted, options, None), strict=True)]


def _over(
    wanted: Sequence[tuple[Floats, Valued]], options: InferenceOptions, progress: Progress | None
) -> list[Interval]:
    sums: Sequence[Floats | None] = [None] * len(wanted)
    if wanted and options.resamples_with(len(wanted[0][0])):
        sums = bootstrap_sums([counts for counts, _ in wanted], options, progress)
    return [
        value_interval(counts, valued, options, None if drawn is None else valued.value(drawn))
        for (counts, valued), drawn in zip(wanted, sums, strict=True)
    ]


def wider(one: Interval, other: Interval) -> Interval:
    """The wider of the clusters' interval and that of sentences; where one cannot be made, that one, which says why.

    It is still called that of the clusters, whose number says how much it is worth.
    """
    if one.ends is None or other.ends is None:
        return one if one.note else other
    if one.ends[1] - one.ends[0] >= other.ends[1] - other.ends[0]:
        return one
    return replace(other, n_clusters=one.n_clusters, effective_clusters=one.effective_clusters)


def value_interval(
    counts: Floats,
    valued: Valued,
    options: InferenceOptions,
    resampled: Floats | None = None,
    strata: Indices | None = None,
) -> Interval:
    """The interval of a value from the clusters' counts [clusters × …]; `resampled` has the bootstrap's values.

    `strata` are as for `degrees_of_freedom`.
    """
    found = float(valued.value(counts.sum(axis=0)))
    if not counts.any():
        return no_interval(len(counts), options, "nothing to measure")
    if note := too_few(counts):
        return no_interval(len(counts), options, note)
    sizes = valued.sizes(counts)
    if not sizes.any():
        return no_interval(len(counts), options, "nothing to measure")
    if found in (0, 1) and valued.bounds == "share":
        return _one_sided(found, sizes, options)
    if options.method == "auto" and strata is None and (n_right := _right_units(found, counts, valued, sizes)):
        return _of_units(n_right, sizes, options)
    if (not found and valued.bounds == "positive") or (found == 1 and valued.bounds == "at most 1"):
        return no_interval(len(counts), options, f"every cluster scores {found:.0f}")
    if resampled is not None and not (is_defined := np.isfinite(resampled)).all():
        if (undefined := (~is_defined).mean()) > _MOST_UNDEFINED:
            return no_interval(len(counts), options, f"undefined in {100 * undefined:.0f} % of the resamples")
        resampled = resampled[is_defined]
    if valued.bounds != "at most 1":
        return _interval(found, counts, valued.value, sizes, options, resampled, scale_of(valued.bounds), strata)
    # what it is short of 1 is positive, and no more than 2
    drawn = None if resampled is None else 1 - resampled
    short = _interval(1 - found, counts, lambda some: 1 - valued.value(some), sizes, options, drawn, "t-log", strata)
    if short.ends is None:
        return short
    return replace(short, lower=max(1 - short.ends[1], min(found, -1.0)), upper=1 - short.ends[0])


def too_few(counts: Floats) -> str:
    """Why clusters with these counts [clusters × …] are too few for an interval; empty if they are not."""
    if len(counts) < 2:
        return "one cluster is too few for an interval"
    n_with_units = int(counts.reshape(len(counts), -1).any(axis=1).sum())
    if n_with_units == 1:
        return "all units are in one cluster"
    return "two clusters are too few for an interval" if n_with_units == 2 else ""


def _one_sided(found: float, sizes: Floats, options: InferenceOptions) -> Interval:
    """The interval of a score of 0 or 1, from which clusters do not differ: Clopper and Pearson's, of whole clusters.

    As if a cluster were one unit, all right or all wrong [Korn & Graubard 1998, whose design effect cannot be known
    where nothing varies].
    """
    n = effective_number(sizes)
    end = (1 - options.level) ** (1 / n)
    lower, upper = (0.0, 1 - end) if not found else (end, 1.0)
    return Interval(lower, upper, options.level, ONE_SIDED, len(sizes), 0, effective_clusters=n)


def _right_units(found: float, counts: Floats, valued: Valued, sizes: Floats) -> int:
    """How many clusters are right, where every one is a unit of equal size that is all right or all wrong, as sentences
    are of which a share is parsed without an error; 0 where the value is not a share of such units.
    """
    is_unit = sizes > 0
    if valued.bounds != "share" or sizes.min() < 0 or np.ptp(sizes[is_unit]):
        return 0
    each = valued.value(counts[is_unit])
    n_right = int((each == 1).sum())
    are_units = ((each == 0) | (each == 1)).all() and abs(n_right - found * len(each)) < 1e-6
    return n_right if are_units and n_right < len(each) else 0


def _of_units(n_right: int, sizes: Floats, options: InferenceOptions) -> Interval:
    """The binomial mid-p interval of a share of independent units [Lancaster 1961].

    Where one unit of many is right, or wrong, all the jackknife's error comes from that one: it is worth one degree of
    freedom, and Student's interval of 1 in 100 would reach to 41 %. Of 0 it is the one-sided interval.
    """
    n = int((sizes > 0).sum())
    tail = (1 - options.level) / 2
    lower, upper = (binomial_mid_p_end(n_right, n, share) for share in (tail, 1 - tail))
    return Interval(lower, upper, options.level, OF_UNITS, len(sizes), 0, effective_clusters=float(n))


def scale_of(bounds: Bounds) -> Scale:
    """The scale on which a value with these bounds has Student's interval."""
    return "t-logit" if bounds == "share" else "t-log"


def difference_interval(
    counts: Floats,
    value: Value,
    options: InferenceOptions,
    resampled: Floats | None = None,
    *,
    sizes: Floats,
    strata: Indices | None = None,
) -> Interval:
    """The interval of a difference, or of anything else that has no scale of its own."""
    if note := too_few(counts):
        return no_interval(len(counts), options, note)
    found = float(value(counts.sum(axis=0)))
    return _interval(found, counts, value, sizes, options, resampled, "t", strata)


def no_interval(n_clusters: int, options: InferenceOptions, note: str) -> Interval:
    """What stands where there can be no interval."""
    return Interval(None, None, options.level, "none", n_clusters, 0, note)


def degrees_of_freedom(sizes: Floats, without: Floats, strata: Indices | None = None) -> float:
    """Those of the jackknife's standard error, from the clusters' sizes and the values without each in turn.

    The smaller of two: one less than the effective number of clusters, for few may have most of the words; and
    2/(κ − 1/n) where κ is the kurtosis Σu⁴/(Σu²)² of what clusters change, for few may have most of the error: a
    variance that scatters as χ² with so many degrees of freedom does has it (n if all is normal). At least 1.

    Where clusters are drawn within strata (the stratum of each, from 0), the variance is a sum of theirs, and the first
    is Satterthwaite's (Σv)²/Σ(v²/df), each df one less than the stratum's effective number of clusters.
    """
    changes = without - math.fsum(without) / len(without)
    squares = changes * changes
    total = math.fsum(squares)
    kurtosis = math.fsum(squares * squares) / total**2 if total else 0.0
    excess = max(kurtosis - 1 / len(without), 1e-9)
    of_sizes = effective_number(sizes) - 1 if strata is None else _satterthwaite(sizes, squares, strata)
    return max(min(of_sizes, 2 / excess), 1.0)


def _satterthwaite(sizes: Floats, squares: Floats, strata: Indices) -> float:
    """The degrees of freedom of a sum of variances, each from the squares within a stratum."""
    variances, total, squared = (np.bincount(strata, weights=some) for some in (squares, sizes, sizes * sizes))
    effective = total * total / np.where(squared > 0, squared, 1)
    found = float((variances**2 / np.maximum(effective - 1, 1)).sum())
    return float(variances.sum()) ** 2 / found if found else 1.0


def _interval(
    found: float,
    counts: Floats,
    value: Value,
    sizes: Floats,
    options: InferenceOptions,
    resampled: Floats | None,
    scale: Scale,
    strata: Indices | None,
) -> Interval:
    n_clusters = len(counts)
    without = np.empty(0) if options.method == "percentile" else value(leave_one_out(counts))
    if not np.isfinite(without).all() or not math.isfinite(found):
        return no_interval(n_clusters, options, "undefined if one of the clusters is left out")
    if options.method != "percentile" and standard_error(without) <= _ROUNDING:
        return no_interval(n_clusters, options, NO_DIFFERENCE)
    if options.method in ("auto", "t"):
        df = degrees_of_freedom(sizes, without, strata)
        return student_interval(found, standard_error(without), df, sizes, options, scale)
    if resampled is None:
        raise ValueError(f"a {options.method} interval needs resampled values")
    if len(resampled) < 2:
        return no_interval(n_clusters, options, "one resample is too few for an interval")
    drawn = np.sort(resampled)
    if drawn[-1] - drawn[0] <= _ROUNDING:
        return no_interval(n_clusters, options, NO_DIFFERENCE)
    tails = ((1 - options.level) / 2, (1 + options.level) / 2)
    if options.method == "bca":
        tails = _bca_tails(found, without, resampled, tails)
    lower, upper = (_quantile(drawn, tail) for tail in tails)
    effective = effective_number(sizes)
    return Interval(lower, upper, options.level, options.method, n_clusters, len(drawn), effective_clusters=effective)


def student_interval(
    found: float, error: float, df: float, sizes: Floats, options: InferenceOptions, scale: Scale = "t"
) -> Interval:
    """Student's interval of a value with this standard error over clusters of these sizes."""
    ends = t_interval(found, error, df, options.level, scale)
    return Interval(*ends, options.level, scale, len(sizes), 0, effective_clusters=effective_number(sizes))


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
