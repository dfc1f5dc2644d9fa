"""karat.compare on sense keys: systems that are right or wrong beside systems that are right by halves."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

import karat
from karat.measures.hierarchical.options import HierarchyOptions

FEW = karat.InferenceOptions(n_resamples=200, cluster="instance")
KEYS = {
    "gold": "a a.1 N.1\na a.2 N.2\nb b.1 V\n",
    "sure": "a a.1 N.1\na a.2 N.1\nb b.1 V\n",  # every answer is right or wrong
    "broad": "a a.1 N\na a.2 N.2\nb b.1 V\n",  # a.1 is right by half: N is N.1 or N.2
}


@pytest.mark.parametrize("order", list(permutations(("sure", "broad"))))
def test_a_system_that_is_right_by_halves_may_come_first_or_last(tmp_path: Path, order: tuple[str, ...]) -> None:
    for name, text in KEYS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "tree").write_text("N\n\tN.1\n\tN.2\nV\n", encoding="utf-8")
    found = karat.compare(
        tmp_path / "gold",
        {name: tmp_path / name for name in order},
        measures=["hierarchical"],
        hierarchy=HierarchyOptions(hierarchy=tmp_path / "tree"),
        inference=FEW,
    )
    values = {"sure": 2 / 3, "broad": 2.5 / 3}
    (pair,) = found.pairs
    assert [pair.value_a, pair.value_b] == pytest.approx([values[name] for name in order])
