"""What a page is made of: sections of blocks, whatever the results are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from karat.report.draw.svg import Drawing
from karat.report.page.cells import PageTable, plain_table
from karat.report.page.sentences import SentenceView

_HALF = 720  # pixels of a drawing that can still be read in half the width of a page


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing with its numbers as a table."""

    drawing: Drawing
    table: PageTable
    kind = "figure"

    @property
    def is_wide(self) -> bool:
        """Whether it could not be read any more in half the width of a page."""
        found = re.search(r'width="(\d+)', self.drawing.svg)
        return found is not None and int(found[1]) > _HALF


@dataclass(frozen=True, slots=True)
class Links:
    """Lists of sentences to go to: their names and what is in them."""

    title: str
    links: Sequence[tuple[str, str]]
    kind = "links"


@dataclass(frozen=True, slots=True)
class Lengths:
    """Counts of sentences for groups by length whose limits the reader sets; `page.js` makes the table.

    `rows` has for every sentence its length, the number of its cluster and, for each system in turn, the units of gold
    and system and the right ones.
    """

    id: str
    measure: str
    systems: Sequence[str]
    rows: Sequence[Sequence[float]]
    level: float
    limits: Sequence[int] = (10, 20, 30, 40)
    kind = "lengths"


@dataclass(frozen=True, slots=True)
class Paragraphs:
    """Paragraphs."""

    lines: Sequence[str]
    title: str = ""
    kind = "words"


Block = Figure | Links | Lengths | Paragraphs | PageTable


@dataclass(frozen=True, slots=True)
class Section:
    """What one result says, or what the files of several say of one gold: in sentences first, then in blocks."""

    id: str
    title: str
    short: str  # for the list of contents
    headline: Sequence[str] = ()
    blocks: Sequence[Block] = ()
    warnings: Sequence[str] = ()
    signature: str = ""
    command: str = ""


@dataclass(frozen=True, slots=True)
class SentenceSection:
    """The embedded sentences of one gold: `lists` are what numbers lead to, with the places of their sentences here."""

    id: str
    title: str
    first: str  # who is compared with: the gold, or the first annotator
    systems: Sequence[str]
    sentences: Sequence[SentenceView]
    lists: dict[str, Any]
    notes: Sequence[str]


@dataclass(frozen=True, slots=True)
class Page:
    """A page: what to read first, sections, sentences, how it was done."""

    title: str
    verdicts: Sequence[str]
    next_steps: Sequence[tuple[str, str]]  # in words, and the command
    sections: Sequence[Section]
    sentences: Sequence[SentenceSection]
    methods: Sequence[tuple[str, str]]
    missing: Sequence[str] = ()
    drawings: Sequence[Drawing] = field(default=())


def figure(id: str, drawing: Drawing) -> Figure:
    """A drawing as a block."""
    return Figure(drawing, plain_table(f"{id}-numbers", drawing.table))
