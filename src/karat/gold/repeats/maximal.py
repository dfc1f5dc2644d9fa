"""Maximal repeats: stretches of words that occur more than once and cannot be longer [Wisniewski & Yvon 2019, §3]."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat._arrays import Array, Flags, Ids
from karat.errors import UsageError
from karat.gold.repeats.running_text import RunningText


@dataclass(frozen=True, slots=True, eq=False)
class Repeats:
    """Repeats of a text: repeat r has `length[r]` words and begins at the places `suffixes[start[r]:stop[r]]`.

    Places of one repeat may overlap (`a a a` has `a a` twice). A repeat stands behind those whose rows lie inside its
    own: the longer ones that begin with it.
    """

    text: RunningText
    suffixes: Ids
    start: Ids
    stop: Ids
    length: Ids

    def __len__(self) -> int:
        return len(self.start)

    def places(self, repeat: int) -> Ids:
        """Where a repeat begins, in the order of the text."""
        found: Ids = np.sort(self.suffixes[self.start[repeat] : self.stop[repeat]])
        return found

    def words(self, repeat: int) -> tuple[str, ...]:
        """The words of a repeat."""
        return self.text.strings(int(self.suffixes[self.start[repeat]]), int(self.length[repeat]))

    def chosen(self, rows: Array) -> Repeats:
        """Some of the repeats, by flags or by numbers that rise."""
        return Repeats(self.text, self.suffixes, self.start[rows], self.stop[rows], self.length[rows])


def maximal_repeats(
    text: RunningText,
    *,
    min_words: int = 3,
    max_words: int | None = None,
    two_sentences: bool = True,
    between: bool = False,
    touching: int | None = None,
) -> Repeats:
    """All maximal repeats of a text: no word always stands before a repeat, and none always behind it.

    Begin and end of a sentence count as different each time. With `two_sentences`, a repeat is in at least two
    different sentences, else at any two places; `between`: in at least two of the corpora; `touching`: in the corpus of
    that number. Whether a repeat is maximal is decided on all places of the text. Linear in the text, but for
    divsufsort's suffix array, O(n log n).
    """
    if min_words < 1 or (max_words is not None and max_words < min_words):
        raise UsageError(f"no repeat has at least {min_words} and at most {max_words} words")
    from karat.gold.repeats._suffix_intervals import intervals, suffix_array

    suffixes = suffix_array(text.codes)
    found = intervals(
        text.codes,
        text.sentences,
        suffixes,
        text.corpus_sentences,
        min_words=min_words,
        max_words=len(text.codes) if max_words is None else max_words,
        two_sentences=two_sentences,
        two_corpora=between,
    )
    repeats = Repeats(text, suffixes, *found)
    return repeats if touching is None else repeats.chosen(_in_corpus(repeats, touching))


def _in_corpus(repeats: Repeats, corpus: int) -> Flags:
    """The repeats that occur in a corpus."""
    first, stop = repeats.text.corpus_sentences[corpus : corpus + 2].tolist()
    sentences = repeats.text.sentences[repeats.suffixes]
    n_before = np.zeros(len(sentences) + 1, dtype=np.int32)
    np.cumsum((sentences >= first) & (sentences < stop), out=n_before[1:])
    return n_before[repeats.stop] > n_before[repeats.start]


def sentences_with_a_repeat(repeats: Repeats) -> Flags:
    """The sentences, counted through all corpora, that hold one of the repeats."""
    from karat.gold.repeats._suffix_intervals import covered_sentences

    text = repeats.text
    return covered_sentences(repeats.start, repeats.stop, repeats.suffixes, text.sentences, text.n_sentences)
