"""How a rule of a cascade goes over all sentences, compiled."""

from __future__ import annotations

import numpy as np

from karat._arrays import Flags, Ids, Indices, Words64
from karat._compiled import kernel, part_of_kernel


@part_of_kernel
def _agrees(
    taken: Indices,
    syntactic: Indices,
    values: Ids,
    categories: Ids,
    agreeing: Flags,
    begins: Indices,
) -> bool:
    """Whether the units that elements take have the same values, where they have any."""
    for k in range(len(categories)):
        wanted = -1
        for element in range(len(taken)):
            if agreeing[k, element]:
                for unit in range(begins[element], begins[element] + taken[element]):
                    value = values[categories[k], syntactic[unit]]
                    if value >= 0:
                        if wanted >= 0 and value != wanted:
                            return False
                        wanted = value
    return True


@part_of_kernel
def _longest(
    first: int,
    stop: int,
    bits: Words64,
    syntactic: Indices,
    values: Ids,
    masks: Words64,
    least: Indices,
    most: Indices,
    categories: Ids,
    agreeing: Flags,
    not_before: int,
    begins: Indices,
    taken: Indices,
    best: Indices,
) -> int:
    """Where the longest match from a unit on ends, -1 if there is none; `best` is how many units each element takes.

    Of several that are as long, the one whose earlier elements take more. `begins` and `taken` are room to work in.
    """
    n = len(masks)
    longest = first + 1  # a group has at least two units
    element = 0
    forward = True
    begins[0] = first
    while element >= 0:
        if forward:  # take as many as there are
            at, size = begins[element], 0
            while size < most[element] and at + size < stop and bits[at + size] & masks[element]:
                size += 1
            taken[element] = size
        else:  # one fewer than before
            taken[element] -= 1
        if taken[element] < least[element]:
            element -= 1
            forward = False
            continue
        end = begins[element] + taken[element]
        if element < n - 1:
            element += 1
            begins[element] = end
            forward = True
            continue
        forward = False
        if end <= longest or (end < stop and bits[end] & not_before):
            continue
        if _agrees(taken, syntactic, values, categories, agreeing, begins):
            longest = end
            best[:] = taken
    return longest if longest > first + 1 else -1


@kernel
def apply_rule(
    start: Indices,
    stop: Indices,
    syntactic: Indices,
    semantic: Indices,
    rules: Ids,
    bits: Words64,
    offsets: Indices,
    values: Ids,
    group_bits: Words64,
    masks: Words64,
    least: Indices,
    most: Indices,
    categories: Ids,
    agreeing: Flags,
    heads: Indices,
    contexts: Words64,
    rule: int,
) -> int:
    """Makes groups of what a rule matches, from left to right in each sentence; how many units are left.

    All arrays of units, and the sentences' offsets, are changed in place. `group_bits` are the classes of a group that
    the rule makes, by its syntactic head; `heads` the elements with the two heads; `contexts` the classes that may not
    stand before and after a match.
    """
    begins, taken, best = np.zeros_like(least), np.zeros_like(least), np.zeros_like(least)
    to, begin = 0, offsets[0]
    for sentence in range(len(offsets) - 1):
        end, first = offsets[sentence + 1], to
        unit = begin
        while unit < end:
            after = -1
            if to == first or not (bits[to - 1] & contexts[0]):
                after = _longest(
                    unit, end, bits, syntactic, values, masks, least, most, categories, agreeing, contexts[1],
                    begins, taken, best,
                )  # fmt: skip
            if after > unit:
                syntactic_unit = unit + best[: heads[0]].sum()
                semantic_unit = unit + best[: heads[1]].sum()
                head, meaning = syntactic[syntactic_unit], semantic[semantic_unit]
                begins_at, ends_at = start[unit], stop[after - 1]
                start[to], stop[to], syntactic[to], semantic[to] = begins_at, ends_at, head, meaning
                rules[to] = rule
                bits[to] = group_bits[head]
                unit = after
            else:
                start[to], stop[to] = start[unit], stop[unit]
                syntactic[to], semantic[to] = syntactic[unit], semantic[unit]
                rules[to], bits[to] = rules[unit], bits[unit]
                unit += 1
            to += 1
        begin = end
        offsets[sentence + 1] = to
    return to
