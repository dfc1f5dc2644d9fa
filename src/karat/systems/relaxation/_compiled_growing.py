"""How a decision tree grows, compiled: the attribute of the smallest distance, and the words in its branches."""

from __future__ import annotations

import numpy as np

from karat._arrays import Floats, Ids, Indices
from karat._compiled import kernel, part_of_kernel

# The attribute of each node or -1, its first child and how many it has, the value that leads to it or -1, its parent or
# -1, where its words begin and end in the order, and the order of words.
Grown = tuple[Ids, Ids, Ids, Ids, Ids, Indices, Indices, Indices]


@part_of_kernel
def _x_log_x(x: float) -> float:
    return x * np.log2(x) if x > 0 else 0.0


@part_of_kernel
def _tabulated(some: Indices, values: Ids, classes: Ids, counts: Floats, sizes: Indices, met: Indices) -> int:
    """How often the words have each value and class; which values there are, and how many. Sizes must be 0 before."""
    n_met = 0
    for word in some:
        value = values[word]
        if sizes[value] == 0:
            met[n_met] = value
            n_met += 1
            counts[value] = 0.0
        sizes[value] += 1
        counts[value, classes[word]] += 1.0
    return n_met


@part_of_kernel
def _distance(
    met: Indices, n_met: int, counts: Floats, sizes: Indices, rare: int, least: int, of_classes: float, n: int
) -> tuple[float, float, int]:
    """The normalised distance of López de Mántaras (1991) between the classes and the branches of an attribute.

    1 − I(classes; branches) / H(classes, branches), from counts; with it I in bits, and the number of branches. Values
    of fewer words than `least`, and the value `rare`, share one branch. `of_classes` is Σ n log2 n over the classes.
    """
    n_classes = counts.shape[1]
    others = np.zeros(n_classes)
    joint, branches, n_branches, n_others = 0.0, 0.0, 0, 0
    for k in range(n_met):
        value = met[k]
        if sizes[value] < least or value == rare:
            others += counts[value]
            n_others += sizes[value]
            continue
        n_branches += 1
        branches += _x_log_x(float(sizes[value]))
        for c in range(n_classes):
            joint += _x_log_x(counts[value, c])
    if n_others:
        n_branches += 1
        branches += _x_log_x(float(n_others))
        for c in range(n_classes):
            joint += _x_log_x(others[c])
    entropy = np.log2(float(n)) - joint / n
    information = np.log2(float(n)) + (joint - branches - of_classes) / n
    return (1.0 - information / entropy if entropy > 0 else 1.0), information, n_branches


@kernel
def distance(values: Ids, classes: Ids, n_values: int, n_classes: int) -> float:
    """The normalised distance of López de Mántaras between two partitions of the same things."""
    counts, sizes = np.zeros((n_values, n_classes)), np.zeros(n_values, np.int64)
    met = np.zeros(n_values, np.int64)
    n_met = _tabulated(np.arange(len(values)), values, classes, counts, sizes, met)
    of_classes = 0.0
    for c in range(n_classes):
        of_classes += _x_log_x(float((classes == c).sum()))
    return _distance(met, n_met, counts, sizes, -1, 1, of_classes, len(values))[0]


@kernel
def grown(
    attributes: Ids,
    rare: Ids,
    classes: Ids,
    n_values: int,
    n_classes: int,
    least_node: int,
    least_branch: int,
    least_gain: float,
) -> Grown:
    """A tree over the attributes [attributes × words] of words that are of classes.

    A node of at least `least_node` words, not all of one class, asks for the attribute that no node above asks for and
    whose distance is smallest, among those whose likelihood ratio 2 n I ln 2 is at least `least_gain` for each branch
    beyond the first; of equal ones the first. Values of at least `least_branch` words have branches of their own, but
    for the one that stands for `rare` forms.
    """
    n_attributes, n_words = attributes.shape
    most = 3 * n_words + 2  # leaves with words, nodes that ask, and their branches for others that are empty
    asks, first_child, n_children = np.full(most, -1, np.int32), np.zeros(most, np.int32), np.zeros(most, np.int32)
    leads, parent = np.full(most, -1, np.int32), np.full(most, -1, np.int32)
    start, stop, asked = np.zeros(most, np.int64), np.zeros(most, np.int64), np.zeros(most, np.int64)
    order, again = np.arange(n_words), np.zeros(n_words, np.int64)
    counts, sizes = np.zeros((n_values, n_classes)), np.zeros(n_values, np.int64)
    met, branch = np.zeros(n_values, np.int64), np.zeros(n_values, np.int64)
    stop[0], n_nodes, node = n_words, 1, -1
    while node + 1 < n_nodes:
        node += 1
        some = order[start[node] : stop[node]]
        n = len(some)
        if n < least_node:
            continue
        of_class = np.zeros(n_classes)
        for word in some:
            of_class[classes[word]] += 1.0
        of_classes = 0.0
        for c in range(n_classes):
            of_classes += _x_log_x(of_class[c])
        if of_class.max() == n:
            continue
        best, which = np.inf, -1
        for k in range(n_attributes):
            if asked[node] >> k & 1:
                continue
            n_met = _tabulated(some, attributes[k], classes, counts, sizes, met)
            far, information, n_branches = _distance(met, n_met, counts, sizes, rare[k], least_branch, of_classes, n)
            for j in range(n_met):
                sizes[met[j]] = 0
            if n_branches > 1 and 2 * n * information * np.log(2.0) >= least_gain * (n_branches - 1) and far < best:
                best, which = far, k
        if which < 0:
            continue
        asks[node], first_child[node] = which, n_nodes
        for word in some:
            sizes[attributes[which, word]] += 1
        at = start[node]
        for value in range(n_values):
            branch[value] = -1
            if sizes[value] >= least_branch and value != rare[which]:
                branch[value] = n_nodes
                leads[n_nodes], start[n_nodes], stop[n_nodes] = value, at, at
                at += sizes[value]
                n_nodes += 1
            sizes[value] = 0
        start[n_nodes], stop[n_nodes] = at, at
        n_nodes += 1
        n_children[node] = n_nodes - first_child[node]
        for child in range(first_child[node], n_nodes):
            parent[child], asked[child] = node, asked[node] | 1 << which
        again[:n] = some
        for word in again[:n]:
            child = branch[attributes[which, word]]
            if child < 0:
                child = n_nodes - 1
            order[stop[child]] = word
            stop[child] += 1
    return (
        asks[:n_nodes], first_child[:n_nodes], n_children[:n_nodes], leads[:n_nodes], parent[:n_nodes],
        start[:n_nodes], stop[:n_nodes], order
    )  # fmt: skip
