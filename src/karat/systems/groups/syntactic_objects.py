"""Syntactic objects: groups, and the words outside of them, each with a syntactic and a semantic head.

[Slaski, Acedański & Przepiórkowski 2012, §1]. Punctuation is no object.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat._arrays import Ids, Indices
from karat._ragged import offsets_of
from karat.systems.groups.tagged_words import TaggedWords

WORD = "word"  # the kind of an object that is no group


@dataclass(frozen=True, slots=True, eq=False)
class SyntacticObjects:
    """The objects of a text from left to right: their words, `start` up to `stop`, and their heads, as words' numbers.

    `offsets` are those of sentences' objects; sentences without objects have none. `kinds` are numbers of `names`.
    """

    words: TaggedWords
    start: Indices
    stop: Indices
    syntactic: Indices
    semantic: Indices
    kinds: Ids
    names: tuple[str, ...]
    offsets: Indices

    def __len__(self) -> int:
        return len(self.start)

    @property
    def of_words(self) -> Indices:
        """The object that each word is in; -1 for punctuation outside of groups."""
        found = np.full(len(self.words), -1, dtype=np.intp)
        sizes = self.stop - self.start
        numbers = np.repeat(np.arange(len(self.start)), sizes)
        places = np.repeat(self.start - offsets_of(sizes)[:-1], sizes) + np.arange(len(numbers))
        found[places] = numbers
        return found


def single_words(words: TaggedWords) -> SyntacticObjects:
    """Every word but punctuation as an object of its own."""
    places = np.flatnonzero(~words.punctuation)
    sentences = np.repeat(np.arange(words.n_sentences), np.diff(words.sentence_offsets))
    sizes = np.bincount(sentences.take(places), minlength=words.n_sentences)
    kinds = np.zeros(len(places), dtype=np.int32)
    return SyntacticObjects(words, places, places + 1, places, places, kinds, (WORD,), offsets_of(sizes))


def parents_of_objects(objects: SyntacticObjects, heads: Ids) -> Indices:
    """The object that each object is attached to, -1 if to none: the edges of the tree between objects.

    B is attached to A if B's semantic head, climbing inside B, attaches to a word of A. `heads` count from 1 within
    the sentence; 0 is the root, and a negative one is missing.
    """
    of_words = objects.of_words
    sentence_offsets = objects.words.sentence_offsets
    sizes = np.diff(sentence_offsets)
    above = np.repeat(sentence_offsets[:-1], sizes) + heads - 1
    above[heads <= 0] = -1
    current = objects.semantic.copy()
    own = np.arange(len(objects))
    for _ in range(int((objects.stop - objects.start).max(initial=0))):  # a path inside is no longer than the object
        up = above.take(current)
        inside = (up >= 0) & (of_words.take(np.maximum(up, 0)) == own)
        current[inside] = up[inside]
    up = above.take(current)
    parents = np.where(up >= 0, of_words.take(np.maximum(up, 0)), -1)
    parents[parents == own] = -1
    return parents
