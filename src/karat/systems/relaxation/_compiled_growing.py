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
def _least_size(met: Indices, n_met: int, sizes: Indices, rare: int, least: int, most: int) -> int:
    """How many words a value must have for a branch of its own, so that at most so many values have one."""
    if n_met <= most:
        return least
    every = np.zeros(n_met, np.int64)
    for k in range(n_met):
        every[k] = 0 if met[k] == rare else sizes[met[k]]
    return max(least, int(np.sort(every)[n_met - most - 1]) + 1)


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


# Tables that are used again and again: counts [values × classes], how many words have each value, and which values
# there are.
Tables = tuple[Floats, Indices, Indices]
# The fewest words of a node that may ask, the fewest of a branch of its own, the most such branches, and the least
# likelihood ratio for each branch beyond the first.
Limits = tuple[int, int, int, float]


@part_of_kernel
def _nearest(
    some: Indices, attributes: Ids, rare: Ids, classes: Ids, asked: int, limits: Limits, tables: Tables
) -> tuple[int, int]:
    """The attribute to ask for, or -1, and how many words a value of it must have for a branch of its own."""
    counts, sizes, met = tables
    n, n_classes = len(some), counts.shape[1]
    of_class = np.zeros(n_classes)
    for word in some:
        of_class[classes[word]] += 1.0
    of_classes = 0.0
    for c in range(n_classes):
        of_classes += _x_log_x(of_class[c])
    best, which, least_of_best = np.inf, -1, 0
    if n < limits[0] or of_class.max() == n:
        return which, least_of_best
    for k in range(len(attributes)):
        if asked >> k & 1:
            continue
        n_met = _tabulated(some, attributes[k], classes, counts, sizes, met)
        least = _least_size(met, n_met, sizes, rare[k], limits[1], limits[2])
        far, information, n_branches = _distance(met, n_met, counts, sizes, rare[k], least, of_classes, n)
        for j in range(n_met):
            sizes[met[j]] = 0
        is_worth_it = n_branches > 1 and 2 * n * information * np.log(2.0) >= limits[3] * (n_branches - 1)
        if is_worth_it and far < best:
            best, which, least_of_best = far, k, least
    return which, least_of_best


@kernel
def grown(
    attributes: Ids, rare: Ids, classes: Ids, n_values: int, n_classes: int, limits: Limits, not_asked: int
) -> Grown:
    """A tree over the attributes [attributes × words] of words that are of classes.

    A node of enough words, not all of one class, asks for the attribute that no node above asks for and whose distance
    is smallest, among those whose likelihood ratio 2 n I ln 2 is large enough; of equal ones the first. Values of
    enough words have branches of their own, but for the one that stands for `rare` forms. Attributes that are a bit of
    `not_asked` are never asked for.
    """
    n_words = len(classes)
    most = 3 * n_words + 2  # leaves with words, nodes that ask, and their branches for others that are empty
    asks, first_child, n_children = np.full(most, -1, np.int32), np.zeros(most, np.int32), np.zeros(most, np.int32)
    leads, parent = np.full(most, -1, np.int32), np.full(most, -1, np.int32)
    start, stop, asked = np.zeros(most, np.int64), np.zeros(most, np.int64), np.zeros(most, np.int64)
    order = np.arange(n_words)
    sizes, branch = np.zeros(n_values, np.int64), np.zeros(n_values, np.int64)
    tables = np.zeros((n_values, n_classes)), sizes, np.zeros(n_values, np.int64)
    stop[0], asked[0], n_nodes, node = n_words, not_asked, 1, 0
    while node < n_nodes:
        some = order[start[node] : stop[node]].copy()
        which, least = _nearest(some, attributes, rare, classes, asked[node], limits, tables)
        if which >= 0:
            asks[node], first_child[node] = which, n_nodes
            for word in some:
                sizes[attributes[which, word]] += 1
            at = start[node]
            for value in range(n_values):
                branch[value] = -1
                if sizes[value] >= least and value != rare[which]:
                    branch[value], leads[n_nodes] = n_nodes, value
                    start[n_nodes], stop[n_nodes] = at, at
                    at += sizes[value]
                    n_nodes += 1
                sizes[value] = 0
            start[n_nodes], stop[n_nodes] = at, at
            n_nodes += 1
            n_children[node] = n_nodes - first_child[node]
            for child in range(first_child[node], n_nodes):
                parent[child], asked[child] = node, asked[node] | 1 << which
            for word in some:
                child = branch[attributes[which, word]]
                child = n_nodes - 1 if child < 0 else child
                order[stop[child]] = word
                stop[child] += 1
        node += 1
    return (
        asks[:n_nodes],
        first_child[:n_nodes],
        n_children[:n_nodes],
        leads[:n_nodes],
        parent[:n_nodes],
        start[:n_nodes],
        stop[:n_nodes],
        order,
    )
