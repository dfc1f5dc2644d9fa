"""Relaxation labelling's loops over words, compiled: supports of n-grams, trees and single constraints, and updates.

Each sentence is laid out with edges before and behind it, which are words with one label of weight 1: so the loops need
no special cases.
"""

from __future__ import annotations

import numpy as np

from karat._arrays import Array, Floats, Ids, Indices
from karat._compiled import kernel, part_of_kernel

N_BEFORE, N_BEHIND = 3, 2
_MIX = np.uint64(0x9E3779B97F4A7C15)

# What kernels are given is plain tuples: numba would look for classes of an older karat in what it has kept.

Lattice = tuple[Indices, Indices, Ids, Floats, Ids, Ids, int, int]
Ngrams = tuple[Floats, Floats, Floats, Array, Floats, int]
Trees = tuple[Ids, Ids, Ids, Ids, Ids, Ids, Ids, Indices, Ids, Floats, Floats]


@part_of_kernel
def _triple(t1: int, t2: int, t3: int, of: Ngrams) -> float:
    _, every, backoff, keys, values, n_bits = of
    n = len(backoff)
    key = (t1 * n + t2) * n + t3
    if len(every):
        return float(every[key])
    mask = (1 << n_bits) - 1
    slot = np.int64((np.uint64(key) * _MIX) >> np.uint64(64 - n_bits))
    while keys[slot] != -1:
        if keys[slot] == key:
            return float(values[slot])
        slot = (slot + 1) & mask
    return float(backoff[t2, t3])


@part_of_kernel
def _add_pairs(length: int, begin: Indices, label: Ids, weight: Floats, of: Ngrams, support: Floats) -> None:
    pairs = of[0]
    for p in range(N_BEFORE, N_BEFORE + length + 1):
        for c in range(begin[p], begin[p + 1]):
            for b in range(begin[p - 1], begin[p]):
                strength = pairs[label[b], label[c]]
                support[c] += strength * weight[b]
                support[b] += strength * weight[c]


@part_of_kernel
def _add_triples(length: int, begin: Indices, label: Ids, weight: Floats, of: Ngrams, support: Floats) -> None:
    for p in range(N_BEFORE, N_BEFORE + length + 1):
        if begin[p + 1] - begin[p - 2] == 3:
            continue
        for a in range(begin[p - 2], begin[p - 1]):
            for b in range(begin[p - 1], begin[p]):
                both, of_b = weight[a] * weight[b], 0.0
                for c in range(begin[p], begin[p + 1]):
                    strength = _triple(label[a], label[b], label[c], of)
                    support[c] += strength * both
                    of_b += strength * weight[c]
                support[b] += of_b * weight[a]
                support[a] += of_b * weight[b]


@part_of_kernel
def _add_trees(
    first: int, length: int, begin: Indices, label: Ids, weight: Floats, tree: Ids, form: Ids, of: Trees,
    stack: Ids, shares: Floats, scale: float, support: Floats
) -> None:
    roots, attribute, child, n_children, value, to, leaf, tree_labels, tree_label, strength, _ = of
    for i in range(length):
        which = tree[first + i]
        p = N_BEFORE + i
        if which < 0 or begin[p + 1] - begin[p] == 1:
            continue
        stack[0], shares[0], top = roots[which], scale, 1
        while top:
            top -= 1
            node, share = stack[top], shares[top]
            if attribute[node] < 0:
                k, at = tree_labels[which], leaf[node]
                stop = tree_labels[which + 1]
                for c in range(begin[p], begin[p + 1]):
                    while k < stop and tree_label[k] < label[c]:
                        k += 1
                        at += 1
                    if k < stop and tree_label[k] == label[c]:
                        support[c] += share * strength[at]
                continue
            where, first_child = attribute[node], child[node]
            last = first_child + n_children[node] - 1
            if where >= 16:  # a form
                j = first + i + where - 24
                is_inside = 0 <= i + where - 24 < length
                wanted = form[j] if is_inside else -2
                k = first_child
                while k < last and value[k] != wanted:
                    k += 1
                stack[top], shares[top] = to[k], share
                top += 1
                continue
            q = p + where - N_BEFORE
            rest = share
            for c in range(begin[q], begin[q + 1]):
                k = first_child
                while k < last and value[k] != label[c]:
                    k += 1
                if k < last:
                    stack[top], shares[top] = to[k], share * weight[c]
                    rest -= shares[top]
                    top += 1
            if rest > 1e-9:
                stack[top], shares[top] = to[last], rest
                top += 1


@kernel
def relaxed(
    words: Lattice, of: Ngrams, trees: Trees, has_pairs: bool, has_triples: bool, scale: float, damping: float, is_damped: bool,
    n_rounds: int, enough: float, found: Floats
) -> int:
    """The weights of all candidates after relaxation, and how many rounds it took at most."""
    sentences, offsets, labels, prior, tree, form, longest, most = words
    edge = len(of[0]) - 1
    begin = np.zeros(longest + N_BEFORE + N_BEHIND + 1, np.int64)
    label = np.zeros(most + N_BEFORE + N_BEHIND, np.int32)
    weight, before = np.ones(len(label)), np.ones(len(label))
    support = np.zeros(len(label))
    stack, shares = np.zeros(1 << 16, np.int32), np.zeros(1 << 16)
    most_rounds = 0
    for s in range(len(sentences) - 1):
        first, length = sentences[s], sentences[s + 1] - sentences[s]
        if length == 0:
            continue
        at = offsets[first]
        size = offsets[first + length] - at
        for p in range(N_BEFORE + 1):
            begin[p] = p
        for i in range(length):
            begin[N_BEFORE + i + 1] = N_BEFORE + offsets[first + i + 1] - at
        for p in range(N_BEHIND):
            begin[N_BEFORE + length + 1 + p] = begin[N_BEFORE + length] + p + 1
        label[: size + N_BEFORE + N_BEHIND] = edge
        weight[: size + N_BEFORE + N_BEHIND] = 1.0
        label[N_BEFORE : N_BEFORE + size] = labels[at : at + size]
        before[N_BEFORE : N_BEFORE + size] = prior[at : at + size]
        weight[N_BEFORE : N_BEFORE + size] = prior[at : at + size]
        for number in range(n_rounds):
            support[: size + N_BEFORE + N_BEHIND] = 0.0
            if has_pairs:
                _add_pairs(length, begin, label, weight, of, support)
            if has_triples:
                _add_triples(length, begin, label, weight, of, support)
            if scale > 0:
                _add_trees(first, length, begin, label, weight, tree, form, trees, stack, shares, scale, support)
            change = 0.0
            for p in range(N_BEFORE, N_BEFORE + length):
                a, b = begin[p], begin[p + 1]
                if b - a == 1:
                    continue
                total = 0.0
                if is_damped:
                    largest = -1e300
                    for c in range(a, b):
                        largest = max(largest, support[c])
                    for c in range(a, b):
                        support[c] = before[c] * 2.0 ** (support[c] - largest)
                        total += support[c]
                else:
                    largest = 0.0
                    for c in range(a, b):
                        largest = max(largest, abs(support[c]))
                    for c in range(a, b):
                        support[c] = weight[c] * (1 + support[c] / (largest + 1e-12) * 0.99)
                        total += support[c]
                for c in range(a, b):
                    new = support[c] / total
                    if is_damped:
                        new = (1 - damping) * weight[c] + damping * new
                    change = max(change, abs(new - weight[c]))
                    weight[c] = new
            most_rounds = max(most_rounds, number + 1)
            if change < enough:
                break
        found[at : at + size] = weight[N_BEFORE : N_BEFORE + size]
    return most_rounds
