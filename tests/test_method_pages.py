"""Figures that pages quote from others stand where they say: all that the pages of methods have are quoted so.

A figure is a link to the page that measured it, and the title of the link names a row of that page, as in
`[97.9 %](../calibration.md "few documents, default / 3 documents / score covered")`: some line of the page has all
parts of the title, which ` / ` separates, and all numbers of the link.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from console_examples import ROOT

METHODS = sorted((ROOT / "docs" / "methods").glob("*.md"))
PAGES = sorted((ROOT / "docs").rglob("*.md"))

_LINK = re.compile(r'(?<!!)\[([^\]]+)\]\(([^)\s"]+)(?:\s+"([^"]*)")?\)')
_CODE = re.compile(r"```.*?^```$|\$\$.*?\$\$|`[^`\n]*`|\$[^$\n]+\$|^ {4}.*?$", re.DOTALL | re.MULTILINE)
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_MEASURED = re.compile(r"\d[\d,]*\.\d+")  # what a design sets is mostly whole, as in 5 %
_SECTION = re.compile(r"(?:§|Theorem )\d[\d.]*")


@dataclass(frozen=True, slots=True)
class Quote:
    """Figures that a page quotes from a row of another one."""

    place: str
    figures: str
    target: Path
    row: str | None

    @property
    def is_held(self) -> bool:
        if self.row is None or not self.target.is_file():
            return False
        parts, numbers = self.row.split(" / "), set(_NUMBER.findall(self.figures))
        lines = self.target.read_text(encoding="utf-8").splitlines()
        return any(all(part in line for part in parts) and numbers <= set(_NUMBER.findall(line)) for line in lines)


def quotes_of(page: Path) -> Iterator[Quote]:
    """The links of a page that have figures in them, or the title of one that should have."""
    text = page.read_text(encoding="utf-8")
    for match in _LINK.finditer(text):
        figures, target, row = match.groups()
        if row is not None or _MEASURED.search(figures):
            line = text[: match.start()].count("\n") + 1
            yield Quote(f"{page.name}:{line}", figures, (page.parent / target.split("#")[0]).resolve(), row)


QUOTES = [quote for page in PAGES for quote in quotes_of(page)]


def test_pages_quote_figures() -> None:
    assert len(QUOTES) >= 60


@pytest.mark.parametrize("quote", QUOTES, ids=[f"{quote.place} {quote.figures}" for quote in QUOTES])
def test_a_quoted_figure_stands_in_the_row_that_it_names(quote: Quote) -> None:
    assert quote.is_held, f"{quote.place}: {quote.figures} is not in the row {quote.row!r} of {quote.target}"


def without(text: str, *patterns: re.Pattern[str]) -> str:
    """A text with blanks in place of what the patterns find; lines stay."""
    for pattern in patterns:
        text = pattern.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    return text


@pytest.mark.parametrize("page", METHODS, ids=[page.stem for page in METHODS])
def test_a_page_of_methods_has_no_decimal_figure_but_quoted_ones(page: Path) -> None:
    """Outside of code and equations."""
    text = without(page.read_text(encoding="utf-8"), _CODE, _LINK, _SECTION)
    lines = enumerate(text.splitlines(), 1)
    assert [(number, figure) for number, line in lines for figure in _MEASURED.findall(line)] == []


def test_a_figure_that_is_not_in_its_row_is_found(tmp_path: Path) -> None:
    (tmp_path / "measured.md").write_text("| a | few | 97.9 ± 0.2 |\n| a | many | 94.1 |\n", encoding="utf-8")
    page = tmp_path / "page.md"

    def held(link: str) -> list[bool]:
        page.write_text(f"It covers in {link} of them.\n", encoding="utf-8")
        return [quote.is_held for quote in quotes_of(page)]

    assert held('[97.9 %](measured.md "a / few")') == [True]
    assert held('[94.1 %](measured.md "a / few")') == [False]
    assert held('[97 %](measured.md "a / few")') == [False]
    assert held('[97.9 %](other.md "a / few")') == [False]
    assert held("[97.9 %](measured.md)") == [False]
    assert held("[measured](measured.md)") == []


@pytest.mark.parametrize("page", METHODS, ids=[page.stem for page in METHODS])
def test_modules_that_a_page_of_methods_names_exist(page: Path) -> None:
    """A file that is named without a folder is in one of those named before."""
    text = page.read_text(encoding="utf-8")
    folders: list[Path] = []
    for name in re.findall(r"`((?:src/karat/)?[\w/]+(?:\.py|/))`", text):
        if name.startswith("src/"):
            path = ROOT / name
            folders.append(path.parent if name.endswith(".py") else path)
            assert path.exists(), name
        elif name.endswith(".py") and not name.startswith("tests/"):
            assert any((folder / name).exists() for folder in folders), name


def test_pages_of_methods_name_modules() -> None:
    assert [page.stem for page in METHODS if "`src/karat/" not in page.read_text(encoding="utf-8")] == []
