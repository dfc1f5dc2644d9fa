"""Scores over several treebanks, as shared tasks need them: each, their sum (micro) and their mean (macro)."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from karat.corpus import Corpus, PathLike
from karat.errors import DataError, Problem, UsageError
from karat.evaluation.gold_clusters import clusters_of
from karat.evaluation.results import SCHEMA, MeasureScore, SystemScores, gold_dict, measured_records
from karat.evaluation.score import with_intervals
from karat.evaluation.task import Asked, Like
from karat.evaluation.treebank_averages import as_average, macro_counts, micro_counts, pooled_clusters
from karat.evaluation.treebank_files import Folder, paired_files, read_folders
from karat.evaluation.words import WordTask, word_task
from karat.inference.clusters import ENOUGH, Clusters
from karat.inference.intervals import Interval, interval_dict, value_interval
from karat.inference.options import InferenceOptions
from karat.inference.resampling import each
from karat.result import Result, Table, attributes, plain
from karat.signature import signature

if TYPE_CHECKING:
    from karat.measures.positional.options import TagOptions
    from karat.tagsets import TagMap


@dataclass(frozen=True, slots=True, eq=False)
class SystemOverTreebanks:
    """One system's scores on each treebank; `micro` from the summed counts, `macro` the mean of the treebanks' values.

    A treebank for which the system has no file is in `absent`, one whose file cannot be used in `unreadable`. Both are
    scored as 0.
    """

    name: str
    path: str
    treebanks: Mapping[str, SystemScores]
    micro: Mapping[str, MeasureScore]
    absent: tuple[str, ...]
    unreadable: tuple[str, ...]
    macro_intervals: Mapping[str, Interval] = field(default_factory=dict)

    @property
    def macro(self) -> dict[str, float]:
        """The mean over the treebanks, of the measures that all have."""
        every = self.treebanks.values()
        return {name: float(np.mean([one.measures[name].value for one in every])) for name in self.micro}


@dataclass(frozen=True, eq=False, repr=False)
class TreebankScores(Result):
    """The scores of systems over the treebanks of a folder; `surplus` are system files that no gold file goes with.

    `clusters` are those within each treebank, where there are intervals or tests over them.
    """

    gold_dir: str
    treebanks: Mapping[str, Corpus]
    systems: tuple[SystemOverTreebanks, ...]
    settings: tuple[tuple[str, str], ...]
    surplus: tuple[str, ...]
    clusters: Mapping[str, Clusters] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    @cached_property
    def signature(self) -> str:
        """What was measured, how and on which inputs; of a folder, the hash is that of its files' names and hashes."""
        return signature("score", self.settings, self.signed_inputs())

    @cached_property
    def pooled(self) -> Clusters:
        """The clusters of all treebanks."""
        return pooled_clusters(list(self.clusters.values()))

    @property
    def cluster(self) -> str:
        """The kind of the clusters; empty without any."""
        return self.pooled.kind if self.clusters else ""

    def signed_inputs(self) -> list[tuple[str, str, str]]:
        """The folders with a hash of their files' names and hashes, as a signature names them."""
        golds = {name: gold.source.sha256() for name, gold in self.treebanks.items()}
        inputs = [("gold", self.gold_dir, _digest(golds))]
        for system in self.systems:
            files = {name: one.source.sha256() for name, one in system.treebanks.items() if one.source}
            inputs.append(("system", system.path, _digest(files)))
        return inputs

    def gold_dict(self) -> dict[str, Any]:
        """The gold of each treebank as plain data."""
        return {"path": self.gold_dir, "treebanks": {name: gold_dict(one) for name, one in self.treebanks.items()}}

    def to_dict(self) -> dict[str, Any]:
        """The scores as plain data: `measures` are the micro averages, `macro` the means of the values."""
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "gold": self.gold_dict(),
            "skipped": {
                "gold": sum(int(one.bad.sum()) for one in self.treebanks.values()),
                "systems": {
                    system.name: sum(one.skipped.system for one in system.treebanks.values()) for system in self.systems
                },
            },
            "systems": [
                {
                    **attributes(system, "name path"),
                    "measures": plain(system.micro),
                    "macro": system.macro,
                    "macro_intervals": {name: interval_dict(one) for name, one in system.macro_intervals.items()},
                    **attributes(system, "absent unreadable"),
                    "treebanks": [{"treebank": name, **one.to_dict()} for name, one in system.treebanks.items()],
                }
                for system in self.systems
            ],
            "warnings": list(self.warnings),
        }

    def records(self) -> Table:
        """One row for each system, treebank and measure; the macro average has a value only."""
        return measured_records(self._rows(), ("name", "treebank"))

    def _rows(self) -> Iterator[tuple[Sequence[str], MeasureScore]]:
        for system in self.systems:
            for treebank, one in system.treebanks.items():
                yield from (((system.name, treebank), found) for found in one.measures.values())
            yield from (((system.name, "micro"), found) for found in system.micro.values())
            for name, value in system.macro.items():
                yield (system.name, "macro"), MeasureScore(system.micro[name].measure, value, None)


def _digest(files: Mapping[str, str]) -> str:
    lines = "".join(f"{name} {sha256}\n" for name, sha256 in sorted(files.items()))
    return hashlib.sha256(lines.encode("utf-8", "surrogateescape")).hexdigest()


def score_treebanks(
    gold_dir: PathLike,
    system_dirs: PathLike | Sequence[PathLike] | Mapping[str, PathLike],
    *,
    measures: str | Iterable[str] | None = None,
    like: Like | None = None,
    column: str = "upos",
    map: PathLike | Mapping[str, str] | TagMap | None = None,
    input: str | None = None,
    skip_bad: bool = False,
    tags: TagOptions | None = None,
    intervals: bool | None = None,
    inference: InferenceOptions | None = None,
    is_comparison: bool = False,
) -> TreebankScores:
    """The scores of each system folder against the gold folder; files are paired by name.

    A folder may be as UD's releases are: a folder for each treebank, whose test set is taken. A measure is in the
    averages where every treebank has it. Intervals are those of `score` for each treebank; those of the averages take
    treebanks as given, and are over the clusters within them. With several jobs, as many treebanks are scored at a
    time. A system's file that is missing or broken is scored as 0, unless `skip_bad` keeps what is readable of it; a
    broken gold file, or a folder that is missing, is a `DataError`. For a comparison, the measures are its own.
    """
    options = inference or InferenceOptions()
    if not (like is None if intervals is None else intervals):
        options = replace(options, n_resamples=0)
    if options.cluster not in (None, "sentence", "document"):
        raise UsageError(
            "a file of clusters works with one treebank only; for folders, resample sentences or documents"
        )
    asked = Asked(
        measures=measures, like=like, column=column, map=map, input=input, skip_bad=skip_bad, tags=tags,
        is_comparison=is_comparison,
    )  # fmt: skip
    if not isinstance(system_dirs, Mapping):
        several = [system_dirs] if isinstance(system_dirs, (str, os.PathLike)) else system_dirs
        system_dirs = {os.path.basename(os.path.abspath(one)): one for one in several}
    golds_read, *others = read_folders([gold_dir, *system_dirs.values()], with_txt=input is not None)
    gold_files = golds_read.golds()
    read = dict(zip(system_dirs, others, strict=True))
    folders = {name: paired_files(folder.files, gold_files) for name, folder in read.items()}
    paths = {name: str(folder) for name, folder in system_dirs.items()}
    every = _Folders(word_task(asked), options, paths, folders)
    found = list(each(lambda name: every.treebank(name, gold_files[name]), list(gold_files), options.jobs))
    problems = dict.fromkeys(problem for one in found for problem in one.problems)
    if problems:
        raise DataError(problems)
    systems = tuple(every.over_treebanks(name, found) for name in folders)
    scored = [one for system in systems for one in system.treebanks.values()]
    golds = {one.name: one.gold for one in found if one.gold is not None}
    clusters = {one.name: one.clusters for one in found if one.clusters is not None}
    surplus = [path for files in folders.values() for name, path in files.items() if name not in gold_files]
    settings, warnings = every.task.settings(scored), list(dict.fromkeys(every.task.warnings(scored)))
    if options.n_resamples:
        settings += [("cluster", pooled_clusters(list(clusters.values())).signed), *options.signed()]
    warnings += [*golds_read.warnings(), *_spelt_otherwise(systems, read)]
    warnings += _warnings(golds, clusters) if clusters else []
    return TreebankScores(str(gold_dir), golds, systems, tuple(settings), tuple(surplus), clusters, tuple(warnings))


def _spelt_otherwise(systems: Sequence[SystemOverTreebanks], folders: Mapping[str, Folder]) -> list[str]:
    """Which files that a system lacks are there under a name in other letters, capital or small."""
    found = [
        (one.name, treebank, folders[one.name].spelt_otherwise(treebank)) for one in systems for treebank in one.absent
    ]
    return [
        f"{name} has {other}: rename it to {treebank} to have it scored" for name, treebank, other in found if other
    ]


def _warnings(golds: Mapping[str, Corpus], clusters: Mapping[str, Clusters]) -> list[str]:
    """What `score` says of each treebank, once: that it has few documents or none; and that one has a single cluster.

    The variance within a single cluster is not known, and the sum over treebanks goes without it.
    """
    lonely = [name for name, one in clusters.items() if one.n == 1]
    others = {name: one for name, one in clusters.items() if one.n > 1}
    few = [name for name, one in others.items() if one.kind == "document" and one.effective < ENOUGH]
    single = [name for name, one in others.items() if one.kind == "sentence" and one.n_documents == 1]
    unmarked = [name for name, one in others.items() if one.kind == "sentence" and not golds[name].has_documents]
    found = {
        f"fewer than {ENOUGH} documents in {{}}: intervals are wide": few,
        "only one document in {}: sentences are treated as independent": single,
        "no documents marked in {}: sentences are treated as independent": unmarked,
        "only one sentence or document in {}: CIs of averages leave out its error": lonely,
    }
    return [what.format(_which(names)) for what, names in found.items() if names]


def _which(names: Sequence[str]) -> str:
    """Which treebanks, in few words: the name of one, the number of several."""
    return os.path.splitext(names[0])[0] if len(names) == 1 else f"{len(names)} treebanks"


@dataclass(slots=True)
class _Treebank:
    """One treebank: the gold, its clusters, each system's scores, and what is wrong with any of them."""

    name: str
    gold: Corpus | None = None
    clusters: Clusters | None = None
    systems: dict[str, SystemScores] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Folders:
    """The way of every treebank: read, score all systems, make their intervals in one pass."""

    task: WordTask
    options: InferenceOptions
    paths: Mapping[str, str]
    folders: Mapping[str, Mapping[str, str]]

    def treebank(self, name: str, path: str) -> _Treebank:
        """All systems on one treebank."""
        found = _Treebank(name)
        try:
            found.gold = self.task.read_gold(path)
        except DataError as error:
            found.problems += error.problems
            return found
        if found.gold.bad.all():  # else it would look as if no system had anything
            found.problems.append(Problem("K502", "no gold sentence is left to score", found.gold.path))
            return found
        for system in self.folders:
            try:
                found.systems[system] = self._scores(found.gold, name, system)
            except DataError as error:
                found.problems += error.problems
        if found.problems or not (self.options.n_resamples or self.task.asked.is_comparison):
            return found
        found.clusters = clusters_of(found.gold, self.options.cluster)
        if self.options.n_resamples:
            made = with_intervals(list(found.systems.values()), found.clusters, replace(self.options, jobs=1))
            found.systems = dict(zip(found.systems, made, strict=True))
        return found

    def _scores(self, gold: Corpus, treebank: str, system: str) -> SystemScores:
        """A system's scores; with a missing or a broken file nothing is right."""
        path = self.folders[system].get(treebank)
        if path is None:
            return self.task.nothing(gold, system, os.path.join(self.paths[system], treebank))
        try:
            return self.task.scores(self.task.paired(gold, self.task.read_gold(path)), system)
        except DataError as error:
            is_ours = any(problem.path == path for problem in error.problems)
            if self.task.asked.skip_bad or is_ours:
                return self.task.nothing(gold, system, path, error.problems)
            raise

    def over_treebanks(self, name: str, treebanks: Sequence[_Treebank]) -> SystemOverTreebanks:
        """A system over all treebanks, with the averages of the measures that every treebank has.

        Their intervals are over the clusters within treebanks: Student's t, whatever else is asked for.
        """
        found = {one.name: one.systems[name] for one in treebanks}
        options = replace(self.options, method="t")
        micro, macro_intervals = {}, {}
        for measure in self.task.measures:
            if not all(measure.name in one.measures for one in found.values()):
                continue
            counts = [one.counts[measure.name] for one in found.values()]
            score = MeasureScore.from_counts(measure, np.sum([one.sum(axis=0) for one in counts], axis=0))
            if options.n_resamples:
                summed = [one.clusters.summed(of) for one, of in zip(treebanks, counts, strict=True) if one.clusters]
                average, strata = as_average(measure), np.repeat(np.arange(len(summed)), [len(one) for one in summed])
                micro_interval, macro_interval = (
                    value_interval(counts_of(summed, measure), average, options, strata=strata)
                    for counts_of in (micro_counts, macro_counts)
                )
                score = replace(score, interval=micro_interval)
                macro_intervals[measure.name] = macro_interval
            micro[measure.name] = score
        absent = tuple(one for one in found if one not in self.folders[name])
        unreadable = tuple(one for one in found if found[one].source is None and one not in absent)
        return SystemOverTreebanks(name, self.paths[name], found, micro, absent, unreadable, macro_intervals)
