"""Groups by length whose limits the reader sets: the page's script computes what karat does."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import html5lib
import numpy as np
import pytest

from browser import chromium, opened
from example_pages import karat_json, page_of, write_corpora
from karat.inference.clusters import Clusters
from karat.inference.intervals import intervals
from karat.inference.options import InferenceOptions
from karat.measures.catalogue import EVERY_MEASURE
from karat.report.page.html import page_html
from karat.report.page.parts import Lengths, Page, Section

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FILES = ("gold.conllu", "ada.conllu", "bix.conllu")
CLOSE = 1e-4  # of the numbers of a share
LIMITS = ("10, 20, 30, 40", "5 12;33", "3, 3, 2, 1", "none", "1 49")
LEVELS = (0.95, 0.8, 0.99)
COUNTS = {  # sentences, documents (0: none are marked), and how long sentences can be
    "many documents": (300, 60, 50),
    "twelve documents": (90, 12, 50),
    "six documents": (90, 6, 50),
    "five documents": (40, 5, 50),
    "four documents": (30, 4, 15),
    "three documents": (12, 3, 50),
    "two documents": (12, 2, 50),
    "no documents": (60, 0, 50),
    "few sentences": (5, 0, 6),
    "short sentences": (80, 16, 4),
    "many sentences": (3000, 0, 50),
}
ROWS = """(id) => [...document.querySelectorAll(`#${id} tbody tr`)].map((row) => [...row.cells].map((cell) =>
    [cell.textContent, cell.dataset.value === undefined ? null : Number(cell.dataset.value),
     cell.dataset.upper === undefined ? null : Number(cell.dataset.upper)]))"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


def lengths_at_random(name: str, level: float) -> Lengths:
    """Counts of sentences whose documents differ in size and in difficulty; some have no units, some are all right."""
    n, n_documents, longest = COUNTS[name]
    random = np.random.default_rng(n + n_documents)
    lengths = random.integers(1, longest + 1, n)
    documents = np.sort((n_documents * random.random(n) ** 1.5).astype(int)) if n_documents else np.arange(n)
    columns = [lengths, documents]
    for chance in (0.9, 0.5, 1.0, 0.0):
        gold = np.where(random.random(n) < 0.05, 0, lengths)
        system = np.maximum(gold + random.integers(-1, 2, n), 0) if 0 < chance < 1 else gold
        spread = np.clip(chance + 0.1 * random.normal(size=n)[documents], 0, 1) if 0 < chance < 1 else chance
        columns += [gold, system, random.binomial(np.minimum(gold, system), spread)]
    rows = np.column_stack(columns).tolist()
    return Lengths(name.replace(" ", "-"), "LAS", ["ada", "bix", "right", "wrong"], rows, level)


def embedded(path: Path) -> dict[str, Any]:
    """The counts of sentences that a page has for its script, by the table's id."""
    document = html5lib.parse(path.read_text(encoding="utf-8"), namespaceHTMLElements=False)
    (data,) = [one.text for one in document.iter("script") if one.get("id") == "data"]
    found: dict[str, Any] = json.loads(data)["lengths"]
    return found


def expected(data: dict[str, Any], limits: str) -> list[list[tuple[float, tuple[float, float] | None]]]:
    """By group and system the value and the interval, by karat's own inference."""
    ends = sorted({int(one) for one in limits.replace(";", " ").replace(",", " ").split() if one.isdigit()})
    rows = np.array(data["rows"], dtype=float)
    groups = np.searchsorted(ends, rows[:, 0], side="left")
    measure = EVERY_MEASURE[data["measure"]]
    found = []
    for group in range(len(ends) + 1):
        some = rows[groups == group]
        if not len(some):
            continue
        _, numbers = np.unique(some[:, 1], return_inverse=True)
        clusters = Clusters("document", "document", numbers, int(numbers.max()) + 1)
        line = []
        for place in range(len(data["systems"])):
            gold, system, correct = some[:, 2 + 3 * place : 5 + 3 * place].T
            counts = np.column_stack([gold, system, correct, np.minimum(gold, system)])
            (one,) = intervals([(counts, measure)], clusters, InferenceOptions(level=data["level"]))
            line.append((float(measure.value(counts.sum(axis=0))), one.ends))
        found.append(line)
    return found


def check(shown: Sequence[Sequence[Any]], wanted: Sequence[Sequence[Any]]) -> int:
    """The numbers of the script's table are those; how many intervals there are."""
    n = 0
    assert len(shown) == len(wanted)
    for row, line in zip(shown, wanted, strict=True):
        for place, (value, ends) in enumerate(line):
            (_, is_value, _), (text, lower, upper) = row[2 + 2 * place : 4 + 2 * place]
            assert is_value == pytest.approx(value, abs=1e-12)
            if ends is None:
                assert (text, lower, upper) == ("–", None, None)
            else:
                n += 1
                assert (lower, upper) == pytest.approx(ends, abs=CLOSE)
                low, high = f"{100 * lower:.2f}", f"{100 * upper:.2f}"
                assert text == (f"≥ {low}" if value == 1 else f"≤ {high}" if value == 0 else f"{low}–{high}")
    return n


@pytest.mark.parametrize("level", LEVELS)
def test_intervals_of_any_limits_are_those_of_karat(browser: Browser, tmp_path: Path, level: float) -> None:
    """With many documents and few, whose intervals may be those of sentences; where all, or nothing, is right."""
    section = Section("lengths", "Lengths", "Lengths", blocks=[lengths_at_random(name, level) for name in COUNTS])
    path = tmp_path / "page.html"
    path.write_text(page_html(Page("Lengths", [], [], [section], [], [])), encoding="utf-8")
    n = 0
    with opened(browser, path) as one:
        for table, data in embedded(path).items():
            for limits in LIMITS:
                one.page.fill(f"[data-lengths='{table}']", limits)
                n += check(one.js(ROWS, table), expected(data, limits))
    assert n > 400


@pytest.mark.parametrize("options", [[], ["--cluster", "sentence"]])
def test_default_limits_give_the_table_that_karat_makes(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write_corpora(tmp_path, 5, n_sentences=150, n_documents=5)
    data = karat_json("score", *FILES, "--by", "length", *options)
    path = page_of(tmp_path / "page.html", "score", *FILES, *options)
    (table,) = embedded(path)
    with opened(browser, path) as one:
        rows = one.js(ROWS, table)
        ours = one.js("""() => [...document.querySelectorAll("table")].filter((one) =>
            one.caption?.textContent === "LAS by length").map((one) => [...one.tBodies[0].rows].map((row) =>
            [...row.cells].map((cell) => cell.textContent.trim())))""")
    assert [[[cell[0] for cell in row] for row in rows]] == ours
    for place, system in enumerate(data["systems"]):
        groups = {name: of["LAS"] for name, of in system["by"]["length"].items()}
        assert {row[0][0]: (row[1][1], row[2 + 2 * place][1]) for row in rows} == {
            name: (one["gold"], pytest.approx(one["f1"], abs=1e-12)) for name, one in groups.items()
        }
