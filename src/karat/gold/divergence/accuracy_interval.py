"""An interval of the accuracy with which corpora are told apart, which holds chance exactly if the test does."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from karat._arrays import Floats
from karat.inference.distributions import t_quantile, t_tail

Ends = tuple[float, float]

_CHANCE = 0.5
_N_HALVINGS = 30


def accuracy_interval(accuracy: float, error: float, df: float, level: float, permuted: Floats | None) -> Ends:
    """The confidence interval of an accuracy, for other documents of the same corpora.

    `error` is the standard error by which documents are classified, `permuted` are the accuracies after permutations
    (None without). It is made of all accuracies that the data does not reject, by Student's t with a standard error
    that depends on the accuracy supposed:

    - at chance, what the permutations show: their upper point at `level` is the largest accuracy not rejected. So the
      interval lies above 0.5 exactly if p ≤ 1 - level.
    - at the accuracy found, more: who is learnt from is chance, too, as who is classified is. At chance both share
      one variance, which is therefore twice `error`²; what `error`² has beyond that is due to how typical each
      document is of its corpus, which counts once when it is learnt from and once when it is classified, so twice in
      the standard error. That cannot exceed 2 · `error`.
    - in between, the additional variance grows with the square of the distance from chance.

    No corpora can be told apart worse than by chance in the long run, so that the interval is that of a parameter with
    a lower bound [Feldman & Cousins 1998]: one-sided at the bound, two-sided well above it. An interval that holds
    chance reaches below it, as far as chance is seen to reach above.
    """
    reach_of_chance = _reach_of_chance(error, df, level, permuted)
    at_chance = reach_of_chance / t_quantile(level, df)
    here = math.sqrt(min(4 * error**2, max(at_chance**2, 4 * error**2 - at_chance**2)))
    distance = accuracy - _CHANCE

    def supposed(x: float) -> float:
        """The standard error if the accuracy were x above chance."""
        share = min(1.0, x / distance) if distance > 0 else 0.0
        return math.sqrt(max(0.0, at_chance**2 + (here**2 - at_chance**2) * share**2))

    def highest(x: float) -> float:
        """The largest accuracy, above chance, that x does not reject."""
        return x + _reaches(x, supposed(x), df, level)[1]

    def lowest(x: float) -> float:
        return x - _reaches(x, supposed(x), df, level)[0]

    upper = _CHANCE + _crossing(lambda x: lowest(x) <= distance, max(distance, 0.0), 1 - _CHANCE)
    if distance <= reach_of_chance:
        return max(0.0, accuracy - reach_of_chance), upper
    lower = _CHANCE + _crossing(lambda x: highest(x) < distance, 0.0, distance)
    return max(lower, math.nextafter(_CHANCE, 1)), upper


def _reach_of_chance(error: float, df: float, level: float, permuted: Floats | None) -> float:
    """By how much chance may exceed 0.5: as the permutations have it or, with too few of these, as theory does."""
    n_above = int((1 - level) * (1 + len(permuted)) + 1e-9) if permuted is not None else 0
    if permuted is None or not n_above:
        return math.sqrt(2) * error * t_quantile(level, df)
    most = float(np.partition(permuted, len(permuted) - n_above)[len(permuted) - n_above])
    return max(0.0, most - _CHANCE)


def _reaches(x: float, error: float, df: float, level: float) -> Ends:
    """How far below and above x an observation may lie, by the order of likelihood ratios [Feldman & Cousins 1998].

    The order is that of the normal distribution, the probabilities are Student's. For x well above the bound, 0, both
    are those of a two-sided interval; at the bound nothing is too low.
    """
    two_sided = t_quantile((1 + level) / 2, df)
    if x >= two_sided * error:
        return two_sided * error, two_sided * error
    mean = x / error

    def below(above: float) -> float:
        """The reach below of the same likelihood ratio as a reach above."""
        return above if mean >= above else (mean**2 + above**2) / (2 * mean) if mean else math.inf

    def covers(above: float) -> bool:
        return t_tail(above, df) + t_tail(below(above), df) <= 1 - level

    above = _crossing(lambda reach: not covers(reach), 0.0, two_sided)
    return below(above) * error, above * error


def _crossing(holds: Callable[[float], bool], low: float, high: float) -> float:
    """Where what holds below ceases to hold, between two values; the upper one if it holds there still."""
    if holds(high):
        return high
    for _ in range(_N_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low
