"""Hogenhout & Matsumoto 1996 run again on a small treebank: every table, in every format, and what is kept."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

import karat
from karat.corpus.readers.bracket_folders import read_bracket_folder
from karat.errors import DataError, UsageError
from karat.experiments.papers import hogenhout_1996 as paper, hogenhout_1996_check_tables as check_tables
from karat.experiments.papers.hogenhout_1996_check import (
    JUDGED,
    OracleVerdicts,
    coverage,
    nearest_coverage,
    oracle_verdicts,
)
from karat.experiments.papers.hogenhout_1996_runs import folds_by_document, split_of
from karat.experiments.papers.published.hogenhout_1996 import published
from karat.experiments.papers.published.numbers import PaperEvidence
from karat.experiments.papers.reproduction import PaperTable, Reproduction
from karat.report.reproduction import reproduction_report
from karat.report.tables import written
from karat.simulation.bracketing_styles import styled

PAPER = "hogenhout-1996"
NOUNS, VERBS = ("clerk", "ferry", "lamp", "pilot", "stove"), ("mends", "paints", "sees", "sells")
ADJECTIVES, PLACES = ("green", "old", "quiet"), ("by", "near", "under")


def _noun_phrase(rng: random.Random, depth: int = 0) -> str:
    words = [f"(JJ {rng.choice(ADJECTIVES)})" for _ in range(rng.randrange(3))]
    base = f"(NP (DT the) {' '.join([*words, f'(NN {rng.choice(NOUNS)})'])})"
    kind = rng.random()
    if depth < 2 and kind < 0.3:
        return f"(NP {base} {_place(rng, depth + 1)})"
    if depth < 2 and kind < 0.45:
        return f"(NP {base} (CC and) {_noun_phrase(rng, 2)})"
    return base


def _place(rng: random.Random, depth: int) -> str:
    return f"(PP (IN {rng.choice(PLACES)}) {_noun_phrase(rng, depth)})"


def _tree(rng: random.Random) -> str:
    verb = f"(VB {rng.choice(VERBS)})"
    inner = f"(VP {verb} {_noun_phrase(rng)}{' ' + _place(rng, 1) if rng.random() < 0.4 else ''})"
    phrase = f"(VP (MD will) {inner})" if rng.random() < 0.6 else inner
    return f"(ROOT (S (NP-SBJ {_noun_phrase(rng)[4:]} {phrase} (. .)))"


@pytest.fixture(scope="module")
def treebank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data") / "const"
    folder.mkdir()
    rng = random.Random(25)
    for number in range(24):
        genre = ("letter", "log", "tale")[number % 3]
        text = "\n".join(_tree(rng) for _ in range(14))
        (folder / f"OWN_{genre}_{number}.ptb").write_text(text + "\n")
    return folder.parent


@pytest.fixture(scope="module")
def small() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(paper, "TEST_SIZE", 50)
        patch.setattr(paper, "ORDERS", [(1, 1), (2, 2)])
        patch.setattr(paper, "STYLES", ("verb-groups", "combined"))
        patch.setattr(check_tables, "_N_SAMPLES", 20)
        yield


@pytest.fixture(scope="module")
def result(small: None, treebank: Path, tmp_path_factory: pytest.TempPathFactory) -> Reproduction:
    return karat.reproduce(PAPER, treebank, tmp_path_factory.mktemp("out"), seeds=2)


def _tables(result: Reproduction) -> dict[str, PaperTable]:
    return {one.title: one for part in result.parts for _, one in part.results if isinstance(one, PaperTable)}


def test_every_part_is_there(result: Reproduction) -> None:
    assert [one.name for one in result.parts] == [
        "own-items", "folds", "accuracy", "tables", "structures", "orders", "partial", "check", "coverage",
    ]  # fmt: skip
    assert [one.what for one in result.not_run] == ["the EDR corpus of Japanese, and the paper's parsers"]
    assert result.n_run == 2 * 2 * 2 + 2 + 2 * 5 + 2 * 2 + 2 * 2 * 2
    assert result.n_kept == result.n_failed == 0


def test_started_again_it_runs_nothing_and_gives_the_same(result: Reproduction, small: None, treebank: Path) -> None:
    again = karat.reproduce(PAPER, treebank, result.folder, seeds=2)
    assert again.n_run == 0
    assert again.verdict == result.verdict
    assert {title: one.rows for title, one in _tables(again).items()} == {
        title: one.rows for title, one in _tables(result).items()
    }


def test_a_damaged_run_is_done_again(result: Reproduction, small: None, treebank: Path, tmp_path: Path) -> None:
    kept = sorted((Path(result.folder) / "parses").iterdir())
    before = kept[0].read_bytes()
    kept[0].write_bytes(before[: len(before) // 2])
    again = karat.reproduce(PAPER, treebank, result.folder, seeds=2)
    assert again.n_run == 1
    assert again.verdict == result.verdict


def test_tables_1_and_2_are_beside_the_print(result: Reproduction) -> None:
    of = {(one.part, one.of): one for one in result.numbers if one.part in ("Table 1", "Table 2")}
    assert len(of) == 2 * 11 + 4
    assert not any(one.same_data for one in of.values())
    value = {key: one.value or 0 for key, one in of.items()}
    paired = {name: value["Table 2", name] for name in ("YY", "YN", "NY", "NN")}
    assert value["Table 1", "TTB, A"] == value["Table 1", "TTB, B"] == sum(paired.values())
    assert value["Table 1", "EMA, A"] == paired["YY"] + paired["YN"]
    assert value["Table 1", "EMA, B"] == paired["YY"] + paired["NY"]
    for system, printed in (("A", 6748), ("B", 6858)):
        assert (
            value["Table 1", f"TINH, {system}"] + value["Table 1", f"TNINH, {system}"]
            == value["Table 1", f"EMA, {system}"]
        )
        assert of["Table 1", f"EMA, {system}"].paper == printed
    rows = {tuple(row[:2]): row for row in _tables(result)["Items, by the truth"].rows}
    assert value["Table 1", "CEA, B"] == rows["combined", "B"][4]


def test_every_published_number_that_needs_the_experiment_is_in_it(result: Reproduction) -> None:
    rows = [one for one in published(PaperEvidence(experiment=result)) if one.needs == "training"]
    assert [one.of for one in rows if one.state != "other data"] == []
    assert len(rows) == 26


def test_the_papers_own_measures_come_out(result: Reproduction) -> None:
    ours = [one for one in result.numbers if one.same_data]
    assert len(ours) == 2 * 11 + 5
    for one in ours:
        assert one.value is not None
        tolerance = {"share": 0.00051, "count": 3.5, "correlation": 0.07}[one.unit]
        assert abs(one.value - one.paper) <= tolerance, one.of
    misprinted = [one for one in result.numbers if one.part == "Table 4" and not one.same_data]
    assert [round(one.value or 0, 3) for one in misprinted] == [0.761, 0.769]


@pytest.mark.parametrize("form", ["text", "markdown", "latex", "csv", "tsv", "json"])
@pytest.mark.parametrize("details", [False, True])
def test_every_table_is_printed_in_every_format(result: Reproduction, form: str, details: bool) -> None:
    if form == "json":
        text = json.dumps(result.to_dict(), ensure_ascii=False)
        assert [title for title in _tables(result) if title not in text] == []
        return
    if form in ("csv", "tsv"):
        assert len(result.records().rows) == 29 + 26
        return
    text = written(reproduction_report(result, details=details), form)
    assert "{" not in text or form == "latex"
    assert "A alone has" in text or not details


def test_test_sentences_come_in_whole_documents_and_train_nobody(treebank: Path) -> None:
    trees = read_bracket_folder(treebank / "const")
    for seed in range(5):
        split = split_of(trees, seed, size=50, most_words=40)
        assert (int(split.test.sum()), int(split.dev.sum())) == (50, 50)
        documents = [{*trees.sentence_document[one].tolist()} for one in (split.test, split.dev, split.train)]
        assert not (documents[0] & documents[1])
        assert not (documents[0] & documents[2])
        assert not (documents[1] & documents[2])
        genres = {trees.document_names[one].split("_")[1] for one in documents[0]}
        assert genres == {"letter", "log", "tale"}
        again = split_of(trees, seed, size=50, most_words=40)
        assert np.array_equal(again.test, split.test)


def test_folds_test_every_document_once(treebank: Path) -> None:
    trees = read_bracket_folder(treebank / "const")
    folds = folds_by_document(trees, 5, 0)
    assert np.array_equal(np.sum(folds, axis=0), np.ones(trees.n_trees))
    assert all(len({*trees.sentence_document[one].tolist()}) in (4, 5) for one in folds)


def test_a_parser_that_has_its_own_style_right_makes_no_error_by_the_oracle(treebank: Path) -> None:
    trees = read_bracket_folder(treebank / "const")
    own = styled(trees, "verb-groups")
    truth = oracle_verdicts(trees, own, own)
    found = truth.measures(look_at_exact=True)
    assert found["False Error"] == 1.0
    assert found["Precision-soft"] == 1.0
    assert truth.counts()["CER"] == truth.counts()["SPR"] == 0
    assert set(found) == set(JUDGED)


@given(st.lists(st.integers(0, 5), min_size=1, max_size=40), st.sampled_from([0.8, 0.95]))
def test_the_nearest_coverage_is_that_of_the_best_run_of_estimates(estimates: list[int], level: float) -> None:
    share = {one: estimates.count(one) / len(estimates) for one in sorted(set(estimates))}
    most = max(share, key=lambda one: share[one])  # the first, of several
    runs = [
        sum(share[one] for one in share if low <= one <= high) for low in share for high in share if low <= most <= high
    ]
    found = nearest_coverage(estimates, level)
    assert abs(found - level) == pytest.approx(min(abs(one - level) for one in runs))


def test_where_nothing_is_acceptable_every_interval_covers_and_must() -> None:
    item = np.repeat(["EM", "CE", "SP"], [200, 60, 40])
    truth = OracleVerdicts(280, {one: item == one for one in ("EM", "CE", "SP")}, item == "EM")
    found = coverage(truth, n_samples=5, level=0.95)
    assert {one.measure for one in found} == set(JUDGED)
    for one in found:
        assert (one.covered, one.nearest) == (1.0, 1.0)
        assert one.width > 0


def test_data_that_cannot_be_used_is_refused_with_a_reason(small: None, treebank: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such folder"):
        karat.reproduce(PAPER, tmp_path / "nowhere", tmp_path / "out")
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match="no folder of bracketed trees"):
        karat.reproduce(PAPER, tmp_path / "empty", tmp_path / "out")
    few = tmp_path / "few"
    few.mkdir()
    for name in ("OWN_log_1.ptb", "OWN_log_4.ptb"):
        (few / name).write_text((treebank / "const" / name).read_text())
    with pytest.raises(DataError, match="too few trees"):
        karat.reproduce(PAPER, few, tmp_path / "out")
    with pytest.raises(UsageError, match="this machine only"):
        karat.reproduce(PAPER, treebank, tmp_path / "out", scheduler="tcp://localhost:1")
