"""Sets of tags: the distinct ones among the answers of many things, and what two families of sets have in common."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from karat._arrays import Floats, Indices
from karat._numbering import keys_below, numbered_keys
from karat._ragged import Ragged, offsets_of

_AT_ONCE = 1 << 22  # members gone through at once: what keeps memory in bounds however large sets are


@dataclass(frozen=True, slots=True, eq=False)
class TagSets:
    """The distinct sets of tags, and which of them each thing has."""

    sets: Ragged
    of_thing: Indices


def distinct_sets(tags: Ragged) -> TagSets:
    """The distinct sets among the rows of tags, one a thing.

    Things are grouped by the sum of random numbers of their tags, and then each is compared with the first of its
    group: equal sums of different sets, which do not happen, would be drawn again.
    """
    is_single = tags.sizes == 1  # mostly, and then a set is a tag
    if is_single.any():
        single, several = _single_tags(tags.values[tags.offsets[:-1][is_single]]), np.flatnonzero(~is_single)
        if not len(several):
            return single
        others = distinct_sets(tags.taken(several))
        of_thing = np.empty(len(is_single), dtype=np.intp)
        of_thing[is_single] = single.of_thing
        of_thing[several] = len(single.sets) + others.of_thing
        offsets = np.append(single.sets.offsets, single.sets.offsets[-1] + others.sets.offsets[1:])
        return TagSets(Ragged(offsets, np.append(single.sets.values, others.sets.values)), of_thing)
    n_tags = int(tags.values.max(initial=-1)) + 1
    rows = merged_rows(tags.owners, tags.values, len(tags))
    rng = np.random.default_rng()
    while True:
        sums = np.append(np.uint64(0), np.cumsum(rng.integers(0, 1 << 64, n_tags, dtype=np.uint64)[rows.values]))
        _, of_thing = numbered_keys((sums[rows.offsets[1:]] - sums[rows.offsets[:-1]]).view(np.int64))
        first = np.flatnonzero(np.diff(np.maximum.accumulate(of_thing), prepend=-1))  # numbers are in order
        sets = rows.taken(first)
        again = sets.taken(of_thing)
        if np.array_equal(again.offsets, rows.offsets) and np.array_equal(again.values, rows.values):
            return TagSets(sets, of_thing)


def _single_tags(tags: Indices) -> TagSets:
    """Sets of one tag each."""
    values, of_thing = keys_below(int(tags.max()) + 1, tags)
    return TagSets(Ragged(np.arange(len(values) + 1), values), of_thing.astype(np.intp))


def _sorted_once(keys: Indices) -> Indices:
    """The distinct keys in order; numpy's own way to them is by a hash table, and many times slower."""
    keys = np.sort(keys)
    return keys[np.diff(keys, prepend=keys[0] - 1) > 0]


def merged_rows(rows: Indices, values: Indices, n_rows: int, weights: Floats | None = None) -> Ragged:
    """Rows from pairs of row and value in any order; what is there several times is there once, weights summed."""
    width = int(values.max(initial=0)) + 1
    keys = rows.astype(np.int64) * width + values
    sums: Floats | None = None
    if weights is None:
        distinct = keys if (keys[1:] > keys[:-1]).all() else _sorted_once(keys)
    else:
        distinct, place = np.unique(keys, return_inverse=True)
        sums = np.bincount(place, weights=weights, minlength=len(distinct)).astype(np.float64)
    owner, members = np.divmod(distinct, width)
    return Ragged(offsets_of(np.bincount(owner, minlength=n_rows)), members.astype(np.intp), sums)


def in_common(ours: Ragged, our_rows: Indices, theirs: Ragged, their_rows: Indices) -> tuple[Indices, Floats]:
    """Of each pair of rows: how many values both have, and what these weigh in `ours` (their number without weights).

    Values of a row are ascending and there once, as `merged_rows` has them.
    The smaller row of a pair is gone through, and its values are looked for in the other.
    """
    number = np.zeros(len(our_rows), dtype=np.intp)
    weight = np.zeros(len(our_rows))
    ours_is_smaller = ours.sizes.take(our_rows) <= theirs.sizes.take(their_rows)
    for few, few_rows, many, many_rows, chosen in (
        (ours, our_rows, theirs, their_rows, np.flatnonzero(ours_is_smaller)),
        (theirs, their_rows, ours, our_rows, np.flatnonzero(~ours_is_smaller)),
    ):
        for pairs in in_portions(few.sizes.take(few_rows[chosen])):
            these = chosen[pairs]
            small = few.taken(few_rows[these])
            owner = small.owners
            place = _places_in(many, many_rows[these].take(owner), small.values)
            found = np.flatnonzero(place >= 0)
            number[these] += np.bincount(owner[found], minlength=len(these))
            weights = small.weights if few is ours else ours.weights
            if weights is not None:
                of_found = weights[found] if few is ours else weights[place[found]]
                weight[these] += np.bincount(owner[found], weights=of_found, minlength=len(these))
    return number, weight if ours.weights is not None else number.astype(np.float64)


def in_portions(sizes: Indices) -> Iterator[slice]:
    """Slices of the rows of these sizes, each with about as many members as are gone through at once."""
    ends = np.cumsum(sizes)
    start = 0
    while start < len(sizes):
        done = ends[start] - sizes[start]
        stop = max(int(np.searchsorted(ends, done + _AT_ONCE, side="right")), start + 1)
        yield slice(start, stop)
        start = stop


def _places_in(rows: Ragged, of_row: Indices, values: Indices) -> Indices:
    """Where each value stands in its row; -1 where the row has it not."""
    width = max(int(values.max(initial=0)), int(rows.values.max(initial=0))) + 1
    keys = rows.owners * width + rows.values
    wanted = of_row.astype(np.int64) * width + values
    place = np.searchsorted(keys, wanted)
    is_there = keys.take(np.minimum(place, len(keys) - 1)) == wanted if len(keys) else np.zeros(len(wanted), np.bool_)
    return np.where(is_there, place, -1)
