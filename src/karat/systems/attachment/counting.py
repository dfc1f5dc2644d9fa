"""The counts of all features, one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np

from karat.systems.attachment.agreement_counting import HeadAgreementCounts
from karat.systems.attachment.contingency import AskedPairs, Contingency
from karat.systems.attachment.feature_values import feature_values
from karat.systems.attachment.features import Feature, Read
from karat.systems.attachment.hypernym_counting import HypernymCounts, keys_with_values
from karat.systems.attachment.hypernym_pair_counting import HypernymPairCounts
from karat.systems.attachment.object_columns import ObjectColumns
from karat.systems.attachment.product_counting import CountedText, ProductCounts, counted_text
from karat.systems.attachment.statistics import CooccurrenceStatistics


class FeatureCounts(Protocol):
    """How often the values of a feature were observed."""

    @property
    def sizes(self) -> tuple[int, int, int]:
        """How many left values there are, how many right ones, and how many observations."""

    def contingency(self, pairs: AskedPairs) -> Contingency:
        """The tables of each pair in the whole text without the copies of its sentence."""


def counts_of_features(statistics: CooccurrenceStatistics, asked: ObjectColumns) -> Iterator[FeatureCounts]:
    """The counts of each feature, one after the other, for pairs of what is asked about."""
    counted = statistics.columns
    text = counted_text(counted.offsets)
    hypernyms = _Hypernyms(statistics, asked, text)
    for feature in statistics.features:
        if feature.kind == "wordnet":
            yield hypernyms.counts(feature)
        elif any(one.what == "agreement" for one in feature.right):
            yield HeadAgreementCounts(counted, asked, text)
        else:
            left = feature_values(feature.left, counted, asked)
            yield ProductCounts(left, feature_values(feature.right, counted, asked), text)


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

    def counts(self, feature: Feature) -> FeatureCounts:
        """The counts of one feature of the wordnet."""
        statistics, asked = self._statistics, self._asked
        assert statistics.wordnet is not None
        if feature.left == feature.right:
            parents, most = statistics.wordnet.parents, statistics.threshold
            return HypernymPairCounts(self._units, self._rows, parents, self._text, most=most)
        left = feature_values(feature.left, statistics.columns, asked)
        units, keys = self._units, self._rows
        others = [one for one in feature.right if one.what != "hypernyms"]
        if others:
            units, keys = keys_with_values(units, keys, feature_values(others, statistics.columns, asked))
        return HypernymCounts(left, units, keys, self._text)
