"""The distributions that tests and intervals need, held to scipy's."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, strategies as st
from scipy import special, stats

from karat.inference.distributions import (
    beta_quantile,
    binomial_half_cdf,
    binomial_half_pmf,
    incomplete_beta,
    normal_cdf,
    normal_quantile,
    t_quantile,
    t_tail,
    two_sided_normal,
)

WANTED = 1e-10  # relative
DEGREES = [1, 1.5, 2, 3, 5, 10, 19, 30.7, 99, 1000, 1e4, 1e5, 1e6]
SHAPES = [0.5, 1, 2, 5, 10.5, 100, 1e3, 1e4, 1e5]


def close(expected: float) -> object:
    return pytest.approx(float(expected), rel=WANTED, abs=0)


# --- normal ---


@pytest.mark.parametrize("z", [-37.0, -8.0, -3.0, -1.96, -1e-9, 0.0, 1e-9, 0.5, 1.96, 5.0, 40.0])
def test_normal_probabilities_are_scipys(z: float) -> None:
    assert normal_cdf(z) == close(stats.norm.cdf(z))
    assert two_sided_normal(z) == close(2 * stats.norm.sf(abs(z)))


@pytest.mark.parametrize("p", [1e-300, 1e-15, 1e-5, 0.025, 0.3, 0.5 + 1e-6, 0.8, 0.975, 1 - 1e-10])
def test_normal_quantiles_are_scipys(p: float) -> None:
    assert normal_quantile(p) == close(stats.norm.ppf(p))


# --- Student's t ---


def test_with_one_degree_of_freedom_the_tail_is_an_arctangent() -> None:
    assert t_tail(1.0, 1) == close(0.25)  # 1/2 − arctan(1)/π
    assert t_tail(math.sqrt(3), 1) == close(1 / 6)  # arctan √3 = π/3


@pytest.mark.parametrize("df", DEGREES)
def test_tails_of_t_are_scipys(df: float) -> None:
    by_tail = [float(stats.t.isf(tail, df)) for tail in (0.4, 0.2, 0.05, 1e-3, 1e-6, 1e-9, 1e-12, 1e-15)]
    for t in [0.1, 0.5, 1.0, 2.0, 3.0, 5.0, *by_tail]:
        assert (t, t_tail(t, df)) == (t, close(stats.t.sf(t, df)))
        assert (t, t_tail(-t, df)) == (t, close(stats.t.sf(-t, df)))


@pytest.mark.parametrize("df", DEGREES)
def test_tails_of_t_near_the_middle_are_scipys(df: float) -> None:
    for t in [0.0, 1e-6, 1e-4, 1e-3, 1e-2]:
        assert (t, t_tail(t, df)) == (t, close(stats.t.sf(t, df)))
        assert (t, t_tail(-t, df)) == (t, close(stats.t.sf(-t, df)))


@pytest.mark.parametrize("df", DEGREES)
def test_quantiles_of_t_are_scipys(df: float) -> None:
    for p in [0.01, 0.025, 0.05, 0.25, 0.4, 0.75, 0.8, 0.9, 0.95, 0.975, 0.99, 0.995, 0.999, 0.9999, 1 - 1e-6]:
        assert (p, t_quantile(p, df)) == (p, close(stats.t.ppf(p, df)))


def test_with_very_many_degrees_of_freedom_t_is_normal() -> None:
    assert t_quantile(0.975, 1e9) == pytest.approx(stats.norm.ppf(0.975), rel=1e-7)
    assert t_tail(2.0, 1e9) == pytest.approx(stats.norm.sf(2.0), rel=1e-7)


def test_the_median_of_t_is_0() -> None:
    assert [t_quantile(0.5, df) for df in DEGREES] == pytest.approx([0.0] * len(DEGREES), abs=1e-12)
    assert [t_tail(0.0, df) for df in DEGREES] == [0.5] * len(DEGREES)


def test_beyond_infinity_lies_nothing() -> None:
    assert t_tail(math.inf, 3) == 0
    assert t_tail(-math.inf, 3) == 1


@given(st.floats(-30, 30), st.floats(1, 1e4))
def test_both_tails_of_t_make_one(t: float, df: float) -> None:
    assert t_tail(t, df) + t_tail(-t, df) == pytest.approx(1, abs=1e-15)


@given(st.floats(0.51, 0.9999), st.floats(1, 1e4))
def test_the_quantile_of_t_inverts_its_tail(p: float, df: float) -> None:
    assert 1 - t_tail(t_quantile(p, df), df) == pytest.approx(p, rel=1e-10)
    assert t_quantile(1 - p, df) == pytest.approx(-t_quantile(p, df), rel=1e-10)


# --- beta ---


@pytest.mark.parametrize("a", SHAPES)
def test_the_incomplete_beta_function_is_scipys(a: float) -> None:
    for b in SHAPES:
        mean, spread = a / (a + b), math.sqrt(a * b / (a + b + 1)) / (a + b)
        around = [mean + away * spread for away in (-6, -3, -1, 0, 1, 3, 6)]
        for x in [1e-10, 1e-5, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 1 - 1e-5, *around]:
            expected = special.betainc(a, b, x) if 0 < x < 1 else 0
            if expected > 1e-280:
                assert (b, x, incomplete_beta(a, b, x)) == (b, x, close(expected))


def test_the_incomplete_beta_function_is_0_and_1_at_its_ends() -> None:
    assert [incomplete_beta(2, 3, x) for x in (-0.5, 0.0, 1.0, 2.0)] == [0, 0, 1, 1]


@pytest.mark.parametrize("a", [1, 2, 5, 50, 1e3, 1e5])
def test_quantiles_of_beta_are_scipys(a: float) -> None:
    for b in [1, 2, 5, 50, 1e3, 1e5]:
        for p in [1e-6, 0.005, 0.025, 0.5, 0.975, 0.995]:
            assert (b, p, beta_quantile(p, a, b)) == (b, p, close(stats.beta.ppf(p, a, b)))


# --- throws of a coin ---


@pytest.mark.parametrize("n", [1, 2, 5, 10, 31, 100, 1000, 10**4, 10**5, 10**6])
def test_throws_of_a_coin_are_scipys(n: int) -> None:
    for away in (0, 0.5, 1, 2, 3, 5, 7, 8):
        fewer = max(0, int(n / 2 - away * math.sqrt(n) / 2))
        for k in (fewer, n - fewer):
            assert (k, binomial_half_cdf(k, n)) == (k, close(stats.binom.cdf(k, n, 0.5)))
            assert (k, binomial_half_pmf(k, n)) == (k, close(stats.binom.pmf(k, n, 0.5)))


def test_four_throws_of_a_coin() -> None:
    # 1, 4, 6, 4, 1 of 16
    assert [binomial_half_pmf(k, 4) * 16 for k in range(5)] == pytest.approx([1, 4, 6, 4, 1])
    assert [binomial_half_cdf(k, 4) * 16 for k in range(-1, 6)] == pytest.approx([0, 1, 5, 11, 15, 16, 16])


def test_no_throw_has_no_heads() -> None:
    assert binomial_half_cdf(0, 0) == 1
    assert binomial_half_pmf(0, 0) == 1
