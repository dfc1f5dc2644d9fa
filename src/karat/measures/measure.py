"""What a measure is: counts a sentence, and a value from summed counts.

    counts(comparison) -> float array [rows × fields]       (a row is a gold sentence)
    value(summed counts [… × fields]) -> array […]

The fields are the same for all measures here: how many units the gold has, how many the system has, how many of the
system's are right, and how many could have been (aligned). Values are ratios of sums of them. Whether each single unit
of the gold was found, which is what two systems are compared by, is in the measure's gold units.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from karat._arrays import Flags, Floats, Ids, Indices
from karat.entry_points import Plugin
from karat.errors import UsageError
from karat.measures.words.comparison import Comparison, at

Bounds = Literal["share", "positive", "at most 1"]  # from 0 to 1, above 0, up to 1
FIELDS = ("gold", "system", "correct", "aligned")
GOLD, SYSTEM, CORRECT, ALIGNED = range(4)


class Statistic(Protocol):
    """A value from summed counts; `title` heads a column of it, `what` says what it is."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def what(self) -> str: ...
    @property
    def fields(self) -> tuple[int, ...]:
        """The counts that it is made of."""

    def __call__(self, counts: Floats) -> Floats:
        """The values […] from counts [… × fields]."""

    def slopes(self, counts: Floats) -> Floats:
        """How much the value changes, to first order, with each count [… × fields], at summed counts [… × fields]."""

    def sizes(self, counts: Floats) -> Floats:
        """How much of the value rests on each row [rows] of counts [rows × fields]: its denominator."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """A value that is one weighted sum of counts over another; 0 where the denominator is 0.

    `numerator` and `denominator` are the fields that are summed, a field named twice counting twice; `less` and
    `less_below` those that are taken off again. Called with counts [… × FIELDS] it gives the values […].
    """

    name: str
    numerator: tuple[int, ...]
    denominator: tuple[int, ...]
    less: tuple[int, ...] = ()
    less_below: tuple[int, ...] = ()
    title: str = ""
    what: str = ""

    def __call__(self, counts: Floats) -> Floats:
        top, bottom = self.top(counts), self.bottom(counts)
        nothing = np.zeros(np.shape(bottom))
        return np.divide(top, bottom, out=nothing, where=bottom != 0)

    def top(self, counts: Floats) -> Floats:
        """The numerator from counts [… × FIELDS]."""
        return _sum_of(counts, self.numerator, self.less)

    def bottom(self, counts: Floats) -> Floats:
        """The denominator from counts [… × FIELDS]."""
        return _sum_of(counts, self.denominator, self.less_below)

    @property
    def fields(self) -> tuple[int, ...]:
        return (*self.numerator, *self.denominator, *self.less, *self.less_below)

    def slopes(self, counts: Floats) -> Floats:
        bottom = self.bottom(counts)
        each = np.eye(counts.shape[-1])
        found: Floats = self.top(each) - self(counts)[..., None] * self.bottom(each)
        return found / np.where(bottom == 0, 1.0, bottom)[..., None]

    def sizes(self, counts: Floats) -> Floats:
        return self.bottom(counts)


@dataclass(frozen=True, slots=True)
class HarmonicMean:
    """The harmonic mean of two ratios whose numerators differ; 0 where both are 0."""

    name: str
    one: Ratio
    other: Ratio
    title: str = ""
    what: str = ""

    @property
    def fields(self) -> tuple[int, ...]:
        return (*self.one.fields, *self.other.fields)

    def __call__(self, counts: Floats) -> Floats:
        one, other = self.one(counts), self.other(counts)
        total = one + other
        return np.divide(2 * one * other, total, out=np.zeros(np.shape(total)), where=total != 0)

    def slopes(self, counts: Floats) -> Floats:
        one, other = self.one(counts)[..., None], self.other(counts)[..., None]
        total = np.where(one + other == 0, 1.0, one + other)
        slopes = other * other * self.one.slopes(counts) + one * one * self.other.slopes(counts)
        found: Floats = 2 * slopes / total**2
        return found

    def sizes(self, counts: Floats) -> Floats:
        return self.one.bottom(counts)


def _sum_of(counts: Floats, fields: tuple[int, ...], less: tuple[int, ...]) -> Floats:
    first, *others = fields
    total: Floats = counts[..., first]
    for field in others:
        total = total + counts[..., field]
    for field in less:
        total = total - counts[..., field]
    return total


precision = Ratio("precision", (CORRECT,), (SYSTEM,))
recall = Ratio("recall", (CORRECT,), (GOLD,))
f1 = Ratio("f1", (CORRECT, CORRECT), (GOLD, SYSTEM))  # the harmonic mean of precision and recall
aligned_accuracy = Ratio("aligned_accuracy", (CORRECT,), (ALIGNED,))
STATISTICS: Mapping[str, Statistic] = {one.name: one for one in (f1, precision, recall, aligned_accuracy)}


@dataclass(frozen=True, slots=True, eq=False)
class GoldUnits:
    """The units of the gold, in an order that does not depend on the system: row of each, and whether it was found.

    `words` is the gold word of each unit where the units are words; `labels` the label of each, a number of `names`,
    where they are brackets.
    """

    rows: Indices
    right: Flags
    words: Indices | None = None
    labels: Ids | None = None
    names: tuple[str, ...] = ()


class Measure:
    """One way of counting what is right: what inference and reports need to know of it.

    A measure that `has_parts` counts units of the gold, of the system and right ones, and so has precision, recall and
    F1, of which tables show the `shown_parts`; one that has not is a ratio, of CORRECT over GOLD. `bounds` says where a
    value can lie. It is shown in percent, unless it has another `unit`.
    """

    name: str
    family = ""  # what it is a measure of
    what = ""  # what is compared, in a few words
    source = ""  # who defined it
    fields: tuple[str, ...] = FIELDS  # its counts
    value: Statistic = f1  # the measure's value from summed counts
    statistics: Mapping[str, Statistic] = STATISTICS  # its parts, from summed counts
    extras: Mapping[str, Statistic] = {}  # what else is said of it
    has_parts = True
    shown_parts: tuple[str, ...] = ("precision", "recall", "aligned_accuracy")
    has_aligned = True  # whether it has aligned units, and so an accuracy on them
    bounds: Bounds = "share"
    unit = "%"
    lower_is_better = False
    is_neutral = False  # whether neither more nor less of it is better
    plugin: Plugin | None = None  # what it is of another package

    @property
    def is_share(self) -> bool:
        return self.bounds == "share"

    @property
    def in_percent(self) -> bool:
        return self.unit == "%"

    @property
    def factor(self) -> int:
        """What values are multiplied with to be shown."""
        return 100 if self.in_percent else 1

    def sizes(self, counts: Floats) -> Floats:
        """How much of the value rests on each row [rows] of counts [rows × fields]."""
        return self.value.sizes(counts)

    def is_defined(self, counts: Floats) -> bool:
        """Whether counts [… × fields] have something to divide by."""
        return True

    def shows_extra(self, name: str, extra: float, value: float) -> bool:
        """Whether tables show one of the extras, given what it is and what the value is."""
        return True

    def by(self, statistic: str) -> Measure:
        """The measure with one of its statistics as its value: recall for F1, say."""
        lacks = "parts" if not self.has_parts else "aligned units" if not self.has_aligned else ""
        if lacks == "parts" or (lacks and statistic == "aligned_accuracy"):
            raise UsageError(f"the statistic {statistic} cannot be used with {self.name}, which has no {lacks}")
        if statistic not in self.statistics:
            what = "tags in a hierarchy: hierarchical and exact" if statistic == "by_type_mean" else "rich tags"
            raise UsageError(f"the statistic {statistic} cannot be used with {self.name}, only with {what}")
        found = copy(self)
        found.value = self.statistics[statistic]
        found.bounds, found.unit, found.lower_is_better, found.is_neutral = "share", "%", False, False
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Where every gold word, system word and pair of matching words is counted: a number below n, or n for nowhere."""

    gold: Indices
    system: Indices
    pairs: Indices
    n: int


class AlignedMeasure(Measure, ABC):
    """A measure of text whose words are aligned."""

    family = "words"
    source = "CoNLL 2018 shared task"
    needs: tuple[str, ...] = ()  # the columns without which it cannot be computed
    of_words = False  # whether its units are words, so that words can be split into groups
    settles: tuple[str, ...] = ()  # splits in which both words have the same group wherever this measure says right

    @abstractmethod
    def counts(self, comparison: Comparison) -> Floats:
        """The counts of every gold sentence: [rows × FIELDS]."""

    @abstractmethod
    def gold_units(self, comparison: Comparison) -> GoldUnits | None:
        """Which units of the gold the system has; None where it has some of them in part."""

    def grouped(self, comparison: Comparison, places: Places) -> Floats | None:
        """The counts of groups of words [n × fields], given where each word is counted; None where units are not."""
        return None

    def notes(self, comparison: Comparison) -> list[str]:
        """What must not be overlooked in these scores."""
        return []

    def beyond_counts(self, comparison: Comparison) -> Mapping[str, float]:
        """Further values of all words, which do not follow from summed counts."""
        return {}


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What a measure says of each word.

    `gold` and `system` flag the words that count (None: all), `right` the pairs of matching words that are right.
    """

    right: Flags
    gold: Flags | None = None
    system: Flags | None = None


class WordMeasure(AlignedMeasure):
    """A measure whose units are words."""

    of_words = True

    @abstractmethod
    def outcome(self, comparison: Comparison) -> Outcome:
        """What is right, word by word."""

    def counts(self, comparison: Comparison) -> Floats:
        outcome = self.outcome(comparison)
        aligned = None if outcome.gold is None else at(outcome.gold, comparison.alignment.gold_words)
        counts = np.empty((comparison.n_rows, len(FIELDS)))
        counts[:, GOLD] = comparison.tally("gold", outcome.gold)
        counts[:, SYSTEM] = comparison.tally("system", outcome.system)
        counts[:, CORRECT] = comparison.tally("matching", outcome.right)
        counts[:, ALIGNED] = comparison.tally("matching", aligned)
        return counts

    def grouped(self, comparison: Comparison, places: Places) -> Floats:
        outcome = self.outcome(comparison)
        aligned = None if outcome.gold is None else at(outcome.gold, comparison.alignment.gold_words)
        counts = np.empty((places.n, len(FIELDS)))
        for field, where, chosen in (
            (GOLD, places.gold, outcome.gold),
            (SYSTEM, places.system, outcome.system),
            (CORRECT, places.pairs, outcome.right),
            (ALIGNED, places.pairs, aligned),
        ):
            counts[:, field] = np.bincount(where if chosen is None else where[chosen], minlength=places.n)[: places.n]
        return counts

    def gold_units(self, comparison: Comparison) -> GoldUnits:
        outcome = self.outcome(comparison)
        right = np.zeros(comparison.gold.n_words, dtype=np.bool_)
        right[comparison.alignment.gold_words] = outcome.right
        words = np.arange(len(right)) if outcome.gold is None else np.flatnonzero(outcome.gold)
        return GoldUnits(comparison.gold.words_sentence.take(words), right.take(words), words)
