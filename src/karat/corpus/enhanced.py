"""The enhanced graph of DEPS as arrays of edges."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from karat._arrays import Ids, Indices
from karat.corpus._corpus import Corpus
from karat.errors import DataError, Problem

__all__ = ["Edges", "enhanced_edges"]

_EDGE = re.compile(r"(0|[1-9][0-9]{0,8})(?:\.([1-9][0-9]{0,8}))?:(.+)", re.DOTALL)
_ROOT = -1

_Node = tuple[int, int]  # a word's number in its sentence and 0, or an empty node's two numbers
_Edge = tuple[_Node, str]


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """Edges between words: each from `head` (a word, or -1 for the root) to `word` with the label `labels[label]`."""

    word: Indices
    head: Indices
    label: Ids
    labels: list[str]


def enhanced_edges(corpus: Corpus, *, collapse: bool) -> Edges:
    """All edges of the enhanced graph whose dependent is a word.

    With `collapse`, an edge from an empty node becomes the path through it, as the IWPT 2020 shared task has it: word w
    under 8.1 as nsubj, and 8.1 under word 5 as conj, give w under 5 as conj>nsubj. Without it, edges from empty nodes
    are left out, as its evaluator does with graphs that nobody collapsed.
    """
    column = corpus.column("deps")
    parsed = [_parsed(text) for text in column.vocabulary.strings]
    _refuse_unreadable(corpus, parsed)
    labels: dict[str, int] = {}
    n_edges = np.array([len(edges or ()) for edges in parsed], dtype=np.intp)
    flat = [edge for edges in parsed for edge in edges or ()]
    flat_major = np.array([major for (major, _), _ in flat], dtype=np.intp)
    flat_minor = np.array([minor for (_, minor), _ in flat], dtype=np.intp)
    flat_label = np.array([labels.setdefault(label, len(labels)) for _, label in flat], dtype=np.int32)
    repeats = n_edges.take(column.ids)
    word = np.repeat(np.arange(corpus.n_words), repeats)
    first_edge = np.cumsum(n_edges) - n_edges
    before = np.cumsum(repeats) - repeats
    place = np.repeat(first_edge.take(column.ids) - before, repeats) + np.arange(len(word))
    major, minor, label = flat_major.take(place), flat_minor.take(place), flat_label.take(place)
    _refuse_out_of_range(corpus, word, major)
    offset = corpus.sentence_offsets[:-1].take(corpus.words_sentence.take(word))
    head = np.where(major == 0, _ROOT, offset + major - 1)
    from_empty = np.flatnonzero(minor)
    if not len(from_empty):
        return Edges(word, head, label, list(labels))
    kept = minor == 0
    more = _paths(corpus, word, major, minor, label, from_empty, labels) if collapse else ([], [], [])
    return Edges(
        np.append(word[kept], np.array(more[0], dtype=np.intp)),
        np.append(head[kept], np.array(more[1], dtype=np.intp)),
        np.append(label[kept], np.array(more[2], dtype=np.int32)),
        list(labels),
    )


def _parsed(text: str) -> list[_Edge] | None:
    """The edges of one DEPS field; None where it cannot be read."""
    if text in ("_", ""):
        return []
    edges: list[_Edge] = []
    for part in text.split("|"):
        match = _EDGE.fullmatch(part)
        if match is None:
            return None
        edges.append(((int(match[1]), int(match[2] or 0)), match[3]))
    return edges


def _refuse_unreadable(corpus: Corpus, parsed: list[list[_Edge] | None]) -> None:
    column = corpus.column("deps")
    unreadable = np.array([edges is None for edges in parsed], dtype=np.bool_)
    if unreadable.any():
        words = np.flatnonzero(unreadable.take(column.ids))
        raise DataError([_problem(corpus, word, "cannot be read") for word in words.tolist()])


def _refuse_out_of_range(corpus: Corpus, word: Indices, major: Indices) -> None:
    lengths = np.diff(corpus.sentence_offsets).take(corpus.words_sentence.take(word))
    outside = np.unique(word[major > lengths])
    if len(outside):
        raise DataError([_problem(corpus, number, "has a head outside the sentence") for number in outside.tolist()])


def _problem(corpus: Corpus, word: int, what: str) -> Problem:
    text = corpus.column("deps").vocabulary.strings[corpus.column("deps").ids[word]]
    place = int(corpus.spans("deps", corpus.word_rows[word : word + 1]).start[0])
    hint = "DEPS is a list such as 4:nsubj|7:conj:and"
    sentence = int(corpus.words_sentence[word])
    return corpus.source.problem("K213", f"the DEPS {text[:60]!r} {what}", place, hint=hint, sentence=sentence)


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
            if head[1] == 0:
                found.append((head, f"{step}>{path}"))
            elif head not in seen:
                open_.append((head, f"{step}>{path}", seen | {head}))
    return found


def _edges_of_empty_nodes(corpus: Corpus) -> dict[int, dict[_Node, list[_Edge]]]:
    """For each sentence that has empty nodes the edges above them."""
    nodes = corpus.empty_nodes
    texts = corpus.spans("deps", nodes.rows).strings()
    found: dict[int, dict[_Node, list[_Edge]]] = {}
    numbers = zip(nodes.sentence.tolist(), nodes.major.tolist(), nodes.minor.tolist(), texts, strict=True)
    for sentence, major, minor, text in numbers:
        found.setdefault(sentence, {})[major, minor] = _parsed(text) or []
    return found
