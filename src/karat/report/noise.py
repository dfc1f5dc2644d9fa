"""What scores mean under a noisy gold, as tables for people and as data for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from karat.noise.from_numbers import Ends, Evaluation, NoiseResult, NoisyPair, NoisySystem
from karat.noise.rules import CHECK, KINDS, RATES, RULES, SETTING
from karat.report.shown import shown_clusters
from karat.result import Cell, Table

__all__ = ["evaluation_cells", "noise_json", "noise_records", "noise_tables", "pair_words", "simulated_rates"]

SCHEMA = "karat/noise/1"


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


def _shown(ends: Ends | None) -> str | None:
    return None if ends is None else f"{100 * ends.lower:.2f}–{100 * ends.upper:.2f}"


def _systems_table(result: NoiseResult) -> Table:
    every_p = list(dict.fromkeys(p for one in result.systems for p, _ in one.intervals))
    has_naive = any(one.naive for one in result.systems)
    columns = ["system", "observed", *(["naive interval"] if has_naive else []), "C", "a"]
    columns += [*(f"p = {p:.3g}" for p in every_p), "all p", "t", "u", "nothing assumed"]
    rows: list[list[Cell]] = []
    for one in result.systems:
        by_p = dict(one.intervals)
        row: list[Cell] = [one.name, 100 * one.observed, *([_shown(one.naive)] if has_naive else [])]
        row += [100 * one.corpus_error, f"{one.ambiguity:.3g}", *(_shown(by_p.get(p)) for p in every_p)]
        rows.append([*row, *map(_shown, (one.envelope, one.t, one.u, one.free))])
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
            row: list[Cell] = [one.name, whole.n_ambiguous, _shown(one.envelope), _shown(whole.confidence)]
            rows.append(
                [*row, whole.n_words, 100 * whole.observed, _shown(whole.bounds), _shown(whole.whole_confidence)]
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
    words = [pair_words(result, one) for one in result.pairs]
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


def pair_words(result: NoiseResult, pair: NoisyPair) -> str:
    """What the paper's rule says of a pair, in plain words, and what the naive intervals would have said."""
    if pair.overlap is None:
        return f"{pair.a} and {pair.b} cannot be compared: their numbers cannot all be true."
    is_sampled = any(one.with_sampling_error for one in result.systems)
    intervals = "intervals with sampling error" if is_sampled else "intervals"
    if pair.better is None:
        text = (
            f"{pair.a} and {pair.b} cannot be told apart: their real accuracies may be the same, for all the gold says "
            f"(their {intervals} overlap)."
        )
    else:
        worse = pair.a if pair.better == pair.b else pair.b
        text = (
            f"{pair.better} is really better than {worse}, if what is assumed holds: their {intervals} do not overlap."
        )
    if is_sampled:
        overall = "neither can be called better" if pair.better_overall is None else f"{pair.better_overall} is better"
        text = f"On ambiguous words, {text} On all words, {overall}."
    if not any(one.naive for one in result.systems):
        return text
    naive = "do not tell them apart" if pair.naive_better is None else f"call {pair.naive_better} better"
    return f"{text} The naive intervals, which trust the gold, {naive}."


def noise_records(result: NoiseResult) -> Table:
    """One row for each system and p: plain numbers for programs."""
    rows: list[list[Cell]] = []
    for one in result.systems:
        named: list[Cell] = [one.name, one.observed, one.corpus_error, one.ambiguity]
        rows += [[*named, p, *_ends_json(ends).values()] for p, ends in one.intervals]
        rows.append([*named, "all", *_ends_json(one.envelope).values()])
    return Table(["name", "observed", "corpus_error", "ambiguity", "p", "lower", "upper"], rows)


def noise_json(result: NoiseResult) -> dict[str, Any]:
    """The result as plain data, in the schema karat/noise/1."""
    return {
        "schema": SCHEMA,
        "signature": result.signature,
        "systems": [_system_json(one) for one in result.systems],
        "pairs": [
            {
                "a": one.a,
                "b": one.b,
                "overlap": one.overlap,
                "overlap_share": one.share,
                "probability": None
                if one.probability is None
                else {"independent": one.probability.independent, "shared": one.probability.shared},
                "verdict": "impossible" if one.overlap is None else one.better or "open",
                "rules": [
                    {"rule": rule, "verdict": better or "open", "simulated": simulated_rates(rule)}
                    for rule, better in one.rules.items()
                ],
                **({"naive_verdict": one.naive_better or "open"} if any(s.naive for s in result.systems) else {}),
                **({"verdict_overall": one.better_overall or "open"} if any(s.whole for s in result.systems) else {}),
                "words": pair_words(result, one),
            }
            for one in result.pairs
        ],
        "priors": dict(result.priors),
        "warnings": list(result.warnings),
    }


def simulated_rates(rule: str) -> dict[str, dict[str, float]]:
    """How often a rule was right and wrong in simulation, as shares of the pairs, by kind of noise."""
    return {
        kind: {"right": round(right / 100, 4), "wrong": round(wrong / 100, 4)}
        for kind, (right, wrong) in zip(KINDS, RATES[rule], strict=True)
    }


def _system_json(one: NoisySystem) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": one.name,
        "observed": one.observed,
        "corpus_error": one.corpus_error,
        "ambiguity": one.ambiguity,
        "intervals": [{"p": p, **_ends_json(ends)} for p, ends in one.intervals],
        "envelope": _ends_json(one.envelope),
        "free": _ends_json(one.free),
        "feasible": one.envelope is not None,
        "why": one.why or None,
        "t": _ends_json(one.t),
        "u": _ends_json(one.u),
    }
    if one.naive is not None:
        found["naive"] = _ends_json(one.naive)
    if one.evaluations:
        found["evaluations"] = [asdict(evaluation) for evaluation in one.evaluations]
    if one.whole is not None:
        found["confidence"] = _ends_json(one.whole.confidence)
        found["n_ambiguous"] = one.whole.n_ambiguous
        found["overall"] = {
            "n_words": one.whole.n_words,
            "observed": one.whole.observed,
            **_ends_json(one.whole.bounds),
            "confidence": _ends_json(one.whole.whole_confidence),
        }
    return found


def _ends_json(ends: Ends | None) -> dict[str, float | None]:
    return {"lower": None, "upper": None} if ends is None else {"lower": ends.lower, "upper": ends.upper}
