"""The real test between two systems [Hogenhout & Matsumoto 1996, §6].

Most units are so easy that both systems get them right, or so hard that neither does; these say nothing of which system
is better. The paper sets M1 of the first and M2 of the second aside, so many that what is left, the real test, looks
like two independent binomial experiments: (YY − M1)(NN − M2) = YN·NY. (As printed, the paper's equation for YY − M1
misses M2 in the denominator; its relation of M1 and M2 is right.)

With y = YY − M1 the real test has the size (y + YN)(y + NY)/y. Many M1, M2 fit; the size is smallest at y = √(YN·NY),
where it is (√YN + √NY)², which is the size that karat gives. z hardly depends on the choice: it lies between McNemar's
(NY − YN)/√(YN + NY) and (NY − YN)/√(2√(YN·NY)), unless YY·NN < YN·NY: then the systems agree less than independent ones
would, nothing can be set aside, and z of the whole test can be larger. It is as blind to clustering as McNemar's.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from karat._arrays import Floats
from karat.inference.paired_units import PairCounts

SMALL_REAL_TEST = 100  # below this size the paper's warning holds: the test may be meaningless


@dataclass(frozen=True, slots=True)
class FittingTest:
    """One of the real tests that fit, named by what it sets aside: M1 (`always_right`) and M2 (`never_right`)."""

    name: str
    always_right: float
    never_right: float
    size: float
    z: float


@dataclass(frozen=True, slots=True)
class RealTest:
    """The smallest real test, the units set aside for it, and the smallest and largest z over all that fit.

    `fitting` are the two ends of the curve of M1 and M2 and the smallest real test on it; nothing where that curve is
    empty. z is None where it is not defined: with YN = 0 or NY = 0 one system is never worse, and z can be as large as
    one likes; without any difference there is no real test.
    """

    size: float
    always_right: float
    never_right: float
    z_lower: float | None
    z_upper: float | None
    fitting: tuple[FittingTest, ...] = ()

    @property
    def is_small(self) -> bool:
        return self.size < SMALL_REAL_TEST


@dataclass(frozen=True, slots=True, eq=False)
class RealTestCurve:
    """The real tests that fit: M1 (`always_right`) and M2 (`never_right`) set aside, their sizes and z."""

    always_right: Floats
    never_right: Floats
    size: Floats
    z: Floats


def real_test(yy: int, yn: int, ny: int, nn: int) -> RealTest:
    """The real test from the units that both, only A, only B and neither of two systems has right.

    >>> found = real_test(6516, 232, 343, 4309)
    >>> round(found.size, 1), round(found.z_lower, 3), round(found.z_upper, 3)
    (1139.2, 4.636, 4.673)
    """
    if yn == 0 or ny == 0:
        return _one_sided(yy, yn, ny, nn)
    product = yn * ny
    smallest, largest = (product / nn if nn else float(yy)), float(yy)
    if smallest > largest or not nn:  # fewer equal answers than independent systems would give: nothing to set aside
        z = PairCounts(yy, yn, ny, nn).unpaired_z
        return RealTest(float(yy + yn + ny + nn), 0.0, 0.0, z, z)
    best = min(max(math.sqrt(product), smallest), largest)
    names = {smallest: "no hard units", largest: "no easy units"} | {best: "most"}  # an end may be the smallest
    curve = _fitting(np.array(sorted(names)), yy, yn, ny, nn)
    columns = (one.tolist() for one in (curve.always_right, curve.never_right, curve.size, curve.z))
    fitting = tuple(map(FittingTest, (names[y] for y in sorted(names)), *columns))
    ends, chosen = [one.z for one in fitting], next(one for one in fitting if one.name == "most")
    return RealTest(chosen.size, chosen.always_right, chosen.never_right, min(ends), max(ends), fitting)


def _fitting(y: Floats, yy: int, yn: int, ny: int, nn: int) -> RealTestCurve:
    """The real tests with y units right in both systems; z is (NY − YN)/√(n·pa(1−pa) + n·pb(1−pb))."""
    ratio = (y + yn) / (y + ny)
    z = (ny - yn) / np.sqrt(ny * ratio + yn / ratio)
    return RealTestCurve(yy - y, nn - yn * ny / y, (y + yn) * (y + ny) / y, z)


def _one_sided(yy: int, yn: int, ny: int, nn: int) -> RealTest:
    """One system is never worse: all agreement of one kind can be set aside, and as much as one likes of the other.

    The variance c·y/(y + c) of what is left, y the agreement that stays, can be made as small as one likes.
    """
    differing = yn + ny
    most = max(yy, nn)
    variance = differing * most / (differing + most) if most else 0.0
    z = (ny - yn) / math.sqrt(variance) if variance else None
    lower, upper = (z, None) if ny >= yn else (None, z)
    return RealTest(float(differing), float(yy), float(nn), lower, upper)


def real_test_curve(yy: int, yn: int, ny: int, nn: int, n_points: int = 200) -> RealTestCurve:
    """Real tests that fit, from the largest that sets aside no hard unit to the one that sets aside no easy one.

    Empty where nothing can be set aside, and where YN or NY is 0, for which every choice of the agreement that stays
    fits.
    """
    product = yn * ny
    if not product or not nn or product > yy * nn:
        return _fitting(np.empty(0), yy, yn, ny, nn)
    return _fitting(np.geomspace(product / nn, yy, n_points), yy, yn, ny, nn)
