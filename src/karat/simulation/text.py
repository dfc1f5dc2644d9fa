"""Simulated text whose tags are the truth."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from karat._arrays import Array, Flags, Ids, Indices
from karat._ragged import owners_of
from karat.errors import UsageError
from karat.simulation._language import Language, language

TOKENS_A_DOCUMENT = 400
# a share of a document's content words is drawn again and again from few
_TOPICAL_SHARE = 0.3
_N_TOPICAL = 8
_GOLDEN = 0.6180339887498949


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """Simulated text and its true tags: numbers of words and tags of the language, a row a token.

    Sentence i has the tokens `sentence_offsets[i]` up to `sentence_offsets[i + 1]` and the template
    `sentence_templates[i]`; document j has the sentences `document_offsets[j]` up to `document_offsets[j + 1]`.
    """

    words: Ids
    tags: Array
    sentence_offsets: Indices
    sentence_templates: Indices
    document_offsets: Indices
    language: Language = field(repr=False)

    @property
    def n_tokens(self) -> int:
        return len(self.words)

    @property
    def n_sentences(self) -> int:
        return len(self.sentence_offsets) - 1

    @property
    def n_documents(self) -> int:
        return len(self.document_offsets) - 1

    @property
    def candidates(self) -> Array:
        """The possible tags of each token's word [tokens × most], -1 behind them."""
        return self.language.candidates.take(self.words, axis=0)

    @property
    def n_candidates(self) -> Array:
        """How many tags each token's word can have."""
        return self.language.n_candidates.take(self.words)

    @property
    def ambiguous(self) -> Flags:
        """The tokens whose word can have several tags."""
        ambiguous: Flags = self.n_candidates > 1
        return ambiguous

    @property
    def ambiguity(self) -> float:
        """How many tags an ambiguous token can have, on average (a of Padró & Màrquez 1998); NaN without any."""
        several = self.n_candidates[self.ambiguous]
        return float(several.mean()) if len(several) else float("nan")

    @property
    def token_sentences(self) -> Indices:
        """The sentence of each token."""
        return owners_of(np.diff(self.sentence_offsets))

    @property
    def sentence_documents(self) -> Indices:
        """The document of each sentence."""
        return owners_of(np.diff(self.document_offsets))

    @property
    def token_documents(self) -> Indices:
        """The document of each token."""
        return owners_of(np.diff(self.sentence_offsets[self.document_offsets]))

    @property
    def token_places(self) -> Indices:
        """The place in the templates that each token fills."""
        starts = self.language.templates.offsets[self.sentence_templates] - self.sentence_offsets[:-1]
        return np.repeat(starts, np.diff(self.sentence_offsets)) + np.arange(self.n_tokens)


def simulated(
    n_tokens: int,
    rng: np.random.Generator | int,
    *,
    n_documents: int | None = None,
) -> Truth:
    """Text of exactly so many tokens, from the grammar and the lexicon of `language()`.

    Sentences are independent draws (the last few are those that fit the number of tokens). Documents are of random
    sizes, 400 tokens on average unless their number is given; each has some content words that it uses more often than
    others do. A word's frequency over all documents stays Zipfian, because a document's own words are draws from the
    same distribution.

    >>> truth = simulated(1000, 1)
    >>> truth.n_tokens, truth.n_documents, len(truth.tags)
    (1000, 2, 1000)
    """
    if n_tokens < 1:
        raise UsageError(f"at least 1 token is needed, not {n_tokens}")
    rng = np.random.default_rng(rng)
    spoken = language()
    templates = _drawn_templates(spoken, n_tokens, rng)
    lengths = np.diff(spoken.templates.offsets)[templates]
    sentence_offsets = np.concatenate([[0], np.cumsum(lengths)])
    document_offsets = _drawn_documents(len(templates), n_tokens, n_documents, rng)
    starts = np.repeat(spoken.templates.offsets[templates] - sentence_offsets[:-1], lengths)
    classes = spoken.templates.classes.take(starts + np.arange(n_tokens))
    sizes = np.diff(sentence_offsets[document_offsets])
    words = _drawn_words(spoken, classes, owners_of(sizes), rng)
    tags = spoken.class_tags.take(classes)
    return Truth(words, tags, sentence_offsets, templates, document_offsets, spoken)


def _drawn_templates(spoken: Language, n_tokens: int, rng: np.random.Generator) -> Indices:
    """Templates that have so many places together."""
    lengths = np.diff(spoken.templates.offsets)
    n_likely = int(1.1 * n_tokens / lengths.mean()) + 10
    drawn = rng.integers(len(lengths), size=n_likely)
    ends = np.cumsum(lengths[drawn])
    while ends[-1] < n_tokens:
        drawn = np.concatenate([drawn, rng.integers(len(lengths), size=n_likely)])
        ends = np.cumsum(lengths[drawn])
    n_whole = int(np.searchsorted(ends, n_tokens, side="right"))
    rest = n_tokens - (int(ends[n_whole - 1]) if n_whole else 0)
    last = []
    while rest:
        longest = lengths[lengths <= rest].max()
        last.append(int(rng.choice(np.flatnonzero(lengths == longest))))
        rest -= int(longest)
    return np.concatenate([drawn[:n_whole], np.array(last, dtype=np.intp)])


def _drawn_documents(n_sentences: int, n_tokens: int, n_documents: int | None, rng: np.random.Generator) -> Indices:
    if n_documents is None:
        n_documents = min(max(1, n_tokens // TOKENS_A_DOCUMENT), n_sentences)
    if not 1 <= n_documents <= n_sentences:
        raise UsageError(
            f"{n_tokens} tokens made {n_sentences} sentences, which cannot be split into {n_documents} documents"
        )
    inner = rng.permutation(n_sentences - 1)[: n_documents - 1] + 1
    return np.concatenate([[0], np.sort(inner), [n_sentences]])


def _drawn_words(spoken: Language, classes: Ids, documents: Indices, rng: np.random.Generator) -> Ids:
    levels = rng.random(len(classes))
    n_documents = int(documents[-1]) + 1
    topical = rng.random((n_documents, _N_TOPICAL))
    own = np.flatnonzero(spoken.class_is_open.take(classes) & (rng.random(len(classes)) < _TOPICAL_SHARE))
    which = rng.integers(_N_TOPICAL, size=len(own))
    # a document has a level of its own for each class: those of one class, shifted
    levels[own] = (topical[documents[own], which] + _GOLDEN * classes[own]) % 1
    entries = np.searchsorted(spoken.entry_levels, classes + levels, side="right")
    words: Ids = spoken.entry_words.take(np.minimum(entries, spoken.class_offsets[classes + 1] - 1))
    return words


def tags_before(tags: Array, offsets: Indices, n_tags: int) -> Indices:
    """The tag before each token in its sentence; `n_tags` before the first."""
    before = np.empty(len(tags), dtype=np.intp)
    before[1:] = tags[:-1]
    before[offsets[:-1]] = n_tags
    return before
