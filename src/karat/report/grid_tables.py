"""Tables about grids for people: the verdict, then one table in which shares are in percent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from karat.experiments.analyses.table import GridTable
from karat.gold.errors_set_aside import HEURISTICS
from karat.report.columns import Column, table_of
from karat.report.grid import short_names
from karat.report.page.measure_facts import facts_of
from karat.report.shown import percent, shown_ci
from karat.result import Cell, Report, Table

Row = dict[str, Any]
_MEGA = 1e6
_FILTERS = {"minsize": "3 words", "disjoint": "disjoint", "all": "all"}


def grid_table_report(table: GridTable, *, details: bool = False) -> Report:
    """A table about a grid; with details, intervals in full and what is behind the numbers."""
    tables = _LAYOUTS[table.name](table, details)
    return Report(list(table.verdict), tables, list(table.notes))


def _short(rows: Sequence[Row]) -> dict[str, str]:
    return short_names(list(dict.fromkeys(row[of] for row in rows for of in ("train", "test"))))


def _between(low: Cell, high: Cell, factor: float = 100, places: int = 2) -> str | None:
    if low is None or high is None:
        return None
    assert not isinstance(low, str)
    assert not isinstance(high, str)
    return f"{factor * low:.{places}f}–{factor * high:.{places}f}".replace("-", "−")


def _factor(measure: str) -> float:
    return facts_of(measure).factor


def _with_interval(row: Row | None, *, details: bool) -> Cell:
    """A value with half the width of its interval, or with the interval itself."""
    if row is None:
        return None
    factor = _factor(row["measure"])
    value = f"{factor * row['value']:.2f}"
    if row["lower"] is None or row["upper"] is None:
        return value
    if details:
        return f"{value} ({_between(row['lower'], row['upper'], factor)})"
    return f"{factor * row['value']:.1f} ±{factor * (row['upper'] - row['lower']) / 2:.1f}"


# ---- train × test ----------------------------------------------------------------------------------------------------


def _matrix(table: GridTable, details: bool) -> list[Table]:
    rows = table.dicts()
    shown = _short(rows)
    made = []
    sizes = {row["size"] for row in rows}
    largest = None if None in sizes else max(sizes)
    for system, measure, size in dict.fromkeys((row["system"], row["measure"], row["size"]) for row in rows):
        if size != largest and not details:  # the learning curve has them side by side
            continue
        here = [row for row in rows if (row["system"], row["measure"], row["size"]) == (system, measure, size)]
        by_pair = {(row["train"], row["test"]): row for row in here}
        trains, tests = (list(dict.fromkeys(row[of] for row in here)) for of in ("train", "test"))
        cells = [[_with_interval(by_pair.get((train, test)), details=details) for test in tests] for train in trains]
        lines = [[shown[train], *line] for train, line in zip(trains, cells, strict=True)]
        words = "" if size is None else f", {size:,} training words"
        interval = shown_ci(table.level) if details else f"± half of the {shown_ci(table.level)}"
        title = f"{system}: {measure}{words}; train below, test beside, {interval}"
        made.append(Table(["train", *(shown[test] for test in tests)], lines, title))
    return made


def _table1(table: GridTable, _details: bool) -> list[Table]:
    rows = table.dicts()
    shown = _short(rows)
    columns: list[Column[Row]] = [
        *([("system", lambda row: row["system"])] if len({row["system"] for row in rows}) > 1 else []),
        ("train", lambda row: shown[row["train"]]),
        ("test", lambda row: shown[row["test"]]),
        ("error %", lambda row: percent(row["error"])),
        (shown_ci(table.level), lambda row: _between(row["lower"], row["upper"])),
        ("paper", lambda row: None if row["paper"] is None else f"{100 * row['paper']:.1f}"),
        ("difference", lambda row: percent(row["difference"])),
        ("runs", lambda row: row["runs"]),
    ]
    return [table_of(rows, columns, table.title)]


def _ignoring(table: GridTable, details: bool) -> list[Table]:
    rows = table.dicts()
    shown = _short(rows)
    columns: list[Column[Row]] = [
        *([("system", lambda row: row["system"])] if len({row["system"] for row in rows}) > 1 else []),
        ("train", lambda row: shown[row["train"]]),
        ("test", lambda row: shown[row["test"]]),
        ("full", lambda row: percent(row["full"])),
        *((name, lambda row, name=name: percent(row[name])) for name in HEURISTICS),
        ("in-domain", lambda row: percent(row["in_domain_train"])),
    ]
    if details:
        columns.append(("in-domain of test", lambda row: percent(row["in_domain_test"])))
    return [table_of(rows, columns, f"{table.title}, in %"), *([_wins(table)] if details else [])]


def _wins(table: GridTable) -> Table:
    """How often ignoring beats in-domain, by filter and by which error rate is called in-domain."""
    found, rows = table.summary, []
    for suffix, of in (("", "the same tagger"), ("_of_test", "the test's own tagger")):
        for name in HEURISTICS:
            start = f"{name}{suffix}"
            share, ends = found[f"{start}_share"], (found[f"{start}_lower"], found[f"{start}_upper"])
            paper = found.get(f"{start}_paper") if not suffix else None
            row: list[Cell] = [of, _FILTERS[name], found[f"{start}_wins"], found[f"{start}_conditions"]]
            row += [None if share is None else 100 * share, _between(*ends, places=0)]
            rows.append([*row, None if paper is None else f"{100 * paper:.0f}"])
    columns = ["in-domain is", "filter", "beats", "conditions", "%", shown_ci(table.level), "paper, >"]
    return Table(columns, rows, "Conditions in which ignoring errors beats the in-domain error rate")


# ---- over conditions -------------------------------------------------------------------------------------------------


def _correlation(table: GridTable, details: bool) -> list[Table]:
    systems = list(dict.fromkeys(table.column("system")))
    lines: list[list[Cell]] = []
    for system in systems:
        prefix = f"{system} " if len(systems) > 1 else ""
        for name in ("all", "disjoint", "minsize"):
            found, low, high = (table.summary[f"{prefix}{name}_{end}"] for end in ("correlation", "lower", "upper"))
            ends = _between(low, high, 1)
            paper = f"{table.summary[f'{prefix}paper']:.2f}" if name == "all" else None
            lines.append([*([system] if prefix else []), _FILTERS[name], found, ends, paper])
    columns = [*(["system"] if len(systems) > 1 else []), "filter", "Spearman", shown_ci(table.level), "paper"]
    made = [Table(columns, lines, table.title)]
    if details:
        rows = table.dicts()
        shown = _short(rows)
        about: list[Column[Row]] = [
            ("train", lambda row: shown[row["train"]]),
            ("test", lambda row: shown[row["test"]]),
            ("error %", lambda row: percent(row["error"])),
            *(
                (f"{_FILTERS[name]} per 1,000", lambda row, name=name: 1000 * row[f"{name}_rate"])
                for name in ("all", "disjoint", "minsize")
            ),
        ]
        made.append(table_of(rows, about, "Suspicious repeats per 1,000 tokens of train and test"))
    return made


def _suspicious(table: GridTable, details: bool) -> list[Table]:
    rows = table.dicts()
    columns: list[Column[Row]] = [
        *([("system", lambda row: row["system"])] if len({row["system"] for row in rows}) > 1 else []),
        ("language", lambda row: row["language"] or "all"),
        ("filter", lambda row: row["filter"]),
    ]
    numbers: list[Column[Row]] = [
        ("repeats", lambda row: row["repeats"]),
        ("with error", lambda row: f"{row['with_error']:,.0f}"),
        ("%", lambda row: percent(row["share"])),
        (shown_ci(table.level), lambda row: _between(row["lower"], row["upper"])),
    ]
    paper: Column[Row] = ("paper", lambda row: None if row["paper"] is None else f"{100 * row['paper']:.1f}")
    made = [table_of([row for row in rows if row["words"] is None], [*columns, *numbers, paper], table.title)]
    if details:
        length: Column[Row] = ("words", lambda row: f"≥ {row['words']}" if row["and_more"] else str(row["words"]))
        by_length = [row for row in rows if row["words"] is not None]
        made.append(table_of(by_length, [*columns, length, *numbers], "By length (Figure 2)"))
    return made


def _runs(table: GridTable, _details: bool) -> list[Table]:
    rows = table.dicts()
    several = [of for of in ("system", "language", "measure") if len({row[of] for row in rows}) > 1]
    columns: list[Column[Row]] = [
        *((of, lambda row, of=of: row[of] or "all") for of in several),
        ("source", lambda row: row["source"]),
        ("SD", lambda row: row["sd"]),
        ("% of variance", lambda row: percent(row["share"])),
        ("number", lambda row: row["n"]),
        ("pairs", lambda row: row["pairs"]),
        ("different", lambda row: row["different"]),
    ]
    return [table_of(rows, columns, table.title)]


def _totals(table: GridTable, _details: bool) -> list[Table]:
    columns: list[Column[Row]] = [
        ("language", lambda row: row["language"] or "not named"),
        ("with", lambda row: row["part"]),
        ("pairs", lambda row: row["pairs"]),
        ("suspicious", lambda row: row["matches"]),
        ("≥ 3 words", lambda row: row["of_3_words"]),
        ("≥ 5 words", lambda row: row["of_5_words"]),
        ("disjoint", lambda row: row["disjoint"]),
    ]
    return [table_of(table.dicts(), columns, table.title)]


# ---- systems ---------------------------------------------------------------------------------------------------------


def _cost(table: GridTable, details: bool) -> list[Table]:
    rows = table.dicts()
    measure = rows[0]["measure"] if rows else ""
    columns: list[Column[Row]] = [
        ("system", lambda row: row["system"]),
        *([("words", lambda row: row["size"])] if any(row["size"] for row in rows) else []),
        ("train s", lambda row: _spread(row, "train_seconds", 1, ".2f", details)),
        ("words/s", lambda row: row["tokens_per_second"] and int(row["tokens_per_second"])),
        ("peak MB", lambda row: _spread(row, "peak_bytes", _MEGA, ".0f", details)),
        ("model MB", lambda row: _spread(row, "model_bytes", _MEGA, ".2f", details)),
        (f"{measure} own", lambda row: percent(row["in_domain"])),
        ("others", lambda row: percent(row["across_corpora"])),
    ]
    return [table_of(rows, columns, table.title)]


def _spread(row: Row, name: str, unit: float, how: str, details: bool) -> str | None:
    """A mean; with details, the least and the most too."""
    if row[name] is None:
        return None
    mean, low, high = (format(row[f"{name}{end}"] / unit, how) for end in ("", "_min", "_max"))
    return f"{mean} ({low}–{high})" if details else mean


def _curve(table: GridTable, details: bool) -> list[Table]:
    rows = table.dicts()
    shown = _short(rows)
    made = []
    for measure in dict.fromkeys(row["measure"] for row in rows):
        here = [row for row in rows if row["measure"] == measure]
        sizes = sorted({row["words"] for row in here})
        keys = list(dict.fromkeys((row["system"], row["train"], row["test"]) for row in here))
        found = {(row["system"], row["train"], row["test"], row["words"]): row for row in here}
        lines: list[list[Cell]] = [
            [
                key[0],
                shown[key[1]],
                shown[key[2]],
                *(_with_interval(found.get((*key, n)), details=details) for n in sizes),
            ]
            for key in keys
        ]
        interval = shown_ci(table.level) if details else f"± half of the {shown_ci(table.level)}"
        columns = ["system", "train", "test", *(f"{n:,}" for n in sizes)]
        made.append(Table(columns, lines, f"{measure} by training words, {interval}", n_keys=3))
    return made


_LAYOUTS: dict[str, Callable[[GridTable, bool], list[Table]]] = {
    "matrix": _matrix,
    "table1": _table1,
    "ignoring": _ignoring,
    "correlation": _correlation,
    "suspicious": _suspicious,
    "runs": _runs,
    "totals": _totals,
    "cost": _cost,
    "curve": _curve,
}
