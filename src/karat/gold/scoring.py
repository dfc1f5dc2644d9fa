"""Which suspicious repeats are likeliest errors: a score to sort by, and rows that say nothing new put last."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat._arrays import Flags, Floats, Ids
from karat.gold.labels import Labels
from karat.gold.suspicious import SuspiciousRepeats
from karat.gold.texts import RunningText

__all__ = ["Ranking", "ranked"]

# Chosen on planted errors (benchmarks/planted_errors.py, seeds 101 to 106); those reported have other seeds.
_SMOOTHING = 0.5  # a word counts as seen so often more, with the labels of all words
_STRENGTH = 4.0  # what a word has elsewhere counts as much as so many places, in a repeat of this word alone,
_FORGETTING = 0.1  # and so many times as much with each other word of the repeat;
_CREDIT = 0.2  # a further place with the same label counts so many times as much with each other word of the repeat;
_MOST_WORDS = 20  # more words than these change nothing: all numbers stay above 0


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """Suspicious repeats, the likeliest errors first.

    `score` says how unexpected the least expected label of a repeat is, in powers of ten (3: once in a thousand), and
    `position` on which word it is. The rows with `is_new` come first, by score: each has a label that no row before it
    has shown as the odd one out. Then come those that show other places of the same words, then those that show nothing
    new: parts of what was shown, in a shorter context.
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
    from karat.gold._label_expectation import least_expected, with_something_new

    text, labels, length = found.all_repeats.text, found.labels, found.length
    offsets, places, _ = found.labelled_places()
    strength = _STRENGTH * _FORGETTING ** np.minimum(length - 1, _MOST_WORDS)
    credit = _CREDIT ** np.minimum(length - 1, _MOST_WORDS)
    elsewhere = _elsewhere(text, labels)
    least, position, is_odd = least_expected(
        offsets, places, length, labels.codes, labels.reach, elsewhere, strength, credit
    )
    order = np.lexsort((-length, least))
    news = with_something_new(order, offsets, places, length, is_odd, len(text.codes))
    by_news = np.argsort(-news, kind="stable")
    order = order[by_news]
    return Ranking(found.chosen(order), -np.log10(least[order]), position[order], news[by_news] == 2)


def _elsewhere(text: RunningText, labels: Labels) -> Floats:
    """[3 × places]: how often the word has the label it has there, how often it occurs, and the label's prior share.

    Both counts are smoothed: _SMOOTHING words more, labelled as all words together are.
    """
    inside = np.flatnonzero(text.codes >= 0)
    words, codes = text.codes[inside], labels.codes[inside]
    pairs = words.astype(np.int64) * len(labels.names) + codes
    _, pair, n_pair = np.unique(pairs, return_inverse=True, return_counts=True)
    prior = _SMOOTHING * np.bincount(codes, minlength=len(labels.names))[codes] / max(len(codes), 1)
    counts = np.zeros((3, len(text.codes)))
    counts[:, inside] = n_pair[pair] + prior, np.bincount(words)[words] + _SMOOTHING, prior
    return counts
