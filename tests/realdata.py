"""Where real treebanks are: the folder KARAT_DATA, by default ../shared/data seen from the project's root.

A test that needs a file which is not there is skipped; with KARAT_REQUIRE_DATA=1 it fails instead, so that a machine
that is meant to have the data cannot pass without it.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

__all__ = ["conllu_files", "data", "data_folder"]

_ROOT = Path(__file__).resolve().parents[1]
_NO_FILES = "*.conllu"  # names no file: a test that is given it is skipped, or fails, like any other without its data


def data_folder() -> Path:
    """The folder that real data is looked for in."""
    given = os.environ.get("KARAT_DATA")
    return Path(given) if given else _ROOT.parent / "shared" / "data"


def data(name: str) -> Path:
    """The path of a file of real data; ends the test where there is none."""
    path = data_folder() / name
    if path.is_file():
        return path
    reason = f"no real data: {path} is not a file (set KARAT_DATA to the folder that holds it)"
    if os.environ.get("KARAT_REQUIRE_DATA") == "1":
        pytest.fail(f"{reason}; KARAT_REQUIRE_DATA=1 asks for it")
    pytest.skip(reason)


def conllu_files() -> list[str]:
    """The names of all CoNLL-U files of real data, to parametrise tests by."""
    folder = data_folder()
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*.conllu")) or [_NO_FILES]
