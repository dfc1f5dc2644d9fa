"""`karat train layered-trees`: trained, shown, used; what is wrong with its input."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import karat
from cli_runs import Run
from examples import EXAMPLES

NOUNS = ("mapa", "szafa", "lampa", "rama")


def conllu(n: int) -> str:
    """Sentences in which a noun is accusative behind `przez` and locative behind `o`, though its form is the same."""
    lines = []
    for number in range(n):
        noun, is_first = f"{NOUNS[number % 4]}{number % 7}", number % 3 == 0
        words = [("przez", "prep:acc:nwok"), (noun, "subst:sg:acc:f")] if is_first else [
            ("o", "prep:loc"), (noun, "subst:sg:loc:f")
        ]  # fmt: skip
        for place, (form, tag) in enumerate([*words, ("leży", "fin:sg:ter:imperf")], start=1):
            lines.append(f"{place}\t{form}\t_\tX\t{tag}\t_\t{place - 1}\tdep\t_\t_")
        lines.append("")
    return "\n".join([*lines, ""])


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Run]:
    monkeypatch.chdir(tmp_path)
    Path("train.conllu").write_text(conllu(300), encoding="utf-8")
    return lambda arguments: Run(capsys, *arguments.split())


TRAIN = "train layered-trees train.conllu -o m.karat --column xpos"


@pytest.mark.parametrize("more", ["", " --forest", " --rules my.rules"])
def test_a_model_is_trained_and_tags(more: str, run: Callable[[str], Run]) -> None:
    Path("my.rules").write_text('remove case=loc & pos=subst unless -1: "o"\n', encoding="utf-8")
    found = run(f"{TRAIN} --tagset nkjp --json{more}").json
    assert (found["system"], found["column"], found["options"]["tagset"]) == ("layered-trees", "xpos", "nkjp")
    assert run("tag -m m.karat train.conllu -o tagged.conllu").code == 0
    tags = karat.read("tagged.conllu").column("xpos").strings()
    assert tags == karat.read("train.conllu").column("xpos").strings()
    several = run("tag -m m.karat train.conllu -o several.tsv --tags several --share 0.5")
    assert several.code == 0


def test_trees_are_shown(run: Callable[[str], Run]) -> None:
    lines = run(f"{TRAIN} --tagset nkjp --show --no-calibration").out.splitlines()
    assert [line for line in lines if line.startswith("==")] == ["== pos", "== number and gender", "== case"]
    (start,) = [number for number, line in enumerate(lines) if line.startswith("acc | loc")]
    assert lines[start + 1].startswith("  ")
    assert lines[start + 1].endswith("?")
    assert lines[start + 2].startswith("    yes: ")


def test_without_a_tagset_tags_are_decided_as_a_whole(run: Callable[[str], Run]) -> None:
    lines = run(f"{TRAIN} --show --no-calibration").out.splitlines()
    assert [line for line in lines if line.startswith("==")] == ["== tag"]


def test_tags_outside_of_the_tagset_are_refused(run: Callable[[str], Run]) -> None:
    refused = run(f"train layered-trees {EXAMPLES / 'gold.conllu'} -o m.karat --column xpos --tagset nkjp")
    assert refused.code == 3
    assert "tags that are not in nkjp" in refused.err
    assert not Path("m.karat").exists()


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("remove case=loc", "my.rules:1:16: K908 the line ends where if or unless was expected"),
        ("# fine\nremove pos=noun if -1: pos=prep", "my.rules:2:12: K908 pos has no value noun"),
    ],
)
def test_rules_that_are_none_are_refused_with_line_and_column(
    rules: str, message: str, run: Callable[[str], Run]
) -> None:
    Path("my.rules").write_text(rules, encoding="utf-8")
    refused = run(f"{TRAIN} --tagset nkjp --rules my.rules")
    assert refused.code == 3
    assert message in refused.err
    assert "no such file" in run(f"{TRAIN} --tagset nkjp --rules none.rules").err.lower()


def test_the_rules_are_an_input_and_stay(run: Callable[[str], Run]) -> None:
    Path("my.rules").write_text("", encoding="utf-8")
    refused = run("train layered-trees train.conllu -o my.rules --column xpos --tagset nkjp --rules my.rules")
    assert refused.code == 2
    assert "is an input" in refused.err


def test_options_of_other_systems_are_refused(run: Callable[[str], Run]) -> None:
    assert "--forest" in run("train hmm train.conllu -o m.karat --forest").err
    assert "there is no XPOS" in run(
        "train layered-trees train.conllu -o m.karat --column feats --tagset nkjp"
    ).err.replace("FEATS", "XPOS")


def test_what_is_shown_can_be_had_as_json(run: Callable[[str], Run]) -> None:
    shown = run(f"{TRAIN} --tagset nkjp --show --no-calibration").out.splitlines()
    assert run(f"{TRAIN} --tagset nkjp --show --no-calibration --json").json["learnt"] == shown
    assert run(f"{TRAIN} --show --format csv").code == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("train hmm train.conllu -o m.karat --show", "cannot be read"),
        ("train hmm train.conllu -o nowhere/m.karat", "there is no folder nowhere"),
        ("train hmm train.conllu -o .", "is a folder"),
        (f"{TRAIN} --rules nkjp", "need a tagset"),
        ("train brill train.conllu -o m.karat --column xpos --phases two", "need a tagset"),
    ],
)
def test_what_cannot_be_done_is_said_before_the_work(run: Callable[[str], Run], arguments: str, message: str) -> None:
    refused = run(arguments)
    assert (refused.code, Path("m.karat").exists()) == (2, False)
    assert message in refused.err
