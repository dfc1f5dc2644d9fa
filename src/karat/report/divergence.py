"""How different corpora are, as tables for people."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from karat.gold.divergence.diverge import Divergences, PairDivergence
from karat.result import Cell, Table

__all__ = ["divergence_tables", "nearness"]

_WHAT = {"words": "words", "labels": "labels", "both": "words with their labels"}
_BY = {"naive-bayes": "naive Bayes", "logistic": "logistic regression"}


def divergence_tables(result: Divergences) -> list[Table]:
    """How well corpora are told apart, beside the paper where it has the same; plain shares; what gives them away."""
    n_pairs = len(result.shares)
    tables = [_pair_table(result)] if n_pairs == 1 else [_matrix(result, name) for name in result.features]
    if n_pairs > 1 and result.summary:
        tables.append(_summary_table(result))
    if any(one.paper is not None for one in result.cells):
        tables.append(_paper_table(result))
    tables.append(_shares_table(result))
    if result.telling:
        tables.append(_telling_table(result))
    return tables


def _how(result: Divergences) -> list[str]:
    intervals = f" ±: the {result.level:.0%} interval." if result.n_splits > 1 else ""
    return [
        f"The share, in %, of sentences whose corpus {_BY[result.classifier]} recognises by their 1- and 2-grams: 50 "
        f"is chance, 100 means that no sentence could be of the other. Mean of {result.n_splits} splits into halves, "
        f"the larger side cut to the size of the smaller.{intervals}",
    ]


def _pair_table(result: Divergences) -> Table:
    rows: list[list[Cell]] = [
        [
            _WHAT[one.features],
            100 * one.accuracy,
            None if one.lower is None or one.upper is None else f"{100 * one.lower:.2f}–{100 * one.upper:.2f}",
            100 * one.error,
            one.divergence,
        ]
        for one in result.cells
    ]
    first = result.cells[0]
    sizes = f"{first.n_train:,} and {first.n_test:,} sentences, {first.n_sampled:,} of each."
    notes = [sizes, *_how(result), "divergence: 2(1 - 2 error), from 0 (the same) to 2."]
    columns = ["told apart by", "accuracy", "interval", "error", "divergence"]
    return Table(columns, rows, _title(first), notes)


def _title(one: PairDivergence) -> str:
    return f"{one.train}, train and test" if one.train == one.test else f"{one.train} and {one.test}"


def _matrix(result: Divergences, features: str) -> Table:
    rows: list[list[Cell]] = []
    for train in result.rows:
        cells = [result.cell(train, test, features) for test in result.columns]
        rows.append([train, *(None if one is None else _with_reach(one) for one in cells)])
    corner = "" if result.is_symmetric else "train \\ test"
    notes = _how(result) if features == result.features[-1] else []
    return Table([corner, *result.columns], rows, f"told apart by {_WHAT[features]}", notes)


def _with_reach(one: PairDivergence) -> str:
    if one.lower is None or one.upper is None:
        return f"{100 * one.accuracy:.1f}"
    return f"{100 * one.accuracy:.1f} ±{100 * max(one.upper - one.accuracy, one.accuracy - one.lower):.1f}"


def _summary_table(result: Divergences) -> Table:
    is_printed = result.summary[0].paper_median is not None
    rows: list[list[Cell]] = []
    for one in result.summary:
        row: list[Cell] = [_WHAT[one.features], 100 * one.median, 100 * one.best]
        if one.paper_median is not None and one.paper_best is not None:
            row += [100 * one.paper_median, 100 * one.paper_best]
        rows.append(row)
    columns = ["told apart by", "median", "% best", *(["paper: median", "% best"] if is_printed else [])]
    notes = [f"Over {result.summary[0].n_pairs:,} pairs of different corpora (as Table 7 of Wisniewski & Yvon 2019)."]
    notes += ["paper: from the same cells of its Figure 1."] if is_printed else []
    return Table(columns, rows, "all pairs", notes)


def _paper_table(result: Divergences) -> Table:
    rows: list[list[Cell]] = []
    for pair in result.shares:
        row: list[Cell] = [pair.train, pair.test]
        for name in result.features:
            one = result.cell(pair.train, pair.test, name)
            assert one is not None
            row += [100 * one.accuracy, None if one.paper is None else 100 * one.paper]
        rows.append(row)
    columns = ["train", "test", *(column for name in result.features for column in (name, "paper"))]
    notes = []
    for name in result.features:
        n, distance, correlation = nearness([one for one in result.cells if one.features == name])
        correlated = "" if correlation is None else f", correlation {correlation:.3f}"
        notes.append(f"{name}: {distance:.2f} points from the paper on average over {n} cells{correlated}.")
    return Table(columns, rows, "beside Figure 1 of Wisniewski & Yvon 2019", notes)


def nearness(cells: Sequence[PairDivergence]) -> tuple[int, float, float | None]:
    """How many cells the paper prints, the mean distance from it in points, and the correlation with it."""
    both = np.array([(one.accuracy, one.paper) for one in cells if one.paper is not None]).reshape(-1, 2)
    distance = float(100 * np.abs(both[:, 0] - both[:, 1]).mean()) if len(both) else 0.0
    varies = len(both) > 2 and (np.ptp(both, axis=0) > 0).all()
    return len(both), distance, float(np.corrcoef(both.T)[0, 1]) if varies else None


def _shares_table(result: Divergences) -> Table:
    rows: list[list[Cell]] = [
        [
            one.train,
            one.test,
            100 * one.oov,
            f"{100 * one.capitalised_train:.1f} / {100 * one.capitalised_test:.1f}",
            f"{100 * one.punctuation_train:.1f} / {100 * one.punctuation_test:.1f}",
            None if one.js_labels is None else f"{one.js_labels:.4f}",
        ]
        for one in result.shares
    ]
    names = ["a", "b"] if result.is_symmetric else ["train", "test"]
    notes = [
        f"In %. unknown: words of {names[1]} whose form {names[0]} does not have; capitalised: words that begin with a "
        f"capital; punctuation: words of punctuation only; {names[0]} / {names[1]}. labels: their Jensen–Shannon "
        "divergence in bits, from 0 (the same shares) to 1.",
    ]
    return Table([*names, "unknown", "capitalised", "punctuation", "labels"], rows, "plain differences", notes)


def _telling_table(result: Divergences) -> Table:
    rows: list[list[Cell]] = [
        [one.corpus, one.features, one.ngram, one.count, one.elsewhere, f"{one.weight:.1f}"] for one in result.telling
    ]
    notes = ["What is commoner in a corpus than in all others together, by log-likelihood ratio G² (Dunning 1993)."]
    columns = ["corpus", "features", "n-gram", "here", "elsewhere", "G²"]
    return Table(columns, rows, "what gives them away", notes)
