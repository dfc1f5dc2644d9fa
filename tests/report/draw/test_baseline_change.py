"""Changes since an earlier result: newly right to the right, newly wrong to the left, to one scale."""

from __future__ import annotations

import pytest

from drawn_svg import SVG, group, parsed, spread, texts
from karat.report.draw.baseline_change import ChangedLabel, baseline_change

ROWS = [ChangedLabel("NOUN", 40, 10, 123), ChangedLabel("VERB", 0, 20, 7), ChangedLabel("X", 0, 0, 0)]


def test_bars_go_to_both_sides_of_one_line_to_one_scale() -> None:
    root = parsed(baseline_change(ROWS, what="UPOS of ada").svg)
    noun, verb = group(root, "NOUN: "), group(root, "VERB: ")
    right = spread(noun.findall(f"{SVG}polygon")[0])
    wrong = [spread(one.findall(f"{SVG}polyline")[0]) for one in (noun, verb)]
    assert wrong[0][1] == wrong[1][1] == right[0]  # they meet in the middle
    widths = [right[1] - right[0], *(one[1] - one[0] for one in wrong)]
    assert widths == pytest.approx([widths[0], widths[0] / 4, widths[0] / 2], abs=0.2)
    assert verb.findall(f"{SVG}polygon") == []
    assert noun.findall(f"{SVG}path") != []  # hatched


def test_numbers_and_the_net_gain_stand_beside() -> None:
    drawn = baseline_change(ROWS, what="UPOS of ada", baseline="old.json")
    shown = texts(parsed(drawn.svg))
    assert [one for one in shown if one in {"+30", "−20", "0"}] == ["+30", "0", "−20", "0", "0", "0", "0"]
    assert {"123", "7", "40", "10", "20", "newly right: wrong in old.json, right now"} <= {*shown}
    assert drawn.title == "UPOS of ada compared with old.json: 40 words newly right, 30 newly wrong"
    assert [list(row) for row in drawn.table.rows] == [
        ["NOUN", 40, 10, 30, 123],
        ["VERB", 0, 20, -20, 7],
        ["X", 0, 0, 0, 0],
    ]
