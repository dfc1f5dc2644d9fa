"""What `karat diverge`, `karat agree` and `karat grid` found: corpora and annotators beside each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Any

from karat.errors import NO_LINE, DataError, Problem
from karat.experiments.analyses.table import GridTable
from karat.report.divergence import SHOWN_FEATURES
from karat.report.draw.grid_figures import grid_figure
from karat.report.draw.heat_map import ColourScale, heat_map
from karat.report.draw.svg import Drawing
from karat.report.grid_tables import grid_table_report
from karat.report.page.cells import (
    PageCell,
    PageTable,
    count_cell,
    interval_cell,
    number_cell,
    p_cell,
    plain_table,
    text_cell,
)
from karat.report.page.parts import Block, figure
from karat.report.page.sections.any_result import any_blocks, rows_table
from karat.report.page.sentence_sets import SentenceSet, first_set

Data = Mapping[str, Any]
_COEFFICIENTS = {
    "observed": "observed agreement, in %",
    "kappa_pooled": "kappa, pooled chance",
    "kappa_cohen": "kappa (Cohen)",
    "alpha": "alpha (Krippendorff)",
}


def divergence_blocks(id: str, result: Data, _: Sequence[SentenceSet | None]) -> list[Block]:
    """How well corpora are told apart, drawn and as a table; and by what."""
    cells: Sequence[Data] = result["cells"]
    rows = [
        [
            text_cell(one["train"]),
            text_cell(one["test"]),
            text_cell(SHOWN_FEATURES.get(one["features"], one["features"])),
            number_cell(one["accuracy"]),
            interval_cell(one["lower"], one["upper"]),
            p_cell(one["p"]),
        ]
        for one in cells
    ]
    columns = ["corpus", "other corpus", "told apart by", "accuracy in %", "95 % CI", "p"]
    notes = ["50 %: they cannot be told apart."]
    blocks: list[Block] = [PageTable(f"{id}-cells", "How well corpora are told apart", columns, rows, notes)]
    if cells:
        blocks.append(figure(f"{id}-map", _map(result)))
    if result["telling"]:
        blocks.append(rows_table(f"{id}-telling", "What tells them apart", result["telling"]))
    return blocks


def _map(result: Data) -> Drawing:
    found = {(one["features"], one["train"], one["test"]): one["accuracy"] for one in result["cells"]}
    trains, tests = (list(dict.fromkeys(one[side] for one in result["cells"])) for side in ("train", "test"))
    panels = {
        f"told apart by {SHOWN_FEATURES.get(features, features)}": [
            [found.get((features, train, test)) for test in tests] for train in trains
        ]
        for features in result["features"]
    }
    title = "How well corpora are told apart"
    return heat_map(panels, trains, tests, title=title, axes=("", ""), name="divergence")


def agreement_blocks(id: str, result: Data, sets: Sequence[SentenceSet | None]) -> list[Block]:
    """The coefficients with intervals, then tags and confusions."""
    sentences = first_set(sets)
    rows = []
    for name, words in _COEFFICIENTS.items():
        factor, places = (100, 2) if name == "observed" else (1, 3)
        interval = (result.get("intervals") or {}).get(name) or {}
        ends = interval_cell(interval.get("lower"), interval.get("upper"), factor, places)
        rows.append([text_cell(words), number_cell(result[name], factor, places), ends])
    ci = f"{100 * (result.get('level') or 0.95):g} % CI"
    blocks: list[Block] = [PageTable(f"{id}-agreement", "Agreement", ["coefficient", "value", ci], rows)]
    if result["confusions"]:
        blocks.append(_confusions(id, result, sentences))
    if result["per_tag"]:
        rows = [
            [text_cell(one["tag"]), count_cell(one["used"]), number_cell(one["agreement"])] for one in result["per_tag"]
        ]
        notes = ["used: how often annotators gave the tag, all together; agreement in %."]
        blocks.append(PageTable(f"{id}-tags", "Agreement by tag", ["tag", "used", "agreement"], rows, notes, 1))
    if result["pairs"]:
        blocks.append(rows_table(f"{id}-pairs", "Pairs of annotators", result["pairs"]))
    return blocks


def _confusions(id: str, result: Data, sentences: SentenceSet | None) -> PageTable:
    """What annotators take for what; with two of them each leads to its sentences."""
    other = sentences.evidence.systems[0].name if sentences and len(sentences.evidence.systems) == 1 else ""
    rows = []
    for one in result["confusions"]:
        cells = [text_cell(one["a"]), text_cell(one["b"]), count_cell(one["count"])]
        first = one["first_has_a"]
        for ours, given, count in (
            (one["a"], one["b"], first),
            (one["b"], one["a"], None if first is None else one["count"] - first),
        ):
            to = sentences.lists.confusion(other, str(result["column"]), ours, given) if sentences and other else ""
            cells.append(count_cell(count, to=to))
        rows.append(cells)
    columns = ["tag", "other tag", "times", "first annotator has the tag", "second has it"]
    n_known = 5 if any(row[3].is_number for row in rows) else 3  # of three and more annotators it is not known
    return PageTable(f"{id}-confusions", "What is taken for what", columns[:n_known], [row[:n_known] for row in rows])


def grid_blocks(id: str, result: Data, _: Sequence[SentenceSet | None]) -> list[Block]:
    """The cells of a grid: every system trained and tested on every pair of corpora."""
    measures = list(dict.fromkeys(name for one in result["cells"] for name in one["measures"]))
    rows = []
    for one in result["cells"]:
        row: list[PageCell] = [text_cell(one[name]) for name in ("system", "train", "test")]
        row += [count_cell(one["seed"]), text_cell(one["size"]), text_cell(one["fold"])]
        for name in measures:
            found = one["measures"].get(name) or {}
            row += [number_cell(found.get("value")), interval_cell(found.get("lower"), found.get("upper"))]
        rows.append(row)
    columns = ["system", "train", "test", "seed", "size", "fold"]
    columns += [column for name in measures for column in (f"{name} in %", "95 % CI")]
    blocks: list[Block] = [figure(f"{id}-matrix", _matrix(result["cells"]))] if rows else []
    if rows:
        blocks.append(PageTable(f"{id}-cells", "Cells", columns, rows, result["notes"]))
    if result["failures"]:
        blocks.append(rows_table(f"{id}-failures", "Failed", result["failures"]))
    return blocks


def _matrix(cells: Sequence[Data]) -> Drawing:
    """The mean over seeds, sizes and folds of every pair, by system and measure."""
    trains, tests = (list(dict.fromkeys(one[of] for one in cells)) for of in ("train", "test"))
    found: dict[str, dict[tuple[str, str], list[float]]] = {}
    for one in cells:
        for measure, score in one["measures"].items():
            of = found.setdefault(f"{measure} in %, {one['system']}", {})
            of.setdefault((one["train"], one["test"]), []).append(score["value"])
    panels = {
        name: [[fmean(of[train, test]) if (train, test) in of else None for test in tests] for train in trains]
        for name, of in found.items()
    }
    values = [value for panel in panels.values() for row in panel for value in row if value is not None]
    scale = ColourScale(min(values), max(values), f"{100 * min(values):.1f} %", f"{100 * max(values):.1f} %")
    title = "Mean scores: rows are trained on, columns are tested on"
    return heat_map(panels, trains, tests, title=title, axes=("train", "test"), scale=scale, name="grid-matrix")


def grid_table_blocks(id: str, result: Data, _: Sequence[SentenceSet | None]) -> list[Block]:
    """A table about a grid as karat prints it, drawn where it is one that is drawn; all its numbers on demand."""
    rows: Sequence[Data] = result["rows"]
    columns = tuple(rows[0]) if rows else ()
    table = GridTable(
        result["table"],
        result["title"],
        tuple(result["verdict"]),
        columns,
        tuple(tuple(row.get(name) for name in columns) for row in rows),
        result["summary"],
        level=result["level"],
    )
    try:
        printed = grid_table_report(table, details=True).tables if rows else []
        drawing = grid_figure(table)
    except (LookupError, TypeError, ValueError, AssertionError):  # a table's rows can be anything to the schema
        message = f"this result is not as karat wrote it: its rows do not make the table {table.name}"
        raise DataError(Problem("K110", message, str(result["schema"]), NO_LINE)) from None
    blocks: list[Block] = [plain_table(f"{id}-{number}", one) for number, one in enumerate(printed)]
    blocks += [figure(f"{id}-drawn", drawing)] if drawing else []
    every = any_blocks(id, {"all_numbers": rows, **result["summary"]})
    return [*blocks, *(replace(one, is_open=False) for one in every if isinstance(one, PageTable))]
