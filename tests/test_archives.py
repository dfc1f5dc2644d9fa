"""What the check of a release says of archives that lack files or have too many, and what pyproject.toml declares."""

from __future__ import annotations

import re
import sys
import tomllib
from itertools import chain
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))

from _archives import FOLDERS, REQUIRED, ROOT, files_of_checkout, sdist_problems, wheel_problems
from _fresh_environment import CommandError, FreshEnvironment

PACKAGE = ["src/karat/__init__.py", "src/karat/py.typed", "src/karat/report/schemas/score.json"]
WHEEL = [*(name.removeprefix("src/") for name in PACKAGE), "karat-0.1.0.dist-info/RECORD"]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_a_wheel_with_the_package_and_no_more_has_no_problems() -> None:
    assert wheel_problems(WHEEL, [*PACKAGE, "tests/test_archives.py"]) == []


@pytest.mark.parametrize("name", WHEEL[:3])
def test_a_file_that_a_wheel_lacks_is_named(name: str) -> None:
    assert wheel_problems([one for one in WHEEL if one != name], PACKAGE) == [f"{name}: not in the wheel"]


@pytest.mark.parametrize("name", ["karat/__pycache__/_kernels.search-12.py311.1.nbi", "tests/test_archives.py"])
def test_caches_and_tests_in_a_wheel_are_named(name: str) -> None:
    assert wheel_problems([*WHEEL, name], PACKAGE) == [f"{name}: in the wheel, not in the checkout"]


def test_a_kind_of_file_that_the_package_does_not_have_is_named() -> None:
    problem = "karat/notes.odt: a kind of file that the package has nowhere else"
    assert wheel_problems([*WHEEL, "karat/notes.odt"], [*PACKAGE, "src/karat/notes.odt"]) == [problem]


def test_an_sdist_must_hold_tests_and_documents_and_nothing_of_ci() -> None:
    checkout = [*PACKAGE, *REQUIRED, "tests/conftest.py", "CITATION.cff", ".ci/run"]
    held = [name for name in checkout if name != ".ci/run"]
    assert sdist_problems([*held, "PKG-INFO"], checkout) == []
    assert sdist_problems(checkout, checkout) == [".ci/run: in the sdist, not meant to be"]
    for name in ("CITATION.cff", "CHANGELOG.md", "tests/conftest.py"):
        assert sdist_problems([one for one in held if one != name], checkout) == [f"{name}: not in the sdist"]


def test_the_checkout_has_what_an_sdist_must_hold_and_no_caches() -> None:
    names = files_of_checkout()
    assert set(REQUIRED) <= set(names)
    assert {name.split("/")[0] for name in names} >= set(FOLDERS)
    assert [name for name in names if "__pycache__" in name] == []


def test_a_command_must_exit_with_0_and_print_what_is_expected(tmp_path: Path) -> None:
    place = FreshEnvironment(tmp_path, Path(sys.executable))
    assert place.run(sys.executable, "-c", "print('yes')", expected="yes") == "yes\n"
    with pytest.raises(CommandError, match="'no' is not in its output\nyes"):
        place.run(sys.executable, "-c", "print('yes')", expected="no")
    with pytest.raises(CommandError, match="exit 3"):
        place.run(sys.executable, "-c", "raise SystemExit(3)")


def test_commands_are_run_without_the_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src"))
    shown = FreshEnvironment(tmp_path, Path(sys.executable)).run(
        sys.executable, "-c", "import os; print(os.environ.get('PYTHONPATH'), os.getcwd())"
    )
    assert shown == f"None {tmp_path}\n"


def test_a_package_has_the_same_lowest_version_wherever_it_is_named() -> None:
    """Or else the lowest versions that are tested are not those of the extra alone."""
    floors: dict[str, set[str]] = {}
    for requirement in chain(PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()):
        name, floor = re.fullmatch(r"([\w.-]+)>=([\d.]+)(?:,<\d+)?", requirement).groups()  # type: ignore[union-attr]
        floors.setdefault(name.lower(), set()).add(floor)
    assert {name: found for name, found in floors.items() if len(found) > 1} == {}
