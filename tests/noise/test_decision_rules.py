"""Rules that decide which system is really better, and the rates that stand beside them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from karat.noise.decision_rules import (
    CHECK,
    KINDS,
    MOST_SHARED,
    NO_OVERLAP,
    OVERLAP,
    PROBABILITY,
    RATES,
    RULES,
    decided,
)
from karat.noise.from_numbers import noise_bounds
from karat.noise.priors import Better

DOCUMENT = Path(__file__).parents[2] / "docs" / "noise-coverage.md"


@pytest.mark.parametrize(
    ("ahead", "touch", "share", "probability", "said"),
    [
        (0.02, False, 0.0, Better(1.0, 1.0), (1, 1, 1)),
        (-0.02, False, 0.0, Better(0.0, 0.0), (-1, -1, -1)),
        (0.01, True, 0.39, Better(0.95, 1.0), (0, 1, 1)),
        (-0.01, True, 0.39, Better(0.05, 0.0), (0, -1, -1)),
        (0.01, True, MOST_SHARED, Better(0.94, 1.0), (0, 0, 0)),
        (0.01, True, 0.5, Better(1.0, 0.94), (0, 0, 0)),
        (-0.01, True, 0.5, Better(0.0, 0.06), (0, 0, 0)),
        (0.01, True, 0.0, None, (0, 1, 0)),  # intervals that share one point
        (0.0, True, 1.0, Better(0.5, 0.5), (0, 0, 0)),
    ],
)
def test_each_rule_by_hand(
    ahead: float, touch: bool, share: float, probability: Better | None, said: tuple[int, ...]
) -> None:
    found = decided(ahead, touch, share, probability)
    assert found == dict(zip((NO_OVERLAP, OVERLAP, PROBABILITY), said, strict=True))


def test_rules_of_a_pair_name_the_better_system() -> None:
    pair = noise_bounds({"a": 0.9135, "b": 0.9382}, 0.03, 2.5).pairs[0]
    assert pair.share is not None
    assert 0 < pair.share < MOST_SHARED
    assert pair.rules == {NO_OVERLAP: None, OVERLAP: "b", PROBABILITY: "b"}
    assert noise_bounds({"a": 0.9135, "b": 0.8}, 0.03, 2.5).pairs[0].rules == dict.fromkeys(pair.rules, "a")
    assert noise_bounds({"a": 0.9999, "b": 0.8}, 0.2, 2.5).pairs[0].rules == {}


def test_rates_of_verdicts_are_those_of_the_document() -> None:
    """The numbers that output shows are those that the benchmark wrote."""
    text = DOCUMENT.read_text(encoding="utf-8")
    assert "2,000 data sets" in text
    heads = re.search(r"^\| rule \| (.*) \|$", text, re.MULTILINE)
    assert heads is not None
    assert heads[1].split(" | ") == list(KINDS)
    for rule in RULES:
        row = re.search(rf"^\| {re.escape(rule)} \| (.*) \|$", text, re.MULTILINE)
        assert row is not None
        cells = [cell.split(", wrong ") for cell in row[1].split(" | ")]
        assert tuple((float(right), float(wrong)) for right, wrong in cells) == RATES[rule]
    assert set(RULES) == set(RATES) == {NO_OVERLAP, OVERLAP, PROBABILITY, CHECK}


def test_the_threshold_is_the_largest_whose_verdicts_are_wrong_in_at_most_5_percent() -> None:
    rows = re.findall(r"^\| (0\.\d\d) – (\d\.\d\d) \| ([\d.]+) \|$", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(rows) == 20
    assert max(float(high) for _, high, wrong in rows if float(wrong) <= 5) == MOST_SHARED
    assert [float(wrong) for *_, wrong in rows] == sorted(float(wrong) for *_, wrong in rows)
