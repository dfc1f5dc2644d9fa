"""Writing to standard output and standard error, whatever they are.

A reader that has seen enough and closed the pipe is no error, and does not change the exit code. A terminal that cannot
show a character is shown a plainer one. A full disk is an error like any other.
"""

from __future__ import annotations

import os
import sys
from typing import TextIO

from karat.errors import UsageError

__all__ = ["say", "write_out"]

_PLAINER = str.maketrans({"─": "-", "–": "-", "…": "...", "→": "->", "≥": ">=", "×": "x"})


def write_out(text: str) -> None:
    """Write a result to standard output."""
    _write(sys.stdout, text)


def say(line: str) -> None:
    """Write a line about the work, not its result, to standard error."""
    _write(sys.stderr, line + "\n")


def _write(stream: TextIO | None, text: str) -> None:
    if stream is None:  # the caller closed it
        return
    try:
        stream.write(_encodable(text, stream.encoding or "utf-8"))
        stream.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())  # or Python tries again at its end
        raise UsageError(f"the result cannot be written: {error.strerror}") from None


def _encodable(text: str, encoding: str) -> str:
    """The text in characters that the encoding has."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        plainer = text.translate(_PLAINER)
        return plainer.encode(encoding, "backslashreplace").decode(encoding)
    return text
