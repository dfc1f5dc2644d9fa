"""Probabilities of rules, and sums over chains of unary rules."""

from __future__ import annotations

import math
from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from karat.systems.pcfg.grammar import TreebankGrammar, grammar_from_counts
from karat.systems.pcfg.treebank_rules import rule_counts
from random_grammars import trees_of
from realdata import data_files
from rule_reference import Rule, rules_of_text, smoothed

_words = st.builds("({} w)".format, st.sampled_from(["a", "b", "c"]))
_trees = st.recursive(
    _words,
    lambda below: st.builds(
        lambda label, children: f"({label} {' '.join(children)})",
        st.sampled_from(["S", "NP", "VP"]),
        st.lists(below, min_size=1, max_size=6),
    ),
    max_leaves=20,
)
_texts = st.lists(_trees, min_size=1, max_size=6).map("\n".join)
_orders = st.tuples(st.integers(1, 3), st.integers(0, 3))


def probabilities(grammar: TreebankGrammar) -> dict[Rule, float]:
    found: dict[Rule, float] = {}
    for rules, scores in ((grammar.unary, grammar.unary_scores), (grammar.binary, grammar.binary_scores)):
        for rule, score in zip(rules.tolist(), scores.tolist(), strict=True):
            found[tuple(grammar.names[symbol] for symbol in rule)] = math.exp(score)
    return found


@given(_texts, _orders)
def test_without_smoothing_a_rule_is_as_likely_as_it_is_frequent(text: str, orders: tuple[int, int]) -> None:
    vertical, horizontal = orders
    grammar = grammar_from_counts(rule_counts(trees_of(text), vertical=vertical, horizontal=horizontal))
    counts = rules_of_text(text, vertical=vertical, horizontal=horizontal)
    uses: Counter[str] = Counter()
    for rule, count in counts.items():
        uses[rule[0]] += count
    assert probabilities(grammar) == pytest.approx({rule: count / uses[rule[0]] for rule, count in counts.items()})


@given(_texts, _orders, st.sampled_from([0.1, 0.3, 1.0, 5.0]))
@settings(max_examples=120)
def test_smoothed_rules_are_those_of_witten_and_bell(text: str, orders: tuple[int, int], strength: float) -> None:
    vertical, horizontal = orders
    grammar = grammar_from_counts(
        rule_counts(trees_of(text), vertical=vertical, horizontal=horizontal), smoothing=strength
    )
    counts = rules_of_text(text, vertical=vertical, horizontal=horizontal)
    if horizontal:  # else a state does not know its next child, and there is nothing to mix
        expected = smoothed(counts, strength)
    else:
        uses: Counter[str] = Counter()
        for rule, count in counts.items():
            uses[rule[0]] += count
        expected = {rule: count / uses[rule[0]] for rule, count in counts.items()}
    assert probabilities(grammar) == pytest.approx(expected)


def test_smoothed_rules_of_real_trees_are_those_of_witten_and_bell() -> None:
    paths = data_files("gum-const/GUM_bio_[a-c]*.ptb")
    text = "".join(path.read_text(encoding="utf-8") for path in paths)
    text = text.replace("-LRB-", "LRB").replace("-RRB-", "RRB")  # so that names of states can be taken apart
    expected = smoothed(rules_of_text(text, vertical=1, horizontal=2), 0.3)
    assert probabilities(grammar_from_counts(rule_counts(trees_of(text)), smoothing=0.3)) == pytest.approx(expected)


def test_smoothing_by_hand() -> None:
    """NP|<b-a> is followed by `a` alone 2 times and by NP|<a-c> once, NP|<c-a> by `a` alone once.

    They are one family, in which 3 of 4 are `a`: P(a | NP|<b-a>) = (2 + 0.5 · 2 · 3/4) / (3 + 0.5 · 2) = 2.75 / 4.
    """
    text = "(NP (a w) (b w) (a w))" * 2 + "(NP (a w) (b w) (a w) (c w))" + "(NP (a w) (c w) (a w))"
    found = probabilities(grammar_from_counts(rule_counts(trees_of(text)), smoothing=0.5))
    assert found["NP|<b-a>", "b", "a"] == pytest.approx(2.75 / 4)
    assert found["NP|<b-a>", "b", "NP|<a-c>"] == pytest.approx(1.25 / 4)
    assert found["NP|<c-a>", "c", "a"] == pytest.approx((1 + 0.5 * 3 / 4) / 1.5)
    assert found["NP|<c-a>", "c", "NP|<a-c>"] == pytest.approx(0.5 / 4 / 1.5)  # it was never seen
    assert found["NP|<a-c>", "a", "c"] == pytest.approx(1)
    assert found["NP", "a", "NP|<b-a>"] == pytest.approx(3 / 4)


@given(_texts, _orders, st.sampled_from([0.0, 0.3, 2.0]))
def test_the_rules_of_every_parent_sum_to_one_and_all_symbols_have_a_share(
    text: str, orders: tuple[int, int], strength: float
) -> None:
    counts = rule_counts(trees_of(text), vertical=orders[0], horizontal=orders[1])
    grammar = grammar_from_counts(counts, smoothing=strength)
    sums: defaultdict[str, float] = defaultdict(float)
    for rule, probability in probabilities(grammar).items():
        sums[rule[0]] += probability
    assert sums == pytest.approx(dict.fromkeys(grammar.names[grammar.n_tags :], 1.0))
    assert grammar.is_proper()
    assert max(grammar.unary_scores.max(initial=0), grammar.binary_scores.max(initial=0)) == 0  # also when rounded
    assert np.isfinite(grammar.priors).all()
    assert (grammar.priors <= 0).all()


def test_rules_are_shown_phrase_by_phrase_the_likeliest_first() -> None:
    text = "(S (NP (N oak)) (V grows))(S (NP (D an) (N ash)) (V grows))(S (NP (N elm)) (V grows))"
    assert list(grammar_from_counts(rule_counts(trees_of(text))).shown()) == [
        "TOP → S  1",
        "S → NP V  1",
        "NP → N  0.6667",
        "NP → D N  0.3333",
    ]


def grammar_of(
    unary: dict[tuple[int, int], float], *, labels: tuple[str, ...] = ("t", "A", "B", "C"), names: int = 4
) -> TreebankGrammar:
    """A grammar of a tag (0), phrases and unary rules only."""
    rules = np.array(list(unary), dtype=np.int32).reshape(-1, 2)
    return TreebankGrammar(
        tuple(f"s{number}" for number in range(names)), labels, np.arange(names, dtype=np.int32), 1, names, 1,
        rules, np.log(np.array(list(unary.values()))), np.zeros((0, 3), np.int32), np.zeros(0), np.zeros(names),
    )  # fmt: skip


def test_a_grammar_whose_chains_never_end_is_not_proper() -> None:
    assert grammar_of({(1, 0): 0.5, (1, 2): 0.5, (2, 1): 1.0, (3, 0): 1.0}).is_proper()
    assert not grammar_of({(1, 2): 1.0, (2, 1): 1.0, (3, 0): 1.0}).is_proper()
    assert not grammar_of({(1, 0): 0.7, (1, 2): 0.7}).is_proper()


def test_all_chains_of_a_cycle_sum_to_the_geometric_series() -> None:
    """A → B with 1/2, B → A with 1/3, A → t with 1/4: t to A is 1/4 · (1 + 1/6 + 1/36 + …) = 3/10."""
    offsets, parents, weights, _ = grammar_of({(1, 2): 1 / 2, (2, 1): 1 / 3, (1, 0): 1 / 4}).summed_chains
    of_tag = slice(offsets[0], offsets[1])
    assert dict(zip(parents[of_tag].tolist(), weights[of_tag].tolist(), strict=True)) == pytest.approx(
        {1: 3 / 10, 2: 1 / 10}
    )


def test_chains_are_counted_in_which_no_label_comes_twice() -> None:
    """From the tag to A: t A, t C A, t B C A, t C B A, t B A; but with C of the same label as B only three of them."""
    every = {(1, 0): 0.1, (1, 2): 0.1, (1, 3): 0.1, (2, 0): 0.1, (3, 0): 0.1, (2, 3): 0.1, (3, 2): 0.1, (2, 1): 0.1}

    def n_to(grammar: TreebankGrammar, symbol: int) -> float:
        offsets, parents, weights, _ = grammar.counted_chains
        return float(weights[offsets[0] : offsets[1]][parents[offsets[0] : offsets[1]] == symbol].sum())

    assert n_to(grammar_of(every), 1) == 5
    same = grammar_of(every)
    same.label_of[3] = 2
    assert n_to(same, 1) == 3
