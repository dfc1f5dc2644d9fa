"""The files of folders of treebanks, and which of a system's goes with which of the gold's."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from karat.corpus import PathLike
from karat.corpus.folders import add_file, entries_of, uncompressed_name
from karat.corpus.source import similar_path
from karat.errors import NO_LINE, DataError, Problem, UsageError

_SUFFIXES = (".conllu", ".conll", ".tsv", ".tagged", ".pos")  # not .txt: a treebank's folder has LICENSE.txt


@dataclass(frozen=True, slots=True)
class Folder:
    """The corpora of a folder by the name under which they are paired: without the suffix of a compression.

    `misnamed` are files that only capital letters in their suffix keep from being read.
    """

    path: str
    files: Mapping[str, str]
    misnamed: tuple[str, ...]

    def golds(self) -> Mapping[str, str]:
        """The files, of which there must be one."""
        if not self.files:
            hint = "for bracketed trees, give the folders directly: karat score GOLD-DIR SYSTEM-DIR"
            if self.misnamed:
                hint = f"names end in small letters: rename {self.misnamed[0]}"
            raise DataError(Problem("K104", "no corpus in this folder", self.path, NO_LINE, hint=hint))
        return self.files

    def warnings(self) -> list[str]:
        """Which files of the gold are not read."""
        return [
            f"{os.path.join(self.path, one)} is not read: its name must end in small letters" for one in self.misnamed
        ]

    def spelt_otherwise(self, name: str) -> str:
        """A file whose name is this one but for capital letters; empty if there is none."""
        wanted = _code(name).casefold()
        names = [*self.misnamed, *(os.path.basename(path) for path in self.files.values())]
        return next((one for one in names if _code(uncompressed_name(one.casefold())) == wanted), "")


def read_folders(folders: Iterable[PathLike], *, with_txt: bool) -> list[Folder]:
    """What is in each folder; a `DataError` names those that are missing.

    A folder without any corpus may be one of UD's releases: then those of its folders' test sets are taken.
    """
    paths = [os.fspath(one) for one in folders]
    missing = [one for one in paths if not os.path.exists(one)]
    if missing:
        raise DataError(
            Problem("K101", "no such folder", one, NO_LINE, hint=similar_path(one)) for one in dict.fromkeys(missing)
        )
    for one in paths:
        if not os.path.isdir(one):
            raise UsageError(f"{one} is not a folder")
    suffixes = (*_SUFFIXES, ".txt") if with_txt else _SUFFIXES
    return [_folder(one, suffixes) for one in paths]


def _folder(path: str, suffixes: tuple[str, ...]) -> Folder:
    found = _corpora_in(path, suffixes)
    entries = entries_of(path)
    for entry in [] if found else entries:
        inner = os.path.join(path, entry)
        if entry.startswith("UD_") and os.path.isdir(inner):
            here = _corpora_in(inner, suffixes)
            found |= {name: one for name, one in here.items() if "-ud-test." in name} or here
    misnamed = [
        entry
        for entry in entries
        if uncompressed_name(entry.lower()).endswith(suffixes)
        and not uncompressed_name(entry).endswith(suffixes)
        and not os.path.isdir(os.path.join(path, entry))
    ]
    return Folder(path, found, tuple(misnamed))


def _corpora_in(folder: str, suffixes: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for entry in entries_of(folder):
        path = os.path.join(folder, entry)
        if uncompressed_name(entry).endswith(suffixes) and not os.path.isdir(path):
            add_file(found, path, entry)
    return found


def paired_files(files: Mapping[str, str], golds: Mapping[str, str]) -> dict[str, str]:
    """A system's files under the names of the gold's: the same, or the same treebank's (en_ewt of en_ewt-ud-test)."""
    found = {name: path for name, path in files.items() if name in golds}
    by_code = {_code(name): path for name, path in files.items() if name not in golds}
    for name in golds:
        if name not in found and _code(name) in by_code:
            found[name] = by_code.pop(_code(name))
    taken = set(found.values())
    return found | {name: path for name, path in files.items() if path not in taken}


def _code(name: str) -> str:
    """A treebank's short name: en_ewt of en_ewt-ud-test.conllu."""
    return re.sub(r"-ud-(train|dev|test)$", "", os.path.splitext(name)[0])
