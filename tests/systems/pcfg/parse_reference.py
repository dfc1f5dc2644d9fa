"""All parses of a sentence, generated one by one, and sums over them; short, slow, from the definitions."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

__all__ = [
    "RefGrammar",
    "RefTree",
    "TooManyError",
    "Words",
    "all_parses",
    "best_score_with_beam",
    "expected_number",
    "probability_of_phrases",
]

RefTree: TypeAlias = tuple[
    int, int, int, tuple["RefTree", ...]
]  # symbol, first word, the one behind the last, children
Words: TypeAlias = list[dict[int, float]]  # the tags of each word, with P(word | tag)
_MOST = 4000  # parses that are generated
_ROUNDS = 3000


class TooManyError(Exception):
    """A sentence has too many parses to generate them all."""


@dataclass(frozen=True)
class RefGrammar:
    """Rules with their probabilities; `labels` are those of tags and phrases, all other symbols are states."""

    n_tags: int
    start: int
    labels: list[int]
    unary: dict[tuple[int, int], float]
    binary: dict[tuple[int, int, int], float]


def all_parses(grammar: RefGrammar, words: Words, key: Callable[[int], int]) -> list[tuple[float, RefTree]]:
    """All parses in which no chain of unary rules has two symbols of the same key, with their probabilities."""

    def parses(symbol: int, start: int, stop: int, above: tuple[int, ...]) -> list[tuple[float, RefTree]]:
        if key(symbol) in above:
            return []
        found: list[tuple[float, RefTree]] = []
        if stop - start == 1 and symbol in words[start]:
            found.append((words[start][symbol], (symbol, start, stop, ())))
        for (parent, left, right), p in grammar.binary.items():
            for middle in range(start + 1, stop) if parent == symbol else ():
                rights = whole(right, middle, stop)
                for p_left, one in whole(left, start, middle) if rights else ():
                    found += [(p * p_left * p_right, (symbol, start, stop, (one, other))) for p_right, other in rights]
                    if len(found) > _MOST:
                        raise TooManyError
        for (parent, child), p in grammar.unary.items():
            if parent == symbol:
                for p_child, one in parses(child, start, stop, (*above, key(symbol))):
                    found.append((p * p_child, (symbol, start, stop, (one,))))
        return found

    known: dict[tuple[int, int, int], list[tuple[float, RefTree]]] = {}

    def whole(symbol: int, start: int, stop: int) -> list[tuple[float, RefTree]]:
        if (symbol, start, stop) not in known:
            known[symbol, start, stop] = parses(symbol, start, stop, ())
        return known[symbol, start, stop]

    return whole(grammar.start, 0, len(words))


def expected_number(
    grammar: RefGrammar, words: Words, is_counted: Callable[[int, int, int], bool]
) -> tuple[float, float]:
    """The sum of the probabilities of all parses, and how many nodes are counted in a parse on average.

    Every value is a pair: the sum of p, and that of p times the number of counted nodes. Chains of unary rules are
    added round by round, each round a rule more, until nothing changes.
    """
    symbols = {symbol for rule in (*grammar.unary, *grammar.binary) for symbol in rule}
    symbols |= {grammar.start} | {tag for word in words for tag in word}
    values: dict[tuple[int, int, int], tuple[float, float]] = {}
    for size in range(1, len(words) + 1):
        for start in range(len(words) - size + 1):
            stop = start + size
            made = {symbol: (words[start].get(symbol, 0.0) if size == 1 else 0.0, 0.0) for symbol in symbols}
            for (parent, left, right), p in grammar.binary.items():
                for middle in range(start + 1, stop):
                    (a, n), (b, m) = values[left, start, middle], values[right, middle, stop]
                    made[parent] = made[parent][0] + p * a * b, made[parent][1] + p * (a * m + n * b)
            here = made
            for _ in range(_ROUNDS):
                new = dict(made)
                for (parent, child), p in grammar.unary.items():
                    a, n = _with_node(here[child], is_counted(child, start, stop))
                    new[parent] = new[parent][0] + p * a, new[parent][1] + p * n
                if new == here:
                    break
                here = new
            for symbol in symbols:
                values[symbol, start, stop] = _with_node(here[symbol], is_counted(symbol, start, stop))
    total, times = values[grammar.start, 0, len(words)]
    return total, times / total if total else 0.0


def _with_node(value: tuple[float, float], is_counted: bool) -> tuple[float, float]:
    return (value[0], value[1] + value[0]) if is_counted else value


def best_score_with_beam(grammar: RefGrammar, words: Words, priors: dict[int, float], beam: float) -> float:
    """The log probability of the best parse where, in every cell but that of the whole sentence, symbols are left out.

    Those whose log probability and prior together are more than the beam below the best of the cell, and that are not
    the lowest of a chain of unary rules that stays.
    """
    cells: dict[tuple[int, int], dict[int, float]] = {}
    for size in range(1, len(words) + 1):
        for start in range(len(words) - size + 1):
            stop = start + size
            here = {tag: math.log(p) for tag, p in words[start].items()} if size == 1 else {}
            for middle in range(start + 1, stop):
                one, other = cells[start, middle], cells[middle, stop]
                for (parent, left, right), p in grammar.binary.items():
                    if left in one and right in other:
                        score = math.log(p) + one[left] + other[right]
                        here[parent] = max(here.get(parent, -math.inf), score)
            lowest = {symbol: symbol for symbol in here}
            for _ in grammar.labels:  # the best chain has no symbol twice
                for (parent, child), p in grammar.unary.items():
                    if child in here and math.log(p) + here[child] > here.get(parent, -math.inf):
                        here[parent], lowest[parent] = math.log(p) + here[child], lowest[child]
            if size < len(words):
                least = max((score + priors[symbol] for symbol, score in here.items()), default=0.0) - beam
                kept = {symbol for symbol, score in here.items() if score + priors[symbol] >= least}
                here = {symbol: here[symbol] for symbol in kept | {lowest[symbol] for symbol in kept}}
            cells[start, stop] = here
    return cells[0, len(words)].get(grammar.start, -math.inf)


def probability_of_phrases(
    grammar: RefGrammar, words: Words, phrases: list[tuple[int, int, int, int]], tags: list[int]
) -> float:
    """The probability of a tree of phrases (symbol, start, stop, parent) above tags, by its likeliest states."""
    total = 1.0
    for word, tag in enumerate(tags):
        total *= words[word][tag]
    for number, (symbol, start, stop, _) in enumerate(phrases):
        below = [(first, last, one) for one, first, last, parent in phrases if parent == number]
        covered = {word for first, last, _ in below for word in range(first, last)}
        below += [(word, word + 1, tags[word]) for word in range(start, stop) if word not in covered]
        total *= _rule_probability(grammar, symbol, [one for _, _, one in sorted(below)])
    return total


def _rule_probability(grammar: RefGrammar, parent: int, children: list[int]) -> float:
    if len(children) == 1:
        return grammar.unary.get((parent, children[0]), 0.0)
    found = 0.0
    for (above, left, right), p in grammar.binary.items():
        if (above, left) != (parent, children[0]):
            continue
        if children[1:] == [right]:
            found = max(found, p)
        elif right >= len(grammar.labels):
            found = max(found, p * _rule_probability(grammar, right, children[1:]))
    return found
