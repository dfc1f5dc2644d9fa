"""`karat.convert`: a text from one format to another, and what that loses."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from karat.corpus.analysed import AnalysedText
from karat.corpus.conversion.fitting import HOLDS, fitted
from karat.corpus.conversion.losses import Loss, Losses
from karat.corpus.conversion.table_writers import conllu_text, tsv_text
from karat.corpus.conversion.words_from_source import words_from_source
from karat.corpus.files import compressed, write_beside
from karat.corpus.formats import ANALYSED, analysed_from_source, corpus_from_source, sniffed
from karat.corpus.readers.brackets import brackets_from_source
from karat.corpus.readers.ccl import ccl_text
from karat.corpus.readers.dag import dag_text
from karat.corpus.readers.krnnt import krnnt_text
from karat.corpus.readers.plain import plain_text
from karat.corpus.readers.xces import xces_text
from karat.corpus.source import PathLike, Source, read_source
from karat.errors import DataError, Problem, UsageError
from karat.result import Result, Table
from karat.signature import signature

SCHEMA = "karat/convert/1"
TARGETS = (*HOLDS, "brackets")
COLUMNS_OF_TAGS = ("xpos", "upos", "feats", "deprel")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Conversion(Result):
    """What was converted, from which format to which, and what the new one does not hold of it.

    `is_copy` says that the format stayed the same, and so did every byte.
    """

    source: str
    source_format: str
    path: str
    format: str
    column: str
    n_sentences: int
    n_words: int
    losses: tuple[Loss, ...]
    is_copy: bool
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, in the schema karat/convert/1."""
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "source": self.source,
            "from": self.source_format,
            "written": self.path,
            "to": self.format,
            "column": self.column,
            "sentences": self.n_sentences,
            "words": self.n_words,
            "copied": self.is_copy,
            "lost": [{"what": one.what, "number": one.n} for one in self.losses],
        }

    def records(self) -> Table:
        """One row for each kind of thing that is lost."""
        return Table(["what", "number"], [list(one) for one in self.losses])


def convert(corpus: PathLike, path: PathLike, *, to: str, column: str = "xpos", input: str | None = None) -> Conversion:
    """Write a corpus in another format, and say what that format does not hold of it.

    `column` is the one of CoNLL-U for the tags of formats that have one kind of tag. Several tags, probabilities and
    lemmas are kept where the format has a place for them. In the format that it has already, a corpus is copied byte
    for byte. Trees become words; words do not become trees. An input is never overwritten; .gz, .bz2 and .xz are
    compressed.
    """
    if to not in TARGETS:
        raise UsageError(f"unknown format {to!r}; known are {', '.join(TARGETS)}")
    if column not in COLUMNS_OF_TAGS:
        raise UsageError(f"no column {column!r} of tags; there are {', '.join(COLUMNS_OF_TAGS)}")
    source = read_source(corpus)
    format_ = sniffed(source) if input is None else input
    if format_ == "key":
        hint = "sense keys are about instances, not about the words of a text"
        raise DataError(Problem("K108", "sense keys where words or trees were expected", source.path, hint=hint))
    if to == "brackets" != format_:
        raise UsageError("words have no phrases: only trees are written as trees")
    losses = Losses()
    is_copy = to == format_
    if is_copy:
        n_sentences, n_words = _size(source, format_)
        data = source.part_bytes(source.parts[0])
    else:
        text = fitted(words_from_source(source, format_, column=column, losses=losses), to, losses)
        n_sentences, n_words = text.n_sentences, text.n_words
        data = _written(text, to, column).encode()
    _write(path, data, source)
    return Conversion(
        source.path,
        format_,
        os.fspath(path),
        to,
        column,
        n_sentences,
        n_words,
        losses.every(),
        is_copy,
        signature("convert", [("to", to), ("column", column)], [("corpus", source.path, source.sha256())]),
    )


def _size(source: Source, format_: str) -> tuple[int, int]:
    """How many sentences and words there are, once all of them can be read."""
    if format_ == "brackets":
        trees = brackets_from_source(source)
        return trees.n_sentences, trees.n_words
    if format_ in ANALYSED:
        text = analysed_from_source(source, format_)
        return text.n_sentences, text.n_words
    corpus = corpus_from_source(source, input=format_, several_tags=True, trees=False)
    return corpus.n_sentences, corpus.n_words


def _written(text: AnalysedText, to: str, column: str) -> str:
    if to == "conllu":
        return conllu_text(text, column)
    writers = {"tsv": tsv_text, "xces": xces_text, "ccl": ccl_text, "plain": plain_text, "krnnt": krnnt_text}
    return dag_text(text) if to == "dag" else writers[to](text)


def _write(path: PathLike, data: bytes, source: Source) -> None:
    name = os.fspath(path)
    if name == "-":
        raise UsageError("a converted corpus is written to a file; what is lost goes to standard output")
    write_beside((part.path for part in source.parts), path, compressed(data, name))
