"""`karat noise` as a user calls it."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from cli_runs import Run
from examples import EXAMPLES
from karat.noise.decision_rules import KINDS

PAPER = ("--observed", "0.9135", "--observed", "0.9282", "--corpus-error", "0.03", "--ambiguity", "2.5")


def test_json_has_the_paper_s_table_and_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    data = Run(capsys, "noise", *PAPER, "--n", "50000", "--json").json
    assert [system["name"] for system in data["systems"]] == ["T1", "T2"]
    found = [
        [round(100 * end[side], 2) for end in system["intervals"] for side in ("lower", "upper")]
        for system in data["systems"]
    ]
    assert found == [[91.35, 94.05, 90.75, 93.99], [92.82, 95.60, 92.22, 95.55]]
    assert [end["p"] for end in data["systems"][0]["intervals"]] == [pytest.approx(2 / 3), 1]
    pair = data["pairs"][0]
    assert (pair["verdict"], pair["naive_verdict"]) == ("open", "T2")
    assert pair["overlap"] == pytest.approx(0.94053 - 0.9222, abs=1e-5)
    assert all(system["feasible"] for system in data["systems"])


def test_what_does_not_overlap_is_better(capsys: pytest.CaptureFixture[str]) -> None:
    data = Run(capsys, "noise", "--observed", "hmm=0.85", "--observed", "crf=0.95", *PAPER[4:], "--json").json
    assert (data["pairs"][0]["verdict"], data["pairs"][0]["overlap"]) == ("crf", 0)
    assert "crf is really better than hmm" in data["pairs"][0]["words"]


def test_p_can_be_chosen_and_with_two_tags_there_is_only_1(capsys: pytest.CaptureFixture[str]) -> None:
    one = Run(capsys, "noise", "--observed", "0.93", "--corpus-error", "0.03", "--ambiguity", "2", "--json").json[
        "systems"
    ][0]
    assert [end["p"] for end in one["intervals"]] == [1]
    some = Run(capsys, "noise", *PAPER, "--p", "0.4", "--p", "0.9", "--json").json["systems"][0]
    assert [end["p"] for end in some["intervals"]] == [0.4, 0.9]
    assert (round(one["t"]["lower"], 3), round(one["t"]["upper"], 3)) == (0.928, 0.959)


def test_each_system_may_have_its_own_corpus(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(
        capsys, "noise", *PAPER[:4], "--corpus-error", "0.03", "--corpus-error", "0.01", "--ambiguity", "2.5", "--json"
    )
    assert [system["corpus_error"] for system in run.json["systems"]] == [0.03, 0.01]
    assert "different corpora" in run.err


def test_rules_stand_beside_the_paper_s_with_their_rates(capsys: pytest.CaptureFixture[str]) -> None:
    pair = Run(capsys, "noise", "--observed", "0.9135", "--observed", "0.9382", *PAPER[4:], "--json").json["pairs"][0]
    assert [(one["rule"], one["verdict"]) for one in pair["rules"]] == [
        ("no overlap", "open"),
        ("overlap share", "T2"),
        ("probability", "T2"),
    ]
    assert [set(one["simulated"]) for one in pair["rules"]] == [set(KINDS)] * 3
    assert pair["rules"][1]["simulated"]["differential"] == {"right": 0.0, "wrong": 0.398}
    out = Run(capsys, "noise", *PAPER).out
    assert "rules to decide" in out
    assert "after a check" in out


def test_with_u_the_cases_of_the_evaluation_are_filled_in(capsys: pytest.CaptureFixture[str]) -> None:
    """K = 0.9135, C = 0.03, u = 0.5, p = 0.8: t = (0.9135 − 0.012)/0.97, x = (1 − C)t + Cu."""
    data = Run(capsys, "noise", *PAPER[:2], *PAPER[4:], "--u", "0.5", "--p", "0.8", "--json").json
    (found,) = data["systems"][0]["evaluations"]
    assert (found["u"], found["p"]) == (0.5, 0.8)
    assert found["t"] == pytest.approx(0.9015 / 0.97)
    assert found["real"] == pytest.approx(0.9015 + 0.015)
    cells = found["cells"]
    assert cells == pytest.approx(
        {
            "true_positive": 0.9015,
            "true_negative": 0.97 - 0.9015,
            "false_negative": 0.015,
            "false_positive": 0.012,
            "both_wrong_differently": 0.003,
        }
    )
    assert cells["true_positive"] + cells["false_positive"] == pytest.approx(0.9135)
    out = Run(capsys, "noise", *PAPER[:2], *PAPER[4:], "--u", "0.5", "--p", "0.8").out
    assert "false positive   1.20" in out
    assert "the real accuracy is 91.65" in out
    assert "Not reasonable" in Run(capsys, "noise", *PAPER[:2], *PAPER[4:], "--u", "0.2").out
    impossible = Run(capsys, "noise", "--observed", "0.99", *PAPER[4:], "--u", "0.9", "--p", "0.8")
    assert "These cannot be: t would be 1.01" in impossible.out
    assert Run(capsys, "noise", *PAPER, "--u", "1.5").code == 2


def test_what_cannot_all_be_true_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(
        capsys,
        "noise",
        "--observed",
        "0.999",
        "--observed",
        "0.9",
        "--corpus-error",
        "0.2",
        "--ambiguity",
        "2.5",
        "--json",
    )
    assert "these numbers cannot all be true" in run.err
    first = run.json["systems"][0]
    assert (first["feasible"], first["envelope"]) == (False, {"lower": None, "upper": None})
    assert run.json["pairs"][0]["verdict"] == "impossible"
    assert run.code == 0


def test_less_observed_than_wrong_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "noise", "--observed", "0.02", "--corpus-error", "0.1", "--ambiguity", "2.5")
    assert "no more is observed (0.02) than the gold has errors (0.1)" in run.err


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--observed", "1.2", "--corpus-error", "0.03", "--ambiguity", "2.5"], "between 0 and 1"),
        (["--observed", "0.9", "--corpus-error", "1", "--ambiguity", "2.5"], "below 1"),
        (["--observed", "0.9", "--corpus-error", "0.03", "--ambiguity", "1.5"], "at least 2 tags"),
        (["--observed", "0.9", "--corpus-error", "nan", "--ambiguity", "2.5"], "corpus error of nan"),
        (["--observed", "much", "--corpus-error", "0.03", "--ambiguity", "2.5"], "write an accuracy"),
        (["--observed", "0.9", "--corpus-error", "0.03"], "--ambiguity"),
        (["--observed", "a=0.9", "--observed", "a=0.8", "--corpus-error", "0.03", "--ambiguity", "3"], "two systems"),
        ([*PAPER, "--corpus-error", "0.1", "--corpus-error", "0.2"], "3 values of corpus error for 2 systems"),
        ([*PAPER, "--p", "1.5"], "a probability lies between 0 and 1"),
    ],
)
def test_bad_numbers_are_refused(capsys: pytest.CaptureFixture[str], arguments: list[str], reason: str) -> None:
    run = Run(capsys, "noise", *arguments)
    assert run.code == 2
    assert reason in run.err


def test_the_figure_is_drawn_with_its_words_escaped(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "f.svg"
    names = ("--observed", "<b>&=0.9135", "--observed", "0.9282")
    assert Run(capsys, "noise", *names, *PAPER[4:], "--svg", str(path)).code == 0
    root = ET.parse(path).getroot()
    words = " ".join(text.text or "" for text in root.iter("{http://www.w3.org/2000/svg}text"))
    for wanted in ("<b>&, observed 0.9135", "the intervals overlap", "real accuracy x", "0.92"):
        assert wanted in words
    assert len(list(root.iter("{http://www.w3.org/2000/svg}polygon"))) == 2 + 1 + 3  # bands, overlap, legend


@pytest.mark.parametrize("format_", ["text", "csv", "tsv", "markdown", "latex"])
def test_other_formats(capsys: pytest.CaptureFixture[str], format_: str) -> None:
    run = Run(capsys, "noise", *PAPER, "--format", format_)
    assert (run.code, "T2" in run.out) == (0, True)


# ---- from files ------------------------------------------------------------------------------------------------------

GOLD, ADA, BIX = (str(EXAMPLES / f"{name}.conllu") for name in ("gold", "ada", "bix"))


def test_files_give_all_words_and_sampling_error(capsys: pytest.CaptureFixture[str]) -> None:
    data = Run(
        capsys, "noise", GOLD, f"ada={ADA}", f"bix={BIX}", "--lexicon", GOLD, "--corpus-error", "0.03", "--json"
    ).json
    for system in data["systems"]:
        assert system["confidence"]["lower"] < system["envelope"]["lower"]
        assert system["overall"]["confidence"]["upper"] > system["overall"]["upper"] > system["overall"]["lower"]
        assert system["n_ambiguous"] < system["overall"]["n_words"] == 998
    assert "|lexicon:" in data["signature"]
    assert data["pairs"][0]["verdict"] == "open"
    assert "with sampling error" in Run(capsys, "noise", GOLD, ADA, "--lexicon", GOLD, "--corpus-error", "0.03").out


@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        ([GOLD, ADA, "--corpus-error", "0.03"], 2, "--lexicon"),
        ([GOLD, "--lexicon", GOLD, "--corpus-error", "0.03"], 2, "systems"),
        ([GOLD, ADA, "--lexicon", GOLD, "--corpus-error", "1.5"], 2, "below 1"),
        ([GOLD, ADA, "--lexicon", "nowhere", "--corpus-error", "0.03"], 3, "K101"),
        (["nowhere", ADA, "--lexicon", GOLD, "--corpus-error", "0.03"], 3, "K101"),
        ([GOLD, ADA, "--lexicon", GOLD, "--corpus-error", "0.03", "--observed", "0.9"], 2, "--observed does not go"),
        ([*PAPER, "--lexicon", GOLD], 2, "--lexicon goes with files"),
    ],
)
def test_bad_calls_with_files(capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, reason: str) -> None:
    run = Run(capsys, "noise", *arguments)
    assert (run.code, reason in run.err) == (code, True)


def test_ambiguous_words_of_one_sentence_alone_have_no_sampling_error(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """One cluster has no variance; to ask for it once was a RuntimeWarning."""
    paths = [str(tmp_path / name) for name in ("gold.tsv", "system.tsv", "lexicon.tsv")]
    gold = "a\tDET\nlight\tNOUN\nlight\tADJ\nlight\tNOUN\n\nwe\tPRON\nran\tVERB\n\nit\tPRON\nfell\tVERB\n"
    texts = (gold, gold.replace("ADJ", "NOUN"), "light\tNOUN\n\nlight\tADJ\n")
    for path, text in zip(paths, texts, strict=True):
        Path(path).write_text(text, encoding="utf-8")
    run = Run(capsys, "noise", *paths[:2], "--lexicon", paths[2], "--corpus-error", "0.03", "--json")
    (system,) = run.json["systems"]
    assert (run.code, system["n_ambiguous"], system["observed"]) == (0, 3, pytest.approx(2 / 3))
    assert system["confidence"] == {"lower": None, "upper": None}
