"""Misspelled words: marked as UD marks them, and nothing else of the file changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

import karat
from karat.corpus import read
from karat.corpus.worklist import Worklist, WorklistRow, write_worklist
from karat.errors import DataError
from karat.gold.typos import with_correct_form, with_typo
from karat.signature import signature

_NAMES = st.lists(st.sampled_from(["Abbr", "Case", "Number", "Tense", "Typo", "VerbForm", "case"]), unique=True)
_TEXT = (
    "# sent_id = s1\r\n1\tteh\tthe\tDET\t_\tDefinite=Def|VerbForm=X\t2\tdet\t_\tSpaceAfter=No|Gloss=a\r\n"
    "2\tlamp\tlamp\tNOUN\t_\t_\t0\troot\t_\t_\r\n\r\n"
)


def slow_feats(feats: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Features in order with Typo=Yes in their order."""
    return sorted({**dict(feats), "Typo": "Yes"}.items(), key=lambda pair: pair[0].lower())


@given(_NAMES)
def test_features_in_order_stay_in_order(names: list[str]) -> None:
    feats = [(name, "A") for name in sorted(names, key=str.lower)]
    assert with_typo("|".join(map("=".join, feats)) or "_") == "|".join(map("=".join, slow_feats(feats)))


@given(st.lists(st.sampled_from(["SpaceAfter=No", "CorrectForm=x", "Gloss=a=b", "Flag"]), unique=True))
def test_all_else_in_misc_stays_where_it_is(entries: list[str]) -> None:
    found = with_correct_form("|".join(entries) or "_", "the").split("|")
    assert [one for one in found if one != "CorrectForm=the"] == [one for one in entries if one != "CorrectForm=x"]
    assert found.count("CorrectForm=the") == 1


def judged(folder: Path, text: str, *said: tuple[int, str, str], name: str = "in.conllu") -> tuple[Path, Path]:
    """A corpus, and a list of suspects with verdicts on its words, from 0."""
    corpus = folder / name
    corpus.write_bytes(text.encode())
    read_ = read(corpus, trees=False)
    labels, forms = read_.column("upos").strings(), read_.column("form").strings()
    rows = tuple(
        WorklistRow(
            f"s{word + 1}", "suspect", "x", "s1", 1, 1, "", "", 1.0, verdict, label, word=forms[word],
            label_here=labels[word],
        )
        for word, verdict, label in said
    )  # fmt: skip
    signed = signature("suspects", [("column", "upos")], [("corpus", "x", read_.source.sha256())])
    write_worklist(folder / "list.tsv", Worklist(rows, ("Is it wrong?", signed)))
    return corpus, folder / "list.tsv"


def test_a_misspelled_word_keeps_its_form_and_all_other_bytes(tmp_path: Path) -> None:
    corpus, path = judged(tmp_path, _TEXT, (0, "typo", "the"), (1, "unclear", ""))
    found = karat.write_corrected(karat.correct(corpus, path), tmp_path / "out.conllu")
    expected = _TEXT.replace("Definite=Def|VerbForm=X", "Definite=Def|Typo=Yes|VerbForm=X").replace(
        "SpaceAfter=No|Gloss=a", "SpaceAfter=No|Gloss=a|CorrectForm=the"
    )
    assert (tmp_path / "out.conllu").read_bytes() == expected.encode()
    assert {one.came_with for one in found.changes} == {"typo"}
    assert (found.warnings, found.n_judged, found.n_unclear) == ((), 2, 1)


def test_a_word_that_is_marked_already_stays_as_it_is(tmp_path: Path) -> None:
    corpus, path = judged(tmp_path, _TEXT, (0, "typo", "the"))
    karat.write_corrected(karat.correct(corpus, path), tmp_path / "out.conllu")
    again, path = judged(tmp_path, (tmp_path / "out.conllu").read_bytes().decode(), (0, "typo", "the"))
    assert karat.correct(again, path).changes == ()


@pytest.mark.parametrize(
    ("form", "message"),
    [("teh", "has the form that is called right"), ("t|e", "which MISC cannot hold"), ("", "right form is not given")],
)
def test_forms_that_cannot_be_are_refused(tmp_path: Path, form: str, message: str) -> None:
    with pytest.raises(DataError, match="K742") as caught:
        karat.correct(*judged(tmp_path, _TEXT, (0, "typo", form)))
    assert message in str(caught.value)
    assert caught.value.line == 5


def test_formats_that_cannot_mark_a_misspelled_word_refuse_it(tmp_path: Path) -> None:
    corpus, path = judged(tmp_path, "teh\tDET\nlamp\tNOUN\n\n", (0, "typo", "the"), name="in.tsv")
    with pytest.raises(DataError, match="K742 a misspelled word cannot be marked in the format tsv"):
        karat.correct(corpus, path)


def test_judges_who_give_a_word_two_forms_have_no_majority(tmp_path: Path) -> None:
    corpus, path = judged(tmp_path, _TEXT, (0, "typo", "the"))
    first = path.rename(tmp_path / "first.tsv")
    corpus, path = judged(tmp_path, _TEXT, (0, "typo", "ten"))
    found = karat.correct(corpus, [first, path])
    assert (found.changes, found.n_ties) == ((), 1)


# ---- in lists that ask something else --------------------------------------------------------------------------------


def listed(folder: Path, kind: str, *said: tuple[str, str], name: str = "list.tsv", **cells: str) -> tuple[Path, Path]:
    """A corpus, and a list of another kind that has a row for each of its words."""
    corpus = folder / "in.conllu"
    corpus.write_bytes(_TEXT.encode())
    role = {"adjudication": "annotator", "change": "new"}.get(kind, "gold")
    verb = {"adjudication": "agree", "change": "diff"}.get(kind, "noise plan")
    signed = signature(
        verb, [("column", "upos")], [(role, one, read(corpus).source.sha256()) for one in ("ada", "bix")]
    )
    rows = tuple(
        WorklistRow(f"w{n}", kind, "x", "s1", n, n, text, cells.get("shown", "a) DET  b) X"), 1.0, verdict, label)
        for n, (text, (verdict, label)) in enumerate(zip(("[teh] lamp", "teh [lamp]"), said, strict=False), start=1)
    )
    write_worklist(folder / name, Worklist(rows, ("What is right?", signed)))
    return corpus, folder / name


@pytest.mark.parametrize(
    ("kind", "shown", "other"),
    [("token", "a) DET  b) X", "a"), ("adjudication", "ada) DET  bix) X", "bix"), ("change", "upos: X → DET", "new")],
)
def test_of_other_lists_typos_are_applied_and_nothing_else(tmp_path: Path, kind: str, shown: str, other: str) -> None:
    corpus, path = listed(tmp_path, kind, ("typo", "the"), (other, ""), shown=shown)
    found = karat.correct(corpus, path)
    assert [(one.token, one.column) for one in found.changes] == [(1, "feats"), (1, "misc")]
    assert (found.n_rows, found.n_judged) == (2, 2)
    second = listed(tmp_path, kind, (other, ""), name="second.tsv", shown=shown)[1]
    assert karat.correct(corpus, [path, second]).n_ties == 1
    third = listed(tmp_path, kind, (other, ""), name="third.tsv", shown=shown)[1]
    assert karat.correct(corpus, [path, second, third]).changes == ()


def test_a_typo_in_another_list_must_be_in_a_word_of_the_corpus(tmp_path: Path) -> None:
    corpus, path = listed(tmp_path, "token", ("typo", ""), ("typo", "lam"))
    path.write_text(path.read_text().replace("teh [lamp]", "teh [light]"))
    with pytest.raises(DataError) as caught:
        karat.correct(corpus, path)
    assert [(one.code, one.line) for one in caught.value.problems] == [("K742", 5), ("K741", 6)]
    corpus.write_bytes(_TEXT.replace("lamp", "light").encode())
    with pytest.raises(DataError, match="K740"):
        karat.correct(corpus, path)


def test_an_annotator_called_typo_is_not_taken_for_the_verdict(tmp_path: Path) -> None:
    corpus, path = listed(tmp_path, "adjudication", ("typo", ""), shown="ada) DET  typo) X")
    path.write_text(path.read_text().replace("annotator:bix@", "annotator:typo@"))
    assert karat.correct(corpus, path).changes == ()
