"""Reading bracketed trees in one pass over the bytes, and numbering strings: compiled, for large corpora.

The reader goes as far as trees are plainly well-formed. Where anything is wrong it gives up: the reader with numpy then
says what it is.
"""

from __future__ import annotations

import numpy as np

from karat._arrays import Bytes, Flags, Ids, Indices, Words64
from karat._compiled import kernel, part_of_kernel
from karat.corpus.readers._compiled_bytes import eight_bytes
from karat.corpus.source import Source

_NEWLINE, _OPEN, _CLOSE = 10, 40, 41
_IS_SPACE = np.zeros(256, dtype=np.bool_)
_IS_SPACE[[9, 10, 11, 12, 13, 32]] = True
_IS_TEXT = ~_IS_SPACE
_IS_TEXT[[0, _OPEN, _CLOSE]] = False  # a NUL is no text, so that the padding of a source ends all loops over its bytes
_MASKS = np.array([(1 << (8 * n)) - 1 for n in range(9)], dtype=np.uint64)  # keeps the first n of eight bytes
_ONES = np.uint64(0x0101010101010101)
_HIGHEST_BITS = np.uint64(0x8080808080808080)
_ABOVE_CLOSE = np.uint64(_CLOSE + 1) * _ONES
_GIVEN_UP = -1
_BYTES_AT_ONCE = 1 << 18
_IN_FAILED_PARSE = 64  # brackets; where there are more, the reader with numpy reads
_FEW = 1 << 12  # slots for as many strings as there may be labels and tags


def plain_trees(source: Source) -> tuple[Ids, Ids, Indices] | None:
    """The words, nodes and trees of a source, or None if it is not plainly well-formed.

    words [4 × words]: where the tag starts and stops, and the form. nodes [5 × nodes]: where the label starts and
    stops, the first word and the one behind the last, the parent. trees [3 × trees + 1]: place, first word and first
    node of each; the last column holds the numbers of all words and nodes.
    """
    if not _is_utf8(source):
        return None
    most_words, most_nodes, most_trees = _bounds(source.buffer)
    words = np.empty((4, most_words), dtype=np.int32)
    nodes = np.empty((5, most_nodes), dtype=np.int32)
    trees = np.empty((most_trees + 1, 3), dtype=np.intp)  # tree by tree: what is not written takes no memory
    trees[0] = 0
    n_trees = 0
    for part in source.parts:
        n_trees = _read_part(source.buffer, part.start, part.stop, words, nodes, trees, n_trees)
        if n_trees == _GIVEN_UP:
            return None
    _, n_words, n_nodes = trees[n_trees].tolist()
    return words[:, :n_words], nodes[:, :n_nodes], trees[: n_trees + 1].T.copy()


def _is_utf8(source: Source) -> bool:
    """Whether the bytes are UTF-8: each run of bytes beyond ASCII is, with the byte behind it as a separator."""
    found = []
    for first in range(0, len(source.buffer), _BYTES_AT_ONCE):
        text = source.buffer[first : first + _BYTES_AT_ONCE]
        is_beyond = text > 127
        wanted = is_beyond.copy()
        wanted[1:] |= is_beyond[:-1]
        wanted[0] |= source.buffer[max(first - 1, 0)] > 127
        found.append(text[wanted].tobytes())
    try:
        b"".join(found).decode()
    except UnicodeDecodeError:
        return False
    return True


@kernel
def _bounds(text: Bytes) -> tuple[int, int, int]:
    """At most how many words, nodes and trees (or blank lines) a well-formed text has.

    A word's bracket closes behind text or space, a node's behind a bracket or space. Brackets without words are not
    kept, but those of one failed parse, such as `(S1 (S))`, are there until it ends.
    """
    n_open = n_behind_text = n_behind_space = n_lines = 0
    for place in range(1, len(text)):
        before = text[place - 1]
        n_open += before == _OPEN
        n_lines += before == _NEWLINE
        n_behind_text += (text[place] == _CLOSE) & (before > 32) & (before != _CLOSE) & (before != _OPEN)
        n_behind_space += (text[place] == _CLOSE) & (before <= 32)
    return n_behind_text + n_behind_space, n_open - n_behind_text + _IN_FAILED_PARSE, n_open + n_lines


@kernel
def _read_part(text: Bytes, start: int, stop: int, words: Ids, nodes: Ids, trees: Indices, n_trees: int) -> int:
    """Read the trees of one file; how many trees there are then, missing parses included."""
    first_tree = n_trees
    place = line_start = start
    line_has_tree = False
    one_a_line = True
    while place < stop:
        begin = place
        if text[place] == _OPEN:
            place, n_words, n_nodes = _read_tree(text, place, words, nodes, trees[n_trees, 1], trees[n_trees, 2])
            if place == _GIVEN_UP or place > stop:
                return _GIVEN_UP
            n_trees = _end_tree(trees, n_trees, begin, n_words, n_nodes)
            one_a_line &= not line_has_tree and not _has_newline(text, begin, place)
            line_has_tree = True
            continue
        if not _IS_SPACE[text[place]]:
            return _GIVEN_UP
        place += 1
        if text[begin] == _NEWLINE:
            if not line_has_tree:  # a missing parse, if blank lines turn out to be that
                n_trees = _end_tree(trees, n_trees, line_start, trees[n_trees, 1], trees[n_trees, 2])
            line_start, line_has_tree = place, False
    return _without_separators(text, trees, first_tree, n_trees, one_a_line)


@part_of_kernel
def _end_tree(trees: Indices, tree: int, place: int, n_words: int, n_nodes: int) -> int:
    """Note where a tree begins and how many words and nodes there are behind it; the number of the next tree."""
    trees[tree, 0] = place
    trees[tree + 1, 1] = n_words
    trees[tree + 1, 2] = n_nodes
    return tree + 1


@part_of_kernel
def _read_tree(text: Bytes, place: int, words: Ids, nodes: Ids, n_words: int, n_nodes: int) -> tuple[int, int, int]:
    """Read the tree that opens at a place; the place behind it, and how many words and nodes there are then."""
    first_word, first_node = n_words, n_nodes
    has_empty_bracket = False
    above = -1
    while True:
        if text[place] == _OPEN:
            label = _spaces_stop(text, place + 1)
            label_stop = _text_stop(text, label)
            behind = _spaces_stop(text, label_stop)
            if _IS_TEXT[text[behind]]:
                form = behind
                form_stop = _text_stop(text, form)
                behind = _spaces_stop(text, form_stop) + 1
                if text[behind - 1] != _CLOSE or n_words == words.shape[1]:
                    return _GIVEN_UP, 0, 0
                words[0, n_words], words[1, n_words] = label, label_stop
                words[2, n_words], words[3, n_words] = form, form_stop
                n_words += 1
            elif text[behind] == _OPEN or text[behind] == _CLOSE:
                if n_nodes == nodes.shape[1]:
                    return _GIVEN_UP, 0, 0
                has_empty_bracket |= text[behind] == _CLOSE
                nodes[0, n_nodes] = label if label < label_stop else place + 1
                nodes[1, n_nodes] = label_stop if label < label_stop else place + 1
                nodes[2, n_nodes] = n_words
                nodes[4, n_nodes] = above
                above = n_nodes
                n_nodes += 1
            else:
                return _GIVEN_UP, 0, 0
            place = behind
        elif text[place] == _CLOSE:
            nodes[3, above] = n_words
            above = nodes[4, above]
            place += 1
        else:
            return _GIVEN_UP, 0, 0
        if above < 0:
            break
        place = _spaces_stop(text, place)
    if not has_empty_bracket:
        return place, n_words, n_nodes
    return (place, n_words, first_node) if n_words == first_word else (_GIVEN_UP, 0, 0)


@part_of_kernel
def _spaces_stop(text: Bytes, place: int) -> int:
    """The place behind the spaces that begin at a place, if any do."""
    while _IS_SPACE[text[place]]:
        place += 1
    return place


@part_of_kernel
def _text_stop(text: Bytes, place: int) -> int:
    """The place behind the label or word that begins at a place, if one does.

    Eight bytes are looked at together, which is faster than to guess after each whether the word goes on: what ends a
    word is at most `)`, so that its highest bit is set when the next byte's number is taken off.
    """
    while True:
        eight = eight_bytes(text, place)
        ends = ((eight - _ABOVE_CLOSE) & ~eight & _HIGHEST_BITS) >> np.uint64(7)
        if ends == 0:
            place += 8
            continue
        before_first = (ends & (~ends + np.uint64(1))) - np.uint64(1)  # eight ones for each byte before
        place += int(np.intp(((before_first & _ONES) * _ONES) >> np.uint64(56)))
        if not _IS_TEXT[text[place]]:
            return place
        place += 1  # one of !"#$%&', which are in the way


@part_of_kernel
def _has_newline(text: Bytes, start: int, stop: int) -> bool:
    n = 0
    for place in range(start, stop):  # to the end, whatever is found: that goes many bytes at once
        n += text[place] == _NEWLINE
    return n > 0


@part_of_kernel
def _without_separators(text: Bytes, trees: Indices, first: int, stop: int, one_a_line: bool) -> int:
    """Take out the blank lines of a file that are no missing parses; how many trees there are then.

    They are where every tree has a line of its own, unless one follows every tree; those at the end never are.
    """
    while stop > first and text[trees[stop - 1, 0]] != _OPEN:
        stop -= 1
    takes_turns = True
    for tree in range(first, stop):
        takes_turns &= (text[trees[tree, 0]] == _OPEN) == ((tree - first) % 2 == 0)
    if one_a_line and not takes_turns:
        return stop
    n_kept = first
    for tree in range(first, stop):
        if text[trees[tree, 0]] == _OPEN:
            n_kept = _end_tree(trees, n_kept, trees[tree, 0], trees[tree + 1, 1], trees[tree + 1, 2])
    return n_kept


# ---- strings


def numbered_spans(text: Bytes, start: Ids, stop: Ids, key: np.uint64) -> tuple[Ids, Indices]:
    """A number for every string, equal for equal bytes, in the order of appearance; and where each first appears.

    The key is the process's own, so that no file can be made whose strings all come to the same slots.
    """
    numbers = np.empty(len(start), dtype=np.int32)
    first = np.empty(len(start), dtype=np.intp)
    heads = np.empty(len(start), dtype=np.uint64)
    slots = np.full(_FEW, -1, dtype=np.int32)
    n_done, n_distinct = _number(text, start, stop, key, 0, 0, numbers, first, heads, slots)
    while n_done < len(start):
        slots = np.full(4 * len(slots), -1, dtype=np.int32)
        _number_again(text, start, stop, key, n_distinct, first, heads, slots)
        n_done, n_distinct = _number(text, start, stop, key, n_done, n_distinct, numbers, first, heads, slots)
    return numbers, first[:n_distinct].copy()


@kernel
def _number(
    text: Bytes,
    start: Ids,
    stop: Ids,
    key: np.uint64,
    n_done: int,
    n_distinct: int,
    numbers: Ids,
    first: Indices,
    heads: Words64,
    slots: Ids,
) -> tuple[int, int]:
    """Number strings until all are done or half of the slots are taken; how many are done, and how many distinct."""
    last_slot = len(slots) - 1
    for row in range(n_done, len(start)):
        head = _head(text, start[row], stop[row])
        slot = _hash(text, start[row], stop[row], head, key) & last_slot
        while slots[slot] >= 0:
            if heads[slots[slot]] == head:
                other = first[slots[slot]]
                if _same_behind_heads(text, start[row], stop[row], text, start[other], stop[other]):
                    break
            slot = (slot + 1) & last_slot
        if slots[slot] < 0:
            if 2 * n_distinct >= len(slots):
                return row, n_distinct
            slots[slot] = n_distinct
            first[n_distinct], heads[n_distinct] = row, head
            n_distinct += 1
        numbers[row] = slots[slot]
    return len(start), n_distinct


@kernel
def _number_again(
    text: Bytes,
    start: Ids,
    stop: Ids,
    key: np.uint64,
    n_distinct: int,
    first: Indices,
    heads: Words64,
    slots: Ids,
) -> None:
    """Give the distinct strings so far their places among new slots."""
    last_slot = len(slots) - 1
    for number in range(n_distinct):
        row = first[number]
        slot = _hash(text, start[row], stop[row], heads[number], key) & last_slot
        while slots[slot] >= 0:
            slot = (slot + 1) & last_slot
        slots[slot] = number


@kernel
def same_strings(text: Bytes, start: Ids, stop: Ids, their_text: Bytes, their_start: Ids, their_stop: Ids) -> Flags:
    """Whether the strings of two sides are the same, one by one."""
    same = np.empty(len(start), dtype=np.bool_)
    for row in range(len(start)):
        ours, theirs = (start[row], stop[row]), (their_start[row], their_stop[row])
        same[row] = _head(text, *ours) == _head(their_text, *theirs) and _same_behind_heads(
            text, *ours, their_text, *theirs
        )
    return same


@part_of_kernel
def _head(text: Bytes, start: int, stop: int) -> np.uint64:
    """The first eight bytes of a string as one number: all of most strings, and compared at once."""
    mask: np.uint64 = _MASKS[min(stop - start, 8)]
    return eight_bytes(text, start) & mask


@part_of_kernel
def _hash(text: Bytes, start: int, stop: int, head: np.uint64, key: np.uint64) -> int:
    """A number for a string, equal for equal bytes and hardly ever for others."""
    mixed = head * key
    for place in range(start + 8, stop):
        mixed = (mixed ^ (mixed >> np.uint64(29)) ^ np.uint64(text[place])) * key
    return int(np.intp(mixed >> np.uint64(32)))


@part_of_kernel
def _same_behind_heads(
    text: Bytes, start: int, stop: int, their_text: Bytes, their_start: int, their_stop: int
) -> bool:
    """Whether two strings that begin with the same eight bytes are the same."""
    if stop - start != their_stop - their_start:
        return False
    place = start + 8
    while place < stop and text[place] == their_text[their_start + place - start]:
        place += 1
    return place >= stop
