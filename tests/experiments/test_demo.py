"""`karat demo`: what it says is true is true, its commands repeat it, and no folder of anybody else is emptied."""

from __future__ import annotations

import csv
import json
import os
import re
import shlex
import shutil
import webbrowser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import karat
from browser import chromium, opened
from cli_runs import Run
from karat.cli import demo as cli_demo
from karat.corpus.worklist import Worklist, WorklistRow
from karat.experiments.demo_folder import RECORD, DemoFolder, emptied_folder
from karat.experiments.demo_judge import judged_by_truth
from karat.experiments.demo_results import DemoBetter, DemoInterval, DemoResult, DemoSuspects, DemoSystem
from karat.report.demo import demo_report
from karat.report.tables import written
from karat.report.text import Style
from page_checks import check_accessible, check_parses, check_valid

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, DemoResult]]:
    """A demo in a folder whose name a shell has to quote, and the folder where it was started."""
    start = tmp_path_factory.mktemp("demo")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(start)
        yield start, karat.run_demo("my demo", seed=1)


def upos(path: Path) -> list[str]:
    return [line.split("\t")[3] for line in path.read_text(encoding="utf-8").splitlines() if "\t" in line]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


# ---- what is true ----------------------------------------------------------------------------------------------------


def test_true_and_observed_accuracies_are_those_of_the_files(demo: tuple[Path, DemoResult]) -> None:
    start, result = demo
    truth, gold = (upos(start / "my demo" / name) for name in ("truth.conllu", "gold.conllu"))
    for one in result.systems:
        tags = upos(start / "my demo" / f"{one.name}.conllu")
        assert one.true_accuracy == pytest.approx(sum(map(str.__eq__, tags, truth)) / len(truth), abs=1e-12)
        assert one.observed.value == pytest.approx(sum(map(str.__eq__, tags, gold)) / len(gold), abs=1e-12)
        for found in (one.observed, one.bounds, one.adjudicated):
            assert found.inside == (found.lower <= one.true_accuracy <= found.upper)
    a, b = result.systems
    assert result.true_difference == b.true_accuracy - a.true_accuracy
    assert result.better.truth == (b if b.true_accuracy > a.true_accuracy else a).name


def test_planted_errors_are_counted_where_gold_and_truth_differ(demo: tuple[Path, DemoResult]) -> None:
    start, result = demo
    folder = start / "my demo"
    is_wrong = list(map(str.__ne__, upos(folder / "truth.conllu"), upos(folder / "gold.conllu")))
    assert result.suspects.planted == sum(is_wrong) == round(result.corpus_error * result.n_tokens)
    gold = karat.read(folder / "gold.conllu")
    suspects = json.loads((folder / "suspects.json").read_bytes())["suspects"]
    places = [int(gold.sentence_offsets[one["sentence"] - 1]) + one["token"] - 1 for one in suspects]
    assert result.suspects.suspects == len(suspects)
    assert result.suspects.first_10 == sum(is_wrong[place] for place in places[:10])
    assert result.suspects.first_50 == sum(is_wrong[place] for place in places[:50])


def test_verdicts_are_the_true_tags_and_nothing_else_is_filled_in(demo: tuple[Path, DemoResult]) -> None:
    start, result = demo
    truth = upos(start / "my demo" / "truth.conllu")
    n_rows, words = 0, set[str]()
    for stem in ("check", "check-hmm", "check-perceptron"):
        empty, judged = (rows_of(start / "my demo" / f"{stem}{end}.tsv") for end in ("", "-judged"))
        n_rows, words = n_rows + len(judged), words | {row["id"] for row in judged}
        for before, row in zip(empty, judged, strict=True):
            assert before == {**row, "verdict": "", "judge": ""}
            tags = dict(re.findall(r"([a-h])\) (\S+)", row["shown"]))
            true_tag = truth[int(row["id"][1:]) - 1]
            assert row["verdict"] == "none" if true_tag not in tags.values() else tags[row["verdict"]] == true_tag
    assert (result.rows_judged, result.words_judged) == (n_rows, len(words))


def rows_of(path: Path) -> list[dict[str, str]]:
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return list(csv.DictReader(lines, delimiter="\t"))


def test_a_judge_who_knows_the_truth_says_so_if_no_tag_shown_is_true() -> None:
    shown = "a) NOUN  b) VERB"
    rows = [WorklistRow(f"w{n}", "token", "gold", "s1", n, n, "a [b]", shown, 1.0) for n in (1, 2, 3)]
    judged = judged_by_truth(Worklist(tuple(rows), ()), ["VERB", "ADJ", "NOUN"])
    assert list(judged.column("verdict")) == ["b", "none", "a"]


# ---- what can be repeated --------------------------------------------------------------------------------------------


def test_every_command_repeats_its_step(demo: tuple[Path, DemoResult], capsys: Capture) -> None:
    """What writes files writes the same bytes; what prints a result prints the same numbers."""
    start, result = demo
    before = contents(start / "my demo")
    n_results = 0
    for step in result.steps:
        commands = [shlex.split(command) for command in step.commands]
        assert all(command[0] == "karat" for command in commands)
        if not step.results:
            for command in commands:
                assert Run(capsys, *command[1:]).code == 0, command
            continue
        for command, name in zip(commands, step.results, strict=True):
            run = Run(capsys, *command[1:], "--json")
            assert run.code == 0, run.err
            assert without_warnings(run.json) == without_warnings(json.loads(before[name])), name
            n_results += 1
    assert n_results == 9
    assert contents(start / "my demo") == before
    truth = "truth.conllu"
    assert (start / "my demo-simulated" / truth).read_bytes() == before[truth]


def without_warnings(data: dict[str, Any]) -> dict[str, Any]:
    """Warnings name parameters in the library, and options on the command line."""
    return {name: value for name, value in data.items() if name != "warnings"}


def test_the_same_seed_gives_the_same_files(demo: tuple[Path, DemoResult], monkeypatch: pytest.MonkeyPatch) -> None:
    start, _ = demo
    before = contents(start / "my demo")
    karat.run_demo("my demo", seed=1)  # in the folder that the first one wrote
    after = contents(start / "my demo")
    changing = {"demo.json", RECORD}  # seconds
    assert {name for name in before if before[name] != after.get(name)} <= changing
    assert before.keys() == after.keys()


# ---- the folder ------------------------------------------------------------------------------------------------------


def test_a_folder_that_a_demo_wrote_is_emptied(tmp_path: Path) -> None:
    folder = emptied_folder(tmp_path / "new" / "demo")
    folder.write("gold.conllu", b"1")
    folder.write("gold.conllu", b"2")
    (tmp_path / "new" / "demo" / ".karat-0123456789abcdef").write_bytes(b"half a fi")
    emptied_folder(tmp_path / "new" / "demo")
    assert set(contents(tmp_path / "new" / "demo")) == {RECORD}


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    assert emptied_folder(tmp_path).path("a") == str(tmp_path / "a")


@pytest.mark.parametrize("name", ["notes.txt", "report.html", ".hidden", "demo.json"])
def test_a_folder_with_files_of_others_is_left_as_it_is(tmp_path: Path, name: str) -> None:
    emptied_folder(tmp_path).write("gold.conllu", b"1")
    (tmp_path / name).write_text("mine")
    before = contents(tmp_path)
    with pytest.raises(karat.UsageError, match=f"{re.escape(name)} was not written by karat demo"):
        emptied_folder(tmp_path)
    assert contents(tmp_path) == before


def test_a_file_that_was_changed_is_kept(tmp_path: Path) -> None:
    emptied_folder(tmp_path).write("check.tsv", b"1")
    (tmp_path / "check.tsv").write_text("judged by me")
    before = contents(tmp_path)
    with pytest.raises(karat.UsageError, match=r"check\.tsv has changed since karat demo wrote it"):
        emptied_folder(tmp_path)
    assert contents(tmp_path) == before


@pytest.mark.parametrize(
    "record", [b"", b"{", b"[]", b'{"schema": "karat/demo-files/1"}', b'{"schema": "x", "files": {"a.txt": "1"}}']
)
def test_a_folder_without_a_demos_record_is_refused(tmp_path: Path, record: bytes) -> None:
    (tmp_path / RECORD).write_bytes(record)
    with pytest.raises(karat.UsageError, match="was not made by karat demo"):
        emptied_folder(tmp_path)
    assert contents(tmp_path) == {RECORD: record}


def test_links_and_folders_are_never_followed_or_removed(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "a.txt").write_bytes(b"1")
    folder = emptied_folder(tmp_path / "demo")
    folder.write("a.txt", b"1")
    (tmp_path / "link").symlink_to(tmp_path / "demo")
    with pytest.raises(karat.UsageError, match="is a link"):
        emptied_folder(tmp_path / "link")
    (tmp_path / "demo" / "a.txt").unlink()
    (tmp_path / "demo" / "a.txt").symlink_to(kept / "a.txt")  # the same bytes, under a name that the demo wrote
    with pytest.raises(karat.UsageError, match=r"a\.txt was not written by karat demo"):
        emptied_folder(tmp_path / "demo")
    (tmp_path / "demo" / "a.txt").unlink()
    (tmp_path / "demo" / "a.txt").mkdir()
    with pytest.raises(karat.UsageError, match=r"a\.txt was not written by karat demo"):
        emptied_folder(tmp_path / "demo")
    assert (kept / "a.txt").read_bytes() == b"1"


def test_a_file_is_no_folder(capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / "demo").write_text("a file")
    run = Run(capsys, "demo", "-o", str(tmp_path / "demo"))
    assert run.code == 2
    assert "demo is not a folder; move it away, or choose another folder" in run.err


class _StoppedError(Exception):
    pass


@pytest.mark.parametrize("at", range(10))
def test_a_demo_that_was_interrupted_can_be_started_again(tmp_path: Path, at: int) -> None:
    """At whatever step: all that is in the folder is known as the demo's own."""
    steps = []

    def stop(what: str) -> None:
        steps.append(what)
        if len(steps) > at:
            raise _StoppedError

    with pytest.raises(_StoppedError):
        karat.run_demo(tmp_path, progress=stop, n_tokens=2000)
    emptied_folder(tmp_path)
    assert set(contents(tmp_path)) == {RECORD}


def test_a_folder_with_a_name_that_no_system_takes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(karat.UsageError, match="cannot be read: File name too long"):
        emptied_folder(tmp_path / ("x" * 3000))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(karat.UsageError, match="cannot be written"):
        emptied_folder(tmp_path / "demo")


# ---- what people read ------------------------------------------------------------------------------------------------


def told(better: str, *, value: float = 0.02, inside: tuple[bool, bool] = (True, True), bounds: str = "open") -> str:
    """The story of a made-up demo, in which perceptron is truly better by two points."""

    def interval(value: float, *, inside: bool = True) -> DemoInterval:
        return DemoInterval(value, value - 0.01, value + 0.01, inside)

    systems = tuple(
        DemoSystem(name, true, interval(true - 0.02, inside=False), interval(true), interval(true, inside=is_inside))
        for name, true, is_inside in zip(("hmm", "perceptron"), (0.91, 0.93), inside, strict=True)
    )
    result = DemoResult(
        "d", 0, 1000, 80, 4, 0.03, systems, DemoBetter("perceptron", "perceptron", bounds, better), 0.02,
        interval(value), DemoSuspects(30, 90, 9, 28), 600, 500, 0.95, (),
    )  # fmt: skip
    return " ".join(written(demo_report(result, page="d/report.html"), "text", Style()).split())


def test_the_story_says_what_is_right_open_and_wrong() -> None:
    right = told("perceptron")
    assert "perceptron is better than hmm by 2.00 points (95 % CI 1.00 to 3.00)." in right
    assert "This is right: the true difference is 2.00 points, and both true accuracies lie in their" in right
    assert "Open d/report.html to see it all." in right
    undecided = told("open", value=0.005)
    assert "no clear winner (perceptron − hmm: 95 % CI −0.50 to +1.50 points)." in undecided
    assert "This is not decided:" in undecided
    wrong = told("hmm", value=-0.02)
    assert "hmm is better than perceptron by 2.00 points (95 % CI 1.00 to 3.00)." in wrong
    assert "This is wrong:" in wrong


def test_the_story_says_which_true_accuracy_was_missed() -> None:
    assert "But the true accuracy of hmm lies outside its interval" in told("perceptron", inside=(False, True))
    both = told("perceptron", inside=(False, False))
    assert "But the true accuracies of hmm and perceptron lie outside their intervals, as happens to 5 in 100." in both


def test_the_story_says_what_bounds_leave_open() -> None:
    assert "calls perceptron better, but once the errors are allowed for, the two could be" in told("perceptron")
    assert "and perceptron is better whatever the errors hide" in told("perceptron", bounds="perceptron")


def test_calling_the_worse_tagger_better_is_never_right() -> None:
    assert DemoBetter("b", "open", "open", "b").is_never_wrong
    assert not DemoBetter("b", "open", "open", "open").is_right
    for wrong in (DemoBetter("b", "a", "open", "b"), DemoBetter("b", "b", "a", "b"), DemoBetter("b", "b", "b", "a")):
        assert not wrong.is_never_wrong


# ---- the command -----------------------------------------------------------------------------------------------------


def test_the_command_says_each_step_and_writes_what_it_prints(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = Run(capsys, "demo", "--seed", "2", "--json")
    assert run.code == 0, run.err
    assert run.json == json.loads((tmp_path / "karat-demo" / "demo.json").read_bytes())
    assert run.json["seed"] == 2
    said = [line for line in run.err.splitlines() if line.endswith(" …")]
    assert said == [f"{step['what']} …" for step in run.json["steps"]]


def test_an_interruption_ends_with_130(capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("karat.experiments.demo.find_suspects", interrupted)
    assert Run(capsys, "demo", "-o", str(tmp_path / "demo")).code == 130
    emptied_folder(tmp_path / "demo")


def test_open_shows_the_page_in_a_browser(capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    def shown(address: str) -> bool:
        opened.append(address)
        return True

    monkeypatch.setattr(webbrowser, "open", shown)
    page = tmp_path / "a page.html"
    cli_demo._open(page)
    assert opened == [page.as_uri()]
    monkeypatch.setattr(webbrowser, "open", lambda address: False)
    cli_demo._open(page)
    assert f"no browser found; open {page}" in capsys.readouterr().err


def test_what_is_written_later_is_known_as_the_demos_own(tmp_path: Path) -> None:
    emptied_folder(tmp_path).write("gold.conllu", b"1")
    DemoFolder(tmp_path).write("report.html", b"<html>")
    emptied_folder(tmp_path)
    assert set(contents(tmp_path)) == {RECORD}


def test_the_page_is_valid_accessible_and_asks_for_nothing(
    demo: tuple[Path, DemoResult], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start, result = demo
    shutil.copytree(start / "my demo", tmp_path / "my demo")
    monkeypatch.chdir(tmp_path)
    cli_demo._write_report(Path("my demo"), result, lambda: demo_report(result))
    page = tmp_path / "my demo" / "report.html"
    text = page.read_text(encoding="utf-8")
    check_parses(text)
    assert text.count("<article") > 20
    assert "no sentences:" not in text
    with chromium() as browser:
        with opened(browser, page, width=400) as one:
            assert one.overflow == 0
        check_accessible(browser, page)
    check_valid(page)


# ---- whether it is right ---------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_conclusions_agree_with_the_truth_for_seeds_0_to_9(tmp_path: Path) -> None:
    found = [karat.run_demo(tmp_path, seed=seed) for seed in range(10)]
    assert sum(one.better.is_right for one in found) >= 8
    assert all(one.better.is_never_wrong for one in found)
    assert sum(all(system.adjudicated.inside for system in one.systems) for one in found) >= 8
    assert all(one.suspects.first_10 >= 8 for one in found)
