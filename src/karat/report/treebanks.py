"""Scores over treebanks as tables for people."""

from __future__ import annotations

from collections.abc import Sequence

from karat.evaluation.results import MeasureScore
from karat.evaluation.treebanks import SystemOverTreebanks, TreebankScores
from karat.report.shown import (
    HEADLINES,
    MOST_NOTES,
    counted,
    every_name,
    listed,
    method_notes,
    quoted,
    shown_interval,
    shown_level,
    skipped_notes,
)
from karat.result import Best, Cell, Report, Table

__all__ = ["left_out_notes", "treebank_matrix", "treebanks_report"]


def treebanks_report(scores: TreebankScores, *, measures_named: bool = False, details: bool = False) -> Report:
    """Treebanks in rows, then averages: of one system all measures that people quote, of several the first of them.

    With details, every system's values and intervals.
    """
    names = every_name(_rows(one)["micro"] for one in scores.systems)
    measures = {name: one.measure for system in scores.systems for name, one in system.micro.items()}
    shown = names if measures_named else quoted(measures, names)
    several = len(scores.systems) > 1
    tables = (
        [treebank_matrix(scores, name) for name in (shown if measures_named else _headlines(shown))] if several else []
    )
    for system in scores.systems if details or not several else ():
        tables.append(_values(system, shown, several=several))
        if details and any(one.interval for one in system.micro.values()):
            tables.append(_intervals(system, shown))
    notes = [note for system in scores.systems for note in left_out_notes(system, several=several)]
    notes.append("In %. micro: from summed counts; macro: mean of the treebanks." + (" * best." if several else ""))
    made = [(one.name, one.interval) for system in scores.systems for one in system.micro.values()]
    notes += method_notes(made, scores.cluster) if details else []
    return Report(_verdict(scores, shown), tables, notes if details else notes[:MOST_NOTES])


def _headlines(shown: Sequence[str]) -> list[str]:
    return [name for name in HEADLINES if name in shown][:1] or list(shown[:1])


def _verdict(scores: TreebankScores, shown: Sequence[str]) -> list[str]:
    """The macro average by what people look at first, the best system first."""
    found = []
    for name in _headlines(shown):
        sign = 1 if scores.systems[0].micro[name].measure.lower_is_better else -1
        ranked = sorted(scores.systems, key=lambda one: sign * one.macro[name])
        factor = scores.systems[0].micro[name].measure.factor
        values = [f"{one.name} {factor * one.macro[name]:.1f}" for one in ranked]
        over = counted(len(scores.treebanks), "treebank")
        found.append(f"{name}, macro-averaged over {over}: {listed(values[:5], len(values) - 5)}.")
    return found


def _rows(system: SystemOverTreebanks) -> dict[str, dict[str, MeasureScore]]:
    every = {treebank: dict(one.measures) for treebank, one in system.treebanks.items()}
    return {**every, "micro": dict(system.micro)}


def treebank_matrix(scores: TreebankScores, name: str) -> Table:
    """Treebanks in rows, systems in columns, by one measure; the best of each row marked."""
    measure = scores.systems[0].micro[name].measure
    every = [_rows(one) for one in scores.systems]
    rows: list[list[Cell]] = []
    for treebank in [*scores.treebanks, "micro"]:
        found = [one[treebank].get(name) for one in every]
        rows.append([_short(treebank), *_marked([None if one is None else one.shown for one in found], measure)])
    rows.append(["macro", *_marked([measure.factor * one.macro[name] for one in scores.systems], measure)])
    return Table([name, *(one.name for one in scores.systems)], rows)


def _marked(values: Sequence[float | None], measure: object) -> list[Cell]:
    known = [round(value, 2) for value in values if value is not None]
    is_lower = getattr(measure, "lower_is_better", False)
    best = (min if is_lower else max)(known) if len(set(known)) > 1 else None
    return [Best(f"{one:.2f}") if one is not None and round(one, 2) == best else one for one in values]


def _short(treebank: str) -> str:
    """A treebank's name without what all files of UD have in common."""
    return treebank.removesuffix(".conllu")


def _values(system: SystemOverTreebanks, shown: Sequence[str], *, several: bool) -> Table:
    found = _rows(system)
    rows: list[list[Cell]] = [
        [_short(treebank), *(one[name].shown if name in one else None for name in shown)]
        for treebank, one in found.items()
    ]
    macro = system.macro
    factors = {name: one.measure.factor for name, one in system.micro.items()}
    rows.append(["macro", *(factors[name] * macro[name] if name in macro else None for name in shown)])
    return Table(["treebank", *shown], rows, system.name if several else "")


def left_out_notes(system: SystemOverTreebanks, *, several: bool) -> list[str]:
    """What counts as wrong though it was not there to be scored."""
    of = f"{system.name}: " if several else ""
    notes = []
    if system.absent:
        notes.append(f"{of}missing, scored as 0: {', '.join(system.absent)}.")
    if system.unreadable:
        notes.append(f"{of}not readable, scored as 0: {', '.join(system.unreadable)}.")
    if any(name not in one.measures for one in system.treebanks.values() for name in _rows(system)["micro"]):
        notes.append(f"{of}–: a column is missing; averages are of measures that all treebanks have.")
    scored = [one.skipped for one in system.treebanks.values() if one.source]
    found = skipped_notes(sum(one.gold for one in scored), sum(one.system for one in scored))
    return notes + [of + note for note in found]


def _intervals(system: SystemOverTreebanks, shown: Sequence[str]) -> Table:
    """The interval of every value."""
    rows: list[list[Cell]] = []
    for treebank, one in _rows(system).items():
        scores = (one.get(name) for name in shown)
        made = (None if of is None else shown_interval(of.interval, factor=of.measure.factor) for of in scores)
        rows.append([_short(treebank), *made])
    macro = (system.macro_intervals.get(name) for name in shown)
    factors = {name: one.measure.factor for name, one in system.micro.items()}
    rows.append(["macro", *(shown_interval(one, factor=factors[name]) for name, one in zip(shown, macro, strict=True))])
    level = shown_level(one.interval for one in system.micro.values())
    return Table(["treebank", *shown], rows, f"{system.name}: {level} CIs")
