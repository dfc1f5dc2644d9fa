"""How good the decisions of the experiment's runs are, beside the nearest neighbour by rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from karat._arrays import Flags, Floats
from karat.experiments.papers import slaski_2012_prints as prints
from karat.experiments.papers.slaski_2012_runs import KeptDecisions, KeptPairs
from karat.inference.clusters import Clusters, each_by_itself
from karat.inference.options import InferenceOptions
from karat.measures.measure import f1, precision, recall
from karat.systems.attachment.decisions import counts_per_sentence, nearest_by_rules, one_parent_each
from karat.systems.attachment.edge_scores import EdgeDifference, EdgeScores, edge_scores, f1_difference
from karat.systems.attachment.pair_data import AttachmentPairs
from karat.systems.attachment.thresholds import recall_at_precision

PAIRS, ONE_PARENT = "pairs", "one parent"
WAYS = (PAIRS, ONE_PARENT)
_SURE_PRECISION, _SURE_RECALL = 0.95, 0.01  # of decisions that a cascade takes as they are


@dataclass(frozen=True, eq=False)
class ScoredRun:
    """A run's scores: by way to decide, and of the baseline; with the gain in F1 over it."""

    kept: KeptPairs
    decisions: KeptDecisions
    ways: Mapping[str, EdgeScores]
    baseline: EdgeScores
    gains: Mapping[str, EdgeDifference]
    recall_at_precision: float | None
    clusters: Clusters

    @property
    def pairs(self) -> AttachmentPairs:
        return self.kept.pairs

    def part(self, kept: Flags, inference: InferenceOptions) -> Mapping[str, EdgeScores]:
        """The scores over some of the pairs."""
        flags = flags_of(self.decisions)
        return {way: edge_scores(self.pairs, flags[way], self.clusters, inference, kept) for way in WAYS}

    def beyond(self, other: ScoredRun, way: str, inference: InferenceOptions) -> EdgeDifference:
        """How much better this run is than another one on the same sentences."""
        return f1_difference(other.ways[way], self.ways[way], self.clusters, inference)


def flags_of(decisions: KeptDecisions) -> Mapping[str, Flags]:
    """The edges that were found, by way."""
    return {PAIRS: decisions.decided.pairs, ONE_PARENT: decisions.decided.one_parent}


def ratios_of(scores: EdgeScores) -> tuple[float, float, float]:
    """Precision, recall and F1."""
    return scores.value(precision), scores.value(recall), scores.value(f1)


def clusters_of(pairs: AttachmentPairs) -> Clusters:
    """Documents where two or more are marked, else sentences."""
    if pairs.documents is not None:
        distinct, numbers = np.unique(pairs.documents, return_inverse=True)
        if len(distinct) > 1:
            return Clusters("document", "document", numbers.reshape(-1), len(distinct), n_documents=len(distinct))
    return each_by_itself(pairs.n_sentences)


def scored_run(kept: KeptPairs, decisions: KeptDecisions, inference: InferenceOptions) -> ScoredRun:
    """The scores of a run, against the edges that it was to find."""
    kept = replace(kept, pairs=replace(kept.pairs, is_edge=decisions.is_edge))
    pairs, clusters = kept.pairs, clusters_of(kept.pairs)
    ways = {way: edge_scores(pairs, flags, clusters, inference) for way, flags in flags_of(decisions).items()}
    baseline = edge_scores(pairs, nearest_by_rules(pairs), clusters, inference)
    gains = {way: f1_difference(baseline, ways[way], clusters, inference) for way in WAYS}
    at = recall_at_precision(decisions.decided.shares, pairs.is_edge, prints.PRECISION)
    return ScoredRun(kept, decisions, ways, baseline, gains, at, clusters)


def as_word_pairs(kept: KeptPairs, found: Flags) -> tuple[float, float, float]:
    """Precision, recall and F1 of edges as pairs of semantic heads, over all edges between gold groups."""
    counts = counts_per_sentence(replace(kept.pairs, is_edge=kept.word_edges), found).sum(axis=0)
    counts[[0, 3]] = kept.n_gold_edges.sum()
    return float(precision(counts)), float(recall(counts)), float(f1(counts))


@dataclass(frozen=True, eq=False)
class Cascade:
    """Edges by way: a forest's where it is sure, another classifier's elsewhere; and of how many pairs it is sure."""

    flags: Mapping[str, Flags]
    n_sure_edges: int
    n_sure_others: int


def cascade(pairs: AttachmentPairs, first: KeptDecisions, second: KeptDecisions) -> Cascade:
    """The first classifier's decisions where it is sure, else the second's; both from the same folds.

    What is sure is learnt from the other folds: shares of which 95 % or more are edges, and those below which no more
    than 1 % of edges lie.
    """
    fold = first.folds.take(pairs.sentence)
    values, found = second.decided.shares.copy(), second.decided.pairs.copy()
    forest, counts = np.zeros(len(pairs), dtype=np.bool_), np.zeros(2, dtype=np.int64)
    for number in range(int(first.folds.max()) + 1):
        rest, rows = fold != number, np.flatnonzero(fold == number)
        upper, lower = _sure(first.decided.shares[rest], pairs.is_edge[rest])
        shares = first.decided.shares[rows]
        counts += [np.count_nonzero(shares >= upper), np.count_nonzero(shares <= lower)]
        values[rows[shares >= upper]], values[rows[shares <= lower]] = 1.0, 0.0
        found[rows] = (found[rows] & (shares > lower)) | (shares >= upper)
        forest[rows] = one_parent_each(pairs, rows, values[rows], float(second.decided.thresholds[number, 1]))
    return Cascade({PAIRS: found, ONE_PARENT: forest}, int(counts[0]), int(counts[1]))


def _sure(shares: Floats, is_edge: Flags) -> tuple[float, float]:
    """From which share on a pair surely is an edge, and up to which it surely is none."""
    order = np.argsort(-shares, kind="stable")
    precise = np.cumsum(is_edge[order]) >= _SURE_PRECISION * np.arange(1, len(order) + 1)
    upper = float(shares[order[np.flatnonzero(precise)[-1]]]) if precise.any() else 2.0
    edges = np.sort(shares[is_edge])
    lower = float(np.nextafter(edges[int(_SURE_RECALL * len(edges))], -1.0)) if len(edges) else -1.0
    return upper, min(lower, upper)
