"""`karat train` and `karat tag` on formats other than CoNLL-U and on folders; what they name and write."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import karat
from cli_runs import Run
from examples import EXAMPLES

GOLD = EXAMPLES / "gold.conllu"
ANALYSED = ["xces", "ccl", "plain", "krnnt", "dag"]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Run]:
    monkeypatch.chdir(tmp_path)
    return lambda arguments: Run(capsys, *arguments.split())


@pytest.mark.parametrize("format_", ANALYSED)
def test_tags_of_formats_with_interpretations_are_learnt_as_xpos(format_: str, run: Callable[[str], Run]) -> None:
    run(f"convert {GOLD} -o gold --to {format_}")
    trained = run("train most-frequent gold -o m.karat")
    assert "xpos: the tags of" in trained.out
    assert run("train most-frequent gold -o m.karat --json").json["column"] == "xpos"
    assert run("train most-frequent gold -o m.karat --json --column upos").json["column"] == "upos"
    assert run("tag --system most-frequent gold --folds 2 -o tagged --json").json["column"] == "xpos"


def test_a_treebank_without_upos_is_learnt_by_its_xpos(run: Callable[[str], Run]) -> None:
    rows = [line.split("\t") for line in GOLD.read_text(encoding="utf-8").splitlines()]
    without = ["\t".join([*row[:3], "_", *row[4:]]) if len(row) > 4 else row[0] for row in rows]
    Path("no-upos.conllu").write_text("\n".join([*without, ""]), encoding="utf-8")
    assert "xpos: no-upos.conllu has no UPOS" in run("train most-frequent no-upos.conllu -o m.karat").out
    assert "there is no UPOS" in run("train most-frequent no-upos.conllu -o m.karat --column upos").err


@pytest.mark.parametrize("format_", ANALYSED)
def test_formats_with_interpretations_are_written_back(format_: str, run: Callable[[str], Run]) -> None:
    """All tags are those of the tagger then, and a text with these tags already stays as it is, byte for byte."""
    run(f"convert {GOLD} -o gold --to {format_}")
    run("train most-frequent gold -o m.karat")
    found = run("tag -m m.karat gold -o tagged --json").json
    assert found["format"] == format_
    again = karat.read("tagged", input=format_, tag="xpos")
    assert again.column("xpos").strings() == [
        karat.load_tagger("m.karat").labels[tag] for tag in karat.tag("m.karat", "gold").tags
    ]
    assert Path("tagged").read_bytes() != Path("gold").read_bytes()
    run("tag -m m.karat tagged -o twice")
    assert Path("twice").read_bytes() == Path("tagged").read_bytes()


def test_a_file_named_tsv_has_lines_of_form_and_tag(run: Callable[[str], Run]) -> None:
    run(f"convert {GOLD} -o gold.xml --to xces")
    run("train most-frequent gold.xml -o m.karat")
    for text in ("gold.xml", str(GOLD)):
        assert run(f"tag -m m.karat {text} -o tagged.tsv --json").json["format"] == "tsv"
        first = Path("tagged.tsv").read_text(encoding="utf-8").splitlines()[0]
        assert first.split("\t") == [karat.read(GOLD).column("form").strings()[0], "DT"]


def test_a_name_that_promises_another_format_is_refused(run: Callable[[str], Run]) -> None:
    run(f"train most-frequent {GOLD} -o m.karat")
    for arguments in (f"{GOLD} --tags several -o tagged.conllu", f"{GOLD} -o tagged.xml"):
        refused = run(f"tag -m m.karat {arguments}")
        assert refused.code == 2
        assert "choose a name that ends in" in refused.err
    assert not Path("tagged.xml").exists()


def test_two_columns_of_running_text_are_written_as_lines(run: Callable[[str], Run]) -> None:
    run(f"train most-frequent {GOLD} -o m.karat --column upos+xpos")
    run(f"convert {GOLD} -o gold.tsv --to tsv")
    assert run("tag -m m.karat gold.tsv -o tagged.tsv").code == 0
    assert "DET DT" in Path("tagged.tsv").read_text(encoding="utf-8")


def test_folders_of_treebanks_train_on_the_train_part_and_are_tagged_whole(run: Callable[[str], Run]) -> None:
    folder = Path("UD_X-Y")
    folder.mkdir()
    for part, example in (("train", "gold"), ("dev", "ada"), ("test", "bix")):
        (folder / f"x_y-ud-{part}.conllu").write_bytes((EXAMPLES / f"{example}.conllu").read_bytes())
    trained = run("train most-frequent UD_X-Y -o m.karat --json").json
    assert trained["words"] == karat.read(GOLD).n_words
    assert "x_y-ud-train.conllu" in trained["signature"]
    assert run("tag -m m.karat UD_X-Y -o tagged").code == 0
    assert sorted(one.name for one in Path("tagged").iterdir()) == sorted(one.name for one in folder.iterdir())
    (folder / "x_y-ud-train.conllu").unlink()
    assert "no train part in this folder" in run("train most-frequent UD_X-Y -o m.karat").err
