"""The best forest is the best of all forests."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from karat._arrays import Floats
from karat.systems.attachment.one_parent import best_forest, edge_weights


def leads_to_the_top(parents: tuple[int, ...]) -> bool:
    for node in range(len(parents)):
        seen = set()
        while node >= 0:
            if node in seen:
                return False
            seen.add(node)
            node = parents[node]
    return True


def best_sum(weights: Floats) -> float:
    """The largest sum of all forests, tried one by one."""
    n = len(weights)
    return max(
        sum(float(weights[parent, child]) for child, parent in enumerate(parents) if parent >= 0)
        for parents in itertools.product(range(-1, n), repeat=n)
        if leads_to_the_top(parents)
    )


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 5), st.integers(0, 2**32 - 1), st.booleans())
def test_no_forest_has_a_larger_sum(n: int, seed: int, has_ties: bool) -> None:
    rng = np.random.default_rng(seed)
    weights = rng.integers(-2, 4, (n, n)).astype(float) if has_ties else rng.normal(0.5, 1.5, (n, n))
    parents = tuple(best_forest(weights).tolist())
    assert len(parents) == n
    assert leads_to_the_top(parents)
    found = sum(weights[parent, child] for child, parent in enumerate(parents) if parent >= 0)
    assert found == pytest.approx(best_sum(weights))


def test_a_cycle_is_broken_where_it_costs_least() -> None:
    weights = np.array([[0.0, 3.0, -1.0], [2.0, 0.0, 0.5], [-1.0, -1.0, 0.0]])
    assert best_forest(weights).tolist() == [-1, 0, 1]


def test_pairs_below_the_threshold_are_no_edges() -> None:
    probabilities = np.array([[0.0, 0.6], [0.7, 0.0]])
    assert best_forest(edge_weights(probabilities, 0.65)).tolist() == [1, -1]
    assert best_forest(edge_weights(probabilities, 0.75)).tolist() == [-1, -1]


def test_weights_have_the_sign_of_the_difference_from_the_threshold() -> None:
    found = edge_weights(np.array([0.0, 0.29, 0.3, 0.31, 1.0]), 0.3)
    assert np.sign(found).tolist() == [-1, -1, 0, 1, 1]
    assert np.isfinite(found).all()
