"""The statistics of `karat.inference`, slow and plain: what the fast ones are held to.

Each function is its definition written out: all sign patterns, all resamples, all points of a grid. Whatever can be
exact is a `Fraction`, so that equal statistics count as equal. A row is a cluster's counts: gold, system, correct,
aligned. A ratio whose denominator is 0 is nan, unless its function says otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations, product
from typing import TypeAlias

__all__ = ["design_effect", "equivalence_p", "every_bootstrap_value", "f1", "holm", "independence"]
__all__ += ["jackknife_standard_error", "mcnemar", "mcnemar_z", "pair_counts", "percentile", "precision"]
__all__ += [
    "rank_sets",
    "ranks",
    "real_test",
    "recall",
    "sign_flip_p",
    "sign_flip_p_by_convolution",
    "studentised_swap_p",
    "told_apart_groups",
]
__all__ += ["unpaired_z"]

Row: TypeAlias = Sequence[int]
Value: TypeAlias = Callable[[Row], Fraction]


# --- values of summed rows ---


def precision(row: Row) -> Fraction:
    """Correct / system; 0 where the system has nothing.

    >>> precision((4, 5, 3, 4)), precision((4, 0, 0, 0))
    (Fraction(3, 5), Fraction(0, 1))
    """
    _, system, correct, _ = row
    return Fraction(correct, system) if system else Fraction(0)


def recall(row: Row) -> Fraction:
    """Correct / gold; 0 where the gold has nothing.

    >>> recall((4, 5, 3, 4)), recall((0, 5, 0, 0))
    (Fraction(3, 4), Fraction(0, 1))
    """
    gold, _, correct, _ = row
    return Fraction(correct, gold) if gold else Fraction(0)


def f1(row: Row) -> Fraction:
    """2 correct / (gold + system); 0 where neither has anything.

    >>> f1((4, 5, 3, 4)), f1((0, 0, 0, 0))
    (Fraction(2, 3), Fraction(0, 1))
    """
    gold, system, correct, _ = row
    return Fraction(2 * correct, gold + system) if gold + system else Fraction(0)


def _sum(rows: Sequence[Row]) -> list[int]:
    """The sum of each column; there must be a row."""
    return [sum(column) for column in zip(*rows, strict=True)]


# --- permutation tests ---


def sign_flip_p(differences: Sequence[int]) -> tuple[Fraction, Fraction]:
    """P(|T| >= |t|) and mid-p = P(|T| > |t|) + P(|T| = |t|) / 2, over all 2^n patterns of signs.

    T is the sum of ±d_i with all patterns equally likely, t the sum of d_i. With t = 0 the p value is 1 and mid-p is
    1 − P(T = 0) / 2; with no differences, or only zeros, they are 1 and 1/2.

    1 + 2 = 3; the four sums are 3, −1, 1, −3:

    >>> sign_flip_p([1, 2])
    (Fraction(1, 2), Fraction(1, 4))

    2 − 1 = 1; of the sums 3, 1, −1, −3 all are at least as far from 0, two are farther:

    >>> sign_flip_p([2, -1])
    (Fraction(1, 1), Fraction(3, 4))
    >>> sign_flip_p([1, -1]), sign_flip_p([])
    ((Fraction(1, 1), Fraction(3, 4)), (Fraction(1, 1), Fraction(1, 2)))
    """
    observed = abs(sum(differences))
    n_patterns = n_farther = n_equal = 0
    for signs in product((1, -1), repeat=len(differences)):
        distance = abs(sum(sign * difference for sign, difference in zip(signs, differences, strict=True)))
        n_patterns += 1
        n_farther += distance > observed
        n_equal += distance == observed
    return Fraction(n_farther + n_equal, n_patterns), Fraction(2 * n_farther + n_equal, 2 * n_patterns)


def sign_flip_p_by_convolution(differences: Sequence[int]) -> tuple[Fraction, Fraction]:
    """The same as `sign_flip_p`, from how many patterns give each sum, with one difference after another.

    >>> sign_flip_p_by_convolution([1, 2]), sign_flip_p_by_convolution([2, -1])
    ((Fraction(1, 2), Fraction(1, 4)), (Fraction(1, 1), Fraction(3, 4)))

    Ten equal differences: 2 / 2^10 and half of that.

    >>> sign_flip_p_by_convolution([3] * 10)
    (Fraction(1, 512), Fraction(1, 1024))
    """
    n_patterns = {0: 1}
    for difference in differences:
        longer: dict[int, int] = {}
        for total, n in n_patterns.items():
            for new in (total + difference, total - difference):
                longer[new] = longer.get(new, 0) + n
        n_patterns = longer
    observed = abs(sum(differences))
    n_farther = sum(n for total, n in n_patterns.items() if abs(total) > observed)
    n_equal = sum(n for total, n in n_patterns.items() if abs(total) == observed)
    n_all = 2 ** len(differences)
    return Fraction(n_farther + n_equal, n_all), Fraction(2 * n_farther + n_equal, 2 * n_all)


def studentised_swap_p(a: Sequence[Row], b: Sequence[Row], top: Value, bottom: Value) -> Fraction:
    """Of the 2^n ways to swap rows between A and B the share whose statistic is at least the observed one.

    The statistic is δ²/Σuᵢ², where δ is the difference of the ratios of sums top/bottom, and uᵢ is what cluster i adds
    to it to first order: (top − ratio · bottom of the cluster)/(bottom of all), of B less of A. Where nothing is added,
    it is infinite, or 0 if there is no difference.

    One cluster has 1 of 2 and 2 of 2, the other the same: swapping one leaves no difference.

    >>> def correct(row): return Fraction(row[2])
    >>> def gold(row): return Fraction(row[0])
    >>> studentised_swap_p([(2, 2, 1, 2), (2, 2, 1, 2)], [(2, 2, 2, 2), (2, 2, 2, 2)], correct, gold)
    Fraction(1, 2)
    """

    def part(rows: Sequence[Row]) -> tuple[Fraction, list[Fraction]]:
        whole = bottom(_sum(rows))
        value = top(_sum(rows)) / whole if whole else Fraction(0)
        return value, [(top(row) - value * bottom(row)) / (whole or 1) for row in rows]

    def statistic(rows_a: Sequence[Row], rows_b: Sequence[Row]) -> Fraction | float:
        (value_a, of_a), (value_b, of_b) = part(rows_a), part(rows_b)
        squares = sum(((y - x) ** 2 for x, y in zip(of_a, of_b, strict=True)), Fraction(0))
        difference = value_b - value_a
        return difference**2 / squares if squares else (math.inf if difference else Fraction(0))

    observed, n_as_far = statistic(a, b), 0
    for swaps in product((False, True), repeat=len(a)):
        new_a = [y if swap else x for swap, x, y in zip(swaps, a, b, strict=True)]
        new_b = [x if swap else y for swap, x, y in zip(swaps, a, b, strict=True)]
        n_as_far += statistic(new_a, new_b) >= observed
    return Fraction(n_as_far, 2 ** len(a))


# --- resampling clusters ---


def every_bootstrap_value(rows: Sequence[Row], value: Value) -> list[Fraction]:
    """The value of each of the n^n ordered resamples of n rows with replacement, sorted; for n up to 5.

    Recall is 1/1 and 1/3 in the two clusters, and 2/4 in both together, which two of four resamples have:

    >>> [str(one) for one in every_bootstrap_value([(1, 1, 1, 1), (3, 3, 1, 3)], recall)]
    ['1/3', '1/2', '1/2', '1']
    """
    return sorted(value(_sum(resample)) for resample in product(rows, repeat=len(rows)))


def jackknife_standard_error(rows: Sequence[Row], value: Value) -> float:
    """√((G − 1) / G · Σ (θ_i − mean θ)²), θ_i the value without cluster i, of G clusters, at least 2.

    Recall without each cluster: 2/3, 2/2, 1/2, on average 13/18; squared distances 1 + 25 + 16 of 324; √(2/3 · 42/324).

    >>> round(jackknife_standard_error([(1, 1, 1, 1), (1, 1, 0, 1), (2, 2, 2, 2)], recall), 12)
    0.293972367896
    >>> math.sqrt(7 / 81)
    0.2939723678960656
    """
    n_clusters = len(rows)
    values = [value(_sum([*rows[:left_out], *rows[left_out + 1 :]])) for left_out in range(n_clusters)]
    mean = sum(values, Fraction(0)) / n_clusters
    squares = sum(((one - mean) ** 2 for one in values), Fraction(0))
    return math.sqrt(Fraction(n_clusters - 1, n_clusters) * squares)


def percentile(values_sorted: Sequence[Fraction] | Sequence[float], q: float) -> float:
    """The q-th percentile, q from 0 to 100, with linear interpolation between order statistics, as in numpy.

    With n values from the 0th to the (n − 1)th it is at place (n − 1) q / 100.

    >>> percentile([1.0, 2.0, 4.0], 50), percentile([1.0, 2.0, 4.0], 75), percentile([Fraction(1), Fraction(3)], 2.5)
    (2.0, 3.0, 1.05)
    >>> percentile([1.0, 2.0, 4.0], 0), percentile([1.0, 2.0, 4.0], 100)
    (1.0, 4.0)
    """
    place = (len(values_sorted) - 1) * Fraction(q) / 100
    below, above = math.floor(place), math.ceil(place)
    lower, upper = Fraction(values_sorted[below]), Fraction(values_sorted[above])
    return float(lower + (place - below) * (upper - lower))


# --- two systems on units that are right or wrong ---


def pair_counts(a: Sequence[bool], b: Sequence[bool]) -> tuple[int, int, int, int]:
    """The units on which both are right (YY), only A (YN), only B (NY) and neither (NN).

    >>> pair_counts([True, True, False, False, False, True], [True, False, True, True, False, True])
    (2, 1, 2, 1)
    """
    pairs = list(zip(a, b, strict=True))
    yy, yn = pairs.count((True, True)), pairs.count((True, False))
    ny, nn = pairs.count((False, True)), pairs.count((False, False))
    return yy, yn, ny, nn


def mcnemar(yn: int, ny: int) -> tuple[Fraction, Fraction]:
    """The exact two-sided p, min(1, 2 P(X <= m)), and the mid-p of McNemar's test, where what was seen counts half.

    X is binomial with yn + ny trials and chance 1/2, m = min(yn, ny). Mid-p is 2 P(X < m) + P(X = m), and
    1 − P(X = m) / 2 where yn = ny [Fagerland et al. 2013, supplement, eq. 2], 0 = 0 included.

    Of 2^4 patterns one has no heads and four have one: 2 · 5/16 and 2 · (1 + 4/2)/16.

    >>> mcnemar(3, 1), mcnemar(1, 3)
    ((Fraction(5, 8), Fraction(3, 8)), (Fraction(5, 8), Fraction(3, 8)))
    >>> mcnemar(0, 5)
    (Fraction(1, 16), Fraction(1, 32))

    Six of 2^4 patterns have two heads: 1 − 6/32.

    >>> mcnemar(2, 2), mcnemar(0, 0)
    ((Fraction(1, 1), Fraction(13, 16)), (Fraction(1, 1), Fraction(1, 2)))
    """
    n, fewer = yn + ny, min(yn, ny)
    below = sum((Fraction(math.comb(n, k), 2**n) for k in range(fewer)), Fraction(0))
    at = Fraction(math.comb(n, fewer), 2**n)
    mid_p = 1 - at / 2 if yn == ny else 2 * below + at
    return min(Fraction(1), 2 * (below + at)), mid_p


def mcnemar_z(yn: int, ny: int) -> float:
    """(ny − yn) / √(yn + ny).

    >>> mcnemar_z(3, 6), mcnemar_z(0, 0)
    (1.0, nan)
    >>> round(mcnemar_z(232, 343), 3)
    4.629
    """
    return _ratio(ny - yn, math.sqrt(yn + ny))


def unpaired_z(yy: int, yn: int, ny: int, nn: int) -> float:
    """(pb − pa) / √(pa (1 − pa) / n + pb (1 − pb) / n), pa and pb the shares of units that A and B have right.

    pa = 1/4, pb = 3/4, n = 4: (1/2) / √(2 · 3/64).

    >>> round(unpaired_z(1, 0, 2, 1), 6), round(unpaired_z(6516, 232, 343, 4309), 2)
    (1.632993, 1.5)
    """
    n = yy + yn + ny + nn
    pa, pb = Fraction(yy + yn, n), Fraction(yy + ny, n)
    return _ratio(pb - pa, math.sqrt(pa * (1 - pa) / n + pb * (1 - pb) / n))


def independence(yy: int, yn: int, ny: int, nn: int) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    """(expected, variance, z) of YY, then of NN, if A and B were independent [Hogenhout & Matsumoto 1996, §6].

    Expected N P, variance N P (1 − P), z = (observed − expected) / √variance; P is pa pb for YY and (1 − pa)(1 − pb)
    for NN. The paper's 4063 and 1851 come from rounded recalls.

    N = 4, pa = pb = 1/2: P = 1/4, expected 1, variance 3/4.

    >>> independence(2, 0, 0, 2) == ((1.0, 0.75, 1 / math.sqrt(0.75)), (1.0, 0.75, 1 / math.sqrt(0.75)))
    True
    >>> (both, _, z_both), (neither, _, z_neither) = independence(6516, 232, 343, 4309)
    >>> round(both, 2), round(neither, 2), round(z_both, 1), round(z_neither, 1)
    (4060.05, 1853.05, 48.0, 62.3)
    """
    n = yy + yn + ny + nn
    pa, pb = Fraction(yy + yn, n), Fraction(yy + ny, n)

    def compared(observed: int, chance: Fraction) -> tuple[float, float, float]:
        expected, variance = n * chance, n * chance * (1 - chance)
        return float(expected), float(variance), _ratio(observed - expected, math.sqrt(variance))

    return compared(yy, pa * pb), compared(nn, (1 - pa) * (1 - pb))


def real_test(yy: int, yn: int, ny: int, nn: int, steps: int = 20_000) -> tuple[float, float, float]:
    """The smallest size, smallest z and largest z of the real tests [Hogenhout & Matsumoto 1996, §6].

    A real test leaves M1 of YY and M2 of NN out, 0 <= M1 <= YY and 0 <= M2 <= NN, such that A and B are independent in
    what remains: (YY − M1)(NN − M2) = YN · NY. (The paper's equation for YY − M1 lacks M2 in the denominator.) Its size
    is n = YY − M1 + YN + NY + NN − M2, and z = (NY − YN) / √(n pa (1 − pa) + n pb (1 − pb)) with the shares pa and pb
    in the real test. z is signed: both are negative where A is better.

    YN and NY must not be 0. As YY − M1 > 0, M2 <= NN always holds, and M2 >= 0 just if YY − M1 >= YN · NY / NN. If
    this is more than YY there is no real test, and a ValueError.

    >>> [round(one, 3) for one in real_test(6516, 232, 343, 4309)]
    [1139.184, 4.636, 4.673]

    One test only, the whole: 2 · 2 = 1 · 4; n = 9, pa = 3/9, pb = 6/9, z = 3 / √(2 + 2).

    >>> [round(one, 6) for one in real_test(2, 1, 4, 2)]
    [9.0, 1.5, 1.5]

    YY − M1 is at most 1, so NN − M2 is at least 25; there is no test of the size (√5 + √5)² = 20.

    >>> round(real_test(1, 5, 5, 100)[0], 6)
    36.0
    """
    if yn == 0 or ny == 0:
        raise ValueError("YN and NY must not be 0")
    if yy * nn < yn * ny:
        raise ValueError("no M1 and M2 fulfil the condition")
    fewest = yn * ny / nn
    sizes, zs = [], []
    for step in range(steps + 1):
        # equal ratios, not equal distances: the smallest test can be where YY − M1 is much smaller than YY / steps
        yy_left = fewest * (yy / fewest) ** (step / steps)  # YY − M1
        nn_left = yn * ny / yy_left  # NN − M2
        n = yy_left + yn + ny + nn_left
        pa, pb = (yy_left + yn) / n, (yy_left + ny) / n
        sizes.append(n)
        zs.append((ny - yn) / math.sqrt(n * pa * (1 - pa) + n * pb * (1 - pb)))
    return min(sizes), min(zs), max(zs)


def design_effect(clusters: Sequence[int], a: Sequence[bool], b: Sequence[bool]) -> float:
    """The variance of mean d with clusters, divided by that with independent units; d = right by B − right by A.

    G / (G − 1) · Σ over G clusters of (Σ of d − mean d in the cluster)² / n², divided by n / (n − 1) · Σ (d − mean d)²
    / n²: each variance with its correction for small numbers. It is nan with one cluster and where all d are equal.

    d = 1, 1, −1, −1 in clusters of two: 2/1 · (4 + 4) divided by 4/3 · 4.

    >>> design_effect([0, 0, 1, 1], [False, False, True, True], [True, True, False, False])
    3.0

    The same with each cluster mixed, and with units as clusters:

    >>> design_effect([0, 1, 1, 0], [False, False, True, True], [True, True, False, False])
    0.0
    >>> design_effect([7, 5, 9, 2], [False, False, True, True], [True, True, False, False])
    1.0
    """
    n = len(clusters)
    differences = [int(right_b) - int(right_a) for right_a, right_b in zip(a, b, strict=True)]
    mean = Fraction(sum(differences), n)
    totals: dict[int, Fraction] = {}
    for cluster, difference in zip(clusters, differences, strict=True):
        totals[cluster] = totals.get(cluster, Fraction(0)) + difference - mean
    n_clusters = len(totals)
    if n_clusters == 1:
        return math.nan
    of_units = Fraction(n, n - 1) * sum(((one - mean) ** 2 for one in differences), Fraction(0)) / n**2
    if of_units == 0:
        return math.nan
    squares = sum((total**2 for total in totals.values()), Fraction(0))
    return float(Fraction(n_clusters, n_clusters - 1) * squares / n**2 / of_units)


def equivalence_p(difference: float, standard_error: float, df: float, margin: float) -> float:
    """The larger p of two one-sided t tests, of difference <= −margin and of difference >= margin.

    P(T >= (difference + margin) / se) and P(T <= (difference − margin) / se); se > 0; df may be infinite.

    P(T >= 1) is 1/4 with one degree of freedom, P(T >= 2) is 0.0228 with infinitely many:

    >>> round(equivalence_p(0.0, 1.0, 1, 1.0), 8), round(equivalence_p(1.0, 0.5, math.inf, 2.0), 6)
    (0.25, 0.02275)
    >>> round(equivalence_p(-1.0, 0.5, math.inf, 2.0), 6), round(equivalence_p(3.0, 1.0, 1, 2.0), 8)
    (0.02275, 0.75)
    """
    p_not_lower = _t_tail((difference + margin) / standard_error, df)
    p_not_higher = _t_tail(-(difference - margin) / standard_error, df)
    return max(p_not_lower, p_not_higher)


def _t_tail(t: float, df: float, steps: int = 100_000) -> float:
    """P(T >= t), the area below the t density, by the midpoint rule over u, where x = t + u / (1 − u), 0 < u < 1.

    Right to about nine digits; scipy would be shorter, but it has no types, and tests can do without it.
    """
    if t < 0:
        return 1 - _t_tail(-t, df, steps)
    area = 0.0
    for step in range(steps):
        u = (step + 0.5) / steps
        area += _t_density(t + u / (1 - u), df) / (1 - u) ** 2 / steps
    return area


def _t_density(x: float, df: float) -> float:
    """Γ((df + 1) / 2) / (√(df π) Γ(df / 2)) · (1 + x² / df)^(−(df + 1) / 2); the normal density for infinite df."""
    if math.isinf(df):
        return math.exp(-(x**2) / 2) / math.sqrt(2 * math.pi)
    scale = math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(df * math.pi)
    return scale * math.exp(-(df + 1) / 2 * math.log1p(x**2 / df))


# --- several systems ---


def holm(p: Sequence[float]) -> list[float]:
    """Holm's adjusted p values, in the order given: the largest of min(1, (m − j + 1) p_(j)) for j up to its place.

    p_(1) <= … <= p_(m) are the sorted p values.

    0.01 · 3 = 0.03, 0.03 · 2 = 0.06, 0.04 · 1 stays below and becomes 0.06:

    >>> holm([0.04, 0.01, 0.03])
    [0.06, 0.03, 0.06]
    >>> holm([0.5, 0.75]), holm([0.25, 0.25]), holm([])
    ([1.0, 1.0], [0.5, 0.5], [])
    """
    ordered = sorted(range(len(p)), key=lambda which: p[which])
    adjusted = [0.0] * len(p)
    for place, which in enumerate(ordered):
        so_far = [min(1.0, (len(p) - j) * p[ordered[j]]) for j in range(place + 1)]
        adjusted[which] = max(so_far)
    return adjusted


def told_apart_groups(order: Sequence[str], differs: Callable[[str, str], bool]) -> list[list[str]]:
    """Groups of systems, best first: one ends after place i just if all up to i differ from all after i.

    `differs` is asked with the better system first.

    >>> told_apart_groups("abcd", lambda one, other: one + other != "bc")
    [['a'], ['b', 'c'], ['d']]

    a and c do not differ, so b, which differs from both, is with them:

    >>> told_apart_groups("abcd", lambda one, other: one + other != "ac")
    [['a', 'b', 'c'], ['d']]
    >>> told_apart_groups("", lambda one, other: True), told_apart_groups("ab", lambda one, other: False)
    ([], [['a', 'b']])
    """
    groups: list[list[str]] = []
    for place, name in enumerate(order):
        if all(differs(better, worse) for better in order[:place] for worse in order[place:]):
            groups.append([])
        groups[-1].append(name)
    return groups


def ranks(values: Sequence[float]) -> list[int]:
    """1 + the number of strictly larger values: 1 is the best, ties share the better rank.

    >>> ranks([0.5, 0.9, 0.5, 0.1])
    [2, 1, 2, 4]
    """
    return [1 + sum(other > value for other in values) for value in values]


def rank_sets(order: Sequence[str], differs: Callable[[str, str], bool]) -> dict[str, set[int]]:
    """For each of the names in their order the places that it has in some order that keeps all told pairs as they are.

    By going through all orders.

    >>> found = rank_sets("abc", lambda one, other: {one, other} == {"a", "c"})
    >>> [sorted(found[name]) for name in "abc"]
    [[1, 2], [1, 2, 3], [2, 3]]
    """
    found: dict[str, set[int]] = {name: set() for name in order}
    for way in permutations(order):
        told = [(one, other) for place, one in enumerate(order) for other in order[place + 1 :] if differs(one, other)]
        if all(way.index(one) < way.index(other) for one, other in told):
            for place, name in enumerate(way, start=1):
                found[name].add(place)
    return found


def _ratio(numerator: float | Fraction, denominator: float) -> float:
    """Numerator / denominator; nan where the denominator is 0."""
    return float(numerator) / denominator if denominator else math.nan
