"""The enhanced graph of DEPS as arrays of edges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat._arrays import Bytes, Flags, Ids, Indices
from karat._ragged import offsets_of, places_of_rows, stretches
from karat.corpus._corpus import Corpus
from karat.corpus.interning import Spans, interned
from karat.corpus.source import made_source
from karat.errors import DataError, Problem

_ROOT = -1
_WORD = -1  # a word's second number, which it does not have
_BAR, _COLON, _DOT, _ZERO = b"|:.0"

_Node = tuple[int, int]  # a word's number in its sentence and _WORD, or an empty node's two numbers
_Edge = tuple[_Node, str]


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """Edges between words: each from `head` (a word, or -1 for the root) to `word` with the label `labels[label]`."""

    word: Indices
    head: Indices
    label: Ids
    labels: list[str]


@dataclass(frozen=True, slots=True, eq=False)
class DepsFields:
    """The edges of distinct DEPS fields: edge i stands in `field[i]` and comes from node `major[i]`.`minor[i]`.

    Where it comes from a word, or the root, `minor[i]` is -1.
    """

    field: Indices
    major: Indices
    minor: Indices
    label: Ids
    labels: list[str]
    is_readable: Flags

    @property
    def from_empty(self) -> Flags:
        """Which edges come from empty nodes."""
        from_empty: Flags = self.minor != _WORD
        return from_empty


def enhanced_edges(corpus: Corpus, fields: DepsFields, words: Indices, *, collapse: bool) -> Edges:
    """The edges of the enhanced graph whose dependents are the given words; none in bad sentences.

    With `collapse`, an edge from an empty node becomes the path through it, as the IWPT 2020 shared task has it: word w
    under 8.1 as nsubj, and 8.1 under word 5 as conj, give w under 5 as conj>nsubj. Without it, edges from empty nodes
    are left out, as its evaluator does with graphs that nobody collapsed.
    """
    words = words[~corpus.bad.take(corpus.words_sentence.take(words))] if corpus.bad.any() else words
    ids = corpus.column("deps").ids.take(words)
    n_edges = np.bincount(fields.field, minlength=len(fields.is_readable))
    edge, repeats = places_of_rows(offsets_of(n_edges), ids)
    word = np.repeat(words, repeats)
    major, minor, label = fields.major.take(edge), fields.minor.take(edge), fields.label.take(edge)
    offset = corpus.sentence_offsets.take(corpus.words_sentence.take(word))
    head = np.where(major == 0, _ROOT, offset + major - 1)
    from_empty = np.flatnonzero(minor != _WORD)
    if not len(from_empty):
        return Edges(word, head, label, fields.labels)
    labels = {text: code for code, text in enumerate(fields.labels)}
    more = _paths(corpus, word, major, minor, label, from_empty, labels) if collapse else ([], [], [])
    kept = minor == _WORD
    return Edges(
        np.append(word[kept], np.array(more[0], dtype=np.intp)),
        np.append(head[kept], np.array(more[1], dtype=np.intp)),
        np.append(label[kept], np.array(more[2], dtype=np.int32)),
        list(labels),
    )


def deps_fields(corpus: Corpus) -> DepsFields:
    """The edges in the distinct values of DEPS; a `DataError` where one cannot be read or leaves its sentence."""
    fields = _parsed(corpus.column("deps").vocabulary.spans)
    problems = _problems(corpus, fields)
    if problems:
        raise DataError(problems)
    return fields


def deps_problems(corpus: Corpus) -> list[Problem]:
    """The words whose DEPS cannot be read or has a head outside the sentence."""
    return _problems(corpus, _parsed(corpus.column("deps").vocabulary.spans))


def _problems(corpus: Corpus, fields: DepsFields) -> list[Problem]:
    """The words in sentences not known to be bad whose DEPS is one of the unreadable fields or leaves the sentence."""
    ids = corpus.column("deps").ids
    highest = np.zeros(len(fields.is_readable), dtype=np.intp)
    np.maximum.at(highest, fields.field, np.where(fields.from_empty, 0, fields.major))  # nodes may be misnumbered
    highest[~fields.is_readable] = np.iinfo(np.intp).max
    is_wrong = highest.take(ids) > np.diff(corpus.sentence_offsets).take(corpus.words_sentence)
    words = np.flatnonzero(is_wrong)
    words = words[~corpus.bad.take(corpus.words_sentence.take(words))]
    spans = corpus.spans("deps", corpus.word_rows[words])
    hint = "DEPS is a list such as 4:nsubj|7:conj:and; or choose measures that do not use DEPS"
    problems: list[Problem] = []
    for word, place, text in zip(words.tolist(), spans.start.tolist(), spans.strings(), strict=True):
        what = "has a head outside the sentence" if fields.is_readable[ids[word]] else "cannot be read"
        message, sentence = f"the DEPS {text[:60]!r} {what}", int(corpus.words_sentence[word])
        problems.append(corpus.source.problem("K213", message, place, hint=hint, sentence=sentence))
    return problems


def _parsed(spans: Spans) -> DepsFields:
    """The edges of DEPS fields, which are `_` or a list such as `4:nsubj|7.1:conj:and`."""
    has_edges = np.flatnonzero((spans.lengths > 1) | (spans.source.buffer.take(spans.start) != ord("_")))
    has_edges = has_edges[spans.lengths.take(has_edges) > 0]
    lengths = spans.lengths.take(has_edges).astype(np.intp)
    begin = np.cumsum(lengths + 1) - lengths - 1
    text = np.full(int((lengths + 1).sum()), _BAR, dtype=np.uint8)  # every field, a bar behind each
    text[stretches(begin, lengths)] = spans.source.buffer.take(stretches(spans.start.take(has_edges), lengths))
    stop = np.flatnonzero(text == _BAR)
    start = np.append(0, stop[:-1] + 1)[: len(stop)]
    field = has_edges.take(np.searchsorted(begin, start, side="right") - 1)
    colon = _next(text, _COLON, start)
    dot = np.minimum(_next(text, _DOT, start), colon)
    major, major_is_number = _numbers(text, start, dot)
    minor, minor_is_number = _numbers(text, dot + 1, colon)
    minor[dot == colon] = _WORD
    is_good = (colon + 1 < stop) & major_is_number & ((dot == colon) | minor_is_number)
    source = made_source(text.tobytes())
    label_spans = Spans(source, (colon + 1).astype(np.int32), np.maximum(stop, colon + 1).astype(np.int32))
    label_spans = label_spans[is_good]
    label, first = interned(label_spans)
    is_readable = np.ones(len(spans), dtype=np.bool_)
    is_readable[field[~is_good]] = False
    return DepsFields(field[is_good], major[is_good], minor[is_good], label, label_spans[first].strings(), is_readable)


def _next(text: Bytes, byte: int, start: Indices) -> Indices:
    """The first place of a byte from each start on; the end of the text where there is none."""
    places = np.append(np.flatnonzero(text == byte), len(text))
    return places.take(np.searchsorted(places, start))


def _numbers(text: Bytes, start: Indices, stop: Indices) -> tuple[Indices, Flags]:
    """The numbers written in decimal between start and stop, and which of them are: 1 to 9 digits, no leading zero."""
    lengths = stop - start
    values = np.zeros(len(start), dtype=np.intp)
    is_number = (lengths > 0) & (lengths < 10)
    for place in range(int(lengths[is_number].max(initial=0))):
        inside = is_number & (place < lengths)
        digit = text.take(start + place, mode="clip").astype(np.intp) - _ZERO
        is_number &= ~inside | ((digit >= 0) & (digit <= 9) & ((place == 0) | (values > 0)))
        values = np.where(inside, 10 * values + digit, values)
    return np.where(is_number, values, 0), is_number


def _paths(
    corpus: Corpus,
    word: Indices,
    major: Indices,
    minor: Indices,
    label: Ids,
    from_empty: Indices,
    labels: dict[str, int],
) -> tuple[list[int], list[int], list[int]]:
    """Words, heads and labels of the paths that replace edges from empty nodes."""
    above = _edges_of_empty_nodes(corpus)
    names = list(labels)
    words: list[int] = []
    heads: list[int] = []
    codes: list[int] = []
    for edge in from_empty.tolist():
        sentence = int(corpus.words_sentence[word[edge]])
        offset = int(corpus.sentence_offsets[sentence])
        start = (int(major[edge]), int(minor[edge]))
        for (number, _), path in _ways_up(above.get(sentence, {}), start, names[label[edge]]):
            words.append(int(word[edge]))
            heads.append(offset + number - 1 if number else _ROOT)
            codes.append(labels.setdefault(path, len(labels)))
    return words, heads, codes


def _ways_up(above: dict[_Node, list[_Edge]], node: _Node, label: str) -> list[_Edge]:
    """All paths from an empty node up to words, without going through an empty node twice."""
    found: list[_Edge] = []
    open_: list[tuple[_Node, str, frozenset[_Node]]] = [(node, label, frozenset([node]))]
    while open_ and len(found) < 1000:  # a graph of many empty nodes can have exponentially many paths
        here, path, seen = open_.pop()
        for head, step in above.get(here, []):
            if head[1] == _WORD:
                found.append((head, f"{step}>{path}"))
            elif head not in seen:
                open_.append((head, f"{step}>{path}", seen | {head}))
    return found


def _edges_of_empty_nodes(corpus: Corpus) -> dict[int, dict[_Node, list[_Edge]]]:
    """For each sentence that has empty nodes the edges above them."""
    nodes = corpus.empty_nodes
    fields = _parsed(corpus.spans("deps", nodes.rows))
    found: dict[int, dict[_Node, list[_Edge]]] = {}
    edges = zip(fields.field.tolist(), fields.major.tolist(), fields.minor.tolist(), fields.label.tolist(), strict=True)
    for node, major, minor, label in edges:
        own = (int(nodes.major[node]), int(nodes.minor[node]))
        above = found.setdefault(int(nodes.sentence[node]), {}).setdefault(own, [])
        above.append(((major, minor), fields.labels[label]))
    return found
