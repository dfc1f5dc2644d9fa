"""The order in which suspicious repeats are to be looked at."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given

from karat.gold.repeats.contexts import contexts
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
    times with `b`; ADJ 3 times, and 50 times (3 + 3/12) / 5. Of the 11 other words, the 3 ADJ are between DET and VERB,
    and NOUN counts as once in any context: (11 · 0 + 3) / 1 + 5 = 8, and (11 · 3 + 3) / 4 + 5 = 14 for ADJ. All words
    have the same relation, which speaks for neither.
    """
    ranking = ranking_of(*["a/DET b/ADJ c/VERB"] * 3, "a/DET b/NOUN c/VERB")
    noun, adjective = 50 * (1 / 12) / 5 * 8, (3 + 50 * (3 + 3 / 12) / 5) * 14
    s, e = 0.04, noun / (noun + adjective)
    assert len(ranking) == 1
    assert math.isclose(ranking.score[0], -math.log10(s * e / (3 + s)))
    assert ranking.position.tolist() == [1]


def test_a_second_place_with_the_same_label_speaks_for_it_by_a_part() -> None:
    """As above, but NOUN at 2 of 5 places, of 15 words: d = 0.2² for the one beside it, and 13 other words."""
    ranking = ranking_of(*["a/DET b/ADJ c/VERB"] * 3, *["a/DET b/NOUN c/VERB"] * 2)
    noun, adjective = 50 * (2 / 15) / 6 * 8, (3 + 50 * (3 + 3 / 15) / 6) * ((13 * 3 + 3) / 4 + 5)
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


def tree(*words: str) -> list[Word]:
    """A sentence of words written as `form/UPOS/relation/head`."""
    fields = [word.split("/") for word in words]
    return [Word(form, upos, "x", int(head), relation) for form, upos, relation, head in fields]


def ranking_of_trees(sentences: list[list[Word]], columns: str = "upos") -> Ranking:
    text = running_text([corpus_of(sentences)])
    return ranked(suspicious_repeats(maximal_repeats(text), column_labels(text, columns)))


ADPOSITIONS = [tree("we/PRON/nsubj/2", "go/VERB/root/0", f"{one}/ADP/case/4", "it/PRON/obl/2") for one in "pqrs"]
CONJUNCTIONS = [tree("we/PRON/nsubj/2", "go/VERB/root/0", f"{one}/SCONJ/mark/4", "is/VERB/advcl/2") for one in "tuvw"]


def test_a_relation_that_other_words_with_the_label_have_makes_it_less_of_a_surprise() -> None:
    """*after* is a preposition if it is a case of a noun, and a conjunction if it marks a clause; *until* is a
    conjunction in name only.
    """
    sentences = [*ADPOSITIONS, *CONJUNCTIONS]
    for word, relation, head in (("after", "mark", "5"), ("until", "case", "4")):
        usual, odd = f"{word}/ADP/case/4", f"{word}/SCONJ/{relation}/{head}"
        sentences.append(tree("we/PRON/nsubj/2", f"go{word}/VERB/root/0", usual, "her/PRON/obl/2", "now/ADV/advmod/2"))
        sentences.append(tree("we/PRON/nsubj/2", f"go{word}/VERB/root/0", odd, "her/PRON/obl/2", "is/VERB/advcl/2"))
    ranking = ranking_of_trees(sentences)
    score = {ranking.found.words(row)[2]: ranking.score[row] for row in range(len(ranking))}
    assert score["after"] + 0.5 < score["until"]


def test_the_label_of_the_head_tells_relations_apart() -> None:
    """All have the same relation: what is under a verb is ADV, what is under a noun ADJ, but for one."""
    adverbs = [tree("we/PRON/nsubj/2", "go/VERB/root/0", f"{one}/ADV/mod/2") for one in "pqrs"]
    adjectives = [tree("an/DET/det/2", "end/NOUN/root/0", f"{one}/ADJ/mod/2") for one in "tuvw"]
    fast = [tree("so/ADV/x/2", "run/VERB/root/0", "fast/ADV/mod/2", "a/DET/det/5", "day/NOUN/mod/2")]
    fast.append(tree("so/ADV/x/2", "run/VERB/root/0", "fast/ADJ/mod/5", "a/DET/det/5", "sky/NOUN/mod/2"))
    slow = [tree("so/ADV/x/2", "ride/VERB/root/0", "slow/ADV/mod/2", "a/DET/det/5", "day/NOUN/mod/2")]
    slow.append(tree("so/ADV/x/2", "ride/VERB/root/0", "slow/ADJ/mod/2", "a/DET/det/5", "sky/NOUN/mod/2"))
    ranking = ranking_of_trees([*adverbs, *adjectives, *fast, *slow])
    score = {ranking.found.words(row)[2]: ranking.score[row] for row in range(len(ranking))}
    assert score["fast"] + 0.3 < score["slow"]


def test_relations_say_nothing_where_they_are_what_is_compared_or_are_not_there() -> None:
    """Heads and relations change nothing in the scores of these."""
    forms = [["a", "b", "c"], ["a", "b", "c"], ["a", "b", "c"], ["b", "c", "d"]]
    upos = ["DNV", "DNV", "DAV", "ANV"]

    def sentences(relations: str, heads: list[int]) -> list[list[Word]]:
        return [
            [Word(form, tag, "x", head, relation) for form, tag, head, relation in zip(*its, strict=True)]
            for its in zip(forms, upos, [heads] * 4, [relations] * 4, strict=True)
        ]

    def scores(columns: str, relations: str, heads: list[int]) -> list[float]:
        found: list[float] = ranking_of_trees(sentences(relations, heads), columns).score.tolist()
        return found

    assert scores("upos", "___", [2, 0, 2]) == scores("upos", "___", [0, 1, 2])
    assert scores("upos", "def", [2, 0, 2]) != scores("upos", "___", [2, 0, 2])
    text = running_text([corpus_of(sentences("def", [2, 0, 2]))])
    of_both = column_labels(text, ("upos", "deprel"))
    assert len(list(contexts(text, of_both))) == 1
    assert len(list(contexts(text, column_labels(text, "upos")))) == 2
    assert len(list(contexts(replace(text, corpora=()), column_labels(text, "upos")))) == 1


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
