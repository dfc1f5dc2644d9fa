"""The numbers of Melamed & Resnik 2000: all that can be computed agree, and the commands give them."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from karat.experiments.papers.published import melamed_2000 as paper
from karat.experiments.papers.published.numbers import PaperEvidence, PublishedNumber, state_counts
from typed_commands import run_as_typed, run_in_bash

ROWS = tuple(paper.published(PaperEvidence()))
COMPUTED = [one for one in ROWS if one.status == "equal"]

# Table II: gold, output, score; worked out by hand in the tree that the examples imply
QUARTER, THIRD, HALF = Fraction(1, 4), Fraction(1, 3), Fraction(1, 2)
TABLE_2: dict[str, Fraction | int] = {
    "gold B, output A": 0,
    "gold A, output A": 1,
    "gold A, output A.1": 1,
    "gold A, output A.1b": 1,
    "gold A.1, output A": HALF,
    "gold A.1 and A.2, output A": HALF + HALF,
    "gold A.1a, output A": HALF * HALF,
    "gold A.1a and B.2, output B": THIRD,
    "gold A.1a and B.2, output A.1": HALF,
    "gold A.1a and B.2, output A.1 and B.2": HALF * HALF + HALF * 1,
    "gold A.1a and B.2, output A.1 and B": HALF * HALF + HALF * THIRD,
}


def of(where: str) -> dict[str, PublishedNumber]:
    return {one.of: one for one in ROWS if one.where == where}


def test_every_number_that_can_be_computed_agrees() -> None:
    assert state_counts(ROWS) == {
        "agrees": 50,
        "differs": 0,
        "misprint": 0,
        "unexplained": 0,
        "other data": 0,
        "not runnable": 0,
        "given": 20,
        "not computed": 0,
    }
    assert len({(one.where, one.of) for one in ROWS}) == len(ROWS)


def test_rows_are_the_same_with_data() -> None:
    assert tuple(paper.published(PaperEvidence(data="/nowhere"))) == ROWS
    assert {one.needs for one in ROWS} == {"nothing"}


def test_table_2_is_as_worked_out_by_hand() -> None:
    found = of("Table II")
    assert {name: found[name].ours for name in TABLE_2} == pytest.approx(
        {name: float(score) for name, score in TABLE_2.items()}, abs=1e-12
    )
    prints = ["0", "1", "1", "1", "0.5", "1", "0.25", "1/3", "0.5", "0.75", "0.4"]
    assert [found[name].printed for name in TABLE_2] == prints
    assert [one.printed for name, one in found.items() if name not in TABLE_2] == [
        *("0.5", "0.5"),
        *("0.5", "0.5", "0.5", "1"),
        *("0.5", "0.5", "0.5", "0.333"),
    ]


def test_only_what_the_paper_rounds_is_compared_as_rounded() -> None:
    rounded = {one.printed for one in COMPUTED if one.tolerance is None}
    assert rounded == {"0.4", "0.333"}
    wrong = PublishedNumber("", "", "1", ours=0.75, tolerance=of("Table II")["gold A, output A.1"].tolerance)
    assert not wrong.agrees


@pytest.mark.parametrize(
    ("leaves", "where"),
    [
        (("A.1a", "A.1b", "A.2", "B.1", "B.2", "B.3", "B.4"), "Pr(B.2 | B)"),
        (("A.1a", "A.1b", "A.1c", "A.2", "B.1", "B.2", "B.3"), "Pr(A.1a | A.1)"),
        (("A.1a", "A.1b", "A.2", "A.3", "B.1", "B.2", "B.3"), "Pr(A.1 | A)"),
    ],
)
def test_in_any_other_tree_the_examples_fail(
    leaves: tuple[str, ...], where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paper, "FIGURE_1", leaves)
    rows = {one.of: one for one in paper.published(PaperEvidence()) if one.where == "Section 4"}
    assert rows[where].state == "differs"


def test_table_1_is_four_distributions() -> None:
    assert [sum(Fraction(one) for one in column) for column in paper.TABLE_1] == [1, 1, 1, 1]
    cells = [Fraction(one.printed) for one in ROWS if one.of.startswith("probability of (")]
    rows = [("0.47", "0.85", "0.28", "1"), ("0.42", "0.05", "0.24", "0"), ("0.06", "0.05", "0.24", "0")]
    rows.append(("0.05", "0.05", "0.24", "0"))
    assert cells == [Fraction(one) for row in rows for one in row]


def test_given_numbers_are_those_of_the_paper() -> None:
    given = {one.of: one for one in ROWS if one.status == "given" and not one.of.startswith("probability of (")}
    assert {of: one.printed for of, one in given.items()} == {
        "systems": "four",
        "number of the right sense": "(2)",
        "tags that the example's word can have": "5",
        "sub-senses of A in this example": "two",
    }
    assert [one.value for one in given.values()] == [4, 2, 5, 2]
    first, last = (one.of for one in ROWS if one.where == "Table I" and one.printed in ("0.47", "1.00"))
    assert (first, last) == ("probability of (1) monetary, system 1", "probability of (1) monetary, system 4")


def test_system_1_is_right_by_equation_1_with_the_probability_it_gives() -> None:
    found = of("Section 2")
    assert found["equation 1, system 1 of Table I"].ours == pytest.approx(0.42)
    assert found["equation 1, system 4 of Table I"].ours == 0


def test_what_is_printed_in_words_is_printed_so() -> None:
    words = {one.of: (one.printed, one.worked) for one in COMPUTED if one.worked and one.where != "Section 5"}
    assert words == {
        "exact match: the right answer": ("scores a point", "1"),
        "exact match: any other answer": ("no other answer scores any points", "0"),
        **{f"exact match of system {n} (also section 2)": ("zero credit", "0") for n in range(1, 5)},
        "equation 1, system 4 of Table I": ("zero", "0"),
        "if monetary is right: equation 1, system 4 of Table I": (SAME_SCORE, "1"),
        "if stake is right: equation 1, system 4 of Table I": (SAME_SCORE, "0"),
        **{f"Pr({tag} | A), A having the sub-senses A.1 and A.2": ("one half", "1/2") for tag in ("A.1", "A.2")},
    }


SAME_SCORE = "the same score … as from the exact match criterion"


def test_a_system_with_one_tag_has_the_same_score_by_exact_match() -> None:
    for one in (found for found in COMPUTED if found.printed == SAME_SCORE):
        right = one.of.split()[1]
        assert paper.score_of([(right, "monetary/1.00 stake/0.00")], "exact", ()) == one.ours


def test_equations_3_to_5_are_worked_right() -> None:
    """Annotators who give the same tags: over leaves, A is a quarter, a quarter and a half, B.1 is whole."""
    of_a, of_b = (QUARTER, QUARTER, HALF, Fraction(0)), (Fraction(0),) * 3 + (Fraction(1),)
    observed = sum((one * one for leaves in (of_a, of_b) for one in leaves), Fraction(0)) / 2
    chance = sum((((a + b) / 2) ** 2 for a, b in zip(of_a, of_b, strict=True)), Fraction(0))
    found = of("Section 5")
    assert {name: Fraction(one.worked) for name, one in found.items()} == {
        "kappa, equation 3": (observed - chance) / (1 - chance),
        "Pr(A), equation 4": observed,
        "Pr(A) for A and A, equation 4": QUARTER**2 * 2 + HALF**2,
        "Pr(E), equation 5": chance,
    }


@pytest.mark.parametrize("row", COMPUTED, ids=[f"{one.where}: {one.of}" for one in COMPUTED])
def test_each_command_gives_the_number(
    row: PublishedNumber, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = run_as_typed(row.command, tmp_path, capsys, "--json").json
    if row.where == "Section 5":
        observed, kappa = data["observed"], data["kappa_pooled"]
        shown = {"kappa": kappa, "Pr(A)": observed, "Pr(E)": (observed - kappa) / (1 - kappa)}
        assert shown[row.of.partition(",")[0].removesuffix(" for A and A")] == pytest.approx(row.ours, abs=1e-12)
        return
    ((_, measure),) = data["systems"][0]["measures"].items()
    times = 100 if row.printed.endswith("%") else 1
    assert times * measure["value"] == pytest.approx(row.ours, abs=1e-12)


@pytest.mark.parametrize("name", ["gold A.1a and B.2, output A.1 and B", "gold A, output A.1b"])
def test_a_command_can_be_typed_as_it_is(name: str) -> None:
    row = of("Table II")[name]
    ((_, measure),) = json.loads(run_in_bash(row.command, "--json"))["systems"][0]["measures"].items()
    assert measure["value"] == pytest.approx(row.ours)


def test_a_command_of_several_instances_can_be_typed_as_it_is() -> None:
    row = of("Section 4")["any of these conditional probabilities, reversed"]
    data = json.loads(run_in_bash(row.command, "--json"))
    assert data["gold"]["words"] == 9
    assert data["systems"][0]["measures"]["hierarchical"]["value"] == 1
