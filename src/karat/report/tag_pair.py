"""One tag scored for another, as tables for people: the positions, then the scores."""

from __future__ import annotations

from karat.measures.positional.tag_pair import Position, TagComparison
from karat.report.columns import Column, table_of
from karat.report.shown import percent
from karat.result import Cell, Report, Table

_MEANT = {
    "PA": "positional accuracy, the share of categories that are right",
    "WPA": "the same, weighted",
    "CWPA": "with weights that depend on the part of speech",
}


def tag_pair_report(found: TagComparison) -> Report:
    """What the tag scores, why, and by which measure how much."""
    scores = ", ".join(f"{name} {100 * one.f1:.1f}" for name, one in found.measures.items())
    verdict = f"{found.system.text} where the gold has {found.gold.text}: {scores}."
    measures: list[list[Cell]] = [
        [name, percent(one.precision), percent(one.recall), percent(one.f1)] for name, one in found.measures.items()
    ]
    meant = "; ".join(f"{name}: {_MEANT[name]}" for name in found.measures if name in _MEANT)
    notes = [f"P, R, F: precision, recall, F-measure, in %. {meant}."]
    if any(one.right == "in part" for one in found.positions):
        notes.append("in part: several values; a side counts the share of its values that the other has too.")
    return Report([verdict], [_positions(found), Table(["measure", "P", "R", "F"], measures)], notes)


def _positions(found: TagComparison) -> Table:
    columns: list[Column[Position]] = [
        ("category", lambda one: one.category),
        ("gold", lambda one: _values(one.gold)),
        ("system", lambda one: _values(one.system)),
        ("right", lambda one: one.right),
    ]
    if "WPA" in found.measures:
        columns.append(("weight", lambda one: _weight(one.weight)))
    if "CWPA" in found.measures:
        columns.append((f"given {found.gold.pos}", lambda one: _weight(one.weight_given_gold)))
        if found.gold.pos != found.system.pos:
            columns.append((f"given {found.system.pos}", lambda one: _weight(one.weight_given_system)))
    return table_of(found.positions, columns)


def _values(values: tuple[str, ...]) -> str | None:
    return " or ".join(values) or None


def _weight(weight: float | None) -> str | None:
    return None if weight is None else f"{weight:g}"
