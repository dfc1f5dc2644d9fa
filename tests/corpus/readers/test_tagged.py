"""Plain tagged text: two columns, or running text as word/TAG or word_TAG; and which format a text has."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from karat.align import align
from karat.corpus import FORMATS, Corpus, changed_bytes, read, sniffed, source_from_bytes
from karat.corpus.readers.tagged import slash_from_source, tsv_from_source
from karat.errors import DataError, Problem, UsageError


def tsv(text: str | bytes, tag: str = "upos") -> Corpus:
    return tsv_from_source(source_from_bytes(text if isinstance(text, bytes) else text.encode(), "t"), tag=tag)


def slash(text: str | bytes, tag: str = "upos") -> Corpus:
    return slash_from_source(source_from_bytes(text if isinstance(text, bytes) else text.encode(), "t"), tag=tag)


def pairs(corpus: Corpus, tag: str = "upos") -> list[list[tuple[str, str]]]:
    """Sentences as lists of words and tags."""
    words = list(zip(corpus.column("form").strings(), corpus.column(tag).strings(), strict=True))
    offsets = corpus.sentence_offsets.tolist()
    return [words[start:stop] for start, stop in pairwise(offsets)]


def problems_of(error: pytest.ExceptionInfo[DataError]) -> list[tuple[str, int, int]]:
    return [(problem.code, problem.line, problem.column) for problem in error.value.problems]


TEA = [[("Tea", "NOUN"), ("cools", "VERB")], [("Yes", "INTJ")]]

# --- two columns ---


@pytest.mark.parametrize(
    "text",
    [
        "Tea\tNOUN\ncools\tVERB\n\nYes\tINTJ\n\n",
        "Tea\tNOUN\ncools\tVERB\n\nYes\tINTJ",
        "Tea\tNOUN\r\ncools\tVERB\r\n\r\nYes\tINTJ\r\n",
        "\ufeffTea\tNOUN\ncools\tVERB\n\nYes\tINTJ\n",
        "\n\nTea\tNOUN\ncools\tVERB\n \n\nYes\tINTJ\n\n\n",
        "# one comment\nTea\tNOUN\n#another\ncools\tVERB\n\n# and one\n\nYes\tINTJ\n# the last",
    ],
    ids=["lf", "no-newline", "crlf", "byte-order-mark", "blank-lines", "comments"],
)
def test_two_columns_are_forms_and_tags(text: str) -> None:
    corpus = tsv(text)
    assert pairs(corpus) == TEA
    assert corpus.sentence_offsets.tolist() == [0, 2, 3]
    assert (corpus.format, corpus.heads, corpus.warnings, corpus.problems) == ("tsv", None, (), ())
    assert (corpus.n_words, corpus.n_tokens, corpus.n_documents) == (3, 3, 1)


def test_a_hash_with_a_tag_is_a_word() -> None:
    assert pairs(tsv("#\tSYM\n#1\tNUM\n")) == [[("#", "SYM"), ("#1", "NUM")]]


def test_tags_can_become_another_column() -> None:
    corpus = tsv("Tea\tNN\n", tag="xpos")
    assert pairs(corpus, "xpos") == [[("Tea", "NN")]]
    assert corpus.has("xpos")
    assert not corpus.has("upos")


@pytest.mark.parametrize("form", ["a b", '"', "nan", "/", "1/2", "a\u2028b", "\ufeff"], ids=ascii)
def test_odd_forms_of_two_columns_are_kept(form: str) -> None:
    assert pairs(tsv(f"w\tX\n{form}\tY\n")) == [[("w", "X"), (form, "Y")]]


def test_a_word_without_a_tag_is_an_error_at_its_place() -> None:
    with pytest.raises(DataError) as error:
        tsv("Tea\tNOUN\n\ncools\n")
    assert problems_of(error) == [("K301", 3, 1)]
    assert error.value.hint


def test_a_word_with_an_empty_tag_is_an_error() -> None:
    # as it is in running text (Tea/), where it is refused too
    with pytest.raises(DataError) as error:
        tsv("Tea\tNOUN\ncools\t\n")
    assert error.value.line == 2


def test_a_third_column_is_an_error() -> None:
    with pytest.raises(DataError, match="3 columns where 2"):
        tsv("Tea\tNOUN\t_\n")


def test_conllu_read_as_two_columns_is_recognised() -> None:
    with pytest.raises(DataError) as error:
        tsv("1\tTea" + "\t_" * 8 + "\n")
    assert "CoNLL-U" in error.value.hint


@pytest.mark.parametrize("form", ["", " ", "\u00a0"], ids=["nothing", "space", "no-break-space"])
def test_a_tag_without_a_word_is_an_error(form: str) -> None:
    with pytest.raises(DataError) as error:
        tsv(f"Tea\tNOUN\n{form}\tVERB\n")
    assert problems_of(error) == [("K206", 2, 1)]


def test_bad_sentences_of_two_columns_can_be_kept() -> None:
    source = source_from_bytes(b"Tea\tNOUN\ncools\n\nYes\tINTJ\n")
    corpus = tsv_from_source(source, bad="keep")
    assert corpus.bad.tolist() == [True, False]
    assert corpus.column("form").strings() == ["Tea", "cools", "Yes"]


@pytest.mark.parametrize("reader", [tsv, slash])
def test_a_text_that_is_not_utf8_is_an_error_at_its_place(reader: type) -> None:
    separator = b"\t" if reader is tsv else b"/"
    with pytest.raises(DataError) as error:
        reader(b"Tea" + separator + b"N\n\nth\xe9" + separator + b"N\n")
    assert problems_of(error) == [("K106", 3, 3)]


@pytest.mark.parametrize("reader", [tsv, slash])
@pytest.mark.parametrize("text", ["", "\n \n"], ids=["empty", "blank"])
def test_a_text_without_words_is_an_error(reader: type, text: str) -> None:
    with pytest.raises(DataError) as error:
        reader(text)
    assert error.value.code == "K104"


def test_a_tag_can_be_changed_in_place() -> None:
    assert changed_bytes(tsv("Tea\tNOUN\r\ncools\tVERB"), {(1, "upos"): "X"}) == b"Tea\tNOUN\r\ncools\tX"
    assert changed_bytes(slash("Tea/NOUN  cools/VERB\n"), {(0, "upos"): "X"}) == b"Tea/X  cools/VERB\n"


# --- running text ---


@pytest.mark.parametrize(
    "text",
    [
        "Tea/NOUN cools/VERB\nYes/INTJ\n",
        "Tea/NOUN cools/VERB\nYes/INTJ",
        "Tea/NOUN cools/VERB\r\nYes/INTJ\r\n",
        "\ufeffTea/NOUN cools/VERB\nYes/INTJ\n",
        "\n  Tea/NOUN   cools/VERB \n\n \nYes/INTJ\n\n",
        "Tea/NOUN\tcools/VERB\nYes/INTJ\n",
        "\tTea/NOUN cools/VERB\nYes/INTJ\n",
        "Tea_NOUN cools_VERB\nYes_INTJ\n",
    ],
    ids=["lf", "no-newline", "crlf", "byte-order-mark", "spaces", "tabs", "leading-tab", "underscore"],
)
def test_running_text_is_words_and_tags_a_sentence_a_line(text: str) -> None:
    corpus = slash(text)
    assert pairs(corpus) == TEA
    assert corpus.sentence_offsets.tolist() == [0, 2, 3]
    assert (corpus.format, corpus.heads, corpus.warnings) == ("slash", None, ())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1/2/NUM", [("1/2", "NUM")]),
        ("//SYM", [("/", "SYM")]),
        ("a/X //SYM and/or/CCONJ", [("a", "X"), ("/", "SYM"), ("and/or", "CCONJ")]),
        ("///SYM", [("//", "SYM")]),
        ("a_b/X", [("a_b", "X")]),
        ("a_b_X", [("a_b", "X")]),
        ("__X", [("_", "X")]),
        ("é/X ü/Y", [("é", "X"), ("ü", "Y")]),
        ("a\u00a0b/X", [("a\u00a0b", "X")]),
        ("#/SYM", [("#", "SYM")]),
    ],
)
def test_words_are_cut_at_the_last_separator(text: str, expected: list[tuple[str, str]]) -> None:
    assert pairs(slash(text)) == [expected]


def test_a_line_that_starts_with_a_hash_is_no_comment() -> None:
    assert pairs(slash("a/X\n#/SYM 1/NUM\n#1/X\n")) == [
        [("a", "X")],
        [("#", "SYM"), ("1", "NUM")],
        [("#1", "X")],
    ]


@pytest.mark.parametrize("word", ["cools", "/", "/X", "cools/"])
def test_a_word_and_no_tag_or_a_tag_and_no_word_is_an_error_at_its_place(word: str) -> None:
    with pytest.raises(DataError) as error:
        slash(f"Tea/NOUN\nTea/NOUN {word} ./PUNCT\n")
    assert problems_of(error) == [("K302", 2, 10)]
    assert repr(word) in error.value.message


def test_the_separator_of_the_word_before_is_not_taken() -> None:
    # the last slash before the end of `cools` belongs to another word
    with pytest.raises(DataError) as error:
        slash("Tea/NOUN cools")
    assert problems_of(error) == [("K302", 1, 10)]


def test_bad_sentences_of_running_text_can_be_kept() -> None:
    corpus = slash_from_source(source_from_bytes(b"Tea/NOUN cools\nYes/INTJ\n"), bad="keep")
    assert corpus.bad.tolist() == [True, False]
    assert corpus.column("form").strings() == ["Tea", "cools", "Yes"]


def test_a_line_of_tabs_makes_no_empty_sentence() -> None:
    assert pairs(slash("Tea/NOUN cools/VERB\n\t\nYes/INTJ\n")) == TEA


def test_tagged_texts_in_two_formats_align() -> None:
    alignment = align(tsv("Tea\tNOUN\ncools\tVERB\n"), slash("Tea/X cools/Y\n"))
    assert alignment.gold_words.tolist() == [0, 1]
    assert alignment.system_words.tolist() == [0, 1]


# --- which format ---

CONLLU = "1\tTea\ttea\tNOUN\tNN\t_\t0\troot\t_\t_\n"


@pytest.mark.parametrize(
    ("text", "format"),
    [
        (CONLLU, "conllu"),
        ("\ufeff# sent_id = a/b\n\n" + CONLLU, "conllu"),
        (CONLLU.replace("\n", "\r\n"), "conllu"),
        (CONLLU.removesuffix("\t_\n"), "conllu"),
        ("1\tTea\n", "conllu"),
        ("", "conllu"),
        ("# a comment\n", "conllu"),
        ("1\t2\t2\tNUM\tCD\t_\t0\troot\t_\t_\n", "conllu"),
        ("1\t2\t2\tNUM\tCD\t_\t0\troot\t_\t\n", "conllu"),
        ("0\t1\tdom\tdom\tsubst:sg:nom:m3\t\t\t1.000\t\t\n", "dag"),
        ("12\t12\t1\tdig\t0\t2\n", "krnnt"),
        ("Dom\tdom\t1\tsubst:sg:nom:m3\t\t\r\n", "krnnt"),
        ("0\t1\tdom\tdom\tsubst:sg:nom:m3\t\n", "dag"),
        ("Dom\tdom\t1\tsubst\tadj\tadv\n", "tsv"),
        ("1\t2\t2\t2\tdig\t\t\t\t\teos\r\n", "dag"),
        ("0\t1\tdom\tdom\tsubst:sg:nom:m3\t\t\t1.000\t\t\t\n", "dag"),
        ("hello there\n", "conllu"),
        ("Tea\tNOUN\n", "tsv"),
        ("Tea\tNOUN\r\n", "tsv"),
        ("# comment\nTea\tNOUN\n", "tsv"),
        ("#\tSYM\n", "tsv"),
        ("1984\tNUM\n", "tsv"),
        ("1984\tNUM\r\n", "tsv"),
        ("a/b\tX\n", "tsv"),
        ("Tea/NOUN cools/VERB\n", "slash"),
        ("\n \nTea/NOUN\n", "slash"),
        ("Tea_NOUN cools_VERB\n", "slash"),
        ("Tea/NOUN cools/VERB\r\n", "slash"),
        ("#/SYM\nTea/NOUN\n", "slash"),
        ("Tea/NOUN cools\n", "conllu"),
        ("Tea/NOUN cools_VERB\n", "conllu"),
    ],
    ids=ascii,
)
def test_the_format_is_told_from_the_first_line(text: str, format: str) -> None:
    assert sniffed(source_from_bytes(text.encode())) == format


@pytest.mark.parametrize(
    ("text", "format"), [(CONLLU, "conllu"), ("Tea\tNOUN\n", "tsv"), ("Tea/NOUN\n", "slash")], ids=FORMATS
)
@pytest.mark.parametrize("is_given", [True, False], ids=["given", "sniffed"])
def test_any_format_is_read(tmp_path: Path, text: str, format: str, is_given: bool) -> None:
    path = tmp_path / "some.txt"
    path.write_text(text)
    corpus = read(path, input=format if is_given else None)
    assert corpus.format == format
    assert pairs(corpus) == [[("Tea", "NOUN")]]


def test_a_given_format_is_not_second_guessed(tmp_path: Path) -> None:
    path = tmp_path / "some.txt"
    path.write_text("Tea/NOUN\tX\n")
    assert pairs(read(path, input="tsv", tag="xpos"), "xpos") == [[("Tea/NOUN", "X")]]


def test_an_unknown_format_is_a_usage_error_that_lists_the_known(tmp_path: Path) -> None:
    path = tmp_path / "some.txt"
    path.write_text(CONLLU)
    with pytest.raises(UsageError, match=r"'xml'.*conllu, tsv, slash") as error:
        read(path, input="xml")
    assert error.value.exit_code == 2


def test_what_is_no_known_format_is_reported_as_bad_conllu(tmp_path: Path) -> None:
    path = tmp_path / "some.txt"
    path.write_text("hello there\n")
    with pytest.raises(DataError) as error:
        read(path)
    first: Problem = error.value.problems[0]
    assert (first.code, first.path, first.line) == ("K201", str(path), 1)
    assert "give the format: `input=FORMAT`" in first.hint


def test_tagged_files_can_be_read_as_one(tmp_path: Path) -> None:
    paths = [tmp_path / "a.txt", tmp_path / "b.txt"]
    paths[0].write_text("Tea/NOUN cools/VERB")
    paths[1].write_text("\ufeffYes/INTJ", encoding="utf-8")
    corpus = read(paths)
    assert pairs(corpus) == TEA
    assert corpus.line_of_word(2) == 1
