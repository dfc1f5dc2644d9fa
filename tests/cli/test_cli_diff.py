"""`karat diff` as it is called: worklists, checks, and what it refuses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cli_runs import Run
from examples import conllu, sentence
from karat.corpus.worklist import read_worklist, write_worklist
from karat.gold.judged_words import CHANGE_VERDICTS

NOUNS = ["oak", "ash", "elm", "fir", "yew", "bay"]


@pytest.fixture
def versions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two versions with a convention of six places, a fix, a split word and an edited text."""
    monkeypatch.chdir(tmp_path)
    old = [sentence("walk/VERB", "to/ADP", f"{noun}/NOUN", sent_id=noun) for noun in NOUNS]
    new = [one.replace("\tADP", "\tPART") for one in old]
    new[0] = new[0].replace("\tNOUN", "\tPROPN")
    old += [sentence("we/PRON", "cannot/AUX", "stay/VERB", sent_id="c"), sentence("teh/X", "rain/NOUN", "falls/VERB")]
    new += [sentence("we/PRON", "can/AUX", "not/PART", "stay/VERB", sent_id="c")]
    new += [sentence("the/DET", "rain/NOUN", "falls/VERB")]
    conllu(tmp_path / "old.conllu", *old)
    conllu(tmp_path / "new.conllu", *new)
    return tmp_path


def test_a_worklist_has_a_row_for_each_convention_fix_and_change_of_words_and_text(
    versions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = Run(capsys, "diff", "old.conllu", "new.conllu", "--worklist", "check.tsv")
    assert run.code == 0
    assert "check.tsv: 4 rows to judge" in run.err
    rows = read_worklist("check.tsv", kinds=CHANGE_VERDICTS).rows
    assert [(row.sent_id, row.start, row.end, row.weight) for row in rows] == [
        ("oak", 2, 2, 6.0),
        ("oak", 3, 3, 1.0),
        ("c", 2, 3, 1.0),
        ("sentence 8", 1, 3, 1.0),
    ]
    assert [row.shown for row in rows] == [
        "upos of to: ADP → PART; 6 places",
        "upos: NOUN → PROPN",
        "split: cannot → can not",
        "text: teh rain falls → the rain falls",
    ]
    assert [row.text for row in rows[:3]] == ["walk [to] oak", "walk to [oak]", "we [can not] stay"]
    assert (rows[1].word, rows[1].label_there, rows[1].label_here) == ("oak", "NOUN", "PROPN")


def test_verdicts_are_carried_to_a_list_of_a_later_version(versions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Run(capsys, "diff", "old.conllu", "new.conllu", "--worklist", "check.tsv")
    made = read_worklist("check.tsv", kinds=CHANGE_VERDICTS)
    verdicts = ["new", "old", "ambiguity", "other"]
    rows = tuple(replace(row, verdict=one) for row, one in zip(made.rows, verdicts, strict=True))
    write_worklist("check.tsv", replace(made, rows=rows))
    again = Run(capsys, "diff", "old.conllu", "new.conllu", "--worklist", "check.tsv")
    assert again.code == 2
    assert "contains verdicts" in again.err
    text = (versions / "new.conllu").read_text(encoding="utf-8").replace("elm\tNOUN", "elm\tX")
    (versions / "new.conllu").write_text(text.replace("stay\tstay", "stay\tremain"), encoding="utf-8")
    run = Run(capsys, "diff", "old.conllu", "new.conllu", "--worklist", "later.tsv", "--carry", "check.tsv")
    assert "carried 4 of 4 verdicts" in run.err
    later = {row.shown: row.verdict for row in read_worklist("later.tsv", kinds=CHANGE_VERDICTS).rows}
    assert later == dict(zip([row.shown for row in rows], verdicts, strict=True)) | {"upos: NOUN → X": ""} | {
        "lemma: stay → remain": ""
    }


def test_a_check_fails_where_versions_differ_and_only_there(versions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert Run(capsys, "diff", "old.conllu", "new.conllu", "--check").code == 1
    assert Run(capsys, "diff", "old.conllu", "new.conllu").code == 0
    same = Run(capsys, "diff", "old.conllu", "old.conllu", "--check")
    assert same.code == 0
    assert same.out.startswith("No differences in UPOS, LEMMA, HEAD, DEPREL, words and sentences (24 words).")


def test_the_verdict_comes_first(versions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = Run(capsys, "diff", "old.conllu", "new.conllu").out
    first = "1 convention explains 6 of 7 changed labels; 1 sporadic fix; 1 sentence\nretokenised.\n"
    assert out.startswith(f"{first}Sentences: 1 with another text.\n")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["old.conllu"], 2, "Give two versions"),
        (["old.conllu", "new.conllu", "a.conllu"], 2, "behind --rescore"),
        (["old.conllu", "new.conllu", "--level", "0.9"], 2, "--level requires --rescore"),
        (["old.conllu", "new.conllu", "--carry", "x.tsv"], 2, "--carry requires --worklist"),
        (["old.conllu", "new.conllu", "--worklist", "-"], 2, "needs a file name"),
        (["old.conllu", "new.conllu", "--column", "deps"], 2, "no column 'deps' to compare"),
        (["-", "-"], 2, "only once"),
        (["old.conllu", "new.conllu", "--column", "xpos"], 3, "K920 no XPOS to compare"),
        (["old.conllu", "none.conllu"], 3, "none.conllu: K101"),
        (["old.conllu", "new.conllu", "--rescore", "none.conllu"], 3, "none.conllu: K101"),
    ],
)
def test_what_cannot_be_done_is_said(
    versions: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, message: str
) -> None:
    run = Run(capsys, "diff", *arguments)
    assert run.code == code
    assert message in run.err
    assert "Traceback" not in run.err


def test_a_worklist_never_overwrites_a_version(versions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (versions / "old.conllu").read_bytes()
    assert Run(capsys, "diff", "old.conllu", "new.conllu", "--worklist", "old.conllu").code == 2
    assert (versions / "old.conllu").read_bytes() == before
