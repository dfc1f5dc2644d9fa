"""The events of one change of a judge's verdicts, and what items have after them: one transaction of the store."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Mapping
from dataclasses import replace

from karat.review.judgements import FIELDS, VALUES, Judgement, Origin, judgement_text

_KEEP = f"INSERT OR REPLACE INTO judgements ({', '.join(FIELDS)}, asked) VALUES ({'?, ' * len(FIELDS)}?)"


class StoreChange:
    """Events of one transaction, and what items have after them."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        judge: str,
        now: Callable[[str, str], Judgement],
        asked: Mapping[str, str],
        judgement: Callable[[str], Judgement],
    ) -> None:
        self.changed: dict[str, Judgement] = {}
        self._judgement = judgement
        self._connection, self._judge, self._now, self._asked = connection, judge, now, asked
        self._at = time.time()
        to_undo = connection.execute("SELECT 1 FROM events WHERE judge = ? AND can_undo LIMIT 1", (judge,)).fetchone()
        self._has_steps = to_undo is not None

    def now(self, item: str) -> Judgement:
        return self.changed.get(item) or self._now(self._judge, item)

    def done(self, request: str, item: str) -> Judgement | None:
        """What this request has made of the item already."""
        row = self._connection.execute(
            "SELECT after FROM events WHERE judge = ? AND request = ? AND item = ? ORDER BY number DESC",
            (self._judge, request, item),
        ).fetchone()
        return None if row is None else self._judgement(row[0])

    def was_empty(self, request: str) -> bool:
        """Whether this request found nothing to undo."""
        row = self._connection.execute("SELECT 1 FROM empty WHERE judge = ? AND request = ?", (self._judge, request))
        return row.fetchone() is not None

    def keep_empty(self, request: str) -> None:
        self._connection.execute("INSERT INTO empty VALUES (?, ?)", (self._judge, request))

    def keep(
        self, wanted: Judgement, request: str, step: str, *, undoes: int | None = None, origin: Origin = "judge"
    ) -> Judgement:
        """Change an item and note the event."""
        before = self.now(wanted.item)
        after = replace(wanted, revision=before.revision + 1, at=self._at)
        asked = self._asked[after.item]
        self._connection.execute(_KEEP, (*VALUES(after), asked))
        if origin in ("file", "merge") and self._has_steps:
            self._connection.execute(
                "UPDATE events SET can_undo = 0 WHERE judge = ? AND item = ? AND can_undo", (self._judge, after.item)
            )
        if undoes is not None:
            self._connection.execute("UPDATE events SET can_undo = 0 WHERE number = ?", (undoes,))
        can_undo = origin == "judge" and undoes is None
        self._note(request, step, origin, before, after, undoes, can_undo)
        self.changed[after.item] = after
        return after

    def note_conflict(self, there: Judgement, request: str) -> None:
        """Note what the list's file says against the judge; the item keeps what it has."""
        now = self.now(there.item)
        after = replace(there, revision=now.revision, at=self._at)
        self._note(request, request, "conflict", now, after, None, False)

    def _note(
        self,
        request: str,
        step: str,
        origin: Origin,
        before: Judgement,
        after: Judgement,
        undoes: int | None,
        can_undo: bool,
    ) -> None:
        asked = self._asked[after.item]
        values = (
            self._judge,
            request,
            step,
            origin,
            after.item,
            asked,
            judgement_text(before),
            judgement_text(after),
            self._at,
        )
        self._connection.execute(
            "INSERT INTO events (judge, request, step, origin, item, asked, before, after, at, undoes, can_undo) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*values, undoes, can_undo),
        )
