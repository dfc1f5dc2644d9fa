"""Judges who stop at "enough" have a right verdict, and an interval that holds, about as often as promised."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

import review_coverage

pytestmark = pytest.mark.slow

N_RUNS = 20


@pytest.mark.parametrize("number", [0, 1, 3])
def test_intervals_hold_and_verdicts_are_right_when_judges_stop(number: int) -> None:
    """Of 20 corpora, 95 % within three standard errors."""
    design = review_coverage.DESIGNS[number]
    runs = [review_coverage.one_run(design, seed) for seed in range(1000, 1000 + N_RUNS)]
    assert np.mean([one.covers for one in runs]) >= 0.8
    assert np.mean([one.verdict == -1 for one in runs]) <= 0.2
    if not design.is_equal:
        assert any(one.is_early and one.verdict == 1 for one in runs)


def test_intervals_of_shares_hold_at_all_looks_unless_judges_err() -> None:
    (ever, _, _), (with_errors, _, _) = (review_coverage.share_misses(0.03, error, 200) for error in (0.0, 0.05))
    assert ever <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 200)
    assert with_errors > 0.5  # what the page says: if judges do not err
