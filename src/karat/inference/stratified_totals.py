"""How sure we are of a total in a finite population of which strata were sampled at random, without replacement.

A person judged some of the units of each stratum; the total is of all units, judged or not. What is random is which
units were drawn. A stratum that was judged to the last unit is known, and a total of such strata has no interval but
itself.

For one stratum it is the mid-p interval of the hypergeometric distribution: all numbers a of accepted units for which
both P(X > x) + ½ P(X = x) and P(X < x) + ½ P(X = x) exceed half of what the level leaves, where x of the n judged units
were accepted [Lancaster 1961; for finite populations as in Wright 1991]. As a function of a the first of them is a
confidence distribution. Strata are independent, so that the distribution of a sum of totals is the convolution of
theirs. It is deterministic: nothing is drawn. Of a stratum of 600 units of which 60 are drawn, 95 % intervals cover the
total in 95.5 % of the samples on average over all totals, and in 92.7 % at the least. Jeffreys' prior has 95 % on
average too, but 90 % at the least, and Clopper and Pearson's way 97 % on average.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from karat._arrays import Floats, Indices

_NEGLIGIBLE = 1e-12  # of a distribution's tails
_ROUNDING = 1e-9  # what computing a tail may be off by, as a part of it
_FEW_JUDGED, _FEW_ALIKE = 30, 10  # in a stratum, below which it is judged with others like it


@dataclass(frozen=True, slots=True)
class SampledStratum:
    """A stratum of `size` units of which `judged` were drawn at random and `accepted` of these were accepted.

    `accepted` need not be whole where it comes from weights. `factor` is what an accepted unit adds to the total:
    −1 takes one off, 0 leaves the stratum out.
    """

    size: int
    judged: int
    accepted: float
    factor: int = 1

    def __post_init__(self) -> None:
        if not 0 <= self.judged <= self.size or not 0 <= self.accepted <= self.judged:
            raise ValueError(f"not a sample of a stratum: {self.accepted} of {self.judged} of {self.size}")

    @property
    def total(self) -> float:
        """The estimated number of accepted units; nan where none was judged."""
        if not self.judged:
            return math.nan if self.size else 0.0
        return self.size * self.accepted / self.judged


def total_interval(strata: Sequence[SampledStratum], level: float = 0.95) -> tuple[float, float]:
    """The interval of Σ factor × accepted units over all units of all strata; it holds the estimate.

    A stratum of which nothing was judged may have any number of accepted units.

    >>> total_interval([SampledStratum(size=600, judged=60, accepted=0)])
    (0.0, 27.0)
    >>> total_interval([SampledStratum(600, 600, 20), SampledStratum(40, 40, 3, factor=-1)])
    (17.0, 17.0)
    """
    if not 0.5 <= level < 1:
        raise ValueError(f"level {level}: it must lie between 0.5 and 1")
    tail = (1 - level) / 2
    known, unseen_below, unseen_above = 0.0, 0, 0
    sampled = []
    for one in strata:
        reach = one.factor * one.size
        if one.factor and one.judged == one.size:
            known += one.factor * one.accepted
        elif one.factor and not one.judged:
            unseen_below, unseen_above = unseen_below + min(reach, 0), unseen_above + max(reach, 0)
        elif one.factor:
            sampled.append(one)
    estimate = sum(one.factor * one.total for one in sampled)
    if not sampled:
        ends = (0.0, 0.0)
    elif len(sampled) == 1:
        ends = _ends_of_one(sampled[0], tail)
    else:
        ends = _ends_of_sum(sampled, tail)
    lower, upper = min(ends[0], estimate), max(ends[1], estimate)
    return known + unseen_below + lower, known + unseen_above + upper


def collapsed(strata: Sequence[SampledStratum]) -> list[SampledStratum]:
    """Strata of one kind with the small ones put together: those of few judged units, of few accepted or few rejected.

    The confidence distribution of a stratum with few of them is skewed, and the skews of many add up: of ten strata
    with 15 judged units each and a share of 2 %, the convolution would cover 65 % of the samples. All strata must have
    the same factor. They are put together as one sample of as many units as their weights are worth [Kish 1965]; where
    the allocation was proportional, that is slightly more cautious than strata are.
    """
    kinds: dict[str, list[SampledStratum]] = {}
    for place, one in enumerate(strata):
        is_known = one.judged in (0, one.size)
        if not is_known and one.judged < _FEW_JUDGED:
            kind = "few judged"
        elif not is_known and min(one.accepted, one.judged - one.accepted) < _FEW_ALIKE:
            kind = "few accepted" if one.accepted < one.judged / 2 else "few rejected"
        else:
            kind = f"{place}"
        kinds.setdefault(kind, []).append(one)
    return [_together(of_kind) if len(of_kind) > 1 else of_kind[0] for of_kind in kinds.values()]


def _together(strata: Sequence[SampledStratum]) -> SampledStratum:
    size = sum(one.size for one in strata)
    judged = max(math.floor(size**2 / sum(one.size**2 / one.judged for one in strata) + 1e-9), 1)
    share = min(sum(one.total for one in strata) / size, 1.0)
    return SampledStratum(size, judged, judged * share, strata[0].factor)


# ---- one stratum -----------------------------------------------------------------------------------------------------


def _ends_of_one(stratum: SampledStratum, tail: float) -> tuple[float, float]:
    """The mid-p interval of one stratum's total, times its factor; a total exactly at its limit is outside."""
    ends = []
    limit = tail * (1 + _ROUNDING)
    for accepted, weight in _whole_numbers(stratum.accepted):
        curve = _confidence(stratum.size, stratum.judged, accepted)
        inside = np.flatnonzero((curve > limit) & (curve < 1 - limit))
        ends.append((weight, accepted + int(inside[0]), accepted + int(inside[-1])))
    low, high = (stratum.factor * sum(one[0] * one[place] for one in ends) for place in (1, 2))
    return min(low, high), max(low, high)


def _whole_numbers(number: float) -> list[tuple[int, float]]:
    """The whole numbers below and above a number, with weights of which it is the mean; itself if it is whole."""
    below = math.floor(number + 1e-9)
    part = number - below
    return [(below, 1.0)] if part <= 1e-9 else [(below, 1 - part), (below + 1, part)]


def _confidence(size: int, judged: int, accepted: int) -> Floats:
    """P(X > x) + ½ P(X = x) for each total a that is possible, from x = `accepted` on: it rises with a.

    P(X ≤ x) falls from a to a + 1 by the probability that the unit that becomes accepted is drawn, along with x of the
    a others: n/N times the hypergeometric probability of x among N − 1 units of which n − 1 are drawn.
    """
    totals = np.arange(accepted, size - judged + accepted + 1)
    factorials = np.concatenate([np.zeros(1), np.cumsum(np.log(np.arange(1.0, size + 1)))])
    steps = judged / size * _hypergeometric(factorials, size - 1, totals[:-1], judged - 1, accepted)
    above = np.concatenate([np.zeros(1), np.cumsum(steps)])
    found: Floats = above + _hypergeometric(factorials, size, totals, judged, accepted) / 2
    return found


def _hypergeometric(factorials: Floats, size: int, totals: Indices, judged: int, accepted: int) -> Floats:
    """The probability that of `judged` units drawn `accepted` are among the `totals` accepted of `size`."""
    if accepted > judged:
        return np.zeros(len(totals))
    rest = size - totals - (judged - accepted)
    is_possible = rest >= 0
    at = totals[is_possible]
    logs = factorials[at] - factorials[accepted] - factorials[at - accepted]
    logs += factorials[size - at] - factorials[judged - accepted] - factorials[rest[is_possible]]
    logs -= factorials[size] - factorials[judged] - factorials[size - judged]
    found = np.zeros(len(totals))
    found[is_possible] = np.exp(logs)
    return found


# ---- the sum of several ----------------------------------------------------------------------------------------------


def _ends_of_sum(strata: Sequence[SampledStratum], tail: float) -> tuple[float, float]:
    """The ends of the convolution of the strata's confidence distributions."""
    start, weights = 0, np.ones(1)
    for one in strata:
        first, of_stratum = _trimmed(*_distribution(one))
        start, weights = _trimmed(start + first, _convolved(weights, of_stratum))
    middle = np.cumsum(weights) - weights / 2
    inside = np.flatnonzero((middle > tail) & (middle < 1 - tail))
    if not len(inside):  # one number has nearly all of it
        inside = np.array([int(weights.argmax())])
    return float(start + inside[0]), float(start + inside[-1])


def _distribution(stratum: SampledStratum) -> tuple[int, Floats]:
    """The smallest value of factor × total, and the weights of all from it on: the confidence curve between totals."""
    first = math.floor(stratum.accepted + 1e-9)
    weights = np.zeros(stratum.size - stratum.judged + 2)
    for accepted, share in _whole_numbers(stratum.accepted):
        curve = _confidence(stratum.size, stratum.judged, accepted)
        between = np.concatenate([np.zeros(1), (curve[:-1] + curve[1:]) / 2, np.ones(1)])
        weights[accepted - first : accepted - first + len(curve)] += share * np.diff(between)
    step = abs(stratum.factor)
    spread = np.zeros(step * (len(weights) - 1) + 1)
    spread[::step] = weights
    if stratum.factor > 0:
        return step * first, spread
    return -step * (first + len(weights) - 1), spread[::-1]


def _trimmed(start: int, weights: Floats) -> tuple[int, Floats]:
    """A distribution without its negligible tails."""
    kept = np.flatnonzero(weights > _NEGLIGIBLE)
    inside = weights[kept[0] : kept[-1] + 1]
    return start + int(kept[0]), inside / inside.sum()


def _convolved(one: Floats, other: Floats) -> Floats:
    n = len(one) + len(other) - 1
    if min(len(one), len(other)) < 200:
        return np.convolve(one, other)
    found: Floats = np.fft.irfft(np.fft.rfft(one, n) * np.fft.rfft(other, n), n)
    return np.maximum(found, 0)
