"""What is right at single places, as a cell has it: the same comes back, and what cannot be read is refused."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from karat.corpus.spreadsheet_tables import plain
from karat.gold.repeats.placed_labels import PlacedLabel, entries_in, placed_label, placed_labels_text

_NAMES = st.text(st.characters(codec="utf-8"), min_size=1) | st.text(" ;@:%s1", min_size=1)
_PLACED = st.builds(
    PlacedLabel,
    st.just("") | _NAMES,
    _NAMES,
    st.integers(1, 999_999_999),
    _NAMES | st.just("typo:x"),
    st.booleans(),
)


@given(st.lists(_PLACED, max_size=4))
def test_what_is_written_is_read_again(labels: list[PlacedLabel]) -> None:
    text = placed_labels_text(labels)
    assert [placed_label(entry) for entry in entries_in(text)] == labels


@given(st.lists(_PLACED, max_size=3))
def test_a_cell_of_a_list_holds_it_as_it_is(labels: list[PlacedLabel]) -> None:
    text = placed_labels_text(labels)
    assert " ".join(text.split()) == text
    assert plain(text) == text


@pytest.mark.parametrize(
    "entry", ["NOUN", "NOUN @ s1", "@ s1 3", "NOUN @ 3", "NOUN @ s1 0", "NOUN @ s1 -1", "a @ b @ s1 3", "typo: @ s1 3"]
)
def test_what_does_not_say_what_is_right_where_is_refused(entry: str) -> None:
    with pytest.raises(ValueError, match="does not say"):
        placed_label(entry)


def test_people_may_write_spaces_as_they_like() -> None:
    found = [placed_label(entry) for entry in entries_in(" NOUN @s1 3;ADJ@ s 4  1 ; ")]
    assert found == [PlacedLabel("", "s1", 3, "NOUN"), PlacedLabel("", "s 4", 1, "ADJ")]
