"""A review: its list, its store and its judges' files, together."""

from __future__ import annotations

import gzip
import json
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from karat.corpus.worklist import worklist_text
from karat.errors import DataError, UsageError
from karat.review.audit import audit_records, write_audit
from karat.review.reading import read_any_worklist
from karat.review.session import Review
from review_lists import bracket_list, cells_in, with_cells, written


def judge(review: Review, item: str, verdict: str, request: str, *, by: str = "", note: str = "") -> None:
    review.store.decide(by, item, verdict, note=note, request=request)


def test_a_judged_row_is_in_the_file_and_all_other_bytes_are_as_they_were(tmp_path: Path) -> None:
    path = written(tmp_path, bracket_list(3))
    before = path.read_text()
    with Review.opened(path, ["ina"]) as review:
        assert path.read_text() == before
        judge(review, "b2", "accept", "r1", by="ina", note="so")
    assert path.read_text() == before.replace("tea 2)\t1\t\t\t\t", "tea 2)\t1\taccept\t\tina\tso")


def test_undo_leaves_the_file_as_it_was_before(tmp_path: Path) -> None:
    path = written(tmp_path, bracket_list(3))
    before = path.read_bytes()
    with Review.opened(path) as review:
        judge(review, "b2", "accept", "r1")
        review.bring_up_to_date("")
        assert path.read_bytes() != before
        review.store.undo("", request="u1")
    assert path.read_bytes() == before


def test_what_the_file_has_is_taken_in_and_keeps_its_author_and_bytes(tmp_path: Path) -> None:
    judged = [("accept", "", "Ines", "sure"), ("", "", "Ines", ""), ("", "", "", "Unsure: why"), ("reject", "", "", "")]
    path = written(tmp_path, bracket_list(6, judged=judged))
    before = path.read_bytes()
    for judges in ([], ["bo"]):
        with Review.opened(path, judges) as review:
            name = review.judges[0]
            assert review.store.judgement(name, "b1").author == "Ines"
            assert review.store.judgement(name, "b3").unsure
            assert review.store.judgement(name, "b3").note == "why"
            assert review.store.undo(name, request="u") == []
            for _ in range(3):
                review.bring_up_to_date(name)
            assert path.read_bytes() == before
        assert path.read_bytes() == before


def test_an_edit_elsewhere_is_taken_in_as_the_kind_spells_it(tmp_path: Path) -> None:
    path = written(tmp_path, bracket_list(3))
    with Review.opened(path) as review:
        judge(review, "b1", "accept", "r1")
        with_cells(path, "b3", verdict=" Reject", note="by hand")
        edited = path.read_text()
        review.bring_up_to_date("")
        said = review.store.judgement("", "b3")
        assert (said.verdict, said.note) == ("reject", "by hand")
        assert not review.conflicts[""]
        assert "\t Reject\t" in path.read_text()  # the row's bytes stay
        assert cells_in(path)["b1"][0] == "accept"
        assert edited != path.read_text()
        with_cells(path, "b3", verdict="accept")
        review.bring_up_to_date("")
        with_cells(path, "b3", verdict=" Reject")  # the very bytes that were there before
        review.bring_up_to_date("")
        assert review.store.judgement("", "b3").verdict == "reject"


def test_a_conflict_stays_until_the_judge_decides_again(tmp_path: Path) -> None:
    path = written(tmp_path, bracket_list(3))
    with Review.opened(path) as review:
        judge(review, "b1", "accept", "r1")
        with_cells(path, "b1", verdict="reject", judge="jan")
        edited = path.read_bytes()
        for _ in range(3):
            review.bring_up_to_date("")
            assert set(review.conflicts[""]) == {"b1"}
            assert review.store.judgement("", "b1").verdict == "accept"
            assert path.read_bytes() == edited
        judge(review, "b2", "reject", "r2")
        review.bring_up_to_date("")
        assert cells_in(path)["b1"][:3:2] == ("reject", "jan")
    with Review.opened(path) as review:
        assert set(review.conflicts[""]) == {"b1"}
        judge(review, "b1", "accept", "r3", note="looked again")
        review.bring_up_to_date("")
        assert not review.conflicts[""]
        assert cells_in(path)["b1"] == ("accept", "", "", "looked again")
        origins = [record["origin"] for record in list(audit_records(review))[1:]]
        assert origins == ["judge", "conflict", "judge", "judge"]


def test_no_undo_goes_back_behind_what_the_file_says(tmp_path: Path) -> None:
    path = written(tmp_path, bracket_list(3))
    with Review.opened(path) as review:
        judge(review, "b1", "accept", "r1")
        judge(review, "b2", "accept", "r2")
        review.store.undo("", request="u1")
        review.bring_up_to_date("")
        with_cells(path, "b2", verdict="reject")
        review.bring_up_to_date("")
        assert [one.item for one in review.store.undo("", request="u2")] == ["b1"]
        assert review.store.judgement("", "b2").verdict == "reject"


def test_what_was_decided_here_is_not_replaced_by_what_a_file_says(tmp_path: Path) -> None:
    """An old copy may have come back: both stay, and the judge decides."""
    path = written(tmp_path, bracket_list(3))
    with Review.opened(path) as review:
        judge(review, "b1", "accept", "r1")
        review.bring_up_to_date("")
        with_cells(path, "b1", verdict="reject")
        review.bring_up_to_date("")
        assert review.store.judgement("", "b1").verdict == "accept"
        assert review.conflicts[""]["b1"].verdict == "reject"
        judge(review, "b1", "accept", "r2")
        review.bring_up_to_date("")
        assert not review.conflicts[""]
    assert read_any_worklist(path).rows[0].verdict == "accept"


def test_an_old_copy_that_comes_back_takes_no_verdict_away(tmp_path: Path) -> None:
    path = written(tmp_path, bracket_list(3))
    old = path.read_bytes()
    with Review.opened(path) as review:
        judge(review, "b1", "accept", "r1")
    path.write_bytes(old)
    with Review.opened(path) as review:
        assert review.store.judgement("", "b1").verdict == "accept"
        assert set(review.conflicts[""]) == {"b1"}


@pytest.mark.parametrize("bad", [b"nothing", b"\xff\xfe", None, "maybe"])
def test_a_file_that_is_no_list_any_more_is_left_alone_and_said(tmp_path: Path, bad: bytes | str | None) -> None:
    path = written(tmp_path, bracket_list(3))
    review = Review.opened(path)
    judge(review, "b1", "accept", "r1")
    if isinstance(bad, bytes):
        path.write_bytes(bad)
    elif bad is None:
        path.unlink()
    else:
        with_cells(path, "b2", verdict=bad)
    before = path.read_bytes() if path.exists() else b""
    with pytest.raises((DataError, UsageError)):
        review.close()
    assert (path.read_bytes() if path.exists() else b"") == before
    written(tmp_path, bracket_list(3))
    with Review.opened(path) as review:
        assert review.store.judgement("", "b1").verdict == "accept"
        review.bring_up_to_date("")
        assert cells_in(path)["b1"][0] == "accept"


def test_rows_that_come_and_go_in_the_file_are_left_as_they_are(tmp_path: Path) -> None:
    path = written(tmp_path, bracket_list(4))
    with Review.opened(path) as review:
        judge(review, "b1", "accept", "r1")
        judge(review, "b2", "accept", "r2")
        text = path.read_text().split("\n")
        rows = [line for line in text if not line.startswith("b1\t")]
        rows.insert(-1, next(line for line in text if line.startswith("b4\t")).replace("b4", "b9", 1) + "mine")
        path.write_text("\n".join(rows))
        review.bring_up_to_date("")
        assert list(cells_in(path)) == ["b2", "b3", "b4", "b9"]
        assert cells_in(path)["b2"][0] == "accept"
        assert review.store.judgement("", "b1").verdict == "accept"


def test_a_list_made_anew_with_the_same_ids_is_not_answered_by_old_verdicts(tmp_path: Path) -> None:
    path = written(tmp_path, bracket_list(3))
    with Review.opened(path) as review:
        judge(review, "b1", "accept", "r1")
        judge(review, "b2", "reject", "r2")
    new = bracket_list(3)
    rows = [replace(new.rows[0], shown="(VP tea)"), replace(new.rows[1], verdict="reject"), new.rows[2]]
    written(tmp_path, replace(new, rows=tuple(rows)))
    with Review.opened(path) as review:
        assert not review.store.judgement("", "b1").is_decided
        assert review.store.judgement("", "b2").verdict == "reject"
        assert review.store.n_set_aside("") == 1
    assert cells_in(path)["b1"][0] == ""


def test_several_judges_have_files_of_their_own_and_see_nothing_of_others(tmp_path: Path) -> None:
    path = written(tmp_path, bracket_list(3, judged=[("accept", "", "Ines", ""), ("reject", "", "ina", "")]))
    before = path.read_bytes()
    with Review.opened(path, ["ina", "jan"]) as review:
        assert not review.store.judgement("jan", "b1").is_decided
        assert review.store.judgement("ina", "b2").verdict == "reject"  # her own
        judge(review, "b3", "accept", "r1", by="jan")
    assert path.read_bytes() == before
    verdicts = {name: [one[0] for one in cells_in(tmp_path / f"check.{name}.tsv").values()] for name in ("ina", "jan")}
    assert verdicts == {"ina": ["", "reject", ""], "jan": ["", "", "accept"]}
    with Review.opened(path, ["ina", "jan"]) as review:
        assert not review.store.judgement("jan", "b1").is_decided
        (tmp_path / "check.jan.tsv").unlink()
        review.bring_up_to_date("jan")
    assert cells_in(tmp_path / "check.jan.tsv")["b3"] == ("accept", "", "jan", "")


@pytest.mark.parametrize(
    ("path", "file"),
    [
        ("check.tsv", "check.ina.tsv"),
        ("a.b/check", "a.b/check.ina"),
        ("check.tsv.gz", "check.ina.tsv.gz"),
        ("x/.check", "x/.check.ina"),
    ],
)
def test_the_name_of_a_judges_file(tmp_path: Path, path: str, file: str) -> None:
    review = Review(path, bracket_list(1), None, ["ina", "jan"])  # type: ignore[arg-type]
    assert review.file_of("ina") == file


@pytest.mark.parametrize("names", [["../x"], ["a/b"], ["a\tb"], ["ina", "Ina"], ["ina", ""], [" a"], [".."]])
def test_names_that_cannot_be_files_are_refused(tmp_path: Path, names: list[str]) -> None:
    with pytest.raises(UsageError):
        Review.opened(written(tmp_path, bracket_list(1)), names)


def test_a_compressed_list_stays_compressed(tmp_path: Path) -> None:
    path = tmp_path / "check.tsv.gz"
    path.write_bytes(gzip.compress(worklist_text(bracket_list(3)).encode()))
    with Review.opened(path) as review:
        judge(review, "b1", "accept", "r1")
    assert b"\taccept\t" in gzip.decompress(path.read_bytes())
    assert read_any_worklist(path).rows[0].verdict == "accept"


def test_a_verdict_that_the_kind_does_not_allow_is_refused(tmp_path: Path) -> None:
    with Review.opened(written(tmp_path, bracket_list(1))) as review:
        with pytest.raises(UsageError, match="not a verdict"):
            judge(review, "b1", "maybe", "r1")
        judge(review, "b1", "ACCEPT", "r1")
        assert review.store.judgement("", "b1").verdict == "accept"


def test_a_second_review_of_the_list_is_refused_and_the_first_goes_on(tmp_path: Path) -> None:
    path = written(tmp_path, bracket_list(1))
    with Review.opened(path) as review:
        with pytest.raises(UsageError, match="in use"):
            Review.opened(path)
        judge(review, "b1", "accept", "r1")


def test_the_audit_has_every_event_and_the_time(tmp_path: Path) -> None:
    path = written(tmp_path, bracket_list(3))
    with Review.opened(path, ["ina"]) as review:
        judge(review, "b1", "accept", "r1", by="ina")
        judge(review, "b2", "accept", "r2", by="ina")
        review.store.undo("ina", request="u1")
        review.store.add_time("ina", 1800)
        write_audit(tmp_path / "audit.jsonl", review)
        for own in (path, review.store.path):
            with pytest.raises(UsageError, match="will not be overwritten"):
                write_audit(own, review)
    head, *events = [json.loads(line) for line in (tmp_path / "audit.jsonl").read_text().splitlines()]
    assert head["person_hours"] == 0.5
    assert head["judges"] == [{"judge": "ina", "decided": 1, "unsure": 0, "set_aside": 0, "seconds": 1800}]
    assert [(one["item"], one["after"]["verdict"], one["undoes"]) for one in events] == [
        ("b1", "accept", None),
        ("b2", "accept", None),
        ("b2", "", 2),
    ]


# ---- whatever happens in whatever order ------------------------------------------------------------------------------

ITEMS = st.sampled_from(["b1", "b2", "b3"])
VERDICTS = st.sampled_from(["accept", "reject", ""])
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("decide"), ITEMS, VERDICTS),
        st.tuples(st.just("edit"), ITEMS, st.sampled_from(["accept", "reject"])),
        st.tuples(st.just("undo")),
        st.tuples(st.just("sync")),
        st.tuples(st.just("reopen")),
    ),
    max_size=14,
)


@settings(max_examples=60)
@given(STEPS)
def test_no_edit_is_overwritten_unseen_and_file_and_store_agree_but_for_conflicts(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, ...]]
) -> None:
    path = written(tmp_path_factory.mktemp("review"), bracket_list(3))
    review = Review.opened(path)
    edits: list[tuple[str, str]] = []
    try:
        for number, (what, *values) in enumerate(steps):
            if what == "decide":
                judge(review, values[0], values[1], f"r{number}")
            elif what == "edit":
                note = f"edit {number}"
                with_cells(path, values[0], verdict=values[1], note=note)
                review.bring_up_to_date("")  # two edits of one row without karat looking are one
                edits.append((values[0], note))
            elif what == "undo":
                review.store.undo("", request=f"u{number}")
            elif what == "sync":
                review.bring_up_to_date("")
            else:
                review.close()
                review = Review.opened(path)
        review.bring_up_to_date("")
        there = cells_in(path)
        for item in ("b1", "b2", "b3"):
            said = review.store.judgement("", item)
            agrees = (said.verdict, said.note) == (there[item][0], there[item][3])
            assert agrees != (item in review.conflicts[""])
        seen = {(event.after.item, event.after.note) for event in review.store.history()}
        assert set(edits) <= seen
    finally:
        review.close()


# ---- a process that is killed ----------------------------------------------------------------------------------------

JUDGING = """
import random, sys, threading
from karat.review.session import Review
path, seed = sys.argv[1], sys.argv[2]
chance = random.Random(seed)
review = Review.opened(path)
def keep_current():
    while True:
        review.bring_up_to_date("")
threading.Thread(target=keep_current, daemon=True).start()
print("ready", flush=True)
n = 0
while True:
    n += 1
    item, verdict = f"b{chance.randint(1, 300)}", chance.choice(["accept", "reject"])
    print("asks", item, verdict, f"{seed}.{n}", flush=True)
    review.store.decide("", item, verdict, note=f"{seed}.{n}", request=f"{seed}.{n}")
    print("kept", item, verdict, f"{seed}.{n}", flush=True)
    if n % 7 == 0:
        review.store.undo("", request=f"u{seed}.{n}")
        print("undone", item, f"{seed}.{n}", flush=True)
"""


def killed_after(path: Path, seed: int, seconds: float) -> list[list[str]]:
    """What a process that judges has said before it was killed."""
    process = subprocess.Popen([sys.executable, "-c", JUDGING, str(path), str(seed)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(seconds)
    os.kill(process.pid, signal.SIGKILL)
    lines = process.stdout.read().split("\n")[:-1]  # of a line that was cut off nobody knows what it says
    process.wait()
    process.stdout.close()
    return [line.split() for line in lines]


def lose_nothing(tmp_path: Path, n_kills: int) -> int:
    """Kill a judging process again and again: the number of verdicts that it had acknowledged."""
    path = written(tmp_path, bracket_list(300))
    n_bytes_unjudged = [line for line in path.read_text().split("\n") if line.startswith("#")]
    chance = random.Random(23)
    n_kept = 0
    for seed in range(n_kills):
        said = killed_after(path, seed, chance.uniform(0, 0.25))
        assert len(read_any_worklist(path).rows) == 300  # the list is whole
        with Review.opened(path) as review:
            assert not review.conflicts[""]
            requests = {event.request: event.after for event in review.store.history()}
            for what, *values in said:
                if what == "kept":
                    n_kept += 1
                    item, verdict, note = values
                    after = requests[note]
                    assert (after.item, after.verdict, after.note) == (item, verdict, note)
                elif what == "undone":
                    assert requests[f"u{values[1]}"].item == values[0]
            last: dict[str, str] = {event.after.item: event.after.note for event in review.store.history()}
            assert {item: one.note for item, one in review.store.judgements("").items()} == last
        assert {item: one[3] for item, one in cells_in(path).items() if one[3]} == {i: n for i, n in last.items() if n}
        assert [line for line in path.read_text().split("\n") if line.startswith("#")] == n_bytes_unjudged
    return n_kept


def test_no_acknowledged_verdict_is_lost_when_the_process_is_killed(tmp_path: Path) -> None:
    assert lose_nothing(tmp_path, 15) > 15


@pytest.mark.slow
def test_no_acknowledged_verdict_is_lost_in_200_kills(tmp_path: Path) -> None:
    n_kept = lose_nothing(tmp_path, 200)
    print(f"{n_kept} verdicts acknowledged in 200 processes that were killed")
    assert n_kept > 200
