"""Corpora and results that are written to break a page: everything is shown as text, nothing runs, the layout holds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import html5lib
import pytest

from browser import chromium, opened
from example_pages import karat
from page_checks import check_parses

if TYPE_CHECKING:
    from playwright.sync_api import Browser

HOSTILE = [
    "<script>alert(1)</script>",
    "--></script><script>alert(2)</script>",
    "]]><img/src=x/onerror=alert(3)>",
    "\"onmouseover='alert(4)'x=\"",
    "</title></style></textarea><svg/onload=alert(5)>",
    "{{7*7}}{%raw%}${7*7}#{7*7}",
    "&lt;b&gt;&amp;&#60;b&#62;",
    "javascript:alert(6)",
    "\u202eright-to-left\u202e",
    "\u2067isolated",
    "\u200fשלום\u200f",
    "م\u200cرحبا",
    "ẗ̴̢̛͓̘̤̙̟̳̘́̈́̊̕̚͝o̶̧̩̻̟̠̅́̈́̕͘͝",
    "\ufdd0\ufffe\U0001ffff\x7f\x85\x1b[31m",
    "constructor",
    "__proto__",
    "%00%3Cscript%3E",
    "🏳️‍🌈👩‍👩‍👧‍👦",
    "x" * 10_000,
    "長" * 3_000,
]
SENT_IDS = [re.sub(r"\s", "_", text) for text in HOSTILE]


def corpus(tags: list[str], *, shift: int = 0) -> str:
    """A sentence of each hostile text: in the form, lemma, tags, features, relation, sent_id and document."""
    lines = []
    for number, text in enumerate(HOSTILE):
        lines += [f"# newdoc id = {text}", f"# sent_id = {SENT_IDS[number]}"]
        for at in range(1, 4):
            tag = tags[(number + at * shift) % len(tags)]
            feats = f"F={text}" if "|" not in text and "=" not in text else "_"
            relation = tags[(number + at + shift) % len(tags)]
            head = 0 if at == 1 else 1
            columns = [at, text, text, tag, tag, feats, head, relation if head else "root", "_", "_"]
            lines.append("\t".join(map(str, columns)))
        lines.append("")
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    found = tmp_path_factory.mktemp("hostile")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(found)
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def path(folder: Path) -> Path:
    """The page of hostile corpora by systems with hostile names in files with hostile names."""
    names = ["<script>alert(7)<img>", "\u202e{{7*7}}\"'&<b>"]
    Path("<b>gold&.conllu").write_text(corpus(HOSTILE), encoding="utf-8")
    systems = []
    for shift, name in enumerate(names, 1):
        Path(f"sys{shift}'\"<i>.conllu").write_text(corpus(HOSTILE, shift=shift), encoding="utf-8")
        systems.append(f"{name}=sys{shift}'\"<i>.conllu")
    for verb in ("score", "compare"):
        Path(f"{verb}.json").write_text(karat(verb, "<b>gold&.conllu", *systems, "--json"), encoding="utf-8")
    karat("report", "score.json", "compare.json", "--title", HOSTILE[1], "-o", "page.html")
    return folder / "page.html"


ELEMENTS = """() => { const count = {}; for (const one of document.querySelectorAll("*"))
    count[one.localName] = (count[one.localName] ?? 0) + 1; return count; }"""


def test_nothing_runs_and_no_element_is_new(browser: Browser, path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    check_parses(text)
    document = html5lib.parse(text, namespaceHTMLElements=False)
    tags = {one.tag for one in document.iter() if isinstance(one.tag, str)}
    assert not tags & {"img", "b", "i", "iframe", "object", "embed", "link", "base", "textarea"}
    assert len([*document.iter("script")]) == 2
    assert not [name for one in document.iter() for name in one.attrib if str(name).lower().startswith("on")]
    with opened(browser, path) as one:  # which sees every alert, request and violation
        counts = one.js(ELEMENTS)
        assert counts["script"] == 2
        assert not {"img", "b", "i", "iframe"} & set(counts)
        one.js("() => { for (const details of document.querySelectorAll('details')) details.open = true; }")
        for link in one.js("[...document.querySelectorAll('a')].map((one) => one.getAttribute('href'))"):
            assert re.fullmatch(r"#[\w.-]+", link)


def test_every_text_is_shown_as_it_is(browser: Browser, path: Path) -> None:
    with opened(browser, path) as one:
        words = one.js(
            "[...document.querySelectorAll('article')].map((one) => one.querySelector('.words').textContent)"
        )
        names = one.js("[...document.querySelectorAll('article h3 a')].map((one) => one.textContent)")
    shown = " ".join(words)
    for text in HOSTILE:
        safe = re.sub("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufdd0\ufffe\U0001ffff]", "\ufffd", text)
        assert (safe if len(safe) <= 200 else safe[:199] + "…") in shown
    assert "<script>alert(1)</script>" in names
    assert "{{7*7}}" in shown
    assert "49" not in shown


def test_no_character_that_turns_the_text_is_left(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "\u202e" in Path("<b>gold&.conllu").read_text(encoding="utf-8")
    assert not re.search("[\u202a-\u202e\u2066-\u2069\x00-\x08\x0b-\x1f\x7f-\x9f]", text)
    data = re.search(r'id="data">(.*?)</script>', text)
    assert data
    assert not re.search("[\u202a-\u202e\u2066-\u2069]", json.dumps(json.loads(data[1]), ensure_ascii=False))


@pytest.mark.parametrize("width", [1280, 400])
def test_the_layout_holds(browser: Browser, path: Path, width: int) -> None:
    with opened(browser, path, width=width) as one:
        assert one.overflow == 0
        one.js("() => { for (const details of document.querySelectorAll('details')) details.open = true; }")
        assert one.overflow == 0


def test_every_list_leads_to_sentences(browser: Browser, path: Path) -> None:
    with opened(browser, path) as one:
        lists = one.js("Object.keys(JSON.parse(document.getElementById('data').textContent).lists.sentences1)")
        assert len(lists) > 20
        for name in lists[:: max(len(lists) // 15, 1)]:
            one.go(name)
            assert one.js("[...document.querySelectorAll('article')].some((one) => !one.hidden)")
            assert "embedded" in one.page.inner_text("#sentences1 .status")


# ---- results without files -------------------------------------------------------------------------------------------


def results(folder: Path, data: Any) -> Path:
    (folder / "many.json").write_text(json.dumps(data), encoding="utf-8")
    karat("report", folder / "many.json", "-o", folder / "many.html")
    return folder / "many.html"


@pytest.mark.parametrize("width", [1280, 400])
def test_300_systems_with_long_names_fit(browser: Browser, folder: Path, path: Path, width: int) -> None:
    data = json.loads(Path("score.json").read_text(encoding="utf-8"))
    one_system = data["systems"][0]
    data["systems"] = [{**one_system, "name": f"{HOSTILE[n % len(HOSTILE)]}-{n}"} for n in range(300)]
    data["signature"] = "karat:0"
    made = results(folder, data)
    with opened(browser, made, width=width) as one:
        assert one.overflow == 0
        rows = one.js("document.querySelectorAll('#r1-scores tbody tr').length")
        assert rows == 300


def test_5000_labels_fit(browser: Browser, folder: Path) -> None:
    lines, others = [], []
    for number in range(1250):
        lines.append(f"# sent_id = s{number}")
        for at in range(1, 5):
            label = f"label-{number}-{at}-" + "y" * (number % 40)
            columns = [at, "w", "w", label, "_", "_", 0 if at == 1 else 1, "dep" if at > 1 else "root", "_", "_"]
            lines.append("\t".join(map(str, columns)))
        lines.append("")
    others = [line.replace("-1-", "-2-") for line in lines]
    Path("labels.conllu").write_text("\n".join(lines) + "\n", encoding="utf-8")
    Path("others.conllu").write_text("\n".join(others) + "\n", encoding="utf-8")
    karat("score", "labels.conllu", "others.conllu", "--measure", "UPOS", "--report", "labels.html")
    made = folder / "labels.html"
    check_parses(made.read_text(encoding="utf-8"))
    assert made.stat().st_size < 2_000_000
    with opened(browser, made, width=400) as one:
        assert one.overflow == 0
