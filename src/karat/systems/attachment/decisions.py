"""Edges from probabilities: every pair by itself, or a forest; and the baseline, the nearest neighbour by rules."""

from __future__ import annotations

import numpy as np

from karat._arrays import Flags, Floats, Ids, Indices
from karat._ragged import offsets_of
from karat.systems.attachment.one_parent import best_forest, edge_weights
from karat.systems.attachment.pair_data import AttachmentPairs


def one_parent_each(pairs: AttachmentPairs, rows: Indices, shares: Floats, threshold: float | Floats) -> Flags:
    """The pairs, of these rows, that are edges of their sentence's best forest; a threshold for all, or one a pair."""
    found = np.zeros(len(rows), dtype=np.bool_)
    sentence, parent, child = pairs.sentence[rows], pairs.parent[rows], pairs.child[rows]
    weights = edge_weights(shares, threshold)
    bounds = np.flatnonzero(np.diff(sentence, prepend=-1))
    for start, stop in zip(bounds.tolist(), [*bounds[1:].tolist(), len(rows)], strict=True):
        n = int(pairs.n_objects[sentence[start]])
        table = np.full((n, n), -1.0)
        above, below = parent[start:stop], child[start:stop]
        table[above, below] = weights[start:stop]
        if table.max(initial=-1.0) > 0:
            parents = best_forest(table)
            found[start:stop] = parents[below] == above
    return found


def nearest_by_rules(pairs: AttachmentPairs) -> Flags:
    """For each child the nearest possible parent that the rules accept, of two as near the one before it [§3]."""
    order = np.lexsort((pairs.parent > pairs.child, np.abs(pairs.parent - pairs.child), pairs.child, pairs.sentence))
    order = order[pairs.by_rules[order]]
    is_first = np.ones(len(order), dtype=np.bool_)
    is_first[1:] = (np.diff(pairs.sentence[order]) != 0) | (np.diff(pairs.child[order]) != 0)
    found = np.zeros(len(pairs), dtype=np.bool_)
    found[order[is_first]] = True
    return found


def counts_per_sentence(pairs: AttachmentPairs, found: Flags, kept: Flags | None = None) -> Floats:
    """Gold edges, found ones, right ones, and gold ones again, of each sentence [sentences × 4].

    These are the fields of karat's measures. Only the pairs that are `kept` count.
    """
    kept = np.ones(len(pairs), dtype=np.bool_) if kept is None else kept
    columns = (pairs.is_edge & kept, found & kept, pairs.is_edge & found & kept)
    gold, system, right = (np.bincount(pairs.sentence[one], minlength=pairs.n_sentences) for one in columns)
    return np.stack([gold, system, right, gold], axis=1).astype(np.float64)


def all_pairs(n_objects: Ids) -> tuple[Ids, Ids, Ids]:
    """Sentence, parent and child of all ordered pairs, sentence by sentence, parent by parent."""
    sizes = n_objects.astype(np.int64)
    n_pairs = sizes * (sizes - 1)
    offsets = offsets_of(n_pairs)
    sentence = np.repeat(np.arange(len(sizes)), n_pairs)
    place = np.arange(offsets[-1]) - offsets[:-1].take(sentence)
    others = np.maximum(sizes.take(sentence) - 1, 1)
    parent, rest = np.divmod(place, others)
    child = rest + (rest >= parent)
    return sentence.astype(np.int32), parent.astype(np.int32), child.astype(np.int32)
