"""Odd labels among the places of a repeat, how often they occur, and which repeat shows them first: compiled loops."""

from __future__ import annotations

import numpy as np

from karat._arrays import Array, Ids, Indices
from karat._compiled import kernel, part_of_kernel

__all__ = ["occurrences", "odd_labels", "rows_with_news"]


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


@kernel
def odd_labels(offsets: Indices, places: Ids, length: Ids, codes: Ids, reach: Ids) -> tuple[Indices, Ids, Indices, Ids]:
    """The odd labels of each repeat: all that its words have, but one with more than twice as many places as any other.

    Where those of each repeat begin; on which word each is; where the places that have it begin; and these, as places
    of the word in the text.
    """
    of_repeat = np.zeros(len(length) + 1, dtype=np.intp)
    position, odd_places = np.empty(1024, dtype=np.int32), np.empty(1024, dtype=np.int32)
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
            n_runs = most = second = 0
            for number in range(n + 1):
                if number in (0, n) or labels[order[number]] != labels[order[number - 1]]:
                    runs[n_runs] = number
                    n_runs += 1
            for run in range(n_runs - 1):
                n_same = runs[run + 1] - runs[run]
                second = max(second, min(most, n_same))
                most = max(most, n_same)
            position, first_place = _with_room(position, n_odd + n_runs), _with_room(first_place, n_odd + n_runs + 1)
            odd_places = _with_room(odd_places, n_odd_places + n)
            for run in range(n_runs - 1):
                if runs[run + 1] - runs[run] == most > 2 * second:
                    continue
                for number in range(runs[run], runs[run + 1]):
                    odd_places[n_odd_places] = its_places[order[number]] + at
                    n_odd_places += 1
                position[n_odd] = at
                n_odd += 1
                first_place[n_odd] = n_odd_places
        of_repeat[repeat + 1] = n_odd
    return of_repeat, position[:n_odd], first_place[: n_odd + 1], odd_places[:n_odd_places]


@kernel
def occurrences(
    words: Ids, labels: Ids, first_of_word: Indices, wanted: Indices, n_labels: int
) -> tuple[Indices, Indices, Indices]:
    """How often each word occurs, each label, and some words with some labels.

    The labels that are wanted of a word w are, rising, `wanted[first_of_word[w]:first_of_word[w + 1]]`.
    """
    n_word, n_label = np.zeros(len(first_of_word) - 1, dtype=np.intp), np.zeros(n_labels, dtype=np.intp)
    n_pair = np.zeros(len(wanted), dtype=np.intp)
    for place in range(len(words)):
        word, label = words[place], labels[place]
        if word < 0:
            continue
        n_word[word] += 1
        n_label[label] += 1
        low, high = first_of_word[word], first_of_word[word + 1]
        while low < high:
            middle = (low + high) // 2
            if wanted[middle] < label:
                low = middle + 1
            else:
                high = middle
        if low < first_of_word[word + 1] and wanted[low] == label:
            n_pair[low] += 1
    return n_word, n_label, n_pair


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
