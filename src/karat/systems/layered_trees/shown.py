"""Trees as text: a line a split, indented, the first levels only."""

from __future__ import annotations

from karat._arrays import Array
from karat.systems.layered_trees.attributes import Attributes
from karat.systems.layered_trees.layers import Layer
from karat.systems.layered_trees.step import Step
from karat.systems.layered_trees.trees import ClassTrees

_LEVELS = 4
_MOST_SHARES = 3


def lines_of_step(step: Step, attributes: Attributes) -> list[str]:
    """The first tree of each class of a layer, the classes with the most examples first, then that of all together."""
    layer, names = step.layer, _names(attributes, step.layer)
    trees = step.trees
    lines = ["", f"== {' and '.join(layer.categories)}"]
    for number in range(len(trees.classes)):
        values = [layer.names[value] for value in trees.classes.row(number).tolist()]
        tree = int(trees.tree_offsets[number])
        n_trees = int(trees.tree_offsets[number + 1]) - tree
        more = f", the first of {n_trees} trees" if n_trees > 1 else ""
        lines += ["", f"{' | '.join(values)}  ({_n_words(trees, tree):,} words{more})"]
        lines += _lines(trees, tree, values, names, attributes)
    if len(step.pooled.classes):
        lines += ["", f"all classes  ({_n_words(step.pooled, 0):,} words)"]
        lines += _lines(step.pooled, 0, list(layer.names), names, attributes)
    return lines


def _names(attributes: Attributes, layer: Layer) -> list[str]:
    return [*attributes.names, *(f"{name} here" for name in layer.names[: layer.n_own])]


def _n_words(trees: ClassTrees, tree: int) -> int:
    offsets = trees.leaf_offsets
    return int(trees.n_of_leaf[offsets[tree] : offsets[tree + 1]].sum())


def _lines(trees: ClassTrees, tree: int, values: list[str], names: list[str], attributes: Attributes) -> list[str]:
    """A tree's lines: what is asked, then what follows if so and if not; leaves with their likeliest values."""
    start, stop = int(trees.node_offsets[tree]), int(trees.node_offsets[tree + 1])
    attribute, threshold, left, right = (one[start:stop] for one in trees.nodes)
    first_leaf, first_share = int(trees.leaf_offsets[tree]), int(trees.share_offsets[tree])
    lines: list[str] = []
    waiting = [(0 if stop > start else -1, 0, "")]
    while waiting:
        node, depth, how = waiting.pop()
        indent = "  " * (depth + 1)
        if node < 0:
            place = first_share + ~node * len(values)
            n = int(trees.n_of_leaf[first_leaf + ~node])
            lines.append(f"{indent}{how}{_shares(trees.shares[place : place + len(values)], values)}  ({n:,})")
        elif depth >= _LEVELS:
            n = _n_below(node, left, right)
            lines.append(f"{indent}{how}… {n:,} split{'s' * (n != 1)}")
        else:
            asked = _asked(int(attribute[node]), int(threshold[node]), names, attributes)
            lines.append(f"{indent}{how}{asked}?")
            waiting += [(int(right[node]), depth + 1, "no: "), (int(left[node]), depth + 1, "yes: ")]
    return lines


def _asked(attribute: int, threshold: int, names: list[str], attributes: Attributes) -> str:
    from karat.systems.layered_trees._compiled_attributes import LEVELS

    name = names[attribute]
    if attribute < len(attributes.names) and attributes.is_nominal[attribute]:
        return f"{name} = {attributes.value_name(attribute, threshold)}"
    if name.startswith(("words ", "capital")):
        return f"{name} ≤ {threshold}"
    if threshold == 0:
        return f"{name}: impossible"
    return f"{name}: below {LEVELS[min(threshold, len(LEVELS)) - 1]:g}"


def _shares(shares: Array, values: list[str]) -> str:
    order = sorted(range(len(values)), key=lambda k: -float(shares[k]))[:_MOST_SHARES]
    return " ".join(f"{values[k]} {float(shares[k]):.2f}" for k in order)


def _n_below(node: int, left: Array, right: Array) -> int:
    """How many splits there are at and below a node."""
    n, waiting = 0, [node]
    while waiting:
        one = waiting.pop()
        if one >= 0:
            n += 1
            waiting += [int(left[one]), int(right[one])]
    return n
