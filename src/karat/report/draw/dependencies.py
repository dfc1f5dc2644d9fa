"""A sentence's dependencies compared: the gold's arcs above its words, a system's below.

What both have is thin and grey. An arc from another head is thick, one from the same head with another relation is
dashed and has both relations. Arcs lie in levels, and words as far apart as the relations between them need, so that
nothing is written over anything else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from karat.report.draw.sentence_layout import Apart, free_place, is_right_to_left, levels, spread, window
from karat.report.draw.sentence_row import (
    GOLD,
    HEIGHT,
    LABEL_SIZE,
    SYSTEM,
    RowWord,
    caption_width,
    captions,
    drawn_row,
    group,
    label_width,
    shown,
    stem,
    text_at,
    title_of,
    words_shown,
)
from karat.report.draw.svg import MUTED, PAPER, Drawing, drawing
from karat.result import Table

Kind = Literal["both", "head", "relation"]  # what differs

_STEP = 16  # from level to level
_SLANT = 4  # the legs of an arc lean towards each other
_PORT = 5  # between two arcs at one word
_GAP = 12  # between words
_CAPTION = 20
_STRONG = {"head": 'stroke-width="2.5"', "relation": 'stroke-width="2" stroke-dasharray="5 4"'}
_WORDS = {"head": "thick: other head", "relation": "dashed: other relation", "both": "grey: as in the gold"}


@dataclass(frozen=True, slots=True)
class DependencyWord:
    """A word as one side has it; `head` is the number of a gold word from 1, 0 for the root, None if not known."""

    form: str
    tag: str
    head: int | None
    relation: str


def dependency_figure(
    gold: Sequence[DependencyWord],
    system: Sequence[DependencyWord | None],
    *,
    system_name: str = "system",
    sentence: str = "",
    around: tuple[int, int] | None = None,
    width: int = 25,
) -> Drawing:
    """The gold's arcs above the words, a system's below: for each gold word the system's, or None if none is aligned.

    A sentence of more than `width` words is shown in part: the words `around` (the numbers of the first and the last,
    from 1; by default the first word that differs) and as many on both sides as fit. Heads that are no words of the
    sentence, loops and several roots are drawn as they are.
    """
    pairs = list(zip(gold, system, strict=True))
    kinds = [_kind(*pair, len(pairs)) for pair in pairs]
    if around is None:
        differing = next((number for number, kind in enumerate(kinds, 1) if kind != "both"), 1)
        around = differing, differing
    part = window(len(pairs), around, width)
    picture = _ArcPicture(pairs, kinds, part, shown(system_name, 40))
    whose = f" of {shown(sentence, 60)}" if sentence else ""
    n_other = sum(kind != "both" for kind in kinds)
    title = f"Dependencies{whose}: gold above, {picture.name} below; {n_other} of {len(pairs)} words differ"
    return Drawing(stem("dependencies", sentence, system_name), title, picture.svg(title), picture.table(title))


def _kind(gold: DependencyWord, system: DependencyWord | None, n_words: int) -> Kind:
    """What differs; heads that are no words of the sentence are all the same."""
    if system is None or _head(gold.head, n_words) != _head(system.head, n_words):
        return "head"
    return "both" if gold.relation == system.relation else "relation"


def _head(head: int | None, n_words: int) -> int | None:
    return head if head is not None and 0 <= head <= n_words else None


@dataclass(slots=True)
class _Arc:
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
        return self.label_width + 2 * _SLANT + 4

    @property
    def label_width(self) -> float:
        return label_width(self.written, is_bold=self.kind != "both")


class _Side:
    """The arcs of one side, and where they are attached to the words."""

    def __init__(self, arcs: Sequence[_Arc], n: int) -> None:
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
                    self.ports[number, place] = _PORT * (order - (len(every) - 1) / 2)

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

    def _length(self, arc: _Arc) -> float:
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
        return 18 + _STEP * self.n_levels + (14 if self.has_roots else 0)

    def legs(self, of: _Arc) -> list[float]:
        """Where legs of other arcs and lines to roots go through the level of an arc."""
        return [
            x
            for arc in self.arcs
            if arc is not of and (arc.is_root or arc.level > of.level) and not arc.note
            for x in (arc.left, arc.right)
        ]


class _ArcPicture:
    def __init__(
        self,
        pairs: Sequence[tuple[DependencyWord, DependencyWord | None]],
        kinds: Sequence[Kind],
        part: range,
        name: str,
    ) -> None:
        self.pairs, self.kinds, self.part, self.name = pairs, kinds, part, name
        self.n = len(part)
        self.words = [_row_word(*pairs[number]) for number in part]
        self.gold = _Side(self._arcs("gold", [one for one, _ in pairs]), self.n)
        self.system = _Side(self._arcs(name, [one for _, one in pairs]), self.n)
        self.is_mirrored = is_right_to_left(one.form for one, _ in pairs)
        self._place()

    def _arcs(self, whose: str, words: Sequence[DependencyWord | None]) -> list[_Arc]:
        found = []
        for number, (word, kind) in enumerate(zip(words, self.kinds, strict=True)):
            arc = self._arc(whose, number, word, kind)
            found += [arc] if arc else []
        return found

    def _arc(self, whose: str, number: int, word: DependencyWord | None, kind: Kind) -> _Arc | None:
        """The arc to a word (numbered from 0) if it can be seen."""
        place, is_here = self._place_of(number), number in self.part
        said = f"{whose}: " if kind != "both" else ""
        if word is None or _head(word.head, len(self.pairs)) is None or word.head == number + 1:
            note = _note(word, number, is_gold=whose == "gold")
            title = f"{said}{self._named(number + 1)}: {note}" + (f", {word.relation}" if word else "")
            return _Arc(place, None, kind, "", title, note) if is_here and note else None
        head = word.head or 0
        label = shown(word.relation)
        title = f"{said}{self._named(head)} → {self._named(number + 1)}: {word.relation or 'no relation'}"
        if kind == "relation":
            gold, system = self.pairs[number]
            assert system is not None
            title += f" ({'gold' if whose != 'gold' else self.name}: {(gold if whose != 'gold' else system).relation})"
            label = (
                label if whose == "gold" else f"{shown(gold.relation, 12) or '–'} → {shown(word.relation, 12) or '–'}"
            )
        if head == 0:
            return _Arc(place, None, kind, label or "root", title) if is_here else None
        is_head_here = head - 1 in self.part
        if not is_here and not is_head_here:
            return None
        outside = None if is_here and is_head_here else head if is_here else number + 1
        return _Arc(place, self._place_of(head - 1), kind, label, title, outside=outside)

    def _place_of(self, number: int) -> int:
        """The place of a word (numbered from 0) in the row, or of the edge beyond which it is."""
        return min(max(number - self.part.start + 1, 0), self.n + 1)

    def _named(self, number: int) -> str:
        return "root" if number == 0 else shown(self.pairs[number - 1][0].form, 100)

    # ---- where everything is ----

    def _place(self) -> None:
        sides = self.gold, self.system
        ports = [max(side.n_ports[place] for side in sides) for place in range(self.n + 2)]
        notes = [0.0] * (self.n + 2)
        for side in sides:
            for arc in side.arcs:
                if arc.note:
                    notes[arc.dependent] = arc.needs - _GAP
        widths = [0.0, *(word.width for word in self.words), 0.0]
        widths = [max(all_) for all_ in zip(widths, (_PORT * n for n in ports), notes, strict=True)]
        needs = [Apart(at, at + 1, (widths[at] + widths[at + 1]) / 2 + _GAP) for at in range(self.n + 1)]
        places = spread(self.n + 2, [*needs, *(one for side in sides for one in side.apart())])
        self.margin = self._margin()
        self.width = round(max(places[-1] + 2 * self.margin, caption_width(*self._captions())))
        places = [round(self.margin + x) for x in places]
        if self.is_mirrored:
            places = [self.width - x for x in places]
        self.places = places
        for side in sides:
            side.place(places, -1 if self.is_mirrored else 1)

    def _margin(self) -> float:
        """Room for the numbers of words beyond the edge."""
        outside = [_beyond(arc.outside, "→") for side in (self.gold, self.system) for arc in side.arcs if arc.outside]
        return max([6, *(label_width(text, is_bold=True) + 6 for text in outside)])

    def _captions(self) -> tuple[str, str]:
        present = [_WORDS[kind] for kind in ("head", "relation", "both") if kind in self.kinds]
        below = f"{self.name} ({'; '.join(present)})" if present else self.name
        return f"gold{words_shown(self.part, len(self.pairs))}", below

    # ---- drawing ----

    def svg(self, title: str) -> str:
        top = _CAPTION + self.gold.height
        bottom = top + HEIGHT
        height = bottom + self.system.height + _CAPTION + 6
        both = self._drawn(self.gold, top, -1), self._drawn(self.system, bottom, 1)
        lines = group(f'stroke="{MUTED}"', self._shared(*both))
        for colour, drawn, side in ((GOLD, both[0], self.gold), (SYSTEM, both[1], self.system)):
            for kind, strong in _STRONG.items():
                paths = [
                    f'<path d="{path}">{title_of(arc.title)}</path>'
                    for arc, path in zip(side.arcs, drawn, strict=True)
                    if arc.kind == kind
                ]
                lines += group(f'stroke="{colour}" {strong}', paths)
        parts = group('fill="none" stroke-linejoin="round"', lines)
        labels = [*self._labels(self.gold, top, -1), *self._labels(self.system, bottom, 1)]
        halo = f'stroke="{PAPER}" stroke-width="2" paint-order="stroke"'
        parts += group(
            f'font-size="{LABEL_SIZE}" text-anchor="middle" {halo}',
            [*(text for is_strong, text in labels if not is_strong),
             *group('font-weight="bold"', (text for is_strong, text in labels if is_strong))],
        )  # fmt: skip
        parts += drawn_row(self.words, [number + 1 for number in self.part], self.places[1:-1], top)
        parts += captions(13, height - 6, *self._captions())
        return drawing(self.width, height, title, parts)

    def _shared(self, above: Sequence[str], below: Sequence[str]) -> Iterable[str]:
        """What both have: one mark with the arcs of both sides."""
        of_system = {self._key(arc): path for arc, path in zip(self.system.arcs, below, strict=True)}
        for arc, path in zip(self.gold.arcs, above, strict=True):
            if arc.kind == "both":
                yield f'<path d="{path}{of_system.get(self._key(arc), "")}">{title_of(arc.title)}</path>'

    @staticmethod
    def _key(arc: _Arc) -> tuple[object, ...]:
        return arc.dependent, arc.head, arc.outside, arc.note

    def _drawn(self, side: _Side, base: int, sign: int) -> list[str]:
        return [self._path(arc, side, base, sign) for arc in side.arcs]

    def _path(self, arc: _Arc, side: _Side, base: int, sign: int) -> str:
        """The way from head to dependent, with an arrowhead; in as few characters as can be: pages hold hundreds."""
        rise = sign * (3 + _STEP * arc.level)
        if arc.is_root:
            far = sign * (side.height - 14)
            return _compact("M", round(arc.left), base + far, "v", -far, *_arrowhead(arc, 0, sign))
        if arc.note:
            return _compact("M", round((arc.left + arc.right) / 2), base + rise, "v", -rise)
        assert arc.head is not None
        to_right = (arc.head < arc.dependent) != self.is_mirrored
        begin, end = map(round, (arc.left, arc.right) if to_right else (arc.right, arc.left))
        lean = _SLANT if to_right else -_SLANT
        edges = 0, self.n + 1
        way: list[str | int] = ["M", begin, base + rise] if arc.head in edges else ["M", begin, base, "l", lean, rise]
        if arc.dependent in edges:
            return _compact(*way, "H", end, *_arrowhead(arc, -1 if to_right else 1, 0))
        return _compact(*way, "H", end - lean, "l", lean, -rise, *_arrowhead(arc, 0, sign))

    def _labels(self, side: _Side, base: int, sign: int) -> Iterable[tuple[bool, str]]:
        """The labels of a side, and whether each is strong; what both have is written above alone."""
        for arc in side.arcs:
            is_strong = arc.kind != "both"
            if arc.is_root:
                y = base + sign * (side.height - 8) + (2 if sign < 0 else 8)
                if is_strong or sign < 0:
                    yield is_strong, text_at(arc.left, y, arc.label)
                continue
            y = base + sign * (3 + _STEP * arc.level) + (-4 if sign < 0 else 11)
            if arc.outside:
                is_left = (0 in arc.ends) != self.is_mirrored
                text = _beyond(arc.outside, "←" if is_left else "→")
                x = self.places[0 if 0 in arc.ends else -1]
                yield (
                    is_strong,
                    text_at(x + (-1 if is_left else 1) * self.margin / 2, y + (4 if sign < 0 else -3), text),
                )
            if arc.written and (is_strong or sign < 0):
                low, high = arc.left + _SLANT, arc.right - _SLANT
                middle = free_place(low, high, side.legs(arc), arc.label_width)
                yield is_strong, text_at(middle, y, arc.written)

    # ---- the same as a table ----

    def table(self, title: str) -> Table:
        rows = []
        for number in self.part:
            gold, system = self.pairs[number]
            differs: list[str] = [] if self.kinds[number] == "both" else [self.kinds[number]]
            differs += ["tag"] if system is not None and system.tag != gold.tag else []
            theirs = (None, None, None) if system is None else (system.tag, system.head, system.relation)
            what = "not aligned" if system is None else ", ".join(differs)
            rows.append([number + 1, gold.form, gold.tag, gold.head, gold.relation, *theirs, what])
        columns = ["number", "word", "tag", "head", "relation"]
        theirs_too = [f"{self.name}: {name}" for name in ("tag", "head", "relation")]
        return Table([*columns, *theirs_too, "differs"], rows, title, n_keys=2)


def _row_word(gold: DependencyWord, system: DependencyWord | None) -> RowWord:
    is_other = system is not None and system.tag != gold.tag
    return RowWord(gold.form, gold.tag, system.tag if system is not None and is_other else None)


def _note(word: DependencyWord | None, number: int, *, is_gold: bool) -> str:
    """What is said where there is no arc to draw; nothing where the gold has no head."""
    if word is None:
        return "not aligned"
    if word.head == number + 1:
        return "its own head"
    if word.head is None:
        return "" if is_gold else "head not aligned"
    return "no such head"


def _beyond(number: int | None, arrow: str) -> str:
    return f"← {number}" if arrow == "←" else f"{number} →"


def _arrowhead(arc: _Arc, back_x: int, back_y: int) -> list[str | int]:
    """Two strokes that meet where a line ends; each is a line of its own where they are dashed."""
    aside_x, aside_y = (3, 0) if back_y else (0, 3)
    back = 5 * back_x, 5 * back_y
    first: list[str | int] = ["m", back[0] - aside_x, back[1] - aside_y, "l", aside_x - back[0], aside_y - back[1]]
    second = back[0] + aside_x, back[1] + aside_y
    if arc.kind == "relation":
        return [*first, "m", *second, "l", -second[0], -second[1]]
    return [*first, *second]


def _compact(*way: str | int) -> str:
    """A path without the spaces that it does not need.

    >>> _compact("M", 10, 20, "l", -4, -9, 4, 9)
    'M10 20l-4-9 4 9'
    """
    text = ""
    for one in way:
        needs_space = isinstance(one, int) and one >= 0 and text[-1:].isdigit()
        text += f" {one}" if needs_space else str(one)
    return text
