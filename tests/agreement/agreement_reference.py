"""Agreement straight from the definitions, in fractions: slow, short, and independent of karat's arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations

__all__ = [
    "FIGURE_1",
    "LEAVES",
    "Distribution",
    "alpha",
    "cohen",
    "distance",
    "observed",
    "pooled",
    "spread",
    "spread_tags",
]

Distribution = Mapping[str, Fraction]
Annotations = Sequence[Sequence[Distribution | None]]  # [annotators][items]; None is missing

FIGURE_1 = {"A": ["A.1", "A.2"], "A.1": ["A.1a", "A.1b"], "B": ["B.1", "B.2", "B.3"]}
LEAVES = ["A.1a", "A.1b", "A.2", "B.1", "B.2", "B.3"]


def spread(tag: str, children: Mapping[str, Sequence[str]]) -> dict[str, Fraction]:
    """A tag's mass over leaves, handed down in equal shares."""
    if tag not in children:
        return {tag: Fraction(1)}
    return _sum([(Fraction(1, len(children[tag])), spread(child, children)) for child in children[tag]])


def spread_tags(weights: Mapping[str, Fraction], children: Mapping[str, Sequence[str]]) -> dict[str, Fraction]:
    """The mass of several tags, of which each has the share that its weight is of all."""
    whole = sum(weights.values())
    return _sum([(weight / whole, spread(tag, children)) for tag, weight in weights.items()])


def _sum(parts: Sequence[tuple[Fraction, Distribution]]) -> dict[str, Fraction]:
    found: dict[str, Fraction] = {}
    for share, distribution in parts:
        for leaf, mass in distribution.items():
            found[leaf] = found.get(leaf, Fraction(0)) + share * mass
    return found


def distance(p: Distribution, q: Distribution) -> Fraction:
    """1 − Σ min(p, q)."""
    return 1 - sum((min(p.get(leaf, Fraction(0)), q.get(leaf, Fraction(0))) for leaf in {*p, *q}), Fraction(0))


def _agreement(p: Distribution, q: Distribution) -> Fraction:
    return sum((mass * q.get(leaf, Fraction(0)) for leaf, mass in p.items()), Fraction(0))


def _units(annotations: Annotations) -> list[list[Distribution]]:
    """The annotations of each item that has two or more."""
    units = [[one for one in item if one is not None] for item in zip(*annotations, strict=True)]
    return [unit for unit in units if len(unit) >= 2]


def _mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def _kappa(found: Fraction, chance: Fraction) -> Fraction | None:
    return None if chance == 1 else (found - chance) / (1 - chance)


def observed(annotations: Annotations) -> Fraction | None:
    """Equation 4; for several annotators the mean over the pairs of an item."""
    units = _units(annotations)
    if not units:
        return None
    return _mean([_mean([_agreement(p, q) for p, q in combinations(unit, 2)]) for unit in units])


def pooled(annotations: Annotations) -> Fraction | None:
    """Equations 3 and 5, Pr(l) over all annotations."""
    found = observed(annotations)
    every = [one for unit in _units(annotations) for one in unit]
    if found is None:
        return None
    of_leaf = _sum([(Fraction(1, len(every)), one) for one in every])
    return _kappa(found, sum((share**2 for share in of_leaf.values()), Fraction(0)))


def cohen(annotations: Annotations) -> Fraction | None:
    """The mean over pairs of annotators who met; undefined if it is for one of them."""
    kappas = []
    for one, other in combinations(annotations, 2):
        both = [(p, q) for p, q in zip(one, other, strict=True) if p is not None and q is not None]
        if not both:
            continue
        first, second = (_sum([(Fraction(1, len(both)), pair[side]) for pair in both]) for side in (0, 1))
        kappas.append(_kappa(_mean([_agreement(p, q) for p, q in both]), _agreement(first, second)))
    if not kappas or None in kappas:
        return None
    return _mean([kappa for kappa in kappas if kappa is not None])


def alpha(annotations: Annotations) -> Fraction | None:
    """1 − D(observed)/D(expected), each a sum over ordered pairs of annotations."""
    units = _units(annotations)
    every = [one for unit in units for one in unit]
    n = len(every)
    if not n:
        return None
    seen = sum((distance(p, q) / (len(unit) - 1) for unit in units for p, q in permutations(unit, 2)), Fraction(0)) / n
    expected = sum((distance(p, q) for p, q in permutations(every, 2)), Fraction(0)) / (n * (n - 1))
    return None if expected == 0 else 1 - seen / expected
