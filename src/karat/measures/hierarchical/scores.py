"""Scores of tags in a hierarchy, several of them and with probabilities [Melamed & Resnik 2000].

Each answer becomes a distribution over the leaves of the hierarchy: without probabilities the tags given are equally
likely (§3.1), and a tag that is no leaf is spread over what is below it (§3.3). A gold answer is a set of leaves: all
below any of its tags (§3.2); a leaf that is below two of them counts once. Then, of each instance,

    hierarchical   the probability given to right leaves (eq. 2)
    exact          1 if the most probable tags are all among the gold's, as they stand; else 0
    hP, hR, hF     of the tags given and all above them, those that the gold has (or has above its own); of the gold's
                   those that were given; the harmonic mean. Over sums, for outputs that are meant conjunctively
    cross_entropy  −log₂ of the probability given to right leaves, which is taken for no less than a smallest one
    brier          (1 − m)² + Σ p² over the leaves that are not right, with m the probability given to right ones

An instance without an answer scores 0, costs cross_entropy its most and brier 1. `value` is the mean over all gold
instances, `precision` that over the attempted ones, as Senseval's scorer has it; `by_type_mean` the mean over word
types of their means.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from karat._arrays import Flags, Floats, Indices
from karat.measures.hierarchical.leaf_probability import AnswerPairs
from karat.measures.measure import (
    CORRECT,
    FIELDS,
    GOLD,
    SYSTEM,
    GoldUnits,
    Measure,
    Ratio,
    Statistic,
    f1,
    precision,
    recall,
)

HIERARCHICAL_SCORES = ("hierarchical", "exact", "hP", "hR", "hF", "cross_entropy", "brier")

TYPED, TYPES = len(FIELDS), len(FIELDS) + 1
SCORE_FIELDS = (*FIELDS, "by type", "types")  # a score divided by the number of instances of its type; 1 divided by it
_by_type_mean = Ratio(
    "by_type_mean", (TYPED,), (TYPES,), title="by type", what="the mean over word types of their means"
)
_STATISTICS: Mapping[str, Statistic] = {one.name: one for one in (f1, precision, recall, _by_type_mean)}


class HierarchicalScore(Measure):
    """One score of tags in a hierarchy, as a measure of answers to instances."""

    family = "tags in a hierarchy"
    source = "Melamed & Resnik 2000"
    has_aligned = False
    shown_parts: tuple[str, ...] = ("precision",)  # over the instances that the system gave an answer to

    def __init__(self, name: str) -> None:
        self.name = name
        self.what = _WHAT[name]
        if name in ("hP", "hR", "hF"):
            self.value, self.shown_parts = {"hP": precision, "hR": recall, "hF": f1}[name], ()
            self.source = "Kiritchenko et al. 2005"
            return
        self.fields = SCORE_FIELDS
        self.value = recall
        self.statistics = _STATISTICS
        self.extras = {_by_type_mean.name: _by_type_mean}
        if name in ("cross_entropy", "brier"):
            self.has_parts, self.bounds, self.unit, self.lower_is_better = False, "positive", _UNITS[name], True
            self.source = "Brier 1950" if name == "brier" else self.source

    def tallied(self, pairs: AnswerPairs, rows: Indices, system_rows: Indices, n: int) -> Floats:
        """The counts [n × fields], given a row for every gold and for every system instance; beyond n: none."""
        counts = np.zeros((n, len(self.fields)), order="F")  # written and summed by columns

        is_one_each = n == len(rows) and np.array_equal(rows, np.arange(n))  # as instances of keys are

        def tally(field: int, where: Indices, weights: Floats | Indices | Flags | None = None) -> None:
            if where is rows and is_one_each:
                counts[:, field] = 1.0 if weights is None else weights
                return
            counts[:, field] = np.bincount(where, weights=weights, minlength=n)[:n]

        of_pairs = rows.take(pairs.gold_places)
        if self.fields is FIELDS:
            tally(GOLD, rows, pairs.gold_ancestors)
            tally(SYSTEM, system_rows, pairs.system_ancestors)
            tally(CORRECT, of_pairs, pairs.ancestors_in_common)
            return counts
        scores = self.scores(pairs)
        n_of_type = np.bincount(pairs.types, weights=pairs.in_test, minlength=1).take(pairs.types)
        share = np.divide(1.0, n_of_type, out=np.zeros(len(n_of_type)), where=n_of_type > 0)
        tally(GOLD, rows)
        tally(SYSTEM, system_rows, pairs.system.sizes > 0)
        tally(CORRECT, rows, scores)
        tally(TYPED, rows, scores * share)
        tally(TYPES, rows, share)
        return counts

    def scores(self, pairs: AnswerPairs) -> Floats:
        """What each gold instance scores."""
        found = np.full(len(pairs.gold.sizes), {"cross_entropy": pairs.most_bits, "brier": 1.0}.get(self.name, 0.0))
        by_name = {"cross_entropy": "bits", "brier": "squares", "hierarchical": "mass", "exact": "exact"}
        values: Floats = getattr(pairs, by_name[self.name])
        attempted = pairs.is_attempted
        found[pairs.gold_places[attempted]] = values[attempted]
        return found

    def right_units(self, pairs: AnswerPairs) -> GoldUnits | None:
        """The gold instances in the test; one is found if it scores 1. None where some score something between."""
        if self.name not in ("hierarchical", "exact"):
            return None
        scores = self.scores(pairs)
        right = scores >= 1
        if (right != (scores > 0)).any():
            return None
        instances = np.flatnonzero(pairs.in_test)
        return GoldUnits(pairs.rows[instances], right[instances], instances)

    def range_of(self, pairs: AnswerPairs) -> Mapping[str, float]:
        """The smallest and the largest value over all downward distributions, where that is known."""
        if self.name != "hierarchical":
            return {}
        smallest, largest = pairs.extremes()
        return {"smallest": smallest, "largest": largest}


_WHAT = {
    "hierarchical": "probability of right leaves",
    "exact": "most probable tags, as they stand",
    "hP": "tags given and above them",
    "hR": "gold tags and above them",
    "hF": "of hP and hR",
    "cross_entropy": "−log₂ of the probability of right leaves",
    "brier": "squared error of probabilities",
}


_UNITS = {"cross_entropy": "bits", "brier": "0 to 2"}


def default_scores(is_comparison: bool = False, statistic: str | None = None) -> tuple[str, ...]:
    """The scores that are taken if none are named; compared are those that have the statistic."""
    if not is_comparison:
        return HIERARCHICAL_SCORES[:5]
    return ("hierarchical", "exact") if statistic == "by_type_mean" else ("hierarchical", "exact", "hF")


def hierarchical_scores() -> dict[str, HierarchicalScore]:
    """The scores by name."""
    return {name: HierarchicalScore(name) for name in HIERARCHICAL_SCORES}
