"""The items of a careful evaluation of bracketing [Hogenhout & Matsumoto 1996, §3], tree by tree.

A parse bracket is an exact match (EM) if the treebank has it, a crossing error (CE) if it overlaps a treebank bracket
without either being inside the other, and spurious (SP) otherwise. Errors come in chains: a crossing bracket directly
below another crossing one is inherited (PINH), and so is a treebank bracket that was found directly below another that
was found (TINH). The paper's worked example does not count the bracket around the whole sentence as a parent, and
neither does karat unless it is asked for the literal definition, by which it is one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from karat._arrays import Flags, Ids, Indices
from karat._compiled import pays
from karat._numbering import numbered_values
from karat._ragged import stretches
from karat.measures.brackets.preparation import Brackets

ITEMS = ("TTB", "TPB", "EM", "CE", "SP", "PINH", "PNINH", "TINH", "TNINH")


@dataclass(frozen=True, eq=False)
class BracketComparison:
    """A system's brackets beside the gold's, over the same words; with `labelled`, labels must be the same too.

    With `sentence_is_parent`, others inherit from the bracket around the whole sentence as well: the paper's literal
    definition, by which its worked example has TINH = 2 and TNINH = 3 where 1 and 4 are printed.
    """

    gold: Brackets
    system: Brackets
    labelled: bool = False
    sentence_is_parent: bool = False

    @cached_property
    def _compiled_matches(self) -> tuple[Flags, Flags] | None:
        """What is `found` and what `exact`, if compiled code pays and can be used."""
        if not pays():
            return None
        from karat.measures.brackets import _compiled as compiled

        gold, system = self.gold, self.system
        if not all(compiled.are_sorted(side.start, side.stop) for side in (gold, system)):
            return None
        our_labels, their_labels, n_labels = self._labels()
        brackets = gold.start, gold.stop, our_labels, system.start, system.stop, their_labels
        return compiled.matches(*brackets, n_labels)

    @cached_property
    def _keys(self) -> tuple[Indices, Indices]:
        """A number for each bracket of both sides, equal for equal ones."""
        gold, system = self.gold, self.system
        our_labels, their_labels, n_labels = self._labels()
        longest = max(int((side.stop - side.start).max(initial=0)) for side in (gold, system))
        return _keys(gold, our_labels, n_labels, longest), _keys(system, their_labels, n_labels, longest)

    def _labels(self) -> tuple[Ids, Ids, int]:
        """The labels of both sides by common numbers, and how many; all are the same if they do not matter."""
        gold, system = self.gold, self.system
        if not self.labelled:
            return np.zeros(len(gold), dtype=np.int32), np.zeros(len(system), dtype=np.int32), 1
        names: dict[str, int] = {}
        ours, theirs = (numbered_values(side.names, names).take(side.labels) for side in (gold, system))
        return ours, theirs, len(names)

    @cached_property
    def found(self) -> Flags:
        """The gold brackets that the system has.

        Of equal brackets on one side (only without merging of doubled ones) as many match as the other side has.
        """
        if self._compiled_matches is not None:
            return self._compiled_matches[0]
        ours, theirs = self._keys
        return _found_in(ours, theirs)

    @cached_property
    def exact(self) -> Flags:
        """The system's brackets that the gold has; of equal ones as many as it has."""
        if self._compiled_matches is not None:
            return self._compiled_matches[1]
        ours, theirs = self._keys
        return _found_in(theirs, ours)

    @cached_property
    def crossing(self) -> Flags:
        """The system's brackets that cross a gold one.

        A bracket (s, e) is crossed if a gold bracket begins inside it, after s and before e, and ends beyond e, or ends
        inside it and begins before s. So of all gold brackets that begin at a word only the longest matters, and of all
        that end at one the longest too; and the furthest reach over the words inside is looked up in a table of the
        furthest over 1, 2, 4, … words.
        """
        gold, system = self.gold, self.system
        n_words = int(gold.word_offsets[-1])
        if pays():
            from karat.measures.brackets import _compiled as compiled

            most_words = max(n_words, int(system.word_offsets[-1]))
            return compiled.crossing(gold.start, gold.stop, gold.parents, system.start, system.stop, most_words)
        reach = np.arange(n_words + 1, dtype=np.int32)
        np.maximum.at(reach, gold.start, gold.stop)
        back = np.arange(n_words + 1, dtype=np.int32)
        np.minimum.at(back, gold.stop, gold.start)
        first, last = system.start + 1, system.stop - 1  # places inside
        inside = last >= first
        furthest = _range_extreme(reach, first, last, inside, np.maximum)
        earliest = _range_extreme(back, first, last, inside, np.minimum)
        crossed: Flags = inside & ((furthest > system.stop) | (earliest < system.start))
        return crossed

    @cached_property
    def errors(self) -> Flags:
        """The system's brackets that are crossing errors."""
        return self.crossing & ~self.exact

    @cached_property
    def inherited_errors(self) -> Flags:
        """The crossing errors directly below another."""
        return self.errors & self._parent_is(self.system, self.errors)

    @cached_property
    def inherited_found(self) -> Flags:
        """The gold brackets that the system has directly below another that it has."""
        return self.found & self._parent_is(self.gold, self.found)

    def _parent_is(self, brackets: Brackets, wanted: Flags) -> Flags:
        """Whether the bracket next above is a wanted one; the sentence's own only if that can be a parent."""
        parents = brackets.parents
        as_parent = wanted if self.sentence_is_parent else wanted & ~brackets.spans_tree
        return (parents >= 0) & as_parent.take(parents) if len(as_parent) else np.zeros(0, dtype=np.bool_)

    def flagged(self) -> dict[str, tuple[Brackets, Flags | None]]:
        """For every item the side that it counts and which brackets of it (None: all)."""
        gold, system = self.gold, self.system
        return {
            "TTB": (gold, None),
            "TPB": (system, None),
            "EM": (system, self.exact),
            "CE": (system, self.errors),
            "SP": (system, ~self.exact & ~self.errors),
            "PINH": (system, self.inherited_errors),
            "PNINH": (system, self.errors & ~self.inherited_errors),
            "TINH": (gold, self.inherited_found),
            "TNINH": (gold, self.found & ~self.inherited_found),
        }

    def items(self) -> dict[str, Indices]:
        """The paper's items of each tree."""
        return {item: side.tally(chosen) for item, (side, chosen) in self.flagged().items()}

    def items_of(self, is_wanted: Callable[[str], bool]) -> dict[str, Indices]:
        """The items of each tree, of the brackets whose label is wanted."""
        wanted = {id(side): _labelled(side, is_wanted) for side in (self.gold, self.system)}
        return {
            item: side.tally(wanted[id(side)] if chosen is None else chosen & wanted[id(side)])
            for item, (side, chosen) in self.flagged().items()
        }

    def items_by_label(self, trees: Flags) -> dict[str, dict[str, int]]:
        """Label → item → how many brackets, over these trees; the most frequent of the gold first."""
        names = list(dict.fromkeys((*self.gold.names, *self.system.names)))
        found: dict[str, dict[str, int]] = {name: {} for name in names}
        for item, (side, chosen) in self.flagged().items():
            here = trees.take(side.trees)
            labels = side.labels[here if chosen is None else here & chosen]
            tally = dict(zip(side.names, np.bincount(labels, minlength=len(side.names)).tolist(), strict=True))
            for name in names:
                found[name][item] = tally.get(name, 0)
        there = {name: items for name, items in found.items() if items["TTB"] or items["TPB"]}
        return dict(sorted(there.items(), key=lambda pair: -pair[1]["TTB"]))


def _labelled(brackets: Brackets, is_wanted: Callable[[str], bool]) -> Flags:
    """The brackets whose label is wanted."""
    wanted = np.array([is_wanted(name) for name in brackets.names], dtype=np.bool_)
    flags: Flags = wanted.take(brackets.labels)
    return flags


def _keys(brackets: Brackets, labels: Ids, n_labels: int, longest: int) -> Indices:
    """A number for each bracket, equal for equal ones; it grows as brackets open, which makes sorting fast."""
    keys = brackets.trees.astype(np.int64)  # what is empty at a tree's end is not what is at the next one's beginning
    keys += brackets.start
    keys *= longest + 1
    keys += longest - (brackets.stop - brackets.start)
    keys *= n_labels
    keys += labels
    return keys


def _found_in(keys: Indices, others: Indices) -> Flags:
    """Which keys the others have too; of equal keys the first, as many as the others have."""
    order = np.argsort(keys, kind="stable")
    sorted_keys, sorted_others = keys[order], np.sort(others)
    first = np.flatnonzero(np.diff(sorted_keys, prepend=-1))
    before = stretches(0, np.diff(first, append=len(keys)))
    n_others = np.searchsorted(sorted_others, sorted_keys, side="right") - np.searchsorted(sorted_others, sorted_keys)
    found = np.empty(len(keys), dtype=np.bool_)
    found[order] = before < n_others
    return found


def _range_extreme(values: Ids, first: Ids, last: Ids, inside: Flags, extreme: np.ufunc) -> Ids:
    """The extreme of values[first … last] for each range; ranges that are not inside get the value at their first."""
    first = np.minimum(first, len(values) - 1)
    length = np.where(inside, last - first + 1, 1)
    level = np.frexp(length.astype(np.float64))[1] - 1  # the largest power of 2 that is not longer
    result = np.zeros(len(first), dtype=values.dtype)
    table = values
    for power in range(int(level.max(initial=0)) + 1):
        here = np.flatnonzero(level == power)
        left = first[here]
        result[here] = extreme(table[left], table[left + length[here] - (1 << power)])
        if 1 << power < len(table):
            table = extreme(table[: -(1 << power)], table[1 << power :])
    return result
