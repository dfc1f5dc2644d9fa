"""The tail of random swaps where it is too thin to be drawn."""

from __future__ import annotations

import numpy as np
import pytest

from karat.inference.options import InferenceOptions
from karat.inference.permutation import exact_test, randomisation_tests
from karat.measures.measure import f1


def test_a_p_too_small_for_the_swaps_is_taken_from_the_tail() -> None:
    rng = np.random.default_rng(3)
    words = rng.integers(5, 20, 300)
    a = np.column_stack([words, words, rng.binomial(words, 0.80), words]).astype(np.float64)
    b = np.column_stack([words, words, rng.binomial(words, 0.85), words]).astype(np.float64)
    exact = exact_test((b - a)[:, 2].astype(np.intp))
    (found,) = randomisation_tests([(a, b)], f1, InferenceOptions(n_resamples=999))
    assert exact.p < 1e-6
    assert found.method == "studentised randomisation, tilted tail"
    assert found.p == pytest.approx(exact.p, rel=0.35)  # the same units: nearly the same test
    assert not found.is_upper_bound
    (other,) = randomisation_tests([(b, a)], f1, InferenceOptions(n_resamples=999))
    assert (other.p, other.mid_p) == pytest.approx((found.p, found.mid_p), rel=1e-9)


def test_the_end_of_the_distribution_is_exact() -> None:
    words = np.arange(5, 48)
    a = np.column_stack([words, words + 1, words - 4, words]).astype(np.float64)
    b = np.column_stack([words, words, words - words % 3, words]).astype(np.float64)
    (found,) = randomisation_tests([(a, b)], f1, InferenceOptions(n_resamples=999))
    assert found.p >= 2.0**-42


def test_many_pairs_leave_something_to_be_found() -> None:
    """With 10,000 swaps no p could be below 1/10,001, and 528 pairs could never be told apart after adjustment."""
    rng = np.random.default_rng(4)
    words = rng.integers(5, 20, 500)
    more = rng.integers(0, 2, (2, 500))
    a, b = (
        np.column_stack([words, words + one, rng.binomial(words, share), words]).astype(np.float64)
        for one, share in zip(more, (0.8, 0.9), strict=True)
    )
    (found,) = randomisation_tests([(a, b)], f1, InferenceOptions(n_resamples=1000))
    assert 528 * found.p < 0.05
