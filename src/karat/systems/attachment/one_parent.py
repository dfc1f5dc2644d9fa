"""Edges that make a forest: at most one parent for each object, and no cycles.

The paper decides every pair by itself, and says that there is room for improvement: "a node in a parse tree has at most
one parent" [Slaski, Acedański & Przepiórkowski 2012, §3]. Here the forest is taken that has the largest sum of weights,
where a pair weighs as much as its log-odds are above those of the decision threshold [Chu & Liu 1965; Edmonds 1967].
"""

from __future__ import annotations

import numpy as np

from karat._arrays import Floats, Indices

_LEAST = 1e-6  # of a probability, and of what it lacks to 1
_FORBIDDEN = -1e9


def edge_weights(probabilities: Floats, threshold: float | Floats) -> Floats:
    """How much the log-odds of each probability are above those of the threshold."""
    found: Floats = _log_odds(np.asarray(probabilities, dtype=np.float64)) - _log_odds(
        np.asarray(threshold, dtype=np.float64)
    )
    return found


def _log_odds(shares: Floats) -> Floats:
    inside = np.clip(shares, _LEAST, 1 - _LEAST)
    found: Floats = np.log(inside) - np.log1p(-inside)
    return found


def best_forest(weights: Floats) -> Indices:
    """The parent of each node, -1 for none, in the forest with the largest sum of weights [parents × children].

    An edge of weight 0 or less is not taken: to have no parent weighs 0. Weights of nodes with themselves do not count.
    """
    n = len(weights)
    scores = np.full((n + 1, n + 1), _FORBIDDEN)
    scores[1:, 1:] = weights
    scores[0, 1:] = 0.0  # node 0 is above those that have no parent
    np.fill_diagonal(scores, _FORBIDDEN)
    parents = _arborescence(scores)
    found: Indices = parents[1:] - 1
    return found


def _arborescence(scores: Floats) -> Indices:
    """The parent of each node in the best tree that hangs from node 0, whose own parent is itself."""
    parents: Indices = scores.argmax(axis=0)
    parents[0] = 0
    cycle = _cycle(parents)
    if cycle is None:
        return parents
    # the cycle becomes one node, the last: what it costs to enter it is what its best edge there loses
    outside = np.setdiff1d(np.arange(len(scores)), cycle)
    n = len(outside)
    smaller = np.full((n + 1, n + 1), _FORBIDDEN)
    smaller[:n, :n] = scores[np.ix_(outside, outside)]
    gains = scores[np.ix_(outside, cycle)] - scores[parents[cycle], cycle]
    leaving = scores[np.ix_(cycle, outside)]
    smaller[:n, n], smaller[n, :n] = gains.max(axis=1), leaving.max(axis=0)
    np.fill_diagonal(smaller, _FORBIDDEN)
    above = _arborescence(smaller)
    found = parents.copy()
    for node, parent in zip(outside[1:].tolist(), above[1:n].tolist(), strict=True):
        place = int(np.searchsorted(outside, node))
        found[node] = outside[parent] if parent < n else cycle[leaving[:, place].argmax()]
    entered = int(gains[above[n]].argmax())
    found[cycle[entered]] = outside[above[n]]
    return found


def _cycle(parents: Indices) -> Indices | None:
    """The nodes of a cycle, None if there is none."""
    state = np.zeros(len(parents), dtype=np.int8)  # 1: on the present path, 2: leads to node 0
    state[0] = 2
    for start in range(1, len(parents)):
        path = []
        node = start
        while state[node] == 0:
            state[node] = 1
            path.append(node)
            node = int(parents[node])
        if state[node] == 1:
            return np.sort(np.array(path[path.index(node) :], dtype=np.intp))
        state[path] = 2
    return None
