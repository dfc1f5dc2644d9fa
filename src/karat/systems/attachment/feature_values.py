"""What features read of objects, as numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from karat._arrays import Flags, Ids, Indices
from karat._numbering import keys_below
from karat.systems.attachment.features import CATEGORIES, PREPOSITIONS, Read
from karat.systems.attachment.object_columns import ObjectColumns

N_PATTERNS = 3 ** len(CATEGORIES)  # of agreement


@dataclass(frozen=True, slots=True, eq=False)
class FeatureValues:
    """The values of one side of a feature: of the objects that are counted, and of those that are asked about."""

    counted: Ids
    asked: Ids
    n: int


def feature_values(reads: Sequence[Read], counted: ObjectColumns, asked: ObjectColumns) -> FeatureValues:
    """The numbers of values; the names of what is `asked` must begin with those of what is `counted`.

    A missing value is a value of its own.
    """
    keys, n = np.zeros(len(counted) + len(asked), dtype=np.int64), 1
    for one in reads:
        codes, n_codes = _codes(one, counted, asked)
        keys, n = keys * n_codes + codes, n * n_codes
    used, numbers = keys_below(n, keys)
    return FeatureValues(numbers[: len(counted)], numbers[len(counted) :], len(used))


def _codes(read: Read, counted: ObjectColumns, asked: ObjectColumns) -> tuple[Indices, int]:
    """A number from 0 for each value that could be read, of objects counted and asked about, and how many there are."""
    names = asked.names

    def column(what: str) -> Indices:
        both = np.concatenate([one.column(read.head, what) for one in (counted, asked)])
        return both.astype(np.int64) + 1

    if read.what != "valence":
        return column(read.what), len(names[read.what]) + 1
    n_lemmas, n_cases = len(names["lemma"]) + 1, len(names["case"]) + 1
    pos = column("pos")
    word = np.where(are_prepositions(names).take(pos), column("lemma"), n_lemmas + pos)
    return word * n_cases + column("case"), (n_lemmas + len(names["pos"]) + 1) * n_cases


def are_prepositions(names: Mapping[str, Sequence[str]]) -> Flags:
    """Which parts of speech are prepositions; the first is that of a word without any."""
    return np.array([False, *(one in PREPOSITIONS for one in names["pos"])], dtype=np.bool_)


def agreement_patterns(left: Mapping[str, Ids], right: Mapping[str, Ids]) -> Indices:
    """How pairs agree in case, gender and number, a digit each: 0 one lacks it, 1 they differ, 2 they agree."""
    patterns = np.zeros(len(left[CATEGORIES[0]]), dtype=np.int64)
    for one in CATEGORIES:
        has_both = (left[one] >= 0) & (right[one] >= 0)
        patterns = patterns * 3 + has_both * (1 + (left[one] == right[one]))
    return patterns
