"""Heat maps: well-formed, readable, and safe with any names."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from karat.report.draw.heat_map import heat_map

SVG = "{http://www.w3.org/2000/svg}"


def drawn(rows: list[str], columns: list[str], values: list[list[float | None]]) -> ET.Element:
    return ET.fromstring(heat_map({"words": values}, rows, columns, title="t", axes=("train", "test")).svg)


def words(root: ET.Element) -> list[str]:
    return [text.text or "" for text in root.iter(f"{SVG}text")]


def test_every_number_and_name_is_shown() -> None:
    root = drawn(["A", "B"], ["C", "D", "E"], [[0.5, 0.754, 1.0], [0.61, None, 0.2]])
    shown = words(root)
    for wanted in ("A", "B", "C", "D", "E", "50.0", "75.4", "100.0", "61.0", "–", "20.0", "words", "50 %, chance"):
        assert wanted in shown
    assert len(list(root.iter(f"{SVG}polygon"))) == 6 + 11


def test_the_more_certain_the_stronger_the_colour() -> None:
    squares = list(drawn(["A"], ["B", "C", "D", "E"], [[0.3, 0.5, 0.75, 1.0]]).iter(f"{SVG}polygon"))[:4]
    shade = [float(one.get("fill-opacity") or 1) for one in squares]
    assert shade[0] == shade[1] < shade[2] < shade[3]
    assert len({one.get("fill") for one in squares}) == 1


@pytest.mark.parametrize("name", ["<script>\"&'", "]]><b>", "a\x00\x1b[31mb", "\ud800lone", "長" * 100, "x" * 300, ""])
def test_hostile_names_are_escaped_and_cut(name: str) -> None:
    text = heat_map({name: [[0.7]]}, [name], [name], title="t", axes=("train", "test")).svg
    assert "<script>" not in text
    assert "<b>" not in text
    root = ET.fromstring(text.encode())
    assert all(len(one) <= 90 for one in words(root))
    left, _, right, _ = map(float, (root.get("viewBox") or "").split())
    assert left == 0
    assert right < 900


def test_all_text_lies_inside_the_drawing() -> None:
    root = drawn(["a long name of a treebank"] * 3, ["another long name, yes"] * 4, [[0.7] * 4] * 3)
    width, height = float(root.get("width") or 0), float(root.get("height") or 0)
    for one in root.iter(f"{SVG}text"):
        assert 0 <= float(one.get("x") or -1) <= width
        assert 0 <= float(one.get("y") or -1) <= height
