"""Many systems on one test set: adjusted tests, ranks, groups that cannot be told apart, the winner's optimism."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from karat._arrays import Floats, Indices

__all__ = ["groups_told_apart", "holm", "optimism", "rank_intervals", "ranks"]


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


def groups_told_apart(n_systems: int, is_better: Callable[[int, int], bool]) -> list[int]:
    """The group, from 1, of each system in a ranking from the best.

    A new group begins where every system before is told apart, `is_better(before, after)`, from every system after.
    """
    groups, group = [], 1
    for place in range(n_systems):
        if place and all(is_better(i, j) for i in range(place) for j in range(place, n_systems)):
            group += 1
        groups.append(group)
    return groups


def ranks(values: Floats) -> Indices:
    """The ranks [… × systems] of values [… × systems]; 1 is the highest value, equal values share the better rank."""
    better = values[..., None, :] > values[..., :, None]
    found: Indices = 1 + better.sum(axis=-1)
    return found


def rank_intervals(resampled: Floats, level: float) -> list[tuple[int, int]]:
    """The ranks between which each system lies in a share `level` of the resamples [resamples × systems]."""
    found = np.sort(ranks(resampled), axis=0)
    n = len(found)
    cut = math.floor((1 - level) / 2 * n + 1e-9)  # as many are left out on either side
    return [(int(low), int(high)) for low, high in zip(found[cut], found[n - 1 - cut], strict=True)]


def optimism(resampled: Floats, values: Floats) -> float:
    """How much too good the best of several systems is expected to look on the test set that chose it.

    In each resample [resamples × systems] the best system is chosen; its value there is compared with its value on the
    whole test set, which takes the place of the truth [Efron & Tibshirani 1993, §17.6]. The mean over the resamples.
    """
    best = resampled.argmax(axis=1)
    return float((resampled.max(axis=1) - values.take(best)).mean())
