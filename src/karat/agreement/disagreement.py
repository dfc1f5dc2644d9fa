"""What annotators disagree about: the tags they do not share, and the tags they confuse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from karat._arrays import Floats, Indices
from karat._ragged import offsets_of, owners_of, places_of_rows
from karat.agreement.annotations import Annotation, annotated_pair, summed

__all__ = ["TagAgreement", "TagConfusions", "tag_agreement", "tag_confusions"]


@dataclass(frozen=True, slots=True, eq=False)
class TagAgreement:
    """Of every tag the positive specific agreement on it; NaN where no pair of annotations has it.

    `agreement` is 2·Σ p·q / Σ (p + q) over the pairs of annotations of an item, `overlap` 2·Σ min(p, q) / Σ (p + q),
    which is 1 for equal distributions; for single tags they are the same.
    """

    agreement: Floats
    overlap: Floats


def tag_agreement(annotations: Sequence[Annotation], n_tags: int) -> TagAgreement:
    """How far annotators agree on each tag; an annotation's masses are on tags, of which one may include others."""
    products, minima, masses = (np.zeros(n_tags) for _ in range(3))
    for a, b in combinations(annotations, 2):
        pair = annotated_pair(a, b)
        leaves, first, second = pair.shared
        products += summed(leaves, first * second, n_tags)
        minima += summed(leaves, np.minimum(first, second), n_tags)
        for _, own, amounts in (pair.one, pair.other):
            masses += summed(own, amounts, n_tags)
    with np.errstate(invalid="ignore", divide="ignore"):
        return TagAgreement(2 * products / masses, 2 * minima / masses)


@dataclass(frozen=True, slots=True, eq=False)
class TagConfusions:
    """How often one annotator has tag `a` where another has tag `b`, a < b, commonest first.

    `first_has_a` is how much of `counts` is from pairs in which the annotator who comes first has a.
    """

    a: Indices
    b: Indices
    counts: Floats
    first_has_a: Floats


def tag_confusions(annotations: Sequence[Annotation], n_tags: int) -> TagConfusions:
    """The pairs of tags that annotators confuse, by expected count over the pairs of annotations of an item.

    What two annotations have in common is set aside; what is left of one goes with what is left of the other, each part
    by its share. So equal annotations confuse nothing, and an item adds up to its distance.
    """
    keys, amounts, is_forward = [], [], []
    for one, other in combinations(annotations, 2):
        (items, mine, own), (their_items, theirs, their_own) = annotated_pair(one, other).residuals()
        sizes = np.bincount(their_items, minlength=len(one.offsets))
        right, n_theirs = places_of_rows(offsets_of(sizes), items)
        left = owners_of(n_theirs)
        totals = summed(their_items, their_own, len(one.offsets))
        low, high = np.minimum(mine[left], theirs[right]), np.maximum(mine[left], theirs[right])
        keys.append(low * n_tags + high)
        amounts.append(own[left] * their_own[right] / totals[items[left]])
        is_forward.append(mine[left] < theirs[right])
    every, amount = np.concatenate(keys), np.concatenate(amounts)
    found, place = np.unique(every, return_inverse=True)
    place = place.reshape(-1)
    counts = summed(place, amount, len(found))
    forward = summed(place, amount * np.concatenate(is_forward), len(found))
    order = np.lexsort((found, -np.round(counts, 9)))
    return TagConfusions(found[order] // max(n_tags, 1), found[order] % max(n_tags, 1), counts[order], forward[order])
