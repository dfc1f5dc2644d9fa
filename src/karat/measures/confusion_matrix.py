"""A confusion matrix, and the file that holds one: gold labels in the first column, system labels in the first row."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from karat._arrays import Floats
from karat.corpus import PathLike, read_source
from karat.corpus.readers.analysed_formats import refuse_unreadable
from karat.corpus.source import Source
from karat.errors import DataError, Problem
from karat.signature import shown_input

_DELIMITERS = ("\t", ",", ";")
_QUOTE = '"'
_COUNT = re.compile(r"[0-9]{1,40}(\.0*)?", re.ASCII)  # whole numbers; spreadsheets write 12.0
_MOST_LABELS = 4096  # a table of 128 MB
_MOST_BYTES = 256 << 20
_LARGEST = 2**53  # up to which every whole number is a float of its own
_HINT = "the first row has the system's labels, the first column the gold's, all other cells are counts"


@dataclass(frozen=True, slots=True, eq=False)
class ConfusionMatrix:
    """`counts[g, s]` things have the label g in the gold and s in the system, both numbers of `labels`.

    Labels are in the order of the gold's, then the system's that the gold does not have. `signed` is how a signature
    names what it was read from.
    """

    labels: tuple[str, ...]
    counts: Floats
    path: str = "<counts>"
    signed: str = ""


def read_confusion_matrix(confusion: Mapping[str, Mapping[str, int]] | PathLike) -> ConfusionMatrix:
    """The confusion matrix in a file, or of a mapping of gold labels to system labels to counts.

    A file has tabs, commas or semicolons between its cells, whichever its first row has; a cell with one in it stands
    in double quotes. The first row may leave out the cell above the gold labels. What is wrong is a `DataError` (K723).
    """
    if isinstance(confusion, Mapping):
        return _from_mapping(confusion)
    source = read_source(confusion)
    refuse_unreadable(source)
    if source.size > _MOST_BYTES:
        raise DataError(Problem("K723", "too large for a confusion matrix", source.path))
    return _Reading(source).matrix()


def _from_mapping(confusion: Mapping[str, Mapping[str, int]]) -> ConfusionMatrix:
    every = [(gold, system, n) for gold, row in confusion.items() for system, n in row.items()]
    for gold, system, n in every:
        if not 0 <= n <= _LARGEST or n != int(n):
            raise DataError(Problem("K723", f"{n!r} of {gold} and {system} is not a count", "<counts>"))
    labels = list(dict.fromkeys([*confusion, *(system for _, system, _ in every)]))
    if len(labels) > _MOST_LABELS:
        raise DataError(Problem("K723", _too_many(len(labels)), "<counts>"))
    number = {label: place for place, label in enumerate(labels)}
    counts = np.zeros((len(labels), len(labels)))
    for gold, system, n in every:
        counts[number[gold], number[system]] = n
    return _checked(ConfusionMatrix(tuple(labels), counts))


def _counted(n: int, what: str) -> str:
    return f"{n:,} {what}{'s' * (n != 1)}"


def _too_many(n: int) -> str:
    return f"{n:,} labels, more than the {_MOST_LABELS:,} that a matrix can have"


def _checked(found: ConfusionMatrix) -> ConfusionMatrix:
    total = found.counts.sum()
    if total == 0:
        raise DataError(Problem("K723", "all counts are 0", found.path))
    if total > _LARGEST:
        raise DataError(Problem("K723", "the counts are too large to be added up", found.path))
    return found


@dataclass(frozen=True, slots=True)
class _Cell:
    text: str
    line: int
    column: int


class _Reading:
    """The cells of a file, each with its place."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.path = source.path
        text = source.text(0, source.size)
        lines = [(number, line.rstrip("\r")) for number, line in enumerate(text.split("\n"), start=1)]
        lines = [(number, line) for number, line in lines if line.strip()]
        if len(lines) < 2:
            raise self.wrong("no row of counts", _Cell("", 1, 1))
        delimiter = max(_DELIMITERS, key=lines[0][1].count) if "\t" not in lines[0][1] else "\t"
        self.rows = [self.cells(line, number, delimiter) for number, line in lines]

    def wrong(self, message: str, cell: _Cell, hint: str = _HINT) -> DataError:
        return DataError(Problem("K723", message, self.path, cell.line, cell.column, hint=hint))

    def cells(self, line: str, number: int, delimiter: str) -> list[_Cell]:
        """The cells of a line; in quotes, two quotes stand for one."""
        found, place = [], 0
        while True:
            cell = _Cell("", number, place + 1)
            if line.startswith(_QUOTE, place):
                text, place = self._quoted(line, cell)
                if place < len(line) and line[place] != delimiter:
                    raise self.wrong("text after a quoted cell", _Cell("", number, place + 1))
            else:
                stop = line.find(delimiter, place)
                text, place = (line[place:], len(line)) if stop < 0 else (line[place:stop], stop)
            found.append(_Cell(text.strip(), number, cell.column))
            if place >= len(line):
                return found
            place += 1

    def _quoted(self, line: str, cell: _Cell) -> tuple[str, int]:
        """The text in quotes that begins at a cell, and the place behind."""
        pieces, place = [], cell.column
        while (stop := line.find(_QUOTE, place)) >= 0:
            pieces.append(line[place:stop])
            place = stop + 1
            if not line.startswith(_QUOTE, place):
                return _QUOTE.join(pieces), place
            place += 1
        raise self.wrong("quote that is never closed", cell)

    def matrix(self) -> ConfusionMatrix:
        head, *rows = self.rows
        columns = head if len(head) == len(rows[0]) - 1 else head[1:]  # some leave out the cell above the labels
        if not columns:
            raise self.wrong("no system label", head[0])
        self._refuse_twice(columns)
        self._refuse_twice([row[0] for row in rows])
        for row in rows:
            if len(row) != len(columns) + 1:
                message = f"{_counted(len(row) - 1, 'count')} for {_counted(len(columns), 'system label')}"
                raise self.wrong(message, row[min(len(columns) + 1, len(row) - 1)])
        labels = list(dict.fromkeys(cell.text for cell in (*(row[0] for row in rows), *columns)))
        if len(labels) > _MOST_LABELS:
            raise self.wrong(_too_many(len(labels)), head[0])
        number = {label: place for place, label in enumerate(labels)}
        counts = np.zeros((len(labels), len(labels)))
        at = [number[cell.text] for cell in columns]
        for row in rows:
            counts[number[row[0].text], at] = [self._count(cell) for cell in row[1:]]
        self._refuse_totals(rows[-1][0], columns[-1], counts[[number[row[0].text] for row in rows]][:, at])
        signed = shown_input(self.path, self.source.sha256())
        return _checked(ConfusionMatrix(tuple(labels), counts, self.path, signed))

    def _refuse_twice(self, cells: Sequence[_Cell]) -> None:
        seen: set[str] = set()
        for cell in cells:
            if not cell.text:
                raise self.wrong("a label is empty", cell)
            if cell.text in seen:
                raise self.wrong(f"the label {cell.text!r} occurs twice", cell)
            seen.add(cell.text)

    def _count(self, cell: _Cell) -> float:
        value = float(cell.text) if _COUNT.fullmatch(cell.text) else -1.0
        if not 0 <= value <= _LARGEST:
            hint = "write 0 where nothing was confused" if not cell.text else "a count is a non-negative whole number"
            raise self.wrong(f"{cell.text[:40]!r} is not a count", cell, hint)
        return value

    def _refuse_totals(self, gold: _Cell, system: _Cell, counts: Floats) -> None:
        """Totals would count everything twice: the last row and column, of the same name, that sum up the others."""
        others = counts[:-1, :-1]
        if gold.text != system.text or not others.any():
            return
        rows, columns = others.sum(axis=1), others.sum(axis=0)
        is_total = np.array_equal(counts[:-1, -1], rows) and np.array_equal(counts[-1, :-1], columns)
        if is_total and counts[-1, -1] == others.sum():
            raise self.wrong(f"{gold.text!r} contains totals", gold, "leave out totals")
