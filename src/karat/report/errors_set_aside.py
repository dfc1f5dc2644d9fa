"""Error rates with the gold's contradictions set aside, as tables."""

from __future__ import annotations

from karat.gold.errors_set_aside import ErrorsSetAside, SystemErrors
from karat.report.shown import ci_of, shown_method, value_cells
from karat.result import Cell, Table

_KEPT = {
    "minsize": "those of 3 words or more that are labelled in more than one way",
    "disjoint": "those that have no labelling in common",
    "all": "all that are labelled in more than one way",
}


def errors_set_aside_tables(result: ErrorsSetAside, *, n_top: int = 10) -> list[Table]:
    """Error rates of all systems, repeats with an error by length, and some errors of each: those best explained."""
    errors = [_error_table(system, n_top) for system in result.systems if len(system.errors)]
    return [_rate_table(result), *([_length_table(result)] if len(result.suspicious) else []), *errors]


def _rate_table(result: ErrorsSetAside) -> Table:
    intervals = [one.interval for system in result.systems for one in system.rates if one and one.interval]
    level = [ci_of(intervals)] if intervals else []
    columns = ["system", "full", *level, "ignoring", *level, "outside", *level]
    rows: list[list[Cell]] = []
    for one in result.systems:
        cells = [cell for rate in one.rates for cell in value_cells(rate)[: 1 + len(level)]]
        rows.append([one.name, *cells, one.n_words, one.n_errors, one.n_set_aside, one.errors.n_following])
    first = result.systems[0]
    covered = f"{first.n_covered:,} of {first.n_words:,} words"
    notes = [
        f"Suspicious repeats ({result.heuristic}): of word sequences in both the gold and {result.train.path}, "
        f"{_KEPT[result.heuristic]}: {len(result.suspicious):,}, over {covered}.",
        "Error rates in %. full: of all words. ignoring: errors in suspicious repeats are set aside, all words still "
        "count (Wisniewski & Yvon 2019, eq. 1), as if the system had these words right. outside: only of words outside "
        "suspicious repeats.",
        "as in training: errors set aside whose label this word of the repeat has in the training data.",
    ]
    made = dict.fromkeys(shown_method(one, result.cluster) for one in intervals if not one.note)
    notes += [f"Intervals: {', '.join(made)}."] if made else []
    without = dict.fromkeys(one.note for one in intervals if one.note)
    notes += [f"No interval where {note}." for note in without]
    columns += ["words", "errors", "set aside", "as in training"]
    return Table(columns, rows, f"Errors set aside, {result.column.upper()} of {result.gold.path}", notes)


def _length_table(result: ErrorsSetAside) -> Table:
    several = len(result.systems) > 1
    columns = ["words", "repeats"]
    for system in result.systems:
        columns += [f"{system.name}: with an error" if several else "with an error", "%"]
    rows: list[list[Cell]] = [[str(one.length), one.repeats] for one in result.systems[0].by_length]
    total: list[Cell] = ["all", len(result.suspicious)]
    for system in result.systems:
        for row, one in zip(rows, system.by_length, strict=True):
            row += [one.with_error, 100 * one.share]
        total += [system.n_with_error, 100 * system.n_with_error / len(result.suspicious)]
    return Table(columns, [*rows, total], "Suspicious repeats with a system error, by length")


def _error_table(system: SystemErrors, n_top: int) -> Table:
    rows: list[list[Cell]] = []
    for one in system.errors.by_evidence(n_top):
        follows = "–" if one.follows is None else " ".join(one.follows.labels)
        how_often = f"{one.follows.count if one.follows else 0:,} of {one.train_places:,}"
        place = f"sentence {one.sentence:,}" if one.sent_id is None else one.sent_id
        rows.append([place, str(one.token), one.word, one.gold, one.system, " ".join(one.repeat), follows, how_often])
    columns = ["sentence", "token", "word", "gold", system.name, "repeat", "label in training", "times"]
    left = len(system.errors) - len(rows)
    notes = [f"{left:,} more: --top shows more, --json all."] if left else []
    return Table(columns, rows, f"Errors of {system.name} in suspicious repeats, the longest first", notes)
