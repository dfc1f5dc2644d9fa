"""The files that a result names in its signature, read again if they are still the same."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from karat.corpus import Source, read_source
from karat.corpus.formats import Readable
from karat.errors import KaratError, visible

_MARK = "@sha256:"
_LARGEST = 1 << 30  # bytes of a file that is read to see whether it is the one that was named


@dataclass(frozen=True, slots=True)
class NamedFile:
    """An input as a signature names it: what it is to the result, its path, and the first digits of its SHA-256."""

    role: str
    path: str
    digest: str


def settings_of(result: Mapping[str, Any]) -> dict[str, str]:
    """What a signature says beside its inputs, by name."""
    parts = (part.partition(":") for part in _parts(result))
    return {name: value for name, _, value in parts if _MARK not in value or name == "lexicon"}


def files_of(result: Mapping[str, Any]) -> list[NamedFile]:
    """The inputs that a result's signature names, in its order.

    >>> files_of({"signature": "karat:0.1.0|verb:score|gold:a:b.conllu@sha256:00ff"})
    [NamedFile(role='gold', path='a:b.conllu', digest='00ff')]
    """
    found = []
    for part in _parts(result):
        role, _, named = part.partition(":")
        path, mark, digest = named.rpartition(_MARK)
        if mark:
            found.append(NamedFile(role, path.replace("%7C", "|"), digest))
    return found


def _parts(result: Mapping[str, Any]) -> list[str]:
    signed = result.get("signature")
    return signed.split("|") if isinstance(signed, str) else []


def read_again(file: NamedFile, folders: Sequence[Path]) -> Readable:
    """The file, or folder of trees, as it was when the result was made; a `LookupError` says why it cannot be had.

    It is looked for in these folders.
    """
    shown = visible(file.path)
    if not file.path or file.path == "-":
        raise LookupError("standard input cannot be read again")
    for folder in folders:
        place = folder / file.path
        paths = [place] if os.path.exists(place) else [folder / one for one in file.path.split(",")]
        if not all(map(may_be_read, paths)):
            continue
        try:
            found: Path | Source = place if os.path.isdir(place) else read_source([str(path) for path in paths])
            digest = found.sha256() if isinstance(found, Source) else _tree_digest(found)
        except (KaratError, OSError) as error:
            if os.path.isdir(place):
                raise LookupError(f"{shown} is a folder: sentences are shown of one treebank at a time") from None
            raise LookupError(f"{shown} cannot be read: {visible(str(error))}") from None
        if not file.digest or not digest.startswith(file.digest):
            raise LookupError(f"{shown} has changed since")
        return found
    raise LookupError(f"{shown} is not there")


def may_be_read(path: Path) -> bool:
    """Whether it is a folder or a plain file of some size: what names it may come from anywhere."""
    return os.path.isdir(path) or (os.path.isfile(path) and path.stat().st_size <= _LARGEST)


def _tree_digest(folder: Path) -> str:
    from karat.corpus.readers.bracket_folders import read_bracket_folder

    return read_bracket_folder(folder, bad="keep").source.sha256()
