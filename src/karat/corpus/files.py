"""Files as they are written: compressed where their name says so, and never half."""

from __future__ import annotations

import errno
import os

__all__ = ["compressed", "replace_file"]


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


def replace_file(target: str, data: bytes) -> None:
    """Write a file that appears under its name once it is complete; one that had the name keeps its permissions.

    One that is write-protected is not replaced, though a folder's permissions would allow that.
    """
    if os.path.exists(target) and not os.stat(target).st_mode & 0o222:
        raise PermissionError(errno.EACCES, "it is write-protected", target)
    beside = os.path.join(os.path.dirname(target), f".karat-{os.urandom(8).hex()}")
    try:
        with open(beside, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if os.path.exists(target):
            os.chmod(beside, os.stat(target).st_mode & 0o7777)
        os.replace(beside, target)
    except BaseException:
        if os.path.lexists(beside):
            os.unlink(beside)
        raise
