"""Bytes read eight at a time, in compiled code."""

from __future__ import annotations

import numpy as np

from karat._arrays import Bytes
from karat._compiled import part_of_kernel


@part_of_kernel
def eight_bytes(text: Bytes, place: int) -> np.uint64:
    """The bytes from a place on as one number, the first of them lowest; the padding allows it behind any text."""
    eight = np.uint64(0)
    for byte in range(8):  # the compiler makes it one read
        eight |= np.uint64(text[np.uint64(place + byte)]) << np.uint64(8 * byte)
    return eight
