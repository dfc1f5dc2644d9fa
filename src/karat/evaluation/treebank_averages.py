"""Averages over treebanks as measures of their own, so that all that is said of a measure can be said of them.

Treebanks are given, and not drawn: only clusters within them are. A cluster is given a numerator and a denominator
whose sums make the average, and whose scatter is that of the cluster within its treebank:

    bottom = weight of the cluster;  top = what the cluster changes of the average + average · weight

What a cluster changes is, to first order, the statistic's slope at the treebank's sums times the cluster's counts,
which sums to 0 within a treebank. So the ratio of sums is the average, its jackknife variance is the sum of the
variances within treebanks, and a comparison of two systems over such counts is one of their averages.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

import numpy as np

from karat._arrays import Floats
from karat.inference.clusters import Clusters
from karat.measures.measure import Measure, Ratio

__all__ = ["as_average", "macro_counts", "micro_counts", "pooled_clusters"]

_AVERAGE = Ratio("average", (0,), (1,))


def as_average(measure: Measure) -> Measure:
    """The measure with the average over treebanks as its value."""
    found = copy(measure)
    found.value, found.fields, found.has_parts, found.extras = _AVERAGE, ("top", "bottom"), False, {}
    return found


def macro_counts(treebanks: Sequence[Floats], measure: Measure) -> Floats:
    """Top and bottom [clusters × 2] of the mean of the treebanks' values, from their counts [clusters × fields]."""
    n = len(treebanks)
    average = float(np.mean([float(measure.value(counts.sum(axis=0))) for counts in treebanks]))
    changes = [counts @ measure.value.slopes(counts.sum(axis=0)) / n for counts in treebanks]
    return _rows(changes, np.concatenate([_weights(counts, measure) / n for counts in treebanks]), average)


def micro_counts(treebanks: Sequence[Floats], measure: Measure) -> Floats:
    """Top and bottom [clusters × 2] of the value of all treebanks' counts together."""
    every = np.vstack(treebanks)
    total = every.sum(axis=0)
    changes = [counts @ measure.value.slopes(total) for counts in treebanks]
    return _rows([one - one.mean() for one in changes], _weights(every, measure), float(measure.value(total)))


def _weights(counts: Floats, measure: Measure) -> Floats:
    """How much of the value rests on each cluster; alike where nothing is there to weigh them."""
    sizes = measure.sizes(counts)
    total = sizes.sum()
    weights: Floats = sizes / total if total else np.full(len(counts), 1 / len(counts))
    return weights


def _rows(changes: Sequence[Floats], weights: Floats, average: float) -> Floats:
    return np.column_stack([np.concatenate(changes) + average * weights, weights])


def pooled_clusters(several: Sequence[Clusters]) -> Clusters:
    """The clusters of all treebanks: each sentence's, numbered through."""
    before = np.cumsum([0, *(one.n for one in several)])
    of_sentence = np.concatenate([one.of_sentence + start for one, start in zip(several, before, strict=False)])
    kinds = {one.kind for one in several}
    kind = kinds.pop() if len(kinds) == 1 else "cluster"
    words = None if any(one.words is None for one in several) else np.concatenate([one.words for one in several])

    def name(number: int) -> str | None:
        place = int(np.searchsorted(before, number, side="right")) - 1
        name_of = several[place].name_of
        return name_of(number - int(before[place])) if name_of else None

    signed = ",".join(sorted({one.signed for one in several}))
    return Clusters(kind, signed, of_sentence, int(before[-1]), words, name, sum(one.n_documents for one in several))
