"""The scores of words in columns: what is to be scored, and one system's scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from karat._arrays import Floats
from karat.align import Alignment, align
from karat.corpus import Bad, Corpus, Source, corpus_from_source, read, read_source
from karat.corpus.constituency_trees import Trees
from karat.corpus.formats import Readable
from karat.corpus.lexicon import Lexicon, lexicon_from_corpus
from karat.corpus.readers.key import Keys
from karat.errors import DataError, Problem, UsageError
from karat.evaluation.results import MeasureScore, Skipped, SystemScores
from karat.inference.options import InferenceOptions
from karat.measures import CONLL18, EVERY_MEASURE, AlignedMeasure, Comparison, GoldUnits, Measure, measures_named
from karat.measures.splits import SPLIT_NEEDS, SPLITS, WordGroups, group_counts, groups_by, groups_by_lexicon
from karat.measures.words.confusion import CONFUSABLE
from karat.measures.words.confusion import confusions as confusions_of
from karat.signature import shown_input

if TYPE_CHECKING:
    from karat.measures.hierarchical.options import HierarchyOptions
    from karat.measures.positional.errors import TagErrorCount
    from karat.measures.positional.options import TagOptions

__all__ = ["Like", "Plan", "plan", "score_system", "several"]

Like = Literal["conll18"]
CATEGORIES = "categories"  # of rich tags: what may be confused beside columns


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """What is to be scored of words in columns, checked once for all systems."""

    measures: Sequence[AlignedMeasure]
    is_default: bool
    like: Like | None
    by: tuple[str, ...]
    confusions: tuple[str, ...]
    n_top: int
    lexicon: Lexicon | None
    lexicon_name: str
    bad: Bad
    input: str | None
    column: str
    intervals: bool
    inference: InferenceOptions
    keeps_units: bool
    tags: TagOptions | None = None
    hierarchy: HierarchyOptions | None = None

    def corpus(self, readable: Readable) -> Corpus:
        """What is to be scored, read and checked as far as the measures need it."""
        if isinstance(readable, Corpus):
            return readable
        if isinstance(readable, Trees):
            raise UsageError("trees in brackets are scored against trees in brackets")
        if isinstance(readable, Keys):
            raise UsageError("sense keys are scored against sense keys")
        source = readable if isinstance(readable, Source) else read_source(readable)
        trees, deps = (any(column in measure.needs for measure in self.measures) for column in ("head", "deps"))
        return corpus_from_source(
            source,
            input=self.input,
            tag=self.column,
            several_tags=self.tags is not None or self.hierarchy is not None,
            trees=trees,
            deps=deps,
            bad=self.bad,
        )

    def corpus_or_problems(self, readable: Readable, problems: list[Problem]) -> Corpus | None:
        """The corpus, or None and its problems added to the list."""
        try:
            return self.corpus(readable)
        except DataError as error:
            problems += error.problems
            return None

    def score_each(self, gold: Readable, systems: Sequence[tuple[str, Readable]]) -> tuple[Corpus, list[SystemScores]]:
        """The gold and the scores of each system, without intervals; a `DataError` with the problems of all inputs.

        One system's corpus is held at a time.
        """
        problems: list[Problem] = []
        ours = self.corpus_or_problems(gold, problems)
        found = []
        for name, one in systems:
            theirs = self.corpus_or_problems(one, problems)
            if ours is None or theirs is None:
                continue
            try:
                found.append(score_system(ours, theirs, self, name=name))
            except DataError as error:  # the others may have problems too
                problems += error.problems
        if problems or ours is None:
            raise DataError(problems)
        return ours, found

    def warnings(self, systems: Sequence[SystemScores]) -> Sequence[str]:
        """What must not be overlooked of the systems."""
        every = [(one.name, note) for one in systems for note in one.notes]
        return [note if len(systems) == 1 else f"{name}: {note}" for name, note in dict.fromkeys(every)]

    def settings(self, systems: Sequence[SystemScores], cluster: str | None = None) -> tuple[tuple[str, str], ...]:
        """The settings that a signature names; where intervals were made, also how and with which clusters."""
        names = dict.fromkeys(name for system in systems for name in system.measures)
        settings = [("like", self.like or "karat"), ("measures", "all" if self.is_default else ",".join(names))]
        if self.by:
            settings.append(("by", ",".join(self.by)))
        if self.confusions:
            settings.append(("confusions", ",".join(self.confusions)))
        if self.column != "upos":
            settings.append(("column", self.column))
        settings += self.tags.signed() if self.tags is not None else []
        settings += self.hierarchy.signed(list(names)) if self.hierarchy is not None else []
        if self.input:
            settings.append(("input", self.input))
        if self.lexicon is not None:
            settings.append(("lexicon", self.lexicon_name))
        if self.bad == "keep":
            settings.append(("bad", "skipped"))
        if cluster is not None:
            settings += [("cluster", cluster), *self.inference.signed()]
        return tuple(settings)


def plan(
    *,
    measures: str | Iterable[str] | None = None,
    like: Like | None = None,
    by: str | Iterable[str] = (),
    confusions: str | Iterable[str] = (),
    n_top: int = 10,
    lexicon: Readable | None = None,
    column: str = "upos",
    input: str | None = None,
    skip_bad: bool = False,
    intervals: bool | None = None,
    inference: InferenceOptions | None = None,
    default: Sequence[str] = (),
    keeps_units: bool = False,
    tags: TagOptions | None = None,
    hierarchy: HierarchyOptions | None = None,
) -> Plan:
    """The plan that the options of `score` ask for; a `UsageError` for what does not exist.

    `default` are the measures where none are named: those of them for which both sides have the columns.
    """
    if like not in (None, "conll18"):
        raise UsageError(f"no evaluator {like!r} to be like; there is conll18")
    catalogue: Mapping[str, AlignedMeasure] = CONLL18 if like else EVERY_MEASURE
    if tags is not None:
        if like:
            raise UsageError("like and a tagset do not go together")
        catalogue, default, column = {**tags.measures(), **EVERY_MEASURE}, tags.default_scores, tags.tag_column.name
    if hierarchy is not None:
        if like or tags is not None:
            raise UsageError("like and a tagset do not go together with a hierarchy")
        if hierarchy.tags is None:
            raise UsageError("words are scored by a hierarchy of their tags: say which")
        from karat.measures.hierarchical.options import DEFAULT_HIERARCHICAL

        catalogue, column = {**hierarchy.measures(), **EVERY_MEASURE}, hierarchy.column
        default = default or DEFAULT_HIERARCHICAL
    names = several(measures or ())
    if measures is not None and not names:
        raise UsageError("no measure was named")
    chosen = measures_named(names or default or catalogue, catalogue)
    splits, columns = several(by), several(confusions)
    for split in splits:
        if split not in SPLITS:
            raise UsageError(f"no split by {split!r}; there are {', '.join(SPLITS)}")
    for name in columns:
        if name == CATEGORIES:
            if tags is None:
                raise UsageError("confusions of categories need a tagset, which takes tags apart")
        elif name not in CONFUSABLE:
            raise UsageError(f"no confusions of {name!r}; there are {', '.join((*CONFUSABLE, CATEGORIES))}")
    if (lexicon is not None or set(splits) & set(SPLIT_NEEDS)) and not any(measure.of_words for measure in chosen):
        raise UsageError("a split of words needs a measure of words, such as UPOS or LAS")
    words, words_name = None, ""
    if lexicon is not None:
        if isinstance(lexicon, (Trees, Keys, Source)):
            raise UsageError("a lexicon is made from words in columns")
        corpus = lexicon if isinstance(lexicon, Corpus) else read(lexicon, input=input, tag=column, trees=False)
        if not corpus.has(column):
            raise _lacks(corpus, column, "a lexicon")
        words = lexicon_from_corpus(corpus, column)
        words_name = shown_input(corpus.path, corpus.source.sha256())
    bad: Bad = "keep" if skip_bad else "raise"
    inference = inference or InferenceOptions()
    intervals = (like is None if intervals is None else intervals) and inference.n_resamples > 0
    return Plan(
        chosen, not names and tags is None and hierarchy is None, like, splits, columns, n_top, words, words_name, bad,
        input, column, intervals, inference, keeps_units, tags, hierarchy,
    )  # fmt: skip


def several(names: str | Iterable[str]) -> tuple[str, ...]:
    """One name or several, as several."""
    return (names,) if isinstance(names, str) else tuple(names)


def score_system(gold: Corpus, system: Corpus, wanted: Plan, *, name: str) -> SystemScores:
    """The scores of one system as planned."""
    for split in (*wanted.by, *wanted.confusions):
        for corpus in (gold, system):
            if split in SPLIT_NEEDS and not corpus.has(SPLIT_NEEDS[split]):
                raise _lacks(corpus, SPLIT_NEEDS[split], f"a split by {split}")
    comparison = Comparison(align(gold, system, bad=wanted.bad))
    chosen, missing = _measurable(gold, system, wanted)
    kept = comparison.alignment.kept
    if not kept.any():
        raise DataError(Problem("K502", "no gold sentence is left to score", gold.path))
    counts = {measure.name: measure.counts(comparison)[kept] for measure in chosen}
    return SystemScores(
        name,
        system.path,
        {
            measure.name: MeasureScore.from_counts(measure, counts[measure.name].sum(axis=0), measure.said(comparison))
            for measure in chosen
        },
        counts,
        _split(chosen, comparison, wanted),
        {
            column: confusions_of(comparison, column, n_top=wanted.n_top)
            for column in wanted.confusions
            if column != CATEGORIES
        },
        _skipped(comparison.alignment),
        missing,
        system.source,
        system.format,
        system.warnings,
        _units(chosen, comparison) if wanted.keeps_units else {},
        notes=tuple(dict.fromkeys(note for measure in chosen for note in measure.notes(comparison))),
        tag_errors=_tag_errors(comparison, wanted),
        instances=wanted.hierarchy.pairs_of_words(comparison)[1] if wanted.hierarchy is not None else None,
    )


def _units(chosen: Sequence[AlignedMeasure], comparison: Comparison) -> dict[str, GoldUnits]:
    found = ((measure.name, measure.gold_units(comparison)) for measure in chosen)
    return {name: units for name, units in found if units is not None}


def _tag_errors(comparison: Comparison, wanted: Plan) -> tuple[TagErrorCount, ...]:
    """What goes wrong in rich tags, where that was asked for."""
    if wanted.tags is None or CATEGORIES not in wanted.confusions:
        return ()
    from karat.measures.positional.errors import tag_errors

    return tuple(tag_errors(comparison, wanted.tags.measures()["PA"], n_top=wanted.n_top))


def _lacks(corpus: Corpus, column: str, what: str) -> DataError:
    message = f"{what} needs {column.upper()}, which this file does not have"
    return DataError(Problem("K501", message, corpus.path, hint="ask for measures and splits of what both sides have"))


def _measurable(
    gold: Corpus, system: Corpus, wanted: Plan
) -> tuple[list[AlignedMeasure], dict[str, tuple[tuple[str, str], ...]]]:
    """The measures for which both sides have the columns; asked for by name, a measure must be among them.

    The official evaluator takes a column of nothing but `_` for annotation like any other, except HEAD.
    """
    chosen: list[AlignedMeasure] = []
    missing: dict[str, tuple[tuple[str, str], ...]] = {}
    for measure in wanted.measures:
        lacking = []
        for side, corpus in (("gold", gold), ("system", system)):
            for column in measure.needs:
                has = corpus.has(column) if column == "head" or not wanted.like else column in corpus.names
                if not has:
                    lacking.append((side, column))
        if not lacking:
            chosen.append(measure)
        elif wanted.is_default and not wanted.like:
            missing[measure.name] = tuple(lacking)
        else:
            side, column = lacking[0]
            raise _lacks(gold if side == "gold" else system, column, measure.name)
    return chosen, missing


def _split(
    chosen: Sequence[AlignedMeasure], comparison: Comparison, wanted: Plan
) -> dict[str, dict[str, dict[str, MeasureScore]]]:
    found: dict[str, dict[str, dict[str, MeasureScore]]] = {}
    for split in wanted.by:
        groups = groups_by(split, comparison)
        counts = {measure.name: group_counts(measure, comparison, groups) for measure in chosen}
        found[split] = _group_scores(chosen, groups.names, counts)
        if isinstance(groups, WordGroups):  # labels have no order of their own: the commonest first
            found[split] = dict(sorted(found[split].items(), key=lambda pair: -_size(pair[1])))
    if wanted.lexicon is not None:
        groups = groups_by_lexicon(wanted.lexicon, comparison)
        counts = {measure.name: group_counts(measure, comparison, groups) for measure in chosen}
        both = {  # the known words are the unambiguous and the ambiguous ones
            name: None if array is None else np.vstack([array[0], array[1] + array[2], array[1], array[2]])
            for name, array in counts.items()
        }
        found["lexicon"] = _group_scores(chosen, ["unknown", "known", "unambiguous", "ambiguous"], both)
    return found


def _size(scores: Mapping[str, MeasureScore]) -> int:
    """The units of the gold in a group."""
    return max(one.gold for one in scores.values())


def _group_scores(
    chosen: Sequence[Measure], names: Sequence[str], counts: Mapping[str, Floats | None]
) -> dict[str, dict[str, MeasureScore]]:
    """Group → measure → score, for the groups that occur."""
    found: dict[str, dict[str, MeasureScore]] = {name: {} for name in names}
    for measure in chosen:
        array = counts[measure.name]
        if array is not None:
            for name, row in zip(names, array, strict=True):
                if row.any():
                    found[name][measure.name] = MeasureScore.from_counts(measure, row)
    return {name: scores for name, scores in found.items() if scores}


def _skipped(alignment: Alignment) -> Skipped:
    gold, system = alignment.gold, alignment.system
    n_system = int((system.bad | alignment.system_differs).sum())
    return Skipped(int((~alignment.kept).sum()), n_system, (*gold.problems, *system.problems, *alignment.problems))
