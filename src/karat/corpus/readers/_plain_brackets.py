"""Reading bracketed trees in which nothing is wrong, with numpy: some trees at a time, so that all stays in cache.

The marks of a text are its brackets and the stretches of space between them. A word is an opening bracket, a space and
a closing bracket with text in both gaps; every other bracket is a node's. Where anything else is found the reader gives
up, and `brackets` says what it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from karat._arrays import Bytes, Flags, Ids, Indices
from karat.corpus.source import Source

_BYTES_AT_ONCE = 1 << 18
_OPEN, _CLOSE, _SPACE, _NUL = 1, 2, 3, 4


def _kinds() -> bytes:
    """The kind of each byte, 0 for text."""
    kinds = bytearray(256)
    for byte in b"\t\n\v\f\r ":
        kinds[byte] = _SPACE
    kinds[ord("(")], kinds[ord(")")], kinds[0] = _OPEN, _CLOSE, _NUL
    return bytes(kinds)


def _pair(mark: int, following: int, *, with_text: bool) -> int:
    """A number for two marks that follow each other, with or without text between them."""
    return mark + 4 * following + 16 * with_text


_KINDS = _kinds()
_TAG, _FORM = _pair(_OPEN, _SPACE, with_text=True), _pair(_SPACE, _CLOSE, with_text=True)
_NO_TAG, _NO_FORM = _pair(_OPEN, _SPACE, with_text=False), _pair(_SPACE, _CLOSE, with_text=False)
_PLAIN = [_pair(_OPEN, one, with_text=False) for one in (_OPEN, _CLOSE, _SPACE)]
_PLAIN += [_pair(_CLOSE, one, with_text=False) for one in (_OPEN, _CLOSE, _SPACE)]
_PLAIN += [_pair(_SPACE, _OPEN, with_text=False), _NO_FORM, _pair(_OPEN, _OPEN, with_text=True), _TAG, _FORM]
_IS_PLAIN = bytes(number in _PLAIN for number in range(256))


@dataclass(frozen=True, slots=True, eq=False)
class PlainTrees:
    """Trees as `Trees` has them, with a column for each.

    words [4 × words]: where the tag starts and stops, and the form. nodes [5 × nodes]: where the label starts and
    stops, the first word and the one behind the last, the parent. trees [4 × trees]: where each begins and ends, and
    how many words and nodes it has.
    """

    words: Ids
    nodes: Ids
    trees: Indices


def plain_trees(source: Source) -> PlainTrees | None:
    """The trees of a source, missing parses in brackets among them, or None if it is not plainly well-formed."""
    found = []
    n_words = n_nodes = 0
    for first, stop in _stretches(source):
        one = _read(source.buffer[first:stop], first)
        if one is None:
            return None
        one.nodes[2:4] += np.int32(n_words)
        one.nodes[4] += np.where(one.nodes[4] < 0, np.int32(0), np.int32(n_nodes))
        n_words += one.words.shape[1]
        n_nodes += one.nodes.shape[1]
        found.append(one)
    if not any(one.trees.shape[1] for one in found):
        return None
    words, nodes = (np.concatenate([getattr(one, name) for one in found], axis=1) for name in ("words", "nodes"))
    return PlainTrees(words, nodes, np.concatenate([one.trees for one in found], axis=1))


def _stretches(source: Source) -> Iterator[tuple[int, int]]:
    """Where to cut the text of each file: at lines that begin with a bracket."""
    text = source.buffer.data
    for part in source.parts:
        first = part.start
        while first < part.stop:
            stop = min(first + _BYTES_AT_ONCE, part.stop)
            if stop < part.stop:
                cut = bytes(text[first:stop]).rfind(b"\n(")
                stop = first + cut + 1 if cut >= 0 else part.stop
            yield first, stop
            first = stop


def _read(text: Bytes, place: int) -> PlainTrees | None:
    """The trees of a stretch of text that begins at a place, words and nodes numbered from 0; None: not plain."""
    marks = _Marks.of(text)
    if marks is None:
        return None
    n_marks = len(marks.kinds)
    is_word = np.zeros(n_marks, dtype=np.bool_)  # at its opening bracket
    is_word[:-2] = (marks.pairs[:-1] == _TAG) & (marks.pairs[1:] == _FORM)
    words = np.flatnonzero(is_word)
    is_label = (marks.pairs == _TAG) | (marks.pairs == _NO_TAG)
    if len(words) != np.count_nonzero(marks.pairs == _FORM) or (is_label[:-1] & (marks.pairs[1:] == _NO_FORM)).any():
        return None
    is_bracket = marks.kinds != _SPACE
    is_bracket[words] = is_bracket[words + 2] = False
    brackets = np.flatnonzero(is_bracket)
    opens = marks.kinds.take(brackets) == _OPEN
    depth = np.cumsum(np.where(opens, np.int8(1), np.int8(-1)), dtype=np.int32)
    if len(depth) and (depth.min() < 0 or depth[-1] != 0):
        return None
    n_before = np.cumsum(is_word, dtype=np.int32).take(brackets)
    nodes, roots, ends = _nodes(opens, depth, n_before)
    sizes = nodes[3, roots] - nodes[2, roots]
    if sizes.sum() != len(words):  # words outside of all nodes
        return None
    at = brackets[opens]
    nodes[0], nodes[1] = marks.stop.take(at), marks.start.take(at + 1)
    nodes[:2] += np.int32(place)
    found = np.empty((4, len(words)), dtype=np.int32)
    found[0], found[1] = marks.stop.take(words), marks.start.take(words + 1)
    found[2], found[3] = marks.stop.take(words + 1), marks.start.take(words + 2)
    found += np.int32(place)
    n_nodes = np.diff(roots, append=len(at))
    places = marks.start.take(at.take(roots)) + place, marks.start.take(brackets.take(ends)) + place
    return _without_empty(PlainTrees(found, nodes, np.array([*places, sizes, n_nodes], dtype=np.intp)))


@dataclass(frozen=True, slots=True, eq=False)
class _Marks:
    """The marks of a text: where each starts and stops, its kind, and what pair it makes with the next."""

    start: Indices
    stop: Indices
    kinds: Bytes
    pairs: Bytes

    @classmethod
    def of(cls, text: Bytes) -> _Marks | None:
        """The marks of a text, of which the first is at its beginning and the last at its end; None: not plain."""
        data = text.tobytes()
        if not data.isascii() and not _is_utf8(data):
            return None
        kinds = np.frombuffer(data.translate(_KINDS), dtype=np.uint8)
        is_mark = kinds != 0
        is_space = kinds == _SPACE
        in_run = is_space[1:] & is_space[:-1]
        is_last = is_mark.copy()
        is_last[:-1] &= ~in_run
        last = start = np.flatnonzero(is_last)
        if in_run.any():
            is_mark[1:] &= ~in_run
            start = np.flatnonzero(is_mark)
        if not len(start) or start[0] != 0 or last[-1] != len(text) - 1:
            return None
        marks = kinds.take(last)
        stop = last + 1
        pairs = marks[:-1] + (marks[1:] << 2) + ((start[1:] > stop[:-1]).view(np.uint8) << 4)  # as `_pair` says
        is_plain = b"\0" not in pairs.tobytes().translate(_IS_PLAIN)
        return cls(start, stop, marks, pairs) if is_plain else None


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _nodes(opens: Flags, depth: Ids, n_before: Ids) -> tuple[Ids, Indices, Indices]:
    """The nodes that brackets make, which of them have none above them, and the brackets that close these.

    Sorted by depth, brackets of one depth take turns in opening and closing. A node's parent is the bracket before it,
    if that opens, or else the parent of the node that it closes, which is the one before it at the same depth.
    """
    level = depth + ~opens
    small = level.astype(np.uint8 if level.max(initial=0) < 256 else np.intp)  # sorted without comparisons
    by_level = np.argsort(small, kind="stable")
    opening, closing = by_level[0::2], by_level[1::2]
    number = np.cumsum(opens, dtype=np.int32) - np.int32(1)
    n_roots = np.count_nonzero(level == 1) // 2
    nodes = np.empty((5, len(opening)), dtype=np.int32)
    here = number.take(opening)
    nodes[2] = n_before[opens]
    nodes[3, here] = n_before.take(closing)
    below = opening[n_roots:]
    first_child = np.where(opens.take(below - 1), np.arange(len(below)), 0)
    np.maximum.accumulate(first_child, out=first_child)
    nodes[4, here[:n_roots]] = -1
    nodes[4, here[n_roots:]] = number.take(below.take(first_child) - 1)
    return nodes, here[:n_roots].astype(np.intp), closing[:n_roots]


def _without_empty(found: PlainTrees) -> PlainTrees | None:
    """The trees without the brackets of missing parses; None if a tree with words has an empty bracket."""
    is_full = found.nodes[3] > found.nodes[2]
    if is_full.all():
        return found
    n_words, n_nodes = found.trees[2:]
    if not is_full[np.repeat(n_words > 0, n_nodes)].all():
        return None
    n_nodes[n_words == 0] = 0
    nodes = found.nodes[:, is_full]
    number = np.cumsum(is_full, dtype=np.int32) - np.int32(1)
    nodes[4] = np.where(nodes[4] < 0, np.int32(-1), number.take(nodes[4]))
    return PlainTrees(found.words, nodes, found.trees)
