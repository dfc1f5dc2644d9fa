"""Hierarchies from edges: put into columns, and refused where they have cycles or too many levels."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

import numpy as np

from karat._arrays import Array, Indices
from karat._ragged import offsets_of, places_of_rows
from karat.errors import DataError, Problem
from karat.hierarchy._hierarchy import MOST_LEVELS, Hierarchy, Place
from karat.signature import shown_input

_MOST_NAMED = 10


def hierarchy_from_edges(
    names: Sequence[str], pairs: Sequence[tuple[str, str]], *, path: str = "<edges>", tree: bool = False
) -> Hierarchy:
    """The hierarchy of these tags with these pairs (parent, child); an error's line is the number of the pair."""
    number = {name: i for i, name in enumerate(names)}
    problems: list[Problem] = []
    if len(number) < len(names):
        twice = next(name for i, name in enumerate(names) if number[name] != i)
        raise DataError(Problem("K842", f"the tag {twice} occurs twice", path))
    seen: set[tuple[str, str]] = set()
    for line, pair in enumerate(pairs, start=1):
        problems += [Problem("K847", f"no tag {name}", path, line) for name in pair if name not in number]
        if pair in seen:
            problems.append(Problem("K842", f"{pair[1]} is put under {pair[0]} twice", path, line))
        seen.add(pair)
    if problems:
        raise DataError(problems)
    text = "\n".join([*names, "", *("\t".join(pair) for pair in pairs)])
    return built(
        tuple(names),
        np.array([number[parent] for parent, _ in pairs], dtype=np.intp),
        np.array([number[child] for _, child in pairs], dtype=np.intp),
        place=lambda edge: (path, edge + 1, 1),
        path=path,
        signed=shown_input(path, hashlib.sha256(text.encode()).hexdigest()),
        tree=tree,
    )


def flat_hierarchy(names: Sequence[str]) -> Hierarchy:
    """The hierarchy in which every tag is a leaf of its own: a flat tag set."""
    return hierarchy_from_edges(names, (), path="<flat>")


def built(
    names: tuple[str, ...],
    parents: Indices,
    children: Indices,
    *,
    place: Callable[[int], Place],
    path: str,
    signed: str,
    layout: str = "",
    tree: bool = False,
    aliases: Callable[[str], str | None] | None = None,
    hint: str = "",
) -> Hierarchy:
    """The hierarchy of edges (parent, child), none given twice; `place` says where edge i stands in its file.

    Cycles, too many levels and, for a `tree`, tags with two parents are errors; `hint` is for cycles.
    """
    n = len(names)
    child_offsets, by_parent = _grouped(parents, n)
    parent_offsets, by_child = _grouped(children, n)
    if tree:
        _refuse_two_parents(names, parents, parent_offsets, by_child, place)
    depths = _depths(child_offsets, children[by_parent], np.diff(parent_offsets))
    if depths.max(initial=0) >= MOST_LEVELS:
        raise DataError(Problem("K848", f"more than {MOST_LEVELS} levels, one under the other", path))
    if depths.min(initial=0) < 0:
        raise DataError(_cycle(names, parents, children, depths < 0, place, hint))
    leaves = np.flatnonzero(np.diff(child_offsets) == 0)
    leaf_number = np.full(n, -1, dtype=np.intp)
    leaf_number[leaves] = np.arange(len(leaves))
    return Hierarchy(
        names,
        child_offsets,
        children[by_parent],
        parent_offsets,
        parents[by_child],
        leaves,
        leaf_number,
        depths,
        path,
        signed,
        layout,
        aliases,
    )


def _grouped(by: Indices, n: int) -> tuple[Indices, Indices]:
    """The offsets of n groups of edges, and the edges in their order, those of one group in the order of the file."""
    return offsets_of(np.bincount(by, minlength=n)), np.argsort(by, kind="stable")


def _refuse_two_parents(
    names: tuple[str, ...], parents: Indices, offsets: Indices, by_child: Indices, place: Callable[[int], Place]
) -> None:
    """End with an error at every edge that gives a tag one more parent."""
    hint = "most uses allow several parents: do not ask for a tree"
    problems: list[Problem] = []
    for tag in np.flatnonzero(np.diff(offsets) > 1).tolist():
        first, *others = by_child[offsets[tag] : offsets[tag + 1]].tolist()
        for edge in others:
            message = (
                f"{names[tag]} is under {names[parents[first]]} and under {names[parents[edge]]}: this is not a tree"
            )
            problems.append(Problem("K843", message, *place(edge), hint=hint))
    if problems:
        raise DataError(sorted(problems, key=lambda one: (one.path, one.line, one.column)))


def _depths(offsets: Indices, children: Indices, n_parents: Array) -> Indices:
    """For each tag the edges on the longest way from the top; -1 below a cycle; ends at `MOST_LEVELS`."""
    depths = np.full(len(n_parents), -1, dtype=np.intp)
    left = n_parents.copy()
    level = np.flatnonzero(left == 0)
    for depth in range(MOST_LEVELS + 1):
        if not len(level):
            break
        depths[level] = depth
        below, n_ways = np.unique(children[places_of_rows(offsets, level)[0]], return_counts=True)
        left[below] -= n_ways
        level = below[left[below] == 0]
    return depths


def _cycle(
    names: tuple[str, ...],
    parents: Indices,
    children: Indices,
    bad: Array,
    place: Callable[[int], Place],
    hint: str,
) -> Problem:
    """The problem of one cycle among the bad tags, at that of its edges which comes last in the file."""
    above = {
        int(children[edge]): (int(parents[edge]), edge)
        for edge in np.flatnonzero(bad[parents] & bad[children]).tolist()
    }
    seen: dict[int, int] = {}
    tag = next(iter(above))
    while tag not in seen:
        seen[tag] = len(seen)
        tag = above[tag][0]
    around = [one for one in seen if seen[one] >= seen[tag]]  # each is under the next, the last under the first
    last = max(above[one][1] for one in around)
    shown = [names[one] for one in around[:_MOST_NAMED]]
    shown += ["…"] if len(around) > _MOST_NAMED else []
    message = f"a cycle: {' is under '.join([*shown, names[around[0]]])}"
    return Problem("K844", message, *place(last), hint=hint or "remove one of these pairs")
