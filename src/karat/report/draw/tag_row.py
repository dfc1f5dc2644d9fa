"""A sentence's tags compared: its words in a row, the gold's tags below, and below these a row for each system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from karat.report.draw.sentence_layout import Apart, is_right_to_left, spread, window
from karat.report.draw.sentence_row import (
    LABEL_SIZE,
    SYSTEM,
    RowWord,
    caption_width,
    group,
    label_width,
    shown,
    stem,
    text_at,
    title_of,
    words_shown,
)
from karat.report.draw.svg import GRID, Drawing, drawing
from karat.result import Table

_STEP = 19  # from row to row
_GAP = 12  # between words
_LONGEST_TAG, _LONGEST_NAME = 20, 24
_SAME, _NOT_ALIGNED = "·", "not aligned"


def tag_figure(
    words: Sequence[str],
    gold: Sequence[str],
    systems: Mapping[str, Sequence[str | None]],
    *,
    sentence: str = "",
    around: tuple[int, int] | None = None,
    width: int = 25,
) -> Drawing:
    """Words, the gold's tags, and a row for each system: a dot where it has the gold's tag, its own in a box where not.

    None is a word to which none of the system's is aligned. A sentence of more than `width` words is shown in part: the
    words `around` (the numbers of the first and the last, from 1; by default the first word that differs).
    """
    if around is None:
        at = (number for number, tag in enumerate(gold, 1) if any(tags[number - 1] != tag for tags in systems.values()))
        first = next(at, 1)
        around = first, first
    part = window(len(words), around, width)
    whose = f" of {shown(sentence, 60)}" if sentence else ""
    n_other = {name: sum(a != b for a, b in zip(gold, tags, strict=True)) for name, tags in systems.items()}
    counts = "; ".join(f"{shown(name, _LONGEST_NAME)} differs in {n}" for name, n in n_other.items())
    title = f"Tags{whose}: {len(words)} words" + (f"; {counts}" if counts else "")
    rows = [[number + 1, words[number], gold[number], *(tags[number] for tags in systems.values())] for number in part]
    table = Table(["number", "word", "gold", *systems], rows, title, n_keys=2)
    return Drawing(stem("tags", sentence), title, _svg(words, gold, systems, part, title), table)


def _svg(
    words: Sequence[str], gold: Sequence[str], systems: Mapping[str, Sequence[str | None]], part: range, title: str
) -> str:
    names = ["gold", *(shown(name, _LONGEST_NAME) for name in systems)]
    margin = 18 + max(label_width(name, is_bold=True) for name in names)
    columns = [[shown(gold[at], _LONGEST_TAG), *(_tag(gold[at], tags[at]) for tags in systems.values())] for at in part]
    widths = [
        max(RowWord(words[at]).width, *(label_width(tag, is_bold=True) + 6 for tag in column))
        for at, column in zip(part, columns, strict=True)
    ]
    places = spread(len(widths), [Apart(at, at + 1, (widths[at] + widths[at + 1]) / 2 + _GAP) for at in
                                  range(len(widths) - 1)])  # fmt: skip
    above = f"words{words_shown(part, len(words))}"[len("words, ") :]
    total = margin + (places[-1] + widths[0] / 2 + widths[-1] / 2 if places else 0) + 10
    whole = round(max(total, caption_width(above)))
    places = [round(margin + widths[0] / 2 + x) for x in places]
    is_mirrored = is_right_to_left(words)
    if is_mirrored:
        places = [whole - x for x in places]
    top = 34 if above else 18
    parts = group(f'font-size="{LABEL_SIZE}"', [text_at(6, 13, above)] if above else [])
    parts += group('text-anchor="middle"', [_word(words[at], at, x, top) for at, x in zip(part, places, strict=True)])
    parts += group(
        f'font-size="{LABEL_SIZE}" text-anchor="{"end" if is_mirrored else "start"}"',
        [text_at(whole - 6 if is_mirrored else 6, top + _STEP * row, name) for row, name in enumerate(names, 1)],
    )
    plain, strong, boxes = [], [], []
    for at, x, column in zip(part, places, columns, strict=True):
        for row, (name, tag) in enumerate(zip(names, column, strict=True), 1):
            y = top + _STEP * row
            if row == 1 or tag == _SAME:
                plain.append(text_at(x, y, tag))
            else:
                said = f"{at + 1} {shown(words[at], 100)}: gold {gold[at] or 'no tag'}, {name} {tag}"
                wide = label_width(tag, is_bold=True) + 4
                strong.append(text_at(x, y, tag, said))
                box = f"M{x - wide / 2:.0f} {y - 11}h{wide:.0f}v14h-{wide:.0f}z"
                boxes.append(f'<path d="{box}">{title_of(said)}</path>')
    parts += group(f'fill="none" stroke="{SYSTEM}"', boxes)
    parts += group(f'font-size="{LABEL_SIZE}" text-anchor="middle"', [*plain, *group('font-weight="bold"', strong)])
    line = f'<path d="M6 {top + _STEP + 5}H{whole - 6}" stroke="{GRID}">{title_of("gold above, systems below")}</path>'
    return drawing(whole, top + _STEP * len(names) + 10, title, [line, *parts])


def _word(word: str, number: int, x: float, y: float) -> str:
    form = shown(word, 22)
    return text_at(x, y, form, "" if form == word else f"{number + 1} {word}")


def _tag(gold: str, system: str | None) -> str:
    if system is None:
        return _NOT_ALIGNED
    return _SAME if system == gold else shown(system, _LONGEST_TAG) or "no tag"
