"""One tag scored for another, as tables for people: the positions, then the scores."""

from __future__ import annotations

from karat.measures.positional.tag_pair import Position, TagComparison
from karat.report.shown import percent
from karat.result import Cell, Report, Table

__all__ = ["tag_pair_report"]


def tag_pair_report(found: TagComparison) -> Report:
    """What the tag scores, why, and by which measure how much."""
    scores = ", ".join(f"{name} {100 * one.f1:.1f}" for name, one in found.measures.items())
    verdict = f"{found.system.text} where the gold has {found.gold.text}: {scores}."
    measures: list[list[Cell]] = [
        [name, percent(one.precision), percent(one.recall), percent(one.f1)] for name, one in found.measures.items()
    ]
    notes = ["P, R, F: precision, recall, F-measure, in %."]
    if any(one.right == "in part" for one in found.positions):
        notes.append("in part: several values; a side counts the share of its values that the other has too.")
    return Report([verdict], [_positions(found), Table(["measure", "P", "R", "F"], measures)], notes)


def _positions(found: TagComparison) -> Table:
    columns = ["category", "gold", "system", "right"]
    rows: list[list[Cell]] = [
        [one.category, _values(one.gold), _values(one.system), one.right] for one in found.positions
    ]
    if "WPA" in found.measures:
        columns.append("weight")
        rows = [[*row, _weight(one.weight)] for row, one in zip(rows, found.positions, strict=True)]
    if "CWPA" in found.measures:
        columns += [f"given {found.gold.pos}", f"given {found.system.pos}"]
        rows = [[*row, *_given(one)] for row, one in zip(rows, found.positions, strict=True)]
        if found.gold.pos == found.system.pos:
            columns.pop()
            rows = [row[:-1] for row in rows]
    return Table(columns, rows)


def _given(one: Position) -> list[Cell]:
    return [_weight(one.weight_given_gold), _weight(one.weight_given_system)]


def _values(values: tuple[str, ...]) -> str | None:
    return " or ".join(values) or None


def _weight(weight: float | None) -> str | None:
    return None if weight is None else f"{weight:g}"
