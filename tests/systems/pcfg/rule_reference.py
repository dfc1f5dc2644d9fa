"""The rules of trees, read off one bracket at a time; short, slow, from the definitions."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TypeAlias

from bracket_reference import RefNode, trees

__all__ = ["Rule", "pruned", "rules_of_text", "smoothed"]

Rule: TypeAlias = tuple[str, ...]  # the parent's name and those of its one or two children


def rules_of_text(text: str, *, vertical: int, horizontal: int) -> Counter[Rule]:
    """How often each rule is used in a text of trees."""
    found: Counter[Rule] = Counter()
    for root in trees(text):
        is_outer = root.form is None and root.label in ("", "ROOT", "TOP", "S1")
        inside = [pruned(child) for child in (root.children if is_outer else [root])]
        top = RefNode("TOP", [child for child in inside if child is not None])
        if top.children:
            _add_rules(top, [], vertical, horizontal, found)
    return found


def pruned(node: RefNode) -> RefNode | None:
    """A tree without traces, functions and repeated brackets; None if there is nothing left."""
    if node.form is not None:
        return None if node.label == "-NONE-" else node
    label = re.split("[-=]", node.label)[0]
    children = [child for child in map(pruned, node.children) if child is not None]
    if not children:
        return None
    if len(children) == 1 and children[0].form is None and children[0].label == label:
        return children[0]
    return RefNode(label, children)


def _add_rules(node: RefNode, above: list[str], vertical: int, horizontal: int, found: Counter[Rule]) -> None:
    """Count the rules of a phrase and of those below it; `above` are the labels of its ancestors, the nearest first."""
    lineage = [node.label, *above]
    name = "^".join(lineage[:vertical])
    symbols = [
        child.label if child.form is not None else "^".join([child.label, *lineage][:vertical])
        for child in node.children
    ]
    if len(symbols) == 1:
        found[name, symbols[0]] += 1
    parent = name
    for place in range(len(symbols) - 1):
        ahead = [child.label for child in node.children[place + 1 :]][:horizontal]
        is_last = place == len(symbols) - 2
        right = symbols[-1] if is_last else f"{name}|<{'-'.join(ahead)}>"
        found[parent, symbols[place], right] += 1
        parent = right
    for child in node.children:
        if child.form is None:
            _add_rules(child, lineage, vertical, horizontal, found)


def smoothed(counts: Counter[Rule], strength: float) -> dict[Rule, float]:
    """The probabilities of rules, those of states mixed with those of similar states, by Witten & Bell.

    P(right | state) = (count + strength · different · P(right | family)) / (uses + strength · different): different is
    how many different right children the state has. Labels must have no `-`, so that names can be taken apart.
    """
    uses: Counter[str] = Counter()
    for rule, count in counts.items():
        uses[rule[0]] += count
    states = {rule[0] for rule in counts if rule[0].endswith(">")}
    found = {rule: count / uses[rule[0]] for rule, count in counts.items() if rule[0] not in states}
    of_family: defaultdict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for rule, count in counts.items():
        if rule[0] in states:
            of_family[_family(rule[0])][rule[2]] += count
    for state in states:
        own = {rule[2]: count for rule, count in counts.items() if rule[0] == state}
        (left,) = {rule[1] for rule in counts if rule[0] == state}
        family = of_family[_family(state)]
        mixed = strength * len(own)
        for right, times in family.items():
            share = times / sum(family.values())
            found[state, left, right] = (own.get(right, 0) + mixed * share) / (uses[state] + mixed)
    return found


def _family(state: str) -> tuple[str, ...]:
    """What states of a family share: the phrase, and the children that are known but for the first."""
    phrase, _, ahead = state.removesuffix(">").partition("|<")
    return (phrase, *ahead.split("-")[1:])
