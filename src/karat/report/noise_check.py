"""Checks of tokens by people, as tables for people."""

from __future__ import annotations

import math

from karat.noise.check_results import OF_ONE, STRATA, CheckEstimate, CheckPlan
from karat.noise.decision_rules import CHECK, KINDS, RATES, SETTING
from karat.noise.estimates_from_verdicts import CheckedEstimate
from karat.report.noise import evaluation_cells
from karat.result import Cell, Table

__all__ = ["estimate_tables", "plan_tables"]


def plan_tables(plan: CheckPlan) -> list[Table]:
    """What is to be judged, by strata."""
    rows: list[list[Cell]] = [[STRATA[name], size, n_sampled] for name, size, n_sampled in plan.strata]
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
    part = found.estimate
    rows: list[list[Cell]] = []
    if found.one is not None:
        rows.append(["observed accuracy K", f"{100 * found.one.observed:.2f}", None, None])
        rows += [[words, *_shown(getattr(found.one, field))] for field, words in OF_ONE.items()]
    if found.pair is not None:
        rows.append(["observed difference", f"{100 * found.pair.observed:+.2f}", None, None])
        rows.append(["real difference (second less first)", *_shown(found.pair.difference)])
    level = f"{100 * part.level:.10g} % interval"
    notes = [found.in_words]
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
    strata: list[list[Cell]] = [[STRATA[one.name], one.size, one.n_sampled, one.n_judged] for one in part.strata]
    tables = [Table(["", "value", level, "whatever blanks"], rows, " and ".join(found.names), notes)]
    if found.one is not None and any(found.one.cells.values()):
        cells = {name: _cell(estimate) for name, estimate in found.one.cells.items()}
        tables.append(evaluation_cells(cells, "the evaluation itself", [f"In % of all words, with {level}s."]))
    return [*tables, Table(["stratum", "tokens", "sampled", "judged"], strata, "what was judged")]


def _cell(estimate: CheckedEstimate | None) -> str | None:
    value, between, _ = _shown(estimate)
    return None if value is None else f"{value} ({between})"
