"""Acquired constraints (kind C): for each class of ambiguous words a decision tree over what stands around.

A node asks for the label or the form at one position and has a branch for each frequent answer and one for all others.
A leaf has a strength for each label of the class, log2 P(label | leaf) / P(label | class), times a factor. Labels of
neighbours are not known while words are tagged: a path counts as much as the product of the weights of the labels that
it asks for. So each path is a constraint that can be read: where all answers are like this, the label is supported so
much.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np

from karat._arrays import Array, Floats, Ids, Indices
from karat._ragged import offsets_of, owners_of
from karat.systems.model_file import Model
from karat.systems.relaxation.constraints import EDGE, Constraint, ContextCondition
from karat.systems.relaxation.ngrams import strengths_of
from karat.systems.relaxation.word_classes import Class

if TYPE_CHECKING:
    from karat.systems.relaxation import _compiled_relaxation as compiled

LABEL_POSITIONS = (-3, -2, -1, 1, 2)
FORM_POSITIONS = (-2, -1, 0, 1, 2)
N_ATTRIBUTES = len(LABEL_POSITIONS) + len(FORM_POSITIONS)


@dataclass(frozen=True, eq=False)
class AcquiredTrees:
    """AcquiredTrees in one row of nodes: the tree of class k begins with node `roots[k]`.

    A node asks for an attribute: the label at one of LABEL_POSITIONS or the form at one of FORM_POSITIONS, numbered in
    that order; -1 is a leaf. Its `n_children` branches lead to the nodes from `first_child` on; `values` has for each
    node the label or form that leads to it, -1 for the last of each node's branches, which all other values take.
    `labels` has the labels of each tree, in order, from `label_offsets` on; `strengths` those of leaves, a row each,
    one behind the other; `counts` how many words of training came to each leaf.
    """

    roots: Ids
    attributes: Ids
    first_child: Ids
    n_children: Ids
    values: Ids
    label_offsets: Indices
    labels: Ids
    strengths: Floats
    counts: Ids

    def __len__(self) -> int:
        return len(self.roots)

    @cached_property
    def tree_of_node(self) -> Indices:
        """The tree that each node is of."""
        sizes = np.diff(np.append(self.roots, len(self.attributes)))
        return np.repeat(np.arange(len(self.roots)), sizes)

    @cached_property
    def rows(self) -> Indices:
        """Where the strengths of each node begin that is a leaf."""
        sizes = np.where(self.attributes < 0, np.diff(self.label_offsets)[self.tree_of_node], 0)
        return offsets_of(sizes)[:-1]

    def for_kernels(self) -> compiled.Trees:
        """The trees as kernels have them."""
        most = int(self.n_children.max(initial=1))
        return (
            self.roots, self.attributes, self.first_child, self.n_children, self.values, self.rows.astype(np.int64),
            self.label_offsets.astype(np.int64), self.labels, self.strengths, 1 + N_ATTRIBUTES * most,
        )  # fmt: skip

    def constraints(
        self, classes: Sequence[Class], labels: Sequence[str], forms: Sequence[str]
    ) -> Iterator[Constraint]:
        """Every path of every tree as a constraint, for each label of its class."""
        for number, root in enumerate(self.roots.tolist()):
            one = classes[number]
            names = tuple(sorted(labels[label] for label in one)) if isinstance(one, tuple) else (one,)
            own = ContextCondition(0, "class" if isinstance(one, tuple) else "shape", names)
            begin, stop = self.label_offsets[number : number + 2].tolist()
            for leaf, conditions in self._paths(root, (own,), labels, forms):
                row = int(self.rows[leaf])
                for place, label in enumerate(self.labels[begin:stop].tolist()):
                    strength = float(self.strengths[row + place])
                    yield Constraint(strength, labels[label], conditions, int(self._counts_of_leaf[leaf]), "C")

    @cached_property
    def _counts_of_leaf(self) -> Ids:
        found = np.zeros(len(self.attributes), dtype=np.int32)
        found[self.attributes < 0] = self.counts
        return found

    def _paths(
        self, node: int, before: tuple[ContextCondition, ...], labels: Sequence[str], forms: Sequence[str]
    ) -> Iterator[tuple[int, tuple[ContextCondition, ...]]]:
        attribute = int(self.attributes[node])
        if attribute < 0:
            yield node, before
            return
        is_form = attribute >= len(LABEL_POSITIONS)
        position = FORM_POSITIONS[attribute - len(LABEL_POSITIONS)] if is_form else LABEL_POSITIONS[attribute]
        first = int(self.first_child[node])
        last = first + int(self.n_children[node]) - 1
        names = [
            forms[value] if is_form else labels[value] if value < len(labels) else EDGE
            for value in self.values[first:last].tolist()
        ]
        for number, name in enumerate(names):
            one = ContextCondition(position, "form" if is_form else "tag", (name,))
            yield from self._paths(first + number, (*before, one), labels, forms)
        others = ContextCondition(position, "form" if is_form else "tag", tuple(names), is_negated=True)
        yield from self._paths(last, (*before, others), labels, forms)

    # ---- its file ----------------------------------------------------------------------------------------------------

    def parts(self) -> Model:
        """What is kept in a file."""
        arrays: dict[str, Array] = {
            "roots": self.roots,
            "attributes": self.attributes,
            "first children": self.first_child,
            "numbers of children": self.n_children,
            "branches": self.values,
            "tree label offsets": self.label_offsets.astype(np.int64),
            "tree labels": self.labels,
            "tree strengths": self.strengths,
            "leaf counts": self.counts,
        }
        return Model("", {}, arrays, {})

    @classmethod
    def from_parts(cls, model: Model, classes: Sequence[Class], n_labels: int, n_forms: int) -> Self:
        """The trees of the first classes that were kept."""
        n = len(model.array("attributes", "int32"))
        attributes = model.numbers("attributes", N_ATTRIBUTES, least=-1)
        roots = model.numbers("roots", n)
        labels = model.numbers("tree labels", n_labels)
        found = cls(
            roots,
            attributes,
            model.numbers("first children", n + 1),
            model.numbers("numbers of children", n + 1),
            model.numbers("branches", max(n_labels + 1, n_forms), least=-1),
            model.offsets("tree label offsets", len(roots), len(labels)).astype(np.intp),
            labels,
            strengths_of(model, "tree strengths"),
            model.numbers("leaf counts", 1 << 31),
        )
        if len(roots) > len(classes) or not found._is_sound(n_labels, n_forms):
            raise model.problem("trees are no trees")
        return found

    def _is_sound(self, n_labels: int, n_forms: int) -> bool:
        """Whether each node is of one tree, no path asks for an attribute twice, and all leaves have strengths."""
        n, is_leaf = len(self.attributes), self.attributes < 0
        if any(len(one) != n for one in (self.first_child, self.n_children, self.values)):
            return False
        if n and (not len(self.roots) or self.roots[0] != 0 or (np.diff(self.roots) <= 0).any()):
            return False
        inner = np.flatnonzero(~is_leaf)
        if (self.n_children[is_leaf] != 0).any() or (self.n_children[inner] < 1).any():
            return False
        parent = np.full(n, -1)
        sizes = self.n_children[inner].astype(np.intp)
        children = np.repeat(self.first_child[inner] - offsets_of(sizes)[:-1], sizes) + np.arange(sizes.sum())
        if (children >= n).any() or len(np.unique(children)) != len(children):
            return False
        parent[children] = np.repeat(inner, sizes)
        if not np.array_equal(np.flatnonzero(parent < 0), self.roots) or (parent >= np.arange(n)).any():
            return False
        if (self.tree_of_node[children] != self.tree_of_node[parent[children]]).any():
            return False
        return self._paths_are_sound(parent) and self._values_are_sound(parent, n_labels, n_forms)

    def _paths_are_sound(self, parent: Indices) -> bool:
        asked = np.where(self.attributes >= 0, 1 << np.maximum(self.attributes, 0), 0)
        node, so_far = parent.copy(), asked.copy()
        for _ in range(N_ATTRIBUTES + 1):
            some = np.flatnonzero(node >= 0)
            if not len(some):
                return True
            if (so_far[some] & asked[node[some]]).any():
                return False
            so_far[some] |= asked[node[some]]
            node[some] = parent[node[some]]
        return False

    def _values_are_sound(self, parent: Indices, n_labels: int, n_forms: int) -> bool:
        some = np.flatnonzero(parent >= 0)
        is_last = some == (self.first_child + self.n_children - 1)[parent[some]]
        most = np.where(self.attributes[parent[some]] >= len(LABEL_POSITIONS), n_forms, n_labels + 1)
        if ((self.values[some] < 0) != is_last).any() or (self.values[some] >= most).any():
            return False
        keys = owners_of(np.diff(self.label_offsets)) * n_labels + self.labels
        is_ascending = bool((np.diff(keys) > 0).all())
        n_strengths = int(np.diff(self.label_offsets)[self.tree_of_node[self.attributes < 0]].sum())
        n_leaves = int((self.attributes < 0).sum())
        return is_ascending and len(self.strengths) == n_strengths and len(self.counts) == n_leaves


_NONE = np.zeros(0, dtype=np.int32)
NO_TREES = AcquiredTrees(_NONE, _NONE, _NONE, _NONE, _NONE, np.zeros(1, dtype=np.intp), _NONE, np.zeros(0), _NONE)
