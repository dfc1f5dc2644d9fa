"""The tail of random swaps where it is too thin to be drawn."""

from __future__ import annotations

import numpy as np
import pytest

from karat.inference.permutation import exact_test, randomisation_tests, saddlepoint_p
from karat.measures.measure import f1


@pytest.mark.parametrize("n", [40, 200, 2000])
@pytest.mark.parametrize("n_shifted", [1, 3, 5, 8])
def test_the_tail_is_that_of_the_exact_test(n: int, n_shifted: int) -> None:
    differences = np.random.default_rng(n).integers(-3, 4, n)
    differences[: round(n_shifted * n**0.5)] = 3
    exact = exact_test(differences)
    p, mid_p = saddlepoint_p(differences.astype(np.float64), abs(int(differences.sum())))
    if not exact.is_upper_bound:
        assert p == pytest.approx(exact.p, rel=0.1)
        assert mid_p == pytest.approx(exact.mid_p, rel=0.1)


def test_the_end_of_the_distribution_is_exact() -> None:
    assert saddlepoint_p(np.ones(43), 43.0) == (2.0**-42, 2.0**-43)
    assert saddlepoint_p(np.array([1.0, -2.0, 3.0]), 6.0) == (0.25, 0.125)


def test_nothing_that_differs_is_no_evidence() -> None:
    assert saddlepoint_p(np.zeros(5), 0.0) == (1, 1)
    assert saddlepoint_p(np.ones(5), 0.0) == (1, 1)


def test_a_p_too_small_for_the_swaps_is_taken_from_the_tail() -> None:
    rng = np.random.default_rng(3)
    words = rng.integers(5, 20, 300)
    a = np.column_stack([words, words, rng.binomial(words, 0.80), words]).astype(np.float64)
    b = np.column_stack([words, words, rng.binomial(words, 0.85), words]).astype(np.float64)
    exact = exact_test((b - a)[:, 2].astype(np.intp))
    (found,) = randomisation_tests([(a, b)], f1, n_resamples=999)
    assert exact.p < 1e-6
    assert found.method == "approximate randomisation, saddlepoint tail"
    assert found.p == pytest.approx(exact.p, rel=0.2)
    assert not found.is_upper_bound
    (other,) = randomisation_tests([(b, a)], f1, n_resamples=999)
    assert (other.p, other.mid_p) == pytest.approx((found.p, found.mid_p), rel=1e-9)


def test_many_pairs_leave_something_to_be_found() -> None:
    """With 10,000 swaps no p could be below 1/10,001, and 528 pairs could never be told apart after adjustment."""
    rng = np.random.default_rng(4)
    words = rng.integers(5, 20, 500)
    more = rng.integers(0, 2, (2, 500))
    a, b = (
        np.column_stack([words, words + one, rng.binomial(words, share), words]).astype(np.float64)
        for one, share in zip(more, (0.8, 0.9), strict=True)
    )
    (found,) = randomisation_tests([(a, b)], f1, n_resamples=1000)
    assert 528 * found.p < 0.05
