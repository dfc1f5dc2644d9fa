"""`karat score` and `compare` over folders: what is scored as 0 is named, the gate is on what the headline says."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli_runs import Run
from examples import EXAMPLES

VERBS = ("score", "compare")


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Gold and three systems on two treebanks; bix is broken on the second, cyd has no file for it."""
    for name, source in (("gold", "gold"), ("ada", "ada"), ("bix", "bix"), ("cyd", "ada")):
        (tmp_path / name).mkdir()
        for treebank in ("en_x", "en_y"):
            (tmp_path / name / f"{treebank}.conllu").write_bytes((EXAMPLES / f"{source}.conllu").read_bytes())
    with (tmp_path / "bix" / "en_y.conllu").open("a", encoding="utf-8") as file:
        file.write("1\tbroken\n\n")
    (tmp_path / "cyd" / "en_y.conllu").unlink()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(*systems: str) -> list[str]:
    return ["--gold-dir", "gold", *(part for one in systems for part in ("--system-dir", one))]


def joined(text: str) -> str:
    """The text without line breaks and LaTeX's marks of comments."""
    return " ".join(text.replace("% ", "").split())


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("format_", ["text", "markdown", "latex"])
def test_missing_and_broken_files_are_told_apart(
    capsys: pytest.CaptureFixture[str], folders: Path, verb: str, format_: str
) -> None:
    out = joined(Run(capsys, verb, *call("ada", "bix", "cyd"), "--measure", "LAS", "--format", format_).out)
    assert "; scored as 0: bix (1 broken file) and cyd (1 missing file)." in out
    assert "Missing, scored as 0: cyd (en_y.conllu)." in out.replace("\\_", "_")
    assert "Broken, scored as 0: bix (en_y.conllu)." in out.replace("\\_", "_")
    assert "lacks" not in out


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("format_", ["text", "json", "csv", "tsv"])
def test_whatever_the_format_stderr_names_what_is_scored_as_0(
    capsys: pytest.CaptureFixture[str], folders: Path, verb: str, format_: str
) -> None:
    run = Run(capsys, verb, *call("ada", "bix", "cyd"), "--measure", "LAS", "--format", format_)
    assert "warning: cyd has no en_y.conllu: scored as 0\n" in run.err
    assert "warning: bix/en_y.conllu is broken: scored as 0\n" in run.err
    if format_ == "json":
        lacking = {one["name"]: (one["absent"], one["unreadable"]) for one in run.json["systems"]}
        assert lacking == {"ada": ([], []), "bix": ([], ["en_y.conllu"]), "cyd": (["en_y.conllu"], [])}


def test_a_system_may_have_missing_and_broken_files(capsys: pytest.CaptureFixture[str], folders: Path) -> None:
    (folders / "bix" / "en_x.conllu").unlink()
    assert "scored as 0: bix (1 missing and 1 broken files)." in joined(Run(capsys, "score", *call("bix")).out)


@pytest.mark.parametrize("verb", VERBS)
def test_a_file_in_other_letters_is_named(capsys: pytest.CaptureFixture[str], folders: Path, verb: str) -> None:
    (folders / "ada" / "en_y.conllu").rename(folders / "ada" / "en_y.CONLLU")
    (folders / "ada" / "en_x.conllu").rename(folders / "ada" / "EN_x.conllu")
    run = Run(capsys, verb, *call("ada", "cyd"), "--json")
    assert "warning: ada has no en_y.conllu: scored as 0" in run.err
    for other, name in (("en_y.CONLLU", "en_y.conllu"), ("EN_x.conllu", "en_x.conllu")):
        line = f"ada has {other}: rename it to {name} to have it scored"
        assert f"warning: {line}\n" in run.err
        assert line in run.json["warnings"]
    assert "cyd has" not in " ".join(run.json["warnings"])


def test_gold_in_capital_letters_is_not_passed_over(capsys: pytest.CaptureFixture[str], folders: Path) -> None:
    (folders / "gold" / "en_y.conllu").rename(folders / "gold" / "en_y.CONLLU.gz")
    run = Run(capsys, "score", *call("ada"))
    assert "warning: gold/en_y.CONLLU.gz is not read: its name must end in small letters\n" in run.err
    (folders / "gold" / "en_x.conllu").unlink()
    run = Run(capsys, "score", *call("ada"))
    assert (run.code, run.err) == (
        3,
        "gold: K104 no corpus in this folder\n  hint: names end in small letters: rename en_y.CONLLU.gz\n",
    )


def test_the_gate_is_on_the_macro_average_which_the_headline_has(
    capsys: pytest.CaptureFixture[str], folders: Path
) -> None:
    with (folders / "gold" / "en_y.conllu").open("a", encoding="utf-8") as file:  # so that micro and macro differ
        file.write((EXAMPLES / "gold.conllu").read_text(encoding="utf-8"))
    with (folders / "ada" / "en_y.conllu").open("a", encoding="utf-8") as file:
        file.write((EXAMPLES / "gold.conllu").read_text(encoding="utf-8"))
    (system,) = Run(capsys, "score", *call("ada"), "--json").json["systems"]
    macro, micro = system["macro"]["LAS"], system["measures"]["LAS"]["value"]
    assert micro > macro + 0.001
    between = f"LAS={(macro + micro) / 2:.6f}"
    run = Run(capsys, "score", *call("ada"), "--fail-under", between)
    assert f"macro-averaged over 2 treebanks: ada {100 * macro:.1f}" in run.out
    assert (run.code, run.err.splitlines()[-1]) == (
        1,
        f"ada: macro average of LAS {macro:.4f} is below {between.removeprefix('LAS=')}",
    )
    assert Run(capsys, "score", *call("ada"), "--fail-under", f"LAS={macro - 1e-6:.6f}").code == 0
    assert "with --gold-dir, if its macro average is" in joined(Run(capsys, "score", "--help").out)


@pytest.mark.parametrize("verb", VERBS)
def test_folders_given_as_files_are_told_how_to_be_given(
    capsys: pytest.CaptureFixture[str], folders: Path, verb: str
) -> None:
    (folders / "ada").rename(folders / "my ada")
    run = Run(capsys, verb, "gold", "A=my ada", "bix", "--measure", "LAS")
    hint = "several treebanks are given as --gold-dir gold --system-dir 'A=my ada' --system-dir bix"
    assert (run.code, run.err) == (3, f"gold: K102 this is a directory\n  hint: {hint}\n")
    run = Run(capsys, verb, "gold", "bix/en_x.conllu", "cyd/en_x.conllu")
    assert "hint: several treebanks are given as --gold-dir gold --system-dir DIR\n" in run.err


@pytest.mark.parametrize("verb", VERBS)
def test_missing_folders_are_bad_input_as_missing_files_are(
    capsys: pytest.CaptureFixture[str], folders: Path, verb: str
) -> None:
    run = Run(capsys, verb, "--gold-dir", "glod", "--system-dir", "nowhere", "--system-dir", "bix")
    assert (run.code, run.err) == (
        3,
        "glod: K101 no such folder\n  hint: did you mean gold?\nnowhere: K101 no such folder\n",
    )
    run = Run(capsys, verb, *call("ada", "bix/en_x.conllu"))
    assert (run.code, run.err) == (2, "Error: bix/en_x.conllu is not a folder\n")
