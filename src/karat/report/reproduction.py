"""A paper's experiments run again, for people: how near its numbers are, what needs not agree, what was not run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from karat.experiments.analyses.table import GridTable
from karat.experiments.papers.reproduction import PaperNumber, PaperPart, PaperTable, Reproduction
from karat.gold.divergence.divergence_results import Divergences
from karat.gold.repeats.paper_table_inputs import RepeatTable
from karat.noise.results import NoiseResult
from karat.report.divergence import divergence_report
from karat.report.draw.grid_figures import grid_figure
from karat.report.draw.heat_map import divergence_figure
from karat.report.draw.noise import noise_figure
from karat.report.grid_tables import grid_table_report
from karat.report.repeat_tables import repeat_table_report
from karat.report.shown import counted, shown_ci
from karat.result import Cell, Report, Result, Table


def reproduction_report(result: Reproduction, *, details: bool = False) -> Report:
    """How near the numbers are; with details, every table of the paper that could be made."""
    tables = [_distances(result), _of_more_data(result, details=details), _not_run(result)]
    if not details:
        of_parts = [one for part in result.parts for _, one in part.results]
        tables = [*(one.shown() for one in of_parts if isinstance(one, PaperTable) and one.is_short), *tables]
    else:
        tables += [table for part in result.parts for table in _tables_of(part)]
    notes = [
        "Distance: mean of |ours − paper|; of numbers of repeats or sentences, in % of the paper's.",
        f"Cells of grids: {result.n_run:,} run now, {result.n_kept:,} kept from before, {result.n_failed:,} failed.",
    ]
    return Report(_verdict(result), [one for one in tables if one.rows], notes)


def _verdict(result: Reproduction) -> list[str]:
    if result.verdict:
        return (
            [*result.verdict, f"Not run: {counted(len(result.not_run), 'item')}."]
            if result.not_run
            else [*result.verdict]
        )
    compared = [one for part in result.parts for one in part.compared()]
    shares = [abs(one.difference) for one in compared if one.unit == "share" and one.difference is not None]
    said = f"{counted(len(compared), 'printed number')} could be computed on the paper's own files"
    if shares:
        said += f"; percentages are {100 * sum(shares) / len(shares):.1f} points from the print on average"
    return [f"{said}.", f"Not run: {counted(len(result.not_run), 'item')}, with reasons below."]


def _distances(result: Reproduction) -> Table:
    rows: list[list[Cell]] = []
    for part in result.parts:
        for unit in ("share", "count"):
            numbers = [one for one in part.compared() if one.unit == unit]
            if numbers:
                rows.append([part.title, unit_words(unit), len(numbers), *_mean_and_largest(numbers)])
    columns = ["in the paper", "in", "numbers", "distance", "largest"]
    return Table(columns, rows, "On the paper's own files, or from its own numbers")


def unit_words(unit: str) -> str:
    """What a distance is measured in."""
    return "points" if unit == "share" else "%"


def _mean_and_largest(numbers: Sequence[PaperNumber]) -> list[Cell]:
    scaled = [
        100 * abs(one.difference or 0.0) / (1 if one.unit == "share" else max(abs(one.paper), 1e-12)) for one in numbers
    ]
    return [sum(scaled) / len(scaled), max(scaled)]


def _of_more_data(result: Reproduction, *, details: bool) -> Table:
    """Numbers that the paper prints over more data; without details, those of its text."""
    rows: list[list[Cell]] = []
    for one in result.numbers:
        if not one.same_data and (details or one.part.startswith("Section")):
            ends = (
                None if one.lower is None or one.upper is None else f"{_shown(one, one.lower)}–{_shown(one, one.upper)}"
            )
            rows.append([one.part, one.of, _shown(one, one.value), ends, _shown(one, one.paper)])
    columns = ["in", "number", "ours", shown_ci(result.level), "paper"]
    if all(row[3] is None for row in rows):
        columns, rows = [*columns[:3], "paper"], [[*row[:3], row[4]] for row in rows]
    return Table(columns, rows, f"Printed over {result.printed_over}: need not agree", optional=["in"])


def _shown(number: PaperNumber, value: float | None) -> str | None:
    if value is None:
        return None
    if number.unit == "count":
        return f"{value:,.0f}"
    return (f"{100 * value:.1f}" if number.unit == "share" else f"{value:.2f}").replace("-", "−")


def _not_run(result: Reproduction) -> Table:
    return Table(["not run", "why"], [[one.what, one.why] for one in result.not_run], "What could not be run")


def _tables_of(part: PaperPart) -> Iterator[Table]:
    """The tables of a part of the paper, each under its name."""
    for which, result in part.results:
        if isinstance(result, NoiseResult):  # it is drawn; the paper's table has its numbers
            continue
        found = _report_of(result)
        for number, table in enumerate(found.tables):
            about = part.title if which in part.title else f"{part.title}, {which}"
            notes = [*table.notes, *(found.notes if number == len(found.tables) - 1 else [])]
            title = about if isinstance(result, RepeatTable) else f"{about}: {table.title}"
            title = table.title if isinstance(result, PaperTable) and not result.name else title
            yield replace(table, title=title, notes=notes)


def _report_of(result: Result) -> Report:
    if isinstance(result, GridTable):
        return grid_table_report(result, details=True)
    if isinstance(result, RepeatTable):
        return repeat_table_report(result)
    if isinstance(result, PaperTable):
        return Report([], [replace(result.shown(), notes=[*result.verdict, *result.notes])])
    assert isinstance(result, Divergences)
    return divergence_report(result)


def reproduction_figures(result: Reproduction) -> dict[str, str]:
    """The paper's figures, and drawings of other tables, as SVG by the names of files."""
    found: dict[str, str] = {}
    for part in result.parts:
        for which, one in part.results:
            drawn = grid_figure(one) if isinstance(one, GridTable) else None
            drawn = divergence_figure(one) if isinstance(one, Divergences) else drawn
            drawn = noise_figure(one) if isinstance(one, NoiseResult) else drawn
            if drawn is not None:
                found["-".join(filter(None, [part.name, which.lower()])) + ".svg"] = drawn.svg
    return found
