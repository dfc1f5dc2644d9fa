"""What Slaski, Acedański & Przepiórkowski 2012 print: Table 1, and the baseline of section 3."""

from __future__ import annotations

from collections.abc import Mapping

# Table 1: pairs found that are edges, found that are none, edges not found, and the rest
CONFUSION: Mapping[str, tuple[int, int, int, int]] = {
    "all": (2674, 319, 1781, 21250),
    "wordnet": (1933, 241, 1008, 13041),
}
BASELINE = (0.78, 0.47, 0.59)  # precision, recall, F-measure
GAIN = 0.13  # of F-measure over the baseline
PRECISION = 0.89  # at which recall is shown


def ratios(confusion: tuple[int, int, int, int]) -> tuple[float, float, float]:
    """Precision, recall and F-measure of a confusion matrix.

    >>> [round(one, 3) for one in ratios(CONFUSION["all"])]
    [0.893, 0.6, 0.718]
    """
    right, wrong, missed, _ = confusion
    return right / (right + wrong), right / (right + missed), 2 * right / (2 * right + wrong + missed)
