"""Errors of two systems: bars to scale that overlap by the errors of both."""

from __future__ import annotations

import pytest

from drawn_svg import SVG, parsed, spread, texts
from karat.report.draw.error_overlap import error_overlap


def test_the_bars_overlap_by_the_errors_of_both() -> None:
    root = parsed(error_overlap("ada", "bix", yy=100, yn=10, ny=30, nn=20).svg)
    parts: dict[str | None, list[tuple[float, float, float, float]]] = {}
    for one in root.iter(f"{SVG}g"):
        if shapes := one.findall(f"{SVG}polygon"):
            parts.setdefault(one.findtext(f"{SVG}title"), []).append(spread(shapes[0]))
    ((only_a,), both, (only_b,)) = (
        parts[words] for words in ("only ada wrong: 30 words", "both wrong: 20 words", "only bix wrong: 10 words")
    )
    widths = [right - left for left, right, _, _ in (only_a, *both, only_b)]
    assert widths == pytest.approx([widths[0], 2 / 3 * widths[0], 2 / 3 * widths[0], widths[0] / 3], abs=0.3)
    assert both[0][:2] == both[1][:2]  # below one another
    assert only_a[1] == both[0][0]
    assert only_b[0] == both[0][1]
    assert only_a[2:] == both[0][2:]  # in one bar
    assert only_b[2:] == both[1][2:]


def test_words_and_numbers() -> None:
    shown = " ".join(texts(parsed(error_overlap("ada", "bix", yy=100, yn=10, ny=30, nn=20, unit="brackets").svg)))
    for wanted in (
        "only ada wrong: 30 (50.0 % of errors)",
        "both wrong: 20 (33.3 % of errors)",
        "only bix wrong: 10 (16.7 % of errors)",
        "Of 160 brackets both systems have 100 right.",
        "40.0 % of ada's errors are bix's too; 66.7 % of bix's errors are ada's too.",
    ):
        assert wanted in shown


def test_what_one_has_alone_is_hatched_and_what_both_have_is_not() -> None:
    root = parsed(error_overlap("ada", "bix", yy=100, yn=10, ny=30, nn=20).svg)
    hatched = {
        one.findtext(f"{SVG}title"): bool(one.findall(f"{SVG}path"))
        for one in root.iter(f"{SVG}g")
        if one.findall(f"{SVG}polygon") and one.get("class") != "key"
    }
    assert hatched == {
        "only ada wrong: 30 words": True,
        "both wrong: 20 words": False,
        "only bix wrong: 10 words": True,
    }


@pytest.mark.parametrize("counts", [(5, 0, 0, 0), (0, 0, 0, 7), (5, 3, 0, 0), (0, 0, 0, 0)])
def test_nothing_of_a_kind_can_be_drawn(counts: tuple[int, int, int, int]) -> None:
    yy, yn, ny, nn = counts
    drawn = error_overlap("a", "b", yy=yy, yn=yn, ny=ny, nn=nn)
    parsed(drawn.svg)
    assert [row[1] for row in drawn.table.rows] == [ny, nn, yn, yy]
