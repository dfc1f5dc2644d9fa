"""Verdicts on single places of a repeat: what is right there, and which words are misspelled.

The verdict `mixed` may say so of any of a row's places (`karat.gold.repeats.placed_labels`). A `typo` is about the only
place of the side that has one; where both have one, or none has, nobody can know which place is meant.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from karat.corpus.open_verdicts import TYPO
from karat.errors import Problem
from karat.gold.correction_places import JudgedPlaces, WantedRow, right_words
from karat.gold.judged_words import MISSING_FORM
from karat.gold.repeats.judged_repeats import MIXED, JudgedRow, ListSettings
from karat.gold.repeats.labels import OUTSIDE
from karat.gold.repeats.placed_labels import FORM, PlacedLabel, entries_in, placed_label
from karat.gold.repeats.repeat_places import RepeatPlaces
from karat.gold.typos import MisspelledWord

_BY_PLACE = f"with the verdict {MIXED}, write typo:FORM @ SENT_ID WORD into the column label"


def is_by_place(row: JudgedRow) -> bool:
    """Whether a row's verdict is about single places."""
    return row.verdict == TYPO or (row.verdict == MIXED and bool(row.label))


def placed_labels_of(row: JudgedRow, problems: list[Problem]) -> list[PlacedLabel]:
    """What a row says of single places; a problem (K742) for each entry that cannot be read."""
    found = []
    for entry in entries_in(row.label):
        try:
            found.append(placed_label(entry))
        except ValueError as error:
            problems.append(row.problem("K742", str(error), FORM))
    if row.label and not entries_in(row.label):
        problems.append(row.problem("K742", f"{row.label!r} does not say what is right at which place", FORM))
    return found


def corrected_places(
    found: RepeatPlaces, row: JudgedRow, problems: list[Problem]
) -> Iterator[JudgedPlaces | MisspelledWord]:
    """The places of a corpus that a row's verdict is about, each with the right label or as a misspelled word.

    Problems are entries that cannot be read (K742) and those that name no place of the row, or one in two ways (K746).
    """
    if row.verdict == TYPO:
        yield from _misspelled_side(found, row, problems)
        return
    for one, place in _places(found, row, placed_labels_of(row, problems), problems):
        if one.is_typo:
            yield MisspelledWord(int(found.text.words_at(np.array([place]))[0]), one.label, row)
        elif one.label != OUTSIDE or found.label(row, place) != OUTSIDE:
            words = right_words(found, row, one.label)
            yield JudgedPlaces(WantedRow(row, ()), found.value(one.label), np.array([place]), words, found.text)


def side_with_one_place(row: JudgedRow) -> str | None:
    """The label of the only side of a row that has one place; None if both do, or none does."""
    sides = [label for label, n in ((row.a, row.n_a), (row.b, row.n_b)) if n == 1]
    return sides[0] if len(sides) == 1 else None


def _misspelled_side(found: RepeatPlaces, row: JudgedRow, problems: list[Problem]) -> Iterator[MisspelledWord]:
    label = side_with_one_place(row)
    if not row.label:
        problems.append(row.problem("K742", MISSING_FORM, "see column label"))
    elif label is None:
        sides = "both sides have one place" if row.n_a == row.n_b == 1 else "no side has one place only"
        problems.append(row.problem("K746", f"{TYPO} does not say at which place: {sides}", _BY_PLACE))
    else:
        for word in right_words(found, row, label)[:1].tolist():  # none, if the place is in another corpus
            yield MisspelledWord(word, row.label, row)


def _places(
    found: RepeatPlaces, row: JudgedRow, labels: Sequence[PlacedLabel], problems: list[Problem]
) -> Iterator[tuple[PlacedLabel, int]]:
    """The labels that are about this corpus, each with its place in the text."""
    at = found.of(row).tolist()
    addresses = [found.address(place) for place in at]
    n_there = Counter(addresses)
    place_of = dict(zip(addresses, at, strict=True))
    said: dict[tuple[int, bool], PlacedLabel] = {}

    def tell(message: str, hint: str = "") -> None:
        problems.append(row.problem("K746", message, hint))

    for one in labels:
        if not _is_here(found, one, tell):
            continue
        address = one.sentence, one.word
        if one.sentence not in found.sentence_names:
            tell(f"{found.corpus.path} has no sentence {one.sentence!r}", "see column sent_id")
        elif address not in place_of:
            tell(
                f"word {one.word} of {one.sentence!r} is not a place of this row", f"its places are {_some(addresses)}"
            )
        elif n_there[address] > 1:
            tell(f"several sentences are called {one.sentence!r}", "correct these places by hand")
        elif (former := said.setdefault((place_of[address], one.is_typo), one)).label != one.label:
            tell(f"word {one.word} of {one.sentence!r} is to be {one.label!r}, but also {former.label!r}")
        elif former is one:
            yield one, place_of[address]


def _is_here(found: RepeatPlaces, one: PlacedLabel, tell: Callable[..., None]) -> bool:
    """Whether a label is about a place of this corpus, not of another of the list's."""
    names = short_names(found.settings)
    known = ", ".join(names)
    if not one.corpus:
        if len(names) > 1:
            tell(f"{str(one)!r} does not say in which corpus", f"write CORPUS:SENT_ID; the corpora are {known}")
        return len(names) <= 1
    digest = next((digest for names_of_it, digest in _corpora(found.settings) if one.corpus in names_of_it), None)
    if digest is None:
        hint = f"the corpora are {known}; of a sentence's name, write a colon as %3A"
        tell(f"the list was not made from a corpus {one.corpus!r}", hint)
    return digest is not None and found.corpus.source.sha256().startswith(digest)


def short_names(settings: ListSettings) -> list[str]:
    """What the corpora of a list are called before a colon: names of files, or whole paths where these are alike."""
    short = [os.path.basename(name) for name in settings.names]
    return short if len(set(short)) == len(short) and all(short) else list(settings.names)


def _corpora(settings: ListSettings) -> list[tuple[tuple[str, str], str]]:
    """The corpora of a list, each by its two names, and its hash."""
    return list(zip(zip(settings.names, short_names(settings), strict=True), settings.hashes, strict=True))


def _some(addresses: Sequence[tuple[str, int]]) -> str:
    shown = [f"{sentence} {word}" for sentence, word in addresses[:5]]
    return "; ".join([*shown, *(["…"] if len(addresses) > 5 else [])]) or "in another corpus"
