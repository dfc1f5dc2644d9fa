"""Scores over treebanks as tables for people."""

from __future__ import annotations

from karat.evaluation.results import MeasureScore
from karat.evaluation.treebanks import SystemOverTreebanks, TreebankScores
from karat.report.shown import every_name, method_notes, shown_interval, shown_level, skipped_notes
from karat.result import Cell, Table

__all__ = ["treebanks_tables"]


def treebanks_tables(scores: TreebankScores) -> list[Table]:
    """Two tables for each system: treebanks in rows, then micro and macro averages; and the intervals of all these."""
    tables = []
    for system in scores.systems:
        tables.append(_values(system))
        if any(one.interval for one in system.micro.values()):
            tables.append(_intervals(system, scores.cluster))
    return tables


def _rows(system: SystemOverTreebanks) -> dict[str, dict[str, MeasureScore]]:
    every = {treebank: dict(one.measures) for treebank, one in system.treebanks.items()}
    return {**every, "micro": dict(system.micro)}


def _values(system: SystemOverTreebanks) -> Table:
    found = _rows(system)
    names = every_name(found.values())
    rows: list[list[Cell]] = [
        [treebank, *(one[name].shown if name in one else None for name in names)] for treebank, one in found.items()
    ]
    macro = system.macro
    rows.append(
        ["macro", *(system.micro[name].measure.factor * macro[name] if name in macro else None for name in names)]
    )
    notes = ["F1 in %; micro: from summed counts; macro: the mean of the treebanks."]
    if any(cell is None for row in rows for cell in row):
        notes.append("–: the gold or the system of a treebank lacks the column; averages are of what all have.")
    if system.absent:
        notes.append(f"No file, so wholly wrong: {', '.join(system.absent)}.")
    if system.unreadable:
        notes.append(f"Not readable, so wholly wrong: {', '.join(system.unreadable)}.")
    scored = [one.skipped for one in system.treebanks.values() if one.source]
    notes += skipped_notes(sum(one.gold for one in scored), sum(one.system for one in scored))
    return Table(["treebank", *names], rows, system.name, notes)


def _intervals(system: SystemOverTreebanks, cluster: str) -> Table:
    """The interval of every value; the macro average has none."""
    found = _rows(system)
    names = every_name(found.values())
    rows: list[list[Cell]] = []
    for treebank, one in found.items():
        scores = (one.get(name) for name in names)
        made = (None if of is None else shown_interval(of.interval, factor=of.measure.factor) for of in scores)
        rows.append([treebank, *made])
    level = shown_level(one.interval for one in system.micro.values())
    notes = method_notes([(one.name, one.interval) for one in system.micro.values()], cluster)
    return Table(["treebank", *names], rows, f"{system.name}: {level} intervals", notes)
