"""The worklist's file, kept current with what was decided: rows that nobody judged keep their bytes.

A file that somebody edits meanwhile is never overwritten: what it says of rows that were not judged here is taken in,
what contradicts a decision is a conflict that stays until the file is put right.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from karat.corpus.files import replace_file
from karat.corpus.spreadsheet_tables import written_cell
from karat.corpus.worklist import COLUMNS
from karat.errors import UsageError

_JUDGED = ("verdict", "label", "judge", "note")


@dataclass(frozen=True, slots=True)
class Cells:
    """What a row's file says of its judgement."""

    verdict: str = ""
    label: str = ""
    judge: str = ""
    note: str = ""


class ListFile:
    """The text of a worklist's file, by lines, with the cells of judgements changed and nothing else."""

    def __init__(self, data: bytes) -> None:
        self._lines = data.decode("utf-8-sig").split("\n")
        self._has_bom = data.startswith(b"\xef\xbb\xbf")
        header = next(n for n, line in enumerate(self._lines) if line.strip() and not line.startswith("#"))
        names = [name.strip().strip('"').strip().lower() for name in self._lines[header].rstrip("\r").split("\t")]
        self._places = {name: names.index(name) for name in COLUMNS if name in names}
        self._of_id: dict[str, int] = {}
        for number in range(header + 1, len(self._lines)):
            cells = self._lines[number].rstrip("\r").split("\t")
            if len(cells) > self._places["id"]:
                self._of_id[_read(cells[self._places["id"]]).rstrip()] = number

    @property
    def ids(self) -> Sequence[str]:
        return list(self._of_id)

    def cells(self, item: str) -> Cells:
        """What the file says of a row."""
        line = self._lines[self._of_id[item]].rstrip("\r").split("\t")
        return Cells(*(_read(line[place]) if (place := self._places[name]) < len(line) else "" for name in _JUDGED))

    def change(self, item: str, cells: Cells) -> None:
        """Write a row's judgement; a row that has it already keeps its bytes."""
        if self.cells(item) == cells:
            return
        number = self._of_id[item]
        text = self._lines[number]
        end = "\r" if text.endswith("\r") else ""
        line = text.removesuffix("\r").split("\t")
        line += [""] * (max(self._places.values()) + 1 - len(line))
        for name in _JUDGED:
            line[self._places[name]] = written_cell(getattr(cells, name))
        self._lines[number] = "\t".join(line) + end

    def data(self) -> bytes:
        """The bytes of the file as it is now."""
        return (b"\xef\xbb\xbf" if self._has_bom else b"") + "\n".join(self._lines).encode("utf-8", "replace")


def _read(cell: str) -> str:
    """A cell as it was meant: without quotation marks of spreadsheets and the apostrophe before formulas."""
    from karat.corpus.spreadsheet_tables import cell_text

    if len(cell) > 1 and cell.startswith('"') and cell.endswith('"'):
        cell = cell[1:-1].replace('""', '"')
    return cell_text(cell)


@dataclass(frozen=True, slots=True)
class Brought:
    """What bringing a file up to date found: rows that somebody else judged in it, and those that contradict."""

    taken_in: Mapping[str, Cells]
    conflicts: Mapping[str, Cells]
    sha256: str


def brought_up_to_date(
    path: str, decided: Mapping[str, Cells], written: Mapping[str, Cells], *, source: str | None = None
) -> Brought:
    """Write what was decided into a file; `written` is what it had when it was last written by us.

    A row that has something else by now was edited elsewhere: where nothing was decided here since, that is taken in
    and comes back; otherwise it is a conflict, and the row stays as it is in the file. `source` is the list that a file
    which is not there yet is made from.
    """
    at = path if os.path.exists(path) else source or path
    try:
        with open(at, "rb") as file:
            before = file.read()
    except OSError as error:
        raise UsageError(f"{at} cannot be read: {error.strerror}") from None
    found = ListFile(before)
    taken: dict[str, Cells] = {}
    conflicts: dict[str, Cells] = {}
    for item in found.ids:
        there, last, ours = found.cells(item), written.get(item, Cells()), decided.get(item, Cells())
        if os.path.exists(path) and there not in (last, ours):
            (taken if ours == last else conflicts)[item] = there
        elif item in decided:
            found.change(item, ours)
    data = found.data()
    if data != before or at != path:
        try:
            replace_file(os.path.realpath(path), data)
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror or error}") from None
    return Brought(taken, conflicts, hashlib.sha256(data).hexdigest())
