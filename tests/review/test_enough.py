"""The estimate beside a list: what `noise estimate` says of the rows it may use, for people who watch."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

import karat
from checked_taggers import CheckedTaggers, judge_rows, made_taggers
from karat.corpus.worklist import Worklist, WorklistRow, read_worklist, write_worklist
from karat.errors import DataError
from karat.noise.human_check import noise_estimate
from karat.noise.looking_early import rows_until_enough, watched_stretch
from karat.review.enough import ReviewEstimate, enough
from karat.review.error_share import always_valid_share, listed_share, sampled_share
from karat.review.running_estimate import Enough
from karat.review.session import Review


@pytest.fixture(scope="module")
def taggers(tmp_path_factory: pytest.TempPathFactory) -> CheckedTaggers:
    return made_taggers(tmp_path_factory.mktemp("taggers"))


@pytest.fixture
def fresh(taggers: CheckedTaggers, tmp_path: Path) -> CheckedTaggers:
    """The same files where nothing was judged yet."""
    for path in (taggers.gold, *taggers.systems.values()):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    return CheckedTaggers(tmp_path, taggers.right)


# ---- tokens ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n_judges", "n_rows"), [(1, 60), (1, 120), (2, 50), (2, 85)])
def test_it_says_what_noise_estimate_says_of_the_files_for_people_who_watch(
    fresh: CheckedTaggers, n_judges: int, n_rows: int
) -> None:
    """Values are the same; ends are further from them, by a factor that depends on the share of the rows judged."""
    names = ["ina", "jan"][:n_judges]
    paths = fresh.lists(120, names, overlap=50 if n_judges > 1 else None)
    reviews = [Review.opened(path, [name]) for path, name in zip(paths, names, strict=True)]
    for review in reviews:
        judge_rows(review, range(n_rows), fresh.verdict)
    n_planned = sum(len(review.worklist.rows) for review in reviews)
    now = ReviewEstimate(reviews, fresh.gold, fresh.systems, n_draws=20_000).now()
    for review in reviews:
        review.close()
    pair = noise_estimate(fresh.gold, fresh.systems, paths).pair
    assert pair is not None
    n_used = n_rows * n_judges
    times = watched_stretch(n_used, n_planned, sum(one.size for one in pair.strata), 0.95)
    lower, upper = 1.0, -1.0
    for one in pair.sensitivity or [pair.difference]:
        assert one.value is not None
        assert one.least is not None
        assert one.most is not None
        lower = min(lower, one.value - times * (one.value - one.least))
        upper = max(upper, one.value + times * (one.most - one.value))
    assert now.value == pair.difference.value
    assert (now.lower, now.upper) == pytest.approx((lower, upper))
    assert now.is_enough == (lower > 0 or upper < 0)
    assert now.rows_used == n_used


def test_rows_behind_the_first_undecided_one_do_not_count(fresh: CheckedTaggers) -> None:
    (path,) = fresh.lists(120, ["ina"])
    review = Review.opened(path)
    estimate = ReviewEstimate([review], fresh.gold, fresh.systems)
    judge_rows(review, range(30), fresh.verdict)
    before = estimate.now()
    assert not before.is_enough
    assert before.rows_to_go
    assert before.words.endswith(f": about {before.rows_to_go} more rows.")
    judge_rows(review, range(31, 70), fresh.verdict)  # row 30 was jumped over
    now = estimate.now()
    assert now.words == f"{before.words} Row 31 is undecided: 39 rows judged after it will count once it is judged."
    assert replace(now, words=before.words) == before
    judge_rows(review, [30], fresh.verdict)
    assert estimate.now().rows_used == 70
    review.store.undo("", request="take it back")
    assert estimate.now() == now
    review.store.close()


def test_an_unsure_row_is_reached_and_may_be_anything(fresh: CheckedTaggers) -> None:
    (path,) = fresh.lists(120, ["ina"])
    review = Review.opened(path)
    estimate = ReviewEstimate([review], fresh.gold, fresh.systems)
    judge_rows(review, range(60), fresh.verdict)
    sure = estimate.now()
    judge_rows(review, [7, 23, 48], lambda _: "")
    unsure = estimate.now()
    assert sure.lower is not None
    assert sure.upper is not None
    assert unsure.lower is not None
    assert unsure.upper is not None
    assert unsure.rows_used == sure.rows_used
    assert unsure.upper - unsure.lower > sure.upper - sure.lower
    review.store.close()


def test_a_large_difference_is_enough_early_and_noise_estimate_agrees(tmp_path: Path) -> None:
    taggers = made_taggers(tmp_path, b=0.999)
    (path,) = taggers.lists(150, ["ina"])
    review = Review.opened(path)
    estimate = ReviewEstimate([review], taggers.gold, taggers.systems)
    said: list[Enough] = []
    for first in range(0, 150, 10):
        judge_rows(review, range(first, first + 10), taggers.verdict)
        said.append(estimate.now())
        if said[-1].is_enough:
            break
    review.close()
    assert said[-1].is_enough
    assert said[-1].rows_used < 150
    assert said[-1].words.startswith("Enough judged: B is better")
    assert said[-1].rows_to_go == 0
    assert not said[0].is_enough
    found = noise_estimate(taggers.gold, taggers.systems, path).pair
    assert found is not None
    assert found.verdict == "B"


def test_of_one_system_it_is_enough_at_the_end_of_the_list(fresh: CheckedTaggers) -> None:
    from karat.noise.human_check import noise_plan

    one = {"A": fresh.systems["A"]}
    path = fresh.folder / "one.tsv"
    write_worklist(path, noise_plan(fresh.gold, one, budget=100, agreements=True).worklist)
    review = Review.opened(path)
    estimate = ReviewEstimate([review], fresh.gold, one)
    judge_rows(review, range(60), fresh.verdict)
    part = estimate.now()
    judge_rows(review, range(60, 100), fresh.verdict)
    whole = estimate.now()
    review.store.close()
    assert (part.is_enough, part.rows_to_go, whole.is_enough, whole.rows_to_go) == (False, 40, True, 0)
    assert part.lower is not None
    assert part.value is not None
    assert part.upper is not None
    assert part.lower < part.value < part.upper
    assert "real accuracy of A" in whole.words


def test_too_few_rows_say_how_many_are_missing_for_a_first_estimate(fresh: CheckedTaggers) -> None:
    (path,) = fresh.lists(120, ["ina"])
    review = Review.opened(path)
    judge_rows(review, range(4), fresh.verdict)
    now = enough(review, "", gold=fresh.gold, systems=fresh.systems)
    review.store.close()
    assert now.words == "A first estimate needs 6 more rows."
    assert now.value is None
    assert json.loads(json.dumps(now.to_dict()))["rows_used"] == 4


def test_a_list_of_other_files_is_refused(fresh: CheckedTaggers) -> None:
    (path,) = fresh.lists(120, ["ina"])
    review = Review.opened(path)
    judge_rows(review, range(20), fresh.verdict)
    others = {"A": fresh.systems["A"], "B": fresh.gold}
    with pytest.raises(DataError, match="K739"):
        enough(review, gold=fresh.gold, systems=others)
    review.store.close()


def test_without_files_there_is_how_far_the_list_is(fresh: CheckedTaggers) -> None:
    (path,) = fresh.lists(120, ["ina"])
    review = Review.opened(path)
    judge_rows(review, range(20), fresh.verdict)
    now = enough(review)
    review.store.close()
    assert (now.rows_used, now.rows_to_go, now.value, now.is_enough) == (20, 100, None, False)
    assert "give the gold" in now.words


def test_judges_of_one_list_are_one_estimate_or_each_their_own(fresh: CheckedTaggers) -> None:
    (path,) = fresh.lists(120, ["ina"])
    review = Review.opened(path, ["ina", "jan"])
    rng = np.random.default_rng(1)

    def erring(row: WorklistRow) -> str:
        return "none" if rng.random() < 0.2 else fresh.verdict(row)

    judge_rows(review, range(60), fresh.verdict, "ina")
    judge_rows(review, range(40), erring, "jan")
    estimate = ReviewEstimate([review], fresh.gold, fresh.systems)
    ina, jan, both = estimate.now("ina"), estimate.now("jan"), estimate.now()
    review.store.close()
    assert (ina.rows_used, jan.rows_used, both.rows_used) == (60, 40, 100)
    assert len({one.value for one in (ina, jan, both)}) == 3


@given(st.floats(0.001, 0.2), st.floats(0.001, 0.1), st.integers(10, 100), st.integers(0, 200))
def test_rows_until_enough_are_the_first_that_do(value: float, error: float, n_judged: int, n_left: int) -> None:
    n_planned, n_all = n_judged + n_left, 2000
    found = rows_until_enough(value, error, n_judged, n_planned, n_all, 0.95)

    def suffices(n: int) -> bool:
        """Within the plan its boundary; beyond it the end of that boundary, of a plan that has so many rows."""
        stretch = watched_stretch(min(n, n_planned), n_planned, n_all, 0.95)
        return value > (1.959964 * stretch + 0.841621) * error * math.sqrt(n_judged / n)

    first = next((n - n_judged for n in range(n_judged, n_all + 1) if suffices(n)), None)
    if first is None:
        assert found is None or found >= n_all - n_judged - 1
    else:
        assert found is not None
        assert abs(found - first) <= 1


def test_at_the_end_of_a_list_that_leaves_it_open_a_longer_one_is_named(fresh: CheckedTaggers) -> None:
    (path,) = fresh.lists(40, ["ina"])
    review = Review.opened(path)
    judge_rows(review, range(40), fresh.verdict)
    now = enough(review, gold=fresh.gold, systems=fresh.systems)
    review.store.close()
    assert not now.is_enough
    assert now.rows_to_go
    assert now.words.endswith(
        f": all rows are judged. About {now.rows_to_go} more rows would settle it: plan another list."
    )


# ---- brackets --------------------------------------------------------------------------------------------------------

GOLD = ["(S (NP (D a) (N cup)) (VP (V falls) (PP (P off) (NP (D the) (N table)))))", "(S (NP (N tea)) (VP (V cools)))"]
PARSED = {
    "p": [
        "(S (NP (D a) (N cup)) (VP (VP (V falls) (P off)) (NP (D the) (N table))))",
        "(S (NP (N tea)) (VP (V cools)))",
    ],
    "q": [
        "(S (X (D a) (Y (N cup) (V falls))) (PP (P off) (Z (D the) (N table))))",
        "(S (NP (N tea)) (VP (V cools)))",
    ],
}  # fmt: skip


def test_bounds_of_brackets_are_those_of_all_ways_to_decide_the_rest(tmp_path: Path) -> None:
    """A slow reference: every way to decide the open rows, scored from a file."""
    gold = tmp_path / "gold.mrg"
    gold.write_text("\n".join(GOLD) + "\n")
    systems = {}
    for name, trees in PARSED.items():
        systems[name] = tmp_path / f"{name}.mrg"
        systems[name].write_text("\n".join(trees) + "\n")
    path = tmp_path / "check.tsv"
    write_worklist(path, karat.bracket_worklist(gold, systems))
    review = Review.opened(path)
    n_rows = len(review.worklist.rows)
    assert n_rows >= 3
    judge_rows(review, [1], lambda _: "accept")  # any order will do
    now = enough(review, gold=gold, systems=systems)
    open_ = [n for n in range(n_rows) if n != 1]
    found = []
    for way in product(("accept", "reject"), repeat=len(open_)):
        verdicts = dict(zip(open_, way, strict=True)) | {1: "accept"}
        judged = tmp_path / "judged.tsv"
        write_worklist(judged, review.worklist.with_verdicts([verdicts[n] for n in range(n_rows)]))
        scores = karat.score(gold, systems, judgements=judged)
        values = [one.measures["Precision-soft"].value for one in scores.systems]
        found.append(values[1] - values[0])
    assert now.lower == pytest.approx(min(found))
    assert now.upper == pytest.approx(max(found))
    assert now.value is None
    assert not now.is_enough
    judge_rows(review, open_, lambda row: "reject" if row.corpus == "q" else "accept")
    whole = enough(review, gold=gold, systems=systems)
    review.store.close()
    assert whole.is_enough
    assert whole.words.startswith("Enough judged: p is better on these trees")
    assert whole.lower == whole.upper == whole.value


# ---- shares of errors ------------------------------------------------------------------------------------------------


def rows_of(kind: str, ids: list[str]) -> list[WorklistRow]:
    return [WorklistRow(one, kind, "c", "s1", 1, 1, "[cup]", "NOUN") for one in ids]


@given(st.lists(st.sampled_from(["error-in-a", "ambiguity", "mixed", ""]), min_size=1, max_size=30), st.data())
def test_bounds_of_repeats_hold_whatever_the_rest_is(verdicts: list[str], data: st.DataObject) -> None:
    rows = rows_of("repeat", [str(n) for n in range(len(verdicts))])
    now = listed_share(rows, verdicts, [bool(one) for one in verdicts])
    rest = [one or data.draw(st.sampled_from(["error-in-b", "ambiguity"])) for one in verdicts]
    share = sum(one != "ambiguity" for one in rest) / len(rest)
    if now.lower is None or now.upper is None:
        assert not any(verdicts)
    else:
        assert now.lower - 1e-12 <= share <= now.upper + 1e-12
    assert now.is_enough == all(verdicts)


def test_only_the_sample_of_suspects_counts_up_to_its_first_undecided_row() -> None:
    ids = ["s1", "s2", "r5", "r9", "r3", "r8"]
    verdicts = ["error", "", "right", "error", "", "error"]
    now = sampled_share(rows_of("suspect", ids), verdicts, [bool(one) for one in verdicts])
    assert (now.rows_used, now.value, now.rows_to_go) == (2, 0.5, 2)
    assert (now.lower, now.upper) == always_valid_share(1, 2)
    unsure = sampled_share(rows_of("suspect", ids), verdicts, [True] * 6)
    assert unsure.is_enough
    assert (unsure.lower, unsure.upper) == (always_valid_share(2, 4)[0], always_valid_share(3, 4)[1])


@pytest.mark.parametrize(("n_errors", "n"), [(0, 1), (0, 40), (1, 40), (13, 40), (40, 40), (3, 300)])
def test_a_share_is_possible_where_its_posterior_is_more_than_alpha_times_the_prior(n_errors: int, n: int) -> None:
    from scipy.stats import beta

    grid = (np.arange(20_000) + 0.5) / 20_000
    ratio = beta.pdf(grid, 0.5 + n_errors, 0.5 + n - n_errors) / beta.pdf(grid, 0.5, 0.5)
    possible = grid[ratio > 0.05]
    assert always_valid_share(n_errors, n) == pytest.approx((possible.min(), possible.max()), abs=1e-4)


@pytest.mark.parametrize("share", [0.003, 0.03, 0.2, 0.5, 0.9])
def test_the_chance_that_any_of_200_intervals_misses_is_at_most_5_percent(share: float) -> None:
    """Exact, by the probabilities of all numbers of errors among those that have not missed yet."""
    alive = np.array([1.0])
    for n in range(1, 201):
        alive = np.append(alive * (1 - share), 0.0) + np.append(0.0, alive * share)
        ends = [always_valid_share(e, n) for e in range(n + 1)]
        alive *= [lower <= share <= upper for lower, upper in ends]
    assert 0.95 <= alive.sum() < 1


def test_the_list_of_a_review_of_repeats_is_read_from_its_store(tmp_path: Path) -> None:
    path = tmp_path / "list.tsv"
    write_worklist(path, Worklist(tuple(rows_of("repeat", ["a", "b", "c"]))))
    review = Review.opened(path, ["ina", "jan"])
    judge_rows(review, [0, 1], lambda _: "error-in-a", "ina")
    judge_rows(review, [0, 1], lambda row: "ambiguity" if row.id == "b" else "error-in-a", "jan")
    estimate = ReviewEstimate([review])
    assert estimate.now("ina").value == 1.0
    together = estimate.now()
    review.store.close()
    assert (together.value, together.upper) == (1.0, 1.0)  # the row on which they differ is open
    assert together.lower == pytest.approx(1 / 3)
    assert read_worklist(path, kinds={"repeat": ["error-in-a"]}).rows[0].verdict == ""


def test_a_typo_and_an_unclear_guideline_count_as_blank_in_shares_of_errors() -> None:
    rows = rows_of("repeat", ["a", "b", "c"])
    said = listed_share(rows, ["error-in-a", "typo", "unclear"], [True] * 3)
    assert (said.value, said.upper, said.is_enough) == (1.0, 1.0, True)
    assert said.lower == pytest.approx(1 / 3)
    sample = rows_of("suspect", ["r1", "r2", "r3"])
    one, other = (sampled_share(sample, ["error", *rest], [True] * 3) for rest in (["typo", "unclear"], ["", ""]))
    assert one == other
