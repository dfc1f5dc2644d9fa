"""How far a label is explained by its word and by the labels beside it, seen at all other places of a text."""

from __future__ import annotations

import numpy as np

from karat._arrays import Flags, Floats, Ids, Indices
from karat._numbering import keys_below
from karat._ragged import owners_of
from karat.gold.repeats.labels import Labels, WordsWithLabels
from karat.gold.repeats.running_text import RunningText

# Chosen on planted errors (seeds 101 to 106) and on later corrections of half of GUM's documents: between 10 and 300,
# and between 2 and 10, little changes. See benchmarks/planted_errors.py and later_corrections.py.
_LIKE_IT = 50.0  # a word counts as seen so often more, labelled as all words are that mostly have its usual label
_NEIGHBOURS = (
    5.0  # a label counts as seen so often more between any neighbours, for each time that it was to be expected
)
_ALL_WORDS = 0.5  # where labels reach: a word counts as seen so often more, labelled as all words are


def explained(text: RunningText, labels: Labels, usual: Ids, odd: Ids, first_place: Indices, odd_places: Ids) -> Floats:
    """The share of each odd label among it and the usual one, by what else is known of word and neighbours.

    A label x weighs as much as (how often the word has x) · (how often x is between these neighbours / how often it
    would be if it did not depend on them): *look* is a noun behind a determiner, whatever it is elsewhere. Both are
    smoothed; a word is taken to be like those that mostly have its usual label, many of which may well have the other,
    as prepositions are subjunctions, too. The i-th odd label has the places `odd_places[first_place[i]:first_place[i +
    1]]`, which do not speak for it; `odd` and `usual` are places that have the odd label and the usual one.

    Labels that reach, as those of dependencies, have no such neighbours: of these it is the share of the odd label
    among all that the word has.
    """
    if not len(odd):
        return np.zeros(0)
    counts = _Counts(text, labels)
    n_same = np.diff(first_place)
    words, code, usual_code = text.codes[odd], labels.codes[odd], labels.codes[usual]
    frequency = counts.of_label / max(counts.of_label.sum(), 1)
    n_odd = counts.of_word_with(words, code) - n_same
    if len(labels.reach):
        prior = _ALL_WORDS * frequency[code]
        share: Floats = (np.maximum(n_odd, 0) + prior) / (counts.of_word[words] - n_same + _ALL_WORDS)
        return share
    like_it, n_like_it = counts.of_words_like(usual_code, code)
    prior = (np.maximum(like_it - n_same, 0) + frequency[code]) / (n_like_it + 1)
    same, _ = counts.of_words_like(usual_code, usual_code)
    usual_prior = (same + frequency[usual_code]) / (n_like_it + 1)
    owner = owners_of(n_same)
    between, between_usual = _between_neighbours(labels, odd_places, owner, usual_code[owner])
    weight = (n_odd + _LIKE_IT * prior)[owner] * (between / frequency[code][owner] + _NEIGHBOURS)
    n_usual = counts.of_word_with(words, usual_code) + _LIKE_IT * usual_prior
    usual_weight = n_usual[owner] * (between_usual / frequency[usual_code][owner] + _NEIGHBOURS)
    return np.bincount(owner, weight / (weight + usual_weight), minlength=len(odd)) / n_same


class _Counts:
    """How often words, labels, words with labels, and labels of words that mostly have another one occur in a text."""

    def __init__(self, text: RunningText, labels: Labels) -> None:
        self._pairs = pairs = WordsWithLabels(text, labels)
        n, counts = len(labels.names), pairs.counts
        self.of_word = np.bincount(pairs.words, counts, minlength=len(text.vocabulary))
        self.of_label = np.bincount(pairs.codes, counts, minlength=n)
        word_number = np.cumsum(np.diff(pairs.words, prepend=-1) > 0) - 1
        mostly = pairs.codes[_largest_of_each(word_number, counts)][word_number]
        self._of_main: Floats = np.bincount(mostly, counts, minlength=n).astype(np.float64)
        self._n = n
        self._mains, number = keys_below(n * n, mostly * n + pairs.codes)
        self._main_counts = np.bincount(number, counts)

    def of_word_with(self, words: Ids, labels: Ids) -> Floats:
        """How often each word has each label."""
        return self._pairs.count(words, labels).astype(np.float64)

    def of_words_like(self, main: Ids, labels: Ids) -> tuple[Floats, Floats]:
        """How often words that mostly have the first label have the second one; and how often they occur."""
        wanted = main * np.int64(self._n) + labels
        at = np.minimum(np.searchsorted(self._mains, wanted), len(self._mains) - 1)
        return np.where(self._mains[at] == wanted, self._main_counts[at], 0.0), self._of_main[main]


def _largest_of_each(group: Indices, value: Indices) -> Indices:
    """For each group, of those that are sorted, the first place with the largest value."""
    order = np.lexsort((-value, group))
    is_first: Flags = np.diff(group[order], prepend=-1) > 0
    return order[is_first]


def _between_neighbours(labels: Labels, places: Ids, owner: Indices, usual: Ids) -> tuple[Indices, Indices]:
    """For each place of an odd label how often it is between the labels around it, but for places of the same odd
    label; and how often the usual label is.
    """
    from karat.gold.repeats._label_expectation import between_neighbours

    codes, n = labels.codes, len(labels.names)
    left, right = codes[places - 1].astype(np.int64), codes[places + 1].astype(np.int64)
    left[places == 0] = -1
    context = ((left + 1) * (n + 1) + right + 1) * n
    wanted, number = np.unique(np.append(context + codes[places], context + usual), return_inverse=True)
    counts = between_neighbours(codes, n, wanted, 1 << (2 * len(wanted)).bit_length())[number]
    order = np.lexsort((context, owner))
    is_first = np.ones(len(order), dtype=np.bool_)
    is_first[1:] = (np.diff(owner[order]) > 0) | (np.diff(context[order]) > 0)
    group = np.cumsum(is_first) - 1
    n_own = np.empty(len(order), dtype=np.intp)
    n_own[order] = np.bincount(group)[group]
    return counts[: len(places)] - n_own, counts[len(places) :]
