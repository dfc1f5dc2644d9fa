"""karat as users get it: installed in a new virtual environment, and run in a folder outside the checkout."""

from __future__ import annotations

import os
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path

_NO_PIP_NOTICE = "--disable-pip-version-check"
_OURS = ("PYTHON", "KARAT_", "VIRTUAL_ENV")  # what would let the checkout in


class CommandError(Exception):
    """A command failed, or did not print what it is known for; the message has its output."""


@dataclass(frozen=True, slots=True)
class FreshEnvironment:
    """A virtual environment with its interpreter, and the folder beside it where commands are run."""

    folder: Path
    python: Path

    def install(self, *what: str | Path) -> None:
        """Install with pip."""
        self.run(self.python, "-m", "pip", "install", "--quiet", _NO_PIP_NOTICE, *what)

    def package(self, name: str) -> Path:
        """The folder in which a package is installed."""
        return Path(self.run("python", "-c", f"import {name}; print({name}.__path__[0])").strip())

    def run(self, *command: str | Path, expected: str = "", **variables: str) -> str:
        """The standard output of a command of this environment, which must exit with 0 and print what is expected."""
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
        path = os.pathsep.join([str(self.python.parent), inherited.get("PATH", "")])
        arguments = [str(part) for part in command]
        done = subprocess.run(
            arguments,
            cwd=self.folder,
            env={**inherited, "PATH": path, "COLUMNS": "80", **variables},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        if done.returncode or expected not in done.stdout:
            why = f"exit {done.returncode}" if done.returncode else f"{expected!r} is not in its output"
            raise CommandError(f"{shlex.join(arguments)}: {why}\n{done.stdout}{done.stderr}")
        return done.stdout


def fresh_environment(interpreter: Path, folder: Path) -> FreshEnvironment:
    """A new virtual environment of an interpreter, in a folder that is made for it."""
    subprocess.run([interpreter, "-m", "venv", str(folder / "venv")], check=True)
    work = folder / "work"
    work.mkdir()
    return FreshEnvironment(work, folder / "venv" / "bin" / "python")
