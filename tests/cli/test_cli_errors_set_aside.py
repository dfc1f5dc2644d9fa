"""`karat score --ignore-suspicious` as a user calls it."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from cli_runs import Run
from examples import EXAMPLES, conllu, sentence

GOLD, ADA, TREES = str(EXAMPLES / "gold.conllu"), str(EXAMPLES / "ada.conllu"), str(EXAMPLES / "gold.ptb")
KEPT = ("--ignore-suspicious", "all")


class Files:
    """A training text that labels `light` as a noun, a gold that labels it otherwise, and a tagger that learnt it."""

    def __init__(self, folder: Path) -> None:
        rest = [sentence(f"w{number}/X", f"v{number}/X", sent_id=f"r{number}") for number in range(8)]
        self.train = conllu(folder / "train.conllu", sentence("a/DET", "light/NOUN", "rain/NOUN", sent_id="t1"))
        gold = sentence("a/DET", "light/ADJ", "rain/NOUN", "fell/VERB", sent_id="g1")
        self.gold = conllu(folder / "gold.conllu", gold, *rest)
        self.system = conllu(folder / "system.conllu", gold.replace("ADJ", "NOUN").replace("VERB", "X"), *rest)
        self.split = conllu(folder / "split.conllu", sentence("a/DET", "light/ADJ", "rainfell/NOUN"), *rest)


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


@pytest.mark.parametrize("heuristic", ["minsize", "disjoint", "all"])
def test_json_has_both_error_rates_and_every_error(
    capsys: pytest.CaptureFixture[str], files: Files, heuristic: str
) -> None:
    run = Run(capsys, "score", files.gold, f"x={files.system}", f"y={files.split}", "--train", files.train,
              "--ignore-suspicious", heuristic, "--json")  # fmt: skip
    data = run.json
    assert (run.code, [system["name"] for system in data["systems"]]) == (0, ["x", "y"])
    x, y = (system["ignoring"] for system in data["systems"])
    assert (x["heuristic"], x["column"], x["train"]["path"]) == (heuristic, "upos", files.train)
    assert (x["tokens"], x["wrong"], x["set_aside"], x["covered"], x["following"]) == (20, 2, 1, 3, 1)
    assert (x["full"]["error"], x["ignoring"]["error"], x["outside"]["error"]) == (2 / 20, 1 / 20, 1 / 17)
    assert x["full"]["lower"] < 2 / 20 < x["full"]["upper"]
    assert x["by_length"] == [{"length": 3, "repeats": 1, "with_error": 1, "share": 1.0}]
    assert x["suspicious"] == {"repeats": 1, "with_error": 1, "share": 1.0}
    assert x["errors"] == [
        {
            "sentence": 1,
            "sent_id": "g1",
            "token": 2,
            "word": "light",
            "gold": "ADJ",
            "system": "NOUN",
            "repeat": ["a", "light", "rain"],
            "length": 3,
            "train_places": 1,
            "follows": {"labels": ["DET", "NOUN", "NOUN"], "count": 1},
        }
    ]
    assert (y["wrong"], y["set_aside"]) == (2, 1)
    assert (y["errors"][0]["word"], y["errors"][0]["system"], y["errors"][0]["follows"]) == ("rain", None, None)
    assert f"|ignore-suspicious:{heuristic}|train:{files.train}@sha256:" in data["signature"]


def test_tables_come_behind_the_usual_one(capsys: pytest.CaptureFixture[str], files: Files) -> None:
    out = Run(capsys, "score", files.gold, f"x={files.system}", "--train", files.train, *KEPT).out
    places = [
        out.index(words) for words in ("UPOS", "Errors set aside", "with a system error", "Errors of x", "karat:")
    ]
    assert places == sorted(places)
    rates = next(line.split() for line in out[places[1] :].splitlines() if line.startswith("x "))
    assert (rates[1], rates[3], rates[5]) == ("10.00", "5.00", "5.88")
    assert "g1 2 light ADJ NOUN a light rain DET NOUN NOUN 1 of 1" in " ".join(out.split())


def test_errors_are_cut_at_top_and_the_rest_is_counted(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = [sentence(f"a{number}/X", f"b{number}/Y") for number in range(4)]
    train = conllu(tmp_path / "train", *words)
    gold = conllu(tmp_path / "gold", *[one.replace("Y", "Z") for one in words])
    out = Run(capsys, "score", gold, train, "--train", train, *KEPT, "--top", "3").out
    assert "1 more: --top shows more, --json all." in out
    assert out.count("1 of 1") == 3
    assert "sentence 1" in out


@pytest.mark.parametrize("format_", ["markdown", "latex"])
def test_tables_are_written_in_other_formats(capsys: pytest.CaptureFixture[str], files: Files, format_: str) -> None:
    run = Run(capsys, "score", files.gold, files.system, "--train", files.train, *KEPT, "--format", format_)
    assert (run.code, run.out.count("a light rain")) == (0, 1)


def test_other_columns_are_compared(capsys: pytest.CaptureFixture[str], files: Files) -> None:
    arguments = ("--train", files.train, *KEPT, "--column", "deprel", "--json")
    data = Run(capsys, "score", files.gold, files.system, *arguments).json
    assert (data["systems"][0]["ignoring"]["column"], data["systems"][0]["ignoring"]["wrong"]) == ("deprel", 0)
    assert "|column:deprel|" in data["signature"]


@pytest.mark.parametrize("options", [("--resamples", "0"), ("--like", "conll18")])
def test_without_intervals_their_fields_are_null(
    capsys: pytest.CaptureFixture[str], files: Files, options: tuple[str, ...]
) -> None:
    data = Run(capsys, "score", files.gold, files.system, "--train", files.train, *KEPT, "--json", *options).json
    full = data["systems"][0]["ignoring"]["full"]
    assert (full["error"], full["lower"], full["upper"], full["level"]) == (0.1, None, None, None)
    assert (
        "%"
        not in Run(capsys, "score", files.gold, files.system, "--train", files.train, *KEPT, *options)
        .out.split("Errors set aside")[1]
        .split("words")[0]
    )


def test_several_files_are_one_training_text(capsys: pytest.CaptureFixture[str], files: Files) -> None:
    for train in (("--train", files.train, "--train", files.train), ("--train", f"{files.train},{files.train}")):
        (system,) = Run(capsys, "score", files.gold, files.system, *train, *KEPT, "--json").json["systems"]
        assert system["ignoring"]["train"]["path"] == f"{files.train},{files.train}"
        assert system["ignoring"]["errors"][0]["train_places"] == 2


def test_figure_2_is_drawn(capsys: pytest.CaptureFixture[str], files: Files, tmp_path: Path) -> None:
    figure = tmp_path / "figure.svg"
    arguments = ("--train", files.train, *KEPT, "--svg", str(figure))
    assert Run(capsys, "score", files.gold, f"<x>={files.system}", f"y={files.split}", *arguments).code == 0
    texts = [one.text for one in ElementTree.parse(figure).iter("{http://www.w3.org/2000/svg}text")]
    assert {"<x>", "y", "words of the repeat", "% with an error"} <= set(texts)


def test_nothing_suspicious_says_so_with_one_table(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    train = conllu(tmp_path / "train", sentence("z/X", "y/X"))
    out = Run(capsys, "score", GOLD, ADA, "--train", train, *KEPT, "--svg", str(tmp_path / "a.svg")).out
    assert "labelled in more than one way: 0, over 0 of" in " ".join(out.split())
    assert "with a system error" not in out


def test_bad_sentences_are_left_out_here_too(capsys: pytest.CaptureFixture[str], files: Files, tmp_path: Path) -> None:
    """A sentence without a tree is bad where LAS is scored, and not where it is not."""
    text = Path(files.system).read_text(encoding="utf-8").replace("\t0\troot\t0:root", "\t9\troot\t0:root", 1)
    broken = str(tmp_path / "broken.conllu")
    Path(broken).write_text(text, encoding="utf-8")
    arguments = ("--train", files.train, *KEPT, "--skip-bad", "--json")
    for measures, wrong in (((), 4), (("--measure", "UPOS"), 2)):
        data = Run(capsys, "score", files.gold, broken, *arguments, *measures).json["systems"][0]
        assert data["ignoring"]["wrong"] == wrong
        assert data["ignoring"]["full"]["error"] == pytest.approx(1 - data["measures"]["UPOS"]["recall"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((GOLD, ADA, *KEPT), "requires --train"),
        ((GOLD, ADA, "--train", GOLD), "--train requires --ignore-suspicious"),
        ((GOLD, ADA, "--svg", "a.svg"), "--svg requires --ignore-suspicious"),
        ((GOLD, ADA, "--train", GOLD, "--ignore-suspicious", "long"), "Invalid value"),
        ((GOLD, ADA, "--train", GOLD, *KEPT, "--ignore-suspicious", "disjoint"), "--ignore-suspicious is given twice"),
        ((GOLD, ADA, "--train", GOLD, *KEPT, "--format", "csv"), "cannot be written as csv"),
        ((GOLD, ADA, "--train", GOLD, *KEPT, "--tagset", "ud"), "cannot be used with --tagset"),
        ((GOLD, ADA, "--train", GOLD, *KEPT, "--hierarchy", "tags.txt"), "cannot be used with --hierarchy"),
        ((GOLD, ADA, "--train", GOLD, *KEPT, "--svg", "-"), "--svg needs a file name"),
        ((GOLD, ADA, "--train", GOLD, *KEPT, "--svg", GOLD), "would overwrite an input"),
        ((GOLD, "-", "--train", "-", *KEPT), "can be read only once"),
        ((TREES, TREES, "--train", TREES, *KEPT), "works with CoNLL-U and tagged text"),
        (("--gold-dir", "a", "--system-dir", "b", "--train", GOLD, *KEPT), "one treebank at a time"),
        ((GOLD, ADA, "--column", "feats"), "requires --tagset"),
    ],
)
def test_options_that_do_not_fit_are_refused(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    run = Run(capsys, "score", *arguments)
    assert (run.code, run.out) == (2, "")
    assert said in run.err


def test_bad_input_is_told_with_its_place(capsys: pytest.CaptureFixture[str], files: Files, tmp_path: Path) -> None:
    bad = tmp_path / "bad.conllu"
    bad.write_text("1\ta\t_\tDET\n\n", encoding="utf-8")
    for train, code in ((str(bad), "bad.conllu:1:"), (str(tmp_path / "none"), "K101"), (TREES, "gold.ptb")):
        run = Run(capsys, "score", files.gold, files.system, "--train", train, *KEPT)
        assert (run.code, run.out) == (3, ""), train
        assert code in run.err
    run = Run(capsys, "score", files.gold, files.system, "--train", files.train, *KEPT, "--column", "xpos")
    assert run.code == 3
    assert "K501" in run.err


def test_a_training_text_that_is_the_gold_is_told(capsys: pytest.CaptureFixture[str], files: Files) -> None:
    run = Run(capsys, "score", files.gold, files.system, "--train", files.gold, *KEPT, "-v")
    assert f"warning: {files.gold} is the gold itself" in run.err
    assert run.err.count(f"{files.gold}: read as conllu") == 2
