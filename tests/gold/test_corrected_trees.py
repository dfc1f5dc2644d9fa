"""Corrected heads and relations: trees stay trees, and what would break one is refused with its reason."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, strategies as st

from cli_runs import Run
from judged_lists import judged, labels_of, listed, saved
from karat.corpus import Corpus, changed_bytes, read
from karat.corpus.worklist import WorklistRow
from karat.errors import DataError
from karat.gold.corrected_files import write_corrected
from karat.gold.correction_results import Corrections
from karat.gold.corrections import correct
from random_words import corpus_of
from realdata import data
from repeat_reference import Word

Capture = pytest.CaptureFixture[str]


def tree(*words: str) -> list[Word]:
    """A sentence of words as `form/head/relation`."""
    parts = [word.split("/") for word in words]
    return [Word(form, "X", head=int(head), deprel=relation) for form, head, relation in parts]


def corrected(folder: Path, corpus: Corpus, verdict: str, label: str = "") -> Corrections:
    worklist = listed(corpus, of="dependencies")
    assert any("outside: the head" in line for line in worklist.head)
    return correct(corpus, saved(folder, judged(worklist, lambda row: (verdict, label))))


def arcs(found: Corrections) -> list[tuple[str, int, str, str, str]]:
    return [(one.sent_id, one.token, one.column, one.old, one.new) for one in found.changes]


def test_relation_and_head_are_taken_from_the_right_side(tmp_path: Path) -> None:
    one = tree("the/3/det", "old/3/amod", "pier/0/root")
    other = tree("see/0/root", "the/3/det", "old/1/obj", "pier/1/obj")
    found = corrected(tmp_path, corpus_of([one, other]), "error-in-b")
    assert arcs(found) == [
        ("s1", 2, "head", "3", "4"),
        ("s1", 3, "head", "1", "4"),
        ("s1", 3, "deprel", "obj", "amod"),
    ]
    assert not found.refused


def test_only_the_relation_changes_where_the_head_is_right(tmp_path: Path) -> None:
    one, other = tree("a/2/det", "b/0/root", "c/2/obj"), tree("a/2/det", "b/0/root", "c/2/obl")
    assert arcs(corrected(tmp_path, corpus_of([one, other]), "error-in-a")) == [("s0", 3, "deprel", "obj", "obl")]


def test_a_head_outside_the_repeat_cannot_be_right(tmp_path: Path) -> None:
    one = tree("the/2/det", "old/0/root", "pier/2/dep")
    other = tree("see/0/root", "the/1/dep", "old/1/dep", "pier/3/dep")
    found = corrected(tmp_path, corpus_of([one, other]), "error-in-a")
    assert found.changes == ()
    assert [(one.change.sent_id, one.change.token, one.change.new) for one in found.refused] == [("s0", 1, "outside")]
    assert "outside the repeat" in found.refused[0].reason


def test_what_breaks_a_tree_is_refused_and_the_rest_is_applied(tmp_path: Path) -> None:
    one = tree("a/2/x", "b/0/root", "c/2/x")
    other = tree("a/0/root", "b/1/x", "c/2/y")
    worklist = listed(corpus_of([one, other]), of="dependencies")
    verdicts = {"a": "error-in-b", "b": "", "c": "error-in-b"}
    path = saved(tmp_path, judged(worklist, lambda row: (verdicts[row.shown[0]], "")))
    found = correct(corpus_of([one, other]), path)
    assert arcs(found) == [("s1", 3, "deprel", "y", "x")]
    (refusal,) = found.refused
    assert (refusal.change.token, refusal.reason) == (1, "the sentence would have no root")


def test_changes_that_only_together_leave_a_tree_are_made_together(tmp_path: Path) -> None:
    """b depends on a and c on b; the other way round each change alone would be a cycle."""
    one = tree("a/0/root", "b/1/x", "c/2/x", "d/1/x")
    other = tree("a/0/root", "b/3/x", "c/1/x", "d/1/x")
    found = corrected(tmp_path, corpus_of([one, other]), "error-in-a")
    assert arcs(found) == [("s0", 2, "head", "1", "3"), ("s0", 3, "head", "2", "1")]


def test_a_label_that_somebody_writes_is_a_relation_and_a_distance(tmp_path: Path) -> None:
    corpus = corpus_of([tree("a/2/x", "b/0/root", "c/2/x"), tree("a/2/y", "b/0/root", "c/2/x")])
    assert arcs(corrected(tmp_path, corpus, "error-in-a", "z+2")) == [
        ("s0", 1, "head", "2", "3"),
        ("s0", 1, "deprel", "x", "z"),
    ]
    (refusal,) = corrected(tmp_path, corpus, "error-in-a", "z+3").refused
    assert refusal.reason == "the sentence has no word at this distance"
    with pytest.raises(DataError, match="K742 'z' cannot be a label here") as caught:
        corrected(tmp_path, corpus, "error-in-a", "z")
    assert "det+1" in caught.value.hint


def test_refusals_are_listed_and_counted(tmp_path: Path, capsys: Capture) -> None:
    path, out = tmp_path / "in.conllu", tmp_path / "out.conllu"
    one, other = tree("a/2/x", "b/0/root", "c/2/x"), tree("a/0/root", "b/1/x", "c/2/y")
    path.write_bytes(changed_bytes(corpus_of([one, other])))
    worklist = judged(
        listed(read(path), of="dependencies"), lambda row: ("error-in-b" if row.shown[0] == "a" else "", "")
    )
    arguments = ["correct", str(path), "--judgements", str(saved(tmp_path, worklist)), "-o", str(out)]
    run = Run(capsys, *arguments)
    assert run.code == 0
    assert "heads left as they are" in run.out
    assert "1 change of heads not made" in run.out
    assert out.read_bytes() == path.read_bytes()
    (refused,) = Run(capsys, *arguments, "--json").json["refused"]
    assert (refused["line"], refused["old"], refused["new"]) == (7, "0", "2")
    assert refused["reason"] == "the sentence would have no root"


# ---- at random -------------------------------------------------------------------------------------------------------


def tree_at_random(random: Random, forms: Sequence[str]) -> list[Word]:
    order = random.sample(range(len(forms)), len(forms))
    heads = {word: 0 if not at else 1 + order[random.randrange(at)] for at, word in enumerate(order)}
    return [
        Word(form, "X", head=heads[at], deprel=random.choice("de") if heads[at] else "root")
        for at, form in enumerate(forms)
    ]


def is_tree(heads: Sequence[int]) -> bool:
    """One root, and every word leads to it."""
    if list(heads).count(0) != 1:
        return False
    for word in range(1, len(heads) + 1):
        for _ in range(len(heads)):
            word = heads[word - 1] if word else 0
        if word:
            return False
    return True


def label_of(sentence: Sequence[Word], start: int, length: int, position: int) -> str:
    at = start + position
    head = sentence[at].head - 1
    return f"{sentence[at].deprel}{head - at:+d}" if start <= head < start + length else "outside"


def expected_arcs(
    sentences: list[list[Word]], rows: Sequence[WorklistRow]
) -> dict[tuple[int, int], set[tuple[int, str]]]:
    """The head and the relation that verdicts want of every word, by trying each place; a head of -1 is not known."""
    found: dict[tuple[int, int], set[tuple[int, str]]] = {}
    for row in rows:
        a, b = labels_of(row)
        wrong = {"error-in-a": {a: b}, "error-in-b": {b: a}}.get(row.verdict, {})
        forms = [word.form for word in sentences[int(row.sent_id[1:])][row.start - 1 : row.end]]
        position = int(row.id.split(".")[2].rstrip("di")) - 1
        for number, sentence in enumerate(sentences):
            for start in range(len(sentence) - len(forms) + 1):
                if [one.form for one in sentence[start : start + len(forms)]] != forms:
                    continue
                label = label_of(sentence, start, len(forms), position)
                if label in wrong:
                    right, at = wrong[label], start + position
                    arc = (-1, "") if right == "outside" else (at + 1 + int(right[1:]), right[0])
                    found.setdefault((number, at), set()).add(arc)
    return found


@given(seed=st.integers(0, 2**32))
def test_trees_stay_trees_and_every_verdict_is_applied_or_refused(seed: int) -> None:
    random = Random(seed)
    texts = [[random.choice("ab") for _ in range(random.randint(2, 6))] for _ in range(random.randint(2, 4))]
    sentences = [tree_at_random(random, forms) for forms in texts]
    corpus = corpus_of(sentences)
    worklist = judged(
        listed(corpus, of="dependencies", min_words=2),
        lambda row: (random.choice(["", "", "", "error-in-a", "error-in-b", "ambiguity"]), ""),
    )
    expected = expected_arcs(sentences, worklist.rows)
    known = {word: {arc for arc in several if arc[0] >= 0} for word, several in expected.items()}
    with tempfile.TemporaryDirectory() as folder:
        path = saved(Path(folder), worklist)
        if any(len(several) > 1 for several in known.values()):
            with pytest.raises(DataError, match="K744"):
                correct(corpus, path)
            return
        result = correct(corpus, path)
        write_corrected(result, Path(folder) / "out.conllu")
        again = read(Path(folder) / "out.conllu")  # which has no sentence that is not a tree
    now: dict[tuple[int, int], dict[str, str]] = {}
    for change in result.changes:
        now.setdefault((int(change.sent_id[1:]), change.token - 1), {})[change.column] = change.new
    refused = {
        (int(one.change.sent_id[1:]), one.change.token - 1) for one in result.refused if one.change.new != "outside"
    }
    heads = [[word.head for word in sentence] for sentence in sentences]
    for (number, at), fields in now.items():
        word = sentences[number][at]
        assert {(int(fields.get("head", word.head)), fields.get("deprel", word.deprel))} == known[number, at]
        heads[number][at] = int(fields.get("head", word.head))
    for (number, at), arcs_ in known.items():
        for head, relation in arcs_:
            is_as_it_was = (head, relation) == (sentences[number][at].head, sentences[number][at].deprel)
            assert ((number, at) in now) + ((number, at) in refused) + is_as_it_was == 1
            if (number, at) in refused:
                assert not is_tree([*heads[number][:at], head, *heads[number][at + 1 :]])
    assert all(map(is_tree, heads))
    flat = [head for sentence in heads for head in sentence]
    assert [int(head) for head in again.column("head").strings()] == flat
    changes = {(change.word, change.column): change.new for change in result.changes}
    assert changed_bytes(corpus, changes) == changed_bytes(again)


def test_a_real_treebank_stays_one_of_trees(tmp_path: Path) -> None:
    path = data("ud-2.3/UD_English-EWT/en_ewt-ud-dev.conllu")
    corpus = read(path)
    random = Random(3)
    worklist = judged(
        listed(corpus, of="dependencies"), lambda row: (random.choice(["", "", "", "error-in-a", "error-in-b"]), "")
    )
    result = correct(path, saved(tmp_path, worklist))
    assert result.changes
    assert result.refused
    write_corrected(result, tmp_path / "out.conllu")
    again = read(tmp_path / "out.conllu")  # raises for what is no tree
    old, new = (one.source.text(0, one.source.size).split("\n") for one in (corpus, again))
    differing = [(a.split("\t"), b.split("\t")) for a, b in zip(old, new, strict=True) if a != b]
    assert len(differing) == len({change.word for change in result.changes})
    for before, after in differing:
        assert [at for at, pair in enumerate(zip(before, after, strict=True)) if pair[0] != pair[1]] in (
            [6],
            [7],
            [6, 7],
        )


def test_a_word_can_be_judged_to_be_the_root(tmp_path: Path) -> None:
    """*go* is, where it is not: the right label is outside the repeat, as far as the repeat can tell."""
    one = tree("go/2/dep", "home/0/root", "now/2/advmod")
    corpus = corpus_of([one, tree("go/0/root", "home/1/obj", "now/1/advmod")])
    worklist = listed(corpus, of="dependencies")
    assert any("root: the word is the root" in line for line in worklist.head)

    def verdict(row: WorklistRow) -> tuple[str, str]:
        return "error-in-a", "root" if "dep+1" in labels_of(row) else ""

    found = correct(corpus, saved(tmp_path, judged(worklist, verdict)))
    assert arcs(found) == [
        ("s0", 1, "head", "2", "0"),
        ("s0", 1, "deprel", "dep", "root"),
        ("s0", 2, "head", "0", "1"),
        ("s0", 2, "deprel", "root", "obj"),
        ("s0", 3, "head", "2", "1"),
    ]
    assert not found.refused


def test_a_second_root_is_refused(tmp_path: Path) -> None:
    one, other = tree("a/2/det", "b/0/root", "c/2/obj"), tree("a/2/det", "b/0/root", "c/2/obl")
    found = corrected(tmp_path, corpus_of([one, other]), "error-in-a", "root")
    assert not found.changes
    assert [(each.change.sent_id, each.change.token, each.change.new) for each in found.refused] == [("s0", 3, "0")]
