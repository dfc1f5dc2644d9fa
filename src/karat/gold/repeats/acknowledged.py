"""Which suspicious repeats are acknowledged exceptions, and which exceptions are about no suspicious repeat any more.

An exception names a repeat by its words, all of them, and by how they are labelled. The repeat is acknowledged if it
has no other labellings: a label that these words did not have when somebody looked at them makes it a finding again,
and so does one more word. An exception about one place takes this place out: if all others are labelled in one way, or
in ways that are acknowledged, so is the repeat. (A baseline is more lenient: what is a part of a known repeat is known.
But that a contradiction is right in many words does not mean that it is wherever a part of them stands.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from karat._arrays import Flags
from karat.errors import Problem
from karat.gold.exceptions import AcknowledgedException, Exceptions, Words
from karat.gold.repeats.audit import Audit, AuditItem

_MOST_LINES = 10


@dataclass(frozen=True, slots=True, eq=False)
class AppliedExceptions:
    """What exceptions do to an audit: which of its repeats are acknowledged, and which exceptions do nothing.

    `stale` ones name no suspicious repeat; those `without_reason` do not count.
    """

    path: str
    is_acknowledged: Flags
    stale: tuple[AcknowledgedException, ...]
    without_reason: tuple[AcknowledgedException, ...]

    @property
    def n_acknowledged(self) -> int:
        return int(self.is_acknowledged.sum())

    def problems(self) -> list[Problem]:
        """That exceptions are stale, with their lines."""
        hint = "remove them, or use the options with which they were written"
        return [
            Problem("K944", f"stale: no such finding any more: {one.text}", self.path, one.line, hint=hint)
            for one in self.stale
        ]

    def warnings(self) -> tuple[str, ...]:
        """That exceptions have no reason."""
        lines = [str(one.line) for one in self.without_reason]
        if not lines:
            return ()
        where = ", ".join([*lines[:_MOST_LINES], *(["…"] if len(lines) > _MOST_LINES else [])])
        what = "exception has" if len(lines) == 1 else "exceptions have"
        counted = "does not count" if len(lines) == 1 else "do not count"
        return (f"{self.path}: {len(lines):,} {what} no reason and {counted} (line{'s' * (len(lines) > 1)} {where})",)


def applied_exceptions(audit: Audit, exceptions: Exceptions) -> AppliedExceptions:
    """What the exceptions about repeats in the column that was compared do to an audit.

    Words fewer or more than the audit looks for are not its business, and so not stale.
    """
    fewest, most = audit.options.fewest, audit.options.max_words
    mine = [
        one
        for one in exceptions.about("repeat", audit.options.compared)
        if fewest <= len(one.words) and (most is None or len(one.words) <= most)
    ]
    of_words: dict[Words, list[AcknowledgedException]] = {}
    for one in mine:
        if one.reason:
            of_words.setdefault(one.words, []).append(one)
    used: set[AcknowledgedException] = set()
    flags = [_is_acknowledged(audit, item, of_words.get(item.words, ()), used) for item in audit.items()]
    return AppliedExceptions(
        exceptions.path,
        np.array(flags, dtype=np.bool_),
        tuple(one for one in mine if one.reason and one not in used),
        tuple(one for one in mine if not one.reason),
    )


def _is_acknowledged(
    audit: Audit, item: AuditItem, entries: Sequence[AcknowledgedException], used: set[AcknowledgedException]
) -> bool:
    """Whether a repeat has no labelling but those acknowledged; the entries that are about it become `used`."""
    if not entries:
        return False
    ways: set[Words] = set()
    for labels, sent_id, token in _places(audit, item):
        about_it = [one for one in entries if one.sent_id and _is_about(one, labels, sent_id, token)]
        used.update(about_it)
        if not about_it:
            ways.add(labels)
    known: set[Words] = set()
    for one in entries:
        if one.sent_id:
            continue
        named = one.labellings or {way.labels for way in item.labellings}
        known |= named
        if len(named & {way.labels for way in item.labellings}) > 1:
            used.add(one)
    return len(ways) < 2 or ways <= known


def _places(audit: Audit, item: AuditItem) -> Iterator[tuple[Words, str | None, int]]:
    """The labels, the sentence's id and the first word's ID of each place of a repeat."""
    for way in item.labellings:
        for corpus, sentence, token in zip(way.corpora, way.sentences, way.tokens, strict=True):
            yield way.labels, audit.sent_id(corpus, sentence), token


def _is_about(entry: AcknowledgedException, labels: Words, sent_id: str | None, token: int) -> bool:
    is_there = entry.sent_id == sent_id and entry.token in (None, token)
    return is_there and (not entry.labellings or labels in entry.labellings)


def exceptions_from(audit: Audit) -> list[AcknowledgedException]:
    """An exception for each suspicious repeat, the likeliest errors first, whose reason is to be filled in."""
    return [
        AcknowledgedException(
            "repeat", audit.options.compared, item.words, frozenset(way.labels for way in item.labellings)
        )
        for item in audit.items()
    ]


def renewed_exceptions(audit: Audit, old: Exceptions | None) -> list[AcknowledgedException]:
    """The old exceptions that have a reason and are not stale, and one for each suspicious repeat that is left."""
    stale = {one.line for one in audit.stale}
    kept = [one for one in old.entries if one.reason and one.line not in stale] if old else []
    known = {one.names for one in kept}
    return [*kept, *(one for one in exceptions_from(audit) if one.names not in known)]
