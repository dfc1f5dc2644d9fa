"""A tree of tags, one row a tag, below its parent: how probability goes down in equal shares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from karat.report.draw.svg import MUTED, ROW, Drawing, disc, drawing, label, path, safe_stem, titled
from karat.result import Cell, Table

_LEFT, _TOP, _STEP, _ROOM = 30.0, 46.0, 34.0, 320.0
_MOST_TAGS, _DEEPEST = 200, 12


def tag_tree(edges: Sequence[tuple[str, str]], *, title: str = "Tag inventory", name: str = "tag-tree") -> Drawing:
    """The tree of these parents and children, each child with its share of the parent's probability.

    A tag is drawn once, below the parent that is named first.
    """
    rows = list(_rows(edges))
    y = {tag: _TOP + ROW * place for place, (tag, *_) in enumerate(rows)}
    depths = {tag: depth for tag, depth, *_ in rows}
    parts: list[str] = []
    for tag, depth, parent, share in rows:
        x = _LEFT + _STEP * depth
        if parent:
            left = _LEFT + _STEP * depths[parent]
            parts.append(path([[(left, y[parent] + 6), (left, y[tag]), (x - 8, y[tag])]], MUTED))
        words = f"{tag}: {share:.3f} of {parent}" if parent else f"{tag}: a root"
        parts.append(titled(words, disc(x, y[tag], MUTED, 3)))
        shown = f"{tag}  {share:.3g}" if parent else tag
        parts.append(label(x + 9, y[tag] + 4, shown, room=_ROOM))
    deepest = max(depths.values(), default=0)
    svg = drawing(
        _LEFT + _STEP * deepest + _ROOM + 20, _TOP + ROW * len(rows) + 10, title, [label(_LEFT, 24, title), *parts]
    )
    cells: list[list[Cell]] = [[tag, parent or None, share] for tag, _, parent, share in rows]
    return Drawing(safe_stem(name), title, svg, Table(["tag", "parent", "share of the parent"], cells, title))


def _rows(edges: Sequence[tuple[str, str]]) -> Iterator[tuple[str, int, str, float]]:
    """Every tag with its depth, its parent ("" for a root), and its share of that; parents before children."""
    children: dict[str, list[str]] = {}
    for parent, child in edges:
        children.setdefault(parent, []).append(child)
    below = {child for _, child in edges}
    left = [(tag, 0, "", 1.0) for tag in reversed([one for one in children if one not in below] or [*children][:1])]
    drawn: set[str] = set()
    while left and len(drawn) < _MOST_TAGS:
        tag, depth, parent, share = left.pop()
        if tag in drawn:
            continue
        drawn.add(tag)
        yield tag, depth, parent, share
        if depth < _DEEPEST:
            left += [(one, depth + 1, tag, _share(children, tag)) for one in reversed(children.get(tag, []))]


def _share(children: Mapping[str, Sequence[str]], tag: str) -> float:
    return 1 / len(children[tag])
