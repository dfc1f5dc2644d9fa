"""How corpora are told apart by whole documents, slow and plain: what `karat.gold.divergence` is held to.

A sentence is a tuple of its units, a document a list of sentences. Probabilities are products of fractions, so that
equal ones are equal. Random numbers are drawn in the order in which karat draws them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

__all__ = ["documents_accuracy", "documents_p", "same_text_units"]

Sentence = tuple[str, ...]
Document = Sequence[Sentence]


def same_text_units(documents: Sequence[Document]) -> list[int]:
    """The unit of each document: those share one of which, again and again, more than half of the larger is shared."""
    units = list(range(len(documents)))
    for a, one in enumerate(documents):
        for b, other in enumerate(documents):
            if 2 * len(set(one) & set(other)) > max(len(set(one)), len(set(other))):
                joined = {units[a], units[b]}
                units = [min(joined) if unit in joined else unit for unit in units]
    numbers = {unit: number for number, unit in enumerate(dict.fromkeys(units))}
    return [numbers[unit] for unit in units]


def documents_accuracy(
    documents: Sequence[Document],
    is_first: Sequence[bool],
    units: Sequence[int],
    n_splits: int,
    random: np.random.Generator,
) -> float:
    """The mean, of both corpora, of the share of classified sentences that were recognised, over all splits."""
    order = list(range(max(units) + 1))
    right: Counter[bool] = Counter()
    classified: Counter[bool] = Counter()
    for _ in range(n_splits):
        learning = _learning_units(order, is_first, units, random)
        in_order = [
            (document, is_first[number])
            for unit in order
            for number, document in enumerate(documents)
            if units[number] == unit
        ]
        where = [unit for unit in order for one in units if one == unit]
        learnt = [
            (sentence, corpus)
            for (document, corpus), unit in zip(in_order, where, strict=True)
            if unit in learning
            for sentence in document
        ]
        learnt = _as_many_of_both(learnt)
        known = {sentence for sentence, _ in learnt}
        others = [
            (sentence, corpus)
            for (document, corpus), unit in zip(in_order, where, strict=True)
            if unit not in learning
            for sentence in document
        ]
        # a corpus is cut to what the other has before copies are left out, and again after
        room = min(sum(corpus for _, corpus in others), sum(not corpus for _, corpus in others))
        new = [one for one in others if one[0] not in known]
        for sentence, corpus in _as_many_of_both(_at_most(new, room)) if learnt else ():
            classified[corpus] += 2
            odds = _odds(sentence, learnt)
            right[corpus] += 1 if odds == 1 else 2 * ((odds > 1) == corpus)
    if not (classified[True] and classified[False]):
        return 0.5
    return (right[True] / classified[True] + right[False] / classified[False]) / 2


def documents_p(
    documents: Sequence[Document],
    is_first: Sequence[bool],
    units: Sequence[int],
    n_splits: int,
    n_permutations: int,
    random: np.random.Generator,
) -> tuple[float, float]:
    """The accuracy, and the share of permutations, and of the data itself, with an accuracy as high."""
    observed = documents_accuracy(documents, is_first, units, n_splits, random)
    members = [[number for number, one in enumerate(units) if one == unit] for unit in range(max(units) + 1)]
    pure = [its for its in members if len({is_first[number] for number in its}) == 1]
    n_as_high = 1
    for _ in range(n_permutations):
        permuted = list(is_first)
        labels = [is_first[its[0]] for its in pure]
        _shuffle(labels, random)
        for its, label in zip(pure, labels, strict=True):
            for number in its:
                permuted[number] = label
        for its in members:
            if its not in pure:
                labels = [is_first[number] for number in its]
                _shuffle(labels, random)
                for number, label in zip(its, labels, strict=True):
                    permuted[number] = label
        n_as_high += documents_accuracy(documents, permuted, units, n_splits, random) >= observed
    return observed, n_as_high / (n_permutations + 1)


def _learning_units(
    order: list[int], is_first: Sequence[bool], units: Sequence[int], random: np.random.Generator
) -> set[int]:
    """Half of the units of the first corpus only, of the second only and of both; the order is shuffled."""
    corpora = {unit: {is_first[number] for number, one in enumerate(units) if one == unit} for unit in order}
    strata: list[set[bool]] = [{True}, {False}, {True, False}]
    sizes = []
    for stratum in strata:
        n = sum(found == stratum for found in corpora.values())
        sizes.append((n + int(2 * random.random())) // 2)
    _shuffle(order, random)
    return {
        unit
        for stratum, size in zip(strata, sizes, strict=True)
        for unit in [unit for unit in order if corpora[unit] == stratum][:size]
    }


def _shuffle(values: list[Any], random: np.random.Generator) -> None:
    for last in reversed(range(1, len(values))):
        other = int(random.random() * (last + 1))
        values[last], values[other] = values[other], values[last]


def _at_most(sentences: list[tuple[Sentence, bool]], n: int) -> list[tuple[Sentence, bool]]:
    seen: Counter[bool] = Counter()
    kept = []
    for sentence, corpus in sentences:
        seen[corpus] += 1
        if seen[corpus] <= n:
            kept.append((sentence, corpus))
    return kept


def _as_many_of_both(sentences: list[tuple[Sentence, bool]]) -> list[tuple[Sentence, bool]]:
    n_first = sum(corpus for _, corpus in sentences)
    return _at_most(sentences, min(n_first, len(sentences) - n_first))


def _ngrams(sentence: Sentence) -> list[tuple[str, ...]]:
    return [*((unit,) for unit in sentence), *pairwise(sentence)]


def _odds(sentence: Sentence, learnt: list[tuple[Sentence, bool]]) -> Fraction:
    """P(sentence | first) / P(sentence | second), each n-gram seen once more than it was."""
    counts = {
        corpus: Counter(gram for one, its in learnt if its == corpus for gram in _ngrams(one))
        for corpus in (True, False)
    }
    vocabulary = {*counts[True], *counts[False]}
    odds = Fraction(1)
    for gram in _ngrams(sentence):
        if gram in vocabulary:
            odds *= Fraction(counts[True][gram] + 1, counts[True].total() + len(vocabulary))
            odds /= Fraction(counts[False][gram] + 1, counts[False].total() + len(vocabulary))
    return odds
