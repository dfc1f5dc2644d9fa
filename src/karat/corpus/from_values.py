"""A corpus from values that a reader found, where they are no stretches of the source or need not be written back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from karat._numbering import numbered_values
from karat._ragged import offsets_of
from karat.corpus._corpus import Column, Corpus, Vocabulary, corpus_of_words
from karat.corpus.interning import spans_of_strings
from karat.corpus.source import Source
from karat.errors import Problem


def corpus_from_values(
    source: Source,
    columns: Mapping[str, Sequence[str]],
    sentence_sizes: Sequence[int],
    places: Sequence[int],
    *,
    heads: Sequence[int] | None = None,
    sent_ids: Sequence[str] | None = None,
    documents: Sequence[tuple[str, int]] = (),
    problems: Sequence[Problem] = (),
) -> Corpus:
    """The corpus whose words have these values: of `form` and of other columns (lemma, upos, xpos, feats, deprel, …).

    `sentence_sizes` are the numbers of words of the sentences, `places` the byte of the source at which each word
    begins, `heads` the number of each word's head in its sentence (0: the root), `documents` names and numbers of
    sentences. Each of the `problems` spoils a sentence, or all (`Source.problem` makes them). Such a corpus cannot be
    written back in its own format. A `ValueError` for numbers that do not go together.
    """
    n_words, n_sentences = sum(sentence_sizes), len(sentence_sizes)
    if "form" not in columns:
        raise ValueError("a corpus needs the column form")
    lengths = {"places": len(places), **{name: len(values) for name, values in columns.items()}}
    if heads is not None:
        lengths["head"] = len(heads)
    for name, length in lengths.items():
        if length != n_words:
            raise ValueError(f"{name}: {length:,} values for {n_words:,} words")
    if sent_ids is not None and len(sent_ids) != n_sentences:
        raise ValueError(f"{len(sent_ids):,} names for {n_sentences:,} sentences")
    if documents and sum(size for _, size in documents) != n_sentences:
        raise ValueError(f"documents do not have the {n_sentences:,} sentences in them")
    names = ("form", *(name for name in columns if name != "form"))
    edges = np.asarray(places, dtype=np.int32)[None] - np.int32(1)
    corpus = corpus_of_words(source, names, edges, offsets_of(sentence_sizes), "values")
    for name in names:
        corpus._columns[name] = _column(columns[name])
    if sent_ids is not None:
        corpus = replace(corpus, sent_ids=spans_of_strings(sent_ids))
    if documents:
        offsets = offsets_of([size for _, size in documents])
        corpus = replace(corpus, document_offsets=offsets, document_names=tuple(name for name, _ in documents))
    if heads is not None:
        corpus = replace(corpus, heads=np.array(heads, dtype=np.int32), names=(*names, "head"))
        corpus._columns["head"] = _column([str(one) for one in heads])
    return replace(corpus, problems=tuple(problems))


def _column(values: Sequence[str]) -> Column:
    known: dict[str, int] = {}
    ids = numbered_values(values, known)
    return Column(ids, Vocabulary(spans_of_strings(known)))
