"""Command lines as they are shown to users, run in tests: files that a shell would make on the spot are made."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from cli_runs import Run

__all__ = ["run_as_typed", "run_in_bash"]


def run_as_typed(command: str, folder: Path, capsys: pytest.CaptureFixture[str], *more: str) -> Run:
    """What `karat …` prints, `<(echo …)` and `<(printf '%s\\n' …)` being made files in the folder."""
    rest, n_files = command, 0
    while (start := rest.find("<(")) >= 0:
        end = rest.index(")", start)
        how, *said = shlex.split(rest[start + 2 : end])
        lines = said if how == "echo" else said[1:]
        assert (how, *said[: len(said) - len(lines)]) in {("echo",), ("printf", "%s\\n")}, command
        path = folder / f"file-{n_files}"
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        rest, n_files = f"{rest[:start]}{shlex.quote(str(path))}{rest[end + 1 :]}", n_files + 1
    name, *arguments = shlex.split(rest)
    assert name == "karat", command
    return Run(capsys, *arguments, *more)


def run_in_bash(command: str, *more: str) -> str:
    """What bash prints of a command, karat being the one under test."""
    karat = f"{shlex.quote(sys.executable)} -m karat"
    typed = " ".join([command.replace("karat", karat, 1), *more])
    return subprocess.run(["bash", "-c", typed], capture_output=True, check=True, text=True).stdout
