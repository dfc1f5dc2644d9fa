"""The list's file: what is judged is changed, and nothing else; whoever edits it is heard."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from karat.corpus.source import source_from_bytes
from karat.corpus.worklist import Worklist, worklist_from_source, worklist_text
from karat.review.list_file import BLANK, Cells, Conflict, ListFile, cells_of, merged
from karat.review.session import cells_from, judgement_from, normal
from review_lists import bracket_list

KINDS = {"bracket": ("accept", "reject")}


def read(data: bytes) -> tuple[ListFile, Worklist]:
    source = source_from_bytes(data, "check.tsv")
    worklist = worklist_from_source(source, kinds=KINDS)
    return ListFile(source, worklist), worklist


def changed(data: bytes, item: str, cells: Cells) -> bytes:
    text, _ = read(data)
    text.change(item, cells)
    return text.data()


def as_spreadsheets_write_it(text: str, quoting: int, end: str) -> str:
    """Every cell in quotation marks, or those that need them; notes of several lines too."""
    out = io.StringIO()
    rows = [line.split("\t") for line in text.removesuffix("\n").split("\n")]
    csv.writer(out, delimiter="\t", quoting=quoting, lineterminator=end).writerows(rows)  # type: ignore[arg-type]
    return out.getvalue()


TEXT = worklist_text(bracket_list(4))
HOW = {
    "as karat writes": TEXT,
    "CRLF": TEXT.replace("\n", "\r\n"),
    "CR": TEXT.replace("\n", "\r"),
    "byte order mark": "\ufeff" + TEXT,
    "no end of the last line": TEXT.removesuffix("\n"),
    "blank lines": TEXT.replace("\nb2", "\n\n\t\t\t\nb2") + "\n\n",
    "all cells quoted": as_spreadsheets_write_it(TEXT, csv.QUOTE_ALL, "\r\n"),
    "cut cells": TEXT.replace("\t1\t\t\t\t\n", "\t1\n"),
    "spaces behind ids": TEXT.replace("\nb2\t", "\nb2  \t"),
    "a cell of two lines": TEXT.replace("\tcold tea 2\t", '\t"cold\ntea 2"\t'),
    "a cell of two lines, CRLF": TEXT.replace("\tcold tea 2\t", '\t"cold\ntea 2"\t').replace("\n", "\r\n"),
    "an open quotation mark": TEXT.replace("\tcold tea 2\t", '\t"cold tea 2\t'),
    "further columns": re.sub(r"(?m)^(id|b[0-9])(\t.*)$", r"mine\1\t\1\2\tyours", TEXT),
    "a quoted head": TEXT.replace("# Accept a", '"# Accept ""a""').replace("phrase.\n", 'phrase."\n'),
}


@pytest.mark.parametrize("how", HOW)
def test_only_the_row_that_is_judged_changes(how: str) -> None:
    before = HOW[how].encode()
    after = changed(before, "b2", Cells("accept", "NP", "ina", "so"))
    _, worklist = read(after)
    assert cells_of(worklist) == {"b2": Cells("accept", "NP", "ina", "so")}
    untouched = [line for line in before.splitlines() if b"b2" not in line and b"tea 2" not in line]
    left = after.splitlines()
    assert [line for line in left if b"b2" not in line and b"tea 2" not in line] == untouched
    assert changed(after, "b2", BLANK).count(b"accept") == before.count(b"accept")
    for row, old in zip(worklist.rows, read(before)[1].rows, strict=True):
        assert (row.id, row.kind, row.text, row.shown, row.weight) == (
            old.id,
            old.kind,
            old.text,
            old.shown,
            old.weight,
        )


@pytest.mark.parametrize("how", HOW)
def test_all_rows_can_be_judged_one_after_the_other_in_any_order(how: str) -> None:
    text, _ = read(HOW[how].encode())
    wanted = {}
    for number, item in enumerate(["b3", "b2", "b4", "b1", "b2"]):
        wanted[item] = Cells("reject", "", "jan", f"note {number}")
        text.change(item, wanted[item])
    assert cells_of(read(text.data())[1]) == wanted


TEXTS = st.text(st.one_of(st.sampled_from("\"'=+-@\t\n\r ab:"), st.characters()), max_size=12)


@given(TEXTS, TEXTS, st.sampled_from(["", "accept"]), st.booleans(), st.sampled_from(["ina", "=ina", "'", '"a"']))
def test_any_judgement_comes_back_from_the_file_as_it_was_written(
    label: str, note: str, verdict: str, unsure: bool, judge: str
) -> None:
    from karat.corpus.spreadsheet_tables import plain

    one = judgement_from("", "b2", Cells(verdict, plain(label).strip(), judge, plain(note).strip()))
    cells = cells_from(one)
    _, worklist = read(changed(TEXT.encode(), "b2", cells))
    assert normal(cells_of(worklist).get("b2", BLANK)) == cells


# ---- the merge -------------------------------------------------------------------------------------------------------

B_READ = Cells("reject", "", "jan")
A, B, C = Cells("accept", "", "ina"), Cells("reject", "", "ina"), Cells("accept", "", "jan", "elsewhere")


@pytest.mark.parametrize(
    ("file", "ours", "since", "conflict", "what"),
    [
        (BLANK, BLANK, [], None, "nothing"),
        (A, A, [], None, "nothing"),
        (BLANK, A, [(0, BLANK), (5, A)], None, "write"),  # decided here
        (B, A, [(0, BLANK), (4, B), (5, A)], None, "write"),  # stopped after B was written
        (C, BLANK, [], None, "take in"),  # judged elsewhere
        (C, A, [], None, "conflict"),  # decided here, judged anew elsewhere
        (C, B_READ, [], None, "take in"),  # read in the file before, judged anew there
        (BLANK, A, [], None, "conflict"),  # an old copy came back
        (C, A, [(0, BLANK), (5, A)], None, "conflict"),  # both
        (C, A, [], Conflict(C, 5), "conflict"),  # it stays
        (C, A, [(0, B), (4, A)], Conflict(C, 5), "conflict"),  # decided before it was found
        (C, B, [(5, A), (6, B)], Conflict(C, 5), "write"),  # decided again
        (B, A, [], Conflict(C, 5), "conflict"),  # edited again
        (A, A, [], Conflict(C, 5), "nothing"),  # put right in the file
        (C, C, [(5, A), (6, C)], Conflict(C, 5), "nothing"),  # the file's word was taken
    ],
)
def test_a_row_of_the_file_and_of_the_store_come_to(
    file: Cells, ours: Cells, since: list[tuple[int, Cells]], conflict: Conflict | None, what: str
) -> None:
    decided = () if ours is B_READ else ("x",)
    conflicts = {"x": conflict} if conflict else {}
    found = merged({"x": file}, {"x": ours}, {"x": since} if since else {}, conflicts, decided)
    wanted = {"write": ({"x": ours}, {}, {}), "take in": ({}, {"x": file}, {}), "conflict": ({}, {}, {"x": file})}
    assert (found.to_write, found.taken_in, found.conflicts) == wanted.get(what, ({}, {}, {}))


def test_small_lists_are_what_the_tests_think(tmp_path: Path) -> None:
    assert len(read(TEXT.encode())[1].rows) == 4
    assert all(len(read(text.encode())[1].rows) == 4 for text in HOW.values())
