"""What an unknown word can be, by its ending: suffixes of up to ten letters [Brants 2000].

The distribution of labels given a suffix of i letters is mixed with that of i − 1 letters, and so on (*successive
abstraction*):

    P(t | i letters) = (P̂(t | i letters) + θ P(t | i − 1 letters)) / (1 + θ)

with θ the standard deviation of the labels' shares in the text, from P(t | no letter) = P̂(t). Counts are of words that
occur at most ten times: unknown words are like these. Capitalised words have counts of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from karat._arrays import Array, Floats, Ids, Indices
from karat._numbering import numbered_pairs
from karat._ragged import Ragged, offsets_of, places_of_rows
from karat.systems.model_file import Model
from karat.systems.words import LabelledWords

LONGEST = 10
_MOST_OFTEN = 10
_MOST_AT_ONCE = 1 << 22  # probabilities of suffixes that are kept, once one is asked for


def _sign(form: str) -> str:
    return "A" if form[:1].isupper() else "a"


def _keys(form: str) -> list[str]:
    """The suffixes of a form, from none to the longest, each behind a sign that says whether it is capitalised."""
    sign, lower = _sign(form), form.lower()
    return [sign, *(sign + lower[-n:] for n in range(1, min(len(lower), LONGEST) + 1))]


@dataclass(frozen=True, eq=False)
class Suffixes:
    """How many words of rare forms have each suffix and label, and the labels' shares in the whole text.

    `rows` are of suffixes behind a sign that says whether words are capitalised, `shorter` has for each the row of the
    suffix that is a letter shorter, or -1.
    """

    rows: dict[str, int]
    counts: Ragged
    shares: Floats
    shorter: Indices

    def probabilities(self, forms: Sequence[str]) -> Floats:
        """P(label | suffix) of forms [forms × labels]."""
        if not self.rows:
            return np.tile(self.shares, (len(forms), 1))
        longest = np.array(list(map(self._longest, forms)), dtype=np.intp)
        if len(self._of_every_row):
            return self._of_every_row[longest]
        rows, numbers = np.unique(longest, return_inverse=True)
        return self._smoothed(rows)[numbers]

    @cached_property
    def _of_every_row(self) -> Floats:
        """P(label | suffix) of all suffixes, and at the end of none; empty if these are too many."""
        n = len(self.rows) if len(self.rows) * len(self.shares) <= _MOST_AT_ONCE else -1
        return self._smoothed(np.append(np.arange(n), -1)) if n >= 0 else np.zeros((0, 0))

    def _smoothed(self, rows: Indices) -> Floats:
        """P(label | suffix) of the suffixes of these rows, by successive abstraction; of -1 the labels' shares."""
        chain = [rows]  # from the longest suffix that is known to none
        while (chain[-1] >= 0).any():
            chain.append(np.where(chain[-1] >= 0, self.shorter[chain[-1]], -1))
        found = np.tile(self.shares, (len(rows), 1))
        theta = float(self.shares.std(ddof=1)) if len(self.shares) > 1 else 1.0
        theta = theta or 1.0
        for some in reversed(chain):
            which = np.flatnonzero(some >= 0)
            found[which] = (self._shares(some[which]) + theta * found[which]) / (1 + theta)
        return found

    def _longest(self, form: str) -> int:
        """The row of the longest suffix of a form that is known; -1 if not even words with such a capital are."""
        get, sign, lower = self.rows.get, _sign(form), form.lower()
        for n in range(min(len(lower), LONGEST), 0, -1):
            row = get(sign + lower[-n:])
            if row is not None:
                return row
        return get(sign, -1)

    def _shares(self, rows: Indices) -> Floats:
        """The labels' shares among the words with a suffix [rows × labels]."""
        assert self.counts.weights is not None
        places, sizes = places_of_rows(self.counts.offsets, rows)
        table = np.zeros((len(rows), len(self.shares)))
        table[np.repeat(np.arange(len(rows)), sizes), self.counts.values[places]] = self.counts.weights[places]
        shares: Floats = table / table.sum(axis=1, keepdims=True)
        return shares

    def parts(self) -> Model:
        """What is kept in a file."""
        assert self.counts.weights is not None
        arrays: dict[str, Array] = {
            "suffix offsets": self.counts.offsets.astype(np.int64),
            "suffix labels": self.counts.values.astype(np.int32),
            "suffix counts": self.counts.weights.astype(np.int32),
            "shares": self.shares,
            "shorter": self.shorter.astype(np.int32),
        }
        return Model("", {}, arrays, {"suffixes": list(self.rows)})

    @classmethod
    def from_parts(cls, model: Model, n_labels: int) -> Self:
        """The suffixes that were kept."""
        keys, labels = model.lines("suffixes"), model.numbers("suffix labels", n_labels)
        counts = model.numbers("suffix counts", 1 << 31, least=1)
        offsets = model.offsets("suffix offsets", len(keys), len(labels))
        shares = model.array("shares", "float64")
        is_wrong = len(counts) != len(labels) or len(shares) != n_labels or (np.diff(offsets) == 0).any()
        if is_wrong or not np.isfinite(shares).all() or (shares < 0).any() or not shares.any():
            raise model.problem("suffixes do not fit together")
        shorter = model.numbers("shorter", len(keys), least=-1).astype(np.intp)
        if len(shorter) != len(keys) or (shorter >= np.arange(len(keys))).any():  # so that no chain is without end
            raise model.problem("suffixes do not fit together")
        rows = {key: number for number, key in enumerate(keys)}
        table = Ragged(offsets.astype(np.intp), labels.astype(np.intp), counts.astype(np.float64))
        return cls(rows, table, shares, shorter)


def suffixes_of(text: LabelledWords) -> Suffixes:
    """The suffixes of a text's rare forms."""
    words, n_labels = text.words, len(text.labels)
    shares = np.bincount(text.label_ids, minlength=n_labels) / len(text.label_ids)
    n_of_form = np.bincount(words.ids, minlength=len(words.forms))
    rare = np.flatnonzero(n_of_form <= _MOST_OFTEN)
    rows: dict[str, int] = {}
    of_forms = [[rows.setdefault(key, len(rows)) for key in _keys(words.forms[form])] for form in rare.tolist()]
    offsets = offsets_of([len(one) for one in of_forms])
    every: Ids = np.array([row for one in of_forms for row in one], dtype=np.int32)
    shorter = np.full(len(rows), -1, dtype=np.intp)
    is_longer = np.ones(len(every), dtype=np.bool_)
    is_longer[offsets[:-1]] = False  # the sign alone
    shorter[every[is_longer]] = every[np.flatnonzero(is_longer) - 1]
    number = np.full(len(words.forms), -1, dtype=np.intp)
    number[rare] = np.arange(len(rare))
    is_rare = number.take(words.ids) >= 0
    forms, labels, pairs = numbered_pairs(
        number.take(words.ids[is_rare]), text.label_ids[is_rare], max(len(rare), 1), n_labels
    )
    times = np.bincount(pairs, minlength=len(forms))
    places, sizes = places_of_rows(offsets, forms)
    keyed, of_label, numbers = numbered_pairs(every.take(places), np.repeat(labels, sizes), max(len(rows), 1), n_labels)
    counts = np.bincount(numbers, weights=np.repeat(times, sizes), minlength=len(keyed)).astype(np.float64)
    table = Ragged(offsets_of(np.bincount(keyed, minlength=len(rows))), of_label, counts)
    return Suffixes(rows, table, shares, shorter)
