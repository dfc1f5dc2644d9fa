"""Every number of Slaski et al. 2012: the same rows whatever there is, and what they say of the paper's own counts."""

from __future__ import annotations

import io
import json
import math
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from cli_runs import Run
from karat.experiments.papers import slaski_2012_prints as prints
from karat.experiments.papers.published import slaski_2012 as paper
from karat.experiments.papers.published.numbers import PaperEvidence, PublishedNumber
from karat.experiments.papers.published.slaski_2012 import BASELINE_CONFUSION, confusion_command, published
from karat.experiments.papers.reproduction import PaperNumber, PaperPart, Reproduction
from realdata import data, wordnet
from typed_commands import run_as_typed


@pytest.fixture(scope="module")
def rows() -> list[PublishedNumber]:
    return list(published(PaperEvidence()))


def _bare(rows: list[PublishedNumber]) -> list[PublishedNumber]:
    """The rows without what depends on data and on training."""
    return [one if one.needs == "nothing" else replace(one, ours=None) for one in rows]


def test_numbers_are_named_once(rows: list[PublishedNumber]) -> None:
    assert len({(one.where, one.of) for one in rows}) == len(rows) == 57


def test_what_follows_from_the_paper_agrees_and_misprints_do_not(rows: list[PublishedNumber]) -> None:
    assert [one for one in rows if one.state == "differs"] == []
    (recall,) = (one for one in rows if one.status == "misprint")
    assert (recall.of, recall.printed) == ("recall, %", "65 %")
    assert recall.ours == pytest.approx(100 * 2674 / (2674 + 1781))
    assert [one.of for one in rows if one.status == "misprint" and one.agrees] == []
    assert all(one.ours is not None for one in rows if one.needs == "nothing" and one.status in ("equal", "misprint"))
    assert all(one.why for one in rows)


def test_printed_numbers_sum_to_what_the_paper_has(rows: list[PublishedNumber]) -> None:
    sums: dict[str, float] = {}
    for one in rows:
        sums[one.where] = sums.get(one.where, 0) + (one.value or 0)
    assert {where: round(value, 2) for where, value in sums.items()} == {
        "Abstract": 160, "Section 1": 2, "Section 2.1": 12, "Section 2.2": 1_000_033, "Section 2.3": 30,
        "Section 2.4": 99, "Section 3": 55_981.82, "Table 1": 42_256.04, "Section 5": 1100.13,
    }  # fmt: skip


def test_ratios_are_those_of_the_counts_by_hand(rows: list[PublishedNumber]) -> None:
    found = {one.of: one.ours for one in rows if one.where == "Table 1"}
    for part, (right, wrong, missed, _) in prints.CONFUSION.items():
        of = prints.ABOUT[part]
        assert found[f"precision, {of}"] == pytest.approx(right / (right + wrong))
        assert found[f"recall, {of}"] == pytest.approx(right / (right + missed))
        assert found[f"F1, {of}"] == pytest.approx(2 * right / (2 * right + wrong + missed))


@pytest.mark.parametrize("part", ["all", "wordnet"])
@pytest.mark.parametrize("cell", range(3))
def test_a_changed_count_is_noticed(monkeypatch: pytest.MonkeyPatch, part: str, cell: int) -> None:
    counts = [*prints.CONFUSION[part]]
    counts[cell] *= 2
    monkeypatch.setitem(prints.CONFUSION, part, tuple(counts))
    assert any(one.state == "differs" for one in published(PaperEvidence()))


def test_the_baselines_counts_have_its_printed_ratios() -> None:
    right, wrong, missed, _ = BASELINE_CONFUSION
    assert prints.BASELINE[:2] == (right / (right + wrong), right / (right + missed))
    assert round(prints.ratios(prints.CONFUSION["all"])[2] - prints.ratios(BASELINE_CONFUSION)[2], 2) == prints.GAIN


def test_printed_sums_are_right() -> None:
    assert prints.FEATURES == 1 + prints.MORPHOSYNTACTIC + prints.OF_WORDNET
    assert prints.MORPHOSYNTACTIC == prints.COMBINED + 3  # valence, part of speech with case, agreement
    assert prints.SIGNALS == {
        "lexical": prints.MEASURES,
        "morphosyntactic": prints.MEASURES * prints.MORPHOSYNTACTIC,
        "wordnet": prints.MEASURES * prints.OF_WORDNET,
    }
    assert sum(prints.CONFUSION["all"]) == 26_024


def test_the_experiments_numbers_are_found() -> None:
    """All rows that need training ask for a number that the experiment has, by its very name."""
    asked: list[tuple[str, str]] = []

    class Asking(PaperEvidence):
        def number(self, part: str, of: str, *, times: float = 1.0) -> float | None:
            asked.append((part, of))
            return None

    rows = list(published(Asking()))
    numbers = [PaperNumber(part, of, "share", i + 1.0, None, None, 1.0, same_data=False) for i, (part, of) in
               enumerate(asked)]  # fmt: skip
    run = Reproduction("", "", "", (PaperPart("", "", tuple(numbers)),), (), 0, 0, 0, "")
    given = list(published(PaperEvidence(None, run)))
    of_training = [one for one in given if one.needs == "training"]
    assert [one.ours for one in of_training] == [i + 1.0 for i in range(len(asked))]
    assert _bare(given) == _bare(rows)


def _confusions(rows: list[PublishedNumber]) -> Iterator[tuple[str, PublishedNumber]]:
    for one in rows:
        for command in one.command.split("; "):
            if command.startswith("printf"):
                yield command, one


def test_commands_of_confusion_matrices_print_ours(
    rows: list[PublishedNumber], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: dict[str, list[PublishedNumber]] = {}
    for command, one in _confusions(rows):
        asked.setdefault(command, []).append(one)
    assert len(asked) == 3
    for command, of in asked.items():
        text, call = command.removeprefix("printf '").split("' | karat ")
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.replace("\\n", "\n").encode())))
        run = Run(capsys, *call.split())
        assert run.code == 0
        edges = run.json["classes"][0]
        printed = [run.json["items"], *(edges[name] for name in ("precision", "recall", "f1"))]
        for one in of:
            if ";" not in one.command:
                assert one.ours is not None
                assert any(math.isclose(one.ours / (100 if "%" in one.of else 1), value) for value in printed), one


def test_the_command_of_the_valence_example_prints_ours(
    rows: list[PublishedNumber], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In both sentences the object is `na` with the accusative, whatever its noun is."""
    found = [one for one in rows if one.of.endswith("values of the valence feature")]
    (command,) = {one.command for one in found}
    run = run_as_typed(command.replace("valence.stats", str(tmp_path / "valence.stats")), tmp_path, capsys)
    assert run.code == 0, run.err
    (valence,) = (one for one in run.json["features"] if one["name"] == "valence")
    assert [valence["left_values"], valence["right_values"]] == [one.ours for one in found] == [3, 2]


def test_another_case_would_be_another_valence(monkeypatch: pytest.MonkeyPatch) -> None:
    other = (*paper.VALENCE[1][:1], ("na", "na", "prep:loc"), ("żonie", "żona", "subst:sg:loc:f"))
    monkeypatch.setattr(paper, "VALENCE", (paper.VALENCE[0], other))
    differing = [one.of for one in paper.published(PaperEvidence()) if one.state == "differs"]
    assert differing == ["right values of the valence feature"]


def test_the_command_of_features_prints_how_many_there_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rows: list[PublishedNumber]
) -> None:
    row = "1\tcat\tcat\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tsleeps\tsleep\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    (tmp_path / "tagged.conllu").write_text(row)
    (tmp_path / "lemmas.tab").write_text("# a few\n02121620-n\tpol:lemma\tkot\n")
    (command,) = {
        one.command for one in rows if one.command.startswith("karat attach stats DIR") and ";" not in one.command
    }
    here = {"pl.stats": "out.stats", "DIR/plwordnet/wn-data-pol.tab": "lemmas.tab"}
    words = [str(tmp_path / here[one]) if one in here else one for one in command.split()[1:]]
    first = next(n for n, one in enumerate(words) if one.startswith("DIR"))
    words = [*words[:first], str(tmp_path / "tagged.conllu"), *(one for one in words[first:] if "DIR" not in one)]
    at = words.index("--wordnet") + 1
    run = Run(capsys, *words[:at], str(wordnet()), *words[at + 1 :])
    assert run.code == 0
    kinds = [one["kind"] for one in run.json["features"]]
    assert (len(kinds), kinds.count("morphosyntactic"), kinds.count("wordnet")) == (14, 10, 3)


def test_a_folder_without_polish_is_missing_and_rows_stay(rows: list[PublishedNumber], tmp_path: Path) -> None:
    evidence = PaperEvidence(str(tmp_path))
    assert list(published(evidence)) == rows
    assert [one.what for one in evidence.missing] == ["the statistics of Polish text", "the drawn sentences"]
    assert "no UD_Polish-PDB in it" in evidence.missing[0].why


def test_on_real_data_rows_are_the_same_but_for_ours(rows: list[PublishedNumber]) -> None:
    folder = data("ud-2.18/UD_Polish-PDB/pl_pdb-ud-test.conllu").parents[2]
    evidence = PaperEvidence(str(folder))
    found = list(published(evidence))
    assert _bare(found) == rows
    ours = {one.of: one.ours for one in found if one.needs == "data"}
    assert ours == {
        "words of the statistics (also 3)": 112_894,
        "tokens": 8831,
        "pairs of syntactic objects, run again": 26_514,
    }
    assert [name for _, name, _ in evidence.inputs] == ["UD_Polish-PDB", "UD_Polish-PUD", "UD_Polish-LFG"]
    assert evidence.missing == []


def test_prints_can_be_read_as_numbers(rows: list[PublishedNumber]) -> None:
    assert [one.printed for one in rows if one.value is None] == []
    words = {one.printed: one.value for one in rows if one.worked}
    assert words == {
        "the two": 2, "CARE": 3, "⟨FOR, obj⟩": 2, "1-million-word": 1_000_000, "a single": 1, "two": 2,
        "over 23 500": 23_500, "most frequently": 1, "the second one": 2, "one": 1,
    }  # fmt: skip
    assert json.dumps([one.to_dict() for one in rows])
    assert confusion_command((1, 2, 3, 4)).startswith("printf ',YES,NO\\nYES,1,3\\nNO,2,4\\n'")
