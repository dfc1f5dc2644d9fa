"""The places of a repeat, as the page shows them: found as `karat correct` finds them, each with its address."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from karat.corpus.worklist import Worklist, WorklistRow
from karat.errors import DataError, KaratError, shortened
from karat.gold.placed_corrections import short_names
from karat.gold.repeats.judged_repeats import JudgedRow, ListSettings, judged_row, list_settings
from karat.gold.repeats.repeat_places import RepeatPlaces
from karat.review.named_corpora import NamedCorpora, ReviewCorpus

MOST_PLACES = 12  # that are shown with their sentences
MOST_ADDRESSED = 200  # that can be judged one by one
_AROUND = 8  # words on both sides of one that can be judged


@dataclass(frozen=True, slots=True)
class ShownWord:
    """A word of the sentence: whether it is what is asked about, or around it in what is repeated, and its label."""

    form: str
    marked: bool = False
    inside: bool = False
    tags: str = ""


@dataclass(frozen=True, slots=True)
class ShownPlace:
    """A place of a repeat: its words, the label that the word in question has there, and whether that is A or B.

    `word` is the number of that word in its sentence, from 1, or 0 if that is not known; `corpus` is named where there
    are several.
    """

    sent_id: str
    words: Sequence[ShownWord]
    label: str
    side: str = ""
    word: int = 0
    corpus: str = ""


@dataclass(frozen=True, slots=True)
class AddressedPlace:
    """A place that can be judged by itself: its address, its label, and the word with those around it."""

    corpus: str
    sent_id: str
    word: int
    label: str
    side: str
    before: str
    form: str
    after: str


@dataclass(frozen=True, slots=True)
class RowPlaces:
    """The places of a row: some that are shown, those that can be judged one by one, and how many there are."""

    shown: Sequence[ShownPlace] = ()
    addressed: Sequence[AddressedPlace] = ()
    n: int = 0


def settings_of_list(worklist: Worklist) -> ListSettings | None:
    """What a list of repeats was made with; None if it is none, or does not say."""
    try:
        return list_settings(worklist)
    except DataError:
        return None


class PlacesOfRepeats:
    """The places of all repeats of a list in its corpora."""

    def __init__(self, corpora: NamedCorpora, settings: ListSettings | None) -> None:
        self.settings = settings
        self._corpora = corpora.corpora

    @cached_property
    def texts(self) -> Sequence[tuple[ReviewCorpus, RepeatPlaces]]:
        """The corpora as texts in which the repeats were found; those without the labels in question are left out."""
        found = []
        for one in self._corpora if self.settings is not None else ():
            assert self.settings is not None
            try:
                if self.settings.has(one.corpus):
                    found.append((one, RepeatPlaces(one.corpus, self.settings)))
            except KaratError:  # it has no such column
                continue
        return found

    def of(self, row: WorklistRow) -> RowPlaces:
        """The places of a row, those of A first; none where its corpora are not there, or it was changed."""
        made = judged_row("", row) if row.kind == "repeat" and self.texts else None
        if made is None or self.settings is None:
            return RowPlaces()
        every = sorted(self._every(made), key=lambda one: one.side or "C")
        is_addressed = self.settings.of != "tokenisation" and len(every) > 1
        return RowPlaces(
            [one.shown() for one in _some_of_each(every, MOST_PLACES)],
            [one.addressed() for one in _some_of_each(every, MOST_ADDRESSED)] if is_addressed else (),
            len(every),
        )

    def _every(self, row: JudgedRow) -> Iterator[_RepeatPlace]:
        for corpus, places in self.texts:
            try:
                at = places.of(row)
            except DataError:  # the id was changed
                continue
            name = self._name(corpus)
            sides = np.full(len(at), "", dtype="<U1")
            if places.settings.of != "tokenisation":
                sides[places.have(row, row.a)], sides[places.have(row, row.b)] = "A", "B"
            for place, side in zip(at.tolist(), sides.tolist(), strict=True):
                yield _RepeatPlace(places, row, place, side, name)

    def _name(self, corpus: ReviewCorpus) -> str:
        """What a corpus is called in addresses; nothing if it is the only one."""
        assert self.settings is not None
        names = short_names(self.settings)
        digest = corpus.corpus.source.sha256()
        named = (name for name, one in zip(names, self.settings.hashes, strict=True) if digest.startswith(one))
        return next(named, "") if len(names) > 1 else ""


@dataclass(frozen=True, slots=True)
class _RepeatPlace:
    """A place in a text, and the side that has its label."""

    places: RepeatPlaces
    row: JudgedRow
    place: int
    side: str
    corpus: str

    def _words(self) -> list[ShownWord]:
        text = self.places.text
        span = text.span(self.place - self.row.position, self.row.n_words)
        marked = self._address()[1] - 1
        forms = self.places.corpus.words_of(span.sentence)
        return [ShownWord(shortened(form), number == marked, number in span.words) for number, form in enumerate(forms)]

    def _address(self) -> tuple[str, int]:
        return self.places.address(self.place)

    def _label(self) -> str:
        return self.places.label(self.row, self.place)

    def shown(self) -> ShownPlace:
        sent_id, word = self._address()
        return ShownPlace(sent_id, self._words(), self._label(), self.side or self._side(), word, self.corpus)

    def _side(self) -> str:
        """The side by its label, where sides are not known by codes."""
        return {self.row.a: "A", self.row.b: "B"}.get(self._label(), "")

    def addressed(self) -> AddressedPlace:
        sent_id, word = self._address()
        sentence = int(self.places.corpus.words_sentence[self.places.text.words_at(np.array([self.place]))[0]])
        forms = list(map(shortened, self.places.corpus.words_of(sentence)))
        before, after = forms[max(word - 1 - _AROUND, 0) : word - 1], forms[word : word + _AROUND]
        texts = " ".join(before), forms[word - 1], " ".join(after)
        return AddressedPlace(self.corpus, sent_id, word, self._label(), self.side, *texts)


def _some_of_each(places: Sequence[_RepeatPlace], most: int) -> list[_RepeatPlace]:
    """Places of every side, in order: all of them if they are not too many, else equally many where there are."""
    if len(places) <= most:
        return list(places)
    by_side: dict[str, list[_RepeatPlace]] = {}
    for place in places:
        by_side.setdefault(place.side, []).append(place)
    left, found = most, []
    for number, several in enumerate(sorted(by_side.values(), key=len)):
        taken = several[: left // (len(by_side) - number)]
        left -= len(taken)
        found += taken
    return sorted(found, key=lambda one: one.side or "C")
