"""Pages are valid HTML and accessible, whatever they are of; that of a real treebank is small."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser import chromium, opened
from corruptions import ANNOTATION, TOKENISATION, corrupted
from example_pages import karat, page_of, write_corpora
from examples import EXAMPLES
from page_checks import check_accessible, check_parses, check_valid
from realdata import data
from small_treebanks import small_treebanks

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FILES = ("gold.conllu", "ada.conllu", "bix.conllu")
NAMES = (
    "score",
    "baseline",
    "trees",
    "noise",
    "grid",
    "grid-table",
    "repeats",
    "agree",
    "diverge",
    "suspects",
    "numbers",
    "treebanks",
    "compared-treebanks",
)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Path]]:
    """A page of each kind, by name."""
    folder, before = tmp_path_factory.mktemp("pages"), Path.cwd()
    os.chdir(folder)
    write_corpora(folder, n_sentences=24, n_documents=6, lengths=(1, 12))
    small_treebanks(folder)
    calls: dict[str, list[str | Path]] = {
        "trees": ["score", *(EXAMPLES / name for name in ("gold.ptb", "ada.ptb", "bix.ptb"))],
        "noise": ["noise", *FILES, "--lexicon", "gold.conllu", "--corpus-error", "0.03"],
        "grid": ["grid", "UD_Tree-Oak", "UD_Tree-Ash", "-o", "a-grid", "--system", "most-frequent", "--seeds", "2"],
        "grid-table": ["grid", "--from", "a-grid", "--table", "matrix"],
        "repeats": ["repeats", EXAMPLES / "gold.conllu", EXAMPLES / "ada.conllu"],
        "agree": ["agree", *FILES[1:]],
        "diverge": [
            "diverge",
            "UD_Tree-Oak/xx_ud_tree-oak-ud-train.conllu",
            "UD_Tree-Ash/xx_ud_tree-ash-ud-train.conllu",
        ],
        "suspects": ["suspects", EXAMPLES / "ada.conllu", "--rank", "repeats"],
        "numbers": [
            "noise",
            "--observed",
            "0.91",
            "--observed",
            "0.93",
            "--corpus-error",
            "0.03",
            "--ambiguity",
            "2.5",
        ],
    }
    for name in ("gold", "ada", "bix"):
        (folder / name).mkdir()
        for treebank in ("aa_x", "bb_y"):
            (folder / name / f"{treebank}.conllu").write_bytes((folder / f"{name}.conllu").read_bytes())
    (folder / "bix" / "bb_y.conllu").unlink()
    folders: list[str | Path] = ["--gold-dir", "gold", "--system-dir", "ada", "--system-dir", "bix"]
    calls["treebanks"] = ["score", *folders]
    calls["compared-treebanks"] = ["compare", *folders, "--system-dir", "cyd=ada"]
    found = {name: page_of(folder / f"{name}.html", *call) for name, call in calls.items()}
    for verb in ("score", "compare"):
        Path(f"{verb}.json").write_text(karat(verb, *FILES, "--json"), encoding="utf-8")
    Path("old.json").write_text(karat("score", "gold.conllu", "ada.conllu=bix.conllu", "--json"), encoding="utf-8")
    karat("report", "score.json", "compare.json", "-o", "score.html")
    karat("report", "score.json", "--baseline", "old.json", "-o", "baseline.html")
    found |= {name: folder / f"{name}.html" for name in ("score", "baseline")}
    yield found
    os.chdir(before)


@pytest.fixture(scope="module")
def ewt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of two systems on a real test set, whose every kind of annotation they have wrong here and there."""
    folder = tmp_path_factory.mktemp("ewt")
    gold = data("ud-2.3/UD_English-EWT/en_ewt-ud-test.conllu")
    text = gold.read_text(encoding="utf-8")
    for name, seed, rates in (("one", 1, ANNOTATION), ("two", 2, TOKENISATION)):
        (folder / f"{name}.conllu").write_text(corrupted(text, seed, rates), encoding="utf-8")
    return page_of(folder / "ewt.html", "score", gold, folder / "one.conllu", folder / "two.conllu")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


def test_every_kind_is_there(pages: dict[str, Path]) -> None:
    assert sorted(pages) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_strict_parser_accepts_it(pages: dict[str, Path], name: str) -> None:
    check_parses(pages[name].read_text(encoding="utf-8"))


def test_the_validator_has_nothing_to_say(pages: dict[str, Path], ewt: Path) -> None:
    check_valid(*pages.values(), ewt)


@pytest.mark.parametrize("name", NAMES)
def test_it_is_accessible_in_light_and_dark(pages: dict[str, Path], browser: Browser, name: str) -> None:
    check_accessible(browser, pages[name])


@pytest.mark.parametrize("name", NAMES)
def test_it_fits_a_telephone(pages: dict[str, Path], browser: Browser, name: str) -> None:
    with opened(browser, pages[name], width=400) as one:
        one.js("() => { for (const details of document.querySelectorAll('details')) details.open = true; }")
        assert one.overflow == 0


def test_the_page_of_a_real_test_set_and_two_systems_is_below_2_mb(ewt: Path) -> None:
    assert ewt.stat().st_size < 2_000_000
    check_parses(ewt.read_text(encoding="utf-8"))


def test_the_page_of_a_real_test_set_is_accessible_and_fits_a_telephone(ewt: Path, browser: Browser) -> None:
    check_accessible(browser, ewt)
    with opened(browser, ewt, width=400) as one:
        assert one.overflow == 0
