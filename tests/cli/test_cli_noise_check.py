"""`karat noise plan` and `karat noise estimate` as a user calls them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import karat
from cli_runs import Run
from examples import EXAMPLES
from karat.cli.noise import _of_judge
from karat.corpus.worklist import WorklistRow, read_worklist, write_worklist
from karat.noise.expected_margin import expected_margin
from karat.noise.token_sampling import pair_allocation
from karat.noise.token_worklist import TOKEN_VERDICTS
from realdata import data

GOLD, ADA, BIX = (str(EXAMPLES / f"{name}.conllu") for name in ("gold", "ada", "bix"))


def fill(path: Path, truth: Sequence[str], answer: Callable[[str], str] = lambda letter: letter) -> None:
    """Judge all rows of a worklist by true tags, one for each word of the gold."""
    worklist = read_worklist(path, kinds=TOKEN_VERDICTS)
    rows = []
    for row in worklist.rows:
        options = {part.split(") ")[1]: part.split(") ")[0] for part in row.shown.split("  ")}
        rows.append(replace(row, verdict=answer(options.get(truth[int(row.id[1:]) - 1], "none"))))
    write_worklist(path, replace(worklist, rows=tuple(rows)))


@pytest.fixture(scope="module")
def noisy(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """EWT's test set as the truth; a gold with 3 % of its tags wrong, and two systems, one of which repeats them."""
    source = data("ud-2.3/UD_English-EWT/en_ewt-ud-test.conllu")
    lines = source.read_text(encoding="utf-8").split("\n")
    folder, rng = tmp_path_factory.mktemp("noisy"), random.Random(11)
    places = [n for n, line in enumerate(lines) if line and line.split("\t")[0].isdigit()]
    truth = [lines[n].split("\t")[3] for n in places]
    kinds = sorted(set(truth))

    def another(tag: str) -> str:
        return rng.choice([one for one in kinds if one != tag])

    gold = [another(tag) if rng.random() < 0.03 else tag for tag in truth]
    free = [tag if rng.random() < 0.955 else another(tag) for tag in truth]
    learner = [tag if rng.random() < 0.9 else another(tag) for tag in truth]
    learner = [mine if rng.random() < 0.6 else own for mine, own in zip(gold, learner, strict=True)]
    systems = {"learner": learner, "free": free}
    for name, tags in {"gold": gold, **systems}.items():
        changed = list(lines)
        for place, tag in zip(places, tags, strict=True):
            columns = changed[place].split("\t")
            changed[place] = "\t".join([*columns[:3], tag, *columns[4:]])
        (folder / f"{name}.conllu").write_text("\n".join(changed), encoding="utf-8")
    return folder, truth


def accuracy(path: Path, truth: Sequence[str]) -> float:
    tags = karat.read_conllu(path).column("upos").strings()
    return sum(a == b for a, b in zip(tags, truth, strict=True)) / len(truth)


def test_a_check_finds_the_real_difference(
    capsys: pytest.CaptureFixture[str], noisy: tuple[Path, list[str]], tmp_path: Path
) -> None:
    folder, truth = noisy
    files = [str(folder / f"{name}.conllu") for name in ("gold", "learner", "free")]
    path = tmp_path / "check.tsv"
    plan = Run(capsys, "noise", "plan", *files, "-o", str(path), "--budget", "300", "--json").json
    assert plan["rows"] == 300
    assert plan["sentences_needed"] > 0
    fill(path, truth)
    found = Run(capsys, "noise", "estimate", *files, "--judgements", str(path), "--json").json
    real = accuracy(folder / "free.conllu", truth) - accuracy(folder / "learner.conllu", truth)
    difference = found["estimates"]["difference"]
    assert difference["lower"] <= real <= difference["upper"]
    assert real - found["observed"] > 0.01  # the noise favours the one that learned it


@pytest.mark.parametrize("known", [True, False])
def test_a_check_finds_the_real_accuracy(
    capsys: pytest.CaptureFixture[str], noisy: tuple[Path, list[str]], tmp_path: Path, known: bool
) -> None:
    """Nineteen of twenty samples would; four of five must."""
    folder, truth = noisy
    files = [str(folder / f"{name}.conllu") for name in ("gold", "learner")]
    error, real = 1 - accuracy(folder / "gold.conllu", truth), accuracy(folder / "learner.conllu", truth)
    options = ["--corpus-error", str(error)] if known else []
    n_found = n_errors_found = 0
    for seed in range(5):
        path = tmp_path / f"{seed}.tsv"
        sampled = ["--budget", "600", "--seed", str(seed), *([] if known else ["--agreements"])]
        Run(capsys, "noise", "plan", *files, "-o", str(path), *sampled)
        fill(path, truth)
        found = Run(capsys, "noise", "estimate", *files, "--judgements", str(path), *options, "--json").json[
            "estimates"
        ]
        x, c = found["accuracy"], found["corpus_error"]
        n_found += x["lower"] <= real <= x["upper"]
        assert x["upper"] - x["lower"] < 0.03
        n_errors_found += not known and c["lower"] <= error <= c["upper"]
    assert n_found >= 4
    assert known or n_errors_found >= 4


def test_everything_judged_leaves_nothing_open(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "check.tsv"
    run = Run(capsys, "noise", "plan", GOLD, ADA, BIX, "-o", str(path), "--budget", "10000")
    assert run.err.endswith(
        f"next: karat review {path}, or fill in the column verdict; then karat noise estimate … --judgements {path}\n"
    )
    fill(path, karat.read_conllu(GOLD).column("upos").strings())
    found = Run(capsys, "noise", "estimate", GOLD, ADA, BIX, "--judgements", str(path), "--json").json
    difference = found["estimates"]["difference"]
    assert difference["value"] == difference["lower"] == difference["upper"] == pytest.approx(found["observed"])
    assert found["verdict"] == "ada.conllu"
    text = Run(capsys, "noise", "estimate", GOLD, ADA, BIX, "--judgements", str(path)).out
    assert text.startswith("ada.conllu is better than bix.conllu, by 0.40 points if judges err in 0 to 5 %\nof the")


def judged_by(
    capsys: pytest.CaptureFixture[str], folder: Path, error: float, *options: str, systems: Sequence[str] = (ADA, BIX)
) -> list[str]:
    """Plans for two judges, who err in a share of the rows; the options that name their files."""
    Run(capsys, "noise", "plan", GOLD, *systems, "-o", str(folder / "check.tsv"), "--judges", "2", *options)
    paths = [folder / f"check.{n}.tsv" for n in (1, 2)]
    rng = random.Random(1)
    for path in paths:
        fill(
            path,
            karat.read_conllu(GOLD).column("upos").strings(),
            lambda letter: rng.choice(sorted({"a", "none"} - {letter})) if rng.random() < error else letter,
        )
    return [part for path in paths for part in ("--judgements", str(path))]


def test_rows_are_dealt_out_with_some_in_common(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """30 rows: 10 for both, 10 for each."""
    written = [GOLD, ADA, BIX, "-o", str(tmp_path / "check.tsv"), "--budget", "30", "--overlap", "10"]
    plan = Run(capsys, "noise", "plan", *written, "--judge", "ina", "--judge", "jan", "--json").json
    assert sorted(path.name for path in tmp_path.iterdir()) == ["check.ina.tsv", "check.jan.tsv"]
    assert plan["judges"] == [{"name": "ina", "rows": 20}, {"name": "jan", "rows": 20}]
    assert (plan["rows"], plan["overlap"]) == (30, 10)
    lists = [read_worklist(tmp_path / f"check.{name}.tsv", kinds=TOKEN_VERDICTS) for name in ("ina", "jan")]
    ids = [[row.id for row in one.rows] for one in lists]
    common = set(ids[0]) & set(ids[1])
    assert (len(common), len(set(ids[0]) | set(ids[1]))) == (10, 30)
    for one in ids:  # mixed in, in an order of its own
        assert [row in common for row in one] != sorted((row in common for row in one), reverse=True)
    assert [row for row in ids[0] if row in common] != [row for row in ids[1] if row in common]
    assert any("For judge ina" in line for line in lists[0].head)
    found = karat.noise_plan(GOLD, [ADA, BIX], budget=30, judges=["ina", "jan"], overlap=10)
    assert {name: [row.id for row in one.rows] for name, one in found.worklists.items()} == {
        "ina": ids[0],
        "jan": ids[1],
    }
    single = karat.noise_plan(GOLD, [ADA, BIX], budget=30)
    assert single.worklists == {"1": single.worklist}


@pytest.mark.parametrize(
    ("written", "expected"),
    [("c.tsv", "c.2.tsv"), ("c.tsv.gz", "c.2.tsv.gz"), ("a.b/c", "a.b/c.2"), (".c.tsv", ".c.2.tsv")],
)
def test_a_judges_name_comes_before_the_ending(written: str, expected: str) -> None:
    assert _of_judge(written, "2") == expected


def test_errors_of_two_judges_are_estimated(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    judgements = judged_by(capsys, tmp_path, 0.1, "--budget", "60", "--overlap", "40")
    found = Run(capsys, "noise", "estimate", GOLD, ADA, BIX, *judgements, "--json").json
    (error,) = found["judge_error"]
    assert error["judge"] is None
    assert error["lower"] < 0.1 < error["upper"]
    assert (found["sensitivity"], found["finished"], found["judges"]["n_shared"]) == ([], True, 40)
    text = Run(capsys, "noise", "estimate", GOLD, ADA, BIX, *judgements).out
    assert "Judges err in" in text
    assert "assumed" in text


def test_one_judge_has_a_table_and_no_bare_interval(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    one = judged_by(capsys, tmp_path, 0.0, "--budget", "80", "--agreements", "--overlap", "0", systems=[ADA])
    for judgements in (one, one[:2]):  # several without a row in common are no better
        found = Run(capsys, "noise", "estimate", GOLD, ADA, *judgements, "--json").json
        assert [case["error"] for case in found["sensitivity"]] == [0, 0.01, 0.02, 0.05]
        first = {name: found["estimates"]["accuracy"][name] for name in ("value", "lower", "upper")}
        assert found["sensitivity"][0] == {"error": 0, **first, "always_valid": found["always_valid"]}
        assert found["judge_error"] == []
        text = Run(capsys, "noise", "estimate", GOLD, ADA, *judgements).out
        assert "real accuracy if judges err in 5 %" in text
        assert "real accuracy  " not in text
        assert text.startswith("The real accuracy of ada.conllu is 96.2 % (95 % CIs ")
        assert "How often judges err is unknown" in text


def strata_of(budget: int) -> dict[str, int]:
    """The stratum of each row of a plan for ada and bix."""
    sample = karat.noise_plan(GOLD, {"ada": ADA, "bix": BIX}, budget=budget).sample
    return {f"w{token + 1}": stratum for token, stratum in zip(sample.tokens, sample.strata.tolist(), strict=True)}


def test_rows_behind_the_last_verdict_are_not_reached(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "check.tsv"
    Run(capsys, "noise", "plan", GOLD, ADA, BIX, "-o", str(path), "--budget", "40")
    fill(path, karat.read_conllu(GOLD).column("upos").strings())
    worklist = read_worklist(path, kinds=TOKEN_VERDICTS)
    strata = strata_of(40)
    rows = sorted(worklist.rows, key=lambda row: strata[row.id] != 2)  # the only one where neither is right is reached

    def found(rows: Sequence[WorklistRow]) -> Any:
        write_worklist(path, replace(worklist, rows=tuple(rows)))
        return Run(capsys, "noise", "estimate", GOLD, ADA, BIX, "--judgements", str(path), "--json").json

    half = [replace(row, verdict="" if place >= 20 else row.verdict) for place, row in enumerate(rows)]
    early = found(half)
    difference = early["estimates"]["difference"]
    assert (early["finished"], early["blanks"]["rows"]) == (False, 0)
    assert difference["least"] == difference["lower"] > early["always_valid"]["lower"]
    assert "20 rows are left to judge" in early["in_words"]
    assert early["verdict"] != "open" or early["rows_to_settle"] in (None, *range(20, 42))
    # sorted in a spreadsheet, what is empty may have been left for a reason
    by_verdict = found(sorted(half, key=lambda row: row.verdict, reverse=True))
    assert (by_verdict["finished"], by_verdict["blanks"]["rows"]) == (True, 20)
    by_text = found(sorted(half, key=lambda row: row.text))
    assert (by_text["finished"], by_text["blanks"]["rows"]) == (True, 20)


def test_blanks_that_decide_are_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Where ada is right by the gold, every other row is for ada, and blank; where bix is, every other is for bix."""
    path = tmp_path / "check.tsv"
    files = [GOLD, f"ada={ADA}", f"bix={BIX}"]
    Run(capsys, "noise", "plan", *files, "-o", str(path), "--budget", "60")
    fill(path, karat.read_conllu(GOLD).column("upos").strings())
    worklist = read_worklist(path, kinds=TOKEN_VERDICTS)
    strata = strata_of(60)
    rows, n_seen = [], [0, 0, 0]
    for row in worklist.rows:
        stratum = strata[row.id]
        n_seen[stratum] += 1
        is_odd = bool(n_seen[stratum] % 2)
        other = "a" if row.verdict != "a" else "b" if "  b) " in row.shown else "none"
        rows.append(replace(row, verdict=other if is_odd else "" if stratum == 0 else row.verdict))
    rows.sort(key=lambda row: row.verdict != "")  # the last row has a verdict
    write_worklist(path, replace(worklist, rows=tuple(rows)))
    found = Run(capsys, "noise", "estimate", *files, "--judgements", str(path), "--json").json
    n_blank = found["blanks"]["rows"]
    assert (found["verdict"], found["verdict_whatever_blanks"]) == ("open", "open")
    assert f"the {n_blank} blank rows may decide it. If blanks are like the rest, bix is better" in found["in_words"]
    assert (n_blank, found["blanks"]["differ"]) == (n_seen[0] // 2, True)
    text = Run(capsys, "noise", "estimate", *files, "--judgements", str(path)).out
    assert "Rows were not left blank at random" in text


def test_several_judges_are_merged(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    paths = [tmp_path / f"{n}.tsv" for n in range(3)]
    tags = karat.read_conllu(GOLD).column("upos").strings()
    rng = random.Random(1)
    for path in paths:
        Run(capsys, "noise", "plan", GOLD, ADA, BIX, "-o", str(path), "--budget", "40")
        fill(path, tags, lambda letter: "none" if rng.random() < 0.2 else letter)
    judgements = [part for path in paths for part in ("--judgements", str(path))]
    found = Run(capsys, "noise", "estimate", GOLD, ADA, BIX, *judgements, "--json").json
    assert 0.4 < found["judges"]["agreement"] < 0.9
    assert found["judges"]["fleiss"] is not None


def test_blanks_widen_what_assumes_nothing(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "check.tsv"
    Run(capsys, "noise", "plan", GOLD, ADA, BIX, "-o", str(path), "--budget", "40")
    rng = random.Random(5)  # leaves a verdict in every stratum
    fill(path, karat.read_conllu(GOLD).column("upos").strings(), lambda letter: "" if rng.random() < 0.5 else letter)
    difference = Run(capsys, "noise", "estimate", GOLD, ADA, BIX, "--judgements", str(path), "--json").json[
        "estimates"
    ]["difference"]
    assert difference["least"] < difference["lower"] < difference["upper"] < difference["most"]


@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        (["plan", GOLD, ADA, BIX], 2, "-o FILE"),
        (["plan", GOLD, "-o", "x"], 2, "Missing argument 'SYSTEM"),
        (["plan", GOLD, ADA, BIX, f"c={ADA}", "-o", "x"], 2, "3 systems"),
        (["plan", GOLD, f"a={ADA}", f"b={ADA}", "-o", "x"], 2, "nothing to judge"),
        (["plan", GOLD, ADA, BIX, "-o", "x", "--agreements"], 2, "for one system"),
        (["plan", GOLD, ADA, BIX, "-o", "x", "--overlap", "5"], 2, "needs several judges"),
        (["plan", GOLD, ADA, BIX, "-o", "x", "--judges", "2", "--overlap", "500"], 2, "the budget of 200"),
        (["plan", GOLD, ADA, BIX, "-o", "x", "--judges", "3", "--judge", "ina"], 2, "does not match 1 name"),
        (["plan", GOLD, ADA, BIX, "-o", "x", "--judge", "ina", "--judge", "Ina"], 2, "same name"),
        (["plan", GOLD, ADA, BIX, "-o", "x", "--judge", "../ina"], 2, "used in a file name"),
        (["plan", GOLD, "nowhere", "-o", "x"], 3, "K101"),
        (["estimate", GOLD, ADA], 2, "--judgements"),
        (["estimate", GOLD, ADA, "--judgements", "nowhere"], 3, "K101"),
        (["estimate", GOLD, ADA, "--judgements", GOLD], 3, "K730"),
        (["estimate", GOLD, ADA, "--judgements", GOLD, "--budget", "3"], 2, "No such option"),
        ([GOLD, ADA, "--lexicon", GOLD, "--corpus-error", "0.1", "--budget", "3"], 2, "No such option"),
    ],
)
def test_bad_calls_are_refused(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    code: int,
    reason: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    run = Run(capsys, "noise", *arguments)
    assert (run.code, reason in run.err) == (code, True)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("made_for", "read_for", "message"),
    [
        ((GOLD, ADA), (GOLD, ADA, BIX), "other systems"),
        ((GOLD, ADA, BIX), (GOLD, ADA), "other systems"),
        ((GOLD, ADA), (GOLD, BIX), "other systems"),
        ((GOLD, ADA), (BIX, ADA), "another gold"),
        ((GOLD, ADA), (GOLD, ADA, "--column", "xpos"), "with the column upos"),
    ],
)
def test_a_worklist_of_other_files_is_refused(
    made_for: Sequence[str],
    read_for: Sequence[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    path = tmp_path / "check.tsv"
    assert Run(capsys, "noise", "plan", *made_for, "-o", str(path), "--budget", "40").code == 0
    run = Run(capsys, "noise", "estimate", *read_for, "--judgements", str(path))
    assert (run.code, "K739" in run.err, message in run.err) == (3, True, True)


def test_systems_may_come_in_another_order(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "check.tsv"
    Run(capsys, "noise", "plan", GOLD, ADA, BIX, "-o", str(path), "--budget", "40")
    assert Run(capsys, "noise", "estimate", GOLD, BIX, ADA, "--judgements", str(path)).code == 0


def test_without_its_signature_a_worklist_of_other_systems_is_told_by_its_lines(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "check.tsv"
    Run(capsys, "noise", "plan", GOLD, ADA, "-o", str(path), "--budget", "40")
    lines = path.read_text(encoding="utf-8").split("\n")
    path.write_text("\n".join(line for line in lines if not line.startswith("# karat:")), encoding="utf-8")
    run = Run(capsys, "noise", "estimate", GOLD, f"a={ADA}", f"b={BIX}", "--judgements", str(path))
    assert (run.code, "K736" in run.err) == (3, True)


def test_the_same_judge_twice_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = str(tmp_path / "check.tsv")
    Run(capsys, "noise", "plan", GOLD, ADA, BIX, "-o", path)
    run = Run(capsys, "noise", "estimate", GOLD, ADA, BIX, "--judgements", path, "--judgements", path)
    assert (run.code, "twice" in run.err) == (2, True)


def test_a_larger_plan_holds_the_smaller_one(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    ids = []
    for budget in ("20", "40"):
        path = tmp_path / f"{budget}.tsv"
        Run(capsys, "noise", "plan", GOLD, ADA, BIX, "-o", str(path), "--budget", budget)
        ids.append({row.id for row in read_worklist(path, kinds=TOKEN_VERDICTS).rows})
    assert ids[0] < ids[1]


def test_a_plan_says_what_it_will_tell(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """d is 1 or -1 with variance 4 · 0.9 · 0.1 in two strata, 2/3 in the third; finite corpus; 998 words."""
    path = str(tmp_path / "check.tsv")
    data = Run(capsys, "noise", "plan", GOLD, ADA, BIX, "-o", path, "--budget", "40", "--json").json
    variance = {"a_right": 0.36, "b_right": 0.36, "neither": 2 / 3}
    total = 0.0
    for one in data["strata"]:
        size, n = one["size"], one["sampled"]
        total += (size / data["words"]) ** 2 * variance[one["name"]] / n * (1 - n / size)
    assert data["margins"][0]["margin"] == pytest.approx(1.959964 * total**0.5, rel=1e-5)
    assert data["margins"][1]["margin"] > data["margins"][0]["margin"]
    sizes = np.array([one["size"] for one in data["strata"]])
    observed = Run(capsys, "noise", "estimate", GOLD, ADA, BIX, "--judgements", path, "--json").json["observed"]

    def detectable(budget: int) -> float:
        """Student's t of the level and of a power of 80 % times the standard error, and a step of two tokens."""
        margin = expected_margin(sizes, pair_allocation(sizes, budget), [0.36, 0.36, 2 / 3], data["words"], 0.95)
        return margin / 1.959964 * float(sum(stats.t.ppf([0.975, 0.8], budget - 3))) + 2 / int(data["words"])

    settled = 0.8 * abs(observed)  # nine of ten with the gold, one against it
    assert detectable(data["tokens_needed"]) < settled <= detectable(data["tokens_needed"] - 1)
    one = Run(capsys, "noise", "plan", GOLD, ADA, "-o", str(tmp_path / "one.tsv"))
    assert "plan --agreements" in one.out
    tiny = Run(capsys, "noise", "plan", GOLD, ADA, BIX, "-o", str(tmp_path / "tiny.tsv"), "--budget", "1")
    assert "nothing can be estimated" in tiny.out


def test_a_corpus_error_that_cannot_be_is_said_first(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "check.tsv"
    Run(capsys, "noise", "plan", GOLD, ADA, "-o", str(path))
    worklist = read_worklist(path, kinds=TOKEN_VERDICTS)
    write_worklist(path, replace(worklist, rows=tuple(replace(row, verdict="none") for row in worklist.rows)))
    run = Run(capsys, "noise", "estimate", GOLD, ADA, "--judgements", str(path), "--corpus-error", "0.001", "--json")
    assert run.json["in_words"].startswith("These numbers cannot be right: the corpus error is given as 0.001")


@pytest.mark.parametrize("column", ["deprel", "lemma"])
def test_other_columns_are_planned_and_estimated(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, column: str
) -> None:
    path = tmp_path / "check.tsv"
    files = (GOLD, ADA, BIX, "--column", column)
    assert Run(capsys, "noise", "plan", *files, "-o", str(path), "--budget", "1000").code == 0
    fill(path, karat.read_conllu(GOLD).column(column).strings())
    found = Run(capsys, "noise", "estimate", *files, "--judgements", str(path), "--json").json
    assert found["estimates"]["difference"]["value"] == pytest.approx(found["observed"])  # people side with the gold


def test_lemmas_may_have_spaces_in_them(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    gold, system, path = tmp_path / "g.conllu", tmp_path / "s.conllu", tmp_path / "check.tsv"
    row = "1\tinto\t{}\tADP\t_\t_\t0\troot\t_\t_\n2\tNew York\t{}\tPROPN\t_\t_\t1\tdep\t_\t_\n\n"
    gold.write_text(row.format("in to", "New York"), encoding="utf-8")
    system.write_text(row.format("into", "New  York city"), encoding="utf-8")
    files = (str(gold), str(system), "--column", "lemma")
    assert Run(capsys, "noise", "plan", *files, "-o", str(path)).code == 0
    worklist = read_worklist(path, kinds=TOKEN_VERDICTS)
    write_worklist(path, replace(worklist, rows=tuple(replace(row, verdict="a") for row in worklist.rows)))
    found = Run(capsys, "noise", "estimate", *files, "--judgements", str(path), "--corpus-error", "0.5", "--json").json
    assert [one["n_judged"] for one in found["strata"]] == [2, 0]
    is_system = [row.shown.startswith(("a) into", "a) New  York city")) for row in worklist.rows]
    assert found["estimates"]["right_where_different"]["value"] == sum(is_system) / 2


def test_the_next_command_can_be_pasted_into_a_shell(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = Run(capsys, "noise", "plan", GOLD, ADA, "-o", "od d;ü$(x).tsv", "--budget", "20")
    assert run.code == 0
    assert "next: karat review 'od d;ü$(x).tsv', or " in run.err
    assert run.err.endswith("karat noise estimate … --judgements 'od d;ü$(x).tsv'\n")
