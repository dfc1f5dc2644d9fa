"""Checks of tokens by people, as tables for people."""

from __future__ import annotations

import math
from collections.abc import Sequence

from karat.evaluation.plain_words import points
from karat.noise.check_results import OF_ONE, CheckEstimate, CheckPlan, stratum_words, undecided_rows
from karat.noise.decision_rules import CHECK, KINDS, RATES, SETTING
from karat.noise.intervals_from_verdicts import CheckedEstimate
from karat.noise.judge_errors import FEWEST_SHARED
from karat.noise.results import Ends, span
from karat.report.shown import MOST_NOTES, percent, shown_ci, shown_interval
from karat.result import Cell, Report, Table

_FIRST = ("accuracy", "corpus_error")  # of one system, what is shown without details
_CASES = {  # of an evaluation [Padró & Màrquez 1998, Table 1]
    "true_positive": "true positive: both right",
    "false_positive": "false positive: the same error",
    "false_negative": "false negative: only the system right",
    "true_negative": "true negative: only the gold right",
    "both_wrong_differently": "both wrong, in different ways",
}


# ---- plan ------------------------------------------------------------------------------------------------------------


def plan_report(plan: CheckPlan, *, details: bool = False) -> Report:
    """What judging these tokens will tell, and from which strata they are; with details who judges what."""
    tables = [Table(["tokens where", "number", "to judge"], plan.records().rows)]
    if len(plan.worklists) > 1 and details:
        each: list[list[Cell]] = [[name, len(one.rows), plan.overlap] for name, one in plan.worklists.items()]
        tables.append(Table(["judge", "rows", "for all judges"], each, "who judges what"))
    notes = _plan_notes(plan)
    return Report([_plan_verdict(plan)], tables, notes if details else notes[:MOST_NOTES])


def _plan_verdict(plan: CheckPlan) -> str:
    what = "difference" if len(plan.names) == 2 else "accuracy"
    n_rows = len(plan.sample.tokens)
    (mostly, small), (half, large) = plan.margins
    if not math.isfinite(small):
        return "The budget is too small: some strata get no token, so nothing can be estimated."
    if not small and not large:
        return (
            f"If judges never err, judging these {n_rows:,} tokens will give the real {what} exactly: no others matter."
        )
    less, more = (f"±{100 * margin:.1f}" for margin in (small, large))
    other = f" ({more} if in {100 * half:.0f} %)" if less != more else ""
    return (
        f"Judging these {n_rows:,} tokens will give the real {what} to within {less} points if judges never err and "
        f"side with the gold in {100 * mostly:.0f} % of them{other}."
    )


def _plan_notes(plan: CheckPlan) -> list[str]:
    notes = []
    if plan.needs_corpus_error:
        notes.append("karat noise estimate will need --corpus-error. If it is unknown: karat noise plan --agreements.")
    if len(plan.worklists) > 1:
        notes.append(f"{len(plan.worklists)} judges; {plan.overlap} of the tokens go to all of them.")
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
        notes.append("With one judge, the judge's own error rate stays unknown: --judges 2 gives some rows to both.")
    return notes


# ---- estimate --------------------------------------------------------------------------------------------------------


def estimate_report(found: CheckEstimate, *, details: bool = False) -> Report:
    """The verdict in plain words and the estimates; if judges' errors are not known, for several rates.

    With details all that is estimated of one system, the cases of the evaluation, and what was judged of each stratum.
    """
    part = found.estimate
    names = [name for name in OF_ONE if name in _FIRST and not (part.sensitivity and name == "accuracy")]
    rows = [*_known(found), *_cases(found)]
    if found.pair is not None and not part.sensitivity:
        rows.append([f"real {_difference(found)}", *_shown(found.pair.difference, signed=True)])
    if not part.sensitivity:
        rows += _parameters(found, names)
    tables = [_table(found, rows, is_early=bool(part.sensitivity) and not part.is_finished)]
    if details:
        tables += _other_tables(found, names if part.sensitivity else [])
    notes = [*_notes(found), *_simulated(found)] if details else _notes(found)[:MOST_NOTES]
    return Report([found.in_words], tables, notes)


def _table(found: CheckEstimate, rows: Sequence[Sequence[Cell]], title: str = "", *, is_early: bool = False) -> Table:
    """Estimates with their intervals; the worst case for blanks and ties where there are any."""
    level = shown_ci(found.estimate.level)
    if undecided_rows(found.estimate.strata):  # four columns in 80: that people look early is in the notes
        columns = ["", "value", level, f"worst case ({'blanks' if found.blanks.rows else 'ties'})"]
    else:
        columns, rows = ["", "value", f"{level}{', valid at any time' * is_early}"], [row[:-1] for row in rows]
    return Table(columns, rows, title)


def _other_tables(found: CheckEstimate, names: Sequence[str]) -> list[Table]:
    """All else that is estimated of one system, and what was judged."""
    part, tables = found.estimate, []
    never = ", if judges never err" if part.sensitivity else ""
    others = [*names, *(name for name in OF_ONE if name not in _FIRST)]
    if rows := _parameters(found, others):
        tables.append(_table(found, rows, f"other estimates{never}"))
    if found.one is not None and any(found.one.cells.values()):
        rows = [[words, *_shown(found.one.cells[case])] for case, words in _CASES.items()]
        tables.append(_table(found, rows, f"how the evaluation errs, in % of all words{never}"))
    strata: list[list[Cell]] = [
        [stratum_words(one.name, found.names), one.size, one.n_sampled, one.n_judged, one.n_blank]
        for one in part.strata
    ]
    columns = ["tokens where", "number", "sampled", "judged", "blank"]
    if any(one.n_tied for one in part.strata):
        columns.append("tied")
        strata = [[*row, one.n_tied] for row, one in zip(strata, part.strata, strict=True)]
    return [*tables, Table(columns, strata, "what was judged")]


def _difference(found: CheckEstimate) -> str:
    return f"difference, {' − '.join(reversed(found.names))}"


def _known(found: CheckEstimate) -> list[list[Cell]]:
    """What was observed, and the corpus error if it was given."""
    if found.one is None:
        return [[f"observed {_difference(found)}", points(100 * found.estimate.observed), None, None]]
    rows: list[list[Cell]] = [["observed accuracy", 100 * found.one.observed, None, None]]
    if found.one.known_corpus_error is not None:
        rows.append(["gold errors (C), given", 100 * found.one.known_corpus_error, None, None])
    return rows


def _cases(found: CheckEstimate) -> list[list[Cell]]:
    """The estimate for each supposed rate of judges' errors."""
    what = "real accuracy" if found.one is not None else "real difference"
    return [
        [f"{what} if judges err in {100 * one.error:g} %", *_shown(one, signed=found.pair is not None)]
        for one in found.estimate.decisive
    ]


def _parameters(found: CheckEstimate, names: Sequence[str]) -> list[list[Cell]]:
    if found.one is None:
        return []
    heads = dict(OF_ONE)
    if found.one.known_corpus_error is not None:
        heads["corpus_error"] = "gold errors (C) by the check, not used"
    return [[heads[name], *_shown(getattr(found.one, name))] for name in names]


def _shown(estimate: CheckedEstimate | None, *, signed: bool = False) -> list[Cell]:
    """A value, its interval, and the widest that blanks and ties could have made it."""
    if estimate is None:
        return [None, None, None]
    value: Cell = percent(estimate.value)
    if estimate.value is not None and signed:
        value = points(100 * estimate.value)
    worst = None if estimate.least is None or estimate.most is None else Ends(estimate.least, estimate.most)
    return [value, shown_interval(estimate, signed=signed), shown_interval(worst, signed=signed)]


def _notes(found: CheckEstimate) -> list[str]:
    """What else is to be known of the judges, of blanks, and of looking early; what matters most first."""
    part = found.estimate
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
        who = "Judges err" if error.judge is None else f"{found.files[error.judge]} errs"
        alike = ", assumed equal and independent" if error.judge is None else ""
        ends = span(Ends(error.lower, error.upper))
        notes.append(f"{who} in {100 * error.value:.1f} % of the rows ({ends}{alike}); the estimates allow for it.")
    if any(one.n_judged for one in part.strata) and not part.is_finished and part.always_valid is not None:
        if part.sensitivity:
            notes.append("Not all rows are judged yet: these intervals stay valid however often you look.")
        else:
            valid = shown_interval(Ends(part.always_valid.least, part.always_valid.most), signed=found.pair is not None)
            notes.append(
                f"Not all rows are judged yet. The verdict uses {valid}, which is valid however often you look; the CI "
                "above holds once all rows are judged."
            )
    if found.blanks.differ:
        rates = ", ".join(
            f"{one.n_blank} of {one.n_judged + one.n_blank + one.n_tied} where {stratum_words(one.name, found.names)}"
            for one in part.strata
            if one.n_judged + one.n_blank + one.n_tied
        )
        notes.append(f"Rows were not left blank at random: {rates}.")
    numbers = {"blank": found.blanks.rows, "tied": sum(one.n_tied for one in part.strata)}
    if undecided := " or ".join(name for name, n in numbers.items() if n):
        what = "blanks" if found.blanks.rows else "ties"
        notes.append(f"Worst case for {what}: the widest CI if {undecided} rows had been judged either way.")
    if found.judges is not None and found.judges.agreement is not None:
        left_out = f"; {found.judges.n_ties} without a majority are left out" if part.sensitivity else ""
        notes.append(
            f"Judges agree on {100 * found.judges.agreement:.1f} % of the {found.judges.n_shared} rows that two or "
            f"more judged{left_out}."
        )
    return notes


def _simulated(found: CheckEstimate) -> list[str]:
    """How often a check was right and wrong in simulation."""
    if found.pair is None or found.pair.difference.value is None:
        return []
    rates = "; ".join(
        f"{kind} {right:.1f} / {wrong:.1f}" for kind, (right, wrong) in zip(KINDS, RATES[CHECK], strict=True)
    )
    return [
        f"Right / wrong verdicts after a check in % of simulated pairs, {SETTING}, by judges who never err "
        f"(docs/noise-coverage.md): {rates}."
    ]
