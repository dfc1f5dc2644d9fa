"""The standard error of systems with several runs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from karat.inference.runs import RunVariance, pooled_variance, run_variance, spread

ERRORS = st.floats(1e-6, 1)
VARIANCES = st.builds(RunVariance, st.floats(0, 1), st.floats(0, 1), st.integers(1, 6))
RUNS = st.lists(st.tuples(st.floats(0.1, 2), VARIANCES), max_size=2)


def test_the_variance_of_runs_is_added_to_that_of_clusters() -> None:
    # s² of 0.1, 0.3 is 0.02, of 0.5, 0.6, 0.7 is 0.01, of which 0.004 are there only because of clusters
    first, second = RunVariance(0.02, 0.0, 1), RunVariance(0.01, 0.004, 2)
    found = spread(0.03, 20, [(1 / 2, first), (1 / 3, second)])
    variance = 0.0009 + 0.02 / 2 + 0.006 / 3
    assert found.error == pytest.approx(math.sqrt(variance))
    assert found.run_error == pytest.approx(math.sqrt(0.02 / 2 + 0.006 / 3))
    assert found.cluster_error == 0.03
    # Satterthwaite: each mean square with its own degrees of freedom, those that are taken off too
    freedom = 0.0009**2 / 20 + (0.02 / 2) ** 2 / 1 + (0.01 / 3) ** 2 / 2 + (0.004 / 3) ** 2 / (2 * 20)
    assert found.df == pytest.approx(variance**2 / freedom)


def test_without_runs_clusters_are_all() -> None:
    found = spread(0.03, 20)
    assert (found.error, found.df, found.cluster_error, found.run_error) == pytest.approx((0.03, 20, 0.03, 0))


def test_without_scatter_of_clusters_the_runs_are_all() -> None:
    found = spread(0.0, 20, [(1 / 2, RunVariance(0.02, 0.0, 1))])
    assert (found.error, found.df) == pytest.approx((0.1, 1))


def test_without_any_scatter_there_is_no_error() -> None:
    assert spread(0.0, 20, [(1, RunVariance(0.0, 0.0, 1))]).error == 0
    assert spread(0.0, 0).df == 1


@given(ERRORS, st.integers(1, 500), RUNS)
def test_there_is_at_least_one_degree_of_freedom_and_runs_only_add(
    error: float, df: int, runs: list[tuple[float, RunVariance]]
) -> None:
    found = spread(error, df, runs)
    assert 1 <= found.df <= (df + sum(one.df for _, one in runs)) * (1 + 1e-9)
    assert found.error**2 == pytest.approx(found.cluster_error**2 + found.run_error**2)
    assert found.error >= error * (1 - 1e-12)
    turned = spread(error, df, runs[::-1])
    assert (found.error, found.df) == pytest.approx((turned.error, turned.df))


def test_the_variance_of_runs_is_that_of_their_values_and_of_what_clusters_add() -> None:
    values, without = [0.1, 0.3], np.array([[0.1, 0.3], [0.12, 0.28], [0.08, 0.32]])
    found = run_variance(values, without)
    assert found is not None
    above = without - without.mean(axis=1, keepdims=True)
    within = sum(2 / 3 * ((one - one.mean()) ** 2).sum() for one in above.T)  # the jackknife's, over runs less one
    assert (found.total, found.within, found.df) == pytest.approx((0.02, within, 1))
    assert found.between == pytest.approx(max(0.02 - within, 0))
    assert run_variance([0.5], without[:, :1]) is None


def test_variances_are_pooled_by_their_degrees_of_freedom() -> None:
    found = pooled_variance([RunVariance(0.02, 0.01, 1), RunVariance(0.05, 0.0, 4)])
    assert found is not None
    assert (found.total, found.within, found.df) == pytest.approx(((0.02 + 0.2) / 5, 0.01 / 5, 5))
    assert pooled_variance([]) is None
