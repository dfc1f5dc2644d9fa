"""What holds for every drawing: safe in a page and in a file, readable by all, with its numbers as a table."""

from __future__ import annotations

import math
import re
from itertools import combinations

import pytest

from drawn_svg import SHAPES, SVG, ancestors, overlap, parsed, text_boxes
from every_drawing import EVERY_DRAWING, EVERY_NAMES
from karat.report.draw.svg import COLOURS, DARK, GRID, INK, MUTED, PAPER, Drawing, safe_stem

CASES = [(drawing, names) for drawing in EVERY_DRAWING for names in EVERY_NAMES]
NEUTRAL = {INK, GRID, MUTED, PAPER, "none", None}


@pytest.fixture(scope="module", params=CASES, ids=lambda case: f"{case[0]}, {case[1]}")
def drawn(request: pytest.FixtureRequest) -> Drawing:
    drawing, names = request.param
    return EVERY_DRAWING[drawing](EVERY_NAMES[names])


def test_it_is_well_formed_and_cannot_run_anything(drawn: Drawing) -> None:
    root = parsed(drawn.svg)
    assert root.tag == f"{SVG}svg"
    has_links = any(one.tag == f"{SVG}a" for one in root.iter())
    assert (root.get("class"), root.get("role")) == ("drawing", "group" if has_links else "img")
    tags = {one.tag.removeprefix(SVG) for one in root.iter()}
    assert tags <= {"svg", "title", "g", "a", "rect", "text", "path", "polyline", "polygon", "circle"}
    for one in root.iter():
        names = {name.lower() for name in one.attrib}
        assert not names & {"style", "id", "href" if one.tag != f"{SVG}a" else "", "src"}
        assert not any(name.startswith(("on", "{")) for name in names)
        assert (one.get("href") or "#").startswith("#")
    assert "url(" not in drawn.svg
    assert not re.search("[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", drawn.svg)


def test_it_has_palette_colours_only_and_text_has_none(drawn: Drawing) -> None:
    root = parsed(drawn.svg)
    used = {one.get(name) for one in root.iter() for name in ("fill", "stroke")} - {None, "none"}
    assert used <= {INK, GRID, MUTED, PAPER, *COLOURS}
    assert used <= {*DARK}
    assert not any(one.get("fill") or one.get("font-size") for one in root.iter(f"{SVG}text"))


def test_every_mark_says_what_it_is(drawn: Drawing) -> None:
    """A shape in a colour lies in a group with a title, or in a legend beside its words."""
    for one, above in ancestors(parsed(drawn.svg)):
        if one.tag in SHAPES and {one.get("fill"), one.get("stroke")} - NEUTRAL:
            is_titled = any(outer.tag == f"{SVG}g" and outer.findtext(f"{SVG}title") for outer in above)
            is_key = any(outer.get("class") == "key" and next(outer.iter(f"{SVG}text")) is not None for outer in above)
            assert is_titled or is_key
    for one in parsed(drawn.svg).iter(f"{SVG}title"):
        assert 0 < len(one.text or "") <= 300


def test_text_lies_inside_and_not_on_other_text(drawn: Drawing) -> None:
    root = parsed(drawn.svg)
    left, top, width, height = map(float, (root.get("viewBox") or "").split())
    assert (left, top) == (0, 0)
    boxes = [(text, corners) for text, corners in text_boxes(root) if text.strip()]
    for text, corners in boxes:
        assert all(-0.5 <= x <= width + 0.5 and -0.5 <= y <= height + 0.5 for x, y in corners), (text, corners)
    for (text, one), (other_text, other) in combinations(boxes, 2):
        assert not overlap(one, other), (text, other_text)


def test_shapes_lie_inside(drawn: Drawing) -> None:
    root = parsed(drawn.svg)
    width, height = (float(root.get(name) or 0) for name in ("width", "height"))
    for one in root.iter():
        if one.tag in SHAPES and (one.get("points") or one.get("d")):
            numbers = [float(number) for number in re.findall(r"-?[\d.]+", one.get("points") or one.get("d") or "")]
            assert all(-0.5 <= x <= width + 0.5 for x in numbers[::2])
            assert all(-0.5 <= y <= height + 0.5 for y in numbers[1::2])


def test_it_has_a_name_a_title_and_a_table(drawn: Drawing) -> None:
    assert drawn.name == safe_stem(drawn.name)
    assert drawn.title.strip()
    assert parsed(drawn.svg).findtext(f"{SVG}title")
    assert drawn.table.rows
    assert all(len(row) == len(drawn.table.columns) for row in drawn.table.rows)
    for row in drawn.table.rows:
        assert not any(isinstance(cell, float) and not math.isfinite(cell) for cell in row)


def test_numbers_are_compact(drawn: Drawing) -> None:
    numbers = re.findall(r' (?:points|d|x|y|cx|cy)="([^"]*)"', drawn.svg)
    assert not re.search(r"\d\.\d\d|\.0\b", " ".join(numbers))


def test_every_colour_has_a_dark_one_and_no_two_the_same() -> None:
    assert set(DARK) == {INK, GRID, MUTED, PAPER, *COLOURS}
    assert len(set(DARK.values())) == len(DARK)
