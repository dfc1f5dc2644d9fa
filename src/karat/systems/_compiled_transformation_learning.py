"""The loops of transformation-based learning, compiled: counting what rules would do, and finding the best.

Rules that correct at least one word now, or did, stand in a hash table. What a rule spoils is counted when it could be
the best one, and from then on kept up to date [Ngai & Florian 2001, with this counting put off]. Once a rule is seen to
spoil far more than it corrects, counting stops. What was counted so far is then a lower bound; it is kept up to date in
the same way, and the rule is counted anew as soon as the bound no longer rules it out.
"""

from __future__ import annotations

import numpy as np

from karat._arrays import Array, Bytes, Ids, Indices
from karat._compiled import kernel, part_of_kernel
from karat.systems._compiled_transformations import (
    ACTION_BITS,
    N_CONDITIONS,
    REACH,
    VALUE_BITS,
    Grammar,
    Places,
    Words,
    changes,
    value_at,
)

NO_RULE = -1
GOOD, BAD, ACTIVE, EXACT = 0, 1, 2, 3
_MIX, _MIX_TOO = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
_UNKNOWN = -1  # how many words a rule spoils, as long as nobody has asked
_SPOILT_BEYOND = 16  # twice the words that a rule corrects, before counting stops
_SELF = 1 << REACH

# Slots of the hash table, -1 or the number of a rule; the two numbers of each; how many words it corrects, how many it
# spoils at least, whether it is among the active ones, and whether it spoils just so many; the active ones; how many
# rules and active ones there are; and, by a hash of what rules ask for and give, whether anything of such a rule was
# counted that it spoils.
Counts = tuple[Ids, Array, Ids, Ids, Array, Bytes]


# ---- counting --------------------------------------------------------------------------------------------------------


@part_of_kernel
def _slot(first: int, second: int, n_slots: int) -> int:
    """The slot at which to look for a rule first; the number of slots is a power of 2."""
    mixed = np.uint64(first) * _MIX
    mixed = (mixed ^ (mixed >> np.uint64(29)) ^ np.uint64(second)) * _MIX_TOO
    mixed ^= mixed >> np.uint64(32)
    return int(np.int64(mixed & np.uint64(n_slots - 1)))


@part_of_kernel
def _slot_of_action(action: int, asked: int, given: int, n_slots: int) -> int:
    """Where to look whether rules with this action and these values were counted."""
    mixed = np.uint64(((action << ACTION_BITS) ^ asked) << ACTION_BITS ^ given) * _MIX
    return int(np.int64((mixed >> np.uint64(40)) & np.uint64(n_slots - 1)))


@part_of_kernel
def _found(first: int, second: int, slots: Ids, keys: Array) -> tuple[int, int]:
    """The number of a rule, or -1, and its slot."""
    slot = _slot(first, second, len(slots))
    while True:
        rule = slots[slot]
        if rule < 0 or (keys[rule, 0] == first and keys[rule, 1] == second):
            return rule, slot
        slot = (slot + 1) & (len(slots) - 1)


@kernel
def rehashed(slots: Ids, keys: Array, n_rules: int) -> None:
    """Put all rules into empty slots."""
    for rule in range(n_rules):
        _, slot = _found(keys[rule, 0], keys[rule, 1], slots, keys)
        slots[slot] = rule


@part_of_kernel
def _contexts(
    i: int,
    changed: int,
    tags: Ids,
    features: Ids,
    levels: Ids,
    conditions: Ids,
    looks_at: Indices,
    contexts: Array,
    some: Ids,
) -> int:
    """How many contexts of templates a word has; each is its template, values, and whether it may have changed."""
    n = 0
    for template in range(len(conditions)):
        begin = n
        contexts[n, 0], contexts[n, 1] = template, 0
        contexts[n, 2] = 1 if changed & (_SELF | looks_at[template]) else 0
        n += 1
        for number in range(N_CONDITIONS):
            kind, column = conditions[template, number, 0], conditions[template, number, 1]
            if kind == 0:
                break
            n_some = 0
            for which in range(conditions[template, number, 2]):
                place = i + conditions[template, number, 3 + which]
                value = value_at(kind, column, place, tags, features, levels)
                is_new = value >= 0
                for other in range(n_some):
                    if some[other] == value:
                        is_new = False
                if is_new:
                    some[n_some] = value
                    n_some += 1
            n_before = n - begin
            for one in range(1, n_some):
                for other in range(n_before):
                    contexts[n, 0], contexts[n, 2] = template, contexts[begin, 2]
                    contexts[n, 1] = contexts[begin + other, 1] + ((some[one] + 1) << (VALUE_BITS * number))
                    n += 1
            if n_some == 0:
                n = begin
                break
            for other in range(n_before):
                contexts[begin + other, 1] += (some[0] + 1) << (VALUE_BITS * number)
    return n


@part_of_kernel
def _count_target(
    i: int,
    target: int,
    changed: int,
    sign: int,
    threshold: int,
    tags: Ids,
    levels: Ids,
    actions: Ids,
    rests: Ids,
    slots: Ids,
    keys: Array,
    numbers: Ids,
    active: Ids,
    n_all: Array,
    is_counted: Bytes,
    contexts: Array,
    n: int,
    is_good: bool,
    candidates: Ids,
    first_candidate: int,
    candidate: int,
) -> None:
    """Count a word for or against all rules that make this its tag, as far as a change near it may matter."""
    tag, n_actions = tags[i], len(actions)
    for action in range(n_actions):
        asked, source = levels[actions[action, 0], tag], actions[action, 2]
        if asked < 0 or rests[action, tag] != rests[action, target]:
            continue
        level = actions[action, 1]
        given = levels[level, target]
        if given < 0:
            continue
        if actions[action, 3]:
            is_target = levels[level, tag] != given
            for c in range(first_candidate, candidate):
                is_target &= levels[level, candidates[c]] != given
            if not is_target:
                continue
        matters = changed & _SELF != 0
        if source != 0:
            if levels[level, tags[i + source]] != given:
                continue
            given = 0
            matters |= (changed >> (source + REACH)) & 1 != 0
        if not is_good and not is_counted[_slot_of_action(action, asked, given, len(is_counted))]:
            continue
        for c in range(n):
            if not (matters or contexts[c, 2]):
                continue
            first = (((contexts[c, 0] * n_actions + action) << ACTION_BITS | asked) << ACTION_BITS) | given
            rule, slot = _found(first, contexts[c, 1], slots, keys)
            if is_good:
                if rule < 0:
                    rule = n_all[0]
                    n_all[0] += 1
                    slots[slot] = rule
                    keys[rule, 0], keys[rule, 1] = first, contexts[c, 1]
                    numbers[rule, GOOD], numbers[rule, BAD], numbers[rule, ACTIVE] = 0, _UNKNOWN, 0
                    numbers[rule, EXACT] = 0
                numbers[rule, GOOD] += sign
                if sign > 0 and numbers[rule, ACTIVE] == 0 and numbers[rule, GOOD] >= threshold:
                    numbers[rule, ACTIVE] = 1
                    active[n_all[1]] = rule
                    n_all[1] += 1
            elif rule >= 0 and numbers[rule, BAD] != _UNKNOWN and (sign > 0 or numbers[rule, BAD] > 0):
                numbers[rule, BAD] += sign


@kernel
def count_words(
    where: Indices,
    changed: Indices,
    start: int,
    sign: int,
    threshold: int,
    words: Words,
    grammar: Grammar,
    counts: Counts,
    most_contexts: int,
) -> int:
    """Count words, from `start` on, for the rules that correct them and against those that spoil them.

    `changed` says as bits which tags around a word change, so that the rest need not be counted. Gives back how many
    words are done: it stops as soon as there might be no more room for new rules.
    """
    tags, gold, offsets, candidates, features = words
    levels, actions, rests, conditions, looks_at, _ = grammar
    slots, keys, numbers, active, n_all, is_counted = counts
    contexts, some = np.empty((most_contexts, 3), np.int64), np.empty(2 * REACH + 1, np.int32)
    room = len(keys) - most_contexts * len(actions)
    for number in range(start, len(where)):
        if n_all[0] > room:
            return number
        i = where[number]
        n, near = -1, changed[number]
        for c in range(offsets[i], offsets[i + 1]):
            target = candidates[c]
            is_good = target == gold[i]
            if target == tags[i] or not (is_good or tags[i] == gold[i]):
                continue
            if n < 0:
                n = _contexts(i, near, tags, features, levels, conditions, looks_at, contexts, some)
            _count_target(
                i, target, near, sign, threshold, tags, levels, actions, rests, slots, keys, numbers, active,
                n_all, is_counted, contexts, n, is_good, candidates, offsets[i], c,
            )  # fmt: skip
    return len(where)


@kernel
def around(where: Indices, n: int, marks: Indices, words: Words, near: Indices, changed: Indices) -> int:
    """The words near changes that count, and as bits which tags around each change; `marks` are 0 before and after."""
    gold, offsets = words[1], words[2]
    n_near = 0
    for number in range(n):
        for d in range(-REACH, REACH + 1):
            i = where[number] + d
            if gold[i] < 0 or offsets[i + 1] - offsets[i] < 2:
                continue
            if marks[i] == 0:
                near[n_near] = i
                n_near += 1
            marks[i] |= 1 << (REACH - d)
    for number in range(n_near):
        changed[number] = marks[near[number]]
        marks[near[number]] = 0
    return n_near


# ---- the best rule ---------------------------------------------------------------------------------------------------


@part_of_kernel
def _is_better(rule: int, best: int, keys: Array, numbers: Ids) -> bool:
    """Whether a rule comes before the best so far: larger gain, fewer words spoilt, smaller numbers."""
    if best < 0:
        return True
    gain, largest = numbers[rule, GOOD] - numbers[rule, BAD], numbers[best, GOOD] - numbers[best, BAD]
    if gain != largest:
        return bool(gain > largest)
    if numbers[rule, BAD] != numbers[best, BAD]:
        return bool(numbers[rule, BAD] < numbers[best, BAD])
    if keys[rule, 0] != keys[best, 0]:
        return bool(keys[rule, 0] < keys[best, 0])
    return bool(keys[rule, 1] < keys[best, 1])


@kernel
def best_rule(
    threshold: int, words: Words, grammar: Grammar, counts: Counts, places: Places, where: Indices, targets: Ids
) -> int:
    """The number of the rule with the largest gain; -1 if none gains as much as the threshold."""
    _, keys, numbers, active, n_all, is_counted = counts
    tags, gold = words[0], words[1]
    best, n = NO_RULE, 0
    for place in range(n_all[1]):
        rule = active[place]
        if numbers[rule, GOOD] < threshold:
            numbers[rule, ACTIVE] = 0
            continue
        active[n] = rule
        n += 1
        gains_enough = numbers[rule, EXACT] and numbers[rule, GOOD] - numbers[rule, BAD] >= threshold
        if gains_enough and _is_better(rule, best, keys, numbers):
            best = rule
    n_all[1] = n
    for place in range(n):
        rule = active[place]
        least = threshold if best < 0 else numbers[best, GOOD] - numbers[best, BAD]
        if numbers[rule, EXACT] or numbers[rule, GOOD] - max(numbers[rule, BAD], 0) < least:
            continue
        n_spoilt, most_spoilt = 0, 2 * numbers[rule, GOOD] + _SPOILT_BEYOND
        for number in range(changes(keys[rule], words, grammar, places, where, targets, most_spoilt)):
            n_spoilt += tags[where[number]] == gold[where[number]]
        numbers[rule, BAD], numbers[rule, EXACT] = n_spoilt, n_spoilt < most_spoilt
        mask = (1 << ACTION_BITS) - 1
        action = (keys[rule, 0] >> (2 * ACTION_BITS)) % len(grammar[1])
        asked, given = (keys[rule, 0] >> ACTION_BITS) & mask, keys[rule, 0] & mask
        is_counted[_slot_of_action(action, asked, given, len(is_counted))] = 1
        if numbers[rule, GOOD] - n_spoilt >= threshold and _is_better(rule, best, keys, numbers):
            best = rule
    return best
