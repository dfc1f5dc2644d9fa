"""Which suspicious repeats are likeliest errors: a score to sort by, and rows that say nothing new put last."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat._arrays import Flags, Floats, Ids, Indices
from karat._ragged import owners_of
from karat.gold.repeats.suspicious import SuspiciousRepeats

__all__ = ["Ranking", "ranked"]

# Chosen on planted errors (benchmarks/planted_errors.py): the numbers on seeds 101 to 106, what counts as odd on 1001
# to 1020 and 2001 to 2020. docs/planted-errors.md reports on others.
_SMOOTHING = 0.5  # a word counts as seen so often more, with the labels of all words
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
    which word it is. Then come those that have nothing new to show, by their least expected label: parts of what was
    shown, in another context.
    """

    found: SuspiciousRepeats
    score: Floats
    position: Ids
    is_new: Flags

    def __len__(self) -> int:
        return len(self.found)


def ranked(found: SuspiciousRepeats) -> Ranking:
    """Suspicious repeats by how unexpected one of their labels is.

    If a repeat has N places, and a word of it one label at n of them, that label was to be expected at any of the n
    with (d·(n - 1) + s·e) / (N - 1 + s), where e is how often the word has it outside these n places, s how much that
    counts beside the repeat's other places, and d how much others with the same label speak for it: both the less, the
    longer the repeat is, since few long repeats are truly ambiguous and errors come in copies, too. So a label is
    unexpected if many other places of the repeat have another, if the word hardly ever has it, and above all if both
    are so; in a long repeat one other place is enough. If errors make any label of any other, the odds of an error are
    (1 - expected) / expected but for a factor, so that the order is that of the probability of an error.
    """
    from karat.gold.repeats._label_expectation import odd_labels, rows_with_news

    labels, length = found.labels, found.length
    offsets, places, _ = found.labelled_places()
    of_repeat, position, first_place, odd_places = odd_labels(offsets, places, length, labels.codes, labels.reach)
    repeats = owners_of(np.diff(of_repeat))
    expected = _expected(found, repeats, first_place, odd_places)
    order = np.lexsort((-length[repeats], expected))
    shown = rows_with_news(order, repeats, of_repeat, first_place, odd_places, len(labels.codes))
    is_left = np.ones(len(found), dtype=np.bool_)
    is_left[repeats[shown]] = False
    _, first = np.unique(repeats[order], return_index=True)
    shown = np.append(shown, order[np.sort(first[is_left])])
    is_new = np.arange(len(found)) < len(found) - np.count_nonzero(is_left)
    return Ranking(found.chosen(repeats[shown]), -np.log10(expected[shown]), position[shown], is_new)


def _expected(found: SuspiciousRepeats, repeats: Indices, first_place: Indices, odd_places: Ids) -> Floats:
    """How expected each odd label of a repeat is: the equation of `ranked`.

    What a word has elsewhere is smoothed: it counts as seen _SMOOTHING times more, labelled as all words together are.
    """
    from karat.gold.repeats._label_expectation import occurrences

    text, labels = found.all_repeats.text, found.labels
    n_same = np.diff(first_place)
    example = np.minimum.reduceat(odd_places, first_place[:-1]) if len(repeats) else odd_places
    words, codes = text.codes[example], labels.codes[example]
    pairs, pair = np.unique(words * np.int64(len(labels.names)) + codes, return_inverse=True)
    first_of_word = np.searchsorted(pairs, np.arange(len(text.vocabulary) + 1) * len(labels.names))
    n_word, n_label, n_pair = occurrences(
        text.codes, labels.codes, first_of_word, pairs % max(len(labels.names), 1), len(labels.names)
    )
    prior = _SMOOTHING * n_label[codes] / max(text.n_units, 1)
    elsewhere = np.maximum(n_pair[pair] - n_same + prior, prior) / (n_word[words] - n_same + _SMOOTHING)
    other_words = np.minimum(found.length[repeats] - 1, _MOST_WORDS)
    strength = _STRENGTH * _FORGETTING**other_words
    other_places = found.n_places[repeats] - 1
    expected: Floats = (_CREDIT**other_words * (n_same - 1) + strength * elsewhere) / (other_places + strength)
    return expected
