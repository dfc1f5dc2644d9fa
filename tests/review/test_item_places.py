"""The places of repeats on the page, and what it says that `karat correct` would do: all as that finds and does it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

import karat
from judged_harbour import harbour, harbour_list
from judged_lists import listed
from karat.corpus import read
from karat.corpus.worklist import Worklist, WorklistRow, write_worklist
from karat.gold.repeats.judged_repeats import repeat_worklist
from karat.gold.repeats.maximal import maximal_repeats
from karat.gold.repeats.placed_labels import PlacedLabel, placed_labels_text
from karat.gold.repeats.suspicious import suspicious_repeats
from karat.gold.repeats.tokenisation import characters
from karat.review.correct_preview import changes_in_words
from karat.review.item_view import ItemViews
from karat.review.judgements import Judgement
from karat.review.reading import read_any_worklist
from karat.signature import signature
from realdata import data
from served_reviews import served

_TREES = (
    "1\ta\t_\tX\t_\t_\t2\tdep\t_\t_\n2\tb\t_\tX\t_\t_\t0\troot\t_\t_\n3\tc\t_\tX\t_\t_\t2\tdep\t_\t_\n\n"
    "1\ta\t_\tX\t_\t_\t3\tdep\t_\t_\n2\tb\t_\tX\t_\t_\t0\troot\t_\t_\n3\tc\t_\tX\t_\t_\t2\tdep\t_\t_\n\n"
    "1\ta\t_\tX\t_\t_\t3\tdep\t_\t_\n2\tb\t_\tX\t_\t_\t3\tdep\t_\t_\n3\tc\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
)


def test_all_places_have_their_label_side_and_address(tmp_path: Path) -> None:
    worklist = read_any_worklist(harbour_list(tmp_path))
    view = ItemViews.of(worklist).view(worklist.rows[0])
    expected = [("s0", 3, "NOUN", "A"), ("s3", 4, "NOUN", "A"), ("s1", 5, "PROPN", "B"), ("s4", 4, "PROPN", "B")]
    assert [(one.sent_id, one.word, one.label, one.side) for one in view.places] == expected
    assert [(one.sent_id, one.word, one.label, one.side) for one in view.all_places] == expected
    assert [word.form for word in view.places[1].words if word.inside] == ["the", "old", "harbour", "wall"]
    assert {one.corpus for one in view.all_places} == {""}
    assert view.n_places == 4


def test_some_places_of_each_side_are_shown_and_200_can_be_judged(tmp_path: Path) -> None:
    worklist = read_any_worklist(harbour_list(tmp_path, n=260))
    view = ItemViews.of(worklist).view(worklist.rows[0])
    assert Counter(one.side for one in view.places) == {"A": 10, "B": 2}
    assert Counter(one.side for one in view.all_places) == {"A": 198, "B": 2}
    assert view.n_places == 259


def test_places_of_two_corpora_say_which_one(tmp_path: Path) -> None:
    corpora = [read(harbour(tmp_path, n=n, name=name), trees=False) for n, name in ((1, "a.conllu"), (2, "b.conllu"))]
    write_worklist(tmp_path / "check.tsv", listed(*corpora))
    worklist = read_any_worklist(tmp_path / "check.tsv")
    view = ItemViews.of(worklist).view(worklist.rows[0])
    assert {(one.corpus, one.sent_id, one.label) for one in view.all_places} == {
        ("a.conllu", "s0", "NOUN"), ("b.conllu", "s0", "NOUN"), ("b.conllu", "s1", "PROPN"),
    }  # fmt: skip


def test_words_are_compared_as_the_list_was_made(tmp_path: Path) -> None:
    path = tmp_path / "gold.conllu"
    forms = (("The", "old", ",", "pier"), ("the", "Old", "pier"))
    rows = [
        "".join(f"{n}\t{form}\t_\t{'N' if form != 'pier' else tag}" + "\t_" * 6 + "\n" for n, form in enumerate(one, 1))
        for one, tag in zip(forms, "NV", strict=True)
    ]
    path.write_text("\n".join(rows) + "\n")
    worklist = replace(listed(read(path, trees=False), fold_case=True, punctuation=False), path=str(tmp_path / "x.tsv"))
    view = ItemViews.of(worklist).view(worklist.rows[0])
    assert [(one.sent_id, one.word, one.label) for one in view.places] == [
        ("sentence 1", 4, "N"), ("sentence 2", 3, "V"),
    ]  # fmt: skip


def trees(folder: Path) -> Worklist:
    (folder / "gold.conllu").write_text(_TREES)
    write_worklist(folder / "check.tsv", listed(read(folder / "gold.conllu", trees=False), of="dependencies"))
    return read_any_worklist(folder / "check.tsv")


def test_places_of_dependencies_have_the_relation_and_where_the_head_is(tmp_path: Path) -> None:
    worklist = trees(tmp_path)
    views = ItemViews.of(worklist)
    labels = {row.word: sorted(one.label for one in views.view(row).all_places) for row in worklist.rows}
    assert labels == {
        "a": ["dep+1", "dep+2", "dep+2"],
        "b": ["dep+1", "outside", "outside"],
        "c": ["dep-1", "dep-1", "outside"],
    }


def test_places_of_tokenisation_are_shown_in_context(tmp_path: Path) -> None:
    rows = [
        [("we", "_"), ("can", "SpaceAfter=No"), ("not", "_"), ("go", "_")],
        [("we", "_"), ("cannot", "_"), ("go", "_")],
    ]
    text = "".join(
        "".join(f"{at}\t{form}\t_" + "\t_" * 6 + f"\t{misc}\n" for at, (form, misc) in enumerate(sentence, 1)) + "\n"
        for sentence in rows
    )
    path = tmp_path / "gold.conllu"
    path.write_text(text)
    characters_, labels = characters([read(path, trees=False)])
    worklist = repeat_worklist(suspicious_repeats(maximal_repeats(characters_, min_words=2), labels))
    view = ItemViews.of(worklist).view(worklist.rows[0])
    assert [(one.sent_id, one.side, [word.form for word in one.words]) for one in view.places] == [
        ("sentence 1", "A", ["we", "can", "not", "go"]),
        ("sentence 2", "B", ["we", "cannot", "go"]),
    ]
    assert view.all_places == ()  # karat correct does not apply them
    assert view.preview == "karat correct counts the verdict; correct the words by hand."


# ---- what karat correct would do -------------------------------------------------------------------------------------


def corrected(folder: Path, worklist: Worklist, row: WorklistRow, verdict: str, label: str) -> str:
    """What `karat correct` really does with one verdict, in words."""
    rows = tuple(replace(one, verdict=verdict, label=label) if one.id == row.id else one for one in worklist.rows)
    write_worklist(folder / "judged.tsv", replace(worklist, rows=rows))
    found = karat.correct(folder / "gold.conllu", folder / "judged.tsv")
    return changes_in_words(found.changes, found.refused)


@pytest.mark.parametrize("of", ["upos", "dependencies"])
def test_the_preview_is_what_karat_correct_does(tmp_path: Path, of: str) -> None:
    worklist = trees(tmp_path) if of == "dependencies" else read_any_worklist(harbour_list(tmp_path, n=4))
    views = ItemViews.of(worklist)
    seen = set()
    for row in worklist.rows:
        place = views.view(row).all_places[0]
        at = PlacedLabel("", place.sent_id, place.word, row.label_there)
        choices = [("error-in-a", ""), ("error-in-b", ""), ("ambiguity", ""), ("mixed", ""), ("unclear", "")]
        choices += [("mixed", placed_labels_text([at])), ("mixed", placed_labels_text([replace(at, is_typo=True)]))]
        for verdict, label in [*choices, *([("typo", "harbor")] if of == "upos" else [])]:
            words = views._correct.of(row, verdict, label)
            assert words == corrected(tmp_path, worklist, row, verdict, label)
            seen.add(words)
    assert {"nothing changes", *(["UPOS NOUN → PROPN at 2 places"] if of == "upos" else [])} <= seen
    if of == "dependencies":
        assert any("left for you to correct by hand" in words for words in seen if words)


def test_the_preview_of_a_suspect_is_what_karat_correct_does(tmp_path: Path) -> None:
    gold = read(harbour(tmp_path), trees=False)
    row = WorklistRow(
        "s3", "suspect", "gold", "s0", 3, 3, "the old [harbour] wall", "NOUN", word="harbour", label_here="NOUN",
        label_there="PROPN",
    )  # fmt: skip
    signed = signature("suspects", [("column", "upos")], [("corpus", gold.path, gold.source.sha256())])
    write_worklist(tmp_path / "check.tsv", Worklist((row,), ("Is it wrong?", signed)))
    worklist = read_any_worklist(tmp_path / "check.tsv")
    views = ItemViews.of(worklist)
    for verdict, label in (("error", "X"), ("right", ""), ("typo", "harbor"), ("unclear", "")):
        assert views._correct.of(row, verdict, label) == corrected(tmp_path, worklist, row, verdict, label)
    assert views.view(row).preview == "karat correct would do: e: UPOS NOUN → PROPN at 1 place."


def test_the_page_is_told_of_each_choice_and_of_the_verdict_that_there_is(tmp_path: Path) -> None:
    path = harbour_list(tmp_path)
    (row,) = read_any_worklist(path).rows
    both = "a: UPOS NOUN → PROPN at 2 places. b: UPOS PROPN → NOUN at 2 places"
    with served(path, view=ItemViews.of(read_any_worklist(path)).answer) as review:
        judge = review.client()
        assert judge.get(f"/api/items/{row.id}")["preview"] == f"karat correct would do: {both}."
        assert judge.decide(row.id, "mixed", label="X @ s1 5").status == 200
        preview = judge.get(f"/api/items/{row.id}")["preview"]
        assert preview == f"karat correct would do: {both}. as judged: UPOS PROPN → X at 1 place."


# ---- what is sent ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"verdict": "mixed", "label": "NOUN"}, "does not say what is right at which place"),
        ({"verdict": "mixed", "label": "NOUN @ s0 2"}, "'NOUN @ s0 2' is not a place of this row"),
        ({"verdict": "mixed", "label": "NOUN @ s0 3; X @ s0 3"}, "has two labels"),
        ({"verdict": "mixed", "label": ";"}, "no place is named"),
        ({"verdict": "mixed", "label": "NOUN @ s0 3", "pattern": True}, "are of one row"),
        ({"verdict": "typo", "label": ""}, "needs the right form"),
        ({"verdict": "typo", "label": "harbor", "pattern": True}, "are of one row"),
        ({"verdict": "unclear", "label": "X"}, "goes without a label"),
    ],
)
def test_labels_that_cannot_go_with_their_verdict_are_refused(
    tmp_path: Path, fields: dict[str, str | bool], message: str
) -> None:
    path = harbour_list(tmp_path, n=4)
    (row,) = read_any_worklist(path).rows
    with served(path, view=ItemViews.of(read_any_worklist(path)).answer) as review:
        answer = review.client().send("PUT", f"/api/items/{row.id}/verdict", revision=0, **fields)
        assert answer.status == 422
        assert message in answer.json["error"]
        assert review.review.store.judgements("") == {}


def test_a_script_builds_a_verdict_from_addresses(tmp_path: Path) -> None:
    path = harbour_list(tmp_path)
    (row,) = read_any_worklist(path).rows
    with served(path, view=ItemViews.of(read_any_worklist(path)).answer) as review:
        places = review.client().get(f"/api/items/{row.id}")["all_places"]
        label = "; ".join(f"X @ {one['sent_id']} {one['word']}" for one in places if one["side"] == "B")
        assert review.client().decide(row.id, "mixed", label=label).status == 200
    assert [one.sent_id for one in karat.correct(tmp_path / "gold.conllu", path).changes] == ["s1", "s4"]


# ---- on real data ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("of", ["upos", "dependencies"])
def test_every_row_of_a_real_list_has_as_many_places_as_it_says(of: str, tmp_path: Path) -> None:
    corpus = read(data("ud-2.3/UD_English-PUD/en_pud-ud-test.conllu"))
    worklist = listed(corpus, of=of)
    views = ItemViews.of(worklist)
    assert worklist.rows
    for row in worklist.rows[:100]:
        view = views.view(row)
        n_a, n_b = (
            int(row.shown.partition(f"  {side}) ")[2].partition(" place")[0].rpartition(" ")[2]) for side in "AB"
        )
        sides = Counter(one.side for one in view.all_places)
        assert (sides["A"], sides["B"]) == (n_a, n_b), row.shown


def test_a_blind_judge_is_told_of_a_typo_without_the_features_of_the_word(tmp_path: Path) -> None:
    row = WorklistRow("w3", "token", "gold", "s0", 3, 3, "the old [harbour] wall", "a) NOUN  b) X")
    view = ItemViews.of(Worklist((row,))).view(row, Judgement("w3", "", "typo", "harbor"))
    assert view.preview == "karat correct would do: as judged: CorrectForm=harbor into MISC, Typo=Yes into FEATS."
    assert ItemViews.of(Worklist((row,))).view(row, Judgement("w3", "", "a")).preview is None
