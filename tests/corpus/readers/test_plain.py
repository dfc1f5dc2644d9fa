"""The plain format of KRNNT and MACA."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

from analysed_texts import analysed_texts, lines_of_words
from karat.corpus import source_from_bytes
from karat.corpus.analysed import AnalysedText, interned_strings
from karat.corpus.readers.plain import plain_from_source, plain_text, read_plain, write_plain
from karat.errors import DataError, UsageError

# two sentences of one paragraph, then a paragraph of one, ended as KRNNT ends them
TEXT = """Kot\tnewline
\tkot\tsubst:sg:nom:m2\tdisamb
\tkota\tsubst:pl:gen:f
śpi\tspace
\tspać\tfin:sg:ter:imperf\tdisamb
.\tnone
\t.\tinterp\tdisamb

Pada\tspaces
\tpadać\tfin:sg:ter:imperf\tdisamb
\tpaść\tfin:sg:ter:imperf\tdisamb


Ojej\tnewlines
\tNone\tign

"""


def read(text: str) -> AnalysedText:
    return plain_from_source(source_from_bytes(text.encode(), "plik"))


def read_or_code(text: str) -> AnalysedText | str:
    """The text, or the code of the error that it is."""
    try:
        return read(text)
    except DataError as error:
        return error.code


def test_forms_spaces_sentences_paragraphs_and_lines_are_read() -> None:
    text = read(TEXT)
    assert text.form.values() == ["Kot", "śpi", ".", "Pada", "Ojej"]
    assert text.space is not None
    assert text.space.tolist() == [3, 1, 0, 2, 4]
    assert text.space_before is not None
    assert text.space_before.tolist() == [True, True, False, True, True]
    assert text.sentence_offsets.tolist() == [0, 3, 4, 5]
    assert text.paragraph_offsets is not None
    assert text.paragraph_offsets.tolist() == [0, 2, 3]
    assert lines_of_words(text, source_from_bytes(TEXT.encode())) == [1, 4, 6, 9, 14]
    assert text.chosen.tolist() == [True, False, True, True, True, True, False]
    assert text.lemma.values()[-1] == "None"


def test_what_the_tools_write_is_written_back_byte_for_byte() -> None:
    assert plain_text(read(TEXT)) == TEXT


@pytest.mark.parametrize("other", [TEXT.rstrip("\n"), TEXT.replace("\n", "\r\n"), "\n\n" + TEXT + "\n\n"])
def test_other_line_ends_and_blank_lines_around_the_text_make_no_difference(other: str) -> None:
    assert read(other).same_as(read(TEXT))


def test_a_probability_may_follow_the_mark() -> None:
    layout = "a\tspace\n\ta\tqub\tdisamb\t0.75\n\ta\tconj\t\t0.25\n\n"
    text = read(layout)
    assert text.probability.tolist() == [0.75, 0.25]
    assert text.chosen.tolist() == [True, False]
    assert plain_text(text) == layout


@given(analysed_texts(has_probabilities=True))
def test_what_is_written_is_read_again(text: AnalysedText) -> None:
    assert read(plain_text(text)).same_as(text)


def test_several_files_are_several_paragraphs(tmp_path: Path) -> None:
    from karat.corpus import read_source

    paths = [tmp_path / "a", tmp_path / "b"]
    for path in paths:
        path.write_text(TEXT, encoding="utf-8")
    source = read_source([str(path) for path in paths])
    text = plain_from_source(source)
    assert text.n_paragraphs == 4
    assert lines_of_words(text, source) == [1, 4, 6, 9, 14] * 2


def test_compressed_files_are_written_and_read(tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    write_plain(path, read(TEXT))
    assert gzip.decompress(path.read_bytes()).decode() == TEXT
    assert read_plain(path).same_as(read(TEXT))


@pytest.mark.parametrize(
    ("text", "place", "code", "message"),
    [
        ("\tkot\tsubst\n", "1:1", "K832", "without a word before"),
        ("kot\tspace\n\tkot\tsubst\n\n\tkot\tsubst\n", "4:1", "K832", "without a word before"),
        ("kot\n\tkot\tsubst\n", "1:1", "K832", "two fields"),
        ("kot\tspace\tx\n", "1:1", "K832", "two fields"),
        ("kot\tplace\n", "1:5", "K832", "'place' where none, space"),
        ("kot\tspace\n\tkot\n", "2:1", "K832", "without a tag"),
        ("kot\tspace\n\tkot\t\n", "2:6", "K832", "the tag is empty"),
        ("kot\tspace\n\tkot\tsubst\tdisam\n", "2:12", "K832", "'disam' where disamb"),
        ("kot\tspace\n\tkot\tsubst\tdisamb\tx\n", "2:19", "K833", "'x' is not a probability"),
        ("kot\tspace\n\tkot\tsubst\tdisamb\t1.5\n", "2:19", "K833", "not a probability"),
        ("kot\tspace\n\tkot\tsubst\tdisamb\t1\t1\n", "2:1", "K832", "too many"),
        (" \tspace\n", "1:1", "K832", "the form is empty"),
        ("\n \n", "1:1", "K104", "no sentence"),
        ("", "1:1", "K104", "no sentence"),
        ("kot\0\tspace\n", "1:4", "K107", "NUL"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(text: str, place: str, code: str, message: str) -> None:
    with pytest.raises(DataError, match=message) as raised:
        read(text)
    assert str(raised.value).startswith(f"plik:{place}: {code} ")


def test_all_problems_are_told_in_the_order_of_the_file() -> None:
    with pytest.raises(DataError) as raised:
        read("kot\tplace\n\tkot\tsubst\tx\nb\tspace\n\tb\n")
    assert [problem.line for problem in raised.value.problems] == [1, 2, 4]


def test_bytes_that_are_not_utf8_are_told() -> None:
    with pytest.raises(DataError, match="K106"):
        plain_from_source(source_from_bytes("śpi\tspace\n".encode("latin2")))


@given(st.text("ab\t\n\r .0disamb", max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    found = read_or_code(text)
    if isinstance(found, str):
        assert found in {"K832", "K833", "K104"}
    elif "\r" not in text:  # such a form is read, but not written
        assert read(plain_text(found)).same_as(found)


def test_what_the_format_cannot_hold_is_refused() -> None:
    text = read(TEXT)
    with pytest.raises(UsageError, match="graphs"):
        plain_text(replace(text, nodes=np.zeros((2, text.n_words), dtype=np.int32)))
    with pytest.raises(UsageError, match="field"):
        plain_text(replace(text, form=interned_strings(["a\nb"] * text.n_words)))
    with pytest.raises(UsageError, match="form is empty"):
        plain_text(replace(text, form=interned_strings([" "] * text.n_words)))
    with pytest.raises(UsageError, match="not a probability"):
        plain_text(replace(text, probability=np.full(text.n_interpretations, 2.0)))
    with pytest.raises(UsageError, match="cannot be written"):
        write_plain("/nowhere/at/all", text)
