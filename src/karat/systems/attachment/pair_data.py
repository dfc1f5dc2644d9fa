"""Pairs to learn from and to be tried on: signals, edges, and which sentences must not be on both sides."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat._arrays import Flags, Floats, Ids, Indices


@dataclass(frozen=True, slots=True, eq=False)
class AttachmentPairs:
    """All ordered pairs of objects of sentences: the possible parent and the possible child.

    `signals` are [pairs × names]. `sentence`, `parent` and `child` are numbers: of the sentence, and of the objects in
    it, from 0; pairs stand sentence by sentence. `is_edge` says what the tree has, `by_rules` whether a handwritten
    rule accepts the pair, `in_wordnet` whether both semantic heads have a synset, `child_in_wordnet` the child's.
    `texts` are numbers of sentences' texts, the same for copies; `documents` those of documents, if there are any.
    """

    signals: Floats
    names: tuple[str, ...]
    sentence: Ids
    parent: Ids
    child: Ids
    n_objects: Ids
    is_edge: Flags
    by_rules: Flags
    in_wordnet: Flags
    child_in_wordnet: Flags
    texts: Indices
    documents: Indices | None = None

    def __len__(self) -> int:
        return len(self.sentence)

    @property
    def n_sentences(self) -> int:
        return len(self.n_objects)

    def rows_of(self, sentences: Flags) -> Indices:
        """The pairs of some of the sentences."""
        return np.flatnonzero(sentences.take(self.sentence))


def folds_of_sentences(groups: Indices, n_folds: int, rng: np.random.Generator) -> Indices:
    """The fold of each sentence: those of one group (the same text, or document) are in one, and folds are even.

    Groups are dealt out in random order, each to the fold with the fewest sentences.
    """
    distinct, numbers, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    fold_of_group = np.zeros(len(distinct), dtype=np.intp)
    filled = np.zeros(n_folds, dtype=np.intp)
    for group in rng.permutation(len(distinct)).tolist():
        fold = int(filled.argmin())
        fold_of_group[group] = fold
        filled[fold] += sizes[group]
    return fold_of_group.take(numbers.reshape(-1))


def connected(one: Indices, other: Indices) -> Indices:
    """Groups of sentences that must stay together: those alike in either of two numberings, or through others."""
    numbers = np.arange(len(one))
    while True:
        before = numbers
        for keys in (one, other):
            _, places = np.unique(keys, return_inverse=True)
            least = np.full(int(places.max(initial=-1)) + 1, len(one))
            np.minimum.at(least, places, numbers)
            numbers = least.take(places)
        if np.array_equal(before, numbers):
            return numbers
