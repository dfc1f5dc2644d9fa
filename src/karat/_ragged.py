"""Rows of different lengths, one behind the other: row i is `values[offsets[i]:offsets[i + 1]]`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from karat._arrays import Array, Floats, Ids, Indices


def offsets_of(sizes: Array | Sequence[int]) -> Indices:
    """Where rows of these sizes begin, and where the last one ends; of flags, how many are set before each place.

    >>> offsets_of(np.array([2, 0, 3]))
    array([0, 2, 2, 5])
    """
    offsets = np.zeros(len(sizes) + 1, dtype=np.intp)
    np.cumsum(sizes, out=offsets[1:])
    return offsets


def owners_of(sizes: Indices) -> Indices:
    """The row of each value.

    >>> owners_of(np.array([2, 0, 3]))
    array([0, 0, 2, 2, 2])
    """
    return np.repeat(np.arange(len(sizes)), sizes)


def stretches(starts: Indices | Ids | int, sizes: Indices) -> Indices:
    """The places from each start on, as many as its size says; from 0, the place of each value in its row.

    >>> stretches(np.array([10, 20]), np.array([2, 3]))
    array([10, 11, 20, 21, 22])
    """
    offsets = offsets_of(sizes)
    places = np.repeat(starts - offsets[:-1], sizes)
    places += np.arange(len(places))
    return places


def places_of_rows(offsets: Indices, rows: Indices | Ids) -> tuple[Indices, Indices]:
    """The places of the values of some rows, in their order, and how many each of these rows has."""
    starts = offsets.take(rows)
    sizes = offsets[1:].take(rows) - starts
    return stretches(starts, sizes), sizes


@dataclass(frozen=True, slots=True, eq=False)
class Ragged:
    """Rows of values, with weights beside them where they matter."""

    offsets: Indices
    values: Indices
    weights: Floats | None = None

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def sizes(self) -> Indices:
        """How many values each row has."""
        return np.diff(self.offsets)

    @property
    def owners(self) -> Indices:
        """The row of each value."""
        return owners_of(self.sizes)

    def row(self, i: int) -> Indices:
        """The values of row i."""
        return self.values[self.offsets[i] : self.offsets[i + 1]]

    def weighted_row(self, i: int) -> dict[int, float]:
        """The weights of row i by value, for looking at."""
        assert self.weights is not None
        weights = self.weights[self.offsets[i] : self.offsets[i + 1]]
        return dict(zip(self.row(i).tolist(), weights.tolist(), strict=True))

    def taken(self, rows: Indices) -> Ragged:
        """The chosen rows, in their order."""
        if len(rows) == len(self) and np.array_equal(rows, np.arange(len(rows))):
            return self
        places, sizes = places_of_rows(self.offsets, rows)
        weights = None if self.weights is None else self.weights.take(places)
        return Ragged(offsets_of(sizes), self.values.take(places), weights)
