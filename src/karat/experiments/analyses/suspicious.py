"""How many suspicious repeats hold a tagging error, by length [Wisniewski & Yvon 2019, §5 and Figure 2]."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from karat._arrays import Floats
from karat.experiments.analyses.conditions import Runs, across_texts
from karat.experiments.analyses.set_aside import set_aside
from karat.experiments.analyses.table import GridTable, tidy
from karat.experiments.grid import Grid
from karat.experiments.papers.wisniewski_2019_prints import WITH_ERROR
from karat.gold.errors_set_aside import Heuristic
from karat.inference.crossed import ratio_interval
from karat.inference.options import InferenceOptions
from karat.result import Cell

COLUMNS: tuple[str, ...] = (
    "system",
    "language",
    "filter",
    "conditions",
    "words",
    "and_more",
    "repeats",
    "with_error",
    "share",
    "lower",
)
COLUMNS += ("upper", "paper")
_FILTERS: tuple[Heuristic, ...] = ("disjoint", "all")
_LONGEST = 10  # repeats of so many words and more are counted together, as in the paper's Table 8


def suspicious_table(grid: Grid, inference: InferenceOptions) -> GridTable:
    """Rows for each system, language and filter: of all suspicious repeats (`words` is None), then by length.

    A repeat has an error if the tagger is wrong on one of its words at one of its places in the test. Repeats are
    summed over all conditions of a language, in-domain ones among them, as "each possible combination of a train and a
    test set" says; errors are means over runs. Intervals leave out one treebank at a time.
    """
    groups: dict[tuple[str, str], list[Runs]] = {}
    for runs in across_texts(grid, "suspicious"):
        groups.setdefault((runs.system, runs.language), []).append(runs)
    rows: list[dict[str, Cell]] = []
    for (system, language), every in groups.items():
        for heuristic in _FILTERS:
            about: dict[str, Cell] = {"system": system, "language": language or None, "filter": heuristic}
            rows += [about | {"conditions": len(every)} | row for row in _rows(every, heuristic, inference.level)]
    for row in rows:
        row["paper"] = WITH_ERROR.get((str(row["language"]), str(row["filter"]))) if row["words"] is None else None
    return GridTable(
        "suspicious",
        "Suspicious repeats with a tagging error",
        tuple(_verdict(rows)),
        COLUMNS,
        tidy(COLUMNS, rows),
        _summary(rows),
        (
            "disjoint: train and test have no labelling of the repeat in common; all: every suspicious repeat.",
            "Treebanks share conditions: CIs leave out one treebank at a time.",
        ),
        grid.signature,
        inference.level,
    )


def _rows(every: Sequence[Runs], heuristic: Heuristic, level: float) -> list[dict[str, Cell]]:
    found = [set_aside(runs)[heuristic] for runs in every]
    pairs = [(runs.train, runs.test) for runs in every]
    n_repeats, n_with_error = np.zeros((2, len(every), _LONGEST + 1))
    for place, one in enumerate(found):
        lengths = np.minimum(np.array(one.lengths, dtype=np.intp), _LONGEST)
        np.add.at(n_repeats[place], lengths, one.repeats)
        np.add.at(n_with_error[place], lengths, one.with_error.mean(axis=0))
    rows: list[dict[str, Cell]] = [_share(None, n_with_error.sum(axis=1), n_repeats.sum(axis=1), pairs, level)]
    lengths_there = [words for words in range(1, _LONGEST + 1) if n_repeats[:, words].any()]
    return rows + [_share(one, n_with_error[:, one], n_repeats[:, one], pairs, level) for one in lengths_there]


def _share(
    words: int | None, with_error: Floats, repeats: Floats, pairs: list[tuple[str, str]], level: float
) -> dict[str, Cell]:
    n = float(repeats.sum())
    ends = ratio_interval(with_error, repeats, pairs, level)
    return {
        "words": words,
        "and_more": words == _LONGEST,
        "repeats": int(n),
        "with_error": float(with_error.sum()),
        "share": float(with_error.sum()) / n if n else None,
        "lower": ends and ends[0],
        "upper": ends and ends[1],
    }


def _summary(rows: Sequence[dict[str, Cell]]) -> dict[str, Cell]:
    several = len({row["system"] for row in rows}) > 1
    found = {}
    for row in rows:
        if row["words"] is None:
            parts = [row["system"] if several else None, row["language"], row["filter"]]
            found[" ".join(str(one) for one in parts if one)] = row["share"]
    return found


def _verdict(rows: Sequence[dict[str, Cell]]) -> list[str]:
    found: dict[tuple[Cell, Cell], list[str]] = {}
    for row in rows:
        if row["words"] is None and row["share"] is not None:
            paper = f" (paper {100 * row['paper']:.1f})" if isinstance(row["paper"], float) else ""
            text = f"{100 * float(row['share']):.1f} % with the filter {row['filter']}{paper}"
            found.setdefault((row["system"], row["language"]), []).append(text)
    several = len({system for system, _ in found}) > 1
    sentences = []
    for (system, language), parts in found.items():
        about = ", ".join(str(one) for one in (system if several else None, language) if one)
        sentences.append(
            f"{about + ': ' if about else ''}suspicious repeats hold a tagging error in {', '.join(parts)}."
        )
    return [one[0].upper() + one[1:] for one in sentences]
