"""Contingency tables of pairs of objects: how often values were observed together, each alone, and all of them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from karat._arrays import Floats, Indices
from karat._ragged import Ragged, offsets_of, owners_of, stretches
from karat.systems.attachment.association import ASSOCIATION_MEASURES, association

_MOST_TABLES = 1 << 18  # at a time


@dataclass(frozen=True, slots=True, eq=False)
class Contingency:
    """2 × 2 tables: of both values, of the left one, of the right one, and of all observations.

    With `offsets`, pair i has the tables of row i: one for each hypernym.
    """

    observed: Indices
    left_totals: Indices
    right_totals: Indices
    totals: Indices
    offsets: Indices | None = None

    def without(self, own: Contingency) -> Contingency:
        """The tables without the observations of others."""
        return Contingency(
            self.observed - own.observed,
            self.left_totals - own.left_totals,
            self.right_totals - own.right_totals,
            self.totals - own.totals,
            self.offsets,
        )

    def measures(self) -> Floats:
        """The association measures of each pair: the largest over its tables, 0 where it has none."""
        if self.offsets is None:
            return association(self.observed, self.left_totals, self.right_totals, self.totals)
        largest = np.zeros((len(self.offsets) - 1, len(ASSOCIATION_MEASURES)))
        has_some = np.flatnonzero(np.diff(self.offsets))
        starts = self.offsets[:-1].take(has_some)
        steps = np.searchsorted(starts, np.arange(0, len(self.observed) + _MOST_TABLES, _MOST_TABLES))
        for first, stop in pairwise(np.unique(steps).tolist()):
            tables = slice(int(starts[first]), int(np.append(starts, len(self.observed))[stop]))
            counts = (self.observed, self.left_totals, self.right_totals, self.totals)
            found = association(*(one[tables] for one in counts))
            largest[has_some[first:stop]] = np.maximum.reduceat(found, starts[first:stop] - tables.start, axis=0)
        return largest


@dataclass(frozen=True, slots=True, eq=False)
class AskedPairs:
    """The ordered pairs of different objects of some sentences, one behind the other in a text.

    `left` and `right` are objects of the text, sorted; the first sentence is number `first_sentence`, its first object
    `first_object`. `offsets` are those of the sentences' objects, from 0 on. `copies` has for each sentence those
    sentences of the counted text whose observations are to be left out.
    """

    first_sentence: int
    first_object: int
    offsets: Indices
    left: Indices
    right: Indices
    copies: Ragged

    def __len__(self) -> int:
        return len(self.left)

    @property
    def objects(self) -> slice:
        """The objects of the sentences."""
        return slice(self.first_object, self.first_object + int(self.offsets[-1]))

    @property
    def sentences(self) -> Indices:
        """The sentence of each pair, from 0 on."""
        sizes = np.diff(self.offsets)
        return owners_of(sizes * (sizes - 1))

    @property
    def offsets_of_left(self) -> Indices:
        """Where the pairs of each left object begin."""
        sizes = np.diff(self.offsets)
        return offsets_of(np.repeat(sizes - 1, sizes))


def asked_pairs(offsets: Indices, first: int, stop: int, copies: Ragged) -> AskedPairs:
    """The pairs of the sentences from the first one up to another, of a text whose sentences' objects are at `offsets`.

    `copies` has a row for each sentence of the text.
    """
    sizes = np.diff(offsets[first : stop + 1])
    left, right = ordered_pairs(offsets[first:stop], sizes)
    own = offsets[first : stop + 1] - offsets[first]
    return AskedPairs(first, int(offsets[first]), own, left, right, copies.taken(np.arange(first, stop)))


def ordered_pairs(starts: Indices, sizes: Indices) -> tuple[Indices, Indices]:
    """All ordered pairs of different numbers of each stretch."""
    n_others = np.repeat(np.maximum(sizes - 1, 0), sizes)
    left = np.repeat(stretches(starts, sizes), n_others)
    right = stretches(np.repeat(starts, sizes), n_others)
    right += right >= left
    return left, right
