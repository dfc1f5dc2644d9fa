r"""The plain format of Corpus2, MACA and KRNNT.

A word is a line `form TAB space` (`none`, `space`, `spaces`, `newline` or `newlines`: what stands before it), followed
by its interpretations as lines `TAB lemma TAB tag`, those chosen with a further `TAB disamb`. A blank line ends a
sentence, two of them end a paragraph. A probability may stand in one more column after `disamb`, or after an empty
one; the tools write none.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from karat._arrays import Flags, Indices
from karat.corpus.analysed import SPACE, SPACE_NAMES, AnalysedText, interned_from_spans
from karat.corpus.interning import Spans
from karat.corpus.readers.analysed_formats import (
    no_sentence,
    probabilities_of,
    refuse_bad_fields,
    refuse_empty,
    refuse_graph,
    refuse_unreadable,
    write_text,
)
from karat.corpus.readers.conllu import blank_forms, in_order
from karat.corpus.readers.tabbed_lines import TabbedLines, joined_sentences, sentences_and_paragraphs, tabbed_lines
from karat.corpus.source import PathLike, Source, read_source
from karat.errors import DataError, Problem, UsageError

_MOST_FIELDS = 5  # of an interpretation: nothing, lemma, tag, disamb, probability


def read_plain(path: PathLike) -> AnalysedText:
    """The text in a file of the plain format; `-` is standard input, .gz, .bz2 and .xz are decompressed.

    What is wrong is raised as one `DataError`, in the order of the file: K832 (a line where it should not be, or with
    the wrong fields) and K833 (a probability that is none).
    """
    return plain_from_source(read_source(path))


def plain_from_source(source: Source) -> AnalysedText:
    """The text in the plain format in a source that has been read; see `read_plain`."""
    refuse_unreadable(source)
    lines = _found_lines(source)
    words, interpretations = np.flatnonzero(lines.is_word), np.flatnonzero(lines.is_interpretation)
    if not len(words) and not len(interpretations):
        raise no_sentence(source)
    problems = _line_problems(source, lines, words, interpretations)
    spaces = interned_from_spans(lines.field(1, words))
    codes = [SPACE_NAMES.index(name) if name in SPACE_NAMES else -1 for name in spaces.strings]
    space = np.array(codes, dtype=np.int8).take(spaces.ids)
    marks = interned_from_spans(lines.field(3, interpretations))
    marked = lines.found.n_fields.take(interpretations) > 3
    problems += _value_problems(source, lines, words[(space < 0) & (lines.found.n_fields.take(words) == 2)], 1)
    bad_mark = np.array([mark not in ("", "disamb") for mark in marks.strings], dtype=np.bool_).take(marks.ids)
    problems += _value_problems(source, lines, interpretations[bad_mark & marked], 3)
    probability = probabilities_of(source, lines.field(4, interpretations), problems)
    if problems:
        raise DataError(in_order(source, problems))
    chosen = np.array([mark == "disamb" for mark in marks.strings], dtype=np.bool_).take(marks.ids)
    sentence_offsets, paragraph_offsets = sentences_and_paragraphs(lines.found, words)
    return AnalysedText(
        form=interned_from_spans(lines.field(0, words)),
        space=space.astype(np.uint8),
        place=lines.found.edges[0].take(words) + np.int32(1),
        interpretation_offsets=np.append(np.searchsorted(interpretations, words), len(interpretations)),
        lemma=interned_from_spans(lines.field(1, interpretations)),
        tag=interned_from_spans(lines.field(2, interpretations)),
        chosen=chosen,
        probability=probability,
        sentence_offsets=sentence_offsets,
        paragraph_offsets=paragraph_offsets,
        path=source.path,
        format="plain",
    )


def plain_text(text: AnalysedText) -> str:
    """A text in the plain format, each line ended by LF and each sentence by a blank line.

    Where it is not known what stands before words, `space` is written. Names of sentences and paragraphs have no place
    in the format and are left out. What else it cannot hold is a `UsageError`.
    """
    refuse_graph(text, "the plain format")
    refuse_bad_fields(text.form.strings, text.lemma.strings, text.tag.strings)
    refuse_empty("form", text.form)
    refuse_empty("tag", text.tag)
    spaces = np.full(text.n_words, SPACE) if text.space is None else text.space
    heads = [f"{form}\t{SPACE_NAMES[code]}\n" for form, code in zip(text.form.values(), spaces.tolist(), strict=True)]
    columns = text.lemma.values(), text.tag.values(), text.chosen.tolist(), text.probability.tolist()
    rows = [_row(*cells) for cells in zip(*columns, strict=True)]
    bounds = list(pairwise(text.interpretation_offsets.tolist()))
    blocks = [head + "".join(rows[first:stop]) for head, (first, stop) in zip(heads, bounds, strict=True)]
    return joined_sentences(text, blocks)


def write_plain(path: PathLike, text: AnalysedText) -> None:
    """Write a text in the plain format; .gz, .bz2 and .xz are compressed."""
    write_text(path, plain_text(text))


def _row(lemma: str, tag: str, is_chosen: bool, probability: float) -> str:
    mark = "\tdisamb" if is_chosen else ""
    if probability == probability:
        if not 0 <= probability <= 1:
            raise UsageError(f"{probability} is not a probability")
        mark = (mark or "\t") + f"\t{probability!r}"
    return f"\t{lemma}\t{tag}{mark}\n"


@dataclass(frozen=True, slots=True, eq=False)
class _Lines:
    """All lines, and which of them are words and which interpretations."""

    found: TabbedLines
    is_word: Flags
    is_interpretation: Flags

    def field(self, number: int, lines: Indices) -> Spans:
        """One of the fields of some lines."""
        return self.found.field(number, lines)


def _found_lines(source: Source) -> _Lines:
    found = tabbed_lines(source, _MOST_FIELDS)
    is_interpretation = ~found.is_blank & found.begins_with_tab()
    return _Lines(found, ~found.is_blank & ~is_interpretation, is_interpretation)


def _line_problems(source: Source, lines: _Lines, words: Indices, interpretations: Indices) -> list[Problem]:
    """Lines with too few or too many fields, with empty ones, and interpretations that belong to no word."""
    problems: list[Problem] = []

    def tell(rows: Indices, message: str, field: int = 0, hint: str = "") -> None:
        for row in rows.tolist():
            place = int(lines.found.edges[field, row]) + 1
            problems.append(source.problem("K832", message, min(place, source.size), hint=hint))

    n_fields = lines.found.n_fields
    hint = "a word is a line form TAB space; an interpretation is a line TAB lemma TAB tag, optionally TAB disamb"
    tell(words[n_fields.take(words) != 2], "the line of a word needs two fields: form and space", hint=hint)
    counts = n_fields.take(interpretations)
    tell(interpretations[counts < 3], "interpretation without a tag", hint=hint)
    tell(interpretations[counts > _MOST_FIELDS], "interpretation with too many fields", hint=hint)
    tell(words[blank_forms(lines.field(0, words))], "the form is empty")
    whole = interpretations[counts >= 3]
    tell(whole[blank_forms(lines.field(2, whole))], "the tag is empty", 2)
    before = np.append(False, (lines.is_word | lines.is_interpretation)[:-1])
    tell(np.flatnonzero(lines.is_interpretation & ~before), "interpretation without a word before it", hint=hint)
    return problems


def _value_problems(source: Source, lines: _Lines, rows: Indices, field: int) -> list[Problem]:
    expected = ", ".join(SPACE_NAMES) if field == 1 else "disamb or nothing"
    spans = lines.field(field, rows)
    return [
        source.problem("K832", f"{value[:40]!r} where {expected} was expected", start)
        for value, start in zip(spans.strings(), spans.start.tolist(), strict=True)
    ]
