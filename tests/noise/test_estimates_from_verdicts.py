"""What judgements of a sample say: sums by hand, a reference from the definitions, properties, and coverage."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from karat._arrays import Array, Indices
from karat.errors import UsageError
from karat.noise.bounds import CELLS
from karat.noise.estimates_from_verdicts import OneEstimate, estimate_one, estimate_pair
from karat.noise.intervals_from_verdicts import CheckedEstimate
from karat.noise.judges import merged_judges
from karat.noise.token_sampling import (
    AGREEMENTS_SHARE,
    FEWEST_OF_STRATUM,
    NONE_SHOWN,
    NOT_JUDGED,
    sample_one,
    sample_pair,
    strata_pair,
)

ESTIMATES = tuple(field.name for field in fields(OneEstimate) if str(field.type) == "CheckedEstimate | None")


def seeded(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def codes(*values: int) -> Indices:
    return np.array(values, dtype=np.intp)


def value(estimate: CheckedEstimate | None) -> float:
    assert estimate is not None
    assert estimate.value is not None
    return estimate.value


def ends(estimate: CheckedEstimate | None) -> tuple[float, float]:
    assert estimate is not None
    assert estimate.lower is not None
    assert estimate.upper is not None
    return estimate.lower, estimate.upper


# ---- by hand ---------------------------------------------------------------------------------------------------------

# 10 tokens; the system has the gold's tag in the first 6 (K = 0.6) and differs in the last 4
GOLD = codes(0, 0, 0, 1, 1, 1, 0, 0, 1, 1)
SYSTEM = codes(0, 0, 0, 1, 1, 1, 1, 2, 0, 0)
TOKENS = codes(0, 1, 2, 6, 7, 8, 9)
SAID = codes(0, 0, 2, 1, 0, NONE_SHOWN, 1)  # of the same: right, right, both wrong; then: system, gold, neither, gold


def test_the_equation_without_a_known_corpus_error() -> None:
    """f = 1/4, g = 1/4, e = 1/3, K = 6/10: of 10 tokens 4 right in both, 2 the same error, 1, 1 and 2 others."""
    found = estimate_one(GOLD, SYSTEM, TOKENS, SAID, seeded())
    assert found.observed == 0.6
    assert value(found.right_where_different) == 1 / 4
    assert value(found.both_wrong_where_different) == 1 / 4
    assert value(found.wrong_where_same) == pytest.approx(1 / 3)
    assert value(found.accuracy) == pytest.approx(0.6 * (1 - 1 / 3) + 0.4 / 4)  # 4 + 1 of 10
    assert value(found.corpus_error) == pytest.approx(0.6 / 3 + 0.4 * (1 / 4 + 1 / 4))  # 2 + 1 + 1 of 10
    assert value(found.right_where_gold_right) == pytest.approx(4 / 6)
    assert value(found.right_where_gold_wrong) == pytest.approx(1 / 4)
    assert value(found.same_error) == pytest.approx(2 / 3)
    assert {name: value(one) for name, one in found.cells.items()} == pytest.approx(
        dict(zip(CELLS, (0.4, 0.2, 0.1, 0.2, 0.1), strict=True))
    )
    assert [(one.name, one.size, one.n_sampled, one.n_judged) for one in found.strata] == [
        ("different", 4, 4, 4),
        ("same", 6, 3, 3),
    ]


def test_the_equation_with_a_known_corpus_error() -> None:
    """K − C + (1−K)(2f + g) = 0.6 − 0.3 + 0.4 · 3/4; 3 of 10 wrong in the gold: 2 where they differ, so 1 the same."""
    found = estimate_one(GOLD, SYSTEM, TOKENS[3:], SAID[3:], seeded(), corpus_error=0.3)
    assert value(found.accuracy) == pytest.approx(0.6 - 0.3 + 0.4 * (2 / 4 + 1 / 4))
    assert value(found.right_where_gold_right) == pytest.approx(5 / 7)
    assert value(found.right_where_gold_wrong) == pytest.approx(1 / 3)
    assert value(found.same_error) == pytest.approx(1 / 2)
    assert found.corpus_error is None
    assert found.wrong_where_same is None
    assert found.notes == ()
    assert ends(found.accuracy) == pytest.approx((0.6, 0.6))  # every disagreement is judged


def test_without_agreements_and_corpus_error_only_the_disagreements_are_known() -> None:
    found = estimate_one(GOLD, SYSTEM, TOKENS[3:], SAID[3:], seeded())
    known = {name for name in ESTIMATES if getattr(found, name) is not None}
    assert known == {"right_where_different", "both_wrong_where_different"}
    cells = {name for name, one in found.cells.items() if one is not None}
    assert cells == {"true_negative", "false_negative", "both_wrong_differently"}


def test_a_corpus_error_that_the_judgements_contradict_is_said() -> None:
    found = estimate_one(GOLD, SYSTEM, TOKENS[3:], SAID[3:], seeded(), corpus_error=0.1)
    assert value(found.accuracy) == pytest.approx(0.6 - 0.1 + 0.4 * 3 / 4)
    assert value(found.same_error) == 0  # e = −1/6 taken as 0
    assert value(found.right_where_gold_wrong) == 1 / 2
    assert len(found.notes) == 1
    assert "finds 0.2 in the tokens where system and gold differ alone" in found.notes[0]
    everything = np.arange(10)
    said = np.where(everything < 6, GOLD, SYSTEM)
    found = estimate_one(GOLD, SYSTEM, everything, said, seeded(), corpus_error=0.5)
    assert found.notes == ("the corpus error is given as 0.5, but the check finds 0.4 to 0.4",)
    assert estimate_one(GOLD, SYSTEM, everything, said, seeded(), corpus_error=0.4).notes == ()


def test_the_difference_by_hand() -> None:
    """Strata of 4, 2 and 1 tokens of 10; A right in 1 of 2 judged and B in the other; B right; A right: 0 + 2 − 1."""
    gold = codes(0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    a = codes(0, 0, 0, 0, 1, 1, 1, 0, 0, 1)
    b = codes(1, 1, 1, 2, 0, 0, 2, 0, 0, 1)
    found = estimate_pair(gold, a, b, codes(0, 3, 4, 6), codes(0, 2, 0, 1), seeded())
    assert found.difference.value == pytest.approx((4 * 0 + 2 * 1 - 1 * 1) / 10)
    assert found.observed == pytest.approx(-0.2)
    assert [one.size for one in found.strata] == [4, 2, 1]
    assert found.verdict == "open"


def test_none_shown_and_another_tag_say_the_same() -> None:
    other = np.where(SAID == NONE_SHOWN, 7, SAID)
    assert estimate_one(GOLD, SYSTEM, TOKENS, SAID, seeded()) == estimate_one(GOLD, SYSTEM, TOKENS, other, seeded())


def test_one_binary_stratum_has_jeffreys_interval() -> None:
    """Of a large stratum of agreements with 3 errors in 50: the quantiles of Beta(3.5, 47.5)."""
    from scipy import stats

    gold = np.zeros(1_000_000, dtype=np.intp)
    found = estimate_one(gold, gold, np.arange(50), np.repeat([0, 1], [47, 3]), seeded(), level=0.9)
    expected = stats.beta(3.5, 47.5).ppf([0.05, 0.95])
    assert ends(found.wrong_where_same) == pytest.approx(expected, rel=0.03)
    assert found.right_where_different is None  # a share of nothing
    assert value(found.accuracy) == pytest.approx(0.94)


def test_an_interval_holds_its_value() -> None:
    """No error in 50 of a million agreements: the 2.5 % quantile of Beta(0.5, 50.5) is 10⁻⁵, some ten tokens."""
    gold = np.zeros(1_000_000, dtype=np.intp)
    found = estimate_one(gold, gold, np.arange(50), gold[:50], seeded())
    assert ends(found.wrong_where_same)[0] == 0
    assert ends(found.wrong_where_same)[1] == pytest.approx(0.0486, rel=0.05)
    assert ends(found.accuracy)[0] == pytest.approx(1 - 0.0486, rel=0.005)
    assert ends(found.accuracy)[1] == 1


def test_the_posterior_of_a_pair_is_that_of_its_beta() -> None:
    """Both differ in one large stratum, all judged for A or B, none for neither: P(θ_B > θ_A) by integration."""
    from scipy import integrate, stats

    gold = np.zeros(10_000_000, dtype=np.intp)
    b = np.ones_like(gold)
    tokens, said = np.arange(40), np.repeat([0, 1, 2], [16, 20, 4])
    found = estimate_pair(gold, gold, b, tokens, said, seeded())
    # θ_A and θ_B relative to their sum are Beta(16.5, 20.25)
    expected = stats.beta(16.5, 20.25).cdf(0.5)
    assert found.probability_b_better == pytest.approx(expected, abs=0.012)
    assert integrate.quad(stats.beta(16.5, 20.25).pdf, 0, 0.5)[0] == pytest.approx(expected)
    drawn = stats.dirichlet([4.25, 16.5, 20.25]).rvs(200_000, random_state=1)
    expected_ends = np.quantile(drawn[:, 2] - drawn[:, 1], [0.025, 0.975])
    assert ends(found.difference) == pytest.approx(expected_ends, abs=0.01)


# ---- from the definitions --------------------------------------------------------------------------------------------


class Cells(NamedTuple):
    """Weighted tokens in the cells of Table 1: gold and system right, gold only, system only, same and other error."""

    both: Fraction
    gold_only: Fraction
    system_only: Fraction
    same_error: Fraction
    other_error: Fraction


def reference_cells(gold: Array, system: Array, tokens: Array, said: Array) -> Cells:
    """Each judged token counts as often as its stratum has tokens for a judged one."""
    rows = list(zip(gold.tolist(), system.tolist(), strict=True))
    judged = [(rows[token], code) for token, code in zip(tokens.tolist(), said.tolist(), strict=True) if code != -2]
    cells = dict.fromkeys(Cells._fields, Fraction(0))
    for (in_gold, in_system), code in judged:
        size = sum((one == other) == (in_gold == in_system) for one, other in rows)
        n = sum((one == other) == (in_gold == in_system) for (one, other), _ in judged)
        if in_gold == code:
            name = "both" if in_system == code else "gold_only"
        elif in_system == code:
            name = "system_only"
        else:
            name = "same_error" if in_gold == in_system else "other_error"
        cells[name] += Fraction(size, n)
    return Cells(**cells)


def share(part: Fraction, whole: Fraction) -> float | None:
    return float(part / whole) if whole else None


def reference_values(cells: Cells) -> dict[str, float | None]:
    both, gold_only, system_only, same, other = cells
    n, different = sum(cells, Fraction(0)), gold_only + system_only + other
    return {
        "accuracy": share(both + system_only, n),
        "corpus_error": share(system_only + same + other, n),
        "right_where_different": share(system_only, different),
        "both_wrong_where_different": share(other, different),
        "wrong_where_same": share(same, both + same),
        "right_where_gold_right": share(both, both + gold_only),
        "right_where_gold_wrong": share(system_only, system_only + same + other),
        "same_error": share(same, same + other),
    }


@st.composite
def corpora(draw: st.DrawFn) -> tuple[Indices, Indices, Indices, Indices]:
    """Truth, gold and two systems of 1 to 40 tokens with 3 tags."""
    n = draw(st.integers(1, 40))
    tags = st.lists(st.integers(0, 2), min_size=n, max_size=n).map(lambda found: np.array(found, dtype=np.intp))
    return draw(tags), draw(tags), draw(tags), draw(tags)


def as_values(found: OneEstimate) -> dict[str, float | None]:
    estimates = {name: getattr(found, name) for name in ESTIMATES}
    return {name: None if one is None else one.value for name, one in estimates.items()}


@given(corpora(), st.integers(1, 50), st.integers(0, 2**32))
@settings(max_examples=40)
def test_values_are_those_of_the_definitions(corpus: tuple[Indices, ...], budget: int, seed: int) -> None:
    truth, gold, system, _ = corpus
    sample = sample_one(gold, system, budget, seeded(seed), agreements_share=0.6)
    said = np.where(seeded(seed).random(len(sample.tokens)) < 0.2, NOT_JUDGED, truth[sample.tokens])
    n_judged = [((sample.strata == stratum) & (said != NOT_JUDGED)).sum() for stratum in range(2)]
    found = estimate_one(gold, system, sample.tokens, said, seeded(seed))
    assert [one.n_judged for one in found.strata] == n_judged
    if all(n or not size for n, size in zip(n_judged, sample.sizes, strict=True)):
        expected = reference_values(reference_cells(gold, system, sample.tokens, said))
        assert as_values(found) == pytest.approx(expected)
        known = estimate_one(gold, system, sample.tokens, said, seeded(seed), corpus_error=0.25)
        k, f, g = found.observed, expected["right_where_different"] or 0, expected["both_wrong_where_different"] or 0
        assert value(known.accuracy) == pytest.approx(min(1, max(0, k - 0.25 + (1 - k) * (2 * f + g))))


@given(corpora(), st.integers(0, 2**32))
@settings(max_examples=40)
def test_everything_judged_leaves_nothing_open(corpus: tuple[Indices, ...], seed: int) -> None:
    truth, gold, a, b = corpus
    sample = sample_one(gold, a, 1000, seeded(seed), agreements_share=0.5)
    assert sample.tokens.tolist() == list(range(len(gold)))
    found = estimate_one(gold, a, sample.tokens, truth, seeded(seed))
    x = float((a == truth).mean())
    assert value(found.accuracy) == pytest.approx(x)
    right, agrees = gold == truth, gold == a
    cells = [right & agrees, right & ~agrees, (a == truth) & ~right, ~right & agrees, ~right & ~agrees & (a != truth)]
    for name, cell in zip(CELLS, cells, strict=True):
        assert ends(found.cells[name]) == pytest.approx((cell.mean(), cell.mean()))
    assert value(found.corpus_error) == pytest.approx(float((gold != truth).mean()))
    for name in ESTIMATES:
        one = getattr(found, name)
        assert one is None or one.value == pytest.approx(one.least) == pytest.approx(one.most)
    if (gold == truth).any():
        corpus_error = float((gold != truth).mean())
        known = estimate_one(gold, a, sample.tokens, truth, seeded(seed), corpus_error=corpus_error)
        assert ends(known.accuracy) == pytest.approx((x, x))
        assert as_values(known) == pytest.approx(as_values(found))
        assert known.notes == ()
    chosen = sample_pair(gold, a, b, 1000, seeded(seed)).tokens
    pair = estimate_pair(gold, a, b, chosen, truth[chosen], seeded(seed))
    difference = float((b == truth).mean()) - x
    assert ends(pair.difference) == pytest.approx((difference, difference))
    assert pair.verdict == ("open" if abs(difference) < 1e-12 else "AB"[difference > 0])
    assert pair.probability_b_better == (0.5 if abs(difference) < 1e-12 else float(difference > 0))


# ---- samples ---------------------------------------------------------------------------------------------------------


@given(corpora(), st.integers(1, 60), st.floats(0, 1), st.integers(0, 2**32))
def test_weights_sum_to_the_sizes_of_the_strata(
    corpus: tuple[Indices, ...], budget: int, agreements_share: float, seed: int
) -> None:
    _, gold, a, b = corpus
    for sample, drawn_from in (
        (sample_one(gold, a, budget, seeded(seed), agreements_share=agreements_share), {0, 1}),
        (sample_pair(gold, a, b, budget, seeded(seed)), {0, 1, 2}),
    ):
        assert sample.tokens.tolist() == sorted(set(sample.tokens.tolist()))
        if agreements_share in (0, 1) and len(sample.names) == 2:
            drawn_from = {int(agreements_share)}
        reachable = sum(int(sample.sizes[stratum]) for stratum in drawn_from)
        assert len(sample.tokens) == min(budget, reachable)
        for stratum in range(len(sample.names)):
            of_stratum = sample.strata == stratum
            if of_stratum.any():
                assert sample.weights[of_stratum].sum() == pytest.approx(sample.sizes[stratum])
            elif budget >= len(sample.names):
                assert not sample.sizes[stratum] or stratum not in drawn_from


def test_a_sample_is_of_the_strata_it_says() -> None:
    rng = seeded()
    gold, a, b = rng.integers(3, size=(3, 500))
    one = sample_one(gold, a, 100, rng, agreements_share=0.3)
    assert ((gold == a)[one.tokens] == (one.strata == 1)).all()
    assert (one.strata == 1).sum() == 30
    pair = sample_pair(gold, a, b, 100, rng)
    assert (a[pair.tokens] != b[pair.tokens]).all()
    for stratum, expected in enumerate((a == gold, b == gold, (a != gold) & (b != gold))):
        assert expected[pair.tokens][pair.strata == stratum].all()
        assert pair.sizes[stratum] == (expected & (a != b)).sum()
    assert strata_pair(gold, a, b)[pair.tokens].tolist() == pair.strata.tolist()


def test_a_pairs_budget_is_split_by_size_with_a_floor() -> None:
    """900, 95 and 5 tokens; 200 to judge: all 5 of the last, 10 + of the second, in proportion 195·95/995 = 18.6."""
    gold = np.zeros(1000, dtype=np.intp)
    a = np.repeat([0, 1, 1], [900, 95, 5])
    b = np.repeat([1, 0, 2], [900, 95, 5])
    assert np.bincount(sample_pair(gold, a, b, 200, seeded()).strata).tolist() == [176, 19, 5]
    numbers = np.bincount(sample_pair(gold, a, b, 60, seeded()).strata).tolist()
    assert numbers == [60 - FEWEST_OF_STRATUM - 5, FEWEST_OF_STRATUM, 5]
    assert np.bincount(sample_pair(gold, a, b, 6, seeded()).strata).tolist() == [2, 2, 2]


def test_what_one_stratum_cannot_use_goes_to_the_other() -> None:
    gold = np.zeros(100, dtype=np.intp)
    system = np.repeat([0, 1], [95, 5])
    sample = sample_one(gold, system, 40, seeded(), agreements_share=0.5)
    assert np.bincount(sample.strata).tolist() == [5, 35]
    assert len(sample_one(gold, system, 40, seeded()).tokens) == 5


def test_every_token_of_a_stratum_is_as_likely() -> None:
    gold, system = np.zeros(12, dtype=np.intp), np.repeat([0, 1], [6, 6])
    rng = seeded(3)
    drawn = np.concatenate([sample_one(gold, system, 6, rng, agreements_share=0.5).tokens for _ in range(1500)])
    assert np.bincount(drawn, minlength=12) / 1500 == pytest.approx(np.full(12, 0.5), abs=0.055)


# ---- invariances -----------------------------------------------------------------------------------------------------


def sampled(seed: int = 0, n: int = 20_000, budget: int = 200) -> tuple[Indices, Indices, Indices, Indices, Indices]:
    """Truth, gold, two systems, and a sample for the pair."""
    truth, gold, a, b = noisy(seeded(seed), SETTINGS["learned"], n)
    return truth, gold, a, b, sample_pair(gold, a, b, budget, seeded(seed)).tokens


def test_swapping_systems_negates_the_difference() -> None:
    truth, gold, a, b, tokens = sampled()
    one = estimate_pair(gold, a, b, tokens, truth[tokens], seeded())
    other = estimate_pair(gold, b, a, tokens, truth[tokens], seeded())
    assert value(one.difference) == pytest.approx(-value(other.difference))
    assert ends(one.difference) == pytest.approx([-end for end in reversed(ends(other.difference))], abs=4e-4)
    assert one.probability_b_better == pytest.approx(1 - (other.probability_b_better or 0), abs=0.02)


def test_the_order_of_judgements_and_the_names_of_tags_do_not_matter() -> None:
    truth, gold, a, _, _ = sampled()
    sample = sample_one(gold, a, 300, seeded(), agreements_share=AGREEMENTS_SHARE)
    one = estimate_one(gold, a, sample.tokens, truth[sample.tokens], seeded())
    shuffled = seeded(1).permutation(sample.tokens)
    assert estimate_one(gold, a, shuffled, truth[shuffled], seeded()) == one
    renamed = codes(7, 3, 11, 0, 5)
    said = renamed[truth[sample.tokens]]
    assert estimate_one(renamed[gold], renamed[a], sample.tokens, said, seeded()) == one


def test_the_same_seed_gives_the_same_estimate() -> None:
    truth, gold, a, b, tokens = sampled()
    one = estimate_pair(gold, a, b, tokens, truth[tokens], seeded(5))
    assert one == estimate_pair(gold, a, b, tokens, truth[tokens], seeded(5))
    assert one != estimate_pair(gold, a, b, tokens, truth[tokens], seeded(6))


def test_a_higher_level_is_wider() -> None:
    truth, gold, a, b, tokens = sampled()
    widths = []
    for level in (0.8, 0.95, 0.99):
        lower, upper = ends(estimate_pair(gold, a, b, tokens, truth[tokens], seeded(), level=level).difference)
        widths.append(upper - lower)
    assert widths[0] < widths[1] < widths[2]
    assert widths[2] / widths[1] == pytest.approx(2.576 / 1.96, rel=0.05)


def test_systems_that_never_differ_are_equal() -> None:
    none = np.zeros(0, dtype=np.intp)
    found = estimate_pair(GOLD, SYSTEM, SYSTEM, none, none, seeded())
    assert found.difference == CheckedEstimate(0, 0, 0, 0, 0)
    assert (found.verdict, found.probability_b_better) == ("open", 0.5)
    assert len(sample_pair(GOLD, SYSTEM, SYSTEM, 5, seeded()).tokens) == 0


# ---- blanks ----------------------------------------------------------------------------------------------------------


def test_blanks_count_as_not_sampled_and_widen_least_and_most() -> None:
    truth, gold, a, b, tokens = sampled()
    said = truth[tokens].copy()
    said[::4] = NOT_JUDGED
    judged = said != NOT_JUDGED
    blank = estimate_pair(gold, a, b, tokens, said, seeded())
    without = estimate_pair(gold, a, b, tokens[judged], said[judged], seeded())
    assert blank.difference.value == without.difference.value
    assert ends(blank.difference) == ends(without.difference)
    assert [one.n_judged for one in blank.strata] == [one.n_sampled for one in without.strata]
    lower, upper = ends(blank.difference)
    assert blank.difference.least is not None
    assert blank.difference.most is not None
    assert blank.difference.least < lower < upper < blank.difference.most
    for_a = estimate_pair(gold, a, b, tokens, np.where(judged, said, a[tokens]), seeded())
    for_b = estimate_pair(gold, a, b, tokens, np.where(judged, said, b[tokens]), seeded())
    assert blank.difference.least == pytest.approx(ends(for_a.difference)[0], abs=3e-4)
    assert blank.difference.most == pytest.approx(ends(for_b.difference)[1], abs=3e-4)


@given(st.integers(0, 2**32))
@settings(max_examples=40)
def test_least_and_most_hold_whatever_the_blanks_were(seed: int) -> None:
    rng = seeded(seed)
    truth, gold, a, _ = noisy(rng, SETTINGS["learned"], 400)
    tokens = sample_one(gold, a, 60, rng, agreements_share=0.5).tokens
    said = np.where(rng.random(len(tokens)) < 0.3, NOT_JUDGED, truth[tokens])
    filled = np.where(said == NOT_JUDGED, rng.integers(-1, 5, size=len(said)), said)
    blank, full = (estimate_one(gold, a, tokens, codes_, seeded()) for codes_ in (said, filled))
    for name in ("accuracy", "corpus_error", "right_where_different", "wrong_where_same"):
        one, (lower, upper) = getattr(blank, name), ends(getattr(full, name))
        assert one.least - 0.01 <= lower <= upper <= one.most + 0.01


def test_a_stratum_without_judgements_has_bounds_only() -> None:
    said = np.where(TOKENS < 6, NOT_JUDGED, SAID)
    found = estimate_one(GOLD, SYSTEM, TOKENS, said, seeded())
    assert found.accuracy is not None
    assert (found.accuracy.value, found.accuracy.lower, found.accuracy.upper) == (None, None, None)
    assert found.accuracy.least is not None
    assert found.accuracy.least <= 0.6 * 0 + 0.1
    assert found.accuracy.most == pytest.approx(0.6 + 0.1)
    assert value(found.right_where_different) == 1 / 4
    a, b = codes(0, 0, 0, 0), codes(1, 1, 1, 1)
    nothing = estimate_pair(codes(0, 0, 1, 1), a, b, codes(0, 1), codes(0, 0), seeded())
    assert nothing.difference == CheckedEstimate(None, None, None, -1, 0)
    assert nothing.probability_b_better is None
    assert nothing.verdict == "open"


def test_a_verdict_can_stand_whatever_the_blanks_were() -> None:
    gold = np.zeros(400, dtype=np.intp)
    a, b = np.zeros_like(gold), np.ones_like(gold)
    tokens = np.arange(100)
    said = np.repeat([0, NOT_JUDGED], [90, 10])
    found = estimate_pair(gold, a, b, tokens, said, seeded())
    assert found.verdict == "A"
    said = np.repeat([0, NOT_JUDGED], [40, 60])
    found = estimate_pair(gold, a, b, tokens, said, seeded())
    assert (found.verdict, found.verdict_without_blanks) == ("open", "A")
    found = estimate_pair(gold, b, a, tokens, said, seeded())
    assert (found.verdict, found.verdict_without_blanks) == ("open", "B")


# ---- bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "call",
    [
        lambda: sample_one(GOLD, SYSTEM, 0, seeded()),
        lambda: sample_one(GOLD, SYSTEM, 5, seeded(), agreements_share=1.5),
        lambda: estimate_one(GOLD, SYSTEM, TOKENS, SAID, seeded(), corpus_error=1.0),
        lambda: estimate_one(GOLD, SYSTEM, TOKENS, SAID, seeded(), corpus_error=-0.1),
        lambda: estimate_one(GOLD, SYSTEM, TOKENS, SAID, seeded(), level=1.0),
        lambda: estimate_one(GOLD, SYSTEM, TOKENS, SAID, seeded(), clusters=np.zeros(10, dtype=np.intp)),
    ],
)
def test_settings_that_cannot_be_are_the_users(call: Callable[[], Any]) -> None:
    with pytest.raises(UsageError):
        call()


@pytest.mark.parametrize(
    ("call", "what"),
    [
        (lambda: sample_one(GOLD, SYSTEM[:3], 5, seeded()), "one tag for each token"),
        (lambda: sample_one(GOLD[:0], SYSTEM[:0], 5, seeded()), "at least one token"),
        (lambda: sample_one(GOLD - 1, SYSTEM, 5, seeded()), "codes from 0"),
        (lambda: estimate_one(GOLD, SYSTEM, TOKENS, SAID[:3], seeded()), "one judgement"),
        (lambda: estimate_one(GOLD, SYSTEM, codes(1, 1), codes(0, 0), seeded()), "occur once"),
        (lambda: estimate_one(GOLD, SYSTEM, codes(10), codes(0), seeded()), "not in the corpus"),
        (lambda: estimate_one(GOLD, SYSTEM, codes(-1), codes(0), seeded()), "not in the corpus"),
        (lambda: estimate_one(GOLD, SYSTEM, codes(1), codes(-4), seeded()), "NONE_SHOWN"),
        (lambda: estimate_pair(GOLD, SYSTEM, SYSTEM, codes(1), codes(0), seeded()), "same tag"),
        (lambda: estimate_one(GOLD, SYSTEM, TOKENS, SAID, seeded(), clusters=codes(0, 1)), "one cluster for each"),
        (lambda: merged_judges(codes(1, 2)), "a row for each judge"),
        (lambda: merged_judges(codes(1, -3)[None]), "NOT_JUDGED"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(call: Callable[[], Any], what: str) -> None:
    with pytest.raises(ValueError, match=what):
        call()


# ---- several judges --------------------------------------------------------------------------------------------------


def test_the_majority_decides_and_ties_stay_open() -> None:
    judges = np.array([[1, 1, 1, -2, -1, 1, -2], [1, 2, 2, -2, -1, 2, 3], [2, 1, 3, -2, 4, -2, -2]])
    found = merged_judges(judges)
    assert found.codes.tolist() == [1, 1, -2, -2, -1, -2, 3]
    assert (found.n_ties, found.n_shared) == (2, 5)
    # pairs that agree: 1 of 3, 1 of 3, 0 of 3, 1 of 3, 0 of 1
    assert found.agreement == pytest.approx((1 / 3 + 1 / 3 + 0 + 1 / 3 + 0) / 5)
    assert found.cohen is None


def test_fleiss_kappa_is_that_of_the_worked_example() -> None:
    """14 judges, 10 subjects, 5 categories [Fleiss 1971's layout]: P = 0.378, Pe = 0.213, kappa = 0.210."""
    table = "0 0 0 0 14|0 2 6 4 2|0 0 3 5 6|0 3 9 2 0|2 2 8 1 1|7 7 0 0 0|3 2 6 3 0|2 5 3 2 2|6 5 2 1 0|0 2 2 3 7"
    rows = [np.repeat(np.arange(5), [int(n) for n in row.split()]) for row in table.split("|")]
    found = merged_judges(np.array(rows).T)
    assert found.agreement == pytest.approx(0.378, abs=5e-4)
    assert found.fleiss == pytest.approx(0.210, abs=5e-4)


def test_cohens_kappa_by_hand() -> None:
    """20 yes/yes, 5 yes/no, 10 no/yes, 15 no/no: (0.7 − 0.5) / 0.5."""
    judges = np.repeat(np.array([[1, 1, 0, 0], [1, 0, 1, 0]]), [20, 5, 10, 15], axis=1)
    assert merged_judges(judges).cohen == pytest.approx(0.4)
    assert merged_judges(judges[::-1]).cohen == pytest.approx(0.4)


def test_kappa_is_not_defined_without_variety_or_shared_tokens() -> None:
    same = merged_judges(np.zeros((2, 4), dtype=np.intp))
    assert (same.agreement, same.cohen, same.fleiss) == (1.0, None, None)
    apart = merged_judges(np.array([[1, -2], [-2, 1]]))
    assert (apart.codes.tolist(), apart.n_shared) == ([1, 1], 0)
    assert (apart.agreement, apart.cohen, apart.fleiss) == (None, None, None)
    alone = merged_judges(np.array([[1, -2, -1]]))
    assert alone.codes.tolist() == [1, -2, -1]


@given(
    st.lists(st.lists(st.integers(-2, 3), min_size=3, max_size=3), min_size=1, max_size=20), st.permutations([0, 1, 2])
)
def test_the_order_of_judges_does_not_matter(tokens: list[list[int]], order: list[int]) -> None:
    judges = np.array(tokens).T
    one, other = merged_judges(judges), merged_judges(judges[order])
    assert one.codes.tolist() == other.codes.tolist()
    assert (one.agreement, one.fleiss) == pytest.approx((other.agreement, other.fleiss))


# ---- coverage --------------------------------------------------------------------------------------------------------

N_CODES, CORPUS_ERROR = 5, 0.03
# t, u and p of A and of B [Padró & Màrquez 1998, Table 1]
SETTINGS = {
    "independent": ((0.95, 0.95, 1 / (N_CODES - 1)), (0.96, 0.96, 1 / (N_CODES - 1))),
    "learned": ((0.95, 0.4, 0.9), (0.96, 0.4, 0.9)),
    "differential": ((0.95, 0.4, 0.9), (0.96, 0.96, 1 / (N_CODES - 1))),
    "u < 1/a": ((0.95, 0.2, 0.9), (0.96, 0.2, 0.9)),
}


def noisy(rng: np.random.Generator, systems: tuple[tuple[float, float, float], ...], n: int) -> list[Indices]:
    """Truth, a gold of which CORPUS_ERROR is wrong, and systems with their t, u and p."""
    truth = rng.integers(N_CODES, size=n)
    wrong = rng.permutation(n) < round(CORPUS_ERROR * n)
    gold = np.where(wrong, (truth + rng.integers(1, N_CODES, size=n)) % N_CODES, truth)
    made = [truth, gold]
    for t, u, p in systems:
        is_right = rng.random(n) < np.where(wrong, u, t)
        other = rng.integers(N_CODES - 2, size=n)  # neither truth nor gold
        other += other >= np.minimum(truth, gold)
        other += other >= np.maximum(truth, gold)
        of_wrong = np.where(rng.random(n) < p, gold, other)
        error = np.where(wrong, of_wrong, (truth + rng.integers(1, N_CODES, size=n)) % N_CODES)
        made.append(np.where(is_right, truth, error))
    return made


def test_the_simulated_noise_is_that_of_table_1() -> None:
    truth, gold, a, b = noisy(seeded(), SETTINGS["differential"], 1_000_000)
    wrong = gold != truth
    assert wrong.mean() == pytest.approx(CORPUS_ERROR)
    for system, (t, u, p) in ((a, SETTINGS["differential"][0]), (b, SETTINGS["differential"][1])):
        is_right = system == truth
        assert is_right[~wrong].mean() == pytest.approx(t, abs=0.002)
        assert is_right[wrong].mean() == pytest.approx(u, abs=0.01)
        assert (system == gold)[wrong & ~is_right].mean() == pytest.approx(p, abs=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("name", SETTINGS)
def test_intervals_cover_the_truth(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """20,000 tokens; 200 judged for the difference, 300 for one system. 2,000 runs gave 93 to 97 % of each."""
    monkeypatch.setattr("karat.noise.estimates_from_verdicts.N_DRAWS", 4000)
    n_runs, n = 300, 20_000
    covered = dict.fromkeys(("known", "unknown", "difference"), 0)
    wrong_verdicts = 0
    for run in range(n_runs):
        rng = np.random.default_rng([1998, run])
        truth, gold, a, b = noisy(rng, SETTINGS[name], n)
        x_a, x_b = float((a == truth).mean()), float((b == truth).mean())
        for kind, agreements, corpus_error in (("known", 0.0, CORPUS_ERROR), ("unknown", AGREEMENTS_SHARE, None)):
            tokens = sample_one(gold, a, 300, rng, agreements_share=agreements).tokens
            one = estimate_one(gold, a, tokens, truth[tokens], rng, corpus_error=corpus_error)
            covered[kind] += holds(one.accuracy, x_a)
        tokens = sample_pair(gold, a, b, 200, rng).tokens
        pair = estimate_pair(gold, a, b, tokens, truth[tokens], rng)
        covered["difference"] += holds(pair.difference, x_b - x_a)
        wrong_verdicts += pair.verdict == ("A" if x_b > x_a else "B")
    for kind, n_covered in covered.items():
        assert 0.92 <= n_covered / n_runs <= 0.98, kind
    assert wrong_verdicts / n_runs <= 0.05


def holds(estimate: CheckedEstimate | None, truth: float) -> bool:
    lower, upper = ends(estimate)
    return lower - 1e-12 <= truth <= upper + 1e-12


@pytest.mark.slow
def test_with_clusters_intervals_speak_of_more_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """80 documents of 50 tokens, some harder than others. All disagreements judged: nothing is open in this corpus."""
    monkeypatch.setattr("karat.noise.estimates_from_verdicts.N_DRAWS", 2000)
    n_runs, n_documents, length = 300, 80, 50
    clusters = np.repeat(np.arange(n_documents), length)
    covered = {"corpus": 0, "text": 0, "text, known": 0, "difference": 0}
    for run in range(n_runs):
        rng = np.random.default_rng([2000, run])
        easy = rng.beta(8, 2, size=n_documents)[clusters]  # mean 0.8
        truth = np.zeros(len(clusters), dtype=np.intp)
        gold = (rng.random(len(truth)) < CORPUS_ERROR).astype(np.intp)
        a = np.where(rng.random(len(truth)) < easy, 0, 2)
        b = np.where(rng.random(len(truth)) < easy, a, 3 * (rng.random(len(truth)) < 0.2))
        tokens = sample_one(gold, a, 5000, rng, agreements_share=0.5).tokens
        for kind, given_clusters in (("corpus", None), ("text", clusters)):
            one = estimate_one(gold, a, tokens, truth[tokens], rng, clusters=given_clusters)
            covered[kind] += holds(one.accuracy, 0.8)
        tokens = sample_one(gold, a, 300, rng).tokens
        known = estimate_one(gold, a, tokens, truth[tokens], rng, clusters=clusters, corpus_error=CORPUS_ERROR)
        covered["text, known"] += holds(known.accuracy, 0.8)
        tokens = sample_pair(gold, a, b, 200, rng).tokens
        pair = estimate_pair(gold, a, b, tokens, truth[tokens], rng, clusters=clusters)
        # B ≠ A with 1 − easy; then right with 0.8: E[(1 − easy)(0.8 − easy)], E easy² = 8·9/(10·11)
        covered["difference"] += holds(pair.difference, 0.8 - 1.8 * 0.8 + 72 / 110)
    assert covered["corpus"] <= 0.05 * n_runs
    for kind in ("text", "text, known", "difference"):
        assert 0.92 <= covered[kind] / n_runs <= 0.98, kind


def clustered() -> tuple[Indices, Indices, Indices, Indices, Indices]:
    """Truth, gold, two systems and documents of 5 to 80 tokens, some of which are hard."""
    rng = seeded(4)
    clusters = np.repeat(np.arange(60), rng.integers(5, 80, size=60))
    easy = rng.beta(4, 1, size=60)[clusters]
    truth, gold = np.zeros((2, len(clusters)), dtype=np.intp)
    gold[rng.random(len(clusters)) > easy**0.2] = 1
    a, b = (np.where(rng.random(len(clusters)) < easy, 0, rng.integers(1, 3, size=len(clusters))) for _ in range(2))
    return truth, gold, a, b, clusters


def t_ends(scores: Array, clusters: Array) -> tuple[float, float]:
    """Student's interval of a mean of tokens, linearised over clusters."""
    from scipy import stats

    found, n = float(scores.mean()), clusters.max() + 1
    rest = np.bincount(clusters, weights=scores - found)
    error = float(np.sqrt(n / (n - 1) * (rest**2).sum())) / len(scores)
    reach = float(stats.t.ppf(0.975, n - 1)) * error
    return found - reach, found + reach


def test_with_everything_judged_clusters_give_the_usual_interval() -> None:
    truth, gold, a, b, clusters = clustered()
    tokens = np.arange(len(gold))
    one = estimate_one(gold, a, tokens, truth, seeded(), clusters=clusters)
    differ = np.flatnonzero(a != b)
    pair = estimate_pair(gold, a, b, differ, truth[differ], seeded(), clusters=clusters)
    score = (a == truth).astype(np.float64)
    for estimate, scores in (
        (one.accuracy, score),
        (one.corpus_error, (gold != truth).astype(np.float64)),
        (pair.difference, (b == truth) - score),
    ):
        lower, upper = t_ends(scores, clusters)
        assert ends(estimate) == pytest.approx((lower, upper), abs=0.08 * (upper - lower))
    different = np.flatnonzero(a != gold)
    known = estimate_one(gold, a, different, truth[different], seeded(), clusters=clusters, corpus_error=0.04)
    lower, upper = t_ends(np.where(a == gold, 1, (a == truth) * 1.0 + (gold != truth)) - 0.04, clusters)
    assert ends(known.accuracy) == pytest.approx((lower, upper), abs=0.08 * (upper - lower))


def test_few_clusters_have_students_interval() -> None:
    """Five documents, a gold without errors, all judged: only the number of disagreements varies; t is 2.776."""
    clusters = np.repeat(np.arange(5), 100)
    gold = np.zeros(500, dtype=np.intp)
    system = (np.arange(500) % 100 < np.array([10, 20, 35, 15, 30])[clusters]).astype(np.intp)
    found = estimate_one(gold, system, np.arange(500), gold, seeded(), clusters=clusters)
    lower, upper = t_ends((system == gold).astype(np.float64), clusters)
    assert ends(found.accuracy) == pytest.approx((lower, upper), abs=0.03 * (upper - lower))


def test_the_names_of_clusters_do_not_matter() -> None:
    truth, gold, a, b, clusters = clustered()
    tokens = sample_pair(gold, a, b, 100, seeded()).tokens
    one, other = (
        estimate_pair(gold, a, b, tokens, truth[tokens], seeded(), clusters=named)
        for named in (clusters, clusters * 7 + 3)
    )
    assert one == other
    without = estimate_pair(gold, a, b, tokens, truth[tokens], seeded())
    assert without.difference.value == one.difference.value


@pytest.mark.slow
@given(st.integers(0, 2**32), st.sampled_from([3, 20, 200]), st.booleans())
@settings(max_examples=25)
def test_clusters_never_make_an_interval_narrower(seed: int, n_clusters: int, erring: bool) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("karat.noise.estimates_from_verdicts.N_DRAWS", 400)
        _assert_clusters_widen(seed, n_clusters, erring)


def _assert_clusters_widen(seed: int, n_clusters: int, erring: bool) -> None:
    rng = seeded(seed)
    truth, gold, a, b = noisy(rng, SETTINGS["learned"], 600)
    clusters = rng.permutation(np.arange(600) % n_clusters)

    def both(tokens: Indices, estimated: Callable[..., Any]) -> tuple[Any, Any]:
        said = np.where(rng.random(len(tokens)) < 0.1, NOT_JUDGED, truth[tokens])
        judges = np.stack([said, np.where(rng.random(len(tokens)) < 0.1, NONE_SHOWN, said)]) if erring else said
        suppose = () if erring else (0.0, 0.05)
        return tuple(estimated(tokens, judges, seeded(seed), clusters=of, suppose=suppose) for of in (None, clusters))

    tokens = sample_one(gold, a, 60, rng, agreements_share=0.5).tokens
    one, one_clustered = both(tokens, lambda *given, **how: estimate_one(gold, a, *given, **how))
    tokens = sample_pair(gold, a, b, 40, rng).tokens
    pair, pair_clustered = both(tokens, lambda *given, **how: estimate_pair(gold, a, b, *given, **how))
    found = [(getattr(one, name), getattr(one_clustered, name)) for name in (*ESTIMATES, "always_valid")]
    found += [(getattr(pair, name), getattr(pair_clustered, name)) for name in ("difference", "always_valid")]
    found += [(one.cells[name], one_clustered.cells[name]) for name in CELLS]
    for plain, clustered in ((one, one_clustered), (pair, pair_clustered)):
        found += zip(plain.sensitivity, clustered.sensitivity, strict=True)
        assert plain.judge_errors == clustered.judge_errors
    for plain, clustered in found:
        if plain is not None and plain.lower is not None:
            assert clustered.lower <= plain.lower <= plain.upper <= clustered.upper
            assert clustered.least <= plain.least <= plain.most <= clustered.most
