"""The items of Hogenhout & Matsumoto 1996, §3: the paper's example, the reference, properties."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st

import bracket_reference as reference
from karat.corpus import source_from_bytes
from karat.corpus.constituency_trees import Trees
from karat.corpus.readers.brackets import brackets_from_source
from karat.measures.brackets.items import ITEMS, BracketComparison
from karat.measures.brackets.preparation import Brackets, Preparation, prepared
from realdata import data, data_files
from tree_corruptions import corrupted_tree

PUNCTUATION = {",", ".", ":", "``", "''", "-NONE-"}


def read(text: str) -> Trees:
    return brackets_from_source(source_from_bytes(text.encode(), "t.ptb"))


def brackets(trees: Trees, how: Preparation | None = None) -> Brackets:
    dropped = np.array([tag in PUNCTUATION for tag in trees.tags.strings()], dtype=np.bool_)
    return prepared(trees, dropped, how)


def compared(gold: str, system: str, *, labelled: bool = False, literal: bool = False) -> BracketComparison:
    how = Preparation(labelled=labelled)
    return BracketComparison(brackets(read(gold), how), brackets(read(system), how), labelled, literal)


def in_letters(notation: str) -> str:
    """A tree from the paper's notation, `[He [walks to [the house]]]`."""
    spaced = notation.replace("[", " [ ").replace("]", " ] ").split()
    return " ".join({"[": "(X", "]": ")"}.get(token, f"(W {token})") for token in spaced)


def test_the_paper_s_example_has_the_paper_s_items() -> None:
    gold = "[He [walks to [the house]]]", "[[The president] [gave [a long speech]]]"
    system = "[He [walks [to [the house]]]]", "[The [[president gave] [a [long speech]]]]"
    found = compared("\n".join(map(in_letters, gold)), "\n".join(map(in_letters, system))).items()
    totals = {name: int(counts.sum()) for name, counts in found.items()}
    assert totals == {
        "TTB": 7, "TPB": 9, "EM": 5, "CE": 2, "SP": 2, "PINH": 1, "PNINH": 1, "TINH": 1, "TNINH": 4,
    }  # fmt: skip
    assert found["EM"].tolist() == [3, 2]
    assert found["CE"].tolist() == [0, 2]


def test_by_the_literal_definition_the_example_inherits_from_the_sentence_s_bracket_too() -> None:
    """The paper prints TINH = 1 and TNINH = 4; by its text they are 2 and 3, as papers/README.md has it."""
    gold = "[He [walks to [the house]]]", "[[The president] [gave [a long speech]]]"
    system = "[He [walks [to [the house]]]]", "[The [[president gave] [a [long speech]]]]"
    both = "\n".join(map(in_letters, gold)), "\n".join(map(in_letters, system))
    read_literally = compared(*both, literal=True).items()
    totals = {name: int(counts.sum()) for name, counts in read_literally.items()}
    assert totals == {
        "TTB": 7, "TPB": 9, "EM": 5, "CE": 2, "SP": 2, "PINH": 1, "PNINH": 1, "TINH": 2, "TNINH": 3,
    }  # fmt: skip


def assert_as_reference(golds: list[str], systems: list[str], *, labelled: bool) -> None:
    for literal in (False, True):
        _assert_as_reference(golds, systems, labelled=labelled, literal=literal)


def _assert_as_reference(golds: list[str], systems: list[str], *, labelled: bool, literal: bool) -> None:
    fast = compared("\n".join(golds), "\n".join(systems), labelled=labelled, literal=literal).items()
    for number, (gold, system) in enumerate(zip(golds, systems, strict=True)):
        words, ours = reference.prepared_spans(reference.tree(gold), PUNCTUATION, labelled=labelled)
        other_words, theirs = reference.prepared_spans(reference.tree(system), PUNCTUATION, labelled=labelled)
        assert words == other_words
        slow = reference.items(ours, theirs, len(words), labelled=labelled, sentence_is_parent=literal)
        assert {name: int(fast[name][number]) for name in ITEMS} == slow, (gold, system)


def random_tree(rng: random.Random, words: list[str], labels: str) -> str:
    """A tree over words, with brackets around one word and doubled ones among its own."""

    def over(begin: int, end: int, depth: int) -> str:
        if end - begin == 1 and rng.random() < 0.7:
            return words[begin]
        cuts = (
            sorted(rng.sample(range(begin + 1, end), rng.randint(0, min(3, end - begin - 1))))
            if end > begin + 1
            else []
        )
        if depth > 12:
            return f"({rng.choice(labels)} {' '.join(words[begin:end])})"
        bounds = [begin, *cuts, end]
        inner = " ".join(over(a, b, depth + 1) for a, b in pairwise(bounds))
        return f"({rng.choice(labels)} {inner})"

    return f"(TOP {over(0, len(words), 0)})"


@given(st.integers(0, 10**9), st.booleans())
def test_random_trees_have_the_reference_s_items(seed: int, labelled: bool) -> None:
    rng = random.Random(seed)
    golds, systems = [], []
    for _ in range(4):
        words = [f"({rng.choice(['W', 'W', 'W', ',', '.'])} w{number})" for number in range(rng.randint(1, 12))]
        golds.append(random_tree(rng, words, "AB"))
        systems.append(random_tree(rng, words, "AB"))
    assert_as_reference(golds, systems, labelled=labelled)


@given(st.integers(0, 10**9), st.booleans())
def test_items_add_up_and_a_tree_agrees_with_itself(seed: int, labelled: bool) -> None:
    rng = random.Random(seed)
    words = [f"({rng.choice(['W', ','])} w{number})" for number in range(rng.randint(1, 15))]
    gold, system = (random_tree(rng, words, "ABC") for _ in range(2))
    one = {name: int(counts.sum()) for name, counts in compared(gold, system, labelled=labelled).items().items()}
    assert one["EM"] + one["CE"] + one["SP"] == one["TPB"]
    assert one["PINH"] + one["PNINH"] == one["CE"]
    assert one["TINH"] + one["TNINH"] == one["EM"]
    back = {name: int(counts.sum()) for name, counts in compared(system, gold, labelled=labelled).items().items()}
    assert (back["TTB"], back["TPB"], back["EM"]) == (one["TPB"], one["TTB"], one["EM"])
    same = {name: int(counts.sum()) for name, counts in compared(gold, gold, labelled=labelled).items().items()}
    assert same["EM"] == same["TTB"] == same["TPB"]
    assert (same["CE"], same["SP"]) == (0, 0)


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("(TOP (S (NP (NP (NN a) (NN b))) (. .)))", [("S", 0, 2)]),  # . goes, and all brackets are around a b
        ("(S (NP (, ,)) (NN a) (NN b))", [("S", 0, 2)]),
        ("(S (NP (NN a)) (VP (VB b) (NP (NN c) (NN d))))", [("S", 0, 4), ("VP", 1, 4), ("NP", 2, 4)]),
        ("(TOP (TOP (NN a) (NN b)))", [("TOP", 0, 2)]),  # only the outermost holds the tree together
    ],
)
def test_preparation_drops_what_does_not_count(text: str, spans: list[tuple[str, int, int]]) -> None:
    found = brackets(read(text))
    names = [found.names[number] for number in found.labels.tolist()]
    assert list(zip(names, found.start.tolist(), found.stop.tolist(), strict=True)) == spans


def test_preparation_without_its_steps_keeps_all_brackets() -> None:
    trees = read("(TOP (NP (NP (NN a) (, ,))))")
    every = prepared(trees, None, Preparation(merge_doubled=False, drop_one_word=False, drop_outer=False))
    assert len(every) == trees.n_nodes == 3
    assert every.parents.tolist() == [-1, 0, 1]
    assert len(prepared(trees, None, Preparation(merge_doubled=False))) == 2


def test_labelled_brackets_are_doubled_only_with_the_same_label() -> None:
    text = "(S (VP (S (VB a) (NN b))))"
    assert len(brackets(read(text))) == 1
    found = brackets(read(text), Preparation(labelled=True))
    assert [found.names[number] for number in found.labels.tolist()] == ["S", "VP"]


@pytest.mark.parametrize("labelled", [False, True])
def test_evalb_s_gum_trees_have_the_reference_s_items(labelled: bool) -> None:
    golds, systems = (
        data(f"evalb/gum.{side}").read_text(encoding="utf-8").strip().split("\n")[:400] for side in ("gld", "tst")
    )
    assert_as_reference(golds, systems, labelled=labelled)


@pytest.mark.slow
@pytest.mark.parametrize("labelled", [False, True])
def test_all_of_gum_against_errors_that_really_cross_has_the_reference_s_items(labelled: bool) -> None:
    paths = data_files("gum-const/*.ptb")
    golds = [
        " ".join(block.split()) for path in paths for block in path.read_text(encoding="utf-8").strip().split("\n\n")
    ]
    assert len(golds) == 4145
    rng = random.Random(2026)
    systems = [corrupted_tree(gold, rng) for gold in golds]
    assert_as_reference(golds, systems, labelled=labelled)
    if not labelled:
        found = compared("\n".join(golds), "\n".join(systems)).items()
        assert found["CE"].sum() >= 0.05 * found["TPB"].sum()
