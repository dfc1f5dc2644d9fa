"""Small random grammars and sentences, for the chart and for its reference."""

from __future__ import annotations

from collections import defaultdict
from random import Random

import numpy as np

from karat.corpus import source_from_bytes
from karat.corpus.constituency_trees import Trees
from karat.corpus.readers.brackets import brackets_from_source
from karat.systems.pcfg.chart import PossibleTags
from karat.systems.pcfg.grammar import TreebankGrammar
from parse_reference import RefGrammar

__all__ = ["chart_words", "karat_grammar", "random_case", "trees_of"]


def trees_of(text: str) -> Trees:
    """The trees of a text."""
    return brackets_from_source(source_from_bytes(text.encode()))


def random_case(
    seed: int, *, most_words: int = 4, has_cycles: bool = True
) -> tuple[RefGrammar, list[dict[int, float]]]:
    """A grammar, with cycles of unary rules or without, and the possible tags of the words of a sentence.

    Weights are drawn so that no two parses are equally likely.
    """
    random = Random(seed)
    n_tags, n_phrases, n_states = random.randint(1, 3), random.randint(1, 4), random.randint(0, 2)
    n_closed = n_tags + n_phrases
    n = n_closed + n_states
    unary: dict[tuple[int, int], float] = {}
    for _ in range(random.randint(0, 7)):
        parent = random.randrange(n_tags, n_closed)
        unary[parent, random.randrange(n_closed if has_cycles else parent)] = random.uniform(1, 9)
    binary: dict[tuple[int, int, int], float] = {}
    for _ in range(random.randint(1, 12)):
        rule = random.randrange(n_tags, n), random.randrange(n_closed), random.randrange(n)
        binary[rule] = random.uniform(1, 9)
    of_unary: defaultdict[int, float] = defaultdict(float)
    of_all: defaultdict[int, float] = defaultdict(float)
    for (parent, _), weight in unary.items():
        of_unary[parent] += weight
        of_all[parent] += weight
    for (parent, _, _), weight in binary.items():
        of_all[parent] += weight
    # chains must end: at least a fifth of every parent is something else
    rest = random.choice([0, 3])
    total = {parent: max(weight + rest, 1.25 * of_unary[parent]) for parent, weight in of_all.items()}
    grammar = RefGrammar(
        n_tags,
        random.randrange(n_tags, n_closed),
        [*range(n_tags), *(n_tags + random.randrange(n_phrases) for _ in range(n_phrases))],
        {rule: weight / total[rule[0]] for rule, weight in unary.items()},
        {rule: weight / total[rule[0]] for rule, weight in binary.items()},
    )
    words = [
        {tag: random.uniform(0.01, 1) for tag in random.sample(range(n_tags), random.randint(1, n_tags))}
        for _ in range(random.randint(1, most_words))
    ]
    return grammar, words


def karat_grammar(grammar: RefGrammar, priors: dict[int, float] | None = None) -> TreebankGrammar:
    """The same grammar for karat's chart; the logarithms of how frequent symbols are, for its beam."""
    rules = (*grammar.unary, *grammar.binary)
    n_closed = len(grammar.labels)
    n = max(n_closed, 1 + max(symbol for rule in rules for symbol in rule))
    return TreebankGrammar(
        names=tuple(f"s{number}" for number in range(n)),
        labels=tuple(f"l{number}" for number in range(n_closed)),
        label_of=np.array(grammar.labels, dtype=np.int32),
        n_tags=grammar.n_tags,
        n_closed=n_closed,
        start=grammar.start,
        unary=np.array(list(grammar.unary), dtype=np.int32).reshape(-1, 2),
        unary_scores=np.log(np.array(list(grammar.unary.values()), dtype=np.float64)),
        binary=np.array(list(grammar.binary), dtype=np.int32).reshape(-1, 3),
        binary_scores=np.log(np.array(list(grammar.binary.values()), dtype=np.float64)),
        priors=np.array([(priors or {}).get(symbol, 0.0) for symbol in range(n)]),
    )


def chart_words(words: list[dict[int, float]]) -> list[PossibleTags]:
    """Words for karat's chart."""
    return [
        PossibleTags(np.array(list(word), dtype=np.int32), np.log(np.array(list(word.values()), dtype=np.float64)))
        for word in words
    ]
