"""What things were tagged with: one tag or several, with probabilities where they are given."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat._arrays import Flags, Floats, Ids, Indices
from karat._ragged import offsets_of, places_of_rows
from karat.corpus._answer_parsing import earlier_same, is_mixed, kept, numbers, places_of
from karat.corpus._corpus import Column, Corpus
from karat.corpus.interning import Spans, interned
from karat.errors import DataError, Problem

_CLOSE_TO_ONE = 1e-5  # what six decimals leave when ten numbers are rounded
_HINT = "write probabilities as tag:=0.7, or in separate columns and read them with `probabilities=True`"


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """The answers of n things: thing i has `tags[offsets[i]:offsets[i + 1]]`, numbers of the distinct `names`.

    `probabilities` are those given, beside `tags`; NaN where none is. A thing without answers was not tagged.
    In what karat reads, a thing has each tag once, and probabilities above 0 for all of its tags or for none; they need
    not sum to 1 (see `normalised`).
    """

    names: tuple[str, ...]
    offsets: Indices
    tags: Ids
    probabilities: Floats

    @property
    def n(self) -> int:
        """How many things there are."""
        return len(self.offsets) - 1

    @property
    def sizes(self) -> Indices:
        """How many answers each thing has."""
        return np.diff(self.offsets)


def normalised(answers: Answers, *, tolerance: float = _CLOSE_TO_ONE) -> tuple[Floats, Indices]:
    """The probabilities of all answers, those of each thing with sum 1, and the things whose own do not sum to 1.

    Where an answer of a thing has no probability, all of them have the same. Sums that are off by no more than the
    `tolerance` are 1, but for rounding. Probabilities that are all 0 stay so.

    >>> normalised(Answers(("river", "money"), np.array([0, 2]), np.array([0, 1]), np.array([3.0, 1.0])))
    (array([0.75, 0.25]), array([0]))
    """
    sizes = answers.sizes
    things = np.flatnonzero(sizes)
    if not len(things):
        return np.zeros(0), things
    sums = np.add.reduceat(answers.probabilities, answers.offsets[:-1].take(things))  # NaN where one is
    sizes = sizes.take(things)
    is_uniform = np.isnan(sums)
    off = things[~is_uniform & ~(np.abs(sums - 1) <= tolerance)]
    probabilities = answers.probabilities / np.repeat(np.where(sums == 0, 1.0, sums), sizes)
    if is_uniform.any():
        uniform = np.repeat(is_uniform, sizes)
        probabilities[uniform] = np.repeat(1 / sizes[is_uniform], sizes[is_uniform])
    return probabilities, off


def answers_of_spans(tags: Spans, offsets: Indices, probabilities: Floats) -> tuple[Answers, Indices]:
    """The answers whose tags are spans, each tag of a thing once with the sum of its probabilities; and the repeats."""
    ids, first = interned(tags)
    names = tuple(tags[first].strings())
    repeats, firsts = earlier_same(offsets, ids)
    if len(repeats):
        np.add.at(probabilities, firsts, probabilities[repeats])
        keep = np.ones(len(ids), dtype=np.bool_)
        keep[repeats] = False
        offsets, ids, probabilities = kept(offsets, keep, ids, probabilities)
    return Answers(names, offsets, ids, probabilities), repeats


def answers_from_column(corpus: Corpus, column: str, *, with_probabilities: bool = False) -> Answers:
    """The tags of all words in a column: several have tabs between, `_` is none.

    Probabilities stand behind `:=`, or `with_probabilities` in every second cell, unless all words have but one, as in
    CoNLL-U: then these are tags. A tag whose probability is 0 is none;
    where a word has tags with and without, those that there are do not count (Senseval's rule, see `key`). What is no
    number between 0 and 1 is a `DataError`. Further tags in MISC (`XPOSAlt`) are not looked at.
    """
    values = corpus.column(column)
    texts = values.vocabulary.spans  # words that have the same text have the same answers
    cells, offsets = _cells(texts)
    if with_probabilities and (np.diff(offsets) > 1).any():
        _refuse_odd(corpus, values, offsets)
        tags, given = cells[::2], cells[1::2]
        offsets = offsets // 2
        where = np.arange(len(given))
    else:
        mark, where = _last_marks(cells)
        tags = Spans(cells.source, cells.start, mark)
        given = Spans(cells.source, mark[where] + np.int32(len(":=")), cells.stop[where])
    probabilities = np.full(len(tags), np.nan)
    probabilities[where] = _probabilities(corpus, values, given)
    is_tag = (tags.lengths > 0) & ~_is_none(tags) & (probabilities != 0)
    offsets, start, stop, probabilities = kept(offsets, is_tag, tags.start, tags.stop, probabilities)
    probabilities[np.repeat(is_mixed(offsets, probabilities), np.diff(offsets))] = np.nan
    answers, _ = answers_of_spans(Spans(cells.source, start, stop), offsets, probabilities)
    return _chosen(answers, values.ids)


def _cells(texts: Spans) -> tuple[Spans, Indices]:
    """The cells of texts with tabs between, and where each text's begin among them; `_` has none."""
    is_text = ~_is_none(texts)
    some = texts[np.flatnonzero(is_text)]
    tabs, row = places_of(some, b"\t")
    n_cells = np.zeros(len(texts), dtype=np.intp)
    n_cells[is_text] = np.bincount(row, minlength=len(some)) + 1
    start = np.sort(np.append(some.start, tabs + np.int32(1)))
    stop = np.sort(np.append(some.stop, tabs))
    return Spans(texts.source, start, stop), offsets_of(n_cells)


def _is_none(spans: Spans) -> Flags:
    """Which spans are `_`."""
    is_none: Flags = (spans.lengths == 1) & (spans.source.buffer.take(spans.start) == ord("_"))
    return is_none


def _last_marks(cells: Spans) -> tuple[Ids, Indices]:
    """Where the last `:=` of every cell is, or its end, and which cells have one."""
    places, row = places_of(cells, b":=")
    mark = cells.stop.copy()
    mark[row] = places  # of several the last stays
    return mark, np.flatnonzero(mark < cells.stop)


def _refuse_odd(corpus: Corpus, values: Column, offsets: Indices) -> None:
    n_cells = np.diff(offsets)
    problems = []
    for text in np.flatnonzero(n_cells % 2).tolist():
        message = f"{n_cells[text]} cells after the form, where tags and probabilities should alternate"
        problems.append(_problem(corpus, values, int(values.vocabulary.spans.start[text]), message))
    if problems:
        raise DataError(problems)


def _probabilities(corpus: Corpus, values: Column, spans: Spans) -> Floats:
    """The numbers between 0 and 1 that spans are; a `DataError` where they are none."""
    found, _ = numbers(spans, _float)
    problems = []
    for one in np.flatnonzero(~((found >= 0) & (found <= 1))).tolist():
        start, stop = int(spans.start[one]), int(spans.stop[one])
        message = f"{spans.source.text(start, stop)[:40]!r} is not a probability between 0 and 1"
        problems.append(_problem(corpus, values, start, message))
    if problems:
        raise DataError(problems)
    return found


def _problem(corpus: Corpus, values: Column, place: int, message: str) -> Problem:
    """The problem at a byte of a column's values; where these are not in the source, at the first word that has it."""
    if not corpus.has_fields_in_source:
        value = np.searchsorted(values.vocabulary.spans.start, place, side="right") - 1
        place = int(corpus.edges[0, np.argmax(values.ids == value)]) + 1
    return corpus.source.problem("K303", message, place, hint=_HINT)


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return np.nan


def _chosen(answers: Answers, things: Ids) -> Answers:
    """The answers of some things, which may come more than once, in their order."""
    if np.array_equal(things, np.arange(answers.n)):
        return answers
    places, sizes = places_of_rows(answers.offsets, things)
    return Answers(answers.names, offsets_of(sizes), answers.tags.take(places), answers.probabilities.take(places))
