"""Which texts are compared with which: files, or the training and test parts of treebanks' folders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from karat._arrays import Indices
from karat.corpus import Corpus, PathLike
from karat.errors import DataError, Problem
from karat.gold.treebank_folders import Readable, named, read_all, treebank_parts


@dataclass(frozen=True, slots=True, eq=False)
class CorpusParts:
    """All texts that take part, each with the corpus it is of and whether it is a `train`, a `test` or a `file`."""

    names: tuple[str, ...]
    corpora: tuple[Corpus, ...]
    owner: tuple[str, ...]
    role: tuple[str, ...]

    @classmethod
    def read(
        cls, corpora: Mapping[str, Readable] | Sequence[PathLike] | PathLike, input: str | None, column: str
    ) -> CorpusParts:
        by_name = named(corpora)
        wanted = [(name, role, one) for name, given in by_name.items() for role, one in treebank_parts(given).items()]
        tag = column if column in ("upos", "xpos") else "upos"
        found = read_all([one for _, _, one in wanted], input=input, tag=tag)
        names, roles = (tuple(one[place] for one in wanted) for place in (0, 1))
        return cls(tuple(by_name), found, tuple(map(str, names)), tuple(map(str, roles)))

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
        hint = "give the column that has the labels; the features words need none"
        problems = [
            Problem(
                "K501", f"the column {column.upper()}, whose labels are compared, is missing", corpus.path, hint=hint
            )
            for corpus in self.corpora
            if not corpus.has(column)
        ]
        if problems:
            raise DataError(problems)

    def refuse_too_short(self, pairs: Sequence[tuple[int, int]], texts: Sequence[Indices]) -> None:
        hint = "half of the sentences are for training, half for testing"
        used = sorted({place for pair in pairs for place in pair})
        problems = [
            Problem("K605", "at least two different sentences are needed", self.corpora[place].path, hint=hint)
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
