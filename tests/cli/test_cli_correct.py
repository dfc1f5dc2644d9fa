"""`karat correct`: from a worklist to a corrected file, and what is refused on the way."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cli_runs import Run
from karat.corpus import read
from karat.corpus.worklist import write_worklist
from karat.gold.repeats.judged_repeats import repeat_worklist
from karat.gold.repeats.labels import column_labels
from karat.gold.repeats.maximal import maximal_repeats
from karat.gold.repeats.running_text import running_text
from karat.gold.repeats.suspicious import suspicious_repeats

TEXT = [
    ["the/DET", "pier/NOUN", "is/AUX", "wet/ADJ"],
    ["the/DET", "pier/PROPN", "is/AUX", "old/ADJ"],
    ["a/DET", "pier/NOUN", "of/ADP", "oak/NOUN"],
    ["a/DET", "pier/PROPN", "of/ADP", "stone/NOUN"],
]
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    blocks = []
    for number, sentence in enumerate(TEXT, start=1):
        lines = [f"# sent_id = p{number}"]
        for at, word in enumerate(sentence, start=1):
            form, _, upos = word.partition("/")
            lines.append(
                "\t".join([str(at), form, "_", upos, "_", "_", str(at - 1), "root" if at == 1 else "dep", *"__"])
            )
        blocks.append("\n".join(lines) + "\n\n")
    path = tmp_path / "in.conllu"
    path.write_text("".join(blocks), encoding="utf-8")
    return path


def judged(corpus: Path, *verdicts: str, labels: tuple[str, ...] = ("", ""), name: str = "judged.tsv") -> Path:
    text = running_text([read(corpus)])
    worklist = repeat_worklist(suspicious_repeats(maximal_repeats(text), column_labels(text, "upos")))
    rows = zip(worklist.rows, verdicts, labels, strict=True)
    path = corpus.parent / name
    decided = tuple(replace(row, verdict=verdict, label=label) for row, verdict, label in rows)
    write_worklist(path, replace(worklist, rows=decided))
    return path


def test_what_was_judged_is_written_and_logged(corpus: Path, capsys: Capture) -> None:
    judgements, out, log = judged(corpus, "error-in-b", ""), corpus.parent / "out.conllu", corpus.parent / "log"
    run = Run(capsys, "correct", str(corpus), "--judgements", str(judgements), "-o", str(out), "--log", str(log))
    assert (run.code, run.err) == (0, "")
    before = corpus.read_text(encoding="utf-8")
    assert out.read_text(encoding="utf-8") == before.replace("PROPN", "NOUN", 1)
    assert f"{corpus.name}:9" in run.out
    assert "PROPN → NOUN" in run.out
    logged = log.read_text(encoding="utf-8")
    assert logged.startswith(f"{corpus}:9 pier upos PROPN → NOUN ({judgements}:6 r")
    assert logged.count("\n") == 1


def test_nothing_judged_copies_the_corpus(corpus: Path, capsys: Capture) -> None:
    out = corpus.parent / "out.conllu"
    run = Run(capsys, "correct", str(corpus), "--judgements", str(judged(corpus, "", "")), "-o", str(out))
    assert run.code == 0
    assert out.read_bytes() == corpus.read_bytes()
    assert run.out.startswith("Nothing is judged yet: all 2 rows of")
    assert "place  word" not in run.out


def test_generalising_is_shown_first_and_written_when_asked_for(corpus: Path, capsys: Capture) -> None:
    out = corpus.parent / "out.conllu"
    arguments = ["correct", str(corpus), "--judgements", str(judged(corpus, "error-in-b", "")), "-o", str(out)]
    dry = Run(capsys, *arguments, "--generalise")
    assert dry.code == 0
    assert not out.exists()
    assert "dry run; use --apply -o OUT to write" in " ".join(dry.out.split())
    assert "generalised" in dry.out
    assert Run(capsys, *arguments, "--generalise", "--apply").code == 0
    assert out.read_text(encoding="utf-8") == corpus.read_text(encoding="utf-8").replace("PROPN", "NOUN")


def test_json_has_changes_patterns_and_precision(corpus: Path, capsys: Capture) -> None:
    judgements = judged(corpus, "error-in-b", "")
    data = Run(capsys, "correct", str(corpus), "--judgements", str(judgements), "--generalise", "--json").json
    assert [(one["line"], one["token"], one["new"], one["generalised"]) for one in data["changes"]] == [
        (9, 2, "NOUN", False),
        (21, 2, "NOUN", True),
    ]
    (pattern,) = data["patterns"]
    assert pattern["right"] == [{"wrong": "PROPN", "right": "NOUN"}]
    assert (data["rows"], data["judged"], data["written"]) == (2, 1, [])
    precision = data["precision"][0]
    assert (precision["heuristic"], precision["judged"], precision["errors"]) == ("none", 1, 1)
    assert 0 < precision["lower"] < precision["upper"] == 1


def test_precision_needs_no_corpus(corpus: Path, capsys: Capture) -> None:
    judgements = judged(corpus, "error-in-b", "ambiguity")
    run = Run(capsys, "correct", "--precision", "--judgements", str(judgements))
    assert run.code == 0
    assert "50.00" in run.out
    data = Run(capsys, "correct", "--precision", "--judgements", str(judgements), "--json").json
    assert data["changes"] == []
    assert data["precision"][0]["precision"] == 0.5
    assert data["precision"][0]["n_independent"] == 1  # both are about the same word and labels
    table = Run(capsys, "correct", "--precision", "--judgements", str(judgements), "--format", "csv").out
    assert table.splitlines()[0].startswith("heuristic,suspicious,judged,errors,precision,lower,upper")


def test_changes_as_tsv_are_one_line_each(corpus: Path, capsys: Capture) -> None:
    run = Run(capsys, "correct", str(corpus), "--judgements", str(judged(corpus, "error-in-b", "")), "--format", "tsv")
    header, row = (line.split("\t") for line in run.out.splitlines())
    assert dict(zip(header, row, strict=True))["new"] == "NOUN"


def test_a_label_that_nothing_has_is_warned_of(corpus: Path, capsys: Capture) -> None:
    judgements = judged(corpus, "error-in-b", "", labels=("NUON", ""))
    run = Run(capsys, "correct", str(corpus), "--judgements", str(judgements))
    assert run.code == 0
    assert "no word of the corpus has the label 'NUON'" in run.err


@pytest.mark.parametrize(
    ("verdicts", "labels", "code", "line"),
    [
        (("error-in-both", ""), ("", ""), "K742", 6),
        (("", "error-in-a"), ("", "NOUN"), "K742", 7),
        (("wrong", ""), ("", ""), "K734", 6),
    ],
)
def test_bad_judgements_are_named_with_their_line(
    corpus: Path, capsys: Capture, verdicts: tuple[str, str], labels: tuple[str, str], code: str, line: int
) -> None:
    judgements, out = judged(corpus, *verdicts, labels=labels), corpus.parent / "out"
    run = Run(capsys, "correct", str(corpus), "--judgements", str(judgements), "-o", str(out))
    assert run.code == 3
    assert f"{judgements}:{line}:" in run.err
    assert code in run.err
    assert not out.exists()


def test_a_list_of_another_file_is_refused(corpus: Path, capsys: Capture) -> None:
    judgements, out = judged(corpus, "error-in-a", "error-in-a"), corpus.parent / "out"
    assert Run(capsys, "correct", str(corpus), "--judgements", str(judgements), "-o", str(out)).code == 0
    run = Run(capsys, "correct", str(out), "--judgements", str(judgements), "-o", str(corpus.parent / "again"))
    assert run.code == 3
    assert "K740" in run.err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["{corpus}"],
        ["--judgements", "{list}"],
        ["{corpus}", "--judgements", "{list}", "--apply", "-o", "{out}"],
        ["{corpus}", "--judgements", "{list}", "--generalise", "--apply"],
        ["--precision", "--judgements", "{list}", "-o", "{out}"],
        ["{corpus}", "--judgements", "{list}", "-o", "{corpus}"],
        ["{corpus}", "--judgements", "{list}", "-o", "{list}"],
        ["{corpus}", "--judgements", "{list}", "-o", "-"],
        ["{corpus}", "--judgements", "{list}", "--log", "{corpus}"],
        ["{corpus}", "--judgements", "{list}", "-o", "{out}", "--log", "{out}"],
        ["{corpus}", "--judgements", "{list}", "--judgements", "{list}"],
        ["-", "--judgements", "-"],
    ],
)
def test_wrong_use_is_refused_and_harms_nothing(corpus: Path, capsys: Capture, arguments: list[str]) -> None:
    judgements = judged(corpus, "error-in-a", "")
    before = corpus.read_bytes(), judgements.read_bytes()
    names = {"{corpus}": str(corpus), "{list}": str(judgements), "{out}": str(corpus.parent / "out")}
    run = Run(capsys, "correct", *(names.get(one, one) for one in arguments))
    assert run.code == 2
    assert "Error" in run.err
    assert (corpus.read_bytes(), judgements.read_bytes()) == before
    assert not (corpus.parent / "out").exists()


def test_an_id_that_was_changed_is_refused(corpus: Path, capsys: Capture) -> None:
    judgements = judged(corpus, "error-in-b", "")
    text = judgements.read_text(encoding="utf-8")
    assert ".3.2i." in text
    judgements.write_text(text.replace(".3.2i.", ".3.1i.", 1), encoding="utf-8")
    run = Run(capsys, "correct", str(corpus), "--judgements", str(judgements), "-o", str(corpus.parent / "out.conllu"))
    assert run.code == 3
    assert "K741 the id does not belong to the word shown" in run.err
    assert not (corpus.parent / "out.conllu").exists()


def test_opposite_verdicts_on_a_word_with_the_same_labels_are_told(corpus: Path, capsys: Capture) -> None:
    judgements = judged(corpus, "error-in-b", "error-in-a")
    run = Run(capsys, "correct", str(corpus), "--judgements", str(judgements))
    assert run.code == 0
    assert f"warning: {judgements}:7: NOUN of 'pier' is judged wrong here, but PROPN at {judgements}:6" in run.err


def test_verdicts_may_be_written_with_spaces(corpus: Path, capsys: Capture) -> None:
    judgements = judged(corpus, "error-in-b", "")
    text = judgements.read_text(encoding="utf-8").replace("\terror-in-b\t", "\tError in B\t")
    judgements.write_text(text, encoding="utf-8")
    data = Run(capsys, "correct", str(corpus), "--judgements", str(judgements), "--json").json
    assert len(data["changes"]) == 1


def test_a_repeat_that_is_judged_in_part_does_not_count_for_precision(tmp_path: Path, capsys: Capture) -> None:
    """Neither as an error nor as none: else errors would count after one row, and ambiguities after all."""
    path = tmp_path / "in.conllu"
    lines = []
    for tags in (("NOUN", "VERB", "ADV"), ("PROPN", "AUX", "ADV")):
        for at, (form, tag) in enumerate(zip(("pier", "stands", "still"), tags, strict=True), start=1):
            relation = "root" if at == 1 else "dep"
            lines.append("\t".join([str(at), form, "_", tag, "_", "_", str(at - 1), relation, "_", "_"]))
        lines.append("")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    for verdict in ("error-in-a", "ambiguity"):
        half = judged(path, verdict, "")
        data = Run(capsys, "correct", "--precision", "--judgements", str(half), "--json").json
        assert data["precision"][0]["judged"] == 0
    whole = judged(path, "error-in-a", "ambiguity")
    data = Run(capsys, "correct", "--precision", "--judgements", str(whole), "--json").json
    assert (data["precision"][0]["judged"], data["precision"][0]["errors"]) == (1, 1)


def test_very_long_words_are_cut_where_people_read_them_and_nowhere_else(tmp_path: Path, capsys: Capture) -> None:
    long = "ą" * 10_000
    lines = []
    for number, tag in enumerate(("NOUN", "PROPN"), start=1):
        lines.append(f"# sent_id = s{number}")
        for at, (form, upos) in enumerate((("the", "DET"), (long, tag), ("is", "AUX")), start=1):
            relation = "root" if at == 1 else "dep"
            lines.append("\t".join([str(at), form, "_", upos, "_", "_", str(at - 1), relation, "_", "_"]))
        lines.append("")
    path, check = tmp_path / "in.conllu", tmp_path / "check.tsv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    run = Run(capsys, "repeats", str(path), "--worklist", str(check))
    assert "ą" * 101 not in run.out + check.read_text(encoding="utf-8")
    text = check.read_text(encoding="utf-8")
    assert text.count("\t\t\t\t") == 1
    check.write_text(text.replace("\t\t\t\t", "\terror-in-b\tNUON\t\t"), encoding="utf-8")
    run = Run(capsys, "correct", str(path), "--judgements", str(check))
    assert (run.code, "ą" * 101 in run.out + run.err) == (0, False)
    assert Run(capsys, "correct", str(path), "--judgements", str(check), "--json").json["changes"][0]["form"] == long
    assert long in Run(capsys, "correct", str(path), "--judgements", str(check), "--format", "tsv").out


def test_blanks_behind_an_id_do_not_matter(corpus: Path, capsys: Capture) -> None:
    judgements = judged(corpus, "error-in-b", "")
    text = judgements.read_text(encoding="utf-8").replace("\trepeat\t", " \u00a0\trepeat\t")
    judgements.write_text(text, encoding="utf-8")
    assert len(Run(capsys, "correct", str(corpus), "--judgements", str(judgements), "--json").json["changes"]) == 1


def test_a_list_without_verdicts_says_what_to_do(corpus: Path, capsys: Capture) -> None:
    run = Run(capsys, "correct", str(corpus), "--judgements", str(judged(corpus, "", "")))
    assert run.code == 0
    said = " ".join(run.out.split())
    assert said.startswith("Nothing is judged yet: all 2 rows of")
    assert "Fill in the column verdict (error-in-a, error-in-b, error-in-both, mixed, ambiguity, typo, unclear)" in said
    assert "───" not in run.out
    run = Run(capsys, "correct", "--precision", "--judgements", str(judged(corpus, "", "")))
    assert run.out.startswith("Nothing is judged yet")


def test_each_change_names_its_judgement_in_80_columns(
    corpus: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    long = corpus.rename(corpus.parent / "en_some_treebank-ud-train.conllu")
    judgements = judged(long, "error-in-b", "", name="en_some_treebank-judged-by-ada.tsv")
    run = Run(capsys, "correct", str(long), "--judgements", str(judgements))
    assert "judgement" in run.out
    assert "".join(run.out.split()).count("judged-by-ada.tsv:") == 1
    assert max(map(len, run.out.split("karat:")[0].splitlines())) <= 80


def test_repeats_that_are_judged_only_in_part_are_counted(tmp_path: Path, capsys: Capture) -> None:
    """The repeat *the pier* has two words whose labels differ, and so two rows."""
    path = tmp_path / "in.conllu"
    sentences = [["the/DET", "pier/NOUN", "is/AUX"], ["the/PRON", "pier/PROPN", "is/AUX"]]
    blocks = []
    for sentence in sentences:
        words = [word.split("/") for word in sentence]
        rows = [[str(at), form, "_", upos, *"______"] for at, (form, upos) in enumerate(words, start=1)]
        blocks.append("".join("\t".join(row) + "\n" for row in rows) + "\n")
    path.write_text("".join(blocks), encoding="utf-8")
    judgements = judged(path, "error-in-b", "")
    run = Run(capsys, "correct", "--precision", "--judgements", str(judgements))
    assert "1 repeat judged only in part is not counted" in " ".join(run.out.split())
    (first, *_) = Run(capsys, "correct", "--precision", "--judgements", str(judgements), "--json").json["precision"]
    assert (first["suspicious"], first["judged"], first["judged_in_part"]) == (1, 0, 1)
    judgements = judged(path, "error-in-b", "error-in-b")
    assert "only in part" not in Run(capsys, "correct", "--precision", "--judgements", str(judgements)).out
