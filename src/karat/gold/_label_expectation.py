"""How expected each label is where it stands, among the places of a repeat: compiled loops."""

from __future__ import annotations

import numpy as np

from karat._arrays import Flags, Floats, Ids, Indices
from karat._compiled import kernel, part_of_kernel

__all__ = ["least_expected", "with_something_new"]


@part_of_kernel
def _label(codes: Ids, reach: Ids, place: int, at: int, length: int) -> int:
    """The label of a repeat's word at one place as a number; -1 where it reaches out of the repeat."""
    code = int(codes[place + at])
    if not len(reach):
        return code
    end = at + int(reach[place + at])
    return (code << 32) + end if 0 <= end < length else -1


@kernel
def least_expected(
    offsets: Indices,
    places: Ids,
    length: Ids,
    codes: Ids,
    reach: Ids,
    elsewhere: Floats,
    strength: Floats,
    credit: Floats,
) -> tuple[Floats, Ids, Flags]:
    """For each repeat how expected its least expected label is, and on which word; and which words are odd ones.

    The equation is that of `scoring.ranked`; `strength` is the s of each repeat, `credit` its d. A word is odd at a
    place if its label there is not the commonest (of equally common ones, the most expected): a flag for every place
    of every word, repeat by repeat, word by word.
    """
    least = np.ones(len(length))
    where = np.zeros(len(length), dtype=np.int32)
    n_flags = 0
    for repeat in range(len(length)):
        n_flags += length[repeat] * (offsets[repeat + 1] - offsets[repeat])
    is_odd = np.zeros(n_flags, dtype=np.bool_)
    flag = 0
    for repeat in range(len(length)):
        its_places, n_words = places[offsets[repeat] : offsets[repeat + 1]], length[repeat]
        n, s = len(its_places), strength[repeat]
        labels = np.empty(n, dtype=np.int64)
        for at in range(n_words):
            for number in range(n):
                labels[number] = _label(codes, reach, its_places[number], at, n_words)
            order = np.argsort(labels)
            commonest, its_count, its_expected = labels[order[0]], 0, 0.0
            first = 0
            while first < n:
                stop = first + 1
                while stop < n and labels[order[stop]] == labels[order[first]]:
                    stop += 1
                if stop - first == n:
                    break
                place = its_places[order[first]] + at
                n_same = stop - first
                e = max(elsewhere[0, place] - n_same, elsewhere[2, place]) / (elsewhere[1, place] - n_same)
                now = ((n_same - 1) * credit[repeat] + s * e) / (n - 1 + s)
                if now < least[repeat]:
                    least[repeat], where[repeat] = now, at
                if stop - first > its_count or (stop - first == its_count and e > its_expected):
                    commonest, its_count, its_expected = labels[order[first]], stop - first, e
                first = stop
            if its_count:
                for number in range(n):
                    is_odd[flag + number] = labels[number] != commonest
            flag += n
    return least, where, is_odd


@kernel
def with_something_new(order: Indices, offsets: Indices, places: Ids, length: Ids, is_odd: Flags, n: int) -> Ids:
    """How much the repeats in this order show that is new.

    2: a word that is odd at a place where no repeat before it shows it as odd. 1: a word that differs at a place which
    none of those, nor one before it, shows at all. 0: nothing.
    """
    first_flag = np.zeros(len(length) + 1, dtype=np.intp)
    for repeat in range(len(length)):
        first_flag[repeat + 1] = first_flag[repeat] + length[repeat] * (offsets[repeat + 1] - offsets[repeat])
    news = np.zeros(len(order), dtype=np.int32)
    seen_odd = np.zeros(n, dtype=np.bool_)
    seen = np.zeros(n, dtype=np.bool_)
    for wanted in (2, 1):
        for row in range(len(order)):
            if news[row]:
                continue
            repeat = order[row]
            n_places = offsets[repeat + 1] - offsets[repeat]
            for at in range(length[repeat]):
                flags = is_odd[first_flag[repeat] + at * n_places : first_flag[repeat] + (at + 1) * n_places]
                if not flags.any():
                    continue
                for number in range(n_places):
                    place = places[offsets[repeat] + number] + at
                    if (wanted == 1 and not seen[place]) or (wanted == 2 and flags[number] and not seen_odd[place]):
                        news[row] = wanted
                    seen_odd[place] |= flags[number]
            if news[row]:
                for at in range(length[repeat]):
                    flags = is_odd[first_flag[repeat] + at * n_places : first_flag[repeat] + (at + 1) * n_places]
                    if flags.any():
                        for number in range(n_places):
                            seen[places[offsets[repeat] + number] + at] = True
    return news
