"""One layer's trees: learnt from words whose tags are known, and asked about others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat._arrays import Array, Bytes, Flags, Floats, Ids
from karat._ragged import Ragged, owners_of
from karat.systems.layered_trees.attributes import Attributes
from karat.systems.layered_trees.layers import (
    Layer,
    Questions,
    believed,
    class_numbers,
    frequent_classes,
    questions_of,
)
from karat.systems.layered_trees.trees import ClassTrees, Examples, Growth, grown_trees

_LEAST = 1e-6  # what trees that know all values may not fall below, as a part of the share before
NO_FOLDS = np.zeros((0, 0), dtype=np.int8)


@dataclass(frozen=True, slots=True, eq=False)
class TreePlan:
    """Which trees are grown, and how.

    A class needs `least_class` examples for trees of its own. `trust` is how many examples in a leaf it takes to
    count as much as what was known without the tree.
    """

    how: Growth
    n_trees: int
    trust: float
    n_folds: int = 5
    least_class: int = 50

    def divisions(self) -> int:
        return max(-(-self.n_trees // self.n_folds), 1)

    def trees(self, *, is_last: bool) -> list[tuple[int, int]]:
        """Divisions and folds that trees leave out; a single tree leaves out nothing, and others stand in for it."""
        several = [(n // self.n_folds, n % self.n_folds) for n in range(self.n_trees)]
        if self.n_trees > 1:
            return several
        return [(-1, -1)] if is_last else [(-1, -1), *((0, n) for n in range(self.n_folds))]


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """A layer and its trees: those of ambiguity classes, and those that learnt from all classes together.

    What the latter say, limited to a class's values, counts as much as `trust` examples in the leaves of its trees; in
    their own leaves, what was believed before does. Rare classes have only them.
    """

    layer: Layer
    trees: ClassTrees
    pooled: ClassTrees
    trust: float

    def answered(self, shared: Bytes, attributes: Attributes, candidates: Ragged, fold: Array = NO_FOLDS) -> Ragged:
        """New beliefs in candidates by this layer; with folds, by trees that have not seen a word."""
        questions = questions_of(self.layer, candidates)
        examples = Examples(shared, questions.own_attributes(self.layer), questions.word)
        found = class_numbers(questions.classes(len(self.layer.names)), self.trees.classes, len(self.layer.names))
        is_nominal, _ = with_own(attributes, self.layer)
        answers = self._by_all(examples, questions, is_nominal, fold)
        self.trees.add_shares(examples, found, questions.offsets[:-1], is_nominal, answers, fold, self.trust)
        return believed(candidates, questions, answers)

    def kept(self, n_trees: int) -> Step:
        """Without the trees that only stood in for a single one."""
        if n_trees > 1:
            return self
        trees, pooled = (one.only(one.left_out[:, 0] < 0) for one in (self.trees, self.pooled))
        return Step(self.layer, trees, pooled, self.trust)

    def _by_all(self, examples: Examples, questions: Questions, is_nominal: Flags, fold: Array) -> Floats:
        """The answers of the trees that know all values, limited to a question's; without any, its shares."""
        if not len(self.pooled.classes):
            return questions.shares.copy()
        n, owners = len(self.layer.names), owners_of(np.diff(questions.offsets))
        places = owners * n + questions.values
        every = np.zeros(len(questions) * n)
        every[places] = questions.shares
        zeros = np.zeros(len(questions), dtype=np.int32)
        self.pooled.add_shares(examples, zeros, np.arange(len(questions)) * n, is_nominal, every, fold, self.trust)
        found = every[places] + _LEAST * questions.shares
        answers: Floats = found / np.bincount(owners, weights=found, minlength=len(questions))[owners]
        return answers


def with_own(attributes: Attributes, layer: Layer) -> tuple[Flags, Ids]:
    """Which attributes only name something, and how many values each has, with those of questions at the end."""
    from karat.systems.layered_trees._compiled_attributes import N_LEVELS

    own = np.full(layer.n_own, N_LEVELS, dtype=np.int32)
    return np.append(attributes.is_nominal, np.zeros(layer.n_own, np.bool_)), np.append(attributes.sizes, own)


def learnt_step(
    layer: Layer,
    shared: Bytes,
    attributes: Attributes,
    candidates: Ragged,
    gold: Ids,
    fold: Array,
    plan: TreePlan,
    *,
    is_last: bool,
    rng: np.random.Generator,
) -> Step:
    """A layer's trees, learnt from the questions that the gold tags of words answer."""
    questions = questions_of(layer, candidates)
    owners = owners_of(np.diff(questions.offsets))
    is_right = np.zeros(len(questions.values), dtype=np.bool_)
    right = questions.of[candidates.values == gold[candidates.owners]]
    is_right[right[right >= 0]] = True
    rows = owners[is_right]
    n_values = len(layer.names)
    strings = questions.classes(n_values)
    classes = frequent_classes(strings[rows], n_values, plan.least_class)
    of_class = class_numbers(strings, classes, n_values)[rows]
    place = np.flatnonzero(is_right) - questions.offsets[rows]
    is_nominal, sizes = with_own(attributes, layer)
    examples = Examples(shared, questions.own_attributes(layer)[rows], questions.word[rows])
    trees = plan.trees(is_last=is_last)
    own = np.flatnonzero(of_class >= 0)
    mine = Examples(shared, examples.own[own], examples.word[own])
    of_classes = grown_trees(
        mine, of_class[own], place[own].astype(np.int32), classes, fold, trees, sizes, is_nominal, plan.how, rng
    )
    is_pooled = len(rows) >= plan.least_class and 2 <= n_values <= layer.n_own
    all_values = Ragged(np.array([0, n_values]), np.arange(n_values))
    none = Ragged(np.zeros(1, np.intp), np.zeros(0, np.intp))
    zeros = np.zeros(len(rows) if is_pooled else 0, dtype=np.int32)
    pooled = grown_trees(
        examples,
        zeros,
        questions.values[is_right].astype(np.int32),
        all_values if is_pooled else none,
        fold,
        trees,
        sizes,
        is_nominal,
        plan.how,
        rng,
    )
    return Step(layer, of_classes, pooled, plan.trust)
