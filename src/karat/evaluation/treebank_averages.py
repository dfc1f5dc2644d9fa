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

from karat._arrays import Floats, Indices
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
    sums = [counts.sum(axis=0) for counts in treebanks]
    average = float(np.mean([float(measure.value(one)) for one in sums]))
    rows = []
    for counts, total in zip(treebanks, sums, strict=True):
        weights = _weights(counts, measure) / n
        rows.append(_rows(counts @ measure.value.slopes(total) / n, weights, average))
    return np.vstack(rows)


def micro_counts(treebanks: Sequence[Floats], measure: Measure) -> Floats:
    """Top and bottom [clusters × 2] of the value of all treebanks' counts together."""
    every = np.vstack(treebanks)
    total = every.sum(axis=0)
    average, slopes, weights = float(measure.value(total)), measure.value.slopes(total), _weights(every, measure)
    rows, start = [], 0
    for counts in treebanks:
        changes = counts @ slopes
        here = slice(start, start + len(counts))
        rows.append(_rows(changes - changes.mean(), weights[here], average))
        start += len(counts)
    return np.vstack(rows)


def _weights(counts: Floats, measure: Measure) -> Floats:
    """How much of the value rests on each cluster; alike where nothing is there to weigh them."""
    sizes = measure.sizes(counts)
    total = sizes.sum()
    weights: Floats = sizes / total if total else np.full(len(counts), 1 / len(counts))
    return weights


def _rows(changes: Floats, weights: Floats, average: float) -> Floats:
    return np.column_stack([changes + average * weights, weights])


def pooled_clusters(several: Sequence[Clusters]) -> Clusters:
    """The clusters of all treebanks: each sentence's, numbered through."""
    before = np.cumsum([0, *(one.n for one in several)])
    of_sentence: Indices = np.concatenate(
        [one.of_sentence + start for one, start in zip(several, before[:-1], strict=True)]
    )
    kinds = {one.kind for one in several}
    kind = kinds.pop() if len(kinds) == 1 else "cluster"
    words = None if any(one.words is None for one in several) else np.concatenate([one.words for one in several])
    names = [(one, int(start)) for one, start in zip(several, before[:-1], strict=True)]

    def name(number: int) -> str | None:
        one, start = next(pair for pair in reversed(names) if pair[1] <= number)
        return one.name_of(number - start) if one.name_of else None

    signed = ",".join(sorted({one.signed for one in several}))
    return Clusters(kind, signed, of_sentence, int(before[-1]), words, name, sum(one.n_documents for one in several))
