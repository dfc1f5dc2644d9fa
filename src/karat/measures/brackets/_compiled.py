"""Which brackets match and which cross, in one pass over the brackets of both sides: compiled, for large corpora.

Brackets stand in the order in which they open, so that (if none is empty) they are sorted: by their first word, and of
those that begin with the same word the longest comes first. Two sides are then compared as two sorted lists are merged.
"""

from __future__ import annotations

import numpy as np

from karat._arrays import Flags, Ids, Indices
from karat._compiled import kernel, part_of_kernel


@kernel
def are_sorted(start: Ids, stop: Ids) -> bool:
    """Whether brackets are in the order that `matches` needs, and none is empty: those might be of two trees."""
    n_wrong = 0
    for this in range(len(start)):
        before = max(this - 1, 0)
        n_wrong += start[this] == stop[this]
        n_wrong += (start[before] > start[this]) | ((start[before] == start[this]) & (stop[before] < stop[this]))
    return n_wrong == 0


def matches(
    start: Ids, stop: Ids, labels: Ids, their_start: Ids, their_stop: Ids, their_labels: Ids, n_labels: int
) -> tuple[Flags, Flags]:
    """Which of our brackets they have too, and which of theirs we have; of equal ones the first, as many as match."""
    found, exact = np.zeros(len(start), dtype=np.bool_), np.zeros(len(their_start), dtype=np.bool_)
    waiting = np.zeros(n_labels, dtype=np.int32)
    _match(start, stop, labels, their_start, their_stop, their_labels, waiting, found, exact)
    return found, exact


@kernel
def _match(
    start: Ids,
    stop: Ids,
    labels: Ids,
    their_start: Ids,
    their_stop: Ids,
    their_labels: Ids,
    waiting: Ids,
    found: Flags,
    exact: Flags,
) -> None:
    """Flag the brackets that both sides have; `waiting` has a zero for each label."""
    our = their = 0
    while our < len(start) and their < len(their_start):
        if start[our] == their_start[their] and stop[our] == their_stop[their]:
            our_end, their_end = _run_stop(start, stop, our), _run_stop(their_start, their_stop, their)
            if our_end - our == 1 and their_end - their == 1:
                found[our] = exact[their] = labels[our] == their_labels[their]
            else:
                _find_partners(labels, our, our_end, their_labels, their, their_end, waiting, found)
                _find_partners(their_labels, their, their_end, labels, our, our_end, waiting, exact)
            our, their = our_end, their_end
        elif start[our] < their_start[their] or (start[our] == their_start[their] and stop[our] > their_stop[their]):
            our += 1
        else:
            their += 1


@part_of_kernel
def _run_stop(start: Ids, stop: Ids, first: int) -> int:
    """The bracket behind those around the same words as a bracket and directly behind it."""
    last = first + 1
    while last < len(start) and start[last] == start[first] and stop[last] == stop[first]:
        last += 1
    return last


@part_of_kernel
def _find_partners(
    labels: Ids, first: int, end: int, others: Ids, first_other: int, end_of_others: int, waiting: Ids, found: Flags
) -> None:
    """Flag the brackets of a run, all around the same words, that have a partner of their label among the others."""
    for other in range(first_other, end_of_others):
        waiting[others[other]] += 1
    for bracket in range(first, end):
        found[bracket] = waiting[labels[bracket]] > 0
        waiting[labels[bracket]] -= 1
    for bracket in range(first, end):
        waiting[labels[bracket]] = 0
    for other in range(first_other, end_of_others):
        waiting[others[other]] = 0


@kernel
def crossing(start: Ids, stop: Ids, parents: Ids, their_start: Ids, their_stop: Ids, n_words: int) -> Flags:
    """Which of their brackets cross one of ours.

    Of our brackets that hold the words on both sides of a place, the innermost begins last and ends first. A bracket is
    crossed if that of the place where it ends begins behind its start, or that of the place where it starts ends before
    its end.
    """
    begins, ends = np.full(n_words + 1, -1, dtype=np.int32), np.full(n_words + 1, n_words, dtype=np.int32)
    innermost = -1
    coming = 0
    for place in range(n_words + 1):
        while coming < len(start) and start[coming] < place:
            innermost = coming
            coming += 1
        while innermost >= 0 and stop[innermost] <= place:
            innermost = parents[innermost]
        if innermost >= 0:
            begins[place], ends[place] = start[innermost], stop[innermost]
    crossed = np.empty(len(their_start), dtype=np.bool_)
    for bracket in range(len(their_start)):
        first, last = their_start[bracket], their_stop[bracket]
        crossed[bracket] = (begins[last] > first) | (ends[first] < last)
    return crossed


def numbers_of_kept(kept: Flags) -> Ids:
    """How many are kept before each, and of all."""
    numbers = np.empty(len(kept) + 1, dtype=np.int32)
    _number_kept(kept, numbers)
    return numbers


@kernel
def _number_kept(kept: Flags, numbers: Ids) -> None:
    n_kept = 0
    for one in range(len(kept)):
        numbers[one] = n_kept
        n_kept += kept[one]
    numbers[len(kept)] = n_kept


@kernel
def nearest_kept(parents: Ids, kept: Flags) -> Ids:
    """For each node the nearest node above it that is kept, or -1; a node stands behind its parent."""
    above = np.empty(len(parents), dtype=np.int32)
    for node in range(len(parents)):
        parent = parents[node]
        above[node] = parent if parent < 0 or kept[parent] else above[parent]
    return above


def chosen(
    kept: Flags, new_number: Ids, start: Ids, stop: Ids, labels: Ids, parents: Ids, node_offsets: Indices
) -> tuple[Ids, Ids, Ids, Ids, Indices, Indices]:
    """Start, stop, label and parent of the kept nodes over renumbered words, their trees, and which nodes they are."""
    n_kept = int(np.count_nonzero(kept))
    brackets = np.empty((4, n_kept), dtype=np.int32)
    trees, nodes = np.empty((2, n_kept), dtype=np.intp)
    bracket_of = np.empty(len(kept), dtype=np.int32)
    _choose(kept, new_number, start, stop, labels, parents, node_offsets, bracket_of, brackets, trees, nodes)
    return brackets[0], brackets[1], brackets[2], brackets[3], trees, nodes


@kernel
def _choose(
    kept: Flags,
    new_number: Ids,
    start: Ids,
    stop: Ids,
    labels: Ids,
    parents: Ids,
    node_offsets: Indices,
    bracket_of: Ids,
    brackets: Ids,
    trees: Indices,
    nodes: Indices,
) -> None:
    """Fill in brackets, trees and nodes; `bracket_of` is the bracket that each node is, or the next above it."""
    number = tree = 0
    for node in range(len(kept)):
        while node >= node_offsets[tree + 1]:
            tree += 1
        above = bracket_of[parents[node]] if parents[node] >= 0 else -1
        bracket_of[node] = number if kept[node] else above
        if kept[node]:
            brackets[0, number] = new_number[start[node]]
            brackets[1, number] = new_number[stop[node]]
            brackets[2, number] = labels[node]
            brackets[3, number] = above
            trees[number], nodes[number] = tree, node
            number += 1
