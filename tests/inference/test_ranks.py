"""Many systems: Holm's adjustment, groups, ranks, and how much too good the best one looks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

import inference_reference as reference
from karat.inference.ranks import groups_told_apart, holm, optimism, rank_intervals, ranks

PS = st.lists(st.sampled_from([0.0, 1e-12, 0.001, 0.01, 0.0125, 0.02, 0.04, 0.05, 0.3, 0.5, 1.0]), max_size=10)
SCORES = st.lists(st.sampled_from([0.1, 0.5, 0.7, 0.7000001, 0.9]), min_size=1, max_size=6)


# --- Holm ---


def test_holm_multiplies_by_how_many_are_left() -> None:
    # sorted 0.01 · 4, 0.02 · 3, 0.03 · 2 (0.06 too), 0.5 · 1
    assert holm([0.5, 0.02, 0.01, 0.03]) == pytest.approx([0.5, 0.06, 0.04, 0.06])
    assert holm([]) == []
    assert holm([0.3]) == [0.3]


@given(PS)
def test_adjusted_p_are_the_references(p: list[float]) -> None:
    assert holm(p) == reference.holm(p)


@given(PS)
def test_adjusted_p_are_between_p_and_bonferronis_and_keep_their_order(p: list[float]) -> None:
    adjusted = holm(p)
    assert all(raw <= one <= min(1, len(p) * raw) + 1e-15 for raw, one in zip(p, adjusted, strict=True))
    order = sorted(range(len(p)), key=lambda number: p[number])
    assert [adjusted[number] for number in order] == sorted(adjusted)


@given(st.permutations([0.001, 0.01, 0.01, 0.02, 0.3]))
def test_the_order_of_p_does_not_matter(p: list[float]) -> None:
    expected = dict(zip([0.001, 0.01, 0.01, 0.02, 0.3], holm([0.001, 0.01, 0.01, 0.02, 0.3]), strict=True))
    assert holm(p) == [expected[one] for one in p]


# --- groups ---


def grouped(n_systems: int, same: set[tuple[int, int]]) -> list[int]:
    return groups_told_apart(n_systems, lambda i, j: (i, j) not in same)


def test_a_group_begins_where_all_before_differ_from_all_after() -> None:
    assert grouped(4, set()) == [1, 2, 3, 4]
    assert grouped(4, {(1, 2)}) == [1, 2, 2, 3]
    assert grouped(4, {(0, 2)}) == [1, 1, 1, 2]  # 1 differs from both and stands between them
    assert grouped(4, {(0, 1), (2, 3)}) == [1, 1, 2, 2]
    assert grouped(4, {(0, 3)}) == [1, 1, 1, 1]
    assert grouped(1, set()) == [1]
    assert grouped(0, set()) == []


@given(st.integers(0, 6), st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5))))
def test_groups_are_the_references(n_systems: int, same: set[tuple[int, int]]) -> None:
    names = "abcdef"[:n_systems]
    expected = reference.told_apart_groups(names, lambda one, other: (names.index(one), names.index(other)) not in same)
    assert grouped(n_systems, same) == [number for number, group in enumerate(expected, start=1) for _ in group]


# --- ranks ---


@given(SCORES)
def test_ranks_are_the_references(values: list[float]) -> None:
    assert ranks(np.array(values)).tolist() == reference.ranks(values)


def test_ranks_are_those_of_each_row() -> None:
    assert ranks(np.array([[0.5, 0.9, 0.5, 0.1], [1.0, 1.0, 1.0, 1.0]])).tolist() == [[2, 1, 2, 4], [1, 1, 1, 1]]


def resampled_ranks(*shares: tuple[int, list[float]]) -> list[tuple[int, int]]:
    """The 90 % intervals of ranks from so many resamples with these values."""
    return rank_intervals(np.array([values for n, values in shares for _ in range(n)]), 0.9)


def test_ranks_of_the_middle_resamples_are_between_the_ends() -> None:
    # 100 resamples; 5 may be left out at either side
    assert resampled_ranks((100, [0.9, 0.5, 0.1])) == [(1, 1), (2, 2), (3, 3)]
    assert resampled_ranks((96, [0.9, 0.5, 0.1]), (4, [0.5, 0.9, 0.1])) == [(1, 1), (2, 2), (3, 3)]
    assert resampled_ranks((94, [0.9, 0.5, 0.1]), (6, [0.5, 0.9, 0.1])) == [(1, 2), (1, 2), (3, 3)]
    assert resampled_ranks((6, [0.1, 0.5, 0.9]), (94, [0.9, 0.5, 0.1])) == [(1, 3), (2, 2), (1, 3)]
    assert resampled_ranks((50, [0.9, 0.9]), (50, [0.9, 0.5])) == [(1, 1), (1, 2)]


@given(
    st.lists(st.lists(st.sampled_from([0.1, 0.5, 0.9]), min_size=3, max_size=3), min_size=1, max_size=60),
    st.sampled_from([0.5, 0.8, 0.9, 0.95]),
)
def test_ranks_lie_between_the_ends_in_at_least_the_level_of_resamples(values: list[list[float]], level: float) -> None:
    each = [reference.ranks(row) for row in values]
    for number, (lower, upper) in enumerate(rank_intervals(np.array(values), level)):
        own = [row[number] for row in each]
        n_most = (1 - level) / 2 * len(own) * (1 + 1e-9)
        assert sum(one < lower for one in own) <= n_most
        assert sum(one > upper for one in own) <= n_most
        assert lower in own
        assert upper in own


# --- optimism ---


@given(st.lists(st.lists(st.floats(0, 1), min_size=3, max_size=3), min_size=1, max_size=20), st.data())
def test_optimism_is_the_references(resampled: list[list[float]], data: st.DataObject) -> None:
    values = data.draw(st.lists(st.floats(0, 1), min_size=3, max_size=3))
    expected = reference.optimism(resampled, values)
    assert optimism(np.array(resampled), np.array(values)) == pytest.approx(expected, abs=1e-12)


def test_one_system_is_not_chosen() -> None:
    resampled = np.array([[0.4], [0.6]])
    assert optimism(resampled, np.array([0.5])) == pytest.approx(0)


def test_the_best_of_equal_systems_looks_too_good_by_the_expected_maximum() -> None:
    # the largest of 5 standard normals is 1.16296 on the average
    rng = np.random.default_rng(1)
    n, spread = 20_000, 0.01
    resampled = 0.8 + spread * rng.standard_normal((n, 5))
    found = optimism(resampled, np.full(5, 0.8))
    assert found == pytest.approx(1.16296 * spread, abs=5 * 0.669 * spread / np.sqrt(n))  # 0.669: of a maximum's spread


def test_the_best_of_systems_that_are_far_apart_hardly_looks_too_good() -> None:
    rng = np.random.default_rng(2)
    values = np.array([0.5, 0.9, 0.7])
    resampled = values + 0.01 * rng.standard_normal((2000, 3))
    assert abs(optimism(resampled, values)) < 5 * 0.01 / np.sqrt(2000)


def test_more_equal_systems_look_better() -> None:
    rng = np.random.default_rng(3)
    resampled = 0.8 + 0.01 * rng.standard_normal((5000, 20))
    found = [optimism(resampled[:, :k], np.full(k, 0.8)) for k in (2, 5, 20)]
    assert 0 < found[0] < found[1] < found[2]
