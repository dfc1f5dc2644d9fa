"""The paper's tables on the paper's data."""

from __future__ import annotations

import pytest

from karat.corpus import Corpus, read_conllu
from karat.gold.repeats.paper_tables import table_4, table_5, table_6, table_8
from random_words import corpus_of, plain
from realdata import data

PARTS = {
    "EWT": "train dev test",
    "GUM": "train dev test",
    "LinES": "train dev test",
    "ParTUT": "train dev test",
    "PUD": "test",
}


def treebank(name: str, parts: str) -> Corpus:
    folder = f"ud-2.3/UD_English-{name}"
    return read_conllu([data(f"{folder}/en_{name.lower()}-ud-{part}.conllu") for part in parts.split()])


@pytest.mark.parametrize(
    ("name", "suspicious", "repeats", "percent_sentences", "printed"),
    [
        ("EWT", 1321, 14666, 13.145, 9.0),
        ("GUM", 279, 3263, 10.548, 8.5),
        ("LinES", 520, 4387, 10.911, 11.8),
        ("ParTUT", 203, 2232, 18.852, 9.0),
        ("PUD", 36, 369, 2.700, 8.7),
    ],
)
def test_table_5(name: str, suspicious: int, repeats: int, percent_sentences: float, printed: float) -> None:
    (row,) = table_5([treebank(name, PARTS[name])], [f"UD_English-{name}"])
    assert (row.suspicious, row.repeats) == (suspicious, repeats)
    assert row.percent_sentences is not None
    assert round(row.percent_sentences, 3) == percent_sentences
    assert row.paper is not None
    assert row.paper.percent_inconsistent == printed


def test_table_4() -> None:
    rows = table_4(treebank("EWT", "train"), treebank("PUD", "test"))
    assert [(row.heuristic, row.suspicious) for row in rows] == [
        ("none", 2471), ("disjoint", 581), ("size 3", 215), ("size 4", 29),
    ]  # fmt: skip
    assert [row.paper.suspicious for row in rows if row.paper is not None] == [2507, 580, 214, 28]


def test_table_6_is_the_papers_within_a_sixth_of_a_point() -> None:
    names = ["EWT", "GUM", "LinES", "ParTUT"]
    rows = table_6(
        [(f"UD_English-{name}", treebank(name, "train")) for name in names],
        [(f"UD_English-{name}", treebank(name, "test")) for name in [*names, "PUD"]],
    )
    cells = {(row.train[11:], row.test[11:]): row for row in rows}
    wanted = {
        ("EWT", "EWT"): 8.78,
        ("EWT", "GUM"): 9.17,
        ("GUM", "PUD"): 11.19,
        ("LinES", "PUD"): 14.32,
        ("ParTUT", "EWT"): 10.58,
    }
    percent = {cell: row.percent_inconsistent or 0.0 for cell, row in cells.items()}
    assert {cell: round(percent[cell], 2) for cell in wanted} == wanted
    distances = [abs(percent[cell] - (row.paper or 0.0)) for cell, row in cells.items()]
    assert len(distances) == 20
    assert max(distances) < 1 / 6
    assert round(sum(distances) / 20, 2) == 0.08


def test_table_8_counts_repeats_of_both_corpora_by_length() -> None:
    one = corpus_of(plain("a/N b/N c/N", "u/N v/N w/N x/N", "y/N z/N y/N z/N"))
    other = corpus_of(plain("a/N b/V c/N", "u/N v/N", " ".join("e/N" for _ in range(12))))
    long = corpus_of(plain(" ".join("e/N" for _ in range(11))))
    rows = {row.words: (row.repeats, row.suspicious) for row in table_8([(one, other)])}
    assert rows == {2: (1, 0), 3: (1, 1), **dict.fromkeys(range(4, 11), (0, 0))}
    assert [(row.repeats, row.is_open) for row in table_8([(long, other)])][-2:] == [(1, False), (2, True)]


def test_table_8_has_the_repeats_of_both_corpora_together_beside() -> None:
    """`a b` is in both; `c d` and `e f` only in the first, the one labelled in two ways."""
    one = corpus_of(plain("a/N b/N", "c/N d/N", "c/N d/V", "e/N f/N", "e/N f/N"))
    other = corpus_of(plain("a/N b/N"))
    row = table_8([(one, other)])[0]
    assert (row.repeats, row.suspicious, row.percent_suspicious) == (1, 0, 0.0)
    assert (row.repeats_together, row.suspicious_together) == (3, 1)
    assert row.percent_suspicious_together == pytest.approx(100 / 3)


def test_other_data_than_the_papers_has_no_print_beside() -> None:
    one, other = corpus_of(plain("a/N b/N c/N")), corpus_of(plain("a/N b/V c/N"))
    assert {row.paper for row in table_4(one, other)} == {None}
    assert {row.paper for row in table_5([one], ["UD_English-EWT"])} == {None}
    assert {row.paper for row in table_6([("EWT", one)], [("EWT", other)])} == {None}


def test_the_definitions_of_the_text_can_be_taken_instead() -> None:
    inside_one = corpus_of(plain("a/N b/N c/N d a/N b/V c/N"))
    (paper,), (literal,) = (table_5([inside_one], ["x"], literal=literal) for literal in (False, True))
    assert (paper.repeats, paper.suspicious, paper.percent_sentences) == (1, 1, 0.0)
    assert (literal.repeats, literal.percent_inconsistent) == (0, None)
    one, other = corpus_of(plain("a b c", "a b c")), corpus_of(plain("d"))
    (paper_cell,), (literal_cell,) = (
        table_6([("x", one)], [("y", other)], literal=literal) for literal in (False, True)
    )
    assert (paper_cell.repeats, literal_cell.repeats) == (1, 0)
