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

__all__ = ["Spread", "spread"]


@dataclass(frozen=True, slots=True)
class Spread:
    """A standard error with its degrees of freedom, and how much of it comes from clusters and how much from runs."""

    error: float
    df: float
    cluster_error: float
    run_error: float


def spread(cluster_error: float, n_clusters: int, runs: Sequence[Sequence[float]]) -> Spread:
    """The standard error of a mean over runs, or of a difference of such means: one sequence of values a system.

    Var = SE²(clusters) + Σ s²/m over the systems with m > 1 runs. Degrees of freedom by Satterthwaite's formula. The
    variance between runs on one test set holds part of what clusters add (some runs suit some sentences), so the sum
    errs on the safe side. A system with a single run adds nothing: of its seeds nothing is known.
    """
    parts = [(cluster_error**2, n_clusters - 1)]
    parts += [(float(np.var(values, ddof=1)) / len(values), len(values) - 1) for values in runs if len(values) > 1]
    variance = sum(part for part, _ in parts)
    freedom = sum(part * part / df for part, df in parts if part and df)
    df = variance * variance / freedom if freedom else float(max(n_clusters - 1, 1))
    return Spread(math.sqrt(variance), df, cluster_error, math.sqrt(sum(part for part, _ in parts[1:])))
