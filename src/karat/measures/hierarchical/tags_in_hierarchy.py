"""Tags in a hierarchy: the answers of gold and system, made ready to be scored, for keys and for words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from karat._arrays import Flags, Floats, Ids, Indices
from karat._ragged import Ragged
from karat.corpus import Corpus
from karat.corpus.answers import Answers, answers_from_column, normalised
from karat.corpus.formats import corpus_from_source, sniffed
from karat.corpus.readers.key import Keys, key_from_source, matched
from karat.corpus.source import read_source
from karat.errors import DataError, Problem
from karat.hierarchy import Hierarchy, flat_hierarchy, read_hierarchy
from karat.hierarchy.downward import estimated, read_downward
from karat.measures.hierarchical.leaf_probability import AnswerPairs, Spreading
from karat.measures.hierarchical.options import HierarchyOptions
from karat.measures.hierarchical.scores import HIERARCHICAL_SCORES, HierarchicalScore
from karat.measures.measure import AlignedMeasure, GoldUnits, Places
from karat.measures.words.comparison import Comparison
from karat.signature import shown_input

_MOST_NAMED = 3

PlaceOf = Callable[[int], tuple[str, int]]  # path and line of a thing


@dataclass(frozen=True, slots=True)
class Instances:
    """How many instances the gold has tagged, to how many of them the system gave an answer, and how many more."""

    gold: int
    attempted: int
    extra: int
    untagged: int = 0  # of the gold, and so not in the test

    @property
    def missing(self) -> int:
        """Gold instances without an answer."""
        return self.gold - self.attempted

    def notes(self, what: str) -> list[str]:
        """What must not be overlooked of instances, or of words."""
        found = []
        if self.untagged:
            are = "is" if self.untagged == 1 else "are"
            found.append(f"{_counted(self.untagged, f'gold {what}')} without a tag {are} not in the test")
        if self.missing:
            verb = "has no answer and counts" if self.missing == 1 else "have no answer and count"
            found.append(
                f"{_counted(self.missing, what)} {verb} as wrong (precision is over the {self.attempted:,} attempted)"
            )
        return found


def _counted(n: int, what: str) -> str:
    return f"{n:,} {what}{'s' * (n != 1)}"


class TagsInHierarchy:
    """How tags in a hierarchy are scored: the hierarchy, how probability goes down it, and answers made ready."""

    def __init__(self, options: HierarchyOptions) -> None:
        self.options = options
        self.column = options.column

    @cached_property
    def tags(self) -> Hierarchy | None:
        """The hierarchy; None where all tags are leaves."""
        given = self.options.hierarchy
        if given is None or isinstance(given, Hierarchy):
            return given
        return read_hierarchy(given, layout=self.options.layout, tree=self.options.tree)

    @cached_property
    def _downward(self) -> Floats | None:
        assert self.tags is not None
        options = self.options
        if options.downward not in (None, "distinct"):
            return read_downward(options.downward, self.tags)
        if options.learn_from is None:
            return None
        answers, place = self._learned()
        rows = self._numbered(answers, self.tags, place)
        probabilities, _ = normalised(answers)
        counts = np.zeros(len(self.tags.names))
        np.add.at(counts, rows.values, probabilities)
        return estimated(self.tags, counts, options.alpha)

    def _learned(self) -> tuple[Answers, PlaceOf]:
        """The answers in the corpus that downward probabilities are learned from."""
        assert self.options.learn_from is not None
        source = read_source(self.options.learn_from)
        if sniffed(source) == "key":
            keys = key_from_source(source)
            return keys.answers, lambda thing: (keys.path, keys.line_of(thing))
        corpus = corpus_from_source(source, tag=self.column, several_tags=True, trees=False)
        return self._of_words(corpus), _word_place(corpus)

    def spreading(self, *sides: Answers) -> Spreading:
        """How probability goes down; where there is no hierarchy, in one of all tags that any side has."""
        if self.tags is None:
            return Spreading(flat_hierarchy(list(dict.fromkeys(name for side in sides for name in side.names))))
        return Spreading(self.tags, self._downward, self.options.is_distinct)

    def _numbered(self, answers: Answers, hierarchy: Hierarchy, place: PlaceOf) -> Ragged:
        """The answers with the hierarchy's numbers for tags; a `DataError` for tags that it has not."""
        numbers = hierarchy.numbers(answers.names)
        rows = Ragged(answers.offsets, numbers.take(answers.tags))
        wrong = np.flatnonzero(rows.values < 0)
        if not len(wrong):
            return rows
        names, first = np.unique(answers.tags.take(wrong), return_index=True)
        problems = []
        for name, answer in zip(names.tolist(), wrong[first].tolist(), strict=True):
            path, line = place(int(np.searchsorted(answers.offsets, answer, side="right")) - 1)
            n = int((answers.tags == name).sum())
            often = f", here and {n - 1:,} more time{'s' * (n != 2)}" if n > 1 else ""
            message = f"the tag {answers.names[name]!r} is not in the hierarchy {hierarchy.path}{often}"
            hint = "add it there; as a top-level tag if it has no parent"
            if hierarchy.layout == "wordnet":
                hint = "WordNet has a hierarchy of nouns and verbs only: leave out instances of other words"
            problems.append(Problem("K847", message, path, line, hint=hint))
        raise DataError(sorted(problems, key=lambda one: one.line or 0))

    def _system(self, answers: Answers, hierarchy: Hierarchy, place: PlaceOf) -> tuple[Ragged, list[str]]:
        """The system's answers with probabilities that sum to 1, and what must not be overlooked of them."""
        rows = self._numbered(answers, hierarchy, place)
        probabilities, others = normalised(answers)
        notes = []
        if len(others) and self.options.strict:
            message = "the probabilities of this instance do not sum to 1"
            hint = "they are normalised without `strict=True`"
            raise DataError(Problem("K869", message, *place(thing), hint=hint) for thing in others.tolist())
        if len(others):
            some = ", ".join(str(place(thing)[1]) for thing in others[:_MOST_NAMED].tolist())
            more = ", …" if len(others) > _MOST_NAMED else ""
            what = f"{len(others):,} instance{'s' * (len(others) > 1)}"
            done = f"do not sum to 1 and were normalised (line {some}{more})"
            notes.append(f"probabilities of {what} {done}; `strict=True` refuses them")
        return replace(rows, weights=probabilities), notes

    def pairs_of_keys(self, gold: Keys, system: Keys) -> tuple[AnswerPairs, Instances, list[str]]:
        """The answers of two key files, instance by instance, and what must not be overlooked of them."""
        spreading = self.spreading(gold.answers, system.answers)
        ours = self._numbered(gold.answers, spreading.hierarchy, lambda one: (gold.path, gold.line_of(one)))
        theirs, notes = self._system(
            system.answers, spreading.hierarchy, lambda one: (system.path, system.line_of(one))
        )
        gold_places, system_places = matched(gold, system)
        in_test = (ours.sizes > 0) & ~gold.bad
        counts = Instances(
            int(in_test.sum()),
            int((in_test[gold_places] & (theirs.sizes[system_places] > 0)).sum()),
            int((~system.bad).sum() - (~system.bad[system_places]).sum()),
            int(((ours.sizes == 0) & ~gold.bad).sum()),
        )
        if not len(system_places):
            hint = "instances match if word type and instance are the same: do both files name word types alike?"
            raise DataError(Problem("K871", f"no instance in common with {gold.path}", system.path, hint=hint))
        notes += counts.notes("instance")
        if counts.extra:
            what = "answer is to an instance" if counts.extra == 1 else "answers are to instances"
            notes.append(f"{counts.extra:,} {what} that the gold has not; left out")
        n = gold.n_sentences
        pairs = self._pairs(
            ours, theirs, gold_places, system_places, np.arange(n), np.full(system.n_sentences, n), n, in_test,
            gold.type_of, spreading,
        )  # fmt: skip
        pairs.system_rows[pairs.system_places] = pairs.gold_places
        return pairs, counts, notes

    def pairs_of_words(self, comparison: Comparison) -> tuple[AnswerPairs, Instances, list[str]]:
        """The answers for words that match, made once for all scores; gold words without a tag are not in the test."""
        return comparison.kept(("answer pairs", id(self)), lambda: self._pairs_of_words(comparison))

    def _pairs_of_words(self, comparison: Comparison) -> tuple[AnswerPairs, Instances, list[str]]:
        gold, system, alignment = comparison.gold, comparison.system, comparison.alignment
        ours, theirs = self._of_words(gold), self._of_words(system)
        spreading = self.spreading(ours, theirs)
        gold_rows = self._numbered(ours, spreading.hierarchy, _word_place(gold))
        system_rows, notes = self._system(theirs, spreading.hierarchy, _word_place(system))
        kept = alignment.kept.take(gold.words_sentence)
        in_test = (gold_rows.sizes > 0) & kept
        is_attempted = in_test[alignment.gold_words] & (system_rows.sizes[alignment.system_words] > 0)
        n_untagged = int(((gold_rows.sizes == 0) & kept).sum())
        n_extra = len(system_rows.sizes) - len(alignment.system_words)
        counts = Instances(int(in_test.sum()), int(is_attempted.sum()), n_extra, n_untagged)
        pairs = self._pairs(
            gold_rows, system_rows, alignment.gold_words, alignment.system_words, gold.words_sentence,
            alignment.system_rows, comparison.n_rows, in_test, gold.column("form").ids, spreading,
        )  # fmt: skip
        return pairs, counts, notes + counts.notes("word")

    def _pairs(
        self,
        gold: Ragged,
        system: Ragged,
        gold_places: Indices,
        system_places: Indices,
        rows: Indices,
        system_rows: Indices,
        n_rows: int,
        in_test: Flags,
        types: Ids,
        spreading: Spreading,
    ) -> AnswerPairs:
        """The pairs that are in the test; all others have the row behind the last."""
        counted = in_test[gold_places]
        theirs = system_rows.astype(np.intp)
        theirs[system_places[~counted]] = n_rows
        return AnswerPairs(
            gold, system, gold_places[counted], system_places[counted], np.where(in_test, rows, n_rows), theirs, n_rows,
            in_test, types, spreading, self.options.smallest_probability,
        )  # fmt: skip

    def _of_words(self, corpus: Corpus) -> Answers:
        return answers_from_column(corpus, self.column, with_probabilities=self.options.probabilities)

    def measures(self) -> Mapping[str, HierarchicalWords]:
        """The scores as measures of words."""
        return {name: HierarchicalWords(name, self) for name in HIERARCHICAL_SCORES}

    def signed(self, names: Sequence[str]) -> list[tuple[str, str]]:
        """What a signature says of them, with these scores."""
        options = self.options
        found = [("hierarchy", self.tags.signed if self.tags is not None else "none")]
        found += [("layout", options.layout)] if options.layout else []
        found += [("tree", "yes")] if options.tree else []
        found += [("downward", "distinct leaves")] if options.is_distinct else []
        files = (("downward", None if options.is_distinct else options.downward), ("learned-from", options.learn_from))
        for role, path in files:
            if path is not None:
                source = read_source(path)
                found.append((role, shown_input(source.path, source.sha256())))
        found += [("alpha", repr(options.alpha))] if options.learn_from is not None else []
        found += [("strict", "yes")] if options.strict else []
        found += [("probabilities", "yes")] if options.probabilities else []
        if "cross_entropy" in names:
            found.append(("smallest-probability", repr(options.smallest_probability)))
        return found


def _word_place(corpus: Corpus) -> PlaceOf:
    def place(word: int) -> tuple[str, int]:
        path, line, _ = corpus.place_of_word(word)
        return path, line

    return place


class HierarchicalWords(HierarchicalScore, AlignedMeasure):
    """One score of tags in a hierarchy, as a measure of words."""

    family = HierarchicalScore.family
    of_words = True

    def __init__(self, name: str, tags: TagsInHierarchy) -> None:
        super().__init__(name)
        self.tags = tags
        self.needs = (tags.column,)

    def counts(self, comparison: Comparison) -> Floats:
        pairs, _, _ = self.tags.pairs_of_words(comparison)
        return self.tallied(pairs, pairs.rows, pairs.system_rows, pairs.n_rows)

    def grouped(self, comparison: Comparison, places: Places) -> Floats:
        pairs, _, _ = self.tags.pairs_of_words(comparison)
        rows = np.where(pairs.rows < pairs.n_rows, places.gold, places.n)
        system_rows = np.where(pairs.system_rows < pairs.n_rows, places.system, places.n)
        return self.tallied(pairs, rows, system_rows, places.n)

    def gold_units(self, comparison: Comparison) -> GoldUnits | None:
        return self.right_units(self.tags.pairs_of_words(comparison)[0])

    def notes(self, comparison: Comparison) -> list[str]:
        return self.tags.pairs_of_words(comparison)[2]

    def beyond_counts(self, comparison: Comparison) -> Mapping[str, float]:
        return self.range_of(self.tags.pairs_of_words(comparison)[0])
