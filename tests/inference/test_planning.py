"""What a test set can show: power, the smallest difference found, how many clusters it takes; equivalence."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, strategies as st
from scipy import stats

import inference_reference as reference
from karat.inference.planning import equivalence_p, minimum_detectable, needed_factor, power

MANY = 1e6  # degrees of freedom
LEVELS = [0.8, 0.9, 0.95, 0.99]
ERRORS = st.floats(1e-4, 1)
POWERS = st.floats(0.5, 0.99)


# --- power ---


@pytest.mark.parametrize("level", LEVELS)
def test_without_a_difference_one_is_found_as_often_as_the_level_allows(level: float) -> None:
    assert power(0.0, 0.01, MANY, level) == pytest.approx(1 - level, rel=1e-4)


@pytest.mark.parametrize("df", [4, 19, 99])
def test_with_few_clusters_too_one_is_found_as_often_as_the_level_allows(df: int) -> None:
    assert power(0.0, 0.01, df, 0.95) == pytest.approx(0.05, rel=1e-4)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("shift", [0.5, 1.0, 2.0, 2.8, 4.0])
def test_with_many_clusters_power_is_that_of_a_normal_test(level: float, shift: float) -> None:
    critical = stats.norm.ppf((1 + level) / 2)
    expected = stats.norm.sf(critical - shift) + stats.norm.cdf(-critical - shift)
    assert power(0.01 * shift, 0.01, MANY, level) == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("df", [19, 29, 99])
@pytest.mark.parametrize("shift", [2.0, 2.8, 4.0])
def test_with_some_clusters_power_is_nearly_that_of_the_noncentral_t(df: int, shift: float) -> None:
    critical = stats.t.ppf(0.975, df)
    expected = stats.nct.sf(critical, df, shift) + stats.nct.cdf(-critical, df, shift)
    assert power(shift, 1.0, df, 0.95) == pytest.approx(expected, abs=0.015)


@given(ERRORS, ERRORS, st.integers(2, 1000), st.sampled_from(LEVELS))
def test_power_is_a_chance_and_does_not_depend_on_the_sign(effect: float, error: float, df: int, level: float) -> None:
    found = power(effect, error, df, level)
    assert 0 < found <= 1
    assert found == power(-effect, error, df, level)


@given(ERRORS, ERRORS, st.floats(1.01, 3), st.integers(2, 1000))
def test_power_grows_with_the_difference_and_with_precision(
    effect: float, error: float, factor: float, df: int
) -> None:
    assert power(effect * factor, error, df, 0.95) >= power(effect, error, df, 0.95)
    assert power(effect, error / factor, df, 0.95) >= power(effect, error, df, 0.95)


# --- the smallest difference, and the clusters that are needed ---


def test_eighty_percent_takes_2_8_standard_errors() -> None:
    assert minimum_detectable(0.5, MANY, 0.95, 0.8) == pytest.approx(0.5 * (1.959964 + 0.841621), abs=1e-5)


def test_with_some_clusters_the_smallest_difference_has_nearly_the_wanted_power_of_the_noncentral_t() -> None:
    for df in (19, 29, 99):
        smallest = minimum_detectable(1.0, df, 0.95, 0.8)
        assert stats.nct.sf(stats.t.ppf(0.975, df), df, smallest) == pytest.approx(0.8, abs=0.015)


@given(ERRORS, st.sampled_from(LEVELS), POWERS)
def test_the_smallest_difference_is_found_with_the_wanted_power(error: float, level: float, wanted: float) -> None:
    smallest = minimum_detectable(error, MANY, level, wanted)
    # a wrong direction, which `minimum_detectable` leaves out, adds little
    wrong = stats.norm.cdf(-2 * stats.norm.ppf((1 + level) / 2) - stats.norm.ppf(wanted))
    assert power(smallest, error, MANY, level) == pytest.approx(wanted + wrong, abs=1e-5)


@pytest.mark.parametrize("wanted", [0.001, 0.01, 0.02, 0.05])
def test_the_smallest_difference_is_not_negative(wanted: float) -> None:
    # with a power of at most 1 − level, every difference is found
    assert minimum_detectable(1.0, MANY, 0.95, wanted) >= 0


@given(ERRORS, ERRORS, st.integers(2, 1000), st.sampled_from(LEVELS), POWERS)
def test_with_the_clusters_needed_the_difference_is_the_smallest_found(
    effect: float, error: float, df: int, level: float, wanted: float
) -> None:
    factor = needed_factor(effect, error, df, level, wanted)
    assert minimum_detectable(error / math.sqrt(factor), df, level, wanted) == pytest.approx(effect)


def test_half_the_difference_takes_four_times_the_clusters() -> None:
    assert needed_factor(0.01, 0.01, MANY, 0.95, 0.8) == pytest.approx((1.959964 + 0.841621) ** 2, rel=1e-5)
    assert needed_factor(0.005, 0.01, 19, 0.95, 0.8) == pytest.approx(4 * needed_factor(0.01, 0.01, 19, 0.95, 0.8))
    assert needed_factor(-0.01, 0.01, 19, 0.95, 0.8) == needed_factor(0.01, 0.01, 19, 0.95, 0.8)


# --- equivalence ---


@pytest.mark.parametrize(
    ("difference", "error", "df", "margin"),
    [
        (0.0, 1.0, 1, 1.0),
        (0.001, 0.002, 19, 0.005),
        (-0.001, 0.002, 19, 0.005),
        (0.004, 0.002, 99.5, 0.005),
        (0.02, 0.002, 19, 0.005),
        (-0.003, 0.0005, 5, 0.005),
        (0.0, 0.002, 2000, 0.0),
    ],
)
def test_the_p_of_equivalence_is_the_references(difference: float, error: float, df: float, margin: float) -> None:
    expected = reference.equivalence_p(difference, error, df, margin)
    assert equivalence_p(difference, error, df, margin) == pytest.approx(expected, rel=1e-7)


@given(st.floats(-1, 1), ERRORS, st.integers(1, 1000), st.floats(0, 1), st.floats(0, 1))
def test_a_wider_margin_has_a_smaller_p(difference: float, error: float, df: int, margin: float, more: float) -> None:
    assert equivalence_p(difference, error, df, margin + more) <= equivalence_p(difference, error, df, margin) + 1e-12


@given(st.floats(-1, 1), ERRORS, st.integers(1, 1000), st.floats(0, 1))
def test_equivalence_does_not_depend_on_which_system_is_first(
    difference: float, error: float, df: int, margin: float
) -> None:
    assert equivalence_p(difference, error, df, margin) == equivalence_p(-difference, error, df, margin)


@given(ERRORS, st.integers(1, 1000), st.floats(0, 1))
def test_a_difference_as_large_as_the_margin_has_a_p_of_a_half(error: float, df: int, margin: float) -> None:
    assert equivalence_p(margin, error, df, margin) == pytest.approx(0.5)


@pytest.mark.parametrize("difference", [-0.01, 0.0, 0.004])
def test_equivalence_holds_where_the_interval_of_twice_the_tail_lies_within_the_margin(difference: float) -> None:
    # two one-sided tests at 5 % are the 90 % interval within ±margin [Schuirmann 1987]
    reach = float(stats.t.ppf(0.95, 19)) * 0.003
    margin = abs(difference) + reach
    assert equivalence_p(difference, 0.003, 19, margin) == pytest.approx(0.05)
