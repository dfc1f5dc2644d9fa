"""Sentences dealt out to folds: by sentence, or by document, so that no document is in two."""

from __future__ import annotations

from typing import Literal

import numpy as np

from karat._arrays import Indices
from karat.corpus import Corpus
from karat.errors import UsageError

FoldBy = Literal["sentence", "document"]


def folds_of(corpus: Corpus, n_folds: int, by: FoldBy | None, seed: int) -> Indices:
    """The fold of each sentence, from 0; folds have as many sentences, or as many words, as can be.

    By default documents are dealt out where there are at least as many as folds. Documents go, in random order, each to
    the fold that has the fewest words so far.
    """
    if n_folds < 2:
        raise UsageError(f"{n_folds} folds: at least 2 are needed")
    n_documents = corpus.n_documents if corpus.has_documents else 0
    if by is None:
        by = "document" if n_documents >= n_folds else "sentence"
    n_units = n_documents if by == "document" else corpus.n_sentences
    if n_units < n_folds:
        what = f"{n_units} {by}{'s' * (n_units != 1)}" if n_units else f"no {by}s marked"
        raise UsageError(f"{what}: too few for {n_folds} folds")
    rng = np.random.default_rng([seed, 23])
    if by == "sentence":
        return rng.permutation(corpus.n_sentences) % n_folds
    of_document = np.bincount(corpus.sentence_document, weights=np.diff(corpus.sentence_offsets), minlength=n_documents)
    sizes = of_document.astype(np.intp).tolist()
    n_words = np.zeros(n_folds, dtype=np.intp)
    fold = np.zeros(n_documents, dtype=np.intp)
    for document in rng.permutation(n_documents).tolist():
        fold[document] = n_words.argmin()
        n_words[fold[document]] += sizes[document]
    return fold.take(corpus.sentence_document)
