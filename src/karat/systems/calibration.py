"""Probabilities that mean what they say: how they are made of a tagger's scores, and how far they are off.

Log-probabilities are divided by the temperature that makes held-out labels likeliest [Guo et al. 2017]. Labels that a
tagger does not consider for a word (a hidden Markov model: those that a form never had) have some probability too: as
often as such a label was the right one in held-out text.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from karat._arrays import Flags, Floats, Ids

N_BINS = 10
_COLDEST, _HOTTEST = 1e-3, 1e4
_GOLDEN = (math.sqrt(5) - 1) / 2
_STEPS = 60


@dataclass(frozen=True, slots=True)
class Calibration:
    """The temperature, and the probability of all labels together that were not considered."""

    temperature: float = 1.0
    others: float = 0.0

    def probabilities(self, log_probabilities: Floats) -> Floats:
        """Calibrated probabilities [words × labels], which sum to 1; -inf is what was not considered."""
        found = log_probabilities / self.temperature
        found -= found.max(axis=1, keepdims=True)
        np.exp(found, out=found)
        found /= found.sum(axis=1, keepdims=True)
        if self.others:
            is_other = np.isneginf(log_probabilities)
            n_others = is_other.sum(axis=1, keepdims=True)
            found *= np.where(n_others, 1 - self.others, 1.0)
            found += is_other * (self.others / np.maximum(n_others, 1))
        return found


def calibration_from(log_probabilities: Floats, right: Ids) -> Calibration:
    """The calibration that fits held-out words [words × labels] and their right labels (-1: none of those known)."""
    of_right = np.where(right >= 0, log_probabilities[np.arange(len(right)), right], -np.inf)
    is_considered = np.isfinite(of_right)
    has_others = np.isneginf(log_probabilities).any(axis=1)
    n_others = int((has_others & ~is_considered).sum())
    others = n_others / (int(has_others.sum()) + 1)
    return Calibration(_best_temperature(log_probabilities[is_considered], of_right[is_considered]), others)


def _best_temperature(log_probabilities: Floats, of_right: Floats) -> float:
    """The temperature at which the right labels are likeliest; 1 where there is nothing to see.

    The logarithm of the likelihood is concave in 1/temperature, so that a search by golden sections finds it.
    """
    if not len(of_right) or (log_probabilities.max(axis=1) == of_right).all():
        return 1.0
    largest = log_probabilities.max(axis=1, keepdims=True)
    scores, of_right = log_probabilities - largest, of_right - largest[:, 0]

    def loss(log_temperature: float) -> float:
        scale = math.exp(-log_temperature)
        return float((np.log(np.exp(scores * scale).sum(axis=1)) - of_right * scale).mean())

    low, high = math.log(_COLDEST), math.log(_HOTTEST)
    inner = [high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)]
    values = [loss(one) for one in inner]
    for _ in range(_STEPS):
        if values[0] <= values[1]:
            high, inner[1], values[1] = inner[1], inner[0], values[0]
            inner[0] = high - _GOLDEN * (high - low)
            values[0] = loss(inner[0])
        else:
            low, inner[0], values[0] = inner[0], inner[1], values[1]
            inner[1] = low + _GOLDEN * (high - low)
            values[1] = loss(inner[1])
    return math.exp((low + high) / 2)


def expected_calibration_error(confidence: Floats, is_right: Flags, n_bins: int = N_BINS) -> float:
    """How far the probability of the likeliest label is from how often it is right, as a share [Guo et al. 2017].

    Words are put into bins of equal width by that probability, the `confidence`; the mean over bins, weighted by their
    words, of the distance between mean probability and share of right labels. 0 without words.
    """
    if not len(confidence):
        return 0.0
    bins = np.minimum((confidence * n_bins).astype(np.intp), n_bins - 1)
    sums = np.bincount(bins, weights=is_right - confidence, minlength=n_bins)
    return float(np.abs(sums).sum() / len(confidence))
