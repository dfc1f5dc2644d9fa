"""A package with a measure, a format and a tagger is installed, and karat has them in all that it does."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from cli_runs import fits_its_schema
from installed_plugins import install, run_karat, write_package

NAMES = "oak rain wind snow storm branch leaf river hill cloud stone grass".split()
MEASURED = ("gold.conllu", "a=a.conllu", "b=b.conllu", "--measure", "openupos")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A gold and two systems, in CoNLL-U and in the example's format, and a treebank."""
    made = tmp_path_factory.mktemp("texts")
    for name, tags in {"gold": {}, "a": {"rain": "VERB", "hill": "ADJ"}, "b": {"hill": "PROPN"}}.items():
        sentences = [[(word, tags.get(word, "NOUN")), ("s" + word + "s", "VERB"), (".", "PUNCT")] for word in NAMES]
        rows = [[(form, form, tag) for form, tag in one] for one in sentences]
        (made / f"{name}.vert").write_text("".join(_vertical(one) for one in rows), "utf-8")
        (made / f"{name}.conllu").write_text("".join(_conllu(one) for one in rows), "utf-8")
    bank = made / "UD_None-Own"
    bank.mkdir()
    for part in ("train", "test"):
        shutil.copy(made / "gold.conllu", bank / f"x_own-ud-{part}.conllu")
    return made


def _vertical(rows: list[tuple[str, str, str]]) -> str:
    return "<s>\n" + "".join("\t".join(row) + "\n" for row in rows) + "</s>\n"


def _conllu(rows: list[tuple[str, str, str]]) -> str:
    lines = (f"{n}\t{form}\t{lemma}\t{tag}\t_\t_\t{n - 1}\tdep\t_\t_\n" for n, (form, lemma, tag) in enumerate(rows, 1))
    return "".join(lines) + "\n"


def json_of(site: Path, folder: Path, *arguments: object) -> Any:
    """What a command prints as JSON, held to its schema."""
    done = run_karat(site, *arguments, "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert fits_its_schema(data)
    return data


# ---- a measure -------------------------------------------------------------------------------------------------------


def test_its_measure_is_scored_with_an_interval_and_by_groups(site: Path, folder: Path) -> None:
    data = json_of(site, folder, "score", *MEASURED, "--by", "upos")
    a, b = data["systems"]
    assert a["measures"]["OpenUPOS"]["recall"] == 22 / 24  # of twelve nouns and twelve verbs two are wrong
    assert b["measures"]["OpenUPOS"]["correct"] == 23
    assert a["measures"]["OpenUPOS"]["lower"] < 22 / 24 < a["measures"]["OpenUPOS"]["upper"]
    assert a["by"]["upos"]["NOUN"]["OpenUPOS"]["gold"] == 12
    assert a["by"]["upos"]["NOUN"]["OpenUPOS"]["recall"] == 10 / 12
    assert "PUNCT" not in a["by"]["upos"]
    assert "|plugin:karat-example@0.3|" in data["signature"]


def test_its_measure_is_compared_by_an_exact_test(site: Path, folder: Path) -> None:
    (pair,) = json_of(site, folder, "compare", *MEASURED)["pairs"]
    assert (pair["measure"], pair["difference"] > 0) == ("OpenUPOS", True)
    assert pair["test"].startswith("exact permutation")
    assert pair["p"] == 1.0  # one sentence differs, either way
    assert pair["lower"] <= pair["difference"] <= pair["upper"]


@pytest.mark.parametrize("format_", ["text", "csv", "tsv", "markdown", "latex"])
def test_its_measure_is_in_every_format(format_: str, site: Path, folder: Path) -> None:
    for verb in ("score", "compare"):
        done = run_karat(site, verb, *MEASURED, "--format", format_, cwd=folder)
        assert done.returncode == 0, done.stderr
        assert "OpenUPOS" in done.stdout


def test_its_measure_is_in_scores_of_treebanks(site: Path, folder: Path, tmp_path: Path) -> None:
    for name, text in {"gold": "gold", "sys": "a"}.items():
        (tmp_path / name).mkdir()
        for bank in ("one", "two"):
            shutil.copy(folder / f"{text}.conllu", tmp_path / name / f"{bank}.conllu")
    asked = ("--gold-dir", tmp_path / "gold", "--system-dir", f"mine={tmp_path / 'sys'}", "--measure", "OpenUPOS")
    data = json_of(site, folder, "score", *asked)
    assert data["systems"][0]["measures"]["OpenUPOS"]["recall"] == 22 / 24
    assert "|plugin:karat-example@0.3|" in data["signature"]


def test_its_measure_can_be_a_gate(site: Path, folder: Path) -> None:
    assert run_karat(site, "score", *MEASURED, "--fail-under", "OpenUPOS=0.9", cwd=folder).returncode == 0
    assert run_karat(site, "score", *MEASURED, "--fail-under", "OpenUPOS=0.99", cwd=folder).returncode == 1
    done = run_karat(site, "score", *MEASURED, "--fail-under", "ClosedUPOS=0.9", cwd=folder)
    assert (done.returncode, "unknown measure 'ClosedUPOS'" in done.stderr) == (2, True)


def test_its_measure_is_on_the_page_with_what_it_is_and_its_sentences(site: Path, folder: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = run_karat(site, "compare", *MEASURED, "--report", page, cwd=folder)
    assert done.returncode == 0, done.stderr
    text = page.read_text("utf-8")
    assert "universal part-of-speech tags of open-class words" in text
    assert "OpenUPOS: b right, a wrong: 1 in 1 sentence" in text
    assert "karat compare gold.conllu a=a.conllu b=b.conllu --measure openupos --report" in text
    result = tmp_path / "result.json"
    result.write_text(run_karat(site, "compare", *MEASURED, "--json", cwd=folder).stdout, "utf-8")
    assert run_karat(site, "report", result, "-o", page, cwd=folder).returncode == 0
    assert "karat compare gold.conllu a=a.conllu b=b.conllu --measure OpenUPOS" in page.read_text("utf-8")


def test_its_measure_is_listed_with_its_package(site: Path, folder: Path) -> None:
    row = json_of(site, folder, "measures")["measures"][-1]
    assert (row["name"], row["source"], row["package"]) == ("OpenUPOS", "karat-example's authors", "karat-example 0.3")
    shown = run_karat(site, "measures").stdout
    assert "karat-example's authors, karat-example 0.3" in shown
    rows = list(csv.DictReader(run_karat(site, "measures", "--format", "csv").stdout.splitlines()))
    assert rows[-1]["package"] == "karat-example 0.3"


# ---- a format --------------------------------------------------------------------------------------------------------


def test_its_format_is_recognised_and_named(site: Path, folder: Path) -> None:
    done = run_karat(site, "score", "gold.vert", "a.vert", "-v", "--measure", "UPOS", "--json", cwd=folder)
    assert "gold.vert: read as vert" in done.stderr
    data = json.loads(done.stdout)
    assert data["systems"][0]["measures"]["UPOS"]["recall"] == 34 / 36
    assert "|plugin:karat-example@0.3|" in data["signature"]
    named = json_of(site, folder, "score", "gold.vert", "a.vert", "--input", "vert", "--measure", "UPOS")
    assert named["systems"][0]["measures"] == data["systems"][0]["measures"]


def test_its_format_is_unknown_where_it_is_not_installed(folder: Path, tmp_path: Path) -> None:
    done = run_karat(tmp_path, "score", "gold.vert", "a.vert", cwd=folder)
    assert (done.returncode, "K201" in done.stderr) == (3, True)
    done = run_karat(tmp_path, "score", "gold.vert", "a.vert", "--input", "vert", cwd=folder)
    assert done.returncode == 2
    assert "'vert' is not one of 'conllu'" in done.stderr


def test_mistakes_in_its_format_have_their_places(site: Path, folder: Path, tmp_path: Path) -> None:
    text = (folder / "a.vert").read_text("utf-8").replace("rain\train\tVERB", "rain VERB")
    (tmp_path / "bad.vert").write_text(text, "utf-8")
    done = run_karat(site, "score", folder / "gold.vert", "bad.vert", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (3, "")
    assert "bad.vert:7:1: V1 not a word, a lemma and a tag" in done.stderr
    done = run_karat(site, "score", folder / "gold.vert", "bad.vert", "--skip-bad", cwd=tmp_path)
    assert done.returncode == 0
    assert "1 bad system sentence scored as 0" in done.stdout


def test_its_format_is_converted_and_not_written(site: Path, folder: Path, tmp_path: Path) -> None:
    to = tmp_path / "gold.conllu"
    asked = ("convert", "gold.vert", "-o", to, "--to", "conllu", "--column", "upos")
    assert json_of(site, folder, *asked)["lost"] == []
    assert "2\tsoaks\tsoaks\tVERB" in to.read_text("utf-8")


# ---- a tagger --------------------------------------------------------------------------------------------------------


def test_its_tagger_is_trained_kept_and_used(site: Path, folder: Path, tmp_path: Path) -> None:
    model = tmp_path / "model"
    data = json_of(site, folder, "train", "endings:length=1", "gold.conllu", "-o", model)
    assert (data["system"], data["options"]) == ("endings", {"length": 1})
    assert "|length:1|seed:0|plugin:karat-example@0.3|" in data["signature"]
    tagged = json_of(site, folder, "tag", "-m", model, "gold.conllu", "-o", tmp_path / "tagged.conllu")
    assert tagged["same_as_before"] > 0.9
    assert "plugin:karat-example@0.3" in tagged["signature"]
    assert run_karat(site, "tag", "-m", model, "gold.vert", cwd=folder).stdout.startswith("oak\tNOUN\n")
    without = run_karat(tmp_path, "tag", "-m", model, "gold.conllu", cwd=folder)
    assert without.returncode == 3
    assert "K903 a model of an unknown system, 'endings'\n  hint: install karat-example 0.3" in without.stderr


def test_its_tagger_and_measure_are_in_grids_on_several_processes(site: Path, folder: Path, tmp_path: Path) -> None:
    asked = ("UD_None-Own", "--system", "endings:length=1", "--seeds", 2, "--measure", "OpenUPOS", "-o", tmp_path / "g")
    data = json_of(site, folder, "grid", *asked, "--jobs", 2)
    assert [one["measures"]["OpenUPOS"]["recall"] for one in data["cells"]] == [23 / 24] * 2  # grass ends as verbs do
    assert "|plugin:karat-example@0.3|" in data["signature"]
    assert json_of(site, folder, "grid", *asked)["kept"] == 2
    table = run_karat(site, "grid", "--from", tmp_path / "g", "--table", "matrix", cwd=folder)
    assert (table.returncode, "OpenUPOS in %" in table.stdout) == (0, True)


def test_cells_are_run_again_with_another_version_of_the_package(site: Path, folder: Path, tmp_path: Path) -> None:
    asked = ("UD_None-Own", "--system", "endings:length=1", "--seeds", 1, "-o", tmp_path / "g")
    assert json_of(site, folder, "grid", *asked)["run"] == 1
    newer = tmp_path / "site"
    shutil.copytree(site, newer)
    shutil.rmtree(newer / "karat_example-0.3.dist-info")
    write_package(newer, "karat-example", "0.4", {"karat.systems": {"endings": "karat_example:Endings"}})
    assert json_of(newer, folder, "grid", *asked)["run"] == 1


# ---- packages that go wrong ------------------------------------------------------------------------------------------

WRONG = """
from karat.plugin import Outcome, Reader, WordMeasure

class Fails(WordMeasure):
    name, what = "Fails", "nothing"
    def outcome(self, comparison):
        raise ValueError("the moon is full")

class Short(Fails):
    name = "Short"
    def outcome(self, comparison):
        return Outcome(comparison.same("form")[1:])

def read(source):
    return source.nothing
"""


@pytest.fixture(scope="module")
def wrong(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example, and a package in which everything is wrong."""
    made = tmp_path_factory.mktemp("wrong") / "site"
    shutil.copytree(site, made)
    (made / "wrong.py").write_text(WRONG, "utf-8")
    measures = {"Fails": "wrong:Fails", "Short": "wrong:Short", "Gone": "wrong:Gone", "Away": "gone:Away"}
    measures |= {"UPOS": "wrong:Fails", "openupos": "wrong:Fails", "Named": "wrong:Fails"}
    points = {
        "karat.measures": measures,
        "karat.readers": {"odd": "wrong:read"},
        "karat.systems": {"odd": "wrong:Fails"},
    }
    write_package(made, "wrong-one", "7", points)
    return made


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (
            ["score", *MEASURED[:-1], "Fails"],
            3,
            "wrong-one 7: K973 the measure Fails failed: ValueError: the moon is full",
        ),
        (
            ["score", *MEASURED[:-1], "Short"],
            3,
            "wrong-one 7: K974 the measure Short returns an Outcome whose 'right' is",
        ),
        (["score", *MEASURED[:-1], "Gone"], 3, "wrong-one 7: K970 the measure Gone cannot be imported: AttributeError"),
        (
            ["score", *MEASURED[:-1], "Away"],
            3,
            "K970 the measure Away cannot be imported: ModuleNotFoundError: No module",
        ),
        (["score", *MEASURED[:-1], "Named"], 3, "wrong-one 7: K971 the measure Named calls itself 'Fails'"),
        (["score", *MEASURED], 3, "karat-example 0.3: K972 the measure OpenUPOS is also defined by wrong-one 7"),
        (["compare", *MEASURED[:-1], "Fails"], 3, "wrong-one 7: K973 the measure Fails failed"),
        (
            ["score", "gold.vert", "a.vert", "--input", "odd"],
            3,
            "wrong-one 7: K973 the reader odd failed: AttributeError",
        ),
        (["train", "odd", "gold.conllu", "-o", "model"], 3, "wrong-one 7: K971 the system odd has no 'options_type'"),
        (["grid", "UD_None-Own", "-o", "g", "--system", "odd"], 3, "wrong-one 7: K971 the system odd has no"),
    ],
)
def test_a_wrong_plugin_is_named_without_a_traceback(
    arguments: list[str], code: int, message: str, wrong: Path, folder: Path
) -> None:
    done = run_karat(wrong, *arguments, cwd=folder)
    assert done.returncode == code
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_where_a_plugin_failed_is_in_the_hint(wrong: Path, folder: Path) -> None:
    done = run_karat(wrong, "score", *MEASURED[:-1], "Fails", cwd=folder)
    assert f"  hint: raised in {wrong / 'wrong.py'}, line 7" in done.stderr
    assert done.stderr.count("K973") == 1


def test_karats_own_measures_do_not_mind_wrong_plugins(wrong: Path, folder: Path) -> None:
    done = run_karat(wrong, "score", *MEASURED[:-1], "UPOS", "--json", cwd=folder)
    assert (done.returncode, "wrong-one" in done.stderr) == (0, False)
    assert json.loads(done.stdout)["systems"][0]["measures"]["UPOS"]["recall"] == 34 / 36
    assert run_karat(wrong, "score", "gold.vert", "a.vert", cwd=folder).returncode == 0


def test_the_list_says_which_plugins_cannot_be_used_and_why(wrong: Path, folder: Path) -> None:
    unusable = json_of(wrong, folder, "measures")["unusable"]
    assert sorted(one.partition(": ")[2][:4] for one in unusable) == ["K970", "K970", "K971", "K972", "K972"]
    shown = run_karat(wrong, "measures")
    assert shown.returncode == 0
    assert "Cannot be used: wrong-one 7: K972 the measure UPOS" in shown.stdout.replace("\n", " ")
