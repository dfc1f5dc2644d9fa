"""Tables as papers have them: what `--format latex` and `markdown` print stands alone, and says nothing twice."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cli_runs import Run
from examples import EXAMPLES

Capture = pytest.CaptureFixture[str]
GOLD, ADA, BIX = (str(EXAMPLES / f"{name}.conllu") for name in ("gold", "ada", "bix"))
THREE = ("compare", GOLD, f"ada={ADA}", f"bix={BIX}", f"gold={GOLD}", "--measure", "UPOS,LAS")


def caption(out: str) -> str:
    (found,) = re.findall(r"^\\caption\{(.*)\}$", out, re.MULTILINE)
    return str(found)


def test_a_caption_of_ones_own_comes_before_what_explains_the_marks(capsys: Capture) -> None:
    plain = caption(Run(capsys, *THREE, "--format", "latex").out)
    assert r"$^\dagger$ significantly worse than the best ($p$ $<$ 0.05, two-sided " in plain
    assert "test over 12 documents, Holm-adjusted for 3 pairs)." in plain
    ours = Run(capsys, *THREE, "--format", "latex", "--caption", "Ada & Bix", "--latex-label", "tab:x").out
    assert caption(ours) == rf"Ada \& Bix. {plain}"
    assert r"\label{tab:x}" in ours
    markdown = Run(capsys, *THREE, "--format", "markdown", "--caption", "Ada and Bix.").out
    assert "\nAda and Bix. F1 in %. Best in bold; † significantly" in markdown


def test_marks_are_explained_only_where_there_are_any(capsys: Capture) -> None:
    open_ = Run(capsys, "compare", GOLD, f"ada={ADA}", f"bix={BIX}", "--measure", "LAS", "--format", "latex").out
    assert "dagger" not in open_
    assert r"Best in bold; no significant difference from the best ($p$ $\ge$ 0.05, two-sided" in caption(open_)
    same = Run(capsys, "compare", GOLD, f"a={ADA}", f"b={ADA}", "--measure", "LAS", "--format", "latex").out
    assert "dagger" not in same
    assert "bold" not in caption(same)
    assert r"\textbf" not in same


@pytest.mark.parametrize("format_", ["latex", "markdown"])
@pytest.mark.parametrize(
    "call",
    [
        THREE,
        ("score", GOLD, f"ada={ADA}", f"bix={BIX}"),
        ("compare", GOLD, f"ada={ADA}", f"bix={BIX}", "--by", "upos"),
    ],
)
def test_a_paper_has_no_options_letters_and_stars_of_the_terminal(
    capsys: Capture, call: tuple[str, ...], format_: str
) -> None:
    out = Run(capsys, *call, "--format", format_).out
    assert not re.search(r"(^|\s)--\w", out)
    assert "share a letter" not in out
    assert "* best" not in out
    assert out.count("in %.") + out.count(r"in \%.") == 1  # in the caption, and nowhere again


def test_a_baseline_is_what_the_marks_are_about(capsys: Capture) -> None:
    out = Run(capsys, *THREE, "--baseline", "ada", "--format", "latex").out
    assert r"$^\dagger$ significantly different from ada" in caption(out)
    rows = {row.split(" & ")[0].strip(): row for row in out.splitlines() if row.endswith(r"\\")}
    assert rows["gold"].count("dagger") == 2  # by both measures
    assert "dagger" not in rows["ada"]
    assert "dagger" not in rows["bix"]


def test_scores_over_treebanks_have_a_caption(capsys: Capture, tmp_path: Path) -> None:
    for name in ("gold", "ada", "bix"):
        (tmp_path / name).mkdir()
        for treebank in ("en_x", "en_y"):
            (tmp_path / name / f"{treebank}-ud-test.conllu").write_bytes((EXAMPLES / f"{name}.conllu").read_bytes())
    folders = ["--gold-dir", str(tmp_path / "gold"), "--system-dir", str(tmp_path / "ada")]
    one = caption(Run(capsys, "score", *folders, "--format", "latex").out)
    assert one == r"In \%. Micro average: of all words; macro average: mean of 2 treebanks."
    folders += ["--system-dir", str(tmp_path / "bix")]
    out = Run(capsys, "score", *folders, "--format", "latex").out
    assert caption(out) == r"In \%. Best in bold. Micro average: of all words; macro average: mean of 2 treebanks."
    assert r"  en\_x & " in out
    compared = caption(Run(capsys, "compare", *folders, "--format", "latex").out)
    assert compared.startswith(r"Macro average in \%. Best in bold")
    assert compared.endswith("Averaged over 2 treebanks.")


def test_long_headings_are_in_two_lines(capsys: Capture) -> None:
    trees = [str(EXAMPLES / f"{name}.ptb") for name in ("gold", "ada", "bix")]
    out = Run(capsys, "score", *trees, "--format", "latex").out
    assert r"\shortstack[r]{Labelled\\Precision}" in out


def test_marks_do_not_push_numbers_out_of_line(capsys: Capture) -> None:
    out = Run(capsys, *THREE, "--format", "latex").out
    assert re.search(r" \d\d\.\d\d\\rlap\{\$\^\\dagger\$\} ", out)


@pytest.mark.parametrize("format_", ["text", "latex"])
def test_a_difference_says_of_what_it_is_where_names_are_long(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, format_: str
) -> None:
    """Whatever is marked, as better too, is explained beside the table."""
    monkeypatch.setenv("COLUMNS", "80")
    systems = (f"the-second-system={ADA}", f"the-gold-itself={GOLD}")
    out = Run(capsys, "compare", GOLD, *systems, "--measure", "LAS", "--by", "upos", "--format", format_).out
    out = " ".join(out.replace(r"$\Delta$", "Δ").replace("$-$", "−").split())
    assert out.count("Δ: the-gold-itself − the-second-system.") == 2
    assert out.count("significantly better.") == {"text": 2, "latex": 1}[format_]  # of the other, the best is bold
