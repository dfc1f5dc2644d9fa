"""Trees of phrases as nested values, for transformations that one can read; `Trees` has them as arrays.

Nothing here recurses, so that trees may be of any depth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from karat.corpus.constituency_trees import Trees
from karat.corpus.readers.brackets import brackets_from_source
from karat.corpus.source import source_from_files

MISSING = "(())"  # how a missing parse is written


@dataclass(frozen=True, slots=True)
class Leaf:
    """A word with its part of speech."""

    tag: str
    form: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)  # what dataclasses make of these recurses
class Node:
    """A bracket around words and other brackets; to compare two, compare how they are `bracketed`."""

    label: str
    children: tuple[Node | Leaf, ...]

    @property
    def category(self) -> str:
        """The label without what stands behind the first `-` or `=` (functions, indices), as brackets are compared.

        >>> Node("NP-SBJ", ()).category, Node("-X-", ()).category
        ('NP', '-X-')
        """
        return self.label.split("-", 1)[0].split("=", 1)[0] or self.label

    def holding(self, children: Sequence[Node | Leaf]) -> Node:
        """The same bracket around something else."""
        return Node(self.label, tuple(children))

    def leaves(self) -> Iterator[Leaf]:
        """The words below, in order."""
        waiting: list[Node | Leaf] = [self]
        while waiting:
            one = waiting.pop()
            if isinstance(one, Leaf):
                yield one
            else:
                waiting += reversed(one.children)

    def __repr__(self) -> str:
        return bracketed(self)


NestedTree = Node | Leaf


def nested(trees: Trees) -> list[NestedTree | None]:
    """Each tree in nested form; None for a missing parse.

    Where a line that was read as one tree has several, they stand below a bracket without a label.
    """
    leaves = [Leaf(tag, form) for tag, form in zip(trees.tags.strings(), trees.forms.strings(), strict=True)]
    labels, starts, stops = trees.labels.strings(), trees.start.tolist(), trees.stop.tolist()
    words, nodes = trees.word_offsets.tolist(), trees.node_offsets.tolist()
    found: list[NestedTree | None] = []
    for tree in range(trees.n_trees):
        coming, last = nodes[tree], nodes[tree + 1]
        opened: list[int] = []
        children: list[list[NestedTree]] = [[]]  # of what is outside all brackets, then of each that is open
        for word in range(words[tree], words[tree + 1]):
            while coming < last and starts[coming] == word:
                opened.append(coming)
                children.append([])
                coming += 1
            children[-1].append(leaves[word])
            while opened and stops[opened[-1]] == word + 1:
                closed = Node(labels[opened.pop()], tuple(children.pop()))
                children[-1].append(closed)
        found.append(_one_tree(children[0]))
    return found


def _one_tree(roots: list[NestedTree]) -> NestedTree | None:
    if len(roots) > 1:
        return Node("", tuple(roots))
    return roots[0] if roots else None


def bracketed(tree: NestedTree | None) -> str:
    """The tree on one line; `(())` for a missing parse.

    >>> bracketed(Node("NP", (Leaf("DT", "the"), Leaf("NN", "ferry"))))
    '(NP (DT the) (NN ferry))'
    """
    if tree is None:
        return MISSING
    pieces: list[str] = []
    waiting: list[NestedTree | str] = [tree]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            pieces.append(one)
        elif isinstance(one, Leaf):
            pieces.append(f" ({one.tag} {one.form})")
        else:
            pieces.append(f" ({one.label}")
            waiting.append(")")
            waiting += reversed(one.children)
    return "".join(pieces)[1:]


def trees_from_nested(trees: Sequence[NestedTree | None], like: Trees) -> Trees:
    """The trees as arrays, in the documents of others, tree by tree; trees that were bad there are bad here."""
    if len(trees) != like.n_trees:
        raise ValueError(f"{len(trees)} trees, but {like.n_trees} to take the documents from")
    lines = [bracketed(tree) + "\n" for tree in trees]
    offsets = like.document_offsets.tolist()
    texts = ["".join(lines[first:stop]) for first, stop in pairwise(offsets)]
    source = source_from_files([(name, text.encode()) for name, text in zip(like.document_names, texts, strict=True)])
    found = brackets_from_source(replace(source, folder=like.source.folder))
    assert np.array_equal(found.document_offsets, like.document_offsets)
    return replace(found, names=like.names, problems=like.problems)


def tree_from_text(text: str) -> NestedTree:
    """The tree of a text that has one.

    >>> tree_from_text("(NP (DT the)   (NN ferry))")
    (NP (DT the) (NN ferry))
    """
    (tree,) = nested(brackets_from_source(source_from_files([("<text>", text.encode())])))
    if tree is None:
        raise ValueError(f"{text!r} is a missing parse")
    return tree


def rewritten(tree: NestedTree, change: Callable[[Node], Node]) -> NestedTree:
    """The tree with each bracket changed, from the innermost outwards: `change` sees children that are changed already.

    >>> rewritten(tree_from_text("(S (NP (NN tea)) (VP (VBZ cools)))"), lambda node: Node("X", node.children))
    (X (X (NN tea)) (X (VBZ cools)))
    """
    if isinstance(tree, Leaf):
        return tree
    opened: list[tuple[Node, Iterator[NestedTree], list[NestedTree]]] = [(tree, iter(tree.children), [])]
    while True:
        node, left, done = opened[-1]
        child = next(left, None)
        if isinstance(child, Leaf):
            done.append(child)
        elif child is not None:
            opened.append((child, iter(child.children), []))
        else:
            opened.pop()
            changed = change(Node(node.label, tuple(done)))
            if not opened:
                return changed
            opened[-1][2].append(changed)
