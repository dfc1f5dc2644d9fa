"""Confidence intervals of scores and differences."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st
from scipy import stats

import inference_reference as reference
from karat._arrays import Floats
from karat.inference.clusters import Clusters
from karat.inference.intervals import (
    Interval,
    Value,
    difference_interval as any_difference_interval,
    intervals,
    no_interval,
    t_interval,
    value_interval,
    wider,
)
from karat.inference.options import InferenceOptions, Method
from karat.inference.resampling import bootstrap_sums, leave_one_out, standard_error
from karat.measures.measure import Bounds, Ratio, aligned_accuracy, f1, precision, recall

OPTIONS = InferenceOptions()
T, PERCENTILE, BCA = InferenceOptions(method="t"), InferenceOptions(method="percentile"), InferenceOptions(method="bca")
LEVELS = [0.5, 0.9, 0.95, 0.99]


@dataclass(frozen=True)
class Share:
    """A value between 0 and 1, as a measure has one."""

    value: Ratio
    bounds: Bounds = "share"

    def sizes(self, counts: Floats) -> Floats:
        return self.value.bottom(counts)


def score_interval(
    counts: Floats, value: Ratio, options: InferenceOptions, resampled: Floats | None = None
) -> Interval:
    return value_interval(counts, Share(value), options, resampled)


def difference_interval(
    counts: Floats, value: Value, options: InferenceOptions, resampled: Floats | None = None
) -> Interval:
    """With clusters that all are of the same size."""
    return any_difference_interval(counts, value, options, resampled, sizes=np.ones(len(counts)))


def freedom(sizes: Floats, without: list[float]) -> float:
    """The degrees of freedom by their definition: (Σn)²/Σn² − 1, or 2/(Σu⁴/(Σu²)² − 1/n) if that is less."""
    mean = math.fsum(without) / len(without)
    squares = [(one - mean) ** 2 for one in without]
    kurtosis = math.fsum(one**2 for one in squares) / math.fsum(squares) ** 2
    of_sizes = math.fsum(sizes) ** 2 / math.fsum(one**2 for one in sizes) - 1
    return max(1.0, min(of_sizes, 2 / max(kurtosis - 1 / len(without), 1e-9)))


def ends(interval: Interval) -> tuple[float, float]:
    assert interval.lower is not None
    assert interval.upper is not None
    return interval.lower, interval.upper


def scored(n_clusters: int, *, chance: float = 0.8, seed: int = 0) -> Floats:
    """Counts of clusters in which a share of the units is right, in some more, in some less."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(3, 30, size=n_clusters)
    system = np.maximum(gold + rng.integers(-1, 2, size=n_clusters), 1)
    correct = rng.binomial(np.minimum(gold, system), rng.beta(10 * chance, 10 * (1 - chance), size=n_clusters))
    return np.column_stack([gold, system, correct, np.minimum(gold, system)]).astype(float)


def difference(counts: Floats) -> Floats:
    """The F1 of columns 4 to 7 less that of columns 0 to 3."""
    found: Floats = f1(counts[..., 4:]) - f1(counts[..., :4])
    return found


def as_rows(counts: Floats) -> list[tuple[int, ...]]:
    return [tuple(map(int, row)) for row in counts.tolist()]


# --- of resampled values ---


@pytest.mark.parametrize("level", LEVELS)
def test_the_percentile_interval_is_cut_from_the_resampled_values(level: float) -> None:
    counts = scored(150)
    options = InferenceOptions(level=level, method="percentile")
    resampled = f1(bootstrap_sums([counts], InferenceOptions(n_resamples=1001))[0])
    found = score_interval(counts, f1, options, resampled)
    assert ends(found) == pytest.approx(np.percentile(resampled, [50 - 50 * level, 50 + 50 * level]))
    tail = (1 - level) / 2
    exact = [reference.percentile(sorted(resampled.tolist()), 100 * one) for one in (tail, 1 - tail)]
    assert ends(found) == pytest.approx(exact)
    assert (found.method, found.level, found.n_clusters, found.n_resamples) == ("percentile", level, 150, 1001)
    assert found.note == ""


def test_with_all_resamples_the_percentile_interval_is_that_of_the_reference() -> None:
    rows = [(3, 4, 2, 3), (5, 5, 5, 5), (2, 1, 0, 1), (7, 6, 3, 6)]
    every = reference.every_bootstrap_value(rows, reference.f1)
    resampled = np.array([float(one) for one in every])
    found = score_interval(np.array(rows, dtype=float), f1, PERCENTILE, np.random.default_rng(0).permutation(resampled))
    assert ends(found) == pytest.approx((reference.percentile(every, 2.5), reference.percentile(every, 97.5)))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("seed", range(3))
def test_bca_cuts_where_scipys_does(level: float, seed: int) -> None:
    # the same resampled values for both, so that nothing is left to chance
    values = np.random.default_rng(seed).lognormal(0, 1.2, size=30)
    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=2000, method="BCa", confidence_level=level, rng=np.random.default_rng(seed)
    )
    block = np.column_stack([np.ones(30), np.ones(30), values, np.ones(30)])
    found = difference_interval(block, recall, replace(BCA, level=level), theirs.bootstrap_distribution)
    interval = theirs.confidence_interval
    assert ends(found) == pytest.approx((interval.low, interval.high), rel=1e-9)
    assert (found.method, found.n_clusters, found.n_resamples) == ("bca", 30, 2000)


def test_bca_of_our_resamples_is_scipys_but_for_chance() -> None:
    values = np.random.default_rng(9).lognormal(0, 1.0, size=40)
    n = 20_000
    theirs = stats.bootstrap((values,), np.mean, n_resamples=n, method="BCa", rng=np.random.default_rng(1))
    block = np.column_stack([np.ones(40), np.ones(40), values, np.ones(40)])
    resampled = recall(bootstrap_sums([block], InferenceOptions(n_resamples=n))[0])
    found = difference_interval(block, recall, BCA, resampled)
    # at the corrected tails, of which the outer is the rarer, the density is at least a third of the normal's at 1.96
    tail, density = 0.025, stats.norm.pdf(1.96) / 3
    sigma = values.std() / math.sqrt(40) * math.sqrt(2 * tail * (1 - tail) / n) / density
    interval = theirs.confidence_interval
    assert ends(found) == pytest.approx((interval.low, interval.high), abs=5 * sigma)
    plain = difference_interval(block, recall, PERCENTILE, resampled)
    assert ends(plain)[1] < interval.high - 5 * sigma  # so BCa is not the percentile interval by another name


def test_bca_of_unskewed_values_is_the_percentile_interval() -> None:
    counts = np.column_stack([np.full(40, 10), np.full(40, 10), np.tile([4, 6], 20), np.full(40, 10)]).astype(float)
    resampled = 0.5 + np.linspace(-0.1, 0.1, 2001)
    one, other = (score_interval(counts, recall, options, resampled) for options in (BCA, PERCENTILE))
    assert ends(one) == pytest.approx(ends(other), abs=1e-12)


def test_bca_stands_values_that_all_lie_on_one_side() -> None:
    counts = scored(40)
    found = float(f1(counts.sum(axis=0)))
    for away in (0.1, -0.1):
        resampled = found + away * np.linspace(0.1, 1, 500)
        lower, upper = ends(score_interval(counts, f1, BCA, resampled))
        assert resampled.min() <= lower <= upper <= resampled.max()


@pytest.mark.parametrize("options", [PERCENTILE, BCA])
def test_an_interval_of_resampled_values_needs_them(options: InferenceOptions) -> None:
    with pytest.raises(ValueError, match="needs resampled values"):
        score_interval(scored(20), f1, options)


# --- Student's t ---


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("n_clusters", [3, 5, 20, 99])
def test_the_t_interval_is_that_of_scipys_t_and_the_jackknife(n_clusters: int, level: float) -> None:
    a, b = scored(n_clusters, seed=1), scored(n_clusters, chance=0.7, seed=2)
    both = np.hstack([a, b])
    found = difference_interval(both, difference, InferenceOptions(level=level, method="t"))
    rows = as_rows(both)
    error = reference.jackknife_standard_error(rows, lambda row: reference.f1(row[4:]) - reference.f1(row[:4]))
    middle = float(reference.f1(as_rows(b.sum(axis=0)[None])[0]) - reference.f1(as_rows(a.sum(axis=0)[None])[0]))
    df = freedom(np.ones(n_clusters), difference(leave_one_out(both)).tolist())
    reach = float(stats.t.ppf((1 + level) / 2, df)) * error
    assert ends(found) == pytest.approx((middle - reach, middle + reach), rel=1e-6)
    assert (found.method, found.n_clusters, found.n_resamples, found.level) == ("t", n_clusters, 0, level)


@pytest.mark.parametrize("n_clusters", [3, 5, 20, 99])
def test_the_interval_of_a_score_is_symmetric_on_the_scale_of_its_logit(n_clusters: int) -> None:
    counts = scored(n_clusters, seed=3)
    found = score_interval(counts, f1, OPTIONS)
    middle = float(f1(counts.sum(axis=0)))
    error = reference.jackknife_standard_error(as_rows(counts), reference.f1)
    df = freedom(f1.bottom(counts), f1(leave_one_out(counts)).tolist())
    reach = float(stats.t.ppf(0.975, df)) * error / (middle * (1 - middle))
    lower, upper = (math.log(end / (1 - end)) for end in ends(found))
    logit = math.log(middle / (1 - middle))
    assert (lower, upper) == pytest.approx((logit - reach, logit + reach), rel=1e-6)
    assert (found.method, found.n_resamples) == ("t-logit", 0)
    sizes = f1.bottom(counts)
    assert found.effective_clusters == pytest.approx(sizes.sum() ** 2 / (sizes**2).sum())


SHARES = st.lists(
    st.integers(1, 12).flatmap(lambda units: st.tuples(st.just(units), st.integers(0, units))), min_size=2, max_size=30
)


def shares_of(pairs: list[tuple[int, int]]) -> Floats:
    return np.array([(units, units, correct, units) for units, correct in pairs], dtype=float)


@given(SHARES, st.sampled_from(LEVELS))
def test_the_interval_of_a_score_lies_between_0_and_1_around_it(pairs: list[tuple[int, int]], level: float) -> None:
    counts = shares_of(pairs)
    found = score_interval(counts, recall, InferenceOptions(level=level, method="t"))
    assume(found.lower is not None)
    lower, upper = ends(found)
    assert 0 <= lower <= float(recall(counts.sum(axis=0))) <= upper <= 1
    assert lower < upper


@given(SHARES)
def test_the_interval_of_errors_mirrors_that_of_the_score(pairs: list[tuple[int, int]]) -> None:
    right, wrong = shares_of(pairs), shares_of([(units, units - correct) for units, correct in pairs])
    one, other = score_interval(right, recall, T), score_interval(wrong, recall, T)
    assert (one.lower is None) == (other.lower is None)
    if one.lower is not None:
        lower, upper = ends(other)
        assert ends(one) == pytest.approx((1 - upper, 1 - lower), abs=1e-9)


def test_the_interval_of_a_difference_mirrors_that_of_the_other_direction() -> None:
    both = np.hstack([scored(30, seed=1), scored(30, chance=0.7, seed=2)])
    turned = np.hstack([both[:, 4:], both[:, :4]])
    lower, upper = ends(difference_interval(turned, difference, T))
    assert ends(difference_interval(both, difference, T)) == pytest.approx((-upper, -lower))


def test_the_t_interval_of_a_mean_is_the_textbooks() -> None:
    values = np.random.default_rng(0).random(12)  # no heavier tails than the normal's
    block = np.column_stack([np.ones(12), np.ones(12), values, np.ones(12)])
    found = difference_interval(block, recall, T)
    expected = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    assert ends(found) == pytest.approx((expected.low, expected.high))


@given(st.floats(1e-6, 1 - 1e-6), st.floats(1e-9, 10), st.integers(1, 500), st.sampled_from(LEVELS))
def test_ends_on_the_logit_scale_stay_within_0_and_1_whatever_the_error(
    share: float, error: float, df: int, level: float
) -> None:
    lower, upper = t_interval(share, error, df, level, "t-logit")
    assert 0 <= lower <= share * (1 + 1e-9)
    assert share * (1 - 1e-9) <= upper <= 1


# --- what must not change an interval ---


@pytest.mark.parametrize("options", [T, PERCENTILE, BCA], ids=lambda options: options.method)
def test_the_order_of_clusters_does_not_matter(options: InferenceOptions) -> None:
    counts, intervals = scored(50), []
    for seed in range(8):
        other = np.random.default_rng(seed).permutation(counts)
        resampled = f1(bootstrap_sums([other], InferenceOptions(n_resamples=500))[0])
        intervals.append(score_interval(other, f1, options, resampled))
    assert set(intervals) == {intervals[0]}


def test_a_higher_level_makes_a_wider_interval() -> None:
    counts = scored(150)
    resampled = f1(bootstrap_sums([counts], InferenceOptions(n_resamples=2000))[0])
    for options in (T, PERCENTILE, BCA):
        found = [ends(score_interval(counts, f1, replace(options, level=level), resampled)) for level in LEVELS]
        lower, upper = zip(*found, strict=True)
        assert list(lower) == sorted(lower, reverse=True)
        assert list(upper) == sorted(upper)


def test_with_many_clusters_all_methods_nearly_agree() -> None:
    counts = scored(2000)
    resampled = f1(bootstrap_sums([counts], InferenceOptions(n_resamples=10_000))[0])
    error = standard_error(f1(leave_one_out(counts)))
    found = [ends(score_interval(counts, f1, options, resampled)) for options in (T, PERCENTILE, BCA)]
    # of 10,000 resamples an end at 2.5 % is off by √(0.025 · 0.975/10,000)/0.058 = 0.027 standard errors
    assert np.ptp(found, axis=0).max() < 5 * 0.027 * error + 0.05 * error


# --- where there can be no interval ---

ANY = pytest.mark.parametrize("options", [OPTIONS, T, PERCENTILE, BCA], ids=["auto", "t", "percentile", "bca"])


def units(*pairs: tuple[int, int]) -> Floats:
    """Clusters of so many units of which so many are right."""
    return shares_of(list(pairs))


@ANY
@pytest.mark.parametrize(
    ("counts", "note"),
    [
        (units((5, 3)), "one cluster is too few"),
        (units((5, 0)), "one cluster is too few"),
        (units((5, 5)), "one cluster is too few"),
        (units((5, 3), (6, 2)), "two clusters are too few"),
        (units((5, 3), (6, 2), (0, 0)), "two clusters are too few"),
        (units((0, 0), (0, 0)), "nothing to measure"),
        (units((0, 0)), "nothing to measure"),
        (units((6, 3), (4, 2), (10, 5)), "do not differ"),
        (units((3, 1), (6, 2), (9, 3), (300, 100)), "do not differ"),
    ],
)
def test_there_is_no_interval_where_nothing_can_be_said(options: InferenceOptions, counts: Floats, note: str) -> None:
    resampled = np.full(100, float(recall(counts.sum(axis=0))))
    found = score_interval(counts, recall, options, resampled)
    assert (found.lower, found.upper, found.method, found.n_resamples) == (None, None, "none", 0)
    assert note in found.note
    assert (found.level, found.n_clusters, found.includes_zero) == (0.95, len(counts), None)


@ANY
def test_there_is_no_interval_of_a_difference_where_nothing_can_be_said(options: InferenceOptions) -> None:
    same = np.hstack([scored(30), scored(30)])
    assert "do not differ" in difference_interval(same, difference, options, np.zeros(10)).note
    assert "one cluster is too few" in difference_interval(same[:1], difference, options, np.zeros(10)).note
    assert "two clusters" in difference_interval(same[:2], difference, options, np.zeros(10)).note


def test_there_is_no_interval_where_some_cluster_is_needed_for_a_value() -> None:
    def log_ratio(counts: Floats) -> Floats:
        with np.errstate(divide="ignore"):
            found: Floats = np.log(counts[..., 0]) - np.log(counts[..., 1])
        return found

    found = difference_interval(np.array([[3, 0], [2, 4], [1, 0.0]]), log_ratio, T)
    assert (found.lower, found.method) == (None, "none")
    assert "undefined if one of the clusters" in found.note


@ANY
def test_there_is_no_interval_where_one_cluster_has_all_units(options: InferenceOptions) -> None:
    # without that cluster there is no score, which is not a score of 0
    counts = units((10, 6), (0, 0), (0, 0), (0, 0))
    found = score_interval(
        counts, recall, options, recall(bootstrap_sums([counts], InferenceOptions(n_resamples=200))[0])
    )
    assert (found.lower, found.upper) == (None, None)
    assert found.note


@pytest.mark.parametrize("value", [precision, recall, f1, aligned_accuracy], ids=lambda value: value.name)
def test_a_score_of_1_has_a_one_sided_interval(value: Ratio) -> None:
    """Clopper and Pearson's upper end of 0 of n is 1 − α^(1/n); n are the clusters, as many as are worth."""
    counts = units((5, 5), (5, 5), (5, 5), (5, 5))
    found = score_interval(counts, value, OPTIONS)
    assert ends(found) == pytest.approx((float(stats.beta.ppf(0.05, 4, 1)), 1.0))
    assert (found.method, found.effective_clusters) == ("korn-graubard", 4)
    unequal = score_interval(units((50, 50), (1, 1), (1, 1), (1, 1)), value, OPTIONS)
    assert ends(unequal)[0] < ends(found)[0]
    none = score_interval(units((5, 0), (5, 0), (5, 0), (5, 0)), value, OPTIONS)
    assert ends(none) == pytest.approx((0.0, 1 - ends(found)[0]))


def _one_each(n_right: int, n: int) -> Floats:
    return units(*[(1, 1)] * n_right, *[(1, 0)] * (n - n_right))


@pytest.mark.parametrize(("k", "n"), [(1, 3), (1, 25), (1, 100), (99, 100), (2, 100), (37, 100), (1, 274), (600, 1000)])
def test_a_share_of_single_units_has_the_binomial_mid_p_interval(k: int, n: int) -> None:
    found = score_interval(_one_each(k, n), recall, OPTIONS)
    assert (found.method, found.effective_clusters) == ("mid-p", n)
    for end, tail in zip(ends(found), (0.025, 0.975), strict=True):
        assert stats.binom.sf(k, n, end) + stats.binom.pmf(k, n, end) / 2 == pytest.approx(tail)


def test_a_binomial_interval_of_nothing_would_be_the_one_sided_one() -> None:
    _, upper = ends(score_interval(_one_each(0, 274), recall, OPTIONS))
    assert stats.binom.pmf(0, 274, upper) / 2 == pytest.approx(0.025)


@pytest.mark.parametrize("n", [10, 25, 100, 400])
def test_intervals_of_single_units_cover_shares_that_are_small_too(n: int) -> None:
    """Exactly, over all numbers of right units: at least 92 %, and 95 % or more on average over shares."""
    every = [ends(score_interval(_one_each(k, n), recall, OPTIONS)) for k in range(n + 1)]
    low, high = np.array(every).T
    shares = np.linspace(0.002, 0.5, 250)
    covered = [float(stats.binom.pmf(np.flatnonzero((low <= p) & (p <= high)), n, p).sum()) for p in shares]
    assert min(covered) > 0.92
    assert np.mean(covered) > 0.95


class _Square:
    """A share, squared: of single units it is 0 or 1, of many no share of them."""

    bounds: Bounds = "share"

    def value(self, counts: Floats) -> Floats:
        found: Floats = recall(counts) ** 2
        return found

    def sizes(self, counts: Floats) -> Floats:
        return recall.bottom(counts)


@pytest.mark.parametrize("n_right", [1, 9, 19])
def test_a_value_that_is_no_share_of_its_units_has_no_binomial_interval(n_right: int) -> None:
    (found,) = intervals([(_one_each(n_right, 20), _Square())], Clusters("", "", np.arange(20), 20), OPTIONS)
    assert found.method == "t-logit"


def test_clusters_of_several_units_and_asked_methods_have_other_intervals() -> None:
    of_two = units((2, 2), *[(2, 0)] * 9)
    assert score_interval(of_two, recall, OPTIONS).method == "mid-p"  # as if one: all right or all wrong
    assert score_interval(units((2, 1), *[(2, 0)] * 9), recall, OPTIONS).method == "t-logit"
    assert score_interval(units((1, 1), *[(2, 0)] * 9), recall, OPTIONS).method == "t-logit"
    assert score_interval(_one_each(3, 10), recall, InferenceOptions(method="t")).method == "t-logit"


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_one_resample_makes_no_interval_and_that_is_why(method: Method) -> None:
    options = InferenceOptions(n_resamples=1, method=method)
    assert options.too_few().startswith("1 resample is too few for a level of 0.95")
    counts = scored(40, seed=5)
    (found,) = intervals([(counts, Share(f1))], Clusters("sentence", "sentence", np.arange(40), 40), options)
    assert (found.ends, found.note) == (None, "one resample is too few for an interval")


def test_few_clusters_have_the_wider_of_their_interval_and_the_sentences() -> None:
    counts = scored(40, seed=5)
    groups = Clusters("document", "document", np.arange(40) // 10, 4)
    (found,) = intervals([(counts, Share(f1))], groups, OPTIONS)
    over = score_interval(groups.summed(counts), f1, OPTIONS), score_interval(counts, f1, OPTIONS)
    widths = [ends(one)[1] - ends(one)[0] for one in over]
    assert ends(found) == ends(over[int(np.argmax(widths))]) == ends(wider(*over))
    assert found.n_clusters == 4  # whichever it is, it is worth no more than the documents
    many = Clusters("document", "document", np.arange(40) // 4, 10)
    assert intervals([(counts, Share(f1))], many, OPTIONS) == [score_interval(many.summed(counts), f1, OPTIONS)]


def test_the_interval_of_a_difference_stays_where_a_difference_can_lie() -> None:
    both = np.hstack([units((5, 0), (5, 5), (4, 0)), units((5, 5), (5, 4), (4, 4))])
    found = any_difference_interval(both, difference, OPTIONS, sizes=np.ones(3)).within(-1, 1)
    assert -1 <= ends(found)[0] < ends(found)[1] == 1


def test_what_stands_for_no_interval_says_why() -> None:
    found = no_interval(7, InferenceOptions(level=0.9), "because")
    assert found == Interval(None, None, 0.9, "none", 7, 0, "because")


def test_an_interval_knows_whether_0_lies_inside() -> None:
    for lower, upper, expected in ((-1.0, 1.0, True), (0.0, 1.0, True), (0.1, 1.0, False), (-1.0, -0.1, False)):
        assert Interval(lower, upper, 0.95, "t", 5, 0).includes_zero is expected
