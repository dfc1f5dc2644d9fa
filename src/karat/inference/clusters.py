"""Which sentences, or which instances, belong together: the units that are resampled.

Errors come in clusters: a misread word spoils its sentence, an odd text all its sentences. Resampling must draw what is
independent, so it draws whole clusters; `karat.evaluation.gold_clusters` says which they are.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from karat._arrays import Floats, Indices

LARGE_SHARE = 0.2
ENOUGH = 20  # clusters of the same size: with fewer, intervals are wide and tests weak
_FEWEST_FOR_INTERVALS, _FEWEST_FOR_A_TEST = 3, 6
_UNEVEN = 0.45  # clusters whose effective number is a smaller share of them have uneven sizes
_FEW, _FEW_OF_UNEVEN = (0.05, 1.4), (0.07, 12.0)  # that carry a difference: a share of the clusters, or a number
_KINDS = {"sentence": "sentence", "document": "document", "instance": "instance", "type": "word type"}


def effective_number(sizes: Floats) -> float:
    """How many clusters of the same size clusters of these sizes are worth: (Σn)²/Σn² [Kish 1965].

    >>> effective_number(np.array([2.0, 2, 2])), effective_number(np.array([10.0, 1, 1]))
    (3.0, 1.411764705882353)
    """
    squares = math.fsum(sizes * sizes)
    return math.fsum(sizes) ** 2 / squares if squares else 0.0


def smallest_p(n_clusters: int) -> float:
    """The smallest p that swapping two systems on so many clusters can have: 2 of 2ⁿ ways."""
    return 2.0 ** (1 - max(n_clusters, 1))


def fewest_clusters(level: float, n_comparisons: int = 1) -> int:
    """The fewest clusters on which an adjusted p can be below 1 − level.

    >>> [fewest_clusters(0.95, n) for n in (1, 3, 6, 28)]
    [6, 7, 8, 11]
    """
    n = 1
    while smallest_p(n) * n_comparisons >= 1 - level:
        n += 1
    return n


def each_by_itself(n: int) -> Clusters:
    """Clusters of one each, as counts have that are summed already."""
    return Clusters("", "", np.arange(n), n)


def carried_by_few(sizes: Floats, influences: Floats) -> bool:
    """Whether few clusters carry a difference, given their sizes and how much each changes it.

    That is so if few have most of the squares that its standard error is made of, and sooner if sizes are uneven: then
    the distribution that tests and intervals take for granted is far off. Limits are such that homogeneous data, and
    uneven clusters with independent errors, are seldom warned of (docs/calibration.md).
    """
    n = int((sizes > 0).sum())
    if not n or not influences.any():
        return False
    carrying = effective_number(influences**2)
    share, least = _FEW_OF_UNEVEN if effective_number(sizes) < _UNEVEN * n else _FEW
    return carrying < max(share * n, least)


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """The cluster of every sentence in the test, as a number from 0.

    `kind` is sentence, document (of keys: instance, type) or a file's path; `signed` is how a signature names it.
    `words` are those of every sentence. `name_of` names a cluster. `n_documents` is how many documents are marked.
    `strata` has the stratum of every cluster, from 0, where clusters are drawn within strata, as within treebanks.
    """

    kind: str
    signed: str
    of_sentence: Indices
    n: int
    words: Floats | None = None
    name_of: Callable[[int], str | None] | None = None
    n_documents: int = 0
    strata: Indices | None = None

    def summed(self, counts: Floats) -> Floats:
        """The counts of every cluster [clusters × …] from those of every sentence [sentences × …]."""
        if self.n == len(self.of_sentence):
            return counts
        columns = counts.reshape(len(counts), -1).T
        sums = np.empty((self.n, len(columns)))
        for number, column in enumerate(columns):
            sums[:, number] = np.bincount(self.of_sentence, weights=column, minlength=self.n)
        return sums.reshape(self.n, *counts.shape[1:])

    def only(self, sentences: Indices) -> Clusters:
        """The clusters of some of the sentences, numbered without gaps."""
        distinct, numbers = np.unique(self.of_sentence[sentences], return_inverse=True)
        words = None if self.words is None else self.words[sentences]
        return Clusters(self.kind, self.signed, numbers.reshape(-1), len(distinct), words, None, self.n_documents)

    @property
    def are_few(self) -> bool:
        """Whether they are enough for an interval, but not for a test, and have several sentences each."""
        is_between = _FEWEST_FOR_INTERVALS <= self.n < _FEWEST_FOR_A_TEST
        return is_between and self.n < len(self.of_sentence)

    @property
    def sizes(self) -> Floats:
        """The words of every cluster; where they are not known, its sentences."""
        words = np.ones(len(self.of_sentence)) if self.words is None else self.words
        return np.bincount(self.of_sentence, weights=words, minlength=self.n).astype(np.float64)

    @property
    def effective(self) -> float:
        """How many clusters of the same size they are worth."""
        return effective_number(self.sizes)

    def warnings(self) -> tuple[str, ...]:
        """That they are too few, or that one outweighs the others, as text does that is outside of all documents."""
        if self.kind == "sentence" and self.n_documents == 1 and self.n >= _FEWEST_FOR_INTERVALS:
            return ("only one document is marked: results apply to text like it, not to other documents",)
        what = _KINDS.get(self.kind, "group")
        smaller = {"document": "sentence", "type": "instance"}.get(self.kind)
        instead = f'; `cluster="{smaller}"` treats {smaller}s as independent' if smaller else ""
        if self.n < _FEWEST_FOR_INTERVALS:
            few = f"only {self.n} {what}{'s' * (self.n > 1)}"
            return (f"{few}: too few for a confidence interval{instead}",)
        found = []
        sizes, effective = self.sizes, self.effective
        largest = int(sizes.argmax())
        share = float(sizes[largest] / sizes.sum()) if sizes.any() else 0.0
        if share > max(LARGE_SHARE, 1.5 / self.n):
            unit = "sentences" if self.words is None else "words"
            which = (self.name_of and self.name_of(largest)) or f"number {largest + 1}"
            found.append(
                f"the {what} {which} has {100 * share:.0f} % of the {unit}: intervals and tests depend mostly on it"
            )
        if effective < ENOUGH:
            few = f"only {self.n} {what}s" if self.n < ENOUGH else f"{self.n} {what}s"
            if effective < self.n - 0.5:
                few += f", worth {'only ' * (self.n >= ENOUGH)}{effective:.1f} of equal size"
            found.append(f"{few}: reliable CIs need {ENOUGH} or more")
        return tuple(found)
