"""Answers of gold and system as probability over the leaves of a tag hierarchy [Melamed & Resnik 2000, eq. 2].

What the scores of `karat.measures.hierarchical.scores` are made of; each is worked out once for each distinct pair of a
system's tag and a set of gold tags, of which there are few however many instances there are.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from karat._arrays import Flags, Floats, Ids, Indices
from karat._numbering import numbered_keys
from karat._ragged import Ragged, offsets_of
from karat.hierarchy import Hierarchy
from karat.hierarchy.downward import spread
from karat.measures.hierarchical.answer_sets import (
    TagSets,
    distinct_sets,
    in_common,
    in_portions,
    merged_rows,
)
from karat.measures.hierarchical.downward_bounds import extreme_scores

_NEARLY = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Spreading:
    """How probability goes down a hierarchy.

    `downward` has a probability for each edge, beside the hierarchy's children; None: all children of a tag are equally
    likely. `distinct` instead takes all leaves below a tag for equally likely, by however many paths they are reached.
    """

    hierarchy: Hierarchy
    downward: Floats | None = None
    distinct: bool = False

    def leaves_of(self, tags: Indices) -> Ragged:
        """The distribution over leaves of each of these tags."""
        return spread(self.hierarchy, tags, self.downward, distinct=self.distinct)


@dataclass(frozen=True, eq=False)
class AnswerPairs:
    """The answers of gold and system to the same instances, and where they are counted.

    The rows of `gold` and `system` are instances with the numbers of their tags; weights of the system's are
    probabilities, of which those of an instance sum to 1. Gold instance `gold_places[i]` is the system's
    `system_places[i]`. `rows` is the row of every gold instance, `system_rows` that of every system instance; an
    instance that leaves the test is not in `in_test`. `types` are the gold's word types.
    """

    gold: Ragged
    system: Ragged
    gold_places: Indices
    system_places: Indices
    rows: Indices
    system_rows: Indices
    n_rows: int
    in_test: Flags
    types: Ids
    spreading: Spreading
    smallest_probability: float = 0.001

    @cached_property
    def _gold_sets(self) -> TagSets:
        return distinct_sets(self.gold)

    @cached_property
    def _gold_leaves(self) -> Ragged:
        """The right leaves of each distinct set of gold tags."""
        return self._above_or_below(self._gold_sets.sets, self.spreading.hierarchy.leaves_below)

    def _above_or_below(self, sets: Ragged, related: Callable[[Indices], Ragged]) -> Ragged:
        """What is related to any tag of each set: the leaves below, or the ancestors."""
        tags, of_member = np.unique(sets.values, return_inverse=True)
        every = related(tags).taken(of_member)
        return merged_rows(sets.owners.take(every.owners), every.values, len(sets.sizes))

    @cached_property
    def _given(self) -> tuple[Ragged, Indices]:
        """The answers to the instances of each pair, and which pair each answer is of."""
        every = self.system.taken(self.system_places)
        return every, every.owners

    @cached_property
    def is_attempted(self) -> Flags:
        """For each pair whether the system gave an answer."""
        return self.system.sizes.take(self.system_places) > 0

    @cached_property
    def _tag_and_set(self) -> tuple[Indices, Indices, Indices]:
        """The distinct pairs of a system's tag and a set of gold tags, and which of them each answer is."""
        given, pair = self._given
        n_tags = len(self.spreading.hierarchy.names)
        sets = self._gold_sets.of_thing.take(self.gold_places).take(pair)
        keys, which = numbered_keys(sets.astype(np.int64) * n_tags + given.values)
        set_, tag = np.divmod(keys, n_tags)
        return tag.astype(np.intp), set_.astype(np.intp), which

    @cached_property
    def _system_leaves(self) -> tuple[Ragged, Indices]:
        """The distributions of the tags that the system gave, and the row in them of each distinct pair's tag."""
        tags, row = np.unique(self._tag_and_set[0], return_inverse=True)
        return self.spreading.leaves_of(tags), row

    @cached_property
    def mass(self) -> Floats:
        """For each pair the probability given to right leaves: eq. 2."""
        given, pair = self._given
        _, sets, which = self._tag_and_set
        leaves, row = self._system_leaves
        _, right = in_common(leaves, row, self._gold_leaves, sets)
        weights = _weights(given) * right.take(which)
        found = np.bincount(pair, weights=weights, minlength=len(self.gold_places))
        nearly_one = np.abs(found - 1) < _NEARLY
        return np.clip(np.where(nearly_one, 1.0, found), 0.0, 1.0).astype(np.float64)

    @cached_property
    def exact(self) -> Floats:
        """For each pair 1 where the most probable tags are all among the gold's; else 0."""
        given, pair = self._given
        tag, sets, which = self._tag_and_set
        alone = Ragged(np.arange(len(tag) + 1), tag)
        is_right, _ = in_common(alone, np.arange(len(tag)), self._gold_sets.sets, sets)
        probability = _weights(given)
        most = np.zeros(len(self.gold_places))
        starts = given.offsets[:-1][self.is_attempted]
        most[self.is_attempted] = np.maximum.reduceat(probability, starts) if len(starts) else 0.0
        is_top = probability >= most.take(pair) * (1 - _NEARLY)
        n_wrong = np.bincount(pair[is_top & (is_right.take(which) == 0)], minlength=len(most))
        is_exact: Flags = self.is_attempted & (n_wrong == 0)
        return is_exact.astype(np.float64)

    @cached_property
    def _ancestors(self) -> tuple[Ragged, Ragged, TagSets]:
        """All tags at or above those of each distinct set of the gold and of the system."""
        above = self.spreading.hierarchy.ancestors
        system = distinct_sets(self.system)
        return self._above_or_below(self._gold_sets.sets, above), self._above_or_below(system.sets, above), system

    @cached_property
    def ancestors_in_common(self) -> Indices:
        """For each pair how many tags at or above the given ones are also at or above the gold's."""
        ours, theirs, sets = self._ancestors
        n_sets = len(theirs.sizes)
        one = self._gold_sets.of_thing.take(self.gold_places).astype(np.int64)
        keys, which = numbered_keys(one * n_sets + sets.of_thing.take(self.system_places))
        gold, system = np.divmod(keys, max(n_sets, 1))
        number, _ = in_common(ours, gold.astype(np.intp), theirs, system.astype(np.intp))
        return number[which]

    @property
    def gold_ancestors(self) -> Indices:
        """For each gold instance how many tags are at or above its own."""
        return self._ancestors[0].sizes.take(self._gold_sets.of_thing)

    @property
    def system_ancestors(self) -> Indices:
        """For each system instance how many tags are at or above those given."""
        return self._ancestors[1].sizes.take(self._ancestors[2].of_thing)

    @property
    def bits(self) -> Floats:
        """For each pair −log₂ of the probability given to right leaves."""
        return -np.log2(np.maximum(self.mass, self.smallest_probability))

    @property
    def most_bits(self) -> float:
        """What an instance costs on which nothing right was given."""
        return -math.log2(self.smallest_probability)

    @cached_property
    def squares(self) -> Floats:
        """For each pair the Brier score, right leaves taken together."""
        given, pair = self._given
        which = self._tag_and_set[2]
        leaves, row = self._system_leaves
        found = np.square(1 - self.mass)
        n_leaves = leaves.sizes.take(row).take(which)
        answers = offsets_of(np.bincount(pair, minlength=len(found)))
        for some in in_portions(np.bincount(pair, weights=n_leaves, minlength=len(found)).astype(np.intp)):
            these = slice(answers[some.start], answers[some.stop])
            spread_out = leaves.taken(row.take(which[these]))
            masses = _weights(spread_out) * _weights(given)[these].take(spread_out.owners)
            of_pair = pair[these].take(spread_out.owners) - some.start
            every = merged_rows(of_pair, spread_out.values, some.stop - some.start, masses)
            squared = Ragged(every.offsets, every.values, np.square(_weights(every)))
            numbers = np.arange(some.stop - some.start)
            gold = self._gold_sets.of_thing.take(self.gold_places[some])
            _, right = in_common(squared, numbers, self._gold_leaves, gold)
            total = np.bincount(every.owners, weights=squared.weights, minlength=len(numbers))
            found[some] += np.maximum(total - right, 0.0)
        return found

    def extremes(self) -> tuple[float, float]:
        """The smallest and largest mean of `hierarchical` over all downward distributions.

        Over those that are the same for all instances where the hierarchy is a forest; in a DAG, and where leaves are
        taken for equally likely, over those that each instance may have of its own, which cannot be less wide.
        """
        given, pair = self._given
        tag, sets, which = self._tag_and_set
        counted = self.in_test.take(self.gold_places).take(pair)
        weights: Floats = np.zeros(len(tag))
        np.add.at(weights, which, _weights(given) * counted)
        hierarchy = self.spreading.hierarchy
        tags, row = np.unique(tag, return_inverse=True)
        below = hierarchy.leaves_below(tags)
        leaves = Ragged(below.offsets, below.values)
        n_right, _ = in_common(leaves, row, self._gold_leaves, sets)
        n = max(int(self.in_test.sum()), 1)
        is_sure = (n_right == 0) | (n_right == leaves.sizes.take(row))  # whatever the distribution
        sure = float(weights[is_sure & (n_right > 0)].sum())
        if not hierarchy.is_tree or self.spreading.distinct:
            return min(sure / n, 1.0), min((sure + float(weights[~is_sure].sum())) / n, 1.0)
        open_ = np.flatnonzero(~is_sure & (weights > 0))
        every = leaves.taken(row[open_])
        leaf, owner = every.values, open_.take(every.owners)
        alone = Ragged(np.arange(len(leaf) + 1), leaf)
        is_right = in_common(alone, np.arange(len(leaf)), self._gold_leaves, sets.take(owner))[0] > 0
        smallest, largest = extreme_scores(
            hierarchy, tag[owner[is_right]], hierarchy.leaves[leaf[is_right]], weights[owner[is_right]]
        )
        return min((sure + smallest) / n, 1.0), min((sure + largest) / n, 1.0)


def _weights(rows: Ragged) -> Floats:
    assert rows.weights is not None
    return rows.weights
