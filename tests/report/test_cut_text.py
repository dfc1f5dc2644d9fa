"""Texts cut to fit a table."""

from __future__ import annotations

from hypothesis import given, strategies as st

from karat.report.cut_text import ShortIds, cut_around, cut_in_the_middle, short_names, shortened

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


def test_names_of_files_lose_what_they_have_in_common_before_they_are_cut() -> None:
    parts = ["en_ewt-ud-test.conllu", "en_gum-ud-test.conllu"]
    assert short_names(parts, 8) == ["en_ewt", "en_gum"]
    assert short_names(["en_partut-ud-dev.conllu", "en_partut-ud-test.conllu"], 8) == ["dev", "test"]
    assert short_names(["gold.conllu", "ada.conllu.gz"], 8) == ["gold", "ada"]
    assert short_names(["gold.conllu", "en_ewt-ud-test.conllu"], 8) == ["gold", "en_ewt…"]
    assert short_names(parts, 24) == parts


def test_names_of_files_stay_different_where_only_an_ending_tells_them_apart() -> None:
    assert short_names(["corpus.conllu", "corpus.tsv"], 9) == ["conllu", "tsv"]
    assert short_names(["en_ewt-ud-train.conllu", "en_ewt-ud-test.conllu", "gold"], 8) == [
        "en_…rain",
        "en_…test",
        "gold",
    ]


@given(st.lists(st.text("ab-_.", min_size=1, max_size=30), unique=True, max_size=4), st.integers(6, 12))
def test_short_names_are_short_and_none_is_empty(names: list[str], most: int) -> None:
    found = short_names(names, most)
    assert len(found) == len(names)
    assert all(0 < len(one) <= most for one in found)
