"""Signals: what a classifier is given of every ordered pair of objects [Slaski et al. 2012, §2.4]."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from karat._arrays import Indices
from karat._ragged import Ragged, owners_of
from karat.systems.attachment.agreement_counting import AgreementCounts
from karat.systems.attachment.association import ASSOCIATION_MEASURES
from karat.systems.attachment.contingency import AskedPairs, Contingency, asked_pairs, ordered_pairs
from karat.systems.attachment.feature_values import FeatureValues, feature_values
from karat.systems.attachment.features import Feature, Read
from karat.systems.attachment.hypernym_counting import HypernymCounts, keys_with_values
from karat.systems.attachment.hypernym_pair_counting import HypernymPairCounts
from karat.systems.attachment.object_columns import ObjectColumns, columns_of_objects
from karat.systems.attachment.product_counting import CountedText, counted_text, product_contingency
from karat.systems.attachment.statistics import CooccurrenceStatistics
from karat.systems.groups.syntactic_objects import SyntacticObjects

PLACES = ("distance", "order")
_MOST_PAIRS = 1 << 17  # at a time
_Asked = Callable[[AskedPairs], Contingency]


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
    for number, contingency in enumerate(contingencies(statistics, asked)):
        column, row = len(PLACES) + number * len(ASSOCIATION_MEASURES), 0
        for pairs in _parts(asked.offsets, copies):
            measures = contingency(pairs).measures()
            matrix[row : row + len(pairs), column : column + len(ASSOCIATION_MEASURES)] = measures
            row += len(pairs)
    return PairSignals(owners_of(sizes * (sizes - 1)), left, right, matrix, signal_names(statistics.features))


def no_copies(n_sentences: int) -> Ragged:
    """An empty row for each sentence."""
    return Ragged(np.zeros(n_sentences + 1, dtype=np.intp), np.zeros(0, dtype=np.intp))


def contingencies(statistics: CooccurrenceStatistics, asked: ObjectColumns) -> Iterator[_Asked]:
    """For each feature, one after the other, what gives the contingency tables of pairs of what is asked about."""
    counted = statistics.columns
    text = counted_text(counted.offsets)
    hypernyms = _Hypernyms(statistics, asked, text)
    for feature in statistics.features:
        if feature.kind == "wordnet":
            yield hypernyms.contingency(feature)
        elif any(one.what == "agreement" for one in feature.right):
            yield AgreementCounts(counted, asked, text).contingency
        else:
            left = feature_values(feature.left, counted, asked)
            yield _of_products(left, feature_values(feature.right, counted, asked), text)


def _of_products(left: FeatureValues, right: FeatureValues, text: CountedText) -> _Asked:
    return lambda pairs: product_contingency(left, right, text, pairs)


class _Hypernyms:
    """The hypernyms of all semantic heads, by lemma and part of speech, and the features that read them."""

    def __init__(self, statistics: CooccurrenceStatistics, asked: ObjectColumns, text: CountedText) -> None:
        self._statistics, self._asked, self._text = statistics, asked, text
        if statistics.wordnet is None:
            return
        counted = statistics.columns
        self._units = feature_values([Read("semantic", "lemma"), Read("semantic", "pos")], counted, asked)
        examples = np.zeros(self._units.n, dtype=np.intp)
        examples[np.concatenate([self._units.counted, self._units.asked])] = np.arange(len(counted) + len(asked))
        lemma, pos = (
            np.concatenate([counted.semantic[what], asked.semantic[what]]).take(examples).tolist()
            for what in ("lemma", "pos")
        )
        names = asked.names
        words = [
            (None if of < 0 else names["lemma"][of], None if tag < 0 else names["pos"][tag])
            for of, tag in zip(lemma, pos, strict=True)
        ]
        self._rows = statistics.wordnet.hypernyms(words, statistics.tagset)

    def contingency(self, feature: Feature) -> _Asked:
        """What gives the tables of one feature of the wordnet."""
        statistics, asked = self._statistics, self._asked
        assert statistics.wordnet is not None
        if feature.left == feature.right:
            parents, most = statistics.wordnet.parents, statistics.threshold
            return HypernymPairCounts(self._units, self._rows, parents, self._text, most=most).contingency
        left = feature_values(feature.left, statistics.columns, asked)
        units, keys = self._units, self._rows
        others = [one for one in feature.right if one.what != "hypernyms"]
        if others:
            units, keys = keys_with_values(units, keys, feature_values(others, statistics.columns, asked))
        return HypernymCounts(left, units, keys, self._text).contingency


def _parts(offsets: Indices, copies: Ragged) -> Iterator[AskedPairs]:
    """Sentences in a row, as many at a time as have few enough pairs."""
    sizes = np.diff(offsets)
    n_before = np.append(0, np.cumsum(sizes * (sizes - 1)))
    steps = np.arange(0, n_before[-1], _MOST_PAIRS)
    bounds = np.searchsorted(n_before, steps, side="right") - 1
    bounds = np.unique(np.concatenate([[0], bounds, [len(sizes)]]))
    for first, stop in pairwise(bounds.tolist()):
        yield asked_pairs(offsets, first, stop, copies)
