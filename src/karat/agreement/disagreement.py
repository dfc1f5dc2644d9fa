"""What annotators disagree about: the tags they do not share, the tags they confuse, and the hardest items."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np

from karat._arrays import Floats
from karat._ragged import offsets_of, owners_of, places_of_rows
from karat.agreement.annotated_leaves import Leaves
from karat.agreement.annotations import Annotation, annotated_pair, spread_over, summed
from karat.agreement.annotators import AnnotatedItems, ItemPlace


@dataclass(frozen=True, slots=True)
class TagUse:
    """How often annotators wrote a tag (the sum of its shares), and how far they agree that an item is of it.

    `agreement` is the positive specific agreement, 2·Σ p·q / Σ (p + q) over the pairs of annotations of an item,
    `overlap` 2·Σ min(p, q) / Σ (p + q), which is 1 for equal distributions; for single tags they are the same. An
    annotation is of a tag with all the mass that it has at or below it; None where no item with two annotations is.
    """

    tag: str
    used: float
    agreement: float | None
    overlap: float | None


def tag_uses(
    tags: Sequence[str], written: Sequence[Annotation], spread: Sequence[Annotation], leaves: Leaves
) -> tuple[TagUse, ...]:
    """All tags that were written, the most frequent first; `spread` are the annotations over the leaves of tags."""
    n = len(tags)
    used, products, minima, masses = (np.zeros(n) for _ in range(4))
    for one in written:
        used += summed(one.leaves, one.masses, n)
    for a, b in combinations([spread_over(one, leaves.tags_of, n_leaves=n) for one in spread], 2):
        pair = annotated_pair(a, b)
        shared, first, second = pair.shared
        products += summed(shared, first * second, n)
        minima += summed(shared, np.minimum(first, second), n)
        for _, own, amounts in (pair.one, pair.other):
            masses += summed(own, amounts, n)
    with np.errstate(invalid="ignore", divide="ignore"):
        agreement, overlap = (
            [None if math.isnan(one) else one for one in (2 * amounts / masses).tolist()]
            for amounts in (products, minima)
        )
    order = [place for place in np.argsort(-used, kind="stable").tolist() if used[place] > 0]
    return tuple(TagUse(tags[place], float(used[place]), agreement[place], overlap[place]) for place in order)


@dataclass(frozen=True, slots=True)
class ConfusedTags:
    """How often one annotator has tag a where another has tag b, and how far the tags are from each other.

    `first_has_a` is how often it is the first of two annotators who has a; None where there are more.
    """

    a: str
    b: str
    count: float
    first_has_a: float | None
    distance: float


def confused_tags(
    tags: Sequence[str], written: Sequence[Annotation], leaves: Leaves, n_top: int
) -> tuple[ConfusedTags, ...]:
    """The pairs of tags that annotators confuse most, by expected count over the pairs of annotations of an item.

    What two annotations have in common is set aside; what is left of one goes with what is left of the other, each part
    by its share. So equal annotations confuse nothing, and an item adds up to its distance.
    """
    keys, amounts, is_forward = [], [], []
    for one, other in combinations(written, 2):
        (items, mine, own), (their_items, theirs, their_own) = annotated_pair(one, other).residuals()
        sizes = np.bincount(their_items, minlength=len(one.offsets))
        right, n_theirs = places_of_rows(offsets_of(sizes), items)
        left = owners_of(n_theirs)
        totals = summed(their_items, their_own, len(one.offsets))
        low, high = np.minimum(mine[left], theirs[right]), np.maximum(mine[left], theirs[right])
        keys.append(low * len(tags) + high)
        amounts.append(own[left] * their_own[right] / totals[items[left]])
        is_forward.append(mine[left] < theirs[right])
    amount = np.concatenate(amounts)
    pairs, place = np.unique(np.concatenate(keys), return_inverse=True)
    place = place.reshape(-1)
    counts = summed(place, amount, len(pairs))
    forward = summed(place, amount * np.concatenate(is_forward), len(pairs))
    found = []
    for pair in np.lexsort((pairs, -np.round(counts, 9)))[:n_top].tolist():
        a, b = divmod(int(pairs[pair]), len(tags))
        of_a, of_b = leaves.spread.weighted_row(a), leaves.spread.weighted_row(b)
        common = sum(min(mass, of_b.get(leaf, 0.0)) for leaf, mass in of_a.items())
        first = float(forward[pair]) if len(written) == 2 else None
        found.append(ConfusedTags(tags[a], tags[b], float(counts[pair]), first, max(0.0, 1 - common)))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class HardItem:
    """An item on which annotators are far apart: the mean distance of their pairs, and what each says.

    `answers` has, for each annotator in order, tags and their shares; nothing where the annotation is missing.
    """

    place: ItemPlace
    distance: float
    answers: tuple[tuple[tuple[str, float], ...], ...]

    def to_dict(self, names: Sequence[str]) -> dict[str, Any]:
        """The item as plain data, given the annotators' names."""
        answers = {
            name: [{"tag": tag, "share": share} for tag, share in tags]
            for name, tags in zip(names, self.answers, strict=True)
        }
        place = asdict(self.place) | {"words": list(self.place.words)}
        return {"distance": self.distance, **place, "answers": answers}


def hardest_items(
    found: AnnotatedItems, tags: Sequence[str], written: Sequence[Annotation], distance: Floats, n_top: int
) -> tuple[HardItem, ...]:
    """The items whose annotations are farthest apart, and the first of those that are equally so."""
    order = np.argsort(-np.round(distance, 9), kind="stable")[:n_top]
    hardest = []
    for item in order[distance[order] > 0].tolist():
        answers = []
        for one in written:
            stretch = slice(one.offsets[item], one.offsets[item + 1])
            shares = zip(one.leaves[stretch].tolist(), one.masses[stretch].tolist(), strict=True)
            answers.append(tuple((tags[tag], share) for tag, share in shares))
        hardest.append(HardItem(found.place_of_item(item), float(distance[item]), tuple(answers)))
    return tuple(hardest)
