"""Scores over several treebanks, as shared tasks need them: each, their sum (micro) and their mean (macro)."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

import karat
from karat._arrays import Floats
from karat.align import align
from karat.corpus import Corpus, PathLike
from karat.errors import DataError, Problem, UsageError
from karat.evaluation.clusters import clusters_of
from karat.evaluation.results import MeasureScore, Skipped, SystemScores
from karat.evaluation.scoring import with_intervals
from karat.evaluation.word_scores import Like, Plan, plan, score_system
from karat.inference.clusters import Clusters
from karat.inference.intervals import Interval, measure_interval
from karat.inference.options import InferenceOptions
from karat.measures import AlignedMeasure, Comparison, Measure
from karat.signature import signature

if TYPE_CHECKING:
    from karat.measures.positional.options import TagOptions

__all__ = ["SystemOverTreebanks", "TreebankScores", "score_treebanks"]

_SUFFIXES = (".conllu", ".conll", ".tsv", ".tagged", ".pos")  # not .txt: a treebank's folder has LICENSE.txt
_COMPRESSED = (".gz", ".bz2", ".xz")


@dataclass(frozen=True, slots=True, eq=False)
class SystemOverTreebanks:
    """One system's scores on each treebank; `micro` from the summed counts, `macro` the mean of the treebanks' values.

    A treebank for which the system has no file is in `absent`, one whose file cannot be used at all in `unreadable`
    (only where bad input is skipped; otherwise it is an error). Both count as wholly wrong.
    """

    name: str
    path: str
    treebanks: Mapping[str, SystemScores]
    micro: Mapping[str, MeasureScore]
    macro: Mapping[str, float]
    absent: tuple[str, ...]
    unreadable: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class TreebankScores:
    """The scores of systems over the treebanks of a folder; `surplus` are system files that no gold file goes with."""

    gold_dir: str
    treebanks: Mapping[str, Corpus]
    systems: tuple[SystemOverTreebanks, ...]
    signature: str
    surplus: tuple[str, ...]


def score_treebanks(
    gold_dir: PathLike,
    system_dirs: PathLike | Mapping[str, PathLike],
    *,
    measures: str | Iterable[str] | None = None,
    like: Like | None = None,
    column: str = "upos",
    input: str | None = None,
    skip_bad: bool = False,
    tags: TagOptions | None = None,
    intervals: bool | None = None,
    inference: InferenceOptions | None = None,
) -> TreebankScores:
    """The scores of each system folder against the gold folder; files are paired by name.

    A measure is in the averages where every treebank has it. Intervals are those of `score` for each treebank; for the
    micro average the clusters of all treebanks are resampled together. The macro average has none.
    """
    wanted = plan(
        measures=measures, like=like, column=column, input=input, skip_bad=skip_bad, intervals=intervals,
        inference=inference, tags=tags,
    )  # fmt: skip
    if wanted.inference.cluster not in (None, "sentence", "document"):
        raise UsageError("a file of clusters goes with one treebank; over folders resample sentences or documents")
    if not isinstance(system_dirs, Mapping):
        system_dirs = {os.path.basename(os.path.abspath(system_dirs)): system_dirs}
    suffixes = (*_SUFFIXES, ".txt") if input else _SUFFIXES
    gold_files = _files(gold_dir, suffixes)
    if not gold_files:
        hint = "folders of bracketed trees are given as they are: karat score GOLD-DIR SYSTEM-DIR"
        raise DataError(Problem("K104", "there is no corpus in this folder", str(gold_dir), hint=hint))
    problems: list[Problem] = []
    read_golds = {name: wanted.corpus_or_problems(path, problems) for name, path in gold_files.items()}
    golds = {name: gold for name, gold in read_golds.items() if gold is not None}
    clusters = {name: clusters_of(gold, wanted.inference.cluster) for name, gold in golds.items()}
    if problems and len(golds) < len(read_golds):
        raise DataError(problems)
    systems: list[SystemOverTreebanks] = []
    surplus: list[str] = []
    for system_name, folder in system_dirs.items():
        files = _files(folder, suffixes)
        surplus += [path for name, path in files.items() if name not in golds]
        found: dict[str, SystemScores] = {}
        unreadable: list[str] = []
        for name, gold in golds.items():
            path = files.get(name)
            if path is None:
                found[name] = _nothing(gold, wanted, system_name, os.path.join(folder, name))
                continue
            try:
                found[name] = score_system(gold, wanted.corpus(path), wanted, name=system_name)
            except DataError as error:
                if skip_bad:
                    found[name] = _nothing(gold, wanted, system_name, path, error.problems)
                    unreadable.append(name)
                else:
                    problems += error.problems
        if not problems:
            absent = tuple(name for name in golds if name not in files)
            if wanted.intervals:
                found = {name: with_intervals([one], clusters[name], wanted)[0] for name, one in found.items()}
            systems.append(
                _over_treebanks(system_name, str(folder), found, absent, tuple(unreadable), wanted, clusters)
            )
    if problems:
        raise DataError(problems)
    every = [one for system in systems for one in system.treebanks.values()]
    sources = [("gold", gold.source) for gold in golds.values()]
    sources += [("system", one.source) for one in every if one.source is not None]
    inputs = [(role, source.path, source.sha256()) for role, source in sources]
    signed = ",".join(sorted({one.signed for one in clusters.values()})) if wanted.intervals else None
    line = signature(karat.__version__, "score", wanted.settings(every, signed), inputs)
    return TreebankScores(str(gold_dir), golds, tuple(systems), line, tuple(surplus))


def _files(folder: PathLike, suffixes: tuple[str, ...]) -> dict[str, str]:
    """The corpora of a folder by the name under which they are paired: without the suffix of a compression."""
    if not os.path.isdir(folder):
        raise UsageError(f"{folder} is not a folder")
    found: dict[str, str] = {}
    for entry in sorted(os.listdir(folder)):
        base, suffix = os.path.splitext(entry)
        name = base if suffix in _COMPRESSED else entry
        if name.endswith(suffixes):
            found[name] = os.path.join(folder, entry)
    return found


def _nothing(gold: Corpus, wanted: Plan, name: str, path: str, problems: tuple[Problem, ...] = ()) -> SystemScores:
    """The scores of a system that produced nothing: the gold's units, none of them found."""
    comparison = Comparison(align(gold, gold, bad=wanted.bad))
    chosen = [measure for measure in wanted.measures if all(gold.has(column) for column in measure.needs)]
    if wanted.like:
        chosen = list(wanted.measures)
    counts: dict[str, Floats] = {}
    for measure in chosen:
        counts[measure.name] = measure.counts(comparison)[comparison.alignment.kept]
        counts[measure.name][:, 1:] = 0
    scores = {measure.name: MeasureScore.from_counts(measure, counts[measure.name].sum(axis=0)) for measure in chosen}
    return SystemScores(name, path, scores, counts, {}, {}, Skipped(0, gold.n_sentences, problems), {}, None, "", ())


def _over_treebanks(
    name: str,
    path: str,
    found: Mapping[str, SystemScores],
    absent: tuple[str, ...],
    unreadable: tuple[str, ...],
    wanted: Plan,
    clusters: Mapping[str, Clusters],
) -> SystemOverTreebanks:
    everywhere: Sequence[AlignedMeasure] = [
        measure for measure in wanted.measures if all(measure.name in one.measures for one in found.values())
    ]
    micro, macro = {}, {}
    for measure in everywhere:
        summed = np.sum([one.counts[measure.name].sum(axis=0) for one in found.values()], axis=0)
        micro[measure.name] = MeasureScore.from_counts(measure, summed)
        if wanted.intervals:
            micro[measure.name] = replace(micro[measure.name], interval=_pooled(found, measure, wanted, clusters))
        macro[measure.name] = float(np.mean([one.measures[measure.name].value for one in found.values()]))
    return SystemOverTreebanks(name, path, found, micro, macro, absent, unreadable)


def _pooled(
    found: Mapping[str, SystemScores], measure: Measure, wanted: Plan, clusters: Mapping[str, Clusters]
) -> Interval:
    """The interval of a micro average."""
    block = np.vstack([clusters[name].summed(one.counts[measure.name]) for name, one in found.items()])
    return measure_interval(measure, block, wanted.inference)
