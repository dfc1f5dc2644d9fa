"""EVALB's rules one by one, on trees small enough to count by hand; EVALB itself prints the same numbers."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from karat.corpus import source_from_bytes
from karat.corpus.constituency_trees import Trees
from karat.corpus.readers.brackets import brackets_from_source
from karat.measures.brackets.evalb import COLLINS, Evalb, evalb, parameters_from_prm
from karat.report.evalb import evalb_text

PUNCTUATION = "DELETE_LABEL TOP\nDELETE_LABEL ,\nDELETE_LABEL .\n"
QUOTES = "DELETE_LABEL TOP\nDELETE_LABEL ``\nDELETE_LABEL ''\nQUOTE_LABEL ``\nQUOTE_LABEL ''\nQUOTE_LABEL POS\n"


class Row(NamedTuple):
    """A sentence's line of EVALB's table, without the shares."""

    length: int
    status: int
    matched: int
    gold: int
    test: int
    crossing: int
    words: int
    correct_tags: int


def trees(text: str) -> Trees:
    return brackets_from_source(source_from_bytes(text.encode(), "t.ptb"))


def evaluated(gold: str, test: str, prm: str = "") -> Evalb:
    return evalb(trees(gold), trees(test), parameters_from_prm(prm))


def rows(result: Evalb) -> list[Row]:
    columns = (getattr(result, name).tolist() for name in Row._fields)
    return [Row(*values) for values in zip(*columns, strict=True)]


def row(gold: str, test: str, prm: str = "") -> Row:
    (only,) = rows(evaluated(gold, test, prm))
    return only


# ---- what is deleted -------------------------------------------------------------------------------------------------


def test_a_deleted_preterminal_takes_its_word_along() -> None:
    gold = "(TOP (S (NP (NNS Owls)) (, ,) (VP (VBP hunt)) (. .)))"
    test = "(TOP (S (NP (NNS Owls) (, ,)) (VP (VBP hunt) (. .))))"
    # over the words Owls and hunt, both have S 0-2, NP 0-1 and VP 1-2; of 4 words 2 stay, and all 4 make the length
    assert row(gold, test, PUNCTUATION) == Row(4, 0, 3, 3, 3, 0, 2, 2)
    # nothing deleted: gold has TOP 0-4, S 0-4, NP 0-1, VP 2-3 and test TOP 0-4, S 0-4, NP 0-2, VP 2-4
    assert row(gold, test) == Row(4, 0, 2, 4, 4, 0, 4, 4)


def test_a_deleted_nonterminal_loses_only_its_bracket() -> None:
    gold = "(TOP (S (X (NNS Owls)) (X (VBP hunt))))"
    test = "(TOP (S (NNS Owls) (X (VBP hunt))))"
    # TOP and X are deleted, S 0-2 stays, and so do both words
    assert row(gold, test, "DELETE_LABEL TOP\nDELETE_LABEL X") == Row(2, 0, 1, 1, 1, 0, 2, 2)
    # gold TOP, S, X 0-1, X 1-2 and test TOP, S, X 1-2: 3 match
    assert row(gold, test) == Row(2, 0, 3, 4, 3, 0, 2, 2)


def test_one_deleted_label_works_on_words_and_on_brackets() -> None:
    gold = "(S (X (NNS Owls)) (X hunt))"
    test = "(S (NNS Owls) (X hunt))"
    # X above Owls is a bracket that goes; X above hunt takes hunt along; S 0-1 is left
    assert row(gold, test, "DELETE_LABEL X") == Row(2, 0, 1, 1, 1, 0, 1, 1)


def test_brackets_without_width_are_dropped() -> None:
    gold = "(S (NP (-NONE- *)) (VP (VB Run) (NP (-NONE- *T*))))"
    test = "(S (VP (VB Run)))"
    # without * and *T* both NPs are empty: S 0-1 and VP 0-1 are left, and one word
    assert row(gold, test, "DELETE_LABEL -NONE-") == Row(3, 0, 2, 2, 2, 0, 1, 1)


def test_the_length_counts_all_but_what_is_deleted_for_length() -> None:
    tree = "(S (NP (-NONE- *)) (VP (VB Run)) (. !))"
    both = "DELETE_LABEL -NONE-\nDELETE_LABEL .\n"
    assert row(tree, tree, both).length == 3  # *, Run and !
    assert row(tree, tree, both + "DELETE_LABEL_FOR_LENGTH -NONE-").length == 2  # Run and !: punctuation counts
    assert row(tree, tree, both + "DELETE_LABEL_FOR_LENGTH .").length == 2  # * and Run
    only_for_length = row(tree, tree, "DELETE_LABEL_FOR_LENGTH -NONE-")
    assert only_for_length == Row(2, 0, 3, 3, 3, 0, 3, 3)  # * is no part of the length, but is a word


def test_the_cutoff_is_on_the_length_with_punctuation() -> None:
    short = "(TOP (S (NP (NNS Owls)) (VP (VBP hunt)) (. .)))"
    long = "(TOP (S (NP (NNS Owls)) (VP (VBP hunt) (ADVP (RB too))) (. .)))"
    wrong = "(TOP (S (NP (NNS Owls) (VBP hunt)) (RB too) (. .)))"
    result = evaluated(f"{short}\n{long}", f"{short}\n{wrong}", PUNCTUATION + "CUTOFF_LEN 3")
    assert rows(result) == [Row(3, 0, 3, 3, 3, 0, 2, 2), Row(4, 0, 1, 4, 2, 1, 3, 3)]
    every, up_to_3 = result.summary(), result.summary(up_to_cutoff=True)
    assert (every.n_sentences, every.recall, every.precision) == (2, 100 * 4 / 7, 100 * 4 / 5)  # (3 + 1) / (3 + 4)
    assert (up_to_3.n_sentences, up_to_3.recall, up_to_3.precision) == (1, 100, 100)
    assert evaluated(long, wrong, PUNCTUATION + "CUTOFF_LEN 3").summary(up_to_cutoff=True).n_sentences == 0


def test_collins_cuts_off_at_40_words_with_punctuation() -> None:
    words = " ".join(f"(NN w{number})" for number in range(39))
    up_to = f"(TOP (S {words} (. .)))"
    above = f"(TOP (S {words} (NN more) (. .)))"  # 40 words without its full stop
    result = evalb(trees(f"{up_to}\n{above}"), trees(f"{up_to}\n{above}"), COLLINS)
    assert result.length.tolist() == [40, 41]
    assert result.summary(up_to_cutoff=True).n_sentences == 1


# ---- labels ----------------------------------------------------------------------------------------------------------


def test_labels_are_cut_at_the_first_mark() -> None:
    gold = "(S-1 (NP-SBJ=2 (NNS Owls)) (VP=3-X (VBP hunt)))"
    test = "(S (NP (NNS Owls)) (VP-Y (VBP hunt)))"
    assert row(gold, test) == Row(2, 0, 3, 3, 3, 0, 2, 2)


def test_a_label_that_begins_with_a_mark_is_cut_to_nothing() -> None:
    # -A, =B and a bracket without a label are one and the same, and -NONE- above a bracket is not deleted
    assert row("(-A (NN Owls))", "(=B (NN Owls))") == Row(1, 0, 1, 1, 1, 0, 1, 1)
    assert row("(-NONE- (NN Owls))", "( (NN Owls))", "DELETE_LABEL -NONE-") == Row(1, 0, 1, 1, 1, 0, 1, 1)


def test_a_label_is_deleted_as_it_is_cut() -> None:
    tree = "(S (NP-SBJ (NNS Owls)) (VBP hunt))"
    assert row(tree, tree, "DELETE_LABEL NP").gold == 1  # NP-SBJ is NP
    assert row(tree, tree, "DELETE_LABEL NP-SBJ").gold == 2  # and no bracket is NP-SBJ


def test_tags_are_not_cut() -> None:
    gold = "(S (NNS-X Owls) (VBP hunt))"
    test = "(S (NNS Owls) (VBP hunt))"
    assert row(gold, test) == Row(2, 0, 1, 1, 1, 0, 2, 1)  # NNS-X is not NNS
    assert row(gold, gold, "DELETE_LABEL NNS").words == 2  # nor is it deleted with it
    assert row(gold, gold, "DELETE_LABEL NNS-X").words == 1


def test_equal_labels_match_either_way() -> None:
    gold, test = "(S (ADVP (RB home)) (PRT (RP up)))", "(S (PRT (RB home)) (ADVP (RP up)))"
    assert row(gold, test, "EQ_LABEL ADVP PRT") == Row(2, 0, 3, 3, 3, 0, 2, 2)
    assert row(gold, test) == Row(2, 0, 1, 3, 3, 0, 2, 2)


@pytest.mark.parametrize(("gold", "test", "matched"), [("A", "B", 1), ("B", "C", 1), ("C", "B", 1), ("A", "C", 0)])
def test_labels_equal_to_one_label_are_not_equal_to_each_other(gold: str, test: str, matched: int) -> None:
    chain = "EQ_LABEL A B\nEQ_LABEL B C"
    assert row(f"({gold} (NN Owls))", f"({test} (NN Owls))", chain) == Row(1, 0, matched, 1, 1, 0, 1, 1)
    assert row(f"(S ({gold} Owls))", f"(S ({test} Owls))", chain).correct_tags == matched


def test_in_a_chain_the_first_gold_bracket_takes_the_first_that_fits() -> None:
    chain = "EQ_LABEL A B\nEQ_LABEL B C"
    # B takes A, and A is left with C: 1 match, though B-C and A-A would make 2
    assert row("(B (A (NN Owls)))", "(A (C (NN Owls)))", chain) == Row(1, 0, 1, 2, 2, 0, 1, 1)
    assert row("(A (B (NN Owls)))", "(A (C (NN Owls)))", chain) == Row(1, 0, 2, 2, 2, 0, 1, 1)  # A-A, B-C


def test_equal_labels_are_equal_tags() -> None:
    gold, test = "(S (NN Snow) (VBZ falls))", "(S (NNP Snow) (NNS falls))"
    assert row(gold, test, "EQ_LABEL NN NNP") == Row(2, 0, 1, 1, 1, 0, 2, 1)  # NN is NNP, VBZ is not NNS


def test_a_label_equal_to_a_deleted_one_loses_brackets_but_no_words() -> None:
    prm = "DELETE_LABEL A\nEQ_LABEL A B"
    tree = "(S (B (NNS Owls)) (A (VBP hunt)) (B rats) (A now))"
    # of the brackets only S is left; of the words, now has the deleted tag itself, rats only one equal to it
    assert row(tree, tree, prm) == Row(4, 0, 1, 1, 1, 0, 3, 3)


def test_without_labels_only_spans_matter() -> None:
    gold = "(S (NP (NN Snow)) (VP (VP (VBZ falls))))"
    test = "(X (Y (NN Snow)) (Z (VBZ falls)))"
    # 0-2, 0-1 and 1-2 once each: the second VP 1-2 has no partner; the tags are compared all the same
    assert row(gold, test, "LABELED 0") == Row(2, 0, 3, 4, 3, 0, 2, 2)
    assert row(gold, test, "LABELED 1") == Row(2, 0, 0, 4, 3, 0, 2, 2)
    assert row(gold, test, "LABELED 0\nDELETE_LABEL X") == Row(2, 0, 2, 4, 2, 0, 2, 2)  # what is deleted still is


# ---- matching and crossing -------------------------------------------------------------------------------------------


def test_duplicates_match_as_a_multiset() -> None:
    gold = "(NP (NP (NP (QP (NN Snow)))))"
    test = "(NP (QP (NP (QP (QP (NN Snow))))))"
    # NP: 3 and 2, so 2 match; QP: 1 and 3, so 1
    assert row(gold, test) == Row(1, 0, 3, 4, 5, 0, 1, 1)
    assert row(test, gold) == Row(1, 0, 3, 5, 4, 0, 1, 1)


def test_a_crossing_is_counted_once_a_test_bracket() -> None:
    gold = "(S (X (NN a) (NN b)) (Y (NN c) (NN d)) (Z (NN e) (NN f)))"
    test = "(S (NN a) (V (NN b) (NN c) (W (NN d) (NN e))) (NN f))"
    # V 1-5 crosses X 0-2 and Z 4-6, W 3-5 crosses Y 2-4 and Z: two brackets of the test
    assert row(gold, test) == Row(6, 0, 1, 4, 3, 2, 6, 6)
    # the other way round X, Y and Z all cross: three
    assert row(test, gold) == Row(6, 0, 1, 3, 4, 3, 6, 6)


def test_deleted_brackets_do_not_cross() -> None:
    gold = "(S (X (NN a) (NN b)) (NN c))"
    test = "(S (NN a) (Y (NN b) (NN c)))"
    assert row(gold, test).crossing == 1
    assert row(gold, test, "DELETE_LABEL X").crossing == 0
    assert row(gold, test, "DELETE_LABEL Y").crossing == 0


def test_the_summary_counts_sentences_by_their_crossings() -> None:
    flat, left, right = (
        "(S (NN a) (NN b) (NN c))",
        "(S (X (NN a) (NN b)) (NN c))",
        "(S (NN a) (X (X (X (NN b) (NN c)))))",
    )
    summary = evaluated(f"{left}\n{left}\n{left}", f"{left}\n{flat}\n{right}").summary()
    assert summary.complete_match == 100 * 1 / 3  # only the first
    assert summary.average_crossing == 3 / 3  # 0 + 0 + 3
    assert summary.no_crossing == summary.two_or_less_crossing == 100 * 2 / 3


# ---- words and status ------------------------------------------------------------------------------------------------


def test_tagging_accuracy_leaves_deleted_words_out() -> None:
    gold = "(TOP (S (NNS Owls) (, ,) (VBP hunt) (. .)))"
    test = "(TOP (S (NNS Owls) (. ,) (NN hunt) (, .)))"
    result = evaluated(gold, test, PUNCTUATION)
    assert rows(result) == [Row(4, 0, 1, 1, 1, 0, 2, 1)]  # the tags of , and . are not looked at
    assert result.summary().tagging_accuracy == 100 * 1 / 2


def test_equal_words_are_pairs_too() -> None:
    prm = "EQ_WORD n't not\nEQ_WORD not nicht"
    assert row("(S (RB n't))", "(S (RB not))", prm).status == 0
    assert row("(S (RB nicht))", "(S (RB not))", prm).status == 0
    assert row("(S (RB n't))", "(S (RB nicht))", prm).status == 1
    assert row("(S (RB n't))", "(S (RB not))").status == 1


@pytest.mark.parametrize(
    ("test", "status"),
    [
        ("(TOP (S (NNS Owls) (VBP hurt)))", 1),  # another word
        ("(TOP (S (NNS Owls)))", 1),  # a word less
        ("(TOP (S (NNS Owls) (VBP hunt) (RB now)))", 1),  # a word more
        ("(TOP (S (NNS Owls) (. hunt)))", 1),  # a word deleted on one side
        ("(())", 2),
        ("", 2),
        ("(TOP (S (, Owls) (. hunt)))", 2),  # no word left in the test
    ],
)
def test_errors_and_skipped_sentences_leave_every_denominator(test: str, status: int) -> None:
    lost = "(TOP (S (NNS Owls) (VBP hunt)))"
    gold, partly = "(TOP (S (NP (NN Snow)) (VBZ falls)))", "(TOP (S (NN Snow) (NNS falls)))"
    result = evaluated(f"{gold}\n{gold}\n{lost}\n{gold}", f"{partly}\n{gold}\n{test}\n{gold}", PUNCTUATION)
    full, none = Row(2, 0, 2, 2, 2, 0, 2, 2), Row(2, status, 0, 0, 0, 0, 0, 0)
    assert rows(result) == [Row(2, 0, 1, 2, 1, 0, 2, 1), full, none, full]
    summary = result.summary()
    assert (summary.n_sentences, summary.n_valid) == (4, 3)
    assert (summary.n_error, summary.n_skipped) == ((1, 0) if status == 1 else (0, 1))
    assert (summary.recall, summary.precision) == (100 * 5 / 6, 100 * 5 / 5)
    assert (summary.complete_match, summary.no_crossing, summary.average_crossing) == (100 * 2 / 3, 100, 0)
    assert summary.tagging_accuracy == 100 * 5 / 6


def test_a_sentence_of_punctuation_is_skipped_however_it_is_parsed() -> None:
    tree = "(TOP (S (. .)))"
    assert row(tree, tree, PUNCTUATION) == Row(1, 2, 0, 0, 0, 0, 0, 0)


def test_a_gold_tree_without_words_is_an_error_if_the_test_has_some() -> None:
    assert row("(TOP (S (. .)))", "(TOP (S (NN .)))", PUNCTUATION).status == 1


def test_a_maximum_of_errors_does_not_stop_karat() -> None:
    gold, test = "(S (NN Snow))", "(S (NN Rain))"
    result = evaluated(f"{gold}\n" * 30, f"{test}\n" * 29 + gold, "MAX_ERROR 2")
    summary = result.summary()
    assert (summary.n_sentences, summary.n_error, summary.n_valid, summary.recall) == (30, 29, 1, 100)


def test_f_is_printed_as_minus_nan_where_precision_and_recall_are_nil() -> None:
    result = evaluated("(X (NN Snow))", "(Y (NN Snow))", "CUTOFF_LEN 0")
    assert result.summary().f_measure is None
    assert result.summary(up_to_cutoff=True).f_measure is None  # no sentence at all
    assert evalb_text(result).count("Bracketing FMeasure       =   -nan\n") == 2


# ---- quotes ----------------------------------------------------------------------------------------------------------


def test_a_quote_that_only_the_gold_deletes_is_put_back_there() -> None:
    gold = "(TOP (S (NP (NNS Owls) ('' ')) (VP (VBP hunt))))"
    test = "(TOP (S (NP (NNS Owls) (POS ')) (VP (VBP hunt))))"
    # with the quote: S 0-3, NP 0-2 and VP 2-3 on both sides; its tags '' and POS differ
    assert row(gold, test, QUOTES) == Row(3, 0, 3, 3, 3, 0, 3, 2)
    assert row(gold, test, QUOTES.replace("QUOTE_LABEL", "QUOTE_TERM")).status == 1  # another number of words


def test_a_quote_that_only_the_test_deletes_is_put_back_there() -> None:
    gold = "(TOP (S (NP (NNS Owls)) (POS ') (VP (VBP hunt))))"
    test = "(TOP (S (NP (NNS Owls) ('' ')) (VP (VBP hunt))))"
    # gold S 0-3, NP 0-1, VP 2-3 and test S 0-3, NP 0-2, VP 2-3
    assert row(gold, test, QUOTES) == Row(3, 0, 2, 3, 3, 0, 3, 2)


@pytest.mark.parametrize(("word", "status"), [("'", 0), ('"', 0), ("/", 0), ("''", 1), ("`", 1), ("s", 1)])
def test_only_three_words_are_quotes(word: str, status: int) -> None:
    gold, test = f"(S (NNS Owls) ('' {word}))", f"(S (NNS Owls) (POS {word}))"
    assert row(gold, test, QUOTES).status == status


def test_both_tags_of_a_quote_must_be_quote_labels() -> None:
    gold, test = "(S (NNS Owls) ('' '))", "(S (NNS Owls) (NN '))"
    assert row(gold, test, QUOTES).status == 1  # NN is none
    assert row(gold, test, QUOTES + "QUOTE_LABEL NN").status == 0


def test_quotes_stay_deleted_where_the_numbers_of_words_are_the_same() -> None:
    gold = "(TOP (S ('' ') (NNS Owls) (POS ')))"
    test = "(TOP (S (POS ') (NNS Owls) ('' ')))"
    # Owls and ' here, ' and Owls there: as many words, but other ones
    assert row(gold, test, QUOTES) == Row(3, 1, 0, 0, 0, 0, 0, 0)


def test_a_quote_is_put_back_only_where_the_other_side_has_one_behind_as_many_words() -> None:
    gold = "(TOP (S ('' ') (NNS Owls) (VBP hunt)))"
    test = "(TOP (S (NNS Owls) (POS ') (VBP hunt)))"
    assert row(gold, test, QUOTES).status == 1


def test_the_length_is_that_before_quotes_are_put_back() -> None:
    prm = QUOTES + "DELETE_LABEL_FOR_LENGTH ''"
    gold, test = "(TOP (S (NNS Owls) ('' ')))", "(TOP (S (NNS Owls) (POS ')))"
    assert row(gold, test, prm) == Row(1, 0, 1, 1, 1, 0, 2, 1)


def test_two_test_quotes_in_a_row_put_the_same_gold_quote_back_twice() -> None:
    gold = "(TOP (S (X ('' ')) (Y ('' ')) (NNS Owls)))"
    test = "(TOP (S (X (POS ')) (Y (POS ')) (NNS Owls)))"
    # X gets both, and Y none: gold S 0-3 and X 0-2, test S 0-3, X 0-1 and Y 1-2
    assert row(gold, test, QUOTES) == Row(3, 0, 1, 2, 3, 0, 3, 1)


def test_quotes_are_put_back_in_their_own_sentence_only() -> None:
    plain = "(TOP (S (`` ') (NP (NNS Owls)) ('' ')))"
    gold, test = "(TOP (S (NP (NNS Owls) ('' '))))", "(TOP (S (NP (NNS Owls)) (POS ')))"
    result = evaluated(f"{plain}\n{gold}\n{plain}", f"{plain}\n{test}\n{plain}", QUOTES)
    same = Row(3, 0, 2, 2, 2, 0, 1, 1)
    # gold S 0-2 and NP 0-2, test S 0-2 and NP 0-1
    assert rows(result) == [same, Row(2, 0, 1, 2, 2, 0, 2, 1), same]


# ---- what breaks EVALB -----------------------------------------------------------------------------------------------


def test_long_words_and_labels_and_many_words_and_brackets_are_no_matter() -> None:
    words = " ".join(f"(NN{'N' * 300} {'w' * 300}{number})" for number in range(500))
    gold = f"(TOP (S{'S' * 300} " + "(NP " * 300 + words + ")" * 302
    test = f"(TOP (S{'S' * 300}-X " + "(NP " * 299 + words + ")" * 301
    # S… and the NPs, 299 of 300 of which have a partner
    assert row(gold, test, PUNCTUATION) == Row(500, 0, 300, 301, 300, 0, 500, 500)
    assert row(gold, test.replace("w499", "w49"), PUNCTUATION).status == 1  # no word is cut


def test_many_parameters_are_no_matter() -> None:
    prm = "".join(f"DELETE_LABEL D{number}\nEQ_LABEL E{number} F{number}\n" for number in range(300))
    assert row("(D299 (E299 (NN Snow)))", "(F299 (NN Snow))", prm) == Row(1, 0, 1, 1, 1, 0, 1, 1)
