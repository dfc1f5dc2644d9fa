"""The tags that annotators wrote, and how they spread over the leaves of a hierarchy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from karat._arrays import Floats, Indices
from karat._ragged import Ragged, owners_of
from karat.agreement.annotations import Annotation, annotation_from_entries
from karat.agreement.annotators import AnnotatedItems
from karat.corpus.answers import normalised
from karat.errors import DataError, Problem

if TYPE_CHECKING:
    from karat.hierarchy import Hierarchy

_MOST_PROBLEMS = 100


def written_tags(found: AnnotatedItems) -> tuple[tuple[str, ...], list[Annotation], list[str]]:
    """All tags, sorted; each annotator's shares of them for every item; and what was odd about probabilities."""
    used = [{answers.names[tag] for tag in np.unique(answers.tags).tolist()} for answers in found.answers]
    tags = tuple(sorted(set().union(*used)))
    number = {name: place for place, name in enumerate(tags)}
    written, warnings = [], []
    for annotator, (answers, items) in enumerate(zip(found.answers, found.items, strict=True)):
        shares, off = normalised(answers)
        if len(off):
            place = found.place(annotator, int(off[0]))
            times = f"{len(off):,} {found.what}s" if len(off) > 1 else f"one {found.what}"
            warnings.append(f"{place.path}:{place.line}: probabilities do not sum to 1 ({times}); normalised")
        own = np.array([number.get(name, -1) for name in answers.names], dtype=np.intp)
        of_entry = np.repeat(items, answers.sizes)
        written.append(
            annotation_from_entries(of_entry, own[answers.tags], shares, n_items=found.n_items, n_leaves=len(tags))
        )
    return tags, written, warnings


@dataclass(frozen=True, slots=True, eq=False)
class Leaves:
    """How tags spread over leaves, and which tags each leaf is at or below.

    Leaves on which no two annotations can differ are taken together: a leaf here stands for `sizes` of them. `spread`
    has the leaves of each tag, with masses; `tags_of` the tags of each leaf.
    """

    n: int
    sizes: Floats
    spread: Ragged
    tags_of: Ragged


def flat_leaves(tags: Sequence[str]) -> Leaves:
    """Every tag is a leaf."""
    each, bounds = np.arange(len(tags)), np.arange(len(tags) + 1)
    return Leaves(len(tags), np.ones(len(tags)), Ragged(bounds, each, np.ones(len(tags))), Ragged(bounds, each))


def known_tags(tags: Sequence[str], tree: Hierarchy, found: AnnotatedItems) -> Indices:
    """The hierarchy's numbers of tags; one that it does not have is a `DataError`."""
    numbers = tree.numbers(tags)
    if (numbers < 0).any():
        raise DataError(_unknown_tags(found, {tags[place] for place in np.flatnonzero(numbers < 0).tolist()}, tree))
    return numbers


def grouped_leaves(below: Ragged) -> Leaves:
    """The leaves of tags, given the masses that each tag has on leaves."""
    assert below.weights is not None
    order = np.lexsort((below.owners, below.values))
    leaf, tag, mass = below.values[order], below.owners[order], below.weights[order]
    starts = np.flatnonzero(np.diff(leaf, prepend=-1))
    group = _equal_rows(starts, tag, mass)
    sizes = np.bincount(group).astype(np.float64)
    first = np.full(len(sizes), len(starts))
    np.minimum.at(first, group, np.arange(len(starts)))
    row = owners_of(np.diff(starts, append=len(leaf)))
    kept = np.isin(row, first)
    group_of = group[row[kept]]
    tag, mass = tag[kept], mass[kept] * sizes[group_of]
    by_tag, by_leaf = np.lexsort((group_of, tag)), np.lexsort((tag, group_of))
    tag_bounds = np.searchsorted(tag[by_tag], np.arange(len(below) + 1))
    leaf_bounds = np.searchsorted(group_of[by_leaf], np.arange(len(sizes) + 1))
    spread_ = Ragged(tag_bounds, group_of[by_tag], mass[by_tag])
    return Leaves(len(sizes), sizes, spread_, Ragged(leaf_bounds, tag[by_leaf]))


def _equal_rows(starts: Indices, columns: Indices, values: Floats) -> Indices:
    """A number for every row of entries, the same for rows with the same columns and values."""
    sizes = np.diff(np.append(starts, len(columns)))
    number = np.zeros(len(starts), dtype=np.intp)
    distinct_values = np.unique(values, return_inverse=True)[1].reshape(-1)
    entry = columns * (int(distinct_values.max(initial=0)) + 1) + distinct_values
    for place in range(int(sizes.max(initial=0))):  # as deep as the hierarchy is, in trees
        longer = sizes > place
        cell = np.where(longer, entry[np.minimum(starts + place, len(entry) - 1)] + 1, 0)
        _, cell_number = np.unique(cell, return_inverse=True)
        number = np.unique(number * len(starts) + cell_number.reshape(-1), return_inverse=True)[1].reshape(-1)
    return number


def _unknown_tags(found: AnnotatedItems, unknown: set[str], tree: Hierarchy) -> list[Problem]:
    """The problems that tags are not in the hierarchy, at the first place of each in each file."""
    problems: list[Problem] = []
    for annotator, answers in enumerate(found.answers):
        things = owners_of(answers.sizes)
        for number, first in zip(*np.unique(answers.tags, return_index=True), strict=True):
            name = answers.names[number]
            if name in unknown and len(problems) < _MOST_PROBLEMS:
                place = found.place(annotator, int(things[first]))
                message = f"the tag {name!r} is not in {tree.path}"
                hint = "add it there; as a top-level tag if it has no parent"
                problems.append(Problem("K847", message, place.path, place.line, hint=hint))
    return sorted(problems, key=lambda one: (one.path, one.line))
