"""The parts of drawings: text that fits, hatching that stays inside, words that do no harm."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from drawn_svg import points
from karat.report.draw.svg import (
    COLOURS,
    DARK,
    Frame,
    drawing,
    fitted,
    fitted_name,
    fitted_names,
    hatching,
    label,
    mark,
    shown_number,
    signed,
    text_width,
    ticks,
    titled,
    wrapped,
)

NUMBERS = st.floats(-500, 500, allow_subnormal=False)
SIZES = st.floats(0.5, 300)


@given(NUMBERS, NUMBERS, SIZES, SIZES, st.booleans())
def test_hatching_stays_in_its_rectangle_and_leans_by_45_degrees(
    x: float, y: float, width: float, height: float, down: bool
) -> None:
    if not (drawn := hatching(x, y, width, height, COLOURS[0], down=down)):
        assert width + height < 12  # so small that no line need cross it
        return
    ends = points(ET.fromstring(drawn))
    for at_x, at_y in ends:
        assert x - 0.06 <= at_x <= x + width + 0.06
        assert y - 0.06 <= at_y <= y + height + 0.06
    for (x_1, y_1), (x_2, y_2) in zip(ends[::2], ends[1::2], strict=True):
        assert (x_2 - x_1) == pytest.approx((y_2 - y_1) * (1 if down else -1), abs=0.21)


def test_hatching_is_dense() -> None:
    lines = points(ET.fromstring(hatching(10, 10, 100, 50, COLOURS[0], gap=5)))
    assert len(lines) / 2 == pytest.approx(150 / 5, abs=1)


@given(st.text(max_size=200), st.floats(20, 400))
def test_fitted_text_is_not_wider_than_its_room(text: str, room: float) -> None:
    for shown in (fitted(text, room), fitted_name(text, room), *wrapped(text, room)):
        assert text_width(shown) <= room
        assert shown.isprintable()


@given(st.lists(st.text(st.characters(categories=["Ll"]), min_size=1, max_size=8), max_size=30))
def test_wrapping_keeps_all_words_that_fit(words: list[str]) -> None:
    assert " ".join(wrapped(" ".join(words), 200)).split() == words


@given(st.text())
def test_any_words_are_well_formed_and_come_back_without_what_is_harmful(text: str) -> None:
    root = ET.fromstring(drawing(10, 10, text, [titled(text, label(1, 1, text))]).encode())
    (shown,) = root.iter("{http://www.w3.org/2000/svg}text")
    whole = "".join(one if one.isprintable() else " " * one.isspace() for one in text)
    assert (shown.text or "") == (whole if len(whole) <= 90 else whole[:89] + "…")


@pytest.mark.parametrize(
    "form", ["{} of many systems with long names", "a system with a long name, {}", "models/run {} of/all of them"]
)
def test_names_are_cut_where_they_can_be_told_apart(form: str) -> None:
    names = [form.format(number) for number in range(40)]
    shown = fitted_names(names, 150)
    assert len({*shown}) == 40
    assert all("…" in one and text_width(one) <= 150 for one in shown)
    assert fitted_names(["ada", "bix"], 150) == ["ada", "bix"]


def test_marks_of_24_series_differ() -> None:
    assert len({mark(number, 0, 0) for number in range(24)}) == 24
    shapes = {re.sub("#[0-9a-f]+", "", mark(number, 0, 0)) for number in range(4)}
    assert len(shapes) == 4  # without colours too


def test_dark_colours_stand_out_against_dark_paper() -> None:
    def light(colour: str) -> float:
        digits = colour[1:] if len(colour) == 7 else "".join(2 * one for one in colour[1:])
        parts = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
        red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    def contrast(one: str, other: str) -> float:
        lights = sorted([light(one), light(other)])
        return (lights[1] + 0.05) / (lights[0] + 0.05)

    for colour in COLOURS:
        assert contrast(DARK[colour], DARK["#fff"]) >= 3  # as WCAG 2.1 asks of graphics
    assert contrast(DARK["#333"], DARK["#fff"]) >= 7


def test_numbers_of_axes() -> None:
    assert [shown_number(one) for one in (0.0, 0.25, -3.0, 12000.0)] == ["0", "0.25", "−3", "12,000"]
    assert [signed(one) for one in (0.004, -0.006, 1234.5)] == ["0.00", "−0.01", "+1,234.50"]


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6))
def test_numbers_on_the_x_axis_are_inside_and_do_not_touch(low: float, span: float) -> None:
    frame = Frame(low, low + span, 0, 1)
    found = [
        (float(x), text)
        for x, text in re.findall(
            r'<text x="([-\d.]+)" y="360" text-anchor="middle">([^<]*)<', "".join(frame.axes("", ""))
        )
    ]
    assert all(frame.left - 0.1 <= x <= frame.right + 0.1 for x, _ in found)
    for (x, text), (other_x, other) in pairwise(found):
        assert x + text_width(text) / 2 < other_x - text_width(other) / 2


def test_ticks_are_round() -> None:
    assert ticks(0, 1) == [0, 0.2, 0.4, 0.6, 0.8, 1.0]
