"""Files are checked as strictly as they are scored, all of them, and nothing is written."""

from __future__ import annotations

from pathlib import Path

import pytest

import karat
from cli_runs import Run
from examples import EXAMPLES

GOLD = EXAMPLES / "gold.conllu"
ROW = "{}\t{}\t{}\tX\t_\t_\t{}\t{}\t{}\t_\n"


def conllu(path: Path, *rows: tuple[str, str, str]) -> Path:
    """A sentence of words with heads, relations and enhanced dependencies."""
    lines = [ROW.format(number, "tea", "tea", *row) for number, row in enumerate(rows, 1)]
    path.write_text("".join(lines) + "\n", encoding="utf-8")
    return path


def test_good_files_are_listed_with_their_sizes() -> None:
    found = karat.check_files([GOLD, EXAMPLES / "gold.ptb"])
    assert (found.files[0].sentences, found.files[0].words) == (61, 998)
    assert [one.format for one in found.files] == ["conllu", "brackets"]
    assert karat.check_files(GOLD).files == karat.check_files(str(GOLD)).files


def test_problems_of_all_files_are_reported_at_once(tmp_path: Path) -> None:
    cycle = conllu(tmp_path / "cycle.conllu", ("2", "dep", "_"), ("1", "dep", "_"), ("0", "root", "_"))
    outside = conllu(tmp_path / "outside.conllu", ("9", "dep", "_"), ("0", "root", "_"))
    short = tmp_path / "short.conllu"
    short.write_text("# text = tea\n1\ttea\n\n", encoding="utf-8")
    with pytest.raises(karat.DataError) as caught:
        karat.check_files([cycle, GOLD, outside, short, tmp_path / "none.conllu"], input="conllu")
    assert [problem.code for problem in caught.value.problems] == ["K209", "K208", "K201", "K101"]


def test_enhanced_dependencies_are_checked_too(tmp_path: Path) -> None:
    bad = conllu(tmp_path / "bad.conllu", ("0", "root", "7:dep"))
    with pytest.raises(karat.DataError) as caught:
        karat.check_files(bad)
    assert [problem.code for problem in caught.value.problems] == ["K213"]


def test_the_command_line_exits_with_3_and_names_the_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = conllu(tmp_path / "bad.conllu", ("5", "dep", "_"), ("0", "root", "_"))
    run = Run(capsys, "convert", "--check", str(GOLD), str(bad))
    assert run.code == 3
    assert run.err.startswith(f"{bad}:1:")
    assert "K208" in run.err
    assert run.out == ""
    assert sorted(tmp_path.iterdir()) == [bad]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a", "b", "-o", "c", "--to", "tsv"], "only --check takes several"),
        (["a", "--to", "tsv"], "Say what to write"),
        (["a", "-o", "c"], "Say what to write"),
        (["a", "--check", "-o", "c"], "--output cannot be used with --check"),
        ([], "Missing argument"),
    ],
)
def test_what_does_not_go_together_is_refused(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run = Run(capsys, "convert", *arguments)
    assert run.code == 2
    assert message in run.err
