"""EVALB's numbers for several systems, and the same with every sentence in the test."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

import karat
from karat.corpus import Bad, PathLike, Source
from karat.corpus.constituency_trees import Trees
from karat.corpus.source import read_source
from karat.errors import Problem
from karat.evaluation.clusters import clusters_of
from karat.evaluation.each_system import each_system
from karat.evaluation.results import MeasureScore
from karat.evaluation.scoring import Readable, Systems, named_systems
from karat.inference.intervals import measure_interval
from karat.inference.options import InferenceOptions
from karat.measures.brackets.bracket_measures import BRACKET_MEASURES
from karat.measures.brackets.evalb import COLLINS, SKIPPED, VALID, Evalb, EvalbParameters, evalb, parameters_from_prm
from karat.signature import shown_input, signature

__all__ = ["EvalbScores", "LeftOut", "SystemEvalb", "score_like_evalb"]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A sentence that EVALB leaves out of every denominator, and whether it must be for want of its words."""

    sentence: int
    sent_id: str
    status: int
    why: str


@dataclass(frozen=True, eq=False)
class SystemEvalb:
    """EVALB's evaluation of one system, the one without sentences left out, and EVALB's figures as measures."""

    name: str
    measures: Mapping[str, MeasureScore]
    source: Source
    result: Evalb
    every_sentence: Evalb
    left_out: tuple[LeftOut, ...]
    skipped: tuple[Problem, ...]
    surplus: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class EvalbScores:
    """EVALB's evaluation of each system."""

    gold: Trees
    systems: tuple[SystemEvalb, ...]
    settings: tuple[tuple[str, str], ...]
    cluster: str = ""

    @cached_property
    def signature(self) -> str:
        """What was measured, how and on which inputs."""
        sources = [("gold", self.gold.source), *(("system", one.source) for one in self.systems)]
        inputs = [(role, source.path, source.sha256()) for role, source in sources]
        return signature(karat.__version__, "score", self.settings, inputs)


def score_like_evalb(
    gold: Readable,
    system: Systems,
    *,
    prm: PathLike | None = None,
    skip_bad: bool = False,
    intervals: bool = False,
    inference: InferenceOptions | None = None,
) -> EvalbScores:
    """EVALB's numbers, with the parameters in a file or, without one, those of COLLINS.prm.

    With `intervals`, its figures have confidence intervals, over the sentences that it does not leave out.
    """
    parameters, named = _parameters(prm)
    bad: Bad = "keep" if skip_bad else "raise"
    inference = (inference or InferenceOptions()) if intervals else InferenceOptions(n_resamples=0)

    def evaluated(ours: Trees, name: str, theirs: Trees, surplus: tuple[str, ...]) -> SystemEvalb:
        result = evalb(ours, theirs, parameters)
        every = evalb(ours, theirs, parameters, leave_out=False)
        left_out = _left_out(ours, result, every)
        measures = _measures(result, ours, inference)
        return SystemEvalb(name, measures, theirs.source, result, every, left_out, theirs.problems, surplus)

    ours, found = each_system(gold, list(named_systems(system).items()), bad, evaluated)
    settings = [("like", "evalb"), ("prm", named)]
    if not inference.n_resamples:
        return EvalbScores(ours, tuple(found), tuple(settings))
    clusters = clusters_of(ours, inference.cluster)
    settings += [("cluster", clusters.signed), *inference.signed()]
    return EvalbScores(ours, tuple(found), tuple(settings), clusters.kind)


def _measures(result: Evalb, gold: Trees, inference: InferenceOptions) -> dict[str, MeasureScore]:
    """EVALB's figures as measures, from its counts."""
    kept = ~gold.bad
    values = {name: counts[kept] for name, counts in result.values().items()}
    found = {}
    for name, measure in BRACKET_MEASURES.items():
        if measure.ingredients <= set(values) and name != "Sentence Accuracy":
            counts = measure.counts(values)
            score = MeasureScore.from_counts(measure, counts.sum(axis=0))
            if inference.n_resamples:
                made = measure_interval(measure, clusters_of(gold, inference.cluster).summed(counts), inference)
                score = replace(score, interval=made)
            found[name] = score
    return found


def _parameters(prm: PathLike | None) -> tuple[EvalbParameters, str]:
    if prm is None:
        return COLLINS, "COLLINS"
    source = read_source(prm)
    return parameters_from_prm(source.text(0, source.size), source.path), shown_input(source.path, source.sha256())


def _left_out(gold: Trees, result: Evalb, every: Evalb) -> tuple[LeftOut, ...]:
    found = []
    for sentence in np.flatnonzero(result.status != VALID).tolist():
        if result.status[sentence] == SKIPPED:
            why = "no parse, or no word left in it"
        elif every.status[sentence] == VALID:
            why = "other words deleted"
        else:
            why = "other words"
        found.append(LeftOut(sentence + 1, gold.sent_id(sentence), int(result.status[sentence]), why))
    return tuple(found)
