"""The defaults keep their promises on simulated data: type-I errors and coverage in six cells, of many in the docs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

import calibration
from designs import every_design


@pytest.mark.slow
@pytest.mark.parametrize("setting", calibration.IN_CI, ids=lambda setting: setting.name)
def test_defaults_keep_their_level_and_their_coverage(setting: calibration.Setting) -> None:
    n_data_sets = 2000
    assert calibration.failures(setting, calibration.rates(setting, n_data_sets), n_data_sets) == []


DESIGNS = list(every_design())
N_OF_DESIGN = 300


@pytest.mark.slow
@pytest.mark.parametrize("number", [n for n, one in enumerate(DESIGNS) if one.in_ci], ids=lambda n: DESIGNS[n].cell)
def test_what_could_break_it_does_not(number: int) -> None:
    found = calibration.figures(number, N_OF_DESIGN)
    assert calibration.broken(DESIGNS[number], found, slack=3) == []


@pytest.mark.slow
def test_what_was_before_would_have_been_broken() -> None:
    """The designs are hard enough to tell: sentences resampled where there are four documents do not cover."""
    number = next(n for n, one in enumerate(DESIGNS) if one.cell == "4 documents")
    found = calibration.figures(number, N_OF_DESIGN)
    was = {what.removeprefix("before: "): figure for what, figure in found.items() if what.startswith("before: ")}
    assert len(calibration.broken(DESIGNS[number], found | was, slack=3)) == 3


@pytest.mark.slow
def test_a_test_that_ignores_clusters_would_fail() -> None:
    """The simulation is hard enough to tell: McNemar's test on the same data rejects far too often."""
    found = calibration.rates(calibration.Setting(50, 3.0), 300)
    assert found["recall", "McNemar"] > 0.12
    assert calibration.failures(
        calibration.Setting(50, 3.0), {**found, ("recall", "default"): found["recall", "McNemar"]}, 300
    )


def test_the_simulation_has_the_design_effect_it_promises() -> None:
    import numpy as np

    rng = np.random.default_rng(1)
    for wanted in (1.0, 1.8, 3.0):
        data = calibration.simulated(rng, calibration.Setting(40_000, wanted))
        words, right = data.a[:, 0], data.a[:, 2]
        share = right.sum() / words.sum()
        found = ((right - share * words) ** 2).sum() / (words.sum() * share * (1 - share))
        assert found == pytest.approx(wanted, rel=0.08)
