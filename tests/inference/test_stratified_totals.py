"""Intervals of totals from stratified samples: against all samples of small populations, one by one, and properties."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from karat.inference.stratified_totals import SampledStratum, collapsed, total_interval


def reference_mid_p(size: int, judged: int, accepted: int, level: float) -> tuple[int, int]:
    """The totals that a two-sided mid-p test does not reject, each tried with all its probabilities as fractions."""
    kept = []
    for total in range(size + 1):
        ways = [comb(total, x) * comb(size - total, judged - x) for x in range(judged + 1)]
        chances = [Fraction(one, comb(size, judged)) for one in ways]
        if not chances[accepted]:
            continue
        above, below = sum(chances[accepted + 1 :]), sum(chances[:accepted])
        if min(above, below) + chances[accepted] / 2 > (1 - Fraction(str(level))) / 2:
            kept.append(total)
    return min(kept), max(kept)


@st.composite
def sampled_strata(draw: st.DrawFn, most: int = 60) -> SampledStratum:
    size = draw(st.integers(1, most))
    judged = draw(st.integers(1, size))
    return SampledStratum(size, judged, draw(st.integers(0, judged)), draw(st.sampled_from([1, -1, 2])))


@settings(max_examples=60, deadline=None)
@given(sampled_strata(), st.sampled_from([0.8, 0.95, 0.99]))
def test_one_stratum_has_the_mid_p_interval(one: SampledStratum, level: float) -> None:
    low, high = (one.factor * end for end in reference_mid_p(one.size, one.judged, int(one.accepted), level))
    estimate = one.factor * one.total
    found = total_interval([one], level)
    assert found == pytest.approx((min(low, high, estimate), max(low, high, estimate)))


@pytest.mark.parametrize(("size", "judged", "accepted"), [(5, 1, 1), (5, 4, 4), (6, 3, 1), (10, 1, 0), (20, 1, 0)])
def test_a_total_exactly_at_the_limit_is_outside(size: int, judged: int, accepted: int) -> None:
    """Of 10, one judged and rejected: 8 accepted have ½ P(X = 0) = ½ 2/10, a tenth, as the level leaves at each end."""
    assert total_interval([SampledStratum(size, judged, accepted)], 0.8) == reference_mid_p(size, judged, accepted, 0.8)


def every_sample(accepted: int, size: int, judged: int) -> Counter[int]:
    """How many samples have how many accepted units: all samples, one by one."""
    units = [1] * accepted + [0] * (size - accepted)
    return Counter(sum(units[place] for place in chosen) for chosen in combinations(range(size), judged))


def exact_coverage(strata: list[tuple[int, int, int, int]]) -> float:
    """The share of all samples of these strata (size, judged, accepted in truth, factor) whose interval covers."""
    truth = sum(factor * accepted for _, _, accepted, factor in strata)
    found = [every_sample(accepted, size, judged) for size, judged, accepted, _ in strata]
    covered = total = 0
    for numbers in product(*(one.items() for one in found)):
        n_samples = int(np.prod([n for _, n in numbers]))
        sampled = [
            SampledStratum(size, judged, x, factor)
            for (size, judged, _, factor), (x, _) in zip(strata, numbers, strict=True)
        ]
        lower, upper = total_interval(sampled)
        covered += n_samples * (lower <= truth <= upper)
        total += n_samples
    return covered / total


def test_all_samples_of_one_small_population_are_covered_often_enough() -> None:
    coverages = [exact_coverage([(16, 6, accepted, 1)]) for accepted in range(17)]
    assert min(coverages) > 0.9  # mid-p may fall below 95 % a little
    assert np.mean(coverages) > 0.95


def test_all_samples_of_a_tenth_are_covered_as_the_module_says() -> None:
    """A stratum of 600, 60 judged: coverage for every total, from the probabilities of all samples."""
    ends = [total_interval([SampledStratum(600, 60, x)]) for x in range(61)]
    coverages = []
    for total in range(601):
        chances = (comb(total, x) * comb(600 - total, 60 - x) for x in range(61))
        covered = sum(n for n, (low, high) in zip(chances, ends, strict=True) if low <= total <= high)
        coverages.append(covered / comb(600, 60))
    assert min(coverages) == pytest.approx(0.927, abs=1e-3)
    assert np.mean(coverages) == pytest.approx(0.955, abs=1e-3)


@pytest.mark.parametrize("factor", [1, -1])
def test_all_samples_of_two_small_strata_are_covered_often_enough(factor: int) -> None:
    coverages = [exact_coverage([(12, 5, a, 1), (10, 4, b, factor)]) for a in range(0, 13, 2) for b in range(0, 11, 2)]
    assert min(coverages) > 0.9
    assert np.mean(coverages) > 0.95


def test_coverage_of_sampled_tenths_is_near_the_level() -> None:
    """Two strata of 600 and 900 with shares that are rare, common and nearly all: 2,000 seeded samples each."""
    rng = np.random.default_rng(3)
    for rare, common in ((12, 225), (60, 540), (150, 882)):
        strata = [(600, 60, rare, -1), (900, 90, common, 1)]
        cache: dict[tuple[int, ...], tuple[float, float]] = {}
        covered = 0
        for _ in range(2000):
            numbers = tuple(int(rng.hypergeometric(a, size - a, n)) for size, n, a, _ in strata)
            if numbers not in cache:
                cache[numbers] = total_interval(
                    [SampledStratum(size, n, x, f) for (size, n, _, f), x in zip(strata, numbers, strict=True)]
                )
            covered += cache[numbers][0] <= common - rare <= cache[numbers][1]
        assert 0.93 <= covered / 2000 <= 0.98, (rare, common)


def test_many_small_strata_are_collapsed_and_then_covered() -> None:
    """Twenty strata of 60 of which 6 are judged and 2 accepted in truth: without collapsing, 64 % would be covered."""
    rng = np.random.default_rng(4)
    covered = 0
    for _ in range(500):
        strata = [SampledStratum(60, 6, int(rng.hypergeometric(2, 58, 6))) for _ in range(20)]
        lower, upper = total_interval(collapsed(strata))
        covered += lower <= 40 <= upper
    assert 0.93 <= covered / 500 <= 0.99


@settings(max_examples=80, deadline=None)
@given(st.lists(sampled_strata(), min_size=1, max_size=4), st.sampled_from([0.8, 0.95]))
def test_an_interval_holds_the_estimate_and_is_possible(strata: list[SampledStratum], level: float) -> None:
    lower, upper = total_interval(strata, level)
    estimate = sum(one.factor * one.total for one in strata)
    ends = [sorted((one.factor * one.accepted, one.factor * (one.size - one.judged + one.accepted))) for one in strata]
    assert lower <= estimate + 1e-9
    assert estimate - 1e-9 <= upper
    assert sum(low for low, _ in ends) - 1e-9 <= lower
    assert upper <= sum(high for _, high in ends) + 1e-9
    assert total_interval(strata, 0.99)[0] <= lower
    assert upper <= total_interval(strata, 0.99)[1]


@settings(max_examples=60, deadline=None)
@given(st.lists(sampled_strata(), min_size=1, max_size=3))
def test_accepted_and_rejected_are_mirrored(strata: list[SampledStratum]) -> None:
    mirrored = [SampledStratum(one.size, one.judged, one.judged - one.accepted, -one.factor) for one in strata]
    shift = sum(one.factor * one.size for one in strata)
    lower, upper = total_interval(strata)
    assert total_interval(mirrored) == pytest.approx((lower - shift, upper - shift))


@settings(max_examples=60, deadline=None)
@given(st.lists(sampled_strata(), min_size=1, max_size=3), st.permutations([0, 1, 2]))
def test_the_order_of_strata_does_not_matter(strata: list[SampledStratum], order: list[int]) -> None:
    again = [strata[place] for place in order if place < len(strata)]
    assert total_interval(again) == pytest.approx(total_interval(strata))


def test_what_is_judged_to_the_last_is_known() -> None:
    assert total_interval([SampledStratum(50, 50, 7), SampledStratum(9, 9, 2, -1)]) == (5.0, 5.0)
    one = SampledStratum(400, 40, 10)
    lower, upper = total_interval([one])
    assert total_interval([one, SampledStratum(50, 50, 7)]) == (lower + 7, upper + 7)


def test_what_nobody_judged_may_be_anything() -> None:
    assert total_interval([SampledStratum(30, 0, 0, -1), SampledStratum(5, 0, 0)]) == (-30.0, 5.0)
    assert total_interval([SampledStratum(0, 0, 0)]) == (0.0, 0.0)


def test_collapsing_keeps_sizes_estimates_and_large_strata() -> None:
    large, known = SampledStratum(600, 60, 25), SampledStratum(4, 4, 1)
    small = [SampledStratum(30, 3, 1), SampledStratum(20, 2, 2), SampledStratum(11, 1, 0)]
    found = collapsed([large, *small, known])
    assert large in found
    assert known in found
    assert len(found) == 3
    (together,) = (one for one in found if one not in (large, known))
    assert together.size == 61
    assert together.total == pytest.approx(sum(one.total for one in small))
    assert together.judged <= 6
    few = [SampledStratum(500, 50, 2), SampledStratum(500, 50, 49), SampledStratum(500, 50, 1)]
    assert collapsed(few) == [SampledStratum(1000, 100, 3.0), few[1]]  # few accepted apart from few rejected


@pytest.mark.parametrize("numbers", [(5, 6, 1), (5, 3, 4), (5, 3, -1)])
def test_what_is_no_sample_is_refused(numbers: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="not a sample"):
        SampledStratum(*numbers)


def test_a_level_must_be_one() -> None:
    with pytest.raises(ValueError, match="level"):
        total_interval([SampledStratum(5, 3, 1)], 1.0)
