"""How good edges are: precision, recall and F1 with intervals, and tests of one way to find them against another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from karat._arrays import Flags, Floats
from karat.inference.clusters import Clusters
from karat.inference.intervals import Interval, difference_interval, interval_dict, value_interval
from karat.inference.options import InferenceOptions
from karat.inference.permutation import randomisation_tests
from karat.measures.measure import Bounds, Statistic, f1, precision, recall
from karat.systems.attachment.decisions import counts_per_sentence
from karat.systems.attachment.pair_data import AttachmentPairs


@dataclass(frozen=True, slots=True)
class _Share:
    """A ratio of summed counts, as intervals want it."""

    value: Statistic
    bounds: Bounds = "share"

    def sizes(self, counts: Floats) -> Floats:
        return self.value.sizes(counts)


@dataclass(frozen=True, slots=True, eq=False)
class EdgeScores:
    """Precision, recall and F1 over edges [§3], the confusion matrix of pairs, and 95 % or other intervals.

    `counts` are gold, found and right edges of each sentence; `n_pairs` all pairs that could be one.
    """

    counts: Floats
    n_pairs: int
    precision: Interval | None
    recall: Interval | None
    f1: Interval | None

    def value(self, statistic: Statistic) -> float:
        """A ratio over all sentences."""
        return float(statistic(self.counts.sum(axis=0)))

    @property
    def confusion(self) -> dict[str, int]:
        """Pairs found that are edges or not, and pairs not found that are edges or not."""
        gold, found, right, _ = (int(one) for one in self.counts.sum(axis=0))
        return {"tp": right, "fp": found - right, "fn": gold - right, "tn": self.n_pairs - found - gold + right}

    def to_dict(self) -> dict[str, Any]:
        """The scores as plain data."""
        found: dict[str, Any] = {}
        for name, statistic in (("precision", precision), ("recall", recall), ("f1", f1)):
            interval: Interval | None = getattr(self, name)
            found[name] = self.value(statistic)
            found[f"{name}_lower"], found[f"{name}_upper"] = interval_dict(interval, "lower", "upper").values()
        return found | {"counts": self.confusion}


def edge_scores(
    pairs: AttachmentPairs, found: Flags, clusters: Clusters, options: InferenceOptions, kept: Flags | None = None
) -> EdgeScores:
    """The scores of edges; only the pairs that are `kept` count."""
    counts = counts_per_sentence(pairs, found, kept)
    sums = clusters.summed(counts)
    ends = [
        value_interval(sums, _Share(one), options) if options.n_resamples else None for one in (precision, recall, f1)
    ]
    n_pairs = len(pairs) if kept is None else int(np.count_nonzero(kept))
    return EdgeScores(counts, n_pairs, *ends)


@dataclass(frozen=True, slots=True)
class EdgeDifference:
    """How much better one way to find edges is than another, in F1: second − first."""

    difference: float
    interval: Interval | None
    p: float | None

    def to_dict(self) -> dict[str, Any]:
        """The difference as plain data."""
        lower, upper = interval_dict(self.interval, "lower", "upper").values()
        return {"f1": self.difference, "lower": lower, "upper": upper, "p": self.p}


def f1_difference(
    first: EdgeScores, second: EdgeScores, clusters: Clusters, options: InferenceOptions
) -> EdgeDifference:
    """The difference in F1 over the same sentences, with the paired test that swaps whole clusters."""
    a, b = clusters.summed(first.counts), clusters.summed(second.counts)
    n_fields = a.shape[1]

    def value(sums: Floats) -> Floats:
        found: Floats = f1(sums[..., n_fields:]) - f1(sums[..., :n_fields])
        return found

    found = second.value(f1) - first.value(f1)
    if not options.n_resamples:
        return EdgeDifference(found, None, None)
    both = np.hstack([a, b])
    interval = difference_interval(both, value, options, sizes=f1.sizes(a) + f1.sizes(b))
    (test,) = randomisation_tests([(a, b)], f1, options)
    return EdgeDifference(found, interval, test.p)
