"""karat.compare with people's verdicts: soft measures compared, and what is not because verdicts are missing."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import inference_reference
import karat
from karat.corpus.worklist import Worklist, WorklistRow, write_worklist
from karat.errors import UsageError
from tree_corruptions import corrupted_tree
from tree_score_reference import random_tree, random_words

FEW = karat.InferenceOptions(n_resamples=200)
SOFT = ("Recall-soft", "Precision-soft")


@pytest.fixture
def trees(tmp_path: Path) -> dict[str, Path]:
    """A gold and two systems, in files."""
    rng = random.Random(11)
    golds = [f"(TOP {random_tree(rng, random_words(rng))})" for _ in range(50)]
    texts = {"gold": golds} | {
        name: [corrupted_tree(one, rng, rate) for one in golds] for name, rate in (("a", 0.4), ("b", 0.7))
    }
    for name, lines in texts.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return {name: tmp_path / name for name in texts}


def judged(trees: dict[str, Path], verdict: Callable[[int, WorklistRow], str], **options: object) -> Path:
    """A worklist of both systems with verdicts."""
    systems = {name: trees[name] for name in "ab"}
    worklist = karat.bracket_worklist(trees["gold"], systems, **options)  # type: ignore[arg-type]
    rows = tuple(replace(row, verdict=verdict(number, row)) for number, row in enumerate(worklist.rows))
    path = trees["gold"].parent / "verdicts.tsv"
    write_worklist(str(path), Worklist(rows, worklist.head))
    return path


@pytest.mark.parametrize("same_style", [False, True])
def test_soft_measures_have_the_values_of_scoring_and_their_own_test(trees: dict[str, Path], same_style: bool) -> None:
    path = judged(trees, lambda number, _: "accept" if number % 3 else "reject", same_style=same_style)
    systems = {name: trees[name] for name in "ab"}
    found = karat.compare(trees["gold"], systems, judgements=path, inference=FEW)
    scores = karat.score(trees["gold"], systems, judgements=path, intervals=False)
    assert [name for name in found.measures() if name in SOFT] == list(SOFT)
    for pair in found.pairs:
        assert pair.measure is not None
        assert (pair.value_a, pair.value_b) == tuple(scores.system(name)[pair.measure].value for name in "ab")
    soft = [scores.system(name).counts["Recall-soft"][:, 2] for name in "ab"]  # accepted brackets of each sentence
    p, _ = inference_reference.sign_flip_p_by_convolution([int(one) for one in soft[1] - soft[0]])
    pair = found.pair("a", "b", "Recall-soft")
    assert pair.test == "exact permutation"
    assert pair.p == pytest.approx(float(p))
    assert (found.undecided, found.is_estimate) == ((), False)


def test_all_measures_of_the_paper_can_be_compared(trees: dict[str, Path]) -> None:
    path = judged(trees, lambda number, _: "accept" if number % 3 else "reject")
    found = karat.compare(
        trees["gold"], {name: trees[name] for name in "ab"}, judgements=path, measures="all", inference=FEW
    )
    assert {"False Error", "Spurious Reject", "Test Noise", "Problem Rate"} <= set(found.measures())


def test_what_verdicts_leave_open_is_not_compared_but_has_its_bounds(trees: dict[str, Path]) -> None:
    path = judged(trees, lambda number, row: "" if row.corpus == "b" and number % 4 == 0 else "accept")
    systems = {name: trees[name] for name in "ab"}
    found = karat.compare(trees["gold"], systems, judgements=path, inference=FEW)
    scores = karat.score(trees["gold"], systems, judgements=path, intervals=False)
    assert not set(SOFT) & set(found.measures())
    assert [one.measured.name for one in found.undecided] == list(SOFT)
    for one in found.undecided:
        name = one.measured.name
        assert one.ends["a"] == (scores.system("a")[name].value,) * 2
        assert one.ends["b"] == (scores.system("b").bounded[name].least, scores.system("b").bounded[name].most)
        assert one.ends["b"][0] < one.ends["b"][1]
    with pytest.raises(UsageError, match="Recall-soft cannot be compared: verdicts on brackets of b are missing"):
        karat.compare(trees["gold"], systems, judgements=path, measures="Recall-soft")


def test_a_sample_gives_estimates(trees: dict[str, Path]) -> None:
    path = judged(trees, lambda _number, _row: "accept", sample=12)
    found = karat.compare(trees["gold"], {name: trees[name] for name in "ab"}, judgements=path, inference=FEW)
    assert found.is_estimate


def test_verdicts_are_not_of_runs(trees: dict[str, Path]) -> None:
    path = judged(trees, lambda _number, _row: "accept")
    with pytest.raises(UsageError, match="not with several runs"):
        karat.compare(trees["gold"], {"a": trees["a"]}, runs={"b": [trees["b"], trees["b"]]}, judgements=path)
