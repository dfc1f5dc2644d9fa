"""Layers of a rich tag: what is decided first, and what of a word's candidates each layer has to decide.

A layer is a set of categories (part of speech; number and gender; case). The candidates of a word that agree in what
earlier layers decide are one *question* of a layer, if they have more than one value there; the set of these values is
its ambiguity class. An answer is a distribution over them. The belief in a candidate is that in its question as a
whole, times the answer for its value, times what its share was among the candidates with that value: so beliefs are a
product over layers, and what no layer decides follows P(tag | form).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from karat._arrays import Array, Bytes, Floats, Ids, Indices
from karat._ragged import Ragged, offsets_of, owners_of
from karat.systems.categories import TagCategories

LAYERS = (("pos",), ("number", "gender"), ("case",))
_MOST_VALUES = 64  # of a layer, for attributes of their own
_LEAST_BELIEF = 1e-5  # in a question that is worth an answer


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """Some categories that are decided together: the value of each label, and what earlier layers decide of it."""

    categories: tuple[str, ...]
    names: tuple[str, ...]
    values: Ids
    before: Ids

    @property
    def n_own(self) -> int:
        """How many attributes are of the question alone: the shares of the first values."""
        return min(len(self.names), _MOST_VALUES)


def layers_of(categories: TagCategories) -> list[Layer]:
    """The layers of a tagset; those whose categories no label has are left out."""
    found: list[Layer] = []
    before = np.zeros(len(categories.table), dtype=np.int32)
    first = (categories.names[0],)
    for several in (first, *LAYERS[1:]):
        there = tuple(name for name in several if (categories.column(name) >= 0).any())
        if not there:
            continue
        columns = np.stack([categories.column(name) for name in there], axis=1)
        rows, numbers = np.unique(columns, axis=0, return_inverse=True)
        values = numbers.reshape(-1).astype(np.int32)
        found.append(Layer(there, tuple(_name(row, there, categories) for row in rows.tolist()), values, before))
        before = np.unique(before.astype(np.int64) * len(rows) + values, return_inverse=True)[1].astype(np.int32)
    return found


def _name(row: Sequence[int], names: Sequence[str], categories: TagCategories) -> str:
    parts = [
        categories.values[categories.names.index(name)][value]
        for name, value in zip(names, row, strict=True)
        if value >= 0
    ]
    return ":".join(parts) or "-"


def layered(candidates: Ragged, layers: Sequence[Layer]) -> Ragged:
    """Candidates in an order in which those with the same values are neighbours, layer by layer."""
    assert candidates.weights is not None
    n = len(layers[0].values)
    rank = np.empty(n, dtype=np.intp)
    keys: list[Array] = [np.arange(n), *(layer.values for layer in reversed(layers))]
    rank[np.lexsort(keys)] = np.arange(n)
    order = np.argsort(candidates.owners * n + rank[candidates.values], kind="stable")
    return Ragged(candidates.offsets, candidates.values[order], candidates.weights[order])


@dataclass(frozen=True, slots=True, eq=False)
class Questions:
    """What a layer has to decide.

    `offsets` say which values (rising) are those of a question, `shares` what is believed of each of them, of 1. `of`
    has for each candidate the place of its value among all values, -1 if there is nothing to decide about it.
    """

    word: Indices
    offsets: Indices
    values: Ids
    shares: Floats
    of: Indices

    def __len__(self) -> int:
        return len(self.word)

    def own_attributes(self, layer: Layer) -> Bytes:
        """The level of each value's share [questions × values]."""
        from karat.systems.layered_trees._compiled_attributes import share_levels

        found = np.zeros((len(self), layer.n_own), dtype=np.uint8)
        seen = np.flatnonzero(self.values < layer.n_own)
        found[owners_of(np.diff(self.offsets))[seen], self.values[seen]] = share_levels(self.shares)[seen]
        return found

    def classes(self, n_values: int) -> Array:
        """The set of values of each question as the bits of bytes, one string of bytes each."""
        bits = np.zeros((len(self), n_values), dtype=np.bool_)
        bits[owners_of(np.diff(self.offsets)), self.values] = True
        return _as_strings(np.packbits(bits, axis=1))


def _as_strings(rows: Bytes) -> Array:
    """Rows of bytes as one value each, for sorting."""
    return np.ascontiguousarray(rows).view(np.dtype((np.void, rows.shape[1]))).reshape(-1)


def questions_of(layer: Layer, candidates: Ragged) -> Questions:
    """The questions of a layer about words; candidates must be in the order of the layers (`layered`)."""
    assert candidates.weights is not None
    owners, before = candidates.owners, layer.before[candidates.values]
    values = layer.values[candidates.values]
    is_new = np.ones(len(owners), dtype=np.bool_)
    is_new[1:] = (owners[1:] != owners[:-1]) | (before[1:] != before[:-1])
    starts_value = is_new.copy()
    starts_value[1:] |= values[1:] != values[:-1]
    first = np.flatnonzero(starts_value)
    group = np.cumsum(is_new)[first] - 1
    n_groups = int(is_new.sum())
    shares = np.add.reduceat(candidates.weights, first) if len(first) else np.zeros(0)
    totals = np.bincount(group, weights=shares, minlength=n_groups)
    is_asked = (np.bincount(group, minlength=n_groups) > 1) & (totals >= _LEAST_BELIEF)
    kept = np.flatnonzero(is_asked[group])
    place = np.full(len(first), -1, dtype=np.intp)
    place[kept] = np.arange(len(kept))
    sizes = np.bincount(group[kept], minlength=n_groups)[is_asked]
    return Questions(
        owners[is_new][is_asked],
        offsets_of(sizes),
        values[first[kept]],
        shares[kept] / totals[group[kept]],
        place[np.cumsum(starts_value) - 1],
    )


def believed(candidates: Ragged, questions: Questions, answers: Floats) -> Ragged:
    """Candidates with new beliefs: of each question's values what was answered."""
    assert candidates.weights is not None
    factor = np.append(answers / np.maximum(questions.shares, 1e-300), 1.0)  # -1 is the last: nothing changes
    return Ragged(candidates.offsets, candidates.values, candidates.weights * factor[questions.of])


def class_numbers(found: Array, known: Ragged, n_values: int) -> Ids:
    """The number of each class among those that are known, -1 for others."""
    bits = np.zeros((len(known), n_values), dtype=np.bool_)
    bits[known.owners, known.values] = True
    strings = _as_strings(np.packbits(bits, axis=1)) if len(known) else np.zeros(0, found.dtype)
    every, numbers = np.unique(np.concatenate([strings, found]), return_inverse=True)
    number = np.full(len(every), -1, dtype=np.int32)
    number[numbers[: len(known)]] = np.arange(len(known))
    return number[numbers[len(known) :]]


def frequent_classes(found: Array, n_values: int, least: int) -> Ragged:
    """The classes that at least so many questions have, the most frequent first."""
    every, counts = np.unique(found, return_counts=True)
    order = [k for k in np.argsort(-counts, kind="stable").tolist() if counts[k] >= least]
    rows = np.frombuffer(every[order].tobytes(), dtype=np.uint8).reshape(len(order), -(-n_values // 8))
    bits = np.unpackbits(rows, axis=1, count=n_values).astype(np.bool_)
    return Ragged(offsets_of(bits.sum(axis=1)), np.nonzero(bits)[1])
