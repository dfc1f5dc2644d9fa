"""From karat's F1 of brackets to EVALB's, one difference in preparation at a time.

Each step is the F1 after one more thing is done EVALB's way, so that the changes add up to the whole difference. In
another order single changes could be of another size; their sum is the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from karat._arrays import Flags, Indices
from karat.measures.brackets.evalb import (
    VALID,
    EvalbParameters,
    EvalbWords,
    evalb_labels,
    evalb_words,
    matched_brackets,
    words_of,
)
from karat.measures.brackets.items import BracketComparison
from karat.measures.brackets.options import BracketOptions
from karat.measures.brackets.preparation import Brackets, Preparation, counted_brackets, prepared
from karat.measures.brackets.tree_counts import TreeComparison

_TREES_AT_ONCE = 1 << 10  # so that what is worked out on the way takes little memory


@dataclass(frozen=True, slots=True)
class EvalbStep:
    """What is done EVALB's way from here on, and the brackets of the gold, of the system and right ones after it."""

    name: str
    gold: int
    system: int
    correct: int

    @property
    def f1(self) -> float:
        """F1; 0 where there are no brackets."""
        total = self.gold + self.system
        return 2 * self.correct / total if total else 0.0


def evalb_steps(comparison: TreeComparison, parameters: EvalbParameters) -> tuple[EvalbStep, ...]:
    """The steps from karat's preparation, which is the first, to EVALB's, which is the last.

    Labelled F1 or, if the parameters say so, Unlabelled F1. The steps are those that the options leave to do.
    """
    options, gold = comparison.options, comparison.pair.gold
    as_asked = _items(comparison, parameters)
    without_empty = as_asked
    if options.keep_empty:
        without_empty = _items(replace(comparison, options=replace(options, keep_empty=False)), parameters)
    status, like_evalb = _like_evalb(comparison, parameters)
    in_test = ~gold.bad
    scored = in_test & (status == VALID)
    found = [
        ("karat", as_asked, in_test),
        ("sentences left out", as_asked, scored),
        *([("empty brackets dropped", without_empty, scored)] if options.keep_empty else []),
        *((name, counts, scored) for name, counts in like_evalb.items()),
    ]
    return tuple(EvalbStep(name, *_summed(counts, chosen)) for name, counts, chosen in found)


def _summed(counts: Indices, chosen: Flags) -> list[int]:
    return [int(one) for one in counts[:, chosen].sum(axis=1)]


def _items(comparison: TreeComparison, parameters: EvalbParameters) -> Indices:
    """The brackets of every tree as karat counts them [gold, system, correct × trees]."""
    compared = comparison.labelled if parameters.labelled else comparison.unlabelled
    items = compared.items()
    return np.array([items[one] for one in ("TTB", "TPB", "EM")])


def _like_evalb(comparison: TreeComparison, parameters: EvalbParameters) -> tuple[Indices, dict[str, Indices]]:
    """The status of every tree; and after each step over EVALB's words the brackets [gold, system, correct × trees]."""
    gold, system = comparison.pair.gold, comparison.pair.system
    status = np.zeros(gold.n_trees, dtype=np.intp)
    found: dict[str, Indices] = {}
    for first, stop in pairwise([*range(0, gold.n_trees, _TREES_AT_ONCE), gold.n_trees]):
        words = evalb_words(gold.between(first, stop), system.between(first, stop), parameters)
        status[first:stop] = words.status
        for name, counts in _steps(words, comparison.options, parameters):
            found.setdefault(name, np.zeros((3, gold.n_trees), dtype=np.intp))[:, first:stop] = counts
    return status, found


def _steps(
    words: EvalbWords, options: BracketOptions, parameters: EvalbParameters
) -> Iterator[tuple[str, list[Indices]]]:
    """The steps over the words that EVALB compares, each with its brackets by tree."""
    is_valid, trees = words.status == VALID, (words.gold, words.test)
    kept = words_of(words.gold, is_valid, words.our_words), words_of(words.test, is_valid, words.their_words)
    names, gone, *labels = evalb_labels(words.gold, words.test, parameters)
    how = Preparation(
        merge_doubled=not options.keep_doubled, drop_one_word=not options.keep_one_word, labelled=parameters.labelled
    )

    def brackets(how: Preparation) -> list[Brackets]:
        return [
            counted_brackets(one, chosen, label, names, how, gone.take(label))
            for one, chosen, label in zip(trees, kept, labels, strict=True)
        ]

    def counted(sides: Sequence[Brackets]) -> list[Indices]:
        found = BracketComparison(sides[0], sides[1], parameters.labelled).found
        return [sides[0].tally(), sides[1].tally(), sides[0].tally(found)]

    yield "punctuation", counted([prepared(one, ~chosen, how) for one, chosen in zip(trees, kept, strict=True)])
    yield "outer bracket, deleted labels", counted(brackets(how))
    if how.drop_one_word:
        how = replace(how, drop_one_word=False)
        yield "one-word brackets kept", counted(brackets(how))
    if how.merge_doubled:
        how = replace(how, merge_doubled=False)
        yield "doubled brackets kept", counted(brackets(how))
    if parameters.labelled and parameters.same_labels:
        ours, theirs = brackets(how)
        alike = ", ".join(f"{a} = {b}" for a, b in parameters.same_labels)
        yield f"labels {alike}", [ours.tally(), theirs.tally(), matched_brackets(ours, theirs, parameters)]
