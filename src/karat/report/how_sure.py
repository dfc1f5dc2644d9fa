"""Of every interval what most readers skip: how many clusters it rests on, and what they are worth."""

from __future__ import annotations

from collections.abc import Iterable

from karat.inference.intervals import Interval
from karat.report.shown import shown_method
from karat.result import Cell, Table

__all__ = ["how_sure_table"]


def how_sure_table(made: Iterable[tuple[str, str, Interval | None]]) -> list[Table]:
    """A row for each interval, given of what it is (a system, or a pair) and by which measure; no table of none."""
    rows: list[list[Cell]] = []
    for of, measure, one in made:
        if one is not None:
            worth = None if one.effective_clusters is None else f"{one.effective_clusters:.1f}"
            rows.append([of, measure, one.n_clusters, worth, one.note or shown_method(one, "")])
    notes = ["In effect: how many clusters of the same size they are worth, (Σn)²/Σn² (Kish 1965)."]
    return [Table(["", "measure", "clusters", "in effect", "interval"], rows, "how sure", notes)] if rows else []
