"""The pages of a built site, read as a browser reads them: what they link to, what they load, what they say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

__all__ = ["Site", "SitePage"]

_LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href", "object": "data"}
_IN_CSS = re.compile(r"""(?:url\(|@import)\s*["']?([^"')\s;]+)""")
_NETWORK = re.compile(r"(?:[a-z][a-z+.-]*:)?//|(?:https?|ftp|wss?):", re.IGNORECASE)


class SitePage(HTMLParser):
    """One page: its anchors, links, what it loads, and its text."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.sidebar: list[str] = []  # links of the navigation
        self._texts: list[str] = []
        self._hidden = 0
        self._in_sidebar = 0
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if "id" in given:
            self.anchors.add(given["id"])
        if tag == "div" and (self._in_sidebar or given.get("class") == "sidebar-tree"):
            self._in_sidebar += 1
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
            if self._in_sidebar:
                self.sidebar.append(given["href"])
        if tag in _LOADED and _LOADED[tag] in given:
            self.loaded.append(given[_LOADED[tag]])
        self.loaded += _IN_CSS.findall(given.get("style", ""))
        self._hidden += tag in ("script", "style")

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in ("script", "style")
        self._in_sidebar -= tag == "div" and self._in_sidebar > 0

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self._texts.append(data)

    @cached_property
    def text(self) -> str:
        """What a reader sees, with single blanks."""
        return " ".join("".join(self._texts).split())


@dataclass
class Site:
    """A built site in a folder."""

    folder: Path
    pages: dict[Path, SitePage] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for path in sorted(self.folder.rglob("*.html")):
            self.pages[path.resolve()] = SitePage(path.resolve())

    def page(self, place: str) -> SitePage:
        """A page by its place, without suffix."""
        return self.pages[(self.folder / f"{place}.html").resolve()]

    def broken_links(self) -> Iterator[str]:
        """Links to files of the site that are not there, or to anchors that they do not have."""
        for path, page in self.pages.items():
            for link in page.links:
                if (
                    not _NETWORK.match(link)
                    and not link.startswith("mailto:")
                    and not self._leads_somewhere(path, link)
                ):
                    yield f"{path.relative_to(self.folder.resolve())}: {link}"

    def _leads_somewhere(self, path: Path, link: str) -> bool:
        file, _, fragment = link.partition("#")
        target = (path.parent / unquote(file.partition("?")[0])).resolve() if file else path
        if not target.is_file():
            return False
        return not fragment or target not in self.pages or unquote(fragment) in self.pages[target].anchors

    def foreign_resources(self) -> Iterator[str]:
        """What pages and style sheets load from elsewhere, or what they load that is not there."""
        for path, page in self.pages.items():
            yield from self._foreign(path, page.loaded)
        for sheet in self.folder.rglob("*.css"):
            yield from self._foreign(sheet, _IN_CSS.findall(sheet.read_text(encoding="utf-8")))

    def _foreign(self, path: Path, resources: list[str]) -> Iterator[str]:
        for one in resources:
            if one.startswith(("data:", "#")):
                continue
            file = unquote(re.split("[?#]", one)[0])
            if _NETWORK.match(one) or not (path.parent / file).resolve().is_file():
                yield f"{path.name}: {one}"
