"""Integer keys numbered, compiled: by a hash table instead of sorting."""

from __future__ import annotations

import os

import numpy as np

from karat._arrays import Ids, Indices
from karat._compiled import kernel

_KEY = np.int64(int.from_bytes(os.urandom(7), "little") | 1)  # drawn anew: no file can make all keys collide


def numbered_keys(keys: Indices) -> tuple[Indices, Indices]:
    """The distinct keys in the order in which they come first, and the number of each key among them."""
    n_slots = 1 << max((2 * len(keys)).bit_length(), 4)
    slots = np.full(n_slots, -1, dtype=np.int32)
    numbers = np.empty(len(keys), dtype=np.intp)
    distinct = np.empty(len(keys), dtype=np.int64)
    n = _number(keys.astype(np.int64, copy=False), _KEY, slots, numbers, distinct)
    return distinct[:n].copy(), numbers


@kernel
def _number(keys: Indices, key: np.int64, slots: Ids, numbers: Indices, distinct: Indices) -> int:
    last_slot = len(slots) - 1
    n = 0
    for row in range(len(keys)):
        hashed = (keys[row] ^ key) * np.int64(-7046029254386353131)  # 2^64 over the golden ratio
        slot = (hashed ^ (hashed >> 29)) & last_slot
        while slots[slot] >= 0 and distinct[slots[slot]] != keys[row]:
            slot = (slot + 1) & last_slot
        if slots[slot] < 0:
            slots[slot] = n
            distinct[n] = keys[row]
            n += 1
        numbers[row] = slots[slot]
    return n
