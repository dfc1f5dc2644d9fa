"""The answers in a column of tags, and probabilities that sum to 1."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from karat.corpus import Corpus, source_from_bytes
from karat.corpus.answers import Answers, answers_from_column, normalised
from karat.corpus.readers.conllu import conllu_from_source
from karat.corpus.readers.tagged import tsv_from_source
from karat.errors import DataError
from karat.measures.positional.word_tags import tag_texts


def tagged(*texts: str) -> Corpus:
    lines = "".join(f"word\t{text}\n" for text in texts)
    return tsv_from_source(source_from_bytes(lines.encode(), "t.tsv"), several=True)


def lists_of(answers: Answers) -> list[list[tuple[str, float | None]]]:
    """The tags of every thing with their probabilities, None for none."""
    given_ = [None if math.isnan(value) else value for value in answers.probabilities.tolist()]
    pairs = list(zip([answers.names[tag] for tag in answers.tags.tolist()], given_, strict=True))
    return [pairs[start:stop] for start, stop in zip(answers.offsets, answers.offsets[1:], strict=False)]


def answers(*things: list[float]) -> Answers:
    """Answers with these probabilities, the tags of each thing different."""
    offsets = np.append(0, np.cumsum([len(one) for one in things], dtype=np.intp))
    tags = np.array([tag for one in things for tag in range(len(one))], dtype=np.int32)
    names = tuple(f"tag{tag}" for tag in range(max(len(one) for one in things)))
    return Answers(names, offsets, tags, np.array([value for one in things for value in one], dtype=np.float64))


# --- columns ---


def test_a_column_has_tags_with_probabilities_or_without() -> None:
    corpus = tagged("N:=0.7\tV:=0.3", "N", "_", "N\tV", "N:=0.7\tV:=0.3", "a:b:=1")
    found = answers_from_column(corpus, "upos")
    both = [("N", 0.7), ("V", 0.3)]
    assert lists_of(found) == [both, [("N", None)], [], [("N", None), ("V", None)], both, [("a:b", 1.0)]]
    assert (found.n, found.names) == (6, ("N", "V", "a:b"))


def test_probabilities_may_have_cells_of_their_own() -> None:
    found = answers_from_column(tagged("N\t0.7\tV\t3e-1", "_", "N\t1"), "upos", with_probabilities=True)
    assert lists_of(found) == [[("N", 0.7), ("V", 0.3)], [], [("N", 1.0)]]


def test_a_tag_of_probability_0_is_not_given() -> None:
    # without it, the others have no probability at all
    found = answers_from_column(tagged("N:=0\tV", "N:=0\tV:=1", "N:=0.0"), "upos")
    assert lists_of(found) == [[("V", None)], [("V", 1.0)], []]
    assert found.names == ("V",)


def test_probabilities_of_some_tags_only_do_not_count() -> None:
    assert lists_of(answers_from_column(tagged("N:=0.7\tV"), "upos")) == [[("N", None), ("V", None)]]


def test_the_probabilities_of_a_tag_that_is_there_twice_are_added() -> None:
    assert lists_of(answers_from_column(tagged("N:=0.5\tV:=0.25\tN:=0.25", "N\tN"), "upos")) == [
        [("N", 0.75), ("V", 0.25)],
        [("N", None)],
    ]


def test_a_column_of_conllu_has_one_tag_a_word() -> None:
    rows = "".join(
        f"{number}\tw\tw\t{tag}\t_\t_\t0\troot\t_\t_\n\n" for number, tag in ((1, "NOUN"), (1, "_"), (1, "X"))
    )
    corpus = conllu_from_source(source_from_bytes(rows.encode()))
    assert lists_of(answers_from_column(corpus, "upos")) == [[("NOUN", None)], [], [("X", None)]]
    assert answers_from_column(corpus, "xpos").sizes.tolist() == [0, 0, 0]


@pytest.mark.parametrize("text", ["1.5", "-0.1", "nan", "inf", "", "x", "0,5"])
@pytest.mark.parametrize("in_cells", [False, True])
def test_what_is_no_probability_is_an_error_at_its_place(text: str, in_cells: bool) -> None:
    mark = "\t" if in_cells else ":="
    corpus = tagged(f"N{mark}1", f"é{mark}0.5\tV{mark}{text}", f"N{mark}0.5\tV{mark}2")
    with pytest.raises(DataError) as caught:
        answers_from_column(corpus, "upos", with_probabilities=in_cells)
    places = [(problem.code, problem.line) for problem in caught.value.problems]
    assert places == [("K303", 2), ("K303", 3)]
    assert caught.value.column == len(f"word\té{mark}0.5\tV{mark}") + 1
    assert caught.value.hint


def test_a_cell_with_two_numbers_is_no_probability() -> None:
    corpus = tagged("N\t1", "N\t0 .4", "N\t1")
    with pytest.raises(DataError, match=r"K303 '0 \.4' is not a probability"):
        answers_from_column(corpus, "upos", with_probabilities=True)


def test_tags_and_probabilities_take_turns() -> None:
    with pytest.raises(DataError, match=r"t\.tsv:2:6: K303 3 cells after the form"):
        answers_from_column(tagged("N\t1", "N\t0.5\tV"), "upos", with_probabilities=True)


TAGS = st.sampled_from(["N", "V", "a:b", "_", "é", ":=", "x:=y", ""])
PROBABILITIES = st.sampled_from(["", ":=0.5", ":=1", ":=0", ":= .25 ", ":=1e-3", ":=0.30000000000000004"])
CELLS = st.lists(st.tuples(TAGS, PROBABILITIES), min_size=1, max_size=5, unique_by=lambda cell: cell[0])


def is_readable(text: str) -> bool:
    try:
        tag_texts(text)
    except ValueError:
        return False
    return True


@settings(max_examples=200, deadline=None)
@given(st.lists(CELLS.map(lambda cells: "\t".join(map("".join, cells))).filter(is_readable), min_size=1, max_size=12))
def test_a_column_has_the_tags_that_measures_of_tags_find(texts: list[str]) -> None:
    texts = [text or "_" for text in texts]  # a tag that is nothing at all is the reader's error
    found = lists_of(answers_from_column(tagged(*texts), "upos"))
    assert [[tag for tag, _ in one] for one in found] == [tag_texts(text) for text in texts]
    probable = [":=" in cell for text in texts for cell in text.split("\t")]
    if all(probable):
        expected = [[float(cell.rpartition(":=")[2]) for cell in text.split("\t")] for text in texts]
        assert {p for one in found for _, p in one} <= {p for one in expected for p in one}


@settings(max_examples=100, deadline=None)
@given(st.lists(st.lists(st.tuples(st.sampled_from("NVA"), st.floats(0, 1)), min_size=1, max_size=4), min_size=1))
def test_probabilities_in_cells_are_those_behind_marks(words: list[list[tuple[str, float]]]) -> None:
    marked, in_cells = (
        ["\t".join(f"{tag}{mark}{value!r}" for tag, value in word) for word in words] for mark in (":=", "\t")
    )
    assert lists_of(answers_from_column(tagged(*marked), "upos")) == lists_of(
        answers_from_column(tagged(*in_cells), "upos", with_probabilities=True)
    )
    expected: list[dict[str, float]] = [{} for _ in words]
    for one, word in zip(expected, words, strict=True):
        for tag, value in word:
            if value > 0:
                one[tag] = one.get(tag, 0.0) + value
    assert [dict(one) for one in lists_of(answers_from_column(tagged(*marked), "upos"))] == expected


# --- probabilities that sum to 1 ---


def test_without_probabilities_all_tags_have_the_same() -> None:
    probabilities, off = normalised(answers([math.nan] * 4, [], [math.nan]))
    assert probabilities.tolist() == [0.25, 0.25, 0.25, 0.25, 1.0]
    assert off.tolist() == []


def test_weights_are_divided_by_their_sum_and_told() -> None:
    # 94 and 87 make 181; 0.5 and 0.4 make 0.9; 0.33 three times makes 0.99
    probabilities, off = normalised(answers([94, 87], [0.75, 0.25], [], [0.5, 0.4], [0.33] * 3))
    assert probabilities.tolist() == pytest.approx([94 / 181, 87 / 181, 0.75, 0.25, 5 / 9, 4 / 9, 1 / 3, 1 / 3, 1 / 3])
    assert off.tolist() == [0, 3, 4]


def test_what_rounding_leaves_is_not_told_but_evened_out() -> None:
    probabilities, off = normalised(answers([0.333333] * 3, [0.1] * 10))
    assert off.tolist() == []
    assert probabilities.tolist() == pytest.approx([1 / 3] * 3 + [0.1] * 10, abs=1e-15)
    assert normalised(answers([0.333333] * 3), tolerance=1e-7)[1].tolist() == [0]


def test_a_thing_of_which_one_tag_has_no_probability_has_none() -> None:
    assert normalised(answers([0.9, math.nan]))[0].tolist() == [0.5, 0.5]


def test_probabilities_that_are_all_0_stay_so_and_are_told() -> None:
    probabilities, off = normalised(answers([1.0], [0.0, 0.0]))
    assert (probabilities.tolist(), off.tolist()) == ([1.0, 0.0, 0.0], [1])


def test_no_answers_have_no_probabilities() -> None:
    probabilities, off = normalised(Answers((), np.zeros(3, dtype=np.intp), np.zeros(0, dtype=np.int32), np.zeros(0)))
    assert (len(probabilities), len(off)) == (0, 0)


VALUES = st.one_of(st.floats(1e-9, 1e9), st.just(math.nan))


@given(st.lists(st.lists(VALUES, max_size=6), min_size=1, max_size=20))
def test_every_tagged_thing_has_probabilities_that_sum_to_1(things: list[list[float]]) -> None:
    some = answers(*things)
    probabilities, off = normalised(some)
    for number, (start, thing) in enumerate(zip(some.offsets.tolist(), things, strict=False)):
        mine = probabilities[start : start + len(thing)]
        if not thing:
            continue
        if any(map(math.isnan, thing)):
            assert mine.tolist() == [1 / len(thing)] * len(thing)
        else:
            assert mine.tolist() == pytest.approx([value / math.fsum(thing) for value in thing])
            assert (number in off.tolist()) == (abs(sum(thing) - 1) > 1e-5)
        assert mine.sum() == pytest.approx(1)
