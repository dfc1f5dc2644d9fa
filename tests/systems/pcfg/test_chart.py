"""Charts: the best parse, the number of parses and sums over them, against all parses generated one by one."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from random import Random
from typing import TypeAlias

import numpy as np
import pytest

from karat.systems.pcfg.chart import (
    BestParse,
    PossibleTags,
    TooSlowError,
    best_parse,
    bracket_probabilities,
    log_n_parses,
    log_sentence_probability,
)
from karat.systems.pcfg.grammar import TreebankGrammar
from parse_reference import (
    RefGrammar,
    RefTree,
    TooManyError,
    Words,
    all_parses,
    best_score_with_beam,
    expected_number,
    probability_of_phrases,
)
from random_grammars import chart_words, karat_grammar, random_case

Case: TypeAlias = tuple[RefGrammar, list[dict[int, float]]]
Key: TypeAlias = Callable[[int], int]
_ALMOST = 1e-9


def cases(
    n: int, *, most_words: int = 4, has_cycles: bool = True
) -> Iterator[tuple[int, RefGrammar, Words, TreebankGrammar, list[PossibleTags]]]:
    """Random grammars and sentences, for the reference and for karat, with the seed."""
    for seed in range(n):
        grammar, words = random_case(seed, most_words=most_words, has_cycles=has_cycles)
        yield seed, grammar, words, karat_grammar(grammar), chart_words(words)


def by_label(grammar: RefGrammar) -> Key:
    """Which label a tag or phrase has; states have none."""
    return lambda symbol: grammar.labels[symbol] if symbol < len(grammar.labels) else -1


def log(p: float) -> float:
    return math.log(p) if p else -math.inf


# ---- against all parses ----------------------------------------------------------------------------------------------


def test_the_best_parse_is_the_likeliest_of_all() -> None:
    n_parsed = 0
    for seed, grammar, words, ours, sentence in cases(1500):
        with suppress(TooManyError):
            every = all_parses(grammar, words, int)  # one with a symbol twice in a chain is not the best
            found = best_parse(ours, sentence)
            score = -math.inf if found is None else found.score
            assert score == pytest.approx(log(max((p for p, _ in every), default=0)), abs=_ALMOST), seed
            n_parsed += found is not None
    assert n_parsed > 500


def test_the_rules_of_the_best_parse_multiply_to_its_score() -> None:
    for seed, grammar, words, ours, sentence in cases(1500, most_words=9):
        found = best_parse(ours, sentence)
        if found is None:
            continue
        spans = zip(found.symbols.tolist(), found.start.tolist(), found.stop.tolist(), strict=True)
        phrases = [(*span, parent) for span, parent in zip(spans, found.parents.tolist(), strict=True)]
        assert phrases[0] == (grammar.start, 0, len(words), -1)
        p = probability_of_phrases(grammar, words, phrases, found.tags.tolist())
        assert found.score == pytest.approx(log(p), abs=_ALMOST), seed


def test_parses_are_counted_in_which_no_label_comes_twice_in_a_chain() -> None:
    n_ambiguous = 0
    for seed, grammar, words, ours, sentence in cases(1500):
        with suppress(TooManyError):
            n = len(all_parses(grammar, words, by_label(grammar)))
            assert log_n_parses(ours, sentence) == pytest.approx(log(n), abs=_ALMOST), seed
            n_ambiguous += n > 1
    assert n_ambiguous > 200


def test_without_cycles_the_probability_of_a_sentence_is_the_sum_over_all_parses() -> None:
    for seed, grammar, words, ours, sentence in cases(1000, has_cycles=False):
        with suppress(TooManyError):
            total = math.fsum(p for p, _ in all_parses(grammar, words, int))
            assert log_sentence_probability(ours, sentence) == pytest.approx(log(total), abs=_ALMOST), seed


def test_with_cycles_the_probability_of_a_sentence_has_chains_of_any_length() -> None:
    for seed, grammar, words, ours, sentence in cases(400, most_words=6):
        total, _ = expected_number(grammar, words, lambda *_: False)
        assert log_sentence_probability(ours, sentence) == pytest.approx(log(total), abs=_ALMOST), seed


def spans_of(tree: RefTree, label: Key) -> list[tuple[int, int, int]]:
    symbol, start, stop, children = tree
    return [(label(symbol), start, stop), *(span for child in children for span in spans_of(child, label))]


def labelled_spans(parse: BestParse, label: Key) -> list[tuple[int, int, int]]:
    spans = zip(parse.symbols.tolist(), parse.start.tolist(), parse.stop.tolist(), strict=True)
    return [(label(symbol), start, stop) for symbol, start, stop in spans]


def is_node(label: Key, span: tuple[int, int, int], symbol: int, start: int, stop: int) -> bool:
    return (label(symbol), start, stop) == span


def test_without_cycles_a_bracket_is_as_likely_as_the_parses_that_have_it() -> None:
    """Where a label is there twice in a chain, each counts, and the sum is 1 at most."""
    for seed, grammar, words, ours, sentence in cases(1000, has_cycles=False):
        parse = best_parse(ours, sentence)
        if parse is None:
            continue
        with suppress(TooManyError):
            times: Counter[tuple[int, int, int]] = Counter()
            every = all_parses(grammar, words, int)
            for p, tree in every:
                for span in spans_of(tree, by_label(grammar)):
                    times[span] += p  # type: ignore[assignment]
            total = math.fsum(p for p, _ in every)
            expected = [min(times[span] / total, 1.0) for span in labelled_spans(parse, by_label(grammar))]
            assert bracket_probabilities(ours, sentence, parse) == pytest.approx(expected, abs=_ALMOST), seed


def test_with_cycles_a_bracket_has_its_expected_number_at_most_1() -> None:
    for seed, grammar, words, ours, sentence in cases(300, most_words=5):
        parse, label = best_parse(ours, sentence), by_label(grammar)
        if parse is None:
            continue
        expected = [
            min(expected_number(grammar, words, partial(is_node, label, span))[1], 1.0)
            for span in labelled_spans(parse, label)
        ]
        assert bracket_probabilities(ours, sentence, parse) == pytest.approx(expected, abs=_ALMOST), seed


def test_a_wide_beam_changes_nothing_and_a_narrow_one_never_finds_better() -> None:
    for seed, _, _, ours, sentence in cases(500, most_words=7):
        exact = best_parse(ours, sentence)
        same = best_parse(ours, sentence, beam=1e6)
        assert (same is None) == (exact is None)
        for beam in (0.1, 1.0, 3.0):
            found = best_parse(ours, sentence, beam=beam)
            assert found is None or (exact is not None and found.score <= exact.score + _ALMOST), seed
        if exact is not None and same is not None:
            assert same.score == exact.score
            assert np.array_equal(same.symbols, exact.symbols)
            assert np.array_equal(same.start, exact.start)
            assert np.array_equal(same.stop, exact.stop)


def test_a_beam_leaves_out_what_is_so_much_less_likely_than_the_best_of_its_cell() -> None:
    n_worse = 0
    for seed, grammar, words, ours, sentence in cases(400, most_words=6):
        random = Random(seed)
        priors = {symbol: random.uniform(-3, 0) for symbol in range(ours.n_symbols)}
        with_priors = karat_grammar(grammar, priors)
        exact = best_parse(with_priors, sentence)
        for beam in (0.01, 0.5, 1.0, 2.0, 4.0, 8.0):
            found = best_parse(with_priors, sentence, beam=beam)
            expected = best_score_with_beam(grammar, words, priors, beam)
            assert (-math.inf if found is None else found.score) == pytest.approx(expected, abs=_ALMOST), (seed, beam)
            n_worse += exact is not None and expected < exact.score - _ALMOST
    assert n_worse > 50


# ---- very many parses, very small probabilities ----------------------------------------------------------------------


def catalan(n: int) -> float:
    """The logarithm of the number of binary trees with n + 1 leaves."""
    return math.lgamma(2 * n + 1) - math.lgamma(n + 2) - math.lgamma(n + 1)


def binary_grammar(p: float) -> TreebankGrammar:
    """S → S S with probability p, S → a otherwise."""
    return karat_grammar(RefGrammar(1, 1, [0, 1], {(1, 0): 1 - p}, {(1, 1, 1): p}))


@pytest.mark.parametrize("n", [1, 2, 10, 40, 200])
def test_parses_of_an_ambiguous_grammar_are_as_many_as_binary_trees(n: int) -> None:
    """Their number is Catalan's, and each has n − 1 binary and n unary rules."""
    grammar, words = binary_grammar(0.25), chart_words([{0: 1.0}] * n)
    assert log_n_parses(grammar, words) == pytest.approx(catalan(n - 1), abs=1e-9, rel=1e-12)
    one = (n - 1) * math.log(0.25) + n * math.log(0.75)
    parse = best_parse(grammar, words)
    assert parse is not None
    assert parse.score == pytest.approx(one)
    assert log_sentence_probability(grammar, words) == pytest.approx(catalan(n - 1) + one)
    shares = bracket_probabilities(grammar, words, parse)
    # trees with a bracket around m of n words: those inside of it times those in which it is a leaf
    m = (parse.stop - parse.start).tolist()
    expected = [math.exp(catalan(size - 1) + catalan(n - size) - catalan(n - 1)) for size in m]
    assert shares == pytest.approx(expected)


@pytest.mark.parametrize("n", [3, 100])
def test_very_small_probabilities_of_rules_and_words_do_not_vanish(n: int) -> None:
    tiny = 1e-60
    grammar = karat_grammar(RefGrammar(1, 1, [0, 1], {(1, 0): tiny}, {(1, 1, 1): tiny}))
    words = chart_words([{0: 1e-300}] * n)
    one = (2 * n - 1) * math.log(tiny) + n * math.log(1e-300)
    parse = best_parse(grammar, words)
    assert parse is not None
    assert parse.score == pytest.approx(one)
    assert log_sentence_probability(grammar, words) == pytest.approx(catalan(n - 1) + one)
    assert log_n_parses(grammar, words) == pytest.approx(catalan(n - 1))
    shares = bracket_probabilities(grammar, words, parse)
    assert shares.min() > 0
    assert shares.max() <= 1


# ---- edges -----------------------------------------------------------------------------------------------------------


def test_no_words_or_no_possible_tag_is_no_parse() -> None:
    grammar = binary_grammar(0.5)
    nothing = PossibleTags(np.zeros(0, np.int32), np.zeros(0))
    for words in ([], [nothing], [*chart_words([{0: 1.0}]), nothing]):
        assert best_parse(grammar, words) is None
        assert log_n_parses(grammar, words) == -math.inf
        assert log_sentence_probability(grammar, words) == -math.inf


def test_a_sentence_that_takes_too_long_or_too_much_memory_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    grammar, words = binary_grammar(0.5), chart_words([{0: 1.0}] * 30)
    for work in (best_parse, log_n_parses, log_sentence_probability):
        with pytest.raises(TooSlowError):
            work(grammar, words, seconds=0.0)
        work(grammar, words, seconds=60.0)
    parse = best_parse(grammar, words)
    assert parse is not None
    with pytest.raises(TooSlowError):
        bracket_probabilities(grammar, words, parse, seconds=0.0)
    monkeypatch.setattr("karat.systems.pcfg.chart.MOST_BYTES", 8 * 30 * 31 * 2 - 1)
    for work in (best_parse, log_n_parses, log_sentence_probability):
        with pytest.raises(TooSlowError):
            work(grammar, words)


def test_a_chart_that_needs_more_room_than_at_first_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    grammar, words = binary_grammar(0.4), chart_words([{0: 1.0}] * 20)
    before = log_sentence_probability(grammar, words)
    first = best_parse(grammar, words)
    monkeypatch.setattr("karat.systems.pcfg.chart._ENTRIES_AT_FIRST", 1)
    assert log_sentence_probability(grammar, words) == before
    again = best_parse(grammar, words)
    assert first is not None
    assert again is not None
    assert np.array_equal(first.start, again.start)
