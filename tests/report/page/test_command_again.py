"""The command that a page shows for a result gives that result again."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from cli_runs import Run
from examples import EXAMPLES
from karat.report.page.command_again import command_again

CALLS = [
    "score gold.conllu ada=ada.conllu bix=bix.conllu",
    "score gold.conllu ada.conllu --measure UPOS,LAS --by upos,length --confusions deprel --seed 3 --level 0.9",
    "score gold.conllu ada.conllu --like conll18",
    "score gold.ptb ada=ada.ptb --labelled --keep-one-word --cutoff 20 --cluster sentence",
    "score gold.conllu one=ada.conllu --lexicon bix.conllu --method bca --resamples 300",
    "compare gold.conllu ada=ada.conllu bix=bix.conllu",
    "compare gold.conllu ada=ada.conllu bix=bix.conllu gold=gold.conllu --measure LAS --statistic recall --adjust none",
    "compare gold.ptb ada=ada.ptb bix=bix.ptb --measure 'Labelled F1' --by length",
    "agree ada=ada.conllu bix=bix.conllu --column xpos",
    "agree ada.conllu bix.conllu gold.conllu",
    "noise gold.conllu ada=ada.conllu bix=bix.conllu --lexicon bix.conllu --corpus-error 0.03",
    "repeats gold.conllu",
    "repeats gold.conllu --column xpos --min-words 2 --fold-case",
    "diverge gold.conllu ada.conllu",
    "score --gold-dir golds --system-dir ada=adas --system-dir bixes --measure LAS",
    "compare --gold-dir golds --system-dir ada=adas --system-dir bixes --seed 3",
]
Given = Callable[[str], dict[str, object]]


@pytest.fixture
def given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Given:
    """What a call gives as data, in a folder of the examples."""
    for path in EXAMPLES.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    for name in ("gold", "ada", "bix"):
        folder = tmp_path / f"{name}{'es' if name == 'bix' else 's'}"
        folder.mkdir()
        for treebank in ("en_x", "en_y"):
            (folder / f"{treebank}.conllu").write_bytes((EXAMPLES / f"{name}.conllu").read_bytes())
    with (tmp_path / "golds" / "en_y.conllu").open("rb+") as file:  # documents in one treebank only
        text = file.read().replace(b"# newdoc", b"# olddoc")
        file.seek(0)
        file.write(text)
    monkeypatch.chdir(tmp_path)

    def run(call: str) -> dict[str, object]:
        done = Run(capsys, *shlex.split(call), "--json")
        assert done.code == 0, done.err
        found: dict[str, object] = json.loads(done.out)
        return found

    return run


@pytest.mark.parametrize("call", CALLS)
def test_the_command_gives_the_result_again(given: Given, call: str) -> None:
    first = given(call)
    command = command_again(first)
    assert command.startswith("karat ")
    again = given(command.removeprefix("karat "))
    assert again["signature"] == first["signature"]
    assert again == first


@pytest.mark.parametrize("call", ["score gold.conllu ada.conllu --map penn-upos --column xpos", "measures"])
def test_no_command_is_better_than_a_wrong_one(given: Given, call: str) -> None:
    assert command_again(given(call)) == ""


def test_a_file_with_spaces_is_quoted(given: Given, tmp_path: Path) -> None:
    (tmp_path / "my gold.conllu").write_bytes((tmp_path / "gold.conllu").read_bytes())
    first = given("score 'my gold.conllu' ada.conllu --measure UPOS")
    assert given(command_again(first).removeprefix("karat ")) == first
