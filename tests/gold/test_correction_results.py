"""What `karat.correct` returns, beside what the command line prints."""

from __future__ import annotations

from pathlib import Path

import pytest

import karat
from cli_runs import Run
from examples import conllu, sentence
from result_claims import SCRIPT, assert_is_printed, assert_is_safe

Capture = pytest.CaptureFixture[str]


def judged(folder: Path, capsys: Capture, *verdicts: str, form: str = "pier") -> tuple[str, str]:
    """A corpus with contradictions, and the worklist of it with these verdicts."""
    texts = [("the", "NOUN", "wet"), ("the", "PROPN", "old"), ("a", "NOUN", "dry"), ("a", "PROPN", "red")]
    words = [sentence(f"{a}/DET", f"{form}/{upos}/0/root", "is/AUX", f"{z}/ADJ") for a, upos, z in texts]
    corpus, path = conllu(folder / "in.conllu", *words), folder / "check.tsv"
    assert Run(capsys, "repeats", corpus, "--worklist", str(path)).code == 0
    lines = path.read_text(encoding="utf-8").splitlines()
    at = lines.index(next(line for line in lines if line.startswith("id\t")))
    column = lines[at].split("\t").index("verdict")
    for number, verdict in enumerate(verdicts, start=at + 1):
        fields = lines[number].split("\t")
        lines[number] = "\t".join([*fields[:column], verdict, *fields[column + 1 :]])
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return corpus, str(path)


def test_corrections_are_what_the_command_line_prints(capsys: Capture, tmp_path: Path) -> None:
    corpus, path = judged(tmp_path, capsys, "error-in-b")
    run = Run(capsys, "correct", corpus, "--judgements", path, "--json")
    found = karat.correct(corpus, path)
    assert_is_printed(found, run.json)
    assert (len(found.changes), found.written) == (1, ())
    out = tmp_path / "out.conllu"
    run = Run(capsys, "correct", corpus, "--judgements", path, "--generalise", "--apply", "-o", str(out), "--json")
    found = karat.write_corrected(karat.correct(corpus, path, generalise=True), out)
    assert_is_printed(found, run.json)
    assert found.written == (str(out),)


def test_precision_alone_is_what_the_command_line_prints(capsys: Capture, tmp_path: Path) -> None:
    _, path = judged(tmp_path, capsys, "error-in-b", "ambiguity")
    run = Run(capsys, "correct", "--precision", "--judgements", path, "--json")
    found = karat.correct(None, path)
    assert_is_printed(found, run.json)
    assert len(found.to_dataframe()) == len(found.precision) > 0


def test_one_is_one_row_and_several_are_rows(capsys: Capture, tmp_path: Path) -> None:
    corpus, path = judged(tmp_path, capsys, "mixed")
    out = Run(capsys, "correct", corpus, "--judgements", path).out
    assert "1 row judged mixed" in out
    assert "1 of 2 rows judged" in out
    Path(path).unlink()
    corpus, path = judged(tmp_path, capsys, "mixed", "mixed")
    out = Run(capsys, "correct", corpus, "--judgements", path).out
    assert "2 rows judged mixed" in out


def test_words_are_escaped_in_html(capsys: Capture, tmp_path: Path) -> None:
    corpus, path = judged(tmp_path, capsys, "error-in-b", form=SCRIPT)
    assert_is_safe(karat.correct(corpus, path))
