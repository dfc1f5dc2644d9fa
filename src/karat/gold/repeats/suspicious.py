"""Suspicious repeats: the same words annotated in more than one way [Dickinson & Meurers 2003; Wisniewski & Yvon 2019].

What is found is exact: annotations are told apart by hashes, and those with equal hashes are compared label by label.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np

from karat._arrays import Array, Flags, Floats, Ids, Indices
from karat.errors import UsageError
from karat.gold.repeats.labels import Labels
from karat.gold.repeats.maximal import Repeats
from karat.gold.repeats.running_text import Span

_KEY = np.uint64(int.from_bytes(os.urandom(8), "little") | 1)
_MOST_WORDS = 1 << 32  # of all places of all suspicious repeats: some 15 seconds


@dataclass(frozen=True, slots=True)
class Labelling:
    """One way in which a repeat is annotated, and everywhere it is."""

    labels: tuple[str, ...]
    spans: tuple[Span, ...]

    @property
    def count(self) -> int:
        return len(self.spans)


@dataclass(frozen=True, slots=True, eq=False)
class SuspiciousRepeats:
    """Repeats with at least two labellings, by their first place, the shorter first.

    For each: how many labellings there are, how many places the commonest has, how many words differ, `non_fringe`: if
    one of those is neither the first nor the last word, and `disjoint`: if two corpora have no labelling in common.
    `rows` are the repeats' numbers among `all_repeats`.
    """

    all_repeats: Repeats
    labels: Labels
    rows: Indices
    n_labellings: Ids
    n_majority: Ids
    n_differing: Ids
    non_fringe: Flags
    disjoint: Flags

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def length(self) -> Ids:
        return self.all_repeats.length[self.rows]

    @property
    def n_places(self) -> Ids:
        return self.all_repeats.stop[self.rows] - self.all_repeats.start[self.rows]

    @property
    def majority_share(self) -> Floats:
        """Of each repeat's places, the share of those that have its commonest labelling."""
        return self.n_majority / self.n_places

    def chosen(self, rows: Array) -> SuspiciousRepeats:
        """Some of the repeats, in another order if numbers are given, or by flags."""
        return SuspiciousRepeats(
            self.all_repeats,
            self.labels,
            self.rows[rows],
            self.n_labellings[rows],
            self.n_majority[rows],
            self.n_differing[rows],
            self.non_fringe[rows],
            self.disjoint[rows],
        )

    def words(self, row: int) -> tuple[str, ...]:
        """The words of a repeat."""
        return self.all_repeats.words(int(self.rows[row]))

    def positions(self, row: int) -> tuple[int, ...]:
        """The words of a repeat, from 0, whose labels differ."""
        _, places, labelling = self.labelled_places(np.array([row]))
        _, first = np.unique(labelling, return_index=True)
        length = int(self.length[row])
        ways = {self.labels.strings(place, length) for place in places[first].tolist()}
        return tuple(at for at, labels in enumerate(zip(*ways, strict=True)) if len(set(labels)) > 1)

    def labellings(self, row: int) -> tuple[Labelling, ...]:
        """All labellings of a repeat, the commonest first, of equal ones the first to come in the text."""
        _, places, labelling = self.labelled_places(np.array([row]))
        length = int(self.length[row])
        text = self.all_repeats.text
        counts = np.bincount(labelling)
        places_of = np.split(places[np.argsort(labelling, kind="stable")], np.cumsum(counts)[:-1])
        found = []
        for number in np.argsort(-counts, kind="stable").tolist():
            of_it = places_of[number].tolist()
            spans = tuple(text.span(place, length) for place in of_it)
            found.append(Labelling(self.labels.strings(of_it[0], length), spans))
        return tuple(found)

    def labelled_places(self, rows: Indices | None = None) -> tuple[Indices, Ids, Ids]:
        """Offsets, places and labellings of some repeats, or all: the i-th has those from `offsets[i]` on.

        They come in the order of the text, with a number for the labelling of each: of one repeat's, the first is 0.
        """
        from karat.gold.repeats._suffix_intervals import labelled

        chosen = self.rows if rows is None else self.rows[rows]
        repeats = self.all_repeats.chosen(chosen)
        return labelled(
            repeats.start,
            repeats.stop,
            repeats.length,
            repeats.suffixes,
            self.labels.codes,
            self.labels.reach,
            _KEY,
            _n_slots(repeats),
        )


def suspicious_repeats(
    repeats: Repeats,
    labels: Labels,
    *,
    disjoint: bool = False,
    non_fringe: bool = False,
    min_majority: float = 0.0,
) -> SuspiciousRepeats:
    """The repeats that are annotated in at least two ways.

    Filters: `disjoint` keeps those of which two corpora have no labelling in common, `non_fringe` those in which a word
    differs that is not at the edge, so that words on both its sides are the same [Dickinson & Meurers 2003],
    `min_majority` those whose commonest labelling has at least this share of the places.
    """
    if len(labels.codes) != len(repeats.text.codes):
        raise UsageError("labels and repeats are from different texts")
    from karat.gold.repeats._suffix_intervals import agreeing_rows, statistics

    columns = repeats.start, repeats.stop, repeats.length, repeats.suffixes, labels.codes, labels.reach
    rows = np.flatnonzero(~agreeing_rows(*columns))
    text, wanted = repeats.text, repeats.chosen(rows)
    _refuse_too_many_words(wanted)
    table = statistics(
        wanted.start,
        wanted.stop,
        wanted.length,
        wanted.suffixes,
        labels.codes,
        labels.reach,
        text.sentences,
        text.corpus_sentences,
        _KEY,
        _n_slots(wanted),
    )
    order = np.lexsort((wanted.length, table[0]))
    _, n_labellings, n_majority, n_differing, is_inner, is_disjoint = table[:, order]
    found = SuspiciousRepeats(
        repeats, labels, rows[order], n_labellings, n_majority, n_differing, is_inner > 0, is_disjoint > 0
    )
    keep = found.majority_share >= min_majority
    if disjoint:
        keep &= found.disjoint
    if non_fringe:
        keep &= found.non_fringe
    return found if keep.all() else found.chosen(keep)


def _refuse_too_many_words(repeats: Repeats) -> None:
    """Stop before hours of work: a sentence of 10,000 equal words has that many repeats inside itself, with as many
    places each. Other texts have about as many words in suspicious repeats as they are long.
    """
    n_words = int(((repeats.stop - repeats.start).astype(np.int64) * repeats.length).sum())
    if n_words > _MOST_WORDS:
        raise UsageError(
            f"the text repeats itself too much: {len(repeats):,} suspicious repeats of up to {repeats.length.max():,}"
            f" words have {n_words:,} words at all their places; limit the length with max_words"
        )


def _n_slots(repeats: Repeats) -> int:
    """A power of two, more than twice the places of any of the repeats."""
    most = int((repeats.stop - repeats.start).max(initial=1))
    return 1 << (2 * most).bit_length()
