"""Groups by a cascade of rules over tags, as Spejd makes them.

[Buczyński & Przepiórkowski 2009; Slaski, Acedański & Przepiórkowski 2012, §1]. At first every word, and every
punctuation mark, is a unit. Each rule in turn goes over each sentence from left to right: where its pattern matches
units from here on, the longest match of at least two becomes one unit, a group, and the rule goes on behind it; of
matches that are as long, the one counts whose earlier elements take more units. So later rules see the groups of
earlier ones. A group's case, number and gender are those of its syntactic head.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from karat._arrays import Flags, Ids, Indices, Words64
from karat._ragged import offsets_of
from karat.errors import UsageError
from karat.systems.groups.cascade_file import read_cascade, shipped_cascades
from karat.systems.groups.patterns import CAPITAL, GroupCascade, GroupRule, UnitClass, WordCondition
from karat.systems.groups.syntactic_objects import WORD, SyntacticObjects
from karat.systems.groups.tagged_words import AGREEING, TaggedWords

__all__ = ["GroupCascade", "GroupedUnits", "cascade_for", "groups_of", "last_units", "objects_of_units", "read_cascade"]
__all__ += ["shipped_cascades", "units_after_rules"]

# Masks of the elements' classes, how many units each takes at least and at most, the categories that agree and between
# which elements, the elements with the two heads, and the classes that may not stand before and after.
_CompiledRule = tuple[Words64, Indices, Indices, Ids, Flags, Indices, Words64]


@dataclass(frozen=True, slots=True, eq=False)
class GroupedUnits:
    """What a text consists of after some rules: groups and single words, from left to right, punctuation included.

    `rules` are the numbers of the rules that made the groups, -1 for words; `classes` have a bit for each class that a
    unit is in.
    """

    start: Indices
    stop: Indices
    syntactic: Indices
    semantic: Indices
    rules: Ids
    classes: Words64
    offsets: Indices


def cascade_for(words: TaggedWords) -> GroupCascade:
    """The shipped cascade for a text's tagset; a `UsageError` if there is none."""
    if words.tagset not in shipped_cascades():
        known = ", ".join(shipped_cascades())
        raise UsageError(f"no groups are described for the tagset {words.tagset}, only for {known}: give `groups`")
    return read_cascade(words.tagset)


def groups_of(words: TaggedWords, cascade: GroupCascade) -> SyntacticObjects:
    """The syntactic objects of a text: the groups that a cascade makes, and the words outside of them.

    Punctuation outside of groups is no object. A word without a value agrees with every value: where a text has no
    features, what the order of words says is enough. A `UsageError` if the cascade is for another tagset.
    """
    return objects_of_units(words, cascade, last_units(words, cascade))


def last_units(words: TaggedWords, cascade: GroupCascade) -> GroupedUnits:
    """The units after all rules."""
    *_, last = units_after_rules(words, cascade)
    return last


def objects_of_units(words: TaggedWords, cascade: GroupCascade, units: GroupedUnits) -> SyntacticObjects:
    """GroupedUnits as syntactic objects: all but punctuation outside of groups."""
    is_object = (units.rules >= 0) | ~words.punctuation.take(units.start)
    names = (*cascade.kinds, WORD)
    kinds_of_rules = np.array([*(names.index(rule.makes) for rule in cascade.rules), len(names) - 1], dtype=np.int32)
    return SyntacticObjects(
        words,
        units.start[is_object],
        units.stop[is_object],
        units.syntactic[is_object],
        units.semantic[is_object],
        kinds_of_rules.take(units.rules[is_object]),  # -1, the last, is that of words
        names,
        offsets_of(is_object).take(units.offsets),
    )


def units_after_rules(words: TaggedWords, cascade: GroupCascade) -> Iterator[GroupedUnits]:
    """The units after each rule of a cascade in turn; a `UsageError` if the cascade is for another tagset."""
    if cascade.tagset != words.tagset:
        raise UsageError(f"the groups are described in tags of {cascade.tagset}, the text has those of {words.tagset}")
    numbers = {name: number for number, name in enumerate(cascade.classes)}
    of_words = _class_bits(words, [one for one in cascade.classes.values() if not one.kinds], numbers)
    of_groups = {kind: _class_bits(words, _classes_of_kind(cascade, kind), numbers) for kind in cascade.kinds}
    values = np.array([words.agreeing[one].ids for one in AGREEING], dtype=np.int32)
    every = np.arange(len(words))
    units = GroupedUnits(
        every, every + 1, every, every, np.full(len(words), -1, np.int32), of_words, words.sentence_offsets
    )
    for number, rule in enumerate(cascade.rules):
        units = _after_rule(units, values, of_groups[rule.makes], _compiled_rule(rule, numbers), number)
        yield units


def _after_rule(units: GroupedUnits, values: Ids, of_groups: Words64, rule: _CompiledRule, number: int) -> GroupedUnits:
    """The units after a rule; the kernel works in place, on copies of them."""
    from karat.systems.groups._compiled_groups import apply_rule

    start, stop, syntactic = units.start.copy(), units.stop.copy(), units.syntactic.copy()
    semantic, rules, classes = units.semantic.copy(), units.rules.copy(), units.classes.copy()
    offsets = units.offsets.astype(np.intp)  # a copy
    n = apply_rule(start, stop, syntactic, semantic, rules, classes, offsets, values, of_groups, *rule, number)
    return GroupedUnits(start[:n], stop[:n], syntactic[:n], semantic[:n], rules[:n], classes[:n], offsets)


def _classes_of_kind(cascade: GroupCascade, kind: str) -> list[UnitClass]:
    return [one for one in cascade.classes.values() if kind in one.kinds]


def _class_bits(words: TaggedWords, classes: list[UnitClass], numbers: dict[str, int]) -> Words64:
    """For every word a bit for each of the classes whose conditions it fulfils."""
    found = np.zeros(len(words), dtype=np.uint64)
    for one in classes:
        found |= _fulfilling(words, one).astype(np.uint64) << np.uint64(numbers[one.name])
    return found


def _fulfilling(words: TaggedWords, one: UnitClass) -> Flags:
    """Which words fulfil the conditions of a class."""
    found = np.ones(len(words), dtype=np.bool_)
    columns = {"pos": words.pos, "lemma": words.lemmas, "form": words.forms, CAPITAL: words.lemmas, **words.agreeing}
    for condition in one.conditions:
        column = columns[condition.of]
        names = [_compared(name, condition) for name in column.names]
        holds = np.array([*map(condition.holds, names), condition.holds(None)], dtype=np.bool_)
        found &= holds.take(column.ids)  # -1, the last, is of words without a value
    return found


def _compared(name: str, condition: WordCondition) -> str | None:
    """What of a value is compared with those of a condition."""
    if condition.of == CAPITAL:
        return CAPITAL if name[:1].isupper() else None
    return name.lower() if condition.of == "form" else name


def _compiled_rule(rule: GroupRule, numbers: dict[str, int]) -> _CompiledRule:
    """A rule as arrays, as the kernel has them."""

    def mask(classes: tuple[str, ...]) -> int:
        return sum(1 << numbers[name] for name in set(classes))

    agreeing = np.zeros((len(rule.agreements), len(rule.elements)), dtype=np.bool_)
    for number, one in enumerate(rule.agreements):
        agreeing[number, list(one.elements)] = True
    return (
        np.array([mask(one.classes) for one in rule.elements], dtype=np.uint64),
        np.array([one.least for one in rule.elements], dtype=np.intp),
        np.array([one.most for one in rule.elements], dtype=np.intp),
        np.array([AGREEING.index(one.category) for one in rule.agreements], dtype=np.int32),
        agreeing,
        np.array([rule.syntactic, rule.semantic], dtype=np.intp),
        np.array([mask(rule.not_after), mask(rule.not_before)], dtype=np.uint64),
    )
