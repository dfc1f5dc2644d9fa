"""The numbers on a page are those of `--json`: every value behind a cell, and what is shown is that value rounded.

Which column shows which field is written down here, apart from the code that makes the tables.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import html5lib
import pytest

from example_pages import karat, write_corpora
from examples import EXAMPLES

FILES = ("gold.conllu", "ada.conllu", "bix.conllu")
NOISE = ("--lexicon", "gold.conllu", "--corpus-error", "0.03")
CALLS = {
    "score": ["score", *FILES],
    "score of three": ["score", *FILES, "cleo=gold.conllu", "--measure", "UPOS,LAS"],
    "score of many": ["score", *FILES, *(f"s{n}=bix.conllu" for n in range(5))],
    "score of trees": ["score", *(str(EXAMPLES / name) for name in ("gold.ptb", "ada.ptb", "bix.ptb"))],
    "score without intervals": ["score", *FILES, "--resamples", "0"],
    "compare": ["compare", *FILES],
    "compare of three": ["compare", *FILES, "cleo=gold.conllu", "--measure", "UPOS,LAS", "--by", "upos"],
    "compare of trees": ["compare", *(str(EXAMPLES / name) for name in ("gold.ptb", "ada.ptb", "bix.ptb"))],
    "noise": ["noise", *FILES, *NOISE],
    "noise of numbers": "noise --observed 0.91 --observed 0.93 --corpus-error 0.03 --ambiguity 2.5".split(),
    "agree": ["agree", *FILES[1:]],
    "agree of three": ["agree", *FILES],
    "estimate": ["noise", "estimate", *FILES, "--judgements", "judged.tsv"],
}


@dataclass(frozen=True)
class Shown:
    """A cell: its text, and the number behind it."""

    text: str
    value: float | None


@dataclass(frozen=True)
class Made:
    """A result as data, and the tables of its page by their captions: rows of cells below the heads."""

    data: Any
    heads: dict[str, list[str]]
    tables: dict[str, list[list[Shown]]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    found = tmp_path_factory.mktemp("numbers")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(found)
        write_corpora(found, n_sentences=40, n_documents=8, lengths=(1, 12))
        karat("noise", "plan", *FILES, "--budget", "40", "-o", "plan.tsv")
        judge(Path("plan.tsv"), Path("judged.tsv"))
        yield found


def judge(plan: Path, judged: Path) -> None:
    """Fill in verdicts: the first of them that is allowed, or none."""
    lines = plan.read_text(encoding="utf-8").splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("id\t"))
    place = lines[start].split("\t").index("verdict")
    for number in range(start + 1, len(lines)):
        cells = lines[number].split("\t")
        cells[place] = "none" if number % 4 == 0 else "a"
        lines[number] = "\t".join(cells)
    judged.write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.fixture(scope="module")
def made(folder: Path) -> dict[str, Made]:
    found = {}
    for name, call in CALLS.items():
        text = karat(*call, "--json")
        (folder / "x.json").write_text(text, encoding="utf-8")
        karat("report", "x.json", "-o", "x.html")
        document = html5lib.parse((folder / "x.html").read_text(encoding="utf-8"), namespaceHTMLElements=False)
        (section,) = (one for one in document.iter("section") if one.get("id") == "r1")
        heads, tables = {}, {}
        for box in section.iter("div"):
            table = box.find("div/table") if box.get("class") == "table" else None
            if table is not None:
                title = (
                    "".join(table.find("caption").itertext()) if table.find("caption") is not None else box.get("id")
                )
                assert title not in tables or box.get("id", "").endswith("-numbers")
                title = f"{title} drawn" if title in tables else title
                heads[title] = ["".join(one.itertext()) for one in table.iter("th") if one.get("scope") == "col"]
                tables[title] = [[cell(one) for one in row] for row in table.find("tbody")]
        found[name] = Made(json.loads(text), heads, tables)
    return found


def cell(one: Any) -> Shown:
    value = one.get("data-value")
    return Shown("".join(one.itertext()).replace("★", "").strip(), None if value is None else float(value))


def shows(shown: Shown, value: float | None, places: int = 2, factor: float = 100, *, signed: bool = False) -> bool:
    """Whether a cell has this value, rounded; a dash where there is none."""
    if value is None:
        return shown == Shown("–", None)
    return shown == Shown(f"{factor * value:{'+' * signed}.{places}f}".replace("-", "−"), value)


def shows_ends(shown: Shown, ends: Any, factor: float = 100, places: int = 2, *, signed: bool = False) -> bool:
    """Whether a cell has this interval; a dash where there is none."""
    if not ends or ends["lower"] is None:
        return shown == Shown("–", None)
    if ends.get("method") == "korn-graubard":  # one-sided, as where all is right
        sign, end = ("≥", "lower") if ends["upper"] == 1 else ("≤", "upper")
        return shown == Shown(f"{sign} {factor * ends[end]:.{places}f}", ends["lower"])
    both = (f"{factor * ends[end]:{'+' * signed}.{places}f}".replace("-", "−") for end in ("lower", "upper"))
    return shown == Shown((" … " if signed else "–").join(both), ends["lower"])


def count(value: float | None) -> Shown:
    return Shown("–", None) if value is None else Shown(f"{value:,.0f}", value)


def factor_of(measure: str) -> float:
    return 1 if measure == "Average Crossing" else 100


# ---- every number is in the JSON -------------------------------------------------------------------------------------


def numbers(data: Any) -> Iterator[float]:
    if isinstance(data, int | float) and not isinstance(data, bool):
        yield float(data)
    for one in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from numbers(one)


@pytest.mark.parametrize("name", CALLS)
def test_every_value_behind_a_cell_is_in_the_json(made: dict[str, Made], name: str) -> None:
    known = {*numbers(made[name].data)}
    n = 0
    for title, rows in made[name].tables.items():
        if "numbers" in title or title.endswith("drawn"):
            continue  # of a drawing, which is tested where it is made
        for row in rows:
            for one in row:
                if one.value is not None and not is_derived(title, one.value):
                    n += 1
                    assert one.value in known, (title, one)
    assert n >= 4


def is_derived(title: str, value: float) -> bool:
    """Whether it is how often the second annotator has a tag, which is the rest."""
    return title == "What is taken for what" or title not in TABLES


TABLES = (
    "Scores", "All measures", "Precision, recall and counts", "Differences", "Differences by upos", "Agreement",
    "Agreement by tag", "Pairs of annotators", "Estimates, in %", "If judges err", "What was checked",
    "Observed and real accuracy of ambiguous words, in %", "Which is better, whatever the gold's errors",
)  # fmt: skip


# ---- each is where it belongs ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in CALLS if name.startswith("score") and "many" not in name])
def test_scores_and_intervals_of_measures(made: dict[str, Made], name: str) -> None:
    one = made[name]
    systems = one.data["systems"]
    every = [title for title in ("Scores", "All measures") if title in one.tables]
    for title in every:
        assert one.heads[title][1::2] == [system["name"] for system in systems]
        for row in one.tables[title]:
            factor = factor_of(row[0].text)
            for place, system in enumerate(systems):
                found = system["measures"].get(row[0].text) or {"value": None, "lower": None}
                assert shows(row[1 + 2 * place], found["value"], factor=factor), (row[0].text, system["name"])
                assert shows_ends(row[2 + 2 * place], found, factor)
    names = {name for system in systems for name in system["measures"]}
    assert {row[0].text for row in one.tables[every[-1]]} == {
        name for name in names if any(system["measures"].get(name) for system in systems)
    }


def test_scores_of_many_systems_are_in_rows(made: dict[str, Made]) -> None:
    one = made["score of many"]
    names = one.heads["Scores"][1::2]
    assert [row[0].text for row in one.tables["Scores"]] == [system["name"] for system in one.data["systems"]]
    for row, system in zip(one.tables["Scores"], one.data["systems"], strict=True):
        for place, name in enumerate(names):
            assert shows(row[1 + 2 * place], system["measures"][name]["value"])
            assert shows_ends(row[2 + 2 * place], system["measures"][name])


@pytest.mark.parametrize("name", ["score", "score of trees", "score of many"])
def test_parts_and_counts_of_measures(made: dict[str, Made], name: str) -> None:
    one = made[name]
    by_name = {system["name"]: system["measures"] for system in one.data["systems"]}
    rows = one.tables["Precision, recall and counts"]
    assert rows
    for system, measure, *parts in rows:
        found = by_name[system.text][measure.text]
        for shown, part in zip(parts[:4], ("precision", "recall", "f1", "aligned_accuracy"), strict=True):
            assert shows(shown, found[part])
        assert parts[4:] == [count(found[part]) for part in ("gold", "system", "correct")]


@pytest.mark.parametrize("name", ["compare", "compare of three", "compare of trees"])
def test_differences_of_pairs(made: dict[str, Made], name: str) -> None:
    one = made[name]
    names = {name for pair in one.data["pairs"] for name in (pair["a"], pair["b"])}
    is_adjusted = "adjusted p" in one.heads["Differences"]
    assert len(one.tables["Differences"]) == len(one.data["pairs"])
    for row in one.tables["Differences"]:
        measure, *others = row
        if len(names) > 2:
            a, b, *others = others
        pairs = [pair for pair in one.data["pairs"] if pair["measure"] == measure.text]
        (pair,) = pairs if len(names) == 2 else [p for p in pairs if (p["a"], p["b"]) == (a.text, b.text)]
        factor = factor_of(measure.text)
        assert shows(others[0], pair["value_a"], factor=factor)
        assert shows(others[1], pair["value_b"], factor=factor)
        assert shows(others[2], pair["difference"], factor=factor, signed=True)
        assert shows_ends(others[3], pair, factor, signed=True)
        assert others[4].value == pair["p"]
        assert not is_adjusted or others[5].value == pair["p_adjusted"]
        counts = pair["counts"] or {}
        assert others[-2:] == [count(counts.get("YN")), count(counts.get("NY"))]
        if pair["p"] is not None and pair["p"] >= 0.001:
            assert float(others[4].text.lstrip("= ")) == pytest.approx(pair["p"], abs=6e-3)


def test_differences_of_groups(made: dict[str, Made]) -> None:
    one = made["compare of three"]
    rows = one.tables["Differences by upos"]
    assert len(rows) == len(one.data["by"]["upos"])
    for row, found in zip(rows, one.data["by"]["upos"], strict=True):
        assert [shown.text for shown in row[:4]] == [found[name] for name in ("group", "measure", "a", "b")]
        assert shows(row[5], found["value_a"])
        assert shows(row[6], found["value_b"])
        assert shows(row[7], found["difference"], signed=True)
        assert shows_ends(row[8], found, signed=True)
        assert row[9].value == found["p_adjusted"]


@pytest.mark.parametrize("name", ["noise", "noise of numbers"])
def test_bounds_of_the_real_accuracy(made: dict[str, Made], name: str) -> None:
    one = made[name]
    (title,) = (title for title in one.tables if title.startswith("Observed and real"))
    assert len(one.tables[title]) == len(one.data["systems"])
    for row, system in zip(one.tables[title], one.data["systems"], strict=True):
        shown = dict(zip(one.heads[title], row, strict=True))
        overall = system.get("overall") or {}
        assert shown["system"].text == system["name"]
        assert shows(shown["observed"], system["observed"])
        assert shows(shown["gold wrong"], system["corpus_error"])
        assert shows(shown["tags per word"], system["ambiguity"], factor=1)
        for column, ends in (
            ("real, if reasonable", system["bounds"]),
            ("real, no assumptions", system.get("free")),
            ("with sampling error", system.get("confidence")),
            ("all words: real", overall),
            ("all words: with sampling error", overall.get("confidence")),
        ):
            assert column not in shown or shows_ends(shown[column], ends)
        assert "all words: observed" not in shown or shows(shown["all words: observed"], overall["observed"])


def test_estimates_from_checked_tokens(made: dict[str, Made]) -> None:
    one = made["estimate"]
    names = {"corpus_error": "error rate of the gold"}
    estimates = {names.get(name, name): found for name, found in one.data["estimates"].items() if found}
    rows = one.tables["Estimates, in %"]
    assert [row[0].text for row in rows] == list(estimates)
    for row, found in zip(rows, estimates.values(), strict=True):
        assert shows(row[1], found["value"])
        assert shows_ends(row[2], found)
        least = {"lower": found.get("least"), "upper": found.get("most")}
        assert shows_ends(row[3], least)


@pytest.mark.parametrize("name", ["agree", "agree of three"])
def test_agreement_coefficients_tags_and_confusions(made: dict[str, Made], name: str) -> None:
    one = made[name]
    fields = ("observed", "kappa_pooled", "kappa_cohen", "alpha")
    for row, field in zip(one.tables["Agreement"], fields, strict=True):
        factor, places = (100, 2) if field == "observed" else (1, 3)
        assert shows(row[1], one.data[field], places, factor)
        assert shows_ends(row[2], (one.data["intervals"] or {}).get(field), factor, places)
    assert len(one.tables["Agreement by tag"]) == len(one.data["per_tag"])
    for row, tag in zip(one.tables["Agreement by tag"], one.data["per_tag"], strict=True):
        assert (row[0].text, row[1]) == (tag["tag"], count(tag["used"]))
        assert shows(row[2], tag["agreement"])
    assert len(one.tables["What is taken for what"]) == len(one.data["confusions"])
    for row, found in zip(one.tables["What is taken for what"], one.data["confusions"], strict=True):
        first = found["first_has_a"]
        assert [row[0].text, row[1].text] == [found["a"], found["b"]]
        sides = [] if first is None else [count(first), count(found["count"] - first)]  # of two annotators only
        assert row[2:] == [count(found["count"]), *sides]
