"""Which sentence of one version of a corpus is which of the other.

By name (`sent_id`) and text; else by text, of equal texts the one between the same neighbours; else, where the text was
edited, by a similar text: less similar is enough under the same name.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from karat._arrays import Array, Flags, Indices
from karat._numbering import numbered_values
from karat.align._alignment import Side
from karat.suspects.similar_sentences import similar_pairs, similarity

SIMILAR = 0.5  # trigrams of characters in common: the same sentence, edited
SIMILAR_UNDER_ONE_NAME = 0.25
_NO_NAME = -1


@dataclass(frozen=True, slots=True, eq=False)
class SentencePairs:
    """The sentences that both versions have, in the order of the old one; `same_text` but for spaces and tokens."""

    old: Indices
    new: Indices
    same_text: Flags

    def __len__(self) -> int:
        return len(self.old)

    def out_of_order(self) -> Indices:
        """The pairs that are not where the others are: all but a longest series that has the same order in both."""
        ends: list[int] = []  # of the series of each length so far, the smallest last sentence
        last: list[int] = []  # and which pair that is
        before = np.full(len(self), -1)
        for pair, sentence in enumerate(self.new.tolist()):
            length = bisect_left(ends, sentence)
            before[pair] = last[length - 1] if length else -1
            ends[length:] = [sentence, *ends[length + 1 :]]
            last[length:] = [pair, *last[length + 1 :]]
        moved = np.ones(len(self), dtype=np.bool_)
        pair = last[-1] if last else -1
        while pair >= 0:
            moved[pair] = False
            pair = int(before[pair])
        return np.flatnonzero(moved)


def sentence_texts(side: Side) -> list[str]:
    """The characters of each sentence, without spaces."""
    bounds = side.bounds.tolist()
    return [side.surface.text[start:stop] for start, stop in pairwise(bounds)]


def paired_sentences(old: Side, new: Side) -> SentencePairs:
    """The sentences of two versions that belong together."""
    texts = sentence_texts(old), sentence_texts(new)
    names = old.corpus.sent_ids.strings(), new.corpus.sent_ids.strings()
    pairing = _Pairing(len(texts[0]), len(texts[1]))
    known_texts: dict[str, int] = {}
    known_names: dict[str, int] = {"": _NO_NAME}
    text = _numbered(texts, known_texts)
    name = _numbered(names, known_names)
    is_named = name[0] != _NO_NAME, name[1] != _NO_NAME
    pairing.pair([text, name], is_named)
    before, behind = (_shifted(text[0], 1), _shifted(text[1], 1)), (_shifted(text[0], -1), _shifted(text[1], -1))
    for keys in ([text, before, behind], [text, before], [text, behind], [text]):
        pairing.pair(keys)
    n_same = len(pairing.old)
    pairing.pair([name], is_named, texts=texts, least=SIMILAR_UNDER_ONE_NAME)
    pairing.pair_similar(texts)
    order = np.argsort(pairing.old, kind="stable")
    return SentencePairs(pairing.old[order], pairing.new[order], order < n_same)


_Both = tuple[Array, Array]  # of the old version and of the new one
_Texts = tuple[Sequence[str], Sequence[str]]


def _numbered(strings: _Texts, known: dict[str, int]) -> _Both:
    first = numbered_values(strings[0], known)
    return first, numbered_values(strings[1], known)


def _shifted(keys: Array, by: int) -> Array:
    """The keys of the sentences before (1) or behind (-1), -2 at the end of the text."""
    shifted = np.full_like(keys, -2)
    if by > 0:
        shifted[by:] = keys[:-by]
    else:
        shifted[:by] = keys[-by:]
    return shifted


def _joined(keys: Sequence[_Both]) -> _Both:
    """One number for several: equal where all of them are."""
    n_old = len(keys[0][0])
    rows = np.stack([np.concatenate(both) for both in keys], axis=1)
    _, number = np.unique(rows, axis=0, return_inverse=True)
    number = number.reshape(-1)
    return number[:n_old], number[n_old:]


class _Pairing:
    """Pairs as they are found; what is paired once stays so."""

    def __init__(self, n_old: int, n_new: int) -> None:
        self.old = self.new = np.zeros(0, dtype=np.intp)
        self._left = np.ones(n_old, dtype=np.bool_), np.ones(n_new, dtype=np.bool_)

    def pair(
        self,
        keys: Sequence[_Both],
        may: tuple[Flags, Flags] | None = None,
        *,
        texts: _Texts | None = None,
        least: float = 0.0,
    ) -> None:
        """Pair sentences with equal keys, the first with the first; where texts are given, if these are similar."""
        open_ = self._left if may is None else (self._left[0] & may[0], self._left[1] & may[1])
        sentences = np.flatnonzero(open_[0]), np.flatnonzero(open_[1])
        if not (len(sentences[0]) and len(sentences[1])):
            return
        old, new = _in_turn(*_joined([(of[0][sentences[0]], of[1][sentences[1]]) for of in keys]))
        old, new = sentences[0][old], sentences[1][new]
        if texts is not None:
            pairs = zip(old.tolist(), new.tolist(), strict=True)
            fits = np.array([similarity(texts[0][a], texts[1][b]) >= least for a, b in pairs], dtype=np.bool_)
            old, new = old[fits], new[fits]
        self._add(old, new)

    def pair_similar(self, texts: _Texts) -> None:
        """Pair what is left by how similar texts are."""
        left = [np.flatnonzero(one) for one in self._left]
        ours, theirs = ([of[place] for place in one.tolist()] for of, one in zip(texts, left, strict=True))
        pairs = np.array(similar_pairs(ours, theirs, SIMILAR), dtype=np.intp).reshape(-1, 2)
        self._add(left[0][pairs[:, 0]], left[1][pairs[:, 1]])

    def _add(self, old: Indices, new: Indices) -> None:
        self.old, self.new = np.append(self.old, old), np.append(self.new, new)
        self._left[0][old] = False
        self._left[1][new] = False


def _in_turn(ours: Array, theirs: Array) -> tuple[Indices, Indices]:
    """Places with equal keys on both sides: the first of ours with the first of theirs, the second with the second."""
    our_keys, their_keys = _joined([(ours, theirs), (_turns(ours), _turns(theirs))])
    _, at, beside = np.intersect1d(our_keys, their_keys, assume_unique=True, return_indices=True)
    return at, beside


def _turns(keys: Array) -> Indices:
    """How many equal keys come before each."""
    order = np.argsort(keys, kind="stable")
    is_first = np.ones(len(keys), dtype=np.bool_)
    is_first[1:] = keys[order][1:] != keys[order][:-1]
    places = np.arange(len(keys))
    turns = np.empty(len(keys), dtype=np.intp)
    turns[order] = places - np.maximum.accumulate(np.where(is_first, places, 0))
    return turns
