"""`karat diverge` as a user calls it."""

from __future__ import annotations

import csv
import io
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from cli_runs import Run
from examples import EXAMPLES, conllu, sentence

ADA, BIX, GOLD = (str(EXAMPLES / f"{name}.conllu") for name in ("ada", "bix", "gold"))


def texts(folder: Path) -> tuple[str, str]:
    animals = [sentence("the/DET", f"{animal}/NOUN", "sleeps/VERB") for animal in "cat dog hen owl bat fox".split()]
    towns = [sentence(f"{town}/PROPN", "is/AUX", "far/ADJ", "./PUNCT") for town in "Brno Cork Lodz Graz Nice".split()]
    return conllu(folder / "animals.conllu", *animals), conllu(folder / "towns.conllu", *towns)


def test_json_of_two_files_has_cells_shares_and_telling_ngrams(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    run = Run(capsys, "diverge", *texts(tmp_path), "--json")
    data = run.json
    assert run.code == 0
    assert data["corpora"] == ["animals.conllu", "towns.conllu"]
    assert [cell["features"] for cell in data["cells"]] == ["words", "labels", "both"]
    for cell in data["cells"]:
        assert cell["accuracy"] == 1
        assert cell["error"] == pytest.approx(1 - cell["accuracy"])
        assert cell["divergence"] == pytest.approx(2 * (1 - 2 * cell["error"]))
        assert (cell["n_train"], cell["n_test"], cell["n_sampled"], cell["paper"]) == (6, 5, 5, None)
        assert (cell["n_documents_train"], cell["n_documents_test"]) == (None, None)
        assert 0.005 <= cell["p"] <= 0.05
    assert (data["preset"], data["permutations"]) == ("documents", 199)
    (shares,) = data["shares"]
    assert (shares["oov"], shares["js_labels"]) == (1, 1)
    assert shares["capitalised"] == {"train": 0, "test": 0.25}
    assert shares["punctuation"] == {"train": 0, "test": 0.25}
    telling = {(one["corpus"], one["ngram"]) for one in data["telling"] if one["features"] == "words"}
    assert {("animals.conllu", "the"), ("towns.conllu", "is far")} <= telling
    assert [one["pairs"] for one in data["table7"]] == [1, 1, 1]
    assert "|verb:diverge|features:words,labels,both|column:upos|classifier:naive-bayes|splits:20|" in data["signature"]
    assert "|preset:documents|permutations:199|" in data["signature"]
    wanted = "no documents marked in animals.conllu, towns.conllu: sentences are used instead, so topics count too"
    assert data["warnings"] == [wanted]
    assert f"warning: {wanted}" in run.err


def test_text_says_what_was_done(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = Run(capsys, "diverge", *texts(tmp_path), "--details").out
    for wanted in ("animals.conllu and towns.conllu", "100.00", "50 is chance", "naive Bayes", "simple statistics",
                   "most distinctive n-grams", "karat:"):  # fmt: skip
        assert wanted in " ".join(out.split())


def documents(folder: Path, name: str, words: str, n: int = 9) -> str:
    """Documents of four sentences, each with a word of its own."""
    found = [
        sentence(f"{words[(i + j) % len(words)]}/NOUN", f"{words[(i * j) % len(words)]}/VERB", f"{name}{i}/NOUN",
                 f"{'abcdefgh'[j]}/X", newdoc=None if j else f"{name}{i}")
        for i in range(n)
        for j in range(4)
    ]  # fmt: skip
    return conllu(folder / f"{name}.conllu", *found)


def _first(out: str) -> str:
    """The first paragraph as one line."""
    return " ".join(out.partition("\n\n")[0].split())


def test_the_first_line_is_a_verdict(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    one, two, three = (documents(tmp_path, *of) for of in (("one", "klm"), ("two", "uvw"), ("three", "klm")))
    line = _first(Run(capsys, "diverge", one, two, "--features", "words").out)
    assert line.startswith("one.conllu and two.conllu can be told apart by words (accuracy 100.0 %, 95 % CI ")
    assert line.endswith(" to 100.0, p = 0.0050).")
    run = Run(capsys, "diverge", one, three)
    assert _first(run.out).startswith(
        "one.conllu and three.conllu cannot be told apart by words, labels and words with "
    )
    assert "36 and 36 sentences in 9 and 9 documents" in run.out
    assert "199 permutations of documents" in " ".join(run.out.split())
    assert run.err == ""
    mixed = _first(Run(capsys, "diverge", one, two).out)
    assert "can be told apart by words and words with their labels (" in mixed
    assert ", but not by labels (" in mixed
    matrix = Run(capsys, "diverge", one, two, three, "--features", "words").out
    assert matrix.startswith("Distinguishable: 2 of 3 pairs by words.\n")
    assert matrix.count("n.s.") == 3  # on both sides of the diagonal, and in the note


def test_what_is_not_told_apart_is_marked_within_80_columns(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    names = [f"a-corpus-with-a-long-name-{number}" for number in (1, 2, 3, 4)]
    corpora = [documents(tmp_path, name, "klm") for name in names]
    out = Run(capsys, "diverge", *corpora, "--features", "words").out
    assert out.count(") n.s.") == 12
    assert max(len(line) for line in out.splitlines() if not line.startswith("karat:")) <= 80


def test_too_few_documents_are_said_instead_of_a_verdict(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    run = Run(capsys, "diverge", documents(tmp_path, "one", "klm", 3), documents(tmp_path, "two", "uvw", 3))
    assert run.out.startswith("one.conllu and two.conllu: too few documents for a verdict.\n")
    assert run.err == "warning: one.conllu and two.conllu: too few documents (3 and 3) for a verdict\n"
    assert "CIs" not in run.out


def test_the_papers_preset_says_that_it_measures_topics(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    files = documents(tmp_path, "one", "klm"), documents(tmp_path, "two", "klm")
    run = Run(capsys, "diverge", *files, "--preset", "paper")
    assert run.out.startswith("one.conllu and two.conllu: accuracy ")
    assert "also measures topics, since sentences of one document are in both halves" in " ".join(run.out.split())
    assert run.err == ""
    data = Run(capsys, "diverge", *files, "--preset", "paper", "--json").json
    assert (data["preset"], data["permutations"], data["warnings"]) == ("paper", 0, [])
    assert {cell["p"] for cell in data["cells"]} == {None}
    assert data["signature"].count("|seed:0|preset:paper|corpus:") == 1


def test_three_files_make_a_symmetric_table(capsys: pytest.CaptureFixture[str]) -> None:
    out = Run(capsys, "diverge", "one=" + ADA, "two=" + BIX, "three=" + GOLD, "--features", "words", "--top", "0").out
    table = out.split("\n\n")[2].split("\n")
    assert table[0].split() == ["one", "two", "three"]
    cells = [line.split("  ") for line in table[2:]]
    assert [row[0] for row in cells] == ["one", "two", "three"]
    assert "most distinctive n-grams" not in out


@pytest.mark.parametrize("format_", ["csv", "tsv", "markdown", "latex"])
def test_every_format_has_the_numbers(capsys: pytest.CaptureFixture[str], tmp_path: Path, format_: str) -> None:
    run = Run(capsys, "diverge", *texts(tmp_path), "--format", format_)
    assert run.code == 0
    if format_ in ("csv", "tsv"):
        rows = list(csv.DictReader(io.StringIO(run.out), delimiter="," if format_ == "csv" else "\t"))
        assert [row["features"] for row in rows] == ["words", "labels", "both"]
        assert {row["accuracy"] for row in rows} == {"1.0"}
    else:
        assert "100.00" in run.out


def test_options_reach_the_result(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "diverge", ADA, GOLD, "--features", "labels", "--column", "deprel", "--splits", "3",
              "--seed", "9", "--level", "0.9", "--top", "1", "--permutations", "29", "--json", "-v")  # fmt: skip
    assert "|features:labels|column:deprel|classifier:naive-bayes|splits:3|level:0.9|seed:9|" in run.json["signature"]
    assert run.json["permutations"] == 29
    assert run.json["features"] == ["labels"]
    assert len(run.json["telling"]) == 2
    assert "read as conllu" in run.err


def test_one_split_of_the_paper_has_no_interval(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    asked = ("diverge", *texts(tmp_path), "--splits", "1", "--preset", "paper")
    cell = Run(capsys, *asked, "--json").json["cells"][0]
    assert (cell["lower"], cell["upper"]) == (None, None)
    assert "±" not in Run(capsys, *asked).out


def test_plain_tagged_text_is_read_and_words_need_no_labels(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    first, second = tmp_path / "a.txt", tmp_path / "b.txt"
    first.write_text("Cats/N purr/V\nDogs/N bark/V\n")
    second.write_text("Rain/N falls/V\nSnow/N melts/V\n")
    assert Run(capsys, "diverge", str(first), str(second), "--json").json["cells"][0]["accuracy"] >= 0.5
    unlabelled = [
        conllu(tmp_path / f"{name}.conllu", sentence(f"{name}/_"), sentence(f"{name}{name}/_")) for name in "xy"
    ]
    run = Run(capsys, "diverge", *unlabelled, "--features", "words", "--json")
    assert run.json["shares"][0]["js_labels"] is None
    refused = Run(capsys, "diverge", *unlabelled)
    assert refused.code == 3
    assert "K501 the column UPOS, whose labels are compared, is missing" in refused.err
    assert "features words need none" in refused.err


def test_the_heat_map_is_drawn_with_its_names_escaped(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    first, second = texts(tmp_path)
    path = tmp_path / "f.svg"
    run = Run(capsys, "diverge", f"<b>&={first}", f"b={second}", "--svg", str(path))
    assert run.code == 0
    shown = [text.text for text in ET.parse(path).getroot().iter("{http://www.w3.org/2000/svg}text")]
    for wanted in ("<b>&", "b", "100.0", "told apart by words with their labels"):
        assert wanted in shown
    assert Run(capsys, "diverge", first, second, "--svg", str(tmp_path / "no" / "f.svg")).code == 2


def test_bad_files_are_named_with_their_lines(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    first, second = texts(tmp_path)
    lines = Path(first).read_text().split("\n")
    lines[1] = lines[1].replace("\t", " ", 1)
    broken = tmp_path / "broken.conllu"
    broken.write_text("\n".join(lines))
    run = Run(capsys, "diverge", str(broken), second, str(tmp_path / "none.conllu"))
    assert run.code == 3
    assert f"{broken}:2:" in run.err
    assert "none.conllu: K101" in run.err
    assert run.out == ""
    (tmp_path / "folder").mkdir()
    run = Run(capsys, "diverge", str(tmp_path / "folder"), second)
    assert (run.code, "K104" in run.err) == (3, True)
    empty = tmp_path / "empty.conllu"
    empty.write_text("")
    assert Run(capsys, "diverge", str(empty), second).code == 3
    one = conllu(tmp_path / "one.conllu", sentence("alone"))
    run = Run(capsys, "diverge", one, second)
    assert (run.code, "K605" in run.err) == (3, True)


@pytest.mark.parametrize(
    "arguments",
    [[], [ADA], ["-", "-"], [ADA, ADA], [ADA, BIX, "--features", "tags"], [ADA, BIX, "--splits", "0"],
     [ADA, BIX, "--column", "form"], ["x=" + ADA, "x=" + BIX], [ADA, BIX, "--top", "-1"],
     [ADA, BIX, "--preset", "topics"], [ADA, BIX, "--permutations", "-1"]],
)  # fmt: skip
def test_wrong_usage_is_refused(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    run = Run(capsys, "diverge", *arguments)
    assert run.code == 2
    assert run.out == ""


def test_a_folder_alone_is_its_train_against_its_test(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    first, second = texts(tmp_path)
    (tmp_path / "T").mkdir()
    Path(first).rename(tmp_path / "T" / "t-ud-train.conllu")
    Path(second).rename(tmp_path / "T" / "t-ud-test.conllu")
    run = Run(capsys, "diverge", str(tmp_path / "T"))
    assert run.code == 0
    assert "T, train and test" in run.out
