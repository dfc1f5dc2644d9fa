"""The loops over words of the perceptron over categories, compiled: learning and tagging among candidates.

A weight belongs to a feature of a word and an output, a part of a label; it is found by a hash of the two. What a word
looks like is hashed once a form; what labels before it look like is hashed once a label.
"""

from __future__ import annotations

import numpy as np

from karat._arrays import Array, Floats, Ids, Indices
from karat._compiled import kernel, part_of_kernel

_MIX = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
_MOST = 112  # features of a word
N_VIEWS = 3  # of a label: the whole tag, part of speech and case, number with case and gender

# What kernels are given is plain tuples: numba would look for classes of an older karat in what it has kept.

# The hashes of forms in each role [forms + 1 × templates], the last form the edge: of the word itself, of those beside
# it and of those two away (the first of `current` is the form, the second an ending, the third its class; the first of
# `beside` is the form, the second its class); the hashes of labels around [labels + 1 × N_VIEWS], the last the edge;
# the outputs of labels [labels × outputs].
Views = tuple[Array, Array, Array, Array, Ids]
# Sentences, forms, the candidates of words as offsets and labels, and the guide's label of each word.
Lattice = tuple[Indices, Ids, Indices, Ids, Ids]


@part_of_kernel
def _pair(kind: int, a: np.uint64, b: np.uint64) -> np.uint64:
    h = (a + np.uint64(kind)) * _MIX[0]
    h ^= h >> np.uint64(29)
    h = (h + b) * _MIX[1]
    return np.uint64(h ^ (h >> np.uint64(32)))


@part_of_kernel
def _place(feature: np.uint64, output: int, shift: np.uint64) -> np.int64:
    h = (feature ^ (np.uint64(output) * _MIX[0])) * _MIX[2]
    h ^= h >> np.uint64(32)
    return np.int64((h * _MIX[1]) >> shift)


@part_of_kernel
def _features(i: int, first: int, stop: int, words: Lattice, views: Views, t1: int, t2: int, found: Array) -> int:
    """The hashes of a word's features, given the labels before it; how many there are."""
    forms, guide = words[1], words[4]
    current, beside, far, of_labels, outputs = views
    edge = len(current) - 1
    w = forms[i]
    before = forms[i - 1] if i > first else edge
    after = forms[i + 1] if i + 1 < stop else edge
    before_that = forms[i - 2] if i - 1 > first else edge
    after_that = forms[i + 2] if i + 2 < stop else edge
    n = 0
    for k in range(current.shape[1]):
        found[n] = current[w, k]
        n += 1
    for k in range(beside.shape[1]):
        found[n] = _pair(1, beside[before, k], np.uint64(0))
        found[n + 1] = _pair(2, beside[after, k], np.uint64(0))
        n += 2
    for k in range(far.shape[1]):
        found[n] = _pair(3, far[before_that, k], np.uint64(0))
        found[n + 1] = _pair(4, far[after_that, k], np.uint64(0))
        n += 2
    form, ending, own_class = current[w, 0], current[w, 1], current[w, 2]
    class_before, class_after = beside[before, 1], beside[after, 1]
    found[n] = _pair(5, beside[before, 0], form)
    found[n + 1] = _pair(6, form, beside[after, 0])
    found[n + 2] = _pair(7, own_class, class_before)
    found[n + 3] = _pair(8, own_class, class_after)
    found[n + 4] = _pair(9, class_before, class_after)
    found[n + 5] = _pair(10, class_after, far[after_that, 1])
    n += 6
    for k in range(N_VIEWS):
        one, two = of_labels[t1, k], of_labels[t2, k]
        found[n] = _pair(11 + k, one, np.uint64(0))
        found[n + 1] = _pair(14 + k, two, np.uint64(0))
        found[n + 2] = _pair(17 + k, one, two)
        found[n + 3] = _pair(20 + k, one, own_class)
        found[n + 4] = _pair(23 + k, one, class_after)
        found[n + 5] = _pair(26 + k, one, ending)
        found[n + 6] = _pair(29 + k, one, form)
        n += 7
    none = len(outputs)
    own = guide[i]
    next_one = guide[i + 1] if i + 1 < stop else none
    next_two = guide[i + 2] if i + 2 < stop else none
    for k in range(N_VIEWS):
        found[n] = _pair(32 + k, of_labels[own, k], np.uint64(0))
        found[n + 1] = _pair(35 + k, of_labels[own, k], form)
        found[n + 2] = _pair(38 + k, of_labels[next_one, k], np.uint64(0))
        found[n + 3] = _pair(41 + k, of_labels[next_one, k], own_class)
        found[n + 4] = _pair(44 + k, of_labels[next_one, k], of_labels[t1, k])
        found[n + 5] = _pair(47 + k, of_labels[next_one, k], of_labels[next_two, k])
        n += 6
    return n


@part_of_kernel
def _score(features: Array, n: int, label: int, outputs: Ids, weights: Array, shift: np.uint64) -> float:
    """The score of a label: the sum of the weights of its outputs with all features."""
    total = 0.0
    for k in range(outputs.shape[1]):
        output = outputs[label, k]
        if output >= 0:
            for j in range(n):
                total += weights[_place(features[j], output, shift)]
    return total


@part_of_kernel
def _best(
    features: Array, n: int, candidates: Ids, outputs: Ids, weights: Array, shift: np.uint64, found: Floats
) -> int:
    """The candidate with the highest score, of equal ones the first; `found` has the scores of all."""
    best = 0
    for place in range(len(candidates)):
        found[place] = _score(features, n, candidates[place], outputs, weights, shift)
        if found[place] > found[best]:
            best = place
    return int(candidates[best])


@part_of_kernel
def _learn(
    features: Array, n: int, gold: int, best: int, outputs: Ids, weights: Array, sums: Array, now: int, shift: np.uint64
) -> None:
    """Weights of outputs that only the right label has go up, those that only the best one has go down."""
    for k in range(outputs.shape[1]):
        right, wrong = outputs[gold, k], outputs[best, k]
        if right != wrong:
            for j in range(n):
                if right >= 0:
                    place = _place(features[j], right, shift)
                    weights[place] += 1
                    sums[place] += now
                if wrong >= 0:
                    place = _place(features[j], wrong, shift)
                    weights[place] -= 1
                    sums[place] -= now


@kernel
def epoch(
    order: Indices, words: Lattice, gold: Ids, views: Views, weights: Array, sums: Array, now: int, n_bits: int
) -> int:
    """Learn from the sentences in this order, with the labels before a word as predicted; how many words were seen."""
    sentences, _, offsets, labels, _ = words
    outputs, edge, shift = views[4], len(views[4]), np.uint64(64 - n_bits)
    features = np.zeros(_MOST, np.uint64)
    scores = np.zeros(len(outputs), np.float64)
    for s in order:
        first, stop = sentences[s], sentences[s + 1]
        t1 = t2 = edge
        for i in range(first, stop):
            begin, end = offsets[i], offsets[i + 1]
            best = int(labels[begin])
            if end - begin > 1:
                n = _features(i, first, stop, words, views, t1, t2, features)
                best = _best(features, n, labels[begin:end], outputs, weights, shift, scores[: end - begin])
                if best != gold[i]:
                    _learn(features, n, gold[i], best, outputs, weights, sums, now, shift)
            now += 1
            t2, t1 = t1, best
    return now


@kernel
def tagged(words: Lattice, views: Views, weights: Array, n_bits: int, tags: Ids, scores: Floats) -> None:
    """Tag all sentences; `scores` are those of all candidates."""
    sentences, _, offsets, labels, _ = words
    outputs, edge, shift = views[4], len(views[4]), np.uint64(64 - n_bits)
    features = np.zeros(_MOST, np.uint64)
    for s in range(len(sentences) - 1):
        first, stop = sentences[s], sentences[s + 1]
        t1 = t2 = edge
        for i in range(first, stop):
            begin, end = offsets[i], offsets[i + 1]
            best = int(labels[begin])
            if end - begin > 1:
                n = _features(i, first, stop, words, views, t1, t2, features)
                best = _best(features, n, labels[begin:end], outputs, weights, shift, scores[begin:end])
            tags[i] = best
            t2, t1 = t1, best
