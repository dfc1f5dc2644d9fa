"""The loops of transformations, compiled: which words a rule changes, and applying rules.

A rule is two numbers. The first has its template and action, the value that the action asks for and the one that it
gives; the second the values of up to three conditions, each plus 1. Between sentences stand as many edges as a template
can reach, so that no place has to be checked for being one.
"""

from __future__ import annotations

import numpy as np

from karat._arrays import Array, Ids, Indices
from karat._compiled import kernel, part_of_kernel

REACH = 3  # of templates, in words to each side
N_CONDITIONS = 3
VALUE_BITS = 21  # of a condition
ACTION_BITS = 24  # of what an action asks for and gives
EVERY = 1 << 60
LEVEL = 1  # a condition on tags; others are on features of words

# Tags and right tags of words, -1 at edges and where none counts; where the candidates of words begin, and these;
# features of words that stay as they are [features × words].
Words = tuple[Ids, Ids, Indices, Ids, Ids]
# Values of labels at levels [levels × labels and the edge]; actions: the level that is asked for, the one that is
# given, from where it is copied, or 0, and whether the rest may change; what an action leaves alone [actions × labels];
# conditions of templates [templates × 3 × kind, column, number of places, places]; the places whose tags a template
# looks at, as bits; and for each level where the labels with each value begin, and these labels.
Grammar = tuple[Ids, Ids, Ids, Ids, Indices, Ids]
# Words, chained by tags: the first word with each tag, the one behind each word, and the one before it, -1 for none;
# how many words have each tag, very many the edge. And words by their features: where those with each value begin, and
# these words [features × words].
Places = tuple[Indices, Indices, Indices, Indices, Indices, Indices]


# ---- what a rule asks ------------------------------------------------------------------------------------------------


@part_of_kernel
def value_at(kind: int, column: int, place: int, tags: Ids, features: Ids, levels: Ids) -> int:
    """What a condition of this kind finds at a place; -1 for nothing."""
    if kind == LEVEL:
        return int(levels[column, tags[place]])
    return int(features[column, place])


@part_of_kernel
def _has_context(i: int, template: int, values: int, tags: Ids, features: Ids, levels: Ids, conditions: Ids) -> bool:
    for number in range(N_CONDITIONS):
        kind = conditions[template, number, 0]
        if kind == 0:
            break
        wanted = ((values >> (VALUE_BITS * number)) & ((1 << VALUE_BITS) - 1)) - 1
        column, is_there = conditions[template, number, 1], False
        for which in range(conditions[template, number, 2]):
            place = i + conditions[template, number, 3 + which]
            if value_at(kind, column, place, tags, features, levels) == wanted:
                is_there = True
                break
        if not is_there:
            return False
    return True


@part_of_kernel
def _target(
    i: int,
    action: int,
    given: int,
    tags: Ids,
    offsets: Indices,
    candidates: Ids,
    levels: Ids,
    actions: Ids,
    rests: Ids,
) -> int:
    """The candidate of a word that an action makes its tag; -1 if there is none, or no other than it has."""
    tag, level, source = tags[i], actions[action, 1], actions[action, 2]
    if source != 0:
        given = levels[level, tags[i + source]]
        if given < 0:
            return -1
    if actions[action, 3] and levels[level, tag] == given:
        return -1
    for c in range(offsets[i], offsets[i + 1]):
        other = candidates[c]
        if other != tag and levels[level, other] == given and rests[action, other] == rests[action, tag]:
            return int(other)
    return -1


@part_of_kernel
def _n_with(kind: int, column: int, value: int, by_value: Ids, n_with: Indices, starts: Indices) -> int:
    """How many words have a value of a level or of a feature; those that stand beside edges count as very many."""
    if kind != LEVEL:
        return int(starts[column, value + 1] - starts[column, value])
    n = 0
    for number in range(by_value[column, 0, value], by_value[column, 0, value + 1]):
        n += n_with[by_value[column, 1, number]]
    return n


@part_of_kernel
def _is_first(
    i: int, which: int, kind: int, column: int, value: int, condition: Ids, tags: Ids, features: Ids, levels: Ids
) -> bool:
    """Whether no place before this one, of those that a condition looks at, has the value, too."""
    for earlier in range(which):
        if value_at(kind, column, i + condition[3 + earlier], tags, features, levels) == value:
            return False
    return True


@kernel
def changes(
    rule: Array, words: Words, grammar: Grammar, places: Places, where: Indices, targets: Ids, most_spoilt: int
) -> int:
    """How many words a rule changes; which these are and their new tags stand in `where` and `targets`.

    Of what the rule asks for the rarest is looked up: the tag, or one of the conditions. Not all words are found if the
    rule spoils as many as `most_spoilt`.
    """
    tags, gold, offsets, candidates, features = words
    levels, actions, rests, conditions, _, by_value = grammar
    heads, behind, _, n_with, starts, with_feature = places
    mask, n_actions, second = (1 << ACTION_BITS) - 1, len(actions), rule[1]
    which, asked, given = rule[0] >> (2 * ACTION_BITS), (rule[0] >> ACTION_BITS) & mask, rule[0] & mask
    template, action = which // n_actions, which % n_actions
    asks = actions[action, 0]
    rarest = np.zeros(conditions.shape[2], np.int32)  # the tag, as a condition of its own
    rarest[0], rarest[1], rarest[2] = LEVEL, asks, 1
    value, fewest = asked, _n_with(LEVEL, asks, asked, by_value, n_with, starts)
    for number in range(N_CONDITIONS):
        kind, column = conditions[template, number, 0], conditions[template, number, 1]
        if kind == 0:
            break
        wanted = ((second >> (VALUE_BITS * number)) & ((1 << VALUE_BITS) - 1)) - 1
        n_there = conditions[template, number, 2] * _n_with(kind, column, wanted, by_value, n_with, starts)
        if n_there < fewest:
            fewest, value, rarest = n_there, wanted, conditions[template, number]
    n, n_spoilt, kind, column = 0, 0, rarest[0], rarest[1]
    if kind == LEVEL:
        first, stop = by_value[column, 0, value], by_value[column, 0, value + 1]
    else:
        first, stop = starts[column, value], starts[column, value + 1]
    for number in range(first, stop):
        j = heads[by_value[column, 1, number]] if kind == LEVEL else with_feature[column, number]
        while j >= 0:
            for place in range(rarest[2]):
                i = j - rarest[3 + place]
                if (
                    levels[asks, tags[i]] == asked
                    and _is_first(i, place, kind, column, value, rarest, tags, features, levels)
                    and _has_context(i, template, second, tags, features, levels, conditions)
                ):
                    target = _target(i, action, given, tags, offsets, candidates, levels, actions, rests)
                    if target >= 0:
                        where[n], targets[n] = i, target
                        n += 1
                        n_spoilt += tags[i] == gold[i]
                        if n_spoilt >= most_spoilt:
                            return n
            j = behind[j] if kind == LEVEL else -1
    return n


@kernel
def change(where: Indices, targets: Ids, n: int, words: Words, places: Places) -> None:
    """Give words other tags."""
    tags, (heads, behind, before, n_with, _, _) = words[0], places
    for number in range(n):
        i, tag = where[number], tags[where[number]]
        n_with[tag] -= 1
        if before[i] < 0:
            heads[tag] = behind[i]
        else:
            behind[before[i]] = behind[i]
        if behind[i] >= 0:
            before[behind[i]] = before[i]
        tag = targets[number]
        n_with[tag] += 1
        tags[i], behind[i], before[i] = tag, heads[tag], -1
        if heads[tag] >= 0:
            before[heads[tag]] = i
        heads[tag] = i


@kernel
def chain_words(every: Indices, words: Words, heads: Indices, behind: Indices, before: Indices) -> None:
    """Chain words by their tags; arrays are -1 before."""
    for number in range(len(every) - 1, -1, -1):
        i, tag = every[number], words[0][every[number]]
        behind[i] = heads[tag]
        if heads[tag] >= 0:
            before[heads[tag]] = i
        heads[tag] = i


@kernel
def apply_rules(rules: Array, words: Words, grammar: Grammar, places: Places, n_several: int) -> None:
    """Change the tags of words by rules, one after the other, each over the whole text at once."""
    where, targets = np.empty(n_several, np.int64), np.empty(n_several, np.int32)
    for number in range(len(rules)):
        n = changes(rules[number], words, grammar, places, where, targets, EVERY)
        change(where, targets, n, words, places)
