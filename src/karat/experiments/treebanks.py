"""The corpora of an experiment: treebanks with their train, dev and test parts, by the names of UD's files."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from karat.corpus import Corpus, PathLike, corpus_from_source, read_source, source_from_bytes
from karat.corpus.documents_from_comments import DocumentComment, with_documents
from karat.corpus.whole_columns import bytes_with_columns
from karat.errors import NO_LINE, DataError, Problem, UsageError
from karat.gold.treebank_folders import PARTS, treebank_parts
from karat.tagsets import TagMap, read_tag_map

_KEPT = 12  # corpora that a process keeps once they are read


@dataclass(frozen=True, slots=True)
class TextFiles:
    """Some files that are read as one, and what is in them as a hash."""

    paths: tuple[str, ...]
    sha256: str

    @property
    def shown(self) -> str:
        return ", ".join(self.paths)


@dataclass(frozen=True, slots=True)
class Treebank:
    """A corpus by its name; a part that it does not have is None. A plain file is a test, and all there is of it."""

    name: str
    train: TextFiles | None
    dev: TextFiles | None
    test: TextFiles | None

    def whole(self) -> TextFiles:
        """All parts as one text."""
        return text_of([path for part in (self.train, self.dev, self.test) if part is not None for path in part.paths])


def treebanks(given: Iterable[PathLike | Treebank]) -> list[Treebank]:
    """Treebanks by the last part of their path: folders with UD's file names, or files; each may be given once."""
    found: dict[str, Treebank] = {}
    problems: list[Problem] = []
    for path in dict.fromkeys(one if isinstance(one, Treebank) else os.path.normpath(os.fspath(one)) for one in given):
        try:
            one = path if isinstance(path, Treebank) else _treebank(path)
        except DataError as error:
            problems += error.problems
            continue
        if one.name in found:
            raise UsageError(f"two corpora are called {one.name}: {path}; rename one of them, or link to it")
        found[one.name] = one
    if problems:
        raise DataError(problems)
    return list(found.values())


def _treebank(path: str) -> Treebank:
    if not os.path.exists(path):
        raise DataError(Problem("K101", "no such file or folder", path, NO_LINE))
    name = Path(path).resolve().name if os.path.basename(path) in ("", ".", "..") else os.path.basename(path)
    if not os.path.isdir(path):
        return Treebank(name, None, None, text_of([path]))
    parts = treebank_parts(path, PARTS)
    of_parts = {part: text_of(files) for part, files in parts.items() if isinstance(files, list)}
    return Treebank(name, *(of_parts.get(part) for part in PARTS))


def text_of(paths: Sequence[str]) -> TextFiles:
    """Files and their hash; a `DataError` for one that cannot be read."""
    whole = hashlib.sha256()
    for path in paths:
        try:
            with open(path, "rb") as file:
                whole.update(hashlib.file_digest(file, "sha256").digest())
        except OSError as error:
            raise DataError(Problem("K103", f"cannot be read: {error.strerror}", path, NO_LINE)) from None
    return TextFiles(tuple(os.path.abspath(path) for path in paths), whole.hexdigest())


@dataclass(frozen=True, slots=True)
class TextReading:
    """How the texts of an experiment are read: the column of tags, the comment that names documents, the map of tags.

    A text without the comment keeps the documents that it marks.
    """

    column: str = "upos"
    documents: DocumentComment | None = None
    map: TagMap | None = None

    def __post_init__(self) -> None:
        if self.map is not None and "+" in self.column:
            raise UsageError(f"tags of one column can be mapped, not those of {self.column}")

    @property
    def tag(self) -> str:
        """The column that tags of plain tagged text are read into."""
        return self.column.partition("+")[0]

    def to_dict(self) -> dict[str, Any]:
        """What differs from reading texts as they are, as plain data."""
        found: dict[str, Any] = {} if self.documents is None else {"documents": asdict(self.documents)}
        return found | ({} if self.map is None else {"map": {"name": self.map.name, "signed": self.map.signed}})

    @classmethod
    def from_dict(cls, column: str, data: Mapping[str, Any]) -> TextReading:
        """The reading that a cell was made with; a `UsageError` if the map's file has changed since."""
        documents, of_map = data.get("documents"), data.get("map")
        read = None if of_map is None else read_tag_map(of_map["name"])
        if of_map is not None and read is not None and read.signed != of_map["signed"]:
            raise UsageError(f"{read.name} has changed since the experiment: run it again")
        return cls(column, None if documents is None else DocumentComment(**documents), read)


_AS_IT_IS = TextReading()


@lru_cache(maxsize=_KEPT)
def corpus_of(text: TextFiles, reading: TextReading = _AS_IT_IS) -> Corpus:
    """A text as it was read, kept by the process for the next experiment with it; heads need not be trees.

    Mapped tags are in the bytes, too: systems that read files see them. A file that has changed since the experiment
    was planned is refused: its results would have the wrong name.
    """
    if text_of(text.paths) != text:
        raise DataError(Problem("K910", "the file has changed since the experiment began", text.paths[0], NO_LINE))
    corpus = corpus_from_source(read_source(list(text.paths)), tag=reading.tag, trees=False)
    if corpus.problems:
        raise DataError(corpus.problems)
    if reading.map is not None:
        corpus = _mapped(corpus, reading.map, reading.tag)
    return with_documents(corpus, reading.documents, may_lack=True)


def _mapped(corpus: Corpus, tag_map: TagMap, column: str) -> Corpus:
    """A text with the tags of a column mapped, as if its files had them."""
    new = tag_map.mapped(corpus, [column]).column(column)
    data = b"".join(bytes_with_columns(corpus, {column: (new.ids, new.vocabulary.strings)}))
    return corpus_from_source(source_from_bytes(data, corpus.path), input=corpus.format, tag=column, trees=False)
