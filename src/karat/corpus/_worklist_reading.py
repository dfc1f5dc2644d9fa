"""Reading worklists, also when a spreadsheet has been at them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from operator import gt
from typing import NamedTuple, TypeVar, overload

import numpy as np

from karat._garbage import no_collection
from karat.corpus._worklist_rows import COLUMNS, FURTHER, SCHEMA, RowsRead, Worklist
from karat.corpus.readers.conllu import in_order, utf8_problems
from karat.corpus.source import PathLike, Source, read_source
from karat.corpus.spreadsheet_tables import TableLine, cell_text, has_no_controls, table_lines, table_text
from karat.errors import DataError, Problem

_Text = TypeVar("_Text", bound=Hashable)
_Value = TypeVar("_Value")
_OF_THE_JUDGE = COLUMNS[COLUMNS.index("verdict") :]

_WORD_NUMBER = re.compile(r"0*[1-9][0-9]{0,8}", re.ASCII)
_WEIGHT = re.compile(r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?", re.ASCII)
_SCHEMA_LINE = re.compile(r'"?#\s*schema\s+([^\s"]+)')
_LONGEST_SCHEMA_LINE = 4096  # bytes; spreadsheets pad it with tabs


def read_worklist(path: PathLike, *, kinds: Mapping[str, Collection[str]]) -> Worklist:
    """The worklist in a file; `-` is standard input, .gz, .bz2 and .xz are decompressed.

    `kinds` names the kinds that are expected, each with the verdicts it allows. A verdict may be empty; another one
    comes back as `kinds` spells it, whatever its case. Spaces around verdict, label and judge, and behind an id, are
    taken off.

    What a spreadsheet does to a TSV is put up with: other line ends, a byte order mark, cells in quotation marks (with
    line ends in them too), another order of columns, additional named columns (left out), trailing empty cells added
    or dropped, blank lines. Of the cells that were dropped only the judge's may be missing. A cell wholly in quotation
    marks loses them, also where a tool that never quotes (Google Sheets) has written it.

    Everything else that is wrong is raised as one `DataError`, in the order of the file: K106, K107, K730 to K735.
    """
    return worklist_from_source(read_source(path), kinds=kinds)


def worklist_from_source(source: Source, *, kinds: Mapping[str, Collection[str]]) -> Worklist:
    """The worklist in a text that has been read; see `read_worklist`."""
    _refuse_other_files(source)
    text, is_plain = table_text(source), has_no_controls(source)
    lines = table_lines(text, is_plain=is_plain)
    next(lines)  # the schema
    head, line = _head(lines)
    reader = _RowReader(source.path, kinds)
    with no_collection():
        rows = reader.rows(line, (_even_lines(text, line) if is_plain else None) or lines)
    none = np.zeros(0, dtype=np.int32)
    not_utf8 = utf8_problems(source, none.reshape(1, 0), none.astype(np.intp))  # a worklist has no sentences
    misread = {problem.line for problem in not_utf8}
    problems = not_utf8 + [problem for problem in reader.problems if problem.line not in misread]
    if problems:
        raise DataError(in_order(source, problems))
    return Worklist(rows, tuple(head), source.path)


def worklist_head(source: Source) -> tuple[str, ...]:
    """The lines of a worklist that tell the judge what to decide, whatever its rows are."""
    _refuse_other_files(source)
    lines = table_lines(table_text(source), is_plain=has_no_controls(source))
    next(lines)
    return tuple(_head(lines)[0])


def _head(lines: Iterator[TableLine]) -> tuple[list[str], TableLine | None]:
    """What stands before the header, and the header."""
    head: list[str] = []
    while (line := next(lines, None)) is not None and line.cells[0].startswith("#"):
        head.append(_head_text(line))
    return head, line


def _refuse_other_files(source: Source) -> None:
    """Raise where the file is no text, or does not begin as a worklist of this version does."""
    nul = np.flatnonzero(source.buffer[: source.size] == 0)
    if len(nul):
        hint = "is it UTF-16, or not a text file? save it as UTF-8, tab-separated"
        raise DataError(source.problem("K107", "the file contains a NUL byte", int(nul[0]), hint=hint))
    beginning = source.text(0, min(source.size, _LONGEST_SCHEMA_LINE))
    found = _SCHEMA_LINE.match(re.split(r"[\r\n]", beginning, maxsplit=1)[0])
    name = found[1] if found else ""
    if name == SCHEMA:
        return
    message = f"this is {name[:60]}, not a worklist" if name else "not a worklist"
    hint = f"the first line of a worklist is #schema {SCHEMA}"
    if name.startswith(SCHEMA.rpartition("/")[0] + "/"):
        message = f"this worklist is of version {name[:60]}; this karat reads {SCHEMA}"
        hint = "make it again with this version of karat, or use the version that made it"
    raise DataError(Problem("K730", message, source.path, hint=hint))


class _EvenLines(Sequence[TableLine]):
    """Lines that follow each other and have equally many cells, as columns; a line is made when it is asked for."""

    def __init__(self, columns: Sequence[Sequence[str]], first: int) -> None:
        self.columns, self.first = columns, first

    def __len__(self) -> int:
        return len(self.columns[0])

    @overload
    def __getitem__(self, place: int) -> TableLine: ...
    @overload
    def __getitem__(self, place: slice) -> list[TableLine]: ...
    def __getitem__(self, place: int | slice) -> TableLine | list[TableLine]:
        if isinstance(place, slice):
            return [self[number] for number in range(*place.indices(len(self)))]
        return TableLine([column[place] for column in self.columns], self.first + range(len(self))[place])


def _even_lines(text: str, header: TableLine | None) -> _EvenLines | None:
    """The lines below the header where they are as karat has written them, and so quickly cut; None for others."""
    if header is None or header.places or not header.cells[-1].strip():
        return None
    if '\n"' in text or '\t"' in text:
        return None
    below = text.split("\n", header.line)[header.line :]
    lines = below[0].removesuffix("\n") if below else ""
    n_columns = len(header.cells)
    if not lines or {line.count("\t") for line in lines.split("\n")} != {n_columns - 1}:
        return None
    cells = lines.replace("\n", "\t").split("\t")
    columns = [cells[place::n_columns] for place in range(n_columns)]
    has_no_blank_line = all(map(str.strip, columns[0]))
    return _EvenLines(columns, header.line + 1) if has_no_blank_line else None


def _head_text(line: TableLine) -> str:
    return " ".join(cell for cell in line.cells if cell).removeprefix("#").removeprefix(" ")


class _Wrong(NamedTuple):
    """What is wrong with the text of a cell."""

    code: str
    message: str
    hint: str = ""


class _RowReader:
    """Makes rows of lines, and collects what is wrong with them.

    A column at a time: what is in it is mostly one of a few texts, and each of them is looked at once.
    """

    def __init__(self, path: str, kinds: Mapping[str, Collection[str]]) -> None:
        self.path = path
        self.verdicts = {kind: {spoken(verdict): verdict for verdict in verdicts} for kind, verdicts in kinds.items()}
        self.problems: list[Problem] = []

    def rows(self, header: TableLine | None, lines: Iterable[TableLine]) -> RowsRead:
        """The rows below a header; none if there are problems."""
        if header is None:
            hint = f"the columns are {' '.join(COLUMNS)}"
            self.problems.append(Problem("K731", "the header row is missing", self.path, hint=hint))
            return RowsRead({"id": ()})
        names = [cell.strip().lower() for cell in header.cells]
        while names and not names[-1]:
            names.pop()
        if not self._has_all_columns(names, header):
            return RowsRead({"id": ()})
        number = {name: names.index(name) for name in (*COLUMNS, *FURTHER) if name in names}
        n_needed = 1 + max(number[name] for name in COLUMNS if name not in _OF_THE_JUDGE)
        columns: Sequence[Sequence[str]]
        if isinstance(lines, _EvenLines):
            columns = lines.columns
        else:
            lines = [line for line in lines if self._has_all_cells(line, len(names), n_needed)]
            columns = list(zip_longest(*(line.cells for line in lines), fillvalue=""))
        nothing = ("",) * len(lines)  # in columns that a spreadsheet dropped
        texts = {name: _texts(columns[n] if n < len(columns) else nothing) for name, n in number.items()}
        texts |= {name: nothing for name in FURTHER if name not in texts}
        texts["id"] = [text.rstrip() for text in texts["id"]]
        self._check_ids(texts["id"], lines, number["id"])

        def values(name: str, read: Callable[[str], _Value | _Wrong], nothing: _Value) -> list[_Value]:
            return self._values(texts[name], lines, number[name], lambda text: read(text.strip()), nothing)

        start, end = (values(name, _word_number(name), 0) for name in ("start", "end"))
        if any(map(gt, start, end)):
            for line, first, last in zip(lines, start, end, strict=True):
                if first > last > 0:
                    self._tell(_Wrong("K732", f"start is {first}, after end, which is {last}"), line, number["start"])
        weight, kind = values("weight", _weight, 1.0), values("kind", self._kind, "")
        said = list(zip(kind, texts["verdict"], strict=True))
        verdict = self._values(said, lines, number["verdict"], self._verdict, "")
        if self.problems:
            return RowsRead({"id": ()})
        label, judge = (
            [text.strip() for text in texts[name]] if any(texts[name]) else texts[name] for name in ("label", "judge")
        )
        values_read: dict[str, Sequence[object]] = {
            "kind": kind,
            "start": start,
            "end": end,
            "weight": weight,
            "verdict": verdict,
        }
        places = (
            range(lines.first, lines.first + len(lines))
            if isinstance(lines, _EvenLines)
            else [line.line for line in lines]
        )
        return RowsRead({**texts, **values_read, "label": label, "judge": judge, "line": places})

    def _tell(self, wrong: _Wrong, line: TableLine, cell: int) -> None:
        self.problems.append(Problem(wrong.code, wrong.message, self.path, *line.place(cell), wrong.hint))

    def _has_all_columns(self, names: list[str], header: TableLine) -> bool:
        n_before = len(self.problems)
        missing = [name for name in COLUMNS if name not in names]
        hint = f"the columns are {' '.join(COLUMNS)}, in any order"
        if len(missing) == len(COLUMNS):
            self._tell(_Wrong("K731", "the header row is missing here", hint), header, 0)
        elif missing:
            what = f"column{'s' * (len(missing) > 1)} {', '.join(missing)}"
            self._tell(_Wrong("K731", f"the header has no {what}", hint), header, 0)
        first: dict[str, int] = {}
        for number, name in enumerate(names):
            if first.setdefault(name, number) != number and name in COLUMNS:
                twice = _Wrong("K731", f"the header has the column {name} twice", "remove or rename one")
                self._tell(twice, header, number)
        return len(self.problems) == n_before

    def _has_all_cells(self, line: TableLine, n_columns: int, n_needed: int) -> bool:
        n_found = len(line.cells)
        if n_needed <= n_found <= n_columns:
            return True
        beyond = [place for place in range(n_columns, n_found) if line.cells[place].strip()]
        if n_found >= n_needed and not beyond:
            return True
        n_found = beyond[-1] + 1 if beyond else n_found
        message = f"{n_found} cell{'s' * (n_found != 1)} where the header has {n_columns}"
        wrong = _Wrong("K732", message, "cells are separated by single tabs")
        self._tell(wrong, line, beyond[0] if beyond else 0)
        return False

    def _values(
        self,
        texts: Sequence[_Text],
        lines: Sequence[TableLine],
        cell: int,
        read: Callable[[_Text], _Value | _Wrong],
        nothing: _Value,
    ) -> list[_Value]:
        """What the texts of a column stand for; nothing if something is wrong with them."""
        known: dict[_Text, _Value] = {}
        wrong: dict[_Text, _Wrong] = {}
        for text in set(texts):
            value = read(text)
            if isinstance(value, _Wrong):
                wrong[text] = value
            known[text] = nothing if isinstance(value, _Wrong) else value
        if wrong:
            for line, text in zip(lines, texts, strict=True):
                if text in wrong:
                    self._tell(wrong[text], line, cell)
        return [known[text] for text in texts]

    def _check_ids(self, ids: Sequence[str], lines: Sequence[TableLine], cell: int) -> None:
        if len(set(ids)) == len(ids) and all(map(str.strip, ids)):
            return
        line_of_id: dict[str, int] = {}
        for text, line in zip(ids, lines, strict=True):
            if not text.strip():
                self._tell(_Wrong("K732", "the id is empty"), line, cell)
            elif (first := line_of_id.setdefault(text, line.line)) != line.line:
                hint = "ids must be unique: remove one of the two rows"
                self._tell(_Wrong("K735", f"the id {text[:60]!r} is also on line {first}", hint), line, cell)

    def _kind(self, kind: str) -> str | _Wrong:
        if kind in self.verdicts:
            return kind
        message = f"unexpected kind {kind[:60]!r}" if kind else "the kind is empty"
        return _Wrong("K733", message, f"expected: {', '.join(self.verdicts)}")

    def _verdict(self, said: tuple[str, str]) -> str | _Wrong:
        """A verdict as its kind spells it."""
        kind, text = said[0], said[1].strip()
        allowed = self.verdicts.get(kind, {})
        said_so = spoken(text)
        if kind and text and said_so not in allowed:
            hint = f"{kind} allows: {', '.join(allowed.values())}; or leave it empty"
            return _Wrong("K734", f"{text[:60]!r} is not a verdict for the kind {kind}", hint)
        return allowed.get(said_so, "")


def spoken(verdict: str) -> str:
    """A verdict however it is written: what is the same is one.

    >>> spoken(" Error in  A")
    'error-in-a'
    """
    return "-".join(verdict.casefold().split())


def _texts(cells: Sequence[str]) -> Sequence[str]:
    """The cells of a column without the apostrophes that keep a spreadsheet from taking them for formulas."""
    if "\n'" not in "\n" + "\n".join(cells):
        return cells
    return [cell_text(cell) for cell in cells]


def _word_number(name: str) -> Callable[[str], int | _Wrong]:
    def read(text: str) -> int | _Wrong:
        if _WORD_NUMBER.fullmatch(text):
            return int(text)
        return _Wrong("K732", f"{name} is {text[:40]!r}, not the number of a word, from 1")

    return read


def _weight(text: str) -> float | _Wrong:
    weight = float(text) if _WEIGHT.fullmatch(text) else math.nan
    if math.isfinite(weight) and weight > 0:
        return weight
    hint = "write it with a decimal point, as in 0.5" if "," in text else ""
    return _Wrong("K732", f"weight is {text[:40]!r}, not a finite number above 0", hint)
