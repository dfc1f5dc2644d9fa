"""Which suspicious repeats are likeliest errors: a score to sort by, and rows that say nothing new put last."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat._arrays import Flags, Floats, Ids, Indices
from karat._ragged import owners_of
from karat.gold.repeats.explained import explained
from karat.gold.repeats.suspicious import SuspiciousRepeats

# Chosen on planted errors (benchmarks/planted_errors.py): the numbers on seeds 101 to 106, what counts as odd on 1001
# to 1020 and 2001 to 2020. docs/planted-errors.md reports on others.
_STRENGTH = 4.0  # what a word has elsewhere counts as much as so many places, in a repeat of this word alone,
_FORGETTING = 0.1  # and so many times as much with each other word of the repeat;
_CREDIT = 0.2  # a further place with the same label counts so many times as much with each other word of the repeat;
_MOST_WORDS = 20  # more words than these change nothing: all numbers stay above 0


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """Suspicious repeats, the likeliest errors first.

    Any label of a word that differs is odd, but one with more than twice as many of the repeat's places as any other.
    The rows with `is_new` come first: each shows an odd label at a place where none before it has shown one. `score`
    says how unexpected the least expected such label is, in powers of ten (3: once in a thousand), and `position` on
    which word it is; `odd` is the first place of that word in the text that has it, `usual` one that has the commonest
    of the others. Then come those that have nothing new to show, by their least expected label: parts of what was
    shown, in another context.
    """

    found: SuspiciousRepeats
    score: Floats
    position: Ids
    odd: Ids
    usual: Ids
    is_new: Flags

    def __len__(self) -> int:
        return len(self.found)

    def chosen(self, rows: Indices | Flags) -> Ranking:
        """Some of the repeats, in another order if numbers are given, or by flags."""
        odd, usual = self.odd[rows], self.usual[rows]
        return Ranking(self.found.chosen(rows), self.score[rows], self.position[rows], odd, usual, self.is_new[rows])


def ranked(found: SuspiciousRepeats) -> Ranking:
    """Suspicious repeats by how unexpected one of their labels is.

    If a repeat has N places, and a word of it one label at n of them, that label was to be expected at any of the n
    with (d·(n - 1) + s·e) / (N - 1 + s), where e is how far word and context explain it (`explained`), s how much that
    counts beside the repeat's other places, and d how much others with the same label speak for it: both the less,
    the longer the repeat is, since few long repeats are truly ambiguous and errors come in copies, too; at its fringe,
    where the word on one side may be any, it counts as a word shorter [Dickinson & Meurers 2003, §3.2]. So a label is
    unexpected if many other places of the repeat have another, if the word hardly ever has it, and above all if both
    are so; in a long repeat one other place is enough. If errors make any label of any other, the odds of an
    error are (1 - expected) / expected but for a factor, so that the order is that of the probability of an error.
    """
    from karat.gold.repeats._label_expectation import odd_labels, rows_with_news

    labels, length = found.labels, found.length
    offsets, places, _ = found.labelled_places()
    columns = odd_labels(offsets, places, length, labels.codes, labels.reach)
    of_repeat, position, usual, first_place, odd_places = columns
    repeats = owners_of(np.diff(of_repeat))
    odd = np.minimum.reduceat(odd_places, first_place[:-1]) if len(repeats) else odd_places
    share = explained(found.all_repeats.text, labels, usual, odd, first_place, odd_places)
    expected = _expected(found, repeats, position, np.diff(first_place), share)
    order = np.lexsort((-length[repeats], expected))
    shown = rows_with_news(order, repeats, of_repeat, first_place, odd_places, len(labels.codes))
    is_left = np.ones(len(found), dtype=np.bool_)
    is_left[repeats[shown]] = False
    _, first = np.unique(repeats[order], return_index=True)
    shown = np.append(shown, order[np.sort(first[is_left])])
    is_new = np.arange(len(found)) < len(found) - np.count_nonzero(is_left)
    score = -np.log10(expected[shown])
    return Ranking(found.chosen(repeats[shown]), score, position[shown], odd[shown], usual[shown], is_new)


def _expected(found: SuspiciousRepeats, repeats: Indices, position: Ids, n_same: Indices, share: Floats) -> Floats:
    """How expected each odd label of a repeat is: the equation of `ranked`."""
    length = found.length[repeats]
    is_fringe = (position == 0) | (position == length - 1)
    other_words = np.minimum(np.maximum(length - 1 - is_fringe, 0), _MOST_WORDS)
    strength = _STRENGTH * _FORGETTING**other_words
    other_places = found.n_places[repeats] - 1
    expected: Floats = (_CREDIT**other_words * (n_same - 1) + strength * share) / (other_places + strength)
    return expected
