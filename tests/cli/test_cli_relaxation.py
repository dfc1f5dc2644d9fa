"""`karat train relaxation`: constraints shown, edited and read again; what is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import karat
from cli_runs import Run
from examples import EXAMPLES

GOLD, TEXT = EXAMPLES / "gold.conllu", EXAMPLES / "bix.conllu"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Run]:
    monkeypatch.chdir(tmp_path)
    return lambda arguments: Run(capsys, *arguments.split())


def test_constraints_are_shown_edited_and_read_again(run: Callable[[str], Run]) -> None:
    shown = run(f"train relaxation {GOLD} -o m.karat --constraints BT --show")
    assert shown.code == 0
    lines = shown.out.splitlines()
    Path("same.txt").write_text(shown.out, encoding="utf-8")
    again = run(f"train relaxation {GOLD} -o same.karat --constraints BT --constraints-file same.txt --show")
    assert again.out == shown.out
    assert Path("same.txt").read_text(encoding="utf-8") == shown.out

    place = next(number for number, line in enumerate(lines) if "NOUN <- [-1 DET]" in line)
    lines[place] = "7.5 NOUN <- [-1 DET]"
    Path("edited.txt").write_text("\n".join([*lines, '2 VERB <- [0 "row"] [-1 PRON]', ""]), encoding="utf-8")
    edited = run(f"train relaxation {GOLD} -o edited.karat --constraints BT --constraints-file edited.txt --show").out
    ours = [line for line in edited.splitlines() if line.endswith(" H")]
    assert {line.partition("  #")[0] for line in ours} == {
        "7.500 NOUN <- [-1 DET]",
        '2.000 VERB <- [0 "row"] [-1 PRON]',
    }
    assert len(edited.splitlines()) == len(lines) + 1  # the one takes the place of what was learnt
    model = karat.load_tagger("edited.karat")
    assert model.learnt() == edited.splitlines()


def test_what_was_shown_does_not_tell_of_words_that_are_held_out(run: Callable[[str], Run]) -> None:
    plain = run(f"train relaxation {GOLD} -o m.karat --json").json
    Path("shown.txt").write_text(run(f"train relaxation {GOLD} -o m.karat --show").out, encoding="utf-8")
    again = run(f"train relaxation {GOLD} -o same.karat --constraints-file shown.txt --json").json
    for name in ("held_out_accuracy", "expected_calibration_error"):
        assert again[name] == plain[name]


def test_an_edited_constraint_keeps_its_use(run: Callable[[str], Run]) -> None:
    lines = run(f"train relaxation {GOLD} -o m.karat --constraints B --show").out.splitlines()
    (line,) = [one for one in lines if one.startswith("1") and " NOUN <- [-1 DET]  # " in one]
    Path("c.txt").write_text("9 NOUN <- [-1 DET]\n", encoding="utf-8")
    shown = run(f"train relaxation {GOLD} -o m.karat --constraints B --constraints-file c.txt --show").out
    assert f"9.000 NOUN <- [-1 DET]  # {line.split()[-2]} H" in shown


def test_a_stated_constraint_decides(run: Callable[[str], Run]) -> None:
    Path("text.txt").write_text("The old gate\n", encoding="utf-8")
    found = {}
    for tag in ("NOUN", "VERB", "ADJ"):
        Path("c.txt").write_text(f"50 {tag} <- [0 unknown:lower]\n", encoding="utf-8")
        run(f"train relaxation {GOLD} -o m.karat --constraints-file c.txt")
        Path("text.txt").write_text("The zzelk\n", encoding="utf-8")
        run("tag -m m.karat text.txt -o out.tsv")
        found[tag] = Path("out.tsv").read_text(encoding="utf-8").split()[3]
    assert found == {tag: tag for tag in found}


@pytest.mark.parametrize("update", ["damped", "textbook"])
def test_several_tags_have_probabilities(update: str, run: Callable[[str], Run]) -> None:
    run(f"train relaxation {GOLD} -o m.karat --update {update}")
    assert run(f"tag -m m.karat {TEXT} --probabilities -o out.tsv").code == 0
    lines = [line.split("\t") for line in Path("out.tsv").read_text(encoding="utf-8").splitlines() if line]
    assert all(sum(map(float, line[2::2])) == pytest.approx(1, abs=1e-4) for line in lines)
    assert any(len(line) > 3 for line in lines)
    assert run(f"tag -m m.karat {TEXT} --tags several -o several.tsv").code == 0


def test_a_lexicon_restricts_the_tags_of_words(run: Callable[[str], Run]) -> None:
    Path("lexicon.tsv").write_text("zzelk\tADJ\nzzelk\tVERB\n", encoding="utf-8")
    Path("text.txt").write_text("The zzelk\n", encoding="utf-8")
    assert run(f"train relaxation {GOLD} -o m.karat --lexicon lexicon.tsv").code == 0
    run("tag -m m.karat text.txt -o out.tsv")
    assert Path("out.tsv").read_text(encoding="utf-8").split()[3] in ("ADJ", "VERB")


def test_bad_constraints_are_refused_with_line_and_column_and_nothing_is_written(run: Callable[[str], Run]) -> None:
    Path("c.txt").write_text("1 NOUN <- [-1 DET]\n1 NOUN <- [-1 DTE]\n1 NOUN <= [-1 DET]\n", encoding="utf-8")
    refused = run(f"train relaxation {GOLD} -o m.karat --constraints-file c.txt")
    assert refused.code == 3
    assert "c.txt:2:15: K907 DTE is no tag of the training text" in refused.err
    assert "c.txt:3:8: K906" in refused.err
    assert not Path("m.karat").exists()


def test_what_relaxation_cannot_use_is_refused(run: Callable[[str], Run]) -> None:
    assert run(f"train relaxation {GOLD} -o m.karat --constraints-file none.txt").code == 3
    assert run(f"train relaxation {GOLD} -o m.karat --constraints CB").code == 2
    assert "not standard input" in run(f"train relaxation {GOLD} -o m.karat --constraints-file -").err
    assert "is an option of relaxation" in run(f"train hmm {GOLD} -o m.karat --update damped").err
    Path("c.txt").write_text("1 NOUN <- [-1 DET]\n", encoding="utf-8")
    refused = run(f"train relaxation {GOLD} -o c.txt --constraints-file c.txt")
    assert "is an input and will not be overwritten" in refused.err
    Path("one.conllu").write_text("1\tWe\twe\tPRON\t_\t_\t0\troot\t_\t_\n\n", encoding="utf-8")
    assert "there is no XPOS to learn from" in run("train relaxation one.conllu -o m.karat --column xpos").err
    assert run("train relaxation one.conllu -o m.karat").code == 0
