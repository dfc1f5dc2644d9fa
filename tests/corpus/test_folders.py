"""Folders of corpora: a file both plain and compressed is refused, and so is a folder that may not be listed."""

from __future__ import annotations

import gzip
import os
import shutil
from pathlib import Path

import pytest

from cli_runs import Run
from examples import EXAMPLES

GOLD = EXAMPLES / "gold.conllu"
COMMANDS = (
    "repeats UD_Own", "suspects UD_Own", "leaks UD_Own UD_Own", "diff UD_Own UD_Own", "diverge UD_Own",
    "score --gold-dir UD_Own --system-dir UD_Own", "grid UD_Own --system most-frequent -o out",
)  # fmt: skip


@pytest.fixture
def treebank(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "UD_Own"
    folder.mkdir()
    for part in ("train", "dev", "test"):
        shutil.copy(GOLD, folder / f"own-ud-{part}.conllu")
    monkeypatch.chdir(tmp_path)
    return folder


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_both_plain_and_compressed_is_refused(
    capsys: pytest.CaptureFixture[str], treebank: Path, command: str
) -> None:
    with gzip.open(treebank / "own-ud-test.conllu.gz", "wb") as file:
        file.write(GOLD.read_bytes())
    run = Run(capsys, *command.split())
    assert run.code == 3, run.err
    assert "own-ud-test.conllu.gz: K109 this file occurs twice, also as UD_Own/own-ud-test.conllu" in run.err
    assert "hint: keep one of the two" in run.err


@pytest.mark.parametrize("command", COMMANDS)
def test_a_folder_that_may_not_be_listed_is_said(
    capsys: pytest.CaptureFixture[str], treebank: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    def refuse(path: str) -> list[str]:
        raise PermissionError(13, "Permission denied", os.fspath(path))

    monkeypatch.setattr(os, "listdir", refuse)
    run = Run(capsys, *command.split())
    assert (run.code, "UD_Own: K103 cannot be read: Permission denied" in run.err) == (3, True), run.err


def test_permission_that_is_lacking_elsewhere_ends_without_a_traceback(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: str) -> None:
        raise PermissionError(13, "Permission denied", os.fspath(path))

    monkeypatch.setattr(os, "scandir", refuse)
    run = Run(capsys, "reproduce", "padro-1998", "--data", str(tmp_path))
    assert (run.code, run.err.splitlines()[-1]) == (3, f"{tmp_path}: K103 cannot be used: Permission denied")
