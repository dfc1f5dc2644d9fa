"""The drawing of a tree of tags: rows in order, children below parents, shares of their probability."""

from __future__ import annotations

from hypothesis import given, strategies as st

from drawn_svg import SVG, parsed
from karat.report.draw.tag_tree import tag_tree

EDGES = [("A", "A.1"), ("A", "A.2"), ("A.1", "A.1a"), ("A.1", "A.1b"), ("B", "B.1"), ("B", "B.2"), ("B", "B.3")]


def test_rows_go_down_the_tree_and_shares_are_equal() -> None:
    rows = tag_tree(EDGES).table.rows
    assert [row[0] for row in rows] == ["A", "A.1", "A.1a", "A.1b", "A.2", "B", "B.1", "B.2", "B.3"]
    assert {row[0]: row[1] for row in rows}["A.1b"] == "A.1"
    assert {row[0]: row[2] for row in rows}["B.2"] == 1 / 3


def test_deeper_tags_stand_further_to_the_right() -> None:
    root = parsed(tag_tree(EDGES).svg)
    x = [float(one.get("cx") or 0) for one in root.iter(f"{SVG}circle")]
    assert x[0] < x[1] < x[2] == x[3]
    assert x[4] == x[1]


@given(st.lists(st.tuples(st.sampled_from("abcdefg"), st.sampled_from("abcdefg")), max_size=20))
def test_every_tag_is_drawn_at_most_once_whatever_the_edges(edges: list[tuple[str, str]]) -> None:
    rows = tag_tree(edges).table.rows
    assert len({row[0] for row in rows}) == len(rows)
    assert {row[0] for row in rows} <= {name for edge in edges for name in edge}
