"""Seeded errors in bracketed trees, as parsers make them: other attachments, ends and labels, brackets more or less.

Words stay as they are, so that every corrupted tree can be compared with its own.
"""

from __future__ import annotations

import random

from bracket_reference import RefNode, tree

__all__ = ["corrupted_tree", "written"]

_LABELS = ("NP", "VP", "PP", "S", "ADJP", "ADVP", "SBAR")


def corrupted_tree(text: str, rng: random.Random, rate: float = 0.5) -> str:
    """A tree with each of its inner brackets changed with this chance."""
    root = tree(text)
    _change_below(root, rng, rate)
    _tidy(root)
    return written(root)


def written(node: RefNode) -> str:
    """A tree on one line."""
    if node.form is not None:
        return f"({node.label} {node.form})"
    return f"({node.label} {' '.join(written(child) for child in node.children)})"


def _change_below(parent: RefNode, rng: random.Random, rate: float) -> None:
    """Change each bracket below one with this chance, from the top."""
    place = 0
    while place < len(parent.children):
        child = parent.children[place]
        if child.form is None and rng.random() < rate:
            change = rng.choices(
                [_take_right, _take_left, _give_up, _reattach, _relabel, _drop, _add], (4, 4, 1, 1, 1, 1, 1)
            )
            change[0](parent, place, rng)
        place += 1
    for child in parent.children:
        _change_below(child, rng, rate)


def _take_right(parent: RefNode, place: int, rng: random.Random) -> None:
    """The bracket takes in its right neighbour, or its first words: its end crosses the neighbour's."""
    child = parent.children[place]
    if place + 1 < len(parent.children):
        neighbour = parent.children[place + 1]
        if neighbour.form is None and len(neighbour.children) > 1:
            child.children.append(neighbour.children.pop(0))
        else:
            child.children.append(parent.children.pop(place + 1))


def _take_left(parent: RefNode, place: int, rng: random.Random) -> None:
    """The bracket takes the last part of its left neighbour: its beginning crosses the neighbour's end."""
    if place and parent.children[place - 1].form is None and len(parent.children[place - 1].children) > 1:
        parent.children[place].children.insert(0, parent.children[place - 1].children.pop())


def _give_up(parent: RefNode, place: int, rng: random.Random) -> None:
    """The bracket loses its last part to the bracket above."""
    child = parent.children[place]
    if len(child.children) > 1:
        parent.children.insert(place + 1, child.children.pop())


def _reattach(parent: RefNode, place: int, rng: random.Random) -> None:
    """The bracket hangs from the last bracket inside its left neighbour instead: an attachment too low."""
    if not place:
        return
    below = parent.children[place - 1]
    while below.form is None and below.children[-1].form is None:
        below = below.children[-1]
    if below.form is None:
        below.children.append(parent.children.pop(place))


def _relabel(parent: RefNode, place: int, rng: random.Random) -> None:
    parent.children[place].label = rng.choice(_LABELS)


def _drop(parent: RefNode, place: int, rng: random.Random) -> None:
    """The bracket goes; what was in it hangs from the one above."""
    parent.children[place : place + 1] = parent.children[place].children


def _add(parent: RefNode, place: int, rng: random.Random) -> None:
    """A new bracket around the bracket and its right neighbour."""
    together = parent.children[place : place + 2]
    parent.children[place : place + 2] = [RefNode(rng.choice(_LABELS), together)]


def _tidy(node: RefNode) -> None:
    """Brackets that lost all their words go."""
    for child in node.children:
        _tidy(child)
    node.children = [child for child in node.children if child.form is not None or child.children]
