"""What is the same on matching words: each comparison made once, whatever number of measures asks for it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Literal, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from karat._arrays import Flags, Ids, Indices
from karat._numbering import numbered_values
from karat.align import Alignment
from karat.corpus import Corpus, Vocabulary
from karat.corpus.interning import interned_together
from karat.errors import UsageError

Transform = Callable[[str], str]

ROOT = -1
_UNALIGNED = -2

_Value = TypeVar("_Value", bound=np.generic)
_Made = TypeVar("_Made")


def at(values: NDArray[_Value], chosen: Indices) -> NDArray[_Value]:
    """The chosen values; all of them without a copy where as many are chosen as there are (matches are in order)."""
    return values if len(chosen) == len(values) else values.take(chosen)


class Comparison:
    """An alignment, and what is the same on its matching words.

    Columns are compared through the vocabularies: values, after a transformation if one is given, get the same code
    on both sides exactly if they are equal.
    """

    def __init__(self, alignment: Alignment) -> None:
        self.alignment = alignment
        self.gold = alignment.gold
        self.system = alignment.system
        self._kept: dict[tuple[object, ...], object] = {}
        self._codes: dict[tuple[str, Transform | None], tuple[Ids, Ids]] = {}
        self._same: dict[tuple[str, Transform | None], Flags] = {}

    def kept(self, key: tuple[object, ...], make: Callable[[], _Made]) -> _Made:
        """What `make` returns, made once for all measures that ask for it under this key."""
        if key not in self._kept:
            self._kept[key] = make()
        return cast("_Made", self._kept[key])

    @property
    def n_rows(self) -> int:
        return self.gold.n_sentences

    @cached_property
    def matching_rows(self) -> Indices:
        """The row of every pair of matching words."""
        return at(self.gold.words_sentence, self.alignment.gold_words)

    def tally(self, of: Literal["gold", "system", "matching"], chosen: Flags | None = None) -> Indices:
        """How many gold words, system words or pairs of matching words each row has; with `chosen`, only those."""
        if of == "matching":
            rows = self.matching_rows
        else:
            rows = self.gold.words_sentence if of == "gold" else self.alignment.system_rows
        if chosen is not None:
            return np.bincount(rows.take(np.flatnonzero(chosen)), minlength=self.n_rows)
        return self.kept(("tally", of), lambda: np.bincount(rows, minlength=self.n_rows))

    def codes(self, name: str, transform: Transform | None = None) -> tuple[Ids, Ids]:
        """The codes of a column's values for all gold words and for all system words."""

        key = (name, transform)
        if key not in self._codes:
            ours, theirs = self.gold.column(name), self.system.column(name)
            our_codes, their_codes = _joint_codes(ours.vocabulary, theirs.vocabulary, transform)
            self._codes[key] = our_codes.take(ours.ids), their_codes.take(theirs.ids)
        return self._codes[key]

    def same(self, name: str, transform: Transform | None = None) -> Flags:
        """For every pair of matching words whether a column has the same value."""

        key = (name, transform)
        if key not in self._same:
            ours, theirs = self.codes(name, transform)
            self._same[key] = np.equal(at(ours, self.alignment.gold_words), at(theirs, self.alignment.system_words))
        return self._same[key]

    def flags(self, name: str, is_wanted: Callable[[str], bool]) -> tuple[Flags, Flags]:
        """For all gold and all system words whether the column's value is a wanted one."""
        return column_flags(self.gold, name, is_wanted), column_flags(self.system, name, is_wanted)

    @cached_property
    def gold_parents(self) -> Indices:
        """The head of every gold word as the index of a gold word, or ROOT."""
        return parents(self.gold)

    @cached_property
    def system_parents(self) -> Indices:
        """The head of every system word as the index of the gold word that matches it, or ROOT, or less for none."""
        heads = parents(self.system)
        matching = np.append(self.alignment.gold_of_system, ROOT)  # index -1, the root, finds the last
        return np.where(heads == ROOT, ROOT, np.where(matching == ROOT, _UNALIGNED, matching)[heads])

    @cached_property
    def same_head(self) -> Flags:
        """For every pair of matching words whether their heads match, or both are roots."""
        ours = at(self.gold_parents, self.alignment.gold_words)
        return np.equal(ours, at(self.system_parents, self.alignment.system_words))


def _joint_codes(ours: Vocabulary, theirs: Vocabulary, transform: Transform | None) -> tuple[Ids, Ids]:
    """Codes for the values of two vocabularies, equal where the values are, after a transformation if one is given."""
    if transform is None:
        return interned_together(ours.spans, theirs.spans)
    seen: dict[str, int] = {}
    return numbered_values(map(transform, ours.strings), seen), numbered_values(map(transform, theirs.strings), seen)


def column_flags(corpus: Corpus, name: str, is_wanted: Callable[[str], bool]) -> Flags:
    """For every word whether the column's value is a wanted one."""
    column = corpus.column(name)
    return np.array([is_wanted(text) for text in column.vocabulary.strings], dtype=np.bool_).take(column.ids)


def parents(corpus: Corpus) -> Indices:
    """The head of every word as the index of a word, or ROOT."""
    if corpus.heads is None:
        raise ValueError(f"{corpus.path} has no heads")
    if (corpus.heads > np.diff(corpus.sentence_offsets).take(corpus.words_sentence)).any():
        raise UsageError(f"{corpus.path} has heads out of range; read it with trees=True to see where")
    return np.where(corpus.heads > 0, corpus.sentence_offsets[:-1].take(corpus.words_sentence) + corpus.heads - 1, ROOT)
