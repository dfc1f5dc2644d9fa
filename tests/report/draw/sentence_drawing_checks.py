"""What holds of every drawing of a sentence: what is in it, where it is, and that nothing is on anything else."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass

from karat.report.draw.svg import DARK, Drawing, text_width

__all__ = ["Mark", "Text", "assert_is_sound", "marks", "overlaps", "parsed", "points", "texts"]

_SVG = "{http://www.w3.org/2000/svg}"
_INHERITED = (
    "font-size",
    "text-anchor",
    "font-weight",
    "stroke",
    "stroke-width",
    "stroke-dasharray",
    "fill",
    "transform",
)
_ALLOWED = {"svg", "title", "rect", "g", "path", "text"}


@dataclass(frozen=True)
class Text:
    """A text and the box around it."""

    words: str
    title: str
    left: float
    right: float
    top: float
    bottom: float
    is_bold: bool

    @property
    def middle(self) -> float:
        return (self.left + self.right) / 2


@dataclass(frozen=True)
class Mark:
    """A path, moved down by so much, with what it says and how it is drawn."""

    d: str
    moved: float
    title: str
    stroke: str
    width: float
    is_dashed: bool


def parsed(drawing: Drawing) -> ET.Element:
    return ET.fromstring(drawing.svg.encode())


def _walk(element: ET.Element, inherited: dict[str, str]) -> Iterator[tuple[ET.Element, dict[str, str]]]:
    assert "transform" not in inherited or element.get("transform") is None
    own = inherited | {name: value for name in _INHERITED if (value := element.get(name)) is not None}
    yield element, own
    for child in element:
        yield from _walk(child, own)


def _moved(how: dict[str, str]) -> float:
    """How far down an element is moved: the only transformation that there is."""
    found = re.fullmatch(r"translate\(0 (\d+)\)", how.get("transform", "translate(0 0)"))
    assert found
    return float(found[1])


def texts(drawing: Drawing) -> list[Text]:
    found = []
    for one, how in _walk(parsed(drawing), {}):
        if one.tag == f"{_SVG}text":
            title = one.find(f"{_SVG}title")
            words = (one.text or "") + (title.tail or "" if title is not None else "")
            size = float(how["font-size"])
            wide = text_width(words) * size / 13
            x, y = float(one.get("x") or "nan"), float(one.get("y") or 0) + _moved(how)
            left = {"start": x, "middle": x - wide / 2, "end": x - wide}[how.get("text-anchor", "start")]
            said = "" if title is None else title.text or ""
            is_bold = how.get("font-weight") == "bold"
            found.append(Text(words, said, left, left + wide, y - 0.75 * size, y + 0.2 * size, is_bold))
    return found


def marks(drawing: Drawing) -> list[Mark]:
    return [
        Mark(
            one.get("d") or "",
            _moved(how),
            one.findtext(f"{_SVG}title") or "",
            how["stroke"],
            float(how.get("stroke-width", 1)),
            "stroke-dasharray" in how,
        )
        for one, how in _walk(parsed(drawing), {})
        if one.tag == f"{_SVG}path"
    ]


def points(d: str) -> list[list[tuple[float, float]]]:
    """The lines of a path, each as the points that it goes through."""
    lines: list[list[tuple[float, float]]] = []
    x = y = 0.0
    for command, rest in re.findall(r"([MmlHhvz])([^MmlHhvz]*)", d):
        numbers = [float(one) for one in re.findall(r"-?[\d.]+", rest)]
        if command == "z":
            lines[-1].append(lines[-1][0])
        elif command in "Hhv":
            (number,) = numbers
            x, y = (number, y) if command == "H" else (x + number, y) if command == "h" else (x, y + number)
            lines[-1].append((x, y))
        else:
            assert len(numbers) % 2 == 0
            for a, b in zip(numbers[::2], numbers[1::2], strict=True):
                x, y = (a, b) if command == "M" else (x + a, y + b)
                if command in "Mm":
                    lines.append([])
                lines[-1].append((x, y))
    return lines


def overlaps(every: list[Text]) -> list[tuple[str, str]]:
    """The texts that are on one another."""
    return [
        (one.words, other.words)
        for number, one in enumerate(every)
        for other in every[number + 1 :]
        if one.left < other.right and other.left < one.right and one.top < other.bottom and other.top < one.bottom
    ]


def assert_is_sound(drawing: Drawing) -> None:
    """Safe and well-formed, in the palette's colours, everything titled, inside the frame, and no text on another."""
    root = parsed(drawing)
    assert root.get("role") == "img"
    assert root.get("aria-label") == drawing.title == root.findtext(f"{_SVG}title") == drawing.table.title
    width, height = float(root.get("width") or 0), float(root.get("height") or 0)
    assert root.get("viewBox") == f"0 0 {width:g} {height:g}"
    for one in root.iter():
        assert one.tag.removeprefix(_SVG) in _ALLOWED
        assert not {"style", "id", "href", "onload"} & {*one.attrib}
        for name in ("fill", "stroke"):
            assert one.get(name, "none") in {*DARK, "none"}
        if one.tag == f"{_SVG}text":
            assert "fill" not in one.attrib
    assert all(mark.title for mark in marks(drawing))
    for mark in marks(drawing):
        for line in points(mark.d):
            for x, y in line:
                assert 0 <= x <= width, mark
                assert 0 <= y + mark.moved <= height, mark
    for text in texts(drawing):
        assert text.left >= 0, text
        assert text.right <= width, text
        assert text.top >= 0, text
        assert text.bottom <= height, text
    assert overlaps(texts(drawing)) == []
    assert re.fullmatch(r"[\w.-]+", drawing.name)
    assert not drawing.name.startswith(".")
