"""Co-occurrence counted, compiled: how often values stand in one sentence with the objects of a group.

Rows of different lengths are pairs of offsets and values. Objects are numbers of the text that is counted; the
sentence of object x is the stretch from first[x] up to stop[x]. What is counted beside an object is its unit, which
stands for one key or several (a word's hypernyms).
"""

from __future__ import annotations

import numpy as np

from karat._arrays import Array, Flags, Ids, Indices
from karat._compiled import kernel, part_of_kernel

Rows = tuple[Indices, Array]  # plain tuples: numba would look for classes of an older karat in what it has kept
Counted = tuple[Array, Array, Array]  # first, stop and unit of each object
Table = tuple[Array, Flags, Array]  # counts, which of them are in use, and a list of these


@part_of_kernel
def _count_units(x_begin: int, x_end: int, members: Array, counted: Counted, units: Table) -> int:
    """Count the units beside the members, those of one sentence one behind the other; how many are different.

    With k members in a sentence, everything in it is beside k of them, a member beside one less.
    """
    first, stop, unit = counted
    of_unit, is_used, used = units
    n_used = 0
    at = x_begin
    while at < x_end:
        begin, end = first[members[at]], stop[members[at]]
        run = at
        while run < x_end and begin <= members[run] < end:
            run += 1
        for y in range(begin, end):
            u = unit[y]
            if not is_used[u]:
                is_used[u] = True
                used[n_used] = u
                n_used += 1
            of_unit[u] += run - at
        for i in range(at, run):
            of_unit[unit[members[i]]] -= 1
        at = run
    return n_used


@part_of_kernel
def _spread(n_units: int, units: Table, unit_keys: Rows, keys: Table, lowest: int) -> tuple[int, int]:
    """Hand the counts of units on to their keys, and forget them; how many keys are different, and the sum.

    Keys below the lowest are left out: rows are sorted, unless it is 0.
    """
    of_unit, unit_is_used, used_units = units
    of_key, is_used, used = keys
    offsets, values = unit_keys
    n_used = 0
    total = 0
    for i in range(n_units):
        u = used_units[i]
        count = of_unit[u]
        of_unit[u] = 0
        unit_is_used[u] = False
        if count == 0:
            continue
        for at in range(offsets[u + 1] - 1, offsets[u] - 1, -1):
            key = values[at]
            if key < lowest:
                break
            if not is_used[key]:
                is_used[key] = True
                used[n_used] = key
                n_used += 1
            of_key[key] += count
            total += count
    return n_used, total


@part_of_kernel
def _table(n: int) -> Table:
    return np.zeros(n, np.int64), np.zeros(n, np.bool_), np.empty(n, np.int32)


@kernel
def counts_beside(
    groups: Rows, counted: Counted, unit_keys: Rows, n_keys: int, asked: Rows, counts: Array, totals: Array
) -> None:
    """For each group of objects, how often the asked keys (-1: none) are observed beside them, and all keys are."""
    units, keys = _table(len(unit_keys[0]) - 1), _table(n_keys)
    offsets, members = groups
    asked_offsets, asked_keys = asked
    for group in range(len(offsets) - 1):
        n_units = _count_units(offsets[group], offsets[group + 1], members, counted, units)
        n_used, totals[group] = _spread(n_units, units, unit_keys, keys, 0)
        for at in range(asked_offsets[group], asked_offsets[group + 1]):
            if asked_keys[at] >= 0:
                counts[at] = keys[0][asked_keys[at]]
        for i in range(n_used):
            keys[0][keys[2][i]] = 0
            keys[1][keys[2][i]] = False


@kernel
def frequent_keys(
    groups: Rows, counted: Counted, unit_keys: Rows, n_keys: int, lowest: Array, is_wanted: Flags, most: float
) -> tuple[Indices, Ids, Array]:
    """For each group the wanted keys, from its lowest one on, that are beside it more than `most` times, and how often.

    Rows of keys, sorted: offsets, keys, counts.
    """
    units, table = _table(len(unit_keys[0]) - 1), _table(n_keys)
    of_key, is_used, used = table
    offsets, members = groups
    found_offsets = np.zeros(len(offsets), np.int64)
    keys, counts = np.empty(1024, np.int32), np.empty(1024, np.int64)
    n = 0
    for group in range(len(offsets) - 1):
        n_units = _count_units(offsets[group], offsets[group + 1], members, counted, units)
        n_used, _ = _spread(n_units, units, unit_keys, table, lowest[group])
        if n + n_used > len(keys):
            more = np.empty(2 * (n + n_used), np.int32)
            more[:n] = keys[:n]
            keys = more
            more_counts = np.empty(2 * (n + n_used), np.int64)
            more_counts[:n] = counts[:n]
            counts = more_counts
        start = n
        for i in range(n_used):
            key = used[i]
            if of_key[key] > most and is_wanted[key]:
                keys[n] = key
                n += 1
        keys[start:n].sort()
        for at in range(start, n):
            counts[at] = of_key[keys[at]]
        for i in range(n_used):
            of_key[used[i]] = 0
            is_used[used[i]] = False
        found_offsets[group + 1] = n
    return found_offsets, keys[:n].copy(), counts[:n].copy()


@kernel
def matches(
    offsets: Indices, values: Array, copies: Rows, counted_offsets: Indices, counted_values: Array
) -> tuple[Indices, Array]:
    """For each asked object, the objects in the copies of its sentence that have the same value."""
    n_objects = offsets[-1]
    found_offsets = np.zeros(n_objects + 1, np.int64)
    copy_offsets, sentences = copies
    found = np.empty(1024, np.int32)
    n = 0
    for sentence in range(len(offsets) - 1):
        for one in range(offsets[sentence], offsets[sentence + 1]):
            for copy in range(copy_offsets[sentence], copy_offsets[sentence + 1]):
                begin, end = counted_offsets[sentences[copy]], counted_offsets[sentences[copy] + 1]
                if n + end - begin > len(found):
                    more = np.empty(2 * (n + end - begin), np.int32)
                    more[:n] = found[:n]
                    found = more
                for x in range(begin, end):
                    if counted_values[x] == values[one]:
                        found[n] = x
                        n += 1
            found_offsets[one + 1] = n
    return found_offsets, found[:n].copy()
