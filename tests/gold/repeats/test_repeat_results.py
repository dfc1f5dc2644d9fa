"""What `karat.repeats` and `karat.repeat_table` return, beside what the command line prints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import karat
from cli_runs import Run
from examples import conllu, sentence
from karat.report.repeats import audit_json
from result_claims import SCRIPT, assert_is_printed, assert_is_safe

ONE = [sentence("We/PRON", "are/AUX", "here/ADV", "now/ADV"), sentence("We/PRON", "are/VERB/0/root", "here/ADV")]
OTHER = [sentence("We/PRON", "are/AUX", "here/ADV"), sentence("a/DET", "b/NOUN/0/root", "c/NOUN")]


def corpora(folder: Path) -> list[str]:
    return [conllu(folder / "a.conllu", *ONE), conllu(folder / "b.conllu", *OTHER)]


@pytest.mark.parametrize("options", [[], ["--between", "--disjoint"], ["--tokenisation", "--min-words", "3"]])
def test_an_audit_is_what_the_command_line_prints(
    options: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    files = corpora(tmp_path)
    wanted = {name[2:].replace("-", "_"): True for name in options if name not in ("--min-words", "3")}
    chosen = karat.RepeatOptions(**wanted, min_words=3)  # type: ignore[arg-type]
    run = Run(capsys, "repeats", *files, *options, "--json")
    assert_is_printed(karat.repeats(files, options=chosen), run.json)


def test_an_audit_beside_a_baseline_is_what_the_command_line_prints(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    a, b = corpora(tmp_path)
    baseline = tmp_path / "baseline.json"
    baseline.write_text(Run(capsys, "repeats", b, "--json").out, encoding="utf-8")
    run = Run(capsys, "repeats", a, "--check", "--baseline", str(baseline), "--json")
    found = karat.repeats([a], baseline=baseline)
    assert_is_printed(found, run.json)
    assert (run.code, run.json["new"], found.n_gone) == (1, len(found), 0)
    assert len(found) > 0


def test_the_text_that_is_written_an_item_at_a_time_is_the_data(tmp_path: Path) -> None:
    audit = karat.repeats(corpora(tmp_path))
    assert json.loads(audit_json(audit)) == audit.to_dict()


@pytest.mark.parametrize(("table", "preset"), [(4, "paper"), (5, "literal"), (6, "paper"), (8, "literal")])
def test_a_table_is_what_the_command_line_prints(
    table: int, preset: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    files = corpora(tmp_path)
    between = table != 5
    options = ["--table", str(table), "--preset", preset, *(["--between"] if between else []), "--json"]
    run = Run(capsys, "repeats", *files, *options)
    assert_is_printed(karat.repeat_table(table, files, between=between, preset=preset), run.json)  # type: ignore[arg-type]


def test_a_preset_that_there_is_not_is_refused(tmp_path: Path) -> None:
    with pytest.raises(karat.UsageError, match="unknown preset 'x'"):
        karat.repeat_table(5, corpora(tmp_path), preset="x")  # type: ignore[arg-type]


def test_names_are_escaped_in_html(tmp_path: Path) -> None:
    files = corpora(tmp_path)
    assert_is_safe(karat.repeats({SCRIPT: files[0]}))
    assert_is_safe(karat.repeat_table(5, {SCRIPT: files[0]}))
