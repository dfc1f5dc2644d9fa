"""A browser for tests of pages: Chromium without network, that keeps whatever a page does that it should not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from realdata import program

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["Opened", "chromium", "opened"]

_WATCH = """
window.happened = [];
for (const name of ["alert", "confirm", "prompt", "open", "fetch"]) window[name] = () => window.happened.push(name);
document.addEventListener("securitypolicyviolation", (event) => window.happened.push(event.violatedDirective));
"""


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser; ends the test where there is none."""
    path = program("chromium", "chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(path), args=["--no-sandbox"])
        yield browser
        browser.close()


@dataclass
class Opened:
    """A page in the browser, and what went wrong in it: requests, errors, dialogs."""

    page: Page
    path: Path
    complaints: list[str] = field(default_factory=list)

    def js(self, expression: str, argument: Any = None) -> Any:
        return self.page.evaluate(expression, argument)

    def go(self, fragment: str) -> None:
        """Type an address."""
        self.following(lambda: self.js("(hash) => { location.hash = hash; }", fragment))

    def back(self) -> None:
        self.following(lambda: self.js("history.back()"))

    def forward(self) -> None:
        self.following(lambda: self.js("history.forward()"))

    def following(self, act: Callable[[], object]) -> None:
        """Do what changes the address, and wait until the page has followed."""
        self.js("""() => { window.followed = new Promise((done) =>
            window.addEventListener("hashchange", () => setTimeout(done), { once: true })); }""")
        act()
        self.js("window.followed")

    def check(self) -> None:
        """Nothing was asked for, nothing failed, nothing ran that is not the page's own."""
        assert self.complaints == []
        assert self.js("window.happened") == []

    @property
    def overflow(self) -> int:
        """By how many pixels the document is wider than the window."""
        found = self.js("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        return int(found)


@contextmanager
def opened(
    browser: Browser,
    path: Path,
    fragment: str = "",
    *,
    width: int = 1280,
    dark: bool = False,
    folder: Path | None = None,
) -> Iterator[Opened]:
    """A page in a fresh window, which may ask for files in a folder if one is given."""
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme="dark" if dark else "light")
    page = context.new_page()
    found = Opened(page, path)
    address = path.resolve().as_uri()
    page.set_default_timeout(10_000)
    page.add_init_script(_WATCH)
    allowed = f"{folder.resolve().as_uri()}/" if folder else ""

    def is_asked_for(url: str) -> bool:
        return url.partition("#")[0] == address or bool(allowed and url.startswith(allowed))

    page.on("request", lambda one: None if is_asked_for(one.url) else found.complaints.append(one.url))
    page.on("console", lambda one: found.complaints.append(one.text))
    page.on("pageerror", lambda one: found.complaints.append(str(one)))
    page.on("dialog", lambda one: found.complaints.append(one.message))
    page.goto(address + fragment)
    try:
        yield found
        found.check()
    finally:
        context.close()
