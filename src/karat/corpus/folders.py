"""What is in a folder of corpora: each file under its name without the suffix of a compression."""

from __future__ import annotations

import os

from karat.corpus.source import PathLike
from karat.errors import NO_LINE, DataError, Problem

_COMPRESSED = (".gz", ".bz2", ".xz")


def entries_of(folder: PathLike) -> list[str]:
    """The names in a folder, sorted; a `DataError` (K103) if it cannot be listed."""
    try:
        return sorted(os.listdir(folder))
    except OSError as error:
        raise unlistable(folder, error) from None


def unlistable(folder: PathLike, error: OSError) -> DataError:
    """That a folder cannot be listed, and why."""
    return DataError(Problem("K103", f"cannot be read: {error.strerror or error}", os.fspath(folder), NO_LINE))


def uncompressed_name(name: str) -> str:
    """The name of a file without the suffix of a compression."""
    base, suffix = os.path.splitext(name)
    return base if suffix in _COMPRESSED else name


def add_file(files: dict[str, str], path: str, name: str) -> None:
    """Note a file under its name without a compression; a `DataError` (K109) if another one has that name already."""
    name = uncompressed_name(name)
    if name in files:
        hint = "keep one of the two"
        raise DataError(Problem("K109", f"this file occurs twice, also as {files[name]}", path, NO_LINE, hint=hint))
    files[name] = path
