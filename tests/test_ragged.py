"""Rows of different lengths and numbering, against loops."""

from __future__ import annotations

import numpy as np
from hypothesis import given, strategies as st

from karat._numbering import keys_below, numbered_pairs, numbered_values
from karat._ragged import Ragged, offsets_of, owners_of, stretches

small = st.integers(0, 4)


def ragged(rows: list[list[int]]) -> Ragged:
    values = np.array([value for row in rows for value in row], dtype=np.intp)
    return Ragged(offsets_of([len(row) for row in rows]), values, values / 2)


@given(st.lists(st.lists(small, max_size=3), max_size=5), st.data())
def test_rows_are_taken_in_any_order_with_their_weights(rows: list[list[int]], data: st.DataObject) -> None:
    found = ragged(rows)
    chosen = data.draw(st.lists(st.integers(0, len(rows) - 1), max_size=6)) if rows else []
    taken = found.taken(np.array(chosen, dtype=np.intp))
    assert [taken.row(i).tolist() for i in range(len(taken))] == [rows[i] for i in chosen]
    assert taken.weights is not None
    assert taken.weights.tolist() == [value / 2 for i in chosen for value in rows[i]]
    assert taken.owners.tolist() == [place for place, i in enumerate(chosen) for _ in rows[i]]
    assert taken.weighted_row(0) == {value: value / 2 for value in rows[chosen[0]]} if chosen else len(taken) == 0


@given(st.lists(st.tuples(small, small), max_size=6))
def test_stretches_go_on_from_each_start(of: list[tuple[int, int]]) -> None:
    starts, sizes = (np.array([one[side] for one in of], dtype=np.intp) for side in (0, 1))
    assert stretches(starts, sizes).tolist() == [start + i for start, size in of for i in range(size)]
    assert stretches(0, sizes).tolist() == [i for _, size in of for i in range(size)]
    assert owners_of(sizes).tolist() == [row for row, (_, size) in enumerate(of) for _ in range(size)]


@given(st.lists(st.tuples(small, small)), st.booleans())
def test_pairs_are_numbered_in_order(pairs: list[tuple[int, int]], is_large: bool) -> None:
    left, right = (np.array([one[side] for one in pairs], dtype=np.int32) for side in (0, 1))
    n_left = 1 << 30 if is_large else 5  # by sorting, or by a table
    ours, theirs, numbers = numbered_pairs(left, right, n_left, 5)
    assert list(zip(ours.tolist(), theirs.tolist(), strict=True)) == sorted(set(pairs))
    assert [sorted(set(pairs))[number] for number in numbers.tolist()] == pairs
    assert numbers.dtype == np.int32
    assert keys_below(n_left, left.astype(np.intp))[0].tolist() == sorted({one for one, _ in pairs})


@given(st.lists(st.text("ab", max_size=2)), st.lists(st.text("ab", max_size=2)))
def test_values_are_numbered_on_from_those_known(first: list[str], second: list[str]) -> None:
    known: dict[str, int] = {}
    numbers = [*numbered_values(first, known).tolist(), *numbered_values(second, known).tolist()]
    assert list(known) == list(dict.fromkeys([*first, *second]))
    assert [list(known)[number] for number in numbers] == [*first, *second]
