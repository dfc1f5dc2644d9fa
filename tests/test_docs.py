"""The commands that README and docs name exist: verbs, options and values are karat's."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli_runs import Run
from console_examples import ROOT

_COMMAND = re.compile(r"(?: {4}|\$ )(karat .*)")


def documented() -> Iterator[tuple[str, str]]:
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if match := _COMMAND.match(line):
                yield f"{path.name}:{number}", match[1]


EVERY_COMMAND = list(documented())


def test_docs_have_commands() -> None:
    assert len(EVERY_COMMAND) >= 50


@pytest.mark.parametrize(("place", "command"), EVERY_COMMAND, ids=[place for place, _ in EVERY_COMMAND])
def test_documented_commands_ask_for_nothing_that_is_not_there(
    place: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In an empty folder only the files are missing: that is bad input (3), not wrong usage (2)."""
    monkeypatch.chdir(tmp_path)
    run = Run(capsys, *shlex.split(command, comments=True)[1:])
    assert run.code in (0, 3), run.err
