"""Worklists that tests of the review make: sentences of our own, one row each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from karat.corpus.worklist import Worklist, WorklistRow, worklist_text


def bracket_list(n: int, *, prefix: str = "b", judged: Sequence[tuple[str, str, str, str]] = ()) -> Worklist:
    """A list of brackets; `judged` has verdict, label, judge and note of its first rows."""
    rows = [
        WorklistRow(f"{prefix}{k}", "bracket", "harbour", f"s{k}", 1, 2, f"cold tea {k}", f"(NP cold tea {k})")
        for k in range(1, n + 1)
    ]
    for place, (verdict, label, judge, note) in enumerate(judged):
        one = rows[place]
        rows[place] = WorklistRow(
            *(one.id, one.kind, one.corpus, one.sent_id, one.start, one.end, one.text, one.shown, one.weight),
            *(verdict, label, judge, note),
        )
    return Worklist(tuple(rows), ("Accept a bracket if these words are a phrase.",))


def written(folder: Path, worklist: Worklist, name: str = "check.tsv") -> Path:
    path = folder / name
    path.write_bytes(worklist_text(worklist).encode())
    return path


def with_cells(path: Path, item: str, **cells: str) -> None:
    """Edit a list's file as a person does: these cells of this row."""
    lines = path.read_text(encoding="utf-8").split("\n")
    header = next(line for line in lines if not line.startswith("#")).split("\t")
    for number, line in enumerate(lines):
        row = line.split("\t")
        if row[0] == item:
            for name, text in cells.items():
                row[header.index(name)] = text
            lines[number] = "\t".join(row)
    path.write_text("\n".join(lines), encoding="utf-8")


def cells_in(path: Path) -> dict[str, tuple[str, str, str, str]]:
    """Verdict, label, judge and note of the rows in a file, cut by hand: it has no quotation marks."""
    lines = [line for line in path.read_text(encoding="utf-8").split("\n") if line and not line.startswith("#")]
    header = lines[0].split("\t")
    places = [header.index(name) for name in ("verdict", "label", "judge", "note")]
    found = {}
    for line in lines[1:]:
        row = line.split("\t")
        a, b, c, d = (row[place] for place in places)
        found[row[0]] = (a, b, c, d)
    return found
