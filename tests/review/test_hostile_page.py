"""Lists and corpora full of what must not run, turn the page around or fill it: shown as text, judged as usual."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser import chromium
from karat.corpus.worklist import Worklist, WorklistRow, write_worklist
from karat.review.item_view import ItemViews
from karat.review.reading import read_any_worklist
from served_reviews import served
from test_review_page import Judge, at_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SCRIPT = "<script>alert(1)</script>"
IMAGE = "\"><img/src=x/onerror=alert(2)>'&amp;"
BIDI = "ab\u202ecd\u2066ef"
LONG = "o" * 10_000
FORMULA = "=cmd('x')"
NASTY = (SCRIPT, IMAGE, "]]>", FORMULA, BIDI, "\x07\x1b[31m", LONG, "+1", "@SUM(A1)", "</title><svg/onload=alert(3)>")
IDS = ("../../w1", "%2e%2e%2fw2", "?x=1#y", "a/verdict", "<b>w5</b>", "=w6", "w7 \u202e")
FILE = "<img src=x onerror=alert(4)> =1.tsv"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


def plain(text: str) -> str:
    """As a CoNLL-U file can have it: no tabs, no line ends."""
    return re.sub(r"[\s\x00-\x1f]", "_", text)


def hostile_corpus(path: Path) -> Path:
    """A corpus whose forms, tags, relations, and names of sentences are hostile."""
    sentences = []
    for number, name in enumerate(("s1", "<script>alert(5)</script>", "s3\u202e")):
        lines = [f"# sent_id = {name}"]
        for place, text in enumerate(NASTY, start=1):
            form, tag = plain(text), plain(NASTY[(place + number) % len(NASTY)])
            lines.append(f"{place}\t{form}\t_\t{tag}\t_\t_\t{place - 1}\t{'root' if place == 1 else SCRIPT}\t_\t_")
        sentences.append("\n".join(lines))
    path.write_text("\n\n".join(sentences) + "\n\n", encoding="utf-8")
    return path


def hostile_list(path: Path, gold: Path) -> Path:
    """A row of every kind; the words of the corpus are asked about, and every cell is hostile."""
    name = "s1"
    words = [plain(text) for text in NASTY]
    text = " ".join(f"[{word}]" if place == 0 else word for place, word in enumerate(words))
    shown = f"a) {SCRIPT}  b) {BIDI}"

    def row(item: str, kind: str, shown: str, labels: tuple[str, str, str] = ("", "", "")) -> WorklistRow:
        return WorklistRow(item, kind, IMAGE, name, 1, 1, text, shown, 1.0, "", "", "", "", *labels)

    labels = SCRIPT, BIDI, LONG
    rows = (
        row(IDS[0], "token", shown),
        row(IDS[1], "suspect", f"{BIDI}  ({SCRIPT} 2 %, {IMAGE} 90 %; ]]>)", labels),
        row(IDS[2], "repeat", f"{BIDI}  A) {SCRIPT}, 2 places  B) {LONG}, 1 place  B in x: [{IMAGE}] y", labels),
        row(IDS[3], "change", f"upos: {SCRIPT} → {BIDI}"),
        row(IDS[4], "bracket", f"CE; gold: [{SCRIPT}]; {IMAGE}: [[{BIDI}] {LONG}]"),
        row(IDS[5], "adjudication", f"ada) {SCRIPT}  bix) {FORMULA}"),
        row(IDS[6], "token", f"a) {LONG}  b) {IMAGE}"),
    )
    digest = read_digest(gold)
    head = (SCRIPT, f"{BIDI} {LONG}", f"karat:0|verb:noise|column:upos|gold:{gold}@sha256:{digest}")
    write_worklist(path, Worklist(rows, head))
    return path


def read_digest(path: Path) -> str:
    from karat.corpus import read_source

    return read_source(path).sha256()[:12]


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (400, False), (400, True)])
def test_hostile_lists_and_corpora_are_text(browser: Browser, tmp_path: Path, width: int, dark: bool) -> None:
    path = hostile_list(tmp_path / FILE, hostile_corpus(tmp_path / "gold.conllu"))
    views = ItemViews.of(read_any_worklist(path))
    assert not views.missing
    judges = ("=cmd() & 'x'", "bix")
    with served(path, judges, view=views.answer) as review, at_page(browser, review, width=width, dark=dark) as judge:
        judge.page.on("console", lambda one: judge.complaints.append(one.text))
        for item in IDS:
            judge.page.wait_for_function("(id) => document.body.dataset.item === id", arg=item)
            check_shown(judge)
            judge.press("c")
            judge.page.keyboard.type(f"{FORMULA} {SCRIPT}")
            judge.press("Enter")
            judge.press(judge.page.evaluate("item.choices.find((one) => !one.needs_label).key"))
        assert set(judge.saved()) == set(IDS)
    written = path.with_name(FILE.replace(".tsv", f".{judges[0]}.tsv"))
    rows = {row.id: row for row in read_any_worklist(written).rows}
    assert all(row.verdict and row.note == f"{FORMULA} {SCRIPT}" for row in rows.values())
    assert [cell for cell in cells_of(written) if cell[:1] in ("=", "+", "@")] == []


def check_shown(judge: Judge) -> None:
    """Nothing but text; all of it inside the page, and from left to right beside what turns around."""
    page = judge.page
    assert page.locator("main script, main img, main iframe, main svg [onload]").count() == 0
    beyond = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert beyond <= 0
    wide = page.evaluate(
        """() => [...document.querySelectorAll("main *")].filter((one) =>
             !one.closest(".scroll") && getComputedStyle(one).overflow !== "hidden" && one.clientWidth &&
             one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.outerHTML.slice(0, 80))"""
    )
    assert wide == []
    assert not re.search("[\u202a-\u202e\u2066-\u2069]", page.inner_text("body"))
    assert page.evaluate("document.documentElement.dir + document.body.dir") == ""


def cells_of(path: Path) -> list[str]:
    """The cells as a spreadsheet reads them."""
    with open(path, encoding="utf-8", newline="") as file:
        return [cell for line in csv.reader(file, delimiter="\t") for cell in line]
