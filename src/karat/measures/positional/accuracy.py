"""How much of a tag is right: scores of a pair of tags [Acedański & Przepiórkowski 2010, §2].

Tags are taken apart into a part of speech and the values of categories. The *positional accuracy* of a tag for another
is the F-measure of their positions, the part of speech being one of them: precision over the positions that the
system's tag has, recall over the gold's; positions match by category. With weights, positions count by them (WPA);
with weights that depend on the part of speech, precision takes those of the system's part of speech and recall those
of the gold's (CWPA). A category with several values on a side counts by the share of that side's values that the other
has too. A tag that could not be taken apart is right if the other is the same text, and wrong otherwise.

All pairs of distinct tags are scored at once, as tables; tokens then only look them up.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from karat._arrays import Flags, Floats
from karat._numbering import numbered_values
from karat.errors import UsageError
from karat.measures.positional.options import Slots
from karat.tagsets import Tag, Tagset
from karat.tagsets._tagset import POS
from karat.weights import Weights

TAG_SCORES = ("exact", "pos", "PA", "WPA", "CWPA")


@dataclass(frozen=True, slots=True, eq=False)
class TagScoring:
    """How tags are scored: the tagset, which slots count, which categories do not, and the weights.

    `slots` that are `declared` count even where a tag leaves them empty; two empty ones agree. A category without a
    weight has the `missing_weight`.
    """

    tagset: Tagset
    weights: Weights | None = None
    slots: Slots = "present"
    ignored: frozenset[str] = frozenset()
    missing_weight: float = 1.0

    def __post_init__(self) -> None:
        known = {name.lower(): name for name in (POS, *self.tagset.categories)}
        unknown = sorted(name for name in self.ignored if name.lower() not in known) if not self.tagset.open else []
        if unknown:
            names = ", ".join(sorted(known.values()))
            raise UsageError(f"no category {unknown[0]!r} in {self.tagset.name}; choose from {names}")
        object.__setattr__(self, "ignored", frozenset(known.get(name.lower(), name) for name in self.ignored))
        if not (np.isfinite(self.missing_weight) and self.missing_weight >= 0):
            raise UsageError(f"a missing weight of {self.missing_weight:g}: it must not be negative")

    def weightless(self, tags: Sequence[Tag | None], score: str) -> tuple[str, ...]:
        """The categories of these tags that a score weighs and for which there is no weight."""
        weight = self.weigher(score)
        if weight is None:
            return ()
        found: dict[str, None] = {}
        for tag in tags:
            for category in (POS, *tag.values) if tag is not None else ():
                if category not in self.ignored and weight(category, tag.pos if tag else "") is None:
                    found[category if score == "WPA" else f"{category}|{tag.pos if tag else ''}"] = None
        return tuple(found)

    def weigher(self, score: str) -> Callable[[str, str], float | None] | None:
        """The weight of a category with a part of speech; None for scores without weights."""
        weights = self.weights
        if score == "WPA":
            if weights is None or not weights.absolute:
                raise UsageError("WPA needs weights that do not depend on the part of speech: give them as `weights`")
            absolute = _lowered(weights.absolute)
            return lambda category, _: absolute.get(category.lower())
        if score == "CWPA":
            if weights is None or not weights.conditional:
                raise UsageError("CWPA needs weights conditional on the part of speech: give their file as `weights`")
            conditional = {pos: _lowered(table) for pos, table in weights.conditional.items()}
            return lambda category, pos: conditional.get(pos, {}).get(category.lower())
        return None


@dataclass(frozen=True, slots=True, eq=False)
class ScoreTable:
    """Precision, recall and their F-measure of every system tag for every gold tag [gold tags × system tags]."""

    precision: Floats
    recall: Floats
    score: Floats


def score_table(
    gold: Sequence[Tag | None], system: Sequence[Tag | None], same: Flags, how: TagScoring, score: str
) -> ScoreTable:
    """The scores of all pairs of distinct tags; `same` says which have the same text: all that is known of bad ones."""
    if score not in TAG_SCORES:
        raise UsageError(f"unknown score {score!r} of tags; choose from {', '.join(TAG_SCORES)}")
    if not len(gold) or not len(system):
        nothing = np.zeros((len(gold), len(system)))
        return ScoreTable(nothing, nothing, nothing)
    ours, theirs = _Cut(gold, how), _Cut(system, how)
    good = ours.good[:, None] & theirs.good[None, :]
    if score == "pos":
        equal = _equal([how.tagset.coarse(pos) for pos in ours.pos], [how.tagset.coarse(pos) for pos in theirs.pos])
        right = np.where(good, equal, same).astype(np.float64)
        return ScoreTable(right, right, right)
    if score == "exact":
        right = np.where(good, _equal(ours.whole, theirs.whole), same).astype(np.float64)
        return ScoreTable(right, right, right)
    weigh = how.weigher(score)
    recall = _weighted(ours, theirs, how, weigh)
    precision = _weighted(theirs, ours, how, weigh).T
    precision, recall = np.where(good, precision, same), np.where(good, recall, same)
    total = precision + recall
    return ScoreTable(
        precision, recall, np.divide(2 * precision * recall, total, out=np.zeros_like(total), where=total > 0)
    )


def _lowered(weights: Mapping[str, float]) -> dict[str, float]:
    """The weights by names in lower case: tagsets write Case and case."""
    return {name.lower(): weight for name, weight in weights.items()}


class _Cut:
    """Distinct tags as columns: their parts of speech, and the values of the categories that count."""

    def __init__(self, tags: Sequence[Tag | None], how: TagScoring) -> None:
        self.good = np.array([tag is not None for tag in tags], dtype=np.bool_)
        self.pos = ["" if tag is None else tag.pos for tag in tags]
        self.values = [
            {} if tag is None else {name: of for name, of in tag.values.items() if name not in how.ignored}
            for tag in tags
        ]
        self.whole = [
            (None if POS in how.ignored else pos, tuple(sorted(values.items())))
            for pos, values in zip(self.pos, self.values, strict=True)
        ]

    def members(self, codes: Mapping[tuple[str, str], int]) -> Floats:
        """Which values each tag has [tags × values of all categories]."""
        found = np.zeros((len(self.pos), len(codes)))
        for number, values in enumerate(self.values):
            for category, several in values.items():
                for value in several:
                    found[number, codes[category, value]] = 1
        return found

    def by_pos(self, made: Callable[[str], Sequence[float]]) -> Floats:
        """A row of numbers for each tag, made from its part of speech."""
        rows = {pos: made(pos) for pos in set(self.pos)}
        return np.array([rows[pos] for pos in self.pos], dtype=np.float64)


def _weighted(ours: _Cut, theirs: _Cut, how: TagScoring, weigh: Callable[[str, str], float | None] | None) -> Floats:
    """The weighted share of our positions that agree with theirs [ours × theirs]: recall, or precision turned round.

    All values of all categories are columns. A value of ours weighs its category's weight over the number of values
    that we have there, so that what agrees is one product of matrices.
    """
    codes: dict[tuple[str, str], int] = {}
    for values in (*ours.values, *theirs.values):
        for category, several in values.items():
            for value in several:
                codes.setdefault((category, value), len(codes))
    names = dict.fromkeys(category for category, _ in codes)
    if how.slots == "declared":
        names |= dict.fromkeys(slot for pos in set(ours.pos) for slot in declared_slots(pos, how))
    numbers = {category: number for number, category in enumerate(names)}

    def weight(category: str, pos: str) -> float:
        found = 1.0 if weigh is None else weigh(category, pos)
        return how.missing_weight if found is None else found

    weights = ours.by_pos(lambda pos: [weight(category, pos) for category in names]).reshape(len(ours.pos), len(names))
    mine, other = ours.members(codes), theirs.members(codes)
    of_column = np.array([numbers[category] for category, _ in codes], dtype=np.intp)
    is_of = np.equal.outer(of_column, np.arange(len(names))).astype(np.float64)  # columns × categories
    n_mine = mine @ is_of
    above = (mine * (weights / np.maximum(n_mine, 1)).take(of_column, axis=1)) @ other.T
    below = (weights * (n_mine > 0)).sum(axis=1)
    if how.slots == "declared":
        our_empty, their_empty = (
            side.by_pos(lambda pos: [float(category in declared_slots(pos, how)) for category in names]) * (n == 0)
            for side, n in ((ours, n_mine), (theirs, other @ is_of))
        )
        above += (weights * our_empty) @ their_empty.T
        below += (weights * our_empty).sum(axis=1)
    if POS not in how.ignored:
        of_pos = ours.by_pos(lambda pos: [weight(POS, pos)])[:, 0]
        above += of_pos[:, None] * _equal(ours.pos, theirs.pos)
        below += of_pos
    share: Floats = np.divide(above, below[:, None], out=np.ones_like(above), where=below[:, None] > 0)
    return share  # all is right where nothing counts


def declared_slots(pos: str, how: TagScoring) -> Collection[str]:
    """The categories for which a part of speech has a slot, and which count."""
    slots = how.tagset.slots.get(pos, ())
    return {slot.category: None for slot in slots if slot.category and slot.category not in how.ignored}


def _equal(ours: Collection[object], theirs: Collection[object]) -> Flags:
    codes: dict[object, int] = {}
    left, right = (numbered_values(side, codes) for side in (ours, theirs))
    equal: Flags = left[:, None] == right[None, :]
    return equal
