"""Which labels each of two systems wins: where both have brackets the other lacks, the whole hides the parts.

[Hogenhout & Matsumoto 1996, §3]: if YN and NY are both relatively high, the systems complement each other, and specific
structures should be tested.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from karat._arrays import Flags, Ids, Indices
from karat.inference.clusters import Clusters
from karat.inference.paired_units import PairCounts
from karat.inference.permutation import exact_test
from karat.inference.ranks import holm

FEWEST_EACH = 10  # units that one system alone has right, on both sides, for them to be called complementary
SMALLER_SHARE = 0.2  # of the units that only one has right, those of the system that has fewer


@dataclass(frozen=True, slots=True)
class LabelWin:
    """The gold brackets of one label: how many there are, how many only A and only B have (YN, NY).

    `flips` says that the other system is ahead than over all labels. `p` is that of the exact test over clusters,
    adjusted for the number of labels (Holm).
    """

    label: str
    gold: int
    yn: int
    ny: int
    flips: bool
    p_adjusted: float


def are_complementary(counts: PairCounts) -> bool:
    """Whether YN and NY are both relatively high."""
    smaller = min(counts.yn, counts.ny)
    return smaller >= FEWEST_EACH and smaller >= SMALLER_SHARE * (counts.yn + counts.ny)


def label_wins(
    labels: Ids, names: Sequence[str], sentences: Indices, a: Flags, b: Flags, clusters: Clusters
) -> list[LabelWin]:
    """The labels on which two systems differ: those that flip the sign first, then by how far they differ.

    `a` and `b` say which units each has right, `sentences` the sentence of each unit.
    """
    n = len(names)
    gold = np.bincount(labels, minlength=n)
    only_a, only_b = (np.bincount(labels[chosen], minlength=n) for chosen in (a & ~b, b & ~a))
    overall = int(only_b.sum() - only_a.sum())
    differing = np.flatnonzero(only_a + only_b)
    if not len(differing):
        return []
    of_unit = clusters.of_sentence.take(sentences)
    p = [_p(labels == number, of_unit, a, b, clusters.n) for number in differing.tolist()]
    found = [
        LabelWin(
            names[number],
            int(gold[number]),
            int(only_a[number]),
            int(only_b[number]),
            int(only_b[number] - only_a[number]) * overall < 0,
            adjusted,
        )
        for number, adjusted in zip(differing.tolist(), holm(p), strict=True)
    ]
    return sorted(found, key=lambda one: (not one.flips, -abs(one.ny - one.yn), one.label))


def _p(chosen: Flags, of_unit: Indices, a: Flags, b: Flags, n_clusters: int) -> float:
    """The exact test's p over clusters, on the chosen units."""
    ahead = np.bincount(of_unit[chosen & b & ~a], minlength=n_clusters)
    behind = np.bincount(of_unit[chosen & a & ~b], minlength=n_clusters)
    return exact_test(ahead - behind).p
