"""Which word of one version of a corpus is which of the other, and where words were split, joined or cut otherwise.

Words are paired by characters where the text of the sentence is the same, as `karat.align` does; where it was edited,
by a longest common subsequence of forms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np

from karat._arrays import Flags, Indices
from karat._ragged import offsets_of, places_of_rows
from karat.align._alignment import Side
from karat.align._tokens import Surface
from karat.align._word_matching import common_subsequence, matches
from karat.suspects.sentence_pairs import SentencePairs

_LARGEST_TABLE = 1 << 24  # words of one sentence times words of the other
SPLIT, JOINED, RESPLIT, MULTIWORD = "split", "joined", "resplit", "multiword"


@dataclass(frozen=True, slots=True, eq=False)
class Retokenised:
    """Stretches of the same characters that are other words, or other multiword tokens, in the two versions.

    Of stretch i, `pair` is that of its sentences, and its words are `old_start[i]` … `old_stop[i]` of the old version
    and `new_start[i]` … `new_stop[i]` of the new one; `same_words` says that only multiword tokens differ.
    """

    pair: Indices
    old_start: Indices
    old_stop: Indices
    new_start: Indices
    new_stop: Indices
    same_words: Flags

    def __len__(self) -> int:
        return len(self.pair)

    def kind(self, number: int) -> str:
        """What happened: a word was split, words were joined, cut otherwise, or put into a multiword token or out."""
        n_old = int(self.old_stop[number] - self.old_start[number])
        n_new = int(self.new_stop[number] - self.new_start[number])
        if self.same_words[number]:
            return MULTIWORD
        return SPLIT if n_old == 1 < n_new else JOINED if n_new == 1 < n_old else RESPLIT


@dataclass(frozen=True, slots=True, eq=False)
class WordPairs:
    """The words that both versions have, by their numbers in each; `pair` is that of their sentences.

    `old_unit` and `new_unit` of all words are equal for a word and its counterpart, and for all words of a stretch that
    has counterparts only as a whole: so it can be said whether a head is still the same.
    """

    old: Indices
    new: Indices
    pair: Indices
    old_unit: Indices
    new_unit: Indices
    retokenised: Retokenised


def paired_words(old: Side, new: Side, sentences: SentencePairs) -> WordPairs:
    """The words of paired sentences that belong together."""
    pair_of = np.full(old.corpus.n_sentences, -1)
    pair_of[sentences.old] = np.arange(len(sentences))
    same = np.flatnonzero(sentences.same_text)
    our_words, their_words, segments = _by_characters(old, new, sentences.old[same], sentences.new[same])
    units = _WordUnits(old.corpus.n_words, new.corpus.n_words)
    for number in np.flatnonzero(~sentences.same_text).tolist():
        edited = _in_edited(old, new, int(sentences.old[number]), int(sentences.new[number]), units)
        our_words, their_words = np.append(our_words, edited[:, 0]), np.append(their_words, edited[:, 1])
    order = np.argsort(our_words, kind="stable")
    our_words, their_words = our_words[order], their_words[order]
    retokenised = segments.changed(pair_of[old.corpus.words_sentence])
    for start, stop, new_start, new_stop in zip(
        retokenised.old_start, retokenised.old_stop, retokenised.new_start, retokenised.new_stop, strict=True
    ):
        units.same(slice(start, stop), slice(new_start, new_stop))
    units.paired(our_words, their_words)
    pair = pair_of[old.corpus.words_sentence[our_words]]
    return WordPairs(our_words, their_words, pair, units.old, units.new, retokenised)


class _WordUnits:
    """Numbers for words, equal on both sides where words correspond; at first none does."""

    def __init__(self, n_old: int, n_new: int) -> None:
        self.old, self.new = np.full(n_old, -1), np.full(n_new, -2)
        self._next = n_old  # below are the numbers of old words, for words that have a counterpart

    def same(self, old: slice, new: slice) -> None:
        """Let stretches of words correspond as wholes."""
        self.old[old] = self.new[new] = self._next
        self._next += 1

    def paired(self, old: Indices, new: Indices) -> None:
        """Let words correspond one by one."""
        self.old[old] = old
        self.new[new] = old


# ---- sentences with the same characters ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _Segments:
    """Stretches of tokens between boundaries that both versions have: first and last word, and what is in them."""

    first_words: tuple[Indices, Indices]
    stop_words: tuple[Indices, Indices]
    is_changed: Flags
    is_matched: Flags

    def changed(self, pair_of_word: Indices) -> Retokenised:
        at = np.flatnonzero(self.is_changed)
        starts, stops = [one[at] for one in self.first_words], [one[at] for one in self.stop_words]
        return Retokenised(pair_of_word[starts[0]], starts[0], stops[0], starts[1], stops[1], self.is_matched[at])


def _by_characters(
    old: Side, new: Side, our_sentences: Indices, their_sentences: Indices
) -> tuple[Indices, Indices, _Segments]:
    """The words that match in sentences with the same characters, and all segments of their text."""
    ours, theirs = _surface_of(old, our_sentences), _surface_of(new, their_sentences)
    found = matches(old.corpus, new.corpus, ours, theirs)
    counterpart = np.full(old.corpus.n_sentences, -1)
    counterpart[our_sentences] = their_sentences
    our_words, their_words = found.gold_words, found.system_words
    # the walk around multiword tokens may step over the end of a sentence
    inside = counterpart[old.corpus.words_sentence[our_words]] == new.corpus.words_sentence[their_words]
    our_words, their_words = our_words[inside], their_words[inside]
    return our_words, their_words, _segments(ours, theirs, our_words, their_words)


def _surface_of(side: Side, sentences: Indices) -> Surface:
    """The surface of some sentences, in their order."""
    surface = side.surface
    token_offsets = np.searchsorted(surface.sentence, np.arange(side.corpus.n_sentences + 1))
    tokens, _ = places_of_rows(token_offsets, sentences)
    bounds = side.bounds.tolist()
    text = "".join([surface.text[bounds[one] : bounds[one + 1]] for one in sentences.tolist()])
    lengths = (surface.stop - surface.start)[tokens]
    stop = np.cumsum(lengths)
    return Surface(
        text,
        stop - lengths,
        stop,
        surface.first_word[tokens],
        surface.stop_word[tokens],
        surface.is_multiword[tokens],
        surface.sentence[tokens],
    )


def _segments(ours: Surface, theirs: Surface, our_words: Indices, their_words: Indices) -> _Segments:
    cuts = np.intersect1d(ours.start, theirs.start)
    first, stop, n_tokens, n_words = [], [], [], []
    for side in (ours, theirs):
        begin = np.searchsorted(side.start, cuts)
        end = np.append(begin, len(side.start))[1:]
        first.append(side.first_word[begin])
        stop.append(side.stop_word[end - 1])
        n_tokens.append(end - begin)
        n_words.append(stop[-1] - first[-1])
    is_matched = n_words[0] == n_words[1]
    for number, words in enumerate((our_words, their_words)):
        has_match = np.zeros(max(int(stop[number].max(initial=0)), 1), dtype=np.bool_)
        has_match[words] = True
        n_matched = offsets_of(has_match)
        is_matched &= n_matched[stop[number]] - n_matched[first[number]] == n_words[number]
    is_one_token = (n_tokens[0] == 1) & (n_tokens[1] == 1)
    return _Segments((first[0], first[1]), (stop[0], stop[1]), ~(is_one_token & is_matched), is_matched)


# ---- sentences that were edited --------------------------------------------------------------------------------------


def _in_edited(old: Side, new: Side, our_sentence: int, their_sentence: int, units: _WordUnits) -> Indices:
    """The words with the same form in a sentence whose text was edited; what is between them corresponds as a whole.

    Where as many words are between as there were, these correspond one by one, as heads; their labels are not compared.
    """
    our_first, their_first = (
        int(side.corpus.sentence_offsets[sentence]) for side, sentence in ((old, our_sentence), (new, their_sentence))
    )
    our_forms, their_forms = list(old.corpus.words_of(our_sentence)), list(new.corpus.words_of(their_sentence))
    same = _subsequence(our_forms, their_forms)
    before = (-1, -1)
    for one in (*same, (len(our_forms), len(their_forms))):
        ours, theirs = range(before[0] + 1, one[0]), range(before[1] + 1, one[1])
        if len(ours) == len(theirs):
            for a, b in zip(ours, theirs, strict=True):
                units.same(slice(our_first + a, our_first + a + 1), slice(their_first + b, their_first + b + 1))
        elif ours and theirs:
            our_slice, their_slice = (
                slice(our_first + ours[0], our_first + ours[-1] + 1),
                slice(their_first + theirs[0], their_first + theirs[-1] + 1),
            )
            units.same(our_slice, their_slice)
        before = one
    return np.array([(our_first + a, their_first + b) for a, b in same], dtype=np.intp).reshape(-1, 2)


def _subsequence(ours: Sequence[str], theirs: Sequence[str]) -> list[tuple[int, int]]:
    """A longest common subsequence, in which the words at the end are paired with those at the end."""
    n_last = 0
    while n_last < min(len(ours), len(theirs)) and ours[-1 - n_last] == theirs[-1 - n_last]:
        n_last += 1
    ours_left, theirs_left = list(ours[: len(ours) - n_last]), list(theirs[: len(theirs) - n_last])
    if len(ours_left) * len(theirs_left) > _LARGEST_TABLE:  # a text that is one sentence: nearly as good, and lean
        blocks = SequenceMatcher(None, ours_left, theirs_left, autojunk=False).get_matching_blocks()
        found = [(one.a + place, one.b + place) for one in blocks for place in range(one.size)]
    else:
        found = common_subsequence(ours_left, theirs_left)
    return found + [(len(ours) - n, len(theirs) - n) for n in range(n_last, 0, -1)]
