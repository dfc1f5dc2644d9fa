"""Edges of the enhanced graph: ELAS and EULAS [IWPT 2020 shared task]."""

from __future__ import annotations

import numpy as np

from karat._arrays import Floats, Indices
from karat.corpus.enhanced import Edges, enhanced_edges
from karat.measures._comparison import ROOT, Comparison
from karat.measures._measure import CORRECT, FIELDS, GOLD, SYSTEM, Measure, tally
from karat.measures.dependencies import without_subtype

__all__ = ["ELAS", "EULAS"]


class _EnhancedMeasure(Measure):
    """Edges with the same ends and the same label.

    karat collapses empty nodes into paths and matches equal edges one to one. The official evaluator, which
    `official` follows, leaves edges from empty nodes out and counts every pair of equal edges, so that two edges of one
    word that differ in their subtype only are four right ones for EULAS.
    """

    needs = ("deps",)
    has_aligned = False

    def __init__(self, *, official: bool = False) -> None:
        self.official = official

    def shown(self, label: str) -> str:
        """The label as this measure compares it."""
        return label

    def counts(self, comparison: Comparison) -> Floats:
        alignment = comparison.alignment
        ours = enhanced_edges(comparison.gold, collapse=not self.official)
        theirs = enhanced_edges(comparison.system, collapse=not self.official)
        counts = np.zeros((comparison.n_rows, len(FIELDS)))
        counts[:, GOLD] = tally(comparison.gold.words_sentence.take(ours.word), comparison.n_rows)
        counts[:, SYSTEM] = tally(alignment.system_rows.take(theirs.word), comparison.n_rows)
        words, n_right = self._matches(comparison, ours, theirs)
        rows = comparison.gold.words_sentence.take(words)
        counts[:, CORRECT] = np.bincount(rows, weights=n_right, minlength=comparison.n_rows)
        return counts

    def _matches(self, comparison: Comparison, ours: Edges, theirs: Edges) -> tuple[Indices, Indices]:
        """The gold words below edges that both sides have, and how many matches each such edge makes."""
        seen: dict[str, int] = {}
        our_codes, their_codes = (
            np.array([seen.setdefault(self.shown(label), len(seen)) for label in edges.labels], dtype=np.intp)
            for edges in (ours, theirs)
        )
        gold_of_system = np.append(comparison.alignment.gold_of_system, ROOT)  # index -1, the root, finds the last
        word, head = gold_of_system.take(theirs.word), gold_of_system[theirs.head]
        is_matched = (word >= 0) & ((head >= 0) | (theirs.head == ROOT))
        n_words, n_labels = comparison.gold.n_words, len(seen)

        def key(words: Indices, heads: Indices, labels: Indices) -> Indices:
            return (words * n_labels + labels) * (n_words + 1) + heads + 1

        our_keys, our_n = np.unique(key(ours.word, ours.head, our_codes.take(ours.label)), return_counts=True)
        their_labels = their_codes.take(theirs.label)[is_matched]
        their_keys, their_n = np.unique(key(word[is_matched], head[is_matched], their_labels), return_counts=True)
        keys, our_place, their_place = np.intersect1d(our_keys, their_keys, assume_unique=True, return_indices=True)
        our_n, their_n = our_n[our_place], their_n[their_place]
        n_right = our_n * their_n if self.official else np.minimum(our_n, their_n)
        return keys // (n_words + 1) // max(n_labels, 1), n_right


class ELAS(_EnhancedMeasure):
    name = "ELAS"
    what = "edges of the enhanced graph"


class EULAS(_EnhancedMeasure):
    name = "EULAS"
    what = "edges of the enhanced graph, subtypes ignored"

    def shown(self, label: str) -> str:
        return ">".join(map(without_subtype, label.split(">")))
