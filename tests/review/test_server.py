"""What the server answers: a judge decides, goes on, takes back; nothing is counted twice, nothing is lost."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from karat.corpus.worklist import Worklist, WorklistRow, write_worklist
from karat.errors import UsageError
from karat.review.answers import plain_view
from karat.review.item_view import ItemViews
from karat.review.reading import read_any_worklist
from karat.review.server import bound_socket
from karat.review.session import Review
from served_reviews import Client, Served, served, token_list

LISTED = set("id place kind sent_id text shown pattern verdict label note unsure revision".split())


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Served]:
    with served(token_list(tmp_path / "check.tsv")) as found:
        yield found


@pytest.fixture
def judge(running: Served) -> Client:
    return running.client()


def verdicts(client: Client) -> dict[str, str]:
    return {one["id"]: one["verdict"] for one in client.get("/api/items")["items"] if one["verdict"]}


# ---- reading ---------------------------------------------------------------------------------------------------------


def test_the_overview_says_how_far_the_judge_is(judge: Client) -> None:
    first = judge.get("/api/review")
    assert (first["total"], first["done"], first["unsure"], first["left"]) == (6, 0, 0, 6)
    assert first["criterion"] == ["Which tag is right?"]  # and no signature
    assert (first["pace"], first["seconds_left"], first["kinds"]) == (None, None, {"token": 6})
    for item, seconds in (("w1", 2.0), ("w2", 9.0), ("w3", 4.0)):
        judge.decide(item, "a", seconds=seconds)
    judge.decide("w4", "", unsure=True)
    judge.send("POST", "/api/time", seconds=5)
    now = judge.get("/api/review")
    assert (now["done"], now["unsure"], now["left"]) == (3, 1, 2)
    assert (now["seconds"], now["pace"], now["seconds_left"]) == (20.0, 4.0, 8.0)


def test_filters_and_search_leave_what_they_say(judge: Client) -> None:
    judge.decide("w1", "a")
    judge.decide("w2", "", unsure=True)
    judge.decide("w3", "none", label="PROPN", note="Seen in Ödön")

    def found(query: str) -> list[str]:
        return [one["id"] for one in judge.get(f"/api/items?{query}")["items"]]

    assert found("filter=all") == found("") == ["w1", "w2", "w3", "w4", "w5", "w6"]
    assert found("filter=undecided") == ["w4", "w5", "w6"]
    assert found("filter=unsure") == ["w2"]
    assert found("filter=mine") == ["w1", "w2", "w3"]
    assert found(f"filter={quote('pattern:ADJ / ADV')}") == ["w3", "w6"]
    assert found("search=WORD5") == ["w5"]
    assert found(f"search={quote('ödön')}") == found("search=propn") == ["w3"]
    assert found("filter=undecided&search=word3") == []
    assert found("from=4&n=1") == ["w5"]
    assert judge.get("/api/items?from=4&n=1&filter=undecided") == {"total": 3, "items": []}


@pytest.mark.parametrize("query", ["filter=x", "from=-1", "n=x", "from=1e3", "n=9999999999999", "from=²"])
def test_a_wrong_query_is_refused(judge: Client, query: str) -> None:
    assert judge.ask("GET", f"/api/items?{quote(query, safe='=')}").status == 422


def test_an_item_has_its_question_and_its_neighbours(judge: Client) -> None:
    item = judge.get("/api/items/w2")
    assert item.keys() > LISTED
    assert [(one["key"], one["verdict"], one["words"]) for one in item["choices"]] == [
        ("1", "a", "VERB"), ("2", "b", "NOUN"), ("0", "none", "none of these"),
        ("y", "typo", "typo"), ("g", "unclear", "unclear"),
    ]  # fmt: skip
    assert (item["previous"], item["next"]) == ("w1", "w3")
    assert judge.get("/api/items/w1")["previous"] is judge.get("/api/items/w6")["next"] is None
    assert judge.ask("GET", "/api/items/w7").status == 404


# ---- changes ---------------------------------------------------------------------------------------------------------


def test_a_verdict_is_in_the_store_once_it_is_acknowledged(running: Served, judge: Client) -> None:
    found = judge.decide("w1", "b", note="  tabs\tand\nlines ")
    assert found.status == 200
    kept = running.review.store.judgement("", "w1")
    assert found.json["saved"] is True
    assert (kept.verdict, kept.note, kept.revision) == ("b", "tabs and lines", 1)
    assert {name: found.json[name] for name in ("item", "verdict", "note", "revision")} == {
        "item": "w1", "verdict": "b", "note": "tabs and lines", "revision": 1,
    }  # fmt: skip


def test_a_request_sent_again_counts_once(judge: Client) -> None:
    for pattern in (False, True):
        sent: dict[str, Any] = {"request": f"once {pattern}", "seconds": 3.0, "pattern": pattern}
        item = "w4" if pattern else "w3"
        first, again = judge.decide(item, "a", **sent), judge.decide(item, "a", **sent)
        assert (first.status, first.json) == (again.status, again.json)
    assert judge.get("/api/review")["seconds"] == 6.0
    assert judge.decide("w5", "a", request="once False").status == 422


def test_a_window_that_shows_what_is_no_longer_so_is_told(judge: Client) -> None:
    judge.decide("w1", "a")
    found = judge.decide("w1", "b", revision=0)
    assert (found.status, found.json["now"]["verdict"], found.json["now"]["revision"]) == (409, "a", 1)
    assert judge.decide("w1", "b", revision=1).status == 200
    assert verdicts(judge) == {"w1": "b"}


def test_a_decision_for_a_pattern_finds_the_same_tag_under_another_letter(judge: Client) -> None:
    """w1 and w4 are `a) NOUN  b) VERB`, w2 and w5 the other way round; w5 is decided already."""
    judge.decide("w5", "a")
    found = judge.decide("w1", "a", pattern=True, step="all")
    assert sorted(one["id"] for one in found.json["items"]) == ["w1", "w2", "w4"]
    assert verdicts(judge) == {"w1": "a", "w2": "b", "w4": "a", "w5": "a"}
    assert judge.send("POST", "/api/undo").status == 200
    assert verdicts(judge) == {"w5": "a"}


def test_a_pattern_that_is_stale_changes_nothing(judge: Client) -> None:
    judge.decide("w1", "a")
    judge.send("POST", "/api/undo")
    assert judge.decide("w1", "a", revision=0, pattern=True).status == 409
    assert verdicts(judge) == {}


def test_steps_are_undone_one_by_one_and_once(judge: Client) -> None:
    for item in ("w1", "w2", "w3"):
        judge.decide(item, "a")
    first = judge.send("POST", "/api/undo", request="back")
    again = judge.send("POST", "/api/undo", request="back")
    assert [one["id"] for one in first.json["items"]] == [one["id"] for one in again.json["items"]] == ["w3"]
    assert judge.send("POST", "/api/undo").json["items"][0]["id"] == "w2"
    assert judge.send("POST", "/api/undo").json["items"][0]["id"] == "w1"
    assert judge.send("POST", "/api/undo").json == {"items": []}


@pytest.mark.parametrize(
    "fields",
    [{"verdict": "c"}, {"verdict": "A "}, {"verdict": 1}, {"verdict": None}, {"label": ["x"]}, {"note": "x" * 10_001},
     {"unsure": 1}, {"revision": "0"}, {"revision": -1}, {"revision": True}, {"revision": None}, {"revision": 0.0},
     {"request": ""}, {"request": None}, {"request": "x" * 201}, {"request": "\ud800"}, {"step": ""}, {"step": 4},
     {"seconds": -1}, {"seconds": "1"}, {"seconds": float("nan")}, {"seconds": float("inf")}, {"pattern": "yes"},
     {"verdict": "", "pattern": True}],
)  # fmt: skip
def test_a_decision_that_is_not_as_it_should_be_is_refused(judge: Client, fields: dict[str, Any]) -> None:
    found = judge.send("PUT", "/api/items/w1/verdict", **{"verdict": "a", "revision": 0, **fields})
    assert (found.status, found.json.keys()) == (422, {"error"})
    assert verdicts(judge) == {}


def test_surrogates_and_markup_in_notes_are_kept_as_text(running: Served, judge: Client) -> None:
    assert judge.decide("w1", "a", note="<script>alert(1)</script> \ud800 =1+1 \u202e").status == 200
    assert judge.get("/api/items/w1")["note"] == "<script>alert(1)</script> ? =1+1 \u202e"


def test_hostile_ids_and_texts_are_data(tmp_path: Path) -> None:
    ids = ["../x", "a/verdict", "<script>", "=1+1", "a b", "ü%2f", "?x=1#y"]
    bad = "<script>alert(1)</script>\u202e"
    rows = [WorklistRow(one, "bracket", "c", bad, 1, 1, bad, f"(NP {bad}") for one in ids]
    write_worklist(tmp_path / "check.tsv", Worklist(tuple(rows)))
    with served(tmp_path / "check.tsv") as running:
        judge = running.client()
        for one in ids:
            found = judge.ask("GET", f"/api/items/{quote(one, safe='')}")
            assert (found.json["id"], found.headers["content-type"]) == (one, "application/json")
            assert judge.decide(quote(one, safe=""), "accept").json["item"] == one
        assert judge.get("/api/review")["done"] == len(ids)


def test_many_windows_at_once_lose_nothing(running: Served, judge: Client) -> None:
    """Eight windows change one item: each change is accepted once, by the revision that it saw."""

    def work(name: int) -> None:
        accepted = 0
        while accepted < 5:
            revision = judge.get("/api/items/w1")["revision"]
            accepted += judge.decide("w1", "ab"[name % 2], revision).status == 200

    threads = [threading.Thread(target=work, args=(name,)) for name in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert judge.get("/api/items/w1")["revision"] == len(list(running.review.store.history())) == 40


# ---- the files -------------------------------------------------------------------------------------------------------


def wait_until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + 15
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_the_list_is_current_after_a_pause_and_at_the_end(tmp_path: Path) -> None:
    path = token_list(tmp_path / "check.tsv")
    before = path.read_bytes()
    with served(path) as running:
        running.client().decide("w2", "b")
        assert path.read_bytes() == before  # a pause is longer than this
        wait_until(lambda: path.read_bytes() != before)
        running.client().decide("w3", "a")
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [line.split("\t")[9] for line in lines if line.startswith("w")] == ["", "b", "a", "", "", ""]


def test_a_file_that_cannot_be_written_is_said_and_written_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = token_list(tmp_path / "check.tsv")
    with served(path) as running:
        judge = running.client()
        with monkeypatch.context() as patched:

            def fail(self: Review, judge: str) -> None:
                raise UsageError("check.tsv cannot be written: No space left on device")

            patched.setattr(Review, "bring_up_to_date", fail)
            assert judge.decide("w1", "a").status == 200
            wait_until(lambda: judge.get("/api/review")["trouble"] is not None)
        assert "No space left" in judge.get("/api/review")["trouble"]
        judge.decide("w2", "a")
        wait_until(lambda: judge.get("/api/review")["trouble"] is None)
        assert path.read_text(encoding="utf-8").count("\ta\t") == 2


def test_a_store_that_cannot_be_written_is_said_and_nothing_acknowledged(
    running: Served, judge: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise UsageError("the store cannot be written: database or disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(type(running.review.store), "decide_all", fail)
        found = judge.decide("w1", "a", request="later")
        assert (found.status, "disk is full" in found.json["error"]) == (503, True)
    assert verdicts(judge) == {}
    assert judge.decide("w1", "a", request="later").status == 200


# ---- several judges --------------------------------------------------------------------------------------------------


def test_judges_have_addresses_and_files_of_their_own_and_are_blind(tmp_path: Path) -> None:
    path = token_list(tmp_path / "check.tsv")
    before = path.read_bytes()
    with served(path, ["ada", "bix"]) as running:
        ada, bix, coordinator = (running.client(place) for place in range(3))
        ada.decide("w1", "a", note="ada was here", seconds=7)
        bix.decide("w1", "b")
        bix.decide("w2", "a")
        assert (verdicts(ada), verdicts(bix)) == ({"w1": "a"}, {"w1": "b", "w2": "a"})
        assert ada.get("/api/review")["judges_blind"] is True
        for path_ in ("/api/review", "/api/items", "/api/items/w1"):
            assert b"ada" not in bix.ask("GET", path_).body.replace(bytes(tmp_path), b"")
        assert ada.ask("GET", "/api/coordinator").status == 403
        progress = coordinator.get("/api/coordinator")["judges"]
        assert [(one["judge"], one["done"], one["seconds"]) for one in progress] == [("ada", 1, 7.0), ("bix", 2, 0.0)]
        assert coordinator.ask("GET", "/api/items").status == coordinator.decide("w1", "a").status == 403
        assert bix.send("POST", "/api/undo").json["items"][0]["id"] == "w2"
        assert verdicts(ada) == {"w1": "a"}
    assert path.read_bytes() == before
    assert "ada was here" in (tmp_path / "check.ada.tsv").read_text(encoding="utf-8")
    assert "ada" not in (tmp_path / "check.bix.tsv").read_text(encoding="utf-8")


# ---- the socket ------------------------------------------------------------------------------------------------------


def test_a_port_in_use_is_an_error_in_words(running: Served) -> None:
    with pytest.raises(UsageError, match=f"port {running.port} cannot be used"):
        bound_socket(running.port)


def test_another_view_is_what_an_item_shows(tmp_path: Path) -> None:
    def view(review: Review, judge: str, item: str) -> dict[str, Any]:
        return {**plain_view(review, judge, item), "evidence": f"of {item}"}

    with served(token_list(tmp_path / "check.tsv"), view=view) as running:
        assert running.client().get("/api/items/w3")["evidence"] == "of w3"


def test_labels_that_do_not_go_with_their_verdict_are_refused(tmp_path: Path) -> None:
    row = WorklistRow(
        "s1", "suspect", "c", "s", 2, 2, "a [lihgt] burns", "NOUN", 1.0, "", "", "", "", "lihgt", "NOUN", "ADJ"
    )
    path = tmp_path / "check.tsv"
    write_worklist(path, Worklist((row,)))
    with served(path, view=ItemViews.of(read_any_worklist(path)).answer) as running:
        judge = running.client()
        for verdict, label, words in (
            ("error", "", "error needs the right label"),
            ("right", "ADJ", "right goes without a label"),
            ("unclear", "ADJ", "unclear goes without a label"),
            ("typo", "lihgt", "is how the word is written"),
        ):
            refused = judge.decide("s1", verdict, label=label)
            assert (refused.status, words in refused.json["error"]) == (422, True)
        assert judge.decide("s1", "typo", label="light").status == 200
