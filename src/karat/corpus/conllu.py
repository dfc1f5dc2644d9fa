"""Reading CoNLL-U [https://universaldependencies.org/format.html].

Every check is made on whole columns. What is wrong is collected as problems, each of which spoils one sentence; whether
that ends the reading is the caller's choice (`bad`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

import numpy as np

from karat._arrays import Ids, Indices
from karat.corpus._corpus import Column, Corpus, Vocabulary
from karat.corpus._ids import Numbering, first_of_each, numbering
from karat.corpus._intern import Spans, interned
from karat.corpus._lines import Lines, bad_utf8, find_lines
from karat.corpus._source import PathLike, Source, read_source
from karat.corpus.comments import comments_of_sentences
from karat.corpus.trees import MISSING, tree_problems
from karat.errors import DataError, Problem

__all__ = ["COLUMNS", "SPACES", "Bad", "conllu_from_source", "read_conllu", "refuse_no_text", "utf8_problems"]

COLUMNS = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
SPACES = "".join(map(chr, (0x20, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000)))  # category Zs
_MAY_BE_SPACE = np.isin(np.arange(256), [space.encode()[0] for space in SPACES])
_HEAD = re.compile("0|[1-9][0-9]{0,8}")

Bad = Literal["raise", "keep"]


def read_conllu(paths: PathLike | Sequence[PathLike], *, trees: bool = True, bad: Bad = "raise") -> Corpus:
    """The corpus in a CoNLL-U file, or in several read as one.

    `-` is standard input; .gz, .bz2 and .xz are decompressed. Byte order marks, CR LF, missing or doubled blank lines
    and comments after the last sentence are accepted. With `trees` (the default) every sentence must have a tree: heads
    in range, one root, no cycle; a file whose HEAD is `_` throughout has no trees and is read all the same. Problems
    raise a `DataError` that holds all of them; with `bad="keep"` they are kept in `corpus.problems`.
    """
    return conllu_from_source(read_source(paths), trees=trees, bad=bad)


def conllu_from_source(source: Source, *, trees: bool = True, bad: Bad = "raise") -> Corpus:
    """The corpus in the bytes of a source; see `read_conllu`."""
    lines = find_lines(source, len(COLUMNS))
    refuse_no_text(source, lines)
    first_rows = np.flatnonzero(np.diff(lines.row_block, prepend=-1))
    rows = numbering(source, lines.edges, first_rows)
    comments = comments_of_sentences(source, lines, first_rows)
    heads, head_column, head_problems = _heads(source, lines.edges, rows)
    problems = _field_problems(source, lines, rows)
    misread = {problem.sentence for problem in problems}  # with a column too few, what follows is no surprise
    problems += [problem for problem in (*rows.problems, *head_problems) if problem.sentence not in misread]
    problems += utf8_problems(source, lines.edges[0], rows.row_sentence)
    if trees and heads is not None:
        problems += _problems_of_trees(source, lines.edges, rows, heads, problems)
    problems.sort(
        key=lambda problem: (-1 if problem.sentence is None else problem.sentence, problem.line, problem.column)
    )
    if problems and bad == "raise":
        raise DataError(problems)
    return Corpus(
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
        problems=tuple(problems),
        _columns={"head": head_column},
    )


def refuse_no_text(source: Source, lines: Lines) -> None:
    """Raise where no sentence can be read at all."""
    if lines.nul >= 0:
        hint = "is it UTF-16, or not text at all? karat reads UTF-8"
        raise DataError(source.problem("K107", "a NUL byte", lines.nul, hint=hint))
    if not lines.edges.shape[1]:
        raise DataError(Problem("K104", "there is no sentence in it", source.path))


def utf8_problems(source: Source, row_edges: Ids, row_sentence: Indices) -> list[Problem]:
    """The places that are not UTF-8; one in a comment spoils the sentence before it."""
    problems = []
    for place, reason in bad_utf8(source):
        row = int(np.searchsorted(row_edges, place)) - 1
        sentence = int(row_sentence[max(row, 0)])
        message = f"the bytes are not UTF-8: {reason}"
        hint = "convert the file, for example with iconv -f latin1 -t utf8"
        problems.append(source.problem("K106", message, place, hint=hint, sentence=sentence))
    return problems


def _field_problems(source: Source, lines: Lines, rows: Numbering) -> list[Problem]:
    """Rows with a wrong number of fields, and forms that are empty."""
    problems = []
    wrong = np.flatnonzero(lines.n_fields != len(COLUMNS))
    for row in wrong[first_of_each(rows.row_sentence[wrong])].tolist():
        found = int(lines.n_fields[row])
        hint = "columns are separated by single tabs" if found > 1 else "is this CoNLL-U? see --input"
        message = f"{found} column{'s' * (found != 1)} where 10 were expected"
        place, sentence = int(lines.edges[0, row]) + 1, int(rows.row_sentence[row])
        problems.append(source.problem("K201", message, place, hint=hint, sentence=sentence))
    start, stop = lines.edges[1] + np.int32(1), lines.edges[2]
    nothing = (stop <= start) & (lines.n_fields == len(COLUMNS))
    maybe_space = np.flatnonzero(_MAY_BE_SPACE.take(source.buffer.take(start)) & ~nothing)
    if len(maybe_space):
        spans = Spans(source, start[maybe_space], stop[maybe_space])
        ids, first = interned(spans)
        is_space = np.array([not text.strip(SPACES) for text in spans[first].strings()])
        nothing[maybe_space] = is_space.take(ids)
    empty_rows = np.flatnonzero(nothing)
    for row in empty_rows[first_of_each(rows.row_sentence[empty_rows])].tolist():
        place, sentence = int(start[row]), int(rows.row_sentence[row])
        problems.append(source.problem("K206", "the FORM is empty", place, sentence=sentence))
    return problems


def _heads(source: Source, edges: Ids, rows: Numbering) -> tuple[Ids | None, Column, list[Problem]]:
    """The heads of the words, or None where the corpus has none; HEAD as a column; and what cannot be read."""
    number = COLUMNS.index("head")
    start, stop = edges[number] + np.int32(1), edges[number + 1]
    if len(rows.word_rows) < len(start):
        start, stop = start.take(rows.word_rows), stop.take(rows.word_rows)
    spans = Spans(source, start, stop)
    ids, first = interned(spans)
    column = Column(ids, Vocabulary(spans[first]))
    texts = column.vocabulary.strings
    if texts == ["_"]:
        return None, column, []
    unreadable = -2
    values = [int(text) if _HEAD.fullmatch(text) else MISSING if text == "_" else unreadable for text in texts]
    heads = np.array(values, dtype=np.int32).take(ids)
    problems = []
    wrong = np.flatnonzero(heads == unreadable)
    sentence = rows.row_sentence.take(rows.word_rows[wrong])
    chosen = first_of_each(sentence)
    for word, its_sentence in zip(wrong[chosen].tolist(), sentence[chosen].tolist(), strict=True):
        message = f"the HEAD {texts[ids[word]]!r} is not a number"
        problems.append(source.problem("K207", message, int(start[word]), sentence=its_sentence))
    heads[wrong] = MISSING
    return heads, column, problems


def _problems_of_trees(
    source: Source, edges: Ids, rows: Numbering, heads: Ids, problems: list[Problem]
) -> list[Problem]:
    """Sentences that are no trees, unless something else is wrong with them already."""
    places = edges[COLUMNS.index("head")].take(rows.word_rows) + np.int32(1)
    spoiled = {problem.sentence for problem in problems}
    found = tree_problems(source, heads, rows.sentence_offsets, places)
    return [problem for problem in found if problem.sentence not in spoiled]
