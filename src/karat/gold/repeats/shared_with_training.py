"""Suspicious repeats that a training text and a gold share, and which of its labellings an error follows."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from karat._arrays import Flags, Ids, Indices
from karat._ragged import offsets_of, owners_of, places_of_rows, stretches
from karat.corpus import Corpus
from karat.gold.repeats.labels import column_labels
from karat.gold.repeats.maximal import maximal_repeats
from karat.gold.repeats.running_text import BOUNDARY, running_text
from karat.gold.repeats.suspicious import SuspiciousRepeats, suspicious_repeats


@dataclass(frozen=True, slots=True)
class FollowedLabelling:
    """A way in which the training text labels a repeat, at `count` places."""

    labels: tuple[str, ...]
    count: int


@dataclass(frozen=True, slots=True, eq=False)
class SharedRepeats:
    """The suspicious repeats; where they are in the gold, and how the training text labels them.

    Their i-th place in the gold is of repeat `repeat[i]`, on the words `first[i]` up to `stop[i]`. The labellings of
    repeat r have the numbers from `offsets[r]` on: `train_counts` says how often they are in the training text,
    `examples` a place of each. All of r is there `train_places[r]` times.
    """

    gold: Corpus
    suspicious: SuspiciousRepeats
    label_of_word: Ids
    repeat: Indices
    first: Indices
    stop: Indices
    offsets: Indices
    train_counts: Indices
    examples: Indices
    train_places: Indices

    def covered(self) -> Flags:
        """The gold words that are in a suspicious repeat."""
        steps = np.bincount(self.first, minlength=self.gold.n_words + 1)
        steps = steps - np.bincount(self.stop, minlength=self.gold.n_words + 1)
        return np.cumsum(steps)[:-1] > 0

    def labelling(self, repeat: int, number: int) -> FollowedLabelling | None:
        """A labelling of a repeat; None for -1."""
        if number < 0:
            return None
        length = int(self.suspicious.all_repeats.length[self.suspicious.rows[repeat]])
        labels = self.suspicious.labels.strings(int(self.examples[number]), length)
        return FollowedLabelling(labels, int(self.train_counts[number]))


def shared_repeats(train: Corpus, gold: Corpus, column: str, *, min_words: int, disjoint: bool) -> SharedRepeats:
    """The suspicious repeats of two texts that are in both; bad sentences take no part."""
    text = running_text([train, gold])
    labels = column_labels(text, column)
    # what is in a bad sentence is no repeat: its words are equal to nothing, as boundaries are
    is_bad = np.concatenate([train.bad, gold.bad])
    text = replace(text, codes=np.where(is_bad[text.sentences], np.int32(BOUNDARY), text.codes))
    repeats = maximal_repeats(text, min_words=min_words, between=True)
    suspicious = suspicious_repeats(repeats, labels, disjoint=disjoint)
    place_offsets, places, labelling = suspicious.labelled_places()
    repeat = owners_of(np.diff(place_offsets))
    offsets = offsets_of(suspicious.n_labellings)
    number = offsets[repeat] + labelling
    examples = np.zeros(offsets[-1], dtype=np.intp)
    examples[number] = places
    in_gold = places >= train.n_words + train.n_sentences
    first = text.words_at(places[in_gold]) - train.n_words
    gold_places = np.arange(gold.n_words) + gold.words_sentence + train.n_words + train.n_sentences
    return SharedRepeats(
        gold,
        suspicious,
        labels.codes[gold_places],
        repeat[in_gold],
        first,
        first + suspicious.length[repeat[in_gold]],
        offsets,
        np.bincount(number[~in_gold], minlength=len(examples)),
        examples,
        np.bincount(repeat[~in_gold], minlength=len(suspicious)),
    )


def followed_labellings(found: SharedRepeats, words: Indices, labels: Ids) -> tuple[Indices, Indices]:
    """For each error its repeat, and which labelling of the training text it follows, or -1."""
    from_word, to_word = np.searchsorted(words, found.first), np.searchsorted(words, found.stop)
    place, error = owners_of(to_word - from_word), stretches(from_word, to_word - from_word)
    repeat, at = found.repeat[place], words[error] - found.first[place]
    length = found.suspicious.length[repeat]
    repeats = np.full(len(words), -1)
    order = np.lexsort((-length, error))
    _set_first(repeats, error[order], repeat[order])

    number, sizes = places_of_rows(found.offsets, repeat)
    pair = owners_of(sizes)
    has_label = found.suspicious.labels.codes[found.examples[number] + at[pair]] == labels[error[pair]]
    fits = np.flatnonzero(has_label & (found.train_counts[number] > 0))
    pair, number = pair[fits], number[fits]
    order = np.lexsort((-found.train_counts[number], -length[pair], error[pair]))
    pair, number = pair[order], number[order]
    followed = np.full(len(words), -1)
    _set_first(followed, error[pair], number)
    _set_first(repeats, error[pair], repeat[pair])
    return repeats, followed


def _set_first(values: Indices, places: Indices, new: Indices) -> None:
    """At each of the places, which are sorted, the first of its new values."""
    is_first = np.append(True, np.diff(places) > 0)[: len(places)]
    values[places[is_first]] = new[is_first]
