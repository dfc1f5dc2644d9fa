"""The tables of Wisniewski & Yvon 2019 on repeats, the paper's numbers beside ours."""

from __future__ import annotations

from karat.gold.repeats.paper_table_inputs import RepeatTable
from karat.gold.repeats.paper_tables import Table4Row, Table5Row, Table6Row, Table8Row
from karat.result import Cell, Report, Table

_TITLES = {
    4: "Table 4: suspicious repeats between two corpora, by heuristic",
    5: "Table 5: sentences with a repeat, and repeats that are not labelled consistently",
    6: "Table 6: repeats of train and test set that are not labelled consistently",
    8: "Table 8: repeats in train and test set, by length",
}
_PAPERS = {
    4: "one word or more, at any two places, in both corpora",
    5: "repeats of 3 words or more at any two places; sentences with one of 5 words or more",
    6: "3 words or more, at any two places in the two corpora together",
    8: "at any two places",
}
_LITERAL = {
    4: "one word or more, in two different sentences, in both corpora",
    5: "repeats of 3 words or more in two different sentences",
    6: "3 words or more, in two different sentences, in both corpora",
    8: "in two different sentences",
}


def repeat_table_report(found: RepeatTable) -> Report:
    """The table for people."""
    how = _LITERAL[found.table] if found.is_literal else _PAPERS[found.table]
    preset = "the paper's text" if found.is_literal else "the paper's numbers"
    notes = [f"Read as {preset}: {how}."]
    if any(row.paper is not None for row in found.rows):
        notes.append("paper: Wisniewski & Yvon 2019, on the same treebanks.")
    if found.table == 8:
        notes = [
            f"Repeats {how}. in both: those that occur in the train and in the test set; together: all repeats of the "
        ]
        notes[0] += "two. Neither gives the paper's numbers, which cover all of UD 2.3 and are not shown."
    columns, rows = _LAYOUTS[found.table](found)
    return Report([], [Table(columns, rows, _TITLES[found.table])], notes)


def _table_4(found: RepeatTable) -> tuple[list[str], list[list[Cell]]]:
    rows: list[list[Cell]] = []
    for row in found.rows:
        assert isinstance(row, Table4Row)
        paper = row.paper
        printed: list[Cell] = [None, None] if paper is None else [paper.suspicious, paper.inconsistencies]
        rows.append([row.heuristic, row.suspicious, *printed])
    return ["heuristic", "suspicious", "paper", "judged inconsistent"], rows


def _table_5(found: RepeatTable) -> tuple[list[str], list[list[Cell]]]:
    rows: list[list[Cell]] = []
    for row in found.rows:
        assert isinstance(row, Table5Row)
        printed = row.paper
        of_sentences = None if printed is None else f"{printed.percent_sentences:.1f}"
        of_repeats = None if printed is None else f"{printed.percent_inconsistent:.1f}"
        shown: list[Cell] = [row.corpus, row.sentences, row.percent_sentences, of_sentences]
        shown += [row.repeats, row.suspicious, row.percent_inconsistent, of_repeats]
        rows.append(shown)
    columns = ["corpus", "sentences", "% with repeat", "paper", "repeats", "suspicious", "% inconsistent", "paper "]
    return columns, rows


def _table_6(found: RepeatTable) -> tuple[list[str], list[list[Cell]]]:
    rows: list[list[Cell]] = []
    for row in found.rows:
        assert isinstance(row, Table6Row)
        printed = None if row.paper is None else f"{row.paper:.1f}"
        rows.append([row.train, row.test, row.repeats, row.suspicious, row.percent_inconsistent, printed])
    return ["train", "test", "repeats", "suspicious", "% inconsistent", "paper"], rows


def _table_8(found: RepeatTable) -> tuple[list[str], list[list[Cell]]]:
    rows: list[list[Cell]] = []
    for row in found.rows:
        assert isinstance(row, Table8Row)
        words = f"≥ {row.words}" if row.is_open else str(row.words)
        both: list[Cell] = [row.repeats, row.suspicious, row.percent_suspicious]
        rows.append([words, *both, row.repeats_together, row.suspicious_together, row.percent_suspicious_together])
    return ["words", "in both", "suspicious", "%", "together", "suspicious ", "% "], rows


_LAYOUTS = {4: _table_4, 5: _table_5, 6: _table_6, 8: _table_8}
