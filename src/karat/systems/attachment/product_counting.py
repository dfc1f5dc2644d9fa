"""Counts of features that read one value of each object: collocation, valence, combinations of categories."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat._arrays import Array, Ids, Indices
from karat._numbering import numbered_pairs
from karat._ragged import Ragged, offsets_of, owners_of
from karat.systems.attachment._compiled_counting import counts_beside, matches
from karat.systems.attachment.contingency import AskedPairs, Contingency
from karat.systems.attachment.feature_values import FeatureValues


@dataclass(frozen=True, slots=True, eq=False)
class CountedText:
    """The sentences that are counted: where the one of each object begins and ends."""

    offsets: Indices
    first: Ids
    stop: Ids

    @property
    def n_others(self) -> Indices:
        """How many other objects are in the sentence of each one."""
        return (self.stop - self.first).astype(np.int64) - 1


def counted_text(offsets: Indices) -> CountedText:
    """Of the offsets of sentences' objects."""
    sizes = np.diff(offsets)
    return CountedText(
        offsets, np.repeat(offsets[:-1], sizes).astype(np.int32), np.repeat(offsets[1:], sizes).astype(np.int32)
    )


class ProductCounts:
    """The counts of a left and a right value of each object; `contingency` asks for those of pairs."""

    def __init__(self, left: FeatureValues, right: FeatureValues, text: CountedText) -> None:
        self._left, self._right, self._text = left, right, text
        self._one_each = (np.arange(right.n + 1), np.arange(right.n, dtype=np.int32))

    @property
    def sizes(self) -> tuple[int, int, int]:
        """How many left values there are, how many right ones, and how many observations."""
        return self._left.n, self._right.n, int(self._text.n_others.sum())

    def contingency(self, pairs: AskedPairs) -> Contingency:
        """The table of each pair in the whole text without the copies of its sentence."""
        everywhere = self._everywhere(pairs)
        return everywhere.without(self._own(pairs)) if len(pairs.copies.values) else everywhere

    def _everywhere(self, pairs: AskedPairs) -> Contingency:
        """The table of each pair in the whole text."""
        left, right, text = self._left, self._right, self._text
        of_left, of_right = left.asked.take(pairs.left), right.asked.take(pairs.right)
        lefts, rights, numbers = numbered_pairs(of_left, of_right, left.n, right.n)
        groups, asked_offsets = groups_of_values(left, lefts)
        counted = (text.first, text.stop, right.counted)
        observed, _ = beside(groups, counted, self._one_each, right.n, (asked_offsets, rights.astype(np.int32)))
        return Contingency(
            observed.take(numbers),
            summed(left.counted, text.n_others, left.n).take(of_left),
            summed(right.counted, text.n_others, right.n).take(of_right),
            np.full(len(pairs), text.n_others.sum()),
        )

    def _own(self, pairs: AskedPairs) -> Contingency:
        """The table of each pair in the copies of its sentence alone."""
        right, text = self._right, self._text
        own_left = matching(self._left, text, pairs)
        asked = (pairs.offsets_of_left, right.asked.take(pairs.right))
        observed, _ = beside(own_left, (text.first, text.stop, right.counted), self._one_each, right.n, asked)
        return Contingency(
            observed,
            sums_of_rows(own_left, text.n_others).take(pairs.left - pairs.first_object),
            sums_of_rows(matching(right, text, pairs), text.n_others).take(pairs.right - pairs.first_object),
            own_totals(text, pairs).take(pairs.sentences),
        )


def groups_of_values(values: FeatureValues, sorted_values: Indices) -> tuple[Ragged, Indices]:
    """The counted objects of each value that is asked for, and where in the sorted values each of them begins."""
    used, starts = np.unique(sorted_values, return_index=True)
    order = np.argsort(values.counted, kind="stable")
    objects = Ragged(offsets_of(np.bincount(values.counted, minlength=values.n)), order)
    return objects.taken(used), np.append(starts, len(sorted_values))


def beside(
    groups: Ragged,
    counted: tuple[Ids, Ids, Ids],
    unit_keys: tuple[Indices, Array],
    n_keys: int,
    asked: tuple[Indices, Array],
) -> tuple[Indices, Indices]:
    """How often the asked keys are observed beside each group of objects, and all keys together."""
    offsets, keys = asked
    counts = np.zeros(len(keys), dtype=np.int64)
    totals = np.zeros(len(groups), dtype=np.int64)
    members = groups.values.astype(np.int32, copy=False)
    counts_beside((groups.offsets, members), counted, unit_keys, n_keys, (offsets, keys), counts, totals)
    return counts, totals


def matching(values: FeatureValues, text: CountedText, pairs: AskedPairs) -> Ragged:
    """For each object that is asked about, those with the same value in the copies of its sentence."""
    copies = (pairs.copies.offsets, pairs.copies.values)
    found = matches(pairs.offsets, values.asked[pairs.objects], copies, text.offsets, values.counted)
    return Ragged(*found)


def own_totals(text: CountedText, pairs: AskedPairs) -> Indices:
    """For each sentence the ordered pairs of objects in its copies."""
    sizes = np.diff(text.offsets)
    return sums_of_rows(pairs.copies, sizes * (sizes - 1))


def summed(values: Array, weights: Indices, n: int) -> Indices:
    """The sum of weights by value; whole numbers, exact up to 2^53."""
    return np.bincount(values, weights, n).astype(np.int64)


def sums_of_rows(rows: Ragged, weights: Indices) -> Indices:
    """For each row the sum of its values' weights."""
    return np.bincount(owners_of(rows.sizes), weights.take(rows.values), len(rows)).astype(np.int64)
