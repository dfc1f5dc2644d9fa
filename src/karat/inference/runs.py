"""Systems with several runs: the variance between the runs of one system belongs to its interval.

A system trained under several random seeds has as many outputs; its score is the mean of theirs. Clusters are one
source of its variance (what if the test set were another), runs a second (what if the seeds were others). Both are
added. Of a system with a single run nothing is known of its seeds: it is taken to scatter as the others do.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from karat._arrays import Floats
from karat.inference.resampling import standard_error

FEWEST_RUNS = 3  # that say how far runs scatter: the variance of two is as good as unknown


@dataclass(frozen=True, slots=True)
class RunVariance:
    """The variance s² of runs on this test set, and what of it is there only because some runs suit some clusters."""

    total: float
    within: float
    df: float

    @property
    def between(self) -> float:
        """The variance of runs themselves."""
        return max(self.total - self.within, 0.0)


@dataclass(frozen=True, slots=True)
class Spread:
    """A standard error with its degrees of freedom, and how much of it comes from clusters and how much from runs."""

    error: float
    df: float
    cluster_error: float
    run_error: float


def spread(cluster_error: float, cluster_df: float, runs: Sequence[tuple[float, RunVariance]] = ()) -> Spread:
    """The standard error of a mean over runs, or of a difference of such means.

    Var = SE²(clusters) + Σ share · variance of runs; the share is 1/m for a system with m runs, and more where a system
    with a single run borrows the variance. The variance of runs is a difference, s² − w, and its degrees of freedom by
    Satterthwaite's formula are those of the whole: (Σ parts)² / Σ (s² · share)²/df, w likewise.
    """
    parts = [share * one.between for share, one in runs]
    variance = cluster_error**2 + math.fsum(parts)
    freedom = cluster_error**4 / max(cluster_df, 1.0)
    freedom += math.fsum((share * one.total) ** 2 / one.df for share, one in runs)
    freedom += math.fsum((share * one.within) ** 2 / (one.df * max(cluster_df, 1.0)) for share, one in runs)
    df = max(variance * variance / freedom, 1.0) if freedom else max(cluster_df, 1.0)
    return Spread(math.sqrt(variance), df, cluster_error, math.sqrt(math.fsum(parts)))


def run_variance(values: Sequence[float], without: Floats) -> RunVariance | None:
    """The variance of a system's runs, given their values and those without each cluster in turn [clusters × runs].

    What they would scatter if they were equally good on all text is the jackknife's variance of what each run has above
    their mean. None for a single run.
    """
    if len(values) < 2:
        return None
    above: Floats = without - without.mean(axis=1, keepdims=True)
    errors = [standard_error(above[:, run]) for run in range(len(values))]
    within = math.fsum(error * error for error in errors) / (len(values) - 1)
    return RunVariance(float(np.var(values, ddof=1)), within, len(values) - 1)


def pooled_variance(variances: Sequence[RunVariance]) -> RunVariance | None:
    """The mean of several variances, each with the weight of its degrees of freedom; None of none."""
    df = math.fsum(one.df for one in variances)
    if not df:
        return None
    total, within = (math.fsum(one.df * getattr(one, name) for one in variances) / df for name in ("total", "within"))
    return RunVariance(total, within, df)
