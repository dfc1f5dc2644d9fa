"""Two systems unit by unit: the four numbers and what follows from them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

import inference_reference as reference
from karat._arrays import Floats
from karat.inference.paired_units import (
    LARGE_DESIGN_EFFECT,
    PairCounts,
    design_effect,
    pair_counts,
)

PUBLISHED = PairCounts(6516, 232, 343, 4309)  # [Hogenhout & Matsumoto 1996]
UNITS = st.lists(st.tuples(st.booleans(), st.booleans()), max_size=60)
COUNTS = st.builds(PairCounts, *[st.integers(0, 300)] * 4)


def number(value: float | None) -> float:
    """The reference says nan where there is None."""
    return math.nan if value is None else value


def close(expected: float) -> object:
    return pytest.approx(expected, rel=1e-10, abs=1e-12, nan_ok=True)


def exchanged(counts: PairCounts) -> PairCounts:
    return PairCounts(counts.yy, counts.ny, counts.yn, counts.nn)


# --- the four numbers ---


@given(UNITS)
def test_every_unit_is_one_of_four_kinds(units: list[tuple[bool, bool]]) -> None:
    a, b = [one for one, _ in units], [other for _, other in units]
    found = pair_counts(np.array(a, dtype=np.bool_), np.array(b, dtype=np.bool_))
    assert (found.yy, found.yn, found.ny, found.nn) == reference.pair_counts(a, b)
    assert found.n == len(units)


def test_six_units_by_hand() -> None:
    found = PairCounts(2, 1, 2, 1)
    assert (found.n, found.a, found.b) == (6, 3 / 6, 4 / 6)
    assert found.difference == pytest.approx(1 / 6)
    assert found.mcnemar_z == pytest.approx(1 / math.sqrt(3))
    assert found.mcnemar_p == pytest.approx(1)  # of 8 patterns 1 + 3 have at most one A: 2 · 4/8
    assert found.mcnemar_mid_p == pytest.approx(5 / 8)  # 2 · 4/8 − 3/8
    assert found.odds_ratio == 2
    assert found.error_reduction == pytest.approx(1 / 3)  # from 3 errors to 2
    assert found.oracle == pytest.approx(5 / 6)
    assert (found.b_mends, found.a_mends) == pytest.approx((2 / 3, 1 / 2))


@given(COUNTS)
def test_shares_and_their_differences_fit_together(counts: PairCounts) -> None:
    assert 0 <= counts.a <= 1
    assert 0 <= counts.b <= 1
    assert counts.difference == close(counts.b - counts.a)
    assert counts.oracle >= max(counts.a, counts.b)
    assert counts.oracle == close(counts.a + counts.ny / max(counts.n, 1))


@given(COUNTS)
def test_the_oracle_is_as_much_better_than_each_as_the_other_mends(counts: PairCounts) -> None:
    for share, mends in ((counts.a, counts.b_mends), (counts.b, counts.a_mends)):
        if mends is None:
            assert share in (0, 1)  # no errors, or no units
        else:
            assert 0 <= mends <= 1
            assert share + mends * (1 - share) == close(counts.oracle)


def test_without_units_there_is_nothing_to_say() -> None:
    nothing = PairCounts(0, 0, 0, 0)
    assert (nothing.n, nothing.a, nothing.b, nothing.difference, nothing.oracle) == (0, 0, 0, 0, 0)
    assert (nothing.mcnemar_z, nothing.mcnemar_p) == (None, 1)
    assert (nothing.unpaired_z, nothing.unpaired_p, nothing.odds_ratio) == (None, None, None)
    assert (nothing.error_reduction, nothing.error_reduction_error()) == (None, None)
    assert (nothing.a_mends, nothing.b_mends) == (None, None)
    assert nothing.expected_both_right().z is None
    assert nothing.expected_both_wrong().z is None
    assert nothing.odds_ratio_interval(0.95) == (0, None)


def test_perfect_systems_have_no_errors_to_mend() -> None:
    perfect = PairCounts(10, 0, 0, 0)
    assert (perfect.a, perfect.b, perfect.oracle) == (1, 1, 1)
    assert (perfect.unpaired_z, perfect.error_reduction, perfect.a_mends, perfect.b_mends) == (None,) * 4
    assert (perfect.expected_both_right().z, perfect.expected_both_wrong().z) == (None, None)


# --- tests that take units for independent ---


@given(COUNTS)
def test_z_are_the_references(counts: PairCounts) -> None:
    assert number(counts.mcnemar_z) == close(reference.mcnemar_z(counts.yn, counts.ny))
    if not counts.n:
        return
    four = (counts.yy, counts.yn, counts.ny, counts.nn)
    assert number(counts.unpaired_z) == close(reference.unpaired_z(*four))
    for found, (value, variance, z) in zip(
        (counts.expected_both_right(), counts.expected_both_wrong()), reference.independence(*four), strict=True
    ):
        assert (found.value, found.variance, number(found.z)) == (close(value), close(variance), close(z))


@given(st.integers(0, 120), st.integers(0, 120))
def test_exact_and_mid_p_of_mcnemar_are_the_references(yn: int, ny: int) -> None:
    p, mid_p = reference.mcnemar(yn, ny)
    counts = PairCounts(5, yn, ny, 3)
    assert counts.mcnemar_p == pytest.approx(float(p), rel=1e-10)
    assert counts.mcnemar_mid_p <= counts.mcnemar_p <= 1
    if yn != ny:
        assert counts.mcnemar_mid_p == pytest.approx(float(mid_p), rel=1e-10)


@pytest.mark.parametrize("n", [0, 2, 300])
def test_the_mid_p_of_systems_that_win_equally_often_is_fagerlands(n: int) -> None:
    # 1 − ½ P(X = n) of 2n throws [Fagerland et al. 2013, supplement, eq. 2], as in the exact permutation test
    expected = 1 - math.comb(2 * n, n) / 4**n / 2
    assert PairCounts(5, n, n, 3).mcnemar_mid_p == pytest.approx(expected)


def test_fagerlands_example() -> None:
    # children before and after a transplantation, their table 1
    counts = PairCounts(1, 1, 7, 12)
    assert (round(counts.mcnemar_p, 4), round(counts.mcnemar_mid_p, 4)) == (0.0703, 0.0391)


@pytest.mark.parametrize(
    ("yn", "ny"), [(232, 343), (0, 900), (450, 460), (5000, 5300), (5300, 5000), (50_000, 51_000), (499_000, 501_000)]
)
def test_with_many_units_p_of_mcnemar_is_that_of_scipys_sign_test(yn: int, ny: int) -> None:
    counts, n, fewer = PairCounts(0, yn, ny, 0), yn + ny, min(yn, ny)
    assert counts.mcnemar_p == pytest.approx(stats.binomtest(yn, n).pvalue, rel=1e-8)
    mid_p = 2 * stats.binom.cdf(fewer - 1, n, 0.5) + stats.binom.pmf(fewer, n, 0.5)
    assert counts.mcnemar_mid_p == pytest.approx(mid_p, rel=1e-8)


def test_systems_that_never_differ_have_no_z_and_a_p_of_1() -> None:
    same = PairCounts(7, 0, 0, 5)
    assert (same.mcnemar_z, same.mcnemar_p) == (None, 1)
    assert (same.odds_ratio, same.error_reduction) == (None, 0)


def test_the_papers_own_numbers() -> None:
    right, wrong = PUBLISHED.expected_both_right(), PUBLISHED.expected_both_wrong()
    assert (round(right.value, 2), round(wrong.value, 2)) == (4060.05, 1853.05)
    assert (round(number(right.z), 1), round(number(wrong.z), 1)) == (48.0, 62.3)
    assert round(number(PUBLISHED.mcnemar_z), 3) == 4.629
    assert round(number(PUBLISHED.unpaired_z), 2) == 1.50
    assert number(PUBLISHED.unpaired_p) == pytest.approx(2 * stats.norm.sf(number(PUBLISHED.unpaired_z)))


@given(COUNTS)
def test_exchanging_the_systems_negates_differences_and_inverts_the_odds_ratio(counts: PairCounts) -> None:
    other = exchanged(counts)
    assert (other.a, other.b, other.difference) == (counts.b, counts.a, -counts.difference)
    assert number(other.mcnemar_z) == close(-number(counts.mcnemar_z))
    assert number(other.unpaired_z) == close(-number(counts.unpaired_z))
    assert (other.mcnemar_p, other.mcnemar_mid_p) == (counts.mcnemar_p, counts.mcnemar_mid_p)
    assert (other.oracle, other.a_mends, other.b_mends) == (counts.oracle, counts.b_mends, counts.a_mends)
    assert number(other.expected_both_right().z) == close(number(counts.expected_both_right().z))
    if counts.yn and counts.ny:
        assert number(other.odds_ratio) == close(1 / number(counts.odds_ratio))
    lower, upper = counts.odds_ratio_interval(0.95)
    other_lower, other_upper = other.odds_ratio_interval(0.95)
    assert other_lower == pytest.approx(0 if upper is None else 1 / upper, rel=1e-8)
    assert other_upper == (None if not lower else pytest.approx(1 / lower, rel=1e-8))


# --- odds ratio and error reduction ---


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.99])
@pytest.mark.parametrize(("yn", "ny"), [(1, 1), (0, 5), (5, 0), (3, 9), (232, 343), (1, 2000), (2000, 1), (9000, 9100)])
def test_the_interval_of_the_odds_ratio_is_scipys_clopper_pearson_interval(yn: int, ny: int, level: float) -> None:
    share = stats.binomtest(ny, yn + ny).proportion_ci(level, method="exact")
    lower, upper = PairCounts(0, yn, ny, 0).odds_ratio_interval(level)
    assert lower == pytest.approx(share.low / (1 - share.low), rel=1e-8)
    assert upper == (None if not yn else pytest.approx(share.high / (1 - share.high), rel=1e-8))


@given(st.integers(0, 300), st.integers(1, 300))
def test_the_interval_of_the_odds_ratio_leaves_out_1_just_if_mcnemars_test_rejects(yn: int, ny: int) -> None:
    counts = PairCounts(0, yn, ny, 0)
    lower, upper = counts.odds_ratio_interval(0.95)
    leaves_out_1 = lower > 1 or (upper is not None and upper < 1)
    assert leaves_out_1 == (counts.mcnemar_p < 0.05)


def test_the_standard_error_of_the_error_reduction_is_that_of_a_ratio() -> None:
    counts = PairCounts(50, 8, 20, 30)
    errors_a = np.repeat([0, 0, 1, 1], [50, 8, 20, 30])
    errors_b = np.repeat([0, 1, 0, 1], [50, 8, 20, 30])
    ratio = errors_b.sum() / errors_a.sum()
    variance = ((errors_b - ratio * errors_a) ** 2).sum() / errors_a.sum() ** 2  # [Cochran 1977, eq. 6.9]
    assert counts.error_reduction == pytest.approx(1 - ratio)
    assert counts.error_reduction_error() == pytest.approx(math.sqrt(variance))


def test_the_standard_error_of_the_error_reduction_is_what_random_test_sets_show() -> None:
    rng = np.random.default_rng(4)
    shares, n, n_draws = np.array([0.7, 0.05, 0.1, 0.15]), 2000, 4000
    found = [number(PairCounts(*map(int, one)).error_reduction) for one in rng.multinomial(n, shares, size=n_draws)]
    error = number(PairCounts(*map(int, shares * n)).error_reduction_error())
    assert float(np.std(found, ddof=1)) == pytest.approx(error, rel=5 / math.sqrt(2 * n_draws) + 0.02)


# --- design effects ---


def in_clusters(clusters: Sequence[int], values: Floats) -> tuple[Floats, Floats]:
    """The sum of values and the number of units of each cluster."""
    numbers = np.unique(clusters, return_inverse=True)[1]
    return np.bincount(numbers, values).astype(np.float64), np.bincount(numbers).astype(np.float64)


def effect_of(clusters: Sequence[int], a: Sequence[bool], b: Sequence[bool]) -> float | None:
    differences = np.array(b, dtype=np.float64) - np.array(a, dtype=np.float64)
    sums, units = in_clusters(clusters, differences)
    return design_effect(sums, units, int((differences != 0).sum()))


CLUSTERED = st.lists(st.tuples(st.integers(0, 7), st.booleans(), st.booleans()), min_size=1, max_size=40)


@given(CLUSTERED)
def test_design_effects_are_the_references(units: list[tuple[int, bool, bool]]) -> None:
    clusters, a, b = zip(*units, strict=True)
    assert number(effect_of(clusters, a, b)) == close(reference.design_effect(clusters, a, b))


@given(CLUSTERED)
def test_the_design_effect_of_a_score_is_that_of_a_difference_from_nothing(units: list[tuple[int, bool, bool]]) -> None:
    clusters, right, _ = zip(*units, strict=True)
    correct, n_units = in_clusters(clusters, np.array(right, dtype=np.float64))
    expected = reference.design_effect(clusters, [False] * len(right), right)
    assert number(design_effect(correct, n_units, correct.sum())) == close(expected)


def test_two_clusters_of_equal_units_by_hand() -> None:
    # d = 1, 1 and −1, −1: 2/1 · (2² + 2²) over 4/3 · 4
    assert design_effect(np.array([2.0, -2]), np.array([2.0, 2]), 4) == pytest.approx(3)
    # d = 1, −1 and 1, −1: the clusters do not differ
    assert design_effect(np.array([0.0, 0]), np.array([2.0, 2]), 4) == 0


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=2, max_size=40))
def test_units_that_are_clusters_have_a_design_effect_of_1(units: list[tuple[bool, bool]]) -> None:
    a, b = [one for one, _ in units], [other for _, other in units]
    found = effect_of(range(len(units)), a, b)
    differences = {right_b - right_a for right_a, right_b in units}
    assert found == (None if len(differences) == 1 else pytest.approx(1, rel=1e-12))


def test_there_is_no_design_effect_where_nothing_varies() -> None:
    assert design_effect(np.zeros(3), np.array([4.0, 5, 6]), 0) is None  # never different
    assert design_effect(np.array([4.0, 5, 6]), np.array([4.0, 5, 6]), 15) is None  # always different
    assert design_effect(np.array([3.0]), np.array([9.0]), 5) is None  # one cluster
    assert design_effect(np.zeros(0), np.zeros(0), 0) is None
    assert design_effect(np.array([4.0, 5.0]), np.array([4.0, 5.0]), 9) is None
    assert design_effect(np.array([0.0, 0.0]), np.array([4.0, 5.0]), 0) is None


@pytest.mark.parametrize("correlation", [0.0, 0.1, 0.4])
def test_correlated_units_have_the_design_effect_of_the_textbook(correlation: float) -> None:
    # of m units that correlate by ρ within their cluster: 1 + (m − 1)ρ [Kish 1965]
    rng = np.random.default_rng(5)
    n_clusters, m = 4000, 8
    values, chances = [-1, 0, 1], [0.1, 0.75, 0.15]
    shared = rng.choice(values, p=chances, size=(n_clusters, 1))
    own = rng.choice(values, p=chances, size=(n_clusters, m))
    differences = np.where(rng.random((n_clusters, m)) < math.sqrt(correlation), shared, own)
    sums = differences.sum(axis=1)
    found = design_effect(sums, np.full(n_clusters, m), int((differences != 0).sum()))
    squares = (sums - sums.mean()) ** 2
    sigma = squares.std() / math.sqrt(n_clusters) / (m * differences.var())
    assert number(found) == pytest.approx(1 + (m - 1) * correlation, abs=5 * sigma)
    assert (number(found) > LARGE_DESIGN_EFFECT) == (correlation > 0)
