"""Scores of tags in a hierarchy: the paper's tables, and the definitions on random trees and DAGs."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st

from hierarchical_reference import (
    FIGURE_1,
    Answer,
    Children,
    ancestor_counts,
    brier,
    exact,
    extremes,
    hierarchical,
    leaves_below,
    uniform,
)
from karat._numbering import numbered_keys
from karat._ragged import Ragged
from karat.hierarchy import Hierarchy, hierarchy_from_edges, hierarchy_from_text
from karat.measures.hierarchical.leaf_probability import AnswerPairs, Spreading
from karat.measures.hierarchical.scores import HIERARCHICAL_SCORES, HierarchicalScore

Pair = tuple[Collection[str], Answer]  # gold tags, and what a system says


def hierarchy_of(children: Children) -> Hierarchy:
    return hierarchy_from_edges(list(children), [(tag, one) for tag, below in children.items() for one in below])


def rows_of(hierarchy: Hierarchy, answers: Sequence[Answer]) -> Ragged:
    offsets = np.append(0, np.cumsum([len(one) for one in answers])).astype(np.intp)
    tags = hierarchy.numbers([tag for one in answers for tag in one])
    return Ragged(offsets, tags, np.array([float(share) for one in answers for share in one.values()]))


def pairs_of(pairs: Sequence[Pair], children: Children, *, distinct: bool = False) -> AnswerPairs:
    """Every pair an instance and a row of its own, of two word types in turn."""
    return _pairs_in(pairs, hierarchy_of(children), distinct=distinct)


def _pairs_in(pairs: Sequence[Pair], hierarchy: Hierarchy, *, distinct: bool = False) -> AnswerPairs:
    gold = rows_of(hierarchy, [dict.fromkeys(tags, Fraction(1)) for tags, _ in pairs])
    every = np.arange(len(pairs))
    return AnswerPairs(
        gold,
        rows_of(hierarchy, [answer for _, answer in pairs]),
        every,
        every,
        every,
        every,
        len(pairs),
        np.ones(len(pairs), dtype=np.bool_),
        (every % 2).astype(np.int32),
        Spreading(hierarchy, distinct=distinct),
    )


def scores_of(pairs: Sequence[Pair], children: Children, name: str = "hierarchical") -> list[float]:
    found: list[float] = HierarchicalScore(name).scores(pairs_of(pairs, children)).tolist()
    return found


# ---- the paper -------------------------------------------------------------------------------------------------------


def test_table_1_gives_each_system_the_probability_of_the_right_sense() -> None:
    senses: Children = {sense: [] for sense in "1234"}
    systems = [(0.47, 0.42, 0.06, 0.05), (0.85, 0.05, 0.05, 0.05), (0.28, 0.24, 0.24, 0.24), (1.0, 0.0, 0.0, 0.0)]
    answers = [
        {sense: Fraction(str(share)) for sense, share in zip("1234", one, strict=True) if share} for one in systems
    ]
    pairs = [(["2"], answer) for answer in answers]
    assert scores_of(pairs, senses) == pytest.approx([0.42, 0.05, 0.24, 0.0], abs=1e-15)
    assert scores_of(pairs, senses, "exact") == [0, 0, 0, 0]


TABLE_2 = [
    ("B", "A", Fraction(0)),
    ("A", "A", Fraction(1)),
    ("A", "A.1", Fraction(1)),
    ("A", "A.1b", Fraction(1)),
    ("A.1", "A", Fraction(1, 2)),
    ("A.1 A.2", "A", Fraction(1)),
    ("A.1a", "A", Fraction(1, 4)),
    ("A.1a B.2", "B", Fraction(1, 3)),
    ("A.1a B.2", "A.1", Fraction(1, 2)),
    ("A.1a B.2", "A.1 B.2", Fraction(3, 4)),
    ("A.1a B.2", "A.1 B", Fraction(5, 12)),  # printed 0.4
]


@pytest.mark.parametrize(("gold", "output", "score"), TABLE_2)
def test_table_2(gold: str, output: str, score: Fraction) -> None:
    answer = uniform(output.split())
    assert hierarchical(gold.split(), answer, FIGURE_1) == score
    assert scores_of([(gold.split(), answer)], FIGURE_1) == [pytest.approx(float(score), abs=1e-15)]


def test_nested_gold_tags_do_not_count_twice() -> None:
    assert scores_of([(["A", "A.1"], uniform(["A.1"])), (["A", "A.1"], uniform(["A"]))], FIGURE_1) == [1, 1]


def test_probabilities_weigh_what_tags_score() -> None:
    answer = {"A": Fraction(3, 4), "B.1": Fraction(1, 4)}  # 3/4 · 1/4 + 1/4 · 1
    assert scores_of([(["A.1a", "B.1"], answer)], FIGURE_1) == [pytest.approx(7 / 16)]


def test_cross_entropy_and_brier_on_a_case_worked_out_by_hand() -> None:
    pairs: list[Pair] = [(["A.1"], uniform(["A"])), (["B"], uniform(["A"]))]
    assert scores_of(pairs, FIGURE_1, "cross_entropy") == pytest.approx([1.0, -math.log2(0.001)])
    # A is 1/4 A.1a, 1/4 A.1b, 1/2 A.2: (1 - 1/2)² + (1/2)²; and 1 + 2 · (1/4)² + (1/2)²
    assert scores_of(pairs, FIGURE_1, "brier") == pytest.approx([1 / 2, 1 + 3 / 8])


def test_hp_and_hr_of_a_case_worked_out_by_hand() -> None:
    pairs = pairs_of([(["A.1a"], uniform(["A.2"])), (["B"], uniform(["B.2"]))], FIGURE_1)
    # gold {A.1a, A.1, A} and {B}; given {A.2, A} and {B.2, B}; both {A} and {B}
    counts = HierarchicalScore("hF").tallied(pairs, pairs.rows, pairs.system_rows, 2)
    assert counts[:, :3].tolist() == [[3, 2, 1], [1, 2, 1]]
    values = [float(HierarchicalScore(name).value(counts.sum(axis=0))) for name in ("hP", "hR", "hF")]
    assert values == pytest.approx([2 / 4, 2 / 4, 2 / 4])


# ---- the definitions on random hierarchies ---------------------------------------------------------------------------


@st.composite
def hierarchies(draw: st.DrawFn, *, dag: bool = False, most: int = 8) -> dict[str, list[str]]:
    """Tags t0, t1, …, each under one earlier tag or none; in a DAG perhaps under several."""
    n = draw(st.integers(1, most))
    children: dict[str, list[str]] = {f"t{number}": [] for number in range(n)}
    for number in range(1, n):
        parents = draw(st.lists(st.integers(0, number - 1), unique=True, max_size=3 if dag else 1))
        for parent in parents:
            children[f"t{parent}"].append(f"t{number}")
    return children


def answers(tags: Sequence[str]) -> st.SearchStrategy[dict[str, Fraction]]:
    several = st.lists(st.sampled_from(tags), unique=True, max_size=4)

    def weighed(names: list[str]) -> st.SearchStrategy[dict[str, Fraction]]:
        weights = st.lists(st.integers(1, 5), min_size=len(names), max_size=len(names))
        return weights.map(lambda each: {tag: Fraction(w, sum(each)) for tag, w in zip(names, each, strict=True)})

    return several.flatmap(weighed) | several.map(uniform)


@st.composite
def cases(draw: st.DrawFn, *, dag: bool = False, most: int = 8) -> tuple[list[Pair], dict[str, list[str]]]:
    children = draw(hierarchies(dag=dag, most=most))
    tags = list(children)
    gold = st.lists(st.sampled_from(tags), unique=True, min_size=1, max_size=3)
    return draw(st.lists(st.tuples(gold, answers(tags)), min_size=1, max_size=6)), children


@given(cases() | cases(dag=True))
def test_all_scores_are_what_their_definitions_say(case: tuple[list[Pair], Children]) -> None:
    pairs, children = case
    floor = Fraction(1, 1000)
    expected = {
        "hierarchical": [float(hierarchical(gold, answer, children)) for gold, answer in pairs],
        "exact": [exact(gold, answer) for gold, answer in pairs],
        "brier": [float(brier(gold, answer, children)) for gold, answer in pairs],
        "cross_entropy": [-math.log2(max(hierarchical(gold, answer, children), floor)) for gold, answer in pairs],
    }
    for name, values in expected.items():
        assert scores_of(pairs, children, name) == pytest.approx(values, abs=1e-12), name
    found = pairs_of(pairs, children)
    counts = HierarchicalScore("hF").tallied(found, found.rows, found.system_rows, len(pairs))
    assert [tuple(row[:3]) for row in counts] == [ancestor_counts(gold, answer, children) for gold, answer in pairs]


@given(cases() | cases(dag=True))
def test_scores_are_between_0_and_1(case: tuple[list[Pair], Children]) -> None:
    pairs, children = case
    found = pairs_of(pairs, children)
    for name in ("hierarchical", "exact", "hP", "hR", "hF"):
        measure = HierarchicalScore(name)
        counts = measure.tallied(found, found.rows, found.system_rows, len(pairs))
        values = [float(one(counts.sum(axis=0))) for one in (measure.value, *measure.extras.values())]
        assert all(0 <= value <= 1 for value in values), name
    smallest, largest = found.extremes()
    mean = np.mean(scores_of(pairs, children))
    assert -1e-12 <= smallest <= mean + 1e-12
    assert mean - 1e-12 <= largest <= 1 + 1e-12


@given(cases(most=7))
def test_extremes_are_those_over_all_ways_down_a_tree(case: tuple[list[Pair], Children]) -> None:
    pairs, children = case
    low, high = extremes(pairs, children)
    assert pairs_of(pairs, children).extremes() == pytest.approx((float(low), float(high)), abs=1e-12)


@given(cases(dag=True, most=6))
def test_extremes_in_a_dag_hold_those_over_all_ways_down(case: tuple[list[Pair], Children]) -> None:
    pairs, children = case
    low, high = extremes(pairs, children)
    smallest, largest = pairs_of(pairs, children).extremes()
    assert smallest <= float(low) + 1e-12
    assert float(high) - 1e-12 <= largest


def test_extremes_of_one_tag_that_is_right_twice_in_different_ways_bind_each_other() -> None:
    pairs: list[Pair] = [(["A.1"], uniform(["A"])), (["A.2"], uniform(["A"]))]
    assert pairs_of(pairs, FIGURE_1).extremes() == (0.5, 0.5)  # A leads to A.1 or to A.2, on both


@given(cases() | cases(dag=True), st.data())
def test_splitting_a_leaf_in_two_changes_no_score(case: tuple[list[Pair], Children], data: st.DataObject) -> None:
    pairs, children = case
    leaf = data.draw(st.sampled_from([tag for tag, below in children.items() if not below]))
    split = {**children, leaf: ["one", "other"], "one": [], "other": []}
    for name in HIERARCHICAL_SCORES[:-1]:  # all but brier
        if name not in ("hP", "hR", "hF"):
            assert scores_of(pairs, split, name) == pytest.approx(scores_of(pairs, children, name), abs=1e-12)
    whole, halves = pairs_of(pairs, children), pairs_of(pairs, split)
    measure = HierarchicalScore("hF")
    ours, theirs = (measure.tallied(one, one.rows, one.system_rows, len(pairs)) for one in (whole, halves))
    assert np.array_equal(ours, theirs)
    if all(len(set().union(*(leaves_below(tag, children) for tag in answer))) <= 1 for _, answer in pairs):
        assert halves.extremes()[1] == pytest.approx(whole.extremes()[1], abs=1e-12)


def test_splitting_a_leaf_that_is_wrong_makes_brier_less_sure_of_it() -> None:
    """Its error is spread over more leaves: what Brier's score asks of probabilities depends on what is told apart."""
    split = {**FIGURE_1, "A.2": ["A.2a", "A.2b"], "A.2a": [], "A.2b": []}
    pairs: list[Pair] = [(["B"], uniform(["A.2"]))]
    assert scores_of(pairs, FIGURE_1, "brier") == [2.0]
    assert scores_of(pairs, split, "brier") == [1.5]


@given(cases() | cases(dag=True))
def test_replacing_output_by_its_own_expansion_changes_nothing(case: tuple[list[Pair], Children]) -> None:
    from hierarchical_reference import distribution

    pairs, children = case
    expanded = [(gold, dict(distribution(answer, children))) for gold, answer in pairs]
    for name in ("hierarchical", "cross_entropy", "brier"):
        assert scores_of(expanded, children, name) == pytest.approx(scores_of(pairs, children, name), abs=1e-12)


@given(cases(dag=True))
def test_leaves_taken_for_equally_likely_are_so(case: tuple[list[Pair], Children]) -> None:
    pairs, children = case
    found = HierarchicalScore("hierarchical").scores(pairs_of(pairs, children, distinct=True))
    for value, (gold, answer) in zip(found.tolist(), pairs, strict=True):
        right = {leaf for tag in gold for leaf in leaves_below(tag, children)}
        shares = [
            share * Fraction(len(leaves_below(tag, children) & right), len(leaves_below(tag, children)))
            for tag, share in answer.items()
        ]
        assert value == pytest.approx(float(sum(shares)), abs=1e-12)


def test_means_over_types_and_over_instances_differ() -> None:
    pairs: list[Pair] = [(["A.1"], uniform(["A"])), (["B"], uniform(["B"])), (["B"], uniform(["A"]))]
    found = pairs_of(pairs, FIGURE_1)  # types 0, 1, 0: means 1/4 and 1
    measure = HierarchicalScore("hierarchical")
    counts = measure.tallied(found, found.rows, found.system_rows, 3).sum(axis=0)
    assert float(measure.value(counts)) == pytest.approx(1 / 2)
    assert float(measure.extras["by_type_mean"](counts)) == pytest.approx(5 / 8)


def indented(children: Children) -> str:
    """The text of a forest."""

    def lines(tag: str, depth: int) -> list[str]:
        return [" " * depth + tag, *(line for child in children[tag] for line in lines(child, depth + 1))]

    tops = [tag for tag in children if not any(tag in below for below in children.values())]
    return "\n".join(line for top in tops for line in lines(top, 0)) + "\n"


@given(cases())
def test_a_dag_with_one_parent_each_is_the_tree(case: tuple[list[Pair], Children]) -> None:
    pairs, children = case
    edges = "".join(f"{tag}\t{child}\n" for tag, below in children.items() for child in below)
    dag = hierarchy_from_text("".join(f"{tag}\n" for tag in children) + edges, layout="pairs")
    tree = hierarchy_from_text(indented(children), layout="indented", tree=True)
    assert dag.is_tree
    for name in HIERARCHICAL_SCORES:
        if name in ("hP", "hR", "hF"):
            continue
        found = [HierarchicalScore(name).scores(_pairs_in(pairs, one)).tolist() for one in (dag, tree)]
        assert found[0] == pytest.approx(found[1], abs=1e-12)
    assert _pairs_in(pairs, dag).extremes() == pytest.approx(_pairs_in(pairs, tree).extremes(), abs=1e-12)


@given(st.lists(st.integers(-(2**62), 2**62) | st.integers(0, 5), max_size=50))
def test_keys_have_the_same_numbers_sorted_and_hashed(keys: list[int]) -> None:
    from karat._compiled_numbering import numbered_keys as hashed

    given_keys = np.array(keys, dtype=np.int64)
    order = list(dict.fromkeys(keys))
    for distinct, number in (numbered_keys(given_keys), hashed(given_keys)):
        assert distinct.tolist() == order
        assert [order[one] for one in number.tolist()] == keys
