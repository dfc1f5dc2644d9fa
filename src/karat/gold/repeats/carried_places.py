"""Verdicts on single places of repeats, taken over into a list that was made anew while these are the same."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Mapping
from functools import cached_property

from karat.corpus.carried_verdicts import Question
from karat.corpus.spreadsheet_tables import plain
from karat.corpus.worklist import Worklist, WorklistRow
from karat.gold.repeats.judged_repeats import (
    MIXED,
    JudgedRow,
    StretchHashes,
    judged_row,
    places_of_words,
    repeat_question,
)
from karat.gold.repeats.placed_labels import PlacedLabel, entries_in, placed_label
from karat.gold.repeats.running_text import RunningText


class CarriedPlaces:
    """What rows of old lists ask in a new one, and whether the places that they name are still there.

    An old list does not say which label each place had. So both labels must have as many places as they had, and each
    place that is named must be one of them.
    """

    def __init__(self, new: Worklist, text: RunningText) -> None:
        self._new, self._text = new, text

    def question(self, row: WorklistRow) -> Question | None:
        """What a row asks; None if it names places that are not the same any more."""
        found = repeat_question(row)
        if found is None or row.verdict != MIXED or not row.label:
            return found
        made = judged_row("", row)
        same = made is not None and self._sides.get(found.asked) == _sides(made) and self._has_all(made)
        return found if same else None

    @cached_property
    def _sides(self) -> Mapping[Hashable, frozenset[tuple[str, int]]]:
        """The labels of the new list's questions, and how many places each has."""
        rows = ((repeat_question(row), judged_row("", row)) for row in self._new.rows)
        return {asked.asked: _sides(row) for asked, row in rows if asked is not None and row is not None}

    @cached_property
    def _hashes(self) -> StretchHashes:
        return StretchHashes(self._text)

    def _has_all(self, row: JudgedRow) -> bool:
        try:
            labels = [placed_label(entry) for entry in entries_in(row.label)]
        except ValueError:
            return False
        starts = places_of_words(self._text, self._hashes, [row.repeat])[0]
        there = [self._address(int(start) + row.position) for start in starts]
        return all(any(is_there(one) for is_there in there) for one in labels)

    def _address(self, place: int) -> Callable[[PlacedLabel], bool]:
        """Whether a label is about a place."""
        span = self._text.span(place, 1)
        corpus = self._text.corpora[span.corpus]
        name = plain(corpus.sent_id(span.sentence) or f"sentence {span.sentence + 1}")
        corpora = ("", corpus.path, os.path.basename(corpus.path))
        address = name, span.words[0] + 1
        return lambda one: (one.sentence, one.word) == address and one.corpus in corpora


def _sides(row: JudgedRow) -> frozenset[tuple[str, int]]:
    return frozenset([(row.a, row.n_a), (row.b, row.n_b)])
