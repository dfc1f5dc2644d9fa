"""Reading plain tagged text: `form TAB tag` lines, or running text as `word/TAG` or `word_TAG`."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from karat._arrays import Ids, Indices
from karat._ragged import owners_of
from karat.corpus._corpus import Corpus, corpus_of_words
from karat.corpus.interning import Spans
from karat.corpus.lines import find_lines
from karat.corpus.readers.conllu import Bad, blank_forms, in_order, refuse_no_text, utf8_problems
from karat.corpus.source import Source
from karat.errors import DataError, Problem

_HINT = "is it another format? give it: `input=FORMAT`"


def tsv_from_source(source: Source, *, tag: str = "upos", several: bool = False, bad: Bad = "raise") -> Corpus:
    """The corpus in lines of form and tag with a tab between, a blank line between sentences.

    `tag` names the column that the tags become; with `several`, a word may have more than one, with tabs between, and
    the column has them all. A line without a tab that starts with `#` is a comment.
    """
    lines = find_lines(source, 2, comments="untabbed", last_has_rest=several)
    refuse_no_text(source, lines)
    offsets = np.append(np.flatnonzero(np.diff(lines.row_block, prepend=-1)), len(lines.row_block))
    sentence = owners_of(np.diff(offsets))
    problems = []
    edges = lines.edges
    for row in np.flatnonzero(lines.n_fields < 2 if several else lines.n_fields != 2).tolist():
        found = int(lines.n_fields[row])
        message = f"{found} column{'s' * (found != 1)} where 2 were expected (form and tag)"
        hint = "separate form and tag by one tab; several tags per word need a tagset"
        hint = "is it CoNLL-U? give the format: `input=FORMAT`" if found == 10 else hint
        place = int(lines.edges[0, row]) + 1
        problems.append(source.problem("K301", message, place, hint=hint, sentence=int(sentence[row])))
    for row in np.flatnonzero((lines.n_fields == 2) & (edges[2] == edges[1] + 1)).tolist():
        place = int(lines.edges[1, row]) + 1
        problems.append(source.problem("K302", "the tag is empty", place, sentence=int(sentence[row])))
    return _corpus(source, edges, offsets, sentence, problems, tag=tag, format_="tsv", bad=bad)


def slash_from_source(source: Source, *, tag: str = "upos", bad: Bad = "raise") -> Corpus:
    """The corpus in lines of `word/TAG` or `word_TAG`, one sentence a line; the first line tells which.

    Word and tag are cut at the last separator, so that `1/2/NUM` is the word 1/2.
    """
    lines = find_lines(source, 1, comments="none")
    refuse_no_text(source, lines)
    text = source.buffer[: source.size]
    is_gap = (text == 32) | (text == 9) | (text == 10) | (text == 13)
    start = np.flatnonzero(~is_gap & np.append(True, is_gap[:-1]))
    stop = np.flatnonzero(~is_gap & np.append(is_gap[1:], True)) + 1
    line = np.searchsorted(lines.edges[0], start) - 1
    n_rows = len(np.unique(line))
    row = np.cumsum(
        np.diff(line, prepend=line[0]) > 0, dtype=np.intp
    )  # a line of nothing but tabs has no words and is no row
    first_row = Spans(source, start[row == 0].astype(np.int32), stop[row == 0].astype(np.int32))
    separator = _separator(first_row.strings())
    cuts = np.append(-1, np.flatnonzero(text == separator[0]))
    cut = cuts.take(np.searchsorted(cuts, stop) - 1)
    offsets = np.searchsorted(row, np.arange(n_rows + 1))
    problems = []
    for token in np.flatnonzero((cut <= start) | (cut == stop - 1)).tolist():
        word = source.text(int(start[token]), min(int(stop[token]), int(start[token]) + 40))
        message = f"{word!r} is not a word and a tag separated by {separator.decode()!r}"
        place = int(start[token])
        problems.append(source.problem("K302", message, place, hint=_HINT, sentence=int(row[token])))
        cut[token] = stop[token]
    edges = np.array([start - 1, cut, np.maximum(stop, cut + 1)], dtype=np.int32)
    return _corpus(source, edges, offsets, row, problems, tag=tag, format_="slash", bad=bad)


def _separator(words: list[str]) -> bytes:
    """What stands between word and tag: `/`, unless all words have a `_` and not all a `/`."""
    return b"_" if all("_" in word for word in words) and not all("/" in word for word in words) else b"/"


def _corpus(
    source: Source,
    edges: Ids,
    offsets: Indices,
    row_sentence: Indices,
    problems: list[Problem],
    *,
    tag: str,
    format_: str,
    bad: Bad,
) -> Corpus:
    problems = problems + utf8_problems(source, edges, row_sentence)
    blank = blank_forms(Spans(source, edges[0] + np.int32(1), edges[1]))
    for row in np.flatnonzero(blank).tolist():
        place = int(edges[0, row]) + 1
        problems.append(source.problem("K206", "the FORM is empty", place, sentence=int(row_sentence[row])))
    problems = in_order(source, problems)
    if problems and bad == "raise":
        raise DataError(problems)
    corpus = corpus_of_words(source, ("form", tag), edges, offsets, format_)
    return replace(corpus, problems=tuple(problems)) if problems else corpus
