"""The ID field of CoNLL-U: words, multiword tokens and empty nodes, and whether their numbers are right."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from karat._arrays import Flags, Ids, Indices
from karat._ragged import owners_of
from karat.corpus._corpus import EmptyNodes, MultiwordTokens
from karat.corpus._numbers import small_numbers
from karat.corpus.interning import Spans, interned
from karat.corpus.source import Source
from karat.errors import Problem

__all__ = ["Numbering", "first_of_each", "numbering"]

_WORD, _RANGE, _EMPTY, _BAD = range(4)
_NUMBER = "[1-9][0-9]{0,8}"
_ID = re.compile(rf"({_NUMBER})(?:-({_NUMBER}))?|(0|{_NUMBER})\.({_NUMBER})")


@dataclass(frozen=True, slots=True, eq=False)
class Numbering:
    """What the rows are. A row whose ID cannot be read is taken for a word, so that its sentence keeps its text."""

    word_rows: Indices
    sentence_offsets: Indices
    row_sentence: Indices
    multiword: MultiwordTokens
    empty_nodes: EmptyNodes
    problems: list[Problem]


def first_of_each(sentences: Indices) -> Indices:
    """Of places sorted by sentence the first of each: one mistake in numbering makes all later numbers wrong."""
    return np.flatnonzero(np.diff(sentences, prepend=-1))


def numbering(source: Source, edges: Ids, first_rows: Indices) -> Numbering:
    """The words, multiword tokens and empty nodes of rows that begin a sentence at each of `first_rows`."""
    spans = Spans(source, edges[0] + np.int32(1), edges[1])
    left, others = small_numbers(spans)
    kind, right = np.full(len(left), _WORD, dtype=np.int32), np.zeros(len(left), dtype=np.int32)
    kind[left == 0] = _BAD
    ids, first = interned(spans[others])
    kind[others], left[others], right[others] = _parsed(spans[others[first]].strings()).take(ids, axis=1)
    word_rows = np.flatnonzero((kind == _WORD) | (kind == _BAD))
    row_sentence = owners_of(np.diff(first_rows, append=len(left)))
    sentence_offsets = np.append(np.searchsorted(word_rows, first_rows), len(word_rows))
    checker = _Checker(source, edges, word_rows, sentence_offsets, row_sentence)
    checker.check_words(kind.take(word_rows) == _BAD, left.take(word_rows))
    checker.check_sentences(first_rows)
    ranges, empties = np.flatnonzero(kind == _RANGE), np.flatnonzero(kind == _EMPTY)
    multiword = checker.multiword_tokens(ranges, left.take(ranges), right.take(ranges))
    empty_nodes = checker.empty_nodes(empties, left.take(empties), right.take(empties))
    return Numbering(word_rows, sentence_offsets, row_sentence, multiword, empty_nodes, checker.problems)


def _parsed(texts: list[str]) -> Ids:
    """For each distinct ID its kind and its one or two numbers: [3 × IDs]."""
    found = np.zeros((3, len(texts)), dtype=np.int32)
    for number, text in enumerate(texts):
        match = _ID.fullmatch(text)
        first, last, major, minor = match.groups() if match else (None, None, None, None)
        found[0, number] = _RANGE if last else _WORD if first else _EMPTY if major else _BAD
        found[1:, number] = int(first or major or 0), int(last or minor or 0)
    return found


class _Checker:
    """Compares the numbers that rows have with those that their places ask for."""

    def __init__(
        self, source: Source, edges: Ids, word_rows: Indices, sentence_offsets: Indices, row_sentence: Indices
    ) -> None:
        self.source = source
        self.edges = edges
        self.word_rows = word_rows
        self.offsets = sentence_offsets
        self.row_sentence = row_sentence
        self.problems: list[Problem] = []

    def report(self, rows: Indices, code: str, message: str, hint: str = "") -> None:
        """A problem for the first of the given rows in each sentence; `{id}` in the message is the ID found there."""
        for row in rows[first_of_each(self.row_sentence[rows])].tolist():
            start, stop = int(self.edges[0, row]) + 1, int(self.edges[1, row])
            found = message.format(id=repr(self.source.text(start, min(stop, start + 40))))
            self.problems.append(
                self.source.problem(code, found, start, hint=hint, sentence=int(self.row_sentence[row]))
            )

    def check_words(self, is_bad: Flags, number: Ids) -> None:
        hint = "an ID is a word's number (7), a range of words (7-8) or an empty node (7.1)"
        self.report(self.word_rows[is_bad], "K202", "the ID {id} cannot be read", hint)
        sentence = self.row_sentence.take(self.word_rows)
        expected = np.arange(1, len(self.word_rows) + 1) - self.offsets.take(sentence)
        wrong = np.flatnonzero((number != expected) & ~is_bad)
        for place in wrong[first_of_each(sentence[wrong])].tolist():
            row = self.word_rows[place : place + 1]
            hint = "is a blank line missing before it?" if number[place] == 1 else ""
            self.report(row, "K203", f"the word's ID is {{id}} where {expected[place]} was expected", hint)

    def check_sentences(self, first_rows: Indices) -> None:
        hint = "multiword tokens and empty nodes need words"
        self.report(first_rows[np.diff(self.offsets) == 0], "K214", "the sentence has no words", hint)

    def multiword_tokens(self, rows: Indices, first: Ids, last: Ids) -> MultiwordTokens:
        start = np.searchsorted(self.word_rows, rows)
        sentence = self.row_sentence[rows]
        base = self.offsets[sentence]
        end_of_sentence = self.offsets[sentence + 1]
        stop = base + last
        follows = np.append(self.word_rows, -1)[start] == rows + 1
        same = np.diff(sentence, prepend=-1) == 0
        overlaps = same & (start < np.concatenate([[0], stop[:-1]])) if len(rows) else same
        wrong = (base + first - 1 != start) | ~follows | (last < first) | (stop > end_of_sentence) | overlaps
        hint = "a range must come on the line before its first word and end within the sentence"
        self.report(rows[wrong], "K204", "the range {id} does not fit the words around it", hint)
        right = ~wrong
        return MultiwordTokens(start[right], stop[right], rows[right])

    def empty_nodes(self, rows: Indices, major: Ids, minor: Ids) -> EmptyNodes:
        sentence = self.row_sentence[rows]
        words_before = np.searchsorted(self.word_rows, rows) - self.offsets[sentence]
        run_goes_on = (np.diff(sentence, prepend=-1) == 0) & (np.diff(words_before, prepend=-1) == 0)
        previous = np.concatenate([[0], minor[:-1]])[: len(rows)]
        expected = np.where(run_goes_on, previous + 1, 1)
        wrong = (major != words_before) | (minor != expected)
        hint = "empty nodes after word 7 are 7.1, 7.2 …; those before the first word are 0.1, 0.2 …"
        self.report(rows[wrong], "K205", "the empty node {id} is not where its number belongs", hint)
        right = ~wrong
        return EmptyNodes(sentence[right], major[right], minor[right], rows[right])
