"""Errors planted into EWT are found sooner by karat's order than by length or by majority; docs/planted-errors.md."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from karat.gold.repeats.suspicious import suspicious_repeats
from realdata import data

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "benchmarks"))

import planted_errors

ROWS = np.array([500, 1000, 2000])
SEEDS = range(4001, 4006)  # the score was chosen on others


@pytest.fixture(scope="module")
def ground() -> planted_errors.Planting:
    data("ud-2.3/UD_English-EWT/en_ewt-ud-train.conllu")
    return planted_errors.planting()


@pytest.mark.parametrize("kind", planted_errors.KINDS)
def test_the_first_rows_hold_at_least_as_many_errors_as_by_length_or_by_majority(
    ground: planted_errors.Planting, kind: str
) -> None:
    found = planted_errors.curves_of_seeds(ground, kind, SEEDS)
    recall = {name: values[:, ROWS - 1, 0].mean(axis=0) for name, values in found.items()}
    assert np.all(recall["karat"] >= recall["length"] - 1e-12)
    assert np.all(recall["karat"] >= recall["majority"] - 1e-12)
    assert recall["karat"][0] > recall["length"][0] + 0.08  # at 500 there is a difference to make: 12 points or more
    assert recall["karat"][0] > recall["majority"][0] + 0.35


def test_errors_are_planted_where_they_are_said_to_be(ground: planted_errors.Planting) -> None:
    with_errors, places = planted_errors.planted(ground, "any", np.random.default_rng(0))
    changed = np.flatnonzero(with_errors.codes != ground.labels.codes)
    assert changed.tolist() == sorted(places.tolist())
    assert len(changed) == planted_errors.N_PLANTED
    assert np.isin(changed, ground.candidates).all()


def test_an_order_that_is_random_holds_far_fewer_errors(ground: planted_errors.Planting) -> None:
    """The task is hard enough to tell orders apart: 500 rows in any order have less than half of the errors."""
    with_errors, errors = planted_errors.planted(ground, "any", np.random.default_rng(1))
    found = suspicious_repeats(ground.repeats, with_errors)
    rows = planted_errors.held(found, errors)
    first = np.random.default_rng(2).permutation(len(found))[:500]
    assert len(set(np.concatenate([rows[row] for row in first.tolist()]).tolist())) < 250
