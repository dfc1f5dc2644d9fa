"""The least general pairs of hypernyms that co-occur often enough, for every pair of objects of sentences, compiled.

Whatever is observed with two hypernyms is observed with all above them. So the pairs that co-occur often enough are,
with each, all more general ones, and one is among the least general if no pair one step below it is frequent.
"""

from __future__ import annotations

import numpy as np

from karat._arrays import Array, Flags, Ids, Indices
from karat._compiled import kernel, part_of_kernel

Rows = tuple[Indices, Array]
Frequent = tuple[
    Indices, Ids, Array
]  # by the smaller synset: offsets, larger synsets in order, how often both co-occur
Above = tuple[Indices, Ids]  # for each value of the rows of hypernyms, the places in its row of what is right above it
Own = tuple[Array, Array, Array]  # in the copies of a sentence: of pairs, of one hypernym, of everything


@kernel
def places_of_parents(rows: Rows, parents: Rows) -> Above:
    """For each hypernym in its row, where in the row its parents are."""
    offsets, values = rows
    parent_offsets, parent_values = parents
    found_offsets = np.zeros(len(values) + 1, np.int64)
    for at in range(len(values)):
        found_offsets[at + 1] = found_offsets[at] + parent_offsets[values[at] + 1] - parent_offsets[values[at]]
    found = np.empty(found_offsets[-1], np.int32)
    for row in range(len(offsets) - 1):
        begin, end = offsets[row], offsets[row + 1]
        for at in range(begin, end):
            first = parent_offsets[values[at]]
            for i in range(found_offsets[at + 1] - found_offsets[at]):
                parent = parent_values[first + i]
                place = np.searchsorted(values[begin:end], parent)
                is_there = begin + place < end and values[begin + place] == parent
                found[found_offsets[at] + i] = place if is_there else -1
    return found_offsets, found


@part_of_kernel
def _count_own(
    copies: Rows, sentence: int, text: Indices, unit: Ids, rows: Rows, sizes: Ids, local: Ids, own: Own
) -> None:
    """Count the hypernyms that have a local number in the copies of a sentence, alone and together."""
    pairs, alone, everything = own
    offsets, values = rows
    n = len(alone)
    here = np.zeros(n, np.int64)
    for copy in range(copies[0][sentence], copies[0][sentence + 1]):
        begin, end = text[copies[1][copy]], text[copies[1][copy] + 1]
        here[:] = 0
        n_all = 0
        for x in range(begin, end):
            size = int(sizes[unit[x]])
            n_all += size
            everything[0] -= size * size
            for one in range(offsets[unit[x]], offsets[unit[x] + 1]):
                u = local[values[one]]
                if u >= 0:
                    here[u] += 1
                    alone[u] -= size
                    for other in range(offsets[unit[x]], offsets[unit[x] + 1]):
                        v = local[values[other]]
                        if v >= 0:
                            pairs[u, v] -= 1
        everything[0] += n_all * n_all
        for u in range(n):
            alone[u] += here[u] * n_all
            if here[u]:
                for v in range(n):
                    pairs[u, v] += here[u] * here[v]


@part_of_kernel
def _times(one: int, other: int, frequent: Frequent) -> int:
    """How often two synsets co-occur in the whole text; 0 where that is not often enough."""
    offsets, others, counts = frequent
    low, high = min(one, other), max(one, other)
    begin, end = offsets[low], offsets[low + 1]
    while begin < end:
        middle = (begin + end) // 2
        if others[middle] < high:
            begin = middle + 1
        else:
            end = middle
    if begin < offsets[low + 1] and others[begin] == high:
        return int(counts[begin])
    return 0


@part_of_kernel
def _find_frequent(
    a: int,
    b: int,
    rows: Rows,
    above: Above,
    local: Ids,
    together: Array,
    own: Array,
    frequent: Frequent,
    most: float,
    state: Array,
    is_any: Flags,
) -> None:
    """Set the state of each pair of hypernyms of units a and b: 0 too rare, 1 frequent, 2 so is a less general one.

    `together` keeps how often they co-occur outside of copies, -1 where that was not asked yet. Hypernyms come after
    those above them. A row of `state` means nothing unless one of it `is_any` frequent.
    """
    offsets, values = rows
    for i in range(offsets[a + 1] - offsets[a]):
        at = offsets[a] + i
        is_any[i] = False
        can_be = True
        for up in range(above[0][at], above[0][at + 1]):
            if above[1][up] >= 0 and not is_any[above[1][up]]:
                can_be = False
        if not can_be:
            continue
        for j in range(offsets[b + 1] - offsets[b]):
            state[i, j] = 0
        for j in range(offsets[b + 1] - offsets[b]):
            below = offsets[b] + j
            is_frequent = True
            for up in range(above[0][at], above[0][at + 1]):
                if above[1][up] >= 0 and state[above[1][up], j] == 0:
                    is_frequent = False
            for up in range(above[0][below], above[0][below + 1]):
                if above[1][up] >= 0 and state[i, above[1][up]] == 0:
                    is_frequent = False
            if not is_frequent:
                continue
            u, v = local[values[at]], local[values[below]]
            if together[u, v] < 0:
                together[u, v] = _times(values[at], values[below], frequent) - own[u, v]
            if together[u, v] > most:
                state[i, j] = 1
                is_any[i] = True
                for up in range(above[0][at], above[0][at + 1]):
                    if above[1][up] >= 0:
                        state[above[1][up], j] = 2
                for up in range(above[0][below], above[0][below + 1]):
                    if above[1][up] >= 0:
                        state[i, above[1][up]] = 2


@kernel
def least_general_pairs(
    asked: Indices,
    asked_unit: Ids,
    copies: Rows,
    text: Indices,
    unit: Ids,
    rows: Rows,
    sizes: Ids,
    above: Above,
    frequent: Frequent,
    totals: Array,
    most: float,
) -> tuple[Indices, Array]:
    """For every ordered pair of objects of each sentence the tables of its least general pairs of hypernyms.

    `asked` are the offsets of sentences' objects, `text` those of the text that is counted. `rows` have the units'
    hypernyms that are in some frequent pair, `sizes` say how many each unit has in all. `totals` are the
    observations of each synset there and behind them those of all. Offsets of the pairs' tables, and rows of
    observations: of both, of the left one, of the right one, of all.
    """
    offsets, values = rows
    n_pairs = 0
    n_most = 0
    for sentence in range(len(asked) - 1):
        size = asked[sentence + 1] - asked[sentence]
        n_pairs += size * (size - 1)
    for row in range(len(offsets) - 1):
        n_most = max(n_most, offsets[row + 1] - offsets[row])
    found_offsets = np.zeros(n_pairs + 1, np.int64)
    found = np.empty((1024, 4), np.int64)
    state, is_any = np.zeros((n_most, n_most), np.int8), np.zeros(n_most, np.bool_)
    local = np.full(len(totals) - 1, -1, np.int32)
    n_found = 0
    pair = 0
    for sentence in range(len(asked) - 1):
        n_local = 0
        for x in range(asked[sentence], asked[sentence + 1]):
            for at in range(offsets[asked_unit[x]], offsets[asked_unit[x] + 1]):
                if local[values[at]] < 0:
                    local[values[at]] = n_local
                    n_local += 1
        own_pairs = np.zeros((n_local, n_local), np.int64)
        alone, everything = np.zeros(n_local, np.int64), np.zeros(1, np.int64)
        _count_own(copies, sentence, text, unit, rows, sizes, local, (own_pairs, alone, everything))
        together = np.full((n_local, n_local), -1, np.int64)
        for x in range(asked[sentence], asked[sentence + 1]):
            for y in range(asked[sentence], asked[sentence + 1]):
                if x == y:
                    continue
                a, b = asked_unit[x], asked_unit[y]
                _find_frequent(a, b, rows, above, local, together, own_pairs, frequent, most, state, is_any)
                n_a, n_b = offsets[a + 1] - offsets[a], offsets[b + 1] - offsets[b]
                if n_found + n_a * n_b > len(found):
                    more = np.empty((2 * (n_found + n_a * n_b), 4), np.int64)
                    more[:n_found] = found[:n_found]
                    found = more
                for i in range(n_a):
                    if not is_any[i]:
                        continue
                    for j in range(n_b):
                        if state[i, j] == 1:
                            left, right = values[offsets[a] + i], values[offsets[b] + j]
                            found[n_found, 0] = together[local[left], local[right]]
                            found[n_found, 1] = totals[left] - alone[local[left]]
                            found[n_found, 2] = totals[right] - alone[local[right]]
                            found[n_found, 3] = totals[len(totals) - 1] - everything[0]
                            n_found += 1
                pair += 1
                found_offsets[pair] = n_found
        for x in range(asked[sentence], asked[sentence + 1]):
            for at in range(offsets[asked_unit[x]], offsets[asked_unit[x] + 1]):
                local[values[at]] = -1
    return found_offsets, found[:n_found].copy()
