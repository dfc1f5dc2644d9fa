"""The store of verdicts: what was acknowledged is there, whatever happens."""

from __future__ import annotations

import os
import random
import resource
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from karat.errors import DataError, UsageError
from karat.review.judgements import Decision, Judgement, RevisionError
from karat.review.store import ReviewStore
from karat.review.store_file import StoreUnavailableError

ITEMS = ["w1", "w2", "w3", "w4"]


def test_a_verdict_is_there_when_the_store_is_opened_again(tmp_path: Path) -> None:
    with ReviewStore(tmp_path / "s", ITEMS) as store:
        said = store.decide("ina", "w2", "accept", label="NP", note="clear", request="r1")
        assert (said.verdict, said.label, said.note, said.revision, said.author) == ("accept", "NP", "clear", 1, "ina")
    with ReviewStore(tmp_path / "s", ITEMS) as store:
        assert store.judgement("ina", "w2") == said
        assert store.judgements("ina") == {"w2": said}
        assert store.judgements("jan") == {}
        assert store.judgement("jan", "w2") == Judgement("w2", "jan")
        assert store.judges() == ["ina"]


def test_an_item_that_the_list_does_not_have_is_a_key_error(tmp_path: Path) -> None:
    with ReviewStore(tmp_path / "s", ITEMS) as store, pytest.raises(KeyError):
        store.decide("ina", "w9", "accept", request="r1")


def test_the_same_request_again_changes_nothing(tmp_path: Path) -> None:
    with ReviewStore(tmp_path / "s", ITEMS) as store:
        first = store.decide("ina", "w1", "accept", request="r1", revision=0)
        assert store.decide("ina", "w1", "accept", request="r1", revision=0) == first
        assert len(list(store.history())) == 1
        assert store.decide("jan", "w1", "reject", request="r1").verdict == "reject"  # another judge's request


def test_what_another_window_changed_is_not_overwritten(tmp_path: Path) -> None:
    with ReviewStore(tmp_path / "s", ITEMS) as store:
        now = store.decide("ina", "w1", "accept", request="r1", revision=0)
        with pytest.raises(RevisionError) as caught:
            store.decide("ina", "w1", "reject", request="r2", revision=0)
        assert caught.value.now == now
        assert store.decide("ina", "w1", "reject", request="r3", revision=1).revision == 2


def test_a_bulk_decision_is_all_or_nothing_and_one_step(tmp_path: Path) -> None:
    with ReviewStore(tmp_path / "s", ITEMS) as store:
        store.decide("ina", "w3", "reject", request="r1")
        bad = [Decision("w1", "accept", revision=0), Decision("w3", "accept", revision=0)]
        with pytest.raises(RevisionError):
            store.decide_all("ina", bad, request="r2")
        assert not store.judgement("ina", "w1").is_decided
        store.decide_all("ina", [Decision(item, "accept") for item in ITEMS], request="r3")
        assert [one.item for one in store.done("ina", "r3")] == ITEMS
        assert len(store.undo("ina", request="r4")) == 4
        assert {item: one.verdict for item, one in store.judgements("ina").items() if one.verdict} == {"w3": "reject"}


def test_undo_with_nothing_to_undo_stays_nothing_when_it_is_sent_again(tmp_path: Path) -> None:
    with ReviewStore(tmp_path / "s", ITEMS) as store:
        assert store.undo("ina", request="u1") == []
        store.decide("ina", "w1", "accept", request="r1")
        assert store.undo("ina", request="u1") == []
        assert store.judgement("ina", "w1").verdict == "accept"


def test_a_step_in_the_midst_of_another_is_undone_in_its_turn(tmp_path: Path) -> None:
    with ReviewStore(tmp_path / "s", ITEMS) as store:
        store.decide("ina", "w1", "accept", request="r1", step="bulk")
        store.decide("ina", "w1", "reject", request="r2")
        store.decide("ina", "w2", "accept", request="r3", step="bulk")
        states = []
        for number in range(3):
            store.undo("ina", request=f"u{number}")
            states.append([store.judgement("ina", item).verdict for item in ("w1", "w2")])
        assert states == [["reject", ""], ["accept", ""], ["", ""]]


# ---- any sequence against a slow reference ---------------------------------------------------------------------------


class Reference:
    """What judges have said, as a list of whole states: undo is going back to the one before."""

    def __init__(self) -> None:
        self.states: dict[str, list[tuple[str, dict[str, tuple[str, str]]]]] = {}
        self.answers: dict[tuple[str, str], Any] = {}

    def now(self, judge: str) -> dict[str, tuple[str, str]]:
        steps = self.states.setdefault(judge, [("", {})])
        return steps[-1][1]

    def decide(self, judge: str, item: str, verdict: str, note: str, request: str, step: str) -> None:
        if (judge, request) in self.answers:
            return
        self.answers[judge, request] = True
        after = {**self.now(judge), item: (verdict, note)}
        steps = self.states[judge]
        if steps[-1][0] == step:
            steps[-1] = (step, after)
        else:
            steps.append((step, after))

    def undo(self, judge: str, request: str) -> None:
        if (judge, request) in self.answers:
            return
        self.answers[judge, request] = True
        self.now(judge)
        if len(self.states[judge]) > 1:
            self.states[judge].pop()


JUDGES = st.sampled_from(["ina", "jan"])
ACTIONS = st.lists(
    st.one_of(
        st.tuples(
            st.just("decide"), JUDGES, st.sampled_from(ITEMS), st.sampled_from(["accept", "reject", ""]), st.text("ab")
        ).map(lambda one: (*one, None)),
        st.tuples(
            st.just("decide"), JUDGES, st.sampled_from(ITEMS), st.just("accept"), st.just(""), st.sampled_from("st")
        ),
        st.tuples(st.just("undo"), JUDGES),
        st.tuples(st.just("again"), st.integers(0, 30)),
        st.tuples(st.just("reopen")),
    ),
    max_size=25,
)


@settings(max_examples=60)
@given(ACTIONS)
def test_any_sequence_of_decisions_undos_and_repeats_is_as_the_reference_has_it(
    tmp_path_factory: pytest.TempPathFactory, actions: list[tuple[Any, ...]]
) -> None:
    path = tmp_path_factory.mktemp("store") / "s"
    reference, store = Reference(), ReviewStore(path, ITEMS)
    done: list[tuple[Any, ...]] = []
    try:
        for number, action in enumerate(actions):
            if action[0] == "reopen":
                store.close()
                store = ReviewStore(path, ITEMS)
                continue
            request = f"r{number}"
            if action[0] == "again":
                if not done:
                    continue
                action, request = done[action[1] % len(done)]
            else:
                done.append((action, request))
            if action[0] == "undo":
                store.undo(action[1], request=request)
                reference.undo(action[1], request)
            else:
                _, judge, item, verdict, note, step = action
                store.decide(judge, item, verdict, note=note, request=request, step=step)
                reference.decide(judge, item, verdict, note, request, step or request)
            for judge in ("ina", "jan"):
                found = {item: (one.verdict, one.note) for item, one in store.judgements(judge).items()}
                wanted = reference.now(judge)
                assert {i: one for i, one in found.items() if any(one)} == {
                    i: one for i, one in wanted.items() if any(one)
                }
        last: dict[tuple[str, str], Judgement] = {}
        for event in store.history():  # it tells how everything came about
            key = event.judge, event.after.item
            assert event.before == last.get(key, Judgement(event.after.item, event.judge))
            assert event.after.revision == event.before.revision + 1
            last[key] = event.after
        assert last == {(judge, i): one for judge in ("ina", "jan") for i, one in store.judgements(judge).items()}
    finally:
        store.close()


@settings(max_examples=40)
@given(st.text(), st.text())
def test_texts_are_kept_as_one_line_without_spaces_around(
    tmp_path_factory: pytest.TempPathFactory, label: str, note: str
) -> None:
    with ReviewStore(tmp_path_factory.mktemp("store") / "s", ITEMS) as store:
        said = store.decide("ina", "w1", "accept", label=label, note=note, request="r")
    for text in (said.label, said.note):
        assert text == text.strip()
        assert not set(text) & set("\t\r\n\0")


# ---- lists that change -----------------------------------------------------------------------------------------------


def test_a_verdict_on_another_question_of_the_same_id_is_set_aside(tmp_path: Path) -> None:
    with ReviewStore(tmp_path / "s", {"w1": "old", "w2": "same"}) as store:
        store.decide("ina", "w1", "accept", request="r1")
        store.decide("ina", "w2", "accept", request="r2")
    with ReviewStore(tmp_path / "s", {"w1": "new", "w2": "same"}) as store:
        assert set(store.judgements("ina")) == {"w2"}
        assert store.judgement("ina", "w1").revision == 0
        assert store.n_set_aside("ina") == 1
        assert [one.item for one in store.undo("ina", request="u1")] == ["w2"]
        assert store.undo("ina", request="u2") == []  # the old list's step is not this one's
    with ReviewStore(tmp_path / "s", {"w1": "old"}) as store:
        assert store.judgement("ina", "w1").verdict == "accept"


def test_active_time_adds_up(tmp_path: Path) -> None:
    with ReviewStore(tmp_path / "s", ITEMS) as store:
        assert store.add_time("ina", 2.5) == 2.5
        assert store.add_time("ina", 1) == 3.5
        for bad in (-1.0, float("nan"), float("inf")):
            with pytest.raises(ValueError, match="finite"):
                store.add_time("ina", bad)
        assert store.seconds("ina") == 3.5
        assert store.seconds("jan") == 0


def test_threads_that_judge_at_once_lose_nothing(tmp_path: Path) -> None:
    items = [f"w{k}" for k in range(40)]
    with ReviewStore(tmp_path / "s", items) as store:

        def judge(name: str) -> None:
            for item in items:
                store.decide(name, item, "accept", request=f"{name} {item}")

        threads = [threading.Thread(target=judge, args=(f"judge{k}",)) for k in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [len(store.judgements(f"judge{k}")) for k in range(4)] == [40] * 4
        assert len(list(store.history())) == 160


# ---- the file --------------------------------------------------------------------------------------------------------


def test_the_store_is_for_its_owner_alone(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        with ReviewStore(tmp_path / "s", ITEMS) as store:
            store.decide("ina", "w1", "accept", request="r")
            modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
        assert set(modes.values()) == {0o600}, modes
        os.chmod(tmp_path / "s", 0o644)
        ReviewStore(tmp_path / "s", ITEMS).close()
        assert stat.S_IMODE((tmp_path / "s").stat().st_mode) == 0o600
    finally:
        os.umask(old)


def test_a_second_opening_is_refused_here_and_in_another_process(tmp_path: Path) -> None:
    with ReviewStore(tmp_path / "s", ITEMS) as store:
        store.decide("ina", "w1", "accept", request="r")
        with pytest.raises(UsageError, match="in use by another karat review"):
            ReviewStore(tmp_path / "s", ITEMS)
        code = f"from karat.review.store import ReviewStore; ReviewStore({str(tmp_path / 's')!r}, ['w1'])"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert "in use by another karat review" in done.stderr
        store.decide("ina", "w2", "accept", request="r2")  # the lock has held
        assert store.judgement("ina", "w1").verdict == "accept"
    ReviewStore(tmp_path / "s", ITEMS).close()


@pytest.mark.parametrize("name", ["s", "s-wal", "s-journal"])
def test_links_are_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "elsewhere").write_bytes(b"")
    (tmp_path / name).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(DataError, match=r"K960.*link"):
        ReviewStore(tmp_path / "s", ITEMS)
    assert (tmp_path / "elsewhere").read_bytes() == b""


def foreign(path: Path) -> None:
    path.write_text("id\tverdict\n")


def long_and_foreign(path: Path) -> None:
    path.write_text("id\tverdict\n" * 5000)


def of_another_program(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE t (a)")
    connection.close()


def of_another_version(path: Path) -> None:
    ReviewStore(path, ITEMS).close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()


def with_a_trigger(path: Path) -> None:
    ReviewStore(path, ITEMS).close()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TRIGGER t AFTER INSERT ON events BEGIN DELETE FROM events; END")
    connection.close()


def damaged(path: Path) -> None:
    with ReviewStore(path, [f"w{k}" for k in range(2000)]) as store:
        store.decide_all("ina", [Decision(f"w{k}", "accept", note="n" * 50) for k in range(2000)], request="r")
    data = bytearray(path.read_bytes())
    data[8192 : len(data) - 4096] = random.Random(7).randbytes(len(data) - 4096 - 8192)
    path.write_bytes(data)


def with_bytes_that_are_no_text(path: Path) -> None:
    ReviewStore(path, ITEMS).close()
    data = path.read_bytes()
    assert data.count(b"CREATE TABLE meta") == 1
    path.write_bytes(data.replace(b"CREATE TABLE meta", b"CREATE \xffABLE meta"))


def cut_off(path: Path) -> None:
    damaged(path)
    path.write_bytes(path.read_bytes()[:5000])


def folder(path: Path) -> None:
    path.mkdir()


@pytest.mark.parametrize(
    "make",
    [
        *(foreign, long_and_foreign, of_another_program, of_another_version, with_a_trigger, damaged),
        *(with_bytes_that_are_no_text, cut_off, folder),
    ],
)
def test_what_is_no_good_store_is_refused_and_left_alone(tmp_path: Path, make: Any) -> None:
    path = tmp_path / "s"
    make(path)
    before = path.read_bytes() if path.is_file() else b""
    with pytest.raises(DataError, match="K960"):
        ReviewStore(path, ITEMS)
    assert (path.read_bytes() if path.is_file() else b"") == before


DAMAGE = [
    ("UPDATE events SET after = '{'", "history"),
    ("UPDATE events SET before = '[]'", "history"),
    ('UPDATE events SET before = replace(before, \'"revision": 0\', \'"revision": "a"\')', "history"),
    ("UPDATE judgements SET verdict = x'00ff'", "judgements"),
    ("UPDATE judgements SET revision = 'x'", "judgements"),
    ("UPDATE judgements SET at = 'x'", "judgements"),
    ("UPDATE meta SET value = '{'", "fact"),
]


@pytest.mark.parametrize(("damage", "asked"), DAMAGE)
def test_damage_inside_texts_that_sqlite_does_not_see_is_refused(tmp_path: Path, damage: str, asked: str) -> None:
    with ReviewStore(tmp_path / "s", ITEMS) as store:
        store.decide("ina", "w1", "accept", request="r")
        store.keep_fact("seen", "{}")
    connection = sqlite3.connect(tmp_path / "s")
    assert connection.execute(damage).rowcount == 1
    connection.commit()
    connection.close()
    reads: dict[str, Callable[[ReviewStore], object]] = {
        "history": lambda store: list(store.history()),
        "judgements": lambda store: store.judgements("ina"),
        "fact": lambda store: store.fact_as_data("seen"),
    }
    with ReviewStore(tmp_path / "s", ITEMS) as store, pytest.raises(DataError, match=r"K960.*damaged"):
        reads[asked](store)


def test_an_empty_file_as_a_stopped_process_leaves_it_becomes_a_store(tmp_path: Path) -> None:
    (tmp_path / "s").touch()
    with ReviewStore(tmp_path / "s", ITEMS) as store:
        store.decide("ina", "w1", "accept", request="r")


class WithoutWAL(sqlite3.Connection):
    """A connection on a folder where writing ahead cannot be."""

    how = "raises"

    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        if "journal_mode = WAL" in sql:
            if self.how == "raises":
                raise sqlite3.OperationalError("locking protocol")
            sql = "PRAGMA journal_mode = DELETE"
        return super().execute(sql, *values)


@pytest.mark.parametrize("how", ["raises", "says no"])
def test_where_writing_ahead_cannot_be_a_rollback_journal_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    connect = sqlite3.connect
    monkeypatch.setattr(WithoutWAL, "how", how)
    monkeypatch.setattr("sqlite3.connect", lambda *given, **named: connect(*given, **named, factory=WithoutWAL))
    with ReviewStore(tmp_path / "s", ITEMS) as store:
        store.decide("ina", "w1", "accept", request="r")
        assert store._connection.execute("PRAGMA journal_mode").fetchone()[0] in ("delete", "persist", "truncate")
        assert store._connection.execute("PRAGMA synchronous").fetchone()[0] == 3
        with pytest.raises(UsageError, match="in use"):
            ReviewStore(tmp_path / "s", ITEMS)
    assert not (tmp_path / "s-wal").exists()
    monkeypatch.undo()
    with ReviewStore(tmp_path / "s", ITEMS) as store:
        assert store._connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        assert store._connection.execute("PRAGMA synchronous").fetchone()[0] == 2
        assert store.judgement("ina", "w1").verdict == "accept"


# ---- a disk that is full, a process that is killed -------------------------------------------------------------------


JUDGING_UNTIL_FULL = """
import resource, signal, sys
from karat.review.store import ReviewStore
from karat.review.store_file import StoreUnavailableError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
items = [f"w{k}" for k in range(5000)]
with ReviewStore(sys.argv[1], items) as store:
    resource.setrlimit(resource.RLIMIT_FSIZE, (3_000_000, resource.RLIM_INFINITY))
    for item in items:
        try:
            store.decide("ina", item, "accept", note="n" * 500, request=item)
        except StoreUnavailableError as error:
            print("refused", error, flush=True)
            assert not store.judgement("ina", item).is_decided
            break
        print("kept", item, flush=True)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    store.decide("ina", item, "accept", request=item)
    print("kept", item, flush=True)
"""


def test_a_full_disk_is_said_and_what_was_acknowledged_stays(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", JUDGING_UNTIL_FULL, str(tmp_path / "s")], capture_output=True, text=True, check=True
    )
    lines = done.stdout.splitlines()
    kept = [line.split()[1] for line in lines if line.startswith("kept")]
    refused = [line for line in lines if line.startswith("refused")]
    assert len(refused) == 1
    assert "cannot be written" in refused[0]
    assert len(kept) > 50
    with ReviewStore(tmp_path / "s", [f"w{k}" for k in range(5000)]) as store:
        assert sorted(store.judgements("ina")) == sorted(kept)
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY


def test_what_cannot_be_read_is_unavailable_and_no_traceback(tmp_path: Path) -> None:
    store = ReviewStore(tmp_path / "s", ITEMS)
    store.close()
    with pytest.raises(StoreUnavailableError, match="cannot be read"):
        store.seconds("ina")
    with pytest.raises(StoreUnavailableError, match="cannot be written"):
        store.decide("ina", "w1", "accept", request="r")
