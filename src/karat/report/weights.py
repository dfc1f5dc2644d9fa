"""Weights of categories, as tables for people."""

from __future__ import annotations

from collections.abc import Sequence

from karat.result import Cell, Report, Table
from karat.weights import Weights


def _shown(values: Sequence[float | None]) -> list[str | None]:
    """The weights of a column, with as many decimals each: none where all are whole numbers, else three."""
    digits = 0 if all(one is None or float(one).is_integer() for one in values) else 3
    return [None if one is None else f"{one:,.{digits}f}" for one in values]


def weights_report(weights: Weights) -> Report:
    """The weights, and by part of speech where they are conditional."""
    notes = [*([f"Made by {weights.made}."] if weights.made else []), *weights.notes]
    tables = []
    if weights.absolute:
        total = sum(weights.absolute.values())
        shown = zip(weights.absolute.items(), _shown([*weights.absolute.values()]), strict=True)
        rows: list[list[Cell]] = [[name, cell, f"{100 * value / total:.1f} %"] for (name, value), cell in shown]
        tables.append(Table(["category", "weight", "share"], rows, weights.name))
    if weights.conditional:
        categories = list(dict.fromkeys(name for table in weights.conditional.values() for name in table))
        by_category = [_shown([table.get(name) for table in weights.conditional.values()]) for name in categories]
        rows = [[pos, *cells] for pos, *cells in zip(weights.conditional, *by_category, strict=True)]
        tables.append(Table(["part of speech", *categories], rows, f"{weights.name}, by part of speech"))
    return Report([], tables, notes)
