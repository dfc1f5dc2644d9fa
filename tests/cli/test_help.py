"""The help of every verb and of what is below it, in a terminal of 80 columns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import click
import pytest

from cli_runs import Run
from karat.cli import cli


def commands(of: click.Command = cli, *path: str) -> Iterator[tuple[str, ...]]:
    """The words that call a command, and all that are below it."""
    yield path
    if isinstance(of, click.Group):
        context = click.Context(of)
        for name in of.list_commands(context):
            below = of.get_command(context, name)
            assert below is not None
            yield from commands(below, *path, name)


COMMANDS = list(commands())


@pytest.fixture(autouse=True)
def eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def test_commands_below_verbs_are_among_those_looked_at() -> None:
    assert {(), ("score",), ("noise", "plan"), ("attach", "stats"), ("tagset", "compare")} <= set(COMMANDS)


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_no_line_of_help_is_wider_than_80_columns(capsys: pytest.CaptureFixture[str], path: tuple[str, ...]) -> None:
    run = Run(capsys, *path, "--help")
    assert run.code == 0
    assert [line for line in run.out.splitlines() if len(line) > 80] == []


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_help_cuts_no_sentence(capsys: pytest.CaptureFixture[str], path: tuple[str, ...]) -> None:
    cut = re.findall(r".*(?<!\])\.\.\.$", Run(capsys, *path, "--help").out, re.MULTILINE)
    assert [line for line in cut if not line.lstrip().startswith("Usage:")] == []


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_examples_that_go_on_below_are_one_command_to_a_shell(
    capsys: pytest.CaptureFixture[str], path: tuple[str, ...]
) -> None:
    lines = Run(capsys, *path, "--help").out.split("\n")
    for line, after in pairwise(lines):
        if line.endswith("\\"):
            assert line.endswith(" \\")
            assert after.startswith("      -")  # an option, further in than the command


@pytest.mark.parametrize("arguments", [("--no-such-option",), ("--observed", "0.9"), ("gold.conllu",)])
def test_wrong_calls_of_noise_point_to_its_own_help(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    run = Run(capsys, "noise", *arguments)
    assert run.code == 2
    assert "'karat noise --help'" in run.err
    assert "bounds" not in run.err
    assert "Usage: karat noise [OPTIONS] [GOLD SYSTEM…]" in run.err


def test_wrong_calls_of_commands_below_noise_point_to_theirs(capsys: pytest.CaptureFixture[str]) -> None:
    assert "'karat noise plan --help'" in Run(capsys, "noise", "plan", "--no-such-option").err
