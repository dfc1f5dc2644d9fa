"""Worklists: what people are to check, and what they decided, as a TSV that survives a spreadsheet.

The first line is `#schema karat/worklist/1`; lines that begin with `# ` say what the judge is to decide; then come a
header and one row for each thing to check. `docs/worklist.md` describes the columns.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence

from karat.corpus._worklist_reading import read_worklist, spoken, worklist_from_source, worklist_head
from karat.corpus._worklist_rows import COLUMNS, FURTHER, SCHEMA, Worklist, WorklistRow
from karat.corpus.files import compressed, replace_file
from karat.corpus.source import PathLike
from karat.corpus.spreadsheet_tables import plain, written_cell
from karat.errors import DataError, UsageError

__all__ = [
    "COLUMNS",
    "SCHEMA",
    "Worklist",
    "WorklistRow",
    "keep_verdicts",
    "read_worklist",
    "spoken",
    "worklist_from_source",
    "worklist_head",
    "worklist_text",
    "write_worklist",
]


def worklist_text(worklist: Worklist) -> str:
    r"""The text of a worklist's file, each line ended by `\n`.

    People open it in spreadsheets, and `text`, `shown` and `sent_id` come from corpora that nobody vouches for. So:

    - A control character (tab, line end, escape, …) becomes a space; no judge needs it. A lone surrogate is U+FFFD.
    - A cell that a spreadsheet would take for a formula, because it begins with `=`, `+`, `-` or `@` (wide ones too),
      perhaps after spaces, gets an apostrophe before it. That keeps a corpus from running code at the judge's, and
      `-LRB-` from turning into `#NAME?`. Reading takes off one apostrophe that stands before such a cell, and a cell
      that itself has apostrophes there gets one more: all cells come back as they were, ids too.
    - A cell that begins with a quotation mark is put in quotation marks, its own doubled: a spreadsheet would else
      read on to the next mark, over many rows.

    An id is what a row is found by, so it must stay what it is: one that is empty, has control characters,
    surrogates or spaces behind it, or is there twice is a `UsageError`. So is an empty kind.

    >>> row = WorklistRow("b1", "bracket", "news", "s4", 2, 3, "-LRB- a", "(NP -LRB- a", 2.0)
    >>> print(worklist_text(Worklist((row,), ("Is this a constituent?",))).replace("\t", "|"), end="")
    #schema karat/worklist/1
    # Is this a constituent?
    id|kind|corpus|sent_id|start|end|text|shown|weight|verdict|label|judge|note
    b1|bracket|news|s4|2|3|'-LRB- a|(NP -LRB- a|2||||
    """
    _refuse_bad_keys(worklist.rows)
    has_more = any(getattr(row, name) for row in worklist.rows for name in FURTHER)
    names = (*COLUMNS, *FURTHER) if has_more else COLUMNS
    lines = [f"#schema {SCHEMA}", *(f"# {plain(line)}" for line in worklist.head), "\t".join(names)]
    lines += ["\t".join(_written_cells(row, names)) for row in worklist.rows]
    return "\n".join(lines) + "\n"


def write_worklist(path: PathLike, worklist: Worklist) -> None:
    """Write a worklist; .gz, .bz2 and .xz are compressed. What cannot be written is a `UsageError`.

    The file appears under its name once it is complete: if anything fails, nothing half-written stays, and a file
    that had the name before is as it was. A device or a pipe is written to directly.
    """
    data = compressed(worklist_text(worklist).encode(), os.fspath(path))
    target = os.path.realpath(path)  # a link stays one
    try:
        if os.path.exists(target) and not os.path.isfile(target):
            with open(target, "wb") as device:
                device.write(data)
        else:
            replace_file(target, data)
    except OSError as error:
        raise UsageError(f"{os.fspath(path)} cannot be written: {error.strerror or error}") from None


def _refuse_bad_keys(rows: Sequence[WorklistRow]) -> None:
    seen: set[str] = set()
    for row in rows:
        if not row.id or plain(row.id).rstrip() != row.id:
            raise UsageError(f"{row.id!r} cannot be the id of a worklist's row")
        if not row.kind.strip():
            raise UsageError(f"the row {row.id!r} of the worklist has no kind")
        if row.id in seen:
            raise UsageError(f"two rows of the worklist have the id {row.id!r}")
        seen.add(row.id)


def _written_cells(row: WorklistRow, names: Sequence[str]) -> list[str]:
    numbers = {"start": str(int(row.start)), "end": str(int(row.end)), "weight": _written_weight(row.weight)}
    return [numbers[name] if name in numbers else written_cell(getattr(row, name)) for name in names]


def _written_weight(weight: float) -> str:
    return repr(float(weight)).removesuffix(".0")


def keep_verdicts(path: PathLike, kinds: Mapping[str, Collection[str]]) -> None:
    """Stop before a file is written over that has people's verdicts in it, or that is no worklist at all."""
    if not os.path.exists(path) or os.path.getsize(path) == 0:
        return
    try:
        rows = read_worklist(path, kinds=kinds).rows
    except DataError:
        raise UsageError(f"{path} exists and is not a worklist; choose another name") from None
    if any(row.verdict or row.label or row.judge or row.note for row in rows):
        raise UsageError(f"{path} exists and contains verdicts or notes; choose another name")
