"""`karat review` in a process of its own, and its page in Chromium, as a judge has them."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from _measuring import KARAT

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@dataclass
class Serving:
    """A server that runs: where, and what it took from the start of its process until its address was printed."""

    process: subprocess.Popen[str]
    url: str
    seconds: float
    cpu_seconds: float

    def peak_memory(self) -> int:
        """The largest resident set of the server so far, in bytes."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
        raise SystemExit("the system does not say how much memory a process has")


def _cpu_seconds(process: int) -> float:
    """The CPU time that a process has had so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def serving(path: Path, options: Sequence[str | Path] = ()) -> Iterator[Serving]:
    """The review of a copy of a list until the end of the block; it is then asked to stop, and must.

    The copy stands beside the list, where the files that it names are found too.
    """
    copy = path.with_name(f"served-{os.getpid()}-{path.name}")
    shutil.copyfile(path, copy)
    command = [*KARAT, "review", str(copy), "--no-browser", *map(str, options)]
    begun = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        if not url:
            raise SystemExit(f"{' '.join(command)}: exit {process.wait()}")
        yield Serving(process, url, time.perf_counter() - begun, _cpu_seconds(process.pid))
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)
        for one in copy.parent.glob(f"{copy.name}*"):  # with its store
            one.unlink()


@contextmanager
def chromium() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    path = shutil.which("chromium") or os.environ.get("CHROMIUM")
    if path is None:
        raise SystemExit("no chromium: install it, or set CHROMIUM to its path")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )  # no sandbox, for containers
        yield browser
        browser.close()


@contextmanager
def page_of(browser: Browser, url: str, *, width: int = 1280, height: int = 800, dark: bool = False) -> Iterator[Page]:
    """The page in a window of its own, its first item shown."""
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light")
    page = context.new_page()
    page.goto(url)
    page.wait_for_selector("body[data-item]")
    try:
        yield page
    finally:
        context.close()
