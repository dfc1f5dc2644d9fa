"""Tests of real data are skipped where there is none, and say why; where data is required, they fail."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import realdata

TESTS = Path(__file__).parent
# a few tests each that ask for a file, for files by a pattern, and for a file in a fixture
WITH_DATA = {
    "corpus/readers/test_brackets.py": "real_trees or whole_of_gum",
    "measures/brackets/test_compiled_brackets.py": "all_of_gum",
    "cli/test_cli_tags.py": "all_tags_of_pdb",
}
ASKING: list[Callable[[], object]] = [
    lambda: realdata.data("evalb/gum.gld"),
    lambda: realdata.data_files("gum-const/*.ptb"),
    lambda: realdata.data(realdata.conllu_files()[0]),
    realdata.wordnet,
]


def outcomes_without_data(*, required: bool) -> tuple[int, set[str], str]:
    """The exit code of pytest where there is no data, what became of the tests, and all that was printed."""
    environment = os.environ | {"KARAT_DATA": "/nonexistent", "KARAT_REQUIRE_DATA": "1" if required else "0"}
    files = [str(TESTS / name) for name in WITH_DATA]
    options = ["-n", "0", "-p", "no:cacheprovider", "-rsfE", "-k", " or ".join(WITH_DATA.values())]
    command = [sys.executable, "-m", "pytest", *options, *files]
    done = subprocess.run(command, env=environment, cwd=TESTS.parent, capture_output=True, text=True)
    printed = done.stdout + done.stderr
    return done.returncode, set(re.findall(r"\d+ (passed|skipped|failed|error)", printed.splitlines()[-1])), printed


def test_without_data_tests_are_skipped_and_say_what_to_do() -> None:
    code, outcomes, printed = outcomes_without_data(required=False)
    assert (code, outcomes) == (0, {"skipped"}), printed
    assert "no real data: /nonexistent/" in printed
    assert "set KARAT_DATA to the folder that holds it" in printed


def test_where_data_is_required_none_of_them_passes_or_is_skipped() -> None:
    code, outcomes, printed = outcomes_without_data(required=True)
    assert (code, outcomes) == (1, {"failed", "error"}), printed
    assert "KARAT_REQUIRE_DATA=1 asks for it" in printed


@pytest.mark.parametrize("ask", ASKING)
@pytest.mark.parametrize(
    ("required", "outcome"), [("", pytest.skip.Exception), ("0", pytest.skip.Exception), ("1", pytest.fail.Exception)]
)
def test_every_way_to_ask_for_data_ends_the_test_where_there_is_none(
    monkeypatch: pytest.MonkeyPatch, ask: Callable[[], object], required: str, outcome: type[BaseException]
) -> None:
    monkeypatch.setenv("KARAT_DATA", "/nonexistent")
    monkeypatch.setattr(realdata, "_WORDNET", Path("/nonexistent"))
    monkeypatch.setenv("KARAT_REQUIRE_DATA", required)
    with pytest.raises(outcome, match=r"no real data: .*/nonexistent"):
        ask()


def test_data_is_asked_for_in_one_place() -> None:
    """A test that builds the path itself would fail, not skip, where the data is missing."""
    knowing = re.compile(r"KARAT_DATA|shared/data|/usr/share")
    found = {path.name for path in TESTS.rglob("*.py") if knowing.search(path.read_text(encoding="utf-8"))}
    assert found == {"realdata.py", Path(__file__).name}
