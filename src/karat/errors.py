"""What can go wrong, said so that a person can mend it.

`KaratError` has two children. A `UsageError` is about how karat was called (exit code 2), a `DataError` about what
it was given to read (exit code 3). A `DataError` holds one or more `Problem`s, each with a place and a stable code;
`docs/errors.md` lists the codes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

NO_LINE = 0  # of a file that is not there, or of a folder


_LONGEST_WORD = 100
_VERY_LONG = re.compile(r"\S{1000,}?(?=:?(?:\s|$))")  # no path is; a colon behind it stays


def shortened(text: str) -> str:
    """The text, or its beginning and the sign … if it is longer than a word that people read.

    >>> shortened("oak"), len(shortened("o" * 10_000))
    ('oak', 100)
    """
    return text if len(text) <= _LONGEST_WORD else f"{text[: _LONGEST_WORD - 1]}…"


def without_very_long_words(text: str) -> str:
    """The text for a terminal, which a word of ten thousand characters would fill.

    >>> without_very_long_words("o" * 10_000 + ": no such file")[-18:]
    'ooo…: no such file'
    """
    return _VERY_LONG.sub(lambda found: shortened(found[0]), text)


def visible(text: str) -> str:
    """The text with control characters written out, so that input cannot steer a terminal.

    >>> visible("a\\x1b[31mb")
    'a\\\\x1b[31mb'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == " " else c.encode("unicode_escape").decode() for c in text)


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong, or odd, at one place of one input.

    `line` and `column` count from 1, columns in characters; what concerns a whole file stands at 1:1, and what cannot
    be read has the line NO_LINE. `sentence` is the index of the sentence it spoils, or None where it spoils the whole
    input.
    """

    code: str
    message: str
    path: str
    line: int = 1
    column: int = 1
    hint: str = ""
    sentence: int | None = None

    def __str__(self) -> str:
        place = self.path if self.line == NO_LINE else f"{self.path}:{self.line}:{self.column}"
        return visible(f"{place}: {self.code} {without_very_long_words(self.message)}")


class KaratError(Exception):
    """Any error that karat raises on purpose."""

    exit_code = 1


class UsageError(KaratError):
    """karat was asked for something it does not have or cannot combine."""

    exit_code = 2


class DataError(KaratError):
    """An input cannot be used; `problems` says where and why, in the order of the input."""

    exit_code = 3

    def __init__(self, problems: Problem | Iterable[Problem]) -> None:
        self.problems = (problems,) if isinstance(problems, Problem) else tuple(problems)
        if not self.problems:
            raise ValueError("a DataError needs at least one problem")
        super().__init__(str(self))
        if self.hint:
            self.add_note(f"hint: {visible(self.hint)}")

    def __str__(self) -> str:
        shown = str(self.problems[0])
        return shown if len(self.problems) == 1 else f"{shown} (and {len(self.problems) - 1} more)"

    @property
    def path(self) -> str:
        return self.problems[0].path

    @property
    def line(self) -> int:
        return self.problems[0].line

    @property
    def column(self) -> int:
        return self.problems[0].column

    @property
    def code(self) -> str:
        return self.problems[0].code

    @property
    def message(self) -> str:
        return self.problems[0].message

    @property
    def hint(self) -> str:
        return self.problems[0].hint
