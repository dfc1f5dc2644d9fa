"""What the check of all brackets would say, from a sample: known totals, open rows, coverage over seeded worklists."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import karat
from karat.corpus import source_from_bytes
from karat.corpus.readers.brackets import brackets_from_source
from karat.corpus.worklist import Worklist, WorklistRow, write_worklist
from karat.evaluation.whole_check import whole_check, whole_check_of
from karat.measures.brackets.checked_strata import CheckedStratum, checked_strata
from karat.measures.brackets.human_check import BracketCheck, Verdicts, worklist_of_checks
from karat.measures.brackets.options import BracketOptions
from karat.measures.brackets.paired_trees import paired_trees
from karat.measures.brackets.punctuation import punctuation_named
from karat.measures.brackets.tree_counts import TreeComparison
from karat.measures.brackets.twelve_measures import JUDGED_ITEMS, parser_measures
from tree_corruptions import corrupted_tree

JUDGED = ("Recall-soft", "Precision-soft", "Spurious Reject", "False Error", "Test Noise", "Problem Rate")
HARD = ("Recall-hard", "Precision-hard")
ITEMS = {"TTB": 11400, "TPB": 8671, "EM": 6748, "CE": 894, "SP": 1029}  # of the paper's Table 1, system A


def random_tree(rng: random.Random, n_words: int) -> str:
    """A tree of two or three brackets or words at each node."""
    if n_words == 1:
        return "(W word)"
    cuts = sorted(rng.sample(range(1, n_words), min(rng.randint(1, 2), n_words - 1)))
    parts = [stop - start for start, stop in pairwise([0, *cuts, n_words])]
    return f"(X {' '.join(random_tree(rng, n) for n in parts)})"


@pytest.fixture(scope="module")
def texts() -> dict[str, list[str]]:
    rng = random.Random(5)
    golds = [f"(TOP {random_tree(rng, rng.randint(8, 14))})" for _ in range(100)]
    return {"gold": golds} | {name: [corrupted_tree(one, rng, 0.6) for one in golds] for name in "ab"}


@pytest.fixture(scope="module")
def files(texts: dict[str, list[str]], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("whole")
    for name, lines in texts.items():
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return {name: folder / name for name in texts}


def checks_of(texts: dict[str, list[str]]) -> list[BracketCheck]:
    sides = {
        name: brackets_from_source(source_from_bytes("\n".join(trees).encode(), name)) for name, trees in texts.items()
    }
    penn = punctuation_named("penn")
    pairs = {name: paired_trees(sides["gold"], sides[name], penn) for name in "ab"}
    return [BracketCheck(name, TreeComparison(pair, BracketOptions())) for name, pair in pairs.items()]


def truth(row: WorklistRow) -> str:
    """An oracle: the same verdict for a bracket in every sample."""
    luck = random.Random(f"{row.sent_id} {row.start}-{row.end}").random()
    return "accept" if luck < {"CE": 0.3, "SP": 0.85, "EM": 0.97}[row.shown[:2]] else "reject"


def decided(worklist: Worklist, decide: Callable[[WorklistRow], str] = truth) -> Worklist:
    return replace(worklist, rows=tuple(replace(row, verdict=decide(row)) for row in worklist.rows))


def scored(files: dict[str, Path], decide: Callable[[WorklistRow], str] = truth, **options: Any) -> karat.Scores:
    systems = {name: files[name] for name in "ab"}
    path = files["gold"].parent / "verdicts.tsv"
    write_worklist(str(path), decided(karat.bracket_worklist(files["gold"], systems, **options), decide))
    return karat.score(files["gold"], systems, judgements=path)


# ---- from numbers ----------------------------------------------------------------------------------------------------


def test_the_whole_check_of_the_paper_has_its_own_values() -> None:
    """Table 1 of system A, all judged: no interval but the values of Table 4."""
    strata = [CheckedStratum("CE", 894, 894, 204), CheckedStratum("SP", 1029, 1029, 956)]
    found = whole_check(ITEMS, strata)
    expected = parser_measures({**ITEMS, "EMA": 6748, "EMR": 0, "CEA": 204, "CER": 690, "SPA": 956, "SPR": 73})
    assert list(found) == list(JUDGED)
    for name, one in found.items():
        assert one.value == one.lower == one.upper == one.least == one.most == pytest.approx(expected[name])


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 894), st.integers(1, 1029), st.data())
def test_an_interval_holds_its_value_and_is_possible(n_ce: int, n_sp: int, data: st.DataObject) -> None:
    accepted = data.draw(st.integers(0, n_ce)), data.draw(st.integers(0, n_sp))
    strata = [CheckedStratum("CE", 894, n_ce, accepted[0]), CheckedStratum("SP", 1029, n_sp, accepted[1])]
    found = whole_check(ITEMS, strata)
    for one in found.values():
        assert one.value is not None
        assert 0 <= one.lower <= one.value + 1e-12
        assert one.value - 1e-12 <= one.upper <= 1
    # SP is known, so that Test Noise says as much as False Error
    noise, error = found["Test Noise"], found["False Error"]
    assert noise.lower == pytest.approx((1029 + 894 * error.lower) / 8671)
    assert noise.upper == pytest.approx((1029 + 894 * error.upper) / 8671)
    recall, precision = found["Recall-soft"], found["Precision-soft"]
    assert recall.upper * 11400 == pytest.approx(precision.upper * 8671)


def test_one_item_judged_to_the_last_leaves_the_other() -> None:
    strata = [CheckedStratum("CE", 894, 90, 20), CheckedStratum("SP", 1029, 1029, 956)]
    found = whole_check(ITEMS, strata)
    assert found["Spurious Reject"].lower == found["Spurious Reject"].upper == pytest.approx(73 / 1029)
    ends = found["False Error"]
    assert found["Precision-soft"].upper == pytest.approx((6748 + 956 + 894 * ends.upper) / 8671)
    assert ends.lower < 20 / 90 < ends.upper


def test_exact_matches_count_where_they_were_judged() -> None:
    strata = [
        CheckedStratum("CE", 894, 90, 20),
        CheckedStratum("SP", 1029, 103, 95),
        CheckedStratum("EM", 6748, 675, 670),
    ]
    found = whole_check(ITEMS, strata)
    assert set(found) == {*JUDGED, *HARD}
    assert found["Recall-hard"].value == pytest.approx(6748 * 670 / 675 / 11400)
    assert found["Test Noise"].value == pytest.approx((6748 * 5 / 675 + 894 * 20 / 90 + 1029) / 8671)


def test_open_rows_are_not_guessed() -> None:
    """Of 90 rows 10 are open: the ends are those of all of them rejected, and of all accepted."""
    spurious = CheckedStratum("SP", 1029, 103, 95)
    found = whole_check(ITEMS, [CheckedStratum("CE", 894, 80, 20, n_open=10), spurious])
    least, most = (whole_check(ITEMS, [CheckedStratum("CE", 894, 90, n), spurious]) for n in (20, 30))
    for name in JUDGED:
        one = found[name]
        assert (one.value is None) == (name != "Spurious Reject")
        assert (one.least, one.lower) == (least[name].value, least[name].lower)
        assert (one.most, one.upper) == (most[name].value, most[name].upper)


def test_no_row_at_all_leaves_an_item_open() -> None:
    (stratum,) = checked_strata("CE", [], 894)
    found = whole_check(ITEMS, [stratum, CheckedStratum("SP", 1029, 1029, 956)])
    assert (found["False Error"].lower, found["False Error"].upper) == (0, 1)


def test_strata_are_known_by_their_weights() -> None:
    rows = [(10.0, 1, "accept")] * 3 + [(10.0, 1, "reject")] * 2 + [(2.5, 2, "")] * 4 + [(1.0, 1, "reject")]
    found = checked_strata("SP", rows, 50 + 20 + 1)
    assert found == (
        CheckedStratum("SP", 50, 5, 3),
        CheckedStratum("SP", 10, 0, 0, n_open=4, times=2),
        CheckedStratum("SP", 1, 1, 0),
    )


def test_rows_that_are_gone_are_open() -> None:
    rows = [(10.0, 1, "accept")] * 3 + [(10.0, 1, "reject")] * 5
    assert checked_strata("CE", rows, 100) == (CheckedStratum("CE", 100, 8, 3, n_open=2),)
    assert checked_strata("CE", [(1.0, 1, "accept")] * 97, 100) == (CheckedStratum("CE", 100, 97, 97, n_open=3),)


def test_nothing_to_divide_by_has_no_interval() -> None:
    items = {"TTB": 10, "TPB": 8, "EM": 6, "CE": 0, "SP": 2}
    found = whole_check(items, [CheckedStratum("SP", 2, 1, 1)])
    assert set(found) == {"Recall-soft", "Precision-soft", "Spurious Reject", "Problem Rate"}


# ---- from worklists --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("same_style", [False, True])
def test_intervals_cover_the_whole_check_over_seeded_samples(texts: dict[str, list[str]], same_style: bool) -> None:
    checks = checks_of(texts)
    everything = decided(worklist_of_checks(checks, same_style=same_style))
    n = len(everything.rows) // 5
    n_seeds = 150
    for check in checks:
        expected = whole_check_of(check, Verdicts(everything, ["a", "b"]))
        covered = dict.fromkeys(JUDGED, 0)
        for seed in range(n_seeds):
            sample = decided(worklist_of_checks(checks, sample=n, same_style=same_style, seed=seed))
            for name, one in whole_check_of(check, Verdicts(sample, ["a", "b"])).items():
                value = expected[name].value
                assert value is not None
                covered[name] += one.lower - 1e-12 <= value <= one.upper + 1e-12
        for name, number in covered.items():  # 95 % of 150 within three standard errors
            assert number / n_seeds > 0.896, (check.name, name)


def test_scores_have_the_whole_check_beside_wider_intervals(files: dict[str, Path]) -> None:
    scores = scored(files, sample=120)
    for system in scores.systems:
        for name, one in system.measures.items():
            assert (one.whole_check is not None) == (name in JUDGED), name
            if one.whole_check is not None:
                assert one.lower is not None
                assert one.upper is not None
                assert one.whole_check.value == pytest.approx(one.value)
                assert one.lower <= one.whole_check.lower <= one.value <= one.whole_check.upper <= one.upper
                data = one.to_dict()
                assert data["whole_check_lower"] == one.whole_check.lower
                assert data["whole_check_upper"] == one.whole_check.upper


def test_without_a_sample_there_is_no_whole_check(files: dict[str, Path]) -> None:
    for system in scored(files).systems:
        assert all(one.whole_check is None for one in system.measures.values())
        assert "whole_check_lower" not in system["Recall-soft"].to_dict()


def test_open_rows_of_a_sample_have_the_whole_check_around_both_ends(files: dict[str, Path]) -> None:
    scores = scored(files, lambda row: "" if int(row.sent_id) % 9 == 0 else truth(row), sample=120)
    for system in scores.systems:
        assert system.bounded
        for one in system.bounded.values():
            assert one.whole_check is not None
            assert one.whole_check.lower <= one.least <= one.most <= one.whole_check.upper
            assert one.whole_check.least == pytest.approx(one.least)
            assert one.whole_check.most == pytest.approx(one.most)
            assert one.ends is not None
            assert one.ends[0] <= one.whole_check.lower
            assert one.whole_check.upper <= one.ends[1]


# ---- intervals over sentences ----------------------------------------------------------------------------------------


def test_a_sample_does_not_make_known_numbers_uncertain(files: dict[str, Path]) -> None:
    """With every crossing bracket rejected, Test Noise is SP/TPB, which is known: its interval is Spuriousness's."""
    scores = scored(files, lambda row: "reject" if row.shown.startswith("CE") else truth(row), sample=120)
    for system in scores.systems:
        noise, spuriousness = system["Test Noise"], system["Spuriousness"]
        assert noise.value == pytest.approx(spuriousness.value)
        assert noise.interval is not None
        assert spuriousness.interval is not None
        assert noise.whole_check is not None
        assert noise.interval.lower == pytest.approx(min(spuriousness.interval.lower or 0, noise.whole_check.lower))
        assert noise.interval.upper == pytest.approx(max(spuriousness.interval.upper or 0, noise.whole_check.upper))


def test_levelled_counts_have_the_same_sums_and_each_tree_its_brackets(texts: dict[str, list[str]]) -> None:
    checks = checks_of(texts)
    verdicts = Verdicts(decided(worklist_of_checks(checks, sample=120, include_exact=True)), ["a", "b"])
    for check in checks:
        judged = verdicts.of(check)
        assert judged.is_sample
        for plain, levelled in zip(judged.corners, judged.levelled, strict=True):
            for item in JUDGED_ITEMS:
                assert levelled[item].sum() == pytest.approx(plain[item].sum())
            for item in ("EM", "CE", "SP"):
                both = levelled[f"{item}A"] + levelled[f"{item}R"]
                assert both == pytest.approx(check.comparison.items[item])


def test_levelled_counts_vary_as_trees_and_sample_do(texts: dict[str, list[str]]) -> None:
    """The variance over trees is, on average over samples, that of the trees plus that of the stratified sample."""
    (check, _) = checks_of(texts)
    everything = decided(worklist_of_checks([check]))
    whole = Verdicts(everything, ["a"]).of(check).corners[0]
    of_trees = len(texts["gold"]) * float(np.var(whole["CEA"], ddof=1))
    estimates, variances, plain = [], [], []
    for seed in range(200):
        judged = Verdicts(decided(worklist_of_checks([check], sample=80, seed=seed)), ["a"]).of(check)
        estimates.append(float(judged.levelled[0]["CEA"].sum()))
        variances.append(len(texts["gold"]) * float(np.var(judged.levelled[0]["CEA"], ddof=1)))
        plain.append(len(texts["gold"]) * float(np.var(judged.corners[0]["CEA"], ddof=1)))
    expected = of_trees + float(np.var(estimates))
    assert np.mean(variances) == pytest.approx(expected, rel=0.15)
    assert np.mean(plain) > 1.15 * expected  # what weights alone would give
