"""Results that are none, files that are gone or changed, paths that cannot be written: a clear word, no traceback."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import html5lib
import pytest

from cli_runs import Run
from example_pages import karat, write_corpora

Capture = pytest.CaptureFixture[str]
FILES = ("gold.conllu", "ada.conllu", "bix.conllu")


@pytest.fixture
def score(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A folder with corpora and a result, score.json, which comes back as data."""
    monkeypatch.chdir(tmp_path)
    write_corpora(tmp_path, n_sentences=12, n_documents=4, lengths=(1, 6))
    text = karat("score", *FILES, "--measure", "UPOS,LAS", "--json")
    Path("score.json").write_text(text, encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def without(data: dict[str, Any], *names: str | int) -> dict[str, Any]:
    box: Any = data
    for name in names[:-1]:
        box = box[name]
    del box[names[-1]]
    return data


# ---- results ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "this is not JSON"),
        ("{", "this is not JSON"),
        ("<html>", "this is not JSON"),
        ('{"schema": "karat/score/1", "x": NaN}', "this is not JSON"),
        ("[" * 100_000, "this is not JSON"),
        ("\ufeff{}", "this is not JSON"),
        ("[]", "this is not a result of karat"),
        ("7", "this is not a result of karat"),
        ("{}", "this is not a result of karat"),
        ('{"schema": "other/score/1"}', "this is not a result of karat"),
        ('{"schema": ["karat/score/1"]}', "this is not a result of karat"),
        ('{"schema": "karat/score/99"}', "no result of this version of karat has the schema karat/score/99"),
        ('{"schema": "karat/score/1"}', "signature is missing"),
    ],
)
def test_what_is_no_result_is_named_with_its_file(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.json").write_text(text, encoding="utf-8")
    for arguments in (["x.json"], ["x.json", "x.json"]):
        run = Run(capsys, "report", *arguments, "-o", "page.html")
        assert run.code == 3
        assert "x.json" in run.err
        assert f"K110 {'' if words.startswith('this') else 'this result is not as karat wrote it: '}{words}" in run.err
        assert "Traceback" not in run.err
        assert not Path("page.html").exists()


def test_bytes_that_are_no_text_are_no_result(capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_bytes(b"\xff\xfe\x00{")
    run = Run(capsys, "report", str(tmp_path / "x.json"), "-o", str(tmp_path / "page.html"))
    assert (run.code, "K110 this is not JSON" in run.err) == (3, True)


@pytest.mark.parametrize(
    ("place", "value", "words"),
    [
        (("systems",), None, "systems must be array"),
        (("systems",), {}, "systems must be array"),
        (("systems", 0), 7, "systems[0] must be object"),
        (("systems", 0, "name"), 7, "systems[0].name must be string"),
        (("systems", 0, "measures", "LAS", "value"), "high", "systems[0].measures.LAS.value must be number or null"),
        (("systems", 0, "measures", "LAS", "lower"), 10**400, "systems[0].measures.LAS.lower is too large a number"),
        (("gold", "words"), -1, "gold.words cannot be -1"),
        (("gold", "words"), 1.5, "gold.words must be integer"),
    ],
)
def test_a_field_of_the_wrong_kind_is_named(
    capsys: Capture, score: dict[str, Any], place: tuple[str | int, ...], value: Any, words: str
) -> None:
    box: Any = score
    for name in place[:-1]:
        box = box[name]
    box[place[-1]] = value
    Path("x.json").write_text(json.dumps(score), encoding="utf-8")
    for arguments in (["x.json"], ["score.json", "--baseline", "x.json"]):
        run = Run(capsys, "report", *arguments, "-o", "page.html")
        assert run.code == 3, run.err
        assert f"x.json: K110 this result is not as karat wrote it: {words}" in run.err
        assert "Traceback" not in run.err


def test_fields_that_later_versions_may_add_are_let_through(capsys: Capture, score: dict[str, Any]) -> None:
    score["systems"][0]["measures"]["LAS"]["later"] = {"a": 1}
    score["later"] = [1]
    Path("x.json").write_text(json.dumps(score), encoding="utf-8")
    assert Run(capsys, "report", "x.json", "-o", "page.html").code == 0


# ---- files that results name -----------------------------------------------------------------------------------------


def page(*arguments: str) -> tuple[str, int, int]:
    """The text of the page of a result, and how many sentences and links to lists of them it has."""
    karat("report", *arguments, "-o", "page.html")
    document = html5lib.parse(Path("page.html").read_text(encoding="utf-8"), namespaceHTMLElements=False)
    links = [one.get("href", "") for one in document.iter("a")]
    text = " ".join(" ".join(document.find("body").itertext()).split())
    return text, len([*document.iter("article")]), sum(one.startswith(("#errors-", "#group-")) for one in links)


def test_with_its_files_a_page_has_sentences(score: dict[str, Any]) -> None:
    text, n_sentences, n_links = page("score.json")
    assert "no sentences" not in text
    assert n_sentences > 5
    assert n_links > 5


@pytest.mark.parametrize("name", ["gold.conllu", "bix.conllu"])
def test_a_file_that_is_gone_is_said_to_be(score: dict[str, Any], name: str) -> None:
    os.remove(name)
    text, n_sentences, n_links = page("score.json")
    assert f"No sentences: {name} is not there." in text
    assert (n_sentences, n_links) == (0, 0)
    assert f"{100 * score['systems'][0]['measures']['LAS']['value']:.2f}" in text  # numbers stay


@pytest.mark.parametrize("name", ["gold.conllu", "ada.conllu"])
def test_a_file_that_has_changed_is_said_to_have(score: dict[str, Any], name: str) -> None:
    with open(name, "a", encoding="utf-8") as file:
        file.write("# one more comment\n\n")
    text, n_sentences, n_links = page("score.json")
    assert f"No sentences: {name} has changed since." in text
    assert (n_sentences, n_links) == (0, 0)


def test_files_are_looked_for_beside_the_result(
    score: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    _, n_sentences, _ = page("../score.json")
    assert n_sentences > 5


def test_a_result_of_standard_input_has_no_sentences(score: dict[str, Any]) -> None:
    score["signature"] = score["signature"].replace("gold:gold.conllu@", "gold:-@")
    Path("x.json").write_text(json.dumps(score), encoding="utf-8")
    text, n_sentences, _ = page("x.json")
    assert "No sentences: standard input cannot be read again." in text
    assert n_sentences == 0


def test_a_signature_cannot_make_the_page_read_what_is_no_corpus(score: dict[str, Any]) -> None:
    for name in ("/dev/zero", "/proc/self/mem", "/etc/passwd", "../" * 20 + "etc/passwd"):
        score["signature"] = score["signature"].replace("gold:gold.conllu@", f"gold:{name}@")
        Path("x.json").write_text(json.dumps(score), encoding="utf-8")
        text, n_sentences, _ = page("x.json")
        assert "root:" not in text
        assert n_sentences == 0
        score["signature"] = score["signature"].replace(f"gold:{name}@", "gold:gold.conllu@")


# ---- where it is written ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("output", "code"), [("score.json", 2), ("./score.json", 2), ("a-folder", 2), ("none/page.html", 2), ("-", 2)]
)
def test_a_page_is_not_written_where_it_cannot_be(
    capsys: Capture, score: dict[str, Any], output: str, code: int
) -> None:
    Path("a-folder").mkdir()
    before = {path.name: path.read_bytes() for path in Path().iterdir() if path.is_file()}
    run = Run(capsys, "report", "score.json", "-o", output)
    assert run.code == code, run.err
    assert "Traceback" not in run.err
    assert output in run.err
    assert {path.name: path.read_bytes() for path in Path().iterdir() if path.is_file()} == before


@pytest.mark.parametrize("name", FILES)
def test_report_of_a_verb_does_not_overwrite_its_inputs(capsys: Capture, score: dict[str, Any], name: str) -> None:
    before = Path(name).read_bytes()
    run = Run(capsys, "score", *FILES, "--report", name)
    assert run.code == 2
    assert Path(name).read_bytes() == before


@pytest.mark.parametrize("verb", [["score", *FILES], ["report", "score.json", "-o", "page.html"]])
def test_figures_do_not_replace_a_file(capsys: Capture, score: dict[str, Any], verb: list[str]) -> None:
    Path("figures").write_text("mine")
    run = Run(capsys, *verb, "--figures", "figures")
    assert run.code == 2
    assert "figures" in run.err
    assert "Traceback" not in run.err
    assert Path("figures").read_text() == "mine"


def test_a_folder_without_permission_is_said_to_be_so(capsys: Capture, score: dict[str, Any]) -> None:
    if os.geteuid() == 0:
        pytest.skip("everything may be written by root")
    Path("closed").mkdir(mode=0o500)
    run = Run(capsys, "report", "score.json", "-o", "closed/page.html")
    assert run.code == 2
    assert "closed/page.html cannot be written" in run.err


def test_a_dash_is_no_result(capsys: Capture, score: dict[str, Any]) -> None:
    run = Run(capsys, "report", "-", "-o", "page.html")
    assert run.code == 3
    assert "Traceback" not in run.err
