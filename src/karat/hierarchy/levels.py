"""A hierarchy cut at a level: what its tags are, and how they spread over leaves, if it ended there.

Top-level tags are on level 1, and a tag is on the level of the shortest way to it (`Hierarchy.levels`). Cut at a level,

- a tag below it is replaced by the first tags of that level on its ways up; in a tree that is one, in a DAG there may
  be several, which share its mass evenly,
- a tag of that level with a child below it is a leaf,
- every other tag has the children that it has, and is spread over them as it always is.

Cut at the lowest level, nothing changes.
"""

from __future__ import annotations

import numpy as np

from karat._arrays import Floats, Indices
from karat._ragged import Ragged, offsets_of
from karat.hierarchy._building import built
from karat.hierarchy._hierarchy import Hierarchy, reached
from karat.hierarchy.downward import spread


def lowest_level(h: Hierarchy, tags: Indices) -> int:
    """The lowest level on which there is one of these tags, or a tag below it; 0 if there are none."""
    keys, _ = reached(h.child_offsets, h.children, h.depths, h.distinct(tags)[0])
    return int(h.levels[keys % max(len(h), 1)].max(initial=0))


def tags_at_level(h: Hierarchy, tags: Indices, level: int) -> Ragged:
    """What stands for each tag where the hierarchy is cut at a level: itself, or the tags of that level above it."""
    of_tag = h.levels
    once, which = h.distinct(tags)
    n_parents = np.diff(h.parent_offsets)
    goes_up = of_tag > level
    parents = h.parents[np.repeat(goes_up, n_parents)]
    upward = h.depths.max(initial=0) - h.depths
    keys, _ = reached(offsets_of(np.where(goes_up, n_parents, 0)), parents, upward, once)
    rows, found = np.divmod(np.sort(keys), max(len(h), 1))
    arrived = of_tag[found] <= level
    sizes = np.bincount(rows[arrived], minlength=len(once))
    return Ragged(offsets_of(sizes), found[arrived], 1.0 / np.repeat(sizes, sizes)).taken(which)


def spread_at_level(
    h: Hierarchy, tags: Indices, level: int, downward: Floats | None = None, *, distinct: bool = False
) -> Ragged:
    """The mass of each tag over the leaves of the hierarchy cut at a level, as `spread` has it over all leaves.

    The values are numbers of tags, as leaves here need not be leaves of the whole.

    >>> from karat.hierarchy import hierarchy_from_text
    >>> h = hierarchy_from_text("A\\n A.1\\n  A.1a\\n  A.1b\\n A.2\\n")
    >>> spread_at_level(h, h.numbers(["A", "A.1a"]), 2).weights.tolist()
    [0.5, 0.5, 1.0]
    """
    of_tag = h.levels
    is_end = of_tag > level
    is_end[h.edge_parents[of_tag[h.children] > level]] = True
    kept = ~is_end[h.edge_parents]
    cut = built(
        h.names, h.edge_parents[kept], h.children[kept], place=lambda _: (h.path, 1, 1), path=h.path, signed=h.signed
    )
    stand_for = tags_at_level(h, tags, level)
    below = spread(cut, stand_for.values, None if downward is None else downward[kept], distinct=distinct)
    assert stand_for.weights is not None
    assert below.weights is not None
    # several tags that stand for one are leaves, so that none of them comes twice
    masses = stand_for.weights[below.owners] * below.weights
    sizes = np.bincount(stand_for.owners[below.owners], minlength=len(stand_for))
    return Ragged(offsets_of(sizes), cut.leaves[below.values], masses)
