"""Above which probability a pair is an edge: chosen where F1 is best on pairs that were held out in training."""

from __future__ import annotations

import numpy as np

from karat._arrays import Flags, Floats, Ids

DEFAULT = 0.5


def threshold_for_pairs(shares: Floats, is_edge: Flags) -> float:
    """The threshold at which deciding pair by pair has the best F1; in the middle of those on both sides."""
    return _best(shares, is_edge, int(is_edge.sum()))


def threshold_for_one_parent(shares: Floats, is_edge: Flags, sentence: Ids, child: Ids) -> float:
    """The same, if of the pairs of each child only the likeliest counts."""
    order = np.lexsort((-shares, child, sentence))
    is_first = np.ones(len(order), dtype=np.bool_)
    is_first[1:] = (np.diff(sentence[order]) != 0) | (np.diff(child[order]) != 0)
    best = order[is_first]
    return _best(shares[best], is_edge[best], int(is_edge.sum()))


def _best(shares: Floats, is_edge: Flags, n_edges: int) -> float:
    """The threshold with the best F1 for `n_edges` in all, some of which may not be among these pairs."""
    if not len(shares) or not n_edges:
        return DEFAULT
    order = np.argsort(-shares, kind="stable")
    sorted_shares = shares[order]
    n_right = np.cumsum(is_edge[order])
    values = 2 * n_right / (np.arange(1, len(order) + 1) + n_edges)
    values[:-1][sorted_shares[1:] == sorted_shares[:-1]] = -1.0  # pairs of one probability stay together
    best = int(values.argmax())
    after = sorted_shares[best + 1] if best + 1 < len(order) else 0.0
    return float((sorted_shares[best] + after) / 2)


def recall_at_precision(shares: Floats, is_edge: Flags, precision: float) -> float | None:
    """The largest recall of all thresholds at which precision is at least this; None if it never is."""
    if not is_edge.any():
        return None
    order = np.argsort(-shares, kind="stable")
    sorted_shares = shares[order]
    n_right = np.cumsum(is_edge[order])
    reached = n_right >= precision * np.arange(1, len(order) + 1)
    reached[:-1] &= sorted_shares[1:] != sorted_shares[:-1]
    return float(n_right[reached].max() / is_edge.sum()) if reached.any() else None


def precision_recall_curve(shares: Floats, is_edge: Flags, n_points: int = 50) -> list[tuple[float, float, float]]:
    """Threshold, precision and recall, at about so many thresholds with even steps of recall."""
    if not is_edge.any():
        return []
    order = np.argsort(-shares, kind="stable")
    n_right = np.cumsum(is_edge[order])
    wanted = np.unique(np.searchsorted(n_right, np.linspace(1, n_right[-1], n_points)))
    ends = np.minimum(np.searchsorted(-shares[order], -shares[order][wanted], side="right") - 1, len(order) - 1)
    return [
        (float(shares[order[at]]), float(n_right[at] / (at + 1)), float(n_right[at] / n_right[-1]))
        for at in np.unique(ends).tolist()
    ]
