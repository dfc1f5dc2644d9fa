"""KRNNT's table of words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

from analysed_texts import analysed_texts, lines_of_words
from karat.corpus import read, source_from_bytes
from karat.corpus.analysed import AnalysedText, interned_strings
from karat.corpus.readers.krnnt import krnnt_from_source, krnnt_text, read_krnnt, write_krnnt
from karat.errors import DataError, UsageError

# two sentences of one paragraph, then a paragraph of one, ended as KRNNT ends them
TEXT = """Mgła\tmgła\t1\tsubst:sg:nom:f\t0\t4
opada\topadać\t1\tfin:sg:ter:imperf\t5\t10
.\t.\t0\tinterp\t10\t11

Cicho\tcicho\t1\tadv:pos\t12\t17


Ojej\tojej\t0\tinterj\t0\t4

"""


def text_of(text: str) -> AnalysedText:
    return krnnt_from_source(source_from_bytes(text.encode(), "plik"))


def read_or_code(text: str) -> AnalysedText | str:
    """The text, or the code of the error that it is."""
    try:
        return text_of(text)
    except DataError as error:
        return error.code


def test_words_spaces_sentences_and_paragraphs_are_read() -> None:
    text = text_of(TEXT)
    assert text.form.values() == ["Mgła", "opada", ".", "Cicho", "Ojej"]
    assert text.lemma.values() == ["mgła", "opadać", ".", "cicho", "ojej"]
    assert text.chosen.all()
    assert text.space is not None
    assert text.space.tolist() == [1, 1, 0, 1, 0]
    assert text.sentence_offsets.tolist() == [0, 3, 4, 5]
    assert text.paragraph_offsets is not None
    assert text.paragraph_offsets.tolist() == [0, 2, 3]
    assert lines_of_words(text, source_from_bytes(TEXT.encode())) == [1, 2, 3, 5, 8]
    start = text.extra_column("start")
    assert start is not None
    assert start.values() == ["0", "5", "10", "12", "0"]


def test_what_krnnt_writes_is_written_back_byte_for_byte() -> None:
    assert krnnt_text(text_of(TEXT)) == TEXT
    without = "".join("\t".join([*line.split("\t")[:4], "", ""]) + "\n" if line else "\n" for line in TEXT.split("\n"))
    assert krnnt_text(text_of(without)) == without[:-1]
    assert not text_of(without).extra


@pytest.mark.parametrize("other", [TEXT.rstrip("\n"), TEXT.replace("\n", "\r\n"), "\n\n" + TEXT + "\n\n"])
def test_other_line_ends_and_blank_lines_around_the_text_make_no_difference(other: str) -> None:
    assert text_of(other).same_as(text_of(TEXT))


def test_it_is_known_by_its_lines_and_scored_by_its_tags(tmp_path: Path) -> None:
    path = tmp_path / "a.conll"
    path.write_text(TEXT, encoding="utf-8")
    corpus = read(path, tag="xpos")
    assert corpus.format == "krnnt"
    assert corpus.column("xpos").strings()[:2] == ["subst:sg:nom:f", "fin:sg:ter:imperf"]
    assert corpus.n_sentences == 3


def test_a_word_may_have_no_tag() -> None:
    text = text_of("a\t_\t1\t_\t\t\nb\tb\t1\tconj\t\t\n")
    assert np.diff(text.interpretation_offsets).tolist() == [0, 1]
    assert krnnt_text(text) == "a\t_\t1\t_\t\t\nb\tb\t1\tconj\t\t\n\n"


@given(analysed_texts(fewest_interpretations=1, space_codes=2))
def test_what_is_written_is_read_again(text: AnalysedText) -> None:
    first = text.interpretation_offsets[:-1]
    text = replace(
        text,
        lemma=text.lemma.take(first),
        tag=text.tag.take(first),
        chosen=np.ones(len(first), dtype=np.bool_),
        probability=np.full(len(first), np.nan),
        interpretation_offsets=np.arange(len(first) + 1),
    )
    assert text_of(krnnt_text(text)).same_as(text)


@pytest.mark.parametrize(
    ("text", "place", "code", "message"),
    [
        ("a\ta\t1\tconj\n", "1:1", "K832", "4 columns where 6 were expected"),
        ("a\ta\t1\tconj\t\t\n\na\ta\t1\tconj\t\t\t\n", "3:1", "K832", "7 columns where 6"),
        (" \ta\t1\tconj\t\t\n", "1:1", "K832", "the form is empty"),
        ("a\ta\t1\t\t\t\n", "1:7", "K832", "the tag is empty"),
        ("a\ta\tyes\tconj\t\t\n", "1:5", "K832", "'yes' where 0 or 1 was expected"),
        ("a\ta\t1\tconj\t0\tx\n", "1:14", "K833", "'x' is no number of a character"),
        ("\n\n", "1:1", "K104", "no sentence"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(text: str, place: str, code: str, message: str) -> None:
    with pytest.raises(DataError, match=message) as raised:
        text_of(text)
    assert str(raised.value).startswith(f"plik:{place}: {code} ")


@given(
    st.text("01_\t\n ab", max_size=40)
    | st.lists(st.sampled_from(["a", "1", "0", "", "_", "1\n", "\n", "\n\n"]), max_size=40).map("\t".join)
)
def test_any_text_is_read_or_refused(text: str) -> None:
    found = read_or_code(text)
    if isinstance(found, AnalysedText):
        assert text_of(krnnt_text(found)).same_as(found)
    else:
        assert found in {"K832", "K833", "K104"}


def test_files_are_written_and_read_and_what_the_table_cannot_hold_is_refused(tmp_path: Path) -> None:
    text = text_of(TEXT)
    write_krnnt(tmp_path / "a.gz", text)
    assert read_krnnt(tmp_path / "a.gz").same_as(text)
    n = text.n_words
    for changes, what in (
        ({"nodes": np.zeros((2, n), dtype=np.int32)}, "no graphs"),
        ({"probability": np.full(n, 0.5)}, "cannot store probabilities"),
        ({"chosen": np.zeros(n, dtype=np.bool_)}, "one chosen interpretation"),
        ({"space": np.full(n, 3, dtype=np.uint8)}, "no other spaces"),
        ({"form": interned_strings(["a\tb"] * n)}, "cannot be a field"),
    ):
        with pytest.raises(UsageError, match=what):
            krnnt_text(replace(text, **changes))
