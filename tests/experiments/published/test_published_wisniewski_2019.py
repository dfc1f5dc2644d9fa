"""Every number of Wisniewski & Yvon 2019: the same rows whatever there is, what the print says of itself, real data."""

from __future__ import annotations

import glob
import itertools
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cli_runs import Run
from karat.experiments.papers import wisniewski_2019_prints as prints
from karat.experiments.papers.published import wisniewski_2019_claims as claims, wisniewski_2019_tables as tables
from karat.experiments.papers.published.numbers import PaperEvidence, PublishedNumber
from karat.experiments.papers.published.wisniewski_2019 import published
from karat.experiments.papers.published.wisniewski_2019_treebanks import UdTreebanks
from karat.experiments.papers.reproduction import PaperNumber, PaperPart, Reproduction
from karat.gold.divergence.paper_figure import FIGURE_1, FIGURE_1_TESTS
from karat.gold.repeats import paper_tables
from published_rows import printed_json
from realdata import data
from small_treebanks import small_treebank


@pytest.fixture(scope="module")
def rows() -> list[PublishedNumber]:
    return list(published(PaperEvidence()))


@pytest.fixture(scope="module")
def folder() -> str:
    return str(data("ud-2.3/UD_English-EWT/en_ewt-ud-train.conllu").parents[2])


@pytest.fixture(scope="module")
def evidence(folder: str) -> PaperEvidence:
    return PaperEvidence(folder)


@pytest.fixture(scope="module")
def on_data(evidence: PaperEvidence) -> list[PublishedNumber]:
    return list(published(evidence))


def _bare(rows: list[PublishedNumber]) -> list[PublishedNumber]:
    """The rows without what depends on data and on training."""
    return [one if one.needs == "nothing" else replace(one, ours=None) for one in rows]


def _of(rows: list[PublishedNumber], where: str) -> dict[str, PublishedNumber]:
    return {one.of: one for one in rows if one.where == where}


# ---- the print alone -------------------------------------------------------------------------------------------------


def test_every_cell_of_every_table_has_a_row(rows: list[PublishedNumber]) -> None:
    assert len({(one.where, one.of) for one in rows}) == len(rows) == 421
    cells = Counter(one.where for one in rows)
    assert cells["Table 1"] == 6 * 7 + 1  # with the caption's number
    assert cells["Table 4"] == 3 * 3 + 1
    assert cells["Table 5"] == 7 * 3 + 2  # with the caption's number, of both columns
    assert cells["Table 6"] == 6 * 7
    assert cells["Table 7"] == 3 * 2
    assert cells["Figure 1"] == 3 * (5 * 7 + 4 * 6)
    assert cells["Table 8"] == 9 * 5  # two readings of each percentage beside what its own counts give
    assert [one for one in rows if not one.why] == []
    assert [one.printed for one in rows if one.value is None] == []


def test_what_follows_from_the_paper_agrees_and_misprints_do_not(rows: list[PublishedNumber]) -> None:
    assert [one for one in rows if one.state == "differs"] == []
    own = [one for one in rows if one.needs == "nothing" and one.status == "misprint"]
    assert [(one.of, round(one.ours or 0, 2)) for one in own] == [
        ("factor between error rates", 19.89),
        ("pairs across corpora", 193),
        ("disjoint, inconsistencies, %", 70.17),
        ("by train set: cells of different treebanks in Table 6 above that of the same treebank", 35),
        ("by test set: cells of different treebanks in Table 6 above that of the same treebank", 21),
        ("sum of Table 8, 3 words or more: suspicious repeats", 57_597),
        ("sum of Table 8, 5 words or more: suspicious repeats", 3_113),
        ("words of the shortest repeats that the size filter keeps", 3),
        ("GSD in Table 1: error rate in-domain, %", 3.7),
    ]
    assert [one.of for one in own if one.agrees is not False] == []
    assert all(one.ours is not None for one in rows if one.needs == "nothing" and one.status in ("equal", "misprint"))


def test_printed_numbers_sum_to_what_the_paper_has(rows: list[PublishedNumber]) -> None:
    """Sums over the paper's own text, so that no print is changed by mistake."""
    sums: dict[str, float] = {}
    for one in rows:
        sums[one.where] = sums.get(one.where, 0) + (one.value or 0)
    assert {where: round(value, 2) for where, value in sums.items()} == {
        "Section 1": 32, "Table 1": 881.6, "Section 2": 79_911.62, "Footnote 3": 23, "Footnote 4": 80, "Table 2": 3,
        "Section 3": 123, "Table 3": 2, "Table 4": 4131.4, "Table 5": 55_999.9, "Section 4.1": 76.4, "Table 6": 476.6,
        "Section 4.2": 75, "Footnote 7": 2, "Footnote 9": 88, "Table 7": 327.9, "Figure 1": 13_967.3,
        "Section 5": 647_023.32, "Section 6": 2109.8, "Table 8": 7_486_775.62,
    }  # fmt: skip


def test_the_tables_are_as_long_as_the_text_says() -> None:
    assert [sum(n for _, n in list(prints.TABLE_8.values())[first:]) for first in (1, 3)] == [57_597, 3_113]
    assert sum(best for _, best in prints.TABLE_7.values()) == pytest.approx(1)
    assert {len(row) for row in paper_tables.PRINTED_TABLE_6.values()} == {len(paper_tables.PRINTED_TABLE_6_TESTS)}
    lengths = {len(row) == len(FIGURE_1_TESTS[code]) for (code, _), rows in FIGURE_1.items() for row in rows.values()}
    assert lengths == {True}
    for language, code in (("English", "en"), ("French", "fr")):
        assert {*FIGURE_1_TESTS[code]} == {*prints.TREEBANKS[language][1]}
        assert len(FIGURE_1_TESTS[code]) == prints.UD[f"test sets of {language}"]
    for heuristic, percent in prints.TABLE_4_PERCENT.items():
        printed = paper_tables.PRINTED_TABLE_4[heuristic]
        share = round(100 * (printed.inconsistencies or 0) / printed.suspicious, 1)
        assert (f"{share}" == percent) == (heuristic != "disjoint")


WORDS = {  # as printed, and what they mean
    "seven treebanks": 7,
    "two": 2,
    "three": 3,
    "in the English Web Treebank (EWT) corpus": 3,
    "between the English EWT and PUD corpora": 2,
    "two possible labelings": 2,
    "an actual ambiguity": 0,
    "captures": 1,
    "always": 100,
    "either as particle or an adverb": 2,
    "at least three words": 3,
    "slightly larger": 8.4,
    "at least once in both corpora": 2,
    "pairs of sentences": 2,
    "more than three words": 3,
    "close": 5.11,
    "three and more words": 3,
}


def test_words_are_printed_as_words(rows: list[PublishedNumber]) -> None:
    assert {one.printed: one.value for one in rows if one.worked and one.printed != "in all cases"} == WORDS
    assert [one.value for one in rows if one.printed == "in all cases"] == [36, 30]


def test_variation_across_treebanks_is_counted_right(rows: list[PublishedNumber]) -> None:
    """Cell by cell, by hand: which are not above the train set's, or the test set's, treebank with itself."""
    cells = {
        (train, test): value
        for train, row in paper_tables.PRINTED_TABLE_6.items()
        for test, value in zip(paper_tables.PRINTED_TABLE_6_TESTS, row, strict=True)
    }
    assert [one for one in cells if one[0] != one[1] and cells[one] <= cells[one[0], one[0]]] == [("ESL", "ParTUT")]
    below = {one for one in cells if one[0] != one[1] and cells[one] <= cells.get((one[1], one[1]), 0)}
    assert below == {
        *((train, "LinES") for train in ("ESL", "EWT", "GUM", "ParTUT", "WSJ")),
        *((train, "ParTUT") for train in ("EWT", "GUM", "WSJ")),
        ("WSJ", "ESL"),
    }
    found = [one for one in rows if one.printed == "in all cases"]
    assert [(one.value or 0) - (one.ours or 0) for one in found] == [1, 9]


def test_error_rates_of_section_6_are_beside_those_of_table_1(rows: list[PublishedNumber]) -> None:
    of = _of(rows, "Section 6")
    on_ftb, in_domain = of["GSD on FTB in Table 1: error rate on FTB, %"], of["GSD in Table 1: error rate in-domain, %"]
    assert (on_ftb.printed, in_domain.printed) == ("6.78 %", "4.51 %")
    assert [on_ftb.ours, in_domain.ours] == pytest.approx([6.7, 3.7])
    assert 4.5 not in [round(100 * one, 1) for pair, one in prints.TABLE_1.items() if pair[0] == pair[1]]


def test_the_examples_of_the_disjoint_heuristic_are_as_their_commands_print(rows: list[PublishedNumber]) -> None:
    found = [one for one in rows if one.command.startswith("karat repeats --between --min-words 2")]
    printed = [printed_json(one.command) for one in found]
    assert [one.ours for one in found] == [2, 0, 1]
    assert len(printed[0]["items"][0]["labellings"]) == 2
    assert [one["suspicious"] for one in printed] == [1, 0, 1]


def test_with_one_labelling_a_corpus_la_porte_would_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = claims.AMBIGUOUS
    monkeypatch.setattr(claims, "AMBIGUOUS", (first[:1], second[1:]))
    assert [one.state for one in claims.disjoint_heuristic()] == ["agrees", "differs", "agrees"]


@pytest.mark.parametrize(("words", "column"), [*itertools.product(prints.TABLE_8, (0, 1))])
def test_a_changed_count_of_table_8_is_noticed(monkeypatch: pytest.MonkeyPatch, words: int, column: int) -> None:
    counts = [*prints.TABLE_8[words]]
    counts[column] = round(counts[column] * 1.02) + 1
    monkeypatch.setitem(prints.TABLE_8, words, tuple(counts))
    rows = list(tables.table_8(UdTreebanks(PaperEvidence())))
    changed = f"{words} words{' or more' * (words == 10)}, suspicious, %"
    assert [one.of for one in rows if one.state == "differs"] == [changed]


@pytest.mark.parametrize("heuristic", ["size 4", "size 3"])
def test_a_changed_count_of_table_4_is_noticed(monkeypatch: pytest.MonkeyPatch, heuristic: str) -> None:
    printed = paper_tables.PRINTED_TABLE_4[heuristic]
    changed = replace(printed, suspicious=printed.suspicious + 1)
    monkeypatch.setitem(paper_tables.PRINTED_TABLE_4, heuristic, changed)
    assert any(one.state == "differs" for one in tables.table_4(UdTreebanks(PaperEvidence())))


def test_the_experiments_numbers_are_found(rows: list[PublishedNumber]) -> None:
    asked: list[tuple[str, str]] = []

    class Asking(PaperEvidence):
        def number(self, part: str, of: str, *, times: float = 1.0) -> float | None:
            asked.append((part, of))
            return None

    assert list(published(Asking())) == rows
    numbers = [PaperNumber(part, of, "share", i + 1.0, None, None, 1.0, same_data=False) for i, (part, of) in
               enumerate(asked)]  # fmt: skip
    run = Reproduction("", "", "", (PaperPart("", "", tuple(numbers)),), (), 0, 0, 0, "")
    given = list(published(PaperEvidence(None, run)))
    ours = [one.ours for one in given if one.needs == "training"]
    in_percent = [name != "correlation with errors, all repeats" for _, name in asked]
    assert ours == [(i + 1.0) * (100 if percent else 1) for i, percent in enumerate(in_percent)]
    assert _bare(given) == rows


# ---- other data ------------------------------------------------------------------------------------------------------


def test_other_treebanks_of_the_same_names_are_not_said_to_be_the_papers(
    rows: list[PublishedNumber], tmp_path: Path
) -> None:
    for seed, name in enumerate(("UD_English-EWT", "UD_English-PUD", "UD_French-Sequoia")):
        small_treebank(tmp_path / "ud-2.3" / name, seed, parts={"test": 20} if name.endswith("PUD") else None)
    evidence = PaperEvidence(str(tmp_path))
    found = list(published(evidence))
    assert _bare(found) == rows
    assert [one.of for one in found if one.needs == "data" and one.status in ("equal", "misprint") and one.ours] == []
    assert {one.of for one in found if one.needs == "data" and one.ours is not None} >= {"2 words, suspicious"}
    missing = {one.what: one.why for one in evidence.missing}
    assert missing["UD_English-GUM"] == "not in the folder"
    assert "not the train part of English-EWT of UD 2.3" in missing["examples of Table 2"]


def test_a_folder_without_treebanks_is_missing_once(rows: list[PublishedNumber], tmp_path: Path) -> None:
    evidence = PaperEvidence(str(tmp_path))
    assert list(published(evidence)) == rows
    assert [one.what for one in evidence.missing] == ["treebanks of UD 2.3"]


# ---- real data -------------------------------------------------------------------------------------------------------


def test_on_the_papers_files_what_is_equal_agrees(
    rows: list[PublishedNumber], on_data: list[PublishedNumber], evidence: PaperEvidence
) -> None:
    assert _bare(on_data) == rows
    of_data = [one for one in on_data if one.needs == "data"]
    assert [one.of for one in of_data if one.ours is None] == []
    assert [one for one in of_data if one.state == "differs"] == []
    assert [(one.where, one.ours) for one in of_data if one.status == "misprint"] == [
        ("Table 2", 1),
        ("Section 3", 1),
        ("Table 5", pytest.approx(100 * 36 / 369)),
        ("Table 5", 5),
        ("Section 4.1", 1),
    ]
    assert [one.ours for one in of_data if one.of.endswith("words of a repeat, at least")] == [5, 3]
    assert [one.of for one in of_data if one.status == "misprint" and one.agrees is not False] == []
    assert evidence.missing == []
    assert len({*evidence.inputs}) == len(evidence.inputs) == 27


def test_figure_1_is_drawn_without_training(on_data: list[PublishedNumber], evidence: PaperEvidence) -> None:
    assert [one.name.rpartition(", ")[2] for one in evidence.figures] == ["English", "French"]
    accuracies = {cell.accuracy for one in evidence.figures for cell in one.result.cells}  # type: ignore[attr-defined]
    ours = {one.ours for one in on_data if one.where == "Figure 1" and one.ours is not None}
    assert ours == {100 * one for one in accuracies}


def test_percentages_are_cut_off_where_they_do_not_round(on_data: list[PublishedNumber]) -> None:
    for one in (found for found in on_data if found.needs == "data"):
        if one.tolerance is not None and one.ours is not None and one.value is not None:
            cut, rounded = math.floor(10 * one.ours + 1e-9) / 10, round(one.ours, 1)
            assert one.value in (cut, rounded), one
    rounds = [
        one.of
        for one in on_data
        if one.needs == "data" and one.tolerance and one.value != math.floor(10 * (one.ours or 0) + 1e-9) / 10
    ]
    assert rounds == ["ParTUT with LinES, inconsistent repeats, %"]


def test_table_4_is_off_by_one_and_totals_are_those_of_the_experiment(on_data: list[PublishedNumber]) -> None:
    of = _of(on_data, "Table 4")
    assert [of[f"{one}, suspicious repeats"].ours for one in ("size 4", "size 3", "disjoint", "none")] == [
        29, 215, 581, 2471,
    ]  # fmt: skip
    totals = [one.ours for one in _of(on_data, "Section 5").values() if one.needs == "data"]
    assert totals == [62_405, 7_237, 171, 21_838]  # as in docs/wisniewski-2019.md


@pytest.mark.parametrize("name", ["EWT", "GUM", "LinES", "ParTUT"])
@pytest.mark.parametrize("field", ["percent_sentences", "percent_inconsistent"])
def test_a_changed_print_of_table_5_is_noticed(
    monkeypatch: pytest.MonkeyPatch, evidence: PaperEvidence, name: str, field: str
) -> None:
    here = UdTreebanks(evidence)
    assert not any(one.state == "differs" for one in tables.table_5(here))
    printed = paper_tables.PRINTED_TABLE_5[name]
    changed = replace(printed, **{field: round(getattr(printed, field) + 0.2, 1)})
    monkeypatch.setitem(paper_tables.PRINTED_TABLE_5, name, changed)
    assert any(one.state == "differs" for one in tables.table_5(here))


def _numbers(found: Any) -> Iterator[float]:
    if isinstance(found, dict):
        found = list(found.values())
    if isinstance(found, list):
        for one in found:
            yield from _numbers(one)
    elif isinstance(found, (int, float)):
        yield float(found)


@pytest.mark.slow
def test_commands_print_ours(on_data: list[PublishedNumber], folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    """All commands that need no training; sums over several tables, as of Table 8, are not looked for."""
    printed: dict[str, list[float]] = {}
    for one in on_data:
        if one.needs != "data" or one.command.startswith("karat reproduce"):
            continue
        for command in one.command.split("; "):
            if command not in printed:
                words = command.replace("DIR", folder).split()[1:]
                arguments = [path for word in words for path in (sorted(glob.glob(word)) if "*" in word else [word])]
                run = Run(capsys, *arguments)
                assert run.code == 0, command
                printed[command] = [*_numbers(run.json)]
        every = {round(value, 9) for command in one.command.split("; ") for value in printed[command]}
        if one.where in ("Table 4", "Table 5", "Table 6", "Figure 1") and not one.worked:
            assert one.ours is not None
            assert {round(one.ours, 9), round(one.ours / 100, 9)} & every, one
    assert len(printed) == 10
