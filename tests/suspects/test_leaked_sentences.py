"""Which test sentences are in the training text: as comparing all pairs finds them."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import karat
from karat.corpus import Corpus, read
from karat.suspects import near_duplicates
from karat.suspects.leaked_sentences import COMPARED
from karat.suspects.same_sentences import numbered_sentences
from leak_reference import Found, Word, reference_leaks, shingles
from realdata import data

WORDS = st.sampled_from(["a", "b", "c", "d", "A", "B", "ß", "SS", "ss"])  # ß and SS fold to the same
TAGS = st.sampled_from(["X", "Y"])
SENTENCES = st.lists(st.lists(st.tuples(WORDS, TAGS), min_size=1, max_size=9), min_size=1, max_size=8)


def written(path: Path, sentences: list[list[tuple[str, str]]]) -> Corpus:
    path.write_text("\n".join("".join(f"{form}\t{tag}\n" for form, tag in one) for one in sentences), encoding="utf-8")
    return read(path, input="tsv")


def found_by_karat(leaks: karat.Leaks) -> list[Found]:
    both = [(one, False) for one in leaks.sentences] + [(one, True) for one in leaks.short]
    every = [
        Found(one.sentence, one.kind, one.share, one.train_sentence, one.train_count, one.same_annotation, short)
        for one, short in both
    ]
    return sorted(every, key=lambda one: one.sentence)


def words(sentences: list[list[tuple[str, str]]]) -> list[list[Word]]:
    return [[Word(form, (tag,)) for form, tag in one] for one in sentences]


def assert_same(found: list[Found], expected: list[Found]) -> None:
    assert [(one.sentence, one.kind) for one in found] == [(one.sentence, one.kind) for one in expected]
    for ours, theirs in zip(found, expected, strict=True):
        assert ours.share == pytest.approx(theirs.share, abs=1e-6)
        assert ours == replace(theirs, share=ours.share)


@settings(max_examples=150)
@given(SENTENCES, SENTENCES, st.sampled_from([0.2, 0.5, 2 / 3, 0.8, 1.0]), st.integers(1, 6), st.randoms())
def test_leaks_are_those_that_comparing_all_pairs_finds(
    tmp_path_factory: pytest.TempPathFactory,
    train: list[list[tuple[str, str]]],
    test: list[list[tuple[str, str]]],
    near: float,
    min_words: int,
    random: Random,
) -> None:
    folder = tmp_path_factory.mktemp("leaks")
    test = test + [planted(random, random.choice(train)) for _ in range(4)]
    leaks = karat.leaks(
        written(folder / "train", train), written(folder / "test", test), near=near, min_words=min_words
    )
    assert_same(found_by_karat(leaks), reference_leaks(words(train), words(test), near, min_words))


def planted(random: Random, sentence: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """A copy of a sentence: as it is, in other case, with another tag or another word, or a part of it."""
    copy = list(sentence)
    at = random.randrange(len(copy))
    form, tag = copy[at]
    way = random.randrange(5)
    if way == 4:
        return copy[at:]
    copy[at] = [(form, tag), (form.swapcase(), tag), (form, "Z"), ("e", tag)][way]
    return copy


@given(SENTENCES, SENTENCES, st.integers(1, 20))
def test_leaks_do_not_depend_on_how_many_are_looked_up_together(
    tmp_path_factory: pytest.TempPathFactory,
    train: list[list[tuple[str, str]]],
    test: list[list[tuple[str, str]]],
    at_once: int,
) -> None:
    folder = tmp_path_factory.mktemp("leaks")
    texts = written(folder / "train", train), written(folder / "test", test)
    expected = found_by_karat(karat.leaks(*texts, near=0.3, min_words=1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(near_duplicates, "_AT_ONCE", at_once)
        assert found_by_karat(karat.leaks(*texts, near=0.3, min_words=1)) == expected


@given(st.lists(st.lists(st.integers(0, 2), max_size=9), max_size=12))
def test_sentences_have_the_same_number_exactly_if_they_are_the_same(sentences: list[list[int]]) -> None:
    codes = np.array([code for one in sentences for code in one], dtype=np.int32)
    numbers = numbered_sentences(codes, np.array([*map(len, sentences)], dtype=np.intp)).tolist()
    for one, number in zip(sentences, numbers, strict=True):
        assert (number == -1) == (not one)
        assert [other for other, same in zip(sentences, numbers, strict=True) if same == number] == [
            other for other in sentences if other == one
        ]


def test_where_annotation_differs_is_said_word_by_word(tmp_path: Path) -> None:
    train = written(tmp_path / "train", [[("we", "P"), ("may", "X"), ("well", "N"), ("go", "V"), ("on", "R")]])
    test = written(tmp_path / "test", [[("We", "P"), ("may", "X"), ("well", "A"), ("go", "V"), ("on", "A")]])
    leaks = karat.leaks(train, test)
    (one,) = leaks.sentences
    assert (one.kind, one.same_annotation) == ("case", False)
    assert [(each.token, each.column, each.test, each.train) for each in one.differences] == [
        (3, "upos", "A", "N"),
        (5, "upos", "A", "R"),
    ]
    assert leaks.differing_columns() == {"upos": 1}


def test_the_copy_that_is_annotated_in_the_same_way_stands_for_all(tmp_path: Path) -> None:
    forms = ["it", "is", "an", "old", "mill"]
    tagged = [[(form, tag) for form in forms] for tag in "XYZ"]
    leaks = karat.leaks(written(tmp_path / "train", tagged), written(tmp_path / "test", tagged[1:2]))
    (one,) = leaks.sentences
    assert (one.train_sentence, one.train_count, one.same_annotation) == (2, 3, True)


def test_without_annotation_in_common_nothing_is_said_of_it(tmp_path: Path) -> None:
    forms = ["it", "is", "an", "old", "mill"]
    (tmp_path / "train").write_text("".join(f"{form}\tX\n" for form in forms))
    (tmp_path / "test").write_text("".join(f"{form}\tX\n" for form in forms))
    train = read(tmp_path / "train", input="tsv", tag="xpos")
    leaks = karat.leaks(train, read(tmp_path / "test", input="tsv", tag="upos"))
    assert [one.same_annotation for one in leaks.sentences] == [None]
    assert leaks.leaked.columns == ()


@pytest.mark.parametrize("near", [0.8, 0.4])
def test_leaks_of_ewt_are_those_of_all_sets_of_shingles(near: float) -> None:
    """Not all pairs are compared here, which would take hours: only those with a sequence of three words in common."""
    texts = [read(data(f"ud-2.3/UD_English-EWT/en_ewt-ud-{part}.conllu"), trees=False) for part in ("train", "test")]
    train, test = (sentences_of(one) for one in texts)
    leaks = karat.leaks(*texts, near=near)
    with_shingle: dict[tuple[str, ...], set[int]] = {}
    of_forms: dict[tuple[str, ...], set[int]] = {}
    for at, one in enumerate(train):
        for three in shingles(one):
            with_shingle.setdefault(three, set()).add(at)
        of_forms.setdefault(tuple(word.form.casefold() for word in one), set()).add(at)
    expected = []
    for number, one in enumerate(test, start=1):
        some = set(of_forms.get(tuple(word.form.casefold() for word in one), ()))
        some = some.union(*(with_shingle.get(three, set()) for three in shingles(one)))
        order = sorted(some)
        found = reference_leaks([train[at] for at in order], [one], near, 5)
        expected += [
            replace(each, sentence=number, train_sentence=order[each.train_sentence - 1] + 1) for each in found
        ]
    assert_same(found_by_karat(leaks), expected)
    assert {one.kind for one in leaks.sentences} == {"exact", "near"}
    assert len(leaks.short) > 90


def sentences_of(corpus: Corpus) -> list[list[Word]]:
    columns = [corpus.column(name).strings() for name in ("form", *COMPARED)]
    every = [Word(form, tuple(others)) for form, *others in zip(*columns, strict=True)]
    return [every[start:stop] for start, stop in pairwise(corpus.sentence_offsets.tolist())]
