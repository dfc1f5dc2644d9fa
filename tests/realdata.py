"""Where real data is: treebanks in the folder KARAT_DATA, by default ../shared/data seen from the project's root.

A test asks here for what it needs, and only here. Where that is missing the test is skipped, and says what to do; with
KARAT_REQUIRE_DATA=1 it fails instead, so that a machine that is meant to have the data cannot pass without it.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import NoReturn

import pytest

__all__ = ["conllu_files", "data", "data_files", "node_file", "program", "wordnet"]

_ROOT = Path(__file__).resolve().parents[1]
_WORDNET = Path("/usr/share/wordnet")
_NO_FILES = "*.conllu"  # names no file: a test that is given it is skipped, or fails, like any other without its data
_SET = "set KARAT_DATA to the folder that holds it"


def _folder() -> Path:
    given = os.environ.get("KARAT_DATA")
    return Path(given) if given else _ROOT.parent / "shared" / "data"


def _missing(what: str, advice: str) -> NoReturn:
    reason = f"no real data: {what} ({advice})"
    if os.environ.get("KARAT_REQUIRE_DATA") == "1":
        pytest.fail(f"{reason}; KARAT_REQUIRE_DATA=1 asks for it")
    pytest.skip(reason)


def data(name: str) -> Path:
    """The path of a file of real data; ends the test where there is none."""
    path = _folder() / name
    if not path.is_file():
        _missing(f"{path} is not a file", _SET)
    return path


def data_files(pattern: str) -> list[Path]:
    """The paths of all files of real data that a pattern names, sorted; ends the test where there is none."""
    return sorted(_folder().glob(pattern)) or _missing(f"{_folder() / pattern} names no file", _SET)


def wordnet() -> Path:
    """The folder of WordNet's files; ends the test where it is not installed."""
    if not (_WORDNET / "data.noun").is_file():
        _missing(f"no WordNet in {_WORDNET}", "install the package wordnet-base")
    return _WORDNET


def program(name: str, package: str) -> Path:
    """The path of a program; ends the test where it is not installed."""
    found = shutil.which(name)
    return Path(found) if found else _missing(f"no program {name}", f"install the package {package}")


def node_file(name: str) -> Path:
    """The path of a file of an npm package, in the folder KARAT_NODE_MODULES; skips the test where there is none.

    Even with KARAT_REQUIRE_DATA=1: npm's packages come from the network, and no result rests on them.
    """
    path = Path(os.environ.get("KARAT_NODE_MODULES", "node_modules")) / name
    if not path.is_file():
        pytest.skip(f"no {path}: npm install vnu-jar axe-core, and set KARAT_NODE_MODULES to the folder")
    return path.resolve()


def conllu_files() -> list[str]:
    """The names of all CoNLL-U files of real data, to parametrise tests by."""
    folder = _folder()
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*.conllu")) or [_NO_FILES]
