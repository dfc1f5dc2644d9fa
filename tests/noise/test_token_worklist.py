"""Tokens for people to judge, blinded and shuffled, and their verdicts read back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import karat
from examples import EXAMPLES
from karat.align import align
from karat.corpus import Corpus
from karat.corpus.carried_verdicts import carried
from karat.corpus.worklist import Worklist, read_worklist, write_worklist
from karat.errors import DataError
from karat.noise.token_sampling import NONE_SHOWN, NOT_JUDGED
from karat.noise.token_worklist import (
    TOKEN_VERDICTS,
    TokenTags,
    n_not_reached,
    token_question,
    token_tags,
    token_verdicts,
    token_worklist,
)

GOLD = karat.read_conllu(EXAMPLES / "gold.conllu")
SYSTEMS = {name: karat.read_conllu(EXAMPLES / f"{name}.conllu") for name in ("ada", "bix")}


@pytest.fixture(scope="module")
def tags() -> TokenTags:
    return token_tags(GOLD, {name: align(GOLD, one) for name, one in SYSTEMS.items()}, "upos")


def listed(tags: TokenTags, seed: int = 0) -> tuple[Worklist, list[int]]:
    differ = np.flatnonzero(tags.systems["ada"] != tags.systems["bix"])
    worklist = token_worklist(GOLD, tags, differ, np.ones(len(differ)), np.random.default_rng(seed))
    words = [int(row.id[1:]) - 1 for row in worklist.rows]
    assert sorted(words) == differ.tolist()
    return worklist, words


def test_tags_are_those_of_the_columns(tags: TokenTags) -> None:
    assert [tags.names[tag] for tag in tags.gold] == GOLD.column("upos").strings()
    for name, system in SYSTEMS.items():
        found = tags.systems[name]
        right = int((found == tags.gold).sum())
        assert right == karat.score(GOLD, system, measures="UPOS", intervals=False)["UPOS"].correct


def test_rows_are_blind_and_shuffled(tags: TokenTags) -> None:
    worklist, words = listed(tags)
    assert len(worklist.rows) == len(words) > 20
    first_is_gold = 0
    for row, word in zip(worklist.rows, words, strict=True):
        sides = {tags.names[side[word]] for side in (tags.gold, *tags.systems.values()) if side[word] >= 0}
        options = [part.split(") ")[1] for part in row.shown.split("  ")]
        assert sorted(options) == sorted(sides)
        assert "ada" not in row.shown
        assert row.text.count("[") >= 1
        assert f"[{GOLD.column('form').strings()[word]}]" in row.text
        first_is_gold += options[0] == tags.names[tags.gold[word]]
    assert 0.2 * len(words) < first_is_gold < 0.8 * len(words)
    assert words != sorted(words)  # who stops half-way has judged a random half
    assert listed(tags, 1)[0].rows != worklist.rows
    assert listed(tags)[0].rows == worklist.rows


def test_verdicts_come_back_through_a_file(tags: TokenTags, tmp_path: Path) -> None:
    worklist, words = listed(tags)
    rows = []
    for row, word in zip(worklist.rows, words, strict=True):
        letters = {part.split(") ")[1]: part.split(") ")[0] for part in row.shown.split("  ")}
        rows.append(replace(row, verdict=letters[tags.names[tags.gold[word]]]))
    rows[0], rows[1] = replace(rows[0], verdict="none"), replace(rows[1], verdict="")
    write_worklist(tmp_path / "w.tsv", replace(worklist, rows=tuple(rows)))
    found, right = token_verdicts(read_worklist(tmp_path / "w.tsv", kinds=TOKEN_VERDICTS), GOLD, tags)
    assert found.tolist() == words
    assert right[:2].tolist() == [NONE_SHOWN, NOT_JUDGED]
    assert right[2:].tolist() == tags.gold[words[2:]].tolist()


@pytest.mark.parametrize(
    ("change", "code"),
    [({"id": "w999999"}, "K736"), ({"id": "x"}, "K736"), ({"start": 1, "end": 1}, "K736"),
     ({"sent_id": "other"}, "K736"), ({"verdict": "h"}, "K738")],
)  # fmt: skip
def test_rows_that_fit_nothing_are_told_with_their_line(tags: TokenTags, change: dict[str, object], code: str) -> None:
    worklist, _ = listed(tags)
    row = next(row for row in worklist.rows if row.start > 1)
    bad = replace(row, line=7, **change)  # type: ignore[arg-type]
    with pytest.raises(DataError) as error:
        token_verdicts(Worklist((bad,), (), "w.tsv"), GOLD, tags)
    assert [(problem.code, problem.line) for problem in error.value.problems] == [(code, 7)]


def test_words_that_a_system_does_not_have_have_no_tag(tags: TokenTags) -> None:
    missing = int((tags.systems["bix"] < 0).sum())
    words: Corpus = SYSTEMS["bix"]
    assert missing == GOLD.n_words - karat.score(GOLD, words, measures="Words", intervals=False)["Words"].correct > 0


def test_a_typo_and_an_unclear_guideline_are_blank_verdicts_that_were_reached(tags: TokenTags) -> None:
    worklist, _ = listed(tags)
    said = ["a", "typo", "unclear", *["none"] * (len(worklist.rows) - 5), "unclear", "typo"]
    blank = ["" if one in ("typo", "unclear") else one for one in said]
    _, codes = token_verdicts(worklist.with_verdicts(said), GOLD, tags)
    assert codes.tolist() == token_verdicts(worklist.with_verdicts(blank), GOLD, tags)[1].tolist()
    assert codes.tolist().count(NOT_JUDGED) == 4
    half = len(said) // 2
    unclear = worklist.with_verdicts(["unclear"] * half + [""] * (len(said) - half))
    assert n_not_reached(unclear) == len(said) - half


def test_a_typo_and_an_unclear_guideline_are_carried(tags: TokenTags) -> None:
    old, new = listed(tags)[0], listed(tags, 1)[0]
    said = [("typo", "unclear", "a")[n % 3] for n in range(len(old.rows))]
    found = carried(new, [old.with_verdicts(said)], token_question).worklist
    verdicts = dict(zip((row.id for row in old.rows), said, strict=True))
    assert {(verdicts[row.id], row.verdict) for row in found.rows if verdicts[row.id] != "a"} == {
        ("typo", "typo"), ("unclear", "unclear"),
    }  # fmt: skip
