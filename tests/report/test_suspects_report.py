"""Suspects for people: one table that can be read in a terminal of 80 columns."""

from __future__ import annotations

from pathlib import Path

import pytest

import karat
from examples import conllu, sentence
from karat.report.suspects import suspects_report
from karat.report.text import Style, report_text
from karat.suspects.search import Suspects

LONG = "weblog-blogspot.com_aggressivevoicedaily_20060629164800_ENG_20060629_164800"


@pytest.fixture
def found(tmp_path: Path) -> Suspects:
    """Four times the same words, two tags of the last are others; the ids are longer than a terminal is wide."""
    right = "a/DET very/ADV disproportionately/ADV old/ADJ gate/NOUN"
    wrong = "a/DET very/ADV disproportionately/ADJ old/NOUN gate/NOUN"
    texts = [right, right, right, wrong]
    sentences = [sentence(*text.split(), sent_id=f"{LONG}-{number:04}") for number, text in enumerate(texts, start=1)]
    return karat.find_suspects(conllu(tmp_path / "a.conllu", *sentences), system="most-frequent", folds=4, taggers=1)


def test_suspects_with_long_ids_are_one_table_of_80_columns(found: Suspects) -> None:
    text = report_text(suspects_report(found, top=20), Style(80))
    assert max(map(len, text.splitlines())) <= 80
    assert sum(line.startswith("─") for line in text.splitlines()) == 1


def test_every_row_has_a_number_of_its_own_and_all_its_evidence(found: Suspects) -> None:
    (table,) = suspects_report(found, top=20).tables
    assert [row[0] for row in table.rows] == list(range(1, len(table.rows) + 1))
    row = dict(zip(table.columns, table.rows[0], strict=True))
    first = next(found.items())
    assert first.repeat is not None
    assert first.probability is not None
    assert str(row["tagger"]).startswith(f"{100 * first.probability:.0f} → ")
    assert str(row["alike"]).startswith(f"{first.repeat.with_label}/{first.repeat.places}")
    assert str(row["where"]).endswith(f"0004:{first.token}")


def test_what_no_witness_says_has_neither_column_nor_note(tmp_path: Path) -> None:
    sentences = [sentence("a/DET", f"gate/{tag}", sent_id=f"s{n}") for n, tag in enumerate(["NOUN", "NOUN", "VERB"])]
    found = karat.find_suspects(conllu(tmp_path / "a.conllu", *sentences), rank="repeats")
    report = suspects_report(found, top=20)
    assert "tagger" not in report.tables[0].columns
    assert not any("tagger:" in note for note in report.notes)
    assert any("alike:" in note for note in report.notes)
