"""Judges who err: against the exact posterior of tiny checks, by hand, and as a user sees it."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from karat._arrays import Array, Floats, Indices
from karat.noise.estimates_from_verdicts import estimate_one, estimate_pair
from karat.noise.intervals_from_verdicts import CheckedEstimate
from karat.noise.judge_errors import BLANK, ERROR_PRIOR, FEWEST_SHARED, MOST_ERROR, likely_truths, patterns, truths
from karat.noise.token_sampling import NONE_SHOWN, NOT_JUDGED, NOT_REACHED, sample_one, sample_pair


def seeded(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def ends(estimate: CheckedEstimate | None) -> tuple[float, float]:
    assert estimate is not None
    assert estimate.lower is not None
    assert estimate.upper is not None
    return estimate.lower, estimate.upper


def worst(estimate: CheckedEstimate | None) -> tuple[float, float]:
    """The ends whatever is right in blank rows."""
    assert estimate is not None
    assert estimate.least is not None
    assert estimate.most is not None
    return estimate.least, estimate.most


# ---- the exact posterior ---------------------------------------------------------------------------------------------


def log_beta(*values: float) -> float:
    return sum(map(math.lgamma, values)) - math.lgamma(sum(values))


def exact(answers: Array, n_answers: int, prior: Floats, *, shared: bool, error: float | None) -> dict[int, float]:
    """The probability of each number of rows whose right answer is 0, by summing over all right answers of all rows.

    Shares and ε are integrated out: Dirichlet's constant, and the incomplete beta function up to MOST_ERROR.
    """
    from scipy.special import betainc

    found: dict[int, float] = {}
    for right in product(range(n_answers), repeat=answers.shape[1]):
        counts = np.bincount(right, minlength=n_answers)
        log = log_beta(*(prior[:n_answers] + counts))
        judged = answers != BLANK
        wrong = (judged & (answers != np.array(right))).sum(axis=1)
        n = judged.sum(axis=1)
        log -= wrong.sum() * math.log(n_answers - 1)
        if error is not None:
            log += wrong.sum() * math.log(error) + (n - wrong).sum() * math.log1p(-error)
        else:
            pairs = [(wrong.sum(), n.sum())] if shared else list(zip(wrong, n, strict=True))
            for k, of in pairs:
                a, b = ERROR_PRIOR[0] + float(k), ERROR_PRIOR[1] + float(of - k)
                log += log_beta(a, b) + math.log(betainc(a, b, MOST_ERROR))
        found[int(counts[0])] = found.get(int(counts[0]), 0.0) + math.exp(log)
    total = sum(found.values())
    return {number: weight / total for number, weight in found.items()}


TWO = np.array([[0, 0, 0, 1, 0, 1, -1, -1, 0], [0, 0, 1, 1, -1, -1, 0, 1, 0]])
THREE = np.array([[0, 0, 1, 1, 2, 0], [0, 1, 1, 0, 2, -1], [0, 0, 1, 1, 0, 2]])


@pytest.mark.parametrize(
    ("answers", "n_answers", "error"),
    [(TWO[:1, :6], 2, 0.1), (TWO, 2, 0.05), (TWO, 2, None), (THREE[:2], 3, None), (THREE, 3, None), (THREE, 3, 0.2)],
)
def test_draws_are_those_of_the_exact_posterior(answers: Array, n_answers: int, error: float | None) -> None:
    prior = np.array([0.5, 0.25, 0.25]) if n_answers == 3 else np.array([0.5, 0.5])
    judged = patterns(np.zeros(answers.shape[1], dtype=np.intp), answers, (n_answers,))
    drawn = truths(judged, prior[None], 40_000, seeded(), error=error).numbers[:, 0, 0]
    expected = exact(answers, n_answers, prior, shared=len(answers) < 3, error=error)
    found = np.bincount(drawn.astype(int), minlength=answers.shape[1] + 1) / len(drawn)
    for number, share in enumerate(found):
        assert share == pytest.approx(expected.get(number, 0.0), abs=0.015), number


def test_rows_with_a_known_answer_are_counted_in_the_shares() -> None:
    """Nine known rows more of answer 1: as if the prior of 1 were 9 larger."""
    judged = patterns(np.zeros(6, dtype=np.intp), TWO[:1, :6], (2,))
    drawn = truths(judged, np.array([[0.5, 0.5]]), 20_000, seeded(), error=0.1, known=np.array([[0.0, 9.0]]))
    expected = exact(TWO[:1, :6], 2, np.array([0.5, 9.5]), shared=True, error=0.1)
    mean = sum(number * weight for number, weight in expected.items())
    assert drawn.numbers[:, 0, 0].mean() == pytest.approx(mean, abs=0.03)


def test_the_most_likely_rate_of_two_judges_by_hand() -> None:
    """90 rows 0/0, 10 split, of two answers, none 1/1: the share of 1 is 0 and 10 of 200 verdicts are wrong."""
    answers = np.repeat([[0, 0], [0, 1]], [90, 10], axis=0).T
    errors, probabilities = likely_truths(patterns(np.zeros(100, dtype=np.intp), answers, (2,)))
    assert errors == pytest.approx([0.05, 0.05], abs=1e-4)
    assert probabilities[:, 0] == pytest.approx([1, 1], abs=1e-3)


def test_the_most_likely_values_are_a_maximum() -> None:
    """Against a grid over the rate and the share, from the definition of the likelihood."""
    rng = seeded(3)
    right = rng.random(120) < 0.3
    answers = np.stack([right ^ (rng.random(120) < 0.1) for _ in range(2)]).astype(np.intp)
    judged = patterns(np.zeros(120, dtype=np.intp), answers, (2,))
    errors, probabilities = likely_truths(judged)
    share = float(probabilities[:, 1] @ judged.n_rows) / 120

    def likelihood(error: Array, one: Array) -> Array:
        n_one = answers.sum(axis=0)
        of_zero, of_one = ((1 - error) ** (2 - k) * error**k for k in (n_one[:, None, None], 2 - n_one[:, None, None]))
        return np.asarray(np.log((1 - one) * of_zero + one * of_one).sum(axis=0))

    grid = np.meshgrid(np.linspace(0.01, 0.4, 79), np.linspace(0.02, 0.98, 97))
    best = likelihood(np.array([[errors[0]]]), np.array([[share]]))[0, 0]
    assert best >= likelihood(*grid).max() - 1e-6


def test_three_judges_have_their_own_rates_and_two_share_one() -> None:
    rng = seeded(5)
    right = rng.integers(3, size=1500)
    rates = (0.02, 0.1, 0.2)
    answers = np.stack([np.where(rng.random(1500) < e, (right + rng.integers(1, 3, 1500)) % 3, right) for e in rates])
    judged = patterns(np.zeros(1500, dtype=np.intp), answers, (3,))
    assert not judged.share_a_rate
    assert likely_truths(judged)[0] == pytest.approx(rates, abs=0.025)
    assert truths(judged, np.full((1, 3), 1 / 3), 500, seeded()).errors.mean(axis=0) == pytest.approx(rates, abs=0.03)
    assert patterns(np.zeros(1500, dtype=np.intp), answers[:2], (3,)).share_a_rate
    alone = answers.copy()
    alone[2, :750], alone[:2, 750:] = BLANK, BLANK  # the third has no row in common with the others
    assert patterns(np.zeros(1500, dtype=np.intp), alone, (3,)).share_a_rate


# ---- in estimates ----------------------------------------------------------------------------------------------------


def checked(seed: int, n: int = 200) -> tuple[Indices, Indices, Indices, Indices, Indices]:
    """Truth, gold, two systems and a sample for the pair."""
    rng = seeded(seed)
    truth = rng.integers(4, size=8000)
    gold = np.where(rng.random(8000) < 0.03, rng.integers(4, size=8000), truth)
    a, b = (np.where(rng.random(8000) < share, truth, rng.integers(4, size=8000)) for share in (0.93, 0.95))
    return truth, gold, a, b, sample_pair(gold, a, b, n, rng).tokens


def told(truth: Indices, sides: tuple[Indices, ...], error: float, rng: np.random.Generator) -> Indices:
    """The right tag, NONE_SHOWN if it is not among the sides'; in error another of these."""
    found = []
    for right, *shown in zip(truth.tolist(), *(side.tolist() for side in sides), strict=True):
        options = sorted({*shown, NONE_SHOWN})
        said = right if right in shown else NONE_SHOWN
        others = [option for option in options if option != said]
        found.append(others[rng.integers(len(others))] if rng.random() < error else said)
    return np.array(found, dtype=np.intp)


@given(st.integers(0, 10_000), st.permutations([0, 1, 2]))
@settings(max_examples=3)
def test_the_order_of_judges_and_of_rows_does_not_matter(seed: int, order: list[int]) -> None:
    truth, gold, a, b, tokens = checked(seed, 60)
    rng = seeded(seed)
    sides = tuple(side[tokens] for side in (gold, a, b))
    said = np.stack([told(truth[tokens], sides, 0.1, rng) for _ in range(3)])
    one = estimate_pair(gold, a, b, tokens, said, seeded())
    other = estimate_pair(gold, a, b, tokens, said[order], seeded())
    width = ends(one.difference)[1] - ends(one.difference)[0]
    assert one.difference.value == pytest.approx(other.difference.value, abs=1e-5)
    assert ends(one.difference) == pytest.approx(ends(other.difference), abs=0.06 * width)
    rates = {error.judge: error.value for error in other.judge_errors}
    for error in one.judge_errors:
        assert error.judge is not None
        assert rates[order.index(error.judge)] == pytest.approx(error.value, abs=1e-4)
    shuffled = seeded(seed).permutation(len(tokens))
    again = estimate_pair(gold, a, b, tokens[shuffled], said[:, shuffled], seeded()).difference
    assert (again.value, *ends(again)) == pytest.approx((one.difference.value, *ends(one.difference)), abs=1e-12)


@given(st.integers(0, 10_000))
@settings(max_examples=4)
def test_judges_who_always_agree_are_believed(seed: int) -> None:
    """Nearly the interval of one judge who never errs."""
    truth, gold, a, b, tokens = checked(seed)
    right = told(truth[tokens], (gold[tokens], a[tokens], b[tokens]), 0.0, seeded())
    alone = estimate_pair(gold, a, b, tokens, right, seeded())
    both = estimate_pair(gold, a, b, tokens, np.stack([right, right]), seeded())
    width = ends(alone.difference)[1] - ends(alone.difference)[0]
    assert both.difference.value == pytest.approx(alone.difference.value, abs=1e-9)
    assert ends(both.difference) == pytest.approx(ends(alone.difference), abs=0.1 * width)
    assert both.judge_errors[0].upper < 0.02


def test_what_judges_get_wrong_is_taken_off() -> None:
    """A gold and a system that agree on all and are always right; two judges who each find an error in 5 % of it."""
    gold = np.zeros(50_000, dtype=np.intp)
    rng, tokens = seeded(1), np.arange(400)
    said = np.where(rng.random((2, 400)) < 0.05, NONE_SHOWN, 0)
    alone = estimate_one(gold, gold, tokens, said[0], seeded(), suppose=(0.0, 0.05))
    both = estimate_one(gold, gold, tokens, said, seeded())
    assert both.accuracy is not None
    assert ends(alone.accuracy)[1] < 0.98  # believed, it is wrong
    assert both.accuracy.value == pytest.approx(1, abs=0.01)
    assert ends(both.accuracy)[1] > 0.999
    (error,) = both.judge_errors
    assert (error.judge, both.sensitivity) == (None, ())
    assert error.lower < 0.05 < error.upper
    assert [case.error for case in alone.sensitivity] == [0.0, 0.05]
    assert alone.sensitivity[1].upper is not None
    assert alone.sensitivity[1].upper > 0.999
    assert alone.judge_errors == ()


def test_too_few_rows_in_common_leave_the_table() -> None:
    truth, gold, a, b, tokens = checked(2)
    right = told(truth[tokens], (gold[tokens], a[tokens], b[tokens]), 0.0, seeded())
    for n_shared, is_estimated in ((FEWEST_SHARED - 1, False), (FEWEST_SHARED, True)):
        said = np.stack([right, np.where(np.arange(len(tokens)) < n_shared, right, NOT_REACHED)])
        found = estimate_pair(gold, a, b, tokens, said, seeded(), suppose=(0.0, 0.02))
        assert (bool(found.judge_errors), bool(found.sensitivity)) == (is_estimated, not is_estimated)


def test_a_verdict_needs_all_rates_that_are_supposed() -> None:
    """180 of 200 rows for A: so whatever the rate. 116 of 200: only if judges do not err much more."""
    gold = np.zeros(4000, dtype=np.intp)
    b = np.ones_like(gold)
    tokens = np.arange(200)
    sure = estimate_pair(gold, gold, b, tokens, np.repeat([0, 1], [180, 20]), seeded(), suppose=(0.0, 0.05))
    assert (sure.verdict, sure.verdicts, sure.rows_to_settle) == ("A", ("A", "A"), 0)
    # A and B alike, and half of the rows for neither: with ε = 1/3 nobody could tell
    said = np.repeat([0, 1, NONE_SHOWN], [66, 44, 90])
    found = estimate_pair(gold, gold, b, tokens, said, seeded(), suppose=(0.0, 0.3))
    assert found.verdicts[0] == "A"
    assert found.verdict == ("A" if found.verdicts[1] == "A" else "open")


def test_clusters_and_blanks_go_with_erring_judges() -> None:
    truth, gold, a, _, _ = checked(4)
    tokens = sample_one(gold, a, 200, seeded(), agreements_share=0.7).tokens
    rng = seeded(6)
    sides = (gold[tokens], a[tokens])
    said = np.stack([told(truth[tokens], sides, 0.05, rng) for _ in range(2)])
    said[:, :12] = NOT_JUDGED
    plain = estimate_one(gold, a, tokens, said, seeded())
    clustered = estimate_one(gold, a, tokens, said, seeded(), clusters=np.arange(8000) // 40)
    assert plain.accuracy is not None
    assert worst(plain.accuracy)[0] < ends(plain.accuracy)[0] < ends(plain.accuracy)[1] <= worst(plain.accuracy)[1]
    assert ends(clustered.accuracy)[1] - ends(clustered.accuracy)[0] > 0
    assert sum(one.n_blank for one in plain.strata) == 12


def test_what_is_not_reached_is_no_blank() -> None:
    truth, gold, a, b, tokens = checked(7)
    order = seeded().permutation(tokens)
    right = told(truth[order], (gold[order], a[order], b[order]), 0.0, seeded())
    early = estimate_pair(gold, a, b, order, np.where(np.arange(200) < 100, right, NOT_REACHED), seeded())
    assert (early.is_finished, sum(one.n_blank for one in early.strata)) == (False, 0)
    assert early.difference.least == ends(early.difference)[0]
    valid = early.always_valid
    assert valid is not None
    assert valid.lower < ends(early.difference)[0] < ends(early.difference)[1] < valid.upper
    assert (valid.lower, valid.upper) == (valid.least, valid.most)
    assert early.rows_to_settle is not None
    assert early.rows_to_settle >= 100 or early.verdict != "open"


# ---- judges who disagree ---------------------------------------------------------------------------------------------


@given(st.lists(st.tuples(*[st.integers(BLANK, 1)] * 3), min_size=1, max_size=12))
def test_disputed_rows_are_those_with_two_answers(rows: list[tuple[int, int, int]]) -> None:
    found = patterns(np.zeros(len(rows), dtype=np.intp), np.array(rows).T, [2])
    assert found.n_disputed == sum(len({*row} - {BLANK}) > 1 for row in rows)


def test_where_judges_disagree_few_errors_in_agreements_are_not_taken_for_none() -> None:
    """A dispute in a row where system and gold differ says nothing of agreements but that judges err."""
    gold, system = np.zeros(2000, dtype=np.int32), np.zeros(2000, dtype=np.int32)
    system[:400] = 1
    tokens = np.concatenate([np.arange(100), 400 + np.arange(100)])
    said = np.stack([gold[tokens]] * 2)

    def most_errors(codes: Array) -> float:
        return ends(estimate_one(gold, system, tokens, codes, seeded()).wrong_where_same)[1]

    disputed = said.copy()
    disputed[1, 0] = 1
    assert most_errors(disputed) > 1.25 * most_errors(said)
