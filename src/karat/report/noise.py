"""What scores mean under a noisy gold, as tables for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from karat.noise.decision_rules import CHECK, KINDS, RATES, RULES, SETTING
from karat.noise.results import Evaluation, NoiseResult, NoisySystem
from karat.report.shown import shown_clusters, shown_interval
from karat.result import Cell, Report, Table

__all__ = ["evaluation_cells", "noise_report"]


def noise_report(result: NoiseResult, *, details: bool = False) -> Report:
    """What the real accuracies can be; with details for each p, and every pair by every rule."""
    tables = [_bounds_table(result)]
    if any(one.whole for one in result.systems):
        tables.append(_whole_table(result))
    for one in result.systems:
        tables += [_evaluation_table(one, evaluation) for evaluation in one.evaluations]
    if details:
        tables.append(_systems_table(result))
    if result.pairs and details:
        tables.append(_pairs_table(result))
        tables += [_rules_table(result)] if any(pair.rules for pair in result.pairs) else []
    notes = [
        "In %. Assumes that where the gold is wrong, a system is right at least as often as chance and no more often "
        "than elsewhere (Padró & Màrquez 1998). No sampling error in these bounds.",
    ]
    notes += ["Only a check by people can settle it: karat noise plan."] if _is_open(result) else []
    return Report(_verdict(result), tables, notes)


def _is_open(result: NoiseResult) -> bool:
    return any(one.overlap is not None and one.better is None for one in result.pairs)


def _verdict(result: NoiseResult) -> list[str]:
    """What is said of each pair, or of the one system."""
    if result.pairs:
        return [result.in_words(one) for one in result.pairs[:2]]
    found = []
    for one in result.systems:
        ends = one.envelope
        if ends is None:
            found.append(f"{one.name}: these numbers cannot all be true.")
        else:
            real = f"{100 * ends.lower:.1f} to {100 * ends.upper:.1f} %"
            found.append(f"{one.name}: {100 * one.observed:.1f} % observed, {real} in reality.")
    return found


def _bounds_table(result: NoiseResult) -> Table:
    """What is observed, and between what the real accuracy lies."""
    has_naive = any(one.naive for one in result.systems)
    columns = ["system", "observed", *(["naive CI"] if has_naive else []), "real accuracy", "gold errors", "tags/word"]
    rows: list[list[Cell]] = []
    for one in result.systems:
        row: list[Cell] = [one.name, 100 * one.observed, *([shown_interval(one.naive)] if has_naive else [])]
        rows.append([*row, shown_interval(one.envelope), 100 * one.corpus_error, f"{one.ambiguity:.3g}"])
    return Table(columns, rows)


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
        "In %. C: errors of the gold; a: tags per word; p: how often a system makes the gold's own error where both "
        "are wrong; t, u: its accuracy where the gold is right (nothing assumed) and where it is wrong (if plausible).",
    ]
    return Table(columns, rows, "the real accuracy, by p", notes)


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
    said = ", ".join(f"{symbol} ~ {belief}" for symbol, belief in result.priors.items())
    notes = [
        "overlap: of the intervals over all p, in points and as a share of the shorter one.",
        f"P(B better) with {said}, and u at most t: if each system has its own u and p, or if they share them.",
    ]
    columns = ["A", "B", "overlap", "share", "P(B better), own u, p", "shared u, p"]
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
    return Table(["A", "B", "rule", "better", *KINDS], rows, "rules to decide", notes)


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
