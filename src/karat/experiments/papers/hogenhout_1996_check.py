"""The human check with known truth: parsers of one style tested against another, and judges who know the answer.

Every test sentence has a tree in the treebank's style and one in the parser's own. A bracket of the parser is
acceptable if it is in the latter [Hogenhout & Matsumoto 1996, §3]: the oracle. What the check finds, from all crossing
and spurious brackets or from a sample, then stands beside what is true; so does what it costs to take exact matches as
right, where the treebank has errors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from karat._arrays import Flags
from karat.corpus.constituency_trees import Trees
from karat.evaluation.whole_check import WholeCheck, whole_check
from karat.measures.brackets.checked_strata import CheckedStratum
from karat.measures.brackets.options import BracketOptions
from karat.measures.brackets.paired_trees import paired_trees
from karat.measures.brackets.punctuation import punctuation_named
from karat.measures.brackets.tree_counts import TreeComparison
from karat.measures.brackets.twelve_measures import PARSER_MEASURES

JUDGED = ("False Error", "Spurious Reject", "Test Noise", "Problem Rate", "Recall-soft", "Precision-soft")
SAMPLED = 0.1
JUDGE_ERROR = 0.05
_CHECKED = ("CE", "SP")


@dataclass(frozen=True, slots=True, eq=False)
class OracleVerdicts:
    """A parser's brackets: what a test against the treebank says of each (EM, CE, SP), and whether it is acceptable."""

    n_gold: int
    items: Mapping[str, Flags]
    acceptable: Flags

    def counts(self, acceptable: Flags | None = None, *, look_at_exact: bool = False) -> dict[str, int]:
        """TTB, TPB and the six groups; without a look at exact matches all of these are accepted."""
        verdicts = self.acceptable if acceptable is None else acceptable
        found = {"TTB": self.n_gold, "TPB": len(self.acceptable)}
        for item, flags in self.items.items():
            accepted = int(flags.sum()) if item == "EM" and not look_at_exact else int((flags & verdicts).sum())
            found |= {item: int(flags.sum()), f"{item}A": accepted, f"{item}R": int(flags.sum()) - accepted}
        return found

    def measures(self, acceptable: Flags | None = None, *, look_at_exact: bool = False) -> dict[str, float | None]:
        """The judged measures."""
        counts = self.counts(acceptable, look_at_exact=look_at_exact)
        return {one.name: one.value(counts) for one in PARSER_MEASURES if one.name in JUDGED}

    def with_judge(self, error: float, rng: np.random.Generator) -> Flags:
        """The verdicts of a judge who errs in this share of brackets."""
        wrong = rng.random(len(self.acceptable)) < error
        flags: Flags = self.acceptable ^ wrong
        return flags

    def sampled(self, share: float, rng: np.random.Generator, verdicts: Flags | None = None) -> list[CheckedStratum]:
        """What is judged of a stratified sample of crossing and spurious brackets."""
        found = []
        given = self.acceptable if verdicts is None else verdicts
        for item in _CHECKED:
            places = np.flatnonzero(self.items[item])
            n = min(max(round(share * len(places)), 1), len(places))
            drawn = rng.choice(places, size=n, replace=False)
            found.append(CheckedStratum(item, len(places), n, int(given[drawn].sum())))
        return found

    def from_sample(self, strata: list[CheckedStratum], level: float) -> dict[str, WholeCheck]:
        """What the whole check would say, from a sample of it."""
        return whole_check(self.counts(), strata, level=level)


def oracle_verdicts(gold: Trees, own: Trees, system: Trees, options: BracketOptions | None = None) -> OracleVerdicts:
    """A system's brackets against the gold, and against trees in its own style of the same sentences."""
    options = options or BracketOptions()
    punctuation = punctuation_named(options.punctuation)
    ours, theirs = (TreeComparison(paired_trees(one, system, punctuation), options).unlabelled for one in (gold, own))
    assert np.array_equal(ours.system.start, theirs.system.start)
    exact, crossing = ours.exact, ours.errors
    items = {"EM": exact, "CE": crossing, "SP": ~exact & ~crossing}
    return OracleVerdicts(len(ours.gold), items, theirs.exact)


@dataclass(frozen=True, slots=True)
class SampleCoverage:
    """How often intervals from samples cover what the whole check gives, and how wide they are on average.

    A sample gives one of a few numbers where few brackets are accepted, and an interval covers all samples that give
    it or none; `nearest` is the coverage nearest to the level that this leaves possible.
    """

    measure: str
    covered: float
    width: float
    nearest: float


def coverage(truth: OracleVerdicts, *, n_samples: int, level: float, seed: int = 0) -> list[SampleCoverage]:
    """Coverage over samples of a tenth, each with a seed of its own."""
    whole = truth.measures()
    counts = truth.counts()

    @cache
    def checked(accepted: tuple[int, ...]) -> dict[str, WholeCheck]:
        strata = [replace(one, n_accepted=n) for one, n in zip(shape, accepted, strict=True)]
        return whole_check(counts, strata, level=level)

    shape = truth.sampled(SAMPLED, np.random.default_rng([seed, 0]))
    found: dict[str, list[WholeCheck]] = {}
    for number in range(n_samples):
        strata = truth.sampled(SAMPLED, np.random.default_rng([seed, number]))
        for name, one in checked(tuple(each.n_accepted for each in strata)).items():
            found.setdefault(name, []).append(one)
    return [
        SampleCoverage(
            name,
            sum(one.lower - 1e-12 <= value <= one.upper + 1e-12 for one in of) / len(of),
            sum(one.upper - one.lower for one in of) / len(of),
            nearest_coverage((one.least for one in of), level),
        )
        for name, of in found.items()
        if (value := whole[name]) is not None
    ]


def nearest_coverage(estimates: Iterable[float], level: float) -> float:
    """The coverage nearest to the level that any interval could have for the truth that these estimates come from.

    An interval that grows with the estimate covers one truth from neighbouring estimates: those from one to another,
    and the most frequent is among them.

    >>> nearest_coverage([0.0] * 74 + [0.1] * 23 + [0.2] * 3, 0.95)
    0.97
    """
    numbers = Counter(round(one, 12) for one in estimates)
    shares = np.array([numbers[one] for one in sorted(numbers)]) / numbers.total()
    most = int(shares.argmax())
    below = np.concatenate([np.zeros(1), np.cumsum(shares)])
    possible = (below[most + 1 :, None] - below[None, : most + 1]).ravel()
    return float(possible[np.abs(possible - level).argmin()])
