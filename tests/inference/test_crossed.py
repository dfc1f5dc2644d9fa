"""Statistics over conditions that share corpora: against scipy, by hand, and in simulation."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from karat.inference.crossed import (
    correlation_interval,
    over_members,
    ratio_interval,
    share_of_pairs,
    shared_ranks,
    spearman,
)
from karat.inference.wilson import wilson

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

from crossed_coverage import DESIGNS, coverage

PAIRS = [(a, b) for a in "abcd" for b in "abcde"]
numbers = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=25)


@given(numbers)
def test_spearman_is_that_of_scipy_ties_included(points: list[tuple[int, int]]) -> None:
    x, y = np.array(points, dtype=np.float64).T
    found = spearman(x, y)
    if len({*x}) == 1 or len({*y}) == 1:
        assert math.isnan(found)
    else:
        assert found == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-12)
    assert shared_ranks(x).tolist() == stats.rankdata(x).tolist()


def test_a_member_is_left_out_on_both_sides() -> None:
    values = np.arange(20.0)
    error, df = over_members(lambda keep: float(values[keep].mean()), PAIRS) or (0.0, 0)
    seen = [fmean(v for v, pair in zip(values, PAIRS, strict=True) if member not in pair) for member in "abcde"]
    wanted = math.sqrt(4 / 5 * sum((one - fmean(seen)) ** 2 for one in seen))
    assert error == pytest.approx(wanted)
    assert df == 4


def test_too_few_members_have_no_interval() -> None:
    pairs = [(a, b) for a in "ab" for b in "abc"]
    x = np.arange(6.0)
    assert over_members(lambda keep: float(keep.sum()), pairs) is None
    assert correlation_interval(x, x[::-1], pairs, 0.95) is None
    assert ratio_interval(x, x + 1, pairs, 0.95) is None


def test_what_is_undefined_without_a_member_has_no_interval() -> None:
    x = np.arange(20.0)
    assert correlation_interval(x, x, PAIRS, 0.95) is None  # always 1
    assert correlation_interval(x, np.ones(20), PAIRS, 0.95) is None
    assert ratio_interval(np.zeros(20), np.ones(20), PAIRS, 0.95) is None


def test_intervals_hold_what_was_found() -> None:
    random = np.random.default_rng(5)
    x, y = random.normal(size=(2, 20))
    lower, upper = correlation_interval(x, y, PAIRS, 0.95) or (1, -1)
    assert -1 < lower < spearman(x, y) < upper < 1
    top, bottom = random.integers(1, 5, 20).astype(float), np.full(20, 9.0)
    lower, upper = ratio_interval(top, bottom, PAIRS, 0.95) or (1, 0)
    assert 0 < lower < top.sum() / bottom.sum() < upper < 1


def test_pairs_that_agree_are_worth_as_many_as_there_are_members() -> None:
    assert share_of_pairs(np.zeros(20, dtype=bool), PAIRS, 0.95) == (wilson(0.0, 5), 5)
    assert share_of_pairs(np.zeros(0, dtype=bool), [], 0.95) is None


def test_pairs_that_go_with_their_members_are_worth_fewer() -> None:
    alternating = np.array([(i // 5 + i) % 2 == 0 for i in range(20)])
    of_train = np.array([a in "ab" for a, _ in PAIRS])
    (_, apart), (ends, together) = (share_of_pairs(one, PAIRS, 0.95) or ((0, 1), 0) for one in (alternating, of_train))
    assert together < apart <= 20
    assert ends == wilson(0.5, together)


@pytest.mark.slow
@pytest.mark.parametrize("design", DESIGNS)
def test_intervals_cover_the_truth_in_simulation(design: str) -> None:
    """They are meant for 95 %, and are rather too wide: pairs vary by themselves too."""
    found = coverage(DESIGNS[design], n_trials=300, seed=3)
    assert min(one.correlation for one in found) >= 0.93
    assert min(one.share for one in found) >= 0.92
