"""How well the text was cut: tokens, sentences, words [CoNLL 2018 shared task]."""

from __future__ import annotations

import numpy as np

from karat._arrays import Floats, Indices
from karat.measures._comparison import Comparison
from karat.measures._measure import CORRECT, FIELDS, GOLD, SYSTEM, Measure

__all__ = ["Sentences", "Tokens", "Words"]


def _counts(comparison: Comparison, gold: Indices, system: Indices, correct: Indices) -> Floats:
    counts = np.zeros((comparison.n_rows, len(FIELDS)))
    for field, rows in enumerate((gold, system, correct)):
        counts[:, field] = np.bincount(rows, minlength=comparison.n_rows)
    return counts


class Tokens(Measure):
    name = "Tokens"
    what = "surface tokens with the same span"
    has_aligned = False

    def counts(self, comparison: Comparison) -> Floats:
        alignment = comparison.alignment
        ours, theirs, both = alignment.gold_token_rows, alignment.system_token_rows, alignment.matching_token_rows
        return _counts(comparison, ours, theirs, both)


class Sentences(Measure):
    name = "Sentences"
    what = "sentences with the same span"
    has_aligned = False

    def counts(self, comparison: Comparison) -> Floats:
        alignment = comparison.alignment
        every = np.arange(comparison.n_rows)
        return _counts(comparison, every, alignment.system_sentence_rows, alignment.gold_sentences)


class Words(Measure):
    name = "Words"
    what = "words that match"
    has_aligned = False

    def counts(self, comparison: Comparison) -> Floats:
        counts = np.zeros((comparison.n_rows, len(FIELDS)))
        counts[:, GOLD] = comparison.tally("gold")
        counts[:, SYSTEM] = comparison.tally("system")
        counts[:, CORRECT] = comparison.tally("matching")
        return counts
