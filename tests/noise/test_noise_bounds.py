"""Bounds of the real accuracy under a noisy gold: the paper's numbers, and brute force over all that is possible."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from karat.errors import UsageError
from karat.noise.bounds import (
    checked_noise,
    envelope,
    evaluation_table,
    free_bounds,
    free_p_bounds,
    infeasible,
    least_p,
    p_bounds,
    reasonable_bounds,
    t_bounds,
    u_bounds,
)

# ---- the paper's numbers ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("p", "first", "second"),
    [
        (2 / 3, (0.9135, 0.9405), (0.9282, 0.9560)),  # the column headed 1/a = 0.4 was computed with 1/(a − 1)
        (1.0, (0.9075, 0.9399), (0.9222, 0.9555)),
        (0.4, (0.9183, 0.9410), (0.9330, 0.9564)),  # what 0.4 would have given
    ],
)
def test_the_paper_s_intervals_come_out(p: float, first: tuple[float, float], second: tuple[float, float]) -> None:
    found = reasonable_bounds([0.9135, 0.9282], 0.03, 2.5, p)
    assert found.lower == pytest.approx([first[0], second[0]], abs=5.01e-5)
    assert found.upper == pytest.approx([first[1], second[1]], abs=5.01e-5)


def test_the_paper_s_worked_examples_come_out() -> None:
    found = free_bounds(0.93, 0.03, [0.0, 1.0])
    assert found.lower == pytest.approx([0.93, 0.90])
    assert found.upper == pytest.approx([0.96, 0.96])
    of_t = t_bounds(0.93, 0.03)
    assert (round(float(of_t.lower), 3), round(float(of_t.upper), 3)) == (0.928, 0.959)


def test_p_has_the_range_of_equation_4() -> None:
    """max{0, (K + C − 1)/C}: nothing at K ≤ 1 − C, (0.98 + 0.03 − 1)/0.03 = 1/3 at K = 0.98."""
    found = free_p_bounds([0.9135, 0.97, 0.98, 1.0], 0.03)
    assert found.lower == pytest.approx([0, 0, 1 / 3, 1])
    assert found.upper.tolist() == [1, 1, 1, 1]
    assert free_p_bounds(1.0, 0.03).lower == 1  # and not 1.0000000000000009
    without = free_p_bounds(0.9, 0.0)
    assert (float(without.lower), float(without.upper)) == (0, 1)


def test_the_notes_closed_forms_of_the_envelope_hold() -> None:
    k, c, a = 0.9135, 0.03, 2.5
    found = envelope(k, c, a)
    assert found.lower == pytest.approx(max(k - c * (1 - 2 / a), 1 / a))
    assert found.upper == pytest.approx(reasonable_bounds(k, c, a, 1 / (a - 1)).upper)
    above = envelope(0.98, c, a)  # K > 1 − C
    assert above.lower == pytest.approx(0.98 - c + 2 * c / a)
    assert above.upper == pytest.approx(2 - 0.98 - c)


# ---- brute force -----------------------------------------------------------------------------------------------------


def possible(k: float, c: float, p: float, lowest: float, *, up_to_t: bool, n: int = 4000) -> list[float]:
    """The x of all u on a fine grid for which t is a probability (and, if wanted, at least u)."""
    found = []
    for step in range(n + 1):
        u = lowest + (1 - lowest) * step / n
        t = (k - c * (1 - u) * p) / (1 - c)
        if -1e-12 <= t <= 1 + 1e-12 and (not up_to_t or u <= t + 1e-12):
            found.append((1 - c) * t + c * u)
    return found


def assert_as_tried(lower: float, upper: float, tried: list[float], width: float) -> None:
    """The bounds are the ends of what was tried, but for the grid's step."""
    if not tried:
        assert np.isnan(lower) or upper - lower <= 3 * width
        return
    assert not np.isnan(lower)
    assert lower - 1e-9 <= min(tried) <= lower + width
    assert upper - width <= max(tried) <= upper + 1e-9


@settings(max_examples=300, deadline=None)
@given(k=st.floats(0, 1), c=st.floats(0.001, 0.95), p=st.floats(0.001, 1))
def test_free_bounds_are_the_ends_of_all_that_is_possible(k: float, c: float, p: float) -> None:
    found = free_bounds(k, c, p)
    assert_as_tried(float(found.lower), float(found.upper), possible(k, c, p, 0.0, up_to_t=False), 2 * c / 4000 + 1e-9)


@settings(max_examples=300, deadline=None)
@given(k=st.floats(0, 1), c=st.floats(0.001, 0.95), a=st.floats(2, 9), p=st.floats(0.001, 1))
def test_reasonable_bounds_are_the_ends_of_all_that_is_reasonable(k: float, c: float, a: float, p: float) -> None:
    found = reasonable_bounds(k, c, a, p)
    tried = possible(k, c, p, 1 / a, up_to_t=True)
    assert_as_tried(float(found.lower), float(found.upper), tried, 2 * c / 4000 + 1e-9)


@settings(max_examples=100, deadline=None)
@given(k=st.floats(0, 1), c=st.floats(0.01, 0.95))
def test_p_lies_in_its_range_whatever_t_and_u_are(k: float, c: float) -> None:
    """All t and u on a grid, and the p that eq. 2 then leaves."""
    tried = []
    for t in np.linspace(0, 1, 201).tolist():
        for u in np.linspace(0, 0.995, 200).tolist():
            p = (k - t * (1 - c)) / (c * (1 - u))
            tried += [p] if 0 <= p <= 1 else []
    found = free_p_bounds(k, c)
    assert all(float(found.lower) - 1e-9 <= p <= float(found.upper) for p in tried)
    if tried:  # a step of t is one of (1 − C)/200C in p
        assert min(tried) <= float(found.lower) + (1 - c) / (200 * c) + 1e-9


def test_thousands_of_random_cases_in_all_regimes_are_as_tried() -> None:
    rng = np.random.default_rng(5)
    n, m = 6000, 801
    k = np.where(rng.random(n) < 0.7, rng.uniform(0.8, 1, n), rng.random(n))
    c, a, p = rng.uniform(0.001, 0.3, n), rng.uniform(2, 8, n), rng.uniform(0.01, 1, n)
    found = reasonable_bounds(k, c, a, p)
    u = 1 / a + (1 - 1 / a) * np.linspace(0, 1, m)[:, None]
    t = (k - c * (1 - u) * p) / (1 - c)
    x = np.where((t <= 1 + 1e-12) & (u <= t + 1e-12), (1 - c) * t + c * u, np.nan)
    is_tried = ~np.isnan(x).all(axis=0)
    lowest, highest = (pick(x[:, is_tried], axis=0) for pick in (np.nanmin, np.nanmax))
    width = 2 * c[is_tried] / (m - 1) + 1e-9
    assert is_tried.sum() > 1000
    assert (~is_tried).sum() > 300  # not feasible
    assert not np.isnan(found.lower[is_tried]).any()
    assert (np.abs(lowest - found.lower[is_tried]) <= width).all()
    assert (np.abs(highest - found.upper[is_tried]) <= width).all()
    assert (np.isnan(found.lower) | is_tried | (found.upper - found.lower < 3 * 2 * c / (m - 1))).all()
    # and as the notes' condition says
    by_notes = ((1 - c) / a + c * (1 - 1 / a) * p <= k) & (k <= 1 - c + c * p * (1 - 1 / a))
    assert (by_notes == ~np.isnan(found.lower)).mean() > 0.9999


@settings(max_examples=200, deadline=None)
@given(k=st.floats(0, 1), c=st.just(0.0) | st.floats(1e-6, 0.95), a=st.floats(2, 9))
def test_the_envelope_holds_the_intervals_of_all_p(k: float, c: float, a: float) -> None:
    found = envelope(k, c, a)
    p = np.linspace(float(least_p(a)), 1, 501)
    each = reasonable_bounds(k, c, a, p)
    if np.isnan(each.lower).all():
        return
    assert float(found.lower) <= np.nanmin(each.lower) + 1e-9
    assert float(found.upper) >= np.nanmax(each.upper) - 1e-9
    assert float(found.lower) >= np.nanmin(each.lower) - 4 * c / 500 - 1e-9
    assert float(found.upper) <= np.nanmax(each.upper) + 4 / 500 + 1e-9
    of_p, of_u = p_bounds(k, c, a), u_bounds(k, c, a)
    possible_p = p[~np.isnan(each.lower)]
    assert float(of_p.lower) <= possible_p[0] + 1e-6
    assert possible_p[-1] - 1e-6 <= float(of_p.upper)
    assert possible_p[0] - 1 / 500 <= float(of_p.lower)
    assert float(of_p.upper) <= possible_p[-1] + 1 / 500
    assert 1 / a - 1e-9 <= float(of_u.lower) <= float(of_u.upper) <= 1 + 1e-9
    assert c >= 0.5 or float(of_u.lower) == pytest.approx(1 / a)


# ---- Table 1 and what cannot be --------------------------------------------------------------------------------------


@given(
    c=st.fractions(0, Fraction(9, 10), max_denominator=100),
    t=st.fractions(0, 1, max_denominator=100),
    u=st.fractions(0, 1, max_denominator=100),
    p=st.fractions(0, 1, max_denominator=100),
)
def test_the_cases_of_table_1_add_up(c: Fraction, t: Fraction, u: Fraction, p: Fraction) -> None:
    table = evaluation_table(float(c), float(t), float(u), float(p))
    assert float(sum(table.values())) == pytest.approx(1)
    x = float((1 - c) * t + c * u)
    observed = float((1 - c) * t + c * (1 - u) * p)
    assert table["true_positive"] + table["false_negative"] == pytest.approx(x)
    assert table["true_positive"] + table["false_positive"] == pytest.approx(observed)
    if c:
        found = free_bounds(observed, float(c), float(p))
        assert found.lower - 1e-6 <= x <= found.upper + 1e-6


def test_a_higher_corpus_error_does_not_always_widen() -> None:
    """Footnote 5 of the paper fails once C > 1 − K."""
    widths = [float(envelope(0.98, c, 2.5).upper - envelope(0.98, c, 2.5).lower) for c in (0.021, 0.03, 0.04)]
    assert widths == sorted(widths, reverse=True)


def test_without_errors_in_the_gold_what_is_seen_is_true() -> None:
    for found in (free_bounds(0.9, 0, 0.5), reasonable_bounds(0.9, 0, 2.5, 1), envelope(0.9, 0, 2.5)):
        assert float(found.lower) == float(found.upper) == 0.9


def test_numbers_that_cannot_all_be_true_are_told_in_words() -> None:
    assert infeasible(0.9135, 0.03, 2.5) == infeasible(0.9135, 0.03, 2.5, 1.0) == ""
    assert "these numbers cannot all be true" in infeasible(0.999, 0.2, 2.5)
    assert "cannot score above 92 %; observed: 99.9 %" in infeasible(0.999, 0.2, 2.5)  # 1 − 0.2/2.5
    assert "cannot score below" in infeasible(0.1, 0.03, 2.5)
    assert "with 3 % of the gold wrong and p = 0.5, a system" in infeasible(0.99, 0.03, 2.5, 0.5)
    assert np.isnan(envelope(0.999, 0.2, 2.5).lower)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((1.2, 0.03, 2.5), "observed accuracy of 1.2"),
        ((0.9, 1.0, 2.5), "corpus error of 1"),
        ((0.9, 0.03, 1.5), "at least 2"),
    ],
)
def test_numbers_that_are_no_rates_are_refused(arguments: tuple[float, float, float], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        checked_noise(*arguments)


def test_shapes_go_together() -> None:
    rng = random.Random(1)
    k = np.array([[rng.random()] for _ in range(3)])
    assert reasonable_bounds(k, 0.03, 2.5, [0.7, 0.8, 0.9, 1.0]).lower.shape == (3, 4)
