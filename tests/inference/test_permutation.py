"""Tests that swap the systems' results, cluster by cluster: exact, and by random swaps."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import assume, example, given, settings, strategies as st

import inference_reference as reference
from karat._arrays import Floats, Indices
from karat.inference.distributions import SMALLEST_P
from karat.inference.options import InferenceOptions
from karat.inference.paired_units import PairCounts
from karat.inference.permutation import PermutationTest, exact_test, integer_differences, randomisation_tests
from karat.measures.measure import Ratio, aligned_accuracy, f1, precision, recall

Rows = list[tuple[int, int, int, int]]  # gold, system, correct, aligned of each cluster
Table = Sequence[Sequence[int]] | Floats

DIFFERENCES = st.lists(st.integers(-8, 8), max_size=12)


def whole(values: Sequence[int]) -> Indices:
    return np.array(values, dtype=np.intp)


def near(expected: Fraction | float) -> object:
    return pytest.approx(float(expected), rel=0, abs=1e-12)


# --- all patterns of signs ---


def test_three_differences_by_hand() -> None:
    # ±3 ±2 ±1: of 6, 4, 2, 0, 0, −2, −4, −6 all but the two zeros are at least as far as 3 − 2 + 1 = 2, half of 2 equal
    found = exact_test(whole([3, -2, 1]))
    assert (found.p, found.mid_p) == pytest.approx((6 / 8, 5 / 8))
    assert (found.method, found.n_differing, found.n_resamples) == ("exact permutation", 3, 0)


@given(DIFFERENCES)
def test_the_exact_test_counts_all_patterns_of_signs(differences: list[int]) -> None:
    found = exact_test(whole(differences))
    p, mid_p = reference.sign_flip_p(differences)
    assert found.p == near(p)
    if any(differences):
        assert found.mid_p == near(mid_p)


@given(st.lists(st.integers(-30_000, 30_000), min_size=1, max_size=7), st.sampled_from([1, 2, 6, 1000]))
@settings(max_examples=60)
def test_large_differences_with_a_common_divisor_are_counted_too(differences: list[int], divisor: int) -> None:
    assume(any(differences))
    found = exact_test(whole([divisor * one for one in differences]))
    p, mid_p = reference.sign_flip_p(differences)
    assert (found.p, found.mid_p) == (near(p), near(mid_p))


@pytest.mark.parametrize("differences", [[244_456, 254_531, -165_729], [-464_715, 795_469, -356_369]])
def test_a_few_very_large_differences_leave_no_more_rounding_than_is_promised(differences: list[int]) -> None:
    found = exact_test(whole(differences))
    p, mid_p = reference.sign_flip_p(differences)
    assert (found.p, found.mid_p) == (near(p), near(mid_p))


@pytest.mark.parametrize("shift", [0, 25, 60])
def test_hundreds_of_clusters_agree_with_the_convolution(shift: int) -> None:
    differences = np.random.default_rng(shift).integers(-3, 4, size=700)
    differences[:shift] = np.abs(differences[:shift])
    found = exact_test(differences)
    p, mid_p = reference.sign_flip_p_by_convolution(differences.tolist())
    assert (found.p, found.mid_p) == (near(p), near(mid_p))


def by_convolution(differences: Indices) -> tuple[float, float]:
    """p and mid-p, one difference after another, in long floats: all terms are positive, so little is lost."""
    sizes = np.abs(differences[differences != 0])
    total = int(sizes.sum())
    chances = np.zeros(2 * total + 1, dtype=np.longdouble)
    chances[total] = 1
    reach = 0
    for size in sizes.tolist():
        old = chances[total - reach : total + reach + 1] / 2
        chances[total - reach : total + reach + 1] = 0
        chances[total - reach - size : total + reach - size + 1] += old
        chances[total - reach + size : total + reach + size + 1] += old
        reach += size
    away = np.abs(np.arange(-total, total + 1))
    observed = abs(int(differences.sum()))
    beyond, equal = chances[away > observed].sum(), chances[away == observed].sum()
    return float(beyond + equal), float(beyond + equal / 2)


@pytest.mark.parametrize(("n", "largest", "shift"), [(3000, 3, 0), (4000, 2, 150), (3000, 5, 400), (200, 150, 10)])
def test_thousands_of_clusters_agree_with_the_convolution(n: int, largest: int, shift: int) -> None:
    differences = np.random.default_rng(n + shift).integers(-largest, largest + 1, size=n)
    differences[:shift] = np.abs(differences[:shift])
    found = exact_test(differences)
    p, mid_p = by_convolution(differences)
    assert (found.p, found.mid_p) == (near(p), near(mid_p))


@given(st.integers(0, 60), st.integers(0, 60))
def test_clusters_of_one_unit_make_it_mcnemars_exact_test(yn: int, ny: int) -> None:
    counts = PairCounts(3, yn, ny, 2)
    found = exact_test(whole([-1] * yn + [1] * ny))
    assert found.p == pytest.approx(max(counts.mcnemar_p, SMALLEST_P), rel=0, abs=1e-12)
    if yn != ny:
        assert found.mid_p == pytest.approx(max(counts.mcnemar_mid_p, SMALLEST_P / 2), rel=0, abs=1e-12)


@given(DIFFERENCES, st.randoms(use_true_random=False))
def test_order_and_the_sign_of_all_differences_do_not_matter(differences: list[int], random: Random) -> None:
    shuffled = list(differences)
    random.shuffle(shuffled)
    found = exact_test(whole(differences))
    assert exact_test(whole(shuffled)) == found
    assert exact_test(whole([-one for one in differences])) == found


@given(DIFFERENCES, st.integers(0, 5))
def test_zeros_do_not_matter(differences: list[int], n_zeros: int) -> None:
    found = exact_test(whole(differences))
    assert exact_test(whole([0] * n_zeros + differences)) == found
    assert found.n_differing == sum(one != 0 for one in differences)


@given(DIFFERENCES, st.integers(1, 10_000))
def test_differences_times_a_number_change_nothing(differences: list[int], factor: int) -> None:
    assert exact_test(whole([factor * one for one in differences])) == exact_test(whole(differences))


@given(st.lists(st.integers(-200, 200), max_size=300))
def test_p_lies_above_0_and_up_to_1(differences: list[int]) -> None:
    found = exact_test(whole(differences))
    assert SMALLEST_P <= found.p <= 1
    assert 0 < found.mid_p <= found.p
    assert found.is_upper_bound == (found.p == SMALLEST_P)


def test_without_differences_p_is_1() -> None:
    for differences in ([], [0], [0, 0, 0]):
        found = exact_test(whole(differences))
        assert (found.p, found.is_upper_bound, found.n_differing) == (1, False, 0)


@pytest.mark.parametrize("n", [41, 60, 1000, 20_000])
def test_what_rounding_does_not_leave_certain_is_an_upper_bound(n: int) -> None:
    # 2/2ⁿ; of 41 clusters 0.9e-12
    found = exact_test(np.full(n, 3))
    assert found == PermutationTest("exact permutation", SMALLEST_P, SMALLEST_P, True, n)
    mixed = exact_test(np.random.default_rng(n).integers(1, 20, size=n))
    assert (mixed.p, mixed.is_upper_bound) == (SMALLEST_P, True)


def test_what_rounding_leaves_certain_is_no_bound() -> None:
    found = exact_test(whole([1] * 39))  # 2/2³⁹ = 3.6e-12
    assert (found.p, found.is_upper_bound) == (near(2 / 2**39), False)


@pytest.mark.parametrize(
    "sizes", [[1, 1, 1, 1, 1, 1, 1], [1, 2, 3, 4, 5, 6, 7], [1, 10, 100, 1000], [5, 5, 3, 3, 2, 2, 2]]
)
def test_under_the_null_p_is_at_most_as_small_as_it_says(sizes: list[int]) -> None:
    every = [exact_test(whole(sizes) * whole(signs)).p for signs in product((1, -1), repeat=len(sizes))]
    for p in set(every):
        assert np.mean([one <= p + 1e-9 for one in every]) == pytest.approx(p)


# --- where the exact test can be used ---


def test_differences_are_those_of_numerators() -> None:
    a, b = np.array([[5, 5, 3, 5], [4, 4, 4, 4.0]]), np.array([[5, 5, 4, 5], [4, 4, 1, 4.0]])
    for value, expected in ((recall, [1, -3]), (precision, [1, -3]), (f1, [2, -6]), (aligned_accuracy, [1, -3])):
        found = integer_differences(a, b, value)
        assert found is not None
        assert found.tolist() == expected


def test_a_denominator_that_differs_in_one_cluster_rules_it_out() -> None:
    a, b = np.array([[5, 5, 3, 5], [4, 4, 4, 4.0]]), np.array([[5, 6, 3, 5], [4, 4, 3, 4.0]])
    assert integer_differences(a, b, precision) is None
    assert integer_differences(a, b, f1) is None
    assert integer_differences(a, b, recall) is not None
    assert integer_differences(a, b, aligned_accuracy) is not None


def test_denominators_that_are_equal_only_in_sum_rule_it_out() -> None:
    a, b = np.array([[5, 5, 3, 5], [4, 4, 4, 4.0]]), np.array([[5, 4, 3, 4], [4, 5, 3, 4.0]])
    assert integer_differences(a, b, precision) is None


def test_counts_that_are_not_whole_rule_it_out() -> None:
    a = np.array([[5, 5, 2.7, 5], [4, 4, 4, 4]])
    assert integer_differences(a, np.array([[5, 5, 3, 5], [4, 4, 3.0, 4]]), recall) is None
    assert integer_differences(a, np.array([[5, 5, 3.1, 5], [4, 4, 3.0, 4]]), f1) is None


# --- random swaps ---


def random_rows(rng: np.random.Generator, n: int) -> tuple[Rows, Rows]:
    """Two systems on n clusters that differ in how much they give and in how much of it is right."""
    a: Rows = []
    b: Rows = []
    for _ in range(n):
        gold = int(rng.integers(1, 8))
        for rows, chance in ((a, 0.5), (b, 0.75)):
            system = int(rng.integers(1, 9))
            aligned = int(rng.integers(0, min(gold, system) + 1))
            rows.append((gold, system, int(rng.binomial(aligned, chance)), aligned))
    return a, b


def floats(rows: Table) -> Floats:
    return np.array(rows, dtype=np.float64).reshape(len(rows), 4)


def swapped(
    a: Table, b: Table, value: Ratio, *, n_resamples: int = 300, seed: int = 0, jobs: int = 1
) -> PermutationTest:
    return randomisation_tests(
        [(floats(a), floats(b))], value, InferenceOptions(n_resamples=n_resamples, seed=seed, jobs=jobs)
    )[0]


ROW = st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3), st.integers(0, 3))
PAIRS = st.lists(st.tuples(ROW, ROW), min_size=1, max_size=8)
Row = tuple[int, int, int, int]
PARTS = {
    precision: (lambda row: Fraction(row[2]), lambda row: Fraction(row[1])),
    recall: (lambda row: Fraction(row[2]), lambda row: Fraction(row[0])),
    f1: (lambda row: Fraction(2 * row[2]), lambda row: Fraction(row[0] + row[1])),
}


@pytest.mark.parametrize("value", [precision, recall, f1], ids=lambda value: value.name)
@pytest.mark.parametrize("seed", range(6))
def test_random_swaps_estimate_the_share_of_all_swaps(value: Ratio, seed: int) -> None:
    a, b = random_rows(np.random.default_rng(seed), 7)
    p = float(reference.studentised_swap_p(a, b, *PARTS[value]))
    n = 10_000
    found = swapped(a, b, value, n_resamples=n, seed=seed)
    assert found.p == pytest.approx(p, abs=5 * math.sqrt(p * (1 - p) / n) + 1 / n)
    assert found.mid_p <= found.p
    assert (found.method, found.n_resamples, found.is_upper_bound) == ("studentised randomisation", n, False)


@settings(max_examples=40)
@given(PAIRS, st.sampled_from([precision, recall, f1]))
def test_random_swaps_of_any_rows_are_the_references(pairs: list[tuple[Row, Row]], value: Ratio) -> None:
    a, b = [list(rows) for rows in zip(*pairs, strict=True)]
    p = float(reference.studentised_swap_p(a, b, *PARTS[value]))
    assert swapped(a, b, value, n_resamples=2000).p == pytest.approx(p, abs=6 * math.sqrt(p * (1 - p) / 2000) + 1e-3)


@given(PAIRS, st.sampled_from([precision, recall, f1, aligned_accuracy]), st.integers(0, 3))
@example([((1, 1, 0, 0), (1, 0, 0, 0)), ((1, 0, 0, 0), (1, 1, 0, 0))], precision, 0)  # swaps that mirror each other
def test_exchanging_the_systems_gives_the_same_p(
    pairs: list[tuple[Sequence[int], Sequence[int]]], value: Ratio, seed: int
) -> None:
    a, b = zip(*pairs, strict=True)
    assert swapped(b, a, value, seed=seed) == swapped(a, b, value, seed=seed)


@given(PAIRS, st.sampled_from([precision, recall, f1]), st.randoms(use_true_random=False))
def test_the_order_of_clusters_does_not_matter(
    pairs: list[tuple[Sequence[int], Sequence[int]]], value: Ratio, random: Random
) -> None:
    other = list(pairs)
    random.shuffle(other)
    (a, b), (other_a, other_b) = zip(*pairs, strict=True), zip(*other, strict=True)
    assert swapped(other_a, other_b, value) == swapped(a, b, value)


@pytest.mark.parametrize("jobs", [2, 3])
def test_the_number_of_workers_does_not_matter(jobs: int) -> None:
    a, b = random_rows(np.random.default_rng(1), 40)
    assert swapped(a, b, f1, n_resamples=5000, jobs=jobs) == swapped(a, b, f1, n_resamples=5000)


def test_other_seeds_swap_otherwise() -> None:
    a, b = random_rows(np.random.default_rng(2), 40)
    found = {swapped(a, b, f1, n_resamples=5000, seed=seed).p for seed in range(5)}
    assert len(found) > 1
    assert swapped(a, b, f1, n_resamples=5000, seed=3) == swapped(a, b, f1, n_resamples=5000, seed=3)


def test_pairs_tested_together_are_tested_as_alone() -> None:
    pairs = [random_rows(np.random.default_rng(seed), 30) for seed in range(4)]
    together = randomisation_tests(
        [(floats(a), floats(b)) for a, b in pairs], f1, InferenceOptions(n_resamples=2000, seed=5)
    )
    assert together == [swapped(a, b, f1, n_resamples=2000, seed=5) for a, b in pairs]
    assert randomisation_tests([], f1, InferenceOptions(n_resamples=2000)) == []


@pytest.mark.parametrize("seed", range(4))
def test_random_swaps_agree_with_the_exact_test_where_both_can_be_used(seed: int) -> None:
    rng = np.random.default_rng(seed)
    gold = rng.integers(3, 20, size=150)
    a, b = (np.column_stack([gold, gold, rng.binomial(gold, chance), gold]).astype(float) for chance in (0.8, 0.82))
    differences = integer_differences(a, b, f1)
    assert differences is not None
    exact, n = exact_test(differences), 20_000
    found = swapped(a, b, f1, n_resamples=n, seed=seed)
    # with the same denominators, the standard error hardly changes with a swap
    assert found.p == pytest.approx(exact.p, rel=0.1, abs=5 * math.sqrt(exact.p * (1 - exact.p) / n) + 1 / n)
    assert found.n_differing == exact.n_differing


def test_identical_systems_have_a_p_of_1() -> None:
    a, _ = random_rows(np.random.default_rng(3), 20)
    found = swapped(a, a, f1)
    assert (found.p, found.n_differing) == (1, 0)


def test_identical_systems_have_the_same_mid_p_by_both_tests() -> None:
    a, _ = random_rows(np.random.default_rng(3), 20)
    assert swapped(a, a, f1).mid_p == exact_test(whole([0] * 20)).mid_p


def test_swaps_that_differ_as_much_count_even_if_rounding_says_otherwise() -> None:
    # one cluster: swapped or not, the difference is |2/3 − 1/7|
    found = swapped([(3, 3, 2, 3)], [(3, 7, 1, 3)], precision, n_resamples=1000)
    assert found.p == 1
    assert found.mid_p == pytest.approx(0.5)


def test_where_no_swap_differs_as_much_p_is_small_and_not_0() -> None:
    found = swapped([(5, 6, 0, 5)] * 80, [(5, 5, 5, 5)] * 80, f1, n_resamples=999)
    assert 0 < found.p <= 1 / 1000
    assert 0 < found.mid_p <= found.p


@pytest.mark.slow
def test_where_no_swap_differs_as_much_p_is_not_understated() -> None:
    """Against all 2^14 swaps; only 20 plain ones are drawn, which are too few."""
    n_tails = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        gold = rng.integers(4, 12, size=14)
        a, b = (
            np.column_stack([gold, system, rng.binomial(system, chance), gold])
            for system, chance in ((gold, 0.55), (gold * 4, 0.8))
        )
        rows_a, rows_b = ([tuple(map(int, row)) for row in rows.tolist()] for rows in (a, b))
        found = swapped(rows_a, rows_b, precision, n_resamples=20, seed=seed)
        if "tail" in found.method:
            n_tails += 1
            p = float(reference.studentised_swap_p(rows_a, rows_b, *PARTS[precision]))
            assert found.p == pytest.approx(p, rel=0.35)
    assert n_tails >= 4


def test_clusters_that_differ_in_what_the_value_does_not_use_do_not_count_as_differing() -> None:
    same, aligned_otherwise = (5, 5, 3, 5), (5, 5, 3, 4)
    found = swapped([same, same, (5, 5, 3, 5)], [same, aligned_otherwise, (5, 4, 3, 4)], precision)
    assert found.n_differing == 1  # the last one


def test_counts_may_be_fractions() -> None:
    a, b = random_rows(np.random.default_rng(4), 30)
    found = swapped(floats(a) / 4, floats(b) / 4, f1, n_resamples=2000)
    assert found == swapped(a, b, f1, n_resamples=2000)


def test_under_the_null_random_swaps_reject_as_often_as_they_should() -> None:
    rng = np.random.default_rng(6)
    n_sets = 400
    pairs = []
    for _ in range(n_sets):
        gold = rng.integers(3, 12, size=40)
        chance = np.clip(rng.normal(0.8, 0.1, size=40), 0, 1)
        systems = []
        for _ in range(2):
            system = np.maximum(1, gold + rng.integers(-1, 2, size=40))
            systems.append(np.column_stack([gold, system, rng.binomial(np.minimum(gold, system), chance), gold]))
        pairs.append((systems[0].astype(float), systems[1].astype(float)))
    tests = randomisation_tests(pairs, f1, InferenceOptions(n_resamples=999))
    rejected = sum(one.p <= 0.1 for one in tests)
    assert rejected == pytest.approx(0.1 * n_sets, abs=5 * math.sqrt(n_sets * 0.1 * 0.9))
