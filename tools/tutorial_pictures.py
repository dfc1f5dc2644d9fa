"""Makes the tutorial's pictures: docs/tutorial-review.png, the review page in a browser, and its drawing.

    python tools/tutorial_pictures.py

runs the commands of docs/tutorial.md that they need; it wants Playwright for Python and Chromium.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

DOCS = Path(__file__).resolve().parent.parent / "docs"
DRAWING = "permutations-UPOS-perceptron-hmm.svg"
_WIDTH, _HEIGHT = 1100, 720
_FILES = ["gold.conllu", "hmm=hmm.conllu", "perceptron=perceptron.conllu"]
_JUDGED = 12  # rows that are judged before the picture is taken


def _karat(folder: str, *arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "karat", *arguments], cwd=folder, check=True, capture_output=True)


def made_pictures() -> None:
    """Do what the tutorial says up to the review, judge some rows, and keep what is to be seen."""
    with tempfile.TemporaryDirectory() as folder:
        _karat(folder, "demo")
        for name in ("gold", "hmm", "perceptron"):
            shutil.copy(Path(folder, "karat-demo", f"{name}.conllu"), folder)
        _karat(folder, "compare", *_FILES, "--measure", "UPOS", "--figures", "figures")
        shutil.copy(Path(folder, "figures", DRAWING), DOCS / f"tutorial-{DRAWING}")
        judges = ["--judge", "ina", "--judge", "jan"]
        _karat(folder, "noise", "plan", *_FILES, "-o", "check.tsv", "--budget", "300", *judges, "--overlap", "100")
        command = [sys.executable, "-m", "karat", "review", "check.ina.tsv", "check.jan.tsv", "--no-browser"]
        with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            _take(server.stdout.readline().strip(), DOCS / "tutorial-review.png")
            server.terminate()


def _take(address: str, path: Path) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": _WIDTH, "height": _HEIGHT}, color_scheme="light")
        page.goto(address)
        for _ in range(_JUDGED):
            page.keyboard.press("1")
            page.wait_for_timeout(300)
        page.wait_for_timeout(1500)
        page.screenshot(path=path)
        browser.close()


if __name__ == "__main__":
    made_pictures()
