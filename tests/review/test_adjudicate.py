"""Several judges' lists as one: what they agree on, where they differ, and how often each is wrong."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from checked_taggers import judge_rows, made_taggers
from karat.corpus.worklist import Worklist, WorklistRow, write_worklist
from karat.errors import DataError, UsageError
from karat.inference.options import InferenceOptions
from karat.noise.human_check import noise_estimate
from karat.noise.judges import merged_judges
from karat.review.adjudicate import adjudication, judges_of_reviews, merged_lists
from karat.review.reading import read_any_worklist
from karat.review.session import Review

FEW = InferenceOptions(n_resamples=200)


def token(number: int, shown: str = "a) NOUN  b) VERB") -> WorklistRow:
    return WorklistRow(f"w{number}", "token", "c", f"s{number}", 1, 1, f"[cup] {number}", shown)


def suspect(number: int, verdict: str, label: str = "") -> WorklistRow:
    row = WorklistRow(f"s{number}", "suspect", "c", f"s{number}", 1, 1, f"[cup] {number}", "VERB")
    return replace(row, word="cup", label_here="VERB", label_there="NOUN", verdict=verdict, label=label)


def judged(rows: list[WorklistRow], verdicts: Mapping[int, str]) -> Worklist:
    return Worklist(tuple(replace(row, verdict=verdicts.get(n, "")) for n, row in enumerate(rows)))


def test_what_all_say_is_taken_over_and_only_rows_where_they_differ_are_left() -> None:
    rows = [token(n) for n in range(1, 6)]
    one, other = judged(rows, {0: "a", 1: "a", 2: "b"}), judged(rows, {0: "a", 1: "b", 3: "none"})
    found = merged_lists([("ina", one), ("jan", other)], inference=FEW)
    assert [row.verdict for row in found.merged.rows] == ["a", "", "b", "none", ""]
    assert [row.judge for row in found.merged.rows] == ["ina, jan", "", "ina", "jan", ""]
    assert [row.id for row in found.worklist.rows] == ["w2"]
    assert found.worklist.rows[0].note == "ina: NOUN; jan: VERB"
    assert (found.n_judged, found.n_shared, found.judges) == (4, 2, ("ina", "jan"))
    decided = found.decided([replace(found.worklist.rows[0], verdict="b", judge="eva")])
    assert [row.verdict for row in decided.rows] == ["a", "b", "b", "none", ""]
    assert decided.rows[1].judge == "eva"
    assert json.loads(json.dumps(found.to_dict()))["differing"] == ["w2"]


def test_a_decision_on_a_row_that_is_not_open_changes_nothing() -> None:
    rows = [token(1), token(2)]
    found = merged_lists([("ina", judged(rows, {0: "a"})), ("jan", judged(rows, {0: "a"}))], inference=FEW)
    assert found.decided([replace(rows[0], verdict="b")]) == found.merged


def test_a_label_that_is_not_written_contradicts_none_and_the_proposed_one_is_meant() -> None:
    first = [suspect(1, "error"), suspect(2, "error", "ADJ"), suspect(3, "ambiguity")]
    second = [
        suspect(1, "error", "NOUN"),
        suspect(2, "error", "ADV"),
        suspect(3, "right"),
    ]
    found = merged_lists([("ina", Worklist(tuple(first))), ("jan", Worklist(tuple(second)))], inference=FEW)
    assert [one.row.id for one in found.differing] == ["s2", "s3"]
    assert found.merged.rows[0].label == "NOUN"
    assert found.worklist.rows[0].note == "ina: error ADJ; jan: error ADV"


def test_work_of_one_judge_from_two_machines_is_one_judges(tmp_path: Path) -> None:
    rows = [token(n) for n in range(1, 5)]
    named = [replace(row, judge="ina") for row in rows]
    for name, verdicts in (("laptop", {0: "a", 1: "b"}), ("desk", {1: "b", 2: "a"})):
        write_worklist(tmp_path / f"{name}.tsv", judged(named, verdicts))
    found = adjudication([tmp_path / "laptop.tsv", tmp_path / "desk.tsv"], inference=FEW)
    assert found.judges == ("ina",)
    assert [row.verdict for row in found.merged.rows] == ["a", "b", "a", ""]
    assert (found.differing, found.n_shared) == ((), 0)
    write_worklist(tmp_path / "desk.tsv", judged(named, {1: "a"}))
    contradicted = adjudication([tmp_path / "laptop.tsv", tmp_path / "desk.tsv"], inference=FEW)
    assert [one.row.id for one in contradicted.differing] == ["w2"]
    assert contradicted.worklist.rows[0].note == "ina: VERB, NOUN"


def test_lists_that_ask_different_things_under_one_id_are_refused(tmp_path: Path) -> None:
    write_worklist(tmp_path / "a.tsv", judged([token(1)], {0: "a"}))
    write_worklist(tmp_path / "b.tsv", judged([token(1, "a) VERB  b) NOUN")], {0: "a"}))
    with pytest.raises(DataError, match="K965"):
        adjudication([tmp_path / "a.tsv", tmp_path / "b.tsv"])
    with pytest.raises(UsageError, match="at least two"):
        adjudication([tmp_path / "a.tsv", tmp_path / "a.tsv"])


def test_agreement_is_about_what_verdicts_mean_not_their_letters() -> None:
    """The same letter is another tag in another row; Cohen's and Fleiss' kappa as `noise estimate` has them."""
    rng = np.random.default_rng(3)
    shown = ["a) NOUN  b) VERB", "a) VERB  b) NOUN"]
    rows = [token(n + 1, shown[rng.integers(2)]) for n in range(80)]
    right = [rng.choice(["NOUN", "VERB"], p=[0.8, 0.2]) for _ in rows]
    lists, codes = [], []
    for name in ("ina", "jan"):
        tags = [tag if rng.random() > 0.15 else {"NOUN": "VERB", "VERB": "NOUN"}[tag] for tag in right]
        verdicts = {n: "a" if rows[n].shown.startswith(f"a) {tag}") else "b" for n, tag in enumerate(tags)}
        lists.append((name, judged(rows, verdicts)))
        codes.append([["NOUN", "VERB"].index(tag) for tag in tags])
    found = merged_lists(lists, inference=FEW)
    reference = merged_judges(np.array(codes))
    assert found.agreement["observed"].value == pytest.approx(reference.agreement)
    assert found.agreement["kappa_cohen"].value == pytest.approx(reference.cohen)
    assert found.agreement["kappa_pooled"].value == pytest.approx(reference.fleiss)
    interval = found.agreement["alpha"].interval
    assert interval is not None
    assert interval.lower is not None
    assert interval.upper is not None
    assert interval.lower < found.agreement["alpha"].value < interval.upper  # type: ignore[operator]


@pytest.mark.parametrize("rates", [(0.1, 0.1), (0.03, 0.2, 0.08)])
def test_error_rates_of_judges_are_found_again(rates: tuple[float, ...]) -> None:
    """Of two judges the common rate, of three each judge's own: within the interval, which is not all there is."""
    rng = np.random.default_rng(5)
    rows = [token(n + 1, "a) NOUN  b) VERB") for n in range(600)]
    right = rng.integers(3, size=len(rows))
    answers = ["a", "b", "none"]
    lists = []
    for number, rate in enumerate(rates):
        wrong = rng.random(len(rows)) < rate
        said = np.where(wrong, (right + rng.integers(1, 3, size=len(rows))) % 3, right)
        lists.append((f"j{number}", judged(rows, {n: answers[one] for n, one in enumerate(said.tolist())})))
    found = merged_lists(lists, inference=FEW)
    names = [one.judge for one in found.judge_errors]
    assert names == ([None] if len(rates) == 2 else ["j0", "j1", "j2"])
    for one, rate in zip(found.judge_errors, rates, strict=False):
        assert one.lower <= rate <= one.upper
        assert one.upper - one.lower < 0.1
    assert merged_lists([(name, replace(one, rows=one.rows[:9])) for name, one in lists]).judge_errors == ()


def test_merged_lists_of_a_plan_are_complete_for_noise_estimate(tmp_path: Path) -> None:
    taggers = made_taggers(tmp_path)
    paths = taggers.lists(100, ["ina", "jan"], overlap=30)
    for path, name in zip(paths, ["ina", "jan"], strict=True):
        review = Review.opened(path, [name])
        judge_rows(review, range(len(review.worklist.rows)), taggers.verdict)
        review.close()
    found = adjudication(paths, inference=FEW)
    assert found.judges == ("ina", "jan")
    assert (len(found.merged.rows), found.n_shared, found.differing) == (100, 30, ())
    merged = tmp_path / "merged.tsv"
    write_worklist(merged, found.merged)
    estimate = noise_estimate(taggers.gold, taggers.systems, merged)
    assert estimate.warnings == ()
    assert estimate.estimate.is_finished
    assert found.agreement["observed"].value == 1
    cut = tmp_path / "cut.tsv"
    write_worklist(cut, replace(found.merged, rows=found.merged.rows[:90]))
    assert not noise_estimate(taggers.gold, taggers.systems, cut).estimate.is_finished


def test_judges_of_one_review_are_merged_from_its_store(tmp_path: Path) -> None:
    path = tmp_path / "list.tsv"
    write_worklist(path, judged([token(n) for n in range(1, 4)], {}))
    review = Review.opened(path, ["ina", "jan"])
    judge_rows(review, [0, 1], lambda _: "a", "ina")
    judge_rows(review, [0, 1], lambda row: "b" if row.id == "w2" else "a", "jan")
    found = judges_of_reviews([review], inference=FEW)
    review.close()
    assert [one.row.id for one in found.differing] == ["w2"]
    assert [row.id for row in found.merged.rows] == ["w1", "w2"]
    assert read_any_worklist(tmp_path / "list.jan.tsv").rows[1].verdict == "b"


def test_a_typo_and_an_unclear_guideline_say_nothing_of_how_far_judges_agree() -> None:
    rows = [token(n) for n in range(1, 31)]
    said = {n: "ab"[n % 2] for n in range(30)}
    plain = merged_lists([("ina", judged(rows, {**said, 0: ""})), ("jan", judged(rows, said))], inference=FEW)
    unclear = merged_lists([("ina", judged(rows, {**said, 0: "unclear"})), ("jan", judged(rows, said))], inference=FEW)
    assert unclear.agreement["alpha"] == plain.agreement["alpha"]
    assert [one.row.id for one in unclear.differing] == ["w1"]
