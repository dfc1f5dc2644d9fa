"""Repeats judged place by place in a browser: by keys, by mouse, at any width, and one step for undo."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import karat
from browser import chromium
from judged_harbour import harbour_list
from karat.review.reading import read_any_worklist
from page_checks import AXE
from realdata import node_file
from test_review_page import at_page, every_kind, judged

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from test_review_page import Judge


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


def said(judge: Judge) -> tuple[str, str]:
    (one,) = judge.saved().values()
    return one.verdict, one.label


def save(judge: Judge) -> None:
    judge.press("Enter")
    judge.page.wait_for_selector("#places-dialog:not([open])", state="attached")


def test_places_are_judged_by_keys_and_karat_correct_applies_them(browser: Browser, tmp_path: Path) -> None:
    path = harbour_list(tmp_path)
    with judged(path) as review, at_page(browser, review) as judge:
        judge.press("x")
        assert judge.page.locator(".place-row").count() == 4
        assert "s0" in judge.page.inner_text(".place-row:first-child legend")
        judge.press("1", "l", "1", "o")  # A) s0, s3; B) s1, s4
        judge.page.keyboard.type("ADJ; X")
        save(judge)
        assert said(judge) == ("mixed", "NOUN @ s0 3; NOUN @ s1 5; ADJ%3B X @ s4 4")
        judge.press("x")
        judge.page.wait_for_selector("#places-dialog[open]")
        chosen = "[...document.querySelectorAll('.place-row')].map((row) => row.dataset.chosen)"
        assert judge.page.evaluate(chosen) == ["a", "l", "a", "o"]
        judge.press("ArrowDown", "ArrowDown", "ArrowDown", "y")
        judge.page.keyboard.type("harbor")
        save(judge)
        judge.page.wait_for_function("() => item.label.includes('typo')")
        assert said(judge) == ("mixed", "NOUN @ s0 3; NOUN @ s1 5; typo:harbor @ s4 4")
        judge.press("u")
        judge.page.wait_for_function("() => !item.label.includes('typo')")
        assert said(judge) == ("mixed", "NOUN @ s0 3; NOUN @ s1 5; ADJ%3B X @ s4 4")
        judge.press("u")
        judge.page.wait_for_function("() => !item.verdict")
        judge.press("x", "ArrowDown", "ArrowDown", "1")
        save(judge)
        assert said(judge) == ("mixed", "NOUN @ s1 5")
    found = karat.correct(tmp_path / "gold.conllu", path)
    assert [(one.sent_id, one.token, one.new) for one in found.changes] == [("s1", 5, "NOUN")]


def test_places_are_judged_by_mouse_and_escape_leaves_all_as_it_was(browser: Browser, tmp_path: Path) -> None:
    with judged(harbour_list(tmp_path)) as review, at_page(browser, review) as judge:
        judge.page.click("text=mixed: decide place by place")
        judge.page.click(".place-row:nth-child(2) input[value=b]")
        judge.press("Escape")
        assert judge.saved() == {}
        judge.page.click("text=mixed: decide place by place")
        judge.page.click(".place-row:nth-child(2) input[value=b]")
        assert judge.page.inner_text("#places-count") == "1 place decided"
        judge.page.click("#places-save")
        assert said(judge) == ("mixed", "PROPN @ s3 4")


def test_the_key_for_a_typo_opens_the_places_where_it_may_be_at_several(browser: Browser, tmp_path: Path) -> None:
    with judged(harbour_list(tmp_path)) as review, at_page(browser, review) as judge:
        judge.press("y", "ArrowDown", "y")
        judge.page.keyboard.type("harbor")
        save(judge)
        assert said(judge) == ("mixed", "typo:harbor @ s3 4")


def test_a_place_with_a_label_and_a_typo_keeps_both(browser: Browser, tmp_path: Path) -> None:
    path = harbour_list(tmp_path)
    (row,) = read_any_worklist(path).rows
    label = "NOUN @ s1 5; typo:harbor @ s1 5"
    with judged(path) as review:
        assert review.client().decide(row.id, "mixed", label=label).status == 200
        with at_page(browser, review) as judge:
            judge.press("x", "1")
            save(judge)
            judge.page.wait_for_function("() => item.label.includes('s0')")
            assert said(judge) == ("mixed", f"NOUN @ s0 3; {label}")


def test_mixed_without_places_stays_a_verdict(browser: Browser, tmp_path: Path) -> None:
    with judged(harbour_list(tmp_path)) as review, at_page(browser, review) as judge:
        judge.press("x")
        save(judge)
        assert said(judge) == ("mixed", "")


def test_more_places_than_are_shown_can_be_judged(browser: Browser, tmp_path: Path) -> None:
    with judged(harbour_list(tmp_path, n=260)) as review, at_page(browser, review) as judge:
        assert judge.page.locator("#places .place").count() <= 24
        judge.press("x")
        assert judge.page.locator(".place-row").count() == 200
        assert "200 of 259 places" in judge.page.inner_text("#places-title")


def test_a_typo_and_an_unclear_guideline_are_verdicts_of_every_kind(browser: Browser, tmp_path: Path) -> None:
    with judged(every_kind(tmp_path / "all.tsv")) as review, at_page(browser, review) as judge:
        for item in ("adjudication", "token", "bracket", "repeat", "suspect", "change"):
            judge.page.wait_for_selector(f"body[data-item={item}]")
            if item == "bracket":
                judge.press("g")
                continue
            judge.press("y")
            assert judge.page.input_value("#label-text") == "light"
            assert "Right form" in judge.page.inner_text("#label-asked")
            judge.page.fill("#label-text", "right")
            judge.press("Enter")
        judge.page.wait_for_selector("#message:not([hidden])")
        verdicts = {item: (one.verdict, one.label) for item, one in judge.saved().items()}
        assert verdicts.pop("bracket") == ("unclear", "")
        assert set(verdicts.values()) == {("typo", "right")}
        judge.press("g")  # one key too many
        judge.press("ArrowRight", "g")
        judge.page.wait_for_function("() => rows.byId.get('change').verdict === 'unclear'")
        assert judge.saved()["change"].verdict == "unclear"
    assert {row.verdict for row in read_any_worklist(tmp_path / "all.tsv").rows} == {"typo", "unclear"}


def test_single_places_are_not_decided_for_a_whole_pattern(browser: Browser, tmp_path: Path) -> None:
    with judged(harbour_list(tmp_path)) as review, at_page(browser, review) as judge:
        judge.press("p", "x")
        assert "are of one row" in judge.page.inner_text("#message")
        assert judge.page.locator("#places-dialog[open]").count() == 0


@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("dark", [False, True])
def test_the_places_fit_nothing_moves_and_axe_finds_no_fault(
    browser: Browser, tmp_path: Path, width: int, dark: bool
) -> None:
    script = node_file("axe-core/axe.min.js").read_text(encoding="utf-8")
    with judged(harbour_list(tmp_path)) as review, at_page(browser, review, width=width, dark=dark) as judge:
        judge.press("x")
        boxes = "[...document.querySelectorAll('.place-row')].map((row) => [row.offsetTop, row.offsetHeight])"
        before = judge.page.evaluate(boxes)
        judge.press("o")
        assert judge.page.evaluate(boxes) == before
        over = "document.getElementById('place-rows').scrollWidth - document.getElementById('place-rows').clientWidth"
        assert judge.page.evaluate(over) == 0
        judge.page.evaluate(script)
        assert judge.page.evaluate(AXE, {}) == []
        judge.page.evaluate("() => { window.happened = []; }")  # axe tries styles of its own
