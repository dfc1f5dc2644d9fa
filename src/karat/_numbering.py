"""Equal things get equal numbers: strings and other values, and integer keys. Byte strings are `corpus.interning`'s."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeVar

import numpy as np

from karat._arrays import Ids, Indices
from karat._compiled import pays

_Value = TypeVar("_Value", bound=Hashable)
_LARGEST_TABLE = 1 << 25  # where keys may be larger, they are sorted


def numbered_values(values: Iterable[_Value], known: dict[_Value, int]) -> Ids:
    """The number of each value; those that are not `known` yet are added, in the order in which they come first.

    A Python object each, so for vocabularies, not for tokens.

    >>> known = {"noun": 0}
    >>> numbered_values(["verb", "noun", "verb"], known).tolist(), list(known)
    ([1, 0, 1], ['noun', 'verb'])
    """
    return np.array([known.setdefault(value, len(known)) for value in values], dtype=np.int32)


def numbered_keys(keys: Indices) -> tuple[Indices, Indices]:
    """The distinct keys in the order in which they come first, and the number of each key among them."""
    if pays():
        from karat._compiled_numbering import numbered_keys as hashed_keys

        return hashed_keys(keys)
    distinct, first, number = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty(len(order), dtype=np.intp)
    place[order] = np.arange(len(order))
    return distinct[order], place.take(number)


def keys_below(n: int, keys: Indices) -> tuple[Indices, Ids]:
    """The distinct keys, all from 0 up to n, in order, and the number of each key among them."""
    if n > _LARGEST_TABLE:
        found, numbers = np.unique(keys, return_inverse=True)
        return found, numbers.astype(np.int32)
    table = np.zeros(n, dtype=np.int32)
    table[keys] = 1
    found = np.flatnonzero(table)
    table[found] = np.arange(len(found), dtype=np.int32)
    return found, table.take(keys)


def numbered_pairs(
    left: Ids | Indices, right: Ids | Indices, n_left: int, n_right: int
) -> tuple[Indices, Indices, Ids]:
    """The distinct pairs of a number below `n_left` and one below `n_right`, in order, and which of them each pair is.

    >>> numbered_pairs(np.array([1, 0, 1]), np.array([0, 2, 0]), 2, 3)
    (array([0, 1]), array([2, 0]), array([1, 0, 1], dtype=int32))
    """
    keys, numbers = keys_below(n_left * n_right, left.astype(np.intp) * n_right + right)
    first, second = np.divmod(keys, max(n_right, 1))
    return first, second, numbers
