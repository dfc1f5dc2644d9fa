"""Which files were read, so that no command writes over one, whatever name it goes by."""

from __future__ import annotations

import os

_seen: set[tuple[int, int]] = set()  # device and inode


def note_file(path: str | os.PathLike[str]) -> None:
    """Remember that a file is read; what is not there is for its reader to tell."""
    if found := _identity(path):
        _seen.add(found)


def was_read(path: str | os.PathLike[str]) -> bool:
    """Whether a file has been read since `forget_files`."""
    return _identity(path) in _seen


def forget_files() -> None:
    """Begin anew, as a command does: in a long life of a process, files are deleted, and others get their inodes."""
    _seen.clear()


def _identity(path: str | os.PathLike[str]) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
