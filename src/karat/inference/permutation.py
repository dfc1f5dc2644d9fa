"""Is the difference of two systems more than chance? Tests that swap the two systems' results, cluster by cluster.

If the systems are equally good, what one did on a cluster could as well have been the other's. Of all 2ⁿ ways to swap,
how many give a difference at least as large as the one seen? Where both systems are measured over the same number of
units, the answer is exact; otherwise random swaps estimate it (approximate randomisation [Noreen 1989], studentised).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from karat._arrays import Floats, Indices
from karat.inference.clusters import smallest_p
from karat.inference.distributions import SMALLEST_P
from karat.inference.options import InferenceOptions
from karat.inference.resampling import canonical_order, shuffle_sums
from karat.measures.measure import Ratio, Statistic

EXACT = "exact permutation"
RANDOMISATION = "studentised randomisation"
TAIL = "studentised randomisation, tilted tail"
_MOST_AT_ONCE = 2**21  # cosines
_MOST_WORK = 5e7  # cosines in all: some seconds
_TIE = 1e-12
_LARGEST = 1e300  # stands for a difference without any error
_N_TILTED = 2000


@dataclass(frozen=True, slots=True)
class PermutationTest:
    """A two-sided p and mid-p; where `is_upper_bound`, the true p is smaller than the p given.

    `n_differing` is how many clusters could change anything.
    """

    method: str
    p: float
    mid_p: float
    is_upper_bound: bool
    n_differing: int
    n_resamples: int = 0


def integer_differences(a: Floats, b: Floats, value: Statistic) -> Indices | None:
    """The clusters' differences b − a of the numerators where exact arithmetic will do, else None.

    That is so if both systems have the same denominator in every cluster, so that a swap changes numerators only, and
    these are whole numbers, not so large and various that the exact test would take long.
    """
    if not isinstance(value, Ratio) or not np.array_equal(value.bottom(a), value.bottom(b)):
        return None
    differences = value.top(b) - value.top(a)
    whole = np.rint(differences)
    if not np.array_equal(whole, differences):
        return None
    sizes = np.abs(whole)
    if sizes.sum() * len(np.unique(sizes)) > _MOST_WORK:
        return None
    return whole.astype(np.intp)


def exact_test(differences: Indices) -> PermutationTest:
    """The exact two-sided test on the clusters' integer differences dᵢ.

    T = Σ ±dᵢ has the characteristic function Π cos(dᵢ t). T lies on every second integer from −Σ|dᵢ| to Σ|dᵢ|, so one
    inverse Fourier transform of the product gives the probability of every value: no resampling [Pagano & Tritchler
    1983]. Equal |dᵢ| share a cosine. Rounding errors are below SMALLEST_P.

    >>> exact_test(np.array([2, 1, 0, 1])).p  # of 8 patterns of signs, +++ and −−− reach 4
    0.25
    """
    differences = np.asarray(differences, dtype=np.intp)
    sizes = np.abs(differences[differences != 0])
    if not len(sizes):
        return PermutationTest(EXACT, 1.0, 0.5, False, 0)
    unit = int(np.gcd.reduce(sizes))
    sizes = sizes // unit
    total, observed = int(sizes.sum()), abs(int(differences.sum())) // unit
    probabilities = _probabilities(sizes)
    values = np.abs(np.arange(-total, total + 1, 2))
    beyond, equal = (float(probabilities[chosen].sum()) for chosen in (values > observed, values == observed))
    p, mid_p = beyond + equal, beyond + equal / 2
    if p < SMALLEST_P or mid_p <= 0:
        return PermutationTest(EXACT, SMALLEST_P, SMALLEST_P, True, len(sizes))
    return PermutationTest(EXACT, min(p, 1.0), min(mid_p, 1.0), False, len(sizes))


def _probabilities(sizes: Indices) -> Floats:
    """The probabilities of −S, −S + 2, …, S for the sum of numbers of these sizes with random signs, S their sum.

    The k-th value is 2k − S where k is a sum of independent choices of 0 or |dᵢ|; its Fourier transform at ω = 2α is
    exp(−iSα) Π cos(|dᵢ|α). Angles are reduced in integers, and logarithms of cosines summed, so that rounding does not
    grow with the number of clusters.
    """
    total = int(sizes.sum())
    distinct, times = np.unique(sizes, return_counts=True)
    length = _good_length(total + 1)
    steps = np.arange(length // 2 + 1)  # α = π · step / length
    product = np.empty(len(steps))
    at_once = max(1, _MOST_AT_ONCE // len(distinct))
    for start in range(0, len(steps), at_once):
        some = slice(start, start + at_once)
        turns = np.outer(distinct, steps[some]) % (2 * length)
        with np.errstate(divide="ignore"):
            logs = 0.5 * np.log1p(-(np.sin(turns * (np.pi / length)) ** 2))
        is_negative = (2 * turns > length) & (2 * turns < 3 * length)
        n_negative = (times % 2) @ is_negative
        product[some] = np.exp(times @ logs) * np.where(n_negative % 2, -1.0, 1.0)
    phases = (steps * total % (2 * length)) * (np.pi / length)
    found: Floats = np.fft.irfft(product * np.exp(-1j * phases), n=length)[: total + 1]
    return found  # rounding leaves some a little below 0; cutting it off would add up over many values


def _good_length(n: int) -> int:
    """The smallest even 2ᵃ·3ᵇ·5ᶜ that is at least n: Fourier transforms of such lengths are fast."""
    best = 1 << max(1, (n - 1).bit_length())
    five = 1
    while five < best:
        three = five
        while three < best:
            two = three * max(2, 1 << max(0, (-(-n // three) - 1).bit_length()))
            best = min(best, two) if two >= n else best
            three *= 3
        five *= 5
    return best


def randomisation_tests(
    pairs: Sequence[tuple[Floats, Floats]], value: Statistic, options: InferenceOptions
) -> list[PermutationTest]:
    """The test by random swaps for each pair of systems, given as counts a and b [clusters × fields].

    What is compared is the difference over its standard error, both after each swap: without the error, a system with
    many more units than the other makes p too small [Chung & Romano 2013; for pairs Konietschke & Pauly 2014].
    p = (1 + number of swaps that differ at least as much) / (1 + number of swaps), which is valid for any number of
    them. Where no swap differs as much, p is smaller than these swaps can show, which would leave nothing to be found
    among many pairs: then swaps are drawn that differ more than most (`_tilted_p`). Exchanging a and b changes nothing.
    """
    swaps = [_Swaps.of(a, b, value) for a, b in pairs]
    every, n_resamples = shuffle_sums([one.changes for one in swaps], options), options.n_resamples
    found = []
    for one, sums in zip(swaps, every, strict=True):
        observed = float(one.studentised(np.zeros((1, sums.shape[1])))[0])
        sizes = np.abs(one.studentised(sums))
        n_equal = int((np.abs(sizes - abs(observed)) <= _TIE * (1 + abs(observed))).sum())
        n_beyond = int((sizes > abs(observed) + _TIE * (1 + abs(observed))).sum())
        p, mid_p = (1 + n_beyond + n_equal) / (1 + n_resamples), (n_beyond + (1 + n_equal) / 2) / (1 + n_resamples)
        if n_beyond + n_equal or not observed:
            found.append(PermutationTest(RANDOMISATION, p, mid_p, False, one.n_differing, n_resamples))
            continue
        tail = min(p, _tilted_p(one, observed, options.seed))
        p = max(tail, SMALLEST_P)
        found.append(PermutationTest(TAIL, p, p, tail < SMALLEST_P, one.n_differing, n_resamples))
    return found


@dataclass(frozen=True, slots=True, eq=False)
class _Swaps:
    """What swapping two systems on clusters changes: their sums, and the squares and products that errors are made of.

    `ours` and `theirs` are counts of the fields in use [clusters × fields], `changes` what is added for each cluster
    that is swapped: b − a, then aaᵀ − bbᵀ and abᵀ − baᵀ. Which system is which depends on the counts alone.
    """

    value: Statistic
    n_fields: int
    used: tuple[int, ...]
    ours: Floats
    theirs: Floats
    changes: Floats

    @classmethod
    def of(cls, a: Floats, b: Floats, value: Statistic) -> _Swaps:
        n_fields, used = a.shape[1], tuple(sorted(set(value.fields)))
        a, b = a[:, used], b[:, used]
        ours, theirs = b - a, a - b
        if theirs[canonical_order(theirs)].tobytes() < ours[canonical_order(ours)].tobytes():
            a, b = b, a
        n = a.shape[1]
        squares = (a[:, :, None] * a[:, None, :] - b[:, :, None] * b[:, None, :]).reshape(len(a), n * n)
        products = (a[:, :, None] * b[:, None, :] - b[:, :, None] * a[:, None, :]).reshape(len(a), n * n)
        changes = np.hstack([b - a, squares, products]) + 0.0  # no -0
        return cls(value, n_fields, used, a, b, changes)

    @property
    def n_differing(self) -> int:
        return int((self.ours != self.theirs).any(axis=1).sum())

    def studentised(self, sums: Floats) -> Floats:
        """The difference over its standard error, given the summed changes of the clusters that are swapped [… ×]."""
        n = self.ours.shape[1]
        moved, squares, products = sums[:, :n], sums[:, n : n + n * n], sums[:, n + n * n :]
        first, second = self.ours.sum(axis=0) + moved, self.theirs.sum(axis=0) - moved
        difference = self.value(self._whole(second)) - self.value(self._whole(first))
        down, up = self.slopes(first), self.slopes(second)  # what a cluster adds: up·y − down·x
        xx = (self.ours.T @ self.ours) - squares.reshape(-1, n, n)
        yy = (self.theirs.T @ self.theirs) + squares.reshape(-1, n, n)
        yx = (self.theirs.T @ self.ours) + products.reshape(-1, n, n)
        variance = _form(up, yy, up) - 2 * _form(up, yx, down) + _form(down, xx, down)
        error = np.sqrt(np.maximum(variance, 0))
        has_error = error > _TIE * np.abs(difference)
        without = np.where(np.abs(difference) > _TIE, np.copysign(_LARGEST, difference), 0.0)
        return np.divide(difference, error, out=without, where=has_error)

    def slopes(self, counts: Floats) -> Floats:
        """Those of the value, of the fields in use."""
        return self.value.slopes(self._whole(counts))[..., self.used]

    def _whole(self, counts: Floats) -> Floats:
        """Counts of all fields, from those of the fields in use."""
        whole = np.zeros((*counts.shape[:-1], self.n_fields))
        whole[..., self.used] = counts
        return whole


def _form(left: Floats, matrices: Floats, right: Floats) -> Floats:
    found: Floats = np.einsum("si,sij,sj->s", left, matrices, right)
    return found


def _tilted_p(swaps: _Swaps, observed: float, seed: int) -> float:
    """The share of all swaps that differ at least as much, where that is too small for plain random swaps to find.

    Swaps are drawn with the odds e^(2θc) for a cluster whose swap changes the difference by c, θ such that they differ
    as much as what was seen on the average, and are weighed by how much less likely plain swaps would have been
    [importance sampling; Booth & Butler 1990]. A swap of everything turns the sign: two tails are twice one.
    """
    from numpy.random import default_rng

    n = swaps.ours.shape[1]
    middle = (swaps.ours.sum(axis=0) + swaps.theirs.sum(axis=0)) / 2
    gains = (swaps.changes[:, :n] @ swaps.slopes(middle)) * math.copysign(1.0, observed)
    order = canonical_order(swaps.changes)
    gains, changes = gains[order], swaps.changes[order]
    smallest = smallest_p(swaps.n_differing)
    tilt = _tilt(np.abs(gains), float(gains.sum()))
    if tilt is None:
        return smallest
    log_weight = float((np.logaddexp(tilt * gains, -tilt * gains) - math.log(2)).sum())
    rng = default_rng([seed, 4])
    stays = 1 / (1 + np.exp(-2 * tilt * gains))
    total, at_once = 0.0, max(1, _MOST_AT_ONCE // len(gains))
    for start in range(0, _N_TILTED, at_once):
        is_swapped = rng.random((min(at_once, _N_TILTED - start), len(gains))) >= stays
        sums = is_swapped.astype(np.float64) @ changes
        t = swaps.studentised(sums) * math.copysign(1.0, observed)
        is_beyond = t >= abs(observed) * (1 - _TIE)
        score = gains.sum() - 2 * (is_swapped @ gains)
        total += math.fsum(np.exp(log_weight - tilt * score)[is_beyond])
    return min(1.0, max(2 * total / _N_TILTED, smallest))


def _tilt(sizes: Floats, wanted: float) -> float | None:
    """θ with Σ c·tanh(cθ) = wanted, by Newton's steps, which come from below; None where there is no such θ."""
    if not 0 < wanted < math.fsum(sizes) * (1 - 1e-9):
        return None
    point = 0.0
    for _ in range(200):
        slope = np.tanh(sizes * point)
        curvature = float((sizes * sizes * (1 - slope * slope)).sum())
        step = (wanted - float((sizes * slope).sum())) / curvature if curvature > 0 else 0.0
        point += step
        if abs(step) <= 1e-12 * point:
            break
    return point
