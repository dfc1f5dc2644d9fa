"""What scores mean under a noisy gold, as tables for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from karat.noise.decision_rules import CHECK, KINDS, RATES, RULES, SETTING
from karat.noise.results import Evaluation, NoiseResult, NoisySystem
from karat.report.shown import shown_clusters, shown_interval
from karat.result import Cell, Table

__all__ = ["evaluation_cells", "noise_tables"]


def noise_tables(result: NoiseResult) -> list[Table]:
    """The intervals of each system, and every pair."""
    tables = [_systems_table(result)]
    if any(one.whole for one in result.systems):
        tables.append(_whole_table(result))
    if result.pairs:
        tables.append(_pairs_table(result))
        tables += [_rules_table(result)] if any(pair.rules for pair in result.pairs) else []
    for one in result.systems:
        tables += [_evaluation_table(one, evaluation) for evaluation in one.evaluations]
    return tables


def _systems_table(result: NoiseResult) -> Table:
    every_p = list(dict.fromkeys(p for one in result.systems for p, _ in one.intervals))
    has_naive = any(one.naive for one in result.systems)
    columns = ["system", "observed", *(["naive interval"] if has_naive else []), "C", "a"]
    columns += [*(f"p = {p:.3g}" for p in every_p), "all p", "t", "u", "nothing assumed"]
    rows: list[list[Cell]] = []
    for one in result.systems:
        by_p = dict(one.intervals)
        row: list[Cell] = [one.name, 100 * one.observed, *([shown_interval(one.naive)] if has_naive else [])]
        row += [100 * one.corpus_error, f"{one.ambiguity:.3g}", *(shown_interval(by_p.get(p)) for p in every_p)]
        rows.append([*row, *map(shown_interval, (one.envelope, one.t, one.u, one.free))])
    notes = [
        "In %. The real accuracy lies in these intervals if, where the gold is wrong, a system is right at least as "
        "often as chance (1/a) and no more often than elsewhere, and makes the gold's own error with probability p "
        "(Padró & Màrquez 1998). They have no sampling error in them.",
        "C: errors of the gold; a: tags a word; t, u: the system's accuracy where the gold is right (nothing assumed), "
        "and where it is wrong (if reasonable).",
    ]
    return Table(columns, rows, "the real accuracy", notes)


def _whole_table(result: NoiseResult) -> Table:
    rows: list[list[Cell]] = []
    for one in result.systems:
        if one.whole is not None:
            whole = one.whole
            row: list[Cell] = [
                one.name,
                whole.n_ambiguous,
                shown_interval(one.envelope),
                shown_interval(whole.confidence),
            ]
            rows.append(
                [
                    *row,
                    whole.n_words,
                    100 * whole.observed,
                    shown_interval(whole.bounds),
                    shown_interval(whole.whole_confidence),
                ]
            )
    columns = [
        "system",
        "ambiguous",
        "real",
        "with sampling error",
        "all words",
        "observed",
        "real",
        "with sampling error",
    ]
    over = shown_clusters(result.n_clusters, result.cluster)
    notes = [
        f"Sampling error: confidence intervals of what is known within bounds (Imbens & Manski 2004), over {over}. "
        "Of words that are not ambiguous in the lexicon nothing is assumed.",
    ]
    return Table(columns, rows, "ambiguous words and all words", notes)


def _pairs_table(result: NoiseResult) -> Table:
    rows: list[list[Cell]] = []
    for one in result.pairs:
        overlap = None if one.overlap is None else f"{100 * one.overlap:.2f}"
        share = None if one.share is None else f"{100 * one.share:.0f} %"
        sure = one.probability
        believed = [None, None] if sure is None else [f"{100 * p:.1f} %" for p in (sure.independent, sure.shared)]
        rows.append([one.a, one.b, overlap, share, *believed])
    words = [result.in_words(one) for one in result.pairs]
    said = ", ".join(f"{symbol} ~ {belief}" for symbol, belief in result.priors.items())
    notes = [
        *words,
        "",
        "overlap: of the intervals over all p, in points and as a share of the shorter one.",
        f"P(b better) with {said}, and u no more than t: if each system has u and p of its own, and if they share "
        "them. The answer depends on which is so; only a check by people tells.",
    ]
    columns = ["a", "b", "overlap", "share", "P(b better), own u, p", "shared u, p"]
    title = "pairs, on ambiguous words" if any(one.whole for one in result.systems) else "pairs"
    return Table(columns, rows, title, notes)


def _rules_table(result: NoiseResult) -> Table:
    rows: list[list[Cell]] = []
    for pair in result.pairs:
        for rule in RULES if pair.rules else ():
            says = "after a check" if rule == CHECK else pair.rules[rule] or "open"
            rows.append([pair.a, pair.b, rule, says, *(f"{right:.1f} / {wrong:.1f}" for right, wrong in RATES[rule])])
    notes = [f"{rule}: {what}." for rule, what in RULES.items()]
    notes.append(f"right / wrong verdicts in % of simulated pairs, {SETTING} (docs/noise-coverage.md):")
    notes.append("; ".join(f"{kind}: {what}" for kind, what in KINDS.items()) + ".")
    return Table(["a", "b", "rule", "better", *KINDS], rows, "rules to decide", notes)


def _evaluation_table(one: NoisySystem, evaluation: Evaluation) -> Table:
    title = f"{one.name}: the evaluation itself if u = {evaluation.u:.3g} and p = {evaluation.p:.3g}"
    if evaluation.cells is None:
        return evaluation_cells({}, title, [f"These cannot be: t would be {evaluation.t:.4g}."])
    shown = {cell: f"{100 * share:.2f}" for cell, share in evaluation.cells.items()}
    notes = [f"In %. t = {100 * evaluation.t:.2f}; the real accuracy is {100 * evaluation.real:.2f}."]
    if not 1 / one.ambiguity <= evaluation.u <= evaluation.t:
        notes.append("Not reasonable: where the gold is wrong, u is below chance (1/a), or above t.")
    return evaluation_cells(shown, title, notes)


def evaluation_cells(shown: Mapping[str, str | None], title: str, notes: Sequence[str]) -> Table:
    """The cases of an evaluation [Padró & Màrquez 1998, Table 1], as they are shown."""
    rows: list[list[Cell]] = [
        [
            "agrees with the gold",
            "true positive",
            shown.get("true_positive"),
            "false positive",
            shown.get("false_positive"),
        ],
        ["differs and is right", None, None, "false negative", shown.get("false_negative")],
        [
            "differs and is wrong",
            "true negative",
            shown.get("true_negative"),
            "both wrong",
            shown.get("both_wrong_differently"),
        ],
    ]
    return Table(["the system", "gold right", "share", "gold wrong", "share"], rows, title, list(notes))
