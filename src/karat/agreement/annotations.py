"""What annotators say of the same items: distributions over the leaves of a tag set, and two of them side by side."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat._arrays import Array, Flags, Floats, Indices
from karat._ragged import Ragged, owners_of

ROUNDING = 1e-12  # less than this is none
Entries = tuple[Indices, Indices, Floats]  # items, leaves and masses


def summed(places: Indices, amounts: Array, n: int) -> Floats:
    """The sum of the amounts at each of n places."""
    return np.bincount(places, weights=amounts, minlength=n).astype(np.float64, copy=False)


@dataclass(frozen=True, slots=True, eq=False)
class Annotation:
    """What one annotator says: item i has mass on `leaves[offsets[i]:offsets[i + 1]]`, ascending, and sums to 1.

    An item without leaves is missing.
    """

    offsets: Indices
    leaves: Indices
    masses: Floats

    @property
    def has(self) -> Flags:
        """Which items are annotated."""
        return np.diff(self.offsets) > 0

    @property
    def items(self) -> Indices:
        """The item of every entry."""
        return owners_of(np.diff(self.offsets))

    @property
    def is_underspecified(self) -> bool:
        """Whether an item has more than one leaf."""
        return bool((np.diff(self.offsets) > 1).any())

    def entries(self, of_items: Flags) -> Entries:
        """Items, leaves and masses of some items."""
        items = self.items
        if of_items.all():
            return items, self.leaves, self.masses
        kept = of_items[items]
        return items[kept], self.leaves[kept], self.masses[kept]


def annotation_from_entries(
    items: Indices, leaves: Indices, masses: Floats, *, n_items: int, n_leaves: int
) -> Annotation:
    """The annotation of entries in any order; masses on the same leaf of the same item are added."""
    keys = items * n_leaves + leaves
    if len(keys) and not (np.diff(keys) > 0).all():
        keys, place = np.unique(keys, return_inverse=True)
        masses = summed(place.reshape(-1), masses, len(keys))
    offsets = np.searchsorted(keys, np.arange(n_items + 1) * n_leaves)
    return Annotation(offsets, keys % max(n_leaves, 1), masses)


def spread_over(annotation: Annotation, over: Ragged, *, n_leaves: int) -> Annotation:
    """The annotation with each leaf t spread over the values of row t by their weights, or each in full."""
    every = over.taken(annotation.leaves)
    entry = every.owners
    masses = annotation.masses[entry]
    return annotation_from_entries(
        annotation.items[entry],
        every.values,
        masses if every.weights is None else masses * every.weights,
        n_items=len(annotation.offsets) - 1,
        n_leaves=n_leaves,
    )


@dataclass(frozen=True, slots=True, eq=False)
class AnnotatedPair:
    """Two annotators on the items that both have: their entries, and which of these are on the same leaf.

    `only_one` and `only_other` are what each entry has beyond the other annotator's on its leaf. `agreement` is Σ p·q
    of every item, `distance` 1 − Σ min(p, q); both are 0 for items that not both have.
    """

    both: Flags
    one: Entries
    other: Entries
    in_one: Indices
    in_other: Indices
    only_one: Floats
    only_other: Floats
    agreement: Floats
    distance: Floats

    @property
    def shared(self) -> tuple[Indices, Floats, Floats]:
        """The leaves on which both have mass, and the masses."""
        return self.one[1][self.in_one], self.one[2][self.in_one], self.other[2][self.in_other]

    def residuals(self) -> list[Entries]:
        """What is left of both without what they have in common."""
        found = []
        for (items, leaves, _), rest in ((self.one, self.only_one), (self.other, self.only_other)):
            kept = rest > ROUNDING
            found.append((items[kept], leaves[kept], rest[kept]))
        return found


def annotated_pair(a: Annotation, b: Annotation, leaf_sizes: Floats | None = None) -> AnnotatedPair:
    """Two annotators side by side; a leaf may stand for several that share its mass, `leaf_sizes` of them."""
    both = a.has & b.has
    one, other = a.entries(both), b.entries(both)
    n_leaves = int(max(one[1].max(initial=0), other[1].max(initial=0))) + 1
    _, in_one, in_other = np.intersect1d(
        one[0] * n_leaves + one[1], other[0] * n_leaves + other[1], assume_unique=True, return_indices=True
    )
    first, second = one[2][in_one], other[2][in_other]
    products = first * second if leaf_sizes is None else first * second / leaf_sizes[one[1][in_one]]
    agreement = summed(one[0][in_one], products, len(both))
    mine, theirs = one[2].copy(), other[2].copy()  # ½ Σ|p − q| is 1 − Σ min(p, q), and exactly 0 where p is q
    mine[in_one], theirs[in_other] = np.maximum(first - second, 0), np.maximum(second - first, 0)
    distance = np.minimum((summed(one[0], mine, len(both)) + summed(other[0], theirs, len(both))) / 2, 1)
    return AnnotatedPair(both, one, other, in_one, in_other, mine, theirs, agreement, distance)
