"""The navigation: the lists of links that the overview pages have anyway, so that a forge and the site agree.

A page belongs under the first of OVERVIEWS that links to it from a list or a table: under the heading of that list, for
the landing page. What stands in a comment `<!-- on the site: … -->` is shown on the site alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path, PurePosixPath
from posixpath import normpath

from karat_site.generated import SUFFIX
from karat_site.markdown import toctree

LANDING = "index"
OVERVIEWS = ("methods/index", "coming-from/index", "topics", LANDING)

_DOCS = Path(__file__).resolve().parents[2] / "docs"
_SITE_ONLY = re.compile(r"<!-- on the site:\n(.*?)-->\n", re.DOTALL)
_LINK = re.compile(r"\[([^\]]+)\]\(([^)#\s]+)\)")
_SUFFIXES = {".md", SUFFIX}


def entries(text: str, docname: str) -> Iterator[tuple[str, str, str]]:
    """Heading, title and page of each link in a list or a table of an overview; a table's links name no title."""
    heading = ""
    for line in text.splitlines():
        if line.startswith("## "):
            heading = line.removeprefix("## ")
        elif line.startswith(("- ", "| ", "  - ")):
            match = _LINK.search(line)
            if match and PurePosixPath(match[2]).suffix in _SUFFIXES:
                target = PurePosixPath(docname).parent / match[2]
                yield heading, "" if line.startswith("|") else match[1], normpath(str(target.with_suffix("")))


def with_navigation(text: str, docname: str) -> str:
    """The text of a page; an overview with its part of the navigation."""
    text = _SITE_ONLY.sub(r"\1", text)
    if docname not in OVERVIEWS:
        return text
    by_heading: dict[str, list[str]] = {}
    for heading, title, page in entries(text, docname):
        if page not in _placed_before(docname):
            caption = heading if docname == LANDING else ""
            entry = f"{title} </{page}>" if title else f"/{page}"
            group = by_heading.setdefault(caption, [])
            if entry not in group:
                group.append(entry)
    return "\n\n".join([text, *(toctree(found, caption) for caption, found in by_heading.items())])


@cache
def _placed_before(docname: str) -> frozenset[str]:
    """The pages under the overviews that come before this one, and the overview itself."""
    found = {docname}
    for other in OVERVIEWS[: OVERVIEWS.index(docname)]:
        text = (_DOCS / f"{other}.md").read_text(encoding="utf-8")
        found |= {page for _, _, page in entries(text, other)}
    return frozenset(found)
