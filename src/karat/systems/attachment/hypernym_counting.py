"""Counts of a lemma with hypernyms of what stands beside it, alone or together with its case."""

from __future__ import annotations

import numpy as np

from karat._arrays import Array, Ids, Indices
from karat._numbering import numbered_pairs
from karat._ragged import Ragged, offsets_of, places_of_rows
from karat.systems.attachment.contingency import AskedPairs, Contingency
from karat.systems.attachment.feature_values import FeatureValues
from karat.systems.attachment.product_counting import (
    CountedText,
    beside,
    groups_of_values,
    matching,
    summed,
)


class HypernymCounts:
    """The counts of lemmas (`left`) and of keys beside them, of which each unit, a value on the right, has several.

    Every key of an object is an observation of its own, so that totals are sums of observations.
    """

    def __init__(self, left: FeatureValues, units: FeatureValues, keys: Ragged, text: CountedText) -> None:
        self._left, self._units, self._text = left, units, text
        self._n_keys = int(keys.values.max(initial=-1)) + 1
        self._keys = Ragged(keys.offsets, keys.values.astype(np.int32))
        n_keys = keys.sizes.take(units.counted)
        in_sentence = np.append(0, np.cumsum(n_keys))
        around = in_sentence.take(text.stop) - in_sentence.take(text.first) - n_keys
        self._left_totals = summed(left.counted, around, left.n)
        of_units = summed(units.counted, text.n_others, units.n)
        self._key_totals = summed(self._keys.values, np.repeat(of_units, keys.sizes), self._n_keys)
        self._total = int(around.sum())

    @property
    def sizes(self) -> tuple[int, int, int]:
        """How many left values there are, how many right ones, and how many observations."""
        return self._left.n, int(np.count_nonzero(self._key_totals)), self._total

    def contingency(self, pairs: AskedPairs) -> Contingency:
        """The tables of each pair, one for each key of the object on the right, without the copies of its sentence."""
        of_left, of_right = self._left.asked.take(pairs.left), self._units.asked.take(pairs.right)
        places, sizes = places_of_rows(self._keys.offsets, of_right)
        offsets, keys = offsets_of(sizes), self._keys.values.take(places)
        everywhere = Contingency(
            self._observed(of_left, of_right),
            np.repeat(self._left_totals.take(of_left), sizes),
            self._key_totals.take(keys),
            np.full(len(keys), self._total),
            offsets,
        )
        return everywhere.without(self._own(pairs, offsets, keys)) if len(pairs.copies.values) else everywhere

    @property
    def _counted(self) -> tuple[Ids, Ids, Ids]:
        return self._text.first, self._text.stop, self._units.counted

    @property
    def _unit_keys(self) -> tuple[Indices, Array]:
        return self._keys.offsets, self._keys.values

    def _observed(self, of_left: Ids, of_right: Ids) -> Indices:
        """How often each lemma was observed with each key of a unit in the whole text; pairs that recur, once."""
        lefts, rights, numbers = numbered_pairs(of_left, of_right, self._left.n, self._units.n)
        groups, starts = groups_of_values(self._left, lefts)
        asked = self._keys.taken(rights)
        counts, _ = beside(
            groups, self._counted, self._unit_keys, self._n_keys, (asked.offsets.take(starts), asked.values)
        )
        return counts.take(places_of_rows(asked.offsets, numbers)[0])

    def _own(self, pairs: AskedPairs, offsets: Indices, keys: Array) -> Contingency:
        """The tables in the copies of each pair's sentence alone."""
        of_left = matching(self._left, self._text, pairs)
        asked = (offsets.take(pairs.offsets_of_left), keys)
        observed, left_totals = beside(of_left, self._counted, self._unit_keys, self._n_keys, asked)
        everything, sizes = places_of_rows(self._text.offsets, pairs.copies.values)
        in_copies = Ragged(offsets_of(sizes).take(pairs.copies.offsets), everything)
        of_objects = self._keys.taken(self._units.asked[pairs.objects].astype(np.intp))
        asked = (of_objects.offsets.take(pairs.offsets), of_objects.values)
        of_keys, totals = beside(in_copies, self._counted, self._unit_keys, self._n_keys, asked)
        n_tables = np.diff(offsets)
        return Contingency(
            observed,
            np.repeat(left_totals.take(pairs.left - pairs.first_object), n_tables),
            of_keys.take(places_of_rows(of_objects.offsets, pairs.right - pairs.first_object)[0]),
            np.repeat(totals.take(pairs.sentences), n_tables),
        )


def keys_with_values(units: FeatureValues, hypernyms: Ragged, values: FeatureValues) -> tuple[FeatureValues, Ragged]:
    """Units of a hypernyms' row and a value together, and their keys: each hypernym together with the value."""
    every_unit, every_value = (np.concatenate([one.counted, one.asked]) for one in (units, values))
    of_units, of_values, numbers = numbered_pairs(every_unit, every_value, units.n, values.n)
    rows = hypernyms.taken(of_units)
    _, keys = np.unique(rows.values * np.int64(values.n) + np.repeat(of_values, rows.sizes), return_inverse=True)
    n_counted = len(units.counted)
    return FeatureValues(numbers[:n_counted], numbers[n_counted:], len(of_units)), Ragged(rows.offsets, keys)
