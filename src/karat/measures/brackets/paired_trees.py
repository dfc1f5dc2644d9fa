"""A system's trees beside the gold's, over the same words.

Words that do not matter are dropped on both sides. Where both sides have the same words to begin with, the gold says
which are punctuation, so that a parser that tags a comma wrongly loses nothing but the tag. Otherwise each side says so
itself. Where words still differ, or there is no parse, the system has no brackets; the gold's stay in the test.
"""

from __future__ import annotations

from dataclasses import dataclass
from unicodedata import normalize

import numpy as np

from karat._arrays import Flags, Indices
from karat.corpus.constituency_trees import Trees
from karat.corpus.interning import interned_together
from karat.errors import DataError, Problem
from karat.measures.brackets.punctuation import Punctuation


@dataclass(frozen=True, eq=False)
class TreePair:
    """Trees of both sides; which of their words are dropped; and which trees can be compared: the same words.

    `problems` tell of the trees that have other words than the gold's.
    """

    gold: Trees
    system: Trees
    gold_dropped: Flags
    system_dropped: Flags
    gold_traces: Flags
    comparable: Flags
    problems: tuple[Problem, ...]

    def kept_words(self) -> tuple[Indices, Indices]:
        """The words of comparable trees that are not dropped, of the gold and of the system: pair by pair."""
        ours = np.flatnonzero(~self.gold_dropped & self.comparable.take(self.gold.word_trees))
        return ours, np.flatnonzero(~self.system_dropped)


def paired_trees(gold: Trees, system: Trees, punctuation: Punctuation) -> TreePair:
    """The pair; a `DataError` if the system does not have a tree, or a missing parse, for each gold tree."""
    if gold.n_trees != system.n_trees:
        raise DataError(another_number(gold, system))
    our_traces, their_traces = gold.traces, system.traces
    parsed = ~system.missing & ~system.bad & ~gold.bad  # what stands where the gold is bad leaves the test with it
    same = same_words(gold, system, ~our_traces, ~their_traces) & parsed
    ours = our_traces | punctuation.of(gold)
    theirs = their_traces | punctuation.of(system)
    of_same = np.flatnonzero(same.take(system.word_trees) & ~their_traces)
    theirs[of_same] = ours[same.take(gold.word_trees) & ~our_traces]
    problems: tuple[Problem, ...] = ()
    comparable = same
    if not same[parsed].all():
        comparable = same | (parsed & same_words(gold, system, ~ours, ~theirs))
        left = np.flatnonzero(parsed & ~comparable).tolist()
        problems = tuple(_difference(gold, system, ~ours, ~theirs, tree) for tree in left)
    theirs |= ~comparable.take(system.word_trees)
    return TreePair(gold, system, ours, theirs, our_traces, comparable, problems)


def another_number(gold: Trees, system: Trees) -> Problem:
    """That a system has not one tree for each gold tree, and from where on words differ."""
    trees = "1 tree" if system.n_trees == 1 else f"{system.n_trees:,} trees"
    message = f"{trees} where the gold has {gold.n_trees:,}"
    hint = "write an empty line or (()) for a missing parse"
    ours, theirs = ~gold.traces, ~system.traces
    for tree in range(min(gold.n_trees, system.n_trees)):
        if not system.missing[tree] and _words(gold, ours, tree) != _words(system, theirs, tree):
            message += f"; sentence {system.sent_id(tree)} is the first with other words"
            return system.source.problem("K712", message, int(system.tree_places[tree]), hint=hint)
    return Problem("K712", message, system.path, hint=hint)


def _words(trees: Trees, kept: Flags, tree: int) -> list[str]:
    first, stop = trees.word_offsets[tree : tree + 2].tolist()
    return trees.forms[np.flatnonzero(kept[first:stop]) + first].strings()


def same_words(gold: Trees, system: Trees, ours: Flags, theirs: Flags) -> Flags:
    """The trees in which these words of both sides are the same."""
    same: Flags = gold.tally_words(ours) == system.tally_words(theirs)
    our_words = np.flatnonzero(ours & same.take(gold.word_trees))
    their_words = np.flatnonzero(theirs & same.take(system.word_trees))
    our_forms, their_forms = gold.forms[our_words], system.forms[their_words]
    if not our_forms.same_as(their_forms):
        our_ids, their_ids = interned_together(our_forms, their_forms)
        same[gold.word_trees.take(our_words[our_ids != their_ids])] = False
    return same


def _difference(gold: Trees, system: Trees, ours: Flags, theirs: Flags, tree: int) -> Problem:
    """The first word of a tree that is not the gold's."""
    our_words, their_words = (
        np.flatnonzero(kept[slice(*side.word_offsets[tree : tree + 2].tolist())]) + side.word_offsets[tree]
        for side, kept in ((gold, ours), (system, theirs))
    )
    our_forms, their_forms = gold.forms[our_words].strings(), system.forms[their_words].strings()
    n_same = next(
        (n for n, (a, b) in enumerate(zip(our_forms, their_forms, strict=False)) if a != b),
        min(len(our_forms), len(their_forms)),
    )
    place = int(system.tree_places[tree])
    found = wanted = "no word"
    if n_same < len(their_words):
        place, found = int(system.forms.start[their_words[n_same]]), _quoted(their_forms[n_same])
    if n_same < len(our_forms):
        wanted = _quoted(our_forms[n_same])
    if normalize("NFC", found) == normalize("NFC", wanted):
        wanted += " (they differ only in Unicode normalisation)"
    message = f"sentence {system.sent_id(tree)}: word {n_same + 1} is {found} where the gold has {wanted}"
    hint = "words are compared without punctuation; `skip_bad=True` counts this sentence as a missing parse"
    return system.source.problem("K713", message, place, hint=hint, sentence=tree)


def _quoted(word: str) -> str:
    return repr(word).replace("\\\\", "\\")
