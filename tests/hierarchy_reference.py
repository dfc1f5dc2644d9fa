"""Tag hierarchies by their recursive definitions, slow and short; and hypothesis's trees and DAGs."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from karat.hierarchy import Hierarchy, hierarchy_from_edges

__all__ = ["Edges", "above", "below", "dags", "from_edges", "leaf_masses", "level_masses", "level_of", "stand_ins"]
__all__ += ["trees", "ways_down"]

Edges = list[tuple[str, str]]


def children(edges: Edges, tag: str) -> list[str]:
    return [child for parent, child in edges if parent == tag]


def above(edges: Edges, tag: str) -> set[str]:
    """The tag and all above it."""
    return {tag}.union(*(above(edges, parent) for parent, child in edges if child == tag))


def below(edges: Edges, tag: str) -> set[str]:
    """The leaves at or below the tag."""
    kids = children(edges, tag)
    return set().union(*(below(edges, kid) for kid in kids)) if kids else {tag}


def leaf_masses(edges: Edges, tag: str) -> dict[str, Fraction]:
    """A tag's mass over the leaves: to each child the same share of it, and so on down."""
    kids = children(edges, tag)
    if not kids:
        return {tag: Fraction(1)}
    found: dict[str, Fraction] = {}
    for kid in kids:
        for leaf, mass in leaf_masses(edges, kid).items():
            found[leaf] = found.get(leaf, Fraction(0)) + mass / len(kids)
    return found


def level_of(edges: Edges, tag: str) -> int:
    """How many tags are on the shortest way from the top to a tag."""
    return 1 + min((level_of(edges, parent) for parent, child in edges if child == tag), default=0)


def stand_ins(edges: Edges, tag: str, level: int) -> set[str]:
    """What stands for a tag at a level: itself, or what stands for any of its parents."""
    if level_of(edges, tag) <= level:
        return {tag}
    return set().union(*(stand_ins(edges, parent, level) for parent, child in edges if child == tag))


def level_masses(edges: Edges, tag: str, level: int, *, distinct: bool = False) -> dict[str, Fraction]:
    """A tag's mass over the leaves of the hierarchy that ends at a level; or the same for all leaves of a stand-in."""
    kept = [
        (parent, child)
        for parent, child in edges
        if all(level_of(edges, kid) <= level for kid in children(edges, parent))
    ]
    found: dict[str, Fraction] = {}
    names = stand_ins(edges, tag, level)
    for name in names:
        leaves = below(kept, name)
        masses = dict.fromkeys(leaves, Fraction(1, len(leaves))) if distinct else leaf_masses(kept, name)
        for leaf, mass in masses.items():
            found[leaf] = found.get(leaf, Fraction(0)) + mass / len(names)
    return found


def ways_down(edges: Edges, tags: list[str]) -> list[tuple[str, ...]]:
    """All ways from a top-level tag to a leaf."""
    under = {child for _, child in edges}
    ways: list[tuple[str, ...]] = []
    waiting: list[tuple[str, ...]] = [(tag,) for tag in tags if tag not in under]
    while waiting:
        way = waiting.pop()
        kids = children(edges, way[-1])
        waiting += [(*way, kid) for kid in kids]
        ways += [] if kids else [way]
    return ways


def from_edges(edges: Edges, tags: list[str]) -> Hierarchy:
    return hierarchy_from_edges(tags, edges)


@st.composite
def trees(draw: st.DrawFn) -> tuple[list[str], Edges]:
    """The tags of a forest in any order, and its edges in any order."""
    n = draw(st.integers(1, 9))
    parents = [draw(st.integers(-1, i - 1)) for i in range(n)]
    edges = [(f"t{parent}", f"t{i}") for i, parent in enumerate(parents) if parent >= 0]
    return draw(st.permutations([f"t{i}" for i in range(n)])), draw(st.permutations(edges))


@st.composite
def dags(draw: st.DrawFn) -> tuple[list[str], Edges]:
    """The tags of a DAG in any order, and its edges in any order."""
    n = draw(st.integers(1, 7))
    possible = [(f"t{i}", f"t{j}") for j in range(n) for i in range(j)]
    edges = [edge for edge in possible if draw(st.booleans())]
    return draw(st.permutations([f"t{i}" for i in range(n)])), draw(st.permutations(edges))
