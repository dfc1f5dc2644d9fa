"""Tags in an IS-A hierarchy: a tree, a forest or a DAG, held in columns [Melamed & Resnik 2000, § 3.3].

Tags are numbers, places in `names`; edges are two CSR pairs, one from parents to children and one back. Every question
is answered for many tags at once, level by level: there is no recursion, and a tag that is asked for twice is worked
out once. A hierarchy has at most `MOST_LEVELS` levels. docs/hierarchies.md shows the layouts of files.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Literal

import numpy as np

from karat._arrays import Floats, Indices
from karat._ragged import Ragged, offsets_of, owners_of, places_of_rows

Layout = Literal["indented", "dotted", "pairs", "wordnet"]
Place = tuple[str, int, int]
MOST_LEVELS = 256  # WordNet has 20; the bound keeps crafted files from costing a step for every line


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """Tags and which is under which.

    `children` are those of each tag in the order of the file, `leaves` the numbers of the tags without any, and
    `leaf_number` each tag's place in `leaves`, -1 if it is no leaf. `depths` are the edges on the longest way down
    from a top-level tag, so that every parent has a smaller one than its children. `signed` is what a signature
    writes. `aliases` gives the tag that another name stands for (WordNet's sense keys), or None.
    """

    names: tuple[str, ...]
    child_offsets: Indices
    children: Indices
    parent_offsets: Indices
    parents: Indices
    leaves: Indices
    leaf_number: Indices
    depths: Indices
    path: str
    signed: str
    layout: str = ""
    aliases: Callable[[str], str | None] | None = field(default=None, repr=False)

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def is_tree(self) -> bool:
        """Whether no tag has two parents; several top-level tags are allowed."""
        return bool(np.diff(self.parent_offsets).max(initial=0) <= 1)

    @property
    def tops(self) -> Indices:
        """The numbers of the tags without parents."""
        return np.flatnonzero(np.diff(self.parent_offsets) == 0)

    @cached_property
    def levels(self) -> Indices:
        """The level of each tag: how many tags are on the shortest way to it from the top, itself included.

        No child is more than one level below its parent.
        """
        found = np.zeros(len(self), dtype=np.intp)
        tags, level = self.tops, 1
        while len(tags):
            found[tags] = level
            below = np.unique(self.children[places_of_rows(self.child_offsets, tags)[0]])
            tags, level = below[found[below] == 0], level + 1
        return found

    @cached_property
    def edge_parents(self) -> Indices:
        """The parent of each edge, beside `children`."""
        return owners_of(np.diff(self.child_offsets))

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.names)}

    def number(self, name: str) -> int | None:
        """The number of a tag by its name or an alias; None if there is no such tag."""
        found = self._numbers.get(name)
        if found is None and self.aliases is not None:
            found = self._numbers.get(self.aliases(name) or "")
        return found

    def numbers(self, names: Sequence[str]) -> Indices:
        """The numbers of tags by their names or aliases; -1 for unknown ones."""
        found = np.fromiter((self._numbers.get(name, -1) for name in names), dtype=np.intp, count=len(names))
        if self.aliases is not None:
            for i in np.flatnonzero(found < 0).tolist():
                number = self.number(names[i])
                found[i] = -1 if number is None else number
        return found

    def ancestors(self, tags: Indices) -> Ragged:
        """For each tag its own number and those of all tags above it, each once, sorted."""
        tags, which = self.distinct(tags)
        keys, _ = reached(self.parent_offsets, self.parents, self.depths.max(initial=0) - self.depths, tags)
        keys.sort()
        rows, found = np.divmod(keys, max(len(self), 1))
        return Ragged(offsets_of(np.bincount(rows, minlength=len(tags))), found).taken(which)

    def leaves_below(self, tags: Indices) -> Ragged:
        """For each tag the leaves at or below it, as places in `leaves`, each once, sorted."""
        tags, which = self.distinct(tags)
        keys, _ = reached(self.child_offsets, self.children, self.depths, tags)
        rows, found, _ = self.at_leaves(keys)
        return Ragged(offsets_of(np.bincount(rows, minlength=len(tags))), found).taken(which)

    def distinct(self, tags: Indices) -> tuple[Indices, Indices]:
        """The tags without repetition, and for each given one its place among them; bad numbers are refused."""
        tags = np.asarray(tags, dtype=np.intp)
        if len(tags) and (tags.min() < 0 or tags.max() >= len(self)):
            raise ValueError(f"tag numbers from 0 to {len(self) - 1} were expected; -1 stands for an unknown tag")
        found, which = np.unique(tags, return_inverse=True)
        return found, which

    def at_leaves(self, keys: Indices) -> tuple[Indices, Indices, Indices]:
        """Rows, leaves (places in `leaves`) and which keys they were, of the keys of `reached` that are at leaves."""
        rows, tags = np.divmod(keys, max(len(self), 1))
        leaf = self.leaf_number[tags]
        at_leaf = np.flatnonzero(leaf >= 0)
        rows, leaf = rows[at_leaf], leaf[at_leaf]
        order = np.lexsort((leaf, rows))
        return rows[order], leaf[order], at_leaf[order]


def reached(
    offsets: Indices, neighbours: Indices, levels: Indices, tags: Indices, shares: Floats | None = None
) -> tuple[Indices, Floats]:
    """All that can be reached from each tag, itself included: keys row · n + tag, each once, and their mass.

    `levels` grow along every edge. So once a level's turn has come, all ways to its tags are known, and each (row,
    tag) is gone on from once, however many ways lead there. With `shares`, one for each neighbour, mass 1 is handed on
    along the edges and added up where ways meet; without, the masses mean nothing.
    """
    n = len(offsets) - 1
    waiting: defaultdict[int, list[tuple[Indices, Floats]]] = defaultdict(list)
    _wait(waiting, levels[tags], np.arange(len(tags)) * n + tags, np.ones(len(tags)))
    found: list[tuple[Indices, Floats]] = [(np.zeros(0, dtype=np.intp), np.zeros(0))]
    for level in range(int(levels.max(initial=-1)) + 1):
        if level not in waiting:
            continue
        parts = waiting.pop(level)
        keys, where = np.unique(np.concatenate([keys for keys, _ in parts]), return_inverse=True)
        masses = np.bincount(where, np.concatenate([masses for _, masses in parts]), len(keys)).astype(np.float64)
        found.append((keys, masses))
        rows, at = np.divmod(keys, n)
        places, sizes = places_of_rows(offsets, at)
        of, onward = owners_of(sizes), neighbours[places]
        handed = masses[of] if shares is None else masses[of] * shares[places]
        _wait(waiting, levels[onward], rows[of] * n + onward, handed)
    return np.concatenate([keys for keys, _ in found]), np.concatenate([masses for _, masses in found])


def _wait(
    waiting: defaultdict[int, list[tuple[Indices, Floats]]], levels: Indices, keys: Indices, masses: Floats
) -> None:
    """Put keys with their masses to the level at which they are looked at."""
    order = np.argsort(levels, kind="stable")
    at, starts = np.unique(levels[order], return_index=True)
    bounds = pairwise([*starts.tolist(), len(order)])
    for level, (start, stop) in zip(at.tolist(), bounds, strict=True):
        waiting[level].append((keys[order[start:stop]], masses[order[start:stop]]))
