"""Long lists: what a key costs does not grow with the rows, and what is far away is found."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings, strategies as st

from browser import chromium
from karat.review.judgements import Decision
from karat.review.server import bound_socket
from karat.review.store import ReviewStore
from served_reviews import Client, served, token_list
from test_review_page import at_page, judged

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


def following(judge: Client, after: int, n: int = 1) -> list[str]:
    return [one["id"] for one in judge.get(f"/api/next?after={after}&n={n}")["items"]]


def test_the_next_undecided_rows_are_found_round_the_end(tmp_path: Path) -> None:
    with served(token_list(tmp_path / "check.tsv")) as running:
        judge = running.client()
        assert following(judge, 0, 9) == ["w2", "w3", "w4", "w5", "w6", "w1"]
        for item in ("w2", "w3", "w5"):
            judge.decide(item, "a")
        judge.decide("w6", "", unsure=True)
        assert (following(judge, 0), following(judge, 3), following(judge, 5), following(judge, 99)) == (
            ["w4"], ["w1"], ["w1"], ["w1"],
        )  # fmt: skip
        assert judge.ask("GET", "/api/next?after=x").status == 422


ITEMS = [f"w{number}" for number in range(4)]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(ITEMS), st.sampled_from(["a", "b", "", "?", "undo"])), max_size=12))
def test_verdicts_are_counted_as_they_are(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, str]]
) -> None:
    path = tmp_path_factory.mktemp("store") / "check.tsv.karat-review"
    counted = 0, 0
    with ReviewStore(path, ITEMS) as store:
        for number, (item, what) in enumerate(steps):
            if what == "undo":
                store.undo("", request=f"{number}")
            else:
                decision = Decision(item, what.strip("?"), unsure=what == "?")
                store.decide_all("", [decision, Decision("w0", "a")][: 1 + number % 2], request=f"{number}")
            said = store.judgements("").values()
            n_unsure = sum(one.unsure and not one.verdict for one in said)
            counted = sum(bool(one.verdict) for one in said), n_unsure
            assert store.n_decided("") == counted
    with ReviewStore(path, ITEMS) as again:
        assert again.n_decided("") == counted


def test_an_undecided_row_far_away_is_found_without_fetching_all_rows(browser: Browser, tmp_path: Path) -> None:
    """Only row 5 and the last but one of 3,000 are undecided: from one the page goes to the other, and back."""
    path = token_list(tmp_path / "check.tsv", 3000)
    with judged(path) as review:
        others = [Decision(f"w{number}", "a") for number in range(1, 3001) if number not in (5, 2999)]
        review.review.store.decide_all("", others, request="all but two")
        with at_page(browser, review) as judge:
            asked: list[str] = []
            judge.page.on("request", lambda one: asked.append(one.url))
            assert judge.item == "w5"
            judge.judge("s")
            assert judge.item == "w2999"
            judge.judge("1")
            assert judge.item == "w5"
            judge.press("1")
            judge.page.wait_for_function("() => document.getElementById('message').textContent.startsWith('All rows')")
            judge.saved()
            assert sum("/api/items?" in url for url in asked) < 8


def test_answers_are_not_held_back_until_the_browser_has_acknowledged_their_beginning() -> None:
    """asyncio turns Nagle's algorithm off only where a connection's socket names its protocol."""
    with bound_socket() as listening:
        listening.listen()
        with socket.create_connection(listening.getsockname()):
            accepted, _ = listening.accept()
            with accepted:
                assert accepted.proto == socket.IPPROTO_TCP
