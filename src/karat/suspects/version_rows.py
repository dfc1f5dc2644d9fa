"""What differs between two versions of a corpus, a row each: a label, some words, a sentence, a document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from karat._arrays import Indices
from karat.corpus import Corpus
from karat.result import plain


@dataclass(frozen=True, slots=True)
class WordPlace:
    """A word: its sentence's name and number (from 1), and its own ID there."""

    sent_id: str | None
    sentence: int
    token: int
    form: str


@dataclass(frozen=True, slots=True)
class LabelChange:
    """The label of one word that changed; `convention` is the number of the convention that explains it, from 1.

    Where the word is now is its place in the new version.
    """

    column: str
    feature: str | None
    place: WordPlace
    old_place: WordPlace
    old: str | None
    new: str | None
    convention: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """The change as plain data."""
        found = {"column": self.column, "feature": self.feature, **plain(self.place), "old": self.old, "new": self.new}
        return found | {"old_sent_id": self.old_place.sent_id, "old_token": self.old_place.token}


@dataclass(frozen=True, slots=True)
class TokenChange:
    """Characters that are other words now, or other multiword tokens."""

    kind: str
    place: WordPlace
    old_place: WordPlace
    old: tuple[str, ...]
    new: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """The change as plain data; places are those of the first words."""
        where = {"sent_id": self.place.sent_id, "sentence": self.place.sentence, "token": self.place.token}
        found = {"kind": self.kind, **where, "old": list(self.old), "new": list(self.new)}
        return found | {"old_sent_id": self.old_place.sent_id, "old_token": self.old_place.token}


@dataclass(frozen=True, slots=True)
class SentenceRow:
    """A sentence of one version: name, number from 1, text."""

    sent_id: str | None
    sentence: int
    text: str


@dataclass(frozen=True, slots=True)
class SentencePairRow:
    """A sentence of both versions; `parts` are those of the treebank that it was in and is in, if they are not one."""

    old: SentenceRow
    new: SentenceRow
    parts: tuple[str, str] | None = None

    def to_dict(self, *, with_text: bool) -> dict[str, Any]:
        """Where it was and is, and its texts, as plain data."""
        found: dict[str, Any] = {"sent_id": self.new.sent_id, "sentence": self.new.sentence}
        found |= {"old_sent_id": self.old.sent_id, "old_sentence": self.old.sentence}
        if with_text:
            found |= {"old": self.old.text, "new": self.new.text}
        if self.parts:
            found |= {"old_part": self.parts[0], "part": self.parts[1]}
        return found


@dataclass(frozen=True, slots=True)
class RenamedDocument:
    """A document under another name, and how many of its sentences both versions have."""

    old: str
    new: str
    sentences: int


class VersionPlaces:
    """Where words of a corpus are."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._names = corpus.sent_ids.strings()

    def sentence(self, number: int) -> SentenceRow:
        """A sentence, by its number from 0."""
        return SentenceRow(self._names[number] or None, number + 1, self._corpus.sentence_text(number))

    def words(self, words: Indices) -> list[WordPlace]:
        """Where these words are."""
        corpus = self._corpus
        sentence = corpus.words_sentence[words]
        token = words - corpus.sentence_offsets[sentence] + 1
        form = corpus.column("form")
        columns = (sentence.tolist(), token.tolist(), form.ids[words].tolist())
        return [
            WordPlace(self._names[at] or None, at + 1, number, form.vocabulary.strings[one])
            for at, number, one in zip(*columns, strict=True)
        ]

    def heads(self, words: Indices) -> list[str]:
        """What the words have in HEAD."""
        return self._corpus.spans("head", self._corpus.word_rows[words]).strings()


def renamed_documents(
    old: Corpus, new: Corpus, our_sentences: Indices, their_sentences: Indices
) -> list[RenamedDocument]:
    """Documents whose name is new, and more than half of whose sentences were in one document whose name is gone."""
    if not (old.has_documents and new.has_documents and len(our_sentences)):
        return []
    ours, theirs = old.sentence_document[our_sentences], new.sentence_document[their_sentences]
    pairs, counts = np.unique(np.stack([ours, theirs], axis=1), axis=0, return_counts=True)
    n_ours, n_theirs = (np.bincount(one) for one in (ours, theirs))
    mostly = (2 * counts > n_ours[pairs[:, 0]]) & (2 * counts > n_theirs[pairs[:, 1]])
    known = {*old.document_names}, {*new.document_names}
    found = []
    for (our, their), count in zip(pairs[mostly].tolist(), counts[mostly].tolist(), strict=True):
        was, is_now = old.document_names[our], new.document_names[their]
        if was is not None and is_now is not None and was not in known[1] and is_now not in known[0]:
            found.append(RenamedDocument(was, is_now, count))
    return found
