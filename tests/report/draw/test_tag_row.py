"""Tags compared: a row for each system, with its tags where they differ."""

from __future__ import annotations

import pytest

from karat.report.draw.tag_row import tag_figure
from sentence_drawing_checks import assert_is_sound, marks, texts
from tree_examples import HOSTILE

WORDS, TAGS = ["Rain", "fell", "softly"], ["NOUN", "VERB", "ADV"]
SYSTEMS: dict[str, list[str | None]] = {"hmm": ["NOUN", "NOUN", "ADV"], "crf": ["PROPN", None, "ADV"]}


def test_tags_that_differ_are_in_boxes_in_the_row_of_their_system() -> None:
    drawing = tag_figure(WORDS, TAGS, SYSTEMS, sentence="s 1")
    assert_is_sound(drawing)
    assert drawing.title == "Tags of s 1: 3 words; hmm differs in 1; crf differs in 2"
    assert drawing.name == "tags-s-1"
    assert [mark.title for mark in marks(drawing)][1:] == [
        "1 Rain: gold NOUN, crf PROPN", "2 fell: gold VERB, hmm NOUN", "2 fell: gold VERB, crf not aligned",
    ]  # fmt: skip
    shown = texts(drawing)
    assert sorted(one.words for one in shown if one.is_bold) == ["NOUN", "PROPN", "not aligned"]
    assert [one.words for one in shown].count("·") == 3
    row = {one.words: one.bottom for one in shown}
    assert row["gold"] == row["VERB"] < row["hmm"] < row["crf"] == row["PROPN"]
    assert drawing.table.rows[1] == [2, "fell", "VERB", "NOUN", None]
    assert list(drawing.table.columns) == ["number", "word", "gold", "hmm", "crf"]


def test_right_to_left_scripts_are_mirrored_with_names_at_the_right() -> None:
    drawing = tag_figure(["שלום", "עולם"], ["A", "B"], {"hmm": ["A", "A"]})
    assert_is_sound(drawing)
    places = {one.words: one.middle for one in texts(drawing)}
    assert places["gold"] > places["שלום"] > places["עולם"]


def test_long_sentences_are_shown_around_the_first_difference() -> None:
    words, tags = [f"w{number}" for number in range(1, 61)], ["T"] * 60
    drawing = tag_figure(words, tags, {"hmm": [*tags[:49], "U", *tags[50:]]}, width=7)
    assert_is_sound(drawing)
    assert [one.words for one in texts(drawing) if one.words.startswith("w")] == [
        "words 47 to 53 of 60", *(f"w{number}" for number in range(47, 54)),
    ]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_strings_are_text(text: str) -> None:
    drawing = tag_figure([text, "w"], [text, "T"], {text: ["T", text], "b": [text, None]}, sentence=text)
    assert_is_sound(drawing)
    assert "<script" not in drawing.svg
    assert len(drawing.svg.encode()) < 10_000


def test_nothing_is_drawn_of_nothing() -> None:
    assert_is_sound(tag_figure([], [], {}))
    assert_is_sound(tag_figure(WORDS, TAGS, {}))
