"""Two systems unit by unit: who is right where the other is wrong.

YY, YN, NY and NN are the units of the gold that both systems A and B, only A, only B and neither have right
[Hogenhout & Matsumoto 1996, §3]. What follows from these four numbers alone takes every unit for independent of the
others. Errors cluster, so that it is descriptive: how far it can be trusted is what the design effect says.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from karat._arrays import Flags, Floats
from karat.inference.distributions import beta_quantile, binomial_half_cdf, binomial_half_pmf, two_sided_normal

LARGE_DESIGN_EFFECT = 1.1  # above this, tests that take units for independent overstate significance


@dataclass(frozen=True, slots=True)
class Expected:
    """What independent systems would lead to: expectation and variance of a number of units, and how far off it is."""

    value: float
    variance: float
    z: float | None


@dataclass(frozen=True, slots=True)
class PairCounts:
    """The units that both systems, only A, only B and neither have right, and what follows from them."""

    yy: int
    yn: int
    ny: int
    nn: int

    @property
    def n(self) -> int:
        return self.yy + self.yn + self.ny + self.nn

    @property
    def a(self) -> float:
        """The share of units that A has right."""
        return (self.yy + self.yn) / self.n if self.n else 0.0

    @property
    def b(self) -> float:
        """The share of units that B has right."""
        return (self.yy + self.ny) / self.n if self.n else 0.0

    @property
    def difference(self) -> float:
        return (self.ny - self.yn) / self.n if self.n else 0.0

    @property
    def mcnemar_z(self) -> float | None:
        """(NY − YN)/√(YN + NY) [McNemar 1947]; None if the systems never differ."""
        n_differing = self.yn + self.ny
        return (self.ny - self.yn) / math.sqrt(n_differing) if n_differing else None

    @property
    def mcnemar_p(self) -> float:
        """McNemar's exact two-sided p: a sign test on the units that differ."""
        fewer, n = min(self.yn, self.ny), self.yn + self.ny
        return min(1.0, 2 * binomial_half_cdf(fewer, n))

    @property
    def mcnemar_mid_p(self) -> float:
        """McNemar's mid-p: half of what was seen counts [Fagerland et al. 2013]."""
        fewer, n = min(self.yn, self.ny), self.yn + self.ny
        if self.yn == self.ny:
            return 1 - binomial_half_pmf(fewer, n) / 2
        return 2 * binomial_half_cdf(fewer, n) - binomial_half_pmf(fewer, n)

    @property
    def unpaired_z(self) -> float | None:
        """z of two proportions as if each system had been tested on other units; None without variance."""
        variance = (self.a * (1 - self.a) + self.b * (1 - self.b)) / self.n if self.n else 0.0
        return self.difference / math.sqrt(variance) if variance else None

    @property
    def unpaired_p(self) -> float | None:
        z = self.unpaired_z
        return None if z is None else two_sided_normal(z)

    @property
    def odds_ratio(self) -> float | None:
        """NY/YN: how many units B wins for one that A wins; None if A wins none."""
        return self.ny / self.yn if self.yn else None

    def odds_ratio_interval(self, level: float) -> tuple[float, float | None]:
        """The exact interval of NY/YN for independent units [Clopper & Pearson 1934]; None: without bound."""
        tail = (1 - level) / 2
        low = beta_quantile(tail, self.ny, self.yn + 1) if self.ny else 0.0
        high = beta_quantile(1 - tail, self.ny + 1, self.yn) if self.yn else 1.0
        return low / (1 - low), high / (1 - high) if high < 1 else None

    @property
    def error_reduction(self) -> float | None:
        """The share of A's errors that B is without, (errors of A − errors of B)/errors of A; None if A has none."""
        errors = self.ny + self.nn
        return (self.ny - self.yn) / errors if errors else None

    def error_reduction_error(self) -> float | None:
        """The standard error of the error reduction for independent units, by the delta method."""
        errors = self.ny + self.nn
        if not errors:
            return None
        ratio = (self.yn + self.nn) / errors  # errors of B over errors of A
        variance = (self.yn + ratio * ratio * self.ny + (1 - ratio) ** 2 * self.nn) / errors**2
        return math.sqrt(variance)

    @property
    def oracle(self) -> float:
        """The share of units that at least one system has right: what a perfect choice between them would reach."""
        return (self.n - self.nn) / self.n if self.n else 0.0

    @property
    def b_mends(self) -> float | None:
        """The share of A's errors that B has right: how far B complements A [Brill & Wu 1998]."""
        return self.ny / (self.ny + self.nn) if self.ny + self.nn else None

    @property
    def a_mends(self) -> float | None:
        """The share of B's errors that A has right."""
        return self.yn / (self.yn + self.nn) if self.yn + self.nn else None

    def expected_both_right(self) -> Expected:
        """YY for independent binomial systems [Hogenhout & Matsumoto 1996, §6].

        >>> found = PairCounts(6516, 232, 343, 4309).expected_both_right()
        >>> round(found.value, 2), round(found.z, 1)
        (4060.05, 48.0)
        """
        return self._expected(self.yy, self.a * self.b)

    def expected_both_wrong(self) -> Expected:
        """NN for independent binomial systems."""
        return self._expected(self.nn, (1 - self.a) * (1 - self.b))

    def _expected(self, observed: int, chance: float) -> Expected:
        value, variance = self.n * chance, self.n * chance * (1 - chance)
        return Expected(value, variance, (observed - value) / math.sqrt(variance) if variance else None)


def pair_counts(a: Flags, b: Flags) -> PairCounts:
    """The four numbers from which units each system has right."""
    yy, either_a, either_b = int((a & b).sum()), int(a.sum()), int(b.sum())
    return PairCounts(yy, either_a - yy, either_b - yy, len(a) - either_a - either_b + yy)


def design_effect(sums: Floats, units: Floats, square_sum: float) -> float | None:
    """How many times larger the variance of a mean over units is than it would be for independent units.

    From every cluster's sum and its number of units; `square_sum` is the sum of all units' squares: of differences,
    which are 0, 1 or −1, how many are not 0, of a share of right units how many are right. It is Σ(cluster's sum − mean
    · its units)² over Σ(unit − mean)², each with its correction for small numbers: 1 for independent units; None where
    nothing differs or with one cluster.
    """
    n_clusters, n = len(sums), float(units.sum())
    if n_clusters < 2 or n < 2:
        return None
    mean = sums.sum() / n
    between = n_clusters / (n_clusters - 1) * math.fsum((sums - mean * units) ** 2)
    within = n / (n - 1) * (square_sum - n * mean * mean)
    return float(between / within) if within > 1e-12 * n else None
