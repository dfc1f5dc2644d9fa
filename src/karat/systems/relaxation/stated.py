"""Constraints that people state, beside those that are learnt.

One with the head and the conditions of a learnt constraint takes its place. What kernels add to the support of a word
is then the difference of the two strengths.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from karat._ragged import offsets_of
from karat.systems.relaxation.constraints import EDGE, Constraint, ContextCondition
from karat.systems.relaxation.ngrams import Ngrams
from karat.systems.relaxation.trees import AcquiredTrees
from karat.systems.relaxation.word_classes import Class, NamedWords

if TYPE_CHECKING:
    from karat.systems.relaxation import _compiled_relaxation as compiled

_KINDS = {"tag": 0, "form": 1, "class": 2, "shape": 2}


@dataclass(frozen=True, slots=True, eq=False)
class LearntConstraints:
    """All constraints that were learnt, and what their numbers stand for."""

    labels: tuple[str, ...]
    ngrams: Ngrams
    trees: AcquiredTrees
    vocabulary: NamedWords

    def constraints(self) -> Iterable[Constraint]:
        """All of them, those of n-grams first."""
        yield from self.ngrams.constraints(self.labels)
        yield from self.trees.constraints(list(self.vocabulary.classes), self.labels, list(self.vocabulary.forms))

    def strengths(self, of: Sequence[Constraint]) -> list[float | None]:
        """What was learnt of the same heads under the same conditions; None where nothing was."""
        number = {label: place for place, label in enumerate((*self.labels, EDGE))}
        acquired = {}
        if any(condition.position == 0 for one in of for condition in one.conditions):
            classes, forms = list(self.vocabulary.classes), list(self.vocabulary.forms)
            acquired = {one.key: one.strength for one in self.trees.constraints(classes, self.labels, forms)}
        found = []
        for one in of:
            strength = acquired.get(one.key)
            is_plain = all(
                each.kind == "tag" and len(each.values) == 1 and not each.is_negated for each in one.conditions
            )
            if is_plain:
                others = sorted((each.position, number[each.values[0]]) for each in one.conditions)
                strength = self.ngrams.strength(number[one.head], others)
            found.append(strength)
        return found


def changed(stated: Sequence[Constraint], learnt: LearntConstraints) -> list[Constraint]:
    """Of stated constraints those that say something else than what was learnt, to the digits that are written.

    Of two with the same head and conditions the later one counts. They are in the order of their heads, as kernels have
    them.
    """
    last = {one.key: one for one in stated}
    number = {label: place for place, label in enumerate(learnt.labels)}
    several = sorted(last.values(), key=lambda one: number[one.head])
    return [
        replace(one, kind="H")
        for one, strength in zip(several, learnt.strengths(several), strict=True)
        if strength is None or f"{strength:.3f}" != f"{one.strength:.3f}"
    ]


def with_names(vocabulary: NamedWords, stated: Iterable[Constraint], labels: Sequence[str]) -> NamedWords:
    """The vocabulary with the classes and forms that stated constraints name, behind those that it has."""
    number = {label: place for place, label in enumerate(labels)}
    classes, forms = dict(vocabulary.classes), dict(vocabulary.forms)
    for one in stated:
        for condition in one.conditions:
            if condition.kind in ("class", "shape"):
                classes.setdefault(_class_of(condition, number), len(classes))
            for form in condition.values if condition.kind == "form" else ():
                forms.setdefault(form, len(forms))
    return NamedWords(classes, forms)


def _class_of(condition: ContextCondition, number: Mapping[str, int]) -> Class:
    return condition.values[0] if condition.kind == "shape" else tuple(sorted(number[one] for one in condition.values))


def for_kernels(stated: Sequence[Constraint], learnt: LearntConstraints) -> compiled.Stated:
    """Stated constraints as kernels have them, sorted by head; strengths are what they add to what was learnt."""
    number = {label: place for place, label in enumerate((*learnt.labels, EDGE))}
    order = sorted(range(len(stated)), key=lambda k: number[stated[k].head])
    several = [stated[k] for k in order]
    strengths = [one.strength - (before or 0.0) for one, before in zip(several, learnt.strengths(several), strict=True)]
    heads = np.bincount(np.array([number[one.head] for one in several], dtype=np.intp), minlength=len(learnt.labels))
    conditions = [condition for one in several for condition in one.conditions]
    values = [
        [learnt.vocabulary.classes[_class_of(one, number)]] if one.kind in ("class", "shape")
        else [(number if one.kind == "tag" else learnt.vocabulary.forms)[value] for value in dict.fromkeys(one.values)]
        for one in conditions
    ]  # fmt: skip
    return (
        offsets_of(heads).astype(np.int64),
        np.array(strengths, dtype=np.float64),
        offsets_of([len(one.conditions) for one in several]).astype(np.int64),
        np.array([one.position for one in conditions], dtype=np.int32),
        np.array([_KINDS[one.kind] for one in conditions], dtype=np.int32),
        np.array([one.is_negated for one in conditions], dtype=np.int32),
        offsets_of([*map(len, values)]).astype(np.int64),
        np.array([value for one in values for value in one], dtype=np.int32),
    )
