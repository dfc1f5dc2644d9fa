"""Parses of real sentences: as NLTK's, with beams, thresholds, several options at once."""

from __future__ import annotations

import math
from collections import defaultdict
from functools import cache
from itertools import pairwise

import nltk
import pytest
from nltk.grammar import Nonterminal, ProbabilisticProduction
from nltk.parse import ViterbiParser

from karat.corpus import read_source
from karat.corpus.constituency_trees import Trees
from karat.corpus.readers.brackets import brackets_from_source
from karat.systems.options import PcfgOptions
from karat.systems.pcfg.parser import ParseOptions, Pcfg
from realdata import data_files

_NEVER = "<never>"  # a word that is in no sentence


@cache
def parser_of(pattern: str, smoothing: float = 0.0) -> Pcfg:
    return Pcfg.trained(trees_of_files(pattern), PcfgOptions(smoothing=smoothing))


def trees_of_files(pattern: str) -> Trees:
    return brackets_from_source(read_source([str(path) for path in data_files(f"gum-const/{pattern}")]))


@cache
def sentences(pattern: str, fewest: int, most: int) -> list[tuple[list[str], list[str]]]:
    """Forms and tags of the sentences of so many words."""
    trees = trees_of_files(pattern)
    forms, tags, bounds = trees.forms.strings(), trees.tags.strings(), trees.word_offsets.tolist()
    every = [(forms[a:b], tags[a:b]) for a, b in pairwise(bounds)]
    return [one for one in every if fewest <= len(one[0]) <= most and "-NONE-" not in one[1]]


# ---- NLTK ------------------------------------------------------------------------------------------------------------


def nltk_log_probability(parser: Pcfg, tags: list[str]) -> float:
    """The log probability of NLTK's best parse, with the rules that can apply somewhere in the sentence.

    Those are found by a chart of what can be made of which words, probabilities aside. What the other rules of a parent
    have goes to a word that is in no sentence, so that probabilities sum to 1.
    """
    applied, words = applicable_rules(parser, tags)
    if not applied:
        return -math.inf
    grammar = parser.grammar
    rest: defaultdict[int, float] = defaultdict(lambda: 1.0)
    productions = []
    for rule, p in applied.items():
        parent, *children = (Nonterminal(symbol) for symbol in rule)
        productions.append(ProbabilisticProduction(parent, children, prob=p))
        rest[rule[0]] -= p
    productions += [
        ProbabilisticProduction(Nonterminal(symbol), [_NEVER], prob=left)
        for symbol, left in rest.items()
        if left > 1e-9
    ]
    productions += [ProbabilisticProduction(Nonterminal(tag), [grammar.names[tag]], prob=1.0) for tag in set(words)]
    parsed = list(ViterbiParser(nltk.PCFG(Nonterminal(grammar.start), productions)).parse(tags))
    return math.log(parsed[0].prob()) if parsed else -math.inf


def applicable_rules(parser: Pcfg, tags: list[str]) -> tuple[dict[tuple[int, ...], float], list[int]]:
    """The rules that can apply somewhere in a sentence, with their probabilities, and the symbols of its words."""
    grammar = parser.grammar
    words = [grammar.labels.index(tag) for tag in tags]
    unary = dict(zip(map(tuple, grammar.unary.tolist()), grammar.unary_scores.tolist(), strict=True))
    binary = dict(zip(map(tuple, grammar.binary.tolist()), grammar.binary_scores.tolist(), strict=True))
    by_left: defaultdict[int, list[tuple[int, ...]]] = defaultdict(list)
    for rule in binary:
        by_left[rule[1]].append(rule)
    made: dict[tuple[int, int], set[int]] = {}
    used: dict[tuple[int, ...], float] = {}
    for size in range(1, len(words) + 1):
        for start in range(len(words) - size + 1):
            here = {words[start]} if size == 1 else set()
            for middle in range(start + 1, start + size):
                right = made[middle, start + size]
                for rule in (rule for left in made[start, middle] for rule in by_left[left]):
                    if rule[2] in right:
                        here.add(rule[0])
                        used[rule] = math.exp(binary[rule])
            n_before = -1
            while len(here) > n_before:
                n_before = len(here)
                for rule, score in unary.items():
                    if rule[1] in here:
                        here.add(rule[0])
                        used[rule] = math.exp(score)
            made[start, start + size] = here
    return (used if grammar.start in made[0, len(words)] else {}), words


def assert_as_nltk(n: int, most_words: int) -> None:
    parser = parser_of("GUM_bio_*.ptb")
    n_compared = 0
    for forms, tags in sentences("GUM_court_*.ptb", 3, most_words):
        if n_compared == n:
            break
        if not all(map(parser.knows_tag, tags)):
            continue
        found = parser.parse(forms, tags)
        assert found.log_probability == pytest.approx(nltk_log_probability(parser, tags), abs=1e-6), tags
        n_compared += not found.is_missing
    assert n_compared == n


def test_the_best_parses_of_short_sentences_are_as_likely_as_those_of_nltk() -> None:
    assert_as_nltk(8, 7)


@pytest.mark.slow
def test_the_best_parses_of_fifty_sentences_are_as_likely_as_those_of_nltk() -> None:
    assert_as_nltk(50, 12)


# ---- beams and thresholds --------------------------------------------------------------------------------------------


def test_a_wide_beam_finds_the_same_parses_and_a_narrow_one_none_that_is_likelier() -> None:
    parser = parser_of("GUM_bio_*.ptb", 0.3)
    n_other = 0
    for forms, tags in sentences("GUM_court_*.ptb", 5, 25)[:40]:
        exact = parser.parse(forms, tags)
        assert parser.parse(forms, tags, ParseOptions(beam=40)) == exact
        narrow = parser.parse(forms, tags, ParseOptions(beam=2))
        assert narrow.log_probability <= exact.log_probability + 1e-9
        n_other += narrow.text != exact.text
    assert n_other  # or the beam would not have been tried


def test_higher_thresholds_leave_out_more_brackets_and_none_leaves_all() -> None:
    parser, thresholds = parser_of("GUM_bio_*.ptb", 0.3), [0.0, 0.2, 0.5, 0.8, 1.0]
    for forms, tags in sentences("GUM_court_*.ptb", 5, 20)[:30]:
        every = parser.parses(forms, tags, ParseOptions(), thresholds)
        alone = [parser.parse(forms, tags, ParseOptions(threshold=threshold)) for threshold in thresholds]
        assert every == alone
        plain = parser.parse(forms, tags)
        assert every[0] == plain
        assert plain.n_left_out == 0
        left_out = [one.n_left_out for one in every]
        assert left_out == sorted(left_out)
        n_brackets = [one.text.count("(") for one in every]
        assert [n + out for n, out in zip(n_brackets, left_out, strict=True)] == [n_brackets[0]] * len(thresholds)
        assert len({one.log_probability for one in every}) <= 1


def test_a_sentence_has_the_same_parse_whatever_is_parsed_before_it() -> None:
    parser = parser_of("GUM_bio_*.ptb", 0.3)
    chosen = sentences("GUM_court_*.ptb", 5, 20)[:10]
    how = ParseOptions(count=True, threshold=0.3)
    forth = [parser.parse(forms, tags, how) for forms, tags in chosen]
    back = [parser.parse(forms, tags, how) for forms, tags in reversed(chosen)]
    assert forth == back[::-1]


def test_parses_are_never_fewer_with_smoothing() -> None:
    for forms, tags in sentences("GUM_court_*.ptb", 5, 20)[:20]:
        plain, smooth = (
            parser_of("GUM_bio_*.ptb", smoothing).parse(forms, tags, ParseOptions(count=True))
            for smoothing in (0.0, 0.3)
        )
        assert smooth.log_n_parses is not None
        assert plain.log_n_parses is not None
        assert smooth.log_n_parses >= plain.log_n_parses
