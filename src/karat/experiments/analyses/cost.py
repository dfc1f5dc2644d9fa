"""What each system costs: time, memory and size of its models, beside how good it is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from karat.experiments.analyses.table import GridTable, tidy
from karat.experiments.grid import Grid, GridCell
from karat.inference.options import InferenceOptions
from karat.result import Cell

_OF_TRAINING = ("train_seconds", "model_bytes")
_OF_CELL = ("tag_seconds", "tokens_per_second", "peak_bytes")
QUANTITIES = ("train_seconds", "tag_seconds", "tokens_per_second", "peak_bytes", "model_bytes")
COLUMNS: tuple[str, ...] = ("system", "size", "measure", "in_domain", "across_corpora", "trainings", "cells")
COLUMNS += tuple(f"{name}{end}" for name in QUANTITIES for end in ("", "_min", "_max"))


def cost_table(grid: Grid, inference: InferenceOptions) -> GridTable:
    """A row for each system and size: means, least and most of what it cost, and the mean of the first measure.

    A training counts once, however many texts it was tested on. `tokens_per_second` is all words tagged over all
    seconds; `peak_bytes` is the most memory that training or tagging had. What a system does not report is None.
    """
    groups: dict[tuple[str, int | None], list[GridCell]] = {}
    for cell in grid.cells:
        groups.setdefault((cell.condition.system, cell.condition.size), []).append(cell)
    rows = [_row(system, size, cells, grid.measures[0]) for (system, size), cells in groups.items()]
    return GridTable(
        "cost",
        "What each system costs",
        tuple(_verdict(rows)),
        COLUMNS,
        tidy(COLUMNS, rows),
        {},
        ("Times and memory depend on the machine, and on what else it did.",),
        grid.signature,
        inference.level,
    )


def _row(system: str, size: int | None, cells: Sequence[GridCell], measure: str) -> dict[str, Cell]:
    trainings = list({(one.condition.train, one.condition.seed, one.condition.fold): one for one in cells}.values())
    row: dict[str, Cell] = {"system": system, "size": size, "measure": measure}
    for name, wanted in (("in_domain", True), ("across_corpora", False)):
        values = [one.value(measure) for one in cells if one.is_in_domain is wanted]
        row[name] = float(np.mean(values)) if values else None
    row |= {"trainings": len(trainings), "cells": len(cells)}
    for name in QUANTITIES:
        values = [
            one.data[name] for one in (trainings if name in _OF_TRAINING else cells) if one.data[name] is not None
        ]
        row[name] = float(np.mean(values)) if values else None
        row |= {f"{name}_min": min(values, default=None), f"{name}_max": max(values, default=None)}
    timed = [one for one in cells if one.data["tag_seconds"]]
    if timed:
        row["tokens_per_second"] = sum(one.data["words"] for one in timed) / sum(
            one.data["tag_seconds"] for one in timed
        )
    return row


def _verdict(rows: Sequence[dict[str, Cell]]) -> list[str]:
    """What training and tagging took, of each system with its largest training text."""
    largest: dict[Cell, dict[str, Cell]] = {}
    for row in rows:
        kept = largest.get(row["system"])
        if kept is None or row["size"] is None or (kept["size"] is not None and kept["size"] < row["size"]):  # type: ignore[operator]
            largest[row["system"]] = row
    found = []
    for row in largest.values():
        parts = []
        if isinstance(row["train_seconds"], float):
            parts.append(f"trains in {row['train_seconds']:.1f} s on average")
        if isinstance(row["tokens_per_second"], float):
            parts.append(f"tags {row['tokens_per_second']:,.0f} words per second")
        if parts:
            found.append(f"{row['system']} {' and '.join(parts)}.")
    return found
