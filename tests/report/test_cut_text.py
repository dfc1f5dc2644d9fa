"""Texts cut to fit a table."""

from __future__ import annotations

from hypothesis import given, strategies as st

from karat.report.cut_text import ShortIds, cut_around, cut_in_the_middle, shortened

words = st.lists(st.text("abcdef", min_size=1, max_size=9), min_size=1, max_size=12)


@given(words, st.data(), st.integers(16, 40))
def test_the_word_in_question_is_shown_and_nothing_is_too_long(
    parts: list[str], data: st.DataObject, most: int
) -> None:
    at = data.draw(st.integers(0, len(parts) - 1))
    parts[at] = f"[{parts[at]}]"
    shown = cut_around(parts, at, at + 1, most)
    assert parts[at] in shown
    assert len(shown) <= most
    inside = shown.removeprefix("… ").removesuffix(" …").split()
    assert any(parts[start : start + len(inside)] == inside for start in range(len(parts)))
    if len(" ".join(parts)) <= most - 4:
        assert shown == " ".join(parts)


def test_a_word_that_is_too_long_itself_is_cut() -> None:
    assert cut_around(["a", "[" + "x" * 50 + "]", "b"], 1, 2, 20) == "a [xxxxxxxxxxxxxx… b"
    assert (shortened("abcdef", 4), cut_in_the_middle("abcdefghij", 7)) == ("abc…", "abc…hij")


def test_ids_are_cut_to_an_end_that_no_other_has() -> None:
    ids = ShortIds(
        [["weblog-lantern_ENG_20040905-0001", "weblog-lantern_ENG_20040906-0001", "short-1"], ["answers-zz-0022", ""]]
    )
    assert ids.shown(0, 0) == "…05-0001"
    assert ids.shown(0, 2) == "short-1"
    assert (ids.shown(1, 0), ids.shown(1, 1)) == ("…zz-0022", "#2")


def test_an_id_without_such_an_end_is_cut_in_the_middle() -> None:
    ids = ShortIds([["weblog-of-the-lantern-0001", "answers-of-the-lantern-0001"]])
    assert (ids.shown(0, 0), ids.shown(0, 1)) == ("weblo…n-0001", "answe…n-0001")
