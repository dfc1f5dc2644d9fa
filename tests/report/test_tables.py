"""One table in five forms."""

from __future__ import annotations

import csv
import io

import pytest

from karat.report.tables import separated, written
from karat.result import Cell, Report, Table

TABLE = Table(["name", "n", "value"], [["a|b", 1200, 97.256], ["ü&_", None, 3.0]], "A title", ["A note."])


def rendered(table: Table, format_: str = "text") -> str:
    return separated(table, format_) if format_ in ("csv", "tsv") else written(Report([], [table]), format_)


def test_text_sets_numbers_to_the_right_and_words_to_the_left() -> None:
    assert rendered(TABLE) == (
        "A title\n\nname      n  value\n────  ─────  ─────\na|b   1,200  97.26\nü&_       –   3.00\n\nA note.\n"
    )


def test_wide_characters_keep_columns_in_line() -> None:
    lines = rendered(Table(["w", "n"], [["日本", 1], ["abcd", 2]])).splitlines()
    assert lines[2] == "日本  1"
    assert lines[3] == "abcd  2"


def test_csv_quotes_and_keeps_full_numbers() -> None:
    rows = list(csv.reader(io.StringIO(rendered(Table(["a", "b"], [['x,"y"', 1 / 3], [None, 2]]), "csv"))))
    assert rows == [["a", "b"], ['x,"y"', repr(1 / 3)], ["", "2"]]


def test_tsv_has_one_line_a_row_whatever_the_cells_hold() -> None:
    text = rendered(Table(["a", "b"], [["tab\there", "line\nbreak"]]), "tsv")
    assert text == "a\tb\ntab\\there\tline\\nbreak\n"


def test_markdown_escapes_bars() -> None:
    assert "| a\\|b | 1,200 | 97.26 |" in rendered(TABLE, "markdown")
    assert "|---|---:|---:|" in rendered(TABLE, "markdown")


def test_latex_escapes_what_latex_reads() -> None:
    text = rendered(TABLE, "latex")
    assert r"ü\&\_ & -- & 3.00 \\" in text
    assert r"\begin{tabular}{lrr}" in text


@pytest.mark.parametrize("format_", ["text", "csv", "tsv", "markdown", "latex"])
def test_an_empty_table_has_its_header(format_: str) -> None:
    assert "name" in rendered(Table(["name"], []), format_)


def test_csv_has_no_formulas() -> None:
    """Text from corpora that a spreadsheet would compute has an apostrophe before it; numbers stay numbers."""
    cells: list[Cell] = ["=HYPERLINK(1)", "-LRB-", "@x", "+", " =1", "-0.5", "plain", -0.5, None]
    found = rendered(Table([f"c{n}" for n in range(len(cells))], [cells]), "csv").splitlines()[1]
    assert found == "'=HYPERLINK(1),'-LRB-,'@x,'+,' =1,-0.5,plain,-0.5,"
    assert rendered(Table(["c"], [["-LRB-"]]), "tsv") == "c\n-LRB-\n"
