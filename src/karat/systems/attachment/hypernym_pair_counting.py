"""Counts of pairs of hypernyms, one of each object: the least general ones that co-occur often enough.

A pair (h₁, h₂) of hypernyms of two objects is among the least general if no other pair that co-occurs often enough has
g₁ at or below h₁ and g₂ at or below h₂.
"""

from __future__ import annotations

import numpy as np

from karat._arrays import Ids, Indices
from karat._ragged import Ragged, offsets_of, places_of_rows
from karat.systems.attachment._compiled_counting import frequent_keys
from karat.systems.attachment._compiled_hypernym_pairs import least_general_pairs, places_of_parents
from karat.systems.attachment.contingency import AskedPairs, Contingency
from karat.systems.attachment.feature_values import FeatureValues
from karat.systems.attachment.product_counting import CountedText, summed


class HypernymPairCounts:
    """The pairs of synsets that co-occur more than `most` times, of those that are asked about."""

    def __init__(
        self, units: FeatureValues, hypernyms: Ragged, parents: Ragged, text: CountedText, *, most: float
    ) -> None:
        self._units, self._text, self._most = units, text, most
        self._rows = (hypernyms.offsets, hypernyms.values.astype(np.int32))
        n = len(parents)
        sizes = hypernyms.sizes
        self._sizes = sizes.astype(np.int32)
        in_sentence = np.append(0, np.cumsum(sizes.take(units.counted)))
        around = in_sentence.take(text.stop) - in_sentence.take(text.first) - sizes.take(units.counted)
        of_units = summed(units.counted, around, units.n)
        totals = summed(self._rows[1], np.repeat(of_units, sizes), n)
        self._totals = np.append(totals, int((of_units * sizes).sum()))
        self._frequent = self._frequent_pairs(n)
        is_frequent = np.diff(self._frequent[0]) > 0
        is_frequent[self._frequent[1]] = True
        kept = is_frequent.take(self._rows[1])  # with a synset also what is above it: so rows stay whole
        self._rows = (offsets_of(kept).take(hypernyms.offsets), self._rows[1][kept])
        self._above = places_of_parents(self._rows, (parents.offsets, parents.values.astype(np.int32)))

    def _frequent_pairs(self, n: int) -> tuple[Indices, Ids, Indices]:
        """By the smaller synset: offsets, larger synsets, and how often both co-occur."""
        offsets, values = self._rows
        asked = values.take(places_of_rows(offsets, np.unique(self._units.asked))[0])
        is_wanted = np.zeros(n, dtype=np.bool_)
        is_wanted[asked] = True
        is_wanted &= self._totals[:-1] > self._most
        wanted = np.flatnonzero(is_wanted)
        places, sizes = places_of_rows(offsets, self._units.counted)
        synsets, objects = values.take(places), np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
        kept = is_wanted.take(synsets)
        synsets, objects = synsets[kept], objects[kept]
        members = objects.take(np.argsort(synsets, kind="stable"))
        of_wanted = offsets_of(np.bincount(synsets, minlength=n).take(wanted))
        found, others, counts = frequent_keys(
            (of_wanted, members),
            (self._text.first, self._text.stop, self._units.counted),
            self._rows,
            n,
            wanted.astype(np.int32),
            is_wanted,
            self._most,
        )
        n_others = np.zeros(n, dtype=np.intp)
        n_others[wanted] = np.diff(found)
        return offsets_of(n_others), others, counts

    @property
    def sizes(self) -> tuple[int, int, int]:
        """How many left values there are, how many right ones, and how many observations."""
        n = int(np.count_nonzero(self._totals[:-1]))
        return n, n, int(self._totals[-1])

    def contingency(self, pairs: AskedPairs) -> Contingency:
        """The tables of each pair, one for each of its least general pairs, without the copies of its sentence."""
        offsets, tables = least_general_pairs(
            pairs.offsets,
            self._units.asked[pairs.objects],
            (pairs.copies.offsets, pairs.copies.values),
            self._text.offsets,
            self._units.counted,
            self._rows,
            self._sizes,
            self._above,
            self._frequent,
            self._totals,
            self._most,
        )
        observed, left_totals, right_totals, totals = tables.T
        return Contingency(observed, left_totals, right_totals, totals, offsets)
