"""Weights of categories, as tables for people."""

from __future__ import annotations

from karat.result import Cell, Report, Table
from karat.weights import Weights


def _shown(value: float) -> str:
    return f"{value:,.0f}" if value.is_integer() and value >= 10 else f"{value:.3f}"


def weights_report(weights: Weights) -> Report:
    """The weights, and by part of speech where they are conditional."""
    notes = [*([f"Made by {weights.made}."] if weights.made else []), *weights.notes]
    tables = []
    if weights.absolute:
        total = sum(weights.absolute.values())
        rows: list[list[Cell]] = [
            [name, _shown(value), f"{100 * value / total:.1f} %"] for name, value in weights.absolute.items()
        ]
        tables.append(Table(["category", "weight", "share"], rows, weights.name))
    if weights.conditional:
        categories = list(dict.fromkeys(name for table in weights.conditional.values() for name in table))
        rows = [
            [pos, *(_shown(table[name]) if name in table else None for name in categories)]
            for pos, table in weights.conditional.items()
        ]
        tables.append(Table(["part of speech", *categories], rows, f"{weights.name}, by part of speech"))
    return Report([], tables, notes)
