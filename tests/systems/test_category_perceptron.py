"""The perceptron over categories beside its definition, written out in Python, and what it learns."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from karat._arrays import Array
from karat.errors import DataError
from karat.systems import _compiled_category_perceptron as compiled
from karat.systems.categories import tag_categories
from karat.systems.category_perceptron import CategoryPerceptron, _outputs
from karat.systems.options import PerceptronOptions
from karat.systems.training import trained_tagger
from karat.systems.words import LabelledWords, WordSequence

TAGS = ("subst:sg:nom:f", "subst:sg:gen:f", "adj:sg:gen:f:pos", "adj:sg:nom:f:pos", "prep:gen", "interp")
WORDS = {
    "od": (4,), "do": (4,), "nowej": (2,), "nowa": (3,), "szkoły": (0, 1), "drogi": (0, 1), "kotki": (0, 1), ".": (5,),
}  # fmt: skip


def text_of(several: list[list[tuple[str, int]]]) -> LabelledWords:
    forms = list(dict.fromkeys(form for one in several for form, _ in one))
    ids = np.array([forms.index(form) for one in several for form, _ in one], dtype=np.int32)
    labels = np.array([label for one in several for _, label in one], dtype=np.int32)
    return LabelledWords(WordSequence(forms, ids, np.cumsum([0, *map(len, several)])), labels, TAGS)


def genitives(n: int, seed: int) -> list[list[tuple[str, int]]]:
    """Phrases in which a noun is genitive if and only if a preposition is before it."""
    rng = np.random.default_rng(seed)
    nouns = ["szkoły", "drogi", "kotki"]
    found = []
    for _ in range(n):
        noun = nouns[rng.integers(3)]
        if rng.integers(2):
            found.append([(["od", "do"][rng.integers(2)], 4), ("nowej", 2), (noun, 1), (".", 5)])
        else:
            found.append([("nowa", 3), (noun, 0), (".", 5)])
    return found


OPTIONS = PerceptronOptions(epochs=4, tagset="nkjp")


def test_what_holds_for_a_case_is_learnt() -> None:
    tagger = CategoryPerceptron.trained(text_of(genitives(120, 1)), "xpos", OPTIONS, 0)
    new = text_of(genitives(60, 2))
    assert (tagger.tag(new.words) == new.label_ids).mean() == 1.0


def test_the_same_seed_makes_the_same_tagger() -> None:
    text = text_of(genitives(30, 3))
    one, two, other = (CategoryPerceptron.trained(text, "xpos", OPTIONS, seed) for seed in (5, 5, 6))
    assert np.array_equal(one.weights, two.weights)
    assert one.weights.shape == other.weights.shape


def test_outputs_of_tags_are_themselves_and_their_parts() -> None:
    outputs = _outputs(tag_categories(TAGS, "nkjp"))
    assert outputs[:, 0].tolist() == list(range(len(TAGS)))
    subst_nom, subst_gen, adj_gen, _, prep, interp = outputs.tolist()
    assert subst_nom[1] == subst_gen[1] != adj_gen[1]  # part of speech
    assert subst_gen[2] == adj_gen[2] == prep[2] != subst_nom[2]  # case
    assert (interp[2], interp[3], interp[4]) == (-1, -1, -1)
    columns = [{*column[column >= 0].tolist()} for column in outputs.T]
    assert not any(one & other for k, one in enumerate(columns) for other in columns[:k])


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_a_step_of_learning_is_as_defined(seed: int) -> None:
    """A word at a time: the best candidate by summed weights; outputs that differ go up and down by 1."""
    rng = np.random.default_rng(seed)
    n_labels, n_forms, n_words, n_bits = 4, 3, 6, 12
    outputs = np.array([[0, 4, 6], [1, 4, -1], [2, 5, 6], [3, 5, -1]], dtype=np.int32)
    shapes = ((n_forms + 1, 4), (n_forms + 1, 3), (n_forms + 1, 2), (n_labels + 1, compiled.N_VIEWS))
    of_roles = [rng.integers(0, 2**63, shape).astype(np.uint64) for shape in shapes]
    views = (of_roles[0], of_roles[1], of_roles[2], of_roles[3], outputs)
    sizes = rng.integers(1, n_labels + 1, n_words)
    candidates = [np.sort(rng.permutation(n_labels)[:size]) for size in sizes]
    gold = np.array([rng.choice(one) for one in candidates], dtype=np.int32)
    words = (
        np.array([0, 2, n_words]),
        rng.integers(0, n_forms, n_words).astype(np.int32),
        np.cumsum([0, *sizes]),
        np.concatenate(candidates).astype(np.int32),
        rng.integers(0, n_labels, n_words).astype(np.int32),
    )
    weights, sums = np.zeros(1 << n_bits, np.int32), np.zeros(1 << n_bits, np.int64)
    order = np.array([1, 0])
    compiled.epoch(order, words, gold, views, weights, sums, 1, n_bits)

    expected: dict[int, int] = {}
    now, features = 1, np.zeros(128, np.uint64)
    for sentence in order:
        t1 = t2 = n_labels
        for i in range(words[0][sentence], words[0][sentence + 1]):
            first, stop = int(words[0][sentence]), int(words[0][sentence + 1])
            n = compiled._features(i, first, stop, words, views, t1, t2, features)
            seen = features[:n].copy()

            def places(output: int, seen: Array = seen) -> list[int]:
                return [int(compiled._place(one, output, np.uint64(64 - n_bits))) for one in seen]

            scores = {
                int(label): sum(
                    expected.get(place, 0) for output in outputs[label] if output >= 0 for place in places(output)
                )
                for label in candidates[i]
            }
            best = max(scores, key=lambda label: (scores[label], -label))
            for right, wrong in zip(outputs[gold[i]], outputs[best], strict=True):
                if right != wrong:
                    for output, step in ((right, 1), (wrong, -1)):
                        for place in places(output) if output >= 0 else []:
                            expected[place] = expected.get(place, 0) + step
            now += 1
            t2, t1 = t1, best
    assert {place: weight for place, weight in enumerate(weights.tolist()) if weight} == {
        place: weight for place, weight in expected.items() if weight
    }


def test_probabilities_are_those_of_candidates(tmp_path: Path) -> None:
    tagger = CategoryPerceptron.trained(text_of(genitives(40, 1)), "xpos", OPTIONS, 0)
    words = text_of(genitives(5, 4)).words
    found = tagger.tagging(words, with_probabilities=True)
    assert np.array_equal(found.log_probabilities.argmax(axis=1), found.tags)
    for word, form in enumerate(words.ids.tolist()):
        considered = np.flatnonzero(np.isfinite(found.log_probabilities[word])).tolist()
        assert set(considered) <= {*WORDS[words.forms[form]], *range(len(TAGS))}
        assert int(found.tags[word]) in considered


def test_tags_that_are_not_of_the_tagset_are_refused() -> None:
    text = text_of(genitives(3, 1))
    plain = LabelledWords(text.words, text.label_ids, ("A", "B", "C", "D", "E", "F"))
    with pytest.raises(DataError, match="not in nkjp"):
        trained_tagger(plain, "xpos", OPTIONS, 0)
