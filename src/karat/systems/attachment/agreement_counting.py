"""Counts of agreement: what the possible parent is, and what the other one is and in what it agrees with it.

The left value is the parent's part of speech, the right one the other's together with the pattern of agreement: so the
right value is one of the pair. Objects whose head has the same part of speech, case, gender and number are of one
class, and pairs are counted by their classes.
"""

from __future__ import annotations

import numpy as np

from karat._arrays import Ids, Indices
from karat._ragged import Ragged, offsets_of, owners_of
from karat.systems.attachment._compiled_counting import frequent_keys
from karat.systems.attachment.contingency import AskedPairs, Contingency, ordered_pairs
from karat.systems.attachment.feature_values import N_PATTERNS, agreement_patterns, feature_values
from karat.systems.attachment.features import CATEGORIES, Read
from karat.systems.attachment.object_columns import ObjectColumns
from karat.systems.attachment.product_counting import CountedText, matching, own_totals, summed, sums_of_rows


class HeadAgreementCounts:
    """The counts of all left and right values; `contingency` asks for those of pairs."""

    def __init__(self, counted: ObjectColumns, asked: ObjectColumns, text: CountedText) -> None:
        self._counted, self._asked, self._text = counted, asked, text
        self._pos = feature_values([Read("syntactic", "pos")], counted, asked)
        self._n_right = self._pos.n * N_PATTERNS
        every = [Read("syntactic", what) for what in ("pos", *CATEGORIES)]
        classes = feature_values(every, counted, asked)
        order = np.argsort(classes.counted, kind="stable")
        groups = (offsets_of(np.bincount(classes.counted, minlength=classes.n)), order.astype(np.int32))
        offsets, beside, counts = frequent_keys(
            groups,
            (text.first, text.stop, classes.counted),
            (np.arange(classes.n + 1), np.arange(classes.n, dtype=np.int32)),
            classes.n,
            np.zeros(classes.n, dtype=np.int32),
            np.ones(classes.n, dtype=np.bool_),
            0.0,
        )
        examples = np.zeros(classes.n, dtype=np.intp)
        examples[classes.counted[::-1]] = np.arange(len(counted))[::-1]
        left, right = examples.take(owners_of(np.diff(offsets))), examples.take(beside)
        of_left, of_right = self._pos.counted.take(left), self._right_values(counted, self._pos.counted, left, right)
        self._observed = _Tally(of_left * self._n_right + of_right, counts)
        self._right_totals = _Tally(of_right, counts)

    def _right_values(self, columns: ObjectColumns, pos: Ids, left: Indices, right: Indices) -> Indices:
        """The other's part of speech and how it agrees, for pairs of objects of a text."""
        of_left = {one: columns.syntactic[one].take(left) for one in CATEGORIES}
        of_right = {one: columns.syntactic[one].take(right) for one in CATEGORIES}
        return pos.take(right) * np.int64(N_PATTERNS) + agreement_patterns(of_left, of_right)

    @property
    def sizes(self) -> tuple[int, int, int]:
        """How many left values there are, how many right ones, and how many observations."""
        return self._pos.n, len(self._right_totals), int(self._text.n_others.sum())

    def contingency(self, pairs: AskedPairs) -> Contingency:
        """The table of each pair in the whole text without the copies of its sentence."""
        pos, text = self._pos, self._text
        of_left = pos.asked.take(pairs.left)
        of_right = self._right_values(self._asked, pos.asked, pairs.left, pairs.right)
        keys = of_left * self._n_right + of_right
        everywhere = Contingency(
            self._observed.of(keys),
            summed(pos.counted, text.n_others, pos.n).take(of_left),
            self._right_totals.of(of_right),
            np.full(len(pairs), text.n_others.sum()),
        )
        return everywhere.without(self._own(pairs, keys, of_right)) if len(pairs.copies.values) else everywhere

    def _own(self, pairs: AskedPairs, keys: Indices, of_right: Indices) -> Contingency:
        """The table of each pair in the copies of its sentence alone, whose pairs are written out."""
        text, pos = self._text, self._pos
        copies = pairs.copies.values
        sizes = np.diff(text.offsets).take(copies)
        left, right = ordered_pairs(text.offsets.take(copies), sizes)
        sentences = np.repeat(pairs.copies.owners, sizes * (sizes - 1))
        own_right = self._right_values(self._counted, pos.counted, left, right)
        own_keys = pos.counted.take(left) * self._n_right + own_right
        one_each = np.ones(len(left), dtype=np.int64)
        n_keys = pos.n * self._n_right
        of_left: Ragged = matching(pos, text, pairs)
        return Contingency(
            _Tally(sentences * n_keys + own_keys, one_each).of(pairs.sentences * n_keys + keys),
            sums_of_rows(of_left, text.n_others).take(pairs.left - pairs.first_object),
            _Tally(sentences * self._n_right + own_right, one_each).of(pairs.sentences * self._n_right + of_right),
            own_totals(text, pairs).take(pairs.sentences),
        )


class _Tally:
    """How often each key was counted."""

    def __init__(self, keys: Indices, counts: Indices) -> None:
        self._keys, numbers = np.unique(keys, return_inverse=True)
        self._counts = np.append(summed(numbers, counts, len(self._keys)), 0)

    def __len__(self) -> int:
        return len(self._keys)

    def of(self, keys: Indices) -> Indices:
        """The counts of these keys; 0 for one that was not counted."""
        places = np.searchsorted(self._keys, keys)
        is_there = np.append(self._keys, -1).take(places) == keys
        return self._counts.take(np.where(is_there, places, len(self._keys)))
