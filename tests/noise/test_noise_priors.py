"""Beliefs about errors, and what follows from them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from karat.errors import DataError
from karat.noise.priors import Belief, Priors, _real, probability_better, read_priors

T1, T2 = (0.9135, 0.03, 2.5), (0.9282, 0.03, 2.5)


def test_with_shared_errors_the_order_is_that_of_what_is_observed() -> None:
    found = probability_better(T1, T2, Priors({}))
    assert found is not None
    assert found.shared == 1
    assert 0.5 < found.independent < 1


def test_swapping_systems_mirrors_the_probability() -> None:
    there, back = probability_better(T1, T2, Priors({})), probability_better(T2, T1, Priors({}))
    assert there is not None
    assert back is not None
    assert there.independent + back.independent == pytest.approx(1, abs=0.005)
    assert back.shared == 0


def test_equal_systems_are_even() -> None:
    found = probability_better(T1, T1, Priors({}))
    assert found is not None
    assert found.independent == pytest.approx(0.5, abs=0.005)
    assert found.shared == 0.5


def test_points_give_certainty_by_hand() -> None:
    """x = K − Cp + Cu(1 + p): with u = p = 0.8, x = K − 0.024 + 0.0432 for both."""
    priors = Priors({"u": Belief("point", (0.8,)), "p": Belief("point", (0.8,))})
    found = probability_better(T1, T2, priors)
    assert found is not None
    assert (found.independent, found.shared) == (1, 1)


def test_independent_draws_agree_with_numbers_counted_one_by_one() -> None:
    rng = np.random.default_rng(9)
    ahead = n = 0
    while n < 20_000:
        (u1, u2), (p1, p2) = rng.uniform(0.4, 1, 2), rng.uniform(2 / 3, 1, 2)
        t1 = (T1[0] - 0.03 * (1 - u1) * p1) / 0.97
        t2 = (T2[0] - 0.03 * (1 - u2) * p2) / 0.97
        if u1 <= t1 <= 1 and u2 <= t2 <= 1:
            n += 1
            ahead += (0.97 * t2 + 0.03 * u2) > (0.97 * t1 + 0.03 * u1)
    found = probability_better(T1, T2, Priors({}))
    assert found is not None
    assert found.independent == pytest.approx(ahead / n, abs=0.012)


@pytest.mark.parametrize(
    ("belief", "density"),
    [
        (Belief("uniform", (0.93, 0.95)), lambda t: float(0.93 <= t <= 0.95)),
        (Belief("beta", (60, 4)), lambda t: (62 / 59 * t) ** 59 * (62 / 3 * (1 - t)) ** 3),
    ],
)
def test_a_belief_about_t_agrees_with_numbers_accepted_one_by_one(
    belief: Belief, density: Callable[[float], float]
) -> None:
    """Rejection: C, u and p are drawn, and kept as often as the t that is left is likely, times dt/dK = 1/(1 − C)."""
    rng = np.random.default_rng(4)
    (k1, _, a1), (k2, _, a2) = T1, T2
    ahead = n = 0
    while n < 4000:
        c, (u1, u2), (p1, p2) = rng.uniform(0.01, 0.2), rng.uniform(1 / a1, 1, 2), rng.uniform(1 / (a2 - 1), 1, 2)
        t1, t2 = ((k - c * (1 - u) * p) / (1 - c) for k, u, p in ((k1, u1, p1), (k2, u2, p2)))
        if u1 <= t1 <= 1 and u2 <= t2 <= 1:
            likely = density(t1) * density(t2) / (1 - c) ** 2
            assert likely <= 2
            if 2 * rng.random() < likely:
                n += 1
                ahead += (1 - c) * t2 + c * u2 > (1 - c) * t1 + c * u1
    found = probability_better(T1, T2, Priors({"t": belief, "C": Belief("uniform", (0.01, 0.2))}))
    assert found is not None
    assert found.independent == pytest.approx(ahead / n, abs=0.025)


def test_draws_count_by_the_density_of_what_is_observed() -> None:
    """K = (1 − C)t + …, so that a stretch of K is one of t that is longer by 1/(1 − C)."""
    c, u, p = np.array([0.0, 0.5]), np.array([0.1, 0.1]), np.array([1.0, 1.0])
    _, weights = _real(0.7, Belief("uniform", (0.0, 1.0)), C=c, u=u, p=p)
    assert weights.tolist() == [1, 2]


def test_a_belief_that_is_all_but_certain_does_not_underflow() -> None:
    assert probability_better(T1, T2, Priors({"t": Belief("beta", (93_000, 7_000))})) is not None


def test_beliefs_that_leave_nothing_possible_say_so() -> None:
    assert probability_better((0.999, 0.2, 2.5), T2, Priors({})) is None


def test_beliefs_come_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "priors.toml"
    path.write_text("C = {uniform = [0.02, 0.04]}\nu = {beta = [9, 1]}\np = {point = 0.7}\n", encoding="utf-8")
    priors = read_priors(path)
    assert priors.in_words(0.03, 2.5) == {
        "C": "uniform(0.02, 0.04)",
        "u": "beta(9, 1)",
        "p": "point(0.7)",
        "t": "uniform(0, 1)",
    }
    assert Priors({}).in_words(0.03, 2.5) == {
        "C": "point(0.03)", "u": "uniform(0.4, 1)", "p": "uniform(0.666667, 1)", "t": "uniform(0, 1)"}  # fmt: skip
    assert "priors.toml@sha256:" in priors.name


@pytest.mark.parametrize(
    "text",
    ["C = 0.03", "q = {point = 0.1}", "C = {point = 1.0}", "u = {uniform = [0.9]}", "u = {uniform = [0.9, 0.1]}",
     "p = {beta = [0, 1]}", "p = {normal = [0, 1]}", "p = {point = true}", "p = {point = 0.1",
     "p = {point = 0.1, beta = [1, 1]}", "t = {point = 0.9}", "t = {uniform = [0.9, 0.9]}"],
)  # fmt: skip
def test_bad_beliefs_are_told(tmp_path: Path, text: str) -> None:
    path = tmp_path / "priors.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match="K604"):
        read_priors(path)
