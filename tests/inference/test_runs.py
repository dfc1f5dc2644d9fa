"""The standard error of systems with several runs."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given, strategies as st

from karat.inference.runs import spread

ERRORS = st.floats(1e-6, 1)
SCORES = st.lists(st.floats(0, 1), min_size=1, max_size=6)


def test_the_variance_of_runs_is_added_to_that_of_clusters() -> None:
    # s² of 0.1, 0.3 is 0.02, of 0.5, 0.6, 0.7 is 0.01; 0.03² + 0.02/2 + 0.01/3
    found = spread(0.03, 21, [[0.1, 0.3], [0.5, 0.6, 0.7]])
    clusters, first, second = 0.0009, 0.01, 0.01 / 3
    assert found.error == pytest.approx(math.sqrt(clusters + first + second))
    assert found.run_error == pytest.approx(math.sqrt(first + second))
    assert found.cluster_error == 0.03
    # (Σ v)² / Σ v²/df with 20, 1 and 2 degrees of freedom
    freedom = clusters**2 / 20 + first**2 / 1 + second**2 / 2
    assert found.df == pytest.approx((clusters + first + second) ** 2 / freedom)


def test_one_run_adds_nothing() -> None:
    found = spread(0.03, 21, [[0.4], [0.9]])
    assert (found.error, found.df, found.cluster_error, found.run_error) == pytest.approx((0.03, 20, 0.03, 0))
    assert spread(0.03, 21, []) == found


def test_a_system_with_one_run_adds_nothing_to_the_other() -> None:
    assert spread(0.03, 21, [[0.4], [0.5, 0.6]]) == spread(0.03, 21, [[0.5, 0.6]])


def test_runs_that_do_not_differ_add_nothing() -> None:
    found = spread(0.03, 21, [[0.5, 0.5, 0.5]])
    assert (found.error, found.df, found.run_error) == pytest.approx((0.03, 20, 0))


def test_without_scatter_of_clusters_the_runs_are_all() -> None:
    found = spread(0.0, 21, [[0.1, 0.3]])
    assert (found.error, found.df) == pytest.approx((0.1, 1))


def test_without_any_scatter_there_is_no_error() -> None:
    found = spread(0.0, 21, [[0.5, 0.5]])
    assert (found.error, found.df, found.run_error) == (0, 20, 0)
    assert spread(0.0, 1, [[0.5]]).df == 1


@given(ERRORS, st.integers(2, 500), st.lists(SCORES, max_size=2))
def test_degrees_of_freedom_lie_between_the_fewest_and_the_sum(
    error: float, n_clusters: int, runs: list[list[float]]
) -> None:
    parts = [n_clusters - 1, *(len(values) - 1 for values in runs if len(values) > 1)]
    found = spread(error, n_clusters, runs)
    assert min(parts) * (1 - 1e-9) <= found.df <= sum(parts) * (1 + 1e-9)
    assert found.error**2 == pytest.approx(found.cluster_error**2 + found.run_error**2)
    assert found.error >= error * (1 - 1e-12)


@given(ERRORS, st.integers(2, 500), SCORES, SCORES)
def test_which_system_comes_first_does_not_matter(
    error: float, n_clusters: int, a: list[float], b: list[float]
) -> None:
    one, other = spread(error, n_clusters, [a, b]), spread(error, n_clusters, [b, a])
    assert (one.error, one.df) == pytest.approx((other.error, other.df))


@given(st.integers(2, 500), SCORES, st.floats(0.01, 100))
def test_errors_scale_with_the_values_and_degrees_of_freedom_do_not(
    n_clusters: int, values: list[float], factor: float
) -> None:
    assume(max(values) - min(values) > 1e-3 or len(values) == 1)
    one = spread(0.02, n_clusters, [values])
    other = spread(0.02 * factor, n_clusters, [[value * factor for value in values]])
    assert (other.error, other.df) == pytest.approx((one.error * factor, one.df), rel=1e-6)
