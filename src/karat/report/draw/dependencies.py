"""A sentence's dependencies compared: the gold's arcs above its words, a system's below.

What both have is thin and grey. An arc from another head is thick, one from the same head with another relation is
dashed and has both relations. Arcs lie in levels, and words as far apart as the relations between them need, so that
nothing is written over anything else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from karat.report.draw.dependency_arcs import PORT, SLANT, STEP, Arc, ArcSide, Kind, arrowhead, compact
from karat.report.draw.sentence_layout import Apart, free_place, is_right_to_left, spread, window
from karat.report.draw.sentence_row import (
    GOLD,
    HEIGHT,
    LABEL_SIZE,
    SYSTEM,
    RowWord,
    caption_width,
    captions,
    drawn_row,
    ground,
    group,
    is_marked,
    label_width,
    shown,
    stem,
    text_at,
    title_of,
    words_shown,
)
from karat.report.draw.svg import MUTED, PAPER, Drawing, drawing
from karat.result import Table

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
    system: Sequence[DependencyWord | None] | None,
    *,
    system_name: str = "system",
    gold_name: str = "gold",
    sentence: str = "",
    around: tuple[int, int] | None = None,
    marked: tuple[int, int] | None = None,
    width: int = 25,
) -> Drawing:
    """The gold's arcs above the words, a system's below: for each gold word the system's, or None if none is aligned.

    Without a system the gold's alone. A sentence of more than `width` words is shown in part: the words `around` (the
    numbers of the first and the last, from 1; by default the first word that differs) and as many on both sides as fit.
    Heads that are no words of the sentence, loops and several roots are drawn as they are. The words `marked` have
    another ground.
    """
    pairs = list(zip(gold, gold if system is None else system, strict=True))
    kinds = [_kind(*pair, len(pairs)) for pair in pairs]
    if around is None:
        differing = next((number for number, kind in enumerate(kinds, 1) if kind != "both"), 1)
        around = differing, differing
    part = window(len(pairs), around, width)
    names = gold_name, None if system is None else shown(system_name, 40)
    picture = _ArcPicture(pairs, kinds, part, names, marked)
    whose = f" of {shown(sentence, 60)}" if sentence else ""
    if system is None:
        title = f"Dependencies{whose}: {len(pairs)} words"
        return Drawing(stem("dependencies", sentence), title, picture.svg(title), picture.table(title))
    n_other = sum(kind != "both" for kind in kinds)
    title = f"Dependencies{whose}: {gold_name} above, {picture.name} below; {n_other} of {len(pairs)} words differ"
    return Drawing(stem("dependencies", sentence, system_name), title, picture.svg(title), picture.table(title))


def _kind(gold: DependencyWord, system: DependencyWord | None, n_words: int) -> Kind:
    """What differs; heads that are no words of the sentence are all the same."""
    if system is None or _head(gold.head, n_words) != _head(system.head, n_words):
        return "head"
    return "both" if gold.relation == system.relation else "relation"


def _head(head: int | None, n_words: int) -> int | None:
    return head if head is not None and 0 <= head <= n_words else None


class _ArcPicture:
    def __init__(
        self,
        pairs: Sequence[tuple[DependencyWord, DependencyWord | None]],
        kinds: Sequence[Kind],
        part: range,
        names: tuple[str, str | None],
        marked: tuple[int, int] | None,
    ) -> None:
        self.pairs, self.kinds, self.part, self.marked = pairs, kinds, part, marked
        self.gold_name, self.is_alone, self.name = names[0], names[1] is None, names[1] or ""
        self.n = len(part)
        self.words = [_row_word(*pairs[number]) for number in part]
        self.gold = ArcSide(self._arcs(is_gold=True), self.n)
        self.system = ArcSide([] if self.is_alone else self._arcs(is_gold=False), self.n)
        self.is_mirrored = is_right_to_left(one.form for one, _ in pairs)
        self._place()

    def _arcs(self, *, is_gold: bool) -> list[Arc]:
        words = [gold if is_gold else system for gold, system in self.pairs]
        found = (self._arc(number, word, is_gold=is_gold) for number, word in enumerate(words))
        return [arc for arc in found if arc]

    def _arc(self, number: int, word: DependencyWord | None, *, is_gold: bool) -> Arc | None:
        """The arc to a word (numbered from 0) if it can be seen."""
        kind, place, is_here = self.kinds[number], self._place_of(number), number in self.part
        said = "" if kind == "both" else "gold: " if is_gold else f"{self.name}: "
        if word is None or _head(word.head, len(self.pairs)) is None or word.head == number + 1:
            note = _note(word, number, is_gold=is_gold)
            title = f"{said}{self._named(number + 1)}: {note}" + (f", {word.relation}" if word else "")
            return Arc(place, None, kind, "", title, note) if is_here and note else None
        head, label = word.head or 0, shown(word.relation)
        title = f"{said}{self._named(head)} → {self._named(number + 1)}: {word.relation or 'no relation'}"
        if kind == "relation":
            gold, system = self.pairs[number]
            assert system is not None
            title += f" ({self.name}: {system.relation})" if is_gold else f" (gold: {gold.relation})"
            label = label if is_gold else f"{shown(gold.relation, 12) or '–'} → {shown(system.relation, 12) or '–'}"
        if head == 0:
            return Arc(place, None, kind, label or "root", title) if is_here else None
        is_head_here = head - 1 in self.part
        if not is_here and not is_head_here:
            return None
        outside = None if is_here and is_head_here else head if is_here else number + 1
        return Arc(place, self._place_of(head - 1), kind, label, title, outside=outside)

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
        widths = [max(all_) for all_ in zip(widths, (PORT * n for n in ports), notes, strict=True)]
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
        words = words_shown(self.part, len(self.pairs))
        above = f"{self.gold_name}{words}" if self.gold_name else words.removeprefix(", ")
        return above, "" if self.is_alone else below

    # ---- drawing ----

    def svg(self, title: str) -> str:
        top = _CAPTION + self.gold.height
        bottom = top + HEIGHT
        height = bottom + (6 if self.is_alone else self.system.height + _CAPTION + 6)
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
        parts = [*self._ground(top), *group('fill="none" stroke-linejoin="round"', lines)]
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

    def _ground(self, top: int) -> list[str]:
        """What is behind the words that are marked."""
        inside = [place for place in range(self.n) if is_marked(self.part[place], self.marked)]
        edges = [
            self.places[place + 1] + side * (self.words[place].width / 2 + 4) for place in inside for side in (-1, 1)
        ]
        return [ground(min(edges), max(edges), top)] if edges else []

    def _shared(self, above: Sequence[str], below: Sequence[str]) -> Iterable[str]:
        """What both have: one mark with the arcs of both sides."""
        of_system = {self._key(arc): path for arc, path in zip(self.system.arcs, below, strict=True)}
        for arc, path in zip(self.gold.arcs, above, strict=True):
            if arc.kind == "both":
                yield f'<path d="{path}{of_system.get(self._key(arc), "")}">{title_of(arc.title)}</path>'

    @staticmethod
    def _key(arc: Arc) -> tuple[object, ...]:
        return arc.dependent, arc.head, arc.outside, arc.note

    def _drawn(self, side: ArcSide, base: int, sign: int) -> list[str]:
        return [self._path(arc, side, base, sign) for arc in side.arcs]

    def _path(self, arc: Arc, side: ArcSide, base: int, sign: int) -> str:
        """The way from head to dependent, with an arrowhead; in as few characters as can be: pages hold hundreds."""
        rise = sign * (3 + STEP * arc.level)
        if arc.is_root:
            far = sign * (side.height - 14)
            return compact("M", round(arc.left), base + far, "v", -far, *arrowhead(arc, 0, sign))
        if arc.note:
            return compact("M", round((arc.left + arc.right) / 2), base + rise, "v", -rise)
        assert arc.head is not None
        to_right = (arc.head < arc.dependent) != self.is_mirrored
        begin, end = map(round, (arc.left, arc.right) if to_right else (arc.right, arc.left))
        lean = SLANT if to_right else -SLANT
        edges = 0, self.n + 1
        way: list[str | int] = ["M", begin, base + rise] if arc.head in edges else ["M", begin, base, "l", lean, rise]
        if arc.dependent in edges:
            return compact(*way, "H", end, *arrowhead(arc, -1 if to_right else 1, 0))
        return compact(*way, "H", end - lean, "l", lean, -rise, *arrowhead(arc, 0, sign))

    def _labels(self, side: ArcSide, base: int, sign: int) -> Iterable[tuple[bool, str]]:
        """The labels of a side, and whether each is strong; what both have is written above alone."""
        for arc in side.arcs:
            is_strong = arc.kind != "both"
            if arc.is_root:
                y = base + sign * (side.height - 8) + (2 if sign < 0 else 8)
                if is_strong or sign < 0:
                    yield is_strong, text_at(arc.left, y, arc.label)
                continue
            y = base + sign * (3 + STEP * arc.level) + (-4 if sign < 0 else 11)
            if arc.outside:
                is_left = (0 in arc.ends) != self.is_mirrored
                text = _beyond(arc.outside, "←" if is_left else "→")
                x = self.places[0 if 0 in arc.ends else -1] + (-1 if is_left else 1) * self.margin / 2
                yield is_strong, text_at(x, y + (4 if sign < 0 else -3), text)
            if arc.written and (is_strong or sign < 0):
                low, high = arc.left + SLANT, arc.right - SLANT
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
        if self.is_alone:
            return Table(columns, [row[: len(columns)] for row in rows], title, n_keys=2)
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
