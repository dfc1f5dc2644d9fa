"""The parts of a drawing: shapes, text and axes as SVG, everything from outside escaped."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from itertools import pairwise, takewhile

from karat.result import Table

Entry = tuple[str, str, float]  # of a legend: words, colour, opacity
Key = tuple[Callable[[float, float], str] | None, str]  # of a legend: what is drawn around a point, words

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
_NARROW, _COMMON, _CAPITAL, _BROAD = 5.4, 8.3, 10.0, 13.7  # how wide characters of the font's size are, generously
_LONGEST = 90  # characters of a line
_LONGEST_TITLE = 300
_LONGEST_STEM = 60  # characters of a file's name, which may have four bytes each
_FONT = 'font-family="system-ui, sans-serif" font-size="13"'
ROW = 20  # from one line of a legend to the next
_BESIDE_KEY = 26  # where words begin
_WIDEST_LEGEND = 700


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

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def bottom(self) -> float:
        return self.top + self.height

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
        """The whole drawing, with a legend of colours below."""
        keys = [_swatch_key(entry) for entry in entries]
        return self.drawing_with_keys(title, parts, keys, margin=margin)

    def drawing_with_keys(self, title: str, parts: Iterable[str], keys: Sequence[Key], *, margin: float = 30) -> str:
        """The whole drawing, with a legend of shapes below."""
        room = legend_room([words for _, words in keys], self.width + margin - 10)
        below = key_legend(self.left, self.bottom + 60, keys, room=room)
        return drawing(self.left + room + 10, self.bottom + 70 + ROW * len(keys), title, [*parts, *below])

    def axes(
        self, x_name: str, y_name: str, *, x_ticks: bool = True, x_labels: Sequence[tuple[float, str]] | None = None
    ) -> list[str]:
        """Both axes with ticks, numbers and names; `x_labels` stand below in place of numbers, or nothing does."""
        shown = x_labels if x_labels is not None else self._numbers() if x_ticks else []
        across, up = ticks(self.low_y, self.high_y), [self.x(value) for value, _ in shown]
        parts = [
            path([[(self.left - 5, self.y(value)), (self.right, self.y(value))] for value in across], GRID),
            line([(self.left, self.top), (self.left, self.bottom), (self.right, self.bottom)], INK),
            path([[(x, self.bottom), (x, self.bottom + 5)] for x in up], INK),
        ]
        widths = [text_width(text) for _, text in shown]
        room = min([b - a for a, b in pairwise(sorted(up))], default=self.width) - 6
        step = 1 if x_labels is None else math.ceil(max(widths, default=0) / max(room, 1)) if room < self.width else 1
        for place, (x, (_, text)) in enumerate(zip(up, shown, strict=True)):
            if place % max(step, 1) == 0:
                parts.append(label(x, self.bottom + 20, text, anchor="middle"))
        parts += [label(self.left - 10, self.y(value) + 4, shown_number(value), anchor="end") for value in across]
        middle = (self.left + self.right) / 2
        parts.append(label(middle, self.bottom + 42, x_name, anchor="middle", room=self.width + 60) if x_name else "")
        parts.append(turned(self.left - 52, (self.top + self.bottom) / 2, y_name, -90, room=self.height + 40))
        return [one for one in parts if one]

    def _numbers(self) -> list[tuple[float, str]]:
        """Round numbers for the x axis, so few that they do not touch."""
        for most in (7, 5, 4, 3, 2):
            found = [(value, shown_number(value)) for value in ticks(self.low_x, self.high_x, most)]
            room = self.width * (found[1][0] - found[0][0]) / (self.high_x - self.low_x) if len(found) > 1 else 1e9
            if max((text_width(text) for _, text in found), default=0) + 6 <= room:
                break
        return found


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


def widened(low: float, high: float, least: float, share: float = 0.05) -> tuple[float, float]:
    """Two ends moved apart by a share of what is between them, and by `least` at the least: for an axis.

    >>> widened(90.0, 94.0, 0.5)
    (89.5, 94.5)
    """
    margin = max(share * (high - low), least)
    return low - margin, high + margin


def shown_number(value: float) -> str:
    """A number of an axis.

    >>> shown_number(-1500000.0), shown_number(0.25)
    ('−1,500,000', '0.25')
    """
    return f"{value:,.12g}".replace("-", "−")


def signed(value: float, how: str = ".2f") -> str:
    """A difference with its sign; one that is rounded to nothing has none.

    >>> signed(0.314), signed(-2.0), signed(-0.001)
    ('+0.31', '−2.00', '0.00')
    """
    text = f"{value:+,{how}}".replace("-", "−")
    return text if any(one in "123456789" for one in text) else text[1:]


def colour(number: int) -> str:
    """The colour of one of several systems."""
    return COLOURS[number % len(COLOURS)]


def line(points: Iterable[tuple[float, float]], colour: str, *, width: float = 1, dashed: bool = False) -> str:
    """A line through points."""
    return f'<polyline points="{_places(points)}" fill="none"{_stroke(colour, width, dashed)}/>'


def path(lines: Iterable[Iterable[tuple[float, float]]], colour: str, *, width: float = 1, dashed: bool = False) -> str:
    """Several lines as one shape, through the points of each; nothing without any."""
    drawn = "".join(f"M{'L'.join(f'{_number(x)} {_number(y)}' for x, y in one)}" for one in lines)
    return f'<path d="{drawn}" fill="none"{_stroke(colour, width, dashed)}/>' if drawn else ""


def whisker(low: float, high: float, across: float, colour: str, *, upright: bool = False, width: float = 1) -> str:
    """An interval from `low` to `high` with ends, at a place `across`."""
    ends = [[(low, across), (high, across)], *([(x, across - 4), (x, across + 4)] for x in (low, high))]
    return path([[(y, x) for x, y in one] for one in ends] if upright else ends, colour, width=width)


def hatching(
    x: float, y: float, width: float, height: float, colour: str, *, gap: float = 5, down: bool = False
) -> str:
    """Lines that lean to the right (`down`: to the left) and fill a rectangle, given its corner at the top left.

    Those of rectangles beside each other meet.
    """
    x_end, y_end, lean = x + width, y + height, -1 if down else 1
    low, high = (x - y_end, x_end - y) if down else (x + y, x_end + y_end)
    lines = []
    for number in range(math.ceil(low / gap), math.floor(high / gap) + 1):
        of = number * gap  # the line is x + y = of, or x - y = of
        ends = sorted(max(x, min(x_end, of - lean * one)) for one in (y, y_end))
        if ends[1] - ends[0] > 0.05:
            lines.append([(at, lean * (of - at)) for at in ends])
    return path(lines, colour)


def polygon(points: Iterable[tuple[float, float]], fill: str, *, opacity: float = 1.0) -> str:
    """A filled shape."""
    faint = f' fill-opacity="{opacity:g}"' if opacity != 1 else ""
    return f'<polygon points="{_places(points)}" fill="{fill}"{faint}/>'


def rectangle(x: float, y: float, width: float, height: float, fill: str, *, opacity: float = 1.0) -> str:
    """A filled rectangle, given its corner at the top left."""
    return polygon([(x, y), (x + width, y), (x + width, y + height), (x, y + height)], fill, opacity=opacity)


def outline(
    x: float, y: float, width: float, height: float, colour: str, *, thick: float = 1, dashed: bool = False
) -> str:
    """The border of a rectangle, given its corner at the top left."""
    corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y)]
    return line(corners, colour, width=thick, dashed=dashed)


def disc(x: float, y: float, fill: str, radius: float = 4.5) -> str:
    """A filled circle."""
    return f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{radius:g}" fill="{fill}"/>'


def mark(number: int, x: float, y: float) -> str:
    """The mark of one of several series: another shape and another colour, so that neither alone has to tell.

    There are 12 of them; the next 12 are hollow.
    """
    shape, fill = (disc, square, triangle, diamond)[number % 4], colour(number)
    if number // 12 % 2 == 0:
        return shape(x, y, fill)
    return shape(x, y, PAPER).replace("/>", f' stroke="{fill}" stroke-width="2"/>')


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
    return f"<g><title>{escape(_cut(_printable(words), _LONGEST_TITLE))}</title>{''.join(shapes)}</g>"


def linked(href: str | None, drawn: str) -> str:
    """What is drawn as a link to a place in the same page, if there is one: nothing else is linked to."""
    if href is None:
        return drawn
    if not re.fullmatch(r"#[\w.:~-]+", href):
        raise ValueError(f"not a place in this page: {href!r}")
    return f'<a href="{escape(href)}">{drawn}</a>'


def text_width(text: str) -> float:
    """How wide a line of text is, generously: fonts differ."""
    return sum(map(_width, text))


def _width(one: str) -> float:
    if one in "fijlrt .,:;'|!()[]/-":
        return _NARROW
    if one in "mwMW@%—…▲▼" or unicodedata.east_asian_width(one) in "WF":
        return _BROAD
    return _CAPITAL if one.isupper() else _COMMON


def fitted(text: str, room: float) -> str:
    """The beginning of a text that is not wider than `room`, cut with … if need be.

    >>> fitted("a garden gate", 80)
    'a garden…'
    """
    text = _cut(_printable(text), _LONGEST)
    if text_width(text) <= room:
        return text
    while text and text_width(text) + _width("…") > room:
        text = text[:-1]
    return f"{text.rstrip()}…"


def fitted_name(name: str, room: float) -> str:
    """A name that is not wider than `room`; of a long one both ends are kept, as names often differ at their end.

    >>> fitted_name("parsers/english/ewt-large-2", 120)
    'parsers…large-2'
    """
    name = _printable(name)
    if len(name) <= _LONGEST and text_width(name) <= room:
        return name
    half = (room - _width("…")) / 2
    first, last = _within(name, half), _within(name[::-1], half)[::-1]
    return f"{first.rstrip()}…{last.lstrip()}"


def fitted_names(names: Sequence[str], room: float) -> list[str]:
    """Names that are not wider than `room`, cut where they can still be told apart: inside, at the end, or before that.

    >>> fitted_names(["a parser, run 1 of them all", "a parser, run 2 of them all"], 120)
    ['a parser, run 1…', 'a parser, run 2…']
    """
    whole = [_printable(name) for name in names]
    shared = sum(1 for _ in takewhile(lambda ones: len(set(ones)) == 1, zip(*whole, strict=False)))
    ways = [
        [fitted_name(name, room) for name in whole],
        [fitted(name, room) for name in whole],
        [fitted_name(f"…{name[shared:]}", room) for name in whole],
    ]
    return max(ways, key=lambda way: len(set(way)))  # the first of those that are as good


def _within(text: str, room: float) -> str:
    """As many characters as fit."""
    end, width = 0, 0.0
    while end < len(text) and (width := width + _width(text[end])) <= room:
        end += 1
    return text[:end]


def wrapped(text: str, room: float) -> list[str]:
    """Lines of a text, none of them wider than `room`.

    >>> wrapped("a gate in a garden", 60)
    ['a gate', 'in a', 'garden']
    """
    lines: list[str] = []
    for word in _printable(text).split():
        if lines and text_width(f"{lines[-1]} {word}") <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(fitted(word, room))
    return lines


def safe_stem(name: str) -> str:
    """A name for a file that any system takes, without folders: letters, digits, `-`, `_` and single dots.

    >>> safe_stem("scores LAS"), safe_stem("../../x"), safe_stem("a<b>/ć"), safe_stem("nul"), safe_stem("?")
    ('scores-LAS', 'x', 'a-b-ć', 'figure-nul', 'figure')
    """
    name = unicodedata.normalize("NFC", _printable(name))
    name = re.sub(r"[^\w.]+|\.{2,}", "-", name)
    name = re.sub(r"-{2,}", "-", name)[:_LONGEST_STEM].strip("-. ")
    is_reserved = re.match(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", name, re.IGNORECASE)
    return f"figure-{name}" if is_reserved else name or "figure"


def _printable(text: str) -> str:
    """Text without control characters, which XML does not allow, nor those that turn the direction of writing."""
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else " " if one.isspace() else "" for one in text)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _places(points: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _stroke(colour: str, width: float, dashed: bool) -> str:
    thick = f' stroke-width="{width:g}"' if width != 1 else ""
    return f' stroke="{colour}"{thick}' + (' stroke-dasharray="5 4"' if dashed else "")


def label(x: float, y: float, text: str, *, anchor: str = "start", room: float = math.inf) -> str:
    """A line of text; control characters, which XML does not allow, are left out, and what is too long is cut.

    What does not fit into `room` is cut too, and has the whole as its title.
    """
    whole = _printable(text)
    shown = fitted(whole, room)
    at = f'<text x="{_number(x)}" y="{_number(y)}"' + (f' text-anchor="{anchor}"' if anchor != "start" else "")
    drawn = f"{at}>{escape(shown)}</text>"
    return drawn if shown == whole or room == math.inf else titled(whole, drawn)


def turned(x: float, y: float, text: str, degrees: float, *, anchor: str = "middle", room: float = math.inf) -> str:
    """A line of text turned around the point where it is fixed; nothing if there is no text."""
    if not text:
        return ""
    drawn = label(x, y, text, anchor=anchor, room=room)
    return f'<g transform="rotate({degrees:g} {_number(x)} {_number(y)})">{drawn}</g>'


def paragraph(x: float, y: float, text: str, room: float) -> tuple[list[str], float]:
    """Text in lines below one another, and where the next line would be."""
    lines = wrapped(text, room)
    return [label(x, y + 17 * place, one) for place, one in enumerate(lines)], y + 17 * len(lines)


def key_legend(x: float, y: float, keys: Sequence[Key], *, room: float = math.inf) -> list[str]:
    """What shapes mean, below one another, each `ROW` high."""
    parts = []
    for number, (shape, words) in enumerate(keys):
        at = y + ROW * number
        words_of = label(x + _BESIDE_KEY, at + 11, words, room=room - _BESIDE_KEY)
        drawn = shape(x + 9, at + 6) if shape else ""
        parts.append(f'<g class="key">{drawn}{words_of}</g>')
    return parts


def legend_room(names: Sequence[str], least: float) -> float:
    """How wide a legend with these names is: `least` at the least, and not too wide for a page."""
    widest = max((text_width(_cut(_printable(name), _LONGEST)) for name in names), default=0)
    return max(least, min(widest + _BESIDE_KEY, _WIDEST_LEGEND))


def mark_legend(x: float, y: float, names: Sequence[str], *, room: float = math.inf) -> list[str]:
    """What marks mean, below one another."""
    return key_legend(x, y, [(partial(mark, number), name) for number, name in enumerate(names)], room=room)


def legend(x: float, y: float, entries: Sequence[Entry], *, room: float = math.inf) -> list[str]:
    """What colours mean, below one another."""
    return key_legend(x, y, [_swatch_key(entry) for entry in entries], room=room)


def _swatch_key(entry: Entry) -> Key:
    words, colour, opacity = entry
    return partial(_swatch, colour=colour, opacity=opacity), words


def swatch_and_mark(number: int, x: float, y: float) -> str:
    """For a legend: the pale colour of one of several areas, and its mark."""
    return _swatch(x, y, colour=colour(number), opacity=0.4) + mark(number, x, y)


def line_and_mark(number: int, x: float, y: float) -> str:
    """For a legend: the line of one of several series, and its mark."""
    return line([(x - 12, y), (x + 12, y)], colour(number), width=2, dashed=number % 2 == 1) + mark(number, x, y)


def _swatch(x: float, y: float, *, colour: str, opacity: float) -> str:
    return rectangle(x - 9, y - 6, 18, 12, colour, opacity=opacity)


def drawing(width: float, height: float, title: str, parts: Iterable[str]) -> str:
    """The whole drawing, for a file or a page."""
    body = "\n".join(filter(None, parts))
    title, wide, high = escape(_cut(_printable(title), _LONGEST_TITLE)), _number(width), _number(height)
    role = "group" if '<a href="' in body else "img"  # what is an image to a screen reader has no links in it
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="drawing" viewBox="0 0 {wide} {high}" width="{wide}" '
        f'height="{high}" {_FONT} role="{role}" aria-label="{title}">\n<title>{title}</title>\n'
        f'<rect width="100%" height="100%" fill="{PAPER}"/>\n{body}\n</svg>\n'
    )


def dark_drawings() -> str:
    """What colours drawings have on a dark page, as CSS."""
    rules = "".join(
        f".drawing [{attribute}='{light}']{{{attribute}:{dark}}}"
        for light, dark in DARK.items()
        for attribute in ("fill", "stroke")
    )
    return f"@media screen and (prefers-color-scheme:dark){{{rules}}}\n"
