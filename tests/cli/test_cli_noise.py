"""`karat noise` as a user calls it."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from cli_runs import Run
from examples import EXAMPLES
from karat.noise.bounds import reasonable_bounds
from karat.noise.decision_rules import KINDS
from printed_tables import printed_tables

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
    assert data["pairs"][0]["words"] == (
        "crf is better than hmm, even with 3 % of the gold wrong: 94.4–97.9 % against 84.4–87.4 % in reality, if the "
        "assumptions hold."
    )


def test_p_can_be_chosen_and_with_two_tags_there_is_only_1(capsys: pytest.CaptureFixture[str]) -> None:
    one = Run(capsys, "noise", "--observed", "0.93", "--corpus-error", "0.03", "--ambiguity", "2", "--json").json[
        "systems"
    ][0]
    assert [end["p"] for end in one["intervals"]] == [1]
    some = Run(capsys, "noise", *PAPER, "--p", "0.4", "--p", "0.9", "--json").json["systems"][0]
    assert [end["p"] for end in some["intervals"]] == [0.4, 0.9]
    assert (round(one["t"]["lower"], 3), round(one["t"]["upper"], 3)) == (0.928, 0.959)


def test_the_share_of_ambiguous_words_gives_the_paper_s_overall_accuracies(capsys: pytest.CaptureFixture[str]) -> None:
    """§5: 91.35 % of ambiguous words are 96.86 % overall, 92.82 % are 97.39 %; so 0.363 are ambiguous, others right."""
    data = Run(capsys, "noise", *PAPER, "--ambiguous-share", "0.363", "--json").json
    overall = [system["overall"] for system in data["systems"]]
    assert [round(100 * one["observed"], 2) for one in overall] == [96.86, 97.39]
    for system in data["systems"]:
        for end in ("lower", "upper"):
            assert system["overall"][end] == pytest.approx(0.363 * system["envelope"][end] + 0.637)
    assert (data["pairs"][0]["verdict"], data["pairs"][0]["verdict_overall"]) == ("open", "open")
    assert "|ambiguous-share:0.363|" in data["signature"]
    out = Run(capsys, "noise", *PAPER, "--ambiguous-share", "0.363").out
    assert "On all words there is no clear winner either (96.6–97.8 % and 97.2–98.4 %)" in out.replace("\n", " ")
    rows = [row[:4] for row in printed_tables(out, "text")[0].rows]
    assert rows == [
        ["T1", "ambiguous", "91.35", "90.75–94.05"],
        ["T1", "all", "96.86", "96.64–97.84"],
        ["T2", "ambiguous", "92.82", "92.22–95.60"],
        ["T2", "all", "97.39", "97.18–98.40"],
    ]


def test_errors_of_the_gold_in_other_words_are_the_systems_too(capsys: pytest.CaptureFixture[str]) -> None:
    """All others score as right: what the gold has wrong there, the system has wrong."""
    options = ("--ambiguous-share", "0.5", "--other-error", "0.02")
    for system in Run(capsys, "noise", *PAPER, *options, "--json").json["systems"]:
        assert system["overall"]["observed"] == pytest.approx(0.5 * system["observed"] + 0.5)
        assert system["overall"]["upper"] == pytest.approx(0.5 * system["envelope"]["upper"] + 0.5 * 0.98)
    assert "2 % of them wrong" in " ".join(Run(capsys, "noise", *PAPER, *options).out.split())
    each = Run(capsys, "noise", *PAPER, "--ambiguous-share", "0.9", "--ambiguous-share", "0.1", "--json").json
    assert each["pairs"][0]["verdict_overall"] == "T2"  # with more words that are easy


def test_one_p_given_is_the_one_that_verdicts_are_for(capsys: pytest.CaptureFixture[str]) -> None:
    """The paper's column for p = 1; eqs. 6 and 7 for K = 0.93: [0.93, 0.96] at p = 0, [0.90, 0.96] at p = 1."""
    data = Run(capsys, "noise", *PAPER, "--p", "1", "--json").json
    assert data["at_p"] == 1
    found = [(one["bounds"]["p"], one["bounds"]["lower"], one["bounds"]["upper"]) for one in data["systems"]]
    assert [(p, round(100 * low, 2), round(100 * high, 2)) for p, low, high in found] == [
        (1, 90.75, 93.99),
        (1, 92.22, 95.55),
    ]
    assert data["pairs"][0]["overlap"] == pytest.approx(found[0][2] - found[1][1])
    assert data["priors"]["p"] == "point(1)"
    assert "with 3 % of the gold wrong and p = 1, their real accuracies" in data["pairs"][0]["words"]
    for p, ends in (("0", (0.93, 0.96)), ("1", (0.90, 0.96))):
        one = Run(capsys, "noise", "--observed", "0.93", *PAPER[4:], "--p", p, "--json").json["systems"][0]
        assert one["intervals"][0]["free"] == pytest.approx({"lower": ends[0], "upper": ends[1]})
        (row,) = printed_tables(Run(capsys, "noise", "--observed", "0.93", *PAPER[4:], "--p", p).out, "text")[0].rows
        assert row[3] == f"{100 * ends[0]:.2f}–{100 * ends[1]:.2f}"


def test_one_p_can_decide_what_all_p_leave_open(capsys: pytest.CaptureFixture[str]) -> None:
    close = ("--observed", "a=0.90", "--observed", "b=0.93", "--corpus-error", "0.03", "--ambiguity", "4")
    verdicts = [
        Run(capsys, "noise", *close, *options, "--json").json["pairs"][0]["verdict"]
        for options in ((), ("--p", "0.34"), ("--p", "0.34", "--p", "1"))
    ]
    assert verdicts == ["open", "b", "open"]


def test_one_p_that_cannot_be_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    """K = 0.98, C = 0.03: p is at least 1/3, and at least 2.5/(3 · 1.5) = 5/9 if errors are reasonable."""
    number = ("--observed", "0.98", *PAPER[4:])
    run = Run(capsys, "noise", *number, "--p", "0.4", "--json")
    (one,) = run.json["systems"]
    assert (one["p"]["lower"], one["p"]["upper"]) == (pytest.approx(1 / 3), 1)
    assert (one["reasonable_p"]["lower"], one["reasonable_p"]["upper"]) == (pytest.approx(2 / 3), 1)
    assert (one["feasible"], one["bounds"]["lower"]) == (False, None)
    assert one["envelope"]["lower"] is not None
    assert "and p = 0.4" in one["why"]
    assert "cannot all be true" in run.err
    assert "below chance" in run.err
    text = Run(capsys, "noise", *number, "--details").out
    (shown,) = [table for table in printed_tables(text, "text") if "p if reasonable" in table.columns]
    assert shown.rows[0][3:] == ["0.33–1.00", "0.67–1.00"]


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
    assert "decision rules" not in Run(capsys, "noise", *PAPER).out
    out = Run(capsys, "noise", *PAPER, "--details").out
    assert "decision rules" in out
    assert "after a check" in out


def test_with_u_the_cases_of_the_evaluation_are_filled_in(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """K = 0.9135, C = 0.03, u = 0.5, p = 0.8: t = (0.9135 − 0.012)/0.97, x = (1 − C)t + Cu."""
    monkeypatch.setenv("COLUMNS", "120")
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
    (shown,) = [table for table in printed_tables(out, "text") if "false pos." in table.columns]
    assert shown.rows == [["T1", "0.8", "90.15", "1.20", "1.50", "6.85", "0.30", "91.65", "92.94"]]
    assert "not reasonable" in Run(capsys, "noise", *PAPER[:2], *PAPER[4:], "--u", "0.2").out
    impossible = Run(capsys, "noise", "--observed", "0.99", *PAPER[4:], "--u", "0.9", "--p", "0.8")
    assert "impossible, t would be 1.01" in impossible.out
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
    assert "the observed accuracy (0.02) is no higher than the gold's error rate (0.1)" in run.err


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
        ([*PAPER, "--p", "1.5"], "a probability must lie between 0 and 1"),
        ([*PAPER, "--ambiguous-share", "0"], "above 0 and at most 1"),
        ([*PAPER, "--ambiguous-share", "36.3"], "above 0 and at most 1"),
        ([*PAPER, *["--ambiguous-share", "0.3"] * 3], "3 values of ambiguous share for 2 systems"),
        ([*PAPER, "--other-error", "0.01"], "--ambiguous-share 0.36"),
        ([*PAPER, "--ambiguous-share", "0.3", "--other-error", "1.2"], "below 1"),
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
    areas = [one for one in root.iter("{http://www.w3.org/2000/svg}polygon") if one.get("fill-opacity")]
    assert len(areas) == 2 + 1 + 3  # bands, overlap, legend


def test_the_figure_has_a_bar_for_each_system_and_p_given(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The paper's table: 91.35 to 94.05 and 92.82 to 95.60 at 2/3, 90.75 to 93.99 and 92.22 to 95.55 at 1."""
    for chosen, n_bars in ((["1"], 2), ([str(2 / 3), "1"], 4)):
        path = tmp_path / f"{n_bars}.svg"
        Run(capsys, "noise", *PAPER, *(part for p in chosen for part in ("--p", p)), "--svg", str(path))
        root = ET.parse(path).getroot()
        words = [text.text or "" for text in root.iter("{http://www.w3.org/2000/svg}text")]
        expected = ["91.35", "94.05", "92.82", "95.60"] * (n_bars == 4) + ["90.75", "93.99", "92.22", "95.55"]
        assert [word for word in words if word.endswith("%")] == [f"{number} %" for number in expected]
        assert [word for word in words if word.startswith("p = ")] == ["p = 0.667"] * (n_bars == 4) + ["p = 1"]
        bars = [one for one in root.iter("{http://www.w3.org/2000/svg}polygon") if one.get("fill-opacity") == "0.4"]
        assert len(bars) == n_bars + 2  # and the legend's
    impossible = ("--observed", "0.999", "--corpus-error", "0.2", "--ambiguity", "2.5", "--p", "0.7")
    run = Run(capsys, "noise", *impossible, "--svg", str(tmp_path / "x.svg"))
    assert (run.code, "nothing to draw" in run.err) == (2, True)


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
    assert [system["overall"]["ambiguous_share"] for system in data["systems"]] == [pytest.approx(91 / 998)] * 2
    text = Run(capsys, "noise", GOLD, ADA, "--lexicon", GOLD, "--corpus-error", "0.03").out
    assert "CI: sampling error over 12 documents" in text


def test_files_at_one_p_have_its_bounds_with_sampling_error(capsys: pytest.CaptureFixture[str]) -> None:
    files = (GOLD, ADA, BIX, "--lexicon", GOLD, "--corpus-error", "0.03")
    every = Run(capsys, "noise", *files, "--json").json
    data = Run(capsys, "noise", *files, "--p", "0.9", "--json").json
    assert (data["at_p"], every["at_p"]) == (0.9, None)
    for system, over_all in zip(data["systems"], every["systems"], strict=True):
        found = reasonable_bounds(system["observed"], 0.03, system["ambiguity"], 0.9)
        assert system["bounds"] == {"p": 0.9, "lower": float(found.lower), "upper": float(found.upper)}
        assert system["envelope"] == over_all["envelope"]
        assert system["confidence"]["lower"] < system["bounds"]["lower"]
        share = system["overall"]["ambiguous_share"]
        for end in ("lower", "upper"):  # other words have no part in p
            differ = share * (over_all["envelope"][end] - system["bounds"][end])
            assert over_all["overall"][end] - system["overall"][end] == pytest.approx(differ)
    assert Run(capsys, "noise", *files, "--p", "1.5").code == 2


@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        ([GOLD, ADA, "--corpus-error", "0.03"], 2, "--lexicon"),
        ([GOLD, "--lexicon", GOLD, "--corpus-error", "0.03"], 2, "a system must be given"),
        ([GOLD, ADA, "--lexicon", GOLD, "--corpus-error", "1.5"], 2, "below 1"),
        ([GOLD, ADA, "--lexicon", "nowhere", "--corpus-error", "0.03"], 3, "K101"),
        (["nowhere", ADA, "--lexicon", GOLD, "--corpus-error", "0.03"], 3, "K101"),
        ([GOLD, ADA, "--lexicon", GOLD, "--corpus-error", "0.03", "--observed", "0.9"], 2, "--observed cannot be used"),
        ([*PAPER, "--lexicon", GOLD], 2, "--lexicon requires files"),
        (
            [GOLD, ADA, "--lexicon", GOLD, "--corpus-error", "0.03", "--ambiguous-share", "0.3"],
            2,
            "cannot be used with",
        ),
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
