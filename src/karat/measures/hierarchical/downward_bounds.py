"""The smallest and the largest score over all downward distributions of a tag tree [Melamed & Resnik 2000, §3.3].

How likely each sub-tag of a tag is, is not known: the paper takes all for equally likely. What that assumption can be
worth is the range of the score over all downward distributions, one for all instances. The score is linear in the
distribution of each single tag, so its extremes have a tag choose one of its children always: then every tag leads to
one leaf, and the tags that lead to a leaf are a chain of its ancestors. With w(t, l) the probability that was given to
tag t on instances of which leaf l is a right answer:

    best(l, j) = w(l, l) + the sum of w(a, l) over the j nearest ancestors a of l
    best(t, j) = Σ best(c, 0) over t's children c + max over c of best(c, j + 1) − best(c, 0)

where j says how many ancestors lead to t. The largest score is Σ best(t, 0) over top-level tags; for the smallest, min
stands for max.
"""

from __future__ import annotations

import numpy as np

from karat._arrays import Floats, Indices
from karat.hierarchy import Hierarchy


def extreme_scores(forest: Hierarchy, tags: Indices, leaves: Indices, weights: Floats) -> tuple[float, float]:
    """The smallest and the largest Σ w(t, l) P(l | t); weights are given for pairs of a tag and a leaf below it.

    `leaves` are numbers of tags. Only for forests: where a tag has two parents, choices of one bind the other.
    """
    depths = forest.depths
    of_leaves = np.zeros((len(forest.names), int(depths.max(initial=0)) + 2))  # best(tag, j)
    np.add.at(of_leaves, (leaves, depths[leaves] - depths[tags]), weights)
    np.cumsum(of_leaves, axis=1, out=of_leaves)
    smallest, largest = (_extreme(forest, of_leaves.copy(), choose) for choose in (np.minimum, np.maximum))
    return smallest, largest


def _extreme(forest: Hierarchy, best: Floats, choose: np.ufunc) -> float:
    """The sum over top-level tags, with best(tag, j) filled in from the deepest tags upwards."""
    parent = np.full(len(best), -1, dtype=np.intp)
    parent[forest.children] = forest.edge_parents
    order = np.lexsort((parent, forest.depths))
    deepest = int(forest.depths.max(initial=0))
    start = np.searchsorted(forest.depths[order], np.arange(deepest + 2))
    for depth in range(deepest, 0, -1):
        children = order[start[depth] : start[depth + 1]]
        first = np.flatnonzero(np.diff(parent[children], prepend=-2))
        gains = choose.reduceat(best[children, 1:] - best[children, :1], first)
        sums = np.add.reduceat(best[children, 0], first)
        best[parent[children[first]], :-1] = sums[:, np.newaxis] + gains
    return float(best[parent < 0, 0].sum())
