"""Sentences in which everything is right."""

from __future__ import annotations

import numpy as np

from karat._arrays import Floats
from karat.measures.measure import ALIGNED, CORRECT, FIELDS, GOLD, SYSTEM, AlignedMeasure, GoldUnits, WordMeasure
from karat.measures.words.comparison import Comparison


class ExactMatch(AlignedMeasure):
    """Sentences of the same span all of whose words match and are right by some measure of words."""

    source = "karat"

    def __init__(self, of: WordMeasure) -> None:
        self.of = of
        self.name = f"Exact{of.name}"
        self.needs = of.needs
        self.what = f"whole sentences right in {of.name}"

    def counts(self, comparison: Comparison) -> Floats:
        alignment = comparison.alignment
        by_word = self.of.counts(comparison)
        ours, theirs = alignment.gold_sentences, alignment.system_sentences
        lengths = np.diff(comparison.system.sentence_offsets)[theirs]
        right = by_word[ours, CORRECT]
        is_exact = (right == by_word[ours, GOLD]) & (right == lengths)
        counts = np.zeros((comparison.n_rows, len(FIELDS)))
        counts[:, GOLD] = 1
        counts[:, SYSTEM] = np.bincount(alignment.system_sentence_rows, minlength=comparison.n_rows)
        counts[:, CORRECT] = np.bincount(ours[is_exact], minlength=comparison.n_rows)
        counts[:, ALIGNED] = np.bincount(ours, minlength=comparison.n_rows)
        return counts

    def gold_units(self, comparison: Comparison) -> GoldUnits:
        return GoldUnits(np.arange(comparison.n_rows), self.counts(comparison)[:, CORRECT] > 0)
