"""Makes the README's picture, docs/report.png: the top of the demo's report as a browser shows it.

    python tools/readme_picture.py

needs Playwright for Python and Chromium.
"""

from __future__ import annotations

import contextlib
import io
import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from karat.cli import main

PICTURE = Path(__file__).resolve().parent.parent / "docs" / "report.png"
_WIDTH, _HEIGHT = 1180, 900


def made_picture(path: Path) -> None:
    """Run the demo and take the picture of its page."""
    with tempfile.TemporaryDirectory() as folder:
        demo = Path("karat-demo")
        with contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()):
            assert main(["demo", "-o", str(demo)]) == 0
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            page = browser.new_page(viewport={"width": _WIDTH, "height": _HEIGHT}, color_scheme="light")
            page.goto((Path(folder) / demo / "report.html").as_uri())
            page.screenshot(path=path)
            browser.close()


if __name__ == "__main__":
    made_picture(PICTURE)
