"""Which labels are taken for which others, and where."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from karat._arrays import Indices
from karat.measures.splits import WordGroups, groups_by
from karat.measures.words.comparison import Comparison, at

CONFUSABLE = ("upos", "xpos", "deprel", "full-deprel")


@dataclass(frozen=True, slots=True)
class Example:
    """One place: the sentence and, counted from 1, the word in it; the words of the sentence as they are written."""

    sent_id: str | None
    line: int
    token: int
    words: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """The place as plain data."""
        return asdict(self) | {"words": list(self.words)}


@dataclass(frozen=True, slots=True)
class Confusion:
    """The gold has one label, the system another, `count` times."""

    gold: str
    system: str
    count: int
    examples: tuple[Example, ...]

    def to_dict(self) -> dict[str, Any]:
        """The confusion as plain data."""
        return asdict(self) | {"examples": [one.to_dict() for one in self.examples]}


@dataclass(frozen=True, slots=True, eq=False)
class Confusions:
    """How many matching words have `labels[i]` in the gold and `labels[j]` in the system: `matrix[i, j]`."""

    column: str
    labels: tuple[str, ...]
    matrix: Indices
    top: tuple[Confusion, ...]

    def to_dict(self) -> dict[str, Any]:
        """The confusions as plain data."""
        top = [one.to_dict() for one in self.top]
        return {"labels": list(self.labels), "matrix": self.matrix.tolist(), "top": top}


def confusions(comparison: Comparison, column: str, *, n_top: int = 10, n_examples: int = 2) -> Confusions:
    """The confusion matrix of a column, its labels by frequency in the gold, and the commonest confusions."""
    groups = groups_by(column, comparison)
    assert isinstance(groups, WordGroups)
    alignment = comparison.alignment
    kept = alignment.kept.take(comparison.matching_rows)
    ours = at(groups.gold, alignment.gold_words).astype(np.intp)
    theirs = at(groups.system, alignment.system_words)
    n = len(groups.names)
    matrix = np.bincount(ours[kept] * n + theirs[kept], minlength=n * n).reshape(n, n)
    order = sorted(range(n), key=lambda code: (-int(matrix[code].sum()), groups.names[code]))
    wrong = matrix * (1 - np.eye(n, dtype=np.intp))
    ranked = sorted(zip(*np.nonzero(wrong), strict=True), key=lambda pair: -int(wrong[pair]))[:n_top]
    top = []
    for gold_code, system_code in ranked:
        places = np.flatnonzero(kept & (ours == gold_code) & (theirs == system_code))
        words = alignment.gold_words[spread(places, n_examples)]
        examples = tuple(example_at(comparison, int(word)) for word in words)
        top.append(Confusion(groups.names[gold_code], groups.names[system_code], len(places), examples))
    labels = tuple(groups.names[code] for code in order)
    return Confusions(column, labels, matrix[np.ix_(order, order)], tuple(top))


def spread(places: Indices, n: int) -> Indices:
    """Up to n of the places, spread evenly, so that examples do not all come from the first document."""
    return places[np.unique(np.linspace(0, len(places) - 1, min(n, len(places))).round().astype(np.intp))]


def example_at(comparison: Comparison, word: int) -> Example:
    """The place of a gold word, with its sentence."""
    gold = comparison.gold
    sentence = int(gold.words_sentence[word])
    first, stop = int(gold.sentence_offsets[sentence]), int(gold.sentence_offsets[sentence + 1])
    form = gold.column("form")
    words = tuple(form.vocabulary.strings[number] for number in form.ids[first:stop].tolist())
    return Example(gold.sent_id(sentence), gold.line_of_word(word), word - first + 1, words)
