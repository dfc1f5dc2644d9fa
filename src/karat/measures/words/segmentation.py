"""How well the text was cut: tokens, sentences, words [CoNLL 2018 shared task]."""

from __future__ import annotations

import numpy as np

from karat._arrays import Flags, Floats, Indices
from karat.measures.measure import CORRECT, FIELDS, GOLD, SYSTEM, AlignedMeasure, GoldUnits
from karat.measures.words.comparison import Comparison


def _counts(comparison: Comparison, gold: Indices, system: Indices, correct: Indices) -> Floats:
    counts = np.zeros((comparison.n_rows, len(FIELDS)))
    for field, rows in enumerate((gold, system, correct)):
        counts[:, field] = np.bincount(rows, minlength=comparison.n_rows)
    return counts


def _flags(places: Indices, n: int) -> Flags:
    flags = np.zeros(n, dtype=np.bool_)
    flags[places] = True
    return flags


class Tokens(AlignedMeasure):
    name = "Tokens"
    what = "surface tokens with the same span"
    has_aligned = False

    def counts(self, comparison: Comparison) -> Floats:
        alignment = comparison.alignment
        ours, theirs, both = alignment.gold_token_rows, alignment.system_token_rows, alignment.matching_token_rows
        return _counts(comparison, ours, theirs, both)

    def gold_units(self, comparison: Comparison) -> GoldUnits:
        rows = comparison.alignment.gold_token_rows
        return GoldUnits(rows, _flags(comparison.alignment.matching_tokens, len(rows)))


class Sentences(AlignedMeasure):
    name = "Sentences"
    what = "sentences with the same span"
    has_aligned = False

    def counts(self, comparison: Comparison) -> Floats:
        alignment = comparison.alignment
        every = np.arange(comparison.n_rows)
        return _counts(comparison, every, alignment.system_sentence_rows, alignment.gold_sentences)

    def gold_units(self, comparison: Comparison) -> GoldUnits:
        n = comparison.n_rows
        return GoldUnits(np.arange(n), _flags(comparison.alignment.gold_sentences, n))


class Words(AlignedMeasure):
    name = "Words"
    what = "words that match"
    has_aligned = False

    def counts(self, comparison: Comparison) -> Floats:
        counts = np.zeros((comparison.n_rows, len(FIELDS)))
        counts[:, GOLD] = comparison.tally("gold")
        counts[:, SYSTEM] = comparison.tally("system")
        counts[:, CORRECT] = comparison.tally("matching")
        return counts

    def gold_units(self, comparison: Comparison) -> GoldUnits:
        n = comparison.gold.n_words
        return GoldUnits(comparison.gold.words_sentence, _flags(comparison.alignment.gold_words, n), np.arange(n))
