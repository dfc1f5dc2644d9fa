"""Scores of tags straight from the formulas of Acedański & Przepiórkowski 2010, in fractions, one pair at a time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction

from karat.tagsets import Tag, Tagset

Score = Callable[[Tag, Tag], Fraction]  # of a system's tag for a gold tag
Weight = Callable[[str, str], Fraction]  # of a category with a part of speech


def share(mine: Collection[str], other: Collection[str]) -> Fraction:
    return Fraction(len(set(mine) & set(other)), len(set(mine)))


def side(tag: Tag, other: Tag, tagset: Tagset, weight: Weight, *, declared: bool, ignored: Collection[str]) -> Fraction:
    """The weighted share of a tag's positions that the other tag has too."""

    def categories(one: Tag) -> set[str]:
        slots = {slot.category for slot in tagset.slots.get(one.pos, ()) if slot.category}
        return (set(one.values) | (slots if declared else set())) - set(ignored)

    above = below = Fraction(0)
    if "pos" not in ignored:
        below += weight("pos", tag.pos)
        above += weight("pos", tag.pos) * (tag.pos == other.pos)
    for category in categories(tag):
        below += weight(category, tag.pos)
        if category not in categories(other):
            continue
        mine, theirs = tag.values.get(category), other.values.get(category)
        if mine and theirs:
            above += weight(category, tag.pos) * share(mine, theirs)
        elif not mine and not theirs:
            above += weight(category, tag.pos)
    return above / below if below else Fraction(1)  # nothing can be wrong


def positional(
    tagset: Tagset,
    weights: Mapping[str, float] | None = None,
    conditional: Mapping[str, Mapping[str, float]] | None = None,
    *,
    missing: float = 1.0,
    declared: bool = False,
    ignored: Collection[str] = (),
) -> Score:
    """PA without weights, WPA with weights, CWPA with conditional ones."""

    def weight(category: str, pos: str) -> Fraction:
        if conditional is not None:
            return Fraction(conditional.get(pos, {}).get(category, missing))
        return Fraction(1) if weights is None else Fraction(weights.get(category, missing))

    def score(system: Tag, gold: Tag) -> Fraction:
        precision = side(system, gold, tagset, weight, declared=declared, ignored=ignored)
        recall = side(gold, system, tagset, weight, declared=declared, ignored=ignored)
        return 2 * precision * recall / (precision + recall) if precision + recall else Fraction(0)

    return score


def exact(ignored: Collection[str] = ()) -> Score:
    def whole(tag: Tag) -> tuple[object, ...]:
        values = {name: sorted(of) for name, of in tag.values.items() if name not in ignored}
        return None if "pos" in ignored else tag.pos, sorted(values.items())

    return lambda system, gold: Fraction(whole(system) == whole(gold))


def pos_only(tagset: Tagset) -> Score:
    return lambda system, gold: Fraction(tagset.coarse(system.pos) == tagset.coarse(gold.pos))


def scored(words: Sequence[tuple[Sequence[Tag], Sequence[Tag]]], score: Score) -> dict[str, Fraction]:
    """P, R, F, WC and SC of words, each with its gold tags and its system tags [§3.1]."""

    def best_for_system(tag: Tag, golds: Sequence[Tag]) -> Fraction:
        return max((score(tag, gold) for gold in golds), default=Fraction(0))

    def best_for_gold(tag: Tag, systems: Sequence[Tag]) -> Fraction:
        return max((score(system, tag) for system in systems), default=Fraction(0))

    n_system, n_gold = sum(len(system) for _, system in words), sum(len(gold) for gold, _ in words)
    of_system = sum((best_for_system(tag, gold) for gold, system in words for tag in system), Fraction(0))
    of_gold = sum((best_for_gold(tag, system) for gold, system in words for tag in gold), Fraction(0))
    precision = of_system / n_system if n_system else Fraction(0)
    recall = of_gold / n_gold if n_gold else Fraction(0)
    weak = strong = Fraction(0)
    for gold, system in words:
        every = [best_for_system(tag, gold) for tag in system]
        weak += max(every, default=Fraction(0))
        every += [best_for_gold(tag, system) for tag in gold]
        strong += min(every) if gold and system else Fraction(0)
    return {
        "precision": precision,
        "recall": recall,
        "f1": 2 * precision * recall / (precision + recall) if precision + recall else Fraction(0),
        "weak_correctness": weak / len(words),
        "strong_correctness": strong / len(words),
    }
