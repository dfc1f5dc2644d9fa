"""`karat simulate`: the files it writes, what it says of them, and what it will not overwrite."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli_runs import Run
from karat.corpus import read_conllu
from karat.corpus.readers.bracket_folders import read_brackets

FILES = {"truth.conllu", "truth.ptb", "gold.conllu", "train.conllu", "README.txt", "parameters.json"}
FILES |= {"system-tup.conllu", "system-mft.conllu", "system-bigram.conllu"}
Capture = pytest.CaptureFixture[str]


def simulate(capsys: Capture, folder: Path, *more: str, tokens: str = "2000") -> Run:
    return Run(capsys, "simulate", "-o", str(folder), "--tokens", tokens, "--noise", "0.05", *more)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def accuracy(gold: Path, system: Path) -> float:
    one, other = (
        [line.split("\t")[3] for line in path.read_text(encoding="utf-8").splitlines() if "\t" in line]
        for path in (gold, system)
    )
    assert len(one) == len(other)
    return sum(a == b for a, b in zip(one, other, strict=True)) / len(one)


def test_all_files_are_written_and_readable(capsys: Capture, tmp_path: Path) -> None:
    run = simulate(capsys, tmp_path / "new" / "sim")
    assert run.code == 0
    folder = tmp_path / "new" / "sim"
    assert set(contents(folder)) == FILES
    truth = read_conllu(folder / "truth.conllu")
    assert truth.n_tokens == 2000
    for name in FILES - {"train.conllu"}:
        if name.endswith(".conllu"):
            assert read_conllu(folder / name).n_tokens == 2000
    assert read_conllu(folder / "train.conllu").n_tokens == 2000
    assert read_brackets(folder / "truth.ptb").n_words == 2000
    assert "observed" in run.out
    assert "verb:simulate|tokens:2000|" in run.out.splitlines()[-1]


def test_a_folder_must_be_named(capsys: Capture) -> None:
    run = Run(capsys, "simulate")
    assert run.code == 2
    assert "Missing option '-o' / '--output'." in run.err


def test_only_tags_and_what_goes_with_them_differ_between_files(capsys: Capture, tmp_path: Path) -> None:
    simulate(capsys, tmp_path)
    truth = (tmp_path / "truth.conllu").read_text(encoding="utf-8").splitlines()
    for name in ("gold", "system-tup", "system-mft", "system-bigram"):
        other = (tmp_path / f"{name}.conllu").read_text(encoding="utf-8").splitlines()
        for one, two in zip(truth, other, strict=True):
            a, b = one.split("\t"), two.split("\t")
            assert a[:2] == b[:2]
            assert a[6:] == b[6:]
            assert a == b or a[3] != b[3]  # lemma, XPOS and features differ only where the UPOS does


def test_json_says_what_the_files_hold(capsys: Capture, tmp_path: Path) -> None:
    data = simulate(capsys, tmp_path, "--kind", "systematic", "--documents", "6", "--seed", "3", "--json").json
    assert data == json.loads((tmp_path / "parameters.json").read_text(encoding="utf-8"))
    assert data["text"]["documents"] == read_conllu(tmp_path / "truth.conllu").n_documents == 6
    assert data["text"]["ambiguous_share"] >= 0.2
    gold, truth = tmp_path / "gold.conllu", tmp_path / "truth.conllu"
    assert data["corpus_error"]["all"] == pytest.approx(1 - accuracy(truth, gold))
    assert [one["name"] for one in data["systems"]] == ["tup", "mft", "bigram"]
    for one in data["systems"]:
        assert one["all"]["true_accuracy"] == pytest.approx(accuracy(truth, tmp_path / one["file"]))
        assert one["all"]["observed_accuracy"] == pytest.approx(accuracy(gold, tmp_path / one["file"]))
        readme = (tmp_path / "README.txt").read_text(encoding="utf-8")
        assert f"{one['all']['true_accuracy']:.4f}" in readme
    assert set(data["files"]) == FILES - {"parameters.json"}


def test_the_same_seed_writes_the_same_bytes_and_another_seed_others(capsys: Capture, tmp_path: Path) -> None:
    for name, seed in (("a", "1"), ("b", "1"), ("c", "2")):
        simulate(capsys, tmp_path / name, "--seed", seed)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    assert contents(tmp_path / "a")["truth.conllu"] != contents(tmp_path / "c")["truth.conllu"]


def test_its_own_output_is_written_again(capsys: Capture, tmp_path: Path) -> None:
    assert simulate(capsys, tmp_path).code == 0
    before = contents(tmp_path)
    assert simulate(capsys, tmp_path, "--seed", "5").code == 0
    assert contents(tmp_path)["gold.conllu"] != before["gold.conllu"]
    assert simulate(capsys, tmp_path, "--seed", "0").code == 0
    assert contents(tmp_path) == before


@pytest.mark.parametrize("name", ["notes.txt", "gold.conllu", "parameters.json"])
def test_a_folder_with_foreign_files_is_refused(name: str, capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / name).write_text("mine\n", encoding="utf-8")
    run = simulate(capsys, tmp_path)
    assert run.code == 2
    assert "is not empty" in run.err
    assert contents(tmp_path) == {name: b"mine\n"}


@pytest.mark.parametrize("name", ["gold.conllu", "README.txt"])
def test_output_that_was_changed_is_not_overwritten(name: str, capsys: Capture, tmp_path: Path) -> None:
    simulate(capsys, tmp_path)
    (tmp_path / name).write_text("corrected by hand\n", encoding="utf-8")
    before = contents(tmp_path)
    run = simulate(capsys, tmp_path, "--seed", "5")
    assert run.code == 2
    assert f"{name} has changed" in run.err
    assert contents(tmp_path) == before


def test_a_file_beside_its_own_output_is_refused(capsys: Capture, tmp_path: Path) -> None:
    simulate(capsys, tmp_path)
    (tmp_path / "judgements.tsv").write_text("mine\n", encoding="utf-8")
    run = simulate(capsys, tmp_path)
    assert run.code == 2
    assert "judgements.tsv was not made by karat simulate" in run.err


def test_a_link_in_place_of_a_file_is_refused(capsys: Capture, tmp_path: Path) -> None:
    folder = tmp_path / "sim"
    simulate(capsys, folder)
    elsewhere = tmp_path / "elsewhere"
    (folder / "gold.conllu").rename(elsewhere)
    (folder / "gold.conllu").symlink_to(elsewhere)
    assert simulate(capsys, folder, "--seed", "5").code == 2


def test_a_file_as_folder_is_refused(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("mine\n", encoding="utf-8")
    run = simulate(capsys, path)
    assert run.code == 2
    assert "is not a folder" in run.err
    assert simulate(capsys, path / "below").code == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("--noise", "1"),
        ("--noise", "-0.1"),
        ("--noise", "nan"),
        ("--noise", "0.9"),
        ("--tokens", "0"),
        ("--tokens", "1000000000000"),
        ("--documents", "0"),
        ("--documents", "9999"),
        ("--kind", "odd"),
        ("--t", "1.5"),
        ("--u", "-1"),
        ("--p", "2"),
        ("--clustering", "1"),
        ("--seed", "-1"),
    ],
)
def test_impossible_settings_are_refused_and_nothing_is_written(
    arguments: tuple[str, ...], capsys: Capture, tmp_path: Path
) -> None:
    run = simulate(capsys, tmp_path / "sim", *arguments)
    assert run.code == 2
    assert run.err
    assert not (tmp_path / "sim").exists()


@pytest.mark.parametrize("tokens", ["1", "2", "7"])
def test_tiny_texts_work(tokens: str, capsys: Capture, tmp_path: Path) -> None:
    data = simulate(capsys, tmp_path, "--json", tokens=tokens).json
    assert data["text"]["tokens"] == int(tokens)


def test_a_p_that_cannot_be_is_said(capsys: Capture, tmp_path: Path) -> None:
    run = simulate(capsys, tmp_path, "--u", "0", "--p", "0")
    assert run.code == 0
    assert "p cannot be lower than 0." in run.err


@pytest.mark.parametrize("format_", ["csv", "tsv", "markdown", "latex"])
def test_other_formats_have_a_row_for_each_system_and_kind_of_tokens(
    format_: str, capsys: Capture, tmp_path: Path
) -> None:
    run = simulate(capsys, tmp_path, "--format", format_)
    assert run.code == 0
    assert sum("bigram" in line for line in run.out.splitlines()) == 2


def test_karat_reads_its_own_files(capsys: Capture, tmp_path: Path) -> None:
    data = simulate(capsys, tmp_path, "--json").json
    arguments = ("--measure", "UPOS", "--resamples", "0", "--json")
    run = Run(capsys, "score", str(tmp_path / "gold.conllu"), str(tmp_path / "system-bigram.conllu"), *arguments)
    assert run.json["systems"][0]["measures"]["UPOS"]["value"] == data["systems"][2]["all"]["observed_accuracy"]
