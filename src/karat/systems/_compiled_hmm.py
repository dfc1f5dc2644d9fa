"""The hidden Markov model's loops over words, compiled: Viterbi, and forward and backward.

Probabilities are scaled word by word, so that nothing underflows; of a trellis the states are pairs of candidates.
"""

from __future__ import annotations

import numpy as np

from karat._arrays import Array, Floats, Ids, Indices
from karat._compiled import kernel, part_of_kernel

_MIX = np.uint64(0x9E3779B97F4A7C15)


# What kernels are given is plain tuples: numba would look for classes of an older karat in what it has kept.

# The probability of a label after two others: every one, by (t1·n + t2)·n + t3, if they are not too many. Else
# pairs[t2, t3], in which unigrams are, and what trigrams add, which stands in a hash table with open addressing, of the
# same keys, or -1, and values, of 2^n_bits slots. Of the n labels the last is the edge of sentences.
Transitions = tuple[Floats, Floats, Array, Floats, int]
# Where sentences begin; where the candidates of words begin, their labels, and the probability of the word given each;
# the largest number of candidates, and of words in a sentence.
Lattice = tuple[Indices, Indices, Ids, Floats, int, int]


@part_of_kernel
def slot_of(key: int, n_bits: int) -> np.int64:
    """The first slot to look for a key in, of 2^n_bits."""
    return np.int64((np.uint64(key) * _MIX) >> np.uint64(64 - n_bits))


@kernel
def hash_table(keys: Array, values: Floats, n_bits: int) -> tuple[Array, Floats]:
    """A table of 2^n_bits slots, fewer than half of which are taken."""
    table_keys = np.full(1 << n_bits, -1, np.int64)
    table_values = np.zeros(1 << n_bits, np.float64)
    mask = (1 << n_bits) - 1
    for number in range(len(keys)):
        slot = slot_of(keys[number], n_bits)
        while table_keys[slot] != -1 and table_keys[slot] != keys[number]:
            slot = (slot + 1) & mask
        table_keys[slot] = keys[number]
        table_values[slot] = values[number]
    return table_keys, table_values


@part_of_kernel
def _transition(t1: int, t2: int, t3: int, of: Transitions) -> float:
    every, pairs, keys, values, n_bits = of
    key = (t1 * len(pairs) + t2) * len(pairs) + t3
    if len(every):
        return float(every[key])
    found = pairs[t2, t3]
    if len(keys) > 1:
        mask = (1 << n_bits) - 1
        slot = slot_of(key, n_bits)
        while keys[slot] != -1:
            if keys[slot] == key:
                return float(found + values[slot])
            slot = (slot + 1) & mask
    return float(found)


@part_of_kernel
def _candidates(i: int, first: int, offsets: Indices) -> tuple[int, int]:
    """Where the candidates of a word begin, and how many there are; one, the edge, before a sentence."""
    if i < first:
        return 0, 1
    return int(offsets[i]), int(offsets[i + 1] - offsets[i])


@part_of_kernel
def _label(i: int, first: int, begin: int, k: int, labels: Ids, edge: int) -> int:
    return edge if i < first else int(labels[begin + k])


@kernel
def best_paths(words: Lattice, of: Transitions, tags: Ids) -> None:
    """The labels of each sentence that are likeliest together; of equally likely ones the first candidates."""
    sentences, offsets, labels, emissions, most, longest = words
    edge = len(of[1]) - 1
    old, new = np.zeros((most, most)), np.zeros((most, most))
    back = np.zeros((longest, most, most), np.int32)
    for s in range(len(sentences) - 1):
        first, stop = sentences[s], sentences[s + 1]
        if first == stop:
            continue
        old[0, 0] = 1.0
        for i in range(first, stop):
            begin_a, n_a = _candidates(i - 2, first, offsets)
            begin_b, n_b = _candidates(i - 1, first, offsets)
            begin, n_c = offsets[i], offsets[i + 1] - offsets[i]
            largest = 0.0
            for c in range(n_c):
                t3 = labels[begin + c]
                for b in range(n_b):
                    t2 = _label(i - 1, first, begin_b, b, labels, edge)
                    best, which = -1.0, 0
                    for a in range(n_a):
                        t1 = _label(i - 2, first, begin_a, a, labels, edge)
                        p = old[a, b] * _transition(t1, t2, t3, of)
                        if p > best:
                            best, which = p, a
                    new[b, c] = best * emissions[begin + c]
                    back[i - first, b, c] = which
                    largest = max(largest, new[b, c])
            scale = 1.0 / largest if largest > 0 else 1.0
            for b in range(n_b):
                for c in range(n_c):
                    new[b, c] *= scale
            old, new = new, old
        begin_b, n_b = _candidates(stop - 2, first, offsets)
        begin, n_c = offsets[stop - 1], offsets[stop] - offsets[stop - 1]
        best, at_b, at_c = -1.0, 0, 0
        for b in range(n_b):
            t1 = _label(stop - 2, first, begin_b, b, labels, edge)
            for c in range(n_c):
                t2 = labels[begin + c]
                p = old[b, c] * _transition(t1, t2, edge, of)
                if p > best:
                    best, at_b, at_c = p, b, c
        for i in range(stop - 1, first - 1, -1):
            tags[i] = labels[offsets[i] + at_c]
            at_b, at_c = back[i - first, at_b, at_c], at_b


@kernel
def posteriors(words: Lattice, of: Transitions, found: Floats) -> None:
    """How likely each candidate of each word is, given the whole sentence."""
    sentences, offsets, labels, emissions, most, longest = words
    edge = len(of[1]) - 1
    forward = np.zeros((longest, most, most))
    backward, behind = np.zeros((most, most)), np.zeros((most, most))
    for s in range(len(sentences) - 1):
        first, stop = sentences[s], sentences[s + 1]
        if first == stop:
            continue
        for i in range(first, stop):
            begin_a, n_a = _candidates(i - 2, first, offsets)
            begin_b, n_b = _candidates(i - 1, first, offsets)
            begin, n_c = offsets[i], offsets[i + 1] - offsets[i]
            total = 0.0
            for c in range(n_c):
                t3 = labels[begin + c]
                for b in range(n_b):
                    t2 = _label(i - 1, first, begin_b, b, labels, edge)
                    p = 0.0
                    for a in range(n_a):
                        t1 = _label(i - 2, first, begin_a, a, labels, edge)
                        before = 1.0 if i == first else forward[i - first - 1, a, b]
                        p += before * _transition(t1, t2, t3, of)
                    forward[i - first, b, c] = p * emissions[begin + c]
                    total += forward[i - first, b, c]
            for b in range(n_b):
                for c in range(n_c):
                    forward[i - first, b, c] /= total
        begin_b, n_b = _candidates(stop - 2, first, offsets)
        begin, n_c = offsets[stop - 1], offsets[stop] - offsets[stop - 1]
        for b in range(n_b):
            t1 = _label(stop - 2, first, begin_b, b, labels, edge)
            for c in range(n_c):
                backward[b, c] = _transition(t1, labels[begin + c], edge, of)
        for i in range(stop - 1, first - 1, -1):
            begin_a, n_a = _candidates(i - 2, first, offsets)
            begin_b, n_b = _candidates(i - 1, first, offsets)
            begin, n_c = offsets[i], offsets[i + 1] - offsets[i]
            total = 0.0
            for c in range(n_c):
                found[begin + c] = 0.0
                for b in range(n_b):
                    found[begin + c] += forward[i - first, b, c] * backward[b, c]
                total += found[begin + c]
            for c in range(n_c):
                found[begin + c] /= total
            total = 0.0
            for a in range(n_a):
                t1 = _label(i - 2, first, begin_a, a, labels, edge)
                for b in range(n_b):
                    t2 = _label(i - 1, first, begin_b, b, labels, edge)
                    p = 0.0
                    for c in range(n_c):
                        p += _transition(t1, t2, labels[begin + c], of) * emissions[begin + c] * backward[b, c]
                    behind[a, b] = p
                    total += p
            for a in range(n_a):
                for b in range(n_b):
                    behind[a, b] /= total
            backward, behind = behind, backward
