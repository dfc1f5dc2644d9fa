"""Suspicious repeats that are alike: one convention, understood in two ways, makes many of them and is one finding."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from karat._arrays import Floats, Indices
from karat.gold.repeats.patterns import WordsBy, between_spaces, cut_text, label_keys, label_name, without_outside
from karat.gold.repeats.ranking import Ranking


@dataclass(frozen=True, slots=True, eq=False)
class RepeatGroups:
    """Which repeats are alike: the same word, or lemma, with the same two labels.

    `of_row` is the group of each repeat. Of each group there are the word, the labels, the number of repeats, and a
    score: that of its best repeat less the power of ten of how many it is the best of, since of many odd labels of a
    truly ambiguous word one looks like an error by chance.
    """

    of_row: Indices
    words: tuple[str, ...]
    labels: tuple[tuple[str, str], ...]
    n_repeats: Indices
    score: Floats

    def __len__(self) -> int:
        return len(self.words)


def grouped(ranking: Ranking, by: WordsBy) -> tuple[Ranking, RepeatGroups]:
    """The repeats with the best of each group first, these by the groups' scores, then all others by their own.

    So the i-th repeat is the best of the i-th group, for as many as there are. `by` are the words to compare;
    characters are compared with what is between spaces.
    """
    ranking = ranking.chosen(np.lexsort((-ranking.score, ~ranking.is_new)))
    kinds = _kinds_of_cuts(ranking) if ranking.found.labels.of == "tokenisation" else _kinds(ranking, by)
    _, first, group = np.unique(kinds.number, return_index=True, return_inverse=True)
    n_new = np.maximum(np.bincount(group, ranking.is_new, minlength=len(first)), 1)
    score = ranking.score[first] - np.log10(n_new)
    order = np.lexsort((-score, ~ranking.is_new[first]))
    best = first[order]
    rank = np.argsort(order)
    is_best = np.zeros(len(ranking), dtype=np.bool_)
    is_best[best] = True
    rows = np.append(best, np.flatnonzero(~is_best))
    of_row = rank[group[rows]]
    words, labels = zip(*map(kinds.name, best.tolist()), strict=True) if len(best) else ((), ())
    n_repeats = np.bincount(of_row, minlength=len(best))
    return ranking.chosen(rows), RepeatGroups(of_row, words, labels, n_repeats, score[order])


class _Kinds(NamedTuple):
    """A number for each repeat, equal where they are alike; and the word and the labels, usual and odd, of each."""

    number: Indices
    name: Callable[[int], tuple[str, tuple[str, str]]]


def _kinds(ranking: Ranking, by: WordsBy) -> _Kinds:
    found = ranking.found
    odd, usual = (
        label_keys(found.labels, places.astype(np.intp), ranking.position, found.length)
        for places in (ranking.odd, ranking.usual)
    )
    word = by.codes[np.where(odd < usual, ranking.odd, ranking.usual)]  # the same whichever of the two is odd
    columns = np.stack([word, np.minimum(odd, usual), np.maximum(odd, usual)], axis=1)
    _, number = np.unique(columns, axis=0, return_inverse=True)

    def name(row: int) -> tuple[str, tuple[str, str]]:
        shown = label_name(found.labels, int(usual[row])), label_name(found.labels, int(odd[row]))
        return by.names[int(word[row])], shown

    return _Kinds(number.reshape(-1), name)


def _kinds_of_cuts(ranking: Ranking) -> _Kinds:
    found = ranking.found
    text, length = found.all_repeats.text, found.length.tolist()
    kinds: list[tuple[str, tuple[str, str]]] = []
    for row, at in enumerate(ranking.position.tolist()):
        starts = int(ranking.usual[row]) - at, int(ranking.odd[row]) - at
        ways = [without_outside(found.labels.strings(start, length[row])) for start in starts]
        first, last = between_spaces(text.strings(starts[0], length[row]), at)
        letters = text.strings(starts[0] + first, last - first)
        usual, odd = (cut_text(letters, way[first:last]) for way in ways)
        kinds.append(("".join(letters), (usual, odd)))
    numbers: dict[tuple[str, frozenset[str]], int] = {}
    number = [numbers.setdefault((word, frozenset(labels)), len(numbers)) for word, labels in kinds]
    return _Kinds(np.array(number, dtype=np.intp), kinds.__getitem__)
