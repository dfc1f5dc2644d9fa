"""Tables with tabs between cells that people open in spreadsheets: their cells written, and their lines read again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from karat.corpus.source import Source

FORMULA = re.compile(r"[\s']*[=+\-@＝＋－＠]")

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")  # file names that are not UTF-8 bring them
# A cell in quotation marks holds no tab. So a mark that nobody closed, as people leave them, ends with its cell and
# does not swallow the rows below, as it would with Python's csv; and no text is gone through twice.
_CELL = re.compile(r'"((?:[^"\t]++|"")*+)"(?=[\t\n]|\Z)|([^\t\n]*+)')


def plain(text: str) -> str:
    """A text without control characters and lone surrogates."""
    if text.isprintable():
        return text
    return _SURROGATE.sub("\ufffd", _CONTROL.sub(" ", text))


def written_cell(text: str) -> str:
    """A cell that a spreadsheet shows as it is: neither computed nor read on over many rows.

    >>> [written_cell(text) for text in ("-LRB-", '"so', "so")]
    ["'-LRB-", '\"\"\"so\"', 'so']
    """
    text = plain(text)
    if FORMULA.match(text):
        return f"'{text}"
    return '"' + text.replace('"', '""') + '"' if text.startswith('"') else text


def cell_text(cell: str) -> str:
    """A cell without the apostrophe that keeps a spreadsheet from taking it for a formula."""
    return cell[1:] if cell.startswith("'") and FORMULA.match(cell) else cell


class TableLine(NamedTuple):
    """The cells of a line of a table. `line` is where it begins; `places` are its cells' lines and columns.

    Without places, the cells stand in the file as they are, one behind the other.
    """

    cells: list[str]
    line: int
    places: tuple[tuple[int, int], ...] = ()

    def place(self, number: int) -> tuple[int, int]:
        """The line and the column of a cell."""
        if self.places:
            return self.places[number]
        return self.line, sum(len(cell) + 1 for cell in self.cells[:number]) + 1


def table_text(source: Source) -> str:
    """The text of a file, its lines ended by line feeds."""
    text = source.text(0, source.size)
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def has_no_controls(source: Source) -> bool:
    """Whether there are no control characters but tabs and line ends."""
    data = source.buffer[: source.size]
    n_control = np.count_nonzero(data < ord(" ")) + np.count_nonzero(data == 0x7F)
    if n_control != sum(np.count_nonzero(data == ord(mark)) for mark in "\t\n\r"):
        return False
    behind = source.buffer.take(np.flatnonzero(data == 0xC2) + 1)  # U+0080 to U+009F begin with this byte
    return not bool(((behind >= 0x80) & (behind <= 0x9F)).any())


def table_lines(text: str, *, is_plain: bool) -> Iterator[TableLine]:
    """The lines of the table that are not blank; one with a line end in quotation marks goes on over several.

    Unless the text `is_plain`, control characters in cells become spaces.
    """
    place = next_place = 0
    number = 1
    for whole in text.split("\n"):
        if place == next_place:
            if '"' in whole and (whole[0] == '"' or '\t"' in whole):
                line, next_place, number = _quoted_line(text, place, number)
            else:
                line, next_place, number = TableLine(whole.split("\t"), number), place + len(whole) + 1, number + 1
            if line.places or not is_plain:
                line.cells[:] = map(plain, line.cells)
            if any(map(str.strip, line.cells)):
                yield line
        place += len(whole) + 1


def cell_spans(text: str) -> list[tuple[int, int]]:
    """Where the cells of the first line of a table stand in its text, quotation marks included."""
    found, place = [], 0
    while True:
        cell = _CELL.match(text, place)
        assert cell is not None  # an empty cell matches everywhere
        found.append(cell.span())
        place = cell.end() + 1
        if text[cell.end() : place] != "\t":
            return found


def _quoted_line(text: str, place: int, number: int) -> tuple[TableLine, int, int]:
    """A line in which there are quotation marks, and place and number of the next."""
    cells, places = [], []
    line, line_start = number, place
    while True:
        found = _CELL.match(text, place)
        assert found is not None  # an empty cell matches everywhere
        quoted, bare = found.groups()
        cells.append(bare if quoted is None else quoted.replace('""', '"'))
        places.append((line, place - line_start + 1))
        if quoted is not None and "\n" in quoted:
            line += quoted.count("\n")
            line_start = text.rindex("\n", place, found.end()) + 1
        place = found.end() + 1
        if text[found.end() : place] != "\t":
            return TableLine(cells, number, tuple(places)), place, line + 1
