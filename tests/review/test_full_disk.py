"""A disk that is full while people judge: the page says so, keeps what was decided, and sends it when there is room."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser import chromium
from karat.review.reading import read_any_worklist
from served_reviews import Answered, Client, token_list
from test_review_page import at_page, judged

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture
def small_disk() -> Iterator[Path]:
    """A folder on a disk of 2 MB of its own; the test is skipped where nobody may mount one."""
    with tempfile.TemporaryDirectory() as folder:
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", folder], capture_output=True, check=False
        )
        if mounted.returncode:
            pytest.skip(f"no disk of its own: {mounted.stderr.decode().strip()}")
        try:
            yield Path(folder)
        finally:
            subprocess.run(["umount", "--lazy", folder], check=True)


def fill(disk: Path) -> Path:
    """Fill a disk to its last byte."""
    path = disk / "filler"
    with open(path, "ab", buffering=0) as file:
        for size in (65536, 4096, 1):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError:
                continue
    return path


def test_a_verdict_that_a_full_disk_cannot_take_is_not_acknowledged(small_disk: Path) -> None:
    path = token_list(small_disk / "check.tsv", 400)
    with judged(path) as review:
        judge = review.client()
        acknowledged = {f"w{number}" for number in range(1, 40) if judge.decide(f"w{number}", "a").status == 200}
        filler = fill(small_disk)
        refused = _until_refused(judge)
        assert refused.status == 503
        assert "the disk is full" in refused.json["error"]
        said = review.review.store.judgements("")
        assert acknowledged <= {item for item, one in said.items() if one.verdict == "a"}
        assert judge.get("/api/review")["done"] == len(said)
        filler.unlink()
        assert judge.decide("w400", "b", note="there is room again").status == 200
    rows = {row.id: row.verdict for row in read_any_worklist(path).rows}
    assert len(rows) == 400
    assert {item for item, verdict in rows.items() if verdict} == {*said, "w400"}


def _until_refused(judge: Client) -> Answered:
    for number in range(40, 399):
        found = judge.decide(f"w{number}", "a", note="x" * 5000)
        if found.status != 200:
            return found
    raise AssertionError("the disk is never full")


def test_the_page_says_that_the_disk_is_full_keeps_verdicts_and_sends_them_later(
    browser: Browser, small_disk: Path
) -> None:
    path = token_list(small_disk / "check.tsv", 300)
    with judged(path) as review, at_page(browser, review) as judge:
        judge.judge("1", "2", "1")
        judge.saved()
        filler = fill(small_disk)
        client = review.client()
        for number in range(300, 200, -1):  # what SQLite has reserved is used up first
            if client.decide(f"w{number}", "a", note="x" * 5000).status != 200:
                break
        first = judge.item
        judge.judge("2", "1")
        judge.page.wait_for_selector("#state[data-state=unsent]")
        assert judge.page.inner_text("#state") == "2 verdicts not saved yet"
        told = judge.page.inner_text("#message")
        assert told.startswith("Not saved: ")
        assert "the disk is full" in told
        assert "kept in this tab" in told
        assert not review.review.store.judgement("", first).verdict
        filler.unlink()
        said = judge.saved()
        assert (said[first].verdict, said[first].revision) == ("b", 1)
        judge.page.wait_for_selector("#message", state="hidden")
    rows = {row.id: row.verdict for row in read_any_worklist(path).rows}
    assert {item: verdict for item, verdict in rows.items() if verdict} == {
        item: one.verdict for item, one in said.items()
    }


def test_a_list_that_a_full_disk_cannot_take_is_written_once_there_is_room(browser: Browser, small_disk: Path) -> None:
    """Nobody judges any more: the file is tried again all the same, and the page takes back what it said."""
    path = token_list(small_disk / "check.tsv", 6000)
    with judged(path) as review, at_page(browser, review) as judge:
        filler = fill(small_disk)
        with open(filler, "r+b") as file:
            file.truncate(filler.stat().st_size - 200_000)  # room for a verdict, not for a copy of the list
        try:
            judge.judge("1")
            judge.saved()
            judge.page.wait_for_timeout(2500)
            judge.judge("2")
            judge.page.wait_for_selector("#message:not([hidden])")
            told = judge.page.inner_text("#message")
            assert told.startswith("Your verdicts are safe")
            assert "No space left" in told
            assert path.read_text(encoding="utf-8").count("\ta\t") == 0
        finally:
            filler.unlink()
        judge.page.wait_for_selector("#message", state="hidden", timeout=20_000)
        verdicts = [row.verdict for row in read_any_worklist(path).rows]
        assert verdicts[:3] == ["a", "b", ""]
