"""Checks by people hold when people err, leave rows blank and look early; what was before did not."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

import judges_coverage
from noise_coverage import KINDS

pytestmark = pytest.mark.slow

N_RUNS, SEVERAL = 40, 24


def test_intervals_cover_whatever_the_judges_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two judges with 50 rows in common, wrong in 5 %: of 40 data sets each, 95 % within three standard errors."""
    judges = judges_coverage.JUDGES[1]
    cells = [(what, judges, 0.05) for what in judges_coverage.BUDGETS]
    monkeypatch.setattr("karat.noise.estimates_from_verdicts.N_DRAWS", judges_coverage.N_DRAWS)
    found = judges_coverage.judge_runs(KINDS[1], cells, range(N_RUNS))
    for (what, _, _), runs in zip(cells, found, strict=True):
        assert np.mean([one.now for one in runs]) >= 0.85, what
    unknown, known, _ = found
    assert np.mean([one.before for one in unknown]) < 0.3
    assert abs(np.mean([one.off for one in unknown])) < 0.012 < -np.mean([one.off_before for one in unknown])
    assert abs(np.mean([one.off for one in known])) < 0.0015


def test_looks_and_blanks_do_not_decide_and_enough_rows_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("karat.noise.estimates_from_verdicts.N_DRAWS", judges_coverage.N_DRAWS)
    found = judges_coverage.simulate_decisions(SEVERAL, os.cpu_count() or 1)
    for name, runs in found.items():
        now, before = (float(np.mean([getattr(one, when) for one in runs])) for when in ("now", "before"))
        if "looks" in name:
            assert now <= 0.22, name  # 6.5 % and three standard errors
        elif "blank" in name:
            assert now <= 0.2, name
            assert before > 0.15, name
        elif "plan says" in name:
            assert now >= 0.55, name
            assert before <= now, name
