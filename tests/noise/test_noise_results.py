"""What the functions of noise return, beside what the command line prints."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, given, settings, strategies as st

import karat
from cli_runs import Run
from examples import EXAMPLES
from karat.corpus.worklist import write_worklist
from karat.errors import UsageError
from karat.noise.from_numbers import paired
from karat.noise.priors import Priors
from karat.noise.results import Ends, NoiseResult
from result_claims import SCRIPT, assert_is_printed, assert_is_safe

GOLD, ADA, BIX = (str(EXAMPLES / f"{name}.conllu") for name in ("gold", "ada", "bix"))


def test_numbers_give_what_the_command_line_prints(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--corpus-error", "0.03", "--ambiguity", "2.5", "--u", "0.6", "--n", "5000", "--json"]
    run = Run(capsys, "noise", "--observed", "0.9135", "--observed", "0.9282", *options)
    found = karat.noise_bounds([0.9135, 0.9282], corpus_error=0.03, ambiguity=2.5, u=0.6, n=5000)
    assert_is_printed(found, run.json)
    assert [one.name for one in karat.noise_bounds(0.9, 0.03, 2.5).systems] == ["T1"]


def test_all_words_and_one_p_are_as_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--corpus-error", "0.03", "--ambiguity", "2.5", "--p", "0.8", "--ambiguous-share", "0.363"]
    options += ["--other-error", "0.01", "--json"]
    run = Run(capsys, "noise", "--observed", "0.9135", "--observed", "0.9282", *options)
    found = karat.noise_bounds([0.9135, 0.9282], 0.03, 2.5, p=0.8, ambiguous_share=0.363, other_error=0.01)
    assert_is_printed(found, run.json)
    assert found.at_p == 0.8
    assert [one.bounds for one in found.systems] == [one.intervals[0].ends for one in found.systems]
    with pytest.raises(UsageError, match="ambiguous_share"):
        karat.noise_bounds(0.9, 0.03, 2.5, other_error=0.01)


@settings(max_examples=300, deadline=None)
@given(
    right=st.integers(0, 400),
    wrong=st.integers(0, 60),
    only_system_right=st.integers(0, 20),
    same_error=st.integers(0, 20),
    other_error=st.integers(0, 20),
    others=st.integers(0, 600),
    others_wrong=st.integers(0, 20),
    ambiguity=st.floats(2, 6),
)
def test_words_counted_one_by_one_lie_within_the_bounds(
    right: int,
    wrong: int,
    only_system_right: int,
    same_error: int,
    other_error: int,
    others: int,
    others_wrong: int,
    ambiguity: float,
) -> None:
    """A corpus of which all is known, counted: Table 1 for ambiguous words; others are the same in gold and system."""
    n, gold_wrong = right + wrong + only_system_right + same_error + other_error, only_system_right + same_error
    gold_wrong += other_error
    others_wrong = min(others // 2, others_wrong)
    assume(n > gold_wrong > 0 and same_error + other_error > 0)
    t, u = right / (n - gold_wrong), only_system_right / gold_wrong
    p = same_error / (same_error + other_error)
    assume(1 / ambiguity <= u <= t and p >= 1 / (ambiguity - 1))  # what is reasonable
    real = (right + only_system_right) / n
    real_overall = (right + only_system_right + others - others_wrong) / (n + others)
    observed = (right + same_error) / n
    share, rate = n / (n + others), others_wrong / others if others else 0.0
    for chosen in ((), p):
        (one,) = karat.noise_bounds(
            observed, gold_wrong / n, ambiguity, p=chosen, ambiguous_share=share, other_error=rate
        ).systems
        assert one.bounds is not None
        assert one.whole is not None
        assert one.whole.observed == pytest.approx((right + same_error + others) / (n + others))
        assert one.bounds.lower - 1e-9 <= real <= one.bounds.upper + 1e-9
        assert one.whole.bounds.lower - 1e-9 <= real_overall <= one.whole.bounds.upper + 1e-9
        free = one.intervals[0].free
        assert not chosen or (free is not None and free.lower - 1e-9 <= real <= free.upper + 1e-9)
        assert one.p.lower - 1e-9 <= p <= one.p.upper + 1e-9


def test_of_many_pairs_the_clear_winners_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    observed = ["a=0.90", "b=0.91", "c=0.80"]
    options = [part for one in observed for part in ("--observed", one)]
    out = Run(capsys, "noise", *options, "--corpus-error", "0.03", "--ambiguity", "2.5").out.replace("\n", " ")
    assert out.startswith(
        "Even with 3 % of the gold wrong, a and b are better than c, if the assumptions hold. No clear winner in 1 "
        "other pair."
    )
    out = Run(
        capsys, "noise", *options[:4], "--observed", "0.92", "--corpus-error", "0.03", "--ambiguity", "2.5"
    ).out.replace("\n", " ")
    assert out.startswith("No clear winner in any of 3 pairs of systems: with 3 % of the gold wrong, their real")


def test_intervals_that_nearly_touch_are_shown_apart() -> None:
    """94.04 and 94.06 % are 94.0 and 94.1 %; 94.06 and 94.08 % take two digits."""
    a, b = karat.noise_bounds({"a": 0.9, "b": 0.95}, 0.0, 2.5).systems
    for low, high, shown in ((0.9404, 0.9406, "94.1–95.0 % against 93.0–94.0 %"), (0.9406, 0.9408, "94.08–95.00")):
        systems = replace(a, envelope=Ends(0.93, low)), replace(b, envelope=Ends(high, 0.95))
        pairs = paired(systems, Priors({}))
        assert shown in NoiseResult(systems, pairs, ()).in_words(pairs[0])


def test_files_give_what_the_command_line_prints(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "noise", GOLD, f"ada={ADA}", f"bix={BIX}", "--lexicon", GOLD, "--corpus-error", "0.03", "--json")
    systems = {"ada": ADA, "bix": BIX}
    assert_is_printed(karat.noise_bounds_from_files(GOLD, systems, lexicon=GOLD, corpus_error=0.03), run.json)


def test_priors_may_be_a_file(tmp_path: Path) -> None:
    path = tmp_path / "priors.toml"
    path.write_text("u = {point = 0.5}\n", encoding="utf-8")
    assert karat.noise_bounds(0.9, 0.03, 2.5, priors=path).to_dict()["priors"]["u"] == "point(0.5)"


@pytest.mark.parametrize("systems", [{"ada": ADA}, {"ada": ADA, "bix": BIX}])
def test_plan_and_estimate_are_what_the_command_line_prints(
    systems: dict[str, str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = str(tmp_path / "check.tsv")
    files = [GOLD, *(f"{name}={path}" for name, path in systems.items())]
    run = Run(capsys, "noise", "plan", *files, "-o", path, "--budget", "30", "--json")
    plan = karat.noise_plan(GOLD, systems, budget=30)
    assert_is_printed(plan, run.json)
    assert len(plan.to_dataframe()) == len(plan.strata)
    run = Run(capsys, "noise", "estimate", *files, "--judgements", path, "--json")
    assert_is_printed(karat.noise_estimate(GOLD, systems, path), run.json)


def test_names_are_escaped_in_html(tmp_path: Path) -> None:
    assert_is_safe(karat.noise_bounds({SCRIPT: 0.9, "b": 0.91}, 0.03, 2.5))
    plan = karat.noise_plan(GOLD, {SCRIPT: ADA})
    assert_is_safe(plan)
    path = tmp_path / "check.tsv"
    write_worklist(str(path), plan.worklist)
    assert_is_safe(karat.noise_estimate(GOLD, {SCRIPT: ADA}, path))


def broken(folder: Path) -> str:
    """The output of a system with two sentences whose HEAD is no number."""
    lines = Path(ADA).read_text(encoding="utf-8").split("\n")
    starts = [number for number, line in enumerate(lines) if line.startswith("1\t")]
    for number in starts[:2]:
        fields = lines[number].split("\t")
        lines[number] = "\t".join([*fields[:6], "x", *fields[7:]])
    path = folder / "broken.conllu"
    path.write_text("\n".join(lines), encoding="utf-8")
    return str(path)


OF_FILES = ("--lexicon", GOLD, "--corpus-error", "0.03")


def test_max_errors_limits_the_problems_that_are_listed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    run = Run(capsys, "noise", GOLD, broken(tmp_path), *OF_FILES, "--max-errors", "1")
    assert (run.code, run.err.count("K207")) == (3, 1)
    assert "and 1 more problem (--max-errors 0 shows all)" in run.err
    run = Run(capsys, "noise", "plan", GOLD, broken(tmp_path), "-o", str(tmp_path / "x"), "--max-errors", "1")
    assert (run.code, run.err.count("K207")) == (3, 1)


def test_what_is_skipped_and_how_inputs_are_read_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = broken(tmp_path)
    worklist = str(tmp_path / "check.tsv")
    for arguments in (
        [GOLD, path, *OF_FILES],
        ["plan", GOLD, path, "-o", worklist],
        ["estimate", GOLD, path, "--judgements", worklist],
    ):
        run = Run(capsys, "noise", *arguments, "--skip-bad", "-v")
        assert run.code == 0
        assert f"{path}: read as conllu" in run.err
        assert run.err.count("skipped: ") == run.err.count("K207") == 2


def test_of_a_gold_without_errors_nothing_is_said_to_be_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--observed", "a=0.90", "--observed", "b=0.80", "--corpus-error", "0", "--ambiguity", "2.5"]
    out = Run(capsys, "noise", *options).out.replace("\n", " ")
    assert out.startswith("a is better than b, even if none of the gold is wrong: ")
