"""What the readers and writers of analysed text in its formats share."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

import numpy as np

from karat._arrays import Floats
from karat.corpus.analysed import NOT_IN_A_FIELD, AnalysedText, Interned, interned_from_spans
from karat.corpus.files import compressed, replace_file
from karat.corpus.interning import Spans
from karat.corpus.readers.conllu import in_order, utf8_problems
from karat.corpus.source import PathLike, Source
from karat.errors import DataError, Problem, UsageError

_PROBABILITY = re.compile(r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?", re.ASCII)
_LONGEST_NUMBER = 40


def refuse_unreadable(source: Source) -> None:
    """Raise where the text is not UTF-8 or has NUL bytes."""
    text = source.buffer[: source.size]
    if source.size and not text.min():
        hint = "is it UTF-16, or not a text file? karat reads UTF-8"
        raise DataError(source.problem("K107", "the file contains a NUL byte", int(np.argmin(text)), hint=hint))
    none = np.zeros(0, dtype=np.int32)
    problems = utf8_problems(source, none.reshape(1, 0), none.astype(np.intp))
    if problems:
        raise DataError(in_order(source, problems))


def no_sentence(source: Source) -> DataError:
    """The error for a source without any word."""
    return DataError(Problem("K104", "the file has no sentences", source.path))


def probability_from(text: str) -> float | None:
    """The probability that a text spells, nan for none; None if it is no number from 0 to 1."""
    if not text:
        return float("nan")
    if len(text) > _LONGEST_NUMBER or not _PROBABILITY.fullmatch(text):
        return None
    value = float(text)
    return value if value <= 1 else None


def probabilities_of(source: Source, spans: Spans, problems: list[Problem]) -> Floats:
    """The probabilities that a column spells; what is none is told as K833 and becomes nan."""
    column = interned_from_spans(spans)
    found = [probability_from(text) for text in column.strings]
    for number, value in enumerate(found):
        if value is None:
            message = f"{column.strings[number][:40]!r} is not a probability between 0 and 1"
            places = spans.start[column.ids == number].tolist()
            problems += [source.problem("K833", message, place) for place in places]
    values = np.array([np.nan if value is None else value for value in found], dtype=np.float64)
    return values.take(column.ids)


def refuse_probabilities(text: AnalysedText, format_: str) -> None:
    """Raise where a text has probabilities that a format cannot hold."""
    if not np.isnan(text.probability).all():
        raise UsageError(f"{format_} cannot store probabilities; write segmented(text, probabilities=False)")


def refuse_graph(text: AnalysedText, format_: str) -> None:
    """Raise where a text is a graph, or carries columns, which a format cannot hold."""
    if text.nodes is not None or text.extra:
        raise UsageError(f"{format_} cannot store graphs or further columns; write segmented(text)")


def refuse_bad_fields(*columns: Sequence[str]) -> None:
    """Raise where a string cannot stand between tabs."""
    for column in columns:
        for value in column:
            if NOT_IN_A_FIELD.search(value):
                raise UsageError(f"{value[:60]!r} cannot be a field of a line")


def refuse_empty(what: str, column: Interned) -> None:
    """Raise where a form or a tag is empty or blank."""
    if any(not column.strings[number].strip() for number in np.unique(column.ids).tolist()):
        raise UsageError(f"a {what} is empty")


def write_text(path: PathLike, text: str) -> None:
    """Write a text as UTF-8; .gz, .bz2 and .xz are compressed. No half-written file is left."""
    try:
        replace_file(os.path.realpath(path), compressed(text.encode(), os.fspath(path)))
    except OSError as error:
        raise UsageError(f"{os.fspath(path)} cannot be written: {error.strerror or error}") from None
