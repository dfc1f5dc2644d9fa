"""Many systems: Holm's adjustment, groups, ranks, and the ranks that are left."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, strategies as st

import inference_reference as reference
from karat._arrays import Flags
from karat.inference.ranks import holm, letters, rank_sets, ranks, separate_groups

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


def told_better(n: int, is_better: Callable[[int, int], bool]) -> Flags:
    return np.array([[is_better(i, j) for j in range(n)] for i in range(n)], dtype=np.bool_).reshape(n, n)


def grouped(n_systems: int, same: set[tuple[int, int]]) -> list[int]:
    return separate_groups(told_better(n_systems, lambda i, j: (i, j) not in same))


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


def test_ranks_that_are_left_are_counted_from_who_is_told_apart() -> None:
    told = {(0, 2), (0, 3), (1, 3)}
    assert rank_sets(told_better(4, lambda i, j: (i, j) in told)) == [(1, 2), (1, 3), (2, 4), (3, 4)]
    assert rank_sets(np.zeros((3, 3), dtype=np.bool_)) == [(1, 3)] * 3
    assert rank_sets(np.ones((3, 3), dtype=np.bool_)) == [(1, 1), (2, 2), (3, 3)]


@given(st.integers(1, 5), st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4))))
def test_no_order_that_keeps_all_told_pairs_is_left_out(n_systems: int, told: set[tuple[int, int]]) -> None:
    names = "abcde"[:n_systems]
    possible = reference.rank_sets(names, lambda one, other: (names.index(one), names.index(other)) in told)
    better = told_better(n_systems, lambda i, j: (i, j) in told)
    for name, (lower, upper) in zip(names, rank_sets(better), strict=True):
        assert lower <= min(possible[name])
        assert max(possible[name]) <= upper


# --- letters ---


@given(st.integers(1, 7), st.data())
def test_letters_stand_for_the_largest_sets_that_do_not_differ(n: int, data: st.DataObject) -> None:
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
    differ = set(data.draw(st.lists(st.sampled_from(pairs), unique=True))) if pairs else set()
    found = letters(told_better(n, lambda i, j: (i, j) in differ))
    for i, j in pairs:
        assert bool(set(found[i]) & set(found[j])) == ((i, j) not in differ)
    alike = [
        {i for i in range(n) if number >> i & 1}
        for number in range(1, 2**n)
        if not any(number >> i & 1 and number >> j & 1 for i, j in differ)
    ]
    largest = [one for one in alike if not any(one < other for other in alike)]
    named = {letter: {i for i in range(n) if letter in found[i]} for letter in set("".join(found))}
    assert sorted(map(sorted, named.values())) == sorted(map(sorted, largest))
    assert found[0].startswith("a")
