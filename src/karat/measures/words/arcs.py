"""Dependency arcs by length and by direction, as CoNLL-X's evaluator and McDonald & Nivre 2007 group them.

Precision is then over the system's arcs of a bin, recall over the gold's.
"""

from __future__ import annotations

import numpy as np

from karat._arrays import Ids, Indices
from karat.measures.words.comparison import ROOT, Comparison, parents

LENGTHS = ("root", "1", "2", "3–6", "7+")
_FIRST = (1, 2, 3, 7)  # the least length of each bin but the root's
DIRECTIONS = ("root", "left", "right")  # where the head is, seen from the word


def arc_lengths(comparison: Comparison) -> tuple[Ids, Ids]:
    """For all gold and all system words the number of the bin in LENGTHS that |head − word| is in."""
    ours, theirs = _offsets(comparison)
    return _length_bins(ours), _length_bins(theirs)


def arc_directions(comparison: Comparison) -> tuple[Ids, Ids]:
    """For all gold and all system words the number in DIRECTIONS of where the head is."""
    ours, theirs = (np.sign(side) for side in _offsets(comparison))
    places = np.array([DIRECTIONS.index("root"), DIRECTIONS.index("right"), DIRECTIONS.index("left")], dtype=np.int32)
    return places.take(ours), places.take(theirs)  # index −1, a head to the left, finds the last


def _length_bins(offsets: Indices) -> Ids:
    return np.searchsorted(_FIRST, np.abs(offsets), side="right").astype(np.int32)


def _offsets(comparison: Comparison) -> tuple[Indices, Indices]:
    """How many words to the right the head of each gold and each system word is; 0 for roots.

    An arc of the system between words that match is measured in words of the gold, so that right arcs are in the same
    bin on both sides even where the words between are cut otherwise.
    """
    ours, theirs = (_own_offsets(side) for side in (comparison.gold_parents, parents(comparison.system)))
    gold_word, gold_head = comparison.alignment.gold_of_system, comparison.system_parents
    both_match = (gold_word >= 0) & (gold_head > ROOT)
    return ours, np.where(both_match, gold_head - gold_word, theirs)


def _own_offsets(heads: Indices) -> Indices:
    return np.where(heads == ROOT, 0, heads - np.arange(len(heads)))
