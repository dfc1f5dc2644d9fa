"""EVALB's numbers for several systems, and the same with every sentence in the test."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

import karat
from karat.corpus import Bad, PathLike, Source
from karat.corpus._source import read_source
from karat.corpus.brackets import Trees
from karat.errors import Problem
from karat.inference._each_system import each_system
from karat.inference._results import MeasureScore
from karat.inference._score import Readable, Systems, named_systems
from karat.measures.bracket_measures import BRACKET_MEASURES
from karat.measures.evalb import COLLINS, SKIPPED, VALID, Evalb, EvalbParameters, evalb, parameters_from_prm
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
    """EVALB's evaluation of one system, and the one without sentences left out."""

    name: str
    source: Source
    result: Evalb
    every_sentence: Evalb
    left_out: tuple[LeftOut, ...]
    skipped: tuple[Problem, ...]
    surplus: tuple[str, ...]

    @cached_property
    def measures(self) -> dict[str, MeasureScore]:
        """EVALB's figures as measures, from its counts."""
        values = self.result.values()
        return {
            name: MeasureScore.from_counts(measure, measure.counts(values).sum(axis=0))
            for name, measure in BRACKET_MEASURES.items()
            if measure.ingredients <= set(values) and name != "Sentence Accuracy"
        }


@dataclass(frozen=True, eq=False)
class EvalbScores:
    """EVALB's evaluation of each system."""

    gold: Trees
    systems: tuple[SystemEvalb, ...]
    parameters: str

    @cached_property
    def signature(self) -> str:
        """What was measured, how and on which inputs."""
        sources = [("gold", self.gold.source), *(("system", one.source) for one in self.systems)]
        inputs = [(role, source.path, source.sha256()) for role, source in sources]
        return signature(karat.__version__, "score", [("like", "evalb"), ("prm", self.parameters)], inputs)


def score_like_evalb(
    gold: Readable, system: Systems, *, prm: PathLike | None = None, skip_bad: bool = False
) -> EvalbScores:
    """EVALB's numbers, with the parameters in a file or, without one, those of COLLINS.prm."""
    parameters, named = _parameters(prm)
    bad: Bad = "keep" if skip_bad else "raise"

    def evaluated(ours: Trees, name: str, theirs: Trees, surplus: tuple[str, ...]) -> SystemEvalb:
        result = evalb(ours, theirs, parameters)
        every = evalb(ours, theirs, parameters, leave_out=False)
        return SystemEvalb(name, theirs.source, result, every, _left_out(ours, result, every), theirs.problems, surplus)

    ours, found = each_system(gold, list(named_systems(system).items()), bad, evaluated)
    return EvalbScores(ours, tuple(found), named)


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
