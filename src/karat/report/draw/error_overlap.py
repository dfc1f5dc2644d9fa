"""Errors of two systems: those of one alone and those of both, as two bars that overlap."""

from __future__ import annotations

from functools import partial

from karat.report.draw.svg import (
    COLOURS,
    INK,
    MUTED,
    ROW,
    Drawing,
    Key,
    drawing,
    fitted_names,
    hatching,
    key_legend,
    label,
    legend_room,
    outline,
    paragraph,
    rectangle,
    safe_stem,
    text_width,
    titled,
)
from karat.result import Table

_A, _B = COLOURS[0], COLOURS[1]
_WIDTH, _HEIGHT, _WIDEST_NAME, _TOP = 460, 30, 170, 26


def error_overlap(
    a: str, b: str, *, yy: int, yn: int, ny: int, nn: int, unit: str = "words", measure: str = ""
) -> Drawing:
    """The errors of A above those of B, to scale and shifted so that those of both lie below one another.

    Counts as in a paired test: `yn` units that A has right and B wrong, and so on; `yy` are not drawn, but named.
    """
    n_errors, n = yn + ny + nn, yy + yn + ny + nn
    title = f"Errors of {a} and {b}{f' by {measure}' if measure else ''}: {nn:,} of {n_errors:,} are in both"
    shown_a, shown_b = fitted_names([a, b], _WIDEST_NAME)
    left = 15 + max(map(text_width, (shown_a, shown_b))) + 12
    scale = _WIDTH / n_errors if n_errors else 0.0
    second = _TOP + _HEIGHT + 8
    only_a, both, only_b = ny * scale, nn * scale, yn * scale
    parts = [
        titled(a, label(left - 10, _TOP + 20, shown_a, anchor="end")),
        titled(b, label(left - 10, second + 20, shown_b, anchor="end")),
        _segment(left, _TOP, only_a, _A, f"only {a} wrong: {ny:,} {unit}", is_both=False),
        _segment(left + only_a, _TOP, both, _A, f"both wrong: {nn:,} {unit}", is_both=True),
        _segment(left + only_a, second, both, _B, f"both wrong: {nn:,} {unit}", is_both=True),
        _segment(left + only_a + both, second, only_b, _B, f"only {b} wrong: {yn:,} {unit}", is_both=False),
    ]
    for y, wrong in ((_TOP, ny + nn), (second, yn + nn)):
        end = left + (only_a + both if y == _TOP else only_a + both + only_b)
        parts.append(label(end + 6, y + 20, f"{wrong:,}"))
    keys: list[Key] = [
        (partial(_alone_key, _A), f"only {shown_a} wrong: {_of(ny, n_errors)}"),
        (_both_key, f"both wrong: {_of(nn, n_errors)}"),
        (partial(_alone_key, _B), f"only {shown_b} wrong: {_of(yn, n_errors)}"),
    ]
    bottom: float = second + _HEIGHT + 20
    right = left + _WIDTH + 20 + text_width(f"{n_errors:,}")
    room = legend_room([words for _, words in keys], right - 30)
    parts += key_legend(15, bottom, keys, room=room)
    words = f"Of {n:,} {unit} both systems have {yy:,} right. " + _shared(shown_a, shown_b, ny, yn, nn)
    lines, bottom = paragraph(15, bottom + ROW * len(keys) + 16, words, room)
    table = Table(
        ["", unit, "% of errors"],
        [
            [f"only {a} wrong", ny, _percent(ny, n_errors)],
            ["both wrong", nn, _percent(nn, n_errors)],
            [f"only {b} wrong", yn, _percent(yn, n_errors)],
            ["both right", yy, None],
        ],
        title,
    )
    svg = drawing(max(right, room + 30), bottom, title, [*parts, *lines])
    return Drawing(safe_stem(f"errors-{a}-{b}"), title, svg, table)


def _percent(count: int, of: int) -> float | None:
    return 100 * count / of if of else None


def _of(count: int, of: int) -> str:
    return f"{count:,} ({100 * count / of:.1f} % of errors)" if of else "0"


def _shared(a: str, b: str, only_a: int, only_b: int, both: int) -> str:
    parts = []
    for name, other, alone in ((a, b, only_a), (b, a, only_b)):
        if alone + both:
            parts.append(f"{100 * both / (alone + both):.1f} % of {name}'s errors are {other}'s too")
    return f"{'; '.join(parts)}." if parts else "Neither has an error."


def _segment(x: float, y: float, width: float, colour: str, words: str, *, is_both: bool) -> str:
    """A part of a bar: solid where both are wrong, hatched where one is."""
    if not width:
        return ""
    ground = rectangle(x, y, width, _HEIGHT, colour, opacity=0.75 if is_both else 0.12)
    lines = "" if is_both else hatching(x, y, width, _HEIGHT, colour, down=colour == _B)
    return titled(words, ground, lines, outline(x, y, width, _HEIGHT, INK if is_both else MUTED))


def _both_key(x: float, y: float) -> str:
    return rectangle(x - 9, y - 6, 18, 6, _A, opacity=0.75) + rectangle(x - 9, y, 18, 6, _B, opacity=0.75)


def _alone_key(colour: str, x: float, y: float) -> str:
    drawn = hatching(x - 9, y - 6, 18, 12, colour, down=colour == _B)
    return drawn + outline(x - 9, y - 6, 18, 12, MUTED)
