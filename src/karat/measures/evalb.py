"""The numbers of EVALB (Sekine & Collins), digit for digit, without its limits.

What EVALB does: words whose tag is a deleted label go; so do brackets whose label, cut at the first `-` or `=`, is
deleted, and brackets left without words. Brackets then match one to one, by span and, if LABELED, by label. Two labels
of an EQ_LABEL line are the same, but three of two lines are not (A = B and B = C make no A = C). A test bracket that
crosses any gold bracket is counted once. A sentence whose words or number of words differ is an error (status 1), one
without a parse is skipped (status 2); both leave every denominator, which is why its numbers can flatter.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from karat._arrays import Flags, Ids, Indices
from karat.corpus._intern import Spans, interned_together
from karat.corpus.brackets import Trees
from karat.errors import DataError, Problem
from karat.measures.bracket_preparation import Brackets, chosen_brackets
from karat.measures.brackets import BracketComparison

__all__ = ["COLLINS", "Evalb", "EvalbParameters", "EvalbSummary", "evalb", "parameters_from_prm"]

VALID, ERROR, SKIPPED = range(3)


@dataclass(frozen=True, slots=True)
class EvalbParameters:
    """What a .prm file says."""

    labelled: bool = True
    cutoff: int = 40
    deleted: frozenset[str] = frozenset()
    deleted_for_length: frozenset[str] = frozenset()
    same_labels: tuple[tuple[str, str], ...] = ()
    same_words: tuple[tuple[str, str], ...] = ()


COLLINS = EvalbParameters(
    deleted=frozenset({"TOP", "-NONE-", ",", ":", "``", "''", "."}),
    deleted_for_length=frozenset({"-NONE-"}),
    same_labels=(("ADVP", "PRT"),),
)


def parameters_from_prm(text: str, path: str = "<prm>") -> EvalbParameters:
    """The parameters in a .prm file; lines that begin with # are comments.

    DEBUG, MAX_ERROR and QUOTE_LABEL are read and have no effect: karat lists what it finds and never gives up.
    """
    values = {"LABELED": 1, "CUTOFF_LEN": 40}
    several: dict[str, list[tuple[str, ...]]] = {
        name: [] for name in ("DELETE_LABEL", "DELETE_LABEL_FOR_LENGTH", "EQ_LABEL", "EQ_WORD")
    }
    n_arguments = {"EQ_LABEL": 2, "EQ_WORD": 2}
    for number, line in enumerate(text.split("\n"), start=1):
        name, *arguments = line.split() or ["#"]
        if name.startswith("#"):
            continue
        if name in several and len(arguments) == n_arguments.get(name, 1):
            several[name].append(tuple(arguments))
        elif name in values and len(arguments) == 1 and arguments[0].lstrip("-").isdecimal():
            values[name] = int(arguments[0])
        elif name not in ("DEBUG", "MAX_ERROR", "QUOTE_LABEL", "QUOTE_TERM", "DISC_ONLY"):
            hint = f"known are {', '.join([*values, *several])}"
            raise DataError(
                Problem("K711", f"not a line of EVALB's parameters: {line.strip()!r}", path, number, hint=hint)
            )
    return EvalbParameters(
        labelled=bool(values["LABELED"]),
        cutoff=values["CUTOFF_LEN"],
        deleted=frozenset(one for (one,) in several["DELETE_LABEL"]),
        deleted_for_length=frozenset(one for (one,) in several["DELETE_LABEL_FOR_LENGTH"]),
        same_labels=tuple((a, b) for a, b in several["EQ_LABEL"]),
        same_words=tuple((a, b) for a, b in several["EQ_WORD"]),
    )


@dataclass(frozen=True, slots=True)
class EvalbSummary:
    """A block of EVALB's summary: percentages, but for numbers of sentences and the average crossing."""

    n_sentences: int
    n_error: int
    n_skipped: int
    recall: float
    precision: float
    f_measure: float | None
    complete_match: float
    average_crossing: float
    no_crossing: float
    two_or_less_crossing: float
    tagging_accuracy: float

    @property
    def n_valid(self) -> int:
        return self.n_sentences - self.n_error - self.n_skipped


@dataclass(frozen=True, eq=False)
class Evalb:
    """EVALB's counts of every sentence; those that are not VALID have zeros in all but length and status."""

    parameters: EvalbParameters
    length: Indices
    status: Indices
    matched: Indices
    gold: Indices
    test: Indices
    crossing: Indices
    words: Indices
    correct_tags: Indices

    def summary(self, *, up_to_cutoff: bool = False) -> EvalbSummary:
        """The summary of all sentences, or of those up to the cutoff length."""
        here = self.length <= self.parameters.cutoff if up_to_cutoff else np.ones(len(self.length), dtype=np.bool_)
        valid = here & (self.status == VALID)
        n = int(valid.sum())
        matched, gold, test, crossing, words, tags = (
            int(counts[valid].sum())
            for counts in (self.matched, self.gold, self.test, self.crossing, self.words, self.correct_tags)
        )
        complete = int(((self.matched == self.gold) & (self.matched == self.test) & valid).sum())
        recall, precision = _percent(matched, gold), _percent(matched, test)
        return EvalbSummary(
            int(here.sum()),
            int((here & (self.status == ERROR)).sum()),
            int((here & (self.status == SKIPPED)).sum()),
            recall,
            precision,
            2 * recall * precision / (recall + precision) if recall + precision else None,
            _percent(complete, n),
            crossing / n if n else 0.0,
            _percent(int((valid & (self.crossing == 0)).sum()), n),
            _percent(int((valid & (self.crossing <= 2)).sum()), n),
            _percent(tags, words),
        )


def _percent(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 0.0


def evalb(gold: Trees, test: Trees, parameters: EvalbParameters = COLLINS) -> Evalb:
    """EVALB's evaluation of test trees against gold ones, tree by tree."""
    if gold.n_trees != test.n_trees:
        message = f"{test.n_trees:,} trees where the gold has {gold.n_trees:,}"
        raise DataError(Problem("K712", message, test.path, hint="a missing parse is an empty line or (())"))
    tag_names, gold_tags, test_tags = _numbered(gold.tags, test.tags)
    deleted = np.array([name in parameters.deleted for name in tag_names], dtype=np.bool_)
    our_words, their_words = ~deleted.take(gold_tags), ~deleted.take(test_tags)
    for_length = ~np.array([name in parameters.deleted_for_length for name in tag_names], dtype=np.bool_).take(
        gold_tags
    )
    length = np.bincount(gold.word_trees[for_length], minlength=gold.n_trees)
    status = _status(gold, test, our_words, their_words, parameters)
    is_valid = status == VALID
    names, *sides = _both_brackets(gold, test, our_words, their_words, is_valid, parameters)
    comparison = BracketComparison(sides[0], sides[1])
    matched = _matched(sides[0], sides[1], names, parameters)
    our_kept = np.flatnonzero(our_words & is_valid.take(gold.word_trees))
    their_kept = np.flatnonzero(their_words & is_valid.take(test.word_trees))
    right = _same(gold_tags.take(our_kept), test_tags.take(their_kept), tag_names, parameters.same_labels)
    rows = gold.word_trees.take(our_kept)
    return Evalb(
        parameters,
        length,
        status,
        matched,
        sides[0].tally(),
        sides[1].tally(),
        sides[1].tally(comparison.crossing),
        np.bincount(rows, minlength=gold.n_trees),
        np.bincount(rows[right], minlength=gold.n_trees),
    )


def _numbered(ours: Spans, theirs: Spans) -> tuple[list[str], Ids, Ids]:
    """The distinct strings of two sides, and the number of each string on either."""
    our_ids, their_ids = interned_together(ours, theirs)
    n = max(int(our_ids.max(initial=-1)), int(their_ids.max(initial=-1))) + 1
    names = [""] * n
    for spans, ids in ((theirs, their_ids), (ours, our_ids)):
        distinct, first = np.unique(ids, return_index=True)
        for number, name in zip(distinct.tolist(), spans[first].strings(), strict=True):
            names[number] = name
    return names, our_ids, their_ids


def _same(ours: Ids, theirs: Ids, names: list[str], pairs: Iterable[tuple[str, str]]) -> Flags:
    """Whether two numbers of names are the same or a pair of which it is said that they are."""
    same: Flags = ours == theirs
    numbers = {name: number for number, name in enumerate(names)}
    for a, b in pairs:
        if a in numbers and b in numbers:
            i, j = numbers[a], numbers[b]
            same |= ((ours == i) & (theirs == j)) | ((ours == j) & (theirs == i))
    return same


def _status(gold: Trees, test: Trees, our_words: Flags, their_words: Flags, parameters: EvalbParameters) -> Indices:
    """VALID, ERROR (other words, or another number of them) or SKIPPED (no parse)."""
    n_ours = np.bincount(gold.word_trees[our_words], minlength=gold.n_trees)
    n_theirs = np.bincount(test.word_trees[their_words], minlength=test.n_trees)
    status = np.where(test.missing, SKIPPED, np.where(n_ours != n_theirs, ERROR, VALID))
    comparable = status == VALID
    ours = np.flatnonzero(our_words & comparable.take(gold.word_trees))
    theirs = np.flatnonzero(their_words & comparable.take(test.word_trees))
    names, our_forms, their_forms = _numbered(gold.forms[ours], test.forms[theirs])
    differ = ~_same(our_forms, their_forms, names, parameters.same_words)
    status[np.unique(gold.word_trees.take(ours)[differ])] = ERROR
    return status


def _both_brackets(
    gold: Trees, test: Trees, our_words: Flags, their_words: Flags, is_valid: Flags, parameters: EvalbParameters
) -> tuple[list[str], Brackets, Brackets]:
    """The labels, and the brackets of both sides that EVALB counts, over the words of valid trees."""
    names, ours, theirs = _numbered(gold.labels, test.labels)
    cut: dict[str, int] = {}
    codes = np.array([cut.setdefault(_cut(name), len(cut)) for name in names], dtype=np.int32)
    gone = _deleted_labels(list(cut), parameters)
    sides = []
    for trees, labels, words in ((gold, ours, our_words), (test, theirs, their_words)):
        kept_words = words & is_valid.take(trees.word_trees)
        before = np.append(0, np.cumsum(kept_words, dtype=np.int32))
        label = codes.take(labels)
        kept = (before.take(trees.stop) > before.take(trees.start)) & ~gone.take(label)
        kept &= is_valid.take(trees.node_trees)
        sides.append(chosen_brackets(trees, kept, kept_words, label, tuple(cut)))
    return list(cut), sides[0], sides[1]


def _cut(label: str) -> str:
    """A label as EVALB cuts it: one that begins with a mark is cut to nothing."""
    return label.split("-")[0].split("=")[0]


def _deleted_labels(names: list[str], parameters: EvalbParameters) -> Flags:
    """Which labels are deleted: named, or the same as one that is."""
    alike = {(a, b) for pair in parameters.same_labels for a, b in (pair, pair[::-1])}
    return np.array(
        [name in parameters.deleted or any((name, one) in alike for one in parameters.deleted) for name in names],
        dtype=np.bool_,
    )


def _matched(ours: Brackets, theirs: Brackets, names: list[str], parameters: EvalbParameters) -> Indices:
    """How many brackets match in each tree."""
    if not parameters.labelled:
        return ours.tally(BracketComparison(ours, theirs).found)
    if _are_disjoint(parameters.same_labels):
        first = {b: a for a, b in parameters.same_labels}
        codes = {name: number for number, name in enumerate(names)}
        merged = np.array(
            [codes.get(first.get(name, name), number) for number, name in enumerate(names)], dtype=np.int32
        )
        relabelled = [replace(side, labels=merged.take(side.labels)) for side in (ours, theirs)]
        return ours.tally(BracketComparison(relabelled[0], relabelled[1], labelled=True).found)
    return _matched_one_by_one(ours, theirs, names, parameters)


def _are_disjoint(pairs: Iterable[tuple[str, str]]) -> bool:
    """Whether no label is in two pairs, so that being the same is an equivalence."""
    every = [name for pair in pairs for name in pair]
    return len(every) == len(set(every))


def _matched_one_by_one(ours: Brackets, theirs: Brackets, names: list[str], parameters: EvalbParameters) -> Indices:
    """The same where labels are alike in chains: each gold bracket takes the first test bracket that fits, as there."""
    alike = {(a, b) for pair in parameters.same_labels for a, b in (pair, pair[::-1])}
    waiting: dict[tuple[int, int], list[str]] = {}
    for start, stop, label in zip(theirs.start.tolist(), theirs.stop.tolist(), theirs.labels.tolist(), strict=True):
        waiting.setdefault((start, stop), []).append(names[label])
    matched = np.zeros(ours.n_trees, dtype=np.intp)
    columns = (ours.trees.tolist(), ours.start.tolist(), ours.stop.tolist(), ours.labels.tolist())
    for tree, start, stop, label in zip(*columns, strict=True):
        others = waiting.get((start, stop), [])
        fit = next((other for other in others if other == names[label] or (other, names[label]) in alike), None)
        if fit is not None:
            others.remove(fit)
            matched[tree] += 1
    return matched
