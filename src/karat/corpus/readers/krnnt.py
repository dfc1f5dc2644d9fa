r"""The table that KRNNT writes as `conll` or `tsv`: a line for each word, with its tag and one lemma.

A line is `form TAB lemma TAB space TAB tag TAB start TAB end`: the space is 1 or 0 (none stands before the word), start
and end count characters in the text that was tagged, or are empty. A blank line ends a sentence, two of them end a
paragraph. KRNNT tags every word; the tag `_` is for one without any.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from karat._arrays import Flags, Indices
from karat._ragged import offsets_of
from karat.corpus.analysed import NO_SPACE, SPACE, AnalysedText, Interned, interned_from_spans
from karat.corpus.readers.analysed_formats import (
    no_sentence,
    refuse_bad_fields,
    refuse_empty,
    refuse_probabilities,
    refuse_unreadable,
    write_text,
)
from karat.corpus.readers.conllu import blank_forms, in_order
from karat.corpus.readers.tabbed_lines import TabbedLines, joined_sentences, sentences_and_paragraphs, tabbed_lines
from karat.corpus.source import PathLike, Source, read_source
from karat.errors import DataError, Problem, UsageError

_NAMES = ("form", "lemma", "space", "tag", "start", "end")
_OFFSETS = ("start", "end")
_NO_TAG = "_"
_OFFSET = re.compile("[0-9]{0,18}", re.ASCII)
_HINT = "a line is form, lemma, 1 or 0 for the space before it, tag, start and end, with tabs between"


def read_krnnt(path: PathLike) -> AnalysedText:
    """The text in a file of KRNNT's table; `-` is standard input, .gz, .bz2 and .xz are decompressed.

    What is wrong is raised as one `DataError`, in the order of the file: K832 (a line with the wrong fields) and K833
    (a start or an end that is no number).
    """
    return krnnt_from_source(read_source(path))


def krnnt_from_source(source: Source) -> AnalysedText:
    """The text of KRNNT's table in a source that has been read; see `read_krnnt`."""
    refuse_unreadable(source)
    lines = tabbed_lines(source, len(_NAMES))
    words = np.flatnonzero(~lines.is_blank)
    if not len(words):
        raise no_sentence(source)
    columns = {name: interned_from_spans(lines.field(number, words)) for number, name in enumerate(_NAMES)}
    problems = _problems(lines, words, columns)
    if problems:
        raise DataError(in_order(source, problems))
    has_tag = ~_values_that(columns["tag"], lambda text: text == _NO_TAG)
    tagged = np.flatnonzero(has_tag)
    sentence_offsets, paragraph_offsets = sentences_and_paragraphs(lines, words)
    return AnalysedText(
        form=columns["form"],
        space=np.where(_values_that(columns["space"], lambda text: text == "1"), SPACE, NO_SPACE).astype(np.uint8),
        place=lines.edges[0].take(words) + np.int32(1),
        interpretation_offsets=offsets_of(has_tag.astype(np.intp)),
        lemma=columns["lemma"].take(tagged),
        tag=columns["tag"].take(tagged),
        chosen=np.ones(len(tagged), dtype=np.bool_),
        probability=np.full(len(tagged), np.nan),
        sentence_offsets=sentence_offsets,
        paragraph_offsets=paragraph_offsets,
        extra=tuple((name, columns[name].take(tagged)) for name in _OFFSETS if any(columns[name].strings)),
        path=source.path,
        format="krnnt",
    )


def krnnt_text(text: AnalysedText) -> str:
    """A text as KRNNT's table, each line ended by LF and each sentence by a blank line.

    Where it is not known what stands before words, a space is taken to. Names of sentences and paragraphs have no place
    in the format and are left out. What else it cannot hold (words with several interpretations, or one that is not
    chosen) is a `UsageError`.
    """
    if text.nodes is not None or any(name not in _OFFSETS for name, _ in text.extra):
        raise UsageError("KRNNT's table holds no graphs and no further columns; write segmented(text)")
    refuse_probabilities(text, "KRNNT's table")
    n_tags = np.diff(text.interpretation_offsets)
    if (n_tags > 1).any() or not text.chosen.all():
        raise UsageError("KRNNT's table holds one chosen interpretation for each word")
    if text.space is not None and (text.space > SPACE).any():
        raise UsageError("KRNNT's table holds no other spaces than one")
    refuse_bad_fields(text.form.strings, text.lemma.strings, text.tag.strings)
    refuse_empty("form", text.form)
    refuse_empty("tag", text.tag)
    space = np.full(text.n_words, SPACE) if text.space is None else text.space
    rows = [
        _of_words(text.lemma, n_tags > 0, _NO_TAG),
        ["0" if code == NO_SPACE else "1" for code in space.tolist()],
        _of_words(text.tag, n_tags > 0, _NO_TAG),
        *(_of_words(text.extra_column(name), n_tags > 0, "") for name in _OFFSETS),
    ]
    words = ["\t".join(cells) + "\n" for cells in zip(text.form.values(), *rows, strict=True)]
    return joined_sentences(text, words)


def write_krnnt(path: PathLike, text: AnalysedText) -> None:
    """Write a text as KRNNT's table; .gz, .bz2 and .xz are compressed."""
    write_text(path, krnnt_text(text))


def _of_words(column: Interned | None, has_one: Flags, otherwise: str) -> list[str]:
    """The value of each word's only interpretation."""
    values = iter(() if column is None else column.values())
    return [next(values, otherwise) if there else otherwise for there in has_one.tolist()]


def _values_that(column: Interned, holds: Callable[[str], bool]) -> Flags:
    """For each row whether its value is as wanted."""
    return np.array([holds(text) for text in column.strings], dtype=np.bool_).take(column.ids)


def _problems(lines: TabbedLines, words: Indices, columns: dict[str, Interned]) -> list[Problem]:
    """Lines with too few or too many fields, or with fields that cannot be."""
    found: list[Problem] = []

    def tell(code: str, rows: Flags, number: int, message: str, hint: str = "") -> None:
        for row in np.flatnonzero(rows).tolist():
            shown = message.format(repr(columns[_NAMES[number]][row][:40]), int(n_fields[row]))
            place = min(int(lines.edges[number, words[row]]) + 1, lines.source.size)
            found.append(lines.source.problem(code, shown, place, hint=hint))

    n_fields = lines.n_fields.take(words)
    tell("K832", n_fields != len(_NAMES), 0, "{1} columns where 6 were expected", _HINT)
    is_whole = n_fields == len(_NAMES)
    for number in (0, 3):
        is_empty = blank_forms(lines.field(number, words))
        tell("K832", is_whole & is_empty, number, f"the {_NAMES[number]} is empty")
    is_space = _values_that(columns["space"], lambda text: text in ("0", "1"))
    tell("K832", is_whole & ~is_space, 2, "{0} where 0 or 1 was expected, for the space before the word", _HINT)
    for number in (4, 5):
        is_offset = _values_that(columns[_NAMES[number]], lambda text: _OFFSET.fullmatch(text) is not None)
        tell("K833", is_whole & ~is_offset, number, "{0} is no number of a character", _HINT)
    return found
