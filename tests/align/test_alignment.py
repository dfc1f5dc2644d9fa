"""Which system word stands beside which gold word, and what happens where the texts differ."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from corruptions import TOKENISATION, corrupted
from examples import sentence_of_tokens
from karat.align import Alignment, align
from karat.align._word_matching import common_subsequence
from karat.corpus import Corpus, conllu_from_source, source_from_bytes
from karat.errors import DataError
from realdata import data


def corpus_of(*sentences: str, path: str = "some.conllu", keep: bool = False) -> Corpus:
    """A corpus of sentences such as "the dunno=do+not+know end": words, and multiword tokens with their words."""
    text = "".join(map(conllu, sentences)).encode()
    return conllu_from_source(source_from_bytes(text, path), bad="keep" if keep else "raise")


def conllu(sentence: str) -> str:
    return sentence_of_tokens(*sentence.strip(" ").split(" "))


def pairs(alignment: Alignment) -> list[tuple[int, int]]:
    return list(zip(alignment.gold_words.tolist(), alignment.system_words.tolist(), strict=True))


# --- words: gold, system, and the pairs of matching words ---


@pytest.mark.parametrize(
    ("gold", "system", "expected"),
    [
        ("a b c", "a b c", [(0, 0), (1, 1), (2, 2)]),
        ("ab=a+b c", "ab=a+b c", [(0, 0), (1, 1), (2, 2)]),
        ("ab=x+y c", "ab=x+y c", [(0, 0), (1, 1), (2, 2)]),
        # split and merge: the words around still match
        ("a bc d", "a b c d", [(0, 0), (2, 3)]),
        ("a b c d", "a bc d", [(0, 0), (3, 2)]),
        ("ab cd", "a bc d", []),
        ("abc d", "ab cd", []),
        ("ab cd e", "a bc d e", [(2, 3)]),
        # plain words match by their place, whatever their form's spaces
        ("a~b c", "ab c", [(0, 0), (1, 1)]),
        ("a\u00a0b c", "a~b c", [(0, 0), (1, 1)]),
        # words of multiword tokens match by form, upper or lower case
        ("ab=a+b", "a b", [(0, 0), (1, 1)]),
        ("a b", "ab=a+b", [(0, 0), (1, 1)]),
        ("Ab=a+B", "A b", [(0, 0), (1, 1)]),
        ("ab=x+b", "a b", [(1, 1)]),
        ("ab=x+y", "a b", []),
        ("ab=ab+c", "ab", [(0, 0)]),
        ("ab=x+y", "ab", []),
        ("ab=a+b", "ab=a+x+b", [(0, 0), (1, 2)]),
        ("ab=b+a", "ab=a+b", [(1, 0)]),
        ("ab=a+b cd=c+d", "abcd=a+b+c+d", [(0, 0), (1, 1), (2, 2), (3, 3)]),
        ("ab=a+b c", "a bc=b+c", [(0, 0), (1, 1), (2, 2)]),
        ("ab=a+b cd=c+d", "a bc=b+c d", [(0, 0), (1, 1), (2, 2), (3, 3)]),
        # the longest common subsequence, not the first match
        ("abc=c+a+b+c", "a b c", [(1, 0), (2, 1), (3, 2)]),
        ("abc=a+x+c", "abc=x+c+a", [(1, 0), (2, 1)]),
        # of a tie, the gold's words are passed over first
        ("ab=x+y", "ab=y+x", [(1, 0)]),
        # a word that sticks into a multiword token does not match; the words beside it do
        ("q ab=a+b r", "q a br", [(0, 0), (1, 1)]),
        ("qa b r", "q ab=a+b r", [(1, 2), (2, 3)]),
    ],
)
def test_words_match(gold: str, system: str, expected: list[tuple[int, int]]) -> None:
    assert pairs(align(corpus_of(gold), corpus_of(system))) == expected


def test_gold_of_system_has_every_system_word() -> None:
    alignment = align(corpus_of("a bc d", "e"), corpus_of("a b c d", "e"))
    assert alignment.gold_of_system.tolist() == [0, -1, -1, 2, 3]


def test_identical_texts_match_word_by_word() -> None:
    corpus = corpus_of("the cat=ca+t", "sat")
    alignment = align(corpus, corpus_of("the cat=ca+t", "sat"))
    assert pairs(alignment) == [(0, 0), (1, 1), (2, 2), (3, 3)]
    assert alignment.gold_of_system.tolist() == [0, 1, 2, 3]
    assert alignment.gold_sentences.tolist() == [0, 1]
    assert alignment.system_sentences.tolist() == [0, 1]
    assert alignment.gold_token_rows.tolist() == [0, 0, 1]
    assert alignment.system_token_rows.tolist() == [0, 0, 1]
    assert alignment.matching_token_rows.tolist() == [0, 0, 1]
    assert alignment.kept.tolist() == [True, True]
    assert alignment.problems == ()


def test_a_multiword_token_and_a_word_of_its_span_are_matching_tokens() -> None:
    alignment = align(corpus_of("ab=a+b c"), corpus_of("ab c"))
    assert alignment.matching_token_rows.tolist() == [0, 0]
    assert pairs(alignment) == [(2, 1)]


def test_forms_equal_in_both_files_match_where_only_the_vocabularies_agree() -> None:
    # the same distinct forms in the same order, but not the same words
    assert pairs(align(corpus_of("a b ab b"), corpus_of("a b a b b"))) == [(0, 0), (1, 1), (3, 4)]


# --- sentences and rows ---


def test_sentences_match_where_they_cover_the_same_text() -> None:
    alignment = align(corpus_of("a b", "c", "d e"), corpus_of("a b", "c d", "e"))
    assert alignment.gold_sentences.tolist() == [0]
    assert alignment.system_sentences.tolist() == [0]
    assert alignment.system_sentence_rows.tolist() == [0, 1, 2]
    assert alignment.system_rows.tolist() == [0, 0, 1, 2, 2]
    assert pairs(alignment) == [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4)]


def test_sentences_match_whatever_their_tokens() -> None:
    alignment = align(corpus_of("ab", "cd", "e"), corpus_of("a b", "c", "d e"))
    assert alignment.gold_sentences.tolist() == [0]
    assert alignment.system_sentences.tolist() == [0]
    assert alignment.system_sentence_rows.tolist() == [0, 1, 1]


def test_a_system_word_is_counted_in_the_sentence_in_which_it_begins() -> None:
    # the system's word bc begins in the gold's first sentence and ends in its second
    alignment = align(corpus_of("a b", "c d"), corpus_of("a bc d"))
    assert alignment.system_rows.tolist() == [0, 0, 1]
    assert alignment.system_sentence_rows.tolist() == [0]
    assert alignment.system_token_rows.tolist() == [0, 0, 1]
    assert alignment.gold_token_rows.tolist() == [0, 0, 1, 1]
    assert alignment.matching_token_rows.tolist() == [0, 1]


def test_words_of_a_multiword_token_are_all_counted_where_it_begins() -> None:
    alignment = align(corpus_of("a b", "c"), corpus_of("a bc=b+c"))
    assert alignment.system_rows.tolist() == [0, 0, 0]
    assert pairs(alignment) == [(0, 0), (1, 1), (2, 2)]


@st.composite
def two_sides(draw: st.DrawFn) -> tuple[Corpus, Corpus]:
    """Two corpora of the same characters."""
    text = draw(st.text("abAB", min_size=1, max_size=12))

    def side() -> Corpus:
        sentences = [""]
        start = 0
        while start < len(text):
            stop = min(start + draw(st.integers(1, 3)), len(text))
            inner = draw(st.lists(st.sampled_from(["a", "b", "ab", "B"]), max_size=3))
            sentences[-1] += text[start:stop] + ("=" + "+".join(inner) if inner else "") + " "
            if stop < len(text) and draw(st.integers(0, 3)) == 0:
                sentences.append("")
            start = stop
        return corpus_of(*sentences)

    return side(), side()


@settings(max_examples=150)
@given(two_sides())
def test_every_word_has_a_row_and_matches_ascend(sides: tuple[Corpus, Corpus]) -> None:
    gold, system = sides
    alignment = align(gold, system)
    assert len(alignment.system_rows) == system.n_words
    assert len(alignment.system_token_rows) == system.n_tokens
    assert len(alignment.system_sentence_rows) == system.n_sentences
    assert len(alignment.gold_token_rows) == gold.n_tokens
    for rows in (alignment.system_rows, alignment.system_token_rows, alignment.system_sentence_rows):
        assert np.bincount(rows, minlength=gold.n_sentences).sum() == len(rows)
        assert (np.diff(rows) >= 0).all()
        assert 0 <= rows.min() <= rows.max() < gold.n_sentences
    assert (np.diff(alignment.gold_words) > 0).all()
    assert (np.diff(alignment.system_words) > 0).all()
    matched = np.flatnonzero(alignment.gold_of_system >= 0)
    assert matched.tolist() == alignment.system_words.tolist()
    assert alignment.gold_of_system[matched].tolist() == alignment.gold_words.tolist()


@settings(max_examples=100)
@given(two_sides())
def test_tokens_and_sentences_match_the_same_way_round(sides: tuple[Corpus, Corpus]) -> None:
    # words need not: of equally long common subsequences, the gold's side decides
    gold, system = sides
    there, back = align(gold, system), align(system, gold)
    assert len(there.matching_token_rows) == len(back.matching_token_rows)
    assert there.gold_sentences.tolist() == back.system_sentences.tolist()
    assert there.system_sentences.tolist() == back.gold_sentences.tolist()


@given(two_sides())
@settings(max_examples=50)
def test_a_corpus_matches_itself_whole(sides: tuple[Corpus, Corpus]) -> None:
    gold = sides[0]
    assert pairs(align(gold, gold)) == [(word, word) for word in range(gold.n_words)]


# --- texts that differ ---


def difference(gold: Corpus, system: Corpus) -> DataError:
    with pytest.raises(DataError) as caught:
        align(gold, system)
    assert caught.value.code == "K401"
    assert len(caught.value.problems) == 1
    return caught.value


def test_a_difference_names_both_files_lines_and_excerpts() -> None:
    gold = corpus_of("we sail", "at dawn", path="gold.conllu")
    system = corpus_of("we sail", "at dusk", path="system.conllu")
    error = difference(gold, system)
    assert (error.path, error.line, error.column) == ("system.conllu", 5, 3)
    assert error.message == "the text differs from the gold: 'usk' here, 'awn' at gold.conllu:5"
    assert "same characters" in error.hint


def test_a_long_excerpt_is_cut() -> None:
    text = "x" * 40
    error = difference(corpus_of(f"a{text}"), corpus_of(f"b{text}"))
    assert "'b" + "x" * 29 + "'…" in error.message
    assert "'a" + "x" * 29 + "'…" in error.message


def test_a_difference_in_case_is_a_difference() -> None:
    assert difference(corpus_of("a B"), corpus_of("a b")).line == 2


def test_lines_and_tokens_need_not_be_the_same_up_to_a_difference() -> None:
    gold, system = corpus_of("a bc", "de", path="g"), corpus_of("abc d x", path="s")
    error = difference(gold, system)
    assert (error.path, error.line) == ("s", 3)
    assert error.message.endswith("at g:4")
    assert "'x' here, 'e' at" in error.message


def test_a_difference_inside_a_multiword_token_is_at_its_line() -> None:
    gold, system = corpus_of("a bc=x+y", path="g"), corpus_of("a bd=x+y", path="s")
    error = difference(gold, system)
    assert (error.line, error.column) == (2, 5)
    assert error.message == "the text differs from the gold: 'd' here, 'c' at g:2"


def test_words_of_multiword_tokens_are_no_part_of_the_text() -> None:
    assert pairs(align(corpus_of("ab=x+y"), corpus_of("ab=z+y"))) == [(1, 1)]


def test_a_system_that_ends_early_is_told_so() -> None:
    error = difference(corpus_of("a b", "c", path="g"), corpus_of("a b", path="s"))
    assert (error.path, error.line) == ("s", 2)
    assert error.message == "the text differs from the gold: the end here, 'c' at g:4"


def test_a_system_that_goes_on_is_told_so() -> None:
    error = difference(corpus_of("a b", path="g"), corpus_of("a b", "c", path="s"))
    assert (error.path, error.line) == ("s", 4)
    assert error.message == "the text differs from the gold: 'c' here, the end at g:2"


def test_a_system_whose_last_word_is_cut_short_is_told_so() -> None:
    error = difference(corpus_of("a bcd", path="g"), corpus_of("a bc", path="s"))
    assert (error.path, error.line) == ("s", 2)
    assert error.message == "the text differs from the gold: the end here, 'd' at g:2"


@settings(max_examples=100)
@given(st.text("ab", min_size=1, max_size=30), st.text("ab", min_size=1, max_size=30))
def test_the_difference_is_the_first(ours: str, theirs: str) -> None:
    gold, system = corpus_of(" ".join(ours)), corpus_of(" ".join(theirs))  # a letter a line
    if ours == theirs:
        assert len(align(gold, system).gold_words) == len(ours)
        return
    place = 0
    while place < min(len(ours), len(theirs)) and ours[place] == theirs[place]:
        place += 1
    assert difference(gold, system).line == min(place + 1, len(theirs))


# --- going on all the same ---


def test_a_sentence_whose_text_differs_can_count_as_wrong() -> None:
    gold = corpus_of("we sail", "at dawn", "not now", path="g")
    system = corpus_of("we sail", "at dusk", "no t now", path="s")
    alignment = align(gold, system, bad="keep")
    assert pairs(alignment) == [(0, 0), (1, 1), (5, 6)]
    assert alignment.gold_of_system.tolist() == [0, 1, -1, -1, -1, -1, 5]
    assert alignment.gold_sentences.tolist() == [0, 2]
    assert alignment.system_sentences.tolist() == [0, 2]
    assert alignment.system_rows.tolist() == [0, 0, 1, 1, 2, 2, 2]
    assert alignment.matching_token_rows.tolist() == [0, 0, 2]
    assert alignment.gold_token_rows.tolist() == [0, 0, 1, 1, 2, 2]
    assert alignment.kept.tolist() == [True, True, True]
    (problem,) = alignment.problems
    assert (problem.code, problem.path, problem.line, problem.sentence) == ("K401", "s", 5, 1)
    assert "'usknotnow' here, 'awnnotnow' at g:5" in problem.message


def test_every_sentence_that_differs_is_reported() -> None:
    alignment = align(corpus_of("a", "b", "c"), corpus_of("x", "b", "y"), bad="keep")
    assert pairs(alignment) == [(1, 1)]
    assert [(problem.line, problem.sentence) for problem in alignment.problems] == [(1, 0), (5, 2)]


def test_a_sentence_that_is_longer_in_the_system_does_not_spoil_the_next() -> None:
    alignment = align(corpus_of("a", "b", "c"), corpus_of("a x", "b", "c"), bad="keep")
    assert pairs(alignment) == [(1, 2), (2, 3)]
    assert [problem.sentence for problem in alignment.problems] == [0]


def test_texts_that_differ_in_all_sentences_match_nowhere() -> None:
    alignment = align(corpus_of("a", "b"), corpus_of("x", "y"), bad="keep")
    assert pairs(alignment) == []
    assert alignment.gold_sentences.tolist() == []
    assert len(alignment.problems) == 2


# with another number of sentences, the text is taken up again at a gold sentence that comes again

STORY = ["the kettle sang on the old black stove", "nobody came to the door that whole afternoon"]
STORY += ["a letter lay unopened beside the blue lamp", "rain fell and the garden drank all of it"]


def went_on(gold: list[str], system: list[str]) -> Alignment:
    ours, theirs = corpus_of(*gold), corpus_of(*system)
    alignment = align(ours, theirs, bad="keep")
    assert ours.n_sentences != theirs.n_sentences
    assert len(alignment.system_rows) == theirs.n_words
    assert len(alignment.system_token_rows) == theirs.n_tokens
    assert len(alignment.system_sentence_rows) == theirs.n_sentences
    assert {problem.code for problem in alignment.problems} == {"K401"}
    return alignment


def rows_matched(alignment: Alignment) -> list[int]:
    return sorted(set(alignment.gold.words_sentence[alignment.gold_words].tolist()))


@pytest.mark.parametrize("word", ["dor", "", "big door", "do or x"])
def test_a_difference_costs_the_gold_sentence_it_is_in(word: str) -> None:
    changed = " ".join(STORY[1].replace("door", word).split())
    alignment = went_on(STORY, [STORY[0], changed, " ".join(STORY[2:])])
    assert rows_matched(alignment) == [0, 2, 3]
    assert len(alignment.gold_words) == sum(len(STORY[number].split()) for number in (0, 2, 3))
    assert alignment.gold_sentences.tolist() == alignment.system_sentences.tolist() == [0]
    assert alignment.system_differs.tolist() == [False, True, False]
    assert alignment.system_sentence_rows.tolist() == [0, 1, 2]
    assert np.bincount(alignment.system_rows)[[0, 2, 3]].tolist() == [8, 8, 9]


def test_a_sentence_that_the_system_left_out_is_passed_over() -> None:
    alignment = went_on(STORY, [STORY[0], *STORY[2:]])
    assert rows_matched(alignment) == [0, 2, 3]
    assert alignment.gold_sentences.tolist() == [0, 2, 3]
    assert alignment.system_sentences.tolist() == [0, 1, 2]
    assert not alignment.system_differs.any()


def test_a_sentence_that_the_system_put_in_is_charged_to_the_gold_sentence_it_stands_before() -> None:
    alignment = went_on(STORY, [*STORY[:2], "who goes there", *STORY[2:]])
    assert rows_matched(alignment) == [0, 1, 3]
    assert alignment.system_differs.tolist() == [False, False, True, True, False]


def test_a_system_that_stops_early_has_what_it_has() -> None:
    alignment = went_on(STORY, STORY[:2])
    assert rows_matched(alignment) == [0, 1]
    assert len(alignment.problems) == 1


def test_a_token_over_the_boundary_before_a_difference_takes_its_sentence_along() -> None:
    joined = STORY[0].rpartition(" ")[0] + " stovenobody " + STORY[1].partition(" ")[2].replace("door", "dor")
    alignment = went_on(STORY, [joined, *STORY[2:]])
    assert rows_matched(alignment) == [2, 3]


def test_two_differences_are_two_problems() -> None:
    system = [STORY[0].replace("old", "odd") + " " + STORY[1], STORY[2], STORY[3].replace("rain", "ruin")]
    alignment = went_on(STORY, system)
    assert rows_matched(alignment) == [1, 2]
    assert len(alignment.problems) == 2


@pytest.mark.parametrize("seed", range(4))
def test_damage_to_a_real_text_costs_little_more_than_the_damaged_sentences(seed: int) -> None:
    text = data("ud-2.3/UD_French-Sequoia/fr_sequoia-ud-test.conllu").read_text(encoding="utf-8")
    whole = corrupted(text, seed, TOKENISATION)
    lines = whole.split("\n")
    tokens, last = [], 0  # the lines of plain words: the forms of words in multiword tokens are no part of the text
    for number, line in enumerate(lines):
        name = line.partition("\t")[0]
        last = int(name.split("-")[1]) if "-" in name and name[0].isdigit() else last if name else 0
        if name.isdigit() and int(name) > last:
            tokens.append(number)
    for number in Random(seed).sample(tokens, 8):
        columns = lines[number].split("\t")
        lines[number] = "\t".join([columns[0], columns[1] + "§", *columns[2:]])
    damaged_text = "\n".join(lines)
    gold, before, after = (conllu_from_source(source_from_bytes(one.encode())) for one in (text, whole, damaged_text))
    assert gold.n_sentences != after.n_sentences
    undamaged, damaged = align(gold, before), align(gold, after, bad="keep")
    lost = gold.n_sentences - len(rows_matched(damaged))
    assert 0 < lost <= 16  # each damage may reach over a boundary that the system does not have
    kept = np.isin(gold.words_sentence[undamaged.gold_words], rows_matched(damaged))
    assert damaged.gold_words.tolist() == undamaged.gold_words[kept].tolist()
    assert damaged.system_words.tolist() == undamaged.system_words[kept].tolist()


def test_equal_texts_are_aligned_alike_with_and_without_keeping() -> None:
    gold, system = corpus_of("ab c", "d"), corpus_of("a b c d")
    kept, raised = align(gold, system, bad="keep"), align(gold, system)
    for each in fields(Alignment):
        if each.name not in ("gold", "system"):
            assert np.array_equal(getattr(kept, each.name), getattr(raised, each.name)), each.name


def test_a_bad_sentence_of_the_system_matches_nothing() -> None:
    gold, system = corpus_of("a b", "c d"), corpus_of("a !b", "c d", keep=True)
    assert system.bad.tolist() == [True, False]
    alignment = align(gold, system)
    assert pairs(alignment) == [(2, 2), (3, 3)]
    assert alignment.gold_of_system.tolist() == [-1, -1, 2, 3]
    assert alignment.gold_sentences.tolist() == [1]
    assert alignment.matching_token_rows.tolist() == [1, 1]
    assert alignment.system_rows.tolist() == [0, 0, 1, 1]
    assert alignment.kept.tolist() == [True, True]


def test_a_bad_sentence_of_the_system_matches_nothing_in_another_tokenisation_either() -> None:
    gold, system = corpus_of("a b", "c d", "e"), corpus_of("a !b", "cd=c+d", "e", keep=True)
    alignment = align(gold, system)
    assert pairs(alignment) == [(2, 2), (3, 3), (4, 4)]
    assert alignment.gold_sentences.tolist() == [1, 2]
    assert alignment.matching_token_rows.tolist() == [2]


def test_a_bad_sentence_of_the_gold_leaves_the_test() -> None:
    alignment = align(corpus_of("a !b", "c d", keep=True), corpus_of("a b", "c d"))
    assert alignment.kept.tolist() == [False, True]


@pytest.mark.parametrize("sentence", ["@ ab", "a @ b", "ab @"], ids=["first", "between", "last"])
def test_an_empty_form_in_a_bad_sentence_does_not_disturb_the_next(sentence: str) -> None:
    # a word without a form has no character, so it begins where the next begins
    text = conllu(sentence).replace("@", "") + conllu("d e")
    gold = conllu_from_source(source_from_bytes(text.encode()), bad="keep")
    system = corpus_of("a b", "d e")
    alignment = align(gold, system)
    assert alignment.kept.tolist() == [False, True]
    assert pairs(alignment)[-2:] == [(gold.n_words - 2, 2), (gold.n_words - 1, 3)]
    assert alignment.gold_sentences.tolist() == [0, 1]
    assert alignment.matching_token_rows.tolist().count(1) == 2


# --- longest common subsequences ---


def longest(ours: str, theirs: str) -> int:
    """The length of a longest common subsequence, by the definition."""

    @cache
    def of(i: int, j: int) -> int:
        if i == len(ours) or j == len(theirs):
            return 0
        if ours[i] == theirs[j]:
            return max(1 + of(i + 1, j + 1), of(i + 1, j), of(i, j + 1))
        return max(of(i + 1, j), of(i, j + 1))

    return of(0, 0)


@settings(max_examples=300)
@given(st.text("abc", max_size=10), st.text("abcd", max_size=10))
def test_a_common_subsequence_is_common_ascending_and_longest(ours: str, theirs: str) -> None:
    found = common_subsequence(list(ours), list(theirs))
    assert all(ours[i] == theirs[j] for i, j in found)
    assert all(i < i_next and j < j_next for (i, j), (i_next, j_next) in pairwise(found))
    assert len(found) == longest(ours, theirs)


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        ("", "", []),
        ("a", "", []),
        ("", "a", []),
        ("abc", "abc", [(0, 0), (1, 1), (2, 2)]),
        ("ab", "abc", [(0, 0), (1, 1)]),
        ("abc", "bxc", [(1, 0), (2, 2)]),
        ("xy", "yx", [(1, 0)]),
        ("aab", "ab", [(0, 0), (2, 1)]),
        ("abcbdab", "bdcaba", [(1, 0), (4, 1), (5, 3), (6, 4)]),
    ],
)
def test_common_subsequences_are_chosen_as_by_the_official_evaluator(
    ours: str, theirs: str, expected: list[tuple[int, int]]
) -> None:
    assert common_subsequence(list(ours), list(theirs)) == expected
