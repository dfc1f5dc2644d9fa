"""How different corpora are, as tables for people."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from karat.gold.divergence.divergence_results import Divergences, FeatureSummary, PairDivergence
from karat.report.columns import Column, table_of
from karat.report.shown import listed, p_cell, percent, shown_ci, shown_interval
from karat.result import Cell, Report, Table

SHOWN_FEATURES = {"words": "words", "labels": "labels", "both": "words with their labels"}
_BY = {"naive-bayes": "naive Bayes", "logistic": "logistic regression"}


def divergence_report(result: Divergences, *, details: bool = False) -> Report:
    """How well corpora are told apart, beside the paper where it has the same; plain shares; what gives them away."""
    n_pairs = len(result.shares)
    tables = [_pair_table(result)] if n_pairs == 1 else [_matrix(result, name) for name in result.features]
    verdict = [f"{_verdict(result)}."] if n_pairs == 1 else [_over_pairs(result)]
    if n_pairs > 1 and result.summary:
        tables.append(_summary_table(result))
    if any(one.paper is not None for one in result.cells):
        tables.append(_paper_table(result))
    if details:
        tables.append(_shares_table(result))
    if result.telling and details:
        tables.append(_ngrams_table(result))
    notes = [*([_sizes(result.cells[0])] if n_pairs == 1 else []), *_how(result)]
    return Report(verdict, tables, notes)


def _over_pairs(result: Divergences) -> str:
    """How many pairs can be told apart, by each kind of features."""
    found = [(name, _n_told_apart(result, name)) for name in result.features]
    parts = [f"{n} by {SHOWN_FEATURES[name]}" for name, n in found if n]
    return f"Distinguishable: {', '.join(parts)}." if parts else f"Accuracy for {len(result.shares)} pairs."


def _n_told_apart(result: Divergences, features: str) -> str:
    """How many pairs can be told apart of those for which that is known: `2 of 3 pairs`; empty if it is of none."""
    verdicts = [one.is_told_apart(result.level) for one in result.cells if one.features == features]
    n_known = len(verdicts) - verdicts.count(None)
    return f"{verdicts.count(True)} of {n_known} pairs" if n_known else ""


def _how(result: Divergences) -> list[str]:
    share = (
        f"Accuracy in %: sentences whose corpus {_BY[result.classifier]} recognises by 1- and 2-grams; 50 is chance. "
        "Divergence: 2(1 − 2 error); about 0 if corpora are alike, 2 if they are always told apart."
    )
    cut = "into halves, the larger corpus cut to the size of the smaller."
    if result.preset == "paper":
        topics = "This also measures topics, since sentences of one document are in both halves (--preset paper)."
        return [f"{share} Mean of {result.n_splits} splits {cut}", topics]
    whole = "documents" if any(one.n_documents_train is not None for one in result.cells) else "sentences"
    notes = [f"{share} Over {result.n_splits} splits of {whole} {cut}"]
    if any(one.lower is not None for one in result.cells):
        notes[0] += f" CIs: for other {whole} of the same kind."
    if any(one.p is not None for one in result.cells):
        notes[0] += f" p: by {result.n_permutations:,} permutations of {whole}."
    return notes


def _pair_table(result: Divergences) -> Table:
    columns: list[Column[PairDivergence]] = [
        ("told apart by", lambda one: SHOWN_FEATURES[one.features]),
        ("accuracy", lambda one: 100 * one.accuracy),
        (shown_ci(result.level), shown_interval),
        *([] if result.preset == "paper" else [("p", lambda one: None if one.p is None else p_cell(one.p))]),
        ("error", lambda one: 100 * one.error),
        ("divergence", lambda one: one.divergence),
    ]
    return table_of(result.cells, columns)


def _sizes(one: PairDivergence) -> str:
    sizes = f"{one.n_train:,} and {one.n_test:,} sentences"
    if one.n_documents_train is not None and one.n_documents_test is not None:
        sizes += f" in {one.n_documents_train:,} and {one.n_documents_test:,} documents"
    return f"{sizes}, {one.n_sampled:,} of each."


def _verdict(result: Divergences) -> str:
    """Whether two corpora can be told apart, and by what, in a sentence."""
    pair = _title(result.cells[0])
    if result.preset == "paper":
        accuracies = [f"{100 * one.accuracy:.1f} % by {SHOWN_FEATURES[one.features]}" for one in result.cells]
        return f"{pair}: accuracy {', '.join(accuracies)}"
    if result.cells[0].lower is None:
        units = "sentences" if result.cells[0].n_documents_train is None else "documents"
        return f"{pair}: too few {units} for a verdict"
    if result.cells[0].p is None:
        return pair
    apart, alike = (
        _evidence([one for one in result.cells if one.is_told_apart(result.level) is wanted], result.level)
        for wanted in (True, False)
    )
    if not apart:
        return f"{pair} cannot be told apart by {alike}"
    return f"{pair} can be told apart by {apart}" + (f", but not by {alike}" if alike else "")


def _evidence(cells: Sequence[PairDivergence], level: float) -> str:
    """Features, and how accurate they are: `words (accuracy 71.2 %, 95 % CI 68.0 to 74.3, p = 0.002)`."""
    if not cells:
        return ""
    what = listed([SHOWN_FEATURES[one.features] for one in cells])
    accuracies, ps = sorted(100 * one.accuracy for one in cells), sorted(one.p for one in cells if one.p is not None)
    if len(cells) == 1 and cells[0].lower is not None and cells[0].upper is not None:
        interval = f"{shown_ci(level)} {100 * cells[0].lower:.1f} to {100 * cells[0].upper:.1f}"
        return f"{what} (accuracy {accuracies[0]:.1f} %, {interval}, p = {p_cell(ps[0])})"
    p = f"p = {p_cell(ps[0])}" if ps[0] == ps[-1] else f"p = {p_cell(ps[0])} to {p_cell(ps[-1])}"
    return f"{what} (accuracy {accuracies[0]:.1f} to {accuracies[-1]:.1f} %, {p})"


def _title(one: PairDivergence) -> str:
    return f"{one.train}, train and test" if one.train == one.test else f"{one.train} and {one.test}"


def _matrix(result: Divergences, features: str) -> Table:
    rows: list[list[Cell]] = []
    for train in result.rows:
        cells = [result.cell(train, test, features) for test in result.columns]
        rows.append([train, *(None if one is None else _with_reach(one, result.level) for one in cells)])
    corner = "" if result.is_symmetric else "train \\ test"
    n = _n_told_apart(result, features)
    title = f"told apart by {SHOWN_FEATURES[features]}" + (f": {n}" if n else "")
    notes = []
    if features == result.features[-1] and any(one.is_told_apart(result.level) is False for one in result.cells):
        notes.append(f"n.s.: not told apart, p > {1 - result.level:.2g}.")
    return Table([corner, *result.columns], rows, title, notes, whole=result.columns)


def _with_reach(one: PairDivergence, level: float) -> str:
    mark = " n.s." if one.is_told_apart(level) is False else ""
    if one.lower is None or one.upper is None:
        return f"{100 * one.accuracy:.1f}{mark}"
    return f"{100 * one.accuracy:.1f} ({100 * one.lower:.1f}–{100 * one.upper:.1f}){mark}"


def _summary_table(result: Divergences) -> Table:
    columns: list[Column[FeatureSummary]] = [
        ("told apart by", lambda one: SHOWN_FEATURES[one.features]),
        ("median", lambda one: 100 * one.median),
        ("% best", lambda one: 100 * one.best),
    ]
    is_printed = result.summary[0].paper_median is not None
    if is_printed:
        columns += [
            ("paper: median", lambda one: percent(one.paper_median)),
            ("% best", lambda one: percent(one.paper_best)),
        ]
    notes = [f"Over {result.summary[0].n_pairs:,} pairs of different corpora (as Table 7 of Wisniewski & Yvon 2019)."]
    notes += ["paper: from the same cells of its Figure 1."] if is_printed else []
    return table_of(result.summary, columns, "all pairs", notes)


def _paper_table(result: Divergences) -> Table:
    rows: list[list[Cell]] = []
    for pair in result.shares:
        row: list[Cell] = [pair.train, pair.test]
        for name in result.features:
            one = result.cell(pair.train, pair.test, name)
            assert one is not None
            row += [100 * one.accuracy, percent(one.paper)]
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
        f"In %. unknown: words of {names[1]} whose form {names[0]} does not have; capitalised: words that start with a "
        f"capital; punctuation: punctuation tokens; {names[0]} / {names[1]}. labels: their Jensen–Shannon "
        "divergence in bits, from 0 (the same shares) to 1.",
    ]
    return Table([*names, "unknown", "capitalised", "punctuation", "labels"], rows, "simple statistics", notes)


def _ngrams_table(result: Divergences) -> Table:
    rows: list[list[Cell]] = [
        [one.corpus, one.features, one.ngram, one.count, one.elsewhere, f"{one.weight:.1f}"] for one in result.telling
    ]
    notes = ["n-grams more frequent in a corpus than in all others, by log-likelihood ratio G² (Dunning 1993)."]
    columns = ["corpus", "features", "n-gram", "here", "elsewhere", "G²"]
    return Table(columns, rows, "most distinctive n-grams", notes)
