"""What is right at single places of a repeat, as the column `label` has it beside the verdict `mixed`.

An entry is `LABEL @ SENT_ID WORD`, or `typo:FORM @ SENT_ID WORD` where the word is misspelled; several have semicolons
between. WORD is the word's number in its sentence, from 1. In lists of several corpora, `CORPUS:SENT_ID` says which one
is meant. What would be taken for these marks (`%`, `;`, `@`, of names also `:`) is written as in URLs: `%3B`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import quote, unquote

from karat.corpus.open_verdicts import TYPO

_MARK = f"{TYPO}:"
_ENTRY = re.compile(
    rf"(?:(?P<typo>{_MARK}) *|(?!{_MARK}))(?P<label>[^@]*[^@\s]) *@ *"
    r"(?:(?P<corpus>[^:@]+):)?(?P<sentence>[^:@]*[^:@\s]) +(?P<word>[1-9][0-9]{0,8})",
    re.ASCII,
)
_IN_CELLS = r"^\s|\s\Z|(?<=\s)\s|[^\S ]|[\x00-\x1f\x7f-\x9f]"  # what a cell would lose
_IN_LABELS = re.compile(rf"[%;@]|^typo(?=:)|{_IN_CELLS}")
_IN_NAMES = re.compile(rf"[%;@:]|{_IN_CELLS}")
FORM = "write LABEL @ SENT_ID WORD, with semicolons between several, as in NOUN @ s1 3; ADJ @ s4 1"


@dataclass(frozen=True, slots=True, order=True)
class PlacedLabel:
    """What is right at one place: a label, or the right form of a word that `is_typo`; `corpus` may be empty."""

    corpus: str
    sentence: str
    word: int
    label: str
    is_typo: bool = False

    @property
    def place(self) -> tuple[str, str, int]:
        """Where it is."""
        return self.corpus, self.sentence, self.word

    def __str__(self) -> str:
        return placed_labels_text([self])


def entries_in(text: str) -> list[str]:
    """The entries of a text, to be read one by one.

    >>> entries_in("NOUN @ s1 3; ADJ @ s4 1;")
    ['NOUN @ s1 3', 'ADJ @ s4 1']
    """
    return [entry for part in text.split(";") if (entry := part.strip())]


def placed_label(entry: str) -> PlacedLabel:
    """What an entry says; a `ValueError` if it is none.

    >>> placed_label("typo:from @ news:s 1 3")
    PlacedLabel(corpus='news', sentence='s 1', word=3, label='from', is_typo=True)
    """
    found = _ENTRY.fullmatch(entry.strip())
    if found is None:
        raise ValueError(f"{entry!r} does not say what is right at which place")
    label, corpus, sentence = (unquote(found[name] or "") for name in ("label", "corpus", "sentence"))
    return PlacedLabel(corpus, sentence, int(found["word"]), label, found["typo"] is not None)


def placed_labels_text(labels: Iterable[PlacedLabel]) -> str:
    """The text that stands for these.

    >>> placed_labels_text([PlacedLabel("", "s1", 3, "NOUN"), PlacedLabel("", "s4", 1, "a;b", is_typo=True)])
    'NOUN @ s1 3; typo:a%3Bb @ s4 1'
    """
    return "; ".join(map(_written, labels))


def _written(one: PlacedLabel) -> str:
    corpus = f"{_escaped(_IN_NAMES, one.corpus)}:" if one.corpus else ""
    what = f"{_MARK * one.is_typo}{_escaped(_IN_LABELS, one.label)}"
    return f"{what} @ {corpus}{_escaped(_IN_NAMES, one.sentence)} {one.word}"


def _escaped(what: re.Pattern[str], text: str) -> str:
    return what.sub(lambda found: "".join(_percent(letter) for letter in found[0]), text)


def _percent(letter: str) -> str:
    """A character as bytes in hexadecimal, also where URLs would leave it."""
    return f"%{ord(letter):02X}" if ord(letter) < 128 else quote(letter, safe="")
