"""Folders of bracketed trees: each file a document, a system's files paired with the gold's by relative path."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from karat._arrays import Indices
from karat._ragged import offsets_of
from karat.corpus.constituency_trees import Trees
from karat.corpus.folders import add_file, unlistable
from karat.corpus.readers.brackets import brackets_from_source
from karat.corpus.readers.conllu import Bad
from karat.corpus.source import PathLike, read_source
from karat.errors import NO_LINE, DataError, Problem

_SUFFIXES = (".ptb", ".mrg", ".psd", ".prd", ".parse", ".parsed", ".tree", ".trees", ".brackets", ".penn")


def bracket_files(folder: PathLike) -> dict[str, str]:
    """The files of trees below a folder, by the relative path under which they are paired (without .gz and the like).

    Those with a suffix that such files have; where no file has one, all that are not hidden.
    """
    every: dict[str, str] = {}
    for parent, folders, files in os.walk(folder, onerror=_refuse):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for file in sorted(files):
            if not file.startswith("."):
                path = os.path.join(parent, file)
                add_file(every, path, os.path.relpath(path, folder))
    return {name: path for name, path in every.items() if is_named_as_trees(name)} or every


def is_named_as_trees(name: str) -> bool:
    """Whether a file has a suffix that files of trees have; that of a compression is taken off."""
    return name.lower().endswith(_SUFFIXES)


def _refuse(error: OSError) -> None:
    raise unlistable(error.filename, error)


def read_brackets(paths: PathLike | Sequence[PathLike], *, bad: Bad = "raise") -> Trees:
    """The trees of a file, or of several in order; `-` is standard input, .gz, .bz2 and .xz are decompressed.

    Of a folder, those of all its files. What is wrong is raised as one `DataError`. With `bad="keep"` a bad tree, or a
    line of text outside of all trees, is a missing parse instead, and its problems are kept.
    """
    if isinstance(paths, (str, os.PathLike)) and os.path.isdir(paths):
        return read_bracket_folder(paths, bad=bad)
    return brackets_from_source(read_source(paths), bad=bad)


def read_bracket_folder(folder: PathLike, *, bad: Bad = "raise") -> Trees:
    """The trees of all files of a folder, in the order of their paths."""
    files = bracket_files(folder)
    if not files:
        raise DataError(Problem("K104", "no files of trees in this folder", str(folder), NO_LINE))
    return _read(folder, files, bad)


def _read(folder: PathLike, files: dict[str, str], bad: Bad) -> Trees:
    source = replace(read_source(list(files.values())), folder=os.fspath(folder))
    return replace(brackets_from_source(source, bad=bad), names=tuple(files))


def read_bracket_folder_beside(gold: Trees, folder: PathLike, *, bad: Bad = "raise") -> Trees:
    """A system's trees, document by document as the gold's.

    A file that is missing or empty makes missing parses. One with another number of trees than the gold's is a
    `DataError`.
    """
    files = bracket_files(folder)
    present = {name: files[name] for name in gold.document_names if name in files}
    surplus = tuple(path for name, path in files.items() if name not in present)
    if not present:
        hint = f"files are paired by relative path, as {gold.document_names[0]}"
        raise DataError(Problem("K104", "none of the gold's files is in this folder", str(folder), NO_LINE, hint=hint))
    trees = _read(folder, present, bad)
    sizes = np.diff(gold.document_offsets)
    is_present = np.array([name in present for name in gold.document_names])
    problems = _other_sizes(trees, list(present.values()), sizes[is_present])
    if problems:
        raise DataError(problems)
    is_present[is_present] = np.diff(trees.document_offsets) > 0  # an empty file is as good as none
    return replace(with_missing(trees, np.flatnonzero(~is_present.repeat(sizes)), gold), surplus=surplus)


def _other_sizes(trees: Trees, paths: Sequence[str], wanted: Indices) -> list[Problem]:
    """The files that have another number of trees than the gold's."""
    hint = "write an empty line or (()) for a missing parse"
    return [
        Problem("K712", f"{found:,} trees where the gold has {size:,}", path, hint=hint)
        for path, found, size in zip(paths, np.diff(trees.document_offsets).tolist(), wanted.tolist(), strict=True)
        if found not in (size, 0)
    ]


def with_missing(trees: Trees, missing: Indices, gold: Trees) -> Trees:
    """The trees with missing parses put in, at the numbers that they have then, and the gold's documents."""
    if not len(missing):
        return trees
    at = missing - np.arange(len(missing))  # where they go among the trees that there are
    there = np.setdiff1d(np.arange(gold.n_trees), missing)
    places = trees.tree_places.take(np.minimum(at, trees.n_trees - 1))
    return replace(
        trees,
        word_offsets=offsets_of(np.insert(np.diff(trees.word_offsets), at, 0)),
        node_offsets=offsets_of(np.insert(np.diff(trees.node_offsets), at, 0)),
        tree_places=np.insert(trees.tree_places, at, places),
        document_offsets=gold.document_offsets,
        names=gold.document_names,
        problems=tuple(
            one if one.sentence is None else replace(one, sentence=int(there[one.sentence])) for one in trees.problems
        ),
    )
