"""The row of words that the drawings of a sentence share, and the text in them: made safe, cut, measured."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from karat.report.cut_text import shortened
from karat.report.draw.svg import COLOURS, GRID, text_width

GOLD, SYSTEM = COLOURS[0], COLOURS[1]  # what only the one has, what only the other
LABEL_SIZE = 11
HEIGHT = 36  # of the row: a line of words, a line of tags
_TAG_SIZE = 10
_FONT_SIZE = 13  # of the whole drawing
_LONGEST_WORD, _LONGEST_TAG, _LONGEST_LABEL, _LONGEST_TITLE = 22, 14, 18, 300
_JOINERS = "\u200c\u200d"  # they shape letters in Persian and in Indic scripts, and turn no direction


@dataclass(frozen=True, slots=True)
class RowWord:
    """A word with its tag, the system's `other_tag` where that is another, and whether it is left out of the count."""

    form: str
    tag: str = ""
    other_tag: str | None = None
    is_left_out: bool = False

    @property
    def shown_tag(self) -> str:
        tag = shown(self.tag, _LONGEST_TAG)
        return tag if self.other_tag is None else f"{tag or '–'} → {shown(self.other_tag, _LONGEST_TAG) or '–'}"

    @property
    def width(self) -> float:
        return max(_width(shown(self.form, _LONGEST_WORD), _FONT_SIZE), self.tag_width + 6)

    @property
    def tag_width(self) -> float:
        return _width(self.shown_tag, _TAG_SIZE, is_bold=self.other_tag is not None)


def visible(text: str) -> str:
    """Text without what XML does not allow or what turns the direction of text: a � stands where it was.

    >>> visible("a\\u202eb\\xa0c")
    'a�b c'
    """
    return "".join(one if one.isprintable() or one in _JOINERS else " " if one.isspace() else "\ufffd" for one in text)


def shown(text: str, most: int = _LONGEST_LABEL) -> str:
    """The beginning of a text from outside, safe to be looked at, of at most so many characters."""
    return visible(shortened(text, most))


def label_width(text: str, *, is_bold: bool = False) -> float:
    """How wide a label of an arc or a bracket is, generously."""
    return _width(text, LABEL_SIZE, is_bold=is_bold)


def _width(text: str, size: float, *, is_bold: bool = False) -> float:
    n_capitals = sum(map(str.isupper, text))  # tags and labels are made of them
    n_circled = sum("①" <= one <= "⑳" or "㉑" <= one <= "㊿" for one in text)  # as wide as they are high
    return (text_width(text) + 1.7 * n_capitals + 6 * n_circled) * (1.2 if is_bold else 1) * size / _FONT_SIZE


def title_of(words: str) -> str:
    """What a mark is, for the one who points at it."""
    return f"<title>{escape(shown(words, _LONGEST_TITLE), quote=False)}</title>"


def text_at(x: float, y: float, words: str, title: str = "") -> str:
    """A text that is already safe to be looked at; font and anchor are those of its group."""
    said = title_of(title) if title else ""
    height = f' y="{y:.0f}"' if y else ""
    return f'<text x="{x:.0f}"{height}>{said}{escape(words, quote=False)}</text>'


def group(attributes: str, parts: Iterable[str]) -> list[str]:
    """Parts that share attributes, or nothing if there are none."""
    body = "".join(parts)
    return [f"<g {attributes}>{body}</g>"] if body else []


def captions(top: float, bottom: float, above: str, below: str) -> list[str]:
    """Whose the upper and whose the lower half is."""
    return [f'<g font-size="{LABEL_SIZE}">{text_at(6, top, above)}{text_at(6, bottom, below)}</g>']


def caption_width(*texts: str) -> float:
    """How wide a drawing must be for its captions."""
    return 12 + max(map(label_width, texts))


def drawn_row(words: Sequence[RowWord], numbers: Sequence[int], places: Sequence[float], top: float) -> list[str]:
    """Words with their tags below, in the middle of their places; a tag that the system has otherwise is in a box.

    Both lines are moved down as wholes, which takes less room in a page than a height for each text.
    """
    forms: list[str] = []
    left_out: list[str] = []
    tags, other, boxes = [], [], []
    for word, number, x in zip(words, numbers, places, strict=True):
        form = shown(word.form, _LONGEST_WORD)
        said = f"{number} {word.form}" if form != word.form else ""
        said = f"{number} {word.form}: not counted" if word.is_left_out else said
        (left_out if word.is_left_out else forms).append(text_at(x, 0, form, said))
        if word.other_tag is not None:
            said = f"{number} {shown(word.form, 100)}: gold {word.tag or 'no tag'}, system {word.other_tag or 'no tag'}"
            width = word.tag_width + 4
            boxes.append(f'<path d="M{x - width / 2:.0f}-10h{width:.0f}v13h-{width:.0f}z">{title_of(said)}</path>')
            other.append(text_at(x, 0, word.shown_tag, said))
        elif word.tag:
            tags.append(text_at(x, 0, word.shown_tag, word.tag if word.shown_tag != word.tag else ""))
    upper = [*forms, *group('font-style="italic"', left_out)]
    lower = [*tags, *group(f'fill="none" stroke="{SYSTEM}"', boxes), *group('font-weight="bold"', other)]
    middle = 'text-anchor="middle"'
    return [
        *group(f'{middle} transform="translate(0 {top + 14:.0f})"', upper),
        *group(f'{middle} transform="translate(0 {top + 30:.0f})" font-size="{_TAG_SIZE}"', lower),
    ]


def is_marked(number: int, marked: tuple[int, int] | None) -> bool:
    """Whether a word, numbered from 0, is one of those from the first to the last that are marked, numbered from 1."""
    return marked is not None and marked[0] <= number + 1 <= marked[1]


def ground(left: float, right: float, top: float) -> str:
    """What is behind words that are marked: a pale rectangle from the left to the right, as high as a row."""
    return f'<path d="M{left:.0f} {top:.0f}H{right:.0f}v{HEIGHT}H{left:.0f}z" fill="{GRID}"/>'


def words_shown(part: range, n_words: int) -> str:
    """Which words of a sentence are shown, if not all of them.

    >>> words_shown(range(4, 9), 30)
    ', words 5 to 9 of 30'
    """
    return f", words {part.start + 1} to {part.stop} of {n_words}" if len(part) < n_words else ""


def stem(*parts: str) -> str:
    """The stem of a file's name.

    >>> stem("arcs", "GUM/news 1", "../a")
    'arcs-GUM-news-1-a'
    """
    safe = (re.sub(r"[^\w.]+", "-", shown(part, 60)).strip("-.…") for part in parts)
    return "-".join(filter(None, safe)) or "sentence"
