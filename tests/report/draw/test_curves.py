"""Curves: whiskers or bands where the intervals are, ranges below, a legend with marks and lines."""

from __future__ import annotations

import pytest

from drawn_svg import SVG, group, parsed, points, spread, texts, titles
from karat.report.draw.curves import Point, Series, curves

SERIES = [
    Series("ada", [Point(5, 90, 88, 93, "short"), Point(15, 80, 79, 81, "long")]),
    Series("bix", [Point(5, 91, None, None, "short"), Point(15, 70, None, None, "long")]),
]
AXES = ("words", "LAS (%)")


def test_whiskers_reach_from_lower_to_upper() -> None:
    root = parsed(curves(SERIES, title="t", axes=AXES, ends=(50.0, 100.0)).svg)
    one = group(root, "ada: short")
    _, _, top, bottom = spread(one.findall(f"{SVG}path")[0])
    ((_, y),) = points(one.findall(f"{SVG}circle")[0])
    assert (y - top, bottom - y) == pytest.approx((3 * 6, 2 * 6), abs=0.2)  # 300 high for 50 points
    assert group(root, "bix: short").findall(f"{SVG}path") == []


def test_bands_are_of_series_that_have_intervals() -> None:
    root = parsed(curves(SERIES, title="t", axes=AXES, ends=(50.0, 100.0), with_bands=True).svg)
    (band,) = group(root, "ada: intervals").findall(f"{SVG}polygon")
    assert sorted(y for _, y in points(band)) == pytest.approx([40 + 6 * (100 - end) for end in (93, 88, 81, 79)])
    assert not any("bix: intervals" in one for one in titles(root))
    assert group(root, "ada: short").findall(f"{SVG}path") == []


def test_ranges_stand_below_at_their_places() -> None:
    labels = [(5.0, "1–9"), (15.0, "10–19")]
    root = parsed(curves(SERIES, title="t", axes=AXES, x_labels=labels).svg)
    places = {one.text: float(one.get("x") or 0) for one in root.iter(f"{SVG}text")}
    assert places["1–9"] == points(group(root, "ada: short").findall(f"{SVG}circle")[0])[0][0]
    assert places["10–19"] == points(group(root, "ada: long").findall(f"{SVG}circle")[0])[0][0]


def test_more_ranges_than_there_is_room_for_are_left_out_evenly() -> None:
    many = [Point(n, 50, None, None, str(n)) for n in range(1, 61)]
    labels = [(float(n), f"{n * 1000:,}–{n * 1000 + 999:,}") for n in range(1, 61)]
    shown = texts(parsed(curves([Series("a", many)], title="t", axes=AXES, x_labels=labels).svg))
    left = [one for one in (text for _, text in labels) if one in shown]
    assert 2 <= len(left) < 10
    assert left[0] == labels[0][1]


def test_the_table_has_ends_where_there_are_any() -> None:
    table = curves(SERIES, title="t", axes=AXES).table
    assert list(table.columns) == ["series", "words", "LAS (%)", "lower", "upper"]
    assert [list(row) for row in table.rows][::2] == [["ada", 5, 90, 88, 93], ["bix", 5, 91, None, None]]
    assert len(curves(SERIES[1:], title="t", axes=AXES).table.columns) == 3
