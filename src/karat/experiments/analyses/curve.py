"""Learning curves: how good a system is after so many words of training text."""

from __future__ import annotations

from collections.abc import Sequence

from karat.errors import UsageError
from karat.evaluation.plain_words import points
from karat.experiments.analyses.conditions import Runs, conditions
from karat.experiments.analyses.matrix import condition_rows
from karat.experiments.analyses.table import GridTable, tidy
from karat.experiments.grid import Grid
from karat.inference.options import InferenceOptions
from karat.result import Cell

COLUMNS = ("system", "measure", "train", "test", "words", "is_whole", "value", "lower", "upper", "sd_runs", "runs")


def curve_table(grid: Grid, inference: InferenceOptions) -> GridTable:
    """Rows for each system, measure, train and test, by training words; the whole text last, if it was trained on.

    Intervals are those of the matrix: they have the variance of runs in them, and that of the test's text. Texts of one
    seed hold each other, so that the points of a curve go up and down together.
    """
    every = [one for one in conditions(grid) if not one.has_folds]
    if not any(one.size for one in every):
        raise UsageError("a learning curve needs a grid with several sizes of training text (`sizes`)")
    rows: list[dict[str, Cell]] = []
    for one in sorted(every, key=lambda one: (every.index(_first(every, one)), _words(one))):
        about: dict[str, Cell] = {"words": _words(one), "is_whole": one.size is None}
        rows += [row | about for row in condition_rows(one, grid.measures, inference)]
    rows.sort(key=lambda row: grid.measures.index(str(row["measure"])))
    return GridTable(
        "curve",
        "Learning curves",
        tuple(_verdict(rows)),
        COLUMNS,
        tidy(COLUMNS, rows),
        {},
        ("Intervals are for other runs and other text of the same kind.",),
        grid.signature,
        inference.level,
    )


def _first(every: Sequence[Runs], of: Runs) -> Runs:
    """The first condition of the same curve."""
    return next(one for one in every if (one.system, one.train, one.test) == (of.system, of.train, of.test))


def _words(runs: Runs) -> int:
    return runs.corpus("train").n_words if runs.size is None else runs.size


def _verdict(rows: Sequence[dict[str, Cell]]) -> list[str]:
    """What the last step of each in-domain curve brought; of all curves where none is in-domain."""
    curves: dict[tuple[Cell, ...], list[dict[str, Cell]]] = {}
    for row in rows:
        if row["measure"] == rows[0]["measure"]:
            curves.setdefault((row["system"], row["train"], row["test"]), []).append(row)
    own = {key: some for key, some in curves.items() if key[1] == key[2]} or curves
    found = []
    for (system, train, test), some in own.items():
        if len(some) > 1:
            last, before = some[-1], some[-2]
            gain = points(100 * (float(last["value"] or 0) - float(before["value"] or 0)))
            where = train if train == test else f"{train} on {test}"
            found.append(
                f"{system}, {where}: {100 * float(last['value'] or 0):.1f} % after {last['words']:,} words; "
                f"{gain} points from {before['words']:,}."
            )
    return found
