"""docs/signature.md: what it shows and names exists. That its keys are those of results is in test_every_verb.py."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import click
import pytest

from every_command import write_inputs
from karat.cli import cli, main
from signature_page import PAGE, ROW


def test_the_table_is_read() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| `")]
    assert len(ROW.findall(PAGE)) == len(rows) > 100


def test_options_that_give_a_key_again_exist() -> None:
    def options(command: click.Command | None) -> set[str]:
        assert command is not None
        found = {flag for one in command.params for flag in one.opts}
        if isinstance(command, click.Group):
            context = click.Context(command)
            for name in command.list_commands(context):
                found |= options(command.get_command(context, name))
        return found

    named = set(re.findall(r"`(--[a-z-]+)`", PAGE))
    assert len(named) > 80
    assert named - options(cli) == set()


def test_the_example_is_what_karat_prints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_inputs(tmp_path)
    monkeypatch.chdir(tmp_path)
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        assert main("compare gold.conllu ada=ada.conllu bix=bix.conllu --measure LAS".split()) == 0
    (signed,) = (line for line in out.getvalue().splitlines() if line.startswith("karat:"))
    assert f"    {signed}\n" in PAGE


def test_every_verb_that_prints_a_result_can_cite_it() -> None:
    def without(command: click.Command | None, path: str) -> list[str]:
        assert command is not None
        if isinstance(command, click.Group):
            names = command.list_commands(click.Context(command))
            return [
                one
                for name in names
                for one in without(command.get_command(click.Context(command), name), f"{path} {name}")
            ]
        return [] if any("--cite" in one.opts for one in command.params) else [path]

    assert without(cli, "karat") == ["karat review"]  # a server
