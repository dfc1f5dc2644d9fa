"""The trees of a gold and of each system, one system at a time."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TypeVar

from karat.corpus import Bad, Corpus, Source, read_source
from karat.corpus.constituency_trees import Trees
from karat.corpus.formats import Readable
from karat.corpus.readers.bracket_folders import read_bracket_folder, read_bracket_folder_beside
from karat.corpus.readers.brackets import as_many_as, brackets_from_source
from karat.corpus.readers.key import Keys
from karat.errors import DataError, Problem, UsageError

__all__ = ["each_system"]

_Made = TypeVar("_Made")


def each_system(
    gold: Readable,
    systems: Sequence[tuple[str, Readable]],
    bad: Bad,
    make: Callable[[Trees, str, Trees, tuple[str, ...]], _Made],
) -> tuple[Trees, list[_Made]]:
    """The gold, and what is made of it, each system's name, its trees and those of its files that the gold has not.

    A `DataError` with the problems of all inputs if there are any. One system's trees are held at a time.
    """
    problems: list[Problem] = []
    ours: Trees | None = None
    try:
        ours = _gold_trees(gold, bad)
    except DataError as error:
        problems += error.problems
    found = []
    for name, one in systems:
        try:
            if ours is not None:
                found.append(make(ours, name, *_system_trees(one, ours, bad)))
            elif not _is_folder(one):
                _trees(one, bad)  # it may have problems of its own
        except DataError as error:
            problems += error.problems
    if problems or ours is None:
        raise DataError(problems)
    return ours, found


def _is_folder(readable: Readable) -> bool:
    return isinstance(readable, (str, os.PathLike)) and os.path.isdir(readable)


def _gold_trees(readable: Readable, bad: Bad) -> Trees:
    if isinstance(readable, (str, os.PathLike)) and os.path.isdir(readable):
        ours = read_bracket_folder(readable, bad=bad)
    else:
        ours = _trees(readable, bad)
    if ours.bad.all():
        raise DataError(Problem("K502", "no gold sentence is left to score", ours.path))
    return ours


def _system_trees(readable: Readable, gold: Trees, bad: Bad) -> tuple[Trees, tuple[str, ...]]:
    """A system's trees and, of a folder, the files that no gold file goes with."""
    if isinstance(readable, (str, os.PathLike)) and os.path.isdir(readable):
        if not gold.names:
            hint = "a folder goes with a folder: files are paired by relative path"
            raise DataError(Problem("K102", "a folder, where the gold is a file", str(readable), hint=hint))
        return read_bracket_folder_beside(gold, readable, bad=bad)
    return as_many_as(gold, _trees(readable, bad), bad), ()


def _trees(readable: Readable, bad: Bad) -> Trees:
    if isinstance(readable, Trees):
        return readable
    if isinstance(readable, (Corpus, Keys)):
        raise UsageError("trees in brackets are scored against trees in brackets")
    return brackets_from_source(readable if isinstance(readable, Source) else read_source(readable), bad=bad)
