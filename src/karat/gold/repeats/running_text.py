"""Corpora as one long text: a number a word, a boundary behind every sentence."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from karat._arrays import Flags, Ids, Indices
from karat._numbering import numbered_values
from karat._ragged import offsets_of
from karat.corpus import Corpus
from karat.errors import UsageError

BOUNDARY = -1


@dataclass(frozen=True, slots=True)
class Span:
    """Where a repeat is: corpus, sentence of the corpus and words of the sentence, each counted from 0."""

    corpus: int
    sentence: int
    words: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class RunningText:
    """The units of all corpora in their order: `vocabulary[codes[p]]` at place p, BOUNDARY behind every sentence.

    Units are words, or characters; where repeats are not to go through a word, it has BOUNDARY, too. Sentences and
    words are counted through all corpora: `sentences` is the sentence of every place, `words` its word (None where no
    word was left out: then it is the place less the boundaries of sentences before it). Those of corpus c are
    `corpus_sentences[c]` up to `corpus_sentences[c + 1]`, and the words of sentence s `sentence_words[s]` up to
    `sentence_words[s + 1]`.
    """

    codes: Ids
    sentences: Ids
    words: Ids | None
    vocabulary: Sequence[str]
    corpus_sentences: Indices
    sentence_words: Indices
    corpora: tuple[Corpus, ...] = ()

    @property
    def n_units(self) -> int:
        """How many words, or characters, without the boundaries of sentences."""
        return len(self.codes) - self.n_sentences

    @property
    def n_sentences(self) -> int:
        return len(self.sentence_words) - 1

    def words_at(self, places: Ids | Indices) -> Indices:
        """The words of places, counted through all corpora."""
        if self.words is None:
            return places.astype(np.intp) - self.sentences[places]
        return self.words[places].astype(np.intp)

    def corpora_at(self, places: Ids | Indices) -> Indices:
        """The corpus of each place."""
        return np.searchsorted(self.corpus_sentences, self.sentences[places], side="right") - 1

    def strings(self, place: int, length: int) -> tuple[str, ...]:
        """The units from a place on."""
        return tuple(self.vocabulary[code] for code in self.codes[place : place + length].tolist())

    def span(self, place: int, length: int) -> Span:
        """The words of a stretch of the text; characters of one word name it once."""
        sentence = int(self.sentences[place])
        corpus = int(self.corpora_at(np.array([place]))[0])
        words = self.words_at(np.arange(place, place + length)) - self.sentence_words[sentence]
        return Span(corpus, sentence - int(self.corpus_sentences[corpus]), tuple(dict.fromkeys(words.tolist())))

    def spread(self, of_words: Ids) -> Ids:
        """A value of every word, counted through all corpora, put at the places of its units; BOUNDARY elsewhere."""
        values = np.full(len(self.codes), BOUNDARY, dtype=np.int32)
        if self.words is None:
            values[np.diff(self.sentences, append=-1) == 0] = of_words
        else:
            chosen = self.words != BOUNDARY
            values[chosen] = of_words.take(self.words[chosen])
        return values

    def broken_at(self, is_broken: Flags) -> RunningText:
        """The text with a boundary in the place of some words, given as flags of all: no repeat goes through them."""
        codes = self.codes.copy()
        codes[self.spread(is_broken.astype(np.int32)) > 0] = BOUNDARY
        return replace(self, codes=codes)


def running_text(
    corpora: Sequence[Corpus], *, column: str = "form", fold_case: bool = False, punctuation: bool = True
) -> RunningText:
    """The words of corpora as one text, by their forms or any other column.

    With `fold_case`, words are equal whatever their case. Without `punctuation`, words whose form is nothing but
    Unicode punctuation are left out: what stands around them then is side by side, and places still point at the words
    of the corpora.
    """
    codes, vocabulary = joint_codes(corpora, column, str.casefold if fold_case else None)
    sentence_words = _offsets([np.diff(corpus.sentence_offsets) for corpus in corpora])
    if punctuation:
        return text_from_units(corpora, codes, vocabulary, np.diff(sentence_words), None)
    kept = np.concatenate([_has_more_than_punctuation(corpus) for corpus in corpora])
    n_kept = np.diff(offsets_of(kept)[sentence_words])
    return text_from_units(corpora, codes[kept], vocabulary, n_kept, np.flatnonzero(kept))


def text_from_units(
    corpora: Sequence[Corpus], codes: Ids, vocabulary: Sequence[str], n_units: Indices, words: Indices | None
) -> RunningText:
    """A text from the codes of its units, how many of them each sentence has, and their words."""
    sentences = np.repeat(np.arange(len(n_units), dtype=np.int32), n_units + 1)
    inside = np.ones(len(sentences), dtype=np.bool_)
    inside[np.cumsum(n_units + 1) - 1] = False

    def with_boundaries(values: Ids | Indices) -> Ids:
        spread = np.full(len(sentences), BOUNDARY, dtype=np.int32)
        spread[inside] = values
        return spread

    return RunningText(
        with_boundaries(codes),
        sentences,
        None if words is None else with_boundaries(words),
        vocabulary,
        _offsets([np.array([corpus.n_sentences]) for corpus in corpora]),
        _offsets([np.diff(corpus.sentence_offsets) for corpus in corpora]),
        tuple(corpora),
    )


def joint_codes(
    corpora: Sequence[Corpus], column: str, transform: Callable[[str], str] | None = None
) -> tuple[Ids, list[str]]:
    """A column of all corpora, one behind the other, as codes that are equal where values are; and what they mean."""
    if not corpora:
        raise UsageError("no corpus was given")
    seen: dict[str, int] = {}
    parts = []
    for corpus in corpora:
        values = corpus.column(column)
        strings = values.vocabulary.strings if transform is None else map(transform, values.vocabulary.strings)
        codes = numbered_values(strings, seen)
        parts.append(codes.take(values.ids))
    return parts[0] if len(parts) == 1 else np.concatenate(parts), list(seen)


def _has_more_than_punctuation(corpus: Corpus) -> Flags:
    form = corpus.column("form")
    is_more = [not all(unicodedata.category(letter)[0] == "P" for letter in text) for text in form.vocabulary.strings]
    return np.array(is_more, dtype=np.bool_).take(form.ids)


def _offsets(lengths: Sequence[Indices]) -> Indices:
    return offsets_of(np.concatenate(lengths))
