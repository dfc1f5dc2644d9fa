"""What changed since an earlier result: newly right to the right, newly wrong to the left, a bar for each label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from karat.report.draw.svg import (
    COLOURS,
    INK,
    ROW,
    Drawing,
    Key,
    drawing,
    fitted_names,
    hatching,
    key_legend,
    label,
    legend_room,
    line,
    linked,
    outline,
    rectangle,
    safe_stem,
    text_width,
    titled,
)
from karat.result import Cell, Table

_RIGHT, _WRONG = COLOURS[0], COLOURS[1]
_WIDEST_NAME, _HALF, _HEIGHT, _TOP = 200, 170, 24, 48
_HEADS = ("net", "still wrong")


@dataclass(frozen=True, slots=True)
class ChangedLabel:
    """How many units of a label, or of a measure, became right, became wrong, and are still wrong."""

    name: str
    newly_right: int
    newly_wrong: int
    still_wrong: int

    @property
    def net(self) -> int:
        return self.newly_right - self.newly_wrong


def baseline_change(
    rows: Sequence[ChangedLabel],
    *,
    what: str,
    unit: str = "words",
    baseline: str = "the baseline",
    links: Mapping[str, str] | None = None,
) -> Drawing:
    """A bar to both sides for each row, in the order given, with the net gain and what is still wrong as numbers.

    `what` names the rows, such as "UPOS of ada"; `links` lead from names to places in the page.
    """
    n_right, n_wrong = sum(one.newly_right for one in rows), sum(one.newly_wrong for one in rows)
    title = f"{what} compared with {baseline}: {n_right:,} {unit} newly right, {n_wrong:,} newly wrong"
    names = fitted_names([one.name for one in rows], _WIDEST_NAME)
    most = max([1, *(max(one.newly_right, one.newly_wrong) for one in rows)])
    beside = max([*(text_width(f"{max(one.newly_right, one.newly_wrong):,}") for one in rows), 20]) + 8
    left = 15 + max(map(text_width, names), default=0) + 12
    middle = left + beside + _HALF
    end = middle + _HALF + beside
    columns = [[_signed(one.net) for one in rows], [f"{one.still_wrong:,}" for one in rows]]
    ends = []
    for head, cells in zip(_HEADS, columns, strict=True):
        end += max(map(text_width, (head, *cells))) + 14
        ends.append(end)
    parts = [
        label(middle - 8, _TOP - 12, "◀ newly wrong", anchor="end"),
        label(middle + 8, _TOP - 12, "newly right ▶"),
        *(label(x, _TOP - 12, head, anchor="end") for x, head in zip(ends, _HEADS, strict=True)),
    ]
    for place, one in enumerate(rows):
        y = _TOP + _HEIGHT * place
        words = f"{one.name}: {one.newly_right:,} newly right, {one.newly_wrong:,} newly wrong, "
        words += f"{one.still_wrong:,} still wrong"
        name = label(left - 12, y + 17, names[place], anchor="end")
        parts.append(linked((links or {}).get(one.name), titled(one.name, name)))
        scale = _HALF / most
        parts.append(titled(words, *_bars(middle, y + 4, scale * one.newly_wrong, scale * one.newly_right)))
        parts.append(label(middle - scale * one.newly_wrong - 5, y + 17, f"{one.newly_wrong:,}", anchor="end"))
        parts.append(label(middle + scale * one.newly_right + 5, y + 17, f"{one.newly_right:,}"))
        parts += [label(x, y + 17, cells[place], anchor="end") for x, cells in zip(ends, columns, strict=True)]
    bottom = _TOP + _HEIGHT * len(rows) + 6
    parts.append(line([(middle, _TOP - 4), (middle, bottom)], INK))
    keys: list[Key] = [
        (_right_key, f"newly right: wrong in {baseline}, right now"),
        (_wrong_key, f"newly wrong: right in {baseline}, wrong now"),
    ]
    room = legend_room([words for _, words in keys], end - 15)
    parts += key_legend(15, bottom + 12, keys, room=room)
    svg = drawing(max(end, 15 + room) + 15, bottom + 20 + ROW * len(keys), title, parts)
    return Drawing(safe_stem(f"changes-{what}"), title, svg, _table(rows, title))


def _bars(middle: float, y: float, wrong: float, right: float) -> list[str]:
    high = _HEIGHT - 8
    parts = [rectangle(middle, y, right, high, _RIGHT, opacity=0.75)] if right else []
    if wrong:
        x = middle - wrong
        parts += [hatching(x, y, wrong, high, _WRONG), outline(x, y, wrong, high, _WRONG)]
    return parts


def _right_key(x: float, y: float) -> str:
    return rectangle(x - 9, y - 6, 18, 12, _RIGHT, opacity=0.75)


def _wrong_key(x: float, y: float) -> str:
    return hatching(x - 9, y - 6, 18, 12, _WRONG) + outline(x - 9, y - 6, 18, 12, _WRONG)


def _signed(count: int) -> str:
    return f"{count:+,}".replace("-", "−") if count else "0"


def _table(rows: Sequence[ChangedLabel], title: str) -> Table:
    cells: list[list[Cell]] = [[one.name, one.newly_right, one.newly_wrong, one.net, one.still_wrong] for one in rows]
    return Table(["label", "newly right", "newly wrong", "net", "still wrong"], cells, title)
