"""Where verdicts apply: the places of judged rows in a corpus, what changes there, what is on the other side.

A verdict on a label is about all places of its repeat that have it. The other side is the places that have the label
called right: what else is annotated there is what further columns may be set to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from karat._arrays import Indices
from karat.corpus import Corpus
from karat.gold.correction_results import Change, LabelPairs, Refusal
from karat.gold.judged_words import JudgedWord
from karat.gold.repeats.judged_repeats import JudgedRow
from karat.gold.repeats.repeat_places import RepeatPlaces
from karat.gold.repeats.running_text import BOUNDARY, RunningText
from karat.gold.tree_corrections import ROOT, relation_and_distance


@dataclass(frozen=True, slots=True)
class WantedRow:
    """A row, its wrong labels with the right ones, and whether another row's verdict was generalised to it."""

    row: JudgedRow
    pairs: LabelPairs
    is_general: bool = False


class JudgedPlaces(NamedTuple):
    """The places of the text that have a label judged wrong, and the words on the other side, which have the right one.

    `new` is the value that the right label stands for.
    """

    wanted: WantedRow
    new: str
    wrong_places: Indices
    right_words: Indices
    text: RunningText


def judged_places(found: RepeatPlaces, wanted: Sequence[WantedRow]) -> Iterator[JudgedPlaces]:
    """The places of all rows; a `DataError` for a row whose id was changed."""
    found.find([one.row for one in wanted])
    for each in wanted:
        at = found.of(each.row)
        for wrong, right in each.pairs:
            yield JudgedPlaces(
                each,
                found.value(right),
                at[found.have(each.row, wrong)],
                right_words(found, each.row, right),
                found.text,
            )


def right_words(found: RepeatPlaces, row: JudgedRow, label: str) -> Indices:
    """The words at the places of a row that have the right label."""
    return found.text.words_at(found.of(row)[found.have(row, label)])


def changes_at(corpus: Corpus, columns: Sequence[str], places: JudgedPlaces) -> Iterator[Change | Refusal]:
    """The changes that a verdict on columns, or on dependencies (the columns head and deprel), makes at its places.

    Those columns of a word that are right already are among them: another verdict may want something else of them.
    """
    words = places.text.words_at(places.wrong_places).tolist()
    if tuple(columns) == ("head", "deprel"):
        for word, place in zip(words, places.wrong_places.tolist(), strict=True):
            yield from _arc_changes(corpus, word, place, places)
        return
    values = [places.new] if len(columns) == 1 else places.new.split()
    for word in words:
        for column, value in zip(columns, values, strict=True):
            yield change_of(corpus, word, column, value, places.wanted)


def _arc_changes(corpus: Corpus, word: int, place: int, places: JudgedPlaces) -> Iterator[Change | Refusal]:
    text, wanted = places.text, places.wanted
    if places.new == ROOT:
        yield change_of(corpus, word, "head", "0", wanted)
        yield change_of(corpus, word, "deprel", ROOT, wanted)
        return
    found = relation_and_distance(places.new)
    if found is None:
        reason = "the right head is outside the repeat, and the list does not say where"
        yield Refusal(change_of(corpus, word, "head", places.new, wanted), reason)
        return
    relation, distance = found
    head = place + distance
    is_there = 0 <= head < len(text.codes) and text.codes[head] != BOUNDARY
    if not is_there or text.sentences[head] != text.sentences[place]:
        reason = "the sentence has no word at this distance"
        yield Refusal(change_of(corpus, word, "head", places.new, wanted), reason)
        return
    first = int(corpus.sentence_offsets[corpus.words_sentence[word]])
    number = int(text.words_at(np.array([head]))[0]) - first + 1
    for column, value in (("head", str(number)), ("deprel", relation)):
        yield change_of(corpus, word, column, value, wanted)


def values_of(corpus: Corpus, column: str, words: Indices) -> set[str]:
    """The values that words have in a column."""
    values = corpus.column(column)
    return {values.vocabulary[number] for number in np.unique(values.ids[words]).tolist()}


def change_of(
    corpus: Corpus, word: int, column: str, new: str, wanted: WantedRow, came_with: str | None = None
) -> Change:
    """The change of a word's field that a row wants."""
    return word_change(corpus, word, column, new, wanted.row, is_general=wanted.is_general, came_with=came_with)


def word_change(
    corpus: Corpus,
    word: int,
    column: str,
    new: str,
    row: JudgedRow | JudgedWord,
    *,
    is_general: bool = False,
    came_with: str | None = None,
) -> Change:
    """The change of a word's field, and the row that says so."""
    sentence = int(corpus.words_sentence[word])
    form, values = corpus.column("form"), corpus.column(column)
    path, line, _ = corpus.place_of_word(word)
    return Change(
        word,
        path,
        line,
        corpus.sent_id(sentence) or f"sentence {sentence + 1}",
        word - int(corpus.sentence_offsets[sentence]) + 1,
        form.vocabulary[form.ids[word]],
        column,
        values.vocabulary[values.ids[word]],
        new,
        row,
        is_general,
        came_with,
    )
