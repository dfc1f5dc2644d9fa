"""Sentences most of whose shingles, sequences of a few words, are in one sentence of another text.

Broder (1997) calls the share of one text's shingles that another has its *containment* in the other. It asks the right
question of a test sentence: was it seen in training, perhaps as a part of a longer sentence? (Resemblance, the Jaccard
index, would miss that.)

Not all pairs are compared. To have c of its n shingles, a training sentence must have one of any n - c + 1 of them: of
the rarest, which few have (prefix filtering: Chaudhuri, Ganti & Kaushik 2006). Those few are then counted exactly.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from karat._arrays import Array, Floats, Indices
from karat._ragged import offsets_of, owners_of, places_of_rows, stretches

SHINGLE = 3  # words
_AT_ONCE = 1 << 22  # shingles that are looked up together


@dataclass(frozen=True, slots=True, eq=False)
class NearDuplicates:
    """Which of the sentences asked about have near duplicates: the best of each, how near it is, how many there are."""

    sentence: Indices
    other: Indices
    share: Floats
    n_others: Indices


@dataclass(frozen=True, slots=True, eq=False)
class _Shingles:
    """Different shingles of sentences: of sentence s those from `offsets[s]` up to `offsets[s + 1]`, in order."""

    offsets: Indices
    values: Indices

    @property
    def sizes(self) -> Indices:
        return np.diff(self.offsets)


def near_duplicates(codes: Array, offsets: Indices, *, asked: Indices, among: Indices, least: float) -> NearDuplicates:
    """For sentences that are `asked` about, the nearest of those `among` which they are looked for.

    Near is one that has at least the share `least` of the other's shingles. Of equally near ones the shortest is the
    best, then the first.
    """
    ours, theirs, n_values = _shingles(codes.astype(np.intp), offsets, asked, among)
    pairs = list(_near_pairs(ours, theirs, n_values, least))
    none = np.zeros(0, dtype=np.intp)
    row, other, share = (np.concatenate(parts) for parts in zip((none, none, np.zeros(0)), *pairs, strict=True))
    order = np.lexsort((other, np.diff(offsets)[among[other]], -share, row))
    best = order[np.flatnonzero(np.diff(row[order], prepend=-1))]
    return NearDuplicates(asked[row[best]], among[other[best]], share[best], np.bincount(row)[row[best]])


# ---- shingles --------------------------------------------------------------------------------------------------------


def _shingles(codes: Indices, offsets: Indices, asked: Indices, among: Indices) -> tuple[_Shingles, _Shingles, int]:
    """The shingles of the sentences asked about, those of the others that are among them, and how many there are.

    Equal shingles have equal numbers. They grow word by word, and what no sentence asked about has is dropped at once:
    of a large training text, little is left.
    """
    (owner, at), (their_owner, their_at) = (_places(offsets, sentences) for sentences in (asked, among))
    keys, their_keys = codes[at], codes[their_at]
    n_codes = int(codes.max(initial=0)) + 1
    for ahead in range(1, SHINGLE + 1):
        known, numbers = np.unique(keys, return_inverse=True)
        their_numbers = np.minimum(np.searchsorted(known, their_keys), len(known) - 1)
        kept = known[their_numbers] == their_keys if len(known) else np.zeros(len(their_keys), dtype=np.bool_)
        their_owner, their_at, their_numbers = their_owner[kept], their_at[kept], their_numbers[kept]
        if ahead < SHINGLE:
            keys, their_keys = (
                some * n_codes + codes[places + ahead] for some, places in ((numbers, at), (their_numbers, their_at))
            )
    ours, theirs = ((owner, numbers, len(asked)), (their_owner, their_numbers, len(among)))
    return _different(*ours, len(known)), _different(*theirs, len(known)), len(known)


def _places(offsets: Indices, sentences: Indices) -> tuple[Indices, Indices]:
    """The words of some sentences with which shingles begin, and the row of the sentence of each."""
    sizes = np.maximum(np.diff(offsets)[sentences] - SHINGLE + 1, 0)
    return owners_of(sizes), stretches(offsets[:-1][sentences], sizes)


def _different(owner: Indices, value: Indices, n_sentences: int, n_values: int) -> _Shingles:
    """Each shingle of a sentence once."""
    keys = np.unique(owner * max(n_values, 1) + value)
    owner, value = np.divmod(keys, max(n_values, 1))
    return _Shingles(offsets_of(np.bincount(owner, minlength=n_sentences)), value)


# ---- pairs -----------------------------------------------------------------------------------------------------------


def _near_pairs(
    ours: _Shingles, theirs: _Shingles, n_values: int, least: float
) -> Iterator[tuple[Indices, Indices, Floats]]:
    """Blocks of pairs that are near: our sentence, theirs, and which share of our shingles it has."""
    owners, n_theirs = owners_of(theirs.sizes), max(len(theirs.sizes), 1)
    holders, frequency = (
        owners[np.argsort(theirs.values, kind="stable")],
        np.bincount(theirs.values, minlength=n_values),
    )
    holder_offsets = offsets_of(frequency)
    keys = owners * n_values + theirs.values  # ascending
    rare = _rare(ours, frequency, least)
    for rows in _blocks(np.diff(offsets_of(frequency[rare.values])[rare.offsets])):
        values = rare.values[rare.offsets[rows.start] : rare.offsets[rows.stop]]
        places, sizes = places_of_rows(holder_offsets, values)
        sentence = np.repeat(np.arange(rows.start, rows.stop), rare.sizes[rows])
        one, other = np.divmod(np.unique(np.repeat(sentence, sizes) * n_theirs + holders[places]), n_theirs)
        for some in _blocks(ours.sizes[one]):
            share = _in_common(ours, one[some], other[some], keys, n_values) / ours.sizes[one[some]]
            near = share >= least
            yield one[some][near], other[some][near], share[near]


def _rare(ours: _Shingles, frequency: Indices, least: float) -> _Shingles:
    """Of each of our sentences the rarest shingles, one of which a near one must have; those that none has, not."""
    owners = owners_of(ours.sizes)
    values = ours.values[np.lexsort((frequency[ours.values], owners))]
    needed = np.ceil(least * ours.sizes - 1e-9).clip(1)  # shares are rounded: rather one candidate more
    chosen = (stretches(0, ours.sizes) <= (ours.sizes - needed)[owners]) & (frequency[values] > 0)
    return _Shingles(offsets_of(chosen)[ours.offsets], values[chosen])


def _in_common(ours: _Shingles, one: Indices, other: Indices, keys: Indices, n_values: int) -> Indices:
    """How many of the shingles of each of our sentences the other one has."""
    places, sizes = places_of_rows(ours.offsets, one)
    wanted = np.repeat(other, sizes) * n_values + ours.values[places]
    at = np.searchsorted(keys, wanted)
    has_it = keys[np.minimum(at, len(keys) - 1)] == wanted
    return np.bincount(owners_of(sizes)[has_it], minlength=len(one))


def _blocks(work: Indices) -> Iterator[slice]:
    """Rows in blocks of limited work, at least one row each."""
    total = np.cumsum(work)
    start = 0
    while start < len(work):
        done = int(total[start - 1]) if start else 0
        stop = max(int(np.searchsorted(total, done + _AT_ONCE, side="right")), start + 1)
        yield slice(start, stop)
        start = stop
