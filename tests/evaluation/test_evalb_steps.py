"""From karat's F1 to EVALB's, step by step: a slow reference, EVALB's own numbers, and that changes add up."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import tree_score_reference as reference
from bracket_reference import RefNode, tree
from karat.corpus import source_from_bytes
from karat.corpus.constituency_trees import Trees
from karat.corpus.readers.bracket_folders import read_brackets
from karat.corpus.readers.brackets import brackets_from_source
from karat.measures.brackets.evalb import COLLINS, EvalbParameters, evalb, evalb_brackets, parameters_from_prm
from karat.measures.brackets.evalb_steps import EvalbStep, evalb_steps
from karat.measures.brackets.options import BracketOptions
from karat.measures.brackets.paired_trees import paired_trees
from karat.measures.brackets.punctuation import punctuation_named
from karat.measures.brackets.tree_counts import TreeComparison
from realdata import data
from tree_score_reference import Choice, random_tree, random_words, with_traces

Counts = tuple[int, int, int]


def read(lines: list[str]) -> Trees:
    return brackets_from_source(source_from_bytes("\n".join(lines).encode(), "t.ptb"))


def steps(
    gold: Trees, test: Trees, options: BracketOptions | None = None, parameters: EvalbParameters = COLLINS
) -> tuple[EvalbStep, ...]:
    pair = paired_trees(gold, test, punctuation_named("penn"))
    return evalb_steps(TreeComparison(pair, options or BracketOptions()), parameters)


# ---- the reference: one tree at a time, one bracket at a time --------------------------------------------------------


def spans(
    root: RefNode, deleted: frozenset[str], *, like_evalb: bool, one_word: bool, doubled: bool, labelled: bool
) -> list[tuple[int, int, str]]:
    """The brackets of a tree over the words that EVALB does not delete."""
    found: list[tuple[int, int, str]] = []
    n_before = 0

    def size(node: RefNode) -> int:
        return int(node.label not in deleted) if node.form is not None else sum(map(size, node.children))

    def visit(node: RefNode, above: list[tuple[int, int, str]], is_outermost: bool) -> None:
        nonlocal n_before
        if node.form is not None:
            n_before += size(node)
            return
        cut = node.label.split("-")[0].split("=")[0]
        label = cut if like_evalb else cut or node.label
        own = (n_before, n_before + size(node), label)
        counts = size(node) > (0 if one_word else 1)
        if like_evalb:
            counts &= label not in deleted
        else:
            counts &= not (is_outermost and label in ("", "ROOT", "TOP", "S1"))
        if not doubled and any(one[:2] == own[:2] and (not labelled or one[2] == label) for one in above):
            counts = False
        if counts:
            found.append(own)
        for child in node.children:
            visit(child, [*above, own] if counts else above, False)

    visit(root, [], True)
    return found


def matched(ours: list[tuple[int, int, str]], theirs: list[tuple[int, int, str]], same: dict[str, str]) -> int:
    keys = [Counter((a, b, same.get(label, label)) for a, b, label in side) for side in (ours, theirs)]
    return sum((keys[0] & keys[1]).values())


def reference_steps(
    golds: list[str], tests: list[str], *, one_word: bool, doubled: bool, labelled: bool
) -> list[Counts]:
    """The counts after each step with the parameters of COLLINS.prm, those that options leave to do."""
    kind = "labelled" if labelled else "unlabelled"
    choice = Choice(merge_doubled=not doubled, drop_one_word=not one_word)
    totals: list[list[int]] = [[0, 0, 0] for _ in range(7)]
    for gold, test in zip(map(tree, golds), map(tree, tests), strict=True):
        karat = reference.sentence_values(gold, test, choice)
        as_karat = [karat[f"{kind} {part}"] for part in ("gold", "system", "correct")]
        both = [
            [leaf.form for leaf in reference.leaves(one) if leaf.label not in COLLINS.deleted] for one in (gold, test)
        ]
        is_scored = bool(both[1]) and both[0] == both[1]
        every = [as_karat]
        if is_scored:
            every.append(as_karat)
            ways = [(False, one_word, doubled), (True, one_word, doubled), (True, True, doubled), (True, True, True)]
            for like_evalb, keeps_one, keeps_doubled in ways:
                how = {"like_evalb": like_evalb, "one_word": keeps_one, "doubled": keeps_doubled, "labelled": labelled}
                ours, theirs = (spans(one, COLLINS.deleted, **how) for one in (gold, test))
                if not labelled:
                    ours, theirs = ([(a, b, "") for a, b, _ in side] for side in (ours, theirs))
                every.append([len(ours), len(theirs), matched(ours, theirs, {})])
            every.append([len(ours), len(theirs), matched(ours, theirs, {"PRT": "ADVP"})])
        for total, counts in zip(totals, every, strict=False):
            total[:] = [a + b for a, b in zip(total, counts, strict=True)]
    left = [0, 1, 2, 3, *([4] if not one_word else []), *([5] if not doubled else []), *([6] if labelled else [])]
    return [(totals[place][0], totals[place][1], totals[place][2]) for place in left]


def corpora(seed: int, n: int) -> tuple[list[str], list[str]]:
    """Trees over the same words; some parses are missing, some have other tags, so that EVALB leaves them out."""
    rng = random.Random(seed)
    golds, tests = [], []
    for _ in range(n):
        words = with_traces(rng, random_words(rng))
        if rng.random() < 0.2:
            words.append(reference.Leaf(".", "."))
        gold, test = (random_tree(rng, words) for _ in range(2))
        gold = gold.replace("(VP ", rng.choice(("(VP ", "(ADVP ", "(PRT ")))
        test = test.replace("(VP ", rng.choice(("(VP ", "(ADVP ", "(PRT ")))
        if rng.random() < 0.2:
            test = test.replace("(. ", "(SYM ")
        golds.append(gold)
        tests.append("(())" if rng.random() < 0.1 else test)
    return golds, tests


@given(st.integers(0, 10_000), st.booleans(), st.booleans(), st.booleans())
@settings(max_examples=60, deadline=None)
def test_every_step_is_the_reference_s(seed: int, one_word: bool, doubled: bool, labelled: bool) -> None:
    golds, tests = corpora(seed, 12)
    options = BracketOptions(keep_one_word=one_word, keep_doubled=doubled)
    found = steps(read(golds), read(tests), options, replace(COLLINS, labelled=labelled))
    counts = [(one.gold, one.system, one.correct) for one in found]
    assert counts == reference_steps(golds, tests, one_word=one_word, doubled=doubled, labelled=labelled)


@pytest.mark.parametrize("keep_empty", [False, True])
def test_the_last_step_is_evalb_and_the_first_is_karat(keep_empty: bool) -> None:
    golds, tests = corpora(5, 40)
    gold, test = read(golds), read(tests)
    options = BracketOptions(keep_empty=keep_empty)
    found = steps(gold, test, options)
    result = evalb(gold, test)
    last = (int(one.sum()) for one in (result.gold, result.test, result.matched))
    assert (found[-1].gold, found[-1].system, found[-1].correct) == tuple(last)
    assert ("empty brackets dropped" in [one.name for one in found]) == keep_empty
    comparison = TreeComparison(paired_trees(gold, test, punctuation_named("penn")), options)
    first = comparison.labelled.items()
    assert found[0].correct == int(first["EM"].sum())
    assert found[0].gold == int(first["TTB"].sum())


@pytest.mark.parametrize("case", ["gum", "gum-unlabelled", "edge", "errors"])
def test_on_real_trees_the_last_step_is_what_evalb_printed(case: str) -> None:
    parameters = parameters_from_prm(data(f"evalb/{case}.prm").read_text(encoding="utf-8"))
    gold, test = (read_brackets(data(f"evalb/{case}.{ending}")) for ending in ("gld", "tst"))
    found = steps(gold, test, parameters=parameters)
    printed = data(f"evalb/{case}.out").read_text(encoding="utf-8")
    (line,) = [one for one in printed.split("-- len<=")[0].splitlines() if one.startswith("Bracketing FMeasure")]
    assert f"{100 * found[-1].f1:.2f}" == line.split("=")[1].strip()
    assert found[0].name == "karat"
    changes = [after.f1 - before.f1 for before, after in pairwise(found)]
    assert sum(changes) == pytest.approx(found[-1].f1 - found[0].f1, abs=1e-12)


@pytest.mark.parametrize("case", ["gum", "gum-unlabelled", "edge", "errors"])
def test_brackets_alone_are_those_of_the_whole_evaluation(case: str) -> None:
    parameters = parameters_from_prm(data(f"evalb/{case}.prm").read_text(encoding="utf-8"))
    gold, test = (read_brackets(data(f"evalb/{case}.{ending}")) for ending in ("gld", "tst"))
    whole = evalb(gold, test, parameters)
    alone = evalb_brackets(gold, test, parameters)
    assert np.array_equal(alone, [whole.status, whole.gold, whole.test, whole.matched])
