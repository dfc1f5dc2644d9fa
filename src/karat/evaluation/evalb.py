"""EVALB's numbers, and beside them the same with every sentence in the test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from karat.corpus import Source
from karat.corpus.constituency_trees import Trees
from karat.corpus.readers.bracket_folders import with_missing
from karat.corpus.readers.brackets import brackets_beside, brackets_from_source
from karat.errors import DataError, UsageError
from karat.evaluation.beside_evalb import NamedParameters, evalb_parameters
from karat.evaluation.results import MeasureScore, Skipped, SystemScores
from karat.evaluation.task import Asked
from karat.evaluation.trees import BracketTask, surplus_notes
from karat.measures.brackets.bracket_measures import BRACKET_MEASURES, BracketMeasure
from karat.measures.brackets.evalb import SKIPPED, VALID, Evalb, evalb_both_ways
from karat.measures.brackets.paired_trees import another_number
from karat.measures.catalogue import measures_named
from karat.result import plain

# what can be asked for of other trees' scores, as messages name it
_NOT_OF_EVALB = {
    "by": "`by`",
    "brackets": "`brackets`",
    "judgements": "`judgements`",
    "evalb_steps": "`evalb_steps`",
    "measures": "`measures`",
}


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
            "left_out": plain(self.left_out),
        }


def _blocks(result: Evalb) -> dict[str, Any]:
    return {
        "all": plain(result.summary()),
        "up_to_cutoff": {"cutoff": result.parameters.cutoff, **plain(result.summary(up_to_cutoff=True))},
    }


@dataclass(frozen=True, slots=True)
class EvalbTask(BracketTask):
    """How EVALB scores trees; its figures are measures over the sentences that it does not leave out."""

    measures: Sequence[BracketMeasure]
    asked: Asked
    parameters: NamedParameters

    def _read(self, source: Source) -> Trees:
        return brackets_from_source(source, bad=self.asked.bad, as_evalb=True)

    def _beside(self, gold: Trees, source: Source) -> Trees:
        """A system's lines, as EVALB pairs them with the gold's; its trees where only those are as many."""
        lines = self._read(source)
        if _n_paired(gold, lines) is not None:
            return lines
        trees = brackets_beside(gold, source, bad=self.asked.bad)
        blank = np.flatnonzero(gold.missing)
        return with_missing(trees, blank, gold) if trees.n_trees == gold.n_trees - len(blank) else trees

    def paired(self, gold: Trees, system: Trees) -> tuple[Trees, Trees]:
        return gold, system

    def scores(self, pair: tuple[Trees, Trees], name: str) -> SystemScores:
        gold, system = pair
        parameters = self.parameters.parameters
        n_paired = _n_paired(gold, system)
        if n_paired is None:
            raise DataError(another_number(gold, system))
        both = gold.between(0, n_paired), system.between(0, n_paired)
        result, every = evalb_both_ways(*both, parameters)
        left_out = _left_out(gold, result, every)
        unpaired = np.zeros(gold.n_trees - n_paired)  # blank lines at the end
        values = {name: np.append(counts, unpaired)[~gold.bad] for name, counts in result.values().items()}
        counts = {one: one.counts(values) for one in self.measures}
        return SystemScores(
            name,
            system.path,
            {one.name: MeasureScore.from_counts(one, found.sum(axis=0)) for one, found in counts.items()},
            {one.name: found for one, found in counts.items()},
            Skipped(int(gold.bad.sum()), len(left_out), system.problems),
            system.source,
            system.format,
            notes=surplus_notes(system),
            warnings=system.warnings,
            evalb=EvalbDetails(result, every, left_out),
        )

    def warnings(self, systems: Sequence[SystemScores]) -> list[str]:
        """That files are not scored; and of a comparison that it is not over the same sentences."""
        found = [note for one in systems for note in one.notes]
        left_out = {one.name: [which.sentence for which in one.evalb.left_out] for one in systems if one.evalb}
        if self.asked.is_comparison and len({tuple(which) for which in left_out.values()}) > 1:
            numbers = ", ".join(f"{name} {len(which):,}" for name, which in left_out.items())
            found.append(
                f"EVALB leaves out different sentences for each system ({numbers}): they are not compared on the same "
                "test; karat's own measures keep every sentence"
            )
        return found

    def settings(self, systems: Sequence[SystemScores]) -> list[tuple[str, str]]:
        return [("like", "evalb"), ("prm", self.parameters.signed)]


def evalb_task(asked: Asked) -> EvalbTask:
    """EVALB's evaluation with the parameters in a file or, without one, those of COLLINS.prm.

    All of its figures are scored; measures of a comparison are those of its figures that are named.
    """
    for name, shown in _NOT_OF_EVALB.items():
        if getattr(asked, name) and not (name == "measures" and asked.is_comparison):
            raise UsageError(f'{shown} cannot be used with `like="evalb"`')
    parameters = evalb_parameters(asked.prm)
    figures = _figures(parameters)
    names = asked.measure_names
    for one in measures_named(names, BRACKET_MEASURES):
        if one.name not in figures:
            raise UsageError(f"EVALB has no {one.name} with {parameters.shown}; choose from {', '.join(figures)}")
    chosen = measures_named(names, figures) if names else list(figures.values())
    return EvalbTask(chosen, asked, parameters)


def _figures(parameters: NamedParameters) -> dict[str, BracketMeasure]:
    """The measures that are EVALB's figures, by name, in its order."""
    kind = "Labelled" if parameters.parameters.labelled else "Unlabelled"
    names = [f"{kind} Precision", f"{kind} Recall", f"{kind} F1", "Complete Match", "Average Crossing", "No Crossing"]
    return {name: BRACKET_MEASURES[name] for name in (*names, "Two or Fewer Crossing", "Tagging Accuracy")}


def _n_paired(gold: Trees, system: Trees) -> int | None:
    """How many sentences EVALB compares; None if one side has more, and not just blank lines at its end."""
    n = min(gold.n_trees, system.n_trees)
    is_blank = all((side.missing & ~side.bad)[n:].all() for side in (gold, system))
    return n if is_blank else None


def _left_out(gold: Trees, result: Evalb, every: Evalb) -> tuple[LeftOut, ...]:
    found = []
    for sentence in np.flatnonzero((result.status != VALID) & every.counted).tolist():
        if result.status[sentence] == SKIPPED:
            why = "no parse, or no word left in it"
        elif every.status[sentence] == VALID:
            why = "other words deleted"
        else:
            why = "other words"
        found.append(LeftOut(sentence + 1, gold.sent_id(sentence), int(result.status[sentence]), why))
    return tuple(found)
