"""What `karat.simulate` writes and returns, beside what the command line does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import karat
from cli_runs import Run
from result_claims import SCRIPT, assert_is_printed, assert_is_safe


def test_a_simulation_is_what_the_command_line_prints_and_writes(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    options = ["--tokens", "500", "--noise", "0.1", "--kind", "systematic", "--documents", "3", "--seed", "5"]
    run = Run(capsys, "simulate", "-o", str(tmp_path / "a"), *options, "--json")
    found = karat.simulate(tmp_path / "b", tokens=500, noise=0.1, kind="systematic", documents=3, seed=5)
    assert_is_printed(found, run.json)
    assert len(found.to_dataframe()) == 2 * len(found.systems)
    assert (found.notes, run.err) == ((), "")
    for name in (*found.files, "parameters.json"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_a_folder_with_other_files_is_refused_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine", encoding="utf-8")
    with pytest.raises(karat.UsageError, match="is not empty"):
        karat.simulate(tmp_path, tokens=10**9)


def test_text_is_escaped_in_html(tmp_path: Path) -> None:
    assert_is_safe(replace(karat.simulate(tmp_path / "a", tokens=50), signature=SCRIPT))


def test_a_p_that_cannot_be_had_is_noted(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    run = Run(capsys, "simulate", "-o", str(tmp_path / "a"), "--tokens", "500", "--u", "0", "--p", "0")
    (note,) = karat.simulate(tmp_path / "b", tokens=500, u=0.0, p=0.0).notes
    assert run.err == f"note: {note}\n"
