"""Files as they are written: compressed where their name says so, and never half."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable

from karat.errors import UsageError


def compressed(data: bytes, path: str) -> bytes:
    """The bytes that belong into a file of this name: .gz, .bz2 and .xz are compressed."""
    suffix = os.path.splitext(path)[1].lower()
    if suffix == ".gz":
        import gzip

        return gzip.compress(data, mtime=0)
    if suffix == ".bz2":
        import bz2

        return bz2.compress(data)
    if suffix == ".xz":
        import lzma

        return lzma.compress(data)
    return data


def write_beside(inputs: Iterable[str], path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file, unless it is one of the inputs; a `UsageError` says why it cannot be written."""
    target, name = os.path.realpath(path), os.fspath(path)
    if target in map(os.path.realpath, inputs):
        raise UsageError(f"{name} is an input and will not be overwritten; choose another name")
    try:
        replace_file(target, data)
    except OSError as error:
        raise UsageError(f"{name} cannot be written: {error.strerror or error}") from None


def replace_file(target: str, data: bytes) -> None:
    """Write a file that appears under its name once it is complete; one that had the name keeps its permissions.

    One that is write-protected is not replaced, though a folder's permissions would allow that.
    """
    replace_files([(target, data)])


def replace_files(files: Iterable[tuple[str, bytes]]) -> None:
    """Write files that appear under their names once all of them are complete: if one cannot be written, none is.

    An `OSError` names the file that was to be written.
    """
    complete: dict[str, str] = {}
    try:
        for target, data in files:
            if os.path.exists(target) and not os.path.isfile(target):  # a device or a pipe is written to, not replaced
                with open(target, "wb") as file:
                    file.write(data)
                continue
            complete[target] = beside = os.path.join(os.path.dirname(target), f".karat-{os.urandom(8).hex()}")
            try:
                _write(beside, data, target)
            except OSError as error:
                raise type(error)(error.errno, error.strerror, target) from None
        for target, beside in complete.items():
            os.replace(beside, target)
    except BaseException:
        for beside in filter(os.path.lexists, complete.values()):
            os.unlink(beside)
        raise


def _write(path: str, data: bytes, target: str) -> None:
    """Write the file that is to replace the target."""
    if os.path.exists(target) and not os.stat(target).st_mode & 0o222:
        raise PermissionError(errno.EACCES, "it is write-protected", target)
    with open(path, "xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    if os.path.exists(target):
        os.chmod(path, os.stat(target).st_mode & 0o7777)
