"""A worklist of any kind: read with the verdicts that its rows allow."""

from __future__ import annotations

import os

from karat.corpus.source import read_source
from karat.corpus.spreadsheet_tables import table_lines, table_text
from karat.corpus.worklist import Worklist, WorklistRow, read_worklist
from karat.errors import DataError, Problem
from karat.review.questions import question_of, verdicts_of

_ADJUDICATION = "adjudication"


def read_any_worklist(path: str | os.PathLike[str]) -> Worklist:
    """The list in a file; a `DataError` if it is none, or has rows of a kind that karat does not know."""
    kinds = _kinds(path)
    known = dict(verdicts_of(kinds))
    if _ADJUDICATION in kinds:  # whose verdicts are the annotators' names
        known[_ADJUDICATION] = _annotators(path)
    if not known:
        hint = "karat score, noise plan, repeats, suspects, agree and diff write worklists"
        raise DataError(Problem("K730", "not a worklist that can be judged", os.fspath(path), hint=hint))
    return read_worklist(path, kinds=known)


def _column(path: str | os.PathLike[str], name: str) -> list[str]:
    lines = [
        line for line in table_lines(table_text(read_source(path)), is_plain=False) if not line.cells[0].startswith("#")
    ]
    if not lines or name not in (header := [cell.strip().lower() for cell in lines[0].cells]):
        return []
    place = header.index(name)
    return [line.cells[place] for line in lines[1:] if place < len(line.cells)]


def _kinds(path: str | os.PathLike[str]) -> list[str]:
    return list(dict.fromkeys(kind.strip() for kind in _column(path, "kind")))


def _annotators(path: str | os.PathLike[str]) -> list[str]:
    """The verdicts that rows of annotators' disagreements allow, as their first row shows them."""
    shown = next(iter(_column(path, "shown")), "")
    row = WorklistRow("w1", _ADJUDICATION, "", "", 1, 1, "", shown)
    return [one.verdict for one in question_of(row).choices]
