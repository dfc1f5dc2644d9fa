"""A forest as arrays: what is kept of it in a file, and how likely it makes a pair an edge. Nothing is unpickled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from karat._arrays import Array, Floats, Ids, Indices
from karat.systems.model_file import Model

_LEAF = -1


@dataclass(frozen=True, slots=True, eq=False)
class KeptForest:
    """The nodes of all trees, tree by tree: in a node a signal is compared with a threshold.

    `left` is the node where it is at most that, `right` the other one, both counted from the tree's first node; both
    are -1 in a leaf, whose `shares` say how likely an edge is. `offsets` are where trees begin.
    """

    offsets: Indices
    left: Ids
    right: Ids
    signals: Ids
    thresholds: Floats
    shares: Floats

    @property
    def n_trees(self) -> int:
        return len(self.offsets) - 1

    def probabilities(self, signals: Floats) -> Floats:
        """The mean share of the leaves in which each pair ends [pairs]; signals are float32, as in training."""
        values = np.asarray(signals, dtype=np.float32)
        rows = np.arange(len(values))
        total = np.zeros(len(values))
        for first in self.offsets[:-1].tolist():
            node = np.full(len(values), first)
            while (inside := self.left.take(node) != _LEAF).any():
                here = node[inside]
                is_left = values[rows[inside], self.signals.take(here)] <= self.thresholds.take(here)
                node[inside] = first + np.where(is_left, self.left.take(here), self.right.take(here))
            total += self.shares.take(node)
        return total / max(self.n_trees, 1)

    def parts(self) -> dict[str, Array]:
        """What is kept of it."""
        return {
            "tree_sizes": np.diff(self.offsets).astype(np.int32),
            "left": self.left,
            "right": self.right,
            "node_signals": self.signals,
            "thresholds": self.thresholds,
            "shares": self.shares,
        }

    @classmethod
    def from_model(cls, model: Model, n_signals: int) -> KeptForest:
        """The forest that was kept; a `DataError` for numbers that are no trees."""
        sizes = model.numbers("tree_sizes", 1 << 30, least=1)
        n = int(sizes.sum())
        left, right = (model.numbers(name, 1 << 30, least=_LEAF) for name in ("left", "right"))
        signals = model.numbers("node_signals", n_signals)
        thresholds, shares = (model.array(name, "float64") for name in ("thresholds", "shares"))
        if any(len(one) != n for one in (left, right, signals, thresholds, shares)) or not len(sizes):
            raise model.problem("its trees are no trees")
        size_of_node, place = np.repeat(sizes, sizes), np.arange(n) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        is_leaf = left == _LEAF
        # children come behind their parents, so that every path ends
        goes_on = (left > place) & (right > place) & (left < size_of_node) & (right < size_of_node)
        if not ((is_leaf & (right == _LEAF)) | (~is_leaf & goes_on)).all():
            raise model.problem("its trees are no trees")
        if not (np.isfinite(thresholds).all() and ((shares >= 0) & (shares <= 1)).all()):
            raise model.problem("its trees have numbers that are none")
        return cls(np.append(0, np.cumsum(sizes)).astype(np.intp), left, right, signals, thresholds, shares)


def kept_forest(forest: Any) -> KeptForest:
    """The trees of a forest that scikit-learn or imbalanced-learn has trained on pairs with and without an edge."""
    trees = [one.tree_ for one in forest.estimators_]
    columns: dict[str, list[Array]] = {name: [] for name in ("left", "right", "signals", "thresholds", "shares")}
    for tree in trees:
        is_leaf = tree.children_left == _LEAF
        values = tree.value[:, 0, :]
        columns["left"].append(tree.children_left.astype(np.int32))
        columns["right"].append(tree.children_right.astype(np.int32))
        columns["signals"].append(np.where(is_leaf, 0, tree.feature).astype(np.int32))
        columns["thresholds"].append(np.where(is_leaf, 0.0, tree.threshold))
        columns["shares"].append(values[:, 1] / values.sum(axis=1))
    joined: Mapping[str, Array] = {name: np.concatenate(of) for name, of in columns.items()}
    offsets = np.append(0, np.cumsum([tree.node_count for tree in trees])).astype(np.intp)
    return KeptForest(
        offsets, joined["left"], joined["right"], joined["signals"], joined["thresholds"], joined["shares"]
    )


def tops_of_trees(forest: KeptForest, n_signals: int, depth: int = 3) -> Floats:
    """How often each signal is asked for at each of the first levels of the trees [levels × signals], as a share."""
    counts = np.zeros((depth, n_signals))
    for first in forest.offsets[:-1].tolist():
        level = [first]
        for number in range(depth):
            inner = [node for node in level if forest.left[node] != _LEAF]
            for node in inner:
                counts[number, forest.signals[node]] += 1
            level = [first + int(side[node]) for node in inner for side in (forest.left, forest.right)]
    found: Floats = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    return found
