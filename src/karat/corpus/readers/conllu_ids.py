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

_WORD, _RANGE, _EMPTY, _BAD = range(4)
_NO_NUMBER = -1  # of an empty node whose ID has a dot and is no two numbers
_TOO_LARGE = 10**9
_EMPTY_NODES = "empty nodes after word 7 are 7.1, 7.2 …; those before the first word are 0.1, 0.2 …"
_NUMBER = "[1-9][0-9]{0,8}"
_ID = re.compile(rf"({_NUMBER})(?:-({_NUMBER}))?|(0|{_NUMBER})\.(0|{_NUMBER})")


@dataclass(frozen=True, slots=True, eq=False)
class Numbering:
    """What the rows are. A row whose ID cannot be read is taken for a word, so that its sentence keeps its text.

    `warnings` tell of empty nodes that are not where their numbers say: nothing else depends on these numbers, so that
    the nodes are read under the names that they have.
    """

    word_rows: Indices
    sentence_offsets: Indices
    row_sentence: Indices
    multiword: MultiwordTokens
    empty_nodes: EmptyNodes
    problems: list[Problem]
    warnings: list[Problem]


def first_of_each(sentences: Indices) -> Indices:
    """Of places sorted by sentence the first of each: one mistake in numbering makes all later numbers wrong."""
    return np.flatnonzero(np.diff(sentences, prepend=-1))


def number_as_conll18(text: str) -> int | None:
    """The number in an ID or a HEAD as the CoNLL 2018 evaluator reads it, or None.

    It uses Python's `int`, which takes leading zeros and blanks of any kind around the digits.
    """
    try:
        number = int(text)
    except ValueError:
        return None
    return number if 0 <= number < _TOO_LARGE else None


def numbering(source: Source, edges: Ids, first_rows: Indices, *, as_conll18: bool = False) -> Numbering:
    """The words, multiword tokens and empty nodes of rows that begin a sentence at each of `first_rows`.

    With `as_conll18`, numbers are read as the evaluator of that shared task does, and every ID with a dot is an empty
    node's.
    """
    spans = Spans(source, edges[0] + np.int32(1), edges[1])
    left, others = small_numbers(spans)
    kind, right = np.full(len(left), _WORD, dtype=np.int32), np.zeros(len(left), dtype=np.int32)
    kind[left == 0] = _BAD
    ids, first = interned(spans[others])
    parsed = _parsed(spans[others[first]].strings(), as_conll18=as_conll18)
    kind[others], left[others], right[others] = parsed.take(ids, axis=1)
    word_rows = np.flatnonzero((kind == _WORD) | (kind == _BAD))
    row_sentence = owners_of(np.diff(first_rows, append=len(left)))
    sentence_offsets = np.append(np.searchsorted(word_rows, first_rows), len(word_rows))
    checker = _Checker(source, edges, word_rows, sentence_offsets, row_sentence)
    checker.check_words(kind.take(word_rows) == _BAD, left.take(word_rows))
    checker.check_sentences(first_rows)
    ranges, empties = np.flatnonzero(kind == _RANGE), np.flatnonzero(kind == _EMPTY)
    multiword = checker.multiword_tokens(ranges, left.take(ranges), right.take(ranges))
    major, minor = (numbers.take(empties).astype(np.intp) for numbers in (left, right))
    nodes = EmptyNodes(row_sentence.take(empties), major, minor, empties)
    warnings = checker.misplaced_nodes(nodes, ranges)
    return Numbering(word_rows, sentence_offsets, row_sentence, multiword, nodes, checker.problems, warnings)


def _parsed(texts: list[str], *, as_conll18: bool) -> Ids:
    """For each distinct ID its kind and its one or two numbers: [3 × IDs]."""
    found = np.zeros((3, len(texts)), dtype=np.int32)
    for number, text in enumerate(texts):
        match = _ID.fullmatch(text)
        if match is None and as_conll18:
            found[:, number] = _parsed_as_conll18(text)
            continue
        first, last, major, minor = match.groups() if match else (None, None, None, None)
        found[0, number] = _RANGE if last else _WORD if first else _EMPTY if major else _BAD
        found[1:, number] = int(first or major or 0), int(last or minor or 0)
    return found


def _parsed_as_conll18(text: str) -> tuple[int, int, int]:
    """Kind and numbers of an ID that is not written as it should be."""
    if "." in text:
        return _EMPTY, _NO_NUMBER, _NO_NUMBER
    numbers = [number_as_conll18(part) for part in text.split("-")]
    if None in numbers or len(numbers) > 2 or numbers[0] == 0:
        return _BAD, 0, 0
    first, last = numbers[0] or 0, numbers[-1] or 0
    return (_RANGE, first, last) if len(numbers) == 2 else (_WORD, first, 0)


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
        same = np.diff(sentence, prepend=-1) == 0
        overlaps = same & (start < np.concatenate([[0], stop[:-1]])) if len(rows) else same
        wrong = (base + first - 1 != start) | (last < first) | (stop > end_of_sentence) | overlaps
        hint = "a range must come on the line before its first word and end within the sentence"
        self.report(rows[wrong], "K204", "the range {id} does not fit the words around it", hint)
        right = ~wrong
        return MultiwordTokens(start[right], stop[right], rows[right])

    def misplaced_nodes(self, nodes: EmptyNodes, ranges: Indices) -> list[Problem]:
        """A warning, where there is reason, about empty nodes that are not where their numbers say.

        Those after word 7 are 7.1, 7.2 …, and none stands between a range and its first word.
        """
        sentence = nodes.sentence
        next_word = np.searchsorted(self.word_rows, nodes.rows)
        words_before = next_word - self.offsets[sentence]
        run_goes_on = (np.diff(sentence, prepend=-1) == 0) & (np.diff(words_before, prepend=-1) == 0)
        previous = np.concatenate([[0], nodes.minor[:-1]])[: len(nodes)]
        expected = np.where(run_goes_on, previous + 1, 1)
        last_range = np.append(-1, ranges).take(np.searchsorted(ranges, nodes.rows))
        row_of_last_word = np.append(self.word_rows, -1).take(next_word - 1)
        wrong = (nodes.major != words_before) | (nodes.minor != expected)
        wrong |= last_range > row_of_last_word
        if not wrong.any():
            return []
        row = int(nodes.rows[wrong.argmax()])
        start, stop = int(self.edges[0, row]) + 1, int(self.edges[1, row])
        n, name = int(wrong.sum()), repr(self.source.text(start, min(stop, start + 40)))
        message = f"the empty node {name} is not where its number says"
        if n > 1:
            message = f"{n:,} empty nodes are not where their numbers say; the first is {name}"
        return [self.source.problem("W103", message, start, hint=_EMPTY_NODES)]
