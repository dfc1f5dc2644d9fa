"""Corpora by name: files, several files as one, or treebanks' folders with their train, dev and test parts."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence

from karat.corpus import Corpus, PathLike, read
from karat.corpus.folders import add_file, entries_of
from karat.errors import NO_LINE, DataError, Problem, UsageError

PARTS = ("train", "dev", "test")
_PART = re.compile(r"(?:.*[-_.])?(train|dev|test)(?:[-_.].*)?\.conllu(?:\.gz|\.bz2|\.xz)?")

Readable = PathLike | Sequence[PathLike] | Corpus


def treebank_parts(given: Readable, wanted: Sequence[str] = ("train", "test")) -> dict[str, Readable]:
    """The texts of a corpus: of a treebank's folder the wanted parts that it has, else the text itself as `file`."""
    if isinstance(given, Corpus) or not isinstance(given, (str, os.PathLike)) or not os.path.isdir(given):
        return {"file": given}
    files: dict[str, list[str]] = {}
    by_name: dict[str, str] = {}
    for entry in entries_of(given):
        if match := _PART.fullmatch(entry):
            path = os.path.join(given, entry)
            add_file(by_name, path, entry)
            files.setdefault(match[1], []).append(path)
    if not any(part in files for part in wanted):
        names = " or ".join(f"-{part}.conllu" for part in wanted)
        hint = f"files of a treebank's folder end in {names}"
        message = f"no {' or '.join(wanted)} part in this folder"
        raise DataError(Problem("K104", message, os.fspath(given), NO_LINE, hint=hint))
    return {part: files[part] for part in wanted if part in files}


def treebank_whole(given: Readable) -> Readable:
    """A corpus as one text: of a treebank's folder its train, dev and test files, in this order."""
    parts = treebank_parts(given, PARTS)
    if "file" in parts:
        return given
    return [os.fspath(path) for files in parts.values() if isinstance(files, list) for path in files]


def named(corpora: Mapping[str, Readable] | Sequence[PathLike] | PathLike) -> dict[str, Readable]:
    """Corpora by their names: those given, or the last part of each path, or all of it where that is not unique."""
    if isinstance(corpora, Mapping):
        return dict(corpora)
    if isinstance(corpora, (str, os.PathLike)):
        corpora = [corpora]
    last = [os.path.basename(os.fspath(path).rstrip("/")) for path in corpora]
    names = [name if last.count(name) == 1 else os.fspath(path) for name, path in zip(last, corpora, strict=True)]
    if len(set(names)) < len(names):
        raise UsageError("the same corpus is given twice")
    return dict(zip(names, corpora, strict=True))


def read_all(wanted: Sequence[Readable], *, input: str | None = None, tag: str = "upos") -> tuple[Corpus, ...]:
    """All these corpora; what is wrong with any of them is said at once, that of one read in spite of it, too."""
    found: list[Corpus] = []
    problems: list[Problem] = []
    for one in wanted:
        try:
            found.append(one if isinstance(one, Corpus) else read(one, input=input, tag=tag, trees=False))
        except DataError as error:
            problems += error.problems
    problems += [problem for corpus in found for problem in corpus.problems]
    if problems:
        raise DataError(problems)
    return tuple(found)
