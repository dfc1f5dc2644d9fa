"""What a measure is: counts a sentence, and a value from summed counts.

    counts(comparison) -> float array [rows × fields]       (a row is a gold sentence)
    value(summed counts [… × fields]) -> array […]

The fields are the same for all measures here: how many units the gold has, how many the system has, how many of the
system's are right, and how many could have been (aligned).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from karat._arrays import Flags, Floats
from karat.measures._comparison import Comparison, at

__all__ = ["ALIGNED", "CORRECT", "FIELDS", "GOLD", "SYSTEM", "Measure", "Outcome", "WordMeasure", "f1", "precision"]
__all__ += ["aligned_accuracy", "recall"]

FIELDS = ("gold", "system", "correct", "aligned")
GOLD, SYSTEM, CORRECT, ALIGNED = range(4)


def precision(counts: Floats) -> Floats:
    """correct / system; 0 where the system has nothing."""
    return _ratio(counts[..., CORRECT], counts[..., SYSTEM])


def recall(counts: Floats) -> Floats:
    """correct / gold; 0 where the gold has nothing."""
    return _ratio(counts[..., CORRECT], counts[..., GOLD])


def f1(counts: Floats) -> Floats:
    """2 correct / (gold + system), the harmonic mean of precision and recall; 0 where both sides have nothing."""
    return _ratio(2 * counts[..., CORRECT], counts[..., GOLD] + counts[..., SYSTEM])


def aligned_accuracy(counts: Floats) -> Floats:
    """correct / aligned; 0 where nothing is aligned."""
    return _ratio(counts[..., CORRECT], counts[..., ALIGNED])


def _ratio(numerator: Floats, denominator: Floats) -> Floats:
    nothing = np.zeros(np.broadcast(numerator, denominator).shape)
    return np.divide(numerator, denominator, out=nothing, where=denominator != 0)


class Measure(ABC):
    """One way of counting what is right."""

    name: str
    needs: tuple[str, ...] = ()  # the columns without which it cannot be computed
    has_aligned = True  # whether it has aligned units, and so an accuracy on them
    what = ""  # what is compared, in a few words

    @abstractmethod
    def counts(self, comparison: Comparison) -> Floats:
        """The counts of every gold sentence: [rows × FIELDS]."""

    def value(self, counts: Floats) -> Floats:
        """The measure's value from summed counts: F1."""
        return f1(counts)


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What a measure says of each word.

    `gold` and `system` flag the words that count (None: all), `right` the pairs of matching words that are right.
    """

    right: Flags
    gold: Flags | None = None
    system: Flags | None = None


class WordMeasure(Measure):
    """A measure whose units are words."""

    settles: tuple[str, ...] = ()  # columns whose label is the same on both sides wherever this measure says right

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
