"""Patterns of change: which word has which label for which, and at how many places.

A difference of guidelines makes hundreds of suspicious repeats; as a pattern, it is one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from karat._arrays import Flags, Ids, Indices
from karat._ragged import offsets_of, owners_of, stretches
from karat.gold.repeats.labels import OUTSIDE, Labels, WordsWithLabels
from karat.gold.repeats.running_text import RunningText, joint_codes
from karat.gold.repeats.suspicious import SuspiciousRepeats
from karat.gold.repeats.tokenisation import BEGINS, GOES_ON

_CELLS = 1 << 22  # so many labels are looked at together
_OUTSIDE = -1


@dataclass(frozen=True, slots=True)
class Pattern:
    """A word that is labelled `becomes` at `count` places where `label` was to be expected, in `n_repeats` repeats."""

    word: str
    label: str
    becomes: str
    count: int
    n_repeats: int


def patterns_of_change(
    found: SuspiciousRepeats, *, by: WordsBy | None = None, a_to_b: bool = False
) -> tuple[Pattern, ...]:
    """The patterns of suspicious repeats, the commonest first.

    In each repeat, on each word that differs, the commonest label is taken for the one to be expected, and each place
    with another is one of the pattern; of equally common labels, the one that the word has most often in all the text,
    then that of the first place. With `a_to_b`, for two corpora, what is to be expected is the commonest label in the
    first, and each place of the second with another is one of the pattern; where the second has only this label, each
    place of the first with another is, from its label to that of the second. A place counts once, in however many
    repeats it is. Words are those that are repeated, or what `by` has at the place that counts.
    """
    text = found.all_repeats.text
    words, names = words_by(text, None) if by is None else by
    elsewhere = WordsWithLabels(text, found.labels)
    parts = [_odd_places(found, rows, elsewhere, a_to_b) for rows in _blocks(found)]
    row, place, label, becomes = (np.concatenate(several) for several in zip(*parts, strict=True))
    kinds, number = np.unique(np.append(label, becomes), return_inverse=True)
    label, becomes = number[: len(label)], number[len(label) :]
    word = words[place].astype(np.intp)
    order = np.lexsort((row, place, becomes, label, word))
    columns = [column[order] for column in (word, label, becomes)]
    is_first = np.zeros(len(order), dtype=np.bool_)
    is_first[:1] = True
    for column in columns:
        is_first[1:] |= column[1:] != column[:-1]
    start = np.flatnonzero(is_first)
    pattern = np.cumsum(is_first) - 1
    n_places = _n_distinct(pattern, place[order], len(start))
    n_repeats = _n_distinct(pattern, row[order], len(start))
    shown = [label_name(found.labels, int(kind)) for kind in kinds.tolist()]
    chosen = [column[start].tolist() for column in columns]
    every = [
        Pattern(names[one], shown[from_], shown[to], count, n)
        for one, from_, to, count, n in zip(*chosen, n_places.tolist(), n_repeats.tolist(), strict=True)
    ]
    return tuple(sorted(every, key=_order))


def _order(one: Pattern) -> tuple[int, int, str, str, str]:
    return -one.count, -one.n_repeats, one.word, one.label, one.becomes


class WordsBy(NamedTuple):
    """A number for the word of each place of a text, and what the words are called."""

    codes: Ids
    names: Sequence[str]


def words_by(text: RunningText, column: str | None) -> WordsBy:
    """The words of all places by a column, None for those that are repeated."""
    if column is None:
        return WordsBy(text.codes, text.vocabulary)
    codes, names = joint_codes(text.corpora, column)
    return WordsBy(text.spread(codes), names)


def _n_distinct(group: Indices, value: Indices | Ids, n_groups: int) -> Indices:
    """How many different values each group has."""
    order = np.lexsort((value, group))
    group, value = group[order], value[order]
    is_new = np.ones(len(group), dtype=np.bool_)
    is_new[1:] = (group[1:] != group[:-1]) | (value[1:] != value[:-1])
    return np.bincount(group[is_new], minlength=n_groups)


def _blocks(found: SuspiciousRepeats) -> Iterator[Indices]:
    """The rows in stretches with not many more labels than _CELLS; at least one stretch, be it empty."""
    n_cells = np.cumsum(found.length.astype(np.int64) * found.n_places)
    edges = np.searchsorted(n_cells, np.arange(0, n_cells[-1] if len(n_cells) else 0, _CELLS)[1:], side="right")
    return iter(np.split(np.arange(len(found)), edges))


_Odd = tuple[Indices, Indices, Indices, Indices]  # repeat, place of the word, label to be expected, label


def _odd_places(found: SuspiciousRepeats, rows: Indices, elsewhere: WordsWithLabels, a_to_b: bool) -> _Odd:
    """All words of these repeats that have another label than was to be expected."""
    row, group, place, at = _differing_words(found, rows)
    text = found.all_repeats.text
    key = label_keys(found.labels, place, at, found.length[row])
    word = text.codes[place]
    if not a_to_b:
        usual = _commonest(group, place, key, word, elsewhere, np.ones(len(group), dtype=np.bool_))
        is_odd = key != usual[group]
        return row[is_odd], place[is_odd], usual[group][is_odd], key[is_odd]
    in_b = text.sentences[place] >= text.corpus_sentences[1]
    of_a = _commonest(group, place, key, word, elsewhere, ~in_b)[group]
    b_differs = np.bincount(group, weights=in_b & (key != of_a)) > 0
    is_odd = (key != of_a) & (in_b | ~b_differs[group])
    label, becomes = np.where(in_b, of_a, key), np.where(in_b, key, of_a)
    return row[is_odd], place[is_odd], label[is_odd], becomes[is_odd]


def _differing_words(found: SuspiciousRepeats, rows: Indices) -> tuple[Indices, Indices, Indices, Indices]:
    """For each place of each word that differs: its row, a number for the word of the repeat, the place of the word,
    and which word of the repeat it is.
    """
    offsets, places, _ = found.labelled_places(rows)
    n_places, length = np.diff(offsets), found.length[rows].astype(np.intp)
    word_row = owners_of(length)  # of the words of the repeats
    word_at = stretches(0, length)
    n_cells = n_places[word_row]
    group = owners_of(n_cells)
    number = stretches(0, n_cells)
    at = word_at[group]
    place = places[offsets[word_row[group]] + number].astype(np.intp) + at
    key = label_keys(found.labels, place, at, length[word_row[group]])
    first = key[offsets_of(n_cells)[group]] if len(group) else key
    differs = np.bincount(group, weights=key != first, minlength=len(word_row)) > 0
    kept = differs[group]
    group = (np.cumsum(differs) - 1)[group[kept]]
    return rows[word_row[differs]][group], group, place[kept], at[kept]


def label_keys(labels: Labels, place: Indices, at: Indices | Ids, length: Indices | Ids) -> Indices:
    """A number for each label, with the distance where it has one, equal where labels of a repeat's word are."""
    code = labels.codes[place].astype(np.int64) << 32
    if not len(labels.reach):
        return code
    reach = labels.reach[place].astype(np.int64)
    end = at + reach
    return np.where((end >= 0) & (end < length), code + reach + (1 << 31), _OUTSIDE)


def label_name(labels: Labels, key: int) -> str:
    """The label of a number that `label_keys` gives."""
    if key == _OUTSIDE:
        return OUTSIDE
    name = labels.names[key >> 32]
    has_distance = len(labels.reach) > 0 and labels.shows_distance
    return f"{name}{(key & 0xFFFFFFFF) - (1 << 31):+d}" if has_distance else name


def _commonest(
    group: Indices, place: Indices, key: Indices, word: Ids, elsewhere: WordsWithLabels, chosen: Flags
) -> Indices:
    """For each group the commonest label of the chosen places; every group must have one."""
    kept = np.flatnonzero(chosen)
    order = kept[np.lexsort((place[kept], key[kept], group[kept]))]
    of_group, of_key = group[order], key[order]
    is_first = np.ones(len(order), dtype=np.bool_)
    is_first[1:] = (of_group[1:] != of_group[:-1]) | (of_key[1:] != of_key[:-1])
    start = np.flatnonzero(is_first)
    count = np.diff(np.append(start, len(order)))
    example = order[start]
    in_all = np.where(key[example] == _OUTSIDE, 0, elsewhere.count(word[example], key[example] >> 32))
    best = np.lexsort((place[example], -in_all, -count, group[example]))
    best = best[np.diff(group[example][best], prepend=-1) > 0]
    return key[example[best]]


def patterns_of_cuts(found: SuspiciousRepeats, *, a_to_b: bool = False) -> tuple[Pattern, ...]:
    """The patterns of suspicious repeats over characters: which text between spaces is cut in which way for which.

    What counts is as in `patterns_of_change`; of equally common ways to cut, that of the first place is expected.
    """
    text, labels = found.all_repeats.text, found.labels
    offsets, places, labelling = found.labelled_places()
    seen: dict[tuple[str, str, str], tuple[set[int], set[int]]] = {}
    for row, (start, stop) in enumerate(pairwise(offsets.tolist())):
        its_places, ways, length = places[start:stop].tolist(), labelling[start:stop].tolist(), int(found.length[row])
        letters = text.strings(its_places[0], length)
        examples = dict(zip(reversed(ways), reversed(its_places), strict=True))
        cuts = {way: without_outside(labels.strings(place, length)) for way, place in examples.items()}
        in_b = [a_to_b and bool(text.sentences[place] >= text.corpus_sentences[1]) for place in its_places]
        for first, last in _cut_stretches(letters, list(cuts.values())):
            shown = {way: cut_text(letters[first:last], its[first:last]) for way, its in cuts.items()}
            every = [shown[way] for way in ways]
            for place, (label, becomes) in zip(its_places, _changes(every, in_b, a_to_b), strict=True):
                if label != becomes:
                    at, rows = seen.setdefault(("".join(letters[first:last]), label, becomes), (set(), set()))
                    at.add(place + first)
                    rows.add(row)
    return tuple(sorted((Pattern(*key, len(at), len(rows)) for key, (at, rows) in seen.items()), key=_order))


def without_outside(cuts: tuple[str, ...]) -> tuple[str, ...]:
    """Cuts, of which those that are not known because of what is outside are none."""
    return tuple(GOES_ON if cut == OUTSIDE else cut for cut in cuts)


def _changes(labels: list[str], in_b: list[bool], a_to_b: bool) -> Iterator[tuple[str, str]]:
    """For each place the label to be expected and the other; twice the same where it is no place of a pattern."""
    of_a = Counter(label for label, is_b in zip(labels, in_b, strict=True) if not is_b).most_common(1)[0][0]
    if not a_to_b:
        yield from ((of_a, label) for label in labels)
        return
    b_differs = any(is_b and label != of_a for label, is_b in zip(labels, in_b, strict=True))
    for label, is_b in zip(labels, in_b, strict=True):
        yield (of_a, label) if is_b else (label, label if b_differs else of_a)


def between_spaces(letters: Sequence[str], at: int) -> tuple[int, int]:
    """The stretch without spaces around a character; that on both sides of a space."""
    first, last = at, at + 1
    while first > 0 and letters[first - 1] != " ":
        first -= 1
    while last < len(letters) and letters[last] != " ":
        last += 1
    return first, last


def _cut_stretches(letters: Sequence[str], ways: Sequence[Sequence[str]]) -> list[tuple[int, int]]:
    """The stretches without spaces around characters that are cut in different ways; both sides of a space that is."""
    found: list[tuple[int, int]] = []
    for at, labels in enumerate(zip(*ways, strict=True)):
        if len(set(labels)) == 1:
            continue
        first, last = between_spaces(letters, at)
        if found and first < found[-1][1]:
            first, last = found[-1][0], max(last, found.pop()[1])
        found.append((first, last))
    return found


def cut_text(letters: Sequence[str], cuts: Sequence[str]) -> str:
    """Characters as they are cut: `can|not`, and `dela=de+la` for a token of two words.

    >>> cut_text("can not", ["", "", "", "|", "|", "", ""]), cut_text("dela", ["|", "", "", "de la"])
    ('can not', 'dela=de+la')
    """
    shown = []
    for at, (letter, cut) in enumerate(zip(letters, cuts, strict=True)):
        if cut == BEGINS:
            shown.append("|" if at and letter != " " and letters[at - 1] != " " else "")
        shown.append(letter)
        if cut not in (GOES_ON, BEGINS, OUTSIDE):
            shown.append("=" + cut.replace(" ", "+"))
    return "".join(shown)
