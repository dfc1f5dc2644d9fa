"""karat compare on the command line: contract, formats, mistakes."""

from __future__ import annotations

import csv
import io
import os
import random
import re
import sys
from pathlib import Path

import pytest

from cli_runs import Run
from examples import EXAMPLES, conllu, sentence
from karat.cli._output import progress_line, say
from printed_tables import printed_tables

GOLD, ADA, BIX = (str(EXAMPLES / f"{name}.conllu") for name in ("gold", "ada", "bix"))
PTB_GOLD, PTB_ADA, PTB_BIX = (str(EXAMPLES / f"{name}.ptb") for name in ("gold", "ada", "bix"))
COUNTS = "YY=6516,YN=232,NY=343,NN=4309"


def test_json_has_the_contract_s_fields(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "compare", GOLD, f"ada={ADA}", f"bix={BIX}", "--measure", "LAS,UPOS", "--json")
    assert run.code == 0
    data = run.json
    assert data["schema"] == "karat/compare/1"
    assert [(one["a"], one["b"], one["measure"]) for one in data["pairs"]] == [
        ("ada", "bix", "LAS"),
        ("ada", "bix", "UPOS"),
    ]
    wanted = "a b measure difference lower upper test p p_adjusted cluster n_clusters design_effect counts mcnemar_z "
    wanted += "unpaired_z real_test error_reduction p_is_upper_bound mid_p"
    pair = data["pairs"][0]
    assert set(wanted.split()) <= set(pair)
    assert pair["difference"] == pytest.approx(pair["value_b"] - pair["value_a"])
    assert pair["lower"] < pair["difference"] < pair["upper"]
    assert set(pair["counts"]) == {"YY", "YN", "NY", "NN"}
    assert set(pair["real_test"]["z"]) == {"lower", "upper"}
    assert [one["name"] for one in data["ranking"] if one["measure"] == "LAS"] == ["bix", "ada"]
    assert "|verb:compare|" in data["signature"]


def test_counts_alone_fit_the_same_schema_with_null_for_what_is_unknown(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "compare", "--counts", COUNTS, "--json")
    (pair,) = run.json["pairs"]
    assert pair["real_test"]["size"] == pytest.approx(1139.2, abs=0.05)
    assert pair["real_test"]["z"]["lower"] == pytest.approx(4.636, abs=5e-4)
    assert pair["real_test"]["z"]["upper"] == pytest.approx(4.673, abs=5e-4)
    assert pair["mcnemar_z"] == pytest.approx(4.629, abs=5e-4)
    assert pair["unpaired_z"] == pytest.approx(1.50, abs=5e-3)
    assert [pair[name] for name in ("measure", "cluster", "n_clusters", "design_effect")] == [None] * 4
    assert pair["independence"]["YY"]["value"] == pytest.approx(4060.05, abs=5e-3)
    assert "counts do not show clustering" in run.err


@pytest.mark.parametrize(
    "options",
    [
        (GOLD, ADA, BIX),
        (GOLD, ADA, BIX, "--measure", "all", "--examples", "2", "--margin", "0.01", "--effect", "0.01"),
        (GOLD, ADA, BIX, "--like", "conll18", "--measure", "all", "--statistic", "recall"),
        (GOLD, ADA, BIX, f"gold={GOLD}", "--adjust", "holm-all", "--method", "bca", "--resamples", "200"),
        (GOLD, ADA, "--runs", f"two={ADA},{BIX}", "--runs", f"one={BIX}", "--effect", "0.001"),
        (GOLD, ADA, BIX, "--resamples", "0"),
        (GOLD, f"a={GOLD}", f"b={GOLD}"),
        ("--counts", "YY=3,YN=0,NY=2,NN=1"),
        ("--counts", "YY=0,YN=4,NY=4,NN=0", "--margin", "50pt", "--effect", "30pt", "--sentences", "8"),
        ("--counts", "YY=5,YN=0,NY=0,NN=0"),
        ("--counts", "YY=900000,YN=0,NY=90000,NN=10000"),
    ],
)
def test_json_fits_its_schema_and_no_p_is_zero(capsys: pytest.CaptureFixture[str], options: tuple[str, ...]) -> None:
    for pair in Run(capsys, "compare", *options, "--json").json["pairs"]:
        assert pair["p"] > 0
        assert pair["p_adjusted"] >= pair["p"]
        assert pair["p_is_upper_bound"] == (pair["p"] == 1e-12)


def test_without_resamples_there_are_no_intervals_but_a_test(capsys: pytest.CaptureFixture[str]) -> None:
    pair = Run(capsys, "compare", GOLD, ADA, BIX, "--measure", "LAS", "--resamples", "0", "--json").json["pairs"][0]
    assert (pair["lower"], pair["upper"], pair["method"]) == (None, None, None)
    assert pair["test"] == "cluster-robust t"  # the exact test cannot be done: tokenisation differs
    recall = Run(
        capsys, "compare", GOLD, ADA, BIX, "--measure", "LAS", "--resamples", "0", "--statistic", "recall", "--json"
    )
    assert recall.json["pairs"][0]["test"] == "exact permutation"


def test_text_has_a_plain_sentence_first_and_the_signature_last(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "compare", GOLD, f"ada={ADA}", f"bix={BIX}", "--measure", "LAS")
    assert re.search(r"^LAS +86\.73 +87\.88 +\+1\.15 ", run.out, re.MULTILINE)
    assert run.out.startswith("bix is ahead of ada on LAS (87.9 to 86.7), but the difference could be due to\n")
    assert run.out.rstrip().rsplit("\n", 1)[1].startswith("karat:")
    assert "only 12 documents" in run.err


def test_many_systems_get_a_ranking_and_adjusted_p(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "compare", GOLD, f"ada={ADA}", f"bix={BIX}", f"gold={GOLD}", "--measure", "LAS")
    assert run.out.startswith("LAS: gold is best (100.0), significantly better than both others.\n")
    assert "Holm-adjusted over the pairs of each measure (3)." in " ".join(run.out.split())
    assert re.search(r"^ +2 +bix +87\.88 +84\.24–90\.77 +−12\.12 +0\.0024 +2–3 +b$", run.out, re.MULTILINE)


@pytest.mark.parametrize("format_", ["csv", "tsv", "markdown", "latex"])
def test_other_formats_hold_the_same_numbers(capsys: pytest.CaptureFixture[str], format_: str) -> None:
    run = Run(capsys, "compare", GOLD, f"ada={ADA}", f"bix={BIX}", "--measure", "LAS", "--format", format_)
    assert run.code == 0
    assert ("87.88" if format_ in ("markdown", "latex") else "0.87875") in run.out
    if format_ == "csv":
        (row,) = csv.DictReader(io.StringIO(run.out))
        assert (row["a"], row["measure"], row["verdict"]) == ("ada", "LAS", "open")


@pytest.mark.parametrize("ending", ["conllu", "ptb"])
def test_score_and_compare_show_the_same_measures(capsys: pytest.CaptureFixture[str], ending: str) -> None:
    files = [str(EXAMPLES / f"{name}.{ending}") for name in ("gold", "ada", "bix")]
    shown = [printed_tables(Run(capsys, verb, *files).out, "text")[0] for verb in ("score", "compare")]
    assert {row[0] for row in shown[0].rows} == {row[0] for row in shown[1].rows}


def test_an_interval_without_0_beside_an_adjusted_p_is_explained(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """One pair of four systems differs if looked at alone; of two systems there is nothing to adjust for."""
    rng = random.Random(5)
    tags = [["NOUN", "VERB", "ADJ"][place % 3] for place in range(6)]

    def written(name: str, error: float) -> str:
        sentences = [
            sentence(*(f"w{place}/{'X' if rng.random() < error else tag}" for place, tag in enumerate(tags)))
            for _ in range(60)
        ]
        conllu(tmp_path / name, *sentences)
        return str(tmp_path / name)

    files = [written(name, error) for name, error in (("g", 0), ("a", 0.1), ("b", 0.15), ("c", 0.11), ("d", 0.12))]
    note = "CIs are not adjusted: where a CI excludes 0 but adj. p is 0.05 or more"
    data = Run(capsys, "compare", *files, "--measure", "UPOS", "--json").json
    told = [one["lower"] > 0 or one["upper"] < 0 for one in data["pairs"] if one["p_adjusted"] >= 0.05]
    assert any(told)
    assert note in Run(capsys, "compare", *files, "--measure", "UPOS", "--details").out
    assert note not in Run(capsys, "compare", *files[:3], "--measure", "UPOS", "--details").out


def test_examples_mark_the_words(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    gold = conllu(tmp_path / "gold.conllu", sentence("one/NUM", "two/NUM", sent_id="first"), sentence("three/NUM"))
    a = conllu(tmp_path / "a.conllu", sentence("one/NUM", "two/X"), sentence("three/NUM"))
    run = Run(capsys, "compare", gold, a, f"b={gold}", "--measure", "UPOS", "--examples", "3")
    assert re.search(r"^b +1 +first +one \[two\]$", run.out, re.MULTILINE)


def test_the_same_output_under_two_names_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    twice = Run(capsys, "compare", GOLD, ADA, f"x={ADA}", "--measure", "LAS")
    assert "warning: ada.conllu and x have the same output" in twice.err
    runs = Run(capsys, "compare", GOLD, BIX, "--runs", f"new={ADA},{ADA}", "--measure", "LAS", "--json")
    assert "2 runs of new have the same output: they do not show how much runs vary" in runs.json["warnings"]
    assert "same output" not in Run(capsys, "compare", GOLD, ADA, BIX, "--measure", "LAS").err


def test_a_margin_is_answered_for_several_measures_and_systems_too(capsys: pytest.CaptureFixture[str]) -> None:
    for files in ([GOLD, ADA, BIX], [PTB_GOLD, PTB_ADA, PTB_BIX]):
        of_two = Run(capsys, "compare", *files, "--margin", "3pt", "--json").json
        said = " ".join(Run(capsys, "compare", *files, "--margin", "3pt").out.partition("\n\n")[0].split())
        held: dict[bool, list[str]] = {True: [], False: []}
        for pair in of_two["pairs"]:
            if pair["measure"] not in ("XPOS", "Average Crossing") and pair["equivalence"]:
                held[pair["equivalence"]["holds"]].append(pair["measure"])
        for holds, words in ((True, "Equivalent"), (False, "Not shown to be equivalent")):
            sentence = said.partition(f"{words} within 3 points (two one-sided tests): ")[2].partition(".")[0]
            names = sentence.replace(" and ", ", ").split(", ") if sentence else []
            assert set(names) <= set(held[holds])
            assert bool(names) == bool(held[holds])
    of_three = " ".join(Run(capsys, "compare", GOLD, ADA, BIX, f"c={GOLD}", "--margin", "3pt").out.split())
    assert "No two systems are shown to be equivalent within 3 points on LAS (two one-sided tests)." in of_three
    assert "Equivalent within 3 points on UPOS (two one-sided tests): ada.conllu and bix.conllu." in of_three


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([GOLD, ADA], 2, "Give the gold and at least two systems"),
        ([], 2, "Give the gold and at least two systems"),
        ([GOLD, ADA, "no-such.conllu"], 3, "no-such.conllu: K101 no such file"),
        ([GOLD, f"x={ADA}", f"x={BIX}"], 2, "two systems are called 'x'"),
        ([GOLD, ADA, BIX, "--measure", "LASS"], 2, "unknown measure 'LASS'"),
        ([GOLD, ADA, BIX, "--cluster", "no-such.txt"], 3, "no-such.txt: K101"),
        ([GOLD, ADA, BIX, "--cluster", GOLD], 3, "K602"),
        ([GOLD, ADA, BIX, "--level", "95"], 2, "--level"),
        ([GOLD, ADA, BIX, "--margin", "2"], 2, "2 would be 200 points; for 2 points write 2pt"),
        ([GOLD, ADA, "--runs", "x"], 2, "write NAME=FILE,FILE…"),
        ([GOLD, ADA, "--runs", f"{os.path.basename(ADA)}={BIX}"], 2, "two systems are called 'ada.conllu'"),
        (["--counts", "YY=1,YN=2"], 2, "NY and NN are missing"),
        (["--counts", "YY=1,YN=2,NY=3,NN=x"], 2, "whole numbers"),
        (["--counts", "YY=0,YN=0,NY=0,NN=0"], 2, "not all 0"),
        (["--counts", COUNTS, "--design-effect", "0"], 2, "it must be a positive number"),
        ([GOLD, "--counts", COUNTS], 2, "--counts takes no files"),
    ],
)
def test_mistakes_get_an_exit_code_and_a_reason(
    capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, message: str
) -> None:
    run = Run(capsys, "compare", *arguments)
    assert run.code == code
    assert message in run.err
    assert "Traceback" not in run.err


def test_control_characters_in_names_do_not_reach_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "compare", GOLD, f"\x1b[31mred={ADA}", f"bix={BIX}", "--measure", "LAS", "--examples", "1")
    assert "\x1b" not in run.out + run.err


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_progress_is_shown_on_terminals_only_and_wiped(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 0.5, 2.0, 3.0])
    monkeypatch.setattr("karat.cli._output.time.monotonic", lambda: next(clock))
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    show = progress_line("resampling")
    assert show is not None
    show(0.1)  # half a second: too early
    assert terminal.getvalue() == ""
    show(0.4)
    assert terminal.getvalue() == "\r\x1b[Kresampling 40 %, 3 s left"  # 40 % took 2 s
    show(1.0)
    assert terminal.getvalue().endswith("\r\x1b[K")
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert progress_line("resampling") is None


def test_a_terminal_breaks_no_word_of_a_warning_and_a_file_has_it_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    line = "warning: " + "something that is to be known " * 4 + "a/path/of/more/than/sixty/characters/" * 2
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    say(line)
    first, *others = terminal.getvalue().splitlines()
    assert len(first) <= 60
    assert all(one.startswith("  ") for one in others)
    assert terminal.getvalue().split() == line.split()
    monkeypatch.setattr(sys, "stderr", file := io.StringIO())
    say(line)
    assert file.getvalue() == line + "\n"


@pytest.mark.parametrize("option", [("--by", "upos"), ("--lexicon", GOLD), ("--sentences", "3"), ("--examples", "2")])
def test_over_folders_no_option_is_ignored(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, option: tuple[str, str]
) -> None:
    folders = [part for name in ("a", "b") for part in ("--system-dir", f"{name}={tmp_path}")]
    run = Run(capsys, "compare", "--gold-dir", str(tmp_path), *folders, *option)
    assert (run.code, f"{option[0]} works with one treebank at a time" in run.err) == (2, True)
