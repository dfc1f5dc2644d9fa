"""Scores over treebanks as tables for people."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from karat.evaluation.results import MeasureScore
from karat.evaluation.treebanks import SystemOverTreebanks, TreebankScores
from karat.report.shown import (
    MOST_BESIDE,
    MOST_NOTES,
    best_marked,
    ci_of,
    counted,
    every_name,
    headlines,
    listed,
    method_notes,
    quoted,
    score_in_words,
    skipped_notes,
    value_cells,
)
from karat.result import Cell, Report, Table


def treebanks_report(
    scores: TreebankScores, *, measures_named: bool = False, details: bool = False, for_paper: bool = False
) -> Report:
    """Treebanks in rows, then averages: of one system all measures that people quote, of several the first of them.

    With details, every system's values and intervals; for a paper, with a caption instead of notes on how to read it.
    """
    names = every_name(one.micro for one in scores.systems)
    measures = {name: one.measure for system in scores.systems for name, one in system.micro.items()}
    shown = names if measures_named else quoted(measures, names)
    several, first = len(scores.systems) > 1, headlines(shown)[:1]
    tables = [treebank_matrix(scores, name) for name in (shown if measures_named else first)] if several else []
    for system in scores.systems if details or not several else ():
        tables.append(_table(system, shown, lambda one: one.shown, system.name if several else ""))
        if details and (level := ci_of(one.interval for one in system.micro.values())):
            tables.append(_table(system, shown, lambda one: value_cells(one)[1], f"{system.name}: {level}s"))
    averages = f"Micro average: of all words; macro average: mean of {counted(len(scores.treebanks), 'treebank')}."
    notes = left_out_notes(scores.systems)
    notes += [] if for_paper else [f"In %. {'* best. ' * several}{averages}"]
    caption = f"In %. {'Best in bold. ' * several}{averages}"
    made = [(one.name, one.interval) for system in scores.systems for one in system.micro.values()]
    notes += method_notes(made, scores.cluster) if details else []
    verdict = [_verdict(scores, name) for name in first]
    return Report(verdict, tables, notes if details else notes[:MOST_NOTES], caption if for_paper else "")


def _verdict(scores: TreebankScores, name: str) -> str:
    """The macro average by a measure, the best system first."""
    measure = scores.systems[0].micro[name].measure
    ranked = sorted(scores.systems, key=lambda one: one.macro[name] * (1 if measure.lower_is_better else -1))
    values = [f"{one.name} {score_in_words(_macro(one, name), is_first=one is ranked[0])}" for one in ranked]
    more = f" and {len(values) - MOST_BESIDE} more" if len(values) > MOST_BESIDE else ""
    over, zeros = counted(len(scores.treebanks), "treebank"), not_there(lacking_of(scores.systems))
    return f"{name}, macro-averaged over {over}: {', '.join(values[:MOST_BESIDE])}{more}{zeros}."


Lacking = Sequence[
    tuple[str, Sequence[str], Sequence[str]]
]  # of systems: name, treebanks without a file, with a broken


def lacking_of(systems: Iterable[SystemOverTreebanks]) -> Lacking:
    """Which treebanks' files systems lack, and which of theirs are broken."""
    return [(one.name, one.absent, one.unreadable) for one in systems]


def not_there(systems: Lacking) -> str:
    """Which systems are scored as 0 on a treebank because a file of theirs is missing or broken, as a sentence ends."""
    lacking = {name: _files(len(absent), len(unreadable)) for name, absent, unreadable in systems}
    found = [f"{name} ({files})" for name, files in lacking.items() if files]
    return f"; scored as 0: {listed(found[:5], len(found) - 5)}" if found else ""


def _files(n_missing: int, n_broken: int) -> str:
    """How many files of a system are missing and how many broken, in words; empty if none is."""
    parts = [f"{n:,} {what}" for n, what in ((n_missing, "missing"), (n_broken, "broken")) if n]
    return f"{' and '.join(parts)} file{'s' * (n_missing + n_broken != 1)}" if parts else ""


def macro_scores(system: SystemOverTreebanks) -> dict[str, MeasureScore]:
    """The macro averages of a system by measure, as scores."""
    return {name: _macro(system, name) for name in system.macro}


def _rows(system: SystemOverTreebanks) -> dict[str, Mapping[str, MeasureScore]]:
    """Each treebank's scores, then both averages."""
    every = {treebank: one.measures for treebank, one in system.treebanks.items()}
    return {**every, "micro": system.micro, "macro": macro_scores(system)}


def _macro(system: SystemOverTreebanks, name: str) -> MeasureScore:
    """The macro average by a measure, as a score."""
    return MeasureScore(system.micro[name].measure, system.macro[name], None, system.macro_intervals.get(name))


def treebank_matrix(scores: TreebankScores, name: str) -> Table:
    """Treebanks in rows, systems in columns, by one measure; the best of each row marked."""
    measure = scores.systems[0].micro[name].measure
    every, short = [_rows(one) for one in scores.systems], short_names(scores.treebanks)
    rows: list[list[Cell]] = []
    for treebank in short:
        found = [one[treebank].get(name) for one in every]
        rows.append([short[treebank], *best_marked([one.shown if one else None for one in found], measure)])
    return Table([name, *(one.name for one in scores.systems)], rows)


def short_names(treebanks: Iterable[str]) -> dict[str, str]:
    """The names of treebanks, and of averages, as tables have them: without what all files of UD have in common."""
    found = {name: name.removesuffix(".conllu").removesuffix("-ud-test") for name in (*treebanks, "micro", "macro")}
    is_clear = len(set(found.values())) == len(found)
    return found if is_clear else {name: name.removesuffix(".conllu") for name in found}


def _table(
    system: SystemOverTreebanks, shown: Sequence[str], cell: Callable[[MeasureScore], Cell], title: str
) -> Table:
    """Treebanks and averages in rows, measures in columns."""
    short = short_names(system.treebanks)
    rows = [
        [short[treebank], *(cell(found[name]) if name in found else None for name in shown)]
        for treebank, found in _rows(system).items()
    ]
    return Table(["treebank", *shown], rows, title)


def left_out_notes(systems: Sequence[SystemOverTreebanks]) -> list[str]:
    """What is scored as 0 because it was not there or could not be read, in one note; what else is left out."""
    notes = [" ".join(found)] if (found := lacking_notes(lacking_of(systems))) else []
    if any(
        name not in one.measures for system in systems for one in system.treebanks.values() for name in system.micro
    ):
        notes.append("–: a column is missing; only measures that all treebanks have are averaged.")
    for system in systems:
        scored = [one.skipped for one in system.treebanks.values() if one.source]
        of = f"{system.name}: " if len(systems) > 1 else ""
        skipped = skipped_notes(sum(one.gold for one in scored), sum(one.system for one in scored))
        notes += [of + note for note in skipped]
    return notes


def lacking_notes(systems: Lacking) -> list[str]:
    """Which treebanks' files are missing, and which are broken, a sentence for each."""
    found = []
    for what, by_system in (
        ("Missing", {name: absent for name, absent, _ in systems}),
        ("Broken", {name: unreadable for name, _, unreadable in systems}),
    ):
        lacking = {name: ", ".join(treebanks) for name, treebanks in by_system.items() if treebanks}
        which = [files if len(systems) == 1 else f"{name} ({files})" for name, files in lacking.items()]
        found += [f"{what}, scored as 0: {', '.join(which)}."] if which else []
    return found
