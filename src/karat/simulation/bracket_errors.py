"""Treebanks with errors whose number is known, as annotators make them: wrong attachments, an edge moved by a word.

Without a check, every exact match is taken to be right: EMR = 0 [Hogenhout & Matsumoto 1996, §3]. With planted errors
one sees what that costs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from karat.corpus.constituency_trees import OUTER_LABELS, TRACE, Trees
from karat.corpus.nested_trees import Leaf, NestedTree, Node, nested, rewritten, trees_from_nested
from karat.errors import UsageError
from karat.measures.brackets.punctuation import PENN_PUNCTUATION
from karat.simulation.bracketing_styles import bracket_difference

_ATTACHED = frozenset({"PP", "SBAR", "ADVP"})  # what is often attached to the wrong place
_TAKING = frozenset({"NP", "VP", "ADJP", "S", "PP"})  # what it may be attached to
_PASSED_OVER = PENN_PUNCTUATION | {TRACE}


@dataclass(frozen=True, slots=True, eq=False)
class PlantedErrors:
    """Trees with errors: how many were made, and what they did to the brackets that count.

    `n_brackets` is how many the trees had before, `n_lost` how many of these are gone, `n_wrong` how many of those that
    there are now were not there before. A parser's bracket that matches one of the wrong ones is an EMR.
    """

    trees: Trees
    n_errors: int
    n_brackets: int
    n_lost: int
    n_wrong: int


def with_planted_errors(trees: Trees, rate: float, rng: np.random.Generator) -> PlantedErrors:
    """The trees with about `rate` errors per bracket that counts; each is drawn by itself, wherever one can be made.

    An error is a phrase attached one level too high or too low, or an edge of a bracket moved by one word, all three
    equally likely where possible. Words and tags stay. An error may make a bracket wrong, only lose one, or be
    undone by another; it may also make room for more, so that high rates give somewhat more errors than asked for. What
    came of it is counted: `n_errors` and `n_wrong`.
    """
    before = nested(trees)
    n_brackets = len(bracket_difference(trees, trees).gold)
    n_places = _n_places(before)
    if not 0 <= rate <= 1:
        raise UsageError(f"the rate of planted errors is {rate:g}; it must be between 0 and 1")
    if rate * n_brackets > n_places:
        most = n_places / n_brackets
        raise UsageError(f"{rate:g} planted errors per bracket are too many: these trees allow up to {most:.3f}")
    chance = rate * n_brackets / n_places if n_places else 0.0
    n_errors = 0

    def with_error(node: Node) -> Node:
        nonlocal n_errors
        if rng.random() >= chance:
            return node
        kinds = _errors_in(node)
        if not kinds:
            return node
        n_errors += 1
        kind = kinds[rng.integers(len(kinds))]
        return kind[rng.integers(len(kind))]

    after = trees_from_nested([None if tree is None else rewritten(tree, with_error) for tree in before], trees)
    comparison = bracket_difference(trees, after)
    return PlantedErrors(
        trees=after,
        n_errors=n_errors,
        n_brackets=n_brackets,
        n_lost=int(np.count_nonzero(~comparison.found)),
        n_wrong=int(np.count_nonzero(~comparison.exact)),
    )


def _n_places(trees: list[NestedTree | None]) -> int:
    """The number of brackets in which an error can be made."""
    n_places = 0

    def counted(node: Node) -> Node:
        nonlocal n_places
        n_places += bool(_errors_in(node))
        return node

    for tree in trees:
        if tree is not None:
            rewritten(tree, counted)
    return n_places


def attached_higher(node: Node) -> list[Node]:
    """The bracket with the last phrase of one of its phrases beside that phrase instead of in it.

    >>> from karat.corpus.nested_trees import tree_from_text
    >>> text = "(VP (VBD ate) (NP (NP (NN soup)) (PP (IN with) (NP (NN leek)))))"
    >>> attached_higher(tree_from_text(text))
    [(VP (VBD ate) (NP (NN soup)) (PP (IN with) (NP (NN leek))))]
    """
    found = []
    for place, child in enumerate(node.children):
        if isinstance(child, Node) and len(child.children) > 1 and _is_one_of(child.children[-1], _ATTACHED):
            *rest, last = child.children
            left = child.holding(rest[0].children if len(rest) == 1 and isinstance(rest[0], Node) else rest)
            found.append(_replaced(node, place, 1, left, last))
    return found


def attached_lower(node: Node) -> list[Node]:
    """The bracket with one of its phrases taken in by the phrase before it.

    >>> from karat.corpus.nested_trees import tree_from_text
    >>> text = "(VP (VBD ate) (NP (NN soup)) (PP (IN with) (NP (NNS friends))))"
    >>> attached_lower(tree_from_text(text))
    [(VP (VBD ate) (NP (NP (NN soup)) (PP (IN with) (NP (NNS friends)))))]
    """
    found = []
    for place, (before, child) in enumerate(zip(node.children, node.children[1:], strict=False)):
        is_all = len(node.children) == 2  # the new bracket would be around the same words as this one
        if not is_all and _is_one_of(before, _TAKING) and _is_one_of(child, _ATTACHED):
            assert isinstance(before, Node)
            found.append(_replaced(node, place, 2, before.holding((Node(before.category, before.children), child))))
    return found


def edges_moved(node: Node) -> list[Node]:
    """The bracket with one of its phrases a word shorter or longer, at either edge.

    >>> from karat.corpus.nested_trees import tree_from_text
    >>> for moved in edges_moved(tree_from_text("(S (RB now) (NP (DT the) (JJ old) (NN cat)) (VP (VBZ naps)))")):
    ...     print(moved)
    (S (RB now) (NP (DT the) (JJ old)) (NN cat) (VP (VBZ naps)))
    (S (RB now) (DT the) (NP (JJ old) (NN cat)) (VP (VBZ naps)))
    (S (NP (RB now) (DT the) (JJ old) (NN cat)) (VP (VBZ naps)))
    """
    found = []
    for place, child in enumerate(node.children):
        if isinstance(child, Leaf):
            continue
        # a phrase of two words would become one of one word, which does not count
        if len(child.children) > 2 and _is_word(child.children[-1]):
            found.append(_replaced(node, place, 1, child.holding(child.children[:-1]), child.children[-1]))
        if len(child.children) > 2 and _is_word(child.children[0]):
            found.append(_replaced(node, place, 1, child.children[0], child.holding(child.children[1:])))
        if len(node.children) == 2:
            continue
        if place and _is_word(node.children[place - 1]):
            longer = child.holding((node.children[place - 1], *child.children))
            found.append(_replaced(node, place - 1, 2, longer))
        if place + 1 < len(node.children) and _is_word(node.children[place + 1]):
            found.append(_replaced(node, place, 2, child.holding((*child.children, node.children[place + 1]))))
    return found


_KINDS: tuple[Callable[[Node], list[Node]], ...] = (attached_higher, attached_lower, edges_moved)


def _errors_in(node: Node) -> list[list[Node]]:
    """What the bracket may become by one error, kind by kind; nobody attaches anything to the tree's own bracket."""
    return [] if node.label in OUTER_LABELS else [found for moves in _KINDS if (found := moves(node))]


def _is_one_of(tree: NestedTree, categories: frozenset[str]) -> bool:
    return isinstance(tree, Node) and tree.category in categories


def _is_word(tree: NestedTree) -> bool:
    """Whether this is a word that counts."""
    return isinstance(tree, Leaf) and tree.tag not in _PASSED_OVER


def _replaced(node: Node, place: int, n_old: int, *new: NestedTree) -> Node:
    """The bracket with other children in place of some."""
    return node.holding((*node.children[:place], *new, *node.children[place + n_old :]))
