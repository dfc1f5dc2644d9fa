"""Downward probabilities: how likely each child is, given its parent [Melamed & Resnik 2000, § 3.3].

They are uniform, estimated from a corpus, or given in a file; always one number for each edge, beside a hierarchy's
`children`, and those of one parent sum to 1. `spread` hands the mass of tags down to the leaves with them.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from karat._arrays import Floats, Indices
from karat._ragged import Ragged, offsets_of
from karat.corpus.readers.analysed_formats import refuse_unreadable
from karat.corpus.source import PathLike, Source, read_source, source_from_bytes
from karat.errors import DataError, Problem
from karat.hierarchy._hierarchy import Hierarchy, reached
from karat.hierarchy._reading import text_lines

_SUM_TOLERANCE = 1e-3  # thirds are written as 0.333
_EM_TOLERANCE = 1e-9
_MOST_ROUNDS = 500  # on a large DAG some directions are almost flat, and nothing is won by going on
_HEADER = ["parent", "child", "probability"]


def uniform(h: Hierarchy) -> Floats:
    """The same probability for all children of a tag, one number for each edge: maximum entropy."""
    n_children = np.diff(h.child_offsets)
    shares: Floats = 1.0 / np.repeat(n_children, n_children)
    return shares


def spread(h: Hierarchy, tags: Indices, downward: Floats | None = None, *, distinct: bool = False) -> Ragged:
    """The mass of each tag over the leaves at or below it, as weights; `downward` is uniform if not given.

    Where several ways lead to a leaf, the masses of all add up. With `distinct` each leaf below a tag gets the same
    mass instead, however many ways lead there. A leaf that gets nothing is listed with mass 0, so that the leaves are
    those of `h.leaves_below`. The result has a number for each tag and leaf below it: spread the distinct tags of a
    corpus, not its tokens, if some of them stand high in a large hierarchy.

    >>> from karat.hierarchy import hierarchy_from_text
    >>> h = hierarchy_from_text("A\\n A.1\\n  A.1a\\n  A.1b\\n A.2\\n")
    >>> spread(h, h.numbers(["A", "A.2"])).weights.tolist()
    [0.25, 0.25, 0.5, 1.0]
    """
    if distinct:
        if downward is not None:
            raise ValueError("choose downward probabilities or distinct leaves, not both")
        below = h.leaves_below(tags)
        return Ragged(below.offsets, below.values, 1.0 / np.repeat(below.sizes, below.sizes))
    shares = uniform(h) if downward is None else np.asarray(downward, dtype=np.float64)
    if shares.shape != h.children.shape:
        raise ValueError(f"{len(h.children)} downward probabilities were expected, one for each edge")
    once, which = h.distinct(tags)
    keys, masses = reached(h.child_offsets, h.children, h.depths, once, shares)
    rows, leaves, order = h.at_leaves(keys)
    return Ragged(offsets_of(np.bincount(rows, minlength=len(once))), leaves, masses[order]).taken(which)


# ---- estimated


def estimated(h: Hierarchy, tag_counts: Floats, alpha: float = 1.0) -> Floats:
    """Downward probabilities from how often a corpus has each tag: (n_c + α/k) / (n + α) for each of k children.

    n_c is how often a child comes under its parent, n the sum over the parent's children. A token of a tag is one of
    each tag above it. A token of a non-leaf tag says nothing on which child it is: spread over the children by the
    current estimate, it changes no estimate, and in EM's fixed point n_c and n are those of the tokens that do say.
    So in a tree the answer is exact after one round. In a DAG a tag may have come from each of its parents; these are
    weighted by how likely the way down to each, and from there to the tag, is by the current estimate (the top-level
    tags count as children of one more tag), and EM goes on from uniform probabilities until none changes by more than
    1e-9, at most 500 rounds. Without any count and with α = 0, children are uniform.
    """
    counts = np.asarray(tag_counts, dtype=np.float64)
    if counts.shape != (len(h),) or not np.isfinite(counts).all() or (counts < 0).any():
        raise ValueError(f"{len(h)} finite, non-negative counts were expected, one for each tag")
    if not (math.isfinite(alpha) and alpha >= 0):
        raise ValueError(f"alpha is {alpha}; it must be finite and not negative")
    return _settled(h, counts, alpha)[0]


def _settled(h: Hierarchy, counts: Floats, alpha: float) -> tuple[Floats, Floats]:
    """The probabilities of the edges, and those of the top-level tags, at which EM settles."""
    levels = _edges_by_level(h)
    tops = h.tops
    all_one = np.zeros(len(tops), dtype=np.intp)
    shares, of_tops = uniform(h), np.full(len(tops), 1.0 / max(len(tops), 1))
    for _ in range(_MOST_ROUNDS):
        used, arriving = _expected(h, levels, shares, of_tops, counts)
        before = shares, of_tops
        shares = _smoothed(used, h.edge_parents, len(h), alpha)
        of_tops = _smoothed(arriving[tops], all_one, 1, alpha)
        moved = [np.abs(new - old).max(initial=0.0) for new, old in zip((shares, of_tops), before, strict=True)]
        if max(moved) <= _EM_TOLERANCE:
            break
    return shares, of_tops


def _edges_by_level(h: Hierarchy) -> list[Indices]:
    """The edges that lead to each level, from the second level down."""
    depths = h.depths[h.children]
    order = np.argsort(depths, kind="stable")
    bounds = np.searchsorted(depths[order], np.arange(1, int(depths.max(initial=0)) + 2))
    return [order[start:stop] for start, stop in pairwise(bounds.tolist())]


def _expected(
    h: Hierarchy, levels: list[Indices], shares: Floats, of_tops: Floats, counts: Floats
) -> tuple[Floats, Floats]:
    """How often each edge lies on the way from the top to a token's tag, and how often each tag does."""
    n = len(h)
    parents, children = h.edge_parents, h.children
    reach = np.zeros(n)
    reach[h.tops] = of_tops
    flow = np.zeros(len(children))
    for edges in levels:
        flow[edges] = reach[parents[edges]] * shares[edges]
        reach += np.bincount(children[edges], flow[edges], minlength=n)
    arriving = counts.copy()
    used = np.zeros(len(children))
    evenly = 1.0 / np.diff(h.parent_offsets)[children]
    for edges in reversed(levels):
        into = reach[children[edges]]
        # no way down has any probability left, by underflow or by α = 0: all are equally likely
        weights = np.divide(flow[edges], into, out=evenly[edges], where=into > 0)
        used[edges] = arriving[children[edges]] * weights
        arriving += np.bincount(parents[edges], used[edges], minlength=n)
    return used, arriving


def _smoothed(used: Floats, groups: Indices, n_groups: int, alpha: float) -> Floats:
    """(n_c + α/k) / (n + α) in each group; 1/k where that is 0/0."""
    k = np.bincount(groups, minlength=n_groups)[groups]
    n = np.bincount(groups, used, minlength=n_groups)[groups]
    below = n + alpha
    smoothed: Floats = np.divide(used + alpha / k, below, out=1.0 / k, where=below > 0)
    return smoothed


# ---- given


def read_downward(path: PathLike, h: Hierarchy) -> Floats:
    """The downward probabilities in a file of lines parent TAB child TAB probability.

    Those of each parent that is named must sum to 1, but for 0.001; they are then made to. Children that are not named
    beside others have probability 0; the children of parents that are not named are uniform.
    """
    return downward_from_source(read_source(path), h)


def downward_from_text(text: str, h: Hierarchy, path: str = "<text>") -> Floats:
    """The downward probabilities in a text."""
    return downward_from_source(source_from_bytes(text.encode(), path), h)


def downward_from_source(source: Source, h: Hierarchy) -> Floats:
    """The downward probabilities in a source."""
    refuse_unreadable(source)
    keys = (h.edge_parents * len(h) + h.children).tolist()
    edge_of = {key: edge for edge, key in enumerate(keys)}
    given: dict[int, float] = {}
    first_line: dict[int, int] = {}  # of each parent
    problems: list[Problem] = []
    rows = list(text_lines(source))
    if rows and _cells(rows[0][1]) == _HEADER:
        rows.pop(0)
    if not rows:
        raise DataError(Problem("K841", "the file has no probabilities", source.path))
    for line, text in rows:
        try:
            edge, probability = _row(_cells(text), h, edge_of, given)
        except _BadCellError as bad:
            column = sum(len(cell) + 1 for cell in text.split("\t")[: bad.cell]) + 1
            problems.append(Problem(bad.code, bad.message, source.path, line, column, bad.hint))
        else:
            given[edge] = probability
            first_line.setdefault(int(h.edge_parents[edge]), line)
    if problems:
        raise DataError(problems)
    return _with_given(h, given, first_line, source.path)


class _BadCellError(Exception):
    def __init__(self, code: str, message: str, cell: int, hint: str = "") -> None:
        super().__init__(message)
        self.code, self.message, self.cell, self.hint = code, message, cell, hint


def _cells(text: str) -> list[str]:
    return [cell.strip(" ") for cell in text.split("\t")]


def _row(cells: list[str], h: Hierarchy, edge_of: dict[int, int], given: dict[int, float]) -> tuple[int, float]:
    """The edge that a row is about, and its probability."""
    if len(cells) != 3:
        raise _BadCellError("K849", f"{len(cells)} columns where parent, child and probability were expected", 0)
    numbers = [h.number(name) for name in cells[:2]]
    for cell, number in enumerate(numbers):
        if number is None:
            raise _BadCellError("K847", f"no tag {cells[cell]!r} in {h.path}", cell)
    parent, child = (number for number in numbers if number is not None)
    edge = edge_of.get(parent * len(h) + child)
    if edge is None:
        raise _BadCellError("K849", f"{cells[1]} is not a child of {cells[0]} in {h.path}", 1)
    if edge in given:
        raise _BadCellError("K842", f"{cells[1]} under {cells[0]} occurs twice", 0)
    try:
        probability = float(cells[2] if cells[2].isascii() and "_" not in cells[2] else "nan")
    except ValueError:
        probability = math.nan
    if not 0 <= probability <= 1:
        raise _BadCellError("K850", f"{cells[2]!r} is not a probability", 2, "write a number from 0 to 1, such as 0.25")
    return edge, probability


def _with_given(h: Hierarchy, given: dict[int, float], first_line: dict[int, int], path: str) -> Floats:
    """Uniform probabilities but for the parents that have given ones, which must sum to 1."""
    shares = uniform(h)
    problems: list[Problem] = []
    for parent, line in first_line.items():
        edges = range(int(h.child_offsets[parent]), int(h.child_offsets[parent + 1]))
        values = [given.get(edge, 0.0) for edge in edges]
        total = math.fsum(values)
        if abs(total - 1) > _SUM_TOLERANCE:
            message = f"the probabilities of the children of {h.names[parent]} sum to {total:.6g}, not to 1"
            left_out = [h.names[h.children[edge]] for edge in edges if edge not in given]
            hint = f"not in the file, so 0: {', '.join(left_out[:5])}" if left_out else ""
            problems.append(Problem("K850", message, path, line, hint=hint))
        else:
            shares[list(edges)] = np.array(values) / total
    if problems:
        raise DataError(problems)
    return shares
