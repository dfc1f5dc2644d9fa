"""`karat repeats` as a user calls it."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from cli_runs import Run
from examples import conllu, sentence
from karat.cli import main
from karat.corpus import read_conllu
from karat.corpus.worklist import read_worklist
from karat.gold.repeats.judged_repeats import REPEAT_VERDICTS
from realdata import data

Capture = pytest.CaptureFixture[str]

GATE = [
    sentence("the/DET", "old/ADJ", "gate/NOUN", "creaks/VERB", sent_id="g1"),
    sentence("the/DET", "old/ADJ", "gate/NOUN", "sticks/VERB", sent_id="g2"),
    sentence("So/ADV", "the/DET", "old/NOUN", "gate/NOUN", "fell/VERB", sent_id="g3"),
]
OTHER = [
    sentence("near/ADP", "the/DET", "old/PROPN", "gate/NOUN", "grass/NOUN", sent_id="o1"),
    sentence("we/PRON", "may/AUX", "well/ADV", "win/VERB", sent_id="o2"),
    sentence("we/PRON", "may/AUX", "well/INTJ", "lose/VERB", sent_id="o3"),
]


@pytest.fixture
def gate(tmp_path: Path) -> str:
    return conllu(tmp_path / "gate.conllu", *GATE)


@pytest.fixture
def other(tmp_path: Path) -> str:
    return conllu(tmp_path / "other.conllu", *OTHER)


# The corpus whose repeats docs/repeats.md shows.
SHOWN = [
    sentence("the/DET/3/det", "old/ADJ/3/amod", "gate/NOUN/4/nsubj", "creaks/VERB/0/root", sent_id="g1"),
    sentence("the/DET/3/det", "old/ADJ/3/amod", "gate/NOUN/4/nsubj", "opens/VERB/0/root", sent_id="g2"),
    sentence(
        *(
            "by/ADP/4/case",
            "the/DET/4/det",
            "old/NOUN/4/amod",
            "gate/NOUN/6/obl",
            "she/PRON/6/nsubj",
            "waits/VERB/0/root",
        ),
        sent_id="g3",
    ),
    sentence("we/PRON/4/nsubj", "may/AUX/4/aux", "well/ADV/4/advmod", "win/VERB/0/root", sent_id="w1"),
    sentence("we/PRON/4/nsubj", "may/AUX/4/aux", "well/INTJ/4/discourse", "lose/VERB/0/root", sent_id="w2"),
    sentence("you/PRON/2/nsubj", "did/VERB/0/root", "well/ADV/2/advmod", sent_id="w3"),
    sentence("you/PRON/2/nsubj", "did/VERB/0/root", "well/INTJ/2/discourse", "there/ADV/2/advmod", sent_id="w4"),
]


def words_of(run: Run) -> list[list[str]]:
    return [item["words"] for item in run.json["items"]]


def test_the_documentation_shows_what_is_printed(capsys: Capture, tmp_path: Path) -> None:
    run = Run(capsys, "repeats", conllu(tmp_path / "gates.conllu", *SHOWN))
    shown = (Path(__file__).parents[2] / "docs" / "repeats.md").read_text(encoding="utf-8")
    listing = shown.split("$ karat repeats gates.conllu\n", 1)[1].split("\n\n**", 1)[0]
    lines = [line.removeprefix("    ").rstrip() for line in listing.splitlines()]
    assert [line.rstrip() for line in run.out.splitlines()[: len(lines)]] == lines


# ---- one corpus and two ----------------------------------------------------------------------------------------------


def test_json_has_items_with_places_and_patterns(capsys: Capture, gate: str) -> None:
    run = Run(capsys, "repeats", gate, "--json")
    result = run.json
    assert run.code == 0
    assert (result["tokens"], result["repeats"], result["suspicious"], result["new"]) == (13, 1, 1, None)
    (item,) = result["items"]
    score = item.pop("score")
    assert score > 0
    assert item == {
        "words": ["the", "old", "gate"],
        "positions": [1],
        "labellings": [
            {
                "labels": ["DET", "ADJ", "NOUN"],
                "count": 2,
                "places": [
                    {"corpus": "gate.conllu", "sent_id": "g1", "sentence": 1, "token": 1},
                    {"corpus": "gate.conllu", "sent_id": "g2", "sentence": 2, "token": 1},
                ],
            },
            {
                "labels": ["DET", "NOUN", "NOUN"],
                "count": 1,
                "places": [{"corpus": "gate.conllu", "sent_id": "g3", "sentence": 3, "token": 2}],
            },
        ],
        "disjoint": False,
        "non_fringe": True,
        "majority_share": 0.666667,
        "group": 1,
    }
    (group,) = result["groups"]
    assert group == {"by": "lemma", "word": "old", "labels": ["ADJ", "NOUN"], "repeats": 1, "score": score}
    assert result["patterns"] == [{"by": "lemma", "word": "old", "from": "ADJ", "to": "NOUN", "count": 1, "repeats": 1}]
    settings = "|verb:repeats|of:upos|words:form|fold-case:no|punctuation:yes|min-words:3|marked:no|corpus:"
    assert settings in result["signature"]


def test_text_shows_the_word_its_labels_and_a_place_to_go_to(capsys: Capture, gate: str) -> None:
    out = Run(capsys, "repeats", gate).out
    assert re.search(r"\n1 +\d+\.\d +the \[old\] gate +2 +ADJ +g1:2\n +1 +NOUN +g3:3\n", out)
    assert out.startswith("1 of 1 repeats in 13 tokens are suspicious (100.00 %)")
    assert out.endswith("\n")
    assert "karat:" in out.split("\n")[-2]


def test_top_limits_rows_and_says_what_is_left(capsys: Capture, gate: str, other: str) -> None:
    every = Run(capsys, "repeats", gate, other, "--top", "0").out
    one = Run(capsys, "repeats", gate, other, "--top", "1").out
    assert "more row" not in every
    assert "1 more row: --top 0 shows all." in one
    assert re.search(r"\n2 +\d+\.\d ", every)
    assert not re.search(r"\n2 +\d+\.\d ", one)
    assert len(Run(capsys, "repeats", gate, other, "--top", "1", "--json").json["items"]) == 2


def test_between_needs_both_corpora_and_goes_from_a_to_b(capsys: Capture, gate: str, other: str) -> None:
    result = Run(capsys, "repeats", "--between", gate, other, "--json").json
    assert [item["words"] for item in result["items"]] == [["the", "old", "gate"]]
    assert result["items"][0]["disjoint"]
    assert [(one["from"], one["to"], one["count"]) for one in result["patterns"]] == [("ADJ", "PROPN", 1)]
    swapped = Run(capsys, "repeats", "--between", other, gate, "--json").json
    changes = {(one["from"], one["to"], one["count"]) for one in swapped["patterns"]}
    assert changes == {("PROPN", "ADJ", 2), ("PROPN", "NOUN", 1)}
    out = Run(capsys, "repeats", "--between", gate, other).out
    assert re.search(r"\n +1 +PROPN +other +o1:3\n", out)


def test_against_keeps_what_the_new_sentences_touch(capsys: Capture, gate: str, other: str) -> None:
    every = Run(capsys, "repeats", gate, other, "--json").json
    touched = [
        item
        for item in every["items"]
        if any(place["corpus"] == "gate.conllu" for way in item["labellings"] for place in way["places"])
    ]
    result = Run(capsys, "repeats", gate, "--against", other, "--json").json
    assert result["items"] == touched
    assert len(touched) < len(every["items"])
    assert f"|against:{other}@sha256:" in result["signature"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--disjoint"], [["the", "old", "gate"]]),
        (["--min-words", "2", "--max-words", "2"], []),
        (["--min-words", "4"], []),
        (["--min-majority", "0.9"], []),
        (["--non-fringe"], [["the", "old", "gate"]]),
        (["--column", "deprel"], [["the", "old", "gate"]]),
        (["--column", "upos+deprel", "--disjoint"], [["the", "old", "gate"]]),
        (["--column", "lemma"], []),
    ],
)
def test_options_reach_the_audit(
    capsys: Capture, gate: str, other: str, options: list[str], expected: list[list[str]]
) -> None:
    assert words_of(Run(capsys, "repeats", gate, other, "--json", *options)) == expected


@pytest.mark.parametrize(
    ("option", "one", "another"),
    [
        ("--fold-case", ["Old/ADJ", "men/NOUN", "ran/VERB"], ["old/NOUN", "men/NOUN", "ran/VERB"]),
        ("--words=lemma", ["Old/ADJ", "men/NOUN", "ran/VERB"], ["old/NOUN", "men/NOUN", "ran/VERB"]),
        ("--no-punctuation", ["old/ADJ", "men/NOUN", "ran/VERB"], ["old/NOUN", ",/PUNCT", "men/NOUN", "ran/VERB"]),
        ("--same-sentence", ["ha/X", "ha/Y", "ha/X", "ha/X"], ["so/X"]),
        ("--preset=paper", ["ha/X", "ha/Y", "ha/X", "ha/X"], ["so/X"]),
    ],
)
def test_what_counts_as_repeated_can_be_widened(
    capsys: Capture, tmp_path: Path, option: str, one: list[str], another: list[str]
) -> None:
    path = conllu(tmp_path / "a.conllu", sentence(*one), sentence(*another))
    assert words_of(Run(capsys, "repeats", path, "--json")) == []
    (words,) = words_of(Run(capsys, "repeats", path, "--json", option))
    assert [word.lower() for word in words] == [word.split("/")[0].lower() for word in one[:3]]


def test_dependencies_and_tokenisation_are_compared(capsys: Capture, tmp_path: Path) -> None:
    trees = conllu(
        tmp_path / "trees.conllu",
        sentence("see/VERB/0/root", "the/DET/3/det", "gate/NOUN/1/obj"),
        sentence("see/VERB/0/root", "the/DET/1/det", "gate/NOUN/1/obj"),
    )
    (item,) = Run(capsys, "repeats", trees, "--dependencies", "--json").json["items"]
    assert [way["labels"][1] for way in item["labellings"]] == ["det+1", "det-1"]
    cut = sentence("they/PRON", "can/AUX", "not/PART", "wait/VERB").replace("2:aux\t_", "")
    cut = re.sub(r"(2\tcan\t.*)\t_\n", r"\1\tSpaceAfter=No\n", cut)
    letters = conllu(tmp_path / "letters.conllu", cut, sentence("they/PRON", "cannot/AUX", "wait/VERB"))
    run = Run(capsys, "repeats", letters, "--tokenisation", "--json")
    assert run.json["patterns"] == [
        {"by": "text", "word": "cannot", "from": "can|not", "to": "cannot", "count": 1, "repeats": 1}
    ]
    shown = Run(capsys, "repeats", letters, "--tokenisation").out
    assert re.search(r"they cannot wait +1 +can\|not +#1:\d\n +1 +cannot +#2:2", shown)
    assert (
        len(list(csv.reader(io.StringIO(Run(capsys, "repeats", letters, "--tokenisation", "--format", "csv").out))))
        == 3
    )


def test_plain_tagged_text_works_and_sentences_without_ids_are_numbered(capsys: Capture, tmp_path: Path) -> None:
    tagged = tmp_path / "a.tsv"
    tagged.write_text("the\tD\nold\tA\ngate\tN\n\nthe\tD\nold\tN\ngate\tN\n")
    run = Run(capsys, "repeats", str(tagged), "--column", "xpos", "--json")
    (item,) = run.json["items"]
    assert [place for way in item["labellings"] for place in way["places"]] == [
        {"corpus": "a.tsv", "sent_id": None, "sentence": number, "token": 1} for number in (1, 2)
    ]
    assert run.json["patterns"][0]["by"] == "word"
    slash = tmp_path / "a.txt"
    slash.write_text("the/D old/A gate/N\nthe/D old/N gate/N\n")
    assert "#2:2" in Run(capsys, "repeats", str(slash)).out
    missing = Run(capsys, "repeats", str(slash), "--dependencies")
    assert missing.code == 3
    assert "K501 HEAD is needed, and the file does not have it" in missing.err


# ---- formats ---------------------------------------------------------------------------------------------------------


def test_tsv_has_a_row_for_each_place(capsys: Capture, gate: str) -> None:
    out = Run(capsys, "repeats", gate, "--format", "tsv").out
    rows = list(csv.DictReader(io.StringIO(out), delimiter="\t"))
    assert [(row["sent_id"], row["token"], row["labels"]) for row in rows] == [
        ("g1", "1", "DET / ADJ / NOUN"), ("g2", "1", "DET / ADJ / NOUN"), ("g3", "2", "DET / NOUN / NOUN"),
    ]  # fmt: skip
    assert {row["words"] for row in rows} == {"the old gate"}


@pytest.mark.parametrize("format_", ["csv", "markdown", "latex"])
def test_other_formats_have_the_repeat(capsys: Capture, gate: str, format_: str) -> None:
    run = Run(capsys, "repeats", gate, "--format", format_)
    assert run.code == 0
    assert "gate" in run.out


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_conllu_marks_words_and_changes_nothing_else(capsys: Capture, tmp_path: Path, end: str) -> None:
    quiet = sentence("nothing/PRON", "here/ADV", sent_id="q")
    blocks = [GATE[0], quiet, GATE[1].replace("\t2:dep\t_", "\t2:dep\tNote=x"), quiet, GATE[2].rstrip("\n")]
    noted = GATE[2].split("\n")
    noted[3] = noted[3][:-1] + "Note=x"
    blocks[4] = "\n".join(noted).rstrip("\n")  # no line end at the end of the file
    path = tmp_path / "a.conllu"
    path.write_bytes("".join(blocks).replace("\n", end).encode())
    run = Run(capsys, "repeats", str(path), "--format", "conllu")
    marked = tmp_path / "marked.conllu"
    marked.write_bytes(run.out.encode())
    corpus = read_conllu(marked)
    assert [corpus.sent_id(number) for number in range(corpus.n_sentences)] == ["g1", "g2", "g3"]
    misc = dict(zip(zip(corpus.column("form").strings(), corpus.words_sentence.tolist(), strict=True),
                    corpus.column("misc").strings(), strict=True))  # fmt: skip
    assert misc["old", 0] == "Suspicious=Yes|SuspiciousId=1"
    assert misc["old", 2] == "Note=x|Suspicious=Yes|SuspiciousId=1"
    assert misc["gate", 0] == "_"
    back = run.out.replace("|Suspicious=Yes|SuspiciousId=1", "").replace("Suspicious=Yes|SuspiciousId=1", "_")
    wanted = "".join([blocks[0], blocks[2], blocks[4] + "\n\n"]).replace("\n", end)
    assert back.rstrip("\r\n") == wanted.rstrip("\r\n")


def test_a_result_can_be_written_to_a_file(capsys: Capture, tmp_path: Path, gate: str) -> None:
    path = tmp_path / "out.json"
    run = Run(capsys, "repeats", gate, "--json", "-o", str(path))
    assert (run.code, run.out) == (0, "")
    assert path.read_text() == Run(capsys, "repeats", gate, "--json").out
    assert Run(capsys, "repeats", gate, "-o", str(tmp_path / "no" / "folder")).code == 2


def test_an_interrupted_run_leaves_no_file(
    capsys: Capture, tmp_path: Path, gate: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "out.json"
    path.write_text("as it was")

    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.replace", interrupted)
    assert main(["repeats", gate, "--json", "-o", str(path)]) == 130
    capsys.readouterr()
    assert path.read_text() == "as it was"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["gate.conllu", "out.json"]


def test_a_worklist_is_written_and_verdicts_in_it_are_kept(capsys: Capture, tmp_path: Path, gate: str) -> None:
    path = tmp_path / "list.tsv"
    assert Run(capsys, "repeats", gate, "--worklist", str(path)).code == 0
    worklist = read_worklist(path, kinds=REPEAT_VERDICTS)
    (row,) = worklist.rows
    assert (row.kind, row.sent_id, row.verdict) == ("repeat", "g1", "")
    assert any("|min-words:3|" in line for line in worklist.head)
    lines = path.read_text().split("\n")
    cells = lines[-2].split("\t")
    cells[9] = "ambiguity"
    path.write_text("\n".join([*lines[:-2], "\t".join(cells), ""]))
    run = Run(capsys, "repeats", gate, "--worklist", str(path))
    assert run.code == 2
    assert "contains verdicts or notes" in run.err


def test_a_worklist_has_the_word_its_labels_and_the_score_in_columns(
    capsys: Capture, tmp_path: Path, gate: str
) -> None:
    path = tmp_path / "list.tsv"
    Run(capsys, "repeats", gate, "--worklist", str(path))
    header, cells = (line.split("\t") for line in path.read_text().split("\n")[-3:-1])
    assert header[-5:] == ["note", "word", "label_here", "label_there", "score"]
    score = Run(capsys, "repeats", gate, "--json").json["items"][0]["score"]
    assert cells[-4:] == ["old", "ADJ", "NOUN", f"{score:.1f}"]


def test_an_explicit_top_holds_for_the_worklist(capsys: Capture, tmp_path: Path, gate: str, other: str) -> None:
    rows = {}
    for name, options in {"all": [], "none": ["--top", "0"], "one": ["--top", "1"], "many": ["--top", "9"]}.items():
        path = tmp_path / f"{name}.tsv"
        Run(capsys, "repeats", gate, other, "--worklist", str(path), *options)
        rows[name] = [row.id for row in read_worklist(path, kinds=REPEAT_VERDICTS).rows]
    assert rows["all"] == rows["none"] == rows["many"]
    assert 0 < len(rows["one"]) < len(rows["all"])
    assert rows["one"] == rows["all"][: len(rows["one"])]


def test_verdicts_of_a_list_without_the_further_columns_are_carried(capsys: Capture, tmp_path: Path, gate: str) -> None:
    old, new = tmp_path / "old.tsv", tmp_path / "new.tsv"
    Run(capsys, "repeats", gate, "--worklist", str(old))
    lines = old.read_text().split("\n")
    header, cells = ([*line.split("\t")[:13]] for line in lines[-3:-1])
    cells[9] = "error-in-b"
    old.write_text("\n".join([*lines[:-3], "\t".join(header), "\t".join(cells), ""]))
    assert Run(capsys, "repeats", gate, "--worklist", str(new), "--carry", str(old)).code == 0
    (row,) = read_worklist(new, kinds=REPEAT_VERDICTS).rows
    assert (row.verdict, row.word, row.label_here, row.label_there) == ("error-in-b", "old", "ADJ", "NOUN")


# ---- what is alike ---------------------------------------------------------------------------------------------------


def test_one_convention_is_one_row_and_its_repeats_are_in_json_and_tsv(capsys: Capture, tmp_path: Path) -> None:
    """`bel` is AUX or VERB in three repeats, `well` ADV or INTJ in one."""
    pairs = [("a", "b"), ("c", "d"), ("e", "f")]
    ways = [sentence(f"{x}/X", f"bel/{label}", f"{y}/X") for x, y in pairs for label in ("AUX", "VERB")]
    path = conllu(tmp_path / "a.conllu", *ways, *OTHER[1:])
    result = Run(capsys, "repeats", path, "--json").json
    assert [(one["word"], sorted(one["labels"]), one["repeats"]) for one in result["groups"]] == [
        ("well", ["ADV", "INTJ"], 1), ("bel", ["AUX", "VERB"], 3),
    ]  # fmt: skip
    assert [item["group"] for item in result["items"]] == [1, 2, 2, 2]
    best = max(item["score"] for item in result["items"] if item["group"] == 2)
    assert result["groups"][1]["score"] == pytest.approx(best - 0.4771, abs=1e-3)  # the best of three
    out = Run(capsys, "repeats", path).out
    assert re.search(r"\n2 +\d\.\d +\w \[bel\] \w +1 +\w+ +#\d:2\n +\+ 2 more: bel (AUX/VERB|VERB/AUX)", out)
    assert not re.search(r"\n3 ", out)
    tsv = list(csv.DictReader(io.StringIO(Run(capsys, "repeats", path, "--format", "tsv").out), delimiter="\t"))
    assert [row["group"] for row in tsv] == ["1"] * 2 + ["2"] * 6


def test_the_word_that_differs_is_shown_within_80_columns(capsys: Capture, tmp_path: Path) -> None:
    before, behind = ([f"{side}{n}ward/X" for n in range(20)] for side in ("west", "east"))
    name = "newsgroup-groups.example.org_alt.lighthouses_0084bdc731bfc8d8_ENG_20040905_2120{:02}-{:04}"
    ways = [sentence(*before, f"lantern/{label}", *behind, sent_id=name.format(n, 7)) for n, label in enumerate("NNV")]
    path = conllu(tmp_path / "a.conllu", *ways, sentence("filler/X", sent_id="x-0007"))
    lines = Run(capsys, "repeats", path, "--column", "upos").out.split("\n")
    assert max(len(line) for line in lines if not line.startswith("karat:")) <= 80
    rows = [line for line in lines if "[lantern]" in line or line.startswith("   ")]
    assert len(rows) == 2
    assert "2  N" in rows[0]
    assert [line.split()[-1] for line in rows] == ["…212000-0007:21", "…212002-0007:21"]


# ---- words that are marked as wrong ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "fields"),
    [
        (3, {5: "Typo=Yes"}),
        (3, {5: "Number=Sing|Typo=Yes"}),
        (3, {9: "Typo=Yes|X=1"}),
        (3, {9: "X=1|CorrectForm=bold"}),
        (3, {7: "goeswith"}),
        (4, {6: "3", 7: "goeswith"}),
    ],
)
def test_words_that_are_marked_are_no_findings_unless_asked_for(
    capsys: Capture, tmp_path: Path, word: int, fields: dict[int, str]
) -> None:
    lines = GATE[2].split("\n")
    cells = lines[word].split("\t")
    for number, value in fields.items():
        cells[number] = value
    lines[word] = "\t".join(cells)
    path = conllu(tmp_path / "a.conllu", *GATE[:2], "\n".join(lines))
    assert words_of(Run(capsys, "repeats", path, "--json")) == []
    assert words_of(Run(capsys, "repeats", path, "--json", "--marked")) == [["the", "old", "gate"]]
    assert words_of(Run(capsys, "repeats", path, "--json", "--preset", "paper")) == [["the", "old", "gate"]]


def test_a_verdict_changes_no_word_that_is_marked(capsys: Capture, tmp_path: Path) -> None:
    marked = sentence("the/DET", "old/ADJ", "gate/NOUN", "rusts/VERB", sent_id="g4")
    marked = marked.replace("2\told\told\tADJ\t_\t_", "2\told\told\tADJ\t_\tTypo=Yes")
    path, work, out = conllu(tmp_path / "a.conllu", *GATE, marked), tmp_path / "w.tsv", tmp_path / "better.conllu"
    Run(capsys, "repeats", path, "--worklist", str(work))
    lines = work.read_text().split("\n")
    cells = lines[-2].split("\t")
    cells[9] = "error-in-a"
    work.write_text("\n".join([*lines[:-2], "\t".join(cells), ""]))
    assert Run(capsys, "correct", path, "--judgements", str(work), "-o", str(out)).code == 0
    corpus = read_conllu(out)
    pairs = zip(corpus.column("form").strings(), corpus.column("upos").strings(), strict=True)
    assert [upos for form, upos in pairs if form == "old"] == ["NOUN", "NOUN", "NOUN", "ADJ"]


def test_baselines_from_before_marked_words_were_left_out_still_serve(capsys: Capture, tmp_path: Path) -> None:
    marked = GATE[2].replace("3\told\told\tNOUN\t_\t_", "3\told\told\tNOUN\t_\tTypo=Yes")
    path = conllu(tmp_path / "a.conllu", *GATE[:2], marked, *OTHER[1:])
    baseline = tmp_path / "baseline.json"
    result = json.loads(Run(capsys, "repeats", path, "--json", "--marked").out)
    assert "marked" not in result["signature"]
    for item in result["items"]:
        del item["group"]
    del result["groups"]
    baseline.write_text(json.dumps(result))
    run = Run(capsys, "repeats", path, "--check", "--baseline", str(baseline))
    assert run.code == 0
    assert "0 new, 1 as in the baseline, 1 of the baseline no longer there." in run.out
    assert Run(capsys, "repeats", path, "--check", "--baseline", str(baseline), "--marked").code == 0


# ---- annotations for GitHub ------------------------------------------------------------------------------------------


def test_github_annotations_stand_at_the_word_and_are_escaped(capsys: Capture, tmp_path: Path) -> None:
    folder = tmp_path / "a,b:c%d"
    folder.mkdir()
    odd = sentence("50/NUM", "%/SYM", "of/ADP", sent_id="s3")
    even = [sentence("50/NUM", "%/NOUN", "of/ADP", sent_id=name) for name in ("s1", "s2")]
    path = conllu(folder / "x.conllu", *even, odd)
    run = Run(capsys, "repeats", path, "--format", "github")
    shown = path.replace("%", "%25").replace(",", "%2C").replace(":", "%3A")
    line = Path(path).read_text().split("\n").index("# sent_id = s3") + 3
    message = f"SYM here, NOUN at {path}:3, in the same words: 50 [%] of (3 places)".replace("%", "%25")
    assert run.out == f"::warning file={shown},line={line},col=1,title=%25%3A SYM or NOUN?::{message}\n"
    assert run.code == 0


def test_github_annotations_are_of_what_is_new_and_as_many_as_asked_for(
    capsys: Capture, tmp_path: Path, gate: str
) -> None:
    baseline = tmp_path / "baseline.json"
    baseline.write_text(Run(capsys, "repeats", gate, "--json").out)
    more = conllu(tmp_path / "gate.conllu", *GATE, *OTHER)
    every = Run(capsys, "repeats", more, "--format", "github").out.split("\n")
    assert len(every) == 3
    assert Run(capsys, "repeats", more, "--format", "github", "--top", "1").out.split("\n") == [every[0], ""]
    new = Run(capsys, "repeats", more, "--format", "github", "--check", "--baseline", str(baseline))
    assert new.code == 1
    assert all(one.startswith("::warning file=") for one in new.out.split("\n")[:-1])
    same = conllu(tmp_path / "gate.conllu", *GATE)
    run = Run(capsys, "repeats", same, "--format", "github", "--check", "--baseline", str(baseline))
    assert (run.code, run.out) == (0, "")


# ---- --check ---------------------------------------------------------------------------------------------------------


def test_check_against_a_baseline_prints_only_what_is_new(
    capsys: Capture, tmp_path: Path, gate: str, other: str
) -> None:
    baseline = tmp_path / "baseline.json"
    baseline.write_text(Run(capsys, "repeats", gate, "--json").out)
    same = Run(capsys, "repeats", gate, "--check", "--baseline", str(baseline), "--json")
    assert (same.code, same.json["new"], same.json["items"], same.json["patterns"]) == (0, 0, [], [])
    more = Run(capsys, "repeats", conllu(tmp_path / "gate.conllu", *GATE, *OTHER[1:]),
               "--check", "--baseline", str(baseline), "--json")  # fmt: skip
    assert (more.code, more.json["suspicious"], more.json["new"]) == (1, 2, 1)
    assert words_of(more) == [["we", "may", "well"]]
    assert [one["word"] for one in more.json["patterns"]] == ["well"]
    text = Run(capsys, "repeats", gate, other, "--check", "--baseline", str(baseline))
    assert text.code == 1
    assert "2 new, 0 as in the baseline, 0 of the baseline no longer there." in text.out


def test_what_was_put_right_passes_the_check(capsys: Capture, tmp_path: Path, gate: str) -> None:
    baseline = tmp_path / "baseline.json"
    baseline.write_text(Run(capsys, "repeats", gate, "--json").out)
    mended = conllu(tmp_path / "gate.conllu", *GATE[:2])
    run = Run(capsys, "repeats", mended, "--check", "--baseline", str(baseline))
    assert run.code == 0
    assert "0 new, 0 as in the baseline, 1 of the baseline no longer there." in run.out


def test_check_without_a_baseline_fails_on_any_suspicious_repeat(capsys: Capture, tmp_path: Path, gate: str) -> None:
    assert Run(capsys, "repeats", gate, "--check").code == 1
    assert Run(capsys, "repeats", conllu(tmp_path / "b.conllu", *GATE[:2]), "--check").code == 0


def test_a_bad_baseline_is_bad_input(capsys: Capture, tmp_path: Path, gate: str) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text('{"schema":\n nonsense}')
    run = Run(capsys, "repeats", gate, "--check", "--baseline", str(bad))
    assert run.code == 3
    assert f"{bad}:2:2: K606 not JSON" in run.err
    assert Run(capsys, "repeats", gate, "--check", "--baseline", str(tmp_path / "none.json")).code == 3


# ---- what can go wrong -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["X", "--between"],
        ["X", "--between", "X", "--against", "X"],
        ["X", "--baseline", "b.json"],
        ["X", "--tokenisation", "--column", "xpos"],
        ["X", "--dependencies", "--column", "xpos"],
        ["X", "--column", "nonsense"],
        ["X", "--min-words", "0"],
        ["X", "--min-words", "4", "--max-words", "3"],
        ["X", "--worklist", "-"],
        ["X", "--table", "7"],
        ["X", "--table", "4"],
        ["X", "--table", "6"],
        ["X", "--table", "5", "--disjoint"],
        ["X", "X", "--table", "5", "--between"],
        ["X", "--table", "5", "--column", "upos+xpos"],
        ["X", "--table", "5", "--format", "conllu"],
        ["X", "--table", "5", "--format", "github"],
        ["X", "--table", "5", "--marked"],
        ["-", "--against", "-"],
    ],
)
def test_calls_that_make_no_sense_exit_with_2(capsys: Capture, gate: str, options: list[str]) -> None:
    run = Run(capsys, "repeats", *(gate if option == "X" else option for option in options))
    assert (run.code, run.out) == (2, "")
    assert "Error" in run.err


def test_bad_input_is_named_with_its_place(capsys: Capture, tmp_path: Path, gate: str) -> None:
    bad = conllu(tmp_path / "bad.conllu", GATE[0].replace("\tgate\t", " gate\t"))
    run = Run(capsys, "repeats", gate, bad, str(tmp_path / "none.conllu"))
    assert run.code == 3
    assert f"{bad}:4:1: K" in run.err
    assert "K101 no such file" in run.err
    empty = conllu(tmp_path / "empty.conllu")
    assert "K104" in Run(capsys, "repeats", empty).err
    trees = tmp_path / "a.ptb"
    trees.write_text("(S (N a))\n")
    run = Run(capsys, "repeats", str(trees))
    assert run.code == 3
    assert "K108" in run.err
    slash = tmp_path / "a.txt"
    slash.write_text("the/D old/A gate/N\nthe/D old/N gate/N\n")
    assert "is not CoNLL-U" in Run(capsys, "repeats", str(slash), "--format", "conllu").err


def test_the_same_corpus_twice_is_warned_of(capsys: Capture, gate: str) -> None:
    run = Run(capsys, "repeats", gate, gate, "--json")
    assert run.code == 0
    assert "warning: gate.conllu and gate.conllu (2) are the same text" in run.err
    assert run.json["corpora"] == ["gate.conllu", "gate.conllu (2)"]
    assert not any(item["disjoint"] for item in run.json["items"])


def test_no_repeats_and_no_contradictions_are_said_so(capsys: Capture, tmp_path: Path) -> None:
    alone = conllu(tmp_path / "a.conllu", sentence("one/NUM", "two/NUM"))
    run = Run(capsys, "repeats", alone)
    assert run.code == 0
    assert "No sequence of at least 3 words is repeated" in run.out
    assert Run(capsys, "repeats", alone, "--json").json["items"] == []
    assert Run(capsys, "repeats", alone, "--format", "conllu").out == ""
    assert Run(capsys, "repeats", alone, "--format", "tsv").out.count("\n") == 1
    assert "annotated consistently" in Run(capsys, "repeats", conllu(tmp_path / "b.conllu", *GATE[:2])).out


# ---- the paper's data ------------------------------------------------------------------------------------------------

_ENGLISH = {
    "EWT": (16622, 13.145, 14666, 1321, 9.0),
    "GUM": (4399, 10.548, 3263, 279, 8.5),
    "LinES": (4564, 10.911, 4387, 520, 11.8),
    "ParTUT": (2090, 18.852, 2232, 203, 9.0),
    "PUD": (1000, 2.700, 369, 36, 8.7),
}


def folder(name: str) -> str:
    return str(data(f"ud-2.3/UD_English-{name}/en_{name.lower()}-ud-test.conllu").parent)


def test_table_5_of_the_english_treebanks(capsys: Capture) -> None:
    result = Run(capsys, "repeats", *map(folder, _ENGLISH), "--table", "5", "--json").json
    assert [row["corpus"] for row in result["rows"]] == [f"UD_English-{name}" for name in _ENGLISH]
    for row, (sentences, percent, repeats, suspicious, printed) in zip(result["rows"], _ENGLISH.values(), strict=True):
        assert (row["sentences"], row["repeats"], row["suspicious"]) == (sentences, repeats, suspicious)
        assert round(row["percent_sentences"], 3) == percent
        assert row["percent_inconsistent"] == pytest.approx(100 * suspicious / repeats)
        assert row["paper"]["percent_inconsistent"] == printed


def test_the_papers_preset_gives_the_counts_of_table_5(capsys: Capture) -> None:
    result = Run(capsys, "repeats", folder("GUM"), "--preset", "paper", "--json").json
    assert (result["repeats"], result["suspicious"], len(result["items"])) == (3263, 279, 279)
    literal = Run(capsys, "repeats", folder("GUM"), "--table", "5", "--preset", "literal", "--json").json["rows"][0]
    marked = Run(capsys, "repeats", folder("GUM"), "--marked", "--json").json
    assert (marked["repeats"], marked["suspicious"]) == (literal["repeats"], literal["suspicious"])
    assert marked["repeats"] < 3263
    plain = Run(capsys, "repeats", folder("GUM"), "--json").json
    assert plain["suspicious"] < marked["suspicious"]


def test_table_4_and_the_same_counts_with_the_papers_preset(capsys: Capture) -> None:
    train = str(data("ud-2.3/UD_English-EWT/en_ewt-ud-train.conllu"))
    test = str(data("ud-2.3/UD_English-PUD/en_pud-ud-test.conllu"))
    rows = Run(capsys, "repeats", "--table", "4", "--between", train, test, "--json").json["rows"]
    assert [(row["heuristic"], row["suspicious"], row["paper"]["suspicious"]) for row in rows] == [
        ("none", 2471, 2507), ("disjoint", 581, 580), ("size 3", 215, 214), ("size 4", 29, 28),
    ]  # fmt: skip
    options = [[], ["--disjoint"], ["--min-words", "3"], ["--min-words", "4"]]
    for row, its in zip(rows, options, strict=True):
        run = Run(capsys, "repeats", "--preset", "paper", "--between", train, test, *its, "--json")
        assert json.loads(run.out)["suspicious"] == row["suspicious"]
    out = Run(capsys, "repeats", "--table", "4", folder("EWT"), folder("PUD")).out
    assert re.search(r"\ndisjoint +581 +580 +407\n", out)


def test_tables_6_and_8_take_train_and_test_parts(capsys: Capture) -> None:
    rows = Run(capsys, "repeats", "--table", "6", folder("GUM"), folder("PUD"), "--json").json["rows"]
    assert [(row["train"], row["test"], round(row["percent_inconsistent"], 2), row["paper"]) for row in rows] == [
        ("UD_English-GUM", "UD_English-GUM", pytest.approx(8.2, abs=0.2), 8.2),
        ("UD_English-GUM", "UD_English-PUD", 11.19, 11.1),
    ]
    rows = Run(capsys, "repeats", "--table", "8", folder("GUM"), folder("PUD"), "--json").json["rows"]
    assert [(row["words"], row["and_more"]) for row in rows] == [(words, words == 10) for words in range(2, 11)]
    assert {row["paper"] for row in rows} == {None}
    for format_ in ("text", "csv"):
        run = Run(capsys, "repeats", "--table", "8", folder("GUM"), "--format", format_)
        assert run.code == 0
        assert "suspicious" in run.out
    records = csv.DictReader(io.StringIO(Run(capsys, "repeats", "--table", "5", folder("PUD"), "--format", "csv").out))
    assert [row["paper_percent_inconsistent"] for row in records] == ["8.7"]


def test_marked_sentences_of_a_treebank_can_be_read(capsys: Capture, tmp_path: Path) -> None:
    marked = tmp_path / "marked.conllu"
    assert Run(capsys, "repeats", folder("GUM"), "--format", "conllu", "-o", str(marked)).code == 0
    items = Run(capsys, "repeats", folder("GUM"), "--json").json["items"]
    wanted = {place["sent_id"] for item in items for way in item["labellings"] for place in way["places"]}
    corpus = read_conllu(marked)
    assert {corpus.sent_id(number) for number in range(corpus.n_sentences)} == wanted
    assert corpus.n_sentences == len(wanted)
    numbers = re.findall(r"SuspiciousId=([\d,]+)", marked.read_text(encoding="utf-8"))
    assert {int(number) for group in numbers for number in group.split(",")} == set(range(1, len(items) + 1))


def test_an_example_of_the_papers_table_2_is_found(capsys: Capture) -> None:
    items = Run(capsys, "repeats", folder("EWT"), "--json").json["items"]
    found = [item for item in items if item["words"][:4] == ["Notice", "Regarding", "Privacy", "and"]]
    assert found
    assert all(item["positions"] == [0] for item in found)
    assert {way["labels"][0] for item in found for way in item["labellings"]} == {"NOUN", "PROPN"}


def test_disjoint_labellings_need_two_corpora(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "one.tsv"
    path.write_text("a\tX\nb\tX\n\n", encoding="utf-8")
    run = Run(capsys, "repeats", str(path), "--disjoint")
    assert run.code == 2
    assert "give another one" in run.err


def test_an_interruption_of_compiled_code_is_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from karat.gold.repeats import search

    def interrupted(*_: object, **__: object) -> None:
        raise SystemError("returned a result with an exception set") from KeyboardInterrupt()

    monkeypatch.setattr(search, "maximal_repeats", interrupted)
    path = tmp_path / "one.tsv"
    path.write_text("a\tX\nb\tX\n\n", encoding="utf-8")
    run = Run(capsys, "repeats", str(path))
    assert run.code == 130
    assert run.err.endswith("interrupted\n")


def test_any_column_can_be_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = []
    for translit in ("ra", "la"):
        for at, form in enumerate(("oak", "and", "stone"), start=1):
            relation = "root" if at == 1 else "dep"
            lines.append("\t".join([str(at), form, "_", "X", "_", "_", str(at - 1), relation, "_", f"T={translit}"]))
        lines.append("")
    path = tmp_path / "one.conllu"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    data = Run(capsys, "repeats", str(path), "--column", "misc", "--json").json
    assert data["suspicious"] == 1
    assert data["items"][0]["labellings"][0]["labels"] == ["T=ra"] * 3


def test_of_several_corpora_names_and_labels_of_further_repeats_can_be_read(capsys: Capture, tmp_path: Path) -> None:
    ways = [f"{first}/D be/{label} {last}/A" for label in ("AUX", "VERB") for first, last in ("ab", "cd", "ef", "gh")]
    one = conllu(tmp_path / "en_ewt-ud-test.conllu", *(sentence(*way.split()) for way in ways[:4]))
    other = conllu(tmp_path / "en_gum-ud-test.conllu", *(sentence(*way.split()) for way in ways[4:]))
    out = Run(capsys, "repeats", "--between", one, other).out
    assert re.search(r"\+ 3 more: be (AUX/VERB|VERB/AUX) ", out)
    assert re.search(r" en_ewt +#", out)
    assert re.search(r" en_gum +#", out)
    assert "…" not in out.split("Likeliest")[0]
    assert all(len(line) <= 80 for line in out.splitlines() if not line.startswith("karat:"))
