"""Equal byte strings get equal numbers, a whole column at a time, without one Python object a field.

A field is read eight bytes at a time: the bytes as one integer, those behind its end masked to zero. A field of at
most eight bytes is that integer (no text holds a zero byte, so the length needs no place of its own); a longer one is
a chain of them, mixed into a hash and a check of 64 bits each. Each hash claims a slot of a table, the first field to
come keeping it, and every field is compared with the keeper of its slot: equal ones are settled, the others go round
again with another slot. For short fields the comparison is exact; for long ones it is of 128 bits under keys drawn anew
in each process, so that neither chance nor a crafted file makes two strings one. (Comparing their bytes instead doubles
the time that FEATS takes.)
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise

import numpy as np

from karat._arrays import Array, Bytes, Flags, Ids, Indices, Words64
from karat._compiled import pays
from karat._ragged import stretches
from karat.corpus.source import Source, made_source

_MASKS = np.array([(1 << (8 * n)) - 1 for n in range(9)], dtype=np.uint64)  # keeps the first n of eight bytes
_HASH_KEY, _CHECK_KEY = (np.uint64(int.from_bytes(os.urandom(8), "little") | 1) for _ in range(2))
_FOLD = np.uint64(29)
_ROWS_AT_ONCE = 1 << 16  # a working set that stays in the processor's cache
_SMALL_TABLE_BITS = 12
_MOST_ROUNDS = 8
_VERY_LONG = 4096


@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """Stretches of a source's bytes: the i-th is `source.buffer[start[i]:stop[i]]`."""

    source: Source
    start: Ids
    stop: Ids

    def __len__(self) -> int:
        return len(self.start)

    def __getitem__(self, chosen: Array | slice) -> Spans:
        return Spans(self.source, self.start[chosen], self.stop[chosen])

    @property
    def lengths(self) -> Ids:
        return self.stop - self.start

    def same_as(self, other: Spans) -> bool:
        """Whether both hold the same strings in the same order."""
        return np.array_equal(self.lengths, other.lengths) and np.array_equal(self._joined(), other._joined())

    def _joined(self) -> Bytes:
        return self.source.buffer.take(stretches(self.start, self.lengths.astype(np.intp)))

    def strings(self) -> list[str]:
        """Every stretch as text; a Python object each, so for vocabularies, not for tokens."""
        data = self.source.buffer.data
        bounds = zip(self.start.tolist(), self.stop.tolist(), strict=True)
        return [str(data[start:stop], "utf-8", "replace") for start, stop in bounds]


def spans_of_strings(strings: Iterable[str]) -> Spans:
    """Strings as stretches of bytes that are made for them, one behind the other."""
    encoded = [text.encode() for text in strings]
    lengths = np.array([len(data) for data in encoded], dtype=np.int32)
    stop = np.cumsum(lengths, dtype=np.int32)
    return Spans(made_source(b"".join(encoded)), stop - lengths, stop)


def interned(spans: Spans) -> tuple[Ids, Indices]:
    """A number for every span, equal for equal bytes, in the order of appearance; and where each first appears."""
    n = len(spans)
    if n == 0:
        return np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.intp)
    if pays():
        from karat.corpus.readers._compiled_brackets import numbered_spans

        return numbered_spans(spans.source.buffer, spans.start, spans.stop, _HASH_KEY)
    keeper = _keepers(spans, *_hashes(spans))
    first = np.flatnonzero(keeper == np.arange(n, dtype=np.int32))
    number = np.empty(n, dtype=np.int32)
    number[first] = np.arange(len(first), dtype=np.int32)
    return number.take(keeper), first


def interned_together(left: Spans, right: Spans) -> tuple[Ids, Ids]:
    """Numbers for the spans of two sources, equal for equal bytes on either side."""
    bytes_left, bytes_right = left._joined(), right._joined()
    source = made_source(bytes_left.tobytes() + bytes_right.tobytes())
    lengths = np.append(left.lengths, right.lengths)
    stop = np.cumsum(lengths, dtype=np.int32)
    ids, _ = interned(Spans(source, stop - lengths, stop))
    return ids[: len(left)], ids[len(left) :]


def same_strings(left: Spans, right: Spans) -> Flags:
    """Whether the spans of two sources, as many on either side, hold the same bytes, one by one."""
    if len(left) != len(right):
        raise ValueError(f"{len(left):,} spans cannot be compared one by one with {len(right):,}")
    if pays():
        from karat.corpus.readers import _compiled_brackets as compiled

        theirs = right.source.buffer, right.start, right.stop
        return compiled.same_strings(left.source.buffer, left.start, left.stop, *theirs)
    same: Flags = left.lengths == right.lengths
    (hashes, checks), (their_hashes, their_checks) = _hashes(left), _hashes(right)
    same &= hashes == their_hashes
    if checks is not None and their_checks is not None:  # where only one side has any, lengths differ
        same &= checks == their_checks
    return same


def _hashes(spans: Spans) -> tuple[Words64, Words64 | None]:
    """Hash and check of every span; no checks where no span is longer than eight bytes, so that hashes say all."""
    hashes = np.empty(len(spans), dtype=np.uint64)
    checks: Words64 | None = None
    words = spans.source.words_at_any_place()
    for first in range(0, len(spans), _ROWS_AT_ONCE):
        rows = slice(first, first + _ROWS_AT_ONCE)
        start = spans.start[rows].astype(np.intp)
        lengths = spans.stop[rows] - start
        hashed = words[start]
        hashed &= _MASKS.take(lengths, mode="clip")
        hashed *= _HASH_KEY
        open_ = np.flatnonzero(lengths > 8)
        if len(open_):
            if checks is None:
                checks = np.zeros(len(spans), dtype=np.uint64)
            if lengths.max() > _VERY_LONG:
                very_long = lengths.take(open_) > _VERY_LONG
                _digest_very_long(spans[rows], open_[very_long], hashed, checks[rows])
                open_ = open_[~very_long]
        if len(open_) and checks is not None:
            _mix_long(words, start.take(open_), lengths.take(open_), open_, hashed, checks[rows])
        hashes[rows] = hashed
    return hashes, checks


def _digest_very_long(spans: Spans, rows: Indices, hashed: Words64, check: Words64) -> None:
    """Hash and check of spans for which steps of eight bytes would be too many: few, or it would be no text."""
    key = _HASH_KEY.tobytes() + _CHECK_KEY.tobytes()
    for row in rows.tolist():
        text = spans.source.buffer[spans.start[row] : spans.stop[row]].data
        digest = blake2b(text, digest_size=16, key=key).digest()
        hashed[row], check[row] = np.frombuffer(digest, dtype=np.uint64)


def _mix_long(words: Words64, start: Indices, length: Indices, rows: Indices, hashed: Words64, check: Words64) -> None:
    """Mix all bytes behind the first eight into hash and check of the given rows.

    With the longest span first, those that still go on after any number of bytes are the first few: no row is
    looked for twice.
    """
    pieces = -((length - 1) >> 3)  # how many times eight bytes remain behind the first, negated
    if pieces.min() > np.iinfo(np.int16).min:
        pieces = pieces.astype(np.int16)  # a stable sort of these is linear
    order = np.argsort(pieces, kind="stable")
    start, length, rows, pieces = start.take(order), length.take(order), rows.take(order), pieces.take(order)
    hash_, check_ = hashed.take(rows), check.take(rows)
    n_going_on = np.searchsorted(pieces, -np.arange(1, 2 - int(pieces[0])), side="right").tolist()
    for step, (n, n_next) in enumerate(pairwise(n_going_on), start=1):
        more = words[start[:n] + 8 * step]
        more[n_next:] &= _MASKS.take(length[n_next:n] - 8 * step)  # the others go on: they have all eight bytes
        for mixed, key in ((hash_[:n], _HASH_KEY), (check_[:n], _CHECK_KEY)):
            mixed ^= mixed >> _FOLD
            mixed += more
            mixed *= key
    hashed[rows], check[rows] = hash_, check_


def _keepers(spans: Spans, hashes: Words64, checks: Words64 | None) -> Ids:
    """For each span the first one with the same bytes."""
    keeper = np.arange(len(spans), dtype=np.int32)
    rows = keeper  # those not settled yet; hashes and checks are theirs
    for number in range(_MOST_ROUNDS):
        table_bits = max(_SMALL_TABLE_BITS, len(rows).bit_length() + min(number, 2))
        slots = (hashes >> np.uint64(64 - table_bits)).astype(np.intp)
        table = np.empty(1 << table_bits, dtype=np.int32)
        table[slots[::-1]] = np.arange(len(rows) - 1, -1, -1)  # of several writers the last stays: the first to come
        candidates = table.take(slots)
        differ = hashes.take(candidates) != hashes
        if checks is not None:
            differ |= checks.take(candidates) != checks
        others = np.flatnonzero(differ)
        candidates[others] = others
        if number == 0:
            keeper = candidates
        else:
            keeper[rows] = rows.take(candidates)
        if not len(others):
            return keeper
        rows, hashes = rows.take(others), hashes.take(others)
        checks = None if checks is None else checks.take(others)
        hashes ^= hashes >> _FOLD
        hashes *= _HASH_KEY
    _settle_one_by_one(spans, rows, keeper)
    return keeper


def _settle_one_by_one(spans: Spans, unsettled: Ids, keeper: Ids) -> None:
    """What eight rounds did not settle: long strings whose hashes are equal though their checks differ."""
    seen: dict[bytes, int] = {}
    data = spans.source.buffer.data
    for row in unsettled.tolist():
        keeper[row] = seen.setdefault(data[spans.start[row] : spans.stop[row]].tobytes(), row)
