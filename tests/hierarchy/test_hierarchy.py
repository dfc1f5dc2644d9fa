"""Tag hierarchies: what is above and below, the layouts of text, and every mistake with its place."""

from __future__ import annotations

import doctest
import gzip
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from hierarchy_reference import Edges, above, below, dags, from_edges, trees
from karat.errors import DataError, UsageError
from karat.hierarchy import (
    MOST_LEVELS,
    Hierarchy,
    Layout,
    flat_hierarchy,
    hierarchy_from_edges,
    hierarchy_from_text,
    read_hierarchy,
)

INDENTED = "# the paper's\nA\n\tA.1\n\t\tA.1a\n\t\tA.1b\n\tA.2\n\nB\n\tB.1\n\tB.2\n\tB.3\n"
DOTTED = "A.1a\nA.1b\nA.2\nB\nB.1\nB.2\nB.3\n"
PAIRS = "parent\tchild\nA\tA.1\nA.1\tA.1a\nA.1\tA.1b\nA\tA.2\nB\tB.1\nB\tB.2\nB\tB.3\n"
NAMES = ["A", "A.1", "A.1a", "A.1b", "A.2", "B", "B.1", "B.2", "B.3"]


def figure() -> Hierarchy:
    """Figure 1 of Melamed & Resnik."""
    return hierarchy_from_text(INDENTED)


def shape(h: Hierarchy) -> tuple[Any, ...]:
    columns = (h.child_offsets, h.children, h.parent_offsets, h.parents, h.leaves, h.leaf_number, h.depths)
    return h.names, *(column.tolist() for column in columns)


def error(text: str, layout: Layout | None = None, *, tree: bool = False) -> DataError:
    with pytest.raises(DataError) as caught:
        hierarchy_from_text(text, path="tags.txt", layout=layout, tree=tree)
    return caught.value


def place(found: DataError) -> tuple[str, int, int]:
    assert found.path == "tags.txt"
    return found.code, found.line, found.column


# ---- the structure


def test_figure_1_in_columns() -> None:
    h = figure()
    assert h.names == tuple(NAMES)
    assert h.child_offsets.tolist() == [0, 2, 4, 4, 4, 4, 7, 7, 7, 7]
    assert h.children.tolist() == [1, 4, 2, 3, 6, 7, 8]
    assert h.parent_offsets.tolist() == [0, 0, 1, 2, 3, 4, 4, 5, 6, 7]
    assert h.parents.tolist() == [0, 1, 1, 0, 5, 5, 5]
    assert [h.names[i] for i in h.leaves] == ["A.1a", "A.1b", "A.2", "B.1", "B.2", "B.3"]
    assert h.leaf_number.tolist() == [-1, -1, 0, 1, 2, -1, 3, 4, 5]
    assert [h.names[i] for i in h.tops] == ["A", "B"]
    assert h.is_tree


def test_names_become_numbers_and_unknown_ones_do_not() -> None:
    h = figure()
    assert h.number("A.1b") == 3
    assert h.number("C") is None
    assert h.numbers(["B", "C", "A", "B"]).tolist() == [5, -1, 0, 5]


def test_rows_are_those_of_the_tags_asked_for_even_twice() -> None:
    h = figure()
    asked = h.numbers(["A.1b", "B", "A.1b"])
    assert [[h.names[i] for i in h.ancestors(asked).row(k)] for k in range(3)] == [
        ["A", "A.1", "A.1b"],
        ["B"],
        ["A", "A.1", "A.1b"],
    ]
    assert [h.leaves_below(asked).row(k).tolist() for k in range(3)] == [[1], [3, 4, 5], [1]]


@pytest.mark.parametrize("bad", [-1, 9])
def test_tag_numbers_outside_are_refused(bad: int) -> None:
    with pytest.raises(ValueError, match="from 0 to 8"):
        figure().ancestors(np.array([0, bad]))


def test_no_tags_asked_for_give_no_rows() -> None:
    none = np.zeros(0, dtype=np.intp)
    assert figure().ancestors(none).offsets.tolist() == [0]
    assert figure().leaves_below(none).offsets.tolist() == [0]


@given(st.one_of(trees(), dags()))
def test_what_is_above_and_below_is_what_recursion_finds(of: tuple[list[str], Edges]) -> None:
    tags, edges = of
    h = from_edges(edges, tags)
    up, down = h.ancestors(np.arange(len(h))), h.leaves_below(np.arange(len(h)))
    for i, tag in enumerate(tags):
        assert up.row(i).tolist() == sorted(tags.index(one) for one in above(edges, tag))
        assert [h.names[h.leaves[place]] for place in down.row(i)] == sorted(below(edges, tag), key=tags.index)
        assert down.row(i).tolist() == sorted(down.row(i).tolist())


@given(dags())
def test_parents_come_at_smaller_depths_and_children_in_the_order_given(of: tuple[list[str], Edges]) -> None:
    tags, edges = of
    h = from_edges(edges, tags)
    assert (h.depths[h.edge_parents] < h.depths[h.children]).all()
    for i, tag in enumerate(tags):
        stretch = h.children[h.child_offsets[i] : h.child_offsets[i + 1]]
        assert [h.names[child] for child in stretch] == [child for parent, child in edges if parent == tag]


@given(dags())
def test_a_tree_has_no_tag_with_two_parents(of: tuple[list[str], Edges]) -> None:
    tags, edges = of
    one_each = len({child for _, child in edges}) == len(edges)
    assert from_edges(edges, tags).is_tree == one_each
    if not one_each:
        with pytest.raises(DataError, match="K843"):
            hierarchy_from_edges(tags, edges, tree=True)


def test_many_ways_to_one_tag_cost_no_more_than_one() -> None:
    steps = 60  # 2 to the 60 ways down
    text = "".join(f"n{i}\tl{i}\nn{i}\tr{i}\nl{i}\tn{i + 1}\nr{i}\tn{i + 1}\n" for i in range(steps))
    h = hierarchy_from_text(text)
    first, last = h.number("n0"), h.number(f"n{steps}")
    assert first is not None
    assert h.ancestors(np.array([last])).row(0).tolist() == list(range(len(h)))
    assert [h.leaves[i] for i in h.leaves_below(np.array([first])).row(0)] == [last]


def test_in_a_flat_hierarchy_every_tag_is_a_leaf() -> None:
    h = flat_hierarchy(["x", "y"])
    assert h.leaves.tolist() == h.tops.tolist() == [0, 1]
    assert h.leaves_below(np.array([1, 0])).values.tolist() == [1, 0]
    assert len(flat_hierarchy([]).leaves) == 0


# ---- the layouts


@pytest.mark.parametrize(
    ("layout", "text"),
    [
        ("indented", INDENTED),
        ("indented", INDENTED.replace("\t", "   ").replace("\n", "  \r\n")),
        ("dotted", DOTTED),
        ("pairs", PAIRS),
    ],
)
def test_all_layouts_give_the_same_hierarchy_and_are_known_by_their_content(layout: Layout, text: str) -> None:
    read = hierarchy_from_text(text, layout=layout)
    assert shape(read) == shape(figure())
    sniffed = hierarchy_from_text(text)
    assert sniffed.layout == layout
    assert shape(sniffed) == shape(read)


@given(trees())
def test_a_tree_is_the_same_indented_and_in_pairs(of: tuple[list[str], Edges]) -> None:
    tags, edges = of
    lines: list[str] = []
    order: list[str] = []
    waiting = [(tag, 0) for tag in reversed(tags) if tag not in {child for _, child in edges}]
    while waiting:
        tag, depth = waiting.pop()
        order.append(tag)
        lines.append(" " * depth + tag)
        waiting += [(child, depth + 1) for parent, child in reversed(edges) if parent == tag]
    indented = hierarchy_from_text("\n".join(lines), layout="indented")
    assert shape(indented) == shape(hierarchy_from_text("\n".join([*order, *map("\t".join, edges)]), layout="pairs"))


def test_dotted_names_make_the_levels_between() -> None:
    h = hierarchy_from_text("x.1b2c.y\nx.1b\n", layout="dotted")
    assert h.names == ("x", "x.1", "x.1b2", "x.1b2c", "x.1b2c.y", "x.1b")
    assert [h.names[i] for i in h.parents] == ["x", "x.1", "x.1b2", "x.1b2c", "x.1"]


def test_a_level_that_was_made_may_still_be_listed() -> None:
    assert shape(hierarchy_from_text("A.1\nA\n")) == shape(hierarchy_from_text("A\nA.1\n"))


def test_pairs_make_a_dag_and_single_names_are_tags() -> None:
    h = hierarchy_from_text("# c\nz\na\tc\nb\tc\n#x\ty\nb\t#\n", layout="pairs")
    assert h.names == ("z", "a", "c", "b", "#")
    assert [h.names[i] for i in h.tops] == ["z", "a", "b"]
    assert not h.is_tree


def test_plain_lines_are_a_flat_set() -> None:
    h = hierarchy_from_text("NN\nNNP\n.\nVB\n")
    assert h.layout == "indented"
    assert h.leaves.tolist() == [0, 1, 2, 3]


def test_a_file_is_read_packed_or_not_and_signed_by_its_text(tmp_path: Path) -> None:
    plain, packed = tmp_path / "tags.txt", tmp_path / "tags.txt.gz"
    plain.write_text("\ufeff" + INDENTED, encoding="utf-8")
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    h = read_hierarchy(plain)
    assert shape(h) == shape(read_hierarchy(packed)) == shape(figure())
    assert h.path == str(plain)
    assert h.signed.startswith(f"{plain}@sha256:")
    assert h.signed.split("@")[1] == read_hierarchy(packed).signed.split("@")[1]
    assert figure().signed != hierarchy_from_text(DOTTED).signed
    assert flat_hierarchy("ab").signed != flat_hierarchy("ac").signed


# ---- what can be wrong


def test_a_cycle_is_named_with_its_members_at_its_last_pair() -> None:
    found = error("top\ta\na\tb\nb\tc\nc\ta\nc\td\n")
    assert place(found) == ("K844", 4, 3)
    assert {"a", "b", "c"} == set(found.message.removeprefix("a cycle: ").split(" is under "))
    assert found.hint


def test_a_cycle_is_told_as_it_runs_and_not_to_its_end() -> None:
    assert "x is under x" in error("x\tx\n").message
    long = error("".join(f"n{i}\tn{(i + 1) % 50}\n" for i in range(50)))
    assert long.line == 50
    assert long.message.count("is under") == 11


@given(dags(), st.data())
def test_turning_a_way_back_makes_a_cycle_that_holds(of: tuple[list[str], Edges], data: st.DataObject) -> None:
    tags, edges = of
    tag = data.draw(st.sampled_from(tags))
    ancestor = data.draw(st.sampled_from(sorted(above(edges, tag))))
    with pytest.raises(DataError) as caught:
        hierarchy_from_edges(tags, [*edges, (tag, ancestor)])
    assert caught.value.code == "K844"
    around = caught.value.message.removeprefix("a cycle: ").split(" is under ")
    assert around[0] == around[-1]
    for child, parent in pairwise(around):
        assert (parent, child) in [*edges, (tag, ancestor)]


@pytest.mark.parametrize(
    ("text", "layout", "where"),
    [
        ("A\n  B\nC\n  B\n", "indented", ("K842", 4, 3)),
        ("A\nA.1\nA\n", "dotted", ("K842", 3, 1)),
        ("A\tB\nA\tC\nA\tB\n", "pairs", ("K842", 3, 1)),
        ("A\nA\n", "pairs", ("K842", 2, 1)),
        ("A\n    B\n  C\n", "indented", ("K845", 3, 3)),
        ("A\n\tB\n  C\n", "indented", ("K845", 3, 3)),
        ("A\n\tB\n C\n", "indented", ("K845", 3, 2)),
        ("A\n \tB\n\t C\n", "indented", ("K845", 3, 3)),
        ("# c\n  A\nB\n", "indented", ("K845", 2, 3)),
        ("A\n  B C\n", "indented", ("K846", 2, 3)),
        ("A\u00a0B\n", "indented", ("K846", 1, 1)),
        ("A B\n", "dotted", ("K846", 1, 1)),
        ("A\nA..1\n", "dotted", ("K846", 2, 3)),
        ("A.\n", "dotted", ("K846", 1, 3)),
        (".A\n", "dotted", ("K846", 1, 1)),
        ("A\tB\tC\n", "pairs", ("K846", 1, 5)),
        ("A B\n", "pairs", ("K846", 1, 1)),
        ("A\tB\n\tC\n", "pairs", ("K846", 2, 1)),
        ("A\t\tB\n", "pairs", ("K846", 1, 4)),
        ("A\n" + "x" * 1001, "indented", ("K846", 2, 1)),
        ("", None, ("K841", 1, 1)),
        ("# nothing\n\n  \n", None, ("K841", 1, 1)),
        ("parent\tchild\n", None, ("K841", 1, 1)),
        ("A\nB\0\n", None, ("K107", 2, 2)),
    ],
)
def test_mistakes_have_their_code_line_and_column(
    text: str, layout: Layout | None, where: tuple[str, int, int]
) -> None:
    assert place(error(text, layout)) == where


def test_all_mistakes_are_told_at_once() -> None:
    found = error("A\tB\nA\tB\nA B\nA\tB\tC\n")
    assert [(one.code, one.line) for one in found.problems] == [("K842", 2), ("K846", 3), ("K846", 4)]


def test_a_second_parent_is_an_error_where_a_tree_is_asked_for() -> None:
    found = error("A\tC\nB\tC\nB\tD\nE\tC\n", tree=True)
    assert [(one.code, one.line, one.column) for one in found.problems] == [("K843", 2, 3), ("K843", 4, 3)]
    assert "C is under A and under B" in found.message
    assert hierarchy_from_text(PAIRS, tree=True).is_tree


def test_bytes_that_are_not_utf8_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "latin1.txt"
    path.write_bytes(b"A\n\tB\xe9\n")
    with pytest.raises(DataError) as caught:
        read_hierarchy(path)
    assert (caught.value.code, caught.value.line) == ("K106", 2)


def test_a_missing_file_a_folder_and_an_unknown_layout_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="K101"):
        read_hierarchy(tmp_path / "none")
    with pytest.raises(DataError, match="K102"):
        read_hierarchy(tmp_path, layout="pairs")
    with pytest.raises(UsageError, match="unknown layout 'graph'"):
        hierarchy_from_text("A", layout="graph")  # type: ignore[arg-type]


def test_as_many_levels_as_allowed_are_read_and_one_more_is_refused() -> None:
    chain = [f"n{i}\tn{i + 1}" for i in range(MOST_LEVELS)]
    h = hierarchy_from_text("\n".join(chain[:-1]))
    assert len(h.ancestors(np.array([len(h) - 1])).values) == MOST_LEVELS
    assert error("\n".join(chain)).code == "K848"


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(f"n{i}\tn{i + 1}" for i in range(100_000)),
        "\n".join(" " * i + f"n{i}" for i in range(2_000)),
        ".".join("a" * 499),
    ],
    ids=["pairs", "indented", "dotted"],
)
def test_a_very_deep_chain_is_refused_politely(text: str) -> None:
    assert error(text).code == "K848"


def test_edges_of_programs_are_checked_too() -> None:
    with pytest.raises(DataError, match=":2:1: K847 no tag C"):
        hierarchy_from_edges(["A", "B"], [("A", "B"), ("A", "C")])
    with pytest.raises(DataError, match="K842 the tag A"):
        flat_hierarchy(["A", "B", "A"])
    with pytest.raises(DataError, match=":2:1: K842 B is put under A twice"):
        hierarchy_from_edges(["A", "B"], [("A", "B"), ("A", "B")])


def test_control_characters_of_a_file_do_not_reach_the_terminal() -> None:
    assert "\x1b" not in str(error("A\x1b[31m\tB\nA\x1b[31m\tB\n"))


def test_the_examples_of_the_documentation_hold() -> None:
    done = doctest.testfile(str(Path(__file__).resolve().parents[2] / "docs" / "hierarchies.md"), module_relative=False)
    assert done.attempted >= 6
    assert done.failed == 0
