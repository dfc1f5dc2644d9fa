"""Pages of several treebanks: every number under its own name, the verdict first, nothing untrue about sentences."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import html5lib
import pytest

from cli_runs import Run
from example_pages import karat, write_corpora
from karat.report.page.headlines import headline_of

SIZES = {"aa_x": 40, "bb_y": 12, "cc_z": 24}  # so that micro and macro average differ
MEASURES = ("--measure", "UPOS,LAS")


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Gold and systems on three treebanks; cyd has no file for the second and a broken one for the third."""
    found = tmp_path_factory.mktemp("treebanks")
    for seed, (treebank, n) in enumerate(SIZES.items()):
        write_corpora(found, seed, n_sentences=n, n_documents=4, lengths=(2, 9))
        for system, source in (("gold", "gold"), ("ada", "ada"), ("bix", "bix"), ("cyd", "bix")):
            (found / system).mkdir(exist_ok=True)
            (found / system / f"{treebank}.conllu").write_bytes((found / f"{source}.conllu").read_bytes())
    (found / "cyd" / "bb_y.conllu").unlink()
    (found / "cyd" / "cc_z.conllu").write_text("1\tbroken\n\n", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(found)
        yield found


def call(verb: str, *systems: str) -> list[str]:
    return [verb, "--gold-dir", "gold", *(part for one in systems for part in ("--system-dir", one)), *MEASURES]


class Made:
    """A result as data, and its page: text, tables by their captions, what stderr said."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *arguments: str) -> None:
        self.data: Any = Run(capsys, *arguments, "--json").json
        self.err = Run(capsys, *arguments, "--report", "page.html").err
        self.html = Path("page.html").read_text(encoding="utf-8")
        document = html5lib.parse(self.html, namespaceHTMLElements=False)
        self.verdict = ["".join(one.itertext()) for one in document.findall(".//ul[@class='verdict']/li")]
        self.notes = ["".join(one.itertext()) for one in document.findall(".//p[@class='warning']")]
        self.titles = ["".join(one.itertext()) for one in document.iter("figcaption")]
        self.tables = {
            "".join(table.find("caption").itertext()): [
                ["".join(one.itertext()).replace("★", "").strip() for one in row] for row in table.iter("tr")
            ]
            for table in document.iter("table")
            if table.find("caption") is not None
        }

    def table(self, title: str) -> dict[str, list[str]]:
        """The rows below the heads by their first cell."""
        return {row[0]: row[1:] for row in self.tables[title][1:]}


def percent(value: float) -> str:
    return f"{100 * value:.2f}"


def test_scores_have_each_treebank_and_both_averages_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    made = Made(capsys, *call("score", "ada", "bix"))
    for measure in ("LAS", "UPOS"):
        rows = made.table(f"{measure} by treebank")
        assert list(rows) == [*SIZES, "macro average", "micro average"]
        assert made.tables[f"{measure} by treebank"][0] == ["treebank", "ada", "95 % CI", "bix", "95 % CI"]
        for place, system in enumerate(made.data["systems"]):
            for one in system["treebanks"]:
                found = one["measures"][measure]
                shown = rows[one["treebank"].removesuffix(".conllu")][2 * place : 2 * place + 2]
                assert shown == [percent(found["value"]), f"{percent(found['lower'])}–{percent(found['upper'])}"]
            macro, micro = system["macro"][measure], system["measures"][measure]["value"]
            assert percent(macro) != percent(micro)
            assert rows["macro average"][2 * place] == percent(macro)
            assert rows["micro average"][2 * place] == percent(micro)
            ends = system["macro_intervals"][measure]
            assert rows["macro average"][2 * place + 1] == f"{percent(ends['lower'])}–{percent(ends['upper'])}"
            assert made.table("Macro averages over 3 treebanks")[measure][2 * place] == percent(macro)
            assert made.table("Micro averages over 3 treebanks")[measure][2 * place] == percent(micro)
    assert made.titles == [
        "Macro-averaged LAS of 2 systems with 95 % CI",
        "Macro-averaged UPOS of 2 systems with 95 % CI",
    ]
    assert "Micro averages: precision, recall and counts" in made.tables
    assert not {"Scores", "Precision, recall and counts"} & {*made.tables}
    macro = max(one["macro"]["LAS"] for one in made.data["systems"])
    assert f" {100 * macro:.1f} (" in made.verdict[0]
    assert made.verdict[0].startswith("LAS, macro-averaged over 3 treebanks: ")


@pytest.mark.parametrize("verb", ["score", "compare"])
def test_nothing_untrue_is_said_of_sentences(capsys: pytest.CaptureFixture[str], verb: str) -> None:
    made = Made(capsys, *call(verb, "ada", "bix"))
    assert "changed" not in made.err + made.html
    assert "No sentences: the page shows them for one treebank at a time." in made.err
    assert "Note: No sentences: the page shows them for one treebank at a time." in made.notes
    assert "What to check next" not in made.html  # which would be about a folder


@pytest.mark.parametrize("verb", ["score", "compare"])
def test_what_is_missing_or_broken_is_named(capsys: pytest.CaptureFixture[str], verb: str) -> None:
    made = Made(capsys, *call(verb, "ada", "cyd"))
    assert "Note: Missing, scored as 0: cyd (bb_y.conllu)." in made.notes
    assert "Note: Broken, scored as 0: cyd (cc_z.conllu)." in made.notes
    assert any("scored as 0: cyd (1 missing and 1 broken files)." in line for line in made.verdict)
    rows = made.table("LAS by treebank")
    assert (rows["bb_y"][2], rows["cc_z"][2]) == ("0.00", "0.00")
    for what in ("missing", "broken"):
        assert f'title="{what} file: scored as 0"' in made.html


def test_a_comparison_reads_as_a_page_and_not_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    made = Made(capsys, *call("compare", "ada", "bix"))
    for raw in ("lower is better", "p is upper bound", "Pairs", "mid p"):
        assert raw not in made.html
    (las,) = (one for one in made.data["pairs"] if one["measure"] == "LAS")
    assert made.verdict[0] == las["words"]
    assert made.verdict[-1] == "Macro average over 3 treebanks."
    heads = made.tables["Differences of macro averages"][0]
    assert heads == ["measure", "ada", "bix", "bix − ada", "95 % CI of the difference", "p", "verdict"]
    row = made.table("Differences of macro averages")["LAS"]
    assert row[:2] == [percent(las["value_a"]), percent(las["value_b"])]
    assert row[2] == f"{100 * las['difference']:+.2f}".replace("-", "−")
    assert row[3] == f"{100 * las['lower']:+.2f} … {100 * las['upper']:+.2f}".replace("-", "−")
    assert row[5] in ("ada is better", "bix is better", "no clear difference")
    micro = next(one for one in made.data["micro"]["pairs"] if one["measure"] == "LAS")
    assert made.table("Differences of micro averages")["LAS"][0] == percent(micro["value_a"])
    by_treebank = made.table("Differences in LAS by treebank")
    assert list(by_treebank) == [*SIZES, "macro average", "micro average"]
    for one in made.data["treebanks"]:
        pair = next(pair for pair in one["pairs"] if pair["measure"] == "LAS")
        shown = by_treebank[one["treebank"].removesuffix(".conllu")]
        assert shown[:2] == [percent(pair["value_a"]), percent(pair["value_b"])]
        assert made.table("LAS by treebank")[one["treebank"].removesuffix(".conllu")][::2] == shown[:2]
    assert made.titles == ["Macro-averaged LAS of 2 systems with 95 % CI"]


def test_a_comparison_of_three_ranks_them_with_letters(capsys: pytest.CaptureFixture[str]) -> None:
    made = Made(capsys, *call("compare", "ada", "bix", "cyd"))
    assert made.titles[1] == "Differences in macro-averaged LAS between 3 systems, row − column"
    heads, *rows = made.tables["Ranking by macro average over 3 treebanks"]
    assert heads == ["measure", "rank", "system", "macro average", "95 % CI", "ranks", "letters"]
    for one in made.data["ranking"]:
        (row,) = (row for row in rows if (row[0], row[2]) == (one["measure"], one["name"]))
        assert (row[1], row[3], row[6]) == (str(one["rank"]), percent(one["value"]), one["letters"])
    assert made.tables["Differences in LAS by treebank"][0][:3] == ["treebank", "A", "B"]


def test_without_intervals_no_column_is_for_them(capsys: pytest.CaptureFixture[str]) -> None:
    made = Made(capsys, *call("score", "ada", "bix"), "--resamples", "0")
    assert made.tables["LAS by treebank"][0] == ["treebank", "ada", "bix"]
    assert made.titles[0] == "Macro-averaged LAS of 2 systems"


@pytest.mark.parametrize("verb", ["score", "compare"])
def test_a_measure_that_is_named_is_shown_on_each_treebank(capsys: pytest.CaptureFixture[str], verb: str) -> None:
    asked = call(verb, "ada", "bix")[:-2]
    assert "XPOS by treebank" not in Made(capsys, *asked).tables
    assert {"UPOS by treebank", "XPOS by treebank"} <= {*Made(capsys, *asked, "--measure", "XPOS,UPOS").tables}


@pytest.mark.parametrize("verb", ["score", "compare"])
def test_a_kept_result_has_the_same_headline_as_the_text(capsys: pytest.CaptureFixture[str], verb: str) -> None:
    run = Run(capsys, *call(verb, "ada", "cyd"))
    made = headline_of(
        {"score": "score", "compare": "compare-treebanks"}[verb], json.loads(karat(*call(verb, "ada", "cyd"), "--json"))
    )
    said = " ".join(run.out.split())
    assert made[-1] in said
    if verb == "score":
        assert said.startswith(made[0])


def test_beside_a_baseline_values_are_called_macro_averages() -> None:
    Path("now.json").write_text(karat(*call("score", "ada"), "--json"), encoding="utf-8")
    Path("old.json").write_text(karat(*call("score", "ada=bix"), "--json"), encoding="utf-8")
    karat("report", "now.json", "--baseline", "old.json", "-o", "since.html")
    text = Path("since.html").read_text(encoding="utf-8")
    values = [
        json.loads(Path(name).read_text(encoding="utf-8"))["systems"][0]["macro"]["LAS"]
        for name in ("old.json", "now.json")
    ]
    went = "from {:.2f} to {:.2f}".format(*(100 * one for one in values))
    assert re.search(rf"ada went {re.escape(went)} on LAS \(macro average\)", text)
