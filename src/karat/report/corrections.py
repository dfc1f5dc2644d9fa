"""What judgements change in a corpus, and how precise heuristics were, as tables for people."""

from __future__ import annotations

import os

from karat.errors import shortened
from karat.gold.correction_results import Change, Corrections
from karat.gold.heuristic_precision import HeuristicPrecision
from karat.report.shown import counted, percent, shown_interval
from karat.result import Cell, Report, Table

_NAMES = {"none": "all", "disjoint": "disjoint", "non-fringe": "non-fringe"}


def corrections_report(result: Corrections) -> Report:
    """The log of changes, what was generalised, and the precision of heuristics."""
    if result.n_rows and not result.n_judged and not result.n_ties:
        return Report(_not_judged(result), [], [])
    tables = []
    verdict, notes = _verdict(result) if result.corpus is not None else ([], [])
    if result.changes:
        tables.append(_changes_table(result))
    if result.refused:
        tables.append(_refused_table(result))
    if result.patterns:
        tables.append(_patterns_table(result))
    if result.precision:
        tables.append(_precision_table(result))
    return Report(verdict, tables, notes)


def _verdict(result: Corrections) -> tuple[list[str], list[str]]:
    """What was changed, or would be; and what was not."""
    n = counted(len(result.changes), "field")
    judged = f"{result.n_judged:,} of {counted(result.n_rows, 'row')} judged"
    if result.written:
        found = f"{n} changed ({judged}); written to {', '.join(result.written)}."
    else:
        needed = "--apply -o OUT" if result.is_general else "-o OUT"
        found = f"{n} would change ({judged}): dry run; use {needed} to write."
    notes = []
    if result.n_ties:
        notes.append(
            f"{counted(result.n_ties, 'row')} left as {'it is' if result.n_ties == 1 else 'they are'}: tied votes."
        )
    if result.n_mixed:
        notes.append(f"{counted(result.n_mixed, 'row')} judged mixed: correct those places by hand.")
    if result.n_unclear:
        notes.append(f"{counted(result.n_unclear, 'row')} judged unclear: the guideline does not decide.")
    if result.refused:
        notes.append(f"{counted(len(result.refused), 'change')} of heads not made: correct those words by hand.")
    for name, n_left in sorted(result.n_left.items()):
        words = counted(n_left, "corrected word")
        notes.append(f"{name.upper()} of {words} left as it was: the places with the right label do not agree on it.")
    return [found], notes


def _not_judged(result: Corrections) -> list[str]:
    """That there is nothing to apply yet, and what to do about it."""
    found = [f"Nothing is judged yet: all {counted(result.n_rows, 'row')} of {', '.join(result.judgements)} are open."]
    if result.written:
        found = [f"{found[0][:-1]}; {', '.join(result.written)} is a copy of the corpus."]
    if len(result.verdicts) == 1:
        return [*found, f"Of lists of this kind karat correct applies the verdict {result.verdicts[0]} alone."]
    return [*found, f"Fill in the column verdict ({', '.join(result.verdicts)}), then run this again."]


def _changes_table(result: Corrections) -> Table:
    rows: list[list[Cell]] = [
        [
            _place(one),
            shortened(one.form),
            one.column,
            one.shown,
            f"{os.path.basename(one.row.path)}:{one.row.line}"
            + ", generalised" * one.is_general
            + (f", with {one.came_with}" if one.came_with else ""),
        ]
        for one in result.changes
    ]
    columns = ["place", "word", "column", "change", "judgement"]
    return Table(columns, rows, whole=("place", "judgement"))


def _place(change: Change) -> str:
    """The file, without its folder, and the line."""
    return f"{os.path.basename(change.path)}:{change.line}"


def _refused_table(result: Corrections) -> Table:
    rows: list[list[Cell]] = [
        [_place(one.change), shortened(one.change.form), one.change.shown, one.reason] for one in result.refused
    ]
    return Table(["place", "word", "head", "why not"], rows, "heads left as they are", whole=("place",))


def _patterns_table(result: Corrections) -> Table:
    rows: list[list[Cell]] = [
        [
            one.word,
            ", ".join(f"{wrong} → {right}" for wrong, right in one.right)
            or f"{' / '.join(one.labels)}: verdicts differ",
            one.n_judged,
            one.n_others,
            one.n_changes,
        ]
        for one in result.patterns
    ]
    columns = ["word", "pattern", "rows judged", "other rows decided", "fields"]
    return Table(columns, rows, "generalised" if result.written else "would be generalised")


def _precision_table(result: Corrections) -> Table:
    has_paper = any(one.paper is not None for one in result.precision)
    rows: list[list[Cell]] = []
    for one in result.precision:
        row: list[Cell] = [_name(one), one.suspicious, one.judged, one.errors]
        row += [percent(one.precision), shown_interval(one)]
        if has_paper:
            row += _paper_cells(one)
        rows.append(row)
    columns = ["heuristic", "repeats", "judged", "errors", "% errors", "interval"]
    columns += ["paper: repeats", "errors", "% errors"] if has_paper else []
    notes = [
        "How many of the judged suspicious repeats are annotation errors. Intervals are Wilson's, with repeats of the "
        "same word and labels counted as one as far as they were judged alike; they hold for lists judged whole or in "
        "random order, not for the top of a list.",
    ]
    if n := result.precision[0].judged_in_part:
        what = f"{counted(n, 'repeat')} judged only in part {'is' if n == 1 else 'are'} not counted"
        notes.insert(0, f"{what}: judge all rows of a repeat.")
    return Table(columns, rows, "precision of heuristics", notes)


def _name(one: HeuristicPrecision) -> str:
    return _NAMES.get(one.heuristic) or f"≥ {one.heuristic.removeprefix('size ')} words"


def _paper_cells(one: HeuristicPrecision) -> list[Cell]:
    if one.paper is None:
        return [None, None, None]
    errors = one.paper.inconsistencies
    return [one.paper.suspicious, errors, None if errors is None else 100 * errors / one.paper.suspicious]
