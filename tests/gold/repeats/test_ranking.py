"""The order in which suspicious repeats are to be looked at."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given

from karat.gold.repeats.labels import column_labels, dependency_labels
from karat.gold.repeats.maximal import maximal_repeats
from karat.gold.repeats.ranking import Ranking, _expected, ranked
from karat.gold.repeats.running_text import running_text
from karat.gold.repeats.suspicious import suspicious_repeats
from random_words import corpora_at_random, corpus_of, plain
from repeat_reference import Word


def ranking_of(*sentences: str, min_words: int = 3) -> Ranking:
    text = running_text([corpus_of(plain(*sentences))])
    return ranked(suspicious_repeats(maximal_repeats(text, min_words=min_words), column_labels(text, "upos")))


def test_the_score_of_a_small_case() -> None:
    """`b` is ADJ at 3 of 4 places: NOUN is expected with (1 - 1 + s·e) / (4 - 1 + s), and s = 4 · 0.1².

    Of the 4 words that are mostly ADJ none is NOUN, but for the one in question, so that NOUN is seen 50 · (1/12) / 5
    times with `b`; never between DET and VERB, so that it weighs 5 times as much. ADJ is seen 3 times with `b`, and 50
    times (3 + 3/12) / 5; between DET and VERB 3 times, where 3/12 would be expected of one: 3 / (3/12) + 5 = 17.
    """
    ranking = ranking_of(*["a/DET b/ADJ c/VERB"] * 3, "a/DET b/NOUN c/VERB")
    noun, adjective = 50 * (1 / 12) / 5 * 5, (3 + 50 * (3 + 3 / 12) / 5) * 17
    s, e = 0.04, noun / (noun + adjective)
    assert len(ranking) == 1
    assert math.isclose(ranking.score[0], -math.log10(s * e / (3 + s)))
    assert ranking.position.tolist() == [1]


def test_a_second_place_with_the_same_label_speaks_for_it_by_a_part() -> None:
    """As above, but NOUN at 2 of 5 places, of 15 words: d = 0.2² for the one beside it."""
    ranking = ranking_of(*["a/DET b/ADJ c/VERB"] * 3, *["a/DET b/NOUN c/VERB"] * 2)
    noun, adjective = 50 * (2 / 15) / 6 * 5, (3 + 50 * (3 + 3 / 15) / 6) * 20
    s, e, d = 0.04, noun / (noun + adjective), 0.04
    assert math.isclose(ranking.score[0], -math.log10((d + s * e) / (4 + s)))


def test_a_word_at_the_fringe_counts_as_one_in_a_repeat_that_is_a_word_shorter() -> None:
    """Of four places, one has the odd label, which word and neighbours explain by a half: (s/2) / (3 + s)."""
    found = SimpleNamespace(length=np.array([3, 3, 3, 1]), n_places=np.full(4, 4))
    position, one = np.array([0, 1, 2, 0], dtype=np.int32), np.ones(4, dtype=np.intp)
    expected = _expected(found, np.arange(4), position, one, np.full(4, 0.5))  # type: ignore[arg-type]
    strength = np.array([4 * 0.1, 4 * 0.1**2, 4 * 0.1, 4])
    assert expected == pytest.approx(strength / 2 / (3 + strength))


def test_neighbours_that_explain_a_label_make_it_less_of_a_surprise() -> None:
    """`look` is a noun behind a determiner: where the determiner is, nothing is odd; elsewhere it is."""
    nouns = [f"the/DET {word}/NOUN of/ADP" for word in ("cat", "dog", "man", "sun")]
    verbs = [f"to/PART {word}/VERB of/ADP" for word in ("sing", "tell", "cry")]
    both = [*nouns, *verbs, "to/PART look/VERB of/ADP him/PRON", "to/PART peer/VERB of/ADP it/PRON"]
    ranking = ranking_of(*both, "the/DET look/NOUN of/ADP him/PRON", "to/PART peer/NOUN of/ADP it/PRON", min_words=3)
    scores = {ranking.found.words(row): ranking.score[row] for row in range(len(ranking))}
    look, peer = scores["look", "of", "him"], next(score for words, score in scores.items() if "peer" in words)
    assert look + 0.5 < peer


def test_a_label_that_the_word_has_elsewhere_is_less_of_a_surprise() -> None:
    ranking = ranking_of(
        *["a/X run/N b/X"] * 3, "a/X run/V b/X", "we/X run/V", "they/X run/V", *["c/X mill/N d/X"] * 3, "c/X mill/V d/X"
    )
    assert [ranking.found.words(row)[1] for row in range(2)] == ["mill", "run"]


def test_more_places_against_it_make_a_label_less_expected() -> None:
    few, many = ["a/X b/N c/X"] * 2, ["d/X e/N f/X"] * 9
    ranking = ranking_of(*few, "a/X b/V c/X", *many, "d/X e/V f/X")
    assert ranking.found.words(0) == ("d", "e", "f")


def test_what_a_longer_repeat_has_shown_comes_last_in_a_shorter_one() -> None:
    odd, even = "u/X a/X b/V c/X v/X", "u/X a/X b/N c/X v/X"
    ranking = ranking_of(odd, even, even, "a/X b/N c/X", "p/X q/N r/X", "p/X q/V r/X")
    assert [len(ranking.found.words(row)) for row in range(3)] == [5, 3, 3]
    assert ranking.found.words(2) == ("a", "b", "c")
    assert ranking.is_new.tolist() == [True, True, False]


@given(corpora_at_random())
def test_every_suspicious_repeat_is_ranked_once_and_by_its_score(corpora: list[list[list[Word]]]) -> None:
    text = running_text([corpus_of(corpus) for corpus in corpora])
    repeats = maximal_repeats(text, min_words=1)
    for labels in (column_labels(text, "upos"), dependency_labels(text)):
        found = suspicious_repeats(repeats, labels)
        ranking = ranked(found)
        assert sorted(ranking.found.rows.tolist()) == sorted(found.rows.tolist())
        assert np.isfinite(ranking.score).all()
        assert np.all(np.diff(ranking.is_new.astype(int)) <= 0)
        assert np.all(np.diff(ranking.score[ranking.is_new]) <= 0)
        assert len(found) == 0 or ranking.is_new[0]
        for row in range(len(found)):
            assert ranking.position[row] in ranking.found.positions(row)
