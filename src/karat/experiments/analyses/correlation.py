"""Do taggers err more where train and test contradict each other more? [Wisniewski & Yvon 2019, §5]"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from karat.experiments.analyses.conditions import Runs, across_texts, by_system
from karat.experiments.analyses.set_aside import set_aside
from karat.experiments.analyses.table import GridTable, tidy
from karat.experiments.grid import Grid
from karat.experiments.papers.wisniewski_2019_prints import CORRELATION
from karat.gold.errors_set_aside import HEURISTICS
from karat.inference.crossed import FEWEST_MEMBERS, correlation_interval, spearman
from karat.inference.options import InferenceOptions
from karat.result import Cell

COLUMNS: tuple[str, ...] = ("system", "train", "test", "in_domain", "error", "train_tokens", "test_tokens")
COLUMNS += tuple(f"{name}_{of}" for name in HEURISTICS for of in ("repeats", "rate"))


def correlation_table(grid: Grid, inference: InferenceOptions) -> GridTable:
    """A row for each condition: the error rate, and the suspicious repeats of each filter per token of both texts.

    The paper normalises "by the number of tokens in A and B", which is read as their sum. It does not name a filter:
    `all` is the literal reading. Spearman's correlation is over all conditions, in-domain ones among them, as in the
    paper; its interval leaves out one treebank at a time (`karat.inference.crossed`).
    """
    systems = by_system(across_texts(grid, "correlation"))
    rows: list[dict[str, Cell]] = []
    summary: dict[str, Cell] = {}
    for system, every in systems.items():
        of_system = [_row(runs) for runs in every]
        prefix = "" if len(systems) == 1 else f"{system} "
        summary |= {f"{prefix}{name}": value for name, value in _summary(of_system, inference.level).items()}
        rows += of_system
    n_treebanks = len({name for row in rows for name in (row["train"], row["test"])})
    return GridTable(
        "correlation",
        "Error rates and suspicious repeats between train and test",
        tuple(line for system in systems for line in _verdict(summary, system if len(systems) > 1 else "")),
        COLUMNS,
        tidy(COLUMNS, rows),
        summary,
        (
            "Repeats per 1,000 tokens of train and test together. Conditions share corpora: the CI leaves out one "
            f"treebank at a time ({n_treebanks} treebanks; none with fewer than {FEWEST_MEMBERS}).",
        ),
        grid.signature,
        inference.level,
    )


def _row(runs: Runs) -> dict[str, Cell]:
    aside = set_aside(runs)
    n_train, n_test = runs.corpus("train").n_words, runs.corpus("test").n_words
    row: dict[str, Cell] = {"system": runs.system, "train": runs.train, "test": runs.test}
    row |= {"in_domain": runs.is_in_domain, "error": aside["all"].mean_full}
    row |= {"train_tokens": n_train, "test_tokens": n_test}
    for name in HEURISTICS:
        row[f"{name}_repeats"] = aside[name].n_repeats
        row[f"{name}_rate"] = aside[name].n_repeats / (n_train + n_test)
    return row


def _summary(rows: Sequence[dict[str, Cell]], level: float) -> dict[str, Cell]:
    pairs = [(str(row["train"]), str(row["test"])) for row in rows]
    error = np.array([row["error"] for row in rows], dtype=np.float64)
    summary: dict[str, Cell] = {"conditions": len(rows)}
    for name in HEURISTICS:
        rate = np.array([row[f"{name}_rate"] for row in rows], dtype=np.float64)
        found = spearman(rate, error)
        ends = correlation_interval(rate, error, pairs, level)
        summary[f"{name}_correlation"] = None if np.isnan(found) else found
        summary[f"{name}_lower"], summary[f"{name}_upper"] = ends or (None, None)
    return summary | {"paper": CORRELATION}


def _verdict(summary: dict[str, Cell], system: str) -> list[str]:
    prefix = f"{system} " if system else ""
    found = summary[f"{prefix}all_correlation"]
    if found is None:
        return [f"{system or 'The grid'}: too few conditions that differ for a correlation."]
    parts = [f"{summary[f'{prefix}conditions']} conditions"]
    if summary[f"{prefix}all_lower"] is not None:
        low, high = (_signed(summary[f"{prefix}all_{end}"]) for end in ("lower", "upper"))
        parts.append(f"CI {low} to {high}")
    about = f"{system}: error rate" if system else "Error rate"
    sentence = f"{about} and suspicious repeats correlate with {_signed(found)} (Spearman; {', '.join(parts)}); "
    return [f"{sentence}the paper has {CORRELATION} over all of UD."]


def _signed(value: Cell) -> str:
    return f"{value:.2f}".replace("-", "−")
