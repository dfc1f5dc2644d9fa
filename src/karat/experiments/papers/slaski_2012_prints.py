"""What Slaski, Acedański & Przepiórkowski 2012 print: Table 1, the baseline of section 3, and how much of what."""

from __future__ import annotations

from collections.abc import Mapping

# Table 1: pairs found that are edges, found that are none, edges not found, and the rest
CONFUSION: Mapping[str, tuple[int, int, int, int]] = {
    "all": (2674, 319, 1781, 21250),
    "wordnet": (1933, 241, 1008, 13041),
}
ABOUT: Mapping[str, str] = {"all": "all pairs", "wordnet": "both in the wordnet"}
# Table 1: precision, recall and F-measure, as printed
TABLE_1_RATIOS: Mapping[str, tuple[str, str, str]] = {
    "all": ("0.89", "0.60", "0.72"),
    "wordnet": ("0.89", "0.66", "0.76"),
}
ABSTRACT = ("89 %", "65 %", "6 %")  # precision, recall, and further recall on words of the wordnet
BASELINE = (0.78, 0.47, 0.59)  # precision, recall, F-measure
GAIN = 0.13  # of F-measure over the baseline
PRECISION = 0.89  # at which recall is shown
NEAR_TOPS = ("rules", "distance")  # the signals most often near the tops of trees, in this order
# section 2: features (all, those that combine case, gender and number, those of the wordnet), measures, rules
FEATURES, MORPHOSYNTACTIC, COMBINED, OF_WORDNET, MEASURES, RULES = 14, 10, 7, 3, 6, 14
WORDS, THRESHOLD = 1_000_000, 30
SIGNALS: Mapping[str, int] = {"lexical": 6, "morphosyntactic": 60, "wordnet": 18}
# section 3; of tokens and pairs, "over" so many
ANNOTATORS, SENTENCES, TOKENS, PAIRS, FOLDS = 2, 963, 8000, 23500, 10
MOST_SIGNALS, MOST_SENTENCES = 100, 1000  # section 5: "less than"


def ratios(confusion: tuple[int, int, int, int]) -> tuple[float, float, float]:
    """Precision, recall and F-measure of a confusion matrix.

    >>> [round(one, 3) for one in ratios(CONFUSION["all"])]
    [0.893, 0.6, 0.718]
    """
    right, wrong, missed, _ = confusion
    return right / (right + wrong), right / (right + missed), 2 * right / (2 * right + wrong + missed)
