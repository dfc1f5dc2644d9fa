"""Packages with entry points, as pip would install them: in a folder of the test, or made up in this process."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from karat import entry_points
from karat.entry_points import GROUPS, Kind, Plugin

EXAMPLE = Path(__file__).parent / "example_plugin"


def install(folder: Path, project: Path = EXAMPLE) -> Path:
    """A folder for PYTHONPATH with a package in it, which pip would make of its pyproject.toml and its modules."""
    declared = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))["project"]
    write_package(folder, declared["name"], declared["version"], declared["entry-points"])
    for module in project.glob("*.py"):
        shutil.copy(module, folder)
    return folder


def write_package(folder: Path, name: str, version: str, points: Mapping[str, Mapping[str, str]]) -> None:
    """What tells that a package is installed: its name, version and entry points."""
    info = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", "utf-8")
    groups = (
        f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in of.items()) for group, of in points.items()
    )
    (info / "entry_points.txt").write_text("\n".join(groups), "utf-8")


def run_karat(folder: Path, *arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """karat run where these packages are installed."""
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, "-m", "karat", *map(str, arguments)],
        capture_output=True, text=True, encoding="utf-8", cwd=cwd,
        env={**os.environ, "PYTHONPATH": path, "NO_COLOR": "1", "COLUMNS": "100"},
    )  # fmt: skip


class Loads(EntryPoint):
    """An entry point that gives this object, or raises it."""

    def __new__(cls, name: str, value: Any, group: str) -> Loads:
        made: Loads = object.__new__(cls)
        return made

    def __init__(self, name: str, value: Any, group: str) -> None:
        super().__init__(name, f"made_up:{id(value)}", group)
        vars(self)["given"] = value

    def load(self) -> Any:
        given = vars(self)["given"]
        if isinstance(given, BaseException):
            raise given
        return given


def pretend(monkeypatch: pytest.MonkeyPatch, kind: Kind, *plugins: tuple[str, Any, str]) -> None:
    """Have these plug-ins installed: their names, what they are, and the packages that they are from."""
    made = tuple(
        Plugin(kind, name, package, "1.0", Loads(name, value, GROUPS[kind])) for name, value, package in plugins
    )
    monkeypatch.setattr(entry_points, "found", lambda of: made if of == kind else ())
