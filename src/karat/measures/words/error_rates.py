"""Error rates of a column's labels, with errors on some words set aside [Wisniewski & Yvon 2019, eq. 1].

    ε_full      errors / words
    ε_ignoring  errors that are not set aside / words
    ε_outside   errors that are not set aside / words outside of what is set aside

Which words are set aside comes in as data: a flag for every gold word.
"""

from __future__ import annotations

import numpy as np

from karat._arrays import Flags, Floats
from karat.measures.measure import AlignedMeasure, GoldUnits, Ratio
from karat.measures.words.comparison import Comparison

ERROR_FIELDS = ("words", "errors", "set aside", "covered")
WORDS, ERRORS, SET_ASIDE, COVERED = range(4)

_full = Ratio("error", (ERRORS,), (WORDS,))
_ignoring = Ratio("error", (ERRORS,), (WORDS,), less=(SET_ASIDE,))
_outside = Ratio("error", (ERRORS,), (WORDS,), less=(SET_ASIDE,), less_below=(COVERED,))


class ErrorRate(AlignedMeasure):
    """The share of gold words with another label than the system's, or with no match in the system."""

    family = "error rates"
    source = "Wisniewski & Yvon 2019"
    fields = ERROR_FIELDS
    has_parts = False
    has_aligned = False
    lower_is_better = True

    def __init__(self, name: str, what: str, value: Ratio, column: str, is_covered: Flags | None) -> None:
        self.name, self.what, self.value, self.ratio, self.column = name, what, value, value, column
        self.needs = (column,)
        self.source = "karat" if value is _outside else ErrorRate.source
        self.is_covered = is_covered

    def wrong(self, comparison: Comparison) -> Flags:
        """For every gold word whether the system has it wrong; sentences that are not in the test have no errors."""
        right = np.zeros(comparison.gold.n_words, dtype=np.bool_)
        right[comparison.alignment.gold_words] = comparison.same(self.column)
        return ~right & comparison.alignment.kept.take(comparison.gold.words_sentence)

    def counts(self, comparison: Comparison) -> Floats:
        gold = comparison.gold
        is_wrong = self.wrong(comparison)
        nothing = np.zeros(gold.n_words, dtype=np.bool_)
        is_covered = nothing if self.is_covered is None else self.is_covered
        in_test = comparison.alignment.kept.take(gold.words_sentence)
        flags = (in_test, is_wrong, is_wrong & is_covered, is_covered)
        tallies = [np.bincount(gold.words_sentence[flag], minlength=gold.n_sentences) for flag in flags]
        return np.column_stack(tallies).astype(np.float64)

    def gold_units(self, comparison: Comparison) -> GoldUnits:
        words = np.arange(comparison.gold.n_words)
        return GoldUnits(comparison.gold.words_sentence, ~self.wrong(comparison), words)

    def is_defined(self, counts: Floats) -> bool:
        return bool(self.ratio.bottom(counts.reshape(-1, len(ERROR_FIELDS)).sum(axis=0)))


def error_rates(column: str = "upos", is_covered: Flags | None = None) -> tuple[ErrorRate, ErrorRate, ErrorRate]:
    """ε_full, ε_ignoring and ε_outside of a column, given which gold words are set aside."""
    return (
        ErrorRate("ε_full", "errors per word", _full, column, is_covered),
        ErrorRate("ε_ignoring", "errors outside suspicious repeats, per word", _ignoring, column, is_covered),
        ErrorRate("ε_outside", "errors per word outside suspicious repeats", _outside, column, is_covered),
    )
