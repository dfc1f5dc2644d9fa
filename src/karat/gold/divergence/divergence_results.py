"""What is found about how different corpora are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from karat._arrays import Floats
from karat.gold.divergence.plain_differences import PairShares
from karat.gold.divergence.telling_ngrams import TellingNgram
from karat.result import Cell, Result, Table

SCHEMA = "karat/diverge/1"
_FIELDS: tuple[str, ...] = ("train", "test", "features", "accuracy", "lower", "upper", "error", "divergence")
_FIELDS += ("n_train", "n_test", "n_sampled", "paper", "p", "n_documents_train", "n_documents_test")


@dataclass(frozen=True, slots=True)
class PairDivergence:
    """How well sentences of one corpus are told from those of another by one set of features.

    The accuracy is the mean over all splits, `lower` and `upper` are the ends of its confidence interval. `n_train` and
    `n_test` are the sentences of the two, of which `n_sampled` of each took part in a split. `p` is that of the
    permutation test against chance, `n_documents_train` and `n_documents_test` are the documents permuted. With too
    few of these, interval and p are None. Documents are None where sentences took their place, and with the preset
    `paper`, which has no p either and no interval of a single split; it alone has `paper`, what Wisniewski & Yvon print
    for the same files.
    """

    train: str
    test: str
    features: str
    accuracy: float
    lower: float | None
    upper: float | None
    n_train: int
    n_test: int
    n_sampled: int
    paper: float | None
    p: float | None = None
    n_documents_train: int | None = None
    n_documents_test: int | None = None

    @property
    def error(self) -> float:
        """The share of sentences that are taken for the other corpus's."""
        return 1 - self.accuracy

    @property
    def divergence(self) -> float:
        """2(1 - 2 error) [Ben-David et al. 2010]: 0 where the corpora cannot be told apart, 2 where always."""
        return 2 * (1 - 2 * self.error)

    def is_told_apart(self, level: float) -> bool | None:
        """Whether the accuracy is above chance, by p and the interval at this level; None where that is open."""
        if self.p is None or self.lower is None:
            return None
        return self.p <= 1 - level + 1e-9 and self.lower > 0.5

    def to_dict(self) -> dict[str, Any]:
        """What was found, as plain data."""
        return {name: getattr(self, name) for name in _FIELDS}


@dataclass(frozen=True, slots=True)
class FeatureSummary:
    """One set of features over all pairs of different corpora [Wisniewski & Yvon 2019, Table 7].

    `best` is the share of pairs for which it is the most accurate; features that tie share a pair. The paper's
    numbers are those of the same cells of its Figure 1, None where it does not print them all.
    """

    features: str
    median: float
    best: float
    n_pairs: int
    paper_median: float | None
    paper_best: float | None

    def to_dict(self) -> dict[str, Any]:
        """The summary as plain data."""
        paper = (
            {"median": round(self.paper_median, 4), "best": self.paper_best} if self.paper_median is not None else None
        )
        best, n_pairs = self.best, self.n_pairs
        return {"features": self.features, "median": self.median, "best": best, "pairs": n_pairs, "paper": paper}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Divergences(Result):
    """The result of `diverge`; `rows` and `columns` name the corpora that have a part to stand there."""

    features: tuple[str, ...]
    corpora: tuple[str, ...]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    is_symmetric: bool
    cells: tuple[PairDivergence, ...]
    summary: tuple[FeatureSummary, ...]
    telling: tuple[TellingNgram, ...]
    shares: tuple[PairShares, ...]
    classifier: str
    n_splits: int
    level: float
    formats: tuple[tuple[str, str], ...]
    signature: str
    preset: str
    n_permutations: int
    warnings: tuple[str, ...] = ()

    def cell(self, train: str, test: str, features: str) -> PairDivergence | None:
        """What was found for two corpora, for files in either order; None if they were not compared."""
        wanted = [(train, test), (test, train)] if self.is_symmetric else [(train, test)]
        return next((one for one in self.cells if one.features == features and (one.train, one.test) in wanted), None)

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, in the schema karat/diverge/1."""
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "features": list(self.features),
            "corpora": list(self.corpora),
            "cells": [one.to_dict() for one in self.cells],
            "table7": [one.to_dict() for one in self.summary],
            "telling": [asdict(one) for one in self.telling],
            "shares": [one.to_dict() for one in self.shares],
            "preset": self.preset,
            "permutations": self.n_permutations,
            "warnings": list(self.warnings),
        }

    def records(self) -> Table:
        """One row for each pair and set of features."""
        return Table(list(_FIELDS), [list(one.to_dict().values()) for one in self.cells])

    def view(self) -> Table:
        """How well each pair of corpora is told apart."""
        rows: list[list[Cell]] = [
            [one.train, one.test, one.features, *map(_percent, (one.accuracy, one.lower, one.upper)), one.p]
            for one in self.cells
        ]
        notes = ["The share of sentences, in %, whose corpus is recognised: 50 is chance.", *self.warnings]
        return Table(["a", "b", "told apart by", "accuracy", "lower", "upper", "p"], rows, "", notes)


def _percent(share: float | None) -> str | None:
    return None if share is None else f"{100 * share:.2f}"


def feature_summaries(cells: Sequence[PairDivergence], features: Sequence[str]) -> tuple[FeatureSummary, ...]:
    """Medians, and how often each set of features is best, over the pairs of different corpora."""
    apart = [one for one in cells if one.train != one.test]
    if not apart:
        return ()
    by_features = {name: [one for one in apart if one.features == name] for name in features}
    ours = np.array([[one.accuracy for one in by_features[name]] for name in features])
    printed = np.array([[np.nan if one.paper is None else one.paper for one in by_features[name]] for name in features])
    is_printed = not np.isnan(printed).any()
    best, paper_best = _best_shares(ours), _best_shares(printed)
    return tuple(
        FeatureSummary(
            name,
            float(np.median(ours[place])),
            float(best[place]),
            ours.shape[1],
            float(np.median(printed[place])) if is_printed else None,
            float(paper_best[place]) if is_printed else None,
        )
        for place, name in enumerate(features)
    )


def _best_shares(accuracies: Floats) -> Floats:
    """The share of columns in which each row has the greatest value; those that tie share."""
    is_best = accuracies == accuracies.max(axis=0)
    with np.errstate(invalid="ignore"):
        shares: Floats = (is_best / is_best.sum(axis=0)).mean(axis=1)
    return shares
