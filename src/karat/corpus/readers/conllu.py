"""Reading CoNLL-U [https://universaldependencies.org/format.html].

Every check is made on whole columns. What is wrong is collected as problems, each of which spoils one sentence; whether
that ends the reading is the caller's choice (`bad`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from karat._arrays import Flags, Ids, Indices
from karat.corpus._corpus import Corpus
from karat.corpus._numbers import small_numbers
from karat.corpus.dependency_trees import MISSING, tree_problems
from karat.corpus.enhanced_graph import deps_problems
from karat.corpus.interning import Spans, interned
from karat.corpus.lines import Lines, bad_utf8, find_lines
from karat.corpus.readers.conllu_comments import comments_of_sentences
from karat.corpus.readers.conllu_ids import Numbering, first_of_each, number_as_conll18, numbering
from karat.corpus.source import PathLike, Source, read_source
from karat.errors import DataError, Problem

COLUMNS = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
SPACES = "".join(map(chr, (0x20, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000)))  # category Zs
_MAY_BE_SPACE = np.isin(np.arange(256), [space.encode()[0] for space in SPACES])
_HEAD = re.compile("0|[1-9][0-9]{0,8}")
_UNREADABLE = -2

Bad = Literal["raise", "keep"]


def read_conllu(
    paths: PathLike | Sequence[PathLike], *, trees: bool = True, deps: bool = False, bad: Bad = "raise"
) -> Corpus:
    """The corpus in a CoNLL-U file, or in several read as one.

    `-` is standard input; .gz, .bz2 and .xz are decompressed. Byte order marks, CR LF or CR at the end of lines,
    missing or doubled blank lines and comments after the last sentence are accepted; empty nodes that are not where
    their numbers say are read, with a warning (`corpus.warnings`). With `trees` (the default) every sentence must have
    a tree: heads in range, one root, no cycle; a file whose HEAD is `_` throughout has no trees and is read all the
    same. With `deps` the enhanced graph in DEPS must be readable. Problems raise a `DataError` that holds all of them;
    with `bad="keep"` they are kept in `corpus.problems`, and the heads of bad sentences are missing.
    """
    return conllu_from_source(read_source(paths), trees=trees, deps=deps, bad=bad)


def conllu_from_source(
    source: Source, *, trees: bool = True, deps: bool = False, bad: Bad = "raise", as_conll18: bool = False
) -> Corpus:
    """The corpus in the bytes of a source; see `read_conllu`.

    With `as_conll18`, IDs and heads are read as the evaluator of the CoNLL 2018 shared task reads them: `01`, or a
    number with a no-break space behind it.
    """
    lines = find_lines(source, len(COLUMNS))
    refuse_no_text(source, lines)
    first_rows = np.flatnonzero(np.diff(lines.row_block, prepend=-1))
    rows = numbering(source, lines.edges, first_rows, as_conll18=as_conll18)
    comments = comments_of_sentences(source, lines, first_rows)
    heads, head_problems = _heads(source, lines, rows, as_conll18=as_conll18)
    problems = _field_problems(source, lines, rows)
    misread = {problem.sentence for problem in problems}  # with a column too few, what follows is no surprise
    problems += [problem for problem in (*rows.problems, *head_problems) if problem.sentence not in misread]
    problems += utf8_problems(source, lines.edges, rows.row_sentence)
    if trees and heads is not None:
        problems += _problems_of_trees(source, lines.edges, rows, heads, problems)
    corpus = Corpus(
        source=source,
        names=COLUMNS,
        edges=lines.edges,
        word_rows=rows.word_rows,
        sentence_offsets=rows.sentence_offsets,
        document_offsets=comments.document_offsets,
        document_names=comments.document_names,
        heads=heads,
        multiword=rows.multiword,
        empty_nodes=rows.empty_nodes,
        sent_ids=comments.sent_ids,
        format="conllu",
        oddities=tuple(rows.warnings),
    )
    if deps:
        spoiled = {problem.sentence for problem in problems}
        problems += [problem for problem in deps_problems(corpus) if problem.sentence not in spoiled]
    if not problems:
        return corpus
    problems = in_order(source, problems)
    if bad == "raise":
        raise DataError(problems)
    corpus = replace(corpus, problems=tuple(problems))
    if heads is not None:
        heads[corpus.bad.take(corpus.words_sentence)] = MISSING
    return corpus


def refuse_no_text(source: Source, lines: Lines) -> None:
    """Raise where no sentence can be read at all."""
    if lines.nul >= 0:
        hint = "is it UTF-16, or not a text file? karat reads UTF-8"
        raise DataError(source.problem("K107", "the file contains a NUL byte", lines.nul, hint=hint))
    if not lines.edges.shape[1]:
        raise DataError(Problem("K104", "the file has no sentences", source.path))


def utf8_problems(source: Source, edges: Ids, row_sentence: Indices) -> list[Problem]:
    """The places that are not UTF-8; one in a comment spoils no sentence."""
    problems = []
    for place, reason in bad_utf8(source):
        row = int(np.searchsorted(edges[0], place)) - 1
        sentence = int(row_sentence[row]) if row >= 0 and place < edges[-1, row] else None
        message = f"not valid UTF-8: {reason}"
        hint = "convert the file, for example with iconv -f latin1 -t utf8"
        problems.append(source.problem("K106", message, place, hint=hint, sentence=sentence))
    return problems


def in_order(source: Source, problems: list[Problem]) -> list[Problem]:
    """Problems in the order of the files and of the places in them."""
    number = {part.path: number for number, part in enumerate(source.parts)}
    return sorted(problems, key=lambda problem: (number[problem.path], problem.line, problem.column))


def blank_forms(spans: Spans) -> Flags:
    """Which forms are empty or nothing but spaces."""
    blank = spans.lengths <= 0
    maybe_space = np.flatnonzero(_MAY_BE_SPACE.take(spans.source.buffer.take(spans.start)) & ~blank)
    if len(maybe_space):
        candidates = spans[maybe_space]
        ids, first = interned(candidates)
        is_space = np.array([not text.strip(SPACES) for text in candidates[first].strings()])
        blank[maybe_space] = is_space.take(ids)
    return blank


def _field_problems(source: Source, lines: Lines, rows: Numbering) -> list[Problem]:
    """Rows with a wrong number of fields, and forms that are empty."""
    problems = []
    wrong = np.flatnonzero(lines.n_fields != len(COLUMNS))
    for row in wrong[first_of_each(rows.row_sentence[wrong])].tolist():
        found = int(lines.n_fields[row])
        hint = "columns are separated by single tabs"
        if found < 4:
            hint = (
                "is this CoNLL-U? for tagged text (form TAB tag, word/TAG or word_TAG) give the format: `input=FORMAT`"
            )
        message = f"{found} column{'s' * (found != 1)} where 10 were expected"
        place, sentence = int(lines.edges[0, row]) + 1, int(rows.row_sentence[row])
        problems.append(source.problem("K201", message, place, hint=hint, sentence=sentence))
    forms = Spans(source, lines.edges[1] + np.int32(1), lines.edges[2])
    blank = np.flatnonzero(blank_forms(forms) & (lines.n_fields == len(COLUMNS)))
    for row in blank[first_of_each(rows.row_sentence[blank])].tolist():
        place, sentence = int(forms.start[row]), int(rows.row_sentence[row])
        problems.append(source.problem("K206", "the FORM is empty", place, sentence=sentence))
    return problems


def _heads(source: Source, lines: Lines, rows: Numbering, *, as_conll18: bool) -> tuple[Ids | None, list[Problem]]:
    """The heads of the words, or None where the corpus has none; and what cannot be read."""
    number = COLUMNS.index("head")
    start, stop = lines.edges[number] + np.int32(1), lines.edges[number + 1]
    if len(rows.word_rows) < len(start):
        start, stop = start.take(rows.word_rows), stop.take(rows.word_rows)
    spans = Spans(source, start, stop)
    heads, others = small_numbers(spans)
    ids, first = interned(spans[others])
    texts = spans[others[first]].strings()
    values = [_head(text, as_conll18=as_conll18) for text in texts]
    heads[others] = np.array(values, dtype=np.int32).take(ids)
    wrong = np.flatnonzero(heads == _UNREADABLE)
    is_whole = lines.n_fields.take(rows.word_rows[wrong]) == len(COLUMNS)  # a row too short has no HEAD to speak of
    heads[wrong] = MISSING
    if not (is_whole.any() or (heads != MISSING).any()):
        return None, []
    sentence = rows.row_sentence.take(rows.word_rows[wrong])
    problems = []
    for place in first_of_each(sentence).tolist():
        text = source.text(int(start[wrong[place]]), int(stop[wrong[place]]))
        message = f"the HEAD {text[:40]!r} is not a number"
        problems.append(source.problem("K207", message, int(start[wrong[place]]), sentence=int(sentence[place])))
    return heads, problems


def _head(text: str, *, as_conll18: bool) -> int:
    if _HEAD.fullmatch(text):
        return int(text)
    if text == "_":
        return MISSING
    number = number_as_conll18(text) if as_conll18 else None
    return _UNREADABLE if number is None else number


def _problems_of_trees(
    source: Source, edges: Ids, rows: Numbering, heads: Ids, problems: list[Problem]
) -> list[Problem]:
    """Sentences that are no trees, unless something else is wrong with them already."""
    places = edges[COLUMNS.index("head")].take(rows.word_rows) + np.int32(1)
    spoiled = {problem.sentence for problem in problems}
    found = tree_problems(source, heads, rows.sentence_offsets, places)
    return [problem for problem in found if problem.sentence not in spoiled]
