"""Columns that change along with what was judged, and tags that do not fit together."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, strategies as st

from cli_runs import Run
from judged_lists import judged, labels_of, listed, saved
from karat.corpus import Corpus, changed_bytes, conllu_from_source, source_from_bytes
from karat.corpus.worklist import WorklistRow
from karat.errors import DataError, UsageError
from karat.gold.corrected_files import write_corrected
from karat.gold.corrections import correct

Capture = pytest.CaptureFixture[str]
Fields = tuple[str, str, str, str, str]  # form, lemma, UPOS, XPOS, FEATS


def corpus_of(*sentences: list[Fields]) -> Corpus:
    blocks = []
    for number, sentence in enumerate(sentences):
        rows = [f"# sent_id = s{number}"]
        for at, fields in enumerate(sentence, start=1):
            rows.append("\t".join([str(at), *fields, str(at - 1), "root" if at == 1 else "dep", "_", "_"]))
        blocks.append("\n".join(rows) + "\n\n")
    return conllu_from_source(source_from_bytes("".join(blocks).encode()))


THE: Fields = ("the", "the", "DET", "DT", "_")
NOUN: Fields = ("saw", "saw", "NOUN", "NN", "Number=Sing")
VERB: Fields = ("saw", "see", "VERB", "VBD", "Tense=Past")
CUT: Fields = ("cut", "cut", "VERB", "VB", "_")


def saws(*middle: Fields) -> Corpus:
    return corpus_of(*([THE, word, CUT] for word in middle))


def verdicts(tmp_path: Path, corpus: Corpus, verdict: str = "error-in-b", label: str = "") -> Path:
    return saved(tmp_path, judged(listed(corpus), lambda row: (verdict, label)))


def test_further_columns_take_the_one_value_of_the_other_side(tmp_path: Path) -> None:
    corpus = saws(NOUN, VERB, NOUN)
    found = correct(corpus, verdicts(tmp_path, corpus), with_columns=["xpos", "feats", "lemma"])
    assert [(one.column, one.old, one.new, one.came_with) for one in found.changes] == [
        ("lemma", "see", "saw", "upos"),
        ("upos", "VERB", "NOUN", None),
        ("xpos", "VBD", "NN", "upos"),
        ("feats", "Tense=Past", "Number=Sing", "upos"),
    ]
    assert not found.unseen_pairs
    assert not found.warnings
    assert [one.column for one in correct(corpus, verdicts(tmp_path, corpus)).changes] == ["upos"]


def test_what_the_other_side_has_in_two_ways_stays_and_is_counted(tmp_path: Path, capsys: Capture) -> None:
    corpus = saws(NOUN, VERB, (*NOUN[:3], "NNP", NOUN[4]))
    path = tmp_path / "in.conllu"
    path.write_bytes(changed_bytes(corpus))
    judgements = str(verdicts(tmp_path, corpus))
    found = correct(corpus, judgements, with_columns="xpos,feats")
    assert [one.column for one in found.changes] == ["upos", "feats"]
    assert dict(found.n_left) == {"xpos": 1}
    run = Run(capsys, "correct", str(path), "--judgements", judgements, "--with", "XPOS, feats")
    assert "XPOS of 1 corrected word left as it was" in run.out
    assert "with upos" in run.out
    data = Run(capsys, "correct", str(path), "--judgements", judgements, "--with", "xpos,feats", "--json").json
    assert data["with"] == {"xpos": {"left": 1}, "feats": {"left": 0}}
    assert [one["came_with"] for one in data["changes"]] == [None, "upos"]


def test_a_label_that_no_place_of_the_repeat_has_brings_nothing_along(tmp_path: Path) -> None:
    corpus = saws(NOUN, VERB)
    found = correct(corpus, verdicts(tmp_path, corpus, "error-in-both", "ADJ"), with_columns="xpos")
    assert [one.column for one in found.changes] == ["upos", "upos"]
    assert found.n_left == {"xpos": 2}


def test_tags_that_no_other_word_has_together_are_told_with_an_example_and_a_remedy(
    tmp_path: Path, capsys: Capture
) -> None:
    corpus = saws(NOUN, VERB, VERB, CUT)
    path = tmp_path / "in.conllu"
    path.write_bytes(changed_bytes(corpus))
    judgements = str(verdicts(tmp_path, corpus))
    run = Run(capsys, "correct", str(path), "--judgements", judgements)
    said = "2 corrected words have tags that no other word has together, such as UPOS=NOUN with XPOS=VBD"
    assert f"{said} ('saw', {path}:8): try --with feats,xpos" in run.err
    pairs = Run(capsys, "correct", str(path), "--judgements", judgements, "--json").json["unseen_pairs"]
    assert [(one["line"], one["column"], one["value"]) for one in pairs] == [
        (8, "xpos", "VBD"),
        (8, "feats", "Tense=Past"),
        (13, "xpos", "VBD"),
        (13, "feats", "Tense=Past"),
    ]
    run = Run(capsys, "correct", str(path), "--judgements", judgements, "--with", "xpos")
    assert "such as UPOS=NOUN with FEATS=Tense=Past" in run.err
    assert "correct them by hand" in run.err


@pytest.mark.parametrize(("columns", "message"), [("deprel", "choose from upos, xpos"), ("xpos,", "'' cannot change")])
def test_other_columns_are_refused(tmp_path: Path, columns: str, message: str) -> None:
    corpus = saws(NOUN, VERB)
    with pytest.raises(UsageError, match=message):
        correct(corpus, verdicts(tmp_path, corpus), with_columns=columns)


def test_a_column_that_the_corpus_does_not_have_is_refused(tmp_path: Path) -> None:
    corpus = saws((*NOUN[:4], "_"), (*VERB[:4], "_"))
    with pytest.raises(UsageError, match="has no FEATS"):
        correct(corpus, verdicts(tmp_path, corpus), with_columns="feats")


# ---- at random -------------------------------------------------------------------------------------------------------


def other_side(sentences: list[list[Fields]], row: WorklistRow) -> tuple[list[tuple[int, int]], list[Fields]]:
    """The words that a row's verdict changes, and those with the right label, by trying each place."""
    a, b = labels_of(row)
    wrong, right = {"error-in-a": (a, b), "error-in-b": (b, a)}.get(row.verdict, ("", ""))
    forms = [word[0] for word in sentences[int(row.sent_id[1:])][row.start - 1 : row.end]]
    position = int(row.id.split(".")[2].rstrip("di")) - 1
    changed, there = [], []
    for number, sentence in enumerate(sentences):
        for at in range(len(sentence) - len(forms) + 1):
            if wrong and [word[0] for word in sentence[at : at + len(forms)]] == forms:
                word = sentence[at + position]
                if word[2] == wrong:
                    changed.append((number, at + position))
                if word[2] == right:
                    there.append(word)
    return changed, there


@given(seed=st.integers(0, 2**32))
def test_further_columns_and_unseen_pairs_are_those_of_a_slow_search(seed: int) -> None:
    random = Random(seed)
    sentences = [
        [
            (random.choice("ab"), "l", random.choice("NNV"), random.choice("xxy"), random.choice("_f"))
            for _ in range(random.randint(2, 5))
        ]
        for _ in range(random.randint(2, 5))
    ]
    corpus = corpus_of(*sentences)
    worklist = judged(
        listed(corpus, min_words=2), lambda row: (random.choice(["", "", "error-in-a", "error-in-b", "ambiguity"]), "")
    )
    wanted = [name for name in ("xpos", "feats") if corpus.has(name) and random.random() < 0.7]
    new = [[list(word) for word in sentence] for sentence in sentences]
    beside: dict[tuple[int, int], list[Fields]] = {}
    labels: dict[tuple[int, int], set[str]] = {}
    for row in worklist.rows:
        changed, there = other_side(sentences, row)
        for word in changed:
            beside.setdefault(word, []).extend(there)
            labels.setdefault(word, set()).add(labels_of(row)[row.verdict == "error-in-a"])
    with tempfile.TemporaryDirectory() as folder:
        path = saved(Path(folder), worklist)
        if any(len(several) > 1 for several in labels.values()):
            with pytest.raises(DataError, match="K744"):
                correct(corpus, path)
            return
        result = correct(corpus, path, with_columns=wanted)
        write_corrected(result, Path(folder) / "out")
        written = (Path(folder) / "out").read_bytes()
    left: Counter[str] = Counter()
    for (number, at), there in beside.items():
        new[number][at][2] = labels[number, at].pop()
        for name in wanted:
            field = {"xpos": 3, "feats": 4}[name]
            values = {word[field] for word in there}
            if len(values) == 1:
                new[number][at][field] = values.pop()
            else:
                left[name] += 1
    expected = corpus_of(*([(w[0], w[1], w[2], w[3], w[4]) for w in sentence] for sentence in new))
    assert written == changed_bytes(expected)
    assert result.n_left == left
    unseen = set()
    for name, field in (("xpos", 3), ("feats", 4)):
        touched = {
            (n, at)
            for n, sentence in enumerate(new)
            for at, word in enumerate(sentence)
            if (word[2], word[field]) != (sentences[n][at][2], sentences[n][at][field])
        }
        seen = {
            (word[2], word[field])
            for n, sentence in enumerate(new)
            for at, word in enumerate(sentence)
            if (n, at) not in touched
        }
        if corpus.has(name):
            unseen |= {(n, at, name) for n, at in touched if (new[n][at][2], new[n][at][field]) not in seen}
    found = {(int(one.change.sent_id[1:]), one.change.token - 1, one.column) for one in result.unseen_pairs}
    assert found == unseen
