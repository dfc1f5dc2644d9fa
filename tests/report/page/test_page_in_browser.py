"""The page in a real browser: what a reader can do with it, and that it asks for nothing and nothing fails.

`opened` fails a test if the page makes any request, writes to the console, breaks its Content-Security-Policy or opens
a dialog.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from browser import Opened, chromium, opened
from example_pages import karat, karat_json, write_corpora
from karat.corpus import read_conllu
from karat.report.page.error_lists import anchor
from realdata import program

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FILES = ("gold.conllu", "ada.conllu", "bix.conllu")
SHOWN = """(section) => [...document.querySelectorAll(`#${section} article`)].filter((one) => !one.hidden)
    .map((one) => one.id)"""
COLUMN = """([table, column]) => [...document.querySelectorAll(`#${CSS.escape(table)} tbody tr`)]
    .filter((row) => row.checkVisibility()).map((row) => row.cells[column])
    .map((cell) => cell.dataset.value ?? cell.textContent.trim())"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The page of two systems on a gold with long sentences, many labels and documents."""
    folder, before = tmp_path_factory.mktemp("page"), Path.cwd()
    os.chdir(folder)
    write_corpora(folder, n_sentences=60, lengths=(1, 40))
    for verb in ("score", "compare"):
        Path(f"{verb}.json").write_text(karat(verb, *FILES, "--measure", "UPOS,LAS", "--json"), encoding="utf-8")
    karat("report", "score.json", "compare.json", "-o", "page.html")
    yield folder / "page.html"
    os.chdir(before)


@pytest.fixture(scope="module")
def counts(path: Path) -> dict[str, Any]:
    """What `karat compare` and `karat score` say of the same files."""
    return {
        "compare": json.loads(Path("compare.json").read_text(encoding="utf-8")),
        "score": karat_json("score", *FILES, "--measure", "UPOS,LAS", "--by", "deprel"),
    }


@pytest.fixture
def one(browser: Browser, path: Path) -> Iterator[Opened]:
    with opened(browser, path) as found:
        yield found


def table_called(one: Opened, title: str) -> str:
    """The id of the table that has this caption."""
    script = """(title) => [...document.querySelectorAll(".table[id]")].filter((one) =>
        one.querySelector("caption")?.textContent === title).map((one) => one.id)"""
    (found,) = one.js(script, title)
    return str(found)


def status(one: Opened, box: str) -> str:
    return str(one.js("(id) => document.querySelector(`#${CSS.escape(id)} .status`).textContent", box))


# ---- tables ----------------------------------------------------------------------------------------------------------


def test_a_click_sorts_by_value_and_a_second_click_reverses(one: Opened) -> None:
    table = table_called(one, "LAS by deprel")
    one.page.click(f"#{table} [data-rows]")
    head = f"#{table} thead th >> nth=1"
    before = one.js(COLUMN, [table, 1])
    one.page.click(f"{head} >> button")
    values = [float(value) for value in one.js(COLUMN, [table, 1])]
    assert values == sorted(map(float, before), reverse=True)
    assert values != sorted(values, key=str, reverse=True)  # sorting texts would be another order
    assert one.page.get_attribute(head, "aria-sort") == "descending"
    one.page.click(f"{head} >> button")
    assert [float(value) for value in one.js(COLUMN, [table, 1])] == sorted(values)
    assert one.page.get_attribute(head, "aria-sort") == "ascending"
    one.page.click(f"#{table} thead th >> nth=0 >> button")
    names = one.js(COLUMN, [table, 0])
    assert names == sorted(names)
    assert one.page.get_attribute(head, "aria-sort") == "none"
    sorts = one.js("(id) => [...document.querySelectorAll(`#${id} thead th`)].map((th) => th.ariaSort)", table)
    assert sorts == ["ascending"] + ["none"] * (len(sorts) - 1)


def test_sorting_keeps_rows_together_and_dashes_last(one: Opened) -> None:
    table = table_called(one, "LAS by deprel")
    one.page.click(f"#{table} [data-rows]")
    rows = "(id) => [...document.querySelectorAll(`#${id} tbody tr`)].map((row) => row.textContent)"
    before = one.js(rows, table)
    one.js("(id) => { const cell = document.querySelector(`#${id} tbody tr:nth-child(3)`).cells[2];"
           " cell.removeAttribute('data-value'); cell.textContent = '–'; }", table)  # fmt: skip
    changed = one.js(rows, table)
    for _ in range(2):
        one.page.click(f"#{table} thead th >> nth=2 >> button")
        assert sorted(one.js(rows, table)) == sorted(changed) != sorted(before)
        assert one.js(COLUMN, [table, 2])[-1] == "–"


def test_a_filter_leaves_the_rows_that_have_the_words_and_says_how_many(one: Opened) -> None:
    table = table_called(one, "LAS by deprel")
    one.page.click(f"#{table} [data-rows]")
    every = one.js(COLUMN, [table, 0])
    assert len(every) > 20
    one.page.fill(f"[data-filter='{table}']", "REL1")
    shown = one.js(COLUMN, [table, 0])
    assert shown == [name for name in every if "rel1" in name]
    assert status(one, table) == f"{len(shown)} of {len(every)} rows"
    one.page.fill(f"[data-filter='{table}']", "")
    assert one.js(COLUMN, [table, 0]) == every
    assert status(one, table) == ""


def test_n_at_least_leaves_the_groups_that_are_large_enough(one: Opened) -> None:
    table = table_called(one, "LAS by deprel")
    one.page.click(f"#{table} [data-rows]")
    sizes = [int(n) for n in one.js(COLUMN, [table, 1])]
    least = sorted(sizes)[len(sizes) // 2]
    one.page.fill(f"[data-least='{table}']", str(least))
    assert [int(n) for n in one.js(COLUMN, [table, 1])] == [n for n in sizes if n >= least]
    assert any(n == least for n in sizes)
    assert 0 < sum(n >= least for n in sizes) < len(sizes)


def test_long_tables_show_some_rows_until_all_are_asked_for(one: Opened) -> None:
    table = table_called(one, "LAS by deprel")
    assert len(one.js(COLUMN, [table, 0])) == 15
    every = one.js("(id) => document.querySelectorAll(`#${id} tbody tr`).length", table)
    assert one.page.text_content(f"#{table} [data-rows]") == f"Show all {every} rows"
    one.page.fill(f"[data-filter='{table}']", "rel2")
    assert set(one.js(COLUMN, [table, 0])) > {"rel20", "rel21"}  # also those further down
    one.page.fill(f"[data-filter='{table}']", "")
    one.page.click(f"#{table} [data-rows]")
    assert len(one.js(COLUMN, [table, 0])) == every
    assert one.page.is_hidden(f"#{table} [data-rows]")


# ---- numbers lead to sentences ---------------------------------------------------------------------------------------


def wrong_sentences(column: int, *, system: str, label: str | None = None) -> tuple[int, list[str]]:
    """How many words a system has wrong in UPOS (3) or head and relation (7), and in which sentences: read by hand."""
    n, found = 0, []
    gold, output = (
        Path(name).read_text(encoding="utf-8").split("\n\n") for name in ("gold.conllu", f"{system}.conllu")
    )
    for ours, theirs in zip(gold, output, strict=True):
        rows = [[line.split("\t") for line in text.splitlines() if "\t" in line] for text in (ours, theirs)]
        wrong = [
            a for a, b in zip(*rows, strict=True)
            if (a[3] != b[3] if column == 3 else a[6:8] != b[6:8]) and label in (None, a[7])
        ]  # fmt: skip
        if wrong:
            n += len(wrong)
            (name,) = (line.removeprefix("# sent_id = ") for line in ours.splitlines() if "sent_id" in line)
            found.append(anchor("s", name))
    return n, found


@pytest.mark.parametrize(
    ("list_", "column", "label"),
    [
        ("errors-ada.conllu-LAS", 7, None),
        ("errors-ada.conllu-UPOS", 3, None),
        ("group-ada.conllu-LAS-deprel-rel17", 7, "rel17"),
    ],
)
def test_a_number_leads_to_the_sentences_that_it_counts(
    one: Opened, counts: dict[str, Any], list_: str, column: int, label: str | None
) -> None:
    n, sentences = wrong_sentences(column, system="ada", label=label)
    link = one.page.locator(f"a[href='#{list_}']").first
    if not link.count():
        pytest.fail(f"nothing leads to {list_}")
    while one.page.locator("[data-rows]:visible").count():
        one.page.locator("[data-rows]:visible").first.click()
    one.following(link.click)
    said = status(one, "sentences1")
    while one.page.is_visible("[data-more]"):
        one.page.click("[data-more]")
    shown = one.js(SHOWN, "sentences1")
    embedded = one.js("[...document.querySelectorAll('#sentences1 article')].map((one) => one.id)")
    assert shown == [name for name in embedded if name in sentences]
    assert len(sentences) == len(shown)  # this page has room for all
    words = f"{n:,} in {len(sentences)} sentence{'s' * (len(sentences) != 1)}; {len(shown)} of these sentences embedded"
    assert words in said
    (system,) = (found for found in counts["score"]["systems"] if found["name"] == "ada.conllu")
    measure = {3: "UPOS", 7: "LAS"}[column]
    score = system["by"]["deprel"][label][measure] if label else system["measures"][measure]
    assert n == score["gold"] - score["correct"]


def test_what_one_system_alone_has_right_is_as_many_as_compare_counts(one: Opened, counts: dict[str, Any]) -> None:
    (pair,) = (found for found in counts["compare"]["pairs"] if found["measure"] == "LAS")
    for right, wrong, name in (("ada", "bix", "YN"), ("bix", "ada", "NY")):
        list_ = f"pair-LAS-{right}.conllu-{wrong}.conllu"
        texts = one.js(
            "(list) => [...document.querySelectorAll(`a[href='#${list}']`)].map((one) => one.textContent)", list_
        )
        assert f"{pair['counts'][name]:,}" in texts
        one.go(list_)
        assert f": {pair['counts'][name]:,} in " in status(one, "sentences1")


def test_a_permanent_link_opened_afresh_shows_the_same_list(browser: Browser, path: Path, one: Opened) -> None:
    one.following(one.page.locator("a[href='#pair-LAS-ada.conllu-bix.conllu']").first.click)
    address, shown, said = one.page.url, one.js(SHOWN, "sentences1"), status(one, "sentences1")
    assert 0 < len(shown) < one.js("document.querySelectorAll('#sentences1 article').length")
    with opened(browser, path, f"#{address.partition('#')[2]}") as again:
        assert (again.js(SHOWN, "sentences1"), status(again, "sentences1")) == (shown, said)
        assert 0 <= again.js("document.getElementById('sentences1-title').getBoundingClientRect().top") < 200


def test_a_link_to_a_sentence_shows_it_though_a_list_is_chosen(browser: Browser, path: Path) -> None:
    gold = read_conllu("gold.conllu")
    with opened(browser, path) as one:
        names = one.js("[...document.querySelectorAll('#sentences1 article h3 a')].map((one) => one.textContent)")
        assert set(names) <= {gold.sent_id(number) for number in range(gold.n_sentences)}
        last = one.js("[...document.querySelectorAll('#sentences1 article')].at(-1).id")
        assert last not in one.js(SHOWN, "sentences1")
    with opened(browser, path, f"#{last}") as one:
        assert last in one.js(SHOWN, "sentences1")
        assert 0 <= one.js("(id) => document.getElementById(id).getBoundingClientRect().top", last) < 300
        one.go("group-ada.conllu-LAS-deprel-rel17")
        one.go(last)
        assert one.js("document.activeElement.id") == last


def test_back_and_forward_return_to_lists_and_to_all(one: Opened) -> None:
    first = one.js(SHOWN, "sentences1")
    lists = ["errors-ada.conllu-UPOS", "pair-LAS-ada.conllu-bix.conllu"]
    seen = {}
    for name in lists:
        one.go(name)
        seen[name] = one.js(SHOWN, "sentences1"), status(one, "sentences1")
    one.back()
    assert (one.js(SHOWN, "sentences1"), status(one, "sentences1")) == seen[lists[0]]
    one.forward()
    assert (one.js(SHOWN, "sentences1"), status(one, "sentences1")) == seen[lists[1]]
    one.following(lambda: one.page.click("[data-all]"))
    assert (one.js(SHOWN, "sentences1"), status(one, "sentences1")) == (first, "the first 20 shown")
    one.back()
    assert (one.js(SHOWN, "sentences1"), status(one, "sentences1")) == seen[lists[1]]
    for _ in lists:
        one.back()
    assert one.js(SHOWN, "sentences1") == first


def test_search_finds_words_labels_and_ids_of_embedded_sentences(one: Opened) -> None:
    texts = one.js("""[...document.querySelectorAll('#sentences1 article')].map((one) => [one.id,
        [...one.querySelectorAll("h3, .words, .differences")].map((part) => part.textContent).join(" ")])""")
    for words in ("w17", "REL17", "s-3", "no such word", '<b>&"'):
        one.page.fill("[data-search]", words)
        while one.page.is_visible("[data-more]"):
            one.page.click("[data-more]")
        wanted = [name for name, text in texts if words.lower() in text.lower()]
        assert one.js(SHOWN, "sentences1") == wanted
        assert f"{len(wanted)} of {len(texts)} sentences have “{words.lower()}”" in status(one, "sentences1")
    one.page.fill("[data-search]", "w17")
    assert one.js(SHOWN, "sentences1")
    one.page.click("[data-all]")
    assert one.page.input_value("[data-search]") == ""
    assert len(one.js(SHOWN, "sentences1")) == 20


def test_addresses_that_name_nothing_do_no_harm(browser: Browser, path: Path) -> None:
    for fragment in ("#nothing", "#constructor", "#__proto__", "#%", "#r1"):
        with opened(browser, path, fragment) as one:
            assert len(one.js(SHOWN, "sentences1")) == 20


# ---- keyboard --------------------------------------------------------------------------------------------------------


def tab_to(one: Opened, selector: str, most: int = 400) -> None:
    """Press Tab until an element has the focus."""
    for _ in range(most):
        one.page.keyboard.press("Tab")
        if one.js("(selector) => document.activeElement.matches(selector)", selector):
            return
    pytest.fail(f"Tab does not reach {selector}")


def test_everything_works_with_the_keyboard_alone(one: Opened) -> None:
    table = table_called(one, "Differences")
    one.page.keyboard.press("Tab")
    assert one.js("document.activeElement.className") == "skip"
    one.page.keyboard.press("Enter")
    assert one.js("document.activeElement.id") == "content"
    tab_to(one, f"#{table} thead button")
    one.page.keyboard.press("Enter")
    assert one.js("document.activeElement.closest('th').ariaSort") == "ascending"
    one.page.keyboard.press("Space")
    assert one.js("document.activeElement.closest('th').ariaSort") == "descending"
    tab_to(one, f"#{table} a")
    one.following(lambda: one.page.keyboard.press("Enter"))
    assert one.js("document.activeElement.id") == "sentences1-title"
    assert "sentences embedded" in status(one, "sentences1")
    tab_to(one, "[data-search]", 2)
    one.page.keyboard.type("w17")
    assert "have “w17”" in status(one, "sentences1")
    tab_to(one, "[data-all]", 2)
    one.following(lambda: one.page.keyboard.press("Enter"))
    assert one.js("document.activeElement.id") == "sentences1-title"
    assert len(one.js(SHOWN, "sentences1")) == 20
    tab_to(one, "[data-more]")
    one.page.keyboard.press("Enter")
    assert len(one.js(SHOWN, "sentences1")) > 20


def test_tab_reaches_all_that_can_be_used(one: Opened) -> None:
    """Everything that is shown and can be worked with has its turn; of sentences, which are alike, the first."""
    wanted = one.js("""() => {
        for (const article of [...document.querySelectorAll("article")].slice(1)) article.remove();
        const usable = document.querySelectorAll("a, button, input, summary, [tabindex='0']");
        window.wanted = [...usable].filter((one) => one.checkVisibility());
        return window.wanted.map((_, place) => place); }""")
    seen = set()
    for _ in wanted:
        one.page.keyboard.press("Tab")
        seen.add(one.js("window.wanted.indexOf(document.activeElement)"))
    assert sorted(seen) == wanted


def test_what_has_the_focus_is_seen_to_have_it(one: Opened) -> None:
    for _ in range(12):
        one.page.keyboard.press("Tab")
        style = one.js(
            "() => { const s = getComputedStyle(document.activeElement); return [s.outlineStyle, s.outlineWidth]; }"
        )
        assert style[0] != "none"
        assert float(style[1].removesuffix("px")) >= 2


# ---- looks -----------------------------------------------------------------------------------------------------------


def test_dark_and_light_follow_what_the_reader_has_chosen(browser: Browser, path: Path) -> None:
    colours = {}
    for dark in (False, True):
        with opened(browser, path, dark=dark) as one:
            colours[dark] = one.js("""() => ["background-color", "color"].flatMap((name) =>
                [document.body, document.querySelector(".drawing text"), document.querySelector(".drawing rect")]
                .map((one) => getComputedStyle(one)[name]))""")
            colours[dark] += one.js("""() => ["text", "rect", "circle, polygon"].map((name) =>
                getComputedStyle(document.querySelector(`.drawing :is(${name})`)).fill)""")
    light, dark_ones = colours[False], colours[True]
    assert brightness(light[0]) > 200 > 80 > brightness(light[3])
    assert brightness(dark_ones[0]) < 60 < 180 < brightness(dark_ones[3])
    assert all(a != b for a, b in zip(light[-3:], dark_ones[-3:], strict=True))


def brightness(colour: str) -> float:
    parts = [float(one) for one in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    return sum(parts) / 3


@pytest.mark.parametrize("width", [1280, 800, 400, 320])
def test_the_document_is_never_wider_than_the_window(browser: Browser, path: Path, width: int) -> None:
    with opened(browser, path, width=width) as one:
        assert one.overflow == 0
        one.js("() => { for (const one of document.querySelectorAll('details')) one.open = true; }")
        one.go("errors-ada.conllu-LAS")
        assert one.overflow == 0


def test_printed_to_pdf_the_page_has_its_words(one: Opened, counts: dict[str, Any], tmp_path: Path) -> None:
    pdf = tmp_path / "page.pdf"
    one.page.pdf(path=str(pdf))
    text = subprocess.run(
        [program("pdftotext", "poppler-utils"), "-layout", pdf, "-"], capture_output=True, check=True, text=True
    ).stdout
    plain = " ".join(text.split())
    for words in ("Which differences are real", "Where the errors are", "Methods and what they assume", "Run it again"):
        assert words in plain
    (pair,) = (found for found in counts["compare"]["pairs"] if found["measure"] == "LAS")
    assert f"{100 * pair['value_a']:.2f}" in plain
    assert "s-0" in plain
    for name in ("rel00", "rel12", "rel20"):  # those too that only a button shows on the screen
        assert name in plain
    assert "the first 20 shown" in plain
    for controls in ("Filter", "n at least", "Search words", "Show more", "Show all", "limits of your choice"):
        assert controls not in plain


def test_without_javascript_everything_is_there_to_read(browser: Browser, path: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(path.as_uri())
    assert page.locator("article").count() == page.locator("article:visible").count() > 20
    assert page.locator(".table tbody tr").count() > 50
    assert not page.locator("[data-filter]:visible, [data-search]:visible, [data-lengths]:visible").count()
    assert "JavaScript" in page.locator("noscript").inner_text()
    context.close()
