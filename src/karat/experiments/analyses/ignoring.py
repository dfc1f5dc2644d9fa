"""Error rates that ignore errors in suspicious repeats, beside those in-domain [Wisniewski & Yvon 2019, Figure 3]."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from karat.experiments.analyses.conditions import Runs, across_texts, by_system
from karat.experiments.analyses.set_aside import set_aside
from karat.experiments.analyses.table import GridTable, tidy
from karat.experiments.grid import Grid
from karat.experiments.papers.wisniewski_2019_prints import BEATS_IN_DOMAIN
from karat.gold.errors_set_aside import HEURISTICS
from karat.inference.crossed import share_of_pairs
from karat.inference.options import InferenceOptions
from karat.result import Cell

COLUMNS: tuple[str, ...] = (
    "system",
    "train",
    "test",
    "in_domain",
    "full",
    "minsize",
    "disjoint",
    "all",
    "in_domain_train",
)
COLUMNS += ("in_domain_test", "runs")


def ignoring_table(grid: Grid, inference: InferenceOptions) -> GridTable:
    """A row for each condition: ε_full, and ε_ignoring with the three filters (eq. 1), means over runs.

    `in_domain_train` is the error rate of the same tagger on the test of its own treebank, the paper's red line: §6
    compares 6.78 % on FTB of a tagger trained on UD with its "4.51 % on in-domain data". `in_domain_test` is the error
    rate on the same test of a tagger trained on that test's treebank. Either is None where there is no such condition.

    The share of conditions in which ε_ignoring is below the in-domain rate is one of conditions across corpora: within
    one it is lower by definition (99 of the paper's 290 conditions are such, more than its 25 %).
    """
    rows: list[dict[str, Cell]] = []
    for every in by_system(across_texts(grid, "ignoring")).values():
        rows += _rows(every)
    summary = _summary(rows, inference.level)
    return GridTable(
        "ignoring",
        "Error rates that ignore errors in suspicious repeats",
        tuple(_verdict(summary)),
        COLUMNS,
        tidy(COLUMNS, rows),
        summary,
        (
            "full: all errors count. minsize, disjoint, all: errors in suspicious repeats of 3 words or more, without "
            "a labelling in common, or all are ignored; these rates are lower bounds.",
            "in-domain: the same tagger on the test of its own treebank.",
        ),
        grid.signature,
        inference.level,
    )


def _rows(every: Sequence[Runs]) -> list[dict[str, Cell]]:
    found = [(runs, set_aside(runs)) for runs in every]
    own = {runs.train: aside["all"].mean_full for runs, aside in found if runs.is_in_domain}
    rows: list[dict[str, Cell]] = []
    for runs, aside in found:
        row: dict[str, Cell] = {"system": runs.system, "train": runs.train, "test": runs.test}
        row |= {"in_domain": runs.is_in_domain, "full": aside["all"].mean_full, "runs": len(runs.seeds)}
        row |= {heuristic: aside[heuristic].mean_ignoring for heuristic in HEURISTICS}
        rows.append(row | {"in_domain_train": own.get(runs.train), "in_domain_test": own.get(runs.test)})
    return rows


def _summary(rows: Sequence[dict[str, Cell]], level: float) -> dict[str, Cell]:
    """How often ignoring beats in-domain, by filter: conditions, those won, the share and its interval, the print."""
    summary: dict[str, Cell] = {}
    for heuristic in HEURISTICS:
        for line, suffix in (("in_domain_train", ""), ("in_domain_test", "_of_test")):
            across = [row for row in rows if not row["in_domain"] and row[line] is not None]
            hits = np.array([_number(row[heuristic]) < _number(row[line]) for row in across], dtype=np.bool_)
            found = share_of_pairs(hits, [(str(row["train"]), str(row["test"])) for row in across], level)
            name = f"{heuristic}{suffix}"
            summary |= {f"{name}_conditions": len(across), f"{name}_wins": int(hits.sum())}
            summary[f"{name}_share"] = float(hits.mean()) if len(hits) else None
            summary[f"{name}_lower"], summary[f"{name}_upper"] = found[0] if found else (None, None)
        if heuristic in BEATS_IN_DOMAIN:
            summary[f"{heuristic}_paper"] = BEATS_IN_DOMAIN[heuristic]
    return summary


def _verdict(summary: dict[str, Cell]) -> list[str]:
    if not summary["disjoint_conditions"]:
        return ["No condition across corpora has an in-domain error rate beside it."]
    found = []
    for heuristic in ("disjoint", "minsize"):
        share, lower, upper = (_number(summary[f"{heuristic}_{end}"]) for end in ("share", "lower", "upper"))
        found.append(
            f"Ignoring errors in suspicious repeats ({heuristic}) beats the in-domain error rate in "
            f"{summary[f'{heuristic}_wins']} of {summary[f'{heuristic}_conditions']} conditions across corpora: "
            f"{100 * share:.0f} % (CI {100 * lower:.0f} to {100 * upper:.0f}; paper, all of UD: more than "
            f"{100 * BEATS_IN_DOMAIN[heuristic]:.0f} %)."
        )
    return found


def _number(cell: Cell) -> float:
    assert isinstance(cell, (int, float))
    return float(cell)
