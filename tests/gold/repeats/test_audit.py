"""The audit: what it reads, what it finds, what is new beside a baseline."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

import karat
from examples import conllu, sentence
from karat.corpus import conllu_from_source, source_from_bytes
from karat.errors import DataError, UsageError
from karat.gold.repeats import audit as module
from karat.gold.repeats.audit import Audit
from karat.gold.repeats.baseline import read_baseline
from karat.gold.repeats.options import RepeatOptions
from karat.gold.repeats.search import repeats
from karat.gold.treebank_folders import named, treebank_parts, treebank_whole
from karat.report.repeats import audit_json
from random_words import corpora_at_random, corpus_of, plain
from repeat_reference import Word, found_repeats, found_suspicious, units_of

Sentences = list[list[Word]]


def audit_of(*corpora: Sentences, n_against: int = 0, **options: object) -> Audit:
    every = {f"c{number}": corpus_of(corpus) for number, corpus in enumerate(corpora)}
    names = list(every)
    new = {name: every[name] for name in names[: len(names) - n_against]}
    old = {name: every[name] for name in names[len(names) - n_against :]}
    return repeats(new, against=old, options=RepeatOptions(**options))  # type: ignore[arg-type]


def shown(audit: Audit) -> dict[tuple[str, ...], dict[tuple[str, ...], list[tuple[int, int, int]]]]:
    """Words, labellings and places (corpus, sentence, first word from 1) of all items."""
    return {
        item.words: {
            way.labels: list(zip(way.corpora, way.sentences, way.tokens, strict=True)) for way in item.labellings
        }
        for item in audit.items()
    }


@given(corpora_at_random(), st.booleans(), st.booleans(), st.booleans(), st.integers(1, 3))
def test_items_are_the_suspicious_repeats_of_brute_force(
    corpora: list[Sentences], fold: bool, punctuation: bool, same_sentence: bool, least: int
) -> None:
    options = {"fold_case": fold, "no_punctuation": not punctuation, "same_sentence": same_sentence, "min_words": least}
    audit = audit_of(*corpora, **options)
    every = found_repeats(units_of(corpora, fold, punctuation), least, two_sentences=not same_sentence)
    wanted = found_suspicious(corpora, every, "upos")
    assert audit.n_repeats == len(every)
    assert shown(audit) == {
        gram: {
            labels: [(corpus, number, words[0] + 1) for corpus, number, words in places]
            for labels, places in found.labellings.items()
        }
        for gram, found in wanted.items()
    }
    for item in audit.items():
        found = wanted[item.words]
        assert (item.positions, item.disjoint, item.non_fringe) == (found.positions, found.disjoint, found.non_fringe)
        assert item.majority_share == found.majority_share
        assert item.position in item.positions
    assert audit.n_tokens == sum(len(sentence) for corpus in corpora for sentence in corpus)


@given(corpora_at_random(), st.integers(1, 2))
def test_against_keeps_what_the_new_sentences_touch(corpora: list[Sentences], least: int) -> None:
    every = audit_of(*corpora, min_words=least)
    for n_against in range(1, len(corpora)):
        n_new = len(corpora) - n_against
        touched = {
            words: ways
            for words, ways in shown(every).items()
            if any(corpus < n_new for places in ways.values() for corpus, _, _ in places)
        }
        assert shown(audit_of(*corpora, n_against=n_against, min_words=least)) == touched


def test_items_made_in_blocks_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    audit = audit_of(plain(*["a/D b/N c/N d/N", "a/D b/V c/N", "a/D b/N c/V d/N", "c/N d/N a/D", "c/V d/N a/D"]))
    every = list(audit.items())
    assert len(every) > 1
    monkeypatch.setattr(module, "_BLOCK", 1)
    assert list(audit.items()) == every
    assert list(audit.items(1)) == every[:1]


def test_only_some_items_have_only_their_patterns() -> None:
    audit = audit_of(plain("a/D b/N c/N", "a/D b/V c/N", "x/D y/N z/N", "x/D y/V z/N"))
    (first, _) = audit.items()
    part = audit.only([0])  # type: ignore[arg-type]
    assert list(part.items()) == [first]
    assert [one.word for one in part.patterns] == [first.words[1]]
    assert (part.n_suspicious, len(part)) == (2, 1)


def test_dependencies_and_several_columns_are_compared() -> None:
    one = [Word("a", head=2, deprel="det"), Word("b", head=3, deprel="nsubj"), Word("c")]
    other = [Word("a", head=2, deprel="det"), Word("b", head=3, deprel="obj"), Word("c")]
    (item,) = audit_of([one, other], dependencies=True).items()
    assert [way.labels for way in item.labellings] == [("det+1", "nsubj+1", "outside"), ("det+1", "obj+1", "outside")]
    rows = [[Word("a"), Word("b", "N", "x"), Word("c")], [Word("a"), Word("b", "N", "y"), Word("c")]]
    (item,) = audit_of(rows, column="upos+xpos").items()
    assert [way.labels[1] for way in item.labellings] == ["N x", "N y"]


def french(*sentences: str) -> Audit:
    """The audit of how sentences are cut; `des=de+les` is a token of two words, `x~` is followed by no space."""
    blocks = []
    for sentence_ in sentences:
        rows, n = [], 1
        for token in sentence_.split():
            surface, _, inner = token.rstrip("~").partition("=")
            words = inner.split("+") if inner else [surface]
            misc = "SpaceAfter=No" if token.endswith("~") else "_"
            rows += [f"{n}-{n + len(words) - 1}\t{surface}" + "\t_" * 8] if inner else []
            rows += [f"{n + at}\t{word}" + "\t_" * 7 + f"\t{misc}" for at, word in enumerate(words)]
            n += len(words)
        blocks.append("\n".join(rows) + "\n\n")
    corpus = conllu_from_source(source_from_bytes("".join(blocks).encode()), trees=False)
    return repeats({"c": corpus}, options=RepeatOptions(tokenisation=True))


def test_a_token_that_begins_before_the_repeat_is_no_contradiction() -> None:
    audit = french("des=de+les petites fleurs", "mes petites fleurs")
    assert (audit.n_repeats, len(audit)) == (1, 0)


def test_labellings_that_differ_only_outside_are_one() -> None:
    audit = french("mes petites fleurs", "ces peti~ tes fleurs", "des=de+les petites fleurs", "les petites fleurs")
    (item,) = audit.items()
    assert [(way.count, way.sentences, way.tokens) for way in item.labellings] == [
        (3, [0, 2, 3], [1, 1, 1]),
        (1, [1], [1]),
    ]
    assert item.majority_share == 0.75
    assert [item.words[at] for at in item.positions] == ["t"]
    assert [(one.label, one.becomes, one.count) for one in audit.patterns] == [("petites", "peti|tes", 1)]


def test_options_that_cannot_be_are_refused() -> None:
    for wrong in (
        {"column": "ufos"},
        {"column": "upos+upos"},
        {"words": "upos"},
        {"dependencies": True, "tokenisation": True},
        {"tokenisation": True, "fold_case": True},
        {"min_majority": 1.5},
    ):
        with pytest.raises(UsageError):
            RepeatOptions(**wrong)
    with pytest.raises(UsageError, match="at least two corpora"):
        audit_of(plain("a b c"), between=True)
    with pytest.raises(UsageError, match="called 'x'"):
        repeats({"x": corpus_of(plain("a"))}, against={"x": corpus_of(plain("a"))})


def test_a_column_that_is_not_there_is_named_for_every_corpus() -> None:
    with pytest.raises(DataError) as caught:
        audit_of(plain("a b c"), plain("a b c"), column="feats")
    assert [problem.code for problem in caught.value.problems] == ["K501", "K501"]
    assert "FEATS" in caught.value.message


def test_patterns_are_by_lemma_where_there_are_lemmas(tmp_path: Path) -> None:
    rows = [sentence("We/PRON", f"Are/{upos}", "Here/ADV") for upos in ("AUX", "AUX", "VERB")]
    path = conllu(tmp_path / "a.conllu", *rows)
    assert [one.word for one in karat.repeats([path]).patterns] == ["are"]
    assert [one.word for one in karat.repeats([path], options=RepeatOptions(patterns="word")).patterns] == ["Are"]
    without = audit_of(plain("We/PRON Are/AUX Here/ADV", "We/PRON Are/VERB Here/ADV"))
    assert (without.pattern_of, without.patterns[0].word) == ("word", "Are")
    with pytest.raises(UsageError, match="lemmas"):
        audit_of(plain("a b c"), patterns="lemma")


# ---- baselines -------------------------------------------------------------------------------------------------------


def new_beside(folder: Path, old: Audit, now: Audit) -> tuple[set[tuple[str, ...]], int]:
    path = folder / "baseline.json"
    path.write_text(audit_json(old), encoding="utf-8")
    baseline = read_baseline(path)
    return set(shown(now.only(baseline.is_new(now)))), baseline.n_gone(now)


def test_an_audit_has_nothing_new_beside_itself(tmp_path: Path) -> None:
    audit = audit_of(plain("a/D b/N c/N", "a/D b/V c/N", "a/D b/V c/N"))
    assert new_beside(tmp_path, audit, audit) == (set(), 0)


def test_more_places_and_fewer_labellings_are_not_new(tmp_path: Path) -> None:
    old = audit_of(plain("a/D b/N c/N", "a/D b/V c/N", "a/D b/X c/N"))
    now = audit_of(plain("q r", "a/D b/N c/N", "a/D b/V c/N", "so a/D b/V c/N"))
    assert new_beside(tmp_path, old, now) == (set(), 0)


def test_a_labelling_that_the_words_never_had_is_new(tmp_path: Path) -> None:
    old = audit_of(plain("a/D b/N c/N", "a/D b/V c/N"))
    now = audit_of(plain("a/D b/N c/N", "a/D b/V c/N", "a/D b/X c/N"))
    assert new_beside(tmp_path, old, now) == ({("a", "b", "c")}, 0)


def test_other_words_are_new_and_what_was_put_right_is_gone(tmp_path: Path) -> None:
    old = audit_of(plain("a/D b/N c/N", "a/D b/V c/N"))
    now = audit_of(plain("a/D b/N c/N", "a/D b/N c/N", "x/D b/N c/N", "x/D b/V c/N"), min_words=3)
    assert new_beside(tmp_path, old, now) == ({("x", "b", "c")}, 1)


def test_a_part_of_a_known_repeat_is_not_new_but_a_longer_one_is(tmp_path: Path) -> None:
    long = plain("a/D b/N c/N d/N", "a/D b/V c/N d/N")
    old, now = audit_of(long), audit_of([*long, *plain("a/D b/N c/N e/N")])
    assert set(shown(now)) == {("a", "b", "c", "d"), ("a", "b", "c")}
    assert new_beside(tmp_path, old, now) == (set(), 0)
    short = audit_of(plain("a/D b/N c/N d/N", "a/D b/V c/N"))
    assert new_beside(tmp_path, short, old) == ({("a", "b", "c", "d")}, 1)


def test_a_part_whose_head_is_now_outside_is_known(tmp_path: Path) -> None:
    one = [Word("a", head=2), Word("b", head=3, deprel="x"), Word("c", head=4), Word("d")]
    other = [Word("a", head=2), Word("b", head=3, deprel="y"), Word("c", head=4), Word("d")]
    third = [Word("a", head=2), Word("b", head=3, deprel="x"), Word("c", head=0), Word("e", head=1)]
    old, now = audit_of([one, other], dependencies=True), audit_of([one, other, third], dependencies=True)
    assert ("a", "b", "c") in shown(now)
    assert new_beside(tmp_path, old, now) == (set(), 0)


def test_a_baseline_with_other_options_is_refused(tmp_path: Path) -> None:
    corpus = plain("a/D b/N c/N", "a/D b/V c/N")
    with pytest.raises(UsageError, match="other options: min-words 3"):
        new_beside(tmp_path, audit_of(corpus), audit_of(corpus, min_words=2))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nonsense", "not JSON"),
        ("[]", "no suspicious repeats"),
        ('{"schema": "karat/score/1"}', "the schema is 'karat/score/1'"),
        ('{"schema": "karat/repeats/1", "signature": "karat:1", "items": [{}]}', "no suspicious repeats"),
        ('{"schema": "karat/repeats/1", "new": 0}', "compared with another baseline"),
    ],
)
def test_what_is_no_baseline_is_said_so(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "b.json"
    path.write_text(text)
    with pytest.raises(DataError, match=message) as caught:
        read_baseline(path)
    assert caught.value.code == "K606"


def test_json_has_an_item_a_line() -> None:
    audit = audit_of(plain("a/D b/N c/N", "a/D b/V c/N", "x/D y/N z/N", "x/D y/V z/N"))
    lines = [line for line in audit_json(audit).split("\n") if line.startswith('  {"words"')]
    assert [json.loads(line.rstrip(","))["words"] for line in lines] == [list(item.words) for item in audit.items()]


# ---- folders ---------------------------------------------------------------------------------------------------------


def test_a_folders_parts_are_taken_together_or_apart(tmp_path: Path) -> None:
    folder = tmp_path / "UD_X-Y"
    folder.mkdir()
    for part in ("test", "dev", "train"):
        conllu(folder / f"x_y-ud-{part}.conllu", sentence(f"{part}/X"))
    (folder / "README.md").write_text("no part")
    files = {part: str(folder / f"x_y-ud-{part}.conllu") for part in ("train", "dev", "test")}
    assert treebank_whole(folder) == list(files.values())
    assert treebank_parts(folder) == {"train": [files["train"]], "test": [files["test"]]}
    assert treebank_parts(files["dev"]) == {"file": files["dev"]}
    assert treebank_whole(files["dev"]) == files["dev"]
    assert list(named([folder])) == ["UD_X-Y"]
    audit = karat.repeats([folder])
    assert (audit.names, audit.n_tokens) == (("UD_X-Y",), 3)


def test_a_folder_without_parts_is_refused(tmp_path: Path) -> None:
    conllu(tmp_path / "x-ud-dev.conllu", sentence("a/X"))
    with pytest.raises(DataError, match="no train or test part"):
        treebank_parts(tmp_path)
    assert len(treebank_whole(tmp_path)) == 1  # type: ignore[arg-type]
