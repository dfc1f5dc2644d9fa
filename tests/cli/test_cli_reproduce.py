"""`karat reproduce`: what no longer agrees fails; folders and papers that are not there are named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli_runs import Run
from karat.experiments.papers import padro_1998_prints
from karat.experiments.papers.catalogue import PAPERS

Capture = pytest.CaptureFixture[str]


def test_without_a_paper_all_six_are_shown(capsys: Capture) -> None:
    data = Run(capsys, "reproduce", "--json").json
    assert [one["paper"] for one in data["papers"]] == list(PAPERS)
    assert data["counts"]["differs"] == 0
    assert data["counts"]["rows"] == sum(len(one["rows"]) for one in data["papers"])
    assert (data["data"], data["quick"]) == (None, False)


def test_a_number_that_no_longer_agrees_fails(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    assert Run(capsys, "reproduce", "padro-1998").code == 0
    (name, p), ends = next(iter(padro_1998_prints.INTERVALS.items()))
    monkeypatch.setitem(padro_1998_prints.INTERVALS, (name, p), (ends[0] + 0.0001, ends[1]))
    run = Run(capsys, "reproduce", "padro-1998")
    assert run.code == 1
    assert "1 should agree and does not" in " ".join(run.out.split())
    assert "These should agree and do not" in run.out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["padro-1998", "--data", "nowhere"], 3, "nowhere: K101 no such folder"),
        (["padro"], 2, "'padro' is not one of 'padro-1998'"),
        (["padro-1998", "--seeds", "2"], 2, "--seeds: no experiment is run without --data DIR, or with --quick"),
        (["padro-1998", "-o", "a-file"], 2, "a-file is a file; name a folder for the results"),
        (["padro-1998", "-o", "a-file/below"], 2, "a-file/below cannot be made"),
    ],
)
def test_what_cannot_be_done_is_said(
    arguments: list[str], code: int, message: str, capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a-file").touch()
    run = Run(capsys, "reproduce", *arguments)
    assert run.code == code
    assert message in " ".join(run.err.split())


def test_the_folder_has_everything(capsys: Capture, tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    run = Run(capsys, "reproduce", "padro-1998", "melamed-2000", "-o", str(folder), "--json")
    assert json.loads((folder / "numbers.json").read_text(encoding="utf-8")) == run.json
    page, text = ((folder / f"numbers.{one}").read_text(encoding="utf-8") for one in ("html", "md"))
    for one in run.json["papers"]:
        for row in one["rows"]:
            assert row["of"].replace("|", "\\|") in text
    assert "padro-1998, Figure 1: reasonable intervals for both taggers" in page
    assert "melamed-2000, Figure 1: the tag inventory that the examples imply" in page


def test_nothing_is_written_without_experiment_or_folder(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert Run(capsys, "reproduce", "melamed-2000", "--data", ".").code == 0
    assert list(tmp_path.iterdir()) == []
