"""Files outside of docs/ that are pages of the site, and the links to them and from them."""

from __future__ import annotations

import os
import re
from pathlib import Path

from karat_site.generated import SUFFIX, Pages

_ROOT = Path(__file__).resolve().parents[2]
PAGES = {  # by their place in docs/
    "changelog": _ROOT / "CHANGELOG.md",
    "contributing": _ROOT / "CONTRIBUTING.md",
    "benchmarks": _ROOT / "benchmarks" / "RESULTS.md",
}
_NOT_SEARCHED = ("changelog", "benchmarks")  # they have every word, and answer no question
_LINK = re.compile(r"(?<=\]\()([\w./-]+\.(?:md|yml))(?=[)#\s])")


def pages(docs: Path) -> Pages:
    """The files, their links as from where the pages stand."""
    return {
        place: "---\nnosearch: true\n---\n\n" * (place in _NOT_SEARCHED)
        + relinked(path.read_text(encoding="utf-8"), path, docs, at=docs / f"{place}{SUFFIX}")
        for place, path in PAGES.items()
    }


def relinked(text: str, path: Path, docs: Path, *, at: Path | None = None) -> str:
    """A page's text with links to where files outside of docs/ are on the site; `at` is where it is there itself."""
    shown_at = (at or path).parent
    homes = {file: docs / f"{place}{SUFFIX}" for place, file in PAGES.items()} | {
        _ROOT / "README.md": docs / "index.md"
    }

    def linked(match: re.Match[str]) -> str:
        target = (path.parent / match[1]).resolve()
        return os.path.relpath(homes.get(target, target), shown_at)

    return _LINK.sub(linked, text)
