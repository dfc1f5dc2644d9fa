"""What comes back of a plan for several judges: lists or rows that are missing, sorted, tied or bad are told."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import karat
from cli_runs import Run
from examples import EXAMPLES
from karat.corpus.worklist import WorklistRow, read_worklist, write_worklist
from karat.noise.token_worklist import TOKEN_VERDICTS

GOLD, ADA, BIX = (str(EXAMPLES / f"{name}.conllu") for name in ("gold", "ada", "bix"))
PAIR = (GOLD, f"ada={ADA}", f"bix={BIX}")
TRUTH = karat.read_conllu(GOLD).column("upos").strings()
Rows = list[WorklistRow]


def right(row: WorklistRow) -> str:
    """The letter of the gold's tag."""
    options = {part.split(") ")[1]: part.split(") ")[0] for part in row.shown.split("  ")}
    return options[TRUTH[int(row.id[1:]) - 1]]


def filled(path: Path, change: Callable[[Rows], Sequence[WorklistRow]] = lambda rows: rows, judge: str = "") -> Path:
    """A list all of whose rows are judged as the gold has it, then changed."""
    worklist = read_worklist(path, kinds=TOKEN_VERDICTS)
    rows = [replace(row, verdict=right(row), judge=judge) for row in worklist.rows]
    write_worklist(path, replace(worklist, rows=tuple(change(rows))))
    return path


class Check:
    """`karat noise plan` and `estimate` with lists in a folder."""

    def __init__(self, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
        self.capsys, self.folder = capsys, folder

    def planned(self, *options: str, files: Sequence[str] = PAIR) -> list[Path]:
        """The lists of a plan, in a folder of its own."""
        folder = self.folder / str(len(list(self.folder.iterdir())))
        folder.mkdir()
        assert Run(self.capsys, "noise", "plan", *files, "-o", str(folder / "check.tsv"), *options).code == 0
        return sorted(folder.iterdir())

    def run(self, paths: Sequence[Path], *options: str, files: Sequence[str] = PAIR) -> Run:
        judgements = [part for path in paths for part in ("--judgements", str(path))]
        return Run(self.capsys, "noise", "estimate", *files, *judgements, *options)

    def estimated(self, paths: Sequence[Path], *options: str, files: Sequence[str] = PAIR) -> Any:
        return self.run(paths, *options, "--json", files=files).json


@pytest.fixture
def check(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Check:
    return Check(capsys, tmp_path)


# ---- lists and rows that are missing ---------------------------------------------------------------------------------


def test_a_forgotten_list_is_as_one_without_verdicts(check: Check) -> None:
    paths = check.planned("--judges", "3", "--overlap", "12", "--budget", "60")
    for path in paths[:2]:
        filled(path)
    forgotten, untouched = check.estimated(paths[:2]), check.estimated(paths)
    assert (untouched["finished"], untouched["warnings"]) == (False, [])
    for name in ("finished", "always_valid", "verdict", "rows_to_settle", "in_words", "estimates", "judge_error"):
        assert forgotten[name] == untouched[name], name
    assert "16 rows are left to judge" in forgotten["in_words"]  # of 60 − 12, a third
    assert [line.partition(",")[0] for line in forgotten["warnings"]] == ["judge 3's list is missing"]
    assert "warning: judge 3's list is missing" in check.run(paths[:2]).err
    filled(paths[2])
    done = check.estimated(paths)
    assert (done["finished"], done["warnings"]) == (True, [])


def test_missing_judges_are_named(check: Check) -> None:
    names = ["ina|x", "jan", "50%,"]
    paths = check.planned(*(part for name in names for part in ("--judge", name)), "--budget", "40")
    (jan,) = [filled(path) for path in paths if "jan" in path.name]
    found = check.estimated([jan])  # with all rows in common, no token is missing
    assert found["warnings"][0].startswith("the lists of judges ina|x and 50%, are missing")
    assert not found["finished"]


def test_rows_cut_off_count_as_not_reached(check: Check) -> None:
    (path,) = check.planned("--budget", "40")
    filled(path, lambda rows: [replace(row, verdict=row.verdict if n < 25 else "") for n, row in enumerate(rows)])
    whole = check.estimated([path])
    worklist = read_worklist(path, kinds=TOKEN_VERDICTS)
    write_worklist(path, replace(worklist, rows=worklist.rows[:25]))
    cut = check.estimated([path])
    for name in ("finished", "always_valid", "verdict", "in_words", "estimates", "sensitivity"):
        assert cut[name] == whole[name], name
    assert cut["warnings"][0].startswith(f"15 rows are missing from {path}")
    write_worklist(path, replace(worklist, rows=worklist.rows[:39]))
    assert check.estimated([path])["warnings"][0].startswith(f"1 row is missing from {path}")


def test_a_row_that_another_judge_has_is_missing_all_the_same(check: Check) -> None:
    paths = [filled(path) for path in check.planned("--judges", "2", "--overlap", "30", "--budget", "30")]
    filled(paths[0], lambda rows: rows[:20])
    found = check.estimated(paths)
    assert (found["finished"], found["warnings"][0][:10]) == (False, "10 rows ar")
    assert "left to judge" not in found["in_words"]


def test_lists_without_the_entry_are_still_read(check: Check) -> None:
    paths = check.planned("--judges", "3", "--overlap", "12", "--budget", "60")
    for path in paths:
        filled(path)
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        path.write_text("".join(line for line in lines if not line.startswith("# rows:")), encoding="utf-8")
    done, forgotten = check.estimated(paths), check.estimated(paths[:2])
    assert (done["finished"], done["warnings"]) == (True, [])
    assert not forgotten["finished"]
    assert forgotten["warnings"][0].startswith("1 of 3 judges' list is missing")
    assert check.estimated(paths[:1])["warnings"][0].startswith("2 of 3 judges' lists are missing")


def test_two_plans_are_complete_each_for_itself(check: Check) -> None:
    lists = [filled(path) for budget in ("20", "40") for path in check.planned("--budget", budget)]
    assert check.estimated(lists)["warnings"] == []


# ---- sorted ----------------------------------------------------------------------------------------------------------


def half(rows: Rows) -> Rows:
    return [replace(row, verdict=row.verdict if n < len(rows) // 2 else "") for n, row in enumerate(rows)]


@pytest.mark.parametrize(
    "change",
    [
        lambda rows: half(sorted(rows, key=lambda row: row.text)),
        lambda rows: sorted(half(rows), key=lambda row: row.text),
        lambda rows: sorted(half(rows), key=lambda row: row.verdict),
        lambda rows: sorted(half(rows), key=lambda row: (not row.verdict, row.verdict)),
        lambda rows: half(rows)[::-1],
        lambda rows: [replace(row, verdict="" if 8 < n < 35 else row.verdict) for n, row in enumerate(rows)],
    ],
    ids=["sorted, then half judged", "half judged, then by text", "empty first", "empty last", "upwards", "a gap"],
)
def test_a_sorted_list_says_that_its_empty_rows_are_blank(check: Check, change: Callable[[Rows], Rows]) -> None:
    (path,) = check.planned("--budget", "60")
    filled(path, change)
    found = check.estimated([path])
    n_blank = found["blanks"]["rows"]
    assert (n_blank > 20, found["finished"]) == (True, True)
    (warning,) = found["warnings"]
    assert warning.startswith(f"{path} looks sorted, or was not judged from top to bottom: its {n_blank} rows")


@pytest.mark.parametrize(
    "change",
    [
        half,
        lambda rows: [replace(row, verdict="a" if n < 30 else "") for n, row in enumerate(rows)],
        lambda rows: [replace(row, verdict="" if n * 37 % 60 < 24 else "a") for n, row in enumerate(rows)],
        lambda rows: [replace(row, verdict="") for row in sorted(rows, key=lambda row: row.text)],
    ],
    ids=["half", "half, all the same", "blanks here and there", "not begun"],
)
def test_other_lists_are_not_called_sorted(check: Check, change: Callable[[Rows], Rows]) -> None:
    (path,) = check.planned("--budget", "60")
    filled(path, change)
    assert check.estimated([path])["warnings"] == []


# ---- two verdicts ----------------------------------------------------------------------------------------------------


def test_few_rows_with_two_verdicts_and_ties_are_counted(check: Check) -> None:
    """4 rows in common, of which two judges differ on 3."""
    paths = check.planned("--judges", "2", "--overlap", "4", "--budget", "40", "--seed", "1")
    ids = [{row.id for row in read_worklist(path, kinds=TOKEN_VERDICTS).rows} for path in paths]
    differ = sorted(ids[0] & ids[1])[:3]
    filled(paths[0])
    filled(paths[1], lambda rows: [replace(row, verdict="none") if row.id in differ else row for row in rows])
    found = check.estimated(paths)
    assert found["judges"]["n_ties"] == sum(one["n_tied"] for one in found["strata"]) == 3
    assert found["blanks"] == {"rows": 0, "p": None, "differ": False}
    assert [one["n_blank"] for one in found["strata"]] == [0, 0, 0]
    assert found["finished"]
    difference = found["estimates"]["difference"]
    assert difference["least"] < difference["lower"]  # ties may be right either way
    text = " ".join(check.run(paths).out.split())
    assert "only 4 rows have two verdicts; 10 are needed" in text
    assert "blank" not in text
    assert "Worst case for ties: the widest CI if tied rows had been judged either way." in text


def test_everything_judged_and_a_tie_is_no_error(check: Check) -> None:
    """A tie is a judgement where judges may err: counted twice, there were more rows than tokens."""
    paths = check.planned("--judges", "2", "--overlap", "4", "--budget", "1000")
    filled(paths[0])
    filled(paths[1], lambda rows: [replace(row, verdict="none") for row in rows])
    assert sum(one["n_tied"] for one in check.estimated(paths)["strata"]) == 4


def test_one_person_is_not_two_judges(check: Check) -> None:
    paths = check.planned("--judges", "2", "--overlap", "12", "--budget", "40")
    filled(paths[0], judge="Ina"), filled(paths[1], judge="ina")
    (warning,) = check.estimated(paths)["warnings"]
    assert warning.startswith(f"Ina has judged 12 rows twice, in {paths[0]} and {paths[1]}")
    filled(paths[1], judge="Jan")
    assert check.estimated(paths)["warnings"] == []
    common = {row.id for row in read_worklist(paths[0], kinds=TOKEN_VERDICTS).rows}
    rest = lambda rows: [replace(row, verdict="") if row.id in common else row for row in rows]  # noqa: E731
    filled(paths[1], rest, judge="Ina")
    assert check.estimated(paths)["warnings"] == []  # the remedy


# ---- a corpus error that was given -----------------------------------------------------------------------------------


def test_a_corpus_error_that_the_check_contradicts_gives_no_accuracy(check: Check) -> None:
    files = (GOLD, f"ada={ADA}")
    (path,) = check.planned("--budget", "200", "--agreements", files=files)
    filled(path)
    found = check.estimated([path], "--corpus-error", "0.2", files=files)
    assert "cannot be right: the corpus error is given as 0.2" in found["in_words"]
    assert "Leave out the corpus error" in found["in_words"]
    assert "ada" not in found["in_words"]
    assert found["known_corpus_error"] == 0.2
    (path,) = check.planned("--budget", "200", files=files)
    filled(path, lambda rows: [replace(row, verdict="none") for row in rows])
    found = check.estimated([path], "--corpus-error", "0.001", files=files)
    assert "Give another corpus error, or also judge words" in found["in_words"]


def test_which_corpus_error_is_used_is_shown(check: Check) -> None:
    files = (GOLD, f"ada={ADA}")
    (path,) = check.planned("--budget", "200", "--agreements", files=files)
    filled(path, lambda rows: [replace(row, verdict="none") if n % 40 == 0 else row for n, row in enumerate(rows)])
    run = check.run([path], "--corpus-error", "0.031", files=files)
    assert [line.split()[4] for line in run.out.splitlines() if "gold errors (C), given" in line] == ["3.10"]
    assert (
        "gold errors (C) by the check, not used"
        in check.run([path], "--corpus-error", "0.031", "--details", files=files).out
    )
    assert "not used" not in check.run([path], "--details", files=files).out
    records = csv.reader(io.StringIO(check.run([path], "--corpus-error", "0.031", "--format", "csv", files=files).out))
    assert ["corpus_error, as given", "0.031"] in [row[:2] for row in records]


# ---- unfinished ------------------------------------------------------------------------------------------------------


def by_stratum(rows: Rows) -> Rows:
    """Rows of a plan for 60 tokens, last those where neither system is right by the gold."""
    sample = karat.noise_plan(GOLD, {"ada": ADA, "bix": BIX}, budget=60).sample
    strata = dict(zip((f"w{token + 1}" for token in sample.tokens), sample.strata.tolist(), strict=True))
    return sorted(rows, key=lambda row: strata[row.id] == 2)


def test_records_of_an_unfinished_list_have_what_decides(check: Check) -> None:
    (path,) = check.planned("--budget", "60")
    filled(path, lambda rows: half(by_stratum(rows)[::-1]))
    found = check.estimated([path])

    def records() -> dict[str, list[float]]:
        _, *rows = csv.reader(io.StringIO(check.run([path], "--format", "csv").out))
        return {row[0]: [float(cell) for cell in row[1:]] for row in rows}

    rows = records()
    value, valid = found["estimates"]["difference"]["value"], found["always_valid"]
    names = ("lower", "upper", "least", "most")
    assert rows["difference, always valid"] == pytest.approx([value, *(valid[name] for name in names)])
    last = found["sensitivity"][-1]
    expected = [last["value"], *(last["always_valid"][name] for name in names)]
    assert rows["difference if judges err in 0.05, always valid"] == pytest.approx(expected)
    filled(path)
    assert not [name for name in records() if "always valid" in name]


def test_without_an_estimate_there_is_no_worst_case(check: Check) -> None:
    (path,) = check.planned("--budget", "60")
    filled(path, lambda rows: half(by_stratum(rows)))
    found = check.estimated([path])
    assert found["estimates"]["difference"] == dict.fromkeys(("value", "lower", "upper", "least", "most"))
    assert (found["verdict"], found["finished"]) == ("open", False)
    assert "–1" not in check.run([path]).out


# ---- bad files -------------------------------------------------------------------------------------------------------


def test_what_is_wrong_with_all_files_is_said_at_once(check: Check) -> None:
    nowhere = check.folder / "nowhere.tsv"
    paths = check.planned("--judges", "4", "--overlap", "10", "--budget", "40")
    for path in paths:
        filled(path)
    texts = [path.read_text(encoding="utf-8") for path in paths]
    paths[0].write_text(texts[0].replace("\ta\t", "\tperhaps\t"), encoding="utf-8")  # no verdict
    worklist = read_worklist(paths[1], kinds=TOKEN_VERDICTS)
    bad = [replace(row, verdict="h") for row in worklist.rows]  # no option of the row
    write_worklist(paths[1], replace(worklist, rows=tuple(bad)))
    paths[2].write_text(texts[2].replace("|column:upos|", "|column:xpos|"), encoding="utf-8")
    run = check.run([*paths, nowhere], "--max-errors", "0")
    assert run.code == 3
    for path, code in zip((*paths[:3], nowhere), ("K734", "K738", "K739", "K101"), strict=True):
        assert any(str(path) in line and code in line for line in run.err.splitlines()), code
    assert str(paths[3]) not in run.err


# ---- what is said before ---------------------------------------------------------------------------------------------


def test_a_plan_says_that_judges_may_not_err(check: Check) -> None:
    run = Run(check.capsys, "noise", "plan", *PAIR, "-o", str(check.folder / "x.tsv"), "--budget", "40")
    assert "if judges never err" in " ".join(run.out.split())


def test_the_help_of_estimate_names_its_own_default_of_cluster(capsys: pytest.CaptureFixture[str]) -> None:
    text = " ".join(Run(capsys, "noise", "estimate", "--help").out.split())
    assert "default: none" in text
    assert "documents if two or more are marked" not in text
