"""Checks of tokens by people, as tables for people."""

from __future__ import annotations

import math
from collections.abc import Sequence

from karat.noise.check_results import OF_ONE, STRATA, CheckEstimate, CheckPlan
from karat.noise.decision_rules import CHECK, KINDS, RATES, SETTING
from karat.noise.intervals_from_verdicts import CheckedEstimate, IfJudgesErr
from karat.noise.judge_errors import FEWEST_SHARED
from karat.report.noise import evaluation_cells
from karat.report.shown import MOST_NOTES
from karat.result import Cell, Report, Table

__all__ = ["estimate_report", "plan_report"]


def plan_report(plan: CheckPlan) -> Report:
    """What is to be judged, by strata."""
    rows: list[list[Cell]] = [[STRATA[name], size, n_sampled] for name, size, n_sampled in plan.strata]
    what = "difference" if len(plan.names) == 2 else "accuracy"
    (mostly, small), (half, large) = plan.margins
    notes = []
    n_rows = sum(n_sampled for _, _, n_sampled in plan.strata)
    if math.isfinite(small):
        verdict = (
            f"Judging these {n_rows:,} tokens will give the real {what} to within ±{100 * small:.1f} points if "
            f"judges never err and side with the gold in {100 * mostly:.0f} % of them (±{100 * large:.1f} if in "
            f"{100 * half:.0f} %)."
        )
    else:
        verdict = "The budget is too small: some strata get no token, so nothing can be estimated."
    if plan.needs_corpus_error:
        notes.append("This needs --corpus-error; if it is unknown, plan with --agreements.")
    if plan.tokens_needed is not None:
        notes.append(
            f"About {plan.tokens_needed:,} tokens would settle which is better (80 % power, if people mostly side with "
            "the gold)."
        )
    if plan.sentences_needed is not None:
        notes.append(
            f"Alternatively, {plan.sentences_needed:,} sentences of error-free gold would show a difference of the "
            "observed size (80 % power)."
        )
    if len(plan.worklists) == 1:
        notes.append("With one judge, the judge's own errors stay unknown: --judges 2 gives some rows to both.")
    tables = [Table(["stratum", "tokens", "to judge"], rows)]
    if len(plan.worklists) > 1:
        each: list[list[Cell]] = [[name, len(one.rows), plan.overlap] for name, one in plan.worklists.items()]
        tables.append(Table(["judge", "rows", "for all judges"], each, "who judges what"))
    return Report([verdict], tables, notes)


def _shown(estimate: CheckedEstimate | IfJudgesErr | None) -> list[Cell]:
    if estimate is None:
        return [None, None, None]
    value = None if estimate.value is None else f"{100 * estimate.value:.2f}"
    between = (
        None
        if estimate.lower is None or estimate.upper is None
        else f"{100 * estimate.lower:.2f} … {100 * estimate.upper:.2f}"
    )
    worst = (
        None
        if estimate.least is None or estimate.most is None
        else f"{100 * estimate.least:.2f} … {100 * estimate.most:.2f}"
    )
    return [value, between, worst]


def estimate_report(found: CheckEstimate, *, details: bool = False) -> Report:
    """The estimates, the strata, and the verdict in plain words; if judges' errors are not known, for several rates."""
    part = found.estimate
    level = f"{100 * part.level:.10g} % CI"
    heads = ["", "value", level, "worst case for blanks"]
    if part.sensitivity:
        early = not part.is_finished
        case_heads = ["", "value", f"{level}, always valid", "worst case for blanks"] if early else heads
        tables = [Table(case_heads, [*_known(found), *_cases(found, early)])]
        if rows := _parameters(found, [name for name in OF_ONE if name != "accuracy"]):
            tables.append(Table(heads, rows, "all else, if judges never err"))
    else:
        rows = [*_known(found), *_parameters(found, list(OF_ONE))]
        if found.pair is not None:
            rows.append([f"real {_difference(found)}", *_shown(found.pair.difference)])
        tables = [Table(heads, rows)]
    if found.one is not None and any(found.one.cells.values()):
        cells = {name: _cell(estimate) for name, estimate in found.one.cells.items()}
        said = f"In % of all words, with {level}s{', if judges never err' if part.sensitivity else ''}."
        tables.append(evaluation_cells(cells, "the evaluation itself", [said]))
    strata: list[list[Cell]] = [
        [STRATA[one.name], one.size, one.n_sampled, one.n_judged, one.n_blank] for one in part.strata
    ]
    columns = ["stratum", "tokens", "sampled", "judged", "blank"]
    if any(one.n_tied for one in part.strata):
        columns.append("tied")
        strata = [[*row, one.n_tied] for row, one in zip(strata, part.strata, strict=True)]
    tables.append(Table(columns, strata, "what was judged"))
    notes = _notes(found)
    return Report([found.in_words], tables, notes if details else notes[:MOST_NOTES])


def _difference(found: CheckEstimate) -> str:
    return f"difference, {' − '.join(reversed(found.names))}"


def _known(found: CheckEstimate) -> list[list[Cell]]:
    """What was observed, and the corpus error if it was given."""
    if found.one is None:
        return [[f"observed {_difference(found)}", f"{100 * found.estimate.observed:+.2f}", None, None]]
    rows: list[list[Cell]] = [["observed accuracy K", f"{100 * found.one.observed:.2f}", None, None]]
    if found.one.known_corpus_error is not None:
        rows.append(["C, as given: used", f"{100 * found.one.known_corpus_error:.2f}", None, None])
    return rows


def _cases(found: CheckEstimate, early: bool) -> list[list[Cell]]:
    """The estimate for each supposed rate of judges' errors."""
    what = "real accuracy" if found.one is not None else "real difference"
    return [
        [f"{what} if judges err in {100 * one.error:g} %", *_shown(one.early if early else one)]
        for one in found.estimate.sensitivity
    ]


def _parameters(found: CheckEstimate, names: Sequence[str]) -> list[list[Cell]]:
    if found.one is None:
        return []
    heads = dict(OF_ONE)
    if found.one.known_corpus_error is not None:
        heads["corpus_error"] = "C, by the check: not used"
    return [[heads[name], *_shown(getattr(found.one, name))] for name in names]


def _notes(found: CheckEstimate) -> list[str]:
    """What else is to be known of the judges, of blanks, and of looking early."""
    part = found.estimate
    n_judged = sum(one.n_judged for one in part.strata)
    notes = []
    if part.sensitivity:
        n_shared = 0 if found.judges is None else found.judges.n_shared
        rows = "row has" if n_shared == 1 else "rows have"
        why = (
            f"only {n_shared} {rows} two verdicts; {FEWEST_SHARED} are needed"
            if n_shared
            else "no rows were judged twice"
        )
        notes.append(
            f"How often judges err is unknown, as {why}: plan --judges 2 --overlap 50, or have a second person judge "
            f"{'more' if n_shared else 'some'} of these rows."
        )
    for error in part.judge_errors:
        who = "Judges err" if error.judge is None else f"{found.files[error.judge]}: errs"
        ends = f"{100 * error.lower:.1f} … {100 * error.upper:.1f}"
        alike = ", assumed equal and independent" if error.judge is None else ""
        notes.append(f"{who} in {100 * error.value:.1f} % of the rows ({ends}){alike}; the estimates allow for it.")
    if found.judges is not None and found.judges.agreement is not None:
        left_out = f"; {found.judges.n_open} without a majority are left out" if part.sensitivity else ""
        notes.append(
            f"Judges agree on {100 * found.judges.agreement:.1f} % of the {found.judges.n_shared} rows that two or "
            f"more judged{left_out}."
        )
    if n_judged and not part.is_finished and part.always_valid is not None:
        valid = part.always_valid
        ends = f"{100 * valid.lower:.2f} … {100 * valid.upper:.2f}"
        notes.append(
            "Not all rows are judged yet: always valid intervals hold however often you look."
            if part.sensitivity
            else f"Not all rows are judged yet. However often you look, {ends} holds, and the verdict is by that; the "
            "interval above holds once the list is done."
        )
    if found.pair is not None and found.pair.difference.value is not None:
        rates = "; ".join(
            f"{kind} {right:.1f} / {wrong:.1f}" for kind, (right, wrong) in zip(KINDS, RATES[CHECK], strict=True)
        )
        notes.append(
            f"Right / wrong verdicts after a check in % of simulated pairs, {SETTING}, by judges who never err "
            f"(docs/noise-coverage.md): {rates}."
        )
    if found.blanks.differ:
        rates = ", ".join(
            f"{one.n_blank} of {one.n_judged + one.n_blank + one.n_tied} where {STRATA[one.name]}"
            for one in part.strata
            if one.n_judged + one.n_blank + one.n_tied
        )
        notes.append(f"Rows were not left blank at random: {rates}.")
    ties = " or tied" if any(one.n_tied for one in part.strata) else ""
    notes.append(
        f"Worst case for blanks: the widest interval if blank{ties} rows had been judged one way or another. In %."
    )
    return notes


def _cell(estimate: CheckedEstimate | None) -> str | None:
    value, between, _ = _shown(estimate)
    return None if value is None else f"{value} ({between})"
