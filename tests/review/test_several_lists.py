"""Several lists on one server: whose each is, who sees what, and what is asked of whom."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

import karat
from checked_taggers import CheckedTaggers, judge_rows, made_taggers
from karat.corpus.worklist import write_worklist
from karat.errors import DataError, KaratError, UsageError
from karat.measures.brackets.options import BracketOptions
from karat.review.access import Guest
from karat.review.latest import Background, Latest
from karat.review.opening import opened_reviews
from karat.review.reading import read_any_worklist
from karat.review.served import review_server
from karat.review.session import Review
from served_reviews import Client, Served, serving, token_list


@pytest.fixture(scope="module")
def taggers(tmp_path_factory: pytest.TempPathFactory) -> CheckedTaggers:
    return made_taggers(tmp_path_factory.mktemp("taggers"))


@contextmanager
def running(reviews: Sequence[Review], **how: Any) -> Iterator[Served]:
    """Reviews with all that their page shows, on a port of their own."""
    with ExitStack() as stack:
        for review in reviews:
            stack.enter_context(review)
        yield stack.enter_context(serving(reviews[0], review_server(reviews, **how)))


def eventually(client: Client, path: str, *names: str | int) -> Any:
    """What is made in the background, once it is current."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        found = client.get(path)
        for name in names:
            found = found[name]
        if found and found["is_current"]:
            return found
        time.sleep(0.1)
    raise AssertionError(f"{path} has no current {names}")


# ---- whose lists -----------------------------------------------------------------------------------------------------


def judges_of(paths: Sequence[Path], judges: Sequence[str] = ()) -> dict[str, list[str]]:
    """Who judges which file."""
    reviews = opened_reviews([str(path) for path in paths], judges)
    try:
        return {Path(review.path).name: list(review.judges) for review in reviews}
    finally:
        for review in reviews:
            review.close()


def test_lists_of_a_plan_are_judged_by_whom_their_heads_name(taggers: CheckedTaggers, tmp_path: Path) -> None:
    (tmp_path / "x.tsv").write_bytes(taggers.lists(20, ["ina", "jan"], 5)[0].read_bytes())
    (tmp_path / "check.jan.tsv").write_bytes(taggers.lists(20, ["ina", "jan"], 5)[1].read_bytes())
    both = [tmp_path / "x.tsv", tmp_path / "check.jan.tsv"]
    assert judges_of(both) == {"x.tsv": ["ina"], "check.jan.tsv": ["jan"]}
    assert judges_of(both[:1]) == {"x.tsv": ["ina"]}


def test_other_lists_are_judged_by_whom_their_files_are_named_after(tmp_path: Path) -> None:
    files = [token_list(tmp_path / name) for name in ("check.ada.tsv", "check.bix.tsv", "more.tsv")]
    assert judges_of(files[:2]) == {"check.ada.tsv": ["ada"], "check.bix.tsv": ["bix"]}
    assert judges_of(files[:1]) == {"check.ada.tsv": [""]}
    assert judges_of(files[1:]) == {"check.bix.tsv": [""], "more.tsv": [""]}  # one person at one desk
    assert judges_of(files[1:], ["eva"]) == {"check.bix.tsv": ["eva"], "more.tsv": ["eva"]}


def test_the_list_of_a_plan_for_one_judge_is_nobodys(taggers: CheckedTaggers, tmp_path: Path) -> None:
    (tmp_path / "check.tsv").write_bytes(taggers.lists(20, ["1"])[0].read_bytes())
    assert judges_of([tmp_path / "check.tsv"]) == {"check.tsv": [""]}


def test_a_list_that_is_not_there_stands_for_its_judges_files(tmp_path: Path) -> None:
    for name in ("check.ada.tsv", "check.bix.tsv"):
        token_list(tmp_path / name)
    planned = [tmp_path / "check.tsv"]
    assert judges_of(planned, ["ada", "bix"]) == {"check.ada.tsv": ["ada"], "check.bix.tsv": ["bix"]}
    assert judges_of(planned, ["bix"]) == {"check.bix.tsv": ["bix"]}
    with pytest.raises(DataError, match=r"check\.eva\.tsv"):
        judges_of(planned, ["ada", "eva"])
    with pytest.raises(DataError, match=r"check\.tsv"):
        judges_of(planned, ["eva"])


def test_lists_and_judges_that_do_not_go_together_are_refused(tmp_path: Path) -> None:
    a, b, again = (token_list(tmp_path / name) for name in ("a.ada.tsv", "a.Ada.tsv", "c.tsv"))
    (tmp_path / "link.tsv").symlink_to(again)
    for paths, judges, words in (
        ([a, b], [], "are both for the judge 'Ada'"),
        ([a, again], ["ada", "bix"], "not both"),
        ([again, tmp_path / "link.tsv"], [], "given twice"),
        ([again], ["ada", "ada"], "a name of their own"),
        ([again], ["ada", "coordinator"], "uses it itself"),
        ([again], ["ada", "adjudicated"], "uses it itself"),
    ):
        with pytest.raises(UsageError, match=words):
            judges_of(paths, judges)
    assert not list(tmp_path.glob("*-shm"))
    with pytest.raises(UsageError, match="coordinator's address"), running([Review.opened(a, ["coordinator", "x"])]):
        pass


# ---- one server ------------------------------------------------------------------------------------------------------


def test_each_judge_has_a_list_and_is_blind_to_the_others(tmp_path: Path) -> None:
    files = [token_list(tmp_path / "check.ada.tsv"), token_list(tmp_path / "check.bix.tsv", 3)]
    with running(opened_reviews([str(file) for file in files])) as server:
        ada, bix, coordinator = (server.client(place) for place in range(3))
        assert [guest.name for guest in server.server.access.guests] == ["ada", "bix", "coordinator"]
        assert (ada.get("/api/items")["total"], bix.get("/api/items")["total"]) == (6, 3)
        assert ada.decide("w1", "a", seconds=4).status == bix.decide("w1", "b").status == 200
        assert bix.decide("w5", "a").status == 404
        assert bix.get("/api/items/w1")["verdict"] == "b"
        assert ada.get("/api/review")["judges_blind"] is True
        assert ada.get("/api/review")["has_estimate"] is False
        progress = coordinator.get("/api/coordinator")["judges"]
        assert [(one["judge"], one["done"], one["left"], one["seconds"]) for one in progress] == [
            ("ada", 1, 5, 4.0),
            ("bix", 1, 2, 0.0),
        ]
    verdicts = [[row.verdict for row in read_any_worklist(file).rows] for file in files]
    assert verdicts == [["a", "", "", "", "", ""], ["b", "", ""]]


def test_one_judge_of_two_lists_has_both_open_in_one_browser(tmp_path: Path) -> None:
    files = [str(token_list(tmp_path / name)) for name in ("one.tsv", "other.tsv")]
    with running(opened_reviews(files, ["ada"])) as server:
        names = [guest.name for guest in server.server.access.guests]
        assert names == ["ada/one.tsv", "ada/other.tsv"]
        both = Client(server.port, "; ".join(server.client(place).cookie for place in range(2)))
        for name, verdict in zip(names, "ab", strict=True):
            body = json.dumps({"request": name, "verdict": verdict, "revision": 0}).encode()
            sent = both.ask("PUT", "/api/items/w1/verdict", body, Karat_Review_For=name.replace("/", "%2F"))
            assert sent.status == 200
        assert both.ask("GET", "/api/review", Karat_Review_For="bix").status == 403
    assert [read_any_worklist(file).rows[0].verdict for file in files] == ["a", "b"]


def test_the_cookie_of_one_guest_is_not_anothers(tmp_path: Path) -> None:
    with running([Review.opened(token_list(tmp_path / "check.tsv"), ["ada", "bix"])]) as server:
        name, _, secret = server.client(0).cookie.partition("=")
        assert Client(server.port, f"{name.replace('-1', '-2')}={secret}").ask("GET", "/api/review").status == 403
        assert server.client(0).ask("GET", "/api/review", Karat_Review_For="bix").status == 403
        assert server.client(0).ask("GET", "/?for=bix").status == 403
        assert server.client(0).ask("GET", "/?for=ada").status == 200
        assert Guest("ada") in server.server.access.guests


# ---- the estimate ----------------------------------------------------------------------------------------------------


def copies(taggers: CheckedTaggers, folder: Path, judges: list[str], n: int = 60, overlap: int = 30) -> list[str]:
    """Lists of a plan in a folder of their own; they name files that are elsewhere."""
    found = []
    for path in taggers.lists(n, judges, overlap if len(judges) > 1 else None):
        found.append(str(folder / path.name))
        Path(found[-1]).write_bytes(path.read_bytes())
    return found


def test_one_judge_sees_the_estimate_and_it_follows_the_verdicts(taggers: CheckedTaggers, tmp_path: Path) -> None:
    (path,) = copies(taggers, tmp_path, ["ina"])
    review = Review.opened(path)
    with running([review]) as server:
        judge = server.client()
        first = eventually(judge, "/api/review", "estimate")
        assert first["words"] == "A first estimate needs 10 more rows."
        for row in review.worklist.rows[:12]:
            assert judge.decide(row.id, taggers.verdict(row)).status == 200
        assert judge.get("/api/review")["estimate"]["is_current"] is False
        later = eventually(judge, "/api/review", "estimate")
        assert later["rows_used"] == 12
        assert later == {**later, "of": "accuracy of B.conllu − A.conllu", "kind": "token"}


def test_several_judges_see_it_only_if_asked_for_and_the_coordinator_always(
    taggers: CheckedTaggers, tmp_path: Path
) -> None:
    reviews = opened_reviews(copies(taggers, tmp_path, ["ina", "jan"]))
    for review in reviews:
        judge_rows(review, range(45), taggers.verdict)
    with running(reviews) as server:
        assert server.client(0).get("/api/review")["has_estimate"] is False
        found = eventually(server.client(2), "/api/coordinator", "plans", 0, "estimate")
        assert found["rows_used"] == 90  # each judge’s rows
        agreement = eventually(server.client(2), "/api/coordinator", "plans", 0, "agreement")
        assert (agreement["shared"], agreement["differing"]) == (30, 0)
        assert agreement["agreement"]["observed"]["value"] == 1.0
        (rates,) = agreement["judge_errors"]
        assert rates["lower"] <= rates["value"] <= rates["upper"] < 0.2
    with running(opened_reviews([review.path for review in reviews]), show_estimate=True) as server:
        assert eventually(server.client(0), "/api/review", "estimate")["rows_used"] == 45


def test_files_that_are_given_must_fit_the_list(taggers: CheckedTaggers, tmp_path: Path) -> None:
    (path,) = copies(taggers, tmp_path, ["ina"])
    gold, systems = str(taggers.gold), {name: str(file) for name, file in taggers.systems.items()}
    with running([Review.opened(path)], gold=gold, systems=systems) as server:
        assert eventually(server.client(), "/api/review", "estimate")["words"].startswith("A first estimate")
    for given, code in (
        ({"gold": systems["A"], "systems": {**systems, "A": gold}}, "K739"),
        ({"gold": gold, "systems": {"A": systems["A"]}}, "K739"),
        ({"gold": path}, "K740"),
    ):
        with Review.opened(path) as review, pytest.raises(DataError, match=code):
            review_server([review], **given)


def test_named_files_that_have_changed_are_said_in_the_estimates_place(tmp_path: Path) -> None:
    taggers = made_taggers(tmp_path)
    (path,) = taggers.lists(20, ["ina"])
    taggers.gold.write_bytes(taggers.gold.read_bytes() + b"\n")
    with running([Review.opened(path)]) as server:
        found = eventually(server.client(), "/api/review", "estimate")
        assert found["error"].startswith("No estimate: ")
        assert "gold.conllu has changed since the list was made" in found["error"]


TREES = {
    "gold": "(S (NP (D a) (N cup)) (VP (V falls) (PP (P off) (NP (D the) (N table)))))",
    "p": "(S (NP (D a) (N cup)) (VP (VP (V falls) (P off)) (NP (D the) (N table))))",
    "q": "(S (X (D a) (Y (N cup) (V falls))) (PP (P off) (Z (D the) (N table))))",
}


@pytest.mark.parametrize(
    ("options", "second"),
    [(BracketOptions(), "q, r"), (BracketOptions(), "q.ptb"), (BracketOptions(labelled=True, keep_one_word=True), "q")],
)
def test_a_list_of_brackets_finds_the_trees_that_it_names(tmp_path: Path, options: BracketOptions, second: str) -> None:
    for name, tree in TREES.items():
        (tmp_path / f"{name}.ptb").write_text(tree + "\n")
    gold, *systems = (str(tmp_path / f"{name}.ptb") for name in TREES)
    named = dict(zip(("p", second), systems, strict=True))
    write_worklist(tmp_path / "check.tsv", karat.bracket_worklist(gold, named, brackets=options))
    with Review.opened(tmp_path / "check.tsv") as review:
        n_rows = len(review.worklist.rows)
    words = []
    for given in ({}, {"gold": gold, "systems": named}):
        with running([Review.opened(tmp_path / "check.tsv")], **given) as server:
            words.append(eventually(server.client(), "/api/review", "estimate")["words"])
            assert (
                "<svg"
                in server.client().get(f"/api/items/{quote(server.review.worklist.rows[0].id, safe='')}")["drawing"]
            )
    assert words[0] == words[1]
    assert f"depending on {n_rows} open rows" in words[0]
    assert words[0].count(" to ") == 2  # one span of each system
    with Review.opened(tmp_path / "check.tsv") as review, pytest.raises(DataError, match="K736"):
        review_server([review], gold=gold, systems={"p": systems[1], second: systems[0]})


# ---- in the background -----------------------------------------------------------------------------------------------


class _Counter:
    """A state, and a value that is made from it."""

    def __init__(self) -> None:
        self.state, self.made = 0, 0
        self.error: KaratError | None = None

    def compute(self) -> dict[str, Any]:
        self.made += 1
        if self.error:
            raise self.error
        return {"of": self.state}


def settled(latest: Latest) -> Mapping[str, Any]:
    end = time.monotonic() + 10
    while time.monotonic() < end:
        if (found := latest.now()) and found["is_current"]:
            return found
        time.sleep(0.005)
    raise AssertionError


def test_a_value_is_made_once_for_each_state_and_an_error_is_one() -> None:
    counter, background = _Counter(), Background()
    latest = Latest(counter.compute, lambda: counter.state, background, pause=0.01)
    assert latest.now() is None
    assert settled(latest) == settled(latest) == {"of": 0, "is_current": True}
    assert counter.made == 1
    counter.state, counter.error = 1, KaratError("no such thing")
    assert latest.now() == {"of": 0, "is_current": False}
    assert settled(latest) == {"error": "no such thing", "is_current": True}
    background.stop()
    counter.state = 2
    assert latest.now() == {"error": "no such thing", "is_current": False}
    assert counter.made == 2


def test_nothing_is_computed_while_people_go_on() -> None:
    counter, background = _Counter(), Background()
    latest = Latest(counter.compute, lambda: counter.state, background, pause=0.2)
    for _ in range(10):
        counter.state += 1
        latest.now()
        time.sleep(0.05)
    assert counter.made == 0
    assert settled(latest)["of"] == 10
    background.stop()


def test_a_list_of_another_plan_stands_alone(taggers: CheckedTaggers, tmp_path: Path) -> None:
    planned = copies(taggers, tmp_path, ["ina", "jan"])
    other = read_any_worklist(token_list(tmp_path / "eva.tsv"))
    write_worklist(tmp_path / "eva.tsv", replace(other, head=("Which tag?",)))
    with running(opened_reviews([*planned, str(tmp_path / "eva.tsv")])) as server:
        plans = server.client(3).get("/api/coordinator")["plans"]
        assert [(one["lists"], one["has_agreement"]) for one in plans] == [
            (["check.ina.tsv", "check.jan.tsv"], True),
            (["eva.tsv"], False),
        ]
