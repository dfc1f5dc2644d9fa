"""Do differences between corpora exceed those between runs? Where the variance of a grid's values comes from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from karat._arrays import Floats
from karat.evaluation.all_pairs import AllPairs
from karat.evaluation.plain_words import verdict
from karat.evaluation.system_pair import Wanted
from karat.experiments.analyses.conditions import Runs, across_texts
from karat.experiments.analyses.table import GridTable, tidy
from karat.experiments.grid import Grid
from karat.inference.options import InferenceOptions
from karat.inference.resampling import leave_one_out, standard_error
from karat.measures.catalogue import word_measures
from karat.measures.measure import Measure
from karat.result import Cell

COLUMNS = ("system", "language", "measure", "source", "sd", "share", "n", "pairs", "different")


@dataclass(frozen=True, slots=True)
class Components:
    """Variances of a value: of training corpora, of tests, of how these go together, and of runs (None of one run)."""

    train: float
    test: float
    both: float
    runs: float | None

    @property
    def total(self) -> float:
        return self.train + self.test + self.both + (self.runs or 0.0)


def components(values: Floats) -> Components:
    """Variance components of values [trains × tests × runs] in a crossed design, by the means of squares [Searle 1971].

    value = mean + train + test + train × test + run, all random. With the mean squares MS of the analysis of variance,
    of A trains, B tests and m runs: runs MS_E; both (MS_AB − MS_E)/m; train (MS_A − MS_AB)/(B·m); test
    (MS_B − MS_AB)/(A·m); 0 where that is negative. With one run, its variance is a part of `both`; with one train or
    one test, the variance of that and of both is 0.
    """
    a, b, m = values.shape
    cells, mean = values.mean(axis=2), values.mean()
    of_train, of_test = cells.mean(axis=1), cells.mean(axis=0)
    rest = cells - of_train[:, None] - of_test[None, :] + mean
    error = float(((values - cells[:, :, None]) ** 2).sum() / (a * b * (m - 1))) if m > 1 else None
    together = m * float((rest**2).sum()) / ((a - 1) * (b - 1)) if min(a, b) > 1 else error or 0.0
    squares_train = b * m * float(((of_train - mean) ** 2).sum()) / (a - 1) if a > 1 else together
    squares_test = a * m * float(((of_test - mean) ** 2).sum()) / (b - 1) if b > 1 else together
    return Components(
        max(squares_train - together, 0.0) / (b * m),
        max(squares_test - together, 0.0) / (a * m),
        max(together - (error or 0.0), 0.0) / m,
        error,
    )


def runs_table(grid: Grid, inference: InferenceOptions) -> GridTable:
    """Rows for each system, language and measure: the standard deviation of each source, and its share of the variance.

    Sources are the training corpus, the test corpus, how the two go together (the rest), and runs. `text of a test` is
    how far a value would move with other documents or sentences of the same kind: it is a part of the second and third
    source, and has no share of its own. On every test, each two training corpora are compared with all their runs, as
    `karat.compare` does; `different` are the `pairs` that differ significantly, by Holm's p over the pairs of a test.
    Only tests on which every training corpus of the language was scored take part.
    """
    groups: dict[tuple[str, str], list[Runs]] = {}
    for one in across_texts(grid, "runs"):
        groups.setdefault((one.system, one.language), []).append(one)
    measures = word_measures(grid.measures)
    rows: list[dict[str, Cell]] = []
    for (system, language), every in groups.items():
        for measure in measures:
            about: dict[str, Cell] = {"system": system, "language": language or None, "measure": measure.name}
            rows += [about | row for row in _rows(_complete(every), measure, inference)]
    return GridTable(
        "runs",
        "Differences between corpora beside those between runs",
        tuple(_verdict(rows)),
        COLUMNS,
        tidy(COLUMNS, rows),
        _summary(rows),
        (
            "Standard deviations in points. Pairs: two training corpora on the same test, compared with all runs; "
            "different: significantly so (Holm).",
        ),
        grid.signature,
        inference.level,
    )


def _complete(every: Sequence[Runs]) -> dict[str, list[Runs]]:
    """The conditions by test, of those tests that all training corpora have."""
    trains = {one.train for one in every}
    by_test: dict[str, list[Runs]] = {}
    for one in every:
        by_test.setdefault(one.test, []).append(one)
    return {test: some for test, some in by_test.items() if {one.train for one in some} == trains}


def _rows(by_test: dict[str, list[Runs]], measure: Measure, inference: InferenceOptions) -> list[dict[str, Cell]]:
    if not by_test:
        return []
    every = [one for some in by_test.values() for one in some]
    shared = set.intersection(*({*one.seeds} for one in every))
    seeds = [seed for seed in every[0].seeds if seed in shared]
    if not seeds:
        return []
    counts = {(one.train, one.test): [one.counts(seed, measure.name) for seed in seeds] for one in every}
    trains, tests = list(dict.fromkeys(one.train for one in every)), list(by_test)
    totals = [[[run.sum(axis=0) for run in counts[train, test]] for test in tests] for train in trains]
    found = components(measure.value(np.array(totals)))
    n_pairs, n_different = _compared(by_test, measure, inference)
    factor = measure.factor

    def row(source: str, variance: float | None, n: int, *, is_part: bool = True) -> dict[str, Cell]:
        share = variance / found.total if is_part and variance is not None and found.total else None
        return {"source": source, "sd": None if variance is None else factor * variance**0.5, "share": share, "n": n}

    return [
        row("training corpus", found.train, len(trains)) | {"pairs": n_pairs, "different": n_different},
        row("test corpus", found.test, len(tests)),
        row("train with test", found.both, len(trains) * len(tests)),
        row("runs", found.runs, len(seeds)),
        row("text of a test", _of_text(every, counts, measure, inference), len(tests), is_part=False),
    ]


def _compared(by_test: dict[str, list[Runs]], measure: Measure, inference: InferenceOptions) -> tuple[int, int]:
    """Pairs of training corpora on the same test, and how many of them differ significantly."""
    n_pairs = n_different = 0
    for some in by_test.values():
        if len(some) > 1:
            systems = [one.as_system([measure.name]) for one in some]
            pairs, _ = AllPairs(systems, some[0].clusters(inference), Wanted(inference)).compared([measure])
            n_pairs += len(pairs)
            n_different += sum(verdict(one, inference.level) == "different" for one in pairs)
    return n_pairs, n_different


def _of_text(
    every: Sequence[Runs],
    counts: dict[tuple[str, str], list[Floats]],
    measure: Measure,
    inference: InferenceOptions,
) -> float | None:
    """The variance of a value over the clusters of its test, on the mean of conditions; None where one has but one."""
    found = []
    for one in every:
        clusters = one.clusters(inference)
        if clusters.n < 2:
            return None
        summed = np.stack([clusters.summed(run) for run in counts[one.train, one.test]], axis=1)
        found.append(standard_error(measure.value(leave_one_out(summed)).mean(axis=1)) ** 2)
    return float(np.mean(found))


def _summary(rows: Sequence[dict[str, Cell]]) -> dict[str, Cell]:
    several = [name for name in ("system", "language", "measure") if len({row[name] for row in rows}) > 1]
    found: dict[str, Cell] = {}
    for row in rows:
        prefix = " ".join(str(row[name]) for name in several)
        source = str(row["source"]).replace(" ", "_")
        found[f"{prefix} {source}_sd".strip()] = row["sd"]
    return found


def _verdict(rows: Sequence[dict[str, Cell]]) -> list[str]:
    found = []
    groups: dict[tuple[Cell, ...], dict[str, dict[str, Cell]]] = {}
    for row in rows:
        groups.setdefault((row["system"], row["language"], row["measure"]), {})[str(row["source"])] = row
    for (system, language, measure), by_source in groups.items():
        about = ", ".join(str(one) for one in (system, language, measure) if one)
        first, of_runs = by_source["training corpus"], by_source["runs"]["sd"]
        largest = max(by_source[one]["sd"] or 0.0 for one in ("training corpus", "test corpus", "train with test"))
        if of_runs is None:
            found.append(f"{about}: one run says nothing about differences between runs.")
            continue
        answer = "exceed" if largest > of_runs else "do not exceed"  # type: ignore[operator]
        pairs = f"; {first['different']} of {first['pairs']} pairs of training corpora differ" if first["pairs"] else ""
        found.append(
            f"{about}: differences between corpora (SD {largest:.2f}) {answer} those between runs "
            f"(SD {of_runs:.2f}){pairs}."
        )
    return found
