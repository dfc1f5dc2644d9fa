"""Scores with all sentences of a test, without some, and on these alone, all from the same counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from karat._arrays import Flags, Floats, Indices
from karat.corpus import Annotated, Source
from karat.evaluation.all_pairs import AllPairs
from karat.evaluation.comparison_results import PairResult
from karat.evaluation.gold_clusters import clusters_of
from karat.evaluation.plain_words import verdict
from karat.evaluation.results import MeasureScore, SystemScores
from karat.evaluation.score import with_intervals
from karat.evaluation.system_pair import System, Wanted
from karat.inference.clusters import Clusters
from karat.inference.intervals import interval_dict
from karat.inference.options import InferenceOptions
from karat.inference.resampling import Progress
from karat.measures.measure import Measure
from karat.result import attributes, plain


@dataclass(frozen=True, slots=True, eq=False)
class SystemWithout:
    """A system's scores by measure: with all sentences, `without` those left out, and `only` on these.

    What has nothing to divide by is not there.
    """

    name: str
    path: str
    source: Source | None
    format: str
    all: Mapping[str, MeasureScore]
    without: Mapping[str, MeasureScore]
    only: Mapping[str, MeasureScore]

    def to_dict(self) -> dict[str, Any]:
        """The scores as plain data."""
        digest = self.source.sha256() if self.source else None
        return {**attributes(self, "name path"), "sha256": digest, **attributes(self, "all without only")}


@dataclass(frozen=True, slots=True, eq=False)
class PairWithout:
    """Two systems by one measure, compared on all sentences and without those left out; None if none is left."""

    all: PairResult
    without: PairResult | None
    level: float

    @property
    def better(self) -> tuple[str, str]:
        """The system that is better with all sentences, and without; empty where that is not known."""
        return _better(self.all, self.level), "" if self.without is None else _better(self.without, self.level)

    @property
    def changes(self) -> bool:
        """Whether another system is known to be better, or none any more, or now one is."""
        return self.without is not None and self.better[0] != self.better[1]

    def to_dict(self) -> dict[str, Any]:
        """The pair as plain data."""
        both = {"all": self.all, "without": self.without}
        return {
            **attributes(self.all, "a b measure"),
            **{name: None if one is None else _pair_dict(one, self.level) for name, one in both.items()},
            "changes": self.changes,
        }


def _better(pair: PairResult, level: float) -> str:
    if verdict(pair, level) != "different" or pair.measured.is_neutral:
        return ""
    return pair.b if pair.b_is_ahead else pair.a


def _pair_dict(pair: PairResult, level: float) -> dict[str, Any]:
    return {
        **attributes(pair, "value_a value_b difference"),
        **interval_dict(pair.interval, "lower", "upper", "method"),
        **attributes(pair, "test p p_adjusted"),
        "verdict": verdict(pair, level),
        "better": _better(pair, level) or None,
    }


@dataclass(frozen=True, slots=True, eq=False)
class ScoresWithout:
    """The scores of systems with and without some sentences; every pair by the measures that systems are compared by.

    `cluster` is what was resampled for intervals (empty without).
    """

    systems: tuple[SystemWithout, ...] = ()
    pairs: tuple[PairWithout, ...] = ()
    cluster: str = ""
    settings: tuple[tuple[str, str], ...] = ()
    warnings: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Systems and pairs as plain data."""
        return {"systems": plain(self.systems), "pairs": plain(self.pairs)}


def scores_without(
    gold: Annotated,
    systems: Sequence[SystemScores],
    left_out: Flags,
    options: InferenceOptions,
    *,
    compared: Sequence[str],
    progress: Progress | None = None,
) -> ScoresWithout:
    """The scores of systems on a gold without the sentences that are `left_out`, beside those with all and on these.

    Pairs of systems are tested, as `karat.compare` does, by those of the measures `compared` that all have.
    """
    clusters = clusters_of(gold, options.cluster)
    every = np.arange(len(left_out))
    parts = [every, every[~left_out], every[left_out]]
    share = 1 / len(parts)
    scored = [
        _scores_on(systems, rows, clusters, options, _part_of(progress, number * share, share))
        for number, rows in enumerate(parts)
    ]
    found = [
        SystemWithout(one.name, one.path, one.source, one.format, *(part[number] for part in scored))
        for number, one in enumerate(systems)
    ]
    measures = _common(systems, compared)
    pairs: list[PairWithout] = []
    if len(systems) > 1:
        with_all, without = (_pairs(systems, rows, clusters, measures, options) for rows in parts[:2])
        known = {(one.a, one.b, one.measure): one for one in without}
        pairs = [PairWithout(one, known.get((one.a, one.b, one.measure)), options.level) for one in with_all]
    warnings = tuple(clusters.warnings()) if options.n_resamples else ()
    settings = (("cluster", clusters.signed), *options.signed())
    return ScoresWithout(tuple(found), tuple(pairs), clusters.kind if options.n_resamples else "", settings, warnings)


def _scores_on(
    systems: Sequence[SystemScores],
    rows: Indices,
    clusters: Clusters,
    options: InferenceOptions,
    progress: Progress | None,
) -> list[Mapping[str, MeasureScore]]:
    """The scores of systems on some of the sentences."""
    if not len(rows):
        return [{} for _ in systems]
    chosen = [_on(one, rows) for one in systems]
    if options.n_resamples:
        chosen = with_intervals(chosen, clusters.only(rows), options, progress)
    return [one.measures for one in chosen]


def _on(system: SystemScores, rows: Indices) -> SystemScores:
    """A system on some of the sentences, by the measures that have something to divide by there."""
    counts = {name: of[rows] for name, of in system.counts.items()}
    measures = {name: one.measure for name, one in system.measures.items() if _is_defined(one.measure, counts[name])}
    scores = {name: MeasureScore.from_counts(one, counts[name].sum(axis=0)) for name, one in measures.items()}
    return replace(system, measures=scores, counts={name: counts[name] for name in measures})


def _is_defined(measure: Measure, counts: Floats) -> bool:
    return bool(measure.sizes(counts).sum() > 0) and measure.is_defined(counts)


def _common(systems: Sequence[SystemScores], compared: Sequence[str]) -> list[Measure]:
    first = systems[0].measures
    return [first[name].measure for name in first if name in compared and all(name in one.counts for one in systems)]


def _pairs(
    systems: Sequence[SystemScores],
    rows: Indices,
    clusters: Clusters,
    measures: Sequence[Measure],
    options: InferenceOptions,
) -> list[PairResult]:
    """Every pair of systems on some of the sentences."""
    chosen = [one for one in measures if all(_is_defined(one, system.counts[one.name][rows]) for system in systems)]
    if not len(rows) or not chosen:
        return []
    entries = [System(one.name, [{name: of[rows] for name, of in one.counts.items()}]) for one in systems]
    return AllPairs(entries, clusters.only(rows), Wanted(options)).compared(chosen)[0]


def _part_of(progress: Progress | None, done: float, share: float) -> Progress | None:
    """Progress of a part of the work as progress of the whole."""
    return None if progress is None else lambda part: progress(done + share * part)
