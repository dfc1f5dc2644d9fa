"""Shells complete verbs, options, choices and file names: what karat offers, and what the shells make of it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import karat
from console_examples import ROOT
from karat.cli import _COMMANDS

SHELLS = ("bash", "zsh", "fish")


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Where `karat` is this one, and the folder has two files."""
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "karat").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m karat "$@"\n')
    (programs / "karat").chmod(0o755)
    (tmp_path / "gold.conllu").touch()
    (tmp_path / "goods").mkdir()
    return {
        **os.environ,
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(Path(karat.__file__).parent.parent),
        "HOME": str(tmp_path),
    }


def answer(environment: dict[str, str], words: str, *, shell: str = "bash") -> list[str]:
    """What karat answers to a shell that asks how the last of the words goes on."""
    asked = {"COMP_WORDS": words, "COMP_CWORD": str(words.count(" ")), "_KARAT_COMPLETE": f"{shell}_complete"}
    if shell == "fish":
        asked["COMP_CWORD"] = words.rpartition(" ")[2]
    done = subprocess.run(["karat"], env={**environment, **asked}, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.split("\n")[:-1] if done.stdout.strip() else []


def test_all_verbs_are_offered(environment: dict[str, str]) -> None:
    assert answer(environment, "karat ") == [f"plain,{name}" for name in _COMMANDS]
    assert answer(environment, "karat co") == ["plain,compare", "plain,correct", "plain,convert"]


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("karat score --form", ["plain,--format"]),
        ("karat score --conf", ["plain,--confusions"]),
        ("karat score --format j", ["plain,json"]),
        ("karat score gold.conllu --like ", ["plain,conll18", "plain,evalb"]),
        ("karat train h", ["plain,hmm"]),
        ("karat tagset ch", ["plain,check"]),
        ("karat attach st", ["plain,stats"]),
        ("karat noise p", ["plain,plan"]),
        ("karat noise --obs", ["plain,--observed"]),
        ("karat reproduce w", ["plain,wisniewski-2019"]),
        ("karat score --cluster d", ["plain,document"]),
        ("karat score --punctuation u", ["plain,unicode"]),
    ],
)
def test_words_are_offered(environment: dict[str, str], words: str, offered: list[str]) -> None:
    assert answer(environment, words) == offered


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("karat score go", "file"),
        ("karat score gold.conllu go", "file"),
        ("karat score gold.conllu ada = go", "file"),  # bash takes NAME=PATH apart
        ("karat repeats --baseline go", "file"),
        ("karat convert x -o go", "file"),
        ("karat score --cluster go", "file"),
        ("karat tagset check ud go", "file"),
        ("karat noise go", "file"),
        ("karat score --gold-dir go", "dir"),
        ("karat report x --figures go", "dir"),
    ],
)
def test_paths_are_left_to_the_shell(environment: dict[str, str], words: str, kind: str) -> None:
    assert answer(environment, words) == [f"{kind},go"]


def test_tags_are_no_paths(environment: dict[str, str]) -> None:
    assert answer(environment, "karat tagset show nkjp go") == []
    assert answer(environment, "karat tagset compare nkjp go") == []


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_gets_a_script_that_it_can_read(environment: dict[str, str], shell: str, tmp_path: Path) -> None:
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    done = subprocess.run(["karat"], env={**environment, "_KARAT_COMPLETE": f"{shell}_source"}, capture_output=True)
    script = tmp_path / "script"
    script.write_bytes(done.stdout)
    read = subprocess.run([shell, "-n", script], capture_output=True, text=True, env=environment)
    assert read.returncode == 0, read.stderr
    assert b"karat" in done.stdout


def test_bash_completes_a_line(environment: dict[str, str], tmp_path: Path) -> None:
    """As its programmable completion calls the function; what is a path it completes itself."""
    script = """
eval "$(_KARAT_COMPLETE=bash_source karat)"
complete -p karat
compopt() { printf '%s ' compopt "$@"; }
ask() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _karat_completion karat; echo "${COMPREPLY[*]}"; }
ask karat lea
ask karat score gold.conllu --no-such-option
ask karat score go
"""
    done = subprocess.run(["bash", "-c", script], env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert "-F _karat_completion" in lines[0]
    assert lines[1:] == ["leaks", "", "compopt -o default "]


def test_fish_completes_a_line(environment: dict[str, str], tmp_path: Path) -> None:
    if not shutil.which("fish"):
        pytest.skip("fish is not installed")

    def completed(line: str) -> list[str]:
        script = f"_KARAT_COMPLETE=fish_source karat | source; complete -C '{line}'"
        done = subprocess.run(["fish", "-c", script], env=environment, cwd=tmp_path, capture_output=True, text=True)
        return [one.split("\t")[0] for one in done.stdout.splitlines()]

    assert completed("karat lea") == ["leaks"]
    assert "--fail-under" in completed("karat score --fail")
    assert completed("karat score gol") == ["gold.conllu"]


def test_zsh_is_answered_with_verbs_and_what_they_answer(environment: dict[str, str]) -> None:
    assert answer(environment, "karat lea", shell="zsh") == ["plain", "leaks", _COMMANDS["leaks"]]
    assert answer(environment, "karat score go", shell="zsh") == ["file", "go", "_"]


def test_the_page_names_the_line_of_every_shell() -> None:
    page = (ROOT / "docs" / "completion.md").read_text(encoding="utf-8")
    assert all(f"_KARAT_COMPLETE={shell}_source" in page for shell in SHELLS)


def test_a_completion_loads_nothing_heavy(environment: dict[str, str]) -> None:
    code = "import sys, atexit; atexit.register(lambda: print(*sys.modules, file=sys.stderr)); "
    code += "from karat.cli import main; main()"
    asked = {"COMP_WORDS": "karat score go", "COMP_CWORD": "2", "_KARAT_COMPLETE": "bash_complete"}
    done = subprocess.run([sys.executable, "-c", code], env={**environment, **asked}, capture_output=True, text=True)
    assert done.stdout == "file,go\n"
    assert {name.split(".")[0] for name in done.stderr.split()} & {"numpy", "scipy", "numba", "jinja2"} == set()
