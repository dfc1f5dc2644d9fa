"""Sentences that are the same get the same number, all at once and without a Python object each."""

from __future__ import annotations

import numpy as np

from karat._arrays import Array, Indices
from karat._numbering import numbered_keys
from karat._ragged import offsets_of, owners_of, stretches


def numbered_sentences(codes: Array, sizes: Indices) -> Indices:
    """A number for each sentence, the same for those that have the same codes in the same order.

    The codes, from 0 on, stand one sentence behind the other; `sizes` says how many each has. Two neighbours become one
    code again and again, until each sentence has one: equal pairs get equal codes and others do not, so that this is
    exact, and it takes twice the time of the first round. What has no right neighbour is paired with nothing, which is
    no code. A sentence without words gets -1.

    >>> numbered_sentences(np.array([3, 4, 3, 4, 3]), np.array([2, 2, 1])).tolist()
    [0, 0, 1]
    """
    values = codes.astype(np.intp)
    while True:
        starts, halves = offsets_of(sizes)[:-1], (sizes + 1) // 2
        sentence = owners_of(halves)
        left = starts[sentence] + 2 * stretches(0, halves)
        has_right = left + 1 < (starts + sizes)[sentence]
        right = np.where(has_right, values[np.minimum(left + 1, len(values) - 1)] + 1, 0)
        values = numbered_keys(values[left] * (int(values.max(initial=0)) + 2) + right)[1]
        sizes = halves
        if sizes.max(initial=0) <= 1:
            break
    numbers = np.full(len(sizes), -1)
    numbers[sizes > 0] = values
    return numbers
