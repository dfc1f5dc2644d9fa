"""How much a check of so many tokens will tell, before anyone has judged one.

It depends on how often people will side with the gold, which nobody knows yet. So two answers are given: if they do in
nine of ten tokens on which systems and gold differ, and if they do in one of two, which is the worst case.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from karat._arrays import Floats, Indices
from karat.inference.distributions import normal_quantile
from karat.inference.planning import minimum_detectable
from karat.noise.looking_early import POWER
from karat.noise.token_sampling import pair_allocation

WITH_GOLD = (0.9, 0.5)
_WRONG_WHERE_SAME = 0.02  # of tokens on which system and gold agree


def pair_variances(with_gold: float) -> Floats:
    """The variance of d in each stratum of a pair: −1 or 1 as the gold has it or not; anything where it has neither."""
    return np.array([4 * with_gold * (1 - with_gold)] * 2 + [2 / 3])


def one_variances(with_gold: float, *, knows_corpus_error: bool) -> Floats:
    """The variance of what a token adds to x: 2f + g if C is known, else f, and e where system and gold agree."""
    differ = with_gold * (1 - with_gold)
    same = _WRONG_WHERE_SAME * (1 - _WRONG_WHERE_SAME)
    return np.array([4 * differ, 0.0] if knows_corpus_error else [differ, same])


def expected_margin(
    sizes: Indices, numbers: Indices, variances: Sequence[float] | Floats, n: int, level: float
) -> float:
    """Half the length of the interval to be expected from so many tokens of each stratum, of n words in all.

    Infinite if a stratum that matters has no token in the sample.
    """
    return normal_quantile((1 + level) / 2) * _expected_error(sizes, numbers, variances, n)


def _expected_error(sizes: Indices, numbers: Indices, variances: Sequence[float] | Floats, n: int) -> float:
    variances = np.asarray(variances, dtype=np.float64)
    matters = (variances > 0) & (sizes > 0)
    if (numbers[matters] == 0).any():
        return math.inf
    left = 1 - numbers / np.maximum(sizes, 1)
    each = np.where(matters, (sizes / n) ** 2 * variances * left / np.maximum(numbers, 1), 0.0)
    return math.sqrt(float(each.sum()))


def settling_tokens(sizes: Indices, observed: float, n: int, level: float) -> int | None:
    """How many tokens of a pair's strata settle who is better with a power of POWER; None without a difference.

    If people mostly side with the gold, the real difference is the observed one times 2 · 0.9 − 1. The standard error
    is estimated, so that Student's t has the rows as degrees of freedom, and the interval moves in steps of two
    tokens: one judgement the other way.
    """
    real = abs(observed) * (2 * WITH_GOLD[0] - 1)
    if not real:
        return None
    variances = pair_variances(WITH_GOLD[0])
    low, high = 0, int(sizes.sum())
    while high - low > 1:
        middle = (low + high) // 2
        error = _expected_error(sizes, pair_allocation(sizes, middle), variances, n)
        found = minimum_detectable(error, max(middle - len(sizes), 1), level, POWER) + 2 / n
        low, high = (low, middle) if found < real else (middle, high)
    return high
