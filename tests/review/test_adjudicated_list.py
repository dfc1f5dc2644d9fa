"""The list in which judges' differences are decided: what is filled in, what stays, what is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from checked_taggers import made_taggers
from karat.corpus.worklist import Worklist, WorklistRow, write_worklist
from karat.errors import DataError, UsageError
from karat.noise.human_check import noise_estimate
from karat.review.adjudicated_list import opened_adjudication
from karat.review.answers import ReviewAnswers, plain_view
from karat.review.reading import read_any_worklist

SHOWN = "a) NOUN  b) VERB"


def judged(path: Path, verdicts: Sequence[str], notes: Mapping[int, str] | None = None, shown: str = SHOWN) -> str:
    """A judge's list with these verdicts."""
    rows = [
        WorklistRow(f"w{n}", "token", "c", f"s{n}", 1, 1, f"[cup] {n}", shown, verdict=verdict)
        for n, verdict in enumerate(verdicts, 1)
    ]
    rows = [replace(row, note=(notes or {}).get(n, "")) for n, row in enumerate(rows, 1)]
    write_worklist(path, Worklist(tuple(rows), ("Which tag is right?",)))
    return str(path)


def cells(path: Path) -> list[tuple[str, str]]:
    return [(row.verdict, row.judge) for row in read_any_worklist(path).rows]


def decide(paths: Sequence[str], verdicts: Mapping[str, str], judge: str = "eva") -> set[str]:
    """Decide rows as the page would; the rows that were asked about come back."""
    found = opened_adjudication(paths, judge)
    with closing(found.review) as review:
        for item, verdict in verdicts.items():
            review.store.decide(judge, item, verdict, request=f"{item} {verdict}")
        return set(found.open_ids)


def test_what_judges_agree_on_is_filled_in_and_the_rest_is_asked(tmp_path: Path) -> None:
    lists = [judged(tmp_path / "check.ina.tsv", ["a", "a", "", "b", ""], {2: "surely"})]
    lists += [judged(tmp_path / "check.jan.tsv", ["a", "b", "b", "", ""])]
    before = [Path(path).read_bytes() for path in lists]
    with closing((found := opened_adjudication(lists, "eva")).review) as review:
        assert review.path == str(tmp_path / "check.adjudicated.tsv")
        answers = ReviewAnswers(review, view=found.view(plain_view), only=found.open_ids)
        listed = answers.items("eva", {})
        assert [(one["id"], one["place"], one["note"]) for one in listed["items"]] == [("w2", 0, "")]
        overview = answers.overview("eva")
        assert (overview["total"], overview["done"], overview["left"]) == (1, 0, 1)
        item = answers.item("eva", "w2")
        assert item["said"] == [
            {"judge": "ina", "words": "NOUN", "note": "surely"},
            {"judge": "jan", "words": "VERB", "note": ""},
        ]
        assert (item["place"], item["next"], item["previous"]) == (0, None, None)
        assert [one["verdict"] for one in item["choices"]] == ["a", "b", "none", "typo", "unclear"]
        answers.decide("eva", "w2", {"request": "r", "verdict": "b", "revision": item["revision"]})
    assert cells(tmp_path / "check.adjudicated.tsv") == [
        ("a", "ina, jan"), ("b", "eva"), ("b", "jan"), ("b", "ina"), ("", ""),
    ]  # fmt: skip
    assert [Path(path).read_bytes() for path in lists] == before


def test_merging_again_keeps_what_was_decided_and_shows_new_differences(tmp_path: Path) -> None:
    lists = [
        judged(tmp_path / "check.ina.tsv", ["a", "a", "a", ""]),
        judged(tmp_path / "check.jan.tsv", ["a", "b", "b", ""]),
    ]
    assert decide(lists, {"w2": "none"}) == {"w2", "w3"}
    judged(tmp_path / "check.ina.tsv", ["b", "b", "b", "a"])  # agrees now on w2 and w3, and differs on w1
    target = tmp_path / "check.adjudicated.tsv"
    assert decide([*lists, str(target)], {}) == {"w1"}
    assert cells(target) == [("", ""), ("none", "eva"), ("b", "ina, jan"), ("a", "ina")]
    judged(tmp_path / "check.ina.tsv", ["a", "b", "", ""])
    assert decide(lists, {}) == set()
    assert cells(target) == [("a", "ina, jan"), ("none", "eva"), ("b", "jan"), ("a", "ina")]
    assert decide(lists, {}) == set()
    assert cells(target) == [("a", "ina, jan"), ("none", "eva"), ("b", "jan"), ("a", "ina")]


def test_what_was_decided_in_a_spreadsheet_or_by_another_is_kept_too(tmp_path: Path) -> None:
    lists = [judged(tmp_path / "check.ina.tsv", ["a", "a"]), judged(tmp_path / "check.jan.tsv", ["b", "a"])]
    decide(lists, {})
    target = tmp_path / "check.adjudicated.tsv"
    edited = read_any_worklist(target)
    write_worklist(target, replace(edited, rows=(replace(edited.rows[0], verdict="b"), *edited.rows[1:])))
    assert decide(lists, {}, "") == {"w1"}
    judged(tmp_path / "check.jan.tsv", ["a", "b"])
    assert decide(lists, {}, "ola") == {"w2"}
    assert cells(target) == [("b", ""), ("", "")]


def test_rows_that_are_new_are_added_and_none_is_lost(tmp_path: Path) -> None:
    lists = [judged(tmp_path / "check.ina.tsv", ["a", "a", "a"]), judged(tmp_path / "check.jan.tsv", ["b", "b", "a"])]
    decide(lists, {"w1": "b", "w2": "a"})
    target = tmp_path / "check.adjudicated.tsv"
    for path, verdicts in zip(lists, (["a"], ["b"]), strict=True):
        judged(Path(path), verdicts)
    third = judged(tmp_path / "check.ola.tsv", ["", "", "", "b"])
    assert decide([*lists, third], {}) == {"w1"}
    assert [row.id for row in read_any_worklist(target).rows] == ["w1", "w2", "w3", "w4"]
    assert cells(target) == [("b", "eva"), ("a", "eva"), ("a", "ina, jan"), ("b", "ola")]


def test_a_row_that_asks_something_else_now_is_asked_anew(tmp_path: Path) -> None:
    names = [tmp_path / "check.ina.tsv", tmp_path / "check.jan.tsv"]
    lists = [judged(path, [verdict]) for path, verdict in zip(names, "ab", strict=True)]
    decide(lists, {"w1": "b"})
    for path, verdict in zip(names, "ab", strict=True):
        judged(path, [verdict], shown="a) VERB  b) NOUN")
    assert decide(lists, {}) == {"w1"}
    assert cells(tmp_path / "check.adjudicated.tsv") == [("", "")]


def test_lists_that_cannot_be_adjudicated_are_refused(tmp_path: Path) -> None:
    one = judged(tmp_path / "check.ina.tsv", ["a"])
    other = judged(tmp_path / "check.jan.tsv", ["a"], shown="a) VERB  b) NOUN")
    with pytest.raises(UsageError, match="at least two"):
        opened_adjudication([one])
    with pytest.raises(UsageError, match="given twice"):
        opened_adjudication([one, one])
    with pytest.raises(DataError, match="K965"):
        opened_adjudication([one, other])
    (tmp_path / "check.adjudicated.tsv").write_text("a corpus, perhaps\n")
    judged(tmp_path / "check.jan.tsv", ["b"])
    with pytest.raises(DataError, match=r"check\.adjudicated\.tsv"):
        opened_adjudication([one, other])
    assert (tmp_path / "check.adjudicated.tsv").read_text() == "a corpus, perhaps\n"


def test_the_decided_list_is_one_that_noise_estimate_reads(tmp_path: Path) -> None:
    taggers = made_taggers(tmp_path)
    lists = taggers.lists(40, ["ina", "jan"], 20)
    for number, path in enumerate(lists):
        read = read_any_worklist(path)
        verdicts = [taggers.verdict(row) for row in read.rows]
        verdicts[number] = "none" if verdicts[number] != "none" else "a"
        write_worklist(path, read.with_verdicts(verdicts))
    right = {row.id: taggers.verdict(row) for path in lists for row in read_any_worklist(path).rows}
    found = opened_adjudication(list(map(str, lists)), "eva")
    with closing(found.review) as review:
        for item in found.open_ids:
            review.store.decide("eva", item, right[item], request=item)
    made = noise_estimate(taggers.gold, taggers.systems, tmp_path / "check.adjudicated.tsv")
    assert made.warnings == ()
    assert len(read_any_worklist(tmp_path / "check.adjudicated.tsv").rows) == 40
