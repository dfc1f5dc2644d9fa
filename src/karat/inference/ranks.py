"""Many systems on one test set: adjusted tests, ranks, groups that cannot be told apart.

Of systems in a ranking from the best, `better` [systems × systems] says which are told to be better than which after.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np

from karat._arrays import Flags, Floats, Indices


def holm(p: Sequence[float]) -> list[float]:
    """The p values adjusted for their number [Holm 1979]: the chance of any false rejection stays below the level.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    adjusted = [0.0] * len(p)
    largest = 0.0
    for done, number in enumerate(sorted(range(len(p)), key=lambda number: p[number])):
        largest = max(largest, min(1.0, (len(p) - done) * p[number]))
        adjusted[number] = largest
    return adjusted


def separate_groups(better: Flags) -> list[int]:
    """The group, from 1, of each system; a new one begins where all systems before are better than all after."""
    return list(accumulate(int(better[:place, place:].all()) for place in range(len(better))))


def letters(better: Flags) -> list[str]:
    """The letters of each system: two that share one are not told apart [Piepho 2004].

    Every letter stands for a largest set of systems of which no two are told apart. After z come za, zb and so on.

    >>> letters(np.array([[0, 0, 1], [0, 0, 0], [0, 0, 0]], dtype=bool))
    ['a', 'ab', 'b']
    """
    n_systems = len(better)
    columns: list[set[int]] = [set(range(n_systems))]
    for i in range(n_systems):
        for j in range(i + 1, n_systems):
            if better[i, j]:  # split every set that has both, and drop those that another holds
                split = [one - {left} for one in columns if {i, j} <= one for left in (i, j)]
                columns = [one for one in columns if not {i, j} <= one]
                columns += [
                    one
                    for place, one in enumerate(split)
                    if not any(one <= other for other in columns) and not any(one < other for other in split)
                    and one not in split[:place]
                ]  # fmt: skip
    columns.sort(key=sorted)
    found = [""] * n_systems
    for number, one in enumerate(columns):
        letter = "z" * (number // 26) + chr(ord("a") + number % 26)
        for place in one:
            found[place] += letter
    return found


def rank_sets(better: Flags) -> list[tuple[int, int]]:
    """The ranks that each system can have.

    As many systems as are told to be better are before it, as many as are told to be worse behind it [Klein, Wright &
    Wieczorek 2020; Mogstad et al. 2024]. If none is told wrongly, all true ranks are in these sets at once.
    """
    told = np.triu(better, 1)  # a system is not told from itself
    return list(zip((1 + told.sum(axis=0)).tolist(), (len(better) - told.sum(axis=1)).tolist(), strict=True))


def ranks(values: Floats) -> Indices:
    """The rank of each value; 1 is the highest value, equal values share the better rank."""
    found: Indices = 1 + (values[None, :] > values[:, None]).sum(axis=1)
    return found
