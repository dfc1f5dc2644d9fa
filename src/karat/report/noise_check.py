"""Checks of tokens by people, as tables for people and as data for programs."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

from karat.noise.adjudication import CheckedEstimate, OneEstimate, PairEstimate
from karat.noise.check import CheckEstimate, CheckPlan
from karat.noise.rules import CHECK, KINDS, RATES, SETTING
from karat.report.noise import evaluation_cells, simulated_rates
from karat.result import Cell, Table

__all__ = ["estimate_json", "estimate_records", "estimate_tables", "plan_json", "plan_tables"]

_STRATA = {
    "different": "system and gold differ",
    "same": "system and gold agree",
    "a_right": "the first is right by the gold",
    "b_right": "the second is right by the gold",
    "neither": "neither is right by the gold",
}
_OF_ONE = {
    "accuracy": "real accuracy x",
    "corpus_error": "errors of the gold C",
    "right_where_different": "system right where it differs from the gold",
    "both_wrong_where_different": "both wrong where they differ",
    "wrong_where_same": "both wrong where they agree",
    "right_where_gold_right": "system right where the gold is, t",
    "right_where_gold_wrong": "system right where the gold is wrong, u",
    "same_error": "the gold's own error where both are wrong, p",
}


def plan_tables(plan: CheckPlan) -> list[Table]:
    """What is to be judged, by strata."""
    rows: list[list[Cell]] = []
    for number, name in enumerate(plan.sample.names):
        rows.append([_STRATA[name], int(plan.sample.sizes[number]), int((plan.sample.strata == number).sum())])
    what = "difference" if len(plan.names) == 2 else "accuracy"
    (mostly, small), (half, large) = plan.margins
    notes = []
    if math.isfinite(small):
        notes.append(
            f"Once all are judged, the real {what} will be known to within {100 * small:.2f} points if people side "
            f"with the gold in {100 * mostly:.0f} % of these tokens, {100 * large:.2f} if in {100 * half:.0f} %."
        )
    else:
        notes.append("Some strata get no token: with so small a budget nothing can be estimated.")
    if plan.needs_corpus_error:
        notes.append("The real accuracy can then be told if --corpus-error is known; if it is not, plan --agreements.")
    if plan.tokens_needed is not None:
        notes.append(f"If people mostly side with the gold, some {plan.tokens_needed:,} tokens settle who is better.")
    if plan.sentences_needed is not None:
        notes.append(
            f"Without a check, {plan.sentences_needed:,} sentences with an error-free gold would show a difference "
            "like the observed one with a power of 80 %."
        )
    return [Table(["stratum", "tokens", "to judge"], rows, " and ".join(plan.names), notes)]


def plan_json(plan: CheckPlan) -> dict[str, Any]:
    """The plan as plain data, in the schema karat/noise-plan/1."""
    return {
        "schema": "karat/noise-plan/1",
        "signature": plan.signature,
        "systems": list(plan.names),
        "words": plan.n_words,
        "rows": len(plan.worklist.rows),
        "strata": [
            {
                "name": name,
                "size": int(plan.sample.sizes[number]),
                "sampled": int((plan.sample.strata == number).sum()),
            }
            for number, name in enumerate(plan.sample.names)
        ],
        "margins": [
            {"with_gold": share, "margin": margin if math.isfinite(margin) else None} for share, margin in plan.margins
        ],
        "tokens_needed": plan.tokens_needed,
        "sentences_needed": plan.sentences_needed,
    }


def _shown(estimate: CheckedEstimate | None) -> list[Cell]:
    if estimate is None:
        return [None, None, None]
    value = None if estimate.value is None else f"{100 * estimate.value:.2f}"
    between = (
        None
        if estimate.lower is None or estimate.upper is None
        else f"{100 * estimate.lower:.2f} … {100 * estimate.upper:.2f}"
    )
    return [value, between, f"{100 * estimate.least:.2f} … {100 * estimate.most:.2f}"]


def estimate_tables(found: CheckEstimate) -> list[Table]:
    """The estimates, the strata, and the verdict in plain words."""
    part = found.one or found.pair
    assert part is not None
    rows: list[list[Cell]] = []
    if found.one is not None:
        rows.append(["observed accuracy K", f"{100 * found.one.observed:.2f}", None, None])
        rows += [[words, *_shown(getattr(found.one, field))] for field, words in _OF_ONE.items()]
    if found.pair is not None:
        rows.append(["observed difference", f"{100 * found.pair.observed:+.2f}", None, None])
        rows.append(["real difference (second less first)", *_shown(found.pair.difference)])
    level = f"{100 * part.level:.10g} % interval"
    notes = [_in_words(found)]
    if found.pair is not None and found.pair.difference.value is not None:
        rates = "; ".join(
            f"{kind} {right:.1f} / {wrong:.1f}" for kind, (right, wrong) in zip(KINDS, RATES[CHECK], strict=True)
        )
        notes.append(
            f"Right / wrong verdicts after a check in % of simulated pairs, {SETTING} (docs/noise-coverage.md): "
            f"{rates}."
        )
    notes.append("Whatever blanks: the widest interval if blank rows had been judged one way or another. In %.")
    if found.judges is not None and found.judges.agreement is not None:
        notes.append(
            f"Judges agree on {100 * found.judges.agreement:.1f} % of what two or more judged; {found.judges.n_open} "
            "tokens without a majority are left out."
        )
    strata: list[list[Cell]] = [[_STRATA[one.name], one.size, one.n_sampled, one.n_judged] for one in part.strata]
    tables = [Table(["", "value", level, "whatever blanks"], rows, " and ".join(found.names), notes)]
    if found.one is not None and any(found.one.cells.values()):
        cells = {name: _cell(estimate) for name, estimate in found.one.cells.items()}
        tables.append(evaluation_cells(cells, "the evaluation itself", [f"In % of all words, with {level}s."]))
    return [*tables, Table(["stratum", "tokens", "sampled", "judged"], strata, "what was judged")]


def _cell(estimate: CheckedEstimate | None) -> str | None:
    value, between, _ = _shown(estimate)
    return None if value is None else f"{value} ({between})"


def _in_words(found: CheckEstimate) -> str:
    part = found.one or found.pair
    assert part is not None
    if not any(one.n_judged for one in part.strata):
        return "Nothing has been judged yet: the column verdict of the worklist is empty."
    if found.one is not None:
        doubt = f"What was given cannot be right: {'; '.join(found.one.notes)}. " if found.one.notes else ""
        return doubt + _one_in_words(found.names[0], found.one)
    assert found.pair is not None
    return _pair_in_words(found.names[0], found.names[1], found.pair)


def _one_in_words(name: str, one: OneEstimate) -> str:
    x = one.accuracy
    if x is not None and x.value is None:
        return f"What {name} is really worth cannot be said yet: there are strata of which nothing is judged."
    if x is None or x.value is None:
        return (
            f"What {name} is really worth cannot be said: give --corpus-error, or judge words on which it agrees too."
        )
    sure = "" if x.lower is None or x.upper is None else f", between {100 * x.lower:.2f} and {100 * x.upper:.2f}"
    return (
        f"{name} is really right on {100 * x.value:.2f} % of the words{sure}; {100 * one.observed:.2f} % were observed."
    )


def _pair_in_words(a: str, b: str, pair: PairEstimate) -> str:
    chance = (
        ""
        if pair.probability_b_better is None
        else f" (probability that {b} is better: {pair.probability_b_better:.3f})"
    )
    if pair.difference.value is None:
        return f"It is open which of {a} and {b} is really better: there are strata of which nothing is judged yet."
    if pair.verdict == "open":
        return f"It is open which of {a} and {b} is really better{chance}."
    better, worse = (b, a) if pair.verdict == "B" else (a, b)
    return f"{better} is really better than {worse}{chance}."


def estimate_records(found: CheckEstimate) -> Table:
    """One row for each estimate: plain numbers for programs."""
    part = found.one or found.pair
    fields = _OF_ONE if found.one is not None else {"difference": ""}
    rows: list[list[Cell]] = []
    for field in fields:
        estimate = getattr(part, field)
        rows.append([field, *([None] * 5 if estimate is None else asdict(estimate).values())])
    return Table(["name", "value", "lower", "upper", "least", "most"], rows)


def estimate_json(found: CheckEstimate) -> dict[str, Any]:
    """The estimates as plain data, in the schema karat/noise-estimate/1."""
    part = found.one or found.pair
    assert part is not None
    data: dict[str, Any] = {
        "schema": "karat/noise-estimate/1",
        "signature": found.signature,
        "systems": list(found.names),
        "words": found.n_words,
        "observed": part.observed,
        "level": part.level,
        "strata": [asdict(one) for one in part.strata],
        "in_words": _in_words(found),
    }
    if found.one is not None:
        data["estimates"] = {
            field: None if (one := getattr(found.one, field)) is None else asdict(one) for field in _OF_ONE
        }
        data["cells"] = {cell: None if one is None else asdict(one) for cell, one in found.one.cells.items()}
        data["notes"] = list(found.one.notes)
    if found.pair is not None:
        data["estimates"] = {"difference": asdict(found.pair.difference)}
        data["probability_b_better"] = found.pair.probability_b_better
        better = {"A": found.names[0], "B": found.names[1], "open": "open"}
        data["verdict"] = better[found.pair.verdict]
        data["verdict_whatever_blanks"] = better[found.pair.verdict_whatever_blanks]
        data["rule"] = {"rule": CHECK, "verdict": data["verdict"], "simulated": simulated_rates(CHECK)}
    if found.judges is not None:
        judges = found.judges
        data["judges"] = {
            name: getattr(judges, name) for name in ("n_ties", "n_open", "n_shared", "agreement", "cohen", "fleiss")
        }
    return data
