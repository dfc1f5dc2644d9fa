"""Maximal repeats: by hand, by brute force, and what a suffix array must be."""

from __future__ import annotations

from itertools import groupby, pairwise, takewhile

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

from karat._arrays import Ids
from karat.errors import UsageError
from karat.gold.repeats._suffix_intervals import _in_bytes, suffix_array
from karat.gold.repeats.maximal import Repeats, maximal_repeats, sentences_with_a_repeat
from karat.gold.repeats.running_text import RunningText, running_text
from random_words import corpora_at_random, corpus_of, plain
from repeat_reference import Place, Word, found_repeats, units_of


def shown(repeats: Repeats) -> dict[tuple[str, ...], list[Place]]:
    """Each repeat with its places as the brute force writes them."""
    found = {}
    for repeat in range(len(repeats)):
        spans = [repeats.text.span(place, int(repeats.length[repeat])) for place in repeats.places(repeat).tolist()]
        assert repeats.words(repeat) not in found
        found[repeats.words(repeat)] = [(span.corpus, span.sentence, span.words) for span in spans]
    return found


def repeats_of(*sentences: str, **options: bool | int) -> set[str]:
    text = running_text([corpus_of(plain(*sentences))])
    return {" ".join(words) for words in shown(maximal_repeats(text, **options))}  # type: ignore[arg-type]


def test_a_repeat_is_as_long_as_can_be() -> None:
    assert repeats_of("we saw the old harbour", "they saw the old mill") == {"saw the old"}


def test_a_part_of_a_repeat_is_one_if_it_is_elsewhere_too() -> None:
    sentences = ("we saw the old harbour", "they saw the old mill", "near the old bridge")
    assert repeats_of(*sentences, min_words=2) == {"saw the old", "the old"}


def test_the_ends_of_sentences_are_all_different() -> None:
    assert repeats_of("come in here", "come in here") == {"come in here"}


def test_no_repeat_crosses_the_end_of_a_sentence() -> None:
    assert repeats_of("x a b", "c y", "z a b", "c w", min_words=1) == {"a b", "c"}


def test_places_of_a_repeat_may_overlap() -> None:
    text = running_text([corpus_of(plain("a a a"))])
    assert shown(maximal_repeats(text, min_words=1, two_sentences=False)) == {
        ("a",): [(0, 0, (0,)), (0, 0, (1,)), (0, 0, (2,))],
        ("a", "a"): [(0, 0, (0, 1)), (0, 0, (1, 2))],
    }


def test_two_places_in_one_sentence_count_only_if_asked_for() -> None:
    sentence = "row by row and row by row"
    assert repeats_of(sentence) == set()
    assert repeats_of(sentence, two_sentences=False) == {"row by row"}


def test_without_punctuation_words_around_it_are_neighbours_and_keep_their_places() -> None:
    text = running_text([corpus_of(plain("well , come in", "well come in !"))], punctuation=False)
    assert shown(maximal_repeats(text)) == {("well", "come", "in"): [(0, 0, (0, 2, 3)), (0, 1, (0, 1, 2))]}


def test_lemmas_and_other_columns_can_be_what_is_repeated() -> None:
    corpus = corpus_of(
        [[Word("ran", xpos="run"), Word("far", xpos="far")], [Word("runs", xpos="run"), Word("far", xpos="far")]]
    )
    assert shown(maximal_repeats(running_text([corpus], column="xpos"), min_words=2)).keys() == {("run", "far")}
    assert len(maximal_repeats(running_text([corpus]), min_words=2)) == 0


@given(corpora_at_random(), st.booleans(), st.booleans(), st.integers(1, 4), st.sampled_from([None, 1, 3]), st.data())
def test_repeats_are_those_of_brute_force(
    corpora: list[list[list[Word]]], fold: bool, punctuation: bool, least: int, more: int | None, data: st.DataObject
) -> None:
    two_sentences, between = data.draw(st.booleans()), data.draw(st.booleans())
    touching = data.draw(st.none() | st.integers(0, len(corpora) - 1))
    most = None if more is None else least + more - 1
    text = running_text([corpus_of(corpus) for corpus in corpora], fold_case=fold, punctuation=punctuation)
    units = units_of(corpora, fold, punctuation)
    options = {"min_words": least, "max_words": most, "two_sentences": two_sentences, "between": between}
    wanted = found_repeats(units, touching=touching, **options)  # type: ignore[arg-type]
    repeats = maximal_repeats(text, touching=touching, **options)  # type: ignore[arg-type]
    assert shown(repeats) == wanted
    covered = {place[:2] for places in wanted.values() for place in places}
    flags = sentences_with_a_repeat(repeats).tolist()
    assert flags == [(c, s) in covered for c, corpus in enumerate(corpora) for s in range(len(corpus))]


@given(st.lists(st.integers(-1, 4), max_size=60))
@example([])
@example([-1, -1])
def test_suffixes_with_a_common_beginning_are_neighbours(codes: list[int]) -> None:
    text = np.array([*codes, -1], dtype=np.int32)
    suffixes = suffix_array(text).tolist()
    assert sorted(suffixes) == np.flatnonzero(text >= 0).tolist()
    behind = [_rest_of_sentence(text, place) for place in suffixes]
    for length in (1, 2, 5):
        starts = [words[:length] for words in behind if len(words) >= length]
        assert len([*groupby(starts)]) == len(set(starts))


def _rest_of_sentence(text: Ids, place: int) -> tuple[int, ...]:
    return tuple(takewhile(lambda code: code >= 0, text[place:].tolist()))


@pytest.mark.parametrize("n_words", [1_000, 100_000, 500_000])
def test_rare_words_of_a_large_vocabulary_are_told_apart(n_words: int) -> None:
    """A text of words that all occur once, and once more in pairs: the pairs are all that is repeated."""
    n_pairs = n_words // 2
    pairs = np.arange(2 * n_pairs, dtype=np.int32).reshape(n_pairs, 2)
    sentences = np.concatenate([pairs, np.full((n_pairs, 1), -1, dtype=np.int32)], axis=1)
    codes = np.concatenate([sentences, sentences[::-1]]).ravel()
    numbers = np.repeat(np.arange(2 * n_pairs, dtype=np.int32), 3)
    text = RunningText(codes, numbers, None, [], np.array([0, 2 * n_pairs]), np.arange(0, 4 * n_pairs + 1, 2))
    repeats = maximal_repeats(text, min_words=1)
    assert (len(repeats), set(repeats.length.tolist())) == (n_pairs, {2})
    first, second = repeats.suffixes.reshape(-1, 2).T
    assert np.array_equal(codes[first], codes[second])


def test_no_word_is_in_bytes_the_beginning_of_another() -> None:
    edges = [191, 191 + 14336, 191 + 14336 + 393216, 191 + 14336 + 393216 + (1 << 24)]
    ranks = sorted(
        {0, 1, 2**31 - 1, *(edge + by for edge in edges for by in (-257, -2, -1, 0, 1, 255, 256, 257) if edge + by > 0)}
    )
    n_bytes = sum(1 + sum(rank >= edge for edge in edges) for rank in ranks)
    rank_of = np.array(ranks, dtype=np.int32)
    written, place_of_byte = _in_bytes(np.arange(len(ranks), dtype=np.int32), rank_of, n_bytes)
    starts = [*np.flatnonzero(place_of_byte >= 0).tolist(), n_bytes]
    words = [written[start:stop].tobytes() for start, stop in pairwise(starts)]
    assert len(set(words)) == len(ranks) == len(words)
    assert not any(one != other and other.startswith(one) for one in words for other in words)
    assert all(word[0] > 0 for word in words)  # 0 is the boundary


def test_a_length_that_no_repeat_has_is_refused() -> None:
    text = running_text([corpus_of(plain("a b"))])
    with pytest.raises(UsageError, match="at least 3 and at most 2"):
        maximal_repeats(text, max_words=2)
    with pytest.raises(UsageError, match="no corpus"):
        running_text([])
