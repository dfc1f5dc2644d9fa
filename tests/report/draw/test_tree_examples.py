"""The drawings of sentences that other tests collect are sound."""

from __future__ import annotations

from sentence_drawing_checks import assert_is_sound
from tree_examples import tree_drawings


def test_examples_of_all_kinds_are_sound() -> None:
    drawings = tree_drawings()
    assert {drawing.name.split("-")[0] for drawing in drawings} == {"dependencies", "brackets", "tags"}
    for drawing in drawings:
        assert_is_sound(drawing)
