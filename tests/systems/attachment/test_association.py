"""Association measures equal scipy's and NLTK's, and are defined where these are not."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from karat.systems.attachment.association import ASSOCIATION_MEASURES, association

N_TABLES = 500


def random_tables(seed: int, largest: int) -> list[tuple[int, int, int, int]]:
    """Observations of both values, of the left, of the right, of all: all four cells at least 1."""
    cells = np.random.default_rng(seed).integers(1, largest, (N_TABLES, 4))
    return [(a, a + b, a + c, a + b + c + d) for a, b, c, d in cells.tolist()]


def of(name: str, tables: list[tuple[int, int, int, int]]) -> list[float]:
    found: list[float] = association(*np.array(tables).T)[:, ASSOCIATION_MEASURES.index(name)].tolist()
    return found


@pytest.mark.parametrize("largest", [10, 1000, 10**6])
def test_log_likelihood_and_chi_squared_equal_scipys(largest: int) -> None:
    from scipy.stats import chi2_contingency

    tables = random_tables(1, largest)
    cells = [[[o, r - o], [c - o, n - r - c + o]] for o, r, c, n in tables]
    for name, how in (("log-likelihood", "log-likelihood"), ("chi-squared", "pearson")):
        expected = [chi2_contingency(one, correction=False, lambda_=how).statistic for one in cells]
        # both sum terms as large as a table's observations, which cancel where values are nearly independent
        limits = [1e-9 * value + 1e-13 * n for value, (_, _, _, n) in zip(expected, tables, strict=True)]
        differences = np.abs(np.subtract(of(name, tables), expected))
        assert (differences <= limits).all(), name


@pytest.mark.parametrize("largest", [10, 1000, 10**6])
def test_all_but_the_z_score_equal_nltks(largest: int) -> None:
    from nltk.metrics import BigramAssocMeasures as Nltk

    tables = random_tables(2, largest)
    for name, function in (
        ("log-likelihood", Nltk.likelihood_ratio),
        ("chi-squared", Nltk.chi_sq),
        ("t-score", Nltk.student_t),
        ("mutual-information", Nltk.pmi),
        ("frequency", Nltk.raw_freq),
    ):
        expected = np.array([function(o, (r, c), n) for o, r, c, n in tables])
        limits = 1e-9 * np.abs(expected) + 1e-13 * np.array([n for _, _, _, n in tables])
        assert (np.abs(of(name, tables) - expected) <= limits).all(), name


def test_a_table_by_hand() -> None:
    """O 10, R 20, C 30, N 100: E = 6."""
    found = dict(zip(ASSOCIATION_MEASURES, association(*np.array([10, 20, 30, 100])).tolist(), strict=True))
    expected = {
        "log-likelihood": 2 * (10 * math.log(10 / 6) + 10 * math.log(10 / 14) + 20 * math.log(20 / 24))
        + 2 * 60 * math.log(60 / 56),
        "chi-squared": 16 / 6 + 16 / 14 + 16 / 24 + 16 / 56,
        "t-score": 4 / math.sqrt(10),
        "z-score": 4 / math.sqrt(6),
        "mutual-information": math.log2(10 / 6),
        "frequency": 0.1,
    }
    assert found == pytest.approx(expected, rel=1e-12)


def test_values_never_observed_together_have_finite_measures() -> None:
    found = association(*np.array([0, 20, 30, 100]))
    expected = [
        2 * (20 * math.log(20 / 14) + 30 * math.log(30 / 24) + 50 * math.log(50 / 56)),
        100 * 600**2 / (20 * 30 * 80 * 70),
    ]
    expected += [-5.5 / math.sqrt(0.5), -math.sqrt(6), math.log2(0.5 / 6), 0]
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize("table", [(0, 0, 30, 100), (0, 20, 0, 100), (0, 0, 0, 0)])
def test_without_evidence_all_measures_are_0(table: tuple[int, int, int, int]) -> None:
    assert not association(*np.array(table)).any()


@given(st.lists(st.tuples(*[st.integers(0, 10**8)] * 4), min_size=1))
def test_measures_are_finite_and_symmetric(cells: list[tuple[int, int, int, int]]) -> None:
    a, b, c, d = np.array(cells).T
    n = a + b + c + d
    found = association(a, a + b, a + c, n)
    assert np.isfinite(found).all()
    np.testing.assert_allclose(found, association(a, a + c, a + b, n), rtol=1e-9, atol=1e-12 * n.max(initial=1))
    assert (found[:, :2] >= 0).all()


def test_a_value_that_is_always_there_tells_nothing() -> None:
    found = association(*np.array([30, 100, 30, 100]))
    assert found.tolist() == pytest.approx([0, 0, 0, 0, 0, 0.3])
