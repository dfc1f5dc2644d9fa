"""What a published number is: when ours agrees with it, and what has come of it."""

from __future__ import annotations

import dataclasses
import json

import pytest
from hypothesis import given, strategies as st

import karat
from console_examples import ROOT
from karat.errors import DataError, Problem
from karat.experiments.papers.published.numbers import (
    STATES,
    PaperEvidence,
    PaperNumbers,
    PublishedNumber,
    PublishedNumbers,
    Status,
    TagTree,
    printed_value,
)
from karat.report.published_numbers import published_numbers_report, shown_beside
from karat.report.tables import written


def number(printed: str, ours: float | None, **others: object) -> PublishedNumber:
    return dataclasses.replace(PublishedNumber("Table 1", "accuracy", printed, ours=ours), **others)  # type: ignore[arg-type]


@given(st.integers(0, 10**6), st.integers(0, 4))
def test_ours_agrees_exactly_if_it_rounds_to_the_print(thousandths: int, places: int) -> None:
    """Halves may round either way."""
    ours = thousandths / 1000
    printed = f"{ours:.{places}f}"
    assert number(printed, ours).agrees
    unit = 10**-places
    assert not number(f"{float(printed) + 2 * unit:.{places}f}", ours).agrees
    assert not number(f"{float(printed) - 2 * unit:.{places}f}", ours).agrees


@pytest.mark.parametrize(
    ("printed", "value"),
    [
        ("91.35", 91.35),
        ("71.5 %", 71.5),
        ("(77.8%)", 77.8),
        ("more than 23,500", 23500),
        (".893", 0.893),
        ("0.5 × 0.5 + 0.5 × 1 = 0.75", 0.75),
        ("Pr(B.2|B) = 1/3", 1 / 3),
        ("−4.7", -4.7),
        ("-4.7", -4.7),
        ("1,977,969", 1977969),
        ("almost none", None),
        ("", None),
    ],
)
def test_the_value_is_the_last_number_of_the_print(printed: str, value: float | None) -> None:
    assert printed_value(printed) == value


@pytest.mark.parametrize(
    ("relation", "ours", "agrees"),
    [
        ("below", 24.9, True),
        ("below", 25.0, False),
        ("above", 25.1, True),
        ("above", 25.0, False),
        ("at most", 25.0, True),
        ("at least", 24.9, False),
    ],
)
def test_inequalities_are_those_of_ours_with_the_print(relation: str, ours: float, agrees: bool) -> None:
    assert number("more than 25", ours, relation=relation).agrees is agrees


def test_a_tolerance_takes_the_place_of_rounding() -> None:
    assert number("8.7", 8.78).agrees is False
    assert number("8.7", 8.78, tolerance=0.1).agrees is True
    assert number("1/3", 0.3333).agrees is False


def test_a_printed_formula_is_compared_as_it_is_worked() -> None:
    worked = number("(1 − C)t", 0.9184, worked="0.918")
    assert (worked.value, worked.agrees) == (0.918, True)
    assert number("(1 − C)t", 0.9186, worked="0.918").agrees is False
    (row,) = published_numbers_report(some_numbers(worked), details=True).tables[-1].rows
    assert row[2:5] == ["(1 − C)t", "0.9184", "+0.0004"]


def test_what_agrees_otherwise_than_by_rounding_says_so() -> None:
    rows = (number("about 25", 26.0, relation="about", tolerance=2), number("more than 25", 26.0, relation="above"))
    shown = published_numbers_report(some_numbers(*rows, number("25", 25.1)), details=True)
    assert [row[5] for row in shown.tables[-1].rows] == ["agrees (within 2)", "agrees (above)", "agrees"]


def test_commands_can_be_copied_from_markdown() -> None:
    command = "karat score <(printf '%s\\n' 'a|b') x --json"
    text = written(published_numbers_report(some_numbers(number("1", 1.0, command=command)), details=True), "markdown")
    assert "| `karat score <(printf '%s\\n' 'a\\|b') x --json` |" in text


@pytest.mark.parametrize(
    ("status", "ours", "state"),
    [
        ("equal", 91.35, "agrees"),
        ("equal", 91.36, "differs"),
        ("equal", None, "not computed"),
        ("misprint", 91.36, "misprint"),
        ("misprint", None, "not computed"),
        ("other data", 50.0, "other data"),
        ("not runnable", None, "not runnable"),
        ("given", None, "given"),
    ],
)
def test_only_what_should_agree_can_differ(status: Status, ours: float | None, state: str) -> None:
    assert number("91.35", ours, status=status).state == state


def test_evidence_says_what_it_does_not_have() -> None:
    def refused(folder: str) -> float:
        raise DataError([Problem("K104", "no treebanks in it", folder)])

    nothing, some = PaperEvidence(), PaperEvidence("folder")
    assert nothing.found("trees", refused) is None
    assert nothing.missing == []
    assert some.found("trees", refused) is None
    assert "no treebanks in it" in some.missing[0].why
    assert some.found("trees", lambda folder: folder) == "folder"
    assert some.number("Table 1", "accuracy") is None


def some_numbers(*rows: PublishedNumber) -> PublishedNumbers:
    return PublishedNumbers((PaperNumbers("padro-1998", "A title", rows),), None, True, "karat:0|verb:reproduce")


def test_what_no_longer_agrees_comes_first() -> None:
    result = some_numbers(number("91.35", 91.35), number("5", 7.0, of="errors"))
    assert [row.of for _, row in result.differing] == ["errors"]
    shown = published_numbers_report(result)
    assert shown.tables[0].title == "These should agree and do not"
    assert "1 agrees and 1 should agree and does not" in shown.verdict[0]
    assert "Every computed number" not in " ".join(shown.verdict)
    fine = published_numbers_report(some_numbers(number("91.35", 91.35)))
    assert fine.verdict[-1] == "Every computed number that should agree does."
    odd = published_numbers_report(some_numbers(number("91.35", 91.35), number("5", 7.0, status="unexplained")))
    assert odd.verdict[-1] == "Every computed number that should agree does, but for those that are unexplained."


def test_counts_are_of_every_state_and_sum_to_all() -> None:
    rows = [number("1", ours, status=status) for status in ("equal", "misprint", "given") for ours in (None, 1.0, 9.0)]
    counts = some_numbers(*rows).counts()
    assert tuple(counts) == STATES
    assert sum(counts.values()) == len(rows)
    assert counts["agrees"] == counts["differs"] == 1


def test_details_show_every_number_with_one_place_more_than_the_print() -> None:
    result = some_numbers(number("91.35", 91.3549), number("almost none", None, status="not runnable"))
    text = written(published_numbers_report(result, details=True))
    assert "91.355" in text
    assert "almost none" in text
    assert max(map(len, text.splitlines())) <= 80
    assert shown_beside(4063.2, "4063") == "4,063.2"


def test_it_is_plain_data() -> None:
    result = some_numbers(number("91.35", 91.36))
    data = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    (row,) = data["papers"][0]["rows"]
    assert (row["state"], row["agrees"], row["value"]) == ("differs", False, 91.35)
    assert len(result.records().rows) == 1
    assert TagTree((("A", "A.1"),)).to_dict()["edges"] == [["A", "A.1"]]


def test_the_page_counts_the_rows_of_every_paper() -> None:
    """Rows, given ones and those of what cannot be run do not depend on the data that are there."""
    text = (ROOT / "docs" / "published-numbers.md").read_text(encoding="utf-8")
    table = {
        row[0].strip("[").partition("]")[0]: [int(one) for one in row[1:]] for row in _numbers_below(text, "paper")
    }
    every = karat.published_numbers()
    for one in every.papers:
        rows, *_, not_runnable, settings = table[one.paper]
        assert rows == sum(table[one.paper][1:]) == len(one.rows), one.paper
        assert (settings, not_runnable) == (one.counts()["given"], one.counts()["not runnable"]), one.paper
    assert table["all"] == [sum(column) for column in zip(*(table[one.paper] for one in every.papers), strict=True)]


def _numbers_below(text: str, head: str) -> list[list[str]]:
    lines = text[text.index(f"| {head} |") :].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
