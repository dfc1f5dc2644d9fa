"""What people decide, kept in one SQLite file beside the worklist: nothing that was acknowledged is ever lost.

A verdict is on disk before `decide` returns (WAL with synchronous=FULL, or a rollback journal where WAL cannot be, as
on network folders). Every change is an event that can be undone, has an id, so that a request which is sent twice
counts once, and names the revision that it changes, so that two windows cannot overwrite each other unseen.
"""

from __future__ import annotations

import json
import os
import sqlite3
import stat
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from karat.errors import DataError, KaratError, Problem, UsageError

_APPLICATION = 0x6B617261  # "kara": what SQLite's header calls the file
_VERSION = 1
_SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE items (item TEXT PRIMARY KEY, place INTEGER NOT NULL);
CREATE TABLE judgements (
    item TEXT NOT NULL, judge TEXT NOT NULL, verdict TEXT NOT NULL, label TEXT NOT NULL, note TEXT NOT NULL,
    unsure INTEGER NOT NULL, revision INTEGER NOT NULL, at REAL NOT NULL, PRIMARY KEY (item, judge)
);
CREATE TABLE events (
    number INTEGER PRIMARY KEY AUTOINCREMENT, judge TEXT NOT NULL, request TEXT NOT NULL, step TEXT NOT NULL,
    item TEXT NOT NULL, before TEXT NOT NULL, after TEXT NOT NULL, at REAL NOT NULL, undoes INTEGER,
    UNIQUE (judge, request, item)
);
CREATE INDEX events_of_judge ON events (judge, number);
CREATE TABLE active (judge TEXT PRIMARY KEY, seconds REAL NOT NULL);
"""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge says of an item; `revision` counts the changes, 0 while nothing was said."""

    item: str
    judge: str
    verdict: str = ""
    label: str = ""
    note: str = ""
    unsure: bool = False
    revision: int = 0
    at: float = 0.0

    @property
    def is_decided(self) -> bool:
        return bool(self.verdict) or self.unsure


@dataclass(frozen=True, slots=True)
class Decision:
    """What is to be kept of an item. `revision` is that of what the judge saw, None to overwrite whatever is there."""

    item: str
    verdict: str
    label: str = ""
    note: str = ""
    unsure: bool = False
    revision: int | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """A change: who made it, when, in which step (a bulk decision is one), and what was there before and after."""

    number: int
    judge: str
    step: str
    before: Judgement
    after: Judgement
    at: float
    undoes: int | None


class RevisionError(KaratError):
    """Another window has changed the item meanwhile; `now` is what it has."""

    def __init__(self, now: Judgement) -> None:
        super().__init__(f"{now.item} was changed in another window")
        self.now = now


class ReviewStore:
    """The store of one list, open for one server at a time.

    `items` are the ids of the list's rows, in its order; a store that was made for other rows keeps what it has of
    these and is given the new ones.
    """

    def __init__(self, path: str | os.PathLike[str], items: Sequence[str]) -> None:
        self.path = Path(path)
        self._mutex = threading.RLock()
        self._lock = _locked(self.path)
        try:
            _made_safely(self.path)
            self._connection = _connected(self.path)
            self._prepare(items)
        except BaseException:
            os.close(self._lock)
            raise

    def close(self) -> None:
        """Close the store, and let others open it."""
        with self._mutex:
            self._connection.close()
            with suppress(OSError):
                os.close(self._lock)

    def __enter__(self) -> ReviewStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- what was decided --------------------------------------------------------------------------------------------

    def judgement(self, judge: str, item: str) -> Judgement:
        """What a judge has said of an item; a `KeyError` for an item that the list does not have."""
        with self._mutex:
            return self._judgement(judge, item)

    def judgements(self, judge: str) -> dict[str, Judgement]:
        """All that a judge has said, by item."""
        with self._mutex:
            rows = self._connection.execute("SELECT * FROM judgements WHERE judge = ?", (judge,))
            return {row["item"]: _judgement_of(row) for row in rows}

    def judges(self) -> list[str]:
        """Everybody who has decided anything."""
        with self._mutex:
            return [row[0] for row in self._connection.execute("SELECT DISTINCT judge FROM judgements ORDER BY judge")]

    def decide(
        self,
        judge: str,
        item: str,
        verdict: str,
        *,
        label: str = "",
        note: str = "",
        unsure: bool = False,
        request: str,
        revision: int | None = None,
        step: str | None = None,
    ) -> Judgement:
        """Keep a verdict and return it once it is on disk.

        The same `request` again changes nothing. `revision` is that of what the judge saw: a `RevisionError` if it
        is another by now. Decisions of one `step` are undone together; without one, each is its own.
        """
        decision = Decision(item, verdict, label, note, unsure, revision)
        return self.decide_all(judge, [decision], request=request, step=step)[0]

    def decide_all(
        self, judge: str, decisions: Iterable[Decision], *, request: str, step: str | None = None
    ) -> list[Judgement]:
        """Keep several verdicts as one step, all of them or none; see `decide`."""
        with self._mutex, self._transaction() as connection:
            return [self._decide(connection, judge, one, request, step or request) for one in decisions]

    def done(self, judge: str, request: str) -> list[Judgement]:
        """What a request that was made already has changed, in its order; nothing for one that is new."""
        with self._mutex:
            rows = self._connection.execute(
                "SELECT after FROM events WHERE judge = ? AND request = ? ORDER BY number", (judge, request)
            )
            return [_judgement_from(row["after"]) for row in rows]

    def undo(self, judge: str, *, request: str) -> list[Judgement]:
        """Take back a judge's last step that is not taken back yet: what its items have now, or nothing."""
        with self._mutex, self._transaction() as connection:
            done = connection.execute(
                "SELECT after FROM events WHERE judge = ? AND request = ?", (judge, request)
            ).fetchall()
            if done:
                return [_judgement_from(row["after"]) for row in done]
            last = connection.execute(
                "SELECT step FROM events AS e WHERE judge = ? AND undoes IS NULL AND NOT EXISTS "
                "(SELECT 1 FROM events AS u WHERE u.undoes = e.number) ORDER BY number DESC LIMIT 1",
                (judge,),
            ).fetchone()
            if last is None:
                return []
            steps = connection.execute(
                "SELECT * FROM events AS e WHERE judge = ? AND step = ? AND undoes IS NULL AND NOT EXISTS "
                "(SELECT 1 FROM events AS u WHERE u.undoes = e.number) ORDER BY number DESC",
                (judge, last["step"]),
            ).fetchall()
            found = []
            for row in steps:
                old, now = _judgement_from(row["before"]), self._judgement(judge, row["item"])
                after = replace(old, revision=now.revision + 1, at=time.time())
                self._write(connection, request, request, now, after, undoes=row["number"])
                found.append(after)
            return found

    def history(self) -> Iterator[Event]:
        """Every change that was ever made, in order."""
        with self._mutex:
            rows = self._connection.execute("SELECT * FROM events ORDER BY number").fetchall()
        for row in rows:
            before, after = _judgement_from(row["before"]), _judgement_from(row["after"])
            yield Event(row["number"], row["judge"], row["step"], before, after, row["at"], row["undoes"])

    # ---- time at work ------------------------------------------------------------------------------------------------

    def add_time(self, judge: str, seconds: float) -> float:
        """Add to a judge's active time; all of it comes back."""
        with self._mutex, self._transaction() as connection:
            connection.execute(
                "INSERT INTO active VALUES (?, ?) "
                "ON CONFLICT (judge) DO UPDATE SET seconds = seconds + excluded.seconds",
                (judge, seconds),
            )
            return self._seconds(judge)

    def seconds(self, judge: str) -> float:
        """How long a judge has been at work."""
        with self._mutex:
            return self._seconds(judge)

    def _seconds(self, judge: str) -> float:
        row = self._connection.execute("SELECT seconds FROM active WHERE judge = ?", (judge,)).fetchone()
        return 0.0 if row is None else float(row["seconds"])

    # ---- facts about the list ----------------------------------------------------------------------------------------

    def fact(self, name: str) -> str | None:
        """What is kept under a name, such as the hash of the file that was last written."""
        with self._mutex:
            row = self._connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
            return None if row is None else str(row["value"])

    def keep_fact(self, name: str, value: str) -> None:
        """Keep something under a name."""
        with self._mutex, self._transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))

    # ---- inside ------------------------------------------------------------------------------------------------------

    def _judgement(self, judge: str, item: str) -> Judgement:
        row = self._connection.execute(
            "SELECT * FROM judgements WHERE item = ? AND judge = ?", (item, judge)
        ).fetchone()
        if row is not None:
            return _judgement_of(row)
        if self._connection.execute("SELECT 1 FROM items WHERE item = ?", (item,)).fetchone() is None:
            raise KeyError(item)
        return Judgement(item, judge)

    def _decide(
        self, connection: sqlite3.Connection, judge: str, decision: Decision, request: str, step: str
    ) -> Judgement:
        before = self._judgement(judge, decision.item)
        done = connection.execute(
            "SELECT after FROM events WHERE judge = ? AND request = ? AND item = ?", (judge, request, decision.item)
        ).fetchone()
        if done is not None:
            return _judgement_from(done["after"])
        if decision.revision is not None and decision.revision != before.revision:
            raise RevisionError(before)
        wanted = Judgement(decision.item, judge, decision.verdict, decision.label, decision.note, decision.unsure)
        after = replace(wanted, revision=before.revision + 1, at=time.time())
        self._write(connection, request, step, before, after)
        return after

    def _write(
        self,
        connection: sqlite3.Connection,
        request: str,
        step: str,
        before: Judgement,
        after: Judgement,
        *,
        undoes: int | None = None,
    ) -> None:
        connection.execute(
            "INSERT OR REPLACE INTO judgements VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            tuple(asdict(after).values()),
        )
        values = (after.judge, request, step, after.item, _as_text(before), _as_text(after), after.at, undoes)
        connection.execute(
            "INSERT INTO events (judge, request, step, item, before, after, at, undoes) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            values,
        )

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """What is done inside is on disk as a whole once it is left, or not at all."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            yield self._connection
            self._connection.execute("COMMIT")
        except BaseException as error:
            with suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
            if isinstance(error, sqlite3.Error):
                raise UsageError(f"{self.path} cannot be written: {error}") from None
            raise

    def _prepare(self, items: Sequence[str]) -> None:
        connection = self._connection
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version not in (0, _VERSION):
            raise _not_ours(self.path, "it was made by another version of karat")
        if not version:
            connection.executescript(f"BEGIN IMMEDIATE;{_SCHEMA}PRAGMA user_version = {_VERSION};COMMIT;")
        with self._transaction():
            connection.execute("DELETE FROM items")
            connection.executemany("INSERT INTO items VALUES (?, ?)", ((item, n) for n, item in enumerate(items)))


def _judgement_of(row: sqlite3.Row) -> Judgement:
    return Judgement(
        row["item"],
        row["judge"],
        row["verdict"],
        row["label"],
        row["note"],
        bool(row["unsure"]),
        row["revision"],
        row["at"],
    )


def _as_text(judgement: Judgement) -> str:
    return json.dumps(asdict(judgement), ensure_ascii=False)


def _judgement_from(text: str) -> Judgement:
    data: dict[str, Any] = json.loads(text)
    return Judgement(**data)


# ---- the file --------------------------------------------------------------------------------------------------------


def _locked(path: Path) -> int:
    """A lock that nobody else can have while this process lives; a `UsageError` if somebody has it."""
    lock = path.with_name(f"{path.name}.lock")
    try:
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    except OSError as error:
        raise UsageError(f"{lock} cannot be opened: {error.strerror}") from None
    try:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:  # Windows: the store itself is locked while it is written
        pass
    except OSError:
        os.close(descriptor)
        raise UsageError(f"{path} is in use by another karat review; close that one first") from None
    return descriptor


def _made_safely(path: Path) -> None:
    """Make the file if it is not there, for its owner alone; refuse links, and files that are no store."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o600)
        os.close(descriptor)
        return
    except FileExistsError:
        pass
    except OSError as error:
        raise UsageError(f"{path} cannot be made: {error.strerror}") from None
    found = os.lstat(path)
    if not stat.S_ISREG(found.st_mode):
        raise _not_ours(path, "it is a link, or no file")
    if found.st_size and path.read_bytes()[:16] != b"SQLite format 3\x00":
        raise _not_ours(path, "it is no store")
    if stat.S_IMODE(found.st_mode) & 0o077:
        os.chmod(path, 0o600)


def _connected(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=5)
    connection.row_factory = sqlite3.Row
    try:
        if connection.execute("PRAGMA quick_check").fetchone()[0] != "ok":
            raise _not_ours(path, "it is damaged")
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        is_new = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
        if application != _APPLICATION and not is_new:
            raise _not_ours(path, "it is another program's database")
        mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
        if mode != "wal":  # as on network folders
            connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(f"PRAGMA application_id = {_APPLICATION}")
    except sqlite3.DatabaseError as error:
        connection.close()
        raise _not_ours(path, str(error)) from None
    except BaseException:
        connection.close()
        raise
    return connection


def _not_ours(path: Path, why: str) -> DataError:
    hint = "move it away; karat review then makes a new one"
    return DataError(Problem("K960", f"not a store of karat review: {why}", str(path), hint=hint))
