"""Which signals a forest uses: those at the tops of its trees, and those without whose values it is worse."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from karat._arrays import Array, Floats, Indices
from karat.measures.measure import f1
from karat.systems.attachment.association import ASSOCIATION_MEASURES
from karat.systems.attachment.classifiers import BALANCED_FOREST, probabilities
from karat.systems.attachment.cross_validation import trained_with_thresholds
from karat.systems.attachment.features import FEATURES
from karat.systems.attachment.kept_forest import kept_forest, tops_of_trees
from karat.systems.attachment.pair_data import AttachmentPairs
from karat.systems.attachment.signals import PLACES
from karat.systems.attachment.treebank_pairs import RULES

EVERY, SHUFFLES = "all signals", 3
KINDS = ("lexical", "morphosyntactic", "wordnet")
WITHOUT = tuple(f"without {one}" for one in (*KINDS, RULES, "distance and order"))
ONLY_PLACES = "distance, order and rules alone"
ONLY_MEASURES = tuple(f"{one} alone" for one in ASSOCIATION_MEASURES)  # of the six; with distance, order and rules


def kind_of_signal(name: str) -> str:
    """Of which kind a signal is."""
    if name in PLACES:
        return "distance and order"
    return RULES if name == RULES else next(one.kind for one in FEATURES if one.name == name.rpartition(".")[0])


def columns_of(signals: str, names: Sequence[str]) -> list[int] | None:
    """The columns of some signals; None for all."""
    if signals == EVERY:
        return None
    if signals in WITHOUT:
        left_out = signals.removeprefix("without ")
        return [i for i, one in enumerate(names) if kind_of_signal(one) != left_out]
    measure = None if signals == ONLY_PLACES else signals.removesuffix(" alone")
    places = (*PLACES, RULES)
    return [i for i, one in enumerate(names) if one in places or one.rpartition(".")[2] == measure]


def groups_of_signals(names: Sequence[str]) -> Mapping[str, list[int]]:
    """The columns of each feature with all its measures, and of each signal that is of none."""
    found: dict[str, list[int]] = {}
    for i, one in enumerate(names):
        found.setdefault(one.rpartition(".")[0] or one, []).append(i)
    return found


def signal_use(pairs: AttachmentPairs, fold_of_sentence: Indices, *, seed: int) -> Mapping[str, Array]:
    """Shares of tops of trees [levels × signals], and how much F1 falls when signals are shuffled over held-out pairs.

    The forest learns from all folds but the first one, on which it is tried. `of_groups` are features with all their
    measures together, `of_signals` single ones.
    """
    training = fold_of_sentence != 0
    forest, (threshold, _) = trained_with_thresholds(pairs, pairs.signals, BALANCED_FOREST, training, seed=seed)
    rows = pairs.rows_of(~training)
    signals, is_edge = pairs.signals[rows], pairs.is_edge[rows]
    rng = np.random.default_rng([seed, 2001])

    def value(found: Floats) -> float:
        decided = probabilities(forest, found) > threshold
        counts = [is_edge.sum(), decided.sum(), (is_edge & decided).sum(), is_edge.sum()]
        return float(f1(np.array(counts, dtype=np.float64)))

    whole = value(signals)

    def loss(columns: list[int]) -> float:
        shuffled = signals.copy()
        shuffled[:, columns] = signals[rng.permutation(len(rows))][:, columns]
        return whole - value(shuffled)

    groups = groups_of_signals(pairs.names).values()
    return {
        "tops": tops_of_trees(kept_forest(forest), len(pairs.names)),
        "of_groups": np.array([np.mean([loss(one) for _ in range(SHUFFLES)]) for one in groups]),
        "of_signals": np.array([loss([one]) for one in range(len(pairs.names))]),
        "f1": np.array([whole]),
    }
