"""What CoNLL-U says in comments: the names of sentences and the beginnings of documents."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from karat._arrays import Flags, Ids, Indices
from karat.corpus.interning import Spans, interned
from karat.corpus.lines import Lines
from karat.corpus.source import Source
from karat.errors import Problem

_SENT_ID = re.compile(rb"#[ \t]*sent_id[ \t]*=[ \t]*(.*?)[ \t]*")
_NEWDOC = re.compile(r"#[ \t]*newdoc(?:[ \t]+id[ \t]*=[ \t]*(.*?))?[ \t]*")
_USUAL_START = b"# sent_id = "


@dataclass(frozen=True, slots=True, eq=False)
class Comments:
    """The names of sentences (an empty span where there is none) and the documents.

    `document_names` is empty where the text marks no documents; the document before the first mark has no name.
    """

    sent_ids: Spans
    document_offsets: Indices
    document_names: tuple[str | None, ...]


def comments_of_sentences(source: Source, lines: Lines, first_rows: Indices) -> Comments:
    """The comments that name sentences and documents; sentence i has its first row at `first_rows[i]`."""
    sentence_block = lines.row_block[first_rows]
    may_name, may_begin = _candidates(source, lines)
    sent_ids = _sent_ids(source, lines, may_name, sentence_block)
    offsets, names = _documents(source, lines, may_begin, sentence_block, first_rows)
    return Comments(sent_ids, offsets, names)


def _candidates(source: Source, lines: Lines) -> tuple[Indices, Indices]:
    """Comments that may be sent_id and that may be newdoc, by their first eight bytes: few differ in those."""
    openings = Spans(source, lines.comment_start, np.minimum(lines.comment_start + np.int32(8), lines.comment_stop))
    ids, first = interned(openings)
    texts = [text[1:].lstrip(" \t") for text in openings[first].strings()]

    def may_be(name: str) -> Indices:
        wanted = np.array([name.startswith(text) or text.startswith(name) for text in texts], dtype=np.bool_)
        return np.flatnonzero(wanted.take(ids)) if texts else np.zeros(0, dtype=np.intp)

    return may_be("sent_id"), may_be("newdoc")


def _sent_ids(source: Source, lines: Lines, candidates: Indices, sentence_block: Ids) -> Spans:
    n_sentences = len(sentence_block)
    start = lines.comment_start.take(candidates)
    stop = lines.comment_stop.take(candidates)
    value_start, value_stop = start + np.int32(len(_USUAL_START)), stop.copy()
    is_sent_id = _starts_with(source, start, stop, _USUAL_START) & (source.buffer.take(value_start) > ord(" "))
    is_sent_id &= source.buffer.take(stop - 1) > ord(" ")
    for number in np.flatnonzero(~is_sent_id).tolist():
        match = _SENT_ID.fullmatch(source.buffer[start[number] : stop[number]].tobytes())
        if match and match[1]:
            is_sent_id[number] = True
            value_start[number], value_stop[number] = start[number] + match.start(1), start[number] + match.end(1)
    named = np.flatnonzero(is_sent_id)
    sentence = np.searchsorted(sentence_block, lines.comment_block.take(candidates[named]))
    in_block = np.append(sentence_block, -1).take(sentence) == lines.comment_block.take(candidates[named])
    named, sentence = named[in_block], sentence[in_block]
    name_start = np.zeros(n_sentences, dtype=np.int32)
    name_stop = np.zeros(n_sentences, dtype=np.int32)
    name_start[sentence[::-1]] = value_start[named[::-1]]  # of two names of one sentence the first stays
    name_stop[sentence[::-1]] = value_stop[named[::-1]]
    return Spans(source, name_start, name_stop)


def _starts_with(source: Source, start: Ids, stop: Ids, prefix: bytes) -> Flags:
    same = stop - start > len(prefix)
    for place, byte in enumerate(prefix):
        same &= source.buffer.take(start + np.int32(place), mode="clip") == byte
    return same


def sent_id_warnings(names: Spans, sentence_places: Ids) -> list[Problem]:
    """Warnings, one for each kind, about sentences without a name and names of several sentences."""
    source = names.source
    warnings = []
    is_missing = names.lengths == 0
    if is_missing.any():
        first = int(np.flatnonzero(is_missing)[0])
        message = f"{int(is_missing.sum())} of {len(names)} sentences have no sent_id; this is the first"
        warnings.append(source.problem("W101", message, int(sentence_places[first])))
    given = np.flatnonzero(~is_missing)
    _, first_places = interned(names[given])
    if len(first_places) < len(given):
        is_repeated = np.ones(len(given), dtype=np.bool_)
        is_repeated[first_places] = False
        repeated = given[is_repeated]
        name = names[repeated[:1]].strings()[0]
        message = f"{len(repeated)} sentences repeat a sent_id; the first is {name!r}"
        warnings.append(source.problem("W102", message, int(names.start[repeated[0]])))
    return warnings


def _documents(
    source: Source, lines: Lines, candidates: Indices, sentence_block: Ids, first_rows: Indices
) -> tuple[Indices, tuple[str | None, ...]]:
    """Where documents begin, as offsets into the sentences, and their names."""
    n_sentences = len(sentence_block)
    begins: dict[int, str | None] = {}
    sentences = np.searchsorted(sentence_block, lines.comment_block.take(candidates)).tolist()
    bounds = Spans(source, lines.comment_start.take(candidates), lines.comment_stop.take(candidates))
    for sentence, text in zip(sentences, bounds.strings(), strict=True):
        match = _NEWDOC.fullmatch(text)
        if match and sentence < n_sentences:
            begins[sentence] = match[1] or None
    if not begins:
        return np.array([0, n_sentences]), ()
    for part in source.parts:  # a document does not go on into the next file
        first_sentence = int(np.searchsorted(lines.edges[0].take(first_rows) + 1, part.start))
        if first_sentence < n_sentences:
            begins.setdefault(first_sentence, None)
    offsets = sorted(begins)
    return np.array([*offsets, n_sentences]), tuple(begins[offset] for offset in offsets)
