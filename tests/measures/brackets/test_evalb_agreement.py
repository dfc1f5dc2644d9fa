"""EVALB's numbers: what EVALB itself printed, and its rules one by one."""

from __future__ import annotations

import pytest

from karat.corpus import source_from_bytes
from karat.corpus.constituency_trees import Trees
from karat.corpus.readers.bracket_folders import read_brackets
from karat.corpus.readers.brackets import brackets_from_source
from karat.errors import DataError
from karat.measures.brackets.evalb import COLLINS, Evalb, EvalbParameters, evalb, parameters_from_prm
from karat.report.evalb import evalb_text
from realdata import data


@pytest.mark.parametrize("case", ["edge", "errors", "gum", "gum-unlabelled"])
def test_every_line_is_what_evalb_printed(case: str) -> None:
    parameters = parameters_from_prm(data(f"evalb/{case}.prm").read_text(encoding="utf-8"))
    result = evalb(read_brackets(data(f"evalb/{case}.gld")), read_brackets(data(f"evalb/{case}.tst")), parameters)
    printed = data(f"evalb/{case}.out").read_text(encoding="utf-8")
    assert evalb_text(result).rstrip("\n").split("\n") == printed.rstrip("\n").split("\n")


def read(text: str) -> Trees:
    return brackets_from_source(source_from_bytes(text.encode(), "t.ptb"))


def evaluated(gold: str, test: str, parameters: EvalbParameters = COLLINS) -> Evalb:
    return evalb(read(gold), read(test), parameters)


def counts(result: Evalb) -> tuple[int, int, int, int]:
    """Matched, gold, test and crossing brackets of the first sentence."""
    return tuple(int(one[0]) for one in (result.matched, result.gold, result.test, result.crossing))  # type: ignore[return-value]


def test_a_deleted_preterminal_takes_its_word_and_empty_brackets_away() -> None:
    result = evaluated("(TOP (S (NN a) (PRN (, ,)) (NN b)))", "(TOP (S (NN a) (NN b) (, ,)))")
    assert counts(result) == (1, 1, 1, 0)
    assert int(result.words[0]) == 2
    assert int(result.length[0]) == 3  # the length counts punctuation


def test_a_deleted_nonterminal_loses_its_bracket_only() -> None:
    result = evaluated("(TOP (S (TOP (NN a)) (NN b)))", "(TOP (S (NN a) (NN b)))")
    assert counts(result) == (1, 1, 1, 0)


def test_nonterminals_are_cut_and_tags_are_not() -> None:
    result = evaluated("(TOP (S (NP-SBJ=1 (NN-X a)) (VB b)))", "(TOP (S (NP-OBJ (NN a)) (VB b)))")
    assert counts(result) == (2, 2, 2, 0)
    assert int(result.correct_tags[0]) == 1


def test_equal_labels_are_pairs_not_chains() -> None:
    chain = EvalbParameters(same_labels=(("A", "B"), ("B", "C")))
    assert counts(evaluated("(A (X x))", "(B (X x))", chain))[0] == 1
    assert counts(evaluated("(B (X x))", "(C (X x))", chain))[0] == 1
    assert counts(evaluated("(A (X x))", "(C (X x))", chain))[0] == 0
    pair = EvalbParameters(same_labels=(("A", "B"),))
    assert counts(evaluated("(A (X x))", "(B (X x))", pair))[0] == 1
    tags = evaluated("(S (A x))", "(S (B x))", pair)
    assert int(tags.correct_tags[0]) == 1  # tags too


def test_a_label_like_a_deleted_one_loses_its_bracket_but_not_its_words() -> None:
    parameters = EvalbParameters(deleted=frozenset({"A"}), same_labels=(("A", "B"),))
    result = evaluated("(S (B (X x)) (B y))", "(S (X x) (B y))", parameters)
    assert counts(result) == (1, 1, 1, 0)
    assert int(result.words[0]) == 2


def test_duplicates_match_one_to_one() -> None:
    result = evaluated("(TOP (NP (NP (NP (NN a)))))", "(TOP (NP (NP (NN a))))")
    assert counts(result) == (2, 3, 2, 0)


def test_a_test_bracket_that_crosses_two_is_counted_once() -> None:
    gold = "(TOP (S (X (NN a) (NN b)) (Y (NN c) (NN d))))"
    test = "(TOP (S (NN a) (Z (NN b) (NN c)) (NN d)))"
    assert counts(evaluated(gold, test)) == (1, 3, 2, 1)


@pytest.mark.parametrize(
    ("test", "status"),
    [
        ("(TOP (S (NN a) (NN b)))", 0),
        ("(TOP (S (NN a) (NN c)))", 1),  # another word
        ("(TOP (S (NN a)))", 1),  # fewer words
        ("(TOP (S (NN a) (, b)))", 1),  # a word retagged as punctuation
        ("(())", 2),
    ],
)
def test_errors_and_missing_parses_leave_every_denominator(test: str, status: int) -> None:
    good = "(TOP (S (NN x) (NN y)))"
    result = evaluated(f"(TOP (S (NN a) (NN b)))\n{good}", f"{test}\n{good}")
    assert result.status.tolist() == [status, 0]
    summary = result.summary()
    assert (summary.n_sentences, summary.n_valid) == (2, 2 if status == 0 else 1)
    assert summary.recall == summary.precision == 100
    if status:
        assert counts(result) == (0, 0, 0, 0)


def test_words_may_be_said_to_be_equal() -> None:
    parameters = EvalbParameters(same_words=(("can't", "cannot"),))
    assert evaluated("(S (MD can't))", "(S (MD cannot))", parameters).status.tolist() == [0]


def test_unlabelled_brackets_match_whatever_their_labels() -> None:
    assert counts(evaluated("(A (X x))", "(B (X x))", EvalbParameters(labelled=False)))[0] == 1


def test_nothing_right_has_no_f_measure() -> None:
    result = evaluated("(TOP (X (NN a)))", "(TOP (Y (NN a)))")
    assert result.summary().f_measure is None
    assert "Bracketing FMeasure       =   -nan" in evalb_text(result)


def test_long_words_long_sentences_and_deep_trees_are_no_matter() -> None:
    words = " ".join(f"(NN {'w' * 200}{number})" for number in range(2000))
    tree = "(TOP " + "(S " * 500 + words + ")" * 500 + ")"
    assert counts(evaluated(tree, tree)) == (500, 500, 500, 0)


def test_parameters_are_read_and_nonsense_is_named() -> None:
    parameters = parameters_from_prm("# a comment\nDEBUG 0\nLABELED 0\nCUTOFF_LEN 20\nDELETE_LABEL X\nEQ_WORD a b\n")
    assert (parameters.labelled, parameters.cutoff, parameters.deleted) == (False, 20, frozenset({"X"}))
    assert parameters.same_words == (("a", "b"),)
    with pytest.raises(DataError, match=r"x\.prm:2:1: K711 not a parameter of EVALB: 'EQ_LABEL A'"):
        parameters_from_prm("DEBUG 0\nEQ_LABEL A\n", "x.prm")
    for number in ("9" * 5000, "²", "--1"):
        with pytest.raises(DataError, match="K711 not a parameter of EVALB: 'CUTOFF_LEN"):
            parameters_from_prm(f"CUTOFF_LEN {number}\n", "x.prm")


def test_another_number_of_trees_is_an_error() -> None:
    with pytest.raises(DataError, match="K712 1 tree where the gold has 2"):
        evaluated("(S (NN a))\n(S (NN b))", "(S (NN a))")
