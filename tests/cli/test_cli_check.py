"""`karat score --worklist` and `--judgements` as a user calls them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from cli_runs import Run
from examples import EXAMPLES

GOLD = """\
(X (W He) (X (W walks) (W to) (X (W the) (W house))))
(X (X (W The) (W president)) (X (W gave) (X (W a) (W long) (W speech))))
"""
SYSTEM = """\
(X (W He) (X (W walks) (X (W to) (X (W the) (W house)))))
(X (W The) (X (X (W president) (W gave)) (X (W a) (X (W long) (W speech)))))
"""
NEED_VERDICTS = ("Recall-soft", "Precision-soft", "Spurious Reject", "False Error", "Test Noise", "Problem Rate")


@dataclass(frozen=True)
class Files:
    """The paper's example in files, and a worklist that is made of them when asked for."""

    folder: Path
    capsys: pytest.CaptureFixture[str]

    @property
    def check(self) -> Path:
        return self.folder / "check.tsv"

    def score(self, *options: str) -> Run:
        return Run(self.capsys, "score", str(self.folder / "gold.ptb"), f"p={self.folder / 'p.ptb'}", *options)

    def listed(self, *options: str) -> list[list[str]]:
        """The rows of a new worklist, as cells."""
        run = self.score("--worklist", str(self.check), *options)
        assert run.code == 0, run.err
        return [line.split("\t") for line in self.check.read_text(encoding="utf-8").splitlines() if line[0] == "p"]

    def judge(self, verdicts: dict[str, str]) -> None:
        """Write verdicts, by id, into the worklist; `delete` takes the row out."""
        lines = []
        for line in self.check.read_text(encoding="utf-8").splitlines():
            cells = line.split("\t")
            cells[9:10] = [verdicts.get(cells[0], "")] if line.startswith("p/") else cells[9:10]
            lines += ["\t".join(cells)] if "delete" not in cells else []
        self.check.write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.fixture
def files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Files:
    (tmp_path / "gold.ptb").write_text(GOLD, encoding="utf-8")
    (tmp_path / "p.ptb").write_text(SYSTEM, encoding="utf-8")
    return Files(tmp_path, capsys)


def system_in(run: Run) -> dict[str, Any]:
    (system,) = run.json["systems"]
    assert isinstance(system, dict)
    return system


def test_a_worklist_is_written_beside_the_scores(files: Files) -> None:
    rows = files.listed("--json")
    assert [row[0] for row in rows] == ["p/1/3-5", "p/2/2-6", "p/2/2-3", "p/2/5-6"]
    assert rows[2][1:] == [
        "bracket", "p", "2", "2", "3", "The [president gave] a long speech",
        "CE; gold: [[The president] [gave [a long speech]]]; p: [[president gave] [a [long speech]]]",
        "1", "", "", "", "",
    ]  # fmt: skip
    assert len(files.listed("--include-exact")) == 9


def test_json_without_verdicts_has_null_for_the_measures_that_need_them(files: Files) -> None:
    system = system_in(files.score("--json"))
    assert {name for name, one in system["measures"].items() if one is None} == set(NEED_VERDICTS)
    assert (system["items"]["EMA"], system["items"]["EMR"]) == (5, 0)
    assert not {"CEA", "CER", "SPA", "SPR"} & set(system["items"])
    assert "open_items" not in system
    text = files.score("--details")
    assert f"Needs human judgements (--worklist, --judgements): {', '.join(NEED_VERDICTS)}." in " ".join(
        text.out.split()
    )


def test_a_label_pattern_changes_nothing_about_what_is_not_known(files: Files) -> None:
    system = system_in(files.score("--json", "--label", "X"))
    assert {name for name, one in system["measures"].items() if one is None} >= set(NEED_VERDICTS)


def test_json_with_all_verdicts_has_all_items_and_measures(files: Files) -> None:
    files.listed()
    files.judge({"p/1/3-5": "accept", "p/2/2-6": "accept", "p/2/2-3": "reject", "p/2/5-6": "reject"})
    system = system_in(files.score("--json", "--judgements", str(files.check)))
    assert system["items"] == {
        "TTB": 7, "TPB": 9, "EM": 5, "CE": 2, "SP": 2, "PINH": 1, "PNINH": 1, "TINH": 1, "TNINH": 4,
        "EMA": 5, "EMR": 0, "CEA": 1, "CER": 1, "SPA": 1, "SPR": 1,
    }  # fmt: skip
    assert "open_items" not in system
    values = {name: one["value"] for name, one in system["measures"].items()}
    assert values["Recall-soft"] == pytest.approx((5 + 1 + 1) / 7)
    assert values["Precision-soft"] == pytest.approx((5 + 1 + 1) / 9)
    assert (values["Spurious Reject"], values["False Error"]) == (1 / 2, 1 / 2)
    assert values["Test Noise"] == pytest.approx((0 + 1 + 1 + 1) / 9)
    assert values["Problem Rate"] == pytest.approx((0 + 1 + 1) / 9)
    assert "least" not in system["measures"]["Recall-soft"]


PARTLY = {"p/1/3-5": "accept", "p/2/2-6": "", "p/2/2-3": "reject", "p/2/5-6": "delete"}


def test_json_with_some_verdicts_has_bounds(files: Files) -> None:
    files.listed()
    files.judge(PARTLY)
    system = system_in(files.score("--json", "--judgements", str(files.check)))
    assert {name: system["items"][name] for name in ("EMA", "EMR", "CEA", "CER", "SPA", "SPR")} == {
        "EMA": 5, "EMR": 0, "CEA": None, "CER": None, "SPA": None, "SPR": None,
    }  # fmt: skip
    assert system["open_items"] == {
        "CEA": {"least": 0, "most": 1},
        "CER": {"least": 1, "most": 2},
        "SPA": {"least": 1, "most": 2},
        "SPR": {"least": 0, "most": 1},
    }
    ends = {
        "Recall-soft": (6 / 7, 8 / 7),
        "Precision-soft": (6 / 9, 8 / 9),
        "Spurious Reject": (0, 1 / 2),
        "False Error": (0, 1 / 2),
        "Test Noise": (2 / 9, 3 / 9),
        "Problem Rate": (0, 2 / 9),
    }
    for name in NEED_VERDICTS:
        one = system["measures"][name]
        assert one["value"] is None
        assert (one["least"], one["most"]) == pytest.approx(ends[name]), name
        assert one["lower"] is None, name
        assert "cluster" in one["note"], name
    assert system["measures"]["Recall-hard"]["value"] == pytest.approx(5 / 7)


def test_json_keeps_what_is_settled_beside_what_is_open(files: Files) -> None:
    files.listed()
    files.judge({"p/1/3-5": "", "p/2/2-6": "accept", "p/2/2-3": "reject", "p/2/5-6": ""})
    system = system_in(files.score("--json", "--judgements", str(files.check)))
    assert set(system["open_items"]) == {"SPA", "SPR"}
    assert (system["items"]["CEA"], system["items"]["CER"]) == (1, 1)
    assert system["measures"]["False Error"]["value"] == 1 / 2


def test_text_shows_bounds(files: Files) -> None:
    files.listed()
    files.judge(PARTLY)
    text = files.score("--judgements", str(files.check), "--details", "--measure", "all").out
    assert re.search(r"^Recall-soft +85\.71 … 114\.29 +– +–$", text, re.MULTILINE)
    assert re.search(r"^False Error +0\.00 … 50\.00 ", text, re.MULTILINE)
    assert re.search(r"^CER +crossing errors rejected +1 … 2$", text, re.MULTILINE)
    assert "…: some verdicts are missing; the value lies between these bounds." in text
    assert re.search(r"\|judgements:[^|]*check\.tsv@sha256:[0-9a-f]{16}\|", text.splitlines()[-1])


def test_markdown_shows_bounds(files: Files) -> None:
    files.listed()
    files.judge(PARTLY)
    run = files.score("--judgements", str(files.check), "--format", "markdown")
    assert "85.71 … 114.29" in run.out


def test_csv_has_a_record_of_an_open_measure(files: Files) -> None:
    files.listed()
    files.judge(PARTLY)
    run = files.score("--judgements", str(files.check), "--format", "csv")
    assert re.search("^p,Recall-soft,", run.out, re.MULTILINE)


def test_the_signature_names_the_measures_that_were_asked_for(files: Files) -> None:
    files.listed()
    files.judge(PARTLY)
    run = files.score("--judgements", str(files.check), "--measure", "Recall-hard,Recall-soft")
    assert "|measures:Recall-hard,Recall-soft|" in run.out.splitlines()[-1]


def test_text_shows_the_interval_of_an_open_measure_alone(files: Files) -> None:
    files.listed()
    files.judge(PARTLY)
    run = files.score("--judgements", str(files.check), "--measure", "Recall-soft")
    assert re.search(r"^Recall-soft +85\.71 … 114\.29 +–$", run.out, re.MULTILINE)


def test_a_sample_is_scored_as_an_estimate(files: Files) -> None:
    for name, text in (("gold.ptb", GOLD), ("p.ptb", SYSTEM)):
        (files.folder / name).write_text(text * 5, encoding="utf-8")
    rows = files.listed("--sample", "7", "--seed", "3")
    assert len(rows) == 7
    assert sum(float(row[8]) for row in rows) == pytest.approx(20)
    files.judge({row[0]: "accept" if row[4] == "2" else "reject" for row in rows})
    system = system_in(files.score("--json", "--judgements", str(files.check)))
    assert [system["items"][item] for item in ("CEA", "CER", "SPA", "SPR")] == pytest.approx([10, 0, 0, 10])
    assert system["measures"]["False Error"]["value"] == pytest.approx(1)
    assert files.score("--judgements", str(files.check)).code == 0


def test_two_systems_of_one_style_share_a_list(files: Files) -> None:
    (files.folder / "q.ptb").write_text(SYSTEM, encoding="utf-8")
    both = (f"q={files.folder / 'q.ptb'}",)
    assert len(files.listed(*both)) == 4
    assert len([line for line in files.check.read_text(encoding="utf-8").splitlines() if line[:2] == "q/"]) == 4
    assert not files.listed(*both, "--same-style")
    text = files.check.read_text(encoding="utf-8").replace("\t1\t\t\t\t\n", "\t1\taccept\t\t\t\n")
    assert text.count("*/") == 4
    files.check.write_text(text, encoding="utf-8")
    data = files.score(*both, "--json", "--judgements", str(files.check)).json
    assert [system["items"]["CEA"] for system in data["systems"]] == [2, 2]


@pytest.mark.parametrize("option", [("--include-exact",), ("--sample", "3"), ("--same-style",)])
def test_options_of_the_worklist_need_one(files: Files, option: tuple[str, ...]) -> None:
    run = files.score(*option)
    assert (run.code, run.out) == (2, "")
    assert f"{option[0]} requires --worklist" in run.err


@pytest.mark.parametrize("option", ["--worklist", "--judgements"])
def test_worklists_are_for_trees(capsys: pytest.CaptureFixture[str], tmp_path: Path, option: str) -> None:
    gold, ada = (str(EXAMPLES / f"{name}.conllu") for name in ("gold", "ada"))
    run = Run(capsys, "score", gold, ada, option, str(tmp_path / "check.tsv"))
    assert (run.code, run.out) == (2, "")
    assert f"{option} works only with bracketed trees" in run.err
    assert not os.listdir(tmp_path)


def test_a_list_with_verdicts_is_not_written_over(files: Files) -> None:
    files.listed()
    files.judge({"p/1/3-5": "accept"})
    before = files.check.read_bytes()
    run = files.score("--worklist", str(files.check))
    assert (run.code, run.out) == (2, "")
    assert "exists and contains verdicts or notes" in run.err
    assert files.check.read_bytes() == before


@pytest.mark.parametrize("name", ["gold.ptb", "p.ptb"])
def test_an_input_is_not_written_over(files: Files, name: str) -> None:
    before = (files.folder / name).read_bytes()
    run = files.score("--worklist", str(files.folder / name))
    assert (run.code, run.out) == (2, "")
    assert "would overwrite an input" in run.err
    assert (files.folder / name).read_bytes() == before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--worklist", "/no/such/folder/x.tsv"), "cannot be written"),
        (("--worklist", "check.tsv", "--sample", "0"), "0 is not in the range"),
        (("--worklist", "check.tsv", "--sample", "1"), "a sample of 1 is too small"),
        (("--worklist", "check.tsv", "--keep-empty"), "empty brackets have no words to judge"),
        (("--worklist", "-"), "--worklist"),
    ],
)
def test_lists_that_cannot_be_made_are_usage_errors(
    files: Files, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], message: str
) -> None:
    monkeypatch.chdir(files.folder)
    run = files.score(*options)
    assert (run.code, run.out) == (2, "")
    assert message in run.err
    assert "Traceback" not in run.err
    assert sorted(os.listdir()) == ["gold.ptb", "p.ptb"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("p/2/2-3\t", "p/2/2-9\t", "check.tsv:9:1: K736 'p/2/2-9' does not match any bracket"),
        ("p/2/2-3\tbracket\tp", "p/2/2-3\tbracket\tr", "check.tsv:9:1: K736 no system 'r'"),
        ("gave] a long speech\tCE", "gave] a long\tspeech\tCE", "check.tsv:9:"),
        ("\t1\t\t\t\t\np/2/2-3", "\t9\t\t\t\t\np/2/2-3", "K737 the weights of p's CE brackets sum to 10"),
        ("\t1\t\t\t\t\np/2/2-3", "\t1\tperhaps\t\t\t\np/2/2-3", "check.tsv:8:"),
        ("#schema karat/worklist/1\n", "", "check.tsv:1:1: K730"),
    ],
)
def test_bad_lists_are_told_with_their_place(files: Files, old: str, new: str, message: str) -> None:
    files.listed()
    text = files.check.read_text(encoding="utf-8")
    assert text.count(old) == 1
    files.check.write_text(text.replace(old, new), encoding="utf-8")
    run = files.score("--judgements", str(files.check))
    assert (run.code, run.out) == (3, "")
    assert message in run.err
    assert "Traceback" not in run.err


def test_a_list_that_is_not_there_is_no_traceback(files: Files) -> None:
    for path in (files.folder / "no.tsv", files.folder):
        run = files.score("--judgements", str(path))
        assert (run.code, run.out) == (3, "")
        assert "Traceback" not in run.err


def test_a_gate_on_what_is_open_is_no_pass(files: Files) -> None:
    files.listed()
    files.judge(PARTLY)
    run = files.score("--judgements", str(files.check), "--fail-under", "Precision-soft=0.5")
    assert run.code == 2
    assert "Precision-soft" in run.err


def test_verdicts_may_come_from_standard_input(files: Files) -> None:
    files.listed()
    files.judge(dict.fromkeys(PARTLY, "accept"))
    command = [sys.executable, "-m", "karat", "score", "gold.ptb", "p=p.ptb", "--judgements", "-", "--details"]
    done = subprocess.run(command, input=files.check.read_bytes(), capture_output=True, cwd=files.folder, check=False)
    assert done.returncode == 0
    assert re.search(rb"^CEA +crossing errors accepted +2$", done.stdout, re.MULTILINE)
