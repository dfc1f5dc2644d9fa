"""Suspects that were judged: the list, the order that verdicts suggest, and the error rate of the gold."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, strategies as st

import karat
from examples import conllu, sentence
from karat.corpus import corpus_from_source, source_from_bytes
from karat.corpus.worklist import Worklist, read_worklist, write_worklist
from karat.gold.exceptions import exceptions_text, read_exceptions
from karat.suspects.evidence import WEIGHTS
from karat.suspects.judged import (
    VERDICTS,
    JudgedWords,
    error_rate,
    judged_words,
    random_words,
    reranked,
    suspect_worklist,
)
from karat.suspects.known import as_exceptions, without_acknowledged, without_known
from karat.suspects.learning import learnt_weights
from karat.suspects.search import Suspects

TAGS = {"the": "DET", "old": "ADJ", "oak": "NOUN", "fell": "VERB", "ash": "NOUN", "here": "ADV"}


@pytest.fixture
def found(tmp_path: Path) -> Suspects:
    random = Random(3)
    sentences = []
    for number in range(60):
        words = ["the", "old", random.choice(["oak", "ash"]), "fell", "here"]
        tags = [TAGS[word] if random.random() > 0.04 else "X" for word in words]
        parts = [f"{word}/{tag}" for word, tag in zip(words, tags, strict=True)]
        sentences.append(sentence(*parts, sent_id=f"s{number}", newdoc=f"d{number}" if number % 6 == 0 else None))
    path = conllu(tmp_path / "a.conllu", *sentences)
    return karat.find_suspects(path, system="most-frequent", folds=5, taggers=1)


def judged(worklist: Worklist, verdict: str = "error") -> Worklist:
    return Worklist(tuple(replace(row, verdict=verdict) for row in worklist.rows), worklist.head, "list.tsv")


def test_the_list_has_the_suspects_then_a_random_sample_without_evidence(found: Suspects) -> None:
    rows = suspect_worklist(found, top=5, n_random=20).rows
    assert [row.id for row in rows[:5]] == [f"s{word + 1}" for word in found.words[:5]]
    assert all(row.id.startswith("r") and not row.score and not row.label_there for row in rows[5:])
    assert all("%" in row.shown for row in rows[:5])
    assert all(row.shown == row.label_here for row in rows[5:])
    assert len(rows) == 25


def test_a_list_goes_through_a_file(found: Suspects, tmp_path: Path) -> None:
    made = suspect_worklist(found, top=5, n_random=20)
    write_worklist(tmp_path / "w.tsv", judged(made))
    read = judged_words(found, [read_worklist(tmp_path / "w.tsv", kinds=VERDICTS)])
    assert len(read.ranked) == 5
    assert len(read.sampled) == read.n_sample == 20
    assert read.ranked_errors.all()


def named(found: Suspects, word: int) -> tuple[str | None, int]:
    one = found.of_word(word, 0.0)
    return one.sent_id, one.token


def test_the_sample_stays_when_other_sentences_change(found: Suspects, tmp_path: Path) -> None:
    text = Path(found.corpus.path).read_text()
    parts = text.split("\n\n")
    shorter = tmp_path / "b.conllu"
    shorter.write_text("\n\n".join(parts[3:]))
    other = karat.find_suspects(shorter, rank="repeats")
    names = [{named(one, word) for word in random_words(one, 40).tolist()} for one in (found, other)]
    assert len(names[0] & names[1]) >= 34


def test_every_word_is_as_likely_in_the_sample(found: Suspects) -> None:
    """Over many corpora that differ in the names of their sentences, about as often as any other."""
    random = Random(5)
    counts = np.zeros(5)
    for _ in range(40):
        ids = [f"x{random.random()}" for _ in range(20)]
        text = "".join(sentence("a/X", "b/X", "c/X", "d/X", "e/X", sent_id=one) for one in ids)
        one = replace(found, corpus=corpus_from_source(source_from_bytes(text.encode())))
        one = replace(one, found=replace(found.found, is_marked=np.zeros(100, dtype=np.bool_)))
        counts += np.bincount(random_words(one, 25) % 5, minlength=5)
    assert counts.sum() == 1000
    assert (np.abs(counts - 200) < 4 * np.sqrt(160)).all()


def test_rows_about_other_words_and_two_verdicts_are_errors(found: Suspects) -> None:
    made = judged(suspect_worklist(found, top=3, n_random=0))
    with pytest.raises(karat.DataError, match="K952"):
        judged_words(found, [made, judged(made, "right")])
    for change in ({"id": "s99999"}, {"id": "q1"}, {"sent_id": "other"}, {"label_here": "Y"}, {"start": 9, "end": 9}):
        wrong = Worklist((replace(made.rows[0], **change),), (), "list.tsv")
        with pytest.raises(karat.DataError, match="K951"):
            judged_words(found, [wrong])


def test_one_word_with_two_verdicts_is_an_error_also_as_a_suspect_and_in_the_sample(found: Suspects) -> None:
    made = suspect_worklist(found, top=1, n_random=found.corpus.n_words)
    twice = [row for row in made.rows if row.id[1:] == made.rows[0].id[1:]]
    rows = tuple(replace(row, verdict=verdict) for row, verdict in zip(twice, ("error", "right"), strict=True))
    with pytest.raises(karat.DataError, match="K952"):
        judged_words(found, [Worklist(rows, (), "list.tsv")])


def test_a_list_of_another_text_is_refused(found: Suspects, tmp_path: Path) -> None:
    made = judged(suspect_worklist(found, top=3, n_random=5))
    other = tmp_path / "other.conllu"
    other.write_text(Path(found.corpus.path).read_text() * 2)
    with pytest.raises(karat.DataError, match="another text"):
        judged_words(karat.find_suspects(other, rank="repeats"), [made])


# ---- what verdicts say of the rest -----------------------------------------------------------------------------------


def test_without_verdicts_the_weights_are_those_that_were_chosen() -> None:
    assert learnt_weights(np.zeros((0, 6)), np.zeros(0, dtype=np.bool_)) == pytest.approx(WEIGHTS)


def test_weights_are_where_the_posterior_is_highest() -> None:
    """Against a slow search: no small step to any side is better."""
    rng = np.random.default_rng(2)
    evidence, errors = rng.normal(1, 1, (60, 6)), rng.random(60) < 0.6
    found = learnt_weights(evidence, errors)

    def posterior(level: float, weights: np.ndarray) -> float:
        logit = np.log(10) * (level + evidence @ weights)
        fit = -np.logaddexp(0, np.where(errors, -logit, logit)).sum()
        return float(fit - (level + 3) ** 2 / 18 - ((weights - WEIGHTS) ** 2).sum() / (2 * 0.25))

    if (found > 0).all():
        level = max(np.linspace(-10, 3, 2601), key=lambda one: posterior(one, found))
        best = posterior(level, found)
        for kind in range(6):
            for step in (-0.02, 0.02):
                moved = found.copy()
                moved[kind] += step
                assert posterior(level, moved) < best + 1e-6


def test_evidence_that_verdicts_deny_counts_for_less() -> None:
    rng = np.random.default_rng(3)
    evidence = rng.uniform(0, 3, (200, 6))
    errors = evidence[:, 1] > 1.5  # only repeats tell
    weights = learnt_weights(evidence, errors)
    assert weights[1] == weights.max()
    assert weights[[0, 2, 3, 4, 5]].max() < 0.5 * weights[1]


def test_what_was_judged_is_not_asked_again_and_the_sample_does_not_change_the_order(found: Suspects) -> None:
    made = suspect_worklist(found, top=4, n_random=50)
    both = judged_words(found, [judged(made)])
    left = reranked(found, both)
    assert {*found.words.tolist()} - {*left.words.tolist()} == {*both.ranked.tolist()}
    nobody = np.zeros(0, dtype=np.intp)
    without = reranked(found, replace(both, sampled=nobody, sampled_errors=nobody.astype(np.bool_)))
    assert without.words.tolist() == left.words.tolist()


# ---- the error rate --------------------------------------------------------------------------------------------------


@given(st.integers(0, 30), st.integers(0, 30), st.integers(1, 40), st.integers(0, 40), st.integers(100, 500))
def test_the_rate_is_the_sum_of_what_is_known_and_what_the_sample_says(
    n_ranked: int, n_errors: int, n_sample: int, n_bad: int, n_words: int
) -> None:
    n_errors, n_bad = min(n_errors, n_ranked), min(n_bad, n_sample)
    ranked, sampled = np.arange(n_ranked), np.arange(n_ranked, n_ranked + n_sample)
    judged = JudgedWords(ranked, ranked < n_errors, sampled, sampled < n_ranked + n_bad, n_sample)
    found = error_rate(judged, n_words)
    expected = (n_errors + (n_words - n_ranked) * n_bad / n_sample) / n_words
    assert found.value == pytest.approx(expected)
    assert found.lower is not None
    assert found.upper is not None
    assert 0 <= found.lower <= expected <= found.upper <= 1


def test_a_word_of_the_sample_that_was_judged_as_a_suspect_counts_once() -> None:
    judged = JudgedWords(
        np.array([0, 1]), np.array([True, False]), np.array([1, 2, 3]), np.array([False, True, False]), 3
    )
    assert error_rate(judged, 10).value == pytest.approx((1 + 8 * 1 / 2) / 10)


def test_when_all_is_judged_nothing_is_open() -> None:
    words = np.arange(20)
    judged = JudgedWords(words[:5], words[:5] < 2, words[5:], words[5:] < 8, 15)
    found = error_rate(judged, 20)
    assert found.value == found.lower == found.upper == pytest.approx(5 / 20)


def test_without_a_judged_sample_there_is_no_rate() -> None:
    nobody = np.zeros(0, dtype=np.intp)
    found = error_rate(JudgedWords(np.array([3]), np.array([True]), nobody, nobody.astype(np.bool_), 0), 10)
    assert found.value is None


@pytest.mark.slow
def test_the_interval_covers_the_planted_rate_while_verdicts_change_the_order() -> None:
    import sys

    sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))
    import error_rate_coverage

    found = error_rate_coverage.covered(error_rate_coverage.DESIGNS[0], range(300))
    assert 0.90 <= found.coverage <= 0.985


# ---- what is known ---------------------------------------------------------------------------------------------------


def test_acknowledged_suspects_are_left_out_and_stale_exceptions_are_named(found: Suspects, tmp_path: Path) -> None:
    entries = as_exceptions(found)
    given = [replace(entries[0], reason="a name"), entries[1], replace(entries[2], words=("elm",), reason="gone")]
    path = tmp_path / "exceptions.tsv"
    path.write_text(exceptions_text(given))
    left = without_acknowledged(found, read_exceptions(path))
    assert left.words.tolist() == found.words[1:].tolist()
    assert left.n_known == 1
    assert "K944" in left.warnings[0]
    assert "elm" in left.warnings[0]
    assert "1 exceptions without a reason" in left.warnings[1]


def test_a_baseline_leaves_out_what_it_has(found: Suspects, tmp_path: Path) -> None:
    path = tmp_path / "last.json"
    path.write_text(json.dumps(found.only(np.arange(len(found)) < 3).to_dict()))
    left = without_known(found, path)
    assert left.words.tolist() == found.words[3:].tolist()
    for text, message in (("{", "not JSON"), ("[]", "no suspects"), ('{"schema": "karat/score/1"}', "the schema is")):
        path.write_text(text)
        with pytest.raises(karat.DataError, match=message):
            without_known(found, path)


def test_a_typo_and_an_unclear_guideline_are_blank_verdicts(found: Suspects) -> None:
    made = suspect_worklist(found, top=5, n_random=20)
    said = ["error", "typo", "unclear", "right", "ambiguity", *["unclear", "right"] * 10]
    blank = ["" if one in ("typo", "unclear") else one for one in said]
    one, other = (
        judged_words(found, [replace(made.with_verdicts(verdicts), path="l.tsv")]) for verdicts in (said, blank)
    )
    for name in ("ranked", "ranked_errors", "sampled", "sampled_errors"):
        assert getattr(one, name).tolist() == getattr(other, name).tolist()
    assert (len(one.ranked), len(one.sampled), one.n_sample) == (3, 10, 20)
