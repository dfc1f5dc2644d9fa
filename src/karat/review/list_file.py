"""The worklist's file, kept current with what was decided: rows that nobody judged keep their bytes.

A file that somebody edits meanwhile is never overwritten: what it says of rows that were not judged here is taken in,
what contradicts a decision is a conflict, as it may be an old copy that came back. It stays in the file, and is one,
until both say the same or the judge decides on the row again.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, fields

from karat.corpus.source import Source
from karat.corpus.spreadsheet_tables import cell_spans, table_lines, table_text, written_cell
from karat.corpus.worklist import COLUMNS, Worklist

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")


@dataclass(frozen=True, slots=True)
class Cells:
    """What a row's file says of its judgement."""

    verdict: str = ""
    label: str = ""
    judge: str = ""
    note: str = ""


BLANK = Cells()
_JUDGED = tuple(field.name for field in fields(Cells))


def cells_of(worklist: Worklist) -> dict[str, Cells]:
    """What a list says of its rows, by id; rows without any judgement are left out."""
    columns = (worklist.column(name) for name in ("id", *_JUDGED))
    return {item: Cells(*cells) for item, *cells in zip(*columns, strict=True) if any(cells)}


class ListFile:
    """The text of a worklist's file, by lines, in which the cells of judgements are changed and nothing else.

    `worklist` is what was read of it: it knows the line of each row.
    """

    def __init__(self, source: Source, worklist: Worklist) -> None:
        text = source.part_bytes(source.parts[0]).decode()
        self._lines = _LINE.findall(text)
        ids, lines = worklist.column("id"), worklist.column("line")
        self._line_of = {item: line - 1 for item, line in zip(ids, lines, strict=True)}
        self._starts = [*self._line_of.values(), len(self._lines)]
        self._places = _columns(source)

    def __contains__(self, item: str) -> bool:
        return item in self._line_of

    def change(self, item: str, cells: Cells) -> None:
        """Write a row's judgement; cells that have it already keep their bytes."""
        first = self._line_of[item]
        stop = self._starts[bisect.bisect_right(self._starts, first)]
        raw = "".join(self._lines[first:stop])
        text = _with_line_feeds(raw)
        spans = cell_spans(text)
        row = [text[start:end] for start, end in spans]
        row += [""] * (max(self._places[name] for name in _JUDGED) + 1 - len(row))
        for name in _JUDGED:
            row[self._places[name]] = written_cell(getattr(cells, name))
        end = _line_end(raw)
        rest = text[spans[-1][1] :]  # the end of the row's line, and blank ones
        self._lines[first:stop] = [("\t".join(row) + rest).replace("\n", end), *[""] * (stop - first - 1)]

    def data(self) -> bytes:
        """The bytes of the file as it is now."""
        return "".join(self._lines).encode()


def _line_end(text: str) -> str:
    found = re.search(r"\r\n|\r|\n", text)
    return found[0] if found else "\n"


def _with_line_feeds(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _columns(source: Source) -> Mapping[str, int]:
    """The place of each column, as the header says."""
    lines = table_lines(table_text(source), is_plain=False)
    header = next(line.cells for line in lines if not line.cells[0].startswith("#"))
    names = [cell.strip().lower() for cell in header]
    return {name: names.index(name) for name in COLUMNS}


# ---- the file against the store --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Conflict:
    """What a file says against a judge, and the event after which the judge's word counts again."""

    cells: Cells
    event: int


@dataclass(frozen=True, slots=True)
class Merged:
    """What is to be written into a file, what is taken in from it, and what contradicts."""

    to_write: Mapping[str, Cells]
    taken_in: Mapping[str, Cells]
    conflicts: Mapping[str, Cells]


def merged(
    there: Mapping[str, Cells],
    ours: Mapping[str, Cells],
    since: Mapping[str, Sequence[tuple[int, Cells]]],
    conflicts: Mapping[str, Conflict],
    decided: Container[str],
) -> Merged:
    """What a file that somebody may have edited and a judge's decisions come to.

    `since` has, for each row that was decided on since the file was last written, the events and what the row had,
    first what the file was given then. `conflicts` are those that were found before, `decided` the rows whose verdict
    was given here and not read in a file.
    """
    to_write: dict[str, Cells] = {}
    taken_in: dict[str, Cells] = {}
    open_conflicts: dict[str, Cells] = {}
    for item in {**there, **ours, **conflicts}:  # in the order of the file
        file, our = there.get(item, BLANK), ours.get(item, BLANK)
        if file == our:
            continue
        states = since.get(item, ())
        old = conflicts.get(item)
        if old is not None and file == old.cells:
            is_decided_again = bool(states) and states[-1][0] > old.event
            (to_write if is_decided_again else open_conflicts)[item] = our if is_decided_again else file
        elif old is None and any(file == cells for _, cells in states):  # ours, written before karat was stopped
            to_write[item] = our
        elif old is None and file != BLANK and not states and (our == BLANK or item not in decided):
            taken_in[item] = file
        else:
            open_conflicts[item] = file
    return Merged(to_write, taken_in, open_conflicts)
