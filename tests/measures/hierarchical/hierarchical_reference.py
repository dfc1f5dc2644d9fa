"""Scores of tags in a hierarchy straight from the definitions [Melamed & Resnik 2000], in fractions, slowly."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product

Children = Mapping[str, Sequence[str]]  # of every tag
Answer = Mapping[str, Fraction]  # tags and their probabilities

FIGURE_1 = {
    "A": ["A.1", "A.2"],
    "A.1": ["A.1a", "A.1b"],
    "B": ["B.1", "B.2", "B.3"],
    **{leaf: [] for leaf in ("A.1a", "A.1b", "A.2", "B.1", "B.2", "B.3")},
}


def leaves_below(tag: str, children: Children) -> set[str]:
    return {tag} if not children[tag] else {leaf for one in children[tag] for leaf in leaves_below(one, children)}


def at_or_above(tag: str, children: Children) -> set[str]:
    parents = [one for one, below in children.items() if tag in below]
    return {tag}.union(*(at_or_above(parent, children) for parent in parents))


def distribution(answer: Answer, children: Children, choice: Mapping[str, str] | None = None) -> dict[str, Fraction]:
    """Over leaves: sub-tags are equally likely, or each tag leads to the child that is chosen."""
    found: dict[str, Fraction] = defaultdict(Fraction)
    for tag, probability in answer.items():
        below = children[tag] if choice is None or not children[tag] else [choice[tag]]
        if not below:
            found[tag] += probability
        for child in below:
            for leaf, share in distribution({child: probability / len(below)}, children, choice).items():
                found[leaf] += share
    return found


def right_leaves(gold: Collection[str], children: Children) -> set[str]:
    return {leaf for tag in gold for leaf in leaves_below(tag, children)}


def hierarchical(
    gold: Collection[str], answer: Answer, children: Children, choice: Mapping[str, str] | None = None
) -> Fraction:
    """Equation 2."""
    right = right_leaves(gold, children)
    every = distribution(answer, children, choice).items()
    return sum((share for leaf, share in every if leaf in right), Fraction(0))


def exact(gold: Collection[str], answer: Answer) -> int:
    most = max(answer.values(), default=Fraction(0))
    return int(bool(answer) and all(tag in gold for tag, share in answer.items() if share == most))


def brier(gold: Collection[str], answer: Answer, children: Children) -> Fraction:
    right = right_leaves(gold, children)
    others = (share * share for leaf, share in distribution(answer, children).items() if leaf not in right)
    return (1 - hierarchical(gold, answer, children)) ** 2 + sum(others, Fraction(0))


def ancestor_counts(gold: Collection[str], answer: Answer, children: Children) -> tuple[int, int, int]:
    """How many tags are at or above the gold's, at or above those given, and both."""
    ours = {one for tag in gold for one in at_or_above(tag, children)}
    theirs = {one for tag in answer for one in at_or_above(tag, children)}
    return len(ours), len(theirs), len(ours & theirs)


def choices(children: Children) -> Iterator[dict[str, str]]:
    """All ways in which every tag leads to one of its children."""
    inner = [tag for tag, below in children.items() if below]
    for chosen in product(*(children[tag] for tag in inner)):
        yield dict(zip(inner, chosen, strict=True))


def extremes(pairs: Sequence[tuple[Collection[str], Answer]], children: Children) -> tuple[Fraction, Fraction]:
    """The smallest and largest mean score over the downward distributions in which tags lead to one child each."""
    means = [
        sum((hierarchical(gold, answer, children, choice) for gold, answer in pairs), Fraction(0)) / len(pairs)
        for choice in choices(children)
    ]
    return min(means), max(means)


def uniform(tags: Sequence[str]) -> dict[str, Fraction]:
    return {tag: Fraction(1, len(tags)) for tag in tags}
