"""The items of a careful evaluation of bracketing [Hogenhout & Matsumoto 1996, §3], tree by tree.

A parse bracket is an exact match (EM) if the treebank has it, a crossing error (CE) if it overlaps a treebank bracket
without either being inside the other, and spurious (SP) otherwise. Errors come in chains: a crossing bracket directly
below another crossing one is inherited (PINH), and so is a treebank bracket that was found directly below another that
was found (TINH). The paper's worked example does not count the bracket around the whole sentence as a parent, and
neither does karat.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from karat._arrays import Flags, Ids, Indices
from karat.measures.bracket_preparation import Brackets

__all__ = ["ITEMS", "BracketComparison"]

ITEMS = ("TTB", "TPB", "EM", "CE", "SP", "PINH", "PNINH", "TINH", "TNINH")


@dataclass(frozen=True, eq=False)
class BracketComparison:
    """A system's brackets beside the gold's, over the same words; with `labelled`, labels must be the same too."""

    gold: Brackets
    system: Brackets
    labelled: bool = False

    @cached_property
    def _matches(self) -> tuple[Flags, Flags]:
        """Which gold brackets the system has, and which of the system's brackets the gold has.

        Of equal brackets on one side (only without merging of doubled ones) as many match as the other side has.
        """
        ours, theirs = self._keys()
        return _found_in(ours, theirs), _found_in(theirs, ours)

    def _keys(self) -> tuple[Indices, Indices]:
        """A number for each bracket, equal for equal brackets."""
        names: dict[str, int] = {}
        codes = [
            np.array([names.setdefault(name, len(names)) for name in side.names], dtype=np.int64)
            for side in (self.gold, self.system)
        ]
        longest = (
            max((int((side.stop - side.start).max(initial=0)) for side in (self.gold, self.system)), default=0) + 1
        )
        keys = []
        for side, code in zip((self.gold, self.system), codes, strict=True):
            key = side.start.astype(np.int64) * longest + (side.stop - side.start)
            keys.append(key * len(names) + code.take(side.labels) if self.labelled and len(names) else key)
        return keys[0], keys[1]

    @property
    def found(self) -> Flags:
        """The gold brackets that the system has."""
        return self._matches[0]

    @property
    def exact(self) -> Flags:
        """The system's brackets that the gold has."""
        return self._matches[1]

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

    def items(self) -> dict[str, Indices]:
        """The paper's items of each tree."""
        gold, system = self.gold, self.system
        exact, crossing, found = self.exact, self.crossing & ~self.exact, self.found
        inherited = crossing & _parent_is(system, crossing)
        t_inherited = found & _parent_is(gold, found)
        return {
            "TTB": gold.tally(),
            "TPB": system.tally(),
            "EM": system.tally(exact),
            "CE": system.tally(crossing),
            "SP": system.tally(~exact & ~crossing),
            "PINH": system.tally(inherited),
            "PNINH": system.tally(crossing & ~inherited),
            "TINH": gold.tally(t_inherited),
            "TNINH": gold.tally(found & ~t_inherited),
        }


def _parent_is(brackets: Brackets, wanted: Flags) -> Flags:
    """Whether the bracket next above is a wanted one and not the sentence's own."""
    parents = brackets.parents
    as_parent = wanted & ~brackets.spans_tree
    return (parents >= 0) & as_parent.take(parents) if len(as_parent) else np.zeros(0, dtype=np.bool_)


def _found_in(keys: Indices, others: Indices) -> Flags:
    """Which keys the others have too; of equal keys the first, as many as the others have."""
    order = np.argsort(keys, kind="stable")
    sorted_keys, sorted_others = keys[order], np.sort(others)
    first = np.flatnonzero(np.diff(sorted_keys, prepend=-1))
    before = np.arange(len(keys)) - np.repeat(first, np.diff(first, append=len(keys)))
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
