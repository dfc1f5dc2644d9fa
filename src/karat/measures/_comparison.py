"""What is the same on matching words: each comparison made once, whatever number of measures asks for it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from karat._arrays import Flags, Ids, Indices
from karat.align import Alignment
from karat.corpus import Corpus

__all__ = ["ROOT", "Comparison", "Transform", "at"]

Transform = Callable[[str], str]

ROOT = -1
_UNALIGNED = -2


_Value = TypeVar("_Value", bound=np.generic)


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
        self._codes: dict[tuple[str, Transform | None], tuple[Ids, Ids]] = {}
        self._same: dict[tuple[str, Transform | None], Flags] = {}

    @property
    def n_rows(self) -> int:
        return self.gold.n_sentences

    @cached_property
    def matching_rows(self) -> Indices:
        """The row of every pair of matching words."""
        return at(self.gold.words_sentence, self.alignment.gold_words)

    def codes(self, name: str, transform: Transform | None = None) -> tuple[Ids, Ids]:
        """The codes of a column's values for all gold words and for all system words."""
        found = self._codes.get((name, transform))
        if found is None:
            ours, theirs = self.gold.column(name), self.system.column(name)
            if transform is None and ours.vocabulary.spans.same_as(theirs.vocabulary.spans):
                found = ours.ids, theirs.ids
            else:
                seen: dict[str, int] = {}
                our_codes, their_codes = (
                    np.array([seen.setdefault(transform(text) if transform else text, len(seen)) for text in texts])
                    for texts in (ours.vocabulary.strings, theirs.vocabulary.strings)
                )
                found = our_codes.take(ours.ids), their_codes.take(theirs.ids)
            self._codes[name, transform] = found
        return found

    def same(self, name: str, transform: Transform | None = None) -> Flags:
        """For every pair of matching words whether a column has the same value."""
        found = self._same.get((name, transform))
        if found is None:
            ours, theirs = self.codes(name, transform)
            found = at(ours, self.alignment.gold_words) == at(theirs, self.alignment.system_words)
            self._same[name, transform] = found
        return found

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


def column_flags(corpus: Corpus, name: str, is_wanted: Callable[[str], bool]) -> Flags:
    """For every word whether the column's value is a wanted one."""
    column = corpus.column(name)
    return np.array([is_wanted(text) for text in column.vocabulary.strings], dtype=np.bool_).take(column.ids)


def parents(corpus: Corpus) -> Indices:
    """The head of every word as the index of a word, or ROOT."""
    if corpus.heads is None:
        raise ValueError(f"{corpus.path} has no heads")
    return np.where(corpus.heads > 0, corpus.sentence_offsets[:-1].take(corpus.words_sentence) + corpus.heads - 1, ROOT)
