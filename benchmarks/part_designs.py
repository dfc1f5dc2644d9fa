"""Designs of what a whole is made of: equally good systems by the groups of a split, and averaged over treebanks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from designs import LEVEL, Design, Said, Wish, counted, covers, inference, skewed_sizes
from karat._arrays import Floats, Indices
from karat.evaluation.all_pairs import AllPairs
from karat.evaluation.group_differences import group_differences
from karat.evaluation.plain_words import verdict
from karat.evaluation.results import Skipped, SystemScores
from karat.evaluation.system_pair import System, Wanted
from karat.evaluation.treebank_averages import as_average, macro_counts, pooled_clusters
from karat.inference.clusters import Clusters, each_by_itself
from karat.inference.intervals import value_interval
from karat.measures.splits import RowCounts
from karat.measures.words.dependencies import UAS
from karat.measures.words.tags import UPOS

SHARES = np.array([0.3, 0.2, 0.15, 0.1, 0.08, 0.06, 0.04, 0.03, 0.02, 0.02])  # of groups, from frequent to rare


def equal_on_every_group(
    n: int, mean: float, sigma: float, *, own_labels: bool, kind: str
) -> Callable[[np.random.Generator], Said]:
    """Clusters of unequal size that are easy or hard for both systems and for each, words in ten groups.

    With `own_labels` a system has other numbers of words in a group than the gold, as UPOS by upos has.
    """
    measure = UPOS() if own_labels else UAS()

    def one(gold: Indices, hard: Floats, rng: np.random.Generator) -> Floats:
        chance = 1 / (1 + np.exp(-(hard + rng.normal(0, 0.4, n))))
        right = rng.binomial(gold, chance[:, None])
        missed = gold.sum(axis=1, keepdims=True) - right.sum(axis=1, keepdims=True)
        system = right + rng.multinomial(missed[:, 0], SHARES) if own_labels else gold
        return np.stack([gold, system, right, gold], axis=2).astype(np.float64)

    def draw(rng: np.random.Generator) -> Said:
        words = skewed_sizes(rng, n, mean, sigma)
        gold, hard = rng.multinomial(words, SHARES), rng.normal(1.8, 0.6, n)
        systems = {}
        for name in ("a", "b"):
            counts = one(gold, hard, rng)
            groups = {
                f"g{number}": {measure.name: RowCounts(measure, rows, counts[rows, number])}
                for number in range(len(SHARES))
                if len(rows := np.flatnonzero(counts[:, number].any(axis=1)))
            }
            whole = {measure.name: counts.sum(axis=1)}
            systems[name] = [SystemScores(name, name, {}, whole, Skipped(0, 0, ()), None, "", groups={"upos": groups})]
        clusters = Clusters(kind, kind, np.arange(n), n, words.astype(np.float64), None, n)
        found = group_differences(systems, clusters, Wanted(inference(n_resamples=1000)), measures_named=True)["upos"]
        return {
            "some group “different”": any(verdict(one.pair, LEVEL) == "different" for one in found),
            "p < 0.05 unadjusted": any(one.pair.p < 0.05 for one in found),
        }

    return draw


def equal_on_average(
    treebanks: Sequence[tuple[int, float]], mean: float, sigma: float, rho: float
) -> Callable[[np.random.Generator], Said]:
    """Treebanks, each of so many clusters and with this accuracy; a system is better on some of its clusters."""
    measure = UPOS().by("recall")

    def draw(rng: np.random.Generator) -> Said:
        drawn = []
        for n, accuracy in treebanks:
            words = skewed_sizes(rng, n, mean, sigma)
            a, b = accuracy * (1 / rho - 1), (1 - accuracy) * (1 / rho - 1)
            drawn.append([counted(words, words, rng.binomial(words, rng.beta(a, b, n))) for _ in range(2)])
        systems = [
            System(name, [{"UPOS": macro_counts([one[place] for one in drawn], measure)}])
            for place, name in enumerate("ab")
        ]
        clusters = pooled_clusters([each_by_itself(n) for n, _ in treebanks])
        every = AllPairs(systems, clusters, Wanted(inference()), by_t=True)
        (pair,), _ = every.compared([as_average(measure)])
        by_t = inference(method="t")
        score = value_interval(systems[0].runs[0]["UPOS"], as_average(measure), by_t, strata=clusters.strata)
        return {
            "“different”": verdict(pair, LEVEL) == "different",
            "difference covered": covers(pair.interval, 0.0),
            "macro average covered": covers(score, sum(accuracy for _, accuracy in treebanks) / len(treebanks)),
        }

    return draw


def part_designs() -> Iterator[Design]:
    """The designs, in the order of the page."""
    for cell, design in (
        ("300 sentences, by upos", equal_on_every_group(300, 15, 0.6, own_labels=True, kind="sentence")),
        ("300 sentences, UAS by upos", equal_on_every_group(300, 15, 0.6, own_labels=False, kind="sentence")),
        ("30 documents, σ of log size 0.8", equal_on_every_group(30, 400, 0.8, own_labels=True, kind="document")),
        ("12 documents, σ of log size 0.8", equal_on_every_group(12, 400, 0.8, own_labels=False, kind="document")),
    ):
        yield Design("equal on every group", cell, design, {"some group “different”": Wish(0, 0.065)})
    wishes = {"“different”": Wish(0, 0.065), "difference covered": Wish(0.93), "macro average covered": Wish(0.93)}
    for cell, design in (
        (
            "10 treebanks of 3 to 12 documents",
            equal_on_average([(3 + n, 0.8 + n / 60) for n in range(10)], 500, 0.8, 0.01),
        ),
        ("3 treebanks of 40, 6 and 6 documents", equal_on_average([(40, 0.95), (6, 0.7), (6, 0.8)], 500, 0.8, 0.01)),
        ("5 treebanks of 100 sentences", equal_on_average([(100, 0.75 + n / 20) for n in range(5)], 15, 1.0, 0.1)),
    ):
        yield Design("equal on the average of treebanks", cell, design, wishes)
