"""Which texts are compared with which: files, or the training and test parts of treebanks' folders."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from karat._arrays import Indices
from karat.corpus import Corpus, PathLike, read
from karat.errors import DataError, Problem, UsageError

__all__ = ["CorpusParts", "Readable"]

_PART = re.compile(r"(?:.*[-_.])?(train|test)(?:[-_.].*)?\.conllu(?:\.gz|\.bz2|\.xz)?")

Readable = PathLike | Sequence[PathLike] | Corpus


@dataclass(frozen=True, slots=True, eq=False)
class CorpusParts:
    """All texts that take part, each with the corpus it is of and whether it is a `train`, a `test` or a `file`."""

    names: tuple[str, ...]
    corpora: tuple[Corpus, ...]
    owner: tuple[str, ...]
    role: tuple[str, ...]

    @classmethod
    def read(cls, corpora: Mapping[str, Readable] | Sequence[PathLike], input: str | None, column: str) -> CorpusParts:
        named = corpora if isinstance(corpora, Mapping) else _named(corpora)
        wanted = [(name, role, one) for name, given in named.items() for role, one in _parts_of(given).items()]
        found: list[Corpus] = []
        problems: list[Problem] = []
        tag = column if column in ("upos", "xpos") else "upos"
        for _, _, one in wanted:
            try:
                found.append(one if isinstance(one, Corpus) else read(one, input=input, tag=tag, trees=False))
            except DataError as error:
                problems += error.problems
        problems += [
            problem for corpus in found for problem in corpus.problems
        ]  # of one that was read in spite of them
        if problems:
            raise DataError(problems)
        names, roles = (tuple(one[place] for one in wanted) for place in (0, 1))
        return cls(tuple(named), tuple(found), tuple(map(str, names)), tuple(map(str, roles)))

    @property
    def all_files(self) -> bool:
        return all(role == "file" for role in self.role)

    def pairs(self) -> list[tuple[int, int]]:
        """What is compared: training parts and files with test parts and files, two files only once."""
        places = range(len(self.corpora))
        found = []
        for train in places:
            for test in places:
                both_files = self.role[train] == self.role[test] == "file"
                if self.role[train] != "test" and self.role[test] != "train" and (not both_files or train < test):
                    found.append((train, test))
        return found

    def refuse_no_labels(self, column: str) -> None:
        hint = "--column names where the labels are; --features words needs none"
        problems = [
            Problem("K501", f"labels are to be compared, and there is no {column.upper()}", corpus.path, hint=hint)
            for corpus in self.corpora
            if not corpus.has(column)
        ]
        if problems:
            raise DataError(problems)

    def refuse_too_short(self, pairs: Sequence[tuple[int, int]], texts: Sequence[Indices]) -> None:
        hint = "half of the sentences are learnt from, the others classified"
        used = sorted({place for pair in pairs for place in pair})
        problems = [
            Problem("K605", "two different sentences are needed at least", self.corpora[place].path, hint=hint)
            for place in used
            if len(set(texts[place].tolist())) < 2
        ]
        if problems:
            raise DataError(problems)

    def signed(self) -> list[tuple[str, str, str]]:
        roles = {"file": "corpus"}
        return [
            (roles.get(role, role), corpus.path, corpus.source.sha256())
            for role, corpus in zip(self.role, self.corpora, strict=True)
        ]


def _named(paths: Sequence[PathLike]) -> dict[str, Readable]:
    """Paths by their last part, or by the whole path where that is not unique."""
    last = [os.path.basename(os.fspath(path).rstrip("/")) for path in paths]
    names = [name if last.count(name) == 1 else os.fspath(path) for name, path in zip(last, paths, strict=True)]
    if len(set(names)) < len(names):
        raise UsageError("the same corpus is given twice")
    return dict(zip(names, paths, strict=True))


def _parts_of(given: Readable) -> dict[str, Readable]:
    """The texts of a corpus: of a treebank's folder its train and its test files, else the text itself as `file`."""
    if isinstance(given, Corpus) or not isinstance(given, (str, os.PathLike)) or not os.path.isdir(given):
        return {"file": given}
    files: dict[str, list[str]] = {}
    for entry in sorted(os.listdir(given)):
        if match := _PART.fullmatch(entry):
            files.setdefault(match[1], []).append(os.path.join(given, entry))
    if not files:
        hint = "a treebank's folder has files that end in -train.conllu or -test.conllu"
        raise DataError(Problem("K104", "there is no train or test part in this folder", os.fspath(given), hint=hint))
    return {role: files[role] for role in ("train", "test") if role in files}
