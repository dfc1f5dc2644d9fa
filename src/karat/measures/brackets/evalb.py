"""The numbers of EVALB (Sekine & Collins), digit for digit, without its limits.

What EVALB does: words whose tag is a deleted label go; so do brackets whose label, cut at the first `-` or `=`, is
deleted, and brackets left without words. Brackets then match one to one, by span and, if LABELED, by label. Two labels
of an EQ_LABEL line are the same, but three of two lines are not (A = B and B = C make no A = C). A test bracket that
crosses any gold bracket is counted once. A sentence whose words or number of words differ is an error (status 1), one
whose test tree has no words left, so that it is no parse or one of punctuation only, is skipped (status 2); both leave
every denominator, which is why its numbers can flatter. Where the numbers of words differ because one side deletes a
quote that the other keeps, QUOTE_LABEL has it put back first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from karat._arrays import Flags, Floats, Ids, Indices
from karat._numbering import numbered_values
from karat.corpus.constituency_trees import OUTER_LABELS, TRACE, Trees
from karat.corpus.interning import Spans, interned, interned_together, same_strings
from karat.errors import DataError, Problem
from karat.measures.brackets.evalb_quotes import Quotes, put_back, repeated
from karat.measures.brackets.items import BracketComparison
from karat.measures.brackets.paired_trees import another_number, same_words
from karat.measures.brackets.preparation import Brackets, chosen_brackets, numbers_of_kept

VALID, ERROR, SKIPPED = range(3)
_LOOKED_AT = 10  # trees, by which one sees what their outermost bracket is called
_TREES_AT_ONCE = 1 << 11  # so that what is worked out on the way to the counts takes little memory
_WHOLE_NUMBER = re.compile(r"-?[0-9]{1,9}", re.ASCII)
_COUNTS = ("length", "status", "matched", "gold", "test", "crossing", "words", "correct_tags")


@dataclass(frozen=True, slots=True)
class EvalbParameters:
    """What a .prm file says."""

    labelled: bool = True
    cutoff: int = 40
    deleted: frozenset[str] = frozenset()
    deleted_for_length: frozenset[str] = frozenset()
    same_labels: tuple[tuple[str, str], ...] = ()
    same_words: tuple[tuple[str, str], ...] = ()
    quotes: frozenset[str] = frozenset()


COLLINS = EvalbParameters(
    deleted=frozenset({"TOP", "-NONE-", ",", ":", "``", "''", "."}),
    deleted_for_length=frozenset({"-NONE-"}),
    same_labels=(("ADVP", "PRT"),),
)


def parameters_from_prm(text: str, path: str = "<prm>") -> EvalbParameters:
    """The parameters in a .prm file; lines that begin with # are comments.

    DEBUG and MAX_ERROR are read and have no effect: karat lists what it finds and never gives up. So are QUOTE_TERM,
    which EVALB does not know either, and DISC_ONLY, which is another program's.
    """
    values = {"LABELED": 1, "CUTOFF_LEN": 40}
    several: dict[str, list[tuple[str, ...]]] = {
        name: [] for name in ("DELETE_LABEL", "DELETE_LABEL_FOR_LENGTH", "EQ_LABEL", "EQ_WORD", "QUOTE_LABEL")
    }
    n_arguments = {"EQ_LABEL": 2, "EQ_WORD": 2}
    for number, line in enumerate(text.split("\n"), start=1):
        name, *arguments = line.split() or ["#"]
        if name.startswith("#"):
            continue
        if name in several and len(arguments) == n_arguments.get(name, 1):
            several[name].append(tuple(arguments))
        elif name in values and len(arguments) == 1 and _WHOLE_NUMBER.fullmatch(arguments[0]):
            values[name] = int(arguments[0])
        elif name not in ("DEBUG", "MAX_ERROR", "QUOTE_TERM", "DISC_ONLY"):
            hint = f"choose from {', '.join([*values, *several])}"
            raise DataError(Problem("K711", f"not a parameter of EVALB: {line.strip()!r}", path, number, hint=hint))
    return EvalbParameters(
        labelled=bool(values["LABELED"]),
        cutoff=values["CUTOFF_LEN"],
        deleted=frozenset(one for (one,) in several["DELETE_LABEL"]),
        deleted_for_length=frozenset(one for (one,) in several["DELETE_LABEL_FOR_LENGTH"]),
        same_labels=tuple((a, b) for a, b in several["EQ_LABEL"]),
        same_words=tuple((a, b) for a, b in several["EQ_WORD"]),
        quotes=frozenset(one for (one,) in several["QUOTE_LABEL"]),
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
    """EVALB's counts of every sentence; those that are not VALID have zeros in all but length and status.

    Where `leaves_out` is False all sentences are in the test: those that are not VALID have their brackets and words,
    and nothing right; what crosses is not known of them, so that the average is over the others.
    """

    parameters: EvalbParameters
    length: Indices
    status: Indices
    matched: Indices
    gold: Indices
    test: Indices
    crossing: Indices
    words: Indices
    correct_tags: Indices
    leaves_out: bool = True

    @property
    def counted(self) -> Flags:
        """The sentences that are in the test; a line that is blank on both sides never is."""
        is_valid: Flags = self.status == VALID
        return is_valid if self.leaves_out else is_valid | (self.length > 0) | (self.test > 0)

    def values(self) -> dict[str, Floats]:
        """The counts of every sentence, 0 if it is not in the test, as `tree_counts` names them."""
        kind = "labelled" if self.parameters.labelled else "unlabelled"
        is_valid = self.status == VALID
        found = {
            f"{kind} gold": self.gold,
            f"{kind} system": self.test,
            f"{kind} correct": self.matched,
            "CE": self.crossing,
            "sentences": np.ones(len(self.status)),
            "parsed": is_valid,
            "complete": is_valid & (self.matched == self.gold) & (self.matched == self.test),
            "no crossing": is_valid & (self.crossing == 0),
            "two or fewer crossing": is_valid & (self.crossing <= 2),
            "words": self.words,
            "system words": self.words,
            "right tags": self.correct_tags,
        }
        return {name: np.where(self.counted, counts, 0).astype(np.float64) for name, counts in found.items()}

    def summary(self, *, up_to_cutoff: bool = False) -> EvalbSummary:
        """The summary of all sentences, or of those up to the cutoff length."""
        here = self.length <= self.parameters.cutoff if up_to_cutoff else np.ones(len(self.length), dtype=np.bool_)
        valid, counted = here & (self.status == VALID), here & self.counted
        n, n_valid = int(counted.sum()), int(valid.sum())
        matched, gold, test, crossing, words, tags = (
            int(counts[counted].sum())
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
            crossing / n_valid if n_valid else 0.0,
            _percent(int((valid & (self.crossing == 0)).sum()), n),
            _percent(int((valid & (self.crossing <= 2)).sum()), n),
            _percent(tags, words),
        )


def _percent(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 0.0


def evalb(gold: Trees, test: Trees, parameters: EvalbParameters = COLLINS, *, leave_out: bool = True) -> Evalb:
    """EVALB's evaluation of test trees against gold ones, tree by tree.

    If it is not to `leave_out` sentences, the gold says which words are deleted where both sides have the same words
    (traces aside), and what still differs or is missing stays in the test with nothing right.
    """
    if gold.n_trees != test.n_trees:
        raise DataError(another_number(gold, test))
    counts = np.zeros((len(_COUNTS), gold.n_trees), dtype=np.intp)
    for first, stop in _stretches(gold):
        counts[:, first:stop] = _counts(
            evalb_words(gold.between(first, stop), test.between(first, stop), parameters, leave_out=leave_out),
            parameters,
            leave_out=leave_out,
        )
    return _evalb(parameters, counts, leave_out=leave_out)


def evalb_both_ways(gold: Trees, test: Trees, parameters: EvalbParameters = COLLINS) -> tuple[Evalb, Evalb]:
    """EVALB's evaluation, and the one that leaves no sentence out: what `evalb` says either way, in less time.

    They differ in few trees, so that only these are evaluated twice.
    """
    if gold.n_trees != test.n_trees:
        raise DataError(another_number(gold, test))
    counts, every = np.zeros((2, len(_COUNTS), gold.n_trees), dtype=np.intp)
    for first, stop in _stretches(gold):
        ours, theirs = gold.between(first, stop), test.between(first, stop)
        words = evalb_words(ours, theirs, parameters)
        counts[:, first:stop] = every[:, first:stop] = _counts(words, parameters)
        again = _other_if_none_is_left_out(words, parameters)
        if again.any():
            words = evalb_words(ours.only(again), theirs.only(again), parameters, leave_out=False)
            every[:, first + np.flatnonzero(again)] = _counts(words, parameters, leave_out=False)
    return _evalb(parameters, counts), _evalb(parameters, every, leave_out=False)


def _stretches(trees: Trees) -> Iterable[tuple[int, int]]:
    return pairwise([*range(0, trees.n_trees, _TREES_AT_ONCE), trees.n_trees])


def _evalb(parameters: EvalbParameters, counts: Indices, *, leave_out: bool = True) -> Evalb:
    return Evalb(parameters, **dict(zip(_COUNTS, counts, strict=True)), leaves_out=leave_out)


def _other_if_none_is_left_out(words: EvalbWords, parameters: EvalbParameters) -> Flags:
    """The trees whose counts may be others where no sentence is left out.

    Those that are not valid, and those in which the gold, if it says which words are deleted, deletes others than the
    test itself; where quotes may have been put back, all.
    """
    if parameters.quotes:
        return np.ones(words.gold.n_trees, dtype=np.bool_)
    is_text = np.array([name != TRACE for name in words.tag_names], dtype=np.bool_)
    ours, theirs = is_text.take(words.gold_tags), is_text.take(words.test_tags)
    as_many = words.gold.tally_words(ours) == words.test.tally_words(theirs)
    ours, theirs = words_of(words.gold, as_many, ours), words_of(words.test, as_many, theirs)
    differ = words.our_words[ours] != words.their_words[theirs]
    found: Flags = words.status != VALID
    found[words.gold.word_trees[ours][differ]] = True
    return found


def evalb_brackets(gold: Trees, test: Trees, parameters: EvalbParameters = COLLINS) -> Indices:
    """Status, gold brackets, test brackets and matched ones of every tree [4 × trees]: what EVALB's F is made of.

    The same as `evalb` has, in less time: nothing of crossing brackets and tags.
    """
    counts = np.zeros((4, gold.n_trees), dtype=np.intp)
    for first, stop in _stretches(gold):
        words = evalb_words(gold.between(first, stop), test.between(first, stop), parameters)
        ours, theirs = _both_brackets(words, words.status == VALID, parameters)
        matched = matched_brackets(ours, theirs, parameters)
        counts[:, first:stop] = words.status, ours.tally(), theirs.tally(), matched
    return counts


@dataclass(frozen=True, slots=True, eq=False)
class EvalbWords:
    """The words that EVALB compares: those of both sides that are not deleted; and length and status of every tree.

    Trees are as given, or with quotes put back. Tags are numbers of `tag_names`.
    """

    gold: Trees
    test: Trees
    our_words: Flags
    their_words: Flags
    length: Indices
    status: Indices
    tag_names: list[str]
    gold_tags: Ids
    test_tags: Ids


def evalb_words(gold: Trees, test: Trees, parameters: EvalbParameters, *, leave_out: bool = True) -> EvalbWords:
    """The words that EVALB compares, of trees of which there are as many on both sides."""
    tag_names, gold_tags, test_tags = _numbered(gold.tags, test.tags)
    deleted = np.array([name in parameters.deleted for name in tag_names], dtype=np.bool_)
    our_words, their_words = ~deleted.take(gold_tags), ~deleted.take(test_tags)
    for_length = np.array([name not in parameters.deleted_for_length for name in tag_names], dtype=np.bool_)
    length = gold.tally_words(for_length.take(gold_tags))
    if not leave_out:
        their_words = _deleted_as_gold(gold, test, our_words, their_words)
    elif parameters.quotes:
        is_quote = np.array([name in parameters.quotes for name in tag_names], dtype=np.bool_)
        ours = Quotes.among(gold, our_words, is_quote.take(gold_tags))
        theirs = Quotes.among(test, their_words, is_quote.take(test_tags))
        put_back(ours, theirs)
        gold, gold_tags, our_words = repeated(gold, gold_tags, ours.times)
        test, test_tags, their_words = repeated(test, test_tags, theirs.times)
    status = _status(gold, test, our_words, their_words, parameters)
    return EvalbWords(gold, test, our_words, their_words, length, status, tag_names, gold_tags, test_tags)


def _counts(words: EvalbWords, parameters: EvalbParameters, *, leave_out: bool = True) -> list[Indices]:
    """The counts of every tree, in the order of their names."""
    gold, test = words.gold, words.test
    is_valid = words.status == VALID
    sides = _both_brackets(words, is_valid, parameters)
    matched = matched_brackets(sides[0], sides[1], parameters)
    comparison = BracketComparison(sides[0], sides[1])
    crossing = comparison.system.tally(comparison.crossing)
    our_kept, their_kept = words_of(gold, is_valid, words.our_words), words_of(test, is_valid, words.their_words)
    right = np.zeros(gold.n_words, dtype=np.bool_)
    right[our_kept] = _same(
        words.gold_tags[our_kept], words.test_tags[their_kept], words.tag_names, parameters.same_labels
    )
    if not leave_out and not is_valid.all():
        is_valid[:], our_kept = True, words.our_words
        sides = _both_brackets(words, is_valid, parameters)
    n_gold, n_test = (side.tally() for side in sides)
    n_words, n_right = gold.tally_words(our_kept), gold.tally_words(right)
    return [words.length, words.status, matched, n_gold, n_test, crossing, n_words, n_right]


def outer_labels_counted(gold: Trees, parameters: EvalbParameters) -> tuple[str, ...]:
    """The labels of brackets that only hold trees together and yet are not deleted, so that they count."""
    outermost = set(gold.labels[np.flatnonzero(gold.parents < 0)[:_LOOKED_AT]].strings())
    return tuple(sorted(outermost & OUTER_LABELS - parameters.deleted - {""}))


def _deleted_as_gold(gold: Trees, test: Trees, our_words: Flags, their_words: Flags) -> Flags:
    """The test words that are not deleted, where trees have the same words as the gold says."""
    ours, theirs = ~gold.traces, ~test.traces
    same = same_words(gold, test, ours, theirs)
    found = their_words.copy()
    found[theirs & same.take(test.word_trees)] = our_words[ours & same.take(gold.word_trees)]
    return found


def _numbered(ours: Spans, theirs: Spans) -> tuple[list[str], Ids, Ids]:
    """The distinct strings of two sides, and the number of each string on either."""
    our_ids, our_first = interned(ours)
    their_ids, their_first = interned(theirs)
    our_numbers, their_numbers = interned_together(ours[our_first], theirs[their_first])
    their_names = zip(their_numbers.tolist(), theirs[their_first].strings(), strict=True)
    names = ours[our_first].strings()
    names += [name for number, name in their_names if number >= len(names)]
    return names, our_numbers.take(our_ids), their_numbers.take(their_ids)


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
    """VALID, ERROR (other words, or another number of them) or SKIPPED (no parse, or no word left in it)."""
    n_ours, n_theirs = gold.tally_words(our_words), test.tally_words(their_words)
    status = np.where(n_theirs == 0, SKIPPED, np.where(n_ours != n_theirs, ERROR, VALID))
    comparable = status == VALID
    ours = np.flatnonzero(words_of(gold, comparable, our_words))
    theirs = np.flatnonzero(words_of(test, comparable, their_words))
    differ = np.flatnonzero(~same_strings(gold.forms[ours], test.forms[theirs]))
    ours, theirs = ours.take(differ), theirs.take(differ)
    names, our_forms, their_forms = _numbered(gold.forms[ours], test.forms[theirs])
    is_other = ~_same(our_forms, their_forms, names, parameters.same_words)
    status[np.unique(gold.word_trees.take(ours)[is_other])] = ERROR
    return status


def words_of(trees: Trees, chosen: Flags, words: Flags) -> Flags:
    """Those of the words that are in one of the chosen trees."""
    return words & np.repeat(chosen, np.diff(trees.word_offsets))


def evalb_labels(gold: Trees, test: Trees, parameters: EvalbParameters) -> tuple[tuple[str, ...], Flags, Ids, Ids]:
    """The labels as EVALB cuts them, which of them are deleted, and the number of the label of every node."""
    names, ours, theirs = _numbered(gold.labels, test.labels)
    cut: dict[str, int] = {}
    codes = numbered_values(map(_cut, names), cut)
    return tuple(cut), _deleted_labels(list(cut), parameters), codes.take(ours), codes.take(theirs)


def _both_brackets(words: EvalbWords, is_valid: Flags, parameters: EvalbParameters) -> tuple[Brackets, Brackets]:
    """The brackets of both sides that EVALB counts, over the words of valid trees."""
    names, gone, *labels = evalb_labels(words.gold, words.test, parameters)
    sides = []
    both = ((words.gold, words.our_words), (words.test, words.their_words))
    for (trees, chosen), label in zip(both, labels, strict=True):
        kept_words = words_of(trees, is_valid, chosen)
        before = numbers_of_kept(kept_words)
        kept = (before.take(trees.stop) > before.take(trees.start)) & ~gone.take(label)
        sides.append(chosen_brackets(trees, kept, kept_words, label, names))
    return sides[0], sides[1]


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


def matched_brackets(ours: Brackets, theirs: Brackets, parameters: EvalbParameters) -> Indices:
    """How many brackets match in each tree; both sides number labels by the same names."""
    names = list(ours.names)
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
