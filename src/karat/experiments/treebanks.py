"""The corpora of an experiment: treebanks with their train, dev and test parts, by the names of UD's files."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from karat.corpus import Corpus, PathLike, corpus_from_source, read_source
from karat.errors import NO_LINE, DataError, Problem, UsageError
from karat.gold.treebank_folders import PARTS, treebank_parts

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


def treebanks(given: Iterable[PathLike]) -> list[Treebank]:
    """Treebanks by the last part of their path: folders with UD's file names, or files; each may be given once."""
    found: dict[str, Treebank] = {}
    problems: list[Problem] = []
    for path in dict.fromkeys(os.path.normpath(os.fspath(one)) for one in given):
        try:
            one = _treebank(path)
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


@lru_cache(maxsize=_KEPT)
def corpus_of(text: TextFiles, tag: str = "upos") -> Corpus:
    """A text as it was read, kept by the process for the next experiment with it; heads need not be trees.

    A file that has changed since the experiment was planned is refused: its results would have the wrong name.
    """
    if text_of(text.paths) != text:
        raise DataError(Problem("K910", "the file has changed since the experiment began", text.paths[0], NO_LINE))
    corpus = corpus_from_source(read_source(list(text.paths)), tag=tag, trees=False)
    if corpus.problems:
        raise DataError(corpus.problems)
    return corpus
