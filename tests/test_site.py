"""The site that is built from docs/ and the code: complete, whole, and readable from disk without a network."""

from __future__ import annotations

import inspect
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import karat
from browser import chromium, opened
from built_site import Site, SitePage
from console_examples import ROOT
from page_checks import AXE
from realdata import node_file

pytest.importorskip("sphinx", reason="the site needs the extra `docs`")
sys.path.insert(0, str(ROOT / "tools"))

from karat_site.formats import every_format
from karat_site.library import public_names
from karat_site.schemas import every_schema
from karat_site.verbs import every_verb, help_of, subverbs

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow

DOCS = ROOT / "docs"
OF_EVERY_KIND = (
    "index",
    "tutorial",
    "questions",
    "howto/paper-author",
    "methods/index",
    "methods/intervals",
    "methods/bracket-items",
    "coming-from/evalb",
    "calibration",
    "hogenhout-1996",
    "errors",
    "changelog",
    "reference/verbs/index",
    "reference/verbs/compare",
    "reference/verbs/attach",
    "reference/library/index",
    "reference/library/evaluation",
    "reference/library/types",
    "reference/schemas/index",
    "reference/schemas/compare",
    "reference/measures",
    "reference/formats",
    "search",
    "genindex",
)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    folder = tmp_path_factory.mktemp("site")
    call = [sys.executable, "-m", "sphinx", *"-W --keep-going -n -q -b html".split(), str(DOCS), str(folder)]
    built = subprocess.run(call, capture_output=True, text=True, check=False)
    assert (built.returncode, built.stderr) == (0, "")
    return Site(folder)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as one:
        yield one


# ---- links and files -------------------------------------------------------------------------------------------------


def test_every_link_leads_to_a_page_and_an_anchor_that_are_there(site: Site) -> None:
    assert sum(len(page.links) for page in site.pages.values()) > 10_000
    assert list(site.broken_links()) == []


def test_nothing_is_loaded_from_a_network(site: Site) -> None:
    assert list(site.foreign_resources()) == []


def test_every_page_is_in_the_navigation_of_the_landing_page(site: Site) -> None:
    listed = {(site.folder / link.partition("#")[0]).resolve() for link in site.page("index").sidebar}
    not_listed = {"index", "search", "genindex", "py-modindex"}
    missing = [path for path in site.pages if path not in listed and path.stem not in not_listed]
    assert missing == []
    assert len(listed) > len(list(DOCS.rglob("*.md")))


def test_equations_are_mathml(site: Site) -> None:
    """Without a command of LaTeX that nobody translated."""
    pages = {path.relative_to(site.folder.resolve()).with_suffix(""): path.read_text("utf-8") for path in site.pages}
    equations = {str(name): re.findall(r"<math.*?</math>", page, re.DOTALL) for name, page in pages.items()}
    assert sum(map(len, equations.values())) > 200
    assert [name for name, found in equations.items() if any("\\" in one for one in found)] == []
    written = {path.stem for path in (DOCS / "methods").glob("*.md") if "$$" in path.read_text(encoding="utf-8")}
    assert {f"methods/{name}" for name in written} <= {name for name, found in equations.items() if found}


def test_broken_links_and_foreign_resources_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<p id="here"><a href="#here">a</a> <a href="b.html#x">b</a>')
    (tmp_path / "b.html").write_text(
        '<a href="c.html">c</a><img src="//example.org/d.png"><script src="e.js"></script>'
    )
    (tmp_path / "f.css").write_text("p { background: url(https://example.org/g.png) } @import 'h.css';")
    found = Site(tmp_path)
    assert list(found.broken_links()) == ["a.html: b.html#x", "b.html: c.html"]
    assert sorted(found.foreign_resources()) == [
        "b.html: //example.org/d.png",
        "b.html: e.js",
        "f.css: h.css",
        "f.css: https://example.org/g.png",
    ]


# ---- the reference is complete ---------------------------------------------------------------------------------------


def words(text: str) -> str:
    """A text without blanks and what sets code apart, to be compared with what pages say."""
    return "".join(text.replace("\b", "").split())


def test_every_public_name_is_in_the_reference_with_its_docstring(site: Site) -> None:
    pages = [page for path, page in site.pages.items() if path.parent.name == "library"]
    for name, value in public_names().items():
        (page,) = (one for one in pages if f"karat.{name}" in one.anchors)
        docstring = inspect.getdoc(value)
        assert docstring, name
        for paragraph in docstring.split("\n\n"):
            said = re.sub(r"[`*]|docs/[\w/-]+\.md.*", "", paragraph, flags=re.DOTALL)
            assert words(said) in words(page.text.replace("*", "")), name


def test_every_public_name_shows_its_parameters(site: Site) -> None:
    text = site.page("reference/library/evaluation").text
    for name in inspect.signature(karat.compare).parameters:
        assert re.search(rf"\b{name}: ", text), name
    assert "karat.noise.results.InputsRead" not in site.page("reference/library/corpus").text


@pytest.mark.parametrize("verb", every_verb())
def test_the_page_of_a_verb_says_what_its_help_says(site: Site, verb: str) -> None:
    page = site.page(f"reference/verbs/{verb}")
    text = words(page.text)
    for names in subverbs(verb):
        found = help_of(*names)
        assert words(found.usage) in text
        for paragraph in found.text.split("\n\n"):
            assert words(paragraph) in text
        for rows in found.lists.values():
            for flags, what in rows:
                assert words(flags) in text
                assert words(what) in text
                if flags.startswith("--"):
                    name = re.split(r"[ \[]", flags.removeprefix("--"))[0]
                    assert f"cmdoption-karat-{'-'.join(names)}-{name}" in page.anchors


def test_every_subverb_has_a_place(site: Site) -> None:
    assert ("noise", "plan") in subverbs("noise")
    assert ("attach", "stats") in subverbs("attach")
    assert {"karat-noise-plan", "karat-noise-estimate"} <= site.page("reference/verbs/noise").anchors


@pytest.mark.parametrize(("name", "schema"), every_schema().items(), ids=list(every_schema()))
def test_every_field_of_a_schema_is_on_its_page(site: Site, name: str, schema: dict[str, object]) -> None:
    text = words(site.page(f"reference/schemas/{name}").text)
    fields, said = set(), set()
    pending: list[object] = [schema]
    while pending:
        one = pending.pop()
        if isinstance(one, dict):
            properties = one.get("properties")
            fields |= set(properties) if isinstance(properties, dict) else set()
            said |= {one[key] for key in ("description", "title") if isinstance(one.get(key), str)}
            pending += one.values()
        elif isinstance(one, list):
            pending += one
    assert [one for one in sorted(fields) if one not in text] == []
    assert [one for one in sorted(said) if words(one) not in text] == []


def test_every_schema_can_be_downloaded(site: Site) -> None:
    files = {path.stem: json.loads(path.read_text()) for path in (site.folder / "_downloads").rglob("*.json")}
    assert files == every_schema()


def test_every_measure_is_in_the_reference(site: Site) -> None:
    text = words(site.page("reference/measures").text)
    every = karat.list_measures().measures
    assert len(every) > 60
    assert [one.name for one in every if words(one.name + one.what + one.unit) not in text] == []


def test_every_error_code_is_in_the_reference(site: Site) -> None:
    source = ROOT / "src" / "karat"
    used = {code for path in source.rglob("*.py") for code in re.findall(r'"([KW]\d{3})"', path.read_text("utf-8"))}
    assert len(used) > 100
    assert used <= set(re.findall(r"\b[KW]\d{3}\b", site.page("errors").text))


def test_every_format_is_in_the_reference(site: Site) -> None:
    shown = set(site.page("reference/formats").text.split())
    assert set(every_format()) <= shown


def test_public_subpackages_are_in_the_reference(site: Site) -> None:
    assert "karat.corpus.sniffed" in site.page("reference/library/corpus").anchors
    assert "karat.simulation.noise.noisy" in site.page("reference/library/simulation").anchors
    assert "karat.review.ReviewStore" in site.page("reference/library/review").anchors
    assert "karat.report.draw.svg.Drawing" in site.page("reference/library/report").anchors


# ---- in a browser ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "pages"),
    [
        ("crossing brackets", ["methods/bracket-items", "brackets", "reference/measures"]),
        ("kappa", ["agreement", "methods/agreement"]),
        ("--ignore-suspicious", ["reference/verbs/score"]),
        ("noise_bounds", ["reference/library/noise"]),
    ],
)
def test_search_from_disk_finds(site: Site, browser: Browser, query: str, pages: list[str]) -> None:
    asked = f"?q={query.replace(' ', '+')}"
    with opened(browser, site.folder / "search.html", asked, folder=site.folder) as one:
        one.page.wait_for_selector("#search-results .search li")
        one.page.wait_for_function("!document.querySelector('#search-results h2').innerText.endsWith('...')")
        found = one.js("[...document.querySelectorAll('#search-results li a')].map((one) => one.getAttribute('href'))")
    places = {link.partition("#")[0].partition("?")[0] for link in found}
    assert {f"{page}.html" for page in pages} <= places


@pytest.mark.parametrize("place", OF_EVERY_KIND)
def test_a_page_opens_from_disk_without_a_word_and_fits_the_window(site: Site, browser: Browser, place: str) -> None:
    for width in (400, 1280):
        with opened(browser, site.folder / f"{place}.html", width=width, folder=site.folder) as one:
            assert one.overflow == 0, width
            wide = """[...document.querySelectorAll("article table, article math, article pre")].filter((one) => {
                for (let box = one; box.tagName != "ARTICLE"; box = box.parentElement) {
                    if (["auto", "scroll"].includes(getComputedStyle(box).overflowX)) return false;
                }
                return one.getBoundingClientRect().right > window.innerWidth;
            }).length"""
            assert one.js(wide) == 0, width


@pytest.mark.parametrize(
    "place",
    [
        "index",
        "methods/intervals",
        "reference/verbs/leaks",
        "reference/library/inference",
        "reference/schemas/leaks",
        "search",
    ],
)
@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_no_serious_fault(site: Site, browser: Browser, place: str, dark: bool) -> None:
    script = node_file("axe-core/axe.min.js").read_text(encoding="utf-8")
    with opened(browser, site.folder / f"{place}.html", dark=dark, folder=site.folder) as one:
        one.js(script)
        faults = one.js(AXE, {"preload": False})  # style sheets on disk cannot be asked for
    assert [fault for fault in faults if fault.startswith(("serious", "critical"))] == []


def page_of(text: str, folder: Path) -> SitePage:
    path = folder / "page.html"
    path.write_text(text, encoding="utf-8")
    return SitePage(path)


def test_the_text_of_a_page_is_what_a_reader_sees(tmp_path: Path) -> None:
    page = page_of("<title>T</title><script>no()</script><p id=a>some <b>text</b></p><style>p {}</style>", tmp_path)
    assert page.text == "Tsome text"
    assert page.anchors == {"a"}
