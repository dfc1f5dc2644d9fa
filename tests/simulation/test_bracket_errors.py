"""Planted errors of bracketing: as many as asked for, words unchanged, and counted."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from karat.corpus.constituency_trees import Trees
from karat.corpus.nested_trees import Node, bracketed, nested, tree_from_text as tree
from karat.corpus.readers.bracket_folders import read_bracket_folder
from karat.corpus.readers.brackets import brackets_from_source
from karat.corpus.source import source_from_bytes
from karat.errors import UsageError
from karat.simulation.bracket_errors import attached_higher, attached_lower, edges_moved, with_planted_errors
from realdata import data_files

SENTENCE = (
    "(ROOT (S (NP-SBJ (DT the) (JJ old) (NN cook)) (VP (VBD ate) (NP (DT some) (NN soup)) (PP (IN with) "
    "(NP (NNS friends)))) (. .)))"
)


def trees_of(*texts: str) -> Trees:
    return brackets_from_source(source_from_bytes("\n".join(texts).encode()))


def phrase(text: str) -> Node:
    found = tree(text)
    assert isinstance(found, Node)
    return found


def written(trees: Trees) -> list[str]:
    return [bracketed(one) for one in nested(trees)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "(S (NP (NN tea)) (VP (VBZ cools) (PP (IN in) (NP (NNS cups)))))",
            ["(S (NP (NN tea)) (VP (VBZ cools)) (PP (IN in) (NP (NNS cups))))"],
        ),
        ("(S (NP (NN tea)) (VP (VBZ cools)))", []),
        ("(VP (VBZ cools) (PP (IN in) (NP (NNS cups))))", []),
    ],
)
def test_a_phrase_is_attached_one_level_higher(text: str, found: list[str]) -> None:
    assert [bracketed(one) for one in attached_higher(phrase(text))] == found


def test_a_phrase_is_attached_lower_only_where_that_makes_another_bracket() -> None:
    assert attached_lower(phrase("(NP (NP (NN tea)) (PP (IN in) (NP (NNS cups))))")) == []


def test_no_edge_moves_over_punctuation_or_makes_a_phrase_of_one_word() -> None:
    assert edges_moved(phrase("(S (, ,) (NP (DT the) (NN tea)) (. .))")) == []


def test_no_errors_at_rate_zero() -> None:
    trees = trees_of(SENTENCE, "(())")
    found = with_planted_errors(trees, 0, np.random.default_rng(1))
    assert written(found.trees) == written(trees)
    assert (found.n_errors, found.n_lost, found.n_wrong) == (0, 0, 0)
    assert found.n_brackets == 5  # S, NP-SBJ, VP, NP, PP; neither ROOT nor the phrase of one word, "friends"


@given(seed=st.integers(0, 2**32 - 1), rate=st.floats(0, 0.3))
@settings(max_examples=50, deadline=None)
def test_words_tags_and_missing_parses_stay(seed: int, rate: float) -> None:
    trees = trees_of(SENTENCE, "(())", *[SENTENCE] * 3)
    found = with_planted_errors(trees, rate, np.random.default_rng(seed))
    assert found.trees.forms.strings() == trees.forms.strings()
    assert found.trees.tags.strings() == trees.tags.strings()
    assert found.trees.word_offsets.tolist() == trees.word_offsets.tolist()
    changed = [a != b for a, b in zip(written(trees), written(found.trees), strict=True)]
    assert sum(changed) <= found.n_errors
    assert (found.n_errors > 0) or (found.n_lost == found.n_wrong == 0)


def test_the_same_seed_plants_the_same_errors() -> None:
    trees = trees_of(*[SENTENCE] * 20)
    first, second, third = (with_planted_errors(trees, 0.2, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert written(first.trees) == written(second.trees) != written(third.trees)


@pytest.mark.parametrize("rate", [-0.1, 1.1, float("nan")])
def test_a_rate_is_a_share(rate: float) -> None:
    with pytest.raises(UsageError, match="must be between 0 and 1"):
        with_planted_errors(trees_of(SENTENCE), rate, np.random.default_rng(1))


def test_more_errors_than_there_are_places_are_refused() -> None:
    with pytest.raises(UsageError, match=r"too many: these trees allow up to 0\.\d+"):
        with_planted_errors(trees_of(SENTENCE), 1, np.random.default_rng(1))
    none = trees_of("(S (NN tea) (NN set))")
    assert with_planted_errors(none, 0, np.random.default_rng(1)).n_errors == 0


def test_gum_gets_about_as_many_errors_as_asked_for() -> None:
    trees = read_bracket_folder(data_files("gum-const/*.ptb")[0].parent)
    found = with_planted_errors(trees, 0.05, np.random.default_rng(1996))
    assert found.n_errors == pytest.approx(0.05 * found.n_brackets, rel=0.06)  # 3 standard deviations of the binomial
    assert 0.4 * found.n_errors < found.n_wrong < 1.2 * found.n_errors
    assert found.trees.forms.strings() == trees.forms.strings()
    assert found.trees.document_names == trees.document_names
