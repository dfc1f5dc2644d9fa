"""Scores of systems with their intervals, a row each; below it what the gold's own errors allow, if that is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from karat.report.draw.svg import (
    COLOURS,
    GRID,
    INK,
    ROW,
    Drawing,
    Frame,
    Key,
    disc,
    drawing,
    fitted_names,
    key_legend,
    label,
    legend_room,
    line,
    linked,
    path,
    polygon,
    safe_stem,
    shown_number,
    text_width,
    ticks,
    titled,
    whisker,
    widened,
)
from karat.result import Cell, Table

_WIDEST_NAME, _LEAST_NAME = 230, 60
_PLOT, _TOP = 360, 34
_HEIGHT, _HEIGHT_WITH_BOUNDS = 24, 34
_SCORE, _ALLOWED = COLOURS[0], COLOURS[1]


@dataclass(frozen=True, slots=True)
class ScoredSystem:
    """A system's score, the ends of its interval, its rank set, and the least and most that the gold's errors allow.

    Whatever is not known is None.
    """

    name: str
    value: float | None
    lower: float | None = None
    upper: float | None = None
    ranks: tuple[int, int] | None = None
    bounds: tuple[float, float] | None = None


def score_intervals(
    systems: Sequence[ScoredSystem],
    *,
    measure: str,
    percent: bool = True,
    level: float = 0.95,
    bounds_words: str = "what errors in the gold allow",
    links: Mapping[str, str] | None = None,
) -> Drawing:
    """A dot with its whisker for each system, in the order given, and the numbers at the right.

    Scores are shares if they are shown in percent, else in the measure's own unit. The axis does not begin at 0: dots,
    other than bars, need not. `links` lead from systems to places in the page.
    """
    factor = 100.0 if percent else 1.0
    unit = f"{measure} (%)" if percent else measure
    has_intervals = any(one.lower is not None for one in systems)
    title = f"{measure} of {len(systems)} system{'s' * (len(systems) != 1)}"
    title += f" with {100 * level:g} % CI" if has_intervals else ""
    names = fitted_names([one.name for one in systems], _WIDEST_NAME)
    left = 15 + max([_LEAST_NAME, *map(text_width, names)]) + 12
    low, high = _ends(systems, factor, percent=percent)
    height = _HEIGHT_WITH_BOUNDS if any(one.bounds for one in systems) else _HEIGHT
    frame = Frame(low, high, 0, len(systems), left, _TOP, _PLOT, height * len(systems) + 6)
    columns = _columns(systems, factor, level)
    right = frame.right + 12 + sum(width for _, width, _ in columns)
    between = [[(15, y), (right, y)] for y in (frame.top + 3 + height * place for place in range(len(systems)))]
    parts = [path(between, GRID), *_axis(frame, unit), *_heads(frame, columns)]
    for place, (one, name) in enumerate(zip(systems, names, strict=True)):
        y = frame.top + height * (place + 0.5) + 3
        words = _words(one, measure, factor, percent, level, bounds_words)
        of_name = label(left - 12, y + 4, name, anchor="end")
        parts.append(linked((links or {}).get(one.name), titled(words, of_name)))
        parts.append(titled(words, *_marks(frame, one, y - 4 if one.bounds else y, factor)))
        parts += [label(end, y + 4, cells[place], anchor="end") for end, cells in _placed(frame, columns)]
    keys = _keys(systems, level, bounds_words)
    room = legend_room([words for _, words in keys], right - left)
    bottom = frame.bottom + 56
    parts += key_legend(left, bottom, keys, room=room)
    svg = drawing(max(right, left + room) + 12, bottom + ROW * len(keys) + 8, title, parts)
    return Drawing(
        safe_stem(f"scores-{measure}"), title, svg, _table(systems, unit, factor, level, title, bounds_words)
    )


def _ends(systems: Sequence[ScoredSystem], factor: float, *, percent: bool) -> tuple[float, float]:
    every = [
        end for one in systems for end in (one.value, one.lower, one.upper, *(one.bounds or ())) if end is not None
    ]
    if not every:
        return 0.0, 100.0 if percent else 1.0
    low, high = factor * min(every), factor * max(every)
    least = 0.25 if percent else 0.05 * max(abs(low), abs(high)) or 1.0
    wide_low, wide_high = widened(low, high, least)
    return (max(wide_low, min(low, -1.0)), min(wide_high, max(high, 101.0))) if percent else (wide_low, wide_high)


def _axis(frame: Frame, unit: str) -> list[str]:
    shown = [(frame.x(value), shown_number(value)) for value in ticks(frame.low_x, frame.high_x, 5)]
    parts = [
        path([[(x, frame.top), (x, frame.bottom + 5)] for x, _ in shown], GRID),
        line([(frame.left, frame.bottom), (frame.right, frame.bottom)], INK),
    ]
    parts += [label(x, frame.bottom + 20, text, anchor="middle") for x, text in shown]
    middle = (frame.left + frame.right) / 2
    return [*parts, label(middle, frame.bottom + 40, unit, anchor="middle", room=frame.width)]


_Column = tuple[str, float, list[str]]  # its head, how wide it is, its cells


def _columns(systems: Sequence[ScoredSystem], factor: float, level: float) -> list[_Column]:
    cells = {
        "score": ["–" if one.value is None else f"{factor * one.value:.2f}" for one in systems],
        f"{100 * level:g} % CI": [_interval(one.lower, one.upper, factor) for one in systems],
        "rank": [_ranks(one) for one in systems],
    }
    shown = {head: texts for head, texts in cells.items() if any(texts)}
    return [(head, max(map(text_width, (head, *texts))) + 14, texts) for head, texts in shown.items()]


def _placed(frame: Frame, columns: Sequence[_Column]) -> list[tuple[float, list[str]]]:
    """Where columns end on the right."""
    found, end = [], frame.right + 12
    for _, width, cells in columns:
        end += width
        found.append((end, cells))
    return found


def _heads(frame: Frame, columns: Sequence[_Column]) -> list[str]:
    places = _placed(frame, columns)
    return [
        label(end, frame.top - 10, head, anchor="end") for (head, _, _), (end, _) in zip(columns, places, strict=True)
    ]


def _interval(lower: float | None, upper: float | None, factor: float) -> str:
    return "" if lower is None or upper is None else f"{factor * lower:.2f} – {factor * upper:.2f}".replace("-", "−")


def _ranks(one: ScoredSystem) -> str:
    if one.ranks is None:
        return ""
    first, last = one.ranks
    return str(first) if first == last else f"{first}–{last}"


def _marks(frame: Frame, one: ScoredSystem, y: float, factor: float) -> list[str]:
    parts = []
    if one.lower is not None and one.upper is not None:
        parts.append(whisker(frame.x(factor * one.lower), frame.x(factor * one.upper), y, _SCORE, width=2))
    if one.bounds is not None:
        low, high = one.bounds
        parts.append(_allowed(frame.x(factor * low), frame.x(factor * high), y + 11))
    if one.value is not None:
        parts.append(disc(frame.x(factor * one.value), y, _SCORE))
    return parts


def _allowed(low: float, high: float, y: float) -> str:
    """A thin dashed line between two arrowheads that point at each other's far side."""
    heads = [
        polygon([(x, y), (x + 5 * side, y - 3), (x + 5 * side, y + 3)], _ALLOWED) for x, side in ((low, 1), (high, -1))
    ]
    return path([[(low, y), (high, y)]], _ALLOWED, dashed=True) + "".join(heads)


def _keys(systems: Sequence[ScoredSystem], level: float, bounds_words: str) -> list[Key]:
    has_intervals = any(one.lower is not None for one in systems)
    keys: list[Key] = [(_score_key, f"score with {100 * level:g} % CI")] if has_intervals else []
    if any(one.bounds for one in systems):
        keys.append((lambda x, y: _allowed(x - 10, x + 10, y), bounds_words))
    return keys


def _score_key(x: float, y: float) -> str:
    return whisker(x - 9, x + 9, y, _SCORE, width=2) + disc(x, y, _SCORE)


def _words(one: ScoredSystem, measure: str, factor: float, percent: bool, level: float, bounds_words: str) -> str:
    sign = " %" if percent else ""
    parts = [f"{one.name}: {measure} " + ("not known" if one.value is None else f"{factor * one.value:.2f}{sign}")]
    if one.lower is not None and one.upper is not None:
        parts.append(f"{100 * level:g} % CI {factor * one.lower:.2f} to {factor * one.upper:.2f}")
    if one.ranks is not None:
        parts.append(f"rank {_ranks(one)}")
    if one.bounds is not None:
        parts.append(f"{bounds_words}: {factor * one.bounds[0]:.2f} to {factor * one.bounds[1]:.2f}")
    return ", ".join(parts)


def _table(
    systems: Sequence[ScoredSystem], unit: str, factor: float, level: float, title: str, bounds_words: str
) -> Table:
    def scaled(value: float | None) -> float | None:
        return None if value is None else factor * value

    has_ranks, has_bounds = any(one.ranks for one in systems), any(one.bounds for one in systems)
    rows: list[list[Cell]] = []
    for one in systems:
        row: list[Cell] = [one.name, scaled(one.value), scaled(one.lower), scaled(one.upper)]
        row += [_ranks(one) or None] if has_ranks else []
        row += [scaled(end) for end in one.bounds or (None, None)] if has_bounds else []
        rows.append(row)
    columns = ["system", unit, "lower", "upper", *(["rank"] if has_ranks else [])]
    columns += ["least", "most"] if has_bounds else []
    notes = [f"lower, upper: {100 * level:g} % CI."] + ([f"least, most: {bounds_words}."] if has_bounds else [])
    return Table(columns, rows, title, notes)
