"""Plain numbers in which two corpora differ: unknown words, capitals, punctuation, labels."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from karat._arrays import Floats
from karat.corpus import Corpus


@dataclass(frozen=True, slots=True)
class PairShares:
    """Plain numbers of two corpora: `oov` is the share of words of `test` that are not in `train`."""

    train: str
    test: str
    oov: float
    capitalised_train: float
    capitalised_test: float
    punctuation_train: float
    punctuation_test: float
    js_labels: float | None

    def to_dict(self) -> dict[str, Any]:
        """The numbers as plain data."""
        return {
            "train": self.train,
            "test": self.test,
            "oov": self.oov,
            "capitalised": {"train": self.capitalised_train, "test": self.capitalised_test},
            "punctuation": {"train": self.punctuation_train, "test": self.punctuation_test},
            "js_labels": self.js_labels,
        }


def pair_shares(train: Corpus, test: Corpus, column: str, *, names: tuple[str, str]) -> PairShares:
    """The plain numbers of two corpora, whose labels are in the column."""
    return PairShares(
        *names,
        unknown_share(train, test),
        capitalised_share(train),
        capitalised_share(test),
        punctuation_share(train),
        punctuation_share(test),
        label_divergence(train, test, column),
    )


def unknown_share(train: Corpus, test: Corpus) -> float:
    """The share of the words of `test` whose form is not in `train`, as it is written."""
    known = set(train.column("form").vocabulary.strings)
    return _share_of_words(test, lambda form: form not in known)


def capitalised_share(corpus: Corpus) -> float:
    """The share of words whose first character is a capital."""
    return _share_of_words(corpus, lambda form: form[:1].isupper() or form[:1].istitle())


def punctuation_share(corpus: Corpus) -> float:
    """The share of words that are nothing but Unicode punctuation (category P), whatever their labels say."""
    return _share_of_words(corpus, lambda form: all(unicodedata.category(one).startswith("P") for one in form))


def _share_of_words(corpus: Corpus, is_wanted: Callable[[str], bool]) -> float:
    """The share of words whose form is wanted; each form is looked at once."""
    form = corpus.column("form")
    wanted = np.array([is_wanted(text) for text in form.vocabulary.strings], dtype=np.bool_)
    return float(wanted.take(form.ids).mean())


def label_divergence(train: Corpus, test: Corpus, column: str) -> float | None:
    """The Jensen–Shannon divergence of the labels of two corpora; None where one has none."""
    if not (train.has(column) and test.has(column)):
        return None
    ours, theirs = train.column(column), test.column(column)
    texts = dict.fromkeys([*ours.vocabulary.strings, *theirs.vocabulary.strings])
    place = {text: number for number, text in enumerate(texts)}
    counts = []
    for labels in (ours, theirs):
        found = np.zeros(len(place))
        n_each = np.bincount(labels.ids, minlength=len(labels.vocabulary))
        found[[place[text] for text in labels.vocabulary.strings]] = n_each
        counts.append(found)
    return jensen_shannon(counts[0], counts[1])


def jensen_shannon(first: Floats, second: Floats) -> float:
    """The Jensen–Shannon divergence, in bits, of two distributions given as counts: 0 if equal, 1 if disjoint.

    [Lin 1991, eq. 4.1 with equal weights]: the entropy of the mean of both less the mean of their entropies.

    >>> import numpy as np
    >>> jensen_shannon(np.array([3.0, 1.0, 0.0]), np.array([0.0, 0.0, 5.0]))
    1.0
    """
    p, q = first / first.sum(), second / second.sum()
    found = _entropy((p + q) / 2) - (_entropy(p) + _entropy(q)) / 2
    return min(max(found, 0.0), 1.0)


def _entropy(p: Floats) -> float:
    p = p[p > 0]
    return float(-(p * np.log2(p)).sum())
