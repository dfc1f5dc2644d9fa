"""What people decide, kept in one SQLite file beside the worklist: nothing that was acknowledged is ever lost.

A verdict is on disk before `decide` returns. Every change is an event that stays, can be undone, has the id of its
request, so that a request which is sent twice counts once, and names the revision that it changes, so that two windows
cannot overwrite each other unseen. A verdict belongs to what was asked: where a list made anew asks something else
under the same id, the old verdict is not taken for an answer.
"""

from __future__ import annotations

import json
import math
import os
import sqlite3
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from karat.corpus.spreadsheet_tables import plain
from karat.errors import DataError
from karat.review.judgements import FIELDS, Decision, Event, Judgement, Origin, RevisionError, is_as_kept
from karat.review.store_changes import StoreChange
from karat.review.store_file import StoreUnavailableError, not_a_store, opened_store, reason

_EVENTS_AT_ONCE = 10_000


class ReviewStore:
    """The store of one list, open for one process at a time; its methods may be called from any thread.

    `items` are the ids of the list's rows; as a mapping, it says in a few characters what each asks (`asked`).
    What was decided on other rows, or on other questions, stays in the file and is not shown. `spelled` gives a
    verdict as the item's kind spells it, or raises if the kind does not allow it.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        items: Sequence[str] | Mapping[str, str],
        *,
        spelled: Callable[[str, str], str] | None = None,
    ) -> None:
        self.path = Path(os.path.abspath(path))
        self._asked = dict(items) if isinstance(items, Mapping) else dict.fromkeys(items, "")
        self._spelled = spelled
        self._mutex = threading.RLock()
        self._connection = opened_store(str(self.path))
        self._said: dict[str, dict[str, Judgement]] = {}  # by judge: what the file has, as nobody else can change it
        self._tallies: dict[str, Counter[str]] = {}  # by judge, so that nobody counts all rows after each verdict

    def close(self) -> None:
        """Close the store, and let others open it."""
        with self._mutex:
            self._connection.close()

    def __enter__(self) -> ReviewStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- what was decided --------------------------------------------------------------------------------------------

    def judgement(self, judge: str, item: str) -> Judgement:
        """What a judge has said of an item; a `KeyError` for an item that the list does not have."""
        with self._mutex:
            return self._now(judge, item)

    def judgements(self, judge: str) -> dict[str, Judgement]:
        """All that a judge has said, by item."""
        with self._mutex:
            return dict(self._of_judge(judge))

    def n_decided(self, judge: str) -> tuple[int, int]:
        """How many items a judge has given a verdict, and of how many others the judge was not sure."""
        with self._mutex:
            self._of_judge(judge)
            tally = self._tallies[judge]
            return tally["verdict"], tally["unsure"]

    def judges(self) -> list[str]:
        """Everybody who has said anything."""
        rows = self._read("SELECT DISTINCT judge FROM judgements ORDER BY judge")
        with self._mutex:
            return [
                judge for (judge,) in rows if any(one.says_something for one in self._of_judge(str(judge)).values())
            ]

    def n_set_aside(self, judge: str) -> int:
        """How many verdicts of a judge are on rows that the list no longer has, or that ask something else now."""
        with self._mutex:
            rows = self._read(
                "SELECT item, asked FROM judgements WHERE judge = ? AND (verdict <> '' OR unsure)", (judge,)
            )
            return sum(self._asked.get(item) != asked for item, asked in rows)

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
        is another by now. Decisions of one `step` that follow each other are undone together; without one, each is its
        own.
        """
        decision = Decision(item, verdict, label, note, unsure, revision)
        return self.decide_all(judge, [decision], request=request, step=step)[0]

    def decide_all(
        self, judge: str, decisions: Iterable[Decision], *, request: str, step: str | None = None
    ) -> list[Judgement]:
        """Keep several verdicts as one step, all of them or none; see `decide`."""
        with self._mutex, self._change(judge) as change:
            found = []
            for one in decisions:
                before = change.now(one.item)
                done = change.done(request, one.item)
                if done is None:
                    if one.revision is not None and one.revision != before.revision:
                        raise RevisionError(before)
                    done = change.keep(self._judged(judge, one, judge), request, step or request)
                found.append(done)
            return found

    def done(self, judge: str, request: str) -> list[Judgement]:
        """What a request that was made already has changed, in its order; nothing for one that is new."""
        rows = self._read("SELECT after FROM events WHERE judge = ? AND request = ? ORDER BY number", (judge, request))
        return [self._judgement(after) for (after,) in rows]

    def undo(self, judge: str, *, request: str) -> list[Judgement]:
        """Take back a judge's last step that is not taken back yet: what its items have now, or nothing.

        What was read in the list's file is no step, and no step goes back behind it.
        """
        with self._mutex:
            if done := self.done(judge, request):
                return done
            with self._change(judge) as change:
                if change.was_empty(request):
                    return []
                last = self._last_step(judge)
                if not last:
                    change.keep_empty(request)
                return [
                    change.keep(before, request, request, undoes=number) for number, before in last
                ]  # the latest first: an item that was changed twice gets back what it had at first

    def _last_step(self, judge: str) -> list[tuple[int, Judgement]]:
        """The events of the last step that can be undone, with what was there before, the latest first."""
        rows = self._connection.execute(
            "SELECT number, step, item, asked, before FROM events WHERE judge = ? AND can_undo ORDER BY number DESC",
            (judge,),
        )
        found: list[tuple[int, Judgement]] = []
        last = None
        for number, step, item, asked, before in rows:
            if self._asked.get(item) != asked:
                continue
            if last not in (None, step):
                break
            last = step
            found.append((number, self._judgement(before)))
        rows.close()
        return found

    def history(self) -> Iterator[Event]:
        """Every change that was ever made, in order."""
        number = 0
        while rows := self._read(
            "SELECT number, judge, request, step, origin, before, after, at, undoes FROM events "
            "WHERE number > ? ORDER BY number LIMIT ?",
            (number, _EVENTS_AT_ONCE),
        ):
            for number, judge, request, step, origin, before, after, at, undoes in rows:
                states = self._judgement(before), self._judgement(after)
                yield Event(number, judge, request, step, origin, *states, at, undoes)

    # ---- what the list's file says -----------------------------------------------------------------------------------

    def snapshot(self, judge: str) -> tuple[int, dict[str, Judgement]]:
        """The number of the last event, and all that a judge has said by then."""
        with self._mutex:
            return self.last_event(), dict(self._of_judge(judge))

    def last_event(self) -> int:
        """The number of the last event, 0 if there is none: what was decided has not changed while it is the same."""
        (number,) = self._read("SELECT coalesce(max(number), 0) FROM events")[0]
        return int(number)

    def states_since(self, judge: str, number: int, *, until: int) -> dict[str, list[tuple[int, Judgement]]]:
        """What items had at an event and since, for those that a judge has changed since: event numbers and states.

        What was read in the list's file begins anew: the file has it.
        """
        rows = self._read(
            "SELECT number, origin, item, asked, before, after FROM events "
            "WHERE judge = ? AND number > ? AND number <= ? AND origin <> 'conflict' ORDER BY number",
            (judge, number, until),
        )
        found: dict[str, list[tuple[int, Judgement]]] = {}
        for at, origin, item, asked, before, after in rows:
            if self._asked.get(item) != asked:
                continue
            if origin == "file":
                found[item] = [(at, self._judgement(after))]
            else:
                found.setdefault(item, [(number, self._judgement(before))]).append((at, self._judgement(after)))
        return {item: states for item, states in found.items() if len(states) > 1}

    def decided_here(self, judge: str) -> set[str]:
        """The items whose last change was made by a judge here, and not read in a file or merged."""
        rows = self._read(
            "SELECT item, asked, origin, max(number) FROM events "
            "WHERE judge = ? AND origin <> 'conflict' GROUP BY item, asked",
            (judge,),
        )
        return {item for item, asked, origin, _ in rows if origin == "judge" and self._asked.get(item) == asked}

    def take_in(
        self,
        judge: str,
        found: Iterable[Judgement],
        conflicts: Iterable[Judgement],
        *,
        request: str,
        origin: Origin = "file",
    ) -> tuple[int, bool]:
        """Keep what was read in the list's file, and note what it says against the judge.

        What comes of a "merge" is not in the file yet, and goes into it as the judge's own decisions do.

        The last event's number comes back, and whether all was kept: an item that has another revision than `found`
        was decided on meanwhile, and stays as it is.
        """
        is_whole = True
        with self._mutex, self._change(judge) as change:
            for one in found:
                if change.now(one.item).revision == one.revision:
                    decision = Decision(one.item, one.verdict, one.label, one.note, one.unsure)
                    change.keep(self._judged(judge, decision, one.author), request, request, origin=origin)
                else:
                    is_whole = False
            for one in conflicts:
                change.note_conflict(one, request)
            return self.last_event(), is_whole

    # ---- time at work ------------------------------------------------------------------------------------------------

    def add_time(self, judge: str, seconds: float) -> float:
        """Add to a judge's active time; all of it comes back."""
        if not (math.isfinite(seconds) and seconds >= 0):
            raise ValueError(f"a time must be finite and not negative, not {seconds}")
        with self._mutex, self._transaction() as connection:
            connection.execute(
                "INSERT INTO active VALUES (?, ?) "
                "ON CONFLICT (judge) DO UPDATE SET seconds = seconds + excluded.seconds",
                (judge, seconds),
            )
            return self.seconds(judge)

    def seconds(self, judge: str) -> float:
        """How long a judge has been at work."""
        rows = self._read("SELECT seconds FROM active WHERE judge = ?", (judge,))
        return float(rows[0][0]) if rows else 0.0

    # ---- facts about the list ----------------------------------------------------------------------------------------

    def fact(self, name: str) -> str | None:
        """What is kept under a name, such as the hash of the file that was last written."""
        rows = self._read("SELECT value FROM meta WHERE name = ?", (name,))
        return str(rows[0][0]) if rows else None

    def keep_fact(self, name: str, value: str) -> None:
        """Keep something under a name."""
        with self._mutex, self._transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))

    def fact_as_data(self, name: str) -> Any:
        """What is kept in JSON under a name, or None; a `DataError` if it is no JSON."""
        text = self.fact(name)
        try:
            return None if text is None else json.loads(text)
        except (ValueError, RecursionError):
            raise self.damaged() from None

    def damaged(self) -> DataError:
        """That the file holds what karat has not written: SQLite sees damage to tables, not to texts."""
        return not_a_store(str(self.path), "it is damaged")

    # ---- inside ------------------------------------------------------------------------------------------------------

    def _now(self, judge: str, item: str) -> Judgement:
        if item not in self._asked:
            raise KeyError(item)
        return self._of_judge(judge).get(item) or Judgement(item, judge)

    def _of_judge(self, judge: str) -> dict[str, Judgement]:
        said = self._said.get(judge)
        if said is None:
            rows = self._read(f"SELECT {', '.join(FIELDS)}, asked FROM judgements WHERE judge = ?", (judge,))
            said = {
                item: Judgement(item, judge, verdict, label, note, bool(unsure), *rest)
                for item, judge, verdict, label, note, unsure, *rest, asked in rows
                if self._asked.get(item) == asked
            }
            if not all(map(is_as_kept, said.values())):
                raise self.damaged()
            self._said[judge] = said
            self._tallies[judge] = Counter(map(_what_is_decided, said.values()))
        return said

    def _judgement(self, text: str) -> Judgement:
        """What an event keeps of a judgement."""
        try:
            found = Judgement(**json.loads(text))
        except (ValueError, TypeError, RecursionError):
            raise self.damaged() from None
        if not is_as_kept(found):
            raise self.damaged()
        return found

    def _judged(self, judge: str, one: Decision, author: str) -> Judgement:
        """A decision as it is kept: texts as the list's file can hold them, so that they come back as they were."""
        verdict, label, note = (plain(text).strip() for text in (one.verdict, one.label, one.note))
        if verdict and self._spelled is not None:
            verdict = self._spelled(one.item, verdict)
        return Judgement(one.item, judge, verdict, label, note, bool(one.unsure), author=author)

    @contextmanager
    def _change(self, judge: str) -> Iterator[StoreChange]:
        """Changes of a judge's verdicts; what was said changes here once they are on disk."""
        with self._transaction() as connection:
            change = StoreChange(connection, judge, self._now, self._asked, self._judgement)
            yield change
        said = self._of_judge(judge)
        tally = self._tallies[judge]
        tally.subtract(_what_is_decided(said[item]) for item in change.changed if item in said)
        tally.update(map(_what_is_decided, change.changed.values()))
        said.update(change.changed)

    def _read(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        with self._mutex:
            try:
                return self._connection.execute(query, values).fetchall()
            except sqlite3.Error as error:
                raise StoreUnavailableError(f"{self.path} cannot be read: {error}") from None

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
                raise StoreUnavailableError(f"{self.path} cannot be written: {reason(error)}") from None
            raise


def _what_is_decided(one: Judgement) -> str:
    return "verdict" if one.verdict else "unsure" if one.unsure else ""
