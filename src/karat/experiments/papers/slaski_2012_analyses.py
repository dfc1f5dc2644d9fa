"""The tables beyond the paper: learning curves, shuffled edges, predicted tags, verb or noun, a cascade."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from karat._arrays import Floats
from karat.experiments.papers.reproduction import PaperTable
from karat.experiments.papers.slaski_2012_choices import accuracy_of
from karat.experiments.papers.slaski_2012_scores import (
    ONE_PARENT,
    PAIRS,
    WAYS,
    ScoredRun,
    as_word_pairs,
    cascade,
    flags_of,
    ratios_of,
)
from karat.experiments.papers.slaski_2012_tables import RATIOS, ends, higher, percent, shown_p
from karat.inference.options import InferenceOptions
from karat.result import Cell
from karat.systems.attachment.association import ASSOCIATION_MEASURES
from karat.systems.attachment.edge_scores import edge_scores, f1_difference


def size_table(of: str, runs: Mapping[str, ScoredRun], note: str, inference: InferenceOptions) -> PaperTable:
    """F1 by a size; the smallest one first, and what each step more gives."""
    rows: list[tuple[Cell, ...]] = []
    values: list[float] = []
    before: ScoredRun | None = None
    for size, run in runs.items():
        step = None if before is None else run.beyond(before, ONE_PARENT, inference)
        one = run.ways[ONE_PARENT]
        f = ratios_of(run.ways[PAIRS])[2], ratios_of(one)[2], *ends(one.f1)
        values.append(f[1])
        rows.append((size, *f, *((None, None) if step is None else (step.difference, shown_p(step)))))
        before = run
    smallest, *_, largest = runs
    said = f"{of[0].upper()}{of[1:]}: F1 {percent(values[0])} with {smallest}, {percent(values[-1])} with {largest}."
    columns = (of.rpartition(", ")[2], "F1, pairs", "F1, one parent", "lower", "upper", "step", "p")
    return PaperTable("", f"Learning curve: {of}", (said,), columns, tuple(rows), (note,), columns[1:6])


def leak_table(shuffled: ScoredRun, true: ScoredRun) -> PaperTable:
    """A classifier of edges that were shuffled within sentences, beside chance."""
    rows: list[tuple[Cell, ...]] = []
    for name, run in (("shuffled edges", shuffled), ("true edges", true)):
        is_edge, shares = run.pairs.is_edge, run.decisions.decided.shares
        for way in WAYS:
            p, r, _ = ratios_of(run.ways[way])
            counts = run.pairs.sentence, flags_of(run.decisions)[way]
            found = np.bincount(counts[0], weights=counts[1])
            density = np.bincount(run.pairs.sentence, weights=is_edge) / np.maximum(np.bincount(run.pairs.sentence), 1)
            rows.append((name, way, p, float((found * density).sum() / max(found.sum(), 1)), r, _auc(run, shares)))
    precise, chance, auc = rows[0][2], rows[0][3], rows[0][5]
    assert isinstance(precise, float) and isinstance(chance, float) and isinstance(auc, float)  # noqa: PT018
    said = f"Shuffled edges: precision {percent(precise)} %, by chance {percent(chance)} % (AUC {auc:.2f})."
    return PaperTable(
        "",
        "No leak: edges shuffled within each sentence",
        (said,),
        ("edges", "by", "precision", "by chance", "recall", "AUC"),
        tuple(rows),
        ("By chance: as many pairs drawn from each sentence. AUC: within sentences; 0.50 is chance.",),
        ("precision", "by chance", "recall"),
    )


def _auc(run: ScoredRun, shares: Floats) -> float:
    """How often an edge is ranked above another pair of its sentence; ties count half."""
    above = total = 0.0
    sentence, is_edge = run.pairs.sentence, run.pairs.is_edge
    bounds = np.flatnonzero(np.diff(sentence, prepend=-1)).tolist()
    for start, stop in zip(bounds, [*bounds[1:], len(sentence)], strict=True):
        edges, others = shares[start:stop][is_edge[start:stop]], shares[start:stop][~is_edge[start:stop]]
        difference = edges[:, None] - others[None, :]
        above += float((difference > 0).sum() + 0.5 * (difference == 0).sum())
        total += difference.size
    return above / max(total, 1.0)


def predicted_table(runs: Mapping[str, ScoredRun]) -> PaperTable:
    """Edges over gold groups and over those of predicted tags, as pairs of semantic heads."""
    rows: list[tuple[Cell, ...]] = []
    for name, run in runs.items():
        reached = int((run.kept.word_edges).sum()) / max(int(run.kept.n_gold_edges.sum()), 1)
        found = flags_of(run.decisions)
        rows += [(name, way, *as_word_pairs(run.kept, found[way]), reached) for way in WAYS]
    values = {(row[0], row[1]): row[4] for row in rows}
    gold, predicted = (values[name, ONE_PARENT] for name in ("gold", "predicted"))
    assert isinstance(gold, float) and isinstance(predicted, float)  # noqa: PT018
    said = f"With predicted tags and groups, F1 is {percent(predicted)}, with gold ones {percent(gold)}."
    return PaperTable(
        "",
        "Predicted tags and groups",
        (said,),
        ("tags", "by", *RATIOS, "possible"),
        tuple(rows),
        (
            "3 folds, 963 sentences. Tags of karat's perceptron, which learnt from the other sentences (3 parts).",
            "An edge is right if its two semantic heads are those of an edge between gold groups; possible: how many "
            "of these are pairs of the groups that were found.",
        ),
        (*RATIOS, "possible"),
    )


def choices_table(runs: Mapping[str, ScoredRun]) -> PaperTable:
    """Hindle & Rooth's choice by probabilities, by each measure of collocation and of valence, and always the same."""
    by: list[tuple[Cell, ...]] = []
    said = ""
    values: dict[str, list[Cell]] = {"choices": [], "always the verb": [], "always the noun": [], "the forest": []}
    by_measure = [f"{of}: {one}" for of in ("collocation", "valence") for one in ASSOCIATION_MEASURES]
    values |= {one: [] for one in by_measure}
    for name, run in runs.items():
        choices = run.kept.choices
        nouns = float(choices[:, 2].mean()) if len(choices) else 0.0
        ours = accuracy_of(choices, run.decisions.decided.shares)
        found = [len(choices), 1 - nouns, nouns, ours]
        found += [accuracy_of(choices, run.kept.measures[:, i]) for i in range(len(by_measure))]
        for row, value in zip(values.values(), found, strict=True):
            row.append(value if isinstance(value, int) else f"{100 * value:.1f}")
        said = said or (
            f"Verb or noun ({name}, {len(choices):,} choices): {percent(ours)} % right by probability, "
            f"{percent(max(nouns, 1 - nouns))} % always the {'noun' if nouns > 0.5 else 'verb'}."
        )
    by = [(name, *row) for name, row in values.items()]
    note = (
        "In %. Prepositional groups with a verb and a noun before them, the nearest ones, of which one is the parent. "
        "Equal values count half. Valence: with the preposition and its case, as Hindle & Rooth have it; "
        "collocation: with the noun inside the group."
    )
    return PaperTable("", "Verb or noun: Hindle & Rooth's choice", (said,), ("by", *runs), tuple(by), (note,))


def cascade_table(first: ScoredRun, second: ScoredRun, inference: InferenceOptions) -> PaperTable:
    """The forest where it is sure, the rest by gradient boosting, beside each alone."""
    made = cascade(first.pairs, first.decisions, second.decisions)
    rows: list[tuple[Cell, ...]] = []
    said = ""
    for way in WAYS:
        found = edge_scores(first.pairs, made.flags[way], first.clusters, inference)
        for name, scores in (("forest", first.ways[way]), ("boosting", second.ways[way]), ("cascade", found)):
            rows.append((name, way, *ratios_of(scores), *ends(scores.f1)))
        gain = f1_difference(first.ways[way], found, first.clusters, inference)
        other = f1_difference(second.ways[way], found, first.clusters, inference)
        said = (
            f"With one parent, the cascade has F1 {percent(ratios_of(found)[2])}: {higher(gain.difference)} than the "
            f"forest (p {shown_p(gain)}), {higher(other.difference)} than boosting (p {shown_p(other)})."
        )
    n = len(first.pairs)
    note = (
        f"3 folds, 963 sentences. The forest is sure of {made.n_sure_edges:,} edges and of {made.n_sure_others:,} "
        f"pairs that are none, of {n:,}; the rest is decided by boosting."
    )
    columns = ("", "by", *RATIOS, "lower", "upper")
    return PaperTable("", "A cascade", (said,), columns, tuple(rows), (note,), columns[2:])
