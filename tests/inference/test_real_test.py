"""The real test between two systems [Hogenhout & Matsumoto 1996, §6]."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

import inference_reference as reference
from karat.inference.paired_units import PairCounts
from karat.inference.real_test import SMALL_REAL_TEST, RealTest, real_test, real_test_curve

PUBLISHED = (6516, 232, 343, 4309)
AGREEING = st.integers(1, 10_000)
DIFFERING = st.integers(1, 500)


def z_ends(found: RealTest) -> tuple[float, float]:
    assert found.z_lower is not None
    assert found.z_upper is not None
    return found.z_lower, found.z_upper


def test_the_papers_real_test() -> None:
    found = real_test(*PUBLISHED)
    assert found.size == pytest.approx((math.sqrt(232) + math.sqrt(343)) ** 2)
    assert round(found.size, 1) == 1139.2
    assert (round(found.always_right, 1), round(found.never_right, 1)) == (6233.9, 4026.9)  # less √(232·343) = 282.1
    assert tuple(round(z, 3) for z in z_ends(found)) == (4.636, 4.673)
    assert not found.is_small


@given(AGREEING, DIFFERING, DIFFERING, AGREEING)
def test_the_real_test_is_that_of_all_that_fit(yy: int, yn: int, ny: int, nn: int) -> None:
    assume(yy * nn >= yn * ny)
    size, lower, upper = reference.real_test(yy, yn, ny, nn, steps=2000)
    found = real_test(yy, yn, ny, nn)
    # between two of the 2000 steps size and z hardly change
    assert found.size == pytest.approx(size, rel=1e-4)
    assert z_ends(found) == pytest.approx((lower, upper), rel=1e-4, abs=1e-12)
    assert found.size <= size * (1 + 1e-12)


def test_the_papers_curve_of_m1_and_m2() -> None:
    """The paper's example, 6234 and 4027 with 1139 left, and the ends: 4,902 with M2 = 0, 7,103 with M1 = 0."""
    fitting = {one.name: one for one in real_test(*PUBLISHED).fitting}
    most = fitting["most"]
    assert (round(most.always_right), round(most.never_right), round(most.size)) == (6234, 4027, 1139)
    assert (fitting["no hard units"].never_right, round(fitting["no hard units"].size)) == (0, 4902)
    assert (fitting["no easy units"].always_right, round(fitting["no easy units"].size)) == (0, 7103)
    assert all(4.63 < one.z < 4.68 for one in fitting.values())


@given(AGREEING, DIFFERING, DIFFERING, AGREEING)
def test_m1_is_what_the_paper_s_formula_makes_of_m2(yy: int, yn: int, ny: int, nn: int) -> None:
    """M1 = (NY·TTB + M2·YY − (NY + NN)(YY + NY))/(M2 − NN), the relation that the paper prints."""
    assume(yy * nn >= yn * ny)
    curve, total = real_test_curve(yy, yn, ny, nn), yy + yn + ny + nn
    points = [(one.always_right, one.never_right, one.size) for one in real_test(yy, yn, ny, nn).fitting]
    points += zip(curve.always_right.tolist(), curve.never_right.tolist(), curve.size.tolist(), strict=True)
    for m1, m2, size in points:
        printed = (ny * total + m2 * yy - (ny + nn) * (yy + ny)) / (m2 - nn)
        assert m1 == pytest.approx(printed, rel=1e-6, abs=1e-4 * total)
        assert size == pytest.approx(total - m1 - m2, rel=1e-9)


@given(AGREEING, DIFFERING, DIFFERING, AGREEING)
def test_what_is_left_looks_like_two_independent_experiments(yy: int, yn: int, ny: int, nn: int) -> None:
    assume(yy * nn >= yn * ny)
    found = real_test(yy, yn, ny, nn)
    assert -1e-9 <= found.always_right <= yy
    assert -1e-9 <= found.never_right <= nn
    assert (yy - found.always_right) * (nn - found.never_right) == pytest.approx(yn * ny, rel=1e-6)
    left = yy + yn + ny + nn - found.always_right - found.never_right
    assert found.size == pytest.approx(left, rel=1e-9)


@given(AGREEING, DIFFERING, DIFFERING, AGREEING)
def test_z_lies_between_mcnemars_and_its_bound(yy: int, yn: int, ny: int, nn: int) -> None:
    assume(yy * nn >= yn * ny)
    mcnemar = PairCounts(yy, yn, ny, nn).mcnemar_z
    assert mcnemar is not None
    bound = abs(ny - yn) / math.sqrt(2 * math.sqrt(yn * ny))
    for z in z_ends(real_test(yy, yn, ny, nn)):
        assert abs(mcnemar) * (1 - 1e-12) <= abs(z) <= bound * (1 + 1e-12)
        assert z * mcnemar >= 0


@given(AGREEING, DIFFERING, DIFFERING, AGREEING)
def test_exchanging_systems_negates_z_as_does_exchanging_right_and_wrong(yy: int, yn: int, ny: int, nn: int) -> None:
    found, exchanged, turned = real_test(yy, yn, ny, nn), real_test(yy, ny, yn, nn), real_test(nn, ny, yn, yy)
    lower, upper = z_ends(found)
    assert z_ends(exchanged) == pytest.approx((-upper, -lower), abs=1e-12)
    assert (exchanged.size, turned.size) == pytest.approx((found.size, found.size))
    assert z_ends(turned) == pytest.approx((-upper, -lower), abs=1e-12)
    assert (turned.always_right, turned.never_right) == pytest.approx(
        (found.never_right, found.always_right), rel=1e-9, abs=1e-8
    )


def test_equally_good_systems_have_a_z_of_0() -> None:
    found = real_test(100, 7, 7, 100)
    assert found.size == pytest.approx(28)
    assert z_ends(found) == (0, 0)


def test_where_the_smallest_does_not_fit_the_nearest_is_taken() -> None:
    # at most 1 of √25 = 5 can stay right: NN − M2 is 25, the size 1 + 5 + 5 + 25
    found = real_test(1, 5, 5, 100)
    assert (found.size, found.always_right, found.never_right) == pytest.approx((36, 0, 75))
    found = real_test(100, 5, 5, 1)
    assert (found.size, found.always_right, found.never_right) == pytest.approx((36, 75, 0))


@pytest.mark.parametrize("counts", [(2, 3, 4, 5), (0, 3, 4, 5), (5, 3, 4, 0), (0, 3, 4, 0), (1, 1, 1, 0)])
def test_where_nothing_can_be_set_aside_the_whole_is_the_real_test(counts: tuple[int, int, int, int]) -> None:
    found = real_test(*counts)
    assert (found.size, found.always_right, found.never_right) == (sum(counts), 0, 0)
    expected = reference.unpaired_z(*counts)
    assert z_ends(found) == pytest.approx((expected, expected))


def test_where_only_the_whole_fits_it_is_the_real_test() -> None:
    # 2 · 2 = 1 · 4: n = 9, pa = 1/3, pb = 2/3, z = 3/√(2 + 2)
    found = real_test(2, 1, 4, 2)
    assert (found.size, found.always_right, found.never_right) == pytest.approx((9, 0, 0))
    assert z_ends(found) == pytest.approx((1.5, 1.5))


@given(st.integers(0, 1000), st.integers(1, 100), st.integers(0, 1000))
def test_a_system_that_is_never_worse_has_a_z_without_end(yy: int, better: int, nn: int) -> None:
    up, down = real_test(yy, 0, better, nn), real_test(yy, better, 0, nn)
    assert (up.size, up.always_right, up.never_right) == (better, yy, nn)
    assert (down.size, down.always_right, down.never_right) == (better, yy, nn)
    assert up.z_upper is None
    assert down.z_lower is None
    if yy == nn == 0:
        assert up.z_lower is None
        assert down.z_upper is None
        return
    # the least z is the one with most agreement left, all of one kind: variance n·p(1 − p) of the worse system
    n = better + max(yy, nn)
    expected = better / math.sqrt(n * (better / n) * (1 - better / n))
    assert up.z_lower == pytest.approx(expected)
    assert down.z_upper == pytest.approx(-expected)


@pytest.mark.parametrize(("yy", "nn"), [(10, 5), (0, 5), (10, 0), (0, 0)])
def test_systems_that_never_differ_have_no_real_test(yy: int, nn: int) -> None:
    found = real_test(yy, 0, 0, nn)
    assert (found.size, found.z_lower, found.z_upper, found.is_small) == (0, None, None, True)


def test_below_a_hundred_units_a_real_test_is_small() -> None:
    assert SMALL_REAL_TEST == 100
    assert real_test(1000, 24, 25, 1000).is_small  # (√24 + √25)² = 98.0
    assert not real_test(1000, 25, 26, 1000).is_small  # 102.0


# --- all that fit ---


@given(AGREEING, DIFFERING, DIFFERING, AGREEING)
def test_every_point_of_the_curve_fits(yy: int, yn: int, ny: int, nn: int) -> None:
    assume(yy * nn >= yn * ny)
    curve, found = real_test_curve(yy, yn, ny, nn, 50), real_test(yy, yn, ny, nn)
    assert len(curve.size) == len(curve.z) == len(curve.always_right) == len(curve.never_right) == 50
    right, wrong = yy - curve.always_right, nn - curve.never_right
    np.testing.assert_allclose(right * wrong, yn * ny, rtol=1e-6)
    assert (curve.always_right >= -1e-7).all()
    assert (curve.always_right <= yy).all()
    assert (curve.never_right >= -1e-7).all()
    assert (curve.never_right <= nn).all()
    np.testing.assert_allclose(curve.size, right + yn + ny + wrong, rtol=1e-9)
    assert (curve.size >= found.size * (1 - 1e-9)).all()
    lower, upper = z_ends(found)
    assert (curve.z >= lower - 1e-9).all()
    assert (curve.z <= upper + 1e-9).all()


def test_the_curve_goes_from_no_hard_unit_set_aside_to_no_easy_one() -> None:
    curve = real_test_curve(*PUBLISHED)
    assert len(curve.size) == 200
    assert curve.never_right[0] == pytest.approx(0, abs=1e-9)
    assert curve.always_right[-1] == pytest.approx(0, abs=1e-9)
    assert (np.diff(curve.always_right) < 0).all()
    assert (np.diff(curve.never_right) > 0).all()
    lower, upper = z_ends(real_test(*PUBLISHED))
    assert (curve.z.min(), curve.z.max()) == pytest.approx((lower, upper), rel=1e-4)
    assert curve.size.min() == pytest.approx(real_test(*PUBLISHED).size, rel=1e-3)


@pytest.mark.parametrize("counts", [(9, 0, 4, 9), (9, 4, 0, 9), (9, 0, 0, 9), (9, 4, 4, 0), (0, 4, 4, 9), (2, 4, 4, 2)])
def test_where_nothing_can_be_set_aside_or_all_fits_the_curve_is_empty(counts: tuple[int, int, int, int]) -> None:
    curve = real_test_curve(*counts)
    assert [len(one) for one in (curve.always_right, curve.never_right, curve.size, curve.z)] == [0, 0, 0, 0]
