"""Downward probabilities, uniform, estimated and given, and the mass that they hand to the leaves."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

from hierarchy_reference import Edges, dags, from_edges, leaf_masses, trees, ways_down
from karat._arrays import Floats
from karat.errors import DataError
from karat.hierarchy import Hierarchy, hierarchy_from_text
from karat.hierarchy.downward import _settled, downward_from_text, estimated, read_downward, spread, uniform

FIGURE = hierarchy_from_text("A\n A.1\n  A.1a\n  A.1b\n A.2\nB\n B.1\n B.2\n B.3\n")
DIAMOND = hierarchy_from_text("top\tl\ntop\tr\nl\tx\nl\tboth\nr\tboth\nr\ty\nr\tz\n")


def masses(h: Hierarchy, tag: str, downward: Floats | None = None, *, distinct: bool = False) -> dict[str, float]:
    """The mass of a tag by the names of the leaves."""
    row = spread(h, h.numbers([tag]), downward, distinct=distinct).weighted_row(0)
    return {h.names[h.leaves[leaf]]: mass for leaf, mass in row.items()}


def of_edges(h: Hierarchy, shares: Floats) -> dict[tuple[str, str], float]:
    pairs = zip(h.edge_parents.tolist(), h.children.tolist(), shares.tolist(), strict=True)
    return {(h.names[parent], h.names[child]): share for parent, child, share in pairs}


def counts_of(h: Hierarchy, **counts: float) -> Floats:
    found = np.zeros(len(h))
    for name, count in counts.items():
        found[h.numbers([name.replace("_", ".")])] += count
    return found


def error(text: str) -> DataError:
    with pytest.raises(DataError) as caught:
        downward_from_text(text, FIGURE, "down.tsv")
    return caught.value


# ---- uniform


def test_the_probabilities_of_section_4() -> None:
    shares = of_edges(FIGURE, uniform(FIGURE))
    assert shares["A", "A.1"] == 0.5
    assert shares["A.1", "A.1a"] == 0.5
    assert shares["B", "B.2"] == 1 / 3
    assert masses(FIGURE, "A") == {"A.1a": 0.25, "A.1b": 0.25, "A.2": 0.5}
    assert masses(FIGURE, "A.1a") == {"A.1a": 1}


@given(st.one_of(trees(), dags()))
def test_mass_over_ways_is_what_recursion_finds(of: tuple[list[str], Edges]) -> None:
    tags, edges = of
    h = from_edges(edges, tags)
    found = spread(h, np.arange(len(h)))
    below = h.leaves_below(np.arange(len(h)))
    assert found.offsets.tolist() == below.offsets.tolist()
    assert found.values.tolist() == below.values.tolist()
    for i, tag in enumerate(tags):
        named = {tags[h.leaves[leaf]]: mass for leaf, mass in found.weighted_row(i).items()}
        assert named == pytest.approx({leaf: float(mass) for leaf, mass in leaf_masses(edges, tag).items()}, abs=1e-12)


def test_in_a_dag_mass_goes_by_ways_or_by_distinct_leaves() -> None:
    assert masses(DIAMOND, "top") == pytest.approx({"x": 1 / 4, "both": 1 / 4 + 1 / 6, "y": 1 / 6, "z": 1 / 6})
    assert masses(DIAMOND, "top", distinct=True) == dict.fromkeys(["x", "both", "y", "z"], 1 / 4)


@given(trees(), st.data())
def test_splitting_a_leaf_leaves_the_other_masses_as_they_are(of: tuple[list[str], Edges], data: st.DataObject) -> None:
    tags, edges = of
    leaf = data.draw(st.sampled_from([tag for tag in tags if tag not in {parent for parent, _ in edges}]))
    h = from_edges(edges, tags)
    finer = from_edges([*edges, (leaf, "left"), (leaf, "right")], [*tags, "left", "right"])
    for tag in tags:
        before, after = masses(h, tag), masses(finer, tag)
        assert after.pop("left", 0) + after.pop("right", 0) == before.pop(leaf, 0)
        assert after == before


def test_rows_come_in_the_order_asked_for_even_twice() -> None:
    found = spread(FIGURE, FIGURE.numbers(["B.1", "A", "B.1"]))
    assert [found.weighted_row(i) for i in range(3)] == [{3: 1.0}, {0: 0.25, 1: 0.25, 2: 0.5}, {3: 1.0}]
    assert spread(FIGURE, np.zeros(0, dtype=np.intp)).offsets.tolist() == [0]


def test_two_to_the_sixty_ways_have_mass_one_together() -> None:
    text = "".join(f"n{i}\tl{i}\nn{i}\tr{i}\nl{i}\tn{i + 1}\nr{i}\tn{i + 1}\n" for i in range(60))
    assert masses(hierarchy_from_text(text), "n0") == {"n60": 1.0}


def test_a_leaf_without_probability_is_listed_with_mass_0() -> None:
    assert masses(FIGURE, "A", downward_from_text("A\tA.2\t1\n", FIGURE)) == {"A.1a": 0, "A.1b": 0, "A.2": 1}


def test_wrong_arguments_of_spread_are_refused() -> None:
    with pytest.raises(ValueError, match="7 downward probabilities"):
        spread(FIGURE, np.array([0]), np.ones(3))
    with pytest.raises(ValueError, match="choose downward"):
        spread(FIGURE, np.array([0]), uniform(FIGURE), distinct=True)
    with pytest.raises(ValueError, match="unknown tag"):
        spread(FIGURE, np.array([-1]))


# ---- estimated


def test_estimates_are_the_smoothed_fractions() -> None:
    counts = counts_of(FIGURE, A_1a=3, A_1b=1, A_2=2, B_3=4)
    shares = of_edges(FIGURE, estimated(FIGURE, counts))
    assert shares == pytest.approx(
        {
            ("A", "A.1"): (4 + 1 / 2) / (6 + 1),
            ("A", "A.2"): (2 + 1 / 2) / (6 + 1),
            ("A.1", "A.1a"): (3 + 1 / 2) / (4 + 1),
            ("A.1", "A.1b"): (1 + 1 / 2) / (4 + 1),
            ("B", "B.1"): (1 / 3) / 5,
            ("B", "B.2"): (1 / 3) / 5,
            ("B", "B.3"): (4 + 1 / 3) / 5,
        },
        abs=1e-12,
    )
    unsmoothed = of_edges(FIGURE, estimated(FIGURE, counts, alpha=0))
    assert unsmoothed["A", "A.1"] == pytest.approx(4 / 6)
    assert unsmoothed["B", "B.1"] == 0


def test_em_on_non_leaf_tags_by_hand() -> None:
    # 5 tokens of A.1 say nothing on its children and count as A.1 under A; 7 of A say nothing on what is below.
    # fixed point for A.1: p = (3 + 5p + 1/2) / (4 + 5 + 1), so 5p = 3.5; for A: p = (9 + 7p + 1/2) / (11 + 7 + 1)
    shares = of_edges(FIGURE, estimated(FIGURE, counts_of(FIGURE, A=7, A_1=5, A_1a=3, A_1b=1, A_2=2)))
    assert shares["A.1", "A.1a"] == pytest.approx(3.5 / 5, abs=1e-12)
    assert shares["A", "A.1"] == pytest.approx(9.5 / 12, abs=1e-12)


def test_without_counts_estimates_are_uniform() -> None:
    nothing = np.zeros(len(FIGURE))
    assert estimated(FIGURE, nothing).tolist() == uniform(FIGURE).tolist()
    assert estimated(FIGURE, nothing, alpha=0).tolist() == uniform(FIGURE).tolist()


def test_in_a_dag_a_token_counts_under_its_parents_by_how_likely_they_are() -> None:
    # x: 2, both: 6, y: 2 tokens; l and r are alike, so that 3 of `both` came by each
    h = hierarchy_from_text("top\tl\ntop\tr\nl\tx\nl\tboth\nr\tboth\nr\ty\n")
    shares = of_edges(h, estimated(h, counts_of(h, x=2, both=6, y=2), alpha=0))
    assert shares == pytest.approx(
        {("top", "l"): 0.5, ("top", "r"): 0.5, ("l", "x"): 0.4, ("l", "both"): 0.6, ("r", "both"): 0.6, ("r", "y"): 0.4}
    )


def full_em_step(
    h: Hierarchy, tags: list[str], edges: Edges, shares: Floats, tops: dict[str, float], counts: Floats
) -> tuple[Floats, dict[str, float]]:
    """One round of EM by its definition, α = 1: a token of a tag is spread over all ways that pass the tag."""
    given_shares = of_edges(h, shares)
    ways = ways_down(edges, tags)
    likely = [tops[way[0]] * float(np.prod([given_shares[pair] for pair in pairwise(way)])) for way in ways]
    n_edge, n_top = dict.fromkeys(given_shares, 0.0), dict.fromkeys(tops, 0.0)
    for tag, count in zip(tags, counts.tolist(), strict=True):
        passing = [(way, mass) for way, mass in zip(ways, likely, strict=True) if tag in way]
        total = sum(mass for _, mass in passing)
        for way, mass in passing:
            n_top[way[0]] += count * mass / total
            for pair in pairwise(way):
                n_edge[pair] += count * mass / total
    n_parent = {tag: sum(n for (parent, _), n in n_edge.items() if parent == tag) for tag in tags}
    k = {tag: sum(parent == tag for parent, _ in edges) for tag in tags}
    new = [(n_edge[pair] + 1 / k[pair[0]]) / (n_parent[pair[0]] + 1) for pair in given_shares]
    n_all = sum(n_top.values())
    return np.array(new), {tag: (n + 1 / len(tops)) / (n_all + 1) for tag, n in n_top.items()}


@given(st.one_of(trees(), dags()), st.data())
def test_the_estimate_is_a_fixed_point_of_em_by_its_definition(
    of: tuple[list[str], Edges], data: st.DataObject
) -> None:
    tags, edges = of
    h = from_edges(edges, tags)
    counts = np.array(data.draw(st.lists(st.integers(0, 5), min_size=len(tags), max_size=len(tags))), dtype=float)
    shares, of_tops = _settled(h, counts, 1.0)
    assert estimated(h, counts).tolist() == shares.tolist()
    sums = np.bincount(h.edge_parents, shares, minlength=len(h))
    assert sums[np.diff(h.child_offsets) > 0] == pytest.approx(1)
    tops = dict(zip((tags[top] for top in h.tops), of_tops.tolist(), strict=True))
    again, tops_again = full_em_step(h, tags, edges, shares, tops, counts)
    assert again == pytest.approx(shares, abs=1e-4)  # EM by its definition goes on in smaller or larger steps
    assert tops_again == pytest.approx(tops, abs=1e-4)


@given(trees(), st.floats(0, 10), st.data())
def test_in_a_tree_em_ends_where_plain_counting_does(
    of: tuple[list[str], Edges], alpha: float, data: st.DataObject
) -> None:
    tags, edges = of
    h = from_edges(edges, tags)
    counts = np.array(data.draw(st.lists(st.integers(0, 5), min_size=len(tags), max_size=len(tags))), dtype=float)
    under = np.zeros(len(h))
    for tag, count in enumerate(counts):
        under[h.ancestors(np.array([tag])).values] += count
    shares = estimated(h, counts, alpha)
    for edge, (parent, child) in enumerate(zip(h.edge_parents.tolist(), h.children.tolist(), strict=True)):
        kids = h.children[h.child_offsets[parent] : h.child_offsets[parent + 1]]
        n = under[kids].sum()
        expected = (under[child] + alpha / len(kids)) / (n + alpha) if n + alpha else 1 / len(kids)
        assert shares[edge] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("counts", [np.zeros(3), np.full(9, -1.0), np.full(9, np.nan), np.full(9, np.inf)])
def test_counts_that_are_none_are_refused(counts: Floats) -> None:
    with pytest.raises(ValueError, match="9 finite, non-negative counts"):
        estimated(FIGURE, counts)


@pytest.mark.parametrize("alpha", [-1.0, float("nan"), float("inf")])
def test_an_alpha_that_is_none_is_refused(alpha: float) -> None:
    with pytest.raises(ValueError, match="alpha is"):
        estimated(FIGURE, np.ones(9), alpha)


# ---- given


def test_given_probabilities_are_taken_and_the_rest_is_uniform(tmp_path: Path) -> None:
    path = tmp_path / "down.tsv"
    path.write_text("parent\tchild\tprobability\n# c\nB\tB.1\t0.333\nB\tB.2\t0.333\nB\tB.3\t0.333\nA\tA.2\t1\n")
    shares = of_edges(FIGURE, read_downward(path, FIGURE))
    assert shares["B", "B.2"] == pytest.approx(1 / 3, abs=1e-15)
    assert (shares["A", "A.1"], shares["A", "A.2"], shares["A.1", "A.1b"]) == (0, 1, 0.5)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("A\tA.1\t0.5\nA\tX\t0.5\n", ("K847", 2, 3)),
        ("Y\tA.1\t0.5\n", ("K847", 1, 1)),
        ("A\tA.1a\t1\n", ("K849", 1, 3)),
        ("A\tA.1\n", ("K849", 1, 1)),
        ("A\tA.1\t0.5\nA\tA.1\t0.5\n", ("K842", 2, 1)),
        ("A\tA.1\thalf\n", ("K850", 1, 7)),
        ("A\tA.1\tnan\n", ("K850", 1, 7)),
        ("A\tA.1\t0_1\n", ("K850", 1, 7)),
        ("A\tA.1\t-0.5\n", ("K850", 1, 7)),
        ("A\tA.1\t1.5\n", ("K850", 1, 7)),
        ("B\tB.1\t1\n\nA\tA.1\t0.5\nA\tA.2\t0.4\n", ("K850", 3, 1)),
        ("# none\n", ("K841", 1, 1)),
        ("A\0", ("K107", 1, 2)),
    ],
)
def test_mistakes_in_given_probabilities_have_their_place(text: str, where: tuple[str, int, int]) -> None:
    found = error(text)
    assert (found.code, found.line, found.column) == where


def test_a_sum_below_1_names_the_children_left_out() -> None:
    found = error("B\tB.2\t0.25\n")
    assert "B sum to 0.25" in found.message
    assert found.hint.endswith("B.1, B.3")
