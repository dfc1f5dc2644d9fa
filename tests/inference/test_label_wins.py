"""Which labels each of two systems wins, held to a slow reference."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import inference_reference as reference
from karat.inference.clusters import Clusters
from karat.inference.label_wins import LabelWin, are_complementary, label_wins
from karat.inference.paired_units import PairCounts

NAMES = ("NP", "VP", "PP", "S", "never")


@dataclass(frozen=True)
class Unit:
    """A gold bracket: its label, the cluster of its sentence, and whether A and B have it."""

    label: str
    sentence: int
    a: bool
    b: bool


def fast(units: Sequence[Unit], of_sentence: Sequence[int], n_clusters: int) -> list[LabelWin]:
    return label_wins(
        np.array([NAMES.index(one.label) for one in units], dtype=np.int32),
        NAMES,
        np.array([one.sentence for one in units], dtype=np.intp),
        np.array([one.a for one in units], dtype=np.bool_),
        np.array([one.b for one in units], dtype=np.bool_),
        Clusters("document", "document", np.array(of_sentence, dtype=np.intp), n_clusters),
    )


def slow(units: Sequence[Unit], of_sentence: Sequence[int], n_clusters: int) -> list[tuple[str, int, int, int, bool]]:
    """Label, gold, YN, NY and whether it flips, in no order; and no p."""
    overall = sum(one.b for one in units) - sum(one.a for one in units)
    found = []
    for label in NAMES:
        here = [one for one in units if one.label == label]
        yn, ny = sum(one.a and not one.b for one in here), sum(one.b and not one.a for one in here)
        flips = (overall > 0 and ny < yn) or (overall < 0 and ny > yn)
        if yn or ny:
            found.append((label, len(here), yn, ny, flips))
    return found


def slow_p(units: Sequence[Unit], of_sentence: Sequence[int], n_clusters: int, labels: Sequence[str]) -> list[float]:
    """The p of each label from all ways to flip the signs of clusters, adjusted after Holm."""
    found = []
    for label in labels:
        differences = [0] * n_clusters
        for one in units:
            if one.label == label:
                differences[of_sentence[one.sentence]] += one.b - one.a
        found.append(float(reference.sign_flip_p(differences)[0]))
    return reference.holm(found)


@given(st.integers(0, 10**9))
@settings(max_examples=80)
def test_labels_have_the_reference_s_counts_order_and_p(seed: int) -> None:
    rng = random.Random(seed)
    n_sentences, n_clusters = rng.randint(1, 15), rng.randint(1, 8)
    of_sentence = [rng.randrange(n_clusters) for _ in range(n_sentences)]
    good_a, good_b = rng.random(), rng.random()
    units = [
        Unit(rng.choice(NAMES[:4]), rng.randrange(n_sentences), rng.random() < good_a, rng.random() < good_b)
        for _ in range(rng.randint(0, 40))
    ]
    found = fast(units, of_sentence, n_clusters)
    plain = [(one.label, one.gold, one.yn, one.ny, one.flips) for one in found]
    assert sorted(plain) == sorted(slow(units, of_sentence, n_clusters))
    wanted = slow_p(units, of_sentence, n_clusters, [one.label for one in found])
    assert [one.p_adjusted for one in found] == pytest.approx(wanted, abs=1e-10)
    order = [(not one.flips, -abs(one.ny - one.yn), one.label) for one in found]
    assert order == sorted(order)


def test_labels_that_flip_the_sign_come_first_by_hand() -> None:
    """NP +3, VP −2, PP +1, S +1 − 1: B is ahead by 2 over all, and only on VP it is behind."""
    units = [
        *[Unit("NP", sentence, False, True) for sentence in (0, 1, 2)],
        *[Unit("VP", sentence, True, False) for sentence in (0, 0)],
        Unit("PP", 3, False, True), Unit("PP", 3, True, True), Unit("PP", 3, False, False),
        Unit("S", 1, True, False), Unit("S", 2, False, True),
        Unit("never", 0, True, True),
    ]  # fmt: skip
    found = fast(units, range(4), 4)
    # NP: three clusters of +1, p = 2/8; VP: one of −2, p = 1; PP: one of +1, p = 1; S: −1 and +1, p = 1; Holm 4 · 2/8
    assert [one.p_adjusted for one in found] == pytest.approx([1.0] * 4, abs=1e-12)
    assert [replace(one, p_adjusted=1.0) for one in found] == [
        LabelWin("VP", 2, 2, 0, True, 1.0),
        LabelWin("NP", 3, 0, 3, False, 1.0),
        LabelWin("PP", 3, 0, 1, False, 1.0),
        LabelWin("S", 2, 1, 1, False, 1.0),
    ]


def test_p_is_adjusted_for_the_labels_that_differ_and_is_of_clusters() -> None:
    units = [Unit("NP", sentence, False, True) for sentence in range(10)] + [Unit("VP", 0, False, True)]
    units += [Unit("S", 0, True, True)] * 5
    by_label = {one.label: one for one in fast(units, range(10), 10)}
    assert by_label["NP"].p_adjusted == pytest.approx(2 * 2 / 2**10)
    assert by_label["VP"].p_adjusted == 1
    assert "S" not in by_label
    in_pairs = {one.label: one for one in fast(units, [number // 2 for number in range(10)], 5)}
    assert in_pairs["NP"].p_adjusted == pytest.approx(2 * 2 / 2**5)


def test_with_no_overall_difference_nothing_flips() -> None:
    found = fast([Unit("NP", 0, True, False), Unit("VP", 1, False, True)], range(2), 2)
    assert [(one.label, one.flips) for one in found] == [("NP", False), ("VP", False)]


def test_systems_that_do_not_differ_win_no_label() -> None:
    assert fast([Unit("NP", 0, True, True), Unit("VP", 0, False, False)], range(1), 1) == []
    assert fast([], range(1), 1) == []


@pytest.mark.parametrize(
    ("yn", "ny", "expected"),
    [(10, 10, True), (9, 10, False), (10, 40, True), (10, 41, False), (41, 10, False), (40, 10, True), (0, 0, False)],
)
def test_systems_complement_each_other_if_both_have_a_fifth_of_what_differs_and_at_least_ten(
    yn: int, ny: int, expected: bool
) -> None:
    assert are_complementary(PairCounts(100, yn, ny, 100)) is expected
