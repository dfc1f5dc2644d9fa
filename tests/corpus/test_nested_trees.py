"""Trees in nested form: there and back again, of any depth."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

from karat.corpus.constituency_trees import Trees
from karat.corpus.nested_trees import (
    Leaf,
    NestedTree,
    Node,
    bracketed,
    nested,
    rewritten,
    tree_from_text as tree,
    trees_from_nested,
)
from karat.corpus.readers.bracket_folders import read_bracket_folder
from karat.corpus.readers.brackets import brackets_from_source
from karat.corpus.source import source_from_bytes, source_from_files
from realdata import data_files

ARRAYS = "start stop parents word_offsets node_offsets document_offsets".split()
DEPTH = 5000
DEEP = "(S " * DEPTH + "(NN tea)" + ")" * DEPTH

leaves = st.builds(Leaf, st.sampled_from(["NN", "CC", "-LRB-"]), st.sampled_from(["tea", "and", "-LRB-", "ß"]))
labels = st.sampled_from(["S", "NP-SBJ", "NP=2", "-X-"])
nodes = st.recursive(
    st.builds(Node, labels, st.lists(leaves, min_size=1, max_size=3).map(tuple)),
    lambda below: st.builds(Node, labels, st.lists(below | leaves, min_size=1, max_size=4).map(tuple)),
    max_leaves=12,
)


def trees_of(*documents: str) -> Trees:
    return brackets_from_source(source_from_files([(f"{n}.ptb", text.encode()) for n, text in enumerate(documents)]))


def assert_same(left: Trees, right: Trees) -> None:
    for name in ARRAYS:
        assert np.array_equal(getattr(left, name), getattr(right, name)), name
    for name in ("forms", "tags", "labels"):
        assert getattr(left, name).strings() == getattr(right, name).strings(), name
    assert left.document_names == right.document_names


def test_a_tree_is_nested_as_its_brackets_are() -> None:
    (found,) = nested(trees_of("(S (NP (DT the) (NN ferry))\n   (VP (VBZ leaves)))"))
    assert isinstance(found, Node)
    noun, verb = found.children
    assert isinstance(noun, Node)
    assert (found.label, noun.label, noun.children) == ("S", "NP", (Leaf("DT", "the"), Leaf("NN", "ferry")))
    assert bracketed(verb) == "(VP (VBZ leaves))"
    assert list(found.leaves()) == [Leaf("DT", "the"), Leaf("NN", "ferry"), Leaf("VBZ", "leaves")]


@pytest.mark.parametrize(
    "text",
    [
        "(X (X (X (NN tea))) (NN milk))",
        "( (S (NN tea)))",
        "(NN tea)",
        "(NP (-LRB- -LRB-) (NN tea) (-RRB- -RRB-))",
        "(NP (NN tea) (NP (NN milk)) (NN lemon))",
    ],
)
def test_a_line_of_brackets_is_written_as_it_was(text: str) -> None:
    assert bracketed(tree(text)) == text


def test_missing_parses_stay_where_they_are() -> None:
    trees = trees_of("(S (NN tea))\n(())\n(S (NN milk))\n")
    assert [bracketed(one) for one in nested(trees)] == ["(S (NN tea))", "(())", "(S (NN milk))"]
    assert_same(trees_from_nested(nested(trees), trees), trees)


def test_documents_and_their_names_stay() -> None:
    trees = replace(trees_of("(S (NN tea))", "(())", "", "(S (NN milk)) (S (NN lemon))"), names=("a", "b", "c", "d"))
    again = trees_from_nested(nested(trees), trees)
    assert_same(again, trees)
    assert again.sent_id(3) == "d:2"
    assert again.sentence_document.tolist() == [0, 1, 3, 3]


def test_chosen_trees_keep_their_documents() -> None:
    trees = trees_of("(S (NN tea))\n(S (NN oat))", "(S (NN milk))\n(S (NN rye))")
    chosen = trees.only(np.array([False, True, True, False]))
    assert_same(trees_from_nested(nested(chosen), chosen), chosen)
    assert_same(trees_from_nested(nested(trees.between(1, 3)), trees.between(1, 3)), trees.between(1, 3))


def test_bad_trees_stay_bad() -> None:
    trees = brackets_from_source(source_from_bytes(b"(S (NN tea))\n(S (NN oat)\n(S (NN milk))\n"), bad="keep")
    assert trees.bad.any()
    again = trees_from_nested(nested(trees), trees)
    assert again.bad.tolist() == trees.bad.tolist()
    assert again.missing.tolist() == trees.missing.tolist()


def test_another_number_of_trees_is_refused() -> None:
    with pytest.raises(ValueError, match="0 trees, but 1"):
        trees_from_nested([], trees_of("(S (NN tea))"))


def test_a_missing_parse_is_no_tree_of_a_text() -> None:
    with pytest.raises(ValueError, match="missing parse"):
        tree("(())")


def test_deep_trees_are_nested_changed_and_written() -> None:
    deep = tree(DEEP)
    assert bracketed(deep) == repr(deep) == DEEP
    assert bracketed(rewritten(deep, lambda node: Node("X", node.children))) == DEEP.replace("(S ", "(X ")
    assert isinstance(deep, Node)
    assert list(deep.leaves()) == [Leaf("NN", "tea")]


def test_a_bracket_is_changed_after_those_in_it() -> None:
    seen: list[str] = []

    def numbered(node: Node) -> Node:
        seen.append(bracketed(node))
        return Node(str(len(seen)), node.children)

    found = rewritten(tree("(S (NP (NN tea)) (VP (VBZ is) (ADJP (JJ hot))))"), numbered)
    assert bracketed(found) == "(4 (1 (NN tea)) (3 (VBZ is) (2 (JJ hot))))"
    assert seen[2] == "(VP (VBZ is) (2 (JJ hot)))"
    leaf: NestedTree = Leaf("NN", "tea")
    assert rewritten(leaf, numbered) is leaf


@given(st.lists(st.none() | nodes, min_size=1, max_size=5))
def test_nested_trees_come_back_as_they_were(trees: list[Node | None]) -> None:
    like = trees_of("\n".join(map(bracketed, trees)))
    assert [bracketed(one) for one in nested(trees_from_nested(trees, like))] == [bracketed(one) for one in trees]


def test_gum_comes_back_as_it_was() -> None:
    folder: Path = data_files("gum-const/*.ptb")[0].parent
    trees = read_bracket_folder(folder)
    again = trees_from_nested(nested(trees), trees)
    assert_same(again, trees)
    assert again.path == trees.path
