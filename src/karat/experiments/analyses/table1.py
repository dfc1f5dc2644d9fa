"""Table 1 of Wisniewski & Yvon 2019 from a grid: error rates of French taggers, the print beside them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from karat.errors import UsageError
from karat.experiments.analyses.conditions import Runs, across_texts, file_sha256, language_of, short_name
from karat.experiments.analyses.table import GridTable, tidy
from karat.experiments.grid import Grid
from karat.experiments.papers.wisniewski_2019_prints import TABLE_1
from karat.experiments.plan import MEASURES_OF
from karat.gold.divergence.paper_figure import papers_part
from karat.inference.options import InferenceOptions
from karat.result import Cell

COLUMNS = ("system", "train", "test", "error", "lower", "upper", "runs", "paper", "difference")


def table1_table(grid: Grid, inference: InferenceOptions) -> GridTable:
    """A row for each train and test of French, with the error rate: 1 − accuracy.

    The print stands beside it where both files are those of UD 2.3, known by their hashes. The paper's are means of ten
    runs of another tagger with the same kind of features.
    """
    every = across_texts(grid, "table1")
    french = [runs for runs in every if runs.language == "French" and language_of(runs.test) == "French"]
    rows = [_row(runs, inference) for runs in french]
    if not rows:
        raise UsageError("Table 1 is about French: no condition of this grid has French treebanks (UD_French-…)")
    found = [(row["system"], row["difference"]) for row in rows if row["difference"] is not None]
    differences = np.array([one for _, one in found], dtype=np.float64)
    correlated = [(row["error"], row["paper"]) for row in rows if row["paper"] is not None]
    summary: dict[str, Cell] = {"cells": len(rows), "printed": len(found), "mean_distance": None}
    summary |= {"mean_difference": None, "correlation": None}
    if found:
        summary["mean_distance"] = float(np.abs(differences).mean())
        summary["mean_difference"] = float(differences.mean())
    if len(found) > 2:
        ours, printed = np.array(correlated, dtype=np.float64).T
        summary["correlation"] = float(np.asarray(np.corrcoef(ours, printed))[0, 1])
    return GridTable(
        "table1",
        "Error rates beside Table 1 of Wisniewski & Yvon 2019",
        tuple(_verdict(summary, len({system for system, _ in found}))),
        COLUMNS,
        tidy(COLUMNS, rows),
        summary,
        _notes(rows),
        grid.signature,
        inference.level,
    )


def _row(runs: Runs, inference: InferenceOptions) -> dict[str, Cell]:
    (mean,) = runs.means([MEASURES_OF[runs.column]], inference)
    lower, upper = (None, None) if mean.interval is None else (mean.interval.lower, mean.interval.upper)
    printed = _printed(runs)
    error = 1 - mean.value
    return {
        "system": runs.system,
        "train": runs.train,
        "test": runs.test,
        "error": error,
        "lower": None if upper is None else 1 - upper,
        "upper": None if lower is None else 1 - lower,
        "runs": mean.n_runs,
        "paper": printed,
        "difference": None if printed is None else error - printed,
    }


def _printed(runs: Runs) -> float | None:
    """What the paper prints, if the files are the paper's."""
    hashes = file_sha256(runs.text("train")), file_sha256(runs.text("test"))
    parts = [papers_part(one) if one else None for one in hashes]
    if parts != [("fr", "train", short_name(runs.train)), ("fr", "test", short_name(runs.test))]:
        return None
    return TABLE_1.get((short_name(runs.train), short_name(runs.test)))


def _verdict(summary: dict[str, Cell], n_systems: int) -> list[str]:
    if not summary["printed"]:
        return ["None of these files is one of the paper's (UD 2.3): there is nothing to compare with."]
    distance, difference = summary["mean_distance"], summary["mean_difference"]
    assert isinstance(distance, float)
    assert isinstance(difference, float)
    which = "below" if difference < 0 else "above"
    of = "" if n_systems == 1 else f" of {n_systems} systems"
    return [
        f"Error rates{of} are {100 * distance:.2f} points from the print on average "
        f"({100 * abs(difference):.2f} {which} it), over {summary['printed']} cells."
    ]


def _notes(rows: Sequence[dict[str, Cell]]) -> tuple[str, ...]:
    notes = ["The paper's are means of 10 runs of its own averaged perceptron; it prints no intervals."]
    if any(row["paper"] is None for row in rows):
        notes.append("No print: the file is not the paper's, or the paper has no such cell.")
    return tuple(notes)
