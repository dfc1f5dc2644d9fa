"""Verdicts taken over into a list that was made anew: by what was asked, not by ids and places."""

from __future__ import annotations

import random
from collections.abc import Sequence

from hypothesis import given, strategies as st

from karat.corpus.carried_verdicts import Carried, Question, carried
from karat.corpus.worklist import Worklist, WorklistRow


def row(
    number: int, text: str, verdict: str = "", *, sent_id: str = "", start: int = 1, letters: str = "XY"
) -> WorklistRow:
    """A row that asks which of two tags a text has; the order of the letters is that of the options."""
    sent_id = sent_id or f"s{number}"
    return WorklistRow(f"r{number}", "token", "c", sent_id, start, start, text, letters, 1.0, verdict)


def question(one: WorklistRow) -> Question | None:
    if one.text == "unreadable":
        return None
    return Question((one.text, frozenset(one.shown)), {"a": one.shown[0], "b": one.shown[1], "none": "neither"})


def carry(new: Sequence[WorklistRow], *old: Sequence[WorklistRow]) -> Carried:
    return carried(Worklist(tuple(new)), [Worklist(tuple(rows), (), "old.tsv") for rows in old], question)


def test_a_verdict_goes_with_the_words_whatever_id_and_place() -> None:
    found = carry([row(7, "the pier", start=4), row(8, "a pier")], [row(1, "the pier", "b"), row(2, "gone", "a")])
    assert [one.verdict for one in found.worklist.rows] == ["b", ""]
    assert (found.n_carried, [(path, one.id) for path, one in found.left]) == (1, [("old.tsv", "r2")])


def test_letters_are_translated() -> None:
    found = carry(
        [row(1, "pier", letters="YX"), row(2, "mole", letters="YX")], [row(1, "pier", "a"), row(2, "mole", "none")]
    )
    assert [one.verdict for one in found.worklist.rows] == ["b", "none"]


def test_other_labels_are_another_question() -> None:
    found = carry([row(1, "pier", letters="XZ")], [row(1, "pier", "b")])
    assert (found.n_carried, len(found.left)) == (0, 1)


def test_of_sentences_with_the_same_words_the_name_decides_and_else_nothing_is_guessed() -> None:
    new = [row(1, "OK .", sent_id="n1"), row(2, "OK .", sent_id="n2")]
    found = carry(new, [row(5, "OK .", "a", sent_id="n2"), row(6, "OK .", "b", sent_id="gone")])
    assert [one.verdict for one in found.worklist.rows] == ["", "a"]
    assert [one.id for _, one in found.left] == ["r6"]


def test_of_two_lists_the_first_counts_and_what_contradicts_it_is_listed() -> None:
    found = carry([row(1, "pier"), row(2, "mole")], [row(1, "pier", "a")], [row(1, "pier", "b"), row(2, "mole", "b")])
    assert [one.verdict for one in found.worklist.rows] == ["a", "b"]
    assert [one.verdict for _, one in found.left] == ["b"]


def test_notes_are_carried_without_a_verdict() -> None:
    old = WorklistRow("r1", "token", "c", "s", 1, 1, "pier", "XY", 1.0, "", "", "ina", "hard")
    found = carry([row(1, "pier")], [old])
    assert (found.worklist.rows[0].note, found.worklist.rows[0].verdict, found.n_carried) == ("hard", "", 1)


def test_what_cannot_be_read_is_listed() -> None:
    found = carry([row(1, "unreadable")], [row(1, "unreadable", "a")])
    assert (found.n_carried, len(found.left)) == (0, 1)


@given(
    st.lists(st.sampled_from("abcdef"), max_size=8), st.lists(st.sampled_from("abcdef"), max_size=8), st.integers(0, 99)
)
def test_nothing_is_lost_and_nothing_is_made_up(texts: list[str], others: list[str], seed: int) -> None:
    """Every judged row is carried, repeated by one that is, or listed; verdicts are those given on the same words."""
    rng = random.Random(seed)
    old = [row(place, text, rng.choice(["a", "b", "none"])) for place, text in enumerate(texts)]
    new = [row(place, text, letters=rng.choice(["XY", "YX"])) for place, text in enumerate(others)]
    found = carry(new, old)
    given = {(one.text, {"a": "X", "b": "Y", "none": "neither"}[one.verdict]) for one in old}
    answered = [one for one in found.worklist.rows if one.verdict]
    for one in answered:
        asked = question(one)
        assert asked is not None
        assert (one.text, asked.meanings[one.verdict]) in given
    assert len(answered) == found.n_carried <= len(old) - len(found.left)
    assert {one.text for one in old} <= {one.text for one in answered} | {one.text for _, one in found.left}
    assert [(one.id, one.text, one.shown) for one in found.worklist.rows] == [
        (one.id, one.text, one.shown) for one in new
    ]
