"""A sentence's phrases compared: the gold's brackets grow up from its words, a system's down.

Brackets that both have are thin and grey, those that the system misses solid, its spurious ones dashed and its crossing
ones thick [Hogenhout & Matsumoto 1996, §3]. A crossing bracket and the gold brackets that it crosses bear one number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from karat.report.cut_text import cut_in_the_middle
from karat.report.draw.sentence_brackets import Bracket, ComparedBracket, SentenceBrackets, compared_brackets
from karat.report.draw.sentence_layout import Apart, is_right_to_left, levels, spread, window
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
    visible,
    words_shown,
)
from karat.report.draw.svg import MUTED, Drawing, drawing
from karat.result import Table

_STEP = 17  # from level to level
_TICK = 5
_GAP = 12  # between words
_CAPTION = 18
_MARKED, _BESIDE_MARKED = 5, 1.5  # how thick brackets that differ are if one of them is marked
_MOST_NUMBERS = 3  # of crossings, at one bracket
_NAMED = 40  # characters of a bracket's words, the first and the last: no more words are looked at on either side
_STROKES = {
    "both": f'stroke="{MUTED}"',
    "missing": f'stroke="{GOLD}" stroke-width="2"',
    "spurious": f'stroke="{SYSTEM}" stroke-width="2" stroke-dasharray="5 4"',
    "crossing": f'stroke="{SYSTEM}" stroke-width="4"',
}
_SAID = {"both": "both", "missing": "gold only", "spurious": "system only", "crossing": "system only, crossing"}


def constituency_figure(
    sentence: SentenceBrackets,
    *,
    system_name: str = "system",
    name: str = "",
    around: tuple[int, int] | None = None,
    marked: tuple[int, int] | None = None,
    width: int = 25,
    most_around: int | None = None,
) -> Drawing:
    """The gold's brackets above the words, a system's below.

    A sentence of more than `width` words is shown in part: the words `around` (the numbers of the first and the last,
    from 1; by default those of the first bracket that differs) and as many on both sides as fit. The words
    `marked` have another ground, and the bracket around them is the thickest. `name` is the sentence's. Of brackets
    that both have and that go on beyond both ends of the part, only the `most_around` innermost are drawn.
    """
    gold, system = compared_brackets(sentence)
    if around is None:
        differing = (one for one in (*system, *gold) if one.kind != "both")
        around = next(((one.start + 1, min(one.stop, one.start + width)) for one in differing), None)
    part = window(len(sentence.words), around, width)
    picture = _BracketPicture(sentence, gold, system, part, shown(system_name, 40), marked, most_around)
    whose = f" of {shown(name, 60)}" if name else ""
    title = f"Brackets{whose}: gold above, {picture.name} below; {', '.join(_counts(gold, system))}"
    return Drawing(stem("brackets", name, system_name), title, picture.svg(title), picture.table(title))


def _counts(gold: Sequence[ComparedBracket], system: Sequence[ComparedBracket]) -> list[str]:
    of_gold, of_system = Counter(one.kind for one in gold), Counter(one.kind for one in system)
    counts = {"matched": of_system["both"], "missing": of_gold["missing"]}
    counts |= {"spurious": of_system["spurious"], "crossing": of_system["crossing"]}
    return [f"{n} {what}" for what, n in counts.items()]


def _circled(number: int) -> str:
    """A number in a circle.

    >>> _circled(1), _circled(21), _circled(51)
    ('①', '㉑', '(51)')
    """
    if number <= 20:
        return chr(0x245F + number)
    if number <= 50:
        return chr((0x3251 - 21 if number <= 35 else 0x32B1 - 36) + number)
    return f"({number})"


@dataclass(slots=True)
class _Shown:
    """A bracket in the part that is shown: its first and last word there, and whether it goes on beyond the edges."""

    bracket: ComparedBracket
    first: int
    last: int
    is_open_before: bool
    is_open_after: bool
    label: str
    title: str
    left: float = 0
    right: float = 0
    level: int = 0

    @property
    def label_width(self) -> float:
        return label_width(self.label, is_bold=self.is_strong)

    @property
    def is_strong(self) -> bool:
        return self.bracket.kind != "both" or self.bracket.other_label is not None


class _BracketPicture:
    def __init__(
        self,
        sentence: SentenceBrackets,
        gold: Sequence[ComparedBracket],
        system: Sequence[ComparedBracket],
        part: range,
        name: str,
        marked: tuple[int, int] | None,
        most_around: int | None,
    ) -> None:
        self.sentence, self.part, self.name, self.marked = sentence, part, name, marked
        self.compared = gold, system
        self.words = [shown(word, 22) for word in sentence.words]
        self.row = [self._row_word(number) for number in part]
        left_out = [[] if most_around is None else self._around(side, most_around) for side in self.compared]
        self.n_left_out = len(left_out[0])
        self.gold = [self._shown(one, is_gold=True) for one in self._in_part(gold, left_out[0])]
        self.system = [self._shown(one, is_gold=False) for one in self._in_part(system, left_out[1])]
        self.is_mirrored = is_right_to_left(sentence.words)
        self._place()

    def _row_word(self, number: int) -> RowWord:
        one = self.sentence
        tag = one.tags[number] if one.tags else ""
        other = one.system_tags[number] if one.system_tags else tag
        is_left_out = one.is_left_out[number] if one.is_left_out else False
        return RowWord(one.words[number], tag, None if other == tag else other, is_left_out)

    def _in_part(self, side: Sequence[ComparedBracket], left_out: Sequence[ComparedBracket]) -> list[ComparedBracket]:
        part, skipped = self.part, set(map(id, left_out))
        return [
            one
            for one in side
            if one.start < one.stop and one.start < part.stop and one.stop > part.start and id(one) not in skipped
        ]

    def _around(self, side: Sequence[ComparedBracket], most: int) -> list[ComparedBracket]:
        """Brackets of both sides that go on beyond both ends of the part, without the innermost ones."""
        part = self.part
        around = [one for one in side if one.start < part.start and one.stop > part.stop]
        agreed = [one for one in around if one.kind == "both" and one.other_label is None]
        return sorted(agreed, key=lambda one: one.stop - one.start)[most:]

    def _shown(self, one: ComparedBracket, *, is_gold: bool) -> _Shown:
        first, last = max(one.start, self.part.start), min(one.stop, self.part.stop) - 1
        label = shown(one.label, 12)
        if one.other_label is not None and not is_gold:
            label = f"{shown(one.other_label, 12) or '–'} → {label or '–'}"
        circled = [_circled(number) for number in one.numbers]
        numbers = "".join(circled[:_MOST_NUMBERS]) + ("…" if len(circled) > _MOST_NUMBERS else "")
        label = f"{label} {numbers}".strip()
        return _Shown(
            one,
            first - self.part.start,
            last - self.part.start,
            one.start < self.part.start,
            one.stop > self.part.stop,
            label,
            self._title(one, is_gold=is_gold),
        )

    def _title(self, one: ComparedBracket, *, is_gold: bool) -> str:
        """What a bracket is, around which words, and whom it crosses."""
        said = _SAID[one.kind].replace("system", self.name)
        title = f"{said}: {self._named((one.start, one.stop, one.label))}"
        if one.other_label is not None:
            title += f"; {self.name if is_gold else 'gold'}: {shown(one.other_label)}"
        if one.crosses:
            crosses = "; ".join(map(self._named, one.crosses[:4])) + ("; …" if len(one.crosses) > 4 else "")
            title += f"; {'crossed by' if is_gold else 'crosses'} {crosses}"
        return title

    def _named(self, one: Bracket) -> str:
        words = self.words[one[0] : one[1]]
        if len(words) > 2 * _NAMED:
            words = words[:_NAMED] + words[-_NAMED:]
        text = " ".join(words)
        return f"{shown(one[2]) or 'no label'} “{cut_in_the_middle(text, _NAMED)}”"

    # ---- where everything is ----

    def _place(self) -> None:
        widths = [word.width for word in self.row]
        both = (*self.gold, *self.system)
        for one in both:
            if one.first == one.last:
                widths[one.first] = max(widths[one.first], one.label_width + 10 - _GAP + 6)
        needs = [Apart(at, at + 1, (widths[at] + widths[at + 1]) / 2 + _GAP) for at in range(len(widths) - 1)]
        for one in both:
            if one.first < one.last:
                room = (widths[one.first] + widths[one.last]) / 2 + _GAP - 6
                needs.append(Apart(one.first, one.last, one.label_width + 10 - room))
        places = spread(len(widths), needs)
        is_open = any(one.is_open_before or one.is_open_after for one in both)
        margin = 28 if is_open else 8
        before = margin + (widths[0] / 2 if widths else 0)
        total = (places[-1] if places else 0) + before + margin + (widths[-1] / 2 if widths else 0)
        self.width = round(max(total, caption_width(*self._captions())))
        self.places = [round(before + x) for x in places]
        self.edges = [(x - wide / 2 - _GAP / 2 + 2, x + wide / 2 + _GAP / 2 - 2) for x, wide in
                      zip(self.places, widths, strict=True)]  # fmt: skip
        for one in both:
            one.left = round(self.edges[one.first][0]) - (8 if one.is_open_before else 0)
            one.right = round(self.edges[one.last][1]) + (8 if one.is_open_after else 0)
            if self.is_mirrored:
                one.left, one.right = self.width - one.right, self.width - one.left
        if self.is_mirrored:
            self.places = [self.width - x for x in self.places]
        for side in (self.gold, self.system):
            # as words, not as places: brackets around the same words are of the same length
            spans = [(one.bracket.start, one.bracket.stop) for one in side]
            for one, level in zip(side, levels(spans), strict=True):
                one.level = level

    def _captions(self) -> tuple[str, str]:
        gold, system = self.compared
        of_gold, of_system = Counter(one.kind for one in gold), Counter(one.kind for one in system)
        words = words_shown(self.part, len(self.sentence.words))
        above = f"gold{words}: {_n_brackets(len(gold))}, {of_gold['missing']} missing (solid)"
        above += f"; {self.n_left_out} around all of these words not drawn" if self.n_left_out else ""
        below = f"{self.name}: {_n_brackets(len(system))}, {of_system['spurious']} spurious (dashed)"
        below += f", {of_system['crossing']} crossing (thick, numbered)"
        return above, f"{self.name}: {self.sentence.note}" if self.sentence.note else below

    # ---- drawing ----

    def svg(self, title: str) -> str:
        heights = [8 + _STEP * max((one.level for one in side), default=0) for side in (self.gold, self.system)]
        top = _CAPTION + heights[0]
        bottom = top + HEIGHT
        height = bottom + heights[1] + _CAPTION + 4
        marks = [(one, *self._drawn(one, base, sign)) for side, base, sign in
                 ((self.gold, top, -1), (self.system, bottom, 1)) for one in side]  # fmt: skip
        lines = []
        for kind, stroke in _STROKES.items():
            paths = [f'<path d="{path}"{self._thickness(one)}>{title_of(one.title)}</path>' for one, path, _ in marks
                     if one.bracket.kind == kind]  # fmt: skip
            lines += group(stroke, paths)
        parts = [*self._ground(top), *group('fill="none"', lines)]
        strong, plain = ([text for one, _, text in marks if one.is_strong == wanted] for wanted in (True, False))
        parts += group(f'font-size="{LABEL_SIZE}" text-anchor="middle"', [*plain, *group('font-weight="bold"', strong)])
        parts += drawn_row(self.row, [number + 1 for number in self.part], self.places, top)
        parts += captions(13, height - 6, *self._captions())
        return drawing(self.width, height, title, parts)

    def _thickness(self, one: _Shown) -> str:
        """Where words are marked, the bracket around them is the strongest, whatever it is."""
        if self.marked is None or one.bracket.kind == "both":
            return ""
        is_around = (one.bracket.start + 1, one.bracket.stop) == self.marked
        return f' stroke-width="{_MARKED if is_around else _BESIDE_MARKED}"'

    def _ground(self, top: int) -> list[str]:
        """What is behind the words that are marked."""
        inside = [place for place in range(len(self.part)) if is_marked(self.part[place], self.marked)]
        edges = [edge for place in inside for edge in self.edges[place]]
        if self.is_mirrored:
            edges = [self.width - edge for edge in edges]
        return [ground(min(edges), max(edges), top)] if edges else []

    def _drawn(self, one: _Shown, base: int, sign: int) -> tuple[str, str]:
        """A bracket's path, with a gap for its label, and the label; an open end has no tick but dots."""
        y = base + sign * (_STEP * one.level - 4)
        middle, half = (one.left + one.right) / 2, one.label_width / 2 + 2
        open_left, open_right = one.is_open_before, one.is_open_after
        if self.is_mirrored:
            open_left, open_right = open_right, open_left
        begin = f"M{one.left:.0f} {y}" if open_left else f"M{one.left:.0f} {y - sign * _TICK}v{sign * _TICK}"
        end = "" if open_right else f"v{-sign * _TICK}"
        gap = f"H{middle - half:.0f}M{middle + half:.0f} {y}" if one.label else ""
        text = text_at(middle, y + 4, one.label) if one.label else ""
        text += text_at(one.left - 8, y + 4, "…") if open_left else ""
        text += text_at(one.right + 8, y + 4, "…") if open_right else ""
        return f"{begin}{gap}H{one.right:.0f}{end}", text

    # ---- the same as a table ----

    def table(self, title: str) -> Table:
        gold, system = self.compared
        rows = [self._cells(one, "gold") for one in gold]
        rows += [self._cells(one, self.name) for one in system if one.kind != "both"]
        columns = ["in", "label", "other label", "from", "to", "words", "crosses"]
        return Table(columns, rows, title, optional=("words",))

    def _cells(self, one: ComparedBracket, whose: str) -> list[str | int | None]:
        crosses = "; ".join(map(self._named, one.crosses))
        text = visible(cut_in_the_middle(" ".join(self.sentence.words[one.start : one.stop]), 80))
        side = "both" if one.kind == "both" else f"{whose} only"
        return [side, one.label, one.other_label, one.start + 1, one.stop, text, crosses]


def _n_brackets(n: int) -> str:
    return "1 bracket" if n == 1 else f"{n} brackets"
