"""The bytes of sentences: where each begins and ends in its file, and some of them without the others."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import pairwise

import numpy as np

from karat._arrays import Flags, Indices
from karat.corpus._corpus import Corpus
from karat.corpus.readers.key import Keys
from karat.corpus.source import as_in_file
from karat.errors import UsageError

_BLANK_LINES = re.compile(rb"(?:\A|\n)(?: *\r?\n)+")
_MARKS = re.compile(rb"^#[ \t]*new(doc|par)(?:[ \t][^\n]*)?\r?\n", re.MULTILINE)  # of CoNLL-U: a document, a paragraph


def sentence_bounds(buffer: bytes) -> tuple[list[int], list[int]]:
    """Where sentences with their comments begin, and end behind the line end of their last row."""
    gaps = [match.span() for match in _BLANK_LINES.finditer(buffer)]
    return [0, *(stop for _, stop in gaps)], [*(start + 1 for start, _ in gaps), len(buffer)]


def kept_sentences(text: Corpus | Keys, keep: Flags, *, part: int = 0) -> bytes:
    """The bytes of some sentences of one of a text's files, or of some instances, as they were.

    A sentence has the comments before it and the blank lines behind it. In CoNLL-U, the mark of a document or a
    paragraph (`# newdoc`, `# newpar`) whose first sentences are left out goes before the first that stays.
    """
    chosen = text.source.parts[part]
    buffer = text.source.buffer[chosen.start : chosen.stop].tobytes()
    first = _first_places(text)
    in_part = (first >= chosen.start) & (first <= chosen.stop)
    bounds = _bounds(buffer, (first[in_part] - chosen.start).tolist(), text.format)
    pieces, done = [], 0
    for (start, stop), is_kept in zip(pairwise(bounds), keep[in_part].tolist(), strict=True):
        if is_kept:
            left_out = buffer[done:start] if text.format == "conllu" else b""
            pieces += [_marks(left_out, buffer[start:stop]), buffer[start:stop]]
            done = stop
    return as_in_file(chosen, b"".join(pieces))


def _first_places(text: Corpus | Keys) -> Indices:
    """The byte at which the first word of each sentence begins."""
    if isinstance(text, Keys):
        return text.places.astype(np.intp)
    if text.format not in ("conllu", "tsv", "slash"):
        raise UsageError(
            f"{text.path} ({text.format}) cannot be written in part; only CoNLL-U, tagged text and keys can"
        )
    places: Indices = text.edges[0].take(text.word_rows.take(text.sentence_offsets[:-1])).astype(np.intp) + 1
    return places


def _bounds(buffer: bytes, first: list[int], format_: str) -> list[int]:
    """Where each sentence begins, and where the last one ends: at a blank line, or where lines are sentences, a line.

    What stands between two sentences but belongs to none goes with the second, at the end with the last.
    """
    begins = [0, *(match.end() for match in re.finditer(rb"\n", buffer))]
    if format_ in ("conllu", "tsv"):
        begins = sentence_bounds(buffer)[0]
    behind = [begins[place] if (place := bisect_right(begins, one)) < len(begins) else len(buffer) for one in first]
    return [0, *behind[:-1], len(buffer)] if first else [0]


def _marks(left_out: bytes, kept: bytes) -> bytes:
    """The marks of the document and the paragraph that begin in what was left out and go on in what was kept."""
    found = {match[1]: (match.start(), match[0]) for match in _MARKS.finditer(left_out)}
    own = {match[1] for match in _MARKS.finditer(kept)}
    if b"doc" in own:
        return b""
    document, paragraph = found.get(b"doc"), None if b"par" in own else found.get(b"par")
    if document and paragraph and paragraph[0] < document[0]:
        paragraph = None
    return b"".join(mark[1] for mark in (document, paragraph) if mark)
