"""Systems with several runs: the variance between the runs of one system belongs to its interval.

A system trained under several random seeds has as many outputs; its score is the mean of theirs. Clusters are one
source of its variance (what if the test set were another), runs a second (what if the seeds were others). Both are
added.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from karat._arrays import Floats
from karat.inference.resampling import standard_error

__all__ = ["Spread", "spread", "variance_within_runs"]


@dataclass(frozen=True, slots=True)
class Spread:
    """A standard error with its degrees of freedom, and how much of it comes from clusters and how much from runs."""

    error: float
    df: float
    cluster_error: float
    run_error: float


def spread(
    cluster_error: float,
    n_clusters: int,
    runs: Sequence[Sequence[float]],
    within: Sequence[float] | None = None,
) -> Spread:
    """The standard error of a mean over runs, or of a difference of such means: one sequence of values a system.

    Var = SE²(clusters) + Σ s²/m over the systems with m > 1 runs. Degrees of freedom by Satterthwaite's formula. Runs
    differ on one test set also because some suit some clusters, by a variance that SE²(clusters) has in it already:
    `within` gives it for each system (`variance_within_runs`), and it is taken off s². A system with a single run adds
    nothing: of its seeds nothing is known.
    """
    parts = [(cluster_error**2, n_clusters - 1)]
    for values, known in zip(runs, within or [0.0] * len(runs), strict=True):
        if len(values) > 1:
            parts.append((max(float(np.var(values, ddof=1)) - known, 0.0) / len(values), len(values) - 1))
    variance = sum(part for part, _ in parts)
    freedom = sum(part * part / df for part, df in parts if part and df)
    df = variance * variance / freedom if freedom else float(max(n_clusters - 1, 1))
    return Spread(math.sqrt(variance), df, cluster_error, math.sqrt(sum(part for part, _ in parts[1:])))


def variance_within_runs(without: Floats) -> float:
    """How far runs of a system would scatter on other clusters if they were equally good on all text.

    From the runs' values without each cluster in turn [clusters × runs]: the jackknife's variance of what each run has
    above their mean.
    """
    n_runs = int(without.shape[1])
    if n_runs < 2:
        return 0.0
    above: Floats = without - without.mean(axis=1, keepdims=True)
    errors = [standard_error(above[:, run]) for run in range(n_runs)]
    return math.fsum(error * error for error in errors) / (n_runs - 1)
