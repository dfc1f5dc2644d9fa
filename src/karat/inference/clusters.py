"""Which sentences, or which instances, belong together: the units that are resampled.

Errors come in clusters: a misread word spoils its sentence, an odd text all its sentences. Resampling must draw what is
independent, so it draws whole clusters; `karat.evaluation.clusters` says which they are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat._arrays import Floats, Indices

__all__ = ["FEWEST_DOCUMENTS", "Clusters"]

LARGE_SHARE = 0.2
FEWEST_DOCUMENTS = 20  # with fewer, resampling documents says too little; with so many it is the default


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """The cluster of every sentence in the test, as a number from 0.

    `kind` is sentence, document (of keys: instance, type) or a file's path; `signed` is how a signature names it.
    """

    kind: str
    signed: str
    of_sentence: Indices
    n: int

    def summed(self, counts: Floats) -> Floats:
        """The counts of every cluster [clusters × …] from those of every sentence [sentences × …]."""
        if self.n == len(self.of_sentence):
            return counts
        columns = counts.reshape(len(counts), -1).T
        sums = np.empty((self.n, len(columns)))
        for number, column in enumerate(columns):
            sums[:, number] = np.bincount(self.of_sentence, weights=column, minlength=self.n)
        return sums.reshape(self.n, *counts.shape[1:])

    @property
    def largest_share(self) -> float:
        """The share of the sentences that the largest cluster has."""
        return float(np.bincount(self.of_sentence).max()) / len(self.of_sentence) if self.n else 0.0

    def warnings(self) -> tuple[str, ...]:
        """That one cluster outweighs the others, as text does that is outside of all marked documents."""
        if self.kind == "type" and self.n < FEWEST_DOCUMENTS:
            few = "there is one word type" if self.n == 1 else f"there are {self.n} word types"
            return (f"{few}: too few to say how sure we are; --cluster instance resamples instances",)
        if self.kind in ("sentence", "instance", "type") or self.n < 5 or self.largest_share <= LARGE_SHARE:
            return ()
        what = "document" if self.kind == "document" else "group"
        share = f"{self.largest_share:.0%} of the sentences"
        return (f"one {what} has {share}: what is said of how sure we are rests on few clusters; is all text marked?",)
