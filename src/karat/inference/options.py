"""How inference is done: what is resampled, how often, and how intervals are made."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from typing import Literal, get_args

from karat.errors import UsageError
from karat.options import option

Method = Literal["auto", "percentile", "bca", "t"]

MOST_RESAMPLES = 1_000_000


@dataclass(frozen=True, slots=True)
class InferenceOptions:
    """What intervals and tests are made with.

    `n_resamples` 0 makes no intervals and no test that resamples. `cluster` is "sentence", "document" or the path of a
    file with a group for each gold sentence; None chooses (`karat.evaluation.gold_clusters`). `method` "auto" is
    Student's t, without resamples. Results do not depend on `jobs`.
    """

    cluster: str | os.PathLike[str] | None = option(
        None,
        "Unit of resampling; FILE names a group for each gold sentence, one per line (default: documents if "
        "two or more are marked, else sentences; for sense keys, word types).",
        metavar="sentence|document|type|instance|FILE",
    )
    n_resamples: int = option(10_000, "Number of resamples; 0: no intervals.", flag="--resamples", metavar="N", least=0)
    level: float = option(0.95, "Confidence level of intervals; tests use 1 − level.", least=0.5, below=1)
    method: Method = option(
        "auto", "Interval method: auto is t; percentile and bca resample.", choices=get_args(Method)
    )
    seed: int = option(0, "Random seed.", least=0)
    jobs: int = option(1, "Number of threads; results do not depend on it.", least=1)

    def __post_init__(self) -> None:
        if not 0 <= self.n_resamples <= MOST_RESAMPLES:
            raise UsageError(f"{self.n_resamples} resamples: give a number from 0 to {MOST_RESAMPLES:,}")
        if not 0.5 <= self.level < 1:
            raise UsageError(f"level {self.level}: it must lie between 0.5 and 1, as in 0.95")
        if self.method not in get_args(Method):
            raise UsageError(f"unknown interval method {self.method!r}; choose from {', '.join(get_args(Method))}")
        if self.seed < 0:
            raise UsageError(f"seed {self.seed}: it cannot be negative")
        if self.jobs < 1:
            raise UsageError(f"{self.jobs} jobs: there must be at least one")

    def resamples_with(self, n_clusters: int) -> bool:
        """Whether intervals need resamples with so many clusters."""
        return self.n_resamples > 0 and n_clusters > 2 and self.method in ("percentile", "bca")

    def too_few(self) -> str:
        """Why the resamples are too few for the level; empty if they are not."""
        needed = math.ceil(20 / (1 - self.level))
        if not 0 < self.n_resamples < needed:
            return ""
        few = "1 resample is" if self.n_resamples == 1 else f"{self.n_resamples:,} resamples are"
        return (
            f"{few} too few for a level of {self.level:.10g}: interval bounds and small "
            f"p are unreliable; use {needed:,} or more"
        )

    def signed(self) -> list[tuple[str, str]]:
        """The settings that a signature names, but for the clusters."""
        settings = [("level", repr(self.level)), ("intervals", self.method), ("resamples", str(self.n_resamples))]
        return [*settings, ("seed", str(self.seed))]
