"""The measures of a confusion matrix as tables for people."""

from __future__ import annotations

from karat.measures.class_measures import ClassMeasures
from karat.report.shown import counted, listed
from karat.result import Cell, Report, Table

_MOST_NAMED = 5


def class_measures_report(found: ClassMeasures) -> Report:
    """Accuracy and kappa, the averages, then each class."""
    kappa = "kappa undefined" if found.kappa is None else f"kappa {found.kappa:.3f}"
    verdict = f"Accuracy {100 * found.accuracy:.1f} %, macro F1 {100 * found.macro.f1:.1f} %, {kappa} on "
    verdict += f"{counted(found.n_items, 'item')} of {len(found.classes):,} classes."
    averages: list[list[Cell]] = [
        [name, 100 * one.precision, 100 * one.recall, 100 * one.f1] for name, one in found.averages.items()
    ]
    classes: list[list[Cell]] = [
        [one.label, 100 * one.precision, 100 * one.recall, 100 * one.f1, one.gold, one.system, one.correct]
        for one in found.classes
    ]
    tables = [
        Table(["average", "P", "R", "F"], averages),
        Table(["class", "P", "R", "F", "gold", "system", "correct"], classes),
    ]
    return Report([verdict], tables, _notes(found))


def _notes(found: ClassMeasures) -> list[str]:
    notes = ["P, R, F: precision, recall, F1, in %. Micro: over all items; macro: mean of the classes; weighted: their "
             "mean by gold frequency."]  # fmt: skip
    for what, labels in (
        ("Never predicted, precision scored as 0", [one.label for one in found.classes if not one.system]),
        ("Not in the gold, recall scored as 0", [one.label for one in found.classes if not one.gold]),
        ("Left out, on neither side", list(found.unused)),
    ):
        if labels:
            notes.append(f"{what}: {listed(labels[:_MOST_NAMED], len(labels) - _MOST_NAMED)}.")
    if found.kappa is None:
        notes.append("Kappa is undefined: both sides have only one class.")
    return notes
