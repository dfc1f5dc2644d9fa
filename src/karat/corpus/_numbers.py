"""Reading numbers: one and two digits by a table, the rest one by one."""

from __future__ import annotations

import numpy as np

from karat._arrays import Ids, Indices
from karat.corpus.interning import Spans

NO_NUMBER = -1


def _table() -> Ids:
    """The number that one or two bytes spell in decimal, at the place of those bytes as a little-endian integer."""
    table = np.full(1 << 16, NO_NUMBER, dtype=np.int32)
    for number in range(100):
        table[int.from_bytes(str(number).encode(), "little")] = number
    return table


_NUMBERS = _table()


def small_numbers(spans: Spans) -> tuple[Ids, Indices]:
    """The numbers from 0 to 99 that spans spell, NO_NUMBER elsewhere; and where that is.

    Nearly all IDs and heads are such numbers. What they are not, the caller looks at more closely.
    """
    low, high = spans.source.buffer.take(spans.start), spans.source.buffer.take(spans.start + np.int32(1))
    lengths = spans.lengths
    key = low.astype(np.intp)
    key += np.where(lengths == 2, high, 0).astype(np.intp) << 8
    numbers = _NUMBERS.take(key)
    numbers[(lengths < 1) | (lengths > 2)] = NO_NUMBER
    return numbers, np.flatnonzero(numbers == NO_NUMBER)
