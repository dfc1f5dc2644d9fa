"""docs/versioning.md promises what the code has."""

from __future__ import annotations

import json
import re
from pathlib import Path

import karat
from console_examples import ROOT
from karat.cli import INTERRUPTED
from karat.errors import DataError, UsageError

PAGE = (ROOT / "docs" / "versioning.md").read_text(encoding="utf-8")
PACKAGE = Path(karat.__file__).parent


def test_exit_codes_are_those_of_the_command_line() -> None:
    (row,) = (line for line in PAGE.splitlines() if line.startswith("| exit codes |"))
    assert {int(one) for one in re.findall(r"\b\d+\b", row)} == {
        0,
        1,
        UsageError.exit_code,
        DataError.exit_code,
        INTERRUPTED,
    }


def test_every_schema_has_a_version() -> None:
    for path in (PACKAGE / "report" / "schemas").glob("*.json"):
        assert re.fullmatch(rf"karat/{path.stem}/[1-9]\d*", json.loads(path.read_text(encoding="utf-8"))["$id"]), path


def test_nothing_is_deprecated_as_long_as_the_page_says_so() -> None:
    says = [
        path.name
        for path in PACKAGE.rglob("*.py")
        if re.search(r"DeprecationWarning|\bdeprecated\b", path.read_text(encoding="utf-8"))
    ]
    assert ("At present nothing is deprecated." in PAGE) == (not says), says


def test_the_page_of_versions_fits_the_version() -> None:
    """Before 1.0 it says so."""
    assert "Before 1.0" in PAGE or not karat.__version__.startswith("0.")
