"""Command lines as they are shown to users, run in tests: the files that a shell makes on the spot are made."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from cli_runs import Run

__all__ = ["run_as_typed", "run_in_bash"]


def run_as_typed(command: str, folder: Path, capsys: pytest.CaptureFixture[str], *more: str) -> Run:
    """What `karat …` prints, bash's `<(…)` being files in the folder; without a new Python for each command."""
    rest, n_files = command, 0
    while (start := rest.find("<(")) >= 0:
        end = rest.index(")", start)
        path = folder / f"file-{n_files}"
        path.write_bytes(_printed_by_bash(rest[start + 2 : end]).encode())
        rest, n_files = f"{rest[:start]}{shlex.quote(str(path))}{rest[end + 1 :]}", n_files + 1
    name, *arguments = shlex.split(rest)
    assert name == "karat", command
    return Run(capsys, *arguments, *more)


def run_in_bash(command: str, *more: str) -> str:
    """What bash prints of a command, karat being the one under test."""
    karat = f"{shlex.quote(sys.executable)} -m karat"
    return _printed_by_bash(" ".join([command.replace("karat", karat, 1), *more]))


def _printed_by_bash(command: str) -> str:
    return subprocess.run(["bash", "-c", command], capture_output=True, check=True, text=True).stdout
