"""A worklist of any kind: read with the verdicts that its rows allow."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence

from karat.corpus.source import Source, read_source
from karat.corpus.spreadsheet_tables import table_lines, table_text
from karat.corpus.worklist import Worklist, WorklistRow, worklist_from_source
from karat.review.questions import every_verdict, question_of

_ADJUDICATION = "adjudication"


def read_any_worklist(path: str | os.PathLike[str]) -> Worklist:
    """The list in a file; a `DataError` if it is none, or has rows of a kind that karat does not know."""
    return any_worklist(read_source(path))[0]


def any_worklist(source: Source) -> tuple[Worklist, Mapping[str, Sequence[str]]]:
    """The list in a text that has been read, and the verdicts that each kind of its rows allows."""
    known = dict(every_verdict())
    if _ADJUDICATION.encode() in source.buffer.tobytes():  # its verdicts are the annotators' names
        known[_ADJUDICATION] = list(dict.fromkeys(_annotators(source)))
    return worklist_from_source(source, kinds=known), known


def _annotators(source: Source) -> Iterator[str]:
    """The verdicts that rows of annotators' disagreements allow, as they show them."""
    lines = (line.cells for line in table_lines(table_text(source), is_plain=False))
    header = next((cells for cells in lines if not cells[0].startswith("#")), [])
    names = [cell.strip().lower() for cell in header]
    if not {"kind", "shown"} <= set(names):
        return
    kind, shown = names.index("kind"), names.index("shown")
    for cells in lines:
        if len(cells) > max(kind, shown) and cells[kind].strip() == _ADJUDICATION:
            row = WorklistRow("w1", _ADJUDICATION, "", "", 1, 1, "", cells[shown])
            yield from (one.verdict for one in question_of(row).choices)
