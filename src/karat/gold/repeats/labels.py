"""The annotation of a running text: a label a place, from any columns, or from dependencies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from karat._arrays import Ids, Indices
from karat._numbering import keys_below, numbered_pairs
from karat.corpus import Corpus
from karat.corpus.analysed import tags_shown
from karat.errors import UsageError
from karat.gold.repeats.running_text import BOUNDARY, RunningText, joint_codes

OUTSIDE = "outside"
NEVER_INSIDE = 1 << 30  # further than any sentence is long


def _nothing() -> Ids:
    return np.zeros(0, dtype=np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """One label a place of a text: `names[codes[p]]`.

    Where `reach` is given, the label at p is about p and `p + reach[p]`: it counts in a span that holds both, together
    with the distance; in other spans it is OUTSIDE. `of` says what is labelled, for signatures.
    """

    of: str
    codes: Ids
    names: Sequence[str]
    reach: Ids = field(default_factory=_nothing)
    shows_distance: bool = True

    def strings(self, place: int, length: int) -> tuple[str, ...]:
        """The labels in a span."""
        names = [self.names[code] for code in self.codes[place : place + length].tolist()]
        if not len(self.reach):
            return tuple(names)
        ends = [at + reach for at, reach in enumerate(self.reach[place : place + length].tolist())]
        shown = [
            f"{name}{end - at:+d}" if self.shows_distance else name
            for at, (name, end) in enumerate(zip(names, ends, strict=True))
        ]
        return tuple(name if 0 <= end < length else OUTSIDE for name, end in zip(shown, ends, strict=True))


class WordsWithLabels:
    """How often each word of a text has each label: `counts`, of the pairs `words` and `codes`, which come in order."""

    def __init__(self, text: RunningText, labels: Labels) -> None:
        inside = text.codes != BOUNDARY
        self._n = max(len(labels.names), 1)
        keys = text.codes[inside] * np.int64(self._n) + labels.codes[inside]
        self._keys, number = keys_below(len(text.vocabulary) * self._n, keys)
        self.counts = np.bincount(number)
        self.words, self.codes = np.divmod(self._keys, self._n)

    def count(self, words: Ids, codes: Ids | Indices) -> Indices:
        """How often each word has each label."""
        if not len(self._keys):
            return np.zeros(len(words), dtype=np.intp)
        wanted = words * np.int64(self._n) + codes
        at = np.minimum(np.searchsorted(self._keys, wanted), len(self._keys) - 1)
        return np.where(self._keys[at] == wanted, self.counts[at], 0)


def column_labels(text: RunningText, columns: str | Sequence[str]) -> Labels:
    """The values of a column, or of several together: their names are then joined by spaces.

    Several chosen tags of a word are one label, in whatever order the file has them.
    """
    columns = (columns,) if isinstance(columns, str) else tuple(columns)
    if not columns:
        raise UsageError("no column to compare was given")
    codes, names = joint_codes(text.corpora, columns[0], tags_shown)
    for column in columns[1:]:
        codes, names = _together(codes, names, *joint_codes(text.corpora, column, tags_shown))
    return Labels("+".join(columns), text.spread(codes), names)


def _together(codes: Ids, names: list[str], others: Ids, other_names: list[str]) -> tuple[Ids, list[str]]:
    """The pairs of two labels as one: codes for those that occur, and their names."""
    left, right, together = numbered_pairs(codes, others, len(names), len(other_names))
    return together, [
        f"{names[one]} {other_names[other]}" for one, other in zip(left.tolist(), right.tolist(), strict=True)
    ]


def dependency_labels(text: RunningText) -> Labels:
    """The relation of every word and where its head is, if both are in the span [Boyd, Dickinson & Meurers 2008].

    A word whose head is outside the span, or the root, or was left out of the text, is OUTSIDE there: what governs a
    stretch of words is not a matter of the stretch.
    """
    relations, names = joint_codes(text.corpora, "deprel")
    codes = text.spread(relations)
    place_of_word = np.full(len(relations) + 1, BOUNDARY, dtype=np.int32)  # the last is for what has no head
    places = np.flatnonzero(text.codes != BOUNDARY).astype(np.int32)
    place_of_word[text.words_at(places)] = places
    heads = text.spread(heads_of_all(text.corpora))
    heads[places] = place_of_word[heads[places]]
    reach = np.where(heads == BOUNDARY, NEVER_INSIDE, heads - np.arange(len(heads), dtype=np.int32)).astype(np.int32)
    return Labels("dependencies", codes, names, reach)


def heads_of_all(corpora: Sequence[Corpus]) -> Ids:
    """The head of every word, both counted through all corpora, or -1."""
    found, n_before = [], 0
    for corpus in corpora:
        if corpus.heads is None:
            raise UsageError(f"{corpus.path} has no heads: dependencies cannot be compared")
        first = corpus.sentence_offsets[:-1].take(corpus.words_sentence)
        n_words = np.diff(corpus.sentence_offsets).take(corpus.words_sentence)
        has_head = (corpus.heads > 0) & (
            corpus.heads <= n_words
        )  # bad sentences that were kept have heads out of range
        found.append(np.where(has_head, n_before + first + corpus.heads - 1, BOUNDARY).astype(np.int32))
        n_before += corpus.n_words
    return np.concatenate(found)
