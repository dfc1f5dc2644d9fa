"""Halves of documents learnt from and classified, compiled: a permutation test does this thousands of times."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from karat._arrays import Flags, Floats, Ids, Indices
from karat._compiled import kernel, part_of_kernel

_ROUNDING = 1e-9  # what sums of logarithms leave where n-grams outweigh each other exactly


class Groups(NamedTuple):
    """The documents of two corpora: where each begins, in sentences; the units that they form; texts of sentences."""

    document_offsets: Indices
    unit_offsets: Indices
    unit_documents: Indices
    texts: Ids
    n_texts: int


class Bags(NamedTuple):
    """The sentences of these documents as bags of n-grams.

    Sentence i has the n-grams `kinds[offsets[i]:offsets[i + 1]]`. N-grams of a single document are left out, for no
    other can be recognised by them; `n_ngrams` counts them too, and `n_own` those that the document has here first,
    both of which smoothing needs. `log` has the logarithms of 1, 2, 3, …
    """

    offsets: Indices
    kinds: Ids
    n_kinds: int
    n_ngrams: Ids
    n_own: Ids
    log: Floats


@part_of_kernel
def _shuffle(values: Indices, n: int, random: np.random.Generator) -> None:
    for last in range(n - 1, 0, -1):
        other = int(random.random() * (last + 1))
        kept = values[last]
        values[last] = values[other]
        values[other] = kept


@part_of_kernel
def _halve(groups: Groups, is_first: Flags, order: Indices, learns: Flags, random: np.random.Generator) -> None:
    """Shuffle the units, and say which are learnt from: half of those of each corpus, and half of those of both.

    Of an odd number, chance decides which half is the larger.
    """
    n_units = len(order)
    has = np.zeros(n_units, dtype=np.int8)
    n_left = np.zeros(4, dtype=np.intp)
    for unit in range(n_units):
        for place in range(groups.unit_offsets[unit], groups.unit_offsets[unit + 1]):
            has[unit] |= 1 if is_first[groups.unit_documents[place]] else 2
        n_left[has[unit]] += 1
    for kind in range(1, 4):
        n_left[kind] = (n_left[kind] + int(2 * random.random())) // 2
    _shuffle(order, n_units, random)
    for place in range(n_units):
        unit = order[place]
        learns[unit] = n_left[has[unit]] > 0
        n_left[has[unit]] -= 1


@part_of_kernel
def _choose(
    groups: Groups,
    is_first: Flags,
    order: Indices,
    learns: Flags,
    wanted: bool,
    seen: Ids,
    now: int,
    chosen: Indices,
    of_first: Flags,
) -> int:
    """The sentences of one half, as many of both corpora, and whose they are; how many there are of each.

    The documents come in the order of their units; of the corpus that has more, the last ones are left out. Texts that
    are learnt are marked as seen now, and not classified: they would be recognised, or taken for their copies in the
    other corpus. Without as many sentences of both, one corpus would be preferred for how much was seen of it.
    """
    n_sentences = np.zeros(2, dtype=np.intp)
    for unit in range(len(order)):
        if learns[unit] == wanted:
            for place in range(groups.unit_offsets[unit], groups.unit_offsets[unit + 1]):
                document = groups.unit_documents[place]
                size = groups.document_offsets[document + 1] - groups.document_offsets[document]
                n_sentences[0 if is_first[document] else 1] += size
    left = np.full(2, min(n_sentences[0], n_sentences[1]), dtype=np.intp)
    most, n = left[0], 0
    for at in range(len(order)):
        unit = order[at]
        if learns[unit] != wanted:
            continue
        for place in range(groups.unit_offsets[unit], groups.unit_offsets[unit + 1]):
            document = groups.unit_documents[place]
            corpus = 0 if is_first[document] else 1
            sentence = groups.document_offsets[document]
            while left[corpus] and sentence < groups.document_offsets[document + 1]:
                if wanted or seen[groups.texts[sentence]] != now:
                    left[corpus] -= 1
                    chosen[n] = sentence
                    of_first[n] = corpus == 0
                    n += 1
                sentence += 1
    # texts that were learnt are missing, of one corpus more than of the other
    n_each = int(most - max(left[0], left[1]))
    n_all, n = n, 0
    left[:] = n_each
    for number in range(n_all):
        corpus = 0 if of_first[number] else 1
        if left[corpus]:
            left[corpus] -= 1
            chosen[n] = chosen[number]
            of_first[n] = of_first[number]
            n += 1
    if wanted:
        for number in range(n):
            seen[groups.texts[chosen[number]]] = now
    return n_each


@part_of_kernel
def _learn(
    bags: Bags,
    chosen: Indices,
    of_first: Flags,
    n_chosen: int,
    counts: Ids,
    weights: Floats,
    learnt: Ids,
    n_before: int,
) -> int:
    """Set the weight of each n-gram, log P(n-gram | first) - log P(n-gram | second); 0 if it was not learnt.

    `learnt` lists the n-grams learnt, so that only these cost time: `n_before` of the last split, and as many as are
    returned of this one.
    """
    for number in range(n_before):
        weights[learnt[number]] = 0.0
        counts[2 * learnt[number]] = counts[2 * learnt[number] + 1] = 0
    n_ngrams, n_own, n_learnt = np.zeros(2, dtype=np.int64), 0, 0
    for number in range(n_chosen):
        sentence, corpus = chosen[number], 0 if of_first[number] else 1
        n_ngrams[corpus] += bags.n_ngrams[sentence]
        n_own += bags.n_own[sentence]
        for token in range(bags.offsets[sentence], bags.offsets[sentence + 1]):
            kind = bags.kinds[token]
            if not counts[2 * kind] and not counts[2 * kind + 1]:
                learnt[n_learnt] = kind
                n_learnt += 1
            counts[2 * kind + corpus] += 1
    n_kinds = n_own + n_learnt
    larger = math.log((n_ngrams[0] + n_kinds) / (n_ngrams[1] + n_kinds))
    for number in range(n_learnt):
        kind = learnt[number]
        weights[kind] = bags.log[counts[2 * kind]] - bags.log[counts[2 * kind + 1]] - larger
    return n_learnt


@part_of_kernel
def _n_right(bags: Bags, sentence: int, is_of_first: bool, weights: Floats) -> float:
    """1 if the corpus of a sentence is recognised, 0 if it is taken for the other's, 1/2 if nothing speaks for one."""
    score = 0.0
    for token in range(bags.offsets[sentence], bags.offsets[sentence + 1]):
        score += weights[bags.kinds[token]]
    return 0.5 if abs(score) < _ROUNDING else 1.0 if (score > 0) == is_of_first else 0.0


@part_of_kernel
def _document_of(groups: Groups) -> Indices:
    found = np.empty(len(groups.texts), dtype=np.intp)
    for document in range(len(groups.document_offsets) - 1):
        for sentence in range(groups.document_offsets[document], groups.document_offsets[document + 1]):
            found[sentence] = document
    return found


@part_of_kernel
def _add_splits(
    groups: Groups,
    bags: Bags,
    is_first: Flags,
    n_splits: int,
    random: np.random.Generator,
    seen: Ids,
    now: int,
    n_right: Floats,
    n_classified: Indices,
) -> int:
    """Learn and classify so often, adding up by document; how many sentences of each corpus took part, in all."""
    n_units, n_sentences = len(groups.unit_offsets) - 1, len(groups.texts)
    order, learns = np.arange(n_units), np.zeros(n_units, dtype=np.bool_)
    chosen, of_first = np.empty(n_sentences, dtype=np.intp), np.empty(n_sentences, dtype=np.bool_)
    counts, weights = np.zeros(2 * bags.n_kinds, dtype=np.int32), np.zeros(bags.n_kinds)
    learnt, n_ngrams_learnt = np.empty(bags.n_kinds, dtype=np.int32), 0
    document_of = _document_of(groups)
    n_taking_part = 0
    for split in range(n_splits):
        _halve(groups, is_first, order, learns, random)
        n_learnt = _choose(groups, is_first, order, learns, True, seen, now + split, chosen, of_first)
        if not n_learnt:
            continue
        n_ngrams_learnt = _learn(bags, chosen, of_first, 2 * n_learnt, counts, weights, learnt, n_ngrams_learnt)
        n_each = _choose(groups, is_first, order, learns, False, seen, now + split, chosen, of_first)
        for number in range(2 * n_each):
            document = document_of[chosen[number]]
            n_classified[document] += 1
            n_right[document] += _n_right(bags, chosen[number], of_first[number], weights)
        n_taking_part += n_learnt + n_each
    return n_taking_part


@kernel
def outcomes(
    groups: Groups, bags: Bags, is_first: Flags, n_splits: int, random: np.random.Generator
) -> tuple[Floats, Indices, int]:
    """By document, how many sentences were recognised and how many classified; how many of each corpus took part."""
    n_right, n_classified = np.zeros(len(is_first)), np.zeros(len(is_first), dtype=np.intp)
    seen = np.full(groups.n_texts, -1, dtype=np.int32)
    n_taking_part = _add_splits(groups, bags, is_first, n_splits, random, seen, 0, n_right, n_classified)
    return n_right, n_classified, n_taking_part


@kernel
def chosen_sentences(
    groups: Groups, is_first: Flags, random: np.random.Generator
) -> tuple[Indices, Flags, Indices, Flags]:
    """The sentences to learn from and to classify, each with whose it is: for classifiers of other libraries."""
    n_units, n_sentences = len(groups.unit_offsets) - 1, len(groups.texts)
    order, learns = np.arange(n_units), np.zeros(n_units, dtype=np.bool_)
    seen = np.full(groups.n_texts, -1, dtype=np.int32)
    learnt, learnt_of_first = np.empty(n_sentences, dtype=np.intp), np.empty(n_sentences, dtype=np.bool_)
    chosen, of_first = np.empty(n_sentences, dtype=np.intp), np.empty(n_sentences, dtype=np.bool_)
    _halve(groups, is_first, order, learns, random)
    n_learnt = 2 * _choose(groups, is_first, order, learns, True, seen, 0, learnt, learnt_of_first)
    n = 2 * _choose(groups, is_first, order, learns, False, seen, 0, chosen, of_first)
    return learnt[:n_learnt], learnt_of_first[:n_learnt], chosen[:n], of_first[:n]


@kernel
def accuracy_of(is_first: Flags, n_right: Floats, n_classified: Indices) -> float:
    """The share of classified sentences that were recognised, the mean of both corpora; 0.5 if one has none."""
    right, of = np.zeros(2), np.zeros(2)
    for document in range(len(is_first)):
        corpus = 0 if is_first[document] else 1
        right[corpus] += n_right[document]
        of[corpus] += n_classified[document]
    return (right[0] / of[0] + right[1] / of[1]) / 2 if of[0] and of[1] else 0.5


@part_of_kernel
def _permute(groups: Groups, is_first: Flags, is_pure: Flags, permuted: Flags, random: np.random.Generator) -> None:
    """Permute which corpus documents are of: units of one corpus with each other, within the others documents."""
    labels = np.empty(len(is_first), dtype=np.intp)
    n = 0
    for unit in range(len(is_pure)):
        if is_pure[unit]:
            labels[n] = is_first[groups.unit_documents[groups.unit_offsets[unit]]]
            n += 1
    _shuffle(labels, n, random)
    n = 0
    for unit in range(len(is_pure)):
        if is_pure[unit]:
            for place in range(groups.unit_offsets[unit], groups.unit_offsets[unit + 1]):
                permuted[groups.unit_documents[place]] = labels[n] == 1
            n += 1
    for unit in range(len(is_pure)):
        if not is_pure[unit]:
            start, stop = groups.unit_offsets[unit], groups.unit_offsets[unit + 1]
            for place in range(start, stop):
                labels[place - start] = is_first[groups.unit_documents[place]]
            _shuffle(labels, stop - start, random)
            for place in range(start, stop):
                permuted[groups.unit_documents[place]] = labels[place - start] == 1


@kernel
def permuted_accuracies(
    groups: Groups,
    bags: Bags,
    is_first: Flags,
    is_pure: Flags,
    n_splits: int,
    n_permutations: int,
    random: np.random.Generator,
) -> Floats:
    """The accuracy after each of so many permutations of the documents' corpora.

    `is_pure` says which units have documents of one corpus only.
    """
    n_documents = len(is_first)
    n_right, n_classified = np.zeros(n_documents), np.zeros(n_documents, dtype=np.intp)
    seen = np.full(groups.n_texts, -1, dtype=np.int32)
    found = np.empty(n_permutations)
    permuted = is_first.copy()
    for number in range(n_permutations):
        _permute(groups, is_first, is_pure, permuted, random)
        n_right[:] = 0
        n_classified[:] = 0
        _add_splits(groups, bags, permuted, n_splits, random, seen, number * n_splits, n_right, n_classified)
        found[number] = accuracy_of(permuted, n_right, n_classified)
    return found
