"""Intervals for people who look early, and how many rows settle it: from the definitions, and by simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from karat.noise.looking_early import always_valid_stretch, more_rows, watched_stretch


def half_width(t: float, rho: float, alpha: float) -> float:
    """Of the sequence, with variance 1 [Waudby-Smith et al. 2024, Theorem 2.2]."""
    return math.sqrt((t * rho**2 + 1) / (t**2 * rho**2) * math.log((t * rho**2 + 1) / alpha**2))


@given(st.integers(1, 500), st.integers(1, 500), st.sampled_from([0.9, 0.95, 0.99]))
def test_the_stretch_is_the_sequence_over_the_plain_interval(t: int, planned: int, level: float) -> None:
    """ρ minimises the width once all planned rows are judged: tried out on a fine grid."""
    from scipy.stats import norm

    planned = max(t, planned)
    alpha = 1 - level
    tried = np.geomspace(0.001, 10, 4000)
    rho = float(tried[np.argmin([half_width(planned, one, alpha) for one in tried])])
    plain = norm.ppf(1 - alpha / 2) / math.sqrt(t)
    assert always_valid_stretch(t, planned, level) == pytest.approx(half_width(t, rho, alpha) / plain, rel=1e-3)


def test_a_sequence_holds_at_all_times_at_once() -> None:
    """400 rows, looked at after each: the plain interval misses in a third of the runs, the sequence in few."""
    rng = np.random.default_rng(2024)
    times = np.arange(1, 401)
    means = rng.standard_normal((2000, 400)).cumsum(axis=1) / times
    plain = 1.96 / np.sqrt(times)
    stretch = np.array([always_valid_stretch(int(t), 400, 0.95) for t in times])
    assert (np.abs(means) > plain).any(axis=1).mean() > 0.3
    assert (np.abs(means) > plain * stretch).any(axis=1).mean() <= 0.05


@pytest.mark.parametrize(("n_planned", "n_all"), [(200, None), (200, 1400), (200, 250), (200, 200), (40, 40)])
def test_a_watched_interval_holds_at_all_looks_at_once(n_planned: int, n_all: int | None) -> None:
    """A look after every row, of a sample from so many tokens; the last of all tokens is known to be right."""
    rng = np.random.default_rng([2027, n_planned, n_all or 0])
    times = np.arange(1, n_planned + 1)
    values = rng.standard_normal((8000, n_all or n_planned))
    mean, deviation = (values.mean(axis=1), values.std(axis=1)) if n_all else (np.zeros(8000), np.ones(8000))
    errors = np.sqrt(1 / times - 1 / (n_all or math.inf))
    misses = np.abs(values[:, :n_planned].cumsum(axis=1) / times - mean[:, None]) / deviation[:, None]
    stretch = np.array([watched_stretch(int(n), n_planned, n_all or 10**9, 0.95) for n in times])
    looks = slice(n_planned - (n_planned == n_all))
    ever = (misses > 1.959964 * stretch * errors)[:, looks].any(axis=1).mean()
    assert ever <= 0.05
    assert ever >= 0.01  # not by being much too wide
    assert (misses > 1.959964 * errors)[:, looks].any(axis=1).mean() > 0.25


def test_watching_costs_a_seventh_of_the_width_at_the_end_of_the_plan() -> None:
    """The reflection principle: a Brownian motion is ever 2.2414 from 0 up to time 1 in 5 % of the cases."""
    from scipy.stats import norm

    assert watched_stretch(300, 300, 10**9, 0.95) == pytest.approx(norm.ppf(1 - 0.05 / 4) / norm.ppf(0.975), rel=1e-3)


@pytest.mark.parametrize(("value", "n_all"), [(0.5, None), (1.0, None), (1.5, None), (1.0, 700), (1.5, 300)])
def test_more_rows_settle_it_in_four_of_five_cases(value: float, n_all: int | None) -> None:
    """The standard error is 1 after 100 rows; of all, so many judged afresh have an estimate 2.8 of theirs from 0."""
    more = more_rows(value, 1.0, 100, n_all, 0.95)
    assert more is not None
    n, left = 100 + more, 0.0 if n_all is None else 1 / n_all
    error = math.sqrt((1 / n - left) / (1 / 100 - left))
    drawn = value + error * np.random.default_rng(3).standard_normal(200_000)
    assert (np.abs(drawn) > 1.959964 * error).mean() == pytest.approx(0.8, abs=0.015)


def test_what_cannot_be_settled_has_no_number() -> None:
    assert more_rows(0.0, 1.0, 100, None, 0.95) is None
    assert more_rows(1e-6, 1.0, 100, None, 0.95) is None
    assert more_rows(5.0, 1.0, 100, None, 0.95) == 0
    assert more_rows(1e-3, 1.0, 100, 150, 0.95) == 50  # all that there is
    assert more_rows(0.0, 0.0, 100, 100, 0.95) is None
    assert more_rows(0.0, 0.0, 0, 0, 0.95) is None
