"""Which labels are taken for which: the gold's in rows, the system's in columns."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from karat.report.draw.svg import (
    COLOURS,
    INK,
    ROW,
    Drawing,
    Key,
    drawing,
    fitted,
    key_legend,
    label,
    legend_room,
    linked,
    outline,
    rectangle,
    safe_stem,
    text_width,
    titled,
    turned,
)
from karat.result import Cell, Table

_WIDEST_ROW, _WIDEST_COLUMN, _LEAN = 170, 110, 40
_HEIGHT, _LEAST_WIDTH = 24, 32
_WRONG = COLOURS[1]
_FAINT, _STRONG = 0.1, 0.75  # opacities of few and of all


@dataclass(frozen=True, slots=True)
class _Folded:
    """Counts by two labels, those of rare labels together under one name, and how many of these are right."""

    labels: list[str]
    counts: Mapping[tuple[str, str], int]
    rest: str
    n_rest_right: int

    def of_gold(self, gold: str) -> int:
        return sum(self.counts.get((gold, one), 0) for one in self.labels)

    def right(self, gold: str) -> int:
        return self.n_rest_right if gold == self.rest else self.counts.get((gold, gold), 0)


def confusion_matrix(
    counts: Mapping[tuple[str, str], int],
    *,
    column: str,
    system: str,
    labels: Sequence[str] = (),
    most: int = 18,
    links: Mapping[tuple[str, str], str] | None = None,
) -> Drawing:
    """Counts by (gold, system), the diagonal framed, errors shaded by their share of the gold's row.

    Labels are in the order of `labels` or else by how often the gold has them; of more than `most` the rarest are put
    together as "other". `links` lead from (gold, system) to places in the page.
    """
    folded = _folded(counts, labels, most)
    names = folded.labels
    title = f"{column} of {system} beside the gold: {sum(counts.values()):,} words by both labels"
    shown = [f"{count:,}" for count in folded.counts.values()]
    width = max([_LEAST_WIDTH, *(text_width(text) + 8 for text in shown)])
    lean = math.radians(_LEAN)
    left = 15 + max(map(text_width, (*(fitted(one, _WIDEST_ROW) for one in names), "gold ↓  system →"))) + 12
    longest = max(text_width(fitted(one, _WIDEST_COLUMN)) for one in (*names, "% right"))
    top = 40 + math.sin(lean) * longest + 12
    parts = [label(15, 22, f"{column}: {system}", room=left + width * len(names))]
    parts.append(label(left - 10, top - 8, "gold ↓  system →", anchor="end"))
    heads = [*names, "all", "% right"]
    ends = [left + width * place for place in range(len(names))]
    all_width = max(text_width(f"{folded.of_gold(one):,}") for one in names) + 22
    middles = [*(end + width / 2 for end in ends), left + width * len(names) + all_width / 2 + 6]
    middles.append(middles[-1] + all_width / 2 + 34)
    for middle, head in zip(middles, heads, strict=True):
        parts.append(turned(middle, top - 8, head, -_LEAN, anchor="start", room=_WIDEST_COLUMN))
    for row, gold in enumerate(names):
        y, total = top + _HEIGHT * row, folded.of_gold(gold)
        parts.append(label(left - 10, y + 17, gold, anchor="end", room=_WIDEST_ROW))
        for x, other in zip(ends, names, strict=True):
            drawn = _cell(x, y, width, folded, gold, other, total)
            parts.append(linked((links or {}).get((gold, other)), drawn))
        parts.append(label(middles[-2], y + 17, f"{total:,}", anchor="middle"))
        share = f"{100 * folded.right(gold) / total:.1f}" if total else "–"
        parts.append(label(middles[-1], y + 17, share, anchor="middle"))
    bottom = top + _HEIGHT * len(names) + 14
    keys: list[Key] = [
        (_right_key, "same label (framed)"),
        (_wrong_key, "errors: the stronger the colour, the larger their share of the row"),
    ]
    room = legend_room([words for _, words in keys], middles[-1] + math.cos(lean) * longest - 15)
    parts += key_legend(15, bottom, keys, room=room)
    svg = drawing(room + 30, bottom + ROW * len(keys) + 8, title, parts)
    return Drawing(safe_stem(f"confusions-{column}-{system}"), title, svg, _table(folded, title))


def _folded(counts: Mapping[tuple[str, str], int], labels: Sequence[str], most: int) -> _Folded:
    often: Counter[tuple[bool, str]] = Counter()  # how often the gold has a label, then how often the system has it
    for (gold, other), count in counts.items():
        often[True, gold] += count
        often[False, other] += count
    every = dict.fromkeys([*labels, *(name for _, name in sorted(often))])
    by_count = sorted(every, key=lambda name: (-often[True, name], -often[False, name], name))
    order = [*labels, *(name for name in by_count if name not in set(labels))]
    if len(order) <= most:
        return _Folded(order, {pair: count for pair, count in counts.items() if count}, "", 0)
    kept = set(by_count[:most])
    rest = f"other ({len(order) - most})"
    while rest in kept:
        rest += "*"
    together: Counter[tuple[str, str]] = Counter()
    for (gold, other), count in counts.items():
        together[gold if gold in kept else rest, other if other in kept else rest] += count
    right = sum(count for (gold, other), count in counts.items() if gold == other and gold not in kept)
    found = {pair: count for pair, count in together.items() if count}
    return _Folded([*(name for name in order if name in kept), rest], found, rest, right)


def _cell(x: float, y: float, width: float, folded: _Folded, gold: str, other: str, total: int) -> str:
    count = folded.counts.get((gold, other), 0)
    if not count and gold != other:
        return ""
    share = count / total if total else 0.0
    words = f"gold {gold}, system {other}: {count:,}, {100 * share:.1f} % of the gold's {gold}"
    shapes = []
    wrong = count - (folded.right(gold) if gold == other else 0)
    if gold == other == folded.rest:
        words += f"; {folded.n_rest_right:,} of them have the same label"
    if wrong:
        opacity = round(_FAINT + (_STRONG - _FAINT) * math.sqrt(wrong / total), 2)
        shapes.append(rectangle(x + 1, y + 1, width - 2, _HEIGHT - 2, _WRONG, opacity=opacity))
    if gold == other:
        shapes.append(outline(x + 1, y + 1, width - 2, _HEIGHT - 2, INK, thick=2, dashed=gold == folded.rest))
    number = label(x + width / 2, y + 17, f"{count:,}", anchor="middle") if count else ""
    return titled(words, *shapes, number)


def _right_key(x: float, y: float) -> str:
    return outline(x - 9, y - 6, 18, 12, INK, thick=2)


def _wrong_key(x: float, y: float) -> str:
    shades = [_FAINT, (_FAINT + _STRONG) / 2, _STRONG]
    steps = [rectangle(x - 9 + 6 * place, y - 6, 6, 12, _WRONG, opacity=shade) for place, shade in enumerate(shades)]
    return "".join(steps)


def _table(folded: _Folded, title: str) -> Table:
    rows: list[list[Cell]] = []
    for gold in folded.labels:
        total = folded.of_gold(gold)
        counts = [folded.counts.get((gold, other), 0) for other in folded.labels]
        rows.append([gold, *counts, total, 100 * folded.right(gold) / total if total else None])
    return Table(["gold ↓ system →", *folded.labels, "all", "% right"], rows, title)
