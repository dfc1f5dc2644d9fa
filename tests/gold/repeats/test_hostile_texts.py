"""Texts that repeat themselves beyond reason cost neither hours nor all memory."""

from __future__ import annotations

import pytest

from karat.errors import UsageError
from karat.gold.repeats.labels import Labels, column_labels
from karat.gold.repeats.maximal import maximal_repeats
from karat.gold.repeats.ranking import ranked
from karat.gold.repeats.running_text import RunningText, running_text
from karat.gold.repeats.suspicious import suspicious_repeats
from random_words import corpus_of
from repeat_reference import Word


def text_of(sentences: list[list[Word]]) -> tuple[RunningText, Labels]:
    text = running_text([corpus_of(sentences)])
    return text, column_labels(text, "upos")


def test_long_sentences_of_one_word_labelled_in_turns_are_refused_with_a_way_out() -> None:
    text, labels = text_of([[Word("a", "XY"[at % 2]) for at in range(5000)]] * 2)
    with pytest.raises(UsageError, match="limit the length with max_words"):
        suspicious_repeats(maximal_repeats(text), labels)
    found = suspicious_repeats(maximal_repeats(text, max_words=5), labels)
    assert found.length.tolist() == [3, 4, 5]
    assert found.n_labellings.tolist() == [2, 2, 2]
    assert len(ranked(found)) == 3


def test_the_same_sentences_labelled_alike_are_searched() -> None:
    text, labels = text_of([[Word("a", "X")] * 5000] * 2)
    repeats = maximal_repeats(text)
    assert len(repeats) == 4998
    assert len(suspicious_repeats(repeats, labels)) == 0


def test_a_repeat_with_as_many_labellings_as_places_is_told_apart() -> None:
    n = 5000
    text, labels = text_of([[Word("a", "X"), Word("b", f"L{number}"), Word("c", "X")] for number in range(n)])
    found = suspicious_repeats(maximal_repeats(text), labels)
    labellings = found.labellings(0)
    assert found.n_labellings.tolist() == [n]
    assert [labelling.labels[1] for labelling in labellings] == [f"L{number}" for number in range(n)]
    assert [labelling.spans[0].sentence for labelling in labellings] == list(range(n))
    assert ranked(found).position.tolist() == [1]
