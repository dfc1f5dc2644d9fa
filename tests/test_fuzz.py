"""The fuzzer: its runs find nothing, and it does find what is planted."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import pytest

from karat.cli import cli

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "benchmarks"))

import _fuzz_run
import fuzz
from _fuzz_cases import OUTPUTS, Case, case_of
from _fuzz_inputs import Inputs, kind_of
from _fuzz_run import Bench

NAMES_A_FILE = ("FILE", "DIR", "TRAIN", "SYSTEM", "CORPUS", "STATS", "MODEL", "json")


@pytest.fixture(scope="module")
def inputs() -> Inputs:
    return fuzz.inputs_made()


@pytest.fixture
def bench(inputs: Inputs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """What runs are made in; they may take 1 GB more than tests before them have left in use."""
    _fuzz_run.reset_peak()
    monkeypatch.setattr(_fuzz_run, "MOST_BYTES", _fuzz_run.peak_now() + _fuzz_run.MOST_BYTES)
    return Bench(tmp_path, inputs)


def test_damaged_files_and_odd_calls_break_no_promise(inputs: Inputs, bench: Bench) -> None:
    found = [bench.run(case_of(seed, inputs)) for seed in range(300)]
    assert [(one.seed, one.finding) for one in found if one.finding] == []
    assert {one.code for one in found} == {0, 1, 2, 3}


@pytest.mark.slow
def test_thousands_of_runs_break_no_promise_and_are_the_same_with_two_jobs(inputs: Inputs) -> None:
    tally = fuzz.fuzzed(inputs, range(300, 5300), 2)
    assert fuzz.findings(tally) == []
    again = fuzz.fuzzed(inputs, range(300, 900), 1)
    assert again.codes == {seed: tally.codes[seed] for seed in again.codes}


def test_the_inputs_and_the_cases_are_the_same_each_time(inputs: Inputs) -> None:
    again = fuzz.inputs_made()
    assert [name for name in inputs.files if inputs.files[name] != again.files[name]] == []
    for seed in range(50):
        one, other = case_of(seed, inputs), case_of(seed, again)
        assert (one, dict(one.changed)) == (other, dict(other.changed))


# ---- what is covered -------------------------------------------------------------------------------------------------


def test_every_file_has_a_kind_and_every_kind_is_read(inputs: Inputs) -> None:
    assert "other" not in {kind_of(name)[0] for name in inputs.files}
    assert {kind_of(name)[0] for name in inputs.files} == set(inputs.calls_by_kind)


def test_every_option_that_names_a_file_is_in_a_call(inputs: Inputs) -> None:
    given = [set(call.arguments) for call in inputs.calls]
    for words, command in commands(cli, ()):
        needed = [one for one in words if one != "bounds"]  # as karat noise without a word more
        of_command = [one for one in given if one >= {*needed}]
        assert of_command or words[0] == "demo", words
        for option in command.params:
            is_input = isinstance(option, click.Option) and not OUTPUTS & {*option.opts}
            if is_input and any(part in (option.metavar or "") for part in NAMES_A_FILE):
                assert any({*option.opts} & one for one in of_command), (words, option.opts)


def commands(command: click.Command, words: Sequence[str]) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    if not isinstance(command, click.Group):
        yield tuple(words), command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        assert inner is not None
        yield from commands(inner, (*words, name))


# ---- what is found ---------------------------------------------------------------------------------------------------


def case(*arguments: str) -> Case:
    return Case(0, "CoNLL-U", arguments[0], arguments, {})


@pytest.mark.parametrize(
    ("what", "found"),
    [
        ("raises", "ZeroDivisionError in "),
        ("leaves", "SystemExit"),
        ("code", "exit code 7"),
        ("unplaced", "exit 3 without a code"),
        ("silent", "exit 2 without a word"),
        ("gate", "exit 1 of convert"),
        ("warns", "warning UserWarning"),
        ("changes", "an input was changed"),
        ("half", "a file was left half written"),
        ("json", "JSON of convert: "),
        ("schema", "JSON of convert: "),
        ("memory", "memory: convert"),
        ("traceback", "a traceback or warning is printed"),
    ],
)
def test_what_is_planted_is_found(monkeypatch: pytest.MonkeyPatch, bench: Bench, what: str, found: str) -> None:
    def broken(arguments: Sequence[str]) -> int:
        match what:
            case "raises":
                return 1 // 0
            case "leaves":
                sys.exit(0)
            case "code":
                return 7
            case "unplaced":
                print("gold.conllu is bad", file=sys.stderr)
                return 3
            case "silent":
                return 2
            case "gate":
                return 1
            case "warns":
                warnings.warn_explicit("planted", UserWarning, "/karat/x.py", 1)
            case "changes":
                Path("gold.conllu").write_text("")
            case "half":
                Path(".karat-0123").write_text("")
            case "json":
                print('{"schema": "karat/convert/1", "x": NaN}')
            case "schema":
                print('{"schema": "karat/convert/1"}')
            case "memory":
                print("Error: not enough memory", file=sys.stderr)
                return 3
            case "traceback":
                print("Traceback (most recent call last):", file=sys.stderr)
        return 0

    call = case("convert", "gold.conllu", "-o", "x.tsv", "--to", "tsv", "--format", "json")
    with monkeypatch.context() as planted:
        planted.setattr(_fuzz_run, "main", broken)
        assert bench.run(call).finding.startswith(found)
    assert bench.run(call).finding == ""  # the folder is as it was


def test_what_a_call_is_there_to_write_is_no_finding(bench: Bench) -> None:
    call = case("convert", "gold.conllu", "-o", "ada.tsv", "--to", "tsv")
    assert (bench.run(call).code, bench.run(call).finding) == (0, "")


def test_the_figures_take_the_place_of_those_of_before(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "RESULTS.md"
    path.write_text("# Benchmarks\n\nabove\n", encoding="utf-8")
    monkeypatch.setattr(fuzz, "_RESULTS", path)
    fuzz.written(["## Fuzzing: 1", ""])
    path.write_text(path.read_text(encoding="utf-8") + "\nbelow\n", encoding="utf-8")
    fuzz.written(["## Fuzzing: 2", ""])
    text = path.read_text(encoding="utf-8")
    assert text.count("## Fuzzing") == text.count("## Fuzzing: 2") == 1
    assert text.startswith("# Benchmarks\n\nabove\n")
    assert text.endswith("below\n")
