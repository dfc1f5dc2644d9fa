"""Padró & Màrquez 1998 run again on small treebanks: every table, and what is kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import karat
from cli_runs import Run
from karat.experiments.papers.padro_1998_texts import PLANTED, PLANTED_IN, SYSTEMS
from karat.experiments.papers.published.numbers import PaperEvidence
from karat.experiments.papers.published.padro_1998 import published
from karat.experiments.papers.reproduction import PaperTable, Reproduction
from karat.report.reproduction import reproduction_report
from karat.report.tables import written
from result_claims import assert_is_printed
from small_treebanks import small_treebank

PAPER = "padro-1998"


def _with_xpos(bank: str) -> None:
    """The tags of UPOS as XPOS."""
    for path in Path(bank).glob("*.conllu"):
        rows = [line.split("\t") for line in path.read_text().splitlines()]
        path.write_text(
            "".join("\t".join([*row[:4], row[3], *row[5:]] if len(row) == 10 else row) + "\n" for row in rows)
        )


@pytest.fixture(scope="module")
def treebanks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    for seed, name in enumerate(("EWT", "GUM")):
        _with_xpos(small_treebank(folder / "ud-2.3" / f"UD_English-{name}", seed + 1, parts={"train": 150, "test": 60}))
    return folder


@pytest.fixture(scope="module")
def result(treebanks: Path, tmp_path_factory: pytest.TempPathFactory) -> Reproduction:
    return karat.reproduce(PAPER, treebanks, tmp_path_factory.mktemp("out"), seeds=1)


def _table(result: Reproduction, name: str) -> PaperTable:
    found = [
        one for part in result.parts for _, one in part.results if isinstance(one, PaperTable) and one.name == name
    ]
    return found[0]


def test_every_part_is_there(result: Reproduction) -> None:
    assert [one.name for one in result.parts] == ["accuracy", "folds", "figure-1", "section-4"]
    assert {one.what for one in result.not_run} == {"the Wall Street Journal"}
    n_across, n_folds, n_planted = len(SYSTEMS) * 4, len(SYSTEMS) * 2 * 10, len(PLANTED_IN) * len(PLANTED)
    assert (result.n_run, result.n_kept, result.n_failed) == (n_across + n_folds + n_planted, 0, 0)


def test_started_again_it_runs_nothing_and_gives_the_same(result: Reproduction, treebanks: Path) -> None:
    again = karat.reproduce(PAPER, treebanks, result.folder, seeds=1)
    assert again.n_run == 0
    assert again.numbers == result.numbers
    assert _table(again, "section-4").rows == _table(result, "section-4").rows


def test_every_published_number_that_needs_the_experiment_is_in_it(result: Reproduction) -> None:
    rows = [one for one in published(PaperEvidence(experiment=result)) if one.needs == "training"]
    assert [one.of for one in rows if one.state != "other data"] == []
    assert len(rows) == 3


def test_the_papers_own_intervals_come_out(result: Reproduction) -> None:
    ours = [one for one in result.numbers if one.same_data]
    assert len(ours) == 8
    assert all(abs(one.value - one.paper) < 6e-5 for one in ours if one.value is not None)


def test_accuracy_is_that_of_the_scored_cells(result: Reproduction) -> None:
    cells = karat.read_grid(Path(result.folder) / "grid").cells
    table = _table(result, "accuracy")
    shown = {str(row[0]): row for row in table.rows}
    for one in cells:
        of = one.condition
        if of.fold is None and of.system == SYSTEMS["TC"] and of.train == of.test == "UD_English-EWT":
            assert shown["TC"][1] == f"{100 * one.value('XPOS'):.2f}"


def test_every_kind_of_planting_is_there_for_every_tagger(result: Reproduction) -> None:
    for name in ("section-4", "section-4-bounds"):
        assert [row[:2] for row in _table(result, name).rows] == [(a, b) for a in PLANTED for b in PLANTED_IN]


def test_it_is_plain_data_and_can_be_read(result: Reproduction) -> None:
    assert_is_printed(result, json.loads(json.dumps(result.to_dict(), allow_nan=False)))
    shown = written(reproduction_report(result))
    assert max(map(len, shown.splitlines())) <= 80
    every = written(reproduction_report(result, details=True))
    assert max(map(len, every.splitlines())) <= 80
    assert all(part.title in written(reproduction_report(result, details=True), "markdown") for part in result.parts)


@pytest.mark.parametrize("format", ["text", "json", "csv", "tsv", "markdown", "latex"])
def test_every_format_is_written(
    result: Reproduction, treebanks: Path, format: str, capsys: pytest.CaptureFixture[str]
) -> None:
    call = ("reproduce", PAPER, "--data", str(treebanks), "--seeds", "1", "-o", result.folder, "--details")
    run = Run(capsys, *call, "--format", format)
    assert run.code == 0
    assert run.json["papers"][0]["paper"] == PAPER if format == "json" else "ambiguous" in run.out


def test_one_corpus_alone_gives_what_it_can(treebanks: Path, tmp_path: Path) -> None:
    (tmp_path / "UD_English-GUM").symlink_to(treebanks / "ud-2.3" / "UD_English-GUM")
    found = karat.reproduce(PAPER, tmp_path, tmp_path / "out", seeds=1)
    assert ("English EWT", "not in the folder") in {(one.what, one.why) for one in found.not_run}
    assert [one.name for one in found.parts] == ["accuracy", "folds", "figure-1", "section-4"]
