"""The places of judged repeats in one corpus: where their words are, and which label the one in question has."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from karat._arrays import Flags, Indices
from karat.corpus import Corpus
from karat.corpus.analysed import tags_shown
from karat.corpus.spreadsheet_tables import plain
from karat.errors import DataError
from karat.gold.repeats.judged_repeats import (
    NO_LABEL,
    JudgedRow,
    ListSettings,
    StretchHashes,
    places_of_words,
    shown_word,
)
from karat.gold.repeats.labels import OUTSIDE, Labels, column_labels, dependency_labels
from karat.gold.repeats.marked import without_marked
from karat.gold.repeats.running_text import RunningText
from karat.gold.repeats.tokenisation import characters
from karat.gold.tree_corrections import relation_and_distance


class RepeatPlaces:
    """A corpus as the text in which the repeats of a list were found, with its labels."""

    def __init__(self, corpus: Corpus, settings: ListSettings) -> None:
        self.corpus, self.settings = corpus, settings
        self.text, self.labels = _labelled_text(corpus, settings)
        self._starts: dict[tuple[int, int], Indices] = {}

    @property
    def is_of_heads(self) -> bool:
        return self.settings.of == "dependencies"

    def find(self, rows: Sequence[JudgedRow]) -> None:
        """Look for the places of several rows at once, which is quicker than one after the other."""
        repeats = [repeat for repeat in dict.fromkeys(row.repeat for row in rows) if repeat not in self._starts]
        self._starts |= dict(zip(repeats, places_of_words(self.text, self._hashes, repeats), strict=True))

    def of(self, row: JudgedRow) -> Indices:
        """The places of the row's word; a `DataError` if its id was changed."""
        self.find([row])
        at: Indices = self._starts[row.repeat] + row.position
        if len(at) and shown_word(self.text.strings(int(at[0]), 1)[0]) != row.word:
            hint = "do not change id and shown: they say which words and labels were judged"
            raise DataError(row.problem("K741", "the id does not belong to the word shown", hint))
        return at

    def label(self, row: JudgedRow, place: int) -> str:
        """The label of the row's word at a place, as rows show it."""
        labels = self.labels.strings(place - row.position, row.n_words)
        return plain(labels[row.position]) or NO_LABEL

    def have(self, row: JudgedRow, label: str) -> Flags:
        """Which places of the row's word have a label."""
        at = self.of(row)
        if not len(self.labels.reach):
            return np.isin(self.labels.codes[at], self._codes.get(label, []))
        reach = self.labels.reach[at]
        inside: Flags = (reach >= -row.position) & (reach < row.n_words - row.position)
        if label == OUTSIDE:
            return ~inside
        relation, distance = relation_and_distance(label) or ("", 0)
        same: Flags = inside & (reach == distance) & np.isin(self.labels.codes[at], self._codes.get(relation, []))
        return same

    def value(self, label: str) -> str:
        """What a column has for a label that is shown or written."""
        if self.is_of_heads:
            return label
        return self._values.get(label, label if self.corpus.has_fields_in_source else _tags_written(label))

    def address(self, place: int) -> tuple[str, int]:
        """The sentence of a place by its name, and the number of its word there, from 1."""
        word = int(self.text.words_at(np.array([place]))[0])
        sentence = int(self.corpus.words_sentence[word])
        return self.sentence_name(sentence), word - int(self.corpus.sentence_offsets[sentence]) + 1

    def sentence_name(self, sentence: int) -> str:
        """What rows call a sentence."""
        return plain(self.corpus.sent_id(sentence) or f"sentence {sentence + 1}")

    @cached_property
    def sentence_names(self) -> frozenset[str]:
        """What sentences are called."""
        return frozenset(map(self.sentence_name, range(self.corpus.n_sentences)))

    @cached_property
    def _hashes(self) -> StretchHashes:
        return StretchHashes(self.text)

    @cached_property
    def _codes(self) -> dict[str, list[int]]:
        """The codes of labels by what is shown of them."""
        codes: dict[str, list[int]] = {}
        for code, name in enumerate(self.labels.names):
            codes.setdefault(plain(name), []).append(code)
        return codes

    @cached_property
    def _values(self) -> dict[str, str]:
        """The values of a column by what is shown of them."""
        if "+" in self.settings.of:
            return {}
        return {
            plain(tags_shown(one)): one for one in reversed(self.corpus.column(self.settings.of).vocabulary.strings)
        }


def _labelled_text(corpus: Corpus, settings: ListSettings) -> tuple[RunningText, Labels]:
    if settings.of == "tokenisation":
        text, labels = characters([corpus])
        return text if settings.marked else without_marked(text), labels
    text = settings.text(corpus)
    is_of_heads = settings.of == "dependencies"
    return text, dependency_labels(text) if is_of_heads else column_labels(text, settings.of.split("+"))


def _tags_written(label: str) -> str:
    """The tags that somebody wrote with spaces between, as a column has them."""
    return "\t".join(dict.fromkeys(label.split()))
