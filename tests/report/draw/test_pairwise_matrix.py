"""The matrix of differences: row − column, a symbol for each verdict, both ways."""

from __future__ import annotations

import pytest

from drawn_svg import SVG, group, parsed, texts, titles
from karat.report.draw.pairwise_matrix import PairDifference, PairVerdict, pairwise_matrix

PAIRS = [
    PairDifference("ada", "bix", 0.0123, "better", 0.00001, 0.005, 0.02),
    PairDifference("ada", "cor", 0.0004, "unclear", 0.61),
    PairDifference("bix", "cor", -0.0001, "equivalent"),
]
NAMES = ["ada", "bix", "cor"]


def test_a_pair_given_one_way_is_shown_both_ways() -> None:
    root = parsed(pairwise_matrix(NAMES, PAIRS, measure="LAS").svg)
    cells = [one for one in texts(root) if one[:2] in ("▲ ", "▼ ", "· ", "≈ ")]
    assert cells == ["▲ +1.23", "· +0.04", "▼ −1.23", "≈ −0.01", "· −0.04", "≈ +0.01"]
    said = titles(root)
    assert "ada − bix: +1.23, 95 % CI +0.50 to +2.00, p < 0.0001, the row's system is better" in said
    assert "bix − ada: −1.23, 95 % CI −2.00 to −0.50, p < 0.0001, the row's system is worse" in said
    assert "ada − cor: +0.04, p = 0.61, no clear winner" in said


def test_verdicts_differ_in_symbol_and_in_what_is_behind_it() -> None:
    root = parsed(pairwise_matrix(NAMES, PAIRS, measure="LAS").svg)

    def ground(words: str) -> list[tuple[str, str | None]]:
        return [(one.tag.removeprefix(SVG), one.get("fill") or one.get("stroke")) for one in group(root, words)[1:-1]]

    grounds = [ground(words) for words in ("ada − bix", "bix − ada", "ada − cor", "bix − cor")]
    assert len({tuple(one) for one in grounds}) == 4


def test_a_difference_of_nothing_has_no_sign() -> None:
    pair = PairDifference("a", "b", -0.0000001, "unclear")
    assert "· 0.00" in texts(parsed(pairwise_matrix(["a", "b"], [pair], measure="LAS").svg))


def test_the_legend_names_what_occurs_and_no_more() -> None:
    shown = texts(parsed(pairwise_matrix(["ada", "cor"], [PAIRS[1]], measure="LAS").svg))
    assert "no clear winner" in shown
    assert not any("better" in one for one in shown)


def test_many_systems_have_symbols_in_cells_and_numbers_in_titles() -> None:
    names = [f"s{number}" for number in range(20)]
    root = parsed(pairwise_matrix(names, [PairDifference("s0", "s1", 0.01, "better", 0.02)], measure="LAS").svg)
    assert [one for one in texts(root) if one in "▲▼"] == ["▲", "▼", "▲", "▼"]  # two cells, two keys
    assert "s0 − s1: +1.00, p = 0.02, the row's system is better" in titles(root)
    assert "s2 − s3: not compared" in titles(root)


def test_the_table_has_each_pair_once() -> None:
    table = pairwise_matrix(NAMES, PAIRS, measure="LAS").table
    assert [row[:2] for row in table.rows] == [["ada", "bix"], ["ada", "cor"], ["bix", "cor"]]
    *numbers, verdict = table.rows[0][2:]
    assert numbers == pytest.approx([1.23, 0.5, 2.0, 0.00001])
    assert verdict == "better"


@pytest.mark.parametrize(
    ("verdict", "other"),
    [("better", "worse"), ("worse", "better"), ("unclear", "unclear"), ("equivalent", "equivalent")],
)
def test_a_pair_the_other_way_round(verdict: PairVerdict, other: PairVerdict) -> None:
    pair = PairDifference("a", "b", 0.5, verdict, 0.1, 0.2, 0.7)
    assert pair.other_way() == PairDifference("b", "a", -0.5, other, 0.1, -0.7, -0.2)
    assert pair.other_way().other_way() == pair
