"""Some sentences of a corpus as a corpus of their own, in any order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from karat._arrays import Indices
from karat._ragged import offsets_of, places_of_rows
from karat.corpus._corpus import Column, Corpus, EmptyNodes, MultiwordTokens


def chosen_sentences(corpus: Corpus, sentences: Indices) -> Corpus:
    """The corpus of these sentences, each at most once, in this order; documents are runs of sentences of one document.

    Documents that are groups of sentences stay such groups. The source is that of the whole corpus: places and hash are
    its.
    """
    words, n_words = places_of_rows(corpus.sentence_offsets, sentences)
    rows, _ = places_of_rows(_row_offsets(corpus), sentences)
    new_word, new_row = _inverse(words, corpus.n_words), _inverse(rows, corpus.edges.shape[1])
    new_sentence = _inverse(sentences, corpus.n_sentences)
    whole, empty = corpus.multiword, corpus.empty_nodes
    tokens, _ = places_of_rows(_offsets_by(corpus.words_sentence[whole.start], corpus.n_sentences), sentences)
    nodes, _ = places_of_rows(_offsets_by(empty.sentence, corpus.n_sentences), sentences)
    start = new_word[whole.start[tokens]]
    lengths = (whole.stop - whole.start)[tokens]
    document_offsets, document_names, document_groups = _documents(corpus, sentences)
    columns = {} if corpus.has_fields_in_source else corpus._columns  # which are made from the bytes when asked for
    return replace(
        corpus,
        edges=corpus.edges.take(rows, axis=1),
        word_rows=new_row[corpus.word_rows[words]],
        sentence_offsets=offsets_of(n_words),
        document_offsets=document_offsets,
        document_names=document_names,
        document_groups=document_groups,
        heads=None if corpus.heads is None else corpus.heads[words],
        multiword=MultiwordTokens(start, start + lengths, new_row[whole.rows[tokens]]),
        empty_nodes=EmptyNodes(
            new_sentence[empty.sentence[nodes]], empty.major[nodes], empty.minor[nodes], new_row[empty.rows[nodes]]
        ),
        sent_ids=corpus.sent_ids[sentences],
        problems=(),
        oddities=(),
        _columns={name: Column(column.ids[words], column.vocabulary) for name, column in columns.items()},
    )


def _row_offsets(corpus: Corpus) -> Indices:
    """Where the rows of each sentence begin: its words, multiword tokens and empty nodes."""
    sentence = np.zeros(corpus.edges.shape[1], dtype=np.intp)
    sentence[corpus.word_rows] = corpus.words_sentence
    sentence[corpus.multiword.rows] = corpus.words_sentence[corpus.multiword.start]
    sentence[corpus.empty_nodes.rows] = corpus.empty_nodes.sentence
    return _offsets_by(sentence, corpus.n_sentences)


def _offsets_by(owners: Indices, n: int) -> Indices:
    return np.searchsorted(owners, np.arange(n + 1))


def _inverse(chosen: Indices, n: int) -> Indices:
    places = np.full(n, -1)
    places[chosen] = np.arange(len(chosen))
    return places


def _documents(corpus: Corpus, sentences: Indices) -> tuple[Indices, tuple[str | None, ...], Indices | None]:
    if not corpus.has_documents:
        return np.array([0, len(sentences)]), (), None
    document = corpus.sentence_document[sentences]
    if corpus.document_groups is not None:
        kept, groups = np.unique(document, return_inverse=True)
        names = tuple(corpus.document_names[one] for one in kept.tolist())
        return np.array([0, len(sentences)]), names, groups.reshape(-1)
    first = np.flatnonzero(np.append(True, document[1:] != document[:-1])[: len(document)])
    names = tuple(corpus.document_names[one] for one in document[first].tolist())
    return np.append(first, len(sentences)), names, None
