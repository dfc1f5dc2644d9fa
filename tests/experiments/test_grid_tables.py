"""Tables about grids, each against a short, slow way to the same numbers."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from itertools import product
from pathlib import Path
from statistics import fmean, stdev, variance
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import given, strategies as st

import karat
from karat.errors import UsageError
from karat.experiments.analyses.catalogue import TABLES, grid_table
from karat.experiments.analyses.runs import components
from karat.experiments.analyses.table import GridTable
from karat.experiments.grid import Grid
from karat.gold.errors_set_aside import HEURISTICS
from karat.inference.crossed import spearman
from karat.inference.options import InferenceOptions
from karat.report.grid_tables import grid_table_report
from karat.report.tables import written
from realdata import data
from repeat_reference import Word, found_repeats, found_suspicious, units_of
from small_treebanks import small_treebank

SYSTEMS = ["most-frequent", "perceptron:epochs=1"]
Text = list[list[Word]]


@pytest.fixture(scope="module")
def banks(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Two treebanks of French to train and test on, two that are only tested on; one has no documents' names."""
    folder = tmp_path_factory.mktemp("banks")
    whole = [small_treebank(folder / f"UD_French-{name}", seed) for name, seed in (("Sequoia", 1), ("ParTUT", 2))]
    tests = [small_treebank(folder / f"UD_French-{name}", seed, parts={"test": 15}) for name, seed in (("PUD", 3),)]
    return [*whole, *tests, small_treebank(folder / "UD_Old_French-SRCMF", 4, parts={"dev": 4, "test": 15})]


@pytest.fixture(scope="module")
def grid(banks: list[str], tmp_path_factory: pytest.TempPathFactory) -> Grid:
    return karat.grid(banks, tmp_path_factory.mktemp("grid"), systems=SYSTEMS, seeds=3)


def rows(table: GridTable, **wanted: Any) -> list[dict[str, Any]]:
    return [row for row in table.dicts() if all(row[name] == value for name, value in wanted.items())]


def cells(grid: Grid, row: dict[str, Any]) -> list[Any]:
    names = [name for name in ("system", "train", "test") if name in row]
    return [one for one in grid.cells if all(getattr(one.condition, name) == row[name] for name in names)]


def path(banks: list[str], name: str, part: str = "test") -> str:
    (folder,) = [one for one in banks if one.endswith(name)]
    (found,) = Path(folder).glob(f"*-{part}.conllu")
    return str(found)


def text_of(path: str) -> Text:
    """The words of a file, read by hand."""
    sentences: Text = [[]]
    opened = karat.read(path)
    for form, upos, sentence in zip(
        opened.column("form").strings(), opened.column("upos").strings(), opened.words_sentence.tolist(), strict=True
    ):
        while len(sentences) <= sentence:
            sentences.append([])
        sentences[sentence].append(Word(form, upos))
    return sentences


# ---- what all tables have in common ----------------------------------------------------------------------------------


def schema() -> Any:
    from importlib.resources import files

    return json.loads((files("karat") / "report" / "schemas" / "grid-table.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", [one for one in TABLES if one != "curve"])
def test_every_table_is_as_its_schema_says_and_fits_a_terminal(grid: Grid, name: str) -> None:
    table = grid_table(grid, name)
    plain = json.loads(json.dumps(table.to_dict(), allow_nan=False))
    jsonschema.validate(plain, schema())
    assert table.verdict
    assert len(table.notes) <= 3
    assert len(table.records().rows) == len(plain["rows"]) > 0
    assert table.signature == grid.signature
    assert max(map(len, written(grid_table_report(table)).splitlines())) <= 80
    for format_ in ("text", "markdown", "latex"):
        assert written(grid_table_report(table, details=True), format_)


def test_an_unknown_table_is_refused_with_the_names_of_all(grid: Grid) -> None:
    with pytest.raises(UsageError, match="no table 'nonsense'; choose from matrix, table1"):
        grid_table(grid, "nonsense")


def test_runs_on_changed_files_have_no_mean(banks: list[str], tmp_path: Path) -> None:
    bank = small_treebank(tmp_path / "UD_Tree-Oak", 1)
    karat.grid([bank], tmp_path / "grid", systems=["most-frequent"], seeds=[0])
    test = Path(path([bank], "Oak"))
    test.write_text(test.read_text().replace("slowly", "fast"))
    karat.grid([bank], tmp_path / "grid", systems=["most-frequent"], seeds=[1])
    with pytest.raises(UsageError, match="UD_Tree-Oak was changed between runs of most-frequent: run the grid again"):
        grid_table(karat.read_grid(tmp_path / "grid"), "matrix")


# ---- matrix ----------------------------------------------------------------------------------------------------------


def test_the_matrix_has_the_means_and_intervals_of_compare(grid: Grid, banks: list[str]) -> None:
    table = grid_table(grid, "matrix")
    assert len(table.rows) == 2 * 2 * 4
    for row in table.dicts():
        here = cells(grid, row)
        values = [one.value("UPOS") for one in here]
        assert row["value"] == pytest.approx(fmean(values))
        assert (row["runs"], row["sd_runs"]) == (3, pytest.approx(stdev(values)))
        assert row["in_domain"] == (row["train"] == row["test"])
        outputs = [grid.store.output(one.key) for one in here]
        gold = path(banks, row["test"])
        compared = karat.compare(gold, {"other": gold}, runs={"ours": outputs}, measures=["UPOS"])
        (ranked,) = [one for one in compared.ranking if one.name == "ours"]
        assert ranked.interval is not None
        assert (row["lower"], row["upper"]) == (ranked.interval.lower, ranked.interval.upper)
        assert (row["cluster"], row["clusters"]) == ("document", ranked.interval.n_clusters)


def test_with_one_run_intervals_are_those_of_score(banks: list[str], tmp_path: Path) -> None:
    found = karat.grid(banks[:2], tmp_path / "grid", systems=["most-frequent"], seeds=1)
    for row in grid_table(found, "matrix", inference=InferenceOptions(level=0.9, cluster="sentence")).dicts():
        (cell,) = cells(found, row)
        inference = InferenceOptions(level=0.9, cluster="sentence")
        gold = path(banks, row["test"])
        (scored,) = karat.score(gold, found.store.output(cell.key), measures=["UPOS"], inference=inference).systems
        measure = scored.measures["UPOS"]
        assert (row["value"], row["lower"], row["upper"]) == (measure.value, measure.lower, measure.upper)


@pytest.mark.parametrize("by", ["sentence", "document"])
def test_folds_are_pooled_and_averaged(banks: list[str], tmp_path: Path, by: Any) -> None:
    found = karat.grid(banks[:1], tmp_path / "grid", systems=["most-frequent"], seeds=2, folds=4, fold_by=by)
    (row,) = grid_table(found, "matrix").dicts()
    pooled = []
    for seed in (0, 1):
        of_seed = [found.store.counts(one.key, "UPOS") for one in found.cells if one.condition.seed == seed]
        gold, system, correct, _ = np.concatenate(of_seed).sum(axis=0)
        assert len(np.concatenate(of_seed)) == 88  # every sentence once
        pooled.append(2 * correct / (gold + system))
    assert row["value"] == pytest.approx(fmean(pooled))
    assert row["mean_of_folds"] == pytest.approx(fmean(one.value("UPOS") for one in found.cells))
    assert (row["runs"], row["folds"]) == (2, 4)
    assert row["lower"] < row["value"] < row["upper"]


def test_counts_of_folds_stand_at_their_sentences(banks: list[str], tmp_path: Path) -> None:
    from karat.experiments.analyses.conditions import conditions

    found = karat.grid(banks[:1], tmp_path / "grid", systems=["most-frequent"], seeds=1, folds=3, fold_by="sentence")
    (runs,) = conditions(found)
    words = np.diff(runs.corpus("test").sentence_offsets)
    assert runs.counts(0, "UPOS")[:, 0].tolist() == words.tolist()


def test_a_seed_without_all_its_folds_is_left_out(banks: list[str], tmp_path: Path) -> None:
    found = karat.grid(banks[:1], tmp_path / "grid", systems=["most-frequent"], seeds=2, folds=3, fold_by="sentence")
    lost = next(one for one in found.cells if one.condition.seed == 1)
    Path(found.store.folder, "cells", f"{lost.key}.json").unlink()
    (row,) = grid_table(karat.read_grid(tmp_path / "grid"), "matrix").dicts()
    assert row["runs"] == 1


# ---- suspicious repeats ----------------------------------------------------------------------------------------------


def expected(grid: Grid, banks: list[str], system: str, train: str, test: str) -> dict[str, Any]:
    """Of each filter by brute force: repeats by length, and of each run the errors, those ignored, repeats with any."""
    here = [one for one in grid.cells if (one.condition.system, one.condition.train) == (system, train)]
    outputs = [text_of(grid.store.output(one.key)) for one in here if one.condition.test == test]
    corpora = [text_of(path(banks, train, "train")), text_of(path(banks, test))]
    places = [(s, w) for s, words in enumerate(corpora[1]) for w in range(len(words))]
    found: dict[str, Any] = {}
    for name in HEURISTICS:
        repeats = found_repeats(units_of(corpora), 3 if name == "minsize" else 1, between=True)
        every = found_suspicious(corpora, repeats, "upos")
        suspicious = {gram: one for gram, one in every.items() if name != "disjoint" or one.disjoint}
        spans = {
            gram: [(s, w) for where in one.labellings.values() for c, s, words in where if c == 1 for w in words]
            for gram, one in suspicious.items()
        }
        covered = {place for some in spans.values() for place in some}
        full, ignoring, with_error = [], [], []
        for output in outputs:
            wrong = {(s, w) for s, w in places if output[s][w].upos != corpora[1][s][w].upos}
            full.append(len(wrong) / len(places))
            ignoring.append(len(wrong - covered) / len(places))
            with_error.append([gram for gram, some in spans.items() if wrong & {*some}])
        sizes = (sum(map(len, corpora[0])), sum(map(len, corpora[1])))
        found[name] = {"repeats": list(spans), "full": full, "ignoring": ignoring, "with": with_error, "sizes": sizes}
    return found


@pytest.fixture(scope="module")
def every(grid: Grid, banks: list[str]) -> dict[tuple[str, str, str], dict[str, Any]]:
    names = product(SYSTEMS, grid.named("train"), grid.named("test"))
    return {key: expected(grid, banks, *key) for key in names}


def test_error_rates_that_ignore_repeats_are_those_of_the_definition(grid: Grid, every: dict[Any, Any]) -> None:
    table = grid_table(grid, "ignoring")
    assert len(table.rows) == len(every)
    for row in table.dicts():
        key = (row["system"], row["train"], row["test"])
        assert row["full"] == pytest.approx(fmean(every[key]["all"]["full"]))
        for name in HEURISTICS:
            assert row[name] == pytest.approx(fmean(every[key][name]["ignoring"]))
            assert row[name] <= row["full"]
        own = every[row["system"], row["train"], row["train"]]["all"]["full"]
        assert row["in_domain_train"] == pytest.approx(fmean(own))
        of_test = every.get((row["system"], row["test"], row["test"]))
        assert row["in_domain_test"] == (None if of_test is None else pytest.approx(fmean(of_test["all"]["full"])))


def test_how_often_ignoring_beats_in_domain_is_counted_across_corpora_alone(grid: Grid) -> None:
    table = grid_table(grid, "ignoring")
    across = [row for row in table.dicts() if row["train"] != row["test"]]
    for name in HEURISTICS:
        wins = [row for row in across if row[name] < row["in_domain_train"]]
        assert table.summary[f"{name}_conditions"] == len(across) == 12
        assert table.summary[f"{name}_wins"] == len(wins)
        share = table.summary[f"{name}_share"]
        assert table.summary[f"{name}_lower"] <= share == len(wins) / 12 <= table.summary[f"{name}_upper"]  # type: ignore[operator]
        with_own = [row for row in across if row["in_domain_test"] is not None]
        assert table.summary[f"{name}_of_test_conditions"] == len(with_own) == 4


def test_repeats_are_counted_per_token_of_both_texts(grid: Grid, every: dict[Any, Any]) -> None:
    table = grid_table(grid, "correlation")
    for row in table.dicts():
        of = every[row["system"], row["train"], row["test"]]
        for name in HEURISTICS:
            n_train, n_test = of[name]["sizes"]
            assert row[f"{name}_repeats"] == len(of[name]["repeats"])
            assert row[f"{name}_rate"] == pytest.approx(len(of[name]["repeats"]) / (n_train + n_test))
        assert (row["train_tokens"], row["test_tokens"]) == of["all"]["sizes"]
    for system in SYSTEMS:
        here = rows(table, system=system)
        x, y = (np.array([row[name] for row in here]) for name in ("disjoint_rate", "error"))
        assert table.summary[f"{system} disjoint_correlation"] == pytest.approx(spearman(x, y))


def test_repeats_with_an_error_are_those_of_the_definition(grid: Grid, every: dict[Any, Any]) -> None:
    table = grid_table(grid, "suspicious")
    for system, name in product(SYSTEMS, ("disjoint", "all")):
        repeats: dict[int | None, int] = defaultdict(int)
        with_error: dict[int | None, float] = defaultdict(float)
        for key, of in every.items():
            if key[0] == system:
                for gram in of[name]["repeats"]:
                    for length in (None, min(len(gram), 10)):
                        repeats[length] += 1
                        with_error[length] += fmean(gram in some for some in of[name]["with"])
        found = rows(table, system=system, filter=name)
        assert {row["words"]: row["repeats"] for row in found} == repeats
        assert {row["words"]: row["with_error"] for row in found} == pytest.approx(dict(with_error))
        assert {row["words"]: row["share"] for row in found} == pytest.approx(
            {length: with_error[length] / n for length, n in repeats.items()}
        )
        assert {(row["language"], row["conditions"]) for row in found} == {("French", 8)}


def test_totals_are_over_dev_and_test_parts(grid: Grid, banks: list[str]) -> None:
    table = grid_table(grid, "totals")
    wanted: dict[str, list[int]] = {"test": [0] * 5, "dev": [0] * 5}
    for train, bank in product(("Sequoia", "ParTUT"), ("Sequoia", "ParTUT", "PUD", "SRCMF")):
        for part in ("test", "dev") if bank != "PUD" else ("test",):
            corpora = [text_of(path(banks, train, "train")), text_of(path(banks, bank, part))]
            found = found_suspicious(corpora, found_repeats(units_of(corpora), 1, between=True), "upos")
            counts = [1, len(found), *(sum(len(gram) >= n for gram in found) for n in (3, 5))]
            counts.append(sum(one.disjoint for one in found.values()))
            wanted[part] = [a + b for a, b in zip(wanted[part], counts, strict=True)]
    for part, counts in wanted.items():
        (row,) = rows(table, part=part)
        assert [row[name] for name in ("pairs", "matches", "of_3_words", "of_5_words", "disjoint")] == counts
    (total,) = rows(table, language="all")
    assert total["pairs"] == 8 + 6
    assert total["matches"] == wanted["test"][1] + wanted["dev"][1] == table.summary["matches"]


# ---- variance --------------------------------------------------------------------------------------------------------


def slow_components(values: list[list[list[float]]]) -> tuple[float, float, float, float]:
    """By the sums of squares of a textbook."""
    a, b, m = len(values), len(values[0]), len(values[0][0])
    mean = fmean(v for row in values for cell in row for v in cell)
    train = [fmean(v for cell in row for v in cell) for row in values]
    test = [fmean(v for row in values for v in row[j]) for j in range(b)]
    error = fmean(variance(cell) for row in values for cell in row)
    both = sum((fmean(values[i][j]) - train[i] - test[j] + mean) ** 2 for i, j in product(range(a), range(b)))
    ms_both = m * both / ((a - 1) * (b - 1))
    ms_train, ms_test = b * m * variance(train), a * m * variance(test)
    found = ((ms_train - ms_both) / (b * m), (ms_test - ms_both) / (a * m), (ms_both - error) / m, error)
    return tuple(max(one, 0.0) for one in found)  # type: ignore[return-value]


@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(2, 5), st.integers(2, 4))
def test_variance_components_are_those_of_the_textbook(seed: int, a: int, b: int, m: int) -> None:
    values = np.random.default_rng(seed).normal(size=(a, b, m))
    found = components(values)
    assert (found.train, found.test, found.both, found.runs) == pytest.approx(slow_components(values.tolist()))


def test_variance_components_find_what_was_put_in() -> None:
    random = np.random.default_rng(1)
    sds = (3.0, 2.0, 1.0, 0.5)
    shapes = ((200, 1, 1), (1, 200, 1), (200, 200, 1), (200, 200, 3))
    values = sum((sd * random.normal(size=shape) for sd, shape in zip(sds, shapes, strict=True)), np.zeros((1, 1, 1)))
    found = components(values)
    assert [math.sqrt(one or 0) for one in (found.train, found.test, found.both, found.runs)] == pytest.approx(
        sds, rel=0.15
    )


def test_one_run_says_nothing_about_runs() -> None:
    assert components(np.arange(6.0).reshape(2, 3, 1)).runs is None
    alone = components(np.array([[[1.0, 2.0, 3.0]]]))
    assert (alone.train, alone.test, alone.both, alone.runs) == (0, 0, 0, 1)


def test_runs_beside_corpora(grid: Grid, banks: list[str]) -> None:
    table = grid_table(grid, "runs")
    for system in SYSTEMS:
        trains, tests = grid.named("train"), grid.named("test")
        values = [
            [[one.value("UPOS") for one in cells(grid, {"system": system, "train": a, "test": b})] for b in tests]
            for a in trains
        ]
        found = slow_components(values)
        shown = {row["source"]: row for row in rows(table, system=system)}
        for source, one in zip(("training corpus", "test corpus", "train with test", "runs"), found, strict=True):
            assert shown[source]["sd"] == pytest.approx(100 * math.sqrt(one), abs=1e-9)
        assert (shown["training corpus"]["pairs"], shown["text of a test"]["share"]) == (4, None)
        different = 0
        for test in tests:
            outputs = {
                a: [grid.store.output(one.key) for one in cells(grid, {"system": system, "train": a, "test": test})]
                for a in trains
            }
            (pair,) = karat.compare(path(banks, test), runs=outputs, measures=["UPOS"]).pairs
            different += pair.p_adjusted < 0.05
        assert shown["training corpus"]["different"] == different


# ---- cost and curves -------------------------------------------------------------------------------------------------


def test_costs_are_means_over_trainings_and_over_cells(grid: Grid) -> None:
    for row in grid_table(grid, "cost").dicts():
        here = [one for one in grid.cells if one.condition.system == row["system"]]
        trainings = {(one.condition.train, one.condition.seed): one.data["train_seconds"] for one in here}
        assert (row["trainings"], row["cells"]) == (6, 24)
        assert row["train_seconds"] == pytest.approx(fmean(trainings.values()))
        assert (row["train_seconds_min"], row["train_seconds_max"]) == (
            min(trainings.values()),
            max(trainings.values()),
        )
        seconds = [one.data["tag_seconds"] for one in here]
        assert row["tag_seconds"] == pytest.approx(fmean(seconds))
        assert row["tokens_per_second"] == pytest.approx(sum(one.data["words"] for one in here) / sum(seconds))
        own = [one.value("UPOS") for one in here if one.condition.train == one.condition.test]
        assert row["in_domain"] == pytest.approx(fmean(own))


def test_curves_have_the_rows_of_the_matrix_by_training_words(banks: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "grid"
    karat.grid(banks[:2], folder, systems=["most-frequent"], seeds=2, sizes=[60, 20])
    karat.grid(banks[:2], folder, systems=["most-frequent"], seeds=2)
    found = karat.read_grid(folder)
    table = grid_table(found, "curve")
    jsonschema.validate(json.loads(json.dumps(table.to_dict())), schema())
    for train, test in product(found.named("train"), found.named("test")):
        here = rows(table, train=train, test=test)
        n_words = karat.read(path(banks, train, "train")).n_words
        assert [row["words"] for row in here] == [20, 60, n_words]
        assert [row["is_whole"] for row in here] == [False, False, True]
        for row in here:
            size = None if row["is_whole"] else row["words"]
            (other,) = rows(grid_table(found, "matrix"), train=train, test=test, size=size)
            assert all(row[name] == other[name] for name in ("value", "lower", "upper", "runs"))


def test_tables_say_what_grid_they_need(grid: Grid, banks: list[str], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="a learning curve needs a grid with several sizes"):
        grid_table(grid, "curve")
    folds = karat.grid(banks[:1], tmp_path / "folds", systems=["most-frequent"], seeds=1, folds=2)
    with pytest.raises(UsageError, match="the table ignoring needs a grid of whole training parts"):
        grid_table(folds, "ignoring")
    other = karat.grid(
        [small_treebank(tmp_path / "UD_Tree-Oak", 1)], tmp_path / "tree", systems=["most-frequent"], seeds=1
    )
    with pytest.raises(UsageError, match="Table 1 is about French"):
        grid_table(other, "table1")


def test_prints_stand_only_beside_the_papers_own_files(grid: Grid) -> None:
    table = grid_table(grid, "table1")
    assert len(table.rows) == 2 * 2 * 4
    assert {row["paper"] for row in table.dicts()} == {None}
    assert table.summary["printed"] == 0
    for row in table.dicts():
        assert row["error"] == pytest.approx(1 - fmean(one.value("UPOS") for one in cells(grid, row)))


# ---- real data -------------------------------------------------------------------------------------------------------


def test_table_1_on_the_papers_files(tmp_path: Path) -> None:
    folders = [data(f"ud-2.3/UD_French-{name}/LICENSE.txt").parent for name in ("Spoken", "GSD")]
    found = karat.grid(folders, tmp_path / "grid", systems=["perceptron:features=paper"], seeds=1)
    table = {row["test"]: row for row in grid_table(found, "table1").dicts()}
    assert {name: row["paper"] for name, row in table.items()} == {"UD_French-Spoken": 0.079, "UD_French-GSD": 0.303}
    for row in table.values():
        assert abs(row["difference"]) < 0.03
