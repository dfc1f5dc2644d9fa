"""Sums of counts over random resamples of the clusters."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st

import inference_reference as reference
from karat._arrays import Floats
from karat.inference.options import InferenceOptions
from karat.inference.resampling import (
    bootstrap_sums,
    canonical_order,
    leave_one_out,
    shuffle_sums,
    standard_error,
)
from karat.measures.measure import f1, recall

Sums = Callable[..., list[Floats]]

BOTH = pytest.mark.parametrize("sums_of", [bootstrap_sums, shuffle_sums], ids=lambda one: one.__name__)


def random_counts(n_clusters: int, n_columns: int = 4, seed: int = 0) -> Floats:
    return np.random.default_rng(seed).integers(0, 30, size=(n_clusters, n_columns)).astype(float)


def with_digits(counts: Floats) -> Floats:
    """The counts behind a column of powers, whose sum has how often each cluster was drawn for its digits."""
    n = len(counts)
    return np.column_stack([float(n + 1) ** np.arange(n), counts])


def digits(sums: Floats, n_clusters: int) -> Floats:
    """How often each cluster was drawn [resamples × clusters], from a sum of powers."""
    rest, found = sums.astype(np.int64), []
    for _ in range(n_clusters):
        rest, digit = np.divmod(rest, n_clusters + 1)
        found.append(digit)
    assert not rest.any()
    return np.column_stack(found).astype(float)


# --- what a resample is ---


@pytest.mark.parametrize("n_clusters", [1, 2, 7, 100, 3000])
def test_every_resample_draws_as_many_clusters_as_there_are(n_clusters: int) -> None:
    block = np.column_stack([np.ones(n_clusters), random_counts(n_clusters)])
    sums = bootstrap_sums([block], InferenceOptions(n_resamples=700))[0]
    assert sums.shape == (700, 5)
    assert (sums[:, 0] == n_clusters).all()


def test_every_sum_is_that_of_the_clusters_drawn() -> None:
    counts = random_counts(7)
    sums = bootstrap_sums([with_digits(counts)], InferenceOptions(n_resamples=2000))[0]
    weights = digits(sums[:, 0], 7)
    assert (weights.sum(axis=1) == 7).all()
    assert (sums[:, 1:] == weights @ counts).all()


@BOTH
def test_relations_between_columns_are_kept(sums_of: Sums) -> None:
    counts = random_counts(50, 3)
    counts[:, 2] = 2 * counts[:, 0] - counts[:, 1]
    sums = sums_of([counts], InferenceOptions(n_resamples=1000))[0]
    assert (sums[:, 2] == 2 * sums[:, 0] - sums[:, 1]).all()


def test_every_shuffle_draws_each_cluster_or_not() -> None:
    counts = random_counts(7)
    sums = shuffle_sums([with_digits(counts)], InferenceOptions(n_resamples=2000))[0]
    weights = digits(sums[:, 0], 7)
    assert set(np.unique(weights)) == {0, 1}
    assert (sums[:, 1:] == weights @ counts).all()


# --- how often which is drawn ---


def test_every_shuffle_is_equally_likely() -> None:
    n = 32_000
    powers = np.array([[1], [2], [4], [8], [16.0]])
    drawn = Counter(shuffle_sums([powers], InferenceOptions(n_resamples=n))[0][:, 0].tolist())
    assert set(drawn) == set(range(32))
    sigma = math.sqrt(n / 32 * 31 / 32)
    assert all(abs(times - n / 32) < 5 * sigma for times in drawn.values())


@pytest.mark.parametrize("n_clusters", [9, 64])
def test_clusters_are_shuffled_independently_of_each_other(n_clusters: int) -> None:
    n = 4000
    weights = shuffle_sums([np.eye(n_clusters)], InferenceOptions(n_resamples=n))[0]
    correlations = np.corrcoef(weights.T) - np.eye(n_clusters)
    assert np.abs(correlations).max() < 5 / math.sqrt(n)
    assert np.abs(weights.mean(axis=0) - 0.5).max() < 5 * 0.5 / math.sqrt(n)


def test_means_and_variances_of_bootstrap_sums_are_those_of_theory() -> None:
    counts, n = random_counts(60, seed=1), 20_000
    sums = bootstrap_sums([counts], InferenceOptions(n_resamples=n))[0]
    # a sum of 60 draws: 60 · mean, 60 · variance
    variances = 60 * counts.var(axis=0)
    assert (np.abs(sums.mean(axis=0) - counts.sum(axis=0)) < 5 * np.sqrt(variances / n)).all()
    assert (np.abs(sums.var(axis=0) / variances - 1) < 5 * math.sqrt(2 / n)).all()
    covariance = 60 * np.cov(counts[:, 0], counts[:, 1], ddof=0)[0, 1]
    found = np.cov(sums[:, 0], sums[:, 1])[0, 1]
    assert abs(found - covariance) < 5 * math.sqrt((variances[0] * variances[1] + covariance**2) / n)


def test_values_are_as_frequent_as_among_all_resamples() -> None:
    rows = [(3, 4, 2, 3), (5, 5, 5, 5), (2, 1, 0, 1), (7, 6, 3, 6)]
    n, expected = 25_600, Counter(reference.every_bootstrap_value(rows, reference.f1))
    values = f1(bootstrap_sums([np.array(rows, dtype=float)], InferenceOptions(n_resamples=n))[0])
    seen: Counter[object] = Counter()
    for value in values.tolist():
        seen[min(expected, key=lambda one: abs(float(one) - value))] += 1
    for value, times in expected.items():
        share = times / 4**4
        assert abs(seen[value] - n * share) < 5 * math.sqrt(n * share * (1 - share))
    assert np.abs(np.subtract.outer(values[:200], [float(one) for one in expected])).min(axis=1).max() < 1e-12


def test_each_cluster_is_drawn_as_often_as_the_others() -> None:
    n = 2000
    drawn = bootstrap_sums([np.eye(40)], InferenceOptions(n_resamples=n))[0]
    assert np.abs(drawn.mean(axis=0) - 1).max() < 5 * math.sqrt((1 - 1 / 40) / n)
    assert np.abs(drawn.var(axis=0) - (1 - 1 / 40)).max() < 5 * math.sqrt(3 / n)  # about Poisson's with mean 1


def test_more_clusters_than_16_bits_can_number_are_drawn_alike() -> None:
    n_clusters, n = 70_000, 24
    block = np.column_stack([np.ones(n_clusters), np.arange(n_clusters) >= 2**16, np.arange(n_clusters) % 7]).astype(
        float
    )
    sums = bootstrap_sums([block], InferenceOptions(n_resamples=n))[0]
    assert (sums[:, 0] == n_clusters).all()
    share = (n_clusters - 2**16) / n_clusters
    assert abs(sums[:, 1].mean() - n_clusters * share) < 5 * math.sqrt(n_clusters * share * (1 - share) / n)


# --- what must not change them ---


@BOTH
@given(seed=st.integers(0, 1000), n_clusters=st.integers(1, 30))
def test_the_order_of_clusters_does_not_matter(sums_of: Sums, seed: int, n_clusters: int) -> None:
    counts = random_counts(n_clusters, seed=seed)
    other = np.random.default_rng(seed).permutation(counts)
    options = InferenceOptions(n_resamples=60)
    assert (sums_of([other], options)[0] == sums_of([counts], options)[0]).all()


@BOTH
def test_the_order_of_clusters_does_not_matter_where_counts_are_fractions(sums_of: Sums) -> None:
    counts = np.random.default_rng(1).random((40, 3))
    other = np.random.default_rng(2).permutation(counts)
    options = InferenceOptions(n_resamples=600)
    assert (sums_of([other], options)[0] == sums_of([counts], options)[0]).all()


@BOTH
@pytest.mark.parametrize("jobs", [2, 3])
def test_the_number_of_workers_does_not_matter(sums_of: Sums, jobs: int) -> None:
    blocks = [random_counts(30), random_counts(30, 2, seed=1), np.random.default_rng(0).random((30, 3))]
    alone, shared = (sums_of(blocks, InferenceOptions(n_resamples=2500, jobs=n)) for n in (1, jobs))
    assert all((one == other).all() for one, other in zip(alone, shared, strict=True))


@BOTH
def test_what_else_is_resampled_does_not_matter(sums_of: Sums) -> None:
    blocks = [random_counts(30, n_columns, seed=n_columns) for n_columns in (4, 1, 3)]
    blocks.append(blocks[0][:, [0, 0, 2]])  # columns that are there already
    blocks.append(blocks[1] * 2**25)  # too large for short floats, so that none are used
    blocks.append(blocks[2] / 3)
    together = sums_of(blocks, InferenceOptions(n_resamples=600, seed=3))
    for block, sums in zip(blocks, together, strict=True):
        alone = sums_of([block], InferenceOptions(n_resamples=600, seed=3))[0]
        if (block == np.rint(block)).all():
            assert (sums == alone).all()
        else:
            np.testing.assert_allclose(sums, alone, rtol=1e-13)


@BOTH
def test_the_same_seed_draws_the_same_and_others_draw_otherwise(sums_of: Sums) -> None:
    counts = random_counts(30)
    first, again, other = (sums_of([counts], InferenceOptions(n_resamples=200, seed=seed))[0] for seed in (0, 0, 1))
    assert (first == again).all()
    assert (first != other).any(axis=1).mean() > 0.9


@BOTH
def test_no_stretch_repeats_another(sums_of: Sums) -> None:
    sums = sums_of([random_counts(30)], InferenceOptions(n_resamples=512 * 4))[0].reshape(4, 512, 4)
    for one, other in pairwise(sums):
        assert (one != other).any(axis=1).mean() > 0.9


def test_bootstrap_and_shuffle_draw_independently() -> None:
    counts = random_counts(30, 1)
    ours, theirs = (
        one([counts], InferenceOptions(n_resamples=4000))[0][:, 0] for one in (bootstrap_sums, shuffle_sums)
    )
    assert abs(np.corrcoef(ours, theirs)[0, 1]) < 5 / math.sqrt(4000)


# --- numbers of any size ---


def test_counts_that_are_not_whole_are_summed_too() -> None:
    counts = np.random.default_rng(0).random((7, 3))
    sums = bootstrap_sums([with_digits(counts)], InferenceOptions(n_resamples=1000))[0]
    np.testing.assert_allclose(sums[:, 1:], digits(sums[:, 0], 7) @ counts, rtol=1e-13)


@BOTH
@pytest.mark.parametrize("largest", [2**24 // 6 - 1, 2**24 // 6 + 1, 2**24, 2**25 + 1, 2**40 + 1])
def test_large_counts_are_summed_exactly(sums_of: Sums, largest: int) -> None:
    counts = np.array([largest - 2 * number for number in range(6)], dtype=float)[:, None]
    sums = sums_of([with_digits(counts)], InferenceOptions(n_resamples=400))[0]
    # the powers are up to 7⁵, so that it is `largest` that decides about short floats
    weights = digits(sums[:, 0], 6)
    expected = [sum(int(w) * int(c) for w, c in zip(row, counts[:, 0], strict=True)) for row in weights.tolist()]
    assert sums[:, 1].astype(np.int64).tolist() == expected
    assert (sums[:, 1] == np.rint(sums[:, 1])).all()


def test_negative_counts_are_summed_exactly() -> None:
    counts = random_counts(7) - 15
    sums = shuffle_sums([with_digits(counts)], InferenceOptions(n_resamples=400))[0]
    assert (sums[:, 1:] == digits(sums[:, 0], 7) @ counts).all()


@BOTH
def test_no_resamples_no_columns_and_no_blocks_give_nothing(sums_of: Sums) -> None:
    assert sums_of([random_counts(5)], InferenceOptions(n_resamples=0))[0].shape == (0, 4)
    assert sums_of([np.empty((5, 0))], InferenceOptions(n_resamples=10))[0].shape == (10, 0)
    assert sums_of([], InferenceOptions(n_resamples=10)) == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_progress_rises_to_all_of_the_work(jobs: int) -> None:
    seen: list[float] = []
    bootstrap_sums([random_counts(5)], InferenceOptions(n_resamples=512 * 3 + 1, jobs=jobs), progress=seen.append)
    assert seen == sorted(seen)
    assert (len(seen), seen[-1]) == (4, 1)


# --- orders, and sums without a cluster ---


def test_rows_are_ordered_by_content() -> None:
    rows = np.array([[2, 1], [1, 9], [2, 0], [1, 3.0]])
    assert canonical_order(rows).tolist() == [3, 1, 2, 0]
    assert canonical_order(np.empty((3, 0))).tolist() == [0, 1, 2]


def test_each_cluster_is_left_out_in_turn() -> None:
    counts = np.array([[1, 10], [2, 20], [4, 40.0]])
    assert leave_one_out(counts).tolist() == [[6, 60], [5, 50], [3, 30]]
    runs = counts.reshape(3, 2, 1)
    assert leave_one_out(runs).tolist() == [[[6], [60]], [[5], [50]], [[3], [30]]]


ROWS = st.lists(
    st.integers(1, 9).flatmap(
        lambda gold: st.tuples(st.just(gold), st.integers(1, 9), st.integers(0, gold), st.just(0))
    ),
    min_size=2,
    max_size=12,
)


@given(ROWS)
def test_standard_errors_are_the_references(rows: list[tuple[int, int, int, int]]) -> None:
    without = leave_one_out(np.array(rows, dtype=float))
    for value, slow in ((f1, reference.f1), (recall, reference.recall)):
        assert standard_error(value(without)) == pytest.approx(
            reference.jackknife_standard_error(rows, slow), abs=1e-14
        )


@given(ROWS)
def test_standard_errors_do_not_depend_on_the_order_of_clusters(rows: list[tuple[int, int, int, int]]) -> None:
    counts = np.array(rows, dtype=float)
    found = [standard_error(f1(leave_one_out(one))) for one in (counts, counts[::-1], np.roll(counts, 1, axis=0))]
    assert found[0] == found[1] == found[2]


def test_the_standard_error_of_a_mean_is_the_usual_one() -> None:
    values = np.random.default_rng(0).random(25)
    block = np.column_stack([np.ones(25), np.ones(25), values, np.ones(25)])
    expected = values.std(ddof=1) / math.sqrt(25)
    assert standard_error(recall(leave_one_out(block))) == pytest.approx(expected)
