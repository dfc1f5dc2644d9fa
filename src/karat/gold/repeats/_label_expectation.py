"""Odd labels among the places of a repeat, how often labels have contexts, and which repeat shows an odd one first:
compiled loops.
"""

from __future__ import annotations

import numpy as np

from karat._arrays import Array, Ids, Indices
from karat._compiled import kernel, part_of_kernel

_SPREADING = np.uint64(0x9E3779B97F4A7C15)


@part_of_kernel
def _label(codes: Ids, reach: Ids, place: int, at: int, length: int) -> int:
    """The label of a repeat's word at one place as a number; -1 where it reaches out of the repeat."""
    code = int(codes[place + at])
    if not len(reach):
        return code
    end = at + int(reach[place + at])
    return (code << 32) + end if 0 <= end < length else -1


@part_of_kernel
def _with_room(values: Array, n: int) -> Array:
    """The values, in an array of at least n."""
    if n <= len(values):
        return values
    larger = np.empty(max(n, 2 * len(values)), dtype=values.dtype)
    for number in range(len(values)):  # a slice would take seconds more to compile
        larger[number] = values[number]
    return larger


@part_of_kernel
def _slot(number: int, mask: np.uint64) -> np.int64:
    """Where in a hash table to look for a number first."""
    mixed = np.uint64(number) * _SPREADING
    return np.int64((mixed ^ (mixed >> np.uint64(32))) & mask)


@kernel
def odd_labels(
    offsets: Indices, places: Ids, length: Ids, codes: Ids, reach: Ids
) -> tuple[Indices, Ids, Ids, Indices, Ids]:
    """The odd labels of each repeat: all that its words have, but one with more than twice as many places as any other.

    Where those of each repeat begin; on which word each is; a place of the word with its usual label, the commonest of
    the others; where the places that have the odd label begin; and these, as places of the word in the text.
    """
    of_repeat = np.zeros(len(length) + 1, dtype=np.intp)
    position, odd_places = np.empty(1024, dtype=np.int32), np.empty(1024, dtype=np.int32)
    usual = np.empty(1024, dtype=np.int32)
    first_place = np.zeros(1024, dtype=np.intp)
    n_odd = n_odd_places = 0
    for repeat in range(len(length)):
        its_places = places[offsets[repeat] : offsets[repeat + 1]]
        n = len(its_places)
        labels, runs = np.empty(n, dtype=np.int64), np.empty(n + 1, dtype=np.intp)
        for at in range(length[repeat]):
            n_other = 0
            for number in range(n):
                labels[number] = _label(codes, reach, its_places[number], at, length[repeat])
                n_other += labels[number] != labels[0]
            if not n_other:
                continue
            order = np.argsort(labels)
            n_runs = most = second = first_most = first_second = 0
            for number in range(n + 1):
                if number in (0, n) or labels[order[number]] != labels[order[number - 1]]:
                    runs[n_runs] = number
                    n_runs += 1
            for run in range(n_runs - 1):
                n_same = runs[run + 1] - runs[run]
                if n_same > most:
                    second, first_second = most, first_most
                    most, first_most = n_same, runs[run]
                elif n_same > second:
                    second, first_second = n_same, runs[run]
            usual = _with_room(usual, n_odd + n_runs)
            position, first_place = _with_room(position, n_odd + n_runs), _with_room(first_place, n_odd + n_runs + 1)
            odd_places = _with_room(odd_places, n_odd_places + n)
            for run in range(n_runs - 1):
                if runs[run + 1] - runs[run] == most > 2 * second:
                    continue
                for number in range(runs[run], runs[run + 1]):
                    odd_places[n_odd_places] = its_places[order[number]] + at
                    n_odd_places += 1
                position[n_odd] = at
                start, n_usual = (first_second, second) if runs[run] == first_most else (first_most, most)
                usual[n_odd] = its_places[order[start : start + n_usual].min()] + at  # places come in order
                n_odd += 1
                first_place[n_odd] = n_odd_places
        of_repeat[repeat + 1] = n_odd
    return of_repeat, position[:n_odd], usual[:n_odd], first_place[: n_odd + 1], odd_places[:n_odd_places]


@kernel
def in_contexts(
    first: Ids, second: Ids, labels: Ids, n_second: int, n_labels: int, wanted: Indices, n_slots: int
) -> Indices:
    """How often each wanted label has the context that it is wanted in, in a whole text.

    A label in a context of two parts is numbered ((first + 1) · n_second + second + 1) · n_labels + label + 1, where
    what is nothing is -1, and -1 is any label. `wanted` has no number twice, and `n_slots` is a power of two, more than
    that many.
    """
    mask = np.uint64(n_slots - 1)
    slots = np.full(n_slots, -1, dtype=np.int32)
    counts = np.zeros(len(wanted), dtype=np.intp)
    for number in range(len(wanted)):
        slot = _slot(wanted[number], mask)
        while slots[slot] >= 0:
            slot = (slot + 1) & np.int64(mask)
        slots[slot] = number
    for place in range(len(labels)):
        if labels[place] < 0:
            continue
        any_label = ((np.int64(first[place]) + 1) * n_second + second[place] + 1) * n_labels
        for number in (any_label, any_label + labels[place] + 1):
            slot = _slot(number, mask)
            while slots[slot] >= 0 and wanted[slots[slot]] != number:
                slot = (slot + 1) & np.int64(mask)
            if slots[slot] >= 0:
                counts[slots[slot]] += 1
            else:
                break  # a context in which any label is not wanted has none that is
    return counts


@kernel
def rows_with_news(
    order: Indices, repeats: Indices, of_repeat: Indices, first_place: Indices, odd_places: Ids, n_places: int
) -> Indices:
    """Of odd labels in this order those, one for each repeat at most, that show a place at which no repeat before it
    has shown an odd one. `repeats` are the repeats of all odd labels.
    """
    is_shown = np.zeros(n_places, dtype=np.bool_)
    is_listed = np.zeros(len(of_repeat), dtype=np.bool_)
    found = np.empty(len(of_repeat), dtype=np.intp)
    n = 0
    for odd in order:
        repeat = repeats[odd]
        if is_listed[repeat] or is_shown[odd_places[first_place[odd] : first_place[odd + 1]]].all():
            continue
        is_listed[repeat] = True
        is_shown[odd_places[first_place[of_repeat[repeat]] : first_place[of_repeat[repeat + 1]]]] = True
        found[n] = odd
        n += 1
    return found[:n]
