"""The parts of a drawing: shapes, text and axes as SVG, everything from outside escaped."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from karat.result import Table

Entry = tuple[str, str, float]  # of a legend: words, colour, opacity

INK, MUTED, GRID, PAPER = "#333", "#777", "#ddd", "#fff"
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")  # told apart by the colour-blind too
# what a dark page has instead: it replaces attributes, so a drawing has no other colours than these
DARK = {
    INK: "#ddd",
    MUTED: "#999",
    GRID: "#444",
    PAPER: "#1b1d21",
    "#0072b2": "#4fb0ee",
    "#d55e00": "#ff8a3d",
    "#009e73": "#2fc99b",
    "#cc79a7": "#e79bc6",
    "#e69f00": "#f0b93a",
    "#56b4e9": "#3f86b3",
}
_OF_CHARACTER = 7.6  # the width of a common character of the font's size, generously
_LONGEST = 90  # characters, as much as the width has room for
_FONT = 'font-family="system-ui, sans-serif" font-size="13"'


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawing: the stem of its file's name, what it shows in a sentence, and the same numbers as a table."""

    name: str
    title: str
    svg: str
    table: Table


@dataclass(frozen=True, slots=True)
class Frame:
    """Where numbers go on paper: x from `low_x` to `high_x` over the width, y upwards over the height."""

    low_x: float
    high_x: float
    low_y: float
    high_y: float
    left: float = 70
    top: float = 40
    width: float = 520
    height: float = 300

    def x(self, value: float) -> float:
        return self.left + self.width * (value - self.low_x) / (self.high_x - self.low_x)

    def y(self, value: float) -> float:
        return self.top + self.height * (1 - (value - self.low_y) / (self.high_y - self.low_y))

    def along(self, x: Iterable[float], y: Iterable[float]) -> list[tuple[float, float]]:
        """Where points are on paper, without those that have no y."""
        return [(self.x(a), self.y(b)) for a, b in zip(x, y, strict=True) if b == b]

    def box(self, left: float, right: float, low: float, high: float) -> list[tuple[float, float]]:
        """The corners of a box on paper."""
        return self.along((left, right, right, left), (low, low, high, high))

    def drawing(self, title: str, parts: Iterable[str], entries: Sequence[Entry], *, margin: float = 30) -> str:
        """The whole drawing, with a legend below."""
        bottom = self.top + self.height
        height = bottom + 70 + 20 * len(entries)
        return drawing(
            self.left + self.width + margin, height, title, [*parts, *legend(self.left, bottom + 60, entries)]
        )

    def axes(self, x_name: str, y_name: str, *, x_ticks: bool = True) -> list[str]:
        """Both axes with ticks, numbers and names; without ticks below if x stands for names."""
        bottom, right = self.top + self.height, self.left + self.width
        parts = [line([(self.left, self.top), (self.left, bottom), (right, bottom)], INK)]
        for value in ticks(self.low_x, self.high_x) if x_ticks else ():
            parts.append(line([(self.x(value), bottom), (self.x(value), bottom + 5)], INK))
            parts.append(label(self.x(value), bottom + 20, f"{value:g}", anchor="middle"))
        for value in ticks(self.low_y, self.high_y):
            parts.append(line([(self.left - 5, self.y(value)), (right, self.y(value))], GRID))
            parts.append(label(self.left - 10, self.y(value) + 4, f"{value:g}", anchor="end"))
        parts.append(label((self.left + right) / 2, bottom + 42, x_name, anchor="middle"))
        middle, left = (self.top + bottom) / 2, self.left - 52
        turned = label(left, middle, y_name, anchor="middle")
        return [*parts, f'<g transform="rotate(-90 {left:g} {middle:.1f})">{turned}</g>']


def ticks(low: float, high: float, most: int = 7) -> list[float]:
    """Round numbers between two ends, a few of them.

    >>> ticks(0.9, 0.96)
    [0.9, 0.91, 0.92, 0.93, 0.94, 0.95, 0.96]
    """
    rough = (high - low) / most
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * (1 - 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(number * step, 12) for number in range(first, last + 1)]


def colour(number: int) -> str:
    """The colour of one of several systems."""
    return COLOURS[number % len(COLOURS)]


def line(points: Iterable[tuple[float, float]], colour: str, *, width: float = 1, dashed: bool = False) -> str:
    """A line through points."""
    dash = ' stroke-dasharray="5 4"' if dashed else ""
    return f'<polyline points="{_places(points)}" fill="none" stroke="{colour}" stroke-width="{width:g}"{dash}/>'


def polygon(points: Iterable[tuple[float, float]], fill: str, *, opacity: float = 1.0) -> str:
    """A filled shape."""
    return f'<polygon points="{_places(points)}" fill="{fill}" fill-opacity="{opacity:g}"/>'


def rectangle(x: float, y: float, width: float, height: float, fill: str, *, opacity: float = 1.0) -> str:
    """A filled rectangle, given its corner at the top left."""
    return polygon([(x, y), (x + width, y), (x + width, y + height), (x, y + height)], fill, opacity=opacity)


def disc(x: float, y: float, fill: str, radius: float = 4.5) -> str:
    """A filled circle."""
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" fill="{fill}"/>'


def mark(number: int, x: float, y: float) -> str:
    """The mark of one of several series: another shape and another colour, so that neither alone has to tell."""
    return (disc, square, triangle, diamond)[number % 4](x, y, colour(number))


def square(x: float, y: float, fill: str) -> str:
    """A small filled square around a point."""
    return rectangle(x - 4, y - 4, 8, 8, fill)


def triangle(x: float, y: float, fill: str) -> str:
    """A small filled triangle around a point."""
    return polygon([(x, y - 5), (x + 5, y + 4), (x - 5, y + 4)], fill)


def diamond(x: float, y: float, fill: str) -> str:
    """A small filled square on its corner around a point."""
    return polygon([(x, y - 5.5), (x + 5.5, y), (x, y + 5.5), (x - 5.5, y)], fill)


def titled(words: str, *shapes: str) -> str:
    """Shapes that say what they are when they are pointed at, and to those who do not see them."""
    return f"<g><title>{escape(_printable(words))}</title>{''.join(shapes)}</g>"


def mark_legend(x: float, y: float, names: Sequence[str]) -> list[str]:
    """What marks mean, below one another."""
    parts = []
    for number, name in enumerate(names):
        at = y + 20 * number
        parts += [mark(number, x + 9, at + 6), label(x + 26, at + 11, name)]
    return parts


def text_width(text: str) -> float:
    """How wide a line of text is, generously: fonts differ."""
    n_wide = sum(unicodedata.east_asian_width(one) in "WF" for one in text)
    return _OF_CHARACTER * (len(text) + 0.8 * n_wide)


def _printable(text: str) -> str:
    """Text without control characters, which XML does not allow."""
    return "".join(one for one in text if one.isprintable())


def _places(points: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def label(x: float, y: float, text: str, *, anchor: str = "start") -> str:
    """A line of text; control characters, which XML does not allow, are left out, and what is too long is cut."""
    text = _printable(text)
    text = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def legend(x: float, y: float, entries: Sequence[Entry]) -> list[str]:
    """What colours mean, below one another."""
    parts = []
    for number, (words, colour, opacity) in enumerate(entries):
        top = y + 20 * number
        parts += [rectangle(x, top, 18, 12, colour, opacity=opacity), label(x + 26, top + 11, words)]
    return parts


def drawing(width: float, height: float, title: str, parts: Iterable[str]) -> str:
    """The whole drawing, for a file or a page."""
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="drawing" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" {_FONT} role="img" aria-label="{escape(title)}">\n<title>{escape(title)}</title>\n'
        f'<rect width="100%" height="100%" fill="{PAPER}"/>\n{body}\n</svg>\n'
    )
