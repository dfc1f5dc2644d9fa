"""What surrounds each word, as numbers of a byte, compiled."""

from __future__ import annotations

import numpy as np

from karat._arrays import Array, Bytes, Floats, Ids, Indices
from karat._compiled import kernel, part_of_kernel

FAR = 15  # from here on, words are equally far away

# Shares are told apart by these: 0 is impossible, 8 next to certain.
LEVELS = np.array([0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99], dtype=np.float32)
N_LEVELS = len(LEVELS) + 2


@part_of_kernel
def level(share: float) -> int:
    """Which of the levels a share has: 0 if it is 0, then one more for each bound that it reaches."""
    if share <= 0:
        return 0
    found = 1
    for bound in LEVELS:
        if share >= bound:
            found += 1
    return found


@kernel
def share_levels(shares: Array) -> Bytes:
    """The levels of shares."""
    found = np.empty(len(shares), np.uint8)
    for place in range(len(shares)):
        found[place] = level(shares[place])
    return found


@kernel
def value_shares(offsets: Indices, labels: Indices, beliefs: Floats, columns: Array, found: Array) -> None:
    """What is believed of each word, summed by values: `columns` has those of a label, -1 for none [labels × …]."""
    for word in range(len(offsets) - 1):
        for place in range(offsets[word], offsets[word + 1]):
            for column in columns[labels[place]]:
                if column >= 0:
                    found[word, column] += beliefs[place]


@kernel
def places_around(sentences: Indices, roles: Array, steps: Array, seeks: Array, found: Array, distance: Array) -> None:
    """Which word stands at each place around each word; the number of words where there is none.

    First the words so many `steps` away; then, for each row of `seeks` (role, direction), the nearest word with that
    role: words have a role by more than half of what is believed of them. `distance` is how far that is.
    """
    n = len(roles)
    for s in range(len(sentences) - 1):
        first, stop = sentences[s], sentences[s + 1]
        for i in range(first, stop):
            for k in range(len(steps)):
                j = i + steps[k]
                found[i, k] = j if first <= j < stop else n
        for k in range(len(seeks)):
            role, direction = seeks[k]
            last = n
            i = first if direction < 0 else stop - 1
            while first <= i < stop:
                found[i, len(steps) + k] = last
                distance[i, k] = 0 if last == n else min(abs(i - last), FAR)
                if roles[i, role] > 0.5:
                    last = i
                i -= direction


@kernel
def write_shares(shares: Array, places: Array, place: Array, column: Array, first: int, attributes: Bytes) -> None:
    """The level of a value's share at a place, for several (place, column), as attributes from the first on."""
    n = len(places)
    levels = np.empty(shares.shape, np.uint8)
    for i in range(shares.shape[0]):
        for j in range(shares.shape[1]):
            levels[i, j] = level(shares[i, j])
    for i in range(n):
        for k in range(len(place)):
            attributes[i, first + k] = levels[places[i, place[k]], column[k]]


@kernel
def write_agreement(
    joint: Array, values_of: Array, n_values: int, places: Array, place: Array, first: int, attributes: Bytes
) -> None:
    """How far each word agrees with those at some places, by the values that they agree in.

    `joint` has what is believed of each word by the values of some categories together; two words agree as far as they
    have the same of all. `values_of` has the value in each category [together × …], numbered through. The first
    attribute of a place is the agreement in all; the others are shares of it, for what is weak may be the only way to
    agree.
    """
    n, n_together = len(places), joint.shape[1]
    found = np.empty(n_values, np.float64)
    for i in range(n):
        for k in range(len(place)):
            found[:] = 0.0
            total = 0.0
            j = places[i, place[k]]
            for t in range(n_together):
                share = joint[i, t] * joint[j, t]
                if share > 0:
                    total += share
                    for value in values_of[t]:
                        found[value] += share
            at = first + k * (n_values + 1)
            attributes[i, at] = level(total)
            for value in range(n_values):
                attributes[i, at + 1 + value] = level(found[value] / total) if total > 0 else 0


@kernel
def write_names(names: Ids, places: Array, place: Array, first: int, attributes: Bytes) -> None:
    """What the word at some places is called, as attributes from the first on."""
    for i in range(len(places)):
        for k in range(len(place)):
            attributes[i, first + k] = names[places[i, place[k]]]
