"""Is the difference of two systems more than chance? Tests that swap the two systems' results, cluster by cluster.

If the systems are equally good, what one did on a cluster could as well have been the other's. Of all 2ⁿ ways to swap,
how many give a difference at least as large as the one seen? Where both systems are measured over the same number of
units, the answer is exact; otherwise random swaps estimate it (approximate randomisation [Noreen 1989]).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from karat._arrays import Floats, Indices
from karat.inference.distributions import SMALLEST_P, two_sided_normal
from karat.inference.resampling import Progress, canonical_order, shuffle_sums
from karat.measures.measure import Ratio, Statistic

__all__ = ["PermutationTest", "exact_test", "integer_differences", "randomisation_tests"]
__all__ += ["saddlepoint_p"]

EXACT = "exact permutation"
RANDOMISATION = "approximate randomisation"
TAIL = "approximate randomisation, saddlepoint tail"
_MOST_AT_ONCE = 2**21  # cosines
_MOST_WORK = 5e7  # cosines in all: some seconds
_TIE = 1e-12


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
    inverse Fourier transform of the product gives the probability of every value: no resampling. Equal |dᵢ| share a
    cosine. Rounding errors are below SMALLEST_P.

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
    pairs: Sequence[tuple[Floats, Floats]],
    value: Statistic,
    *,
    n_resamples: int,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress | None = None,
) -> list[PermutationTest]:
    """The test by random swaps for each pair of systems, given as counts a and b [clusters × fields].

    p = (1 + number of swaps that differ at least as much) / (1 + number of swaps), which is valid for any number of
    them. Where no swap differs as much, p is smaller than these swaps can show, which would leave nothing to be found
    among many pairs: then the tail is taken from `saddlepoint_p`, if that is smaller. Exchanging a and b changes
    nothing.
    """
    if not pairs:
        return []
    unused = [field for field in range(pairs[0][0].shape[1]) if field not in value.fields]
    turned = [_turned(b - a, unused) for a, b in pairs]
    options = {"n_resamples": n_resamples, "seed": seed, "jobs": jobs}
    every = shuffle_sums([block for block, _ in turned], **options, progress=progress)
    found = []
    for (a, b), (block, sign), sums in zip(pairs, turned, every, strict=True):
        ours, theirs = a.sum(axis=0), b.sum(axis=0)
        observed = abs(float(value(theirs) - value(ours)))
        differences = np.abs(value(theirs - sign * sums) - value(ours + sign * sums))
        n_equal = int((np.abs(differences - observed) <= _TIE).sum())
        n_beyond = int((differences > observed + _TIE).sum())
        n_differing = int(block.any(axis=1).sum())
        p, mid_p = (1 + n_beyond + n_equal) / (1 + n_resamples), (n_beyond + (1 + n_equal) / 2) / (1 + n_resamples)
        tail = 1.0, 1.0
        if not n_beyond + n_equal:
            tail = saddlepoint_p(value.changed(block, (ours + theirs) / 2), observed)
        if tail[0] < p:
            p, mid_p = (max(one, SMALLEST_P) for one in tail)
            found.append(PermutationTest(TAIL, p, mid_p, tail[0] < SMALLEST_P, n_differing, n_resamples))
        else:
            found.append(PermutationTest(RANDOMISATION, p, mid_p, False, n_differing, n_resamples))
    return found


def _turned(changes: Floats, unused: Sequence[int]) -> tuple[Floats, float]:
    """What a swap changes of the fields in use, times the sign returned: the same for (a, b) and (b, a)."""
    changes[:, unused] = 0
    ours, theirs = changes[canonical_order(changes)], -changes[canonical_order(-changes)]
    return (changes, 1.0) if ours.tobytes() <= (theirs + 0.0).tobytes() else (-changes + 0.0, -1.0)


def saddlepoint_p(changes: Floats, observed: float) -> tuple[float, float]:
    """P(|Σ ±cᵢ| ≥ observed) for random signs, and its mid-p, by a saddlepoint approximation [Lugannani & Rice 1980].

    The cumulant function Σ log cosh(cᵢ s) is exact, and only the sum's steps are smoothed, so that the approximation is
    good to some percent however thin the tail. It takes half of the value seen, which is mid-p; for p the tail begins
    half a step earlier, where a step is at most twice the smallest change.
    """
    sizes = np.abs(changes[changes != 0])
    if not len(sizes) or observed <= 0:
        return 1.0, 1.0
    smallest = 2.0 ** (1 - len(sizes))
    if observed >= math.fsum(sizes) * (1 - 1e-9):
        return smallest, smallest / 2
    return max(_tail(sizes, observed - float(sizes.min())), smallest), max(_tail(sizes, observed), smallest / 2)


def _tail(sizes: Floats, observed: float) -> float:
    if observed <= 0:
        return 1.0
    point = 0.0
    for _ in range(200):  # Σ cᵢ tanh(cᵢ s) is concave: Newton's steps come from below
        slope = np.tanh(sizes * point)
        curvature = float((sizes * sizes * (1 - slope * slope)).sum())
        step = (observed - float((sizes * slope).sum())) / curvature if curvature > 0 else 0.0
        point += step
        if abs(step) <= 1e-12 * point:
            break
    turned = sizes * point
    cumulant = float((turned + np.log1p(np.exp(-2 * turned)) - math.log(2)).sum())
    curvature = float((sizes * sizes / np.cosh(np.minimum(turned, 350)) ** 2).sum())
    root = math.sqrt(max(2 * (point * observed - cumulant), 0.0))
    spread = point * math.sqrt(curvature)
    if root < 1e-3 or not spread:
        return two_sided_normal(root)
    density = math.exp(-root * root / 2) / math.sqrt(2 * math.pi)
    tail = two_sided_normal(root) + 2 * density * (1 / spread - 1 / root)
    return min(1.0, max(tail, 0.0))
