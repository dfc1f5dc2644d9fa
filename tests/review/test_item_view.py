"""What is shown of an item: its context, its word elsewhere, and nothing that a blind judge must not know."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from karat.corpus import read
from karat.corpus.worklist import Worklist, WorklistRow, read_worklist, write_worklist
from karat.errors import DataError
from karat.review.item_view import ItemViews
from karat.signature import signature

_WORDS = (
    ("the light is red", "DET NOUN AUX ADJ"),
    ("the light is on", "DET NOUN AUX ADV"),
    ("they light the lamp", "PRON VERB DET NOUN"),
    ("a light lamp", "DET ADJ NOUN"),
)
_ARCS = (
    "2:det 4:nsubj 4:cop 0:root",
    "2:det 4:nsubj 4:cop 0:root",
    "2:nsubj 0:root 4:det 2:obj",
    "3:det 3:amod 0:root",
)


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    text = "# newdoc id = d1\n"
    for number, ((words, tags), arcs) in enumerate(zip(_WORDS, _ARCS, strict=True), start=1):
        text += f"# sent_id = s{number}\n"
        for place, (word, tag, arc) in enumerate(zip(words.split(), tags.split(), arcs.split(), strict=True), start=1):
            head, relation = arc.split(":")
            text += f"{place}\t{word}\t{word}\t{tag}\t_\t_\t{head}\t{relation}\t_\t_\n"
        text += "\n"
    path = tmp_path / "gold.conllu"
    path.write_text(text, encoding="utf-8")
    return path


def _listed(gold: Path, *rows: WorklistRow, verb: str = "noise plan", role: str = "gold", **settings: str) -> Worklist:
    """A list that says that it was made from the gold."""
    named = [(role, str(gold), read(gold).source.sha256())]
    line = signature(verb, (settings or {"column": "upos"}).items(), named)
    path = gold.with_name("check.tsv")
    write_worklist(path, Worklist(rows, ("What is right?", line)))
    return read_worklist(path, kinds={row.kind: ("none",) for row in rows})


def _token(text: str = "they [light] the lamp", sent_id: str = "s3", place: int = 2) -> WorklistRow:
    return WorklistRow("w10", "token", "gold", sent_id, place, place, text, "a) NOUN  b) VERB")


def test_a_blind_judge_sees_the_sentences_around_but_no_tags_and_no_tree(gold: Path) -> None:
    views = ItemViews.of(_listed(gold, _token()))
    view = views.view(_token())
    assert [(word.form, word.marked) for word in view.context.words] == [
        ("they", False), ("light", True), ("the", False), ("lamp", False),
    ]  # fmt: skip
    assert {word.tags for word in view.context.words} == {""}
    assert view.drawing is None
    assert [one.sent_id for one in view.context.before] == ["s1", "s2"]
    assert [one.text for one in view.context.after] == ["a light lamp"]
    assert views.missing == ()


def test_a_word_elsewhere_is_counted_without_the_place_in_question(gold: Path) -> None:
    view = ItemViews.of(_listed(gold, _token())).view(_token())
    corpus = read(gold)
    slow = Counter(
        tag
        for number, (form, tag) in enumerate(
            zip(corpus.column("form").strings(), corpus.column("upos").strings(), strict=True)
        )
        if form == "light" and number != int(corpus.sentence_offsets[2]) + 1
    )
    assert {one.label: one.count for one in view.elsewhere} == slow == {"NOUN": 2, "ADJ": 1}
    assert view.elsewhere[0].examples == ["the [light] is red", "the [light] is on"]
    assert set(view.labels) == {"ADJ", "ADV", "AUX", "DET", "NOUN", "PRON", "VERB"}


def test_a_suspect_has_tags_a_tree_and_its_evidence(gold: Path) -> None:
    row = WorklistRow(
        "s2", "suspect", "gold", "s1", 2, 2, "the [light] is red", "NOUN  (NOUN 2 %, ADJ 87 %; 1 in 28 in its place)",
        word="light", label_here="NOUN", label_there="ADJ",
    )  # fmt: skip
    view = ItemViews.of(_listed(gold, row, verb="suspects", role="corpus", column="upos")).view(row)
    assert [word.tags for word in view.context.words] == ["DET", "NOUN", "AUX", "ADJ"]
    assert view.evidence == ["tagger: NOUN 2 %, ADJ 87 %", "1 in 28 in its place"]
    assert view.drawing is not None
    assert ">nsubj<" in view.drawing


def test_a_file_that_has_changed_is_not_used_and_the_page_says_so(gold: Path) -> None:
    worklist = _listed(gold, _token())
    gold.write_text(gold.read_text().replace("lamp", "torch"), encoding="utf-8")
    views = ItemViews.of(worklist)
    assert views.missing == (f"{gold} has changed since the list was made",)
    view = views.view(_token())
    assert [word.form for word in view.context.words if word.marked] == ["light"]
    assert (view.context.before, view.elsewhere, view.labels) == ((), (), [])


def test_a_given_file_that_the_list_was_not_made_from_is_refused(gold: Path) -> None:
    worklist = _listed(gold, _token())
    other = gold.with_name("other.conllu")
    other.write_text(gold.read_text().replace("lamp", "torch"), encoding="utf-8")
    with pytest.raises(DataError, match="K740"):
        ItemViews.of(worklist, gold=str(other))
    assert ItemViews.of(worklist, gold=str(gold)).view(_token()).context.before


def test_a_row_whose_word_is_not_there_is_shown_from_the_list(gold: Path) -> None:
    row = _token("they [torch] the lamp")
    view = ItemViews.of(_listed(gold, row)).view(row)
    assert [word.form for word in view.context.words if word.marked] == ["torch"]
    assert view.context.before == ()


def test_brackets_are_drawn_with_the_one_in_question_marked(tmp_path: Path) -> None:
    gold, system = tmp_path / "gold.ptb", tmp_path / "p.ptb"
    gold.write_text("(S (NP (DT the) (JJ old) (NN man)) (VP (VBD the) (NNS boats)))\n")
    system.write_text("(S (NP (DT the) (JJ old)) (VP (NN man) (NP (VBD the) (NNS boats))))\n")
    row = WorklistRow(
        "p/1/3-5", "bracket", "p", "1", 3, 5, "the old [man the boats]", "CE; gold: [the old man]; p: [man [the boats]]"
    )
    views = ItemViews.of(Worklist((row,)), gold=str(gold), systems={"p": str(system)})
    view = views.view(row)
    assert view.drawing is not None
    assert view.drawing.count('stroke-width="5"') == 1
    assert [word.form for word in view.context.words if word.marked] == ["man", "the", "boats"]
    assert view.evidence == ["It crosses a bracket of the gold.", "gold: [the old man]", "p: [man [the boats]]"]
    assert ItemViews.of(Worklist((row,))).view(row).drawing is None
    assert "--gold" in ItemViews.of(Worklist((row,))).missing[0]


@given(
    before=st.lists(st.sampled_from(["[", "]", "a", "[b", "c]", "d"]), max_size=4),
    after=st.lists(st.sampled_from(["[", "]", "a", "e]", "f"]), max_size=4),
    word=st.sampled_from(["x", "[", "]", "y]"]),
)
def test_the_marked_word_is_found_whatever_brackets_the_sentence_has(
    before: list[str], after: list[str], word: str
) -> None:
    place = len(before) + 1
    row = _token(" ".join([*before, f"[{word}]", *after]), "not there", place)
    view = ItemViews.of(Worklist((row,))).view(row)
    assert [(one.form, one.marked) for one in view.context.words] == [
        *((form, False) for form in before), (word, True), *((form, False) for form in after),
    ]  # fmt: skip
