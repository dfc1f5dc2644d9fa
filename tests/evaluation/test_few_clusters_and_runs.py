"""What is not said where clusters or runs are too few; and that more runs never say less."""

from __future__ import annotations

import numpy as np
import pytest

from karat._arrays import Floats
from karat.evaluation.all_pairs import AllPairs
from karat.evaluation.comparison_results import PairResult
from karat.evaluation.plain_words import verdict
from karat.evaluation.system_pair import System, Wanted
from karat.inference.clusters import Clusters, carried_by_few
from karat.inference.options import InferenceOptions
from karat.measures.words.tags import UPOS


def counts(rng: np.random.Generator, n: int, accuracy: float) -> Floats:
    words = np.full(n, 40)
    return np.column_stack([words, words, rng.binomial(words, accuracy), words]).astype(np.float64)


def system(name: str, *runs: Floats) -> System:
    return System(name, [{"UPOS": one} for one in runs])


def compared(n_documents: int, *systems: System) -> PairResult:
    n = len(systems[0].runs[0]["UPOS"])
    clusters = Clusters("document", "document", np.arange(n) * n_documents // n, n_documents)
    wanted = Wanted(InferenceOptions(), margin=0.04, effect=0.005)
    (pair,), _ = AllPairs(systems, clusters, wanted).compared([UPOS()])
    return pair


@pytest.mark.parametrize(("n_documents", "is_said"), [(2, False), (5, False), (6, True)])
def test_where_no_test_can_tell_nothing_else_is_claimed(n_documents: int, is_said: bool) -> None:
    rng = np.random.default_rng(0)
    pair = compared(n_documents, system("a", counts(rng, 60, 0.9)), system("b", counts(rng, 60, 0.92)))
    assert (verdict(pair, 0.95) != "too few") == is_said
    assert (pair.equivalence is not None) == is_said == (pair.planning is not None)
    assert (pair.error_reduction.interval is not None) == is_said


def test_more_runs_never_say_less() -> None:
    """Of a system that is far better one run, two and three beside three of another: always different."""
    rng = np.random.default_rng(1)
    good, poor = ([counts(rng, 200, accuracy) for _ in range(3)] for accuracy in (0.95, 0.85))
    for n in (1, 2, 3):
        assert verdict(compared(20, system("poor", *poor), system("good", *good[:n])), 0.95) == "different"
    two = compared(20, system("poor", *poor[:2]), system("good", *good[:2]))
    assert (verdict(two, 0.95), two.runs is not None and two.runs.too_few) == ("open", True)


def test_few_carry_a_difference_only_if_there_is_one() -> None:
    sizes = np.full(15, 100.0)
    assert not carried_by_few(sizes, np.zeros(15))
    assert not carried_by_few(sizes, np.random.default_rng(2).normal(size=15))
    one = np.full(15, 0.1)
    one[3] = 10.0
    assert carried_by_few(sizes, one)


def test_identical_systems_are_the_same_and_carried_by_none() -> None:
    same = counts(np.random.default_rng(3), 60, 0.9)
    pair = compared(10, system("a", same), system("b", same))
    assert verdict(pair, 0.95) == "same"
    assert not pair.few_carry_it
