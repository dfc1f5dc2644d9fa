"""The surface of a corpus: its tokens, their characters without spaces, and where each token lies among them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat._arrays import Flags, Ids, Indices
from karat.corpus import SPACES, Corpus
from karat.corpus.interning import interned

_NO_SPACES = str.maketrans("", "", SPACES)


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """The tokens of a corpus, or some of them, over their joined characters.

    Token i covers the characters `start[i]` … `stop[i]` of `text` and the words `first_word[i]` … `stop_word[i]`.
    """

    text: str
    start: Indices
    stop: Indices
    first_word: Indices
    stop_word: Indices
    is_multiword: Flags
    sentence: Indices


def token_offsets(corpus: Corpus) -> tuple[Indices, Indices]:
    """The first word of every token (and the number of words, at the end); and which tokens are multiword tokens."""
    multiword = corpus.multiword
    opens = np.ones(corpus.n_words, dtype=np.bool_)
    if len(multiword):
        depth = np.zeros(corpus.n_words + 1, dtype=np.intp)
        depth[multiword.start] += 1
        depth[multiword.stop] -= 1
        opens = np.cumsum(depth)[:-1] == 0
        opens[multiword.start] = True
    first_word = np.append(np.flatnonzero(opens), corpus.n_words)
    return first_word, np.searchsorted(first_word, multiword.start)


def surface(corpus: Corpus, without: Flags | None = None) -> Surface:
    """The surface of a corpus, leaving out the tokens flagged in `without`."""
    first_word, multiword_tokens = token_offsets(corpus)
    rows = corpus.word_rows[first_word[:-1]]
    rows[multiword_tokens] = corpus.multiword.rows
    is_multiword = np.zeros(len(rows), dtype=np.bool_)
    is_multiword[multiword_tokens] = True
    ids, texts = _token_forms(corpus, rows)
    sentence = corpus.words_sentence.take(first_word[:-1])
    stop_word = first_word[1:]
    first_word = first_word[:-1]
    if without is not None:
        kept = ~without
        ids, sentence, is_multiword = ids[kept], sentence[kept], is_multiword[kept]
        first_word, stop_word = first_word[kept], stop_word[kept]
    lengths = np.array([len(text) for text in texts], dtype=np.intp).take(ids)
    text = "".join(map(texts.__getitem__, ids.tolist()))
    stop = np.cumsum(lengths)
    return Surface(text, stop - lengths, stop, first_word, stop_word, is_multiword, sentence)


def _token_forms(corpus: Corpus, rows: Indices) -> tuple[Ids, list[str]]:
    """A number for the form of every token, and the distinct forms without spaces."""
    if len(corpus.multiword):
        spans = corpus.spans("form", rows)
        ids, first = interned(spans)
        texts = spans[first].strings()
    else:
        form = corpus.column("form")
        ids, texts = form.ids, form.vocabulary.strings
    return ids, [text.translate(_NO_SPACES) for text in texts]
