"""The SQLite file of a review: made for its owner alone, checked when it is opened, open in one process at a time."""

from __future__ import annotations

import os
import sqlite3
import stat

from karat.errors import DataError, Problem, UsageError

_APPLICATION = 0x6B617261  # "kara": what SQLite's header calls the file
_VERSION = 1
_SMALLEST_PAGE = 512  # bytes, of any SQLite database
_SECONDS_TO_WAIT = 0.2  # for somebody who is just closing it
_CACHE = 16_384  # KiB, so that a whole file can be taken in without reading pages again
_SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE judgements (
    item TEXT NOT NULL, judge TEXT NOT NULL, verdict TEXT NOT NULL, label TEXT NOT NULL, note TEXT NOT NULL,
    unsure INTEGER NOT NULL, revision INTEGER NOT NULL, at REAL NOT NULL, author TEXT NOT NULL, asked TEXT NOT NULL,
    PRIMARY KEY (judge, item, asked)
);
CREATE TABLE events (
    number INTEGER PRIMARY KEY AUTOINCREMENT, judge TEXT NOT NULL, request TEXT NOT NULL, step TEXT NOT NULL,
    origin TEXT NOT NULL, item TEXT NOT NULL, asked TEXT NOT NULL, before TEXT NOT NULL, after TEXT NOT NULL,
    at REAL NOT NULL, undoes INTEGER, can_undo INTEGER NOT NULL
);
CREATE INDEX events_of_request ON events (judge, request, item);
CREATE INDEX events_to_undo ON events (judge, number) WHERE can_undo;
CREATE INDEX items_to_undo ON events (judge, item) WHERE can_undo;
CREATE TABLE empty (judge TEXT NOT NULL, request TEXT NOT NULL, PRIMARY KEY (judge, request));
CREATE TABLE active (judge TEXT PRIMARY KEY, seconds REAL NOT NULL);
"""


class StoreUnavailableError(UsageError):
    """The store cannot be read or written now, as on a full disk; what was acknowledged before is safe."""


def opened_store(path: str) -> sqlite3.Connection:
    """The store at a path, made if there is none.

    It is locked by SQLite itself for as long as this process has it open: a `UsageError` if another one has. A
    `DataError` (K960) if the file is something else, or damaged.
    """
    _make_or_check(path)
    connection = None
    try:
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=_SECONDS_TO_WAIT)
        _lock(connection)
        _check(connection, path)
        _journal(connection)
        if not _schema(connection):
            _make_tables(connection)
        return connection
    except BaseException as error:
        if connection is not None:
            connection.close()
        if isinstance(error, sqlite3.Error):
            raise _explained(path, error) from None
        if isinstance(error, UnicodeDecodeError):  # SQLite quotes the bytes that it does not understand
            raise not_a_store(path, "it is damaged") from None
        raise


def _explained(path: str, error: sqlite3.Error) -> UsageError | DataError:
    if getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return UsageError(f"{path} is in use by another karat review; close that one first")
    if isinstance(error, sqlite3.OperationalError):  # a full disk, permissions: the file may well be good
        return StoreUnavailableError(f"{path} cannot be opened: {reason(error)}")
    return not_a_store(path, str(error))


def reason(error: sqlite3.Error) -> str:
    """Why SQLite could not do something, in words that say what to do where people can help."""
    if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL:
        return "the disk is full; delete something else"
    return str(error)


def _make_or_check(path: str) -> None:
    """Make the file if it is not there, for its owner alone; refuse links, others' files, and what is no store."""
    for beside in ("-wal", "-journal", "-shm"):
        if os.path.islink(path + beside):
            raise not_a_store(path + beside, "it is a link")
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o600))
        _sync_folder(path)
        return
    except FileExistsError:
        pass
    except OSError as error:
        raise StoreUnavailableError(f"{path} cannot be made: {error.strerror}") from None
    found = os.lstat(path)
    if not stat.S_ISREG(found.st_mode):
        raise not_a_store(path, "it is a link, or no file")
    if hasattr(os, "geteuid") and found.st_uid != os.geteuid():
        raise not_a_store(path, "it belongs to another user")
    # A store is never opened but by SQLite: whoever closes a file ends all locks that its process has on it. One that
    # is in use has whole pages; something smaller would be taken for an empty database.
    if 0 < found.st_size < _SMALLEST_PAGE:
        raise not_a_store(path, "it is no store")
    if stat.S_IMODE(found.st_mode) & 0o077:
        os.chmod(path, 0o600)


def _sync_folder(path: str) -> None:
    """The name of a new file is on disk too."""
    if os.name != "posix":
        return
    descriptor = os.open(os.path.dirname(path), os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _lock(connection: sqlite3.Connection) -> None:
    """Take the lock and keep it until the connection is closed, or the process is gone."""
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")  # WAL then needs no shared memory, which network folders lack
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute(f"PRAGMA cache_size = -{_CACHE}")
    connection.execute("BEGIN EXCLUSIVE")
    connection.execute("COMMIT")


def _check(connection: sqlite3.Connection, path: str) -> None:
    """Refuse what is no store, or a damaged one."""
    if connection.execute("PRAGMA quick_check").fetchone()[0] != "ok":
        raise not_a_store(path, "it is damaged")
    found = _schema(connection)
    if not found:
        return
    if connection.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION:
        raise not_a_store(path, "it is another program's database")
    if connection.execute("PRAGMA user_version").fetchone()[0] != _VERSION:
        raise not_a_store(path, "it was made by another version of karat")
    if found != _our_schema():
        raise not_a_store(path, "its tables were changed")


def _journal(connection: sqlite3.Connection) -> None:
    """Write ahead, or with a rollback journal where that cannot be; either way a commit is on disk."""
    try:
        (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    except sqlite3.OperationalError:
        mode = ""
    if mode == "wal":
        connection.execute("PRAGMA synchronous = FULL")
    else:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("PRAGMA synchronous = EXTRA")  # FULL leaves the end of the journal to the system


def _make_tables(connection: sqlite3.Connection) -> None:
    connection.executescript(
        f"BEGIN IMMEDIATE;{_SCHEMA}PRAGMA application_id = {_APPLICATION};PRAGMA user_version = {_VERSION};COMMIT;"
    )


def _schema(connection: sqlite3.Connection) -> set[tuple[str, str]]:
    rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'")
    return {(name, sql) for name, sql in rows}


def _our_schema() -> set[tuple[str, str]]:
    connection = sqlite3.connect(":memory:")
    try:
        connection.executescript(_SCHEMA)
        return _schema(connection)
    finally:
        connection.close()


def not_a_store(path: str, why: str) -> DataError:
    """That the file of a store cannot be used, and why."""
    hint = "move it away: karat review then makes a new one and takes in the verdicts that the list has"
    return DataError(Problem("K960", f"not a store of karat review: {why}", path, hint=hint))
