"""Many systems on one test set: adjusted tests, ranks, groups that cannot be told apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from karat._arrays import Floats, Indices

__all__ = ["holm", "letters", "rank_sets", "ranks", "separate_groups"]


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


def separate_groups(n_systems: int, is_better: Callable[[int, int], bool]) -> list[int]:
    """The group, from 1, of each system in a ranking from the best.

    A new group begins where every system before is told apart, `is_better(before, after)`, from every system after.
    """
    groups, group = [], 1
    for place in range(n_systems):
        if place and all(is_better(i, j) for i in range(place) for j in range(place, n_systems)):
            group += 1
        groups.append(group)
    return groups


def letters(n_systems: int, is_better: Callable[[int, int], bool]) -> list[str]:
    """The letters of each system in a ranking from the best: two that share one are not told apart [Piepho 2004].

    Every letter stands for a largest set of systems of which no two are told apart. After z come za, zb and so on.

    >>> letters(3, lambda i, j: (i, j) == (0, 2))
    ['a', 'ab', 'b']
    """
    columns: list[set[int]] = [set(range(n_systems))]
    for i in range(n_systems):
        for j in range(i + 1, n_systems):
            if is_better(i, j):  # split every set that has both, and drop those that another holds
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


def rank_sets(n_systems: int, is_better: Callable[[int, int], bool]) -> list[tuple[int, int]]:
    """The ranks that each system in a ranking from the best can have, given which are told apart.

    As many systems as are told to be better are before it, as many as are told to be worse behind it [Klein, Wright &
    Wieczorek 2020; Mogstad et al. 2024]. If none is told wrongly, all true ranks are in these sets at once.
    """
    found = []
    for place in range(n_systems):
        n_before = sum(is_better(other, place) for other in range(place))
        n_behind = sum(is_better(place, other) for other in range(place + 1, n_systems))
        found.append((1 + n_before, n_systems - n_behind))
    return found


def ranks(values: Floats) -> Indices:
    """The rank of each value; 1 is the highest value, equal values share the better rank."""
    found: Indices = 1 + (values[None, :] > values[:, None]).sum(axis=1)
    return found
