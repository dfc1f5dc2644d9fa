"""Scores with intervals: dots and whiskers where the numbers are, in the order given."""

from __future__ import annotations

import pytest

from drawn_svg import SVG, group, parsed, points, spread, texts, titles
from karat.report.draw.score_intervals import ScoredSystem, score_intervals

SYSTEMS = [
    ScoredSystem("ada", 0.93, 0.92, 0.94, (1, 2), (0.90, 0.96)),
    ScoredSystem("bix", 0.91, 0.90, 0.92, (2, 2)),
    ScoredSystem("none", None),
]


def test_dots_and_whiskers_are_to_scale() -> None:
    root = parsed(score_intervals(SYSTEMS, measure="LAS").svg)
    middles, ends = [], []
    for name in ("ada: LAS 93.00 %", "bix: LAS 91.00 %"):
        one = group(root, name)
        (dot,), whisker = one.findall(f"{SVG}circle"), one.findall(f"{SVG}path")[0]
        middles.append(points(dot)[0])
        ends.append(spread(whisker)[:2])
    unit = (middles[0][0] - middles[1][0]) / 2  # of a percentage point
    assert unit > 10
    for (x, _), (low, high) in zip(middles, ends, strict=True):
        assert (x - low, high - x) == pytest.approx((unit, unit), abs=0.2)
    assert middles[0][1] < middles[1][1]  # the first above


def test_what_the_gold_allows_is_thinner_dashed_and_named() -> None:
    root = parsed(score_intervals(SYSTEMS, measure="LAS", bounds_words="given the gold's errors").svg)
    whisker, allowed = group(root, "ada: ").findall(f"{SVG}path")
    assert float(whisker.get("stroke-width") or 1) > float(allowed.get("stroke-width") or 1)
    assert (whisker.get("stroke-dasharray"), allowed.get("stroke-dasharray")) == (None, "5 4")
    assert spread(allowed)[0] < spread(whisker)[0] < spread(whisker)[1] < spread(allowed)[1]
    assert "given the gold's errors" in texts(root)
    assert len(group(root, "bix: ").findall(f"{SVG}path")) == 1
    without = parsed(score_intervals(SYSTEMS[1:], measure="LAS", bounds_words="given the gold's errors").svg)
    assert "given the gold's errors" not in texts(without)


def test_numbers_stand_beside_and_in_titles() -> None:
    root = parsed(score_intervals(SYSTEMS, measure="LAS", level=0.9).svg)
    shown = texts(root)
    wanted = ["ada", "93.00", "92.00 – 94.00", "1–2", "bix", "91.00", "90.00 – 92.00", "2", "none", "–", "90 % CI"]
    assert [one for one in wanted if one not in shown] == []
    allowed = "what errors in the gold allow: 90.00 to 96.00"
    assert f"ada: LAS 93.00 %, 90 % CI 92.00 to 94.00, rank 1–2, {allowed}" in titles(root)
    assert "none: LAS not known" in titles(root)


def test_columns_that_no_system_has_are_left_out() -> None:
    shown = texts(parsed(score_intervals([ScoredSystem("ada", 1234.5)], measure="PPL", percent=False).svg))
    assert "1234.50" in shown
    assert not {"rank", "95 % CI", "PPL (%)"} & {*shown}


def test_the_table_has_the_same_numbers() -> None:
    table = score_intervals(SYSTEMS, measure="LAS").table
    assert list(table.columns) == ["system", "LAS (%)", "lower", "upper", "rank", "least", "most"]
    assert [table.rows[0][place] for place in (1, 2, 3, 5, 6)] == pytest.approx([93, 92, 94, 90, 96])
    assert list(table.rows[2]) == ["none", None, None, None, None, None, None]


def test_a_link_leads_from_the_name_to_the_page_and_nowhere_else() -> None:
    root = parsed(score_intervals(SYSTEMS, measure="LAS", links={"ada": "#ada-1"}).svg)
    (link,) = root.iter(f"{SVG}a")
    assert link.get("href") == "#ada-1"
    assert texts(link) == ["ada"]
    for href in ("https://example.org", "javascript:alert(1)", '#a" onclick="x', "#"):
        with pytest.raises(ValueError, match="not a place in this page"):
            score_intervals(SYSTEMS, measure="LAS", links={"ada": href})


def test_equal_scores_and_scores_at_the_ends_can_be_drawn() -> None:
    for value in (0.0, 0.5, 1.0):
        root = parsed(score_intervals([ScoredSystem("a", value), ScoredSystem("b", value)], measure="LAS").svg)
        assert len(list(root.iter(f"{SVG}circle"))) == 2  # without intervals there is no legend


def test_long_names_are_cut_so_that_both_ends_are_left() -> None:
    name = "models/" + "x" * 70 + "/final-2"
    root = parsed(score_intervals([ScoredSystem(name, 0.5)], measure="LAS").svg)
    (shown,) = [one for one in texts(root) if "…" in one]
    assert shown.startswith("models/")
    assert shown.endswith("final-2")
    assert any(one.startswith(name) for one in titles(root))
