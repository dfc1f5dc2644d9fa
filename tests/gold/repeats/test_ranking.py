"""The order in which suspicious repeats are to be looked at."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given

from karat.gold.repeats.labels import column_labels, dependency_labels
from karat.gold.repeats.maximal import maximal_repeats
from karat.gold.repeats.ranking import Ranking, ranked
from karat.gold.repeats.running_text import running_text
from karat.gold.repeats.suspicious import suspicious_repeats
from random_words import corpora_at_random, corpus_of, plain
from repeat_reference import Word


def ranking_of(*sentences: str, min_words: int = 3) -> Ranking:
    text = running_text([corpus_of(plain(*sentences))])
    return ranked(suspicious_repeats(maximal_repeats(text, min_words=min_words), column_labels(text, "upos")))


def test_the_score_of_a_small_case() -> None:
    """`b` is ADJ at 3 of 4 places: NOUN is expected with (1 - 1 + s·e) / (4 - 1 + s).

    There are 12 words, and `b` is NOUN once, so that outside this place it never is: e = prior / (4.5 - 1) with
    prior = 0.5 · 1/12; and s = 4 · 0.1² with two other words in the repeat.
    """
    ranking = ranking_of(*["a/DET b/ADJ c/VERB"] * 3, "a/DET b/NOUN c/VERB")
    s, e = 0.04, 0.5 / 12 / 3.5
    assert len(ranking) == 1
    assert math.isclose(ranking.score[0], -math.log10(s * e / (3 + s)))
    assert ranking.position.tolist() == [1]


def test_a_second_place_with_the_same_label_speaks_for_it_by_a_part() -> None:
    """As above, but NOUN at 2 of 5 places, of 15 words: prior = 0.5 · 2/15, and d = 0.2² for the one beside it."""
    ranking = ranking_of(*["a/DET b/ADJ c/VERB"] * 3, *["a/DET b/NOUN c/VERB"] * 2)
    s, e, d = 0.04, 0.5 * 2 / 15 / 3.5, 0.04
    assert math.isclose(ranking.score[0], -math.log10((d + s * e) / (4 + s)))


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
