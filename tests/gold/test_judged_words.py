"""Judged suspects, applied word by word."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import karat
from examples import EXAMPLES
from karat.corpus.worklist import Worklist, WorklistRow, write_worklist
from karat.errors import DataError, UsageError
from karat.signature import signature

GOLD = EXAMPLES / "gold.conllu"
Listed = Callable[..., Path]


@pytest.fixture
def listed(tmp_path: Path) -> Listed:
    """Writes a list of suspects with verdicts: (word from 0, verdict, label, judge)."""
    corpus = karat.read_conllu(GOLD)
    upos = corpus.column("upos").strings()
    forms = corpus.column("form").strings()

    def write(
        *said: tuple[int, str, str], name: str = "list.tsv", part: str = "s", digest: str = "", **other: str
    ) -> Path:
        signed = signature("suspects", [("column", "upos")], [("corpus", "x", digest or corpus.source.sha256())])
        rows = tuple(
            WorklistRow(
                f"{part}{word + 1}", "suspect", "x", "s1", 1, 1, "", "", 1.0, verdict, label, other.get("judge", ""),
                word=forms[word], label_here=other.get("here", upos[word]),
            )
            for word, verdict, label in said
        )  # fmt: skip
        write_worklist(tmp_path / name, Worklist(rows, ("Is it wrong?", signed)))
        return tmp_path / name

    return write


def corrected(tmp_path: Path, *lists: Path) -> list[str]:
    """The lines of the corrected file that differ, as the words' new tags."""
    found = karat.correct(GOLD, list(lists))
    out = tmp_path / "out.conllu"
    karat.write_corrected(found, out)
    before, after = (path.read_text(encoding="utf-8").split("\n") for path in (GOLD, out))
    return [new.split("\t")[3] for old, new in zip(before, after, strict=True) if old != new]


def test_errors_change_their_word_and_nothing_else(listed: Listed, tmp_path: Path) -> None:
    path = listed((3, "error", "X"), (5, "right", ""), (7, "ambiguity", ""), (9, "", ""))
    assert corrected(tmp_path, path) == ["X"]
    found = karat.correct(GOLD, path)
    assert (found.n_rows, found.n_judged, len(found.changes)) == (4, 3, 1)
    assert found.changes[0].word == 3


def test_most_judges_decide_and_ties_change_nothing(listed: Listed, tmp_path: Path) -> None:
    lists = [listed((3, "error", "X"), (5, "error", "X"), name=f"{n}.tsv", judge=str(n)) for n in range(2)]
    lists.append(listed((3, "right", ""), name="2.tsv", judge="2"))
    assert corrected(tmp_path, *lists) == ["X", "X"]
    tied = [listed((3, "error", "X"), name="a.tsv", judge="a"), listed((3, "right", ""), name="b.tsv", judge="b")]
    found = karat.correct(GOLD, tied)
    assert (found.changes, found.n_ties) == ((), 1)


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ((3, "error", ""), "K742"),
        ((3, "right", "X"), "K742"),
        ((3, "", "X"), "K742"),
        ((10_000, "error", "X"), "K741"),
    ],
)
def test_rows_that_cannot_be_applied_are_refused(listed: Listed, said: tuple[int, str, str], code: str) -> None:
    word, verdict, label = said
    if word >= 10_000:
        path = listed((3, verdict, label))
        path.write_text(path.read_text(encoding="utf-8").replace("s4\t", f"s{word}\t"), encoding="utf-8")
    else:
        path = listed(said)
    with pytest.raises(DataError, match=code):
        karat.correct(GOLD, path)


def test_a_label_that_was_changed_is_seen(listed: Listed) -> None:
    with pytest.raises(DataError, match="K741"):
        karat.correct(GOLD, listed((3, "error", "X"), here="Q"))


def test_a_list_of_another_file_is_refused(listed: Listed) -> None:
    with pytest.raises(DataError, match="K740"):
        karat.correct(GOLD, listed((3, "error", "X"), digest="0" * 64))


def test_one_judge_who_contradicts_themselves_is_told(listed: Listed, tmp_path: Path) -> None:
    path = listed((3, "error", "X"))
    other = listed((3, "right", ""), name="other.tsv", part="r")
    lines = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
    lines.append(other.read_text(encoding="utf-8").rstrip("\n").split("\n")[-1])
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(DataError, match="K744"):
        karat.correct(GOLD, path)


def test_suspects_are_applied_on_their_own(listed: Listed) -> None:
    path = listed((3, "error", "X"))
    with pytest.raises(UsageError, match="applied alone"):
        karat.correct(GOLD, path, generalise=True)
    with pytest.raises(UsageError, match="give the corpus"):
        karat.correct(None, path)


def test_no_option_is_advised_that_lists_of_suspects_do_not_take(listed: Listed) -> None:
    path = listed((3, "error", "PUNCT"))
    found = karat.correct(GOLD, path)
    assert found.unseen_pairs
    assert all("with_columns" not in warning for warning in found.warnings)
    assert any("correct them by hand" in warning for warning in found.warnings)
    with pytest.raises(UsageError, match="without other lists, `with_columns` or `generalise`"):
        karat.correct(GOLD, path, with_columns="xpos")
