"""Checks of pages by tools that know HTML and accessibility better than we do: html5lib, the Nu validator, axe."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import html5lib
import pytest

from browser import opened
from realdata import node_file

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["AXE", "check_accessible", "check_parses", "check_valid"]

_LESS = """() => { // all of it shown, and some of what is alike: axe looks at every element for long
    for (const details of document.querySelectorAll("details")) details.open = true;
    for (const box of document.querySelectorAll("tbody, .drawing, .drawing g")) {
        for (const one of [...box.children].slice(5)) one.remove();
    }
    for (const article of [...document.querySelectorAll("article")].slice(3)) article.remove();
}"""
AXE = """(options) => axe.run(document, {resultTypes: ["violations"], ...options}).then((found) =>
    found.violations.map((one) => `${one.impact} ${one.id}: in ${one.nodes[0].html.slice(0, 80)}`))"""


def _java() -> str:
    """The path of java; skips the test where there is none, as where there is no validator for it to run."""
    return shutil.which("java") or pytest.skip("no java to run the validator")


def check_parses(page: str) -> None:
    """The page is HTML to a parser that forgives nothing."""
    html5lib.HTMLParser(strict=True).parse(page)


def check_valid(*paths: Path) -> None:
    """The Nu validator (vnu) has nothing to say of the pages."""
    jar = node_file("vnu-jar/build/dist/vnu.jar")
    call = [
        _java(),
        "-jar",
        jar,
        "--errors-only",
        "--stdout",
        "--format",
        "gnu",
        *paths,
    ]
    found = subprocess.run([str(one) for one in call], capture_output=True, text=True, check=False)
    assert found.stdout + found.stderr == ""
    assert found.returncode == 0


def check_accessible(browser: Browser, path: Path) -> None:
    """axe finds no fault in the page; nor in its colours when it is dark."""
    script = node_file("axe-core/axe.min.js").read_text(encoding="utf-8")
    for dark, options in ((False, {}), (True, {"runOnly": ["color-contrast", "link-in-text-block"]})):
        with opened(browser, path, dark=dark) as one:
            one.js(_LESS)
            one.js(script)
            assert one.js(AXE, options) == []
