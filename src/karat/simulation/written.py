"""Simulated text as CoNLL-U and as bracketed trees: ready-made pieces of bytes, joined once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from karat._arrays import Array
from karat.simulation._language import language
from karat.simulation.text import Truth


@dataclass(frozen=True, slots=True, eq=False)
class ConlluFrame:
    """All of a text's CoNLL-U but forms, lemmas, tags and features; `filled` adds these."""

    truth: Truth
    pieces: Array

    def filled(self, tags: Array) -> bytes:
        """The CoNLL-U with these tags; lemmas, XPOS and features are those that the words have with them."""
        truth = self.truth
        pieces = self.pieces.copy()
        pieces[:, 1] = _pieces().readings[truth.language.reading_of[truth.words, tags]]
        return b"".join(pieces.ravel().tolist())


@dataclass(frozen=True, slots=True, eq=False)
class _Pieces:
    """What lines are made of, by word, reading, and place in the templates."""

    forms: Array
    readings: Array
    ids: Array
    dependencies: Array
    spaces: Array
    before: Array
    after: Array


@lru_cache(maxsize=1)
def _pieces() -> _Pieces:
    spoken = language()
    templates = spoken.templates
    lengths = np.diff(templates.offsets)
    places = np.arange(len(templates.classes)) - np.repeat(templates.offsets[:-1], lengths) + 1
    is_last = np.zeros(len(places), dtype=np.bool_)
    is_last[templates.offsets[1:] - 1] = True
    dependencies = [
        f"\t{head}\t{relation}\t_\t{'_' if space else 'SpaceAfter=No'}\n{end}"
        for head, relation, space, end in zip(
            templates.heads.tolist(),
            templates.relations,
            templates.space_after.tolist(),
            np.where(is_last, "\n", "").tolist(),
            strict=True,
        )
    ]
    after = [f"{text}{end}" for text, end in zip(templates.after, np.where(is_last, "\n", " ").tolist(), strict=True)]
    return _Pieces(
        forms=_encoded(spoken.words),
        readings=_encoded(["\t".join(reading) for reading in spoken.readings]),
        ids=_encoded([f"{place}\t" for place in places.tolist()]),
        dependencies=_encoded(dependencies),
        spaces=_encoded(np.where(is_last, "\n", np.where(templates.space_after, " ", "")).tolist()),
        before=_encoded(templates.before),
        after=_encoded(after),
    )


def _encoded(texts: list[str] | tuple[str, ...]) -> Array:
    return np.array([text.encode() for text in texts], dtype=object)


def frame_of(truth: Truth, *, prefix: str = "") -> ConlluFrame:
    """What the CoNLL-U of a text has, whatever its tags; the prefix begins all names of documents and sentences."""
    pieces = _pieces()
    places = truth.token_places
    frame = np.empty((truth.n_tokens, 3), dtype=object)
    frame[:, 0] = pieces.ids[places]
    frame[:, 2] = pieces.dependencies[places]
    frame[truth.sentence_offsets[:-1], 0] = _headers(truth, prefix)
    return ConlluFrame(truth, frame)


def _headers(truth: Truth, prefix: str) -> Array:
    """The comments of each sentence and the number of its first token."""
    pieces = _pieces()
    texts = np.stack([pieces.forms[truth.words], pieces.spaces[truth.token_places]], axis=1)
    lines = b"".join(texts.ravel().tolist()).splitlines()
    start = prefix.encode()
    headers = np.empty(truth.n_sentences, dtype=object)
    headers[:] = [b"# sent_id = %ss%d\n# text = %s\n1\t" % (start, i, line) for i, line in enumerate(lines, 1)]
    firsts = truth.document_offsets[:-1]
    for number, first in enumerate(firsts.tolist(), 1):
        headers[first] = b"# newdoc id = %sd%d\n%s" % (start, number, headers[first])
    return headers


def conllu_bytes(truth: Truth, tags: Array, *, prefix: str = "") -> bytes:
    """A text in CoNLL-U with these tags, heads and relations as in truth."""
    return frame_of(truth, prefix=prefix).filled(tags)


def brackets_bytes(truth: Truth) -> bytes:
    """The true trees of a text, one a line."""
    pieces = _pieces()
    places = truth.token_places
    parts = np.stack([pieces.before[places], pieces.forms[truth.words], pieces.after[places]], axis=1)
    return b"".join(parts.ravel().tolist())
