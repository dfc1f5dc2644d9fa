"""Sentences as numbers of n-grams: of words, of labels, or of words with their labels, one and two at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from karat._arrays import Floats, Indices
from karat._numbering import numbered_pairs, numbered_values
from karat._ragged import Ragged, stretches
from karat.corpus import Column, Corpus


@dataclass(frozen=True, slots=True, eq=False)
class NgramSpace:
    """The 1- and 2-grams of several corpora, those of a sentence in a row, under common numbers.

    Numbers below `n_units` are single units, those above pairs of them.
    """

    corpora: tuple[Ragged, ...]
    n_units: int
    pairs: Indices
    unit_text: Callable[[int], str]

    @property
    def n_kinds(self) -> int:
        """How many different n-grams there are."""
        return self.n_units + len(self.pairs)

    def text(self, number: int) -> str:
        """An n-gram as people read it."""
        if number < self.n_units:
            return self.unit_text(number)
        first, second = divmod(int(self.pairs[number - self.n_units]), self.n_units)
        return f"{self.unit_text(first)} {self.unit_text(second)}"

    def counts(self, corpus: int) -> Floats:
        """How often each n-gram is in a corpus."""
        return np.bincount(self.corpora[corpus].values, minlength=self.n_kinds).astype(np.float64)


def ngram_space(corpora: Sequence[Corpus], features: str, column: str) -> NgramSpace:
    """The n-grams of corpora by `words`, `labels` (the column) or `both` (pairs of a word and its label)."""
    units, n_units, unit_text = _units(corpora, features, column)
    every = np.concatenate(units)
    is_last = np.zeros(len(every), dtype=np.bool_)
    lengths = np.concatenate([np.diff(corpus.sentence_offsets) for corpus in corpora])
    is_last[np.cumsum(lengths) - 1] = True
    inside = np.flatnonzero(~is_last)
    pairs, numbers = np.unique(every[inside] * n_units + every[inside + 1], return_inverse=True)
    # unit, pair, unit, pair, …, unit: a sentence of n words has 2n - 1 n-grams
    keeps = np.ones((len(every), 2), dtype=np.bool_)
    keeps[:, 1] = ~is_last
    both = np.empty((len(every), 2), dtype=np.intp)
    both[:, 0] = every
    both[inside, 1] = n_units + numbers
    ends = np.cumsum([len(one) for one in units])
    found = []
    for corpus, end in zip(corpora, ends.tolist(), strict=True):
        rows = slice(end - corpus.n_words, end)
        offsets = 2 * corpus.sentence_offsets - np.arange(corpus.n_sentences + 1)
        found.append(Ragged(offsets, both[rows][keeps[rows]]))
    return NgramSpace(tuple(found), n_units, pairs, unit_text)


def text_numbers(corpora: Sequence[Corpus]) -> list[Indices]:
    """A number for every sentence of every corpus, the same for the same words in the same order.

    Equal sums of 64 random bits a word, turned by its place, make equal texts: chance makes none equal that are not.
    """
    words, texts = _numbered_together([corpus.column("form") for corpus in corpora])
    random = np.random.default_rng(0)
    of_word = random.integers(1 << 63, size=len(texts), dtype=np.uint64)
    longest = max(int(np.diff(corpus.sentence_offsets).max()) for corpus in corpora)
    of_place = random.integers(1 << 62, size=longest, dtype=np.uint64) * np.uint64(2) + np.uint64(1)
    sums = []
    for corpus, numbers in zip(corpora, words, strict=True):
        first = corpus.sentence_offsets[:-1]
        place = stretches(0, np.diff(corpus.sentence_offsets))
        sums.append(np.add.reduceat(of_word.take(numbers) * of_place.take(place), first))
    _, found = np.unique(np.concatenate(sums), return_inverse=True)
    return np.split(found, np.cumsum([corpus.n_sentences for corpus in corpora])[:-1])


def _units(corpora: Sequence[Corpus], features: str, column: str) -> tuple[list[Indices], int, Callable[[int], str]]:
    """The units of every corpus as numbers they share, how many there are, and what they are in words."""
    if features != "both":
        name = "form" if features == "words" else column
        units, texts = _numbered_together([corpus.column(name) for corpus in corpora])
        return units, len(texts), texts.__getitem__
    words, word_texts = _numbered_together([corpus.column("form") for corpus in corpora])
    labels, label_texts = _numbered_together([corpus.column(column) for corpus in corpora])
    both = np.concatenate(words), np.concatenate(labels)
    of_words, of_labels, numbers = numbered_pairs(*both, len(word_texts), len(label_texts))
    ends = np.cumsum([len(one) for one in words])[:-1]

    def text(number: int) -> str:
        return f"{word_texts[of_words[number]]}/{label_texts[of_labels[number]]}"

    return np.split(numbers.astype(np.intp), ends), len(of_words), text


def _numbered_together(columns: Sequence[Column]) -> tuple[list[Indices], list[str]]:
    """The values of a column in several corpora, equal numbers for equal strings, and these strings."""
    numbers: dict[str, int] = {}
    found = []
    for column in columns:
        of_value = numbered_values(column.vocabulary.strings, numbers)
        found.append(of_value.astype(np.intp).take(column.ids))
    return found, list(numbers)
