"""Words in sentences as taggers see them, and the labels of a column, or of several together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from karat._arrays import Ids, Indices
from karat._numbering import keys_below, numbered_pairs
from karat._ragged import offsets_of, places_of_rows
from karat.corpus import Corpus
from karat.errors import DataError, Problem, UsageError

COLUMNS = ("upos", "xpos", "feats", "deprel", "lemma", "misc")  # what can be learnt; several joined by +
_BETWEEN = " "  # two labels that are learnt together; none of the columns that can be joined has a space in it
_JOINED = ("upos", "xpos", "feats", "deprel")
_BLOCK = 1 << 13  # words that are tagged together, but for sentences that are longer


@dataclass(frozen=True, slots=True, eq=False)
class WordSequence:
    """Sentences of words: the distinct forms, the number of each word's form, and where each sentence begins."""

    forms: Sequence[str]
    ids: Ids
    offsets: Indices

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def n_sentences(self) -> int:
        return len(self.offsets) - 1

    def chosen(self, sentences: Indices) -> tuple[WordSequence, Indices]:
        """Some of the sentences, with the forms that they have; and which words these are."""
        places, sizes = places_of_rows(self.offsets, sentences)
        forms, ids = keys_below(len(self.forms), self.ids.take(places).astype(np.intp))
        return WordSequence([self.forms[one] for one in forms.tolist()], ids, offsets_of(sizes)), places

    def blocks(self) -> Iterator[tuple[int, int]]:
        """Sentences, first and behind the last, that are a few thousand words together."""
        first = 0
        while first < self.n_sentences:
            reach = int(self.offsets[first]) + _BLOCK
            stop = max(int(np.searchsorted(self.offsets, reach, side="right")) - 1, first + 1)
            yield first, stop
            first = stop


@dataclass(frozen=True, slots=True, eq=False)
class LabelledWords:
    """WordSequence with the number of each one's label among the `labels`."""

    words: WordSequence
    label_ids: Ids
    labels: tuple[str, ...]

    def chosen(self, sentences: Indices) -> LabelledWords:
        """Some of the sentences; the labels are as they were."""
        words, places = self.words.chosen(sentences)
        return LabelledWords(words, self.label_ids.take(places), self.labels)


def words_of(corpus: Corpus) -> WordSequence:
    """The words of a corpus."""
    form = corpus.column("form")
    return WordSequence(form.vocabulary.strings, form.ids, corpus.sentence_offsets)


def columns_of(column: str) -> tuple[str, ...]:
    """The columns that a name such as `upos+feats` stands for; a `UsageError` for others than those that can be learnt.

    >>> columns_of("upos+feats")
    ('upos', 'feats')
    """
    found = tuple(column.lower().split("+"))
    known = COLUMNS if len(found) == 1 else _JOINED
    for one in found:
        if one not in known or found.count(one) > 1:
            joined = " (several joined by +)" if len(found) == 1 else ", each once, joined by +"
            raise UsageError(f"cannot tag the column {column!r}: choose from {', '.join(known)}{joined}")
    return found


def labelled_words(corpus: Corpus, column: str) -> LabelledWords:
    """The words of a corpus with their labels; a `DataError` where the column is missing or empty."""
    columns = columns_of(column)
    for one in columns:
        if not corpus.has(one):
            hint = "choose a column that the corpus has (`column=…`)"
            raise DataError(Problem("K501", f"there is no {one.upper()} to learn from", corpus.path, hint=hint))
    first, *others = (corpus.column(one) for one in columns)
    ids, labels = first.ids, list(first.vocabulary.strings)
    for other in others:
        left, right, ids = numbered_pairs(ids, other.ids, len(labels), len(other.vocabulary))
        names = other.vocabulary.strings
        labels = [f"{labels[a]}{_BETWEEN}{names[b]}" for a, b in zip(left.tolist(), right.tolist(), strict=True)]
    return LabelledWords(words_of(corpus), ids, tuple(labels))


def parts_of(label: str, n_columns: int) -> list[str]:
    """The values of each column that a label of several stands for."""
    return label.split(_BETWEEN) if n_columns > 1 else [label]
