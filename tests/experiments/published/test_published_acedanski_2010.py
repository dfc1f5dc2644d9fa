"""The numbers of Acedański & Przepiórkowski 2010: what follows from the paper agrees, and the commands give it."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import karat
from karat.experiments.papers import acedanski_2010_prints as prints
from karat.experiments.papers.published import acedanski_2010 as paper
from karat.experiments.papers.published.numbers import PaperEvidence, PublishedNumber, state_counts
from karat.experiments.papers.reproduction import PaperNumber, PaperPart, Reproduction
from karat.weights import read_weights
from typed_commands import run_as_typed, run_in_bash

ROWS = tuple(paper.published(PaperEvidence()))
COMPUTED = [one for one in ROWS if one.status == "equal"]
WITH_COMMANDS = [one for one in ROWS if one.command and one.needs == "nothing"]
STATES = dict.fromkeys(
    ("agrees", "differs", "misprint", "unexplained", "other data", "not runnable", "given", "not computed"), 0
)


def row(where: str, of: str) -> PublishedNumber:
    (found,) = [one for one in ROWS if one.where == where and one.of == of]
    return found


# ---- which rows there are --------------------------------------------------------------------------------------------


def test_what_follows_from_the_paper_agrees() -> None:
    assert state_counts(ROWS) == STATES | {"agrees": 44, "misprint": 1, "given": 30, "not computed": 60}
    assert len({(one.where, one.of) for one in ROWS}) == len(ROWS)


def _experiment(numbers: Iterable[PaperNumber]) -> PaperEvidence:
    """A finished experiment that gave these numbers."""
    part = PaperPart("table", "", tuple(numbers))
    return PaperEvidence("/nowhere", Reproduction("acedanski-2010", "", "", (part,), (), 0, 0, 0, ""))


def _a_point_above_the_print() -> Iterator[PaperNumber]:
    for table, rows in prints.TABLES.items():
        for tagger, of in rows.items():
            for name, value in of.items():
                yield PaperNumber(
                    f"Table {table}", prints.number_of(name, tagger), "share", value + 0.01, None, None, value, False
                )


def test_with_the_experiment_rows_are_the_same_and_tables_2_to_5_have_ours() -> None:
    found = tuple(paper.published(_experiment(_a_point_above_the_print())))
    assert [replace(one, ours=None) for one in found] == [replace(one, ours=None) for one in ROWS]
    assert state_counts(found) == STATES | {"agrees": 44, "misprint": 1, "given": 30, "other data": 60}
    of_tables = [one for one in found if one.needs == "training"]
    assert all(one.difference == pytest.approx(1) for one in of_tables)
    assert Counter(one.where for one in of_tables) == {f"Table {table}": 15 for table in (2, 3, 4, 5)}


def test_the_experiment_names_its_numbers_as_the_rows_look_for_them() -> None:
    from karat.experiments.papers import acedanski_2010_tables as tables

    class Pooled:
        system = "trees, one tag"

        def pooled(self, scoring: str) -> dict[str, float]:
            assert scoring == "exact"
            return dict.fromkeys(prints.STATISTICS, 0.875)

    made = tuple(tables._numbers(2, [Pooled()], "exact"))  # type: ignore[list-item]
    assert len(made) == 5

    evidence = _experiment(made)
    found = [one for one in paper.published(evidence) if one.needs == "training" and one.ours is not None]
    assert {one.of for one in found} == {
        f"{name}, TaKIPI, one tag" for name in ("C (here: strong correctness)", "WC", "P", "R", "F")
    }
    assert {one.ours for one in found} == {87.5}


# ---- what the paper prints -------------------------------------------------------------------------------------------


def test_prints_are_those_of_the_paper() -> None:
    of_table_1 = [one.printed for one in ROWS if one.where == "Table 1"]
    assert of_table_1 == "37771 14055 2074 552 222 186 81 25 8 7 5 4".split()
    columns: dict[str, list[str]] = {tagger: [] for tagger in prints.LIKE}
    for one in ROWS:
        if one.needs == "training":
            columns[one.of.partition(", ")[2]].append(one.printed)
    assert (
        columns["Brill"]
        == (
            "90.01% 92.44% 92.26% 85.00% 88.49% 98.17% 98.18% 98.20% 98.26% 98.23% "
            "97.02% 97.43% 97.42% 96.27% 96.84% 97.34% 97.40% 97.41% 97.34% 97.38%"
        ).split()
    )
    assert (
        columns["TaKIPI, defaults"]
        == (
            "87.67% 92.10% 89.93% 84.72% 87.25% 95.56% 97.52% 95.71% 97.61% 96.65% "
            "95.23% 96.58% 95.69% 95.44% 95.57% 95.20% 96.62% 95.34% 96.56% 95.95%"
        ).split()
    )
    assert (
        columns["TaKIPI, one tag"]
        == (
            "88.68% 91.06% 90.94% 83.78% 87.21% 96.53% 96.54% 96.58% 96.71% 96.65% "
            "95.69% 96.10% 96.12% 95.00% 95.56% 95.88% 95.93% 95.97% 95.94% 95.95%"
        ).split()
    )


def test_given_numbers_are_those_of_the_paper() -> None:
    given = [one for one in ROWS if one.status == "given" and one.where != "Table 1"]
    assert [(one.where, one.printed) for one in given] == [
        *(("Section 2.3", one) for one in ("2.0", "4", "0.5")),
        *(("Section 2.3.1", one) for one in ("2.32", "3.65", "3.32")),
        ("Section 2.4", "5"),
        *(("Section 3", one) for one in ("880 000", "two", "four")),
        *(("Footnote 3", one) for one in ("a single", "two", "0.6")),
        *(("Section 3.2", one) for one in ("90%", "10%", "10", "92.55%", "91.30%")),
    ]
    assert all(one.agrees is not False for one in given)
    assert [one.value for one in given if one.worked] == [880_000, 2, 4, 1, 2]


def test_worked_examples_are_printed_as_in_the_paper() -> None:
    printed = [(one.where, one.printed) for one in COMPUTED if not one.where.startswith("Table")]
    assert printed == [
        *(("Section 2.1", one) for one in ("equally well", "equally well", "T2 … better")),
        *(("Section 2.2", one) for one in ("3", "3/6", "3/4", "0.6", "1.0", "0.0", "0", "1")),
        *(("Section 2.3", one) for one in ("3", "4", "2", "2/3", "3", "4", "3/4", "a higher F-measure")),
        ("Section 2.4", "Σ_{c∈{n,c,g}} w(c|ger)/(w(ger) + Σ_{c∈{n,c,g,a,neg}} w(c|ger))"),
        ("Section 2.4", "Σ_{c∈{n,c,g}} w(c|subst)/(w(subst) + Σ_{c∈{n,c,g}} w(c|subst))"),
        ("Section 3.1", "Σ_i Σ_{t∈T_i} score(t, G_i)/Σ_i |T_i|"),
        ("Section 3.1", "Σ_i Σ_{g∈G_i} score(g, T_i)/Σ_i |G_i|"),
        ("Section 3.1", "2 · P · R/(P + R)"),
        ("Section 3.1", "Σ_i max_{t∈T_i} score(t, G_i)/n"),
        ("Section 3.1", "Σ_i min({score(t, G_i): t∈T_i} ∪ {score(g, T_i): g∈G_i})/n"),
        ("Section 3.1", "never greater than one"),
        ("Footnote 3", "1.2"),
        ("Section 3.2", "fall between"),
        *(("Section 3.2", "much closer together") for _ in range(2)),
        ("Section 3.2", "more similar to 92.55% … than 91.30%"),
    ]


def test_table_1_is_what_karat_weighs_by() -> None:
    assert {category: count for _, category, count in prints.QUERY_LOGS} == read_weights("poliqarp-2010").absolute
    assert all(one.agrees for one in ROWS if one.where == "Table 1")


def test_what_the_text_says_of_tables_2_to_5_holds_but_for_one() -> None:
    """PA and WPA lie between full tags and parts of speech; WPA has P and R nearer than PA, not for the defaults."""
    full, pos, pa, wpa = (prints.TABLES[table] for table in (2, 3, 4, 5))
    apart = {}
    for tagger in prints.LIKE:
        for name in prints.STATISTICS:
            assert full[tagger][name] < pa[tagger][name] < pos[tagger][name]
            assert full[tagger][name] < wpa[tagger][name] < pos[tagger][name]
        apart[tagger] = [round(100 * abs(table[tagger]["P"] - table[tagger]["R"]), 2) for table in (full, pa, wpa)]
    assert apart == {
        "TaKIPI, defaults": [5.21, 0.25, 1.22],
        "TaKIPI, one tag": [7.16, 1.12, 0.03],
        "Brill": [7.26, 1.15, 0.07],
    }
    for tagger, (by_full, by_pa, by_wpa) in apart.items():
        found = row("Section 3.2", f"{tagger}: points between P and R by WPA, below those by PA")
        assert (found.value, round(found.ours or 0, 2)) == (by_pa, by_wpa)
        assert f"({by_full} by full tags)" in found.why
        assert found.state == ("misprint" if tagger == "TaKIPI, defaults" else "agrees")


def test_weak_correctness_of_takipi_is_nearer_to_what_its_authors_report_only_by_default() -> None:
    of = "defaults: points between weak correctness of TaKIPI and 92.55, below those to 91.30"
    found = row("Section 3.2", of)
    assert found.ours == pytest.approx(92.55 - 92.10)
    assert found.value == pytest.approx(92.10 - 91.30)
    one_tag = prints.TABLES[2]["TaKIPI, one tag"]["WC"]
    assert one_tag == 0.9106
    assert "91.06 is 1.49 from 92.55 and 0.24 from 91.30" in found.why


def test_a_changed_cell_of_the_tables_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(prints.TABLES[5]["Brill"], "R", 0.9599)
    assert [one.of for one in paper.published(PaperEvidence()) if one.state == "differs"] == [
        "Brill: points between P and R by WPA, below those by PA",
        "F, Brill: from P and R as printed",
    ]


@pytest.mark.parametrize("tagger", prints.LIKE)
@pytest.mark.parametrize("table", prints.TABLES)
def test_f_follows_from_p_and_r(table: int, tagger: str) -> None:
    """As near as P and R are known: their last places, up or down, leave F between these two."""
    found = row(f"Table {table}", f"F, {tagger}: from P and R as printed")
    of = prints.TABLES[table][tagger]
    least, most = (_harmonic_mean(of["P"] + by, of["R"] + by) for by in (-5e-5, 5e-5))
    assert found.ours == pytest.approx(100 * _harmonic_mean(of["P"], of["R"]), abs=1e-9)
    assert least <= of["F"] + 5e-5
    assert most >= of["F"] - 5e-5
    wrong = (
        replace(found, printed=f"{100 * of['F'] + 0.02:.2f}%"),
        replace(found, printed=f"{100 * of['F'] - 0.02:.2f}%"),
    )
    assert not any(one.agrees for one in wrong)


def _harmonic_mean(one: float, other: float) -> float:
    return 2 * one * other / (one + other)


# ---- the examples, by hand -------------------------------------------------------------------------------------------


def test_weighted_precision_and_recall_are_as_worked_out_by_hand() -> None:
    what = "ger:sg:nom:n:perf:aff for subst:sg:nom:n"
    assert row("Section 2.3", f"{what}, precision").ours == pytest.approx(3 * 2.0 / (4 * 2.0 + 2 * 0.5))
    assert row("Section 2.3", f"{what}, recall").ours == pytest.approx(3 * 2.0 / (4 * 2.0))
    assert row("Section 2.3", f"{what}: F, above that without weights").ours == pytest.approx(12 / 17)


def test_the_formulas_of_conditional_weights_are_as_worked_out_by_hand() -> None:
    what, weights = "ger:sg:nom:n:perf:aff for subst:sg:nom:n", paper.CONDITIONAL.conditional
    for of, pos, others in (("precision", "ger", "n c g a neg"), ("recall", "subst", "n c g")):
        names = dict(zip("n c g a neg".split(), ("number", "case", "gender", "aspect", "negation"), strict=True))
        right = sum(weights[pos][names[one]] for one in "ncg")
        worked = right / (weights[pos]["pos"] + sum(weights[pos][names[one]] for one in others.split()))
        assert row("Section 2.4", f"{what}, CWPA: {of}").value == pytest.approx(worked)


def test_other_weights_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paper, "OTHER_WEIGHT", 1.0)
    found = {one.of: one for one in paper.published(PaperEvidence()) if one.where == "Section 2.3"}
    assert found["ger:sg:nom:n:perf:aff for subst:sg:nom:n, precision"].state == "differs"


def test_exact_numbers_are_not_rounded() -> None:
    rounded = [one for one in COMPUTED if one.tolerance and one.relation == "equal"]
    assert {one.where for one in COMPUTED if one.tolerance is None} == {"Section 3.1", "Section 3.2"}  # of claims
    assert all(one.why.startswith("from P and R, which are rounded: F is from") for one in rounded)
    for one in rounded:  # by the bounds that are named, the print is possible
        lower, upper = (float(end) for end in one.why.rpartition("from ")[2].split(" to "))
        assert lower < (one.value or 0) + 0.005
        assert (one.value or 0) - 0.005 < upper


def test_recall_of_two_tags_that_are_alike_is_not_above_1() -> None:
    assert row("Section 3.1", "recall, at most").ours == pytest.approx(0.6)
    assert all(
        karat.compare_tags("nkjp", paper.NOUN, one)["PA"].f1 == pytest.approx(0.6)
        for one in (paper.GERUND, paper.OTHER_GERUND)
    )


# ---- commands --------------------------------------------------------------------------------------------------------


def _numbers(data: Any) -> Iterator[float]:
    """All numbers in JSON, and how many positions of a compared tag have each weight or are right."""
    if isinstance(data, dict):
        for value in data.values():
            yield from _numbers(value)
        positions = data.get("positions", ())
        yield sum(one["right"] == "yes" for one in positions)
        yield from Counter(one["weight"] for one in positions).values()
    elif isinstance(data, list):
        for value in data:
            yield from _numbers(value)
    elif isinstance(data, (int, float)) and not isinstance(data, bool):
        yield data


@pytest.mark.parametrize("one", WITH_COMMANDS, ids=[f"{one.where}: {one.of}" for one in WITH_COMMANDS])
def test_each_command_gives_the_number(
    one: PublishedNumber, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = run_as_typed(one.command, tmp_path, capsys, "--json")
    assert run.code == 0, run.err
    ours = one.ours
    assert ours is not None
    if one.of.startswith("recall by another definition"):
        measure = run.json["systems"][0]["measures"]["PA"]
        assert measure["precision"] * measure["system"] / measure["gold"] == pytest.approx(ours)
        return
    in_percent = one.printed.endswith("%") and not one.worked
    assert any(math.isclose((100 if in_percent else 1) * value, ours, abs_tol=1e-9) for value in _numbers(run.json))


@pytest.mark.parametrize(
    ("where", "of"),
    [
        ("Section 2.3", "ger:sg:nom:n:perf:aff for subst:sg:nom:n, precision"),
        ("Table 2", "F, Brill: from P and R as printed"),
        ("Section 3.1", "recall, at most"),
    ],
)
def test_a_command_can_be_typed_as_it_is(where: str, of: str) -> None:
    found = row(where, of)
    data = json.loads(run_in_bash(found.command, "--json"))
    by_verb = {
        "Section 2.3": lambda: data["measures"]["WPA"]["precision"],
        "Table 2": lambda: 100 * data["classes"][0]["f1"],
        "Section 3.1": lambda: data["systems"][0]["measures"]["PA"]["recall"],
    }
    assert by_verb[where]() == pytest.approx(found.ours)
