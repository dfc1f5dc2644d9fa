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
from typing import Self

import numpy as np

from karat._arrays import Array, Floats, Ids, Indices
from karat._numbering import numbered_pairs
from karat._ragged import Ragged, offsets_of, places_of_rows
from karat.systems.model_file import Model
from karat.systems.words import LabelledWords

__all__ = ["Suffixes", "suffixes_of"]

LONGEST = 10
_MOST_OFTEN = 10


def _keys(form: str) -> list[str]:
    """The suffixes of a form, from none to the longest, each behind a sign that says whether it is capitalised."""
    sign = "A" if form[:1].isupper() else "a"
    lower = form.lower()
    return [sign, *(sign + lower[-n:] for n in range(1, min(len(lower), LONGEST) + 1))]


@dataclass(frozen=True, slots=True, eq=False)
class Suffixes:
    """How many words of rare forms have each suffix and label, and the labels' shares in the whole text."""

    rows: dict[str, int]
    counts: Ragged
    shares: Floats

    def probabilities(self, forms: Sequence[str]) -> Floats:
        """P(label | suffix) of forms [forms × labels]."""
        steps = [self._known(form) for form in forms]
        found = np.tile(self.shares, (len(forms), 1))
        theta = float(self.shares.std(ddof=1)) if len(self.shares) > 1 else 1.0
        theta = theta or 1.0
        for depth in range(max(map(len, steps), default=0)):
            which = np.array([number for number, one in enumerate(steps) if len(one) > depth], dtype=np.intp)
            rows = np.array([steps[number][depth] for number in which.tolist()], dtype=np.intp)
            found[which] = (self._shares(rows) + theta * found[which]) / (1 + theta)
        return found

    def _known(self, form: str) -> list[int]:
        """The rows of a form's suffixes, as long as there are any."""
        found = []
        for key in _keys(form):
            if key not in self.rows:
                break
            found.append(self.rows[key])
        return found

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
        rows = {key: number for number, key in enumerate(keys)}
        return cls(rows, Ragged(offsets.astype(np.intp), labels.astype(np.intp), counts.astype(np.float64)), shares)


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
    return Suffixes(rows, Ragged(offsets_of(np.bincount(keyed, minlength=len(rows))), of_label, counts), shares)
