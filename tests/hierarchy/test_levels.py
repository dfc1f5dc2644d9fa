"""Hierarchies cut at a level: which tags stand for others, and how they spread."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from hierarchy_reference import Edges, dags, from_edges, level_masses, level_of, stand_ins, trees
from karat.hierarchy import Hierarchy, hierarchy_from_text
from karat.hierarchy.downward import downward_from_text, spread
from karat.hierarchy.levels import lowest_level, spread_at_level, tags_at_level

FIGURE = hierarchy_from_text("A\n A.1\n  A.1a\n  A.1b\n A.2\nB\n B.1\n B.2\n B.3\n")


def masses(h: Hierarchy, level: int, tag: str) -> dict[str, float]:
    row = spread_at_level(h, h.numbers([tag]), level).weighted_row(0)
    return {h.names[leaf]: mass for leaf, mass in row.items()}


def test_figure_1_level_by_level() -> None:
    assert FIGURE.levels.tolist() == [1, 2, 3, 3, 2, 1, 2, 2, 2]
    assert [masses(FIGURE, 1, tag) for tag in ("A", "A.1b", "B.3")] == [{"A": 1}, {"A": 1}, {"B": 1}]
    assert masses(FIGURE, 2, "A") == {"A.1": 0.5, "A.2": 0.5}
    assert masses(FIGURE, 2, "A.1b") == {"A.1": 1}
    assert masses(FIGURE, 2, "A.2") == masses(FIGURE, 3, "A.2") == {"A.2": 1}
    assert masses(FIGURE, 3, "A") == {"A.1a": 0.25, "A.1b": 0.25, "A.2": 0.5}


def test_a_tag_with_two_parents_is_on_the_level_of_the_shorter_way() -> None:
    # both is below top and below deep, which is below left: level 2
    h = hierarchy_from_text("top\tleft\nleft\tdeep\ndeep\tboth\ntop\tboth\nleft\tx\n")
    assert dict(zip(h.names, h.levels.tolist(), strict=True)) == {
        "top": 1,
        "left": 2,
        "deep": 3,
        "both": 2,
        "x": 3,
    }
    assert masses(h, 2, "deep") == {"left": 1}  # left has children below level 2
    assert masses(h, 2, "both") == {"both": 1}
    assert masses(h, 3, "deep") == {"both": 1}


def test_two_tags_above_share_the_mass() -> None:
    h = hierarchy_from_text("a\tx\nb\tx\nb\ty\n")
    assert masses(h, 1, "x") == {"a": 0.5, "b": 0.5}
    assert tags_at_level(h, h.numbers(["y", "x"]), 1).sizes.tolist() == [1, 2]


def test_given_probabilities_hold_above_the_cut() -> None:
    downward = downward_from_text("A\tA.1\t0.9\nA\tA.2\t0.1\n", FIGURE)
    found = spread_at_level(FIGURE, FIGURE.numbers(["A"]), 2, downward)
    assert found.weights is not None
    assert found.weights.tolist() == pytest.approx([0.9, 0.1])


@given(st.one_of(trees(), dags()), st.integers(1, 7), st.booleans())
def test_masses_are_what_recursion_finds(of: tuple[list[str], Edges], level: int, distinct: bool) -> None:
    tags, edges = of
    h = from_edges(edges, tags)
    every = np.arange(len(h))
    assert h.levels.tolist() == [level_of(edges, tag) for tag in tags]
    stands, found = tags_at_level(h, every, level), spread_at_level(h, every, level, distinct=distinct)
    for number, tag in enumerate(tags):
        assert {tags[one] for one in stands.row(number).tolist()} == stand_ins(edges, tag, level)
        named = {tags[leaf]: mass for leaf, mass in found.weighted_row(number).items()}
        expected = level_masses(edges, tag, level, distinct=distinct)
        assert named == pytest.approx({leaf: float(mass) for leaf, mass in expected.items()}, abs=1e-12)


@given(st.one_of(trees(), dags()))
def test_the_lowest_level_is_the_whole(of: tuple[list[str], Edges]) -> None:
    tags, edges = of
    h = from_edges(edges, tags)
    every = np.arange(len(h))
    assert lowest_level(h, every) == max(level_of(edges, tag) for tag in tags)
    for tag in every.tolist():
        one = np.array([tag])
        found, whole = spread_at_level(h, one, lowest_level(h, one)), spread(h, one)
        assert found.values.tolist() == h.leaves[whole.values].tolist()
        assert found.weights == pytest.approx(whole.weights)
