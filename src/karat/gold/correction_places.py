"""Where verdicts apply: the places of judged rows in a corpus, what changes there, what is on the other side.

A verdict on a label is about all places of its repeat that have it. The other side is the places that have the label
called right: what else is annotated there is what further columns may be set to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from karat._arrays import Flags, Indices
from karat.corpus import Corpus
from karat.corpus.analysed import tags_shown
from karat.corpus.spreadsheet_tables import plain
from karat.errors import DataError
from karat.gold.correction_results import Change, LabelPairs, Refusal
from karat.gold.judged_words import JudgedWord
from karat.gold.repeats.judged_repeats import JudgedRow, ListSettings, places_of_words, shown_word
from karat.gold.repeats.labels import OUTSIDE, Labels, column_labels, dependency_labels
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


def judged_places(corpus: Corpus, settings: ListSettings, wanted: Sequence[WantedRow]) -> Iterator[JudgedPlaces]:
    """The places of all rows; a `DataError` for a row whose id was changed."""
    if not wanted:
        return
    text = settings.text(corpus)
    is_tree = settings.of == "dependencies"
    labels = dependency_labels(text) if is_tree else column_labels(text, settings.of.split("+"))
    codes: dict[str, list[int]] = {}
    for code, name in enumerate(labels.names):
        codes.setdefault(plain(name), []).append(code)
    values = {} if is_tree or "+" in settings.of else _values_shown(corpus, settings.of)
    as_written = str if is_tree or corpus.has_fields_in_source else _tags_written
    for each, starts in zip(wanted, places_of_words(text, [one.row.repeat for one in wanted]), strict=True):
        row = each.row
        at = starts + row.position
        if len(at) and shown_word(text.strings(int(at[0]), 1)[0]) != row.word:
            hint = "do not change id and shown: they say which words and labels were judged"
            raise DataError(row.problem("K741", "the id does not belong to the word shown", hint))
        for wrong, right in each.pairs:
            wrong_places = at[_have(labels, codes, at, row, wrong)]
            right_words = text.words_at(at[_have(labels, codes, at, row, right)])
            yield JudgedPlaces(each, values.get(right, as_written(right)), wrong_places, right_words, text)


def _values_shown(corpus: Corpus, column: str) -> dict[str, str]:
    """The values of a column by what is shown of them."""
    return {plain(tags_shown(value)): value for value in reversed(corpus.column(column).vocabulary.strings)}


def _tags_written(label: str) -> str:
    """The tags that somebody wrote with spaces between, as a column has them."""
    return "\t".join(dict.fromkeys(label.split()))


def _have(labels: Labels, codes: dict[str, list[int]], at: Indices, row: JudgedRow, label: str) -> Flags:
    """Which places of a row's word have a label."""
    if not len(labels.reach):
        return np.isin(labels.codes[at], codes.get(label, []))
    reach = labels.reach[at]
    inside: Flags = (reach >= -row.position) & (reach < row.n_words - row.position)
    if label == OUTSIDE:
        return ~inside
    relation, distance = relation_and_distance(label) or ("", 0)
    same: Flags = inside & (reach == distance) & np.isin(labels.codes[at], codes.get(relation, []))
    return same


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
