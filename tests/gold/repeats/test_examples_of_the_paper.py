"""The examples of Tables 2 and 3 of Wisniewski & Yvon 2019 are found, in the treebanks where they are."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from karat.corpus import read_conllu
from karat.gold.repeats.labels import column_labels
from karat.gold.repeats.maximal import maximal_repeats
from karat.gold.repeats.running_text import running_text
from karat.gold.repeats.suspicious import SuspiciousRepeats, suspicious_repeats
from realdata import data

EWT, PARTUT, PUD = "EWT/en_ewt-ud-train", "ParTUT/en_partut-ud-train", "PUD/en_pud-ud-test"


@cache
def found_in(*files: str, min_words: int = 3) -> SuspiciousRepeats:
    """The suspicious repeats of one file, or those that two have in common."""
    text = running_text([read_conllu(data(f"ud-2.3/UD_English-{file}.conllu")) for file in files])
    repeats = maximal_repeats(text, min_words=min_words, between=len(files) > 1)
    return suspicious_repeats(repeats, column_labels(text, "upos"))


def rows_with(found: SuspiciousRepeats, words: str) -> list[tuple[int, int]]:
    """The repeats that hold these words, and from which of their own words on."""
    wanted = tuple(words.split())
    return [
        (row, at)
        for row in range(len(found))
        for its in [found.words(row)]
        for at in range(len(its) - len(wanted) + 1)
        if its[at : at + len(wanted)] == wanted
    ]


@pytest.mark.parametrize(
    ("file", "words", "differs", "labels", "n_words"),
    [
        # The paper says that all three are from EWT; the first and the third are in ParTUT's train set alone.
        (PARTUT, "convergence of high level training for trainers", 3, {"ADJ", "NOUN"}, 10),
        (EWT, "Notice Regarding Privacy and Confidentiality", 0, {"NOUN", "PROPN"}, 29),
        (PARTUT, "to be made subject to the terms", 3, {"ADJ", "NOUN"}, 13),
    ],
)
def test_table_2(file: str, words: str, differs: int, labels: set[str], n_words: int) -> None:
    """One word differs, in a repeat of at least 10 words, as the paper says of all its examples."""
    found = found_in(file)
    ((row, at),) = rows_with(found, words)
    assert found.length[row] == n_words
    assert found.positions(row) == (at + differs,)
    assert {labelling.labels[at + differs] for labelling in found.labellings(row)} == labels


def test_the_first_and_third_example_of_table_2_are_not_in_ewt() -> None:
    assert not rows_with(found_in(EWT), "convergence of high level")
    assert not rows_with(found_in(EWT), "to be made subject to the terms")


def test_the_ambiguity_of_table_3() -> None:
    found = found_in(EWT, PUD)
    ((row, at),) = rows_with(found, "will come out to")
    assert (at, found.length[row], found.positions(row)) == (0, 4, (3,))
    tags = {labelling.spans[0].corpus: labelling.labels[3] for labelling in found.labellings(row)}
    assert tags == {0: "ADP", 1: "PART"}


def test_the_inconsistency_of_table_3() -> None:
    """EWT has it a second time, with a third labelling that the paper does not show; it is disjoint all the same."""
    found = found_in(EWT, PUD)
    ((row, at),) = rows_with(found, "president of the United States")
    assert (at, found.length[row], found.positions(row)) == (0, 5, (0, 3, 4))
    labellings = {(labelling.spans[0].corpus, " ".join(labelling.labels)) for labelling in found.labellings(row)}
    assert labellings == {
        (0, "PROPN ADP DET PROPN PROPN"),
        (0, "NOUN ADP DET PROPN PROPN"),
        (1, "NOUN ADP DET ADJ NOUN"),
    }
    assert found.disjoint[row]


def test_the_negation_that_ewt_and_pud_label_differently() -> None:
    """`n't` is a particle 645 times in EWT's train set; in PUD 16 times, and once an adverb."""
    found = found_in(EWT, PUD, min_words=1)
    (row,) = (row for row, _ in rows_with(found, "n't") if found.length[row] == 1)
    counts = Counter(
        (span.corpus, *labelling.labels) for labelling in found.labellings(row) for span in labelling.spans
    )
    assert counts == {(0, "PART"): 645, (1, "PART"): 16, (1, "ADV"): 1}
    assert not found.disjoint[row]
