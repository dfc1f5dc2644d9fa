"""Formats of other packages: named or claimed, read into a corpus that is checked, never written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import karat
from installed_plugins import pretend
from karat.corpus import Corpus, Source, corpus_from_source, sniffed, source_from_bytes
from karat.errors import DataError, UsageError
from karat.plugin import Reader, corpus_from_values
from karat.signature import signature

TEXT = b"== Oak NOUN 2 grows VERB 0\n== Rain PROPN 0\n"


def read_marks(source: Source) -> Corpus:
    """A sentence a line, behind ==; words with their tags and heads."""
    words: list[str] = []
    tags: list[str] = []
    heads: list[int] = []
    sizes: list[int] = []
    places: list[int] = []
    problems = []
    place = 0
    for number, line in enumerate(source.text(0, source.size).splitlines(keepends=True)):
        fields = line.split()[1:]
        if len(fields) % 3:
            problems.append(source.problem("M1", "a word, a tag or a head is missing", place, sentence=number))
            fields = []
        sizes.append(len(fields) // 3)
        words += fields[0::3]
        tags += fields[1::3]
        heads += map(int, fields[2::3])
        places += [place + 3] * sizes[-1]
        place += len(line.encode())
    return corpus_from_values(source, {"form": words, "xpos": tags}, sizes, places, heads=heads, problems=problems)


MARKS = Reader(read_marks, claims=lambda path, text: text.startswith("=="))


def test_a_text_is_read_by_the_name_of_its_format(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, "reader", ("marks", read_marks, "one"))
    corpus = corpus_from_source(source_from_bytes(TEXT, "a.txt"), input="Marks")
    assert corpus.format == "marks"
    assert corpus.column("form").strings() == ["Oak", "grows", "Rain"]
    assert corpus.column("xpos").strings() == ["NOUN", "VERB", "PROPN"]
    assert corpus.heads is not None
    assert corpus.heads.tolist() == [2, 0, 0]
    assert corpus.sentence_offsets.tolist() == [0, 2, 3]
    assert corpus.place_of_word(2) == ("a.txt", 2, 4)


def test_a_text_that_no_format_of_karat_is_like_is_offered_to_plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    source = source_from_bytes(TEXT)
    assert sniffed(source) == "conllu"
    pretend(monkeypatch, "reader", ("marks", MARKS, "one"), ("silent", read_marks, "one"))
    assert sniffed(source) == "marks"


@pytest.mark.parametrize(
    "text", [b"1\tOak\toak\tNOUN\t_\t_\t0\troot\t_\t_\n", b"Oak\tNOUN\n", b"Oak/NOUN\n", b"(S (NN Oak))"]
)
def test_a_format_of_karats_is_never_offered_to_plugins(text: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    source = source_from_bytes(text)
    before = sniffed(source)
    pretend(monkeypatch, "reader", ("greedy", Reader(read_marks, claims=lambda path, text: True), "one"))
    assert sniffed(source) == before


def test_a_text_that_two_plugins_claim_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, "reader", ("marks", MARKS, "one"), ("other", MARKS, "two"))
    with pytest.raises(
        DataError, match=r"a\.txt:1:1: K972 several plug-ins .*marks \(one 1\.0\) and other \(two 1\.0\)"
    ):
        sniffed(source_from_bytes(TEXT, "a.txt"))


def test_a_text_that_cannot_be_read_says_which_plugin_could_not_be_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, "reader", ("marks", ImportError("no such module"), "one"))
    with pytest.raises(DataError) as caught:
        corpus_from_source(source_from_bytes(TEXT, "a.txt"))
    assert [one.code for one in caught.value.problems] == ["K201", "K970"]
    with pytest.raises(DataError) as caught:
        corpus_from_source(source_from_bytes(b"1\tOak\n\n", "a.txt"), input="conllu")
    assert "K970" not in [one.code for one in caught.value.problems]


def test_a_sniffer_that_fails_names_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, "reader", ("marks", Reader(read_marks, claims=lambda path, text: bool(1 / 0)), "one"))
    with pytest.raises(DataError, match=r"one 1\.0: K973 the reader marks failed: ZeroDivisionError"):
        sniffed(source_from_bytes(TEXT))


def test_bad_sentences_raise_or_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, "reader", ("marks", MARKS, "one"))
    source = source_from_bytes(TEXT + b"== Snow NOUN\n== a X 2 b X 1\n", "a.txt")
    with pytest.raises(DataError) as caught:
        corpus_from_source(source)
    assert [(one.code, one.line) for one in caught.value.problems] == [("M1", 3), ("K210", 4)]
    corpus = corpus_from_source(source, bad="keep")
    assert corpus.bad.tolist() == [False, False, True, True]
    assert corpus_from_source(source_from_bytes(b"== a X 2 b X 1\n"), trees=False).n_words == 2


@pytest.mark.parametrize(
    ("read", "message"),
    [
        (lambda source: None, "returns a NoneType instead of a Corpus"),
        (lambda source: read_marks(source_from_bytes(TEXT)), "returns a corpus with a different source"),
        (lambda source: corpus_from_values(source, {"form": ["a"]}, [2], [0, 1]), "K973 .*form: 1 values for 2 words"),
        (lambda source: corpus_from_values(source, {"xpos": ["a"]}, [1], [0]), "K973 .*a corpus needs the column form"),
        (
            lambda source: corpus_from_values(source, {"form": ["a"]}, [1], [0], heads=[-3]),
            "returns heads that are not",
        ),
        (lambda source: 1 / 0, "K973 the reader odd failed: ZeroDivisionError"),
    ],
)
def test_a_reader_whose_corpus_cannot_be_used_is_refused(
    read: Callable[[Source], Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(monkeypatch, "reader", ("odd", read, "one"))
    with pytest.raises(DataError, match=message):
        corpus_from_source(source_from_bytes(TEXT), input="odd")


def test_what_is_no_reader_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, "reader", ("odd", 42, "one"), ("tsv", read_marks, "two"))
    with pytest.raises(DataError, match="K971 the reader odd is neither a Reader nor"):
        corpus_from_source(source_from_bytes(TEXT), input="odd")
    with pytest.raises(UsageError, match=r"unknown input format 'none'; choose from conllu, .*, dag, odd, tsv"):
        corpus_from_source(source_from_bytes(TEXT), input="none")


def test_signatures_name_the_package_that_read_an_input(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, "reader", ("marks", MARKS, "one"))
    source = source_from_bytes(TEXT, "a.txt")
    plain = source.sha256()
    corpus = corpus_from_source(source)
    assert corpus.source.sha256() == plain
    assert "|plugin:one@1.0|" in signature("verb", [], [("gold", "a.txt", corpus.source.sha256())])
    assert "plugin" not in signature("verb", [], [("gold", "a.txt", plain)])


def test_a_format_of_a_plugin_is_read_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, "reader", ("marks", MARKS, "one"))
    (tmp_path / "a.txt").write_bytes(TEXT)
    corpus = karat.read(tmp_path / "a.txt")
    with pytest.raises(UsageError, match="the format marks can be read, not written"):
        karat.write(corpus, tmp_path / "b.txt", {(0, "xpos"): "VERB"})
    karat.write(corpus, tmp_path / "b.txt")
    assert (tmp_path / "b.txt").read_bytes() == TEXT


def test_a_corpus_from_values_has_documents_and_names_of_sentences() -> None:
    source = source_from_bytes(b"abc")
    corpus = corpus_from_values(
        source, {"upos": ["X", "Y", "X"], "form": ["a", "b", "c"]}, [1, 2], [0, 1, 2],
        sent_ids=["first", "second"], documents=[("d1", 1), ("d2", 1)],
    )  # fmt: skip
    assert corpus.names == ("form", "upos")
    assert [corpus.sent_id(number) for number in range(2)] == ["first", "second"]
    assert corpus.document_names == ("d1", "d2")
    assert corpus.document_offsets.tolist() == [0, 1, 2]
    assert np.array_equal(corpus.column("upos").ids, [0, 1, 0])
    with pytest.raises(ValueError, match="1 names for 2 sentences"):
        corpus_from_values(source, {"form": ["a", "b"]}, [1, 1], [0, 1], sent_ids=["first"])
    with pytest.raises(ValueError, match="documents do not have the 2 sentences"):
        corpus_from_values(source, {"form": ["a", "b"]}, [1, 1], [0, 1], documents=[("d", 1)])
