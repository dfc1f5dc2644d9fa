"""A realistic case of sense tagging: systems one point apart are hardly ever ranked the wrong way round."""

from __future__ import annotations

from pathlib import Path

import pytest

import karat
from simulated_senses import sense_task

LEVEL = 0.05


def compared(folder: Path, seed: int) -> karat.Compared:
    task = sense_task(folder, seed)
    options = karat.HierarchyOptions(task.hierarchy)
    inference = karat.InferenceOptions(n_resamples=1000, seed=seed)
    systems = {path.stem: path for path in task.systems}
    return karat.compare(task.gold, systems, hierarchy=options, measures="hierarchical", inference=inference)


@pytest.mark.slow
def test_a_wrong_order_is_declared_no_more_often_than_the_level_says(tmp_path: Path) -> None:
    n_seeds = 100
    n_wrong = n_right = 0
    for seed in range(n_seeds):
        pairs = compared(tmp_path, seed).pairs  # the first of each pair is the better one
        told = [pair for pair in pairs if pair.p_adjusted is not None and pair.p_adjusted < LEVEL]
        n_wrong += any(pair.difference > 0 for pair in told)
        n_right += any(pair.difference < 0 for pair in told)
    assert n_wrong <= LEVEL * n_seeds
    assert n_right > n_wrong  # or the test could not fail


def test_the_simulated_systems_are_as_good_as_they_should_be(tmp_path: Path) -> None:
    """With many types, so that what a system has for each type on its own comes out in the wash."""
    task = sense_task(tmp_path, 7, n_types=3000)
    scores = karat.score(
        task.gold, {path.stem: path for path in task.systems}, hierarchy=karat.HierarchyOptions(task.hierarchy),
        intervals=False,
    )  # fmt: skip
    found = [one["hierarchical"].value for one in scores.systems]
    assert found == pytest.approx([0.72, 0.71, 0.70], abs=0.006)
    assert [one["exact"].value < one["hierarchical"].value + 0.1 for one in scores.systems] == [True] * 3
