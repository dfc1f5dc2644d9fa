"""What the functions of noise return, beside what the command line prints."""

from __future__ import annotations

from pathlib import Path

import pytest

import karat
from cli_runs import Run
from examples import EXAMPLES
from karat.corpus.worklist import write_worklist
from result_claims import SCRIPT, assert_is_printed, assert_is_safe

GOLD, ADA, BIX = (str(EXAMPLES / f"{name}.conllu") for name in ("gold", "ada", "bix"))


def test_numbers_give_what_the_command_line_prints(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--corpus-error", "0.03", "--ambiguity", "2.5", "--u", "0.6", "--n", "5000", "--json"]
    run = Run(capsys, "noise", "--observed", "0.9135", "--observed", "0.9282", *options)
    found = karat.noise_bounds([0.9135, 0.9282], corpus_error=0.03, ambiguity=2.5, u=0.6, n=5000)
    assert_is_printed(found, run.json)
    assert [one.name for one in karat.noise_bounds(0.9, 0.03, 2.5).systems] == ["T1"]


def test_files_give_what_the_command_line_prints(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "noise", GOLD, f"ada={ADA}", f"bix={BIX}", "--lexicon", GOLD, "--corpus-error", "0.03", "--json")
    systems = {"ada": ADA, "bix": BIX}
    assert_is_printed(karat.noise_bounds_from_files(GOLD, systems, lexicon=GOLD, corpus_error=0.03), run.json)


def test_priors_may_be_a_file(tmp_path: Path) -> None:
    path = tmp_path / "priors.toml"
    path.write_text("u = {point = 0.5}\n", encoding="utf-8")
    assert karat.noise_bounds(0.9, 0.03, 2.5, priors=path).to_dict()["priors"]["u"] == "point(0.5)"


@pytest.mark.parametrize("systems", [{"ada": ADA}, {"ada": ADA, "bix": BIX}])
def test_plan_and_estimate_are_what_the_command_line_prints(
    systems: dict[str, str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = str(tmp_path / "check.tsv")
    files = [GOLD, *(f"{name}={path}" for name, path in systems.items())]
    run = Run(capsys, "noise", "plan", *files, "-o", path, "--budget", "30", "--json")
    plan = karat.noise_plan(GOLD, systems, budget=30)
    assert_is_printed(plan, run.json)
    assert len(plan.to_dataframe()) == len(plan.strata)
    run = Run(capsys, "noise", "estimate", *files, "--judgements", path, "--json")
    assert_is_printed(karat.noise_estimate(GOLD, systems, path), run.json)


def test_names_are_escaped_in_html(tmp_path: Path) -> None:
    assert_is_safe(karat.noise_bounds({SCRIPT: 0.9, "b": 0.91}, 0.03, 2.5))
    plan = karat.noise_plan(GOLD, {SCRIPT: ADA})
    assert_is_safe(plan)
    path = tmp_path / "check.tsv"
    write_worklist(str(path), plan.worklist)
    assert_is_safe(karat.noise_estimate(GOLD, {SCRIPT: ADA}, path))


def broken(folder: Path) -> str:
    """The output of a system with two sentences whose HEAD is no number."""
    lines = Path(ADA).read_text(encoding="utf-8").split("\n")
    starts = [number for number, line in enumerate(lines) if line.startswith("1\t")]
    for number in starts[:2]:
        fields = lines[number].split("\t")
        lines[number] = "\t".join([*fields[:6], "x", *fields[7:]])
    path = folder / "broken.conllu"
    path.write_text("\n".join(lines), encoding="utf-8")
    return str(path)


OF_FILES = ("--lexicon", GOLD, "--corpus-error", "0.03")


def test_max_errors_limits_the_problems_that_are_listed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    run = Run(capsys, "noise", GOLD, broken(tmp_path), *OF_FILES, "--max-errors", "1")
    assert (run.code, run.err.count("K207")) == (3, 1)
    assert "and 1 more problem (--max-errors 0 shows all)" in run.err
    run = Run(capsys, "noise", "plan", GOLD, broken(tmp_path), "-o", str(tmp_path / "x"), "--max-errors", "1")
    assert (run.code, run.err.count("K207")) == (3, 1)


def test_what_is_skipped_and_how_inputs_are_read_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = broken(tmp_path)
    worklist = str(tmp_path / "check.tsv")
    for arguments in (
        [GOLD, path, *OF_FILES],
        ["plan", GOLD, path, "-o", worklist],
        ["estimate", GOLD, path, "--judgements", worklist],
    ):
        run = Run(capsys, "noise", *arguments, "--skip-bad", "-v")
        assert run.code == 0
        assert f"{path}: read as conllu" in run.err
        assert run.err.count("skipped: ") == run.err.count("K207") == 2
