"""Averages over treebanks as measures of their own, so that all that is said of a measure can be said of them.

Treebanks are given, and not drawn: only clusters within them are. A cluster is given a numerator and a denominator
whose sums make the average, and whose scatter is that of the cluster within its treebank:

    bottom = weight of the cluster;  top = what the cluster changes of the average + average · weight

What a cluster changes is by how much the average differs without it, scaled so that the ratio of sums is the average,
and its jackknife variance is that of the stratified jackknife, the sum over treebanks of (n−1)/n · Σ(θ₍ᵢ₎ − θ̄)² with
θ₍ᵢ₎ the average without a cluster of the treebank [Rust & Rao 1996]. Both are linear in what clusters change, so that a
comparison of two systems over such counts is one of their averages.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

import numpy as np

from karat._arrays import Floats
from karat.inference.clusters import Clusters
from karat.measures.measure import Measure, Ratio

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
    without = [_values_without(counts.sum(axis=0), counts, measure) / n for counts in treebanks]
    return _rows(without, np.concatenate([_weights(counts, measure) / n for counts in treebanks]), average)


def micro_counts(treebanks: Sequence[Floats], measure: Measure) -> Floats:
    """Top and bottom [clusters × 2] of the value of all treebanks' counts together."""
    every = np.vstack(treebanks)
    total = every.sum(axis=0)
    without = [_values_without(total, counts, measure) for counts in treebanks]
    return _rows(without, _weights(every, measure), float(measure.value(total)))


def _values_without(total: Floats, counts: Floats, measure: Measure) -> Floats:
    """The values without each cluster; where there is none, the value with it: of what it changes nothing is known."""
    without: Floats = measure.value(total - counts)
    return np.where(np.isfinite(without), without, measure.value(total))


def _weights(counts: Floats, measure: Measure) -> Floats:
    """How much of the value rests on each cluster; alike where nothing is there to weigh them."""
    sizes = measure.sizes(counts)
    total = sizes.sum()
    return sizes / total if total else np.full(len(counts), 1 / len(counts))


def _rows(without: Sequence[Floats], weights: Floats, average: float) -> Floats:
    """The rows whose jackknife is the stratified one of the averages without each cluster of each treebank.

    Without a row, the ratio of sums is the average − change/(1 − weight). A treebank of one cluster has no variance.
    """
    n = len(weights)
    moved = [one - one[:1] for one in without]  # so that clusters that change nothing change exactly nothing
    deviations = [(one.mean() - one) * np.sqrt((len(one) - 1) / len(one)) for one in moved]
    changes = np.concatenate(deviations) * np.sqrt(n / max(n - 1, 1))
    left = 1 - weights
    changes = (changes - (changes @ left) / max(left.sum(), 1e-300)) * left  # they sum to 0
    return np.column_stack([changes + average * weights, weights])


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
    n_documents = sum(one.n_documents for one in several)
    strata = np.repeat(np.arange(len(several)), np.diff(before))
    return Clusters(kind, signed, of_sentence, int(before[-1]), words, name, n_documents, strata)
