"""Trees of ambiguity classes: grown from examples, kept as arrays, shown as text.

A class is a set of values between which examples have to choose; each class with enough examples has one tree, or a
forest: trees that each leave out a fold of the sentences and try some attributes in each node, chosen at random. An
answer is the mean of the trees' shares. The trees that left out a word's fold say what trees make of words they have
not seen: later layers learn from that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from karat._arrays import Array, Bytes, Flags, Floats, Ids, Indices
from karat._ragged import Ragged, offsets_of, places_of_rows
from karat.systems.model_file import Model


@dataclass(frozen=True, slots=True)
class Growth:
    """How trees are grown."""

    least_leaf: int = 5
    least_bits: float = 6.0
    deepest: int = 30
    tried: float = 1.0
    prior: float = 2.0


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """Words and their attributes: those that all examples of a word share, and those of the example alone."""

    shared: Bytes
    own: Bytes
    word: Indices

    def rows(self, some: Indices) -> Bytes:
        """The attributes of some of the examples [examples × attributes]."""
        return np.concatenate([self.shared[self.word[some]], self.own[some]], axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class ClassTrees:
    """The trees of classes.

    `classes` has the values of each; `tree_offsets` says which trees are those of a class, `node_offsets` and
    `share_offsets` where each tree's nodes and the shares of its leaves begin. `left_out` has the division of the
    sentences and the fold that a tree has not seen, or -1.
    """

    classes: Ragged
    tree_offsets: Indices
    node_offsets: Indices
    share_offsets: Indices
    nodes: tuple[Ids, Ids, Ids, Ids]
    n_of_leaf: Ids
    shares: Array
    left_out: Array

    def add_shares(
        self,
        examples: Examples,
        of_class: Ids,
        starts: Indices,
        is_nominal: Flags,
        found: Floats,
        fold: Array,
        trust: float,
    ) -> None:
        """The shares that trees give each example, written from its start on; see the kernel."""
        from karat.systems.layered_trees import _compiled_trees as compiled

        layout = (self.tree_offsets, self.node_offsets, self.share_offsets, self.classes.sizes.astype(np.int32))
        compiled.add_shares(
            examples.shared,
            examples.own,
            examples.word,
            of_class,
            starts,
            is_nominal,
            self.nodes,
            layout,
            self.shares,
            self.n_of_leaf,
            trust,
            fold,
            self.left_out,
            found,
        )

    def only(self, kept: Flags) -> ClassTrees:
        """Some of the trees; classes stay."""
        trees = np.flatnonzero(kept)
        of_class = np.repeat(np.arange(len(self.classes)), np.diff(self.tree_offsets))
        nodes, n_nodes = places_of_rows(self.node_offsets, trees)
        leaves, _ = places_of_rows(self.leaf_offsets, trees)
        shares, n_shares = places_of_rows(self.share_offsets, trees)
        attribute, threshold, left, right = (one[nodes] for one in self.nodes)
        return ClassTrees(
            self.classes,
            offsets_of(np.bincount(of_class[trees], minlength=len(self.classes))),
            offsets_of(n_nodes),
            offsets_of(n_shares),
            (attribute, threshold, left, right),
            self.n_of_leaf[leaves],
            self.shares[shares],
            self.left_out[trees],
        )

    @property
    def leaf_offsets(self) -> Indices:
        """Where the leaves of each tree begin: one more than it has nodes."""
        return self.node_offsets + np.arange(len(self.node_offsets))

    # ---- its file ----------------------------------------------------------------------------------------------------

    def parts(self, name: str) -> dict[str, Array]:
        """The arrays that are kept in a file."""
        attribute, threshold, left, right = self.nodes
        return {
            f"{name} class offsets": self.classes.offsets.astype(np.int64),
            f"{name} classes": self.classes.values.astype(np.int32),
            f"{name} tree offsets": self.tree_offsets.astype(np.int64),
            f"{name} node offsets": self.node_offsets.astype(np.int64),
            f"{name} attributes": attribute.astype(np.int32),
            f"{name} thresholds": threshold.astype(np.int32),
            f"{name} left": left,
            f"{name} right": right,
            f"{name} leaf words": self.n_of_leaf,
            f"{name} leaf shares": self.shares,
        }

    @classmethod
    def from_parts(cls, model: Model, name: str, n_values: int, n_attributes: int) -> Self:
        """The trees that were kept; every index is checked."""
        values = model.numbers(f"{name} classes", n_values).astype(np.intp)
        n_classes = max(len(model.array(f"{name} class offsets", "int64")) - 1, 0)
        classes = Ragged(model.offsets(f"{name} class offsets", n_classes, len(values)).astype(np.intp), values)
        n_trees = max(len(model.array(f"{name} node offsets", "int64")) - 1, 0)
        trees = model.offsets(f"{name} tree offsets", n_classes, n_trees).astype(np.intp)
        attribute = model.numbers(f"{name} attributes", n_attributes)
        offsets = model.offsets(f"{name} node offsets", n_trees, len(attribute)).astype(np.intp)
        threshold = model.numbers(f"{name} thresholds", 256)
        children = [model.array(f"{name} {side}", "int32") for side in ("left", "right")]
        n_nodes = np.diff(offsets)
        of_class = np.repeat(np.arange(n_classes), np.diff(trees))
        share_offsets = offsets_of((n_nodes + 1) * classes.sizes[of_class])
        n_of_leaf = model.numbers(f"{name} leaf words", 1 << 31)
        shares = model.array(f"{name} leaf shares", "float32")
        is_wrong = any(len(one) != len(attribute) for one in (threshold, *children))
        is_wrong |= len(n_of_leaf) != len(attribute) + n_trees or len(shares) != share_offsets[-1]
        is_wrong |= bool((np.diff(classes.values)[_inside(classes)] <= 0).any()) or bool((classes.sizes < 2).any())
        if is_wrong or not np.isfinite(shares).all() or (shares < 0).any():
            raise model.problem("trees do not fit together")
        place = np.arange(len(attribute)) - np.repeat(offsets[:-1], n_nodes)
        of_tree = np.repeat(n_nodes, n_nodes)
        for child in children:  # every child comes later than its parent, so that no way is without end
            if (((child >= 0) & ((child <= place) | (child >= of_tree))) | (~child > of_tree)).any():
                raise model.problem("trees do not fit together")
        left_out = np.full((n_trees, 2), -1, dtype=np.int32)
        nodes = (attribute, threshold, children[0], children[1])
        return cls(classes, trees, offsets, share_offsets, nodes, n_of_leaf, shares, left_out)


def _inside(rows: Ragged) -> Flags:
    """Which steps from a value to the next stay in a row."""
    found = np.ones(max(len(rows.values) - 1, 0), dtype=np.bool_)
    starts = rows.offsets[1:-1]
    found[starts[(starts > 0) & (starts <= len(found))] - 1] = False
    return found


def grown_trees(
    examples: Examples,
    of_class: Ids,
    value: Ids,
    classes: Ragged,
    fold: Array,
    plan: Sequence[tuple[int, int]],
    sizes: Ids,
    is_nominal: Flags,
    how: Growth,
    rng: np.random.Generator,
) -> ClassTrees:
    """Trees of all classes: for each (division, fold) of the plan one of the words that are not in that fold.

    `value` is the place of each example's value among those of its class; `fold` has the fold of each word in each
    division; a division of -1 leaves nothing out.
    """
    from karat.systems.layered_trees import _compiled_trees as compiled

    found: list[tuple[Array, ...]] = []
    n_tried = max(round(how.tried * len(sizes)), 1)
    order = np.argsort(of_class, kind="stable")
    starts = np.searchsorted(of_class[order], np.arange(len(classes) + 1))
    for number, n_values in enumerate(classes.sizes.tolist()):
        some = order[starts[number] : starts[number + 1]]
        rows, values = examples.rows(some), value[some].astype(np.int32)
        for division, left_out in plan:
            seed = int(rng.integers(1 << 62))
            growth = (how.least_leaf, how.least_bits, how.deepest, n_tried, how.prior, seed)
            if division < 0:
                found.append(compiled.grown_tree(rows, values, n_values, sizes, is_nominal, growth))
            else:
                kept = np.flatnonzero(fold[division, examples.word[some]] != left_out)
                found.append(compiled.grown_tree(rows[kept], values[kept], n_values, sizes, is_nominal, growth))
    empty = np.zeros(0, np.int32)
    a, b, c, d, n_of_leaf = (np.concatenate([empty, *(one[k] for one in found)]) for k in range(5))
    shares = [one[5].reshape(-1) for one in found]
    return ClassTrees(
        classes,
        np.arange(len(classes) + 1) * len(plan),
        offsets_of(np.array([len(one[0]) for one in found], np.intp)),
        offsets_of(np.array([len(one) for one in shares], np.intp)),
        (a, b, c, d),
        n_of_leaf,
        np.concatenate([np.zeros(0, np.float32), *shares]),
        np.array(list(plan) * len(classes), dtype=np.int32).reshape(-1, 2),
    )
