"""Averages over treebanks: counts whose ratio is the average, and whose scatter is that within treebanks."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from karat._arrays import Floats
from karat.evaluation.treebank_averages import as_average, macro_counts, micro_counts
from karat.inference.intervals import degrees_of_freedom
from karat.inference.resampling import leave_one_out, standard_error
from karat.measures.words.tags import UPOS


def treebank(rng: np.random.Generator, n: int, accuracy: float) -> Floats:
    """Counts of clusters: gold, system, correct, aligned."""
    gold = 5 + rng.poisson(20, n)
    system = gold + rng.integers(-2, 3, n)
    correct = rng.binomial(np.minimum(gold, system), accuracy)
    return np.column_stack([gold, system, correct, np.minimum(gold, system)]).astype(np.float64)


def f1(counts: Floats) -> float:
    gold, system, correct, _ = counts.sum(axis=0)
    return float(2 * correct / (gold + system))


def variance_within(counts: Floats, value: float, of: float) -> float:
    """The linearised variance of a ratio of sums over the clusters of one treebank, from its definition.

    What a cluster changes of 2c/(g + s), given the value there and the sum that it is divided by.
    """
    changes = (2 * counts[:, 2] - value * (counts[:, 0] + counts[:, 1])) / of
    n = len(counts)
    return float(n / (n - 1) * ((changes - changes.mean()) ** 2).sum())


@given(st.integers(0, 10_000), st.lists(st.integers(3, 40), min_size=1, max_size=5))
def test_the_ratio_of_sums_is_the_average(seed: int, sizes: list[int]) -> None:
    rng = np.random.default_rng(seed)
    every = [treebank(rng, n, 0.5 + 0.1 * place) for place, n in enumerate(sizes)]
    average = as_average(UPOS())
    macro, micro = macro_counts(every, UPOS()), micro_counts(every, UPOS())
    assert float(average.value(macro.sum(axis=0))) == pytest.approx(np.mean([f1(one) for one in every]))
    assert float(average.value(micro.sum(axis=0))) == pytest.approx(f1(np.vstack(every)))
    assert average.sizes(macro).sum() == pytest.approx(1) == average.sizes(micro).sum()
    start = 0
    for counts in every:  # treebanks weigh the same, whatever their size
        assert average.sizes(macro)[start : start + len(counts)].sum() == pytest.approx(1 / len(every))
        start += len(counts)


@given(st.integers(0, 10_000))
def test_the_scatter_is_that_within_treebanks(seed: int) -> None:
    """Treebanks of very different accuracy do not make the average less sure."""
    rng = np.random.default_rng(seed)
    every = [treebank(rng, n, accuracy) for n, accuracy in ((60, 0.5), (80, 0.95), (120, 0.8))]
    average = as_average(UPOS())
    error = standard_error(average.value(leave_one_out(macro_counts(every, UPOS()))))
    each = [variance_within(one, f1(one), float(one[:, :2].sum())) for one in every]
    assert error == pytest.approx(math.sqrt(sum(each)) / 3, rel=0.05)
    whole = np.vstack(every)
    of_sum = [variance_within(one, f1(whole), float(whole[:, :2].sum())) for one in every]
    error = standard_error(average.value(leave_one_out(micro_counts(every, UPOS()))))
    assert error == pytest.approx(math.sqrt(sum(of_sum)), rel=0.05)


@given(st.integers(0, 10_000), st.lists(st.integers(2, 12), min_size=1, max_size=5))
def test_the_error_is_the_stratified_jackknife_s(seed: int, sizes: list[int]) -> None:
    """Σ over treebanks of (n−1)/n Σ(θ₍ᵢ₎ − θ̄)², the average made anew without each cluster in turn."""
    rng = np.random.default_rng(seed)
    every = [treebank(rng, n, 0.5 + 0.1 * place) for place, n in enumerate(sizes)]
    average, variances = as_average(UPOS()), [0.0, 0.0]
    for place, counts in enumerate(every):
        without: list[list[float]] = [[], []]
        for row in range(len(counts)):
            left = [*every[:place], np.delete(counts, row, axis=0), *every[place + 1 :]]
            without[0].append(float(np.mean([f1(one) for one in left])))
            without[1].append(f1(np.vstack(left)))
        n = len(counts)
        for which, values in enumerate(without):
            variances[which] += (n - 1) / n * float(sum((one - np.mean(values)) ** 2 for one in values))
    for made, variance in zip((macro_counts, micro_counts), variances, strict=True):
        found = standard_error(average.value(leave_one_out(made(every, UPOS()))))
        assert found == pytest.approx(math.sqrt(variance), rel=1e-6, abs=1e-12)


def test_degrees_of_freedom_are_satterthwaite_s_within_strata() -> None:
    """Variances 8 of 4 even clusters and 2 of 2: (8 + 2)²/(8²/3 + 2²/1) = 3.947…, fewer than the kurtosis leaves."""
    changes = np.array([2.0, -2, 0, 0, 1, -1])
    df = degrees_of_freedom(np.ones(6), changes, np.array([0, 0, 0, 0, 1, 1]))
    kurtosis = (2 * 16 + 2) / 100 - 1 / 6
    assert df == pytest.approx(min(100 / (64 / 3 + 4), 2 / kurtosis))
    assert df == pytest.approx(100 / (64 / 3 + 4))
    assert degrees_of_freedom(np.ones(6), changes) == 5


def test_a_system_without_anything_has_an_average() -> None:
    rng = np.random.default_rng(1)
    some, nothing = treebank(rng, 20, 0.9), treebank(rng, 20, 0.9)
    nothing[:, 1:] = 0
    counts = macro_counts([some, nothing], UPOS())
    assert float(as_average(UPOS()).value(counts.sum(axis=0))) == pytest.approx(f1(some) / 2)
