"""The folder of a grid: finished cells as files that appear once they are complete, named by what they depend on.

`cells/KEY.json` is a cell, the last of its files to be written; beside it are what the system wrote (`KEY.conllu.gz`)
and the counts of each sentence (`KEY.npz`), from which all else follows. `failed/KEY.json` says what went wrong,
`failed/KEY.log` what a command printed. Files are never changed, so that several grids can share a folder.
"""

from __future__ import annotations

import io
import json
import lzma
import os
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from karat._arrays import Floats
from karat.corpus.files import replace_file
from karat.errors import NO_LINE, DataError, Problem, UsageError
from karat.experiments.kept_cells import fault_of_cell
from karat.measures.measure import CORRECT, FIELDS, GOLD, SYSTEM

# what reading an archive of arrays fails with, beside errors of reading, where its bytes were changed
_ROUNDING = 1e-3  # counts are kept in single precision
_OF_DAMAGED_ARCHIVES = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    struct.error,
    RuntimeError,
    SyntaxError,
    tokenize.TokenError,
)
_CELLS, _FAILED, _RUNNING, _PLAN = "cells", "failed", "running", "grid.json"


@dataclass(frozen=True, slots=True)
class Store:
    """A grid's folder."""

    folder: str

    @classmethod
    def made(cls, folder: str | os.PathLike[str]) -> Store:
        """The folder, made if it is not there."""
        store = cls(os.path.abspath(folder))
        for name in (_CELLS, _FAILED, _RUNNING):
            try:
                os.makedirs(os.path.join(store.folder, name), exist_ok=True)
            except OSError as error:
                raise UsageError(f"{os.fspath(folder)} cannot be written: {error.strerror or error}") from None
        return store

    @classmethod
    def opened(cls, folder: str | os.PathLike[str]) -> Store:
        """The folder of a grid that was run before."""
        if not os.path.isdir(os.path.join(folder, _CELLS)):
            hint = "name the folder that karat grid … -o DIR wrote"
            raise DataError(Problem("K911", "no grid in this folder", os.fspath(folder), NO_LINE, hint=hint))
        return cls(os.path.abspath(folder))

    def _path(self, kind: str, key: str, suffix: str) -> str:
        return os.path.join(self.folder, kind, key + suffix)

    # ---- finished cells

    def has(self, key: str) -> bool:
        return os.path.exists(self._path(_CELLS, key, ".json"))

    def finished(self) -> set[str]:
        """The keys of all finished cells."""
        names = (os.path.splitext(name) for name in os.listdir(os.path.join(self.folder, _CELLS)))
        return {key for key, suffix in names if suffix == ".json"}

    def keep(self, key: str, cell: Mapping[str, Any], output: bytes, counts: Mapping[str, Floats]) -> None:
        """Write a cell; once its JSON is there, all of it is."""
        packed = io.BytesIO()
        arrays: dict[str, Any] = {name: of.astype(np.float32) for name, of in counts.items()}
        np.savez_compressed(packed, **arrays)
        replace_file(self._path(_CELLS, key, ".conllu.gz"), _gzipped(output))
        replace_file(self._path(_CELLS, key, ".npz"), packed.getvalue())
        replace_file(self._path(_CELLS, key, ".json"), json.dumps(cell, ensure_ascii=False).encode())
        self.forget_failure(key)

    def cell(self, key: str) -> dict[str, Any]:
        """A finished cell as it was written; a `DataError` if its file is damaged."""
        path = self._path(_CELLS, key, ".json")
        try:
            found = json.loads(Path(path).read_bytes())
        except (ValueError, RecursionError):
            found = None
        fault = ""
        if not isinstance(found, dict) or found.get("key") != key:
            fault = "not a cell of a grid"
        elif wrong := fault_of_cell(found):
            fault = f"not a cell of a grid as karat writes it: {wrong}"
        if fault:
            raise DataError(Problem("K912", fault, path, NO_LINE, hint="remove the file and run the grid again"))
        return dict(found)

    def written_at(self, key: str) -> float:
        return os.stat(self._path(_CELLS, key, ".json")).st_mtime

    def output(self, key: str) -> str:
        """The path of what the system wrote."""
        return self._path(_CELLS, key, ".conllu.gz")

    def counts(self, key: str, measure: str, shape: tuple[int, int] | None = None) -> Floats:
        """The counts of each sentence by a measure; of `shape` [sentences × fields], if that is known."""
        path = self._path(_CELLS, key, ".npz")
        try:
            with open(path, "rb") as file, np.load(file, allow_pickle=False) as packed:
                found = np.asarray(packed[measure], dtype=np.float64)
            if found.ndim != 2 or not np.isfinite(found).all() or (found < 0).any():
                raise ValueError
            if shape is not None and found.shape != shape:
                raise ValueError
            if found.shape[1] == len(FIELDS) and not _are_possible(found):
                raise ValueError
        except (*_OF_DAMAGED_ARCHIVES, OSError, ValueError, KeyError, TypeError) as error:
            hint = "remove the cell's files and run the grid again"
            message = f"not the counts of a cell ({type(error).__name__})"
            raise DataError(Problem("K912", message, path, NO_LINE, hint=hint)) from None
        return found

    # ---- what is planned

    def plan(self, keys: Sequence[str]) -> None:
        """Write down which cells the newest grid has, in their order."""
        replace_file(os.path.join(self.folder, _PLAN), json.dumps({"cells": list(keys)}).encode())

    def planned(self) -> list[str]:
        """The cells of the newest grid; none if that is not known."""
        try:
            found = json.loads(Path(self.folder, _PLAN).read_bytes())["cells"]
            return [str(one) for one in found]
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return []

    # ---- failed cells

    def log(self, key: str) -> Path:
        """Where a command's output goes."""
        return Path(self._path(_FAILED, key, ".log"))

    def fail(self, key: str, failure: Mapping[str, Any]) -> None:
        """Write down what went wrong; where even that cannot be written, the failure is still reported."""
        try:
            replace_file(self._path(_FAILED, key, ".json"), json.dumps(failure, ensure_ascii=False).encode())
        except OSError:
            return

    def forget_failure(self, key: str) -> None:
        for suffix in (".json", ".log"):
            Path(self._path(_FAILED, key, suffix)).unlink(missing_ok=True)

    # ---- trainings under way

    def start(self, key: str) -> None:
        """Mark a training as begun, to know whose process died."""
        Path(self._path(_RUNNING, key, f".{os.getpid()}")).touch()

    def end(self, key: str) -> None:
        Path(self._path(_RUNNING, key, f".{os.getpid()}")).unlink(missing_ok=True)

    def begun(self, keys: set[str]) -> set[str]:
        """Those of the trainings that were begun and have not ended; they are forgotten."""
        found = set()
        for name in os.listdir(os.path.join(self.folder, _RUNNING)):
            key = name.partition(".")[0]
            if key in keys:
                found.add(key)
                Path(self.folder, _RUNNING, name).unlink(missing_ok=True)
        return found


def _are_possible(counts: Floats) -> bool:
    """Whether no more units are right than there are, in any sentence of the gold's and in all of the system's."""
    gold, system, correct = (counts[:, one] for one in (GOLD, SYSTEM, CORRECT))
    return bool((correct <= gold + _ROUNDING).all() and correct.sum() <= system.sum() + _ROUNDING)


def _gzipped(data: bytes) -> bytes:
    """Compressed fast, and always to the same bytes."""
    import gzip

    return gzip.compress(data, compresslevel=1, mtime=0)
