"""What EVALB would give where karat counts brackets in its own way, and why the two differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from karat.corpus import PathLike
from karat.corpus.source import read_source
from karat.measures.brackets.evalb import (
    COLLINS,
    VALID,
    EvalbParameters,
    evalb_brackets,
    outer_labels_counted,
    parameters_from_prm,
)
from karat.measures.brackets.evalb_steps import EvalbStep, evalb_steps
from karat.measures.brackets.tree_counts import TreeComparison
from karat.result import attributes
from karat.signature import shown_input


@dataclass(frozen=True, slots=True)
class NamedParameters:
    """EVALB's parameters, what a signature calls them and what people do."""

    parameters: EvalbParameters
    signed: str
    shown: str

    @property
    def measure(self) -> str:
        """The measure that EVALB's F is."""
        return "Labelled F1" if self.parameters.labelled else "Unlabelled F1"

    def beside(self, comparison: TreeComparison, *, with_steps: bool = False) -> BesideEvalb:
        """What EVALB would give for the trees that are compared; with steps also what each of its ways changes."""
        gold = comparison.pair.gold
        status, *counts = evalb_brackets(gold, comparison.pair.system, self.parameters)
        in_test = ~gold.bad
        scored = in_test & (status == VALID)
        n_gold, n_system, n_correct = (int(one[scored].sum()) for one in counts)
        return BesideEvalb(
            self,
            2 * n_correct / (n_gold + n_system) if n_gold + n_system else 0.0,
            int(in_test.sum()),
            int((in_test & ~scored).sum()),
            outer_labels_counted(gold, self.parameters),
            evalb_steps(comparison, self.parameters) if with_steps else (),
        )


@dataclass(frozen=True, slots=True)
class BesideEvalb:
    """EVALB's F beside karat's, from 0 to 1: the sentences that it leaves out, the outermost labels that it counts.

    `steps` lead from karat's F1 to EVALB's, where they were asked for.
    """

    named: NamedParameters
    value: float
    n_sentences: int
    n_left_out: int
    outer: tuple[str, ...]
    steps: tuple[EvalbStep, ...] = ()

    @property
    def measure(self) -> str:
        return self.named.measure

    def to_dict(self) -> dict[str, Any]:
        """EVALB's figure as plain data; each step with the F1 after it."""
        found: dict[str, Any] = {
            "parameters": self.named.signed,
            **attributes(self, "measure value"),
            "sentences": self.n_sentences,
            "left_out": self.n_left_out,
        }
        if self.steps:
            found["steps"] = [attributes(one, "name f1 gold system correct") for one in self.steps]
        return found


def evalb_parameters(prm: PathLike | None = None) -> NamedParameters:
    """The parameters in a file or, without one, those of COLLINS.prm."""
    if prm is None:
        return NamedParameters(COLLINS, "COLLINS", "COLLINS.prm")
    source = read_source(prm)
    parameters = parameters_from_prm(source.text(0, source.size), source.path)
    return NamedParameters(parameters, shown_input(source.path, source.sha256()), source.path)
