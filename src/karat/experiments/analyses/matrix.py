"""Every system on every train and test: the mean over runs, with an interval for other runs and other text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from karat.experiments.analyses.conditions import Runs, conditions
from karat.experiments.analyses.table import GridTable, tidy
from karat.experiments.grid import Grid
from karat.inference.options import InferenceOptions
from karat.result import Cell

COLUMNS: tuple[str, ...] = (
    "system",
    "measure",
    "train",
    "test",
    "size",
    "in_domain",
    "value",
    "lower",
    "upper",
    "sd_runs",
    "runs",
)
COLUMNS += ("folds", "mean_of_folds", "cluster", "clusters")


def matrix_table(grid: Grid, inference: InferenceOptions) -> GridTable:
    """A row for each system, measure, train, test and size.

    `value` is the mean over runs; its interval has two sources of variance, runs and the clusters of the test
    (documents where two or more are marked, else sentences): `karat.inference.runs`. With folds a run is a whole
    corpus, each sentence tagged by a tagger that has not seen it, so that `value` is pooled over folds;
    `mean_of_folds` is the mean of the folds' own values. A corpus in which not all folds of a seed are finished is left
    out.
    """
    every = conditions(grid)
    rows = [row for one in every for row in condition_rows(one, grid.measures, inference)]
    return GridTable(
        "matrix",
        "Mean over runs for each train and test",
        tuple(_verdict(every, rows)),
        COLUMNS,
        tidy(COLUMNS, rows),
        _summary(rows),
        _notes(rows),
        grid.signature,
        inference.level,
    )


def condition_rows(runs: Runs, measures: Sequence[str], inference: InferenceOptions) -> list[dict[str, Cell]]:
    """The rows of one condition, a measure each."""
    found: list[dict[str, Cell]] = []
    for one in runs.means(measures, inference):
        name = one.measure
        row: dict[str, Cell] = {"system": runs.system, "measure": name, "train": runs.train, "test": runs.test}
        row |= {"size": runs.size, "in_domain": runs.is_in_domain, "value": one.value}
        interval = one.interval
        row |= {"lower": interval.lower if interval else None, "upper": interval.upper if interval else None}
        row |= {"sd_runs": one.run_deviation, "runs": one.n_runs}
        row |= {"folds": None, "mean_of_folds": None}
        if runs.has_folds:
            cells = [cell for seed in runs.seeds for cell in runs.of_seed(seed)]
            row["folds"] = int(runs.cells[0].data["folds"]["n"])
            row["mean_of_folds"] = float(np.mean([cell.value(name) for cell in cells]))
        row |= {"cluster": runs.clusters(inference).kind, "clusters": runs.clusters(inference).n}
        found.append(row)
    return found


def _verdict(every: Sequence[Runs], rows: Sequence[dict[str, Cell]]) -> list[str]:
    if not rows:
        return ["No condition has a complete run yet."]
    measure = rows[0]["measure"]
    found = []
    for system in dict.fromkeys(one.system for one in every):
        values = [row for row in _largest(rows) if row["system"] == system and row["measure"] == measure]
        own = [_float(row["value"]) for row in values if row["in_domain"]]
        others = [_float(row["value"]) for row in values if not row["in_domain"]]
        parts = [
            f"{what} {100 * min(some):.1f} to {100 * max(some):.1f}"
            for what, some in (("in-domain", own), ("across corpora", others))
            if some
        ]
        if parts:
            found.append(f"{system}, {measure} in %: {', '.join(parts)}.")
    return found


def _summary(rows: Sequence[dict[str, Cell]]) -> dict[str, Cell]:
    """The mean in-domain and across corpora of the first measure, over all systems with their largest training text."""
    first = [row for row in _largest(rows) if row["measure"] == rows[0]["measure"]]
    found: dict[str, Cell] = {"conditions": len({(row["system"], row["train"], row["test"]) for row in first})}
    for name, wanted in (("mean_in_domain", True), ("mean_across_corpora", False)):
        some = [_float(row["value"]) for row in first if row["in_domain"] == wanted]
        found[name] = float(np.mean(some)) if some else None
    return found


def _notes(rows: Sequence[dict[str, Cell]]) -> tuple[str, ...]:
    notes = ["Intervals are for other runs and other text of the same kind: both vary."]
    if any(row["runs"] == 1 for row in rows):
        notes[0] = "Intervals are for other text of the same kind; those of several runs are for other runs, too."
    kinds = list(dict.fromkeys(str(row["cluster"]) for row in rows if row["cluster"]))
    if kinds:
        notes.append(f"Resampled units: {', '.join(f'{one}s' for one in kinds)}.")
    return tuple(notes)


def _largest(rows: Sequence[dict[str, Cell]]) -> list[dict[str, Cell]]:
    """The rows of whole training texts; where there are none, those of the largest size."""
    sizes = {row["size"] for row in rows}
    largest = None if None in sizes else max(sizes, default=None)  # type: ignore[type-var]
    return [row for row in rows if row["size"] == largest]


def _float(cell: Cell) -> float:
    assert isinstance(cell, (int, float))
    return float(cell)
