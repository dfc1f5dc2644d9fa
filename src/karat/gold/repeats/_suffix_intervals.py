"""Suffix arrays over words, and what is read off their intervals: compiled loops, linear in the text.

A text is an int32 array: codes of words from 0 on, and BOUNDARY behind every sentence, which is equal to nothing, not
even to another boundary. Four bytes a place are enough for each array here, so no text may have 2³¹ places.
"""

from __future__ import annotations

import numpy as np

from karat._arrays import Array, Bytes, Flags, Ids, Indices
from karat._compiled import kernel, part_of_kernel
from karat.errors import UsageError

BOUNDARY = -1
_ANY = -1  # what precedes the places of an interval: not always the same word

# How a word is written in bytes for divsufsort: frequent words are short, and no word is the beginning of another, so
# that the order of bytes is an order of words. By rank: so many words have one byte, then two, three, four, five.
_ONE, _TWO, _THREE, _FOUR = 191, 56 << 8, 6 << 16, 1 << 24
_SHORTER_THAN = np.cumsum([_ONE, _TWO, _THREE, _FOUR])


def suffix_array(codes: Ids) -> Ids:
    """The places of all words, in an order in which places with the same words behind them, to whatever length, are
    neighbours.

    divsufsort sorts the bytes (its wrapper takes integers, too, but writes all of them in four bytes each, which takes
    several times as long).
    """
    if len(codes) >= np.iinfo(np.int32).max:
        raise UsageError(f"a text of {len(codes):,} words and boundaries is too long: the maximum is 2³¹ - 1")
    n_times = np.bincount(codes[codes >= 0]) if len(codes) else np.zeros(0, dtype=np.intp)
    if not len(n_times):
        return np.zeros(0, dtype=np.int32)
    from pydivsufsort import divsufsort

    rank = np.empty(len(n_times), dtype=np.int32)
    rank[np.argsort(-n_times, kind="stable")] = np.arange(len(n_times), dtype=np.int32)
    n_words = int(n_times.sum())
    n_bytes = int((n_times * (np.searchsorted(_SHORTER_THAN, rank, side="right") + 1)).sum()) + len(codes) - n_words
    written, place_of_byte = _in_bytes(codes, rank, n_bytes)
    suffixes: Array = divsufsort(written)
    del written
    return _places_of_words(suffixes, place_of_byte, n_words)


@kernel
def _in_bytes(codes: Ids, rank: Ids, n_bytes: int) -> tuple[Bytes, Ids]:
    """The text in bytes, a boundary as 0; and for the first byte of each word its place, for others -1."""
    written = np.zeros(n_bytes, dtype=np.uint8)
    place_of_byte = np.full(n_bytes, -1, dtype=np.int32)
    at = 0
    for place in range(len(codes)):
        if codes[place] < 0:
            at += 1
            continue
        place_of_byte[at] = place
        number = np.int64(rank[codes[place]])
        if number < _ONE:
            written[at] = 1 + number
            at += 1
            continue
        number -= _ONE
        if number < _TWO:
            lead, n_more = 1 + _ONE, 1
        elif number < _TWO + _THREE:
            number -= _TWO
            lead, n_more = 248, 2
        elif number < _TWO + _THREE + _FOUR:
            number -= _TWO + _THREE
            lead, n_more = 254, 3
        else:
            number -= _TWO + _THREE + _FOUR
            lead, n_more = 255, 4
        written[at] = lead + (number >> (8 * n_more))
        for more in range(n_more):
            written[at + 1 + more] = (number >> (8 * (n_more - 1 - more))) & 255
        at += 1 + n_more
    return written, place_of_byte


@kernel
def _places_of_words(suffixes: Array, place_of_byte: Ids, n_words: int) -> Ids:
    """The suffixes that begin with a word, as places of the text."""
    places = np.empty(n_words, dtype=np.int32)
    n = 0
    for row in range(len(suffixes)):
        place = place_of_byte[suffixes[row]]
        if place >= 0:
            places[n] = place
            n += 1
    return places


@kernel
def _common_prefixes(codes: Ids, suffixes: Ids) -> Ids:
    """How many words each suffix has in common with the one before it, up to the end of the sentence.

    [Kärkkäinen, Manzini & Puglisi 2009, the Φ algorithm: in the order of the text, where each value is at least the
    one before it less one.] A boundary ends what is common, so the bound holds with it, too.
    """
    common = np.full(len(codes), -1, dtype=np.int32)  # first the suffix before each one, then what they share
    for row in range(1, len(suffixes)):
        common[suffixes[row]] = suffixes[row - 1]
    length = 0
    for place in range(len(codes)):
        other = common[place]
        if codes[place] < 0 or other < 0:
            length = 0
            continue
        while codes[place + length] >= 0 and codes[place + length] == codes[other + length]:
            length += 1
        common[place] = length
        length = max(length - 1, 0)
    prefixes = np.empty(len(suffixes), dtype=np.int32)
    for row in range(len(suffixes)):
        prefixes[row] = max(common[suffixes[row]], 0)
    return prefixes


def intervals(
    codes: Ids,
    sentences: Ids,
    suffixes: Ids,
    corpora: Indices,
    *,
    min_words: int,
    max_words: int,
    two_sentences: bool,
    two_corpora: bool,
) -> tuple[Ids, Ids, Ids]:
    """First row, row behind the last and number of words of every maximal repeat, a repeat behind those inside it."""
    prefixes = _common_prefixes(codes, suffixes)
    deepest = int(prefixes.max(initial=0)) + 2
    start, stop, length = (np.empty(len(suffixes), dtype=np.int32) for _ in range(3))  # unwritten, it takes no memory
    limits = (min_words, max_words, two_sentences, two_corpora)
    n = _intervals(codes, sentences, suffixes, prefixes, corpora, deepest, limits, start, stop, length)
    return start[:n].copy(), stop[:n].copy(), length[:n].copy()


@kernel
def _intervals(
    codes: Ids,
    sentences: Ids,
    suffixes: Ids,
    prefixes: Ids,
    corpora: Indices,
    deepest: int,
    limits: tuple[int, int, bool, bool],
    start: Ids,
    stop: Ids,
    length: Ids,
) -> int:
    """Write the maximal repeats and return how many there are.

    The intervals of common prefixes come from one pass with a stack [Abouelhoda, Kurtz & Ohlebusch 2004]; each open one
    knows the word before its places, if it is always the same, and its first and last sentence.
    """
    min_words, max_words, two_sentences, two_corpora = limits
    words, first, before = np.zeros(deepest, np.int32), np.zeros(deepest, np.int32), np.zeros(deepest, np.int32)
    low, high = np.zeros(deepest, np.int32), np.zeros(deepest, np.int32)
    depth = n = 0  # at depth 0 stands the interval of all suffixes
    for row in range(len(suffixes)):
        place = suffixes[row]
        its_first = row
        its_before = codes[place - 1] if place > 0 else _ANY  # a boundary is as good as different words
        its_low = its_high = sentences[place]
        shared = prefixes[row + 1] if row + 1 < len(suffixes) else 0
        while words[depth] > shared:
            if before[depth] != its_before:
                before[depth] = _ANY
            low[depth] = min(low[depth], its_low)
            high[depth] = max(high[depth], its_high)
            its_first, its_before, its_low, its_high = first[depth], before[depth], low[depth], high[depth]
            wanted = its_before == _ANY and min_words <= words[depth] <= max_words
            wanted = wanted and (its_low != its_high or not two_sentences)
            if wanted and two_corpora:
                wanted = np.searchsorted(corpora, its_low, "right") != np.searchsorted(corpora, its_high, "right")
            if wanted:
                start[n], stop[n], length[n] = its_first, row + 1, words[depth]
                n += 1
            depth -= 1
        if words[depth] < shared:
            depth += 1
            words[depth], first[depth], before[depth] = shared, its_first, its_before
            low[depth], high[depth] = its_low, its_high
        elif depth:
            if before[depth] != its_before:
                before[depth] = _ANY
            low[depth] = min(low[depth], its_low)
            high[depth] = max(high[depth], its_high)
    return n


@kernel
def covered_sentences(start: Ids, stop: Ids, suffixes: Ids, sentences: Ids, n_sentences: int) -> Flags:
    """The sentences in which one of the repeats is; each row is looked at once, for the widest repeat around it."""
    covered = np.zeros(n_sentences, dtype=np.bool_)
    seen_from = len(suffixes)
    for repeat in range(len(start) - 1, -1, -1):  # from behind: a repeat comes before those inside it
        for row in range(start[repeat], min(stop[repeat], seen_from)):
            covered[sentences[suffixes[row]]] = True
        seen_from = min(seen_from, start[repeat])
    return covered


@part_of_kernel
def _agreement(codes: Ids, reach: Ids, one: int, other: int, limit: int) -> int:
    """For how many words, at most the limit, the annotation of two places agrees.

    Where labels reach, one counts from the length on at which both ends of it are in the span.
    """
    if not len(reach):
        for at in range(limit):
            if codes[one + at] != codes[other + at]:
                return at
        return limit
    at = 0
    while at < limit:
        if codes[one + at] != codes[other + at] or reach[one + at] != reach[other + at]:
            for place in (one, other):
                end = at + int(reach[place + at])
                if end >= 0:
                    limit = min(limit, max(at, end))
        at += 1
    return limit


@kernel
def agreeing_rows(start: Ids, stop: Ids, length: Ids, suffixes: Ids, codes: Ids, reach: Ids) -> Flags:
    """The repeats all of whose places are annotated in the same way.

    They are if each place agrees with the next of the suffix array for as long as the repeat is. What is known of a
    repeat inside another is used for the other, so that each pair of neighbours is compared once.
    """
    agree = np.empty(len(start), dtype=np.bool_)
    open_repeats = np.empty(len(start), dtype=np.int32)
    agreements = np.empty(len(start), dtype=np.int32)
    depth = 0
    for repeat in range(len(start)):
        least = int(length[repeat])
        upper = stop[repeat]
        while depth and start[open_repeats[depth - 1]] >= start[repeat]:
            depth -= 1
            inner = open_repeats[depth]
            least = min(least, int(agreements[depth]))
            for row in range(stop[inner], upper):
                least = _agreement(codes, reach, suffixes[row - 1], suffixes[row], least)
            upper = start[inner] + 1
        for row in range(start[repeat] + 1, upper):
            least = _agreement(codes, reach, suffixes[row - 1], suffixes[row], least)
        agree[repeat] = least == length[repeat]
        open_repeats[depth], agreements[depth] = repeat, least
        depth += 1
    return agree


@part_of_kernel
def _same_label(codes: Ids, reach: Ids, one: int, other: int, at: int, length: int) -> bool:
    """Whether two places of a repeat have the same label on one of its words."""
    if not len(reach):
        return bool(codes[one + at] == codes[other + at])
    its_end, other_end = at + np.int64(reach[one + at]), at + np.int64(reach[other + at])
    inside, other_inside = 0 <= its_end < length, 0 <= other_end < length
    if inside and other_inside:
        return bool(codes[one + at] == codes[other + at] and its_end == other_end)
    return bool(inside == other_inside)


@part_of_kernel
def _same_labels(codes: Ids, reach: Ids, one: int, other: int, length: int) -> bool:
    for at in range(length):  # noqa: SIM110 - a generator would not be compiled into the loop
        if not _same_label(codes, reach, one, other, at, length):
            return False
    return True


@part_of_kernel
def _hashed(codes: Ids, reach: Ids, place: int, length: int, key: np.uint64) -> np.uint64:
    """A number of 64 bits for the annotation of a place; equal numbers are not trusted."""
    hashed = key
    for at in range(length):
        label = np.uint64(codes[place + at])
        if len(reach):
            end = at + np.int64(reach[place + at])
            label = label + (np.uint64(end + 1) << np.uint64(32)) if 0 <= end < length else np.uint64(0)
        hashed = (hashed ^ label ^ (hashed >> np.uint64(29))) * key
    return hashed ^ (hashed >> np.uint64(32))


@part_of_kernel
def _labelled(
    places: Ids,
    length: int,
    codes: Ids,
    reach: Ids,
    key: np.uint64,
    slots: Ids,
    taken: Ids,
    labelling: Ids,
    example: Ids,
) -> int:
    """Number the annotations of a repeat's places in the order in which they appear; how many there are.

    `slots` is a table of more than twice as many entries as there are places, all -1, before and after. Places that
    fall together are compared for real.
    """
    mask = np.uint64(len(slots) - 1)
    n = 0
    for number in range(len(places)):
        slot = np.int64(_hashed(codes, reach, places[number], length, key) & mask)
        while slots[slot] >= 0 and not _same_labels(codes, reach, example[slots[slot]], places[number], length):
            slot = (slot + 1) & np.int64(mask)
        if slots[slot] < 0:
            slots[slot], taken[n], example[n] = n, slot, places[number]
            n += 1
        labelling[number] = slots[slot]
    for number in range(n):
        slots[taken[number]] = -1
    return n


@part_of_kernel
def _most_places(start: Ids, stop: Ids) -> int:
    most = 0
    for repeat in range(len(start)):
        most = max(most, stop[repeat] - start[repeat])
    return most


@kernel
def labelled(
    start: Ids, stop: Ids, length: Ids, suffixes: Ids, codes: Ids, reach: Ids, key: np.uint64, n_slots: int
) -> tuple[Indices, Ids, Ids]:
    """Where the places of each repeat begin; all their places, in the order of the text; the annotation of each."""
    offsets = np.zeros(len(start) + 1, dtype=np.intp)
    for repeat in range(len(start)):
        offsets[repeat + 1] = offsets[repeat] + stop[repeat] - start[repeat]
    places = np.empty(offsets[-1], dtype=np.int32)
    labelling = np.empty(offsets[-1], dtype=np.int32)
    most = _most_places(start, stop)
    taken, example = np.empty(most, dtype=np.int32), np.empty(most, dtype=np.int32)
    slots = np.full(n_slots, -1, dtype=np.int32)
    for repeat in range(len(start)):
        rows = slice(offsets[repeat], offsets[repeat + 1])
        for number in range(stop[repeat] - start[repeat]):  # a slice would take seconds more to compile
            places[offsets[repeat] + number] = suffixes[start[repeat] + number]
        places[rows].sort()
        _labelled(places[rows], length[repeat], codes, reach, key, slots, taken, labelling[rows], example)
    return offsets, places, labelling


@part_of_kernel
def _are_disjoint(corpus_has: Flags) -> bool:
    """Whether two of the corpora that have the repeat share no annotation of it; corpus_has [corpora × annotations]."""
    for one in range(len(corpus_has)):
        for other in range(one):
            if corpus_has[one].any() and corpus_has[other].any() and not (corpus_has[one] & corpus_has[other]).any():
                return True
    return False


@kernel
def statistics(
    start: Ids,
    stop: Ids,
    length: Ids,
    suffixes: Ids,
    codes: Ids,
    reach: Ids,
    sentences: Ids,
    corpora: Indices,
    key: np.uint64,
    n_slots: int,
) -> Ids:
    """[6 × repeats]: first place, annotations, places of the commonest, differing words, if one of them is not at an
    edge, if two corpora share no annotation.
    """
    table = np.zeros((6, len(start)), dtype=np.int32)
    most = _most_places(start, stop)
    labelling = np.empty(most, dtype=np.int32)
    taken, example = np.empty(most, dtype=np.int32), np.empty(most, dtype=np.int32)
    slots = np.full(n_slots, -1, dtype=np.int32)
    for repeat in range(len(start)):
        places, n_words = np.sort(suffixes[start[repeat] : stop[repeat]]), length[repeat]
        n = _labelled(places, n_words, codes, reach, key, slots, taken, labelling, example)
        table[0, repeat], table[1, repeat] = places[0], n
        table[2, repeat] = np.bincount(labelling[: len(places)], minlength=n).max()
        for at in range(n_words):
            for number in range(1, n):
                if not _same_label(codes, reach, example[0], example[number], at, n_words):
                    table[3, repeat] += 1
                    table[4, repeat] |= 0 < at < n_words - 1
                    break
        if len(corpora) > 2:
            corpus_has = np.zeros((len(corpora) - 1, n), dtype=np.bool_)
            for number in range(len(places)):
                corpus = np.searchsorted(corpora, sentences[places[number]], "right") - 1
                corpus_has[corpus, labelling[number]] = True
            table[5, repeat] = _are_disjoint(corpus_has)
    return table
