"""Which sentences are resampled together: sentences, documents, the groups of a file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import karat
from examples import conllu, sentence
from karat.corpus import Corpus
from karat.errors import DataError
from karat.evaluation.gold_clusters import clusters_of, documents_of

BAD = sentence("Odd/NOUN/9")  # a head outside the sentence


def corpus(folder: Path, *sentences: str) -> Corpus:
    return karat.read_conllu(conllu(folder / "gold.conllu", *sentences), bad="keep")


def documents(folder: Path, *sizes: int) -> Corpus:
    """Documents of so many sentences each."""
    sentences = []
    for number, size in enumerate(sizes):
        sentences += [sentence("a/X", newdoc=f"d{number}"), *[sentence("b/X")] * (size - 1)]
    return corpus(folder, *sentences)


def without_documents(folder: Path, n: int) -> Corpus:
    return corpus(folder, *[sentence("a/X")] * n)


def groups_file(folder: Path, content: str | bytes) -> str:
    path = folder / "groups.txt"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


def code_and_line(error: pytest.ExceptionInfo[DataError]) -> tuple[str, int]:
    return error.value.code, error.value.line


# --- sentences and documents ---


def test_sentences_are_clusters_of_their_own(tmp_path: Path) -> None:
    found = clusters_of(documents(tmp_path, 2, 1), "sentence")
    assert (found.kind, found.signed, found.n, found.of_sentence.tolist()) == ("sentence", "sentence", 3, [0, 1, 2])


def test_documents_hold_their_sentences(tmp_path: Path) -> None:
    found = clusters_of(documents(tmp_path, 2, 1, 3), "document")
    assert (found.kind, found.signed, found.n) == ("document", "document", 3)
    assert found.of_sentence.tolist() == [0, 0, 1, 2, 2, 2]


def test_sentences_before_the_first_mark_are_a_document(tmp_path: Path) -> None:
    gold = corpus(tmp_path, sentence("a/X"), sentence("b/X"), sentence("c/X", newdoc="d"))
    assert clusters_of(gold, "document").of_sentence.tolist() == [0, 0, 1]


def test_two_documents_are_resampled_by_default_and_one_is_not(tmp_path: Path) -> None:
    assert clusters_of(documents(tmp_path, 4)).kind == "sentence"
    found = clusters_of(documents(tmp_path, 2, 3))
    assert (found.kind, found.n, found.n_documents) == ("document", 2, 2)


def test_without_marks_sentences_are_resampled_by_default(tmp_path: Path) -> None:
    gold = without_documents(tmp_path, 30)
    assert (clusters_of(gold).kind, clusters_of(gold).n) == ("sentence", 30)
    assert documents_of(gold) is None


def test_documents_that_are_not_marked_cannot_be_chosen(tmp_path: Path) -> None:
    gold = without_documents(tmp_path, 3)
    with pytest.raises(DataError, match="no documents are marked") as error:
        clusters_of(gold, "document")
    assert error.value.code == "K601"
    assert error.value.path == gold.path
    assert "newdoc" in error.value.hint


# --- bad sentences of the gold ---


def test_bad_sentences_are_in_no_cluster(tmp_path: Path) -> None:
    gold = corpus(tmp_path, sentence("a/X", newdoc="d"), BAD, sentence("b/X", newdoc="e"), sentence("c/X"))
    assert gold.bad.tolist() == [False, True, False, False]
    assert clusters_of(gold, "sentence").of_sentence.tolist() == [0, 1, 2]
    assert clusters_of(gold, "document").of_sentence.tolist() == [0, 1, 1]
    named = clusters_of(gold, groups_file(tmp_path, "x\ny\nz\nx\n"))
    assert (named.of_sentence.tolist(), named.n) == ([0, 1, 0], 2)  # y is bad


def test_a_document_of_bad_sentences_is_no_cluster(tmp_path: Path) -> None:
    bad_document = BAD.replace("1\tOdd", "# newdoc id = bad\n1\tOdd")
    gold = corpus(tmp_path, sentence("a/X", newdoc="d"), bad_document, sentence("b/X", newdoc="e"))
    found = clusters_of(gold, "document")
    assert (found.of_sentence.tolist(), found.n) == ([0, 1], 2)


def test_documents_without_good_sentences_do_not_count_for_the_default(tmp_path: Path) -> None:
    good = [sentence("a/X", newdoc="d"), sentence("b/X")]
    gold = corpus(tmp_path, *good, BAD.replace("1\tOdd", "# newdoc id = bad\n1\tOdd"))
    assert gold.n_documents == 2
    assert clusters_of(gold).kind == "sentence"


# --- groups from a file ---


@pytest.mark.parametrize(
    "content",
    [
        "x\ny\nx\n",
        "x\ny\nx",
        "x\r\ny\r\nx\r\n",
        "x\r\ny\r\nx",
        "x\ny\nx\n\n\n",
        "x\r\ny\r\nx\r\n\r\n",
        " x\ny \n\tx\n",
        b"\xef\xbb\xbfx\ny\nx\n",
    ],
    ids=["lf", "no-newline", "crlf", "crlf-no-newline", "blank-end", "crlf-blank-end", "spaces", "byte-order-mark"],
)
def test_each_line_of_a_file_is_the_group_of_a_sentence(tmp_path: Path, content: str | bytes) -> None:
    path = groups_file(tmp_path, content)
    found = clusters_of(without_documents(tmp_path, 3), path)
    assert (found.of_sentence.tolist(), found.n, found.kind) == ([0, 1, 0], 2, path)
    assert found.signed.startswith(f"{path}@sha256:")


def test_names_of_groups_may_hold_spaces_and_any_letters(tmp_path: Path) -> None:
    found = clusters_of(without_documents(tmp_path, 4), groups_file(tmp_path, "a b\nб\na  b\nб\n"))
    assert found.of_sentence.tolist() == [0, 1, 2, 1]


def test_a_path_may_be_given_as_one(tmp_path: Path) -> None:
    gold = without_documents(tmp_path, 2)
    (tmp_path / "sentence").write_text("x\nx\n")
    assert clusters_of(gold, tmp_path / "sentence").n == 1


def test_the_signature_of_a_file_changes_with_its_groups(tmp_path: Path) -> None:
    gold = without_documents(tmp_path, 2)
    first = clusters_of(gold, groups_file(tmp_path, "x\ny\n")).signed
    assert clusters_of(gold, groups_file(tmp_path, "x\nx\n")).signed != first


@pytest.mark.parametrize(("n_lines", "shown"), [(2, "2 lines"), (4, "4 lines"), (0, "0 lines")])
def test_a_file_must_have_a_line_for_each_sentence(tmp_path: Path, n_lines: int, shown: str) -> None:
    path = groups_file(tmp_path, "x\n" * n_lines)
    with pytest.raises(DataError, match=f"{shown} where the gold has 3 sentences") as error:
        clusters_of(without_documents(tmp_path, 3), path)
    assert (error.value.code, error.value.path) == ("K602", path)


def test_bad_sentences_have_a_line_too(tmp_path: Path) -> None:
    gold = corpus(tmp_path, sentence("a/X"), BAD, sentence("c/X"))
    with pytest.raises(DataError, match="2 lines where the gold has 3"):
        clusters_of(gold, groups_file(tmp_path, "x\ny\n"))


@pytest.mark.parametrize(("content", "line"), [("x\n\ny\n", 2), ("\nx\ny\n", 1), ("x\r\n \r\ny\r\n", 2)])
def test_a_line_without_a_group_is_an_error_where_it_stands(tmp_path: Path, content: str, line: int) -> None:
    with pytest.raises(DataError, match="a line without a group") as error:
        clusters_of(without_documents(tmp_path, 3), groups_file(tmp_path, content))
    assert code_and_line(error) == ("K602", line)


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError) as error:
        clusters_of(without_documents(tmp_path, 1), str(tmp_path / "nothing.txt"))
    assert error.value.code == "K101"


# --- sums ---


def test_counts_of_a_cluster_are_those_of_its_sentences(tmp_path: Path) -> None:
    counts = np.array([[1.0, 10.0], [2.0, 20.0], [4.0, 40.0], [8.0, 80.0]])
    gold = without_documents(tmp_path, 4)
    assert clusters_of(gold, "sentence").summed(counts).tolist() == counts.tolist()
    mixed = clusters_of(gold, groups_file(tmp_path, "x\ny\nx\nz\n"))
    assert mixed.summed(counts).tolist() == [[5, 50], [2, 20], [8, 80]]
    assert clusters_of(gold, groups_file(tmp_path, "x\n" * 4)).summed(counts).tolist() == [[15, 150]]


def test_counts_with_more_axes_are_summed_over_sentences_only(tmp_path: Path) -> None:
    counts = np.arange(12.0).reshape(3, 2, 2)
    found = clusters_of(without_documents(tmp_path, 3), groups_file(tmp_path, "x\ny\nx\n")).summed(counts)
    assert found.tolist() == [[[8, 10], [12, 14]], [[4, 5], [6, 7]]]


def test_groups_of_one_sentence_each_keep_the_order_of_the_gold(tmp_path: Path) -> None:
    counts = np.array([[1.0], [2.0], [3.0]])
    found = clusters_of(without_documents(tmp_path, 3), groups_file(tmp_path, "c\na\nb\n"))
    assert found.of_sentence.tolist() == [0, 1, 2]
    assert found.summed(counts).tolist() == counts.tolist()
