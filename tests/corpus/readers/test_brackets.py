"""Bracketed trees: what is read, and what is said of what cannot be."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

import bracket_reference as reference
from bracket_reference import RefNode
from karat.corpus import source_from_bytes
from karat.corpus.constituency_trees import Trees
from karat.corpus.readers.bracket_folders import read_brackets
from karat.corpus.readers.brackets import brackets_from_source
from karat.corpus.readers.conllu import Bad
from karat.errors import DataError
from realdata import data, data_files

Bracket = tuple[str, int, int, int]  # label, first word, word behind the last, number of the parent


def flattened(trees: list[RefNode]) -> tuple[list[tuple[str, str]], list[Bracket]]:
    """The words with their tags, and the brackets in the order in which they open, through all trees."""
    words: list[tuple[str, str]] = []
    brackets: list[list[object]] = []

    def visit(node: RefNode, parent: int) -> None:
        if node.form is not None:
            words.append((node.label, node.form))
            return
        number = len(brackets)
        brackets.append([node.label, len(words), 0, parent])
        for child in node.children:
            visit(child, number)
        brackets[number][2] = len(words)

    for tree in trees:
        visit(tree, -1)
    return words, [tuple(one) for one in brackets]  # type: ignore[misc]


def read(text: str, *, bad: str = "raise") -> Trees:
    return brackets_from_source(source_from_bytes(text.encode(), "t.ptb"), bad=bad)  # type: ignore[arg-type]


def shown(trees: Trees) -> tuple[list[tuple[str, str]], list[Bracket]]:
    words = list(zip(trees.tags.strings(), trees.forms.strings(), strict=True))
    numbers = (trees.labels.strings(), trees.start.tolist(), trees.stop.tolist(), trees.parents.tolist())
    return words, list(zip(*numbers, strict=True))


def assert_as_reference(text: str) -> Trees:
    trees = read(text)
    assert shown(trees) == flattened(reference.trees(text))
    return trees


def test_a_tree_is_words_and_brackets() -> None:
    trees = read("(S (NP (DT the) (NN dog)) (VP (VBZ barks)))")
    words, brackets = shown(trees)
    assert words == [("DT", "the"), ("NN", "dog"), ("VBZ", "barks")]
    assert brackets == [("S", 0, 3, -1), ("NP", 0, 2, 0), ("VP", 2, 3, 0)]
    assert trees.word_offsets.tolist() == [0, 3]
    assert trees.node_offsets.tolist() == [0, 3]


@pytest.mark.parametrize(
    "text",
    [
        "( (S (NP (NN a))))",
        "((S (NP (NN a))))",
        "(ROOT\n  (S\n    (NP (NN a))\n  (VP (VB b))))\n\n(TOP (X (Y y)))\n",
        "(S (NP-SBJ-1 (NN a)) (VP=2 (VB b) (NP (-NONE- *T*-1))))",
        "(S (-LRB- -LRB-) (NN a) (-RRB- -RRB-))\r\n(S (NN b))\r\n",
        "(S(NP(NN a))(VP(VB b)))(S(NN c))",
        "(NN a)",
    ],
    ids=["empty label", "no space", "many lines", "functions", "CR LF", "tight", "word alone"],
)
def test_every_way_of_writing_trees_is_read(text: str) -> None:
    assert_as_reference(text)


def test_words_may_be_long_and_hold_what_other_tools_take_for_spaces() -> None:
    forms = ["x" * 100_000, "a\u2028b", "ä\u00a0ö"]
    assert read("(S " + " ".join(f"(NN {form})" for form in forms) + ")").forms.strings() == forms


def test_a_very_deep_tree_has_its_parents() -> None:
    trees = read("(" * 10_000 + "X (NN a)" + ")" * 10_000)
    assert trees.n_nodes == 10_000
    assert trees.parents.tolist() == list(range(-1, 9_999))


_trees = st.recursive(
    st.tuples(st.sampled_from(["NN", "-NONE-", "."]), st.sampled_from(["a", "b-c", "ä", "-LRB-", "1/2"])).map(
        lambda pair: f"({pair[0]} {pair[1]})"
    ),
    lambda child: st.tuples(st.sampled_from(["", "S", "NP-SBJ", "X=1"]), st.lists(child, min_size=1, max_size=4)).map(
        lambda pair: f"({pair[0]} {' '.join(pair[1])})"
    ),
    max_leaves=20,
)


@given(st.lists(_trees, min_size=1, max_size=5), st.sampled_from(["\n", "\n\n", " ", "\r\n"]))
def test_random_trees_are_read_as_the_reference_reads_them(texts: list[str], between: str) -> None:
    trees = assert_as_reference(between.join(texts))
    assert trees.n_trees == len(texts)


def test_blank_lines_are_missing_parses_where_every_tree_has_its_line() -> None:
    trees = read("(S (NN a))\n\n(S (NN b))\n(())\n()\n(S (NN c))\n\n")
    assert trees.missing.tolist() == [False, True, False, True, True, False]
    assert [trees.line_of(tree) for tree in range(6)] == [1, 2, 3, 4, 5, 6]
    assert read("\n(S (NN a))\n(S (NN b))\n").missing.tolist() == [True, False, False]


@pytest.mark.parametrize("text", ["(S (NN a))\n\n(S (NN b))\n\n(S (NN c))\n", "(S\n  (NN a))\n\n\n(S (NN b))\n"])
def test_blank_lines_are_separators_otherwise(text: str) -> None:
    assert not read(text).missing.any()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(S (NN a)))\n(S (NN b))\n", "t.ptb:1:11: K701 closing bracket without an opening one"),
        ("(S (NN a)\n(S (NN b))\n", "t.ptb:1:1: K702 opening bracket that is never closed"),
        ("(S (NN a))\n(S (NP (NN b))\n", "t.ptb:2:1: K702"),
        ("(S (NN a)) b\n(S (NN c))\n", "t.ptb:1:12: K704 text outside the trees"),
        ("# a comment\n(S (NN c))\n", "t.ptb:1:1: K704"),
        ("(S (NN a) b)\n", "t.ptb:1:11: K705 text between brackets"),
        ("(S (NN a b))\n", "t.ptb:1:10: K705 text between brackets"),
        ("(S (NN a (X x)))\n", "t.ptb:1:10: K705 bracket after a word"),
        ("", "K104 the file has no trees"),
        ("(S (NN \0))", "K107 the file contains a NUL byte"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(text: str, message: str) -> None:
    with pytest.raises(DataError) as caught:
        read(text)
    assert message in str(caught.value)


@pytest.mark.parametrize("text", ["(TOP)", "(NULL)", "(S1 (S))", "(TOP )", "( )", "( ( ) )", "(TOP (S) (NP (X)))"])
def test_a_tree_without_words_is_a_failed_parse(text: str) -> None:
    trees = read(f"(S (NN a))\n{text}\n(S (NN b))\n")
    assert trees.missing.tolist() == [False, True, False]
    assert trees.n_nodes == 2
    assert trees.warnings == ()
    assert read(text).missing.tolist() == [True]


@pytest.mark.parametrize("empty", ["(X)", "(X )", "()", "( )", "(Y (X))", "(Y ())"])
def test_a_bracket_without_words_in_a_tree_is_left_out_with_a_warning(empty: str) -> None:
    trees = read(f"(S (NN a))\n(S {empty} (NP (NN b)))\n(S (NN c) {empty})\n")
    assert shown(trees) == shown(read("(S (NN a))\n(S (NP (NN b)))\n(S (NN c))\n"))
    (warning,) = trees.warnings
    assert (warning.code, warning.line, warning.column) == ("W104", 2, 4 + 3 * (empty[:2] == "(Y"))
    assert warning.message.startswith("2 brackets have no word and are ignored; the first is (")
    (warning,) = read("(S (X) (NN b))").warnings
    assert warning.message == "the bracket (X) has no word and is ignored"


def test_a_bad_tree_is_a_missing_parse_where_bad_ones_are_kept() -> None:
    trees = read("(S (NN a))\n(S (NP (NN b))\n(S (NN c) d)\n\n(S (NN e))\n", bad="keep")
    assert trees.missing.tolist() == [False, True, True, True, False]
    assert trees.bad.tolist() == [False, True, True, False, False]
    assert [problem.code for problem in trees.problems] == ["K702", "K705"]
    assert trees.forms.strings() == ["a", "e"]


def test_bytes_that_are_not_utf8_are_a_problem_of_their_tree() -> None:
    trees = brackets_from_source(source_from_bytes(b"(S (NN a))\n(S (NN \xff))\n", "t.ptb"), bad="keep")
    assert [(problem.code, problem.sentence) for problem in trees.problems] == [("K106", 1)]


def test_each_file_is_a_document(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a.ptb", "b.ptb")]
    paths[0].write_text("(S (NN a))\n(S (NN b))", encoding="utf-8")
    paths[1].write_text("(S (NN c))\n", encoding="utf-8")
    trees = read_brackets(paths)
    assert trees.document_offsets.tolist() == [0, 2, 3]
    assert trees.document_names == tuple(str(path) for path in paths)


def test_an_unbalanced_file_does_not_spoil_the_next(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a.ptb", "b.ptb")]
    paths[0].write_text("(S (NN a)", encoding="utf-8")
    paths[1].write_text("(S (NN c))\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"a\.ptb:1:1: K702"):
        read_brackets(paths)
    assert read_brackets(paths, bad="keep").missing.tolist() == [True, False]


def test_random_damage_never_ends_in_a_traceback() -> None:
    rng = random.Random(5)
    text = "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))\n" * 5
    for _ in range(400):
        letters = list(text)
        for _ in range(rng.randint(1, 6)):
            letters[rng.randrange(len(letters))] = rng.choice("() \nx")
        damaged = "".join(letters)
        try:
            read(damaged)
        except DataError:
            kept = read(damaged, bad="keep") if any(mark in damaged for mark in "(") else None
            assert kept is None or kept.problems


@pytest.mark.parametrize("name", ["GUM_academic_art", "GUM_news_election", "GUM_voyage_cuba"])
def test_real_trees_are_read_as_the_reference_reads_them(name: str) -> None:
    trees = assert_as_reference(data(f"gum-const/{name}.ptb").read_text(encoding="utf-8"))
    assert not trees.missing.any()


def test_the_whole_of_gum_has_its_trees() -> None:
    trees = read_brackets(data_files("gum-const/*.ptb"))
    assert (trees.n_trees, len(trees.document_names)) == (4145, 96)


@pytest.mark.parametrize("text", ["just words\n", "1\tthe\tthe\tDET\n\n", ")"])
@pytest.mark.parametrize("bad", ["raise", "keep"])
def test_a_file_of_other_things_is_told_by_its_first_word(text: str, bad: Bad) -> None:
    with pytest.raises(DataError) as error:
        brackets_from_source(source_from_bytes(text.encode(), "t.ptb"), bad=bad)
    assert (error.value.code, error.value.line, error.value.column) == ("K704", 1, 1)
    looks = " (it looks like CoNLL-U)" if text.startswith("1\t") else ""
    assert error.value.message.startswith(f"the file has text but no trees{looks}")


def test_bytes_that_are_not_utf8_are_told_even_where_trees_are_fine() -> None:
    source = source_from_bytes(b"(S (NN caf\xe9) (NN a))\n(S (NN b))\n", "t.ptb")
    with pytest.raises(DataError) as error:
        brackets_from_source(source)
    assert (error.value.code, error.value.line, error.value.column) == ("K106", 1, 11)
    kept = brackets_from_source(source, bad="keep")
    assert (kept.n_trees, kept.bad.tolist()) == (2, [True, False])
