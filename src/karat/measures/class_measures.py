"""Precision, recall and F1 of each class, their averages, accuracy and Cohen's kappa, from a confusion matrix alone.

All is computed as scikit-learn does, in the same order of operations, so that the two agree to the last digit. What has
nothing to divide by is scored as 0. Labels that neither side uses are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from karat._arrays import Floats
from karat.corpus import PathLike
from karat.measures.confusion_matrix import ConfusionMatrix, read_confusion_matrix
from karat.result import Cell, Result, Table
from karat.signature import signature

SCHEMA = "karat/measures-confusion/1"


@dataclass(frozen=True, slots=True)
class PrecisionRecall:
    """Precision, recall and F1 of several classes together."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class ClassScore:
    """Precision, recall and F1 of a class; how often the gold and the system have it, and how often both do."""

    label: str
    precision: float
    recall: float
    f1: float
    gold: int
    system: int
    correct: int


@dataclass(frozen=True, eq=False, repr=False)
class ClassMeasures(Result):
    """What a confusion matrix says: each class, in the matrix's order, and all together.

    `micro` is over all things, `macro` the mean of the classes, `weighted` their mean by how often the gold has them.
    `kappa` is Cohen's, None where chance leaves nothing to win. `unused` are labels that neither side has.
    """

    classes: tuple[ClassScore, ...]
    micro: PrecisionRecall
    macro: PrecisionRecall
    weighted: PrecisionRecall
    accuracy: float
    kappa: float | None
    n_items: int
    unused: tuple[str, ...]
    source: str

    @cached_property
    def signature(self) -> str:
        """What was measured, and on which file."""
        return signature("measures", [("confusion", self.source)] if self.source else [], [])

    @property
    def averages(self) -> dict[str, PrecisionRecall]:
        return {"micro": self.micro, "macro": self.macro, "weighted": self.weighted}

    def __getitem__(self, label: str) -> ClassScore:
        for one in self.classes:
            if one.label == label:
                return one
        raise KeyError(label)

    def to_dict(self) -> dict[str, Any]:
        """The measures as plain data, in the schema karat/measures-confusion/1."""
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "items": self.n_items,
            "accuracy": self.accuracy,
            "kappa": self.kappa,
            "averages": {name: asdict(one) for name, one in self.averages.items()},
            "classes": [asdict(one) for one in self.classes],
            "unused": list(self.unused),
        }

    def records(self) -> Table:
        """One row for each class, each average, accuracy and kappa."""
        columns = ["kind", "name", "precision", "recall", "f1", "gold", "system", "correct", "value"]
        rows: list[list[Cell]] = [["class", *asdict(one).values(), None] for one in self.classes]
        rows += [["average", name, *asdict(one).values(), *[None] * 4] for name, one in self.averages.items()]
        for name, value in (("accuracy", self.accuracy), ("kappa", self.kappa)):
            rows.append(["overall", name, *[None] * 6, value])
        return Table(columns, rows)

    def view(self) -> Table:
        """The classes and the averages, in percent."""
        rows: list[list[Cell]] = [
            [one.label, *_percents(one), one.gold, one.system, one.correct] for one in self.classes
        ]
        rows += [[f"{name} average", *_percents(one), None, None, None] for name, one in self.averages.items()]
        kappa = "undefined" if self.kappa is None else f"{self.kappa:.3f}"
        title = f"accuracy {100 * self.accuracy:.2f} %, kappa {kappa} on {self.n_items:,} items"
        return Table(["class", "P", "R", "F", "gold", "system", "correct"], rows, title)


def _percents(one: PrecisionRecall | ClassScore) -> list[Cell]:
    return [100 * one.precision, 100 * one.recall, 100 * one.f1]


def confusion_measures(confusion: ConfusionMatrix | Mapping[str, Mapping[str, int]] | PathLike) -> ClassMeasures:
    """Precision, recall and F1 of each class and their averages, accuracy and kappa of a confusion matrix.

    The matrix is given as a file (see `read_confusion_matrix`), or as counts by gold label and system label.

    >>> found = confusion_measures({"NOUN": {"NOUN": 8, "VERB": 2}, "VERB": {"NOUN": 1, "VERB": 9}})
    >>> found.accuracy, found["VERB"].recall
    (0.85, 0.9)
    """
    matrix = confusion if isinstance(confusion, ConfusionMatrix) else read_confusion_matrix(confusion)
    is_used = (matrix.counts.sum(axis=0) + matrix.counts.sum(axis=1)) > 0
    # sums of floats depend on their order in the last digit: scikit-learn's is that of sorted labels
    order = sorted(np.flatnonzero(is_used).tolist(), key=lambda number: matrix.labels[number])
    counts = matrix.counts[np.ix_(order, order)]
    correct, system, gold = np.diagonal(counts), counts.sum(axis=0), counts.sum(axis=1)
    each = _precision_recall_f1(correct, system, gold)
    every = zip(order, *(values.tolist() for values in each), gold.tolist(), system.tolist(), correct.tolist(),
                strict=True)  # fmt: skip
    classes = {
        number: ClassScore(matrix.labels[number], p, r, f, int(n_gold), int(n_system), int(n_correct))
        for number, p, r, f, n_gold, n_system, n_correct in every
    }
    total = counts.sum()
    micro = _precision_recall_f1(*(np.array([one.sum()]) for one in (correct, system, gold)))
    return ClassMeasures(
        classes=tuple(classes[number] for number in sorted(classes)),
        micro=PrecisionRecall(*(float(one[0]) for one in micro)),
        macro=PrecisionRecall(*(float(np.average(one)) for one in each)),
        weighted=PrecisionRecall(*(float(np.average(one, weights=gold)) for one in each)),
        accuracy=float(correct.sum() / total),
        kappa=_cohens_kappa(counts),
        n_items=int(total),
        unused=tuple(label for label, used in zip(matrix.labels, is_used.tolist(), strict=True) if not used),
        source=matrix.signed,
    )


def _precision_recall_f1(correct: Floats, system: Floats, gold: Floats) -> tuple[Floats, Floats, Floats]:
    """Of classes, from how often both sides, the system and the gold have them; 0 where there is nothing to divide."""

    def shares(above: Floats, below: Floats) -> Floats:
        return np.divide(above, below, out=np.zeros(len(above)), where=below > 0)

    return shares(correct, system), shares(correct, gold), shares(2 * correct, gold + system)


def _cohens_kappa(counts: Floats) -> float | None:
    """1 - observed / expected disagreement [Cohen 1960]; None where none is expected."""
    system, gold = counts.sum(axis=0), counts.sum(axis=1)
    expected = np.outer(system, gold) / system.sum()
    differs = 1 - np.eye(len(counts))
    disagreement = float(np.sum(differs * expected))
    return None if disagreement == 0 else float(1 - np.sum(differs * counts) / disagreement)
