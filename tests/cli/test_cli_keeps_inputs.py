"""No command writes over what it read, or over what is write-protected."""

from __future__ import annotations

import os
import shutil
from importlib.resources import files
from pathlib import Path

import pytest

from cli_runs import Run

GOLD, ADA, BIX = "gold.conllu", "ada.conllu", "bix.conllu"
WRITING = [
    ("repeats", GOLD, "-o", "{}"),
    ("repeats", GOLD, "--format", "conllu", "-o", "{}"),
    ("repeats", GOLD, "--table", "5", "-o", "{}"),
    ("repeats", GOLD, "--worklist", "{}"),
    ("score", GOLD, ADA, "--per-sentence", "{}"),
    ("score", GOLD, ADA, "--train", BIX, "--ignore-suspicious", "all", "--svg", "{}"),
    ("diverge", GOLD, ADA, "--svg", "{}"),
    ("noise", "plan", GOLD, ADA, BIX, "-o", "{}"),
    ("agree", ADA, GOLD, "--disagreements", "{}"),
    ("agree", ADA, GOLD, "--worklist", "{}"),
    ("agree", ADA, GOLD, "--agreed", "{}"),
]


@pytest.fixture(autouse=True)
def examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in (GOLD, ADA, BIX):
        with (files("karat") / "examples" / name).open("rb") as source, open(name, "wb") as copy:
            shutil.copyfileobj(source, copy)
    os.symlink(GOLD, "link.conllu")
    os.link(GOLD, "again.conllu")


@pytest.mark.parametrize("target", [GOLD, "link.conllu", "again.conllu"])
@pytest.mark.parametrize("arguments", WRITING, ids=" ".join)
def test_an_input_is_not_written_over(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], target: str
) -> None:
    before = Path(GOLD).read_bytes()
    run = Run(capsys, *(one.format(target) for one in arguments))
    assert run.code == 2
    assert Path(GOLD).read_bytes() == before
    assert Path(target).read_bytes() == before


@pytest.mark.parametrize("arguments", WRITING, ids=" ".join)
def test_a_write_protected_file_is_not_replaced(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]) -> None:
    kept = Path("kept.txt")
    kept.write_text("#schema karat/worklist/1\n", encoding="utf-8")
    kept.chmod(0o444)
    run = Run(capsys, *(one.format("kept.txt") for one in arguments))
    assert run.code == 2
    assert kept.read_text(encoding="utf-8") == "#schema karat/worklist/1\n"


@pytest.mark.parametrize("arguments", WRITING, ids=" ".join)
def test_another_file_is_written(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]) -> None:
    run = Run(capsys, *(one.format("new.txt") for one in arguments))
    assert run.code == 0
    assert Path("new.txt").exists()
