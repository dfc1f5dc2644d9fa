"""Agreement by level of a hierarchy, and with downward probabilities: references, by hand, and coverage."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import agreement_reference as reference
import karat
from agreement_reference import Distribution
from hierarchy_reference import Edges, dags, from_edges, level_masses, level_of, stand_ins, trees
from karat._arrays import Floats
from karat.agreement.agree import agree
from karat.agreement.agreement_results import Agreement
from karat.corpus import source_from_bytes
from karat.corpus.readers.key import Keys, key_from_source
from karat.errors import UsageError
from karat.hierarchy import hierarchy_from_text
from karat.inference.options import InferenceOptions
from karat.measures.hierarchical.options import HierarchyOptions

NO_INTERVALS = InferenceOptions(n_resamples=0)
TREE = "A\n A.1\n  A.1a\n  A.1b\n A.2\nB\n B.1\n B.2\n B.3\n"
FUNCTIONS: dict[str, Callable[[list[list[Distribution | None]]], Fraction | None]] = {
    "observed": reference.observed,
    "kappa_pooled": reference.pooled,
    "kappa_cohen": reference.cohen,
    "alpha": reference.alpha,
}


def key(*answers: str) -> Keys:
    """A key of one word type, each instance with these tags."""
    text = "".join(f"line.n line.n.{number} {tags}\n" for number, tags in enumerate(answers))
    return key_from_source(source_from_bytes(text.encode(), "made.key"), lexelts=True)


def at(found: Agreement, depth: int) -> dict[str, float | None]:
    level = found.levels[depth - 1]
    assert level.depth == depth
    return {name: one.value for name, one in level.coefficients.items()}


def test_a_confusion_of_siblings_is_none_above_them() -> None:
    h = hierarchy_from_text(TREE)
    found = agree([key("A.1a", "B.1", "A"), key("A.1b", "B.1", "A.1")], hierarchy=h, inference=NO_INTERVALS)
    # level 1: all the same. Level 2: A is A.1 or A.2, Σ p·q with A.1 1/2: (1 + 1 + 1/2) / 3
    assert at(found, 1)["observed"] == 1
    assert at(found, 2)["observed"] == pytest.approx(5 / 6)
    # level 3: A.1a against A.1b 0; A (1/4, 1/4, 1/2) against A.1 (1/2, 1/2): 1/4
    assert at(found, 3)["observed"] == pytest.approx((0 + 1 + 1 / 4) / 3) == found["observed"]
    assert [level.n_tags for level in found.levels] == [2, 3, 5]


@settings(deadline=None)
@given(st.one_of(trees(), dags()), st.data())
def test_coefficients_at_every_level_are_those_of_the_definitions(
    of: tuple[list[str], Edges], data: st.DataObject
) -> None:
    tags, edges = of
    pairs = data.draw(st.lists(st.tuples(*[st.sampled_from(tags)] * 3), min_size=1, max_size=6))
    sides = list(zip(*pairs, strict=True))
    found = agree([key(*side) for side in sides], hierarchy=from_edges(edges, tags), inference=NO_INTERVALS)
    used = {tag for side in sides for tag in side}
    under = {tag for tag in tags if any(one in used for one in _up(edges, tag))}
    assert len(found.levels) == max(level_of(edges, tag) for tag in under)
    for level in found.levels:
        annotations: list[list[Distribution | None]] = [
            [level_masses(edges, tag, level.depth) for tag in side] for side in sides
        ]
        for name, function in FUNCTIONS.items():
            expected = function(annotations)
            value = level.coefficients[name].value
            assert value == (None if expected is None else pytest.approx(float(expected), abs=1e-9)), name
        assert level.n_tags == len(set().union(*(stand_ins(edges, tag, level.depth) for tag in used)))
    assert {name: found[name] for name in FUNCTIONS} == pytest.approx(at(found, len(found.levels)), abs=1e-9)


def _up(edges: Edges, tag: str) -> set[str]:
    return {tag}.union(*(_up(edges, parent) for parent, child in edges if child == tag))


def test_without_a_hierarchy_there_are_no_levels() -> None:
    assert agree([key("x"), key("y")], inference=NO_INTERVALS).levels == ()


# ---- downward probabilities ------------------------------------------------------------------------------------------


def test_downward_probabilities_from_a_file_and_learned_ones(tmp_path: Path) -> None:
    tree, given_, train = tmp_path / "tree.txt", tmp_path / "down.tsv", tmp_path / "train.key"
    tree.write_text(TREE)
    given_.write_text("A\tA.1\t0.9\nA\tA.2\t0.1\n")
    train.write_text("".join(f"w.n w.n.{number} {tag}\n" for number, tag in enumerate(["A.1a", "A.1a", "A.1b", "A.2"])))
    keys = [key("A", "B.1"), key("A.1", "B.1")]

    def observed(options: HierarchyOptions) -> float | None:
        return agree(keys, hierarchy=options, inference=NO_INTERVALS)["observed"]

    # A is A.1a and A.1b 0.45 each, A.2 0.1; A.1 is 1/2 each: 0.45
    assert observed(HierarchyOptions(tree, downward=given_)) == pytest.approx((0.45 + 1) / 2)
    # learned: A.1 (3 + 1/2)/5 of A; A.1a (2 + 1/2)/4 of A.1: 0.7·(0.625² + 0.375²)
    learned = HierarchyOptions(tree, learn_from=train, alpha=1.0)
    assert observed(learned) == pytest.approx((0.7 * (0.625**2 + 0.375**2) + 1) / 2)
    levels = agree(keys, hierarchy=learned, inference=NO_INTERVALS).levels
    assert levels[1].coefficients["observed"].value == pytest.approx((0.7 + 1) / 2)
    with pytest.raises(UsageError, match="choose only one"):
        agree(keys, hierarchy=learned, distinct=True)


def test_learned_probabilities_are_of_the_column_that_is_compared(tmp_path: Path) -> None:
    from examples import sentence

    tree = tmp_path / "tree.txt"
    tree.write_text("N\n NN\n NNS\n")
    words = [tmp_path / f"{name}.conllu" for name in ("one", "two", "train")]
    for path, tags in zip(words, (["N"], ["NN"], ["NN", "NN", "NNS"]), strict=True):
        rows = sentence(*(f"w{number}/X" for number in range(len(tags)))).replace("\tX\t_\t", "\tX\t{}\t")
        path.write_text(rows.format(*tags), encoding="utf-8")
    options = HierarchyOptions(tree, learn_from=words[2])
    found = karat.agree(words[:2], hierarchy=options, column="xpos", inference=NO_INTERVALS)
    assert found["observed"] == pytest.approx((2 + 1 / 2) / 4)
    assert "|learned-from:" in found.signature


# ---- intervals -------------------------------------------------------------------------------------------------------


def simulated(rng: np.random.Generator, n_types: int, size: int = 8) -> list[Keys]:
    """Two annotators who know a leaf with a chance that its word type sets, or only what is above it, or nothing."""
    leaf = rng.choice(_LEAF_KNOWN, n_types).repeat(size)
    truth = rng.integers(0, 4, len(leaf))
    keys = []
    for _ in range(2):
        drawn = rng.random(len(leaf))
        guess = rng.integers(0, 4, len(leaf))
        in_half = truth // 2 * 2 + guess % 2
        tags = np.where(drawn < leaf, truth, np.where(drawn < leaf + (1 - leaf) * _TOP_KNOWN, in_half, guess))
        lines = [f"t{n // size}.n t{n // size}.n.{n} {'AABB'[tag]}.{tag}\n" for n, tag in enumerate(tags.tolist())]
        keys.append(key_from_source(source_from_bytes("".join(lines).encode(), "made.key"), lexelts=True))
    return keys


_LEAF_KNOWN, _TOP_KNOWN = np.array([0.4, 0.9]), 0.5


def true_alphas() -> list[Floats]:
    """Alpha at levels 1 and 2 of all that `simulated` may give: chance is 1/2, and 1/4."""
    leaf, top = _LEAF_KNOWN, (1 - _LEAF_KNOWN) * _TOP_KNOWN
    none = 1 - leaf - top
    agreed = (leaf + top / 2 + none / 4) ** 2 + (top / 2 + none / 4) ** 2 + 2 * (none / 4) ** 2
    return [((leaf + top) ** 2).mean(), ((agreed - 1 / 4) / (3 / 4)).mean()]


@pytest.mark.slow
def test_intervals_of_alpha_at_a_level_cover_the_truth_as_often_as_they_say() -> None:
    h = hierarchy_from_text("A\n A.0\n A.1\nB\n B.2\n B.3\n")
    rng = np.random.default_rng(5)
    hits = np.zeros(2)
    for _ in range(200):
        found = agree(simulated(rng, 30), hierarchy=h)
        for place, (level, truth) in enumerate(zip(found.levels, true_alphas(), strict=True)):
            interval = level.coefficients["alpha"].interval
            assert interval is not None
            assert interval.ends is not None
            hits[place] += interval.ends[0] <= truth <= interval.ends[1]
    assert ((hits >= 180) & (hits <= 199)).all()  # 190 are expected; 3.2 standard errors are 10
