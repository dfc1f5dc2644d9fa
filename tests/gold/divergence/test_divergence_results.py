"""What `karat.diverge` returns, beside what the command line prints."""

from __future__ import annotations

from pathlib import Path

import pytest

import karat
from cli_runs import Run
from examples import conllu, sentence
from result_claims import SCRIPT, assert_is_printed, assert_is_safe


def corpora(folder: Path) -> list[str]:
    a = [sentence("the/DET", f"dog{number}/NOUN/0/root") for number in range(4)]
    b = [sentence("she/PRON", f"runs{number}/VERB/0/root") for number in range(4)]
    return [conllu(folder / "a.conllu", *a), conllu(folder / "b.conllu", *b)]


def test_divergences_are_what_the_command_line_prints(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    files = corpora(tmp_path)
    run = Run(capsys, "diverge", *files, "--splits", "3", "--top", "2", "--json")
    assert_is_printed(karat.diverge(files, n_splits=3, n_top=2), run.json)


def test_names_are_escaped_in_html(tmp_path: Path) -> None:
    a, b = corpora(tmp_path)
    assert_is_safe(karat.diverge({SCRIPT: a, "b": b}, n_splits=2))


def test_the_same_corpus_twice_and_one_name_for_two_are_called_so(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    a, b = corpora(tmp_path)
    run = Run(capsys, "diverge", a, a)
    assert (run.code, "system" in run.err) == (2, False)
    assert "The same corpus is given twice." in run.err
    for verb in ("diverge", "repeats"):
        run = Run(capsys, verb, f"x={a}", f"x={b}")
        assert (run.code, "system" in run.err) == (2, False)
        assert "two corpora are called" in run.err
