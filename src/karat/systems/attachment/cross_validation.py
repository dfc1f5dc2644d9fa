"""Classifiers tried on sentences that they have not seen: folds, thresholds chosen inside of training, decisions.

In each fold the threshold is chosen on training sentences alone: they are divided once more, and every part gets its
probabilities from a classifier of the others. Copies of a sentence are never on both sides, of either division.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from karat._arrays import Flags, Floats, Indices
from karat.errors import UsageError
from karat.systems.attachment.classifiers import N_TREES_TO_CHOOSE, fitted, probabilities
from karat.systems.attachment.decisions import one_parent_each
from karat.systems.attachment.pair_data import AttachmentPairs, connected, folds_of_sentences
from karat.systems.attachment.thresholds import threshold_for_one_parent, threshold_for_pairs

N_INNER = 3  # parts of training sentences, to choose thresholds on
Progress = Callable[[float], None]


@dataclass(frozen=True, slots=True, eq=False)
class Decided:
    """What a classifier decided for every pair, from folds in which it had not seen the sentence.

    `pairs` are edges pair by pair, as the paper has it, `one_parent` those of the best forest; `thresholds` those of
    both, fold by fold [folds × 2].
    """

    classifier: str
    shares: Floats
    pairs: Flags
    one_parent: Flags
    thresholds: Floats


def sentence_folds(pairs: AttachmentPairs, n_folds: int, *, by: str, seed: int) -> Indices:
    """The fold of each sentence; copies of a text, and `by` "document" all sentences of a document, are in one."""
    groups = pairs.texts
    if by == "document":
        if pairs.documents is None:
            raise UsageError("the treebank marks no documents: folds can only be made by sentence")
        groups = connected(pairs.texts, pairs.documents)
    n_groups = len(np.unique(groups))
    if n_folds < 2 or n_groups < n_folds:
        what = "documents" if by == "document" else "different sentences"
        raise UsageError(f"{n_folds} folds: there must be at least 2, and no more than the {n_groups} {what}")
    return folds_of_sentences(groups, n_folds, np.random.default_rng([seed, 2012]))


def cross_validated(
    pairs: AttachmentPairs,
    classifier: str,
    fold_of_sentence: Indices,
    *,
    seed: int,
    jobs: int = 1,
    columns: Sequence[int] | None = None,
    progress: Progress | None = None,
    n_train: int | None = None,
) -> Decided:
    """What a classifier decides in folds, with all signals or only those of some columns.

    With `n_train`, it learns from so many of the training sentences of each fold, drawn at random.
    """
    signals = pairs.signals if columns is None else np.ascontiguousarray(pairs.signals[:, list(columns)])
    n_folds = int(fold_of_sentence.max()) + 1
    shares = np.zeros(len(pairs))
    flags = np.zeros((2, len(pairs)), dtype=np.bool_)
    chosen = np.zeros((n_folds, 2))
    for fold in range(n_folds):
        training = fold_of_sentence != fold
        if n_train is not None:
            training = _drawn(training, n_train, np.random.default_rng([seed, fold, n_train]))
        learnt, chosen[fold] = trained_with_thresholds(pairs, signals, classifier, training, seed=seed, jobs=jobs)
        rows = pairs.rows_of(fold_of_sentence == fold)
        shares[rows] = probabilities(learnt, signals[rows])
        flags[0, rows] = shares[rows] > chosen[fold, 0]
        flags[1, rows] = one_parent_each(pairs, rows, shares[rows], float(chosen[fold, 1]))
        if progress is not None:
            progress((fold + 1) / n_folds)
    return Decided(classifier, shares, flags[0], flags[1], chosen)


def _drawn(sentences: Flags, n: int, rng: np.random.Generator) -> Flags:
    every = np.flatnonzero(sentences)
    found = np.zeros(len(sentences), dtype=np.bool_)
    found[rng.permutation(every)[:n]] = True
    return found


def trained_with_thresholds(
    pairs: AttachmentPairs, signals: Floats, classifier: str, training: Flags, *, seed: int, jobs: int = 1
) -> tuple[object, tuple[float, float]]:
    """A classifier that learnt from some sentences, and the thresholds that are best for others like them."""
    rows = pairs.rows_of(training)
    inner = np.full(pairs.n_sentences, -1)
    groups = pairs.texts[training]
    if len(np.unique(groups)) < N_INNER:
        raise UsageError(f"{int(training.sum())} training sentences are too few: thresholds need {N_INNER} or more")
    inner[training] = folds_of_sentences(groups, N_INNER, np.random.default_rng([seed, 1]))
    shares = np.zeros(len(pairs))
    for part in range(N_INNER):
        rest = pairs.rows_of(training & (inner != part))
        held_out = pairs.rows_of(inner == part)
        known = signals[rest], pairs.is_edge[rest]
        one = fitted(classifier, *known, seed=seed, jobs=jobs, n_trees=N_TREES_TO_CHOOSE)
        shares[held_out] = probabilities(one, signals[held_out])
    thresholds = (
        threshold_for_pairs(shares[rows], pairs.is_edge[rows]),
        threshold_for_one_parent(shares[rows], pairs.is_edge[rows], pairs.sentence[rows], pairs.child[rows]),
    )
    return fitted(classifier, signals[rows], pairs.is_edge[rows], seed=seed, jobs=jobs), thresholds
