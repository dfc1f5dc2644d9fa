"""Intervals of the real accuracy under a noisy gold keep their promises, or fail as they are said to fail."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

import noise_coverage

N_RUNS = 300
INTERVALS = [
    *(f"x: {name}" for name in noise_coverage.INTERVALS),
    *(f"Δ: {name}" for name in noise_coverage.DIFFERENCES),
]
CHECKS = ("x: check, C known", "x: check, C unknown", "Δ: check")


@pytest.fixture(scope="module")
def found() -> dict[str, list[noise_coverage.Run]]:
    return {kind.name: runs for kind, runs in noise_coverage.simulate(N_RUNS, os.cpu_count() or 1)}


def covered(runs: list[noise_coverage.Run], name: str) -> float:
    return float(np.mean([one.covers[INTERVALS.index(name)] for one in runs]))


def width(runs: list[noise_coverage.Run], name: str) -> float:
    return float(np.mean([one.widths[INTERVALS.index(name)] for one in runs]))


def wrong(runs: list[noise_coverage.Run], rule: str) -> float:
    return float(np.mean([one.verdicts[noise_coverage.RULES.index(rule)] < 0 for one in runs]))


@pytest.mark.slow
@pytest.mark.parametrize("kind", [kind.name for kind in noise_coverage.KINDS])
def test_checks_cover_and_are_narrow(found: dict[str, list[noise_coverage.Run]], kind: str) -> None:
    """95 % of 300 data sets within three standard errors; the document has 2,000, and there it is 93 to 97 %."""
    runs = found[kind]
    for name in CHECKS:
        assert 0.912 <= covered(runs, name) <= 0.988, name
    assert 3 * width(runs, "Δ: check") <= width(runs, "Δ: paper")
    assert wrong(runs, "check") <= 0.02


@pytest.mark.slow
def test_what_trusts_the_gold_fails_as_it_is_said_to(found: dict[str, list[noise_coverage.Run]]) -> None:
    assert covered(found["u < 1/a"], "x: paper") == covered(found["u < 1/a"], "x: Imbens–Manski") == 0
    assert 0.4 < covered(found["independent"], "x: paper") < 0.65
    assert covered(found["independent"], "x: naive") == covered(found["differential"], "Δ: naive") == 0
    assert wrong(found["differential"], "naive") == 1
    assert all(wrong(runs, "no overlap") == 0 for runs in found.values())
    assert wrong(found["differential"], "overlap share") > 0.2
