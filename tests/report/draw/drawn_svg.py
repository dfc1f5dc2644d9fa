"""What a drawing is made of, read from its SVG: shapes, words and where they are."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator

from karat.report.draw.svg import text_width

SVG = "{http://www.w3.org/2000/svg}"
SHAPES = {f"{SVG}{name}" for name in ("polygon", "polyline", "path", "circle", "rect", "line", "ellipse")}
Corners = list[tuple[float, float]]


def parsed(svg: str) -> ET.Element:
    return ET.fromstring(svg.encode("utf-8"))


def texts(root: ET.Element) -> list[str]:
    return [one.text or "" for one in root.iter(f"{SVG}text")]


def titles(root: ET.Element) -> list[str]:
    """What marks say, without the title of the whole."""
    return [one.findtext(f"{SVG}title") or "" for one in root.iter(f"{SVG}g") if one.find(f"{SVG}title") is not None]


def group(root: ET.Element, words: str) -> ET.Element:
    """The one group whose title begins with these words and that has a shape."""
    found = [
        one
        for one in root.iter(f"{SVG}g")
        if (one.findtext(f"{SVG}title") or "").startswith(words) and any(part.tag in SHAPES for part in one)
    ]
    assert len(found) == 1, (words, len(found))
    return found[0]


def points(shape: ET.Element) -> Corners:
    """The corners of a polygon or polyline, or the ends of the lines of a path."""
    if shape.tag == f"{SVG}circle":
        return [(float(shape.get("cx") or 0), float(shape.get("cy") or 0))]
    numbers = [float(one) for one in re.findall(r"-?[\d.]+", shape.get("points") or shape.get("d") or "")]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def spread(shape: ET.Element) -> tuple[float, float, float, float]:
    """Least and most x, least and most y."""
    xs, ys = zip(*points(shape), strict=True)
    return min(xs), max(xs), min(ys), max(ys)


def ancestors(root: ET.Element) -> Iterator[tuple[ET.Element, list[ET.Element]]]:
    """Every element with those it lies in."""

    def walk(one: ET.Element, above: list[ET.Element]) -> Iterator[tuple[ET.Element, list[ET.Element]]]:
        yield one, above
        for part in one:
            yield from walk(part, [*above, one])

    yield from walk(root, [])


def text_boxes(root: ET.Element) -> list[tuple[str, Corners]]:
    """Every line of text with its corners, turned as it is; as wide as the generous estimate says, but for a hair."""
    found = []
    for one, above in ancestors(root):
        if one.tag != f"{SVG}text":
            continue
        x, y, wide = float(one.get("x") or 0), float(one.get("y") or 0), 0.98 * text_width(one.text or "")
        left = {"start": x, "middle": x - wide / 2, "end": x - wide}[one.get("text-anchor") or "start"]
        corners = [(left, y - 10), (left + wide, y - 10), (left + wide, y + 2), (left, y + 2)]
        for outer in above:
            if turn := re.fullmatch(r"rotate\((\S+) (\S+) (\S+)\)", outer.get("transform") or ""):
                corners = [_turned(corner, *map(float, turn.groups())) for corner in corners]
        found.append((one.text or "", corners))
    return found


def _turned(at: tuple[float, float], degrees: float, x: float, y: float) -> tuple[float, float]:
    sin, cos = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    return x + cos * (at[0] - x) - sin * (at[1] - y), y + sin * (at[0] - x) + cos * (at[1] - y)


def overlap(a: Corners, b: Corners) -> bool:
    """Whether two boxes, turned or not, share an area: no side of either separates them."""
    for one in (a, b):
        for (x, y), (x_next, y_next) in zip(one, [*one[1:], one[0]], strict=True):
            across = (y - y_next, x_next - x)
            sides = [[across[0] * px + across[1] * py for px, py in box] for box in (a, b)]
            if max(sides[0]) <= min(sides[1]) + 1e-9 or max(sides[1]) <= min(sides[0]) + 1e-9:
                return False
    return True
