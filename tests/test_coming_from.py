"""What the pages for people who come from other tools say of these: outputs, options, definitions."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import click
import pytest

import karat
from cli_runs import Run
from console_examples import ROOT
from karat.cli import cli

FOLDER = ROOT / "docs" / "coming-from"
PAGES = sorted(FOLDER.glob("*.md"))
METHODS = sorted((ROOT / "docs" / "methods").glob("*.md"))

_TEXT = re.compile(r"```text\n\$ (?P<command>[^\n]*)\n(?P<output>.*?)```\n", re.DOTALL)
_KARAT = re.compile(r"`(karat [^`]+)`|^ {4}(karat .*)$", re.MULTILINE)


def examples(folder: Path) -> Path:
    """The folder, with the files that come with karat."""
    for path in (ROOT / "src" / "karat" / "examples").iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    return folder


def program(name: str, *arguments: str, folder: Path) -> str:
    """What a program of an installed package prints to standard output."""
    (script,) = entry_points(group="console_scripts", name=name)
    code = f"import sys; sys.argv = {[name, *arguments]!r}; from {script.module} import {script.attr} as run; run()"
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.parametrize("page", ["eval-py", "udapi"])
def test_the_other_tool_prints_what_the_page_shows(page: str, tmp_path: Path) -> None:
    shown = _TEXT.findall((FOLDER / f"{page}.md").read_text(encoding="utf-8"))
    assert len(shown) == 1
    ((command, output),) = shown
    name, *arguments = command.split()
    if not entry_points(group="console_scripts", name=name):
        assert name == "udapy", "udtools is a requirement of the tests"
        pytest.skip("udapi is not installed")
    assert program(name, *arguments, folder=examples(tmp_path)) == output


def test_both_tools_have_the_same_numbers(tmp_path: Path) -> None:
    """Every number of udeval's table is one of karat's beside the same measure."""
    examples(tmp_path)
    found = karat.score(tmp_path / "gold.conllu", tmp_path / "ada.conllu", like="conll18").systems[0]
    rows = re.findall(r"^(\w+) +\| +([\d.]+) \| +([\d.]+) \| +([\d.]+) \|", _page("eval-py"), re.MULTILINE)
    assert len(rows) == 15
    for name, *shown in rows:
        measure = found.measures[name]
        values = (measure.precision, measure.recall, measure.f1)
        assert [f"{100 * value:.2f}" for value in values if value is not None] == shown


def test_the_options_of_udeval_that_the_page_names_exist(tmp_path: Path) -> None:
    text = program("udeval", "--help", folder=tmp_path)
    named = set(re.findall(r"--[a-z-]+", " ".join(_left_column("eval-py"))))
    assert {"--counts", "--enhancements", "--multiple-roots-okay"} <= named
    assert [option for option in named if option not in text] == []


def test_the_example_of_tagger_eval_has_the_hits_that_its_definitions_give(tmp_path: Path) -> None:
    """Widział em: tokenised otherwise; kota: one of two tags; the full stop: all of them. So SC 1/4 and WC 2/4."""
    reference, tagged = tmp_path / "reference.tsv", tmp_path / "tagged.tsv"
    commands = re.findall(r"\$ printf '([^']*)' > (\w+)\.tsv", _page("tagger-eval"))
    for text, name in commands:
        (tmp_path / f"{name}.tsv").write_text(text.replace("\\t", "\t").replace("\\n", "\n"), encoding="utf-8")
    tags = karat.TagOptions("nkjp")
    score = karat.score(reference, tagged, measures="exact", tags=tags).systems[0].measures["exact"].to_dict()
    assert (score["strong_correctness"], score["weak_correctness"]) == (1 / 4, 2 / 4)


# ---- karat's side ----------------------------------------------------------------------------------------------------


def _page(name: str) -> str:
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8")


def _left_column(name: str) -> list[str]:
    """The first cells of all tables of a page."""
    return [line.split(" | ")[0] for line in _page(name).splitlines() if line.startswith("| ")]


def command_of(words: list[str]) -> click.Command:
    """The command that the first words name."""
    found: click.Command = cli
    context = click.Context(cli)
    for word in words:
        under = found.get_command(context, word) if isinstance(found, click.Group) else None
        if under is None:
            break
        found = under
    return found


def named_options() -> list[tuple[str, str, str]]:
    return [
        (path.name, command, option)
        for path in (*PAGES, *METHODS)
        for groups in _KARAT.findall(path.read_text(encoding="utf-8"))
        for command in [groups[0] or groups[1]]
        for option in re.findall(r"(?<!\S)--[a-z-]+", command)
    ]


def test_the_options_that_pages_name_with_a_verb_exist() -> None:
    every = named_options()
    assert len(every) >= 30
    wrong = []
    for page, command, option in every:
        verb = command_of(command.split()[1:])
        known = {name for one in verb.params for name in one.opts}
        wrong += [(page, command, option)] if option not in known and option != "--help" else []
    assert wrong == []


def every_option(command: click.Command) -> set[str]:
    """The options of a command and of all commands under it."""
    found = {name for one in command.params for name in one.opts}
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            under = command.get_command(context, name)
            found |= every_option(under) if under is not None else set()
    return found


def test_the_options_that_pages_name_alone_are_options_of_some_verb() -> None:
    """In the last column of a table of another tool, and anywhere in a page of methods."""
    known = every_option(cli) | {"--help"}
    cells = [line.rsplit(" | ", 1)[1] for page in PAGES for line in _page(page.stem).splitlines() if " | " in line]
    texts = [*cells, *(page.read_text(encoding="utf-8") for page in METHODS)]
    named = {option for text in texts for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*", text)}
    assert len(named) > 40
    assert sorted(named - known) == []


def test_a_verb_without_such_an_option_would_be_found() -> None:
    assert "--like" in {name for one in command_of(["score", "gold"]).params for name in one.opts}
    assert "--like" not in {name for one in command_of(["noise", "plan", "gold"]).params for name in one.opts}


def test_two_roots_are_an_error_as_the_page_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = "".join(f"{n}\t{form}\t_\tX\t_\t_\t0\troot\t_\t_\n" for n, form in ((1, "a"), (2, "b")))
    path = tmp_path / "two.conllu"
    path.write_text(rows + "\n", encoding="utf-8")
    run = Run(capsys, "score", str(path), str(path), "--like", "conll18")
    assert run.code == 3
    assert "K211" in run.err
