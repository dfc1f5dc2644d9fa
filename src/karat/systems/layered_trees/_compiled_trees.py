"""Growing decision trees and asking them, compiled.

Attributes are small whole numbers, so that the best split of a node is found from counts: how many of its examples have
each value of an attribute, by what they should be. Of an ordered attribute a split is `at most t`, of one that only
names something `is t`.
"""

from __future__ import annotations

import numpy as np

from karat._arrays import Array, Bytes, Floats, Ids, Indices
from karat._compiled import kernel, part_of_kernel

# What kernels are given is plain tuples: numba would look for classes of an older karat in what it has kept.

# How a tree is grown: the fewest examples of a leaf, the fewest bits that a split must save in all, the deepest level,
# how many attributes each node tries (all, if that is as many as there are), how many examples of its parent a node's
# shares are mixed with, and the seed.
Growth = tuple[int, float, int, int, float, int]
# Nodes of trees, one tree behind the other: attribute, threshold, and both children; a child below 0 is leaf ~child.
Nodes = tuple[Ids, Ids, Ids, Ids]
# The trees of classes: where the trees of a class begin; of each tree where its nodes, leaves and leaves' shares begin
# (and at the end, stop); and how many values each class has.
Layout = tuple[Indices, Indices, Indices, Ids]

_STEP = np.uint64(0x9E3779B97F4A7C15)


@part_of_kernel
def _mixed(state: np.uint64) -> np.uint64:
    """The next number of splitmix64 [Steele, Lea & Flood 2014]."""
    z = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@kernel
def best_split(
    attributes: Bytes,
    values: Ids,
    rows: Array,
    n_values: int,
    tried: Array,
    sizes: Ids,
    is_nominal: Array,
    least_leaf: int,
    logs: Floats,
    counts: Ids,
) -> tuple[int, int, float]:
    """The attribute and threshold of the split that saves the most bits, and these bits; (-1, 0, 0) if none does.

    Of equal ones the attribute that is tried first wins, then the smallest threshold. `logs` has k log₂ k; `counts` is
    room for the counts of one node and may hold anything.
    """
    n = len(rows)
    total = np.zeros(n_values, np.int32)
    for row in rows:
        total[values[row]] += 1
    parent = logs[n]
    for v in range(n_values):
        parent -= logs[total[v]]
    starts = np.empty(len(tried) + 1, np.int64)
    starts[0] = 0
    for k in range(len(tried)):
        starts[k + 1] = starts[k] + sizes[tried[k]] * n_values
    counts[: starts[len(tried)]] = 0
    for row in rows:
        value = values[row]
        of_row = attributes[row]
        for k in range(len(tried)):
            counts[starts[k] + of_row[tried[k]] * n_values + value] += 1
    best, at, saved = -1, 0, 1e-9
    below = np.zeros(n_values, np.int32)
    for k in range(len(tried)):
        nominal = is_nominal[tried[k]]
        below[:] = 0
        n_below = 0
        size = sizes[tried[k]]
        for t in range(size if nominal else size - 1):
            place = starts[k] + t * n_values
            n_here = 0
            if nominal:
                n_below = 0
            for v in range(n_values):
                here = counts[place + v]
                n_here += here
                below[v] = here if nominal else below[v] + here
            n_below += n_here
            if n_here == 0 or n_below < least_leaf:
                continue
            if n - n_below < least_leaf:
                if nominal:
                    continue
                break
            bits = parent - logs[n_below] - logs[n - n_below]
            for v in range(n_values):
                bits += logs[below[v]] + logs[total[v] - below[v]]
            if bits > saved + 1e-9:
                best, at, saved = tried[k], t, bits
    return best, at, saved if best >= 0 else 0.0


@kernel
def grown_tree(
    attributes: Bytes, values: Ids, n_values: int, sizes: Ids, is_nominal: Array, how: Growth
) -> tuple[Ids, Ids, Ids, Ids, Ids, Array]:
    """A tree of examples [examples × attributes]: attribute, threshold and children of its nodes, then of its leaves
    how many examples and which shares [leaves × values] they have.

    The shares of a node are those of its examples, mixed with those of its parent.
    """
    least_leaf, least_bits, deepest, n_tried, prior, seed = how
    n, n_attributes = attributes.shape
    logs = np.zeros(n + 1)
    for k in range(1, n + 1):
        logs[k] = k * np.log2(k)
    most = max(2 * (n // max(least_leaf, 1)) + 1, 1)
    attribute, threshold = np.empty(most, np.int32), np.empty(most, np.int32)
    left, right = np.empty(most, np.int32), np.empty(most, np.int32)
    n_of_leaf, shares = np.empty(most, np.int32), np.empty((most, n_values), np.float32)
    n_nodes = n_leaves = 0
    rows = np.arange(n).astype(np.int32)
    spare = np.empty(n, np.int32)
    order = np.arange(n_attributes).astype(np.int32)
    counts = np.zeros(int(sizes.sum()) * n_values, np.int32)
    state = np.uint64(seed)
    # What is still to be done: examples from .. to, depth, parent (-1: none), whether it is the right child.
    stack = np.empty((2 * deepest + 4, 5), np.int64)
    of_parent = np.empty((2 * deepest + 4, n_values), np.float64)
    stack[0] = (0, n, 0, -1, 0)
    of_parent[0] = 1.0 / n_values
    height = 1
    while height:
        height -= 1
        start, stop, depth, parent, is_right = stack[height]
        shares_here = np.zeros(n_values)
        for place in range(start, stop):
            shares_here[values[rows[place]]] += 1
        shares_here = (shares_here + prior * of_parent[height]) / (stop - start + prior)
        best, at, bits = -1, 0, 0.0
        if depth < deepest and stop - start >= 2 * least_leaf:
            for k in range(n_tried if n_tried < n_attributes else 0):
                state = state + _STEP
                other = k + int(_mixed(state) % np.uint64(n_attributes - k))
                order[k], order[other] = order[other], order[k]
            best, at, bits = best_split(
                attributes,
                values,
                rows[start:stop],
                n_values,
                order[: min(n_tried, n_attributes)],
                sizes,
                is_nominal,
                least_leaf,
                logs,
                counts,
            )
        if best < 0 or bits < least_bits:
            child = ~n_leaves
            n_of_leaf[n_leaves] = stop - start
            for v in range(n_values):
                shares[n_leaves, v] = shares_here[v]
            n_leaves += 1
        else:
            child = n_nodes
            attribute[child], threshold[child] = best, at
            n_nodes += 1
            middle, last = start, stop
            for place in range(start, stop):
                x = attributes[rows[place], best]
                if (x == at) if is_nominal[best] else (x <= at):
                    spare[middle] = rows[place]
                    middle += 1
                else:
                    last -= 1
                    spare[last] = rows[place]
            rows[start:stop] = spare[start:stop]
            stack[height] = (middle, stop, depth + 1, child, 1)
            of_parent[height] = shares_here
            stack[height + 1] = (start, middle, depth + 1, child, 0)
            of_parent[height + 1] = shares_here
            height += 2
        if parent >= 0:
            if is_right:
                right[parent] = child
            else:
                left[parent] = child
    return (
        attribute[:n_nodes].copy(),
        threshold[:n_nodes].copy(),
        left[:n_nodes].copy(),
        right[:n_nodes].copy(),
        n_of_leaf[:n_leaves].copy(),
        shares[:n_leaves].copy(),
    )


@kernel
def add_shares(
    shared: Bytes,
    own: Bytes,
    word: Indices,
    of_class: Ids,
    starts: Indices,
    is_nominal: Array,
    nodes: Nodes,
    layout: Layout,
    leaf_shares: Array,
    n_of_leaf: Ids,
    trust: float,
    fold: Array,
    left_out: Array,
    found: Floats,
) -> None:
    """The mean of the shares that the trees of each example's class give it, written from its start on.

    What stands there counts as much as `trust` examples in each leaf.

    Attributes are those of the example's word, then its own. `fold` has the fold of each word in each division of the
    sentences; with any, only trees are asked that have not seen the word: `left_out` has their division and fold.
    Examples of class -1, or whom no tree is left for, stay as they are.
    """
    attribute, threshold, left, right = nodes
    tree_offsets, node_offsets, share_offsets, n_values_of = layout
    n_shared = shared.shape[1]
    total = np.empty(max(n_values_of.max(), 1) if len(n_values_of) else 1, np.float64)
    for i in range(len(word)):
        c = of_class[i]
        if c < 0:
            continue
        n_values, n_asked = n_values_of[c], 0
        for tree in range(tree_offsets[c], tree_offsets[c + 1]):
            if len(fold) and fold[left_out[tree, 0], word[i]] != left_out[tree, 1]:
                continue
            begin = node_offsets[tree]
            node = 0 if node_offsets[tree + 1] > begin else -1
            while node >= 0:
                a = attribute[begin + node]
                x = shared[word[i], a] if a < n_shared else own[i, a - n_shared]
                t = threshold[begin + node]
                is_left = (x == t) if is_nominal[a] else (x <= t)
                node = left[begin + node] if is_left else right[begin + node]
            place = share_offsets[tree] + (~node) * n_values
            if n_asked == 0:
                total[:n_values] = 0.0
            n_asked += 1
            n = n_of_leaf[begin + tree + ~node]  # a tree has one leaf more than nodes
            for v in range(n_values):
                total[v] += (n * leaf_shares[place + v] + trust * found[starts[i] + v]) / (n + trust)
        if n_asked:
            for v in range(n_values):
                found[starts[i] + v] = total[v] / n_asked
