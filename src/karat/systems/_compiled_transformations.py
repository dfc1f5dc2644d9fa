"""The loops of transformation-based learning, compiled: counting what rules would do, finding and applying them.

A rule is two numbers. The first has its template and action, the value that the action asks for and the one that it
gives; the second the values of up to three conditions, each plus 1. Between sentences stand as many edges as a template
can reach, so that no place has to be looked at twice. Rules that correct at least one word now, or did, stand in a hash
table. What a rule spoils is counted when it could be the best one, by going through the words that can have its tag,
and from then on kept up to date [Ngai & Florian 2001, with the counting of errors put off].
"""

from __future__ import annotations

import numpy as np

from karat._arrays import Array, Bytes, Ids, Indices
from karat._compiled import kernel, part_of_kernel

REACH = 3  # of templates, in words to each side
N_CONDITIONS = 3
VALUE_BITS = 21  # of a condition
ACTION_BITS = 24  # of what an action asks for and gives
NO_RULE = -1
GOOD, BAD, ACTIVE = 0, 1, 2
_MIX = np.uint64(0x9E3779B97F4A7C15)
_MIX_TOO = np.uint64(0xC2B2AE3D27D4EB4F)
_UNKNOWN = -1  # how many words a rule spoils, as long as nobody has asked
_SELF = 1 << REACH

# Tags and right tags of words, -1 at edges and where none counts; where the candidates of words begin, and these;
# features of words that stay as they are [features × words].
Words = tuple[Ids, Ids, Indices, Ids, Ids]
# Values of labels at levels [levels × labels and the edge]; actions: the level that is asked for, the one that is given,
# and from where it is copied, or 0; what an action leaves alone [actions × labels]; conditions of templates
# [templates × 3 × kind, column, number of places, places]; the places whose tags a template looks at, as bits; which
# templates go with which actions.
Grammar = tuple[Ids, Ids, Ids, Ids, Indices, Bytes]
# Slots of the hash table, -1 or the number of a rule; the two numbers of each; how many words it corrects, how many it
# spoils, and whether it is among the active ones; these; and how many rules and active ones there are.
Counts = tuple[Ids, Array, Ids, Ids, Array]
# Where the words begin that can have each label, and these words; the words that can have several labels.
Places = tuple[Indices, Indices, Indices]


# ---- what a rule asks ------------------------------------------------------------------------------------------------


@part_of_kernel
def _value(condition: Ids, which: int, i: int, words: Words, levels: Ids) -> int:
    """What stands at one of the places that a condition looks at; -1 for nothing."""
    place = i + condition[3 + which]
    if condition[0] == 1:
        return int(levels[condition[1], words[0][place]])
    return int(words[4][condition[1], place])


@part_of_kernel
def _has_context(i: int, template: int, values: int, words: Words, grammar: Grammar) -> bool:
    levels, conditions = grammar[0], grammar[3]
    for number in range(N_CONDITIONS):
        condition = conditions[template, number]
        if condition[0] == 0:
            break
        wanted = ((values >> (VALUE_BITS * number)) & ((1 << VALUE_BITS) - 1)) - 1
        is_there = False
        for which in range(condition[2]):
            if _value(condition, which, i, words, levels) == wanted:
                is_there = True
                break
        if not is_there:
            return False
    return True


@part_of_kernel
def _target(i: int, action: int, given: int, words: Words, grammar: Grammar) -> int:
    """The candidate of a word that an action makes its tag; -1 if there is none, or no other than it has."""
    tags, _, offsets, candidates, _ = words
    levels, actions, rests = grammar[0], grammar[1], grammar[2]
    tag, level, source = tags[i], actions[action, 1], actions[action, 2]
    if source != 0:
        given = levels[level, tags[i + source]]
        if given < 0:
            return -1
    for c in range(offsets[i], offsets[i + 1]):
        other = candidates[c]
        if other != tag and levels[level, other] == given and rests[action, other] == rests[action, tag]:
            return int(other)
    return -1


@part_of_kernel
def _changed(i: int, first: int, second: int, words: Words, grammar: Grammar) -> int:
    """The tag that a rule gives a word; -1 where it does nothing."""
    mask = (1 << ACTION_BITS) - 1
    which, asked, given = first >> (2 * ACTION_BITS), (first >> ACTION_BITS) & mask, first & mask
    n_actions = len(grammar[1])
    template, action = which // n_actions, which % n_actions
    if grammar[0][grammar[1][action, 0], words[0][i]] != asked:
        return -1
    target = _target(i, action, given, words, grammar)
    if target < 0 or not _has_context(i, template, second, words, grammar):
        return -1
    return target


@kernel
def changes(rule: Array, words: Words, grammar: Grammar, places: Places, where: Indices, targets: Ids) -> int:
    """How many words a rule changes; which these are and their new tags stand in `where` and `targets`."""
    n, first, second = 0, rule[0], rule[1]
    action = (first >> (2 * ACTION_BITS)) % len(grammar[1])
    level, source = grammar[1][action, 1], grammar[1][action, 2]
    given = first & ((1 << ACTION_BITS) - 1)
    offsets, of_label, several = places
    if source != 0:
        for number in range(len(several)):
            i = several[number]
            target = _changed(i, first, second, words, grammar)
            if target >= 0:
                where[n], targets[n] = i, target
                n += 1
        return n
    for label in range(len(offsets) - 1):
        if grammar[0][level, label] != given:
            continue
        for number in range(offsets[label], offsets[label + 1]):
            i = of_label[number]
            if _changed(i, first, second, words, grammar) == label:
                where[n], targets[n] = i, label
                n += 1
    return n


@kernel
def apply_rules(rules: Array, words: Words, grammar: Grammar, several: Indices) -> None:
    """Change the tags of words by rules, one after the other, each over the whole text at once."""
    tags = words[0]
    where, targets = np.empty(len(several), np.int64), np.empty(len(several), np.int32)
    is_asked = np.empty(grammar[0].shape[1], np.bool_)
    for rule in range(len(rules)):
        first, second = rules[rule, 0], rules[rule, 1]
        action = (first >> (2 * ACTION_BITS)) % len(grammar[1])
        asked = (first >> ACTION_BITS) & ((1 << ACTION_BITS) - 1)
        for label in range(len(is_asked)):
            is_asked[label] = grammar[0][grammar[1][action, 0], label] == asked
        n = 0
        for number in range(len(several)):
            i = several[number]
            if is_asked[tags[i]]:
                target = _changed(i, first, second, words, grammar)
                if target >= 0:
                    where[n], targets[n] = i, target
                    n += 1
        for number in range(n):
            tags[where[number]] = targets[number]


# ---- counting --------------------------------------------------------------------------------------------------------


@part_of_kernel
def _slot(first: int, second: int, n_slots: int) -> int:
    """The slot at which to look for a rule first; the number of slots is a power of 2."""
    mixed = np.uint64(first) * _MIX
    mixed = (mixed ^ (mixed >> np.uint64(29)) ^ np.uint64(second)) * _MIX_TOO
    mixed ^= mixed >> np.uint64(32)
    return int(np.int64(mixed & np.uint64(n_slots - 1)))


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
def _contexts(i: int, changed: int, words: Words, grammar: Grammar, contexts: Array, some: Ids) -> int:
    """How many contexts of templates a word has; each is its template, values, and whether it may have changed."""
    levels, conditions, looks_at = grammar[0], grammar[3], grammar[4]
    n = 0
    for template in range(len(conditions)):
        begin = n
        contexts[n, 0], contexts[n, 1] = template, 0
        contexts[n, 2] = 1 if changed & (_SELF | looks_at[template]) else 0
        n += 1
        for number in range(N_CONDITIONS):
            condition = conditions[template, number]
            if condition[0] == 0:
                break
            n_some = 0
            for which in range(condition[2]):
                value = _value(condition, which, i, words, levels)
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
    words: Words,
    grammar: Grammar,
    counts: Counts,
    contexts: Array,
    n: int,
) -> None:
    """Count a word for or against all rules that make this its tag, as far as a change near it may matter."""
    tags, gold = words[0], words[1]
    levels, actions, rests, goes_with = grammar[0], grammar[1], grammar[2], grammar[5]
    slots, keys, numbers, active, n_all = counts
    tag, n_actions = tags[i], len(actions)
    is_good = target == gold[i]
    for action in range(n_actions):
        asked, source = levels[actions[action, 0], tag], actions[action, 2]
        if asked < 0 or rests[action, tag] != rests[action, target]:
            continue
        given = levels[actions[action, 1], target]
        if given < 0:
            continue
        matters = changed & _SELF != 0
        if source != 0:
            if levels[actions[action, 1], tags[i + source]] != given:
                continue
            given = 0
            matters |= (changed >> (source + REACH)) & 1 != 0
        for c in range(n):
            if not (matters or contexts[c, 2]) or not goes_with[action, contexts[c, 0]]:
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
                numbers[rule, GOOD] += sign
                if sign > 0 and numbers[rule, ACTIVE] == 0 and numbers[rule, GOOD] >= threshold:
                    numbers[rule, ACTIVE] = 1
                    active[n_all[1]] = rule
                    n_all[1] += 1
            elif rule >= 0 and numbers[rule, BAD] != _UNKNOWN:
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
    tags, gold, offsets, candidates, _ = words
    contexts, some = np.empty((most_contexts, 3), np.int64), np.empty(2 * REACH + 1, np.int32)
    room = len(counts[1]) - most_contexts * len(grammar[1])
    for number in range(start, len(where)):
        if counts[4][0] > room:
            return number
        i = where[number]
        n = _contexts(i, changed[number], words, grammar, contexts, some)
        for c in range(offsets[i], offsets[i + 1]):
            target = candidates[c]
            is_for, is_against = target == gold[i], tags[i] == gold[i]
            if target != tags[i] and (is_for or is_against):
                _count_target(i, target, changed[number], sign, threshold, words, grammar, counts, contexts, n)
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
    _, keys, numbers, active, n_all = counts
    tags, gold = words[0], words[1]
    best, n = NO_RULE, 0
    for place in range(n_all[1]):
        rule = active[place]
        if numbers[rule, GOOD] < threshold:
            numbers[rule, ACTIVE] = 0
            continue
        active[n] = rule
        n += 1
        if numbers[rule, BAD] != _UNKNOWN and numbers[rule, GOOD] - numbers[rule, BAD] >= threshold:
            if _is_better(rule, best, keys, numbers):
                best = rule
    n_all[1] = n
    for place in range(n):
        rule = active[place]
        if numbers[rule, BAD] != _UNKNOWN:
            continue
        if best >= 0 and numbers[rule, GOOD] < numbers[best, GOOD] - numbers[best, BAD]:
            continue
        n_spoilt = 0
        for number in range(changes(keys[rule], words, grammar, places, where, targets)):
            i = where[number]
            if tags[i] == gold[i]:
                n_spoilt += 1
        numbers[rule, BAD] = n_spoilt
        if numbers[rule, GOOD] - n_spoilt >= threshold and _is_better(rule, best, keys, numbers):
            best = rule
    return best
