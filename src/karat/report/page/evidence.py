"""What the files behind results say, sentence by sentence: which units each system has right, by measure and group."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from karat._arrays import Flags, Indices
from karat.corpus import Annotated, Corpus, Source, corpus_from_source
from karat.corpus.formats import Readable, opened
from karat.corpus.lexicon import UNKNOWN, Lexicon
from karat.errors import DataError, UsageError
from karat.evaluation.gold_clusters import clusters_of
from karat.evaluation.results import SystemScores
from karat.evaluation.task import Asked
from karat.evaluation.tasks import task_for
from karat.inference.clusters import Clusters
from karat.inference.intervals import Interval, intervals
from karat.inference.options import InferenceOptions
from karat.measures.brackets.options import BracketOptions
from karat.measures.brackets.tree_counts import TreeComparison
from karat.measures.catalogue import word_measure
from karat.measures.measure import GOLD, AlignedMeasure, GoldUnits, Measure
from karat.measures.splits import RowCounts, SentenceGroups, document_groups, groups_by, length_groups, measures_shown
from karat.measures.words.comparison import Comparison
from karat.report.shown import headlines

_LEXICON_GROUPS = ("unknown", "unambiguous", "ambiguous")  # in the order of their numbers
_CONFUSABLE = ("upos", "xpos", "deprel")
Paired = Comparison | TreeComparison


@dataclass(frozen=True, slots=True, eq=False)
class SystemEvidence:
    """One system: its scores with the units of the gold, and its output beside the gold."""

    name: str
    scores: SystemScores
    pair: Paired

    def units(self, measure: str) -> GoldUnits | None:
        return self.scores.units.get(measure)


@dataclass(frozen=True, slots=True)
class GroupScore:
    """A system's value on a group of units, with its interval."""

    value: float
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class Group:
    """A group of a split by one measure: how many units the gold has, and what each system has; None: nothing."""

    split: str
    name: str
    measure: Measure
    size: int | None
    scores: Sequence[GroupScore | None]


@dataclass(frozen=True, eq=False)
class PageEvidence:
    """One gold and the systems that were scored against it; `measures` are those that units are known for."""

    gold: Annotated
    systems: Sequence[SystemEvidence]
    measures: Sequence[str]
    splits: Sequence[str]
    confusions: Sequence[str]
    level: float
    cluster: str | None = None  # "sentence" or "document", as results had it; None chooses
    notes: Sequence[str] = ()
    lexicon: Lexicon | None = None

    @cached_property
    def clusters(self) -> Clusters:
        """What intervals are made over."""
        return clusters_of(self.gold, self.cluster)

    @property
    def has_trees(self) -> bool:
        return not isinstance(self.gold, Corpus)

    @cached_property
    def headlines(self) -> list[str]:
        """The measures, those that people look at first before the others, those without any error last."""
        units = {name: [one.units(name) for one in self.systems] for name in self.measures}
        perfect = [name for name, of in units.items() if all(one is not None and one.right.all() for one in of)]
        return headlines(self.measures, perfect)

    @cached_property
    def rows(self) -> Indices:
        """The sentences in the test."""
        return np.flatnonzero(~self.gold.bad)

    def groups(self, split: str) -> Iterator[Group]:
        """The groups of a split by each measure that it is shown by, those of documents over sentences."""
        every = [one.scores.groups.get(split, {}) for one in self.systems]
        names = dict.fromkeys(name for groups in every for name in groups)
        available = dict.fromkeys(one for groups in every for of in groups.values() for one in of)
        clusters = clusters_of(self.gold, "sentence") if split == "document" else self.clusters
        options = InferenceOptions(level=self.level)
        for measure in measures_shown(split, [one for one in self.measures if one in available]):
            for name in names:
                found = [groups.get(name, {}).get(measure) for groups in every]
                known = [one for one in found if one is not None]
                if not known:
                    continue
                size = round(float(known[0].counts[:, GOLD].sum())) if known[0].measure.has_parts else None
                scores = [None if one is None else _group_score(one, clusters.only(one.rows), options) for one in found]
                yield Group(split, name, known[0].measure, size, scores)

    def groups_of_units(self, system: SystemEvidence, split: str, units: GoldUnits) -> tuple[Sequence[str], Indices]:
        """The names of a split's groups, and the group of every unit; less than 0 where it has none."""
        if isinstance(system.pair, TreeComparison):
            return self._groups_of_brackets(system.pair, split, units)
        groups = groups_by(split, system.pair) if split != "lexicon" else None
        if groups is None:
            return _LEXICON_GROUPS, self._classes(system.pair, units)
        if isinstance(groups, SentenceGroups):
            return groups.names, groups.rows[units.rows]
        if units.words is None:
            return groups.names, np.full(len(units.rows), -1)
        return groups.names, groups.gold[units.words].astype(np.intp)

    def in_group(self, system: SystemEvidence, split: str, group: str, units: GoldUnits) -> Flags | None:
        """Which units are in a group; None if the split has no such group."""
        names, groups = self.groups_of_units(system, split, units)
        if split == "lexicon" and group == "known":  # which is made up of two others
            return groups > UNKNOWN
        return groups == names.index(group) if group in names else None

    def _classes(self, pair: Comparison, units: GoldUnits) -> Indices:
        """Whether the lexicon knows the word of a unit, with one tag or with several."""
        if self.lexicon is None or units.words is None:
            return np.full(len(units.rows), -1)
        return self.lexicon.classes(pair.gold)[units.words].astype(np.intp)

    def _groups_of_brackets(self, pair: TreeComparison, split: str, units: GoldUnits) -> tuple[Sequence[str], Indices]:
        if split == "label":
            none = np.full(len(units.rows), -1)
            return units.names, none if units.labels is None else units.labels.astype(np.intp)
        groups = document_groups(self.gold) if split == "document" else length_groups(pair.n_words.astype(np.intp))
        return groups.names, groups.rows[units.rows]


def _group_score(one: RowCounts, clusters: Clusters, options: InferenceOptions) -> GroupScore:
    (interval,) = intervals([(one.counts, one.measure)], clusters, options)
    return GroupScore(float(one.measure.value(one.counts.sum(axis=0))), interval)


def gathered(
    gold: Readable,
    systems: Sequence[tuple[str, Readable]],
    *,
    measures: Sequence[str],
    settings: Mapping[str, str],
    lexicon: Readable | None = None,
    level: float = 0.95,
) -> PageEvidence:
    """What the files say of these measures, as far as they are measures of units that can be right or wrong.

    The settings are those of the results' signature; what they say that is not understood here (a map of tags, a
    hierarchy) is left aside, and a note says so.
    """
    gold, kind = opened(gold, settings.get("input"))
    if kind not in ("columns", "brackets"):
        raise UsageError("sense keys have no sentences to show")
    asked = _asked(kind, settings)
    if kind == "columns":
        of_words = [one for one in map(_word_measure, measures) if one is not None and one.of_words]
        asked = replace(asked, measures=[one.name for one in of_words] or None)
        with_heads = not of_words or any("head" in one.needs for one in of_words)
        gold = _words(gold, asked, with_heads)
        systems = [(name, _words(one, asked, with_heads)) for name, one in systems]
        lexicon = None if lexicon is None else _words(lexicon, asked, with_heads=False)
    _, _, task = task_for(gold, systems, asked)
    ours = task.read_gold(gold)
    outputs: list[tuple[str, Any]] = [(name, task.read_system(one, ours)) for name, one in systems]
    by, confusions = _splits(ours, [one for _, one in outputs], task.measures)
    asked = replace(asked, by=by, confusions=confusions, lexicon=lexicon if kind == "columns" else None)
    _, _, task = task_for(ours, outputs, asked)
    found = []
    for name, output in outputs:
        pair = task.paired(ours, output)
        found.append(SystemEvidence(name, task.scores(pair, name), pair))
    if not found:
        return PageEvidence(ours, [], [], [], [], level)
    with_units = [one.name for one in task.measures if all(one.name in system.scores.units for system in found)]
    kept = [name for name in with_units if not measures or name in measures] or with_units[:1]
    splits = [*by, *(["lexicon"] if asked.lexicon is not None else [])]
    cluster = next((one for one in ("sentence", "document") if settings.get("cluster") == one), None)
    return PageEvidence(
        ours, found, kept, splits, confusions, level, cluster, _left_aside(settings), getattr(task, "lexicon", None)
    )


def _word_measure(name: str) -> AlignedMeasure | None:
    """The measure of words of this name; None if there is none here that can be used."""
    try:
        return word_measure(name)
    except DataError:
        return None


def _words(readable: Readable, asked: Asked, with_heads: bool) -> Readable:
    """Words in columns; those of tagged text may have several tags, which are shown as they are written."""
    if isinstance(readable, Source):
        return corpus_from_source(
            readable, input=asked.input, tag=asked.column, several_tags=True, trees=with_heads, bad=asked.bad
        )
    return readable


def _asked(kind: str, settings: Mapping[str, str]) -> Asked:
    """What the settings of a signature say of how to read and pair."""
    asked = Asked(
        column=settings.get("column", "upos"),
        input=settings.get("input"),
        skip_bad=True,  # one bad sentence should not hide the others
        is_comparison=True,
    )
    if kind == "columns":
        return asked
    punctuation = settings.get("punctuation", "penn")
    brackets = BracketOptions(
        labelled=settings.get("brackets") == "labelled",
        label=settings.get("label", ""),
        punctuation=punctuation if punctuation in ("penn", "unicode", "none") else "penn",
        keep_empty=settings.get("empty") == "kept",
        keep_doubled=settings.get("doubled") == "kept",
        keep_one_word=settings.get("one-word") == "kept",
    )
    return replace(asked, brackets=brackets)


def _left_aside(settings: Mapping[str, str]) -> list[str]:
    notes = []
    if settings.get("intervals") in ("percentile", "bca"):
        notes.append(f"Intervals of groups are jackknife t intervals, not {settings['intervals']} ones.")
    if "map" in settings:
        notes.append("Tags were mapped before they were scored; the sentences show them as the files have them.")
    if settings.get("like") in ("conll18", "evalb"):
        notes.append(f"Errors are counted as karat counts them, which may differ a little from {settings['like']}.")
    return notes


def _splits(
    gold: Annotated, systems: Sequence[Annotated], measures: Sequence[Measure]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The splits and confusions that the columns of all files allow and the measures ask for."""
    others = ["length", *(["document"] if gold.has_documents and gold.n_documents > 1 else [])]
    if not isinstance(gold, Corpus):
        return ("label", *others), ()
    corpora = [gold, *(one for one in systems if isinstance(one, Corpus))]
    needed = {column for one in measures for column in getattr(one, "needs", ())}
    columns = tuple(name for name in _CONFUSABLE if name in needed and all(one.has(name) for one in corpora))
    return (*columns, *others), columns
