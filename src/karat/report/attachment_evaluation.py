"""Attachment for people: how good classifiers are in folds, what a model learnt, what was attached."""

from __future__ import annotations

from karat.report.shown import counted, shown_interval
from karat.report.taggers import shown_size
from karat.result import Cell, Report, Table
from karat.systems.attachment.edge_scores import EdgeDifference, EdgeScores
from karat.systems.attachment.evaluation import PAPER_PRECISION, ClassifierScores, EvaluatedAttachment
from karat.systems.attachment.trained import AttachedText, TrainedAttachment

_SHOWN = {"pairs": "pair by pair", "one_parent": "one parent each"}


def evaluation_report(result: EvaluatedAttachment, *, details: bool) -> Report:
    """Which classifier is best, then a row for each way to decide; with details the wordnet's part, rules, matrices."""
    pairs = result.pairs
    best = max(result.classifiers, key=lambda name: _f1(result.classifiers[name].scores["one_parent"]))
    of_best = result.classifiers[best]
    verdict = [
        f"{best} finds the edges between groups with F1 {_pc(_f1(of_best.scores['one_parent']))} "
        f"({result.n_folds} folds by {result.by}, at most one parent each), "
        f"{_against(of_best.beyond_baseline['one_parent'])}."
    ]
    size = f"{counted(pairs.n_sentences, 'sentence')}, {counted(int(pairs.n_objects.sum()), 'object')}"
    edges = f"{counted(int(pairs.is_edge.sum()), 'edge')} among {counted(len(pairs), 'ordered pair')}"
    rows = [_row("baseline", "nearest by rules", result.baseline)]
    rows += [_row(name, _SHOWN[way], one.scores[way]) for name, one in result.classifiers.items() for way in _SHOWN]
    level = 100 * result.inference.level
    columns = ["classifier", "edges", "precision", "recall", "F1", f"{level:g} % CI of F1"]
    notes = [f"{size}, {edges}; {len(pairs.names)} signals. In %.", _clusters(result)]
    if not result.has_wordnet:
        notes.append("The statistics have no wordnet: 11 of 14 features (karat attach stats --wordnet).")
    tables = [Table(columns, rows)]
    if details:
        tables += _details(result)
    else:
        notes.append("--details shows the wordnet's part, each rule, and numbers of pairs.")
    return Report(verdict, tables, notes)


def _clusters(result: EvaluatedAttachment) -> str:
    kind = result.clusters.kind or "sentence"
    return f"CIs and tests over {counted(result.clusters.n, kind)}: jackknife t, studentised randomisation."


def _against(difference: EdgeDifference) -> str:
    """How much better than the baseline, in words."""
    size = f"{abs(100 * difference.difference):.1f} points {'above' if difference.difference >= 0 else 'below'}"
    p = difference.p
    if p is None:
        return f"{size} the baseline"
    chance = "p < 0.0001" if p < 0.0001 else f"p = {p:.2g}"
    return f"{size} the baseline ({chance})"


def _f1(scores: EdgeScores) -> float:
    return float(scores.to_dict()["f1"])


def _pc(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f}"


def _row(name: str, way: str, scores: EdgeScores) -> list[Cell]:
    data = scores.to_dict()
    interval = shown_interval(scores.f1, factor=100) if scores.f1 is not None else None
    return [name, way, *(100 * data[one] for one in ("precision", "recall", "f1")), interval]


def _details(result: EvaluatedAttachment) -> list[Table]:
    rows: list[list[Cell]] = [["baseline", "nearest by rules", *result.baseline.confusion.values()]]
    for name, one in result.classifiers.items():
        rows += [[name, _SHOWN[way], *one.scores[way].confusion.values()] for way in _SHOWN]
    columns = ["classifier", "edges", "right", "wrong", "missed", "rightly none"]
    tables = [Table(columns, rows, "Numbers of pairs")]
    part = [row for name, one in result.classifiers.items() for row in _wordnet_rows(name, one)]
    if part:
        columns = ["classifier", "edges", "in the wordnet", "precision", "recall", "F1"]
        tables.append(Table(columns, part, "Pairs of words that are in the wordnet"))
    at = [[name, 100 * one.recall_at_precision if one.recall_at_precision is not None else None]
          for name, one in result.classifiers.items()]  # fmt: skip
    tables.append(Table(["classifier", "recall"], at, f"Recall where precision is {100 * PAPER_PRECISION:g} %"))
    uses: list[list[Cell]] = []
    for rule in result.rules:
        data = rule.to_dict()
        shares = [None if data[key] is None else 100 * data[key] for key in ("precision", "nearest_precision")]
        uses.append([rule.name, rule.accepted, shares[0], rule.nearest, shares[1]])
    columns = ["rule", "pairs", "precision", "nearest", "precision of these"]
    tables.append(Table(columns, uses, "Handwritten rules"))
    return tables


def _wordnet_rows(name: str, scores: ClassifierScores) -> list[list[Cell]]:
    rows: list[list[Cell]] = []
    for what, of in (("both", scores.in_wordnet), ("the child", scores.child_in_wordnet)):
        for way in _SHOWN if of is not None else ():
            assert of is not None
            data = of[way].to_dict()
            rows.append([name, _SHOWN[way], what, *(100 * data[one] for one in ("precision", "recall", "f1"))])
    return rows


def trained_attachment_report(result: TrainedAttachment) -> Report:
    """What was learnt, and the signals at the tops of the trees."""
    forest = result.model.forest
    verdict = [
        f"Balanced forest of {forest.n_trees} trees trained on {result.path}: "
        f"{counted(result.n_sentences, 'sentence')}, {counted(result.n_edges, 'edge')} among "
        f"{counted(result.n_pairs, 'pair')}, {len(result.model.signals)} signals."
    ]
    rows: list[list[Cell]] = [[name, 100 * share] for name, share in result.tops]
    table = Table(["signal", "share (%)"], rows, "Signals in the first three levels of trees")
    notes = [f"Pairs are edges above a probability of {result.model.threshold:.2f}."]
    notes += [f"Written to {result.written} ({shown_size(len(result.file))})."] if result.written else []
    return Report(verdict, [table], notes)


def attached_text_report(result: AttachedText) -> Report:
    """How many objects have a parent."""
    data = result.to_dict()
    verdict = [
        f"{counted(result.n_attached, 'object')} of {data['objects']:,} attached to another one "
        f"({counted(data['sentences'], 'sentence')})."
    ]
    rows: list[list[Cell]] = [
        ["words", data["words"]],
        ["objects", data["objects"]],
        ["attached", data["attached"]],
        ["mean probability of an edge (%)", None if (mean := data["mean_probability"]) is None else 100 * mean],
    ]
    notes = [f"Written to {result.written}."] if result.written else []
    notes.append(
        "DEPREL: dep is an edge that was found; root and unattached have no parent; inside is a word of a group."
    )
    return Report(verdict, [Table(["", "value"], rows)], notes)
