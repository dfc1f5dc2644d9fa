"""What is kept of a forest decides as the forest does, and files that are no forests are refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from karat.errors import DataError
from karat.systems.attachment.classifiers import fitted
from karat.systems.attachment.kept_forest import KeptForest, kept_forest, tops_of_trees
from karat.systems.model_file import Model


@pytest.fixture(scope="module")
def learnt() -> tuple[KeptForest, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(26)
    signals = rng.normal(size=(600, 5))
    is_edge = signals[:, 2] + 0.3 * rng.normal(size=600) > 1
    forest = fitted("balanced-forest", signals, is_edge, seed=0)
    new = rng.normal(size=(200, 5))
    return kept_forest(forest), new, forest.predict_proba(new)[:, 1]


def test_it_decides_as_the_forest_does(learnt: tuple[KeptForest, np.ndarray, np.ndarray]) -> None:
    kept, new, wanted = learnt
    assert np.allclose(kept.probabilities(new), wanted, atol=1e-12)


def test_the_signal_that_decides_is_at_the_top(learnt: tuple[KeptForest, np.ndarray, np.ndarray]) -> None:
    tops = tops_of_trees(learnt[0], 5)
    assert tops.shape == (3, 5)
    assert np.allclose(tops.sum(axis=1), 1)
    assert tops[0].argmax() == 2


def test_it_comes_back_from_what_is_kept(learnt: tuple[KeptForest, np.ndarray, np.ndarray]) -> None:
    kept, new, _ = learnt
    again = KeptForest.from_model(Model("attachment", {}, kept.parts(), {}), 5)
    assert np.array_equal(again.probabilities(new), kept.probabilities(new))


@pytest.mark.parametrize(
    ("name", "value"), [("left", 0), ("left", 1 << 20), ("right", -1), ("node_signals", 5), ("tree_sizes", 1)]
)
def test_numbers_that_are_no_trees_are_refused(
    learnt: tuple[KeptForest, np.ndarray, np.ndarray], name: str, value: int, tmp_path: Path
) -> None:
    parts = {key: one.copy() for key, one in learnt[0].parts().items()}
    parts[name][0] = value
    with pytest.raises(DataError, match=r"no trees|out of range"):
        KeptForest.from_model(Model("attachment", {}, parts, {}), 5)


@pytest.mark.parametrize(("name", "value"), [("shares", 1.5), ("shares", np.nan), ("thresholds", np.inf)])
def test_numbers_that_are_none_are_refused(
    learnt: tuple[KeptForest, np.ndarray, np.ndarray], name: str, value: float
) -> None:
    parts = {key: one.copy() for key, one in learnt[0].parts().items()}
    parts[name][0] = value
    with pytest.raises(DataError, match="numbers that are none"):
        KeptForest.from_model(Model("attachment", {}, parts, {}), 5)
