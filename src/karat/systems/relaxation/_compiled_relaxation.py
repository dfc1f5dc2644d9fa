"""Relaxation labelling's loops over words, compiled: supports by pairs, triples, trees and stated constraints; updates.

Each sentence is laid out with edges before and behind it, which are words with one label of weight 1: so the loops need
no special cases.
"""

from __future__ import annotations

import numpy as np

from karat._arrays import Array, Floats, Ids, Indices
from karat._compiled import kernel, part_of_kernel
from karat.systems._compiled_hmm import slot_of

_N_BEFORE, _N_BEHIND = 3, 2  # edges
_N_LABEL_ATTRIBUTES = 5
_POSITIONS = np.array([-3, -2, -1, 1, 2, -2, -1, 0, 1, 2])  # of attributes: labels, then forms

# What kernels are given is plain tuples: numba would look for classes of an older karat in what it has kept.

# Where sentences begin; where the candidates of words begin, their labels, and P(label | form); the class and the form
# of each word, or -1; the largest number of words in a sentence, and of candidates.
Lattice = tuple[Indices, Indices, Ids, Floats, Ids, Ids, int, int]
# The number of labels, the last of which is the edge; strengths of pairs [n × n], or none; those of all triples by (a·n
# + b)·n + c, if these are not too many; else those of triples that are in no hash table by b and c [n × n], or none,
# and the table's keys, or -1, and values, of 2^n_bits slots.
Ngrams = tuple[int, Floats, Floats, Floats, Array, Floats, int]
# As in `trees.AcquiredTrees`, with the row of strengths of each leaf, and how many branches are ever open.
Trees = tuple[Ids, Ids, Ids, Ids, Ids, Indices, Indices, Ids, Floats, int]
# Constraints sorted by head: where those of each label begin; their strengths; where the conditions of each begin; of
# each condition the position, the kind (0 label, 1 form, 2 class) and whether it is negated; where its values begin,
# and these.
Stated = tuple[Indices, Floats, Indices, Ids, Ids, Ids, Indices, Ids]
# A sentence: its first word and how many it has, where the candidates of each word begin, edges among them, and their
# labels.
Laid = tuple[int, int, Indices, Ids]


@part_of_kernel
def _lay_out(words: Lattice, s: int, edge: int, begin: Indices, label: Ids) -> tuple[Laid, int, int]:
    """Sentence s with edges; and the first of its candidates, and how many there are."""
    sentences, offsets, labels, _, _, _, _, _ = words
    first, length = sentences[s], sentences[s + 1] - sentences[s]
    at = offsets[first]
    size = offsets[first + length] - at
    for p in range(_N_BEFORE + 1):
        begin[p] = p
    for i in range(length):
        begin[_N_BEFORE + i + 1] = _N_BEFORE + offsets[first + i + 1] - at
    for p in range(_N_BEHIND):
        begin[_N_BEFORE + length + 1 + p] = begin[_N_BEFORE + length] + p + 1
    label[: size + _N_BEFORE + _N_BEHIND] = edge
    label[_N_BEFORE : _N_BEFORE + size] = labels[at : at + size]
    return (first, length, begin, label), at, size


# ---- support ---------------------------------------------------------------------------------------------------------


@part_of_kernel
def _add_pairs(of: Laid, weight: Floats, ngrams: Ngrams, support: Floats) -> None:
    _, length, begin, label = of
    strengths = ngrams[1]
    for p in range(_N_BEFORE, _N_BEFORE + length + 1):
        for c in range(begin[p], begin[p + 1]):
            for b in range(begin[p - 1], begin[p]):
                strength = strengths[label[b], label[c]]
                support[c] += strength * weight[b]
                support[b] += strength * weight[c]


@part_of_kernel
def _triple(a: int, b: int, c: int, of: Ngrams) -> float:
    n, _, every, others, keys, values, n_bits = of
    key = (a * n + b) * n + c
    if len(every):
        return float(every[key])
    mask = (1 << n_bits) - 1
    slot = slot_of(key, n_bits)
    while keys[slot] != -1:
        if keys[slot] == key:
            return float(values[slot])
        slot = (slot + 1) & mask
    return float(others[b, c])


@part_of_kernel
def _n_triples(of: Laid) -> int:
    """How many triples of candidates a sentence has, three words without a choice left out."""
    _, length, begin, _ = of
    n = 0
    for p in range(_N_BEFORE, _N_BEFORE + length + 1):
        if begin[p + 1] - begin[p - 2] > 3:
            n += (begin[p + 1] - begin[p]) * (begin[p] - begin[p - 1]) * (begin[p - 1] - begin[p - 2])
    return n


@part_of_kernel
def _look_up_triples(of: Laid, ngrams: Ngrams, kept: Floats) -> None:
    """The strengths of all triples of a sentence, in the order in which they are added."""
    _, length, begin, label = of
    at = 0
    for p in range(_N_BEFORE, _N_BEFORE + length + 1):
        if begin[p + 1] - begin[p - 2] == 3:
            continue
        for a in range(begin[p - 2], begin[p - 1]):
            for b in range(begin[p - 1], begin[p]):
                for c in range(begin[p], begin[p + 1]):
                    kept[at] = _triple(label[a], label[b], label[c], ngrams)
                    at += 1


@part_of_kernel
def _add_triples(of: Laid, weight: Floats, ngrams: Ngrams, kept: Floats, support: Floats) -> None:
    """What triples say, by their strengths that were looked up before, unless none are kept."""
    _, length, begin, label = of
    at = 0
    for p in range(_N_BEFORE, _N_BEFORE + length + 1):
        if begin[p + 1] - begin[p - 2] == 3:
            continue
        for a in range(begin[p - 2], begin[p - 1]):
            for b in range(begin[p - 1], begin[p]):
                both, of_c = weight[a] * weight[b], 0.0
                for c in range(begin[p], begin[p + 1]):
                    strength = kept[at] if len(kept) else _triple(label[a], label[b], label[c], ngrams)
                    at += 1
                    support[c] += strength * both
                    of_c += strength * weight[c]
                support[b] += of_c * weight[a]
                support[a] += of_c * weight[b]


@part_of_kernel
def _add_leaf(of: Laid, p: int, which: int, row: int, share: float, trees: Trees, support: Floats) -> None:
    """What a leaf that is reached with some share says of the candidates of word p; both have labels in order."""
    _, _, begin, label = of
    _, _, _, _, _, _, offsets, labels, strengths, _ = trees
    k = offsets[which]
    for c in range(begin[p], begin[p + 1]):
        while k < offsets[which + 1] and labels[k] < label[c]:
            k += 1
        if k < offsets[which + 1] and labels[k] == label[c]:
            support[c] += share * strengths[row + k - offsets[which]]


@part_of_kernel
def _add_trees(
    of: Laid, weight: Floats, words: Lattice, trees: Trees, open_nodes: Ids, shares: Floats, support: Floats
) -> None:
    first, length, begin, label = of
    _, _, _, _, classes, forms, _, _ = words
    roots, asks, first_child, n_children, leads, rows, _, _, _, _ = trees
    for i in range(length):
        which, p = classes[first + i], _N_BEFORE + i
        if which < 0 or which >= len(roots) or begin[p + 1] - begin[p] == 1:
            continue
        open_nodes[0], shares[0], top = roots[which], 1.0, 1
        while top:
            top -= 1
            node, share = open_nodes[top], shares[top]
            if asks[node] < 0:
                _add_leaf(of, p, which, rows[node], share, trees, support)
                continue
            other = first_child[node] + n_children[node] - 1
            at = i + _POSITIONS[asks[node]]
            if asks[node] >= _N_LABEL_ATTRIBUTES:
                form = forms[first + at] if 0 <= at < length else -1
                child = first_child[node]
                while child < other and leads[child] != form:
                    child += 1
                open_nodes[top], shares[top] = child, share
                top += 1
                continue
            of_others = 0.0
            for c in range(begin[_N_BEFORE + at], begin[_N_BEFORE + at + 1]):
                child = first_child[node]
                while child < other and leads[child] != label[c]:
                    child += 1
                if child == other:
                    of_others += share * weight[c]
                else:
                    open_nodes[top], shares[top] = child, share * weight[c]
                    top += 1
            if of_others > 0:
                open_nodes[top], shares[top] = other, of_others
                top += 1


@part_of_kernel
def _holds(of: Laid, weight: Floats, words: Lattice, stated: Stated, condition: int, i: int, edge: int) -> float:
    """How much a condition of a constraint on word i of a sentence holds: the weight of the labels that it allows."""
    first, length, begin, label = of
    _, _, _, positions, kinds, negated, offsets, values = stated
    at = i + positions[condition]
    is_inside = 0 <= at < length
    found = 0.0
    for k in range(offsets[condition], offsets[condition + 1]):
        if kinds[condition] == 0 and is_inside:
            for c in range(begin[_N_BEFORE + at], begin[_N_BEFORE + at + 1]):
                if label[c] == values[k]:
                    found += weight[c]
        elif kinds[condition] == 0:
            found += 1.0 if values[k] == edge else 0.0
        elif is_inside:
            of_word = words[5][first + at] if kinds[condition] == 1 else words[4][first + at]
            found += 1.0 if of_word == values[k] else 0.0
    return 1.0 - found if negated[condition] else found


@part_of_kernel
def _add_stated(of: Laid, weight: Floats, words: Lattice, stated: Stated, edge: int, support: Floats) -> None:
    _, length, begin, label = of
    heads, strengths, conditions, _, _, _, _, _ = stated
    for i in range(length):
        p = _N_BEFORE + i
        if begin[p + 1] - begin[p] == 1:
            continue
        for c in range(begin[p], begin[p + 1]):
            for k in range(heads[label[c]], heads[label[c] + 1]):
                share = strengths[k]
                for condition in range(conditions[k], conditions[k + 1]):
                    share *= _holds(of, weight, words, stated, condition, i, edge)
                    if share == 0:
                        break
                support[c] += share


@kernel
def uses(words: Lattice, edge: int, stated: Stated, found: Floats) -> None:
    """How many words have each constraint's head as a candidate and fulfil its conditions, by the weights of words."""
    _, offsets, _, weights, _, _, longest, most = words
    heads, _, conditions, _, _, _, _, _ = stated
    begin = np.zeros(longest + _N_BEFORE + _N_BEHIND + 1, np.int64)
    label = np.zeros(most + _N_BEFORE + _N_BEHIND, np.int32)
    weight = np.ones(len(label))
    for s in range(len(words[0]) - 1):
        of, at, size = _lay_out(words, s, edge, begin, label)
        weight[_N_BEFORE : _N_BEFORE + size] = weights[at : at + size]
        for i in range(of[1]):
            for c in range(offsets[of[0] + i], offsets[of[0] + i + 1]):
                head = words[2][c]
                for k in range(heads[head], heads[head + 1]):
                    share = 1.0
                    for condition in range(conditions[k], conditions[k + 1]):
                        share *= _holds(of, weight, words, stated, condition, i, edge)
                    found[k] += share


# ---- rounds ----------------------------------------------------------------------------------------------------------


@part_of_kernel
def _damped(a: int, b: int, prior: Floats, weight: Floats, support: Floats) -> float:
    """½p + ½·norm(p₀·2^S) of the candidates from a to b; the largest change comes back."""
    largest, total, change = support[a:b].max(), 0.0, 0.0
    for c in range(a, b):
        support[c] = prior[c] * 2.0 ** (support[c] - largest)
        total += support[c]
    for c in range(a, b):
        new = 0.5 * weight[c] + 0.5 * support[c] / total if total > 0 else weight[c]
        change = max(change, abs(new - weight[c]))
        weight[c] = new
    return change


@part_of_kernel
def _textbook(a: int, b: int, weight: Floats, support: Floats) -> float:
    """norm(p·(1 + s)) of the candidates from a to b, with s in (−1, 1); the largest change comes back."""
    largest, total, change = np.abs(support[a:b]).max(), 0.0, 0.0
    for c in range(a, b):
        support[c] = weight[c] * (1.0 + support[c] / (1.0 + largest))
        total += support[c]
    for c in range(a, b):
        new = support[c] / total if total > 0 else weight[c]
        change = max(change, abs(new - weight[c]))
        weight[c] = new
    return change


@kernel
def relaxed(
    words: Lattice, ngrams: Ngrams, trees: Trees, stated: Stated, is_damped: bool, most_rounds: int, enough: float,
    most_kept: int, found: Floats,
) -> int:  # fmt: skip
    """The weights of all candidates when no weight of the sentence changes by more than enough; the rounds it took.

    Of a sentence that has no more than so many triples, strengths are kept from round to round.
    """
    _, _, _, priors, _, _, longest, most = words
    edge, n_rounds = ngrams[0] - 1, 0
    begin = np.zeros(longest + _N_BEFORE + _N_BEHIND + 1, np.int64)
    label = np.zeros(most + _N_BEFORE + _N_BEHIND, np.int32)
    weight, prior, support = np.ones(len(label)), np.ones(len(label)), np.zeros(len(label))
    open_nodes, shares = np.zeros(trees[9], np.int32), np.zeros(trees[9])
    buffer = np.zeros(0)  # of triples: looking them up takes longer than all else
    for s in range(len(words[0]) - 1):
        of, at, size = _lay_out(words, s, edge, begin, label)
        weight[_N_BEFORE + size : _N_BEFORE + size + _N_BEHIND] = 1.0
        weight[_N_BEFORE : _N_BEFORE + size] = priors[at : at + size]
        prior[_N_BEFORE : _N_BEFORE + size] = priors[at : at + size]
        n_triples = _n_triples(of) if len(ngrams[3]) else 0
        if n_triples > len(buffer) and n_triples <= most_kept:
            buffer = np.zeros(2 * n_triples)
        kept = buffer if n_triples <= len(buffer) else buffer[:0]
        if len(kept):
            _look_up_triples(of, ngrams, kept)
        for number in range(most_rounds if size > of[1] else 0):  # unless no word has a choice
            support[: size + _N_BEFORE + _N_BEHIND] = 0.0
            if len(ngrams[1]):
                _add_pairs(of, weight, ngrams, support)
            if len(ngrams[3]):
                _add_triples(of, weight, ngrams, kept, support)
            if len(trees[0]):
                _add_trees(of, weight, words, trees, open_nodes, shares, support)
            if len(stated[1]):
                _add_stated(of, weight, words, stated, edge, support)
            change = 0.0
            for p in range(_N_BEFORE, _N_BEFORE + of[1]):
                a, b = begin[p], begin[p + 1]
                if b - a > 1 and is_damped:
                    change = max(change, _damped(a, b, prior, weight, support))
                elif b - a > 1:
                    change = max(change, _textbook(a, b, weight, support))
            n_rounds = max(n_rounds, number + 1)
            if change <= enough:
                break
        found[at : at + size] = weight[_N_BEFORE : _N_BEFORE + size]
    return n_rounds


@kernel
def heaviest(offsets: Indices, labels: Ids, weights: Floats, found: Ids) -> None:
    """The label of each word that has most weight, the first of equal ones."""
    for i in range(len(found)):
        best = offsets[i]
        for c in range(offsets[i] + 1, offsets[i + 1]):
            if weights[c] > weights[best]:
                best = c
        found[i] = labels[best]
