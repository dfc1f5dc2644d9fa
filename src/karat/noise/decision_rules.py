"""Rules that decide which of two systems is really better under a noisy gold, and how often each of them is wrong.

The paper's own is that intervals must not overlap; in §6 it asks for one that decides more often. No rule that only
looks at the noisy gold can be right in general: whether a system that agrees more with the gold is better, or only
makes the gold's errors, is not to be seen there. So all of them are given, each with its rate of wrong verdicts where
the truth is known (docs/noise-coverage.md), and a check by people is one of them.
"""

from __future__ import annotations

from collections.abc import Mapping

from karat.noise.priors import Better

NO_OVERLAP, OVERLAP, PROBABILITY, CHECK = "no overlap", "overlap share", "probability", "check"
MOST_SHARED = 0.4  # calibrated by `benchmarks/noise_coverage.py`: of verdicts at this share, 5 % are wrong
SURE = 0.95
RULES = {
    NO_OVERLAP: "the intervals do not overlap (Padró & Màrquez 1998)",
    OVERLAP: f"they share less than {100 * MOST_SHARED:.0f} % of the shorter one; the system observed ahead is better",
    PROBABILITY: f"the probability of being better is at least {SURE:g}, with own u and p and with shared ones",
    CHECK: "after a check by people, the interval of the difference excludes 0 (karat noise plan, estimate)",
}
KINDS = {
    "independent": "the errors of gold and systems are unrelated",
    "learned": "both systems repeat many of the gold's errors",
    "differential": "only the first does, and is observed ahead because of it",
    "u < 1/a": "where the gold is wrong, both are right less often than by chance",
}
SETTING = "with the second really better by a point, 3 % of the gold wrong, 20,000 ambiguous words, 200 of them checked"
# right and wrong verdicts in % of 2,000 data sets of each kind; the rest is open
RATES: Mapping[str, tuple[tuple[float, float], ...]] = {
    NO_OVERLAP: ((0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)),
    OVERLAP: ((0.0, 0.0), (0.0, 0.0), (0.0, 39.8), (0.0, 0.0)),
    PROBABILITY: ((0.0, 0.0), (0.0, 0.0), (0.0, 29.8), (0.0, 0.0)),
    CHECK: ((98.5, 0.0), (54.4, 0.0), (54.0, 0.0), (67.2, 0.0)),
}


def decided(ahead: float, touch: bool, share: float, probability: Better | None) -> dict[str, int]:
    """What the rules that need no check say: 1 that b is better, -1 that a is, 0 that it is open.

    `ahead` is by how much b is observed ahead of a; `touch` and `share` tell how their intervals meet.
    """
    order = (ahead > 0) - (ahead < 0)
    both = (0.5,) if probability is None else (probability.independent, probability.shared)
    return {
        NO_OVERLAP: 0 if touch else order,
        OVERLAP: order if share < MOST_SHARED else 0,
        PROBABILITY: int(min(both) >= SURE) - int(max(both) <= 1 - SURE),
    }


def simulated_rates(rule: str) -> dict[str, dict[str, float]]:
    """How often a rule was right and wrong in simulation, as shares of the pairs, by kind of noise."""
    return {
        kind: {"right": round(right / 100, 4), "wrong": round(wrong / 100, 4)}
        for kind, (right, wrong) in zip(KINDS, RATES[rule], strict=True)
    }
