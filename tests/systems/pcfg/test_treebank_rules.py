"""Rules that are read off trees: against a reference that goes through them one bracket at a time."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from karat.corpus import read_source
from karat.corpus.constituency_trees import Trees
from karat.corpus.readers.brackets import brackets_from_source
from karat.systems.pcfg.treebank_rules import TreebankRules, rule_counts
from random_grammars import trees_of
from realdata import data_files
from rule_reference import Rule, rules_of_text

_LABELS = ["S", "NP", "NP-SBJ", "NP=1", "NP-SBJ-1=2", "VP", "VP-1", "PP", "PRN"]
_words = st.builds("({} {})".format, st.sampled_from(["n", "v", "p", "-NONE-", "-LRB-", "n-1"]), st.just("w"))
_trees = st.recursive(
    _words,
    lambda below: st.builds(
        lambda label, children: f"({label} {' '.join(children)})",
        st.sampled_from(_LABELS),
        st.lists(below, min_size=1, max_size=5),
    ),
    max_leaves=14,
)
_outer = st.sampled_from(["{}", "( {})", "(ROOT {})", "(TOP {})", "(S1 {})"])
_texts = st.lists(st.builds(str.format, _outer, _trees) | st.just("(())"), min_size=1, max_size=4).map(
    lambda found: "\n".join([*found, "(S (NP (n dog)) (v barks))", ""])
)
_orders = [(vertical, horizontal) for vertical in (1, 2, 3) for horizontal in (0, 1, 2, 3)]


def rules_by_name(counts: TreebankRules) -> Counter[Rule]:
    found: Counter[Rule] = Counter()
    for rules, times in ((counts.unary, counts.unary_counts), (counts.binary, counts.binary_counts)):
        for rule, count in zip(rules.tolist(), times.tolist(), strict=True):
            found[tuple(counts.names[symbol] for symbol in rule)] += count
    return found


@given(_texts, st.sampled_from(_orders))
@settings(max_examples=200)
def test_rules_are_those_of_the_reference(text: str, orders: tuple[int, int]) -> None:
    vertical, horizontal = orders
    found = rules_by_name(rule_counts(trees_of(text), vertical=vertical, horizontal=horizontal))
    assert found == rules_of_text(text, vertical=vertical, horizontal=horizontal)


@pytest.mark.parametrize(("vertical", "horizontal"), _orders)
def test_rules_of_real_trees_are_those_of_the_reference(vertical: int, horizontal: int) -> None:
    paths = data_files("gum-const/GUM_bio_[a-e]*.ptb")
    found = rules_by_name(rule_counts(trees_of_files(paths), vertical=vertical, horizontal=horizontal))
    text = "".join(path.read_text(encoding="utf-8") for path in paths)
    assert found == rules_of_text(text, vertical=vertical, horizontal=horizontal)


def trees_of_files(paths: list[Path]) -> Trees:
    return brackets_from_source(read_source([str(path) for path in paths]))


def test_a_phrase_of_four_children_becomes_a_chain_of_states() -> None:
    counts = rule_counts(trees_of("(NP (DT the) (JJ old) (JJ red) (NN gate))"), horizontal=2)
    assert rules_by_name(counts) == {
        ("TOP", "NP"): 1,
        ("NP", "DT", "NP|<JJ-JJ>"): 1,
        ("NP|<JJ-JJ>", "JJ", "NP|<JJ-NN>"): 1,
        ("NP|<JJ-NN>", "JJ", "NN"): 1,
    }
    counts = rule_counts(trees_of("(NP (DT the) (JJ old) (JJ red) (NN gate))"), horizontal=0)
    assert rules_by_name(counts) == {
        ("TOP", "NP"): 1,
        ("NP", "DT", "NP|<>"): 1,
        ("NP|<>", "JJ", "NP|<>"): 1,
        ("NP|<>", "JJ", "NN"): 1,
    }


def test_labels_carry_those_of_the_phrases_above_them() -> None:
    text = "(ROOT (S (NP (PRP We)) (VP (VBP mend) (NP (NNS nets)))))"
    assert rules_by_name(rule_counts(trees_of(text), vertical=3)) == {
        ("TOP", "S^TOP"): 1,
        ("S^TOP", "NP^S^TOP", "VP^S^TOP"): 1,
        ("NP^S^TOP", "PRP"): 1,
        ("VP^S^TOP", "VBP", "NP^VP^S"): 1,
        ("NP^VP^S", "NNS"): 1,
    }


def test_traces_and_what_holds_nothing_else_leave_no_rules() -> None:
    text = "( (S (NP-SBJ (-NONE- *)) (VP (VB Wait) (SBAR (S (-NONE- *T*))) (NP (NP-TMP (NN noon))))))"
    assert rules_by_name(rule_counts(trees_of(text))) == {
        ("TOP", "S"): 1,
        ("S", "VP"): 1,
        ("VP", "VB", "NP"): 1,
        ("NP", "NN"): 1,
    }


@given(_texts, st.sampled_from(_orders))
def test_symbols_are_tags_then_phrases_then_states_and_know_their_labels(text: str, orders: tuple[int, int]) -> None:
    counts = rule_counts(trees_of(text), vertical=orders[0], horizontal=orders[1])
    assert counts.names[counts.start] == "TOP"
    for symbol, name in enumerate(counts.names):
        is_state = name.endswith(">")
        assert is_state == (symbol >= counts.n_closed)
        if symbol < counts.n_tags:
            assert counts.labels[counts.label_of[symbol]] == name
        elif not is_state:
            assert counts.labels[counts.label_of[symbol]] == name.split("^")[0]
    assert len(counts.label_of) == counts.n_closed
    assert len(counts.families) == len(counts.names) - counts.n_closed


def test_words_and_trees_are_counted_and_the_most_frequent_outer_label_is_kept() -> None:
    text = "(ROOT (NP (NN oak)))\n(TOP (NP (DT the) (NN oak)))\n(ROOT (NP (NN ash) (-NONE- *)))\n(())\n(())\n"
    counts = rule_counts(trees_of(text))
    words = Counter((counts.names[tag], counts.forms[form]) for tag, form in counts.words.tolist())
    assert words == {("NN", "oak"): 2, ("NN", "ash"): 1, ("DT", "the"): 1}
    assert (counts.n_trees, counts.outer) == (3, "ROOT")
    assert rule_counts(trees_of("(NP (NN oak))")).outer == ""
