"""The commands that README and docs name exist: verbs, options and values are karat's; outputs fit a terminal."""

from __future__ import annotations

import itertools
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli_runs import Run
from console_examples import ROOT
from installed_plugins import install
from karat import entry_points

_COMMAND = re.compile(r"(?: {4}|\$ )(karat .*)")


PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))


def documented() -> Iterator[tuple[str, str]]:
    for path in PAGES:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if match := _COMMAND.match(line):
                yield f"{path.relative_to(ROOT)}:{number}", match[1]


def arguments(command: str) -> list[str]:
    """What karat is given in a line of the shell, up to a pipe, a redirection or another command.

    >>> arguments("karat repeats gold.conllu --column 'upos|x' | head -3")
    ['repeats', 'gold.conllu', '--column', 'upos|x']
    """
    words = shlex.shlex(command, posix=True, punctuation_chars="|;&<>")
    words.whitespace_split = True
    return list(itertools.takewhile(lambda word: not set(word) <= set("|;&<>"), words))[1:]


EVERY_COMMAND = list(documented())


def test_docs_have_commands() -> None:
    assert len(EVERY_COMMAND) >= 50


@pytest.mark.parametrize(("place", "command"), EVERY_COMMAND, ids=[place for place, _ in EVERY_COMMAND])
def test_documented_commands_ask_for_nothing_that_is_not_there(
    place: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In an empty folder only the files are missing: that is bad input (3), not wrong usage (2)."""
    if place.startswith("docs/plugins.md"):
        monkeypatch.syspath_prepend(install(tmp_path / "site"))
        monkeypatch.setattr(entry_points, "found", entry_points.found.__wrapped__)  # which remembers nothing
    monkeypatch.chdir(tmp_path)
    run = Run(capsys, *arguments(command))
    assert run.code in (0, 3), run.err


# ---- what outputs look like ------------------------------------------------------------------------------------------


def shown_lines() -> Iterator[tuple[str, str]]:
    """Every line that a karat command prints in README and docs: fenced as a console, or indented below `$ karat …`.

    Without what goes into a pipe or is LaTeX, and what goes to standard error, where the terminal breaks lines.
    """
    for path in PAGES:
        is_fenced = is_indented = is_text = False
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line.startswith("```"):
                is_fenced, is_indented = line == "```console", False
            elif line and not line.startswith("    "):
                is_indented = False
            if line.lstrip().startswith("$ "):
                is_text = line.lstrip().startswith("$ karat ") and not re.search(r" \| |--format|--json", line)
            if line.startswith("    $ karat"):
                is_indented = True
            elif is_text and (is_fenced or is_indented) and not line.lstrip().startswith(("$ ", "```")):
                shown = line if is_fenced else line.removeprefix("    ")
                if not shown.startswith(("warning: ", "next: ")):
                    yield f"{path.relative_to(ROOT)}:{number}", shown


def test_docs_show_outputs() -> None:
    assert len(list(shown_lines())) >= 200


def test_every_output_that_is_shown_fits_80_columns() -> None:
    """The signature alone may be longer."""
    lines = [(place, line) for place, line in shown_lines() if not line.startswith("karat:")]
    assert [place for place, line in lines if len(line) > 80] == []
