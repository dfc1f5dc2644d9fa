"""The arcs of one side of a drawn sentence: where they are attached, the room they need, the levels they lie in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from karat.report.draw.sentence_layout import Apart, levels
from karat.report.draw.sentence_row import label_width

Kind = Literal["both", "head", "relation"]  # what differs

STEP = 16  # from level to level
SLANT = 4  # the legs of an arc lean towards each other
PORT = 5  # between two arcs at one word


@dataclass(slots=True)
class Arc:
    """An arc: places in the row (0 and n + 1 are its edges) of head and dependent; with a `note`, a mark at one word.

    A root comes from `head` None. `left` and `right` are known once the words have their places.
    """

    dependent: int
    head: int | None
    kind: Kind
    label: str
    title: str
    note: str = ""
    outside: int | None = None  # the number of the word beyond the edge
    left: float = 0
    right: float = 0
    level: int = 0

    @property
    def ends(self) -> tuple[int, ...]:
        return (self.dependent,) if self.head is None else (self.dependent, self.head)

    @property
    def is_root(self) -> bool:
        return self.head is None and not self.note

    @property
    def length(self) -> int:
        return 0 if self.head is None else abs(self.head - self.dependent)

    @property
    def written(self) -> str:
        return self.note or self.label

    @property
    def needs(self) -> float:
        """The length for which its label fits."""
        return self.label_width + 2 * SLANT + 4

    @property
    def label_width(self) -> float:
        return label_width(self.written, is_bold=self.kind != "both")


class ArcSide:
    """The arcs of one side, and where they are attached to the words."""

    def __init__(self, arcs: Sequence[Arc], n: int) -> None:
        self.arcs = arcs
        self.ports: dict[tuple[int, int], float] = {}  # arc and place → how far from the word's middle
        self.n_ports = [0] * (n + 2)
        at: list[list[tuple[float, int]]] = [[] for _ in range(n + 2)]
        for number, arc in enumerate(arcs):
            for place in arc.ends:
                other = sum(arc.ends) - place if len(arc.ends) == 2 else place
                # from the left: arcs to the left, the shortest first; the root; arcs to the right, the longest first
                rank = arc.length + arc.dependent / (n + 2)
                at[place].append((-1 / rank if other < place else 1 / rank if other > place else 0, number))
        for place, every in enumerate(at):
            if 0 < place <= n:
                self.n_ports[place] = len(every)
                for order, (_, number) in enumerate(sorted(every)):
                    self.ports[number, place] = PORT * (order - (len(every) - 1) / 2)

    def apart(self) -> Iterable[Apart]:
        """How far words must be from each other so that labels have room."""
        for number, arc in enumerate(self.arcs):
            if arc.head is not None:
                first, second = sorted(arc.ends)
                shift = self.ports.get((number, first), 0.0) - self.ports.get((number, second), 0.0)
                yield Apart(first, second, arc.needs + shift)
            else:  # what is written at one word stays between the edges
                port = self.ports[number, arc.dependent]
                yield Apart(0, arc.dependent, arc.needs / 2 - port)
                yield Apart(arc.dependent, len(self.n_ports) - 1, arc.needs / 2 + port)
        roots = sorted((arc.dependent, number) for number, arc in enumerate(self.arcs) if arc.is_root)
        for (first, one), (second, other) in pairwise(roots):
            shift = self.ports[one, first] - self.ports[other, second]
            yield Apart(first, second, (self.arcs[one].needs + self.arcs[other].needs) / 2 + shift)

    def place(self, places: Sequence[float], sign: int) -> None:
        """Set where arcs begin and end, and their levels."""
        for number, arc in enumerate(self.arcs):
            ends = [places[place] + sign * self.ports.get((number, place), 0.0) for place in arc.ends]
            arc.left, arc.right = min(ends), max(ends)
            if arc.note:
                arc.left, arc.right = arc.left - arc.needs / 2, arc.right + arc.needs / 2
        placed = [arc for arc in self.arcs if not arc.is_root]
        intervals, lengths = [(arc.left, arc.right) for arc in placed], [self._length(arc) for arc in placed]
        for arc, level in zip(placed, levels(intervals, lengths), strict=True):
            arc.level = level

    def _length(self, arc: Arc) -> float:
        """How long an arc is; a note counts as longer than the arcs at its word, whose legs would go through it."""
        if not arc.note:
            return arc.right - arc.left
        at_word = [one.right - one.left for one in self.arcs if arc.dependent in one.ends]
        return max(at_word) + 0.5

    @property
    def n_levels(self) -> int:
        return max((arc.level for arc in self.arcs), default=0)

    @property
    def has_roots(self) -> bool:
        return any(arc.is_root for arc in self.arcs)

    @property
    def height(self) -> int:
        return 18 + STEP * self.n_levels + (14 if self.has_roots else 0)

    def legs(self, of: Arc) -> list[float]:
        """Where legs of other arcs and lines to roots go through the level of an arc."""
        return [
            x
            for arc in self.arcs
            if arc is not of and (arc.is_root or arc.level > of.level) and not arc.note
            for x in (arc.left, arc.right)
        ]


def arrowhead(arc: Arc, back_x: int, back_y: int) -> list[str | int]:
    """Two strokes that meet where a line ends; each is a line of its own where they are dashed."""
    aside_x, aside_y = (3, 0) if back_y else (0, 3)
    back = 5 * back_x, 5 * back_y
    first: list[str | int] = ["m", back[0] - aside_x, back[1] - aside_y, "l", aside_x - back[0], aside_y - back[1]]
    second = back[0] + aside_x, back[1] + aside_y
    if arc.kind == "relation":
        return [*first, "m", *second, "l", -second[0], -second[1]]
    return [*first, *second]


def compact(*way: str | int) -> str:
    """A path without the spaces that it does not need.

    >>> compact("M", 10, 20, "l", -4, -9, 4, 9)
    'M10 20l-4-9 4 9'
    """
    text = ""
    for one in way:
        needs_space = isinstance(one, int) and one >= 0 and text[-1:].isdigit()
        text += f" {one}" if needs_space else str(one)
    return text
