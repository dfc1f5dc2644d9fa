"""Sentences that are the same get the same number, all at once and without a Python object each."""

from __future__ import annotations

import numpy as np

from karat._arrays import Array, Indices
from karat._numbering import numbered_keys
from karat._ragged import offsets_of, owners_of, stretches


def numbered_sentences(codes: Array, offsets: Indices) -> Indices:
    """A number for each sentence, the same for those that have the same codes in the same order.

    Codes are from 0 on. Two neighbours become one code again and again, until each sentence has one: equal pairs get
    equal codes and others do not, so that this is exact, and it takes twice the time of the first round. What has no
    right neighbour is paired with nothing, which is no code. A sentence without words gets -1.

    >>> numbered_sentences(np.array([3, 4, 3, 4, 3]), np.array([0, 2, 4, 5])).tolist()
    [0, 0, 1]
    """
    values, sizes = codes.astype(np.intp), np.diff(offsets)
    starts = offsets[:-1]
    while True:
        halves = (sizes + 1) // 2
        sentence = owners_of(halves)
        left = starts[sentence] + 2 * stretches(0, halves)
        has_right = left + 1 < (starts + sizes)[sentence]
        right = np.where(has_right, values[np.minimum(left + 1, len(values) - 1)] + 1, 0)
        n_codes = int(values.max(initial=0)) + 2
        values = numbered_keys(values[left] * n_codes + right)[1]
        sizes, starts = halves, offsets_of(halves)[:-1]
        if sizes.max(initial=0) <= 1:
            break
    numbers = np.full(len(sizes), -1)
    numbers[sizes > 0] = values
    return numbers


def sequence_codes(codes: Array, length: int) -> Indices:
    """A number for the `length` codes that begin at each place, the same for the same ones; too near to the end, 0.

    Sentences are not looked at: a sequence that begins in one may end in the next.
    """
    numbers = codes.astype(np.intp)
    for ahead in range(1, length):
        n_codes = int(codes.max(initial=0)) + 1
        here, there = numbers[: len(codes) - ahead], codes[ahead:]
        numbers = numbered_keys(here[: len(there)] * n_codes + there)[1]
    found = np.zeros(len(codes), dtype=np.intp)
    found[: len(numbers)] = numbers
    return found
