"""What judgements change in a corpus, and how precise heuristics were, as tables for people and data for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from karat.gold.corrections import Change, Corrections, GeneralPattern
from karat.gold.heuristic_precision import HeuristicPrecision
from karat.result import Cell, Table

__all__ = ["corrections_json", "corrections_records", "corrections_tables"]

SCHEMA = "karat/correct/1"
_NAMES = {"none": "all", "disjoint": "disjoint", "non-fringe": "non-fringe"}


def corrections_tables(result: Corrections, written: Sequence[str]) -> list[Table]:
    """The log of changes, what was generalised, and the precision of heuristics."""
    tables = []
    if result.corpus is not None:
        tables.append(_changes_table(result, written))
    if result.patterns:
        tables.append(_patterns_table(result.patterns, written))
    if result.precision:
        tables.append(_precision_table(result))
    return tables


def _changes_table(result: Corrections, written: Sequence[str]) -> Table:
    rows: list[list[Cell]] = [
        [
            f"{one.path}:{one.line}",
            one.form,
            one.column,
            f"{one.old} → {one.new}",
            f"{one.row.path}:{one.row.line}" + (", generalised" if one.is_general else ""),
        ]
        for one in result.changes
    ]
    n = len(result.changes)
    notes = [f"{n:,} field{'s' if n != 1 else ''}; {result.n_judged:,} of {result.n_rows:,} rows are judged."]
    if result.n_ties:
        notes.append(f"{result.n_ties:,} rows stay open: no verdict has the most votes.")
    if result.n_mixed:
        notes.append(f"{result.n_mixed:,} rows are mixed: correct those places by hand.")
    if written:
        notes.append(f"Written: {', '.join(written)}.")
    else:
        needed = "--apply -o OUT" if result.is_general else "-o OUT"
        notes.append(f"Nothing is written: see {needed}.")
    columns = ["place", "word", "column", "change", "judgement"]
    return Table(columns, rows, "changes" if written else "what would change", notes)


def _patterns_table(patterns: Sequence[GeneralPattern], written: Sequence[str]) -> Table:
    rows: list[list[Cell]] = [
        [
            one.word,
            ", ".join(f"{wrong} → {right}" for wrong, right in one.right)
            or f"{' / '.join(one.labels)}: verdicts differ",
            one.n_judged,
            one.n_others,
            one.n_changes,
        ]
        for one in patterns
    ]
    columns = ["word", "pattern", "rows judged", "rows decided by it", "fields"]
    return Table(columns, rows, "generalised" if written else "would be generalised")


def _precision_table(result: Corrections) -> Table:
    has_paper = any(one.paper is not None for one in result.precision)
    rows: list[list[Cell]] = []
    for one in result.precision:
        row: list[Cell] = [_name(one), one.suspicious, one.judged, one.errors]
        row += [None if one.precision is None else 100 * one.precision, _interval(one)]
        if has_paper:
            row += _paper_cells(one)
        rows.append(row)
    columns = ["heuristic", "repeats", "judged", "errors", "% errors", "interval"]
    columns += ["paper: repeats", "errors", "% errors"] if has_paper else []
    notes = [
        "Of judged suspicious repeats, how many are annotation errors. Intervals are Wilson's, with repeats of the "
        "same word and labels counted as one as far as they were judged alike; they hold for lists judged whole or in "
        "random order, not for the top of a list.",
    ]
    return Table(columns, rows, "precision of heuristics", notes)


def _name(one: HeuristicPrecision) -> str:
    return _NAMES.get(one.heuristic) or f"≥ {one.heuristic.removeprefix('size ')} words"


def _interval(one: HeuristicPrecision) -> str | None:
    return None if one.lower is None or one.upper is None else f"{100 * one.lower:.2f}–{100 * one.upper:.2f}"


def _paper_cells(one: HeuristicPrecision) -> list[Cell]:
    if one.paper is None:
        return [None, None, None]
    errors = one.paper.inconsistencies
    return [one.paper.suspicious, errors, None if errors is None else 100 * errors / one.paper.suspicious]


_FIELDS = ("path", "line", "sent_id", "token", "form", "column", "old", "new")


def corrections_records(result: Corrections) -> Table:
    """One row for each changed field, or without a corpus for each heuristic: plain values for programs."""
    if result.corpus is None:
        rows = [list(_precision_json(one).values())[:-1] for one in result.precision]
        names = ["heuristic", "suspicious", "judged", "errors", "precision", "lower", "upper", "n_independent"]
        return Table(names, rows)
    names = [*_FIELDS, "judgement", "judgement_line", "row", "judge", "generalised"]
    return Table(names, [list(_flat(one).values()) for one in result.changes])


def _flat(one: Change) -> dict[str, Any]:
    found: dict[str, Any] = {name: getattr(one, name) for name in _FIELDS}
    found |= {"judgement": one.row.path, "judgement_line": one.row.line, "row": one.row.id, "judge": one.row.judge}
    return found | {"generalised": int(one.is_general)}


def corrections_json(result: Corrections, written: Sequence[str]) -> dict[str, Any]:
    """The result as plain data, in the schema karat/correct/1."""
    return {
        "schema": SCHEMA,
        "signature": result.signature,
        "written": list(written),
        "rows": result.n_rows,
        "judged": result.n_judged,
        "ties": result.n_ties,
        "mixed": result.n_mixed,
        "unknown_labels": list(result.unknown_labels),
        "changes": [_flat(one) | {"generalised": one.is_general} for one in result.changes],
        "patterns": [
            {
                "word": one.word,
                "labels": list(one.labels),
                "right": [{"wrong": wrong, "right": right} for wrong, right in one.right],
                "judged": one.n_judged,
                "others": one.n_others,
                "changes": one.n_changes,
            }
            for one in result.patterns
        ],
        "precision": [_precision_json(one) for one in result.precision],
    }


def _precision_json(one: HeuristicPrecision) -> dict[str, Any]:
    return {
        "heuristic": one.heuristic,
        "suspicious": one.suspicious,
        "judged": one.judged,
        "errors": one.errors,
        "precision": one.precision,
        "lower": one.lower,
        "upper": one.upper,
        "n_independent": one.n_independent,
        "paper": None
        if one.paper is None
        else {"suspicious": one.paper.suspicious, "inconsistencies": one.paper.inconsistencies},
    }
