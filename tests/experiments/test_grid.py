"""Grids: what is in a cell, what is run again and what is not, and what does not depend on how it is run."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import karat
from karat.corpus.files import replace_file
from karat.errors import DataError, KaratError, UsageError
from karat.experiments.analyses.catalogue import grid_table
from karat.experiments.analyses.conditions import conditions
from karat.experiments.grid import Grid, GridProgress, read_grid
from karat.experiments.store import Store
from karat.inference.options import InferenceOptions
from karat.systems.folds import folds_of
from small_treebanks import small_treebank, small_treebanks

BASELINE = "most-frequent"
TIMES = ("train_seconds", "tag_seconds", "tokens_per_second", "peak_bytes")


@pytest.fixture
def banks(tmp_path: Path) -> list[str]:
    return small_treebanks(tmp_path)


def measured(grid: Grid) -> list[dict[str, Any]]:
    """All that is in cells but time and memory."""
    return [{name: value for name, value in one.data.items() if name not in TIMES} for one in grid.cells]


def part(bank: str, name: str) -> str:
    (found,) = Path(bank).glob(f"*-ud-{name}.conllu")
    return str(found)


def test_a_cell_has_what_training_tagging_and_scoring_by_hand_give(banks: list[str], tmp_path: Path) -> None:
    found = karat.grid(banks, tmp_path / "grid", systems=[BASELINE, "hmm:order=1"], seeds=[0, 4])
    assert len(found.cells) == 2 * 2 * 3 * 2
    for cell in found.cells:
        of = cell.condition
        system, _, options = of.system.partition(":")
        train, test = (part(str(tmp_path / name), p) for name, p in ((of.train, "train"), (of.test, "test")))
        tagger = karat.train(system, train, seed=of.seed, options={"order": 1} if options else {}, calibrate=False)
        tagged = tmp_path / "tagged.conllu"
        karat.tag(tagger, test).write(tagged)
        (expected,) = karat.score(test, tagged, measures=["UPOS"]).systems
        assert cell.data["measures"] == {"UPOS": json.loads(json.dumps(expected.measures["UPOS"].to_dict()))}
        assert np.array_equal(found.store.counts(cell.key, "UPOS"), expected.counts["UPOS"])
        assert karat.read(found.store.output(cell.key)).column("upos").strings() == (
            karat.read(tagged).column("upos").strings()
        )
        tagged.unlink()


def test_cells_come_by_system_train_test_and_seed_as_they_were_given(banks: list[str], tmp_path: Path) -> None:
    found = karat.grid(banks[::-1], tmp_path / "grid", systems=["hmm", BASELINE], seeds=2)
    conditions = [
        (one.condition.system, one.condition.train, one.condition.test, one.condition.seed) for one in found.cells
    ]
    assert conditions[0] == ("hmm", "UD_Tree-Ash", "UD_Tree-Elm", 0)
    assert conditions[:3] == [("hmm", "UD_Tree-Ash", test, seed) for test, seed in
                              (("UD_Tree-Elm", 0), ("UD_Tree-Elm", 1), ("UD_Tree-Ash", 0))]  # fmt: skip
    assert [one.is_in_domain for one in found.cells] == [train == test for _, train, test, _ in conditions]


def test_a_second_start_runs_nothing_and_says_so(banks: list[str], tmp_path: Path) -> None:
    first = karat.grid(banks, tmp_path / "grid", systems=[BASELINE], seeds=2)
    again = karat.grid(banks, tmp_path / "grid", systems=[BASELINE], seeds=2)
    assert (first.n_run, first.n_kept) == (12, 0)
    assert (again.n_run, again.n_kept) == (0, 12)
    assert [one.data for one in again.cells] == [one.data for one in first.cells]


def test_what_was_lost_is_run_again_and_is_the_same(banks: list[str], tmp_path: Path) -> None:
    first = karat.grid(banks, tmp_path / "grid", systems=["hmm"], seeds=2)
    for one in first.cells[1:12:4]:
        os.unlink(tmp_path / "grid" / "cells" / f"{one.key}.json")
    again = karat.grid(banks, tmp_path / "grid", systems=["hmm"], seeds=2)
    assert (again.n_run, again.n_kept) == (3, 9)
    assert measured(again) == measured(first)


def test_a_folder_shows_the_grid_that_was_run_last_and_others_of_its_kind(banks: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "grid"
    whole = karat.grid(banks[::-1], folder, systems=[BASELINE], seeds=1)
    folds = karat.grid(banks[:1], folder, systems=[BASELINE], seeds=1, folds=2)
    found = karat.read_grid(folder)
    assert measured(found) == measured(folds)
    assert found.notes == ("6 cells of grids with another column, other measures or other folds are not shown.",)
    karat.grid(banks[::-1], folder, systems=[BASELINE], seeds=1)
    assert measured(karat.read_grid(folder)) == measured(whole)
    more = karat.grid(banks[:1], folder, systems=["hmm"], seeds=1)
    assert measured(karat.read_grid(folder)) == measured(more) + sorted(
        measured(whole), key=lambda one: (one["train"], one["test"])
    )


def test_what_a_tagger_writes_has_nothing_of_the_golds_other_columns(banks: list[str], tmp_path: Path) -> None:
    found = karat.grid(banks[:1], tmp_path / "grid", systems=[BASELINE], seeds=1)
    output = karat.read(found.store.output(found.cells[0].key), trees=False)
    assert not output.has("deprel")
    assert not output.has("lemma")
    with pytest.raises(UsageError, match="LAS cannot be measured"):
        karat.grid(banks[:1], tmp_path / "grid", systems=[BASELINE], measures=["LAS"])


def test_a_changed_file_is_run_again_and_nothing_else(banks: list[str], tmp_path: Path) -> None:
    karat.grid(banks, tmp_path / "grid", systems=[BASELINE], seeds=1)
    test = Path(part(banks[1], "test"))
    test.write_text(test.read_text().replace("\tADJ\t", "\tADV\t"))
    again = karat.grid(banks, tmp_path / "grid", systems=[BASELINE], seeds=1)
    assert (again.n_run, again.n_kept) == (2, 4)  # both trains on this test
    assert measured(karat.read_grid(tmp_path / "grid")) == measured(again)


def test_another_system_seed_or_test_adds_its_cells_alone(banks: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "grid"
    assert karat.grid(banks[:1], folder, systems=[BASELINE], seeds=1).n_run == 1
    assert karat.grid(banks[:1], folder, systems=[BASELINE], seeds=2).n_run == 1
    assert karat.grid(banks[:1], folder, systems=[BASELINE, "hmm"], seeds=2).n_run == 2
    assert karat.grid(banks[:1], folder, tests=banks[2:], systems=[BASELINE], seeds=1).n_run == 1
    assert karat.grid(banks[:1], folder, systems=[BASELINE + ":suffixes=yes"], seeds=1).n_run == 1


@pytest.mark.parametrize("jobs", [2, 3])
def test_results_do_not_depend_on_jobs(banks: list[str], tmp_path: Path, jobs: int) -> None:
    alone = karat.grid(banks, tmp_path / "alone", systems=["perceptron:epochs=2"], seeds=2)
    together = karat.grid(banks, tmp_path / "together", systems=["perceptron:epochs=2"], seeds=2, jobs=jobs)
    assert measured(together) == measured(alone)


def test_every_cell_says_what_it_cost(banks: list[str], tmp_path: Path) -> None:
    for one in karat.grid(banks, tmp_path / "grid", systems=["perceptron:epochs=1"], seeds=1).to_dict()["cells"]:
        assert one["train_seconds"] > 0
        assert one["tag_seconds"] > 0
        assert one["tokens_per_second"] == pytest.approx(one["words"] / one["tag_seconds"])
        assert one["peak_bytes"] > 1 << 20
        assert one["model_bytes"] > 100


def test_sizes_are_training_words_and_smaller_texts_are_in_larger_ones(banks: list[str], tmp_path: Path) -> None:
    from karat.experiments.run import _first_words

    corpus = karat.read(part(banks[0], "train"))
    kept = [_first_words(corpus, size, seed=3) for size in (1, 20, 60, corpus.n_words)]
    n_words = [int(np.diff(corpus.sentence_offsets)[one].sum()) for one in kept]
    assert all((small <= large).all() for small, large in pairwise(kept))
    assert all(size <= n < size + 5 for size, n in zip((1, 20, 60), n_words, strict=False))  # a sentence has 5 at most
    assert kept[-1].all()
    found = karat.grid(banks, tmp_path / "grid", systems=[BASELINE], seeds=1, sizes=[20, 60])
    assert found.named("size") == [20, 60]
    assert len(found.cells) == 2 * 3 * 2


def test_a_size_that_a_corpus_does_not_have_fails_there_alone(banks: list[str], tmp_path: Path) -> None:
    found = karat.grid(banks, tmp_path / "grid", systems=[BASELINE], seeds=1, sizes=[20, 100_000])
    assert len(found.cells) == len(found.failures) == 6
    assert all("fewer than 100,000" in one.error for one in found.failures)


@pytest.mark.parametrize("by", ["sentence", "document"])
def test_folds_test_every_sentence_once(banks: list[str], tmp_path: Path, by: Any) -> None:
    found = karat.grid(banks[:1], tmp_path / "grid", systems=[BASELINE], seeds=1, folds=4, fold_by=by)
    assert [one.condition.fold for one in found.cells] == [0, 1, 2, 3]
    texts = [karat.read(found.store.output(one.key)) for one in found.cells]
    whole = karat.read([part(banks[0], name) for name in ("train", "dev", "test")])
    ids = [one.sent_id(number) for one in texts for number in range(one.n_sentences)]
    assert sorted(map(str, ids)) == sorted(str(whole.sent_id(number)) for number in range(whole.n_sentences))
    assert sum(one.data["words"] for one in found.cells) == whole.n_words


def test_sentences_that_are_tested_are_left_out_of_training_and_counted(banks: list[str], tmp_path: Path) -> None:
    whole = [part(banks[0], name) for name in ("train", "dev", "test")]
    corpus = karat.read(whole)
    how: dict[str, Any] = {"systems": [BASELINE], "seeds": 1, "folds": 4, "fold_by": "sentence"}
    found = karat.grid(banks[:1], tmp_path / "grid", without_duplicates=True, **how)
    fold = folds_of(corpus, 4, "sentence", 0)
    words = [corpus.words_of(one) for one in range(corpus.n_sentences)]
    for cell in found.cells:
        tested = {words[one] for one in np.flatnonzero(fold == cell.condition.fold).tolist()}
        others = np.flatnonzero(fold != cell.condition.fold).tolist()
        assert cell.data["duplicates_left_out"] == sum(words[one] in tested for one in others) > 0
    assert "training sentences per cell left out" in found.notes[0]
    kept = karat.grid(banks[:1], tmp_path / "grid", **how)
    assert {one.data["duplicates_left_out"] for one in kept.cells} == {None}
    assert {one.key for one in kept.cells}.isdisjoint(one.key for one in found.cells)
    assert len(read_grid(tmp_path / "grid").cells) == 4


def test_across_treebanks_what_any_test_has_is_left_out(banks: list[str], tmp_path: Path) -> None:
    found = karat.grid(banks, tmp_path / "grid", systems=[BASELINE], seeds=1, without_duplicates=True)
    tests = [karat.read(part(bank, "test")) for bank in banks]
    tested = {one.words_of(sentence) for one in tests for sentence in range(one.n_sentences)}
    for cell in found.cells:
        train = karat.read(part(str(tmp_path / cell.condition.train), "train"))
        expected = sum(train.words_of(one) in tested for one in range(train.n_sentences))
        assert cell.data["duplicates_left_out"] == expected


def test_documents_by_a_comment_are_dealt_out_and_compared_over(banks: list[str], tmp_path: Path) -> None:
    asked: dict[str, Any] = {"document_from": "sent_id", "document_pattern": r"(\d)$"}  # by the last digit
    found = karat.grid(banks[:1], tmp_path / "grid", systems=[BASELINE], seeds=1, folds=3, fold_by="document", **asked)
    assert {one.data["cluster"] for one in found.cells} == {"document"}
    (runs,) = conditions(found)
    corpus = runs.corpus("test")
    assert corpus.n_documents == 10
    fold = folds_of(corpus, 3, "document", 0)
    for cell in found.cells:
        output = karat.read(found.store.output(cell.key))
        names = [str(corpus.sent_id(one)) for one in np.flatnonzero(fold == cell.condition.fold).tolist()]
        assert [output.sent_id(one) for one in range(output.n_sentences)] == names
    assert runs.clusters(InferenceOptions()).n == 10
    assert grid_table(read_grid(tmp_path / "grid"), "matrix").dicts()


def test_texts_without_the_comment_keep_their_documents_and_are_named(banks: list[str], tmp_path: Path) -> None:
    path = part(banks[1], "test")
    Path(path).write_text(Path(path).read_text(encoding="utf-8").replace("# sent_id", "# name"), encoding="utf-8")
    found = karat.grid(banks[:2], tmp_path / "grid", systems=[BASELINE], seeds=1, document_from="sent_id")
    assert not found.failures
    assert found.notes == ("UD_Tree-Ash has no comment sent_id: it keeps the documents that it marks.",)
    with pytest.raises(DataError, match="no sentence has the comment # sentid"):
        karat.grid(banks[:2], tmp_path / "grid", systems=[BASELINE], seeds=1, document_from="sentid")


def test_tags_are_mapped_before_training_and_scoring(banks: list[str], tmp_path: Path) -> None:
    (tmp_path / "coarse.tsv").write_text("NOUN\tN\nVERB\tV\nADJ\tA\nADV\tA\nDET\tD\n", encoding="utf-8")
    found = karat.grid(banks[:2], tmp_path / "grid", systems=[BASELINE], seeds=1, map=tmp_path / "coarse.tsv")
    for cell in found.cells:
        written = karat.read(found.store.output(cell.key))
        assert {*written.column("upos").vocabulary} <= {*"NVAD"}
        assert cell.data["map"]["name"].endswith("coarse.tsv")
    (tmp_path / "coarse.tsv").write_text("NOUN\tN\n", encoding="utf-8")
    with pytest.raises(UsageError, match="has changed since the experiment"):
        conditions(found)[0].corpus("test")
    again = karat.grid(banks[:2], tmp_path / "grid", systems=[BASELINE], seeds=1, map=tmp_path / "coarse.tsv")
    assert again.n_run == 4
    assert "words keep tags that the map" in again.notes[0]
    with pytest.raises(UsageError, match="tags of one column can be mapped"):
        karat.grid(banks[:2], tmp_path / "grid", column="upos+xpos", map="penn-upos")


def test_several_columns_have_a_measure_each(banks: list[str], tmp_path: Path) -> None:
    found = karat.grid(banks[:1], tmp_path / "grid", systems=[BASELINE], seeds=1, column="upos+deprel")
    assert list(found.cells[0].data["measures"]) == ["UPOS", "Deprels"]


def test_whoever_watches_sees_the_matrix_fill(banks: list[str], tmp_path: Path) -> None:
    seen: list[GridProgress] = []
    karat.grid(banks, tmp_path / "grid", systems=["perceptron"], seeds=3, watch=seen.append)
    assert seen[-1].n_done == seen[-1].n_cells == 18
    assert [one.n_done for one in seen] == sorted(one.n_done for one in seen)


def test_an_interruption_keeps_what_is_done(banks: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[str] = []
    keep = Store.keep

    def interrupted(self: Store, key: str, *of: Any) -> None:
        if len(kept) == 4:
            raise KeyboardInterrupt
        kept.append(key)
        keep(self, key, *of)

    with monkeypatch.context() as patched:
        patched.setattr(Store, "keep", interrupted)
        found = karat.grid(banks, tmp_path / "grid", systems=[BASELINE], seeds=2)
    assert found.was_interrupted
    assert {one.key for one in found.cells} == {*kept}
    again = karat.grid(banks, tmp_path / "grid", systems=[BASELINE], seeds=2)
    assert (again.n_run, again.n_kept, again.was_interrupted) == (8, 4, False)


def test_a_full_disk_loses_no_finished_cell(banks: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = karat.grid(banks[:1], tmp_path / "grid", systems=[BASELINE], seeds=1)

    def full(path: str, data: bytes) -> None:
        if "cells" in Path(path).parts:
            raise OSError(28, "No space left on device", path)
        replace_file(path, data)

    with monkeypatch.context() as patched:
        patched.setattr("karat.experiments.store.replace_file", full)
        found = karat.grid(banks, tmp_path / "grid", systems=[BASELINE], seeds=1)
    assert [one.data for one in found.cells] == [one.data for one in before.cells]
    assert len(found.failures) == 5
    assert all("No space left" in one.error for one in found.failures)
    assert karat.grid(banks, tmp_path / "grid", systems=[BASELINE], seeds=1).n_run == 5


def test_a_broken_corpus_fails_its_cells_alone(banks: list[str], tmp_path: Path) -> None:
    Path(part(banks[2], "test")).write_text("1\tonly two columns\n\n")
    found = karat.grid(banks, tmp_path / "grid", systems=[BASELINE], seeds=1)
    assert {one.condition.test for one in found.failures} == {"UD_Tree-Elm"}
    assert len(found.cells) == 4


def test_a_file_that_changes_while_the_grid_runs_is_refused(
    banks: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from karat.experiments import plan

    made = plan.GridPlan.trainings

    def changed(self: plan.GridPlan) -> Any:
        found = made(self)
        with open(part(banks[2], "test"), "a") as file:
            file.write("\n")
        return found

    monkeypatch.setattr(plan.GridPlan, "trainings", changed)
    found = karat.grid(banks, tmp_path / "grid", systems=[BASELINE], seeds=1)
    assert all("changed" in one.error for one in found.failures)
    assert {one.condition.test for one in found.failures} == {"UD_Tree-Elm"}


def test_a_damaged_cell_is_named(banks: list[str], tmp_path: Path) -> None:
    found = karat.grid(banks[:1], tmp_path / "grid", systems=[BASELINE], seeds=1)
    (cell,) = (tmp_path / "grid" / "cells").glob("*.json")
    for text in ("{", "[]", '{"key": "other"}'):
        cell.write_text(text)
        with pytest.raises(DataError, match="K912"):
            karat.read_grid(tmp_path / "grid")
    cell.write_text(json.dumps(dict(found.cells[0].data)))
    cell.with_suffix(".npz").write_bytes(b"PK")
    with pytest.raises(DataError, match="K912"):
        karat.read_grid(tmp_path / "grid").store.counts(found.cells[0].key, "UPOS")


def test_what_cannot_be_run_is_refused_before_any_work(banks: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "grid"
    with pytest.raises(UsageError, match="no corpus has a train part"):
        karat.grid(banks[2:], folder)
    with pytest.raises(UsageError, match="at least 2 are needed"):
        karat.grid(banks, folder, folds=1)
    with pytest.raises(UsageError, match="needs folds"):
        karat.grid(banks, folder, fold_by="sentence")
    only_train = small_treebank(tmp_path / "UD_Tree-Yew", 8, parts={"train": 10})
    with pytest.raises(UsageError, match="nothing to test on"):
        karat.grid([only_train], folder)
    with pytest.raises(UsageError, match="cannot be used together"):
        karat.grid(banks, folder, sizes=[10], folds=2)
    with pytest.raises(UsageError, match="unknown measure"):
        karat.grid(banks, folder, measures=["UPSO"])
    with pytest.raises(UsageError, match="same name"):
        karat.grid(banks, folder, systems=["hmm", "hmm"])
    with pytest.raises(UsageError, match="at least one seed"):
        karat.grid(banks, folder, seeds=0)
    with pytest.raises(DataError, match="K101"):
        karat.grid([*banks, str(tmp_path / "UD_Missing")], folder)
    shutil.copytree(banks[0], tmp_path / "other" / "UD_Tree-Oak")
    with pytest.raises(UsageError, match="two corpora are called UD_Tree-Oak"):
        karat.grid([*banks, str(tmp_path / "other" / "UD_Tree-Oak")], folder)
    assert not folder.exists()
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot be written"):
        karat.grid(banks, tmp_path / "file" / "grid")
    with pytest.raises(DataError, match="K911"):
        karat.read_grid(tmp_path)
    Store.made(folder)
    with pytest.raises(KaratError, match="no finished cell"):
        karat.read_grid(folder)


def test_a_file_is_a_corpus_of_its_own(banks: list[str], tmp_path: Path) -> None:
    small_treebank(tmp_path / "UD_Tree-Fir", 5, parts={"test": 10})
    single = part(str(tmp_path / "UD_Tree-Fir"), "test")
    found = karat.grid(banks[:1], tmp_path / "grid", tests=[single], systems=[BASELINE], seeds=1)
    assert [one.condition.test for one in found.cells] == ["UD_Tree-Oak", os.path.basename(single)]
    folds = karat.grid([single], tmp_path / "folds", systems=[BASELINE], seeds=1, folds=2)
    assert len(folds.cells) == 2


def test_systems_of_a_grid_go_into_a_comparison_with_their_runs(banks: list[str], tmp_path: Path) -> None:
    found = karat.grid(banks[:1], tmp_path / "grid", systems=[BASELINE, "hmm"], seeds=3)
    runs = {
        system: [found.store.output(one.key) for one in found.cells if one.condition.system == system]
        for system in found.named("system")
    }
    compared = karat.compare(part(banks[0], "test"), runs=runs, measures=["UPOS"])
    (pair,) = compared.pairs
    mean = {name: np.mean([one.value("UPOS") for one in found.cells if one.condition.system == name]) for name in runs}
    assert (pair.value_a, pair.value_b) == pytest.approx((mean[BASELINE], mean["hmm"]))


def test_conditions_are_what_cells_are_named_by() -> None:
    from karat.experiments.plan import Condition

    assert list(asdict(Condition("a", "b", "c", 0))) == ["system", "train", "test", "seed", "size", "fold"]
