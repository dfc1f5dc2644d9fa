"""Tables 4, 5, 6 and 8 of Wisniewski & Yvon 2019, with what the paper prints beside.

The readings that reproduce the print, and where they are not what the text says:

- forms as they are, punctuation kept, UPOS; maximal repeats at any two places, also of one sentence;
- Table 5: repeats of at least 3 words, but the sentences are those with a repeat of at least 5;
- Table 6: repeats of train and test set together, whether or not a repeat is in both;
- Table 4: repeats that are in both, of one word or more.

`literal=True` takes the definitions of the text instead: two different sentences, 3 words throughout, and in Table 6
repeats that are in both corpora. For Table 8, whose print is about all of UD, no reading is known that gives it: there
are the repeats that are in both corpora, as in Table 4, beside those of both together, as in Table 6. Percentages are
None where there is nothing to take them of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from karat.corpus import Corpus
from karat.gold.repeats.labels import Labels, column_labels
from karat.gold.repeats.maximal import maximal_repeats, sentences_with_a_repeat
from karat.gold.repeats.running_text import RunningText, running_text
from karat.gold.repeats.suspicious import suspicious_repeats

TABLE_8_COUNTS = ("repeats", "suspicious", "repeats_together", "suspicious_together")
_LONGEST_ROW = 10  # Table 8 counts repeats of 10 words and more together


@dataclass(frozen=True, slots=True)
class PrintedHeuristic:
    """What Table 4 prints: suspicious repeats, and those a person found to be inconsistencies (None: not judged)."""

    suspicious: int
    inconsistencies: int | None


@dataclass(frozen=True, slots=True)
class PrintedConsistency:
    """What Table 5 prints."""

    sentences: int
    percent_sentences: float
    percent_inconsistent: float


@dataclass(frozen=True, slots=True)
class Table4Row:
    """How many suspicious repeats between two corpora a heuristic keeps."""

    heuristic: str
    suspicious: int
    paper: PrintedHeuristic | None

    def to_dict(self) -> dict[str, Any]:
        """The row as plain data."""
        return {"heuristic": self.heuristic, "suspicious": self.suspicious, "paper": _paper_dict(self.paper)}


@dataclass(frozen=True, slots=True)
class Table5Row:
    """How much of a corpus is repeated, and how much of that is not labelled consistently."""

    corpus: str
    sentences: int
    sentences_with_a_repeat: int
    repeats: int
    suspicious: int
    paper: PrintedConsistency | None

    @property
    def percent_sentences(self) -> float | None:
        return _percent(self.sentences_with_a_repeat, self.sentences)

    @property
    def percent_inconsistent(self) -> float | None:
        return _percent(self.suspicious, self.repeats)

    def to_dict(self) -> dict[str, Any]:
        """The row as plain data."""
        return {
            "corpus": self.corpus,
            "sentences": self.sentences,
            "percent_sentences": self.percent_sentences,
            "repeats": self.repeats,
            "suspicious": self.suspicious,
            "percent_inconsistent": self.percent_inconsistent,
            "paper": _paper_dict(self.paper),
        }


@dataclass(frozen=True, slots=True)
class Table6Row:
    """A train set with a test set; `paper` is the printed percentage."""

    train: str
    test: str
    repeats: int
    suspicious: int
    paper: float | None

    @property
    def percent_inconsistent(self) -> float | None:
        return _percent(self.suspicious, self.repeats)

    def to_dict(self) -> dict[str, Any]:
        """The row as plain data."""
        return {
            "train": self.train,
            "test": self.test,
            "repeats": self.repeats,
            "suspicious": self.suspicious,
            "percent_inconsistent": self.percent_inconsistent,
            "paper": self.paper,
        }


@dataclass(frozen=True, slots=True)
class Table8Row:
    """Repeats of one length, the last row's of that length and more; `paper`: the print is about all of UD.

    `repeats` and `suspicious` are those that are in both corpora, `repeats_together` and `suspicious_together` all of
    the two corpora together.
    """

    words: int
    is_open: bool
    repeats: int
    suspicious: int
    repeats_together: int
    suspicious_together: int
    paper: None = None

    @property
    def percent_suspicious(self) -> float | None:
        return _percent(self.suspicious, self.repeats)

    @property
    def percent_suspicious_together(self) -> float | None:
        return _percent(self.suspicious_together, self.repeats_together)

    def to_dict(self) -> dict[str, Any]:
        """The row as plain data."""
        return {
            "words": self.words,
            "and_more": self.is_open,
            "repeats": self.repeats,
            "suspicious": self.suspicious,
            "percent_suspicious": self.percent_suspicious,
            "repeats_together": self.repeats_together,
            "suspicious_together": self.suspicious_together,
            "percent_suspicious_together": self.percent_suspicious_together,
            "paper": self.paper,
        }


TableRow = Table4Row | Table5Row | Table6Row | Table8Row


def _paper_dict(printed: PrintedHeuristic | PrintedConsistency | None) -> dict[str, Any] | None:
    return None if printed is None else asdict(printed)


PRINTED_TABLE_4 = {
    "none": PrintedHeuristic(2507, None),
    "disjoint": PrintedHeuristic(580, 407),
    "size 3": PrintedHeuristic(214, 153),
    "size 4": PrintedHeuristic(28, 22),
}
PRINTED_TABLE_5 = {
    "ESL": PrintedConsistency(5124, 79.0, 10.4),
    "EWT": PrintedConsistency(16622, 13.1, 9.0),
    "GUM": PrintedConsistency(4399, 10.5, 8.5),
    "LinES": PrintedConsistency(4564, 10.9, 11.8),
    "PUD": PrintedConsistency(1000, 2.7, 8.7),
    "ParTUT": PrintedConsistency(2090, 18.8, 9.0),
    "WSJ": PrintedConsistency(21928, 66.1, 8.4),
}
PRINTED_TABLE_6_TESTS = ("ESL", "EWT", "GUM", "LinES", "ParTUT", "WSJ", "PUD")
PRINTED_TABLE_6 = {
    "ESL": (10.0, 11.7, 10.6, 11.1, 10.0, 12.9, 10.9),
    "EWT": (11.8, 8.7, 9.1, 10.1, 8.9, 18.8, 9.2),
    "GUM": (14.3, 9.0, 8.2, 11.6, 8.5, 15.8, 11.1),
    "LinES": (16.9, 12.8, 12.6, 12.4, 12.5, 16.6, 14.2),
    "ParTUT": (13.8, 10.5, 9.9, 12.0, 9.0, 14.9, 12.5),
    "WSJ": (9.0, 9.9, 9.0, 9.5, 8.5, 8.2, 9.6),
}
# The English treebanks of UD 2.3, by the number of sentences of their train and test sets: the paper's data
_SENTENCES = {
    ("EWT", "train"): 12543,
    ("EWT", "test"): 2077,
    ("GUM", "train"): 2914,
    ("GUM", "test"): 778,
    ("LinES", "train"): 2738,
    ("LinES", "test"): 914,
    ("ParTUT", "train"): 1781,
    ("ParTUT", "test"): 153,
    ("PUD", "test"): 1000,
}


def table_4(train: Corpus, test: Corpus, *, of: str = "upos", literal: bool = False) -> tuple[Table4Row, ...]:
    """Suspicious repeats between two corpora, by heuristic; the paper's are of EWT's train and PUD's test set."""
    text, labels = _labelled_text([train, test], of)
    repeats = maximal_repeats(text, min_words=1, two_sentences=literal, between=True)
    found = suspicious_repeats(repeats, labels)
    counts = {
        "none": len(found),
        "disjoint": int(found.disjoint.sum()),
        "size 3": int((found.length >= 3).sum()),
        "size 4": int((found.length >= 4).sum()),
    }
    is_papers = of == "upos" and not literal and _is(train, "EWT", "train") and _is(test, "PUD", "test")
    return tuple(
        Table4Row(heuristic, count, PRINTED_TABLE_4[heuristic] if is_papers else None)
        for heuristic, count in counts.items()
    )


def table_5(
    corpora: Sequence[Corpus], names: Sequence[str], *, of: str = "upos", literal: bool = False
) -> tuple[Table5Row, ...]:
    """How consistent each corpus is with itself; the paper's are whole treebanks: train, dev and test set together."""
    rows = []
    for corpus, name in zip(corpora, names, strict=True):
        text, labels = _labelled_text([corpus], of)
        repeats = maximal_repeats(text, min_words=3, two_sentences=literal)
        long = repeats if literal else repeats.chosen(repeats.length >= 5)
        printed = PRINTED_TABLE_5.get(_treebank(name)) if of == "upos" and not literal else None
        rows.append(
            Table5Row(
                name,
                corpus.n_sentences,
                int(sentences_with_a_repeat(long).sum()),
                len(repeats),
                len(suspicious_repeats(repeats, labels)),
                printed if printed is not None and printed.sentences == corpus.n_sentences else None,
            )
        )
    return tuple(rows)


def table_6(
    trains: Sequence[tuple[str, Corpus]],
    tests: Sequence[tuple[str, Corpus]],
    *,
    of: str = "upos",
    literal: bool = False,
) -> tuple[Table6Row, ...]:
    """How consistent each train set is with each test set, train set by train set."""
    rows = []
    for train_name, train in trains:
        for test_name, test in tests:
            text, labels = _labelled_text([train, test], of)
            repeats = maximal_repeats(text, min_words=3, two_sentences=literal, between=literal)
            n_suspicious = len(suspicious_repeats(repeats, labels))
            one, other = _treebank(train_name), _treebank(test_name)
            is_papers = of == "upos" and not literal and _is(train, one, "train") and _is(test, other, "test")
            printed = PRINTED_TABLE_6[one][PRINTED_TABLE_6_TESTS.index(other)] if is_papers else None
            rows.append(Table6Row(train_name, test_name, len(repeats), n_suspicious, printed))
    return tuple(rows)


def table_8(
    pairs: Sequence[tuple[Corpus, Corpus]], *, of: str = "upos", literal: bool = False
) -> tuple[Table8Row, ...]:
    """Repeats and suspicious repeats by length, in both corpora and of both together, summed over pairs of a train and
    a test set.
    """
    counts = np.zeros((4, _LONGEST_ROW + 1), dtype=np.intp)
    for train, test in pairs:
        text, labels = _labelled_text([train, test], of)
        for first_row, between in ((0, True), (2, False)):
            repeats = maximal_repeats(text, min_words=2, two_sentences=literal, between=between)
            for row, lengths in enumerate((repeats.length, suspicious_repeats(repeats, labels).length), first_row):
                counts[row] += np.bincount(np.minimum(lengths, _LONGEST_ROW), minlength=_LONGEST_ROW + 1)
    return tuple(
        Table8Row(words, words == _LONGEST_ROW, *counts[:, words].tolist()) for words in range(2, _LONGEST_ROW + 1)
    )


def _labelled_text(corpora: Sequence[Corpus], of: str) -> tuple[RunningText, Labels]:
    text = running_text(corpora)
    return text, column_labels(text, of)


def _treebank(name: str) -> str:
    """The short name of a treebank's folder: EWT of UD_English-EWT; of other languages, nothing the paper prints."""
    language, _, short = name.rpartition("-")
    return short if language in ("", "UD_English") else name


def _is(corpus: Corpus, treebank: str, part: str) -> bool:
    """Whether a corpus is as large as this part of the paper's treebank."""
    return _SENTENCES.get((treebank, part)) == corpus.n_sentences


def _percent(part: int, whole: int) -> float | None:
    return 100 * part / whole if whole else None
