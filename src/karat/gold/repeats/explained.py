"""How far a label is explained by its word, by the labels beside it and by its place in the tree, as seen at all other
places of a text.
"""

from __future__ import annotations

import numpy as np

from karat._arrays import Flags, Floats, Ids, Indices
from karat._numbering import keys_below
from karat._ragged import owners_of
from karat.gold.repeats.contexts import Context, contexts, counted
from karat.gold.repeats.labels import Labels, WordsWithLabels
from karat.gold.repeats.running_text import RunningText

# Chosen on planted errors (seeds 101 to 106) and on later corrections of half of GUM's documents: between 10 and 300,
# and between 1 and 50, little changes. See benchmarks/planted_errors.py and later_corrections.py.
_LIKE_IT = 50.0  # a word counts as seen so often more, labelled as all words are that mostly have its usual label
_ANY_CONTEXT = 5.0  # a context counts as seen so often more, with labels as all words have them
_ALL_WORDS = 0.5  # where labels reach: a word counts as seen so often more, labelled as all words are


def explained(text: RunningText, labels: Labels, usual: Ids, odd: Ids, first_place: Indices, odd_places: Ids) -> Floats:
    """The share of each odd label among it and the usual one, by what else is known of word and context.

    A label x weighs as much as (how often the word has x) · (how often x has this context / how often it would if it
    did not depend on it), with a factor for each kind of context (`contexts`): the labels on both sides, *look* is a
    noun behind a determiner, whatever it is elsewhere; and the relation with the head's label, since people who read a
    word in another way attach it in another way, too. All are smoothed; a word is taken to be like those that mostly
    have its usual label, many of which may well have the other, as prepositions are subjunctions, too. The i-th odd
    label has the places `odd_places[first_place[i]:first_place[i + 1]]`, which do not speak for it; `odd` and `usual`
    are places that have the odd label and the usual one.

    Labels that reach, as those of dependencies, have no such contexts: of these it is the share of the odd label
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
    weight = (n_odd + _LIKE_IT * prior)[owner]
    usual_weight = (counts.of_word_with(words, usual_code) + _LIKE_IT * usual_prior)[owner]
    for context in contexts(text, labels):
        of_odd, of_usual = _in_context(context, labels, odd_places, owner, usual_code[owner])
        weight, usual_weight = weight * of_odd, usual_weight * of_usual
    return np.bincount(owner, weight / (weight + usual_weight), minlength=len(odd)) / n_same


def _in_context(context: Context, labels: Labels, places: Ids, owner: Indices, usual: Ids) -> tuple[Floats, Floats]:
    """How much the contexts of places speak for the odd label that these have, and how much for the usual one.

    A label x that n(x) of N words have, and n(x, c) of the n(c) words in context c, has N·n(x, c) / n(x): n(c) if it
    does not depend on the context. It is taken to be seen once more, in contexts as all words have them, so that a
    label that is nowhere else has n(c), too. Places with the same odd label of the same word do not count.
    """
    n_words = np.bincount(labels.codes + 1, minlength=len(labels.names) + 1)[1:].astype(np.float64)
    counts = counted(context, labels, places, usual)
    n_own, n_same = _n_alike(owner, counts.contexts), np.bincount(owner)[owner]
    n_all, n_context = n_words.sum() - n_same, counts.with_any - n_own
    odd = n_all * (counts.with_label - n_own) + n_context, n_words[labels.codes[places]] - n_same + 1
    of_usual = n_all * counts.with_other + n_context, n_words[usual] + 1
    return odd[0] / odd[1] + _ANY_CONTEXT, of_usual[0] / of_usual[1] + _ANY_CONTEXT


def _n_alike(owner: Indices, context: Indices) -> Indices:
    """For each place how many of the same owner have the same context, itself among them."""
    order = np.lexsort((context, owner))
    is_first = np.ones(len(order), dtype=np.bool_)
    is_first[1:] = (np.diff(owner[order]) > 0) | (np.diff(context[order]) > 0)
    group = np.cumsum(is_first) - 1
    found = np.empty(len(order), dtype=np.intp)
    found[order] = np.bincount(group)[group]
    return found


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
