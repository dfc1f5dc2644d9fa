"""Rich tags category by category: of the words that have a category, how many have the right value.

A word with several values of a category on a side, in one tag or in several, counts by the share of that side's values
that the other has too, as in positional accuracy [Acedański & Przepiórkowski 2010, §2]. A tag that could not be taken
apart has no categories.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from karat._arrays import Floats, Ids, Indices
from karat._numbering import numbered_values
from karat.measures.measure import CORRECT, FIELDS, GOLD, SYSTEM, AlignedMeasure, HarmonicMean, Ratio, Statistic, recall
from karat.measures.positional.several_tags import GradedTags
from karat.measures.positional.word_tags import WordTags
from karat.measures.words.comparison import Comparison, at
from karat.tagsets import Tag
from karat.tagsets._tagset import POS

PRECISE = len(FIELDS)
_precision = Ratio("precision", (PRECISE,), (SYSTEM,))
_f1 = HarmonicMean("f1", _precision, recall)
_STATISTICS: Mapping[str, Statistic] = {one.name: one for one in (_f1, _precision, recall)}


class CategoryValue(AlignedMeasure):
    """The value of one category of rich tags; words without it do not count."""

    name = "Categories"
    family = "rich tags"
    what = "the value of a category"
    source = "karat"
    fields = (*FIELDS, "precise")
    value: Statistic = _f1
    statistics = _STATISTICS
    has_aligned = False
    of_words = True

    def __init__(self, category: str, tags: GradedTags) -> None:
        self.category, self.tags = category, tags
        self.needs = tags.needs

    def counts(self, comparison: Comparison) -> Floats:
        alignment = comparison.alignment
        ours, theirs, shares = self._values(comparison)
        mine, other = at(ours, alignment.gold_words), at(theirs, alignment.system_words)
        counts = np.zeros((comparison.n_rows, len(self.fields)))
        counts[:, GOLD] = comparison.tally("gold", ours > 0)
        counts[:, SYSTEM] = comparison.tally("system", theirs > 0)
        for field, table in zip((CORRECT, PRECISE), shares, strict=True):
            rows: Indices = comparison.matching_rows
            counts[:, field] = np.bincount(rows, weights=table[mine, other], minlength=comparison.n_rows)
        return counts

    def gold_units(self, comparison: Comparison) -> None:
        return None

    def _values(self, comparison: Comparison) -> tuple[Ids, Ids, tuple[Floats, Floats]]:
        """A number for the values that each gold and each system word has, 0 for none.

        With them, of each pair of numbers, the share of the gold's values that the system has, and the other way round.
        """
        known: dict[frozenset[str], int] = {frozenset(): 0}
        codes = []
        for side, tags in zip(self.tags.sides(comparison), self.tags.parsed(comparison)[:2], strict=True):
            of_sets = numbered_values(_values_of_sets(side, tags, self.category), known)
            codes.append(of_sets.take(side.sets))
        every = list(known)
        n_common = np.array([[len(one & other) for other in every] for one in every], dtype=np.float64)
        n = np.maximum([len(one) for one in every], 1)
        return codes[0], codes[1], (n_common / n[:, None], n_common / n[None, :])


def category_values(comparison: Comparison, tags: GradedTags) -> dict[str, CategoryValue]:
    """A measure for each category that a tag of either side has, the part of speech first."""
    sides = tags.parsed(comparison)[:2]
    found = dict.fromkeys(name for side in sides for tag in side if tag is not None for name in (POS, *tag.values))
    return {name: CategoryValue(name, tags) for name in found if name not in tags.how.ignored}


def _values_of_sets(side: WordTags, tags: Sequence[Tag | None], category: str) -> list[frozenset[str]]:
    """The values of a category in each set of tags."""
    of_tags = [_values_in(tag, category) for tag in tags]
    return [
        frozenset().union(*(of_tags[one] for one in side.members.row(number).tolist()))
        for number in range(len(side.sizes))
    ]


def _values_in(tag: Tag | None, category: str) -> frozenset[str]:
    if tag is None:
        return frozenset()
    return frozenset([tag.pos]) if category == POS else frozenset(tag.values.get(category, ()))
