"""Lines of fields with tabs between, where blank lines tell sentences and paragraphs apart: what KRNNT writes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from karat._arrays import Flags, Ids, Indices
from karat.corpus.analysed import AnalysedText
from karat.corpus.interning import Spans
from karat.corpus.source import Source

_TAB, _NEWLINE, _RETURN, _BLANK = 9, 10, 13, 32


@dataclass(frozen=True, slots=True, eq=False)
class TabbedLines:
    """All lines: `edges` [fields + 1 × lines] bound the first fields, those that a line does not have being empty."""

    source: Source
    edges: Ids
    n_fields: Ids
    is_blank: Flags

    def field(self, number: int, lines: Indices) -> Spans:
        """One of the fields of some lines."""
        start, stop = self.edges[number].take(lines) + np.int32(1), self.edges[number + 1].take(lines)
        return Spans(self.source, np.minimum(start, stop), stop)

    def begins_with_tab(self) -> Flags:
        """Which lines are indented."""
        indented: Flags = self.source.buffer.take(self.edges[0] + 1) == _TAB
        return indented


def tabbed_lines(source: Source, most_fields: int) -> TabbedLines:
    """The lines of a source with the bounds of their first `most_fields` fields; one of nothing but spaces is blank."""
    text = source.buffer[: source.size]
    marks = np.flatnonzero((text == _TAB) | (text == _NEWLINE)).astype(np.int32)
    if not len(marks) or marks[-1] != source.size - 1 or text[-1] != _NEWLINE:
        marks = np.append(marks, np.int32(source.size))  # the padding's first byte ends the last line
    ends = np.flatnonzero(source.buffer.take(marks) != _TAB)
    stop = marks.take(ends)
    before = np.append(np.int32(-1), stop[:-1])
    stop = stop - ((stop > before + 1) & (source.buffer.take(stop - 1) == _RETURN)).astype(np.int32)
    first = np.append(0, ends[:-1] + 1)
    n_fields = (ends - first + 1).astype(np.int32)
    edges = np.empty((most_fields + 1, len(ends)), dtype=np.int32)
    edges[0] = before
    for number in range(most_fields):
        edges[number + 1] = np.where(number < n_fields - 1, marks.take(first + number, mode="clip"), stop)
    is_blank = (n_fields == 1) & (before + 1 == stop)
    for line in np.flatnonzero((n_fields == 1) & ~is_blank & (source.buffer.take(before + 1) == _BLANK)).tolist():
        is_blank[line] = not source.text(int(before[line]) + 1, int(stop[line])).strip(" ")
    return TabbedLines(source, edges, n_fields, is_blank)


def sentences_and_paragraphs(lines: TabbedLines, words: Indices) -> tuple[Indices, Indices]:
    """Where sentences start among the words, and paragraphs among the sentences.

    `words` are the lines at which words begin. A blank line ends a sentence, two of them end a paragraph.
    """
    n_blank = np.cumsum(lines.is_blank).take(words)
    starts = np.flatnonzero(np.diff(n_blank, prepend=-1))
    far = np.diff(n_blank.take(starts), prepend=-2) > 1
    return np.append(starts, len(words)), np.append(np.flatnonzero(far), len(starts))


def joined_sentences(text: AnalysedText, words: list[str]) -> str:
    """The lines of all words of a text, with a blank one behind each sentence and another between paragraphs."""
    sentences = ["".join(words[first:stop]) + "\n" for first, stop in pairwise(text.sentence_offsets.tolist())]
    if text.paragraph_offsets is None:
        return "".join(sentences)
    return "\n".join("".join(sentences[first:stop]) for first, stop in pairwise(text.paragraph_offsets.tolist()))
