"""Edges of the enhanced graph: ELAS and EULAS [IWPT 2020 shared task]."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat._arrays import Flags, Floats, Indices
from karat._numbering import numbered_values
from karat._ragged import offsets_of, stretches
from karat.corpus import Corpus
from karat.corpus.enhanced_graph import DepsFields, Edges, deps_fields, enhanced_edges
from karat.measures.measure import CORRECT, FIELDS, GOLD, SYSTEM, AlignedMeasure, GoldUnits
from karat.measures.words.comparison import ROOT, Comparison, at
from karat.measures.words.dependencies import without_subtype


@dataclass(frozen=True, slots=True, eq=False)
class _Graphs:
    """The enhanced graphs of both sides, cut in two.

    Most words have the same DEPS on both sides in sentences that are cut into the same words: these are `settled`, all
    their edges are right, and only the distinct values of their DEPS are looked at. `ours` and `theirs` are the edges
    of all other words.
    """

    fields: DepsFields  # of the gold
    settled: Indices  # gold words
    ours: Edges
    theirs: Edges


def _graphs(comparison: Comparison, *, collapse: bool) -> _Graphs:
    gold, system, alignment = comparison.gold, comparison.system, comparison.alignment
    our_fields, their_fields = deps_fields(gold), deps_fields(system)
    ids = at(gold.column("deps").ids, alignment.gold_words)
    is_settled = comparison.same("deps") & _parallel_rows(comparison).take(comparison.matching_rows)
    if collapse and our_fields.from_empty.any():
        from_empty = np.zeros(len(our_fields.is_readable), dtype=np.bool_)
        from_empty[our_fields.field[our_fields.from_empty]] = True
        is_settled &= ~from_empty.take(ids)
    our_words = _others(gold, alignment.gold_words[is_settled])
    their_words = _others(system, alignment.system_words[is_settled])
    return _Graphs(
        our_fields,
        alignment.gold_words[is_settled],
        enhanced_edges(gold, our_fields, our_words, collapse=collapse),
        enhanced_edges(system, their_fields, their_words, collapse=collapse),
    )


def _parallel_rows(comparison: Comparison) -> Flags:
    """The gold sentences that the system has with the same span and the same words."""
    alignment = comparison.alignment
    n_gold, n_matching = np.diff(comparison.gold.sentence_offsets), comparison.tally("matching")
    n_system = np.diff(comparison.system.sentence_offsets)
    parallel = np.zeros(comparison.n_rows, dtype=np.bool_)
    ours, theirs = alignment.gold_sentences, alignment.system_sentences
    parallel[ours] = (n_matching[ours] == n_gold[ours]) & (n_matching[ours] == n_system[theirs])
    return parallel


def _others(corpus: Corpus, words: Indices) -> Indices:
    others = np.ones(corpus.n_words, dtype=np.bool_)
    others[words] = False
    return np.flatnonzero(others)


class _EnhancedMeasure(AlignedMeasure):
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
        key = ("enhanced graphs", self.official)
        graphs = comparison.kept(key, lambda: _graphs(comparison, collapse=not self.official))
        n_rows, rows = comparison.n_rows, comparison.gold.words_sentence
        settled_rows = rows.take(graphs.settled)
        ids = comparison.gold.column("deps").ids.take(graphs.settled)
        n_edges, n_matches = self._within_fields(graphs.fields)
        in_settled = np.bincount(settled_rows, weights=n_edges.take(ids), minlength=n_rows)
        words, n_right = self._matches(comparison, graphs.ours, graphs.theirs)
        counts = np.zeros((n_rows, len(FIELDS)))
        counts[:, GOLD] = in_settled + np.bincount(rows.take(graphs.ours.word), minlength=n_rows)
        system_rows = comparison.alignment.system_rows.take(graphs.theirs.word)
        counts[:, SYSTEM] = in_settled + np.bincount(system_rows, minlength=n_rows)
        counts[:, CORRECT] = np.bincount(settled_rows, weights=n_matches.take(ids), minlength=n_rows)
        counts[:, CORRECT] += np.bincount(rows.take(words), weights=n_right, minlength=n_rows)
        return counts

    def gold_units(self, comparison: Comparison) -> GoldUnits:
        """Equal edges are found from the first on: two of the gold and one of the system are one found."""
        gold, system = comparison.gold, comparison.system
        ours, theirs = (
            enhanced_edges(corpus, deps_fields(corpus), np.arange(corpus.n_words), collapse=not self.official)
            for corpus in (gold, system)
        )
        our_keys, their_keys, _ = self._keys(comparison, ours, theirs)
        order = np.argsort(our_keys, kind="stable")
        n_before = np.zeros(len(our_keys), dtype=np.intp)  # how many equal edges come before
        first = np.flatnonzero(np.diff(our_keys[order], prepend=-1))
        n_before[order] = stretches(0, np.diff(first, append=len(order)))
        sorted_theirs = np.sort(their_keys)
        n_theirs = np.searchsorted(sorted_theirs, our_keys, side="right") - np.searchsorted(sorted_theirs, our_keys)
        return GoldUnits(gold.words_sentence.take(ours.word), n_before < n_theirs)

    def _within_fields(self, fields: DepsFields) -> tuple[Indices, Indices]:
        """For each distinct DEPS how many edges it has and how many matches it makes with itself."""
        n_fields = len(fields.is_readable)
        from_words = np.flatnonzero(~fields.from_empty)
        field, major = fields.field.take(from_words), fields.major.take(from_words)
        n_edges = np.bincount(field, minlength=n_fields)
        if not self.official:
            return n_edges, n_edges
        codes, n_labels = _codes([self.shown(label) for label in fields.labels])
        label = codes.take(fields.label.take(from_words))
        keys, n_equal = np.unique((field * n_labels + label) * (major.max(initial=0) + 1) + major, return_counts=True)
        fields_of_keys = keys // (major.max(initial=0) + 1) // max(n_labels, 1)
        n_matches = np.bincount(fields_of_keys, weights=n_equal * n_equal, minlength=n_fields)
        return n_edges, n_matches.astype(np.intp)

    def _matches(self, comparison: Comparison, ours: Edges, theirs: Edges) -> tuple[Indices, Indices]:
        """The gold words below edges that both sides have, and how many matches each such edge makes.

        An edge becomes one number, in gold words, and twice that number plus the side is sorted: equal edges of both
        sides then stand together.
        """
        our_keys, their_keys, n_other = self._keys(comparison, ours, theirs)
        every = np.sort(np.concatenate([our_keys * 2, their_keys * 2 + 1]))
        first = np.flatnonzero(np.diff(every >> 1, prepend=-1))
        n_both = np.diff(first, append=len(every))
        n_theirs = np.diff(offsets_of(every & 1)[np.append(first, len(every))])
        n_right = (n_both - n_theirs) * n_theirs if self.official else np.minimum(n_both - n_theirs, n_theirs)
        found = np.flatnonzero(n_right)
        return (every[first[found]] >> 1) // n_other, n_right[found]

    def _keys(self, comparison: Comparison, ours: Edges, theirs: Edges) -> tuple[Indices, Indices, int]:
        """A number for every gold edge and for every system edge whose ends match gold words, equal for equal edges.

        The last is how many numbers belong to one gold word below an edge: `key // n` is that word.
        """
        n_ours = len(ours.labels)
        codes, n_labels = _codes([self.shown(label) for label in (*ours.labels, *theirs.labels)])
        gold_of_system = np.append(comparison.alignment.gold_of_system, ROOT)  # index -1, the root, finds the last
        word, head = gold_of_system.take(theirs.word), gold_of_system[theirs.head]
        is_matched = np.flatnonzero((word >= 0) & ((head >= 0) | (theirs.head == ROOT)))
        n_words = comparison.gold.n_words

        def keys(words: Indices, heads: Indices, labels: Indices) -> Indices:
            numbers: Indices = (words * n_labels + labels) * (n_words + 1) + heads + 1
            return numbers

        our_keys = keys(ours.word, ours.head, codes[:n_ours].take(ours.label))
        their_labels = codes[n_ours:].take(theirs.label.take(is_matched))
        their_keys = keys(word.take(is_matched), head.take(is_matched), their_labels)
        return our_keys, their_keys, (n_words + 1) * max(n_labels, 1)


def _codes(labels: list[str]) -> tuple[Indices, int]:
    """A number for each label, equal for equal labels, and how many there are."""
    seen: dict[str, int] = {}
    return numbered_values(labels, seen).astype(np.intp), len(seen)


class ELAS(_EnhancedMeasure):
    name = "ELAS"
    what = "edges of the enhanced graph"
    source = "IWPT 2020 shared task"


class EULAS(_EnhancedMeasure):
    name = "EULAS"
    what = "enhanced edges, subtypes ignored"
    source = "IWPT 2020 shared task"

    def shown(self, label: str) -> str:
        return ">".join(map(without_subtype, label.split(">")))
