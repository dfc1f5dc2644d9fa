"""Groups as the definition has them: every way in which a pattern could match is tried, unit by unit."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from karat.systems.groups.patterns import CAPITAL, GroupCascade, GroupRule, PatternElement
from karat.systems.groups.syntactic_objects import WORD
from karat.systems.groups.tagged_words import TaggedWords, Values

__all__ = ["Unit", "slow_objects"]


@dataclass(frozen=True)
class Unit:
    """A group, or a word or punctuation mark outside of groups: its words, its heads and its kind."""

    start: int
    stop: int
    syntactic: int
    semantic: int
    kind: str


def slow_objects(words: TaggedWords, cascade: GroupCascade) -> list[list[Unit]]:
    """The syntactic objects of each sentence."""
    bounds = words.sentence_offsets.tolist()
    return [_objects(words, cascade, start, stop) for start, stop in itertools.pairwise(bounds)]


def _objects(words: TaggedWords, cascade: GroupCascade, start: int, stop: int) -> list[Unit]:
    units = [Unit(word, word + 1, word, word, WORD) for word in range(start, stop)]
    for rule in cascade.rules:
        done: list[Unit] = []
        while units:
            size = 0
            if not done or not any(_is_of(words, cascade, done[-1], one) for one in rule.not_after):
                group, size = _longest(words, cascade, rule, units)
            done.append(group if size else units[0])
            units = units[max(size, 1) :]
        units = done
    return [one for one in units if one.kind != WORD or not words.punctuation[one.start]]


def _longest(words: TaggedWords, cascade: GroupCascade, rule: GroupRule, units: Sequence[Unit]) -> tuple[Unit, int]:
    """The longest group of two units or more that begins here, and how many units it takes; 0 if there is none."""
    ways = [way for way in _ways(words, cascade, rule.elements, units) if sum(way) >= 2]
    allowed = [way for way in ways if _agree(words, rule, units, way) and _may_end(words, cascade, rule, units, way)]
    if not allowed:
        return units[0], 0
    best = max(allowed, key=lambda way: (sum(way), way))
    size = sum(best)
    syntactic, semantic = (units[sum(best[:one])] for one in (rule.syntactic, rule.semantic))
    return Unit(units[0].start, units[size - 1].stop, syntactic.syntactic, semantic.semantic, rule.makes), size


def _ways(
    words: TaggedWords, cascade: GroupCascade, elements: Sequence[PatternElement], units: Sequence[Unit]
) -> Iterator[tuple[int, ...]]:
    """How many units each element may take, in every way."""
    if not elements:
        yield ()
        return
    first = elements[0]
    for n in range(len(units) + 1):
        if n and not any(_is_of(words, cascade, units[n - 1], one) for one in first.classes):
            return
        if first.least <= n <= first.most:
            yield from ((n, *rest) for rest in _ways(words, cascade, elements[1:], units[n:]))


def _is_of(words: TaggedWords, cascade: GroupCascade, unit: Unit, name: str) -> bool:
    one = cascade.classes[name]
    if (unit.kind not in one.kinds) if one.kinds else unit.kind != WORD:
        return False
    for condition in one.conditions:
        if condition.of == CAPITAL:
            lemma = _value(words.lemmas, unit.syntactic) or ""
            holds = lemma[:1].isupper()
        else:
            columns = {"pos": words.pos, "lemma": words.lemmas, "form": words.forms, **words.agreeing}
            value = _value(columns[condition.of], unit.syntactic)
            holds = (value.lower() if value and condition.of == "form" else value) in condition.values
        if holds == condition.excluded:
            return False
    return True


def _value(values: Values, word: int) -> str | None:
    number = int(values.ids[word])
    return None if number < 0 else values.names[number]


def _agree(words: TaggedWords, rule: GroupRule, units: Sequence[Unit], way: Sequence[int]) -> bool:
    for agreement in rule.agreements:
        members = [
            unit for element in agreement.elements for unit in units[sum(way[:element]) : sum(way[: element + 1])]
        ]
        found = {_value(words.agreeing[agreement.category], one.syntactic) for one in members} - {None}
        if len(found) > 1:
            return False
    return True


def _may_end(
    words: TaggedWords, cascade: GroupCascade, rule: GroupRule, units: Sequence[Unit], way: Sequence[int]
) -> bool:
    end = sum(way)
    return end == len(units) or not any(_is_of(words, cascade, units[end], one) for one in rule.not_before)
