"""Worklists: what is written comes back, whatever a spreadsheet does in between, and every mistake has its place."""

from __future__ import annotations

import csv
import errno
import gzip
import io
import math
import os
import stat
from dataclasses import replace
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, strategies as st

from karat.corpus import source_from_bytes
from karat.corpus.worklist import (
    COLUMNS,
    Worklist,
    WorklistRow,
    read_worklist,
    worklist_from_source,
    worklist_text,
    write_worklist,
)
from karat.errors import DataError, Problem, UsageError

KINDS = {"bracket": ("accept", "reject"), "token": ("gold", "system", "neither")}
SCHEMA = "#schema karat/worklist/1\n"
HEADER = "id\tkind\tcorpus\tsent_id\tstart\tend\ttext\tshown\tweight\tverdict\tlabel\tjudge\tnote\n"
B1 = "b1\tbracket\tnews\ts4\t2\t3\tthe tea\t(NP the tea)\t2.5\taccept\tNP\tanna\tclear\n"
T2 = "t2\ttoken\tweb\ts9\t7\t7\tcools\tVERB\t1\t\t\t\t\n"
TWO_ROWS = (
    WorklistRow("b1", "bracket", "news", "s4", 2, 3, "the tea", "(NP the tea)", 2.5, "accept", "NP", "anna", "clear"),
    WorklistRow("t2", "token", "web", "s9", 7, 7, "cools", "VERB"),
)
HEAD = "# Is it right?\n# Ask if unsure.\n"
TWO = Worklist(TWO_ROWS, ("Is it right?", "Ask if unsure."))
TWO_TEXT = SCHEMA + HEAD + HEADER + B1 + T2


def read(text: str | bytes) -> Worklist:
    data = text if isinstance(text, bytes) else text.encode()
    return worklist_from_source(source_from_bytes(data, "list.tsv"), kinds=KINDS)


def problems_in(text: str | bytes) -> tuple[Problem, ...]:
    with pytest.raises(DataError) as caught:
        read(text)
    assert {problem.path for problem in caught.value.problems} == {"list.tsv"}
    return caught.value.problems


def places(text: str | bytes) -> list[tuple[str, int, int]]:
    return [(problem.code, problem.line, problem.column) for problem in problems_in(text)]


def row_text(**changed: str) -> str:
    """The first row's line with some cells changed."""
    cells = dict(zip(COLUMNS, B1.rstrip("\n").split("\t"), strict=True)) | changed
    return "\t".join(cells.values()) + "\n"


def column_of(name: str, line: str = B1) -> int:
    """Where the cell of a column begins."""
    before = line.split("\t")[: COLUMNS.index(name)]
    return sum(len(cell) + 1 for cell in before) + 1


def made(**changed: object) -> Worklist:
    return Worklist((replace(TWO_ROWS[0], **changed),))  # type: ignore[arg-type]


# --- what is written, and what comes back ---


def test_the_text_is_schema_head_header_and_rows() -> None:
    assert worklist_text(TWO) == TWO_TEXT
    assert worklist_text(Worklist(())) == SCHEMA + HEADER


def test_the_text_is_read_with_lines_and_path() -> None:
    worklist = read(TWO_TEXT)
    assert worklist == TWO
    assert [row.line for row in worklist.rows] == [5, 6]
    assert worklist.path == "list.tsv"


def test_where_a_row_was_read_does_not_make_it_another() -> None:
    assert replace(TWO_ROWS[0], line=7) == TWO_ROWS[0]
    assert replace(TWO, path="x") == TWO


def test_further_columns_come_back_and_are_empty_where_there_are_none() -> None:
    further = {"word": "=old", "label_here": "ADJ", "label_there": "-LRB-", "score": "3.2"}
    rows = (replace(TWO_ROWS[0], **further), TWO_ROWS[1])  # type: ignore[arg-type]
    text = worklist_text(Worklist(rows))
    assert text.split("\n")[1].split("\t") == [*COLUMNS, "word", "label_here", "label_there", "score"]
    assert "\t'=old\tADJ\t'-LRB-\t3.2\n" in text
    assert tuple(read(text).rows) == rows
    assert read(worklist_text(Worklist(TWO_ROWS))).rows[0].word == ""
    assert list(read(text).column("score")) == ["3.2", ""]


without_surrogates = st.text(st.characters(exclude_categories=["Cs"]))
without_controls = st.text(st.characters(exclude_categories=["Cs", "Cc"]))
awkward = st.text("\"'=+-@＝ \t\n\r#a,", max_size=6)
keys = (without_controls | st.text("\"'=+-@＝ #a", max_size=5)).map(str.rstrip).filter(bool)


def as_it_comes_back(text: str) -> str:
    return "".join(" " if c < " " or "\x7f" <= c <= "\x9f" else c for c in text)


@st.composite
def worklists(draw: st.DrawFn) -> Worklist:
    any_text = awkward | without_surrogates
    rows = []
    for key in draw(st.lists(keys, unique=True, max_size=4)):
        start, end = sorted(draw(st.tuples(st.integers(1, 999_999_999), st.integers(1, 999_999_999))))
        weight = draw(st.floats(0, exclude_min=True, allow_infinity=False) | st.integers(1, 9).map(float))
        corpus, sent_id, text, shown, note = (draw(any_text) for _ in range(5))
        label, judge = draw(any_text.map(str.strip)), draw(any_text.map(str.strip))
        kind = draw(st.sampled_from(sorted(KINDS)))
        verdict = draw(st.sampled_from(["", *KINDS[kind]]))
        cells = (start, end, text, shown, weight, verdict, label, judge, note)
        rows.append(WorklistRow(key, kind, corpus, sent_id, *cells))
    return Worklist(tuple(rows), tuple(draw(st.lists(any_text, max_size=3))))


@given(worklists())
def test_all_text_comes_back_but_for_control_characters(worklist: Worklist) -> None:
    names = ("corpus", "sent_id", "text", "shown", "note")
    expected = []
    for row in worklist.rows:
        plain = {name: as_it_comes_back(getattr(row, name)) for name in names}
        edges = {name: as_it_comes_back(getattr(row, name)).strip() for name in ("label", "judge")}
        expected.append(replace(row, **plain, **edges))  # type: ignore[arg-type]
    back = read(worklist_text(worklist))
    assert list(back.rows) == expected
    assert back.head == tuple(as_it_comes_back(line) for line in worklist.head)
    assert worklist_text(back) == worklist_text(Worklist(tuple(expected), back.head))


@given(worklists(), st.integers(0, 4))
def test_a_blank_line_changes_no_row_though_lines_are_then_cut_one_by_one(worklist: Worklist, place: int) -> None:
    lines = worklist_text(worklist).splitlines(keepends=True)
    n_above = min(2 + len(worklist.head) + place, len(lines))
    quick, slow = read("".join(lines)), read("".join([*lines[:n_above], "\n", *lines[n_above:]]))
    assert quick == slow
    assert [quick.rows[number] for number in range(len(quick.rows))] == list(slow.rows[:])
    assert list(quick.column("text")) == [row.text for row in quick.rows]
    moved = [row.line + (row.line > n_above) for row in quick.rows]
    assert moved == [row.line for row in slow.rows]


@given(worklists())
def test_no_cell_looks_like_a_formula_and_csv_readers_agree(worklist: Worklist) -> None:
    lines = worklist_text(worklist).split("\n")
    assert lines.pop() == ""
    table = lines[1 + len(worklist.head) :]
    cells = list(csv.reader(io.StringIO("\n".join(table), newline=""), delimiter="\t"))
    assert len(cells) == len(worklist.rows) + 1
    assert {len(row) for row in cells} == {len(COLUMNS)}
    assert not [cell for row in cells for cell in row if cell.lstrip()[:1] in set("=+-@＝＋－＠")]


@given(worklists(), st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]), st.sampled_from(["\n", "\r\n", "\r"]))
def test_a_spreadsheet_that_opens_and_saves_changes_nothing(worklist: Worklist, quoting: int, end: str) -> None:
    text = worklist_text(worklist)
    width = len(COLUMNS)
    saved = io.StringIO(newline="")
    writer = csv.writer(saved, delimiter="\t", quoting=quoting, lineterminator=end)  # type: ignore[arg-type]
    for cells in csv.reader(io.StringIO(text, newline=""), delimiter="\t"):
        writer.writerow(cells + [""] * (width - len(cells)))
    assert read("\ufeff" + saved.getvalue()) == read(text)


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("=1+1", "'=1+1"),
        ("-LRB-", "'-LRB-"),
        ("@anna", "'@anna"),
        ("+", "'+"),
        ("＝1", "'＝1"),
        (" =1", "' =1"),
        ("\t=1", "' =1"),
        ("'=1", "''=1"),
        ("'tis", "'tis"),
        ("a=b", "a=b"),
        ('"', '""""'),
        ('"so"', '"""so"""'),
        ('say "so"', 'say "so"'),
        ("a\x1b[31m\tb\r\nc\x85d", "a [31m b  c d"),
        ("file\udcff", "file\ufffd"),
        ("a\u2028b", "a\u2028b"),
    ],
    ids=ascii,
)
def test_what_is_written_for_awkward_cells(cell: str, written: str) -> None:
    line = worklist_text(made(text=cell)).split("\n")[2]
    assert line.split("\t")[COLUMNS.index("text")] == written
    assert read(worklist_text(made(text=cell))).rows[0].text == as_it_comes_back(cell).replace("\udcff", "\ufffd")


@pytest.mark.parametrize("name", ["id", "kind", "corpus", "sent_id", "text", "shown", "label", "judge", "note"])
def test_every_text_cell_is_guarded_and_comes_back(name: str) -> None:
    text = worklist_text(made(**{name: "-x", "verdict": ""}))
    assert "\t'-x" in "\t" + text.split("\n")[2]
    back = worklist_from_source(source_from_bytes(text.encode()), kinds={"-x": (), "bracket": ()})
    assert getattr(back.rows[0], name) == "-x"


def test_a_cell_whose_apostrophe_a_spreadsheet_took_off_reads_the_same() -> None:
    assert (
        read(SCHEMA + HEADER + row_text(label="-NONE-")).rows == read(SCHEMA + HEADER + row_text(label="'-NONE-")).rows
    )


@pytest.mark.parametrize(
    ("weight", "written"), [(1.0, "1"), (3, "3"), (0.1, "0.1"), (1e22, "1e+22"), (5e-324, "5e-324")]
)
def test_weights_are_written_short_and_exact(weight: float, written: str) -> None:
    text = worklist_text(made(weight=weight))
    assert text.split("\n")[2].split("\t")[COLUMNS.index("weight")] == written
    assert read(text).rows[0].weight == weight


def test_numbers_of_numpy_are_written_as_plain_ones() -> None:
    cells = worklist_text(made(start=np.int64(2), end=np.int64(3), weight=np.float64(0.5))).split("\n")[2].split("\t")
    assert (cells[4], cells[5], cells[8]) == ("2", "3", "0.5")


@pytest.mark.parametrize("bad", ["", " ", "a ", "a\u00a0", "a\tb", "a\nb", "a\x00", "\ud800"], ids=ascii)
def test_an_id_that_would_not_come_back_is_refused(bad: str) -> None:
    with pytest.raises(UsageError, match="cannot be the id"):
        worklist_text(made(id=bad))


def test_an_id_twice_and_no_kind_are_refused() -> None:
    with pytest.raises(UsageError, match="two rows of the worklist have the id 'b1'"):
        worklist_text(Worklist((TWO_ROWS[0], replace(TWO_ROWS[1], id="b1"))))
    with pytest.raises(UsageError, match="no kind"):
        worklist_text(made(kind=" "))


@pytest.mark.parametrize(
    "changed", [{"start": 0}, {"start": 4}, {"weight": 0.0}, {"weight": math.inf}, {"weight": math.nan}]
)
def test_a_row_that_makes_no_sense_cannot_be_made(changed: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"not a span|finite"):
        made(**changed)


# --- what spreadsheets do ---


def padded(text: str, n_tabs: int) -> str:
    return "".join(line + "\t" * n_tabs + "\n" for line in text.splitlines())


def all_quoted(text: str) -> str:
    lines = [[f'"{cell}"' for cell in line.split("\t")] for line in text.splitlines()]
    return "".join("\t".join(line) + "\n" for line in lines)


def reordered(text: str) -> str:
    """Head as it is; the columns backwards, with others before, between and behind."""
    lines = text.splitlines()
    for number in range(3, len(lines)):
        cells = lines[number].split("\t")[::-1]
        cells = ["x1", *cells[:5], "verdict?", *cells[5:], "x2"]
        lines[number] = "\t".join(cells)
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    "text",
    [
        TWO_TEXT.replace("\n", "\r\n"),
        TWO_TEXT.replace("\n", "\r"),
        TWO_TEXT.rstrip("\n"),
        "\ufeff" + TWO_TEXT,
        padded(TWO_TEXT, 1),
        padded(TWO_TEXT, 4).replace("\n", "\r\n"),
        SCHEMA + HEAD + HEADER + B1 + "t2\ttoken\tweb\ts9\t7\t7\tcools\tVERB\t1\n",
        SCHEMA + HEAD + HEADER + B1 + "t2\ttoken\tweb\ts9\t7\t7\tcools\tVERB\t1\t\t",
        all_quoted(TWO_TEXT),
        "\ufeff" + padded(all_quoted(TWO_TEXT), 3).replace("\n", "\r\n"),
        reordered(TWO_TEXT),
        TWO_TEXT.replace("accept", "  ACCEPT\u00a0").replace("NP\tanna", " NP \t anna "),
        TWO_TEXT.replace("bracket", " bracket ").replace("\t2.5\t", "\t 2.50 \t").replace("\t2\t3\t", "\t 2\t03 \t"),
        TWO_TEXT + "\n\r\n\t\t\n  \n" + "\t" * 12 + "\n",
        TWO_TEXT.replace("id\t", "\n\nID\t", 1).replace("t2", "\nt2"),
        TWO_TEXT.replace(SCHEMA, f'"{SCHEMA[:-1]}"\t\t\n'),
        TWO_TEXT.replace(SCHEMA, "#schema  karat/worklist/1 \t\n"),
    ],
    ids=[
        *("crlf", "cr", "no-newline", "byte-order-mark", "padded", "padded-crlf", "judge-dropped", "some-dropped"),
        *("quoted", "quoted-padded-crlf-bom", "reordered", "case-and-spaces", "spaces-and-zeros", "blank-end"),
        *("blank-between", "schema-quoted-padded", "schema-spaces"),
    ],
)
def test_what_a_spreadsheet_made_of_it_reads_the_same(text: str) -> None:
    assert text != TWO_TEXT
    assert read(text) == TWO


def test_a_quoted_cell_may_go_on_in_the_next_line_and_lines_still_count() -> None:
    text = SCHEMA + HEADER + row_text(text='"a ""b""\nc"', note='"one\r\n\r\ntwo, three"') + T2.replace("t2", "b1")
    assert read(text.replace("\nb1\ttoken", "\nt2\ttoken")).rows[0].text == 'a "b" c'
    assert read(text.replace("\nb1\ttoken", "\nt2\ttoken")).rows[0].note == "one  two, three"
    assert [row.line for row in read(text.replace("\nb1\ttoken", "\nt2\ttoken")).rows] == [3, 7]
    assert places(text) == [("K735", 7, 1)]


def test_columns_count_from_the_line_in_which_a_cell_begins() -> None:
    line = row_text(text='"a\nbc"', verdict="maybe")
    assert places(SCHEMA + HEADER + line) == [("K734", 4, len('bc"\t(NP the tea)\t2.5\t') + 1)]


@pytest.mark.parametrize("cell", ['"', '"so', '"so" he said', 'so"', '""" ', 'a "b" c'])
def test_a_quotation_mark_that_quotes_no_cell_stays_and_swallows_nothing(cell: str) -> None:
    rows = read(SCHEMA + HEADER + row_text(text=cell, note=cell) + row_text(id="b2", text='so"', note='"')).rows
    assert [(row.text, row.note) for row in rows] == [(cell, cell), ('so"', '"')]


def test_a_row_may_begin_with_a_hash_below_the_header() -> None:
    assert read(SCHEMA + HEADER + row_text(id="#1")).rows[0].id == "#1"


def test_blanks_that_a_spreadsheet_puts_behind_an_id_are_taken_off() -> None:
    assert [row.id for row in read(SCHEMA + HEADER + row_text(id="b1 ") + row_text(id="b2\u00a0")).rows] == ["b1", "b2"]
    assert places(SCHEMA + HEADER + row_text(id="b1") + row_text(id="b1 ")) == [("K735", 4, 1)]


def test_a_padded_head_with_something_beside_it_keeps_both() -> None:
    assert read(SCHEMA + '"# so, or so"\t\t\n#\n#x\ty\t\n' + HEADER).head == ("so, or so", "", "x y")


def test_compressed_files_and_standard_input_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "list.tsv.gz"
    write_worklist(path, TWO)
    assert gzip.decompress(path.read_bytes()).decode() == TWO_TEXT
    assert read_worklist(path, kinds=KINDS) == TWO
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TWO_TEXT.encode())))
    worklist = read_worklist("-", kinds=KINDS)
    assert (worklist, worklist.path) == (TWO, "<stdin>")


# --- what is wrong, and where ---


@pytest.mark.parametrize(
    "text", ["", "\n", "\n" + TWO_TEXT, HEADER + B1, "# schemas\n" + HEADER, "1\tw\t_\n", "#schema\n"]
)
def test_a_file_without_the_schema_is_no_worklist(text: str) -> None:
    (problem,) = problems_in(text)
    assert (problem.code, problem.line, problem.column) == ("K730", 1, 1)
    assert problem.hint == "the first line of a worklist is #schema karat/worklist/1"


@pytest.mark.parametrize("version", ["2", "10", "1.1"])
def test_another_version_is_named(version: str) -> None:
    (problem,) = problems_in(f'"#schema karat/worklist/{version}"\t\n' + HEADER)
    assert problem.code == "K730"
    assert problem.message == f"this worklist is of version karat/worklist/{version}; this karat reads karat/worklist/1"


def test_another_schema_is_named() -> None:
    (problem,) = problems_in("#schema karat/score/1\n")
    assert (problem.code, problem.message) == ("K730", "this is karat/score/1, not a worklist")


@pytest.mark.parametrize("name", COLUMNS)
def test_a_missing_column_is_told_at_the_header(name: str) -> None:
    number = COLUMNS.index(name)
    lines = [line.split("\t") for line in (HEADER + B1).splitlines()]
    text = "".join("\t".join(line[:number] + line[number + 1 :]) + "\n" for line in lines)
    (problem,) = problems_in(SCHEMA + "# head\n" + text)
    assert (problem.code, problem.line, problem.column) == ("K731", 3, 1)
    assert problem.message == f"the header has no column {name}"


def test_missing_columns_are_told_together_and_a_double_one_at_its_place() -> None:
    problems = problems_in(SCHEMA + "id\tkind\tcorpus\tid\ttext\tx\tx\n" + B1)
    assert [(problem.code, problem.line, problem.column) for problem in problems] == [("K731", 2, 1), ("K731", 2, 16)]
    assert "no columns sent_id, start, end, shown, weight" in problems[0].message
    assert "column id twice" in problems[1].message


@pytest.mark.parametrize(
    ("text", "place"), [(SCHEMA, (1, 1)), (SCHEMA + HEAD + "\n", (1, 1)), (SCHEMA + "\n" + B1, (3, 1))]
)
def test_no_header_is_told(text: str, place: tuple[int, int]) -> None:
    (problem,) = problems_in(text)
    assert (problem.code, problem.line, problem.column) == ("K731", *place)
    assert "header row is missing" in problem.message


def test_another_number_of_cells_is_told() -> None:
    short, long = "b2\tbracket\tnews\ts4\t2\t3\ta\tb\n", B1.replace("b1", "b3").replace("\n", "\t\tmore\t\n")
    problems = problems_in(SCHEMA + HEADER + B1 + short + long)
    assert [(p.code, p.line, p.column) for p in problems] == [("K732", 4, 1), ("K732", 5, len(B1) + 2)]
    assert [p.message for p in problems] == ["8 cells where the header has 13", "15 cells where the header has 13"]


def test_a_cell_under_a_padded_header_without_a_name_is_not_lost_silently() -> None:
    text = SCHEMA + HEADER.replace("\n", "\t\t\n") + B1.replace("\n", "\tsee below\t\n")
    assert places(text) == [("K732", 3, len(B1) + 1)]


@pytest.mark.parametrize("name", ["start", "end"])
@pytest.mark.parametrize(
    "cell", ["", "0", "-1", "x", "1.0", "1,0", "²", "１", "1_0", "9" * 10, "9" * 5000, "nan", "2-Mar"]
)
def test_a_start_or_end_that_is_no_number_of_a_word_is_told(name: str, cell: str) -> None:
    assert places(SCHEMA + HEADER + T2 + row_text(**{name: cell})) == [
        ("K732", 4, column_of(name, row_text(**{name: cell})))
    ]


@pytest.mark.parametrize(
    "cell", ["", "0", "-1", "0.0", "1e-400", "1e400", "nan", "inf", "1,5", "x", "1_0", ".", "１", "1 0"]
)
def test_a_weight_that_is_no_finite_number_above_0_is_told(cell: str) -> None:
    (problem,) = problems_in(SCHEMA + HEADER + T2 + row_text(weight=cell))
    assert (problem.code, problem.line, problem.column) == ("K732", 4, column_of("weight"))
    assert bool(problem.hint) == ("," in cell)


@pytest.mark.parametrize(("cell", "weight"), [(".5", 0.5), ("2.", 2), ("1E3", 1000), ("1e-3", 0.001), ("007", 7)])
def test_a_weight_may_be_written_in_many_ways(cell: str, weight: float) -> None:
    assert read(SCHEMA + HEADER + row_text(weight=cell)).rows[0].weight == weight


def test_a_start_after_the_end_is_told() -> None:
    assert places(SCHEMA + HEADER + row_text(start="4")) == [("K732", 3, column_of("start"))]
    assert read(SCHEMA + HEADER + row_text(start="3")).rows[0].start == 3


@pytest.mark.parametrize("kind", ["repeat", "", "Bracket"])
def test_an_unknown_kind_is_told_and_its_verdict_is_not(kind: str) -> None:
    (problem,) = problems_in(SCHEMA + HEADER + row_text(kind=kind, verdict="nonsense"))
    assert (problem.code, problem.line, problem.column) == ("K733", 3, column_of("kind"))
    assert problem.hint == "expected: bracket, token"


def test_a_verdict_of_another_kind_is_told_with_those_that_are_allowed() -> None:
    (problem,) = problems_in(SCHEMA + HEADER + T2 + row_text(verdict=" gold"))
    assert (problem.code, problem.line, problem.column) == ("K734", 4, column_of("verdict"))
    assert problem.message == "'gold' is not a verdict for the kind bracket"
    assert problem.hint == "bracket allows: accept, reject; or leave it empty"


def test_a_verdict_comes_back_as_its_kind_spells_it() -> None:
    source = source_from_bytes((SCHEMA + HEADER + row_text(verdict="ACCEPT")).encode())
    assert worklist_from_source(source, kinds={"bracket": ["Accept"]}).rows[0].verdict == "Accept"


def test_the_same_id_twice_is_told_at_the_second() -> None:
    problems = problems_in(SCHEMA + HEADER + B1 + T2 + B1 + B1)
    assert [(p.code, p.line, p.column) for p in problems] == [("K735", 5, 1), ("K735", 6, 1)]
    assert problems[1].message == "the id 'b1' is also on line 3"


def test_an_empty_id_is_told() -> None:
    assert places(SCHEMA + HEADER + row_text(id="") + row_text(id=" ")) == [("K732", 3, 1), ("K732", 4, 1)]


def test_all_problems_come_at_once_in_the_order_of_the_file() -> None:
    bad = row_text(kind="x", end="y", weight="z")
    text = SCHEMA + HEADER + bad + row_text(id="b2", verdict="maybe", start="0") + "short\n" + bad
    expected = [("K733", 3), ("K732", 3), ("K732", 3), ("K732", 4), ("K734", 4), ("K732", 5)]
    expected += [("K735", 6), ("K733", 6), ("K732", 6), ("K732", 6)]
    assert [(code, line) for code, line, _ in places(text)] == expected
    assert places(text) == sorted(places(text), key=lambda place: place[1:])


def test_columns_of_problems_count_characters_in_any_order_of_columns() -> None:
    lines = [line.split("\t")[::-1] for line in (HEADER + row_text(note="żółć", kind="x")).splitlines()]
    text = SCHEMA + "".join("\t".join(line) + "\n" for line in lines)
    assert places(text) == [
        ("K733", 3, len("żółć\tanna\tNP\taccept\t2.5\t(NP the tea)\tthe tea\t3\t2\ts4\tnews\t") + 1)
    ]


def test_a_nul_byte_is_told_alone() -> None:
    (problem,) = problems_in((SCHEMA + HEADER + "a\0b\n").encode())
    assert (problem.code, problem.line, problem.column) == ("K107", 3, 2)
    assert [code for code, _, _ in places(TWO_TEXT.encode("utf-16"))] == ["K107"]


def test_bytes_that_are_not_utf8_are_told_with_the_problems_of_other_lines() -> None:
    latin = row_text(id="é", verdict="gelé").encode("latin1")
    text = (SCHEMA + HEADER).encode() + latin + row_text(kind="x").encode()
    assert places(text) == [("K106", 3, 1), ("K733", 4, column_of("kind"))]
    assert places((SCHEMA + "# caf").encode() + b"\xe9\n" + (HEADER + B1).encode()) == [("K106", 2, 6)]


def test_control_characters_of_a_list_do_not_reach_the_terminal() -> None:
    (problem,) = problems_in(SCHEMA + HEADER + row_text(verdict="\x1b[31m"))
    assert "\x1b" not in problem.message + str(problem)


def test_a_file_that_is_not_there_is_told() -> None:
    with pytest.raises(DataError) as caught:
        read_worklist("/nowhere/list.tsv", kinds=KINDS)
    assert caught.value.code == "K101"


# --- writing files ---


def test_a_file_is_written_with_line_feeds_and_the_usual_permissions(tmp_path: Path) -> None:
    path, usual = tmp_path / "list.tsv", tmp_path / "usual"
    usual.touch()
    write_worklist(path, TWO)
    assert path.read_bytes() == TWO_TEXT.encode()
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(usual.stat().st_mode)
    assert sorted(os.listdir(tmp_path)) == ["list.tsv", "usual"]


def test_a_file_is_replaced_with_its_permissions_and_a_link_stays_a_link(tmp_path: Path) -> None:
    path, link = tmp_path / "list.tsv", tmp_path / "link.tsv"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    write_worklist(str(link), TWO)
    assert link.is_symlink()
    assert path.read_text(encoding="utf-8") == TWO_TEXT
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.parametrize("failing", ["fsync", "replace", "chmod"])
@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()], ids=repr)
def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, failing: str, error: BaseException
) -> None:
    path = tmp_path / "list.tsv"
    path.write_text("judged by hand")
    expected = UsageError if isinstance(error, OSError) else KeyboardInterrupt
    with mock.patch(f"karat.corpus.worklist.os.{failing}", side_effect=error), pytest.raises(expected) as caught:
        write_worklist(path, TWO)
    if expected is UsageError:
        assert str(caught.value) == f"{path} cannot be written: No space left on device"
    assert path.read_text() == "judged by hand"
    assert os.listdir(tmp_path) == ["list.tsv"]


def test_a_list_that_cannot_be_written_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "list.tsv"
    path.write_text("judged by hand")
    with pytest.raises(UsageError, match="cannot be the id"):
        write_worklist(path, made(id=""))
    assert path.read_text() == "judged by hand"


def test_the_new_file_is_complete_when_it_gets_its_name(tmp_path: Path) -> None:
    path = tmp_path / "list.tsv"
    path.write_text("old")
    seen = []

    def spy(beside: str, target: str) -> None:
        seen.append((Path(beside).read_text(encoding="utf-8"), Path(beside).parent, path.read_text()))
        os.rename(beside, target)

    with mock.patch("karat.corpus.worklist.os.replace", spy):
        write_worklist(path, TWO)
    assert seen == [(TWO_TEXT, tmp_path, "old")]


def test_what_cannot_be_written_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no/list\.tsv cannot be written: No such file"):
        write_worklist(tmp_path / "no" / "list.tsv", TWO)
    with pytest.raises(UsageError, match="cannot be written: Is a directory"):
        write_worklist(tmp_path, TWO)
    assert os.listdir(tmp_path) == []


def test_a_pipe_is_written_to_and_stays_one(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reading = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_worklist(path, TWO)
        assert stat.S_ISFIFO(path.stat().st_mode)
        assert os.read(reading, 10_000).decode() == TWO_TEXT
    finally:
        os.close(reading)


# --- the description ---


def test_the_example_of_the_description_is_what_karat_writes() -> None:
    described = Path(__file__).parents[2] / "docs" / "worklist.md"
    example = described.read_text(encoding="utf-8").partition("\n## ")[0]
    lines = [line for line in example.splitlines() if line.startswith("    ")]
    text = "".join(line.strip().replace("|", "\t") + "\n" for line in lines)
    worklist = read(text)
    assert len(worklist.rows) == 2
    assert worklist_text(worklist) == text
