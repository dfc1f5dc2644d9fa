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

from karat._arrays import Array, Flags, Floats, Indices
from karat._ragged import offsets_of, owners_of, places_of_rows, stretches
from karat.suspects.same_sentences import sequence_codes

SHINGLE = 3  # words
_AT_ONCE = 1 << 22  # shingles that are looked up together


@dataclass(frozen=True, slots=True, eq=False)
class NearDuplicates:
    """Which of the sentences asked about have a near duplicate, `sentence`, and of each the best, how near it is,
    and how many there are.
    """

    sentence: Indices
    other: Indices
    share: Floats
    n_others: Indices


@dataclass(frozen=True, slots=True, eq=False)
class _Shingles:
    """The different shingles of sentences: of sentence s those from `offsets[s]` up to `offsets[s + 1]`, in order."""

    offsets: Indices
    values: Indices

    @property
    def sizes(self) -> Indices:
        return np.diff(self.offsets)


def near_duplicates(
    codes: Array, offsets: Indices, *, asked: Indices, among: Indices, copies: Indices, least: float
) -> NearDuplicates:
    """For sentences that are `asked` about, the nearest of those `among` which they are looked for.

    Near is one that has at least the share `least` of the other's shingles. Of equally near ones the shortest is the
    best, then the first. `copies` is how often each of `among` is to be counted.
    """
    values = sequence_codes(codes, SHINGLE)
    ours, theirs = (_shingles(values, offsets, sentences) for sentences in (asked, among))
    n_values = int(values.max(initial=0)) + 1
    is_ours = np.zeros(n_values, dtype=np.bool_)
    is_ours[ours.values] = True
    theirs = _only(theirs, is_ours)
    pairs = list(_counted(ours, theirs, n_values, least))
    none = np.zeros(0, dtype=np.intp)
    row, other, share = (np.concatenate(parts) for parts in zip((none, none, np.zeros(0)), *pairs, strict=True))
    order = np.lexsort((other, np.diff(offsets)[among[other]], -share, row))
    best = order[np.flatnonzero(np.diff(row[order], prepend=-1))]
    n_others = np.bincount(row, weights=copies[other], minlength=len(asked)).astype(np.intp)
    return NearDuplicates(asked[row[best]], among[other[best]], share[best], n_others[row[best]])


def _shingles(values: Indices, offsets: Indices, sentences: Indices) -> _Shingles:
    """The different shingles of some sentences."""
    sizes = np.maximum(np.diff(offsets)[sentences] - SHINGLE + 1, 0)
    owners = owners_of(sizes)
    n_values = int(values.max(initial=0)) + 1
    keys = np.unique(owners * n_values + values[stretches(offsets[:-1][sentences], sizes)])
    owner, value = np.divmod(keys, n_values)
    return _Shingles(offsets_of(np.bincount(owner, minlength=len(sentences))), value)


def _only(shingles: _Shingles, is_wanted: Flags) -> _Shingles:
    """The wanted ones of the shingles."""
    kept = is_wanted[shingles.values]
    return _Shingles(offsets_of(kept)[shingles.offsets], shingles.values[kept])


def _counted(
    ours: _Shingles, theirs: _Shingles, n_values: int, least: float
) -> Iterator[tuple[Indices, Indices, Floats]]:
    """Blocks of pairs that are near: our sentence, theirs, and which share of our shingles it has."""
    owners = owners_of(theirs.sizes)
    order = np.argsort(theirs.values, kind="stable")
    holders, frequency = owners[order], np.bincount(theirs.values, minlength=n_values)
    holder_offsets = offsets_of(frequency)
    keys = owners * n_values + theirs.values  # ascending
    rare = _rare(ours, frequency, least)
    for rows in _blocks(np.diff(offsets_of(frequency[rare.values])[rare.offsets])):
        values = rare.values[rare.offsets[rows.start] : rare.offsets[rows.stop]]
        places, sizes = places_of_rows(holder_offsets, values)
        sentence = np.repeat(np.arange(rows.start, rows.stop), rare.sizes[rows])
        pairs = np.unique(np.repeat(sentence, sizes) * len(theirs.sizes) + holders[places])
        one, other = np.divmod(pairs, max(len(theirs.sizes), 1))
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
