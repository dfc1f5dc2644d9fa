"""The commands in README and docs that show what they print: run, and written anew."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

__all__ = ["ROOT", "commands", "printed", "renewed"]

ROOT = Path(__file__).resolve().parent.parent
_CONSOLE = re.compile(r"```console\n\$ (?P<command>[^\n]*)\n(?P<output>.*?)```\n", re.DOTALL)


def commands(text: str) -> list[tuple[str, str]]:
    """The commands of a page and what it says that they print."""
    return [(match["command"], match["output"]) for match in _CONSOLE.finditer(text)]


def printed(command: str, folder: Path, *, errors: bool = True) -> str:
    """What a karat command prints in a terminal of 80 columns, errors and warnings included or not."""
    program, *arguments = shlex.split(command)
    assert program == "karat"
    done = subprocess.run(
        [sys.executable, "-m", "karat", *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if errors else subprocess.DEVNULL,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "COLUMNS": "80"},
        check=False,
    )
    return done.stdout.decode()


def renewed(text: str, output_of: Callable[[str], str]) -> str:
    """The page with every output as it is now."""
    return _CONSOLE.sub(lambda match: f"```console\n$ {match['command']}\n{output_of(match['command'])}```\n", text)
