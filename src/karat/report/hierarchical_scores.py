"""Scores of tags in a hierarchy as tables for people."""

from __future__ import annotations

from collections.abc import Iterable

from karat.evaluation.results import Scores, SystemScores
from karat.measures import EVERY_MEASURE, Measure
from karat.measures.hierarchical.scores import hierarchical_scores
from karat.report.scores import every_name, gold_size, interval_notes, shown_interval, shown_level, skipped_notes
from karat.report.tables import Cell, Table

__all__ = ["hierarchical_tables"]

_MEASURES: dict[str, Measure] = {**EVERY_MEASURE, **hierarchical_scores()}
_OF_ANCESTORS = ("hP", "hR", "hF")


def hierarchical_tables(scores: Scores) -> list[Table]:
    """The measures of one or several systems, then splits of each."""
    main = _one_system(scores) if len(scores.systems) == 1 else _several_systems(scores)
    return [main, *(_split_table(system, split) for system in scores.systems for split in system.by)]


def _shown(name: str, value: float | None) -> Cell:
    return None if value is None else 100 * value if _MEASURES[name].in_percent else value


def _one_system(scores: Scores) -> Table:
    system = scores.systems[0]
    level = shown_level(scores.systems)
    rows: list[list[Cell]] = []
    for name, one in system.measures.items():
        sure: list[Cell] = [shown_interval(one.interval, in_percent=_MEASURES[name].in_percent)] if level else []
        has_precision = one.parts is not None and name not in _OF_ANCESTORS
        others = [one.extras.get("by_type_mean"), one.precision if has_precision else None]
        rows.append([name, _shown(name, one.value), *sure, *(_shown(name, value) for value in others)])
    columns = ["measure", "value", *([f"{level} interval"] if level else []), "by type", "precision"]
    what = "By type: the mean over word types of their means; precision: over what the system gave an answer to."
    notes = [*_meant(system.measures), what, *_notes(scores)]
    return Table(columns, rows, f"{system.name} on {gold_size(scores.gold)}", notes)


def _several_systems(scores: Scores) -> Table:
    level = shown_level(scores.systems)
    names = every_name(system.measures for system in scores.systems)
    rows: list[list[Cell]] = []
    for name in names:
        row: list[Cell] = [name]
        for system in scores.systems:
            one = system.measures.get(name)
            row.append(_shown(name, one.value) if one else None)
            if level:
                row.append(shown_interval(one.interval, in_percent=_MEASURES[name].in_percent) if one else None)
        rows.append(row)
    columns = [column for system in scores.systems for column in (system.name, level) if column]
    return Table(["measure", *columns], rows, gold_size(scores.gold), [*_meant(names), *_notes(scores)])


def _meant(names: Iterable[str]) -> list[str]:
    """What the values are."""
    notes = ["Values in %, means over gold instances."]
    if "cross_entropy" in names:
        notes.append("cross_entropy is in bits; lower is better.")
    if "brier" in names:
        notes.append("brier is between 0 and 2; lower is better.")
    return notes


def _notes(scores: Scores) -> list[str]:
    """What hierarchical can be, whatever the downward probabilities; intervals; what was not scored."""
    notes = []
    for system in scores.systems:
        of = f"{system.name}: " if len(scores.systems) > 1 else ""
        one = system.measures.get("hierarchical")
        if one and "smallest" in one.extras and one.extras["largest"] - one.extras["smallest"] > 5e-5:
            low, high = 100 * one.extras["smallest"], 100 * one.extras["largest"]
            notes.append(f"{of}hierarchical is between {low:.2f} and {high:.2f} over all downward probabilities.")
        notes += [of + note for note in skipped_notes(system.skipped.gold, system.skipped.system)]
    return [*notes, *interval_notes(scores)]


def _split_table(system: SystemScores, split: str) -> Table:
    groups = system.by[split]
    names = every_name(groups.values())
    rows: list[list[Cell]] = []
    for group, found in groups.items():
        sizes = [one.gold for name, one in found.items() if one.parts is not None and name not in _OF_ANCESTORS]
        values = (_shown(name, found[name].value) if name in found else None for name in names)
        rows.append([group, max(sizes) if sizes else None, *values])
    return Table([split, "gold", *names], rows, f"{system.name} by {split}")
