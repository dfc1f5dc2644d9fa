"""Thresholds, folds and the baseline, against loops straight from their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from karat._arrays import Flags
from karat.errors import UsageError
from karat.systems.attachment.cross_validation import cross_validated, sentence_folds
from karat.systems.attachment.decisions import all_pairs, counts_per_sentence, nearest_by_rules, one_parent_each
from karat.systems.attachment.pair_data import AttachmentPairs, connected, folds_of_sentences
from karat.systems.attachment.thresholds import (
    precision_recall_curve,
    recall_at_precision,
    threshold_for_one_parent,
    threshold_for_pairs,
)


def pairs_of(seed: int, n_sentences: int = 12, most: int = 5) -> AttachmentPairs:
    """Sentences of random objects, each with an edge to another object, and a signal that tells something of it."""
    rng = np.random.default_rng(seed)
    n_objects = rng.integers(0, most + 1, n_sentences).astype(np.int32)
    sentence, parent, child = all_pairs(n_objects)
    is_edge = np.zeros(len(sentence), dtype=np.bool_)
    for one in range(n_sentences):
        for below in range(1, int(n_objects[one])):
            above = int(rng.integers(0, below))
            is_edge |= (sentence == one) & (parent == above) & (child == below)
    signals = np.stack([np.abs(parent - child) - 1, is_edge + rng.normal(size=len(sentence))], axis=1)
    accepted = rng.random(len(sentence)) < 0.4
    none = np.zeros(len(sentence), dtype=np.bool_)
    texts = rng.integers(0, max(n_sentences - 2, 1), n_sentences)
    return AttachmentPairs(
        signals, ("distance", "told"), sentence, parent, child, n_objects, is_edge, accepted, none, none, texts
    )


seeds = st.integers(0, 2**32 - 1)


def test_all_pairs_are_all_ordered_pairs() -> None:
    sentence, parent, child = all_pairs(np.array([2, 0, 1, 3], dtype=np.int32))
    found = list(zip(sentence.tolist(), parent.tolist(), child.tolist(), strict=True))
    wanted = [(0, 0, 1), (0, 1, 0)] + [(3, a, b) for a in range(3) for b in range(3) if a != b]
    assert found == wanted


@settings(max_examples=80, deadline=None)
@given(seeds)
def test_the_baseline_is_the_nearest_that_rules_accept_the_one_before_first(seed: int) -> None:
    pairs = pairs_of(seed)
    rows = list(zip(pairs.sentence.tolist(), pairs.parent.tolist(), pairs.child.tolist(), strict=True))
    wanted = set()
    for sentence, child in {(one, below) for one, _, below in rows}:
        candidates = [
            (abs(above - below), above > below, above)
            for (one, above, below), accepted in zip(rows, pairs.by_rules.tolist(), strict=True)
            if (one, below) == (sentence, child) and accepted
        ]
        if candidates:
            wanted.add((sentence, min(candidates)[2], child))
    found = nearest_by_rules(pairs)
    assert {row for row, flag in zip(rows, found.tolist(), strict=True) if flag} == wanted


def f1_above(threshold: float, shares: list[float], edges: list[bool], n_edges: int) -> float:
    found = [edge for share, edge in zip(shares, edges, strict=True) if share > threshold]
    return 2 * sum(found) / (len(found) + n_edges) if found else 0.0


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.9, 1.0]), st.booleans()), min_size=1, max_size=25))
def test_no_threshold_has_a_better_f1(rows: list[tuple[float, bool]]) -> None:
    shares, edges = [one for one, _ in rows], [edge for _, edge in rows]
    found = threshold_for_pairs(np.array(shares), np.array(edges))
    best = max(f1_above(one, shares, edges, sum(edges)) for one in (-0.1, *shares))
    if sum(edges):
        assert f1_above(found, shares, edges, sum(edges)) == pytest.approx(best) or found == 0.0


@settings(max_examples=80, deadline=None)
@given(seeds)
def test_with_one_parent_only_the_likeliest_of_each_child_counts(seed: int) -> None:
    pairs = pairs_of(seed)
    shares = np.random.default_rng(seed).random(len(pairs))
    found = threshold_for_one_parent(shares, pairs.is_edge, pairs.sentence, pairs.child)
    best: dict[tuple[int, int], tuple[float, bool]] = {}
    for sentence, child, share, edge in zip(
        pairs.sentence.tolist(), pairs.child.tolist(), shares.tolist(), pairs.is_edge.tolist(), strict=True
    ):
        best[sentence, child] = max(best.get((sentence, child), (-1.0, False)), (share, edge))
    kept = list(best.values())
    n_edges = int(pairs.is_edge.sum())
    values = [one for one, _ in kept], [edge for _, edge in kept]
    if n_edges and kept:
        wanted = max(f1_above(one, *values, n_edges) for one in (-0.1, *values[0]))
        assert f1_above(found, *values, n_edges) == pytest.approx(wanted)


def test_recall_at_a_precision() -> None:
    shares, edges = np.array([0.9, 0.8, 0.8, 0.7, 0.1]), np.array([True, True, False, True, True])
    assert recall_at_precision(shares, edges, 1.0) == 0.25  # the two at .8 stand or fall together
    assert recall_at_precision(shares, edges, 0.75) == 1.0
    assert recall_at_precision(shares, np.zeros(5, dtype=np.bool_), 0.5) is None
    assert recall_at_precision(np.array([0.9, 0.1]), np.array([False, True]), 0.9) is None
    assert precision_recall_curve(shares, edges)[-1] == pytest.approx((0.1, 0.8, 1.0))


@settings(max_examples=80, deadline=None)
@given(st.lists(st.integers(0, 9), min_size=3, max_size=40), st.integers(2, 4), seeds)
def test_what_belongs_together_is_in_one_fold(groups: list[int], n_folds: int, seed: int) -> None:
    folds = folds_of_sentences(np.array(groups), n_folds, np.random.default_rng(seed))
    for one in set(groups):
        assert len({int(fold) for fold, group in zip(folds, groups, strict=True) if group == one}) == 1
    sizes = np.bincount(folds, minlength=n_folds)
    assert sizes.max() - sizes.min() <= max(np.bincount(groups))


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=12))
def test_connected_sentences_are_those_with_a_path_between_them(rows: list[tuple[int, int]]) -> None:
    one, other = (np.array([row[i] for row in rows]) for i in (0, 1))
    found = connected(one, other)
    for a in range(len(rows)):
        reached, todo = {a}, [a]
        while todo:
            here = todo.pop()
            for there in range(len(rows)):
                is_near = rows[here][0] == rows[there][0] or rows[here][1] == rows[there][1]
                if is_near and there not in reached:
                    reached.add(there)
                    todo.append(there)
        assert {b for b in range(len(rows)) if found[b] == found[a]} == reached


@settings(max_examples=60, deadline=None)
@given(seeds, st.floats(0.05, 0.95))
def test_decided_edges_give_no_object_two_parents(seed: int, threshold: float) -> None:
    pairs = pairs_of(seed)
    shares = np.random.default_rng(seed).random(len(pairs))
    found = one_parent_each(pairs, np.arange(len(pairs)), shares, threshold)
    children = list(zip(pairs.sentence[found].tolist(), pairs.child[found].tolist(), strict=True))
    assert len(children) == len(set(children))
    assert (shares[found] > threshold).all()


def test_counts_are_those_of_measures() -> None:
    pairs = pairs_of(3)
    found: Flags = pairs.by_rules
    counts = counts_per_sentence(pairs, found)
    assert counts.shape == (pairs.n_sentences, 4)
    sums = [pairs.is_edge.sum(), found.sum(), (pairs.is_edge & found).sum(), pairs.is_edge.sum()]
    assert counts.sum(axis=0).tolist() == [float(one) for one in sums]


def test_copies_of_a_sentence_are_never_on_both_sides() -> None:
    pairs = pairs_of(5, n_sentences=40)
    folds = sentence_folds(pairs, 4, by="sentence", seed=0)
    assert all(len(set(folds[pairs.texts == text].tolist())) == 1 for text in set(pairs.texts.tolist()))
    with pytest.raises(UsageError, match="marks no documents"):
        sentence_folds(pairs, 4, by="document", seed=0)
    with pytest.raises(UsageError, match="folds"):
        sentence_folds(pairs, 100, by="sentence", seed=0)


def test_what_was_learnt_is_found_and_what_cannot_be_learnt_is_not() -> None:
    """With a telling signal F1 is high; with edges that are shuffled within sentences, no better than guessing."""
    pairs = pairs_of(7, n_sentences=150)
    clear = pairs.signals.copy()
    clear[:, 1] = pairs.is_edge + 0.01 * pairs.signals[:, 1]
    folds = sentence_folds(pairs, 3, by="sentence", seed=0)

    def f1(is_edge: Flags, signals: np.ndarray) -> float:
        one = AttachmentPairs(
            signals, pairs.names, pairs.sentence, pairs.parent, pairs.child, pairs.n_objects, is_edge, pairs.by_rules,
            pairs.in_wordnet, pairs.in_wordnet, pairs.texts,
        )  # fmt: skip
        found = cross_validated(one, "balanced-forest", folds, seed=0).pairs
        return 2 * float((found & is_edge).sum()) / float(found.sum() + is_edge.sum())

    assert f1(pairs.is_edge, clear) > 0.95
    rng = np.random.default_rng(1)
    shuffled = pairs.is_edge.copy()
    for one in range(pairs.n_sentences):
        here = np.flatnonzero(pairs.sentence == one)
        shuffled[here] = shuffled[rng.permutation(here)]
    all_yes = 2 * shuffled.mean() / (1 + shuffled.mean())  # the F1 of saying yes to every pair
    assert f1(shuffled, clear) < all_yes + 0.05
