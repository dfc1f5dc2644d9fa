"""People's scripts are checked against karat's types, as they are where karat is installed."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

import karat

GOOD = """
import karat

scores = karat.score("gold.conllu", {"ada": "ada.conllu"}, measures="LAS")
for system in scores.systems:
    f1: float | None = system.measures["LAS"].f1
    print(system.name, f1)
compared = karat.compare("gold.conllu", {"ada": "ada.conllu", "bix": "bix.conllu"}, margin=0.01)
difference: float = compared.pairs[0].difference
bib: str = karat.cite(scores, compared).bibtex
options = karat.InferenceOptions(n_resamples=200, cluster="document")
found = karat.repeats(["a.conllu"], options=karat.RepeatOptions(column="xpos"))
try:
    karat.check_files(["a.conllu"])
except karat.DataError as error:
    codes: list[str] = [problem.code for problem in error.problems]
"""
BAD = """
import karat

scores = karat.score("gold.conllu", {"ada": "ada.conllu"}, no_such_option=1)
scores.no_such_attribute
name: int = karat.cite(scores).bibtex
karat.InferenceOptions(n_resamples="many")
"""


def installed(folder: Path) -> Path:
    """A Python that has karat in its site-packages, and what else this one has."""
    venv.create(folder, symlinks=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "karat").symlink_to(Path(karat.__file__).parent)
    (packages / "others.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder / "bin" / "python"


@pytest.mark.slow
def test_a_script_is_checked_strictly_against_the_installed_package(tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text(GOOD)
    (tmp_path / "bad.py").write_text(BAD)
    python = installed(tmp_path / "venv")
    checked = (sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--python-executable", str(python))
    done = subprocess.run([*checked, "good.py", "bad.py"], cwd=tmp_path, capture_output=True, text=True)
    errors = [line.split(":")[:2] for line in done.stdout.splitlines() if ": error: " in line]
    assert errors == [["bad.py", "4"], ["bad.py", "5"], ["bad.py", "6"], ["bad.py", "7"]], done.stdout + done.stderr


def test_the_package_says_that_it_is_typed() -> None:
    assert (Path(karat.__file__).parent / "py.typed").exists()
