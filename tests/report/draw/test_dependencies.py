"""Dependencies compared: every arc is there once, as what it is, and no label is on another."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from karat.report.draw.dependencies import DependencyWord, dependency_figure
from karat.report.draw.sentence_layout import levels, window
from karat.report.draw.svg import COLOURS, MUTED, Drawing
from sentence_drawing_checks import Text, assert_is_sound, marks, points, texts
from tree_examples import GOLD, HOSTILE, SYSTEM

ARCS = {
    (MUTED, 1.0, False): "both",
    (COLOURS[0], 2.5, False): "gold head",
    (COLOURS[1], 2.5, False): "system head",
    (COLOURS[0], 2.0, True): "gold relation",
    (COLOURS[1], 2.0, True): "system relation",
    (COLOURS[1], 1.0, False): "tags",  # the boxes around them
}


def kinds(drawing: Drawing) -> dict[str, int]:
    return Counter(ARCS[mark.stroke, mark.width, mark.is_dashed] for mark in marks(drawing))


def titles(drawing: Drawing, kind: str) -> list[str]:
    return [mark.title for mark in marks(drawing) if ARCS[mark.stroke, mark.width, mark.is_dashed] == kind]


def shown(drawing: Drawing) -> list[str]:
    return [text.words for text in texts(drawing)]


def word(drawing: Drawing, form: str) -> Text:
    return next(text for text in texts(drawing) if text.words == form)


def words(heads: list[int | None], relation: str = "dep", form: str = "w") -> list[DependencyWord]:
    return [DependencyWord(f"{form}{number}", "T", head, relation) for number, head in enumerate(heads, 1)]


def test_arcs_are_what_they_are() -> None:
    drawing = dependency_figure(GOLD, SYSTEM, system_name="B", sentence="s1")
    assert_is_sound(drawing)
    assert kinds(drawing) == {
        "both": 6, "gold head": 2, "system head": 2, "gold relation": 1, "system relation": 1, "tags": 1,
    }  # fmt: skip
    assert "gardener → The: det" in titles(drawing, "both")
    assert "root → watered: root" in titles(drawing, "both")
    assert titles(drawing, "gold head") == ["gold: watered → wall: obl", "gold: watered → .: punct"]
    assert titles(drawing, "system head") == ["B: roses → wall: nmod", "B: .: not aligned"]
    assert titles(drawing, "gold relation") == ["gold: watered → roses: obj (B: iobj)"]
    assert titles(drawing, "system relation") == ["B: watered → roses: iobj (gold: obj)"]
    assert {"obj", "obj → iobj", "NOUN → PROPN", "not aligned", "amod"} <= {*shown(drawing)}
    assert drawing.title == "Dependencies of s1: gold above, B below; 3 of 9 words differ"
    assert drawing.name == "dependencies-s1-B"


def test_what_differs_is_bold_and_what_is_the_same_is_written_once() -> None:
    drawing = dependency_figure(GOLD, SYSTEM)
    bold = [text.words for text in texts(drawing) if text.is_bold]
    assert sorted(bold) == sorted(["obj", "obj → iobj", "obl", "nmod", "punct", "not aligned", "NOUN → PROPN"])
    assert shown(drawing).count("amod") == shown(drawing).count("root") == 1


def test_gold_is_above_the_words_and_the_system_below() -> None:
    drawing = dependency_figure(GOLD, SYSTEM)
    row = word(drawing, "roses")
    for mark in marks(drawing):
        heights = [[y for _, y in line] for line in points(mark.d)]
        kind = ARCS[mark.stroke, mark.width, mark.is_dashed]
        if kind.startswith("gold"):
            assert max(map(max, heights)) <= row.top
        elif kind.startswith("system"):
            assert min(map(min, heights)) >= row.bottom
        elif kind == "both":
            assert min(map(min, heights)) < row.top
            assert max(map(max, heights)) > row.bottom


def test_arcs_go_from_the_head_to_the_dependent_with_a_head_there() -> None:
    (mark,) = [one for one in marks(dependency_figure(GOLD, SYSTEM)) if one.title.startswith("system: roses → wall")]
    drawing = dependency_figure(GOLD, SYSTEM)
    way, arrowhead = points(mark.d)
    assert abs(way[0][0] - word(drawing, "roses").middle) < 10
    assert abs(way[-1][0] - word(drawing, "wall").middle) < 10
    assert way[0][0] < way[1][0] < way[2][0] < way[3][0]  # the legs lean towards each other
    assert arrowhead[1] == way[-1]  # both strokes meet where the arc ends
    assert arrowhead[0][1] == arrowhead[2][1] > way[-1][1]  # and open downwards, as it comes from below


def test_roots_come_from_the_edge() -> None:
    drawing = dependency_figure(GOLD, SYSTEM)
    (mark,) = [one for one in marks(drawing) if one.title == "root → watered: root"]
    above, below = (line for line in points(mark.d) if len({x for x, _ in line}) == 1)
    others = [y + one.moved for one in marks(drawing) for line in points(one.d) for _, y in line]
    assert above[0][1] == min(others)
    assert below[0][1] == max(others)


def test_a_system_called_gold_is_still_the_system() -> None:
    usual, drawing = (dependency_figure(GOLD, SYSTEM, system_name=name) for name in ("GOLD", "gold"))
    assert drawing.svg == usual.svg.replace("GOLD", "gold")


def test_the_table_has_the_same() -> None:
    table = dependency_figure(GOLD, SYSTEM, system_name="B").table
    assert table.columns == ["number", "word", "tag", "head", "relation", "B: tag", "B: head", "B: relation", "differs"]
    assert table.rows[4] == [5, "roses", "NOUN", 4, "obj", "PROPN", 4, "iobj", "relation, tag"]
    assert table.rows[7][-1] == "head"
    assert table.rows[8] == [9, ".", "PUNCT", 4, "punct", None, None, None, "not aligned"]
    assert [row[-1] for row in table.rows[:4]] == [""] * 4


@pytest.mark.parametrize("letters", ["שלום", "سلام"])
def test_right_to_left_scripts_are_mirrored(letters: str) -> None:
    forms = [letters[:number] for number in (4, 2, 3, 1)]
    gold = [DependencyWord(form, "T", head, "dep") for form, head in zip(forms, (2, 0, 2, 3), strict=True)]
    system = [DependencyWord(form, "T", head, "dep") for form, head in zip(forms, (2, 0, 4, 2), strict=True)]
    there = dependency_figure(gold, system)
    latin = [[DependencyWord("a" * len(one.form), one.tag, one.head, "dep") for one in side] for side in (gold, system)]
    usual = dependency_figure(*latin)
    assert_is_sound(there)
    places = [word(there, form).middle for form in forms]
    assert places == sorted(places, reverse=True)
    wide = float(there.svg.split('width="')[1].split('"')[0])
    assert places == [wide - word(usual, "a" * len(form)).middle for form in forms]
    for mark, other in zip(marks(there), marks(usual), strict=True):
        ends, other_ends = ([line[0][0] for line in points(one.d)][:1] for one in (mark, other))
        assert ends[0] == pytest.approx(wide - other_ends[0], abs=1)


def test_a_latin_word_or_two_do_not_turn_a_sentence() -> None:
    drawing = dependency_figure(*[[DependencyWord(form, "T", 0, "dep") for form in ("שלום", "ok", "עולם", "!")]] * 2)
    assert word(drawing, "שלום").left > word(drawing, "עולם").right


def test_long_sentences_are_shown_in_part() -> None:
    gold = words([0, *range(1, 80)])
    gold[39] = DependencyWord("w40", "T", 2, "far")
    gold[69] = DependencyWord("w70", "T", 41, "farther")
    gold[1] = DependencyWord("w2", "T", 75, "over all")
    drawing = dependency_figure(gold, gold, around=(40, 42), width=9)
    assert_is_sound(drawing)
    forms = [one for one in shown(drawing) if one.startswith("w")]
    assert forms == [f"w{number}" for number in range(37, 46)]
    assert shown(drawing)[-2] == "gold, words 37 to 45 of 80"
    assert shown(drawing).count("← 2") == shown(drawing).count("70 →") == 2  # above and below
    assert shown(drawing).count("← 36") == shown(drawing).count("46 →") == 2
    assert kinds(drawing) == {"both": 9 + 2}  # those to the words shown, two from them; nothing of the arc over all
    left, right = word(drawing, "← 2"), word(drawing, "70 →")
    assert left.right < word(drawing, "w37").left
    assert right.left > word(drawing, "w45").right
    assert [row[0] for row in drawing.table.rows] == [*range(37, 46)]


def test_by_default_the_part_is_around_the_first_difference() -> None:
    gold = words([0, *range(1, 80)])
    system = [*gold[:59], DependencyWord("w60", "T", 58, "dep"), *gold[60:]]
    assert "w60" in shown(dependency_figure(gold, system, width=10))
    assert "w60" not in shown(dependency_figure(gold, gold, width=10))


@pytest.mark.parametrize(
    ("head", "said"), [(None, "head not aligned"), (2, "its own head"), (99, "no such head"), (-1, "no such head")]
)
def test_heads_that_are_none_are_named(head: int | None, said: str) -> None:
    gold = words([0, 1, 2])
    system = [gold[0], DependencyWord("w2", "T", head, "dep"), gold[2]]
    drawing = dependency_figure(gold, system)
    assert_is_sound(drawing)
    assert said in shown(drawing)
    assert kinds(drawing) == {"both": 2, "gold head": 1, "system head": 1}


def test_no_leg_of_a_word_goes_through_what_is_said_of_it() -> None:
    gold = words([0, 1, 1, 3])
    drawing = dependency_figure(gold, [None, DependencyWord("w2", "T", None, "dep"), *gold[2:]])
    (note,) = [text for text in texts(drawing) if text.words == "not aligned"]
    (arc,) = [mark for mark in marks(drawing) if mark.title == "w1 → w3: dep"]
    assert not any(goes_through(line, note) for line in points(arc.d))


def test_loops_roots_and_nothing_at_all_are_drawn() -> None:
    gold = words([0, 1, 2, 3])
    for heads in ([2, 1, 4, 3], [0, 0, 0, 0], [2, 3, 4, 1], [1, 2, 3, 4], [None] * 4):
        drawing = dependency_figure(gold, words(list(heads), "a long relation"))
        assert_is_sound(drawing)
    assert_is_sound(dependency_figure([], []))
    assert_is_sound(dependency_figure(gold, [None] * 4))
    with pytest.raises(ValueError, match="argument"):
        dependency_figure(gold, gold[:2])


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_strings_are_text(text: str) -> None:
    gold = [DependencyWord(text, text, 2, text), DependencyWord(text, "T", 0, text), DependencyWord("w", text, 2, text)]
    system = [gold[0], DependencyWord(text, text, 3, text), DependencyWord("w", "T", 2, text + "x")]
    drawing = dependency_figure(gold, system, system_name=text, sentence=text)
    assert_is_sound(drawing)
    assert "<script" not in drawing.svg
    assert "<svg onload" not in drawing.svg
    assert not any(mark in drawing.svg for mark in "\u202e\u2066\u200f\x00\x1b")
    assert all(len(text.words) <= 60 for text in texts(drawing)[:-2])
    assert all(len(mark.title) <= 300 for mark in marks(drawing))
    assert len(drawing.svg.encode()) < 20_000


def test_of_a_long_word_the_title_has_more() -> None:
    gold = [DependencyWord("q" * 10_000, "T", 0, "root")]
    (text,) = [one for one in texts(dependency_figure(gold, gold)) if one.words.startswith("q")]
    assert text.words == "q" * 21 + "…"
    assert text.title.startswith("1 " + "q" * 200)
    assert len(text.title) == 300


@st.composite
def sentences(draw: st.DrawFn) -> tuple[list[DependencyWord], list[DependencyWord | None]]:
    """Any heads at all: most of these are no trees."""
    n = draw(st.integers(0, 14))
    labels = st.sampled_from(["a", "nsubj:pass", "a-very-long-relation-label", "", "長い関係"])
    heads = st.one_of(st.none(), st.integers(-1, n + 1), st.integers(0, n))
    sides = [
        [
            DependencyWord(draw(st.sampled_from(["I", "gardener", "無"])), draw(labels), draw(heads), draw(labels))
            for _ in range(n)
        ]
        for _ in range(2)
    ]
    aligned = draw(st.lists(st.booleans(), min_size=n, max_size=n))
    system = [
        one if draw(st.booleans()) else other if is_aligned else None
        for one, other, is_aligned in zip(*sides, aligned, strict=True)
    ]
    return sides[0], system


@given(sentences(), st.integers(1, 16), st.integers(1, 14))
def test_nothing_overlaps_whatever_the_heads(
    pair: tuple[list[DependencyWord], list[DependencyWord | None]], width: int, at: int
) -> None:
    assert_is_sound(dependency_figure(*pair, width=width, around=(at, at)))


def projective(rng: random.Random, first: int, stop: int, head: int, heads: list[int]) -> None:
    """Heads of the words from one up to another, such that no arcs cross."""
    if first < stop:
        cut = rng.randint(first + 1, stop)
        here = rng.randrange(first, cut)
        heads[here] = head
        projective(rng, first, here, here + 1, heads)
        projective(rng, here + 1, cut, here + 1, heads)
        projective(rng, cut, stop, head, heads)


@given(st.integers(0, 10_000), st.integers(1, 16))
def test_no_line_goes_through_a_label_of_a_projective_tree(seed: int, n: int) -> None:
    rng = random.Random(seed)
    heads = [0] * n
    root = rng.randrange(n)
    projective(rng, 0, root, root + 1, heads)
    projective(rng, root + 1, n, root + 1, heads)
    labels = ["nsubj", "a-long-relation", "x", "obl:tmod"]
    gold = [DependencyWord(rng.choice(["I", "see", "gardeners"]), "T", head, rng.choice(labels)) for head in heads]
    drawing = dependency_figure(gold, gold)
    assert_is_sound(drawing)
    for text in texts(drawing):
        if text.words in {*labels, "root"}:
            for mark in marks(drawing):
                assert not any(goes_through(line, text) for line in points(mark.d)), (text, mark)


def goes_through(line: list[tuple[float, float]], text: Text) -> bool:
    """Whether a line of small steps is anywhere in the box of a text."""
    for (x, y), (x2, y2) in pairwise(line):
        steps = max(int(abs(x2 - x) + abs(y2 - y)), 1)
        for step in range(steps + 1):
            at = x + (x2 - x) * step / steps, y + (y2 - y) * step / steps
            if text.left < at[0] < text.right and text.top < at[1] < text.bottom:
                return True
    return False


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(1, 20)), max_size=25))
def test_levels_keep_overlapping_intervals_apart_and_longer_ones_above(pairs: list[tuple[int, int]]) -> None:
    intervals = [(low, low + length) for low, length in pairs]
    found = levels(intervals)
    for number, one in enumerate(intervals):
        for other_number, other in enumerate(intervals):
            if number != other_number and one[0] < other[1] and other[0] < one[1]:
                assert found[number] != found[other_number]
                if one[1] - one[0] < other[1] - other[0]:
                    assert found[number] < found[other_number]
    assert sorted({*found}) == [*range(1, len({*found}) + 1)]  # no level is left out


@given(st.integers(0, 60), st.integers(1, 70), st.integers(0, 10), st.integers(1, 30))
def test_windows_hold_what_is_asked_for(n: int, first: int, more: int, width: int) -> None:
    part = window(n, (first, first + more), width)
    assert 0 <= part.start <= part.stop <= n
    assert len(part) >= min(n, width)
    assert {*range(first - 1, first + more)} & {*range(n)} <= {*part}


def test_a_drawing_of_twenty_words_is_small() -> None:
    rng = random.Random(1)
    heads: list[int | None] = [0] * 20
    gold = words([0 if number == 9 else rng.randint(1, 20) for number in range(20)], "nsubj", "word")
    system = [one if number % 7 else words(heads)[number] for number, one in enumerate(gold)]
    assert len(dependency_figure(gold, system).svg.encode()) < 6_500
