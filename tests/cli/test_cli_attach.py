"""`karat attach` from the shell: bad input has clear words and an exit code, never a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli_runs import Run
from examples import EXAMPLES, conllu, sentence

GROUPS = ("attach", "groups")


@pytest.mark.parametrize(
    ("name", "text", "code", "message"),
    [
        ("a.ptb", "(S (NN Rain))\n", 3, "K108"),
        ("a.conllu", "", 3, "K104"),
        ("a.conllu", "1\tRain\n", 3, "K201"),
        ("a.tsv", "Rain\tNN\n\n", 2, "give its --tagset"),
        ("absent.conllu", None, 3, "K101"),
    ],
)
def test_input_that_cannot_be_grouped_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, text: str | None, code: int, message: str
) -> None:
    if text is not None:
        (tmp_path / name).write_text(text)
    run = Run(capsys, *GROUPS, str(tmp_path / name))
    assert (run.code, run.out) == (code, "")
    assert message in run.err
    assert "Traceback" not in run.err


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--tagset", "nkjp"], 3, "K802"),
        (["--tagset", "nkpj"], 2, "unknown tagset"),
        (["--tagset", "penn"], 2, "no groups are described for the tagset penn, only for nkjp, ud: give --groups"),
        (["--groups", "nkjp"], 2, "the groups are described in tags of nkjp, the text has those of ud"),
        (["--groups", "absent.toml"], 3, "K101"),
        (["--groups", "polish"], 2, "unknown cascade of groups"),
        (["--map", "absent.tsv"], 3, "K101"),
        (["-n", "-1"], 2, "-1 is not in the range"),
    ],
)
def test_options_that_do_not_fit_are_refused(
    capsys: pytest.CaptureFixture[str], options: list[str], code: int, message: str
) -> None:
    run = Run(capsys, *GROUPS, str(EXAMPLES / "gold.conllu"), *options)
    assert (run.code, run.out) == (code, "")
    assert message in run.err


def test_a_mistake_in_rules_is_shown_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = tmp_path / "mine.toml"
    rules.write_text('tagset = "ud"\n[words]\nnoun = { pos = "NUON" }\n[[rule]]\n')
    run = Run(capsys, *GROUPS, str(EXAMPLES / "gold.conllu"), "--groups", str(rules))
    assert run.code == 3
    assert f"{rules}:3:1: K890 noun: unknown part of speech 'NUON' in the tagset ud (did you mean 'NOUN'?)" in run.err


def test_sentences_are_shown_in_text_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = conllu(tmp_path / "a.conllu", sentence("in/ADP", "the/DET", "mill/NOUN"))
    assert "1. [prepositional: in° the mill*]" in Run(capsys, *GROUPS, text).out
    assert "[prepositional" not in Run(capsys, *GROUPS, text, "--format", "markdown").out


def test_attach_without_a_command_shows_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "attach")
    assert "groups" in run.out + run.err
