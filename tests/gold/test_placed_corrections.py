"""Verdicts on single places of repeats: exactly these places change, and what names no place is refused."""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random

import pytest
from hypothesis import assume, given, strategies as st

from judged_lists import judged, listed, saved
from karat.corpus import Corpus, changed_bytes, read
from karat.corpus.carried_verdicts import carried
from karat.corpus.worklist import Worklist, WorklistRow
from karat.errors import DataError
from karat.gold.corrected_files import write_corrected
from karat.gold.corrections import correct
from karat.gold.repeats.carried_places import CarriedPlaces
from karat.gold.repeats.placed_labels import PlacedLabel, placed_labels_text
from karat.gold.repeats.running_text import running_text
from random_words import corpora_at_random, corpus_of, plain
from repeat_reference import Word

HARBOUR = plain(
    "the/DET old/ADJ harbour/NOUN wall/NOUN leans/VERB",
    "we/PRON saw/VERB the/DET old/ADJ harbour/PROPN wall/NOUN",
    "an/DET old/ADJ tug/NOUN sank/VERB",
    "near/ADP the/DET old/ADJ harbour/NOUN wall/NOUN",
)


def changed_by(folder: Path, corpus: Corpus, verdict: str, label: str) -> list[tuple[str, int, str, str, str]]:
    path = saved(folder, judged(listed(corpus), lambda row: (verdict, label)))
    return [(one.sent_id, one.token, one.column, one.old, one.new) for one in correct(corpus, path).changes]


def problems(folder: Path, corpus: Corpus, verdict: str, label: str) -> list[tuple[str, int, str]]:
    with pytest.raises(DataError) as caught:
        changed_by(folder, corpus, verdict, label)
    return [(one.code, one.line, one.message) for one in caught.value.problems]


# ---- labels ----------------------------------------------------------------------------------------------------------


def test_the_places_that_are_named_change_and_no_others(tmp_path: Path) -> None:
    corpus = corpus_of(HARBOUR)
    assert changed_by(tmp_path, corpus, "mixed", "ADJ @ s0 3; NOUN @ s1 5") == [
        ("s0", 3, "upos", "NOUN", "ADJ"),
        ("s1", 5, "upos", "PROPN", "NOUN"),
    ]
    assert changed_by(tmp_path, corpus, "mixed", "NOUN @ s0 3") == []  # it has that label already


def places_of(sentences: list[list[Word]], row: WorklistRow) -> list[tuple[int, int]]:
    """The places of a row's word, (sentence, word) from 0, by trying each place of the text."""
    forms = [word.form for word in sentences[int(row.sent_id[1:])][row.start - 1 : row.end]]
    position = int(row.id.split(".")[2].rstrip("di")) - 1
    return [
        (number, at + position)
        for number, sentence in enumerate(sentences)
        for at in range(len(sentence) - len(forms) + 1)
        if [word.form for word in sentence[at : at + len(forms)]] == forms
    ]


def edited(corpus: Corpus, new: dict[tuple[int, int], str]) -> bytes:
    """The text with the UPOS of words (sentence, word) replaced, line by line."""
    sentence, lines = -1, []
    for line in corpus.source.text(0, corpus.source.size).split("\n"):
        sentence += line.startswith("# sent_id")
        fields = line.split("\t")
        if len(fields) == 10:
            fields[3] = new.get((sentence, int(fields[0]) - 1), fields[3])
        lines.append("\t".join(fields))
    return "\n".join(lines).encode()


@given(corpora_at_random(), st.randoms(use_true_random=False))
def test_what_is_said_of_each_place_is_what_the_file_has(corpora: list[list[list[Word]]], random: Random) -> None:
    sentences = corpora[0]
    corpus = corpus_of(sentences)
    worklist = listed(corpus, min_words=1)
    assume(worklist.rows)
    chosen = random.choice(worklist.rows)
    places = places_of(sentences, chosen)
    new = {place: random.choice(["N", "V", "ADJ"]) for place in random.sample(places, random.randint(1, len(places)))}
    said = [PlacedLabel("", f"s{sentence}", word + 1, label) for (sentence, word), label in new.items()]
    text = placed_labels_text(said)
    with tempfile.TemporaryDirectory() as folder:
        path = saved(Path(folder), judged(worklist, lambda row: ("mixed", text) if row.id == chosen.id else ("", "")))
        result = write_corrected(correct(corpus, path), Path(folder) / "out.conllu")
        written = (Path(folder) / "out.conllu").read_bytes()
    assert written == edited(corpus, new)
    assert len(result.changes) == sum(sentences[s][w].upos != label for (s, w), label in new.items())


def test_heads_change_at_single_places_where_the_sentence_stays_a_tree(tmp_path: Path) -> None:
    def sentence(*heads: int) -> list[Word]:
        return [Word(form, "X", "_", head, "dep") for form, head in zip("abc", heads, strict=True)]

    corpus = corpus_of([sentence(2, 0, 2), sentence(3, 0, 2), sentence(2, 0, 2)])
    (row,) = listed(corpus, of="dependencies").rows
    assert "A) dep+1, 2 places  B) dep+2, 1 place" in row.shown
    path = saved(tmp_path, judged(listed(corpus, of="dependencies"), lambda _: ("mixed", "dep+2 @ s2 1; dep+2 @ s1 1")))
    found = correct(corpus, path)
    assert [(one.sent_id, one.token, one.column, one.new) for one in found.changes] == [("s2", 1, "head", "3")]
    path = saved(tmp_path, judged(listed(corpus, of="dependencies"), lambda _: ("mixed", "root @ s0 1")), "root.tsv")
    assert [one.reason for one in correct(corpus, path).refused]


def test_all_that_is_wrong_is_reported_at_once_with_its_line(tmp_path: Path) -> None:
    label = "NOUN @ s0 2; NOUN @ s9 1; ADJ @ s0 3; X @ s0 3; NOUN; news:X @ s0 3; X @ news:s0 3"
    found = problems(tmp_path, corpus_of(HARBOUR), "mixed", label)
    assert {line for _, line, _ in found} == {6}
    assert sorted((code, message) for code, _, message in found) == [
        ("K742", "'NOUN' does not say what is right at which place"),
        ("K746", "<bytes> has no sentence 's9'"),
        ("K746", "the list was not made from a corpus 'news'"),
        ("K746", "word 2 of 's0' is not a place of this row"),
        ("K746", "word 3 of 's0' is to be 'X', but also 'ADJ'"),
        ("K746", "word 3 of 's0' is to be 'news:X', but also 'ADJ'"),
    ]


def test_a_label_that_cannot_be_one_is_refused_at_its_place(tmp_path: Path) -> None:
    ((code, _, message),) = problems(tmp_path, corpus_of(HARBOUR), "mixed", "NO UN @ s0 3")
    assert (code, message) == ("K742", "'NO UN' cannot be a label here")


def test_of_several_corpora_the_one_that_is_meant_must_be_named(tmp_path: Path) -> None:
    one, other = (tmp_path / name for name in ("one.conllu", "other.conllu"))
    one.write_bytes(changed_bytes(corpus_of(plain("the/DET old/ADJ pier/NOUN"))))
    other.write_bytes(changed_bytes(corpus_of(plain("the/DET old/ADJ pier/PROPN", "no/DET pier/NOUN"))))
    corpora = [read(path, trees=False) for path in (one, other)]
    said = judged(listed(*corpora), lambda row: ("mixed", "X @ other.conllu:s0 3"))
    path = saved(tmp_path, said)
    assert correct(one, path).changes == ()
    assert [(change.sent_id, change.new) for change in correct(other, path).changes] == [("s0", "X")]
    path = saved(tmp_path, judged(listed(*corpora), lambda row: ("mixed", "X @ s0 3")), "unnamed.tsv")
    with pytest.raises(DataError, match="K746 'X @ s0 3' does not say in which corpus") as caught:
        correct(other, path)
    assert "one.conllu, other.conllu" in caught.value.problems[0].hint


def test_a_place_contradicts_another_row_that_wants_something_else(tmp_path: Path) -> None:
    corpus = corpus_of(plain("a/X b/N c/X d/X", "a/X b/V c/X d/X", "z/X a/X b/N c/X", "a/X b/N c/X"))
    said = iter([("error-in-both", "A"), ("mixed", "N @ s0 2")])
    path = saved(tmp_path, judged(listed(corpus), lambda row: next(said)))
    with pytest.raises(DataError, match="K744"):
        correct(corpus, path)


def test_mixed_without_places_is_counted_as_work_that_is_left(tmp_path: Path) -> None:
    corpus = corpus_of(HARBOUR)
    plain_, placed = (
        correct(corpus, saved(tmp_path, judged(listed(corpus), lambda row, label=label: ("mixed", label)), f"{n}.tsv"))  # type: ignore[misc]
        for n, label in enumerate(["", "X @ s0 3"])
    )
    assert (plain_.n_mixed, placed.n_mixed) == (1, 0)


def test_judges_who_name_the_same_places_in_another_order_agree(tmp_path: Path) -> None:
    corpus = corpus_of(HARBOUR)
    labels = ["X @ s0 3; NOUN @ s1 5", "NOUN @ s1 5; X @ s0 3", "Y @ s0 3"]
    paths = [
        saved(tmp_path, judged(listed(corpus), lambda row, label=label: ("mixed", label)), f"{n}.tsv")  # type: ignore[misc]
        for n, label in enumerate(labels)
    ]
    assert [one.new for one in correct(corpus, paths).changes] == ["X", "NOUN"]


# ---- taken over into a new list --------------------------------------------------------------------------------------


def carried_into(new: Corpus, old: Worklist) -> list[tuple[str, str]]:
    made = listed(new)
    found = carried(made, [old], CarriedPlaces(made, running_text([new])).question)
    return [(row.verdict, row.label) for row in found.worklist.rows if row.verdict]


def test_places_are_carried_while_they_are_there_with_the_same_labels() -> None:
    label = "X @ s0 3; NOUN @ s1 5"
    old = judged(listed(corpus_of(HARBOUR)), lambda row: ("mixed", label))
    more = [*HARBOUR, *plain("a/DET tug/NOUN")]
    assert carried_into(corpus_of(more), old) == [("mixed", label)]
    moved = [HARBOUR[0], HARBOUR[1], *plain("near/ADP the/DET old/ADJ harbour/NOUN wall/NOUN")]
    assert carried_into(corpus_of(moved), old) == [("mixed", label)]
    relabelled = [*HARBOUR[:3], *plain("near/ADP the/DET old/ADJ harbour/PROPN wall/NOUN")]
    assert carried_into(corpus_of(relabelled), old) == []


def test_places_that_are_gone_are_not_carried() -> None:
    old = judged(listed(corpus_of(HARBOUR)), lambda row: ("mixed", "X @ s3 4"))
    longer = [*HARBOUR[:3], *plain("just/ADV near/ADP the/DET old/ADJ harbour/NOUN wall/NOUN")]
    assert carried_into(corpus_of(longer), old) == []


# ---- misspelled words ------------------------------------------------------------------------------------------------


def test_a_misspelled_word_is_marked_at_its_place(tmp_path: Path) -> None:
    corpus = corpus_of(HARBOUR)
    marked = [("s1", 5, "feats", "_", "Typo=Yes"), ("s1", 5, "misc", "_", "CorrectForm=harbor")]
    assert changed_by(tmp_path, corpus, "typo", "harbor") == marked  # side B has one place
    assert changed_by(tmp_path, corpus, "mixed", "typo:harbor @ s1 5") == marked
    assert changed_by(tmp_path, corpus, "mixed", "NOUN @ s1 5; typo:harbor @ s1 5") == [
        ("s1", 5, "upos", "PROPN", "NOUN"), *marked,
    ]  # fmt: skip


def test_a_typo_of_several_places_must_say_where(tmp_path: Path) -> None:
    both_one = corpus_of(HARBOUR[:2])
    ((code, line, message),) = problems(tmp_path, both_one, "typo", "harbor")
    assert (code, line, message) == ("K746", 6, "typo does not say at which place: both sides have one place")
    none_one = corpus_of([*HARBOUR, HARBOUR[1]])
    assert problems(tmp_path, none_one, "typo", "harbor")[0][2].endswith("no side has one place only")
    assert problems(tmp_path, corpus_of(HARBOUR), "typo", "")[0][::2] == (
        "K742", "the word is misspelled, but its right form is not given",
    )  # fmt: skip


def test_a_verdict_of_unclear_changes_nothing_and_is_counted_apart(tmp_path: Path) -> None:
    corpus = corpus_of(HARBOUR)
    path = saved(tmp_path, judged(listed(corpus), lambda row: ("unclear", "")))
    found = correct(corpus, path)
    assert (found.changes, found.n_judged, found.n_unclear) == ((), 1, 1)
    assert (found.precision[0].judged, found.precision[0].errors) == (0, 0)
    other = saved(tmp_path, judged(listed(corpus), lambda row: ("error-in-b", "")), "other.tsv")
    assert len(correct(corpus, [path, other]).changes) == 1  # who cannot decide has no vote


def test_a_typo_is_no_error_of_the_annotation(tmp_path: Path) -> None:
    corpus = corpus_of(HARBOUR)
    path = saved(tmp_path, judged(listed(corpus), lambda row: ("typo", "harbor")))
    assert correct(None, path).precision[0].judged == 0
