"""The labels and forms around words, sentence by sentence, with edges before and behind."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat._arrays import Ids, Indices
from karat.systems.words import WordSequence

N_BEFORE, N_BEHIND = 3, 2  # edges before and behind each sentence: as far as trees look


@dataclass(frozen=True, slots=True, eq=False)
class Padded:
    """Numbers of words with those of edges between the sentences, and the place of each word among them."""

    numbers: Ids
    places: Indices

    def around(self, position: int) -> Ids:
        """The number of the word that stands so many places behind each one, or before it (negative)."""
        return self.numbers.take(self.places + position)


def padded(words: WordSequence, numbers: Ids, edge: int) -> Padded:
    """Numbers of words, with the number of the edge before and behind each sentence."""
    n_edges = N_BEFORE + N_BEHIND
    sentence = np.repeat(np.arange(words.n_sentences), np.diff(words.offsets))
    places = np.arange(len(words)) + n_edges * sentence + N_BEFORE
    found = np.full(len(words) + n_edges * words.n_sentences, edge, dtype=np.int32)
    found[places] = numbers
    return Padded(found, places)
