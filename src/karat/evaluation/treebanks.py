"""Scores over several treebanks, as shared tasks need them: each, their sum (micro) and their mean (macro)."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from karat.corpus import Corpus, PathLike
from karat.errors import NO_LINE, DataError, Problem, UsageError
from karat.evaluation.gold_clusters import clusters_of
from karat.evaluation.results import (
    SCHEMA,
    MeasureScore,
    SystemScores,
    gold_dict,
    measured_records,
    measures_dict,
)
from karat.evaluation.score import with_intervals
from karat.evaluation.task import Asked, Like
from karat.evaluation.words import WordTask, word_task
from karat.inference.clusters import Clusters
from karat.inference.intervals import intervals as made_intervals
from karat.inference.options import InferenceOptions
from karat.result import Result, Table
from karat.signature import signature

if TYPE_CHECKING:
    from karat.measures.positional.options import TagOptions
    from karat.tagsets import TagMap

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
    absent: tuple[str, ...]
    unreadable: tuple[str, ...]

    @property
    def macro(self) -> dict[str, float]:
        """The mean over the treebanks, of the measures that all have."""
        every = self.treebanks.values()
        return {name: float(np.mean([one.measures[name].value for one in every])) for name in self.micro}


@dataclass(frozen=True, eq=False, repr=False)
class TreebankScores(Result):
    """The scores of systems over the treebanks of a folder; `surplus` are system files that no gold file goes with."""

    gold_dir: str
    treebanks: Mapping[str, Corpus]
    systems: tuple[SystemOverTreebanks, ...]
    settings: tuple[tuple[str, str], ...]
    surplus: tuple[str, ...]
    cluster: str = ""
    warnings: tuple[str, ...] = ()

    @cached_property
    def signature(self) -> str:
        """What was measured, how and on which inputs; of a folder, the hash is that of its files' names and hashes."""
        golds = {name: gold.source.sha256() for name, gold in self.treebanks.items()}
        inputs = [("gold", self.gold_dir, _digest(golds))]
        for system in self.systems:
            files = {name: one.source.sha256() for name, one in system.treebanks.items() if one.source}
            inputs.append(("system", system.path, _digest(files)))
        return signature("score", self.settings, inputs)

    def to_dict(self) -> dict[str, Any]:
        """The scores as plain data: `measures` are the micro averages, `macro` the means of the values."""
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "gold": {
                "path": self.gold_dir,
                "treebanks": {name: gold_dict(one) for name, one in self.treebanks.items()},
            },
            "skipped": {
                "gold": sum(int(one.bad.sum()) for one in self.treebanks.values()),
                "systems": {
                    system.name: sum(one.skipped.system for one in system.treebanks.values()) for system in self.systems
                },
            },
            "systems": [
                {
                    "name": system.name,
                    "path": system.path,
                    "measures": measures_dict(system.micro),
                    "macro": system.macro,
                    "absent": list(system.absent),
                    "unreadable": list(system.unreadable),
                    "treebanks": [{"treebank": name, **one.to_dict()} for name, one in system.treebanks.items()],
                }
                for system in self.systems
            ],
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
) -> TreebankScores:
    """The scores of each system folder against the gold folder; files are paired by name.

    A measure is in the averages where every treebank has it. Intervals are those of `score` for each treebank; for the
    micro average the clusters of all treebanks are resampled together. The macro average has none. With several jobs,
    as many treebanks are scored at a time.
    """
    options = inference or InferenceOptions()
    if not (like is None if intervals is None else intervals):
        options = replace(options, n_resamples=0)
    if options.cluster not in (None, "sentence", "document"):
        raise UsageError("a file of clusters goes with one treebank; over folders resample sentences or documents")
    asked = Asked(measures=measures, like=like, column=column, map=map, input=input, skip_bad=skip_bad, tags=tags)
    if not isinstance(system_dirs, Mapping):
        several = [system_dirs] if isinstance(system_dirs, (str, os.PathLike)) else system_dirs
        system_dirs = {os.path.basename(os.path.abspath(one)): one for one in several}
    suffixes = (*_SUFFIXES, ".txt") if input else _SUFFIXES
    gold_files = _files(gold_dir, suffixes)
    if not gold_files:
        hint = "folders of bracketed trees are given as they are: karat score GOLD-DIR SYSTEM-DIR"
        raise DataError(Problem("K104", "there is no corpus in this folder", str(gold_dir), NO_LINE, hint=hint))
    folders = {name: _files(folder, suffixes) for name, folder in system_dirs.items()}
    every = _Folders(word_task(asked), options, {name: str(folder) for name, folder in system_dirs.items()}, folders)
    found = _each(lambda name: every.treebank(name, gold_files[name]), list(gold_files), options.jobs)
    problems = dict.fromkeys(problem for one in found for problem in one.problems)
    if problems:
        raise DataError(problems)
    systems = every.over_treebanks(found)
    scored = [one for system in systems for one in system.treebanks.values()]
    settings = every.task.settings(scored)
    if options.n_resamples:
        signed = sorted({one.clusters.signed for one in found if one.clusters})
        settings += [("cluster", ",".join(signed)), *options.signed()]
    surplus = [path for files in folders.values() for name, path in files.items() if name not in gold_files]
    golds = {one.name: one.gold for one in found if one.gold is not None}
    kinds = {one.clusters.kind for one in found if one.clusters}
    cluster = kinds.pop() if len(kinds) == 1 else ""
    warnings = tuple(dict.fromkeys(every.task.warnings(scored)))
    return TreebankScores(str(gold_dir), golds, systems, tuple(settings), tuple(surplus), cluster, warnings)


@dataclass(slots=True)
class _Treebank:
    """One treebank: the gold, its clusters, each system's scores, and what is wrong with any of them."""

    name: str
    problems: list[Problem]
    gold: Corpus | None = None
    clusters: Clusters | None = None
    systems: Sequence[SystemScores] = ()
    unreadable: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class _Folders:
    """The way of every treebank: read, score all systems, make their intervals in one pass."""

    task: WordTask
    options: InferenceOptions
    paths: Mapping[str, str]
    folders: Mapping[str, Mapping[str, str]]

    def treebank(self, name: str, path: str) -> _Treebank:
        """All systems on one treebank."""
        found = _Treebank(name, [])
        try:
            found.gold = self.task.read_gold(path)
        except DataError as error:
            found.problems += error.problems
            return found
        scores, unreadable = [], []
        for system in self.folders:
            one, is_readable = self._system(found, system)
            scores.append(one)
            if not is_readable:
                unreadable.append(system)
        found.systems, found.unreadable = [one for one in scores if one is not None], unreadable
        if self.options.n_resamples and not found.problems:
            found.clusters = clusters_of(found.gold, self.options.cluster)
            found.systems = with_intervals(found.systems, found.clusters, replace(self.options, jobs=1))
        return found

    def _system(self, treebank: _Treebank, system: str) -> tuple[SystemScores | None, bool]:
        """A system's scores, and whether its file could be read; with a missing one nothing is right."""
        gold = treebank.gold
        assert gold is not None
        path = self.folders[system].get(treebank.name)
        if path is None:
            return self.task.nothing(gold, system, os.path.join(self.paths[system], treebank.name)), True
        try:
            return self.task.scores(self.task.paired(gold, self.task.read_system(path, gold)), system), True
        except DataError as error:
            if self.task.bad != "keep":
                treebank.problems += error.problems
                return None, False
            return self.task.nothing(gold, system, path, error.problems), False

    def over_treebanks(self, treebanks: Sequence[_Treebank]) -> tuple[SystemOverTreebanks, ...]:
        """Each system over all treebanks, with the averages."""
        systems = []
        for number, (name, files) in enumerate(self.folders.items()):
            found = {one.name: one.systems[number] for one in treebanks}
            absent = tuple(one.name for one in treebanks if one.name not in files)
            unreadable = tuple(one.name for one in treebanks if name in one.unreadable)
            systems.append(SystemOverTreebanks(name, self.paths[name], found, self._micro(found), absent, unreadable))
        if not self.options.n_resamples:
            return tuple(systems)
        clusters = {one.name: one.clusters for one in treebanks if one.clusters}
        wanted = [
            (np.vstack([found.counts[one.name] for found in system.treebanks.values()]), one.measure)
            for system in systems
            for one in system.micro.values()
        ]
        made = iter(made_intervals(wanted, _pooled(list(clusters.values())), self.options))
        return tuple(
            replace(one, micro={name: replace(score, interval=next(made)) for name, score in one.micro.items()})
            for one in systems
        )

    def _micro(self, found: Mapping[str, SystemScores]) -> dict[str, MeasureScore]:
        """The measures that every treebank has, from summed counts."""
        return {
            measure.name: MeasureScore.from_counts(
                measure, np.sum([one.counts[measure.name].sum(axis=0) for one in found.values()], axis=0)
            )
            for measure in self.task.measures
            if all(measure.name in one.measures for one in found.values())
        }


def _pooled(several: Sequence[Clusters]) -> Clusters:
    """The clusters of all treebanks."""
    before = np.cumsum([0, *(one.n for one in several)])
    of_sentence = np.concatenate([one.of_sentence + start for one, start in zip(several, before[:-1], strict=True)])
    return Clusters("", "", of_sentence, int(before[-1]))


_Made = TypeVar("_Made")


def _each(work: Callable[[str], _Made], names: Sequence[str], jobs: int) -> list[_Made]:
    """The work done for each name, several at a time with several jobs."""
    if jobs <= 1:
        return [work(name) for name in names]
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(work, names))


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
