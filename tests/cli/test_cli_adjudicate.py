"""karat agree with disagreements, worklists, judgements and agreed sentences, on the command line."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import pytest

from cli_runs import Run
from examples import EXAMPLES, conllu, sentence

ANNOTATORS = ("ada=ada.conllu", "bix=bix.conllu")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("gold", "ada", "bix"):
        shutil.copy(EXAMPLES / f"{name}.conllu", tmp_path)
    return tmp_path


def judge(path: str, *verdicts: str) -> None:
    """Write verdicts into the rows of a list, in turn."""
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    head = next(number for number, line in enumerate(lines) if line.startswith("id\t"))
    at = lines[head].split("\t").index("verdict")
    for number in range(head + 1, len(lines)):
        cells = lines[number].split("\t")
        cells[at] = verdicts[(number - head - 1) % len(verdicts)]
        lines[number] = "\t".join(cells)
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_from_disagreements_to_the_adjudicated_corpus(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "agree", *ANNOTATORS, "--worklist", "w.tsv", "--disagreements", "d.tsv")
    assert run.code == 0
    assert "d.tsv: 55 disagreements\n" in run.err
    assert "w.tsv: 55 rows to judge; 7 words cannot be adjudicated (tokenisation differs)\n" in run.err
    with open("d.tsv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert len(rows) == 55
    assert all(row["ada"] != row["bix"] and f"[{row['word']}]" in row["context"] for row in rows)
    judge("w.tsv", "bix", "", "ada")
    run = Run(capsys, "agree", *ANNOTATORS, "--judgements", "w.tsv", "--adjudicated", "out.conllu")
    text = " ".join(run.out.split())
    assert "37 of 55 disagreements decided: 19 words changed, written to out.conllu." in text
    assert "18 still undecided, left as in ada: news-footbridge-04 word 6 (fear), " in text
    assert "7 words cannot be adjudicated: tokenisation differs." in text
    lines = [Path(name).read_text(encoding="utf-8").split("\n") for name in ("ada.conllu", "out.conllu")]
    changed = {
        number: after.split("\t")[3]
        for number, (before, after) in enumerate(zip(*lines, strict=True), 1)
        if before != after
    }
    assert changed == {int(row["line"]): row["bix"] for row in rows[::3]}


def test_json_has_what_was_decided_and_what_all_agree_on(capsys: pytest.CaptureFixture[str]) -> None:
    found = Run(capsys, "agree", *ANNOTATORS, "--json").json
    assert (found["adjudication"], found["agreed"], found["levels"]) == (None, None, [])
    Run(capsys, "agree", *ANNOTATORS, "--worklist", "w.tsv")
    judge("w.tsv", "bix", "")
    found = Run(capsys, "agree", *ANNOTATORS, "--judgements", "w.tsv", "--agreed", "same.conllu", "--json").json
    made = found["adjudication"]
    assert (made["decided"], made["changed"], len(made["undecided"]), made["written"]) == (28, 28, 27, [])
    assert made["undecided"][0]["answers"] == {"ada": "NOUN", "bix": "VERB"}
    assert (found["agreed"]["sentences"], found["agreed"]["left_out"]) == (26, 35)
    again = Run(capsys, "agree", "same.conllu", "same.conllu", "--json").json
    assert (again["all_items"], again["differing"]) == (found["agreed"]["words"], 0)


def test_text_fits_80_columns(capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--column", "las", "--worklist", "w.tsv")
    Run(capsys, "agree", *ANNOTATORS, "gold.conllu", *options)
    judge("w.tsv", "gold.conllu", "bix", "ada")
    run = Run(
        capsys, "agree", *ANNOTATORS, "gold.conllu", *options[:2], "--judgements", "w.tsv", "--agreed", "x", "--details"
    )
    assert "verdicts not applied" in run.out
    assert all(len(line) <= 80 for line in run.out.splitlines()[:-1])


def test_levels_are_details(capsys: pytest.CaptureFixture[str]) -> None:
    Path("tree.txt").write_text("A\n A.1\n A.2\nB\n")
    one = conllu(Path("one.conllu"), *(sentence(f"a/A.{1 + n % 2}", "b/B", f"c/{'AB'[n % 2]}") for n in range(12)))
    two = conllu(Path("two.conllu"), *(sentence(f"a/A.{1 + n % 3 % 2}", "b/B", "c/A") for n in range(12)))
    assert "by level" not in Run(capsys, "agree", one, two, "--hierarchy", "tree.txt").out
    run = Run(capsys, "agree", one, two, "--hierarchy", "tree.txt", "--details")
    table = run.out.partition("by level\n")[2].partition("\n\nLevel 1")[0].strip().split("\n")
    assert [line.split("  ")[0] for line in table[2:4]] == ["observed agreement"] * 2
    data = Run(capsys, "agree", one, two, "--hierarchy", "tree.txt", "--json").json
    assert [level["tags"] for level in data["levels"]] == [2, 4]
    for level in data["levels"]:
        for name in ("observed", "kappa_pooled", "kappa_cohen", "alpha"):
            assert level["intervals"][name]["lower"] < level[name] < level["intervals"][name]["upper"]


def test_lists_with_verdicts_are_not_written_over_and_others_are(capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        assert Run(capsys, "agree", *ANNOTATORS, "--worklist", "w.tsv").code == 0
    judge("w.tsv", "bix", "")
    before = Path("w.tsv").read_bytes()
    for annotators in (ANNOTATORS, ("x=ada.conllu", "y=gold.conllu")):
        for carry in ((), ("--carry", "w.tsv")):
            run = Run(capsys, "agree", *annotators, "--worklist", "w.tsv", *carry)
            assert (run.code, "contains verdicts or notes" in run.err) == (2, True)
    assert Path("w.tsv").read_bytes() == before
    run = Run(capsys, "agree", *ANNOTATORS, "--worklist", "new.tsv", "--carry", "w.tsv")
    assert "carried 28 of 28 verdicts" in run.err
    assert Path("new.tsv").read_bytes() == before


def test_a_judged_list_of_other_annotators_is_refused_with_a_reason(capsys: pytest.CaptureFixture[str]) -> None:
    Run(capsys, "agree", "x=gold.conllu", "y=bix.conllu", "--worklist", "w.tsv")
    judge("w.tsv", "x")
    run = Run(capsys, "agree", *ANNOTATORS, "--judgements", "w.tsv", "--adjudicated", "out.conllu")
    assert run.code == 3
    assert "w.tsv:1:1: K740 this worklist was not made from ada.conllu, bix.conllu as they are now" in run.err
    assert not Path("out.conllu").exists()
    Run(capsys, "agree", *ANNOTATORS, "--column", "xpos", "--worklist", "x.tsv")
    run = Run(capsys, "agree", *ANNOTATORS, "--judgements", "x.tsv")
    assert "x.tsv:1:1: K740 this worklist is about xpos, not upos" in run.err
    assert "hint: give the column that it was made for: --column xpos" in run.err


def test_a_label_that_nobody_used_is_warned_of(capsys: pytest.CaptureFixture[str]) -> None:
    Run(capsys, "agree", *ANNOTATORS, "--worklist", "w.tsv")
    text = Path("w.tsv").read_text(encoding="utf-8")
    Path("w.tsv").write_text(text.replace("ADP\t1\t\t\t", "ADP\t1\tOther\tADPOS\t", 1), encoding="utf-8")
    run = Run(capsys, "agree", *ANNOTATORS, "--judgements", "w.tsv", "--adjudicated", "out.conllu")
    assert "warning: no annotator used the label 'ADPOS': is it misspelt?" in run.err
    assert "\tafter\tADPOS\t" in Path("out.conllu").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--carry", "x.tsv"], 2, "--carry requires --worklist"),
        (["--adjudicated", "x.conllu"], 2, "--adjudicated requires --judgements"),
        (["--worklist", "-"], 2, "need names, not -"),
        (["--worklist", "x", "--agreed", "x"], 2, "Two results would be written to the same file"),
        (["--judgements", "no.tsv"], 3, "no.tsv: K101 no such file"),
        (["--judgements", "gold.conllu"], 3, "gold.conllu:1:1: K730 not a worklist"),
        (["--worklist", "w.tsv", "--carry", "gold.conllu"], 3, "K730 not a worklist"),
        (["--worklist", "nowhere/w.tsv"], 2, "nowhere/w.tsv cannot be written"),
        (["--agreed", "nowhere/x.conllu"], 2, "nowhere/x.conllu cannot be written"),
        (["--agreed", "."], 2, ". is a folder; name the file to write"),
        (["--disagreements", "nowhere/x.tsv"], 2, "nowhere/x.tsv cannot be written"),
        (["--downward", "distinct"], 2, "--downward requires --hierarchy"),
        (["--learn-from", "gold.conllu"], 2, "--learn-from requires --hierarchy"),
        (["--hierarchy", "t.txt", "--alpha", "2"], 2, "--alpha requires --learn-from"),
        (["--hierarchy", "t.txt", "--downward", "d", "--learn-from", "x"], 2, "choose only one"),
        (["--hierarchy", "t.txt", "--distinct", "--downward", "d"], 2, "choose only one"),
    ],
)
def test_mistakes_get_an_exit_code_and_a_reason(
    capsys: pytest.CaptureFixture[str], options: list[str], code: int, message: str
) -> None:
    Path("t.txt").write_text("X\n")
    run = Run(capsys, "agree", *ANNOTATORS, *options)
    assert run.code == code
    assert message in run.err
    assert "Traceback" not in run.err
    assert run.out == ""
    assert not Path("w.tsv").exists()


def test_a_list_of_repeats_is_no_list_of_disagreements(capsys: pytest.CaptureFixture[str]) -> None:
    Run(capsys, "repeats", "gold.conllu", "--worklist", "r.tsv")
    run = Run(capsys, "agree", *ANNOTATORS, "--judgements", "r.tsv")
    assert (run.code, "r.tsv:1:1: K740" in run.err, "is it a list of karat agree?" in run.err) == (3, True, True)


def test_what_cannot_be_adjudicated_is_refused_before_anybody_judges(capsys: pytest.CaptureFixture[str]) -> None:
    for name, tag in (("one", "a"), ("two", "b")):
        word = f'<tok><orth>x</orth><lex disamb="1"><base>x</base><ctag>{tag}</ctag></lex></tok>'
        text = f'<cesAna><chunkList><chunk><chunk type="s">{word}</chunk></chunk></chunkList></cesAna>'
        Path(f"{name}.xml").write_text(text)
    run = Run(capsys, "agree", "one.xml", "two.xml", "--worklist", "w.tsv")
    assert (run.code, "one.xml (xces) cannot be adjudicated" in run.err) == (2, True)
    assert not Path("w.tsv").exists()
    assert Run(capsys, "agree", "one.xml", "two.xml", "--disagreements", "d.tsv").code == 0
    assert Path("d.tsv").read_text().split("\n")[1].split("\t")[-3:] == ["a", "b", "1.0"]


def test_distinct_is_short_for_downward_distinct(capsys: pytest.CaptureFixture[str]) -> None:
    Path("t.txt").write_text("T\tl\nT\tr\nl\tx\nl\tboth\nr\tboth\nr\ty\nr\tz\n")
    one = conllu(Path("one.conllu"), sentence("a/T", "b/x"))
    two = conllu(Path("two.conllu"), sentence("a/both", "b/x"))
    short, long, plain = (
        Run(capsys, "agree", one, two, "--hierarchy", "t.txt", *how, "--json").json
        for how in (["--distinct"], ["--downward", "distinct"], [])
    )
    assert short == long
    assert short["observed"] == pytest.approx((1 / 4 + 1) / 2)
    assert plain["observed"] == pytest.approx((1 / 4 + 1 / 6 + 1) / 2)


def test_cells_that_a_spreadsheet_would_compute_are_guarded(capsys: pytest.CaptureFixture[str]) -> None:
    one = conllu(Path("one.conllu"), sentence("=1+1/NOUN"))
    two = conllu(Path("two.conllu"), sentence("=1+1/-LRB-"))
    Run(capsys, "agree", f"ada={one}", f"bix={two}", "--disagreements", "d.tsv")
    row = Path("d.tsv").read_text().split("\n")[1].split("\t")
    assert (row[4], row[5], row[7]) == ("'=1+1", "[=1+1]", "'-LRB-")
