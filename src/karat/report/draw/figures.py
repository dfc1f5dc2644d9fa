"""Drawings as files of a folder, for papers: text stays text, so that a PDF made from them can be searched."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from karat.corpus.files import replace_files
from karat.errors import UsageError
from karat.report.draw.svg import Drawing, safe_stem

_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<!-- drawn by karat -->\n'  # how our own files are known again


def write_figures(folder: str | os.PathLike[str], drawings: Iterable[Drawing]) -> list[Path]:
    """Write each drawing as NAME.svg into a folder, which is made if need be; all of them or none. Their paths.

    Drawings of the same name, whatever its case, are numbered. A file that karat has drawn is replaced; a `UsageError`
    for any other that has a drawing's name.
    """
    paths: list[Path] = []
    data: list[bytes] = []
    taken: set[str] = set()
    for one in drawings:
        stem = _untaken(safe_stem(one.name), taken)
        taken.add(stem.casefold())
        paths.append(Path(folder) / f"{stem}.svg")
        data.append((_HEAD + one.svg).encode("utf-8"))
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise UsageError(f"{os.fspath(folder)} is a file; name a folder for the drawings")
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        for path in paths:
            _refuse_other(path)
        replace_files([(str(path), content) for path, content in zip(paths, data, strict=True)])
    except OSError as error:
        name = error.filename or os.fspath(folder)
        raise UsageError(f"{name} cannot be written: {error.strerror or error}") from None
    return paths


def _untaken(stem: str, taken: set[str]) -> str:
    """The stem, with a number if it is taken."""
    numbered, number = stem, 1
    while numbered.casefold() in taken:
        number += 1
        numbered = f"{stem}-{number}"
    return numbered


def _refuse_other(path: Path) -> None:
    """Stop before anything is replaced that karat has not drawn; a link is never followed."""
    if not os.path.lexists(path):
        return
    is_ours = path.is_file() and not path.is_symlink()
    if is_ours:
        with path.open("rb") as file:
            is_ours = file.read(len(_HEAD)) == _HEAD.encode("utf-8")
    if not is_ours:
        raise UsageError(f"{path} is not a drawing by karat and will not be overwritten; choose another folder")
