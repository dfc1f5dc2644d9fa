"""Drawings of the tables about grids: which table is drawn how."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from karat.experiments.analyses.conditions import language_of, short_name
from karat.experiments.analyses.table import GridTable
from karat.gold.errors_set_aside import HEURISTICS
from karat.report.draw.curves import Point, Series, curves
from karat.report.draw.dot_panels import Panel, dot_panels
from karat.report.draw.heat_map import ColourScale, heat_map
from karat.report.draw.scatter import Dot, scatter
from karat.report.draw.svg import Drawing
from karat.report.grid import short_names

_FEWEST_REPEATS = 10  # of a length that is drawn


def grid_figure(table: GridTable) -> Drawing | None:
    """The drawing of a table; None for tables that are not drawn, and for those without numbers."""
    draw = _FIGURES.get(table.name)
    return draw(table) if draw and table.rows else None


def _matrix(table: GridTable) -> Drawing | None:
    """A panel for each system and measure, of the whole training texts; rows are trains, columns tests."""
    rows = [row for row in table.dicts() if row["size"] is None and row["value"] is not None]
    if not rows:
        return None
    trains, tests = (list(dict.fromkeys(row[of] for row in rows)) for of in ("train", "test"))
    shown = short_names([*dict.fromkeys([*trains, *tests])])
    panels: dict[str, list[list[float | None]]] = {}
    words: dict[str, list[list[str]]] = {}
    for system, measure in dict.fromkeys((row["system"], row["measure"]) for row in rows):
        by_pair = {
            (row["train"], row["test"]): row for row in rows if (row["system"], row["measure"]) == (system, measure)
        }
        name = f"{measure} in %, {system}"
        found = [[by_pair.get((train, test)) for test in tests] for train in trains]
        panels[name] = [[None if row is None else float(row["value"]) for row in line] for line in found]
        words[name] = [[_said(row, table.level) for row in line] for line in found]
    values = [row["value"] for row in rows]
    low, high = min(values), max(values)
    scale = ColourScale(low, high, f"{100 * low:.1f} %", f"{100 * high:.1f} %")
    return heat_map(
        panels,
        [shown[name] for name in trains],
        [shown[name] for name in tests],
        title=table.title,
        axes=("train", "test"),
        scale=scale,
        words=words,
        name="grid-matrix",
    )


def _said(row: dict[str, Any] | None, level: float) -> str:
    if row is None:
        return "not run"
    ends = ""
    if row["lower"] is not None and row["upper"] is not None:
        ends = f", {100 * level:g} % CI {100 * row['lower']:.2f} to {100 * row['upper']:.2f}"
    return f"{row['train']} on {row['test']}: {100 * row['value']:.2f} %{ends}, {row['runs']} runs"


def _table1(table: GridTable) -> Drawing | None:
    """Ours over the print: on the diagonal they are the same."""
    rows = _rows_with(table, "paper", "error")
    if not rows:
        return None
    dots = [
        Dot(
            100 * row["paper"],
            100 * row["error"],
            f"trained on {short_name(row['train'])}",
            f"{short_name(row['train'])} on {short_name(row['test'])}: {100 * row['error']:.2f} %, "
            f"paper {100 * row['paper']:.1f} %",
        )
        for row in rows
    ]
    axes = ("error rate in the paper's Table 1 (%)", "error rate (%)")
    return scatter(
        dots, title=table.title, axes=axes, above="dashed: the same error rate", has_diagonal=True, name="grid-table1"
    )


def _rows_with(table: GridTable, *names: str) -> list[dict[str, Any]]:
    """The rows of which all these numbers are known."""
    return [row for row in table.dicts() if all(row[name] is not None for name in names)]


def _correlation(table: GridTable) -> Drawing | None:
    """Error rates over suspicious repeats per 1,000 tokens, of all suspicious repeats."""
    rows = _rows_with(table, "error", "all_repeats", "all_rate")
    if not rows:
        return None
    several = len({row["system"] for row in rows}) > 1
    dots = []
    for row in rows:
        parts = [row["system"] if several else "", language_of(row["train"])]
        parts.append("in-domain" if row["in_domain"] else "across corpora")
        words = f"{row['train']} on {row['test']}: error rate {100 * row['error']:.2f} %, "
        words += f"{row['all_repeats']:,} suspicious repeats, {1000 * row['all_rate']:.2f} per 1,000 tokens"
        dots.append(Dot(1000 * row["all_rate"], 100 * row["error"], ", ".join(filter(None, parts)), words))
    found = table.summary.get("all_correlation")
    above = "" if found is None else f"Spearman's correlation {found:.2f}".replace("-", "−")
    axes = ("suspicious repeats per 1,000 tokens of train and test", "error rate (%)")
    return scatter(dots, title=table.title, axes=axes, above=above, name="grid-correlation")


def _ignoring(table: GridTable) -> Drawing | None:
    """Figure 3: a panel for each system and train."""
    rows = _rows_with(table, "full", *HEURISTICS)
    if not rows:
        return None
    several = len({row["system"] for row in rows}) > 1
    shown = short_names(list(dict.fromkeys(row["test"] for row in rows)))
    panels = []
    for system, train in dict.fromkeys((row["system"], row["train"]) for row in rows):
        here = [row for row in rows if (row["system"], row["train"]) == (system, train)]
        values = {shown[row["test"]]: [100 * row[name] for name in ("full", *HEURISTICS)] for row in here}
        own = here[0]["in_domain_train"]
        title = f"trained on {train}" + (f", {system}" if several else "")
        panels.append(Panel(title, values, None if own is None else 100 * own))
    series = [
        "all errors (ε full)",
        *(f"errors ignored in suspicious repeats: {_FILTERS[name]}" for name in HEURISTICS),
    ]
    own_name = "own: the same tagger on the test of its own treebank"
    return dot_panels(
        panels, series, title=table.title, y_name="error rate (%)", line_name=own_name, name="grid-ignoring"
    )


_FILTERS = {"minsize": "of 3 words or more", "disjoint": "disjoint", "all": "all"}


def _suspicious(table: GridTable) -> Drawing | None:
    """Figure 2: the share of suspicious repeats with an error over their length; a share of few says nothing."""
    rows = [row for row in table.dicts() if row["words"] is not None and row["repeats"] >= _FEWEST_REPEATS]
    several = len({row["system"] for row in rows}) > 1
    series: dict[str, list[Point]] = {}
    for row in rows:
        name = ", ".join(
            str(one) for one in (row["system"] if several else None, row["language"], row["filter"]) if one
        )
        long = f"{row['words']} words{' and more' if row['and_more'] else ''}"
        words = f"{long}, {100 * row['share']:.1f} % of {row['repeats']:,} repeats"
        series.setdefault(name, []).append(Point(row["words"], 100 * row["share"], None, None, words))
    if not series:
        return None
    more = " (10: and more)" if any(row["and_more"] for row in rows) else ""
    axes = (f"words of the repeat{more}", "% with a tagging error")
    every = [Series(name, points) for name, points in series.items()]
    above = f"lengths with {_FEWEST_REPEATS} repeats or more"
    return curves(every, title=table.title, axes=axes, ends=(0.0, 100.0), above=above, name="grid-suspicious")


def _curve(table: GridTable) -> Drawing:
    """Learning curves of the first measure, those in-domain where there are any."""
    rows = table.dicts()
    rows = [row for row in rows if row["measure"] == rows[0]["measure"]]
    rows = [row for row in rows if row["train"] == row["test"]] or rows
    series: dict[str, list[Point]] = {}
    for row in rows:
        where = row["train"] if row["train"] == row["test"] else f"{row['train']} on {row['test']}"
        lower, upper = (None if row[end] is None else 100 * row[end] for end in ("lower", "upper"))
        words = f"{row['words']:,} words, {100 * row['value']:.2f} %"
        series.setdefault(f"{row['system']}, {where}", []).append(
            Point(row["words"], 100 * row["value"], lower, upper, words)
        )
    axes = ("training words", f"{rows[0]['measure']} (%)")
    every = [Series(name, points) for name, points in series.items()]
    return curves(every, title=table.title, axes=axes, name="grid-curve")


_FIGURES: dict[str, Callable[[GridTable], Drawing | None]] = {
    "matrix": _matrix,
    "table1": _table1,
    "correlation": _correlation,
    "ignoring": _ignoring,
    "suspicious": _suspicious,
    "curve": _curve,
}
