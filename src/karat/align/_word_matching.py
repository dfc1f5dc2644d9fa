"""Which system word stands for which gold word, by the rules of the CoNLL 2018 shared task.

A token boundary that both sides have cuts the text into segments, most of which can be looked at one by one. A segment
that is one token on both sides is a match. A segment of several tokens holds no equal spans; words are matched in it
only around multiword tokens, whose words have no spans of their own: there the longest common subsequence of
lower-cased forms decides.

The official evaluator walks over both sides at once. Where a segment of several tokens stands before one that begins
with a multiword token, it comes to that token with words of the segment before still open on the other side, and lets
them take part. Such segments are looked at together, by the same walk.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat._arrays import Flags, Indices
from karat.align._tokens import Surface
from karat.corpus import Corpus


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """Matching words and matching tokens: index arrays of equal length, ascending on both sides."""

    gold_words: Indices
    system_words: Indices
    gold_tokens: Indices
    system_tokens: Indices


@dataclass(frozen=True, slots=True)
class _Word:
    number: int
    start: int
    stop: int
    is_multiword: bool
    form: str


def matches(gold: Corpus, system: Corpus, gold_surface: Surface, system_surface: Surface) -> Matches:
    """The matching words of two corpora whose surfaces have the same characters."""
    ours, theirs = gold_surface, system_surface
    our_kept, their_kept = (np.flatnonzero(side.stop > side.start) for side in (ours, theirs))  # a bad FORM is empty
    our_start, their_start = ours.start[our_kept], theirs.start[their_kept]
    cuts = np.intersect1d(our_start, their_start, assume_unique=True)
    our_first = np.append(np.searchsorted(our_start, cuts), len(our_kept))
    their_first = np.append(np.searchsorted(their_start, cuts), len(their_kept))
    one_to_one = (np.diff(our_first) == 1) & (np.diff(their_first) == 1)
    our_tokens, their_tokens = our_kept[our_first[:-1][one_to_one]], their_kept[their_first[:-1][one_to_one]]
    plain = ~(ours.is_multiword[our_tokens] | theirs.is_multiword[their_tokens])
    our_words, their_words = ours.first_word[our_tokens[plain]], theirs.first_word[their_tokens[plain]]
    has_multiword = np.zeros(len(cuts), dtype=np.bool_)
    for side, kept, first in ((ours, our_kept, our_first), (theirs, their_kept, their_first)):
        multiword = np.flatnonzero(side.is_multiword[kept])
        has_multiword[np.searchsorted(first, multiword, side="right") - 1] = True
    by_form: list[tuple[int, int]] = []
    for segment, stop in _together(has_multiword, one_to_one):
        our_part = _words(gold, ours, our_kept[our_first[segment] : our_first[stop]])
        their_part = _words(system, theirs, their_kept[their_first[segment] : their_first[stop]])
        by_form += _matches_by_form(our_part, their_part)
    if by_form:
        pairs = np.array(by_form, dtype=np.intp)
        our_words, their_words = np.append(our_words, pairs[:, 0]), np.append(their_words, pairs[:, 1])
        order = np.argsort(our_words, kind="stable")
        our_words, their_words = our_words[order], their_words[order]
    return Matches(our_words, their_words, our_tokens, their_tokens)


def _together(has_multiword: Flags, one_to_one: Flags) -> list[tuple[int, int]]:
    """The stretches of segments that hold multiword tokens, each with a segment of several tokens before it."""
    stretches: list[tuple[int, int]] = []
    for segment in np.flatnonzero(has_multiword).tolist():
        start = segment if segment == 0 or one_to_one[segment - 1] else segment - 1
        if stretches and stretches[-1][1] > start:
            start = stretches.pop()[0]
        stretches.append((start, segment + 1))
    return stretches


def _words(corpus: Corpus, side: Surface, tokens: Indices) -> list[_Word]:
    """The words of some tokens; those of a multiword token all have its span.

    The form of a plain word is its token's, without spaces; the words of a multiword token keep theirs.
    """
    form = corpus.column("form")
    words = []
    for token in tokens.tolist():
        start, stop, is_multiword = int(side.start[token]), int(side.stop[token]), bool(side.is_multiword[token])
        for number in range(side.first_word[token], side.stop_word[token]):
            text = form.vocabulary.strings[form.ids[number]] if is_multiword else side.text[start:stop]
            words.append(_Word(number, start, stop, is_multiword, text.lower()))
    return words


def _matches_by_form(ours: list[_Word], theirs: list[_Word]) -> list[tuple[int, int]]:
    """The matches inside a stretch of text that has multiword tokens."""
    found: list[tuple[int, int]] = []
    i = j = 0
    while i < len(ours) and j < len(theirs):
        if ours[i].is_multiword or theirs[j].is_multiword:
            i, j, stop_i, stop_j = _multiword_span(ours, theirs, i, j)
            our_forms = [word.form for word in ours[i:stop_i]]
            their_forms = [word.form for word in theirs[j:stop_j]]
            for a, b in common_subsequence(our_forms, their_forms):
                found.append((ours[i + a].number, theirs[j + b].number))
            i, j = stop_i, stop_j
        elif ours[i].start <= theirs[j].start:
            i += 1
        else:
            j += 1
    return found


def _multiword_span(ours: list[_Word], theirs: list[_Word], i: int, j: int) -> tuple[int, int, int, int]:
    """The smallest stretch of both sides, from words i and j on, out of which no multiword token sticks.

    At least one of the two words is part of a multiword token. A word of the other side that begins before it is left
    out, but only one: this is the official evaluator's rule, and its words before that one stay in.
    """
    if ours[i].is_multiword:
        end = ours[i].stop
        if not theirs[j].is_multiword and theirs[j].start < ours[i].start:
            j += 1
    else:
        end = theirs[j].stop
        if ours[i].start < theirs[j].start:
            i += 1
    stop_i, stop_j = i, j

    def is_inside(words: list[_Word], place: int) -> bool:
        if place >= len(words):
            return False
        word = words[place]
        return word.start < end if word.is_multiword else word.stop <= end

    while is_inside(ours, stop_i) or is_inside(theirs, stop_j):
        ours_comes_first = stop_i < len(ours) and (stop_j >= len(theirs) or ours[stop_i].start <= theirs[stop_j].start)
        taken = ours[stop_i] if ours_comes_first else theirs[stop_j]
        stop_i, stop_j = stop_i + ours_comes_first, stop_j + (not ours_comes_first)
        if taken.is_multiword:
            end = max(end, taken.stop)
    return i, j, stop_i, stop_j


def common_subsequence(ours: list[str], theirs: list[str]) -> list[tuple[int, int]]:
    """The places of a longest common subsequence, as the official evaluator chooses among several.

    Equal first elements are always paired; otherwise an element of ours is passed over if that loses nothing.

    >>> common_subsequence(["a", "b", "c"], ["b", "x", "c"])
    [(1, 0), (2, 2)]
    """
    same = 0
    while same < min(len(ours), len(theirs)) and ours[same] == theirs[same]:
        same += 1
    pairs = [(place, place) for place in range(same)]
    if same == min(len(ours), len(theirs)):
        return pairs
    codes = {form: code for code, form in enumerate(dict.fromkeys(theirs))}
    left = np.array([codes.get(form, -1) for form in ours[same:]])
    right = np.array([codes[form] for form in theirs[same:]])
    lengths = np.zeros((len(left) + 1, len(right) + 1), dtype=np.int32)  # of what is common to the two remainders
    for row in range(len(left) - 1, -1, -1):
        diagonal = np.where(left[row] == right, lengths[row + 1, 1:] + 1, 0)
        best = np.maximum(diagonal, lengths[row + 1, :-1])
        lengths[row, :-1] = np.maximum.accumulate(best[::-1])[::-1]
    a = b = 0
    while a < len(left) and b < len(right):
        if left[a] == right[b]:
            pairs.append((same + a, same + b))
            a, b = a + 1, b + 1
        elif lengths[a, b] == lengths[a + 1, b]:
            a += 1
        else:
            b += 1
    return pairs
