"""Phrases compared: every bracket is drawn as what karat's measures count it as, and no label is on another."""

from __future__ import annotations

import random
import re
from collections import Counter
from itertools import pairwise
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, strategies as st

from karat.corpus import read_source, source_from_bytes
from karat.corpus.constituency_trees import Trees
from karat.corpus.readers.brackets import brackets_beside, brackets_from_source
from karat.measures.brackets.options import BracketOptions
from karat.measures.brackets.paired_trees import paired_trees
from karat.measures.brackets.punctuation import punctuation_named
from karat.measures.brackets.tree_counts import TreeComparison
from karat.report.draw.constituency import constituency_figure
from karat.report.draw.sentence_brackets import (
    Bracket,
    Kind,
    SentenceBrackets,
    compared_brackets,
    sentence_brackets,
)
from karat.report.draw.svg import COLOURS, MUTED, Drawing
from realdata import data, data_files
from sentence_drawing_checks import Mark, assert_is_sound, marks, points, texts
from tree_corruptions import corrupted_tree
from tree_examples import GOLD_BRACKETS, HOSTILE, SYSTEM_BRACKETS, WORDS

KINDS: dict[tuple[str, float, bool], Kind] = {
    (MUTED, 1.0, False): "both",
    (COLOURS[0], 2.0, False): "missing",
    (COLOURS[1], 2.0, True): "spurious",
    (COLOURS[1], 4.0, False): "crossing",
}
EXAMPLE = SentenceBrackets(WORDS, GOLD_BRACKETS, SYSTEM_BRACKETS)


def brackets_drawn(drawing: Drawing) -> list[Mark]:
    return [mark for mark in marks(drawing) if not mark.moved]  # the boxes of tags are moved


def kinds(drawing: Drawing) -> dict[str, int]:
    return Counter(KINDS[mark.stroke, mark.width, mark.is_dashed] for mark in brackets_drawn(drawing))


def titles(drawing: Drawing, kind: Kind) -> list[str]:
    return [mark.title for mark in brackets_drawn(drawing) if KINDS[mark.stroke, mark.width, mark.is_dashed] == kind]


def shown(drawing: Drawing) -> list[str]:
    return [text.words for text in texts(drawing)]


def test_brackets_are_what_they_are() -> None:
    drawing = constituency_figure(EXAMPLE, system_name="B", name="s1")
    assert_is_sound(drawing)
    # both: S, NP, VP and NP/NX, on both sides; missing: roses and the PP
    assert kinds(drawing) == {"both": 8, "missing": 2, "spurious": 1, "crossing": 1}
    assert drawing.title == "Brackets of s1: gold above, B below; 4 matched, 2 missing, 1 spurious, 1 crossing"
    assert titles(drawing, "missing") == [
        "gold only: NP “roses”",
        "gold only: PP “near the wall”; crossed by X “roses near”",
    ]
    assert titles(drawing, "crossing") == ["B only, crossing: X “roses near”; crosses PP “near the wall”"]
    assert titles(drawing, "spurious") == ["B only: NP “roses near the wall”"]
    assert titles(drawing, "both")[-1] == "both: NX “the wall”; gold: NP"
    assert shown(drawing).count("PP ①") == shown(drawing).count("X ①") == 1
    assert "NP → NX" in shown(drawing)
    assert shown(drawing)[-2:] == [
        "gold: 6 brackets, 2 missing (solid)",
        "B: 6 brackets, 1 spurious (dashed), 1 crossing (thick, numbered)",
    ]


def test_a_system_called_gold_is_still_the_system() -> None:
    usual, drawing = (constituency_figure(EXAMPLE, system_name=name) for name in ("dorg", "gold"))
    assert drawing.svg == usual.svg.replace("dorg", "gold")


def test_with_labels_those_that_differ_are_missing_and_spurious_and_show_both() -> None:
    drawing = constituency_figure(SentenceBrackets(WORDS, GOLD_BRACKETS, SYSTEM_BRACKETS, labelled=True))
    assert_is_sound(drawing)
    assert kinds(drawing) == {"both": 6, "missing": 3, "spurious": 2, "crossing": 1}
    assert "NP → NX" in shown(drawing)
    assert "system only: NX “the wall”; gold: NP" in titles(drawing, "spurious")


def test_gold_grows_up_and_the_system_down_and_brackets_are_around_their_words() -> None:
    drawing = constituency_figure(EXAMPLE)
    at = {text.words: text for text in texts(drawing)}
    (missing,) = [one for one in brackets_drawn(drawing) if one.title.startswith("gold only: PP")]
    (crossing,) = [one for one in brackets_drawn(drawing) if "crossing" in one.title]
    for mark, first, last, is_above in ((missing, "near", "wall", True), (crossing, "roses", "near", False)):
        places = [point for line in points(mark.d) for point in line]
        assert min(x for x, _ in places) <= at[first].left
        assert at[last].right <= max(x for x, _ in places)
        assert all((y < at[first].top) == is_above for _, y in places)
    levels = [min(y for line in points(mark.d) for _, y in line) for mark in brackets_drawn(drawing)[:2]]
    assert levels[0] < levels[1]  # the sentence is above the phrase in it


def test_a_chain_around_the_same_words_is_in_order_and_matches_by_label_first() -> None:
    gold: list[Bracket] = [(0, 2, "S"), (0, 2, "VP"), (0, 2, "NP")]
    drawing = constituency_figure(SentenceBrackets(["go", "home"], gold, [(0, 2, "NP"), (0, 2, "X")]))
    assert_is_sound(drawing)
    assert kinds(drawing) == {"both": 4, "missing": 1}
    above = [text for text in texts(drawing) if text.words in ("S", "VP", "NP")][:3]
    heights = {text.words: text.top for text in texts(drawing)[::-1]}
    assert len(above) == 3
    assert heights["S"] < heights["VP"]
    assert "S → X" in shown(drawing)


def test_a_missing_parse_leaves_the_gold_s_brackets() -> None:
    drawing = constituency_figure(SentenceBrackets(WORDS, GOLD_BRACKETS, [], note="no parse"), system_name="B")
    assert_is_sound(drawing)
    assert kinds(drawing) == {"missing": 6}
    assert shown(drawing)[-1] == "B: no parse"


def test_brackets_that_leave_the_part_shown_are_open() -> None:
    words = [f"w{number}" for number in range(1, 101)]
    gold = [(0, 100, "S"), (0, 45, "NP"), (41, 46, "VP"), (42, 44, "PP"), (43, 90, "SBAR"), (70, 80, "X")]
    drawing = constituency_figure(SentenceBrackets(words, gold, gold[:2]), around=(43, 44), width=6)
    assert_is_sound(drawing)
    assert [one for one in shown(drawing) if one.startswith("w")] == [f"w{number}" for number in range(41, 47)]
    assert shown(drawing)[-2].startswith("gold, words 41 to 46 of 100: 6 brackets, 4 missing")
    # above S at both ends, NP at its beginning, SBAR at its end; below S and NP again
    assert shown(drawing).count("…") == 2 + 1 + 1 + 2 + 1
    assert kinds(drawing) == {"both": 4, "missing": 3}
    ticks = {mark.title.split("“")[0]: n_ticks(mark) for mark in brackets_drawn(drawing)}
    assert ticks == {"both: S ": 0, "both: NP ": 1, "gold only: VP ": 2, "gold only: PP ": 2, "gold only: SBAR ": 1}


def n_ticks(mark: Mark) -> int:
    ends = [(line[n], line[n + 1]) for line in points(mark.d) for n in range(len(line) - 1)]
    return sum(one[0] == other[0] for one, other in ends)


def test_by_default_the_part_is_around_the_first_difference_of_the_system() -> None:
    words = [f"w{number}" for number in range(1, 101)]
    drawing = constituency_figure(SentenceBrackets(words, [(0, 100, "S")], [(0, 100, "S"), (60, 63, "X")]), width=7)
    assert [one for one in shown(drawing) if one.startswith("w")] == [f"w{number}" for number in range(59, 66)]


def test_right_to_left_scripts_are_mirrored() -> None:
    words = ["אבגד", "הו", "זחט"]
    drawing = constituency_figure(SentenceBrackets(words, [(0, 3, "S"), (0, 2, "NP")], [(0, 3, "S"), (1, 3, "VP")]))
    assert_is_sound(drawing)
    at = {text.words: text for text in texts(drawing)}
    assert at["אבגד"].middle > at["הו"].middle > at["זחט"].middle
    assert at["NP ①"].middle > at["VP ①"].middle


def test_words_that_do_not_count_and_tags_that_differ_are_marked() -> None:
    sentence = SentenceBrackets(
        ["Go", "!"], [], [], tags=["VB", "."], system_tags=["NN", "."], is_left_out=[False, True]
    )
    drawing = constituency_figure(sentence)
    assert_is_sound(drawing)
    assert {"VB → NN", "."} <= {*shown(drawing)}
    assert "2 !: not counted" in [text.title for text in texts(drawing)]
    assert '<g font-style="italic">' in drawing.svg


def test_the_table_has_every_bracket_once() -> None:
    table = constituency_figure(EXAMPLE, system_name="B").table
    assert list(table.columns) == ["in", "label", "other label", "from", "to", "words", "crosses"]
    assert Counter(row[0] for row in table.rows) == {"both": 4, "gold only": 2, "B only": 2}
    assert ["B only", "X", None, 5, 6, "roses near", "PP “near the wall”"] in table.rows
    assert ["both", "NP", "NX", 7, 8, "the wall", ""] in table.rows


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_strings_are_text(text: str) -> None:
    sentence = SentenceBrackets(
        [text, "w", text], [(0, 3, text), (0, 2, "A")], [(0, 3, "B"), (1, 3, text)],
        tags=[text] * 3, system_tags=["T"] * 3,
    )  # fmt: skip
    drawing = constituency_figure(sentence, system_name=text, name=text)
    assert_is_sound(drawing)
    assert "<script" not in drawing.svg
    assert "<svg onload" not in drawing.svg
    assert not any(mark in drawing.svg for mark in "\u202e\u2066\u200f\x00\x1b")
    assert all(len(mark.title) <= 300 for mark in marks(drawing))
    assert len(drawing.svg.encode()) < 20_000


def random_brackets(rng: random.Random, first: int, stop: int, found: list[Bracket]) -> None:
    """Nested brackets, also around one word and around the same words."""
    found.append((first, stop, rng.choice(["NP", "a-very-long-label", "S", ""])))
    if rng.random() < 0.3:
        random_brackets(rng, first, stop, found)
    elif stop - first > 1:
        cut = rng.randint(first + 1, stop - 1)
        for low, high in ((first, cut), (cut, stop)):
            if rng.random() < 0.7:
                random_brackets(rng, low, high, found)


@given(st.integers(0, 10_000), st.integers(1, 14), st.integers(1, 14), st.booleans())
def test_nothing_overlaps_whatever_the_trees(seed: int, n: int, width: int, labelled: bool) -> None:
    rng = random.Random(seed)
    sides: tuple[list[Bracket], list[Bracket]] = [], []
    for side in sides:
        random_brackets(rng, 0, n, side)
    words = [rng.choice(["I", "gardeners", "無", "a"]) for _ in range(n)]
    at = rng.randint(1, n)
    sentence = SentenceBrackets(words, *sides, labelled=labelled)
    assert_is_sound(constituency_figure(sentence, around=(at, at), width=width))


@given(st.integers(0, 10_000), st.integers(1, 12), st.booleans())
def test_numbers_pair_exactly_the_brackets_that_cross(seed: int, n: int, labelled: bool) -> None:
    rng = random.Random(seed)
    sides: tuple[list[Bracket], list[Bracket]] = [], []
    for side in sides:
        random_brackets(rng, 0, n, side)
    gold, system = compared_brackets(SentenceBrackets(["w"] * n, *sides, labelled=labelled))
    for ours in gold:
        for theirs in system:
            a, b = {*range(ours.start, ours.stop)}, {*range(theirs.start, theirs.stop)}
            assert bool({*ours.numbers} & {*theirs.numbers}) == bool(a & b and a - b and b - a)
    numbers = [one.numbers for one in system if one.kind == "crossing"]
    assert numbers == [(number,) for number in range(1, len(numbers) + 1)]


# ---- beside karat's measures -----------------------------------------------------------------------------------------


def compared(gold: Trees, system: Trees, options: BracketOptions) -> TreeComparison:
    return TreeComparison(paired_trees(gold, system, punctuation_named(options.punctuation)), options)


def assert_as_counted(comparison: TreeComparison, *, labelled: bool) -> Counter[str]:
    """What is drawn of each sentence is what karat's measures count in it; the totals."""
    main = comparison.labelled if labelled else comparison.unlabelled
    items = {item: counts.tolist() for item, counts in main.items().items()}
    found = main.gold.tally(main.found).tolist()
    totals: Counter[str] = Counter()
    for sentence in range(comparison.pair.gold.n_trees):
        gold, system = compared_brackets(sentence_brackets(comparison, sentence, labelled=labelled))
        ours, theirs = Counter(one.kind for one in gold), Counter(one.kind for one in system)
        counted = {"both": items["EM"][sentence], "crossing": items["CE"][sentence], "spurious": items["SP"][sentence]}
        assert {kind: theirs[kind] for kind in get_args(Kind) if kind != "missing"} == counted
        assert ours["both"] == found[sentence]
        assert ours["missing"] == items["TTB"][sentence] - found[sentence]
        totals += ours
        totals += Counter({kind: n for kind, n in theirs.items() if kind != "both"})
    return totals


@pytest.mark.parametrize("labelled", [False, True])
@pytest.mark.parametrize("name", ["gum", "errors", "edge"])
def test_kinds_are_counted_as_karat_counts_them_on_evalb_s_data(name: str, labelled: bool) -> None:
    gold = brackets_from_source(read_source(data(f"evalb/{name}.gld")), bad="keep")
    system = brackets_beside(gold, read_source(data(f"evalb/{name}.tst")), bad="keep")
    totals = assert_as_counted(compared(gold, system, BracketOptions()), labelled=labelled)
    assert totals["both"] > 0 or name == "edge"
    if name == "gum":
        assert min(totals[kind] for kind in get_args(Kind)) > 100


@pytest.mark.parametrize("keeping", [False, True])
def test_kinds_are_counted_as_karat_counts_them_on_corrupted_trees(keeping: bool) -> None:
    gold = brackets_from_source(read_source(data_files("gum-const/*.ptb")[0]))
    rng = random.Random(7)
    places = pairwise([*gold.tree_places.tolist(), gold.source.size])
    lines = [" ".join(gold.source.text(first, stop).split()) for first, stop in places]
    corrupted = [corrupted_tree(line, rng) if number % 9 else "(())" for number, line in enumerate(lines)]
    system = brackets_from_source(source_from_bytes("\n".join(corrupted).encode(), "system.ptb"))
    options = BracketOptions(keep_doubled=keeping, keep_one_word=keeping, punctuation="none" if keeping else "penn")
    comparison = compared(gold, system, options)
    for labelled in (False, True):
        totals = assert_as_counted(comparison, labelled=labelled)
        assert min(totals[kind] for kind in get_args(Kind)) > 5
    missing = sentence_brackets(comparison, 0)
    assert missing.note == "no parse"
    assert not missing.system


def test_paths_of_each_kind_are_as_many_as_the_items() -> None:
    gold = brackets_from_source(read_source(data("evalb/gum.gld"))).between(0, 60)
    whole = brackets_from_source(read_source(data("evalb/gum.tst"))).between(0, 60)
    comparison = compared(gold, whole, BracketOptions())
    items = comparison.main.items()
    for sentence in range(60):
        drawing = constituency_figure(sentence_brackets(comparison, sentence), width=1000)
        drawn = kinds(drawing)
        assert drawn.get("both", 0) == 2 * items["EM"][sentence]
        assert drawn.get("crossing", 0) == items["CE"][sentence]
        assert drawn.get("spurious", 0) == items["SP"][sentence]
        assert drawn.get("missing", 0) == items["TTB"][sentence] - items["EM"][sentence]
        assert_is_sound(drawing)
        assert_is_sound(constituency_figure(sentence_brackets(comparison, sentence, labelled=True), width=12))


def test_words_and_tags_are_those_of_the_trees_and_brackets_end_before_punctuation() -> None:
    gold = brackets_from_source(
        source_from_bytes(
            b"(ROOT (S (NP (DT The) (NN cat) (, ,)) (NP (-NONE- *)) (VP (VBD sat) (ADVP (RB down))) (. .)))", "g"
        )
    )
    system = brackets_from_source(source_from_bytes(
        b"(ROOT (S (NP (DT The) (NN cat) (, ,)) (VP (NN sat) (ADVP (RB down))) (. .)))", "s"))  # fmt: skip
    found = sentence_brackets(compared(gold, system, BracketOptions()), 0)
    assert found.words == ["The", "cat", ",", "sat", "down", "."]
    assert found.tags == ["DT", "NN", ",", "VBD", "RB", "."]
    assert found.system_tags == ["DT", "NN", ",", "NN", "RB", "."]
    assert found.is_left_out == [False, False, True, False, False, True]
    assert found.gold == found.system == [(0, 5, "S"), (0, 2, "NP"), (3, 5, "VP")]
    assert np.all(compared(gold, system, BracketOptions()).main.exact)


def test_of_brackets_around_all_that_is_shown_only_the_innermost_are_drawn() -> None:
    """Words 5 to 8 of 12; around them four brackets that both have, and one that only the gold has."""
    words = [f"w{number}" for number in range(12)]
    both: list[Bracket] = [(0, 12, "A"), (1, 12, "B"), (2, 11, "C"), (3, 10, "D"), (5, 7, "E")]
    sentence = SentenceBrackets(words, [*both, (1, 10, "G")], both)
    whole, part = (
        constituency_figure(sentence, around=(5, 8), width=4, most_around=most).svg for most in (None, 1)
    )  # fmt: skip
    labels = [[text for text in re.findall(">([A-Z])<", svg) if text in "ABCDEG"] for svg in (whole, part)]
    assert [Counter(found) for found in labels] == [
        Counter(A=2, B=2, C=2, D=2, E=2, G=1),
        Counter(D=2, E=2, G=1),
    ]
    assert "3 around all of these words not drawn" in part
    assert "not drawn" not in whole
