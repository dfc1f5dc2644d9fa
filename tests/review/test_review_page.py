"""The review page in a browser: judged by keys and by mouse, nothing lost, nothing that moves, nothing foreign run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser import chromium
from checked_taggers import judge_rows, made_taggers
from judged_harbour import harbour_list
from karat.corpus.worklist import Worklist, WorklistRow, write_worklist
from karat.review.adjudicated_list import opened_adjudication
from karat.review.item_view import ItemViews
from karat.review.judgements import Judgement
from karat.review.reading import read_any_worklist
from karat.review.served import review_server
from karat.review.session import Review
from page_checks import AXE
from realdata import node_file
from served_reviews import Served, served, serving, token_list

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

_SAVED = "#state[data-state=saved]"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@dataclass
class Judge:
    """Somebody at the page."""

    page: Page
    review: Served
    name: str = ""
    complaints: list[str] = field(default_factory=list)

    @property
    def item(self) -> str:
        return str(self.page.evaluate("document.body.dataset.item"))

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def judge(self, *keys: str) -> None:
        """Press keys, each of which goes on to another item."""
        for key in keys:
            before = self.item
            self.press(key)
            self.page.wait_for_function("(id) => document.body.dataset.item !== id", arg=before)

    def saved(self) -> dict[str, Judgement]:
        """What the store has once the page says that all is saved."""
        self.page.wait_for_selector(_SAVED)
        return self.review.review.store.judgements(self.name)


@contextmanager
def at_page(
    browser: Browser, review: Served, place: int = 0, *, width: int = 1280, height: int = 800, dark: bool = False
) -> Iterator[Judge]:
    """The page of a judge in a window of its own, which must ask nobody else and run nothing else."""
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light")
    page = context.new_page()
    page.set_default_timeout(10_000)
    guest = review.server.access.guests[place]
    found = Judge(page, review, guest.judge)
    own = f"http://127.0.0.1:{review.port}/"
    page.on("request", lambda one: found.complaints.append(one.url) if not one.url.startswith(own) else None)
    page.on("pageerror", lambda one: found.complaints.append(str(one)))
    page.on("dialog", lambda one: found.complaints.append(one.message))
    page.add_init_script(
        'window.happened = []; document.addEventListener("securitypolicyviolation", (event) => '
        "window.happened.push(event.violatedDirective));"
    )
    page.goto(review.server.access.url(guest))
    page.wait_for_selector("#choices button")
    try:
        yield found
        assert found.complaints == []
        assert page.evaluate("window.happened") == []
    finally:
        context.close()


@contextmanager
def judged(path: Path, judges: Sequence[str] = ()) -> Iterator[Served]:
    with served(path, judges, view=ItemViews.of(read_any_worklist(path)).answer) as found:
        yield found


def every_kind(path: Path) -> Path:
    """A list with a row of every kind."""

    def row(kind: str, shown: str) -> WorklistRow:
        """A row about one word; the labels are those of the kinds that have two."""
        text, labels = "the [light] is red", ("light", "NOUN", "ADJ")
        return WorklistRow(kind, kind, "corpus", "s1", 2, 2, text, shown, 1.0, "", "", "", "", *labels)

    rows = (
        row("adjudication", "ada) NOUN  bix) ADJ"),
        row("token", "a) NOUN  b) ADJ"),
        WorklistRow("bracket", "bracket", "p", "s1", 1, 2, "[the light] is red", "SP; gold: [x]; p: [[the light] is]"),
        row("repeat", "light  A) NOUN, 2 places  B) ADJ, 1 place"),
        row("suspect", "NOUN  (NOUN 2 %, ADJ 90 %)"),
        row("change", "upos: ADJ → NOUN"),
    )
    write_worklist(path, Worklist(rows, ("What is right?",)))
    return path


def test_every_kind_is_judged_by_one_key_an_item(browser: Browser, tmp_path: Path) -> None:
    with judged(every_kind(tmp_path / "all.tsv")) as review, at_page(browser, review) as judge:
        judge.judge("1", "2", "r", "b", "e")
        judge.press("n")
        said = judge.saved()
        verdicts = {item: (one.verdict, one.label) for item, one in said.items()}
        assert verdicts == {
            "adjudication": ("ada", "NOUN"),
            "token": ("b", ""),
            "bracket": ("reject", ""),
            "repeat": ("error-in-b", "NOUN"),
            "suspect": ("error", "ADJ"),
            "change": ("new", ""),
        }
        judge.page.wait_for_selector("#message:not([hidden])")
        assert "All rows are judged" in judge.page.inner_text("#message")
    rows = {row.id: row for row in read_any_worklist(tmp_path / "all.tsv").rows}
    assert {item: (row.verdict, row.label) for item, row in rows.items()} == verdicts


def test_every_kind_is_judged_by_mouse(browser: Browser, tmp_path: Path) -> None:
    with judged(every_kind(tmp_path / "all.tsv")) as review, at_page(browser, review) as judge:
        for item in ("adjudication", "token", "bracket", "repeat", "suspect", "change"):
            judge.page.wait_for_selector(f"body[data-item={item}]")
            judge.page.click("#choices button:first-child")
        said = judge.saved()
        assert {one.verdict for one in said.values()} == {"ada", "a", "accept", "error-in-a", "error", "new"}


def test_undo_goes_back_as_often_as_wanted(browser: Browser, tmp_path: Path) -> None:
    with judged(token_list(tmp_path / "check.tsv")) as review, at_page(browser, review) as judge:
        judge.judge("1", "2", "1")
        judge.saved()
        for item in ("w3", "w2", "w1"):
            judge.press("u")
            judge.page.wait_for_selector(f"body[data-item={item}]")
        assert not any(one.is_decided for one in judge.saved().values())
        judge.judge("2")
        assert judge.saved()["w1"].verdict == "b"


def test_a_whole_pattern_is_one_decision_and_one_undo(browser: Browser, tmp_path: Path) -> None:
    with judged(token_list(tmp_path / "check.tsv")) as review, at_page(browser, review) as judge:
        judge.press("p")
        judge.page.wait_for_function("() => document.getElementById('alike-count').textContent === ' (4 rows)'")
        judge.press("1")
        judge.page.wait_for_selector("body[data-item=w3]")
        said = judge.saved()
        # NOUN is the letter a in some rows and b in others
        assert {item: one.verdict for item, one in said.items()} == {"w1": "a", "w2": "b", "w4": "a", "w5": "b"}
        judge.press("u")
        judge.page.wait_for_function("() => document.querySelector('#progress').textContent.startsWith('0 of')")
        assert not any(one.is_decided for one in judge.saved().values())


def test_skipped_rows_come_back_last_and_unsure_ones_are_found(browser: Browser, tmp_path: Path) -> None:
    with judged(token_list(tmp_path / "check.tsv", 4)) as review, at_page(browser, review) as judge:
        judge.judge("s", "?", "1", "1")
        assert judge.item == "w1"
        said = judge.saved()
        assert (said["w2"].verdict, said["w2"].unsure) == ("", True)
        assert "w1" not in said or not said["w1"].is_decided
        judge.press("/")
        judge.page.select_option("#filter", "unsure")
        judge.page.wait_for_function("() => document.getElementById('found').textContent === '1 row'")
        judge.page.click("#rows button")
        judge.page.wait_for_selector("body[data-item=w2]")


def test_a_search_leads_to_a_row(browser: Browser, tmp_path: Path) -> None:
    with judged(token_list(tmp_path / "check.tsv", 500)) as review, at_page(browser, review) as judge:
        judge.press("/")
        judge.page.keyboard.type("word444")
        judge.page.wait_for_function("() => document.getElementById('found').textContent === '1 row'")
        judge.press("Enter")
        judge.page.wait_for_function("() => document.activeElement.closest('#rows') !== null")
        judge.press("Enter")
        judge.page.wait_for_selector("body[data-item=w444]")


def test_a_comment_goes_with_the_verdict_and_keys_typed_in_it_judge_nothing(browser: Browser, tmp_path: Path) -> None:
    with judged(token_list(tmp_path / "check.tsv")) as review, at_page(browser, review) as judge:
        judge.press("c")
        judge.page.keyboard.type("1 us? <b>")
        judge.press("Enter")
        assert judge.item == "w1"
        judge.judge("1")
        said = judge.saved()
        assert (said["w1"].verdict, said["w1"].note) == ("a", "1 us? <b>")
        judge.press("ArrowLeft")
        judge.page.wait_for_selector("body[data-item=w1]")
        assert judge.page.input_value("#note") == "1 us? <b>"
        assert judge.page.get_attribute("#choices button", "aria-pressed") == "true"


def test_another_label_is_typed_or_given_up(browser: Browser, tmp_path: Path) -> None:
    with judged(every_kind(tmp_path / "all.tsv")) as review, at_page(browser, review) as judge:
        judge.press("0")
        judge.page.wait_for_selector("#label-dialog[open]")
        judge.press("Enter")  # which label, is not said yet
        assert judge.page.is_visible("#label-dialog")
        judge.press("Escape")
        assert judge.item == "adjudication"
        judge.press("0")
        judge.page.keyboard.type("PROPN")
        judge.judge("Enter")
        said = judge.saved()["adjudication"]
        assert (said.verdict, said.label) == ("other", "PROPN")


def test_what_cannot_be_sent_is_kept_said_and_sent_again(browser: Browser, tmp_path: Path) -> None:
    with judged(token_list(tmp_path / "check.tsv")) as review, at_page(browser, review) as judge:
        judge.page.wait_for_load_state("networkidle")

        def gone(route: Route) -> None:
            route.abort()

        judge.page.route("**/verdict", gone)
        judge.judge("1", "2")
        judge.page.wait_for_selector("#state[data-state=unsent]")
        assert judge.page.inner_text("#state") == "2 verdicts not saved yet"
        assert "does not answer" in judge.page.inner_text("#message")
        assert len(judge.page.evaluate("JSON.parse(Object.values(sessionStorage)[0])")) == 2
        judge.page.unroute("**/verdict")
        said = judge.saved()
        assert (said["w1"].verdict, said["w2"].verdict) == ("a", "b")
        assert judge.page.evaluate("sessionStorage.length") == 0


def test_unsent_verdicts_outlive_a_reload(browser: Browser, tmp_path: Path) -> None:
    with judged(token_list(tmp_path / "check.tsv")) as review, at_page(browser, review) as judge:
        judge.page.on("dialog", lambda dialog: dialog.accept())
        judge.page.route("**/verdict", lambda route: route.abort())
        judge.judge("1")
        judge.page.wait_for_selector("#state[data-state=unsent]")
        judge.page.unroute("**/verdict")
        judge.complaints.clear()
        judge.page.reload()
        judge.page.wait_for_selector("#choices button")
        judge.complaints.clear()  # the browser asks whether to leave
        assert judge.saved()["w1"].verdict == "a"


def test_an_answer_that_was_lost_is_not_a_second_verdict(browser: Browser, tmp_path: Path) -> None:
    with judged(token_list(tmp_path / "check.tsv")) as review, at_page(browser, review) as judge:
        lost: list[object] = []

        def kept_but_not_answered(route: Route) -> None:
            if lost:
                return route.continue_()
            lost.append(route.fetch())
            return route.abort()

        judge.page.route("**/verdict", kept_but_not_answered)
        judge.judge("1")
        judge.page.wait_for_selector("#state[data-state=unsent]")
        said = judge.saved()
        assert (said["w1"].verdict, said["w1"].revision) == ("a", 1)


def test_a_row_changed_in_another_tab_is_shown_again(browser: Browser, tmp_path: Path) -> None:
    with judged(token_list(tmp_path / "check.tsv")) as review, at_page(browser, review) as judge:
        assert review.client().decide("w1", "b").status == 200
        judge.press("1")
        judge.page.wait_for_selector("#message:not([hidden])")
        judge.page.wait_for_selector("body[data-item=w1] #choices button:nth-child(2)[aria-pressed=true]")
        assert "another tab" in judge.page.inner_text("#message")
        assert judge.saved()["w1"].verdict == "b"
        judge.judge("1")
        assert judge.saved()["w1"].verdict == "a"


def test_opened_again_it_goes_on_where_it_was(browser: Browser, tmp_path: Path) -> None:
    path = token_list(tmp_path / "check.tsv")
    with judged(path) as review, at_page(browser, review) as judge:
        judge.judge("1", "1", "2")
        judge.saved()
    with judged(path) as review, at_page(browser, review) as judge:
        assert judge.item == "w4"
        assert judge.page.inner_text("#progress") == "3 of 6 judged"


def test_two_judges_at_once_do_not_see_each_other(browser: Browser, tmp_path: Path) -> None:
    with (
        judged(token_list(tmp_path / "check.tsv"), ["ada", "bix"]) as review,
        at_page(browser, review) as ada,
        at_page(browser, review, 1) as bix,
    ):
        ada.judge("1", "1")
        bix.judge("2")
        assert {item: one.verdict for item, one in ada.saved().items()} == {"w1": "a", "w2": "a"}
        assert {item: one.verdict for item, one in bix.saved().items()} == {"w1": "b"}
        bix.page.reload()
        bix.page.wait_for_selector("body[data-item=w2]")
        assert bix.page.inner_text("#progress") == "1 of 6 judged"


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (400, True)])
def test_whoever_coordinates_sees_how_far_judges_are_and_how_they_agree(
    browser: Browser, tmp_path: Path, width: int, dark: bool
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme="dark" if dark else "light")
    with judged(token_list(tmp_path / "check.tsv", 30), ["ada", "bix"]) as review:
        for number in range(1, 25):
            assert review.client(0).decide(f"w{number}", "a", seconds=90).status == 200
            assert review.client(1).decide(f"w{number}", "b" if number % 8 == 0 else "a").status == 200
        page = context.new_page()
        page.goto(review.server.access.url(review.server.access.guests[2]))
        page.wait_for_selector("#coordinator:not([hidden])")
        lines = page.inner_text("#coordinator table:first-of-type tbody").splitlines()
        assert [line.split("\t") for line in lines] == [["ada", "24", "0", "6", "36 min"], ["bix", "24", "0", "6", "–"]]
        page.wait_for_selector("text=24 rows judged by two judges or more; they differ on 3.", timeout=30_000)
        shown = page.inner_text("#coordinator")
        assert "Krippendorff’s alpha" in shown
        assert "Estimated error rates" in shown
        assert "w8" not in page.inner_html("#coordinator")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()


def test_axe_finds_no_fault_in_what_the_coordinator_sees(browser: Browser, tmp_path: Path) -> None:
    script = node_file("axe-core/axe.min.js").read_text(encoding="utf-8")
    with judged(token_list(tmp_path / "check.tsv"), ["ada", "bix"]) as review:
        for place in range(2):
            assert review.client(place).decide("w1", "a").status == 200
        page = browser.new_page()
        page.goto(review.server.access.url(review.server.access.guests[2]))
        page.wait_for_selector("text=1 row judged by two judges or more", timeout=30_000)
        page.evaluate(script)
        assert page.evaluate(AXE, {}) == []
        page.close()


def test_two_judges_in_two_tabs_of_one_browser_stay_apart(browser: Browser, tmp_path: Path) -> None:
    """A cookie belongs to the browser: the page says whose it is, after a reload too."""
    context = browser.new_context()
    with judged(token_list(tmp_path / "check.tsv"), ["ada", "bix"]) as review:
        pages = []
        for guest in review.server.access.guests[:2]:
            pages.append(context.new_page())
            pages[-1].goto(review.server.access.url(guest))
            pages[-1].wait_for_selector("#choices button")
        pages[0].reload()
        for page, key in zip(pages, "12", strict=True):
            page.wait_for_selector("body[data-item=w1]")
            page.keyboard.press(key)
            page.wait_for_selector("body[data-item=w2]")
            page.wait_for_selector(_SAVED)
        store = review.review.store
        assert [store.judgement(judge, "w1").verdict for judge in ("ada", "bix")] == ["a", "b"]
    context.close()


def test_a_key_too_many_at_the_end_decides_nothing(browser: Browser, tmp_path: Path) -> None:
    with judged(token_list(tmp_path / "check.tsv", 2)) as review, at_page(browser, review) as judge:
        judge.judge("1")
        judge.press("1")
        judge.page.wait_for_selector("text=All rows are judged")
        judge.press("2", "2", "?")
        assert [one.verdict for one in judge.saved().values()] == ["a", "a"]
        judge.press("ArrowLeft")
        judge.page.wait_for_selector("body[data-item=w1]")
        judge.press("2")
        judge.page.wait_for_function("() => rows.byId.get('w1').verdict === 'b'")


def test_what_a_file_says_against_a_verdict_is_shown_and_decided_again(browser: Browser, tmp_path: Path) -> None:
    path = token_list(tmp_path / "check.tsv", 3)
    with judged(path) as review, at_page(browser, review) as judge:
        judge.judge("1")
        assert judge.saved()["w1"].verdict == "a"
        review.review.bring_up_to_date("")
        path.write_text(path.read_text().replace("\ta\t", "\tb\t", 1))
        review.review.bring_up_to_date("")
        judge.judge("1")
        judge.page.wait_for_selector("text=contradicts 1 verdict given here")
        judge.press("/")
        judge.page.select_option("#filter", "conflict")
        judge.page.wait_for_selector("#found:text('1 row')")
        judge.page.click("#rows button")
        judge.page.wait_for_selector("text=file says “b”")
        judge.press("1")
        judge.page.wait_for_function("() => outbox.waiting.length === 0")
        judge.saved()
    assert [row.verdict for row in read_any_worklist(path).rows] == ["a", "a", ""]


def test_a_label_that_no_word_has_is_taken_on_the_second_time(browser: Browser, tmp_path: Path) -> None:
    with judged(harbour_list(tmp_path)) as review, at_page(browser, review) as judge:
        judge.press("o")
        judge.page.fill("#label-text", "NUON")
        judge.press("Enter")
        assert "No word of the corpus has the label NUON" in judge.page.inner_text("#label-told")
        assert judge.saved() == {}
        judge.press("Enter")
        judge.page.wait_for_function("() => item.label === 'NUON'")


def test_whoever_adjudicates_sees_what_judges_said_and_decides_by_a_key(browser: Browser, tmp_path: Path) -> None:
    for name, verdicts in (("ada", "aab"), ("bix", "abb")):
        worklist = read_any_worklist(token_list(tmp_path / f"check.{name}.tsv", 3))
        write_worklist(tmp_path / f"check.{name}.tsv", worklist.with_verdicts([*verdicts]))
    adjudication = opened_adjudication([str(tmp_path / "check.ada.tsv"), str(tmp_path / "check.bix.tsv")], "eva")
    with (
        serving(adjudication.review, review_server([adjudication.review], adjudication=adjudication)) as review,
        at_page(browser, review) as eva,
    ):
        assert eva.item == "w2"
        assert eva.page.inner_text("#said tbody").splitlines() == ["ada\tVERB\t", "bix\tNOUN\t"]
        assert eva.page.inner_text("#progress") == "0 of 1 judged"
        assert not eva.page.is_visible("#estimate")
        eva.press("1")
        eva.page.wait_for_selector("text=All rows are judged")
        assert eva.saved()["w2"].verdict == "a"
    adjudication.review.close()
    rows = read_any_worklist(tmp_path / "check.adjudicated.tsv").rows
    assert [(row.verdict, row.judge) for row in rows] == [("a", "ada, bix"), ("a", "eva"), ("b", "ada, bix")]


def test_the_estimate_stands_beside_the_list_and_says_when_it_is_enough(browser: Browser, tmp_path: Path) -> None:
    taggers = made_taggers(tmp_path)
    (path,) = taggers.lists(80, ["1"])
    opened = Review.opened(path)
    judge_rows(opened, range(79), taggers.verdict)
    with opened, serving(opened, review_server([opened])) as review, at_page(browser, review) as judge:
        judge.page.wait_for_selector("#estimate[data-enough=true]", timeout=30_000)
        assert judge.page.inner_text("#estimate").startswith("Enough judged: B.conllu is better")


_HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&\u202e"


def test_hostile_lists_are_inert(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "check.tsv"
    rows = [
        WorklistRow("w1/../x", "token", _HOSTILE, _HOSTILE, 2, 2, f"{_HOSTILE} [{_HOSTILE}]", f"a) {_HOSTILE}  b) X"),
        WorklistRow(
            "=1+1", "suspect", "c", "s", 1, 1, f"[{_HOSTILE}]", f"{_HOSTILE}  ({_HOSTILE})", label_there=_HOSTILE
        ),
    ]
    write_worklist(path, Worklist(tuple(rows), (_HOSTILE,)))
    with judged(path) as review, at_page(browser, review) as judge:
        assert "<script>alert(1)</script>" in judge.page.inner_text("#words")
        assert judge.page.locator("main script, main img").count() == 0
        judge.judge("1")
        assert judge.saved()["w1/../x"].verdict == "a"


@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("dark", [False, True])
def test_nothing_moves_under_the_cursor_and_nothing_overflows(
    browser: Browser, tmp_path: Path, width: int, dark: bool
) -> None:
    with (
        judged(every_kind(tmp_path / "all.tsv")) as review,
        at_page(browser, review, width=width, dark=dark) as judge,
    ):
        places = set()
        for _ in range(6):
            boxes = [judge.page.locator(f"#{one}").bounding_box() for one in ("choices", "unsure", "undo")]
            places.add(tuple((box["x"], box["y"]) for box in boxes if box is not None))
            beyond = "(({ scrollWidth: w, scrollHeight: h }) => [w - innerWidth, h - innerHeight])"
            assert judge.page.evaluate(f"{beyond}(document.documentElement)") == [0, 0]
            judge.press("ArrowRight")
            judge.page.wait_for_timeout(100)
        if width == 1280:
            assert len(places) == 1


def test_a_screen_reader_is_told_what_was_decided_and_every_control_has_a_name(
    browser: Browser, tmp_path: Path
) -> None:
    with judged(token_list(tmp_path / "check.tsv")) as review, at_page(browser, review) as judge:
        judge.judge("1")
        judge.page.wait_for_function("() => document.getElementById('live').textContent === 'NOUN'")
        nameless = judge.page.evaluate(
            """() => [...document.querySelectorAll("button, input, select, textarea")]
                 .filter((one) => !one.textContent.trim() && !one.labels?.length && !one.getAttribute("aria-label"))
                 .map((one) => one.id)"""
        )
        assert nameless == []


@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_no_fault_in_items_and_dialogs(browser: Browser, tmp_path: Path, dark: bool) -> None:
    script = node_file("axe-core/axe.min.js").read_text(encoding="utf-8")
    with judged(every_kind(tmp_path / "all.tsv")) as review, at_page(browser, review, dark=dark) as judge:
        judge.page.evaluate(script)
        for keys in (
            ["1"],
            ["ArrowLeft"],
            ["0"],
            ["Escape", "/"],
            ["Escape", "ArrowRight", "ArrowRight", "ArrowRight"],
        ):
            judge.press(*keys)
            judge.page.wait_for_timeout(200)
            assert judge.page.evaluate(AXE, {}) == []
        judge.page.evaluate("() => { window.happened = []; }")  # axe tries styles of its own


def test_the_marked_word_of_a_long_sentence_is_seen_on_a_small_screen(browser: Browser, tmp_path: Path) -> None:
    text = " ".join([*(f"word{number}" for number in range(150)), "[last]"])
    path = tmp_path / "check.tsv"
    write_worklist(path, Worklist((WorklistRow("w1", "token", "c", "s1", 151, 151, text, "a) X  b) Y"),)))
    with judged(path) as review, at_page(browser, review, width=400) as judge:
        word, item = (judge.page.locator(one).bounding_box() for one in ("#words mark", "#item"))
        assert word is not None
        assert item is not None
        assert item["y"] <= word["y"] <= item["y"] + item["height"] - word["height"]


def test_keys_pressed_before_the_next_item_is_there_judge_nothing(browser: Browser, tmp_path: Path) -> None:
    with judged(token_list(tmp_path / "check.tsv")) as review, at_page(browser, review) as judge:
        judge.page.evaluate("cache.clear()")  # as if nothing had been fetched ahead
        held: list[Route] = []
        judge.page.route("**/api/items/w2", lambda route: held.append(route))
        judge.press("1", "2", "2")
        judge.page.wait_for_timeout(300)
        assert judge.item == "w1"
        for route in held:
            route.continue_()
        judge.page.wait_for_selector("body[data-item=w2]")
        assert {item: (one.verdict, one.revision) for item, one in judge.saved().items()} == {"w1": ("a", 1)}
