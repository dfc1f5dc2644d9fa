r"""Acknowledged exceptions: findings that are right as they are, each with the reason, in a TSV kept beside the corpus.

The first line is `#schema karat/exceptions/1`; lines that begin with `# ` are for people; then come a header and a row
for each exception: `kind` of the finding (repeat, suspect), `column` that was compared, `text` (the words), `labels`
(what they are annotated with; several ways have ` | ` between; empty stands for any), `sent_id` and `token` where it
is about one place, `reason` and `judge`. Words and labels have spaces between; in them a space is written `\s`, a
backslash `\\`, nothing `\e`, a lone bar `\|` and a control character `\u{85}`.

Whoever reports findings says which of them an exception is about: of repeats, `karat.gold.repeats.acknowledged`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby

import numpy as np

from karat.corpus import PathLike
from karat.corpus.readers.conllu import in_order, utf8_problems
from karat.corpus.source import Source, read_source
from karat.corpus.spreadsheet_tables import (
    TableLine,
    cell_text,
    has_no_controls,
    table_lines,
    table_text,
    written_cell,
)
from karat.errors import DataError, Problem, UsageError

SCHEMA = "karat/exceptions/1"
KINDS = ("repeat", "suspect")
COLUMNS = tuple("kind column text labels sent_id token reason judge".split())

_NEEDED = ("kind", "column", "text", "labels", "reason")
_HEAD = (
    "Findings that are right as they are. Write into the column reason why; a row without a reason does not count.",
    "A row is about these words with these labels and no others: with another label they are a finding again.",
)
_SCHEMA_LINE = re.compile(r'"?#\s*schema\s+([^\s"]+)')
_BETWEEN_WAYS = "|"
_SPECIAL = re.compile(r"[\\\s\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_ESCAPE = re.compile(r"\\(?:([\\s|e])|u\{([0-9a-f]{1,6})\})?")
_NUMBER = re.compile(r"[1-9][0-9]{0,8}", re.ASCII)
_PLAIN = {"\\": "\\\\", " ": r"\s"}

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AcknowledgedException:
    """A finding that is right as it is.

    It is about these `words` with these `labellings` (a label for each word; none: whichever they have), everywhere, or
    only in the sentence `sent_id`, at the word `token` if that is given. `line` is where it stands in its file; it does
    not count in `==`.
    """

    kind: str
    column: str
    words: Words
    labellings: frozenset[Words] = frozenset()
    sent_id: str = ""
    token: int | None = None
    reason: str = ""
    judge: str = ""
    line: int = field(default=0, compare=False)

    @property
    def text(self) -> str:
        """The words as people read them."""
        return " ".join(self.words)

    @property
    def names(self) -> tuple[object, ...]:
        """What it is about; two exceptions that are about the same contradict or repeat each other."""
        return self.kind, self.column, self.words, self.labellings, self.sent_id, self.token


@dataclass(frozen=True, slots=True)
class Exceptions:
    """All exceptions of a file."""

    entries: tuple[AcknowledgedException, ...]
    path: str = ""
    sha256: str = ""

    def about(self, kind: str, column: str) -> list[AcknowledgedException]:
        """Those about findings of a kind in a column."""
        return [one for one in self.entries if (one.kind, one.column) == (kind, column)]


# ---- writing ---------------------------------------------------------------------------------------------------------


def exceptions_text(entries: Iterable[AcknowledgedException]) -> str:
    """The text of a file of exceptions, to be filled in and kept.

    >>> entry = AcknowledgedException("repeat", "upos", ("well", "done"), frozenset([("ADV", "X"), ("INTJ", "X")]))
    >>> print(exceptions_text([entry]).splitlines()[-1].replace("\\t", "; "))
    repeat; upos; well done; ADV X | INTJ X; ; ; ;\x20
    """
    lines = [f"#schema {SCHEMA}", *(f"# {line}" for line in _HEAD), "\t".join(COLUMNS)]
    lines += ["\t".join(map(written_cell, _cells(one))) for one in entries]
    return "\n".join(lines) + "\n"


def _cells(entry: AcknowledgedException) -> list[str]:
    labels = f" {_BETWEEN_WAYS} ".join(sorted(map(joined, entry.labellings)))
    token = "" if entry.token is None else str(entry.token)
    return [entry.kind, entry.column, joined(entry.words), labels, entry.sent_id, token, entry.reason, entry.judge]


def joined(words: Sequence[str]) -> str:
    """Words, or labels, with spaces between, so that they can be told apart again.

    >>> joined(["10 000", "|", "", "a|b"])
    '10\\\\s000 \\\\| \\\\e a|b'
    """
    return " ".join(map(_escaped, words))


def _escaped(word: str) -> str:
    if word in ("", _BETWEEN_WAYS):
        return r"\e" if not word else r"\|"
    return _SPECIAL.sub(lambda found: _PLAIN.get(found[0]) or f"\\u{{{ord(found[0]):x}}}", word)


# ---- reading ---------------------------------------------------------------------------------------------------------


def read_exceptions(path: PathLike) -> Exceptions:
    """The exceptions in a file; .gz, .bz2 and .xz are decompressed.

    What a spreadsheet does to a TSV is put up with, as in worklists: other line ends, cells in quotation marks, another
    order of columns, additional ones, trailing empty cells added or dropped, blank lines. Everything else that is wrong
    is raised as one `DataError`, in the order of the file: K106, K107, K940 to K943.
    """
    source = read_source(path)
    _refuse_other_files(source)
    lines = table_lines(table_text(source), is_plain=has_no_controls(source))
    below = [one for one in lines if not one.cells[0].startswith("#")]
    reader = _ExceptionReader(source.path)
    entries = reader.entries(below)
    none = np.zeros(0, dtype=np.int32)
    not_utf8 = utf8_problems(source, none.reshape(1, 0), none.astype(np.intp))  # there are no sentences
    misread = {problem.line for problem in not_utf8}
    problems = not_utf8 + [problem for problem in reader.problems if problem.line not in misread]
    if problems:
        raise DataError(in_order(source, problems))
    return Exceptions(tuple(entries), source.path, source.sha256())


def _refuse_other_files(source: Source) -> None:
    nul = np.flatnonzero(source.buffer[: source.size] == 0)
    if len(nul):
        hint = "is it UTF-16, or not a text file? save it as UTF-8, tab-separated"
        raise DataError(source.problem("K107", "the file contains a NUL byte", int(nul[0]), hint=hint))
    found = _SCHEMA_LINE.match(table_text(source).partition("\n")[0])
    if found and found[1] == SCHEMA:
        return
    message = f"this is {found[1][:60]}, not {SCHEMA}" if found else "not a file of exceptions"
    raise DataError(Problem("K940", message, source.path, hint=f"the first line is #schema {SCHEMA}"))


class _BadEntryError(Exception):
    """What is wrong with a cell: the name of its column, a message and perhaps a hint."""

    def __init__(self, column: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.column, self.hint = column, hint


class _ExceptionReader:
    """Makes exceptions of lines, and collects what is wrong with them."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.problems: list[Problem] = []
        self.first_line: dict[tuple[object, ...], int] = {}

    def entries(self, lines: Sequence[TableLine]) -> list[AcknowledgedException]:
        """The exceptions below a header."""
        if not lines:
            hint = f"the columns are {' '.join(COLUMNS)}"
            self.problems.append(Problem("K941", "the header row is missing", self.path, hint=hint))
            return []
        header, *rows = lines
        names = [cell.strip().lower() for cell in header.cells]
        while names and not names[-1]:
            names.pop()
        if not self._has_all_columns(names, header):
            return []
        return [one for one in (self._entry(line, names) for line in rows) if one is not None]

    def _has_all_columns(self, names: Sequence[str], header: TableLine) -> bool:
        hint = f"the columns are {' '.join(COLUMNS)}, in any order"
        missing = [name for name in _NEEDED if name not in names]
        if missing:
            what = f"column{'s' * (len(missing) > 1)} {', '.join(missing)}"
            self.problems.append(Problem("K941", f"the header has no {what}", self.path, *header.place(0), hint=hint))
        for number, name in enumerate(names):
            if name in COLUMNS and name in names[:number]:
                message = f"the header has the column {name} twice"
                self.problems.append(Problem("K941", message, self.path, *header.place(number)))
        return not self.problems

    def _entry(self, line: TableLine, names: Sequence[str]) -> AcknowledgedException | None:
        beyond = [place for place in range(len(names), len(line.cells)) if line.cells[place].strip()]
        n_needed = 1 + max(names.index(name) for name in ("kind", "column", "text"))
        if beyond or len(line.cells) < n_needed:
            n_cells = beyond[-1] + 1 if beyond else len(line.cells)
            message = f"{n_cells} cell{'s' * (n_cells != 1)} where the header has {len(names)}"
            place = line.place(beyond[0] if beyond else 0)
            self.problems.append(Problem("K942", message, self.path, *place, "cells are separated by single tabs"))
            return None
        cells = {name: cell_text(cell) for name, cell in zip(names, line.cells, strict=False)}
        try:
            entry = _entry_from({name: cells.get(name, "").strip() for name in COLUMNS}, line.line)
            first = self.first_line.setdefault(entry.names, line.line)
            if first != line.line:
                raise _BadEntryError("text", f"the same exception is on line {first}", "remove one of the two rows")
        except _BadEntryError as error:
            place = line.place(min(names.index(error.column) if error.column in names else 0, len(line.cells) - 1))
            self.problems.append(Problem("K943", str(error), self.path, *place, error.hint))
            return None
        return entry


def _entry_from(cells: dict[str, str], line: int) -> AcknowledgedException:
    """An exception from the cells of a row; a `_BadEntryError` for what cannot be right."""
    kind, sent_id, token = cells["kind"], cells["sent_id"], cells["token"]
    if kind not in KINDS:
        raise _BadEntryError(
            "kind", f"unexpected kind {kind[:60]!r}" if kind else "the kind is empty", " or ".join(KINDS)
        )
    for name in ("column", "text"):
        if not cells[name]:
            raise _BadEntryError(name, f"the cell {name} is empty")
    words, ways = _words("text", cells["text"]), _labellings(cells["labels"])
    if any(len(way) != len(words) for way in ways):
        wrong = next(way for way in ways if len(way) != len(words))
        hint = f"give one label for each word, with spaces between and {_BETWEEN_WAYS} between ways"
        message = f"{len(wrong)} label{'s' * (len(wrong) != 1)} for {len(words)} word{'s' * (len(words) != 1)}"
        raise _BadEntryError("labels", message, hint)
    if token and not _NUMBER.fullmatch(token):
        raise _BadEntryError("token", f"token is {token[:40]!r}, not the number of a word, from 1")
    if token and not sent_id:
        raise _BadEntryError("sent_id", "a token without a sent_id")
    if kind == "suspect" and not (sent_id and token):
        raise _BadEntryError("sent_id", "a suspect needs sent_id and token")
    number = int(token) if token else None
    return AcknowledgedException(
        kind, cells["column"].lower(), words, ways, sent_id, number, cells["reason"], cells["judge"], line
    )


def _words(name: str, text: str) -> Words:
    return tuple(_meant(name, one) for one in text.split(" ") if one)


def _labellings(text: str) -> frozenset[Words]:
    parts = groupby((one for one in text.split(" ") if one), key=lambda one: one == _BETWEEN_WAYS)
    return frozenset(tuple(_meant("labels", one) for one in way) for is_bar, way in parts if not is_bar)


def _meant(name: str, written: str) -> str:
    """A word as it was before it was written."""

    def replaced(found: re.Match[str]) -> str:
        if found[1]:
            return {"\\": "\\", "s": " ", "|": "|", "e": ""}[found[1]]
        code = int(found[2], 16) if found[2] else -1
        if not 0 <= code <= 0x10FFFF:
            message = f"{written[:60]!r}: a backslash is written \\\\, a space in a word \\s"
            raise _BadEntryError(name, message)
        return chr(code)

    return _ESCAPE.sub(replaced, written)


def keep_reasons(path: PathLike) -> None:
    """Stop before a file is written over that has people's reasons in it, or that is no file of exceptions at all."""
    if not os.path.exists(path) or os.path.getsize(path) == 0:
        return
    try:
        entries = read_exceptions(path).entries
    except DataError:
        raise UsageError(f"{os.fspath(path)} exists and is not a file of exceptions; choose another name") from None
    if any(one.reason or one.judge for one in entries):
        raise UsageError(f"{os.fspath(path)} exists and contains reasons; choose another name")
