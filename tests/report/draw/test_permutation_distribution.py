"""The permutation distribution: bars to scale, tails hatched from the observed difference on, p in words."""

from __future__ import annotations

import pytest

from drawn_svg import SVG, group, parsed, points, spread, texts, titles
from karat.report.draw.permutation_distribution import permutation_distribution
from karat.report.draw.svg import Drawing

EDGES = [-0.02, -0.01, 0.0, 0.01, 0.02]
PROBABILITIES = [0.1, 0.4, 0.4, 0.1]


def drawn(observed: float, p: float = 0.1) -> Drawing:
    return permutation_distribution(EDGES, PROBABILITIES, observed, p=p, measure="LAS", names=("ada", "bix"))


def test_bars_are_as_high_as_their_probability() -> None:
    root = parsed(drawn(0.015).svg)
    high, low = (
        spread(group(root, words).findall(f"{SVG}polygon")[0]) for words in ("−1.00 to 0.00", "−2.00 to −1.00")
    )
    assert (high[3] - high[2]) / (low[3] - low[2]) == pytest.approx(4, rel=0.01)
    assert high[0] == low[1]  # beside each other


@pytest.mark.parametrize("observed", [0.015, -0.015])
def test_tails_on_both_sides_are_hatched_from_the_observed_difference_on(observed: float) -> None:
    root = parsed(drawn(observed).svg)
    for words, tail_is_left in (("−2.00 to −1.00", True), ("+1.00 to +2.00", False)):
        one = group(root, words)
        bar, hatch = spread(one.findall(f"{SVG}polygon")[0]), spread(one.findall(f"{SVG}path")[0])
        middle = (bar[0] + bar[1]) / 2  # 1.5 is half-way through the bin
        expected = (bar[0], middle) if tail_is_left else (middle, bar[1])
        assert hatch[:2] == pytest.approx(expected, abs=0.2)
        assert hatch[2] >= bar[2] - 0.1
        assert hatch[3] <= bar[3] + 0.1
    assert group(root, "−1.00 to 0.00").findall(f"{SVG}path") == []


def test_the_observed_difference_is_a_line_with_its_number() -> None:
    root = parsed(drawn(-0.015).svg)
    line = group(root, "observed").findall(f"{SVG}polyline")[0]
    other = group(root, "as far from 0").findall(f"{SVG}polyline")[0]
    assert "observed −1.50" in texts(root)
    assert points(line)[0][0] < points(other)[0][0]
    assert (line.get("stroke-dasharray"), other.get("stroke-dasharray")) == (None, "5 4")


@pytest.mark.parametrize(
    ("p", "words"),
    [
        (0.031, "p = 0.031: "),
        (0.031, "3.1 % of the time."),
        (1.0, "always."),
        (1e-9, "p < 0.0001: "),
        (0.0, "10,000 times."),
    ],
)
def test_p_is_put_in_words(p: float, words: str) -> None:
    assert words in " ".join(texts(parsed(drawn(0.01, p).svg)))


def test_a_difference_beyond_all_bins_or_of_nothing_is_drawn() -> None:
    for observed in (0.5, -0.5, 0.0):
        root = parsed(drawn(observed).svg)
        width = float(root.get("width") or 0)
        (x, _), _ = points(group(root, "observed").findall(f"{SVG}polyline")[0])
        assert 0 < x < width
    assert not any(one.startswith("as far") for one in titles(parsed(drawn(0.0).svg)))


def test_the_table_has_the_bins() -> None:
    table = drawn(0.015).table
    assert [row[2] for row in table.rows] == PROBABILITIES
    assert [row[0] for row in table.rows] == pytest.approx([-2, -1, 0, 1])
    assert list(table.notes) == ["Observed difference +1.50, p = 0.1."]
