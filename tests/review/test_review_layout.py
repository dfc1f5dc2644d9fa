"""What is needed of an item is seen at once: on a usual screen without scrolling, on a small one without sideways."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser import chromium
from judged_lists import listed
from karat.corpus import read
from karat.corpus.worklist import write_worklist
from page_checks import AXE
from realdata import node_file
from test_review_page import Judge, at_page, every_kind, judged

if TYPE_CHECKING:
    from playwright.sync_api import Browser

N_PLACES = 14
N_WORDS = 45
_BELOW = """(names) => {
  const box = document.getElementById("item");
  const edge = box.getBoundingClientRect().top + box.clientHeight;
  return names.filter((name) => document.getElementById(name).getBoundingClientRect().bottom > edge + 1);
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


def tall_list(folder: Path) -> Path:
    """A repeat with many places in long sentences between long neighbours, and a suspect in one of them."""
    sentences = []
    for number in range(N_PLACES):
        words = [f"word{number}x{place}" for place in range(N_WORDS)]
        words[30:33] = ["the", "light", "burns"]
        lines = [f"# sent_id = s{number}"]
        lines += [
            f"{place}\t{word}\t_\t{'ADJ' if word == 'light' and number % 2 else 'NOUN'}\t_\t_\t{place - 1}\t"
            f"{'dep' if place > 1 else 'root'}\t_\t_"
            for place, word in enumerate(words, start=1)
        ]
        sentences.append("\n".join(lines))
    gold = folder / "gold.conllu"
    gold.write_text("\n\n".join(sentences) + "\n\n", encoding="utf-8")
    repeats = listed(read(gold, trees=False))
    evidence = "NOUN  (NOUN 2 %, ADJ 90 %; 1 in 28 in its place)"
    text = " ".join([*(f"word2x{place}" for place in range(30)), "the [light] burns", "and so on"])
    repeat = replace(repeats.rows[0], sent_id="s2", text=text)  # a place that has sentences before it
    suspect = replace(repeat, id="s1", kind="suspect", sent_id="s2", start=32, end=32, text=text, shown=evidence)
    path = folder / "check.tsv"
    write_worklist(path, replace(repeats, rows=(repeat, suspect)))
    return path


def test_a_long_sentence_with_many_places_needs_no_scrolling(browser: Browser, tmp_path: Path) -> None:
    with judged(tall_list(tmp_path)) as review, at_page(browser, review) as judge:
        page = judge.page
        assert page.locator(".place").count() >= 12
        assert page.locator("#drawing svg").count() == 1
        assert page.evaluate(_BELOW, ["words", "places", "drawing"]) == []
        assert {box["height"] for box in _boxes(judge, ".place > span")} == {
            _boxes(judge, ".place > span")[0]["height"]
        }
        assert "the light burns" in page.inner_text(".place > span")
        judge.judge("a")
        assert page.evaluate(_BELOW, ["words", "evidence", "drawing"]) == []


def test_what_is_cut_of_a_neighbour_is_seen_after_a_click(browser: Browser, tmp_path: Path) -> None:
    with judged(tall_list(tmp_path)) as review, at_page(browser, review) as judge:
        first = judge.page.locator("#before p").first
        assert "word0x44" in str(first.get_attribute("title"))
        before = _boxes(judge, "#before p")[0]["height"]
        first.click()
        assert _boxes(judge, "#before p")[0]["height"] > 2 * before


def test_drawings_keep_their_size_where_there_is_room(browser: Browser, tmp_path: Path) -> None:
    """A taller window: nothing gives way."""
    with judged(tall_list(tmp_path)) as review, at_page(browser, review, height=1600) as judge:
        assert judge.page.locator("#item.compact").count() == 0
        height = _boxes(judge, "#drawing svg")[0]["height"]
        judge.page.set_viewport_size({"width": 1280, "height": 700})
        judge.page.wait_for_selector("#item.compact")
        assert 0.79 * height <= _boxes(judge, "#drawing svg")[0]["height"] < height


def _boxes(judge: Judge, selector: str) -> list[dict[str, float]]:
    found: list[dict[str, float]] = judge.page.evaluate(
        "(one) => [...document.querySelectorAll(one)].map((found) => found.getBoundingClientRect().toJSON())", selector
    )
    return found


@pytest.mark.parametrize(("dark", "width"), [(False, 1280), (True, 1280), (False, 400), (True, 400)])
def test_axe_finds_no_fault_in_any_kind(browser: Browser, tmp_path: Path, dark: bool, width: int) -> None:
    script = node_file("axe-core/axe.min.js").read_text(encoding="utf-8")
    for path, n_items in ((every_kind(tmp_path / "all.tsv"), 6), (tall_list(tmp_path), 2)):
        with judged(path) as review, at_page(browser, review, dark=dark, width=width) as judge:
            judge.page.evaluate(script)
            for number in range(n_items):
                assert (number, judge.page.evaluate(AXE, {})) == (number, [])
                before = judge.item
                judge.press("ArrowRight")
                if number + 1 < n_items:
                    judge.page.wait_for_function("(id) => document.body.dataset.item !== id", arg=before)
            for opener in ("/", judge.page.evaluate("(item.choices.find((one) => one.needs_label) || {key: '/'}).key")):
                judge.press(opener)
                judge.page.wait_for_selector("dialog[open]")
                assert judge.page.evaluate(AXE, {}) == []
                judge.press("Escape")
            judge.page.evaluate("() => { window.happened = []; }")  # axe tries styles of its own
