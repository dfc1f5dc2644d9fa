"""The grammar of simulated text, and sentence templates that are derived from it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from karat.simulation._grammar_rules import RULES

TOP = "_TOP"
_VARIANTS = re.compile(r"\{([^{}]+)\}")
_TOO_LONG = 45


class Child(NamedTuple):
    """A symbol of a rule's right side; `to` is the child on which it depends, or -1 for the head of the rule."""

    symbol: str
    relation: str
    to: int


class Rule(NamedTuple):
    """A rule of the grammar; `head` is the child whose head is that of the whole."""

    left: str
    children: tuple[Child, ...]
    head: int
    weight: float


@dataclass(frozen=True, slots=True)
class Grammar:
    """Rules by their left side, with the cumulated shares by which one is chosen."""

    rules: Mapping[str, tuple[Rule, ...]]
    shares: Mapping[str, tuple[float, ...]]

    @property
    def n_rules(self) -> int:
        return sum(len(rules) for rules in self.rules.values())


class Derivation(NamedTuple):
    """A sentence without words: classes of words, heads (-1: the root), relations, and the brackets around each."""

    classes: list[str]
    heads: list[int]
    relations: list[str]
    before: list[str]
    after: list[str]
    head: int


def grammar_from_text(text: str = RULES) -> Grammar:
    """The grammar that `_grammar_rules` describes.

    >>> grammar_from_text("_TOP -> *S | 1").rules["_TOP"][0].children
    (Child(symbol='S', relation='', to=-1),)
    """
    rules: dict[str, list[Rule]] = {}
    for line in text.splitlines():
        for written in _spelled_out(line):
            rule = _rule(written)
            rules.setdefault(rule.left, []).append(rule)
    shares = {}
    for left, same_left in rules.items():
        total = sum(rule.weight for rule in same_left)
        shares[left] = tuple(accumulate(rule.weight / total for rule in same_left))
    return Grammar({left: tuple(same_left) for left, same_left in rules.items()}, shares)


def _spelled_out(line: str) -> list[str]:
    if not line.strip():
        return []
    found = _VARIANTS.search(line)
    if found is None:
        return [line]
    return [line.replace(found[0], one).replace("{}", one) for one in found[1].split(",")]


def _rule(line: str) -> Rule:
    left, _, rest = line.partition(" -> ")
    right, _, weight = rest.partition(" | ")
    children, head = [], -1
    for i, written in enumerate(right.split()):
        if written.startswith("*"):
            head = i
        symbol, _, relation = written.removeprefix("*").partition(":")
        relation, _, to = relation.partition(">")
        children.append(Child(symbol, relation, int(to) - 1 if to else -1))
    if head < 0:
        raise ValueError(f"a rule without a head: {line}")
    return Rule(left, tuple(children), head, float(weight))


def derivations(
    grammar: Grammar, xpos: Mapping[str, str], n_derivations: int, rng: np.random.Generator
) -> list[Derivation]:
    """Sentences without words, drawn from the grammar; overlong ones are drawn again."""
    found: list[Derivation] = []
    while len(found) < n_derivations:
        one = _derived(TOP, grammar, xpos, rng)
        if len(one.classes) <= _TOO_LONG:
            found.append(one)
    return found


def _derived(symbol: str, grammar: Grammar, xpos: Mapping[str, str], rng: np.random.Generator) -> Derivation:
    if symbol[0].islower():
        return Derivation([symbol], [-1], [""], [f"({xpos[symbol]} "], [")"], 0)
    shares = grammar.shares[symbol]
    rule = grammar.rules[symbol][min(bisect_right(shares, rng.random()), len(shares) - 1)]
    whole = Derivation([], [], [], [], [], 0)
    heads = []
    for child in rule.children:
        part = _derived(child.symbol, grammar, xpos, rng)
        start = len(whole.classes)
        heads.append(start + part.head)
        whole.classes.extend(part.classes)
        whole.heads.extend(head + start if head >= 0 else -1 for head in part.heads)
        whole.relations.extend(part.relations)
        whole.before.extend(part.before)
        whole.after.extend(part.after)
    for own, child in zip(heads, rule.children, strict=True):
        if child.relation:
            whole.heads[own] = heads[child.to if child.to >= 0 else rule.head]
            whole.relations[own] = child.relation
    if symbol[0] != "_":
        whole.before[0] = f"({symbol.partition('_')[0]} {whole.before[0]}"
        whole.after[-1] += ")"
    return whole._replace(head=heads[rule.head])
