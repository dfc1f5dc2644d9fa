"""A review of 100,000 rows: opened, judged, its file kept current. Nobody else does this; the goals are the issue's."""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from _measuring import measured, memory_table, time_line, warm
from _review_lists import large_list, review_lists, with_files
from _review_page import chromium, page_of, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

N_ROWS = 100_000
MOST_SECONDS, MOST_BYTES = 3.0, 500_000_000
N_DECIDED = 100
N_KEYS = 200
MOST_MILLISECONDS = 50
PACES = (("at once", 0.0), ("5 keys per second", 0.2), ("2 keys per second", 0.5))
SHOWN = ("EWT, tokens", "EWT, repeats", "EWT, suspects", "GUM, repeats", "GUM, suspects", "GUM, brackets")
SLOW = 0.5  # seconds per key: one list will do
N_OPENED = 3

# From the moment of the key until the new item is painted: the first task after the frame that has it.
_WATCH = """() => {
  window.shown = [];
  let pressed = 0;
  document.addEventListener("keydown", (event) => { pressed = event.timeStamp; }, true);
  const isPainted = (since) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => window.shown.push(performance.now() - since);
    port2.postMessage(0);
  };
  new MutationObserver(() => { const since = pressed; requestAnimationFrame(() => isPainted(since)); })
    .observe(document.body, { attributes: true, attributeFilter: ["data-item"] });
}"""


def review_opened(path: str) -> object:
    """A list that was never reviewed, opened."""
    from karat.review.session import STORE_SUFFIX, Review

    if os.path.exists(path + STORE_SUFFIX):
        os.unlink(path + STORE_SUFFIX)
    with Review.opened(path) as review:
        return len(review.worklist.rows)


def review_opened_again(path: str) -> object:
    """A list whose review goes on."""
    from karat.review.session import Review

    with Review.opened(path) as review:
        return len(review.store.judgements(""))


def review_judged(path: str) -> object:
    """Opened, 100 verdicts, the file brought up to date after each."""
    from karat.review.session import Review

    with Review.opened(path) as review:
        for number in range(N_DECIDED):
            review.store.decide("", f"b{number}", ("accept", "reject")[number % 2], request=os.urandom(8).hex())
            review.bring_up_to_date("")
        return len(review.store.judgements(""))


TASKS = (review_opened, review_opened_again, review_judged)


def tables(folder: Path) -> list[str]:
    from karat.corpus.worklist import Worklist, WorklistRow, write_worklist

    text = "the old boat comes slowly into the harbour at dawn " * 3
    rows = [
        WorklistRow(f"b{k}", "bracket", "harbour", f"s{k}", 1, 4, text, f"(NP the old boat {k})") for k in range(N_ROWS)
    ]
    path = folder / "check.tsv"
    write_worklist(path, Worklist(tuple(rows), ("Accept a bracket if these words are a phrase.",)))
    tasks = [warm(name, task, 3, str(path)) for name, task in zip(("first", "again", "judged"), TASKS, strict=True)]
    first, again, judged = measured(tasks, 2)
    return [
        *time_line(f"`karat review`: a list of {N_ROWS:,} rows opened for the first time", first, MOST_SECONDS),
        *time_line("… opened again", again, MOST_SECONDS),
        *memory_table(f"… opened, {N_DECIDED} verdicts, the file written after each", judged, MOST_BYTES),
        *_browser_tables(folder),
    ]


# ---- in the browser --------------------------------------------------------------------------------------------------


def _browser_tables(folder: Path) -> list[str]:
    lists = review_lists(folder)
    large = large_list(folder, N_ROWS)
    with chromium() as browser:
        opening = _opening(browser, large)
        rows = [
            _row(name, pace, _key_times(browser, lists[name], seconds))
            for name in SHOWN
            for pace, seconds in PACES
            if name == "EWT, suspects" or seconds < SLOW
        ]
        rows += [
            _row(f"EWT, {N_ROWS:,} suspects", pace, _key_times(browser, large, seconds)) for pace, seconds in PACES
        ]
    return [
        *opening,
        f"## `karat review` in Chromium: from a key to the next item on the screen, {N_KEYS} items",
        "",
        "| list | pace | median ms | 95 % ms | longest ms | goal |",
        "|---|---|---:|---:|---:|---|",
        *rows,
        "",
        f"Wall time, with Chromium on the same cores. Goal: 95 % within {MOST_MILLISECONDS} ms.",
        "",
    ]


def _opening(browser: Browser, path: Path) -> list[str]:
    """How long a large list takes from the start of the process to the address, and what the server's memory is."""
    seconds, cpu_seconds, peak = [], [], 0
    for _ in range(N_OPENED):
        with serving(path) as server, page_of(browser, server.url) as page:
            seconds.append(server.seconds)
            cpu_seconds.append(server.cpu_seconds)
            for _ in range(N_DECIDED // 10):
                _press(page)
            page.wait_for_timeout(3000)  # the list's file is written
            peak = max(peak, server.peak_memory())
    best, is_small = min(seconds), peak < MOST_BYTES
    return [
        f"## `karat review`: {N_ROWS:,} words of EWT, from the start of the process to the address",
        "",
        f"{best:.2f} s wall ({min(cpu_seconds):.2f} s CPU), the best of {N_OPENED}; "
        f"goal < {MOST_SECONDS:g} s, {_met(best < MOST_SECONDS)}. "
        f"Peak memory of the server after some verdicts, the file written: {peak / 1e6:.0f} MB; "
        f"goal < {MOST_BYTES / 1e6:.0f}, {_met(is_small)}.",
        "",
    ]


def _key_times(browser: Browser, path: Path, pace: float) -> list[float]:
    """Milliseconds from each key to its next item, at a pace in seconds per key."""
    print(f"{path.name}, {pace} s per key", file=sys.stderr)
    with serving(path, with_files(path)) as server, page_of(browser, server.url) as page:
        page.evaluate(_WATCH)
        page.wait_for_timeout(500)
        for number in range(N_KEYS):
            begun = time.perf_counter()
            _press(page)
            page.wait_for_function("(n) => window.shown.length === n", arg=number + 1, polling=5)
            page.wait_for_timeout(1000 * max(pace - (time.perf_counter() - begun), 0))
        found: list[float] = page.evaluate("window.shown")
    return found


def _press(page: Page) -> None:
    """Press the key of the first choice that needs no label."""
    page.keyboard.press(page.evaluate("item.choices.find((one) => !one.needs_label).key"))


def _row(name: str, pace: str, times: Sequence[float]) -> str:
    late = statistics.quantiles(times, n=20)[-1]
    cells = (name, pace, *(f"{one:.0f}" for one in (statistics.median(times), late, max(times))))
    return f"| {' | '.join(cells)} | {_met(late <= MOST_MILLISECONDS)} |"


def _met(is_met: bool) -> str:
    return "met" if is_met else "NOT met"
