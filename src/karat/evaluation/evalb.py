"""EVALB's numbers, and beside them the same with every sentence in the test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from karat.corpus import Bad, PathLike
from karat.corpus.constituency_trees import Trees
from karat.corpus.source import read_source
from karat.errors import UsageError
from karat.evaluation.results import MeasureScore, Skipped, SystemScores
from karat.evaluation.task import Asked
from karat.evaluation.trees import BracketTask, surplus_notes
from karat.measures.brackets.bracket_measures import BRACKET_MEASURES, BracketMeasure
from karat.measures.brackets.evalb import COLLINS, SKIPPED, VALID, Evalb, EvalbParameters, evalb, parameters_from_prm
from karat.signature import shown_input

__all__ = ["EvalbDetails", "EvalbTask", "LeftOut", "evalb_task"]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A sentence that EVALB leaves out of every denominator, and whether it must be for want of its words."""

    sentence: int
    sent_id: str
    status: int
    why: str


@dataclass(frozen=True, slots=True, eq=False)
class EvalbDetails:
    """EVALB's evaluation of one system, and the one without sentences left out."""

    result: Evalb
    every_sentence: Evalb
    left_out: tuple[LeftOut, ...]

    def to_dict(self) -> dict[str, Any]:
        """EVALB's figures as plain data."""
        return {
            **_blocks(self.result),
            "every_sentence": _blocks(self.every_sentence),
            "left_out": [asdict(one) for one in self.left_out],
        }


def _blocks(result: Evalb) -> dict[str, Any]:
    return {
        "all": asdict(result.summary()),
        "up_to_cutoff": {"cutoff": result.parameters.cutoff, **asdict(result.summary(up_to_cutoff=True))},
    }


@dataclass(frozen=True, slots=True)
class EvalbTask(BracketTask):
    """How EVALB scores trees; its figures are measures over the sentences that it does not leave out."""

    measures: Sequence[BracketMeasure]
    parameters: EvalbParameters
    parameters_name: str
    bad: Bad = "raise"

    def paired(self, gold: Trees, system: Trees) -> tuple[Trees, Trees]:
        return gold, system

    def scores(self, pair: tuple[Trees, Trees], name: str) -> SystemScores:
        gold, system = pair
        result = evalb(gold, system, self.parameters)
        every = evalb(gold, system, self.parameters, leave_out=False)
        left_out = _left_out(gold, result, every)
        values = {name: counts[~gold.bad] for name, counts in result.values().items()}
        counts = {one: one.counts(values) for one in self.measures if one.ingredients <= set(values)}
        return SystemScores(
            name,
            system.path,
            {one.name: MeasureScore.from_counts(one, found.sum(axis=0)) for one, found in counts.items()},
            {one.name: found for one, found in counts.items()},
            Skipped(int(gold.bad.sum()), len(left_out), system.problems),
            system.source,
            system.format,
            notes=surplus_notes(system),
            evalb=EvalbDetails(result, every, left_out),
        )

    def warnings(self, systems: Sequence[SystemScores]) -> list[str]:
        return [note for one in systems for note in one.notes]

    def settings(self, systems: Sequence[SystemScores]) -> list[tuple[str, str]]:
        return [("like", "evalb"), ("prm", self.parameters_name)]


def evalb_task(asked: Asked) -> EvalbTask:
    """EVALB's evaluation with the parameters in a file or, without one, those of COLLINS.prm."""
    for name in ("measures", "by", "brackets", "judgements"):
        if getattr(asked, name):
            raise UsageError(f"{name} does not go with like evalb")
    measures = [one for name, one in BRACKET_MEASURES.items() if name != "Sentence Accuracy"]
    return EvalbTask(measures, *_parameters(asked.prm), asked.bad)


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
