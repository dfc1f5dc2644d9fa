"""Some sentences of a file without the others, byte for byte."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from karat.corpus import corpus_from_source, source_from_bytes
from karat.corpus.sentence_bytes import kept_sentences
from karat.corpus.source import source_from_files
from karat.errors import UsageError
from realdata import data

ROW = "1\t{}\t_\tX\t_\t_\t0\troot\t_\t_\n"


def kept(text: str, keep: list[bool], *, path: str = "made.conllu", input: str = "conllu") -> str:
    corpus = corpus_from_source(source_from_bytes(text.encode(), path), input=input)
    return kept_sentences(corpus, np.array(keep)).decode()


def test_sentences_have_their_comments_and_blank_lines() -> None:
    one, two, three = (f"# text = {word}\n{ROW.format(word)}" for word in "abc")
    empty_node = two + "1.1\tz\t_\t_\t_\t_\t_\t_\t1:dep\t_\n"
    text = f"# a licence\n\n{one}\n\n{empty_node}\n{three}"
    assert kept(text, [True, False, True]) == f"# a licence\n\n{one}\n\n{three}"
    assert kept(text, [False, True, False]) == f"{empty_node}\n"
    assert kept(text, [True] * 3) == text
    assert kept(text, [False] * 3) == ""


def test_a_document_whose_first_sentence_is_left_out_keeps_its_mark() -> None:
    a, b, c, d = (f"{ROW.format(word)}\n" for word in "abcd")
    marked = f"# newdoc id = one\n# newpar id = p\n{a}{b}# newdoc id = two\n{c}{d}"
    assert kept(marked, [False, True, False, True]) == f"# newdoc id = one\n# newpar id = p\n{b}# newdoc id = two\n{d}"
    assert kept(marked, [False, False, False, True]) == f"# newdoc id = two\n{d}"
    assert kept(marked, [False, False, True, True]) == f"# newdoc id = two\n{c}{d}"


def test_line_ends_and_byte_order_marks_stay() -> None:
    text = "\ufeff" + f"{ROW.format('a')}\n{ROW.format('b')}\n".replace("\n", "\r\n")
    assert kept(text, [False, True]) == "\ufeff" + f"{ROW.format('b')}\n".replace("\n", "\r\n")
    carriage = f"{ROW.format('a')}\n{ROW.format('b')}\n".replace("\n", "\r")
    assert kept(carriage, [True, False]) == f"{ROW.format('a')}\n".replace("\n", "\r")


def test_tagged_text() -> None:
    assert kept("a\tX\nb\tX\n\n# c\nc\tX\n", [False, True], input="tsv") == "# c\nc\tX\n"
    assert kept("a/X b/Y\n\nc/X\nd/X", [True, False, True], input="slash") == "a/X b/Y\nd/X"


def test_several_files_are_apart() -> None:
    source = source_from_files([(f"{word}.conllu", f"{ROW.format(word)}".encode()) for word in "ab"])
    corpus = corpus_from_source(source, input="conllu")
    keep = np.array([False, True])
    assert [kept_sentences(corpus, keep, part=part) for part in (0, 1)] == [b"", ROW.format("b").encode()]


def test_what_has_no_lines_for_words_is_refused() -> None:
    word = '<tok><orth>a</orth><lex disamb="1"><base>a</base><ctag>x</ctag></lex></tok>'
    xml = f'<cesAna><chunkList><chunk><chunk type="s">{word}</chunk></chunk></chunkList></cesAna>'
    with pytest.raises(UsageError, match="cannot be written in part"):
        kept(xml, [True], path="made.xml", input="xces")


@pytest.mark.parametrize(
    "name", ["ud-2.3/UD_French-GSD/fr_gsd-ud-dev.conllu", "ud-2.3/UD_English-GUM/en_gum-ud-dev.conllu"]
)
def test_real_treebanks_are_cut_between_sentences(name: str) -> None:
    path: Path = data(name)
    text = path.read_text(encoding="utf-8")
    corpus = corpus_from_source(source_from_bytes(text.encode(), str(path)), input="conllu")
    blocks = [f"{one}\n\n" for one in text.strip("\n").split("\n\n")]
    keep = np.arange(len(blocks)) % 3 != 0
    found = kept_sentences(corpus, keep).decode()
    pieces = [f"{one}\n\n" for one in found.removesuffix("\n\n").split("\n\n")]
    expected = [one for one, is_kept in zip(blocks, keep.tolist(), strict=True) if is_kept]
    assert len(pieces) == len(expected)
    for piece, block in zip(pieces, expected, strict=True):  # perhaps after the marks of a document
        assert piece.endswith(block)
        assert all(line.startswith("# new") for line in piece.removesuffix(block).splitlines())
    again = corpus_from_source(source_from_bytes(found.encode(), "cut"), input="conllu")
    if corpus.has_documents:
        names = [corpus.document_names[one] for one in corpus.sentence_document[keep].tolist()]
        assert [again.document_names[one] for one in again.sentence_document.tolist()] == names
