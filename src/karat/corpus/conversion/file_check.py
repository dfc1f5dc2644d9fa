"""`karat.check_files`: whether files can be read, with everything that is wrong with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from karat.corpus.formats import ANALYSED, analysed_from_source, corpus_from_source, sniffed
from karat.corpus.readers.brackets import brackets_from_source
from karat.corpus.source import PathLike, Source, read_source
from karat.errors import DataError, Problem
from karat.result import Result, Table, attributes, plain
from karat.signature import signature

SCHEMA = "karat/file-check/1"


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file that can be read: its format and its size."""

    path: str
    format: str
    sentences: int
    words: int


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class FileCheck(Result):
    """Files that can be read, every one of those that were asked about."""

    files: tuple[CheckedFile, ...]
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, in the schema karat/file-check/1."""
        return {"schema": SCHEMA, "signature": self.signature, "files": plain(self.files)}

    def records(self) -> Table:
        """One row for each file."""
        names = "path format sentences words"
        return Table(names.split(), [list(attributes(one, names).values()) for one in self.files])


def check_files(files: PathLike | Sequence[PathLike], *, input: str | None = None) -> FileCheck:
    """The format and size of each file, if all can be read; else a `DataError` with what is wrong in all of them.

    Of CoNLL-U the trees are checked, and enhanced dependencies if there are any.
    """
    every = [files] if isinstance(files, str) or not isinstance(files, Sequence) else files
    checked: list[CheckedFile] = []
    inputs: list[tuple[str, str, str]] = []
    problems: list[Problem] = []
    for path in every:
        try:
            source = read_source(path)
            checked.append(_checked(source, sniffed(source) if input is None else input))
            inputs.append(("corpus", source.path, source.sha256()))
        except DataError as error:
            problems += error.problems
    if problems:
        raise DataError(problems)
    return FileCheck(tuple(checked), signature("convert", [("check", "yes")], inputs))


def _checked(source: Source, format_: str) -> CheckedFile:
    if format_ == "brackets":
        trees = brackets_from_source(source)
        return CheckedFile(source.path, format_, trees.n_sentences, trees.n_words)
    if format_ == "key":
        hint = "sense keys are about instances, not about the words of a text"
        raise DataError(Problem("K108", "sense keys where words or trees were expected", source.path, hint=hint))
    if format_ in ANALYSED:
        text = analysed_from_source(source, format_)
        return CheckedFile(source.path, format_, text.n_sentences, text.n_words)
    corpus = corpus_from_source(source, input=format_, several_tags=True, deps=True)
    return CheckedFile(source.path, format_, corpus.n_sentences, corpus.n_words)
