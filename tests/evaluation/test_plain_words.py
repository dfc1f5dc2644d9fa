"""Each wording of a comparison, and which interval and p lead to it."""

from __future__ import annotations

from dataclasses import replace

import pytest

import karat
from karat.evaluation.comparison_results import PairResult, RunSpread
from karat.evaluation.plain_words import in_words, points, shown_p, verdict
from karat.inference.intervals import Interval
from karat.inference.planning import Equivalence


def pair(p: float, lower: float | None, upper: float | None, difference: float = 0.012) -> PairResult:
    """A comparison of ada and bix over 200 sentences with this p and this interval."""
    interval = Interval(lower, upper, 0.95, "percentile", 200, 10_000)
    base = karat.compare_counts(karat.PairCounts(700, 100, 120, 80), names=("ada", "bix")).pairs[0]
    return replace(
        base,
        measure="LAS",
        value_a=0.8,
        value_b=0.8 + difference,
        difference=difference,
        interval=interval,
        test="exact permutation",
        p=p,
        p_adjusted=p,
        p_is_upper_bound=False,
        n_differing=60,
        cluster="sentence",
        n_clusters=200,
    )


def test_a_shown_difference() -> None:
    one = pair(0.012, 0.002, 0.022)
    assert verdict(one, 0.95) == "different"
    assert in_words(one, 0.95) == (
        "bix is better than ada on LAS: 81.2 to 80.0, a difference of 1.20 points (95 % CI +0.20 to +2.20, p = 0.012)."
    )


def test_the_better_system_comes_first_and_the_interval_is_its_own() -> None:
    one = pair(0.012, -0.022, -0.002, difference=-0.012)
    assert in_words(one, 0.95) == (
        "ada is better than bix on LAS: 80.0 to 78.8, a difference of 1.20 points (95 % CI +0.20 to +2.20, p = 0.012)."
    )


def test_a_p_too_small_to_know_is_bounded() -> None:
    one = replace(pair(1e-12, 0.002, 0.022), p_is_upper_bound=True)
    assert in_words(one, 0.95).endswith("p < 0.0001).")


def test_a_shown_difference_without_an_interval() -> None:
    one = replace(pair(0.012, None, None), interval=None)
    assert (
        in_words(one, 0.95) == "bix is better than ada on LAS: 81.2 to 80.0, a difference of 1.20 points (p = 0.012)."
    )


def test_an_open_question() -> None:
    one = pair(0.33, -0.01, 0.034)
    assert verdict(one, 0.95) == "open"
    assert in_words(one, 0.95) == (
        "bix is ahead of ada on LAS (81.2 to 80.0), but the difference could be due to chance (95 % CI of the "
        "difference −1.00 to +3.40, p = 0.33)."
    )


def test_significant_alone_but_not_among_many() -> None:
    one = replace(pair(0.02, 0.001, 0.022), p_adjusted=0.2, n_compared=10)
    assert verdict(one, 0.95) == "alone only"
    assert in_words(one, 0.95) == (
        "bix is ahead of ada on LAS (81.2 to 80.0). On its own the difference would be significant (p = 0.020), but "
        "not among 10 comparisons (adjusted p = 0.20)."
    )


@pytest.mark.parametrize(
    ("p", "lower", "text"),
    [
        (0.049, -0.001, "the test finds a difference (p = 0.049), the 95 % CI −0.10 to +2.50 includes 0."),
        (0.051, 0.001, "the 95 % CI +0.10 to +2.50 excludes 0, the test finds no difference (p = 0.051)."),
    ],
)
def test_test_and_interval_that_disagree_are_on_the_border(p: float, lower: float, text: str) -> None:
    one = pair(p, lower, 0.025)
    assert verdict(one, 0.95) == "border"
    assert in_words(one, 0.95) == f"bix is ahead of ada on LAS (81.2 to 80.0), but this is borderline: {text}"


def test_too_few_sentences_that_differ() -> None:
    one = replace(pair(0.25, -0.01, 0.02), n_differing=3)
    assert verdict(one, 0.95) == "too few"
    assert in_words(one, 0.95) == (
        "bix is ahead of ada on LAS (81.2 to 80.0), but only 3 sentences differ: too few for a verdict."
    )
    assert verdict(replace(one, n_differing=6), 0.95) == "open"  # 2/64 could be below 5 %


def test_a_single_cluster_tells_nothing() -> None:
    one = replace(pair(1.0, None, None), n_clusters=1, n_differing=1)
    assert "1 sentence is too few for a verdict (at least 6)" in in_words(one, 0.95)
    few = replace(one, n_clusters=7, n_differing=7, n_compared=6, cluster="document")
    assert "7 documents are too few for a verdict (at least 8 with 6 comparisons)" in in_words(few, 0.95)


def test_systems_that_do_the_same() -> None:
    one = replace(pair(1.0, None, None, difference=0.0), n_differing=0)
    assert verdict(one, 0.95) == "same"
    assert in_words(one, 0.95) == "ada and bix score the same on LAS on all sentences."


def test_documents_and_groups_are_called_by_name() -> None:
    one = replace(pair(0.25, None, None), n_differing=2)
    assert "only 2 documents differ: too few for a verdict" in in_words(replace(one, cluster="document"), 0.95)
    assert "only 2 groups differ: too few for a verdict" in in_words(replace(one, cluster="groups.txt"), 0.95)


def test_ends_near_zero_show_their_sign() -> None:
    assert "CI +0.003 to +2.20" in in_words(pair(0.012, 0.00003, 0.022), 0.95)
    assert [points(value) for value in (0.0, -0.004, 1.234)] == ["+0.00", "−0.004", "+1.23"]


def test_equivalence_is_said() -> None:
    one = replace(pair(0.6, -0.001, 0.0015, difference=0.0003), equivalence=Equivalence(0.002, 0.004, True))
    assert in_words(one, 0.95).endswith(" They are equivalent within 0.2 points (two one-sided tests, p = 0.0040).")
    other = replace(one, equivalence=Equivalence(0.002, 0.3, False))
    assert in_words(other, 0.95).endswith(
        " They are not shown to be equivalent within 0.2 points (two one-sided tests, p = 0.30)."
    )
    whole = replace(one, equivalence=Equivalence(0.01, 0.3, False))
    assert " within 1 point (two" in in_words(whole, 0.95)


def test_the_scatter_of_runs_is_said() -> None:
    runs = RunSpread(3, 1, 0.004, None, 0.002, 0.003, True, False)
    one = replace(pair(0.01, 0.002, 0.02), runs=runs)
    assert in_words(one, 0.95).endswith("bix has 1 run, assumed to vary as much as those of other systems.")
    assert verdict(one, 0.95) == "different"
    two = replace(one, runs=replace(runs, n_a=2, n_b=2, too_few=True))
    assert verdict(two, 0.95) == "open"
    assert in_words(two, 0.95).endswith(
        "but with so few runs this may be how much runs vary (give at least 3 of a system)."
    )


def test_counts_speak_of_units() -> None:
    one = karat.compare_counts(karat.PairCounts(6516, 232, 343, 4309)).pairs[0]
    assert (
        in_words(one, 0.95)
        == "B is better than A: 60.2 to 59.2, a difference of 0.97 points (95 % CI +0.56 to +1.39, p < 0.0001)."
    )
    none = karat.compare_counts(karat.PairCounts(10, 0, 0, 3)).pairs[0]
    assert in_words(none, 0.95) == "A and B score the same on all units."


@pytest.mark.parametrize(
    ("p", "is_bound", "shown"),
    [
        (0.0321, False, "p = 0.032"),
        (0.0502, False, "p = 0.0502"),
        (0.04996, False, "p = 0.04996"),
        (0.6, False, "p = 0.60"),
        (1.0, False, "p = 1.00"),
        (0.00042, False, "p = 0.00042"),
        (4.2e-6, False, "p < 0.0001"),
        (1e-12, True, "p < 0.0001"),
    ],
)
def test_p_is_never_shown_as_zero(p: float, is_bound: bool, shown: str) -> None:
    assert shown_p(p, is_bound) == shown


def test_a_tie_is_called_one() -> None:
    one = pair(0.9, -0.01, 0.01, difference=0.0)
    assert in_words(one, 0.95) == "ada and bix tie on LAS (80.0); 95 % CI of the difference −1.00 to +1.00, p = 0.90."


def test_values_have_as_many_digits_as_tell_them_apart() -> None:
    one = pair(0.01, 0.0001, 0.0007, difference=0.0004)
    assert "on LAS: 80.04 to 80.00, a difference of 0.04 points" in in_words(one, 0.95)
