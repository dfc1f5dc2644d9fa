"""Signals: what a classifier is given of every ordered pair of objects [Slaski et al. 2012, §2.4]."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from karat._arrays import Indices
from karat._ragged import Ragged, owners_of
from karat.systems.attachment.association import ASSOCIATION_MEASURES
from karat.systems.attachment.contingency import AskedPairs, asked_pairs, ordered_pairs
from karat.systems.attachment.counting import counts_of_features
from karat.systems.attachment.features import Feature
from karat.systems.attachment.object_columns import columns_of_objects
from karat.systems.attachment.product_counting import sums_of_rows
from karat.systems.attachment.statistics import CooccurrenceStatistics
from karat.systems.groups.syntactic_objects import SyntacticObjects

PLACES = ("distance", "order")
_MOST_PAIRS = 1 << 16  # at a time


@dataclass(frozen=True, slots=True, eq=False)
class PairSignals:
    """The signals of every ordered pair of different objects of each sentence, a row each.

    `sentences` are the pairs' sentences; `left`, the possible parent, and `right` are numbers of objects. The `matrix`
    has the columns `names`: how many objects are between the two, 1 or -1 if the right one stands after or before the
    possible parent, then the association measures of each feature, all six of the first one before those of the
    second. They are 0 where there is no evidence, and where a feature of the wordnet finds no hypernym, or no pair
    of them that co-occurs often enough. The signal of handwritten rules is to come behind these columns.
    """

    sentences: Indices
    left: Indices
    right: Indices
    matrix: NDArray[np.float32]
    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.left)

    def column(self, name: str) -> NDArray[np.float32]:
        """The signal of this name, of all pairs."""
        return self.matrix[:, self.names.index(name)]


def signal_names(features: tuple[Feature, ...]) -> tuple[str, ...]:
    """The names of the columns: `distance`, `order`, and such as `valence.t-score`."""
    return (*PLACES, *(f"{one.name}.{measure}" for one in features for measure in ASSOCIATION_MEASURES))


def signals(
    statistics: CooccurrenceStatistics, objects: SyntacticObjects, *, leave_own_out: bool = True
) -> PairSignals:
    """The signals of all pairs of the objects of a text.

    Each sentence is left out of the counts with all its copies, sentences of the same word forms, unless
    `leave_own_out` is False. A `UsageError` if the text has tags of another tagset than the statistics.
    """
    statistics.refuse_other_tagset(objects.words.tagset)
    asked = columns_of_objects(objects, names=statistics.columns.names)
    sizes = np.diff(asked.offsets)
    left, right = ordered_pairs(asked.offsets[:-1], sizes)
    matrix = np.zeros((len(left), len(signal_names(statistics.features))), dtype=np.float32)
    matrix[:, 0] = np.abs(right - left) - 1
    matrix[:, 1] = np.sign(right - left)
    copies = statistics.copies(asked.hashes) if leave_own_out else no_copies(asked.n_sentences)
    parts = list(parts_of_pairs(asked.offsets, copies, statistics.columns.offsets))
    for number, counts in enumerate(counts_of_features(statistics, asked)):
        column, row = len(PLACES) + number * len(ASSOCIATION_MEASURES), 0
        for pairs in parts:
            measures = counts.contingency(pairs).measures()
            matrix[row : row + len(pairs), column : column + len(ASSOCIATION_MEASURES)] = measures
            row += len(pairs)
    return PairSignals(owners_of(sizes * (sizes - 1)), left, right, matrix, signal_names(statistics.features))


def no_copies(n_sentences: int) -> Ragged:
    """An empty row for each sentence."""
    return Ragged(np.zeros(n_sentences + 1, dtype=np.intp), np.zeros(0, dtype=np.intp))


def parts_of_pairs(offsets: Indices, copies: Ragged, counted: Indices) -> Iterator[AskedPairs]:
    """Sentences in a row, as many at a time as have few enough pairs, those of their copies included.

    `counted` are the offsets of the objects of the sentences that copies are numbers of.
    """
    n_pairs, n_counted = (sizes * (sizes - 1) for sizes in (np.diff(offsets), np.diff(counted)))
    n_before = np.append(0, np.cumsum(n_pairs + sums_of_rows(copies, n_counted)))
    bounds = np.searchsorted(n_before, np.arange(0, n_before[-1], _MOST_PAIRS), side="right") - 1
    bounds = np.unique(np.concatenate([[0], bounds, [len(n_pairs)]]))
    for first, stop in pairwise(bounds.tolist()):
        yield asked_pairs(offsets, first, stop, copies)
