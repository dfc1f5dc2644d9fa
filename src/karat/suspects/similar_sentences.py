"""Which sentences of two texts are similar, though not the same: by the trigrams of their characters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from karat._arrays import Array, Indices
from karat._ragged import offsets_of, stretches

_N = 4  # characters that two sentences must share to be looked at
_MOST_JOINS = 2_000_000  # pairs of sentences that share such characters, the rarest first: a bound on time and memory
_MOST_CANDIDATES = 3  # for each sentence
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


def similarity(one: str, other: str) -> float:
    """The share of trigrams of characters that two texts have in common (Dice): 1 if they are the same.

    >>> similarity("thebluedoor", "thebluedoor"), similarity("blue", "oak")
    (1.0, 0.0)
    >>> round(similarity("thebluedoor", "theblackdoor"), 2)
    0.61
    """
    left, right = _trigrams(one), _trigrams(other)
    common = sum(min(times, right[gram]) for gram, times in left.items())
    return 2 * common / (left.total() + right.total())


def _trigrams(text: str) -> Counter[str]:
    padded = f"\0{text}\0"
    return Counter(padded[place : place + 3] for place in range(max(len(padded) - 2, 1)))


def similar_pairs(ours: Sequence[str], theirs: Sequence[str], least: float) -> list[tuple[int, int]]:
    """Pairs of texts that are similar enough, the most similar first; none is in two pairs."""
    found = [
        (-similarity(ours[one], theirs[other]), abs(one - other), one, other)
        for one, other in zip(*(side.tolist() for side in _candidates(ours, theirs)), strict=True)
    ]
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for below, _, one, other in sorted(found):
        if -below >= least and one not in pairs and other not in taken:
            pairs[one] = other
            taken.add(other)
    return sorted(pairs.items())


def _candidates(ours: Sequence[str], theirs: Sequence[str]) -> tuple[Indices, Indices]:
    """For each of our texts those of theirs that share most of its characters, four in a row."""
    none = np.zeros(0, dtype=np.intp)
    if not (ours and theirs):
        return none, none
    our_grams, our_texts = _grams(ours)
    their_grams, their_texts = _grams(theirs)
    grams, our_first, n_ours = np.unique(our_grams, return_index=True, return_counts=True)
    same, their_first, n_theirs = np.unique(their_grams, return_index=True, return_counts=True)
    _, at, beside = np.intersect1d(grams, same, assume_unique=True, return_indices=True)
    if not len(at):
        return none, none
    n_joins = n_ours[at] * n_theirs[beside]
    rarest = np.argsort(n_joins, kind="stable")
    rarest = rarest[np.cumsum(n_joins[rarest]) <= _MOST_JOINS]
    at, beside, n_joins = at[rarest], beside[rarest], n_joins[rarest]
    number = stretches(0, n_joins)
    times = np.repeat(n_theirs[beside], n_joins)
    one = our_texts[np.repeat(our_first[at], n_joins) + number // times]
    other = their_texts[np.repeat(their_first[beside], n_joins) + number % times]
    pairs, shared = np.unique(one * len(theirs) + other, return_counts=True)
    one, other = np.divmod(pairs, len(theirs))
    order = np.lexsort((np.abs(one - other), -shared, one))
    one, other = one[order], other[order]
    _, n_candidates = np.unique(one, return_counts=True)
    best = stretches(0, n_candidates) < _MOST_CANDIDATES
    return one[best], other[best]


def _grams(texts: Sequence[str]) -> tuple[Array, Indices]:
    """The different stretches of four characters of each text as numbers, in order, and which text each is of."""
    lengths = np.array([len(text) for text in texts], dtype=np.intp)
    characters = np.frombuffer("".join(texts).encode("utf-32-le", "replace"), dtype=np.uint32).astype(np.uint64)
    sizes = np.maximum(lengths - _N + 1, 0)
    places = stretches(offsets_of(lengths)[:-1], sizes)
    codes = np.zeros(len(places), dtype=np.uint64)
    for step in range(_N):
        codes = codes * _MULTIPLIER + characters[places + step]
    owners = np.repeat(np.arange(len(texts)), sizes)
    order = np.lexsort((owners, codes))
    codes, owners = codes[order], owners[order]
    is_new = np.ones(len(codes), dtype=np.bool_)
    is_new[1:] = (codes[1:] != codes[:-1]) | (owners[1:] != owners[:-1])
    return codes[is_new], owners[is_new]
